"""What moves epsilon most, and the smallest change that opens a window."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.json_text import parse
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import Decision, edits, numbers, one_at_a_time_effects, read_decision, smallest_changes

PARTS = (
    {
        "name": "Ages",
        "statistic": "histogram",
        "sensitivity": 2.0,
        "sensitivity_other": 4.0,
        "dimension": 10,
        "share": 0.5,
        "contributions": 2,
        "reads": ["age"],
    },
    {
        "name": "Incomes",
        "statistic": "sum",
        "mechanism": "laplace",
        "sensitivity": 10.0,
        "share": 0.5,
        "effects": {"age": 1.0, "income": 0.5},
    },
)
SPENT = (
    {
        "record": "2024",
        "epsilon": 0.1,
        "neighbours": "add_remove",
        "mechanism": "laplace",
        "sensitivity": 4.0,
        "effects": {"income": 3.0},
    },
    {"record": "2025", "rho": 0.01, "delta": 1e-9, "neighbours": "add_remove", "mechanism": "gaussian"},
)


def example(name: str) -> Decision:
    return read_decision(parse((FOLDER / "examples" / f"{name}.json").read_bytes()))


def test_the_cap_of_the_profile_moves_the_upper_end_as_the_closed_form_says() -> None:
    decision = example("kazan_reiter_table_1_b")
    found = {influence.where: influence for influence in one_at_a_time_effects(decision)}
    ratio = found["$.requirements[0].profile.ratio"]
    assert ratio.up.upper == pytest.approx(math.log((3.3 - 0.25) / 0.75))
    assert ratio.down.upper == pytest.approx(math.log((2.7 - 0.25) / 0.75))
    swings = [influence.swing for influence in one_at_a_time_effects(decision)]
    assert swings == sorted(swings, reverse=True)


def test_nothing_is_proposed_where_the_window_is_open_and_a_stop_is_heeded() -> None:
    assert smallest_changes(example("durham")) == ()
    assert smallest_changes(example("durham_conflict"), stop=lambda: True) == ()
    assert one_at_a_time_effects(example("durham"), stop=lambda: True) == ()


def test_the_figures_of_tables_and_earlier_releases_are_moved_too() -> None:
    decision = edits.put(example("durham"), "$.release.parts", PARTS)
    decision = edits.put(decision, "$.release.spent", SPENT)
    found = dict(numbers(decision))
    assert found["$.release.parts[0].sensitivity_other"] == 4.0
    assert found["$.release.parts[0].contributions"] == 2
    assert found["$.release.parts[1].effects[1][1]"] == 0.5
    assert found["$.release.spent[0].sensitivity"] == 4.0
    assert found["$.release.spent[0].effects[0][1]"] == 3.0
    assert (found["$.release.spent[1].rho"], found["$.release.spent[1].delta"]) == (0.01, 1e-9)
    assert "$.release.parts[0].effects" not in found  # an answer that is open is no number
