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
from typing import Annotated

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
    at_most = _mass_up_to(math.floor(limit / step), exact, step, up=True)
    too_low = _mass_up_to(math.ceil(-limit / step) - 1, exact, step, up=False)
    return min(1.0, max(0.0, at_most - too_low - 2.0 * TRANSFORM_ERROR))


def _lattice_step(levels: Sequence[Fraction], epsilon: Fraction) -> Fraction:
    """Return the step of the lattice: a part of the common decimal step of all numbers if that is coarse enough."""
    points = min(max(POINTS_EACH * len(levels), FEWEST_POINTS), MOST_POINTS)
    common = math.lcm(epsilon.denominator, *(level.denominator for level in levels))
    whole = int(2 * sum(levels) * common)
    if whole <= points:
        return Fraction(1, common * (points // whole))
    return 2 * sum(levels, Fraction(0)) / points


def _mass_up_to(point: int, levels: Sequence[Fraction], step: Fraction, up: bool) -> float:
    """Return the mass of the total loss up to lattice point POINT, each loss rounded up or down to the lattice."""
    from scipy.fft import irfft, next_fast_len, rfft

    counts = Counter(levels)
    first = sum(times * math.floor(-level / step) for level, times in counts.items())
    size = next_fast_len(1 - 2 * first, real=True)
    spectrum = math.prod(rfft(_masses_of(level, step, up), size) ** times for level, times in counts.items())
    return float(np.sum(np.maximum(irfft(spectrum, size), 0.0)[: max(point - first + 1, 0)]))


def _masses_of(level: Fraction, step: Fraction, up: bool) -> Floats:
    """Return the masses of a coordinate that loses at most LEVEL, from the lattice point at or below -LEVEL on."""
    last = math.ceil(level / step)
    a = float(level)
    edges = np.clip(np.arange(-last, last + 1) * float(step), -a, a)
    between = -0.5 * np.exp((edges[1:] - a) / 2.0) * np.expm1(-np.diff(edges) / 2.0)
    masses = np.zeros(2 * last + 1)
    if up:
        masses[1:] += between
        low, high = -math.floor(level / step), last
    else:
        masses[:-1] += between
        low, high = -last, math.floor(level / step)
    masses[low + last] += 0.5 * math.exp(-a)
    masses[high + last] += 0.5
    return masses
