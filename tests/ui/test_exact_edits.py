"""What the hand does is exactly what changes: buttons of the footer, rows, sliders, and what is dragged on a figure."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtWidgets import QApplication

from dpwizard.decision import STEPS
from tests.ui.hands import LEFT, Hands

pytestmark = pytest.mark.one_window

RATIO = "$.requirements[0].profile.ratio"
KEYS = [step.key for step in STEPS if step.key != "budget"]  # which has nothing to ask about the Durham example


def names(hands: Hands) -> list[str | None]:
    return [part.name for part in hands.session.decision.release.parts]


@pytest.fixture
def tables(empty: Hands) -> Hands:
    """Return hands at a decision with the tables a, b, c and d."""
    hands = empty
    for index, name in enumerate("abcd"):
        hands.click(hands.page.parts.add_button)
        hands.fill(f"$.release.parts[{index}].name", name)
    return hands


def test_next_and_back_go_one_step_and_end_at_the_ends(durham: Hands) -> None:
    footer = durham.wizard.footer
    assert not footer.back_button.isEnabled()
    for key in KEYS[1:]:
        durham.click(footer.next_button)
        assert durham.page.key == key
        assert footer.back_button.isEnabled()
    assert footer.next_button.text() == "Sign …"
    for key in reversed(KEYS[:-1]):
        durham.click(footer.back_button)
        assert durham.page.key == key
    assert not footer.back_button.isEnabled()


def test_the_row_whose_button_is_clicked_is_the_one_removed_or_moved(tables: Hands) -> None:
    for row, rest in ((0, "bcd"), (1, "acd"), (3, "abc")):
        tables.click(tables.page.parts.buttons[row][2])
        assert names(tables) == list(rest)
        tables.click(tables.wizard.footer.undo_button)
        assert names(tables) == list("abcd")
    tables.click(tables.wizard.footer.redo_button)
    assert names(tables) == list(rest)
    tables.session.undo()
    tables.click(tables.page.parts.buttons[2][0])  # up
    assert names(tables) == list("acbd")
    tables.click(tables.page.parts.buttons[0][1])  # down
    assert names(tables) == list("cabd")
    assert [form.editors["name"].line.text() for form in tables.page.parts.forms] == list("cabd")


def test_a_requirement_moves_one_place_the_way_it_is_told(empty: Hands) -> None:
    empty.go("adversary")
    cards = empty.page.cards
    for kind in ("lee_clifton", "two_worlds", "attack_success"):
        empty.pick(cards.add_button, kind)
    for place, way, kinds in (
        (0, "Move down", ["two_worlds", "lee_clifton", "attack_success"]),
        (2, "Move up", ["two_worlds", "attack_success", "lee_clifton"]),
        (0, "Move up", ["two_worlds", "attack_success", "lee_clifton"]),
    ):
        empty.pick(cards.cards[place].more, way)
        assert [one.kind for one in empty.session.decision.requirements] == kinds


def test_a_slider_means_the_number_at_its_place(durham: Hands) -> None:
    durham.go("profile")
    made = durham.editor(RATIO)
    for part, ratio in ((0.0, 1.0), (0.25, 5.62), (0.5, 31.6), (1.0, 1000.0)):
        place = round(part * made.slider.maximum())
        made.slider.setValue(place)  # 1,000 times is at the right end, and the scale is logarithmic
        assert durham.session.decision.requirements[0].profile.ratio == ratio
        assert made.line.text() == f"{ratio:g}"
        made.slider.setValue(made.slider.maximum() // 3)
        durham.fill(RATIO, f"{ratio:g}")
        assert abs(made.slider.value() - place) <= 1


def test_a_handle_dragged_on_the_axis_stays_under_the_pointer(durham: Hands) -> None:
    durham.go("decision").settle()
    plot = durham.page.axis.plot
    port = plot.viewport()
    before, past = durham.session.decision.epsilon, len(durham.session.history.past)
    assert before is not None

    def place(epsilon: float) -> QPoint:
        return QPoint(plot.mapFromScene(plot.box.mapViewToScene(QPointF(epsilon, -1.0))))

    pixel = 1 / (place(before + 1).x() - place(before).x())
    held = place(before) + QPoint(5, 0)  # beside the middle of the handle: it does not jump there
    durham.bot.mousePress(port, LEFT, pos=held)
    for step in range(1, 9):
        durham.bot.mouseMove(port, held - QPoint(5 * step, 0))
        QApplication.processEvents()
    durham.bot.mouseRelease(port, LEFT, pos=held - QPoint(40, 0))
    durham.settle()
    assert durham.session.decision.epsilon == pytest.approx(before - 40 * pixel, abs=1.5 * pixel)
    assert durham.session.history.undo_name == "Choose epsilon"
    assert len(durham.session.history.past) == past + 1  # a drag is one step


def test_an_arrow_key_moves_the_chosen_epsilon_its_way(durham: Hands) -> None:
    durham.go("decision").settle()
    durham.page.axis.handles.reach(0)
    for key, way in ((Qt.Key.Key_Left, -1), (Qt.Key.Key_Right, 1)):
        before = durham.session.decision.epsilon
        assert before is not None
        durham.bot.keyClick(durham.page.axis.plot, key)
        moved = durham.session.decision.epsilon
        assert moved is not None
        assert 0 < way * (moved - before) < 0.1
    durham.bot.keyClick(durham.page.axis.plot, Qt.Key.Key_Escape)
    assert durham.session.history.undo_name == "Choose epsilon"
