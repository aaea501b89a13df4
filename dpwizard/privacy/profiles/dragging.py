"""Dragging the curve of a risk profile in the window; no proof depends on it.

A curve is drawn along one prior ("p" or "q") with the other fixed. If no coherent profile has the requested point (a
ratio below 1, a posterior above 1 or smaller for a larger prior), the nearest coherent point is used, and `Moved.held`
gives the reason.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

DIGITS = 3  # significant digits of a dragged number
APART = 1.01  # the smallest factor between two knots or edges after dragging
Way = Literal["both", "up", "across"]
Held = Literal["", "least", "certain", "falls", "order"]


@dataclass(frozen=True, kw_only=True)
class View:
    """The drawing of the curve: along one prior, between two ends, with the other prior fixed."""

    axis: Literal["p", "q"]
    low: float
    high: float
    other: float
    most: float = 1.0  # the largest value of the other prior, which limits the chance after the release

    @property
    def middle(self) -> float:
        """Return the prior in the middle of the axis, which is logarithmic."""
        return math.sqrt(self.low * self.high)

    def ends(self) -> tuple[float, float]:
        """Return two priors a little inside the ends, where a handle is visible and can be dragged."""
        inside = (self.high / self.low) ** 0.04
        return self.low * inside, self.high / inside

    def shows(self, x: float) -> bool:
        """Return whether prior X is on the axis."""
        return self.low * (1 - 1e-9) <= x <= self.high * (1 + 1e-9)

    def priors(self, x: float) -> tuple[float, float]:
        return (x, self.other) if self.axis == "p" else (self.other, x)

    def scale(self, counted: str | None) -> float | None:
        """Return the factor from a prior on the axis to the prior COUNTED; None if that is fixed."""
        if counted == self.axis:
            return 1.0
        return self.other if counted == "pq" else None

    def certain(self, x: float) -> float:
        """Return the ratio at which the posterior is 1, for prior X and the largest other prior."""
        return max(1.0 / (x * self.most), 1.0)


@dataclass(frozen=True, kw_only=True)
class Grip:
    """A handle: its position (a prior and a ratio), its name, and the directions in which it can be dragged."""

    x: float
    y: float
    name: str  # in English, with {number} if it has one
    number: int = 0
    way: Way = "both"


def clamped(ratio: float, low: float, high: float = math.inf) -> tuple[float, Held]:
    """Return RATIO limited to LOW..HIGH, and the limit that applied."""
    if ratio < low:
        return low, "least"
    if ratio > high:
        return high, "certain"
    return ratio, ""


def between_neighbours(place: float, places: Sequence[float], index: int) -> tuple[float, Held]:
    """Return PLACE for entry INDEX of PLACES, rounded and a factor APART from its neighbours, and the limit reached."""
    low = places[index - 1] * APART if index else 0.0
    high = places[index + 1] / APART if index + 1 < len(places) else 1.0
    if low >= high:
        return places[index], "order"
    moved = min(max(place, low), high)
    rounded = to_three_digits(moved)
    return rounded if low <= rounded <= high else moved, "" if moved == place else "order"


def to_three_digits(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def three_digits_down(value: float, least: float = 0.0) -> float:
    """Return VALUE rounded down to three digits, which is the safe side; at least LEAST."""
    rounded = to_three_digits(value)
    if rounded > value * (1.0 + 1e-12):
        power = 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
        rounded = float(f"{rounded - power:.12g}")
    return max(rounded, least)
