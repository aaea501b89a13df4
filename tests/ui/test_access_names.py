"""Whatever can be used has a name, a role and a value for screen readers: on every page, on every kind of card, in
every dialog."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from dpwizard.base.resource_files import FOLDER
from tests.ui.access_walk import VALUED, Found, controls
from tests.ui.dialogs import DIALOGS, opened
from tests.ui.hands import Hands
from ui.panels.chart_panel import ChartPanel

pytestmark = pytest.mark.one_window

EXAMPLES = sorted(path.stem for path in (FOLDER / "examples").glob("*.json"))
FEW = ("durham", "bon_persuasion")  # the rest of them is walked in the long run


def wrong(found: list[Found]) -> list[str]:
    """Return what a screen reader could not tell: no name, one name for two things, no value."""
    often = Counter((one.role, one.heard) for one in found)
    told = []
    for one in found:
        if not one.name:
            told.append(f"no name: {one.kind} {one.widget.objectName()} in {one.groups}")
        elif often[one.role, one.heard] > 1:
            told.append(f"twice: {one.role.name} {one.heard}")
        if one.role in VALUED and not one.value:
            told.append(f"no value: {one.heard}")
        if one.kind == "ChartPlot" and not one.description:
            told.append(f"no words: {one.heard}")
    return told


@pytest.mark.own_window
@pytest.mark.parametrize(
    "example", [pytest.param(name, marks=() if name in FEW else pytest.mark.slow) for name in EXAMPLES]
)
def test_every_control_of_every_page_is_told_apart_by_its_name(make_hands: Callable[..., Hands], example: str) -> None:
    hands = make_hands(example)
    told = []
    for key in hands.wizard.pages:
        hands.go(key)
        hands.settle()
        told += [
            f"{key}: {words}"
            for words in wrong([*controls(hands.page), *controls(hands.wizard.steps), *controls(hands.wizard.footer)])
        ]
    assert told == []


@pytest.mark.slow
def test_every_plot_has_a_sentence_and_a_table_that_the_keyboard_reaches(durham: Hands) -> None:
    walked = 0
    for key in durham.wizard.pages:
        durham.go(key)
        durham.settle()
        for panel in durham.page.findChildren(ChartPanel):
            if not panel.isVisible() or panel.figure is None:
                continue
            walked += 1
            assert panel.sentence.words
            assert panel.accessibleDescription().startswith(panel.sentence.words)
            button = panel.tools.button
            assert button.isVisible()
            assert button.focusPolicy() & button.focusPolicy().TabFocus
            panel.tools._refresh()
            assert panel.tools.actions_by_name["table"].isEnabled(), panel.title
    assert walked >= 4


@pytest.mark.soak
@pytest.mark.own_window
@pytest.mark.parametrize("name", DIALOGS)
def test_every_control_of_every_dialog_is_told_apart_by_its_name(durham: Hands, name: str) -> None:
    dialog = opened(name, durham.window, durham.wait)
    found = list(controls(dialog))
    assert found
    assert dialog.windowTitle()
    assert wrong(found) == []
    dialog.close()


@pytest.mark.slow
def test_the_history_is_told_apart_by_its_names(durham: Hands) -> None:
    durham.window.show_history()
    panel = durham.window.history_panel
    assert panel is not None
    assert wrong(list(controls(panel))) == []
    assert wrong(list(controls(durham.window.menuBar()))) == []
