"""Where two texts differ first: by path where they are JSON, with its numbers as they are written, else by line."""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any

Place = tuple[str, str, str]  # where two texts differ, and what stands there in each
ABSENT = Ellipsis  # in the place of a value that only the other side has
LONGEST = 160  # characters of a value that is shown


class Figure(str):
    """A number as it is written."""


def parsed(text: str) -> Any:
    """Return the JSON of TEXT with its numbers as they are written; None where it is none."""
    try:
        return json.loads(text, parse_float=Figure, parse_int=Figure)
    except ValueError:
        return None


def within(before: Any, after: Any, path: str = "$") -> Place | None:
    """Return the path of the first difference of two values of JSON, and what stands there; None if they are equal."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in {**before, **after}:
            one, other = before.get(name, ABSENT), after.get(name, ABSENT)
            if found := within(one, other, f"{path}.{name}"):
                return found
        return place(f"{path}: the order of the fields", list(before), list(after))
    if isinstance(before, list) and isinstance(after, list):
        for number, (one, other) in enumerate(zip_longest(before, after, fillvalue=ABSENT)):
            if found := within(one, other, f"{path}[{number}]"):
                return found
        return None
    return place(path, before, after)


def place(where: str, before: Any, after: Any) -> Place | None:
    """Return WHERE with two values as they are shown; None if they are equal."""
    return None if type(before) is type(after) and before == after else (where, shown(before), shown(after))


def shown(value: Any, begin: int = 0) -> str:
    """Return a value on one line, from BEGIN on, no longer than one cares to read."""
    if value is ABSENT:
        return "nothing"
    text = value if isinstance(value, Figure) else json.dumps(value, ensure_ascii=False)
    text = f"...{text[begin:]}" if begin else text
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def first_difference(before: str, after: str) -> Place | None:
    """Return where two texts differ first, by path where they are JSON and by line where not, and what stands there."""
    if before == after:
        return None
    whole = parsed(before), parsed(after)
    if None not in whole and (found := within(*whole)):
        return found
    lines, others = before.splitlines(keepends=True), after.splitlines(keepends=True)
    pairs = enumerate(zip_longest(lines, others, fillvalue=""), 1)
    number, (one, other) = next((number, pair) for number, pair in pairs if pair[0] != pair[1])
    where = f"line {number}"
    if None not in (values := (parsed(one), parsed(other))) and (found := within(*values)):
        return f"{where}, {found[0]}", found[1], found[2]
    same = next((column for column, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    begin = max(0, same - 40) if same > LONGEST // 2 else 0
    return where, shown(one, begin), shown(other, begin)
