"""What must still be usable is said by choosing a sentence; what it begins with is in force and can be changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from dpwizard.decision import edits
from dpwizard.decision.requirements import kinds
from tests.ui.hands import Hands
from ui.panels.usefulness import NoisePanel

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

FIRST = "$.requirements[0]"


@pytest.fixture
def forty(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the accuracy step of a release of forty figures, of which nothing is asked yet."""
    hands = make_hands("durham")
    decision = edits.put(hands.session.decision, "$.requirements", [])
    hands.session.start(edits.put(decision, "$.release.dimension", 40))
    hands.go("accuracy")
    return hands


def test_every_need_is_offered_as_a_sentence_whose_blank_is_filled_and_the_card_says_it_whole(forty: Hands) -> None:
    page: Any = forty.page
    wanted = {kind for kind, made in kinds().items() if made.end == "lower"}
    assert set(page.needs.sentences) == wanted
    assert {action.objectName() for action in page.cards.menu.actions()} == wanted
    assert all(link.isVisible() for link in page.needs.sentences.values())
    link = page.needs.sentences["share_within"]
    assert link.accessibleName() == "In 95 of 100 figures (38 of the 40) within ± …, in 95 of 100 cases"
    forty.click(link)
    assert edits.get(forty.session.decision, FIRST).model_dump(include={"kind", "share", "level", "half_width"}) == {
        "kind": "share_within",
        "share": 0.95,
        "level": 0.95,
        "half_width": None,
    }
    line = forty.editor(f"{FIRST}.half_width").controls()[0]
    forty.wait(lambda: QApplication.focusWidget() is line)  # where the officer goes on
    forty.bot.keyClicks(line, "10")
    card = page.cards.cards[0]
    assert card.about.words == "In 95 of 100 figures (38 of the 40) within ± 10, in 95 of 100 cases"
    forty.fill(f"{FIRST}.share", "9 in 10")
    assert card.about.words == "In 90 of 100 figures (36 of the 40) within ± 10, in 95 of 100 cases"
    assert not page.needs.card.isVisible()
    forty.click(page.needs.head)
    forty.click(page.needs.sentences["rmse"])
    assert [one.kind for one in forty.session.decision.requirements] == ["share_within", "rmse"]


def test_before_an_epsilon_is_chosen_the_noise_is_drawn_at_the_least_that_keeps_the_need_as_whole_bars(
    forty: Hands,
) -> None:
    page: Any = forty.page
    panel = next(one for one in page.panels if isinstance(one, NoisePanel))
    forty.session.put("Open", "$.epsilon", None)
    forty.session.put("Whole steps", "$.release.mechanism", "geometric")
    forty.settle()
    assert panel.figure is None
    forty.click(page.needs.sentences["share_within"])
    forty.fill(f"{FIRST}.half_width", "10")
    forty.settle()
    assert panel.figure.plots[0].bars
    assert panel.figure.sentence.startswith("At the lowest epsilon that meets every accuracy requirement, 0.37: ")
    forty.session.put("Choose", "$.epsilon", 1.0)
    forty.settle()
    assert "the least" not in panel.figure.sentence
