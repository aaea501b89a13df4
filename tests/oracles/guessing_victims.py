"""An attack on the worst victim: random priors, nasty ones too, and truths looked for that gain more than was promised.

Independent of the program: the prior is cut into some hundred slices anew for each truth, finest around it, with masses
from the distribution function; the posterior is a plain sum over slices for each of many outputs. A truth that comes
near the promise is judged again by `guessing_exact` (forty digits) where that knows the family, else by quadrature in
extended precision.
"""

from __future__ import annotations

import itertools
import math

import mpmath as mp
import numpy as np
from scipy import special

from tests.oracles import guessing_exact

FAMILIES = ("uniform", "normal", "truncated_normal", "lognormal", "exponential", "beta", "discrete", "histogram")
NEAR = 1e-3  # a truth that gains at least 1 - NEAR times what was promised is judged again
LEEWAY = {"beta": 1e-5, "lognormal": 1e-5}  # of what is promised, by quadrature; else 1e-9


def digits(rng, low, high):
    """A number between LOW and HIGH on a log scale, with few digits."""
    return float(f"{math.exp(rng.uniform(math.log(low), math.log(high))):.4g}")


def a_prior(rng, family):
    """A prior and the length over which it is spread."""
    scale, start = digits(rng, 0.1, 100), rng.choice((0.0, 0.0, -7.0, 1000.0))
    if family == "uniform":
        return {"family": family, "low": start, "high": start + scale}, scale
    if family == "normal":
        return {"family": family, "mean": start, "sd": scale}, scale
    if family == "truncated_normal":
        low = start + scale * rng.choice((-0.5, -3.0, 1.0, 4.0))
        return {
            "family": family,
            "mean": start,
            "sd": scale,
            "low": low,
            "high": low + scale * digits(rng, 0.05, 6),
        }, scale
    if family == "lognormal":
        sd = digits(rng, 0.05, 2.0)
        return {"family": family, "log_mean": rng.uniform(-1, 3), "log_sd": sd}, math.exp(1) * min(sd, 1)
    if family == "exponential":
        return {"family": family, "rate": 1 / scale}, scale
    if family == "beta":
        a, b = (rng.choice((0.1, 0.1, 0.3, 0.5, 0.9, 1.0, 1.5, 2.0, 5.0, 40.0)) for _ in range(2))
        return {"family": family, "a": a, "b": b, "low": start, "high": start + scale}, scale
    if family == "discrete":
        points = [start + scale * rng.choice((rng.random(), round(rng.random(), 1))) for _ in range(rng.randint(2, 9))]
        points += [rng.choice(points) + rng.choice((0.0, 1e-9, 1e-5, 1e-2)) * scale for _ in range(rng.randint(0, 4))]
        return {"family": family, "points": points, "probabilities": [digits(rng, 1e-3, 1) for _ in points]}, scale
    marks = {start, start + scale}
    for _ in range(rng.randint(1, 7)):
        place = start + scale * rng.random()
        marks |= {place, place + scale * rng.choice((0.1, 1e-2, 1e-4, 1e-6))}  # needles
    edges = sorted(float(f"{mark:.9g}") for mark in marks)
    edges = [edge for i, edge in enumerate(edges) if i == 0 or edge > edges[i - 1]]
    weights = [rng.choice((0.0, 1.0, 1.0, digits(rng, 1e-3, 10))) for _ in edges[1:]]
    weights[rng.randrange(len(weights))] = 1.0
    return {"family": family, "edges": edges, "weights": weights}, scale


def a_case(rng, family):
    """A prior, a precision (tiny, fitting or huge beside it), and a direction."""
    prior, scale = a_prior(rng, family)
    return (
        prior,
        digits(rng, 1e-3, 3) * scale if rng.random() < 0.9 else digits(rng, 1e-5, 30) * scale,
        rng.choice(("rise", "rise", "drop")),
    )


def distribution(prior):
    """P(X <= x) and P(X > x) for arrays; the support."""
    family = prior["family"]
    if family in ("normal", "truncated_normal"):
        m, sd = prior["mean"], prior["sd"]
        if family == "normal":
            return lambda x: special.ndtr((x - m) / sd), lambda x: special.ndtr((m - x) / sd), (-math.inf, math.inf)
        low, high = prior["low"], prior["high"]
        flip = low > m
        left = special.ndtr((m - high) / sd) if flip else special.ndtr((low - m) / sd)
        right = special.ndtr((m - low) / sd) if flip else special.ndtr((high - m) / sd)

        def below(x):
            z = special.ndtr((m - x) / sd) if flip else special.ndtr((x - m) / sd)
            return np.clip((right - z) / (right - left) if flip else (z - left) / (right - left), 0, 1)

        return below, lambda x: 1 - below(x), (low, high)
    if family == "lognormal":
        m, sd = prior["log_mean"], prior["log_sd"]

        def score(x):
            return (np.log(np.maximum(x, 1e-300)) - m) / sd

        return lambda x: special.ndtr(score(x)), lambda x: special.ndtr(-score(x)), (0.0, math.inf)
    if family == "exponential":
        k = prior["rate"]
        return lambda x: -np.expm1(-k * np.maximum(x, 0)), lambda x: np.exp(-k * np.maximum(x, 0)), (0.0, math.inf)
    if family == "beta":
        low, width = prior["low"], prior["high"] - prior["low"]
        a, b = prior["a"], prior["b"]
        return (
            lambda x: special.betainc(a, b, np.clip((x - low) / width, 0, 1)),
            lambda x: special.betaincc(a, b, np.clip((x - low) / width, 0, 1)),
            (low, low + width),
        )
    edges = np.array([prior["low"], prior["high"]] if family == "uniform" else prior["edges"])
    weights = np.array([1.0] if family == "uniform" else prior["weights"])
    sums = np.append(0, np.cumsum(weights)) / weights.sum()
    filled = np.flatnonzero(weights)
    return (
        lambda x: np.interp(x, edges, sums),
        lambda x: 1 - np.interp(x, edges, sums),
        (edges[filled[0]], edges[filled[-1] + 1]),
    )


def truths(rng, prior, precision, epsilon):
    """Truths to try, all in the support."""
    if prior["family"] == "discrete":
        return [x for x, m in zip(prior["points"], prior["probabilities"], strict=True) if m]
    _, _, (low, high) = distribution(prior)
    first, last = low, high
    if math.isinf(high):
        spread = prior.get("sd") or 1 / prior.get("rate", 1.0)
        middle = prior.get("mean", 0.0) if prior["family"] != "lognormal" else math.exp(prior["log_mean"])
        spread = spread if prior["family"] != "lognormal" else middle
        far = spread * 4 + min(epsilon * spread * spread / precision, 30 * spread) + 3 * precision
        first, last = (middle - far if math.isinf(low) else low), middle + far
    found = [first, last, *np.linspace(first, last, 24), *(rng.uniform(first, last) for _ in range(16))]
    kinks = [x for x in (low, high) if math.isfinite(x)] + list(prior.get("edges", ()))
    for kink in kinks:
        for side in (-1, 0, 1):
            found += [
                kink + side * precision + nudge * precision
                for nudge in (0, -1e-3, 1e-3, rng.uniform(-1, 1) / (1 + epsilon))
            ]
    if prior["family"] == "lognormal":
        found += [math.exp(prior["log_mean"] + z * prior["log_sd"]) for z in np.linspace(-4, 8, 20)]
    if prior["family"] in ("normal", "truncated_normal"):
        found += [prior["mean"] + z * prior["sd"] for z in np.linspace(-6, 6, 17)]
        found += [prior["mean"] + side * precision + z * prior["sd"] for side in (-1, 1) for z in np.linspace(-3, 3, 9)]
    if prior["family"] == "histogram":
        bins = [(a, b) for a, b, w in zip(prior["edges"][:-1], prior["edges"][1:], prior["weights"], strict=True) if w]
        found += [rng.uniform(a, b) for a, b in bins for _ in range(2)]
        found = [x for x in found if any(a <= x <= b for a, b in bins)]
    return sorted({float(x) for x in found if low <= x <= high and math.isfinite(x)})


def gain(prior, truth, precision, epsilon, direction, outputs=33, told=False):
    """About |posterior - prior| at the worst of OUTPUTS outputs: never much above the supremum."""
    if prior["family"] == "discrete":
        return float(guessing_exact.Prior(prior, truth, precision).gain(epsilon, direction))
    below, above, (low, high) = distribution(prior)
    way = 1 if direction == "rise" else -1
    s = way * epsilon / precision
    a, b = max(low, truth - precision), min(high, truth + precision)
    reach = 40 / abs(s)
    first = low if math.isfinite(low) else min(truth - precision - reach, prior["mean"] - 9 * prior["sd"])
    last = high if math.isfinite(high) else max(truth + precision + reach, 1.0)
    if math.isinf(high):
        middle = prior.get("mean") or 0.0
        spread = {"normal": 9 * prior.get("sd", 0), "exponential": 40 / prior.get("rate", 1)}.get(prior["family"])
        spread = math.exp(prior["log_mean"] + 8 * prior["log_sd"]) if spread is None else spread
        last = max(last, middle + spread)
        if direction == "drop" and prior["family"] == "normal":
            first, last = first - abs(s) * prior["sd"] ** 2, last + abs(s) * prior["sd"] ** 2
    marks = [np.linspace(first, last, 160), np.linspace(a, b, 240), np.array(prior.get("edges", ()))]
    for edge, side in ((a, -1), (b, 1)):
        marks.append(edge + side * np.geomspace(1e-3, 1, 60) * min(reach, last - first))
        marks.append(edge - side * np.geomspace(1e-6, 1, 60) * (b - a))
    if math.isfinite(low) and prior["family"] in ("beta", "lognormal"):
        marks.append(low + np.geomspace(1e-15, 1, 240) * (min(last, low + 1e6) - low))
    if math.isfinite(high) and prior["family"] == "beta":
        marks.append(high - np.geomspace(1e-15, 1, 240) * (high - low))
    cuts = np.unique(np.concatenate([np.concatenate(marks), [a, b]]))
    cuts = cuts[(cuts >= first) & (cuts <= last)]
    lower, upper = below(cuts), above(cuts)
    masses = np.where(lower[1:] < 0.5, np.diff(lower), -np.diff(upper))
    middles, widths = (cuts[1:] + cuts[:-1]) / 2, np.diff(cuts)
    right = (middles > a) & (middles < b)
    if not masses.sum() > 0:
        return (0.0, truth) if told else 0.0
    p = float(masses[right].sum() / masses.sum())

    def after(places):
        near = np.abs(middles - places[:, None])
        logs = -s * near
        x = s * widths / 2
        with np.errstate(all="ignore"):
            bulge = np.where(np.abs(x) > 1e-6, np.sinh(np.clip(x, -300, 300)) / np.where(x == 0, 1, x), 1.0)
            weights = np.exp(logs - logs.max(axis=1, keepdims=True)) * (masses * bulge)
            shares = weights[:, right].sum(axis=1) / weights.sum(axis=1)
        return np.where(np.isfinite(shares), shares, p)  # so far out that no mass is left to tell

    places = np.unique(
        np.concatenate(
            [np.linspace(a, b, outputs), np.quantile(cuts[(cuts >= a) & (cuts <= b)], np.linspace(0, 1, 17))]
        )
    )
    found = way * (after(places) - p)
    for _ in range(2):
        best = int(np.argmax(found))
        places = np.linspace(places[max(best - 1, 0)], places[min(best + 1, places.size - 1)], outputs)
        found = way * (after(places) - p)
    best = int(np.argmax(found))
    return (float(found[best]), float(places[best])) if told else float(found[best])


def best_outputs(prior, truth, precision, epsilon, direction):
    """The best output that the slices found."""
    return [gain(prior, truth, precision, epsilon, direction, told=True)[1]]


def judged(prior, truth, precision, epsilon, direction):
    """The same at the best output that the slices found: in forty digits, or by quadrature to about six."""
    if prior["family"] not in ("beta", "lognormal"):
        return float(guessing_exact.Prior(prior, truth, precision).gain(epsilon, direction))
    way = 1 if direction == "rise" else -1
    s = way * mp.mpf(epsilon) / mp.mpf(precision)
    low, high = distribution(prior)[2]
    a, b = max(low, truth - precision), min(high, truth + precision)
    if prior["family"] == "beta":
        width, p, q = high - low, mp.mpf(prior["a"]), mp.mpf(prior["b"])

        def integral(weight, x, y):
            """From each end, in the power of the distance in which an infinite density there is flat."""
            upper = (x + y) / 2 > low + width / 2
            own, other = (q, p) if upper else (p, q)
            power = min(own, mp.mpf(1))
            ends = sorted(((high - mp.mpf(z)) / width if upper else (mp.mpf(z) - low) / width) ** power for z in (x, y))

            def slice_of(w):
                near = w ** (1 / power)
                if not 0 < near < 1:
                    return mp.mpf(0)
                value = high - width * near if upper else low + width * near
                return near ** (own - power) * (1 - near) ** (other - 1) * weight(value)

            try:
                return mp.quad(slice_of, ends) / power
            except ZeroDivisionError:  # its estimate of the error divides by one that is 0
                return mp.quad(slice_of, ends, method="gauss-legendre") / power

    else:
        m, sd = prior["log_mean"], prior["log_sd"]

        def integral(weight, x, y):
            return mp.quad(
                lambda t: mp.exp(-(((mp.log(t) - m) / sd) ** 2) / 2) / t * weight(t) if t > 0 else mp.mpf(0), [x, y]
            )

    last = (
        high
        if math.isfinite(high)
        else max(b, math.exp(prior["log_mean"] + 9 * prior["log_sd"])) + 50 * precision / epsilon
    )
    unit = min(precision, precision / epsilon)
    steps = [unit * 4.0**i for i in range(-2, 24)]
    cuts = {
        low,
        last,
        a,
        b,
        *(low + (last - low) * 10.0**-i for i in range(1, 13)),
        *(last - (last - low) * 10.0**-i for i in range(1, 13)),
    }
    cuts |= {edge + side * step for edge in (a, b) for side in (-1, 1) for step in steps}
    with mp.workdps(18):
        best = mp.mpf(0)
        for c in best_outputs(prior, truth, precision, epsilon, direction):
            inner = sorted({*(x for x in cuts if low <= x <= last), c})
            before, after = [mp.mpf(0), mp.mpf(0)], [mp.mpf(0), mp.mpf(0)]
            for x, y in itertools.pairwise(inner):
                right = a <= x and y <= b
                before[right] += integral(lambda t: 1, x, y)
                after[right] += integral(lambda t, c=c: mp.exp(-s * abs(t - c)), x, y)
            best = max(best, way * (after[1] / sum(after) - before[1] / sum(before)))
    return float(best)


def better_victim(rng, prior, precision, epsilon, direction, promised, most=90):
    """A truth that gains more than PROMISED at EPSILON, with what it gains; None where none is found."""
    tried = truths(rng, prior, precision, epsilon)
    tried = rng.sample(tried, most) if len(tried) > most else tried
    gains = {x: gain(prior, x, precision, epsilon, direction) for x in tried}
    order = sorted(gains, key=gains.get, reverse=True)
    if prior["family"] not in ("discrete", "histogram"):  # climb from the best: halve the gaps to its neighbours
        step = (max(tried) - min(tried)) / 16
        best = order[0]
        for _ in range(12):
            for x in (best - step, best + step):
                low, high = distribution(prior)[2]
                if low <= x <= high and x not in gains:
                    gains[x] = gain(prior, x, precision, epsilon, direction)
            best = max(gains, key=gains.get)
            step /= 2.5
        order = sorted(gains, key=gains.get, reverse=True)
    for x in order[:3]:
        if gains[x] > promised * (1 - NEAR):
            sure = judged(prior, x, precision, epsilon, direction)
            if sure > promised * (1 + LEEWAY.get(prior["family"], 1e-9)) + 1e-12:
                return x, sure
    return None
