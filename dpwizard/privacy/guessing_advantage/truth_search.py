"""The truth against which a guess gains most: every truth of the support is covered, by intervals that are split.

The largest bound over the intervals left is proved; the largest gain of a truth that was looked at shows how far it may
be off. docs/methods/guessing_advantage.md, "The worst truth".
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import MOST_EDGES, halves
from dpwizard.privacy.guessing_advantage.every_truth import EveryTruth, Looked
from dpwizard.privacy.guessing_advantage.given_truth import (
    CLOSE,
    FALLS_SHORT,
    LARGEST_LOSS,
    SLACK,
    Direction,
    GivenTruth,
    largest_epsilon,
    limit_of,
    signed,
)
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Cells, Floats, TiltedSums
from dpwizard.privacy.priors import FARTHEST, Atoms, Bins, Density, Distribution

ROUNDS = 26
MOST_INTERVALS = 20_000
MOST_PROVED_AT_INFINITY = 5_000
MOST_BEATEN = 12
LARGEST_PROVED = 1e4  # a finite limit beyond it is not searched for: this much is allowed
LARGEST_SEARCHED = 1e5  # beyond it the gain at infinite epsilon is the bound
ROUNDED = 1e-13
EQUAL = 1e-12
TIE = 1e-9  # gains nearer to each other are equal
# how far below the limit that single truths show a proof is tried, one after the other
MARGINS = (4e-4, 9e-4, 3e-3, 0.01, 0.03, 0.1, 0.3, 0.6, 0.9)


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


class _Search(NamedTuple):
    proved: float
    truth: float | None  # a place
    attained: float

    @property
    def beaten(self) -> bool:
        """Tell whether a truth gains more than the advantage that was to be kept."""
        return self.proved == INF


class SeenPrior:
    """A prior seen from its median, in precisions."""

    def __init__(self, prior: Distribution, precision: float) -> None:
        self.prior, self.precision = prior, precision
        self.origin = decimal(prior.quantile(0.5))
        self.seen = prior.seen_from(self.origin, decimal(precision))

    def value(self, place: float | None) -> float | None:
        """Return the value at a PLACE, within the support; None for none."""
        if place is None:
            return None
        low, high = self.prior.support()
        return min(max(real(self.origin + Fraction(place) * decimal(self.precision)), low), high)


def worst_gain(prior: Distribution, precision: float, epsilon: float, direction: Direction) -> WorstGain:
    """Return the advantage at EPSILON that no truth of the support exceeds."""
    view = SeenPrior(prior, precision)
    if isinstance(view.seen, Atoms):
        gains = atoms_gains(view.seen, min(epsilon, LARGEST_LOSS), direction)
        most = int(np.argmax(gains))
        return WorstGain(float(gains[most]), view.value(float(view.seen.places[most])), float(gains[most]))
    if epsilon == 0.0:
        return WorstGain(0.0, view.value(float(EveryTruth(view.seen).first[0])), 0.0)
    every = EveryTruth(view.seen)
    if epsilon > LARGEST_SEARCHED:
        return WorstGain(largest_at_infinity(every, direction), None, 0.0)
    found = _search(every, epsilon, direction)
    far = far_gain(view.seen, signed(epsilon, direction))
    if far >= found.attained * (1.0 - SLACK):  # a limit, which no truth attains
        return WorstGain(max(found.proved, far), None, far)
    place = _worst_of_uniform(view.seen, epsilon) if direction == "rise" else None
    truth = found.truth if place is None else place
    return WorstGain(min(found.proved, 1.0), view.value(truth), found.attained)


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


def worst_limit(prior: Distribution, precision: float, advantage: float, direction: Direction) -> WorstLimit:
    """Return the largest epsilon proved to keep ADVANTAGE against every truth; infinite only with a proof."""
    view = SeenPrior(prior, precision)
    if isinstance(view.seen, Atoms):
        return _limit_of_atoms(view, advantage, direction)
    every = EveryTruth(view.seen)
    if largest_at_infinity(every, direction, advantage) <= advantage * (1.0 + EQUAL):
        return WorstLimit(INF)
    if advantage == 0.0:
        return WorstLimit(0.0)
    high = min(_shown_by_samples(every, advantage, direction), LARGEST_PROVED)
    if high == 0.0:
        return WorstLimit(0.0)
    tail = _tail_limit(view.seen, advantage) if direction == "rise" else INF
    found = _prove_below(view, view.seen, min(high, tail), advantage, direction)
    return found._replace(truth=None) if tail <= high else found


def _prove_below(view: SeenPrior, density: Density, high: float, advantage: float, direction: Direction) -> WorstLimit:
    """Return a limit at most HIGH, which single truths show, as near to it as a proof is found."""
    truth, beaten = None, 0
    for margin in MARGINS:
        every = EveryTruth(density)  # the edges of a search that failed are too many
        while beaten < MOST_BEATEN:
            may_stop()
            tried = high * (1.0 - margin)
            found = _search(every, tried, direction, advantage)
            if found.proved <= advantage:
                truth = view.value(found.truth) if truth is None else truth
                return WorstLimit(tried * FALLS_SHORT, truth, high - tried * FALLS_SHORT)
            if not found.beaten:
                break
            beaten += 1
            truth = view.value(found.truth)
            assert truth is not None
            single = limit_of(GivenTruth(view.prior, truth, view.precision), advantage, direction)
            high = min(tried, single.epsilon * (1.0 + single.error))
        beaten = min(beaten, 8)
    # the simplified bound against the worst prior holds of every truth
    width = density.high - density.low
    epsilon = 0.0 if math.isinf(width) else 4.0 * math.atanh(advantage) / width * FALLS_SHORT
    return WorstLimit(epsilon, truth, high - epsilon)


def _search(every: EveryTruth, epsilon: float, direction: Direction, advantage: float | None = None) -> _Search:
    """Return what is proved of all truths at EPSILON: to SLACK, or only whether ADVANTAGE is kept (inf: it is not)."""
    s = signed(epsilon, direction)
    u, v = every.intervals()
    best, truth, settled, open_bound = 0.0, None, 0.0, INF
    for _ in range(ROUNDS):
        may_stop()
        sums = every.cut.sums(s)
        candidates, looked = every.candidates(sums, u, v)
        best, truth = _better(best, truth, looked)
        if advantage is not None and best > advantage:
            return _Search(INF, truth, best)
        way = 1.0 if s > 0.0 else -1.0
        bounds = np.maximum(*(np.minimum(way * (each.after - each.before) + each.more, 1.0) for each in candidates))
        bounds = np.nan_to_num(bounds, nan=INF)  # a bound that is no number is a failure
        goal = advantage if advantage is not None else best * (1.0 + SLACK) + ROUNDED
        unsettled = bounds > goal
        settled = max(settled, float(np.max(bounds[~unsettled], initial=0.0)))
        u, v, open_bound = u[unsettled], v[unsettled], float(np.max(bounds[unsettled], initial=0.0))
        if not u.size or u.size > MOST_INTERVALS or every.cut.edges.size > MOST_EDGES:
            break
        middle = halves(u, v)
        if not np.any((middle > u) & (middle < v)):
            break
        outputs = looked.outputs[np.isin(looked.truths, np.concatenate([u, v]))]
        _cut_for(every, s, middle, outputs)
        u, v = every.kept(np.concatenate([u, middle]), np.concatenate([middle, v]))
    return _Search(max(settled, best, open_bound if u.size else 0.0), truth, best)


def _better(best: float, truth: float | None, looked: Looked) -> tuple[float, float | None]:
    """Return the largest gain so far and its truth: the smallest of those that tie."""
    most = float(np.max(looked.gains, initial=0.0))
    if most <= best * (1.0 + TIE):
        return max(best, most), truth
    return most, float(looked.truths[looked.gains >= most * (1.0 - TIE)][0])


def far_gain(density: Density, s: float) -> float:
    """Return what truths far out on a tail of slope -k gain in the limit: odds 1/(e^(s - k^2/s) - 1), p being 0."""
    k = _tail_rate(density)
    return -math.expm1(-(s - k * k / s)) if s > 0.0 and k < s else 0.0


def _tail_rate(density: Density) -> float:
    """Return k where the upper tail falls as e^(-kt) in the end; inf where it falls faster or ends."""
    if math.isfinite(density.high):
        return INF
    k = -float(density.slopes(np.array(FARTHEST), np.array(INF))[1])
    return k if k < 1e100 else INF


def _cut_for(every: EveryTruth, s: float, truths: Floats, outputs: Floats) -> None:
    """Cut the prior at the edges of the guesses of TRUTHS, near their best OUTPUTS, and where most is lost there."""
    near = (outputs[:, None] + np.array([-1e-2, 0.0, 1e-2])).ravel() if outputs.size < 2_000 else outputs
    every.cut.add(np.concatenate([truths - 1.0, truths, truths + 1.0, near]))
    for index in np.unique(np.linspace(0, outputs.size - 1, 5).astype(int)) if outputs.size else ():
        sums = every.cut.sums(s)
        costly = every.cut.costly(sums, float(outputs[index]), None, SLACK * min(abs(s), 1.0) / 2.0)
        every.cut.halve(costly[:300])


def _shown_by_samples(every: EveryTruth, advantage: float, direction: Direction) -> float:
    """Return the largest epsilon at which no truth looked at first is shown to gain more than ADVANTAGE."""

    def gain(epsilon: float) -> float:
        return float(np.max(every.looked(signed(epsilon, direction), *every.intervals()).gains))

    return largest_epsilon(gain, advantage, min(4.0 * math.atanh(min(advantage, 0.999)), 2.0))


def _tail_limit(density: Density, advantage: float) -> float:
    """Return what truths far out on a tail of slope -k allow in the limit: odds 1/(e^(s - k^2/s) - 1)."""
    k = _tail_rate(density)
    if k == INF:
        return INF
    wanted = -math.log1p(-advantage)
    return (wanted + math.sqrt(wanted**2 + 4.0 * k**2)) / 2.0


def largest_at_infinity(every: EveryTruth, direction: Direction, advantage: float = INF) -> float:
    """Return a bound on what any truth gains when epsilon is infinite; inf once a truth gains more than ADVANTAGE."""
    u, v = every.intervals()
    settled, open_bound = 0.0, 1.0
    for _ in range(40):
        may_stop()
        bound, shown = every.at_infinity(u, v, direction)
        # chances that differ only by rounding are equal
        goal = advantage * (1.0 + EQUAL) if math.isfinite(advantage) else shown * (1.0 + SLACK) + ROUNDED
        if shown > goal:
            return INF
        unsettled = ~(bound <= goal)
        settled = max(settled, float(np.max(bound[~unsettled], initial=0.0)))
        u, v, open_bound = u[unsettled], v[unsettled], float(np.max(bound[unsettled], initial=0.0))
        if not u.size or u.size > MOST_PROVED_AT_INFINITY:
            break
        middle = halves(u, v)
        u, v = every.kept(np.concatenate([u, middle]), np.concatenate([middle, v]))
    return max(settled, open_bound if u.size else 0.0)


# ---------------------------------------------------------------------------------------------- lists of values


def atoms_gains(atoms: Atoms, epsilon: float, direction: Direction) -> Floats:
    """Return what a guess of each value gains at EPSILON, exact to rounding and never too small; inf allowed."""
    places, exact = atoms.places, atoms.exact_places
    i = np.array([bisect_left(exact, place - 1) for place in exact])
    j = np.array([bisect_right(exact, place + 1) for place in exact])
    covers = (i == 0) & (j == places.size)
    total = np.concatenate([[0.0], np.cumsum(atoms.shares)])
    before = total[j] - total[i]
    if epsilon >= LARGEST_LOSS:
        gains = 1.0 - before if direction == "rise" else before
        return np.where(covers, 0.0, gains)
    flat = np.zeros(places.size)
    s = signed(epsilon, direction)
    after = TiltedSums(Cells(places, places, np.log(atoms.shares), flat, flat), s).guesses(i, j).bound
    return np.where(covers, 0.0, np.maximum(after - before if s > 0.0 else before - after, 0.0))


def _limit_of_atoms(view: SeenPrior, advantage: float, direction: Direction) -> WorstLimit:
    atoms = view.seen
    assert isinstance(atoms, Atoms)
    if float(np.max(atoms_gains(atoms, INF, direction))) <= advantage:
        return WorstLimit(INF)
    if advantage == 0.0:
        return WorstLimit(0.0)
    epsilon = largest_epsilon(lambda e: float(np.max(atoms_gains(atoms, e, direction))), advantage, 1.0)
    worst = int(np.argmax(atoms_gains(atoms, epsilon, direction)))
    return WorstLimit(epsilon * FALLS_SHORT, view.value(float(atoms.places[worst])), 2.0 * CLOSE * epsilon)
