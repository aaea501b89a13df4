"""How tables that each have a portion of one budget come together: those of one group, of one year, of several years.

A unit is in one at most of tables that share no unit; tables of one year add up; and of several years those count that
one person can be in.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from fractions import Fraction

from dpwizard.decision.tables import Table

Told = tuple[float, Fraction]  # how far a table moves, and its portion of the budget
Groups = tuple[tuple[Table, ...], ...]  # tables, in groups of which no two share a unit
Distance = Callable[[Table], float]
NONE = Fraction(0)


def groups(tables: Iterable[Table]) -> Groups:
    """Return TABLES in groups of which no two share a unit, found greedily from the largest share down."""
    ordered = sorted(tables, key=lambda table: -(table.share or 0.0))
    named = {name for table in ordered for name in table.disjoint_with}
    found: dict[object, list[Table]] = {}  # by a name they share, or each alone
    mixed: list[list[Table]] = []  # what names others apart is compared one by one
    for at, table in enumerate(ordered):
        if not table.disjoint_with and table.name not in named:
            found.setdefault((table.group, table.year) if table.group else at, []).append(table)
            continue
        for group in mixed:
            if all(table.disjoint(other) for other in group):
                group.append(table)  # its share is no larger than the group's first
                break
        else:
            mixed.append([table])
    return tuple(tuple(group) for group in (*found.values(), *mixed))


def together(
    tables: Groups, stays: Distance, leaves: Distance, absent: Distance, at_most: int | None = None
) -> list[Told]:
    """Return the distances and portions that tell most of a pair of worlds; their sum is what all TABLES tell.

    Arguments: stays, how far a table moves whose unit is in it in both worlds; leaves, the same of a unit that is in
    another table of its group in the other world, and absent, of one that is in no table of its year there (0 where the
    pair has no such unit); at_most, in how many years one person can be (None: in all). Tables without a year count in
    any case. The result is never below what any person's history tells.
    """
    years: dict[str | None, tuple[list[Told], list[Told]]] = defaultdict(lambda: ([], []))
    for group in tables:
        if len(group) == 1:  # as most are: nobody leaves it for another of its group
            table = group[0]
            if table.portion is not None:
                years[table.year][0].append((stays(table), table.portion))
                years[table.year][1].append((absent(table), table.portion))
            continue
        known = [(table, table.portion) for table in group if table.portion is not None]
        if known:
            kept, left = years[group[0].year]
            kept += _most([(stays(t), p) for t, p in known], [(leaves(t), p) for t, p in known])
            left += [max(((absent(t), p) for t, p in known), key=_weight)] if group[0].year is not None else []
    always = years.pop(None, ([], []))[0]
    return always + _of_years(list(years.values()), at_most)


def _most(told: list[Told], gone: list[Told]) -> list[Told]:
    """Return what tells most of one group: a unit that stays in one table, or one that leaves it for another."""
    if len(told) == 1:
        return told
    moves = sorted((one for one in gone if one[0]), key=_weight)[-2:]
    return max([max(told, key=_weight)], moves[::-1], key=_sum)


def _of_years(years: list[tuple[list[Told], list[Told]]], at_most: int | None) -> list[Told]:
    """Return the tables of the years that tell most: of a person in a year in both worlds, or in one alone.

    A person in at most Y years is, in two worlds, in at most 2 Y; each adds what leaving it tells, and once more what
    staying in it tells beyond that (docs/methods/programmes.md).
    """
    if len(years) > 1:  # of two histories, one may have the year and the other not
        years = [(max(kept, left, key=_sum), left) for kept, left in years]
    if at_most is None or at_most >= len(years):
        return [one for kept, _ in years for one in kept]
    if not any(_sum(left) for _, left in years):  # membership is the same in both worlds
        return [one for kept, _ in sorted(years, key=lambda year: -_sum(year[0]))[:at_most] for one in kept]
    added: list[tuple[float, int, bool]] = []
    for at, (kept, left) in enumerate(years):
        one, both = _sum(left), _sum(kept)
        added += [(both / 2.0, at, True)] * 2 if both > 2.0 * one else [(one, at, False), (both - one, at, False)]
    chosen: dict[int, list[bool]] = defaultdict(list)
    for _, at, halved in sorted(added, key=lambda entry: -entry[0])[: 2 * at_most]:
        chosen[at].append(halved)
    found: list[Told] = []
    for at, parts in chosen.items():
        kept, left = years[at]
        found += kept if len(parts) == 2 else [(far / 2.0, share) for far, share in kept] if parts[0] else left
    return found


def _weight(one: Told) -> float:
    return one[0] * float(one[1])


def _sum(told: list[Told]) -> float:
    return math.fsum(map(_weight, told))


def used(tables: Groups, at_most: int | None = None) -> Fraction:
    """Return how much of the budget TABLES use together under their declared neighbours; never below the truth."""

    def absent(table: Table) -> float:
        return 1.0 if table.neighbours == "replace" else 0.0

    told = together(tables, lambda _: 1.0, lambda t: 0.0 if t.moves is False else absent(t), absent, at_most)
    return added(share if far == 1.0 else share * Fraction(far) for far, share in told)


def added(shares: Iterable[Fraction]) -> Fraction:
    """Return the sum of SHARES: those over one denominator at once, as decimals mostly are."""
    over: dict[int, int] = defaultdict(int)
    for share in shares:
        over[share.denominator] += share.numerator
    return sum((Fraction(above, below) for below, above in over.items()), start=NONE)


def as_meant(total: Fraction) -> Fraction:
    """Return TOTAL, or 1 where it comes to 1 but for 1e-9: decimals such as 0.333333333 are meant to."""
    return Fraction(1) if abs(total - 1) <= Fraction(1, 10**9) else total


def share_total(tables: Groups, at_most: int | None = None) -> Fraction:
    """Return how much of the budget TABLES use together, exactly; never below the truth.

    A unit is in one at most of tables that no unit shares: of these the largest counts, or, where a unit can move from
    one to another, the two largest. Decimals that come to 1 but for 1e-9 are meant to.
    """
    return as_meant(used(tables, at_most))
