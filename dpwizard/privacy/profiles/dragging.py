"""What a hand can do to the curve of a risk profile: for hands, not for proofs.

A curve is drawn along one belief ("p" or "q") while the other is held. Where a hand asks for what no coherent promise
is (a ratio below 1, a chance after the release above 1 or smaller for a larger belief), the nearest place that is
coherent is taken instead, and `Moved.held` says what held it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

DIGITS = 3  # of what a hand gives: what it can mean
APART = 1.01  # the smallest factor between two knots or edges that a hand can make
Way = Literal["both", "up", "across"]
Held = Literal["", "least", "certain", "falls", "order"]


@dataclass(frozen=True, kw_only=True)
class View:
    """How the curve is drawn: along which belief, between which ends, with the other belief held, and the largest it
    can be."""

    axis: Literal["p", "q"]
    low: float
    high: float
    other: float
    most: float = 1.0  # the largest value of the other belief: what caps the chance after the release

    @property
    def middle(self) -> float:
        """Return the belief halfway along the axis, which is logarithmic."""
        return math.sqrt(self.low * self.high)

    def ends(self) -> tuple[float, float]:
        """Return two beliefs a little inside the ends, so that handles there can be seen and seized."""
        inside = (self.high / self.low) ** 0.04
        return self.low * inside, self.high / inside

    def shows(self, x: float) -> bool:
        """Tell whether belief X lies on the axis."""
        return self.low * (1 - 1e-9) <= x <= self.high * (1 + 1e-9)

    def priors(self, x: float) -> tuple[float, float]:
        """Return p and q at belief X."""
        return (x, self.other) if self.axis == "p" else (self.other, x)

    def scale(self, counted: str | None) -> float | None:
        """Return by what a belief on the axis is multiplied to give the prior COUNTED; None if that does not vary
        here."""
        if counted == self.axis:
            return 1.0
        return self.other if counted == "pq" else None

    def certain(self, x: float) -> float:
        """Return the ratio at which belief X becomes certainty, for the largest other belief."""
        return max(1.0 / (x * self.most), 1.0)


@dataclass(frozen=True, kw_only=True)
class Grip:
    """One thing to take hold of: where it is (a belief and a ratio), what it is called, and which way it can go."""

    x: float
    y: float
    name: str  # in English, with a place for its number if it has one
    number: int = 0
    way: Way = "both"


def kept(y: float, low: float, high: float = math.inf) -> tuple[float, Held]:
    """Return Y kept between LOW and HIGH, and what held it."""
    if y < low:
        return low, "least"
    if y > high:
        return high, "certain"
    return y, ""


def near(value: float) -> float:
    """Return VALUE with the digits a hand can mean."""
    return float(f"{value:.{DIGITS}g}")


def careful(value: float, least: float = 0.0) -> float:
    """Return VALUE with a few digits, never more: what a hand gives is rounded to the careful side."""
    rounded = near(value)
    if rounded > value * (1.0 + 1e-12):
        power = 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
        rounded = float(f"{rounded - power:.12g}")
    return max(rounded, least)
