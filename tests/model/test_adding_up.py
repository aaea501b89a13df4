"""Sums of noisy numbers, numbers that are made to add up, the least budget for them, and periods."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import DPWizardError, Infeasible, InvalidInput
from dpwizard.privacy import accuracy, programme

Node = dict[str, Any]


# -------------------------------------------------------------------------------------------------- sums


def masses(mechanism: str, scale: float, reach: int) -> np.ndarray:
    places = np.arange(-reach, reach + 1)
    logs = -np.abs(places) / scale if mechanism == "geometric" else -(places**2) / (2.0 * scale**2)
    found = np.exp(logs)
    return found / found.sum()


@pytest.mark.parametrize("mechanism", ["geometric", "discrete_gaussian"])
@pytest.mark.parametrize("cells", [1, 7])
@pytest.mark.parametrize("budget", [0.05, 3.0])
@pytest.mark.parametrize("half_width", [0, 3.7, 12, 60])
def test_a_sum_lies_beyond_as_often_as_convolved_masses_do(
    mechanism: str, cells: int, budget: float, half_width: float
) -> None:
    stated = {"rho" if mechanism == "discrete_gaussian" else "epsilon": budget}
    scale = 1.0 / math.sqrt(2.0 * budget) if mechanism == "discrete_gaussian" else 1.0 / budget
    alone = masses(mechanism, scale, 800)
    law = alone
    for _ in range(cells - 1):
        law = np.convolve(law, alone)
    middle = len(law) // 2
    outside = 2.0 * math.fsum(law[middle + math.floor(half_width) + 1 :])
    found = accuracy.sum_beyond(terms=[{"mechanism": mechanism, "cells": cells, **stated}], half_width=half_width)
    assert found == pytest.approx(outside, rel=1e-10, abs=1e-300)  # its small chances keep their digits
    within = accuracy.sum_within(terms=[{"mechanism": mechanism, "cells": cells, **stated}], half_width=half_width)
    assert within == pytest.approx(1.0 - outside, abs=1e-12)


@pytest.mark.parametrize(
    ("terms", "where"),
    [
        ([], "terms"),
        ([{"mechanism": "laplace", "epsilon": 1}, {"mechanism": "geometric", "epsilon": 1}], "terms"),
        ([{"mechanism": "laplace", "epsilon": 1}, {"mechanism": "laplace", "epsilon": 2}], "terms"),
        ([{"mechanism": "geometric", "rho": 1}], "terms[0].epsilon"),
        ([{"mechanism": "gaussian", "rho": 1, "epsilon": 1}], "terms[0].epsilon"),
        ([{"mechanism": "geometric", "epsilon": 1e-9, "cells": 2}], "terms"),
    ],
)
def test_sums_that_cannot_be_computed_are_refused(terms: list[Any], where: str) -> None:
    with pytest.raises(DPWizardError) as refused:
        accuracy.sum_within(terms=terms, half_width=3)
    assert refused.value.where == where
    assert refused.value.hint


# ------------------------------------------------------------------------------------- numbers that add up


def drawn_tree(dice: random.Random) -> list[Node]:
    """Return the numbers of a tree with one or two partitions for each parent; some are exact or not published."""
    nodes: list[Node] = [{"name": "r", "parent": None, "sd": dice.choice([None, 2.0, 3.0])}]
    for parent in [*nodes]:
        for partition in ("a", "b")[: dice.choice([1, 2])]:
            for at in range(dice.randint(1, 3)):
                nodes.append(
                    {
                        "name": f"{parent['name']}{partition}{at}",
                        "parent": parent["name"],
                        "partition": partition,
                        "sd": dice.choice([1.0, 1.5, 4.0]),
                    }
                )
    below = nodes[1]
    below["sd"] = dice.choice([None, 0.0, 2.0])
    for at in range(dice.randint(1, 3)):
        nodes.append({"name": f"{below['name']}.{at}", "parent": below["name"], "sd": dice.choice([1.0, 2.5])})
    return nodes


def by_least_squares(nodes: list[Node]) -> list[float]:
    """Return the standard deviations by dense least squares, with the sums and the exact numbers as constraints."""
    places = {node["name"]: at for at, node in enumerate(nodes)}
    count = len(nodes)
    constraints = []
    for name in places:
        groups: dict[Any, list[int]] = {}
        for node in nodes:
            if node["parent"] == name:
                groups.setdefault(node.get("partition"), []).append(places[node["name"]])
        for group in groups.values():
            row = np.zeros(count)
            row[places[name]] = -1.0
            row[group] = 1.0
            constraints.append(row)
    constraints += [np.eye(count)[at] for at, node in enumerate(nodes) if node["sd"] == 0.0]
    free = np.eye(count)
    if constraints:
        _, sizes, rows = np.linalg.svd(np.array(constraints))
        free = rows[int((sizes > 1e-9).sum()) :].T
    seen = [at for at, node in enumerate(nodes) if node["sd"]]
    scaled = free[seen] / np.array([nodes[at]["sd"] for at in seen])[:, None]
    covariance = free @ np.linalg.pinv(scaled.T @ scaled) @ free.T
    return [math.sqrt(max(0.0, each)) for each in np.diag(covariance)]


@pytest.mark.parametrize("seed", range(10))
def test_the_noise_of_a_tree_is_that_of_dense_least_squares(seed: int) -> None:
    nodes = drawn_tree(random.Random(seed))
    found = programme.adding_up(nodes=nodes).sd
    assert found == pytest.approx(by_least_squares(nodes), rel=1e-9, abs=1e-9)


def test_what_only_the_others_of_its_group_tell_of_is_found() -> None:
    nodes = [
        {"name": "r", "parent": None, "sd": 3.0},
        {"name": "a", "parent": "r", "sd": 4.0},
        {"name": "b", "parent": "r", "sd": None},
    ]
    assert programme.adding_up(nodes=nodes).sd == pytest.approx((3.0, 4.0, 5.0))


def test_adding_up_errs_upwards() -> None:
    nodes = [
        {"name": "r", "parent": None, "sd": 1.0},
        *({"name": f"{at}", "parent": "r", "sd": 1.0} for at in range(3)),
    ]
    root = Fraction(programme.adding_up(nodes=nodes).sd[0])
    assert 0 <= root**2 / Fraction(3, 4) - 1 < Fraction(1, 10**12)


@pytest.mark.parametrize(
    ("nodes", "kind", "where"),
    [
        ([{"name": "r", "sd": None}, {"name": "a", "parent": "r", "sd": None}], Infeasible, "nodes[0].sd"),
        (
            [{"name": "r", "sd": 1}, {"name": "a", "parent": "r"}, {"name": "b", "parent": "r"}],
            Infeasible,
            "nodes[1].sd",
        ),
        ([{"name": "r", "sd": 1}, {"name": "a", "parent": "q", "sd": 1}], InvalidInput, "nodes[1].parent"),
        (
            [{"name": "a", "parent": "b", "sd": 1}, {"name": "b", "parent": "a", "sd": 1}],
            InvalidInput,
            "nodes[0].parent",
        ),
        ([{"name": "r", "sd": 1}, {"name": "r", "sd": 1}], InvalidInput, "nodes[1].name"),
    ],
)
def test_a_tree_that_cannot_add_up_is_refused(nodes: list[Node], kind: type[DPWizardError], where: str) -> None:
    with pytest.raises(kind) as refused:
        programme.adding_up(nodes=nodes)
    assert refused.value.where == where
    assert refused.value.hint


def test_a_grid_is_two_trees_crossed() -> None:
    """Two levels of 3 by two of 2: the grid's closed form against dense least squares over its 6 cells."""
    sds = [[3.0, 2.0], [2.5, 4.0]]
    rows, widths = [], []
    for areas, area_sd in ((1, 0), (3, 1)):
        for classes, class_sd in ((1, 0), (2, 1)):
            for area, group in itertools.product(range(areas), range(classes)):
                row = np.zeros((3, 2))
                row[area if areas == 3 else slice(None), group if classes == 2 else slice(None)] = 1.0
                rows.append(row.ravel())
                widths.append(sds[area_sd][class_sd])
    scaled = np.array(rows) / np.array(widths)[:, None]
    covariance = np.linalg.inv(scaled.T @ scaled)
    expected = [math.sqrt(rows[at] @ covariance @ rows[at]) for at in (0, 1, 3, 6)]
    found = programme.adding_up_grid(chains=[[3], [2]], sd=sds).sd
    assert [*found[0], *found[1]] == pytest.approx(expected, rel=1e-10)
    margins = [
        {"reads": [], "sd": 3.0},
        {"reads": ["class"], "sd": 2.0},
        {"reads": ["area"], "sd": 2.5},
        {"reads": ["area", "class"], "sd": 4.0},
    ]
    same = programme.adding_up_margins(sizes={"area": 3, "class": 2}, margins=margins).sd
    assert same == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize(
    ("chains", "sd", "where"),
    [
        ([[2]], [1.0], "sd"),
        ([[2]], [1.0, "x"], "sd[1]"),
        ([[2]], [None, None], "sd"),
        ([[2], [2]], [[1, 1], 1], "sd[1]"),
    ],
)
def test_a_grid_of_the_wrong_shape_is_refused(chains: Any, sd: Any, where: str) -> None:
    with pytest.raises(DPWizardError) as refused:
        programme.adding_up_grid(chains=chains, sd=sd)
    assert refused.value.where == where


# ---------------------------------------------------------------------------------- intervals after adding up


def by_enumeration(sigmas: tuple[float, ...], half_width: int, weight: tuple[Fraction, ...]) -> float:
    """Return the chance by all outcomes of three discrete Gaussian numbers."""
    reach = 14
    laws = [masses("discrete_gaussian", sigma, reach) for sigma in sigmas]
    total = 0.0
    for outcome in itertools.product(range(-reach, reach + 1), repeat=3):
        if abs(sum(w * x for w, x in zip(weight, outcome, strict=True))) <= half_width:
            total += math.prod(law[x + reach] for law, x in zip(laws, outcome, strict=True))
    return total


TRIO = [
    {"name": "r", "parent": None, "sd": 1.0},
    {"name": "a", "parent": "r", "sd": 2.0},
    {"name": "b", "parent": "r", "sd": 2.0},
]


@pytest.mark.parametrize("half_width", [1])
def test_the_chance_after_adding_up_is_that_of_all_outcomes(half_width: int) -> None:
    """a - (4/9)(a + b - r): the weights of a, b and r."""
    weight = (Fraction(5, 9), Fraction(-4, 9), Fraction(4, 9))
    expected = by_enumeration((2.0, 2.0, 1.0), half_width, weight)
    found = programme.within_after(
        nodes=TRIO, node="a", half_width=half_width, mechanism="discrete_gaussian", sd="parameter"
    )
    assert found.lower <= expected <= found.upper
    assert found.upper - found.lower < 1e-9


def test_bounds_enclose_the_chance_where_weights_have_no_common_denominator() -> None:
    nodes = [{**node, "sd": math.sqrt(float(node["sd"]) + 0.37 * at)} for at, node in enumerate(TRIO)]
    found = programme.within_after(nodes=nodes, node="a", half_width=2, mechanism="laplace")
    scales = [float(node["sd"]) / math.sqrt(2.0) for node in nodes]
    own, other, root = (float(node["sd"]) ** 2 for node in (nodes[1], nodes[2], nodes[0]))
    share = own / (own + other + root)
    noise = np.random.default_rng(5).laplace(size=(3, 400_000)) * np.array(scales)[:, None]
    estimate = noise[1] - share * (noise[1] + noise[2] - noise[0])
    simulated = float(np.mean(np.abs(estimate) <= 2))
    assert found.lower - 0.004 < simulated < found.upper + 0.004
    assert found.upper - found.lower < 0.002


def test_normal_noise_after_adding_up_is_normal() -> None:
    sd = programme.adding_up(nodes=TRIO).sd[1]
    found = programme.within_after(nodes=TRIO, node="a", half_width=2.5, mechanism="gaussian")
    assert found.lower == pytest.approx(math.erf(2.5 / sd / math.sqrt(2.0)), abs=1e-12)


def test_an_exact_number_is_always_within() -> None:
    nodes = [{"name": "r", "sd": 0.0}, {"name": "a", "parent": "r", "sd": 1.0}]
    found = programme.within_after(nodes=nodes, node="a", half_width=0, mechanism="geometric")
    assert (found.lower, found.upper) == (1.0, 1.0)


# ---------------------------------------------------------------------------------------- least budgets


def test_numbers_of_which_no_table_tells_are_refused() -> None:
    nodes = [{"name": "r", "parent": None}, {"name": "a", "parent": None, "table": "district"}]
    with pytest.raises(Infeasible, match="nodes"):
        programme.least_rho(nodes=nodes, tables=[{"name": "district"}], needs=[{"table": "district", "rmse": 1.0}])


# ------------------------------------------------------------------------------------------------- periods


def allowed(chosen: tuple[int, ...], at_most: int, rule: str, within: int | None) -> bool:
    if rule == "any":
        return len(chosen) <= at_most
    if rule == "run":
        return not chosen or chosen[-1] - chosen[0] < at_most
    return all(sum(start <= period < start + (within or 1) for period in chosen) <= at_most for start in range(8))


@pytest.mark.parametrize("seed", range(25))
def test_a_history_is_the_largest_of_all_sets_of_periods(seed: int) -> None:
    dice = random.Random(seed)
    tables = []
    for _ in range(dice.randint(1, 7)):
        first = dice.randint(0, 7)
        tables.append(
            {"first": first, "last": min(7, first + dice.choice([0, 0, 1, 3])), "amount": dice.choice([1, 2, 5])}
        )
    rule = dice.choice(["any", "run", "rolling"])
    at_most, within = dice.randint(1, 3), dice.randint(2, 4) if rule == "rolling" else None
    sets = (tuple(period for period in range(8) if mask >> period & 1) for mask in range(256))
    expected = max(
        sum(table["amount"] for table in tables if any(table["first"] <= period <= table["last"] for period in chosen))
        for chosen in sets
        if allowed(chosen, at_most, rule, within)
    )
    found = programme.history(tables=tables, at_most=at_most, rule=rule, within=within).amount
    assert expected <= found <= expected * (1.0 + 1e-12)


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ({"rule": "rolling"}, "within"),
        ({"rule": "any", "within": 3}, "within"),
        ({"tables": [{"first": -1, "last": 0, "amount": 1}]}, "tables[0].first"),
        ({"tables": [{"first": 3, "last": 2, "amount": 1}]}, "tables[0].last"),
        ({"at_most": 0}, "at_most"),
    ],
)
def test_a_history_that_cannot_be_is_refused(arguments: dict[str, Any], where: str) -> None:
    stated = {"tables": [{"first": 0, "last": 1, "amount": 1.0}], "at_most": 1, **arguments}
    with pytest.raises(InvalidInput) as refused:
        programme.history(**stated)
    assert refused.value.where == where
