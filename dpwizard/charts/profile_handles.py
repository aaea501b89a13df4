"""What can be taken hold of on the curve of a risk profile, and the profile that moving it makes. For hands, not for
proofs.

A curve is drawn along one belief ("p" or "q") while the other is held. Where a hand asks for what no coherent promise
is (a ratio below 1, a chance after the release above 1 or smaller for a larger belief), the nearest place that is
coherent is taken instead, and said in words.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar

from dpwizard.errors import InvalidInput
from dpwizard.privacy.profiles import (
    MOST_POINTS,
    Cap,
    CapOrRatio,
    Constant,
    Increase,
    Knots,
    Odds,
    Power,
    Profile,
    Shape,
    Steps,
)
from dpwizard.values import read
from dpwizard.wording import say, word

__all__ = ["Handle", "Moved", "View", "added", "handles", "hint", "incoherent", "moved", "removed"]

DIGITS = 3  # of what a hand gives: what it can mean
APART = 1.01  # the smallest factor between two knots or edges that a hand can make
Way = Literal["both", "up", "across"]
Shaped = TypeVar("Shaped", bound=Shape)


@dataclass(frozen=True, kw_only=True)
class View:
    """How the curve is drawn: along which belief, between which ends, with the other belief held, and the largest it
    can be."""

    axis: Literal["p", "q"]
    low: float
    high: float
    other: float
    most: float = 1.0  # the largest value of the other belief: what caps the chance after the release


@dataclass(frozen=True, kw_only=True)
class Handle:
    """One thing to take hold of: where it is (a belief and a ratio), what it is called, and which way it can go."""

    x: float
    y: float
    name: str
    way: Way = "both"
    knot: bool = False  # whether it can be removed, and others added beside it
    line: bool = False  # it is an upright line, seized anywhere on it


@dataclass(frozen=True, kw_only=True)
class Moved:
    """The profile after a hand's move; `held` says in words what kept it from going all the way, if anything did."""

    profile: Profile
    held: str = ""


def handles(profile: Profile | None, view: View) -> tuple[Handle, ...]:
    """Return what can be taken hold of, from small to large beliefs; nothing where a field is missing or the shape has
    no handle here."""
    if profile is None or profile.missing():
        return ()
    middle = math.sqrt(view.low * view.high)
    match profile:
        case Constant():
            return (Handle(x=middle, y=_at(profile, view, middle), name=word("handle", "level"), way="up"),)
        case CapOrRatio():
            return _corner(profile, view)
        case Cap() | Increase() | Odds():
            return (Handle(x=middle, y=_at(profile, view, middle), name=word("handle", profile.shape), way="up"),)
        case Power():
            names = (word("handle", "exponent"), word("handle", "constant"))
            return tuple(
                Handle(x=x, y=_at(profile, view, x), name=name, way="up")
                for x, name in zip(_ends(view), names, strict=True)
            )
        case Knots():
            return _knots(profile, view)
        case Steps():
            return _steps(profile, view)
    return ()


def hint(offered: Sequence[Handle], profile: Profile | None) -> str:
    """Return how what is OFFERED is taken hold of, named as it is drawn: round where it goes both ways, else a diamond;
    "" for nothing."""
    if not offered:
        return ""
    if isinstance(profile, Knots):
        return word("handle", "help_knots")
    many = "s" if len(offered) > 1 else ""
    return word("handle", f"help_round{many}" if all(one.way == "both" for one in offered) else f"help_diamond{many}")


def _ends(view: View) -> tuple[float, float]:
    """Return two beliefs a little inside the ends, so that handles there can be seen and seized."""
    inside = (view.high / view.low) ** 0.04
    return view.low * inside, view.high / inside


def _at(profile: Profile, view: View, x: float) -> float:
    p, q = (x, view.other) if view.axis == "p" else (view.other, x)
    return float(profile.ratio_at(p, q))


def _scale(axis: str | None, view: View) -> float | None:
    """Return by what a belief on the drawn axis is multiplied to give the belief a profile counts; None if that does
    not vary here."""
    if axis == view.axis:
        return 1.0
    return view.other if axis == "pq" else None


def _seen(x: float, view: View) -> bool:
    return view.low * (1 - 1e-9) <= x <= view.high * (1 + 1e-9)


def _corner(profile: CapOrRatio, view: View) -> tuple[Handle, ...]:
    cap, ratio = profile.posterior or 0.0, profile.ratio or 1.0
    if math.isinf(ratio):
        return ()
    at = cap / ratio / view.other
    if _seen(at, view):
        return (Handle(x=at, y=ratio, name=word("handle", "corner")),)
    middle = math.sqrt(view.low * view.high)
    name = "level" if at < view.low else "cap"
    return (Handle(x=middle, y=_at(profile, view, middle), name=word("handle", name), way="up"),)


def _knots(profile: Knots, view: View) -> tuple[Handle, ...]:
    scale = _scale(profile.axis, view)
    if scale is None:
        return ()
    found = []
    for index, (prior, ratio) in enumerate(profile.points or ()):
        if _seen(prior / scale, view):
            found.append(
                Handle(x=prior / scale, y=ratio, name=say("handle", "knot", {"number": str(index + 1)}), knot=True)
            )
    return tuple(found)


def _steps(profile: Steps, view: View) -> tuple[Handle, ...]:
    scale = _scale(profile.axis, view)
    if scale is None:
        return ()
    found: list[Handle] = []
    for kind, index, x, y in _step_places(profile, view, scale):
        name = say("handle", kind, {"number": str(index + 1)})
        found.append(Handle(x=x, y=y, name=name, way="up" if kind == "step" else "across"))
    return tuple(found)


def _step_places(profile: Steps, view: View, scale: float) -> list[tuple[str, int, float, float]]:
    """Return steps (at the middle of what is seen of them) and edges, with their index and place, from small to large
    beliefs."""
    edges = [edge / scale for edge in profile.edges or ()]
    ratios = profile.ratios or ()
    found = []
    for index, ratio in enumerate(ratios):
        low = max(edges[index - 1] if index else view.low, view.low)
        high = min(edges[index] if index < len(edges) else view.high, view.high)
        if low < high:
            x = math.sqrt(low * high)
            found.append(("step", index, x, min(ratio, _certain(x, view))))
        if index < len(edges) and _seen(edges[index], view):
            beside = [min(r, _certain(edges[index], view)) for r in ratios[index : index + 2]]
            found.append(("edge", index, edges[index], math.sqrt(beside[0] * beside[1])))
    return found


def _certain(x: float, view: View) -> float:
    """Return the ratio at which a belief becomes certainty, for the largest other belief."""
    return max(1.0 / (x * view.most), 1.0)


# ------------------------------------------------------------------------------------------- moving


def moved(profile: Profile, index: int, view: View, x: float, y: float) -> Moved:
    """Return PROFILE with its handle INDEX (of `handles`) moved to belief X and ratio Y, or as near as is coherent."""
    place = handles(profile, view)[index]
    x = min(max(x, view.low), view.high) if place.way != "up" else place.x
    y = y if place.way != "across" else place.y
    match profile:
        case Knots():
            return _move_knot(profile, _first_seen(profile, view) + index, view, x, y)
        case Steps():
            return _move_step(profile, index, view, x, y)
    y, held = _kept(y, 1.0, _certain(x, view) if not isinstance(profile, Constant | CapOrRatio) else math.inf)
    prior = x * view.other
    match profile:
        case Constant():
            return Moved(profile=_put(profile, ratio=_floor(y, 1.0)), held=held)
        case CapOrRatio():
            return _move_corner(profile, view, place, x, y, held)
        case Cap():
            return Moved(profile=_put(profile, posterior=min(_floor(y * prior), 1.0)), held=held)
        case Increase():
            return Moved(profile=_put(profile, amount=min(_floor((y - 1.0) * prior), 1.0)), held=held)
        case Odds():
            y = min(y, 0.999 / prior)
            return Moved(
                profile=_put(
                    profile, factor=_floor(y * (1.0 - prior) / (1.0 - y * prior), 1.0) if prior < 1.0 else 1.0
                ),
                held=held,
            )
        case Power():
            exponent, constant = profile.exponent or 0.0, profile.constant or 1.0
            if index == 1:
                return Moved(profile=_put(profile, constant=_floor(y * prior**exponent)), held=held)
            return Moved(profile=_put(profile, exponent=round(math.log(constant / y) / math.log(prior), 3)), held=held)
    raise InvalidInput("has nothing to take hold of", "profile", "Type its numbers.")


def _move_corner(profile: CapOrRatio, view: View, place: Handle, x: float, y: float, held: str) -> Moved:
    if place.way == "both":
        prior = x * view.other
        ratio = _floor(min(y, 1.0 / prior), 1.0)
        return Moved(profile=_put(profile, ratio=ratio, posterior=min(_floor(ratio * prior), 1.0)), held=held)
    if place.name == word("handle", "level"):
        return Moved(profile=_put(profile, ratio=_floor(y, 1.0)), held=held)
    return Moved(profile=_put(profile, posterior=min(_floor(y * x * view.other), 1.0)), held=held)


def _first_seen(profile: Knots, view: View) -> int:
    scale = _scale(profile.axis, view) or 1.0
    return next((i for i, (prior, _) in enumerate(profile.points or ()) if _seen(prior / scale, view)), 0)


def _move_knot(profile: Knots, index: int, view: View, x: float, y: float) -> Moved:
    points = list(profile.points or ())
    scale = _scale(profile.axis, view) or 1.0
    lowest = points[index - 1][0] * APART if index else 0.0
    highest = points[index + 1][0] / APART if index + 1 < len(points) else 1.0
    prior = min(max(x * scale, lowest), highest) if lowest < highest else points[index][0]
    held = word("handle", "order") if prior != x * scale and lowest < highest else ""
    most = 1.0 if profile.axis == "pq" else view.most
    if not lowest <= (rounded := _near(prior)) <= highest:
        rounded = prior
    ratio, why = _coherent(tuple(points), index, rounded, y, most)
    points[index] = (min(rounded, 1.0), ratio)
    return Moved(profile=_put(profile, points=tuple(points)), held=why or held)


def _bounds(
    points: tuple[tuple[float, float], ...], index: int, prior: float, most: float
) -> tuple[float, float, float]:
    """Return the least and largest ratio a knot at PRIOR may have beside its neighbours, and the ratio that is
    certainty."""
    certain = max(1.0, 1.0 / (prior * most))
    low = max(1.0, points[index - 1][1] * points[index - 1][0] / prior if index else 1.0)
    high = min(certain, points[index + 1][1] * points[index + 1][0] / prior if index + 1 < len(points) else math.inf)
    return (
        (low, high, certain) if low <= high * (1 + 1e-12) else (1.0, certain, certain)
    )  # the neighbours contradict each other already


def _coherent(
    points: tuple[tuple[float, float], ...], index: int, prior: float, ratio: float, most: float
) -> tuple[float, str]:
    """Return RATIO, or the nearest one coherent with the neighbours, and why it is not what was asked for."""
    low, high, certain = _bounds(points, index, prior, most)
    kept = min(max(ratio, low), high)
    if kept == ratio:
        rounded = _near(ratio)
        return (rounded if low <= rounded <= high else ratio), ""
    if kept == high:
        return kept, word("handle", "certain" if high == certain else "falls")
    return kept, word("handle", "least" if low == 1.0 else "falls")


def _move_step(profile: Steps, index: int, view: View, x: float, y: float) -> Moved:
    scale = _scale(profile.axis, view) or 1.0
    kind, at, _, _ = _step_places(profile, view, scale)[index]
    edges, ratios = list(profile.edges or ()), list(profile.ratios or ())
    if kind == "step":
        ratio, held = _kept(y, 1.0, math.inf)
        ratios[at] = _floor(ratio, 1.0)
        return Moved(profile=_put(profile, ratios=tuple(ratios)), held=held)
    lowest = edges[at - 1] * APART if at else 0.0
    highest = edges[at + 1] / APART if at + 1 < len(edges) else 1.0
    wanted = x * scale
    edge = _near(min(max(wanted, lowest), highest)) if lowest < highest else edges[at]
    edges[at] = edge if lowest <= edge <= highest else min(max(wanted, lowest), highest)
    return Moved(
        profile=_put(profile, edges=tuple(edges)), held="" if lowest <= wanted <= highest else word("handle", "order")
    )


def added(profile: Profile, view: View, x: float) -> tuple[Profile, int]:
    """Return PROFILE with a knot put on its curve at belief X, and the handle it has now. Raises InvalidInput where it
    has no knots."""
    if not isinstance(profile, Knots) or profile.missing() or (scale := _scale(profile.axis, view)) is None:
        raise InvalidInput("has no knots here", "profile.points", "Choose the shape “curve through points”.")
    points = profile.points or ()
    if len(points) >= MOST_POINTS:
        raise InvalidInput(f"has {MOST_POINTS:,} knots already", "profile.points", "Remove one first.")
    prior = _near(min(max(x * scale, 1e-12), 1.0))
    if any(prior / APART < other < prior * APART for other, _ in points):
        raise InvalidInput(word("handle", "crowded"), "profile.points", "Take another place.")
    p, q = (prior / scale, view.other) if view.axis == "p" else (view.other, prior / scale)
    most = 1.0 if profile.axis == "pq" else view.most
    index = sum(other < prior for other, _ in points)
    ratio = min(max(_near(float(profile.ratio_at(p, q))), 1.0), 1.0 / (prior * most))
    wider = (*points[:index], (prior, max(ratio, 1.0)), *points[index:])
    changed = _put(profile, points=wider)
    return changed, index - _first_seen(changed, view)


def removed(profile: Profile, index: int, view: View) -> Profile:
    """Return PROFILE without the knot of handle INDEX. Raises InvalidInput if that is no knot, or the last one."""
    if not isinstance(profile, Knots):
        raise InvalidInput("has no knots", "profile.points", "Choose the shape “curve through points”.")
    at = _first_seen(profile, view) + index
    points = profile.points or ()
    if len(points) < 2:
        raise InvalidInput(word("handle", "last"), "profile.points", "Choose another shape instead.")
    return _put(profile, points=(*points[:at], *points[at + 1 :]))


def incoherent(points: tuple[tuple[float, float], ...], index: int, most: float = 1.0) -> str:
    """Return in words what is incoherent about point INDEX of a curve beside its neighbours; "" if nothing is."""
    prior, ratio = points[index]
    low, high, certain = _bounds(points, index, prior, most)
    if low * (1 - 1e-12) <= ratio <= high * (1 + 1e-12):
        return ""
    if ratio < 1.0:
        return word("handle", "least")
    return word("handle", "certain" if ratio > certain else "falls")


def _kept(y: float, low: float, high: float) -> tuple[float, str]:
    if y < low:
        return low, word("handle", "least")
    if y > high:
        return high, word("handle", "certain")
    return y, ""


def _near(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _floor(value: float, least: float = 0.0) -> float:
    """Return VALUE with a few digits, never more: what a hand gives is rounded to the careful side."""
    rounded = _near(value)
    if rounded > value:
        power = 10.0 ** (math.floor(math.log10(value)) - DIGITS + 1)
        rounded = float(f"{rounded - power:.12g}")
    return max(rounded, least)


def _put(profile: Shaped, **fields: object) -> Shaped:
    """Return PROFILE with FIELDS put, read again and so checked."""
    kind = type(profile)
    known = {name: getattr(profile, name) for name in kind.model_fields}
    changed: Shaped = read(kind, {**known, **fields}, "$.profile")
    return changed
