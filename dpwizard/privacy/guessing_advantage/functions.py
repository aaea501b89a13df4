"""Pankova & Laud 2022: how much better an adversary guesses an attribute after a release than before it.

Epsilon is the loss *per precision*: the mechanism is (epsilon d)-private for d(x, x') = |x - x'| / precision, and a
guess is correct within one precision of the truth. The adversary knows all other records, or records are independent.
``exact`` is the supremum over all such mechanisms; ``main``, ``farthest`` and ``simplified`` are proved upper bounds
(lower ones for the drop); the two ``published_*`` formulas are refuted and must bound nothing (docs/methods).
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import UNIT, decimal, real
from dpwizard.base.value_errors import quoted_value
from dpwizard.base.values import Epsilon, NonNegative, Number, Positive, Probability, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import (
    SAFE,
    Attributes,
    Directions,
    Truth,
    as_guesses,
    changes_of,
    sheltered,
    weight_of,
)
from dpwizard.privacy.guessing_advantage.given_truth import Bound, Direction, GivenTruth, exact_limit, formula_limit
from dpwizard.privacy.guessing_advantage.several_guesses import Combine, GivenTruths, Guess
from dpwizard.privacy.guessing_advantage.simplified import simplified_limit
from dpwizard.privacy.guessing_advantage.worst_truths import WorstLimit, WorstTruths
from dpwizard.privacy.priors import Prior, answered

DRAWN_SLACK = 1e-3  # relative precision of a drawn curve


class WorstTruth(Value):
    """The true value with the largest gain, and the gain; truth null: a limit that no true value attains."""

    truth: float | None = field("Truth", default=...)
    advantage: float = field("Advantage", default=...)


class WorstEpsilon(Value):
    """The largest epsilon over all true values, the one that sets it (null: a limit or none), and the gap."""

    epsilon: float | None = field("Epsilon", default=...)
    truth: float | None = field("Truth", default=...)
    gap: float = field("Gap", default=...)


# ----------------------------------------------------------------------------- one attribute


@public
@sheltered
def prior_probability(*, prior: Prior, truth: Number, precision: Positive) -> float:
    """Return the probability of a correct guess before the release.

    Arguments: prior, a distribution; truth, any number; precision > 0: correct is |x - truth| <= precision, a closed
    interval, compared as decimals for atoms. Returns P in [0, 1], to 1e-12 relative. Raises InvalidInput. Source:
    Pankova & Laud 2022, "Prior and posterior probability of a correct guess".
    """
    answered(prior)
    return GivenTruth(prior, truth, precision).inside


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
    """Return a bound on the probability of a correct guess after a release.

    Arguments: prior, truth, precision as in ``prior_probability``; epsilon >= 0 per precision ("inf" allowed); bound,
    "exact" (the supremum over all mechanisms: T1), "main", "farthest", "simplified", or, refuted and for comparison
    only, "published_annulus" and "published_sum"; direction, "rise" (an upper bound) or "drop" (a lower bound). Returns
    a probability, never below the prior for a rise or above it for a drop; the error of "exact" is at most 1e-3 of the
    change, on the safe side. Raises InvalidInput. Source: Pankova & Laud 2022, "Main theorem" to "Guessing a single
    attribute"; exact: docs/methods/guessing_advantage.md.
    """
    answered(prior)
    guess = GivenTruth(prior, truth, precision)
    guess.refine(epsilon, direction)
    if bound == "exact":
        return guess.posterior(epsilon, direction)[0]
    return guess.by_formula(epsilon, bound, direction)


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
    """Return the largest epsilon per precision at which a guess gains at most an advantage.

    Arguments: prior, precision, bound as in ``posterior``; truth, a number or "worst" (over every truth in the support;
    for the bounds exact and simplified); advantage in [0, 1], on posterior - prior (rise), prior - posterior (drop) or
    either ("both": the smaller epsilon). Returns epsilon, infinite where nothing exceeds the advantage
    (prior + advantage >= 1; advantage >= prior for a drop), 0 where no release is allowed. **Never above the true
    limit, and within 1e-3 relative below it;** for "worst" proved over every truth in the support, and further below
    where the proof is coarse: ``worst_epsilon`` says how far. Raises InvalidInput. Source: Pankova & Laud 2022,
    "Computing epsilon for a fixed guessing advantage"; exact: docs/methods/guessing_advantage.md.
    """
    answered(prior)
    if truth == "worst":
        worst = worst_epsilon(prior=prior, precision=precision, advantage=advantage, bound=bound, direction=direction)
        return math.inf if worst.epsilon is None else worst.epsilon
    # each change divides the prior anew, so that its limit does not depend on the other
    return min(
        _limit_by(GivenTruth(prior, float(truth), precision), advantage, bound, change)
        for change in changes_of(direction)
    )


def _limit_by(guess: GivenTruth, advantage: float, bound: Bound, direction: Direction) -> float:
    if bound == "exact":
        return exact_limit(guess, advantage, direction)
    if bound == "simplified" and not (guess.impossible or guess.certain):
        return simplified_limit(guess.inside, advantage, guess.reach, direction)
    return formula_limit(guess, advantage, bound, direction)


@public
@sheltered
def worst_truth(*, prior: Prior, precision: Positive, epsilon: Epsilon, direction: Direction = "rise") -> WorstTruth:
    """Return the truth in the support against which the exact advantage is largest, and that advantage.

    Arguments: prior; precision > 0; epsilon >= 0 per precision; direction. Returns {truth, advantage}: the worst truth
    that was tried (the smallest of several that tie), null where it is a limit (a lognormal: 1 - e^-epsilon far out).
    **The advantage is proved: no truth in the support gains more.** It exceeds the gain at that truth by at most 1e-3
    relative, or by more where the proof is coarse. The support is the atoms, the bins with mass and their ends, or the
    ends of the other families and all between. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "The
    worst truth".
    """
    answered(prior)
    worst = WorstTruths((Guess(prior, None, precision),), "one").gain(epsilon, direction)
    return WorstTruth.model_construct(truth=worst.truth, advantage=worst.proved)


@public
@sheltered
def worst_epsilon(
    *, prior: Prior, precision: Positive, advantage: Probability, bound: Bound = "exact", direction: Directions = "rise"
) -> WorstEpsilon:
    """Return the largest epsilon per precision that keeps an advantage against every truth, and the truth that sets it.

    Arguments as in ``epsilon_for``; bound "exact", or "simplified" for the worst chance before. Returns {epsilon,
    truth, gap}: epsilon null where it is proved that no truth ever gains that much, truth null where a limit sets it.
    **Never above the true limit, over every truth in the support,** and at most gap below it. Raises InvalidInput.
    Source: docs/methods/guessing_advantage.md, "The worst truth".
    """
    answered(prior)
    if bound not in ("exact", "simplified"):
        raise InvalidInput(
            'must be "exact" or "simplified" for the worst truth; found {found}',
            "bound",
            "Choose one of these.",
            found=quoted_value(bound),
        )
    if bound == "simplified":
        return _worst_simplified_epsilon(prior, precision, advantage)
    guess = Guess(prior, None, precision)
    limits = [WorstTruths((guess,), "one").limit(advantage, change) for change in changes_of(direction)]
    strictest = min(limits, key=lambda limit: limit.epsilon)
    if math.isinf(strictest.epsilon):
        return WorstEpsilon.model_construct(epsilon=None, truth=None, gap=0.0)
    return WorstEpsilon.model_construct(epsilon=strictest.epsilon, truth=strictest.truth, gap=strictest.gap)


def _worst_simplified_epsilon(prior: Prior, precision: float, advantage: float) -> WorstEpsilon:
    """Return 4 artanh(advantage)/range, which is valid for every prior probability."""
    low, high = prior.support()
    if math.isinf(high - low):
        return WorstEpsilon.model_construct(epsilon=0.0, truth=None, gap=0.0)
    width = real((decimal(high) - decimal(low)) / decimal(precision))
    if advantage >= 1.0 or width == 0.0:
        return WorstEpsilon.model_construct(epsilon=None, truth=None, gap=0.0)
    return WorstEpsilon.model_construct(epsilon=4.0 * math.atanh(advantage) / width * SAFE, truth=None, gap=0.0)


@public
@sheltered
def laplace_posterior(*, prior: Prior, truth: Number, precision: Positive, epsilon: Epsilon, output: Number) -> float:
    """Return the probability of a correct guess after the Laplace mechanism has released a given output.

    Arguments: prior, truth, precision as in ``prior_probability``; epsilon per precision (noise scale precision /
    epsilon); output, the released number. Returns a probability with an error of at most 1e-6 relative; its extreme
    over outputs within the correct guesses is the exact bound. Raises InvalidInput. Source: Bayes' rule.
    """
    answered(prior)
    place = real((decimal(output) - decimal(truth)) / decimal(precision))
    return GivenTruth(prior, truth, precision).after_output(epsilon, place)


# ------------------------------------------------------------------------------- combinations


@public
@sheltered
def combined_prior(*, attributes: Attributes, combine: Combine) -> float:
    """Return the probability before the release that all, or at least one, of several independent guesses are correct.

    Arguments: attributes, 1 to 50 of {prior, truth (a number), precision}; combine, "and" (all), "or" (at least one),
    "one" (a single attribute). Returns a probability to 1e-12 relative. Raises InvalidInput.
    Source: Pankova & Laud 2022, "Guessing AND of attributes", "Guessing OR of attributes".
    """
    return GivenTruths(as_guesses(attributes, combine, False), combine).before


@public
@sheltered
def combined_posterior(
    *, attributes: Attributes, combine: Combine, epsilon: Epsilon, direction: Direction = "rise"
) -> float:
    """Return a proved bound on the probability after a release that all, or at least one, of the guesses are correct.

    Arguments: attributes and combine as in ``combined_prior``; epsilon >= 0 in the maximum metric (the loss when every
    attribute moves by at most its precision); direction. Returns a probability: exact for one attribute; for "and"
    the product of the exact single bounds, and for a rise the repaired annulus bound on the joint attribute where that
    is smaller; for "or" the better of 1 - product of (1 - single bound) and the simplified bound on the union.
    **A rise is bounded from above, a drop from below.** Raises InvalidInput. Source:
    docs/methods/guessing_advantage.md.
    """
    guesses = GivenTruths(as_guesses(attributes, combine, False), combine)
    for single in guesses.singles:
        single.refine(epsilon, direction)
    return guesses.posterior(epsilon, direction)


@public
@sheltered
def combined_epsilon(
    *, attributes: Attributes, combine: Combine, advantage: Probability, direction: Directions = "rise"
) -> float:
    """Return the largest epsilon at which the bound on a combination of guesses keeps an advantage.

    Arguments: attributes (truth may be "worst") and combine as in ``combined_prior``; advantage in [0, 1] against the
    joint prior; direction, also "both". Returns epsilon in the maximum metric, infinite where nothing exceeds
    the advantage. **Never above what the bounds of ``combined_posterior`` allow, which are themselves on the safe
    side,** and within 1e-3 relative of it; where a truth is the worst, as a rule, and at most ``combined_limit``'s
    gap. Raises InvalidInput. Source: docs/methods/guessing_advantage.md.
    """
    return combined_limit(attributes=attributes, combine=combine, advantage=advantage, direction=direction).epsilon


@sheltered
def combined_limit(*, attributes: Attributes, combine: Combine, advantage: float, direction: Directions) -> WorstLimit:
    """Return {epsilon, truth, gap}: ``combined_epsilon``, and the gap to an epsilon shown to be too large."""
    guesses = as_guesses(attributes, combine, True)
    limits = [_combined_limit(guesses, combine, advantage, change) for change in changes_of(direction)]
    return min(limits, key=lambda limit: limit.epsilon)


def _combined_limit(guesses: tuple[Guess, ...], combine: Combine, advantage: float, direction: Direction) -> WorstLimit:
    if any(guess.truth is None for guess in guesses):
        return WorstTruths(guesses, combine).limit(advantage, direction)
    truths = GivenTruths(guesses, combine)
    alone = len(guesses) == 1
    return WorstLimit(
        exact_limit(truths.singles[0], advantage, direction) if alone else truths.limit(advantage, direction)
    )


# ------------------------------------------------------------------------------------- units


@public
@sheltered
def release_epsilon(*, attributes: Attributes, epsilon: Epsilon, sensitivity: Positive) -> float:
    """Return the loss of the whole release from a loss per precision.

    Arguments: attributes, of which precision and effect count; epsilon per precision; sensitivity, that of the
    replace-one relation (twice the add-or-remove one where only that is known). Returns epsilon * sensitivity /
    sum of (effect * precision), **rounded down**: a statistic changes by at most that sum when every attribute changes
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
    """Return the loss per precision from the loss of the whole release: the inverse of ``release_epsilon``.

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
    """Return the advantage at each of several epsilons, for drawing.

    Arguments: prior, truth, precision, bound, direction as in ``posterior``; epsilons, 1 to 2,000 of them, preferably
    increasing. Returns |posterior - prior| at each, never too small, to about 1e-3 relative. Raises InvalidInput.
    Source: as ``posterior``.
    """
    answered(prior)
    guess = GivenTruth(prior, truth, precision)
    if bound == "exact":
        for epsilon in sorted({epsilons[0], epsilons[len(epsilons) // 2], epsilons[-1]}):
            guess.refine(epsilon, direction, DRAWN_SLACK)
        posteriors = [guess.posterior(epsilon, direction)[0] for epsilon in epsilons]
    else:
        posteriors = [guess.by_formula(epsilon, bound, direction) for epsilon in epsilons]
    return tuple(abs(posterior - guess.inside) for posterior in posteriors)
