"""Guesses of several independent attributes: all of them right ("and") or at least one ("or"), in the maximum metric.

Chain rule: given a right guess of the first attribute the mechanism is still epsilon-private in the second, whose prior
is the same. So P(all right) <= T_1 T_2 ... and P(none right) >= (1 - T_1)(1 - T_2) ..., T_n being the bound of a single
guess; for a drop with both signs turned. docs/methods/guessing_advantage.md, "Several attributes".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import halves
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, EveryTruth, Looked
from dpwizard.privacy.guessing_advantage.farthest_values import FarthestValues
from dpwizard.privacy.guessing_advantage.given_truth import (
    FALLS_SHORT,
    SLACK,
    Direction,
    GivenTruth,
    largest_epsilon,
    signed,
)
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats, Indices
from dpwizard.privacy.guessing_advantage.truth_search import SeenPrior, largest_at_infinity
from dpwizard.privacy.priors import Atoms, Distribution

Combine = Literal["one", "and", "or"]

JOINT_SLACK = 3e-3  # relative: what a proof over all truths of several attributes may give away
ROUNDS = 14
MOST_EDGES = 8_000
MOST_SPLIT = 200  # intervals of one attribute in a round


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
            self.before = _one_less_product(inside, outside)
        else:
            self.before = math.prod(inside)
            self.missed = _one_less_product(outside, inside)
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
            bounds = [_one_less_product(singles, [1.0 - each for each in singles])]
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


def _one_less_product(parts: Sequence[float], rests: Sequence[float]) -> float:
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


# ---------------------------------------------------------------------------------------------- worst truths


class _Points(NamedTuple):
    """Pairs for one attribute: the joint gain is at most (product of HIGH) - (product of LOW) over some choice."""

    low: Floats
    high: Floats
    owner: Indices  # the interval each pair bounds
    looked: Looked | None


class WorstTruths:
    """Several guesses of which at least one truth is the worst: bounds over all truths at once."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self.any_right = combine == "or"
        self._singles: list[list[GivenTruth]] = []
        self._every: list[EveryTruth | None] = []
        self._certain: list[bool] = []  # whether a guess is right before any release, whatever the truth
        for each in guesses:
            view = SeenPrior(each.prior, each.precision)
            truths = _single_truths(each)
            self._certain.append(_is_certain(each, truths or each.prior.support()))
            self._singles.append([GivenTruth(each.prior, truth, each.precision) for truth in truths])
            every = None if truths or isinstance(view.seen, Atoms) else EveryTruth(view.seen)
            self._every.append(every)
        self._intervals = [None if each is None else each.intervals() for each in self._every]

    def limit(self, advantage: float, direction: Direction) -> float:
        """Return an epsilon proved to keep ADVANTAGE, JOINT_SLACK of the advantage below what the bounds allow."""
        if self._largest(direction) <= advantage:
            return INF
        if advantage == 0.0:
            return 0.0
        kept, broken = 0.0, INF
        epsilon = min(2.0 * math.atanh(min(advantage, 0.999)), 1.0)
        for _ in range(30):
            gain = self.gain(epsilon, direction, advantage * (1.0 - JOINT_SLACK))
            kept, broken = (epsilon, broken) if gain <= advantage else (kept, epsilon)
            near_enough = advantage * (1.0 - 2.0 * JOINT_SLACK) <= gain <= advantage
            if broken <= kept * (1.0 + JOINT_SLACK) or near_enough or epsilon < 1e-9 or epsilon > 1e9:
                break
            epsilon = _next_epsilon(epsilon, gain / advantage, kept, broken)
        return kept * FALLS_SHORT

    def gain(self, epsilon: float, direction: Direction, level: float) -> float:
        """Return a bound on the joint gain over all truths, only as fine as LEVEL needs."""
        self._forget_fine_cuts()
        points = [self._points(n, epsilon, direction) for n in range(len(self._singles))]
        least = last = 1.0
        for step in range(ROUNDS):
            may_stop()
            gains, owners = _joint(points)
            least = min(least, float(gains.max()))
            won, last = last - least, least
            too_slow = step > 2 and won * (ROUNDS - step) < least - level
            if least <= level or too_slow:
                break
            if not self._split(points, owners[gains > level], epsilon, direction):
                break
        return least

    def _largest(self, direction: Direction) -> float:
        """Return a bound on the joint gain at infinite epsilon."""
        rises = [self._sup_at_infinity(n, "rise") for n in range(len(self._singles))]
        drops = [self._sup_at_infinity(n, "drop") for n in range(len(self._singles))]
        if self.any_right:
            # rise: the product of 1 - p; drop: 1 - product of 1 - p
            return math.prod(rises) if direction == "rise" else _one_less_product(drops, [1.0 - p for p in drops])
        # rise: 1 - product of p; drop: the product of p
        return _one_less_product(rises, [1.0 - q for q in rises]) if direction == "rise" else self._all_right(drops)

    def _all_right(self, chances: Sequence[float]) -> float:
        """Return the product of the largest chances before; a guess that is certain has chance 1."""
        if all(self._certain):
            return 0.0
        return math.prod(1.0 if sure else chance for sure, chance in zip(self._certain, chances, strict=True))

    def _sup_at_infinity(self, n: int, direction: Direction) -> float:
        """Return a bound on 1 - p (rise) or p (drop) over the truths of attribute N; 0 for a rise of a certain one."""
        every = self._every[n]
        if every is not None:
            return min(largest_at_infinity(every, direction), 1.0)
        singles = self._singles[n]
        return max(each.outside if direction == "rise" else each.inside for each in singles)

    def _forget_fine_cuts(self) -> None:
        """Cut anew what other epsilons have cut into too many cells."""
        for n, every in enumerate(self._every):
            if every is not None and every.cut.edges.size > MOST_EDGES:
                self._every[n] = EveryTruth(every.density)
                self._intervals[n] = every.intervals()

    def _points(self, n: int, epsilon: float, direction: Direction) -> _Points:
        every, intervals = self._every[n], self._intervals[n]
        if every is None or intervals is None:
            before = np.array([each.inside for each in self._singles[n]])
            after = np.array([each.posterior(epsilon, direction)[0] for each in self._singles[n]])
            low, high = self._sides(Candidate(before, after, np.zeros(before.size)), direction)
            return _Points(low, high, np.zeros(low.size, dtype=np.intp), None)
        sums = every.cut.sums(signed(epsilon, direction))
        candidates, looked = every.candidates(sums, *intervals, several=True)
        sides = [self._sides(each, direction) for each in candidates]
        owner = np.tile(np.arange(intervals[0].size), len(sides))
        return _Points(np.concatenate([s[0] for s in sides]), np.concatenate([s[1] for s in sides]), owner, looked)

    def _sides(self, candidate: Candidate, direction: Direction) -> tuple[Floats, Floats]:
        """Return LOW and HIGH of a candidate; what edges may add goes to HIGH, which weighs more."""
        before, after = candidate.before, candidate.after
        if self.any_right:
            before, after = 1.0 - before, 1.0 - after
        rises = (direction == "rise") != self.any_right
        low, high = (before, after) if rises else (after, before)
        return low, np.minimum(high + candidate.more, 1.0)

    def _split(self, points: list[_Points], owners: Indices, epsilon: float, direction: Direction) -> bool:
        """Halve the intervals that OWNERS name, one column for each attribute; tell whether any could be halved."""
        any_split = False
        for n, every in enumerate(self._every):
            intervals, looked = self._intervals[n], points[n].looked
            if every is None or intervals is None or looked is None:
                continue
            u, v = intervals
            chosen = np.unique(owners[:, n])[:MOST_SPLIT]
            middle = halves(u[chosen], v[chosen])
            fine = (middle > u[chosen]) & (middle < v[chosen])
            chosen, middle = chosen[fine], middle[fine]
            if not chosen.size:
                continue
            any_split = True
            outputs = looked.outputs[np.isin(looked.truths, np.concatenate([u[chosen], v[chosen]]))]
            every.cut.add(np.concatenate([middle - 1.0, middle, middle + 1.0, outputs]))
            rest = np.ones(u.size, dtype=bool)
            rest[chosen] = False
            self._intervals[n] = every.kept(
                np.concatenate([u[rest], u[chosen], middle]), np.concatenate([v[rest], middle, v[chosen]])
            )
            points[n] = self._points(n, epsilon, direction)
        return any_split


def _single_truths(guess: Guess) -> list[float]:
    """Return the truths to look at one by one: the given one, or every value of a list."""
    if guess.truth is not None:
        return [guess.truth]
    seen = guess.prior.seen()
    return [float(place) for place in seen.places] if isinstance(seen, Atoms) else []


def _is_certain(guess: Guess, truths: Sequence[float]) -> bool:
    """Tell whether a guess is right before any release at each of TRUTHS: all values, or the ends of all."""
    return all(math.isfinite(each) and GivenTruth(guess.prior, each, guess.precision).certain for each in truths)


def _next_epsilon(epsilon: float, ratio: float, kept: float, broken: float) -> float:
    """Return the next epsilon to try, RATIO being gain/advantage at the last one."""
    aim = (1.0 - 1.3 * JOINT_SLACK) / ratio if ratio > 0.0 else 4.0
    guess = epsilon * min(max(aim, 0.25), 4.0)
    if kept * (1.0 + 2e-4) < guess < broken * (1.0 - 2e-4):
        return guess
    if kept == 0.0:
        return broken / 4.0
    return kept * 4.0 if broken == INF else math.sqrt(kept * broken)


def _joint(points: Sequence[_Points]) -> tuple[Floats, Indices]:
    """Return the gains of all choices that can be the largest, and the interval of each attribute they come from."""
    low, high, owners = np.ones(1), np.ones(1), np.zeros((1, 0), dtype=np.intp)
    for each in points:
        corners = _corners(each.low, each.high)
        count = low.size
        low, high = np.outer(low, each.low[corners]).ravel(), np.outer(high, each.high[corners]).ravel()
        own = np.tile(each.owner[corners], count)[:, None]
        owners = np.hstack([np.repeat(owners, corners.size, axis=0), own])
        kept = _corners(low, high)
        low, high, owners = low[kept], high[kept], owners[kept]
    return high - low, owners


def _corners(low: Floats, high: Floats) -> Indices:
    """Return the pairs that maximise a HIGH - b LOW for some a >= b >= 0: corners of their convex hull."""
    order = np.lexsort((-high, low))
    climbs = high[order] > np.concatenate([[-1.0], np.maximum.accumulate(high[order])[:-1]])
    found: list[int] = []
    for i in order[climbs].tolist():
        while len(found) > 1:
            a, b = found[-2], found[-1]
            below_the_chord = (high[b] - high[a]) * (low[i] - low[a]) <= (high[i] - high[a]) * (low[b] - low[a])
            if not below_the_chord:
                break
            found.pop()
        found.append(i)
    return np.array(found, dtype=np.intp)
