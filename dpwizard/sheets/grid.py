"""A grid of levels and queries as tables: the share of each is the exact product of its level's and its query's."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import Fractional, exactly
from dpwizard.base.messages import Quantity, message
from dpwizard.base.values import read
from dpwizard.decision import Decision, Part, edits
from dpwizard.sheets.cells import as_written

CROSSED = re.compile(r"\s*[*×]\s*")  # between the attributes in the name of a query


@dataclass(frozen=True, kw_only=True)
class Query:
    """One query at each level: its name, what it reads, and its share of each level, the finest first."""

    name: str
    shares: tuple[float | str, ...]
    reads: tuple[str, ...] | None = None


def attributes_of(queries: Sequence[str]) -> tuple[tuple[str, ...] | None, ...]:
    """Return what each query reads by its name: age and sex of ``age * sex``; None where the name does not say it.

    A single word is an attribute only if another query crosses it: "detailed" names none, and may read any. Not to say
    what a table reads is the safe side: it then counts in what every attribute loses.
    """
    crossed = [tuple(dict.fromkeys(filter(None, CROSSED.split(query.strip())))) for query in queries]
    known = {name for names in crossed if len(names) > 1 for name in names}
    return tuple(names if names and known.issuperset(names) else None for names in crossed)


def grid(
    levels: Sequence[tuple[str, float | str]], queries: Sequence[Query], common: dict[str, Any] | None = None
) -> tuple[dict[str, Any], ...]:
    """Return the tables of a grid, level by level from the finest up, each as the fields of a part.

    Arguments: levels, names and shares of the whole, from the finest up; queries, each with as many shares of a level
    as there are levels: numbers of at least 0 or fractions such as "26/4097"; common, fields that all tables have.
    A table is called "level, query"; one whose share is 0 is not published and left out. The shares are exact. They
    may come to less than the whole, of a level too: what is left is not used.
    Raises InvalidInput for no level or query, a name that is empty or given twice, too few or too many shares, a share
    that is none, or shares of more than 1 in all, of the levels or of the queries of one level.
    """
    _named("levels", [name for name, _ in levels])
    _named("queries", [query.name for query in queries])
    of_levels = _shares("levels", [share for _, share in levels])
    for at, query in enumerate(queries):
        if len(query.shares) != len(levels):
            several = message("must have {count} shares, one of each level", count=len(levels))
            raise InvalidInput(several, f"queries[{at}].shares", "Add what is missing.")
    tables = []
    for at, (level, _) in enumerate(levels):
        of_queries = _shares(f"levels[{at}].queries", [query.shares[at] for query in queries])
        for query, share in zip(queries, of_queries, strict=True):
            product = of_levels[at] * share
            if product:
                reads = {} if query.reads is None else {"reads": query.reads}
                fields = {"name": f"{level}, {query.name}", "level": level, "share": as_written(product), **reads}
                tables.append({**(common or {}), **fields})
    return tuple(tables)


def with_grid(
    decision: Decision, levels: Sequence[str], tables: Sequence[dict[str, Any]], *, instead: bool
) -> Decision:
    """Return DECISION with TABLES behind its own or INSTEAD of them, and its LEVELS named from the finest up.

    Raises InvalidInput where they contradict what is there.
    """
    before: tuple[Part, ...] = () if instead else decision.release.parts
    kept = () if instead else tuple(name for name in decision.release.levels if name not in levels)
    made = edits.put(decision, "$.release.parts", (*before, *tables))
    return edits.put(made, "$.release.levels", (*levels, *kept))


def _named(where: str, names: Sequence[str]) -> None:
    if not names:
        raise InvalidInput("is missing", where, "Add what is missing.")
    for at, name in enumerate(names):
        if not name.strip():
            raise InvalidInput("is missing", f"{where}[{at}].name", "Enter a text.")
        if name in names[:at]:
            twice = message('the name "{name}" is given twice', name=name)
            raise InvalidInput(twice, f"{where}[{at}].name", "Give every part a name of its own.")


def _shares(where: str, raw: Sequence[float | str]) -> list[Fraction]:
    """Return RAW shares exactly. Raises InvalidInput for one that is none, or for more than 1 in all."""
    exact = [exactly(read(Fractional, share, f"{where}[{at}].share")) for at, share in enumerate(raw)]
    total = sum(exact, Fraction())
    if total > 1:
        more = message("the shares come to {total:g}, more than {most}", total=Quantity(float(total)), most=Quantity(1))
        raise InvalidInput(more, where, "Lower the shares of some parts to 1 in all.")
    return exact
