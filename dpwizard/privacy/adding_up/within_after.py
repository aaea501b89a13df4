"""The probability that a number, after adjusting to add up, is within a half-width of the true one."""

from __future__ import annotations

import math
from collections import Counter
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, ShortText, Value, field, public
from dpwizard.privacy.accuracy import Part, distribution_of
from dpwizard.privacy.adding_up.linked_tables import TreeOfTables
from dpwizard.privacy.adding_up.tree import NoisyNumber, published_variances, tree_of
from dpwizard.privacy.mechanisms import Noise, NoiseName, noise_named

FEW = 12  # the most different standard deviations for which weights are fractions


class Chance(Value):
    """A lower and an upper bound on a probability."""

    lower: float = field("The chance is at least this", default=...)
    upper: float = field("The chance is at most this", default=...)


@public
def within_after(
    *,
    nodes: Annotated[tuple[NoisyNumber, ...], Field(min_length=1, max_length=2_000)],
    node: ShortText,
    half_width: NonNegative,
    mechanism: NoiseName,
    sd: Literal["true", "parameter"] = "true",
) -> Chance:
    """Return the probability that a number adjusted to add up is within HALF_WIDTH of the truth.

    Arguments: nodes as of adding_up; node, the name of one of them; half_width >= 0; mechanism, the noise of all:
    geometric | laplace | gaussian | discrete_gaussian; sd: "true", or "parameter" where the nodes state the parameter
    sigma of discrete Gaussian noise, whose standard deviation below sigma 1.5 is smaller. The weights are those of the
    squares of what the nodes state. Returns lower and upper, each a bound on the chance; they differ by 1e-11 at most
    where the noise is Gaussian, or whole with weights of a small common denominator. **A requirement is met if lower
    reaches its level.** Raises InvalidInput, and Infeasible for a number without information. Source:
    docs/methods/adding_up.md.
    """
    noise = noise_named(mechanism)
    if sd == "parameter" and not noise.uses_l2:
        raise InvalidInput("is about Gaussian noise alone", "sd", 'State "true" for Laplace and geometric noise.')
    tree = tree_of(nodes)
    position = next((at for at, number in enumerate(nodes) if number.name == node), None)
    if position is None:
        raise InvalidInput(message('no number has the name "{name}"', name=node), "node", "Name one of nodes.")
    sds = {number.sd for number in nodes}
    as_fractions = len(sds) <= FEW
    variances = [
        None if number.sd is None else decimal(number.sd) ** 2 if as_fractions else number.sd**2 for number in nodes
    ]
    variance = published_variances(tree, variances)[position]
    if not variance:
        return Chance(lower=1.0, upper=1.0)
    if noise.normal:
        chance = math.erf(half_width / math.sqrt(2.0 * variance))
        return Chance(lower=max(0.0, chance - 1e-15), upper=min(1.0, chance + 1e-15))
    scales = {
        number.sd: number.sd if sd == "parameter" else _scale_with_deviation(noise, number.sd)
        for number in nodes
        if number.sd
    }
    parts: Counter[Part] = Counter()
    tables = TreeOfTables(("noisy",) * len(nodes), tree, tuple(range(len(nodes))))
    for (weight, at), count in tables.weights(position, variances).items():
        parts[noise, scales[nodes[at].sd or 0.0], weight if weight > 0 else -weight] += count
    lower, upper = distribution_of(tuple(parts.items())).within(decimal(half_width))
    return Chance(lower=lower, upper=upper)


def _scale_with_deviation(noise: Noise, deviation: float) -> float:
    low, high = 0.0, 2.0 * deviation + 1.0
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        low, high = (middle, high) if noise.sd(middle) < deviation else (low, middle)
    return high
