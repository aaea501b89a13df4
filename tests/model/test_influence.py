"""What moves epsilon most, and the smallest change that opens a window."""

from __future__ import annotations

import math

import pytest

from dpwizard.decision import Decision, assess, edits, influences, numbers, read_decision, smallest_changes
from dpwizard.json_text import parse
from dpwizard.resource_files import FOLDER


def example(name: str) -> Decision:
    return read_decision(parse((FOLDER / "examples" / f"{name}.json").read_bytes()))


def test_every_number_an_officer_entered_is_moved() -> None:
    places = [where for where, _ in numbers(example("durham"))]
    assert "$.requirements[0].profile.ratio" in places
    assert "$.requirements[1].at_most" in places
    assert "$.release.sensitivity" in places
    assert not any("title" in where for where in places)


def test_the_cap_of_the_profile_moves_the_upper_end_as_the_closed_form_says() -> None:
    decision = example("kazan_reiter_table_1_b")
    found = {influence.where: influence for influence in influences(decision)}
    ratio = found["$.requirements[0].profile.ratio"]
    assert ratio.up is not None
    assert ratio.down is not None
    assert ratio.up.upper == pytest.approx(math.log((3.3 - 0.25) / 0.75))
    assert ratio.down.upper == pytest.approx(math.log((2.7 - 0.25) / 0.75))
    swings = [influence.swing for influence in influences(decision)]
    assert swings == sorted(swings, reverse=True)


def test_a_field_that_moves_nothing_is_left_out_and_a_closing_window_counts_most() -> None:
    found = influences(example("durham"))
    assert found[0].swing == math.inf
    assert all(influence.swing > 0 for influence in found)


def test_the_smallest_change_opens_the_window_and_a_smaller_one_does_not() -> None:
    decision = example("durham_conflict")
    changes = smallest_changes(decision)
    assert changes
    for change in changes:
        opened = assess(edits.put(decision, change.where, change.to))
        assert not opened.window.empty
        almost = change.value + 0.9 * (change.to - change.value)
        kept = edits.get(decision, change.where)
        if not isinstance(kept, int):
            assert assess(edits.put(decision, change.where, almost)).window.empty
    factors = [abs(math.log(change.factor)) for change in changes]
    assert factors == sorted(factors)


def test_relaxing_the_ratio_alone_opens_the_durham_conflict_where_the_closed_form_says() -> None:
    change = next(c for c in smallest_changes(example("durham_conflict")) if c.where.endswith("profile.ratio"))
    # log((r - a)/(1 - a)) = log 9 at a = 0.25: r = 7
    assert change.to == pytest.approx(7.0, rel=2e-3)


def test_nothing_is_proposed_where_the_window_is_open_and_a_stop_is_heeded() -> None:
    assert smallest_changes(example("durham")) == ()
    assert smallest_changes(example("durham_conflict"), stop=lambda: True) == ()
    assert influences(example("durham"), stop=lambda: True) == ()
