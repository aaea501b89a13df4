"""Copies of tables, unchanged or for the next year; copies have no share of the budget."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, TypeVar

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import BaseRequirement, Decision, Part, Total, edits

Row = TypeVar("Row", Part, Total)

PARTS = "$.release.parts"
YEAR = re.compile(r"(?<!\d)\d{4}(?!\d)")
NOTHING = {field: Part.model_fields[field].default for field in ("share", "group", "disjoint_with", "moves")}


def duplicated(decision: Decision, rows: Sequence[int]) -> Decision:
    """Return DECISION with copies of the parts at ROWS after the last of them, under new names.

    Marks for the public version are copied with them.
    """
    parts, end = decision.release.parts, max(rows) + 1
    taken = {part.name for part in parts}
    copies = []
    for row in sorted(rows):
        copies.append(_copied(parts[row], taken))
        taken.add(copies[-1].name)
    renamed = {parts[row].name: copy.name for row, copy in zip(sorted(rows), copies, strict=True)}
    copies = [_among(copy, renamed) for copy in copies]
    order = (*range(end), *range(len(parts), len(parts) + len(copies)), *range(end, len(parts)))
    return edits.arrange(_added(decision, sorted(rows), copies), PARTS, order)


def rolled_forward(decision: Decision) -> Decision:
    """Return DECISION with copies of its tables for the next year, and of the requirements and totals on them.

    The period or year of each table, and the years in its name, are increased. Tables without either, and those that
    exist already, are not copied. A copy has no share. Raises InvalidInput if there is nothing to add.
    """
    release = decision.release
    names = {part.name for part in release.parts} | {total.name for total in release.totals}
    later_parts = ((at, _a_year_later(part)) for at, part in enumerate(release.parts))
    rows = {at: later for at, later in later_parts if later is not None and later.name not in names}
    if not rows:
        raise InvalidInput("no table can be repeated a year later", PARTS, "Enter the period or year of the tables.")
    renamed = {release.parts[at].name: later.name for at, later in rows.items()}
    summed = {total.part for at in rows for total in release.parts[at].adds_up_to}
    moved = _totals_later(release.totals, summed, names)
    renamed |= moved
    totals = (total.model_copy(update={"name": moved[total.name]}) for total in release.totals if total.name in moved)
    later_decision = _added(decision, tuple(rows), [_among(later, renamed) for later in rows.values()])
    all_totals = (*release.totals, *(_among(total, renamed) for total in totals))
    later_decision = edits.put(later_decision, "$.release.totals", all_totals)
    needs = filter(None, (_need_later(need, renamed, rows.values()) for need in decision.requirements))
    return edits.put(later_decision, "$.requirements", (*decision.requirements, *needs))


def _totals_later(
    totals: Sequence[Total], summed: Collection[str | None], known: Collection[str | None]
) -> dict[str | None, str | None]:
    """Return the names of the SUMMED TOTALS for the next year by their names now, without those already KNOWN."""
    names = {total.name: _later(total.name) for total in totals if total.name in summed}
    return {name: later for name, later in names.items() if name and later not in known}


def _later(text: str | None) -> str:
    """Return TEXT with every year in it increased by 1."""
    return YEAR.sub(lambda year: f"{int(year[0]) + 1:04}", text or "")


def _a_year_later(part: Part) -> Part | None:
    """Return PART a year later; None if it states no year."""
    when = "period" if part.period is not None else "year"
    stated = getattr(part, when)
    if stated is None or part.name is None or _later(stated) == stated:
        return None
    name = _later(part.name) if _later(part.name) != part.name else f"{part.name} {_later(stated)}"
    group = {"group": _later(part.group), "moves": part.moves} if _later(part.group) != (part.group or "") else {}
    return part.model_copy(update={**NOTHING, **group, "name": name, when: _later(stated)})


def _need_later(
    requirement: BaseRequirement, renamed: Mapping[str | None, str | None], later: Collection[Part]
) -> BaseRequirement | None:
    """Return REQUIREMENT for the LATER tables; None if it is not about tables of one year."""
    part, where = getattr(requirement, "part", None), getattr(requirement, "where", None)
    update: dict[str, Any] = {"part": renamed[part]} if part in renamed else {}
    if where is not None and (named := [renamed[name] for name in where.parts or () if name in renamed]):
        update["where"] = where = where.model_copy(update={"parts": tuple(named)})
    for when in ("period", "year"):
        moved = _later(getattr(where, when, None))
        if where is not None and moved in {getattr(each, when) for each in later}:
            update["where"] = where.model_copy(update={when: moved})
    if not update:
        return None
    return requirement.model_copy(update={**update, **({"name": _later(requirement.name)} if requirement.name else {})})


def _added(decision: Decision, rows: Sequence[int], copies: Sequence[Part]) -> Decision:
    """Return DECISION with the COPIES of the parts at ROWS at its end, with their marks for the public version."""
    parts = decision.release.parts
    extended = edits.put(decision, PARTS, (*parts, *copies))
    marks = [
        mark.replace(f"{PARTS}[{row}]", f"{PARTS}[{len(parts) + at}]", 1)
        for at, row in enumerate(rows)
        for mark in decision.withheld
        if mark == f"{PARTS}[{row}]" or mark.startswith(f"{PARTS}[{row}].")
    ]
    return edits.put(extended, "$.withheld", (*extended.withheld, *marks)) if marks else extended


def _copied(part: Part, taken: Collection[str | None]) -> Part:
    """Return a copy of PART under a name that is not TAKEN, with the same units and without a share."""
    name = part.name
    if name is not None:
        name = next(each for at in range(2, len(taken) + 3) if (each := f"{part.name} ({at})") not in taken)
    return part.model_copy(update={"name": name, **NOTHING})


def _among(row: Row, renamed: Mapping[str | None, str | None]) -> Row:
    """Return the copy ROW, which adds up to copies alone; RENAMED: their names by those of the originals."""
    sums = (total.model_copy(update={"part": renamed[total.part]}) for total in row.adds_up_to if total.part in renamed)
    return row.model_copy(update={"adds_up_to": tuple(sums)}) if row.adds_up_to else row
