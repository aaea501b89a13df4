"""Tables whose numbers are part of several sums: weighted least squares, then whole numbers.

Each table divides the finest numbers into blocks. Their estimates are found step by step: what all tables still say of
each is computed in whole numbers of 2^-100, and the step that it asks for, with floats, by conjugate gradients. No
matrix is formed, and no estimate is further than 2^-80 from that of least squares.
"""

import math
from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from secrets import randbelow
from typing import Any, NamedTuple, TypeVar

from signed_plan import WrongPlanError

FINE = 1 << 100  # estimates are whole numbers of its inverse
CLOSE = 1 << 16  # of these: a step below it is the last
MOST_STEPS = 2_000
NEAR = 1e-14  # of a squared length: so much of what is missed, squared, may stay in one step

Number = TypeVar("Number", int, float)
Blocks = tuple[int, ...]  # in which block each of the finest numbers lies


class Seen(NamedTuple):
    """The blocks of a table, the number of each, and 1 / variance of their noise; None: they are exact."""

    blocks: Blocks
    numbers: list[int]
    precision: Fraction | None


def in_order(labels: Iterable[int]) -> Blocks:
    """Return LABELS as blocks, counted from 0 in the order of the first."""
    known: dict[int, int] = {}
    return tuple(known.setdefault(label, len(known)) for label in labels)


def finer(one: Blocks, other: Blocks) -> bool:
    """Return whether each block of ONE lies in a block of OTHER."""
    return len(set(zip(one, other, strict=True))) == max(one) + 1


def crossed_estimates(tables: list[Seen]) -> list[Fraction]:
    """Return the estimates of the finest numbers of TABLES; all other numbers are their sums."""
    noisy, exact = ([table for table in tables if (table.precision is None) == known] for known in (False, True))
    exact.sort(key=lambda table: max(table.blocks))
    unit = math.lcm(*(table.precision.denominator for table in noisy if table.precision is not None))
    weights = [int((table.precision or 0) * unit) for table in noisy]
    largest = max(weights, default=1)
    floats = [(table.blocks, weight / largest) for table, weight in zip(noisy, weights, strict=True)]
    found = [0] * len(tables[0].blocks)  # of 2^-100
    for _ in range(MOST_STEPS):
        fitted = to_exact(found, exact)
        missed = [0] * len(found)
        for table, weight in zip(noisy, weights, strict=True):
            rest = [weight * (FINE * n - s) for n, s in zip(table.numbers, summed(found, table.blocks), strict=True)]
            for cell, block in enumerate(table.blocks):
                missed[cell] += rest[block]
        kept = [table.blocks for table in exact]
        step = solved(floats, kept, [one / (largest * FINE) for one in beside(missed, kept)])
        moved = [int(one * FINE) for one in step]
        found = [one + more for one, more in zip(found, moved, strict=True)]
        if fitted and max(map(abs, moved)) < CLOSE:
            to_exact(found, exact)
            return [Fraction(one, FINE) for one in found]
    raise WrongPlanError("no least squares were found for tables that cross: their noise differs too much")


def to_exact(found: list[int], exact: list[Seen]) -> bool:
    """Move what is FOUND so that it adds up to the numbers of EXACT tables; return whether it nearly did before."""
    first = None
    for _ in range(MOST_STEPS):
        moved = 0
        for table in exact:
            sizes = Counter(table.blocks)
            lacking = [FINE * n - s for n, s in zip(table.numbers, summed(found, table.blocks), strict=True)]
            moved = max(moved, *map(abs, lacking))
            more = [divmod(one, sizes[block]) for block, one in enumerate(lacking)]
            left = [rest for _, rest in more]  # so many of a block get one more
            for cell, block in enumerate(table.blocks):
                found[cell] += more[block][0] + (left[block] > 0)
                left[block] -= 1
        first = moved if first is None else first
        if len(exact) < 2 or moved <= len(found):
            break
    return first is None or first < CLOSE


def solved(tables: list[tuple[Blocks, float]], exact: list[Blocks], missed: list[float]) -> list[float]:
    """Return about the step that moves the weighted squares by what is MISSED, along what EXACT blocks leave."""
    rest = beside(missed, exact)
    step, way = [0.0] * len(rest), rest
    size = first = dot(rest, rest)
    for _ in range(MOST_STEPS):
        if size <= first * NEAR:
            break
        turned = [0.0] * len(way)
        for blocks, weight in tables:
            sums = [weight * one for one in summed(way, blocks)]
            for cell, block in enumerate(blocks):
                turned[cell] += sums[block]
        turned = beside(turned, exact)
        curved = dot(way, turned)
        if curved <= 0.0:
            break
        length = size / curved
        step = [one + length * other for one, other in zip(step, way, strict=True)]
        rest = [one - length * other for one, other in zip(rest, turned, strict=True)]
        size, before = dot(rest, rest), size
        way = [one + size / before * other for one, other in zip(rest, way, strict=True)]
    return step


def beside(values: list[Number], exact: list[Blocks]) -> list[Number]:
    """Return of VALUES what adds up to 0 in each of the EXACT blocks; taken out again and again where these cross."""
    found: list[Any] = values
    largest = max(map(abs, found))
    for _ in range(MOST_STEPS):
        moved: Any = 0
        for blocks in exact:
            sizes = Counter(blocks)
            sums = enumerate(summed(found, blocks))
            means = [one // sizes[at] if isinstance(one, int) else one / sizes[at] for at, one in sums]
            moved = max(moved, *map(abs, means))
            found = [one - means[block] for one, block in zip(found, blocks, strict=True)]
        if len(exact) < 2 or moved * 2**50 <= largest:
            break
    return found


def dot(one: list[float], other: list[float]) -> float:
    """Return the sum of the products of ONE with OTHER."""
    return sum(map(float.__mul__, one, other))


def summed(values: list[Number], blocks: Blocks) -> list[Number]:
    """Return the sum of VALUES in each of BLOCKS."""
    sums: list[Any] = [0] * (max(blocks) + 1)
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
