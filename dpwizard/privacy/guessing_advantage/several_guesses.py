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

from dpwizard.base.numerics import decimal
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import halves
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, EveryTruth, Looked
from dpwizard.privacy.guessing_advantage.farthest_values import FarthestValues
from dpwizard.privacy.guessing_advantage.given_truth import (
    FALLS_SHORT,
    SLACK,
    Direction,
    GivenTruth,
    Limit,
    largest_epsilon,
    signed,
)
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats, Indices
from dpwizard.privacy.guessing_advantage.truth_search import SeenPrior, far_gain, largest_at_infinity
from dpwizard.privacy.largest_budget import largest
from dpwizard.privacy.priors import Atoms, Distribution

Combine = Literal["one", "and", "or"]

# how far below the epsilon that truths show to be too much a proof is tried, one after the other
MARGINS = (1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99)
SHOWN_CLOSE = 1e-4  # relative: how near that epsilon is sought
LEAST_EPSILON, MOST_EPSILON = 1e-9, 1e9  # smaller ones count as 0, larger ones are not looked for
ROUNDS = 14
MOST_BEATEN = 6  # times that a proof ends because truths gain more
MOST_EDGES = 8_000
MOST_SPLIT = 200  # intervals of one attribute in a round
WEIGHTS = np.unique(np.concatenate([np.linspace(0.0, 1.0, 161), 1.0 - np.geomspace(1e-12, 0.1, 100)]))


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


class _Pairs(NamedTuple):
    """For one attribute: the joint gain is at most (product of HIGH) - (product of LOW) over some choice of pairs."""

    low: Floats
    high: Floats


class _Bounds(NamedTuple):
    """Pairs that bound every truth of an attribute, the interval each bounds, and pairs that truths looked at reach."""

    pairs: _Pairs
    owner: Indices
    shown: _Pairs
    looked: Looked | None


class WorstTruths:
    """Several guesses of which at least one truth is the worst: bounds over all truths at once."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self.any_right = combine == "or"
        self._singles: list[list[GivenTruth]] = []
        self._every: list[EveryTruth | None] = []
        self._certain: list[bool] = []  # whether a guess is right before any release, whatever the truth
        self._width = 0.0  # of the widest support, in precisions
        for each in guesses:
            view = SeenPrior(each.prior, each.precision)
            truths = _single_truths(each)
            self._certain.append(_is_certain(each, truths or each.prior.support()))
            self._singles.append([GivenTruth(each.prior, truth, each.precision) for truth in truths])
            self._every.append(None if truths or isinstance(view.seen, Atoms) else EveryTruth(view.seen))
            self._width = max(self._width, view.seen.high - view.seen.low)
        self._intervals = [None if each is None else each.intervals() for each in self._every]

    def limit(self, advantage: float, direction: Direction) -> Limit:
        """Return an epsilon proved to keep ADVANTAGE, and by how much more the bounds of truths show to be too much."""
        if self._largest(direction) <= advantage:
            return Limit(INF)
        if advantage == 0.0:
            return Limit(0.0)
        high, beaten = self._shown_limit(1.0, advantage, direction), 0
        for margin in MARGINS if high > 0.0 else ():
            found = "beaten"
            while found == "beaten" and beaten < MOST_BEATEN:
                tried = high * (1.0 - margin)
                found = self._proof(tried, advantage, direction)
                if found == "kept":
                    return Limit(tried * FALLS_SHORT, high / (tried * FALLS_SHORT) - 1.0)
                if found == "beaten":
                    beaten += 1
                    high = min(tried, self._shown_limit(tried, advantage, direction))
        # the simplified bound holds of every event: no two values lie further apart than the widest support
        epsilon = 4.0 * math.atanh(min(advantage, 0.999)) / self._width * FALLS_SHORT
        return Limit(min(epsilon, high), high / epsilon - 1.0 if 0.0 < epsilon < high else 0.0)

    def _shown_limit(self, start: float, advantage: float, direction: Direction) -> float:
        """Return the largest epsilon at which no truths looked at are shown to gain more than ADVANTAGE."""

        def gain(epsilon: float) -> float:
            return _most_gain([self._shown(n, epsilon, direction) for n in range(len(self._singles))])

        return largest(gain, advantage, start, lowest=LEAST_EPSILON, highest=MOST_EPSILON, relative=SHOWN_CLOSE)[0]

    def _proof(self, epsilon: float, advantage: float, direction: Direction) -> Literal["kept", "beaten", "open"]:
        """Tell whether EPSILON keeps ADVANTAGE for all truths, whether truths beat it, or neither is shown."""
        self._forget_fine_cuts()
        bounds = [self._bounds(n, epsilon, direction) for n in range(len(self._singles))]
        last = INF
        for step in range(ROUNDS):
            if _most_gain([each.shown for each in bounds]) > advantage:
                return "beaten"
            gains = _gains([each.pairs for each in bounds])
            most = min(float(each.max()) for each in gains)
            if most <= advantage:
                return "kept"
            won, last = last - most, most
            if step > 2 and won * (ROUNDS - step) < most - advantage:
                return "open"
            over = [_most_over(each.owner, own, advantage) for each, own in zip(bounds, gains, strict=True)]
            if not self._split(bounds, over, epsilon, direction):
                return "open"
        return "open"

    def _largest(self, direction: Direction) -> float:
        """Return a bound on the joint gain at infinite epsilon."""
        most = [self._sup_at_infinity(n, direction) for n in range(len(self._singles))]
        if self.any_right == (direction == "drop"):  # at least one: of the guesses before, or of the failures
            return _one_less_product(most, [1.0 - each for each in most])
        return math.prod(most) if direction == "rise" else self._all_right(most)

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

    def _bounds(self, n: int, epsilon: float, direction: Direction) -> _Bounds:
        """Return what is proved, and what is shown, of the truths of attribute N."""
        may_stop()
        every, intervals = self._every[n], self._intervals[n]
        if every is None or intervals is None:
            shown = self._shown(n, epsilon, direction)
            before = np.array([each.inside for each in self._singles[n]])
            after = np.array([each.posterior(epsilon, direction)[0] for each in self._singles[n]])
            pairs = self._sides(Candidate(before, after, np.zeros(before.size)), direction)
            return _Bounds(pairs, np.zeros(before.size, dtype=np.intp), shown, None)
        s = signed(epsilon, direction)
        candidates, looked = every.candidates(every.cut.sums(s), *intervals, several=True)
        sides = [self._sides(each, direction) for each in candidates]
        pairs = _Pairs(np.concatenate([each.low for each in sides]), np.concatenate([each.high for each in sides]))
        owner = np.tile(np.arange(intervals[0].size), len(sides))
        return _Bounds(pairs, owner, self._reached(every, s, looked, direction), looked)

    def _shown(self, n: int, epsilon: float, direction: Direction) -> _Pairs:
        """Return what the Laplace mechanism attains against the truths of attribute N that are looked at."""
        may_stop()
        every, intervals = self._every[n], self._intervals[n]
        if every is None or intervals is None:
            before = np.array([each.inside for each in self._singles[n]])
            after = np.array([each.posterior(epsilon, direction)[1] for each in self._singles[n]])
            return self._sides(Candidate(before, after, np.zeros(before.size)), direction)
        s = signed(epsilon, direction)
        return self._reached(every, s, every.looked(s, *intervals), direction)

    def _reached(self, every: EveryTruth, s: float, looked: Looked, direction: Direction) -> _Pairs:
        """Return the pairs of the truths LOOKED at, and of those far out on a tail, which are a limit."""
        before = np.append(looked.before, 0.0)
        gains = np.append(looked.gains, far_gain(every.density, s))
        after = before + gains if direction == "rise" else before - gains
        return self._sides(Candidate(before, after, np.zeros(after.size)), direction)

    def _sides(self, candidate: Candidate, direction: Direction) -> _Pairs:
        """Return LOW and HIGH of a candidate; what edges may add goes to HIGH, which weighs more."""
        before, after = candidate.before, candidate.after
        if self.any_right:
            before, after = 1.0 - before, 1.0 - after
        rises = (direction == "rise") != self.any_right
        low, high = (before, after) if rises else (after, before)
        return _Pairs(low, np.minimum(high + candidate.more, 1.0))

    def _split(self, bounds: list[_Bounds], over: list[Indices], epsilon: float, direction: Direction) -> bool:
        """Halve the intervals that OVER names for each attribute; tell whether any could be halved."""
        any_split = False
        for n, every in enumerate(self._every):
            intervals, looked = self._intervals[n], bounds[n].looked
            if every is None or intervals is None or looked is None:
                continue
            u, v = intervals
            chosen = over[n]
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
            bounds[n] = self._bounds(n, epsilon, direction)
        return any_split


def _single_truths(guess: Guess) -> list[float]:
    """Return the truths to look at one by one: the given one, or every value of a list."""
    if guess.truth is not None:
        return [guess.truth]
    seen = guess.prior.seen()
    return [float(place) for place in seen.places] if isinstance(seen, Atoms) else []


def _is_certain(guess: Guess, truths: Sequence[float]) -> bool:
    """Tell whether a guess is right before any release at each of TRUTHS: all values, or the ends of all."""
    low, high = guess.prior.support()
    if math.isinf(low) or math.isinf(high):
        return False
    farthest = max(decimal(high) - decimal(min(truths)), decimal(max(truths)) - decimal(low))
    return farthest <= decimal(guess.precision)


def _most_over(owner: Indices, gains: Floats, advantage: float) -> Indices:
    """Return the intervals whose pairs gain more than ADVANTAGE, those that gain most first, MOST_SPLIT at most."""
    order = np.argsort(-gains)
    named = owner[order[gains[order] > advantage]]
    _, first = np.unique(named, return_index=True)
    return named[np.sort(first)][:MOST_SPLIT]


def _most_gain(attributes: Sequence[_Pairs]) -> float:
    """Return a bound on the largest (product of HIGH) - (product of LOW) over all choices of pairs."""
    return float(_gains(attributes)[0].max())


def _gains(attributes: Sequence[_Pairs]) -> list[Floats]:
    """Return, for every pair of every attribute, the largest joint gain that it allows with pairs of the others.

    What the others allow a pair is HIGH f(LOW/HIGH), f(t) the largest (product of their HIGH) - t (product of their
    LOW). It is convex in t, so that a straight line between two of WEIGHTS bounds it from above.
    """
    corners = [_Pairs(each.low[kept], each.high[kept]) for each in attributes for kept in [_corners(*each)]]
    others = _largest_of_others(corners, 1.0 - WEIGHTS)
    return [_lines(each, 1.0, other)[:, 0] for each, other in zip(attributes, others, strict=True)]


def _largest_of_others(attributes: list[_Pairs], so_far: Floats) -> list[Floats]:
    """Return for each of ATTRIBUTES the function f of all others, at WEIGHTS; SO_FAR that of those left out."""
    if len(attributes) == 1:
        return [so_far]
    may_stop()
    middle = len(attributes) // 2
    first, second = attributes[:middle], attributes[middle:]
    return _largest_of_others(first, _with_all(so_far, second)) + _largest_of_others(second, _with_all(so_far, first))


def _with_all(so_far: Floats, attributes: list[_Pairs]) -> Floats:
    for each in attributes:
        so_far = _lines(each, WEIGHTS, so_far).max(axis=0)
    return so_far


def _lines(pairs: _Pairs, weights: Floats | float, most: Floats) -> Floats:
    """Return HIGH f(t LOW/HIGH) for each pair (row) and weight t (column), f being MOST at WEIGHTS."""
    share = np.minimum(pairs.low / np.maximum(pairs.high, 1e-300), 1.0)
    return np.asarray(pairs.high[:, None] * np.interp(np.multiply.outer(share, np.atleast_1d(weights)), WEIGHTS, most))


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
