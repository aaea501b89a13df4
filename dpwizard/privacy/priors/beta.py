"""A beta belief: a share between two ends."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from decimal import Decimal
from typing import Literal, Self

import numpy as np
from pydantic import model_validator

from dpwizard.privacy.priors.distribution import (
    Distribution,
    Floats,
    Quarters,
    array,
    known,
    modest,
    ordered,
)
from dpwizard.privacy.priors.quarter_fits import QUARTERS, centred, nearest
from dpwizard.privacy.priors.regions import EXACT, View, apart
from dpwizard.privacy.priors.smooth import Flank
from dpwizard.privacy.priors.smooth_view import SmoothView
from dpwizard.privacy.priors.tilted import Tabulated, Tilted
from dpwizard.privacy.priors.uniform import Uniform
from dpwizard.values import Number, Positive, field


class Beta(Distribution):
    """A share between two ends; a = b = 1 is uniform, large a and b are narrow."""

    by_quarters = True
    ends = ("low", "high")
    title = "Beta: a share between two ends"

    family: Literal["beta"] = "beta"
    a: Positive | None = field("Pull upwards (a)", "Pulls towards the upper end.")
    b: Positive | None = field("Pull downwards (b)", "Pulls towards the lower end.")
    low: Number | None = field(
        "Smallest value", "No smaller value is held possible.", default=0.0, unit="in the attribute's unit"
    )
    high: Number | None = field(
        "Largest value", "No larger value is held possible.", default=1.0, unit="in the attribute's unit"
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        ordered(self.low, self.high)
        return self

    def support(self) -> tuple[float, float]:
        """Return the two ends."""
        return known(self.low), known(self.high)

    def _share(self, values: Floats) -> Floats:
        low, high = self.support()
        return array((values / 2 - low / 2) / (high / 2 - low / 2)).clip(0.0, 1.0)

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        from scipy.special import betainc

        a, b = modest(known(self.a)), modest(known(self.b))
        with np.errstate(all="ignore"):
            return np.nan_to_num(array(betainc(a, b, self._share(values))))

    def density(self, values: Floats) -> Floats:
        """Return the density; infinite at an end whose parameter is below 1."""
        from scipy.special import betaln, xlog1py, xlogy

        low, high = self.support()
        a, b, y = known(self.a), known(self.b), self._share(values)
        with np.errstate(all="ignore"):
            inside = np.exp(xlogy(a - 1.0, y) + xlog1py(b - 1.0, -y) - betaln(a, b)) / (high / 2 - low / 2) / 2
        return np.where((values >= low) & (values <= high), np.nan_to_num(inside, nan=0.0, posinf=math.inf), 0.0)

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        from scipy.special import betaincinv

        low, high = self.support()
        y = float(betaincinv(modest(known(self.a)), modest(known(self.b)), share))
        return low * (1.0 - y) + high * y

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return both pulls by least squares, each between a thousandth and a billion."""
        from scipy.special import betaincinv

        asked = self._share(array(quarters))
        mean, sd = centred((asked[0], asked[1], asked[2]))
        pull = max(mean * (1.0 - mean) / max(sd * sd, 1e-300) - 1.0, 0.1)  # a + b of the moments
        starts = [np.log([mean * pull, (1.0 - mean) * pull]), np.zeros(2), np.log([0.1, 0.1])]
        found = nearest(
            lambda at: array(betaincinv(math.exp(at[0]), math.exp(at[1]), QUARTERS)),
            asked,
            starts,
            ([math.log(1e-3)] * 2, [math.log(1e9)] * 2),
        )
        return {"a": math.exp(found[0]), "b": math.exp(found[1])}

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        low, high = self.support()
        a, b = known(self.a), known(self.b)
        y, rest = 1.0 / (1.0 + b / a), 1.0 / (1.0 + a / b)
        return low * rest + high * y, (high / 2 - low / 2) * 2.0 * math.sqrt(y * rest / (a + b + 1.0))

    def plain(self) -> Distribution:
        return Uniform.model_construct(low=self.low, high=self.high) if self.a == 1.0 and self.b == 1.0 else self

    def dented(self) -> bool:
        return max(known(self.a), known(self.b)) < 1.0

    def views(self) -> Callable[[float, float], View]:
        plain = self.plain()
        return self._seen if plain is self else plain.views()

    def _seen(self, truth: float, precision: float) -> View:
        """Return the belief as seen from the guess TRUTH within PRECISION."""
        low, high = known(self.low), known(self.high)
        width = EXACT.subtract(Decimal(repr(high)), Decimal(repr(low)))
        reach = apart(high, low, precision)

        def shares(t: int) -> tuple[float, float]:
            """Return y and 1 - y of truth + t precisions."""
            x = EXACT.add(Decimal(repr(truth)), EXACT.multiply(Decimal(t), Decimal(repr(precision))))
            up = EXACT.divide(EXACT.subtract(x, Decimal(repr(low))), width)
            return float(up), float(EXACT.subtract(Decimal(1), up))

        bottom, middle, top = shares(-1), shares(0), shares(1)
        a, b = (min(max(known(each), 1e-290), 1e290) for each in (self.a, self.b))
        if top[0] <= 0.0 or bottom[1] <= 0.0:  # the correct guesses lie outside the support
            return SmoothView(BetaCoordinate(1.0, 1.0, 0.5, 0.5, 1.0), 0.0, 0.0, 0.0, reach)
        cut_low, cut_high = bottom[0] <= 0.0, top[1] <= 0.0
        if cut_low and cut_high:
            return SmoothView(BetaCoordinate(1.0, 1.0, 0.5, 0.5, 1.0), 0.0, -math.inf, math.inf, reach)
        anchor, origin = (top, 1.0) if cut_low else (bottom, -1.0) if cut_high else (middle, 0.0)
        shape = BetaCoordinate(a, b, max(anchor[0], 1e-300), max(anchor[1], 1e-300), reach)

        def coordinate(t: float, share: tuple[float, float]) -> float:
            if t == origin:
                return 0.0
            up, down = (t - origin) / (reach * anchor[0]), (t - origin) / (reach * anchor[1])
            rise = math.log1p(up) if abs(up) < 0.5 else math.log(max(share[0], 1e-320) / anchor[0])
            return rise - (math.log1p(-down) if abs(down) < 0.5 else math.log(max(share[1], 1e-320) / anchor[1]))

        a_edge = -math.inf if cut_low else coordinate(-1.0, bottom)
        b_edge = math.inf if cut_high else coordinate(1.0, top)
        return SmoothView(shape, origin, a_edge, b_edge, reach)

    def _tilted(self, precision: float) -> Tilted:
        return Share(self, precision)


class BetaCoordinate:
    """Beta prior in d = logit(share) - logit(anchor): density a log y + b log(1 - y), concave for every a and b,
    analytic."""

    limit = math.inf
    resolved = True

    def __init__(self, a: float, b: float, share: float, rest: float, width: float) -> None:
        """Arguments: a, b; share and rest, the anchor's y and 1 - y; width, of the support in t."""
        self.a, self.b, self.share, self.rest, self.width = a, b, share, rest, width
        self.logit = math.log(share) - math.log(rest)
        self.low, self.high = -math.inf, math.inf
        self.grain = 8.0 + min(a + b, 1e6) ** 0.5 * 4.0 + min(abs(self.logit) * min(a + b, 1.0), 100.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        if math.isinf(d):
            return self.width * self.rest if d > 0 else -self.width * self.share
        return self.width * _share_shift(self.share, self.rest, d)

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        y, z = self._shares(d)
        return max(self.width * y * z, 1e-300)

    def coordinate(self, t: float) -> float:
        """Return d at t: log of the ratio of the odds."""
        up, down = t / (self.width * self.share), t / (self.width * self.rest)
        if up <= -1.0 or down >= 1.0:
            return -math.inf if up <= -1.0 else math.inf
        return math.log1p(up) - math.log1p(-down)

    def height(self, d: float, k: float) -> float:
        """Return k t + a log(y/anchor) + b log((1-y)/(1-anchor))."""
        return _logistic_drop(self.a, self.b, self.share, self.rest, d) + k * self.position(d)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        y, z = self._shares(d)
        tilt = k * self.width
        return self.a * z - self.b * y + tilt * y * z, y * z * (tilt * (z - y) - self.a - self.b)

    def _shares(self, d: float) -> tuple[float, float]:
        v = self.logit + d
        small = math.exp(-abs(v))
        near, far = small / (1.0 + small), 1.0 / (1.0 + small)
        return (near, far) if v < 0 else (far, near)

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit: a quadratic in y with exactly one root in (0, 1)."""
        scale = max(self.a, self.b, abs(k * self.width))
        a, b, tilt = self.a / scale, self.b / scale, k * self.width / scale
        root = (
            math.sqrt((a + b - tilt) ** 2 + 4.0 * tilt * a)
            if tilt > 0
            else math.sqrt((a + b + tilt) ** 2 - 4.0 * tilt * b)
        )
        y = 2.0 * a / (a + b - tilt + root) if a + b > tilt else (tilt - a - b + root) / (2.0 * tilt)
        z = 2.0 * b / (a + b + tilt + root) if a + b > -tilt else (-tilt - a - b + root) / (-2.0 * tilt)
        summit = math.log(max(y, 1e-300)) - math.log(max(z, 1e-300)) - self.logit
        yield min(max(summit, low), high), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return one side of the summit."""
        y, z = self._shares(summit)
        if side < 0:  # look from the other end: y falls as x grows
            y, z = z, y
        falling = self.a if side < 0 else self.b
        total, tilt, step = self.a + self.b, side * k * self.width * y * z, side * self.width * y * z

        def drop(x: float) -> float:
            e = math.expm1(-x)
            if z < 0.75 or e > -0.5:
                return -falling * x - total * math.log1p(z * e) - tilt * e / (1.0 + z * e)
            base = y + z * math.exp(-x)
            return -falling * x - total * math.log(base) - tilt * e / base

        def drops(x: Floats) -> Floats:
            e = np.expm1(-x)
            if z < 0.75:
                return -falling * x - total * np.log1p(z * e) - e * tilt / (1.0 + z * e)
            base = y + z * np.exp(-x)
            return (
                -falling * x
                - total * np.where(e > -0.5, np.log1p(z * np.maximum(e, -0.5)), np.log(base))
                - tilt * e / base
            )

        def widest(x: float) -> float:
            return 3.0 if x < end else math.inf  # the singularities lie pi off the line, at share 1/2

        edge = 60.0 + math.log1p(total + abs(k) * self.width)  # there y is below 1e-18 of anything it is added to
        end = edge + (self.logit + summit if side < 0 else -self.logit - summit)
        return Flank(drop, drops, lambda x: step * -np.expm1(-x) / (y + z * np.exp(-x)), widest, end, falling)


def _share_shift(share: float, rest: float, d: float) -> float:
    """Return y(d) - share without cancellation."""
    e = math.expm1(-abs(d))
    if d > 0:
        return -share * rest * e / (share + rest * math.exp(-d))
    return share * rest * e / (rest + share * math.exp(d))


def _logistic_drop(a: float, b: float, share: float, rest: float, d: float) -> float:
    """Return a log(y/share) + b log((1-y)/rest) at d."""
    if math.isinf(d):
        return -math.inf
    if d > 0:
        a, b, share, rest = b, a, rest, share  # the mirror image
    e = math.expm1(-abs(d))
    log = math.log1p(share * e) if e > -0.5 else math.log(rest + share * math.exp(-abs(d)))
    return -a * abs(d) - (a + b) * log


class Share(Tabulated):
    """A beta prior, the coordinate being the log odds of the share."""

    def __init__(self, prior: Beta, precision: float) -> None:
        """Measure from the lower end."""
        from scipy.special import betaln

        low, _ = prior.support()
        super().__init__(prior.support(), precision, low)
        self.a, self.b = known(prior.a), known(prior.b)
        if not (min(self.a, self.b) > 0.02 and max(self.a, self.b) < 1e7):
            raise ArithmeticError("a beta that is too sharp to be tabulated")
        self.log_norm = float(betaln(self.a, self.b))
        self.start, self.stop = -(60.0 + 20.0 / self.a), 60.0 + 20.0 / self.b
        self.start, self.stop = max(self.start, -700.0), min(self.stop, 700.0)
        a, b = self.a, self.b
        self.concave = min(a, b) >= 1.0
        self.one_summit = max(a, b) >= 1.0
        if (a < 1.0) == (b < 1.0) and a + b != 2.0:
            self.summit = (a - 1.0) / (a + b - 2.0) * self.high  # for a, b < 1 where the density is least
        else:
            self.summit = 0.0 if a < b else self.high

    def _t(self, d: Floats) -> Floats:
        e = np.exp(-np.abs(d))
        return np.asarray(self.high * np.where(d > 0.0, 1.0, e) / (1.0 + e))

    def _d(self, t: Floats) -> Floats:
        y = np.clip(t / self.high, 0.0, 1.0)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(y) - np.log1p(-y))

    def _log_density_d(self, d: Floats) -> Floats:
        e = np.log1p(np.exp(-np.abs(d)))
        log_y, log_z = np.minimum(d, 0.0) - e, np.minimum(-d, 0.0) - e
        return np.asarray(self.a * log_y + self.b * log_z - self.log_norm)

    def _widest(self) -> float:
        return 1.5

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import betainc

        return np.asarray(betainc(self.a, self.b, np.clip(t / self.high, 0.0, 1.0)))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density per precision, infinite at an end whose parameter is below 1."""
        from scipy.special import xlog1py, xlogy

        y = np.clip(t / self.high, 0.0, 1.0)
        return np.asarray(xlogy(self.a - 1.0, y) + xlog1py(self.b - 1.0, -y) - self.log_norm - math.log(self.high))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return (b - 1)/(1 - y) - (a - 1)/y at the ends, and between them where it turns."""

        def rate(t: Floats) -> Floats:
            y = np.clip(t / self.high, 1e-300, 1.0 - 1e-16)
            return np.asarray(((self.b - 1.0) / (1.0 - y) - (self.a - 1.0) / y) / self.high)

        found = [rate(first), rate(last)]
        if (self.a - 1.0) * (self.b - 1.0) < 0.0:
            turn = self.high / (1.0 + math.sqrt(-(self.b - 1.0) / (self.a - 1.0)))
            found.append(rate(np.clip(np.full_like(first, turn), first, last)))
        wild = (first <= 0.0) | (last >= self.high)
        return np.where(wild, -np.inf, np.minimum.reduce(found)), np.where(wild, np.inf, np.maximum.reduce(found))
