"""What the tests of the window share."""

from tests.ui.bets_hands import officer
from tests.ui.fixtures import durham, empty, make_hands

__all__ = ["durham", "empty", "make_hands", "officer"]
