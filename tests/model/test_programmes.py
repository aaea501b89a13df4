"""Programmes of tables against enumeration, a convex solver of somebody else's, and their own conditions."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import pytest

from dpwizard.privacy import compute


def answer(function: str, **arguments: Any) -> dict[str, Any]:
    return compute.answer(json.dumps({"id": 1, "fn": f"programme.{function}", "args": arguments}))


def asked(function: str, **arguments: Any) -> Any:
    found = answer(function, **arguments)
    assert found["ok"], found
    return found["value"]


def test_disjoint_tables_count_their_largest_and_a_move_between_the_two_largest() -> None:
    parts = [{"sensitivity": 1, "sensitivity_value": 1, "sd": sd, "group": "regions"} for sd in (1.0, 2.0, 4.0)]
    found = asked("total", parts=parts)
    assert found["mu"] == pytest.approx(1.0)
    assert found["mu_value"] == pytest.approx(math.sqrt(1 + 1 / 4))
    assert asked("total", parts=[{"sensitivity": 1, "sd": 2, "times": 4}]) == {
        "mu": pytest.approx(1.0),
        "mu_value": pytest.approx(2.0),
    }


def test_two_values_of_one_year_count_though_presence_changes_far_more() -> None:
    for sensitivity in (1e4, 1e8, 1e9):  # a sum of values from 1e9 to 1e9 + 1
        table = {"sensitivity": sensitivity, "sensitivity_value": 1, "sd": 1, "year": "2025"}
        assert 1.0 <= asked("total", parts=[table], at_most=1)["mu_value"] <= 1.0 + 1e-14


def test_needs_are_met_with_no_less() -> None:
    tables = [
        {"sensitivity": 1, "rmse": 5},
        {"sensitivity": 3, "mean_absolute_error": 2, "times": 3},
        {"sensitivity": 2, "half_width": 9, "level": 0.9},
    ]
    sds = (5, 2 * math.sqrt(math.pi / 2), 9 / 1.6448536269514722)
    mu = math.sqrt(math.fsum(t.get("times", 1) * (t["sensitivity"] / s) ** 2 for t, s in zip(tables, sds, strict=True)))
    found = asked("need", tables=tables, mechanism="gaussian")
    assert found["mu"] == pytest.approx(mu, rel=1e-12)
    assert found["rho"] == pytest.approx(mu * mu / 2, rel=1e-12)
    assert found["mu_value"] == pytest.approx(2 * mu, rel=1e-12)
    # the household tables of a census: margins of 3, 11 and 50 at 1.96 standard deviations, squared L2 sensitivity 9
    for margin, rho in ((3, 1.920800), (11, 0.142869), (50, 0.006915)):
        one = asked("need", tables=[{"sensitivity": 3, "rmse": margin / 1.96}], mechanism="gaussian")
        assert one["rho"] == pytest.approx(rho, abs=5e-7)


@pytest.mark.parametrize(("mechanism", "least"), [("gaussian", 0.08), ("laplace", math.sqrt(2) / 2.5)])
def test_needs_beyond_the_total_are_refused_with_the_factor_that_widens_them(mechanism: str, least: float) -> None:
    made = {"weights": [1, 2, 1], "sensitivities": [1, 1, 1], "mechanism": mechanism, "total": 0.07 * least}
    sds = (2.5, 5.0, None)
    found = answer("share", **made, at_most_sd=sds)
    assert not found["ok"]
    factor = float(re.search(r"Multiply every at_most_sd by (\d+\.?\d*)", found["error"]["hint"])[1])
    assert asked("share", **made, at_most_sd=[sd and sd * factor for sd in sds])["loss"] > 0
    assert not answer("share", **made, at_most_sd=[sd and sd * factor * (1 - 2e-5) for sd in sds])["ok"]


@pytest.mark.parametrize("total", [1.5, 2.0, 3.0, 9.0])
def test_tables_above_their_needs_share_what_is_left_in_proportion(total: float) -> None:
    needs, weights = (0.5, 0.01, 0.3, 0.2, 0.02), (1.0, 4.0, 25.0, 0.01, 9.0)  # of Gaussian noise: rho = 1/(2 sd^2)
    sds = [math.sqrt(0.5 / need) for need in needs]
    made = {"weights": weights, "sensitivities": [1] * 5, "mechanism": "gaussian", "at_most_sd": sds}
    rhos = asked("share", **made, total=total)["rho"]
    assert math.fsum(rhos) == pytest.approx(total)
    levels = [rho / math.sqrt(weight) for rho, weight in zip(rhos, weights, strict=True)]
    free = [level for level, rho, need in zip(levels, rhos, needs, strict=True) if rho > need * (1 + 1e-9)]
    assert free == [pytest.approx(min(levels))] * len(free)
    assert all(rho >= need * (1 - 1e-9) for rho, need in zip(rhos, needs, strict=True))


def test_a_factor_that_is_a_whole_number_is_said_as_one() -> None:
    found = answer("share", weights=[1], sensitivities=[1], total=0.02, mechanism="gaussian", at_most_sd=[2.5])
    assert "Multiply every at_most_sd by 2," in found["error"]["hint"]
    widened = asked("share", weights=[1], sensitivities=[1], total=0.02, mechanism="gaussian", at_most_sd=[5.0])
    assert widened["rho"] == [pytest.approx(0.02)]


def test_a_ledger_adds_what_is_of_the_same_people_and_says_where_it_cannot() -> None:
    def record(**more: Any) -> dict[str, Any]:
        return {"accounting": {"epsilon": 1.0}, "population": "city", "unit": "person", **more}

    found = asked("ledger", records=[record(), record(), record(unit="household")], population="city", unit="person")
    assert found["epsilon"] == pytest.approx(2.0)
    assert found["rho"] == pytest.approx(1.0)
    assert [entry["position"] for entry in found["entries"]] == [0, 1]
    mixed = asked("ledger", records=[record(), record(neighbours="replace")], population="city", unit="person")
    assert mixed["neighbours"] == "replace"
    assert mixed["epsilon"] == pytest.approx(3.0)
    assert mixed["rho"] == pytest.approx(4 * 0.5 + 0.5)
    told = record(accounting={"epsilon": 2.0, "delta": 1e-6, "rho": 0.1})
    both = asked("ledger", records=[record(), told], population="city", unit="person")
    assert (both["rho"], both["delta"]) == (pytest.approx(0.6), pytest.approx(1e-6))
    unknown = asked("ledger", records=[record(accounting={})], population="city", unit="person")
    assert unknown["epsilon"] is None
    assert asked("ledger", records=[], population="city", unit="person")["epsilon"] == 0.0


@pytest.mark.parametrize(
    ("function", "arguments", "where"),
    [
        ("need", {"tables": [], "mechanism": "gaussian"}, "tables"),
        ("need", {"tables": [{"sensitivity": 1}], "mechanism": "gaussian"}, "rmse"),
        ("need", {"tables": [{"sensitivity": 1, "half_width": 2}], "mechanism": "laplace"}, "level"),
        ("share", {"weights": [1], "sensitivities": [1, 2], "total": 1, "mechanism": "gaussian"}, "sensitivities"),
        ("share", {"weights": [0], "sensitivities": [1], "total": 1, "mechanism": "gaussian"}, "weights[0]"),
        ("total", {"parts": [{"sensitivity": 1, "sd": 0}]}, "parts[0].sd"),
        ("fair_factor", {"need": 1, "cap": 0}, "cap"),
        ("total", {"parts": [{"sensitivity": 1e200, "sd": 1e-5}]}, "parts"),
        ("need", {"tables": [{"sensitivity": 1e200, "rmse": 1e-5}], "mechanism": "gaussian"}, "tables"),
        ("share", {"weights": [1e300, 1], "sensitivities": [1e300, 1], "total": 1, "mechanism": "gaussian"}, "weights"),
        (
            "share",
            {"weights": [1], "sensitivities": [1e300], "total": 1, "mechanism": "laplace", "at_most_sd": [1e-300]},
            "at_most_sd",
        ),
        ("requirement_factor", {"p": 0.5, "q": 0.5, "ratio": 2, "tolerance": 0.1, "mu": 1e300, "mu_value": 1}, "mu"),
    ],
)
def test_figures_that_cannot_be_are_refused_by_name(function: str, arguments: dict[str, Any], where: str) -> None:
    found = answer(function, **arguments)
    assert not found["ok"]
    assert where in found["error"]["where"]
