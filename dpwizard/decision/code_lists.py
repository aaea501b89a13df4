"""A public code list as a CSV file: the classes of an attribute, and to which class of others each belongs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from dpwizard.base.csv_text import rows_of
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision.data_description import DataDescription

HINT = "Put one class in each row, and the attributes in the first row."


def with_code_list(described: DataDescription | None, text: str) -> dict[str, Any]:
    """Return what DESCRIBED states, as a decision file has it, with the attributes of TEXT, a code list.

    The first row names attributes. The first column holds every class of the first; each further column says to which
    class of its own attribute that class belongs, as an area to its region. An attribute that was described before is
    described anew. Raises InvalidInput with the row of an empty cell, or of an attribute or class that is named twice.
    """
    rows = rows_of(text)
    if len(rows) < 2:
        raise InvalidInput("lists no class", "row 1", HINT)
    first, *others = rows[0]
    classes = [row[0] for row in rows[1:]]
    for at, row in enumerate(rows, start=1):
        if not all(row):
            raise InvalidInput(message("has an empty cell in row {row}", row=at), f"row {at}", HINT)
    _refuse_doubles((1, name) for name in rows[0])
    _refuse_doubles(enumerate(classes, start=2))
    stated = {} if described is None else described.model_dump(mode="json", exclude_none=True)
    listed: dict[str, Any] = {first: {"classes": classes}}
    for at, name in enumerate(others, start=1):
        listed[name] = {"of": first, "map": {row[0]: row[at] for row in rows[1:]}}
    return {**stated, "columns": {**stated.get("columns", {}), **listed}}


def _refuse_doubles(names: Iterable[tuple[int, str]]) -> None:
    """Raise InvalidInput where two of NAMES, each with its row, are one."""
    seen: set[str] = set()
    for at, name in names:
        if name in seen:
            raise InvalidInput(message('names "{name}" twice', name=name), f"row {at}", HINT)
        seen.add(name)
