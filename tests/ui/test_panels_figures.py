"""The live panels in the window: what they say, how they grey, and what mouse and keys do with them."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.charts import Axis, Chart, Figure, Line, picture
from dpwizard.charts.charts import even
from dpwizard.decision import edits
from tests.ui.hands import LEFT, PATIENCE, turn_wheel
from tests.ui.panel_hands import example, plot_of, show, spot
from ui.controls import Prose
from ui.panels import FigurePanel, fresh
from ui.plots import ChartPlot
from ui.widgets import theme
from ui.workers import Background

# ------------------------------------------------------------------------------------- what is said


def test_a_sentence_is_whole_at_a_width_at_which_it_once_was_shorter(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    said = Prose("One release loses 1.")
    column = QVBoxLayout(host)
    column.addWidget(said)
    column.addStretch(1)
    host.resize(300, 200)
    host.show()
    QApplication.processEvents()
    host.resize(620, 200)
    QApplication.processEvents()
    said.say(
        "One release loses 1; 300 of them lose 300 if losses are added, and less in truth."
    )  # one line now, two before
    host.resize(300, 200)
    qtbot.waitUntil(lambda: said.height() >= said.heightForWidth(said.width()) > said.heightForWidth(620))


def test_nothing_lies_on_a_plot_and_its_ticks_follow_the_names_of_its_rows(qtbot: QtBot) -> None:
    def chart(*names: str) -> Chart:
        up = Axis(
            title="", low=-0.5, high=len(names) - 0.5, ticks=tuple((float(i), name) for i, name in enumerate(names))
        )
        lines = tuple(Line(name=name, x=(0.0, 1.0 + i), y=(i, i)) for i, name in enumerate(names))
        return Chart(x=even("loss", 3.0), y=up, lines=lines)

    def painted(*charts: Chart) -> QImage:
        plot = ChartPlot(theme.LIGHT)
        qtbot.addWidget(plot)
        plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plot.resize(700, 220)
        plot.show()
        for one in charts:
            plot.show_plot(one)
            QApplication.processEvents()
            seen = plot.grab().toImage()
        assert not [menu for menu in plot.findChildren(QMenu) if menu.isVisible()]
        return seen

    for rows in (("spent 1.25", "left 2.75"), ("spent 0.50", "this release 1.00", "left 2.50")):
        assert painted(chart("spent 0.50", "left 3.50"), chart(*rows)) == painted(chart(*rows))


def test_a_curve_is_painted_where_the_axes_say_and_stays_there_when_it_is_looked_at_closely(qtbot: QtBot) -> None:
    line = Line(name="line", x=(0.0, 1.0, 2.0), y=(0.0, 3.0, 1.0), role="accuracy", width=4.0)
    plot = ChartPlot(theme.LIGHT)
    qtbot.addWidget(plot)
    plot.resize(700, 220)
    plot.show()
    plot.show_plot(Chart(x=even("x", 2.0), y=even("y", 4.0), lines=(line,)))

    def colour_at(x: float, y: float) -> str:
        return plot.grab().toImage().pixelColor(spot(plot, x, y)).name().upper()

    qtbot.waitUntil(lambda: colour_at(0.5, 1.5) == theme.LIGHT.accuracy)
    assert [colour_at(x, y) for x, y in ((0.75, 2.25), (1.5, 2.0))] == [theme.LIGHT.accuracy] * 2
    assert theme.LIGHT.accuracy not in (colour_at(0.5, 2.0), colour_at(1.5, 1.5))
    plot.zoom(2.0, (1.5, 2.0))
    qtbot.waitUntil(lambda: colour_at(1.5, 2.0) == theme.LIGHT.accuracy)
    (left, right), (low, high) = plot.visible()
    assert right - left == pytest.approx(1.0)
    assert high - low == pytest.approx(2.0)
    assert colour_at(1.25, 2.5) == theme.LIGHT.accuracy
    assert colour_at(1.25, 2.2) != theme.LIGHT.accuracy


def test_a_panel_with_nothing_to_say_is_not_there(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    for kind in ("compensation", "surface", "guessing"):
        panel = place(kind)
        show(qtbot, panel, example("durham"))
        assert panel.isHidden()
        assert panel.drawn() is None


@pytest.mark.slow
def test_a_figure_is_greyed_while_a_newer_one_is_computed_and_clear_when_it_is_there(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place("composition")
    decision = example("dandekar_health_centre")
    show(qtbot, panel, decision)
    assert not panel.stale
    work, begun = panel.compute, []

    def slow(read: object, stop: object) -> Figure:
        begun.append(read)
        while len(begun) < 2 and not stop():
            time.sleep(0.005)
        return work(read, stop)

    panel.compute = slow
    changed = edits.put(decision, "$.epsilon", 0.4)
    panel.show_state(fresh(changed, picture(changed)))
    qtbot.waitUntil(lambda: panel.stale, timeout=PATIENCE)
    panel.set_stale(False)  # the page has its answers; the figure has not
    assert panel.stale
    begun.append(None)  # let it end
    qtbot.waitUntil(lambda: not panel.stale, timeout=PATIENCE)
    assert "120.00 if losses are added" in panel.sentence.words


def test_work_that_fails_is_said_and_the_next_edit_draws_again(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place("composition")
    decision = example("dandekar_health_centre")
    work = panel.compute

    def fails(read: object, stop: object) -> Figure:
        raise ArithmeticError("too far apart")

    panel.compute = fails
    show(qtbot, panel, decision)
    assert "could not be computed" in panel.sentence.words
    panel.compute = work
    show(qtbot, panel, edits.put(decision, "$.epsilon", 0.4))
    assert "120.00" in panel.sentence.words


# ------------------------------------------------------------------------------------- hands and eyes


@pytest.mark.slow
def test_the_mouse_reads_every_curve_at_the_point_it_is_over(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place("composition")
    show(qtbot, panel, example("dandekar_health_centre"))
    plot = plot_of(panel)
    qtbot.mouseMove(plot.viewport(), spot(plot, 200.0, 60.0))
    qtbot.waitUntil(lambda: "basic" in panel.tools.readout.text())
    said = panel.tools.readout.text()
    assert said.startswith("196: ")  # the nearest number of releases computed
    assert "basic 98.00" in said
    assert "the loss, upper bound" in said
    assert plot.accessibleDescription() == said
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert "arrow keys" in panel.tools.readout.text()


@pytest.mark.slow
def test_a_map_is_read_cell_by_cell(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place("surface")
    show(qtbot, panel, example("kazan_reiter_figure_5"))
    plot = plot_of(panel, 1)
    qtbot.mouseMove(plot.viewport(), spot(plot, -0.02, -1.08))
    qtbot.waitUntil(lambda: "epsilon" in panel.tools.readout.text())
    assert float(panel.tools.readout.text().rpartition(" ")[2]) == pytest.approx(0.65, abs=0.05)
    before = panel.tools.readout.text()
    for _ in range(5):
        qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert panel.tools.readout.text() != before


def test_zoom_by_keys_and_wheel_keeps_to_the_axes_and_is_undone_by_zero_or_a_double_click(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place("composition")
    show(qtbot, panel, example("dandekar_health_centre"))
    plot = plot_of(panel)
    whole = plot.visible()
    for _ in range(3):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    (left, right), _ = plot.visible()
    assert right - left == pytest.approx(300 / 1.25**3)
    assert len(plot.bottom._tickLevels[0]) >= 2  # ticks for what is seen
    qtbot.keyClick(plot, Qt.Key.Key_0)
    assert plot.visible() == whole
    at = QPointF(spot(plot, 150.0, 60.0))
    for modifiers, zooms in ((Qt.KeyboardModifier.NoModifier, False), (Qt.KeyboardModifier.ControlModifier, True)):
        turn_wheel(plot.viewport(), at, 120, modifiers)
        assert plot.zoomed == zooms  # without Ctrl the page scrolls
    qtbot.mouseDClick(plot.viewport(), LEFT, pos=at.toPoint())
    assert plot.visible() == whole
    qtbot.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.visible() == whole  # nothing lies beyond the axes


@pytest.mark.slow
def test_a_zoomed_figure_is_moved_by_dragging_and_stays_within_its_axes(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place("composition")
    show(qtbot, panel, example("dandekar_health_centre"))
    plot = plot_of(panel)
    for _ in range(4):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    before = plot.visible()
    at = QPoint(300, 100)
    qtbot.mousePress(plot.viewport(), LEFT, pos=at)
    for step in range(1, 30):
        qtbot.mouseMove(plot.viewport(), at + QPoint(-20 * step, 0))
    qtbot.mouseRelease(plot.viewport(), LEFT, pos=at)
    after = plot.visible()
    assert after[0][0] > before[0][0]
    assert after[0][1] <= 300.0 + 1e-9


def test_work_behind_a_panel_ends_quietly_when_its_window_is_gone_already(qtbot: QtBot) -> None:
    work = Background(lambda asked, _: asked)
    work.request(1)
    shiboken6.delete(work)
    work.close()  # as a panel's end does, in whatever order they go
    assert not work.busy
