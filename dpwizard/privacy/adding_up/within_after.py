"""The probability that a number, after adjusting to add up, is within a half-width of the true one.

The distribution of its noise is exact on a lattice if the noise is integer-valued and the weights are fractions with a
small common denominator. Otherwise each summand is moved to the next point of a fine grid, by half a step at most, so
that a narrower and a wider half-width enclose the probability.
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

FEW = 12  # the most different standard deviations for which weights are fractions
STEP = 2.45e-4  # the step of the fine grid, in standard deviations
MOST_POINTS = 1 << 21  # the most points of a grid
GAUSSIAN_REACH = 8.0  # standard deviations of a discrete Gaussian, or of a sum, beyond which less than 2e-15 lies
LAPLACE_REACH = 25.0  # the same for Laplace and geometric noise, beyond which less than 1e-14 lies
MERGED = 2.0  # from this sigma a sum of discrete Gaussians is one, except for 1e-16 of each mass
NEGLIGIBLE = -45.0  # the log of a probability that counts as 0
SLACK = 1e-11  # the rounding error of the Fourier transform, and the mass beyond the grid


class Chance(Value):
    """A lower and an upper bound on a probability."""

    lower: float = field("The chance is at least this", default=...)
    upper: float = field("The chance is at most this", default=...)


def lattice_masses(noise: LatticeNoise, scale: float, count: int) -> tuple[Any, Any]:
    """Return the positions and masses of a sum of COUNT integer-valued NOISE terms."""
    if noise.uses_l2 and scale >= MERGED:
        scale, count = scale * math.sqrt(count), 1
    reach_of_one, reach = _reach(noise, scale), _reach_of_sum(noise, scale, count)
    places = np.arange(-reach, reach + 1)
    distances = np.arange(reach_of_one + 1) / scale
    upper = np.exp(-0.5 * distances**2 if noise.uses_l2 else -distances)
    upper /= 2.0 * upper.sum() - upper[0]  # the mass farther out is negligible
    masses = np.zeros(len(places))
    masses[reach : reach + reach_of_one + 1] = upper
    masses[reach - reach_of_one : reach + 1] = upper[::-1]
    if count == 1:
        return places, masses
    size = 1 << (2 * reach + 1).bit_length()
    sums = np.fft.irfft(np.fft.rfft(np.bincount(places % size, masses, size)) ** count, size)
    return places, np.maximum(sums[places % size], 0.0)


def _reach(noise: Noise, scale: float) -> int:
    """Return a whole number that the noise of one number exceeds with a probability below 2e-15."""
    return 2 + math.ceil(scale * (GAUSSIAN_REACH if noise.uses_l2 else -NEGLIGIBLE))


def _reach_of_sum(noise: Noise, scale: float, count: int) -> int:
    reach_of_one = _reach(noise, scale)
    reach_in_sds = (
        GAUSSIAN_REACH if noise.uses_l2 else LAPLACE_REACH * math.sqrt(2.0)
    )  # of the scale: tiny noise reaches beyond its deviation
    return max(reach_of_one, min(math.ceil(reach_in_sds * scale * math.sqrt(count)), reach_of_one * count))


def _counts_as_continuous(noise: Noise, scale: float, count: int) -> bool:
    """Return whether a sum of COUNT terms of NOISE is computed as continuous noise.

    Integer-valued noise too wide for a lattice can be coupled with normal or Laplace noise of its scale so that they
    differ by at most 1: its tail from k on is between those of the continuous noise from k - 1 and from k on.
    """
    return not noise.integer_valued or _reach_of_sum(noise, scale, count) > MOST_POINTS // 2


def cell_masses(noise: Noise, scale: float, step: float) -> tuple[Any, Any]:
    """Return the points STEP apart, and the masses of one number with continuous NOISE rounded to the nearest."""
    from scipy.special import ndtr  # 0.1 s to import

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
        raise InvalidInput("speaks of Gaussian noise alone", "sd", 'State "true" for Laplace and geometric noise.')
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


Part = tuple[Noise, float, Variance]
Parts = tuple[tuple[Part, int], ...]  # each noise, scale and weight above 0 with its number of terms


@dataclass(frozen=True)
class NoiseDistribution:
    """The distribution of a weighted sum on cyclic points."""

    masses: Any
    points_of_one: float
    moved: float  # the most points by which all summands together were moved
    exact: int = 0  # points per unit, if no summand was moved

    def within(self, half_width: Fraction) -> tuple[float, float]:
        """Return bounds on the probability that the sum is within HALF_WIDTH."""
        if self.exact:
            lower = upper = self._mass_within(math.floor(half_width * self.exact))
        else:
            points = float(half_width) * self.points_of_one
            lower = self._mass_within(math.floor(points - self.moved - 1e-9 * max(1.0, points)))
            upper = self._mass_within(math.floor(points + self.moved + 1e-9 * max(1.0, points)))
        return max(0.0, lower - SLACK), min(1.0, upper + SLACK)

    def mean_absolute(self) -> float:
        places = np.arange(len(self.masses))
        mean = float(np.maximum(self.masses, 0.0) @ np.minimum(places, len(places) - places))
        return (mean + self.moved + SLACK * len(places)) / self.points_of_one

    def _mass_within(self, furthest: int) -> float:
        return float(self._cumulative_masses[min(furthest, len(self._cumulative_masses) - 1)]) if furthest >= 0 else 0.0

    @cached_property
    def _cumulative_masses(self) -> Any:
        """Return the mass from -k to k, for each k."""
        half = len(self.masses) // 2
        both = self.masses[:half].copy()
        both[1:] += self.masses[:half:-1][: half - 1]
        return np.cumsum(both)


def _scale_with_deviation(noise: Noise, deviation: float) -> float:
    low, high = 0.0, 2.0 * deviation + 1.0
    while high - low > 1e-15 * high:
        middle = (low + high) / 2.0
        if not low < middle < high:
            break
        low, high = (middle, high) if noise.sd(middle) < deviation else (low, middle)
    return high


def distribution_of(parts: Parts) -> NoiseDistribution:
    """Return the distribution of the weighted sum of PARTS: on a lattice if weights have a small common denominator."""
    counts = {part: count for part, count in parts if float(part[2])}  # other weights underflow
    reach = GAUSSIAN_REACH if all(noise.uses_l2 for noise, _, _ in counts) else LAPLACE_REACH
    # noise that is almost always 0 reaches farther than its standard deviation suggests
    sizes = [float(w) * scale * math.sqrt(n if noise.uses_l2 else 2 * n) for (noise, scale, w), n in counts.items()]
    deviation = math.hypot(*sizes)
    continuous = {part: _counts_as_continuous(part[0], part[1], count) for part, count in counts.items()}
    points = None if any(continuous.values()) else _common_denominator(parts)
    if points is not None:
        size = 1 << math.ceil(2.0 * reach * deviation * points + 2.0).bit_length()
        if size <= MOST_POINTS:
            return NoiseDistribution(_masses_of_sum(dict(parts), points, size), float(points), 0.0, points)
    step = STEP * deviation
    size = 1 << math.ceil(2.0 * reach / STEP + 2.0).bit_length()
    moved = sum(0.5 * count if continuous[part] else 0.5 for part, count in counts.items())
    whole = ((part, count) for part, count in counts.items() if continuous[part] and part[0].integer_valued)
    moved += sum(float(part[2]) / step * count for part, count in whole)
    return NoiseDistribution(_masses_of_sum(counts, 1.0 / step, size), 1.0 / step, moved)


def _common_denominator(parts: Parts) -> int | None:
    """Return the common denominator of all weights; None if one is a float, or if it is above MOST_POINTS."""
    denominators = [Fraction(weight).denominator for (_, _, weight), _ in parts if isinstance(weight, Fraction | int)]
    if len(denominators) < len(parts) or max(denominators) > MOST_POINTS:
        return None
    common = math.lcm(*denominators)
    return common if common <= MOST_POINTS else None


def _masses_of_sum(parts: Mapping[Part, int], points_of_one: float, size: int) -> Any:
    """Return the distribution of the weighted sum on SIZE points; values between two points are rounded."""
    product = np.ones(size // 2 + 1, dtype=complex)
    for (noise, scale, weight), count in parts.items():
        if noise.whole is not None and not _counts_as_continuous(noise, scale, count):
            places, masses = lattice_masses(noise.whole, scale, count)
            points = np.rint(float(weight * points_of_one) * places).astype(np.int64)
            power = 1
        else:
            points, masses = cell_masses(noise, scale, 1.0 / (float(weight) * points_of_one))
            power = count
        spectrum = np.fft.rfft(np.bincount(points % size, masses, size))
        product *= spectrum if power == 1 else spectrum**power
    return np.fft.irfft(product, size)
