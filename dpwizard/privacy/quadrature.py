"""Gauss rules on one panel: for an integral over [0, 1], and for a sum over consecutive whole numbers."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

NODES = 20  # exact for polynomials of degree 39
SUMMED = 48  # up to here a sum is summed

Rule = tuple[tuple[float, float], ...]


@lru_cache(maxsize=1)
def continuous_rule() -> Rule:
    """Return (node, weight) of the Gauss-Legendre rule on [0, 1], to 1e-16."""
    nodes, weights = np.polynomial.legendre.leggauss(NODES)
    return tuple(zip((0.5 + 0.5 * nodes).tolist(), (0.5 * weights).tolist(), strict=True))


@lru_cache(maxsize=512)
def counting_rule(count: int) -> Rule:
    """Return (node, weight) to sum a smooth function over 0, 1, .., COUNT - 1: a Gauss rule of the counting measure.

    Up to SUMMED numbers the sum itself. The orthogonal polynomials are the discrete Chebyshev polynomials, with
    recurrence coefficients k^2 (N^2 - k^2) / (4 (4 k^2 - 1)).
    """
    if count <= SUMMED:
        return tuple((float(k), 1.0) for k in range(count))
    k = np.arange(1, NODES, dtype=float)
    off = np.sqrt(k * k * (1.0 - (k / count) ** 2) / (4.0 * (4.0 * k * k - 1.0)))  # in units of N
    nodes, vectors = np.linalg.eigh(np.diag(off, 1) + np.diag(off, -1))
    weights = count * vectors[0] ** 2
    return tuple(zip(((count - 1) / 2 + count * nodes).tolist(), weights.tolist(), strict=True))
