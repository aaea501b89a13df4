"""A posterior cap or a ratio, whichever is weaker."""

from __future__ import annotations

import math
from typing import Literal, Self

from dpwizard.base.numerics import decimal, rounded_down
from dpwizard.base.values import Probability, Ratio, field
from dpwizard.privacy.profiles.cap import cap_piece
from dpwizard.privacy.profiles.dragging import Grip, View, careful, kept
from dpwizard.privacy.profiles.pieces import LevelPiece, Piece
from dpwizard.privacy.profiles.shape import STRICTER_DIGITS, Axis, Moved, Shape, given, less

CORNER, LEVEL, CAP = "corner of cap and ratio", "largest ratio", "posterior cap"


class CapOrRatio(Shape):
    """A posterior cap or a ratio, whichever is weaker: max{a/(pq), r}, (15)-(17). "Or" means that either is enough."""

    title = "A highest chance, or a ratio: whichever allows more"
    promise = "at most {posterior:chance}, or at most {ratio:number} times as probable as before, whichever is weaker"
    brief = "{posterior:number} or {ratio:number} times"
    handles = (CORNER, LEVEL, CAP)
    telling = "posterior"
    published = True

    shape: Literal["cap_or_ratio"] = "cap_or_ratio"
    posterior: Probability | None = field(
        "Highest chance after the release",
        "A belief may always become as probable as this.",
        decided=True,
        editor="chance",
    )
    ratio: Ratio | None = field(
        "Most times as likely",
        "Or at most so many times as probable as before.",
        unit="times",
        editor="times",
        decided=True,
    )

    def pieces(self) -> tuple[Axis, tuple[Piece, ...]]:
        """Return a cap up to the ridge pq = a/r, and a constant ratio from there."""
        cap, ratio = given(self.posterior), given(self.ratio)
        if cap == 0.0:
            return "pq", (LevelPiece(ratio=ratio),)
        if cap >= ratio or cap == 1.0:  # the cap is the weaker of the two for every prior, or no bound at all
            return "pq", (cap_piece(cap),)
        if math.isinf(ratio):
            return "pq", (LevelPiece(ratio=ratio),)
        ridge = decimal(cap) / decimal(ratio)
        return "pq", (cap_piece(cap, ridge), LevelPiece(ratio=ratio, low=ridge))

    def stricter(self, part: float) -> Self:
        cap, ratio = given(self.posterior), given(self.ratio)
        smaller = less(ratio, part)
        return type(self)(posterior=rounded_down(min(cap / ratio * smaller, 1.0), STRICTER_DIGITS), ratio=smaller)

    def _grips(self, view: View) -> tuple[Grip, ...]:
        cap, ratio = given(self.posterior), given(self.ratio) or 1.0
        if math.isinf(ratio):
            return ()
        at = cap / ratio / view.other
        if view.shows(at):
            return (Grip(x=at, y=ratio, name=CORNER),)
        return (self._on_curve(view, view.middle, LEVEL if at < view.low else CAP),)

    def _moved(self, index: int, view: View, x: float, y: float) -> Moved:
        y, held = kept(y, 1.0)
        prior, name = x * view.other, self.grips(view)[index].name
        if name == CORNER:
            ratio = careful(min(y, 1.0 / prior), 1.0)
            return Moved(profile=self.changed(ratio=ratio, posterior=min(careful(ratio * prior), 1.0)), held=held)
        if name == LEVEL:
            return Moved(profile=self.changed(ratio=careful(y, 1.0)), held=held)
        return Moved(profile=self.changed(posterior=min(careful(y * prior), 1.0)), held=held)
