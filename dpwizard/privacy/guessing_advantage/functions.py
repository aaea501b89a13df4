"""Pankova & Laud 2022: how much better an attacker guesses an attribute after a release than before it.

Epsilon is the loss *per precision*: the mechanism is (epsilon d)-private for d(x, x') = |x - x'| / precision, and a
guess is correct within one precision of the truth. The attacker knows all other records, or records are independent.
``exact`` is the supremum over all such mechanisms; ``main``, ``farthest`` and ``simplified`` are proved upper bounds
(lower ones for the drop); the two ``published_*`` formulas are refuted and must bound nothing (docs/methods).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal, ParamSpec, TypeVar

import numpy as np
from pydantic import Field

from dpwizard.errors import DPWizardError, InvalidInput, SolverFailure
from dpwizard.numerics import UNIT, decimal
from dpwizard.privacy.guessing_advantage import bounds, certified, combined, joint
from dpwizard.privacy.guessing_advantage import worst_victim as search
from dpwizard.privacy.guessing_advantage.bounds import Bound
from dpwizard.privacy.priors import Prior, answered, view
from dpwizard.values import Epsilon, NonNegative, Number, Positive, Probability, Ratio, Value, field, public, shown

__all__ = [
    "Attribute",
    "Bound",
    "WorstClass",
    "WorstPrior",
    "WorstTruth",
    "categorical_epsilon",
    "categorical_posterior",
    "combined_epsilon",
    "combined_posterior",
    "combined_prior",
    "curve",
    "epsilon_for",
    "laplace_posterior",
    "posterior",
    "precision_epsilon",
    "prior_probability",
    "release_epsilon",
    "simplified_epsilon",
    "simplified_posterior",
    "worst_class",
    "worst_epsilon",
    "worst_prior",
    "worst_truth",
]

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")

Direction = Literal["rise", "drop"]
Directions = Literal["rise", "drop", "both"]
Combine = Literal["one", "and", "or"]
Truth = Number | Literal["worst"]
SAFE = 1.0 - 16.0 * UNIT


def _sheltered(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Let infinities pass where arrays make them, and turn what floating point cannot carry into a SolverFailure."""

    @functools.wraps(function)
    def call(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Result:
        try:
            with np.errstate(all="ignore"):
                return function(*args, **kwargs)
        except DPWizardError:
            raise
        except (ArithmeticError, ValueError) as problem:
            raise SolverFailure(
                "could not be computed: the numbers lie too far apart for floating point",
                "",
                "Bring the prior, truth and precision closer.",
            ) from problem

    return call


class Attribute(Value):
    """One attribute the attacker wants to guess."""

    prior: Prior | None = field(
        "What the attacker believes beforehand",
        "How likely the attacker holds each value, before the release; from public sources or assumed, never from the "
        "data.",
    )
    truth: Truth | None = field(
        "The true value", 'A number of your own choosing, never a confidential one, or "worst".'
    )
    precision: Positive | None = field(
        "Precision", "A guess this close to the truth counts as correct.", unit="in the attribute's unit"
    )
    effect: Positive | None = field(
        "Effect", "Change of the statistic for one unit of the attribute: 1 for a sum, 1/n for a mean."
    )

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered, those of the prior as prior.NAME."""
        own = [name for name in ("prior", "truth", "precision", "effect") if getattr(self, name) is None]
        return (*own, *(f"prior.{name}" for name in (self.prior.missing() if self.prior is not None else ())))


Attributes = Annotated[tuple[Attribute, ...], Field(min_length=1, max_length=50)]


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


class WorstPrior(Value):
    """The prior probability at which the simplified bound gives the attacker most."""

    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


class WorstClass(Value):
    """The class of a categorical attribute against which the attacker gains most."""

    label: str = field("Class", default=...)
    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


# ----------------------------------------------------------------------------- one attribute


@public
@_sheltered
def prior_probability(*, prior: Prior, truth: Number, precision: Positive) -> float:
    """Return the probability of a correct guess before the release.

    Arguments: prior, a distribution; truth, any number; precision > 0: correct is |x - truth| <= precision, a closed
    interval, for atoms compared as the decimals are written. Returns P in [0, 1], to 1e-14 relative. Raises
    InvalidInput. Source: Pankova & Laud 2022, "Prior and posterior probability of a correct guess".
    """
    answered(prior)
    return view(prior, truth, precision).inside


@public
@_sheltered
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
    "exact" (the supremum over all mechanisms: T1), "main", "farthest", "simplified", or, refuted and
    for comparison only, "published_annulus" and "published_sum"; direction, "rise" (how likely at most) or "drop"
    (how likely at least). Returns a probability to 1e-12 relative (1e-9 for published_sum). **A rise is bounded from
    above, a drop from below**; never a rise below or a drop above the prior. Raises InvalidInput.
    Source: Pankova & Laud 2022, "Main theorem" to "Guessing a single attribute"; exact:
    docs/methods/guessing_advantage.md.
    """
    answered(prior)
    return bounds.posterior(view(prior, truth, precision), epsilon, bound, direction)


@public
@_sheltered
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
        _no_refuted(bound)
        return min(certified.proved_loss(prior, precision, advantage, way, bound).value for way in _ways(direction))
    seen = view(prior, float(truth), precision)
    return min(bounds.loss_for(seen, advantage, bound, way) for way in _ways(direction))


@public
@_sheltered
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
@_sheltered
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
    _no_refuted(bound)
    found = [certified.proved_loss(prior, precision, advantage, way, bound) for way in _ways(direction)]
    epsilon, truth, _ = min(found, key=lambda each: each.value)
    allowed = min(each.found for each in found)
    unbounded = math.isinf(epsilon)
    if unbounded:
        return WorstEpsilon.model_construct(epsilon=None, truth=None, gap=0.0)
    return WorstEpsilon.model_construct(epsilon=epsilon, truth=truth, gap=max(allowed - epsilon, 0.0))


@public
@_sheltered
def laplace_posterior(*, prior: Prior, truth: Number, precision: Positive, epsilon: Epsilon, output: Number) -> float:
    """Return the probability of a correct guess once the Laplace mechanism has released a given output.

    Arguments: prior, truth, precision as in ``prior_probability``; epsilon per precision (noise scale precision /
    epsilon); output, the released number. Returns a probability to 1e-12 relative; its extreme over outputs within the
    correct guesses is the exact bound. Raises InvalidInput. Source: Bayes' rule.
    """
    answered(prior)
    return bounds.laplace(view(prior, truth, precision), epsilon, search.placed(output, truth, precision))


def _ways(direction: Directions) -> tuple[Direction, ...]:
    return ("rise", "drop") if direction == "both" else (direction,)


def _no_refuted(bound: Bound) -> None:
    if bound not in ("exact", "main", "simplified"):
        raise InvalidInput(
            f'must be "exact", "main" or "simplified" for the worst truth; found {shown(bound)}',
            "bound",
            "Choose one of these.",
        )


# ------------------------------------------------------------------------- the simplified bound


def _moved(p: float, shift: float) -> float:
    """Return p with its odds multiplied by e^shift."""
    if p in (0.0, 1.0) or shift == 0.0:
        return p
    if shift > 0.0:
        return p / (p + (1.0 - p) * math.exp(-shift))
    return p * math.exp(shift) / (p * math.exp(shift) + (1.0 - p))


def _shift(epsilon: float, range: float, direction: Direction) -> float:
    product = 0.0 if epsilon == 0.0 or range == 0.0 else epsilon * range
    return product if direction == "rise" else -product


@public
@_sheltered
def simplified_posterior(*, p: Probability, epsilon: Epsilon, range: Ratio, direction: Direction = "rise") -> float:
    """Return the simplified bound on the probability of a correct guess after a release.

    Arguments: p, the prior probability; epsilon >= 0 per precision; range >= 0, the widest distance within the support
    in precisions ("inf" allowed: then nothing is bounded); direction. Returns 1/(1 + e^(-epsilon range) (1-p)/p), for
    a drop with the sign turned, to 1e-15 relative. **A rise is bounded from above, a drop from below.** Raises
    InvalidInput. Source: Pankova & Laud 2022, "Simplification".
    """
    return _moved(p, _shift(epsilon, range, direction))


@public
@_sheltered
def simplified_epsilon(
    *, p: Probability, advantage: Probability, range: Ratio, direction: Directions = "rise"
) -> float:
    """Return the largest epsilon per precision that keeps an advantage, by the simplified bound.

    Arguments: p, the prior probability; advantage in [0, 1]; range >= 0 in precisions ("inf" allowed); direction, also
    "both". Returns epsilon, infinite where nothing exceeds the advantage, 0 where only no release will do.
    **Never above the true value, within 1e-14 relative below.** Raises InvalidInput. Source: Pankova & Laud 2022,
    "Computing epsilon for a fixed guessing advantage".
    """
    return min(_simplified_loss(p, advantage, range, way) for way in _ways(direction))


def _simplified_loss(p: float, advantage: float, range: float, direction: Direction) -> float:
    whole = decimal(p) + decimal(advantage) >= 1 if direction == "rise" else decimal(advantage) >= decimal(p)
    if p in (0.0, 1.0) or whole or range == 0.0:
        return math.inf
    if advantage == 0.0 or math.isinf(range):
        return 0.0
    q = 1.0 - p
    inside, outside = (p, q) if direction == "rise" else (q, p)
    left = float(1 - decimal(p) - decimal(advantage) if direction == "rise" else decimal(p) - decimal(advantage))
    lift = math.log1p(advantage / inside) if advantage < 1e290 * inside else math.log(advantage) - math.log(inside)
    # log of (p + advantage)/p * (1 - p)/(1 - p - advantage)
    fall = advantage / outside
    wanted = lift - (math.log1p(-fall) if fall < 0.5 else math.log(left / outside))
    return wanted / range * SAFE if range > 1e-290 or wanted < range * 1e290 else math.inf


@public
@_sheltered
def worst_prior(*, range: Ratio, advantage: Probability | None = None, epsilon: Epsilon | None = None) -> WorstPrior:
    """Return the prior probability at which the simplified bound leaves the attacker most.

    Arguments: range >= 0 in precisions; exactly one of advantage in [0, 1] and epsilon >= 0. Returns {p, epsilon,
    advantage}: p = (1 - advantage)/2 = 1/(1 + e^(range epsilon / 2)), advantage = tanh(epsilon range / 4). **Epsilon
    from an advantage is rounded down.** Raises InvalidInput. Source: Pankova & Laud 2022, "Worst-case prior
    distribution".
    """
    if (advantage is None) == (epsilon is None):
        raise InvalidInput(
            "must be given, or epsilon, but not both", "advantage", "Give exactly one of advantage and epsilon."
        )
    if advantage is not None:
        if advantage == 1.0 or range == 0.0:
            loss = math.inf
        else:
            loss = (
                0.0
                if math.isinf(range) or advantage == 0.0
                else 4.0 * math.atanh(advantage) / max(range, 1e-300) * SAFE
            )
        return WorstPrior.model_construct(p=(1.0 - advantage) / 2.0, epsilon=loss, advantage=advantage)
    if epsilon is None:  # cannot be: checked above
        raise InvalidInput("is missing", "epsilon", "Give epsilon or advantage.")
    shift = _shift(epsilon, range, "rise")
    return WorstPrior.model_construct(p=_moved(0.5, -shift / 2.0), epsilon=epsilon, advantage=math.tanh(shift / 4.0))


# ------------------------------------------------------------------------------- combinations


def _guesses(attributes: Sequence[Attribute], combine: Combine, worst_allowed: bool) -> tuple[combined.Guess, ...]:
    """Return the attributes as guesses, or raise InvalidInput naming what is not answered."""
    if combine == "one" and len(attributes) != 1:
        raise InvalidInput(
            f"must have exactly one entry; found {len(attributes)}", "attributes", 'Combine several with "and" or "or".'
        )
    found = []
    for index, each in enumerate(attributes):
        where = f"attributes[{index}]"
        if each.prior is None or each.truth is None or each.precision is None:
            name = next(name for name in ("prior", "truth", "precision") if getattr(each, name) is None)
            raise InvalidInput("is not answered", f"{where}.{name}", "Enter a value.")
        answered(each.prior, f"{where}.prior")
        if each.truth == "worst" and not worst_allowed:
            raise InvalidInput(
                'must be a number here; found "worst"',
                f"{where}.truth",
                "The worst truth depends on epsilon: give a number.",
            )
        found.append(combined.Guess(each.prior, None if each.truth == "worst" else float(each.truth), each.precision))
    return tuple(found)


@public
@_sheltered
def combined_prior(*, attributes: Attributes, combine: Combine) -> float:
    """Return the probability before the release that all, or at least one, of several independent guesses are correct.

    Arguments: attributes, 1 to 50 of {prior, truth (a number), precision}; combine, "and" (all), "or" (at least one),
    "one" (a single attribute). Returns a probability to 1e-13 relative. Raises InvalidInput.
    Source: Pankova & Laud 2022, "Guessing AND of attributes", "Guessing OR of attributes".
    """
    return combined.joint_prior(combined.seen_all(_guesses(attributes, combine, False)), _means(combine))


@public
@_sheltered
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
    views = combined.seen_all(_guesses(attributes, combine, False))
    if len(views) == 1:
        return bounds.posterior(views[0], epsilon, "exact", direction)
    p = combined.joint_prior(views, _means(combine))
    change = combined.joint_gain(views, _means(combine), epsilon, direction)
    return min(p + change, 1.0) if direction == "rise" else max(p - change, 0.0)


@public
@_sheltered
def combined_epsilon(
    *, attributes: Attributes, combine: Combine, advantage: Probability, direction: Directions = "rise"
) -> float:
    """Return the largest epsilon at which the bound on a combination of guesses keeps an advantage.

    Arguments: attributes (truth may be "worst") and combine as in ``combined_prior``; advantage in [0, 1] against the
    joint prior; direction, also "both". Returns epsilon in the maximum metric, infinite where nothing exceeds
    the advantage. **Never above what the bounds of ``combined_posterior`` allow, which are themselves on the
    safe side.** Raises InvalidInput. Source: docs/methods/guessing_advantage.md.
    """
    guesses = _guesses(attributes, combine, True)
    return min(_combined_loss(guesses, _means(combine), advantage, way) for way in _ways(direction))


def _combined_loss(
    guesses: Sequence[combined.Guess], combine: combined.Combine, advantage: float, direction: Direction
) -> float:
    if len(guesses) == 1:
        (guess,) = guesses
        if guess.truth is None:
            return certified.proved_loss(guess.prior, guess.precision, advantage, direction).value
        return bounds.loss_for(view(guess.prior, guess.truth, guess.precision), advantage, "exact", direction)
    if any(guess.truth is None for guess in guesses):
        return joint.proved_joint_loss(guesses, combine, advantage, direction)
    return combined.joint_loss(combined.seen_all(guesses), combine, advantage, direction)


def _means(combine: Combine) -> combined.Combine:
    return "and" if combine == "one" else combine


# --------------------------------------------------------------------------------- categories


@public
@_sheltered
def categorical_posterior(*, p: Probability, epsilon: Epsilon, direction: Direction = "rise") -> float:
    """Return the exact bound on the probability of guessing a class after a release, any two classes being at distance
    1.

    Arguments: p, the prior probability of the class; epsilon >= 0, the loss when the class changes; direction. Returns
    1/(1 + e^-epsilon (1-p)/p), for a drop with the sign turned, to 1e-15 relative. **A rise is bounded from above, a
    drop from below.** Raises InvalidInput. Source: Pankova & Laud 2022, "Simplification", exact
    for range 1 (docs/methods/guessing_advantage.md).
    """
    return _moved(p, _shift(epsilon, 1.0, direction))


@public
@_sheltered
def categorical_epsilon(*, p: Probability, advantage: Probability, direction: Directions = "rise") -> float:
    """Return the largest epsilon at which guessing a class gains no more than an advantage.

    Arguments: p, the prior probability of the class; advantage in [0, 1]; direction, also "both". Returns epsilon,
    infinite where nothing exceeds the advantage. **Never above the true value, within 1e-14 relative below.** Raises
    InvalidInput. Source: Pankova & Laud 2022, "Computing epsilon for a fixed guessing advantage", range 1.
    """
    return min(_simplified_loss(p, advantage, 1.0, way) for way in _ways(direction))


@public
@_sheltered
def worst_class(
    *,
    prior: Mapping[str, NonNegative],
    advantage: Probability | None = None,
    epsilon: Epsilon | None = None,
    direction: Directions = "rise",
) -> WorstClass:
    """Return the class against which an attacker gains most, with its epsilon for an advantage, or its advantage at an
    epsilon.

    Arguments: prior, {class: probability} (masses are normalised, classes of mass 0 left out); exactly one of advantage
    in [0, 1] and epsilon >= 0; direction, also "both". Returns {label, p, epsilon, advantage}, the first of several
    that tie; epsilon is infinite where no class ever gains that much. **Epsilon from an advantage is never above the
    true value.** Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Categorical".
    """
    if (advantage is None) == (epsilon is None):
        raise InvalidInput(
            "must be given, or epsilon, but not both", "advantage", "Give exactly one of advantage and epsilon."
        )
    kept = {label: mass for label, mass in prior.items() if mass > 0.0}
    if not kept:
        raise InvalidInput(
            f"must have a class with a positive probability; found {len(prior)} without", "prior", "Enter the classes."
        )
    total = sum(decimal(mass) for mass in kept.values())
    shares = {label: float(decimal(mass) / total) for label, mass in kept.items()}
    if advantage is not None:
        found = [
            (min(_simplified_loss(p, advantage, 1.0, way) for way in _ways(direction)), advantage, label, p)
            for label, p in shares.items()
        ]
        chosen = min(found, key=lambda each: each[0])
    else:
        loss = 0.0 if epsilon is None else epsilon
        found = [
            (loss, max(abs(_moved(p, _shift(loss, 1.0, way)) - p) for way in _ways(direction)), label, p)
            for label, p in shares.items()
        ]
        chosen = max(found, key=lambda each: each[1])
    return WorstClass.model_construct(label=chosen[2], p=chosen[3], epsilon=chosen[0], advantage=chosen[1])


# ------------------------------------------------------------------------------------- units


def _weight(attributes: Sequence[Attribute]) -> float:
    """Return the change of the statistic when every attribute moves by its precision."""
    total = 0.0
    for index, each in enumerate(attributes):
        if each.effect is None or each.precision is None:
            name = "effect" if each.effect is None else "precision"
            raise InvalidInput("is not answered", f"attributes[{index}].{name}", "Enter a value.")
        total += min(each.effect * each.precision, 1e300)
    return total


@public
@_sheltered
def release_epsilon(*, attributes: Attributes, epsilon: Epsilon, sensitivity: Positive) -> float:
    """Return the loss of the whole release that gives a loss per precision.

    Arguments: attributes, of which precision and effect count; epsilon per precision; sensitivity, that of the
    replace-one relation (twice the add-or-remove one where only that is known). Returns epsilon * sensitivity /
    sum of (effect * precision), **rounded down**: a statistic moves by at most that sum when every attribute moves
    by its precision. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Units".
    """
    weight = _weight(attributes)
    if epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    return (
        math.exp(min(math.log(epsilon) + math.log(sensitivity) - math.log(weight), 709.0)) * SAFE
        if not (1e-280 < weight < 1e280 and 1e-280 < epsilon * sensitivity < 1e280)
        else epsilon * sensitivity / weight * (1.0 - 2.0 * UNIT)
    )


@public
@_sheltered
def precision_epsilon(*, attributes: Attributes, epsilon: Epsilon, sensitivity: Positive) -> float:
    """Return the loss per precision that a release of a given loss gives: the inverse of ``release_epsilon``.

    Arguments as there, epsilon that of the whole release. Returns epsilon * sum of (effect * precision) / sensitivity,
    **rounded up**. Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Units".
    """
    weight = _weight(attributes)
    if epsilon == 0.0 or math.isinf(epsilon):
        return epsilon
    if 1e-280 < weight < 1e280 and 1e-280 < epsilon * weight < 1e280 and 1e-20 < sensitivity < 1e20:
        return epsilon * weight / sensitivity * (1.0 + 2.0 * UNIT)
    return math.exp(min(math.log(epsilon) + math.log(weight) - math.log(sensitivity), 709.0)) / SAFE


# ------------------------------------------------------------------------------------ drawing


@public
@_sheltered
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
    seen = view(prior, truth, precision)
    if seen.impossible or seen.certain:
        return (0.0,) * len(epsilons)
    odds, way = bounds.Odds(seen, bound), bounds.sign(direction)
    losses = np.minimum(np.array(epsilons), bounds.LARGEST_LOSS)
    return tuple(abs(bounds.gain(seen, odds.log_ratio(way * loss))) for loss in losses.tolist())
