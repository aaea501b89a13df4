"""The noise a release adds: geometric, Laplace and Gaussian; its privacy loss, and epsilon <-> noise scale."""

from __future__ import annotations

import math
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.numerics import UNIT, decimal, largest, normal_cdf, smallest, up
from dpwizard.privacy.mechanisms.normal import FARTHEST, gaussian_delta_at, gaussian_error, log_normal_tail
from dpwizard.values import NonNegative, Positive, Probability, Value, field

MechanismKind = Literal["geometric", "laplace", "gaussian", "exact"]
NoiseKind = Literal["geometric", "laplace", "gaussian"]
PureKind = Literal["geometric", "laplace"]


class Laplace(Value):
    """Laplace noise on one number: density exp(-|x|/scale) / (2 scale)."""

    kind: Literal["laplace"] = "laplace"
    scale: Positive = field("Noise scale", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Geometric(Value):
    """Two-sided geometric noise on a whole number: P(k) proportional to exp(-rate |k|)."""

    kind: Literal["geometric"] = "geometric"
    rate: Positive = field("Rate", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Gaussian(Value):
    """Gaussian noise on one number."""

    kind: Literal["gaussian"] = "gaussian"
    sd: Positive = field("Standard deviation", default=...)
    sensitivity: NonNegative = field("Sensitivity", default=1.0)


class Table(Value):
    """A mechanism given by what it publishes: the chance of each output under the truth and under its neighbour."""

    kind: Literal["table"] = "table"
    px: tuple[Probability, ...] = field("The truth's row", default=...)
    pxp: tuple[Probability, ...] = field("The neighbour's row", default=...)


Mechanism = Annotated[Laplace | Geometric | Gaussian | Table, Field(discriminator="kind")]


# ------------------------------------------------------------------------------- epsilon <-> noise scale
#
# The common coordinate of all requirements is the noise scale: 1/rate for geometric, b for Laplace, the
# standard deviation for Gaussian noise. These are plain kernels on checked numbers; public functions with
# readers stand in accuracy, composition, privacy_at_risk and persuasive_privacy.


def noise_scale(kind: NoiseKind, epsilon: float, sensitivity: float, delta: float = 0.0) -> float:
    """Return the smallest noise scale that gives EPSILON (and DELTA) at SENSITIVITY.

    Arguments: epsilon in [0, inf]; sensitivity >= 0 (L1; L2 for gaussian); delta in [0, 1], used by gaussian only.
    Returns 1/rate (geometric), b (Laplace) or the standard deviation (gaussian): 0 for infinite epsilon, inf
    where no finite noise suffices. The Gaussian one is **never below the true value** and at most 1e-12 relative
    above it (Balle & Wang 2018, analytic calibration); the others are exact to 2 units in the last place.
    """
    if math.isinf(epsilon) or sensitivity == 0.0:
        return 0.0
    if kind == "gaussian":
        mu = gaussian_mu(epsilon, delta)
        return math.inf if mu == 0.0 else up(sensitivity / mu)
    return math.inf if epsilon == 0.0 else sensitivity / epsilon


def scale_epsilon(kind: NoiseKind, scale: float, sensitivity: float, delta: float = 0.0) -> float:
    """Return the smallest epsilon that noise of SCALE gives at SENSITIVITY (and DELTA); the inverse of noise_scale.

    Arguments: as for noise_scale; scale in [0, inf]. Returns epsilon in [0, inf]; the Gaussian one is **never
    below the true value** and at most 1e-12 (absolute or relative) above it.
    """
    if sensitivity == 0.0 or math.isinf(scale):
        return 0.0
    if scale == 0.0:
        return math.inf
    if kind == "gaussian":
        return gaussian_epsilon(up(sensitivity / scale), delta)
    return sensitivity / scale


# ---------------------------------------------------------------------- moments and distribution functions


def standard_deviation(kind: NoiseKind, scale: float) -> float:
    """Return the standard deviation of noise of SCALE (0 to inf), to 1e-15 relative."""
    if kind == "gaussian" or scale == 0.0 or math.isinf(scale):
        return scale
    if kind == "laplace":
        return math.sqrt(2.0) * scale
    rate = 1.0 / scale
    return math.sqrt(2.0) * math.exp(-rate / 2) / -math.expm1(-rate)  # variance 2a/(1-a)^2, a = e^-rate


def mean_absolute(kind: NoiseKind, scale: float) -> float:
    """Return the mean absolute value of noise of SCALE (0 to inf), to 1e-15 relative."""
    if scale == 0.0 or math.isinf(scale):
        return scale
    if kind == "gaussian":
        return scale * math.sqrt(2.0 / math.pi)
    if kind == "laplace":
        return scale
    rate = 1.0 / scale
    return 2.0 * math.exp(-rate) / -math.expm1(-2.0 * rate)  # 2a/(1-a^2)


def exact_mass(kind: NoiseKind, scale: float) -> float:
    """Return the probability that noise of SCALE is exactly 0: (1-a)/(1+a) for geometric, else 0 unless there is
    none."""
    if scale == 0.0:
        return 1.0
    return math.tanh(0.5 / scale) if kind == "geometric" else 0.0


def log_tail(kind: NoiseKind, scale: float, x: float) -> float:
    """Return log P(noise <= x) for x < 0 and log P(noise > x) for x >= 0: the smaller of the two tails, in log space.

    Arguments: scale in (0, inf); x finite. Error: 1e-15 relative in the logarithm, also where the tail underflows.
    """
    if kind == "geometric":
        rate, k = 1.0 / scale, math.floor(x)
        steps = -k if x < 0.0 else k + 1  # P(K <= k) = a^-k/(1+a) for k < 0; P(K > k) = a^(k+1)/(1+a) for k >= 0
        return -steps * rate - math.log1p(math.exp(-rate))
    if kind == "laplace":
        return -abs(x) / scale - math.log(2.0)
    return log_normal_tail(abs(x) / scale)


def cdf(kind: NoiseKind, scale: float, x: float) -> float:
    """Return P(noise <= x) for noise of SCALE in [0, inf]; unbounded noise gives its limit 1/2, no noise a step at
    0."""
    if math.isinf(scale):
        return 0.5
    if scale == 0.0:
        return 1.0 if x >= 0.0 else 0.0
    tail = math.exp(log_tail(kind, scale, x))
    return tail if x < 0.0 else 1.0 - tail


# ----------------------------------------------------- privacy loss of one release, for the worst fixed pair
#
# With outputs drawn under the truth, L = log(P(output | truth) / P(output | neighbour)). exceedance is
# P(L > epsilon); delta is the hockey-stick divergence E[(1 - e^(epsilon - L))+], the exact (epsilon, delta).


def laplace_exceedance(level: float, epsilon: float) -> float:
    """Return P(loss > epsilon) of a Laplace release whose full shift loses LEVEL (eps0 in [0, inf)); exact, strict."""
    if epsilon >= level:
        return 0.0
    if epsilon < -level:
        return 1.0
    return 1.0 - 0.5 * math.exp((epsilon - level) / 2)


def laplace_delta(level: float, epsilon: float) -> float:
    """Return delta(epsilon) = 1 - e^(-(eps0-epsilon)/2) of a Laplace release with eps0 = LEVEL, epsilon >= 0; 0 from
    eps0 on."""
    return 0.0 if epsilon >= level else -math.expm1((epsilon - level) / 2)


def laplace_level_for(level: float, delta: float) -> float:
    """Return the smallest epsilon >= 0 with laplace_delta(LEVEL, epsilon) <= DELTA: max(0, eps0 + 2 log(1 - delta)).

    **Never below the true value** (raised by a few units in the last place of LEVEL); 0 at delta 1.
    """
    if delta == 0.0:
        return level
    if delta >= 1.0:
        return 0.0
    exact = level + 2.0 * math.log1p(-delta)
    return max(0.0, min(level, exact + 4 * UNIT * level))


def _geometric_split(level: float, shift: float, epsilon: float) -> int:
    """Return m, the number of outputs from the truth on that lose more than EPSILON: loss(k) = u (D - 2k) > epsilon for
    k < m.

    The ceiling of (D - epsilon/u)/2, u = eps0/D, is taken in rationals: numbers count as the decimals they are written
    as.
    """
    exact = decimal(shift)
    return math.ceil((exact - exact * decimal(epsilon) / decimal(level)) / 2)


def geometric_exceedance(level: float, shift: float, epsilon: float) -> float:
    """Return P(loss > epsilon) of a geometric release with rate eps0/D (LEVEL eps0, whole SHIFT D); exact, strict."""
    if epsilon >= level:
        return 0.0
    if epsilon < -level:
        return 1.0
    if math.isinf(level):
        return 1.0
    m, rate = _geometric_split(level, shift, epsilon), level / shift
    below = math.exp(-rate * max(m, 1 - m) - math.log1p(math.exp(-rate)))
    return 1.0 - below if m >= 1 else below  # P(K <= m-1): 1 - a^m/(1+a), or a^(1-m)/(1+a)


def geometric_delta(level: float, shift: float, epsilon: float) -> float:
    """Return delta(epsilon) of a geometric release with rate eps0/D (LEVEL eps0, whole SHIFT D), epsilon >= 0.

    1 - a^m/(1+a) - e^eps a^(D-m+1)/(1+a) with m outputs above epsilon, written as a sum of positive terms: 1e-15
    relative.
    """
    if epsilon >= level:
        return 0.0
    if math.isinf(level):
        return 1.0
    m, rate = _geometric_split(level, shift, epsilon), level / shift
    scale = 1.0 + math.exp(-rate)
    if m == 1:
        return -math.expm1(epsilon - level) / scale
    rest = (level - epsilon) - rate * m  # u (D - m) - epsilon >= 0
    return (-math.expm1(-rate * m) - math.exp(-rate) * math.expm1(-max(0.0, rest))) / scale


def gaussian_exceedance(mu: float, epsilon: float) -> float:
    """Return P(loss > epsilon) = Phi(mu/2 - epsilon/mu) of a Gaussian release, mu = shift/sd in [0, inf)."""
    if mu == 0.0:
        return 1.0 if epsilon < 0.0 else 0.0
    return normal_cdf(mu / 2 - epsilon / mu)


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Return delta(epsilon) = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu), mu = shift/sd in [0, inf),
    epsilon >= 0.

    Error: 1e-13 relative (5e-13 below 1e-200); 0 where it is below 1e-330.
    """
    if mu == 0.0 or math.isinf(epsilon):
        return 0.0
    return gaussian_delta_at(mu, mu / 2 - epsilon / mu)[0]


def gaussian_epsilon(mu: float, delta: float) -> float:
    """Return the smallest epsilon >= 0 with gaussian_delta(mu, epsilon) <= DELTA; inf where delta is 0 and mu is not.

    **Never below the true value**, and at most 1e-12 (absolute or relative) above it.
    """
    if mu == 0.0 or delta >= 1.0:
        return 0.0
    if delta == 0.0 or math.isinf(mu):
        return math.inf
    high = up(mu) * (mu / 2 + 39.0)  # there the first term alone is below the smallest positive float
    return smallest(lambda epsilon: _gaussian_holds(mu, epsilon, delta), 0.0, high)


def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return the largest mu = shift/sd with gaussian_delta(mu, epsilon) <= DELTA; 0 where no finite noise suffices.

    **Never above the true value** (so the noise is never too small), and at most 1e-12 relative below it.
    """
    if delta == 0.0:
        return 0.0
    if delta >= 1.0 or math.isinf(epsilon):
        return math.inf
    # from mu/2 - epsilon/mu = 9 on delta is 1 to the last place, so the true mu lies below this one
    high = 2.0 * (9.0 + math.sqrt(81.0 + 2.0 * epsilon))
    return largest(lambda mu: _gaussian_holds(mu, epsilon, delta), 0.0, high)


def _gaussian_holds(mu: float, epsilon: float, delta: float) -> bool:
    """Return whether gaussian_delta(mu, epsilon) <= DELTA for sure: every rounding error is counted against it."""
    first = mu / 2 - epsilon / mu
    reached, missed = gaussian_delta_at(mu, first + 4 * UNIT * (mu / 2 + epsilon / mu))
    slack = gaussian_error(min(abs(first), FARTHEST))
    if delta < 0.5:
        return reached * (1.0 + slack) <= delta
    return missed * (1.0 - slack) >= 1.0 - delta
