"""What a number is still good for: the error of its actual noise, for each requirement of accuracy."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from tests.oracles.judge.world import World

Told = Mapping[str, Any]


def _noise(world: World, asked: Told, epsilon: float) -> tuple[str, float]:
    named = [table for table in world.tables if asked.get("part") in (None, table.name)]
    return named[0].mechanism, world.scale(named[0], epsilon)


def _alpha(scale: float) -> float:
    return math.exp(-1 / scale)


def rmse(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The root of the mean square of the noise."""
    law, scale = _noise(world, asked, epsilon)
    if law == "geometric":
        alpha = _alpha(scale)
        return math.sqrt(2 * alpha) / (1 - alpha), asked["at_most"]
    return scale * (math.sqrt(2) if law == "laplace" else 1.0), asked["at_most"]


def mean_absolute_error(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The mean of the noise without its sign."""
    law, scale = _noise(world, asked, epsilon)
    if law == "geometric":
        alpha = _alpha(scale)
        return 2 * alpha / (1 - alpha * alpha), asked["at_most"]
    return scale * (1.0 if law == "laplace" else math.sqrt(2 / math.pi)), asked["at_most"]


def noise_interval(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that the noise is beyond the half-width."""
    law, scale = _noise(world, asked, epsilon)
    return beyond(law, scale, asked["half_width"]), 1 - asked["level"]


def beyond(law: str, scale: float, width: float) -> float:
    """Return P(|noise| > WIDTH)."""
    if law == "geometric":
        alpha = _alpha(scale)
        return 2 * alpha ** (math.floor(width) + 1) / (1 + alpha)
    return math.exp(-width / scale) if law == "laplace" else math.erfc(width / scale / math.sqrt(2))


def exact_probability(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that the number is off."""
    alpha = _alpha(_noise(world, asked, epsilon)[1])
    return 2 * alpha / (1 + alpha), 1 - asked["at_least"]


def switch_probability(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that a noisy count lies on the other side of its threshold; a true count is from 0 to all records."""
    alpha = _alpha(_noise(world, asked, epsilon)[1])
    if asked.get("steps") is not None:
        return alpha ** asked["steps"] / (1 + alpha), asked["at_most"]
    target, per, deviation = (Fraction(repr(float(asked[name]))) for name in ("target", "per", "deviation"))
    records = asked["records"]
    threshold = math.floor(records * target / per)
    above = max(threshold + 1, math.floor(records * (target + deviation) / per + Fraction(1, 2)))
    below = min(threshold, math.floor(records * (target - deviation) / per + Fraction(1, 2)))
    above, below = min(above, records), max(below, 0)
    side, chances = asked.get("side", "worst"), [0.0]
    if side in ("above", "worst") and above > threshold:
        chances.append(alpha ** (above - threshold) / (1 + alpha))
    if side in ("below", "worst") and below <= threshold:
        chances.append(alpha ** (threshold + 1 - below) / (1 + alpha))
    return max(chances), asked["at_most"]


KINDS: dict[str, Callable[[World, Told, float, Told], tuple[float, float]]] = {
    function.__name__: function
    for function in (rmse, mean_absolute_error, noise_interval, exact_probability, switch_probability)
}
