"""Everything by keyboard: what has it is seen in every theme, Tab follows the page and leads out of it again, plots are
read."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from dpwizard.decision import STEPS
from tests.ui.hands import Hands
from ui.app.footer import MiniAxis
from ui.controls import RowsTable
from ui.plots import ChartPlot

pytestmark = pytest.mark.one_window

MOST = 400  # presses of Tab on one page
LEAST = 8  # pixels of height from which something is there to be seen
KINDS = (QPushButton, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, ChartPlot, MiniAxis, QAbstractButton)


def walked(hands: Hands, start: QWidget, key: Qt.Key = Qt.Key.Key_Tab) -> list[QWidget]:
    """Return what has the keyboard in turn, from START until it is there again."""
    start.setFocus(Qt.FocusReason.TabFocusReason)
    path: list[QWidget] = []
    for _ in range(MOST):
        now = QApplication.focusWidget()
        assert now is not None
        if path and now is start:
            return path
        if not path or path[-1] is not now:
            path.append(now)
        hands.bot.keyClick(now, key)
    raise AssertionError(f"Tab never comes back to {start}: it turns among {[type(one).__name__ for one in path[-6:]]}")


def stops(top: QWidget) -> list[QWidget]:
    """Return what Tab should lead to in TOP."""
    found = [one for kind in KINDS for one in top.findChildren(kind)]
    return [
        one
        for one in dict.fromkeys(found)
        if one.isVisible() and one.isEnabled() and one.focusPolicy() & Qt.FocusPolicy.TabFocus and not _mechanics(one)
    ]


def _mechanics(widget: QWidget) -> bool:
    """Return whether WIDGET is a part of another that Qt makes and passes the keyboard on for."""
    return (
        widget.objectName().startswith("qt_")
        or isinstance(widget.parent(), QComboBox)
        or widget.focusProxy() is not None
    )


@pytest.mark.slow
def test_tab_leads_to_everything_on_a_page_from_the_top_down_and_out_of_it_again(durham: Hands) -> None:
    for step in STEPS:
        leads_through(durham, step.key)


@pytest.mark.slow
def test_tab_reaches_the_headings_of_a_table_before_its_rows_and_they_have_a_name(
    make_hands: Callable[..., Hands],
) -> None:
    hands = make_hands("symptom_trends")
    leads_through(hands, "decision")
    (table,) = [table for table in hands.page.findChildren(RowsTable) if table.headings.isVisible()]
    path = walked(hands, hands.wizard.steps.buttons["decision"])
    assert path.index(table) == path.index(table.headings) + 1
    assert table.headings.accessibleName() == f"Headings of “{table.accessibleName()}”: arrow keys choose, Space sorts"


def leads_through(durham: Hands, key: str) -> None:
    """Require that Tab leads through the page of the step KEY, from the top down, and out of it again."""
    durham.go(key).settle()
    start = durham.wizard.steps.buttons[key]
    onward = walked(durham, start)
    wanted = stops(durham.page)
    radio = {one for one in wanted if isinstance(one, QAbstractButton) and one.autoExclusive()}  # one stop for them all
    assert [one.accessibleName() for one in wanted if one not in onward and one not in radio] == []
    assert [one.accessibleName() for one in stops(durham.wizard.footer) if one not in onward] == []
    assert set(walked(durham, start, Qt.Key.Key_Backtab)) == set(onward)
    page, content = durham.page, durham.page.widget()
    if page.has_questions:
        means = [page.meaning_column.itemAt(index).widget() for index in range(page.meaning_column.count())]
        meant = {one for holder in means if holder is not None for one in (holder, *holder.findChildren(QWidget))}
        columns = [one for one in onward if one in meant or page._questions_holder.isAncestorOf(one)]
        asked = [one not in meant for one in columns]
        assert asked == sorted(asked, reverse=True), "first the questions, then what they mean"
    path = [one for one in onward if page._holder.isAncestorOf(one)]
    holder = page._fields_holder
    for beside in (False, True):
        mine = [one for one in path if holder.isAncestorOf(one) != beside and one.height() >= LEAST]
        above = [
            f"{after.accessibleName()} after {before.accessibleName()}"
            for before, after in pairwise(mine)
            if after.mapTo(content, QPoint(0, after.height())).y() <= before.mapTo(content, QPoint(0, 0)).y()
            and after.mapTo(content, QPoint(0, 0)).x() < before.mapTo(content, QPoint(before.width(), 0)).x()
            and not before.isAncestorOf(after)
        ]  # to the right of it the next column begins
        assert above == []
    fields = [holder.isAncestorOf(one) for one in path if page._holder.isAncestorOf(one)]  # below plain questions
    assert fields == sorted(fields, reverse=True), "first the fields, then what stands beside them"
