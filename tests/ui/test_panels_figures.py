"""The live panels in the window: what they say, how they grey, what mouse and keys do with them, what they save, how
fast they paint."""

from __future__ import annotations

import csv
import io
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from dpwizard.charts import (
    Axis,
    Chart,
    Figure,
    Line,
    comparison,
    composition_chart,
    cost_chart,
    guessing_chart,
    picture,
    surfaces,
)
from dpwizard.charts.charts import even
from dpwizard.decision import Decision, assess, edits
from dpwizard.projects import open_project
from tests.ui.hands import LEFT, PATIENCE, Hands
from ui.panels import (
    ComparisonPanel,
    CompensationPanel,
    CompositionPanel,
    ConflictsPanel,
    FigurePanel,
    GuessingPanel,
    SurfacePanel,
    TornadoPanel,
    WhatIfPanel,
)
from ui.plots import ChartPlot, FigureTools
from ui.widgets import Prose, theme
from ui.workers import Background

EXAMPLES = Path(__file__).resolve().parents[2] / "resources" / "examples"
FRAME = 0.016  # seconds


def example(name: str) -> Decision:
    return open_project(EXAMPLES / f"{name}.json")


@pytest.fixture
def place(qtbot: QtBot, qapp: QApplication) -> Callable[..., FigurePanel]:
    """Return a maker of panels, each shown in a window of its own and ended with the test."""
    theme.apply(qapp, theme.LIGHT, theme.load_fonts())

    hosts: list[QWidget] = []

    def make(kind: type, colours: theme.Colours = theme.LIGHT) -> FigurePanel:
        host = QWidget()
        hosts.append(host)
        panel = kind(colours)
        QVBoxLayout(host).addWidget(panel)
        qtbot.addWidget(host, before_close_func=lambda _: panel.close_down())
        host.resize(700, 760)
        host.show()
        return panel

    return make


def show(qtbot: QtBot, panel: FigurePanel, decision: Decision) -> None:
    panel.show_picture(decision, picture(decision))
    qtbot.waitUntil(lambda: not panel.background.busy, timeout=PATIENCE)
    for _ in range(3):
        QApplication.processEvents()  # until every plot has its place


def plot_of(panel: FigurePanel, index: int = 0) -> ChartPlot:
    return panel.plots[index]


def spot(plot: ChartPlot, x: float, y: float) -> QPoint:
    """Return where on the widget the place X, Y lies."""
    return plot.mapFromScene(plot.box.mapViewToScene(QPointF(x, y)))


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


def test_the_composition_panel_says_what_three_hundred_releases_lose(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(CompositionPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    assert "300 of them lose 150.00" in panel.sentence.words
    assert "63.99 by the exact distribution" in panel.sentence.words
    assert panel.accessibleDescription().startswith(panel.sentence.words)
    assert "Struck through: for 300 releases" in panel.aside.words


def test_a_panel_with_nothing_to_say_is_not_there(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    for kind in (CompensationPanel, SurfacePanel, GuessingPanel):
        panel = place(kind)
        show(qtbot, panel, example("durham"))
        assert panel.isHidden()
        assert panel.drawn() is None


def test_a_figure_is_greyed_while_a_newer_one_is_computed_and_clear_when_it_is_there(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(CompositionPanel)
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
    panel.show_picture(changed, picture(changed))
    qtbot.waitUntil(lambda: panel.stale, timeout=PATIENCE)
    panel.set_stale(False)  # the page has its answers; the figure has not
    assert panel.stale
    begun.append(None)  # let it end
    qtbot.waitUntil(lambda: not panel.stale, timeout=PATIENCE)
    assert "120.00 if losses are added" in panel.sentence.words


def test_the_last_of_many_edits_is_the_one_shown(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(CompensationPanel)
    decision = example("dandekar_health_centre")
    for step in range(40):
        changed = edits.put(decision, "$.epsilon", 0.3 + step / 100)
        panel.show_picture(changed, picture(changed))
        if step % 7 == 0:
            QApplication.processEvents()
    qtbot.waitUntil(lambda: not panel.background.busy, timeout=PATIENCE)
    assert panel.sentence.words.startswith("Noise at epsilon 0.69 ")


def test_work_that_fails_is_said_and_the_next_edit_draws_again(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(CompositionPanel)
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


def test_a_long_job_is_told_to_give_up_when_something_newer_waits(qtbot: QtBot) -> None:
    ended: list[object] = []

    def job(asked: object, stop: Callable[[], bool]) -> object:
        until = time.monotonic() + 10
        while asked == "long" and not stop() and time.monotonic() < until:
            time.sleep(0.002)
        return asked

    work = Background(job)
    work.done.connect(lambda asked, _: ended.append(asked))
    work.request("long")
    qtbot.waitUntil(lambda: work._running is not None)
    work.request("waiting")
    work.request("new")
    qtbot.waitUntil(lambda: ended[-1:] == ["new"])
    assert ended == ["long", "new"]  # what waited was replaced
    work.close()


# ------------------------------------------------------------------------------------- hands and eyes


def test_the_mouse_reads_every_curve_at_the_point_it_is_over(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(CompositionPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    plot = plot_of(panel)
    qtbot.mouseMove(plot.viewport(), spot(plot, 200.0, 60.0))
    qtbot.waitUntil(lambda: "basic" in panel.tools.readout.text())
    said = panel.tools.readout.text()
    assert said.startswith("196: ")  # the nearest number of releases computed
    assert "basic 98.00" in said
    assert "exact loss, upper bound" in said
    assert plot.accessibleDescription() == said
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert "arrow keys" in panel.tools.readout.text()


def test_the_arrow_keys_read_from_point_to_point_and_escape_puts_the_crosshair_away(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(CompensationPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    plot = plot_of(panel)
    qtbot.keyClick(plot, Qt.Key.Key_End)
    assert panel.tools.readout.text().startswith("0.5: ")
    assert "74,435" in panel.tools.readout.text()  # money is rounded up
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert not panel.tools.readout.text().startswith("0.5: ")
    qtbot.keyClick(plot, Qt.Key.Key_Escape)
    assert "arrow keys" in panel.tools.readout.text()


def test_a_map_is_read_cell_by_cell(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(SurfacePanel)
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
    panel = place(CompositionPanel)
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
        wheel = QWheelEvent(
            at,
            plot.mapToGlobal(at),
            QPoint(),
            QPoint(0, 120),
            Qt.MouseButton.NoButton,
            modifiers,
            Qt.ScrollPhase.NoScrollPhase,
            False,
        )
        QApplication.sendEvent(plot.viewport(), wheel)
        assert plot.zoomed == zooms  # without Ctrl the page scrolls
    qtbot.mouseDClick(plot.viewport(), LEFT, pos=at.toPoint())
    assert plot.visible() == whole
    qtbot.keyClick(plot, Qt.Key.Key_Minus)
    assert plot.visible() == whole  # nothing lies beyond the axes


def test_a_zoomed_figure_is_moved_by_dragging_and_stays_within_its_axes(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(CompositionPanel)
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


@pytest.mark.parametrize("kind", ["png", "svg", "csv"])
def test_a_figure_is_saved_as_what_was_asked_for(
    qtbot: QtBot, place: Callable[..., FigurePanel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    panel = place(CompensationPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    path = tmp_path / f"cost.{kind}"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    pick(qtbot, panel, kind)
    data = path.read_bytes()
    if kind == "png":
        image = QImage.fromData(data)
        assert image.width() >= 2 * panel.width() - 2
        assert panel.tools.isVisible()  # hidden only in the picture
    elif kind == "svg":
        assert data.startswith(b"<svg")
        assert b"as published" in data
    else:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"))))
        assert rows[0][1] == "cost as published, equation (9) (as published, refuted)"
        assert rows[-1][0] == "0.5"


def test_a_folder_that_cannot_be_written_is_said_in_words(
    qtbot: QtBot, place: Callable[..., FigurePanel], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = place(CompensationPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    folder = tmp_path / "taken.svg"
    folder.mkdir()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder), ""))
    pick(qtbot, panel, "svg")
    assert panel.tools.complaint is not None
    assert panel.tools.complaint.isVisible()
    panel.tools.complaint.close()


def test_the_same_data_stand_in_a_table_that_a_screen_reader_reads(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(CompensationPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    pick(qtbot, panel, "table")
    dialog = panel.tools.table
    assert dialog is not None
    assert panel.figure is not None
    assert dialog.table.rowCount() == len(panel.figure.rows)
    assert QAccessible.queryAccessibleInterface(dialog.table).childCount() > dialog.table.rowCount()
    qtbot.mouseClick(dialog.copy_button, LEFT)
    assert next(csv.reader(io.StringIO(QGuiApplication.clipboard().text()))) == list(panel.figure.columns)
    dialog.close()


def test_a_copied_figure_is_a_picture_and_its_table(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(CompositionPanel)
    show(qtbot, panel, example("dandekar_health_centre"))
    pick(qtbot, panel, "copy")
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert "number of equal releases on the same people\tbasic" in data.text()


# --------------------------------------------------------------------------------------- the decision step


def test_one_click_opens_the_window_and_undo_takes_it_back(make_hands: Callable[..., Hands], qtbot: QtBot) -> None:
    hands = make_hands("durham_conflict")
    hands.go("decision")
    page = hands.page
    qtbot.waitUntil(lambda: bool(page.conflicts.buttons), timeout=PATIENCE)
    before = hands.window.session.decision
    offer = page.conflicts.buttons[-1]
    assert "Largest ratio: 2 times → 7 times" in offer.text()
    hands.click(offer)
    hands.settle()
    assert edits.get(hands.window.session.decision, "$.requirements[0].profile.ratio") == 7
    assert not page.conflict_card.isVisible()
    assert not hands.wizard.picture.assessment.window.empty
    assert "Set largest ratio" in hands.wizard.footer.undo_button.text()
    hands.click(hands.wizard.footer.undo_button)
    hands.settle()
    assert hands.window.session.decision == before
    assert page.conflict_card.isVisible()


def test_the_search_for_changes_says_when_there_are_none(qtbot: QtBot, place: Callable[..., FigurePanel]) -> None:
    panel = place(ConflictsPanel)
    decision = example("durham_conflict")
    show(qtbot, panel, decision)
    assert panel.buttons
    show(qtbot, panel, example("durham"))
    assert panel.isHidden()


def test_the_what_if_table_sorts_by_what_is_clicked_and_copies_in_that_order(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(WhatIfPanel)
    show(qtbot, panel, example("durham"))
    table = panel.table
    header = table.horizontalHeader()
    assert table.item(0, 1).text() == "0.18"  # the smallest epsilon first
    qtbot.mouseClick(header.viewport(), LEFT, pos=QPoint(header.sectionViewportPosition(1) + 12, header.height() // 2))
    shown = [table.item(i, 1).text() for i in range(table.rowCount())]
    assert [float(text) for text in shown] == sorted((float(text) for text in shown), reverse=True)
    assert table.rowCount() == 24
    qtbot.mouseClick(panel.copy_button, LEFT)
    copied = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert [row[1] for row in copied[1:]] == shown
    assert "profiles compared: 24" in panel.sentence.words
    assert any(row[0].endswith("(yours)") for row in copied)


def test_the_tornado_waits_until_nothing_else_is_done_and_dragging_epsilon_does_not_start_it_again(
    qtbot: QtBot, place: Callable[..., FigurePanel]
) -> None:
    panel = place(TornadoPanel)
    decision = example("durham_conflict")
    show(qtbot, panel, decision)
    assert "Number of records” moves epsilon most" in panel.sentence.words
    changed = edits.put(decision, "$.epsilon", 1.5)
    panel.show_picture(changed, picture(changed))
    assert not panel.background.busy


def test_the_panels_drawn_at_once_offer_the_same_tools(
    make_hands: Callable[..., Hands], qtbot: QtBot, tmp_path: Path
) -> None:
    hands = make_hands("durham")
    for step, count in (("profile", 2), ("accuracy", 2), ("decision", 2)):
        hands.go(step)
        every = [tools for tools in hands.page.findChildren(FigureTools) if not isinstance(tools.panel, FigurePanel)]
        found = [tools for tools in every if not tools.panel.isHidden()]
        assert len(found) == count, step
        for tools in found:
            assert tools.svg().startswith(b"<svg")
            assert tools.csv().decode("utf-8-sig").count("\n") > 1
            assert tools.png().startswith(b"\x89PNG")


def test_a_saved_picture_has_lines_as_thick_as_the_screen_and_one_ground(
    make_hands: Callable[..., Hands], qtbot: QtBot
) -> None:
    hands = make_hands("durham")
    hands.go("profile")
    hands.settle()
    hands.page.profile_panel.handles.plot.clearFocus()
    picture = QImage.fromData(hands.page.profile_panel.tools.png())
    wanted = QColor(hands.window.colours.privacy).rgb()
    columns = range(picture.width() * 6 // 10, picture.width() * 7 // 10)  # where the profile is level
    thick = [sum(picture.pixel(x, y) == wanted for y in range(picture.height())) for x in columns]
    assert sorted(thick)[len(thick) // 2] in (3, 4, 5)  # two pixels of a screen that is half as fine
    hands.go("decision")
    hands.settle()
    axis = hands.page.axis
    picture = QImage.fromData(axis.tools.png())
    corners = {
        picture.pixel(x, y) for x in (0, picture.width() - 1) for y in (0, picture.height() // 2, picture.height() - 1)
    }
    assert corners == {QColor(axis.colours.card).rgb()}


@pytest.mark.slow
def test_every_page_draws_its_panels_for_its_example(make_hands: Callable[..., Hands], qtbot: QtBot) -> None:
    for name, step, kinds in (
        ("dandekar_health_centre", "budget", {"CompositionPanel", "CompensationPanel", "AtRiskPanel"}),
        ("kazan_reiter_figure_5", "profile", {"SurfacePanel"}),
        ("pankova_laud_cafeteria", "profile", {"GuessingPanel"}),
        ("bon_persuasion", "profile", {"PersuasionPanel"}),
        ("durham", "accuracy", {"ComparisonPanel"}),
        ("durham", "decision", {"TornadoPanel"}),
    ):
        hands = make_hands(name)
        hands.go(step)
        panels = [panel for panel in hands.page.findChildren(FigurePanel) if not panel.isHidden()]
        qtbot.waitUntil(lambda panels=panels: all(panel.figure is not None for panel in panels), timeout=PATIENCE)
        assert {type(panel).__name__ for panel in panels} == kinds, name
        hands.window.close()


# ------------------------------------------------------------------------------------------------- speed


def figures(kind: type) -> list[Figure]:
    """Return three figures of a panel, as a drag would make them."""
    if kind is CompositionPanel:
        decision = example("dandekar_health_centre")
        return [composition_chart.figure(composition_chart.inputs(decision, e)) for e in (0.5, 0.51, 0.52)]
    if kind is CompensationPanel:
        decision = example("dandekar_health_centre")
        return [cost_chart.figure(cost_chart.inputs(decision, e)) for e in (0.5, 0.51, 0.52)]
    if kind is GuessingPanel:
        decision = example("pankova_laud_cafeteria")
        answer = assess(decision).answers[0]
        reads = [guessing_chart.inputs(decision.requirements[0], answer, decision.release, e) for e in (1.2, 1.3, 1.4)]
        return [guessing_chart.figure(read) for read in reads]
    if kind is ComparisonPanel:
        decision = example("durham")
        changed = [edits.put(decision, "$.requirements[0].profile.ratio", r) for r in (4.5, 4.6, 4.7)]
        return [comparison.figure(comparison.rows(comparison.inputs(d, 0))) for d in changed]
    decision = example("kazan_reiter_figure_5")
    found = []
    for ratio in (3.0, 3.1, 3.2):
        changed = edits.put(decision, "$.requirements[0].profile.ratio", ratio)
        answer = assess(changed).answers[0]
        found.append(surfaces.figure(surfaces.inputs(changed.requirements[0], answer, changed.release)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", [CompositionPanel, CompensationPanel, GuessingPanel, SurfacePanel, ComparisonPanel])
def test_a_prepared_figure_is_painted_within_a_frame(place: Callable[..., FigurePanel], kind: type) -> None:
    """Measured as the processor's own time: a machine that is busy with something else does not count."""
    panel = place(kind)
    prepared = figures(kind)
    for figure in prepared:
        panel.show_figure(figure)
        QApplication.processEvents()
    took = []
    for turn in range(30):
        began = time.thread_time()
        panel.show_figure(prepared[turn % 3])
        QApplication.processEvents()
        took.append(time.thread_time() - began)
    assert statistics.median(took) < FRAME, [round(t * 1000, 1) for t in took]


def test_work_behind_a_panel_ends_quietly_when_its_window_is_gone_already() -> None:
    work = Background(lambda asked, _: asked)
    work.request(1)
    shiboken6.delete(work)
    work.close()  # as a panel's end does, in whatever order they go
    assert not work.busy
