"""Guesses of several independent attributes: all of them right ("and") or at least one ("or"), in the maximum metric.

Chain rule: given a right guess of the first attribute the mechanism is still epsilon-private in the second, whose prior
is the same. So P(all right) <= T_1 T_2 ... and P(none right) >= (1 - T_1)(1 - T_2) ..., T_n being the bound of a single
guess; for a drop with both signs turned. docs/methods/guessing_advantage.md, "Several attributes".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

from dpwizard.privacy.guessing_advantage.farthest_values import FarthestValues
from dpwizard.privacy.guessing_advantage.given_truth import (
    FALLS_SHORT,
    SLACK,
    Direction,
    GivenTruth,
    largest_epsilon,
    signed,
)
from dpwizard.privacy.guessing_advantage.tilted_sums import INF
from dpwizard.privacy.priors import Distribution

Combine = Literal["one", "and", "or"]


class Guess(NamedTuple):
    """One attribute to guess; truth None stands for the worst."""

    prior: Distribution
    truth: float | None
    precision: float


class GivenTruths:
    """Several guesses whose truths are all given."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self.any_right = combine == "or"
        self.singles = [
            GivenTruth(each.prior, each.truth, each.precision) for each in guesses if each.truth is not None
        ]
        inside, outside = [each.inside for each in self.singles], [each.outside for each in self.singles]
        if self.any_right:
            self.missed = math.prod(outside)
            self.before = one_less_product(inside, outside)
        else:
            self.before = math.prod(inside)
            self.missed = one_less_product(outside, inside)
        usable = not self.any_right and 0.0 < self.before < 1.0 and len(self.singles) > 1
        self._farthest = FarthestValues(self.singles) if usable else None

    def never_changes(self) -> bool:
        """Tell whether no release changes the chance: a fact of edges."""
        certain = [each.certain for each in self.singles]
        impossible = [each.impossible for each in self.singles]
        if self.any_right:
            return any(certain) or all(impossible)
        return all(certain) or any(impossible)

    def posterior(self, epsilon: float, direction: Direction) -> float:
        """Return a bound on the chance after a release, on its safe side."""
        if epsilon == 0.0 or self.never_changes():
            return self.before
        singles = [each.posterior(epsilon, direction)[0] for each in self.singles]
        if self.any_right:
            bounds = [one_less_product(singles, [1.0 - each for each in singles])]
            reach = max(each.reach for each in self.singles)
            bounds.append(_odds_moved(self.before, self.missed, signed(epsilon, direction) * reach))
        else:
            bounds = [math.prod(singles)]
            if self._farthest is not None and direction == "rise":
                bounds.append(self._farthest.posterior(self.before, epsilon))
        return max(min(bounds), self.before) if direction == "rise" else min(max(bounds), self.before)

    def limit(self, advantage: float, direction: Direction) -> float:
        """Return the largest epsilon at which the bound keeps ADVANTAGE."""
        largest = self.missed if direction == "rise" else self.before
        if self.never_changes() or advantage > largest:
            return INF
        if advantage == 0.0:
            return 0.0
        epsilon = min(advantage / max(self.before * self.missed, 1e-3), 1.0)
        for _ in range(3):
            found = largest_epsilon(lambda e: abs(self.posterior(e, direction) - self.before), advantage, epsilon)
            for each in self.singles:
                each.refine(found or epsilon, direction, SLACK / 2.0)
            epsilon = found or epsilon
        return found * FALLS_SHORT


def one_less_product(parts: Sequence[float], rests: Sequence[float]) -> float:
    """Return 1 - product of RESTS, each one less one of PARTS, without cancellation where all parts are small."""
    if any(rest <= 0.0 for rest in rests):
        return 1.0
    logs = [math.log1p(-part) if part < 0.5 else math.log(rest) for part, rest in zip(parts, rests, strict=True)]
    return abs(math.expm1(math.fsum(logs)))


def _odds_moved(p: float, q: float, shift: float) -> float:
    """Return P, Q being 1 - P, with its odds multiplied by e^SHIFT."""
    if shift > 700.0 or shift < -700.0 or math.isnan(shift):
        return 1.0 if shift > 0.0 else 0.0
    return p * math.exp(shift) / (p * math.exp(shift) + q)
