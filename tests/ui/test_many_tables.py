"""Many tables in the window: one budget planned and taken, units that are less than a person, ways out at one click."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import read_decision, to_json
from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

PROMISE = {"kind": "two_worlds", "name": "Neighbour", "chance_without": 0.05, "chance_with": 0.2}


def programme(widths: tuple[float, ...], **release: Any) -> Any:
    parts = [{"name": f"T{i}", "statistic": "count", "sensitivity": 1.0} for i in range(len(widths))]
    asked = [{"kind": "rmse", "part": f"T{i}", "at_most": width} for i, width in enumerate(widths)]
    stated = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "parts": parts}
    return read_decision(
        {"format": "dpwizard.decision/1", "release": stated | release, "requirements": [PROMISE, *asked]}
    )


@pytest.fixture
def opened(make_hands: Callable[..., Hands], tmp_path: Path) -> Callable[[Any, str], Hands]:
    def open_at(decision: Any, page: str) -> Hands:
        path = tmp_path / "programme.json"
        path.write_text(json.dumps(to_json(decision)), "utf-8")
        hands = make_hands()
        hands.window.open_path(path)
        hands.bot.waitUntil(lambda: hands.session.decision == decision)
        hands.go(page)
        return hands

    return open_at


def test_the_least_budget_that_meets_all_needs_is_taken_at_one_click(
    opened: Callable[[Any, str], Hands],
) -> None:
    hands = opened(programme((9.0, 12.0), allocation="needs"), "accuracy")
    page = hands.page
    hands.bot.waitUntil(page.shared.take.isVisible)
    assert "No plan manages with less" not in page.shared.summary.words  # it is shared by needs already
    assert hands.editor("$.release.allocation").controls()[0].currentData() == "needs"
    hands.click(page.shared.take)
    assert hands.session.decision.rho == 0.0097  # rounded up: what the button says
    assert page.shared.take.text().endswith(" 0.0097")
    assert 0.5 / 81 + 0.5 / 144 <= 0.0097


def test_a_way_out_that_changes_all_needs_is_one_click_and_one_undo(opened: Callable[[Any, str], Hands]) -> None:
    hands = opened(programme((1.0, 2.0), allocation="needs"), "decision")
    page = hands.page
    hands.bot.waitUntil(lambda: any("relax" in button.text().lower() for button in page.conflicts.buttons))
    before = hands.session.decision
    (widen,) = (button for button in page.conflicts.buttons if "relax" in button.text().lower())
    hands.click(widen)
    wider = [getattr(r, "at_most", None) for r in hands.session.decision.requirements[1:]]
    assert wider[0] > 1.0
    assert wider[1] == pytest.approx(2.0 * wider[0])
    hands.bot.waitUntil(lambda: not hands.wizard.solver.behind)
    assert not hands.wizard.picture.assessment.window.empty
    hands.wizard.session.undo()
    assert hands.session.decision == before


def test_a_need_is_asked_for_of_every_other_table_in_one_step(opened: Callable[[Any, str], Hands]) -> None:
    every = programme((9.0, 9.0, 9.0))
    first = every.model_copy(update={"requirements": every.requirements[:2]})
    hands = opened(first, "accuracy")
    hands.pick(hands.page.cards.cards[0].more, "The same for every other table")
    assert hands.session.decision == every
    hands.wizard.session.undo()
    assert hands.session.decision == first
