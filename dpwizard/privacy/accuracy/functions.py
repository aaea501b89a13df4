"""How accurate a release is: error, noise interval, exact release and threshold switch, and the epsilon each needs.

Accuracy speaks of one number of one repetition. For geometric and Laplace noise everything depends on the
rate u = epsilon/sensitivity, with a = e^-u (Kazan & Reiter 2024, Definition 1 and Section 5); Gaussian noise
goes through the exact calibration of its standard deviation at the given delta. The proofs stand in
docs/methods/accuracy.md. **A needed epsilon is never below the true need.**
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.errors import InvalidInput
from dpwizard.numerics import decimal, up
from dpwizard.privacy.mechanisms import (
    MechanismKind,
    NoiseKind,
    cdf,
    exact_mass,
    mean_absolute,
    noise_scale,
    scale_epsilon,
    standard_deviation,
)
from dpwizard.values import Count, Epsilon, NonNegative, Number, Positive, Probability, Value, Whole, field, public

__all__ = [
    "epsilon_for_exact_probability",
    "epsilon_for_interval",
    "epsilon_for_mean_absolute_error",
    "epsilon_for_rmse",
    "epsilon_for_switch",
    "epsilon_for_switch_rate",
    "noise",
    "noise_cdf",
    "noise_interval",
    "switch_probability",
    "switch_rate",
]

Side = Literal["above", "below", "worst"]
Unbounded = Annotated[float, Field(allow_inf_nan=True)]  # a result that may be infinite, written null

NEWTON_STEPS = 60  # Newton's method on a convex function; 4 to 6 are used
EXACT_DIGITS = 60  # of the decimal arithmetic that decides a whole-number half-width at an edge
EDGE = 1e-13  # relative distance from a whole number within which it is used
LARGEST_WHOLE = (
    1e13  # from here on a half-width is not rounded to a whole number: they differ by less than 1e-13 relative
)
MOST_STEPS = 10**300  # counts of steps are whole numbers of any size; beyond this they act alike
ULPS = 8  # how far a closed form is raised so that its rounding never makes a need too small


class Noise(Value):
    """The error of one released number."""

    sd: Unbounded = field("Standard deviation (root mean squared error)", default=...)
    variance: Unbounded = field("Variance", default=...)
    mae: Unbounded = field("Mean absolute error", default=...)
    exact_probability: float = field("Probability that the exact value is released", default=...)


class Interval(Value):
    """An interval around the truth that holds the released number with a given probability."""

    half_width: Unbounded = field("Half-width", default=...)
    coverage: float = field("Probability of lying within it", default=...)


class SwitchRate(Value):
    """Probabilities of a released rate falling on the other side of its target, at a deviation on either side."""

    threshold_count: int = field("Largest count that meets the target", default=...)
    true_count_above: int = field("True count above the target", default=...)
    true_count_below: int = field("True count below the target", default=...)
    above: float = field("Probability that a count above is released as meeting the target", default=...)
    below: float = field("Probability that a count below is released as missing the target", default=...)


class SwitchNeed(Value):
    """The epsilon a bound on the switch probability needs, and the side of the target that needs it."""

    epsilon: Unbounded = field("Smallest epsilon", default=...)
    side: Literal["above", "below", "both"] = field("Side that binds", default=...)
    steps: int = field("Steps of noise that switch the count on that side", default=...)
    threshold_count: int = field("Largest count that meets the target", default=...)
    true_count: int = field("True count on that side", default=...)


# -------------------------------------------------------------------------------- what an epsilon gives


@public
def noise(
    *,
    mechanism: MechanismKind,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    delta: Probability | None = None,
) -> Noise:
    """Return the error of one number released with EPSILON.

    Arguments: mechanism, geometric | laplace | gaussian | exact; epsilon in [0, inf] (not needed for exact);
    sensitivity > 0 in units of the statistic (L1; L2 for gaussian); delta in [0, 1], needed by gaussian.
    Returns sd (= RMSE, the noise has mean 0), variance and mae in units of the statistic (inf where no finite noise
    suffices: epsilon 0, or gaussian with delta 0) and exact_probability. Error: 1e-14 relative; for gaussian at
    most 1e-12 relative, **never below the true standard deviation**.
    Raises InvalidInput if epsilon or delta is missing where it is needed.
    Source: Kazan & Reiter 2024, Definition 1 and Table 1; Balle & Wang 2018 for gaussian.
    """
    kind, scale = _scale(mechanism, epsilon, sensitivity, delta)
    sd = standard_deviation(kind, scale)
    return Noise(sd=sd, variance=sd * sd, mae=mean_absolute(kind, scale), exact_probability=exact_mass(kind, scale))


@public
def noise_interval(
    *,
    mechanism: MechanismKind,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    level: Probability,
    delta: Probability | None = None,
) -> Interval:
    """Return the smallest half-width with P(|noise| <= half_width) >= LEVEL, and that probability.

    Arguments: as for noise; level in [0, 1]. Returns half_width in units of the statistic, a whole number for
    geometric, inf where no finite one suffices (level 1, or epsilon 0), and coverage, which exceeds LEVEL only
    for geometric. The whole number is decided exactly: the numbers count as the decimals they are written as.
    Error: 1e-14 relative; for gaussian 1e-12 and **never below the true half-width**.
    Raises InvalidInput if epsilon or delta is missing where it is needed.
    Source: Kazan & Reiter 2024, Definition 1: P(|K| <= h) = 1 - 2 a^(h+1)/(1+a).
    """
    kind, scale = _scale(mechanism, epsilon, sensitivity, delta)
    if scale == 0.0:
        return Interval(half_width=0.0, coverage=1.0)
    if level == 0.0:
        return Interval(half_width=0.0, coverage=exact_mass(kind, scale))
    if level == 1.0 or math.isinf(scale):
        return Interval(half_width=math.inf, coverage=1.0)
    if kind == "geometric":
        assert epsilon is not None
        return _whole_interval(epsilon, sensitivity, level)
    return Interval(half_width=scale * _standard_half_width(kind, level), coverage=level)


@public
def noise_cdf(
    *,
    mechanism: MechanismKind,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    x: Number,
    delta: Probability | None = None,
) -> float:
    """Return P(noise <= x) of one number released with EPSILON.

    Arguments: as for noise; x, any finite number in units of the statistic. Returns a probability, 1e-14 relative in
    the lower tail (times the exponent there), 1e-16 absolute elsewhere; with no noise a step at 0, with unbounded
    noise its limit 1/2. Raises InvalidInput if epsilon or delta is missing where it is needed.
    Source: Kazan & Reiter 2024, Definition 1: P(K <= k) = a^-k/(1+a) for k < 0 and 1 - a^(k+1)/(1+a) from 0 on.
    """
    kind, scale = _scale(mechanism, epsilon, sensitivity, delta)
    return cdf(kind, scale, x)


@public
def switch_probability(*, epsilon: Epsilon, threshold_count: Whole, true_count: Whole) -> float:
    """Return the probability that a released count falls on the other side of its threshold (geometric noise,
    sensitivity 1).

    Arguments: epsilon in [0, inf]; threshold_count, the largest count that meets the target; true_count, the count
    supposed to be true, never a confidential one; both whole and >= 0. Returns a^k/(1+a) with a = e^-epsilon and k the
    steps to the other side (true - threshold above it, threshold - true + 1 up to it): 1/2 or less, 1e-15 relative
    (times the exponent). Raises InvalidInput.
    Source: Kazan & Reiter 2024, Example 3 and Figure 2.
    """
    return _switch(epsilon, _steps(threshold_count, true_count))


@public
def switch_rate(
    *, epsilon: Epsilon, target: NonNegative, per: Positive, records: Positive, deviation: NonNegative
) -> SwitchRate:
    """Return how likely a released rate switches sides, if the true rate lies DEVIATION above or below its target.

    Arguments: epsilon in [0, inf]; target and deviation >= 0, events for each PER records (both > 0), as in
    "6.0 deaths for each 1,000 births"; every number counts as the decimal it is written as. Returns threshold_count =
    floor(records target/per); the true counts records (target +- deviation)/per rounded to nearest, halves up, at
    least one above the threshold and at most the threshold below; and the two probabilities, 1e-15 relative.
    True counts lie in [0, records]: a DEVIATION beyond that means 0, or all the records. Where every count meets the
    target, the count just above the threshold stands for the side above: nothing is further from crossing than that, so
    nothing is understated. Raises InvalidInput. Source: Kazan & Reiter 2024, Example 3 and Figure 2.
    """
    threshold, above, below = _counts(target, per, records, deviation)
    return SwitchRate(
        threshold_count=threshold,
        true_count_above=above,
        true_count_below=below,
        above=_switch(epsilon, _steps(threshold, above)),
        below=_switch(epsilon, _steps(threshold, below)),
    )


# -------------------------------------------------------------------------- the epsilon a requirement needs


@public
def epsilon_for_interval(
    *,
    mechanism: MechanismKind,
    sensitivity: Positive = 1.0,
    half_width: NonNegative,
    level: Probability,
    delta: Probability | None = None,
) -> float:
    """Return the smallest epsilon with P(|noise| <= HALF_WIDTH) >= LEVEL.

    Arguments: mechanism, geometric | laplace | gaussian | exact; sensitivity > 0; half_width >= 0 in units of the
    statistic (geometric uses its floor); level in [0, 1]; delta in [0, 1], needed by gaussian. Returns epsilon >= 0,
    **never below the true need** and at most 1e-12 relative above it; inf where only a release without noise will do,
    0 for exact, which has none at any epsilon.
    Raises InvalidInput if delta is missing for gaussian. Source: Kazan & Reiter 2024, Definition 1; Balle & Wang 2018.
    """
    if mechanism == "exact":
        return 0.0
    _check_delta(mechanism, delta)
    if level == 0.0:
        return 0.0
    if level == 1.0:
        return math.inf
    if mechanism == "geometric":
        return _need(sensitivity, _rate_for(math.floor(half_width), -math.log1p(-level)))
    if half_width == 0.0:
        return math.inf
    return _need_from_scale(mechanism, half_width / _standard_half_width(mechanism, level), sensitivity, delta)


@public
def epsilon_for_rmse(
    *, mechanism: NoiseKind, sensitivity: Positive = 1.0, at_most: NonNegative, delta: Probability | None = None
) -> float:
    """Return the smallest epsilon whose noise has a root mean squared error of AT_MOST.

    Arguments: mechanism, geometric | laplace | gaussian; sensitivity > 0; at_most >= 0 in units of the statistic; delta
    in [0, 1], needed by gaussian. Returns epsilon >= 0, **never below the true need** and at most 1e-12 relative above
    it; inf where only a release without noise will do (at_most 0). Raises InvalidInput if delta is missing for
    gaussian. Source: Kazan & Reiter 2024, Section 2.1; Balle & Wang 2018.
    """
    _check_delta(mechanism, delta)
    if at_most == 0.0:
        return math.inf
    if mechanism == "geometric":  # sd = 1/(sqrt 2 sinh(u/2))
        return _need(sensitivity, 2.0 * _asinh_of_inverse(math.sqrt(2.0) * at_most))
    return _need_from_scale(mechanism, at_most / standard_deviation(mechanism, 1.0), sensitivity, delta)


@public
def epsilon_for_mean_absolute_error(
    *, mechanism: NoiseKind, sensitivity: Positive = 1.0, at_most: NonNegative, delta: Probability | None = None
) -> float:
    """Return the smallest epsilon whose noise has a mean absolute error of AT_MOST.

    Arguments, result and errors: as for epsilon_for_rmse; **never below the true need**, at most 1e-12 relative above
    it. Raises InvalidInput. Source: Dandekar, Basu & Bressan 2021, (12) for laplace; Kazan & Reiter 2024, Definition 1
    for geometric.
    """
    _check_delta(mechanism, delta)
    if at_most == 0.0:
        return math.inf
    if mechanism == "geometric":  # mean absolute error 2a/(1-a^2) = 1/sinh(u)
        return _need(sensitivity, _asinh_of_inverse(at_most))
    return _need_from_scale(mechanism, at_most / mean_absolute(mechanism, 1.0), sensitivity, delta)


@public
def epsilon_for_exact_probability(
    *, mechanism: NoiseKind, sensitivity: Positive = 1.0, at_least: Probability, delta: Probability | None = None
) -> float:
    """Return the smallest epsilon at which the exact value is released with a probability of AT_LEAST.

    Arguments: mechanism, geometric | laplace | gaussian; sensitivity > 0; at_least in [0, 1]; delta is not used.
    Returns epsilon >= 0, **never below the true need** and at most 1e-12 relative above it; inf where only a release
    without noise will do: at_least 1, or any at_least > 0 under continuous noise (laplace, gaussian). Raises
    InvalidInput. Source: Kazan & Reiter 2024, Table 1: (1-a)/(1+a).
    """
    if at_least == 0.0:
        return 0.0
    if at_least == 1.0 or mechanism != "geometric":
        return math.inf
    return _need(sensitivity, math.log1p(at_least) - math.log1p(-at_least))  # (1-a)/(1+a) = tanh(u/2)


@public
def epsilon_for_switch(*, probability: Probability, steps: Count) -> float:
    """Return the smallest epsilon with which noise moves a count by STEPS or more in one direction with at most
    PROBABILITY.

    Arguments: probability in [0, 1]; steps, a whole number >= 1. Returns epsilon with a^steps/(1+a) = probability,
    a = e^-epsilon, **never below the true need** and at most 1e-12 relative above it; 0 from probability 1/2 on,
    inf at probability 0. Raises InvalidInput.
    Source: Kazan & Reiter 2024, Example 3.
    """
    return _switch_need(probability, steps)


@public
def epsilon_for_switch_rate(
    *,
    target: NonNegative,
    per: Positive,
    records: Positive,
    deviation: NonNegative,
    side: Side = "worst",
    at_most: Probability,
) -> SwitchNeed:
    """Return the smallest epsilon that keeps the probability of switching sides, as in switch_rate, to AT_MOST.

    Arguments: as for switch_rate; side, above | below | worst (both sides must hold); at_most in [0, 1]. Returns the
    epsilon, **never below the true need** and at most 1e-12 relative above it (0 from at_most 1/2 on, inf at 0), and
    the side that binds: the one with fewer steps, "both" where they are equal. Raises InvalidInput. Source: Kazan &
    Reiter 2024, Example 3 and Figure 2.
    """
    threshold, above, below = _counts(target, per, records, deviation)
    counts = {"above": above, "below": below}
    wanted = ("above", "below") if side == "worst" else (side,)
    steps = {name: _steps(threshold, counts[name]) for name in wanted}
    fewest = min(steps.values())
    binding = [name for name in wanted if steps[name] == fewest]
    return SwitchNeed(
        epsilon=_switch_need(at_most, fewest),
        side="both" if len(binding) == 2 else "above" if binding[0] == "above" else "below",
        steps=fewest,
        threshold_count=threshold,
        true_count=counts[binding[0]],
    )


# ------------------------------------------------------------------------------------------------ inside


def _scale(
    mechanism: MechanismKind, epsilon: float | None, sensitivity: float, delta: float | None
) -> tuple[NoiseKind, float]:
    """Return the kind of noise and its scale; exact is noise of scale 0."""
    if mechanism == "exact":
        return "geometric", 0.0
    _check_delta(mechanism, delta)
    if epsilon is None:
        raise InvalidInput("is missing", "epsilon", f"Give the epsilon of the {mechanism} release.")
    return mechanism, noise_scale(mechanism, epsilon, sensitivity, delta or 0.0)


def _check_delta(mechanism: NoiseKind, delta: float | None) -> None:
    if mechanism == "gaussian" and delta is None:
        raise InvalidInput(
            "is missing", "delta", "Gaussian noise has an epsilon only together with a delta, for instance 1e-6."
        )


def _need(sensitivity: float, rate: float) -> float:
    """Return the needed epsilon of a noise rate, raised by more than the rounding of its closed form."""
    return up(rate * sensitivity, ULPS)


def _need_from_scale(mechanism: NoiseKind, scale: float, sensitivity: float, delta: float | None) -> float:
    """Return the smallest epsilon whose noise is no larger than SCALE."""
    return up(scale_epsilon(mechanism, scale * (1.0 - 1e-15), sensitivity, delta or 0.0), ULPS)


def _standard_half_width(kind: NoiseKind, level: float) -> float:
    """Return h with P(|noise| <= h) = LEVEL in (0, 1) for Laplace or Gaussian noise of scale 1, to 1e-15 relative."""
    if kind == "laplace":
        return -math.log1p(-level)
    from scipy.special import erfinv, ndtri  # 0.1 s to import: only when it is needed

    return float(math.sqrt(2.0) * erfinv(level) if level < 0.5 else -ndtri((1.0 - level) / 2))


def _asinh_of_inverse(x: float) -> float:
    """Return asinh(1/x) for x > 0 without overflow."""
    return math.asinh(1.0 / x) if x > 1.0 else math.log1p(math.hypot(1.0, x)) - math.log(x)


def _rate_for(whole: int, target: float) -> float:
    """Return u >= 0 with whole u + log((1 + e^u)/2) = TARGET >= 0: 2 a^(whole+1)/(1+a) = e^-target, a = e^-u.

    The left side is convex and at least (whole + 1/2) u, so Newton's method started at target/(whole + 1/2)
    comes down to the root and never crosses it but by rounding.
    """
    u = target / (whole + 0.5)
    for _ in range(NEWTON_STEPS):
        value = whole * u + (math.log1p(math.expm1(u) / 2) if u < 1.0 else u - math.log(2.0) + math.log1p(math.exp(-u)))
        step = (value - target) / (whole + 1.0 / (1.0 + math.exp(-u)))
        u -= step
        if step <= 1e-16 * u:
            break
    return u


def _whole_interval(epsilon: float, sensitivity: float, level: float) -> Interval:
    """Return the smallest whole h with 1 - 2 a^(h+1)/(1+a) >= LEVEL in (0, 1), and that probability."""
    rate = epsilon / sensitivity
    half = math.log1p(math.expm1(-rate) / 2)  # log((1 + a)/2)
    needed = -(math.log1p(-level) + half) / rate  # the condition is (h + 1) u >= needed u
    if needed >= LARGEST_WHOLE:
        return Interval(half_width=needed, coverage=level if math.isfinite(needed) else 1.0)
    h, nearest = max(math.ceil(needed), 1) - 1, round(needed)
    if abs(needed - nearest) <= EDGE * max(1.0, nearest):
        h = max(nearest if _falls_short(epsilon, sensitivity, level, nearest) else nearest - 1, 0)
    return Interval(half_width=float(h), coverage=-math.expm1(-(h + 1) * rate - half))  # 1 - 2 a^(h+1)/(1+a)


def _falls_short(epsilon: float, sensitivity: float, level: float, steps: int) -> bool:
    """Return whether 1 - 2 a^steps/(1+a) < LEVEL, in decimal arithmetic: never a tie, since e^u is irrational for
    rational u."""
    context = Context(prec=EXACT_DIGITS)
    rate = context.divide(Decimal(repr(epsilon)), Decimal(repr(sensitivity)))
    powers = [context.exp(context.multiply(context.minus(rate), Decimal(count))) for count in (1, steps)]
    outside = context.divide(context.multiply(Decimal(2), powers[1]), context.add(Decimal(1), powers[0]))
    return context.subtract(Decimal(1), outside) < Decimal(repr(level))


def _steps(threshold: int, true: int) -> int:
    """Return by how many steps noise must move the TRUE count to bring it to the other side of THRESHOLD."""
    return true - threshold if true > threshold else threshold - true + 1


def _switch(epsilon: float, steps: int) -> float:
    """Return P(K >= steps) = a^steps/(1+a) for geometric noise K, a = e^-epsilon."""
    return math.exp(-min(steps, MOST_STEPS) * epsilon - math.log1p(math.exp(-epsilon)))


def _switch_need(probability: float, steps: int) -> float:
    """Return the smallest epsilon with a^steps/(1+a) <= PROBABILITY, a = e^-epsilon, on the safe side."""
    if probability >= 0.5:
        return 0.0
    if probability == 0.0:
        return math.inf
    twice = math.log(2.0 * probability) if probability < 0.25 else math.log1p(2.0 * probability - 1.0)
    return _need(1.0, _rate_for(min(steps, MOST_STEPS) - 1, -twice))


def _counts(target: float, per: float, records: float, deviation: float) -> tuple[int, int, int]:
    """Return the threshold and the true counts above and below, within [0, records], in rationals: 0.29 * 100 is 29."""
    per_unit = decimal(records) / decimal(per)
    threshold = math.floor(per_unit * decimal(target))
    above = math.floor(per_unit * (decimal(target) + decimal(deviation)) + Fraction(1, 2))
    below = math.floor(per_unit * (decimal(target) - decimal(deviation)) + Fraction(1, 2))
    above, below = min(above, math.floor(decimal(records))), max(below, 0)  # there is no count beyond
    return threshold, max(above, threshold + 1), min(below, threshold)
