"""The shapes of a risk profile r*(p, q): how many times, at most, a belief may multiply, for every belief held
beforehand.

p is the prior probability that the person is in the data, q that the sensitive value is theirs given that they
are, and pq the prior probability of the disclosure. A profile allows the posterior probability r*(p, q) pq.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from dpwizard.errors import InvalidInput
from dpwizard.values import Belief, Number, Positive, Probability, Ratio, Value, field

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    Grid: TypeAlias = NDArray[np.float64]

MOST_POINTS = 2_000  # knots or edges along one axis
MOST_GRID = 64  # knots2d, along each axis

Axis = Literal["p", "q", "pq"]
Side = Literal[
    "least", "below", "above"
]  # at a jump: the smaller of the two, or the limit from smaller or larger priors
Points = Annotated[tuple[tuple[Belief, Positive], ...], Field(min_length=1, max_length=MOST_POINTS)]
Edges = Annotated[tuple[Belief, ...], Field(max_length=MOST_POINTS)]
StepRatios = Annotated[tuple[Ratio, ...], Field(min_length=1, max_length=MOST_POINTS + 1)]
GridLine = Annotated[tuple[Belief, ...], Field(min_length=1, max_length=MOST_GRID)]
GridRow = Annotated[tuple[Positive, ...], Field(min_length=1, max_length=MOST_GRID)]
GridRatios = Annotated[tuple[GridRow, ...], Field(min_length=1, max_length=MOST_GRID)]


class Shape(Value):
    """What every shape of a risk profile shares: its unanswered fields, and its ratio at any pair of priors."""

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered yet."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is None)

    def answered(self) -> Self:
        """Return this profile if nothing in it is missing; else raise InvalidInput naming the first field that is."""
        missing = self.missing()
        if missing:
            label = type(self).model_fields[missing[0]].title
            raise InvalidInput("is missing", missing[0], f'Fill in "{label}" of the risk profile.')
        return self

    def ratio_at(self, p: ArrayLike, q: ArrayLike, side: Side = "least") -> Any:
        """Return the allowed ratio of posterior to prior probability at the priors p and q.

        Arguments: p, q, numbers or arrays in [0, 1] that broadcast against each other (0 is read as the limit);
        side, what to return on an edge where the profile jumps: the smaller ratio ("least", the one that counts),
        or the limit from smaller ("below") or larger ("above") priors. Returns a float for two numbers, else an
        array; inf means no bound. Exact to a few units in the last place (interpolated values: 1e-13 relative).
        Raises InvalidInput if a field is missing. Source: Kazan & Reiter 2024, (14)-(17), (28) and Section 7.
        """
        import numpy as np  # only what draws or tabulates needs it

        self.answered()
        first, second = np.broadcast_arrays(np.asarray(p, dtype=float), np.asarray(q, dtype=float))
        with np.errstate(all="ignore"):
            found = np.asarray(self._ratios(first, second, side), dtype=float)
        return float(found) if found.ndim == 0 else found

    def jumps(self) -> tuple[float, ...]:
        """Return the priors, along the profile's axis, at which it jumps: empty for all shapes but steps."""
        return ()

    @abstractmethod
    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        """Return what ratio_at promises; P and Q are arrays of one shape."""


class Constant(Shape):
    """The same ratio for every prior: the naive choice, (14)."""

    shape: Literal["constant"] = "constant"
    ratio: Ratio | None = field("Largest ratio", "A belief may become at most so many times as probable.", unit="times")

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        return _same(_given(self.ratio), p, q)


class CapOrRatio(Shape):
    """A posterior cap or a ratio, whichever is weaker: max{a/(pq), r}, (15)-(17). "Or" means that either is enough."""

    shape: Literal["cap_or_ratio"] = "cap_or_ratio"
    posterior: Probability | None = field("Posterior cap", "A belief may always become as probable as this.")
    ratio: Ratio | None = field("Largest ratio", "Or at most so many times as probable as before.", unit="times")

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        import numpy as np

        weaker: Grid = np.maximum(_cap(_given(self.posterior), p, q), _given(self.ratio))
        return weaker


class Cap(Shape):
    """A posterior cap: a/(pq). No belief may become more probable than a."""

    shape: Literal["cap"] = "cap"
    posterior: Probability | None = field("Posterior cap", "No belief may become more probable than this.")

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        return _cap(_given(self.posterior), p, q)


class Increase(Shape):
    """A bound on the difference of posterior and prior probability: 1 + b/(pq), (28)."""

    shape: Literal["increase"] = "increase"
    amount: Probability | None = field(
        "Largest increase", "The posterior may exceed the prior probability by at most this."
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        return 1.0 + _cap(_given(self.amount), p, q)


class Odds(Shape):
    """A bound on the odds: t/(1 - pq + t pq). The odds of a belief may multiply by at most t."""

    shape: Literal["odds"] = "odds"
    factor: Positive | None = field(
        "Largest factor on the odds", "The odds of a belief may multiply by at most this.", unit="times"
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        inverse = 1.0 / float(_given(self.factor))
        prior = p * q
        return 1.0 / (inverse * (1.0 - prior) + prior)


class Power(Shape):
    """A power of the prior: c (pq)^-k. k = 0 is a constant, k = 1 a posterior cap of c."""

    shape: Literal["power"] = "power"
    constant: Positive | None = field(
        "Ratio at prior 1", "The ratio allowed where the prior probability is 1.", unit="times"
    )
    exponent: Number | None = field(
        "Exponent", "How fast the ratio falls as the prior grows: 0 not at all, 1 like a posterior cap."
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        import numpy as np

        exponent = _given(self.exponent)
        if exponent == 0.0:
            return _same(_given(self.constant), p, q)
        ratios: Grid = np.exp(np.log(_given(self.constant)) - exponent * (np.log(p) + np.log(q)))
        return ratios


class Knots(Shape):
    """A curve through points (prior, ratio): the logarithm of the ratio is linear in that of the prior, constant
    outside."""

    shape: Literal["knots"] = "knots"
    axis: Axis | None = field("Prior that counts", "p: being in the data; q: the value, given that; pq: both together.")
    points: Points | None = field(
        "Points", "Prior probability and the ratio allowed there, from small to large priors."
    )

    @model_validator(mode="after")
    def _relations(self) -> Self:
        if self.points is not None:
            _increasing("points", tuple(point[0] for point in self.points), "priors")
        return self

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        import numpy as np

        priors, ratios = zip(*_given(self.points), strict=True)
        return np.exp(np.interp(np.log(_along(_given(self.axis), p, q)), np.log(priors), np.log(ratios)))


class Steps(Shape):
    """A ratio for each interval of priors; on an edge the smaller of the two neighbours holds."""

    shape: Literal["steps"] = "steps"
    axis: Axis | None = field("Prior that counts", "p: being in the data; q: the value, given that; pq: both together.")
    edges: Edges | None = field("Edges", "The priors at which the ratio changes, from small to large.")
    ratios: StepRatios | None = field("Ratios", "One for each interval, one more than edges.", unit="times")

    @model_validator(mode="after")
    def _relations(self) -> Self:
        if self.edges is not None:
            _increasing("edges", self.edges, "edges")
            if self.ratios is not None and len(self.ratios) != len(self.edges) + 1:
                message = f"must have one entry more than edges: {len(self.edges) + 1}, not {len(self.ratios)}"
                raise InvalidInput(
                    message, "ratios", "Give a ratio below the first edge, between edges and above the last."
                )
        return self

    def jumps(self) -> tuple[float, ...]:
        return self.edges or ()

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        import numpy as np

        edges, ratios = np.asarray(_given(self.edges), dtype=float), np.asarray(_given(self.ratios), dtype=float)
        prior = _along(_given(self.axis), p, q)
        below = ratios[np.searchsorted(edges, prior, side="left")]  # an edge belongs to the interval under it
        above = ratios[np.searchsorted(edges, prior, side="right")]
        return below if side == "below" else above if side == "above" else np.minimum(below, above)


class Knots2d(Shape):
    """A surface through points on a grid: the logarithm of the ratio is bilinear in those of p and q, constant
    outside."""

    shape: Literal["knots2d"] = "knots2d"
    p: GridLine | None = field("Grid of p", "Priors of being in the data, from small to large.")
    q: GridLine | None = field("Grid of q", "Priors of the value, given that, from small to large.")
    ratios: GridRatios | None = field("Ratios", "One row for each p, in it one ratio for each q.", unit="times")

    @model_validator(mode="after")
    def _relations(self) -> Self:
        for name, line in (("p", self.p), ("q", self.q)):
            if line is not None:
                _increasing(name, line, "priors")
        if self.ratios is not None:
            if self.p is not None and len(self.ratios) != len(self.p):
                raise InvalidInput(
                    f"must have one row for each p: {len(self.p)}, not {len(self.ratios)}",
                    "ratios",
                    "Add or remove rows.",
                )
            width = len(self.q) if self.q is not None else len(self.ratios[0])
            for index, row in enumerate(self.ratios):
                if len(row) != width:
                    message = f"must have one ratio for each q: {width}, not {len(row)}"
                    raise InvalidInput(message, f"ratios[{index}]", "Add or remove ratios in this row.")
        return self

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        import numpy as np

        rows, columns = np.log(_given(self.p)), np.log(_given(self.q))
        levels = np.log(np.asarray(_given(self.ratios), dtype=float))
        u, v = np.clip(np.log(p), rows[0], rows[-1]), np.clip(np.log(q), columns[0], columns[-1])
        i = np.clip(np.searchsorted(rows, u, side="right") - 1, 0, max(len(rows) - 2, 0))
        j = np.clip(np.searchsorted(columns, v, side="right") - 1, 0, max(len(columns) - 2, 0))
        i1, j1 = np.minimum(i + 1, len(rows) - 1), np.minimum(j + 1, len(columns) - 1)
        s = np.where(i1 > i, (u - rows[i]) / np.where(i1 > i, rows[i1] - rows[i], 1.0), 0.0)
        t = np.where(j1 > j, (v - columns[j]) / np.where(j1 > j, columns[j1] - columns[j], 1.0), 0.0)
        low = (1.0 - t) * levels[i, j] + t * levels[i, j1]
        high = (1.0 - t) * levels[i1, j] + t * levels[i1, j1]
        ratios: Grid = np.exp((1.0 - s) * low + s * high)
        return ratios


Profile = Annotated[
    Constant | CapOrRatio | Cap | Increase | Odds | Power | Knots | Steps | Knots2d, Field(discriminator="shape")
]


def _given(value: Any) -> Any:
    if value is None:
        raise InvalidInput("is missing", "profile", "Answer every field of the risk profile first.")
    return value


def _along(axis: Axis, p: Grid, q: Grid) -> Grid:
    return p if axis == "p" else q if axis == "q" else p * q


def _cap(posterior: float, p: Grid, q: Grid) -> Grid:
    """Return posterior/(pq) without a product that underflows; 0 where the posterior is 0."""
    return posterior / p / q if posterior > 0.0 else _same(0.0, p, q)


def _same(value: float, p: Grid, q: Grid) -> Grid:
    """Return VALUE at every pair of priors."""
    return value + 0.0 * (p + q)


def _increasing(name: str, line: tuple[float, ...], what: str) -> None:
    """Raise InvalidInput naming the first entry of LINE that is not above the one before it."""
    for index in range(1, len(line)):
        if not line[index] > line[index - 1]:
            message = f"{what} must increase; found {line[index]!r} after {line[index - 1]!r}"
            raise InvalidInput(message, f"{name}[{index}]", "Sort from small to large and remove what appears twice.")
