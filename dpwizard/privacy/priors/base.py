"""What every family of priors shares: unanswered fields, a summary without sampling, values to draw."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import TYPE_CHECKING, Any, TypeVar

from dpwizard.errors import InvalidInput
from dpwizard.values import Value, Variant, field, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

Answer = TypeVar("Answer")

SHARES = (0.05, 0.5, 0.95)  # the quantiles of a summary


class Summary(Value):
    """A prior in five numbers: mean, standard deviation and the 5 %, 50 % and 95 % quantiles."""

    mean: float = field("Mean", default=...)
    sd: float = field("Standard deviation", default=...)
    low: float = field("5 % quantile", default=...)
    median: float = field("Median", default=...)
    high: float = field("95 % quantile", default=...)


class Distribution(Variant):
    """What every family offers; LOW and HIGH of the support may be infinite."""

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered yet."""
        return tuple(name for name in self._asked() if getattr(self, name) is None)

    def _asked(self) -> tuple[str, ...]:
        return tuple(name for name in type(self).model_fields if name != "family")

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
        import numpy as np

        answered(self)
        low, high = self.support()
        low = self.quantile(0.001) if math.isinf(low) else low
        high = self.quantile(0.999) if math.isinf(high) else high
        values = np.linspace(low, high, count)
        return values, self.density(values), self.cdf(values)


def answered(prior: Distribution, where: str = "prior") -> None:
    """Raise InvalidInput naming the first field of PRIOR (seen at WHERE) that is not answered."""
    for name in prior.missing():
        raise InvalidInput("is not answered", f"{where}.{name}", "Enter a value.")


def ordered(low: float | None, high: float | None) -> None:
    """Raise InvalidInput unless LOW lies below HIGH; either may be unanswered."""
    if low is not None and high is not None and not low < high:
        remedy = "Swap the smallest and the largest value, or move them apart."
        raise InvalidInput(f"the largest value must lie above the smallest; found {shown(high)}", "high", remedy)


def some_mass(masses: tuple[float, ...] | None, name: str) -> None:
    """Raise InvalidInput where all MASSES are zero."""
    if masses is not None and not any(masses):
        raise InvalidInput("must have a positive sum; found only zeros", name, "Give at least one entry some mass.")


def known(answer: Answer | None) -> Answer:
    """Return ANSWER; only called where ``answered`` has been."""
    if answer is None:
        raise InvalidInput("is not answered", "prior", "Enter every field of the prior.")
    return answer


def array(values: Any) -> Floats:
    """Return VALUES as an array of floats."""
    import numpy as np

    return np.asarray(values, dtype=np.float64)


def apart_from(values: Floats, centre: float) -> Floats:
    """Return values - centre, infinite where that overflows."""
    import numpy as np

    with np.errstate(over="ignore"):
        return array(values - centre)


def bell(values: Floats, mean: float, sd: float) -> Floats:
    """Return the normal density."""
    import numpy as np

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
    import numpy as np

    with np.errstate(over="ignore"):
        mean = float(np.sum(values * shares))
        return mean, math.sqrt(float(np.sum((values - mean) ** 2 * shares)))
