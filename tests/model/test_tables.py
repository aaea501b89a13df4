"""A release is a tuple of tables: what the file states of the only table, or of each in a part, is read in one way."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dpwizard.base import json_text
from dpwizard.decision import FORMAT, assess, read_decision
from dpwizard.decision.requirements import kinds
from tests.samples import requirements
from tests.samples.mechanisms import SAMPLES as MECHANISMS

# its histories meet where points of their curves are: a point read twice has no slope
MEETING: dict[str, Any] = {"step": 0.5, "dimension": 2, "sensitivity": 2, "statistic": "sum", "mechanism": "geometric"}


def solve(release: dict[str, Any], asked: list[dict[str, Any]], epsilon: float | None = 0.7) -> Any:
    raw = {"format": FORMAT, "release": release, "requirements": asked, "epsilon": epsilon}
    return json.loads(json_text.line(assess(read_decision(raw))))


def named(part: str | None) -> list[dict[str, Any]]:
    """Return a sample of every kind of requirement; what speaks of one table speaks of PART."""
    return [
        one if part is None or kinds()[one["kind"]].end != "lower" else {**one, "part": part}
        for one in requirements.each()
    ]


@st.composite
def a_table(draw: st.DrawFn) -> dict[str, Any]:
    """Figures of a table that the file can state of a release and of a part."""
    figures = st.sampled_from([0.5, 1, 2, 3])
    optional = {"step": figures, "dimension": st.integers(1, 5), "sensitivity": figures}
    stated = {name: draw(value) for name, value in optional.items() if draw(st.booleans())}
    kind = draw(st.sampled_from(["count", "sum", "mean", "histogram", "vector"]))
    return {**stated, "statistic": kind, "mechanism": draw(st.sampled_from(list(MECHANISMS)))}


@st.composite
def a_whole(draw: st.DrawFn) -> dict[str, Any]:
    """What holds for all tables of a release."""
    some = {
        "delta": 1e-6,
        "repetitions": 3,
        "contributions": 2,
        "post_processing": ["rounding"],
        "priors_from": "before_all",
        "spent": [{"record": "A", "epsilon": 0.1, "neighbours": "add_remove"}],
    }
    chosen = {name: value for name, value in some.items() if draw(st.booleans())}
    return {"unit": "one person", "neighbours": draw(st.sampled_from(["add_remove", "replace"])), **chosen}


@pytest.mark.slow
@settings(max_examples=4)
@given(table=a_table(), whole=a_whole(), asked=st.lists(st.sampled_from(requirements.each()), min_size=1, max_size=4))
@example(table=MEETING, whole={"unit": "one person", "neighbours": "add_remove", "repetitions": 3}, asked=[])
def test_the_only_table_answers_equally_in_the_release_and_as_a_part_of_share_1(
    table: dict[str, Any], whole: dict[str, Any], asked: list[dict[str, Any]]
) -> None:
    part = {**table, "name": "The table", "share": 1}
    alone, within = solve({**whole, **table}, asked), solve({**whole, "parts": [part]}, asked)
    for one, other in zip(alone["answers"], within["answers"], strict=True):
        assert one.pop("why")["key"] == other.pop("why")["key"]
        assert one == other
    assert alone["window"] == within["window"]
    told = {(p["key"], p["where"].rsplit(".", 1)[-1]) for p in alone["problems"]}
    assert told == {(p["key"], p["where"].rsplit(".", 1)[-1]) for p in within["problems"]}


@pytest.mark.slow
@settings(max_examples=4)
@given(
    tables=st.lists(a_table(), min_size=2, max_size=4),
    whole=a_whole(),
    asked=st.lists(st.sampled_from(named("Table 1")), min_size=1, max_size=4),
    dice=st.randoms(use_true_random=False),
)
def test_the_order_of_tables_is_of_no_matter_to_what_is_proved(
    tables: list[dict[str, Any]], whole: dict[str, Any], asked: list[dict[str, Any]], dice: Any
) -> None:
    parts = [{**table, "name": f"Table {i}", "share": (0.1, 0.2, 0.3, 0.4)[i]} for i, table in enumerate(tables)]
    first = solve({**whole, "parts": parts}, asked)
    dice.shuffle(parts)
    second = solve({**whole, "parts": parts}, asked)
    for one, other in zip(first["answers"], second["answers"], strict=True):
        one.pop("why"), other.pop("why")  # of several reasons why nothing holds, the first table's is named
        assert one == other
    assert first["window"] == second["window"]
