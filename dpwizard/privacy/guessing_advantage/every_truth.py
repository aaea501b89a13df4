"""What a guess gains at most over a whole interval of truths: the bounds behind "worst truth".

A guess of the truth x is right within [x - 1, x + 1] (places in precisions). Over truths in [u, v] only its two edges
move, so what lies between u + 1 and v + 1, and between u - 1 and v - 1, bounds how much more a truth inside can gain
than the two ends do. docs/methods/guessing_advantage.md, "The worst truth".
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.privacy.guessing_advantage.cut_prior import MOST_EDGES, CutPrior, halves, landmarks, mean_diverges
from dpwizard.privacy.guessing_advantage.given_truth import SLACK, Direction
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, LARGEST_EXPONENT, LOWER, UPPER, Floats, TiltedSums
from dpwizard.privacy.guessing_advantage.truths import Bounds, Shown, Truths
from dpwizard.privacy.priors import Density

# truths looked at first: these many precisions beside every end of the support
BESIDE_ENDS = np.array([0, 0.05, 0.15, 0.3, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10, 20, 50], dtype=float)
IN_THE_BODY = np.linspace(-3.0, 3.0, 25)
WITHIN = np.arange(-8, 9) / 8.0
FEW_TRUTHS = 900
ROUNDED = 1e-14  # what rounding may hide of a chance near 1
FARTHEST_TRUTH = 1e12  # precisions from the median: farther out the edges of a guess are one number
UNDERFLOW = -700.0  # logs of masses below it are no numbers any more
MOST_INTERVALS, MOST_PROVED_AT_INFINITY = 20_000, 5_000


class EveryTruth(Truths):
    """Every truth in the support of a prior with a density, in intervals that are split."""

    def __init__(self, density: Density, *, several: bool) -> None:
        """Arguments: density; several, whether its changes are weighed with those of other attributes: the joint gain
        is linear in each."""
        ends = [abs(end) for end in (density.low, density.high) if math.isfinite(end)]
        if max(ends, default=0.0) > FARTHEST_TRUTH:
            raise InvalidInput(
                message("must be at least {least} times the width of the prior", least=f"{1.0 / FARTHEST_TRUTH:g}"),
                "precision",
                "Enter a larger precision, or a narrower prior.",
            )
        self.density, self._several = density, several
        self.sometimes_certain, self.always_certain = (density.high - density.low <= width for width in (2.0, 1.0))
        self._ends = self._first_ends()
        within = (self._ends[:, None] + WITHIN).ravel() if self._ends.size < FEW_TRUTHS else self._ends
        self._cut = CutPrior(density, np.concatenate([self._ends - 1.0, self._ends, self._ends + 1.0, within]))
        self._cut.halve_coarse(MOST_EDGES // 4)
        self._first_edges = self._cut.edges

    def _first_ends(self) -> Floats:
        density = self.density
        ends = [end for end in (density.low, density.high) if math.isfinite(end)]
        near_ends = [end + side * BESIDE_ENDS for end in ends for side in (-1.0, 1.0)]
        # an edge of a guess meets a jump where the truth lies a precision beside it
        near_jumps = [density.jumps + side for side in (-1.0, 0.0, 1.0)]
        body = [place + IN_THE_BODY for place in density.quantiles(np.array([0.1, 0.5, 0.9]))]
        found = np.concatenate([landmarks(density), *near_ends, *near_jumps, *body])
        inside = (np.abs(found) <= FARTHEST_TRUTH) & (found >= density.low) & (found <= density.high)
        return np.unique(found[inside])

    def _intervals(self) -> tuple[Floats, Floats]:
        """Return lower and upper ends of the intervals to begin with."""
        below = [-INF] if math.isinf(self.density.low) else []
        above = [INF] if math.isinf(self.density.high) else []
        ends = np.concatenate([below, self._ends, above])
        return self._kept(ends[:-1], ends[1:])

    def _kept(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return the intervals in which a truth can lie."""
        held = (v > u) & self.density.holds_truths(u, v)
        return u[held], v[held]

    # ------------------------------------------------------------------------------------- the search

    def look(self, s: float) -> None:
        self._forget(s)
        self._look_at(self._ends)

    def begin(self, s: float) -> None:
        self._forget(s)
        self._u, self._v = self._intervals()
        self.bounds = self._bounds(self._u, self._v)

    def _forget(self, s: float) -> None:
        """Forget what was found at another signed loss than S."""
        if self._cut.edges is not self._first_edges:  # those of an earlier search are too many
            self._cut.cut_at(self._first_edges)
        self._sums = self._cut.sums(s)
        self.shown = Shown(np.empty(0), np.empty(0), np.empty(0))
        self._outputs = np.empty(0)

    def split(self, chosen: NDArray[np.bool_]) -> bool:
        u, v = self._u[chosen], self._v[chosen]
        middle = halves(u, v)
        if self._u.size > MOST_INTERVALS or self._cut.full or not np.any((middle > u) & (middle < v)):
            return False
        self._cut_for(middle, self._outputs[np.isin(self.shown.truths, np.concatenate([u, v]))])
        u, v = self._kept(np.concatenate([u, middle]), np.concatenate([middle, v]))
        rest = ~chosen
        found = self._bounds(u, v)
        self._u, self._v = np.concatenate([self._u[rest], u]), np.concatenate([self._v[rest], v])
        self.bounds = Bounds(*(np.hstack([old[:, rest], new]) for old, new in zip(self.bounds, found, strict=True)))
        return True

    def remember(self, truths: Floats) -> None:
        """Look at TRUTHS, places, at every loss from now on."""
        self._ends = np.union1d(self._ends, truths)
        self._cut.cut_at(self._first_edges)
        self._cut.add(np.concatenate([truths - 1.0, truths, truths + 1.0]))
        self._first_edges = self._cut.edges

    def _cut_for(self, truths: Floats, outputs: Floats) -> None:
        """Cut the prior at the edges of the guesses of TRUTHS, near the best OUTPUTS, and where most is lost there."""
        near = (outputs[:, None] + np.array([-1e-2, 0.0, 1e-2])).ravel() if outputs.size < 2_000 else outputs
        self._cut.add(np.concatenate([truths - 1.0, truths, truths + 1.0, near]))
        s = self._sums.s
        for index in np.unique(np.linspace(0, outputs.size - 1, 5).astype(int)) if outputs.size else ():
            costly = self._cut.costly(self._cut.sums(s), float(outputs[index]), None, SLACK * min(abs(s), 1.0) / 2.0)
            self._cut.halve(costly[:300])
        self._sums = self._cut.sums(s)

    # ------------------------------------------------------------------------------------- single truths

    def _look_at(self, truths: Floats) -> tuple[Floats, Floats]:
        """Return the chance before each truth's guess, and a bound on it after; add what is attained to SHOWN."""
        i, j = self._cut.edge(truths - 1.0), self._cut.edge(truths + 1.0)
        before = self.density.mass(truths - 1.0, truths + 1.0)
        found = self._sums.guesses(i, j)
        bound, attained = found.bound, found.attained
        if mean_diverges(self.density, self._sums.s):
            attained = np.zeros(truths.size)
        if self._sums.rises and not self.density.jumps.size:
            # a guess so far out that its chance is no number is bounded by 1
            vanished = (self.density.log_mass(truths - 1.0, truths + 1.0) < UNDERFLOW) & (bound <= 1e-300)
            bound = np.where(vanished, 1.0, bound)
        new = Shown(truths, before, attained)
        self.shown = Shown(*(np.concatenate(both) for both in zip(self.shown, new, strict=True)))
        self._outputs = np.concatenate([self._outputs, found.output])
        return before, bound

    # ------------------------------------------------------------------------------------- intervals of truths

    def _bounds(self, u: Floats, v: Floats) -> Bounds:
        """Return the bounds of the intervals [u, v]: their two ends, with what the edges may add in between."""
        finite = np.isfinite(u) & np.isfinite(v)
        truths = np.unique(np.concatenate([u, v]))
        truths = truths[np.isfinite(truths)]
        before, after = self._look_at(truths)
        bounded_u, bounded_v = np.where(finite, u, 0.0), np.where(finite, v, 1.0)
        more = np.minimum(self._edges_may_add(bounded_u, bounded_v), 1.0)
        ends = np.clip(np.searchsorted(truths, np.array([u, v])), 0, truths.size - 1)
        found = Bounds(before[ends], after[ends], np.array([more, more]))
        return self._rises_over(u, v, found) if self._sums.rises else self._drops_over(u, v, found)

    def _rises_over(self, u: Floats, v: Floats, ends: Bounds) -> Bounds:
        """Return ENDS, or the bound by slopes where that is smaller or an interval has no end."""
        finite = np.isfinite(u) & np.isfinite(v)
        overlap = finite & (v - u < 2.0)
        common = self.density.mass(np.where(overlap, v - 1.0, 0.0), np.where(overlap, u + 1.0, 0.0))
        common = np.where(overlap, common, 0.0)  # right for every truth of the interval
        by_slopes = self._by_slopes(self._sums.s, u, v)
        smaller = ~finite | (by_slopes - common < np.max(ends.after - ends.before + ends.more, axis=0))
        return Bounds(*np.where(smaller, np.array([common, by_slopes, 0.0 * common])[:, None], np.array(ends)))

    def _drops_over(self, u: Floats, v: Floats, ends: Bounds) -> Bounds:
        """Return ENDS; in an interval without an end nothing drops by more than the whole mass there."""
        finite = np.isfinite(u) & np.isfinite(v)
        tail = self._mass_around(u, v)
        return Bounds(*np.where(finite, np.array(ends), np.array([tail, 0.0 * tail, 0.0 * tail])[:, None]))

    def _mass_around(self, u: Floats, v: Floats) -> Floats:
        return self.density.mass(u - 1.0, v + 1.0)

    def _edges_may_add(self, u: Floats, v: Floats) -> Floats:
        """Return what moving edges add at most to the larger of the gains at u and v.

        With m the masses that the right and the left edge pass, psi = +-(k/W - 1) the gain of a value there, k its
        kernel, W the mean kernel: delta min(m_r |psi_r|, m_l |psi_l|) + (m_r osc_r + m_l osc_l)/4. Here delta bounds
        how far apart the shares are that the two edges have passed, and osc <= (e^(s h) - 1) sup k/W.
        """
        sums, sides = self._sums, (-1.0, 1.0)
        s, h = abs(sums.s), v - u
        masses = [self.density.mass(u + side, v + side) for side in sides]
        with np.errstate(all="ignore"):
            ratios = [self._largest_ratio(sums, u, v, side) for side in sides]
            if self._several:
                sizes = [np.maximum(ratio, 1.0) for ratio in ratios]
            else:
                least = self._least_loss(sums, u, v)
                sizes = [np.maximum(ratio - 1.0, least) for ratio in ratios]
            moved = [np.where(m > 0.0, m * size, 0.0) for m, size in zip(masses, sizes, strict=True)]
            growth = np.expm1(np.minimum(s * h, LARGEST_EXPONENT))
            swings = [np.where(m > 0.0, m * growth * ratio / 4.0, 0.0) for m, ratio in zip(masses, ratios, strict=True)]
            found = self._shares_apart(u, v) * np.minimum(*moved) + swings[0] + swings[1]
        return np.nan_to_num(found, nan=INF)

    def _largest_ratio(self, sums: TiltedSums, u: Floats, v: Floats, side: float) -> Floats:
        """Return the supremum of k/W over outputs, for values that the edge on SIDE passes."""
        s, h = abs(sums.s), v - u
        if sums.rises:
            # largest with the output at the value itself, where k = 1; log W moves at rate s at most
            first, last = (sums.distance_means(self._cut.edge(end + side))[LOWER] for end in (u, v))
            return np.asarray(np.exp(s * h / 2.0 - (first + last) / 2.0))
        # largest with the output at the far end of the guess
        far = self.density.inside(u - 1.0 if side > 0 else v + 1.0)
        edge = self.density.inside(v + 1.0 if side > 0 else u - 1.0)
        mean = sums.distance_means(self._cut.edge(far))[LOWER]
        return np.asarray(np.exp(s * (np.abs(edge - far) + h) - mean))

    def _least_loss(self, sums: TiltedSums, u: Floats, v: Floats) -> Floats:
        """Return the most by which k/W can lie below 1 for a value of the guess."""
        if sums.rises:
            return np.asarray(-np.expm1(-sums.s * (2.0 + v - u)))
        ends = [sums.distance_means(self._cut.edge(self.density.inside(end)))[UPPER] for end in (u - 1.0, v + 1.0)]
        return np.asarray(-np.expm1(-np.maximum(*ends)))

    def _shares_apart(self, u: Floats, v: Floats) -> Floats:
        """Return a bound on how far apart the shares are of their masses that both edges have passed at one truth."""
        with np.errstate(all="ignore"):
            (l1, l2), (r1, r2) = (self._slopes_on_the_line(u + side, v + side) for side in (-1.0, 1.0))
            apart = (np.maximum(l2, r2) - np.minimum(l1, r1)) * (v - u) / 4.0
        return np.minimum(1.0, np.nan_to_num(apart, nan=1.0, posinf=1.0))

    def _slopes_on_the_line(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Return bounds on the slope of the log density, infinite where the stretch leaves the support."""
        least, most = self.density.slopes(lo, hi)
        outside = (lo < self.density.low) | (hi > self.density.high)
        return np.where(outside, -INF, least), np.where(outside, INF, most)

    # ------------------------------------------------------------------------------------- wide intervals and tails

    def _by_slopes(self, s: float, u: Floats, v: Floats) -> Floats:
        """Return a bound on the chance after, where the slope of the log density hardly moves around the interval.

        If k1 <= (log f)' <= k2 on [u - 1 - K, v + 1 + K], then for every truth and every tau in [-1, 1]
        L/P >= (1 - e^(-AK))/(e^(A(1 + tau)) - 1) and U/Q >= (1 - e^(-BK))/(e^(B(1 - tau)) - 1), A = s + k2, B = s - k1:
        the odds are at least the smaller of the two.
        """
        best = np.ones(u.shape)
        with np.errstate(all="ignore"):
            inner_end = self.density.inside(np.where(np.isfinite(u), u, v))
            own_slope = np.abs(self.density.slopes(inner_end, inner_end)[0])
            own_slope = np.where(np.isfinite(own_slope), own_slope, 0.0)
            reaches = [np.full(u.shape, folds / s) for folds in (4.0, 12.0, 40.0)]
            reaches += [folds / (s + own_slope) for folds in (4.0, 60.0)]  # of a thin tail a little is enough
            for reach in reaches:
                best = np.fmin(best, self._by_slopes_within(s, u, v, reach))
            best = self._by_convex_tail(s, u, best)
        return np.asarray(best + ROUNDED)

    def _by_slopes_within(self, s: float, u: Floats, v: Floats, reach: Floats) -> Floats:
        left = np.minimum(reach, INF if math.isinf(self.density.low) else u - 1.0 - self.density.low)
        right = np.minimum(reach, INF if math.isinf(self.density.high) else self.density.high - v - 1.0)
        fits = (left > 0.0) & (right > 0.0)
        lo, hi = np.where(fits, u - 1.0 - left, 0.0), np.where(fits, v + 1.0 + right, 1.0)
        k1, k2 = self.density.slopes(lo, hi)
        a, b = s + k2, s - k1
        tau = np.clip(np.nan_to_num((b - a) / (a + b), nan=1.0), -1.0, 1.0)
        tau = np.where(a <= 0.0, 1.0, np.where(b <= 0.0, -1.0, tau))
        tau = np.where(np.isinf(b), 1.0, tau)
        by_left = np.where(tau > -1.0, _odds_beside(a, 1.0 + tau, left), INF)
        by_right = np.where(tau < 1.0, _odds_beside(b, 1.0 - tau, right), INF)
        odds = np.minimum(by_left, by_right)
        return np.where(fits & ~np.isnan(odds), 1.0 / (1.0 + odds), 1.0)

    def _by_convex_tail(self, s: float, u: Floats, best: Floats) -> Floats:
        """Return BEST, or a smaller bound where the log density is convex from a bend on.

        With -k its slope at c = x + k/s, f e^(k (t - c)) falls left of c and climbs right of it: the odds are at least
        (1 - e^(-(s - k) K))/(e^s - 1), K the room down to the bend.
        """
        bend = self.density.convex_from
        if not math.isfinite(bend):
            return best
        near = np.maximum(u - 1.0, bend)
        k = -self.density.slopes(near, near)[0]
        room = u - 1.0 - bend
        after = 1.0 / (1.0 - np.expm1(-(s - k) * room) / math.expm1(min(s, LARGEST_EXPONENT)))
        return np.where((room > 0.0) & (k < s) & (k >= 0.0), np.fmin(best, after), best)

    # ------------------------------------------------------------------------------------- infinite epsilon

    def largest_at_infinity(self, direction: Direction, stop_above: float = INF) -> float:
        u, v = self._intervals()
        settled, open_bound = 0.0, 1.0
        for _ in range(40):
            bound, shown = self._at_infinity(u, v, direction)
            # chances that differ only by rounding are equal
            goal = stop_above if math.isfinite(stop_above) else shown * (1.0 + SLACK) + 10.0 * ROUNDED
            if shown > goal:
                return INF
            unsettled = ~(bound <= goal)
            settled = max(settled, float(np.max(bound[~unsettled], initial=0.0)))
            u, v, open_bound = u[unsettled], v[unsettled], float(np.max(bound[unsettled], initial=0.0))
            if not u.size or u.size > MOST_PROVED_AT_INFINITY:
                break
            middle = halves(u, v)
            u, v = self._kept(np.concatenate([u, middle]), np.concatenate([middle, v]))
        return max(settled, open_bound if u.size else 0.0)

    def _at_infinity(self, u: Floats, v: Floats, direction: Direction) -> tuple[Floats, float]:
        """Return bounds on the gain over [u, v] when epsilon is infinite, and the most that a truth there gains."""
        finite = np.isfinite(u) & np.isfinite(v)
        bounded_u, bounded_v = np.where(finite, u, 0.0), np.where(finite, v, 1.0)
        gains = [self._gain_at_infinity(truth, direction) for truth in (bounded_u, bounded_v)]
        passed = [self.density.mass(bounded_u + side, bounded_v + side) for side in (-1.0, 1.0)]
        moved = self._shares_apart(bounded_u, bounded_v) * np.minimum(*passed)
        whole_tail = np.ones(u.shape) if direction == "rise" else self._mass_around(u, v)
        bound = np.where(finite, np.maximum(*gains) + moved + ROUNDED, whole_tail)
        covers = (v - 1.0 <= self.density.low) & (u + 1.0 >= self.density.high)
        found = np.where(finite, np.maximum(*gains), 0.0)
        return np.where(covers, 0.0, bound), float(np.max(found, initial=0.0))

    def _gain_at_infinity(self, truths: Floats, direction: Direction) -> Floats:
        density = self.density
        inside: NDArray[np.bool_] = (truths - 1.0 <= density.low) & (truths + 1.0 >= density.high)
        if direction == "drop":
            gain = density.mass(truths - 1.0, truths + 1.0)
        else:
            below = density.mass(np.full(truths.shape, density.low), np.maximum(truths - 1.0, density.low))
            above = density.mass(np.minimum(truths + 1.0, density.high), np.full(truths.shape, density.high))
            gain = below + above
        return np.where(inside, 0.0, gain)


def _odds_beside(rate: Floats, inner: Floats, outer: Floats) -> Floats:
    """Return (1 - e^(-RATE OUTER))/(e^(RATE INNER) - 1), the least odds of what lies beyond against within."""
    top = np.where(rate == 0.0, outer, -np.expm1(-rate * outer) / rate)
    bottom = np.where(rate == 0.0, inner, np.expm1(np.minimum(rate * inner, LARGEST_EXPONENT)) / rate)
    return np.where(np.isinf(rate), np.where(rate > 0.0, 0.0, INF), top / bottom)
