"""Files that a newer version wrote: all that this version can read is shown, and never saved over them."""

from __future__ import annotations

import copy
import re
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import CURRENT, FORMAT, Decision, Raw, read_decision, version

MOST_LEFT_OUT = 100  # fields of a newer version; a file with more of them has little in common with this one


def is_newer(raw: Any) -> bool:
    """Return whether RAW says that it is a decision of a newer version than this program's."""
    stated = version(raw)
    return stated is not None and stated > CURRENT


def read_newer(raw: Raw) -> tuple[Decision, tuple[str, ...]]:
    """Return what this version can read of RAW, a decision of a newer one, and the paths of what it cannot.

    Raises InvalidInput if too little of it can be read.
    """
    kept = {**copy.deepcopy(raw), "format": FORMAT}
    left_out: list[str] = []
    while len(left_out) < MOST_LEFT_OUT:
        try:
            return read_decision(kept), tuple(left_out)
        except InvalidInput as problem:
            removed = _without(kept, problem.where.removeprefix("$"))
            if not removed:
                break
            left_out.append(f"${removed}")
    stated = str(raw.get("format"))[:60]
    raise InvalidInput(
        message('was made by a newer version of this program, and too little of "{format}" can be read', format=stated),
        "$",
        "Open it with that version.",
    )


def _without(raw: Any, path: str) -> str:
    """Remove what PATH names from RAW, or what holds it if RAW lacks it; return the path of what was removed."""
    holder, key, done, way = None, None, "", ""
    here = raw
    while path:
        step = _step(here, path)
        if step is None:
            break
        holder, key = here, step[0]
        here, path, way = here[step[0]], path[step[1] :], way + path[: step[1]]
        done = way
    if holder is None or (isinstance(holder, dict) and holder is raw and key == "format"):
        return ""
    del holder[key]
    return done


def _step(here: Any, path: str) -> tuple[Any, int] | None:
    """Return the key or position that PATH begins with in HERE, and its length in PATH; the longest that is there."""
    if isinstance(here, list):
        found = re.match(r"\[(\d{1,7})\]", path)
        return (int(found[1]), found.end()) if found and int(found[1]) < len(here) else None
    if isinstance(here, dict):
        names = [
            name
            for name in here
            if path.startswith(f".{name}") and path[len(name) + 1 : len(name) + 2] in ("", ".", "[")
        ]
        return max(((name, len(name) + 1) for name in names), key=lambda pair: pair[1], default=None)
    return None
