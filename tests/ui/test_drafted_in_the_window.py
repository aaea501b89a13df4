"""A justification is drafted by one button, marked until it is touched, and never writes over what an officer wrote."""

from __future__ import annotations

import pytest

from tests.ui.hands import Hands

pytestmark = pytest.mark.one_window


@pytest.mark.slow
def test_a_drafted_justification_is_marked_until_touched_and_says_where_it_no_longer_fits(durham: Hands) -> None:
    hands = durham
    hands.go("decision")
    hands.settle()
    own = hands.session.decision.justification
    page, drafted = hands.page, hands.page.drafted
    hands.click(drafted.button)
    hands.settle()
    both = hands.session.decision.justification
    assert both.startswith(f"{own}\n\nWe chose epsilon about 2.19723.")  # below what an officer wrote
    assert drafted.says.words == ""
    hands.wizard.undo()
    hands.fill("$.justification", "")
    hands.settle()
    hands.click(drafted.button)
    hands.settle()
    assert hands.session.decision.justification.startswith("We chose epsilon about 2.19723.")
    assert "Drafted for you" in drafted.says.words
    assert not drafted.button.isEnabled()
    hands.fill("$.epsilon", "2")
    hands.settle()
    assert drafted.says.words == ""
    assert "no longer fits the decision: “We chose epsilon about 2.19723.”" in drafted.outdated.words
    hands.click(drafted.button)  # an old draft is replaced
    hands.settle()
    assert hands.session.decision.justification.startswith("We chose epsilon 2.\n")
    assert drafted.outdated.words == ""
    hands.go("review")
    hands.settle()
    remarks = [remark.words for remark in hands.page.sign_form.missing]
    assert any("Drafted for you" in words for words in remarks)
    assert page.key == "decision"
