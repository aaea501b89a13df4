"""What the tests of the window share."""

from tests.ui.bets_hands import officer
from tests.ui.fixtures import durham, empty, kept_window, make_hands, nothing_slow_on_the_window, work_done_here
from tests.ui.panel_hands import place

__all__ = [
    "durham",
    "empty",
    "kept_window",
    "make_hands",
    "nothing_slow_on_the_window",
    "officer",
    "place",
    "work_done_here",
]
