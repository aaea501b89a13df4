"""The shape "increase": a bound on posterior minus prior probability."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Self

import numpy as np

from dpwizard.base.numerics import decimal, rounded_down
from dpwizard.base.values import Probability, field
from dpwizard.privacy.profiles.dragging import View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import Floats, LevelPiece, Piece
from dpwizard.privacy.profiles.shape import STRICTER_DIGITS, Axis, Moved, Shape, require


@dataclass(frozen=True, kw_only=True)
class IncreasePiece(Piece):
    """r* = 1 + b/(pq): 1/r* = pq/(pq + b) is concave in the prior."""

    amount: float

    def log_ratio(self, log_prior: Floats) -> Floats:
        return np.logaddexp(0.0, math.log(self.amount) - log_prior)

    def exponent(self, log_prior: Floats) -> Floats:
        return -np.expm1(-self.log_ratio(log_prior))  # 1 - 1/r* = b/(pq + b)

    def concave(self) -> bool:
        return self.amount < 1.0

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        return 1 + decimal(self.amount) / prior if prior else None


class Increase(Shape):
    """A bound b on posterior minus prior probability: 1 + b/(pq), (28)."""

    title = "A bounded increase"
    promise = "at most {amount:chance} more than before"
    brief = "increase {amount:number}"
    handles = ("largest increase",)
    telling = "amount"
    around = (0.05, 0.1, 0.2, 0.3, 0.5)

    shape: Literal["increase"] = "increase"
    amount: Probability | None = field(
        "Largest increase",
        "The chance after may exceed the chance before by at most this.",
        decided=True,
        editor="chance",
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        amount = require(self.amount)
        return "pq", (IncreasePiece(amount=amount) if amount > 0.0 else LevelPiece(ratio=1.0),)

    def stricter(self, part: float) -> Self:
        return type(self)(amount=rounded_down(require(self.amount) * part, STRICTER_DIGITS))

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0, view.certain(x))
        return Moved(profile=self.changed(amount=min(three_digits_down((y - 1.0) * (x * view.other)), 1.0)), held=held)
