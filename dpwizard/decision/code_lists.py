"""A public code list as a CSV file: the classes of an attribute, and to which class of others each belongs."""

from __future__ import annotations

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
    described anew. Raises InvalidInput with the row of an empty cell or of a class that was listed before.
    """
    rows = rows_of(text)
    if len(rows) < 2:
        raise InvalidInput("lists no class", "row 1", HINT)
    (first, *others), seen = rows[0], set[str]()
    for at, row in enumerate(rows, start=1):
        if not all(row):
            raise InvalidInput(message("has an empty cell in row {row}", row=at), f"row {at}", HINT)
        if row[0] in seen:
            raise InvalidInput(message('names "{name}" twice', name=row[0]), f"row {at}", HINT)
        seen.add(row[0])
    stated = {} if described is None else described.model_dump(mode="json", exclude_none=True)
    listed: dict[str, Any] = {first: {"classes": [row[0] for row in rows[1:]]}}
    for at, name in enumerate(others, start=1):
        listed[name] = {"of": first, "map": {row[0]: row[at] for row in rows[1:]}}
    return {**stated, "columns": {**stated.get("columns", {}), **listed}}
