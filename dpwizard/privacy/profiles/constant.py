"""The shape "constant": one ratio for every prior."""

from __future__ import annotations

from typing import Literal, Self

from dpwizard.base.values import Ratio, field
from dpwizard.privacy.profiles.dragging import View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece
from dpwizard.privacy.profiles.shape import Axis, Moved, Shape, require, stricter_ratio


class Constant(Shape):
    """The same ratio for every prior, (14)."""

    title = "One ratio for all"
    promise = "at most {ratio:number} times as likely as before"
    brief = "{ratio:number} times"
    handles = ("largest ratio",)
    published = True

    shape: Literal["constant"] = "constant"
    ratio: Ratio | None = field(
        "Most times as likely",
        "Anything about a person may become at most this many times as likely.",
        unit="times",
        editor="times",
        decided=True,
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (LevelPiece(ratio=require(self.ratio)),)

    def stricter(self, part: float) -> Self:
        return type(self)(ratio=stricter_ratio(require(self.ratio), part))

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0)
        return Moved(profile=self.changed(ratio=three_digits_down(y, 1.0)), held=held)
