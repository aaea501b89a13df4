"""The base class of the shapes of a risk profile r*(p, q): the largest ratio of posterior to prior probability.

p is the prior probability that the person is in the data, q that the sensitive value is theirs given that they
are, and pq the prior probability of the disclosure. A profile allows the posterior probability r*(p, q) pq.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike
from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message, sentence
from dpwizard.base.numerics import rounded_down
from dpwizard.base.values import Belief, Positive, Variant, read
from dpwizard.privacy.profiles.dragging import Grip, Held, View
from dpwizard.privacy.profiles.pieces import Floats, Mesh, Piece

MOST_POINTS = 2_000  # knots or edges along one axis
STRICTER_DIGITS = 4

Axis = Literal["p", "q", "pq"]
# at a jump: the smaller of the two, or the limit from smaller or larger priors
Side = Literal["least", "below", "above"]
Points = Annotated[tuple[tuple[Belief, Positive], ...], Field(min_length=1, max_length=MOST_POINTS)]
Answer = TypeVar("Answer")


class Shape(Variant):
    """One shape of a risk profile: a formula with a few numbers (`brief` names them), or a curve drawn by hand."""

    promise: ClassVar[str]  # the requirement as a clause, with its figures
    brief: ClassVar[str] = ""  # its name in a table of profiles; "" for a curve drawn by hand
    handles: ClassVar[tuple[str, ...]] = ()  # the names of its drag handles
    telling: ClassVar[str | None] = None  # the field in which profiles of this shape differ in a chart
    around: ClassVar[tuple[float, ...]] = ()  # values of that field for the comparison chart
    published: ClassVar[bool] = False  # whether Kazan & Reiter 2024 compare it in Table 1 and Figure 2
    grows: ClassVar[bool] = False  # whether knots can be added and removed by hand

    @classmethod
    def texts(cls) -> Iterable[str]:
        return (cls.title, cls.promise, cls.brief, *cls.handles)

    @property
    def drawn(self) -> bool:
        return not self.brief

    # ------------------------------------------------------------------------------- answers

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that are not answered yet."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is None)

    def answered(self) -> Self:
        """Return this profile; raise InvalidInput naming the first field that is missing."""
        missing = self.missing()
        if missing:
            label = type(self).model_fields[missing[0]].title
            raise InvalidInput("is missing", missing[0], 'Fill in "{label}" of the risk profile.', label=label)
        return self

    def changed(self, **fields: object) -> Self:
        """Return this profile with FIELDS replaced, checked again."""
        values = {name: getattr(self, name) for name in type(self).model_fields}
        changed: Self = read(type(self), {**values, **fields}, "$.profile")
        return changed

    # ------------------------------------------------------------------------------- limits

    def ratio_at(self, p: ArrayLike, q: ArrayLike, side: Side = "least") -> Any:
        """Return the allowed ratio of posterior to prior probability at the priors p and q.

        Arguments: p, q, numbers or arrays in [0, 1] that broadcast against each other (0 is read as the limit);
        side, what to return on an edge where the profile jumps: the smaller ratio ("least", the one that counts),
        or the limit from smaller ("below") or larger ("above") priors. Returns a float for two numbers, else an
        array; inf means no bound. Exact to a few units in the last place (interpolated values: 1e-13 relative).
        Raises InvalidInput if a field is missing. Source: Kazan & Reiter 2024, (14)-(17), (28) and Section 7.
        """
        self.answered()
        first, second = np.broadcast_arrays(np.asarray(p, dtype=float), np.asarray(q, dtype=float))
        with np.errstate(all="ignore"):
            ratios = np.asarray(self._ratios(first, second, side), dtype=float)
        return float(ratios) if ratios.ndim == 0 else ratios

    def _ratios(self, p: Floats, q: Floats, side: Side) -> Floats:
        """Return the ratios at P and Q, arrays of one shape."""
        axis, pieces = self.pieces()
        factors = {"p": [p], "q": [q], "pq": [p, q]}[axis]
        prior, log_prior = np.prod(factors, axis=0), np.sum(np.log(factors), axis=0)
        ends = np.array([float(piece.high) for piece in pieces[:-1]])
        ratios = np.full(np.shape(prior), np.inf)
        below, above = np.searchsorted(ends, prior, side="left"), np.searchsorted(ends, prior, side="right")
        for piece_at in {"below": (below,), "above": (above,), "least": (below, above)}[side]:
            for i in np.unique(piece_at):
                in_piece = piece_at == i
                ratios[in_piece] = np.minimum(ratios[in_piece], np.exp(pieces[i].log_ratio(log_prior[in_piece])))
        return ratios

    def jumps(self) -> tuple[float, ...]:
        """Return the priors, along the profile's axis, at which it jumps."""
        return ()

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        """Return the prior that the ratio depends on, and the pieces in increasing order; no field may be missing."""
        raise TypeError(f"{type(self).__name__} is not made of pieces along one prior")

    def mesh(self) -> Mesh | None:
        """Return the knots of a surface over both priors; None for a profile of pieces along one prior."""
        return None

    # ------------------------------------------------------------------------------- texts and comparisons

    def figures(self) -> Mapping[str, Any]:
        """Return the figures in the text of `promise`."""
        return {name: getattr(self, name) for name in type(self).model_fields}

    def others(self) -> tuple[Shape, ...]:
        """Return profiles of this shape to compare it with."""
        return tuple(self.model_copy(update={str(self.telling): value}) for value in self.around)

    def excess(self, times: float) -> Self:
        """Return a curve drawn by hand with the excess of its ratios over 1 multiplied by TIMES."""
        raise TypeError(f"{type(self).__name__} is no curve drawn by hand")

    def stricter(self, part: float) -> Self:
        """Return the profile with the logarithms of its ratios multiplied by PART, rounded down to four digits."""
        raise InvalidInput(
            "cannot be made stricter: {profile}", "profile", "Choose another shape.", profile=repr(self)[:175]
        )

    # ------------------------------------------------------------------------------- dragging

    def grips(self, view: View) -> tuple[Grip, ...]:
        """Return the handles in VIEW, in increasing order of priors; none if a field is missing."""
        return () if self.missing() else self._grips(view)

    def _grips(self, view: View) -> tuple[Grip, ...]:
        """Return the handles of a profile with one number: in the middle of its curve, to be dragged up and down."""
        return tuple(self._grip_on_curve(view, view.middle, name) for name in self.handles)

    def moved(self, index: int, view: View, x: float, y: float) -> Moved:
        """Return the profile with its grip INDEX moved to prior X and ratio Y, or to the nearest coherent point."""
        grip = self.grips(view)[index]
        x = min(max(x, view.low), view.high) if grip.way != "up" else grip.x
        return self._drag(index, view, x, y if grip.way != "across" else grip.y)

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        raise InvalidInput("has nothing to drag", "profile", "Enter its numbers.")

    def added(self, view: View, x: float) -> tuple[Self, int]:
        """Return the profile with a new knot on its curve at prior X, and the index of its grip."""
        raise InvalidInput("has no knots here", "profile.points", "Choose the shape “curve through points”.")

    def removed(self, index: int, view: View) -> Self:
        """Return the profile without the knot of grip INDEX."""
        raise InvalidInput("has no knots", "profile.points", "Choose the shape “curve through points”.")

    def _grip_on_curve(self, view: View, x: float, name: str) -> Grip:
        return Grip(x=x, y=float(self.ratio_at(*view.priors(x))), name=name, way="up")


@dataclass(frozen=True, kw_only=True)
class Moved:
    """The profile after it was dragged, and the limit that stopped the drag (empty if none did)."""

    profile: Shape
    held: Held = ""


def require(value: Answer | None) -> Answer:
    """Return VALUE; raise InvalidInput if it is None."""
    if value is None:
        raise InvalidInput("is missing", "profile", "Fill in every field of the risk profile first.")
    return value


def stricter_ratio(ratio: float, part: float) -> float:
    """Return RATIO to the power PART, rounded down to four digits; at least 1."""
    return max(rounded_down(math.exp(part * math.log(max(ratio, 1.0))), STRICTER_DIGITS), 1.0)


def check_increasing(name: str, line: tuple[float, ...], what: str) -> None:
    """Raise InvalidInput naming the first entry of LINE that is not above the one before it."""
    for index in range(1, len(line)):
        if not line[index] > line[index - 1]:
            wrong = message(
                "{what} must increase; found {found} after {before}",
                what=sentence(what),
                found=line[index],
                before=line[index - 1],
            )
            raise InvalidInput(wrong, f"{name}[{index}]", "Sort from small to large and remove what appears twice.")
