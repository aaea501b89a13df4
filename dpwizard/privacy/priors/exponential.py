"""An exponential belief: a waiting time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np

from dpwizard.privacy.priors.distribution import Distribution, Floats, Quarters, array, known
from dpwizard.privacy.priors.regions import View, apart
from dpwizard.privacy.priors.smooth import Flank, any_width, product
from dpwizard.privacy.priors.smooth_view import SmoothView
from dpwizard.privacy.priors.tilted import Tilted, log_phi
from dpwizard.values import Positive, field


class Exponential(Distribution):
    """A waiting time: small values are likely, and the chance falls by the same factor with every unit."""

    quick = True
    by_quarters = True
    far_truths = True
    title = "Exponential: a waiting time"

    family: Literal["exponential"] = "exponential"
    rate: Positive | None = field("Rate", "One over the mean, in one over the attribute's unit.")

    def support(self) -> tuple[float, float]:
        """Return the positive half line."""
        return 0.0, math.inf

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        with np.errstate(over="ignore"):
            return array(-np.expm1(-known(self.rate) * np.maximum(values, 0.0)))

    def density(self, values: Floats) -> Floats:
        """Return the density."""
        with np.errstate(over="ignore", under="ignore"):
            return array(
                np.where(values >= 0, known(self.rate) * np.exp(-known(self.rate) * np.maximum(values, 0.0)), 0.0)
            )

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        return -math.log1p(-share) / known(self.rate)

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return the rate by least squares: exact where the numbers stand to one another as ln 4/3, ln 2 and ln 4."""
        largest = max(quarters)
        waits = [math.log(4 / 3), math.log(2.0), math.log(4.0)]
        mean = math.fsum(wait * (one / largest) for wait, one in zip(waits, quarters, strict=True))
        return {"rate": math.fsum(wait * wait for wait in waits) / mean / largest}

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        return 1.0 / known(self.rate), 1.0 / known(self.rate)

    def views(self) -> Callable[[float, float], View]:
        return self._seen

    def _seen(self, truth: float, precision: float) -> View:
        """Return the belief as seen from the guess TRUTH within PRECISION."""
        low = apart(0.0, truth, precision)
        rate = min(max(known(self.rate) * precision, 1e-290), 1e290)
        if low >= 1.0:
            return SmoothView(ExponentialCoordinate(rate, low), 0.0, -1.0, 1.0, math.inf)
        a = max(low, -1.0)  # the anchor: an edge that has mass on both sides, or the end of the support
        return SmoothView(ExponentialCoordinate(rate, low - a), a, 0.0, 1.0 - a, math.inf)

    def _tilted(self, precision: float) -> Tilted:
        return Waiting(self, precision)

    def far_gain(self, precision: float, epsilon: float, by_main_bound: bool) -> float:
        """Return the limit of a truth far out: from everywhere it looks the same."""
        rate = known(self.rate) * precision
        if epsilon <= rate:
            return 0.0
        if by_main_bound:  # odds 1/(e^(2(s - rate)) - 1) + 1/(e^(2(s + rate)) - 1)
            odds = math.exp(min(-_log_expm1(2.0 * (epsilon - rate)), 700.0)) + math.exp(
                -_log_expm1(2.0 * (epsilon + rate))
            )
            return 1.0 / (1.0 + odds)
        # odds = L/P(c) = U/Q(c) for density e^(-rate t) on the whole line: the sum of P and Q at their balance
        rising, falling = epsilon - rate, epsilon + rate
        low = -1.0
        top = 1.0
        for _ in range(200):
            c = (low + top) / 2.0
            p = _log_expm1(rising * (c + 1.0))  # log P/L = log(e^((s - rate)(c + 1)) - 1)
            q = _log_expm1(falling * (1.0 - c))
            low, top = (c, top) if p < q else (low, c)
            if top - low < 1e-16:
                break
        odds = min(_log_expm1(rising * (low + 1.0)), _log_expm1(falling * (1.0 - low)))
        return 1.0 / (1.0 + math.exp(-odds)) if odds > -700.0 else 0.0


def _log_expm1(x: float) -> float:
    if x <= 0.0:
        return -math.inf
    return x + math.log(-math.expm1(-x))


class ExponentialCoordinate:
    """Exponential prior, d = t from the anchor."""

    grain = 8.0
    resolved = True

    def __init__(self, rate: float, low: float) -> None:
        """Arguments: rate, in 1/t; low, where the support begins, from the anchor."""
        self.rate, self.low, self.high, self.limit = rate, low, math.inf, rate

    def position(self, d: float) -> float:
        """Return t at d."""
        return d

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return 1.0

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return max(t, self.low)

    def height(self, d: float, k: float) -> float:
        """Return (k - rate) d."""
        return product(k - self.rate, d)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        return k - self.rate, 0.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the end on the heavy side."""
        yield (high if k > self.rate else low), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return the straight line on one side."""
        slope, step = side * (k - self.rate), float(side)
        return Flank(lambda x: slope * x, lambda x: slope * x, lambda x: step * x, any_width, math.inf, 0.0)


class Waiting(Tilted):
    """An exponential prior."""

    concave, same_everywhere = True, True

    def __init__(self, prior: Exponential, precision: float) -> None:
        """Measure the rate per precision."""
        super().__init__(prior.support(), precision, 0.0)
        self.limit = self.rate = min(max(known(prior.rate) * precision, 1e-290), 1e290)

    def _log_a(self, t: Floats) -> Floats:
        return np.asarray(
            math.log(self.rate) - self.rate * t + np.log(np.maximum(t, 1e-300)) + log_phi((self.s - self.rate) * t)
        )

    def _log_b(self, t: Floats) -> Floats:
        if self.s + self.rate <= 0.0:
            return np.full_like(t, np.inf)
        return np.asarray(math.log(self.rate) - math.log(self.s + self.rate) - self.rate * t)

    def _cdf(self, t: Floats) -> Floats:
        return np.asarray(-np.expm1(-self.rate * t))

    def log_density(self, t: Floats) -> Floats:
        """Return log rate - rate t."""
        return np.asarray(math.log(self.rate) - self.rate * t)

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return the rate, everywhere."""
        return np.full_like(first, self.rate), np.full_like(first, self.rate)
