"""Where a unit is less than a person, no page gives a figure of a person but their loss over all units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from dpwizard.base.language import speaking
from dpwizard.decision import STEPS, Decision
from dpwizard.wording import persons
from tests.samples.decisions import said_of
from tests.samples.smaller_units import PERSON, of_the_person, said_of_a_person, smaller
from tests.ui.hands import Hands, seen
from ui.plots import ChartPlot

pytestmark = pytest.mark.one_window

CASES = [(None, "en"), pytest.param((5, "de"), marks=pytest.mark.soak)]


def texts(page: QWidget) -> Iterator[str]:
    """Yield what is read on PAGE, folded parts included."""
    for label in page.findChildren(QLabel):
        yield re.sub(r"^\d  ", "", seen(label))  # the number of a question is no figure
    for button in page.findChildren(QAbstractButton):
        yield button.text()
    for box in page.findChildren(QComboBox):
        yield from (box.itemText(index) for index in range(box.count()))


@pytest.fixture
def of_a_day(request: pytest.FixtureRequest, make_hands: Callable[..., Hands]) -> Iterator[tuple[Hands, Decision]]:
    """Yield hands at a window in a language, with a decision on days of a person."""
    units, language = request.param
    with speaking(language):
        hands = make_hands(own=language != "en")
        decision = smaller(units, language)
        hands.window.documents.new()
        hands.session.start(decision)
        hands.settle()
        yield hands, decision


@pytest.mark.parametrize("of_a_day", CASES, indirect=True)
def test_no_page_gives_a_figure_of_a_person(of_a_day: tuple[Hands, Decision]) -> None:
    hands, decision = of_a_day
    own = f"{of_the_person(said_of(decision))} {persons.of_a_person(decision.release)}"
    found, titles = [], []
    for step in STEPS:
        hands.go(step.key).settle()
        found += said_of_a_person(texts(hands.page), own, decision.language)
        for plot in hands.page.findChildren(ChartPlot):
            if plot.shown is not None:
                titles += [plot.shown.x.title, plot.shown.y.title]
    assert (found, [title for title in titles if PERSON[decision.language].search(title)]) == ([], [])
    assert len(set(titles)) > 4
