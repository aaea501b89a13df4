"""What every family of priors shares: what an adversary believes about a value beforehand.

A prior is a frozen value; a field that is None is not answered yet (``missing`` names it). Masses
(probabilities, weights) are normalised, repeated points add up, and a family knows its support, its
density and distribution function for drawing, and its mean, spread and quantiles without sampling.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.value_errors import shown
from dpwizard.base.values import Value, Variant, field
from dpwizard.privacy.priors.density import Atoms, Density

Floats = NDArray[np.float64]
Quarters = tuple[float, float, float]  # below which a quarter, half and three quarters lie

Known = TypeVar("Known")

POINTS = 121  # of a curve that is drawn
SHARES = (0.05, 0.5, 0.95)  # the quantiles of a summary


class Summary(Value):
    """A prior in five numbers: mean, standard deviation and the 5 %, 50 % and 95 % quantiles."""

    mean: float = field("Mean", default=...)
    sd: float = field("Standard deviation", default=...)
    low: float = field("5 % quantile", default=...)
    median: float = field("Median", default=...)
    high: float = field("95 % quantile", default=...)


@dataclass(frozen=True, kw_only=True)
class PriorPicture:
    """What is drawn of a prior: places from left to right, and how high it stands there."""

    kind: Literal["bars", "curve", "points"]
    places: tuple[float, ...]  # edges of the bars (one more than heights), points of the curve, or atoms
    heights: tuple[float, ...]  # shares of the bars or atoms; the curve relative to its top

    @property
    def ends(self) -> tuple[float, float]:
        """Return the smallest and the largest value shown."""
        return self.places[0], self.places[-1]


class Distribution(Variant):
    """What every family offers; LOW and HIGH of the support may be infinite."""

    quick: ClassVar[bool] = False  # whether it is drawn without heavy libraries
    in_bars: ClassVar[bool] = False  # whether a hand can move its bars
    flat: ClassVar[bool] = False  # whether every value between its ends is as likely as any other
    by_quarters: ClassVar[bool] = False  # whether it can be fitted to three numbers: see `quarters`
    ends: ClassVar[tuple[str, ...]] = ()  # the fields that say where it is cut off: no fit moves them

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered yet."""
        return tuple(name for name in self._asked() if getattr(self, name) is None)

    def _asked(self) -> tuple[str, ...]:
        return tuple(name for name in type(self).model_fields if name != "family")

    def listed(self) -> tuple[float, ...] | None:
        """Return the values held possible where they are listed one by one; None for a density."""
        return None

    def atoms(self) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
        """Return the values of positive mass in order, and their masses before normalising; None for a density."""
        return None

    @abstractmethod
    def support(self) -> tuple[float, float]:
        """Return the smallest closed interval that holds the whole mass."""

    @abstractmethod
    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value) for each of VALUES, to 1e-14 absolute."""

    @abstractmethod
    def density(self, values: Floats) -> Floats:
        """Return the density at each of VALUES (for atoms: the mass at that very value); may be infinite at an end."""

    @abstractmethod
    def quantile(self, share: float) -> float:
        """Return the smallest value with P(X <= value) >= SHARE in (0, 1), to 1e-9 of the spread."""

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return the parameters of this family whose quarters lie nearest QUARTERS, which increase within its ends.

        Raises InvalidInput where three numbers do not settle it.
        """
        raise InvalidInput("is not a belief that three numbers settle", "family", "Enter its own fields.")

    @abstractmethod
    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation, to 1e-9 relative; infinite where they exceed floating point."""

    def summary(self) -> Summary:
        """Return the prior in five numbers, computed without sampling.

        Raises InvalidInput where a field is not answered.
        """
        answered(self)
        mean, sd = self.moments()
        low, median, high = (self.quantile(share) for share in SHARES)
        return Summary.model_construct(mean=mean, sd=sd, low=low, median=median, high=high)

    def drawn(self, count: int = 200) -> tuple[Floats, Floats, Floats]:
        """Return COUNT values across the prior (its support, or its middle 99.8 %) with density and distribution
        function.

        Raises InvalidInput where a field is not answered.
        """
        answered(self)
        low, high = self.support()
        low = self.quantile(0.001) if math.isinf(low) else low
        high = self.quantile(0.999) if math.isinf(high) else high
        values = np.linspace(low, high, count)
        return values, self.density(values), self.cdf(values)

    @abstractmethod
    def seen_from(self, origin: Fraction, precision: Fraction) -> Density | Atoms:
        """Return the prior in precisions from ORIGIN; every field must be answered."""

    # ------------------------------------------------------------------------------- drawn

    def picture(self) -> PriorPicture | None:
        """Return what is drawn; None while a field is not answered, or where it is too narrow or too wide to be
        drawn."""
        if self.missing():
            return None
        with np.errstate(all="ignore"):
            return self._picture()

    def _picture(self) -> PriorPicture | None:
        try:
            values, density, _ = self.drawn(POINTS)
        except (DPWizardError, ArithmeticError, ValueError):
            return None
        density = np.where(np.isfinite(density), density, np.nan)
        if not np.all(np.isfinite(values)) or values[-1] <= values[0] or not np.any(density > 0):
            return None
        heights = np.nan_to_num(density / float(np.nanmax(density)), nan=1.0)
        return PriorPicture(kind="curve", places=tuple(map(float, values)), heights=tuple(map(float, heights)))


def answered(prior: Distribution, where: str = "prior") -> None:
    """Raise InvalidInput naming the first field of PRIOR (seen at WHERE) that is not answered."""
    for name in prior.missing():
        raise InvalidInput("is not answered", f"{where}.{name}", "Enter a value.")


def ordered(low: float | None, high: float | None) -> None:
    """Raise InvalidInput unless LOW lies below HIGH; either may be unanswered."""
    if low is not None and high is not None and not low < high:
        remedy = "Swap the smallest and the largest value, or move them apart."
        raise InvalidInput(
            message("the largest value must lie above the smallest; found {found}", found=shown(high)), "high", remedy
        )


def some_mass(masses: tuple[float, ...] | None, name: str) -> None:
    """Raise InvalidInput where all MASSES are zero."""
    if masses is not None and not any(masses):
        raise InvalidInput("must have a positive sum; found only zeros", name, "Give at least one entry some mass.")


def known(answer: Known | None) -> Known:
    """Return ANSWER; only called where ``answered`` has been."""
    if answer is None:
        raise InvalidInput("is not answered", "prior", "Enter every field of the prior.")
    return answer


def array(values: Any) -> Floats:
    """Return VALUES as an array of floats."""
    return np.asarray(values, dtype=np.float64)


def apart_from(values: Floats, centre: float) -> Floats:
    """Return values - centre, infinite where that overflows."""
    with np.errstate(over="ignore"):
        return array(values - centre)


def bell(values: Floats, mean: float, sd: float) -> Floats:
    """Return the normal density."""
    with np.errstate(over="ignore", under="ignore"):
        z = apart_from(values, mean) / sd
        return array(np.exp(-0.5 * z * z) / (sd * math.sqrt(2.0 * math.pi)))


def kept_ratio(numerator: float, denominator: float) -> float:
    """Return a quotient kept within 1e140 in size, so that squares stay finite."""
    return min(
        max(numerator / denominator if denominator >= 1.0 else numerator / max(denominator, 1e-160), -1e140), 1e140
    )


def modest(parameter: float) -> float:
    """Return a parameter kept where the incomplete beta function of SciPy is at home."""
    return min(max(parameter, 1e-100), 1e15)


def capped_exp(exponent: float) -> float:
    """Return e^exponent, infinite beyond floating point."""
    return math.inf if exponent > 709.0 else math.exp(exponent)


def moments_of(values: Floats, shares: Floats) -> tuple[float, float]:
    """Return mean and standard deviation of VALUES with SHARES that add up to 1."""
    with np.errstate(over="ignore"):
        mean = float(np.sum(values * shares))
        return mean, math.sqrt(float(np.sum((values - mean) ** 2 * shares)))
