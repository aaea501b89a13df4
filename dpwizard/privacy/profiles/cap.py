"""A posterior cap."""

from __future__ import annotations

from typing import Literal

from dpwizard.base.values import Probability, field
from dpwizard.privacy.profiles.dragging import Grip, View, careful, kept
from dpwizard.privacy.profiles.pieces import Piece
from dpwizard.privacy.profiles.shape import Axis, Grid, Moved, Shape, Side, given, over_prior


class Cap(Shape):
    """A posterior cap: a/(pq). No belief may become more probable than a."""

    title = "A cap on the chance after"
    promise = "never more probable than {posterior:chance}"
    brief = "cap {posterior:number}"
    handles = ("posterior cap",)
    telling = "posterior"
    around = (0.1, 0.25, 0.5)

    shape: Literal["cap"] = "cap"
    posterior: Probability | None = field(
        "Posterior cap", "No belief may become more probable than this.", decided=True, editor="chance"
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        return over_prior(given(self.posterior), p, q)

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (Piece("cap", given(self.posterior)),)

    def _grips(self, view: View) -> tuple[Grip, ...]:
        return self._level(view)

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = kept(y, 1.0, view.certain(x))
        return Moved(profile=self.changed(posterior=min(careful(y * x * view.other), 1.0)), held=held)
