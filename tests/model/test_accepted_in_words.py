"""What questions come to is said in an officer's terms first: what 1 in 100 and 1 in 2 may become."""

from __future__ import annotations

import pytest

from dpwizard.privacy.profiles import CapOrRatio, Constant
from dpwizard.wording import accepted

EVERY = (0.001, 0.5)


def test_a_small_and_a_large_belief_are_told_and_no_more_is_accepted_than_is() -> None:
    profile = CapOrRatio(posterior=0.0256, ratio=1.449)
    said = accepted(profile, 1.0, EVERY)
    assert said == "You would accept that 1 in 100 becomes at most 2.5 in 100, and 1 in 2 becomes at most 72.4 in 100."
    assert "1 von 100 zu höchstens 2,5 von 100 wird, und dass 1 von 2" in accepted(profile, EVERY, 1.0, "de")


def test_beliefs_outside_the_range_asked_about_are_told_by_its_ends() -> None:
    assert accepted(Constant(ratio=2.0), 1.0, (0.05, 0.2)) == (
        "You would accept that 1 in 20 becomes at most 10 in 100, and 1 in 5 becomes at most 40 in 100."
    )
    assert accepted(Constant(ratio=2.0), 1.0, 0.1) == "You would accept that 1 in 10 becomes at most 20 in 100."


def test_what_has_no_limit_is_called_certainty() -> None:
    assert accepted(Constant(ratio=3.0), 1.0, EVERY).endswith("and 1 in 2 becomes certainty.")


@pytest.mark.parametrize("ratio", [1.0, 1.01, 1.7])
def test_two_ranges_are_told_by_their_product(ratio: float) -> None:
    both = accepted(Constant(ratio=ratio), (0.1, 1.0), (0.01, 0.5))
    assert both == accepted(Constant(ratio=ratio), 1.0, (0.001, 0.5))
