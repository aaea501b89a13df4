"""A lognormal belief: most values are small, a few are very large."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Literal

import numpy as np

from dpwizard.privacy.priors.distribution import Distribution, Floats, Quarters, array, capped_exp, known
from dpwizard.privacy.priors.quarter_fits import centred
from dpwizard.privacy.priors.regions import EXACT, View, apart
from dpwizard.privacy.priors.smooth import Flank, product, steady
from dpwizard.privacy.priors.smooth_view import SmoothView
from dpwizard.privacy.priors.tilted import TAIL, Tabulated, Tilted
from dpwizard.values import Number, Positive, field

WIDEST_LOG = 20.0  # with a larger log_sd it is not resolved for several tilts at once


class LogNormal(Distribution):
    """A positive value whose logarithm is normal: most are small, a few are very large."""

    by_quarters = True
    far_truths = True
    title = "Lognormal: mostly small, a few very large"

    family: Literal["lognormal"] = "lognormal"
    log_mean: Number | None = field("Mean of the logarithm", "The natural logarithm of the median.")
    log_sd: Positive | None = field(
        "Standard deviation of the logarithm", "0.7: two thirds of the values lie within a factor of 2 of the median."
    )

    def support(self) -> tuple[float, float]:
        """Return the positive half line."""
        return 0.0, math.inf

    def _z(self, values: Floats) -> Floats:
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            return np.where(
                values > 0, (np.log(np.maximum(values, 0)) - known(self.log_mean)) / known(self.log_sd), -math.inf
            )

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        from scipy.special import ndtr

        return array(ndtr(self._z(values)))

    def density(self, values: Floats) -> Floats:
        """Return the density."""
        z = self._z(values)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            plain = np.exp(-0.5 * z * z) / (values * known(self.log_sd) * math.sqrt(2.0 * math.pi))
        return np.where(values > 0, plain, 0.0)

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        from scipy.special import ndtri

        return capped_exp(known(self.log_mean) + known(self.log_sd) * float(ndtri(share)))

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation of the logarithm by least squares of the logarithms."""
        low, half, high = map(math.log, quarters)
        mean, sd = centred((low, half, high))
        return {"log_mean": mean, "log_sd": sd}

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        variance = known(self.log_sd) ** 2 if known(self.log_sd) < 1e150 else math.inf
        mean = capped_exp(known(self.log_mean) + variance / 2)
        spread = math.sqrt(math.expm1(variance)) if variance < 700.0 else capped_exp(variance / 2)
        return mean, mean * spread if mean > 0 else 0.0

    def views(self) -> Callable[[float, float], View]:
        return self._seen

    def _seen(self, truth: float, precision: float) -> View:
        """Return the belief as seen from the guess TRUTH within PRECISION."""
        size = apart(truth, 0.0, precision)  # the truth in precisions
        top = apart(truth, -precision, 1.0)
        if top <= 0.0 or size <= -1.0:
            return SmoothView(LogNormalCoordinate(0.0, 1.0, 1.0), 0.0, 0.0, 0.0, math.inf)
        sd = min(max(known(self.log_sd), 1e-140), 1e140)
        bottom = apart(truth, precision, 1.0)
        if bottom > 0.0 and size > 1.0:
            shape = LogNormalCoordinate(self._log_score(truth), sd, size)
            low = math.log1p(-1.0 / size) if size > 2.0 else math.log(bottom / truth)
            return SmoothView(shape, 0.0, low / sd, math.log1p(1.0 / size) / sd, math.inf)
        shape = LogNormalCoordinate(self._log_score(top), sd, apart(truth, -precision, precision))
        return SmoothView(shape, 1.0, -math.inf, 0.0, math.inf)

    def _log_score(self, value: float) -> float:
        """Return (log VALUE - log_mean)/log_sd, rounded once."""
        log = EXACT.ln(Decimal(repr(value))) if value < 1e300 else Decimal(repr(math.log(value)))
        score = EXACT.divide(
            EXACT.subtract(log, Decimal(repr(known(self.log_mean)))), Decimal(repr(known(self.log_sd)))
        )
        return steady(float(score))

    def _tilted(self, precision: float) -> Tilted:
        return Income(self, precision)

    def far_gain(self, precision: float, epsilon: float, by_main_bound: bool) -> float:
        """Return the limit of a truth far out: the density is flat there, as of a flat prior on the whole line."""
        return math.tanh(epsilon) if by_main_bound else -math.expm1(-epsilon)

    def far_loss(self, advantage: float) -> float | None:
        return -math.log1p(-advantage) * (1.0 - 1e-15)


class LogNormalCoordinate:
    """Lognormal prior, d = log(x / anchor) / log_sd: then t = size (e^(log_sd d) - 1)."""

    limit = 0.0

    def __init__(self, anchor: float, sd: float, size: float) -> None:
        """Arguments: anchor, the logarithm of the anchor in sd from the log mean; sd, of the logarithm; size, the
        anchor in t from 0."""
        self.anchor, self.sd, self.size = anchor, sd, size
        self.low, self.high = -math.inf, math.inf
        self.resolved = sd < WIDEST_LOG
        self.grain = 8.0 + min(abs(anchor), 40.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        return product(self.size, _expm1(self.sd * d))

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return max(product(self.size * self.sd, _exp(self.sd * d)), 1e-300)

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return -math.inf if t <= -self.size else math.log1p(t / self.size) / self.sd

    def height(self, d: float, k: float) -> float:
        """Return k t - (w^2 - anchor^2)/2."""
        tilt = k * self.position(d) if k else 0.0
        return tilt - d * (self.anchor + d / 2.0)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        growth = product(k * self.size, _exp(self.sd * d)) * self.sd if k else 0.0
        return growth - self.anchor - d, growth * self.sd - 1.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit of a damping tilt; of a growing tilt, the bell below its dip and the climb above it."""
        if k == 0.0:
            yield min(max(-self.anchor, low), high), low, high
            return
        # w = log_sd * (standardised logarithm) at a summit solves |w| e^-w = e^level, by the derivative of ``height``
        level = math.log(abs(k)) + math.log(self.size) + 2.0 * math.log(self.sd) - self.sd * self.anchor
        if k < 0.0:
            yield min(max(-_omega(level) / self.sd - self.anchor, low), high), low, high
            return
        if level > -1.0:  # no dip: it climbs all the way
            yield high, low, high
            return
        bell, dip = (w / self.sd - self.anchor for w in _dip(-level))
        if low < dip:
            top = min(dip, high)
            yield min(max(bell, low), top), low, top
        if high > dip:
            yield high, max(low, dip), high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return one side: a parabola and a double exponential."""
        w, size, step = side * (summit + self.anchor), product(self.size, _exp(self.sd * summit)), side * self.sd
        tilt = product(k, size) if k else 0.0

        def drop(x: float) -> float:
            return (tilt * _expm1(step * x) if tilt else 0.0) - x * (w + x / 2.0)

        def drops(x: Floats) -> Floats:
            bell = -x * (w + x / 2.0)
            return bell + tilt * np.expm1(np.minimum(step * x, 600.0)) if tilt else bell

        fine = 1.5 / self.sd
        felt = (
            math.log(1e-18) - math.log(abs(tilt)) if tilt else -math.inf
        ) / step  # x at which the tilt begins (or ceases) to matter

        def widest(x: float) -> float:
            if not tilt:
                return fine if self.sd < WIDEST_LOG else math.inf
            if side > 0:
                return fine if x >= felt else max(felt - x, fine)
            return fine if x <= felt else math.inf

        return Flank(drop, drops, lambda x: size * np.expm1(np.minimum(step * x, 600.0)), widest, math.inf, 0.0)


def _exp(exponent: float) -> float:
    return math.exp(min(exponent, 690.0))


def _expm1(exponent: float) -> float:
    return math.expm1(min(exponent, 690.0))


def _omega(level: float) -> float:
    """Return y > 0 with y + log y = LEVEL, by Newton's method from the side where it converges steadily."""
    if level < -30.0:
        return math.exp(max(level, -700.0))
    y = math.exp(level - math.exp(level)) if level <= 0.0 else max(level / 2.0, 0.5)
    for _ in range(60):
        step = (level - y - math.log(y)) * y / (1.0 + y)
        y += step
        if abs(step) <= 1e-12 * y:
            break
    return y


def _dip(level: float) -> tuple[float, float]:
    """Return the two solutions y < 1 < y' of y - log y = LEVEL >= 1, by Newton's method from outside."""
    found = []
    for start in (math.exp(-min(level, 700.0)), 2.0 * level):
        y = start
        for _ in range(60):
            if y == 1.0 or y <= 0.0:
                break
            step = (y - math.log(y) - level) * y / (1.0 - y)
            y += step
            if abs(step) <= 1e-12 * y:
                break
        found.append(y)
    return found[0], found[1]


class Income(Tabulated):
    """A lognormal prior, the coordinate being the standardised logarithm."""

    limit = 0.0

    def __init__(self, prior: LogNormal, precision: float) -> None:
        """Measure from 0."""
        super().__init__(prior.support(), precision, 0.0)
        self.sd = known(prior.log_sd)
        self.centre = known(prior.log_mean) - math.log(precision)  # of log t
        if not 1e-6 < self.sd < 12.0 or abs(self.centre) + 40.0 * self.sd > 650.0:
            raise ArithmeticError("a lognormal that is too narrow or too wide to be tabulated")
        self.summit = math.exp(self.centre - self.sd**2)
        self.bent = math.exp(self.centre + 1.0 - self.sd**2)
        self.start, self.stop = -38.0, 38.0

    def tilt(self, s: float) -> None:
        """Tabulate as far as truths are looked at one by one: beyond it the tail is bounded as a whole."""
        last = max(self.bent, math.exp(self.centre + self.sd)) + 4.0 + 4.0 * TAIL / max(s, 1e-300)
        self.stop = min(max((math.log(last) - self.centre) / self.sd, -30.0), 38.0)
        self.known_to = math.exp(self.centre + self.sd * self.stop) - (TAIL / s if self.stop < 38.0 else 0.0)
        super().tilt(s)

    def _log_a(self, t: Floats) -> Floats:
        return np.asarray(np.where(t <= self.known_to, super()._log_a(np.minimum(t, self.known_to)), np.nan))

    def _log_b(self, t: Floats) -> Floats:
        return np.asarray(np.where(t <= self.known_to, super()._log_b(np.minimum(t, self.known_to)), np.nan))

    def _t(self, d: Floats) -> Floats:
        return np.asarray(np.exp(self.centre + self.sd * d))

    def _d(self, t: Floats) -> Floats:
        return np.asarray((np.log(np.maximum(t, 1e-300)) - self.centre) / self.sd)

    def _log_density_d(self, d: Floats) -> Floats:
        return np.asarray(-d * d / 2.0 - 0.5 * math.log(2.0 * math.pi))

    def _widest(self) -> float:
        return min(1.5, 1.0 / self.sd)

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(self._d(t)))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density per precision."""
        t = np.maximum(t, 1e-300)
        return np.asarray(self._log_density_d(self._d(t)) - np.log(t) - math.log(self.sd))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return (1 + d/sd)/t at the ends; it climbs up to the bend and falls beyond it."""
        ends = [(1.0 + self._d(t) / self.sd) / np.maximum(t, 1e-300) for t in (first, last)]
        bend = np.clip(np.full_like(first, self.bent), first, last)
        most = (1.0 + self._d(bend) / self.sd) / np.maximum(bend, 1e-300)
        return np.minimum(*ends), np.maximum(np.maximum(*ends), most)
