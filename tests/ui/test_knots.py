"""Profiles taken hold of: knots and corners dragged with the mouse and moved with the keyboard, knots and grids typed
into tables."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from dpwizard.decision import edits
from dpwizard.privacy.profiles import Knots, Shape, View
from tests.ui.hands import LEFT, Hands

pytestmark = pytest.mark.one_window

PROFILE = "$.requirements[0].profile"
CURVE = {"shape": "knots", "axis": "p", "points": [[0.001, 100], [0.01, 30], [0.1, 5], [0.5, 1.6], [1, 1]]}
GRID = {"shape": "knots2d", "p": [0.001, 0.1, 1], "q": [0.01, 1], "ratios": [[50, 8], [8, 2], [2, 1]]}
ALONG_P = View(axis="p", low=1e-3, high=1.0, other=1.0)
DOWN, UP, RIGHT = Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right


@pytest.fixture
def shaped(make_hands: Callable[..., Hands]) -> Callable[..., Hands]:
    """Return a maker of windows at the risk step of the Durham example, with another profile in it."""

    def make(profile: dict[str, Any], **fields: Any) -> Hands:
        hands = make_hands("durham")
        session = hands.session
        decision = session.decision
        for name, value in {**fields, "profile": profile}.items():
            decision = edits.put(decision, f"$.requirements[0].{name}", value)
        session.edit("Take another profile", decision)
        session.settle()
        hands.go("profile").settle()
        hands.bot.waitUntil(lambda: bool(hands.page.profile_panel.plots))
        for _ in range(3):
            QApplication.processEvents()  # until the plot has its place
        return hands

    return make


def profile_of(hands: Hands) -> Any:
    return edits.get(hands.session.decision, PROFILE)


def at(hands: Hands, index: int) -> QPoint:
    """Return where handle INDEX is on the plot."""
    handles = hands.page.profile_panel.handles
    handle, plot = handles.shown[index], handles.plot
    place = QPointF(plot.shown.x.place(handle.x), plot.shown.y.place(handle.y))
    return plot.mapFromScene(plot.box.mapViewToScene(place))


def drag(hands: Hands, index: int, by: QPoint, steps: int = 8) -> None:
    """Drag handle INDEX with the mouse, and let go."""
    port, start = hands.page.profile_panel.plot.viewport(), at(hands, index)
    hands.page.ensureWidgetVisible(hands.page.profile_panel.plot)
    hands.bot.mousePress(port, LEFT, pos=start)
    for step in range(1, steps + 1):
        hands.bot.mouseMove(port, start + by * step / steps)
        QApplication.processEvents()
    hands.bot.mouseRelease(port, LEFT, pos=start + by)
    hands.settle()


@pytest.mark.slow
def test_a_dragged_knot_is_in_the_decision_and_is_taken_back_in_one_step(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    before, past = hands.session.decision, len(hands.session.history.past)
    drag(hands, 2, QPoint(0, 12))
    points = profile_of(hands).points
    assert points[2][1] < 4.5
    assert points[2][0] == pytest.approx(0.1, rel=0.05)
    assert [points[i] for i in (0, 1, 3, 4)] == [tuple(map(float, CURVE["points"][i])) for i in (0, 1, 3, 4)]
    assert len(hands.session.history.past) == past + 1
    assert "Move knot 3" in hands.wizard.footer.undo_button.text()
    assert hands.page.profile_panel.shown.decision == hands.session.decision
    hands.click(hands.wizard.footer.undo_button)
    hands.settle()
    assert hands.session.decision == before
    assert hands.page.profile_panel.handles.shown[2].y == 5


@pytest.mark.slow
def test_a_knot_dragged_too_high_stays_where_a_belief_becomes_certain_and_says_so(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    panel = hands.page.profile_panel
    start = at(hands, 3)
    hands.bot.mousePress(panel.plot.viewport(), LEFT, pos=start)
    hands.bot.mouseMove(panel.plot.viewport(), start + QPoint(0, -60))
    QApplication.processEvents()
    assert "more than certain" in panel.tools.readout.text()
    assert "more than certain" in panel.plot.accessibleDescription()
    hands.bot.mouseRelease(panel.plot.viewport(), LEFT, pos=start)
    prior, ratio = profile_of(hands).points[3]
    assert prior * ratio <= 1.0


@pytest.mark.slow
def test_knots_are_reached_with_tab_and_moved_with_the_arrows_as_one_step(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    panel = hands.page.profile_panel
    plot, past = panel.plot, len(hands.session.history.past)
    plot.setFocus()
    for _ in range(3):
        hands.bot.keyClick(plot, Qt.Key.Key_Tab)
    assert panel.handles.at == 2
    assert "knot 3: 1 in 10, 5 times" in panel.tools.readout.text()
    fine = profile_of(hands).points[2]
    hands.bot.keyClick(plot, DOWN)
    moved = profile_of(hands).points[2]
    assert moved[1] < fine[1]
    hands.bot.keyClick(plot, DOWN, Qt.KeyboardModifier.ShiftModifier)
    coarse = profile_of(hands).points[2]
    assert fine[1] / moved[1] < moved[1] / coarse[1]
    hands.bot.keyClick(plot, RIGHT)
    assert profile_of(hands).points[2][0] > 0.1
    hands.bot.keyClick(plot, Qt.Key.Key_Escape)
    assert len(hands.session.history.past) == past + 1
    hands.click(hands.wizard.footer.undo_button)
    assert profile_of(hands).points[2] == (0.1, 5.0)


@pytest.mark.slow
def test_insert_adds_a_knot_on_the_curve_and_delete_removes_it(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    panel, before = hands.page.profile_panel, profile_of(hands)
    panel.plot.setFocus()
    for _ in range(2):
        hands.bot.keyClick(panel.plot, Qt.Key.Key_Tab)
    hands.bot.keyClick(panel.plot, Qt.Key.Key_Insert)
    points = profile_of(hands).points
    assert len(points) == 6
    assert points[2][0] == pytest.approx(0.0316, rel=0.01)  # halfway to the next, on the axis
    assert points[2][1] == pytest.approx(before.ratio_at(points[2][0], 1.0), rel=0.005)
    assert "Add a knot" in hands.wizard.footer.undo_button.text()
    assert panel.handles.at == 2
    hands.bot.keyClick(panel.plot, Qt.Key.Key_Delete)
    assert profile_of(hands) == before
    assert "Remove knot 3" in hands.wizard.footer.undo_button.text()


def test_the_last_knot_is_not_removed_and_it_is_said_why(shaped: Callable[..., Hands]) -> None:
    hands = shaped({"shape": "knots", "axis": "p", "points": [[0.1, 3]]})
    panel = hands.page.profile_panel
    panel.plot.setFocus()
    hands.bot.keyClick(panel.plot, Qt.Key.Key_Tab)
    hands.bot.keyClick(panel.plot, Qt.Key.Key_Delete)
    assert len(profile_of(hands).points) == 1
    assert "only knot left" in panel.tools.readout.text()


@pytest.mark.slow
def test_the_corner_of_cap_or_ratio_is_dragged_both_ways(shaped: Callable[..., Hands]) -> None:
    hands = shaped({"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5})
    drag(hands, 0, QPoint(-30, -10))
    profile = profile_of(hands)
    assert profile.ratio > 5.5
    assert profile.posterior / profile.ratio < 0.08  # the corner went to smaller beliefs
    assert hands.session.history.undo_name == "Move corner where highest chance and ratio meet"


@pytest.mark.slow
def test_the_level_of_a_constant_is_dragged_and_its_slider_follows(shaped: Callable[..., Hands]) -> None:
    hands = shaped({"shape": "constant", "ratio": 3})
    drag(hands, 0, QPoint(0, 14))
    ratio = profile_of(hands).ratio
    assert 1.0 <= ratio < 2.8
    line = hands.editor(f"{PROFILE}.ratio").controls()[0]
    assert float(line.text()) == pytest.approx(ratio)


def test_knots_keep_their_order_and_the_chance_after_never_falls_however_they_are_moved() -> None:
    profile: Shape = Knots(axis="p", points=((0.001, 50.0), (0.05, 8.0), (0.3, 2.5), (1.0, 1.0)))
    for turn in range(200):
        index, x, y = turn % 4, 10 ** (-3 * ((turn * 7) % 11) / 10), 10 ** (3 * ((turn * 5) % 13) / 12 - 0.5)
        profile = profile.moved(index, ALONG_P, x, y).profile
        assert profile.points is not None
        priors = [prior for prior, _ in profile.points]
        after = [prior * ratio for prior, ratio in profile.points]
        assert priors == sorted(priors)
        assert all(ratio >= 1.0 for _, ratio in profile.points)
        assert all(b >= a * (1 - 1e-9) for a, b in itertools.pairwise(after))
        assert after[-1] <= 1.0 + 1e-9


# --------------------------------------------------------------------------------------------- tables


def form_of(hands: Hands) -> Any:
    return hands.page.cards.cards[0].form.nested["profile"].form


def type_cell(hands: Hands, row: int, column: int, words: str) -> None:
    """Double-click a cell and type over what stands there."""
    table = form_of(hands).table
    hands.page.ensureWidgetVisible(table)
    place = table.visualRect(table.model().index(row, column)).center()
    hands.bot.mouseClick(table.viewport(), LEFT, pos=place)
    hands.bot.mouseDClick(table.viewport(), LEFT, pos=place)
    field = table.indexWidget(table.model().index(row, column))  # the field before it may not be deleted yet
    field.selectAll()
    hands.bot.keyClicks(field, words)
    hands.bot.keyClick(field, Qt.Key.Key_Return)
    hands.bot.waitUntil(
        lambda: table.state() != table.State.EditingState
    )  # what was typed is handed over in the next turn


def test_a_knot_is_typed_into_the_table_to_all_its_digits(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    type_cell(hands, 2, 1, "4.321987")
    assert profile_of(hands).points[2] == (0.1, 4.321987)
    assert "Set knot 3" in hands.wizard.footer.undo_button.text()
    type_cell(hands, 1, 0, "0.0123")
    assert profile_of(hands).points[1][0] == 0.0123


def test_a_knot_above_certainty_or_out_of_order_is_refused_in_words(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    form, before = form_of(hands), profile_of(hands)
    type_cell(hands, 3, 1, "2.5")
    assert "more than certain" in form.problem.words
    assert profile_of(hands) == before
    type_cell(hands, 3, 1, "1.7")
    assert not form.problem.words
    assert profile_of(hands).points[3] == (0.5, 1.7)
    type_cell(hands, 1, 0, "0.0005")
    assert "must increase" in form.problem.words
    type_cell(hands, 1, 0, "many")
    assert "is not a chance" in form.problem.words


@pytest.mark.slow
def test_a_drag_shows_in_the_table_and_the_table_in_the_plot(shaped: Callable[..., Hands]) -> None:
    hands = shaped(CURVE)
    drag(hands, 1, QPoint(0, 10))
    assert float(form_of(hands).table.rows()[1][1]) == pytest.approx(profile_of(hands).points[1][1])
    type_cell(hands, 1, 1, "20")
    hands.settle()
    assert hands.page.profile_panel.handles.shown[1].y == 20


def test_rows_are_added_and_removed_with_undo(shaped: Callable[..., Hands]) -> None:
    hands = shaped({"shape": "steps", "axis": "p", "edges": [0.01, 0.1], "ratios": [30, 6, 2]})
    form, before = form_of(hands), profile_of(hands)
    form.table.choose(1, 1)
    hands.click(
        next(
            button
            for button in form.findChildren(type(hands.wizard.footer.undo_button))
            if button.text() == "Add a step"
        )
    )
    assert profile_of(hands).edges == (0.01, 0.0316, 0.1)
    assert profile_of(hands).ratios == (30.0, 6.0, 6.0, 2.0)
    hands.click(hands.wizard.footer.undo_button)
    assert profile_of(hands) == before
    assert len(form.table.rows()) == 3


@pytest.mark.slow
def test_a_grid_is_typed_cell_by_cell_and_its_maps_follow(shaped: Callable[..., Hands]) -> None:
    hands = shaped(GRID, adversary="both", q=[0, 1])
    panel = hands.page.figure_panels[0]
    hands.bot.waitUntil(lambda: panel.figure is not None and not panel.background.busy)
    before = panel.figure.plots[0].grid.max()
    type_cell(hands, 1, 1, "70")
    assert profile_of(hands).ratios[0] == (70.0, 8.0)
    hands.settle()
    hands.bot.waitUntil(lambda: panel.figure.plots[0].grid.max() > before * 1.2 and not panel.background.busy)
    type_cell(hands, 3, 2, "1.5")
    assert "more than certain" in form_of(hands).problem.words
