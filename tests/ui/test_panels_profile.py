"""The panels of the risk step, the noise and the axis: read by mouse and keys, all adversaries at once, tables, and the
hand on epsilon."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QApplication

from dpwizard.charts import Chart, Text
from dpwizard.decision import edits
from dpwizard.privacy import relative_risk
from dpwizard.wording import figures
from tests.ui.hands import Hands

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

AGENCIES = tuple(("Agency " + name, ratio) for name, ratio in (("A", 1.5), ("B", 3.0), ("C", 6.0)))


@pytest.fixture
def three(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the risk step with the three agencies of Kazan & Reiter's Figure 3, the second one followed."""
    hands = make_hands("durham")
    session = hands.session
    made = tuple(
        {
            "kind": "relative_risk",
            "name": name,
            "adversary": "inclusion",
            "p": [0, 1],
            "q": 1,
            "profile": {"shape": "cap_or_ratio", "posterior": 0.25, "ratio": ratio},
        }
        for name, ratio in AGENCIES
    )
    session.edit("Take three agencies", edits.put(session.decision, "$.requirements", made))
    hands.go("profile").settle()
    hands.choose_in(hands.page.follow.box, 1)
    for _ in range(3):
        QApplication.processEvents()
    return hands


def chart_of(panel: Any) -> Chart:
    return panel.figure.plots[0]


def point_at(hands: Hands, panel: Any, x: float) -> str:
    """Move the mouse to belief X on the plot of PANEL; return what is read."""
    plot = panel.plot
    hands.bot.wait(100)  # until what was chosen has given the page its height
    hands.page.ensureWidgetVisible(panel, 0, 40)
    (_, _), (low, high) = plot.visible()
    place = QPointF(plot.shown.x.place(x), (low + 2 * high) / 3)
    hands.bot.mouseMove(plot.viewport(), plot.mapFromScene(plot.box.mapViewToScene(place)))
    hands.bot.wait(50)
    return str(panel.tools.readout.text())


def test_the_crosshair_reads_every_adversary_as_the_model_has_it(three: Hands) -> None:
    ratio_panel, epsilon_panel = three.page.curve_panels
    said = point_at(three, ratio_panel, 0.03162)
    at = float(10 ** (round(80 * -1.5) / 80))
    for name, ratio in AGENCIES:
        allowed = max(0.25 / at, ratio)
        assert f"{name}: ratio allowed {int(allowed * 100) / 100:.2f}" in said
    said = point_at(three, epsilon_panel, 0.03162)
    exact = relative_risk.epsilon_at(p=at, q=1.0, ratio=max(0.25 / at, 3.0))
    assert f"Agency B: epsilon {int(exact * 100) / 100:.2f}" in said


def test_the_arrow_keys_read_the_same_points(three: Hands) -> None:
    panel = three.page.curve_panels[1]
    panel.plot.setFocus()
    three.bot.keyClick(panel.plot, Qt.Key.Key_Home)
    assert panel.tools.readout.text().startswith("1 in 1,000: ")
    assert panel.plot.accessibleDescription() == panel.tools.readout.text()
    three.bot.keyClick(panel.plot, Qt.Key.Key_End)
    assert "certain" in panel.tools.readout.text()
    assert "no limit known" in panel.tools.readout.text()


def test_all_adversaries_stand_on_one_figure_the_followed_one_strong_and_the_binding_one_marked(three: Hands) -> None:
    panel = three.page.curve_panels[1]
    lines = [line for line in chart_of(panel).lines if line.column]
    assert [line.width >= 2 for line in lines] == [True, False, False]
    assert [line.label.split(" ", 1)[1] for line in lines] == ["Agency B", "Agency A", "Agency C"]
    assert "“Agency A” sets the limit: 0.51" in panel.sentence.words
    assert "1.29, for a chance before of 8.33 in 100" in panel.sentence.words or "1.29" in panel.sentence.words
    three.choose_in(three.page.follow.box, 0)
    assert "sets the limit: chance before" in chart_of(panel).marks[0].words
    assert len(chart_of(panel).marks) == 1


def test_what_is_saved_as_csv_is_the_table_and_the_curve(three: Hands) -> None:
    for panel in three.page.curve_panels:
        rows = list(csv.reader(io.StringIO(panel.tools.csv().decode("utf-8-sig"))))
        panel.tools.show_table()
        table = panel.tools.table.table
        assert len(table.rows()) == len(rows) - 1
        for index in (0, 40, 99):
            assert list(table.rows()[index]) == rows[index + 1]
        panel.tools.table.close()
        curve = chart_of(panel).lines[0]
        column = rows[0].index(curve.name)
        finite = [float(row[column].replace(",", "")) for row in rows[1:] if row[column] not in ("no limit known", "–")]
        assert min(finite) == pytest.approx(min(curve.y), abs=0.0101)


def test_zoom_keeps_while_a_profile_is_changed_and_is_reset_by_zero(three: Hands) -> None:
    panel = three.page.curve_panels[1]
    panel.plot.setFocus()
    three.bot.keyClick(panel.plot, Qt.Key.Key_Plus)
    before = panel.plot.visible()
    three.session.put("Set largest ratio", "$.requirements[1].profile.ratio", 3.2)
    three.settle()
    assert panel.plot.visible() == before
    three.bot.keyClick(panel.plot, Qt.Key.Key_0)
    assert not panel.plot.zoomed


def test_the_axis_reads_each_requirement(durham: Hands) -> None:
    hands = durham.go("accuracy").settle()
    panel = next(panel for panel in hands.page.panels if type(panel).__name__ == "EpsilonAxisPanel")
    panel.plot.setFocus()
    hands.bot.keyClick(panel.plot, Qt.Key.Key_Home)
    assert panel.tools.readout.text() == "Typical error of the count: at least 2.01"
    rows = list(csv.reader(io.StringIO(panel.tools.csv().decode("utf-8-sig"))))
    assert ["Neighbour who knows the family", "at most about 2.19723"] in rows


def test_a_requirement_without_a_figure_of_its_own_is_seen_on_the_axis_of_all(empty: Hands) -> None:
    hands = empty
    hands.choose("$.release.neighbours", "add_remove")
    hands.fill("$.release.sensitivity", "1")
    hands.choose("$.release.mechanism", "geometric")
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "participation")
    hands.fill("$.requirements[0].posterior_without", "10")
    hands.go("profile")
    hands.fill("$.requirements[0].posterior_with", "20")
    hands.settle()
    page = hands.page
    assert page.axis.isVisible()
    assert not any(panel.isVisible() for panel in page.curve_panels)
    assert page.axis.sentence.words == f"Epsilon can be at most {figures.format_max(math.log(2.25) / 2)}."
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "relative_risk")
    hands.go("profile").settle()
    assert not page.axis.isVisible()
    assert all(panel.isVisible() for panel in page.curve_panels)


def test_the_words_at_the_binding_belief_stand_clear_of_the_curve(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("kazan_reiter_figure_3").go("profile").settle()
    panel = hands.page.curve_panels[1]
    plot, box = panel.plot, panel.plot.box

    def under() -> list[QPointF]:
        words = next(item for item in plot.drawn if isinstance(item, Text) and "sets the limit" in item.text)
        start, end = (place * plot.point for place in words.extent)
        around = QRectF(start, (words.y - words.size) * plot.point, end - start, words.size * plot.point)
        line = chart_of(panel).lines[0]
        places = (
            QPointF(chart_of(panel).x.place(x), chart_of(panel).y.place(y))
            for x, y in zip(line.x, line.y, strict=True)
            if y < 50
        )
        return [place for place in map(box.mapViewToScene, places) if around.contains(place)]

    hands.bot.waitUntil(lambda: under() == [])


def test_the_hyphens_of_names_on_the_axis_are_hyphens(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("bon_persuasion")
    session = hands.session
    session.edit("Leave the name out", edits.put(session.decision, "$.requirements[3].name", None))
    hands.go("decision").settle()
    font = hands.page.axis.plot.left.style["tickFont"]
    metrics = QFontMetricsF(font)
    assert metrics.horizontalAdvance("-") < 0.75 * metrics.horizontalAdvance("0")


def test_the_dots_and_the_sentence_name_the_same_chances(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("kazan_reiter_figure_1").go("profile").settle()
    assert "1 in 30 (3.3 in 100)" in hands.page.words.words
    assert [array.caption.words for array in hands.page.arrays.arrays] == [
        "before: 3.3 in 100",
        "after, at most: 10 in 100",
    ]


def test_in_a_narrow_window_the_words_of_the_limits_are_whole(make_hands: Callable[..., Hands]) -> None:
    hands = make_hands("durham")
    hands.window.resize(683, 500)
    hands.go("decision").settle()
    plot = hands.page.axis.plot
    box = plot.box

    def cut_off() -> list[str]:
        inside = box.sceneBoundingRect()
        words = [item for item in plot.drawn if isinstance(item, Text)]
        assert len(words) >= 3
        return [
            item.text
            for item in words
            if item.extent[0] * plot.point < inside.left() or item.extent[1] * plot.point > plot.width()
        ]

    hands.bot.waitUntil(lambda: cut_off() == [])
