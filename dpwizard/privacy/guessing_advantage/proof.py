"""What no truth in an interval can exceed: bounds on the advantage from above, proved, and a search that splits.

For a truth x in [u, v] (all in precisions), correct guesses [x - 1, x + 1], L the mass to their left weighed by e^(st),
U that to their right by e^(-st), P and Q those inside up to and from a place c = x + tau: the exact odds against a
correct guess obey, for **every** tau in [-1, 1] (docs/methods/guessing_advantage.md, "The worst truth"),

    min(L/P, U/Q) <= odds <= max(L/P, U/Q)            lambda = L/(L + P), mu = U/(U + Q).

So a bound on lambda and on mu over the interval, at any one tau, bounds the advantage of every truth in it. Where the
interval is small, tents on the values at its ends, whose slopes are bounds on the derivative, are far sharper.
"""

from __future__ import annotations

import itertools
import math
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.guessing_advantage.bounds import Bound, Direction, sign
from dpwizard.privacy.priors import SNAP, Tilted
from dpwizard.stopping import may_stop

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

HALVINGS = 10
MOST_STEPS = 70
CLOSE_ENOUGH = 1e-11  # for one truth, whose best output is needed
CLOSE = 1e-9
ROUGH = 1e-6
# then parts of the bracket left on either side of where a straight line through its ends is zero
CLOSER = (0.02, 1e-3, 1e-4)
WINDOWS = (2.0, 8.0, 30.0)  # how far out the slope of the density is looked at, in e-folds of the tilt
ROUNDING = 2e-13
LOG_ROUNDING = 1e-15
NARROWEST = 3e-10  # no interval is split further: rounding of its ends would count for more than its width
TENT_WIDTH = 4.0  # intervals up to this wide, in precisions, get tents
WIDEST_WAVE = 30_000
DEPTH = 64


class Balance(NamedTuple):
    """Where the two sides balance, between LOW and HIGH, and what follows for the posterior, rounding included."""

    low: Floats
    high: Floats
    posterior: Floats  # from above for the rise, from below for the drop


class Ceiling:
    """Bounds on the advantage over intervals of truths at one loss: never below the true supremum."""

    def __init__(self, tilted: Tilted, epsilon: float, direction: Direction, bound: Bound, rough: bool = False) -> None:
        """Arguments: the prior; epsilon per precision, perhaps infinite; the direction; exact, main or simplified;
        rough, whether a part of a million too much will do."""
        self.tilted, self.way, self.bound, self.rough = tilted, sign(direction), bound, rough
        self.s = self.way * epsilon
        reach = tilted.high - tilted.low
        diverges = direction == "drop" and math.isinf(tilted.high) and epsilon >= tilted.limit
        self.sure = math.isinf(epsilon) or (math.isinf(reach) if bound == "simplified" else diverges)
        self.shift = epsilon * reach if epsilon > 0.0 else 0.0
        if not self.sure and bound != "simplified":
            may_stop()
            tilted.tilt(self.s)

    # ------------------------------------------------------------------------------- intervals

    def over(self, u: Floats, v: Floats) -> Floats:
        """Return bounds on the advantage of every truth in [U, V]."""
        may_stop()
        return self.over_pairs(u, v, *self.pairs(u, v))

    def over_pairs(self, u: Floats, v: Floats, least: Floats, most: Floats, after: Floats) -> Floats:
        """Return the same, where the pairs over [U, V] are known."""
        if self.bound == "simplified":
            found = self._simplified(least, most)
        else:
            found = after - least if self.way > 0.0 else most - after
        found = np.where(np.isnan(found), 1.0, found) + ROUNDING
        if self.bound == "exact" and (self.sure or self.tilted.tabulated):
            narrow = np.flatnonzero((v - u <= TENT_WIDTH) & np.isfinite(u) & np.isfinite(v))
            if narrow.size:
                found[narrow] = np.fmin(found[narrow], self._tents(u[narrow], v[narrow]))
        return found

    def pairs(self, u: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Return, over [U, V]: the least and the largest prior probability, and the posterior from the unsafe side."""
        least, most = self._chances(u, v)
        if self.sure:
            return least, most, np.full_like(u, max(self.way, 0.0))
        if self.bound == "simplified":
            return least, most, most if self.way > 0.0 else least
        after = self._balance(u, v).posterior
        if self.way > 0.0 and math.isfinite(self.tilted.bent):
            after = np.fmin(after, self._far_tail(u))
        certain = (u + 1.0 >= self.tilted.high) & (v - 1.0 <= self.tilted.low)  # nothing but correct guesses
        return least, most, np.where(certain, 1.0, after)

    def _chances(self, u: Floats, v: Floats) -> tuple[Floats, Floats]:
        mass = self.tilted.mass
        least = np.where(v - u < 2.0, mass(np.where(np.isfinite(v), v - 1.0, self.tilted.high), u + 1.0), 0.0)
        if self.tilted.one_summit:  # the chance of a window that slides over one summit climbs, then falls
            ends = [np.where(np.isfinite(t), mass(t - 1.0, t + 1.0), 0.0) for t in (u, v)]
            least = np.maximum(least, np.minimum(*ends))
        return least, mass(u - 1.0, v + 1.0)

    def _simplified(self, least: Floats, most: Floats) -> Floats:
        """Return the largest advantage by the simplified bound of any prior probability between LEAST and MOST."""
        if self.sure:
            return 1.0 - least if self.way > 0.0 else most
        if self.way < 0.0:
            least, most = 1.0 - most, 1.0 - least
        best = np.clip(1.0 / (1.0 + math.exp(min(self.shift / 2.0, 700.0))), least, most)
        return np.asarray(
            best * (1.0 - best) * -math.expm1(-self.shift) / (best + (1.0 - best) * math.exp(-min(self.shift, 700.0)))
        )

    def _balance(self, u: Floats, v: Floats) -> Balance:
        """Return the bound at the tau where lambda and mu balance, found by halving; any tau is sound."""
        sides = _Sides(self, u, v)
        if self.bound == "main":  # L/P(b) + U/Q(a)
            one = np.ones_like(u)
            left, right = (np.exp(np.minimum(side, 0.0)) for side in (sides.left(one), sides.right(-one)))
            odds = left / (1.0 - left) + right / (1.0 - right)
            after = 1.0 / (1.0 + odds) + self.way * sides.rounding
            unknown = np.isnan(odds) | (self.way > 0.0) & (odds == 0.0)
            return Balance(-one, one, np.where(unknown, max(self.way, 0.0), after))
        close = ROUGH if self.rough else CLOSE_ENOUGH if bool(np.all(u == v)) else CLOSE
        low, high = self._bracket(sides, u.size, close)
        found = [self._lesser(sides, tau) for tau in (low, high)]
        if self.way > 0.0:
            after = 1.0 - np.fmax(np.fmax(*found), 0.0) + sides.rounding
        else:
            after = 1.0 - np.fmin(np.fmin(*found), 1.0) - sides.rounding
        return Balance(low, high, np.asarray(after))

    @staticmethod
    def _bracket(sides: _Sides, size: int, close: float) -> tuple[Floats, Floats]:
        """Return where log mu - log lambda, which climbs in tau, turns positive: halvings, then lines and halvings."""
        lows, highs = np.full(size, -1.0), np.full(size, 1.0)
        active = np.arange(size)
        low, high, at_low, at_high = lows.copy(), highs.copy(), np.full(size, -np.inf), np.full(size, np.inf)
        line = room = low
        for step in range(MOST_STEPS):
            may_stop()
            turn = (step - HALVINGS) % 3
            if step < HALVINGS or turn == 2:
                tau = (low + high) / 2.0
            elif turn == 0:
                lows[active], highs[active] = low, high
                wide = np.flatnonzero(high - low > close)
                if wide.size == 0:
                    break
                if wide.size < low.size:
                    active, sides = active[wide], sides.some(wide)
                    low, high, at_low, at_high = low[wide], high[wide], at_low[wide], at_high[wide]
                line = low + (high - low) * np.nan_to_num(at_low / (at_low - at_high), nan=0.5)
                room = CLOSER[min((step - HALVINGS) // 3, len(CLOSER) - 1)] * (high - low)
                tau = np.clip(line - room, low, high)
            else:
                tau = np.clip(line + room, low, high)
            climbing = sides.right(tau) - sides.left(tau)
            below = climbing < 0.0
            low, high = np.where(below, tau, low), np.where(below, high, tau)
            at_low, at_high = np.where(below, climbing, at_low), np.where(below, at_high, climbing)
        lows[active], highs[active] = low, high
        return lows, highs

    def _lesser(self, sides: _Sides, tau: Floats) -> Floats:
        left, right = np.exp(np.minimum(sides.left(tau), 0.0)), np.exp(np.minimum(sides.right(tau), 0.0))
        if self.way < 0.0:
            return np.maximum(left, right)
        # at tau = -1 nothing is inside left of c, and at tau = 1 nothing right of it: then the other side alone counts
        return np.minimum(np.where(tau <= -1.0, 1.0, left), np.where(tau >= 1.0, 1.0, right))

    def _far_tail(self, u: Floats) -> Floats:
        """Return the bound for all truths from U on, where the density is log-convex and falls: slope at c both sides.

        With k the slope at c = x + k/s, what lies left falls at least that fast and what lies right at most: the odds
        are at least those of e^(-kt) on the whole line but for what lies left of the bend, 1/(e^(s - k^2/s) - 1) >=
        1/(e^s - 1). By main both sides count from the far edge: with k the slope of the chord over the correct guesses,
        1/(e^(2(s - k)) - 1) + 1/(e^(2(s + k)) - 1) >= 2/(e^(2s) - 1).
        """
        room = u - 1.0 - self.tilted.bent
        slope, _ = self.tilted.slopes(np.maximum(u - 1.0, self.tilted.bent), np.maximum(u - 1.0, self.tilted.bent))
        kept = -np.expm1(-(self.s - slope) * room)
        fine = (room > 0.0) & (slope > 0.0) & (slope < self.s)
        sides = 2.0 if self.bound == "main" else 1.0
        flat = math.expm1(min(sides * self.s, 700.0))
        return np.asarray(np.where(fine, flat / (flat + sides * kept) + 4.0 * 2.0**-53, np.nan))

    # ----------------------------------------------------------------------------------- points

    def at(self, t: Floats) -> Floats:
        """Return advantages that truths at T are proved to have: never above the true ones but for rounding."""
        p = self.tilted.mass(t - 1.0, t + 1.0)
        if self.sure:
            return 1.0 - p if self.way > 0.0 else p
        if self.bound == "simplified":
            return self._simplified(p, p)
        if not self.tilted.tabulated:
            return np.full_like(t, np.nan)
        found = self._balance(t, t)
        if self.bound == "main":
            gained = self.way * (found.posterior - p)
            return np.where(found.posterior == max(self.way, 0.0), np.nan, gained)  # nothing is known of it
        c = np.clip(t + found.low, self.tilted.low, self.tilted.high)
        whole = np.logaddexp(self.tilted.log_a(c), self.tilted.log_b(c))
        left = np.exp(self.tilted.log_a(t - 1.0) - self.s * (c - t + 1.0) - whole)
        right = np.exp(self.tilted.log_b(t + 1.0) - self.s * (t + 1.0 - c) - whole)
        return np.asarray(self.way * (1.0 - left - right - p))

    def _tents(self, u: Floats, v: Floats) -> Floats:
        """Return bounds from the values at both ends and bounds on the derivative between them.

        A(x, c) = E[psi; |T - x| <= 1], psi = +-(e^(-s |T - c|)/W(c) - 1), is the advantage once c is released: its
        largest value over c is the advantage, and the best c does not fall as x grows. So c lies between its places for
        the two ends.
        """
        tilted, size = self.tilted, v - u
        if self.sure:
            at_u, at_v = self.at(u), self.at(v)
            c_low = c_high = whole_low = whole_high = np.zeros_like(u)
        else:
            ends, place = np.unique(np.concatenate([u, v]), return_inverse=True)  # neighbours share theirs
            balance = self._balance(ends, ends)
            gained = self.way * (balance.posterior - tilted.mass(ends - 1.0, ends + 1.0))
            of_u, of_v = place[: u.size], place[u.size :]
            at_u, at_v = gained[of_u], gained[of_v]
            certain = [(t + 1.0 >= tilted.high) & (t - 1.0 <= tilted.low) for t in (u, v)]
            at_u, at_v = np.where(certain[0], 0.0, at_u), np.where(certain[1], 0.0, at_v)
            nearest = (u + balance.low[of_u], v + balance.high[of_v])
            places = [np.clip(place, tilted.low, tilted.high) for place in nearest]
            c_low, c_high = np.minimum(*places), np.maximum(*places)
            logs = [np.logaddexp(tilted.log_a(c), tilted.log_b(c)) for c in (c_low, c_high)]
            spread = abs(self.s) * (c_high - c_low)  # log W moves by at most s per precision
            whole_low, whole_high = (logs[0] + logs[1] - spread) / 2.0, (logs[0] + logs[1] + spread) / 2.0
        may_stop()
        psi = [self._weights(u + side, v + side, c_low, c_high, whole_low, whole_high) for side in (-1.0, 1.0)]
        moves = [self._edge(u + side, v + side, *range) for side, range in zip((-1.0, 1.0), psi, strict=True)]
        climb, fall = moves[1][1] - moves[0][0], moves[1][0] - moves[0][1]  # the derivative: at most, at least
        extra = 1e-12 * (np.abs(climb) + np.abs(fall))
        climb, fall = climb + np.where(np.isfinite(extra), extra, 0.0), fall - np.where(np.isfinite(extra), extra, 0.0)
        meet = np.clip((at_v - fall * size - at_u) / (climb - fall), 0.0, size)
        steep, deep = ~np.isfinite(climb), ~np.isfinite(fall)
        both = np.minimum(at_u + climb * meet, at_v - fall * (size - meet))
        from_u, from_v = np.maximum(at_u, at_u + climb * size), np.maximum(at_v, at_v - fall * size)
        found = np.where(climb <= 0.0, at_u, np.where(fall >= 0.0, at_v, both))
        found = np.where(steep & deep, np.inf, np.where(steep, from_v, np.where(deep, from_u, found)))
        # what enters and leaves between an end and the truth, by its mass: for densities without bound
        (low_left, high_left), (low_right, high_right) = psi
        left, right = (tilted.mass(u + side, v + side) * (1.0 + 1e-12) for side in (-1.0, 1.0))
        up = at_u + np.maximum(high_right, 0.0) * right + np.maximum(-low_left, 0.0) * left
        down = at_v + np.maximum(high_left, 0.0) * left + np.maximum(-low_right, 0.0) * right
        found = np.fmin(found, np.fmin(up, down))
        slack = (
            ROUNDING + 4e-13 * abs(self.s if math.isfinite(self.s) else 0.0) + self._misplaced(u) + self._misplaced(v)
        )
        if not self.sure:
            slack = np.where(certain[0] != certain[1], np.inf, slack)  # no c at the certain end
        return np.asarray(np.where(np.isnan(found), np.inf, found + slack))

    def _weights(
        self, first: Floats, last: Floats, c_low: Floats, c_high: Floats, whole_low: Floats, whole_high: Floats
    ) -> tuple[Floats, Floats]:
        """Return the range of psi over an edge of the correct guesses that moves from FIRST to LAST."""
        if self.sure:
            return np.full_like(first, -self.way), np.full_like(first, -self.way)
        near = np.maximum(np.maximum(first - c_high, c_low - last), 0.0)
        far = np.maximum(last - c_low, c_high - first)
        nearest, farthest = (far, near) if self.s < 0.0 else (near, far)
        heavy, light = np.exp(-self.s * nearest - whole_low), np.exp(-self.s * farthest - whole_high)
        return (light - 1.0, heavy - 1.0) if self.way > 0.0 else (1.0 - heavy, 1.0 - light)

    def _edge(self, first: Floats, last: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
        """Return the range of density times psi, from LOW to HIGH, over an edge that moves from FIRST to LAST."""
        logs = self.tilted.density_range(first, last)
        least, most = np.exp(logs[0]), np.exp(logs[1])
        top = np.where(high > 0.0, most * high, least * high)
        bottom = np.where(low > 0.0, least * low, most * low)
        nothing = logs[1] == -np.inf
        return np.where(nothing, 0.0, bottom), np.where(nothing, 0.0, top)

    def _misplaced(self, t: Floats) -> Floats:
        """Return the mass that rounding of the edges of the correct guesses may put on their wrong side."""
        tilted = self.tilted
        scale = max([1.0, *(abs(end) for end in (tilted.low, tilted.high) if math.isfinite(end))])
        size, total = SNAP * np.maximum(np.abs(t), scale), np.zeros_like(t)
        for side in (-1.0, 1.0):
            _, most = tilted.density_range(t + side - 2.0 * size, t + side + 2.0 * size)
            place = tilted.snapped(t + side)
            most = np.where((place == tilted.low) | (place == tilted.high), -np.inf, most)  # there nothing is misplaced
            total += np.where(np.isfinite(most), 4.0 * size * np.exp(np.where(np.isfinite(most), most, 0.0)), 0.0)
        return np.asarray(total)


class _Sides:
    """Bounds on log lambda and log mu by tau over intervals of truths: from below for the rise, above for the drop."""

    def __init__(self, ceiling: Ceiling, u: Floats, v: Floats) -> None:
        tilted = self.tilted = ceiling.tilted
        self.s, self.way, self.u, self.v = ceiling.s, ceiling.way, u, v
        self.used = tilted.tabulated
        point = u == v
        falls = point | tilted.concave | (v + 1.0 <= tilted.bent)  # lambda climbs with the truth
        rises = point | tilted.concave  # mu falls with the truth
        convex = u - 1.0 >= tilted.bent  # mu climbs with the truth
        if self.way > 0.0:
            self.a, self.left_c = u - 1.0, np.where(falls, u, v)
            self.b, self.right_c = np.where(convex, u, v) + 1.0, np.where(rises, v, u)
        else:
            self.a, self.left_c = v - 1.0, np.where(falls, v, u)
            self.b, self.right_c = u + 1.0, np.where(rises, u, v)
        if tilted.same_everywhere:
            self.b, self.right_c = np.where(np.isinf(v), u + 1.0, self.b), np.where(np.isinf(v), u, self.right_c)
        self.at_a = self.at_b = np.full_like(u, np.nan)
        rounding = np.full_like(u, ROUNDING)
        if self.used:
            self.at_a, self.at_b = tilted.log_a(self.a), tilted.log_b(self.b)
            for logs in (self.at_a, self.at_b):
                rounding += LOG_ROUNDING * np.where(np.isfinite(logs), np.abs(logs), 0.0)
            rounding += LOG_ROUNDING * abs(self.s) * 4.0
            for end in (u, v):
                placed = ceiling._misplaced(np.where(np.isinf(end), 0.0, end))
                rounding += np.where(point | np.isinf(u) | np.isinf(v), 0.0, placed)
        self.rounding = rounding
        self.left_windows: list[tuple[Floats, Floats]] = []
        self.right_windows: list[tuple[Floats, Floats]] = []
        if self.way > 0.0 and not bool(point.all()) and not (tilted.concave and tilted.tabulated):
            self._look_at_slopes(u, v)

    def some(self, chosen: NDArray[np.intp]) -> _Sides:
        """Return the same for some of the intervals."""
        part = copy(self)
        for name in ("u", "v", "a", "b", "left_c", "right_c", "at_a", "at_b", "rounding"):
            setattr(part, name, getattr(self, name)[chosen])
        part.left_windows = [(rate[chosen], room[chosen]) for rate, room in self.left_windows]
        part.right_windows = [(rate[chosen], room[chosen]) for rate, room in self.right_windows]
        return part

    def _look_at_slopes(self, u: Floats, v: Floats) -> None:
        """Note how fast the density falls around the correct guesses at least (left) and at most (right)."""
        tilted = self.tilted
        for e_folds in (*WINDOWS, math.inf):
            wide = np.full_like(u, min(e_folds, WINDOWS[-1]) / self.s)
            # half way to the summit: down a long tail
            back = wide if math.isfinite(e_folds) else 0.5 * (u - 1.0 - tilted.summit)
            left = np.clip(np.minimum(back, u - 1.0 - tilted.low), 0.0, None)
            right = np.clip(np.minimum(wide, tilted.high - v - 1.0), 0.0, None)
            slow, _ = tilted.slopes(u - 1.0 - left, np.minimum(v + 1.0, tilted.high))
            _, fast = tilted.slopes(np.maximum(u - 1.0, tilted.low), v + 1.0 + right)
            for windows, rate, room in (
                (self.left_windows, self.s - slow, left),
                (self.right_windows, self.s + fast, right),
            ):
                if bool(np.any(np.isfinite(rate) | (rate < 0.0))):  # of a density that jumps nothing is known
                    windows.append((rate, room))

    def left(self, tau: Floats) -> Floats:
        """Return the bound on log lambda, -inf (rise) or 0 (drop) where nothing is known."""
        nothing = -np.inf if self.way > 0.0 else 0.0
        found = np.full_like(tau, nothing)
        if self.used:
            c = self.left_c + tau
            found = self.at_a - self.tilted.log_a(c) - self.s * (c - self.a)
            found = np.where(np.isnan(found) | (c <= self.a) & (self.way < 0.0), nothing, found)
            found = np.where(self.at_a == -np.inf, -np.inf, found)
        for rate, room in self.left_windows:
            found = np.fmax(found, _share(rate, 1.0 + tau, room))
        return np.asarray(found)

    def right(self, tau: Floats) -> Floats:
        """Return the bound on log mu."""
        nothing = -np.inf if self.way > 0.0 else 0.0
        found = np.full_like(tau, nothing)
        if self.used:
            c = self.right_c + tau
            found = self.at_b - self.tilted.log_b(c) - self.s * (self.b - c)
            found = np.where(np.isnan(found) | (c >= self.b) & (self.way < 0.0), nothing, found)
            found = np.where(self.at_b == -np.inf, -np.inf, found)
        for rate, room in self.right_windows:
            found = np.fmax(found, _share(rate, 1.0 - tau, room))
        return np.asarray(found)


def _share(rate: Floats, inner: Floats, outer: Floats) -> Floats:
    """Return log of the share that [inner, inner + outer] has of [0, inner + outer] under e^(-rate y)."""
    size = np.abs(rate)
    falling = -size * inner + np.log(-np.expm1(-size * outer)) - np.log(-np.expm1(-size * (inner + outer)))
    climbing = np.log(-np.expm1(-size * outer)) - np.log(-np.expm1(-size * (inner + outer)))
    flat = np.log(outer) - np.log(inner + outer)
    found = np.where(size * (inner + outer) < 1e-9, flat - 1e-9, np.where(rate > 0.0, falling, climbing))
    return np.asarray(np.where(np.isnan(found) | (outer <= 0.0) | np.isinf(rate) & (rate > 0.0), -np.inf, found))


# ---------------------------------------------------------------------------------------- splitting


class Intervals(NamedTuple):
    """Intervals of truths, in precisions."""

    u: Floats
    v: Floats

    def some(self, chosen: Flags) -> Intervals:
        """Return those chosen."""
        return Intervals(self.u[chosen], self.v[chosen])


def joined(cells: Intervals) -> Intervals:
    """Return the intervals with neighbours joined: what was split in vain is taken as a whole again."""
    order = np.argsort(cells.u)
    u, v = cells.u[order], cells.v[order]
    begins = np.append(True, u[1:] > v[:-1])
    ends = np.append(begins[1:], True)
    return Intervals(u[begins], v[ends])


def laid_out(tilted: Tilted, truths: Floats) -> Intervals:
    """Return intervals that cover the support, cut at TRUTHS and where an edge of the guesses meets an end of it."""
    found: list[tuple[float, float]] = []
    ends = [end + side for end in (tilted.low, tilted.high) if math.isfinite(end) for side in (-1.0, 1.0)]
    marks = np.unique(np.concatenate([truths, np.array(ends)]))
    for low, high in tilted.pieces():
        inner = marks[(marks > low) & (marks < high)].tolist()
        places = [low, *inner, high]
        found.extend((first, last) for first, last in itertools.pairwise(places) if first < last)
    return Intervals(np.array([each[0] for each in found]), np.array([each[1] for each in found]))


def kinks(tilted: Tilted) -> Floats:
    """Return the truths at which an edge of the correct guesses meets a jump of the density."""
    edges = tilted.kinks()
    return np.unique(np.concatenate([edges, edges - 1.0, edges + 1.0]))


def split_at(cells: Intervals, marks: Floats) -> Floats:
    """Return where to split each interval: the kink nearest its middle, else its middle; outwards where endless."""
    u, v = cells
    with np.errstate(invalid="ignore"):
        middle = u + (v - u) / 2.0
    middle = np.where(np.isinf(v) & np.isfinite(u), u + np.maximum(np.abs(u), 1.0), middle)
    middle = np.where(np.isinf(u) & np.isfinite(v), v - np.maximum(np.abs(v), 1.0), middle)
    middle = np.where(np.isinf(u) & np.isinf(v), 0.0, middle)
    if marks.size:
        place = np.searchsorted(marks, middle)
        for each in (np.clip(place, 0, marks.size - 1), np.clip(place - 1, 0, marks.size - 1)):
            mark = marks[each]
            inside = (mark > u) & (mark < v) & np.isfinite(u) & np.isfinite(v)
            middle = np.where(inside, mark, middle)
    return np.asarray(middle)
