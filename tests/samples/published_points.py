"""Points of the papers' figures: what is printed with them (captions, text, tables), and points of the printed formulas at their marks.

Each stands with where it is printed. They are written down here by hand; nothing of the program makes them.
"""

from __future__ import annotations

import math

# Kazan & Reiter 2024, Table 1: cap 0.25; ratio -> epsilon, standard deviation, chance of the exact figure
TABLE_1 = {1.5: (0.51, 2.74, 0.25), 3.0: (1.30, 1.02, 0.57), 6.0: (2.04, 0.59, 0.77)}
# the same, Section 4: a ratio alone over all beliefs, and Section 5: 'q = 1 alone'
RATIO_ALONE_TWICE = {1.5: 0.20, 3.0: 0.55, 6.0: 0.90}
# Figure 2 and Section 5: the profile 0.5 or 5 times
FIGURE_2_BEST = {"epsilon": 2.20, "rmse": 0.53, "switch": 0.10, "deviation": 0.25}
# Figure 5 and Appendix C.3: cap 0.25, ratio 3
FIGURE_5 = {"epsilon": 0.65, "p": 1.0, "q": 0.083}

# Dandekar, Basu & Bressan 2021, Figure 4 and Section 5.3: noise at 0.5, 100 people, 5,500 each
FIGURE_4_END = (0.5, 74_434.40)
FIGURE_4_CHEAPEST = (0.274, 37_805.86)
# Figure 5, captions: noise level -> (level, confidence)
FIGURE_5_PAIRS = {0.1: (0.08, 0.80), 0.5: (0.27, 0.61), 1.0: (0.42, 0.54)}
# Section 6.2: alpha(15000, .01) = .900; Figure 2 is its inverse
SAMPLES = (0.900, 0.01, 15_000)


def figure_1_level(confidence: float, epsilon0: float) -> float:
    """Return the level of Figure 1 for one number: equation (4) as printed, ln(1 / (1 - gamma (1 - e^-eps0)))."""
    return math.log(1.0 / (1.0 - confidence * (1.0 - math.exp(-epsilon0))))


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
