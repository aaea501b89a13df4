"""The names that a release gives to attributes, tables and levels, and names that it does not know: misspelled ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dpwizard.base.nearest import nearest
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.tables import WHOLE

Named = Literal["attribute", "table", "level", "word"]


def attribute_names(release: Release) -> tuple[str, ...]:
    """Return the attributes that RELEASE names, each once, in the order in which they are named."""
    return release.cached("attribute names", lambda: tuple(dict.fromkeys(_attributes(release))))


def _attributes(release: Release) -> Iterator[str]:
    for table in release.tables:
        yield from table.reads or ()
        yield from (name for name, _ in table.effects or ())
    for figure in release.exact_figures:
        yield from figure.reads or ()
    for earlier in release.spent:
        yield from (name for name, _ in earlier.effects or ())


def unknown_attribute(release: Release, name: str | None, where: str) -> Reason | None:
    """Return that no table reads the attribute NAME, where RELEASE says of some table or figure what it reads.

    Where it says so of none, the name restricts nothing, and any will do.
    """
    if name is None or not _says_what_is_read(release):
        return None
    return _unknown(where, "attribute", name, attribute_names(release))


def _says_what_is_read(release: Release) -> bool:
    stated = any(table.reads is not None or table.effects is not None for table in release.tables)
    return stated or any(reads is not None for _, reads in release.exact)


def unknown_table(release: Release, name: str | None, where: str) -> Reason | None:
    """Return that no table of RELEASE is called NAME."""
    known = release.cached("table names", lambda: {table.name: None for table in release.tables if table.name})
    return None if name is None or name in known else _unknown(where, "table", name, known)


def unknown_sum(name: str | None, known: Iterable[str], where: str) -> Reason | None:
    """Return that NAME is none of the tables and totals KNOWN that another, at WHERE, can add up to."""
    return None if name is None else _unknown(where, "table", name, known)


def unknown_word(name: str, known: Iterable[str], where: str) -> Reason | None:
    """Return that NAME is none of the words KNOWN, which tables have in the field at WHERE."""
    return _unknown(where, "word", name, known)


def unknown_levels(release: Release) -> Iterator[Reason]:
    """Yield the levels of tables and exact figures that the levels of RELEASE do not name, where it names some."""
    rows = {f"{WHOLE}.parts[{at}].level": part.level for at, part in enumerate(release.parts)}
    rows |= {f"{WHOLE}.exact_figures[{at}].level": figure.level for at, figure in enumerate(release.exact_figures)}
    for where, name in rows.items() if release.levels else ():
        found = None if name is None else _unknown(where, "level", name, release.levels)
        if found is not None:
            yield found


def _unknown(where: str, of: Named, name: str, known: Iterable[str]) -> Reason | None:
    names = tuple(known)
    if name in names:
        return None
    near = nearest(name, names)
    if near is None:
        return Reason(key=f"unknown_{of}", values={"name": name}, where=where)
    return Reason(key=f"unknown_{of}_near", values={"name": name, "nearest": near}, where=where)
