"""What a linear release T = A x + noise says about x, worked out in whole numbers so that nothing is lost to rounding.

Covariances, matrices and noise are read as the decimals they are written as, scaled by powers of two, and held
as whole multiples of 2^-bits with at least 320 bits. Whether a value is disclosed is then a question about exact
numbers; only entries written with fifteen digits or more (thirds, square roots) count as rounded, and what their
last digit could change counts as zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import UNIT, decimal

Rows = Sequence[Sequence[float]]

BITS = 320
GUARD = 160  # a variance of at most 2^GUARD units is zero: what the divisions have rounded away
LAST_DIGIT = 4 * UNIT  # how far a number written with many digits may be from the one meant, relative
MARGIN = 16.0
SYMMETRY = 1e-12
NEGATIVE = 1e-10  # an eigenvalue of a correlation matrix below -NEGATIVE is no rounding


@dataclass(frozen=True, kw_only=True)
class Learned:
    """What the release says: for each x_i the variance left, and the innovations that carry the rest.

    All in scaled whole numbers: variance[i] (prior), left[i] (after the release; 0 if disclosed), loads[p][i]
    the covariance of innovation p with x_i, powers[p] its variance, moves[p] its value; unit is 2^bits.
    """

    unit: int
    variance: tuple[int, ...]
    left: tuple[int, ...]
    loads: tuple[tuple[int, ...], ...]
    powers: tuple[int, ...]
    moves: tuple[int, ...]
    deviations: tuple[int, ...]

    def share_known(self, i: int) -> float:
        """Return R_i^2, the squared multiple correlation of x_i with the release."""
        return (self.variance[i] - self.left[i]) / self.variance[i]

    def surprise(self) -> Fraction:
        """Return M^2, the squared Mahalanobis distance of the output under the adversary's prediction."""
        return sum((Fraction(y * y, d * self.unit) for y, d in zip(self.moves, self.powers, strict=True)), Fraction(0))

    def errors_before_and_after(self, i: int) -> tuple[Fraction, Fraction]:
        """Return the squared errors of the prior and posterior means of x_i, each in its own variances."""
        x = self.deviations[i]
        shift = sum(load[i] * y // d for load, y, d in zip(self.loads, self.moves, self.powers, strict=True))
        return Fraction(x * x, self.variance[i] * self.unit), Fraction((x - shift) ** 2, self.left[i] * self.unit)


def learn(
    covariance: Rows,
    matrix: Rows,
    noise: Rows | None,
    deviations: Sequence[Fraction],
    innovation: Sequence[Fraction] | None,
    where: str,
) -> Learned:
    """Return what the output says about x.

    Arguments: covariance of x (n x n), matrix A (m x n), noise covariance (m x m) or None; deviations x - mean;
    innovation, output minus A mean, or None for A (x - mean); where, the argument to name if that output
    cannot occur. Raises InvalidInput then.
    """
    n, m = len(covariance), len(matrix)
    sigma, a = _fractions(covariance), _fractions(matrix)
    eta = _fractions(noise) if noise is not None else [[Fraction(0)] * m for _ in range(m)]
    columns = [_half_exponent(sigma[i][i]) for i in range(n)]
    rows = [_row_exponent(a[r], columns, eta[r][r]) for r in range(m)]
    scaled_sigma = [[_shift(sigma[i][j], -columns[i] - columns[j]) for j in range(n)] for i in range(n)]
    scaled_a = [[_shift(a[r][j], columns[j] - rows[r]) for j in range(n)] for r in range(m)]
    scaled_noise = [[_shift(eta[r][s], -rows[r] - rows[s]) for s in range(m)] for r in range(m)]
    spread = max(
        (-_exponent(q) for part in (scaled_sigma, scaled_a, scaled_noise) for row in part for q in row if q), default=0
    )
    bits = BITS + 2 * max(0, spread)
    unit = 1 << bits
    S, A, N = _whole(scaled_sigma, bits), _whole(scaled_a, bits), _whole(scaled_noise, bits)
    x = np.array([_units(_shift(q, -columns[i]), bits) for i, q in enumerate(deviations)], dtype=object)
    loads = A.dot(S) >> bits
    predicted = (loads.dot(A.T) >> bits) + N
    if innovation is None:
        moves = A.dot(x) >> bits
    else:
        moves = np.array([_units(_shift(q, -rows[r]), bits) for r, q in enumerate(innovation)], dtype=object)
    doubt = _Doubt(scaled_sigma, scaled_a, scaled_noise, covariance, matrix, noise)
    used, combine = _eliminate(predicted, loads, moves, bits, doubt, where)
    powers = [int(predicted[p, p]) for p in used]
    left = []
    for i in range(n):
        known = sum(int(loads[p, i]) ** 2 // d for p, d in zip(used, powers, strict=True))
        rest = int(S[i, i]) - known
        gone = rest <= 1 << GUARD or _disclosed(i, rest, int(S[i, i]), loads, used, powers, combine, bits, doubt)
        left.append(0 if gone else rest)
    return Learned(
        unit=unit,
        variance=tuple(int(S[i, i]) for i in range(n)),
        left=tuple(left),
        loads=tuple(tuple(int(q) for q in loads[p]) for p in used),
        powers=tuple(powers),
        moves=tuple(int(moves[p]) for p in used),
        deviations=tuple(int(q) for q in x),
    )


def _disclosed(
    i: int,
    rest: int,
    variance: int,
    loads: Any,
    used: Sequence[int],
    powers: Sequence[int],
    combine: Any,
    bits: int,
    doubt: _Doubt,
) -> bool:
    """Return whether what is left of x_i is no more than the last digits of the input could account for."""
    if rest > variance >> 24:
        return False
    weights = np.zeros(combine.shape[1])
    for p, d in zip(used, powers, strict=True):
        weights += (int(loads[p, i]) / d) * _floats(combine[p], bits)
    return rest / (1 << bits) <= MARGIN * doubt.about(weights, i)


def _eliminate(predicted: Any, loads: Any, moves: Any, bits: int, doubt: _Doubt, where: str) -> tuple[list[int], Any]:
    """Turn the outputs into uncorrelated innovations in place; return the rows used and how each row is combined."""
    m = len(moves)
    combine = np.array([[(1 << bits) if r == s else 0 for s in range(m)] for r in range(m)], dtype=object)
    first = [int(predicted[r, r]) for r in range(m)]
    sizes = [abs(int(y)) for y in moves]
    waiting, used = list(range(m)), []
    while waiting:
        ratios = {r: Fraction(int(predicted[r, r]), first[r]) if first[r] > 0 else Fraction(0) for r in waiting}
        p = max(waiting, key=lambda r: ratios[r])
        d = int(predicted[p, p])
        weak = ratios[p] < Fraction(1, 1 << 24)
        if d <= 1 << GUARD or (weak and d / (1 << bits) <= MARGIN * doubt.about(_floats(combine[p], bits), None)):
            break
        used.append(p)
        waiting.remove(p)
        for r in waiting:
            factor = (int(predicted[r, p]) << bits) // d
            predicted[r] = predicted[r] - (factor * predicted[p] >> bits)
            loads[r] = loads[r] - (factor * loads[p] >> bits)
            combine[r] = combine[r] - (factor * combine[p] >> bits)
            moves[r] = moves[r] - (factor * moves[p] >> bits)
    for r in waiting:  # this row repeats the others: its output is implied by theirs
        allowed = sum(abs(int(c)) * size for c, size in zip(combine[r], sizes, strict=True)) >> bits
        if abs(int(moves[r])) > allowed // 10**9 + (1 << GUARD):
            raise InvalidInput(
                "cannot occur: a combination of the released values has no variance but is not at its mean",
                where,
                "Correct the value, or give the prior or the noise more variance.",
            )
    return used, combine


class _Doubt:
    """How much the last digits of the input can change the variance of a combination of x and the noise."""

    def __init__(
        self,
        sigma: list[list[Fraction]],
        a: list[list[Fraction]],
        eta: list[list[Fraction]],
        raw: Rows,
        raw_a: Rows,
        raw_noise: Rows | None,
    ) -> None:
        self.a = np.array([[float(q) for q in row] for row in a])
        self.sigma = _rounded(sigma, raw)
        self.noise = _rounded(eta, raw_noise) if raw_noise is not None else np.zeros((len(a), len(a)))
        self.matrix = _rounded(a, raw_a)
        self.sd = np.sqrt([float(sigma[i][i]) for i in range(len(sigma))])

    def about(self, weights: Any, i: int | None) -> float:
        """Return the doubt about Var(x_i - weights T), or about Var(weights T) for i = None."""
        with np.errstate(over="ignore", invalid="ignore"):
            combination = np.abs((np.eye(len(self.sd))[i] if i is not None else 0.0) - weights @ self.a)
            size = np.abs(weights)
            slip = float(size @ self.matrix @ self.sd)
            total = float(combination @ self.sigma @ combination + size @ self.noise @ size) + slip * slip
        return total if math.isfinite(total) else 0.0


def _rounded(exact: list[list[Fraction]], raw: Rows) -> Any:
    """Return how far each entry may be off: nothing for numbers written with fewer than fifteen digits."""
    return np.array(
        [
            [LAST_DIGIT * abs(float(q)) if float(f"{x:.14g}") != x else 0.0 for q, x in zip(row, given, strict=True)]
            for row, given in zip(exact, raw, strict=True)
        ]
    )


def _floats(row: Any, bits: int) -> Any:
    return np.array([int(q) / (1 << bits) for q in row])


def _fractions(rows: Rows) -> list[list[Fraction]]:
    known: dict[float, Fraction] = {}
    return [[known[x] if x in known else known.setdefault(x, decimal(x)) for x in row] for row in rows]


def _exponent(q: Fraction) -> int:
    """Return e with |q| between 2^(e-1) and 2^(e+1)."""
    return abs(q.numerator).bit_length() - q.denominator.bit_length()


def _half_exponent(variance: Fraction) -> int:
    return _exponent(variance) // 2 if variance else 0


def _row_exponent(row: list[Fraction], columns: list[int], noise: Fraction) -> int:
    sizes = [_exponent(q) + k for q, k in zip(row, columns, strict=True) if q]
    if noise:
        sizes.append(_half_exponent(noise))
    return max(sizes, default=0)


def _shift(q: Fraction, power: int) -> Fraction:
    if not power or not q:
        return q
    return q * (1 << power) if power > 0 else q / (1 << -power)


def _units(q: Fraction, bits: int) -> int:
    return (q.numerator << bits) // q.denominator


def _whole(rows: list[list[Fraction]], bits: int) -> Any:
    return np.array([[_units(q, bits) for q in row] for row in rows], dtype=object).reshape(len(rows), len(rows[0]))


# ------------------------------------------------------------------------------------- covariances


def check_covariance(rows: Rows, size: int, where: str) -> tuple[tuple[float, ...], ...]:
    """Return ROWS made exactly symmetric.

    Raises InvalidInput naming WHERE unless it is SIZE x SIZE, symmetric within 1e-12 and positive semidefinite.
    """
    if len(rows) != size:
        raise InvalidInput(
            message("must have {needed} rows; found {found}", needed=size, found=len(rows)),
            where,
            "Give one row and one column for each value.",
        )
    for r, row in enumerate(rows):
        if len(row) != size:
            raise InvalidInput(
                message("must have {needed} entries; found {found}", needed=size, found=len(row)),
                f"{where}[{r}]",
                "Give one row and one column for each value.",
            )
    for i in range(size):
        if rows[i][i] < 0.0:
            raise InvalidInput(
                message("must be at least 0; found {found:g}", found=rows[i][i]),
                f"{where}[{i}][{i}]",
                "A variance is not negative.",
            )
    spreads = [math.sqrt(rows[i][i]) for i in range(size)]
    for i in range(size):
        for j in range(i):
            limit = spreads[i] * spreads[j]
            if abs(rows[i][j] - rows[j][i]) > SYMMETRY * limit:
                raise InvalidInput(
                    message(
                        "must equal {where}[{row}][{column}]; found {one:g} and {other:g}",
                        where=where,
                        row=j,
                        column=i,
                        one=rows[i][j],
                        other=rows[j][i],
                    ),
                    f"{where}[{i}][{j}]",
                    "A covariance is symmetric.",
                )
            if abs(rows[i][j]) > limit * (1.0 + 1e-9):
                raise InvalidInput(
                    message(
                        "must be at most the product of the two standard deviations ({limit:g}) in size; "
                        "found {found:g}",
                        limit=limit,
                        found=rows[i][j],
                    ),
                    f"{where}[{i}][{j}]",
                    "A correlation lies in [-1, 1].",
                )
    even = tuple(tuple(rows[min(i, j)][max(i, j)] for j in range(size)) for i in range(size))
    smallest = float(np.linalg.eigvalsh(correlations(even))[0])
    if smallest < -NEGATIVE:
        raise InvalidInput(
            message(
                "must be positive semidefinite; the smallest eigenvalue of its correlations is {found:.3g}",
                found=smallest,
            ),
            where,
            "No variables have these covariances together.",
        )
    return even


def correlations(rows: Rows) -> Any:
    """Return the correlation matrix of the covariance ROWS in floats; a variable without variance is uncorrelated."""
    spreads = [math.sqrt(rows[i][i]) for i in range(len(rows))]
    return np.array(
        [
            [
                1.0 if i == j else (x / spreads[i] / spreads[j] if spreads[i] and spreads[j] else 0.0)
                for j, x in enumerate(row)
            ]
            for i, row in enumerate(rows)
        ]
    )


def condition_number(rows: Rows) -> float:
    """Return the condition number of the correlation matrix of the covariance ROWS; infinite if it is singular.

    The smallest eigenvalue is the Rayleigh quotient of its computed eigenvector in exact numbers, so its error is
    of second order: the result is good to 1e-12 relative up to 1e14.
    """
    values, vectors = np.linalg.eigh(correlations(rows))
    exact = _fractions(rows)
    n = len(rows)
    columns = [_half_exponent(exact[i][i]) for i in range(n)]
    scaled = [[_shift(exact[i][j], -columns[i] - columns[j]) for j in range(n)] for i in range(n)]
    weights = vectors[:, 0] / np.sqrt([float(scaled[i][i]) for i in range(n)])
    S, w = _whole(scaled, BITS), np.array([_units(Fraction(float(q)), BITS) for q in weights], dtype=object)
    top = int(w.dot(S.dot(w) >> BITS))
    below = sum(int(w[i]) ** 2 * int(S[i, i]) for i in range(n)) >> BITS
    smallest = top / below
    doubt = float(np.abs(weights) @ _rounded(scaled, rows) @ np.abs(weights))
    if smallest <= max(MARGIN * doubt, 1e-27):
        return math.inf
    return max(1.0, float(values[-1]) / smallest)
