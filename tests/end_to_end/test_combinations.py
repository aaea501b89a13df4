"""No combination of what can be decided crashes: not a command, not an export, not a page of the window.

The decisions are drawn over all kinds, noises, statements, allocations and units (tests/samples/combinations.py). In
the suite 24 of them are solved and 2 go the whole way; `make soak` takes all 500 the whole way.
"""

from __future__ import annotations

import functools
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from dpwizard.privacy.mechanisms import MECHANISMS
from tests.end_to_end.whole_way import Desk
from tests.samples.combinations import ALL, OFTEN, Combination, Drawn, every_combination, proposed, sequence
from tests.ui.hands import Hands

pytestmark = pytest.mark.one_window
SOLVED, WHOLE = 24, 2


@functools.cache
def every() -> list[Drawn]:
    return list(sequence())


def coverage(drawn: list[Drawn]) -> Counter[Combination]:
    """Return how often each combination is drawn."""
    return Counter(combination for one in drawn for combination in one.combinations)


def test_five_hundred_draw_each_combination_five_times_and_the_same_ones_each_time() -> None:
    drawn = every()
    found = coverage(drawn)
    assert len(drawn) == ALL
    assert set(found) == set(every_combination())
    assert min(found.values()) >= OFTEN
    assert next(sequence(count=1)) == drawn[0]


def test_decisions_of_every_combination_are_solved(tmp_path: Path) -> None:
    desk = Desk(folder=tmp_path)
    for drawn in sequence(count=SOLVED):
        desk.solve(drawn.decision)
    assert desk.faults == []


@pytest.mark.slow
def test_some_decisions_go_the_whole_way(tmp_path: Path, make_hands: Callable[..., Hands]) -> None:
    desk, hands = Desk.prepared(tmp_path), make_hands()
    for drawn in every()[:: ALL // WHOLE]:
        desk.whole(drawn.decision)
        desk.look(hands, desk.solve(drawn.decision))
    assert desk.faults == []
    assert desk.outcomes["never signed"] == 0


@pytest.mark.parametrize("tables", [1, 72])
@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_what_the_window_proposes_for_everybody_is_solved(mechanism: str, tables: int, tmp_path: Path) -> None:
    desk = Desk(folder=tmp_path)
    desk.solve(proposed(mechanism, tables))
    assert desk.faults == []


@pytest.mark.soak
@pytest.mark.parametrize("tables", [1, 72])
def test_histograms_with_discrete_gaussian_noise_go_the_whole_way(
    tables: int, tmp_path: Path, make_hands: Callable[..., Hands]
) -> None:
    """A promise for all but rare releases was enough: "math domain error" in every command and every figure."""
    desk, told = Desk.prepared(tmp_path), proposed("discrete_gaussian", tables)
    assert any(asked.get("statement") == "tolerance" for asked in told["requirements"])
    desk.whole(told)
    desk.look(make_hands(), desk.solve(told))
    assert desk.faults == []


@pytest.mark.soak
def test_five_hundred_decisions_go_the_whole_way(
    tmp_path: Path, make_hands: Callable[..., Hands], capsys: pytest.CaptureFixture[str]
) -> None:
    desk, hands = Desk.prepared(tmp_path), make_hands()
    for drawn in every():
        desk.whole(drawn.decision)
        desk.look(hands, desk.solve(drawn.decision))
    found = coverage(every())
    lines = [f"{times:3}  {' '.join(combination)}" for combination, times in sorted(found.items())]
    lines += [f"{times:5}  {outcome}" for outcome, times in sorted(desk.outcomes.items())]
    with capsys.disabled():
        sys.stdout.write("\n".join(["", *lines, ""]))
    assert desk.faults == []
