"""Tables that were signed to add up: weighted least squares in fractions, then whole numbers of which all add up."""

import itertools
import math
from collections import defaultdict
from fractions import Fraction
from secrets import randbelow

from crossed_sums import Blocks, Seen, crossed_estimates, crossed_whole, summed
from signed_plan import MOST_CELLS, Plan, Table, Total, WrongPlanError, class_in, source_of

Cell = tuple[str, ...]
Node = tuple[str, Cell]  # a number: the name of its table or total, and its cell


def cells_of(plan: Plan, table: Table | Total) -> list[Cell]:
    """Return the cells of TABLE by the public lists, empty ones too."""
    return list(itertools.product(*(plan.columns[name].classes or () for name in table.reads)))


def variance_of(table: Table | Total) -> Fraction:
    """Return the variance by which numbers of TABLE are weighed: sigma^2, or 2 b^2 of geometric noise; 0 if exact."""
    if isinstance(table, Total):
        return Fraction()
    if table.noise == "discrete_gaussian":
        return table.distance / (2 * table.budget)
    return 2 * (table.distance / table.budget) ** 2


def cell_above(plan: Plan, table: Table | Total, cell: Cell, parent: Table | Total) -> Cell:
    """Return the cell of PARENT in which CELL of TABLE lies."""
    known = dict(zip(table.reads, cell, strict=True))
    return tuple(class_in(plan.columns, name, known) for name in parent.reads)


def linked(plan: Plan) -> list[list[Table | Total]]:
    """Return the tables that add up to one another, together; first those that are no sum of others."""
    tables = {table.name: table for table in plan.every}
    found: list[list[Table | Total]] = []
    seen: set[str] = set()
    for first in tables:
        group = [] if first in seen else [first]
        for name in group:  # grows while it is read
            beside = [*plan.sums.get(name, ()), *(child for child, above in plan.sums.items() if name in above)]
            group += [other for other in dict.fromkeys(beside) if other not in group]
        seen |= set(group)
        found += [[tables[name] for name in group]] if group else []
    return found


def crosses(plan: Plan, group: list[Table | Total]) -> bool:
    """Return whether numbers of GROUP are part of several sums."""
    return any(len(plan.sums.get(table.name, ())) > 1 for table in group)


def finest_of(plan: Plan, group: list[Table | Total]) -> list[str]:
    """Return the attributes by which all tables of GROUP are found: those that follow from others are left out."""
    first = sorted(group, key=lambda table: -len(cells_of(plan, table)))
    found = list(dict.fromkeys(name for table in first for name in table.reads))
    for name in reversed(found):
        source = source_of(name, plan.columns)
        while source is not None and source not in found:
            source = source_of(source, plan.columns)
        if source is not None:
            found = [one for one in found if one != name]
    return found


def blocks_of(plan: Plan, group: list[Table | Total]) -> dict[str, Blocks]:
    """Return in which cell of each table of GROUP each of the finest cells lies; no table need have these."""
    finest = finest_of(plan, group)
    classes = [plan.columns[name].classes or () for name in finest]
    if math.prod(map(len, classes)) > MOST_CELLS:
        raise WrongPlanError(f"tables that cross have more than {MOST_CELLS:,} cells")
    every = [dict(zip(finest, cell, strict=True)) for cell in itertools.product(*classes)]
    found = {}
    for table in group:
        places = {cell: at for at, cell in enumerate(cells_of(plan, table))}
        found[table.name] = tuple(
            places[tuple(class_in(plan.columns, name, known) for name in table.reads)] for known in every
        )
        if set(found[table.name]) != set(places.values()):
            raise WrongPlanError(f"table {table.name!r}: it has cells that no others add up to")
    return found


def require_fitted(plan: Plan) -> None:
    """Raise WrongPlanError where tables cannot be made to add up: as numbers without meaning show."""
    told = [table.name for table in plan.read]
    for group in linked(plan) if plan.sums else ():
        if not crosses(plan, group):
            of_tree(plan, group, {one.name: [0 for _ in cells_of(plan, one)] for one in group if one.name in told})
            continue
        divided = blocks_of(plan, group)
        numbers = [at * at % 97 for at in range(max(map(len, divided.values())))]
        sums = {name: summed(numbers, blocks) for name, blocks in divided.items()}
        noisy = {
            table.name: [one + at % 3 for at, one in enumerate(sums[table.name])]
            for table in plan.tables
            if table.name in sums
        }
        crossed(plan, group, {one.name: sums[one.name] for one in plan.exact if one.name in sums} | noisy)


def made_to_add_up(plan: Plan, noisy: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the published numbers of all tables and totals, from the NOISY or exact ones of the tables."""
    if not plan.sums:
        return noisy
    found: dict[str, list[int]] = {}
    for group in linked(plan):
        found |= (crossed if crosses(plan, group) else of_tree)(plan, group, noisy)
    return {table.name: found[table.name] for table in plan.every}


def crossed(plan: Plan, group: list[Table | Total], noisy: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the published numbers of a GROUP in which numbers are part of several sums."""
    divided = blocks_of(plan, group)
    told = [(table, variance_of(table)) for table in group if table.name in noisy]
    seen = [Seen(divided[one.name], noisy[one.name], 1 / variance if variance else None) for one, variance in told]
    whole = crossed_whole(list(divided.values()), crossed_estimates(seen))
    return {name: summed(whole, blocks) for name, blocks in divided.items()}


def of_tree(plan: Plan, group: list[Table | Total], noisy: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return the published numbers of a GROUP in which each number is part of one sum at most.

    From below, what a number and all below it tell of it is gathered; from above, what its group misses its sum by is
    handed down. Then each number becomes its floor or its ceiling, from the sums down, the largest remainders first
    and ties at random, so that all still add up.
    """
    tables = {table.name: table for table in group}
    cells = {name: cells_of(plan, table) for name, table in tables.items()}
    children: dict[Node, dict[str, list[Node]]] = defaultdict(lambda: defaultdict(list))
    for child in tables:
        for parent in plan.sums.get(child, ()):
            for cell in cells[child]:
                above = cell_above(plan, tables[child], cell, tables[parent])
                children[parent, above][child].append((child, cell))
    own: dict[Node, tuple[Fraction, int]] = {}
    for name in tables:
        for cell, number in zip(cells[name], noisy.get(name, ()), strict=name in noisy):
            own[name, cell] = (variance_of(tables[name]), number)
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
        told[node] = next(((Fraction(), Fraction(value)) for variance, value in found if not variance), None)
        if found and told[node] is None:
            precision = sum((1 / variance for variance, _ in found), Fraction())
            told[node] = (1 / precision, sum((value / variance for variance, value in found), Fraction()) / precision)
    result: dict[Node, Fraction] = {}
    for node in order:
        if node not in result:
            alone = told[node]
            if alone is None:
                raise WrongPlanError(f"nothing tells of the numbers of {node[0]!r}")
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
                    share = one[0] / together[0] if together is not None and together[0] else Fraction()
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
