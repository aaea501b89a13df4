"""The worst truth: the victim against whom a release gives the attacker the largest advantage.

Uniform priors have a closed form and atoms are enumerated. Elsewhere the advantage is a smooth function of the
truth between a few kinks (where an edge of the correct guesses meets an edge of the support or of a bin): it is
looked at on a list of truths that holds the kinks, and every climb that turns into a fall is followed to its top
by the sign of the derivative, which is known in closed form because the optimal output does not move in first order.

The epsilon for the worst truth is searched from above. The advantage against one truth never falls as epsilon grows, so
what keeps the advantage asked for at one epsilon keeps it at every smaller one, and is not looked at again.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from dpwizard.numerics import largest
from dpwizard.privacy.guessing_advantage.bounds import (
    LARGEST_LOSS,
    Bound,
    Direction,
    Odds,
    gain,
    loss_for,
    posterior,
    sign,
)
from dpwizard.privacy.guessing_advantage.far_truths import TAILS, Worst, tail_limit
from dpwizard.privacy.guessing_advantage.proof import Ceiling
from dpwizard.privacy.priors import Distribution, View, apart, log_sum
from dpwizard.stopping import may_stop

Line = tuple[float, ...]
Masses = tuple[Line, Line]  # of separate values: where they are, and their masses

STEPS = (0.1, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0)
POLISHED = 8
MANY = 200  # truths on a list, of which only the BEST are looked at one by one
BEST = 24
CERTAIN_LOSS = 60.0  # at which the worst truth of an unbounded epsilon is looked for
NEAR = 4e-14
TIED = 1e-12
REMEMBERED = 512  # views of truths kept from one epsilon to the next
COARSE = 1e-3  # a truth above the advantage asked for by more than this part lowers epsilon before any peak is sought
REDRAWN = 0.8  # the list of truths is drawn anew once epsilon has fallen to this part of what it was drawn for
BULGE = 4.0  # how many times the height of its tangents a peak between two truths may have above them


class Kept:
    """What a search for epsilon knows already: truths, and stretches of them, that keep the advantage asked for."""

    def __init__(self, prior: Distribution, advantage: float) -> None:
        """Arguments: the prior; the advantage asked for."""
        self.prior, self.advantage = prior, advantage
        self.values: dict[float, tuple[float, float]] = {}  # by truth, as found at a larger epsilon
        self.stretches: set[tuple[float, float]] = set()
        self.views: dict[float, View] = {}
        self.centres: dict[float, float] = {}  # the best output for a truth, as last found
        self._places: tuple[float, ...] = ()
        self._drawn_for = math.inf

    def truths(self, precision: float, epsilon: float) -> tuple[float, ...]:
        """Return the list of truths to look at; the same one while epsilon is nearly the same."""
        if not self._places or epsilon < REDRAWN * self._drawn_for:
            self._places, self._drawn_for = truths(self.prior, precision, epsilon), epsilon
            self.stretches.clear()
        return self._places

    def keeps(self, value: float) -> bool:
        """Tell whether VALUE is no more than the advantage asked for."""
        return value <= self.advantage


def worst(
    prior: Distribution,
    precision: float,
    epsilon: float,
    direction: Direction,
    bound: Bound = "exact",
    kept: Kept | None = None,
) -> Worst:
    """Return the truth with the largest posterior - prior (rise; the negative of it for a drop).

    With KEPT, any truth that exceeds the advantage asked for may be returned while epsilon is far too large, and none
    that exceeds it is missed otherwise.
    """
    score = _Score(prior, precision, epsilon, direction, bound, kept)
    atoms = prior.atoms()
    if atoms is not None:
        return _among_atoms(atoms, score)
    prior = prior.plain()
    if prior.flat and direction == "rise" and bound == "exact":
        truth = _uniform_rise(prior.support(), precision, epsilon)
        return Worst(truth, *score(truth))
    found = _climb(prior, score, kept)
    limit = tail_limit(prior, precision, epsilon, bound) if direction == "rise" else 0.0
    if limit >= found.advantage * (1.0 - 1e-12):
        return Worst(None, limit, 0.0)
    return found


class _Score:
    """What is maximised, and its derivative, as functions of the truth."""

    def __init__(
        self,
        prior: Distribution,
        precision: float,
        epsilon: float,
        direction: Direction,
        bound: Bound = "exact",
        kept: Kept | None = None,
    ) -> None:
        self.views, self.precision, self.direction = prior.views(), precision, direction
        self._seen: dict[float, View] = {} if kept is None else kept.views
        self._centres: dict[float, float] = {} if kept is None else kept.centres
        self._near: float | None = None  # where the last one lay
        self.epsilon = epsilon if epsilon <= LARGEST_LOSS else math.inf
        self.way, self.bound = sign(direction), bound

    def __call__(self, truth: float) -> tuple[float, float]:
        """Return the score and the prior probability at TRUTH."""
        may_stop()
        truth = float(truth)
        seen = self.view(truth)
        if seen.impossible or seen.certain:
            return self.way * 0.0, 0.0 if seen.impossible else 1.0
        ratio = -self.way * math.inf
        if math.isfinite(self.epsilon):
            odds = Odds(seen, self.bound)
            # the best output moves little from one truth to the next
            odds.centre = self._centres.get(truth, self._near)
            ratio = odds.log_ratio(self.way * self.epsilon)
            if odds.centre is not None:
                self._centres[truth] = self._near = odds.centre
        return self.way * gain(seen, ratio), seen.inside

    def view(self, truth: float) -> View:
        """Return the prior as seen from TRUTH, remembered for the next epsilon."""
        seen = self._seen.get(truth)
        if seen is None:
            seen = self.views(truth, self.precision)
            if len(self._seen) < REMEMBERED:
                self._seen[truth] = seen
        return seen

    def slope(self, truth: float) -> float:
        """Return the derivative of the score by the truth, in precisions; of either one-sided value at a kink."""
        if self.bound != "exact":
            step = 1e-6 * self.precision
            return (self(truth + step)[0] - self(truth - step)[0]) / 2e-6
        truth = float(truth)
        seen = self.views(truth, self.precision)
        if seen.impossible or seen.certain or not math.isfinite(self.epsilon):
            return 0.0
        s = self.way * self.epsilon
        lower = seen.edge_density(-1) if seen.share_left > -math.inf else 0.0
        upper = seen.edge_density(1) if seen.share_right > -math.inf else 0.0
        if s < 0.0 and seen.share_right > -math.inf and -s >= seen.limit:
            return upper - lower  # the posterior is 0
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            self._near = c = seen.best(s, self._near)
            everything = seen.log_inside + seen.around("inside", s, c)
            for share, mean in (
                (seen.log_left, seen.around("left", s, c)),
                (seen.log_right, seen.around("right", s, c)),
            ):
                if share > -math.inf:
                    everything = log_sum(everything, share + mean)
            here = seen.t_of(c)
            moved = _moved(upper, -s * abs(1.0 - here) - everything) - _moved(lower, -s * abs(here + 1.0) - everything)
        # d/dx0 of N/D at fixed c: the edges of the correct guesses move, the denominator does not
        return self.way * (moved - (upper - lower))


def _moved(density: float, exponent: float) -> float:
    return density * math.exp(min(exponent, 700.0)) if density > 0.0 else 0.0


def _uniform_rise(support: tuple[float, float], precision: float, epsilon: float) -> float:
    """Return low + r (min(max(l, 1), 2) - 1), l = ln(u/(1 - e^-u))/epsilon, u = epsilon (high - low)/r."""
    low, high = support
    reach = (high / precision - low / precision) if abs(high / 2 - low / 2) < 1e290 * min(precision, 1.0) else 1e300
    u = epsilon * reach
    if epsilon == 0.0 or u == 0.0:
        best = reach / 2.0  # the limit of small epsilon
    elif u < 1e-5:
        best = reach * (0.5 - u / 24.0)
    elif math.isinf(u):
        best = 1.0
    else:
        best = (math.log(u) - math.log(-math.expm1(-u))) / epsilon
    width = min(max(best, 1.0), 2.0, max(reach, 1.0))
    return min(low + precision * (width - 1.0), high)


def _among_atoms(atoms: Masses, score: _Score) -> Worst:
    """Return the worst of the atoms: all at once by prefix sums, then the best few exactly."""
    points = atoms[0]
    if len(points) > 60 and math.isfinite(score.epsilon) and score.bound == "exact":
        ranked = _screen(atoms, score)
        points = tuple(points[i] for i in sorted(ranked[:12]))
    return _first_best([Worst(point, *score(point)) for point in points])


def _first_best(found: list[Worst]) -> Worst:
    """Return the smallest truth among those whose advantage is the largest up to rounding."""
    top = max(each.advantage for each in found)
    near = [each for each in found if each.advantage >= top - NEAR * abs(top)]
    return min(near, key=lambda each: each.truth if each.truth is not None else math.inf)


def _screen(atoms: Masses, score: _Score) -> list[int]:
    """Return the positions of the atoms, the most promising first (to about 1e-12)."""
    points, masses = (np.array(each) for each in atoms)
    t, s = points / score.precision, score.way * score.epsilon
    logs = np.log(masses) - math.log(math.fsum(masses))
    below, above = logs.copy(), logs.copy()  # E[e^(-s distance)] of everything up to, and from, each atom
    for i in range(1, t.size):
        may_stop()
        below[i] = log_sum(float(logs[i]), float(below[i - 1] - s * (t[i] - t[i - 1])))
    for i in range(t.size - 2, -1, -1):
        may_stop()
        above[i] = log_sum(float(logs[i]), float(above[i + 1] - s * (t[i + 1] - t[i])))
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        whole = np.logaddexp(below, np.append(above[1:] - s * np.diff(t), -math.inf))
        shares = np.cumsum(masses) / masses.sum()
        values = np.full(t.size, -math.inf)
        slack = 1.0 + 1e-9
        for i in range(t.size):
            may_stop()
            first, last = np.searchsorted(t, (t[i] - slack, t[i] + slack))
            last = int(last) - 1
            inside = t[first : last + 1]
            outside = np.full(inside.size, -math.inf)
            if first > 0:
                outside = np.logaddexp(outside, below[first - 1] - s * (inside - t[first - 1]))
            if last + 1 < t.size:
                outside = np.logaddexp(outside, above[last + 1] - s * (t[last + 1] - inside))
            rest = np.exp(outside - whole[first : last + 1])
            p = shares[last] - (shares[first - 1] if first else 0.0)
            posterior_here = 1.0 - float(rest.min() if s > 0 else rest.max())
            values[i] = score.way * (posterior_here - p)
    return [int(i) for i in np.argsort(-np.nan_to_num(values, nan=-math.inf), kind="stable")]


def truths(prior: Distribution, precision: float, epsilon: float) -> tuple[float, ...]:
    """Return truths to look at, in order: kinks, ends, quantiles and boundary layers, all within the support."""
    low, high = prior.support()
    shares = [*TAILS, *(i / 48 for i in range(1, 48)), *(1.0 - share for share in reversed(TAILS))]
    found: set[float] = set()
    for share in shares:
        may_stop()
        found.add(prior.quantile(share))
    found.add(prior.moments()[0])
    layers = [*STEPS, *(step / max(epsilon, 1e-6) for step in STEPS)] if math.isfinite(epsilon) else list(STEPS)
    for end, way in ((low, 1.0), (high, -1.0)):
        if math.isfinite(end):
            found.add(end)
            found.update(end + way * precision * step for step in layers)
    may_stop()
    found = prior.marked(found, precision)
    may_stop()
    return tuple(sorted(truth for truth in found if low <= truth <= high and math.isfinite(truth)))


def _climb(prior: Distribution, score: _Score, kept: Kept | None) -> Worst:
    """Return the best truth: the best of the list, or the top of a climb between two of them."""
    listed = functools.partial(truths, prior) if kept is None else kept.truths
    places = listed(score.precision, score.epsilon)
    known: dict[float, tuple[float, float]] = {} if kept is None else kept.values
    values, found = [], []
    screened = _screened(prior, score, [place for place in places if place not in known])
    for place in places:
        value = known.get(place) or screened.get(place)
        if value is None:
            value = score(place)
            found.append(Worst(place, *value))
        if kept is not None and kept.keeps(value[0]):
            known[place] = value
        values.append(value)
    best = max(value for value, _ in values)
    if kept is not None and best > kept.advantage * (1.0 + COARSE):
        return _first_best(found)
    order = sorted(range(len(places)), key=lambda i: -values[i][0])
    polished: set[int] = set()
    for i in order[: POLISHED * 3]:
        for left in (i - 1, i):
            if left in polished or left < 0 or left + 1 >= len(places) or len(polished) >= POLISHED * 2:
                continue
            polished.add(left)
            stretch = places[left], places[left + 1]
            if kept is not None and stretch in kept.stretches:
                continue
            peak = _peak(score, *stretch, best - max(values[left][0], values[left + 1][0]))
            top = None if peak is None else Worst(peak, *score(peak))
            if top is not None:
                found.append(top)
                best = max(best, top.advantage)
            if kept is not None and kept.keeps(
                max(values[left][0], values[left + 1][0], -math.inf if top is None else top.advantage)
            ):
                kept.stretches.add(stretch)
    if not found:
        found = [Worst(places[order[0]], *values[order[0]])]  # as it was at a larger epsilon: it keeps the advantage
    return _first_best(found)


def _screened(prior: Distribution, score: _Score, places: list[float]) -> dict[float, tuple[float, float]]:
    """Return score and prior probability at all but the best of many PLACES, at once and to about 1e-11; of few, none.

    The best are for the score itself, which knows more digits.
    """
    if len(places) < MANY or not math.isfinite(score.epsilon):
        return {}
    try:
        seen = prior.at_once(score.precision)
    except ArithmeticError:
        return {}
    at = seen.places(np.array(places))
    gained = Ceiling(seen, score.epsilon, score.direction, score.bound).at(at)
    chances = seen.mass(at - 1.0, at + 1.0)
    order = np.argsort(-gained, kind="stable")[BEST:]  # what is not known comes last
    rest = [i for i in order.tolist() if not math.isnan(gained[i])]
    return {places[i]: (float(gained[i]), float(chances[i])) for i in rest}


def _peak(score: _Score, low: float, high: float, missing: float) -> float | None:
    """Return where the derivative turns from positive to negative in (LOW, HIGH), or None if it does not.

    MISSING is what the higher end lacks of the best found so far; None as well if the tangents at both ends meet far
    below that.
    """
    nudge = 1e-9 * (high - low)
    bottom, top = low + nudge, high - nudge
    if not low < bottom < top < high:
        return None
    at_bottom = score.slope(bottom)
    at_top = score.slope(top) if at_bottom > 0.0 else 0.0
    if not (at_bottom > 0.0 > at_top):
        return None
    if BULGE * min(at_bottom, -at_top) * (high / score.precision - low / score.precision) < missing:
        return None
    side = 0
    for _ in range(80):
        middle = bottom + (top - bottom) * at_bottom / (at_bottom - at_top)
        if not bottom < middle < top:
            middle = bottom + (top - bottom) / 2.0
        slope = score.slope(middle)
        if slope > 0.0:
            at_top = at_top / 2.0 if side == 1 else at_top
            bottom, at_bottom, side = middle, slope, 1
        else:
            at_bottom = at_bottom / 2.0 if side == -1 else at_bottom
            top, at_top, side = middle, slope, -1
        if slope == 0.0 or top - bottom <= 4e-15 * max(abs(bottom), abs(top)):
            return middle
    return bottom + (top - bottom) / 2.0


# ------------------------------------------------------------------------- epsilon for the worst truth


def worst_loss(
    prior: Distribution, precision: float, advantage: float, direction: Direction, bound: Bound = "exact"
) -> tuple[float, float | None]:
    """Return the largest epsilon that keeps the advantage against every truth, and what binds (None: a limit, or none).

    Each round takes the worst truth at the present epsilon and lowers epsilon to what that truth allows; what has kept
    the advantage is left alone from then on.
    """
    if advantage == 0.0 and prior.far_truths:
        return 0.0, None
    epsilon, truth = _first_guess(prior, precision, advantage, direction, bound)
    kept = Kept(prior, advantage)
    for _ in range(60):
        if epsilon == 0.0:
            break
        found = worst(prior, precision, min(epsilon, CERTAIN_LOSS), direction, bound=bound, kept=kept)
        if found.advantage <= advantage * (1.0 + 1e-13):
            if (
                found.truth is not None
                and truth is not None
                and found.truth < truth
                and found.advantage >= advantage * (1.0 - TIED)
            ):
                lower = _allowed(prior, found.truth, precision, advantage, direction, bound)
                if lower <= epsilon * (1.0 + TIED):  # the smallest of those that tie
                    epsilon, truth = min(epsilon, lower), found.truth
            break
        lower = _allowed(prior, found.truth, precision, advantage, direction, bound)
        if lower >= epsilon * (1.0 - 1e-15):
            break
        epsilon, truth = lower, found.truth
    return epsilon, truth


def _first_guess(
    prior: Distribution, precision: float, advantage: float, direction: Direction, bound: Bound
) -> tuple[float, float | None]:
    atoms = prior.atoms()
    every = truths(prior, precision, 1.0) if atoms is None else atoms[0]
    places = every[len(every) // 4 :: max(1, len(every) // 3)] if atoms is None else every[:: max(1, len(every) // 8)]
    least = min((_allowed(prior, place, precision, advantage, direction, bound), place) for place in places)
    if least[0] == 0.0:  # nothing is searched for: the smallest of a few truths that allow nothing
        few = every[:: max(1, len(every) // 8)]
        return 0.0, next(
            (place for place in few if _allowed(prior, place, precision, advantage, direction, bound) == 0.0), least[1]
        )
    return least


def _allowed(
    prior: Distribution, truth: float | None, precision: float, advantage: float, direction: Direction, bound: Bound
) -> float:
    """Return the largest epsilon that keeps the advantage against TRUTH, None being the far limit."""
    if truth is not None:
        return loss_for(prior.view(truth, precision), advantage, bound, direction)
    far = prior.far_loss(advantage) if bound == "exact" else None
    if far is not None:
        return far
    high = 1.0
    while tail_limit(prior, precision, high, bound) <= advantage and high < 1e290:
        high *= 4.0
    return largest(lambda epsilon: tail_limit(prior, precision, epsilon, bound) <= advantage, 0.0, high)


def posterior_at(
    prior: Distribution, truth: float | None, precision: float, epsilon: float, direction: Direction
) -> tuple[float, float]:
    """Return prior probability and exact posterior for TRUTH; None is the limit far out."""
    if truth is None:
        return 0.0, tail_limit(prior, precision, epsilon) if direction == "rise" else 0.0
    seen = prior.view(truth, precision)
    return seen.inside, posterior(seen, epsilon, "exact", direction)


def gained(prior: Distribution, truth: float, precision: float, epsilon: float, direction: Direction) -> float:
    """Return what TRUTH gains at EPSILON by the exact bound."""
    return _Score(prior, precision, epsilon, direction)(truth)[0]


def keeps(seen: View, advantage: float, epsilon: float, bound: Bound, direction: Direction) -> bool:
    """Tell whether a truth, as SEEN, keeps the advantage at EPSILON with room for rounding."""
    if seen.impossible or seen.certain:
        return True
    return abs(gain(seen, Odds(seen, bound).log_ratio(sign(direction) * epsilon))) <= advantage * (1.0 - 1e-11)


def every_atom(prior: Distribution, points: Line, precision: float, epsilon: float, direction: Direction) -> Worst:
    """Return the worst of POINTS, each looked at exactly."""
    score = _Score(prior, precision, epsilon, direction)
    return _first_best([Worst(point, *score(point)) for point in points])


def ranked_atoms(
    prior: Distribution, atoms: Masses, precision: float, epsilon: float, direction: Direction
) -> list[int]:
    """Return the positions of ATOMS, the most promising first."""
    return _screen(atoms, _Score(prior, precision, epsilon, direction))


def placed(value: float, truth: float, precision: float) -> float:
    """Return VALUE in precisions above TRUTH."""
    return apart(float(value), float(truth), float(precision))
