"""The largest epsilon that keeps an advantage where a truth is the worst: of one guess, or of several at once.

The search begins at the largest epsilon that no truth looked at shows to be too much, and tries to prove epsilons ever
further below it: intervals of truths are bounded from above, and split where the bound exceeds the advantage.
docs/methods/guessing_advantage.md, "The worst truth" and "Several attributes".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from dpwizard.base.numerics import decimal
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import halves
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, EveryTruth, Looked
from dpwizard.privacy.guessing_advantage.given_truth import FALLS_SHORT, SLACK, Direction, GivenTruth, signed
from dpwizard.privacy.guessing_advantage.several_guesses import Combine, Guess, one_less_product
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats, Indices
from dpwizard.privacy.guessing_advantage.truth_search import EQUAL, TIE, SeenPrior, atoms_chances, largest_at_infinity
from dpwizard.privacy.largest_budget import largest
from dpwizard.privacy.priors import PointMasses

# how far below the epsilon that truths show to be too much a proof is tried, one after the other
MARGINS = (2e-5, 4e-4, 9e-4, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99, 0.999)
CLOSE_OF_INTERVALS, CLOSE_OF_SEVERAL = 4e-4, 9e-4  # the first one where intervals are bounded, and for several guesses
SHOWN_CLOSE = 1e-5  # relative: how near that epsilon is sought
LEAST_EPSILON, MOST_EPSILON = 1e-9, 1e5  # smaller ones count as 0, larger ones are not looked for
CLOSE_GAIN, ROUNDED = 4e-4, 1e-13  # relative and absolute: how near a gain is proved
ROUNDS = 26
MOST_BEATEN = 12  # times that a proof ends because truths gain more
MOST_EDGES = 8_000
MOST_SPLIT = 2_000  # intervals of all attributes in a round
WEIGHTS = np.unique(np.concatenate([np.linspace(0.0, 1.0, 161), 1.0 - np.geomspace(1e-12, 0.1, 100)]))


class WorstLimit(NamedTuple):
    """The largest epsilon proved against every truth, the truth that shows how much more is too much, and how much.

    The truth is None where it is a limit that no truth attains, and of several guesses.
    """

    epsilon: float
    truth: float | None = None
    gap: float = 0.0


class WorstGain(NamedTuple):
    """An advantage that no truth exceeds, the worst truth that was looked at, and what that one gains."""

    proved: float
    truth: float | None
    attained: float


class _Proof(NamedTuple):
    """A gain that no truths exceed, the most that truths looked at gain, and the worst of one guess."""

    gain: float
    shown: float
    truth: float | None


class _Pairs(NamedTuple):
    """For one attribute: the joint gain is at most (product of HIGH) - (product of LOW) over some choice of pairs."""

    low: Floats
    high: Floats


class _Shown(NamedTuple):
    """Places of truths that were looked at (NaN: a limit), the chance before, and what a mechanism makes of it."""

    truths: Floats
    before: Floats
    after: Floats


class _Bounds(NamedTuple):
    """Candidates of which one bounds each truth, the interval that each is of, and what is shown."""

    candidate: Candidate
    owner: Indices
    shown: _Shown
    outputs: Floats  # of the mechanism that shows it


class _Listed:
    """An attribute whose truths are looked at one by one: the one that is given, or every value of a list."""

    def __init__(self, guess: Guess, seen: PointMasses | None) -> None:
        self._guess = None if seen is not None else GivenTruth(guess.prior, guess.truth or 0.0, guess.precision)
        self._atoms = seen

    def at_infinity(self, direction: Direction, advantage: float) -> float:
        """Return the largest chance of failure (rise) or of success (drop) before a release."""
        if self._atoms is not None:
            before, outside, *_ = atoms_chances(self._atoms, 0.0)
            return float(np.max(outside if direction == "rise" else before))
        assert self._guess is not None
        return self._guess.outside if direction == "rise" else self._guess.inside

    def shown(self, epsilon: float, direction: Direction) -> _Shown:
        """Return what the Laplace mechanism attains."""
        return self.bounds(epsilon, direction).shown

    def bounds(self, epsilon: float, direction: Direction) -> _Bounds:
        """Return what no mechanism passes, and what is attained."""
        if self._atoms is not None:
            before, _, after, attained = atoms_chances(self._atoms, signed(epsilon, direction))
            places = self._atoms.places
        else:
            assert self._guess is not None
            found = self._guess.posterior(epsilon, direction)
            before, after, attained = (np.array([each]) for each in (self._guess.inside, *found))
            places = np.zeros(1)
        nothing = np.zeros(before.size)
        shown = _Shown(places, before, attained)
        return _Bounds(Candidate(before, after, nothing), np.zeros(before.size, dtype=np.intp), shown, nothing)

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        """Tell that nothing can be halved."""
        return False

    def forget_fine_cuts(self) -> None:
        """Do nothing: nothing was cut."""


class _Searched:
    """An attribute whose truths are bounded by intervals, which can be halved."""

    def __init__(self, every: EveryTruth, several: bool) -> None:
        self._every, self._several = every, several
        self._intervals = every.intervals()

    def at_infinity(self, direction: Direction, advantage: float) -> float:
        """Return a bound on 1 - p (rise) or p (drop) over all truths; inf once one exceeds ADVANTAGE."""
        return largest_at_infinity(self._every, direction, advantage)

    def shown(self, epsilon: float, direction: Direction) -> _Shown:
        """Return what the Laplace mechanism attains at the ends of the intervals."""
        may_stop()
        s = signed(epsilon, direction)
        return self._reached(self._every.looked(s, *self._intervals), s)

    def _reached(self, looked: Looked, s: float) -> _Shown:
        """Return what is shown of the truths LOOKED at, and of those far out on a tail, which are a limit."""
        if math.isfinite(self._every.density.high - self._every.density.low):
            truths, before, gains = looked.truths, looked.before, looked.gains
        else:
            truths, before = np.append(looked.truths, np.nan), np.append(looked.before, 0.0)
            gains = np.append(looked.gains, self._every.far_gain(s))
        return _Shown(truths, before, before + gains if s > 0.0 else before - gains)

    def bounds(self, epsilon: float, direction: Direction) -> _Bounds:
        """Return bounds on every truth, interval by interval, and what is shown at their ends."""
        may_stop()
        s, (u, v) = signed(epsilon, direction), self._intervals
        each, looked = self._every.candidates(self._every.cut.sums(s), u, v, several=self._several)
        candidate = Candidate(*(np.concatenate(parts) for parts in zip(*each, strict=True)))
        at_ends = np.searchsorted(looked.truths, np.where(np.isfinite(u), u, v))
        outputs = looked.outputs[np.clip(at_ends, 0, looked.outputs.size - 1)]
        return _Bounds(candidate, np.tile(np.arange(u.size), len(each)), self._reached(looked, s), outputs)

    def forget_fine_cuts(self) -> None:
        """Begin anew where other epsilons have cut into too many cells."""
        if self._every.cut.edges.size > MOST_EDGES:
            self._every = EveryTruth(self._every.density)
            self._intervals = self._every.intervals()

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        """Halve the CHOSEN intervals, cutting the prior at their middles and at OUTPUTS; tell whether any could be."""
        u, v = self._intervals
        middle = halves(u[chosen], v[chosen])
        fine = (middle > u[chosen]) & (middle < v[chosen])
        chosen, middle = chosen[fine], middle[fine]
        if not chosen.size or self._every.cut.full:
            return False
        self._every.cut.add(np.concatenate([middle - 1.0, middle, middle + 1.0, outputs[chosen]]))
        rest = np.ones(u.size, dtype=bool)
        rest[chosen] = False
        self._intervals = self._every.kept(
            np.concatenate([u[rest], u[chosen], middle]), np.concatenate([v[rest], middle, v[chosen]])
        )
        return True


class WorstTruths:
    """Guesses of which at least one truth is the worst: bounds over all truths at once."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self._any_right = combine == "or"
        self._views = [SeenPrior(each.prior, each.precision) for each in guesses]
        self._attributes: list[_Listed | _Searched] = []
        for guess, view in zip(guesses, self._views, strict=True):
            if guess.truth is not None:
                self._attributes.append(_Listed(guess, None))
            elif isinstance(view.seen, PointMasses):
                self._attributes.append(_Listed(guess, view.seen))
            else:
                self._attributes.append(_Searched(EveryTruth(view.seen), len(guesses) > 1))
        bounded = any(isinstance(each, _Searched) for each in self._attributes)
        self._closest = 0.0 if not bounded else CLOSE_OF_INTERVALS if len(guesses) == 1 else CLOSE_OF_SEVERAL
        self._certain = [_is_certain(each) for each in guesses]  # whatever the truth, before any release
        self._width = max(view.seen.high - view.seen.low for view in self._views)  # in precisions

    def limit(self, advantage: float, direction: Direction) -> WorstLimit:
        """Return an epsilon proved to keep ADVANTAGE against all truths; infinite only with a proof."""
        if self._largest(direction, advantage) <= advantage * (1.0 + EQUAL):
            return WorstLimit(INF)
        if advantage == 0.0:
            return WorstLimit(0.0)
        high = self._shown_limit(min(2.0 * math.atanh(min(advantage, 0.999)), 1.0), advantage, direction)
        beaten = 0
        for margin in MARGINS if high > 0.0 else ():
            if margin < self._closest:
                continue
            while beaten < MOST_BEATEN:
                tried = high * (1.0 - margin)
                found = self._proof(tried, direction, advantage)
                if found.gain <= advantage:
                    return WorstLimit(tried * FALLS_SHORT, found.truth, high - tried * FALLS_SHORT)
                if found.shown <= advantage:
                    break
                beaten += 1
                high = min(tried, self._shown_limit(tried, advantage, direction))
        # the simplified bound holds of every event: no two values lie further apart than the widest support
        epsilon = min(4.0 * math.atanh(min(advantage, 0.999)) / self._width * FALLS_SHORT, high)
        return WorstLimit(epsilon, None, high - epsilon)

    def _shown_limit(self, start: float, advantage: float, direction: Direction) -> float:
        """Return the largest epsilon at which no truths looked at are shown to gain more than ADVANTAGE."""

        def gain(epsilon: float) -> float:
            return self._shown_gain([each.shown(epsilon, direction) for each in self._attributes], direction)

        return largest(gain, advantage, start, lowest=LEAST_EPSILON, highest=MOST_EPSILON, relative=SHOWN_CLOSE)[0]

    def gain(self, epsilon: float, direction: Direction) -> WorstGain:
        """Return the advantage at EPSILON that no truth of one guess exceeds."""
        if epsilon > MOST_EPSILON:
            return WorstGain(self._largest(direction, INF), None, 0.0)
        found = self._proof(epsilon, direction, None)
        truth = found.truth if found.truth is None else self._views[0].worst_of_uniform(epsilon, direction)
        return WorstGain(min(found.gain, 1.0), found.truth if truth is None else truth, found.shown)

    def _proof(self, epsilon: float, direction: Direction, advantage: float | None) -> _Proof:
        """Return what is proved of all truths at EPSILON: whether ADVANTAGE is kept, or, without one, their gain."""
        for each in self._attributes:
            each.forget_fine_cuts()
        bounds = [each.bounds(epsilon, direction) for each in self._attributes]
        shown, least = 0.0, INF
        for step in range(ROUNDS):
            shown = max(shown, self._shown_gain([each.shown for each in bounds], direction))
            gains = _gains([self._sides(each.candidate, direction) for each in bounds])
            won, least = least, min(least, *(float(each.max()) for each in gains))
            won -= least
            goal = shown * (1.0 + CLOSE_GAIN) + ROUNDED if advantage is None else advantage
            if least <= goal or shown > goal or (step > 6 and won * (ROUNDS - step) < least - goal):
                break
            halved = False
            for n, each in enumerate(self._attributes):
                over = _most_over(bounds[n].owner, gains[n], goal, MOST_SPLIT // len(bounds))
                if each.halve(over, bounds[n].outputs):
                    bounds[n] = each.bounds(epsilon, direction)
                    halved = True
            if not halved:
                break
        return _Proof(max(least, shown), shown, self._worst(bounds[0].shown, direction))

    def _worst(self, shown: _Shown, direction: Direction) -> float | None:
        """Return the truth that gains most: the smallest of those that tie; None for a limit, and of several."""
        if len(self._attributes) > 1:
            return None
        gains = (shown.after - shown.before) * (1.0 if direction == "rise" else -1.0)
        if not np.max(gains) > 0.0:  # too large a loss for what is attained to be a number: all may be lost
            gains = np.where(np.isnan(shown.truths), 0.0, shown.before)
        place = float(shown.truths[gains >= np.max(gains) * (1.0 - TIE)][0])
        limit = bool(np.isnan(shown.truths[-1])) and float(gains[-1]) >= float(np.max(gains)) * (1.0 - SLACK)
        return None if limit and float(gains[-1]) > 0.0 else self._views[0].value(place)

    def _shown_gain(self, each: Sequence[_Shown], direction: Direction) -> float:
        """Return the joint gain of the best choice of truths that are SHOWN."""
        chances = [Candidate(one.before, one.after, 0.0 * one.before) for one in each]
        return float(_gains([self._sides(one, direction) for one in chances])[0].max())

    def _largest(self, direction: Direction, advantage: float) -> float:
        """Return a bound on the gain at infinite epsilon; of one guess, inf once a truth gains more than ADVANTAGE."""
        if all(self._certain) or (self._any_right and any(self._certain)):
            return 0.0
        if len(self._attributes) == 1:
            return self._attributes[0].at_infinity(direction, advantage)
        most = [
            1.0 if sure and direction == "drop" else min(each.at_infinity(direction, INF), 1.0)
            for sure, each in zip(self._certain, self._attributes, strict=True)
        ]
        if self._any_right == (direction == "drop"):  # at least one: of the guesses before, or of the failures
            return one_less_product(most, [1.0 - each for each in most])
        return math.prod(most)

    def _sides(self, candidate: Candidate, direction: Direction) -> _Pairs:
        """Return LOW and HIGH of a candidate; what edges may add goes to HIGH, which weighs more."""
        before, after = candidate.before, candidate.after
        if self._any_right:
            before, after = 1.0 - before, 1.0 - after
        rises = (direction == "rise") != self._any_right
        low, high = (before, after) if rises else (after, before)
        # a bound that is no number is a failure
        return _Pairs(np.nan_to_num(low, nan=0.0), np.minimum(np.nan_to_num(high + candidate.more, nan=1.0), 1.0))


def _is_certain(guess: Guess) -> bool:
    """Tell whether a guess is right before any release: of the given truth, or of every one."""
    low, high = guess.prior.support()
    if math.isinf(low) or math.isinf(high):
        return False
    truths = (low, high) if guess.truth is None else (guess.truth,)
    farthest = max(decimal(high) - decimal(min(truths)), decimal(max(truths)) - decimal(low))
    return farthest <= decimal(guess.precision)


def _most_over(owner: Indices, gains: Floats, advantage: float, count: int) -> Indices:
    """Return the COUNT intervals whose pairs gain most, and more than ADVANTAGE."""
    order = np.argsort(-gains)
    named = owner[order[gains[order] > advantage]]
    _, first = np.unique(named, return_index=True)
    return named[np.sort(first)][:count]


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
