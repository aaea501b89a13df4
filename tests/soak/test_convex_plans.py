"""The least budgets of tables that add up against a solver of convex problems, on random trees and crossing sums."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dpwizard.privacy import programme
from dpwizard.privacy.adding_up import Limited, Link, Linked, least_budget_of, linked
from tests.samples.other_programs import ask

Plan = tuple[dict[str, Any], dict[str, Any]]  # what our function takes, and what the oracle takes


def tree(dice: random.Random) -> Plan:
    """Return a country of regions of districts, each level a table with a price, and needs of some levels."""
    regions = [dice.randint(2, 4) for _ in range(dice.randint(2, 3))]
    smallest = sum(regions)
    nodes: list[dict[str, Any]] = [{"name": "country", "table": "country"}]
    rows = [[1] * smallest]
    at = 0
    for region, districts in enumerate(regions):
        nodes.append({"name": f"r{region}", "parent": "country", "table": "region"})
        rows.append([int(at <= each < at + districts) for each in range(smallest)])
        for each in range(at, at + districts):
            nodes.append({"name": f"d{each}", "parent": f"r{region}", "table": "district"})
            rows.append([int(each == one) for one in range(smallest)])
        at += districts
    names = ("country", "region", "district")
    tables = [
        {"name": name, "sensitivity": dice.choice([1.0, 1.5, 2.0]), "times": dice.randint(1, 3)} for name in names
    ]
    widths = {name: round(dice.uniform(1.0, 8.0), 2) for name in dice.sample(names, dice.randint(1, 3))}
    needs = [{"table": name, "rmse": width} for name, width in widths.items()]
    table = [names.index(node["table"]) for node in nodes]
    limits = [widths[names[at]] ** 2 if names[at] in widths else None for at in table]
    cost = [one["times"] * one["sensitivity"] ** 2 / 2.0 for one in tables]
    return {"nodes": nodes, "tables": tables, "needs": needs}, {
        "rows": rows,
        "table": table,
        "cost": cost,
        "limits": limits,
    }


@pytest.mark.soak
def test_ten_plans_cost_what_a_convex_solver_finds() -> None:
    dice = random.Random(29112026)
    plans = [tree(dice) for _ in range(10)]
    for (ours, _), least in zip(plans, ask("convex_plans.py", [theirs for _, theirs in plans]), strict=True):
        found = programme.least_rho(**ours)
        assert found.total >= least * (1 - 1e-6)
        assert found.total <= least * (1 + 1e-5)
        assert found.lower <= least * (1 + 1e-6)


def crossing(dice: random.Random) -> tuple[tuple[Linked, ...], tuple[Limited, ...], dict[str, Any]]:
    """Return tables that divide some cells at random, the last into each, with needs, and what the oracle takes."""
    many = dice.randint(5, 9)
    cells = [[dice.randrange(3) for _ in range(many)] for _ in range(dice.randint(2, 3))]
    blocks = [[sorted(set(one)).index(each) for each in one] for one in cells] + [list(range(many))]
    links = [Link(at, tuple(one.count(each) for each in sorted(set(one))), tuple(one)) for at, one in enumerate(blocks)]
    tables = (*(Linked(max(one) + 1) for one in blocks[:-1]), Linked(many, links=tuple(links[:-1])))
    widths = [round(dice.uniform(1.0, 8.0), 2) for _ in tables]
    rows = [[int(each == number) for each in one] for one in blocks for number in range(max(one) + 1)]
    table = [at for at, one in enumerate(blocks) for _ in range(max(one) + 1)]
    theirs = {"rows": rows, "table": table, "cost": [0.5] * len(tables), "limits": [widths[at] ** 2 for at in table]}
    return tables, tuple(Limited(at, width**2) for at, width in enumerate(widths)), theirs


@pytest.mark.soak
def test_ten_plans_of_sums_that_cross_unevenly_cost_what_a_convex_solver_finds() -> None:
    dice = random.Random(29112026)
    plans = [crossing(dice) for _ in range(10)]
    for (tables, limits, _), least in zip(plans, ask("convex_plans.py", [one for *_, one in plans]), strict=True):
        ((made, _),), _ = linked(tables)
        found = least_budget_of(made, (0.5,) * len(tables), limits)
        assert found.total >= least * (1 - 1e-6)
        assert found.total <= least * (1 + 1e-5)
        assert found.lower <= least * (1 + 1e-6)
