"""A CSV file of accuracy requirements: each row has the words of its tables and how close numbers must be."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from fractions import Fraction
from typing import Any

from dpwizard.base.csv_text import Rows, rows_of
from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import Message, message
from dpwizard.base.nearest import nearest
from dpwizard.base.numerics import real
from dpwizard.base.values import read
from dpwizard.decision import edits
from dpwizard.decision.accuracy_requirement import Where
from dpwizard.decision.decision import Decision
from dpwizard.decision.release import Release
from dpwizard.decision.requirements import NoiseInterval

WORDS = ("level", "table", "group", "year", "period", "reads")
WITHIN, IN_100, CELLS = "within", "in 100", "cells"
ASKED = (WITHIN, IN_100)
COLUMNS = (*WORDS, *ASKED, CELLS)
HINT = "The columns are level, table, group, year, period, reads, within, in 100 and cells."


def with_needs(decision: Decision, text: str) -> Decision:
    """Return DECISION with the accuracy requirements of TEXT, a CSV file, added to its own.

    Each row requires that a number, or with "cells" a sum of numbers, is within a distance in a number of 100 cases, in
    every table that has all the words of the row. Headings are taken in any case. Raises InvalidInput with the row and
    column of a cell that cannot be read: no words, an empty cell, or a number out of range.
    """
    rows = rows_of(text)
    names = _read_headings(rows[0] if rows else ())
    needs = tuple(_read_need(dict(zip(names, row, strict=True)), at) for at, row in enumerate(rows[1:], start=2))
    return edits.put(decision, "$.requirements", (*decision.requirements, *needs))


def _read_headings(headings: Sequence[str]) -> tuple[str, ...]:
    names = tuple(heading.casefold() for heading in headings)
    for name in (*names, *ASKED):
        if names.count(name) != 1 or name not in COLUMNS:
            wrong = message("is missing") if name not in names else message("is given twice")
            near = nearest(name, COLUMNS)
            if name not in COLUMNS:
                wrong = (
                    message("is not the name of a column; did you mean “{near}”?", near=near)
                    if near
                    else message("is not the name of a column")
                )
            raise InvalidInput(wrong, f"row 1, {name}", HINT)
    return names


def _read_need(cells: Mapping[str, str], row: int) -> NoiseInterval:
    where: dict[str, Any] = {name: cells[name] for name in ("level", "group", "year", "period") if cells.get(name)}
    where |= {"parts": (cells["table"],)} if cells.get("table") else {}
    where |= {"reads": tuple(filter(None, re.split(r"\s*[;*×]\s*", cells["reads"])))} if cells.get("reads") else {}
    if not where:
        raise InvalidInput(
            "names no table", f"row {row}", "Fill in a level, a table, a group, a period or what it reads."
        )
    half_width, level = _read_interval(cells, row)
    stated = {"kind": "noise_interval", "where": where, "half_width": half_width, "level": level}
    stated |= {"cells": real(_read_number(cells, CELLS, row))} if CELLS in cells else {}
    need: NoiseInterval = read(NoiseInterval, stated, f"row {row}")
    return need


def columns_of_needs(rows: Rows) -> tuple[int, ...]:
    """Return the columns of ROWS that are headed within and in 100; none unless both are there."""
    headings = [cell.casefold() for cell in rows[0]] if rows else []
    return tuple(map(headings.index, ASKED)) if set(ASKED) <= set(headings) else ()


def with_needs_of_tables(decision: Decision, rows: Rows, names: Mapping[int, str]) -> Decision:
    """Return DECISION with the accuracy requirements in ROWS added to its own, equal ones as one.

    Arguments: rows, of a file of tables; names, of the table in each row. A row with both columns empty has none. A
    requirement is on a level if all its tables have the same, else on those of the level with equal attributes, else on
    one table. Raises InvalidInput with the row and column of a cell that cannot be read.
    """
    alike: dict[tuple[float, float], set[str | None]] = {}
    for row, name in names.items():
        cells = dict(zip(ASKED, (rows[row][at] for at in columns_of_needs(rows)), strict=True))
        if any(cells.values()):
            alike.setdefault(_read_interval(cells, row + 1), set()).add(name)
    needs = tuple(
        {"kind": "noise_interval", "half_width": half_width, "level": level, "where": where}
        for (half_width, level), tables in alike.items()
        for where in dict.fromkeys(_common_words(decision.release, tables))
    )
    return edits.put(decision, "$.requirements", (*decision.requirements, *needs))


def _common_words(release: Release, names: Set[str | None]) -> Iterator[Where]:
    """Yield properties that each table of NAMES shares with others of them, and with no other table."""
    for table in (each for each in release.tables if each.name in names):
        stated = ({"level": table.level}, {"level": table.level, "reads": table.reads}, {"parts": (table.name,)})
        words: list[Where] = [read(Where, row) for row in stated if None not in row.values()]
        yield next(where for where in words if set(names).issuperset(each.name for each in where.tables(release)))


def _read_interval(cells: Mapping[str, str], row: int) -> tuple[float, float]:
    level = _read_number(cells, IN_100, row)
    if not 1 <= level < 100:
        out = message("must be at least 1 and below 100; found {found}", found=cells[IN_100])
        raise InvalidInput(out, f"row {row}, {IN_100}", "If you mean 95 in 100, enter 95, not 0.95.")
    return real(_read_number(cells, WITHIN, row)), real(level / 100)


def _read_number(cells: Mapping[str, str], name: str, row: int) -> Fraction:
    wrong: Message | None = None
    if not cells[name]:
        wrong = message("is empty")
    elif not re.fullmatch(r"\d+(\.\d+)?(e[+-]?\d{1,2})?", cells[name]) or math.isinf(float(cells[name])):
        wrong = message("must be a number of 0 or more; found {found}", found=cells[name])
    if wrong is not None:
        raise InvalidInput(wrong, f"row {row}, {name}", "Write a number such as 10 or 2.5.")
    return Fraction(cells[name])
