"""A grid of levels and queries as tables: the share of each is the exact product of its level's and its query's."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import Fractional, exactly
from dpwizard.base.messages import Quantity, message
from dpwizard.base.values import read
from dpwizard.decision import Decision, edits
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.sheets.cells import as_written
from dpwizard.sheets.reading import with_tables

SURE = 0.95  # the chance with which a number of a level is to lie within its width
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
    levels: Sequence[tuple[str, float | str]],
    queries: Sequence[Query],
    common: dict[str, Any] | None = None,
    periods: Sequence[str] = (),
    *,
    shared: bool = True,
) -> tuple[dict[str, Any], ...]:
    """Return the tables of a grid, period by period and level by level from the finest up, each as fields of a part.

    Arguments: levels, names and shares of the whole, from the finest up; queries, each with as many shares of a level
    as there are levels: numbers of at least 0 or fractions such as "26/4097"; common, fields that all tables have;
    periods, of each of which there are all tables: a share is divided evenly among them; shared, whether shares are
    stated: if not, every query is published at every level, and its share is found by needs.
    A table is called "level, query", with its period behind; one whose share is 0 is not published and left out. The
    shares are exact. They may come to less than the whole, of a level too: what is left is not used.
    Raises InvalidInput for no level or query, a name or period that is empty or given twice, too few or too many
    shares, a share that is none, or shares of more than 1 in all, of the levels or of the queries of one level.
    """
    _named("periods", periods or ("-",))
    _named("levels", [name for name, _ in levels])
    _named("queries", [query.name for query in queries])
    of_levels = _shares("levels", [share for _, share in levels])
    for at, query in enumerate(queries):
        if len(query.shares) != len(levels):
            several = message("must have {count} shares, one of each level", count=len(levels))
            raise InvalidInput(several, f"queries[{at}].shares", "Add what is missing.")
    of_one_period: list[dict[str, Any]] = []  # the tables of one period
    for at, (level, _) in enumerate(levels):
        of_queries = _shares(f"levels[{at}].queries", [query.shares[at] for query in queries])
        for query, share in zip(queries, of_queries, strict=True):
            product = of_levels[at] * share / max(1, len(periods))
            if product or not shared:
                stated: dict[str, Any] = {"share": as_written(product)} if shared else {}
                stated |= {} if query.reads is None else {"reads": query.reads}
                of_one_period.append({**(common or {}), "name": f"{level}, {query.name}", "level": level, **stated})
    if not periods:
        return tuple(of_one_period)
    tables = ((table, period) for period in periods for table in of_one_period)
    return tuple({**table, "name": f"{table['name']}, {period}", "period": period} for table, period in tables)


def with_grid(
    decision: Decision,
    levels: Sequence[str],
    tables: Sequence[dict[str, Any]],
    *,
    instead: bool,
    widths: Mapping[str, float] | None = None,
) -> Decision:
    """Return DECISION with TABLES behind its own or INSTEAD of them, and its LEVELS named from the finest up.

    WIDTHS, by level, are needs: each number of the level lies within so much in 95 of 100 cases. They take the place of
    such needs of the level. Tables without shares get theirs by needs.
    Raises InvalidInput where they contradict what is there.
    """
    other_levels = () if instead else tuple(name for name in decision.release.levels if name not in levels)
    extended = edits.put(with_tables(decision, tables, instead=instead), "$.release.levels", (*levels, *other_levels))
    extended = by_needs(extended)
    needs: list[Any] = list(extended.requirements)
    for level, width in (widths or {}).items():
        where = {"level": level}
        needs = [need for need in needs if not _is_need_of(need, where)]
        needs.append({"kind": "noise_interval", "half_width": width, "level": SURE, "where": where})
    return edits.put(extended, "$.requirements", tuple(needs)) if widths else extended


def by_needs(decision: Decision) -> Decision:
    """Return DECISION with a budget shared out by needs, where no table states what it may spend and nothing else is
    said; as it is elsewhere."""
    budgets = [(part.share, part.epsilon, part.rho) for part in decision.release.parts]
    if not budgets or budgets != [(None, None, None)] * len(budgets) or decision.release.allocation is not None:
        return decision
    return edits.put(decision, "$.release.allocation", "needs")


def _is_need_of(requirement: Any, where: Mapping[str, str]) -> bool:
    """Return whether REQUIREMENT is a need of single numbers of just the tables of WHERE."""
    if not isinstance(requirement, NoiseInterval) or requirement.where is None or requirement.cells not in (None, 1):
        return False
    return requirement.where.model_dump(exclude_none=True) == where


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
