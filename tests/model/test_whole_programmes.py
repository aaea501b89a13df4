"""Whole programmes through the decision file: shares as fractions, amounts, years, levels, units, allocations."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import assess, read_decision
from dpwizard.privacy.programme.tables import Part, total


def decided(
    requirements: tuple[dict[str, Any], ...] = (), *, rho: Any = None, epsilon: Any = None, **release: Any
) -> Any:
    """Return a decision of counts of persons with this RELEASE."""
    stated = {"mechanism": "gaussian", "statistic": "count", "neighbours": "add_remove", "unit": "person"}
    budget = {"rho": rho} if rho is not None else {"epsilon": epsilon} if epsilon is not None else {}
    raw = {"format": "dpwizard.decision/1", "release": stated | release, "requirements": list(requirements), **budget}
    return read_decision(raw)


@pytest.mark.parametrize(
    ("unit", "rho"),  # of three units: nine times, as sqrt(2 rho) is three times as far; or added up
    [
        ({"unit_kind": "device"}, 4.5),
        ({"unit_kind": "person", "slice": "event"}, 4.5),
        ({"unit_kind": "device", "slice": "day"}, 4.5),  # three devices may be used on one day
        ({"unit_kind": "person", "slice": "day"}, 1.5),
    ],
)
def test_units_that_may_lie_in_the_same_figures_move_them_as_far(unit: dict[str, Any], rho: float) -> None:
    table = {"name": "a", "share": 1.0, "sensitivity": 1.0}
    stated = {"parts": [table], "slices_per_person": 3} | unit
    person = assess(decided(rho=0.5, **stated)).accounting.per_person
    assert person.rho == rho
    assert person.mu == pytest.approx(math.sqrt(2.0 * rho), rel=1e-12)
    pure = assess(decided(mechanism="laplace", epsilon=0.5, **stated)).accounting.per_person
    assert pure.epsilon == pytest.approx(1.5, rel=1e-12)
    delta = assess(decided(epsilon=0.5, delta=1e-6, mechanism="discrete_gaussian", **stated)).accounting
    assert delta.per_person.rho == pytest.approx(rho / 0.5 * delta.rho, rel=1e-9)
    assert [one.rule for one in delta.per_person.conversions] == ["cks", "loose"]


def test_decimal_shares_that_come_to_1_but_for_a_rounding_are_1() -> None:
    shares = ["0.102564103", "0.225885226", "0.671550671"]
    parts = [{"name": s, "share": float(s), "sensitivity": 1.0} for s in shares]
    assert decided(mechanism="laplace", parts=parts).release.share_total() == 1


@pytest.mark.parametrize("share", ["53/0", "-1/2", "1.5/3", "3/2", 1.5, -0.1, "half", True])
def test_a_share_that_is_none_is_refused_by_its_name(share: Any) -> None:
    with pytest.raises(InvalidInput) as problem:
        decided(parts=[{"name": "a", "share": share, "sensitivity": 1.0}])
    assert problem.value.where.startswith("$.release.parts[0].share")


def test_amounts_beside_shares_make_the_budget_that_leaves_both() -> None:
    parts = [{"name": "a", "epsilon": 0.5, "sensitivity": 1.0}, {"name": "b", "share": "1/2", "sensitivity": 1.0}]
    found = decided(mechanism="laplace", parts=parts)
    assert found.chosen == 1.0
    assert [table.portion for table in found.release.tables] == [Fraction(1, 2)] * 2


def test_what_is_made_several_times_gets_its_share_once_in_all() -> None:
    once = decided(rho=0.5, parts=[{"name": "a", "share": 1.0, "sensitivity": 1.0}])
    four = decided(rho=0.5, parts=[{"name": "a", "share": 1.0, "sensitivity": 1.0, "times": 4}])
    first, second = (made.release.number_setting("a").scale(0.5) for made in (once, four))
    assert second == pytest.approx(2.0 * first, rel=1e-12)
    pure = decided(mechanism="laplace", parts=[{"name": "a", "share": 1.0, "sensitivity": 1.0, "times": 4}])
    assert pure.release.number_setting("a").scale(0.5) == pytest.approx(8.0, rel=1e-12)
    assert assess(four).accounting.rho == 0.5


def years_of(amounts: dict[str, float], at_most: int | None, neighbours: str) -> Any:
    parts = [{"name": y, "year": y, "rho": rho, "sensitivity": 1.0} for y, rho in amounts.items()]
    return decided(neighbours=neighbours, at_most_years=at_most, parts=parts)


@pytest.mark.parametrize("at_most", [1, 2, 3, None])
def test_years_add_up_as_far_as_one_person_can_be_in_them(at_most: int | None) -> None:
    amounts = {"2024": 0.5, "2025": 0.125, "2026": 0.02}
    found = years_of(amounts, at_most, "add_remove")
    assert found.chosen == pytest.approx(sum(sorted(amounts.values(), reverse=True)[:at_most]), rel=1e-12)
    for name, rho in amounts.items():  # each keeps the noise of its own amount
        assert found.release.number_setting(name).scale(found.chosen) == pytest.approx(math.sqrt(0.5 / rho), rel=1e-9)
    told = assess(years_of(amounts, at_most, "add_remove")).accounting
    parts = tuple(Part(sensitivity=1.0, sd=math.sqrt(0.5 / rho), year=name) for name, rho in amounts.items())
    assert told.mu == pytest.approx(total(parts=parts, at_most=at_most).mu, rel=1e-9)


def test_a_table_of_one_group_in_two_years_counts_in_both() -> None:
    parts = [{"name": y, "group": "districts", "year": y, "epsilon": 0.5, "sensitivity": 1.0} for y in ("1", "2")]
    assert decided(mechanism="laplace", parts=parts).chosen == 1.0
    same = [{**part, "year": "1"} for part in parts]
    assert decided(mechanism="laplace", parts=same).chosen == 0.5


@pytest.mark.parametrize(
    ("mechanism", "distinct", "neighbours", "sensitivity"),
    [
        ("geometric", True, "add_remove", 10.0),
        ("gaussian", True, "add_remove", math.sqrt(10.0)),
        ("gaussian", False, "add_remove", 10.0),
        ("gaussian", True, "replace", math.sqrt(20.0)),
        ("laplace", False, "replace", 20.0),
    ],
)
def test_a_cap_gives_the_sensitivity_of_a_histogram(
    mechanism: str, distinct: bool, neighbours: str, sensitivity: float
) -> None:
    found = decided(
        mechanism=mechanism, statistic="histogram", neighbours=neighbours, cap=10, distinct_cells=distinct, dimension=50
    )
    assert found.release.tables[0].sensitivity == pytest.approx(sensitivity, rel=1e-15)
    assert "sensitivity" not in found.release.missing()


@pytest.mark.parametrize(("mechanism", "power"), [("gaussian", 1.0), ("laplace", 2.0)])
def test_by_weights_no_other_shares_have_a_smaller_sum(mechanism: str, power: float) -> None:
    weights, far, made = (1.0, 4.0, 0.25), (1.0, 2.0, 5.0), (1, 3, 1)
    parts = [
        {"name": str(i), "sensitivity": d, "weight": w, "times": t}
        for i, (w, d, t) in enumerate(zip(weights, far, made, strict=True))
    ]
    tables = decided(mechanism=mechanism, allocation="weights", parts=parts).planned.release.tables
    shares = [float(table.portion) for table in tables]

    def loss(shares: list[float]) -> float:
        each = zip(weights, far, made, shares, strict=True)
        return sum(w * t * d**2 / (share / t) ** power for w, d, t, share in each)

    assert sum(shares) == pytest.approx(1.0, rel=1e-12)
    for i, j, step in itertools.product(range(3), range(3), (1e-3, 1e-2)):
        moved = [share + step * ((k == i) - (k == j)) for k, share in enumerate(shares)]
        assert loss(moved) >= loss(shares) * (1 - 1e-12)
