"""The log score for a prior over several values of the statistic.

Given the output T, the posterior of the true value over its prior is 1/F(T) with F(T) = sum_j prior_j
m(T|v_j)/m(T|truth). The gain is at most kappa if F(T) >= e^-kappa. For Laplace and geometric noise F is nondecreasing
as T moves away from the true value on either side; for Gaussian noise F is convex. So the gain exceeds kappa on one
interval around the true value, whose two ends are found exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import normal_cdf, real
from dpwizard.base.values import Loss, NonNegative, Number, Whole, public
from dpwizard.privacy.arguments import a_position, one_for_each
from dpwizard.privacy.mechanisms import TIE, Gaussian, Geometric, Laplace, OutputTable, Stated
from dpwizard.privacy.persuasive_privacy.log_score import loss_limit

MOST_VALUES = 2_000
LARGEST_Z = 40.0  # a standard normal tail beyond this is below 1e-300

Values = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_VALUES)]
Masses = Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=MOST_VALUES)]


@public
def log_score_hold(*, mechanism: Stated, values: Values, prior: Masses, truth: Whole, kappa: Loss) -> float:
    """Return P(gain of the log score <= KAPPA) for an adversary with a prior over several values of the statistic.

    Arguments: mechanism, the noise added to the statistic (its sensitivity is not used: the values say how far apart
    they are), or a table if there are just two values; values, 1 to 2,000 numbers, whole numbers for geometric noise;
    prior, their masses, normalised here (a mass of 0 on the truth stands for the limit); truth, the position in values
    of the true one, counted from 0; kappa, the gain allowed in nats. Returns a probability with an error below 1e-9
    (1e-5 where all values lie within a thousandth of the noise); a gain equal to kappa in the last bits counts as
    within. Raises InvalidInput where lengths differ, truth is no position, no mass is positive, a value is not whole
    under geometric noise, or a table meets other than two values. Source: docs/methods/persuasive_privacy.md (monotone
    pieces of the log ratio).
    """
    one_for_each(prior, len(values), "prior")
    a_position(truth, len(values), "truth")
    heaviest = max(prior)
    if heaviest == 0.0:
        raise InvalidInput("must have a positive mass", "prior", "Give at least one value a positive mass.")
    total = math.fsum(mass / heaviest for mass in prior)
    masses = [mass / heaviest / total for mass in prior]
    mechanism.check()
    if isinstance(mechanism, OutputTable):
        return _table_hold(mechanism, masses, truth, kappa)
    if math.isinf(kappa):
        return 1.0
    if isinstance(mechanism, Geometric):
        return _geometric_hold(mechanism.rate, values, masses, truth, kappa)
    centre = values[truth]
    assert isinstance(mechanism, Laplace | Gaussian)
    unit = mechanism.scale if isinstance(mechanism, Laplace) else mechanism.sd
    others = [(mass, (value - centre) / unit) for mass, value in zip(masses, values, strict=True) if mass > 0.0]
    return _laplace_hold(others, kappa) if isinstance(mechanism, Laplace) else _gaussian_hold(others, kappa)


def _table_hold(mechanism: Stated, masses: Sequence[float], truth: int, kappa: float) -> float:
    if len(masses) != 2:
        raise InvalidInput(
            "must contain two values for a table; found {found}",
            "values",
            "A table has the rows px and pxp only.",
            found=len(masses),
        )
    epsilon, slack = loss_limit(masses[truth], kappa)
    return mechanism.split(epsilon, slack)[1]


def _gain_and_error(terms: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return -log(sum mass e^l) over TERMS (mass, l) whose masses sum to 1, and a bound on its rounding error."""
    top = max(log_ratio for _, log_ratio in terms)
    if top < 700.0:
        changes = [mass * math.expm1(log_ratio) for mass, log_ratio in terms]
        total = math.fsum(changes)
        if total > -0.5:
            return -math.log1p(total), TIE * math.fsum(map(abs, changes)) / (1.0 + total)
    logs = [math.log(mass) + log_ratio for mass, log_ratio in terms if log_ratio > -math.inf]
    if not logs:
        return math.inf, 0.0
    top = max(logs)
    value = -top - math.log(math.fsum(math.exp(log_term - top) for log_term in logs))
    return value, TIE * (1.0 + abs(value))


def _is_kept(terms: Sequence[tuple[float, float]], kappa: float) -> bool:
    value, error = _gain_and_error(terms)
    return value <= kappa + TIE * abs(kappa) + error


# -------------------------------------------------------------------------------- three kinds of noise


def _laplace_hold(values: Sequence[tuple[float, float]], kappa: float) -> float:
    """Return the mass of the noise outside the interval around the truth where the gain exceeds KAPPA.

    VALUES are (mass, distance d from the truth in units of noise). At y above the truth the log ratio of d <= y is d
    for d > 0 (and -|d| below the truth), and 2y - d for d > y: the gain never rises with y.
    """

    def reach(side: float) -> float:
        """Return the least distance above the truth at which the gain is at most KAPPA; infinite if it never is."""
        placed = [(mass, side * d) for mass, d in values]

        def holds(y: float) -> bool:
            return _is_kept([(mass, d if d <= y else 2 * y - d) for mass, d in placed], kappa)

        far = max(d for _, d in placed)
        if holds(0.0):
            return 0.0
        return _turning_point(lambda y: not holds(y), 0.0, far) if far > 0.0 and holds(far) else math.inf

    right, left = reach(1.0), reach(-1.0)
    return 1.0 if right == 0.0 or left == 0.0 else min(1.0, 0.5 * math.exp(-right) + 0.5 * math.exp(-left))


def _geometric_hold(rate: float, values: Sequence[float], masses: Sequence[float], truth: int, kappa: float) -> float:
    """Return the mass of geometric noise outside the interval around the truth where the gain exceeds KAPPA."""
    for position, value in enumerate(values):
        if not value.is_integer():
            raise InvalidInput(
                "must be a whole number under geometric noise; found {found:g}",
                f"values[{position}]",
                "Geometric noise is for counts.",
                found=value,
            )
    centre, exact = int(values[truth]), Fraction(rate)
    steps = [(mass, int(value) - centre) for mass, value in zip(masses, values, strict=True) if mass > 0.0]

    def tail(side: int) -> float:
        """Return (1 + a) times the chance of noise on one side with a gain of at most KAPPA."""
        placed = [(mass, side * step) for mass, step in steps]

        def holds(k: int) -> bool:
            return _is_kept([(mass, real(exact * (d if d <= k else 2 * k - d))) for mass, d in placed], kappa)

        low, high = -1, max(0, *(d for _, d in placed))
        if not holds(high):
            return 0.0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if holds(middle) else (middle, high)
        return math.exp(-real(exact * high))  # P(noise >= k) = a^k / (1 + a)

    right, left = tail(1), tail(-1)
    return 1.0 if 1.0 in (right, left) else min(1.0, (right + left) / (1.0 + math.exp(-rate)))


def _gaussian_hold(values: Sequence[tuple[float, float]], kappa: float) -> float:
    """Return the mass of Gaussian noise outside the interval around the truth where the gain exceeds KAPPA.

    The minimum of the convex F is found by the sign of its slope, then the two points where the gain is KAPPA.
    """

    def terms(y: float) -> list[tuple[float, float]]:
        return [(mass, d * (y - d / 2) if d else 0.0) for mass, d in values]

    def breaks(y: float) -> bool:
        return not _is_kept(terms(y), kappa)

    def falling(y: float) -> bool:
        log_terms = terms(y)
        top = max(log_ratio for _, log_ratio in log_terms)
        scale = max(min(abs(d), 1e300) for _, d in values) or 1.0
        pulls = (
            m * math.exp(t - top) * (max(-1e300, min(1e300, d)) / scale)
            for (m, t), (_, d) in zip(log_terms, values, strict=True)
        )
        return math.fsum(pulls) < 0.0

    bottom = _turning_point(falling, -LARGEST_Z, LARGEST_Z)
    if not breaks(bottom):
        return 1.0
    right = _turning_point(breaks, bottom, LARGEST_Z)
    left = -_turning_point(lambda y: breaks(-y), -bottom, LARGEST_Z)
    return min(1.0, normal_cdf(left) + normal_cdf(-right))


def _turning_point(is_left: Callable[[float], bool], low: float, high: float) -> float:
    """Return where LEFT changes from true to false in [LOW, HIGH], to the last bit; HIGH if it never does."""
    for _ in range(120):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if is_left(middle) else (low, middle)
    return high
