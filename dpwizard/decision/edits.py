"""Edits of a decision by path: a new decision with one value put, added, removed or moved, checked as if read.

What is marked for the public edition stays marked where its row goes; how a sensitivity was found is forgotten with
what it was found from; divisions and the numbers they come to stay in step;
who speaks of a part by its name goes on doing so when it is renamed; a budget stated as rho
takes the place of one stated as epsilon, and the other way round.
Paths are those of error messages: ``$.release.sensitivity``, ``$.requirements[2].profile.ratio``.
"""

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
# what a derivation speaks of
FOUND_FROM = ("statistic", "neighbours", "sensitivity", "sensitivity_other", "dimension", "contributions")
FOUND_FROM_OF_PART = ("statistic", "sensitivity", "sensitivity_other", "dimension", "contributions")
PARTS = "$.release.parts"
BUDGETS = {"$.epsilon": "$.rho", "$.rho": "$.epsilon"}
_PART_NAME = re.compile(re.escape(PARTS) + r"\[(\d+)\]\.name")
_STEP = re.compile(r"\.([A-Za-z_0-9]+)|\[(\d+)\]")


def steps(where: str) -> tuple[Step, ...]:
    """Return the steps of a path: names and positions. Raises InvalidInput if it is no path."""
    found = _STEP.findall(where.removeprefix("$"))
    if "".join(f".{name}" if name else f"[{index}]" for name, index in found) != where.removeprefix("$"):
        raise InvalidInput("is no path into a decision", where, "Write it as $.requirements[0].p.")
    return tuple(name or int(index) for name, index in found)


def get(decision: Decision, where: str) -> Any:
    """Return the value at WHERE; None if nothing is there yet. Raises InvalidInput if it is no path."""
    here: Any = decision
    for step in steps(where):
        if isinstance(step, int):
            here = here[step] if isinstance(here, tuple) and step < len(here) else None
        else:
            here = getattr(here, step, None)
    return here


def put(decision: Decision, where: str, raw: Any) -> Decision:
    """Return DECISION with RAW (a typed value, or what JSON can say; None: not answered) at WHERE.

    Raises InvalidInput naming WHERE if RAW is not allowed there, or contradicts its neighbours.
    """
    if where in BUDGETS and raw is not None and get(decision, BUDGETS[where]) is not None:
        decision = _changed(decision, BUDGETS[where], lambda _: None)  # a budget is stated as the one or the other
    named = _PART_NAME.fullmatch(where)
    if named is not None and int(named[1]) < len(decision.release.parts):
        return put_cells(decision, {(int(named[1]), "name"): raw})
    return _changed(decision, where, lambda _: raw)


def put_cells(decision: Decision, cells: Mapping[tuple[int, str], Any]) -> Decision:
    """Return DECISION with each of CELLS put: by the position of a part and the name of a field of it, what it holds.

    A part that is given another name is called so by the parts and requirements that speak of it, too.
    Raises InvalidInput naming the field if something is not allowed there, or contradicts its neighbours.
    """
    parts = _with_cells(decision.release.parts, cells)
    called = _called(decision.release.parts, parts, dict.fromkeys(at for at, _ in cells))
    made = decision
    if called:
        parts = [_calling(part, called) for part in parts]
        totals = tuple(_summing(total, called) for total in decision.release.totals)
        made = decision.model_copy(update={"release": decision.release.model_copy(update={"totals": totals})})
    made = _changed(made, PARTS, lambda _: tuple(parts))
    for at, requirement in enumerate(made.requirements):
        for where, raw in _names_in(requirement, called):
            made = put(made, f"$.requirements[{at}].{where}", raw)
    return made


def _with_cells(before: Sequence[Part], cells: Mapping[tuple[int, str], Any]) -> list[Part]:
    """Return the parts with CELLS put, each read again."""
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


def _called(before: Sequence[Part], now: list[Part], changed: Iterable[int]) -> dict[str, str]:
    """Return what each part that was CHANGED is called now, by its name before, where that is another."""
    called = {}
    for at in changed:
        old, new = before[at].name, now[at].name
        if old is not None and new is None:
            _is_unnamed(now, old, f"{PARTS}[{at}].name")
        elif old is not None and new is not None and old != new:
            called[old] = new
    return called


def _names_in(requirement: BaseRequirement, called: Mapping[str, str]) -> Iterator[tuple[str, Any]]:
    """Yield the fields of REQUIREMENT that name a part CALLED otherwise now, each with what it holds then."""
    new = called.get(getattr(requirement, "part", None) or "")
    if new is not None:
        yield "part", new
    for row, one in enumerate(getattr(requirement, "sum_of", None) or ()):
        if one.part in called:
            yield f"sum_of[{row}].part", called[one.part]
    named = getattr(getattr(requirement, "where", None), "parts", None) or ()
    if any(name in called for name in named):
        yield "where.parts", tuple(called.get(name, name) for name in named)


def _calling(part: Part, called: Mapping[str, str]) -> Part:
    """Return PART speaking of others by what they are CALLED now."""
    disjoint = tuple(called.get(name, name) for name in part.disjoint_with)
    return _summing(part.model_copy(update={"disjoint_with": disjoint}) if part.disjoint_with else part, called)


def _summing(row: Row, called: Mapping[str, str]) -> Row:
    """Return ROW, a part or a total, adding up to others by what they are CALLED now."""
    if not any(one.part in called for one in row.adds_up_to):
        return row
    sums = (one.model_copy(update={"part": called.get(one.part or "", one.part)}) for one in row.adds_up_to)
    return row.model_copy(update={"adds_up_to": tuple(sums)})


def _is_unnamed(parts: Sequence[Part], old: str, where: str) -> None:
    """Raise InvalidInput if one of PARTS is said to be disjoint with the one called OLD until now."""
    bound = [part.name or str(at + 1) for at, part in enumerate(parts) if old in part.disjoint_with]
    if bound:
        raise InvalidInput(
            message('is needed: part "{name}" is said to be disjoint with it', name=bound[0]),
            where,
            "Give it another name.",
        )


def add(decision: Decision, where: str, raw: Any, index: int | None = None) -> Decision:
    """Return DECISION with RAW added to the list at WHERE, before position INDEX or at its end."""

    at = len(get(decision, where) or ()) if index is None else index

    def added(rows: Any) -> Any:
        return (*rows[:at], raw, *rows[at:])

    return _with_marks(_changed(decision, where, added), where, lambda row: row + (row >= at))


def duplicate(decision: Decision, where: str, index: int, raw: Any) -> Decision:
    """Return DECISION with RAW, made from position INDEX at WHERE, added after it: marked where the original is."""
    made = add(decision, where, raw, index + 1)
    row = re.compile(re.escape(f"{where}[{index}]") + r"(\..*)?")
    copied = tuple(f"{where}[{index + 1}]{found[1] or ''}" for found in map(row.fullmatch, made.withheld) if found)
    return put(made, "$.withheld", (*made.withheld, *copied)) if copied else made


def for_every_table(decision: Decision, index: int) -> Decision:
    """Return DECISION with a copy of requirement INDEX for each other table of which none of its kind speaks."""
    asked = decision.requirements[index]
    if getattr(asked, "sum_of", None) or getattr(asked, "where", None):
        return decision  # it speaks of several tables
    kind = type(asked)
    spoken = {getattr(each, "part", None) for each in decision.requirements if type(each) is kind}
    tables = (table.name for table in decision.release.tables if not table.noise.absent)
    rest = [name for name in tables if name is not None and name not in spoken]
    copies = [asked.model_copy(update={"part": name, "name": None, "origins": ()}) for name in rest]
    where, after = "$.requirements", index + 1
    made = _changed(decision, where, lambda rows: (*rows[:after], *copies, *rows[after:]))
    return _with_marks(made, where, lambda row: row + (len(copies) if row >= after else 0))


def add_up_years(decision: Decision) -> Decision:
    """Return DECISION with all years of one person added up, as where tables use data of other years than their own.

    Shares that would come to more than the budget are lowered alike, so that they come to all of it.
    """
    release = decision.release
    together = share_total(histories(release.tables))
    if together > 1:
        parts = tuple(part.model_copy(update={"share": _lowered(part.share, together)}) for part in release.parts)
        decision = put(decision, PARTS, parts)
    return put(decision, "$.release.at_most_years", None)


def _lowered(share: float | str | None, by: Fraction) -> float | str | None:
    """Return SHARE divided BY a number above 1, never written as more than that."""
    if share is None:
        return None
    exact = exactly(share) / by
    written = f"{exact.numerator}/{exact.denominator}"
    return written if re.fullmatch(PATTERN, written) else rounded_down(exact)


def remove(decision: Decision, where: str, index: int) -> Decision:
    """Return DECISION without position INDEX of the list at WHERE; no part is disjoint from one that is gone."""
    return arrange(decision, where, [at for at in range(len(get(decision, where) or ())) if at != index])


def move(decision: Decision, where: str, index: int, to: int) -> Decision:
    """Return DECISION with position INDEX of the list at WHERE moved to position TO."""
    order = [at for at in range(len(get(decision, where) or ())) if at != index]
    return arrange(decision, where, [*order[:to], index, *order[to:]])


def arrange(decision: Decision, where: str, order: Sequence[int]) -> Decision:
    """Return DECISION with the list at WHERE in another ORDER: of the positions that there are now, each once at most.

    What is not named is gone; no part is disjoint from one that is gone.
    """

    def arranged(rows: Any) -> Any:
        kept = tuple(rows[at] for at in order)
        gone = {row.name for row in rows} - {row.name for row in kept} if where == PARTS else set()
        return tuple(_without_disjointness(row, gone) for row in kept) if gone else kept

    places = {at: place for place, at in enumerate(order)}
    return _with_marks(_changed(decision, where, arranged), where, places.get)


def _without_disjointness(part: Part, gone: Collection[str | None]) -> Part:
    """Return PART no longer said to be disjoint with the parts that are GONE."""
    if not any(name in gone for name in part.disjoint_with):
        return part
    return part.model_copy(update={"disjoint_with": tuple(name for name in part.disjoint_with if name not in gone)})


def _with_marks(decision: Decision, where: str, place: Callable[[int], int | None]) -> Decision:
    """Return DECISION with its public edition's marks moved with the rows at WHERE: row i now at PLACE(i), or gone."""
    row, marks = re.compile(re.escape(where) + r"\[(\d+)\](.*)"), []
    for mark in decision.withheld:
        found = row.fullmatch(mark)
        at = place(int(found[1])) if found else None
        if found is None:
            marks.append(mark)
        elif at is not None:
            marks.append(f"{where}[{at}]{found[2]}")
    return decision if tuple(marks) == decision.withheld else decision.model_copy(update={"withheld": tuple(marks)})


def _changed(decision: Decision, where: str, change: Callable[[Any], Any]) -> Decision:
    path = steps(where)
    if not path:
        raise InvalidInput("names the whole decision", where, "Name a field of it.")
    changed: Decision = _rebuilt(decision, path, change, "$")
    text = _derivation(decision.release, changed.release)
    if text == changed.release.derivation:
        return changed
    return changed.model_copy(update={"release": changed.release.model_copy(update={"derivation": text})})


def _derivation(before: Release, after: Release) -> str | None:
    """Return what may still be said of how the sensitivity was found once the release BEFORE became AFTER.

    It goes when what it was found from changes, unless it was itself written anew. Of a publication in parts, the lines
    below a part's name go when that part changes, and those below none when a part without a name does.
    """
    text = before.derivation
    if text is None or text != after.derivation:
        return after.derivation
    moved = before.tables[0].whole != after.tables[0].whole  # between the release itself and its parts
    if moved or not _same_sensitivity_source(before, after, FOUND_FROM):
        return None
    names = {part.name for part in before.parts if part.name}
    lines = [(_heading(line, names), line) for line in text.splitlines()]
    for index, part in enumerate(before.parts):
        now, old = _now(part, index, before, after, names), part.name or ""
        if now is None or bool(now.name) != bool(old) or not _same_sensitivity_source(part, now, FOUND_FROM_OF_PART):
            lines = [(heading, line) for heading, line in lines if heading != old]
        elif now.name and now.name != old:
            lines = [_renamed(each, old, now.name) for each in lines]
    return "\n".join(line for _, line in lines) or None


def _renamed(line: tuple[str, str], old: str, new: str) -> tuple[str, str]:
    """Return a LINE below the name of a part that was called OLD and is now called NEW."""
    heading, text = line
    return (new, new + text[len(old) :]) if heading == old else line


def _same_sensitivity_source(before: TableFields, after: TableFields, names: Iterable[str]) -> bool:
    """Return whether a sensitivity is found AFTER as it was BEFORE, from the fields with NAMES."""
    same = all(getattr(before, name) in (None, getattr(after, name)) for name in names)
    return same and _distance(before) == _distance(after)


def _now(part: Part, index: int, before: Release, after: Release, names: Collection[str]) -> Part | None:
    """Return what the PART at INDEX has become: the one of its name, or one in its place that has none of the NAMES."""
    named = next((other for other in after.parts if part.name and other.name == part.name), None)
    if named is not None or index >= len(after.parts):
        return named
    here = after.parts[index]
    perhaps_renamed = here == part or len(before.parts) == len(after.parts)
    return here if perhaps_renamed and here.name not in names else None


def _heading(line: str, names: Collection[str]) -> str:
    """Return which of NAMES the LINE stands below, the longest that fits; an empty text if none does."""
    return max((name for name in names if line.startswith(f"{name}: ")), key=len, default="")


def _distance(of: TableFields) -> bool:
    """Return whether the sensitivity is an L2 distance."""
    return mechanisms_named((of.mechanism,)).uses_l2


def _rebuilt(value: Any, path: tuple[Step, ...], change: Callable[[Any], Any], where: str) -> Any:
    """Return VALUE with CHANGE applied at PATH; every value on the way is read again, and so checked."""
    if not path:
        return change(value)
    step, rest = path[0], path[1:]
    if isinstance(step, int):
        if not isinstance(value, tuple) or step >= len(value):
            raise InvalidInput(message("has no position {position}", position=step), where, "It may have been removed.")
        return (*value[:step], _rebuilt(value[step], rest, change, f"{where}[{step}]"), *value[step + 1 :])
    if not isinstance(value, Value) or step not in type(value).model_fields:
        raise InvalidInput("is not a field here", f"{where}.{step}", "Check the path.")
    fields = {name: getattr(value, name) for name in type(value).model_fields}
    fields[step] = _rebuilt(fields[step], rest, change, f"{where}.{step}")
    if isinstance(value, Release):
        fields |= _divided(step, fields)
    return read(type(value), fields, where)


def _divided(changed: Step, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return what follows in a release of FIELDS where its divisions or its dimension were CHANGED.

    Divisions say how many numbers there are; a dimension that is set by hand leaves no divisions that contradict it.
    """
    numbers = numbers_of(fields["divisions"])
    if changed == "divisions" and numbers is not None:
        return {"dimension": numbers}
    if changed == "dimension" and numbers not in (None, fields["dimension"]):
        return {"divisions": ()}
    return {}
