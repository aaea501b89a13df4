"""The stories use the window as its own tests do."""

from tests.ui.fixtures import durham, empty, kept_window, make_hands, nothing_slow_on_the_window, work_done_here

__all__ = ["durham", "empty", "kept_window", "make_hands", "nothing_slow_on_the_window", "work_done_here"]
