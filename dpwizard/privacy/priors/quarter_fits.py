"""The arithmetic that families of priors share when they are fitted to three numbers, by least squares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpwizard.privacy.priors.distribution import Floats, Quarters, array

QUARTERS = array((0.25, 0.5, 0.75))
ABOVE = 0.6744897501960817  # standard deviations above its mean, below which three quarters of a bell curve lie


def centred(quarters: Quarters) -> tuple[float, float]:
    """Return mean and standard deviation of the normal belief whose quarters lie nearest, by least squares.

    Its quarters are mean - z sd, mean and mean + z sd with Phi(z) = 3/4: a straight line through three points.
    """
    low, half, high = quarters
    return low / 3 + half / 3 + high / 3, (high / 2 - low / 2) / ABOVE


def nearest(quantiles: Callable[[Floats], Floats], asked: Floats, starts: Sequence[Floats], bounds: Any) -> Floats:
    """Return the two coordinates whose QUANTILES lie nearest those ASKED, by least squares, from several STARTS."""
    from scipy.optimize import least_squares

    spread = float(asked[2] - asked[0])

    def distances(at: Floats) -> Floats:
        return np.nan_to_num((quantiles(at) - asked) / spread, nan=1e3, posinf=1e3, neginf=-1e3)

    low, high = (np.asarray(end, dtype=float) for end in bounds)
    found = [
        least_squares(distances, np.clip(start, low, high), bounds=(low, high), xtol=1e-15, ftol=1e-15, gtol=1e-15)
        for start in starts
    ]
    best: Floats = min(found, key=lambda one: float(one.cost)).x
    return best
