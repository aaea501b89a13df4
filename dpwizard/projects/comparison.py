"""Differences between two decisions, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from dpwizard.decision import Decision


@dataclass(frozen=True, kw_only=True)
class FieldDifference:
    """One field whose value differs. `titles` are the labels on the path to it; None before or after: unanswered."""

    where: str
    titles: tuple[str, ...]
    kind: type[Value]  # the class that declares the field
    name: str  # of the field
    before: Any
    after: Any

    @property
    def text(self) -> str:
        """Return the labels on the path in the current language; numbers and names of rows stay."""
        return " › ".join(part if part[:1].isdigit() else phrase("label", part) for part in self.titles)


def differences(before: Decision, after: Decision) -> tuple[FieldDifference, ...]:
    """Return every field in which AFTER differs from BEFORE, in the order of declaration."""
    return tuple(_of_values(before, after, "$", ()))


def _of_values(before: Value, after: Value, where: str, titles: tuple[str, ...]) -> Iterator[FieldDifference]:
    for name, field in type(after).model_fields.items():
        old, new = getattr(before, name, None), getattr(after, name)
        yield from _of_field(old, new, f"{where}.{name}", (*titles, field.title or name), type(after), name)


def _of_field(
    before: Any, after: Any, where: str, titles: tuple[str, ...], kind: type[Value], name: str
) -> Iterator[FieldDifference]:
    if before == after:
        return
    if isinstance(before, Value) and type(before) is type(after):
        yield from _of_values(before, after, where, titles)
    elif _has_values(before) or _has_values(after):
        yield from _of_rows(before or (), after or (), where, titles, kind, name)
    else:
        yield FieldDifference(where=where, titles=titles, kind=kind, name=name, before=before, after=after)


def _has_values(rows: Any) -> bool:
    return isinstance(rows, tuple) and any(isinstance(row, Value) for row in rows)


def _of_rows(
    before: tuple[Any, ...], after: tuple[Any, ...], where: str, titles: tuple[str, ...], kind: type[Value], name: str
) -> Iterator[FieldDifference]:
    """Compare rows by content, so that a row inserted in the middle is one difference."""

    def of_row(at: int, old: Any, new: Any) -> FieldDifference:
        path = _numbered(titles, at, new if old is None else old)
        return FieldDifference(where=f"{where}[{at}]", titles=path, kind=kind, name=name, before=old, after=new)

    olds, news = [repr(row) for row in before], [repr(row) for row in after]
    for change, begin, end, from_, to in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes():
        if change == "equal":
            continue
        paired = min(end - begin, to - from_) if change == "replace" else 0
        for step in range(paired):
            at = from_ + step
            yield from _of_field(
                before[begin + step], after[at], f"{where}[{at}]", _numbered(titles, at, after[at]), kind, name
            )
        for at in range(begin + paired, end):
            yield of_row(at, before[at], None)
        for at in range(from_ + paired, to):
            yield of_row(at, None, after[at])


def _numbered(titles: tuple[str, ...], position: int, row: Any) -> tuple[str, ...]:
    """Return TITLES with the number of a row, and its name if it has one."""
    named = getattr(row, "name", None)
    return (*titles, f"{position + 1}: {named}" if isinstance(named, str) and named else str(position + 1))
