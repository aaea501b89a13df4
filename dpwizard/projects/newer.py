"""Files written by a newer version: shown as far as this version can read them, and never overwritten."""

from __future__ import annotations

import copy
import re
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import CURRENT, FORMAT, Decision, Raw, read_decision, version

MOST_LEFT_OUT = 100  # unknown fields; a file with more is not shown


def is_newer(raw: Any) -> bool:
    """Return whether RAW states a newer version of the format than this program's."""
    stated = version(raw)
    return stated is not None and stated > CURRENT


def read_newer(raw: Raw) -> tuple[Decision, tuple[str, ...]]:
    """Return the decision in RAW, of a newer version, without unknown fields, and the paths of these.

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
    """Remove PATH, or the longest part of it that exists, from RAW; return the path removed."""
    holder, key, here, done = None, None, raw, ""
    while path:
        step = _step(here, path)
        if step is None:
            break
        holder, key = here, step[0]
        here, path, done = here[step[0]], path[step[1] :], done + path[: step[1]]
    if holder is None or (isinstance(holder, dict) and holder is raw and key == "format"):
        return ""
    del holder[key]
    return done


def _step(here: Any, path: str) -> tuple[Any, int] | None:
    """Return the longest key or position in HERE that PATH starts with, and its length in PATH; None without one."""
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
