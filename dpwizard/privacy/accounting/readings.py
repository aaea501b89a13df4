"""Figures of the total loss of all releases: upper bounds on delta(epsilon), and the guarantees that follow.

delta(epsilon) = sup_A P(A) - e^epsilon Q(A) for every real epsilon: convex in e^epsilon, 1 at e^epsilon = 0. Each
figure is a maximum or minimum over it, and stays on its safe side if delta is replaced by a larger function; a straight
line in e^epsilon between two points is above delta. Proofs: docs/methods/accounting.md, "Readings".
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import numpy as np

from dpwizard.base.numerics import normal_quantile, smallest
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.accounting.convolution import EpsilonDeltaCurve
from dpwizard.privacy.accounting.noises import LEAST, UNIT, Array

MOST_POINTS = 200_000  # the most points of several curves together
ROUNDING = 1e-13  # relative rounding error of a figure
RAREST, COMMONEST = 1e-15, 1.0 - 1e-9  # the range of true-positive rates over which a Gaussian curve is compared
LOG_CHANCES = (0.0, -4.0, -10.0, -20.0, -34.5)  # the log probabilities near which gdp_mu uses sharp curves
MOST_LINES = 1_500  # the most lines of each of these curves
SMALL_LOSS = 1e-4
MU_OF_SMALL_LOSS = 1.2534  # an upper bound on 2 Phi^-1(1/2 + tanh(loss/2)/2) / loss up to SMALL_LOSS
LEAST_MU, LARGEST_MU = 1e-12, 1e5
CLOSE = 1e-5  # relative precision of the search for a mu


class Readings(ABC):
    """The total loss of all releases for one record: P is the distribution with it (or its value), Q without."""

    @property
    @abstractmethod
    def largest_loss(self) -> float:
        """Return the largest loss, rounded up; inf if there is none."""

    @abstractmethod
    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        """Return upper bounds on delta, sharp near EPSILON."""

    @abstractmethod
    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        """Return upper bounds on delta, sharp for events with a probability of about e^LOG_CHANCE."""

    def delta(self, epsilon: float) -> float:
        """Return sup P(A) - e^EPSILON Q(A) over events A, for any real EPSILON; **never below the true value**."""
        if epsilon >= self.largest_loss:
            return 0.0
        return float(interpolated_deltas(self.near_epsilon(epsilon), np.array([epsilon]))[0])

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon >= 0 with delta(epsilon) <= DELTA, inf if none; **never below the true value**."""
        if delta >= 1.0:
            return 0.0
        if delta < LEAST:
            return max(0.0, self.largest_loss)
        epsilon = _least_epsilon(self.near_chance(math.log(delta)), delta)
        if 0.0 < epsilon < math.inf:
            epsilon = min(epsilon, _least_epsilon(self.near_epsilon(epsilon), delta))
        return min(epsilon, max(0.0, self.largest_loss))

    def fpr(self, tpr: float) -> float:
        """Return the least false-positive rate Q(A) of events with P(A) = TPR; **never above the true value**."""
        if tpr <= 0.0:
            return 0.0

        def negative_rates(curve: EpsilonDeltaCurve) -> Array:
            with np.errstate(over="ignore", invalid="ignore"):
                return -np.exp(-curve.epsilons) * np.maximum(tpr - curve.deltas, 0.0)

        first, second = self._smallest_on_two_curves(negative_rates, self.near_chance(math.log(tpr)))
        return max(0.0, -first, -second) * (1.0 - ROUNDING)

    def tpr(self, fpr: float) -> float:
        """Return the largest P(A) of events with Q(A) = FPR, the true-positive rate; **never below the true value**."""
        if fpr >= 1.0:
            return 1.0
        log_fpr = math.log(fpr) if fpr > 0.0 else -math.inf

        def rates(curve: EpsilonDeltaCurve) -> Array:
            return np.asarray(np.minimum(curve.deltas + np.exp(np.minimum(curve.epsilons + log_fpr, 0.0)), 1.0))

        curve = self.near_chance(max(log_fpr, math.log(LEAST)))
        return min(1.0, min(self._smallest_on_two_curves(rates, curve)) * (1.0 + ROUNDING))

    def advantage(self) -> float:
        """Return the largest P(A) - Q(A): true-positive minus false-positive rate; **never below the true value**."""
        return self.delta(0.0)

    def accuracy(self, prior: float) -> float:
        """Return the success probability of the best guess if P has the PRIOR; **never below the true value**."""
        if prior in (0.0, 1.0):
            return 1.0
        odds = math.log1p(-prior) - math.log(prior)
        return min(1.0, (1.0 - prior + prior * self.delta(odds)) * (1.0 + 8.0 * UNIT))

    def share_above(self, ratio: float) -> float:
        """Return the least b with P(A)/Q(A) <= RATIO for every event of P(A) >= b; **never below the true value**.

        g(b)/b >= 1/r if and only if b >= delta(epsilon)/(1 - e^epsilon/r) for some epsilon below log r. b is a share of
        the releases made with the record.
        """
        log_ratio = math.log(ratio)
        if self.largest_loss < log_ratio:
            return 0.0

        def shares_at(curve: EpsilonDeltaCurve) -> Array:
            below = curve.epsilons < log_ratio - 1e-12 * max(1.0, abs(log_ratio))
            shares = np.ones(len(below))
            shares[below] = curve.deltas[below] / -np.expm1(curve.epsilons[below] - log_ratio)
            return shares

        return min(1.0, min(self._smallest_on_two_curves(shares_at, self.near_epsilon(log_ratio))) * (1.0 + ROUNDING))

    def _smallest_on_two_curves(
        self, values: Callable[[EpsilonDeltaCurve], Array], curve: EpsilonDeltaCurve
    ) -> tuple[float, float]:
        """Return the smallest of VALUES on CURVE, and on the curve that is sharp at that point."""
        on_curve = values(curve)
        on_sharper = values(self.near_epsilon(float(curve.epsilons[int(np.argmin(on_curve))])))
        return float(np.min(on_curve)), float(np.min(on_sharper))

    def ratio(self, but_for: float) -> float:
        """Return the largest P(A)/Q(A) of events with P(A) >= BUT_FOR, inf if none; **never below the true value**."""
        largest = math.exp(self.largest_loss) * (1.0 + 8.0 * UNIT) if self.largest_loss < 709.0 else math.inf
        fpr = self.fpr(but_for)  # g(b)/b is nondecreasing, so the smallest event is the worst
        return min(largest, but_for / fpr * (1.0 + ROUNDING)) if fpr > 0.0 else largest

    def gdp_mu(self) -> float:
        """Return a mu whose Gaussian trade-off curve is nowhere above this one, for rates of RAREST or more.

        A trade-off curve is nowhere above another if its delta(epsilon) is nowhere below (Dong, Roth & Su 2022,
        Proposition 2.12). P and Q may be exchanged, so epsilons >= 0 are enough, where a Gaussian curve has rates from
        RAREST to COMMONEST. **Never below the smallest such mu**, and mostly 1e-4 above that of the bounds used; inf if
        there is none. A Gaussian curve through the corner of the curve of a largest loss is below it, as it is convex.
        """
        by_loss = MU_OF_SMALL_LOSS * self.largest_loss if self.largest_loss <= SMALL_LOSS else math.inf
        curves = [self.near_chance(log) for log in LOG_CHANCES]
        epsilons = np.unique(np.concatenate([[0.0], *(_chosen_epsilons(curve, MOST_LINES) for curve in curves)]))
        mu = 0.0
        for close in (1e-2, CLOSE):  # the second pass uses points as close as the first mu requires
            epsilons = np.union1d(epsilons[epsilons >= 0.0], np.linspace(0.0, _epsilon_at(mu, RAREST), MOST_LINES))
            deltas = np.min([interpolated_deltas(curve, epsilons) for curve in curves], axis=0)
            mu = _smallest_mu_above(epsilons, deltas, mu, close)
            if math.isinf(mu):
                break
        return min(mu, by_loss)


def _least_epsilon(curve: EpsilonDeltaCurve, delta: float) -> float:
    """Return the least epsilon >= 0 at which the lines through CURVE are at most DELTA, inf if there is none."""
    first = int(np.argmax(curve.deltas <= delta))
    delta_here = float(curve.deltas[first])
    end = float(curve.epsilons[first])
    if delta_here > delta:
        return math.inf
    if first == 0:  # a line from delta 1 at e^epsilon = 0
        epsilon = end + math.log1p(-delta) - math.log1p(-delta_here)
        return max(0.0, min(epsilon, end) * (1.0 + 8.0 * UNIT))
    delta_before, start = float(curve.deltas[first - 1]), float(curve.epsilons[first - 1])
    share = (delta - delta_here) / (delta_before - delta_here)  # the position on the line, in e^epsilon
    epsilon = end + math.log1p(share * math.expm1(start - end))
    return max(0.0, min(end, epsilon + 8.0 * UNIT * (abs(epsilon) + 1.0) * (end - start > 0.0)))


def interpolated_deltas(curve: EpsilonDeltaCurve, epsilons: Array) -> Array:
    """Return upper bounds on delta at EPSILONS by lines in e^epsilon, which are above a convex curve.

    Left of the first point the line starts at delta 1 at e^epsilon = 0; right of the last point delta is constant.
    """
    x, y = curve
    if len(x) == 1:
        inside = np.full(len(epsilons), y[0])
    else:
        i = np.clip(np.searchsorted(x, epsilons, side="right") - 1, 0, len(x) - 2)
        at = np.clip(epsilons, x[i], x[i + 1])
        width = np.maximum(x[i + 1] - x[i], 1e-300)
        share = np.exp(at - x[i + 1]) * np.expm1(x[i] - at) / np.expm1(-width)  # 0 at x[i], 1 at x[i + 1]
        share = np.clip(share * (1.0 - 16.0 * UNIT), 0.0, 1.0)
        inside = y[i] * (1.0 - share) * (1.0 + 4.0 * UNIT) + y[i + 1] * share
    inside = np.where(epsilons >= x[-1], y[-1], inside)
    left = np.minimum(epsilons - x[0], 0.0)
    before = (y[0] * np.exp(left) - np.expm1(left)) * (1.0 + 8.0 * UNIT)
    return np.minimum(np.where(epsilons < x[0], before, inside), 1.0)


class Worst(Readings):
    """The worst of several possible histories: the largest delta at each epsilon, which is convex too."""

    def __init__(self, histories: Sequence[Readings]) -> None:
        self.histories = histories

    @property
    def largest_loss(self) -> float:
        return max(history.largest_loss for history in self.histories)

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        return largest_curve([(history.near_epsilon(epsilon), history.near_chance(0.0)) for history in self.histories])

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return largest_curve(
            [(history.near_chance(log_chance), history.near_chance(0.0)) for history in self.histories]
        )


def largest_curve(histories: Sequence[tuple[EpsilonDeltaCurve, ...]]) -> EpsilonDeltaCurve:
    """Return the maximum over several histories at some thousands of points, each bounded by all of its curves.

    One history may be sharp where another is not, so each one's curve at the middle is used as well. Any points are
    safe: lines between upper bounds are above a convex curve.
    """
    most = max(MOST_POINTS // (2 * len(histories)), 500)
    grid = np.unique(np.concatenate([_chosen_epsilons(curve, most) for curves in histories for curve in curves]))
    bounds = _bounds_by_history(histories, grid)
    grid = np.union1d(grid, _crossings(grid, bounds))
    return EpsilonDeltaCurve(grid, np.minimum.accumulate(np.max(_bounds_by_history(histories, grid), axis=0)))


def _chosen_epsilons(curve: EpsilonDeltaCurve, most: int) -> Array:
    """Return up to MOST epsilons of CURVE: half of them evenly spaced, the others where its slope changes most."""
    x, y = curve
    if len(x) <= most:
        return x
    slopes = np.diff(y) / -np.expm1(-np.diff(x))  # by e^epsilon at the right end
    bends = np.abs(slopes[1:] * np.exp(-np.diff(x)[1:]) - slopes[:-1]) / np.maximum(y[1:-1], LEAST)
    # between losses that are few and far apart the curve is straight in e^epsilon
    bent = 1 + np.argpartition(bends, -(most // 2))[-(most // 2) :]
    even = np.linspace(0, len(x) - 1, most - most // 2).astype(np.int64)
    return np.asarray(x[np.union1d(bent, even)])


def _bounds_by_history(histories: Sequence[tuple[EpsilonDeltaCurve, ...]], grid: Array) -> Array:
    return np.array([np.min([interpolated_deltas(curve, grid) for curve in curves], axis=0) for curves in histories])


def _crossings(grid: Array, bounds: Array) -> Array:
    """Return where the largest of BOUNDS, piecewise linear in e^epsilon on GRID, changes to another history."""
    largest = np.argmax(bounds, axis=0)
    at = np.flatnonzero(largest[1:] != largest[:-1])
    before, after = largest[at], largest[at + 1]
    ahead = bounds[before, at] - bounds[after, at]
    behind = bounds[after, at + 1] - bounds[before, at + 1]
    share_behind = behind / np.maximum(ahead + behind, LEAST)
    return np.asarray(grid[at + 1] + np.log1p(share_behind * np.expm1(grid[at] - grid[at + 1])))


def _smallest_mu_above(epsilons: Array, deltas: Array, start: float, close: float) -> float:
    """Return the smallest mu found whose delta is nowhere below the lines through DELTAS, searched near START."""
    middles = 0.5 * (epsilons[1:] + epsilons[:-1])

    def is_above(mu: float) -> bool:
        """Compare, at two neighbouring points, the event that is best between them, a straight line in e^epsilon."""
        may_stop()
        low, high = _epsilon_at(mu, COMMONEST), _epsilon_at(mu, RAREST)
        if high > epsilons[-1] and _delta_of_event(mu, np.array([high]), np.array([high]))[0] < deltas[-1]:
            return False
        counts = (epsilons[1:] > low) & (epsilons[:-1] < high)
        return all(
            bool(np.all(_delta_of_event(mu, middles[counts], x[counts]) >= y[counts]))
            for x, y in ((epsilons[:-1], deltas[:-1]), (epsilons[1:], deltas[1:]))
        )

    mu = start or 1.0
    while not is_above(mu):
        mu *= 2.0
        if mu > LARGEST_MU:
            return math.inf
    return smallest(is_above, max(LEAST_MU, 0.9 * start), mu, close)


def _epsilon_at(mu: float, rate: float) -> float:
    """Return the epsilon at which Gaussian noise of MU has this true-positive RATE."""
    return mu * (0.5 * mu - normal_quantile(rate))


def _delta_of_event(mu: float, losses: Array, epsilons: Array) -> Array:
    """Return P(A) - e^EPSILONS Q(A), rounded down, for the events A that the Gaussian loss exceeds LOSSES."""
    from scipy.special import log_ndtr, ndtr  # 0.1 s to load: only where it is needed

    z = losses / mu
    false_positives = np.exp(epsilons + log_ndtr(-z - 0.5 * mu))
    return np.asarray(ndtr(0.5 * mu - z) * (1.0 - ROUNDING) - false_positives * (1.0 + ROUNDING))
