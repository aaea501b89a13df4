"""With which chance a number that was made to add up lies within a half-width of the truth.

Its noise is a weighted sum of all that was added. Where the noise is whole and the weights are fractions with a small
common denominator, the law stands on one lattice and is exact. Otherwise each summand is moved to the next point of a
fine grid: by half a step at most, so that a narrower and a wider half-width enclose the chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import decimal
from dpwizard.base.values import NonNegative, ShortText, Value, field, public
from dpwizard.privacy.adding_up.linked_tables import TreeOfTables
from dpwizard.privacy.adding_up.tree import NoisyNumber, Variance, published_variances, tree_of
from dpwizard.privacy.mechanisms import LatticeNoise, Noise, NoiseName, noise_named

FEW = 12  # different standard deviations up to which weights are kept as fractions
STEP = 2.45e-4  # of the standard deviation: the step of the fine grid
LARGEST = 1 << 21  # points of a grid
REACH = 8.0  # standard deviations of a discrete Gaussian, or of a sum, beyond which less than 2e-15 lies
MERGED = 2.0  # from this sigma a sum of discrete Gaussians is one, but for 1e-16 of each mass
FAR = 25.0  # the same for Laplace and geometric noise, beyond which less than 1e-14 lies
RAREST = -45.0  # logarithm of a chance that counts for nothing
SLACK = 1e-11  # rounding of the Fourier transform, and what lies beyond the grid


class Chance(Value):
    """A chance between two bounds."""

    lower: float = field("The chance is at least this", default=...)
    upper: float = field("The chance is at most this", default=...)


def lattice_masses(noise: LatticeNoise, scale: float, count: int) -> tuple[Any, Any]:
    """Return the places and the masses of a sum of COUNT whole numbers with NOISE."""
    if noise.uses_l2 and scale >= MERGED:
        scale, count = scale * math.sqrt(count), 1
    alone, reach = _reach(noise, scale), _reach_of_sum(noise, scale, count)
    places = np.arange(-reach, reach + 1)
    steps = np.arange(alone + 1) / scale
    upper = np.exp(-0.5 * steps**2 if noise.uses_l2 else -steps)
    upper /= 2.0 * upper.sum() - upper[0]  # what lies further counts for nothing
    masses = np.zeros(len(places))
    masses[reach : reach + alone + 1] = upper
    masses[reach - alone : reach + 1] = upper[::-1]
    if count == 1:
        return places, masses
    size = 1 << (2 * reach + 1).bit_length()
    added = np.fft.irfft(np.fft.rfft(np.bincount(places % size, masses, size)) ** count, size)
    return places, np.maximum(added[places % size], 0.0)


def _reach(noise: Noise, scale: float) -> int:
    """Return a whole number beyond which one number lies with a chance below 2e-15."""
    return 2 + math.ceil(scale * (REACH if noise.uses_l2 else -RAREST))


def _reach_of_sum(noise: Noise, scale: float, count: int) -> int:
    alone = _reach(noise, scale)
    far = REACH if noise.uses_l2 else FAR * math.sqrt(2.0)  # of the scale: tiny noise reaches beyond its deviation
    return max(alone, min(math.ceil(far * scale * math.sqrt(count)), alone * count))


def _is_wide(noise: Noise, scale: float, count: int) -> bool:
    """Return whether a sum of COUNT numbers with NOISE is followed as continuous noise.

    Whole noise too wide for a lattice can be drawn together with normal or Laplace noise of its scale so that they lie
    at most 1 apart: its tail from k on lies between those of the continuous noise from k - 1 and from k on.
    """
    return not noise.integer_valued or _reach_of_sum(noise, scale, count) > LARGEST // 2


def cells(noise: Noise, scale: float, step: float) -> tuple[Any, Any]:
    """Return the masses of one number with continuous NOISE moved to the next of the points STEP apart."""
    from scipy.special import ndtr  # 0.1 s to import: only when it is needed

    reach = _reach(noise, scale / step)
    edges = (np.arange(1, reach + 2) - 0.5) * (step / scale)
    tails = ndtr(-edges) if noise.uses_l2 else 0.5 * np.exp(-edges)
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
    if sd == "parameter" and not noise.uses_l2:
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
    every = TreeOfTables(("noisy",) * len(nodes), tree, tuple(range(len(nodes))))
    for (weight, at), count in every.weights(of, variances).items():
        parts[noise, scales[nodes[at].sd or 0.0], weight if weight > 0 else -weight] += count
    lower, upper = law_of(parts).within(decimal(half_width))
    return Chance(lower=lower, upper=upper)


Part = tuple[Noise, float, Variance]
Parts = Counter[Part]  # how often noise of each scale enters with each weight above 0


@dataclass(frozen=True)
class NoiseDistribution:
    """The law of a weighted sum on points that go round; each summand was MOVED so far in all, at most."""

    masses: Any
    points_of_one: float
    moved: float  # in points
    exact: int = 0  # points of one, where no summand was moved

    def within(self, half_width: Fraction) -> tuple[float, float]:
        """Return bounds of the chance that the sum lies within HALF_WIDTH."""
        if self.exact:
            lower = upper = self._inside(math.floor(half_width * self.exact))
        else:
            points = float(half_width) * self.points_of_one
            lower = self._inside(math.floor(points - self.moved - 1e-9 * max(1.0, points)))
            upper = self._inside(math.floor(points + self.moved + 1e-9 * max(1.0, points)))
        return max(0.0, lower - SLACK), min(1.0, upper + SLACK)

    def mean_absolute(self) -> float:
        """Return the mean absolute value; rounded up."""
        places = np.arange(len(self.masses))
        found = float(np.maximum(self.masses, 0.0) @ np.minimum(places, len(places) - places))
        return (found + self.moved + SLACK * len(places)) / self.points_of_one

    def _inside(self, furthest: int) -> float:
        return float(self._sums[min(furthest, len(self._sums) - 1)]) if furthest >= 0 else 0.0

    @cached_property
    def _sums(self) -> Any:
        """Return the mass from -k to k, for each k."""
        half = len(self.masses) // 2
        both = self.masses[:half].copy()
        both[1:] += self.masses[:half:-1][: half - 1]
        return np.cumsum(both)


def _scale(noise: Noise, deviation: float) -> float:
    """Return the scale at which NOISE has this standard DEVIATION."""
    low, high = 0.0, 2.0 * deviation + 1.0
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        low, high = (middle, high) if noise.sd(middle) < deviation else (low, middle)
    return high


def law_of(parts: Parts) -> NoiseDistribution:
    """Return the law of the weighted sum of PARTS: on a lattice, where weights have a small common denominator."""
    felt = {part: count for part, count in parts.items() if float(part[2])}  # no float holds what the others come to
    far = REACH if all(noise.uses_l2 for noise, _, _ in felt) else FAR
    # noise that is nearly always 0 reaches further than its standard deviation says
    sizes = [float(w) * scale * math.sqrt(n if noise.uses_l2 else 2 * n) for (noise, scale, w), n in felt.items()]
    deviation = math.hypot(*sizes)
    wide = {part: _is_wide(part[0], part[1], count) for part, count in felt.items()}
    denominators = [Fraction(weight).denominator for _, _, weight in parts if isinstance(weight, Fraction | int)]
    if not any(wide.values()) and len(denominators) == len(parts) and max(denominators) <= LARGEST:
        points = math.lcm(*denominators)
        if points <= LARGEST:
            size = 1 << math.ceil(2.0 * far * deviation * points + 2.0).bit_length()
            if size <= LARGEST:
                return NoiseDistribution(_product(parts, points, size), float(points), 0.0, points)
    step = STEP * deviation
    size = 1 << math.ceil(2.0 * far / STEP + 2.0).bit_length()
    moved = sum(0.5 * count if wide[part] else 0.5 for part, count in felt.items())
    moved += sum(float(part[2]) / step * count for part, count in felt.items() if wide[part] and part[0].integer_valued)
    return NoiseDistribution(_product(felt, 1.0 / step, size), 1.0 / step, moved)


def _product(parts: Mapping[Part, int], points_of_one: float, size: int) -> Any:
    """Return the law of the weighted sum on SIZE points; what lies between two of them moves to the nearer."""
    product = np.ones(size // 2 + 1, dtype=complex)
    for (noise, scale, weight), count in parts.items():
        if noise.whole is not None and not _is_wide(noise, scale, count):
            places, masses = lattice_masses(noise.whole, scale, count)
            points = np.rint(float(weight * points_of_one) * places).astype(np.int64)
            power = 1
        else:
            points, masses = cells(noise, scale, 1.0 / (float(weight) * points_of_one))
            power = count
        spectrum = np.fft.rfft(np.bincount(points % size, masses, size))
        product *= spectrum if power == 1 else spectrum**power
    return np.fft.irfft(product, size)
