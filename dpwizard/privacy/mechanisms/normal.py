"""The normal distribution where textbook formulas lose their digits: far tails, and tails that nearly cancel.

Everything rests on Mills' ratio R(x) = P(G > x)/phi(x) and on its derivative, both without cancellation.
Only the standard library is used, so that the commonest computations load neither NumPy nor SciPy.
"""

from __future__ import annotations

import math

ROOT_TWO_PI = math.sqrt(2.0 * math.pi)
FARTHEST = 39.0  # phi is below the smallest positive float beyond
OVERFLOW = 37.0  # exp(x^2/2) is representable up to here
NEAR = 3.0  # below, erfc is used; above, the continued fraction
FRACTION_DEPTH = 70  # terms for 1e-16 at NEAR; fewer would do farther out
# Gauss-Legendre nodes and weights on [-1, 1]: with 6 nodes the error on an interval of length 1/2 is below 1e-14
NODES = (
    (0.2386191860831969, 0.46791393457269104),
    (0.6612093864662645, 0.3607615730481386),
    (0.932469514203152, 0.17132449237917036),
)


def mills(x: float) -> tuple[float, float]:
    """Return R(x) = P(G > x)/phi(x) and -R'(x) = 1 - x R(x), each to 1e-15 relative, for x in [-37, inf).

    Below NEAR by erfc. From there by the continued fraction R = 1/(x + K), K = 1/(x + 2/(x + 3/...)), which
    gives 1 - x R = K/(x + K) with no cancellation.
    """
    if x < NEAR:
        ratio = 0.5 * ROOT_TWO_PI * math.exp(x * x / 2) * math.erfc(x / math.sqrt(2.0))
        return ratio, 1.0 - x * ratio
    rest = 0.0
    for term in range(FRACTION_DEPTH, 0, -1):
        rest = term / (x + rest)
    return 1.0 / (x + rest), rest / (x + rest)


def log_normal_tail(x: float) -> float:
    """Return log P(G > x) for x >= 0, to 1e-14 relative, also where the probability underflows; -inf beyond 1e150."""
    if x > 1e150:
        return -math.inf
    return math.log(mills(x)[0]) - x * x / 2 - math.log(ROOT_TWO_PI)


def gaussian_error(first: float) -> float:
    """Return the relative error of gaussian_delta_at(mu, FIRST): the exponential loses digits with the square."""
    return 5e-14 + 3e-16 * first * first


def gaussian_delta_at(mu: float, first: float) -> tuple[float, float]:
    """Return delta and 1 - delta of a Gaussian release, given mu = shift/sd > 0 and a = FIRST = mu/2 - epsilon/mu.

    delta = Phi(a) - e^epsilon Phi(a - mu), and e^epsilon phi(a - mu) = phi(a), so with R Mills' ratio
    delta = phi(a) (R(-a) - R(mu - a)). For small mu the difference is the integral of -R' between the two.
    Returns both to gaussian_error(a) relative; (0, 1) and (1, 0) where the smaller one is below 1e-290.
    """
    if first < -FARTHEST:
        return 0.0, 1.0
    if first > OVERFLOW:
        return 1.0, 0.0
    density = math.exp(-first * first / 2) / ROOT_TWO_PI
    if mu < 0.5 and first < 1.0:
        middle, half = mu / 2 - first, mu / 2
        total = sum(
            weight * (mills(middle - half * node)[1] + mills(middle + half * node)[1]) for node, weight in NODES
        )
        reached = density * half * total
        return reached, 1.0 - reached
    second = density * mills(mu - first)[0]  # e^epsilon Phi(a - mu)
    if first > 0.0:
        missed = 0.5 * math.erfc(first / math.sqrt(2.0)) + second
        return 1.0 - missed, missed
    reached = density * (mills(-first)[0] - mills(mu - first)[0])
    return reached, 1.0 - reached
