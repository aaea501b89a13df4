"""A need of every table that has certain words in common: one answer, the tightest table's, and no slip of the pen."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import (
    Decision,
    RequirementResult,
    assess,
    edits,
    plan,
    problems,
)
from tests.samples.decisions import decided

LEVELS = ("state", "district", "district", "district")
PARTS: tuple[dict[str, Any], ...] = tuple(
    {
        "name": f"table {at}",
        "statistic": "histogram",
        "sensitivity": 1,
        "dimension": 4,
        "share": share,
        "level": level,
        "year": "2024" if at % 2 else "2025",
        "reads": ["sex", "age"] if at < 2 else ["age"],
    }
    for at, (level, share) in enumerate(zip(LEVELS, ("1/2", "1/4", "1/8", "1/8"), strict=True))
)
ASKED = {"kind": "noise_interval", "half_width": 10, "level": 0.95}


def of(*asked: dict[str, Any], parts: Any = PARTS, **release: Any) -> Decision:
    return decided(*asked, statistic="histogram", parts=parts, levels=["district", "state"], **release)


def where(**words: Any) -> dict[str, Any]:
    return {**ASKED, "where": words}


def answer(decision: Decision) -> RequirementResult:
    return assess(decision).answers[0]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ({"level": "district"}, (1, 2, 3)),
        ({"level": "district", "year": "2025"}, (2,)),
        ({"reads": ["age", "sex"]}, (0, 1)),
        ({"parts": ["table 3", "table 0"]}, (0, 3)),
        ({"statistic": "histogram", "mechanism": "geometric"}, (0, 1, 2, 3)),
    ],
)
def test_a_need_where_tables_match_is_the_need_of_the_tightest_of_them(words: Any, names: tuple[int, ...]) -> None:
    alone = [answer(of({**ASKED, "part": f"table {at}"})) for at in names]
    found = answer(of(where(**words)))
    tightest = max(alone, key=lambda one: one.epsilon or 0.0)
    assert found.epsilon == tightest.epsilon
    assert found.error == pytest.approx(tightest.error)
    assert found.binding["part"] == f"table {names[alone.index(tightest)]}"
    assert found.as_plain()["tables"] == len(names)


@pytest.mark.parametrize(
    ("words", "key", "nearest", "place"),
    [
        ({"level": "distrit"}, "unknown_word_near", "district", "where.level"),
        ({"level": "zzz"}, "unknown_word", None, "where.level"),
        ({"level": "district", "year": "2052"}, "unknown_word_near", "2025", "where.year"),
        ({"reads": ["sexx", "age"]}, "unknown_word_near", "sex", "where.reads"),
        ({"parts": ["table 1", "tabel 2"]}, "unknown_word_near", "table 2", "where.parts"),
        ({"level": "state", "year": "2024"}, "no_table_matches", None, "where"),
        ({"group": "north"}, "unknown_word", None, "where.group"),
        ({"mechanism": "laplace"}, "unknown_word", None, "where.mechanism"),
    ],
)
def test_a_word_that_no_table_has_never_fulfils_a_need(words: Any, key: str, nearest: str | None, place: str) -> None:
    decision = of(where(**words))
    found = assess(decision)
    assert (found.answers[0].status, found.answers[0].why.key) == ("unanswered", key)
    assert found.answers[0].why.values.get("nearest") == nearest
    assert not found.window.complete
    problem = next(problem for problem in problems(decision) if problem.key == key)
    assert problem.where == f"$.requirements[0].{place}"


def test_where_stands_alone() -> None:
    for beside in ({"part": "table 1"}, {"sum_of": [{"part": "table 1", "cells": 2}]}):
        with pytest.raises(InvalidInput):
            of({**where(level="state"), **beside})
    with pytest.raises(InvalidInput) as refused:
        of(where(year="2024", period="2024"))
    assert refused.value.where == "$.requirements[0].where.period"
    with pytest.raises(InvalidInput):
        of(where(lewel="state"))


def test_where_goes_with_cells_and_with_every_need_of_numbers() -> None:
    found = answer(of({**where(level="district"), "cells": 3}))
    assert found.epsilon == answer(of({**ASKED, "part": "table 2", "cells": 3})).epsilon
    found = answer(of({"kind": "all_within", "half_width": 9, "level": 0.9, "where": {"level": "district"}}))
    assert found.status == "allowed"


def test_a_table_that_no_noise_is_small_enough_for_speaks_for_all() -> None:
    asked = {"kind": "exact_probability", "at_least": 0.5, "where": {"level": "district"}}
    mixed = (*PARTS[:3], {**PARTS[3], "mechanism": "laplace"})
    found = answer(of(asked, parts=mixed))
    assert (found.status, found.binding["part"]) == ("not_applicable", "table 3")


def test_a_budget_shared_by_needs_gives_each_matching_table_what_it_needs() -> None:
    bare = tuple({name: value for name, value in part.items() if name != "share"} for part in PARTS)
    apart = [{**ASKED, "part": part["name"]} for part in PARTS]
    asked = (where(level="district"), where(level="state"))
    together, alone = of(*asked, parts=bare, allocation="needs"), of(*apart, parts=bare, allocation="needs")
    assert assess(together).window.lower == assess(alone).window.lower
    shared = of(*asked)
    assert plan(shared, assess(shared)).without_need == ()


def test_a_table_that_is_renamed_is_renamed_in_where() -> None:
    decision = edits.put(of(where(parts=["table 1", "table 2"])), "$.release.parts[1].name", "north")
    asked: Any = decision.requirements[0]
    assert asked.where.parts == ("north", "table 2")
    assert edits.for_every_table(decision, 0) == decision
