"""The base class of the families of priors: an adversary's distribution of a value before the release.

A prior is a frozen value; a field that is None is not answered yet (``missing`` names it). Masses (probabilities,
weights) are normalised, and repeated points add up. A family gives its support and, relative to any origin, its density
or atoms, from which limits, drawings and bars are computed.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from pydantic import model_validator

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import Variant
from dpwizard.privacy.priors.density import FARTHEST, Density, Floats, PointMasses

Quarters = tuple[float, float, float]  # the quantiles at 1/4, 1/2 and 3/4

Known = TypeVar("Known")

POINTS = 121  # the points of a drawn curve


@dataclass(frozen=True, kw_only=True)
class PriorPicture:
    """The drawing of a prior: places from left to right, and heights."""

    kind: Literal["bars", "curve", "points"]
    places: tuple[float, ...]  # edges of the bars (one more than heights), points of the curve, or atoms
    heights: tuple[float, ...]  # shares of the bars or atoms; the curve relative to its top

    @property
    def ends(self) -> tuple[float, float]:
        """Return the smallest and the largest value shown."""
        return self.places[0], self.places[-1]


class Distribution(Variant):
    """A family of priors."""

    quick: ClassVar[bool] = False  # whether it is drawn without heavy libraries
    in_bars: ClassVar[bool] = False  # whether it has bars that can be dragged
    flat: ClassVar[bool] = False  # whether all values between its ends are equally likely
    by_quarters: ClassVar[bool] = False  # whether it can be fitted to three quartiles: see `quarters`
    ends: ClassVar[tuple[str, ...]] = ()  # the fields of its two ends, which a fit does not change

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered."""
        return tuple(name for name in self._required_fields() if getattr(self, name) is None)

    def _required_fields(self) -> tuple[str, ...]:
        return tuple(name for name in type(self).model_fields if name != "family")

    def listed(self) -> tuple[float, ...] | None:
        """Return the possible values of a list; None for a density."""
        return None

    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Return the smallest closed interval with the whole mass; its ends may be infinite."""

    @abstractmethod
    def seen_from(self, origin: Fraction, precision: Fraction) -> Density | PointMasses:
        """Return the prior in precisions from ORIGIN; every field must be answered."""

    def seen(self) -> Density | PointMasses:
        """Return the prior as it is; every field must be answered."""
        return self.seen_from(Fraction(0), Fraction(1))

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value) for each of VALUES."""
        return self.seen().below(values)

    def quantile(self, share: float) -> float:
        """Return approximately the smallest value with P(X <= value) >= SHARE in (0, 1); inf if it overflows."""
        value = float(self.seen().quantiles(array([share]))[0])
        return math.copysign(math.inf, value) if abs(value) >= FARTHEST else value

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return the parameters of this family with the nearest quartiles; QUARTERS increase within its ends.

        Raises InvalidInput if three numbers do not determine the family.
        """
        raise InvalidInput("cannot be found from three numbers", "family", "Enter its own fields.")

    # ------------------------------------------------------------------------------- drawing

    def picture(self) -> PriorPicture | None:
        """Return the drawing; None if a field is not answered or the prior is too narrow or too wide to draw."""
        if self.missing():
            return None
        with np.errstate(all="ignore"):
            return self._picture()

    def _picture(self) -> PriorPicture | None:
        try:
            view = self.seen()
            if isinstance(view, PointMasses):
                places, shares = tuple(map(float, view.places)), tuple(map(float, view.shares))
                return PriorPicture(kind="points", places=places, heights=shares)
            low, high = self.support()
            low = self.quantile(0.001) if math.isinf(low) else low
            high = self.quantile(0.999) if math.isinf(high) else high
            values = np.linspace(low, high, POINTS)
        except (DPWizardError, ArithmeticError, ValueError):
            return None
        density = view.heights(values)
        density = np.where(np.isfinite(density), density, np.nan)
        if not np.all(np.isfinite(values)) or values[-1] <= values[0] or not np.any(density > 0):
            return None
        heights = np.nan_to_num(density / float(np.nanmax(density)), nan=1.0)
        return PriorPicture(kind="curve", places=tuple(map(float, values)), heights=tuple(map(float, heights)))


class Between(Distribution):
    """A family whose values are between its fields `low` and `high`."""

    ends: ClassVar[tuple[str, ...]] = ("low", "high")

    @model_validator(mode="after")
    def _check(self) -> Self:
        low, high = (getattr(self, end) for end in self.ends)
        if low is not None and high is not None and not low < high:
            above = message("the largest value must be above the smallest; found {found}", found=quoted_value(high))
            raise InvalidInput(above, "high", "Swap the smallest and the largest value, or move them apart.")
        return self

    def support(self) -> tuple[float, float]:
        low, high = (known(getattr(self, end)) for end in self.ends)
        return low, high


def answered(prior: Distribution, where: str = "prior") -> None:
    """Raise InvalidInput naming the first unanswered field of PRIOR (at WHERE)."""
    for name in prior.missing():
        raise InvalidInput("is not answered", f"{where}.{name}", "Enter a value.")


def check_some_mass(masses: tuple[float, ...] | None, name: str) -> None:
    """Raise InvalidInput if all MASSES are zero."""
    if masses is not None and not any(masses):
        raise InvalidInput("must have a positive sum; found only zeros", name, "Give one entry a share above 0.")


def known(answer: Known | None) -> Known:
    """Return ANSWER; raise InvalidInput if it is None."""
    if answer is None:
        raise InvalidInput("is not answered", "prior", "Enter every field of the distribution.")
    return answer


def array(values: Any) -> Floats:
    return np.asarray(values, dtype=np.float64)


def clamp_shape_parameter(parameter: float) -> float:
    """Return PARAMETER within the range in which SciPy's incomplete beta function is accurate."""
    return min(max(parameter, 1e-100), 1e15)


def capped_exp(exponent: float) -> float:
    """Return e^exponent, infinite beyond floating point."""
    return math.inf if exponent > 709.0 else math.exp(exponent)
