"""Tables whose numbers are part of several sums: weighted least squares in fractions, then whole numbers.

Each table divides the finest numbers into blocks. Where any two of them cross evenly, the projections onto what is
constant within their blocks commute, and the estimate is a sum over differences within the blocks of each table, or of
what two have in common, each with a weight of its own. No matrix is inverted.
"""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from itertools import combinations
from secrets import randbelow
from typing import NamedTuple

from signed_plan import WrongPlanError

Blocks = tuple[int, ...]  # in which block each of the finest numbers lies


class Seen(NamedTuple):
    """The blocks of a table, the number of each, and 1 / variance of their noise; None: they are exact."""

    blocks: Blocks
    numbers: list[int]
    precision: Fraction | None


class Lattice(NamedTuple):
    """All divisions of the finest numbers that tables make or have in common, the coarsest first.

    sizes: of a block of each; parts: how often the mean over blocks of each enters the differences within each.
    """

    divisions: list[Blocks]
    sizes: list[int]
    parts: list[dict[int, int]]


def in_order(labels: Iterable[int]) -> Blocks:
    """Return LABELS as blocks, counted from 0 in the order of the first."""
    known: dict[int, int] = {}
    return tuple(known.setdefault(label, len(known)) for label in labels)


def common(one: Blocks, other: Blocks) -> Blocks:
    """Return the finest division of which ONE and OTHER are both divisions."""
    above = list(range(max(one) + 1))

    def top(block: int) -> int:
        while above[block] != block:
            above[block] = above[above[block]]
            block = above[block]
        return block

    first: dict[int, int] = {}
    for block, beside in zip(one, other, strict=True):
        above[top(block)] = top(first.setdefault(beside, block))
    return in_order(map(top, one))


def finer(one: Blocks, other: Blocks) -> bool:
    """Return whether each block of ONE lies in a block of OTHER."""
    return len(set(zip(one, other, strict=True))) == max(one) + 1


def lattice_of(tables: list[Blocks]) -> Lattice:
    """Return the lattice that TABLES make; raises WrongPlanError where two of them do not cross evenly."""
    found = {in_order(one) for one in tables}
    waiting = list(found)
    for one in waiting:  # grows while it is read
        for other in list(found):
            both = common(one, other)
            if both not in found:
                found.add(both)
                waiting.append(both)
    divisions = sorted(found, key=max)
    sizes = [len(one) // (max(one) + 1) for one in divisions]
    at = {one: place for place, one in enumerate(divisions)}
    for one in divisions:
        if len(set(Counter(one).values())) > 1:
            raise WrongPlanError("tables that cross do not divide their numbers evenly")
    for one, other in combinations(divisions, 2):
        even = Fraction(sizes[at[one]] * sizes[at[other]], sizes[at[common(one, other)]])
        if set(Counter(zip(one, other, strict=True)).values()) != {even}:
            raise WrongPlanError("tables that cross do not divide each other evenly")
    parts: list[dict[int, int]] = []
    for place, one in enumerate(divisions):
        own = Counter({place: 1})
        for below in range(place):
            if finer(one, divisions[below]):
                own.subtract(parts[below])
        parts.append({name: count for name, count in own.items() if count})
    return Lattice(divisions, sizes, parts)


def crossed_estimates(tables: list[Seen]) -> list[Fraction]:
    """Return the estimates of the finest numbers of TABLES; all other numbers are their sums.

    Differences within a division are those of an exact table that is as fine, or else the weighted mean of those of
    all tables that are.
    """
    lattice = lattice_of([table.blocks for table in tables])
    precisions = [table.precision for table in tables]
    unit = math.lcm(*(one.denominator for one in precisions if one is not None))
    gathered = [0] * len(tables[0].blocks)  # what all noisy tables say of each of the finest numbers
    for table in tables:
        weight = 0 if table.precision is None else int(table.precision * unit)
        for cell, block in enumerate(table.blocks if weight else ()):
            gathered[cell] += weight * table.numbers[block]
    exact = [table for table in tables if table.precision is None]
    sources = [gathered, *([table.numbers[block] for block in table.blocks] for table in exact)]
    factors = [[Fraction(0)] * len(lattice.divisions) for _ in sources]
    for division, parts in zip(lattice.divisions, lattice.parts, strict=True):
        source = next((at for at, table in enumerate(exact, 1) if finer(table.blocks, division)), 0)
        fine = [table for table in (exact[source - 1 : source] if source else tables) if finer(table.blocks, division)]
        told = sum(((table.precision or 1) * size_of(table.blocks) for table in fine), Fraction())
        if not told:
            raise WrongPlanError("nothing tells of the finest numbers of tables that cross")
        for place, count in parts.items():
            factors[source][place] += Fraction(count, lattice.sizes[place]) / (told if source else told * unit)
    whole = math.lcm(*(one.denominator for row in factors for one in row))
    found = [0] * len(gathered)
    for values, row in zip(sources, factors, strict=True):
        for blocks, factor in zip(lattice.divisions, row, strict=True):
            if factor:
                weight = int(factor * whole)
                sums = summed(values, blocks)
                for cell, block in enumerate(blocks):
                    found[cell] += weight * sums[block]
    return [Fraction(one, whole) for one in found]


def size_of(blocks: Blocks) -> int:
    """Return how many of the finest numbers each of the even BLOCKS holds."""
    return len(blocks) // (max(blocks) + 1)


def summed(values: list[int], blocks: Blocks) -> list[int]:
    """Return the sum of VALUES in each of BLOCKS."""
    sums = [0] * (max(blocks) + 1)
    for value, block in zip(values, blocks, strict=True):
        sums[block] += value
    return sums


# ---------------------------------------------------------------- whole numbers

Node = tuple[int, int]  # a division, and a block of it


def two_chains(tables: list[Blocks]) -> tuple[list[Blocks], list[Blocks]]:
    """Return TABLES parted in two chains, each coarser than the next; raises WrongPlanError where that cannot be."""
    divisions = sorted({in_order(one) for one in tables}, key=max)
    chain_of: dict[int, int] = {}
    for first in range(len(divisions)):
        waiting = [] if first in chain_of else [first]
        chain_of.setdefault(first, 0)
        for one in waiting:  # grows while it is read
            for other in range(len(divisions)):
                low, high = sorted((one, other))
                if finer(divisions[high], divisions[low]):
                    continue
                if other not in chain_of:
                    chain_of[other] = 1 - chain_of[one]
                    waiting.append(other)
                elif chain_of[other] == chain_of[one]:
                    raise WrongPlanError("numbers in sums of three kinds cannot be made whole so that all add up")
    chains: tuple[list[Blocks], list[Blocks]] = ([], [])
    for number, division in enumerate(divisions):
        chains[chain_of[number]].append(division)
    return chains


def crossed_whole(tables: list[Blocks], estimated: list[Fraction]) -> list[int]:
    """Return the ESTIMATED finest numbers as floors or ceilings, so that every number of TABLES is one, too.

    Along the two chains the numbers are a flow. Round a circle of numbers that are not whole yet, as much is added as
    is taken away until one is whole; which way round is drawn, so that no number is too high or too low on average.
    """
    unit = math.lcm(*(one.denominator for one in estimated))
    values = [int(one * unit) for one in estimated]
    ends: list[list[Node]] = []
    arcs: list[tuple[Node, Node]] = []
    flow: list[int] = []
    for side, chain in enumerate(two_chains(tables)):
        at = [(-1 - side, 0)] * len(values)
        for number, blocks in enumerate(chain):
            below = [(2 * number + side, block) for block in blocks]
            for pair, value in added((at, below) if side == 0 else (below, at), values):
                arcs.append(pair)
                flow.append(value)
            at = below
        ends.append(at)
    first = len(arcs)
    arcs += [*zip(*ends, strict=True), ((-2, 0), (-1, 0))]
    flow += [*values, sum(values)]
    settle(arcs, flow, unit)
    return [value // unit for value in flow[first:-1]]


def added(ends: tuple[list[Node], list[Node]], values: list[int]) -> list[tuple[tuple[Node, Node], int]]:
    """Return the sum of VALUES between each two ENDS."""
    sums: dict[tuple[Node, Node], int] = {}
    for pair, value in zip(zip(*ends, strict=True), values, strict=True):
        sums[pair] = sums.get(pair, 0) + value
    return list(sums.items())


def settle(arcs: list[tuple[Node, Node]], flow: list[int], unit: int) -> None:
    """Move each FLOW to a whole number of UNIT beside it, such that as much leaves every node as enters it."""
    open_at: dict[Node, set[int]] = {node: set() for pair in arcs for node in pair}
    for arc, pair in enumerate(arcs):
        if flow[arc] % unit:
            for node in pair:
                open_at[node].add(arc)
    for start in range(len(arcs)):
        while flow[start] % unit:
            circle = circle_from(arcs[start][0], arcs, open_at)
            room = [flow[arc] % unit if forwards else unit - flow[arc] % unit for arc, forwards in circle]
            less, more = min(room), min(unit - one for one in room)
            moved = more if randbelow(less + more) < less else -less
            for arc, forwards in circle:
                flow[arc] += moved if forwards else -moved
                if not flow[arc] % unit:
                    for node in arcs[arc]:
                        open_at[node].discard(arc)


def circle_from(start: Node, arcs: list[tuple[Node, Node]], open_at: dict[Node, set[int]]) -> list[tuple[int, bool]]:
    """Return a circle of open arcs that is met from START on, each with whether it is passed forwards."""
    place, steps = {start: 0}, list[tuple[int, bool]]()
    at = start
    while True:
        arc = next(arc for arc in open_at[at] if not steps or arc != steps[-1][0])
        tail, head = arcs[arc]
        steps.append((arc, tail == at))
        at = head if tail == at else tail
        if at in place:
            return steps[place[at] :]
        place[at] = len(steps)
