"""Tables of several periods, of which one unit is in few: never less is counted than the unit may lose."""

from __future__ import annotations

import random
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import Decision, assess
from dpwizard.privacy.programme import history
from tests.samples.decisions import decided

QUARTERS = [f"{2023 + at // 4}-Q{at % 4 + 1}" for at in range(11)]
BUDGET: dict[str, Any] = {"kind": "budget", "total": 1.0, "composition": "basic"}


def of(spans: list[tuple[int, int, float]], in_periods: Any = None, **part: Any) -> Decision:
    parts = [
        {"name": str(at), "sensitivity": 1, "period": f"{QUARTERS[first]}/{QUARTERS[last]}", "mechanism": "laplace"}
        | {"epsilon": amount, **part}
        for at, (first, last, amount) in enumerate(spans)
    ]
    return decided(BUDGET, parts=parts, in_periods=in_periods)


def counted(decision: Decision) -> float:
    return float(decision.release.stated_budget)


ROLLING = [(at, at, 0.1) for at in range(3, 11)] + [(at - 3, at, 0.05) for at in range(3, 11)]


@pytest.mark.parametrize(
    ("in_periods", "amount"),
    [
        (None, 1.2),
        ({"at_most": 1, "of": "quarter"}, 0.3),
        ({"at_most": 2, "of": "quarter"}, 0.6),
        ({"at_most": 2, "of": "quarter", "rule": "run"}, 0.45),
        ({"at_most": 1, "of": "month"}, 0.3),
    ],
)
def test_quarters_and_rolling_years_come_to_the_published_sums(in_periods: Any, amount: float) -> None:
    assert counted(of(ROLLING, in_periods)) == pytest.approx(amount, rel=1e-12)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_counted_is_the_history_of_the_programme(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(12):
        ends = [sorted((rng.randrange(11), rng.randrange(11))) for _ in range(rng.randint(1, 6))]
        spans = [(first, last, rng.choice([0.25, 0.5, 1.0])) for first, last in ends]
        rule: dict[str, Any] = {"at_most": rng.randint(1, 3), "rule": rng.choice(["any", "run", "rolling"])}
        rule |= {"within": rng.randint(rule["at_most"], 5)} if rule["rule"] == "rolling" else {}
        tables: Any = [{"first": first, "last": last, "amount": amount} for first, last, amount in spans]
        most = history(tables=tables, **rule).amount
        assert counted(of(spans, {**rule, "of": "quarter"})) == pytest.approx(most, rel=1e-9)


def test_too_many_sets_of_tables_are_counted_period_by_period_and_all_where_one_reads_several() -> None:
    many = [(at % 11, at % 11, 0.25) for at in range(22)]
    assert counted(of(many, {"at_most": 5, "of": "quarter"})) == pytest.approx(5 * 2 * 0.25)
    assert counted(of([*many, (0, 1, 0.25)], {"at_most": 5, "of": "quarter"})) == pytest.approx(23 * 0.25)


def test_somebody_who_moves_within_a_period_is_in_two_tables_of_a_group() -> None:
    spans = [(0, 0, 0.5), (0, 0, 0.25)]
    assert counted(of(spans, group="districts")) == 0.75
    assert counted(of(spans, {"at_most": 1, "of": "quarter"}, group="districts")) == 0.75


def test_two_values_of_a_unit_may_be_in_twice_as_many_periods() -> None:
    decision = of([(at, at, 0.25) for at in range(4)], {"at_most": 1, "of": "quarter"})
    assert counted(decision) == 0.25
    assert decision.release.model_copy(update={"neighbours": "replace"}).stated_budget == 0.5
    assert assess(decision).answers[0].epsilon == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("part", "in_periods", "where"),
    [
        ({"period": "2025-Q5"}, None, "parts[0].period"),
        ({"period": "2025-12/2025-01"}, None, "parts[0].period"),
        ({"year": "2025"}, None, "parts[0].period"),
        ({"period": "2025-03"}, {"at_most": 1, "of": "quarter"}, "parts[0].period"),
        ({}, {"at_most": 1, "of": "quarter", "rule": "rolling"}, "in_periods.within"),
        ({}, {"at_most": 1, "of": "quarter", "within": 4}, "in_periods.within"),
        ({}, {"at_most": 0, "of": "quarter"}, "in_periods.at_most"),
    ],
)
def test_periods_that_contradict_are_refused(part: dict[str, Any], in_periods: Any, where: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        of([(0, 0, 0.5)], in_periods, **part)
    assert refused.value.where == f"$.release.{where}"
