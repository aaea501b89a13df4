"""The smallest mu of a Gaussian trade-off curve that lies nowhere above that of a release (Dong, Roth & Su 2022)."""

from __future__ import annotations

import math

import numpy as np

from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accounting.lattice import Indices
from dpwizard.privacy.accounting.noises import Array
from dpwizard.privacy.accounting.readings import Readings

RAREST = 1e-15  # true-positive rates from there on count
COMMONEST = 1.0 - 1e-9
TILTS = (0.0, -4.0, -10.0, -20.0, -34.5)  # log chances near which the curve is sharp
LINES = 1_500  # of each of them
NODES = 500
CLOSE = 1e-4  # relative: how far the result may lie above the least
TURNS = 30
MOST_NODES = 200_000
SMALL = 1e-4  # a largest loss
BY_LOSS = 1.2534  # above 2 Phi^-1(1/2 + tanh(loss/2)/2), over the loss, up to SMALL
FAR = 650.0  # e^-epsilon can be written


def gdp_mu(history: Readings) -> float:
    """Return a mu whose Gaussian trade-off curve lies nowhere above that of HISTORY, for rates of RAREST or more.

    The largest of Phi^-1(b) - Phi^-1(g(b)) over true-positive rates b up to where g(b) = 1 - b; the two worlds are
    alike. **Never below the smallest such mu**, and mostly CLOSE above that of the bounds read; inf where g vanishes.
    A Gaussian curve through the corner of the curve of a largest loss lies below it, as it is convex.
    """
    by_loss = BY_LOSS * history.largest_loss if history.largest_loss <= SMALL else math.inf
    return min(by_loss, _by_lines(history)) if by_loss else 0.0


def _by_lines(history: Readings) -> float:
    """Return the same from the lines of HISTORY."""
    from scipy.special import ndtr, ndtri  # 0.1 s to load: only where it is needed

    lines = _lines(history)
    if not len(lines[0]):  # all losses are too large to be told apart
        return math.inf
    slopes, shares, starts = _envelope(*lines)

    def line(z: Array) -> Indices:
        return np.asarray(np.clip(np.searchsorted(starts, ndtr(z), side="right") - 1, 0, len(slopes) - 1))

    def quantile(z: Array) -> Array:
        """Return Phi^-1(g(b)) at b = Phi(Z)."""
        at = line(z)
        with np.errstate(divide="ignore"):
            alarms = np.maximum(slopes[at] * (ndtr(z) - shares[at]), 0.0) * (1.0 - 1e-13)
            return np.asarray(ndtri(np.minimum(alarms, 1.0)))

    ends = float(ndtri(RAREST)), float(ndtri(COMMONEST))
    with np.errstate(divide="ignore"):
        corners = ndtri(starts[(starts > RAREST) & (starts < COMMONEST)])
    z = np.unique(np.concatenate([np.linspace(*ends, NODES), corners]))
    y = quantile(z)
    beyond = np.flatnonzero(y >= -z)  # from there on g(b) >= 1 - b
    z, y = (each[: int(beyond[0]) + 1] if len(beyond) else each for each in (z, y))
    if math.isinf(float(y[0])):
        return math.inf
    for _ in range(TURNS):
        may_stop()
        most = _most_between(z, y, slopes[line(0.5 * (z[1:] + z[:-1]))])
        least = max(float(np.max(z - y)), 0.0)
        unsure = np.flatnonzero(most > least * (1.0 + CLOSE) + 1e-9)
        if not len(unsure) or len(z) + len(unsure) > MOST_NODES:
            break
        middle = 0.5 * (z[unsure] + z[unsure + 1])
        z, y = np.insert(z, unsure + 1, middle), np.insert(y, unsure + 1, quantile(middle))
    most = _most_between(z, y, slopes[line(0.5 * (z[1:] + z[:-1]))])
    return max(float(np.max(z - y)), float(np.max(most, initial=0.0)), 0.0) * (1.0 + 1e-9)


def _lines(history: Readings) -> tuple[Array, Array]:
    """Return e^-epsilon and delta at points of HISTORY: g is above e^-epsilon (b - delta) for each."""
    curves = [history.near_chance(log) for log in TILTS]
    kept = [np.unique(np.linspace(0, len(c.epsilons) - 1, LINES).astype(np.int64)) for c in curves]
    epsilons = np.concatenate([c.epsilons[each] for c, each in zip(curves, kept, strict=True)])
    deltas = np.concatenate([c.deltas[each] for c, each in zip(curves, kept, strict=True)])
    few = np.abs(epsilons) < FAR
    return np.exp(-epsilons[few]), deltas[few]


def _envelope(slopes: Array, shares: Array) -> tuple[Array, Array, Array]:
    """Return those of the lines SLOPES (b - SHARES) that are the largest somewhere, and the b from which each is."""
    order = np.lexsort((-shares, slopes))
    kept: list[tuple[float, float, float]] = []
    for slope, share in zip(slopes[order].tolist(), shares[order].tolist(), strict=True):
        start = 0.0
        while kept:
            before, other, since = kept[-1]
            start = (slope * share - before * other) / (slope - before) if slope > before else -math.inf
            if start > since:
                break
            kept.pop()
            start = 0.0
        kept.append((slope, share, start))
    found = np.array(kept)
    return found[:, 0], found[:, 1], found[:, 2]


def _most_between(z: Array, y: Array, slopes: Array) -> Array:
    """Return bounds on z - Phi^-1(g) between the nodes Z: on a line of slope s it grows by 1 - s phi(z)/phi(y).

    The density phi is smallest at an end of an interval, and largest at the point of it that is nearest to 0.
    """
    width = np.diff(z)
    smallest_z = _density(np.maximum(np.abs(z[1:]), np.abs(z[:-1])))
    largest_y = _density(np.where(y[1:] * y[:-1] <= 0.0, 0.0, np.minimum(np.abs(y[1:]), np.abs(y[:-1]))))
    with np.errstate(divide="ignore", invalid="ignore"):
        growth = np.clip(1.0 - slopes * smallest_z / largest_y, 0.0, 1.0)
    return np.asarray(np.minimum(z[:-1] - y[:-1] + width * growth, z[1:] - y[:-1]))


def _density(x: Array) -> Array:
    return np.asarray(np.exp(-0.5 * x * x))
