"""Tables by what they have in common, and what one gets of each kind without a need."""

from __future__ import annotations

from typing import Any

from dpwizard.decision import Decision, published_setting, read_decision
from dpwizard.questions import table_kinds

COUNT = {"statistic": "count", "sensitivity": 1.0}


def stated(*parts: dict[str, Any], **more: Any) -> Decision:
    release = {"neighbours": "add_remove", "unit": "person", "mechanism": "geometric", "parts": list(parts)}
    return read_decision({"format": "dpwizard.decision/1", "release": release, **more})


def part(name: str, **more: Any) -> dict[str, Any]:
    return COUNT | {"name": name} | more


LEVELS = (part("a", level="region"), part("b", level="ward"), part("c", level="ward"))


def test_tables_go_by_the_first_word_that_all_have_else_by_their_names() -> None:
    kinds = table_kinds.table_kinds(stated(*LEVELS))
    assert [(kind.word, kind.words, kind.tables) for kind in kinds] == [
        ("level", "region", ("a",)),
        ("level", "ward", ("b", "c")),
    ]
    by_name = table_kinds.table_kinds(stated(*LEVELS[:2], part("c")))
    assert [(kind.word, kind.words) for kind in by_name] == [("name", "a"), ("name", "b"), ("name", "c")]
    assert table_kinds.table_kinds(stated(*(part(f"t{at}") for at in range(table_kinds.MOST_KINDS + 1)))) == ()


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


def test_what_one_gets_is_said_of_the_numbers_after_adding_up() -> None:
    """Twelve parts that each lie within 1 by themselves no longer do once they add up to a total."""
    rows = [part("all", level="all", share="1/2"), part("parts", level="part", share="1/2", dimension=12)]
    rows[1]["adds_up_to"] = [{"part": "all", "children": 12}]
    kept = {"adding_up": "least_squares", "mechanism": "discrete_gaussian"}
    release = stated(*rows).release.model_copy(update=kept)
    before = table_kinds.half_widths([[release.number_setting("parts")]], 1.5)
    (after,) = table_kinds.half_widths([[published_setting(release, "parts")]], 1.5)
    assert before == (1.0,)
    assert after is not None
    assert after > 1.3
