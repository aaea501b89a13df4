"""Reading rows of text as tables: their layout, their cells, and the errors in these."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.base.csv_text import Rows
from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import exactly
from dpwizard.base.language import LANGUAGES, counting, speaking
from dpwizard.base.messages import message
from dpwizard.decision import Decision, Part, edits
from dpwizard.sheets.cells import Column, Mark, column, columns, meant
from dpwizard.wording import known_word, readings

PARTS = "$.release.parts"
INHERITED = ("sensitivity", "sensitivity_other")  # from a release that was described before its tables
HEADED = 0.5  # share of the first row's texts that must be names of columns for it to be the headings


@dataclass(frozen=True, kw_only=True)
class Layout:
    """The layout of rows: whether the first one has headings, the field of each column, and the decimal sign."""

    headed: bool
    names: tuple[str, ...]  # of the field in each column; "" for an unused column
    mark: Mark


@dataclass(frozen=True, kw_only=True)
class CellProblem:
    """An invalid cell: its row and column, from 0, the field, and the error."""

    row: int
    column: int
    name: str
    why: InvalidInput

    @property
    def words(self) -> str:
        """Return a sentence with row, column, value found and allowed values, in the current language."""
        place = message("Row {row}, column “{column}”", row=self.row + 1, column=column(self.name).label)
        return f"{place.text()}: {self.why.text}. {self.why.remedy}".strip()


@dataclass(frozen=True, kw_only=True)
class Reading:
    """Rows that were read: the fields of each table, without invalid cells, and these."""

    tables: tuple[dict[str, Any], ...]
    rows: tuple[int, ...]  # the row of each table
    problems: tuple[CellProblem, ...]


# ------------------------------------------------------------------------------------- the layout


def guessed(rows: Rows) -> Layout:
    """Return the most likely layout of ROWS, by their headings: labels in any language, or names of fields.

    Without headings, the first column with words is the name, and the others are unused.
    """
    first = rows[0] if rows else ()
    names = _by_heading(first)
    texts = sum(1 for cell in first if cell)
    headed = bool(texts) and sum(map(bool, names)) >= HEADED * texts and not any(_is_number(cell) for cell in first)
    if not headed:
        first_text = next((at for at, cell in enumerate(first) if cell and not _is_number(cell)), None)
        names = tuple("name" if at == first_text else "" for at in range(len(first)))
    return Layout(headed=headed, names=names, mark=decimal_mark(rows[headed:], names))


def _by_heading(cells: Sequence[str]) -> tuple[str, ...]:
    known, taken, names = _headings(), set[str](), []
    for cell in cells:
        name = known.get(_folded(cell), "") or known.get(_folded(re.sub(r"[(\[].*", "", cell)), "")
        names.append(name if name not in taken else "")
        taken.add(name)
    return tuple(names)


@functools.cache
def _headings() -> dict[str, str]:
    """Return the fields by possible headings: labels and synonyms in every language, and names of fields."""
    headings: dict[str, str] = {}
    for each in columns():
        for language in LANGUAGES:
            more = known_word("heading", each.name, language)
            for budget in ("epsilon", "rho"):
                with speaking(language), counting(budget):
                    headings.setdefault(_folded(each.label), each.name)
            for words in filter(None, more.split(",")):
                headings.setdefault(_folded(words), each.name)
    return headings | {_folded(each.name): each.name for each in columns()}


def _folded(text: str) -> str:
    return "".join(re.findall(r"\w", text.casefold().replace("_", "")))


def _is_number(text: str) -> bool:
    return bool(meant(text.rstrip("% "), "either"))


def decimal_mark(rows: Rows, names: Sequence[str]) -> Mark:
    """Return the decimal sign in ROWS under the fields NAMES, from unambiguous numbers; "either" without these."""
    signs = set[Mark]()
    numeric = [at for at, name in enumerate(names) if name and column(name).numeric]
    for row in rows:
        for at in numeric:
            cell = row[at]
            if "." in cell or "," in cell:
                number = cell.rstrip("% ")
                point, comma = bool(readings(number, ".")), bool(readings(number, ",", strict=True))
                if point != comma:
                    signs.add("." if point else ",")
    return signs.pop() if len(signs) == 1 else "either"


# ------------------------------------------------------------------------------------- the reading


def read_tables(rows: Rows, layout: Layout) -> Reading:
    """Return the tables in ROWS of this LAYOUT; invalid cells are left out and listed as problems. Raises nothing."""
    used: list[tuple[int, Column]] = [(at, column(name)) for at, name in enumerate(layout.names) if name]
    tables, places, problems = [], [], []
    meanings: dict[tuple[int, str], Any] = {}  # values of texts by column: most are repeated
    for number, row in enumerate(rows[layout.headed :], int(layout.headed)):
        fields: dict[str, Any] = {}
        for at, each in used:
            key = (at, row[at])
            if key not in meanings:
                meanings[key] = _value(each, row[at], layout.mark)
            value = meanings[key]
            if isinstance(value, InvalidInput):
                problems.append(CellProblem(row=number, column=at, name=each.name, why=value))
            elif value is not None and value != each.default:
                fields[each.name] = value
        tables.append(fields)
        places.append(number)
    problems += _twice(tables, places, layout)
    return Reading(tables=tuple(tables), rows=tuple(places), problems=tuple(problems))


def _value(each: Column, text: str, mark: Mark) -> Any:
    """Return the value of TEXT in a column, or the problem."""
    try:
        value = each.read(text, mark)
        if each.name == "share" and value is not None and exactly(value) > 1:
            raise InvalidInput(
                message("must be at most {most}; found {found}", most=1, found=text),
                each.name,
                "Write half of the budget as 0.5 or 1/2.",
            )
    except InvalidInput as problem:
        return problem
    return value


def _twice(tables: Sequence[dict[str, Any]], places: Sequence[int], layout: Layout) -> list[CellProblem]:
    """Return the names that are repeated: each table needs its own."""
    if "name" not in layout.names:
        return []
    at = layout.names.index("name")
    counted = Counter(fields.get("name") for fields in tables)
    return [
        CellProblem(row=row, column=at, name="name", why=_repeated_name(fields["name"]))
        for fields, row in zip(tables, places, strict=True)
        if "name" in fields and counted[fields["name"]] > 1
    ]


def _repeated_name(name: str) -> InvalidInput:
    twice = message('the name "{name}" is given twice', name=name)
    return InvalidInput(twice, "name", "Give every table a name of its own.")


# ------------------------------------------------------------------------------------- into the decision


def with_tables(decision: Decision, tables: Sequence[dict[str, Any]], *, instead: bool = False) -> Decision:
    """Return DECISION with TABLES after its own, or INSTEAD of them; those without a sensitivity get the release's.

    Raises InvalidInput if they contradict it.
    """
    release = decision.release
    kept_parts: tuple[Part, ...] = () if instead else release.parts
    inherited = {name: stated for name in INHERITED if (stated := getattr(release, name)) is not None}
    inheriting = (each if each.keys() & set(INHERITED) else {**inherited, **each} for each in tables)
    return edits.put(decision, PARTS, (*kept_parts, *inheriting))
