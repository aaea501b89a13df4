"""What a pair of worlds tells, by listing every output with its exact chances: fractions, no lattice, no transforms.

Chances are fractions with 50 digits of e^x, and outputs below 1e-60 are left out: the oracle of the accountant.
"""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Context, Decimal
from fractions import Fraction
from itertools import pairwise

CONTEXT = Context(prec=50)
NONE = Fraction(0)
ONE = Fraction(1)
LEAST = Fraction(1, 10**40)

Atom = tuple[Fraction, Fraction]  # the chances of an output in P and in Q
Pair = list[Atom]


def exp(x: Fraction) -> Fraction:
    decimal = CONTEXT.divide(Decimal(x.numerator), Decimal(x.denominator))
    return Fraction(CONTEXT.exp(decimal))


def discrete_gaussian(sigma: float, move: int) -> Pair:
    square = 2 * Fraction(sigma) ** 2
    reach = int(15 * sigma) + move + 3
    weights = {k: exp(-Fraction(k * k) / square) for k in range(-reach - move, reach + 1)}
    total = sum(weights.values())
    return [(weights[k] / total, weights.get(k + move, NONE) / total) for k in range(-reach, reach - move + 1)]


def geometric(rate: float, move: int) -> Pair:
    a = exp(-Fraction(rate))
    inner = [((1 - a) * a**k / (1 + a), (1 - a) * a ** (move - k) / (1 + a)) for k in range(1, move)]
    return [(1 / (1 + a), a**move / (1 + a)), *inner, (a**move / (1 + a), 1 / (1 + a))]


def stated(epsilon: float, delta: float) -> Pair:
    """Return randomised response at EPSILON, with an output of chance DELTA in either world that gives it away."""
    e = exp(Fraction(epsilon))
    rest = ONE - Fraction(delta)
    return [
        (Fraction(delta), NONE),
        (rest * e / (1 + e), rest / (1 + e)),
        (rest / (1 + e), rest * e / (1 + e)),
        (NONE, Fraction(delta)),
    ]


def together(pairs: Iterable[Pair]) -> Pair:
    """Return the pair of independent releases, outputs of one ratio joined."""
    result: Pair = [(ONE, ONE)]
    for pair in pairs:
        joined: dict[Fraction | None, Atom] = {}
        for p, q in result:
            for p2, q2 in pair:
                one, two = p * p2, q * q2
                if max(one, two) < LEAST:
                    continue
                ratio = one / two if two else None
                before = joined.get(ratio, (NONE, NONE))
                joined[ratio] = (before[0] + one, before[1] + two)
        result = list(joined.values())
    return result


def _ratio(atom: Atom) -> Fraction:
    return atom[0] / atom[1] if atom[1] else Fraction(10**4000)


def corners(pair: Pair) -> list[Atom]:
    """Return the corners (P(A), Q(A)) of the best events, from the outputs of the largest ratio on."""
    found, p, q = [(NONE, NONE)], NONE, NONE
    for atom in sorted(pair, key=_ratio, reverse=True):
        p, q = p + atom[0], q + atom[1]
        found.append((p, q))
    return found


def worst(pairs: Iterable[Pair]) -> Pair:
    """Return the pair that tells as much as PAIRS, of which one is true: its best events are the hull of all of them.

    The largest delta of several pairs is the support function of the union of their regions of (P(A), Q(A)).
    """
    every = sorted({corner for pair in pairs for corner in corners(pair)}, key=lambda corner: (corner[1], -corner[0]))
    hull = [(NONE, NONE)]
    for p, q in every:
        if p <= hull[-1][0]:
            continue
        while len(hull) > 1 and not _falls(hull[-2], hull[-1], (p, q)):
            hull.pop()
        hull.append((p, q))
    hull.append((hull[-1][0], every[-1][1]))  # what only the other world can show
    return [(p2 - p, q2 - q) for (p, q), (p2, q2) in pairwise(hull)]


def _falls(before: Atom, here: Atom, after: Atom) -> bool:
    """Return whether P rises more slowly in Q after HERE than before it."""
    return (here[0] - before[0]) * (after[1] - here[1]) > (after[0] - here[0]) * (here[1] - before[1])


def delta(pair: Pair, epsilon: float) -> float:
    e = exp(Fraction(epsilon))
    return float(sum((max(NONE, p - e * q) for p, q in pair), NONE))


def fpr(pair: Pair, tpr: float) -> float:
    hit = Fraction(tpr)
    found = corners(pair)
    for (p, q), (p2, q2) in pairwise(found):
        if p <= hit <= p2 and p2 > p:
            return float(q + (q2 - q) * (hit - p) / (p2 - p))
    return float(found[-1][1])


def tpr(pair: Pair, fpr: float) -> float:
    alarm = Fraction(fpr)
    found = corners(pair)
    best = NONE
    for (p, q), (p2, q2) in pairwise(found):
        if q2 <= alarm:
            best = p2
        elif q <= alarm:
            return float(p + (p2 - p) * (alarm - q) / (q2 - q))
    return float(best)


def accuracy(pair: Pair, prior: float) -> float:
    w = Fraction(prior)
    return float(sum((max(w * p, (1 - w) * q) for p, q in pair), NONE))


def ratio(pair: Pair, but_for: float) -> float:
    hit, found = Fraction(but_for), corners(pair)
    for (p, q), (p2, q2) in pairwise(found):
        if p <= hit <= p2 and p2 > p:
            alarm = q + (q2 - q) * (hit - p) / (p2 - p)
            return float(hit / alarm) if alarm else float("inf")
    return 1.0


def share_above(pair: Pair, most: float) -> float:
    """Return the least share b with P(A) <= MOST Q(A) for every event of P(A) >= b."""
    r, found = Fraction(most), corners(pair)
    for (p, q), (p2, q2) in pairwise(found):
        before, after = p - r * q, p2 - r * q2
        if before > 0 >= after:
            return float(p + (p2 - p) * before / (before - after))
    return 0.0 if found[1][0] <= r * found[1][1] else 1.0
