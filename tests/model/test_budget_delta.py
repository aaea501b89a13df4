"""A budget under Gaussian noise counts delta in all: every repetition, with all tables of one."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.decision import RequirementResult, assess, read_decision
from dpwizard.privacy import mechanisms
from dpwizard.privacy.accounting import composition
from dpwizard.records import making
from dpwizard.wording import explain

RELEASE = {
    "statistic": "vector",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "gaussian",
    "delta": 1e-6,
    "unit": "one person",
}
TABLES = [{"name": name, "sensitivity": 1, "share": 0.5} for name in "AB"]


def answered(
    budget: dict[str, Any], epsilon: float | None = None, **release: Any
) -> tuple[RequirementResult, dict[str, Any]]:
    raw = {
        "format": "dpwizard.decision/1",
        "release": {**RELEASE, **release},
        "requirements": [{"kind": "budget", **budget}],
    }
    decision = read_decision(raw | ({"epsilon": epsilon} if epsilon is not None else {}))
    assessment = assess(decision)
    return assessment.answers[0], making.accounting(decision)


@pytest.mark.parametrize("parts", [[], TABLES], ids=["one table", "two tables"])
def test_a_budget_counts_the_delta_of_all_repetitions_and_tables(parts: list[dict[str, Any]]) -> None:
    answer, accounts = answered({"total": 3.0, "delta": 2e-6}, 0.5, repetitions=3, parts=parts)
    assert answer.status == "infeasible"
    assert answer.why.values["spent"] == accounts["delta_in_all"] == 3e-6
    assert (
        answered({"total": 3.0, "delta": 3e-6}, repetitions=3, parts=parts)[0].status == "allowed"
    )  # 3 times 1e-6 is 3e-6


@pytest.mark.parametrize("parts", [[], TABLES], ids=["one table", "two tables"])
def test_a_budget_without_a_delta_of_its_own_says_what_delta_comes_to(parts: list[dict[str, Any]]) -> None:
    answer, accounts = answered({"total": 3.0}, 0.5, repetitions=3, parts=parts)
    assert answer.why.values["delta"] == accounts["delta_in_all"]
    assert "a delta of 0.000003 in all" in explain.why(answer.why)


def test_the_tight_rule_spends_the_budgets_delta_once_over_all_repetitions() -> None:
    """The tight limit, seen from the curve of Gaussian noise: all repetitions together keep the budget's total and
    delta."""
    answer, _ = answered({"total": 2.0, "composition": "tight", "delta": 1e-5}, repetitions=4)
    assert answer.epsilon is not None
    sd = mechanisms.GAUSSIAN.scale(answer.epsilon, 1.0, 1e-6)
    assert composition.gaussian(sigma=sd, sensitivity=1.0, releases=4, delta=1e-5) <= 2.0 * (1 + 1e-9)
    of_two, _ = answered({"total": 2.0, "composition": "tight", "delta": 1e-5}, repetitions=4, parts=TABLES)
    assert of_two.status == "not_applicable" or (of_two.epsilon or 0.0) <= answer.epsilon
