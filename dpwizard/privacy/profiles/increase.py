"""A bound on the difference of posterior and prior probability."""

from __future__ import annotations

from typing import Literal, Self

from dpwizard.base.numerics import rounded_down
from dpwizard.base.values import Probability, field
from dpwizard.privacy.profiles.dragging import Grip, View, careful, kept
from dpwizard.privacy.profiles.pieces import Piece
from dpwizard.privacy.profiles.shape import STRICTER_DIGITS, Axis, Grid, Moved, Shape, Side, given, over_prior


class Increase(Shape):
    """A bound on the difference of posterior and prior probability: 1 + b/(pq), (28)."""

    title = "A bounded increase"
    promise = "at most {amount:chance} more than before"
    brief = "increase {amount:number}"
    handles = ("largest increase",)
    telling = "amount"
    around = (0.05, 0.1, 0.2, 0.3, 0.5)

    shape: Literal["increase"] = "increase"
    amount: Probability | None = field(
        "Largest increase",
        "The posterior may exceed the prior probability by at most this.",
        decided=True,
        editor="chance",
    )

    def _ratios(self, p: Grid, q: Grid, side: Side) -> Grid:
        return 1.0 + over_prior(given(self.amount), p, q)

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (Piece("increase", given(self.amount)),)

    def stricter(self, part: float) -> Self:
        return type(self)(amount=rounded_down(given(self.amount) * part, STRICTER_DIGITS))

    def _grips(self, view: View) -> tuple[Grip, ...]:
        return self._level(view)

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = kept(y, 1.0, view.certain(x))
        return Moved(profile=self.changed(amount=min(careful((y - 1.0) * (x * view.other)), 1.0)), held=held)
