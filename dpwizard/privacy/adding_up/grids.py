"""Noise of numbers of a grid (levels by queries) or of a table's margins after they were adjusted to add up.

A chain of levels with fan-outs f_1, f_2, ..: a number of level l - 1 is the sum of f_l numbers of level l. A grid
crosses chains. With n_l the finest numbers below one of level l, and w_j the precision (1/s^2) of level j, the
differences within level m have precision lam_m = sum over j >= m of w_j n_j, and a number of level l has variance sum
over m <= l of (n_l^2 / n_m) (1 - 1/f_m) / lam_m, without that factor at m = 0. Crossed chains multiply.
"""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import up
from dpwizard.base.values import Count, Positive, ShortText, Value, field, public
from dpwizard.privacy.adding_up.least_budget import Variances, least_precisions

Chain = Annotated[tuple[Annotated[int, Field(ge=1, le=10**6)], ...], Field(max_length=12)]
Chains = Annotated[tuple[Chain, ...], Field(min_length=1, max_length=4)]
Grid = tuple[Any, ...]  # numbers, nested as deep as there are chains
MOST_PLACES = 4_096
ROUND = 64


class GridAfter(Value):
    """The noise of the numbers of a grid after they were adjusted to add up."""

    sd: Grid = field("Standard deviation at each place of the grid", default=...)


class Margin(Value):
    """A table of counts by some attributes."""

    reads: tuple[ShortText, ...] = field("Attributes that it is broken down by", default=...)
    sd: Positive = field("Standard deviation of the noise of one number", default=...)


class MarginsAfter(Value):
    """The noise of the numbers of tables after they were adjusted to add up."""

    sd: tuple[float, ...] = field("Standard deviation of one number of each, in their order", default=...)


class LeastGridBudget(Value):
    """The least budget of a grid."""

    rho: Grid = field("Rho of the table at each place of the grid", default=...)
    total: float = field("Their sum", default=...)
    lower: float = field("No budget below this meets the accuracy requirements", default=...)


@public
def adding_up_grid(*, chains: Chains, sd: Grid) -> GridAfter:
    """Return the noise of the numbers of a grid of levels by queries after they were adjusted to add up.

    Arguments: chains, each the fan-outs f_1, f_2, .. of its levels (every number of level l - 1 is the sum of f_l of
    level l); sd, the standard deviation > 0 of the noise of one number at each place of the grid, nested in the order
    of the chains (null: not published). Returns sd, **never below the true one** and within 1e-12 relative of it.
    Raises InvalidInput, and Infeasible for a number without information. Source: docs/methods/adding_up.md.
    """
    sds = _flatten(sd, chains, "sd")
    precisions = np.array([0.0 if value is None else 1.0 / value**2 for value in sds])
    spread, gathered = variance_matrices(chains)
    lam = gathered @ precisions
    if not np.all(lam > 0.0):
        raise Infeasible("leaves numbers that no published table covers", "sd", "Publish the finest level.")
    return GridAfter(sd=_nest([up(math.sqrt(variance), ROUND) for variance in spread @ (1.0 / lam)], chains))


@public
def least_rho_grid(*, chains: Chains, rmse: Grid) -> LeastGridBudget:
    """Return the least rho of Gaussian noise for which the numbers of a grid, adjusted to add up, are accurate enough.

    Arguments: chains as of adding_up_grid; rmse, the largest root-mean-square error > 0 of a published number at each
    place of the grid (null: no requirement); each table has sensitivity 1 (L2). Returns rho of each table, their total,
    **never below the need**, and lower, below which no budget meets the needs (a dual bound). Raises InvalidInput.
    Source: docs/methods/adding_up.md.
    """
    needs = _flatten(rmse, chains, "rmse")
    if all(need is None for need in needs):
        raise InvalidInput("have no accuracy requirement", "rmse", "Enter how accurate some of the numbers must be.")
    spread, gathered = variance_matrices(chains)
    limited = np.array([need is not None for need in needs])
    scaled = spread[limited] / np.array([need**2 for need in needs if need is not None])[:, None]

    def variances_at(precisions: Any) -> Variances:
        lam = gathered @ precisions
        return scaled @ (1.0 / lam), -(scaled / lam**2) @ gathered

    least = least_precisions(variances_at, np.full(len(needs), 0.5))
    return LeastGridBudget(rho=_nest(list(least.costs), chains), total=least.total, lower=least.lower)


@public
def adding_up_margins(
    *,
    sizes: dict[ShortText, Count],
    margins: Annotated[tuple[Margin, ...], Field(min_length=1, max_length=200)],
) -> MarginsAfter:
    """Return the noise of the margins of one table of counts after they were adjusted to add up.

    Arguments: sizes, how many classes each attribute has; margins, each with the attributes it reads and the standard
    deviation > 0 of one number. Returns sd of one number of each, **never below the true one** and within 1e-12
    relative of it. Raises InvalidInput. Source: docs/methods/adding_up.md (analysis of variance).
    """
    for at, margin in enumerate(margins):
        unknown = [name for name in margin.reads if name not in sizes]
        if unknown or len(set(margin.reads)) < len(margin.reads):
            problem = message('reads "{name}", which has no size', name=unknown[0]) if unknown else "reads one twice"
            raise InvalidInput(problem, f"margins[{at}].reads", "Name attributes of sizes, each once.")
    if len(sizes) > 12:
        raise InvalidInput("are more than 12 attributes", "sizes", "Leave out attributes that no margin reads.")
    finest = math.prod(sizes.values())
    below = [finest // math.prod(sizes[name] for name in margin.reads) for margin in margins]
    sds = []
    for margin, cells in zip(margins, below, strict=True):
        variance = Fraction(0)
        for part in _subsets(sorted(margin.reads)):
            precision = sum(
                Fraction(count) / Fraction(other.sd) ** 2
                for other, count in zip(margins, below, strict=True)
                if part <= set(other.reads)
            )
            freedom = [Fraction(sizes[name] - 1 if name in part else 1, sizes[name]) for name in margin.reads]
            variance += math.prod(freedom, start=Fraction(1)) / precision
        sds.append(up(math.sqrt(cells * variance), ROUND))
    return MarginsAfter(sd=tuple(sds))


def _subsets(names: list[str]) -> list[frozenset[str]]:
    counts = range(len(names) + 1)
    return [frozenset(chosen) for count in counts for chosen in itertools.combinations(names, count)]


def variance_matrices(chains: Chains) -> tuple[Any, Any]:
    """Return two matrices, of n_l^2 / n_m (1 - 1/f_m) and of n_j, from which variances follow by precisions."""
    spread, gathered = np.ones((1, 1)), np.ones((1, 1))
    for fans in chains:
        finest = np.array([math.prod(fans[level:]) for level in range(len(fans) + 1)], dtype=float)
        freedom = np.array([1.0, *(1.0 - 1.0 / fan for fan in fans)])
        spread = np.kron(spread, np.tril(finest[:, None] ** 2 / finest[None, :] * freedom[None, :]))
        gathered = np.kron(gathered, np.triu(np.broadcast_to(finest, (len(finest), len(finest)))))
    return spread, gathered


def _flatten(grid: Any, chains: Chains, argument: str) -> list[float | None]:
    """Return the numbers of GRID, the last chain fastest; raises InvalidInput for a wrong shape or number."""
    if math.prod(len(fans) + 1 for fans in chains) > MOST_PLACES:
        raise InvalidInput("have too many places", "chains", "State fewer levels.")
    if not chains:
        if grid is None or (isinstance(grid, int | float) and not isinstance(grid, bool) and 1e-100 < grid < 1e100):
            return [None if grid is None else float(grid)]
        raise InvalidInput(
            "must be null or a number above 0", argument, "State a standard deviation, or null for none."
        )
    levels = len(chains[0]) + 1
    if not isinstance(grid, tuple | list) or len(grid) != levels:
        problem = message("must be a list of {count} entries, one for each level of its chain", count=levels)
        raise InvalidInput(problem, argument, "Nest the lists in the order of the chains.")
    return [value for at, row in enumerate(grid) for value in _flatten(row, chains[1:], f"{argument}[{at}]")]


def _nest(numbers: list[float], chains: Chains) -> Any:
    if not chains:
        return numbers[0]
    size = len(numbers) // (len(chains[0]) + 1)
    return tuple(_nest(numbers[at : at + size], chains[1:]) for at in range(0, len(numbers), size))
