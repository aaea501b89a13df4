"""With which chance a number that was made to add up lies within a half-width of the truth.

Its noise is a weighted sum of all that was added. Where the noise is whole and the weights are fractions with a small
common denominator, the law stands on one lattice and is exact. Otherwise each summand is moved to the next point of a
fine grid: by half a step at most, so that a narrower and a wider half-width enclose the chance.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, ShortText, Value, field, public
from dpwizard.privacy.adding_up.tree import NoisyNumber, Variance, published_variances, tree_of, weights
from dpwizard.privacy.mechanisms import LatticeNoise, Noise, NoiseName, noise_named

FEW = 12  # different standard deviations up to which weights are kept as fractions
STEP = 2e-4  # of the standard deviation: the step of the fine grid
LARGEST = 1 << 21  # points of a grid
REACH = 9.5  # standard deviations of a discrete Gaussian, or of a sum, beyond which less than 1e-19 lies
FAR = 50.0  # the same for the tails of Laplace and geometric noise
RAREST = -45.0  # logarithm of a chance that counts for nothing
SLACK = 1e-11  # rounding of the Fourier transform, and what lies beyond the grid


class Chance(Value):
    """A chance between two bounds."""

    lower: float = field("The chance is at least this", default=...)
    upper: float = field("The chance is at most this", default=...)


def lattice_masses(noise: LatticeNoise, scale: float, count: int) -> tuple[Any, Any]:
    """Return the places and the masses of a sum of COUNT whole numbers with NOISE."""
    alone = _reach(noise, scale)
    far = REACH if noise.euclidean else FAR
    reach = max(alone, min(math.ceil(far * noise.sd(scale) * math.sqrt(count)), alone * count))
    if reach > LARGEST // 2:
        raise InvalidInput("has noise too wide to follow", "nodes", "State all numbers in a larger unit.")
    places = np.arange(-reach, reach + 1)
    upper = np.array([noise.height(scale, float(place)) for place in range(alone + 1)])
    masses = np.zeros(len(places))
    masses[reach : reach + alone + 1] = upper
    masses[reach - alone : reach + 1] = upper[::-1]
    if count == 1:
        return places, masses
    size = 1 << (2 * reach + 1).bit_length()
    added = np.fft.irfft(np.fft.rfft(np.bincount(places % size, masses, size)) ** count, size)
    return places, np.maximum(added[places % size], 0.0)


def _reach(noise: Noise, scale: float) -> int:
    """Return a whole number beyond which one number lies with a chance below 1e-19."""
    reach = 2
    while noise.log_tail(scale, reach) > RAREST and reach <= LARGEST:
        reach *= 2
    return reach


def cells(noise: Noise, scale: float, step: float) -> tuple[Any, Any]:
    """Return the masses of one number with continuous NOISE moved to the next of the points STEP apart."""
    reach = _reach(noise, scale / step)
    tails = np.exp([noise.log_tail(scale / step, place - 0.5) for place in range(1, reach + 2)])
    upper = tails[:-1] - tails[1:]
    return np.arange(-reach, reach + 1), np.concatenate((upper[::-1], [1.0 - 2.0 * tails[0]], upper))


@public
def within_after(
    *,
    nodes: Annotated[tuple[NoisyNumber, ...], Field(min_length=1, max_length=2_000)],
    node: ShortText,
    half_width: NonNegative,
    mechanism: NoiseName,
    sd: Literal["true", "parameter"] = "true",
) -> Chance:
    """Return the chance that a number that was made to add up lies within HALF_WIDTH of the truth.

    Arguments: nodes as of adding_up; node, the name of one of them; half_width >= 0; mechanism, the noise of all:
    geometric | laplace | gaussian | discrete_gaussian; sd: "true", or "parameter" where the nodes state the parameter
    sigma of discrete Gaussian noise, whose standard deviation below sigma 1.5 is smaller. The weights are those of the
    squares of what the nodes state. Returns lower and upper, each a bound on the chance; they meet, but for 1e-11,
    where the noise is Gaussian, or whole with weights of a small common denominator. **A need is met where lower
    reaches its level.** Raises InvalidInput, and Infeasible for a number of which nothing tells. Source:
    docs/methods/adding_up.md.
    """
    noise = noise_named(mechanism)
    if sd == "parameter" and not noise.euclidean:
        raise InvalidInput("speaks of Gaussian noise alone", "sd", 'State "true" for Laplace and geometric noise.')
    tree = tree_of(nodes)
    of = next((at for at, each in enumerate(nodes) if each.name == node), None)
    if of is None:
        raise InvalidInput(message('no number has the name "{name}"', name=node), "node", "Name one of nodes.")
    stated = {each.sd for each in nodes}
    exact = len(stated) <= FEW
    variances = [None if each.sd is None else decimal(each.sd) ** 2 if exact else each.sd**2 for each in nodes]
    variance = published_variances(tree, variances)[of]
    if not variance:
        return Chance(lower=1.0, upper=1.0)
    if noise.normal:
        chance = math.erf(half_width / math.sqrt(2.0 * variance))
        return Chance(lower=max(0.0, chance - 1e-15), upper=min(1.0, chance + 1e-15))
    scales = {each.sd: each.sd if sd == "parameter" else _scale(noise, each.sd) for each in nodes if each.sd}
    parts: Parts = Counter()
    for at, weight in weights(tree, variances, of).items():
        size: Variance = weight if weight > 0 else -weight
        parts[size, scales[nodes[at].sd or 0.0]] += 1
    lower, upper = _enclosed(noise, parts, decimal(half_width))
    return Chance(lower=max(0.0, lower - SLACK), upper=min(1.0, upper + SLACK))


Parts = Counter[tuple[Variance, float]]  # how often each weight enters with noise of each scale


def _scale(noise: Noise, deviation: float) -> float:
    """Return the scale at which NOISE has this standard DEVIATION."""
    low, high = 0.0, 2.0 * deviation + 1.0
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        low, high = (middle, high) if noise.sd(middle) < deviation else (low, middle)
    return high


def _enclosed(noise: Noise, parts: Parts, half_width: Fraction) -> tuple[float, float]:
    """Return bounds of the chance that the weighted sum of PARTS lies within HALF_WIDTH."""
    far = REACH if noise.euclidean else FAR
    spread = (count * (float(weight) * noise.sd(scale)) ** 2 for (weight, scale), count in parts.items())
    deviation = math.sqrt(math.fsum(spread))
    fractions = [weight for weight, _ in parts if isinstance(weight, Fraction | int)]
    if len(fractions) == len(parts) and noise.on_lattice:
        denominator = math.lcm(*(Fraction(weight).denominator for weight in fractions))
        size = 1 << math.ceil(2.0 * far * deviation * denominator + 2.0).bit_length()
        if size <= LARGEST:
            chance = _within(_product(noise, parts, denominator, size), math.floor(half_width * denominator))
            return chance, chance
    step = STEP * deviation
    size = 1 << math.ceil(2.0 * far / STEP + 2.0).bit_length()
    law = _product(noise, parts, 1.0 / step, size)
    moved = 0.5 * step * (len(parts) if noise.on_lattice else sum(parts.values()))
    narrower = math.floor((float(half_width) - moved) / step - 1e-9)
    wider = math.floor((float(half_width) + moved) / step + 1e-9)
    return _within(law, narrower), _within(law, wider)


def _product(noise: Noise, parts: Parts, points_of_one: float, size: int) -> Any:
    """Return the law of the weighted sum on SIZE points; what lies between two of them moves to the nearer."""
    product = np.ones(size // 2 + 1, dtype=complex)
    for (weight, scale), count in parts.items():
        if noise.whole is not None:
            places, masses = lattice_masses(noise.whole, scale, count)
            points = np.rint(float(weight * points_of_one) * places).astype(np.int64)
            power = 1
        else:
            points, masses = cells(noise, scale, 1.0 / (float(weight) * points_of_one))
            power = count
        product *= np.fft.rfft(np.bincount(points % size, masses, size)) ** power
    return np.fft.irfft(product, size)


def _within(law: Any, furthest: int) -> float:
    """Return the mass of LAW, which goes round, from -FURTHEST to FURTHEST."""
    if furthest < 0:
        return 0.0
    furthest = min(furthest, len(law) // 2 - 1)
    upper = float(law[: furthest + 1].sum())
    return upper + (float(law[-furthest:].sum()) if furthest else 0.0)
