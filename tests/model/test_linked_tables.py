"""Tables that are linked: the weights with which published numbers take in noise, against other ways to find them."""

from __future__ import annotations

import itertools
import math
import random
from typing import Any

import numpy as np
import pytest

from dpwizard.privacy import programme
from dpwizard.privacy.adding_up import AddedUp, Limited, Link, Linked, least_budget_of, linked


def nodes_of(tables: list[Linked], sds: list[float | None]) -> list[dict[str, Any]]:
    """Return the numbers of a tree of TABLES, as programme.adding_up reads them."""
    found = []
    for at, table in enumerate(tables):
        parents: list[str | None] = [None] * table.numbers
        for parent, children, _ in table.links:
            many = children * tables[parent].numbers if len(children) == 1 else children
            parents = [f"{parent}.{number}" for number, count in enumerate(many) for _ in range(count)]
        for number, above in enumerate(parents):
            found.append({"name": f"{at}.{number}", "parent": above, "partition": str(at), "sd": sds[at]})
    return found


def drawn(dice: random.Random, even: bool) -> tuple[list[Linked], list[float | None]]:
    tables, sds = [Linked(numbers=dice.choice([1, 2]))], [dice.choice([1.0, 3.0, None])]
    for _ in range(dice.randint(1, 4)):
        parent = dice.randrange(len(tables))
        above = tables[parent].numbers
        children = (dice.randint(1, 3),) if even else tuple(dice.randint(1, 3) for _ in range(above))
        many = children[0] * above if even else sum(children)
        sds.append(dice.choice([1.0, 2.5, 4.0, 0.0]) if parent else dice.choice([1.5, 2.0]))
        noise = "exact" if sds[-1] == 0.0 else "noisy"
        tables.append(Linked(numbers=many, noise=noise, links=(Link(parent, children),)))
    if sds[0] is None:
        tables[0] = Linked(numbers=tables[0].numbers, noise="none")
    return tables, sds


@pytest.mark.parametrize("seed", range(12))
def test_the_weights_of_a_tree_come_to_the_variances_of_its_numbers(seed: int) -> None:
    tables, sds = drawn(random.Random(seed), seed % 2 == 0)
    expected: dict[int, list[float]] = {at: [] for at in range(len(tables))}
    nodes = nodes_of(tables, sds)
    for node, sd in zip(nodes, programme.adding_up(nodes=nodes).sd, strict=True):
        expected[int(node["name"].split(".")[0])].append(sd)
    ((made, _),), flaws = linked(tuple(tables))
    assert flaws == ()
    variances = [None if sd is None else sd**2 for sd in sds]
    for table, wanted in expected.items():
        found = [math.sqrt(made.variance(kind, variances)) for kind in made.kinds(table)]
        assert all(any(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for other in found) for one in wanted)
        assert all(any(math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9) for other in wanted) for one in found)
    precisions = np.array([1.0 / sd**2 if sd else 1.0 for sd in sds])
    parts = made.variance_parts(precisions).sum(axis=1)
    for table in expected:
        for kind in made.kinds(table):
            assert parts[kind] == pytest.approx(made.variance(kind, variances), abs=1e-12)


def grid(
    chains: list[list[int]], left_out: tuple[int, ...] = (), exact: tuple[int, ...] = ()
) -> tuple[list[Linked], list[tuple[int, ...]]]:
    """Return the tables of a grid, and where each stands; those LEFT_OUT by position have no noise, EXACT ones 0."""
    levels = list(itertools.product(*(range(len(fans) + 1) for fans in chains)))
    tables = []
    for at, level in enumerate(levels):
        links = []
        for chain, fans in enumerate(chains):
            if level[chain]:
                above = tuple(one - (number == chain) for number, one in enumerate(level))
                links.append(Link(levels.index(above), (fans[level[chain] - 1],)))
        numbers = math.prod(math.prod(fans[:one]) for fans, one in zip(chains, level, strict=True))
        noise = "none" if at in left_out else "exact" if at in exact else "noisy"
        tables.append(Linked(numbers=numbers, noise=noise, links=tuple(links)))
    return tables, levels


@pytest.mark.parametrize(
    ("chains", "left_out"), [([[3], [2]], ()), ([[2, 3], [2]], (0, 3)), ([[2], [3], [2]], (1,)), ([[4, 2], [3]], ())]
)
def test_the_weights_of_a_grid_come_to_its_closed_form(chains: list[list[int]], left_out: tuple[int, ...]) -> None:
    tables, levels = grid(chains, left_out)
    sds = [None if at in left_out else 1.0 + 0.7 * at for at in range(len(tables))]
    shape = [len(fans) + 1 for fans in chains]
    nested = np.array(sds, dtype=object).reshape(shape).tolist()
    expected = np.array(programme.adding_up_grid(chains=chains, sd=nested).sd, dtype=float).ravel()
    ((made, _),), flaws = linked(tuple(tables))
    assert flaws == ()
    variances = [None if sd is None else sd**2 for sd in sds]
    parts = made.variance_parts(np.array([1.0 if sd is None else 1.0 / sd**2 for sd in sds])).sum(axis=1)
    for at in range(len(levels)):
        (kind,) = made.kinds(at)
        assert math.sqrt(made.variance(kind, variances)) == pytest.approx(expected[at], rel=1e-12)
        assert parts[kind] == pytest.approx(expected[at] ** 2, rel=1e-12)
        taken = made.weights(kind, variances)
        for (_, table), count in taken.items():
            assert count <= tables[table].numbers


def test_a_grid_in_which_no_table_holds_the_finest_numbers_is_fitted() -> None:
    tables, levels = grid([[3, 2], [2]])
    ((made, _),), flaws = linked(tuple(tables[:-1]))
    assert flaws == ()
    rows = [np.kron(sums_of_chain([3, 2], one), sums_of_chain([2], other)) for one, other in levels[:-1]]
    known = np.linalg.pinv(sum(row.T @ row / (1.0 + at) for at, row in enumerate(rows)))
    for at, row in enumerate(rows):
        (kind,) = made.kinds(at)
        found = made.variance(kind, [1.0 + one for one in range(len(rows))])
        assert found == pytest.approx((row @ known @ row.T)[0, 0], rel=1e-9)


@pytest.mark.parametrize("exact", [(0,), (2,), (1, 2)])
def test_exact_numbers_of_a_grid_leave_what_least_squares_leave(exact: tuple[int, ...]) -> None:
    chains = [[3, 2], [2]]
    tables, levels = grid(chains, exact=exact)
    ((made, _),), flaws = linked(tuple(tables))
    assert flaws == ()
    sds = [0.0 if at in exact else 1.0 + 0.7 * at for at in range(len(tables))]
    rows = [np.kron(*(sums_of_chain(fans, one) for fans, one in zip(chains, level, strict=True))) for level in levels]
    tiny = [max(sd, 1e-5) for sd in sds]
    known = np.linalg.inv(sum(row.T @ row / sd**2 for row, sd in zip(rows, tiny, strict=True)))
    parts = made.variance_parts(np.array([1.0 / sd**2 if sd else 1.0 for sd in sds])).sum(axis=1)
    for at, row in enumerate(rows):
        expected = (row @ known @ row.T)[0, 0]
        (kind,) = made.kinds(at)
        assert made.variance(kind, [sd**2 for sd in sds]) == pytest.approx(expected, rel=1e-4, abs=1e-6)
        assert parts[kind] == pytest.approx(expected, rel=1e-4, abs=1e-6)
    limits = tuple(Limited(at, 4.0) for at in range(len(levels)) if at not in exact)
    found = least_budget_of(made, (0.5,) * len(levels), limits)
    kept = [0.0 if at in exact else 0.5 / cost for at, cost in enumerate(found.costs)]
    assert all(made.variance(made.kinds(limit.table)[0], kept) <= 4.0 * (1.0 + 1e-9) for limit in limits)
    assert 0.0 < found.lower <= found.total


def sums_of_chain(fans: list[int], level: int) -> Any:
    """Return which of the finest numbers of a chain are part of each number of LEVEL."""
    return np.kron(np.eye(math.prod(fans[:level])), np.ones((1, math.prod(fans[level:]))))


@pytest.mark.parametrize(
    ("chains", "whole"),
    [([[3], [2]], True), ([[2, 3], [2]], True), ([[2, 2], [2, 2]], False), ([[2], [2], [2]], False)],
)
def test_only_sums_of_two_kinds_can_be_made_whole(chains: list[list[int]], whole: bool) -> None:
    ((made, _),), _ = linked(tuple(grid(chains)[0]))
    assert made.can_be_whole is whole


@pytest.mark.parametrize(
    ("tables", "problem", "table"),
    [
        ([Linked(1), Linked(5, links=(Link(0, (4,)),))], "children_do_not_fit", 1),
        ([Linked(2), Linked(5, links=(Link(0, (2, 2)),))], "children_do_not_fit", 1),
        ([Linked(3), Linked(5, links=(Link(0, (2, 3)),))], "children_do_not_fit", 1),
        ([Linked(1, links=(Link(1, (1,)),)), Linked(1, links=(Link(0, (1,)),))], "circle", 0),
        (
            [Linked(1, "none"), Linked(2, "none", (Link(0, (2,)),)), Linked(2, links=(Link(0, (2,)),))],
            "nothing_tells",
            1,
        ),
        ([Linked(2), Linked(2), Linked(4, links=(Link(0, (2,)), Link(1, (2,))))], "no_tree_and_no_grid", 2),
    ],
)
def test_tables_that_cannot_add_up_are_named(tables: list[Linked], problem: str, table: int) -> None:
    found, flaws = linked(tuple(tables))
    assert found == ()
    assert [(flaw.problem, flaw.table) for flaw in flaws] == [(problem, table)]


def test_the_least_budget_of_linked_tables_is_that_of_the_same_nodes() -> None:
    tables = [Linked(1), Linked(4, links=(Link(0, (4,)),)), Linked(12, links=(Link(1, (3,)),))]
    ((made, _),), _ = linked(tuple(tables))
    needs = [{"table": str(at), "rmse": sd} for at, sd in enumerate((10.0, 7.0, 5.0))]
    nodes = [
        {"name": node["name"], "parent": node["parent"], "partition": node["partition"], "table": node["name"][0]}
        for node in nodes_of(tables, [None] * 3)
    ]
    expected = programme.least_rho(nodes=nodes, tables=[{"name": str(at)} for at in range(3)], needs=needs)
    found = least_budget_of(made, (0.5,) * 3, tuple(Limited(at, sd**2) for at, sd in enumerate((10.0, 7.0, 5.0))))
    assert found.total == pytest.approx(expected.total, rel=1e-5)
    assert found.total >= expected.lower
    assert_kept(made, found.costs, [100.0, 49.0, 25.0])


def test_a_limit_of_the_own_noise_binds_before_adding_up() -> None:
    ((made, _),), _ = linked((Linked(1), Linked(4, links=(Link(0, (4,)),))))
    found = least_budget_of(made, (0.5, 0.5), (Limited(0, 400.0), Limited(1, 9.0, before_adding_up=True)))
    assert found.costs[1] >= 0.5 / 9.0
    assert found.total == pytest.approx(0.5 / 9.0, rel=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_no_plan_is_below_the_bound_and_prices_are_those_of_needs(seed: int) -> None:
    dice = random.Random(seed)
    tables = [Linked(1), Linked(3, links=(Link(0, (3,)),)), Linked(2, links=(Link(0, (2,)),))]
    tables += (
        [Linked(6, links=(Link(1, (2,)), Link(2, (3,))))] if seed % 2 else [Linked(7, links=(Link(1, (4, 2, 1)),))]
    )
    ((made, _),), _ = linked(tuple(tables))
    costs = tuple(dice.uniform(0.2, 3.0) for _ in tables)
    limits = tuple(Limited(at, dice.uniform(1.0, 40.0)) for at in range(len(tables)))
    found = least_budget_of(made, costs, limits)
    assert 0.0 < found.lower <= found.total <= found.lower * (1.0 + 1e-4)
    assert sum(found.prices) == pytest.approx(1.0)
    assert min(found.prices) >= 0.0
    for _ in range(40):
        other = np.array([max(cost, 1e-6) * dice.uniform(0.3, 3.0) for cost in found.costs])
        variances = made.variance_parts(other / np.array(costs)).sum(axis=1)
        worst = max(variances[kind] / one.variance for one in limits for kind in made.kinds(one.table))
        assert worst * other.sum() >= found.lower  # scaled so that the worst need is just met
    for at, (one, price) in enumerate(zip(limits, found.prices, strict=True)):
        wider = tuple(Limited(at, 1.001 * one.variance) if number == at else each for number, each in enumerate(limits))
        saved = 1.0 - least_budget_of(made, costs, wider).total / found.total
        assert saved == pytest.approx(0.001 * price, abs=3e-6)


def assert_kept(made: AddedUp, costs: tuple[float, ...], limits: list[float]) -> None:
    variances = [0.5 / cost for cost in costs]
    for table, limit in enumerate(limits):
        for kind in made.kinds(table):
            assert made.variance(kind, variances) <= limit * (1.0 + 1e-12)
