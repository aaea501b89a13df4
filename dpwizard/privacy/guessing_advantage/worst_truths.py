"""The largest epsilon that meets an advantage for the worst true values of one guess or of several at once.

The search starts at the largest epsilon that no tried true value refutes, and tries to prove smaller and smaller ones:
intervals of true values are bounded from above, and halved if the bound exceeds the advantage.
docs/methods/guessing_advantage.md, "The worst truth" and "Several attributes".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from dpwizard.base.numerics import decimal
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, EveryTruth, TriedTruths
from dpwizard.privacy.guessing_advantage.given_truth import FALLS_SHORT, SLACK, Direction, GivenTruth
from dpwizard.privacy.guessing_advantage.several_guesses import Combine, Guess
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats, Indices
from dpwizard.privacy.guessing_advantage.truth_search import (
    EQUAL,
    TIE,
    ListedTruths,
    SeenPrior,
    atoms_chances,
    given_chances,
)
from dpwizard.privacy.largest_budget import largest
from dpwizard.privacy.priors import PointMasses

# relative distances below the least refuted epsilon at which proofs are tried, in order
PROOF_MARGINS = (2e-5, 4e-4, 9e-4, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99, 0.999)
COARSE_MARGINS = (0.1, 0.3, 0.99)  # the distances tried for several guesses after MOST_ROUNDS_IN_ALL
MOST_ROUNDS_IN_ALL = 30  # the rounds of all proofs, each 0.1 s or more
LEAST_MARGIN_OF_ONE, LEAST_MARGIN_OF_SEVERAL = 4e-4, 9e-4  # the least distances if intervals are bounded
SHOWN_ERROR = 1e-5  # relative error of the least refuted epsilon
LEAST_EPSILON, MOST_EPSILON = 1e-9, 1e5  # smaller ones count as 0, larger ones are not searched
GAIN_ERROR, ROUNDING_ERROR = 4e-4, 1e-13  # relative and absolute precision of a proved gain
MOST_ROUNDS = 26
MOST_RESTARTS = 12  # the most restarts after a proof was refuted
MOST_HALVED = 2_000  # the most intervals of all attributes halved in one round
WEIGHTS = np.unique(np.concatenate([np.linspace(0.0, 1.0, 161), 1.0 - np.geomspace(1e-12, 0.1, 100)]))


class WorstLimit(NamedTuple):
    """The largest epsilon proved for every true value, the one that sets it, and the gap to the least refuted epsilon.

    The true value is None if it is a limit that none attains, and for several guesses.
    """

    epsilon: float
    truth: float | None = None
    gap: float = 0.0


class WorstGain(NamedTuple):
    """A proved bound on the gain, the worst true value that was tried (of one guess), and the gain attained there."""

    proved: float
    truth: float | None
    attained: float


class _Pairs(NamedTuple):
    """Bounds of one attribute: the joint gain is at most the product of highs less that of lows, for some pairs."""

    low: Floats
    high: Floats


class WorstTruths:
    """Guesses of which at least one has the worst true value: bounds over all true values at once."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        self._any_right = combine == "or"
        self._views = [SeenPrior(guess.prior, guess.precision) for guess in guesses]
        self._attributes: list[ListedTruths | EveryTruth] = []
        for guess, view in zip(guesses, self._views, strict=True):
            if guess.truth is not None:
                given = GivenTruth(guess.prior, guess.truth, guess.precision)
                self._attributes.append(ListedTruths(np.zeros(1), partial(given_chances, given)))
            elif isinstance(view.seen, PointMasses):
                self._attributes.append(ListedTruths(view.seen.places, partial(atoms_chances, view.seen)))
            else:
                self._attributes.append(EveryTruth(view.seen))
        self._least_margin = 0.0
        if any(isinstance(attribute, EveryTruth) for attribute in self._attributes):
            self._least_margin = LEAST_MARGIN_OF_ONE if len(guesses) == 1 else LEAST_MARGIN_OF_SEVERAL
        self._certain = [_is_certain(guess) for guess in guesses]
        self._rounds = 0  # the rounds of all proofs so far, for several guesses
        self._width = max(view.seen.high - view.seen.low for view in self._views)  # the widest support, in precisions

    def limit(self, advantage: float, direction: Direction) -> WorstLimit:
        """Return an epsilon proved to meet ADVANTAGE for all true values; infinite only with a proof."""
        if all(self._certain) or (self._any_right and any(self._certain)):
            return WorstLimit(INF)
        if advantage == 0.0:
            return WorstLimit(0.0)
        if self._prove(INF, direction, advantage * (1.0 + EQUAL)).proved <= advantage * (1.0 + EQUAL):
            return WorstLimit(INF)
        high = self._shown_limit(min(2.0 * math.atanh(min(advantage, 0.999)), 1.0), advantage, direction)
        restarts = 0
        for margin in PROOF_MARGINS if high > 0.0 else ():
            too_slow = self._rounds > MOST_ROUNDS_IN_ALL and margin not in COARSE_MARGINS
            if margin < self._least_margin or too_slow:
                continue
            while restarts < MOST_RESTARTS:
                epsilon_tried = high * (1.0 - margin)
                proof = self._prove(epsilon_tried, direction, advantage)
                if proof.proved <= advantage:
                    return WorstLimit(epsilon_tried * FALLS_SHORT, proof.truth, high - epsilon_tried * FALLS_SHORT)
                if proof.attained <= advantage:
                    break
                restarts += 1
                high = min(epsilon_tried, self._shown_limit(epsilon_tried, advantage, direction))
        # the simplified bound holds for every event: no two values are further apart than the widest support
        epsilon = min(4.0 * math.atanh(min(advantage, 0.999)) / self._width * FALLS_SHORT, high)
        return WorstLimit(epsilon, None, high - epsilon)

    def _shown_limit(self, start: float, advantage: float, direction: Direction) -> float:
        """Return the largest epsilon at which no tried true values are found to exceed ADVANTAGE."""

        def gain(epsilon: float) -> float:
            shown = [attribute.bounds(epsilon, direction).tried for attribute in self._attributes]
            return self._shown_gain(shown, direction)

        return largest(gain, advantage, start, lowest=LEAST_EPSILON, highest=MOST_EPSILON, relative=SHOWN_ERROR)[0]

    def gain(self, epsilon: float, direction: Direction) -> WorstGain:
        """Return an advantage at EPSILON that no true value of one guess exceeds."""
        if epsilon > MOST_EPSILON:
            return WorstGain(min(self._prove(INF, direction, None).proved, 1.0), None, 0.0)
        proof = self._prove(epsilon, direction, None)
        exact = None if proof.truth is None else self._views[0].worst_of_uniform(epsilon, direction)
        truth = proof.truth if exact is None else exact
        return proof._replace(proved=min(proof.proved, 1.0), truth=truth)

    def _prove(self, epsilon: float, direction: Direction, advantage: float | None) -> WorstGain:
        """Return the result for all true values at EPSILON: whether ADVANTAGE is met or, if it is None, the gain."""
        for attribute in self._attributes:
            attribute.forget_fine_cuts()
        bounds = [attribute.bounds(epsilon, direction) for attribute in self._attributes]
        shown, proved = 0.0, INF
        for step in range(MOST_ROUNDS):
            self._rounds += len(bounds) > 1 and epsilon < INF
            shown = max(shown, self._shown_gain([bound.tried for bound in bounds], direction))
            gains = _joint_gains([self._low_and_high(bound.candidate, direction) for bound in bounds])
            before, proved = proved, min(proved, *(float(pair_gains.max()) for pair_gains in gains))
            progress = before - proved
            goal = shown * (1.0 + GAIN_ERROR) + ROUNDING_ERROR if advantage is None else advantage
            if proved <= goal or shown > goal or (step > 6 and progress * (MOST_ROUNDS - step) < proved - goal):
                break
            halved = False
            for n, attribute in enumerate(self._attributes):
                over = _intervals_over(bounds[n].owner, gains[n], goal, MOST_HALVED // len(bounds))
                if attribute.halve(over, bounds[n].outputs):
                    bounds[n] = attribute.bounds(epsilon, direction)
                    halved = True
            if not halved:
                break
        return WorstGain(max(proved, shown), self._worst_truth_shown(bounds[0].tried, direction), shown)

    def _worst_truth_shown(self, shown: TriedTruths, direction: Direction) -> float | None:
        """Return the smallest true value with the largest gain; None if that is a limit, and for several guesses."""
        if len(self._attributes) > 1:
            return None
        gains = (shown.after - shown.before) * (1.0 if direction == "rise" else -1.0)
        if not np.max(gains) > 0.0:  # the loss overflows: everything may be revealed
            gains = np.where(np.isnan(shown.truths), 0.0, shown.before)
        place = float(shown.truths[gains >= np.max(gains) * (1.0 - TIE)][0])
        limit = bool(np.isnan(shown.truths[-1])) and float(gains[-1]) >= float(np.max(gains)) * (1.0 - SLACK)
        return None if limit and float(gains[-1]) > 0.0 else self._views[0].value(place)

    def _shown_gain(self, chances_shown: Sequence[TriedTruths], direction: Direction) -> float:
        """Return the joint gain of the best choice of true values."""
        chances = [Candidate(shown.before, shown.after, 0.0 * shown.before) for shown in chances_shown]
        return float(_joint_gains([self._low_and_high(chance, direction) for chance in chances])[0].max())

    def _low_and_high(self, candidate: Candidate, direction: Direction) -> _Pairs:
        """Return the low and high of a candidate, with what edges may add on the high, which weighs more."""
        before, after = candidate.before, candidate.after
        if self._any_right:
            before, after = 1.0 - before, 1.0 - after
        rises = (direction == "rise") != self._any_right
        low, high = (before, after) if rises else (after, before)
        # NaN counts as no bound
        return _Pairs(np.nan_to_num(low, nan=0.0), np.minimum(np.nan_to_num(high + candidate.more, nan=1.0), 1.0))


def _is_certain(guess: Guess) -> bool:
    """Return whether a guess is right before any release, for the given true value or for every one."""
    low, high = guess.prior.support()
    if math.isinf(low) or math.isinf(high):
        return False
    truths = (low, high) if guess.truth is None else (guess.truth,)
    farthest = max(decimal(high) - decimal(min(truths)), decimal(max(truths)) - decimal(low))
    return farthest <= decimal(guess.precision)


def _intervals_over(owner: Indices, gains: Floats, advantage: float, count: int) -> Indices:
    """Return the COUNT intervals whose pairs gain most and more than ADVANTAGE."""
    order = np.argsort(-gains)
    owners = owner[order[gains[order] > advantage]]
    _, first_places = np.unique(owners, return_index=True)
    return owners[np.sort(first_places)][:count]


def _joint_gains(attributes: Sequence[_Pairs]) -> list[Floats]:
    """Return, for every pair of every attribute, the largest joint gain with pairs of the other attributes.

    It is HIGH f(LOW/HIGH), with f(t) the largest (product of the others' highs) - t (product of their lows). As f is
    convex, a straight line between two of WEIGHTS bounds it from above.
    """
    corners = []
    for attribute in attributes:
        indices = _corners(*attribute)
        corners.append(_Pairs(attribute.low[indices], attribute.high[indices]))
    others = _allowed_by_others(corners, 1.0 - WEIGHTS)
    return [
        _allowed_at_weights(attribute, 1.0, allowed)[:, 0]
        for attribute, allowed in zip(attributes, others, strict=True)
    ]


def _allowed_by_others(attributes: list[_Pairs], so_far: Floats) -> list[Floats]:
    """Return for each of ATTRIBUTES the function f of all others, at WEIGHTS, given SO_FAR for those left out."""
    if len(attributes) == 1:
        return [so_far]
    may_stop()
    middle = len(attributes) // 2
    first_half, second_half = attributes[:middle], attributes[middle:]
    return _allowed_by_others(first_half, _allowed_by_all(so_far, second_half)) + _allowed_by_others(
        second_half, _allowed_by_all(so_far, first_half)
    )


def _allowed_by_all(so_far: Floats, attributes: list[_Pairs]) -> Floats:
    for attribute in attributes:
        so_far = _allowed_at_weights(attribute, WEIGHTS, so_far).max(axis=0)
    return so_far


def _allowed_at_weights(pairs: _Pairs, weights: Floats | float, most: Floats) -> Floats:
    """Return HIGH f(t LOW/HIGH) for each pair (row) and weight t (column), where f is MOST at WEIGHTS."""
    share = np.minimum(pairs.low / np.maximum(pairs.high, 1e-300), 1.0)
    return np.asarray(pairs.high[:, None] * np.interp(np.multiply.outer(share, np.atleast_1d(weights)), WEIGHTS, most))


def _corners(low: Floats, high: Floats) -> Indices:
    """Return the pairs that maximise a HIGH - b LOW for some a >= b >= 0: corners of the convex hull."""
    order = np.lexsort((-high, low))
    climbs = high[order] > np.concatenate([[-1.0], np.maximum.accumulate(high[order])[:-1]])
    corners: list[int] = []
    for i in order[climbs].tolist():
        while len(corners) > 1:
            a, b = corners[-2], corners[-1]
            below_the_chord = (high[b] - high[a]) * (low[i] - low[a]) <= (high[i] - high[a]) * (low[b] - low[a])
            if not below_the_chord:
                break
            corners.pop()
        corners.append(i)
    return np.array(corners, dtype=np.intp)
