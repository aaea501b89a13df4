"""The shape "power": a power of the prior."""

from __future__ import annotations

import math
from typing import Literal, Self

from dpwizard.base.values import Number, Positive, field
from dpwizard.privacy.profiles.cap import cap_piece
from dpwizard.privacy.profiles.dragging import Grip, View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece, PowerPiece
from dpwizard.privacy.profiles.shape import Axis, Moved, Shape, require


class Power(Shape):
    """A power of the prior: c (pq)^-k. k = 0 is a constant, k = 1 a posterior cap of c."""

    title = "A power of the chance before"
    promise = "at most {constant:number} times (chance before to the power −{exponent:number})"
    brief = "{constant:number} × chance before to −{exponent:number}"
    handles = ("exponent", "ratio at chance before 1")
    telling = "exponent"
    around = (0.0, 0.25, 0.5, 0.75)

    shape: Literal["power"] = "power"
    constant: Positive | None = field(
        "Ratio at chance before 1", "The ratio allowed where the chance before is 1.", unit="times", decided=True
    )
    exponent: Number | None = field(
        "Exponent",
        "How fast the ratio falls as the chance before grows: with 0 not at all, with 1 as for a highest chance after.",
        decided=True,
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        constant, exponent = require(self.constant), require(self.exponent)
        if exponent == 0.0:
            return "pq", (LevelPiece(ratio=constant),)
        if exponent == 1.0 and constant <= 1.0:
            return "pq", (cap_piece(constant),)
        return "pq", (PowerPiece(level=math.log(constant), fall=exponent, high_ratio=constant),)

    def stricter(self, part: float) -> Self:
        return type(self)(constant=require(self.constant) ** part, exponent=require(self.exponent) * part)

    def _grips(self, view: View) -> tuple[Grip, ...]:
        return tuple(self._grip_on_curve(view, x, name) for x, name in zip(view.ends(), self.handles, strict=True))

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0, view.certain(x))
        prior, exponent, constant = x * view.other, require(self.exponent), require(self.constant)
        if index == 1:
            return Moved(profile=self.changed(constant=three_digits_down(y * prior**exponent)), held=held)
        return Moved(profile=self.changed(exponent=round(math.log(constant / y) / math.log(prior), 3)), held=held)
