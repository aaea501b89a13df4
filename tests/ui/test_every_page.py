"""Every page, walked once: what can be used has a name, pages keep to their room, and the wheel changes no answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QComboBox,
    QLineEdit,
    QPushButton,
    QScrollBar,
    QWidget,
)

from tests.ui.access_walk import controls, wrong
from tests.ui.hands import Hands, turn_wheel
from tests.ui.scaled import cut_off
from tests.ui.test_seen_whole import entries_are_whole
from ui.controls import Spreadsheet
from ui.panels import Panel
from ui.panels.chart_panel import ChartPanel
from ui.widgets import Card

pytestmark = [pytest.mark.one_window, pytest.mark.slow]
SCREENS = 3  # that a page may be long, its plain questions and all its details together


def lowest(content: QWidget) -> int:
    """Return where the last card, panel or button of CONTENT ends, in pixels."""
    found = [one for kind in (Card, Panel, QPushButton) for one in content.findChildren(kind) if one.isVisible()]
    return max(one.mapTo(content, QPoint(0, one.height())).y() for one in found)


def cut_tables(page: QWidget) -> Iterator[str]:
    """Yield each table of PAGE that cuts the last row that is seen."""
    for table in page.findChildren(Spreadsheet):
        if table.isVisible() and len(table.rows()):
            heights = [table.rowHeight(row) for row in range(len(table.rows()))]
            room, seen = table.viewport().height(), 0
            for height in heights:
                if seen + height > room:
                    break
                seen += height
            if seen != sum(heights) and room - seen > 4:
                yield f"{table.accessibleName()}: {heights} in {room}"


def silent_panels(page: QWidget) -> Iterator[str]:
    """Yield each panel of PAGE that does not say what it shows, or whose table the keyboard does not reach."""
    for panel in page.findChildren(ChartPanel):
        if not panel.isVisible() or panel.figure is None:
            continue
        panel.tools._enable_actions()
        said = panel.sentence.words
        button = panel.tools.button
        reached = button.isVisible() and button.focusPolicy() & Qt.FocusPolicy.TabFocus
        if not (said and panel.accessibleName() and panel.accessibleDescription().startswith(said)):
            yield f"{panel.title}: says {panel.accessibleDescription()}"
        if not (reached and panel.tools.actions_by_name["table"].isEnabled()):
            yield f"{panel.title}: no table"


def turned(page: QWidget) -> Iterator[str]:
    """Turn the wheel over each list, line and slider of PAGE; yield those that it changes."""
    for kind in (QComboBox, QLineEdit, QAbstractSlider):
        for control in page.findChildren(kind):
            if not control.isVisible() or isinstance(control, QScrollBar):
                continue
            shown = control.currentIndex() if isinstance(control, QComboBox) else None
            turn_wheel(control, QPointF(control.rect().center()))
            if shown is not None and control.currentIndex() != shown:
                yield control.accessibleName()


def unheard(hands: Hands) -> list[str]:
    """Return what a screen reader could not tell on the page shown."""
    return wrong([*controls(hands.page), *controls(hands.wizard.steps), *controls(hands.wizard.footer)])


def test_the_pages_of_the_worked_example_are_heard_whole_and_steady(durham: Hands) -> None:
    durham.window.resize(1366, 768)
    panels = 0
    for key in durham.wizard.pages:
        durham.go(key).settle()
        page, before = durham.page, durham.session.decision
        durham.wait(lambda page=page: cut_off(page) == [])  # judged at rest
        durham.wait(lambda page=page: lowest(page.widget()) <= SCREENS * page.viewport().height())
        assert page.horizontalScrollBar().maximum() == 0
        assert unheard(durham) == []
        assert list(silent_panels(page)) == []
        assert list(cut_tables(page)) == []
        assert list(turned(page)) == []
        assert durham.session.decision == before
        for box in page.findChildren(QComboBox):
            if box.isVisible() and box.count():
                page.ensureWidgetVisible(box)
                entries_are_whole(durham, box)
        panels += sum(panel.isVisible() for panel in page.findChildren(ChartPanel))
    assert panels >= 4
    durham.window.show_history()
    assert wrong(list(controls(durham.window.history_panel))) == []
    assert wrong(list(controls(durham.window.menuBar()))) == []
    durham.window.show_history()


def test_tab_reaches_what_was_added_late_in_its_place(empty: Hands) -> None:
    hands = empty.go("budget")
    hands.click(hands.page.spent.add_button)
    hands.wait(lambda: hands.page.spent.forms != [] and hands.page.spent.forms[0].isVisible())
    hands.pick(hands.page.cards.add_button, "compensation")
    hands.wait(lambda: hands.page.cards.cards[0].isVisible())
    hands.page.spent.forms[0].editors["date"].reach()
    reached = []
    while len(reached) < 11:
        hands.bot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        reached.append(QApplication.focusWidget().accessibleName() or QApplication.focusWidget().text())
    assert reached[:2] == ["More about this release", "Add an earlier release: earlier release"]
    assert reached[2:4] == ["Choose signed records …", "Chances before are counted from"]
    assert reached[-3:] == ["More for requirement 1", "Name", "People"]


def test_a_page_with_figures_for_few_puts_them_away_when_it_is_left_for_another_decision(durham: Hands) -> None:
    durham.go("accuracy").settle()
    rare = durham.page.rare_panels[0]
    assert not rare.isVisible()
    durham.click(durham.page.more_figures.head)
    assert rare.isVisible()
    assert durham.page.more_figures.head.accessibleName() == "Fewer charts"
    durham.page.leave()
    assert not rare.isVisible()


def test_every_list_and_slider_of_the_window_is_one_of_those_that_leave_the_wheel_to_the_page() -> None:
    ui = Path(__file__).parents[2] / "ui"
    bare = re.compile(r"\bQ(ComboBox|FontComboBox|SpinBox|DoubleSpinBox|DateEdit|DateTimeEdit|TimeEdit|Slider|Dial)\(")
    found = [
        f"{path.name}: {hit.group()}"
        for path in sorted(ui.rglob("*.py"))
        for hit in bare.finditer(path.read_text("utf-8"))
        if hit.string[: hit.start()].rpartition("\n")[2].split()[:1] != ["class"]
    ]
    assert found == []
