"""The stories use the window as its own tests do."""

from tests.ui.fixtures import durham, empty, make_hands

__all__ = ["durham", "empty", "make_hands"]
