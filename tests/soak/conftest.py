"""The long runs use the window as its own tests do."""

from tests.ui.fixtures import durham, empty, kept_window, make_hands

__all__ = ["durham", "empty", "kept_window", "make_hands"]
