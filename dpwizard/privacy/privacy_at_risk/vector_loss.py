"""The loss of several numbers with independent Laplace noise: exact where its law has few knots, bounded elsewhere.

Coordinate i loses a_i with probability 1/2, -a_i with e^(-a_i)/2, and has density e^((l-a_i)/2)/4 between. Weighted by
e^(-l/2) that is symmetric, with transform e^(-a_i/2) [e^(a_i S)(1/2 + 1/(4S)) + e^(-a_i S)(1/2 - 1/(4S))]. In the
product of n such factors a sign pattern with R minus signs contributes, at its knot K = sum of +-a_i, the polynomial
2^-n (1+t)^(n-R) (1-t)^R in t = 1/(2S), and S^-j stands for (K - l)^(j-1)/(j-1)! below the knot. With x = K - epsilon >
0 and V_j(x) = sum over m of x^(j+2m)/((j+2m)! 4^m), S^-j turned into V_j in the polynomials,

    delta(epsilon)      = e^(epsilon/2) sum V_(j+1)
    P(|loss| > epsilon) = 2 cosh(epsilon/2) sum V_j + sinh(epsilon/2) sum V_(j+1).

The signs alternate and the terms cancel, so the sums are taken in decimal arithmetic of as many digits as needed: the
sum of the absolute terms says how many digits were lost.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal, localcontext
from fractions import Fraction

from dpwizard.base.errors import SolverFailure
from dpwizard.base.numerics import decimal
from dpwizard.privacy.privacy_at_risk.lattice_loss import lattice_hockey_stick, lattice_within

MOST_KNOTS = 40_000  # sign patterns told apart by their knot and their number of minus signs
MOST_TERMS = 600_000
ENOUGH = Decimal(10) ** -18  # relative error wanted
TINIEST = Decimal(10) ** -330  # what is smaller is 0 as a float
FIRST_DIGITS = 60
MOST_DIGITS = 20_000

Knots = dict[tuple[Fraction, int], int]


def vector_hockey_stick(levels: Sequence[float], epsilon: float) -> float:
    """Return delta(EPSILON) = E[(1 - e^(epsilon - L))+], to 1e-15 relative; an upper bound for too many knots."""
    exact, sure = _shortcut(levels, epsilon)
    if sure is not None:
        return 1.0 - sure
    knots = _knots(exact, decimal(epsilon))
    if knots is None:
        return lattice_hockey_stick([float(a) for a in exact], epsilon)
    return _summed(exact, decimal(epsilon), knots, two_sided=False)


def vector_within(levels: Sequence[float], epsilon: float) -> float:
    """Return P(|L| <= EPSILON); to 1e-15 relative, or a lower bound where there are too many knots."""
    exact, sure = _shortcut(levels, epsilon)
    if sure is not None:
        return sure
    knots = _knots(exact, decimal(epsilon))
    if knots is None:
        return lattice_within([float(a) for a in exact], epsilon)
    return _summed(exact, decimal(epsilon), knots, two_sided=True)


def _shortcut(levels: Sequence[float], epsilon: float) -> tuple[tuple[Fraction, ...], float | None]:
    """Return the positive levels as decimals, and the confidence if surely 1 or below e^-760 (delta is then 0 or 1)."""
    if math.isinf(epsilon):
        return (), 1.0
    if any(math.isinf(a) for a in levels):
        return (), 0.0
    exact = tuple(sorted((decimal(a) for a in levels if a > 0.0), reverse=True))
    if sum(exact) <= decimal(epsilon):
        return exact, 1.0
    # E[e^(-L/2)] = prod e^(-a/2) (1 + a/2), so 1 - delta and the confidence are at most e^(epsilon/2) times that
    spare = float(min(sum(exact) - decimal(epsilon), Fraction(10) ** 300)) / 2
    if spare - math.fsum(math.log1p(float(a) / 2) for a in exact) > 760.0:
        return exact, 0.0
    return exact, None


def _knots(levels: Sequence[Fraction], epsilon: Fraction) -> Knots | None:
    """Return the sign patterns that lead to each (knot above EPSILON, number of minus signs); None if too many."""
    most = min(MOST_KNOTS, MOST_TERMS // (len(levels) + 2))
    knots: Knots = {(sum(levels, Fraction(0)), 0): 1}
    for level in levels:
        grown = dict(knots)
        for (knot, minus), times in knots.items():
            below = knot - 2 * level
            if below > epsilon:  # later coordinates only lower it
                grown[below, minus + 1] = grown.get((below, minus + 1), 0) + times
        knots = grown
        if len(knots) > most:
            return None
    return knots


def _summed(levels: Sequence[Fraction], epsilon: Fraction, knots: Knots, two_sided: bool) -> float:
    digits = FIRST_DIGITS
    while digits <= MOST_DIGITS:
        value, error = _at_precision(levels, epsilon, knots, two_sided, digits)
        if error <= max(ENOUGH * abs(value), TINIEST):
            return min(1.0, max(0.0, float(value)))
        lost = error.adjusted() - (value.adjusted() if value else -330)
        digits = max(2 * digits, min(digits + lost + 25, MOST_DIGITS)) if lost < 10 * digits else 4 * digits
    raise SolverFailure(
        "the loss of this vector could not be computed to enough digits", "levels", "Report this input."
    )


def _at_precision(
    levels: Sequence[Fraction], epsilon: Fraction, knots: Knots, two_sided: bool, digits: int
) -> tuple[Decimal, Decimal]:
    """Return delta or the two-sided confidence in decimals of DIGITS digits, and a bound on the error."""
    n = len(levels)
    with localcontext() as context:
        context.prec = digits
        context.Emin, context.Emax = -(10**12), 10**12
        by_knot: dict[Fraction, list[tuple[int, int]]] = {}
        for (knot, minus), times in knots.items():
            by_knot.setdefault(knot, []).append((minus, times))
        coefficients: dict[int, tuple[Decimal, ...]] = {}
        even = odd = absolute = Decimal(0)
        for knot, patterns in by_knot.items():
            values = _powers(_as_decimal(knot - epsilon), n + 1, digits)
            for minus, times in patterns:
                if minus not in coefficients:
                    coefficients[minus] = _coefficients(n, minus)
                row = coefficients[minus]
                if two_sided:
                    even += times * sum((c * v for c, v in zip(row, values, strict=False)), Decimal(0))
                odd += times * sum((c * v for c, v in zip(row, values[1:], strict=True)), Decimal(0))
                absolute += times * sum(
                    (abs(c) * (v + w) for c, v, w in zip(row, values, values[1:], strict=False)), Decimal(0)
                )
        total = sum(levels, Fraction(0))
        near, far = _exp((epsilon - total) / 2), _exp(-(epsilon + total) / 2)
        value = near * odd
        error = 2 * near * absolute * (20 * n + 200) * Decimal(10) ** (1 - digits)
        if two_sided:
            value = 1 - (near + far) * even - (near - far) / 2 * odd
            error += Decimal(10) ** (2 - digits)
        return value, error


def _exp(x: Fraction) -> Decimal:
    """Return e^x; 0 below e^-1000000, which no later factor brings back."""
    return _as_decimal(x).exp() if x > -1_000_000 else Decimal(0)


def _as_decimal(value: Fraction | int) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)


def _coefficients(n: int, minus: int) -> tuple[Decimal, ...]:
    """Return 2^-n times the coefficients of (1+t)^(n-R) (1-t)^R, that of t^j divided by 2^j."""
    row = [1]
    for sign in [1] * (n - minus) + [-1] * minus:
        row = [a + sign * b for a, b in zip([*row, 0], [0, *row], strict=True)]
    return tuple(Decimal(c) / Decimal(2 ** (n + j)) for j, c in enumerate(row))


def _powers(x: Decimal, last: int, digits: int) -> list[Decimal]:
    """Return V_0(x) .. V_LAST(x); downwards V_j = x^j/j! + V_(j+2)/4 adds positive terms only."""
    terms = [Decimal(1)]
    for j in range(1, last + 1):
        terms.append(terms[-1] * x / j)
    values = list(terms)
    small = Decimal(10) ** -digits
    for j in (last, last - 1):
        total = part = terms[j]
        m = j
        while part > small * total:
            part = part * x * x / (4 * (m + 1) * (m + 2))
            total += part
            m += 2
        values[j] = total
    for j in range(last - 2, -1, -1):
        values[j] = terms[j] + values[j + 2] / 4
    return values
