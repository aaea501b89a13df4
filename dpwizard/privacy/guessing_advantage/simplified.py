"""The simplified bounds of Pankova & Laud 2022, and the prior that is worst for them."""

from __future__ import annotations

import math

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal
from dpwizard.base.values import Epsilon, Probability, Ratio, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import SAFE, Directions, moved, sheltered, shift_of, ways
from dpwizard.privacy.guessing_advantage.given_truth import Direction


class WorstPrior(Value):
    """The prior probability at which the simplified bound gives the attacker most."""

    p: float = field("Prior probability", default=...)
    epsilon: float = field("Epsilon", default=...)
    advantage: float = field("Advantage", default=...)


@public
@sheltered
def simplified_posterior(*, p: Probability, epsilon: Epsilon, range: Ratio, direction: Direction = "rise") -> float:
    """Return the simplified bound on the probability of a correct guess after a release.

    Arguments: p, the prior probability; epsilon >= 0 per precision; range >= 0, the widest distance within the support
    in precisions ("inf" allowed: then nothing is bounded); direction. Returns 1/(1 + e^(-epsilon range) (1-p)/p), for
    a drop with the sign turned, to 1e-15 relative. **A rise is bounded from above, a drop from below.** Raises
    InvalidInput. Source: Pankova & Laud 2022, "Simplification".
    """
    return moved(p, shift_of(epsilon, range, direction))


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
    return min(simplified_loss(p, advantage, range, way) for way in ways(direction))


def simplified_loss(p: float, advantage: float, range: float, direction: Direction) -> float:
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
@sheltered
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
        elif math.isinf(range) or advantage == 0.0:
            loss = 0.0
        else:
            loss = 4.0 * math.atanh(advantage) / max(range, 1e-300) * SAFE
        return WorstPrior.model_construct(p=(1.0 - advantage) / 2.0, epsilon=loss, advantage=advantage)
    if epsilon is None:  # cannot be: checked above
        raise InvalidInput("is missing", "epsilon", "Give epsilon or advantage.")
    shift = shift_of(epsilon, range, "rise")
    return WorstPrior.model_construct(p=moved(0.5, -shift / 2.0), epsilon=epsilon, advantage=math.tanh(shift / 4.0))
