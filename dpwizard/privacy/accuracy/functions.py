"""The accuracy of a release: error, noise interval, exact release and threshold switch, and the least epsilon.

Accuracy is that of one number of one repetition; u = epsilon/sensitivity and a = e^-u for geometric and Laplace noise
(Kazan & Reiter 2024, Definition 1 and Section 5). **A least epsilon is never below the true one.** Proofs:
docs/methods/accuracy.md.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Count, Epsilon, NonNegative, Number, Positive, Probability, Value, Whole, field, public
from dpwizard.privacy.accuracy.number_noise import Interval, NumberNoise, Unbounded, delta_of, noise_with
from dpwizard.privacy.accuracy.statistics import Cells, Switch, least_budget
from dpwizard.privacy.accuracy.sum_noise import Summands, beyond_precisely, is_too_wide
from dpwizard.privacy.mechanisms import GEOMETRIC, MechanismName, NoiseName, mechanism_named, noise_named

Side = Literal["above", "below", "worst"]


class Noise(Value):
    """The error of one released number."""

    sd: Unbounded = field("Standard deviation (root mean squared error)", default=...)
    variance: Unbounded = field("Variance", default=...)
    mae: Unbounded = field("Mean absolute error", default=...)
    exact_probability: float = field("Probability that the exact value is released", default=...)


class SwitchRate(Value):
    """Probabilities of a released rate falling on the other side of its target, at a deviation on either side."""

    threshold_count: int = field("Largest count that meets the target", default=...)
    true_count_above: int = field("True count above the target", default=...)
    true_count_below: int = field("True count below the target", default=...)
    above: float = field("Probability that a count above is released as meeting the target", default=...)
    below: float = field("Probability that a count below is released as missing the target", default=...)


class Term(Value):
    """Numbers of a sum that have the same noise."""

    mechanism: NoiseName = field("Noise", default=...)
    epsilon: Epsilon | None = field("Budget of geometric and Laplace noise")
    rho: Epsilon | None = field("Budget of Gaussian noise")
    sensitivity: Positive = field("Sensitivity", default=1.0)
    cells: Cells = field("How many numbers", default=1)


Terms = Annotated[tuple[Term, ...], Field(min_length=1, max_length=2_000)]


@dataclass(frozen=True, kw_only=True)
class Target:
    """A target for a rate, and the assumed distance of the true rate from it on either side."""

    target: float
    per: float
    records: float
    deviation: float

    @cached_property
    def counts(self) -> tuple[int, int, int]:
        """Return the threshold and the true counts above and below, in [0, records]; in rationals 0.29 * 100 is 29."""
        per_unit, half = decimal(self.records) / decimal(self.per), Fraction(1, 2)
        threshold = math.floor(per_unit * decimal(self.target))
        above = math.floor(per_unit * (decimal(self.target) + decimal(self.deviation)) + half)
        below = math.floor(per_unit * (decimal(self.target) - decimal(self.deviation)) + half)
        above, below = min(above, math.floor(decimal(self.records))), max(below, 0)
        return threshold, max(above, threshold + 1), min(below, threshold)

    def steps(self, side: Side) -> int:
        """Return the change in whole steps that moves the true count across the target, on SIDE."""
        threshold, above, below = self.counts
        steps = {"above": above - threshold, "below": threshold - below + 1}
        return min(steps.values()) if side == "worst" else steps[side]

    def rate(self, noise: NumberNoise) -> SwitchRate:
        """Return the probabilities that NOISE moves the rate across the target, on either side."""
        threshold, above, below = self.counts
        return SwitchRate(
            threshold_count=threshold,
            true_count_above=above,
            true_count_below=below,
            above=noise.reaching(Fraction(self.steps("above"))),
            below=noise.reaching(Fraction(self.steps("below"))),
        )


@public
def noise(
    *,
    mechanism: MechanismName,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    delta: Probability | None = None,
) -> Noise:
    """Return the error of one number released with EPSILON.

    Arguments: mechanism, geometric | laplace | gaussian | discrete_gaussian | exact; epsilon in [0, inf] (not needed
    for exact); sensitivity > 0 in units of the statistic (L1; L2 for the Gaussians); delta in [0, 1], needed by the
    Gaussians, whose epsilon is exact for gaussian and by zCDP for discrete_gaussian. Returns sd (= RMSE, the noise has
    mean 0), variance and mae in units of the statistic (inf where no finite noise suffices: epsilon 0, or gaussian
    with delta 0) and exact_probability. Error: 1e-14 relative; for gaussian at most 1e-12 relative, **never below the
    true standard deviation**. Raises InvalidInput if epsilon or delta is missing where it is needed. Source: Kazan &
    Reiter 2024, Definition 1 and Table 1; Balle & Wang 2018 for gaussian.
    """
    added = _noise_of_release(mechanism, epsilon, sensitivity, delta)
    sd = added.sd
    return Noise(sd=sd, variance=sd * sd, mae=added.mean_absolute, exact_probability=added.exact_mass)


@public
def noise_interval(
    *,
    mechanism: MechanismName,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    level: Probability,
    delta: Probability | None = None,
) -> Interval:
    """Return the smallest half-width with P(|noise| <= half_width) >= LEVEL, and that probability.

    Arguments: as for noise; level in [0, 1]. Returns half_width in units of the statistic, a whole number for
    geometric, inf where no finite one suffices (level 1, or epsilon 0), and coverage, which exceeds LEVEL only for
    geometric. The whole number is decided exactly: the numbers count as the decimals they are written as. Error: 1e-14
    relative; for gaussian 1e-12 and **never below the true half-width**. Raises InvalidInput if epsilon or delta is
    missing where it is needed. Source: Kazan & Reiter 2024, Definition 1: P(|K| <= h) = 1 - 2 a^(h+1)/(1+a).
    """
    return _noise_of_release(mechanism, epsilon, sensitivity, delta).interval(level)


@public
def noise_cdf(
    *,
    mechanism: MechanismName,
    epsilon: Epsilon | None = None,
    sensitivity: Positive = 1.0,
    x: Number,
    delta: Probability | None = None,
) -> float:
    """Return P(noise <= x) of one number released with EPSILON.

    Arguments: as for noise; x, any finite number in units of the statistic. Returns a probability, 1e-14 relative in
    the lower tail (times the exponent there), 1e-16 absolute elsewhere; with no noise a step at 0, with unbounded noise
    its limit 1/2. Raises InvalidInput if epsilon or delta is missing where it is needed. Source: Kazan & Reiter 2024,
    Definition 1: P(K <= k) = a^-k/(1+a) for k < 0 and 1 - a^(k+1)/(1+a) from 0 on.
    """
    added = _noise_of_release(mechanism, epsilon, sensitivity, delta)
    return added.noise.cdf(added.scale, x)


@public
def switch_probability(*, epsilon: Epsilon, threshold_count: Whole, true_count: Whole) -> float:
    """Return the probability that a released count crosses its threshold (geometric noise, sensitivity 1).

    Arguments: epsilon in [0, inf]; threshold_count, the largest count that meets the target; true_count, the count
    supposed to be true, never a confidential one; both whole and >= 0. Returns a^k/(1+a) with a = e^-epsilon and k the
    steps to the other side (true - threshold above it, threshold - true + 1 up to it): 1/2 or less, 1e-15 relative
    (times the exponent). Raises InvalidInput. Source: Kazan & Reiter 2024, Example 3 and Figure 2.
    """
    above = true_count > threshold_count
    steps = true_count - threshold_count if above else threshold_count - true_count + 1
    return _noise_on_count(epsilon).reaching(Fraction(steps))


@public
def switch_rate(
    *, epsilon: Epsilon, target: NonNegative, per: Positive, records: Positive, deviation: NonNegative
) -> SwitchRate:
    """Return the probability that a released rate is on the other side of its target, DEVIATION from the true one.

    Arguments: epsilon in [0, inf]; target and deviation >= 0, events for each PER records (both > 0), as in
    "6.0 deaths for each 1,000 births"; every number counts as the decimal it is written as. Returns threshold_count =
    floor(records target/per); the true counts records (target +- deviation)/per rounded to nearest, halves up, at
    least one above the threshold and at most the threshold below; and the two probabilities, 1e-15 relative.
    True counts lie in [0, records]: a DEVIATION beyond that means 0, or all the records. Where every count meets the
    target, the count just above the threshold stands for the side above: nothing is further from crossing than that, so
    nothing is understated. Raises InvalidInput. Source: Kazan & Reiter 2024, Example 3 and Figure 2.
    """
    return Target(target=target, per=per, records=records, deviation=deviation).rate(_noise_on_count(epsilon))


@public
def sum_within(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| <= half_width) of a sum or difference of numbers with independent noise.

    Arguments: terms, each with mechanism geometric | laplace (epsilon in [0, inf]) or gaussian | discrete_gaussian (rho
    in [0, inf]), sensitivity > 0 and cells, how many numbers have this noise; half_width >= 0. Whole and continuous
    noise do not mix, and Laplace noise has one scale. Returns a probability, exact to 1e-12. Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    return 1.0 - sum_beyond(terms=terms, half_width=half_width)


@public
def sum_beyond(*, terms: Terms, half_width: NonNegative) -> float:
    """Return P(|noise of the sum| > half_width) of a sum or difference of numbers with independent noise.

    Arguments: as of sum_within. Returns a probability, to a relative 1e-10 however small it is; below it to an absolute
    1e-12 if more than four million points are needed. Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    mechanisms = {term.mechanism for term in terms}
    if len(mechanisms) > 1 and not all(noise_named(mechanism).integer_valued for mechanism in mechanisms):
        raise InvalidInput(
            "mix the types of noise {kinds}",
            "terms",
            "Add up whole noise with whole noise, or noise of one kind.",
            kinds=", ".join(sorted(mechanisms)),
        )
    summands: Summands = Counter()
    for at, term in enumerate(terms):
        added = noise_with(term.mechanism, term.epsilon, term.rho, term.sensitivity, f"terms[{at}].")
        summands[noise_named(term.mechanism), added.scale] += term.cells
    if is_too_wide(summands):
        raise InvalidInput(
            "have noise too wide to add up exactly", "terms", "Raise the budget, or state fewer numbers."
        )
    return beyond_precisely(summands, decimal(half_width))


@public
def epsilon_for_switch(*, probability: Probability, steps: Count) -> float:
    """Return the least epsilon whose noise moves a count STEPS or more in one direction with at most PROBABILITY.

    Arguments: probability in [0, 1]; steps, a whole number >= 1. Returns epsilon with a^steps/(1+a) = probability, a =
    e^-epsilon, **never below the true one** and at most 1e-12 relative above it; 0 from probability 1/2 on, inf at
    probability 0. Raises InvalidInput. Source: Kazan & Reiter 2024, Example 3.
    """
    return least_budget(Switch(at_most=probability, steps=steps), GEOMETRIC, 1.0)


def _noise_of_release(
    mechanism: MechanismName, epsilon: float | None, sensitivity: float, delta: float | None
) -> NumberNoise:
    noise = mechanism_named(mechanism).noise
    if noise is None:
        return NumberNoise(noise=GEOMETRIC, scale=0.0)  # none
    with_delta = delta_of(noise, delta)
    if epsilon is None:
        raise InvalidInput("is missing", "epsilon", "Give the epsilon of the {mechanism} release.", mechanism=mechanism)
    scale = noise.scale(epsilon, sensitivity, with_delta)
    return NumberNoise(noise=noise, scale=scale, budget=epsilon, sensitivity=sensitivity)


def _noise_on_count(epsilon: float) -> NumberNoise:
    return NumberNoise(noise=GEOMETRIC, scale=GEOMETRIC.scale(epsilon, 1.0), budget=epsilon, sensitivity=1.0)
