"""A grid of levels and queries as tables; the share of each table is the exact product of its level and query."""

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

COVERAGE = 0.95  # of the interval required for the numbers of a level
CROSSED = re.compile(r"\s*[*×]\s*")  # separates attributes in the name of a query


@dataclass(frozen=True, kw_only=True)
class Query:
    """One query at each level: its name, its attributes, and its share of each level, the finest first."""

    name: str
    shares: tuple[float | str, ...]
    reads: tuple[str, ...] | None = None


def attributes_of(queries: Sequence[str]) -> tuple[tuple[str, ...] | None, ...]:
    """Return the attributes in the name of each query: age and sex for ``age * sex``; None if the name has none.

    A single word is an attribute only if another query crosses it, unlike "detailed". None is safe: the table then
    counts towards the loss of every attribute.
    """
    crossed = [tuple(dict.fromkeys(filter(None, CROSSED.split(query.strip())))) for query in queries]
    known = {name for names in crossed if len(names) > 1 for name in names}
    return tuple(names if names and known.issuperset(names) else None for names in crossed)


def grid(
    levels: Sequence[tuple[str, float | str]],
    queries: Sequence[Query],
    periods: Sequence[str] = (),
    *,
    shared: bool = True,
) -> tuple[dict[str, Any], ...]:
    """Return the tables of a grid as fields of parts, by period and then by level, from the finest.

    Arguments: levels, names and shares of the budget, from the finest; queries, each with one share per level: a number
    of at least 0 or a fraction such as "26/4097"; periods, each with all tables, which divide a share evenly; shared,
    whether to use shares: if not, every query is published at every level, and needs determine its share.
    The name of a table is "level, query" or "level, query, period"; tables with share 0 are left out. Shares are exact,
    and may add up to less than 1.
    Raises InvalidInput without levels or queries, for an empty or repeated name or period, a wrong number of shares, an
    invalid share, or shares of more than 1 in all, of the levels or of the queries of a level.
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
                of_one_period.append({"name": f"{level}, {query.name}", "level": level, **stated})
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
    """Return DECISION with TABLES after its own or INSTEAD of them, and its LEVELS, from the finest.

    WIDTHS, by level, are half-widths of the 95 % interval to require for its numbers; they replace such requirements on
    the level. Needs determine the shares of tables without.
    Raises InvalidInput if they contradict the decision.
    """
    other_levels = () if instead else tuple(name for name in decision.release.levels if name not in levels)
    extended = edits.put(with_tables(decision, tables, instead=instead), "$.release.levels", (*levels, *other_levels))
    extended = by_needs(extended)
    needs: list[Any] = list(extended.requirements)
    for level, width in (widths or {}).items():
        where = {"level": level}
        needs = [need for need in needs if not _is_need_of(need, where)]
        needs.append({"kind": "noise_interval", "half_width": width, "level": COVERAGE, "where": where})
    return edits.put(extended, "$.requirements", tuple(needs)) if widths else extended


def by_needs(decision: Decision) -> Decision:
    """Return DECISION with its budget allocated by needs, unless a table has a budget or an allocation is set."""
    budgets = [(part.share, part.epsilon, part.rho) for part in decision.release.parts]
    if not budgets or budgets != [(None, None, None)] * len(budgets) or decision.release.allocation is not None:
        return decision
    return edits.put(decision, "$.release.allocation", "needs")


def _is_need_of(requirement: Any, where: Mapping[str, str]) -> bool:
    """Return whether REQUIREMENT is on the intervals of single numbers of exactly the tables of WHERE."""
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
            raise InvalidInput(twice, f"{where}[{at}].name", "Give every table a name of its own.")


def _shares(where: str, raw: Sequence[float | str]) -> list[Fraction]:
    """Return RAW shares exactly. Raises InvalidInput for an invalid one, or for more than 1 in all."""
    exact = [exactly(read(Fractional, share, f"{where}[{at}].share")) for at, share in enumerate(raw)]
    total = sum(exact, Fraction())
    if total > 1:
        more = message("the shares come to {total:g}, more than {most}", total=Quantity(float(total)), most=Quantity(1))
        raise InvalidInput(more, where, "Lower the shares of some tables to 1 in all.")
    return exact
