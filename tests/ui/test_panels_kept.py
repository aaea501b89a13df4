"""What can be taken away from a live panel, the panels of the decision step, and how fast a figure is painted."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.charts import picture
from dpwizard.decision import edits
from tests.ui.hands import LEFT, PATIENCE, Hands
from tests.ui.panel_hands import example, show
from ui.panels import FigurePanel, fresh, implied

pytestmark = pytest.mark.one_window


# ---------------------------------------------------------------------------------- what can be taken away


def pick(qtbot: QtBot, panel: FigurePanel, name: str) -> None:
    """Open the menu of the figure with the mouse and choose an entry with the keys."""
    button = panel.tools.button
    menu = button.menu()
    qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(menu.isVisible)
    wanted = panel.tools.actions_by_name[name]
    for _ in menu.actions():
        qtbot.keyClick(menu, Qt.Key.Key_Down)
        if menu.activeAction() is wanted:
            break
    with qtbot.waitSignal(wanted.triggered):
        qtbot.keyClick(menu, Qt.Key.Key_Return)


@pytest.fixture
def cost(qtbot: QtBot, place: Callable[..., FigurePanel]) -> FigurePanel:
    """Return the figure of what compensation costs."""
    panel = place("compensation")
    show(qtbot, panel, example("dandekar_health_centre"))
    return panel


def test_a_figure_is_saved_as_what_was_asked_for_and_a_file_that_cannot_be_written_is_said(
    qtbot: QtBot, cost: FigurePanel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def saved(kind: str) -> bytes:
        path = tmp_path / f"cost.{kind}"
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, **__: (str(path), ""))
        pick(qtbot, cost, kind)
        return path.read_bytes() if path.is_file() else b""

    assert QImage.fromData(saved("png")).width() >= 2 * cost.width() - 2
    assert cost.tools.isVisible()  # hidden only in the picture
    rows = list(csv.reader(io.StringIO(saved("csv").decode("utf-8-sig"))))
    assert rows[0][1].startswith("cost by the exact confidence")
    assert rows[-1][0] == "0.5"
    data = saved("svg")
    assert data.startswith(b"<svg")
    assert b"by the exact confidence" in data
    (tmp_path / "cost.svg").unlink()
    (tmp_path / "cost.svg").mkdir()
    assert saved("svg") == b""
    assert cost.tools.complaint.isVisible()
    cost.tools.complaint.close()


def test_the_same_data_stand_in_a_table_that_a_screen_reader_reads(qtbot: QtBot, cost: FigurePanel) -> None:
    panel = cost
    pick(qtbot, panel, "table")
    dialog = panel.tools.table
    assert len(dialog.table.rows()) == len(panel.figure.rows)
    assert QAccessible.queryAccessibleInterface(dialog.table).childCount() > len(dialog.table.rows())
    qtbot.mouseClick(dialog.copy_button, LEFT)
    assert next(csv.reader(io.StringIO(QGuiApplication.clipboard().text()))) == list(panel.figure.columns)
    dialog.close()


def test_a_copied_figure_is_a_picture_and_its_table(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place("composition")
    show(qtbot, panel, example("dandekar_health_centre"))
    pick(qtbot, panel, "copy")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert "number of equal releases on the same data\tbasic" in data.text()
    QGuiApplication.clipboard().clear()  # the off-screen clipboard outlives Python and would end data of Python's there


# --------------------------------------------------------------------------------------- the decision step


@pytest.mark.slow
def test_one_click_opens_the_window_and_undo_takes_it_back(make_hands: Callable[..., Hands], qtbot: QtBot) -> None:
    hands = make_hands("durham_conflict").go("decision")
    page = hands.page
    qtbot.waitUntil(lambda: bool(page.conflicts.buttons), timeout=PATIENCE)
    (far,) = page.conflicts.given_up  # one promise is loosened far: under its button it says what may happen, in words
    assert "before the release can rise to at most" in far.words
    assert far.words in [button.accessibleDescription() for button in page.conflicts.buttons]
    before = hands.session.decision
    offer = page.conflicts.buttons[-1]
    assert "Most times as likely: change 2 times to 7 times" in offer.text()
    hands.click(offer)
    hands.settle()
    assert edits.get(hands.session.decision, "$.requirements[0].profile.ratio") == 7
    assert not page.conflict_card.isVisible()
    assert not hands.wizard.picture.assessment.window.empty
    assert "Set most times as lik" in hands.wizard.footer.undo_button.text()
    hands.click(hands.wizard.footer.undo_button)
    hands.settle()
    assert hands.session.decision == before
    assert page.conflict_card.isVisible()


def test_a_wide_window_leaves_no_gap_between_a_requirement_and_its_sentence(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(implied.ImpliedPanel)
    panel.resize(1_600, 300)
    decision = example("durham")
    panel.show_state(fresh(decision, picture(decision)))
    name, kept, said = panel.lines[0]
    qtbot.waitUntil(lambda: said.x() > kept.x() > name.x())
    assert kept.x() < 340
    assert said.x() < 520


@pytest.mark.slow
def test_the_tornado_waits_until_all_else_is_done_and_epsilon_does_not_start_it_again(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place("tornado")
    decision = example("durham_conflict")
    show(qtbot, panel, decision)
    assert "Number of records” matters most for epsilon" in panel.sentence.words
    changed = edits.put(decision, "$.epsilon", 1.5)
    panel.show_state(fresh(changed, picture(changed)))
    assert not panel.background.busy


@pytest.mark.slow
def test_a_saved_picture_has_lines_as_thick_as_the_screen_and_one_ground(
    make_hands: Callable[..., Hands], qtbot: QtBot
) -> None:
    hands = make_hands("durham").go("profile").settle()
    hands.page.lay_out()
    hands.page.ensureWidgetVisible(hands.page.profile_panel)
    hands.settle()
    hands.page.profile_panel.handles.plot.clearFocus()
    picture = QImage.fromData(hands.page.profile_panel.tools.png())
    wanted = QColor(hands.window.colours.privacy).rgb()
    columns = range(picture.width() * 6 // 10, picture.width() * 7 // 10)  # where the profile is level
    thick = [sum(picture.pixel(x, y) == wanted for y in range(picture.height())) for x in columns]
    assert sorted(thick)[len(thick) // 2] in (3, 4, 5)  # two pixels of a screen that is half as fine
    hands.go("decision").settle()
    axis = hands.page.axis
    picture = QImage.fromData(axis.tools.png())
    corners = {
        picture.pixel(x, y) for x in (0, picture.width() - 1) for y in (0, picture.height() // 2, picture.height() - 1)
    }
    assert corners == {QColor(axis.colours.card).rgb()}


def on_the_screen(hands: Hands) -> QImage:
    """Return what the screen shows of the window, as it was painted bit by bit."""
    QApplication.processEvents()
    window: QWidget = hands.window
    return window.screen().grabWindow(window.winId()).toImage()


def darkest(widget: QWidget) -> int:
    """Return how light, of 255, the darkest dot of WIDGET is, on what it stands on."""
    window = widget.window()
    seen = window.grab(QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())).toImage()
    return min(seen.pixelColor(x, y).lightness() for x in range(seen.width()) for y in range(seen.height()))


@pytest.mark.own_window
@pytest.mark.slow
def test_grey_panels_are_faint_can_be_pointed_at_and_leave_nothing_behind_when_they_are_scrolled(
    make_hands: Callable[..., Hands],
) -> None:
    hands = make_hands("durham", size=(1000, 700)).go("profile")
    hands.settle_panels()
    panel = hands.page.panels[0]
    hands.page.lay_out()
    hands.page.ensureWidgetVisible(panel)
    hands.settle_panels()
    clear = darkest(panel)
    panel.set_stale(True)
    assert darkest(panel) > clear + 80
    panel.set_stale(False)
    assert darkest(panel) == clear
    for one in hands.page.panels:
        one.set_stale(True)
    assert panel.childAt(panel.plot.geometry().center()) is not None
    assert panel.plot.isAncestorOf(panel.childAt(panel.plot.geometry().center()))
    bar = hands.page.verticalScrollBar()
    hands.bot.waitUntil(lambda: bar.maximum() > 200)  # one column: the panels are below the fields
    for at in range(0, bar.maximum(), 37):
        bar.setValue(at)
        QApplication.processEvents()
    scrolled = on_the_screen(hands)
    hands.window.centralWidget().update()
    for part in hands.page.findChildren(QWidget):
        part.update()
    assert scrolled == on_the_screen(hands)
