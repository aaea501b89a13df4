"""What the tests of the window share."""

from tests.ui.fixtures import durham, empty, make_hands

__all__ = ["durham", "empty", "make_hands"]
