"""A slider of the real window, moved tens of thousands of times: nothing dies, and the last edit is the one shown."""

from __future__ import annotations

import time

import pytest

from tests.ui.hands import LEFT, Hands

TIMES = 50_000
SAMPLE = 110.0  # seconds
SHORT = 60


def move(hands: Hands, times: int, seconds: float) -> int:
    """Move the ratio slider of the Durham example TIMES, or as often as fits into SECONDS; return how often."""
    hands.go("profile")
    slider = hands.editor("$.requirements[0].profile.ratio").slider
    end = time.monotonic() + seconds
    done = 0
    for turn in range(times):
        slider.setValue(100 + (turn * 7) % 800)
        done += 1
        if turn % 5 == 0:
            hands.bot.wait(1)  # the events of a hand, and what they lead to
            if time.monotonic() > end:
                break
    hands.bot.mouseRelease(slider, LEFT)
    hands.settle_panels()
    return done


@pytest.mark.soak
def test_fifty_thousand_changes_of_a_slider_leave_the_window_alive_and_right(durham: Hands) -> None:
    assert move(durham, TIMES, SAMPLE) > SHORT
    assert len(durham.window.session.history.past) == 1
