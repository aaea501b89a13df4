"""What linked tables form: a tree, an even grid, or cells of which each is part of several sums.

A table adds up to others: so many of its numbers to each number of the other. Where each adds up to one at most, they
form a tree. Where tables cross, it counts which numbers make which sum: links say it, or levels and queries that cross
do. Of anything else nothing is said, by name.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, NamedTuple

import numpy as np

from dpwizard.privacy.adding_up.dense import MOST_CELLS, DenseTables
from dpwizard.privacy.adding_up.least_budget import alike
from dpwizard.privacy.adding_up.linked_tables import AddedUp, Blocks, CrossedTables, GridOfTables, TreeOfTables
from dpwizard.privacy.adding_up.tree import MOST, Tree, information

MOST_PLACES = 64  # of a grid
MOST_OF_A_GRID = 1_000_000  # cells of which it is seen whether tables cross evenly

Problem = Literal["circle", "children_do_not_fit", "no_tree_and_no_grid", "too_many_cells", "nothing_tells"]


class Link(NamedTuple):
    """To which table another adds up, by position; how many children each number has: one count for all, or each.

    above: the number of the other in which each of its numbers lies; None where only the counts are known.
    """

    parent: int
    children: tuple[int, ...]
    above: Blocks | None = None


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


Found = tuple[tuple[tuple[AddedUp, tuple[int, ...]], ...], tuple[Flawed, ...]]
Labels = dict[Any, Any]  # of cells: in which number of each table they lie
Places = list[dict[int, int]]  # of each table: the level of each chain but those at 0
Fans = list[list[tuple[int, ...]]]  # of each chain, by level: how many numbers each number above has


@lru_cache(maxsize=64)  # a decision is changed often, and what adds up in it seldom
def linked(tables: tuple[Linked, ...]) -> Found:
    """Return the groups of TABLES that are linked together, with their positions, and what keeps some from adding up.

    A group in which nothing has noise is left out, once all its numbers are known.
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
    for number, (parent, children, _) in enumerate(table.links):
        wanted = tables[parent].numbers
        many = children[0] * wanted if len(children) == 1 else sum(children)
        if many != table.numbers or (1 < len(children) != wanted):
            yield Flawed("children_do_not_fit", at, number, many)


def _components(tables: Sequence[Linked]) -> Iterable[list[int]]:
    """Yield the positions of tables that are linked together, where there are any."""
    beside: dict[int, set[int]] = defaultdict(set)
    for at, table in enumerate(tables):
        for link in table.links:
            beside[at].add(link.parent)
            beside[link.parent].add(at)
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
    own = [tables[at] for at in group]
    links = [[link._replace(parent=place[link.parent]) for link in table.links] for table in own]
    order = [at for at, above in enumerate(links) if not above]
    below: dict[int, list[int]] = defaultdict(list)
    for at, above in enumerate(links):
        for link in above:
            below[link.parent].append(at)
    waiting = Counter(at for children in below.values() for at in children)
    for at in order:  # grows while it is read
        for child in below[at]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    if len(order) < len(group):
        return Flawed("circle", group[min(set(range(len(group))) - set(order))])
    crossing = [at for at, above in enumerate(links) if len(above) > 1]
    made = _crossed(own, links, order) if crossing else _tree(own, links, below, order)
    if isinstance(made, str):
        return Flawed(made, group[crossing[0] if crossing else order[-1]])
    unknown = _without_noise(made, len(own))
    if unknown is not None:
        return Flawed("nothing_tells", group[unknown])
    return made if "noisy" in made.noises else None


def _without_noise(made: AddedUp, tables: int) -> int | None:
    """Return a table of which nothing tells; None where the noise of every number is known."""
    if isinstance(made, CrossedTables) and "noisy" not in made.noises:
        exact = [at for at, noise in enumerate(made.noises) if noise == "exact"]
        return next((at for at in range(tables) if not any(made.is_finer(one, at) for one in exact)), None)
    if not isinstance(made, TreeOfTables):
        finite = np.isfinite(made.look(np.ones(tables)).sum(axis=1))
        return next((table for table in range(tables) if not all(finite[at] for at in made.kinds(table))), None)
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


Links = list[list[Link]]


def _each(link: Link, own: Sequence[Linked]) -> tuple[int, ...]:
    """Return how many children each number of the parent of LINK has."""
    return link.children * own[link.parent].numbers if len(link.children) == 1 else link.children


# ------------------------------------------------------------------------------------------- trees


def _tree(own: Sequence[Linked], links: Links, below: dict[int, list[int]], order: list[int]) -> TreeOfTables | Problem:
    """Return the tree of tables: of each, one number of each kind."""
    noises = tuple(table.noise for table in own)
    if all(len(set(link.children)) == 1 for above in links for link in above):
        ranks = {table: at for at, table in enumerate(order)}
        counts = [own[at].numbers if not links[at] else links[at][0].children[0] for at in order]
        parents = [ranks[links[at][0].parent] if links[at] else None for at in order]
        partitions = tuple(tuple((ranks[child],) for child in below[at]) for at in order)
        tree = Tree(tuple(range(len(order))), tuple(parents), partitions, tuple(counts))
        return TreeOfTables(noises, tree, tuple(order))
    if sum(table.numbers for table in own) > MOST:
        return "too_many_cells"
    table_of = [at for at in order for _ in range(own[at].numbers)]
    first = dict(zip(order, itertools.accumulate((own[at].numbers for at in order), initial=0), strict=False))
    above: list[int | None] = [None] * len(table_of)
    groups: list[list[tuple[int, ...]]] = [[] for _ in table_of]
    for at in order:
        for link in links[at]:
            child = first[at]
            for number, count in enumerate(_each(link, own)):
                parent = first[link.parent] + number
                above[child : child + count] = [parent] * count
                groups[parent].append(tuple(range(child, child + count)))
                child += count
    full = Tree(tuple(range(len(table_of))), tuple(above), tuple(map(tuple, groups)), (1,) * len(table_of))
    tree, sample = alike(full, [str(at) for at in table_of])
    return TreeOfTables(noises, tree, tuple(table_of[one] for one in sample))


# ------------------------------------------------------------------------------------------- tables that cross


def _crossed(own: Sequence[Linked], links: Links, order: list[int]) -> AddedUp | Problem:
    """Return the grid of tables where levels and queries cross evenly, else their cells."""
    noises = tuple(table.noise for table in own)
    blocks = _by_links(own, links, order)
    if isinstance(blocks, str):
        return blocks
    stands = _standing(own, links, order)
    if stands is not None and all(len(set(fans)) == 1 for levels in stands[1] for fans in levels):
        grid = _grid(noises, *stands)
        if grid is not None and (blocks is None or _is_even(grid, own[order[0]].numbers, blocks)):
            return grid
    if blocks is None and stands is not None:
        blocks = _by_places(own, links, order, *stands)
    if blocks is None:
        return "no_tree_and_no_grid"
    return DenseTables(noises, blocks) if len(blocks[0]) <= MOST_CELLS else "too_many_cells"


def _grid(noises: tuple[str, ...], places: Places, fans: Fans) -> GridOfTables | None:
    chains = tuple(tuple(one[0] for one in levels) for levels in fans)
    levels = list(itertools.product(*(range(len(each) + 1) for each in chains)))
    if len(levels) > MOST_PLACES:
        return None
    stands = {tuple(place.get(chain, 0) for chain in range(len(fans))): at for at, place in enumerate(places)}
    return GridOfTables(noises, chains, tuple(stands.get(level) for level in levels))


def _is_even(grid: GridOfTables, roots: int, blocks: tuple[Blocks, ...]) -> bool:
    """Return whether the numbers of any two tables have the same number of cells in common wherever they cross."""
    labels = [np.array(one) for one in blocks]
    for one, other in itertools.combinations(range(len(labels)), 2):
        counts = np.unique(labels[one] * (labels[other].max() + 1) + labels[other], return_counts=True)[1]
        if len(set(counts.tolist())) > 1 or len(counts) != roots * grid.crossed_numbers(one, other):
            return False
    return True


def _standing(own: Sequence[Linked], links: Links, order: list[int]) -> tuple[Places, Fans] | None:
    """Return where each table stands among levels and queries, and how these divide; None where that is not told."""
    if sum(not above for above in links) > 1:
        return None
    places: Places = [{} for _ in own]
    fans: Fans = []
    for at in order:
        above = [(places[link.parent], _each(link, own)) for link in links[at]]
        place = _place(above, fans)
        if place is None or place in [places[one] for one in order[: order.index(at)]]:
            return None
        places[at] = place
    return places, fans


def _place(above: list[tuple[dict[int, int], tuple[int, ...]]], fans: Fans) -> dict[int, int] | None:
    """Return where a table stands that adds up to those that stand ABOVE; FANS of the chains may grow."""
    if not above:
        return {}
    if len(above) == 1:
        place, many = above[0]
        if len(place) > 1:
            return None
        chain, level = next(iter(place.items())) if place else (len(fans), 0)
        fans += [[]] if chain == len(fans) else []
        if level != len(fans[chain]):
            return None
        fans[chain].append(many)
        return {chain: level + 1}
    place = {}
    for one, _ in above:
        place |= {chain: max(level, place.get(chain, 0)) for chain, level in one.items()}
    steps = set()
    for one, _ in above:
        lower = [chain for chain, level in place.items() if one.get(chain, 0) != level]
        if len(lower) != 1 or one.get(lower[0], 0) != place[lower[0]] - 1:
            return None
        steps.add(lower[0])
    return place if len(steps) == len(above) == len(place) else None


def _by_places(
    own: Sequence[Linked], links: Links, order: list[int], places: Places, fans: Fans
) -> tuple[Blocks, ...] | None:
    """Return the cells where every level of a chain crosses every level of the others; None where counts differ."""
    cells: Labels = {(): np.arange(own[order[0]].numbers)}
    for chain, levels in enumerate(fans):
        label = np.arange(own[order[0]].numbers)
        of_chain: list[Any] = [label]
        for many in levels:
            inside = np.repeat(np.arange(len(many)), many)
            of_chain = [one[inside] for one in of_chain] + [np.arange(len(inside))]
        named = {(chain, level): one for level, one in enumerate(of_chain[1:], 1)}
        joined = _joined(cells, named | {(): of_chain[0]})
        if joined is None:
            return None
        cells = joined
    found: list[Blocks] = []
    for place in places:
        held = np.stack([cells[()], *(cells[each] for each in sorted(place.items()))])
        found.append(tuple(np.unique(held, axis=1, return_inverse=True)[1].ravel().tolist()))
    for at, above in enumerate(links):
        over = [dict(zip(found[at], found[link.parent], strict=True)) for link in above]
        counts = [sorted(Counter(one.values()).values()) for one in over]
        if counts != [sorted(_each(link, own)) for link in above]:
            return None
    return tuple(found)


def _by_links(own: Sequence[Linked], links: Links, order: list[int]) -> tuple[Blocks, ...] | Problem | None:
    """Return the cells as links say which numbers make each sum; None where they do not; or that they contradict.

    Of tables that add up to the same, every number may cross every other with which it has these sums in common.
    """
    parents = {link.parent for above in links for link in above}
    waiting: list[Labels] = []
    for leaf in (at for at in order if at not in parents):
        labels = _above(leaf, own, links, order)
        if not isinstance(labels, dict):
            return labels
        waiting.append(labels)
    cells = waiting.pop(0)
    while waiting:
        beside = next(one for one in waiting if one.keys() & cells.keys())
        waiting = [one for one in waiting if one is not beside]
        joined = _joined(cells, beside)
        if joined is None:
            return None
        cells = joined
    if any(len(np.unique(cells[at])) < table.numbers for at, table in enumerate(own)):
        return "no_tree_and_no_grid"  # a number that holds no cell
    return tuple(tuple(cells[at].tolist()) for at in range(len(own)))


def _above(leaf: int, own: Sequence[Linked], links: Links, order: list[int]) -> Labels | Problem | None:
    """Return in which number of each table above it each number of the table LEAF lies."""
    labels: Labels = {leaf: np.arange(own[leaf].numbers)}
    for at in reversed(order):
        for link in links[at] if at in labels else ():
            above = (0,) * own[at].numbers if own[link.parent].numbers == 1 else link.above
            if above is None:
                return None
            label = np.array(above)[labels[at]]
            if not np.array_equal(labels.setdefault(link.parent, label), label):
                return "no_tree_and_no_grid"
    return labels


def _joined(one: Labels, other: Labels) -> Labels | None:
    """Return the cells of ONE and of OTHER crossed where they lie in the same numbers; None where they are too many."""
    shared = sorted(one.keys() & other.keys())
    first = len(one[shared[0]])
    both = np.stack([np.concatenate((one[name], other[name])) for name in shared])
    same = np.unique(both, axis=1, return_inverse=True)[1].ravel()
    left, right = same[:first], same[first:]
    count = np.bincount(left, minlength=same.max() + 1) @ np.bincount(right, minlength=same.max() + 1)
    if count > MOST_OF_A_GRID:
        return None
    order = np.argsort(right, kind="stable")
    begins, ends = (np.searchsorted(right[order], left, side) for side in ("left", "right"))
    rows = np.repeat(np.arange(first), ends - begins)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(ends - begins) - (ends - begins), ends - begins)
    columns = order[np.repeat(begins, ends - begins) + offsets]
    return {name: label[columns] for name, label in other.items()} | {name: label[rows] for name, label in one.items()}
