"""Noise as it is added, and what one output reveals: scales, and the distribution of the loss on a grid."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr

Floats = NDArray[np.float64]
GAUSSIAN = ("gaussian", "discrete_gaussian")
WHOLE = ("geometric", "discrete_gaussian")  # it takes whole values
CELLS = 1500  # of the grid on which losses are added up
WIDE = 5000.0  # whole noise that is wider is as good as noise that is not whole
NARROW = 1e-3  # whole noise that is narrower is none
PACE = 1.004  # in which steps the least noise is looked for, as a program may: what lies between is not seen
FAR_OUT = 14.0  # standard deviations of whole noise that are looked at
SPREAD = 9.0  # standard deviations of a Gaussian loss that are looked at


def gaussian_delta(mu: float, epsilon: float) -> float:
    """Return the hockey-stick divergence of two normal laws MU standard deviations apart (Balle & Wang 2018, Thm 8)."""
    if mu <= 0.0:
        return 0.0
    first, second = log_ndtr(mu / 2 - epsilon / mu), epsilon + log_ndtr(-mu / 2 - epsilon / mu)
    return float(max(0.0, math.exp(first) - math.exp(min(second, 700.0))))


@functools.lru_cache(maxsize=4096)
def gaussian_mu(epsilon: float, delta: float) -> float:
    """Return the largest distance, in standard deviations, at which Gaussian noise is (EPSILON, DELTA) private."""
    low, high = 1e-12, 1e6
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if gaussian_delta(middle, epsilon) <= delta else (low, middle)
        if high <= low * (1 + 1e-14):
            break
    return low


# ----------------------------------------------------------------------------- noise on whole numbers, and its budgets


@functools.lru_cache(maxsize=512)
def lattice(sigma: float) -> tuple[int, Floats]:
    """Return how far discrete normal noise is looked at, and P(noise >= k) from minus so far to one beyond."""
    far = math.ceil(FAR_OUT * sigma) + 2
    weights = np.exp(-(np.arange(-far, far + 1) ** 2) / (2.0 * sigma**2))
    tails = np.append(np.cumsum((weights / weights.sum())[::-1])[::-1], 0.0)
    return far, tails


def whole_delta(sigma: float, steps: int, epsilon: float) -> float:
    """Return the hockey-stick divergence of discrete normal noise and the same moved by whole STEPS."""
    far, tails = lattice(sigma)
    if steps >= 2 * far:
        return 1.0
    return float(np.max(tails[: 2 * far + 2 - steps] - math.exp(min(epsilon, 700.0)) * tails[steps:], initial=0.0))


@functools.lru_cache(maxsize=4096)
def whole_sigma(steps: int, epsilon: float, delta: float) -> float:
    """Return the least sigma from which one discrete normal number is (EPSILON, DELTA) private, sought downwards.

    Some less noise may be private again: delta neither falls nor rises with sigma.
    """
    high = steps / cks_mu(epsilon, delta)  # enough by zCDP
    if high > WIDE:
        return steps / gaussian_mu(epsilon, delta)
    if high < NARROW:
        return high
    low = high / PACE
    while whole_delta(low, steps, epsilon) <= delta and low > NARROW:
        low, high = low / PACE, low
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (low, middle) if whole_delta(middle, steps, epsilon) <= delta else (middle, high)
    return high


def cks_epsilon(rho: float, delta: float) -> float:
    """Return the epsilon that zCDP of RHO gives with DELTA (Canonne, Kamath & Steinke 2020, Proposition 7)."""
    low, high = math.log(1e-6), math.log(1e12)
    for _ in range(8):
        line = np.linspace(low, high, 120)
        over = np.exp(line)
        found = (1 + over) * rho + np.log(over / (1 + over)) - np.log(delta * (1 + over)) / over
        at = int(np.argmin(found))
        low, high = line[max(at - 1, 0)], line[min(at + 1, len(line) - 1)]
    return max(float(found.min()), 0.0)


@functools.lru_cache(maxsize=4096)
def cks_mu(epsilon: float, delta: float) -> float:
    """Return the largest mu whose rho, mu^2/2, gives no more than EPSILON with DELTA."""
    low, high = 1e-12, 1e4
    for _ in range(70):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if cks_epsilon(middle * middle / 2, delta) <= epsilon else (low, middle)
    return low


# ----------------------------------------------------------------------------- one coordinate's loss


def _laplace_tail(level: float, at: Floats) -> Floats:
    """P(loss >= t) for a shift of LEVEL scales: the loss is LEVEL left of the truth, -LEVEL right of the other."""
    inside = 1.0 - 0.5 * np.exp(-(level - np.clip(at, -level, level)) / 2)
    return np.where(at <= -level, 1.0, np.where(at > level, 0.0, inside))


def _gaussian_tail(mu: float, at: Floats) -> Floats:
    return np.asarray(ndtr(mu / 2 - at / mu), dtype=np.float64)


def geometric_losses(rate: float, steps: int) -> tuple[Floats, Floats]:
    """Return the losses of a shift by whole STEPS, noise k having probability in proportion to e^(-RATE |k|)."""
    alpha = math.exp(-rate)
    inside = np.arange(1, steps)
    losses = np.concatenate(([steps], steps - 2.0 * inside, [-steps])) * rate
    masses = np.concatenate(([1.0], (1 - alpha) * alpha**inside, [alpha**steps])) / (1 + alpha)
    return losses, masses


def _width(law: str, size: float, steps: int, times: int) -> float:
    far = size * max(steps, 1)
    return times * (2 * SPREAD * far + far * far if law == "discrete_gaussian" else 2 * far)


class Loss:
    """The loss of a pair of worlds on a grid, each coordinate's rounded down (and up): its sum is below (above)."""

    def __init__(self, parts: Sequence[tuple[str, float, int, int]], cells: int = CELLS) -> None:
        """PARTS: (law, level or rate or mu, whole steps of geometric noise, how many times)."""
        parts = [part for part in parts if part[1] > 0.0 and part[3] > 0]
        gaussian = math.sqrt(sum(size * size * times for law, size, _, times in parts if law == "gaussian"))
        rest = [part for part in parts if part[0] != "gaussian"]
        widest = sum(_width(*part) for part in rest)
        widest += (2 * SPREAD * gaussian + gaussian**2) if gaussian else 0.0
        self.most = (
            math.inf
            if gaussian or any(law in GAUSSIAN for law, *_ in rest)
            else sum(size * max(steps, 1) * times for _, size, steps, times in rest)
        )
        self.grain = max(widest, 1e-12) / cells
        self.number = sum(times for *_, times in rest) + bool(gaussian)
        self.start, self.down, self.up = 0, np.ones(1), np.ones(1)
        for law, size, steps, times in rest:
            start, down, up = self._cells(law, size, steps)
            for _ in range(times):
                self._add(start, down, up)
        if gaussian:
            self._add(*self._cells("gaussian", gaussian, 0))

    def _add(self, start: int, down: Floats, up: Floats) -> None:
        self.start += start
        self.down, self.up = np.convolve(self.down, down), np.convolve(self.up, up)

    def _cells(self, law: str, size: float, steps: int) -> tuple[int, Floats, Floats]:
        h = self.grain
        if law == "geometric":
            losses, masses = geometric_losses(size, steps)
            low = math.floor(losses.min() / h) - 1
            count = math.ceil(losses.max() / h) + 2 - low
            down, up = np.zeros(count), np.zeros(count)
            np.add.at(down, np.floor(losses / h + 1e-9).astype(int) - low, masses)
            np.add.at(up, np.ceil(losses / h - 1e-9).astype(int) - low, masses)
            return low, down, up
        if law == "discrete_gaussian" and size * WIDE < 1.0:
            law, size = "gaussian", size * steps
        if law == "discrete_gaussian":  # the size is one over sigma
            far, tails = lattice(1 / size)
            mass = tails[:-1] - tails[1:]
            losses = steps * (2.0 * np.arange(-far, far + 1) + steps) * size * size / 2
            kept = np.abs(losses - (steps * size) ** 2 / 2) <= SPREAD * steps * size
            at, dropped = losses[kept], float(mass[~kept & (losses > 0)].sum())
            low = math.floor(at.min() / h) - 1
            count = math.ceil(at.max() / h) + 2 - low
            down, up = np.zeros(count), np.zeros(count)
            np.add.at(down, np.floor(at / h + 1e-9).astype(int) - low, mass[kept])
            np.add.at(up, np.ceil(at / h - 1e-9).astype(int) - low, mass[kept])
            down[0] += 1.0 - dropped - down.sum()
            up[-1] += 1.0 - up.sum()
            return low, down, up
        if law == "laplace":
            reach, tail = size, _laplace_tail
            low, high = math.floor(-reach / h) - 1, math.ceil(reach / h) + 1
        else:
            tail = _gaussian_tail
            low = math.floor((size * size / 2 - SPREAD * size) / h)
            high = math.ceil((size * size / 2 + SPREAD * size) / h)
        over = tail(size, np.arange(low, high + 2) * h * (1 + 1e-15))
        mass = over[:-1] - over[1:]  # of the loss in [t, t + h)
        up = np.concatenate(([0.0], mass[:-1]))
        up[0] += 1.0 - over[0]
        mass[0] += 1.0 - over[0]
        return low, mass, up

    @property
    def values(self) -> Floats:
        """Return the losses of the cells."""
        return (np.arange(len(self.down)) + self.start) * self.grain

    def above(self, level: float) -> float:
        """Return a lower bound on P(loss > LEVEL)."""
        return float(self.down[self.values > level * (1 + 1e-9)].sum())

    def outside(self, level: float) -> float:
        """Return a lower bound on P(|loss| > LEVEL)."""
        return self.above(level) + float(self.up[self.values < -level * (1 + 1e-9)].sum())

    def delta(self, level: float) -> float:
        """Return a lower bound on E[(1 - e^(LEVEL - loss))+]."""
        over = self.values - level
        kept = over > 0
        return float((self.down[kept] * -np.expm1(-over[kept])).sum())

    def mean(self, cost: object) -> float:
        """Return the mean of an increasing COST of |loss|, no loss counted beyond what it is."""
        assert callable(cost)
        values = self.values
        toward = np.where(values >= 0, self.down, 0.0) @ cost(np.maximum(values, 0.0))
        away = np.where(values < 0, self.up, 0.0) @ cost(np.maximum(-values, 0.0))
        return float(toward + away)
