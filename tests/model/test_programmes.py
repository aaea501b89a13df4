"""Programmes of tables against enumeration, a convex solver of somebody else's, and their own conditions."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import optimize

from dpwizard.privacy import compute


def answer(function: str, **arguments: Any) -> dict[str, Any]:
    return compute.answer(json.dumps({"id": 1, "fn": f"programme.{function}", "args": arguments}))


def asked(function: str, **arguments: Any) -> Any:
    found = answer(function, **arguments)
    assert found["ok"], found
    return found["value"]


def test_what_a_person_loses_in_some_of_the_years_is_the_largest_by_enumeration() -> None:
    rng = random.Random(20_261_123)
    for _ in range(60):
        years = [
            (rng.uniform(0.1, 2), rng.choice([rng.uniform(1, math.sqrt(2)), rng.uniform(0.1, 1), 2.0]))
            for _ in range(rng.randint(2, 5))
        ]
        parts = [
            {"sensitivity": 1, "sensitivity_value": c, "sd": 1 / mu, "year": str(i)} for i, (mu, c) in enumerate(years)
        ]
        squares = [(mu * mu, (c * mu) ** 2) for mu, c in years]
        for most in range(1, len(years) + 1):
            chosen = [set(one) for n in range(most + 1) for one in itertools.combinations(range(len(years)), n)]
            presence = max(sum(squares[i][0] for i in one) for one in chosen)
            value = max(
                sum(squares[i][1] for i in one & two) + sum(squares[i][0] for i in one ^ two)
                for one in chosen
                for two in chosen
            )
            found = asked("total", parts=parts, at_most=most)
            assert found["mu"] == pytest.approx(math.sqrt(presence), rel=1e-12)
            assert found["mu"] >= math.sqrt(presence) * (1 - 1e-15)
            assert found["mu_value"] >= math.sqrt(value) * (1 - 1e-15)
            if all(c <= math.sqrt(2) for _, c in years):
                assert found["mu_value"] == pytest.approx(math.sqrt(value), rel=1e-12)
        assert asked("total", parts=parts) == found, "no limit is the limit of all years"


def test_in_one_year_alone_two_values_differ_by_what_the_table_says() -> None:
    narrow = {"sensitivity": 10, "sensitivity_value": 1, "sd": 1}
    for year in ({}, {"year": "2024"}):
        for most in (1, 3, None):
            found = asked("total", parts=[{**narrow, **year}], at_most=most)
            assert found == {"mu": pytest.approx(10.0), "mu_value": pytest.approx(1.0)}


def test_a_limit_on_the_years_never_raises_what_is_lost() -> None:
    parts = [{"sensitivity": 10, "sensitivity_value": 1, "sd": 10, "year": year} for year in ("2024", "2025")]
    found = [asked("total", parts=parts, at_most=most)["mu_value"] for most in (1, 2)]
    assert found == sorted(found)
    assert found[-1] == asked("total", parts=parts)["mu_value"]


def test_disjoint_tables_count_their_largest_and_a_move_between_the_two_largest() -> None:
    parts = [{"sensitivity": 1, "sensitivity_value": 1, "sd": sd, "group": "regions"} for sd in (1.0, 2.0, 4.0)]
    found = asked("total", parts=parts)
    assert found["mu"] == pytest.approx(1.0)
    assert found["mu_value"] == pytest.approx(math.sqrt(1 + 1 / 4))
    assert asked("total", parts=[{"sensitivity": 1, "sd": 2, "times": 4}]) == {
        "mu": pytest.approx(1.0),
        "mu_value": pytest.approx(2.0),
    }


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


@pytest.mark.parametrize("mechanism", ["gaussian", "laplace"])
def test_shares_are_the_best_by_a_solver_of_somebody_else_and_by_perturbation(mechanism: str) -> None:
    rng = np.random.default_rng(20_261_123)
    for _ in range(25):
        count = int(rng.integers(2, 7))
        weights, sensitivities = rng.uniform(0.1, 10, count), rng.uniform(0.5, 4, count)
        total = float(rng.uniform(0.2, 3))
        power = 1 if mechanism == "gaussian" else 2
        scale = sensitivities**2 / 2 if mechanism == "gaussian" else 2 * sensitivities**2
        even = total / count
        limits = [
            float(np.sqrt(s / (even * rng.uniform(0.3, 1.0)) ** power)) if rng.random() < 0.5 else None for s in scale
        ]
        made = {"weights": weights.tolist(), "sensitivities": sensitivities.tolist(), "total": total}
        found = asked("share", **made, mechanism=mechanism, at_most_sd=limits)
        own = np.array(found["rho" if mechanism == "gaussian" else "epsilons"])
        assert math.fsum(own) <= total
        least = np.array(
            [0.0 if sd is None else (s / sd**2) ** (1 / power) for s, sd in zip(scale, limits, strict=True)]
        )
        assert (own >= least * (1 - 1e-12)).all()

        def loss(shares: np.ndarray, w: np.ndarray = weights, s: np.ndarray = scale, n: int = power) -> float:
            return float(np.sum(w * s / shares**n))

        assert found["loss"] == pytest.approx(loss(own), rel=1e-12)
        start = least + (total - least.sum()) / count
        solved = optimize.minimize(
            loss,
            start,
            method="SLSQP",
            bounds=[(max(low, 1e-6), total) for low in least],
            constraints=[{"type": "ineq", "fun": lambda x, t=total: t - x.sum()}],
            options={"ftol": 1e-14, "maxiter": 500},
        )
        kept = solved.x * min(1.0, total / solved.x.sum())  # the solver oversteps its bounds a little
        if (kept >= least * (1 - 1e-6)).all():
            assert found["loss"] <= loss(kept) * (1 + 1e-5)
        for _ in range(10):
            moved = own + rng.normal(0, 0.01 * total, count)
            moved = np.maximum(moved, np.maximum(least, 1e-9))
            if moved.sum() <= total:
                assert loss(moved) >= found["loss"] * (1 - 1e-12)


@pytest.mark.parametrize(("mechanism", "least"), [("gaussian", 0.08), ("laplace", math.sqrt(2) / 2.5)])
def test_needs_beyond_the_total_are_refused_with_the_factor_that_widens_them(mechanism: str, least: float) -> None:
    made = {"weights": [1, 2, 1], "sensitivities": [1, 1, 1], "mechanism": mechanism, "total": 0.07 * least}
    sds = (2.5, 5.0, None)
    found = answer("share", **made, at_most_sd=sds)
    assert not found["ok"]
    factor = float(re.search(r"Widen every at_most_sd ([0-9.]+) times", found["error"]["hint"])[1])
    assert asked("share", **made, at_most_sd=[sd and sd * factor for sd in sds])["loss"] > 0
    assert not answer("share", **made, at_most_sd=[sd and sd * factor * (1 - 2e-5) for sd in sds])["ok"]


def test_a_factor_that_is_a_whole_number_is_said_as_one() -> None:
    found = answer("share", weights=[1], sensitivities=[1], total=0.02, mechanism="gaussian", at_most_sd=[2.5])
    assert "at_most_sd 2 times" in found["error"]["hint"]
    widened = asked("share", weights=[1], sensitivities=[1], total=0.02, mechanism="gaussian", at_most_sd=[5.0])
    assert widened["rho"] == [pytest.approx(0.02)]


def test_the_fair_factor_just_keeps_the_cap() -> None:
    assert asked("fair_factor", need=2, cap=1.25) == pytest.approx(1.6)
    assert asked("fair_factor", need=1, cap=1.25) == 1.0
    tables = [{"sensitivity": 1, "rmse": 0.5}, {"sensitivity": 1, "rmse": 2, "times": 2}]
    factor = asked("fair_factor_geometric", tables=tables, cap=1.0)

    def spent(t: float) -> float:
        return math.fsum(
            one.get("times", 1)
            * compute.answer(
                json.dumps(
                    {
                        "id": 1,
                        "fn": "accuracy.epsilon_for_rmse",
                        "args": {"mechanism": "geometric", "sensitivity": 1, "at_most": t * one["rmse"]},
                    }
                )
            )["value"]
            for one in tables
        )

    assert spent(factor) <= 1.0 < spent(factor * (1 - 1e-9))


def test_the_factor_of_a_promise_brings_the_programme_to_its_edge() -> None:
    made = {"p": 0.1, "q": 0.5, "ratio": 3, "tolerance": 0.01}
    factor = asked("requirement_factor", **made, mu=1.5, mu_value=2)
    at = {"kind": "gaussian", "mu": 1.5 / factor}
    told = compute.answer(
        json.dumps(
            {
                "id": 1,
                "fn": "gaussian_risk.risk",
                "args": {"p": 0.1, "q": 0.5, "mechanism": at, "tolerance": 0.01, "replace_factor": 2 / 1.5},
            }
        )
    )["value"]
    assert told["ratio"] == pytest.approx(3, rel=1e-10)
    assert asked("requirement_factor", **made, mu=0.01, mu_value=0.02) == 1.0
    assert not answer("requirement_factor", **{**made, "ratio": 1}, mu=1, mu_value=1)["ok"]
    assert asked("requirement_factor", **{**made, "ratio": "inf"}, mu=9, mu_value=9) == 1.0


@pytest.mark.parametrize("spread", [0.3, 1.0, 1.4, 2.0, 5.0])
@pytest.mark.parametrize("ratio", [1.0000001, 1.01, 3.0, 15.0])
def test_the_factor_of_a_promise_is_at_its_edge_by_many_digits(ratio: float, spread: float) -> None:
    p, q, tolerance, mu = 0.125, 0.5, 0.01, 50.0
    with mpmath.workdps(60):
        z = mpmath.findroot(lambda x: mpmath.ncdf(x) - mpmath.mpf(tolerance), -2.3)

        def over(factor: float) -> Any:  # w0 (1 - x1) + w1 (1 - x2) may be at most 1 - 1/r
            lost = [1 - mpmath.ncdf(z - mu * c / mpmath.mpf(factor)) / mpmath.mpf(tolerance) for c in (1, spread)]
            return (1 - p) * lost[0] + p * (1 - q) * lost[1] - (1 - 1 / mpmath.mpf(ratio))

        factor = asked("requirement_factor", p=p, q=q, ratio=ratio, tolerance=tolerance, mu=mu, mu_value=mu * spread)
        assert over(factor) <= 0 < over(factor * (1 - 1e-9))


def test_a_ledger_reads_the_accounting_as_an_assessment_states_it() -> None:
    told = {"rho": 0.1, "mu": 0.44, "delta": 1e-6, "epsilon": 2.1, "conversions": [{"rule": "cks", "epsilon": 2.2}]}
    record = {"accounting": {**told, "per_person": told}, "population": "city", "unit": "person"}
    found = asked("ledger", records=[record, record], population="city", unit="person")
    assert (found["rho"], found["epsilon"], found["delta"]) == (
        pytest.approx(0.2),
        pytest.approx(4.2),
        pytest.approx(2e-6),
    )


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
        ("need", {"tables": [{"sensitivity": 1, "rmse": 1, "half_width": 2}], "mechanism": "gaussian"}, "rmse"),
        ("need", {"tables": [{"sensitivity": 1, "half_width": 2}], "mechanism": "laplace"}, "level"),
        ("share", {"weights": [1], "sensitivities": [1, 2], "total": 1, "mechanism": "gaussian"}, "sensitivities"),
        ("share", {"weights": [0], "sensitivities": [1], "total": 1, "mechanism": "gaussian"}, "weights[0]"),
        ("total", {"parts": [{"sensitivity": 1, "sd": 0}]}, "parts[0].sd"),
        ("fair_factor", {"need": 1, "cap": 0}, "cap"),
        ("total", {"parts": [{"sensitivity": 1e200, "sd": 1e-5}]}, "parts"),
        ("total", {"parts": [{"sensitivity": 1e-200, "sd": 1e5}]}, "parts"),
        ("need", {"tables": [{"sensitivity": 1e200, "rmse": 1e-5}], "mechanism": "gaussian"}, "tables"),
        ("need", {"tables": [{"sensitivity": 1e300, "rmse": 1e-300}], "mechanism": "laplace"}, "tables"),
        (
            "share",
            {"weights": [1e300, 1], "sensitivities": [1e300, 1], "total": 1, "mechanism": "gaussian"},
            "weights",
        ),
        (
            "share",
            {"weights": [1], "sensitivities": [1e300], "total": 1, "mechanism": "laplace", "at_most_sd": [1e-300]},
            "at_most_sd",
        ),
        (
            "requirement_factor",
            {"p": 0.5, "q": 0.5, "ratio": 2, "tolerance": 0.1, "mu": 1e300, "mu_value": 1},
            "mu",
        ),
    ],
)
def test_figures_that_cannot_be_are_refused_by_name(function: str, arguments: dict[str, Any], where: str) -> None:
    found = answer(function, **arguments)
    assert not found["ok"]
    assert where in found["error"]["where"]
