"""The losses that let the odds of many beliefs multiply by given factors at once; prior_odds has the derivation."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[np.float64]


def blends(multiplier: Array, w: Array, v: Array, factor: float) -> Array:
    """Return epsilon = -log x with w x^c + v x = 1/theta for every log theta >= 0 of MULTIPLIER (inf: no bound)."""
    if factor == 1.0:
        return multiplier
    if factor < 1.0:
        swapped: Array = blends(multiplier, v, w, 1.0 / factor) / factor
        return swapped
    finite = np.where(np.isinf(multiplier), 1.0, multiplier)
    if factor == 2.0:
        fall = np.exp(-finite)
        small = finite + np.log1p(2.0 * w * np.expm1(-finite) / (1.0 + w + np.sqrt(v * v + 4.0 * w * fall)))
        large = finite + np.log(0.5 * (v + np.hypot(v, 2.0 * np.sqrt(w) * np.exp(-0.5 * finite))))
        found = np.where(finite < 1.0, small, large)
    else:
        found = finite / factor  # left of the root: Newton's steps stay there, on the safe side
        for _ in range(40):
            shift = -(factor - 1.0) * found
            near = np.log1p(w * np.expm1(np.minimum(shift, 0.5)))
            level = np.where(np.abs(shift) < 0.5, near, np.logaddexp(np.log(v), np.log(w) + shift))
            share = np.exp(np.log(w) + shift - level)
            step = (finite + level - found) / (1.0 + (factor - 1.0) * share)
            found = found + np.maximum(step, 0.0)
            if not np.any(step > 1e-14 * found):
                break
    return np.where(np.isinf(multiplier), np.inf, found)
