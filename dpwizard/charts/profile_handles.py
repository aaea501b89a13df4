"""The handles on the curve of a risk profile, and the reasons why a drag stops."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard.privacy.profiles import Shape, View, Way, contradiction
from dpwizard.wording import describe, word


@dataclass(frozen=True, kw_only=True)
class Handle:
    """One handle: its place (a prior and a ratio), its name, and the directions in which it moves."""

    x: float
    y: float
    name: str
    way: Way = "both"
    line: bool = False  # a vertical line that can be dragged anywhere on it


def handles(profile: Shape | None, view: View) -> tuple[Handle, ...]:
    """Return the handles from small to large priors; none for an incomplete shape."""
    return tuple(
        Handle(x=grip.x, y=grip.y, name=describe(grip.name, {"number": grip.number}), way=grip.way)
        for grip in (() if profile is None else profile.grips(view))
    )


def hint(offered: Sequence[Handle], profile: Shape | None) -> str:
    """Return how to use the handles OFFERED: round ones move in both directions, diamonds in one; "" for none."""
    if not offered:
        return ""
    if profile is not None and profile.grows:
        return word("handle", "help_knots")
    plural = "s" if len(offered) > 1 else ""
    look = "round" if all(handle.way == "both" for handle in offered) else "diamond"
    return word("handle", f"help_{look}{plural}")


def held(why: str) -> str:
    """Return in words why a handle stopped; "" if it did not."""
    return word("handle", why) if why else ""


def incoherent(points: Sequence[tuple[float, float]], index: int, most: float = 1.0) -> str:
    """Return in words how point INDEX of a curve contradicts the adjacent ones; "" if it does not."""
    return held(contradiction(points, index, most))
