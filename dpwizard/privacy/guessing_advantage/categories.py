"""Guessing a category: classes at distance 1 from one another."""

from __future__ import annotations

from collections.abc import Mapping

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Epsilon, NonNegative, Probability, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import Directions, moved, sheltered, shift_of, ways
from dpwizard.privacy.guessing_advantage.given_truth import Direction
from dpwizard.privacy.guessing_advantage.simplified import simplified_loss


class WorstClass(Value):
    """The class of a categorical attribute against which the attacker gains most."""

    label: str = field("Class", default=...)
    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


@public
@sheltered
def categorical_posterior(*, p: Probability, epsilon: Epsilon, direction: Direction = "rise") -> float:
    """Return the exact bound on the probability of guessing a class after a release; classes are at distance 1.

    Arguments: p, the prior probability of the class; epsilon >= 0, the loss when the class changes; direction. Returns
    1/(1 + e^-epsilon (1-p)/p), for a drop with the sign turned, to 1e-15 relative. **A rise is bounded from above, a
    drop from below.** Raises InvalidInput. Source: Pankova & Laud 2022, "Simplification", exact
    for range 1 (docs/methods/guessing_advantage.md).
    """
    return moved(p, shift_of(epsilon, 1.0, direction))


@public
@sheltered
def categorical_epsilon(*, p: Probability, advantage: Probability, direction: Directions = "rise") -> float:
    """Return the largest epsilon at which guessing a class gains no more than an advantage.

    Arguments: p, the prior probability of the class; advantage in [0, 1]; direction, also "both". Returns epsilon,
    infinite where nothing exceeds the advantage. **Never above the true value, within 1e-14 relative below.** Raises
    InvalidInput. Source: Pankova & Laud 2022, "Computing epsilon for a fixed guessing advantage", range 1.
    """
    return min(simplified_loss(p, advantage, 1.0, way) for way in ways(direction))


@public
@sheltered
def worst_class(
    *,
    prior: Mapping[str, NonNegative],
    advantage: Probability | None = None,
    epsilon: Epsilon | None = None,
    direction: Directions = "rise",
) -> WorstClass:
    """Return the class against which an attacker gains most, with the epsilon for an advantage or the reverse.

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
            "must have a class with a positive probability; found {found} without",
            "prior",
            "Enter the classes.",
            found=len(prior),
        )
    total = sum(decimal(mass) for mass in kept.values())
    shares = {label: float(decimal(mass) / total) for label, mass in kept.items()}
    if advantage is not None:
        found = [
            (min(simplified_loss(p, advantage, 1.0, way) for way in ways(direction)), advantage, label, p)
            for label, p in shares.items()
        ]
        chosen = min(found, key=lambda each: each[0])
    else:
        loss = 0.0 if epsilon is None else epsilon
        found = [
            (loss, max(abs(moved(p, shift_of(loss, 1.0, way)) - p) for way in ways(direction)), label, p)
            for label, p in shares.items()
        ]
        chosen = max(found, key=lambda each: each[1])
    return WorstClass.model_construct(label=chosen[2], p=chosen[3], epsilon=chosen[0], advantage=chosen[1])
