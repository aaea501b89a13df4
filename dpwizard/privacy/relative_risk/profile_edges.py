"""The exact minimum of epsilon along an edge of the box of adversaries: one prior moves, the other stays.

Every shape but a surface reduces to one or two such edges, and on each its profile is a chain of pieces on which the
ratio falls like a power of the prior. On a piece epsilon either has its minimum at an end, or falls and then rises:
G = pq (1 - x^c) + p x^c + (1 - p) x - 1/r* is, for fixed x, linear in the prior that moves apart from -1/r*, so where
1/r* is concave {epsilon <= e} is an interval, and where 1/r* is convex {epsilon >= e} is one. For 1/r* = prior^k / C
that is concave for 0 <= k <= 1 and convex otherwise (docs/methods/relative_risk.md).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from dpwizard.base.numerics import UNIT
from dpwizard.privacy.profiles import Axis, Mesh, Piece
from dpwizard.privacy.relative_risk.inverse import Inverse, limit_from
from dpwizard.privacy.relative_risk.prior_odds import (
    doubt_of,
    log_multiplier,
    multiplier_at_ridge,
    multiplier_of_cap,
    multiplier_of_increase,
    multiplier_of_ratio,
    remainder,
    safe_exp,
    slope_sign,
)

CLOSE = 4.0 * UNIT  # a prior this near an edge of the profile counts as on it: products of priors are rounded
NARROW = 1e-11  # how narrow a bracket of the logarithm of a minimiser is made; the value there is flat
ZERO = 8.0 * UNIT  # an interpolated log ratio this near 0 is 0

Along = Literal["p", "q"]


@dataclass(frozen=True, slots=True)
class Candidate:
    """Epsilon at one adversary: its value, how far rounding may have moved it, and whether it is only a limit."""

    value: float
    doubt: float
    p: float
    q: float
    limit: bool
    multiplier: float  # log theta; negative where the profile allows less than the belief held beforehand


@dataclass(frozen=True, slots=True)
class Edge:
    """The adversaries with one prior FIXED and the other, ALONG, between LOW and HIGH (0: the limit)."""

    along: Along
    fixed: float
    low: float
    high: float


def lines_of(
    mesh: Mesh, p: tuple[float, float], q: tuple[float, float]
) -> Iterator[tuple[Axis, tuple[Piece, ...], Edge]]:
    """Yield the sides of the box, each with the pieces of a surface along it.

    Outside its grid a surface of knots depends on one prior alone, so there its worst adversaries lie on a side of the
    box or on the grid's own boundary; where one prior is fixed, the side is the whole box.
    """
    if q[0] < q[1] or p[0] == p[1]:
        for fixed in sorted(set(p)):
            yield "q", mesh.along("q", fixed), Edge("q", fixed, *q)
    if p[0] < p[1]:
        for fixed in sorted(set(q)):
            yield "p", mesh.along("p", fixed), Edge("p", fixed, *p)


def minima(axis: Axis, pieces: tuple[Piece, ...], edge: Edge, inverse: Inverse) -> Iterator[Candidate]:
    """Yield every adversary on EDGE where epsilon may be smallest: the ends of the pieces and their inner minima.

    The infimum over the edge is the smallest value among them; where the profile falls below 1 on the edge, one of them
    has a negative multiplier. AXIS must be the prior that moves along the edge, or "pq" with a fixed prior above 0.
    """
    scale = edge.fixed if axis == "pq" else 1.0
    for piece in pieces:
        low, high = piece.low / scale, min(piece.high / scale, 2.0)
        start, end = max(low, edge.low), min(high, edge.high)
        if start > end * (1.0 + CLOSE):
            continue
        start, end = min(start, edge.high), max(min(start, edge.high), end)
        first = _at(axis, piece, edge, start, inverse, start == low)
        yield first
        if end > start:
            last = _at(axis, piece, edge, end, inverse, end == high)
            yield last
            # r* falls to 1 at pq = 1: epsilon falls all the way there
            at_corner = last.limit and last.p == last.q == 1.0
            inside = None if at_corner else _inside(axis, piece, edge, start, end, inverse)
            if inside is not None:
                yield inside
            elif first.limit and last.limit and abs(first.value - last.value) <= ZERO * last.value:
                # level from end to end: attained between them
                yield _at(axis, piece, edge, start + 0.5 * (end - start), inverse, False)


def _place(edge: Edge, moving: float) -> tuple[float, float]:
    return (moving, edge.fixed) if edge.along == "p" else (edge.fixed, moving)


def _at(axis: Axis, piece: Piece, edge: Edge, moving: float, inverse: Inverse, own_end: bool) -> Candidate:
    """Return epsilon where the prior that moves is MOVING; OWN_END: the piece itself ends here."""
    p, q = _place(edge, moving)
    rest = remainder(p, q)
    limit = p == 0.0 or q == 0.0
    doubt = 0.0
    if piece.formula == "cap":
        at_ridge = own_end and piece.ratio_high is not None and moving > 0.0
        if at_ridge:
            multiplier = multiplier_at_ridge(piece.level, piece.ratio_high or 1.0)
        else:
            multiplier = multiplier_of_cap(piece.level, p, q)
    elif piece.formula == "increase":
        multiplier = multiplier_of_increase(piece.level, p, q)
    elif piece.formula == "odds":
        multiplier = piece.level
        if rest == 0.0 and edge.low < edge.high:
            return Candidate(_corner(multiplier, edge, inverse), 0.0, p, q, True, multiplier)
        multiplier = math.inf if rest == 0.0 else multiplier  # r* = 1 there, and nothing can be learned
    else:
        given = piece.level if piece.formula == "ratio" else _given(piece, moving if axis != "pq" else p * q)
        if given is not None:
            log_ratio, multiplier = math.log(given) if given > 0.0 else -math.inf, multiplier_of_ratio(given, p, q)
        else:
            log_ratio, doubt = _log_ratio(axis, piece, moving, edge.fixed)
            multiplier = log_multiplier(log_ratio, _log(p) + _log(q), rest)
        if rest == 0.0 and log_ratio == 0.0 and edge.low < edge.high:  # r* falls to 1 just where pq reaches 1
            multiplier = -math.log1p(-piece.exponent) if piece.exponent < 1.0 else math.inf  # the limit of log theta
            return Candidate(_corner(multiplier, edge, inverse), 0.0, p, q, True, multiplier)
        doubt += 4.0 * UNIT
        room = -math.expm1(log_ratio + _log(p) + _log(q)) if log_ratio < 700.0 and not limit else 1.0
        doubt = doubt / room if given is None and room > 0.0 else 0.0
    found = limit_from(multiplier, p, q, inverse)
    if not math.isinf(found) and not limit:
        theta = safe_exp(multiplier)  # r* = theta / (1 - pq + theta pq)
        doubt += doubt_of(inverse.losses(found)[0], theta / (rest + theta * p * q), p, q)
    if not math.isinf(found):
        doubt = inverse.doubt(found, doubt)
    return Candidate(found, doubt, p, q, limit, multiplier)


def _corner(multiplier: float, edge: Edge, inverse: Inverse) -> float:
    """Return the limit of epsilon as pq reaches 1 along EDGE: w = 1 along p = 1, w = 0 along q = 1."""
    if math.isinf(multiplier) or multiplier <= 0.0:
        return max(multiplier, 0.0)
    return inverse.solve(multiplier, 1.0, 0.0) if edge.along == "q" else inverse.solve(multiplier, 0.0, 1.0)


def _log(x: float) -> float:
    return math.log(x) if x > 0.0 else -math.inf


def _given(piece: Piece, prior: float) -> float | None:
    """Return the ratio given at PRIOR if the piece ends there, so that nothing is interpolated."""
    if piece.ratio_low is not None and abs(prior - piece.low) <= CLOSE * piece.low:
        return piece.ratio_low
    if piece.ratio_high is not None and abs(prior - piece.high) <= CLOSE * piece.high:
        return piece.ratio_high
    return None


def _log_ratio(axis: Axis, piece: Piece, moving: float, fixed: float) -> tuple[float, float]:
    """Return the interpolated log ratio and a bound on its rounding error."""
    log_prior = _log(moving) + (_log(fixed) if axis == "pq" else 0.0)
    if piece.exponent == 0.0:
        return piece.level, 4.0 * UNIT * abs(piece.level)
    if math.isinf(log_prior):
        return math.copysign(math.inf, piece.exponent), 0.0
    fall = piece.exponent * log_prior
    found, error = piece.level - fall, 4.0 * UNIT * (abs(piece.level) + abs(fall))
    return (0.0 if abs(found) <= error else found), error


def _inside(axis: Axis, piece: Piece, edge: Edge, start: float, end: float, inverse: Inverse) -> Candidate | None:
    """Return the minimum strictly inside a piece on which epsilon falls and then rises; None if there is none."""
    if piece.formula == "power":
        if not 0.0 < piece.exponent < 1.0:
            return None
    elif piece.formula != "increase" or piece.level in (0.0, 1.0):
        return None
    log_fixed, from_product = _log(edge.fixed), axis == "pq"
    if edge.fixed == 0.0 and edge.along == "q":
        return None  # there epsilon = log r*, which falls all the way

    def look(log_moving: float) -> tuple[float, float]:
        """Return epsilon and the sign of its slope."""
        log_p, log_q = (log_moving, log_fixed) if edge.along == "p" else (log_fixed, log_moving)
        moving = math.exp(log_moving)
        p, q = _place(edge, moving)
        if piece.formula == "increase":
            log_ratio = _log1p_exp(math.log(piece.level) - log_p - log_q)
            exponent = -math.expm1(-log_ratio)  # 1 - 1/r* = b/(s + b)
            multiplier = multiplier_of_increase(piece.level, p, q)
        else:
            exponent = piece.exponent
            log_ratio = piece.level - exponent * (log_p + log_q if from_product else log_moving)
            multiplier = log_multiplier(log_ratio, log_p + log_q, remainder(p, q))
        found = limit_from(max(multiplier, 0.0), p, q, inverse)
        return found, slope_sign(inverse.losses(found), log_ratio, log_p, log_q, exponent, edge.along)

    return _bottom(look, start, end, edge, inverse)


def _log1p_exp(x: float) -> float:
    return x + math.log1p(math.exp(-x)) if x > 0.0 else math.log1p(math.exp(x))


def _bottom(
    look: Callable[[float], tuple[float, float]], start: float, end: float, edge: Edge, inverse: Inverse
) -> Candidate | None:
    """Return where the slope changes from falling to rising in (START, END), by bisection on its sign."""
    high = math.log(end)
    if look(high)[1] <= 0.0:
        return None
    if start > 0.0:
        low = math.log(start)
        if look(low)[1] >= 0.0:
            return None
    else:
        width = 1.0
        low = high - width
        while look(low)[1] > 0.0:
            high, width = low, 2.0 * width
            low = high - width
            if width > 1e12:
                return None
    value = math.inf
    while high - low > NARROW * max(1.0, abs(low)):
        middle = low + 0.5 * (high - low)
        if not low < middle < high:
            break
        value, sign = look(middle)
        low, high = (low, middle) if sign > 0.0 else (middle, high)
    middle = low + 0.5 * (high - low)
    value = look(middle)[0]
    p, q = _place(edge, math.exp(middle))
    doubt = inverse.doubt(value, 16.0 * UNIT * (1.0 + inverse.losses(value)[0]))
    return Candidate(value, doubt, p, q, edge.fixed == 0.0, value)
