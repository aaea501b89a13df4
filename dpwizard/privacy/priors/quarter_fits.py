"""The arithmetic that families of priors share when they are fitted to three numbers, by least squares."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpwizard.privacy.priors.distribution import Floats, Quarters, array

QUARTERS = array((0.25, 0.5, 0.75))
MOST_STEPS, MOST_TRIES = 200, 40
ABOVE = 0.6744897501960817  # standard deviations above its mean, below which three quarters of a bell curve lie


def centred(quarters: Quarters) -> tuple[float, float]:
    """Return mean and standard deviation of the normal belief whose quarters lie nearest, by least squares.

    Its quarters are mean - z sd, mean and mean + z sd with Phi(z) = 3/4: a straight line through three points.
    """
    low, half, high = quarters
    return low / 3 + half / 3 + high / 3, (high / 2 - low / 2) / ABOVE


def nearest(quantiles: Callable[[Floats], Floats], asked: Floats, starts: Sequence[Floats], bounds: Any) -> Floats:
    """Return the two coordinates whose QUANTILES lie nearest those ASKED, by least squares, from several STARTS."""
    spread = float(asked[2] - asked[0])

    def distances(at: Floats) -> Floats:
        return np.nan_to_num((quantiles(at) - asked) / spread, nan=1e3, posinf=1e3, neginf=-1e3)

    low, high = (np.asarray(end, dtype=float) for end in bounds)
    found = [_descended(distances, np.clip(start, low, high), low, high) for start in starts]
    return min(found, key=lambda at: _squares(distances(at)))


def _descended(distances: Callable[[Floats], Floats], at: Floats, low: Floats, high: Floats) -> Floats:
    """Return where the sum of squared DISTANCES is least near AT, by the method of Levenberg and Marquardt.

    A step is damped until it leads down. A coordinate at its end, LOW or HIGH, that would go beyond stays there. The
    library's own method would bring 45 MB of other mathematics into the packed program.
    """
    left, damping = distances(at), 1e-3
    for _ in range(MOST_STEPS):
        slopes = _slopes(distances, at, low, high)
        down = -slopes.T @ left
        held = ((at <= low) & (down < 0.0)) | ((at >= high) & (down > 0.0))
        slopes[:, held], down[held] = 0.0, 0.0
        gram = slopes.T @ slopes
        for _ in range(MOST_TRIES):
            damped = gram + np.diag(damping * np.diag(gram) + np.finfo(float).tiny + held)
            tried = np.clip(at + np.linalg.solve(damped, down), low, high)
            then = distances(tried)
            if _squares(then) < _squares(left):
                break
            damping *= 4.0
        else:
            return at
        at, left, damping = tried, then, damping / 8.0
    return at


def _slopes(distances: Callable[[Floats], Floats], at: Floats, low: Floats, high: Floats) -> Floats:
    """Return how each distance moves with each coordinate, between two points beside AT."""
    columns = []
    for index in range(len(at)):
        step = np.zeros_like(at)
        step[index] = 1e-6 * max(1.0, abs(float(at[index])))
        below, above = np.clip(at - step, low, high), np.clip(at + step, low, high)
        columns.append((distances(above) - distances(below)) / (above[index] - below[index]))
    return np.stack(columns, axis=-1)


def _squares(left: Floats) -> float:
    return float(left @ left)
