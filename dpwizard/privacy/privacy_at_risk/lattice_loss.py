"""Bounds on the loss of several numbers with independent Laplace noise, by convolution on a lattice.

Used where the exact sums have too many knots. Each coordinate's loss is moved to a lattice in a way that errs on one
side, the laws are convolved by fast Fourier transforms, and the rounding error of those is counted on the same side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

POINTS = 2**19  # of the lattice over the whole range of the loss
TRANSFORM_ERROR = 1e-12  # absolute, of a probability after all convolutions


def lattice_hockey_stick(levels: Sequence[float], epsilon: float) -> float:
    """Return an upper bound on delta(EPSILON): each loss is split between two lattice points so that the masses of both
    worlds stay the same, which spreads e^-loss and so raises the mean of the convex (1 - e^(epsilon - loss))+."""
    import numpy as np

    step = 2.0 * math.fsum(levels) / POINTS
    law, lowest = _convolved([_spread(level, step) for level in levels])
    losses = (lowest + np.arange(len(law))) * step
    above = losses > epsilon
    value = float(np.sum(law[above] * -np.expm1(epsilon - losses[above])))
    return min(1.0, value + TRANSFORM_ERROR)


def lattice_within(levels: Sequence[float], epsilon: float) -> float:
    """Return a lower bound on P(|loss| <= EPSILON): each loss is rounded down by less than one step."""
    import numpy as np

    step = 2.0 * math.fsum(levels) / POINTS
    law, lowest = _convolved([_rounded_down(level, step) for level in levels])
    losses = (lowest + np.arange(len(law))) * step
    slack = 1e-12 * abs(epsilon)
    sure = (losses >= -epsilon + slack) & (losses + len(levels) * step <= epsilon - slack)
    return min(1.0, max(0.0, float(np.sum(law[sure])) - TRANSFORM_ERROR))


def _rounded_down(level: float, step: float) -> tuple[Any, int]:
    """Return the masses of floor(loss/STEP) for a coordinate that loses at most LEVEL, and the first index."""
    import numpy as np

    first, last = math.floor(-level / step) - 1, math.floor(level / step)
    edges = np.arange(first, last + 2) * step
    # P(loss < l) = e^((l - level)/2)/2 between the atoms, 0 up to the lower one, 1 beyond the upper one
    reached = np.where(edges <= -level, 0.0, 0.5 * np.exp((np.minimum(edges, level) - level) / 2))
    reached[-1] = 1.0
    return np.diff(reached), first


def _spread(level: float, step: float) -> tuple[Any, int]:
    """Return masses on the lattice with the divergence of one coordinate at every lattice point, and the first index.

    As a function of y = e^x the divergence H of a lattice law is linear between lattice points and bends at them by the
    mass of the other world: with S_j = (H_(j+1) - H_j)/(e^step - 1) the mass is S_j - e^step S_(j-1), between the
    atoms e^((x-level)/2) tanh(step/4).
    """
    import numpy as np

    first, last = math.floor(-level / step) - 2, math.ceil(level / step) + 2
    points = np.arange(first, last + 1) * step
    low, high = points[:-1], points[1:]
    inside = (low >= -level) & (high <= level)
    drop = np.zeros(len(low))  # H_(j+1) - H_j; H = 1 - e^x below the atoms, 1 - e^((x-level)/2) between, 0 above

    def fill(cells: Any, law: Callable[[Any, Any], Any]) -> None:
        drop[cells] = law(low[cells], high[cells])

    fill(high <= -level, lambda x, _: -np.exp(x) * math.expm1(step))
    fill(inside, lambda x, _: -np.exp((x - level) / 2) * math.expm1(step / 2))
    # around the lower atom, at x = -level - u and y = -level + v: e^-level (e^-u - e^(v/2))
    around = (low < -level) & (high > -level) & (high <= level)
    fill(around, lambda x, y: math.exp(-level) * (np.expm1(x + level) - np.expm1((y + level) / 2)))
    fill((low >= -level) & (low < level) & (high > level), lambda x, _: np.expm1((x - level) / 2))
    fill((low < -level) & (high > level), lambda x, _: np.expm1(x))
    slopes = drop / math.expm1(step)
    masses = np.zeros(len(points))
    masses[1:-1] = slopes[1:] - math.exp(step) * slopes[:-1]
    smooth = np.flatnonzero(inside[:-1] & inside[1:]) + 1
    masses[smooth] = np.exp((points[smooth] - level) / 2) * math.tanh(step / 4)
    return np.maximum(masses, 0.0), first


def _convolved(laws: list[tuple[Any, int]]) -> tuple[Any, int]:
    """Return the law of the sum, pairing laws of similar length."""
    import numpy as np
    from scipy.fft import irfft, next_fast_len, rfft

    while len(laws) > 1:
        laws.sort(key=lambda item: len(item[0]))
        (a, i), (b, j) = laws.pop(0), laws.pop(0)
        size = len(a) + len(b) - 1
        length = next_fast_len(size, real=True)
        laws.append((np.maximum(irfft(rfft(a, length) * rfft(b, length), length)[:size], 0.0), i + j))
    return laws[0]
