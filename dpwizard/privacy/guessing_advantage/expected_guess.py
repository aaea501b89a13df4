"""How often the best guess is right under Gaussian noise, on average over what the intruder holds possible.

The intruder knows all other records and sees the value with normal noise. A guess is right within a precision r of it.
Proofs: docs/methods/gaussian_risk.md, Expected guess. It is an average over a population; of one victim, at an end of
what is held possible for instance, it says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from dpwizard.errors import InvalidInput
from dpwizard.messages import message
from dpwizard.numerics import decimal, normal_cdf, smallest, up
from dpwizard.privacy.guessing_advantage.arguments import sheltered
from dpwizard.privacy.priors import Discrete, Normal, Prior, Uniform, answered, known
from dpwizard.stopping import may_stop
from dpwizard.values import NonNegative, OpenProbability, Value, field, public

FARTHEST = 40.0  # standard deviations beyond which nothing is left


class ExpectedSuccess(Value):
    """The chance of a right guess before and after a release."""

    before: float = field("Before", default=...)
    after: float = field("After", default=...)


@public
@sheltered
def expected(*, prior: Prior, precision: NonNegative, noise: NonNegative) -> ExpectedSuccess:
    """Return how often the best guess is right before and after a release with Gaussian noise, on average.

    Arguments: prior, of the families uniform, normal and discrete; precision r >= 0, how far off a right guess may be;
    noise, the standard deviation of the noise in the value's own units. Returns chances, to 1e-12 relative (normal,
    uniform) or 1e-10 (discrete, whose windows of length 2 r are closed and read as decimals). Processing what is
    released, or knowing less, only lowers `after`. Raises InvalidInput. Source: docs/methods/gaussian_risk.md.
    """
    answered(prior)
    return _success(prior, precision, noise)


@public
@sheltered
def noise_for_expected(*, prior: Prior, precision: NonNegative, gain: OpenProbability) -> float:
    """Return the smallest noise with which the best guess is right at most GAIN oftener than before, on average.

    Arguments: prior and precision as for expected; gain in (0, 1). Returns the standard deviation in the value's own
    units, **never below the true need** and within 1e-12 relative of it (discrete: 1e-9); 0 where none is needed.
    Raises InvalidInput. Source: docs/methods/gaussian_risk.md.
    """
    answered(prior)
    before = _success(prior, precision, 0.0).before
    if gain >= 1.0 - before:
        return 0.0
    if isinstance(prior, Uniform):
        # s = r/Phi^-1((1 + gain/(1 - b))/2)
        return up(precision / _half(gain / (1.0 - before)) * (1.0 + 1e-14), 4)
    if isinstance(prior, Normal):
        sd = known(prior.sd)
        told = precision / _half(before + gain)  # 1/s^2 = 1/t^2 - 1/tau^2
        return up(told * sd / math.sqrt((sd - told) * (sd + told)) * (1.0 + 1e-13), 4) if told < sd else math.inf

    def kept(noise: float) -> bool:
        may_stop()
        return _success(prior, precision, noise).after <= before + gain

    low, high = prior.support()
    most = max(high - low, 1e-290)
    while not kept(most):
        most *= 2.0
    return up(smallest(kept, most * 1e-9, most, 1e-11) * (1.0 + 1e-10), 2)


def _success(prior: Prior, precision: float, noise: float) -> ExpectedSuccess:
    if isinstance(prior, Uniform):
        low, high = prior.support()
        before = min(1.0, float(2 * decimal(precision) / (decimal(high) - decimal(low))))
        if noise == 0.0:
            return ExpectedSuccess(before=before, after=1.0 if precision else 0.0)
        # the two end effects come to 2 r/L exactly
        return ExpectedSuccess(before=before, after=before + (1.0 - before) * _within(precision / noise))
    if isinstance(prior, Normal):
        sd = known(prior.sd)
        before = _within(precision / sd)
        if noise == 0.0:
            return ExpectedSuccess(before=before, after=1.0 if precision else 0.0)
        told = sd * noise / math.hypot(sd, noise)
        return ExpectedSuccess(before=before, after=_within(precision / told))
    if isinstance(prior, Discrete):
        return _of_atoms(prior, precision, noise)
    raise InvalidInput(
        message("must be uniform, normal or discrete; found {family}", family=prior.family),
        "prior.family",
        "Describe the belief by one of these, for instance as a list of values with their probabilities.",
    )


def _within(x: float) -> float:
    """Return P(|G| <= x)."""
    return math.erf(x / math.sqrt(2.0))


def _half(share: float) -> float:
    """Return x with P(|G| <= x) = SHARE."""
    from scipy.special import erfinv, ndtri  # 0.1 s to import: only when it is needed

    return math.sqrt(2.0) * float(erfinv(share)) if share < 0.5 else -float(ndtri(0.5 * (1.0 - share)))


# ------------------------------------------------------------------------------------------------- atoms


def _of_atoms(prior: Discrete, precision: float, noise: float) -> ExpectedSuccess:
    """Return the success over windows of atoms: which window is best changes from left to right as the output does.

    Of two windows, the atoms in the left one alone lie left of those in the right one alone: the ratio of their weights
    falls as the output rises, and they change places once.
    """
    points, masses = _atoms(prior)
    spans = _windows(points, precision)
    before = max(math.fsum(masses[a:b]) for a, b in spans)
    if noise == 0.0 or len(spans) == 1:
        return ExpectedSuccess(before=before, after=1.0 if len(spans) > 1 else before)
    at, weights = np.array([float(x) for x in points]), np.log(np.array(masses))
    kept: list[tuple[int, int]] = []
    starts: list[float] = []
    for span in spans:
        start = -math.inf
        while kept:
            start = _changes(at, weights, kept[-1], span, noise)
            if start > starts[-1]:
                break
            kept.pop()
            starts.pop()
        kept.append(span)
        starts.append(start if kept[:-1] else -math.inf)
        may_stop()
    ends = [*starts[1:], math.inf]
    total = math.fsum(
        masses[i] * _between((start - at[i]) / noise, (end - at[i]) / noise)
        for (a, b), start, end in zip(kept, starts, ends, strict=True)
        if end > start
        for i in range(a, b)
    )
    return ExpectedSuccess(before=before, after=min(1.0, max(before, total)))


def _atoms(prior: Discrete) -> tuple[list[Fraction], list[float]]:
    """Return the points, as the decimals they are written as and in order, with their normalised masses."""
    points = prior.points or ()
    stated = prior.probabilities or (1.0,) * len(points)
    found: dict[Fraction, list[float]] = {}
    for point, mass in zip(points, stated, strict=True):
        if mass > 0.0:
            found.setdefault(decimal(point), []).append(mass)
    whole = math.fsum(mass for several in found.values() for mass in several)
    ordered = sorted(found)
    return ordered, [math.fsum(found[point]) / whole for point in ordered]


def _windows(points: Sequence[Fraction], precision: float) -> list[tuple[int, int]]:
    """Return the runs of atoms that a closed window of length 2 r can hold, none inside another."""
    wide, end, found = 2 * decimal(precision), 0, []
    for start, point in enumerate(points):
        reached = end
        while end < len(points) and points[end] - point <= wide:
            end += 1
        if end > reached:
            found.append((start, end))
    return found


def _changes(at: np.ndarray, weights: np.ndarray, left: tuple[int, int], right: tuple[int, int], noise: float) -> float:
    """Return the output from which the RIGHT window is the better one."""
    middle = (min(left[1], right[0]), max(left[1], right[0]))
    one, other = slice(left[0], middle[0]), slice(middle[1], right[1])

    def ahead(y: float) -> bool:
        first, second = (weights[part] - 0.5 * ((y - at[part]) / noise) ** 2 for part in (one, other))
        return bool(np.logaddexp.reduce(second) >= np.logaddexp.reduce(first))

    low = high = 0.5 * float(at[one][-1] + at[other][0])
    step = noise * max(1.0, noise / max(float(at[other][0] - at[one][-1]), 1e-300))
    while not ahead(high) and math.isfinite(high):
        high, step = high + step, 2.0 * step
    step = noise
    while ahead(low) and math.isfinite(low):
        low, step = low - step, 2.0 * step
    if not (math.isfinite(low) and math.isfinite(high)):
        return math.inf if math.isfinite(low) else -math.inf
    for _ in range(200):
        half = low + (high - low) / 2
        if not low < half < high:
            break
        low, high = (low, half) if ahead(half) else (half, high)
    return high


def _between(low: float, high: float) -> float:
    """Return P(LOW < G <= HIGH), formed in the tail where both are small."""
    if low > 0.0:
        low, high = -high, -low
    return normal_cdf(high) - (normal_cdf(low) if low > -FARTHEST else 0.0)
