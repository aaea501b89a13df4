"""The simplified bounds of Pankova & Laud 2022, which are exact for categories, and the worst prior for them."""

from __future__ import annotations

import math
from collections.abc import Mapping

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, real
from dpwizard.base.values import Epsilon, NonNegative, Probability, Ratio, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import SAFE, Directions, changes_of, sheltered
from dpwizard.privacy.guessing_advantage.given_truth import Direction
from dpwizard.privacy.guessing_advantage.several_guesses import shift_odds, shift_of


class WorstClass(Value):
    """The class of a categorical attribute with the largest gain."""

    label: str = field("Class", default=...)
    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


class WorstPrior(Value):
    """The prior probability with the largest gain by the simplified bound."""

    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


@public
@sheltered
def simplified_posterior(*, p: Probability, epsilon: Epsilon, range: Ratio, direction: Direction = "rise") -> float:
    """Return the simplified bound on the probability of a correct guess after a release.

    Arguments: p, the prior probability; epsilon >= 0 per precision; range >= 0, the widest distance within the support
    in precisions ("inf" allowed: then nothing is bounded); direction. Returns 1/(1 + e^(-epsilon range) (1-p)/p), for
    a drop with the sign turned, to 2e-15 (1 + epsilon range) relative. **A rise is bounded from above, a drop from
    below.** Raises InvalidInput. Source: Pankova & Laud 2022, "Simplification".
    """
    return shift_odds(p, _rest(p), shift_of(epsilon, range, direction))


@public
@sheltered
def simplified_epsilon(
    *, p: Probability, advantage: Probability, range: Ratio, direction: Directions = "rise"
) -> float:
    """Return the largest epsilon per precision that keeps an advantage, by the simplified bound.

    Arguments: p, the prior probability; advantage in [0, 1]; range >= 0 in precisions ("inf" allowed); direction, also
    "both". Returns epsilon, infinite where nothing exceeds the advantage, 0 where only no release will do.
    **Never above the true value, within 1e-14 relative below.** Raises InvalidInput. Source: Pankova & Laud 2022,
    "Computing epsilon for a fixed guessing advantage".
    """
    return min(simplified_limit(p, advantage, range, change) for change in changes_of(direction))


def simplified_limit(p: float, advantage: float, range: float, direction: Direction) -> float:
    """Return the largest epsilon that keeps ADVANTAGE, rounded down: log((p + a)/p (1 - p)/(1 - p - a))/range."""
    inside, outside = (p, _rest(p)) if direction == "rise" else (_rest(p), p)
    largest = 1 - decimal(p) if direction == "rise" else decimal(p)
    remaining = largest - decimal(advantage)
    if p in (0.0, 1.0) or remaining <= 0 or range == 0.0:
        return math.inf
    if advantage == 0.0 or math.isinf(range):
        return 0.0
    lift = math.log1p(advantage / inside) if advantage < 1e290 * inside else math.log(advantage) - math.log(inside)
    fall = advantage / outside
    shift = lift - (math.log1p(-fall) if fall < 0.5 else math.log(float(remaining) / outside))
    return shift / range * SAFE if range > 1e-290 or shift < range * 1e290 else math.inf


def _rest(p: float) -> float:
    """Return 1 - P by decimals: near 1 the difference of floats has few digits."""
    return real(1 - decimal(p))


@public
@sheltered
def worst_prior(*, range: Ratio, advantage: Probability | None = None, epsilon: Epsilon | None = None) -> WorstPrior:
    """Return the prior probability at which the simplified bound gives the adversary most.

    Arguments: range >= 0 in precisions; exactly one of advantage in [0, 1] and epsilon >= 0. Returns {p, epsilon,
    advantage}: p = (1 - advantage)/2 = 1/(1 + e^(range epsilon / 2)), advantage = tanh(epsilon range / 4). **Epsilon
    from an advantage is rounded down.** Raises InvalidInput. Source: Pankova & Laud 2022, "Worst-case prior
    distribution".
    """
    if advantage is not None and epsilon is None:
        if advantage == 1.0 or range == 0.0:
            loss = math.inf
        elif math.isinf(range) or advantage == 0.0:
            loss = 0.0
        else:
            loss = 4.0 * math.atanh(advantage) / max(range, 1e-300) * SAFE
        return WorstPrior.model_construct(p=(1.0 - advantage) / 2.0, epsilon=loss, advantage=advantage)
    if epsilon is not None and advantage is None:
        shift = shift_of(epsilon, range, "rise")
        p = shift_odds(0.5, 0.5, -shift / 2.0)
        return WorstPrior.model_construct(p=p, epsilon=epsilon, advantage=math.tanh(shift / 4.0))
    raise _needs_one_of_two()


def _needs_one_of_two() -> InvalidInput:
    return InvalidInput(
        "must be given, or epsilon, but not both", "advantage", "Give exactly one of advantage and epsilon."
    )


# ------------------------------------------------------------------------------- categories: distance 1


@public
@sheltered
def categorical_posterior(*, p: Probability, epsilon: Epsilon, direction: Direction = "rise") -> float:
    """Return the exact bound on the probability of guessing a class after a release; classes are at distance 1.

    Arguments: p, the prior probability of the class; epsilon >= 0, the loss when the class changes; direction. Returns
    1/(1 + e^-epsilon (1-p)/p), for a drop with the sign turned, to 2e-15 relative. **A rise is bounded from above, a
    drop from below.** Raises InvalidInput. Source: Pankova & Laud 2022, "Simplification", exact
    for range 1 (docs/methods/guessing_advantage.md).
    """
    return shift_odds(p, _rest(p), shift_of(epsilon, 1.0, direction))


@public
@sheltered
def categorical_epsilon(*, p: Probability, advantage: Probability, direction: Directions = "rise") -> float:
    """Return the largest epsilon at which guessing a class gains no more than an advantage.

    Arguments: p, the prior probability of the class; advantage in [0, 1]; direction, also "both". Returns epsilon,
    infinite where nothing exceeds the advantage. **Never above the true value, within 1e-14 relative below.** Raises
    InvalidInput. Source: Pankova & Laud 2022, "Computing epsilon for a fixed guessing advantage", range 1.
    """
    return min(simplified_limit(p, advantage, 1.0, change) for change in changes_of(direction))


@public
@sheltered
def worst_class(
    *,
    prior: Mapping[str, NonNegative],
    advantage: Probability | None = None,
    epsilon: Epsilon | None = None,
    direction: Directions = "rise",
) -> WorstClass:
    """Return the class on which an adversary gains most, with the epsilon for an advantage or the reverse.

    Arguments: prior, {class: probability} (masses are normalised, classes of mass 0 left out); exactly one of advantage
    in [0, 1] and epsilon >= 0; direction, also "both". Returns {label, p, epsilon, advantage}, the first of several
    that tie; epsilon is infinite where no class ever gains that much. **Epsilon from an advantage is never above the
    true value.** Raises InvalidInput. Source: docs/methods/guessing_advantage.md, "Several attributes".
    """
    if (advantage is None) == (epsilon is None):
        raise _needs_one_of_two()
    positive = {label: mass for label, mass in prior.items() if mass > 0.0}
    if not positive:
        raise InvalidInput(
            "must have a class with a positive probability; found {found} without",
            "prior",
            "Enter the classes.",
            found=len(prior),
        )
    total = sum(decimal(mass) for mass in positive.values())
    shares = {label: float(decimal(mass) / total) for label, mass in positive.items()}
    if advantage is not None:
        limits = {
            label: categorical_epsilon(p=p, advantage=advantage, direction=direction) for label, p in shares.items()
        }
        label = min(limits, key=limits.__getitem__)
        return WorstClass.model_construct(label=label, p=shares[label], epsilon=limits[label], advantage=advantage)
    assert epsilon is not None
    shifts = [shift_of(epsilon, 1.0, change) for change in changes_of(direction)]
    gains = {label: max(abs(shift_odds(p, _rest(p), shift) - p) for shift in shifts) for label, p in shares.items()}
    label = max(gains, key=gains.__getitem__)
    return WorstClass.model_construct(label=label, p=shares[label], epsilon=epsilon, advantage=gains[label])
