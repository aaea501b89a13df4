"""What can be taken hold of on the curve of a risk profile, and what held a hand, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dpwizard.privacy.profiles import Shape, View, Way, contradiction
from dpwizard.wording import describe, word


@dataclass(frozen=True, kw_only=True)
class Handle:
    """One thing to take hold of: where it is (a belief and a ratio), what it is called, and which way it can go."""

    x: float
    y: float
    name: str
    way: Way = "both"
    line: bool = False  # it is an upright line, seized anywhere on it


def handles(profile: Shape | None, view: View) -> tuple[Handle, ...]:
    """Return what can be taken hold of, from small to large beliefs; nothing for an unfinished or handleless shape."""
    return tuple(
        Handle(x=grip.x, y=grip.y, name=describe(grip.name, {"number": grip.number}), way=grip.way)
        for grip in (() if profile is None else profile.grips(view))
    )


def hint(offered: Sequence[Handle], profile: Shape | None) -> str:
    """Return how to take hold of what is OFFERED, by its look: round goes both ways, a diamond one; "" for nothing."""
    if not offered:
        return ""
    if profile is not None and profile.grows:
        return word("handle", "help_knots")
    many = "s" if len(offered) > 1 else ""
    return word("handle", f"help_round{many}" if all(one.way == "both" for one in offered) else f"help_diamond{many}")


def held(why: str) -> str:
    """Return in words what kept a handle from going all the way; "" if nothing did."""
    return word("handle", why) if why else ""


def incoherent(points: Sequence[tuple[float, float]], index: int, most: float = 1.0) -> str:
    """Return in words what is incoherent about point INDEX of a curve beside its neighbours; "" if nothing is."""
    return held(contradiction(points, index, most))
