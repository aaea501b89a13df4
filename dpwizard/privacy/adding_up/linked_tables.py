"""Tables that are made to add up: which noise of which table a published number takes in, and with what weight.

A table adds up to others: so many of its numbers to each number of the other. Tables that are linked form a tree (each
adds up to one at most) or a grid (levels by queries, each with even fans); of anything else nothing is said. Numbers
whose surroundings look alike are drawn together. Formulas: docs/methods/adding_up.md.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from dpwizard.privacy.adding_up.grids import crossed
from dpwizard.privacy.adding_up.least_budget import alike, variances_by_table
from dpwizard.privacy.adding_up.tree import MOST, Information, Tree, Variance, information

MOST_PLACES = 64  # of a grid

Problem = Literal["circle", "children_do_not_fit", "no_tree_and_no_grid", "nothing_tells"]
Weighted = dict[tuple[Variance, int], int]  # how many numbers of a table are taken in, by weight and table


class Link(NamedTuple):
    """To which table another adds up, by position; how many children each number has: one count for all, or each."""

    parent: int
    children: tuple[int, ...]


@dataclass(frozen=True)
class Linked:
    """A table: how many numbers it holds, whether they have noise, and to which tables they add up."""

    numbers: int
    noise: Literal["noisy", "exact", "none"] = "noisy"
    links: tuple[Link, ...] = ()


class Flawed(NamedTuple):
    """What keeps tables from adding up: the table, by position, and which of its links."""

    problem: Problem
    table: int
    link: int = 0
    children: int = 0  # that its parent has in all


@dataclass(frozen=True)
class AddedUp(ABC):
    """Linked tables, by position among themselves, with whether they have noise."""

    noises: tuple[str, ...]

    @property
    def can_be_whole(self) -> bool:
        """Return whether each number can be the floor or the ceiling of its estimate so that all add up."""
        return True

    @abstractmethod
    def has_children(self, table: int) -> bool:
        """Return whether other numbers add up to those of TABLE."""

    @abstractmethod
    def kinds(self, table: int) -> tuple[int, ...]:
        """Return one of each kind of number of TABLE."""

    @abstractmethod
    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        """Return the weights with which a published number of this KIND takes in the noise of tables.

        VARIANCES, by table, decide the weights: of one number before adding up, or in proportion to it; None: not
        published, 0: exact. Weights of fractions are fractions.
        """

    @abstractmethod
    def look(self, precisions: Any) -> Any:
        """Return which part of the variance of each kind of number comes from each table."""

    def variance(self, kind: int, variances: Sequence[Variance | None]) -> float:
        """Return the variance of a published number; of noise with these VARIANCES, or smaller ones, an upper bound."""
        found = self.weights(kind, variances)
        return math.fsum(float(weight**2 * count * (variances[table] or 0)) for (weight, table), count in found.items())


@dataclass(frozen=True)
class TreeOfTables(AddedUp):
    """Tables each of which adds up to one other at most."""

    tree: Tree
    table_of: tuple[int, ...]

    def has_children(self, table: int) -> bool:
        return any(self.tree.partitions[at] for at in self.kinds(table))

    def kinds(self, table: int) -> tuple[int, ...]:
        return tuple(at for at, of in enumerate(self.table_of) if of == table)

    def look(self, precisions: Any) -> Any:
        exact = [self.noises[table] == "exact" for table in self.table_of]
        noisy = [table if self.noises[table] == "noisy" else None for table in self.table_of]
        return variances_by_table(self.tree, noisy, precisions, exact)

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        return self.tree.groups

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        tree, groups = self.tree, self._groups
        table_variances = [variances[table] for table in self.table_of]
        gathered = information(tree, table_variances)
        path: list[int] = [kind]
        factors: list[Variance] = [Fraction(1)]
        while (parent := tree.parents[path[-1]]) is not None:
            factors.append(factors[-1] * gathered.share(path[-1], parent, groups[path[-1]]))
            path.append(parent)
        factors.append(Fraction(0))  # nothing stands above the root
        found: Weighted = defaultdict(int)
        from_parent: Variance = Fraction(0)
        for step in range(len(path) - 1, -1, -1):
            at, parent = path[step], tree.parents[path[step]]
            if parent is not None:
                for child in tree.partitions[parent][groups[at]]:
                    count = tree.counts[child] - (child == at)
                    self._take(child, from_parent - factors[step + 1], count, gathered, table_variances, found)
            coefficient = factors[step] - factors[step + 1] + from_parent
            below = groups[path[step - 1]] if step else None
            from_parent = self._take(at, coefficient, 1, gathered, table_variances, found, below)
        return found

    def _take(
        self,
        at: int,
        factor: Variance,
        count: int,
        gathered: Information,
        table_variances: Sequence[Variance | None],
        found: Weighted,
        left_out: int | None = None,
    ) -> Variance:
        """Take in what COUNT numbers like AT and those below tell, each with FACTOR; but for group LEFT_OUT, whose
        factor is returned."""
        total = gathered.variances[at]
        returned: Variance = Fraction(0)
        if not factor or not count or not total or math.isinf(total):
            return returned
        noise = table_variances[at]
        if noise:
            found[factor * total / noise, self.table_of[at]] += count
        for number, group in enumerate(self.tree.partitions[at]):
            whole = gathered.sums[at][number]
            if not whole or math.isinf(whole):
                continue
            if number == left_out:
                returned = factor * total / whole
                continue
            for child in group:
                self._take(
                    child, factor * total / whole, count * self.tree.counts[child], gathered, table_variances, found
                )
        return returned


@dataclass(frozen=True)
class GridOfTables(AddedUp):
    """Tables of levels by queries; `places` says which table stands at each place, the last chain fastest."""

    chains: tuple[tuple[int, ...], ...]
    places: tuple[int | None, ...]

    @cached_property
    def can_be_whole(self) -> bool:  # a flow is, along two chains of tables each coarser than the next
        held = [level for level, table in zip(self._levels, self.places, strict=True) if table is not None]
        apart = {
            (one, other)
            for one, other in itertools.combinations(held, 2)
            if not all(map(int.__le__, one, other)) and not all(map(int.__le__, other, one))
        }
        return not any(set(itertools.combinations(three, 2)) <= apart for three in itertools.combinations(held, 3))

    def crossed_numbers(self, one: int, other: int) -> int:
        """Return how many numbers a table has that is as fine as ONE and as OTHER."""
        levels = zip(self._levels[self.places.index(one)], self._levels[self.places.index(other)], strict=True)
        return math.prod(math.prod(fans[: max(both)]) for fans, both in zip(self.chains, levels, strict=True))

    def has_children(self, table: int) -> bool:
        levels = self._levels[self.places.index(table)]
        held = (level for level, at in zip(self._levels, self.places, strict=True) if at not in (None, table))
        return any(all(map(int.__le__, levels, level)) for level in held)

    def kinds(self, table: int) -> tuple[int, ...]:
        return (self.places.index(table),)

    def look(self, precisions: Any) -> Any:
        spread, gathered = crossed(self.chains)
        of_place = np.zeros((len(self.places), len(precisions)))
        for place, table in enumerate(self.places):
            if table is not None and self.noises[table] == "noisy":
                of_place[place, table] = 1.0
        by_table = gathered @ of_place  # what each table tells of the differences within each place
        precision = by_table @ precisions
        with np.errstate(divide="ignore", invalid="ignore"):
            of_level = np.where(by_table > 0.0, by_table * precisions / precision[:, None] ** 2, 0.0)
        of_level[self._known] = 0.0
        unknown = (precision <= 0.0) & ~np.array(self._known)
        return np.where((spread @ unknown > 0.0)[:, None], math.inf, spread @ of_level)

    @cached_property
    def _known(self) -> list[bool]:
        """Return at which levels an exact table says how numbers differ."""
        pairs = zip(self._levels, self.places, strict=True)
        exact = [level for level, table in pairs if table is not None and self.noises[table] == "exact"]
        return [any(all(map(int.__le__, level, one)) for one in exact) for level in self._levels]

    @cached_property
    def _levels(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*(range(len(fans) + 1) for fans in self.chains)))

    @cached_property
    def _finest(self) -> list[list[int]]:
        """Return how many finest numbers lie below one of each level of each chain."""
        return [[math.prod(fans[level:]) for level in range(len(fans) + 1)] for fans in self.chains]

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        finest, levels = self._finest, self._levels
        at = levels[kind]
        of_places = [None if table is None else variances[table] for table in self.places]
        precisions = [1 / each if each else Fraction(0) for each in of_places]
        spread = {
            level: 0
            if known
            else 1
            / sum(
                precision * math.prod(sizes[one] for sizes, one in zip(finest, place, strict=True))
                for place, precision in zip(levels, precisions, strict=True)
                if all(above >= one for above, one in zip(place, level, strict=True))
            )
            for level, known in zip(levels, self._known, strict=True)
        }
        found: Weighted = defaultdict(int)
        for place, table in enumerate(self.places):
            if table is None or not precisions[place]:
                continue
            nearest = [range(min(one, other) + 1) for one, other in zip(at, levels[place], strict=True)]
            for common in itertools.product(*nearest):
                sums = [_shared(*each) for each in zip(finest, at, levels[place], common, strict=True)]
                weight = precisions[place] * sum(
                    math.prod(part[one] for part, one in zip(sums, level, strict=True)) * spread[level]
                    for level in itertools.product(*(range(len(part)) for part in sums))
                )
                count = math.prod(_numbers(*each) for each in zip(finest, at, levels[place], common, strict=True))
                if weight and count:
                    found[weight, table] += count
        return found


def _shared(finest: list[int], level: int, other: int, common: int) -> list[Fraction]:
    """Return 1_B' Q_m 1_u for m = 0, 1, ..: B a number of LEVEL, u one of the level OTHER, with the number of level
    COMMON above both in common and no finer one."""
    both = Fraction(finest[level] * finest[other])
    found = [both / finest[0]] + [both / finest[m] - both / finest[m - 1] for m in range(1, common + 1)]
    return found if common == min(level, other) else [*found, -both / finest[common]]


def _numbers(finest: list[int], level: int, other: int, common: int) -> int:
    """Return how many numbers of the level OTHER have just the number of level COMMON in common with one of LEVEL."""
    inside = finest[common] // finest[other]
    return inside if common == min(level, other) else inside - finest[common + 1] // finest[other]


# ------------------------------------------------------------------------------------------- from links


def linked(tables: Sequence[Linked]) -> tuple[tuple[tuple[AddedUp, tuple[int, ...]], ...], tuple[Flawed, ...]]:
    """Return the groups of TABLES that are linked together, with their positions, and what keeps some from adding up.

    A group in which nothing has noise is left out.
    """
    flaws = [flaw for at, table in enumerate(tables) for flaw in _misfits(tables, at, table)]
    found: list[tuple[AddedUp, tuple[int, ...]]] = []
    for group in [] if flaws else _components(tables):
        made = _linked(tables, group)
        if isinstance(made, Flawed):
            flaws.append(made)
        elif made is not None:
            found.append((made, tuple(group)))
    return tuple(found), tuple(flaws)


def _misfits(tables: Sequence[Linked], at: int, table: Linked) -> Iterable[Flawed]:
    for number, (parent, children) in enumerate(table.links):
        wanted = tables[parent].numbers
        many = children[0] * wanted if len(children) == 1 else sum(children)
        if many != table.numbers or (1 < len(children) != wanted):
            yield Flawed("children_do_not_fit", at, number, many)


def _components(tables: Sequence[Linked]) -> Iterable[list[int]]:
    """Yield the positions of tables that are linked together, where there are any."""
    beside: dict[int, set[int]] = defaultdict(set)
    for at, table in enumerate(tables):
        for parent, _ in table.links:
            beside[at].add(parent)
            beside[parent].add(at)
    seen: set[int] = set()
    for first in sorted(beside):
        if first in seen:
            continue
        group = [first]
        for at in group:  # grows while it is read
            group.extend(sorted(beside[at] - set(group)))
        seen |= set(group)
        yield sorted(group)


def _linked(tables: Sequence[Linked], group: list[int]) -> AddedUp | Flawed | None:
    place = {at: number for number, at in enumerate(group)}
    group_tables = [tables[at] for at in group]
    links = [[(place[parent], children) for parent, children in table.links] for table in group_tables]
    order = [at for at, above in enumerate(links) if not above]
    below: dict[int, list[int]] = defaultdict(list)
    for at, above in enumerate(links):
        for parent, _ in above:
            below[parent].append(at)
    waiting = Counter(at for children in below.values() for at in children)
    for at in order:  # grows while it is read
        for child in below[at]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    if len(order) < len(group):
        return Flawed("circle", group[min(set(range(len(group))) - set(order))])
    noises = tuple(table.noise for table in group_tables)
    made: AddedUp | None
    if all(len(above) <= 1 for above in links):
        made = _tree(noises, group_tables, links, below, order)
    else:
        made = _grid(noises, group_tables, links, order)
    if made is None:
        worst = next(at for at, above in enumerate(links) if len(above) > 1)
        return Flawed("no_tree_and_no_grid", group[worst])
    if "noisy" not in noises:
        return None
    unknown = _without_noise(made, group_tables)
    return made if unknown is None else Flawed("nothing_tells", group[unknown])


def _without_noise(made: AddedUp, group_tables: Sequence[Linked]) -> int | None:
    """Return a table of which nothing tells; None where the noise of every number is known."""
    if isinstance(made, GridOfTables):
        finite = np.isfinite(made.look(np.ones(len(group_tables))).sum(axis=1))
        return next(
            (table for table in range(len(group_tables)) if not all(finite[at] for at in made.kinds(table))), None
        )
    assert isinstance(made, TreeOfTables)
    noises = {"noisy": 1.0, "exact": 0.0, "none": None}
    tree = made.tree
    gathered = information(tree, [noises[made.noises[table]] for table in made.table_of])
    for at, parent in enumerate(tree.parents):
        if not math.isinf(gathered.variances[at]):
            continue
        others = () if parent is None else tree.partitions[parent][tree.groups[at]]
        alone = tree.counts[at] == 1 and not any(math.isinf(gathered.variances[one]) for one in others if one != at)
        if parent is None or not alone:
            return made.table_of[at]
    return None


Links = list[list[tuple[int, tuple[int, ...]]]]


def _tree(
    noises: tuple[str, ...],
    own: Sequence[Linked],
    links: Links,
    below: dict[int, list[int]],
    order: list[int],
) -> TreeOfTables | None:
    """Return the tree of tables: of each, one number of each kind."""
    if all(len(set(children)) == 1 for above in links for _, children in above):
        ranks = {table: at for at, table in enumerate(order)}
        counts = [own[at].numbers if not links[at] else links[at][0][1][0] for at in order]
        parents = [ranks[links[at][0][0]] if links[at] else None for at in order]
        partitions = tuple(tuple((ranks[child],) for child in below[at]) for at in order)
        tree = Tree(tuple(range(len(order))), tuple(parents), partitions, tuple(counts))
        return TreeOfTables(noises, tree, tuple(order))
    if sum(table.numbers for table in own) > MOST:
        return None
    table_of = [at for at in order for _ in range(own[at].numbers)]
    first = dict(zip(order, itertools.accumulate((own[at].numbers for at in order), initial=0), strict=False))
    above: list[int | None] = [None] * len(table_of)
    groups: list[list[tuple[int, ...]]] = [[] for _ in table_of]
    for at in order:
        for parent, children in links[at]:
            many = children * own[parent].numbers if len(children) == 1 else children
            child = first[at]
            for number, count in enumerate(many):
                members = tuple(range(child, child + count))
                above[child : child + count] = [first[parent] + number] * count
                groups[first[parent] + number].append(members)
                child += count
    full = Tree(tuple(range(len(table_of))), tuple(above), tuple(map(tuple, groups)), (1,) * len(table_of))
    tree, sample = alike(full, [str(at) for at in table_of])
    return TreeOfTables(noises, tree, tuple(table_of[one] for one in sample))


Place = dict[int, int]  # the level of each chain but those at 0


def _grid(noises: tuple[str, ...], own: Sequence[Linked], links: Links, order: list[int]) -> GridOfTables | None:
    """Return the grid of tables; None where they form none."""
    fans: dict[int, list[int]] = {}
    places: dict[int, Place] = {}
    roots = [at for at in order if not links[at]]
    if len(roots) > 1:
        return None
    for at in order:
        place = _place(links[at], places, fans)
        if place is None or place in places.values():
            return None
        places[at] = place
    chains = tuple(tuple(fans[chain]) for chain in sorted(fans))
    levels = list(itertools.product(*(range(len(each) + 1) for each in chains)))
    if len(levels) > MOST_PLACES:
        return None
    stands = {tuple(place.get(chain, 0) for chain in sorted(fans)): at for at, place in places.items()}
    return GridOfTables(noises, chains, tuple(stands.get(level) for level in levels))


def _place(
    above: list[tuple[int, tuple[int, ...]]], places: dict[int, Place], fans: dict[int, list[int]]
) -> Place | None:
    """Return where a table stands that adds up to those ABOVE, whose PLACES are known; FANS of the chains may grow."""
    if any(len(set(children)) > 1 for _, children in above):
        return None
    if not above:
        return {}
    if len(above) == 1:
        (parent, (fan, *_)), place = above[0], dict(places[above[0][0]])
        if len(place) > 1:
            return None
        chain = next(iter(place)) if place else len(fans)
        levels = fans.setdefault(chain, [])
        if place.get(chain, 0) != len(levels):
            return None
        levels.append(fan)
        return {chain: len(levels)}
    place = {}
    for parent, _ in above:
        for chain, level in places[parent].items():
            place[chain] = max(level, place.get(chain, 0))
    steps = {}
    for parent, (fan, *_) in above:
        lower = [chain for chain, level in place.items() if places[parent].get(chain, 0) == level - 1]
        same = [chain for chain, level in place.items() if places[parent].get(chain, 0) == level]
        if len(lower) != 1 or len(lower) + len(same) != len(place) or fans[lower[0]][place[lower[0]] - 1] != fan:
            return None
        steps[lower[0]] = fan
    return place if len(steps) == len(above) == len(place) else None
