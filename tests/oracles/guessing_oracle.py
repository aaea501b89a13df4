"""What a guess gains, from the definition alone: quadrature in extended precision and brute force over outputs.

A prior is a dictionary as in a decision file. Nothing here knows how the program computes: the densities are
written down again, cut at the edges of the correct guesses and at the output, and integrated panel by panel.
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

LONG = np.longdouble
_x, _w = np.polynomial.legendre.leggauss(20)
NODES, WEIGHTS = (_x.astype(LONG) + 1) / 2, _w.astype(LONG) / 2
PANELS = 120


def _same(u):
    return u


def _line(prior, tilt):
    """A coordinate u: x(u), log density in u, and the cuts of the panels. TILT is the growth that must be covered, per
    unit of x."""
    family = prior["family"]
    if family == "uniform":
        return _same, _same, lambda u: 0 * u, np.linspace(LONG(prior["low"]), LONG(prior["high"]), PANELS + 1)
    if family in ("normal", "truncated_normal"):
        mean, sd = LONG(prior["mean"]), LONG(prior["sd"])
        low = max(mean - 14 * sd - abs(tilt) * sd**2, LONG(prior.get("low", -math.inf)))
        high = min(mean + 14 * sd + abs(tilt) * sd**2, LONG(prior.get("high", math.inf)))
        if low >= high or high - low < sd / 1000 or low > mean + 10 * sd or high < mean - 10 * sd:
            low, high = LONG(prior["low"]), LONG(prior["high"])
        return _same, _same, lambda u: -(((u - mean) / sd) ** 2) / 2, np.linspace(low, high, PANELS + 1)
    if family == "lognormal":
        m, sd = LONG(prior["log_mean"]), LONG(prior["log_sd"])
        return np.exp, np.log, lambda u: -(((u - m) / sd) ** 2) / 2, np.linspace(m - 13 * sd, m + 13 * sd, PANELS + 1)
    if family == "exponential":
        rate = LONG(prior["rate"])
        return (
            _same,
            _same,
            lambda u: -rate * u,
            np.linspace(LONG(0), 50 / (rate - min(abs(tilt), rate * LONG(0.95))), 2 * PANELS + 1),
        )
    if family == "beta":
        a, b, low = LONG(prior["a"]), LONG(prior["b"]), LONG(prior.get("low", 0))
        width = LONG(prior.get("high", 1)) - low
        cuts = np.linspace(-60 / min(a, 1) - 5, 60 / min(b, 1) + 5, 4 * PANELS + 1)

        def value(u):
            return low + width / (1 + np.exp(-u))

        def inverse(x):
            return np.log((x - low) / (low + width - x))

        return value, inverse, lambda u: -a * np.log1p(np.exp(-u)) - b * np.log1p(np.exp(u)), cuts
    raise ValueError(family)


def pieces(prior, cuts, tilt):
    """Values x and masses of a prior with a density, the panels cut at CUTS (values of x)."""
    if prior["family"] == "histogram":
        values, masses = [], []
        for low, high, weight in zip(prior["edges"][:-1], prior["edges"][1:], prior["weights"], strict=True):
            if weight:
                marks = np.unique(
                    np.concatenate(
                        [np.linspace(LONG(low), LONG(high), 31), [c for c in cuts if low < c < high]]
                    ).astype(LONG)
                )
                wide = np.diff(marks)
                values.append((marks[:-1, None] + wide[:, None] * NODES).ravel())
                masses.append((wide[:, None] * WEIGHTS).ravel() * LONG(weight) / (LONG(high) - LONG(low)))
        return np.concatenate(values), np.concatenate(masses)
    x, back, log_density, marks = _line(prior, tilt)
    first, last = x(marks[0]), x(marks[-1])
    with np.errstate(all="ignore"):
        extra = [back(LONG(c)) for c in cuts if first < c < last]
    marks = np.unique(np.concatenate([marks, np.array(extra, dtype=LONG)]))
    wide = np.diff(marks)
    u = (marks[:-1, None] + wide[:, None] * NODES).ravel()
    logs = log_density(u)
    return x(u), np.exp(logs - logs.max()) * (wide[:, None] * WEIGHTS).ravel()


def _correct(values, truth, precision):
    return np.array(
        [
            abs(Fraction(repr(float(v))) - Fraction(repr(float(truth)))) <= Fraction(repr(float(precision)))
            for v in values
        ]
    )


def prior_probability(prior, truth, precision):
    """P(|X - truth| <= precision)."""
    return output(prior, truth, precision, 0.0, truth)


def output(prior, truth, precision, s, y):
    """E[e^(-s |X - y|/precision); correct] / E[e^(-s |X - y|/precision)]: the Laplace mechanism's posterior for s >
    0."""
    r = LONG(precision)
    if prior["family"] == "discrete":
        values = np.array(prior["points"], dtype=LONG)
        masses = np.array(prior.get("probabilities") or [1] * len(values), dtype=LONG)
        right = _correct(prior["points"], truth, precision)
    else:
        middle, half = Fraction(repr(float(truth))), Fraction(repr(float(precision)))
        low, high = LONG(float(middle - half)), LONG(float(middle + half))  # the decimals as they are written
        values, masses = pieces(prior, (low, high, LONG(y)), 0.0 if s >= 0 else float(s / r))
        right = (values >= low) & (values <= high)
    logs = -LONG(s) * np.abs(values - LONG(y)) / r
    weight = masses * np.exp(logs - logs.max())
    return float(weight[right].sum() / weight.sum())


def reach(prior, truth, precision):
    """The correct guesses cut to the support (a density's), as values."""
    low, high = {
        "uniform": lambda: (prior["low"], prior["high"]),
        "truncated_normal": lambda: (prior["low"], prior["high"]),
        "beta": lambda: (prior.get("low", 0), prior.get("high", 1)),
        "lognormal": lambda: (0, math.inf),
        "exponential": lambda: (0, math.inf),
        "normal": lambda: (-math.inf, math.inf),
        "histogram": lambda: (prior["edges"][0], prior["edges"][-1]),
    }[prior["family"]]()
    return max(low, truth - precision), min(high, truth + precision)


def exact(prior, truth, precision, epsilon, direction="rise", fine=24):
    """The supremum (rise) or infimum (drop) over outputs, by a grid over them and golden section around the best."""
    way = 1 if direction == "rise" else -1
    s = way * epsilon

    def score(y):
        return way * output(prior, truth, precision, s, y)

    if prior["family"] == "discrete":
        inside = [
            x for x, right in zip(prior["points"], _correct(prior["points"], truth, precision), strict=True) if right
        ]
        return way * max(score(y) for y in inside)
    low, high = reach(prior, truth, precision)
    grid = np.linspace(low, high, fine + 1)
    values = [score(y) for y in grid]
    best = int(np.argmax(values))
    a, b = grid[max(best - 1, 0)], grid[min(best + 1, fine)]
    golden = (math.sqrt(5) - 1) / 2
    x, y = b - golden * (b - a), a + golden * (b - a)
    at_x, at_y = score(x), score(y)
    for _ in range(26):
        if at_x >= at_y:
            b, y, at_y = y, x, at_x
            x = b - golden * (b - a)
            at_x = score(x)
        else:
            a, x, at_x = x, y, at_y
            y = a + golden * (b - a)
            at_y = score(y)
    return way * max(score((a + b) / 2), max(values))
