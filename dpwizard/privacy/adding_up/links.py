"""The structure of linked tables: a tree, an even grid, or cells that are each part of several sums."""

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
from dpwizard.privacy.adding_up.least_budget import merge_equal_numbers
from dpwizard.privacy.adding_up.linked_tables import AddedUp, Blocks, CrossedTables, GridOfTables, TreeOfTables
from dpwizard.privacy.adding_up.tree import MOST_NUMBERS, Tree, information

MOST_PLACES = 64  # the most tables of a grid
MOST_COMPARED = 1_000_000  # the most cells listed to check whether tables cross evenly

Problem = Literal["circle", "children_do_not_fit", "no_tree_and_no_grid", "too_many_cells", "nothing_tells"]


class Link(NamedTuple):
    """A table to which another adds up, by position, and how many children each of its numbers has."""

    parent: int
    children: tuple[int, ...]  # one count for all, or each
    above: Blocks | None = None  # the parent number of each child; None if the counts alone are known


@dataclass(frozen=True)
class Linked:
    """A table: how many numbers it holds, whether they have noise, and the tables it adds up to."""

    numbers: int
    noise: Literal["noisy", "exact", "none"] = "noisy"
    links: tuple[Link, ...] = ()


class Flawed(NamedTuple):
    """Why tables do not add up: the table, by position, and its link."""

    problem: Problem
    table: int
    link: int = 0
    children: int = 0  # the children of its parent, in all


Found = tuple[tuple[tuple[AddedUp, tuple[int, ...]], ...], tuple[Flawed, ...]]
Labels = dict[Any, Any]  # by table: the number that each cell is part of
Links = list[list[Link]]
Places = list[dict[int, int]]  # of each table: its level in each chain, if above 0
Fans = list[list[tuple[int, ...]]]  # of each chain, by level: the number of children of each number above


@lru_cache(maxsize=64)  # a decision changes often, its links rarely
def linked(tables: tuple[Linked, ...]) -> Found:
    """Return the groups of TABLES that are linked together, with their positions, and the flaws of the others.

    A group without noise is left out, if all its numbers are known.
    """
    flaws = [flaw for at, table in enumerate(tables) for flaw in _links_that_do_not_fit(tables, at, table)]
    groups: list[tuple[AddedUp, tuple[int, ...]]] = []
    for group in [] if flaws else _connected_groups(tables):
        tables_of_group = _form_group(tables, group)
        if isinstance(tables_of_group, Flawed):
            flaws.append(tables_of_group)
        elif tables_of_group is not None:
            groups.append((tables_of_group, tuple(group)))
    return tuple(groups), tuple(flaws)


def _links_that_do_not_fit(tables: Sequence[Linked], at: int, table: Linked) -> Iterable[Flawed]:
    for number, (parent, children, _) in enumerate(table.links):
        parents = tables[parent].numbers
        total = children[0] * parents if len(children) == 1 else sum(children)
        if total != table.numbers or (1 < len(children) != parents):
            yield Flawed("children_do_not_fit", at, number, total)


def _connected_groups(tables: Sequence[Linked]) -> Iterable[list[int]]:
    neighbours: dict[int, set[int]] = defaultdict(set)
    for at, table in enumerate(tables):
        for link in table.links:
            neighbours[at].add(link.parent)
            neighbours[link.parent].add(at)
    seen: set[int] = set()
    for first in sorted(neighbours):
        if first in seen:
            continue
        group = [first]
        for at in group:  # grows during the loop
            group.extend(sorted(neighbours[at] - set(group)))
        seen |= set(group)
        yield sorted(group)


def _form_group(tables: Sequence[Linked], group: list[int]) -> AddedUp | Flawed | None:
    positions = {at: position for position, at in enumerate(group)}
    members = [tables[at] for at in group]
    links = [[link._replace(parent=positions[link.parent]) for link in table.links] for table in members]
    order = [at for at, above in enumerate(links) if not above]
    below: dict[int, list[int]] = defaultdict(list)
    for at, above in enumerate(links):
        for link in above:
            below[link.parent].append(at)
    waiting = Counter(at for children in below.values() for at in children)
    for at in order:  # grows during the loop
        for child in below[at]:
            waiting[child] -= 1
            if not waiting[child]:
                order.append(child)
    if len(order) < len(group):
        return Flawed("circle", group[min(set(range(len(group))) - set(order))])
    crossing = [at for at, above in enumerate(links) if len(above) > 1]
    formed = _form_crossed(members, links, order) if crossing else _form_tree(members, links, below, order)
    if isinstance(formed, str):
        return Flawed(formed, group[crossing[0] if crossing else order[-1]])
    unknown = _table_of_unknown_noise(formed, len(members))
    if unknown is not None:
        return Flawed("nothing_tells", group[unknown])
    return formed if "noisy" in formed.noises else None


def _table_of_unknown_noise(formed: AddedUp, count: int) -> int | None:
    """Return a table with a number of unknown noise; None if there is none."""
    if isinstance(formed, CrossedTables) and "noisy" not in formed.noises:
        exact = [at for at, noise in enumerate(formed.noises) if noise == "exact"]
        return next((at for at in range(count) if not any(formed.is_finer(sibling, at) for sibling in exact)), None)
    if not isinstance(formed, TreeOfTables):
        is_finite = np.isfinite(formed.variance_parts(np.ones(count)).sum(axis=1))
        return next((table for table in range(count) if not all(is_finite[at] for at in formed.kinds(table))), None)
    noises = {"noisy": 1.0, "exact": 0.0, "none": None}
    tree = formed.tree
    gathered = information(tree, [noises[formed.noises[table]] for table in formed.table_of])
    for at, parent in enumerate(tree.parents):
        if not math.isinf(gathered.variances[at]):
            continue
        siblings = () if parent is None else tree.partitions[parent][tree.groups[at]]
        follows_from_parent = tree.counts[at] == 1 and not any(
            math.isinf(gathered.variances[sibling]) for sibling in siblings if sibling != at
        )
        if parent is None or not follows_from_parent:
            return formed.table_of[at]
    return None


def _children_of_each(link: Link, members: Sequence[Linked]) -> tuple[int, ...]:
    return link.children * members[link.parent].numbers if len(link.children) == 1 else link.children


def _form_tree(
    members: Sequence[Linked], links: Links, below: dict[int, list[int]], order: list[int]
) -> TreeOfTables | Problem:
    noises = tuple(table.noise for table in members)
    if all(len(set(link.children)) == 1 for above in links for link in above):
        ranks = {table: at for at, table in enumerate(order)}
        counts = [members[at].numbers if not links[at] else links[at][0].children[0] for at in order]
        parents = [ranks[links[at][0].parent] if links[at] else None for at in order]
        partitions = tuple(tuple((ranks[child],) for child in below[at]) for at in order)
        tree = Tree(tuple(range(len(order))), tuple(parents), partitions, tuple(counts))
        return TreeOfTables(noises, tree, tuple(order))
    if sum(table.numbers for table in members) > MOST_NUMBERS:
        return "too_many_cells"
    table_of = [at for at in order for _ in range(members[at].numbers)]
    first = dict(zip(order, itertools.accumulate((members[at].numbers for at in order), initial=0), strict=False))
    above: list[int | None] = [None] * len(table_of)
    groups: list[list[tuple[int, ...]]] = [[] for _ in table_of]
    for at in order:
        for link in links[at]:
            child = first[at]
            for number, count in enumerate(_children_of_each(link, members)):
                parent = first[link.parent] + number
                above[child : child + count] = [parent] * count
                groups[parent].append(tuple(range(child, child + count)))
                child += count
    full_tree = Tree(tuple(range(len(table_of))), tuple(above), tuple(map(tuple, groups)), (1,) * len(table_of))
    tree, sample = merge_equal_numbers(full_tree, [str(at) for at in table_of])
    return TreeOfTables(noises, tree, tuple(table_of[place] for place in sample))


def _form_crossed(members: Sequence[Linked], links: Links, order: list[int]) -> AddedUp | Problem:
    """Return the grid of tables if levels and queries cross evenly, else their cells."""
    noises = tuple(table.noise for table in members)
    blocks = _cells_by_links(members, links, order)
    if isinstance(blocks, str):
        return blocks
    placed = _place_tables(members, links, order)
    if placed is not None and all(len(set(fans)) == 1 for levels in placed[1] for fans in levels):
        grid = _form_grid(noises, *placed)
        if grid is not None and (blocks is None or _crosses_evenly(grid, members[order[0]].numbers, blocks)):
            return grid
    if blocks is None and placed is not None:
        blocks = _cells_by_places(members, links, order, *placed)
    if blocks is None:
        return "no_tree_and_no_grid"
    return DenseTables(noises, blocks) if len(blocks[0]) <= MOST_CELLS else "too_many_cells"


def _form_grid(noises: tuple[str, ...], places: Places, fans: Fans) -> GridOfTables | None:
    chains = tuple(tuple(counts[0] for counts in levels) for levels in fans)
    levels = list(itertools.product(*(range(len(chain) + 1) for chain in chains)))
    if len(levels) > MOST_PLACES:
        return None
    table_at = {tuple(place.get(chain, 0) for chain in range(len(fans))): at for at, place in enumerate(places)}
    return GridOfTables(noises, chains, tuple(table_at.get(level) for level in levels))


def _crosses_evenly(grid: GridOfTables, roots: int, blocks: tuple[Blocks, ...]) -> bool:
    """Return whether any two crossing numbers of two tables have the same number of cells in common."""
    labels = [np.array(block) for block in blocks]
    for table, other in itertools.combinations(range(len(labels)), 2):
        counts = np.unique(labels[table] * (labels[other].max() + 1) + labels[other], return_counts=True)[1]
        if len(set(counts.tolist())) > 1 or len(counts) != roots * grid.crossed_numbers(table, other):
            return False
    return True


def _place_tables(members: Sequence[Linked], links: Links, order: list[int]) -> tuple[Places, Fans] | None:
    """Return the levels of each table in the chains, and how these divide; None if that is ambiguous."""
    if sum(not above for above in links) > 1:
        return None
    places: Places = [{} for _ in members]
    fans: Fans = []
    for at in order:
        above = [(places[link.parent], _children_of_each(link, members)) for link in links[at]]
        place = _place_below(above, fans)
        if place is None or place in [places[earlier] for earlier in order[: order.index(at)]]:
            return None
        places[at] = place
    return places, fans


def _place_below(above: list[tuple[dict[int, int], tuple[int, ...]]], fans: Fans) -> dict[int, int] | None:
    """Return the levels of a table that adds up to those ABOVE, by place and children; FANS may grow."""
    if not above:
        return {}
    if len(above) == 1:
        place, children = above[0]
        if len(place) > 1:
            return None
        chain, level = next(iter(place.items())) if place else (len(fans), 0)
        if chain == len(fans):
            fans.append([])
        if level != len(fans[chain]):
            return None
        fans[chain].append(children)
        return {chain: level + 1}
    place = {}
    for parent, _ in above:
        place |= {chain: max(level, place.get(chain, 0)) for chain, level in parent.items()}
    steps = set()
    for parent, _ in above:
        lower = [chain for chain, level in place.items() if parent.get(chain, 0) != level]
        if len(lower) != 1 or parent.get(lower[0], 0) != place[lower[0]] - 1:
            return None
        steps.add(lower[0])
    return place if len(steps) == len(above) == len(place) else None


def _cells_by_places(
    members: Sequence[Linked], links: Links, order: list[int], places: Places, fans: Fans
) -> tuple[Blocks, ...] | None:
    """Return the cells if every level of a chain crosses every level of the others; None if counts differ."""
    cells: Labels = {(): np.arange(members[order[0]].numbers)}
    for chain, levels in enumerate(fans):
        labels: list[Any] = [np.arange(members[order[0]].numbers)]
        for children in levels:
            inside = np.repeat(np.arange(len(children)), children)
            labels = [label[inside] for label in labels] + [np.arange(len(inside))]
        by_level: Labels = {(chain, level): label for level, label in enumerate(labels[1:], 1)}
        crossed = _cross_cells(cells, by_level | {(): labels[0]})
        if crossed is None:
            return None
        cells = crossed
    blocks: list[Blocks] = []
    for place in places:
        stacked = np.stack([cells[()], *(cells[level] for level in sorted(place.items()))])
        blocks.append(tuple(np.unique(stacked, axis=1, return_inverse=True)[1].ravel().tolist()))
    for at, above in enumerate(links):
        parents = [dict(zip(blocks[at], blocks[link.parent], strict=True)) for link in above]
        counts = [sorted(Counter(parent.values()).values()) for parent in parents]
        if counts != [sorted(_children_of_each(link, members)) for link in above]:
            return None
    return tuple(blocks)


def _cells_by_links(members: Sequence[Linked], links: Links, order: list[int]) -> tuple[Blocks, ...] | Problem | None:
    """Return the cells by links with known parents of each number; None if unknown, a Problem if they contradict.

    Of tables with the same parents, every number may cross every other with the same parent numbers.
    """
    parents = {link.parent for above in links for link in above}
    waiting: list[Labels] = []
    for leaf in (at for at in order if at not in parents):
        labels = _numbers_above(leaf, members, links, order)
        if not isinstance(labels, dict):
            return labels
        waiting.append(labels)
    cells = waiting.pop(0)
    while waiting:
        linked_labels = next(labels_of_leaf for labels_of_leaf in waiting if labels_of_leaf.keys() & cells.keys())
        waiting = [labels_of_leaf for labels_of_leaf in waiting if labels_of_leaf is not linked_labels]
        crossed = _cross_cells(cells, linked_labels)
        if crossed is None:
            return None
        cells = crossed
    if any(len(np.unique(cells[at])) < table.numbers for at, table in enumerate(members)):
        return "no_tree_and_no_grid"  # a number without a cell
    return tuple(tuple(cells[at].tolist()) for at in range(len(members)))


def _numbers_above(leaf: int, members: Sequence[Linked], links: Links, order: list[int]) -> Labels | Problem | None:
    """Return, for each table above, the number that each number of the table LEAF is part of."""
    labels: Labels = {leaf: np.arange(members[leaf].numbers)}
    for at in reversed(order):
        for link in links[at] if at in labels else ():
            above = (0,) * members[at].numbers if members[link.parent].numbers == 1 else link.above
            if above is None:
                return None
            label = np.array(above)[labels[at]]
            if not np.array_equal(labels.setdefault(link.parent, label), label):
                return "no_tree_and_no_grid"
    return labels


def _cross_cells(cells: Labels, other: Labels) -> Labels | None:
    """Return the CELLS crossed with those of OTHER within the same numbers; None for too many."""
    shared = sorted(cells.keys() & other.keys())
    first = len(cells[shared[0]])
    together = np.stack([np.concatenate((cells[at], other[at])) for at in shared])
    common = np.unique(together, axis=1, return_inverse=True)[1].ravel()
    left, right = common[:first], common[first:]
    count = np.bincount(left, minlength=common.max() + 1) @ np.bincount(right, minlength=common.max() + 1)
    if count > MOST_COMPARED:
        return None
    order = np.argsort(right, kind="stable")
    starts, ends = (np.searchsorted(right[order], left, side) for side in ("left", "right"))
    rows = np.repeat(np.arange(first), ends - starts)
    offsets = np.arange(len(rows)) - np.repeat(np.cumsum(ends - starts) - (ends - starts), ends - starts)
    columns = order[np.repeat(starts, ends - starts) + offsets]
    return {at: label[columns] for at, label in other.items()} | {at: label[rows] for at, label in cells.items()}
