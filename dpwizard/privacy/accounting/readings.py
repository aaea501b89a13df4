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

from dpwizard.privacy.accounting.curve import EpsilonDeltaCurve, largest_curve, lower_envelope
from dpwizard.privacy.accounting.noises import LEAST, UNIT, Array

ROUNDING = 1e-12  # relative rounding error of a figure
LOWEST = -700.0  # e^-epsilon is no larger float below it; a smaller one gives a smaller false-positive rate
RAREST, COMMONEST = 1e-15, 1.0 - 1e-9  # the range of true-positive rates over which a Gaussian curve is compared
LOG_CHANCES = (0.0, -4.0, -10.0, -20.0, math.log(RAREST))  # the log probabilities near which gdp_mu uses sharp curves
MOST_LINES = 2_000  # the most lines of each of these curves
LEAST_MU, LARGEST_MU = 1e-13, 1e5
SHARPER, MOST_SHARPENED = 1e-4, 5  # relative: after a smaller gain no sharper curve is tried


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
        return float(self.near_epsilon(epsilon).at(np.array([epsilon]))[0])

    def epsilon(self, delta: float) -> float:
        """Return the least epsilon >= 0 with delta(epsilon) <= DELTA, inf if none; **never below the true value**."""
        if delta >= 1.0:
            return 0.0
        if delta < LEAST:
            return max(0.0, self.largest_loss)
        epsilon = self.near_chance(math.log(delta)).least_epsilon(delta)
        if 0.0 < epsilon < math.inf:
            epsilon = min(epsilon, self.near_epsilon(epsilon).least_epsilon(delta))
        return min(epsilon, max(0.0, self.largest_loss))

    def fpr(self, tpr: float) -> float:
        """Return the least false-positive rate Q(A) of events with P(A) = TPR; **never above the true value**."""
        if tpr <= 0.0:
            return 0.0

        def negative_rates(curve: EpsilonDeltaCurve) -> Array:
            inverse_ratios = np.exp(-np.maximum(curve.epsilons, LOWEST))
            return np.asarray(-inverse_ratios * np.maximum(tpr - curve.deltas, 0.0))

        return max(0.0, -self._smallest(negative_rates, self.near_chance(math.log(tpr)))) * (1.0 - ROUNDING)

    def tpr(self, fpr: float) -> float:
        """Return the largest P(A) of events with Q(A) = FPR, the true-positive rate; **never below the true value**."""
        if fpr >= 1.0:
            return 1.0
        log_fpr = math.log(fpr) if fpr > 0.0 else -math.inf

        def rates(curve: EpsilonDeltaCurve) -> Array:
            return np.asarray(np.minimum(curve.deltas + np.exp(np.minimum(curve.epsilons + log_fpr, 0.0)), 1.0))

        curve = self.near_chance(max(log_fpr, math.log(LEAST)))
        return min(1.0, self._smallest(rates, curve) * (1.0 + ROUNDING))

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

        return min(1.0, self._smallest(shares_at, self.near_epsilon(log_ratio)) * (1.0 + ROUNDING))

    def _smallest(self, values: Callable[[EpsilonDeltaCurve], Array], curve: EpsilonDeltaCurve) -> float:
        """Return the smallest of VALUES on CURVE, and on curves that are sharp where it is, until they gain little.

        A curve that starts too far right has its smallest value at its start: the next one is further left.
        """
        least, epsilon = math.inf, math.nan
        for _ in range(MOST_SHARPENED):
            on_curve = values(curve)
            at = int(np.argmin(on_curve))
            before, least = least, min(least, float(on_curve[at]))
            last_epsilon, epsilon = epsilon, float(curve.epsilons[at])
            if before - least <= SHARPER * abs(least) and (at > 0 or epsilon == last_epsilon):
                break
            curve = self.near_epsilon(epsilon)
        return least

    def ratio(self, but_for: float) -> float:
        """Return the largest P(A)/Q(A) of events with P(A) >= BUT_FOR, inf if none; **never below the true value**."""
        largest = math.exp(self.largest_loss) * (1.0 + 8.0 * UNIT) if self.largest_loss < 709.0 else math.inf
        fpr = self.fpr(but_for)  # g(b)/b is nondecreasing, so the smallest event is the worst
        return min(largest, but_for / fpr * (1.0 + ROUNDING)) if fpr > 0.0 else largest

    def gdp_mu(self) -> float:
        """Return a mu whose Gaussian trade-off curve is nowhere above this one, for rates of RAREST or more.

        This curve is a broken line; a Gaussian one is convex, so that it is below all of it if it is below its corners,
        of rates up to COMMONEST. P and Q may be exchanged, so that lines for epsilons above 0 are enough. **Never below
        the smallest such mu**, and mostly 1e-4 above that of the bounds used; inf if there is none.
        """
        from scipy.special import ndtri  # 0.1 s to load: only where it is needed

        mu = self.mu_of_corners()
        for rate in (RAREST, COMMONEST):  # where the part of the curve that is compared ends
            fpr = self.fpr(rate)
            if fpr <= 1.0 - rate:
                mu = max(mu, float(ndtri(rate) - ndtri(fpr)))
        return mu * (1.0 + ROUNDING) + LEAST_MU if mu <= LARGEST_MU else math.inf

    def mu_of_corners(self) -> float:
        """Return the smallest mu whose Gaussian curve is not above this one at any corner of the rates compared."""
        from scipy.special import ndtri, ndtri_exp  # as above

        curves = [self.near_chance(log) for log in LOG_CHANCES]
        epsilons = np.unique(np.concatenate([[0.0], *(curve.chosen_epsilons(MOST_LINES) for curve in curves)]))
        hull = EpsilonDeltaCurve(epsilons, np.minimum.accumulate(lower_envelope(curves, epsilons))).hull()
        weighed = hull.masses_beyond()  # e^epsilon times the false-positive rate
        tpr = np.append(hull.deltas + weighed, hull.deltas[-1]) * (1.0 + ROUNDING)
        with np.errstate(divide="ignore"):
            log_fpr = np.append(np.log(weighed) - hull.epsilons, -np.inf)
        ends = np.append(hull.epsilons, np.inf)  # of the lines between corners; left of 0 P and Q are exchanged
        counts = (ends > 0.0) & (tpr >= RAREST) & (tpr <= COMMONEST)
        return float(np.max(ndtri(tpr[counts]) - ndtri_exp(log_fpr[counts]), initial=0.0))


class Worst(Readings):
    """The worst of several possible histories: the largest delta at each epsilon, which is convex too."""

    def __init__(self, histories: Sequence[Readings]) -> None:
        self.histories = histories

    @property
    def largest_loss(self) -> float:
        return max(history.largest_loss for history in self.histories)

    def near_epsilon(self, epsilon: float) -> EpsilonDeltaCurve:
        curves = [(history.near_epsilon(epsilon), history.near_chance(0.0)) for history in self.histories]
        return largest_curve(curves, epsilon)

    def near_chance(self, log_chance: float) -> EpsilonDeltaCurve:
        return largest_curve(
            [(history.near_chance(log_chance), history.near_chance(0.0)) for history in self.histories]
        )

    def delta(self, epsilon: float) -> float:
        return max(history.delta(epsilon) for history in self.histories)

    def epsilon(self, delta: float) -> float:
        return max(history.epsilon(delta) for history in self.histories)

    def mu_of_corners(self) -> float:
        return max(history.mu_of_corners() for history in self.histories)
