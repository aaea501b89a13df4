"""The curves that are sums and searches: the discrete Gaussian, zCDP, and Laplace beside Gaussian noise."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal

from dpwizard.base.numerics import largest_within
from dpwizard.base.values import Count, NonNegative, Positive, field
from dpwizard.privacy.mechanisms.lattice_normal import discrete_gaussian_tail
from dpwizard.privacy.mechanisms.trade_off import FAR, TradeOffCurve, lowered, raised

SUMMED = 1e-13  # relative: how far sums and closed forms of two terms may be off
SEARCHED = 1e-9  # relative: how far what is found by a search over orders may be off
STEPS = 200  # halvings of a search over whole numbers

FARTHEST = 36.0  # log-odds beyond which a chance is 1 in binary numbers


class DiscreteGaussianTradeOff(TradeOffCurve):
    """Discrete Gaussian noise on one number that moves by a whole distance: a broken line, exact."""

    kind: Literal["discrete_gaussian"] = "discrete_gaussian"
    sigma: Positive = field("Sigma", default=...)
    sensitivity: Count = field("Distance, a whole number", default=1)

    def false_alarm(self, hit: float) -> float:
        return self._alarm(hit, self.sensitivity)

    def _alarm(self, hit: float, distance: int) -> float:
        """Return g on the line through (P(K >= j), P(K >= j + D)): the likelihood ratio falls with the output."""
        above = self._first(hit, 0)  # P(K >= j) <= hit < P(K >= j - 1)
        return self._between(hit, above, 0, distance, up=False)

    def most(self, chance: float) -> float:
        above = self._first(chance, self.sensitivity)
        return self._between(chance, above, self.sensitivity, 0, up=True)

    def _first(self, chance: float, shift: int) -> int:
        """Return the least j with P(K >= j + SHIFT) <= CHANCE."""
        from scipy.special import ndtri  # 0.1 s to import: only when it is needed

        guess = math.floor(-self.sigma * float(ndtri(chance)))
        low, high, step = guess, guess, 1
        while not self._reached(high, chance):
            low, high, step = high, high + step, 2 * step
        step = 1
        while self._reached(low, chance):
            low, high, step = low - step, low, 2 * step
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if self._reached(middle, chance) else (middle, high)
        return high - shift

    def _reached(self, least: int, chance: float) -> bool:
        """Return whether P(K >= LEAST) <= CHANCE, by the smaller of the two opposite chances."""
        if chance > 0.5:
            return discrete_gaussian_tail(self.sigma, 1 - least) >= 1.0 - chance
        return discrete_gaussian_tail(self.sigma, least) <= chance

    def _between(self, chance: float, at: int, given: int, wanted: int, *, up: bool) -> float:
        """Return the line through two neighbouring points, at CHANCE."""
        if chance > 0.5:  # P(K >= j) = 1 - P(K >= 1 - j): the smaller of the two keeps its digits
            x0, x1 = (discrete_gaussian_tail(self.sigma, 1 - j - given) for j in (at, at - 1))
            chance = 1.0 - chance
        else:
            x0, x1 = (discrete_gaussian_tail(self.sigma, j + given) for j in (at, at - 1))
        y0, y1 = (discrete_gaussian_tail(self.sigma, j + wanted) for j in (at, at - 1))
        part = (chance - x0) / (x1 - x0) if x1 != x0 else 0.0
        found = y0 + min(max(part, 0.0), 1.0) * (y1 - y0)
        return raised(found, SUMMED) if up else lowered(found, SUMMED)

    def _value_alarm(self, hit: float, factor: float) -> float:
        wide = factor * self.sensitivity
        whole = round(wide)
        # a distance that is no whole number is taken as two steps by way of "absent" at most
        return self._alarm(hit, whole if abs(wide - whole) <= 1e-9 * wide else 2 * self.sensitivity)


class ZcdpTradeOff(TradeOffCurve):
    """A mechanism of which only its rho is known (zero-concentrated differential privacy)."""

    kind: Literal["zcdp"] = "zcdp"
    rho: Positive = field("Rho", default=...)

    def false_alarm(self, hit: float) -> float:
        return _zcdp_alarm(hit, self.rho)

    def most(self, chance: float) -> float:
        # the largest b whose pair (b, chance) is rho-zCDP, by the logarithm of b/chance, in which the divergence rises
        most, nearest = -math.log(chance), math.nextafter(1.0, 0.0)

        def told(gap: float) -> float:
            hit = min(chance * math.exp(gap), nearest)
            return _told(hit, 1.0 - hit, chance)

        if told(most) <= self.rho:
            return 1.0
        found = largest_within(told, self.rho, 0.0, most, SEARCHED / 10 / max(1.0, most))
        return raised(chance * math.exp(found), SEARCHED)

    def best_even(self) -> float:
        """Return how often the best test that errs alike in both worlds is right; rounded up, below 1."""
        return _zcdp_best_even(self.rho)

    def _value_alarm(self, hit: float, factor: float) -> float:
        return _zcdp_alarm(hit, factor * factor * self.rho)


def _zcdp_alarm(hit: float, rho: float) -> float:
    """Return the least a for which Bernoulli(hit), Bernoulli(a) have D_lam <= lam rho both ways for all lam > 1."""
    # beta e^(-rho - 2 sqrt(rho ln(1/beta))) is lower than that: drop the second term of the divergence
    widest = rho + 2.0 * math.sqrt(rho * -math.log(hit))
    if widest >= math.log(hit) + 690.0:
        return 0.0

    def told(gap: float) -> float:
        return _told(hit, 1.0 - hit, hit * math.exp(-gap))

    # by the logarithm of hit/a, in which the divergence rises: where rounding hides that it passes rho at the widest
    # gap, that gap is the answer
    found = largest_within(told, rho, 0.0, widest, SEARCHED / 10 / max(1.0, widest), ceiling=widest)
    return lowered(hit * math.exp(-found), SEARCHED)


@lru_cache(maxsize=64)  # a page asks for it more than once
def _zcdp_best_even(rho: float) -> float:
    """Return the largest x whose pair x, 1 - x has D_lam <= lam rho for all lam > 1, found by its log-odds."""
    nearest = math.nextafter(1.0, 0.0)

    def told(odds: float) -> float:
        right, wrong = 1.0 / (1.0 + math.exp(-odds)), 1.0 / (1.0 + math.exp(odds))
        return _told(right, wrong, wrong)

    if told(FARTHEST) <= rho:
        return nearest
    odds = largest_within(told, rho, 0.0, FARTHEST, SEARCHED / 10 / FARTHEST)
    return min(nearest, raised(1.0 / (1.0 + math.exp(-odds)), SEARCHED))


def _told(hit: float, missed: float, alarm: float) -> float:
    """Return the least rho of which Bernoulli(HIT), with its chance MISSED of 0, and Bernoulli(ALARM) are a pair."""
    one, other = math.log(hit) - math.log(alarm), math.log(missed) - math.log1p(-alarm)
    forwards = _divergence(hit, one, missed, other)
    return max(forwards, _divergence(alarm, -one, 1.0 - alarm, -other))


def _divergence(p: float, one: float, rest: float, other: float) -> float:
    """Return the largest D_lam/lam over lam > 1 for two chances P and REST with log-ratios ONE and OTHER."""
    import numpy as np  # only where it is needed: the commonest computations load no NumPy

    low, high, best = -25.0, 25.0, 0.0  # log(lam - 1)
    for _ in range(12):
        grid = np.linspace(low, high, 61)
        more = np.exp(grid)
        first, second = more * one, more * other
        near = np.maximum(first, second)
        with np.errstate(all="ignore"):
            # near lam = 1 the two terms nearly cancel, far from it they overflow
            direct = np.log1p(p * np.expm1(np.minimum(first, FAR)) + rest * np.expm1(np.minimum(second, FAR)))
            shifted = near + np.log(p * np.exp(first - near) + rest * np.exp(second - near))
            values = np.where(near < 1.0, direct, shifted) / more / (1.0 + more)
        values = np.where(np.isfinite(values), values, 0.0)
        at_best = int(np.argmax(values))
        best = max(best, float(values[at_best]))
        width = (high - low) / 60
        low, high = float(grid[at_best]) - width, float(grid[at_best]) + width
        if width < 1e-5:  # of a maximum, where the square of it counts
            break
    return best


class MixedTradeOff(TradeOffCurve):
    """One continuous Laplace release at full distance, and Gaussian ones, together: exact."""

    kind: Literal["mixed"] = "mixed"
    epsilon: NonNegative = field("Distance over the scale of the Laplace noise", default=...)
    mu: Positive = field("Distance over the standard deviation of the Gaussian noise", default=...)

    def false_alarm(self, hit: float) -> float:
        return _mixed_alarm(hit, self.epsilon, self.mu)

    def most(self, chance: float) -> float:
        reach = self.epsilon + self.mu * (40.0 + self.mu)
        # the threshold of the log-likelihood at which the false-alarm rate is CHANCE, or just below
        low, high = -reach, reach
        for _ in range(STEPS):
            middle = low + (high - low) / 2
            if not low < middle < high:
                break
            low, high = (low, middle) if _alarm_rate(middle, self.epsilon, self.mu) <= chance else (middle, high)
        return raised(_hit_rate(low, self.epsilon, self.mu), SUMMED)

    def _value_alarm(self, hit: float, factor: float) -> float:
        return _mixed_alarm(hit, factor * self.epsilon, factor * self.mu)


def _mixed_alarm(hit: float, epsilon: float, mu: float) -> float:
    reach = epsilon + mu * (40.0 + mu)
    low, high = -reach, reach
    for _ in range(STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        if hit > 0.5:  # the chance of not passing t is the false-alarm rate at -t: the smaller one keeps its digits
            within = _alarm_rate(-middle, epsilon, mu) >= 1.0 - hit
        else:
            within = _hit_rate(middle, epsilon, mu) <= hit
        low, high = (low, middle) if within else (middle, high)
    return lowered(_alarm_rate(high, epsilon, mu), SUMMED)


def _hit_rate(t: float, epsilon: float, mu: float) -> float:
    """Return the chance, with the record, that the log-likelihood ratio passes T.

    The ratio of the Laplace release is eps with chance 1/2, -eps with e^-eps/2, and between them has the density
    e^(-(eps - x)/2)/4; that of the Gaussian one is normal, of mean mu^2/2 and variance mu^2. By parts their sum passes
    t with chance Q(a) - e^(-(eps - t)/2 - mu^2/8) (Phi((t + eps)/mu) - Phi((t - eps)/mu))/2 where a = (t - eps)/mu -
    mu/2.
    """
    near, far = (t - epsilon) / mu, (t + epsilon) / mu
    return math.exp(_log_normal(-(near - 0.5 * mu))) - 0.5 * _part(-0.5 * (epsilon - t) - mu * mu / 8.0, near, far)


def _alarm_rate(t: float, epsilon: float, mu: float) -> float:
    """Return the same without the record: by symmetry 1 less the hit rate at -t, of which both terms are positive."""
    near, far = (-t - epsilon) / mu, (-t + epsilon) / mu
    return math.exp(_log_normal(near - 0.5 * mu)) + 0.5 * _part(-0.5 * (epsilon + t) - mu * mu / 8.0, near, far)


def _part(exponent: float, low: float, high: float) -> float:
    """Return e^EXPONENT (Phi(HIGH) - Phi(LOW)), formed in the tail where both are small."""
    if low > 0.0:
        low, high = -high, -low
    top = _log_normal(high)
    gap = -math.expm1(min(0.0, _log_normal(low) - top))
    return math.exp(exponent + top) * gap


def _log_normal(x: float) -> float:
    from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

    return float(log_ndtr(x))
