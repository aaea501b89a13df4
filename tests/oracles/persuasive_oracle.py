"""Persuasive Privacy straight from its definitions: densities, Bayes' rule, quadrature, enumeration, simulation.

Nothing here knows the closed forms of the program, and nothing is imported from it.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath as mp
import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm


def log_density(kind, scale, t):
    """Return the log density (or mass, up to a constant) of the noise at t; scale is b, 1/rate or sd."""
    return -0.5 * (t / scale) ** 2 if kind == "gaussian" else -abs(t) / scale


def noise_cdf(kind, scale, t):
    if kind == "gaussian":
        return float(norm.cdf(t / scale))
    return 0.5 * math.exp(t / scale) if t < 0 else 1 - 0.5 * math.exp(-t / scale)


def gain_of_output(kind, scale, values, prior, truth, t):
    """Return log posterior - log prior of the truth at the output t, by Bayes' rule."""
    total = sum(prior)
    logs = [log_density(kind, scale, t - v) for v in values]
    evidence = sum(p / total * math.exp(x - logs[truth]) for p, x in zip(prior, logs, strict=True))
    return -math.log(evidence)


def hold_continuous(kind, scale, values, prior, truth, kappa):
    """Return P(gain <= kappa) by finding every crossing on a fine grid of outputs and adding the pieces."""
    centre = values[truth]
    reach = 45 * scale if kind == "laplace" else 12 * scale
    grid = sorted(set(np.linspace(centre - reach, centre + reach, 6001)) | set(values))

    def excess(t):
        return gain_of_output(kind, scale, values, prior, truth, t) - kappa

    ends = [-math.inf]
    for a, b in itertools.pairwise(grid):
        left, right = excess(a), excess(b)
        if (left > 1e-15) != (right > 1e-15):
            ends.append(brentq(lambda t: excess(t) - 1e-15, a, b, xtol=1e-14, rtol=1e-15))
    ends.append(math.inf)
    total = 0.0
    for a, b in itertools.pairwise(ends):
        low, high = max(a, grid[0]), min(b, grid[-1])
        if excess((low + high) / 2) <= 1e-15:
            upper = 1.0 if b == math.inf else noise_cdf(kind, scale, b - centre)
            lower = 0.0 if a == -math.inf else noise_cdf(kind, scale, a - centre)
            total += upper - lower
    return total


def hold_geometric(rate, values, prior, truth, kappa):
    """Return P(gain <= kappa) by going through every whole output of any weight."""
    alpha, total = math.exp(-rate), 0.0
    for k in range(-int(60 / rate) - 2, int(60 / rate) + 3):
        gain = gain_of_output("geometric", 1 / rate, values, prior, truth, values[truth] + k)
        if gain <= kappa + 1e-13 * (1 + abs(kappa)):
            total += (1 - alpha) / (1 + alpha) * alpha ** abs(k)
    return total


def hold_table(px, pxp, w, kappa):
    """Return P(gain <= kappa) output by output."""
    total = 0.0
    for p, q in zip(px, pxp, strict=True):
        evidence = w * p + (1 - w) * q
        if p > 0 and evidence > 0 and math.log(p / evidence) <= kappa + 1e-13:
            total += p
    return total


def hockey_stick_continuous(kind, scale, shift, epsilon):
    """Return int max(0, m(t) - e^eps m(t - shift)) dt to thirty digits."""
    mp.mp.dps = 30
    scale, shift, epsilon = mp.mpf(scale), mp.mpf(shift), mp.mpf(epsilon)

    def density(t):
        if kind == "gaussian":
            return mp.exp(-((t / scale) ** 2) / 2) / (scale * mp.sqrt(2 * mp.pi))
        return mp.exp(-abs(t) / scale) / (2 * scale)

    turn = shift / 2 - epsilon * scale**2 / shift if kind == "gaussian" else (shift - epsilon * scale) / 2
    if kind == "laplace" and epsilon >= shift / scale:
        return 0.0
    lowest = turn - 40 * scale
    cuts = sorted(
        {
            lowest,
            turn,
            *[x for x in (mp.mpf(0), shift) if lowest < x < turn],
            turn - scale,
            turn - 6 * scale,
            turn - 15 * scale,
        }
    )
    return float(mp.quad(lambda t: density(t) - mp.exp(epsilon) * density(t - shift), cuts))


def hockey_stick_geometric(rate, shift, epsilon):
    alpha = math.exp(-rate)
    masses = range(-int(60 / rate) - shift - 2, int(60 / rate) + shift + 3)
    share = (1 - alpha) / (1 + alpha)
    return math.fsum(max(0.0, share * (alpha ** abs(k) - math.exp(epsilon) * alpha ** abs(k - shift))) for k in masses)


# --------------------------------------------------------------------------------- two outputs


def loss_at_most(mechanism, v):
    """Return P(loss <= v) of one mechanism from its outputs: the loss falls as the output moves away from the
    neighbour."""
    kind = mechanism["kind"]
    if kind == "table":
        pairs = zip(mechanism["px"], mechanism["pxp"], strict=True)
        return sum(p for p, q in pairs if p > 0 and q > 0 and math.log(p / q) <= v + 1e-13)
    s = mechanism["sensitivity"]
    if kind == "geometric":
        rate = mechanism["rate"]
        alpha = math.exp(-rate)
        ks = range(-int(50 / rate) - 2, int(50 / rate) + 3)
        return sum((1 - alpha) / (1 + alpha) * alpha ** abs(k) for k in ks if rate * (abs(s - k) - abs(k)) <= v + 1e-13)
    scale = mechanism["scale"] if kind == "laplace" else mechanism["sd"]

    def loss(t):
        return log_density(kind, scale, t) - log_density(kind, scale, t - s)

    far = 60 * scale + s
    if loss(-far) <= v + 1e-13:
        return 1.0
    if loss(far) > v + 1e-13:
        return 0.0
    low, high = -far, far  # the loss exceeds v at low and not at high
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (low, middle) if loss(middle) <= v + 1e-13 else (middle, high)
    return 1 - noise_cdf(kind, scale, high)


def compose_hold(first, second, epsilon):
    """Return P(loss1 + loss2 <= epsilon): add or integrate over the first output, the second by its own law."""
    kind = first["kind"]
    if kind == "table":
        pairs = zip(first["px"], first["pxp"], strict=True)
        return sum(p * loss_at_most(second, epsilon - math.log(p / q)) for p, q in pairs if p > 0 and q > 0)
    s = first["sensitivity"]
    if kind == "geometric":
        rate = first["rate"]
        alpha = math.exp(-rate)
        ks = range(-int(50 / rate) - 2, int(50 / rate) + 3)
        share = (1 - alpha) / (1 + alpha)
        return sum(share * alpha ** abs(k) * loss_at_most(second, epsilon - rate * (abs(s - k) - abs(k))) for k in ks)
    if second["kind"] in ("table", "geometric"):
        return compose_hold(second, first, epsilon)
    scale = first["scale"] if kind == "laplace" else first["sd"]

    def loss(t):
        return log_density(kind, scale, t) - log_density(kind, scale, t - s)

    def inside(t):
        density = math.exp(log_density(kind, scale, t)) / (
            scale * (math.sqrt(2 * math.pi) if kind == "gaussian" else 2)
        )
        return density * loss_at_most(second, epsilon - loss(t))

    cuts = {0.0, s}
    if second["kind"] == "laplace":  # its law jumps at +- its full loss
        full = second["sensitivity"] / second["scale"]
        for level in (epsilon - full, epsilon + full):
            if loss(-60 * scale - s) > level > loss(60 * scale + s):
                cuts.add(brentq(lambda t, level=level: loss(t) - level, -60 * scale - s, 60 * scale + s, xtol=1e-14))
    edges = [-40 * scale - s, *sorted(cuts), 40 * scale + s]
    steps = sorted({x for a, b in itertools.pairwise(edges) for x in np.linspace(a, b, 9)})
    return math.fsum(quad(inside, a, b, epsabs=1e-13, epsrel=1e-12, limit=200)[0] for a, b in itertools.pairwise(steps))


# ------------------------------------------------------------------------------ Gaussian beliefs


def dawid_sebastiani_gain(a, z, rho, psi, g):
    """Return the drop in the score of one standardised value when (statistic + noise) is seen: two-variable
    conditioning."""
    seen = z + math.sqrt(psi) * g
    variance = 1 - rho**2 / (1 + psi)
    mean = rho / (1 + psi) * seen
    return (a**2 + math.log(1.0)) - ((a - mean) ** 2 / variance + math.log(variance))


def dawid_sebastiani_hold(a, z, rho, psi, kappa):
    """Return P(gain <= kappa) by finding every crossing in the noise."""
    grid = np.linspace(-12, 12, 4801)

    def excess(g):
        return dawid_sebastiani_gain(a, z, rho, psi, g) - kappa

    ends = [-math.inf]
    for low, high in itertools.pairwise(grid):
        if (excess(low) > 0) != (excess(high) > 0):
            ends.append(brentq(excess, low, high, xtol=1e-15))
    ends.append(math.inf)
    pieces = itertools.pairwise(ends)
    return sum(norm.cdf(b) - norm.cdf(a) for a, b in pieces if excess((max(a, -12) + min(b, 12)) / 2) <= 0)


def conditional(covariance, matrix, noise, index, mean=None, data=None, output=None):
    """Return (R_i^2, M^2, gain) to fifty digits by solving the normal equations; the outputs must not be redundant."""
    mp.mp.dps = 60
    sigma, a = mp.matrix(covariance), mp.matrix(matrix)
    n, m = sigma.rows, a.rows
    spread = a * sigma * a.T + (mp.matrix(noise) if noise is not None else mp.zeros(m, m))
    loads = a * sigma[:, index]
    weights = mp.lu_solve(spread, loads)
    known = (loads.T * weights)[0]
    share = known / sigma[index, index]
    mu = mp.matrix(mean if mean is not None else [0] * n)
    x = mp.matrix(data if data is not None else [0] * n)
    seen = (mp.matrix(output) if output is not None else a * x) - a * mu
    distance = (seen.T * mp.lu_solve(spread, seen))[0]
    posterior = mu[index] + (weights.T * seen)[0]
    left = sigma[index, index] - known
    before = (x[index] - mu[index]) ** 2 / sigma[index, index]
    gain = before - (x[index] - posterior) ** 2 / left - mp.log(left / sigma[index, index])
    return share, distance, gain


def condition_number(covariance):
    """Return the condition number of the correlations by a fifty-digit eigenvalue solver."""
    mp.mp.dps = 50
    n = len(covariance)
    sigma = mp.matrix(covariance)
    phi = mp.matrix(n, n)
    for i in range(n):
        for j in range(n):
            phi[i, j] = sigma[i, j] / mp.sqrt(sigma[i, i] * sigma[j, j])
    values = mp.eigsy(phi, eigvals_only=True)
    return max(values) / min(values)


# ----------------------------------------------------------------------------------- intervals


def best_centre(prior_sd, scale, length, output):
    """Return the centre of the most probable interval after output = value + Laplace noise, by maximising its mass."""
    h = length / 2

    def minus_log_ratio(c):  # at the best centre the density at both ends is equal; maximise the mass directly
        def density(x):
            return math.exp(-0.5 * (x / prior_sd) ** 2 - abs(output - x) / scale + abs(output) / scale)

        points = [p for p in (output,) if c - h < p < c + h]
        return -quad(density, c - h, c + h, points=points or None, epsabs=1e-14, epsrel=1e-12)[0]

    found = minimize_scalar(
        minus_log_ratio, bounds=(-abs(output) - 1e-9, abs(output) + 1e-9), method="bounded", options={"xatol": 1e-10}
    )
    return float(found.x)


def gaussian_interval_loss(prior_sd, sd, length, distance):
    """Return P(posterior mean within length/2 of the truth), the truth at DISTANCE, by integrating over the noise."""
    if distance <= length / 2:
        return 0.0
    shrink = prior_sd**2 / (prior_sd**2 + sd**2)
    low, high = (distance - length / 2) / shrink, (distance + length / 2) / shrink  # the outputs that place it
    return quad(norm(distance, sd).pdf, low, high, epsabs=1e-14, points=[distance] if low < distance < high else None)[
        0
    ]


def laplace_interval_loss(prior_sd, scale, length, distance):
    """Return the same for Laplace noise with the centre clip(k T, +-tau^2/b), by adding up a fine grid of outputs."""
    if distance <= length / 2:
        return 0.0
    noise = (np.arange(2_000_001) - 1_000_000 + 0.5) * (40 * scale / 1_000_000)
    k = 2 * prior_sd**2 / (length * scale + 2 * prior_sd**2)
    centre = np.clip(k * (distance + noise), -(prior_sd**2) / scale, prior_sd**2 / scale)
    density = np.exp(-np.abs(noise) / scale) / (2 * scale)
    return float(density[np.abs(centre - distance) <= length / 2].sum() * 40 * scale / 1_000_000)


# ------------------------------------------------------------------------------- discrete sums


def discrete_sum_gain(priors, data, index):
    """Return log(posterior/prior) by listing every combination of values, in fractions."""
    atoms = []
    for prior in priors:
        points = prior["points"]
        masses = prior.get("probabilities") or [1] * len(points)
        total = sum(Fraction(str(m)) for m in masses)
        atoms.append([(Fraction(str(x)), Fraction(str(m)) / total) for x, m in zip(points, masses, strict=True)])
    want = sum(Fraction(str(x)) for x in data)
    truth = Fraction(str(data[index]))
    prior_mass = sum(m for x, m in atoms[index] if x == truth)
    fits = both = Fraction(0)
    for combination in itertools.product(*atoms):
        if sum(x for x, _ in combination) == want:
            chance = math.prod(m for _, m in combination)
            fits += chance
            if combination[index][0] == truth:
                both += chance
    return math.log(both / fits / prior_mass)
