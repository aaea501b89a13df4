"""The discrete Gaussian: whole noise k with a chance in proportion to exp(-k^2 / (2 sigma^2)).

Source: Canonne, Kamath & Steinke 2020. Up to SUMMED its tail is added up; beyond, the Euler-Maclaurin formula gives the
sum from the normal tail, with an error below 1e-15 relative (docs/methods/accuracy.md).
"""

from __future__ import annotations

import math

from dpwizard.privacy.mechanisms.normal import log_normal_tail

SUMMED = 1_000.0  # the largest sigma whose terms are added up one by one
REACH = 40.0  # standard deviations beyond which nothing is left in floating point


def discrete_gaussian_tail(sigma: float, least: int) -> float:
    """Return P(noise >= LEAST) of the discrete Gaussian with SIGMA.

    Arguments: sigma in [0, inf]; least, any whole number. Error: 1e-14 relative where it is above 1e-300.
    """
    if least <= 0:
        return 1.0 - discrete_gaussian_tail(sigma, 1 - least)
    if sigma == 0.0:
        return 0.0
    if math.isinf(sigma):
        return 0.5
    if least / sigma > REACH:
        return 0.0
    return _sum_from(sigma, least) / (1.0 + 2.0 * _sum_from(sigma, 1))


def _sum_from(sigma: float, least: int) -> float:
    """Return the sum of exp(-k^2 / (2 sigma^2)) over k >= LEAST >= 1."""
    if sigma <= SUMMED:
        most = least + math.ceil(REACH * sigma)
        return math.fsum(math.exp(-0.5 * (k / sigma) ** 2) for k in range(least, most + 1))
    x = least / sigma
    height = math.exp(-0.5 * x * x)
    area = sigma * math.sqrt(2.0 * math.pi) * math.exp(log_normal_tail(x))
    # f/2 - f'/12 + f'''/720, the derivatives by Hermite polynomials
    return area + height * (0.5 + x / sigma / 12.0 - (x**3 - 3.0 * x) / sigma**3 / 720.0)
