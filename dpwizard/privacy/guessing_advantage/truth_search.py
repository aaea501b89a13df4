"""The truths against which guesses gain most: every truth of each support is covered, by intervals that are split.

The largest bound over the intervals is proved; the largest gain of truths that were looked at shows how far it may be
off. Of several attributes the joint gain is (product of HIGH) - (product of LOW), linear in each pair, HIGH weighing
more: a bound of one attribute is combined with the corners of the others.
docs/methods/guessing_advantage.md, "The worst truth".
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.every_truth import EveryTruth
from dpwizard.privacy.guessing_advantage.given_truth import (
    CLOSE,
    FALLS_SHORT,
    LARGEST_LOSS,
    SLACK,
    Direction,
    GivenTruth,
    largest_epsilon,
    signed,
)
from dpwizard.privacy.guessing_advantage.several_guesses import Combine, Guess, one_less_product
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Floats, Indices
from dpwizard.privacy.guessing_advantage.truths import ListedTruths, OneTruth, Truths
from dpwizard.privacy.priors import FARTHEST, Atoms, Bins, Density, Distribution

ROUNDS = 26
MOST_BEATEN = 12
LARGEST_PROVED = 1e4  # a finite limit beyond it is not searched for: this much is allowed
SMALLEST_SEARCHED = 1e-40  # a smaller limit is 0
LARGEST_SEARCHED = 1e5  # beyond it the gain at infinite epsilon is the bound
ROUNDED = 1e-13
EQUAL = 1e-12
TIE = 1e-9  # gains nearer to each other are equal
# how far below the limit that single truths show a proof is tried, one after the other
MARGINS = (4e-4, 9e-4, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9, 0.99)


class WorstGain(NamedTuple):
    """An advantage that no truth exceeds, the worst truth that was looked at, and what that one gains."""

    proved: float
    truth: float | None
    attained: float


class WorstLimit(NamedTuple):
    """The largest epsilon proved against every truth, the truth that shows how much more is too much, and how much."""

    epsilon: float
    truth: float | None = None
    gap: float = 0.0


class _Pairs(NamedTuple):
    """Chances of which a gain is HIGH less LOW: of one attribute, or products over several."""

    low: Floats
    high: Floats


NO_OTHERS = _Pairs(np.ones(1), np.ones(1))


class SeenPrior:
    """A prior seen from its median, in precisions."""

    def __init__(self, prior: Distribution, precision: float) -> None:
        self.prior, self.precision = prior, precision
        self.origin = decimal(prior.quantile(0.5))
        self.seen = prior.seen_from(self.origin, decimal(precision))

    @property
    def density(self) -> Density | None:
        return None if isinstance(self.seen, Atoms) else self.seen

    def value(self, place: float | None) -> float | None:
        """Return the value at a PLACE, within the support; None for none."""
        if place is None:
            return None
        low, high = self.prior.support()
        return min(max(real(self.origin + Fraction(place) * decimal(self.precision)), low), high)


class WorstTruths:
    """One guess or several, of which at least one truth is the worst: bounds over all truths at once."""

    def __init__(self, guesses: Sequence[Guess], combine: Combine) -> None:
        several = len(guesses) > 1
        views = [SeenPrior(each.prior, each.precision) for each in guesses]
        self._any_right = combine == "or" and several
        self._truths = [_truths(guess, view, several=several) for guess, view in zip(guesses, views, strict=True)]
        self._in_intervals = [each for each in self._truths if isinstance(each, EveryTruth)]
        self._only = None if several else views[0]

    def gain(self, epsilon: float, direction: Direction) -> WorstGain:
        """Return the advantage of a single guess at EPSILON that no truth of the support exceeds."""
        assert self._only is not None
        density = self._only.density
        if density is not None and epsilon > LARGEST_SEARCHED:
            return WorstGain(self._largest(direction), None, 0.0)
        found = self._search(min(epsilon, LARGEST_LOSS), direction)
        place = found.truth
        if density is not None and direction == "rise":
            far = _far_gain(density, epsilon)
            if far >= found.attained * (1.0 - SLACK):  # a limit, which no truth attains
                return WorstGain(max(found.proved, far), None, far)
            closed_form = _worst_of_uniform(density, epsilon)
            place = place if closed_form is None else closed_form
        return WorstGain(min(found.proved, 1.0), self._only.value(place), found.attained)

    def limit(self, advantage: float, direction: Direction) -> WorstLimit:
        """Return the largest epsilon proved to keep ADVANTAGE against every truth; infinite only with a proof."""
        if self._largest(direction, advantage * (1.0 + EQUAL)) <= advantage * (1.0 + EQUAL):
            return WorstLimit(INF)
        if advantage == 0.0:
            return WorstLimit(0.0)
        high = self._shown_limit(advantage, direction, min(4.0 * math.atanh(min(advantage, 0.999)), 2.0))
        high = min(high, LARGEST_PROVED if self._in_intervals else LARGEST_LOSS)
        if high == 0.0:
            return WorstLimit(0.0)
        density = self._only.density if self._only else None
        tail = _tail_limit(density, advantage) if density is not None and direction == "rise" else INF
        found = self._prove_below(min(high, tail), advantage, direction)
        return found._replace(truth=None) if tail <= high else found

    def _prove_below(self, high: float, advantage: float, direction: Direction) -> WorstLimit:
        """Return a limit at most HIGH, which truths that were looked at show, as near to it as a proof is found."""
        beaten = 0
        for margin in MARGINS if self._in_intervals else (0.0, *MARGINS):  # of lists the bounds are what is shown
            while beaten < MOST_BEATEN:
                may_stop()
                tried = high * (1.0 - margin)
                found = self._search(tried, direction, advantage)
                if found.proved <= advantage:
                    epsilon = tried * FALLS_SHORT
                    truth = self._only.value(found.truth) if self._only else None
                    return WorstLimit(epsilon, truth, high * (1.0 + 2.0 * CLOSE) - epsilon)
                if found.attained <= advantage:
                    break
                beaten += 1
                for each in self._in_intervals:
                    each.remember(each.shown.truths[_corners(self._pairs(*each.shown[1:], direction))])
                high = min(tried, self._shown_limit(advantage, direction, tried))
            beaten = min(beaten, 8)
        # the simplified bound against the worst prior holds of every truth
        density = self._only.density if self._only else None
        width = density.high - density.low if density else INF
        epsilon = 0.0 if math.isinf(width) else 4.0 * math.atanh(advantage) / width * FALLS_SHORT
        return WorstLimit(epsilon, None, high - epsilon)

    def _shown_limit(self, advantage: float, direction: Direction, start: float) -> float:
        """Return the largest epsilon at which no truths looked at first are shown to gain more than ADVANTAGE."""

        def gain(epsilon: float) -> float:
            for each in self._truths:
                each.look(signed(epsilon, direction))
            return self._shown_gain(direction)

        return largest_epsilon(gain, advantage, start, SMALLEST_SEARCHED)

    def _search(self, epsilon: float, direction: Direction, advantage: float | None = None) -> WorstGain:
        """Return what is proved of all truths: to SLACK, or only whether ADVANTAGE is kept (inf: truths exceed it)."""
        for each in self._truths:
            each.begin(signed(epsilon, direction))
        proved = INF
        for _ in range(ROUNDS):
            may_stop()
            shown = self._shown_gain(direction)
            if advantage is not None and shown > advantage:
                proved = INF
                break
            bounds = self._column_bounds(direction)
            proved = min(proved, max(float(each.max()) for each in bounds))
            goal = advantage if advantage is not None else shown * (1.0 + SLACK) + ROUNDED
            over = [each > goal for each in bounds]
            split = [each.split(chosen) for each, chosen in zip(self._truths, over, strict=True) if chosen.any()]
            if not any(split):
                break
        return WorstGain(max(proved, shown), self._shown_truth(direction), shown)

    # ------------------------------------------------------------------------------------- joint gains

    def _pairs(self, before: Floats, after: Floats, direction: Direction) -> _Pairs:
        if self._any_right:  # the chance that none is right
            before, after = 1.0 - before, 1.0 - after
        rises = (direction == "rise") != self._any_right
        return _Pairs(before, after) if rises else _Pairs(after, before)

    def _column_bounds(self, direction: Direction) -> list[Floats]:
        """Return, for each attribute, a bound on the joint gain over the truths of each column of its bounds."""
        pairs = []
        for each in self._truths:
            low, high = self._pairs(each.bounds.before, each.bounds.after, direction)
            pairs.append(_Pairs(low, np.minimum(high + each.bounds.more, 1.0)))
        found = []
        for own, others in zip(pairs, _products_of_others(pairs), strict=True):
            gains = own.high[..., None] * others.high - own.low[..., None] * others.low
            # a bound that is no number is a failure
            found.append(np.nan_to_num(gains.max(axis=(0, 2)), nan=INF))
        return found

    def _shown_gain(self, direction: Direction) -> float:
        pairs = [self._pairs(*each.shown[1:], direction) for each in self._truths]
        others = _products_of_others(pairs)[0]
        gains = np.outer(pairs[0].high, others.high) - np.outer(pairs[0].low, others.low)
        return float(gains.max(initial=0.0))

    def _shown_truth(self, direction: Direction) -> float:
        """Return the place of the worst truth of a single guess: the smallest of those that tie."""
        shown = self._truths[0].shown
        low, high = self._pairs(*shown[1:], direction)
        gains = high - low
        return float(shown.truths[gains >= gains.max() * (1.0 - TIE)].min())

    def _largest(self, direction: Direction, stop_above: float = INF) -> float:
        """Return a bound on the gain at infinite epsilon; of a single guess, inf once a truth gains more than
        STOP_ABOVE."""
        if self._only is not None:
            return self._truths[0].largest_at_infinity(direction, stop_above)
        sups = [min(each.largest_at_infinity(direction), 1.0) for each in self._truths]
        rests = [1.0 - each for each in sups]
        if direction == "rise":  # 1 - p of each: any right, the product; all right, 1 - product of p
            return math.prod(sups) if self._any_right else one_less_product(sups, rests)
        if self._any_right:  # p of each: 1 - product of 1 - p
            return one_less_product(sups, rests)
        if all(each.always_certain for each in self._truths):
            return 0.0
        return math.prod(1.0 if each.sometimes_certain else p for each, p in zip(self._truths, sups, strict=True))


def _truths(guess: Guess, view: SeenPrior, *, several: bool) -> Truths:
    """Return the truths to look at: the given one, every value of a list, or intervals of them."""
    if guess.truth is not None:
        return OneTruth(GivenTruth(guess.prior, guess.truth, guess.precision))
    return ListedTruths(view.seen) if isinstance(view.seen, Atoms) else EveryTruth(view.seen, several=several)


def _products_of_others(pairs: Sequence[_Pairs]) -> list[_Pairs]:
    """Return, for each attribute, the products over the others that can matter."""
    before = accumulate(pairs[:-1], _product, initial=NO_OTHERS)
    after = [*accumulate(pairs[:0:-1], _product, initial=NO_OTHERS)][::-1]
    return [_product(*both) for both in zip(before, after, strict=True)]


def _product(one: _Pairs, other: _Pairs) -> _Pairs:
    """Return the corners of all products of two choices."""
    corners = _corners(other)
    found = _Pairs(*(np.outer(a, b.ravel()[corners]).ravel() for a, b in zip(one, other, strict=True)))
    kept = _corners(found)
    return _Pairs(found.low[kept], found.high[kept])


def _corners(pairs: _Pairs) -> Indices:
    """Return the pairs, in flat order, that maximise a HIGH - b LOW for some a >= b >= 0: corners of their hull."""
    low, high = (each.ravel() for each in pairs)
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


# ------------------------------------------------------------------------------------- ends that are known


def _worst_of_uniform(density: Density, epsilon: float) -> float | None:
    """Return the place of the worst truth of a uniform prior at least two precisions wide; None for other priors.

    x0 = low + min(max(l, 1), 2) - 1, l = ln(u/(1 - e^-u))/epsilon, u = epsilon times the width.
    """
    width = density.high - density.low
    if not isinstance(density, Bins) or not density.is_uniform or width < 2.0:
        return None
    u = epsilon * width
    stretch = math.log(u / -math.expm1(-u)) / epsilon
    return density.low + min(max(stretch, 1.0), 2.0) - 1.0


def _far_gain(density: Density, s: float) -> float:
    """Return what truths far out on a tail of slope -k gain in the limit: odds 1/(e^(s - k^2/s) - 1), p being 0."""
    k = _tail_rate(density)
    return -math.expm1(-(s - k * k / s)) if s > 0.0 and k < s else 0.0


def _tail_rate(density: Density) -> float:
    """Return k where the upper tail falls as e^(-kt) in the end; inf where it falls faster or ends."""
    if math.isfinite(density.high):
        return INF
    k = -float(density.slopes(np.array(FARTHEST), np.array(INF))[1])
    return k if k < 1e100 else INF


def _tail_limit(density: Density, advantage: float) -> float:
    """Return what truths far out on a tail of slope -k allow in the limit: odds 1/(e^(s - k^2/s) - 1)."""
    k = _tail_rate(density)
    if k == INF:
        return INF
    wanted = -math.log1p(-advantage)
    return (wanted + math.sqrt(wanted**2 + 4.0 * k**2)) / 2.0
