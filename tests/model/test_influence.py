"""What moves epsilon most, and the smallest change that opens a window."""

from __future__ import annotations

import math

import pytest

from dpwizard.base.json_text import parse
from dpwizard.base.resource_files import FOLDER
from dpwizard.decision import Decision, one_at_a_time_effects, read_decision, smallest_changes


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


def test_only_what_the_officer_decides_is_proposed_and_no_fact() -> None:
    """The number of records, their rate and what the neighbour believes are as they are."""
    proposed = {change.where for change in smallest_changes(example("durham_conflict"))}
    assert proposed == {
        "$.requirements[0].profile.posterior",
        "$.requirements[0].profile.ratio",
        "$.requirements[1].at_most",
    }


def test_nothing_is_proposed_where_the_window_is_open_and_a_stop_is_heeded() -> None:
    assert smallest_changes(example("durham")) == ()
    assert smallest_changes(example("durham_conflict"), stop=lambda: True) == ()
    assert one_at_a_time_effects(example("durham"), stop=lambda: True) == ()
