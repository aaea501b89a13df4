"""The discrete Gaussian: whole noise k with a chance in proportion to exp(-k^2 / (2 sigma^2)).

Source: Canonne, Kamath & Steinke 2020. Sums of few terms are added up; longer ones come from the normal tail by the
Euler-Maclaurin formula, with an error below 1e-15 relative (docs/methods/accuracy.md). Standard deviation,
mean absolute value and every tail rise with sigma: |k| has a likelihood ratio that rises with it.
"""

from __future__ import annotations

import math

from dpwizard.privacy.mechanisms.normal import ROOT_TWO_PI, mills

FAR = 1e8  # sigmas
MOST_SUMMED = 1_000  # terms that are added up one by one
REACH = 78.3  # twice the logarithm beyond which a term is nothing beside the first
PLAIN = (
    1.6  # the sigma from which lattice and continuous noise agree in mass and variance: 2 e^(-2 pi^2 sigma^2) < 1e-21
)
COARSE = 40.0  # the sigma up to which a mean absolute value is added up


def discrete_gaussian_tail(sigma: float, least: int) -> float:
    """Return P(noise >= LEAST) of the discrete Gaussian with SIGMA.

    Arguments: sigma in [0, inf]; least, any whole number. Error: 1e-14 relative where it is above 1e-300.
    """
    if least <= 0:
        return 1.0 - discrete_gaussian_tail(sigma, 1 - least)
    if sigma == 0.0:
        return 0.0
    return 0.5 if math.isinf(sigma) else math.exp(log_lattice_tail(sigma, least))


def log_lattice_tail(sigma: float, least: int) -> float:
    """Return log P(noise >= LEAST) for SIGMA in (0, inf) and LEAST >= 1, to 1e-15 relative; it may be -inf."""
    x = least / sigma
    return -0.5 * x * x + math.log(_relative_sum(sigma, least)) - math.log(lattice_total(sigma))


def lattice_total(sigma: float) -> float:
    """Return the sum of exp(-k^2 / (2 sigma^2)) over all whole k, SIGMA in (0, inf)."""
    if sigma >= PLAIN:
        return ROOT_TWO_PI * sigma  # and a part below 1e-21: Poisson's summation formula
    x = 1.0 / sigma
    return 1.0 + 2.0 * math.exp(-0.5 * x * x) * _relative_sum(sigma, 1)


def lattice_sd(sigma: float) -> float:
    """Return the standard deviation, SIGMA in (0, inf): slightly below sigma, and sigma itself from PLAIN on."""
    return sigma if sigma >= PLAIN else _root_of_moment(sigma)


def _root_of_moment(sigma: float) -> float:
    x = 1.0 / sigma
    around = math.fsum(k * k * math.exp(-0.5 * (k * k - 1) * x * x) for k in range(1, math.ceil(10.0 * sigma) + 2))
    return math.exp(-0.25 * x * x) * math.sqrt(2.0 * around / lattice_total(sigma))


def lattice_mean_absolute(sigma: float) -> float:
    """Return the mean absolute value, SIGMA in (0, inf)."""
    if sigma > COARSE:  # Euler-Maclaurin of k e^(-k^2/(2 sigma^2)) from 0 on
        square = sigma * sigma
        around = square - 1.0 / 12.0 - 1.0 / (240.0 * square) - 1.0 / (2016.0 * square * square)
        return 2.0 * around / lattice_total(sigma)
    x = 1.0 / sigma
    around = math.fsum(k * math.exp(-0.5 * (k * k - 1) * x * x) for k in range(1, math.ceil(10.0 * sigma) + 2))
    return 2.0 * math.exp(-0.5 * x * x) * around / lattice_total(sigma)


def _relative_sum(sigma: float, least: int) -> float:
    """Return the sum of exp(-(k^2 - least^2) / (2 sigma^2)) over k >= LEAST >= 1."""
    x = least / sigma
    count = math.ceil(min(REACH * sigma / (x + math.sqrt(x * x + REACH)), 1e300)) if x < 1e150 else 0
    if count <= MOST_SUMMED:
        slope, bend = x / sigma, 0.5 / sigma / sigma if sigma > 1e-100 else 1e200
        return math.fsum(math.exp(-j * (slope + j * bend)) for j in range(count + 1)) if slope < 1e200 else 1.0
    if x > FAR:  # each term is the one before times exp(-x / sigma), but for 1 / x^2
        return -1.0 / math.expm1(-x / sigma)
    # f/2 - f'/12 + f'''/720 - f'''''/30240 beside the area, the derivatives by Hermite polynomials
    y = x / sigma
    square = sigma * sigma
    third, fifth = y * (x * x - 3.0) / square, y * (x**4 - 10.0 * x * x + 15.0) / (square * square)
    return sigma * mills(x)[0] + 0.5 + y / 12.0 - third / 720.0 + fifth / 30240.0
