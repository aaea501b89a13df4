"""A surface of knots as the certified search sees it: what it guarantees on a cell of priors.

Its log ratio L is bilinear in u = log p and v = log q on every cell.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import UNIT
from dpwizard.privacy.profiles import Mesh
from dpwizard.privacy.relative_risk.inverse import Inverse
from dpwizard.privacy.relative_risk.profile_search import Array, Bounds, Cells, Mask, multipliers_of

MARGIN = 64.0 * UNIT  # the second-order test asks for this much more than 0, relative to its terms
SWEEPS = 4  # Newton steps towards the bottom of a cell


class Grid:
    """A surface of knots, cut into cells by its own lines; constant outside them."""

    def __init__(self, mesh: Mesh) -> None:
        self.size = 16
        self.p, self.q = np.array(mesh.p), np.array(mesh.q)
        self.u, self.v, self.levels = np.log(self.p), np.log(self.q), np.log(np.array(mesh.ratios))

    def cells(self, p: tuple[float, float], q: tuple[float, float]) -> Cells:
        """Return the box cut along the lines of the grid."""
        rows = np.unique([p[0], *self.p[(self.p > p[0]) & (self.p < p[1])], p[1]])
        columns = np.unique([q[0], *self.q[(self.q > q[0]) & (self.q < q[1])], q[1]])
        if len(rows) == 1:
            rows = np.repeat(rows, 2)
        if len(columns) == 1:
            columns = np.repeat(columns, 2)
        low_p, low_q = np.meshgrid(rows[:-1], columns[:-1], indexing="ij")
        high_p, high_q = np.meshgrid(rows[1:], columns[1:], indexing="ij")
        return Cells(low_p.ravel(), high_p.ravel(), low_q.ravel(), high_q.ravel())

    def _patch(self, p: Array, q: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return u and v clipped to the grid, the patch they fall in (from below), and the parts across it."""
        u, v = np.clip(np.log(p), self.u[0], self.u[-1]), np.clip(np.log(q), self.v[0], self.v[-1])
        return u, v, *_place(self.u, u), *_place(self.v, v)

    def _log_ratio(self, p: Array, q: Array) -> Array:
        _, _, i, s, j, t = self._patch(p, q)
        a, b = i.astype(int), j.astype(int)
        a1, b1 = np.minimum(a + 1, len(self.u) - 1), np.minimum(b + 1, len(self.v) - 1)
        low = (1.0 - t) * self.levels[a, b] + t * self.levels[a, b1]
        high = (1.0 - t) * self.levels[a1, b] + t * self.levels[a1, b1]
        level: Array = (1.0 - s) * low + s * high
        return level

    def bounds(self, cells: Cells, inverse: Inverse) -> Bounds:
        corners = [(p, q) for p in (cells.p0, cells.p1) for q in (cells.q0, cells.q1)]
        levels = [self._log_ratio(p, q) for p, q in corners]  # bilinear on a cell: every extreme is at a corner
        priors = [np.log(p) + np.log(q) for p, q in corners]
        slopes = [np.where(prior < 0.0, level / -prior, np.inf) for level, prior in zip(levels, priors, strict=True)]
        slopes = [np.where(np.isneginf(prior), 0.0, slope) for slope, prior in zip(slopes, priors, strict=True)]
        return Bounds(
            np.minimum.reduce(levels),
            np.minimum.reduce([level + prior for level, prior in zip(levels, priors, strict=True)]),
            by_slope(np.minimum.reduce(slopes), -priors[-1]),
            self._at_certainty(cells, levels, inverse),
        )

    def _at_certainty(self, cells: Cells, levels: list[Array], inverse: Inverse) -> Array:
        """Return a bound for the cell that reaches p = q = 1 where r* is 1 there; 0 elsewhere.

        With L >= -k u - m v on the cell, 0 <= k, m <= 1: 1 - r*^-1 >= k (1-p) + m p (1-q), so that
        w x2 + v x1 = 1/theta <= (1-m) w + (1-k) v, and either x2 is at most 1-m or x1 at most 1-k.
        """
        least = np.zeros(len(cells))
        top = (cells.p1 == 1.0) & (cells.q1 == 1.0) & (levels[3] == 0.0) & (cells.p0 > 0.0) & (cells.q0 > 0.0)
        for n in np.flatnonzero(top):
            u, v = math.log(cells.p0[n]), math.log(cells.q0[n])
            if u == 0.0 or v == 0.0:
                continue
            k, m = -levels[1][n] / u, -levels[2][n] / v
            twist = (levels[0][n] + k * u + m * v) / (u * v)
            m = m - max(-twist, 0.0) * -u
            if k < 0.0 or m < 0.0:
                continue
            least[n] = min(
                inverse.solve(-math.log1p(-m), 1.0, 0.0) if m < 1.0 else math.inf,
                inverse.solve(-math.log1p(-k), 0.0, 1.0) if k < 1.0 else math.inf,
            )
        return least

    def multipliers(self, p: Array, q: Array) -> Array:
        return multipliers_of(self._log_ratio(p, q), p, q)

    def clear(self, cells: Cells, target: float, inverse: Inverse) -> tuple[Mask, Array, Array]:
        """Return which cells surely hold no budget below TARGET, by second derivatives, and a promising point in each.

        At TARGET, g(u, v) = pq (1 - x2) - p (x1 - x2) + x1 - e^-L is at least 0 exactly where the budget is.
        From a point y near its bottom, g >= g(y) + grad g(y) . d + 1/2 d' H d with H the least Hessian on the cell.
        """
        inside = (cells.p0 > 0.0) & (cells.q0 > 0.0)
        p0, q0 = np.where(inside, cells.p0, 0.5 * cells.p1), np.where(inside, cells.q0, 0.5 * cells.q1)
        u0, u1, v0, v1 = np.log(p0), np.log(cells.p1), np.log(q0), np.log(cells.q1)
        absent, other, apart = inverse.losses(target)
        gain = -math.expm1(-other)  # 1 - x2
        loss = math.copysign(math.exp(-min(absent, other)) * -math.expm1(-abs(apart)), apart)  # x1 - x2
        middle_p, middle_q = np.exp(0.5 * (u0 + u1)), np.exp(0.5 * (v0 + v1))
        _, _, i, _, j, _ = self._patch(middle_p, middle_q)
        at_u, at_v, level, by_u, by_v, twist = self._bilinear(i.astype(int), j.astype(int), middle_p, middle_q)

        def look(u: Array, v: Array) -> tuple[Array, ...]:
            """Return g, its gradient and its Hessian."""
            a, b = u - at_u, v - at_v
            rate_u, rate_v = by_u + twist * b, by_v + twist * a  # the derivatives of L
            ratio = level + by_u * a + by_v * b + twist * a * b
            both, first, inverse = gain * np.exp(u + v), loss * np.exp(u), np.exp(-ratio)
            # x1 - 1/r*, with all digits where both are near 1
            value = both - first + math.expm1(-absent) - np.expm1(-ratio)
            spread = np.abs(level) + np.abs(by_u * a) + np.abs(by_v * b) + np.abs(twist * a * b)
            size = both + np.abs(first) - math.expm1(-absent) - np.expm1(-ratio) + inverse * spread
            gradient = both - first + rate_u * inverse, both + rate_v * inverse
            hessian = (
                both - first - rate_u**2 * inverse,
                both - rate_v**2 * inverse,
                both + (twist - rate_u * rate_v) * inverse,
            )
            return value, size, *gradient, *hessian

        u, v = 0.5 * (u0 + u1), 0.5 * (v0 + v1)
        for _ in range(SWEEPS):
            _, _, gu, gv, huu, hvv, huv = look(u, v)
            u, v = _descend(u, v, gu, gv, huu, hvv, huv, (u0, u1, v0, v1))
        value, size, gu, gv, *_ = look(u, v)
        # the least Hessian on the cell, term by term
        rates_u = [by_u + twist * (end - at_v) for end in (v0, v1)]
        rates_v = [by_v + twist * (end - at_u) for end in (u0, u1)]
        corners = [
            level + by_u * a + by_v * b + twist * a * b for a in (u0 - at_u, u1 - at_u) for b in (v0 - at_v, v1 - at_v)
        ]
        most, fewest = np.exp(-np.minimum.reduce(corners)), np.exp(-np.maximum.reduce(corners))
        square_u, square_v = (np.maximum(*(rate**2 for rate in rates)) for rates in (rates_u, rates_v))
        products = [twist - a * b for a in rates_u for b in rates_v]
        low_product, high_product = np.minimum.reduce(products), np.maximum.reduce(products)
        low_both, high_both = gain * np.exp(u0 + v0), gain * np.exp(u1 + v1)
        fall = loss * np.exp(u1) if loss > 0.0 else loss * np.exp(u0)
        curve_u, curve_v = low_both - fall - square_u * most, low_both - square_v * most
        cross = np.maximum(
            np.abs(high_both + np.maximum(high_product * most, high_product * fewest)),
            np.abs(low_both + np.minimum(low_product * most, low_product * fewest)),
        )
        convex = (curve_u > 0.0) & (curve_v > 0.0)
        balance = np.where(
            convex, np.sqrt(np.where(convex, curve_u / curve_v, 1.0)), (v1 - v0) / np.maximum(u1 - u0, 1e-300)
        )
        balance = np.clip(balance, 1e-150, 1e150)
        least = (
            value
            + _least(gu, curve_u - cross * balance, u0 - u, u1 - u)
            + _least(gv, curve_v - cross / balance, v0 - v, v1 - v)
        )
        reach = np.abs(gu) * (u1 - u0) + np.abs(gv) * (v1 - v0)
        cleared = inside & (least > MARGIN * (size + reach))
        return cleared, np.clip(np.exp(u), cells.p0, cells.p1), np.clip(np.exp(v), cells.q0, cells.q1)

    def _bilinear(
        self, i: NDArray[np.int_], j: NDArray[np.int_], p: Array, q: Array
    ) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Return each patch's corner, and L with its derivatives: by u, by v, mixed; 0 along clipped sides."""
        i1, j1 = np.minimum(i + 1, len(self.u) - 1), np.minimum(j + 1, len(self.v) - 1)
        in_u = (i1 > i) & (p >= self.p[0]) & (p <= self.p[-1])
        in_v = (j1 > j) & (q >= self.q[0]) & (q <= self.q[-1])
        over_u, over_v = p > self.p[-1], q > self.q[-1]
        a, b = np.where(over_u, i1, i), np.where(over_v, j1, j)
        wide, tall = np.where(in_u, self.u[i1] - self.u[i], 1.0), np.where(in_v, self.v[j1] - self.v[j], 1.0)
        level = self.levels[a, b]
        by_u = np.where(in_u, (self.levels[i1, b] - self.levels[i, b]) / wide, 0.0)
        by_v = np.where(in_v, (self.levels[a, j1] - self.levels[a, j]) / tall, 0.0)
        corner = self.levels[i1, j1] - self.levels[i, j1] - self.levels[i1, j] + self.levels[i, j]
        return self.u[a], self.v[b], level, by_u, by_v, np.where(in_u & in_v, corner / (wide * tall), 0.0)


def _place(line: Array, x: Array) -> tuple[Array, Array]:
    """Return the knot under each X (the last but one at most) and how far X is on the way to the next."""
    i = np.clip(np.searchsorted(line, x, side="right") - 1, 0, max(len(line) - 2, 0))
    i1 = np.minimum(i + 1, len(line) - 1)
    return i.astype(float), np.where(i1 > i, (x - line[i]) / np.where(i1 > i, line[i1] - line[i], 1.0), 0.0)


def _descend(
    u: Array, v: Array, gu: Array, gv: Array, huu: Array, hvv: Array, huv: Array, box: tuple[Array, Array, Array, Array]
) -> tuple[Array, Array]:
    """Return the next point towards the bottom: Newton's step where downhill and inside, else one side at a time."""
    u0, u1, v0, v1 = box
    determinant = huu * hvv - huv * huv
    newton = (huu > 0.0) & (determinant > 0.0)
    scale = np.where(newton, determinant, 1.0)
    to_u, to_v = u - (hvv * gu - huv * gv) / scale, v - (huu * gv - huv * gu) / scale
    newton &= (to_u >= u0) & (to_u <= u1) & (to_v >= v0) & (to_v <= v1)
    alone_u = np.clip(np.where(huu > 0.0, u - gu / np.where(huu > 0.0, huu, 1.0), np.where(gu > 0.0, u0, u1)), u0, u1)
    left = gv + huv * (alone_u - u)  # the slope along v after that step
    alone_v = np.clip(
        np.where(hvv > 0.0, v - left / np.where(hvv > 0.0, hvv, 1.0), np.where(left > 0.0, v0, v1)), v0, v1
    )
    return np.where(newton, to_u, alone_u), np.where(newton, to_v, alone_v)


def _least(slope: Array, curve: Array, low: Array, high: Array) -> Array:
    """Return the least of slope d + curve d^2 / 2 over low <= d <= high."""
    ends = np.minimum(slope * low + 0.5 * curve * low**2, slope * high + 0.5 * curve * high**2)
    bottom = np.clip(-slope / np.where(curve > 0.0, curve, 1.0), low, high)
    return np.where(curve > 0.0, np.minimum(ends, slope * bottom + 0.5 * curve * bottom**2), ends)


def by_slope(slope: Array, room: Array) -> Array:
    """Return a bound on log theta where log r* >= SLOPE t for every t = -log(pq) >= ROOM on the cell.

    theta >= 1/(1 - y), y = (1 - e^-kt)/(1 - e^-t) with k the slope: y grows with t and tends to k at 0. inf from slope
    1 on.
    """
    share = np.where(room > 0.0, np.expm1(-slope * room) / np.expm1(-np.where(room > 0.0, room, 1.0)), slope)
    return np.where(slope >= 1.0, np.inf, np.where(slope > 0.0, -np.log1p(-np.minimum(share, 1.0 - UNIT)), 0.0))
