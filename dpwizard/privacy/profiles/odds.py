"""A bound on the odds."""

from __future__ import annotations

import math
from typing import Literal, Self

from dpwizard.base.values import Positive, field
from dpwizard.privacy.profiles.dragging import Grip, View, careful, kept
from dpwizard.privacy.profiles.pieces import Piece
from dpwizard.privacy.profiles.shape import Axis, Grid, Moved, Shape, Side, given, less


class Odds(Shape):
    """A bound on the odds: t/(1 - pq + t pq). The odds of a belief may multiply by at most t."""

    title = "A factor on the odds"
    promise = "odds at most {factor:number} times those before"
    brief = "odds {factor:number} times"
    handles = ("largest factor on the odds",)
    telling = "factor"
    around = (1.5, 2.0, 3.0, 5.0, 10.0)

    shape: Literal["odds"] = "odds"
    factor: Positive | None = field(
        "Largest factor on the odds",
        "The odds of a belief may multiply by at most this.",
        unit="times",
        editor="times",
        decided=True,
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        inverse = 1.0 / given(self.factor)
        prior = p * q
        return 1.0 / (inverse * (1.0 - prior) + prior)

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (Piece("odds", math.log(given(self.factor))),)

    def stricter(self, part: float) -> Self:
        return type(self)(factor=less(given(self.factor), part))

    def _grips(self, view: View) -> tuple[Grip, ...]:
        return self._level(view)

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = kept(y, 1.0, view.certain(x))
        prior = x * view.other
        y = min(y, 0.999 / prior)
        factor = careful(y * (1.0 - prior) / (1.0 - y * prior), 1.0) if prior < 1.0 else 1.0
        return Moved(profile=self.changed(factor=factor), held=held)
