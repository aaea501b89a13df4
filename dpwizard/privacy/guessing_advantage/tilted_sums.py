"""A prior cut into cells, weighted from the left by e^(st) and from the right by e^(-st), with proved bounds.

Places t are in precisions. A rise has s = epsilon > 0, a drop s = -epsilon. After an output c of the Laplace mechanism
the odds against a guess are

    O(c) = (e^(-sc) L + e^(sc) U) / (e^(-sc) P(c) + e^(sc) Q(c)),

L = E[e^(st)] left of the guess, U = E[e^(-st)] right of it, P(c) and Q(c) the same within the guess, left and right of
c. The extreme of O over c within the guess is the extreme over all mechanisms (docs/methods/guessing_advantage.md).

Cell lemma: where k1 <= (log f)' <= k2 on a cell, f is in likelihood ratio between e^(k1 t) and e^(k2 t), and so is the
mean of every monotone function. Every sum here is such a lower or upper bound, kept as a logarithm.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import UNIT

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

INF = math.inf
LOWER, UPPER = 0, 1
LARGEST_EXPONENT = 700.0


class Cells(NamedTuple):
    """A prior cut at edges: places, log masses, and bounds on the slope of the log density in each cell."""

    lo: Floats
    hi: Floats
    log_mass: Floats
    least_slope: Floats
    most_slope: Floats


class Windows(NamedTuple):
    """The probability of guesses after a release, and the output that determines it."""

    bound: Floats  # a safe bound for every mechanism
    attained: Floats  # by the Laplace mechanism
    output: Floats  # a position; 0 in an unbounded cell


class TiltedSums:
    """Bounds on the tilted masses left and right of every edge of a prior cut into cells.

    Arguments: cells; s, the signed loss per precision; window, the first cell and the cell after the last if there is
    only one guess: its inner sums then start at its own edges and nothing is subtracted.
    """

    def __init__(self, cells: Cells, s: float, window: tuple[int, int] | None = None) -> None:
        self.s, self.lo, self.hi, self.log_mass = s, cells.lo, cells.hi, cells.log_mass
        with np.errstate(all="ignore"):
            self.width = np.where(np.isfinite(cells.hi - cells.lo), cells.hi - cells.lo, INF)
            self.left_cells = _log_tilted_masses(cells, self.width, s)
            self.right_cells = _log_tilted_masses(cells, self.width, -s)
            self.left = [_log_sums_up_to(cells_bound) for cells_bound in self.left_cells]
            self.right = [_log_sums_from(cells_bound) for cells_bound in self.right_cells]
        self._window = window
        self._inner_left, self._inner_right = self.left, self.right
        if window is not None:
            i, j = window
            nothing_before, nothing_after = np.full(i, -INF), np.full(self.lo.size - j, -INF)
            self._inner_left = [
                np.concatenate([nothing_before, _log_sums_up_to(cells_bound[i:])]) for cells_bound in self.left_cells
            ]
            self._inner_right = [
                np.concatenate([_log_sums_from(cells_bound[:j]), nothing_after]) for cells_bound in self.right_cells
            ]

    @property
    def rises(self) -> bool:
        return self.s > 0.0

    def places(self, edges: Indices) -> Floats:
        """Return the positions of EDGES: edge n is the lower end of cell n."""
        return np.append(self.lo, self.hi[-1])[edges]

    def rounding_error(self, i: Indices, j: Indices) -> Floats:
        """Return the relative rounding error of the sums of guesses in cells i to j.

        A logarithm is off by an ulp of its own size, the edges of a guess by an ulp of their place, and a sum of n
        terms by about sqrt(n) ulps.
        """
        sizes = [
            np.abs(np.where(np.isfinite(log_sum), log_sum, 0.0))
            for log_sum in (self.left[UPPER][i], self.left[UPPER][j], self.right[UPPER][i], self.right[UPPER][j])
        ]
        terms = 8.0 * math.sqrt(self.lo.size)
        edges = np.abs(np.concatenate([self.lo, self.hi[-1:]]))
        places = np.where(np.isfinite(edges), edges, 0.0)
        return np.asarray(UNIT * (2.0 * np.maximum.reduce(sizes) + 2.0 * terms + np.maximum(places[i], places[j])))

    def guesses(self, i: Indices, j: Indices) -> Windows:
        """Return the chances after a release of guesses that are right in cells i to j - 1 (arrays).

        For any cell k of the guess and any share theta of it, with P* = P(to lo_k) + theta m e^(s hi) and
        Q* = Q(from hi_k) + (1 - theta) m e^(-s lo), a rise has min(L/P*, U/Q*) <= O(c) for every c in the guess, a drop
        max(L/P*, U/Q*) >= O(c): the kernel on the cell is at most theta e^(s (hi-c)) + (1 - theta) e^(s (c-lo)),
        and beyond the cell one of the two ratios only falls. Here k is the cell in which L Q passes U P, or the next
        one, and theta makes the two ratios equal.
        """
        with np.errstate(all="ignore"):
            error = self.rounding_error(i, j)
            k = self._balanced_cell(i, j, error)
            log_odds, theta = self._balanced_odds(i, j, k, error)
            # if theta is 1 the next cell can be better
            following = np.minimum(k + 1, np.maximum(j - 1, i))
            next_odds, next_theta = self._balanced_odds(i, j, following, error)
            better = next_odds > log_odds if self.rises else next_odds < log_odds
            k, theta = np.where(better, following, k), np.where(better, next_theta, theta)
            log_odds = np.where(better, next_odds, log_odds)
            bound = _chance(log_odds) + (error if self.rises else -error)
            attained = self._attained(i, j, k, error)
            output = np.where(np.isfinite(self.width[k]), self.lo[k] + theta * self.width[k], 0.0)
        sure = (self._log_outer_masses(LOWER, i, j)[0] == -INF) & (self._log_outer_masses(LOWER, i, j)[1] == -INF)
        return Windows(
            bound=np.clip(bound, 0.0, 1.0),
            attained=np.clip(np.where(sure, 1.0, attained), 0.0, 1.0),
            output=output,
        )

    def at_output(self, i: int, j: int, output: float) -> float:
        """Return the chance of a guess in cells i to j - 1 after the Laplace mechanism released the edge OUTPUT.

        The mean of a lower and an upper bound: its error is of third order in the width of the cells.
        """
        edge = int(np.searchsorted(self.lo, output))
        chances = []
        for side in (LOWER, UPPER):
            weights = np.concatenate(
                [self.left_cells[side][:edge] - self.s * output, self.right_cells[side][edge:] + self.s * output]
            )
            weights = np.exp(weights - float(np.max(weights)))
            chances.append(float(np.sum(weights[i:j]) / np.sum(weights)))
        return (chances[LOWER] + chances[UPPER]) / 2.0

    def least_distance_means(self, edges: Indices) -> Floats:
        """Return a lower bound on log E[e^(-s |t - c|)] for c at EDGES."""
        c = self.places(edges)
        with np.errstate(all="ignore"):
            return np.logaddexp(self.left[LOWER][edges] - self.s * c, self.right[LOWER][edges] + self.s * c)

    # ------------------------------------------------------------------------------------- the parts of a guess

    def _log_outer_masses(self, side: int, i: Indices, j: Indices) -> tuple[Floats, Floats]:
        """Return log L and log U of a guess in cells i to j - 1, bounded on SIDE."""
        return self.left[side][i], self.right[side][j]

    def _log_inner_mass(self, side: int, up_to_edge: bool, edge: Indices, end: Indices, error: Floats) -> Floats:
        """Return log P up to EDGE or log Q from EDGE on, within a guess that ends at END, bounded on SIDE.

        Where the sums start at the ends of the support, the rounding error of the difference is added to an upper bound
        and subtracted from a lower one.
        """
        sums = (self._inner_left if up_to_edge else self._inner_right)[side]
        if self._window is not None:
            return np.asarray(sums[edge])
        hidden = sums[end] + np.log(error)
        difference = _log_difference(sums[edge], sums[end])
        return np.logaddexp(difference, hidden) if side == UPPER else _log_difference(difference, hidden)

    def _balanced_cell(self, i: Indices, j: Indices, error: Floats) -> Indices:
        """Return the first cell of each guess at whose upper end L Q <= U P, by bisection."""
        outer_side, inner_side = self._safe_sides()
        log_l, log_u = self._log_outer_masses(outer_side, i, j)
        low, high = np.array(i), np.maximum(j - 1, i)
        while np.any(low < high):
            k = (low + high) // 2
            q = self._log_inner_mass(inner_side, False, k + 1, j, error)
            p = self._log_inner_mass(inner_side, True, k + 1, i, error)
            passed = log_l + q <= log_u + p
            unsettled = low < high
            high = np.where(unsettled & passed, k, high)
            low = np.where(unsettled & ~passed, k + 1, low)
        return low

    def _safe_sides(self) -> tuple[int, int]:
        """Return the sides on which L, U and P, Q are bounded: for a rise less outside and more inside is safe."""
        return (LOWER, UPPER) if self.rises else (UPPER, LOWER)

    def _balanced_odds(self, i: Indices, j: Indices, k: Indices, error: Floats) -> tuple[Floats, Floats]:
        """Return the log of the bound on the odds against each guess, and the share theta of cell k."""
        outer_side, inner_side = self._safe_sides()
        log_l, log_u = self._log_outer_masses(outer_side, i, j)
        s, lo, hi = self.s, self.lo[k], self.hi[k]
        origin = np.where(np.isfinite(lo), lo, hi)  # distances are measured from here
        left, right = log_l - s * origin, log_u + s * origin
        p = self._log_inner_mass(inner_side, True, k, i, error) - s * origin
        q = self._log_inner_mass(inner_side, False, k + 1, j, error) + s * origin
        m = self.log_mass[k]
        across = np.where(np.isfinite(self.width[k]), s * self.width[k], math.copysign(INF, s))
        outer_scale, inner_scale = np.maximum(left, right), np.maximum.reduce([p, q, m])
        el, eu = _exp_relative(left, outer_scale), _exp_relative(right, outer_scale)
        ep, eq, em = (_exp_relative(log_mass, inner_scale) for log_mass in (p, q, m))
        grown = np.exp(across)
        # L (Q + (1 - theta) m) = U (P + theta m e^(s width))
        theta = (el * (eq + em) - eu * ep) / (em * (el + eu * grown))
        theta = np.clip(np.nan_to_num(theta, nan=0.5), 0.0, 1.0)
        by_left = left - inner_scale - np.log(ep + theta * em * grown)
        by_right = right - inner_scale - np.log(eq + (1.0 - theta) * em)
        odds = np.fmin(by_left, by_right) if self.rises else np.fmax(by_left, by_right)
        # a guess at one end of the support: the output lies at that end
        odds = np.where(log_l == -INF, log_u - self._log_inner_mass(inner_side, False, i, j, error), odds)
        odds = np.where(log_u == -INF, log_l - self._log_inner_mass(inner_side, True, j, i, error), odds)
        odds = np.where((log_l == INF) | (log_u == INF), INF, odds)
        worst = -INF if self.rises else INF
        odds = np.where(np.isnan(odds), worst, odds)
        return np.where((log_l == -INF) & (log_u == -INF), -INF, odds), theta

    def _attained(self, i: Indices, j: Indices, k: Indices, error: Floats) -> Floats:
        """Return the chance after the Laplace mechanism's output at an end of cell k, bounded from the other side."""
        outer_side, inner_side = reversed(self._safe_sides())
        log_l, log_u = self._log_outer_masses(outer_side, i, j)
        worst_odds = INF if self.rises else -INF
        best = np.full(np.shape(i), 0.0 if self.rises else 1.0)
        for edge in (k, k + 1):
            c = self.places(edge)
            wrong = np.logaddexp(log_l - self.s * c, log_u + self.s * c)
            p = self._log_inner_mass(inner_side, True, edge, i, error)
            q = self._log_inner_mass(inner_side, False, edge, j, error)
            right = np.logaddexp(p - self.s * c, q + self.s * c)
            odds = np.where(np.isnan(wrong - right), worst_odds, wrong - right)
            chance = np.where(np.isfinite(c), _chance(odds), best)
            best = np.maximum(best, chance) if self.rises else np.minimum(best, chance)
        return best


def _chance(log_odds_against: Floats) -> Floats:
    return np.asarray(1.0 / (1.0 + np.exp(log_odds_against)))


def _exp_relative(log_value: Floats, log_scale: Floats) -> Floats:
    return np.asarray(np.exp(np.minimum(log_value - log_scale, LARGEST_EXPONENT)))


def _log_difference(log_a: Floats, log_b: Floats) -> Floats:
    """Return log(e^a - e^b); -inf where nothing is left."""
    difference = log_a + np.log(-np.expm1(log_b - log_a))
    return np.where(log_b >= log_a, -INF, np.where(log_b == -INF, log_a, difference))


def _log_sums_up_to(log_cells: Floats) -> Floats:
    return np.concatenate([[-INF], np.logaddexp.accumulate(log_cells)]) if log_cells.size else np.array([-INF])


def _log_sums_from(log_cells: Floats) -> Floats:
    return np.asarray(_log_sums_up_to(log_cells[::-1])[::-1])


def _log_tilted_masses(cells: Cells, width: Floats, tilt: float) -> tuple[Floats, Floats]:
    """Return a lower and an upper bound on log E[e^(tilt t); cell] by the cell lemma.

    A cell is measured from the end with more weight, so that two large exponents never cancel: mirrored if that is its
    upper end. A cell without an end is measured from the other one.
    """
    mirrored = np.isinf(cells.lo) | ((tilt > 0.0) & np.isfinite(cells.hi))
    start = np.where(mirrored, cells.hi, cells.lo)
    first = _log_tilted_mean(
        np.where(mirrored, -tilt, tilt), np.where(mirrored, -cells.most_slope, cells.least_slope), width
    )
    second = _log_tilted_mean(
        np.where(mirrored, -tilt, tilt), np.where(mirrored, -cells.least_slope, cells.most_slope), width
    )
    empty = cells.log_mass == -INF
    lower, upper = (
        np.where(empty, -INF, cells.log_mass + tilt * start + mean)
        for mean in (np.minimum(first, second), np.maximum(first, second))
    )
    return lower, upper


def _log_tilted_mean(tilt: Floats, slope: Floats, width: Floats) -> Floats:
    """Return log E[e^(tilt y)], y in [0, width] with density proportional to e^(slope y); slope, width may be infinite.

    With y = slope width and x = tilt width it is log((e^(x+y) - 1)/(x+y)) - log((e^y - 1)/y). The large exponents are
    subtracted before they are rounded.
    """
    x, y = tilt * width, slope * width
    same_sign = np.sign(x + y) == np.sign(y)
    exponent = np.where(same_sign, np.where(y > 0.0, x, 0.0), np.maximum(x + y, 0.0) - np.maximum(y, 0.0))
    finite = exponent + _log_phi(np.abs(x + y)) - _log_phi(np.abs(y))
    finite = np.where(slope == -INF, 0.0, np.where(slope == INF, x, finite))
    diverges = np.where(tilt < 0.0, -INF, INF)
    tail = np.where((slope < 0.0) & (slope + tilt < 0.0), np.log(slope / (slope + tilt)), diverges)
    tail = np.where(slope == -INF, 0.0, tail)
    return np.where(np.isinf(width), tail, np.where(width == 0.0, 0.0, finite))


def _log_phi(x: Floats) -> Floats:
    """Return log((1 - e^-x)/x) for x >= 0."""
    return np.where(x < 1e-8, -x / 2.0, np.log(-np.expm1(-x) / np.maximum(x, 1e-300)))
