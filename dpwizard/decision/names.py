"""The names that a release gives to attributes, tables and levels, and unknown names with suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal

from dpwizard.base.nearest import nearest
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.tables import WHOLE

Named = Literal["attribute", "table", "level", "word"]


def attribute_names(release: Release) -> tuple[str, ...]:
    """Return the attributes that RELEASE names, each once, in order."""
    return release.cached("attribute names", lambda: tuple(dict.fromkeys(_all_attributes(release))))


def _all_attributes(release: Release) -> Iterator[str]:
    for table in release.tables:
        yield from table.reads or ()
        yield from (name for name, _ in table.effects or ())
    for figure in release.exact_figures:
        yield from figure.reads or ()
    for earlier in release.spent:
        yield from (name for name, _ in earlier.effects or ())


def unknown_attribute(release: Release, name: str | None, where: str) -> Iterator[Reason]:
    """Yield that no table reads the attribute NAME, if RELEASE states what some table or figure reads.

    If it states that for none, the name restricts nothing, and any name is accepted.
    """
    stated = any(table.reads is not None or table.effects is not None for table in release.tables)
    if stated or any(reads is not None for _, reads in release.exact):
        yield from unknown_name("attribute", name, attribute_names(release), where)


def unknown_table(release: Release, name: str | None, where: str) -> Iterator[Reason]:
    """Yield that no table of RELEASE is called NAME."""
    known = release.cached("table names", lambda: {table.name: None for table in release.tables if table.name})
    yield from unknown_name("table", name, known, where)


def unknown_levels(release: Release) -> Iterator[Reason]:
    """Yield the levels of tables and exact figures that the levels of RELEASE do not name, where it names some."""
    rows = {f"{WHOLE}.parts[{at}].level": part.level for at, part in enumerate(release.parts)}
    rows |= {f"{WHOLE}.exact_figures[{at}].level": figure.level for at, figure in enumerate(release.exact_figures)}
    for where, name in rows.items() if release.levels else ():
        yield from unknown_name("level", name, release.levels, where)


def unknown_name(kind: Named, name: str | None, known: Iterable[str], where: str) -> Iterator[Reason]:
    """Yield that NAME, at WHERE, is none of the KNOWN names of its KIND, with the nearest of them."""
    names = known if isinstance(known, dict) else tuple(known)
    if name is None or name in names:
        return
    near = nearest(name, names)
    if near is None:
        yield Reason(key=f"unknown_{kind}", values={"name": name}, where=where)
    else:
        yield Reason(key=f"unknown_{kind}_near", values={"name": name, "nearest": near}, where=where)
