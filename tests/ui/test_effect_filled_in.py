"""The effect of one's own value is filled in where the release states it, offered where it may be so, and explained."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from dpwizard.decision import edits
from dpwizard.wording import word
from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

ATTRIBUTES = "$.requirements[0].attributes"


@pytest.fixture
def guessing(make_hands: Callable[..., Hands]) -> Callable[..., Hands]:
    """Return hands at a guess about one value, under a release that states what is given."""

    def make(**stated: Any) -> Hands:
        hands = make_hands("durham")
        decision = edits.put(hands.session.decision, "$.requirements", [{"kind": "guessing_advantage"}])
        decision = edits.put(decision, "$.release", {"mechanism": "laplace", "sensitivity": 1, **stated})
        hands.session.start(decision)
        hands.go("adversary")
        hands.click(hands.page.cards.cards[0].form.nested["attributes"].add_button)
        return hands

    return make


def test_of_a_sum_it_is_filled_in_with_the_reason_and_can_be_changed(guessing: Callable[..., Hands]) -> None:
    hands = guessing(statistic="sum")
    where = f"{ATTRIBUTES}[0].effect"
    made: Any = hands.editor(where)
    assert edits.get(hands.session.decision, where) == 1.0
    assert (made.line.text(), made.use_button.isVisible()) == ("1", False)
    why = "a sum changes as much as a value in it, if that value is what is guessed."
    assert made.note.text() == f"From the release: {why} Change it if this is not true."
    hands.fill(where, "2")
    assert edits.get(hands.session.decision, where) == 2.0
    assert made.note.text() == f"From the release: {why}"
    hands.click(made.use_button)
    assert edits.get(hands.session.decision, where) == 1.0
    hands.window.undo()
    assert (made.line.text(), edits.get(hands.session.decision, where)) == ("2", 2.0)


def test_of_a_mean_it_is_one_click_until_all_are_said_to_be_in_it(guessing: Callable[..., Hands]) -> None:
    hands = guessing(statistic="mean", neighbours="replace", population=12_000)
    where = f"{ATTRIBUTES}[0].effect"
    made: Any = hands.editor(where)
    assert edits.get(hands.session.decision, where) is None
    assert "1 in 12,000" in made.note.text()
    hands.click(made.use_button)
    assert edits.get(hands.session.decision, where) == pytest.approx(1 / 12_000)


def test_of_a_histogram_nothing_is_filled_in_or_offered(guessing: Callable[..., Hands]) -> None:
    hands = guessing(statistic="histogram", dimension=4)
    made: Any = hands.editor(f"{ATTRIBUTES}[0].effect")
    assert (made.use_button.isVisible(), made.note.text(), made.line.text()) == (False, "", "")


def test_where_step_1_states_it_for_the_value_named_nothing_is_to_be_typed(guessing: Callable[..., Hands]) -> None:
    hands = guessing(statistic="mean", neighbours="replace", effects={"income": 0.25})
    hands.fill(f"{ATTRIBUTES}[0].name", "income")
    made: Any = hands.editor(f"{ATTRIBUTES}[0].effect")
    assert made.note.text() == "Step 1 already states it: 0.25. Leave this empty."
    hands.fill(f"{ATTRIBUTES}[0].name", "age")
    assert made.note.text() == ""


def test_an_earlier_release_that_counts_whole_is_said_until_it_states_its_effects(
    guessing: Callable[..., Hands],
) -> None:
    earlier = {"record": "A", "epsilon": 0.4, "neighbours": "replace", "mechanism": "laplace", "sensitivity": 1}
    stated = {"priors_from": "before_all", "effects": {"income": 0.02}}
    hands = guessing(statistic="mean", neighbours="replace", spent=[earlier], **stated)
    believed = {
        "name": "income",
        "prior": {"family": "uniform", "low": 0, "high": 50},
        "truth": "worst",
        "precision": 1,
    }
    decision = edits.put(hands.session.decision, ATTRIBUTES, [believed])
    hands.session.start(edits.put(decision, "$.requirements[0].advantage", 0.05))
    hands.go("profile").settle()
    card: Any = hands.page.cards.cards[0]
    assert card.says.words.startswith("At most 0.00. ")
    assert word("advice", "counted_whole") in card.says.words
    hands.session.put("State it", "$.release.spent[0].effects", {"income": 0.02})
    hands.settle()
    assert card.says.words.startswith("At most 1.63. ")
    assert word("advice", "counted_whole") not in card.says.words
