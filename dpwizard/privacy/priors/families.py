"""What an adversary believes about a value beforehand: eight families of prior distributions.

A prior is a frozen value; a field that is None is not answered yet (``missing`` names it). Masses
(probabilities, weights) are normalised, repeated points add up, and a family knows its support, its
density and distribution function for drawing, and its mean, spread and quantiles without sampling.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Literal, Self

from pydantic import Field, model_validator

from dpwizard.errors import InvalidInput
from dpwizard.privacy.priors.base import (
    Distribution,
    Summary,
    answered,
    apart_from,
    array,
    bell,
    capped_exp,
    kept_ratio,
    known,
    modest,
    moments_of,
    ordered,
    some_mass,
)
from dpwizard.values import NonNegative, Number, Positive, field, shown

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

MOST_ATOMS = 2_000

Points = Annotated[tuple[Number, ...], Field(min_length=1, max_length=MOST_ATOMS)]
Edges = Annotated[tuple[Number, ...], Field(min_length=2, max_length=MOST_ATOMS + 1)]
Masses = Annotated[tuple[NonNegative, ...], Field(min_length=1, max_length=MOST_ATOMS)]


# ------------------------------------------------------------------------------------ continuous


class Uniform(Distribution):
    """Every value between two ends is as likely as any other."""

    title = "Uniform: every value between two ends alike"

    family: Literal["uniform"] = "uniform"
    low: Number | None = field("Smallest value", "No smaller value is held possible.", unit="in the attribute's unit")
    high: Number | None = field("Largest value", "No larger value is held possible.", unit="in the attribute's unit")

    @model_validator(mode="after")
    def _check(self) -> Self:
        ordered(self.low, self.high)
        return self

    def support(self) -> tuple[float, float]:
        """Return the two ends."""
        return known(self.low), known(self.high)

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        low, high = self.support()
        return array(values / 2 - low / 2).clip(0.0, high / 2 - low / 2) / (high / 2 - low / 2)

    def density(self, values: Floats) -> Floats:
        """Return 1/(high - low) between the ends."""
        low, high = self.support()
        return array((values >= low) & (values <= high)) / (high / 2 - low / 2) / 2

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        low, high = self.support()
        return low * (1.0 - share) + high * share

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        low, high = self.support()
        return low / 2 + high / 2, (high / 2 - low / 2) / math.sqrt(3.0)


class Normal(Distribution):
    """The bell curve around a mean."""

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

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        return known(self.mean), known(self.sd)


class TruncatedNormal(Distribution):
    """The bell curve cut off at two ends."""

    title = "Normal, cut off at two ends"

    family: Literal["truncated_normal"] = "truncated_normal"
    mean: Number | None = field(
        "Mean before the cut", "The value held likeliest, were there no cut.", unit="in the attribute's unit"
    )
    sd: Positive | None = field(
        "Standard deviation before the cut",
        "How far values would typically lie from the mean, were there no cut.",
        unit="in the attribute's unit",
    )
    low: Number | None = field("Smallest value", "The bell curve is cut off here.", unit="in the attribute's unit")
    high: Number | None = field("Largest value", "The bell curve is cut off here.", unit="in the attribute's unit")

    @model_validator(mode="after")
    def _check(self) -> Self:
        ordered(self.low, self.high)
        return self

    def support(self) -> tuple[float, float]:
        """Return the two ends."""
        return known(self.low), known(self.high)

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value) off a fine grid: for drawing, to 1e-6."""
        import numpy as np

        grid, cumulative = self._table()
        return np.interp(values, grid, cumulative)

    def _table(self) -> tuple[Floats, Floats]:
        """Return a fine grid across the mass and the distribution function on it, stable in the far tails."""
        import numpy as np
        from scipy.special import log_ndtr

        low, high = self.support()
        mean, sd = known(self.mean), known(self.sd)
        z_low, z_high = kept_ratio(low - mean, sd), kept_ratio(high - mean, sd)
        sign = -1.0 if z_low + z_high > 0 else 1.0  # look from the side where the tail is small
        first, last = (z_low, z_high) if sign > 0 else (-z_high, -z_low)
        peak = min(max(0.0, first), last)
        reach = 80.0 / (abs(peak) + math.sqrt(peak * peak + 80.0))  # where the density has lost a factor e^40
        z = np.linspace(max(first, peak - reach), min(last, peak + reach), 4_001)
        logs = log_ndtr(z)
        below = np.exp(logs - logs[-1]) - math.exp(logs[0] - logs[-1])
        cumulative = np.full(z.size, 1.0) if below[-1] <= 0 else below / below[-1]
        grid = mean + sd * z
        return (grid, cumulative) if sign > 0 else (mean - sd * z[::-1], 1.0 - cumulative[::-1])

    def density(self, values: Floats) -> Floats:
        """Return the density between the ends."""
        import numpy as np
        from scipy.special import log_ndtr

        low, high = self.support()
        mean, sd = known(self.mean), known(self.sd)
        ends = sorted((kept_ratio(low - mean, sd), kept_ratio(high - mean, sd)), key=abs)
        far, near = (-abs(end) if ends[0] * ends[1] > 0 else end for end in reversed(ends))
        upper, lower = max(far, near), min(far, near)
        mass = float(log_ndtr(upper)) + math.log(max(-math.expm1(float(log_ndtr(lower) - log_ndtr(upper))), 1e-300))
        z = apart_from(values, mean) / sd
        with np.errstate(over="ignore", under="ignore"):
            inside = np.exp(-0.5 * z * z - mass) / (sd * math.sqrt(2.0 * math.pi))
        return array(np.where((values >= low) & (values <= high), inside, 0.0))

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies, to 1e-6 of the spread."""
        import numpy as np

        grid, cumulative = self._table()
        return float(np.interp(share, cumulative, grid))

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation, to 1e-6 of the spread."""
        grid, cumulative = self._table()
        return moments_of((grid[1:] + grid[:-1]) / 2, cumulative[1:] - cumulative[:-1])


class LogNormal(Distribution):
    """A positive value whose logarithm is normal: most are small, a few are very large."""

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
        import numpy as np

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
        import numpy as np

        z = self._z(values)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
            plain = np.exp(-0.5 * z * z) / (values * known(self.log_sd) * math.sqrt(2.0 * math.pi))
        return np.where(values > 0, plain, 0.0)

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        from scipy.special import ndtri

        return capped_exp(known(self.log_mean) + known(self.log_sd) * float(ndtri(share)))

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        variance = known(self.log_sd) ** 2 if known(self.log_sd) < 1e150 else math.inf
        mean = capped_exp(known(self.log_mean) + variance / 2)
        spread = math.sqrt(math.expm1(variance)) if variance < 700.0 else capped_exp(variance / 2)
        return mean, mean * spread if mean > 0 else 0.0


class Exponential(Distribution):
    """A waiting time: small values are likely, and the chance falls by the same factor with every unit."""

    title = "Exponential: a waiting time"

    family: Literal["exponential"] = "exponential"
    rate: Positive | None = field("Rate", "One over the mean, in one over the attribute's unit.")

    def support(self) -> tuple[float, float]:
        """Return the positive half line."""
        return 0.0, math.inf

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        import numpy as np

        with np.errstate(over="ignore"):
            return array(-np.expm1(-known(self.rate) * np.maximum(values, 0.0)))

    def density(self, values: Floats) -> Floats:
        """Return the density."""
        import numpy as np

        with np.errstate(over="ignore", under="ignore"):
            return array(
                np.where(values >= 0, known(self.rate) * np.exp(-known(self.rate) * np.maximum(values, 0.0)), 0.0)
            )

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        return -math.log1p(-share) / known(self.rate)

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        return 1.0 / known(self.rate), 1.0 / known(self.rate)


class Beta(Distribution):
    """A share between two ends; a = b = 1 is uniform, large a and b are narrow."""

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
        import numpy as np
        from scipy.special import betainc

        a, b = modest(known(self.a)), modest(known(self.b))
        with np.errstate(all="ignore"):
            return np.nan_to_num(array(betainc(a, b, self._share(values))))

    def density(self, values: Floats) -> Floats:
        """Return the density; infinite at an end whose parameter is below 1."""
        import numpy as np
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

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        low, high = self.support()
        a, b = known(self.a), known(self.b)
        y, rest = 1.0 / (1.0 + b / a), 1.0 / (1.0 + a / b)
        return low * rest + high * y, (high / 2 - low / 2) * 2.0 * math.sqrt(y * rest / (a + b + 1.0))


# -------------------------------------------------------------------------------------- discrete


class Discrete(Distribution):
    """A list of possible values, each with its probability; without probabilities all are equal."""

    title = "A list of values"

    family: Literal["discrete"] = "discrete"
    points: Points | None = field("Possible values", "Every value held possible.")
    probabilities: Masses | None = field(
        "Probabilities", "Absent: all equal. They are normalised; repeated values add up."
    )

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.points is not None and self.probabilities is not None and len(self.points) != len(self.probabilities):
            raise InvalidInput(
                f"must have one entry for each of the {len(self.points)} points; found {len(self.probabilities)}",
                "probabilities",
                "Give each point its probability.",
            )
        some_mass(self.probabilities, "probabilities")
        return self

    def _asked(self) -> tuple[str, ...]:
        return ("points",)

    def atoms(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Return the distinct points of positive mass in order, and their masses before normalising."""
        points = known(self.points)
        masses = self.probabilities if self.probabilities is not None else (1.0,) * len(points)
        together: dict[float, float] = {}
        for point, mass in zip(points, masses, strict=True):
            together[point + 0.0] = together.get(point + 0.0, 0.0) + mass  # + 0.0: -0.0 and 0.0 are one point
        kept = sorted((point, mass) for point, mass in together.items() if mass > 0.0)
        return tuple(point for point, _ in kept), tuple(mass for _, mass in kept)

    def support(self) -> tuple[float, float]:
        """Return the smallest and the largest point of positive mass."""
        points, _ = self.atoms()
        return points[0], points[-1]

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        import numpy as np

        points, masses = self.atoms()
        cumulative = np.concatenate(([0.0], np.cumsum(masses)))
        return array((cumulative / cumulative[-1])[np.searchsorted(points, values, side="right")])

    def density(self, values: Floats) -> Floats:
        """Return the mass at each of VALUES."""
        import numpy as np

        points, masses = (np.array(each) for each in self.atoms())
        place = np.searchsorted(points, values).clip(0, points.size - 1)
        return array(np.where(points[place] == values, masses[place] / masses.sum(), 0.0))

    def drawn(self, count: int = 200) -> tuple[Floats, Floats, Floats]:
        """Return the points themselves with their masses and the distribution function."""
        import numpy as np

        answered(self)
        points = np.array(self.atoms()[0])
        return points, self.density(points), self.cdf(points)

    def quantile(self, share: float) -> float:
        """Return the smallest point that has at least SHARE of the mass up to it."""
        points, masses = self.atoms()
        total, running = math.fsum(masses), 0.0
        for point, mass in zip(points, masses, strict=True):
            running += mass
            if running >= share * total * (1.0 - 1e-12):
                return point
        return points[-1]

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        import numpy as np

        points, masses = (np.array(each) for each in self.atoms())
        return moments_of(points, masses / masses.sum())


class Histogram(Distribution):
    """Shares in bins; within a bin every value is as likely as any other."""

    title = "A histogram: shares in bins"

    family: Literal["histogram"] = "histogram"
    edges: Edges | None = field("Edges of the bins", "In increasing order; one more than weights.")
    weights: Masses | None = field("Weights of the bins", "They are normalised.")

    @model_validator(mode="after")
    def _check(self) -> Self:
        edges, weights = self.edges, self.weights
        if edges is not None:
            for index in range(1, len(edges)):
                if not edges[index - 1] < edges[index]:
                    raise InvalidInput(
                        f"must be greater than the edge before; found {shown(edges[index])}",
                        f"edges[{index}]",
                        "Put the edges in order.",
                    )
            if weights is not None and len(weights) != len(edges) - 1:
                raise InvalidInput(
                    f"must have one entry for each of the {len(edges) - 1} bins; found {len(weights)}",
                    "weights",
                    "Give each bin its weight; there is one edge more than weights.",
                )
        some_mass(weights, "weights")
        return self

    def bins(self) -> tuple[tuple[float, ...], tuple[float, ...], tuple[float, ...]]:
        """Return lower edges, upper edges and masses (before normalising) of the bins of positive mass."""
        edges, weights = known(self.edges), known(self.weights)
        kept = [(edges[i], edges[i + 1], weight) for i, weight in enumerate(weights) if weight > 0.0]
        lows, highs, masses = zip(*kept, strict=True)
        return lows, highs, masses

    def support(self) -> tuple[float, float]:
        """Return the outermost edges of the bins of positive mass."""
        lows, highs, _ = self.bins()
        return lows[0], highs[-1]

    def _cumulative(self) -> tuple[Floats, Floats]:
        import numpy as np

        cumulative = np.concatenate(([0.0], np.cumsum(np.array(known(self.weights)))))
        return np.array(known(self.edges)), cumulative / cumulative[-1]

    def cdf(self, values: Floats) -> Floats:
        """Return P(X <= value)."""
        import numpy as np

        edges, cumulative = self._cumulative()
        with np.errstate(over="ignore"):
            return np.interp(values, edges, cumulative)

    def density(self, values: Floats) -> Floats:
        """Return the density; on an edge that of the bin above it."""
        import numpy as np

        edges, cumulative = self._cumulative()
        place = np.searchsorted(edges, values, side="right") - 1
        place = np.where(values == edges[-1], edges.size - 2, place)
        inside = (place >= 0) & (place < edges.size - 1)
        place = place.clip(0, edges.size - 2)
        half = edges[place + 1] / 2 - edges[place] / 2
        return array(np.where(inside, (cumulative[place + 1] - cumulative[place]) / half / 2, 0.0))

    def quantile(self, share: float) -> float:
        """Return the value below which SHARE of the mass lies."""
        import numpy as np

        edges, cumulative = self._cumulative()
        return float(np.interp(share, cumulative, edges))

    def moments(self) -> tuple[float, float]:
        """Return mean and standard deviation."""
        import numpy as np

        lows, highs, masses = (np.array(each) for each in self.bins())
        mean, sd = moments_of(lows / 2 + highs / 2, masses / masses.sum())
        with np.errstate(over="ignore"):
            within = math.sqrt(float(np.sum((highs - lows) ** 2 * masses / masses.sum())) / 12.0)
        return mean, math.hypot(sd, within)


Prior = Annotated[
    Uniform | Normal | TruncatedNormal | LogNormal | Exponential | Beta | Discrete | Histogram,
    Field(discriminator="family"),
]

__all__ = [
    "Beta",
    "Discrete",
    "Distribution",
    "Exponential",
    "Histogram",
    "LogNormal",
    "Normal",
    "Prior",
    "Summary",
    "TruncatedNormal",
    "Uniform",
    "answered",
    "known",
]
