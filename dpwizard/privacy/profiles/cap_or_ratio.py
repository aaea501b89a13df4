"""The shape "cap or ratio": a posterior cap or a ratio, whichever allows more."""

from __future__ import annotations

import math
from typing import Literal, Self

from dpwizard.base.numerics import decimal, rounded_down
from dpwizard.base.values import Probability, Ratio, field
from dpwizard.privacy.profiles.cap import cap_piece
from dpwizard.privacy.profiles.dragging import Grip, View, clamped, three_digits_down
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece
from dpwizard.privacy.profiles.shape import STRICTER_DIGITS, Axis, Moved, Shape, require, stricter_ratio

CORNER, LEVEL, CAP = "corner where highest chance and ratio meet", "largest ratio", "highest chance after"


class CapOrRatio(Shape):
    """A posterior cap or a ratio, whichever allows more: max{a/(pq), r}, (15)-(17)."""

    title = "A highest chance, or a ratio: whichever allows more"
    promise = "at most {posterior:chance}, or at most {ratio:number} times as likely as before, whichever allows more"
    brief = "{posterior:number} or {ratio:number} times"
    handles = (CORNER, LEVEL, CAP)
    telling = "posterior"
    published = True

    shape: Literal["cap_or_ratio"] = "cap_or_ratio"
    posterior: Probability | None = field(
        "Highest chance after the release",
        "Anything may become as likely as this, whatever the chance before.",
        decided=True,
        editor="chance",
    )
    ratio: Ratio | None = field(
        "Most times as likely",
        "Or at most this many times as likely as before.",
        unit="times",
        editor="times",
        decided=True,
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        """Return a cap up to the ridge pq = a/r, and a constant ratio from there."""
        cap, ratio = require(self.posterior), require(self.ratio)
        if cap == 0.0:
            return "pq", (LevelPiece(ratio=ratio),)
        if cap >= ratio or cap == 1.0:  # the cap allows more for every prior, or is no bound at all
            return "pq", (cap_piece(cap),)
        if math.isinf(ratio):
            return "pq", (LevelPiece(ratio=ratio),)
        ridge = decimal(cap) / decimal(ratio)
        return "pq", (cap_piece(cap, ridge), LevelPiece(ratio=ratio, low=ridge))

    def stricter(self, part: float) -> Self:
        cap, ratio = require(self.posterior), require(self.ratio)
        stricter = stricter_ratio(ratio, part)
        return type(self)(posterior=rounded_down(min(cap / ratio * stricter, 1.0), STRICTER_DIGITS), ratio=stricter)

    def _grips(self, view: View) -> tuple[Grip, ...]:
        cap, ratio = require(self.posterior), require(self.ratio) or 1.0
        if math.isinf(ratio):
            return ()
        corner = cap / ratio / view.other
        if view.shows(corner):
            return (Grip(x=corner, y=ratio, name=CORNER),)
        return (self._grip_on_curve(view, view.middle, LEVEL if corner < view.low else CAP),)

    def _drag(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = clamped(y, 1.0)
        prior, name = x * view.other, self.grips(view)[index].name
        if name == CORNER:
            ratio = three_digits_down(min(y, 1.0 / prior), 1.0)
            return Moved(
                profile=self.changed(ratio=ratio, posterior=min(three_digits_down(ratio * prior), 1.0)), held=held
            )
        if name == LEVEL:
            return Moved(profile=self.changed(ratio=three_digits_down(y, 1.0)), held=held)
        return Moved(profile=self.changed(posterior=min(three_digits_down(y * prior), 1.0)), held=held)
