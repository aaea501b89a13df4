"""With which chance a number that was made to add up lies within a half-width of the truth.

Its noise is a weighted sum of all that was added. Where the noise is whole and the weights are fractions with a small
common denominator, the law stands on one lattice and is exact. Otherwise each summand is moved to the next point of a
fine grid: by half a step at most, so that a narrower and a wider half-width enclose the chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, ShortText, Value, field, public
from dpwizard.privacy.adding_up.tree import NoisyNumber, Tree, Variance, published_variances, tree_of, weights
from dpwizard.privacy.mechanisms import Budgeted

FEW = 12  # different standard deviations up to which weights are kept as fractions
STEP = 2e-4  # of the standard deviation: the step of the fine grid
LARGEST = 1 << 21  # points of a grid
REACH = 9.5  # standard deviations of a discrete Gaussian, or of a sum, beyond which less than 1e-19 lies
FAR = 50.0  # the same for the tails of Laplace and geometric noise
SLACK = 1e-11  # rounding of the Fourier transform, and what lies beyond the grid


class Chance(Value):
    """A chance between two bounds."""

    lower: float = field("The chance is at least this", default=...)
    upper: float = field("The chance is at most this", default=...)


@dataclass(frozen=True)
class Noise:
    """The noise of one number: its mechanism and scale, 1 by the rate or sigma."""

    mechanism: Budgeted
    scale: float

    @property
    def is_whole(self) -> bool:
        """Return whether only whole numbers are added."""
        return self.mechanism in ("geometric", "discrete_gaussian")

    def masses(self, count: int) -> tuple[Any, Any]:
        """Return the places and the masses of a sum of COUNT whole numbers with this noise."""
        alone = (
            math.ceil(REACH * self.scale + 3) if self.mechanism == "discrete_gaussian" else math.ceil(45 * self.scale)
        )
        wide = math.ceil(
            (REACH if self.mechanism == "discrete_gaussian" else FAR) * self.scale * 1.5 * math.sqrt(count)
        )
        reach = max(alone, min(wide, alone * count)) + 2
        if reach > LARGEST // 2:
            raise InvalidInput("has noise too wide to follow", "nodes", "State all numbers in a larger unit.")
        places = np.arange(-reach, reach + 1)
        logs = -np.abs(places) / self.scale if self.mechanism == "geometric" else -(places**2) / (2.0 * self.scale**2)
        masses = np.exp(logs)
        masses /= masses.sum()
        if count == 1:
            return places, masses
        size = 1 << (2 * reach + 1).bit_length()
        wrapped = np.zeros(size)
        wrapped[places % size] = masses
        added = np.fft.irfft(np.fft.rfft(wrapped) ** count, size)
        return places, np.maximum(added[places % size], 0.0)

    def cells(self, step: float) -> tuple[Any, Any]:
        """Return the masses of one Laplace number moved to the next of the points STEP apart."""
        reach = math.ceil(45.0 * self.scale / step) + 2
        edges = (np.arange(-reach, reach + 2) - 0.5) * step / self.scale
        below = np.where(edges < 0.0, 0.5 * np.exp(-np.abs(edges)), 1.0 - 0.5 * np.exp(-np.abs(edges)))
        return np.arange(-reach, reach + 1), np.diff(below)


@public
def within_after(
    *,
    nodes: Annotated[tuple[NoisyNumber, ...], Field(min_length=1, max_length=2_000)],
    node: ShortText,
    half_width: NonNegative,
    mechanism: Budgeted,
    sd: Literal["true", "parameter"] = "true",
) -> Chance:
    """Return the chance that a number that was made to add up lies within HALF_WIDTH of the truth.

    Arguments: nodes as of adding_up; node, the name of one of them; half_width >= 0; mechanism, the noise of all:
    geometric | laplace | gaussian | discrete_gaussian; sd: "true", or "parameter" where the nodes state the parameter
    sigma of discrete Gaussian noise, whose standard deviation below sigma 1.5 is smaller. The weights are those of the
    squares of what the nodes state. Returns lower and upper bounds of the chance; they meet, but for 1e-11, where the
    noise is Gaussian, or whole with weights of a small common denominator. **A need is met where lower reaches its
    level.** Raises InvalidInput, and Infeasible for a number of which nothing tells. Source: docs/methods/adding_up.md.
    """
    if sd == "parameter" and mechanism not in ("gaussian", "discrete_gaussian"):
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
    if mechanism == "gaussian":
        chance = math.erf(half_width / math.sqrt(2.0 * variance))
        return Chance(lower=max(0.0, chance - 1e-15), upper=min(1.0, chance + 1e-15))
    parts = _parts(tree, variances, of, nodes, mechanism, sd)
    lower, upper = _enclosed(parts, decimal(half_width))
    return Chance(lower=max(0.0, lower - SLACK), upper=min(1.0, upper + SLACK))


Parts = Mapping[tuple[Variance, Noise], int]  # how often each weight enters with each noise


def _parts(
    tree: Tree,
    variances: Sequence[Variance | None],
    of: int,
    nodes: Sequence[NoisyNumber],
    mechanism: Budgeted,
    sd: str,
) -> Parts:
    noises = {each.sd: Noise(mechanism, _scale(mechanism, each.sd, sd)) for each in nodes if each.sd}
    found: Counter[tuple[Variance, Noise]] = Counter()
    for at, weight in weights(tree, variances, of).items():
        size: Variance = weight if weight > 0 else -weight
        found[size, noises[nodes[at].sd or 0.0]] += 1
    return found


def _scale(mechanism: Budgeted, deviation: float, sd: str) -> float:
    """Return the scale of noise with this standard DEVIATION; DEVIATION itself where SD says it is the parameter."""
    if mechanism == "laplace":
        return deviation / math.sqrt(2.0)
    if mechanism == "geometric":  # variance 1 / (2 sinh^2(rate / 2))
        return 0.5 / math.asinh(1.0 / (math.sqrt(2.0) * deviation))
    if sd == "parameter" or deviation > 1.5:
        return deviation
    low, high = 0.05, 1.6
    while high - low > 1e-14:
        middle = (low + high) / 2.0
        places, masses = Noise("discrete_gaussian", middle).masses(1)
        low, high = (middle, high) if float(masses @ places**2) < deviation**2 else (low, middle)
    return high


def _enclosed(parts: Parts, half_width: Fraction) -> tuple[float, float]:
    """Return bounds of the chance that the weighted sum of PARTS lies within HALF_WIDTH."""
    far = REACH if all(noise.mechanism == "discrete_gaussian" for _, noise in parts) else FAR
    deviation = math.sqrt(sum(count * (float(weight) * _wide(noise)) ** 2 for (weight, noise), count in parts.items()))
    fractions = [weight for weight, _ in parts if isinstance(weight, Fraction | int)]
    if len(fractions) == len(parts) and all(noise.is_whole for _, noise in parts):
        denominator = math.lcm(*(Fraction(weight).denominator for weight in fractions))
        size = 1 << math.ceil(2.0 * far * deviation * denominator + 2.0).bit_length()
        if size <= LARGEST:
            whole = {key: Fraction(key[0]) * denominator for key in parts}
            chance = _within(_product(parts, whole, size), math.floor(half_width * denominator))
            return chance, chance
    step = STEP * deviation
    size = 1 << math.ceil(2.0 * far / STEP + 2.0).bit_length()
    placed = {key: float(key[0]) / step for key in parts}
    law = _product(parts, placed, size)
    moved = 0.5 * step * sum(1 if noise.is_whole else count for (_, noise), count in parts.items())
    narrower = math.floor((float(half_width) - moved) / step - 1e-9)
    wider = math.floor((float(half_width) + moved) / step + 1e-9)
    return _within(law, narrower), _within(law, wider)


def _wide(noise: Noise) -> float:
    """Return a bound on the standard deviation of NOISE."""
    return noise.scale * (1.0 if noise.mechanism == "discrete_gaussian" else math.sqrt(2.0))


def _product(parts: Parts, placed: Mapping[tuple[Variance, Noise], Any], size: int) -> Any:
    """Return the law of the weighted sum on SIZE points, each part put on the multiples that PLACED gives it."""
    product = np.ones(size // 2 + 1, dtype=complex)
    for key, count in parts.items():
        _, noise = key
        if noise.is_whole:
            places, masses = noise.masses(count)
            points = np.rint(float(placed[key]) * places).astype(np.int64)
            power = 1
        else:
            points, masses = noise.cells(1.0 / float(placed[key]))
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
