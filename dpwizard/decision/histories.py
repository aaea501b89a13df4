"""Which tables one person can be in, before and after a change of their record: their histories.

A history is a largest set of tables that one person can be in at once. It holds no two tables that are disjoint, and
tables of at most so many years. A privacy requirement compares two worlds, and so two histories of one person: a
history and none (the record is added or removed), or two histories (the record is replaced).

`histories` forms them once, from all tables of a release, whatever their noise. Whoever composes losses first takes a
history and then splits its tables by kind of noise: a person who leaves a Laplace table for a Gaussian one moves both.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from operator import or_
from typing import Literal, NamedTuple

from dpwizard.decision.in_periods import InPeriods
from dpwizard.decision.tables import Table

Way = Literal["stays", "leaves", "absent"]
Ways = tuple[Way, ...]

STAYS: Ways = ("stays",)
LEAVES: Ways = ("leaves",)
ABSENT: Ways = ("absent",)
MOST_SETS = 24  # largest sets of one component that are listed; with more, its tables are taken in disjoint groups


class TableMove(NamedTuple):
    """A table of a pair of histories, the ways in which the person may move it, and how many equal tables move so.

    "stays": the person is in the table in both worlds. "leaves": they are in it in one world, and in the other in a
    table that is disjoint from it. "absent": they are in its year in one world only. The table moves by the largest
    of the moves that the ways allow.
    """

    table: Table
    ways: Ways
    alike: int = 1


History = tuple[TableMove, ...]  # a pair of worlds: the tables that move, equal ones counted together
Weigh = Callable[[Table, Ways], float]  # what a table counts, at least 0; equal tables count the same


@dataclass(frozen=True)
class Component:
    """Tables of one year that are linked by being disjoint, or those of it that are disjoint from none.

    sets: the largest sets of its tables that one person can be in. What a person does in one component does not
    restrict the others, so a history takes one alternative of each. ways: to move a table that the person is in under
    both histories, or under a part of them.
    """

    sets: tuple[tuple[Table, ...], ...]
    ways: Ways

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Return each of its tables once."""
        return tuple({id(table): table for chosen in self.sets for table in chosen}.values())

    @cached_property
    def moves(self) -> History:
        """Return its tables with every way in which a person may move them."""
        return _alike(self.tables, self.ways)

    @cached_property
    def alternatives(self) -> tuple[History, ...]:
        """Return one history for each unordered pair of sets, before and after; histories of equal tables only once.

        A table in both sets counts as staying or leaving, whichever moves it more, so every pair of smaller sets is
        covered as well.
        """
        if len(self.sets) == 1:
            return (self.moves,)
        pairs = itertools.combinations_with_replacement(self.distinct, 2)
        return _each_once(self._pair(before, after) for before, after in pairs)

    @cached_property
    def left(self) -> tuple[History, ...]:
        """Return one history for each set of a person who is in its year in one world only."""
        return _each_once(_alike(chosen, ABSENT) for chosen in self.distinct)

    @cached_property
    def distinct(self) -> tuple[tuple[Table, ...], ...]:
        """Return its sets; of single tables that equal each other two, as one may be left for the other."""
        if not self._single:
            return self.sets
        kept: dict[Table, list[tuple[Table, ...]]] = defaultdict(list)
        for chosen in self.sets:
            if len(kept[chosen[0]]) < 2:
                kept[chosen[0]].append(chosen)
        return tuple(chosen for same in kept.values() for chosen in same)

    @property
    def _single(self) -> bool:
        """Return whether a person is in one of its tables at a time."""
        return "leaves" in self.ways and all(len(chosen) == 1 for chosen in self.sets)

    def _pair(self, before: tuple[Table, ...], after: tuple[Table, ...]) -> History:
        one, other = {id(table) for table in before}, {id(table) for table in after}
        both = (table for table in before if id(table) in other)
        gone = (table for table in before if id(table) not in other)
        come = (table for table in after if id(table) not in one)
        return _alike(both, self.ways) + _alike((*gone, *come), LEAVES)

    def most(self, weigh: Weigh) -> History:
        """Return the alternative with the largest total weight."""
        if not self._single:
            return _most(self.alternatives, weigh)
        # the one that counts most, or the two that do where they are left
        left = sorted(self.distinct, key=lambda chosen: weigh(chosen[0], LEAVES))[-2:]
        stays = (_alike(chosen, self.ways) for chosen in self.distinct)
        return _most((*stays, self._pair(left[0], left[-1])), weigh)


def _alike(tables: Iterable[Table], ways: Ways) -> History:
    """Return TABLES moved in WAYS, equal ones counted together."""
    return tuple(TableMove(table, ways, alike) for table, alike in Counter(tables).items())


Components = tuple[Component, ...]


@dataclass(frozen=True, kw_only=True)
class Histories:
    """All pairs of histories of one person, as choices that are independent of each other.

    always: the components of tables without a year, and those of the only year where there is one.
    years: the components of each year where there are several.
    at_most: in how many of these years one person can be, at least 1; None: in all.

    A pair of histories takes one of `Component.alternatives` of every component in `always`. Of the years it keeps k
    in both worlds, with one alternative of each of their components, and has up to 2 (at_most - k) in one world only,
    with one of `Component.left` of each of their components. Without a limit it keeps every year.

    To compose: the loss of one component is that of the worst of its alternatives (`one_of`), components are composed
    with each other, and over the choices of years the worst counts again. `most` is enough where losses add up. Tables
    without noise are among the tables: skip them. Nothing that is formed here depends on shares or on noise.
    `NeighbouringPair.distance` says how far a table moves in its ways, as a multiple of its declared sensitivity.

    When the record is added or removed, leaving and being absent move nothing: give these ways the weight 0.
    """

    always: Components = ()
    years: tuple[Components, ...] = ()
    at_most: int | None = None

    @cached_property
    def components(self) -> Components:
        """Return the components of all years."""
        return tuple(itertools.chain(self.always, *self.years))

    @cached_property
    def moves(self) -> History:
        """Return the tables with noise with every way in which a person may move them; all, where none has."""
        every = [move for component in self.components for move in component.moves]
        return tuple(move for move in every if not move.table.noise.absent) or tuple(every)

    @cached_property
    def not_always_read(self) -> frozenset[int]:
        """Return the identities of the tables that are not in every history: disjoint from another, or of a year."""
        return frozenset(id(table) for one in self.components if one.ways != STAYS for table in one.tables)

    @cached_property
    def _held(self) -> dict[int, dict[int, list[int]]]:
        """Return by the identity of each table in which components it is, and in which of their sets."""
        found: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for at, component in enumerate(self.components):
            for place, chosen in enumerate(component.sets):
                for table in chosen:
                    found[id(table)][at].append(place)
        return found

    def keeps_together(self, tables: Iterable[Table]) -> bool:
        """Return whether every history moves all TABLES, in the same ways, or none."""
        found = set()
        for table in tables:
            for at, places in self._held.get(id(table), {}).items():
                found.add((at, *places, table.moves) if self.components[at].ways != STAYS else ())
        return len(found) == 1

    def most(self, weigh: Weigh) -> History:
        """Return the pair of histories with the largest total weight.

        Arguments: weigh, what a table counts in a way, at least 0; the weights of a history add up.
        """
        always = _joined(component.most(weigh) for component in self.always)
        kept = [_joined(component.most(weigh) for component in year) for year in self.years]
        if self.at_most is None or self.at_most >= len(self.years):
            return always + _joined(kept)
        left = [_joined(_most(component.left, weigh) for component in year) for year in self.years]
        return always + _most_of_years(kept, left, self.at_most, weigh)

    def years_kept(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the years kept in both worlds, and those in one world only."""
        count = len(self.years)
        most = count if self.at_most is None else min(self.at_most, count)
        if most == count:
            yield tuple(range(count)), ()
            return
        for number in range(most + 1):
            for kept in itertools.combinations(range(count), number):
                others = [year for year in range(count) if year not in kept]
                for left in itertools.combinations(others, min(2 * (most - number), len(others))):
                    yield kept, left


def histories(
    tables: Iterable[Table], at_most_years: int | None = None, in_periods: InPeriods | None = None
) -> Histories:
    """Return the histories that one person can have in TABLES.

    Arguments: tables, all of a release, those without noise too; at_most_years, in how many of their years one person
    can be, at least 1 (None: in all); in_periods, in which of their periods (None, or too many sets of tables: in all;
    who moves within a period is in two tables of it, so a group does not keep them apart). Two tables are disjoint as
    `Table.disjoint` says. Result: never fewer than the true histories; of a component with more than MOST_SETS largest
    sets, groups of disjoint tables do not restrict each other. Source: docs/methods/programmes.md.
    """
    every = tuple(tables)
    timed = [table for table in every if table.period is not None]
    if in_periods and timed:
        places, most = in_periods.together([table.period or "" for table in timed])
        sets = tuple(tuple(timed[at] for at in each) for each in places)
        rest = histories((table for table in every if table.period is None), at_most_years)
        if sets and (most is None or not rest.years):
            return _with_sets(rest, sets, most)
    years: dict[str | None, list[Table]] = defaultdict(list)
    for table in every:
        years[table.year].append(table)
    always, several = _components(years.pop(None, []), STAYS), len(years) > 1
    found = tuple(_components(year, STAYS + ABSENT if several else STAYS) for year in years.values())
    if several:
        return Histories(always=always, years=found, at_most=at_most_years)
    # a person of the only year is in it whatever their values are
    return Histories(always=tuple(itertools.chain(always, *found)))


def _with_sets(rest: Histories, sets: tuple[tuple[Table, ...], ...], most: int | None) -> Histories:
    """Return REST with one of these SETS of tables beside it; with up to MOST of them, as if each were of a year."""
    if most is None:
        return replace(rest, always=(Component(sets, STAYS + LEAVES if len(sets) > 1 else STAYS), *rest.always))
    return replace(rest, years=tuple((Component((one,), STAYS + ABSENT),) for one in sets), at_most=most)


def _components(tables: list[Table], ways: Ways) -> Components:
    """Return the components of TABLES, which are of one year, and move in WAYS where none is left for another."""
    disjoint = _disjoint(tables)
    free = tuple(table for at, table in enumerate(tables) if not disjoint[at])
    found = [Component((free,), ways)] if free else []
    open_tables = (1 << len(tables)) - 1
    for at in range(len(tables)):
        if not open_tables >> at & 1 or not disjoint[at]:
            continue
        inside = _reached(at, disjoint)
        open_tables &= ~inside
        sets = _largest_sets(inside, disjoint)
        if sets is not None:
            chosen = (tuple(tables[one] for one in _places(each)) for each in sets)
            found.append(Component(tuple(chosen), ways + LEAVES))
            continue
        for group in disjoint_groups(tables[one] for one in _places(inside)):
            found.append(Component(tuple((one,) for one in group), ways + LEAVES))
    return tuple(found)


def _disjoint(tables: list[Table]) -> list[int]:
    """Return for each of TABLES, which are of one year, the others that are disjoint from it: a bit for each."""
    places = {table.name: at for at, table in enumerate(tables)}
    groups: dict[str | None, int] = defaultdict(int)
    for at, table in enumerate(tables):
        groups[None if table.period else table.group] |= 1 << at
    alone = [table.group is None or table.period is not None for table in tables]
    found = [0 if alone[at] else groups[table.group] & ~(1 << at) for at, table in enumerate(tables)]
    for at, table in enumerate(tables):
        for name in table.disjoint_with:
            other = places.get(name)
            if other is not None and other != at:
                found[at] |= 1 << other
                found[other] |= 1 << at
    return found


def _reached(start: int, links: list[int]) -> int:
    """Return all places that START is linked with, itself included."""
    inside = new = 1 << start
    while new:
        at = new.bit_length() - 1
        more = links[at] & ~inside
        inside |= more
        new = new & ~(1 << at) | more
    return inside


def _largest_sets(inside: int, disjoint: list[int]) -> list[int] | None:
    """Return the maximal sets of places INSIDE that hold no two disjoint ones; None where they are more than MOST_SETS.

    Place by place: each set of those before either takes the next one, or stays beside the set that takes it instead
    of what is disjoint from it. Their number never falls on the way (Tsukiyama et al. 1977).
    """
    sets, before = [0], 0
    for at in _places(inside):
        found: dict[int, None] = {}
        for chosen in sets:
            if not chosen & disjoint[at]:
                found[chosen | 1 << at] = None
                continue
            found[chosen] = None
            instead = chosen & ~disjoint[at] | 1 << at
            if not before & ~instead & ~_neighbours(instead, disjoint):
                found[instead] = None
        sets, before = list(found), before | 1 << at
        if len(sets) > MOST_SETS:
            return None
    return sets


def _neighbours(chosen: int, disjoint: list[int]) -> int:
    """Return all places that are disjoint from one of CHOSEN."""
    return reduce(or_, (disjoint[at] for at in _places(chosen)), 0)


def _places(bits: int) -> Iterator[int]:
    """Yield the places of the bits that are set, from the lowest up."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def disjoint_groups(tables: Iterable[Table]) -> tuple[tuple[Table, ...], ...]:
    """Return TABLES in groups of which any two tables are disjoint, found greedily from the largest share down."""
    ordered = sorted(tables, key=lambda table: -(table.share or 0.0))
    named = {name for table in ordered for name in table.disjoint_with}
    found: dict[object, list[Table]] = {}  # by group and year, or each alone
    mixed: list[list[Table]] = []  # tables that name others, compared one by one
    for at, table in enumerate(ordered):
        if not table.disjoint_with and table.name not in named:
            found.setdefault((table.group, table.year) if table.group else at, []).append(table)
            continue
        for group in mixed:
            if all(table.disjoint(other) for other in group):
                group.append(table)
                break
        else:
            mixed.append([table])
    return tuple(tuple(group) for group in (*found.values(), *mixed))


def _most_of_years(kept: list[History], left: list[History], at_most: int, weigh: Weigh) -> History:
    """Return the years that weigh most together: one KEPT in both worlds takes two of 2 AT_MOST places, one LEFT one.

    Any such choice is a pair of histories: the years left are dealt out to the two worlds evenly.
    """
    best: list[tuple[float, History]] = [(0.0, ())] * (2 * at_most + 1)  # by how many places are taken at most
    for both, one in zip(kept, left, strict=True):
        options = ((2, _total(both, weigh), both), (1, _total(one, weigh), one))
        new = list(best)
        for free, (places, weight, history) in itertools.product(range(2 * at_most + 1), options):
            if free >= places and best[free - places][0] + weight > new[free][0]:
                new[free] = (best[free - places][0] + weight, best[free - places][1] + history)
        best = new
    return best[-1][1]


def _each_once(found: Iterable[History]) -> tuple[History, ...]:
    """Return those of FOUND in which other tables move, or move in another way, than in those before."""
    return tuple({frozenset(history): history for history in found}.values())


def _joined(parts: Iterable[History]) -> History:
    return tuple(itertools.chain.from_iterable(parts))


def _most(found: tuple[History, ...], weigh: Weigh) -> History:
    return found[0] if len(found) == 1 else max(found, key=lambda history: _total(history, weigh))


def _total(history: History, weigh: Weigh) -> float:
    return math.fsum(alike * weigh(table, ways) for table, ways, alike in history)
