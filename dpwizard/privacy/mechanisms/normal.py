"""The normal and the discrete Gaussian distribution where textbook formulas lose precision.

Far tails, and tails that nearly cancel, are computed from Mills' ratio R(x) = P(G > x)/phi(x) and its derivative,
without SciPy, which takes long to load. The discrete Gaussian has P(k) in proportion to exp(-k^2 / (2 sigma^2))
(Canonne, Kamath & Steinke 2020). Short sums are added up; longer ones follow from the normal tail by the
Euler-Maclaurin formula, with an error below 1e-15 relative (docs/methods/accuracy.md).
"""

from __future__ import annotations

import math

ROOT_TWO_PI = math.sqrt(2.0 * math.pi)
FARTHEST = 39.0  # beyond it phi is below the smallest positive float
OVERFLOW = 37.0  # a float holds exp(x^2/2) up to here
NEAR = 3.0  # below it erfc is used, above it the continued fraction
FRACTION_DEPTH = 70  # terms for 1e-16 at NEAR
# Gauss-Legendre nodes and weights on [-1, 1]: with 6 nodes the error on an interval of length 1/2 is below 1e-14
NODES = (
    (0.2386191860831969, 0.46791393457269104),
    (0.6612093864662645, 0.3607615730481386),
    (0.932469514203152, 0.17132449237917036),
)
FAR = 1e8  # standard deviations beyond which a tail is a geometric series
MOST_SUMMED = 1_000  # the most terms that are added up one by one
REACH = 78.3  # twice the logarithm beyond which a term is negligible next to the first
SMOOTH = 1.6  # sigma from which lattice and continuous noise agree in mass and variance: 2 e^(-2 pi^2 sigma^2) < 1e-21
COARSE = 40.0  # the largest sigma for which a mean absolute value is added up


def mills(x: float) -> tuple[float, float]:
    """Return R(x) = P(G > x)/phi(x) and -R'(x) = 1 - x R(x), each to 1e-15 relative, for x in [-37, inf).

    From NEAR on by the continued fraction R = 1/(x + K), K = 1/(x + 2/(x + 3/...)), which gives 1 - x R = K/(x + K)
    with no cancellation.
    """
    if x < NEAR:
        ratio = 0.5 * ROOT_TWO_PI * math.exp(x * x / 2) * math.erfc(x / math.sqrt(2.0))
        return ratio, 1.0 - x * ratio
    k = 0.0
    for term in range(FRACTION_DEPTH, 0, -1):
        k = term / (x + k)
    return 1.0 / (x + k), k / (x + k)


def log_normal_tail(x: float) -> float:
    """Return log P(G > x) for x >= 0, to 1e-14 relative, also where the probability underflows; -inf beyond 1e150."""
    if x > 1e150:
        return -math.inf
    return math.log(mills(x)[0]) - x * x / 2 - math.log(ROOT_TWO_PI)


def gaussian_error(a: float) -> float:
    """Return the relative error of gaussian_delta_at(mu, a): the exponential loses digits with the square."""
    return 5e-14 + 3e-16 * a * a


def gaussian_delta_at(mu: float, a: float) -> tuple[float, float]:
    """Return delta and 1 - delta of a Gaussian release, given mu = shift/sd > 0 and a = mu/2 - epsilon/mu.

    delta = Phi(a) - e^epsilon Phi(a - mu), and e^epsilon phi(a - mu) = phi(a), so with R Mills' ratio delta = phi(a)
    (R(-a) - R(mu - a)). For small mu the difference is the integral of -R' between the two. Returns both to
    gaussian_error(a) relative; (0, 1) and (1, 0) where the smaller one is below 1e-290.
    """
    if a < -FARTHEST:
        return 0.0, 1.0
    if a > OVERFLOW:
        return 1.0, 0.0
    density = math.exp(-a * a / 2) / ROOT_TWO_PI
    if mu < 0.5 and a < 1.0:
        middle, half = mu / 2 - a, mu / 2
        slope_sum = sum(
            weight * (mills(middle - half * node)[1] + mills(middle + half * node)[1]) for node, weight in NODES
        )
        value = density * half * slope_sum
        return value, 1.0 - value
    lost = density * mills(mu - a)[0]  # e^epsilon Phi(a - mu)
    if a > 0.0:
        rest = 0.5 * math.erfc(a / math.sqrt(2.0)) + lost
        return 1.0 - rest, rest
    value = density * (mills(-a)[0] - mills(mu - a)[0])
    return value, 1.0 - value


def discrete_gaussian_tail(sigma: float, least: int) -> float:
    """Return P(noise >= LEAST), SIGMA in [0, inf], to 1e-14 relative where it is above 1e-300."""
    if least <= 0:
        return 1.0 - discrete_gaussian_tail(sigma, 1 - least)
    if sigma == 0.0:
        return 0.0
    return 0.5 if math.isinf(sigma) else math.exp(log_lattice_tail(sigma, least))


def log_lattice_tail(sigma: float, least: int) -> float:
    """Return log P(noise >= LEAST) for SIGMA in (0, inf) and LEAST >= 1, to 1e-15 relative; it may be -inf."""
    x = least / sigma
    return -0.5 * x * x + math.log(_tail_sum(sigma, least) / lattice_total(sigma))


def lattice_total(sigma: float) -> float:
    """Return the sum of exp(-k^2 / (2 sigma^2)) over all whole k, SIGMA in (0, inf)."""
    if sigma >= SMOOTH:
        return ROOT_TWO_PI * sigma  # within 1e-21 relative: Poisson's summation formula
    x = 1.0 / sigma
    return 1.0 + 2.0 * math.exp(-0.5 * x * x) * _tail_sum(sigma, 1)


def lattice_sd(sigma: float) -> float:
    """Return the standard deviation, SIGMA in (0, inf): slightly below sigma, and sigma itself from SMOOTH on."""
    if sigma >= SMOOTH:
        return sigma
    x = 1.0 / sigma
    squares = math.fsum(k * k * math.exp(-0.5 * (k * k - 1) * x * x) for k in range(1, math.ceil(10.0 * sigma) + 2))
    return math.exp(-0.25 * x * x) * math.sqrt(2.0 * squares / lattice_total(sigma))


def lattice_mean_absolute(sigma: float) -> float:
    """Return the mean absolute value, SIGMA in (0, inf)."""
    if sigma > COARSE:  # Euler-Maclaurin of k e^(-k^2/(2 sigma^2)) from 0 on
        square = sigma * sigma
        half_sum = square - 1.0 / 12.0 - 1.0 / (240.0 * square) - 1.0 / (2016.0 * square * square)
        return 2.0 * half_sum / lattice_total(sigma)
    x = 1.0 / sigma
    half_sum = math.fsum(k * math.exp(-0.5 * (k * k - 1) * x * x) for k in range(1, math.ceil(10.0 * sigma) + 2))
    return 2.0 * math.exp(-0.5 * x * x) * half_sum / lattice_total(sigma)


def _tail_sum(sigma: float, least: int) -> float:
    """Return the sum of exp(-(k^2 - least^2) / (2 sigma^2)) over k >= LEAST >= 1."""
    x = least / sigma
    count = math.ceil(min(REACH * sigma / (x + math.sqrt(x * x + REACH)), 1e300)) if x < 1e150 else 0
    if count <= MOST_SUMMED:
        slope, bend = x / sigma, 0.5 / sigma / sigma if sigma > 1e-100 else 1e200
        if slope >= 1e200:
            return 1.0
        return math.fsum(math.exp(-j * (slope + j * bend)) for j in range(count + 1))
    if x > FAR:  # each term is the one before times exp(-x / sigma), within 1 / x^2
        return -1.0 / math.expm1(-x / sigma)
    # the area and f/2 - f'/12 + f'''/720 - f'''''/30240, the derivatives by Hermite polynomials
    y = x / sigma
    square = sigma * sigma
    third, fifth = y * (x * x - 3.0) / square, y * (x**4 - 10.0 * x * x + 15.0) / (square * square)
    return sigma * mills(x)[0] + 0.5 + y / 12.0 - third / 720.0 + fifth / 30240.0
