"""The shape "cap": a highest chance after the release."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import decimal
from dpwizard.base.values import Probability, field
from dpwizard.privacy.profiles.dragging import View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import Floats, LevelPiece, Piece
from dpwizard.privacy.profiles.shape import Axis, Moved, Shape, require


@dataclass(frozen=True, kw_only=True)
class CapPiece(Piece):
    """r* = a/(pq): 1/r* is linear in the prior."""

    posterior: float

    def log_ratio(self, log_prior: Floats) -> Floats:
        return math.log(self.posterior) - log_prior

    def exponent(self, log_prior: Floats) -> Floats:
        return np.ones_like(log_prior)

    def exact_ratio(self, prior: Fraction) -> Fraction | None:
        return decimal(self.posterior) / prior if prior else None


def cap_piece(posterior: float, high: Fraction = Fraction(1)) -> Piece:
    """Return the piece of a cap: a ratio of 0 for a cap of 0, no bound for a cap of 1."""
    if posterior in (0.0, 1.0):
        return LevelPiece(ratio=0.0 if posterior == 0.0 else math.inf, high=high)
    return CapPiece(posterior=posterior, high=high)


class Cap(Shape):
    """A posterior cap, a/(pq): no posterior is above a."""

    title = "A highest chance after the release"
    promise = "never more likely than {posterior:chance}"
    brief = "highest {posterior:number}"
    handles = ("highest chance after",)
    telling = "posterior"
    around = (0.1, 0.25, 0.5)

    shape: Literal["cap"] = "cap"
    posterior: Probability | None = field(
        "Highest chance after the release",
        "Nothing may become more likely than this.",
        decided=True,
        editor="chance",
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        return "pq", (cap_piece(require(self.posterior)),)

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0, view.certain(x))
        return Moved(profile=self.changed(posterior=min(three_digits_down(y * x * view.other), 1.0)), held=held)
