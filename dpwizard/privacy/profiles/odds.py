"""The shape "odds": a factor on the odds."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

import numpy as np

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Positive, field
from dpwizard.privacy.profiles.dragging import View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import Floats, Piece
from dpwizard.privacy.profiles.shape import Axis, Moved, Shape, require, stricter_ratio


@dataclass(frozen=True, kw_only=True)
class OddsPiece(Piece):
    """r* = t/(1 - pq + t pq): 1/r* is linear in the prior."""

    factor: float

    def log_ratio(self, log_prior: Floats) -> Floats:
        prior = np.exp(log_prior)
        return -np.log((1.0 - prior) / self.factor + prior)

    def exponent(self, log_prior: Floats) -> Floats:
        prior = np.exp(log_prior)
        return (self.factor - 1.0) * prior / (1.0 - prior + self.factor * prior)

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        t = decimal(self.factor)
        return t / (1 - prior + t * prior)


class Odds(Shape):
    """A factor t by which the prior odds are multiplied at most: t/(1 - pq + t pq)."""

    title = "A factor on the odds"
    promise = "odds at most {factor:number} times those before"
    brief = "odds {factor:number} times"
    handles = ("largest factor on the odds",)
    telling = "factor"
    around = (1.5, 2.0, 3.0, 5.0, 10.0)

    shape: Literal["odds"] = "odds"
    factor: Positive | None = field(
        "Largest factor on the odds",
        "The odds may become at most this many times what they were.",
        unit="times",
        editor="times",
        decided=True,
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (OddsPiece(factor=require(self.factor)),)

    def stricter(self, part: float) -> Self:
        return type(self)(factor=stricter_ratio(require(self.factor), part))

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0, view.certain(x))
        prior = x * view.other
        y = min(y, 0.999 / prior)
        factor = three_digits_down(y * (1.0 - prior) / (1.0 - y * prior), 1.0) if prior < 1.0 else 1.0
        return Moved(profile=self.changed(factor=factor), held=held)
