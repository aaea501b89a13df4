"""The histories of one person: the largest sets of tables that the person can be in at the same time.

A history contains no two disjoint tables, and tables of at most a stated number of years. A privacy requirement
compares neighbouring datasets, and so two histories: one and none (a record is added or removed), or two (a record is
replaced). They are formed from all tables, whatever their noise: a person who leaves a Laplace table for a Gaussian one
changes both.
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
MOST_SETS = 24  # the most largest sets listed per component; with more, its tables are put in disjoint groups


class TableMove(NamedTuple):
    """A table, the ways in which a person can change it, and the number of equal tables.

    "stays": the person is in the table in both datasets. "leaves": in the table in one dataset, in a disjoint table in
    the other. "absent": in the table's year in one dataset only. The table changes by the largest change of these ways.
    """

    table: Table
    ways: Ways
    alike: int = 1


TableHistory = tuple[TableMove, ...]  # the tables that differ between two datasets, equal ones counted together
Weigh = Callable[[Table, Ways], float]  # the weight of a table, at least 0; the same for equal tables


@dataclass(frozen=True)
class Component:
    """Tables of one year that are linked by being disjoint, or the tables that are disjoint from no other.

    sets: the largest sets of its tables that one person can be in. Components do not restrict each other, so a history
    takes one alternative of each. ways: in which a person can change a table that is in both histories, or in one.
    """

    sets: tuple[tuple[Table, ...], ...]
    ways: Ways

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        return tuple({id(table): table for chosen in self.sets for table in chosen}.values())

    @cached_property
    def moves(self) -> TableHistory:
        """Return the tables with every way in which a person can change them."""
        return _count_equal_moves(self.tables, self.ways)

    @cached_property
    def alternatives(self) -> tuple[TableHistory, ...]:
        """Return one history for each unordered pair of sets, before and after; equal histories once.

        A table in both sets counts as staying or leaving, whichever changes it more. So pairs of smaller sets are
        covered.
        """
        if len(self.sets) == 1:
            return (self.moves,)
        pairs = itertools.combinations_with_replacement(self.distinct, 2)
        return _without_repeats(self._history_between(before, after) for before, after in pairs)

    @cached_property
    def left(self) -> tuple[TableHistory, ...]:
        """Return one history for each set, of a person who is in its year in one dataset only."""
        return _without_repeats(_count_equal_moves(chosen, ABSENT) for chosen in self.distinct)

    @cached_property
    def distinct(self) -> tuple[tuple[Table, ...], ...]:
        """Return its sets; two of equal single tables, as a person may leave one for the other."""
        if not self._has_single_tables:
            return self.sets
        by_table: dict[Table, list[tuple[Table, ...]]] = defaultdict(list)
        for chosen in self.sets:
            if len(by_table[chosen[0]]) < 2:
                by_table[chosen[0]].append(chosen)
        return tuple(chosen for sets in by_table.values() for chosen in sets)

    @property
    def _has_single_tables(self) -> bool:
        return "leaves" in self.ways and all(len(chosen) == 1 for chosen in self.sets)

    def _history_between(self, before: tuple[Table, ...], after: tuple[Table, ...]) -> TableHistory:
        ids_before, ids_after = {id(table) for table in before}, {id(table) for table in after}
        both = (table for table in before if id(table) in ids_after)
        left = (table for table in before if id(table) not in ids_after)
        joined = (table for table in after if id(table) not in ids_before)
        return _count_equal_moves(both, self.ways) + _count_equal_moves((*left, *joined), LEAVES)

    def most(self, weigh: Weigh) -> TableHistory:
        """Return the alternative with the largest total weight."""
        if not self._has_single_tables:
            return _heaviest(self.alternatives, weigh)
        # the heaviest set if the person stays, or the two heaviest if they leave one for the other
        left = sorted(self.distinct, key=lambda chosen: weigh(chosen[0], LEAVES))[-2:]
        stays = (_count_equal_moves(chosen, self.ways) for chosen in self.distinct)
        return _heaviest((*stays, self._history_between(left[0], left[-1])), weigh)


def _count_equal_moves(tables: Iterable[Table], ways: Ways) -> TableHistory:
    return tuple(TableMove(table, ways, alike) for table, alike in Counter(tables).items())


Components = tuple[Component, ...]


@dataclass(frozen=True, kw_only=True)
class Histories:
    """All pairs of histories of one person, as choices that are independent of each other.

    always: the components of tables without a year, and those of the only year if there is just one. years: the
    components of each year if there are several. at_most: in how many of these years one person can be, at least 1;
    None: in all.

    A pair of histories takes one of `Component.alternatives` of every component in `always`. It keeps k years in both
    datasets, with one alternative of each of their components, and has up to 2 (at_most - k) years in one dataset only,
    with one of `Component.left` of each of their components. Without a limit it keeps every year.

    To compose: the loss of a component is that of its worst alternative (`one_of`), the losses of components are
    composed, and the worst choice of years counts. `most` is enough if losses add up. Tables without noise are
    included: skip them. `NeighbouringPair.distance` gives the change of a table in its ways; when a record is added or
    removed, leaving and being absent change nothing: give these ways the weight 0.
    """

    always: Components = ()
    years: tuple[Components, ...] = ()
    at_most: int | None = None

    @cached_property
    def components(self) -> Components:
        return tuple(itertools.chain(self.always, *self.years))

    @cached_property
    def moves(self) -> TableHistory:
        """Return the tables with noise (all tables if none has) with every way in which a person can change them."""
        every = [move for component in self.components for move in component.moves]
        return tuple(move for move in every if not move.table.noise.absent) or tuple(every)

    @cached_property
    def not_always_read(self) -> frozenset[int]:
        """Return the ids of tables that are not in every history: disjoint from another, or of a year."""
        return frozenset(id(table) for part in self.components if part.ways != STAYS for table in part.tables)

    @cached_property
    def _places_of_tables(self) -> dict[int, dict[int, list[int]]]:
        places_of: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
        for number, component in enumerate(self.components):
            for place, chosen in enumerate(component.sets):
                for table in chosen:
                    places_of[id(table)][number].append(place)
        return places_of

    def keeps_together(self, tables: Iterable[Table]) -> bool:
        """Return whether every history changes either all TABLES, in the same ways, or none."""
        memberships = set()
        for table in tables:
            for number, places in self._places_of_tables.get(id(table), {}).items():
                memberships.add((number, *places, table.moves) if self.components[number].ways != STAYS else ())
        return len(memberships) == 1

    def most(self, weigh: Weigh) -> TableHistory:
        """Return the pair of histories with the largest total weight.

        Arguments: weigh, the weight of a table in a way, at least 0; the weights of a history add up.
        """
        always = _join(component.most(weigh) for component in self.always)
        kept = [_join(component.most(weigh) for component in year) for year in self.years]
        if self.at_most is None or self.at_most >= len(self.years):
            return always + _join(kept)
        left = [_join(_heaviest(component.left, weigh) for component in year) for year in self.years]
        return always + _heaviest_years(kept, left, self.at_most, weigh)

    def years_kept(self) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield each choice of the years kept in both datasets, and of those in one dataset only."""
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

    Arguments: tables, all tables of a release, with or without noise; at_most_years, in how many of their years one
    person can be, at least 1 (None: in all); in_periods, in how many of their periods (None, or too many sets of
    tables: in all; a person who changes groups within a period is in two tables of it, so a group does not separate
    them). Two tables are disjoint as `Table.disjoint` says. Result: never fewer than the true histories; the disjoint
    groups of a component with more than MOST_SETS largest sets do not restrict each other. Source:
    docs/methods/programmes.md.
    """
    all_tables = tuple(tables)
    timed = [table for table in all_tables if table.period is not None]
    if in_periods and timed:
        places, most = in_periods.together([table.period or "" for table in timed])
        sets = tuple(tuple(timed[at] for at in each) for each in places)
        rest = histories((table for table in all_tables if table.period is None), at_most_years)
        if sets and (most is None or not rest.years):
            return _with_period_sets(rest, sets, most)
    years: dict[str | None, list[Table]] = defaultdict(list)
    for table in all_tables:
        years[table.year].append(table)
    always, several = _components(years.pop(None, []), STAYS), len(years) > 1
    components = tuple(_components(year, STAYS + ABSENT if several else STAYS) for year in years.values())
    if several:
        return Histories(always=always, years=components, at_most=at_most_years)
    # if there is only one year, a person is in it whatever their values are
    return Histories(always=tuple(itertools.chain(always, *components)))


def _with_period_sets(rest: Histories, sets: tuple[tuple[Table, ...], ...], most: int | None) -> Histories:
    # a person is in one of SETS; or in up to MOST of them, as if each were a year
    if most is None:
        return replace(rest, always=(Component(sets, STAYS + LEAVES if len(sets) > 1 else STAYS), *rest.always))
    return replace(rest, years=tuple((Component((table,), STAYS + ABSENT),) for table in sets), at_most=most)


def _components(tables: list[Table], ways: Ways) -> Components:
    """Return the components of TABLES of one year, which change in WAYS unless one is left for another."""
    disjoint = _disjointness(tables)
    free = tuple(table for at, table in enumerate(tables) if not disjoint[at])
    components = [Component((free,), ways)] if free else []
    remaining = (1 << len(tables)) - 1
    for at in range(len(tables)):
        if not remaining >> at & 1 or not disjoint[at]:
            continue
        linked = _linked_places(at, disjoint)
        remaining &= ~linked
        sets = _largest_sets(linked, disjoint)
        if sets is not None:
            chosen = (tuple(tables[position] for position in _bit_places(each)) for each in sets)
            components.append(Component(tuple(chosen), ways + LEAVES))
            continue
        for group in disjoint_groups(tables[position] for position in _bit_places(linked)):
            components.append(Component(tuple((table,) for table in group), ways + LEAVES))
    return tuple(components)


def _disjointness(tables: list[Table]) -> list[int]:
    """Return for each of TABLES of one year the bit set of the tables disjoint from it."""
    places = {table.name: at for at, table in enumerate(tables)}
    groups: dict[str | None, int] = defaultdict(int)
    for at, table in enumerate(tables):
        groups[None if table.period else table.group] |= 1 << at
    disjoint = [0] * len(tables)
    for at, table in enumerate(tables):
        if table.group is not None and table.period is None:
            disjoint[at] = groups[table.group] & ~(1 << at)
    for at, table in enumerate(tables):
        for name in table.disjoint_with:
            other = places.get(name)
            if other is not None and other != at:
                disjoint[at] |= 1 << other
                disjoint[other] |= 1 << at
    return disjoint


def _linked_places(start: int, links: list[int]) -> int:
    linked = new = 1 << start
    while new:
        at = new.bit_length() - 1
        more = links[at] & ~linked
        linked |= more
        new = new & ~(1 << at) | more
    return linked


def _largest_sets(inside: int, disjoint: list[int]) -> list[int] | None:
    """Return the maximal sets of positions INSIDE without two disjoint ones; None if there are more than MOST_SETS.

    One position at a time: each set so far is extended by the next position, or a copy takes it and drops the positions
    disjoint from it. The number of sets never falls (Tsukiyama et al. 1977).
    """
    sets, before = [0], 0
    for at in _bit_places(inside):
        extended: dict[int, None] = {}
        for chosen in sets:
            if not chosen & disjoint[at]:
                extended[chosen | 1 << at] = None
                continue
            extended[chosen] = None
            instead = chosen & ~disjoint[at] | 1 << at
            excluded = reduce(or_, (disjoint[place] for place in _bit_places(instead)), 0)
            if not before & ~instead & ~excluded:
                extended[instead] = None
        sets, before = list(extended), before | 1 << at
        if len(sets) > MOST_SETS:
            return None
    return sets


def _bit_places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def disjoint_groups(tables: Iterable[Table]) -> tuple[tuple[Table, ...], ...]:
    """Return TABLES in groups of mutually disjoint tables, found greedily from the largest share down."""
    ordered = sorted(tables, key=lambda table: -(table.share or 0.0))
    named = {name for table in ordered for name in table.disjoint_with}
    by_group: dict[object, list[Table]] = {}  # by group and year, or by position
    naming_others: list[list[Table]] = []  # groups of tables that name disjoint tables
    for at, table in enumerate(ordered):
        if not table.disjoint_with and table.name not in named:
            by_group.setdefault((table.group, table.year) if table.group else at, []).append(table)
            continue
        for group in naming_others:
            if all(table.disjoint(other) for other in group):
                group.append(table)
                break
        else:
            naming_others.append([table])
    return tuple(tuple(group) for group in (*by_group.values(), *naming_others))


def _heaviest_years(kept: list[TableHistory], left: list[TableHistory], at_most: int, weigh: Weigh) -> TableHistory:
    """Return the heaviest choice of years, by dynamic programming over 2 AT_MOST places.

    A KEPT year, in both datasets, takes two places, and a LEFT year, in one dataset, takes one. Any such choice is a
    pair of histories: the years left are divided evenly between the two datasets.
    """
    best: list[tuple[float, TableHistory]] = [(0.0, ())] * (2 * at_most + 1)  # by the number of places available
    for history_if_kept, history_if_left in zip(kept, left, strict=True):
        options = (
            (2, _weight_of(history_if_kept, weigh), history_if_kept),
            (1, _weight_of(history_if_left, weigh), history_if_left),
        )
        new = list(best)
        for available, (places, weight, history) in itertools.product(range(2 * at_most + 1), options):
            if available >= places and best[available - places][0] + weight > new[available][0]:
                new[available] = (best[available - places][0] + weight, best[available - places][1] + history)
        best = new
    return best[-1][1]


def _without_repeats(candidates: Iterable[TableHistory]) -> tuple[TableHistory, ...]:
    return tuple({frozenset(history): history for history in candidates}.values())


def _join(parts: Iterable[TableHistory]) -> TableHistory:
    return tuple(itertools.chain.from_iterable(parts))


def _heaviest(candidates: tuple[TableHistory, ...], weigh: Weigh) -> TableHistory:
    return candidates[0] if len(candidates) == 1 else max(candidates, key=lambda history: _weight_of(history, weigh))


def _weight_of(history: TableHistory, weigh: Weigh) -> float:
    return math.fsum(alike * weigh(table, ways) for table, ways, alike in history)
