"""Bounds on the gain of a guess over whole intervals of true values.

A guess of the true value x is right within [x - 1, x + 1] (positions in precisions). Over true values in [u, v] only
its two edges move, so the masses between u + 1 and v + 1 and between u - 1 and v - 1 bound how much larger the gain can
be inside than at u and v. docs/methods/guessing_advantage.md, "The worst truth".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.errors import InvalidInput
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import MOST_EDGES, CutPrior, halves, landmarks, mean_diverges
from dpwizard.privacy.guessing_advantage.given_truth import Direction, signed
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, LARGEST_EXPONENT, Floats, Indices, TiltedSums
from dpwizard.privacy.priors import FARTHEST, Density

# the first truths: these many precisions beside each end of the support
BESIDE_ENDS = np.array([0, 0.05, 0.15, 0.3, 0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 10, 20, 50], dtype=float)
IN_THE_BODY = np.linspace(-3.0, 3.0, 25)
EDGES_WITHIN = np.arange(-8, 9) / 8.0
FEW_TRUTHS = 900
MOST_KEPT = 8_000  # the most edges kept for another epsilon
ROUNDING_ERROR = 1e-14  # the rounding error of a probability near 1
FARTHEST_TRUTH = 1e12  # precisions from the median; beyond it the two edges of a guess are the same float
LEAST_LOG_MASS = -700.0  # smaller masses underflow


class Candidate(NamedTuple):
    """A probability before and after a release, and a bound on the change added by the moving edges."""

    before: Floats
    after: Floats
    more: Floats


class TriedTruths(NamedTuple):
    """True values tried (NaN: a limit), the probability before, and that of the Laplace mechanism after."""

    truths: Floats
    before: Floats
    after: Floats


class TruthBounds(NamedTuple):
    """Candidates, one of which bounds each true value, the interval of each, and the attained values."""

    candidate: Candidate
    owner: Indices
    tried: TriedTruths
    outputs: Floats  # of each interval, the output of the mechanism that attains the value at its end


class EveryTruth:
    """Bounds on the gain of a guess, over intervals of true values that cover the support of a density.

    Intervals can be halved, and the prior is cut more finely there.
    """

    def __init__(self, density: Density) -> None:
        ends = [abs(end) for end in (density.low, density.high) if math.isfinite(end)]
        if max(ends, default=0.0) > FARTHEST_TRUTH:
            raise InvalidInput(
                "must be at least {least} times the width of the distribution",
                "precision",
                "Enter a larger precision, or a narrower distribution.",
                least=f"{1.0 / FARTHEST_TRUTH:g}",
            )
        self.density = density
        self._start()

    def _start(self) -> None:
        self.first = self._first_truths()
        within = (self.first[:, None] + EDGES_WITHIN).ravel() if self.first.size < FEW_TRUTHS else self.first
        self.cut = CutPrior(self.density, np.concatenate([self.first - 1.0, self.first, self.first + 1.0, within]))
        self.cut.halve_coarse(MOST_EDGES // 4)
        self._intervals = self._first_intervals()

    def forget_fine_cuts(self) -> None:
        """Start again if other epsilons have divided the prior into too many cells."""
        if self.cut.edges.size > MOST_KEPT:
            self._start()

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        """Halve the CHOSEN intervals and the prior there and at OUTPUTS; return whether any could be halved."""
        u, v = self._intervals
        middle = halves(u[chosen], v[chosen])
        fine = (middle > u[chosen]) & (middle < v[chosen])
        chosen, middle = chosen[fine], middle[fine]
        if not chosen.size or self.cut.full:
            return False
        self.cut.add(np.concatenate([middle - 1.0, middle, middle + 1.0, outputs[chosen]]))
        rest = np.ones(u.size, dtype=bool)
        rest[chosen] = False
        self._intervals = self._possible_intervals(
            np.concatenate([u[rest], u[chosen], middle]), np.concatenate([v[rest], middle, v[chosen]])
        )
        return True

    def bounds(self, epsilon: float, direction: Direction) -> TruthBounds:
        """Return bounds on all true values, by intervals, and the attained values at their ends."""
        may_stop()
        s, (u, v) = signed(epsilon, direction), self._intervals
        truths = np.unique(np.concatenate([u, v]))
        truths = truths[np.isfinite(truths)]
        if math.isinf(s):
            candidates, outputs = self._candidates_at_infinity(u, v, s), np.zeros(truths.size)
            before = self.density.mass(truths - 1.0, truths + 1.0)
            attained = np.where(self._covers(truths, truths), before, 1.0 if s > 0.0 else 0.0)
        else:
            sums = self.cut.sums(s)
            before, after, attained, outputs = self.chances_at(sums, truths)
            candidates = self._candidates(sums, u, v, truths, before, after)
        if mean_diverges(self.density, s):  # a release can rule out every guess
            attained = np.zeros(truths.size)
        at_ends = np.clip(np.searchsorted(truths, np.where(np.isfinite(u), u, v)), 0, truths.size - 1)
        tried = TriedTruths(truths, before, attained)
        if math.isinf(self.density.high - self.density.low):  # a limit, where the probability before is 0
            limit = (math.nan, 0.0, self.far_gain(s))
            tried = TriedTruths(*(np.append(values, last) for values, last in zip(tried, limit, strict=True)))
        candidate = Candidate(*(np.concatenate(parts) for parts in zip(*candidates, strict=True)))
        return TruthBounds(candidate, np.tile(np.arange(u.size), len(candidates)), tried, outputs[at_ends])

    def _first_truths(self) -> Floats:
        density = self.density
        ends = [end for end in (density.low, density.high) if math.isfinite(end)]
        near_ends = [end + side * BESIDE_ENDS for end in ends for side in (-1.0, 1.0)]
        # an edge of a guess meets a jump where the truth is one precision beside it
        near_jumps = [density.jumps + side for side in (-1.0, 0.0, 1.0)]
        body = [place + IN_THE_BODY for place in density.quantiles(np.array([0.1, 0.5, 0.9]))]
        truths = np.concatenate([landmarks(density), *near_ends, *near_jumps, *body])
        inside = (np.abs(truths) <= FARTHEST_TRUTH) & (truths >= density.low) & (truths <= density.high)
        return np.unique(truths[inside])

    def _first_intervals(self) -> tuple[Floats, Floats]:
        """Return lower and upper ends."""
        below = [-INF] if math.isinf(self.density.low) else []
        above = [INF] if math.isinf(self.density.high) else []
        ends = np.concatenate([below, self.first, above])
        return self._possible_intervals(ends[:-1], ends[1:])

    def _possible_intervals(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return those of the intervals [U, V] that contain a possible true value."""
        possible = (v > u) & self.density.holds_truths(u, v)
        return u[possible], v[possible]

    # ------------------------------------------------------------------------------------- single truths

    def chances_at(self, sums: TiltedSums, truths: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Return for each true value the probability before, a bound after, the attained one, and the best output."""
        i, j = self.cut.edge_at(truths - 1.0), self.cut.edge_at(truths + 1.0)
        windows = sums.guesses(i, j)
        bound = windows.bound
        if sums.rises and not self.density.jumps.size:
            # if the probability underflows, the bound is 1
            vanished = (self.density.log_mass(truths - 1.0, truths + 1.0) < LEAST_LOG_MASS) & (bound <= 1e-300)
            bound = np.where(vanished, 1.0, bound)
        return self.density.mass(truths - 1.0, truths + 1.0), bound, windows.attained, windows.output

    def far_gain(self, s: float) -> float:
        """Return the limit of the gain far out on a tail of slope -k: odds 1/(e^(s - k^2/s) - 1), as p is 0."""
        if s <= 0.0 or math.isfinite(self.density.high):
            return 0.0
        k = -float(self.density.slopes(np.array(FARTHEST), np.array(INF))[1])
        return -math.expm1(-(s - k * k / s)) if k < min(s, 1e100) else 0.0

    # ------------------------------------------------------------------------------------- intervals of truths

    def _candidates(
        self, sums: TiltedSums, u: Floats, v: Floats, truths: Floats, before: Floats, after: Floats
    ) -> list[Candidate]:
        """Return two candidates for each interval, of which one changes at least as much as any true value in [u, v].

        BEFORE and AFTER belong to TRUTHS, the ends of intervals. The change may be multiplied with those of other
        attributes: the joint gain is linear in each.
        """
        finite = np.isfinite(u) & np.isfinite(v)
        bounded_u, bounded_v = np.where(finite, u, 0.0), np.where(finite, v, 1.0)
        more = np.minimum(self._most_added_by_edges(sums, bounded_u, bounded_v), 1.0)
        places = [np.clip(np.searchsorted(truths, end), 0, truths.size - 1) for end in (u, v)]
        ends = [Candidate(before[place], after[place], more) for place in places]
        return self._rise_candidates(sums, u, v, ends) if sums.rises else self._drop_candidates(u, v, ends)

    def _rise_candidates(self, sums: TiltedSums, u: Floats, v: Floats, ends: list[Candidate]) -> list[Candidate]:
        """Return ENDS, or the bound by slopes where that is smaller or an interval has no end."""
        finite = np.isfinite(u) & np.isfinite(v)
        overlap = finite & (v - u < 2.0)
        common = self.density.mass(np.where(overlap, v - 1.0, 0.0), np.where(overlap, u + 1.0, 0.0))
        common = np.where(overlap, common, 0.0)  # right for every truth of the interval
        by_slopes = self._posterior_by_slopes(sums.s, u, v)
        at_ends = np.maximum(*(end.after - end.before for end in ends)) + ends[0].more
        smaller = ~finite | (by_slopes - common < at_ends)
        return [
            Candidate(
                np.where(smaller, common, end.before),
                np.where(smaller, by_slopes, end.after),
                np.where(smaller, 0.0, end.more),
            )
            for end in ends
        ]

    def _drop_candidates(self, u: Floats, v: Floats, ends: list[Candidate]) -> list[Candidate]:
        """Return ENDS; in an unbounded interval no drop exceeds the whole mass there."""
        finite = np.isfinite(u) & np.isfinite(v)
        tail = self._mass_around(u, v)
        return [
            Candidate(
                np.where(finite, end.before, tail),
                np.where(finite, end.after, 0.0),
                np.where(finite, end.more, 0.0),
            )
            for end in ends
        ]

    def _mass_around(self, u: Floats, v: Floats) -> Floats:
        return self.density.mass(u - 1.0, v + 1.0)

    def _most_added_by_edges(self, sums: TiltedSums, u: Floats, v: Floats) -> Floats:
        """Return a bound on the gain that the moving edges add to the larger of the gains at U and V.

        With m the masses that the right and the left edge pass, k the kernel of a value there and W the mean kernel:
        delta min(m_r psi_r, m_l psi_l) + (m_r osc_r + m_l osc_l)/4, psi the larger of 1 and sup k/W. Here delta bounds
        the difference of the shares that the two edges have passed, and osc <= (e^(s h) - 1) sup k/W.
        """
        s, h = abs(sums.s), v - u
        sides = (-1.0, 1.0)
        masses = [self.density.mass(u + side, v + side) for side in sides]
        with np.errstate(all="ignore"):
            ratios = [self._largest_kernel_ratio(sums, u, v, side) for side in sides]
            sizes = [np.maximum(ratio, 1.0) for ratio in ratios]
            weighted = [np.where(m > 0.0, m * size, 0.0) for m, size in zip(masses, sizes, strict=True)]
            growth = np.expm1(np.minimum(s * h, LARGEST_EXPONENT))
            swings = [np.where(m > 0.0, m * growth * ratio / 4.0, 0.0) for m, ratio in zip(masses, ratios, strict=True)]
            added = self._largest_share_difference(u, v) * np.minimum(*weighted) + swings[0] + swings[1]
        return np.nan_to_num(added, nan=INF)

    def _largest_kernel_ratio(self, sums: TiltedSums, u: Floats, v: Floats, side: float) -> Floats:
        """Return the supremum of k/W over outputs, for the values that the edge on SIDE passes."""
        s, h = abs(sums.s), v - u
        if sums.rises:
            # largest with the output at the value itself, where k = 1; log W moves at rate s at most
            log_mean_u, log_mean_v = (sums.least_distance_means(self.cut.edge_at(end + side)) for end in (u, v))
            return np.asarray(np.exp(s * h / 2.0 - (log_mean_u + log_mean_v) / 2.0))
        # largest with the output at the far end of the guess
        far = self.density.inside(u - 1.0 if side > 0 else v + 1.0)
        edge = self.density.inside(v + 1.0 if side > 0 else u - 1.0)
        mean = sums.least_distance_means(self.cut.edge_at(far))
        return np.asarray(np.exp(s * (np.abs(edge - far) + h) - mean))

    def _largest_share_difference(self, u: Floats, v: Floats) -> Floats:
        """Return a bound on the difference of the mass shares that the edges have passed at one true value."""
        with np.errstate(all="ignore"):
            (l1, l2), (r1, r2) = (self._slope_bounds(u + side, v + side) for side in (-1.0, 1.0))
            difference = (np.maximum(l2, r2) - np.minimum(l1, r1)) * (v - u) / 4.0
        return np.minimum(1.0, np.nan_to_num(difference, nan=1.0, posinf=1.0))

    def _slope_bounds(self, lo: Floats, hi: Floats) -> tuple[Floats, Floats]:
        """Return bounds on the slope of the log density, infinite if the interval leaves the support."""
        least, most = self.density.slopes(lo, hi)
        outside = (lo < self.density.low) | (hi > self.density.high)
        return np.where(outside, -INF, least), np.where(outside, INF, most)

    # ------------------------------------------------------------------------------------- wide intervals and tails

    def _posterior_by_slopes(self, s: float, u: Floats, v: Floats) -> Floats:
        """Return a bound on the chance after, where the slope of the log density is nearly constant around [U, V].

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
            reaches += [folds / (s + own_slope) for folds in (4.0, 60.0)]  # a thin tail needs less
            for reach in reaches:
                best = np.fmin(best, self._posterior_by_slopes_within(s, u, v, reach))
            best = self._posterior_by_convex_tail(s, u, best)
        return np.asarray(best + ROUNDING_ERROR)

    def _posterior_by_slopes_within(self, s: float, u: Floats, v: Floats, reach: Floats) -> Floats:
        room_left = np.minimum(reach, INF if math.isinf(self.density.low) else u - 1.0 - self.density.low)
        room_right = np.minimum(reach, INF if math.isinf(self.density.high) else self.density.high - v - 1.0)
        fits = (room_left > 0.0) & (room_right > 0.0)
        lo, hi = np.where(fits, u - 1.0 - room_left, 0.0), np.where(fits, v + 1.0 + room_right, 1.0)
        k1, k2 = self.density.slopes(lo, hi)
        a, b = s + k2, s - k1
        tau = np.clip(np.nan_to_num((b - a) / (a + b), nan=1.0), -1.0, 1.0)
        tau = np.where(a <= 0.0, 1.0, np.where(b <= 0.0, -1.0, tau))
        tau = np.where(np.isinf(b), 1.0, tau)
        by_left = np.where(tau > -1.0, _least_odds_beside(a, 1.0 + tau, room_left), INF)
        by_right = np.where(tau < 1.0, _least_odds_beside(b, 1.0 - tau, room_right), INF)
        odds = np.minimum(by_left, by_right)
        return np.where(fits & ~np.isnan(odds), 1.0 / (1.0 + odds), 1.0)

    def _posterior_by_convex_tail(self, s: float, u: Floats, best: Floats) -> Floats:
        """Return BEST, or a smaller bound where the log density is convex from a bend on.

        With -k its slope at c = x + k/s, f e^(k (t - c)) falls left of c and rises right of it: the odds are at least
        (1 - e^(-(s - k) K))/(e^s - 1), with K the distance to the bend.
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

    def _candidates_at_infinity(self, u: Floats, v: Floats, s: float) -> list[Candidate]:
        """Return the result of `_candidates` at an infinite loss, positive for a rise.

        A rise gains 1 - p, a drop p, and nothing where the guess covers the support.
        """
        finite = np.isfinite(u) & np.isfinite(v)
        bounded_u, bounded_v = np.where(finite, u, 0.0), np.where(finite, v, 1.0)
        passed = [self.density.mass(bounded_u + side, bounded_v + side) for side in (-1.0, 1.0)]
        added = self._largest_share_difference(bounded_u, bounded_v) * np.minimum(*passed) + ROUNDING_ERROR
        covers = self._covers(u, v)
        after = np.where(covers | (s > 0.0), 1.0, 0.0)
        extreme = np.zeros(u.shape) if s > 0.0 else self._mass_around(u, v)
        candidates = []
        for truths in (bounded_u, bounded_v):
            chance = self.density.mass(truths - 1.0, truths + 1.0) - math.copysign(1.0, s) * added
            before = np.where(covers, 1.0, np.where(finite, np.clip(chance, 0.0, 1.0), extreme))
            candidates.append(Candidate(before, after, np.zeros(u.shape)))
        return candidates

    def _covers(self, u: Floats, v: Floats) -> NDArray[np.bool_]:
        """Return whether a guess of any true value in [U, V] is right for the whole support."""
        covers: NDArray[np.bool_] = (v - 1.0 <= self.density.low) & (u + 1.0 >= self.density.high)
        return covers


def _least_odds_beside(rate: Floats, inner: Floats, outer: Floats) -> Floats:
    """Return (1 - e^(-RATE OUTER))/(e^(RATE INNER) - 1), the least odds of values beyond against values within."""
    top = np.where(rate == 0.0, outer, -np.expm1(-rate * outer) / rate)
    bottom = np.where(rate == 0.0, inner, np.expm1(np.minimum(rate * inner, LARGEST_EXPONENT)) / rate)
    return np.where(np.isinf(rate), np.where(rate > 0.0, 0.0, INF), top / bottom)
