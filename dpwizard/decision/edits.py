"""Edits of a decision by path, such as ``$.requirements[2].profile.ratio``: a new decision, checked as if read."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeVar

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import PATTERN, exactly, rounded_down
from dpwizard.base.messages import message
from dpwizard.base.values import Value, read
from dpwizard.decision.decision import Decision
from dpwizard.decision.histories import histories
from dpwizard.decision.plain_answers import numbers_of
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement
from dpwizard.decision.shares import share_total
from dpwizard.decision.stated import Part, TableFields, Total
from dpwizard.privacy.mechanisms import mechanisms_named

Step = int | str
Row = TypeVar("Row", Part, Total)
# the fields from which a sensitivity is derived
DERIVED_FROM = ("statistic", "neighbours", "sensitivity", "sensitivity_other", "dimension", "contributions")
DERIVED_FROM_OF_PART = tuple(name for name in DERIVED_FROM if name != "neighbours")
PARTS = "$.release.parts"
BUDGETS = {"$.epsilon": "$.rho", "$.rho": "$.epsilon"}
_PART_NAME = re.compile(re.escape(PARTS) + r"\[(\d+)\]\.name")
_STEP = re.compile(r"\.([A-Za-z_0-9]+)|\[(\d+)\]")


def steps(where: str) -> tuple[Step, ...]:
    """Return the names and positions of a path. Raises InvalidInput if it is no path."""
    parts = _STEP.findall(where.removeprefix("$"))
    if "".join(f".{name}" if name else f"[{index}]" for name, index in parts) != where.removeprefix("$"):
        raise InvalidInput("is not a path into a decision", where, "Write it as $.requirements[0].p.")
    return tuple(name or int(index) for name, index in parts)


def get(decision: Decision, where: str) -> Any:
    """Return the value at WHERE; None where there is none yet. Raises InvalidInput if it is no path."""
    value: Any = decision
    for step in steps(where):
        if isinstance(step, int):
            value = value[step] if isinstance(value, tuple) and step < len(value) else None
        else:
            value = getattr(value, step, None)
    return value


def put(decision: Decision, where: str, raw: Any) -> Decision:
    """Return DECISION with RAW (a typed value, or JSON; None: not answered) at WHERE.

    Raises InvalidInput naming WHERE if RAW is not allowed there, or contradicts other fields.
    """
    if where in BUDGETS and raw is not None and get(decision, BUDGETS[where]) is not None:
        decision = _apply(decision, BUDGETS[where], lambda _: None)  # a budget is either epsilon or rho
    named = _PART_NAME.fullmatch(where)
    if named is not None and int(named[1]) < len(decision.release.parts):
        return put_cells(decision, {(int(named[1]), "name"): raw})
    return _apply(decision, where, lambda _: raw)


def put_cells(decision: Decision, cells: Mapping[tuple[int, str], Any]) -> Decision:
    """Return DECISION with each of CELLS put, by the position of a part and the name of a field.

    Parts and requirements that name a renamed part follow. Raises InvalidInput naming the field if a value is not
    allowed there, or contradicts other fields.
    """
    parts = _put_cells(decision.release.parts, cells)
    new_names = _new_names(decision.release.parts, parts, dict.fromkeys(at for at, _ in cells))
    edited = decision
    if new_names:
        parts = [_with_new_names(part, new_names) for part in parts]
        totals = tuple(_with_new_sums(total, new_names) for total in decision.release.totals)
        edited = decision.model_copy(update={"release": decision.release.model_copy(update={"totals": totals})})
    edited = _apply(edited, PARTS, lambda _: tuple(parts))
    for at, requirement in enumerate(edited.requirements):
        for where, raw in _renamed_fields(requirement, new_names):
            edited = put(edited, f"$.requirements[{at}].{where}", raw)
    return edited


def _put_cells(before: Sequence[Part], cells: Mapping[tuple[int, str], Any]) -> list[Part]:
    parts = list(before)
    changes: dict[int, dict[str, Any]] = {}
    for (at, name), raw in cells.items():
        changes.setdefault(at, {})[name] = raw if name != "name" else raw or None
    for at, fields in changes.items():
        if at >= len(parts):
            raise InvalidInput(message("has no position {position}", position=at), PARTS, "It may have been removed.")
        known = {name: getattr(parts[at], name) for name in Part.model_fields}
        parts[at] = read(Part, {**known, **fields}, f"{PARTS}[{at}]")
    return parts


def _new_names(before: Sequence[Part], after: list[Part], changed: Iterable[int]) -> dict[str, str]:
    new_names = {}
    for at in changed:
        old, new = before[at].name, after[at].name
        if old is not None and new is None:
            _refuse_missing_name(after, old, f"{PARTS}[{at}].name")
        elif old is not None and new is not None and old != new:
            new_names[old] = new
    return new_names


def _renamed_fields(requirement: BaseRequirement, new_names: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    new = new_names.get(getattr(requirement, "part", None) or "")
    if new is not None:
        yield "part", new
    for row, summand in enumerate(getattr(requirement, "sum_of", None) or ()):
        if summand.part in new_names:
            yield f"sum_of[{row}].part", new_names[summand.part]
    named = getattr(getattr(requirement, "where", None), "parts", None) or ()
    if any(name in new_names for name in named):
        yield "where.parts", tuple(new_names.get(name, name) for name in named)


def _with_new_names(part: Part, new_names: Mapping[str, str]) -> Part:
    disjoint = tuple(new_names.get(name, name) for name in part.disjoint_with)
    renamed = part.model_copy(update={"disjoint_with": disjoint}) if part.disjoint_with else part
    return _with_new_sums(renamed, new_names)


def _with_new_sums(row: Row, new_names: Mapping[str, str]) -> Row:
    if not any(link.part in new_names for link in row.adds_up_to):
        return row
    sums = (link.model_copy(update={"part": new_names.get(link.part or "", link.part)}) for link in row.adds_up_to)
    return row.model_copy(update={"adds_up_to": tuple(sums)})


def _refuse_missing_name(parts: Sequence[Part], old: str, where: str) -> None:
    disjoint = [part.name or str(at + 1) for at, part in enumerate(parts) if old in part.disjoint_with]
    if disjoint:
        raise InvalidInput(
            message('is needed: table "{name}" is said to share no person or thing with it', name=disjoint[0]),
            where,
            "Give it another name.",
        )


def add(decision: Decision, where: str, raw: Any, index: int | None = None) -> Decision:
    """Return DECISION with RAW added to the list at WHERE, before position INDEX or at its end."""

    listed = get(decision, where) or ()
    at = len(listed) if index is None else index

    def added(_: Any) -> Any:
        return (*listed[:at], raw, *listed[at:])

    return _move_marks(_apply(decision, where, added), where, lambda row: row + (row >= at))


def duplicate(decision: Decision, where: str, index: int, raw: Any) -> Decision:
    """Return DECISION with RAW, a copy of position INDEX at WHERE, added after it with the same marks."""
    edited = add(decision, where, raw, index + 1)
    row = re.compile(re.escape(f"{where}[{index}]") + r"(\..*)?")
    marks = tuple(f"{where}[{index + 1}]{match[1] or ''}" for match in map(row.fullmatch, edited.withheld) if match)
    return put(edited, "$.withheld", (*edited.withheld, *marks)) if marks else edited


def for_every_table(decision: Decision, index: int) -> Decision:
    """Return DECISION with a copy of requirement INDEX for each other table without one of its kind."""
    requirement = decision.requirements[index]
    if getattr(requirement, "sum_of", None) or getattr(requirement, "where", None):
        return decision  # it is on several tables
    kind = type(requirement)
    covered = {getattr(each, "part", None) for each in decision.requirements if type(each) is kind}
    tables = (table.name for table in decision.release.tables if not table.noise.absent)
    names = [name for name in tables if name is not None and name not in covered]
    copies = [requirement.model_copy(update={"part": name, "name": None, "origins": ()}) for name in names]
    where, after = "$.requirements", index + 1
    edited = _apply(decision, where, lambda rows: (*rows[:after], *copies, *rows[after:]))
    return _move_marks(edited, where, lambda row: row + (len(copies) if row >= after else 0))


def add_up_years(decision: Decision) -> Decision:
    """Return DECISION with all years of one person added up, for tables that use data of other years than their own.

    Shares that would exceed the budget are scaled down, so that they add up to all of it.
    """
    release = decision.release
    total = share_total(histories(release.tables))
    if total > 1:
        parts = tuple(part.model_copy(update={"share": _divide_share(part.share, total)}) for part in release.parts)
        decision = put(decision, PARTS, parts)
    return put(decision, "$.release.at_most_years", None)


def _divide_share(share: float | str | None, divisor: Fraction) -> float | str | None:
    if share is None:
        return None
    exact = exactly(share) / divisor
    written = f"{exact.numerator}/{exact.denominator}"
    return written if re.fullmatch(PATTERN, written) else rounded_down(exact)


def remove(decision: Decision, where: str, index: int) -> Decision:
    """Return DECISION without position INDEX of the list at WHERE."""
    return arrange(decision, where, [at for at in range(len(get(decision, where) or ())) if at != index])


def move(decision: Decision, where: str, index: int, to: int) -> Decision:
    """Return DECISION with position INDEX of the list at WHERE moved to position TO."""
    order = [at for at in range(len(get(decision, where) or ())) if at != index]
    return arrange(decision, where, [*order[:to], index, *order[to:]])


def arrange(decision: Decision, where: str, order: Sequence[int]) -> Decision:
    """Return DECISION with the list at WHERE in another ORDER of its present positions, each at most once.

    Positions that are left out are removed; no part stays disjoint from a removed one.
    """

    def arranged(rows: Any) -> Any:
        kept = tuple(rows[at] for at in order)
        removed = {row.name for row in rows} - {row.name for row in kept} if where == PARTS else set()
        if not removed:
            return kept
        disjoint = (tuple(name for name in row.disjoint_with if name not in removed) for row in kept)
        return tuple(row.model_copy(update={"disjoint_with": names}) for row, names in zip(kept, disjoint, strict=True))

    places = {at: place for place, at in enumerate(order)}
    return _move_marks(_apply(decision, where, arranged), where, places.get)


def _move_marks(decision: Decision, where: str, place: Callable[[int], int | None]) -> Decision:
    # a mark on row i of the list at WHERE moves to row PLACE(i), or is removed
    row, marks = re.compile(re.escape(where) + r"\[(\d+)\](.*)"), []
    for mark in decision.withheld:
        match = row.fullmatch(mark)
        at = place(int(match[1])) if match else None
        if match is None:
            marks.append(mark)
        elif at is not None:
            marks.append(f"{where}[{at}]{match[2]}")
    return decision if tuple(marks) == decision.withheld else decision.model_copy(update={"withheld": tuple(marks)})


def _apply(decision: Decision, where: str, change: Callable[[Any], Any]) -> Decision:
    path = steps(where)
    if not path:
        raise InvalidInput("names the whole decision", where, "Name one of its fields.")
    changed: Decision = _replace_at(decision, path, change, "$")
    text = _kept_derivation(decision.release, changed.release)
    if text == changed.release.derivation:
        return changed
    return changed.model_copy(update={"release": changed.release.model_copy(update={"derivation": text})})


def _kept_derivation(before: Release, after: Release) -> str | None:
    """Return the rest of the sensitivity's derivation after the release BEFORE became AFTER.

    It is removed if its source changes, unless it was itself edited. With several parts, the lines below a part's name
    are removed if that part changes, and those below no name if a part without a name does.
    """
    text = before.derivation
    if text is None or text != after.derivation:
        return after.derivation
    if before.tables[0].whole != after.tables[0].whole or not _has_same_source(before, after, DERIVED_FROM):
        return None
    names = {part.name for part in before.parts if part.name}
    lines = [(_heading_of(line, names), line) for line in text.splitlines()]
    for index, part in enumerate(before.parts):
        now, old = _part_after(part, index, before, after, names), part.name or ""
        if now is None or bool(now.name) != bool(old) or not _has_same_source(part, now, DERIVED_FROM_OF_PART):
            lines = [(heading, line) for heading, line in lines if heading != old]
        elif now.name and now.name != old:
            lines = [_rename_heading(line, old, now.name) for line in lines]
    return "\n".join(line for _, line in lines) or None


def _heading_of(line: str, names: Collection[str]) -> str:
    return max((name for name in names if line.startswith(f"{name}: ")), key=len, default="")


def _rename_heading(line: tuple[str, str], old: str, new: str) -> tuple[str, str]:
    heading, text = line
    return (new, new + text[len(old) :]) if heading == old else line


def _has_same_source(before: TableFields, after: TableFields, names: Iterable[str]) -> bool:
    same = all(getattr(before, name) in (None, getattr(after, name)) for name in names)
    return same and mechanisms_named((before.mechanism,)).uses_l2 == mechanisms_named((after.mechanism,)).uses_l2


def _part_after(part: Part, index: int, before: Release, after: Release, names: Collection[str]) -> Part | None:
    """Return the PART at INDEX after the edit: by its name, or the one in its place unless that has one of NAMES."""
    named = next((other for other in after.parts if part.name and other.name == part.name), None)
    if named is not None or index >= len(after.parts):
        return named
    here = after.parts[index]
    perhaps_renamed = here == part or len(before.parts) == len(after.parts)
    return here if perhaps_renamed and here.name not in names else None


def _replace_at(value: Any, path: tuple[Step, ...], change: Callable[[Any], Any], where: str) -> Any:
    """Return VALUE with CHANGE applied at PATH; every value on the path is validated again."""
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        if not isinstance(value, tuple) or step >= len(value):
            raise InvalidInput(message("has no position {position}", position=step), where, "It may have been removed.")
        return (*value[:step], _replace_at(value[step], rest, change, f"{where}[{step}]"), *value[step + 1 :])
    if not isinstance(value, Value) or step not in type(value).model_fields:
        raise InvalidInput("is not a field here", f"{where}.{step}", "Check the path.")
    fields = {name: getattr(value, name) for name in type(value).model_fields}
    fields[step] = _replace_at(fields[step], rest, change, f"{where}.{step}")
    if isinstance(value, Release):
        fields |= _follow_divisions(step, fields)
    return read(type(value), fields, where)


def _follow_divisions(changed: Step, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields that follow: divisions set the dimension, and a contradicting dimension removes them."""
    numbers = numbers_of(fields["divisions"])
    if changed == "divisions" and numbers is not None:
        return {"dimension": numbers}
    if changed == "dimension" and numbers not in (None, fields["dimension"]):
        return {"divisions": ()}
    return {}
