"""The repaired annulus bound on several guesses at once: every wrong value is weighed from the farthest right one.

F+ = 1/(1 + E[e^(-epsilon D); wrong]/p), D the largest distance of an attribute's value from its farthest right value.
It bounds a rise. For a drop the mass beyond the last step would weigh e^(epsilon D), not 1: there the chain rule alone
is used.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpwizard.privacy.guessing_advantage.cut_prior import landmarks
from dpwizard.privacy.guessing_advantage.given_truth import GivenTruth
from dpwizard.privacy.guessing_advantage.tilted_sums import Floats
from dpwizard.privacy.priors import Density

NEAR_STEPS = np.linspace(0.0, 8.0, 3_001)
FAR_STEPS = np.geomspace(8.0, 1e7, 4_000)
ROUNDED = 4e-15  # of the products of distribution functions


class FarthestValues:
    """P(D <= t, wrong) on steps of t, by the product of the distribution functions of the attributes."""

    def __init__(self, guesses: Sequence[GivenTruth]) -> None:
        self._steps = np.unique(
            np.concatenate([NEAR_STEPS, FAR_STEPS, *(_steps_between_values(each) for each in guesses)])
        )
        everything, all_right = np.ones_like(self._steps), np.ones_like(self._steps)
        for each in guesses:
            within, right = _chances_within(each, self._steps)
            everything, all_right = everything * within, all_right * right
        self._wrong = np.maximum.accumulate(np.maximum(everything - all_right, 0.0))

    def posterior(self, before: float, epsilon: float) -> float:
        """Return a bound on the chance after a release: every wrong value counts as far out as its step ends."""
        masses = np.diff(self._wrong, prepend=0.0)
        weighed = float(np.sum(masses * np.exp(-epsilon * self._steps)))
        odds = max(weighed - ROUNDED, 0.0) / before
        return 1.0 / (1.0 + odds * (1.0 - 1e-12))


def _steps_between_values(guess: GivenTruth) -> Floats:
    if guess.density is None:
        return _atom_distances(guess)
    a, b = guess.right_values()
    places = landmarks(guess.density)
    steps = np.concatenate([places - a, b - places, [b - a, (b - a) / 2.0]])
    return np.asarray(steps[np.isfinite(steps) & (steps > 0.0)])


def _atom_distances(guess: GivenTruth) -> Floats:
    places, (i, j) = guess.atom_places, guess.atom_window
    return np.asarray(np.maximum(np.abs(places - places[i]), np.abs(places - places[j - 1])))


def _chances_within(guess: GivenTruth, steps: Floats) -> tuple[Floats, Floats]:
    """Return P(D <= t) and P(D <= t, right) of one attribute."""
    if guess.density is None:
        distances = _atom_distances(guess)
        order = np.argsort(distances)
        place = np.searchsorted(distances[order], steps, "right")
        inside = np.zeros(distances.size, dtype=bool)
        inside[slice(*guess.atom_window)] = True
        within, right = (
            np.concatenate([[0.0], np.cumsum(np.where(kept, guess.atom_shares, 0.0)[order])])[place]
            for kept in (np.ones_like(inside), inside)
        )
        return within, right
    a, b = guess.right_values()
    # D <= t where the value lies within t of both outermost right values
    lo, hi = b - steps, a + steps
    right_lo, right_hi = np.maximum(lo, a), np.minimum(hi, b)
    return _mass(guess.density, lo, hi), _mass(guess.density, right_lo, right_hi)


def _mass(density: Density, lo: Floats, hi: Floats) -> Floats:
    return np.where(hi > lo, density.mass(lo, np.maximum(lo, hi)), 0.0)
