"""The loss of several numbers with independent Laplace noise, on a lattice, always on the safe side.

Coordinate i loses a_i with probability 1/2, -a_i with e^(-a_i)/2, and has density e^((l-a_i)/2)/4 between. Its losses
are rounded up or down to a lattice, and the distributions are convolved by fast Fourier transforms. Where the levels
and epsilon are few steps of a common decimal, they are points of the lattice: then the atoms are not rounded, and a
loss equal to epsilon counts as within.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Epsilon, public
from dpwizard.privacy.accounting import composition
from dpwizard.privacy.mechanisms import LAPLACE

Floats = NDArray[np.float64]
Levels = Annotated[tuple[Epsilon, ...], Field(min_length=1, max_length=200)]

POINTS_EACH = 2**15  # lattice points per number: an error of 1e-4 for up to 200 numbers
FEWEST_POINTS, MOST_POINTS = 2**17, 2**20
TRANSFORM_ERROR = 1e-12  # absolute error of a probability after all convolutions


class _LatticeMasses(NamedTuple):
    """Masses on consecutive lattice points, from point FIRST."""

    masses: Floats
    first: int

    def up_to(self, point: int) -> float:
        """Return the mass of the lattice points up to POINT."""
        return float(np.sum(self.masses[: max(point - self.first + 1, 0)]))


@public
def vector_delta(*, levels: Levels, epsilon: Epsilon) -> float:
    """Return delta(EPSILON) of several numbers with independent Laplace noise, for the pair that differs fully in all.

    Arguments: levels, 1 to 200 loss bounds in [0, inf], levels[i] that of coordinate i; epsilon in [0, inf]. Returns
    delta in [0, 1]; 0 from the sum of the levels on. **An upper bound**, within 1e-4. Raises InvalidInput. Source: the
    loss of each coordinate in docs/methods/privacy_at_risk.md.
    """
    repeated_levels = tuple((level, 1) for level in levels)
    return composition.tight_delta(mechanism=LAPLACE.name, levels=repeated_levels, epsilon=epsilon).upper


@public
def vector_confidence(*, levels: Levels, epsilon: Epsilon) -> float:
    """Return P(|loss| <= EPSILON) of several numbers with independent Laplace noise, for the pair differing in all.

    Arguments: as for vector_delta. Returns a probability; 1 from the sum of the levels on; a loss equal to epsilon
    counts as within (numbers read as decimals). **A lower bound**, within 1e-4. Raises InvalidInput. Source: the loss
    of each coordinate in docs/methods/privacy_at_risk.md; it replaces Dandekar et al. 2021, Theorem 4 for k > 1.
    """
    # the upper tail is rounded up, the lower one down
    if math.isinf(epsilon) or math.isinf(max(levels)):
        return 1.0 if math.isinf(epsilon) else 0.0
    exact, limit = sorted(decimal(level) for level in levels if level > 0.0), decimal(epsilon)
    if limit >= sum(exact):
        return 1.0
    if len(exact) == 1:
        return LAPLACE.loss(float(exact[0])).within(epsilon)
    step = _lattice_step(exact, limit)
    at_most = _convolve_all(exact, step, up=True).up_to(math.floor(limit / step))
    too_low = _convolve_all(exact, step, up=False).up_to(math.ceil(-limit / step) - 1)
    return min(1.0, max(0.0, at_most - too_low - 2.0 * TRANSFORM_ERROR))


def _lattice_step(levels: Sequence[Fraction], epsilon: Fraction) -> Fraction:
    """Return the step of the lattice: a part of the common decimal step of all numbers if that is coarse enough."""
    points = min(max(POINTS_EACH * len(levels), FEWEST_POINTS), MOST_POINTS)
    common = math.lcm(epsilon.denominator, *(level.denominator for level in levels))
    whole = int(2 * sum(levels) * common)
    if whole <= points:
        return Fraction(1, common * (points // whole))
    return 2 * sum(levels, Fraction(0)) / points


def _round_to_lattice(level: Fraction, step: Fraction, up: bool) -> _LatticeMasses:
    """Return the distribution of a coordinate that loses at most LEVEL, losses rounded up or down to the lattice."""
    first, last = math.floor(-level / step), math.ceil(level / step)
    a = float(level)
    edges = np.clip(np.arange(first, last + 1) * float(step), -a, a)
    between = -0.5 * np.exp((edges[1:] - a) / 2.0) * np.expm1(-np.diff(edges) / 2.0)
    masses = np.zeros(last - first + 1)
    if up:
        masses[1:] += between
        low, high = math.ceil(-level / step), last
    else:
        masses[:-1] += between
        low, high = first, math.floor(level / step)
    masses[low - first] += 0.5 * math.exp(-a)
    masses[high - first] += 0.5
    return _LatticeMasses(masses, first)


def _convolve_all(levels: Sequence[Fraction], step: Fraction, up: bool) -> _LatticeMasses:
    """Return the distribution of the sum: each level's convolved with itself, then pairs of similar length."""
    pmfs = [_self_convolution(_round_to_lattice(level, step, up), times) for level, times in Counter(levels).items()]
    while len(pmfs) > 1:
        pmfs.sort(key=lambda pmf: pmf.masses.size)
        shorter, longer = pmfs.pop(0), pmfs.pop(0)
        pmfs.append(_LatticeMasses(_convolution((shorter.masses, 1), (longer.masses, 1)), shorter.first + longer.first))
    return pmfs[0]


def _self_convolution(pmf: _LatticeMasses, times: int) -> _LatticeMasses:
    return pmf if times == 1 else _LatticeMasses(_convolution((pmf.masses, times)), times * pmf.first)


def _convolution(*factors: tuple[Floats, int]) -> Floats:
    """Return the convolution of FACTORS, each with itself as often as given."""
    from scipy.fft import irfft, next_fast_len, rfft

    size = sum((masses.size - 1) * times for masses, times in factors) + 1
    length = next_fast_len(size, real=True)
    spectrum = math.prod(rfft(masses, length) ** times for masses, times in factors)
    return np.asarray(np.maximum(irfft(spectrum, length)[:size], 0.0))
