"""The error of a number's actual noise, for each accuracy requirement."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import numpy as np

from tests.oracles.judge.noise import WHOLE, WIDE, Floats, lattice
from tests.oracles.judge.world import World

Told = Mapping[str, Any]


def _noise(world: World, asked: Told, epsilon: float) -> tuple[str, float]:
    named = [table for table in world.tables if asked.get("part") in (None, table.name)]
    return named[0].mechanism, world.scale(named[0], epsilon)


def _whole(sigma: float) -> tuple[Floats, Floats]:
    """Return the values of discrete normal noise and their chances."""
    far, tails = lattice(sigma)
    return np.arange(-far, far + 1), tails[:-1] - tails[1:]


def _alpha(scale: float) -> float:
    return math.exp(-1 / scale)


def rmse(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The root of the mean square of the noise."""
    law, scale = _noise(world, asked, epsilon)
    if law == "geometric":
        alpha = _alpha(scale)
        return math.sqrt(2 * alpha) / (1 - alpha), asked["at_most"]
    if law == "discrete_gaussian" and scale <= WIDE:
        values, chances = _whole(scale)
        return math.sqrt(chances @ values**2), asked["at_most"]
    return scale * (math.sqrt(2) if law == "laplace" else 1.0), asked["at_most"]


def mean_absolute_error(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The mean of the noise without its sign."""
    law, scale = _noise(world, asked, epsilon)
    if law == "geometric":
        alpha = _alpha(scale)
        return 2 * alpha / (1 - alpha * alpha), asked["at_most"]
    if law == "discrete_gaussian" and scale <= WIDE:
        values, chances = _whole(scale)
        return float(chances @ np.abs(values)), asked["at_most"]
    return scale * (1.0 if law == "laplace" else math.sqrt(2 / math.pi)), asked["at_most"]


def noise_interval(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that the noise is beyond the half-width."""
    law, scale = _noise(world, asked, epsilon)
    return beyond(law, scale, asked["half_width"]), 1 - asked["level"]


def beyond(law: str, scale: float, width: float | Fraction) -> float:
    """Return P(|noise| > WIDTH)."""
    if law == "geometric":
        alpha = _alpha(scale)
        return 2 * alpha ** (math.floor(width) + 1) / (1 + alpha)
    if law == "discrete_gaussian":
        if scale > WIDE:
            return math.erfc((math.floor(width) + 0.5) / scale / math.sqrt(2))
        far, tails = lattice(scale)
        return 2 * float(tails[min(math.floor(width) + 1 + far, 2 * far + 1)])
    return math.exp(-width / scale) if law == "laplace" else math.erfc(width / scale / math.sqrt(2))


def half_width(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """The smallest distance that noise is beyond with a chance of what the level leaves, at most."""
    law, scale = _noise(world, asked, epsilon)
    low, high = 0.0, 1.0
    while beyond(law, scale, high) > 1 - asked["level"]:
        low, high = high, 2 * high
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if beyond(law, scale, middle) > 1 - asked["level"] else (low, middle)
    return float(round(high)) if law in WHOLE else high


def coverage(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """The chance that noise is within the half-width that the answer says."""
    return 1 - beyond(*_noise(world, asked, epsilon), binding["half_width"])


def exact_probability(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that the number is off."""
    return beyond(*_noise(world, asked, epsilon), 0), 1 - asked["at_least"]


def switch_probability(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that a noisy count lies on the other side of its threshold; a true count is from 0 to all records."""
    law, scale = _noise(world, asked, epsilon)
    if asked.get("steps") is not None:
        return _above(law, scale, asked["steps"] - 1), asked["at_most"]
    threshold, above, below = counts(asked)
    side, chances = asked.get("side", "worst"), [0.0]
    if side in ("above", "worst") and above > threshold:
        chances.append(_above(law, scale, above - threshold - 1))
    if side in ("below", "worst") and below <= threshold:
        chances.append(_above(law, scale, threshold - below))
    return max(chances), asked["at_most"]


def counts(asked: Told) -> tuple[int, int, int]:
    """Return the largest count that meets the target, and the true counts above and below it."""
    target, per, deviation = (Fraction(repr(float(asked[name]))) for name in ("target", "per", "deviation"))
    records = asked["records"]
    threshold = math.floor(records * target / per)
    above = max(threshold + 1, math.floor(records * (target + deviation) / per + Fraction(1, 2)))
    below = min(threshold, math.floor(records * (target - deviation) / per + Fraction(1, 2)))
    return threshold, min(above, records), max(below, 0)


def relative_error(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that the noise is more than a share of a number."""
    law, scale = _noise(world, asked, epsilon)
    return beyond(law, scale, _exactly(asked["fraction"]) * _exactly(asked["of"])), asked["at_most"]


def all_within(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that some number of the table is further off than the half-width."""
    law, scale = _noise(world, asked, epsilon)
    missed = beyond(law, scale, _exactly(asked["half_width"]))
    return 1 - (1 - missed) ** _numbers(world, asked), 1 - asked["level"]


def share_within(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that fewer numbers of the table lie within the half-width than are wanted: term by term."""
    law, scale = _noise(world, asked, epsilon)
    missed, numbers = beyond(law, scale, _exactly(asked["half_width"])), _numbers(world, asked)
    wanted = math.ceil(_exactly(asked["share"]) * numbers)
    fewer = (math.comb(numbers, k) * (1 - missed) ** k * missed ** (numbers - k) for k in range(wanted))
    return math.fsum(fewer), 1 - asked["level"]


def drop_rate(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that a noisy number stays below its threshold."""
    law, scale = _noise(world, asked, epsilon)
    gap = _exactly(asked["threshold"]) - _exactly(asked["true_value"])
    if law in WHOLE:
        gap = math.ceil(_exactly(asked["threshold"])) - _exactly(asked["true_value"])
        return _above(law, scale, math.floor(-gap)), asked["at_most"]
    return beyond(law, scale, -gap) / 2, asked["at_most"]


def spurious_rate(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The chance that noise alone reaches the threshold."""
    law, scale = _noise(world, asked, epsilon)
    threshold = _exactly(asked["threshold"])
    if law in WHOLE:
        return _above(law, scale, math.ceil(threshold) - 1), asked["at_most"]
    return beyond(law, scale, threshold) / 2, asked["at_most"]


def margin_of_error(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """So many standard deviations of the noise."""
    spread, _ = rmse(world, asked | {"at_most": 0}, epsilon, binding)
    return spread * asked["z"], asked["half_width"]


def _exactly(value: float) -> Fraction:
    return Fraction(repr(float(value)))


def _numbers(world: World, asked: Told) -> int:
    return next(table for table in world.tables if asked.get("part") in (None, table.name)).dimension


def _above(law: str, scale: float, least: int) -> float:
    """Return P(noise > LEAST) of whole noise, LEAST >= 0."""
    return beyond(law, scale, least) / 2


KINDS: dict[str, Callable[[World, Told, float, Told], tuple[float, float]]] = {
    function.__name__: function
    for function in (
        rmse,
        mean_absolute_error,
        noise_interval,
        exact_probability,
        switch_probability,
        relative_error,
        all_within,
        share_within,
        drop_rate,
        spurious_rate,
        margin_of_error,
    )
}
