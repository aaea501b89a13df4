"""The least Gaussian budget with which numbers that are adjusted to add up meet their accuracy requirements.

In the precisions w = 1/s^2 of the tables every variance after adding up is convex, and the budget is linear: a table of
sensitivity D with T releases costs T D^2 w / 2. Scaling w by the worst ratio meets all requirements. For any w and
multipliers m >= 0 of requirements scaled to 1, every budget that meets them is at least theta (sum m V)^2 / sum m, with
theta the least of cost_t / sum m |dV/dw_t|: a lower bound on the budget. Proof: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from pydantic import Field, model_validator

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import down, up
from dpwizard.base.values import Count, OpenProbability, Positive, ShortText, Value, field, public
from dpwizard.privacy.adding_up.tree import MOST_NUMBERS, Place, Tree, information, published_variances, tree_of

Variances = tuple[Any, Any]  # each variance divided by its limit, and the derivatives by each table's precision
FLOOR = 1e-11  # the least share of a table in the sum of all precisions, so that every variance is finite
ROUND = 8_192  # units in the last place, above the rounding error of differences of variances
CLOSE = 1e-7  # relative distance to the proved bound at which the search ends


class TableNumber(Place):
    """A number of a tree and the table in which it is published."""

    table: ShortText | None = field("Table; null: not published", default=None)


class GaussianTable(Value):
    """A table whose numbers all have Gaussian noise of one scale."""

    name: ShortText = field("Name", default=...)
    sensitivity: Positive = field("Sensitivity, in L2", default=1.0)
    times: Count = field("How often the table is made", default=1)


class TableNeed(Value):
    """An accuracy requirement on each published number of a table."""

    table: ShortText = field("Table", default=...)
    rmse: Positive | None = field("Largest root-mean-square error")
    half_width: Positive | None = field("Half-width that contains the noise with this chance")
    level: OpenProbability | None = field("Level of the half-width")

    @model_validator(mode="after")
    def _check_one_is_stated(self) -> TableNeed:
        if (self.rmse is None) is (self.half_width is None):
            raise InvalidInput("must be stated, or half_width, and not both", "rmse", "State one of the two.")
        if (self.half_width is None) is not (self.level is None):
            raise InvalidInput("goes with a half_width, and it with a level", "level", "State both, or an rmse.")
        return self

    @property
    def variance(self) -> float:
        """Return the largest variance that meets the requirement; rounded down."""
        if self.rmse is not None:
            return self.rmse**2 * (1.0 - 1e-15)
        from scipy.special import erfinv  # 0.1 s to import

        width = math.sqrt(2.0) * float(erfinv(self.level or 0.0))
        return ((self.half_width or 0.0) / width) ** 2 * (1.0 - 1e-14)


class LeastBudget(Value):
    """The least budget of tables that are adjusted to add up."""

    rho: tuple[float, ...] = field("Rho of each table, in their order", default=...)
    total: float = field("Their sum", default=...)
    lower: float = field("No budget below this meets the accuracy requirements", default=...)


@dataclass(frozen=True)
class Precisions:
    """The cost of each table at the precisions found, their sum, and a lower bound on any such sum."""

    costs: tuple[float, ...]
    total: float
    lower: float
    prices: tuple[float, ...] = ()  # shares of the bound: a limit of variance raised by 1 % saves 1 % of its share


@public
def least_rho(
    *,
    nodes: Annotated[tuple[TableNumber, ...], Field(min_length=1, max_length=MOST_NUMBERS)],
    tables: Annotated[tuple[GaussianTable, ...], Field(min_length=1, max_length=200)],
    needs: Annotated[tuple[TableNeed, ...], Field(min_length=1, max_length=2_000)],
) -> LeastBudget:
    """Return the least rho of Gaussian noise with which published numbers, adjusted to add up, meet their requirements.

    Arguments: nodes as of adding_up, each with the table in which it is published (null: in none); tables, each with
    its sensitivity (L2) and times, the number of releases; needs, each of all numbers of a table: rmse, or half_width
    and level. Returns rho of each table and their total, **never below the true one**, and lower, a lower bound on
    every budget that meets the requirements (a dual bound). Raises InvalidInput, and Infeasible for a number without
    information. Source: docs/methods/adding_up.md.
    """
    positions = _table_positions(nodes, tables, needs)
    cost = np.array([table.times * table.sensitivity**2 / 2.0 for table in tables])
    limits: dict[int, float] = {}
    for need in needs:
        limits[positions[need.table]] = min(need.variance, limits.get(positions[need.table], math.inf))
    full_tree = tree_of(nodes)
    tree, sample = merge_equal_numbers(full_tree, [node.table for node in nodes])
    table_of = [None if (table := nodes[node].table) is None else positions[table] for node in sample]
    published_variances(full_tree, [None if node.table is None else 1.0 for node in nodes])
    limited = [place for place, table in enumerate(table_of) if table in limits]
    limit = np.array([limits[table_of[place] or 0] for place in limited])

    def variances_at(precisions: Any) -> Variances:
        parts = variances_by_table(tree, table_of, precisions)[limited] / limit[:, None]
        return parts.sum(axis=1), -parts / precisions

    least = least_precisions(variances_at, cost)
    return LeastBudget(rho=least.costs, total=least.total, lower=least.lower)


def _table_positions(
    nodes: Sequence[TableNumber], tables: Sequence[GaussianTable], needs: Sequence[TableNeed]
) -> dict[str, int]:
    """Return the position of each table; raises InvalidInput for a table unknown, unused, or given twice."""
    positions: dict[str, int] = {}
    for at, table in enumerate(tables):
        if table.name in positions:
            raise InvalidInput("is given twice", f"tables[{at}].name", "Give each table a name of its own.")
        positions[table.name] = at
    references = [(f"nodes[{at}].table", node.table) for at, node in enumerate(nodes) if node.table is not None]
    references += [(f"needs[{at}].table", need.table) for at, need in enumerate(needs)]
    for where, name in references:
        if name not in positions:
            raise InvalidInput(message('no table has the name "{name}"', name=name), where, "Name one of tables.")
    published = {node.table for node in nodes}
    for at, table in enumerate(tables):
        if table.name not in published:
            raise InvalidInput("publishes no number", f"tables[{at}].name", "Leave it out, or name it in nodes.")
    return positions


def merge_equal_numbers(tree: Tree, labels: Sequence[str | None]) -> tuple[Tree, tuple[int, ...]]:
    """Return TREE with one number in place of all equal ones, and the position of each in TREE.

    Numbers are equal if they have the same label, equal groups below them, and equal parents.
    """
    numbered: dict[Any, int] = {}
    shapes = [0] * len(labels)
    for at in reversed(tree.order):
        groups = sorted(tuple(sorted(shapes[child] for child in group)) for group in tree.partitions[at])
        shapes[at] = numbered.setdefault((labels[at], tuple(groups)), len(numbered))
    sample: list[int] = []
    parents: list[int | None] = []
    counts: list[int] = []
    partitions: list[tuple[tuple[int, ...], ...]] = []

    def add_one_of_each(members: Sequence[int], parent: int | None) -> tuple[int, ...]:
        by_shape: dict[int, list[int]] = {}
        for member in members:
            by_shape.setdefault(shapes[member], []).append(member)
        places = []
        for equal in by_shape.values():
            places.append(len(sample))
            sample.append(equal[0])
            parents.append(parent)
            counts.append(len(equal))
            partitions.append(())
        return tuple(places)

    add_one_of_each([at for at in tree.order if tree.parents[at] is None], None)
    at = 0
    while at < len(sample):
        partitions[at] = tuple(add_one_of_each(group, at) for group in tree.partitions[sample[at]])
        at += 1
    return Tree(tuple(range(len(sample))), tuple(parents), tuple(partitions), tuple(counts)), tuple(sample)


def variances_by_table(
    tree: Tree, table_of: Sequence[int | None], precisions: Any, exact: Sequence[bool] | None = None
) -> Any:
    """Return the part of each table in the variance of each published number; EXACT numbers have none.

    The parts of z (the estimate from a number and all below it) add up from below. A published child is z + k (x - Z)
    with k = U/S; its parent x contains Z, the sum of its group, with weight b, and the rest comes from other tables.
    """
    variances = [None if table is None else 1.0 / precisions[table] for table in table_of]
    if exact is not None:
        variances = [0.0 if is_exact else each for is_exact, each in zip(exact, variances, strict=True)]
    gathered = information(tree, variances)
    groups = tree.groups
    parts_of_z = np.zeros((len(table_of), len(precisions)))  # parts of the variance of z
    for at in reversed(tree.order):
        total, table = float(gathered.variances[at]), table_of[at]
        if math.isinf(total):
            continue
        if table is not None:
            parts_of_z[at, table] += total**2 * precisions[table]
        for sum_of_group, group in zip(gathered.sums[at], tree.partitions[at], strict=True):
            if sum_of_group and not math.isinf(sum_of_group):
                parts_of_z[at] += (total / float(sum_of_group)) ** 2 * _sum_over_group(tree, parts_of_z, group)
    parts = parts_of_z.copy()
    weight = np.ones(len(table_of))  # the weight of z in the published number
    for at in tree.order:
        parent = tree.parents[at]
        if parent is None:
            continue
        group = tree.partitions[parent][groups[at]]
        share = float(gathered.share(at, parent, groups[at]))
        total, sum_of_group = float(gathered.variances[parent]), float(gathered.sums[parent][groups[at]])
        unknown = not sum_of_group or math.isinf(sum_of_group) or math.isinf(total)
        taken_in = 0.0 if unknown else weight[parent] * total / sum_of_group
        together = _sum_over_group(tree, parts_of_z, group)
        parts_of_others = together - parts_of_z[at]
        weight[at] = 1.0 + share * (taken_in - 1.0)
        parts[at] = (
            weight[at] ** 2 * parts_of_z[at]
            + (share * (taken_in - 1.0)) ** 2 * parts_of_others
            + share**2 * (parts[parent] - taken_in**2 * together)
        )
    return np.maximum(parts, 0.0)


def _sum_over_group(tree: Tree, parts: Any, group: Sequence[int]) -> Any:
    return sum(tree.counts[child] * parts[child] for child in group)


def least_precisions(variances_at: Callable[[Any], Variances], cost: Any) -> Precisions:
    """Return the least cost of precisions with which no variance of VARIANCES_AT is above 1.

    Arguments: variances_at, from precisions to variances by their limits and their derivatives, of degree -1; cost, of
    each table's precision. **Limits are met; the lower bound holds whatever the search does.**
    """
    start = np.ones(len(cost))
    start *= variances_at(start)[0].max()
    best: Precisions | None = None
    for begin in (start, start * np.linspace(1.0, 0.1, len(cost)), start * np.linspace(0.1, 1.0, len(cost))):
        candidate = scaled_to_needs(variances_at, cost, _search_precisions(variances_at, cost, begin))
        if best is None or candidate.total < best.total:
            best = replace(candidate, lower=max(candidate.lower, best.lower if best else 0.0))
        if best.total - best.lower <= CLOSE * best.total:
            break
    if best is None:
        raise Infeasible("cannot be met", "needs", "Ask for less accuracy.")
    return best


def _search_precisions(variances_at: Callable[[Any], Variances], cost: Any, start: Any) -> Any:
    """Return precisions of about the least cost, by sequential quadratic programming in their roots."""
    from scipy.optimize import minimize  # 0.2 s to import

    floor, scale = FLOOR * start.sum(), float(cost @ start)

    def precisions(roots: Any) -> Any:
        return roots**2 * start + floor

    def slope(roots: Any) -> Any:
        variances, derivatives = variances_at(precisions(roots))
        return -derivatives * (2.0 * roots * start)[None, :] / variances[:, None]

    optimum = minimize(
        lambda roots: float(cost @ (roots**2 * start)) / scale,
        np.ones(len(cost)),
        jac=lambda roots: 2.0 * cost * roots * start / scale,
        constraints=[{"type": "ineq", "fun": lambda roots: -np.log(variances_at(precisions(roots))[0]), "jac": slope}],
        method="SLSQP",
        options={"maxiter": 1_000, "ftol": 1e-15},
    )
    return precisions(optimum.x)


def scaled_to_needs(variances_at: Callable[[Any], Variances], cost: Any, precisions: Any) -> Precisions:
    """Return the cost of PRECISIONS after scaling them so that the worst requirement is just met."""
    worst = float(variances_at(precisions)[0].max())
    precisions = precisions * worst
    variances, derivatives = variances_at(precisions)
    costs = tuple(up(float(table_cost), ROUND) for table_cost in cost * precisions)
    lower, prices = lower_bound(variances, derivatives, cost)
    return Precisions(costs=costs, total=up(math.fsum(costs), 1), lower=lower, prices=prices)


def lower_bound(variances: Any, derivatives: Any, cost: Any) -> tuple[float, tuple[float, ...]]:
    """Return a lower bound on every cost that meets the requirements, and the share of each requirement in it.

    Arguments: variances by their limits and their derivatives, at any precisions; cost, of each table's precision. The
    multipliers come from a linear programme; any multipliers prove their own bound.
    """
    from scipy.optimize import linprog  # 0.2 s to import

    at_limit = variances > 1.0 - 1e-4  # of variances at their limit
    slopes = -derivatives[at_limit].T
    programme = linprog(-variances[at_limit], A_ub=slopes / cost[:, None], b_ub=np.ones(len(cost)))
    if programme.x is None or not programme.x.any():
        return 0.0, (0.0,) * len(variances)
    multipliers = programme.x
    slope = slopes @ multipliers
    theta = float(np.min(cost[slope > 0.0] / slope[slope > 0.0]))
    weighted_variance = float(multipliers @ variances[at_limit])
    prices = np.zeros(len(variances))
    prices[at_limit] = multipliers * variances[at_limit] / weighted_variance
    lower = down(theta * weighted_variance**2 / float(multipliers.sum()) * (1.0 - 1e-13), 8)
    return lower, tuple(prices.tolist())
