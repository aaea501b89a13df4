"""The information on x in a linear release T = A x + noise, in decimals with enough digits to be exact.

Covariances, matrices and noise are read as the decimals they are written as. Whether a value is disclosed is then a
question about exact numbers; only entries written with fifteen digits or more (thirds, square roots) count as rounded,
and a variance that their last digit could change counts as zero.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal, localcontext
from typing import Any

import numpy as np

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import UNIT
from dpwizard.privacy.arguments import one_for_each

Rows = Sequence[Sequence[float]]
Exact = Any  # an array of Decimal

DIGITS = 120  # decimal digits for numbers of one magnitude; more if magnitudes differ
LOST_DIGITS = 40  # digits lost by divisions: a relative variance below the other digits counts as zero
WEAK_SHARE = Decimal("1e-7")  # relative: for smaller variances the last digits of the input matter
LAST_DIGIT = Decimal(4 * UNIT)  # relative error of a number written with many digits
ERROR_MARGIN = Decimal(16)
IMPLIED_ERROR = Decimal("1e-9")  # relative, of a value that others imply
SYMMETRY_ERROR = 1e-12
NEGATIVE_EIGENVALUE = 1e-10  # a correlation matrix with an eigenvalue below this, negated, is not a rounding error
SINGULAR_EIGENVALUE = 1e-13


@dataclass(frozen=True, kw_only=True)
class Learned:
    """The information of a release: the posterior variance of each x_i, and the innovations.

    prior[i] and posterior[i], variances of x_i (0 if disclosed); covariances[p][i] of innovation p with x_i;
    variances[p] of innovation p; innovations[p], its value.
    """

    context: Context
    prior: Exact
    posterior: Exact
    covariances: Exact
    variances: Exact
    innovations: Exact
    deviations: Exact

    def share_known(self, i: int) -> float:
        """Return R_i^2, the squared multiple correlation of x_i with the release."""
        return float((self.prior[i] - self.posterior[i]) / self.prior[i])

    def log_left(self, i: int) -> float:
        """Return -log(1 - R_i^2); infinite if x_i is disclosed."""
        return float(self.context.divide(self.prior[i], self.posterior[i]).ln()) if self.posterior[i] else math.inf

    def surprise(self) -> float:
        """Return M^2, the squared Mahalanobis distance of the output under the adversary's prediction."""
        with localcontext(self.context):
            return float(sum((y * y / d for y, d in zip(self.innovations, self.variances, strict=True)), Decimal(0)))

    def error_removed(self, i: int) -> float:
        """Return the squared error of x_i's prior mean less that of its posterior mean, each in its variance."""
        with localcontext(self.context):
            x = self.deviations[i]
            shift = sum(
                (row[i] * y / d for row, y, d in zip(self.covariances, self.innovations, self.variances, strict=True)),
                Decimal(0),
            )
            return float(x * x / self.prior[i] - (x - shift) ** 2 / self.posterior[i])


def learn(
    covariance: Rows,
    matrix: Rows,
    noise: Rows | None,
    deviations: Sequence[Decimal],
    innovation: Sequence[Decimal] | None,
    where: str,
) -> Learned:
    """Return the information on x in the output.

    Arguments: covariance of x (n x n), matrix A (m x n), noise covariance (m x m) or None; deviations x - mean;
    innovation, output minus A mean, or None for A (x - mean); where, the argument to name. Raises InvalidInput for an
    impossible output.
    """
    sigma, a, x = exact(covariance), exact(matrix), np.array(deviations, dtype=object)
    eta = exact(noise) if noise is not None else np.full((len(a), len(a)), Decimal(0), dtype=object)
    context = context_for(sigma, a, eta, x)
    zero = Decimal(10) ** (LOST_DIGITS - context.prec)
    with localcontext(context):
        covariances = a.dot(sigma)
        predicted = covariances.dot(a.T) + eta
        innovations = a.dot(x) if innovation is None else np.array(innovation, dtype=object)
        errors = _InputErrors(sigma, a, eta)
        used, combine = _eliminate_outputs(predicted, covariances, innovations, errors, zero, where)
        variances = np.array([predicted[p, p] for p in used], dtype=object)
        posterior = sigma.diagonal().copy()
        for p, variance in zip(used, variances, strict=True):
            posterior -= covariances[p] * covariances[p] / variance
        for i, rest in enumerate(posterior):
            if rest <= zero * sigma[i, i]:
                posterior[i] = Decimal(0)
            elif rest < WEAK_SHARE * sigma[i, i]:
                ratios = (covariances[p, i] / d * combine[p] for p, d in zip(used, variances, strict=True))
                weights = sum(ratios, 0 * combine[0])
                posterior[i] = Decimal(0) if rest <= ERROR_MARGIN * errors.variance_error(weights, i) else rest
        return Learned(
            context=context,
            prior=sigma.diagonal(),
            posterior=posterior,
            covariances=covariances[used],
            variances=variances,
            innovations=innovations[used],
            deviations=x,
        )


def _eliminate_outputs(
    predicted: Exact, covariances: Exact, innovations: Exact, errors: _InputErrors, zero: Decimal, where: str
) -> tuple[list[int], Exact]:
    """Convert outputs to uncorrelated innovations in place; return the rows used and the combination of each row."""
    m = len(innovations)
    combine = np.array([[Decimal(r == s) for s in range(m)] for r in range(m)], dtype=object)
    first_variances, sizes = predicted.diagonal().copy(), np.abs(innovations)
    waiting, used = list(range(m)), []
    while waiting:
        shares = {r: predicted[r, r] / first_variances[r] if first_variances[r] > 0 else Decimal(0) for r in waiting}
        p = max(waiting, key=lambda r: shares[r])
        variance = predicted[p, p]
        if shares[p] <= zero:
            break
        if shares[p] < WEAK_SHARE and variance <= ERROR_MARGIN * errors.variance_error(combine[p], None):
            break
        used.append(p)
        waiting.remove(p)
        for r in waiting:
            factor = predicted[r, p] / variance
            for rows in (predicted, covariances, combine):
                rows[r] = rows[r] - factor * rows[p]
            innovations[r] -= factor * innovations[p]
    for r in waiting:  # the other outputs imply this one
        if abs(innovations[r]) > IMPLIED_ERROR * np.abs(combine[r]).dot(sizes):
            raise InvalidInput(
                "cannot occur: a combination of the released values has no variance but is not at its mean",
                where,
                "Correct the value, or give the prior or the noise more variance.",
            )
    return used, combine


class _InputErrors:
    """The effect of the last digits of the input on the variance of a combination of x and the noise."""

    def __init__(self, sigma: Exact, a: Exact, eta: Exact) -> None:
        self.a, self.sd = a, np.array([variance.sqrt() for variance in sigma.diagonal()], dtype=object)
        self.sigma, self.matrix, self.noise = (_input_errors(rows) for rows in (sigma, a, eta))

    def variance_error(self, weights: Exact, i: int | None) -> Decimal:
        """Return the error of Var(x_i - weights T), or of Var(weights T) for i = None."""
        combination, size = weights.dot(self.a), np.abs(weights)
        if i is not None:
            combination[i] -= 1
        combination = np.abs(combination)
        by_matrix = size.dot(self.matrix).dot(self.sd)
        by_sigma, by_noise = combination.dot(self.sigma).dot(combination), size.dot(self.noise).dot(size)
        return Decimal(by_sigma + by_noise + by_matrix * by_matrix)


def _input_errors(rows: Exact) -> Exact:
    """Return the error of each entry: 0 for numbers written with fewer than fifteen digits."""
    return np.array(
        [[LAST_DIGIT * abs(x) if Decimal(f"{x:.14g}") != x else Decimal(0) for x in row] for row in rows], dtype=object
    ).reshape(rows.shape)


def context_for(*arrays: Exact) -> Context:
    """Return a decimal context in which sums of products of the numbers in ARRAYS are exact."""
    exponents = [x.adjusted() for array in arrays for x in array.ravel() if x]
    spread = max(exponents) - min(exponents) if exponents else 0
    return Context(prec=DIGITS + 2 * spread, Emin=-999_999, Emax=999_999)


def exact(rows: Rows) -> Exact:
    """Return numbers as the decimals they are written as."""
    return np.array([[Decimal(repr(x)) for x in row] for row in rows], dtype=object)


# ------------------------------------------------------------------------------------- covariances


def check_covariance(rows: Rows, size: int, where: str) -> tuple[tuple[float, ...], ...]:
    """Return ROWS made exactly symmetric.

    Raises InvalidInput naming WHERE unless they are SIZE x SIZE, symmetric within 1e-12 and positive semidefinite.
    """
    one_for_each(rows, size, where)
    for r, row in enumerate(rows):
        one_for_each(row, size, f"{where}[{r}]")
    for i in range(size):
        if rows[i][i] < 0.0:
            raise InvalidInput(
                "must be at least 0; found {found:g}",
                f"{where}[{i}][{i}]",
                "A variance is not negative.",
                found=rows[i][i],
            )
    deviations = [math.sqrt(rows[i][i]) for i in range(size)]
    for i in range(size):
        for j in range(i):
            limit = deviations[i] * deviations[j]
            if abs(rows[i][j] - rows[j][i]) > SYMMETRY_ERROR * limit:
                raise InvalidInput(
                    "must equal {where}[{row}][{column}]; found {one:g} and {other:g}",
                    f"{where}[{i}][{j}]",
                    "A covariance is symmetric.",
                    where=where,
                    row=j,
                    column=i,
                    one=rows[i][j],
                    other=rows[j][i],
                )
            if abs(rows[i][j]) > limit * (1.0 + 1e-9):
                raise InvalidInput(
                    "must be at most the product of the two standard deviations ({limit:g}) in size; found {found:g}",
                    f"{where}[{i}][{j}]",
                    "A correlation is between −1 and 1.",
                    limit=limit,
                    found=rows[i][j],
                )
    symmetric = tuple(tuple(rows[min(i, j)][max(i, j)] for j in range(size)) for i in range(size))
    smallest = float(np.linalg.eigvalsh(correlations(symmetric))[0])
    if smallest < -NEGATIVE_EIGENVALUE:
        raise InvalidInput(
            "must be positive semidefinite; the smallest eigenvalue of its correlations is {found:.3g}",
            where,
            "No variables have these covariances together.",
            found=smallest,
        )
    return symmetric


def correlations(rows: Rows) -> Any:
    """Return the correlation matrix of the covariance ROWS in floats; a variable without variance is uncorrelated."""
    deviations = [math.sqrt(rows[i][i]) for i in range(len(rows))]
    matrix = np.eye(len(rows))
    for i, row in enumerate(rows):
        for j, covariance in enumerate(row):
            if i != j and deviations[i] and deviations[j]:
                matrix[i, j] = covariance / deviations[i] / deviations[j]
    return matrix


def condition_number(rows: Rows) -> float:
    """Return the condition number of the correlations of the covariance ROWS, to 2e-16 of itself; inf if singular."""
    values = np.linalg.eigvalsh(correlations(rows))
    return max(1.0, float(values[-1] / values[0])) if values[0] > SINGULAR_EIGENVALUE else math.inf
