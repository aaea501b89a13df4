"""Pankova & Laud 2022: how much better an attacker guesses an attribute after a release than before it.

Epsilon is the loss *per precision*: the mechanism is (epsilon d)-private for d(x, x') = |x - x'| / precision, and a
guess is correct within one precision of the truth. The attacker knows all other records, or records are independent.
``exact`` is the supremum over all such mechanisms; ``main``, ``farthest`` and ``simplified`` are proved upper bounds
(lower ones for the drop); the two ``published_*`` formulas are refuted and must bound nothing (docs/methods).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated

import numpy as np
from pydantic import Field

from dpwizard.numerics import UNIT
from dpwizard.privacy.guessing_advantage import bounds, certified, combined, joint
from dpwizard.privacy.guessing_advantage import worst_victim as search
from dpwizard.privacy.guessing_advantage.arguments import (
    SAFE,
    Attributes,
    Combine,
    Direction,
    Directions,
    Truth,
    as_guesses,
    means,
    no_refuted,
    sheltered,
    ways,
    weight_of,
)
from dpwizard.privacy.guessing_advantage.bounds import Bound
from dpwizard.privacy.priors import Prior, answered
from dpwizard.values import Epsilon, NonNegative, Number, Positive, Probability, Value, field, public


class WorstTruth(Value):
    """The truth against which the attacker gains most, and the gain; truth null: a limit that no truth attains."""

    truth: float | None = field("Truth", default=...)
    advantage: float = field("Advantage", default=...)


class WorstEpsilon(Value):
    """The largest epsilon against every truth, the truth that binds (null: a limit, or none), and how much more that
    one allows."""

    epsilon: float | None = field("Epsilon", default=...)
    truth: float | None = field("Truth", default=...)
    gap: float = field("Gap", default=...)


# ----------------------------------------------------------------------------- one attribute


@public
@sheltered
def prior_probability(*, prior: Prior, truth: Number, precision: Positive) -> float:
    """Return the probability of a correct guess before the release.

    Arguments: prior, a distribution; truth, any number; precision > 0: correct is |x - truth| <= precision, a closed
    interval, for atoms compared as the decimals are written. Returns P in [0, 1], to 1e-14 relative. Raises
    InvalidInput. Source: Pankova & Laud 2022, "Prior and posterior probability of a correct guess".
    """
    answered(prior)
    return prior.view(truth, precision).inside


@public
@sheltered
def posterior(
    *,
    prior: Prior,
    truth: Number,
    precision: Positive,
    epsilon: Epsilon,
    bound: Bound = "exact",
    direction: Direction = "rise",
) -> float:
    """Return the bound on the probability of a correct guess after a release.

    Arguments: prior, truth, precision as in ``prior_probability``; epsilon >= 0 per precision ("inf" allowed); bound,
    "exact" (the supremum over all mechanisms: T1), "main", "farthest", "simplified", or, refuted and for comparison
    only, "published_annulus" and "published_sum"; direction, "rise" (how likely at most) or "drop" (how likely at
    least). Returns a probability to 1e-12 relative (1e-9 for published_sum). **A rise is bounded from above, a drop
    from below**; never a rise below or a drop above the prior. Raises InvalidInput. Source: Pankova & Laud 2022, "Main
    theorem" to "Guessing a single attribute"; exact: docs/methods/guessing_advantage.md.
    """
    answered(prior)
    return bounds.posterior(prior.view(truth, precision), epsilon, bound, direction)


@public
@sheltered
def epsilon_for(
    *,
    prior: Prior,
    truth: Truth,
    precision: Positive,
    advantage: Probability,
    bound: Bound = "exact",
    direction: Directions = "rise",
) -> float:
    """Return the largest epsilon per precision at which the guess gains no more than an advantage.

    Arguments: prior, precision, bound as in ``posterior``; truth, a number or "worst" (over every truth in the support;
    for the bounds exact, main and simplified); advantage in [0, 1], on posterior - prior (rise), prior - posterior
    (drop) or either ("both": the smaller epsilon). Returns epsilon, infinite where nothing exceeds the advantage
    (prior + advantage >= 1; advantage >= prior for a drop), 0 where only no release will do. **Never above the true
    limit, and within 1e-12 relative below it;** for "worst" proved over every truth in the support (and infinite only
    with a proof), at most 1e-9 below it as a rule and further where the proof is coarse: see ``worst_epsilon``. Raises
    InvalidInput; SolverFailure where no proof is at hand. Source: Pankova & Laud 2022, "Computing epsilon for a fixed
    guessing advantage"; exact: docs/methods/guessing_advantage.md.
    """
    answered(prior)
    if truth == "worst":
        no_refuted(bound)
        return min(certified.proved_loss(prior, precision, advantage, way, bound).value for way in ways(direction))
    seen = prior.view(float(truth), precision)
    return min(bounds.loss_for(seen, advantage, bound, way) for way in ways(direction))


@public
@sheltered
def worst_truth(*, prior: Prior, precision: Positive, epsilon: Epsilon, direction: Direction = "rise") -> WorstTruth:
    """Return the truth in the support against which the exact advantage is largest, and that advantage.

    Arguments: prior; precision > 0; epsilon >= 0 per precision; direction. Returns {truth, advantage}: the worst truth
    that was found, null where it is a limit (a lognormal: 1 - e^-epsilon far out), the smallest of several that tie.
    **The advantage is proved: no truth in the support gains more.** It exceeds what the truth named gains by 1e-11
    relative as a rule, and by more where the proof is coarse. Truths are the points of the support: atoms, bins that
    have mass with their ends, and the ends of the other families. Closed form for a uniform prior two precisions wide
    and every atom of a discrete one; else intervals of truths are bounded from above and split. Raises SolverFailure
    where no proof is at hand. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "The worst truth".
    """
    answered(prior)
    found = certified.proved_advantage(prior, precision, epsilon, direction)
    return WorstTruth.model_construct(truth=found.truth, advantage=found.value)


@public
@sheltered
def worst_epsilon(
    *, prior: Prior, precision: Positive, advantage: Probability, bound: Bound = "exact", direction: Directions = "rise"
) -> WorstEpsilon:
    """Return the largest epsilon per precision that keeps an advantage against every truth, and the truth that binds.

    Arguments as in ``epsilon_for``. Returns {epsilon, truth, gap}: epsilon null where it is proved that no truth ever
    gains that much, truth null where a limit binds. **Never above the true limit, over every truth in the support,**
    and at most gap below it: what the truth named allows lies that much higher. Raises InvalidInput, SolverFailure.
    Source: docs/methods/guessing_advantage.md, "The worst truth".
    """
    answered(prior)
    no_refuted(bound)
    found = [certified.proved_loss(prior, precision, advantage, way, bound) for way in ways(direction)]
    epsilon, truth, _ = min(found, key=lambda each: each.value)
    allowed = min(each.found for each in found)
    if math.isinf(epsilon):
        return WorstEpsilon.model_construct(epsilon=None, truth=None, gap=0.0)
    return WorstEpsilon.model_construct(epsilon=epsilon, truth=truth, gap=max(allowed - epsilon, 0.0))


@public
@sheltered
def laplace_posterior(*, prior: Prior, truth: Number, precision: Positive, epsilon: Epsilon, output: Number) -> float:
    """Return the probability of a correct guess once the Laplace mechanism has released a given output.

    Arguments: prior, truth, precision as in ``prior_probability``; epsilon per precision (noise scale precision /
    epsilon); output, the released number. Returns a probability to 1e-12 relative; its extreme over outputs within the
    correct guesses is the exact bound. Raises InvalidInput. Source: Bayes' rule.
    """
    answered(prior)
    return bounds.laplace(prior.view(truth, precision), epsilon, search.placed(output, truth, precision))


# ------------------------------------------------------------------------------- combinations


@public
@sheltered
def combined_prior(*, attributes: Attributes, combine: Combine) -> float:
    """Return the probability before the release that all, or at least one, of several independent guesses are correct.

    Arguments: attributes, 1 to 50 of {prior, truth (a number), precision}; combine, "and" (all), "or" (at least one),
    "one" (a single attribute). Returns a probability to 1e-13 relative. Raises InvalidInput.
    Source: Pankova & Laud 2022, "Guessing AND of attributes", "Guessing OR of attributes".
    """
    return combined.joint_prior(combined.seen_all(as_guesses(attributes, combine, False)), means(combine))


@public
@sheltered
def combined_posterior(
    *, attributes: Attributes, combine: Combine, epsilon: Epsilon, direction: Direction = "rise"
) -> float:
    """Return a proved bound on the probability after a release that all, or at least one, of the guesses are correct.

    Arguments: attributes and combine as in ``combined_prior``; epsilon >= 0 in the maximum metric (the loss when every
    attribute moves by at most its precision); direction. Returns a probability: exact for one attribute; for "and"
    the smaller of the repaired annulus bound on the joint attribute and the product of the exact single bounds;
    for "or" the smaller of 1 - product of (1 - single bound) and the simplified bound on the union; to 1e-10.
    **A rise is bounded from above, a drop from below.** Raises InvalidInput. Source:
    docs/methods/guessing_advantage.md.
    """
    views = combined.seen_all(as_guesses(attributes, combine, False))
    if len(views) == 1:
        return bounds.posterior(views[0], epsilon, "exact", direction)
    p = combined.joint_prior(views, means(combine))
    change = combined.joint_gain(views, means(combine), epsilon, direction)
    return min(p + change, 1.0) if direction == "rise" else max(p - change, 0.0)


@public
@sheltered
def combined_epsilon(
    *, attributes: Attributes, combine: Combine, advantage: Probability, direction: Directions = "rise"
) -> float:
    """Return the largest epsilon at which the bound on a combination of guesses keeps an advantage.

    Arguments: attributes (truth may be "worst") and combine as in ``combined_prior``; advantage in [0, 1] against the
    joint prior; direction, also "both". Returns epsilon in the maximum metric, infinite where nothing exceeds
    the advantage. **Never above what the bounds of ``combined_posterior`` allow, which are themselves on the
    safe side.** Raises InvalidInput. Source: docs/methods/guessing_advantage.md.
    """
    guesses = as_guesses(attributes, combine, True)
    return min(_combined_loss(guesses, means(combine), advantage, way) for way in ways(direction))


def _combined_loss(
    guesses: Sequence[combined.Guess], combine: combined.Combine, advantage: float, direction: Direction
) -> float:
    if len(guesses) == 1:
        (guess,) = guesses
        if guess.truth is None:
            return certified.proved_loss(guess.prior, guess.precision, advantage, direction).value
        return bounds.loss_for(guess.prior.view(guess.truth, guess.precision), advantage, "exact", direction)
    if any(guess.truth is None for guess in guesses):
        return joint.proved_joint_loss(guesses, combine, advantage, direction)
    return combined.joint_loss(combined.seen_all(guesses), combine, advantage, direction)


# ------------------------------------------------------------------------------------- units


@public
@sheltered
def release_epsilon(*, attributes: Attributes, epsilon: Epsilon, sensitivity: Positive) -> float:
    """Return the loss of the whole release that gives a loss per precision.

    Arguments: attributes, of which precision and effect count; epsilon per precision; sensitivity, that of the
    replace-one relation (twice the add-or-remove one where only that is known). Returns epsilon * sensitivity /
    sum of (effect * precision), **rounded down**: a statistic moves by at most that sum when every attribute moves
    by its precision. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Units".
    """
    weight = weight_of(attributes)
    if epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    if 1e-280 < weight < 1e280 and 1e-280 < epsilon * sensitivity < 1e280:
        return epsilon * sensitivity / weight * (1.0 - 2.0 * UNIT)
    return math.exp(min(math.log(epsilon) + math.log(sensitivity) - math.log(weight), 709.0)) * SAFE


@public
@sheltered
def precision_epsilon(*, attributes: Attributes, epsilon: Epsilon, sensitivity: Positive) -> float:
    """Return the loss per precision that a release of a given loss gives: the inverse of ``release_epsilon``.

    Arguments as there, epsilon that of the whole release. Returns epsilon * sum of (effect * precision) / sensitivity,
    **rounded up**. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Units".
    """
    weight = weight_of(attributes)
    if epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    if 1e-280 < weight < 1e280 and 1e-280 < epsilon * weight < 1e280 and 1e-20 < sensitivity < 1e20:
        return epsilon * weight / sensitivity * (1.0 + 2.0 * UNIT)
    return math.exp(min(math.log(epsilon) + math.log(weight) - math.log(sensitivity), 709.0)) / SAFE


# ------------------------------------------------------------------------------------ drawing


@public
@sheltered
def curve(
    *,
    prior: Prior,
    truth: Number,
    precision: Positive,
    epsilons: Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=2_000)],
    bound: Bound = "exact",
    direction: Direction = "rise",
) -> tuple[float, ...]:
    """Return the advantage at each of many epsilons, for drawing.

    Arguments: prior, truth, precision, bound, direction as in ``posterior``; epsilons, 1 to 2,000 of them, best in
    increasing order. Returns |posterior - prior| at each, to 1e-12 relative. Raises InvalidInput. Source: as
    ``posterior``.
    """
    answered(prior)
    seen = prior.view(truth, precision)
    if seen.impossible or seen.certain:
        return (0.0,) * len(epsilons)
    odds, way = bounds.Odds(seen, bound), bounds.sign(direction)
    losses = np.minimum(np.array(epsilons), bounds.LARGEST_LOSS)
    return tuple(abs(bounds.gain(seen, odds.log_ratio(way * loss))) for loss in losses.tolist())
