"""Tables that were signed to add up: weighted least squares in fractions, then whole numbers of which all add up."""

import itertools
import math
from collections import defaultdict
from fractions import Fraction
from secrets import randbelow

from signed_plan import Plan, Table, Total, class_in

Cell = tuple[str, ...]
Node = tuple[str, Cell]  # a number: the name of its table or total, and its cell


def cells_of(plan: Plan, table: Table | Total) -> list[Cell]:
    """Return the cells of TABLE by the public lists, empty ones too."""
    return list(itertools.product(*(plan.columns[name].classes or () for name in table.reads)))


def variance_of(table: Table) -> Fraction:
    """Return the variance by which numbers of TABLE are weighed: sigma^2, or 2 b^2 of geometric noise."""
    if table.noise == "discrete_gaussian":
        return table.distance / (2 * table.budget)
    return 2 * (table.distance / table.budget) ** 2


def made_to_add_up(plan: Plan, noisy: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the published numbers of all tables and totals, from the NOISY ones of the tables.

    From below, what a number and all below it tell of it is gathered; from above, what its group misses its sum by is
    handed down. Then each number becomes its floor or its ceiling, from the sums down, the largest remainders first
    and ties at random, so that all still add up.
    """
    if not plan.sums:
        return noisy
    tables = {table.name: table for table in plan.every}
    cells = {name: cells_of(plan, table) for name, table in tables.items()}
    children: dict[Node, dict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
    for child, parent in plan.sums.items():
        for cell in cells[child]:
            above = tuple(
                class_in(plan.columns, name, dict(zip(tables[child].reads, cell, strict=True)))
                for name in tables[parent].reads
            )
            children[parent, above][child].append((child, cell))
    own: dict[Node, tuple[Fraction, int]] = {}
    for table in plan.tables:
        own |= {
            (table.name, cell): (variance_of(table), number)
            for cell, number in zip(cells[table.name], noisy[table.name], strict=True)
        }
    order = [(name, cell) for name in tables if name not in plan.sums for cell in cells[name]]
    for node in order:  # grows while it is read
        order += [child for group in children[node].values() for child in group]
    whole = made_whole(order, children, estimates(order, children, own))
    return {name: [whole[name, cell] for cell in cells[name]] for name in tables}


def estimates(
    order: list[Node], children: dict[Node, dict[str, list[Node]]], own: dict[Node, tuple[Fraction, int]]
) -> dict[Node, Fraction]:
    """Return the estimate of each number, in ORDER from the sums down; OWN variance and noisy number of each."""
    told: dict[Node, tuple[Fraction, Fraction] | None] = {}
    groups: dict[tuple[Node, str], tuple[Fraction, Fraction] | None] = {}
    for node in reversed(order):
        found: list[tuple[Fraction, Fraction | int]] = [own[node]] if node in own else []
        for name, group in children[node].items():
            each = [told[child] for child in group]
            known = [one for one in each if one is not None]
            together = None
            if len(known) == len(each):
                together = (sum((u for u, _ in known), Fraction()), sum((z for _, z in known), Fraction()))
                found.append(together)
            groups[node, name] = together
        precision = sum((1 / variance for variance, _ in found), Fraction())
        told[node] = None
        if found:
            told[node] = (1 / precision, sum((value / variance for variance, value in found), Fraction()) / precision)
    result: dict[Node, Fraction] = {}
    for node in order:
        if node not in result:
            alone = told[node]
            assert alone is not None  # the plan was signed with a noise for every number
            result[node] = alone[1]
        for name, group in children[node].items():
            together = groups[node, name]
            missing = [child for child in group if told[child] is None]
            rest = sum((one[1] for child in group if (one := told[child]) is not None), Fraction())
            for child in group:
                one = told[child]
                if one is None:
                    result[child] = (result[node] - rest) / len(missing)
                else:
                    share = one[0] / together[0] if together is not None else Fraction()
                    result[child] = one[1] + share * (result[node] - rest)
    return result


def made_whole(
    order: list[Node], children: dict[Node, dict[str, list[Node]]], estimated: dict[Node, Fraction]
) -> dict[Node, int]:
    """Return each of the ESTIMATED numbers as its floor or its ceiling, so that all add up."""
    whole: dict[Node, int] = {}
    for node in order:
        if node not in whole:  # a number that is part of no sum: to the nearest
            low = math.floor(estimated[node])
            remainder = estimated[node] - low
            whole[node] = low + (remainder > Fraction(1, 2) or (remainder == Fraction(1, 2) and randbelow(2) == 1))
        for group in children[node].values():
            lows = {child: math.floor(estimated[child]) for child in group}
            drawn = {child: randbelow(2**64) for child in group}
            raised = sorted(group, key=lambda child: (lows[child] - estimated[child], drawn[child]))
            more = whole[node] - sum(lows.values())
            whole |= {child: lows[child] + (at < more) for at, child in enumerate(raised)}
    return whole
