"""What reviewers ask beside the mathematics: kept, printed by name, and said plainly where no budget covers it."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.decision import assess, assumptions, problems, read_decision, written
from dpwizard.wording import general_promise
from tests.samples.decisions import example


def durham(release: dict[str, Any] | None = None, **details: Any) -> Any:
    raw = example("durham")
    raw["release"] |= release or {}
    raw["details"] = raw.get("details", {}) | details
    return read_decision(raw)


def named(decision: Any) -> set[str]:
    return {problem.figures.get("assumption", problem.key) for problem in problems(decision)}


FULL: dict[str, Any] = {
    "actors": [{"name": "County health department", "role": "curator", "sees": "everything"}],
    "collection": "The law asks for every death.",
    "data_domain": "County and year.",
    "domain_source": "rules",
    "tuned_on": "earlier_release",
    "tuning": "Once, on the figures published in 2019.",
    "implementation": "OpenDP 0.14",
    "floating_point": "whole_numbers",
    "randomness": "secure",
    "checked": "Reviewed by two people.",
    "access": "Three people.",
    "security": "On one machine.",
    "small_groups": [5, 10, 50],
    "groups": "Small hospitals.",
}


def test_all_that_reviewers_ask_is_kept_as_it_was_typed() -> None:
    decision = durham(**FULL)
    assert written(decision)["details"] | FULL == written(decision)["details"]
    assert read_decision(written(decision)) == decision
    assert assess(decision).window == assess(durham()).window


@pytest.mark.parametrize(
    ("field", "said", "key"),
    [
        ("tuned_on", "confidential", "tuned_on_confidential"),
        ("domain_source", "confidential", "domain_from_confidential"),
        ("floating_point", "ordinary", "ordinary_floating_point"),
        ("floating_point", "unknown", "ordinary_floating_point"),
        ("randomness", "seeded", "chance_foreseen"),
        ("randomness", "unknown", "chance_foreseen"),
    ],
)
def test_what_no_budget_covers_is_to_be_acknowledged(field: str, said: str, key: str) -> None:
    assert key not in assumptions(durham())
    assert key in assumptions(durham(**{field: said}))
    assert key in named(durham(**{field: said}))


@pytest.mark.parametrize("field", ["tuned_on", "domain_source", "floating_point", "randomness"])
def test_what_is_harmless_asks_for_nothing_more(field: str) -> None:
    assert assumptions(durham(**{field: FULL[field]})) == assumptions(durham())


@pytest.mark.parametrize("model", ["local", "shuffle"])
def test_nothing_is_promised_where_each_device_adds_its_own_noise(model: str) -> None:
    decision = durham({"trust_model": model})
    assessment = assess(decision)
    assert {(answer.status, answer.why.key) for answer in assessment.answers} == {("not_applicable", "not_one_curator")}
    assert assessment.window.upper is None
    assert "not_one_curator" in named(decision)
    assert general_promise.nothing_holds(decision.release) == "flawed"


def test_several_offices_together_promise_what_one_does_if_they_keep_apart() -> None:
    one, several = durham({"trust_model": "central"}), durham({"trust_model": "several"})
    assert assess(one).window == assess(several).window == assess(durham()).window
    assert set(assumptions(several)) - set(assumptions(one)) == {"several_keep_apart"}
