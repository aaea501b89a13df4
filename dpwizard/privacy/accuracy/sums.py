"""How far off a sum or a difference of several published numbers is.

Whole noise (geometric, discrete Gaussian): its masses are tilted towards the tail, multiplied as characteristic
functions, and read back, so that small tails keep their digits. Discrete Gaussians that are wide enough add up to one
discrete Gaussian, with a proved error. Laplace noise of one scale has a finite sum of positive terms; normal noise adds
up in variance. **A needed budget is never below the true need.** Proofs: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal, smallest, up
from dpwizard.base.values import Count, Epsilon, NonNegative, OpenProbability, Positive, Value, field, public
from dpwizard.privacy.mechanisms import Budgeted, PureName, law_at

Cells = Annotated[Count, Field(le=10**6)]
WHOLE = ("geometric", "discrete_gaussian")
REACH = 12.0  # standard deviations of one discrete Gaussian beyond which its masses, 1e-31, count for nothing
WRAPPED = 1e-17  # most mass that may come round on the lattice of the Fourier transform
LARGEST = 1 << 21  # points of that lattice
FURTHEST = 10.0  # of the tilts that a bound on what lies outside looks at
SAME = 1e-13  # relative error at which a sum of discrete Gaussians counts as one
MARGIN = 1.0 + 1e-11  # of a tail that is compared with what a need allows
NARROW = 1.5e-3  # scale of whole noise below which it is 0 but for 1e-289
LEAST, MOST = 1e-9, 1e9  # the rates looked at: epsilon by sensitivity, or 1 by the standard deviation


class Term(Value):
    """Some numbers of a sum that all have the same noise."""

    mechanism: Budgeted = field("Noise", default=...)
    epsilon: Epsilon | None = field("Budget of geometric and Laplace noise")
    rho: Epsilon | None = field("Budget of Gaussian noise")
    sensitivity: Positive = field("Sensitivity", default=1.0)
    cells: Cells = field("How many numbers", default=1)


Terms = Annotated[tuple[Term, ...], Field(min_length=1, max_length=2_000)]


@dataclass(frozen=True)
class Numbers:
    """So many numbers with noise of one scale: 1 by the rate, or the standard deviation of Gaussian noise."""

    mechanism: Budgeted
    scale: float
    cells: int

    @property
    def variance(self) -> float:
        """Return the variance of their sum; of discrete Gaussian noise, a bound on it."""
        if self.mechanism == "geometric":
            return 0.0 if self.scale <= NARROW else self.cells / (2.0 * math.sinh(0.5 / self.scale) ** 2)
        return self.cells * self.scale**2 * (2.0 if self.mechanism == "laplace" else 1.0)

    @property
    def steepest(self) -> float:
        """Return the tilt below which the moments of the noise are finite."""
        return 1.0 / self.scale if self.mechanism == "geometric" else math.inf

    def log_moment(self, tilt: float) -> float:
        """Return log E exp(TILT * sum)."""
        if self.mechanism == "geometric":
            rate = 1.0 / self.scale
            alone = 2.0 * _log_less(-rate) - _log_less(tilt - rate) - _log_less(-tilt - rate)
        else:
            _, weights = self._masses(tilt)
            _, untilted = self._masses(0.0)
            alone = _log_sum(weights) - _log_sum(untilted)
        return self.cells * alone

    def characteristic(self, tilt: float, size: int) -> Any:
        """Return the characteristic function of the tilted sum at 2 pi j / SIZE, j = 0 to SIZE / 2."""
        if self.mechanism == "geometric":
            turn = np.exp(2j * np.pi * np.arange(size // 2 + 1) / size)
            near, far = math.exp(tilt - 1.0 / self.scale), math.exp(-tilt - 1.0 / self.scale)
            alone = (1.0 - near) * (1.0 - far) / ((1.0 - near * turn) * (1.0 - far / turn))
        else:
            places, weights = self._masses(tilt)
            masses = np.exp(weights - _log_sum(weights))
            alone = np.fft.rfft(np.bincount(places % size, masses, size)).conj()
        return alone**self.cells

    def _masses(self, tilt: float) -> tuple[Any, Any]:
        """Return where the masses of one tilted discrete Gaussian lie, and their logarithms."""
        middle = tilt * self.scale**2
        reach = math.ceil(REACH * self.scale) + 2
        places = np.arange(math.floor(middle) - reach, math.floor(middle) + reach + 2)
        return places, tilt * places - places.astype(float) ** 2 / (2.0 * self.scale**2)


# ----------------------------------------------------------------------------------- what a budget gives


@public
def sum_within(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| <= half_width) of a sum or difference of numbers with independent noise.

    Arguments: terms, each with mechanism geometric | laplace (epsilon in [0, inf]) or gaussian | discrete_gaussian (rho
    in [0, inf]), sensitivity > 0 and cells, how many numbers have this noise; half_width >= 0. Whole and continuous
    noise do not mix, and Laplace noise has one scale. Returns a probability, exact to 1e-10. Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    return 1.0 - sum_beyond(terms=terms, half_width=half_width)


@public
def sum_beyond(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| > half_width) of a sum or difference of numbers with independent noise.

    Arguments: as of sum_within. Returns a probability, exact to 1e-10 relative where it is above 1e-300. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    kinds = {term.mechanism for term in terms}
    if len(kinds) > 1 and not kinds <= set(WHOLE):
        raise InvalidInput(
            message("mix the noise {kinds}", kinds=", ".join(sorted(kinds))),
            "terms",
            "Add up geometric with discrete Gaussian noise, or noise of one kind.",
        )
    numbers = [Numbers(term.mechanism, _scale(term, f"terms[{at}]"), term.cells) for at, term in enumerate(terms)]
    return beyond([each for each in numbers if each.scale > 0.0], decimal(half_width), next(iter(kinds)) in WHOLE)


def _scale(term: Term, where: str) -> float:
    """Return the scale of the noise of TERM: 0 without noise, inf without a budget."""
    asked = "rho" if term.mechanism.endswith("gaussian") else "epsilon"
    budget = getattr(term, asked)
    other = term.epsilon if asked == "rho" else term.rho
    if budget is None or other is not None:
        raise InvalidInput(
            "is missing" if budget is None else "is not asked for here",
            f"{where}.{asked if budget is None else 'rho' if asked == 'epsilon' else 'epsilon'}",
            message("Give {asked} for {mechanism} noise, and nothing else.", asked=asked, mechanism=term.mechanism),
        )
    rate = (math.sqrt(2.0 * budget) if asked == "rho" else budget) / term.sensitivity
    return math.inf if rate == 0.0 else 0.0 if math.isinf(rate) else 1.0 / rate


def beyond(numbers: Sequence[Numbers], half_width: Fraction, whole: bool) -> float:
    """Return P(|sum| > HALF_WIDTH) of the noise of NUMBERS; raises InvalidInput where it is too wide."""
    if whole:
        numbers = [each for each in numbers if each.scale > NARROW]
    if not numbers:
        return 0.0
    if any(math.isinf(each.scale) for each in numbers):
        return 1.0
    if whole:
        return min(1.0, 2.0 * _whole_tail(numbers, math.floor(half_width) + 1))
    if numbers[0].mechanism == "laplace":
        if len({each.scale for each in numbers}) > 1:
            raise InvalidInput("have Laplace noise of several scales", "terms", "Give all numbers the same scale.")
        cells = sum(each.cells for each in numbers)
        return min(1.0, 2.0 * _laplace_tail(cells, float(half_width) / numbers[0].scale))
    deviation = math.sqrt(math.fsum(each.variance for each in numbers))
    return math.erfc(float(half_width) / deviation / math.sqrt(2.0))


# ------------------------------------------------------------------------------------ what a need asks


@public
def rho_for_sum_within(
    *,
    mechanism: Literal["gaussian", "discrete_gaussian"],
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float | None:
    """Return the least rho with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism gaussian | discrete_gaussian; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0
    (L2). Returns rho, **never below the true need**, within 1e-9 relative; null where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md (more noise is less peaked, so bisection is right).
    """
    rate = _rate(mechanism, cells, half_width, level)
    return None if rate is None else up((rate * sensitivity) ** 2 / 2.0, 4)


@public
def epsilon_for_sum_within(
    *,
    mechanism: PureName,
    cells: Cells,
    half_width: NonNegative,
    level: OpenProbability,
    sensitivity: Positive = 1.0,
) -> float | None:
    """Return the least epsilon with which a sum of CELLS numbers lies within HALF_WIDTH with chance LEVEL.

    Arguments: mechanism geometric | laplace; cells >= 1; half_width >= 0; level in (0, 1); sensitivity > 0 (L1).
    Returns epsilon, **never below the true need**, within 1e-9 relative; null where no finite one will do. Raises
    InvalidInput. Source: docs/methods/adding_up.md.
    """
    rate = _rate(mechanism, cells, half_width, level)
    return None if rate is None else up(rate * sensitivity, 2)


def _rate(mechanism: Budgeted, cells: int, half_width: float, level: float) -> float | None:
    """Return the smallest rate at which the need is met; None where no finite one is seen to."""
    distance, allowed = decimal(half_width), float(1 - decimal(level))
    whole = mechanism in WHOLE

    def met(rate: float) -> bool:
        numbers = Numbers(mechanism, 1.0 / rate, cells)
        if _is_too_wide(numbers, half_width, level):
            return False
        return beyond([numbers], distance, whole) * MARGIN <= allowed

    return smallest(met, LEAST, MOST) if met(MOST) else None


def _is_too_wide(numbers: Numbers, half_width: float, level: float) -> bool:
    """Say whether so wide a noise stays within HALF_WIDTH with less than LEVEL, whatever its law.

    No mass of a log-concave whole number of variance v is above 2 / sqrt(1 + 4 v) (Bobkov, Marsiglietti & Melbourne
    2022), and no density of a log-concave real number above 1 / sqrt(v).
    """
    return 2.0 * (2.0 * half_width + 1.0) < level * math.sqrt(numbers.variance)


# ------------------------------------------------------------------------------------------------ inside


def _whole_tail(numbers: Sequence[Numbers], first: int) -> float:
    """Return P(sum >= FIRST) of whole noise, FIRST >= 1."""
    if all(each.mechanism == "discrete_gaussian" for each in numbers):
        scale, error = _merged(numbers)
        if error < SAME:
            return law_at("discrete_gaussian", 1.0 / scale).beyond(Fraction(first - 1)) / 2.0
    if len(numbers) == 1 and numbers[0].cells == 1:
        return law_at(numbers[0].mechanism, 1.0 / numbers[0].scale).beyond(Fraction(first - 1)) / 2.0
    return _tilted_tail(numbers, first)


def _merged(numbers: Sequence[Numbers]) -> tuple[float, float]:
    """Return the scale of the one discrete Gaussian that a sum of some is, and the relative error of its masses.

    Each mass of the sum of two is that of one of variance s1^2 + s2^2 within a factor 1 +- 2 e / (1 - e), with e the
    sum over m >= 1 of 2 exp(-2 pi^2 t^2 m^2) and 1/t^2 = 1/s1^2 + 1/s2^2 (Poisson summation).
    """
    narrow = min(each.scale for each in numbers)
    count = sum(each.cells for each in numbers)
    variance = math.fsum(each.variance for each in numbers)
    if count == 1:
        return math.sqrt(variance), 0.0
    leading = 2.0 * math.exp(-(math.pi**2) * narrow**2)  # 1/t^2 is at most 2 / narrow^2, in whichever order they add up
    error = leading / (1.0 - min(leading, 0.5))
    return math.sqrt(variance), (count - 1) * 2.0 * error / (1.0 - min(error, 0.5))


def _tilted_tail(numbers: Sequence[Numbers], first: int) -> float:
    """Return P(sum >= FIRST) by a Fourier transform of the law tilted to have its middle at FIRST."""
    limit = min(each.steepest for each in numbers)
    variance = math.fsum(each.variance for each in numbers)
    if math.sqrt(variance) * 8.0 > LARGEST:
        _refuse_width()
    tilt = _saddle(numbers, first, min(limit * (1.0 - 1e-9), 4.0 * first / variance + 5.0))
    size = _size(numbers, first, tilt, limit)
    product = np.ones(size // 2 + 1, dtype=complex)
    for each in numbers:
        product = product * each.characteristic(tilt, size)
    masses = np.fft.irfft(product.conj(), size)
    steps = np.arange(size // 2)
    tail = np.maximum(masses[(first + steps) % size], 0.0) @ np.exp(-tilt * steps)
    return math.exp(min(0.0, _log_moment(numbers, tilt) - tilt * first)) * float(tail)


def _saddle(numbers: Sequence[Numbers], first: int, limit: float) -> float:
    """Return the tilt that moves the mean of the sum to FIRST, at most LIMIT; any is right, this keeps digits."""
    low, high = 0.0, limit
    for _ in range(50):
        tilt = (low + high) / 2.0
        step = min(1e-5 * max(tilt, 1e-3), (limit - tilt) / 2.0)
        slope = (_log_moment(numbers, tilt + step) - _log_moment(numbers, tilt - step)) / (2.0 * step)
        low, high = (tilt, high) if slope < first else (low, tilt)
    return low


def _size(numbers: Sequence[Numbers], first: int, tilt: float, limit: float) -> int:
    """Return how many points hold the tilted law but for WRAPPED on each side (Chernoff)."""
    at_tilt = _log_moment(numbers, tilt)
    size = 64
    while size <= LARGEST:
        far = size // 2
        if all(_outside(numbers, tilt, at_tilt, side, first, far, limit) < WRAPPED for side in (1.0, -1.0)):
            return size
        size *= 2
    return _refuse_width()


def _outside(
    numbers: Sequence[Numbers], tilt: float, at_tilt: float, side: float, first: int, far: int, limit: float
) -> float:
    """Return a bound on the tilted mass FAR above (SIDE 1) or below (SIDE -1) FIRST."""
    room = min(limit - side * tilt, FURTHEST)
    best = 0.0
    for further in room * 0.999 * np.geomspace(1e-4, 1.0, 40):
        moved = _log_moment(numbers, tilt + side * further) - at_tilt
        best = min(best, moved - further * (side * first + far))
    return math.exp(best)


def _log_moment(numbers: Sequence[Numbers], tilt: float) -> float:
    return math.fsum(each.log_moment(tilt) for each in numbers)


def _refuse_width() -> int:
    raise InvalidInput("have noise too wide to add up exactly", "terms", "Raise the budget, or state fewer numbers.")


def _laplace_tail(cells: int, distance: float) -> float:
    """Return P(sum of CELLS Laplace numbers of scale 1 > DISTANCE): positive terms alone.

    A sum of n is the difference of two gamma variables; with chance C(n-1+j, j) 2^-(n+j) what remains on the upper side
    is one of shape n - j, whose tail is that of a Poisson variable.
    """
    chance = 2.0**-cells if cells < 1_000 else 0.0
    if chance == 0.0:
        raise InvalidInput("are too many numbers with Laplace noise", "terms", "Add up at most 999 numbers.")
    reached, sums = 0.0, []
    for at in range(cells):
        reached += chance
        sums.append(reached)
        chance *= (cells + at) / (at + 1) / 2.0
    places = np.arange(cells)
    from scipy.special import gammaln  # 0.1 s to import: only when it is needed

    with np.errstate(divide="ignore"):
        logs = places * np.log(distance) if distance > 0.0 else np.where(places == 0, 0.0, -np.inf)
    return float(np.exp(logs - distance - gammaln(places + 1.0)) @ np.array(sums[::-1]))


def _log_less(exponent: float) -> float:
    """Return log(1 - exp(EXPONENT)), EXPONENT below 0."""
    return math.log1p(-math.exp(exponent)) if exponent < -0.1 else math.log(-math.expm1(exponent))


def _log_sum(logs: Any) -> float:
    most = float(logs.max())
    return most + math.log(float(np.exp(logs - most).sum()))
