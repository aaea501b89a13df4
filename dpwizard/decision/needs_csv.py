"""A CSV file of needs: a row for each, with the words that its tables have and how near their numbers must be."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from dpwizard.base.csv_text import rows_of
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, message
from dpwizard.base.nearest import nearest
from dpwizard.base.numerics import real
from dpwizard.base.values import read
from dpwizard.decision.decision import Decision
from dpwizard.decision.requirements import NoiseInterval

WORDS = ("level", "table", "group", "year", "period", "reads")
WITHIN, IN_100, CELLS = "within", "in 100", "cells"
COLUMNS = (*WORDS, WITHIN, IN_100, CELLS)
HINT = "The columns are level, table, group, year, period, reads, within, in 100 and cells."


def with_needs(decision: Decision, text: str) -> Decision:
    """Return DECISION with the needs that TEXT, a CSV file, asks for behind its own requirements.

    Each row asks that a number, or with "cells" a sum of so many, lies within a distance in so many of 100 cases, in
    every table that has all the words of the row. Headings are taken in any case. Raises InvalidInput with the row and
    the column of what cannot be read: no words, an empty cell where a number is needed, or a number out of range.
    """
    rows = rows_of(text)
    names = _columns(rows[0] if rows else ())
    asked = tuple(_need(dict(zip(names, row, strict=True)), at) for at, row in enumerate(rows[1:], start=2))
    found: Decision = read(Decision, {**dict(decision), "requirements": (*decision.requirements, *asked)})
    return found


def _columns(headings: Sequence[str]) -> tuple[str, ...]:
    names = tuple(heading.casefold() for heading in headings)
    for name in (*names, WITHIN, IN_100):
        if names.count(name) != 1 or name not in COLUMNS:
            wrong = message("is missing") if name not in names else message("is given twice")
            near = nearest(name, COLUMNS)
            if name not in COLUMNS:
                wrong = message("is no column; did you mean “{near}”?", near=near) if near else message("is no column")
            raise InvalidInput(wrong, f"row 1, {name}", HINT)
    return names


def _need(cells: Mapping[str, str], row: int) -> NoiseInterval:
    where: dict[str, Any] = {name: cells[name] for name in ("level", "group", "year", "period") if cells.get(name)}
    where |= {"parts": (cells["table"],)} if cells.get("table") else {}
    where |= {"reads": tuple(filter(None, re.split(r"\s*[;*×]\s*", cells["reads"])))} if cells.get("reads") else {}
    if not where:
        raise InvalidInput(
            "names no table", f"row {row}", "Fill in a level, a table, a group, a period or what it reads."
        )
    level = _number(cells, IN_100, row)
    if not 1 <= level < 100:
        out = message("must be at least 1 and below 100; found {found}", found=cells[IN_100])
        raise InvalidInput(out, f"row {row}, {IN_100}", "Is 0.95 meant as 95 in 100? Then write 95.")
    stated = {"kind": "noise_interval", "where": where, "half_width": real(_number(cells, WITHIN, row))}
    stated |= {"level": real(level / 100)} | ({"cells": real(_number(cells, CELLS, row))} if CELLS in cells else {})
    found: NoiseInterval = read(NoiseInterval, stated, f"row {row}")
    return found


def _number(cells: Mapping[str, str], name: str, row: int) -> Fraction:
    wrong: Message | None = None
    if not cells[name]:
        wrong = message("is empty")
    elif not re.fullmatch(r"\d+(\.\d+)?(e[+-]?\d{1,2})?", cells[name]) or math.isinf(float(cells[name])):
        wrong = message("must be a number of 0 or more; found {found}", found=cells[name])
    if wrong is not None:
        raise InvalidInput(wrong, f"row {row}, {name}", "Write a number such as 10 or 2.5.")
    return Fraction(cells[name])
