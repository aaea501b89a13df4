"""A normal belief: the bell curve around a mean."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import numpy as np

from dpwizard.privacy.priors.distribution import Distribution, Floats, Quarters, apart_from, array, bell, known
from dpwizard.privacy.priors.quarter_fits import centred
from dpwizard.privacy.priors.regions import View, apart
from dpwizard.privacy.priors.smooth import Flank, any_width, product, quotient, steady
from dpwizard.privacy.priors.smooth_view import SmoothView
from dpwizard.privacy.priors.tilted import Tilted
from dpwizard.values import Number, Positive, field


class Normal(Distribution):
    """The bell curve around a mean."""

    by_quarters = True
    title = "Normal: a bell curve"

    family: Literal["normal"] = "normal"
    mean: Number | None = field("Mean", "The value held likeliest.", unit="in the attribute's unit")
    sd: Positive | None = field(
        "Standard deviation", "How far values typically lie from the mean.", unit="in the attribute's unit"
    )

    def support(self) -> tuple[float, float]:
        """Return the whole line."""
        return -math.inf, math.inf

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        from scipy.special import ndtr

        return array(ndtr(apart_from(values, known(self.mean)) / known(self.sd)))

    def density(self, values: Floats) -> Floats:
        """Return the density."""
        return bell(values, known(self.mean), known(self.sd))

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        from scipy.special import ndtri

        return known(self.mean) + known(self.sd) * float(ndtri(share))

    def parameters_for(self, quarters: Quarters) -> Mapping[str, float]:
        """Return mean and standard deviation by least squares; exact where half lies in the middle of the others."""
        mean, sd = centred(quarters)
        return {"mean": mean, "sd": sd}

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        return known(self.mean), known(self.sd)

    def views(self) -> Callable[[float, float], View]:
        return self._seen

    def _seen(self, truth: float, precision: float) -> View:
        """Return the belief as seen from the guess TRUTH within PRECISION."""
        mean, sd = known(self.mean), known(self.sd)
        unit = quotient(sd, precision)
        coordinate = NormalCoordinate(steady(apart(truth, mean, sd)), unit)
        return SmoothView(coordinate, 0.0, -steady(1.0 / unit), steady(1.0 / unit), math.inf)

    def _tilted(self, precision: float) -> Tilted:
        return Bell(self, precision)


class NormalCoordinate:
    """Normal prior, d in standard deviations from the anchor; also cut off at two ends."""

    limit = math.inf
    resolved = True

    def __init__(self, anchor: float, unit: float, low: float = -math.inf, high: float = math.inf) -> None:
        """Arguments: anchor, where d = 0 lies, in standard deviations from the mean; unit, one sd in t."""
        self.anchor, self.unit, self.low, self.high = anchor, unit, low, high
        self.grain = 8.0 + min(abs(anchor), 40.0)

    def position(self, d: float) -> float:
        """Return t at d."""
        return product(d, self.unit)

    def speed(self, d: float) -> float:
        """Return dt/dd at d."""
        return self.unit

    def coordinate(self, t: float) -> float:
        """Return d at t."""
        return t / self.unit

    def height(self, d: float, k: float) -> float:
        """Return k t - (z^2 - anchor^2)/2."""
        return d * (k * self.unit - self.anchor - d / 2.0)

    def bend(self, d: float, k: float) -> tuple[float, float]:
        """Return the first two derivatives."""
        return k * self.unit - self.anchor - d, -1.0

    def summits(self, k: float, low: float, high: float) -> Iterable[tuple[float, float, float]]:
        """Yield the one summit."""
        yield min(max(k * self.unit - self.anchor, low), high), low, high

    def flank(self, summit: float, side: int, k: float) -> Flank:
        """Return the parabola on one side."""
        slope = side * (k * self.unit - self.anchor - summit)
        step = side * self.unit
        return Flank(
            lambda x: x * (slope - x / 2.0),
            lambda x: x * (slope - x / 2.0),
            lambda x: step * x,
            any_width,
            math.inf,
            0.0,
        )


class Bell(Tilted):
    """A normal prior."""

    concave = True

    def __init__(self, prior: Normal, precision: float) -> None:
        """Measure the standard deviation in precisions."""
        super().__init__(prior.support(), precision, known(prior.mean))
        self.sd = min(max(known(prior.sd) / precision, 1e-140), 1e140)

    def _log_a(self, t: Floats) -> Floats:
        return self._side(t / self.sd)

    def _log_b(self, t: Floats) -> Floats:
        return self._side(-t / self.sd)

    def _side(self, z: Floats) -> Floats:
        """Return log of e^(-qz + q^2/2) Phi(z - q), q = s sd; where z < q as e^(-z^2/2) erfcx((q - z)/sqrt 2)/2."""
        from scipy.special import erfcx, ndtr

        q = self.s * self.sd
        y = q - z
        far = np.log(erfcx(np.maximum(y, 0.0) / math.sqrt(2.0)) / 2.0) - z * z / 2.0
        near = q * (q / 2.0 - z) + np.log(ndtr(np.maximum(-y, 0.0)))
        return np.asarray(np.where(y > 0.0, far, near))

    def _cdf(self, t: Floats) -> Floats:
        from scipy.special import ndtr

        return np.asarray(ndtr(t / self.sd))

    def log_density(self, t: Floats) -> Floats:
        """Return the log density."""
        z = t / self.sd
        return np.asarray(-z * z / 2.0 - math.log(self.sd) - 0.5 * math.log(2.0 * math.pi))

    def slopes(self, first: Floats, last: Floats) -> tuple[Floats, Floats]:
        """Return t/sd^2 at the ends."""
        return first / self.sd / self.sd, last / self.sd / self.sd
