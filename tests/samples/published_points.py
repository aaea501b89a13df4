"""Points of the papers' figures: what is printed with them (captions, text, tables), and points of the printed formulas
at their marks.

Each stands with where it is printed. They are written down here by hand; nothing of the program makes them. The papers
are at hand as text alone: where a curve cannot be read off, its points are computed here from the formula that the
paper states for it, and say so.
"""

from __future__ import annotations

import math

# Kazan & Reiter 2024, Table 1: cap 0.25; ratio -> epsilon, standard deviation, chance of the exact figure
TABLE_1 = {1.5: (0.51, 2.74, 0.25), 3.0: (1.30, 1.02, 0.57), 6.0: (2.04, 0.59, 0.77)}
# the same, Section 4: a ratio alone over all beliefs
RATIO_ALONE = {1.5: 0.20, 3.0: 0.55, 6.0: 0.90}
# Figure 2 and Section 5: the profile 0.5 or 5 times
FIGURE_2_BEST = {"epsilon": 2.20, "rmse": 0.53, "switch": 0.10, "deviation": 0.25}
# Its twelve bars, computed from (17) and the geometric mechanism, to two digits after the point: (ratio, cap; 0 for the
# ratio alone) -> epsilon log((r - a) / (1 - a)), root-mean-square error sqrt(2 alpha) / (1 - alpha) with alpha =
# e^-epsilon
FIGURE_2 = {
    (1.2, 0.0): (0.18, 7.75),
    (1.2, 0.1): (0.20, 7.04),
    (1.2, 0.25): (0.24, 5.97),
    (1.2, 0.5): (0.34, 4.18),
    (2.0, 0.0): (0.69, 2.00),
    (2.0, 0.1): (0.75, 1.85),
    (2.0, 0.25): (0.85, 1.62),
    (2.0, 0.5): (1.10, 1.22),
    (5.0, 0.0): (1.61, 0.79),
    (5.0, 0.1): (1.69, 0.74),
    (5.0, 0.25): (1.85, 0.67),
    (5.0, 0.5): (2.20, 0.53),
}
# Figure 5 and Appendix C.3: cap 0.25, ratio 3
FIGURE_5 = {"epsilon": 0.65, "p": 1.0, "q": 0.083}

# Dandekar, Basu & Bressan 2021, Figure 4 and Section 5.3: noise at 0.5, 100 people, 5,500 each
FIGURE_4_END = (0.5, 74_434.40)
FIGURE_4_CHEAPEST = (0.274, 37_805.86)
# Figure 5, captions: noise level -> (level, confidence)
FIGURE_5_PAIRS = {0.1: (0.08, 0.80), 0.5: (0.27, 0.61), 1.0: (0.42, 0.54)}
# Section 6.2: alpha(15000, .01) = .900; Figure 2 is its inverse
SAMPLES = (0.900, 0.01, 15_000)


def figure_5_advanced(epsilon0: float, releases: int, delta: float = 1e-5) -> float:
    """Return the curve of advanced composition in Figure 5: Theorem 3.20 of Dwork & Roth as printed there."""
    return epsilon0 * math.sqrt(2 * releases * math.log(1 / delta)) + releases * epsilon0 * (math.exp(epsilon0) - 1)


def figure_5_published(epsilon0: float, epsilon: float, confidence: float, releases: int, delta: float = 1e-5) -> float:
    """Return the curve of privacy at risk in Figure 5: Theorem 3 as printed."""
    mean = (confidence * epsilon**2 + (1 - confidence) * epsilon0**2) / 2
    return epsilon0 * math.sqrt(2 * releases * math.log(1 / delta)) + releases * mean


# Pankova & Laud 2022: 18 to 22 minutes, from 25 to 30 in 100; the simplified bound of the slides for R = 8 precisions
CAFETERIA = {"before": 0.25, "after": 0.30}


def simplified(before: float, epsilon: float, reach: float) -> float:
    """Return the posterior of the slides' simplification: 1 / (1 + e^(-epsilon R) (1 - p) / p)."""
    return 1.0 / (1.0 + math.exp(-epsilon * reach) * (1.0 - before) / before)


# Bon, Bailie, Rousseau & Robert 2025, Proposition 6 for Gaussian noise: P(loss > e) = Phi(rho/2 - e/rho)
def gaussian_excess(epsilon: float, sensitivity: float, sd: float) -> float:
    """Return the chance that the loss of Gaussian noise exceeds EPSILON."""
    rho = sensitivity / sd
    return 0.5 * math.erfc((epsilon / rho - rho / 2) / math.sqrt(2.0))


# Kazan & Reiter 2024, Figures 1, 3 and 4: the pictures' points cannot be read from the text of the paper that is at
# hand. Their curves are stated there by formula, (15), (16), (31) and (32), and the implied epsilon by Theorem 1, whose
# equation is solved here by halving.
TABLE_5 = {
    0.025: (1.09, 1.24, 0.50),
    0.15: (1.21, 1.10, 0.54),
    0.3: (2.10, 0.56, 0.78),
}  # cap -> epsilon, standard deviation, exact figure
FIGURE_1 = {"cap": 0.1, "ratio": 3.0, "p": 0.05}


def weaker(cap: float, ratio: float, prior: float) -> float:
    """Return the ratio that (15) and (16) allow at a PRIOR for both together."""
    return max(cap / prior, ratio)


def implied_epsilon(p: float, q: float, ratio: float) -> float:
    """Return the largest epsilon at which the bound of Theorem 1 stays within RATIO; infinite where it always does."""
    if ratio >= 1 / (p * q):
        return math.inf
    low, high = 0.0, 60.0
    for _ in range(200):
        middle = (low + high) / 2
        bound = 1 / (p * q + math.exp(-2 * middle) * (1 - q) * p + math.exp(-middle) * (1 - p))
        low, high = (middle, high) if bound <= ratio else (low, middle)
    return low


# Table 4, a row for each requirement of the example: the closed forms as printed
def table_4() -> tuple[float, ...]:
    """Return the epsilons of rows (14), (15) with q = 1 and with a believed value, (16), (25) and (28)."""
    a, r = 0.25, 3.0
    p, q = 0.05, 0.05
    row_16 = math.log(a * (1 - p) / (p * (1 - a)))  # p <= a / r
    row_15 = 0.5 * math.log(a * (1 - q) / (q * (1 - a)))  # q <= a / r
    p1, q0 = 0.5, 0.05
    row_25 = math.log(2 * p1 * (1 - q0) / (math.sqrt((1 - p1) ** 2 + 4 * p1 * (1 - q0) * (1 / r - p1 * q0)) - (1 - p1)))
    return (0.5 * math.log(r), math.log((r - a) / (1 - a)), row_15, row_16, row_25, math.log((1 + 0.2) / (1 - 0.2)))


# Dandekar, Basu & Bressan 2021: the axes and legends of Figures 1 to 5 stand in the text of the paper; the curves
# follow from its formulas
FIGURE_3_ERRORS, FIGURE_3_SAMPLES = (0.010, 0.012, 0.015, 0.020), (10_000, 15_000, 20_000, 25_000)
FIGURE_4_NOISE = (0.5, 0.6, 0.7)
TABLE_1_QUOTED = {100: (2.04, 1.81), 1_000: (8.03, 5.95)}  # moments accountant, privacy at risk
EXACT_AT_TENTH = {
    100: 4.22034732508036,
    1_000: 17.4236519875374,
}  # the loss of as many Laplace releases at 0.1, delta 1e-5


def gamma_1(epsilon: float, epsilon0: float, dimension: int) -> float:
    """Return the confidence of Theorem 4, as printed: gamma(k) truncated at epsilon over that at epsilon0, by Simpson's
    rule.

    P(T <= e) is proportional to the integral of t^(k-1/2) K_(k-1/2)(t), with K a modified Bessel function of half
    order.
    """
    if dimension not in (1, 2, 3):
        raise ValueError(dimension)
    tail = {
        1: lambda t: math.exp(-t),
        2: lambda t: math.exp(-t) * (t + 1),
        3: lambda t: math.exp(-t) * (t * t + 3 * t + 3),
    }[dimension]

    def integral(end: float) -> float:
        steps = 400
        h = end / steps
        return h / 3 * sum((1 if i in (0, steps) else 4 if i % 2 else 2) * tail(i * h) for i in range(steps + 1))

    return integral(epsilon) / integral(epsilon0)


def figure_4_cost(level: float, epsilon0: float, people: int = 100, cost: float = 5_500.0) -> float:
    """Return the budget of Figure 4 for one number: gamma E e^(-1/level) + (1 - gamma) E e^(-1/epsilon0), equation
    (9)."""
    gamma = (1 - math.exp(-level)) / (1 - math.exp(-epsilon0))
    return people * cost * (gamma * math.exp(-1 / level) + (1 - gamma) * math.exp(-1 / epsilon0))


def figure_2_samples(confidence: float, rho: float) -> float:
    """Return the samples of Figure 2: 1 - 2 e^(-2 rho^2 n) = confidence, solved for n."""
    return math.log(2 / (1 - confidence)) / (2 * rho * rho)


def figure_3_confidence(level: float, rho: float, samples: int, quantile: float) -> float:
    """Return the confidence of Figure 3 at noise 1: equations (6) and (7), with the true sensitivity equal to the
    sampled one."""
    return (1 - math.exp(-level)) / (1 - math.exp(-1.0)) * quantile * (1 - 2 * math.exp(-2 * rho * rho * samples))
