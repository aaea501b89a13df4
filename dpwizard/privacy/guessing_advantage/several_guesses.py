"""Guesses of several independent attributes: all right ("and") or at least one ("or"), in the maximum metric.

Chain rule: given a right guess of the first attribute the mechanism is still epsilon-private in the second, whose prior
is the same. So P(all right) <= T_1 T_2 ... and P(none right) >= (1 - T_1)(1 - T_2) ..., with T_n the bound of a single
guess; for a drop with both signs turned. Where all must be right, a rise also has the repaired annulus bound
F+ = 1/(1 + E[e^(-epsilon D); wrong]/p), with D the largest distance of an attribute's value from its farthest right
value. For a drop the mass beyond the last step would weigh e^(epsilon D), not 1, so there is only the chain rule.
docs/methods/guessing_advantage.md, "Several attributes".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from dpwizard.base.numerics import down, up
from dpwizard.privacy.guessing_advantage.cut_prior import landmarks
from dpwizard.privacy.guessing_advantage.given_truth import (
    FALLS_SHORT,
    SLACK,
    Direction,
    GivenTruth,
    change_of_chance,
    largest_epsilon,
)
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats
from dpwizard.privacy.priors import Density, Distribution

Combine = Literal["one", "and", "or"]

NEAR_STEPS = np.linspace(0.0, 8.0, 3_001)
FAR_STEPS = np.geomspace(8.0, 1e7, 4_000)
CDF_ERROR = 4e-15  # the error of a product of distribution functions


class Guess(NamedTuple):
    """One attribute to guess; truth None is the worst true value."""

    prior: Distribution
    truth: float | None
    precision: float


class GivenTruths:
    """Several guesses with given true values."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self.any_right = combine == "or"
        self.singles = [
            GivenTruth(guess.prior, guess.truth, guess.precision) for guess in guesses if guess.truth is not None
        ]
        inside, outside = [guess.inside for guess in self.singles], [guess.outside for guess in self.singles]
        if self.any_right:
            self.missed = math.prod(outside)
            self.before = one_less_product(inside, outside)
        else:
            self.before = math.prod(inside)
            self.missed = one_less_product(outside, inside)
        usable = not self.any_right and 0.0 < self.before < 1.0 and len(self.singles) > 1
        self._farthest = FarthestValues(self.singles) if usable else None

    def never_changes(self) -> bool:
        certain = [single.certain for single in self.singles]
        impossible = [single.impossible for single in self.singles]
        if self.any_right:
            return any(certain) or all(impossible)
        return all(certain) or any(impossible)

    def posterior(self, epsilon: float, direction: Direction) -> float:
        """Return a bound on the probability after a release, on its safe side."""
        if epsilon == 0.0 or self.never_changes():
            return self.before
        singles = [single.posterior(epsilon, direction)[0] for single in self.singles]
        if self.any_right:
            bounds = [one_less_product(singles, [1.0 - single for single in singles])]
            reach = max(single.reach for single in self.singles)
            bounds.append(shift_odds(self.before, self.missed, shift_of(epsilon, reach, direction)))
        else:
            bounds = [math.prod(singles)]
            if self._farthest is not None and direction == "rise":
                bounds.append(self._farthest.posterior(self.before, epsilon))
        ulps = 8 * (len(self.singles) - 1)
        if direction == "rise":
            return min(max(up(min(bounds), ulps), self.before), 1.0)
        return min(down(max(bounds), ulps), self.before)

    def limit(self, advantage: float, direction: Direction) -> float:
        largest = self.missed if direction == "rise" else self.before
        if self.never_changes() or advantage > largest:
            return INF
        if advantage == 0.0:
            return 0.0
        epsilon = min(advantage / max(self.before * self.missed, 1e-3), 1.0)
        for _ in range(3):
            last_epsilon = largest_epsilon(
                lambda e: change_of_chance(self.posterior(e, direction), self.before), advantage, epsilon
            )
            for single in self.singles:
                single.refine(last_epsilon or epsilon, direction, SLACK / 2.0)
            epsilon = last_epsilon or epsilon
        return last_epsilon * FALLS_SHORT


def one_less_product(parts: Sequence[float], rests: Sequence[float]) -> float:
    """Return 1 - product of RESTS, which are 1 - PARTS, without cancellation if all parts are small."""
    if any(rest <= 0.0 for rest in rests):
        return 1.0
    logs = [math.log1p(-part) if part < 0.5 else math.log(rest) for part, rest in zip(parts, rests, strict=True)]
    return abs(math.expm1(math.fsum(logs)))


def shift_odds(p: float, q: float, shift: float) -> float:
    """Return the probability whose odds are P/Q times e^SHIFT, rounded up for a rise and down for a drop."""
    if p == 0.0 or q == 0.0 or shift == 0.0:
        return p
    if shift > 0.0:
        return min(1.0, up(p / (p + q * math.exp(-shift)), 4))
    return down(p * math.exp(shift) / (p * math.exp(shift) + q), 4)


def shift_of(epsilon: float, range: float, direction: Direction) -> float:
    """Return how far the log odds move, rounded away from 0."""
    product = 0.0 if epsilon == 0.0 or range == 0.0 else epsilon * range
    outwards = product if range == 1.0 else up(product, 1)
    return outwards if direction == "rise" else -outwards


# ------------------------------------------------------------------------------- the repaired annulus bound


class FarthestValues:
    """P(D <= t, wrong) on steps of t, from the product of the distribution functions of the attributes."""

    def __init__(self, guesses: Sequence[GivenTruth]) -> None:
        self._steps = np.unique(
            np.concatenate([NEAR_STEPS, FAR_STEPS, *(_steps_between_values(guess) for guess in guesses)])
        )
        everything, all_right = np.ones_like(self._steps), np.ones_like(self._steps)
        for guess in guesses:
            within, right = _chances_within(guess, self._steps)
            everything, all_right = everything * within, all_right * right
        self._wrong = np.maximum.accumulate(np.maximum(everything - all_right, 0.0))

    def posterior(self, before: float, epsilon: float) -> float:
        """Return a bound on the probability after a release: every wrong value counts as at the end of its step."""
        masses = np.diff(self._wrong, prepend=0.0)
        weighed = float(np.sum(masses * np.exp(-epsilon * self._steps)))
        odds = max(weighed - CDF_ERROR, 0.0) / before
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
            np.concatenate([[0.0], np.cumsum(np.where(counted, guess.atom_shares, 0.0)[order])])[place]
            for counted in (np.ones_like(inside), inside)
        )
        return within, right
    a, b = guess.right_values()
    # D <= t if the value is within t of both outermost right values
    lo, hi = b - steps, a + steps
    right_lo, right_hi = np.maximum(lo, a), np.minimum(hi, b)
    return _mass(guess.density, lo, hi), _mass(guess.density, right_lo, right_hi)


def _mass(density: Density, lo: Floats, hi: Floats) -> Floats:
    return np.where(hi > lo, density.mass(lo, np.maximum(lo, hi)), 0.0)
