"""Every table of a release in one list: what each row says is what the need, the noise and the budget come to."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.base.language import LANGUAGES, counting, speaking
from dpwizard.charts import every_table
from dpwizard.decision import Decision, assess, read_decision
from dpwizard.decision.requirements import kinds
from dpwizard.questions import table_kinds
from tests.samples.census import census
from tests.samples.requirements import each

TWO = {"neighbours": "add_remove", "unit": "one person", "statistic": "count"}


def found(raw: dict[str, Any]) -> tuple[Decision, tuple[every_table.TableRow, ...]]:
    """Return the decision that RAW says, and its tables."""
    decision = read_decision(raw).planned
    answers = assess(decision).answers
    return decision, every_table.rows(
        decision.release, decision.chosen, zip(decision.requirements, answers, strict=True)
    )


def of_two(mechanism: str, *needs: dict[str, Any], epsilon: float | None = 1.0, **rest: Any) -> dict[str, Any]:
    """Return a decision on two tables, a with a quarter of the budget and b with half."""
    parts = [{"name": "a", "sensitivity": 1, "share": 0.25}, {"name": "b", "sensitivity": 2, "share": 0.5}]
    raw = {"format": "dpwizard.decision/1", "release": {**TWO, "mechanism": mechanism, "parts": parts, **rest}}
    raw |= {"requirements": list(needs)} | ({} if epsilon is None else {"epsilon": epsilon})
    return raw


def test_the_tightest_need_comes_first_then_the_unanswered_and_then_tables_without_one() -> None:
    _, rows = found(census())
    assert len(rows) == 65
    needed = [row.needed for row in rows if row.needs]
    assert None not in needed
    assert needed == sorted(needed, key=lambda value: -(value or 0.0))
    assert [bool(row.needs) for row in rows] == [True] * len(needed) + [False] * (65 - len(needed))
    raw = of_two(
        "laplace", {"kind": "rmse", "part": "b"}, {"kind": "rmse", "at_most": 3}
    )  # one unanswered, one of none
    _, rows = found(raw)
    assert [(row.name, len(row.needs)) for row in rows] == [("b", 1), ("a", 0)]
    assert rows[0].needed is None


def test_the_factor_is_at_least_1_exactly_where_the_need_is_kept() -> None:
    needs = [{"kind": "rmse", "part": "a", "at_most": at} for at in (2, 5, 5.656854249492381, 5.7, 9)]
    _, rows = found(of_two("laplace", *needs))
    one = next(row for row in rows if row.name == "a")
    assert len(one.needs) == 5
    assert one.kept is False
    for need in one.needs:
        assert (need.left >= 1.0) is need.answer.met
        assert need.left == pytest.approx(dict(need.requirement)["at_most"] / 5.656854249492381, rel=1e-9)
    assert [need.needed for need in one.needs] == sorted((need.needed for need in one.needs), reverse=True)


def test_a_need_that_no_budget_meets_is_the_tightest_and_one_without_a_budget_has_no_factor() -> None:
    never = {"kind": "exact_probability", "part": "a", "at_least": 1.0}
    some = {"kind": "rmse", "part": "b", "at_most": 0.001}
    _, rows = found(of_two("geometric", never, some))
    assert [row.name for row in rows] == ["a", "b"]
    assert rows[0].needed == math.inf
    assert every_table.cell(rows[0], "left") == "never enough"
    _, rows = found(of_two("geometric", some, epsilon=None))
    assert (rows[0].figures.sd, rows[0].figures.privacy_loss, rows[0].needs[0].left, rows[0].kept) == (
        None,
        None,
        None,
        None,
    )
    assert "Choose an epsilon" in every_table.summary(rows, None)


def test_a_table_without_noise_tells_everything_and_a_switched_off_need_says_nothing() -> None:
    off = {"kind": "rmse", "part": "a", "at_most": 1, "enabled": False, "off_reason": "Not needed."}
    raw = of_two("laplace", off)
    raw["release"]["parts"][1] |= {"mechanism": "exact"}
    del raw["release"]["parts"][1]["share"]
    _, rows = found(raw)
    assert all(not row.needs for row in rows)
    exact = next(row for row in rows if row.name == "b")
    figures = exact.figures
    assert (figures.privacy_loss, figures.sd, figures.half_width, figures.share) == (math.inf, 0.0, 0.0, None)
    assert every_table.cell(exact, "tells") == "everything"
    assert every_table.summary(rows, 1.0) == "Tables: 2. None has an accuracy requirement."


@pytest.mark.parametrize("column", every_table.COLUMNS)
def test_every_column_can_be_sorted_by(column: str) -> None:
    _, rows = found(census({"US": 5, "Block": 90}))
    known = [key for row in rows if (key := every_table.sort_key(row, column)) is not None]
    assert known
    assert sorted(known) == sorted(sorted(known), reverse=True)[::-1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_need_is_said_in_its_own_words_with_what_is_given(language: str) -> None:
    decision = read_decision(of_two("geometric"))
    asked = [{**need, "part": "a"} for need in each() if "part" in kinds()[need["kind"]].model_fields]
    made = read_decision(of_two("geometric", *asked))
    lower = list(zip(made.requirements, assess(made).answers, strict=True))
    assert {answer.kind for _, answer in lower} >= {"rmse", "margin_of_error", "all_within", "switch_probability"}
    with speaking(language), counting("epsilon"):
        rows = every_table.rows(decision.release, 1.0, lower)
        said = every_table.lines(rows)
    assert len(said) == len(lower) + 1
    for line in said[:-1]:
        assert line[5]
        assert "{" not in "".join(line)


COUNT = {"statistic": "count", "sensitivity": 1.0}


def stated(*parts: dict[str, Any], **more: Any) -> Decision:
    release = {"neighbours": "add_remove", "unit": "person", "mechanism": "geometric", "parts": list(parts)}
    return read_decision({"format": "dpwizard.decision/1", "release": release, **more})


def part(name: str, **more: Any) -> dict[str, Any]:
    return COUNT | {"name": name} | more


LEVELS = (part("a", level="region"), part("b", level="ward"), part("c", level="ward"))


def test_a_need_speaks_of_all_tables_of_its_kind_and_only_such_a_need_is_found() -> None:
    decision = stated(*LEVELS)
    region, ward = table_kinds.table_kinds(decision)
    asked = table_kinds.with_need(decision, ward)
    assert (table_kinds.asked_at(asked, ward), table_kinds.asked_at(asked, region)) == (0, None)
    for other in (
        {"kind": "noise_interval", "where": {"level": "ward", "group": "x"}},
        {"kind": "noise_interval", "where": {"level": "ward"}, "cells": 2},
        {"kind": "noise_interval", "where": {"level": "ward"}, "enabled": False, "off_reason": "No more."},
        {"kind": "rmse", "where": {"level": "ward"}},
        {"kind": "noise_interval", "part": "b"},
    ):
        assert table_kinds.asked_at(stated(*LEVELS, requirements=[other]), ward) is None
    named = table_kinds.table_kinds(stated(*LEVELS[:2], part("c")))[2]
    decision = table_kinds.with_need(stated(*LEVELS[:2], part("c")), named)
    assert decision.requirements[0].part == "c"
    assert table_kinds.asked_at(decision, named) == 0


def test_what_one_gets_is_that_of_the_worst_table_and_nothing_where_it_is_not_known() -> None:
    decision = stated(
        *(one | {"share": share} for one, share in zip(LEVELS, ("1/2", "1/4", "1/4"), strict=True)),
        part("open", level="other", sensitivity=None, share=0),
    )
    release, kinds = decision.release, table_kinds.table_kinds(decision)
    found = table_kinds.half_widths([[release.number_setting(name) for name in kind.tables] for kind in kinds], 4.0)
    assert found == (1.0, 3.0, None)
