"""The view of every table on the decision page: sorted, searched, copied, and live while the budget is dragged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from dpwizard.charts import every_table, picture
from dpwizard.decision import read_decision
from dpwizard.wording import texts
from tests.samples.census import census, many
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import Hands
from ui.panels import fresh
from ui.panels.every_table import EveryTablePanel

pytestmark = pytest.mark.slow

SPACE, RIGHT = Qt.Key.Key_Space, Qt.Key.Key_Right


@pytest.fixture
def panel(place: Callable[..., Any]) -> Any:
    """Return the view of sixty-five tables."""
    found = place(EveryTablePanel)
    show(found, census())
    return found


def show(panel: Any, raw: dict[str, Any]) -> None:
    decision = read_decision(raw).planned
    panel.show_state(fresh(decision, picture(decision)))


def column(panel: Any, key: str) -> list[str]:
    """Return the words seen in the column KEY."""
    at = every_table.COLUMNS.index(key)
    model = panel.table.model()
    return [model.data(model.index(row, at)) for row in range(model.rowCount())]


def test_the_tightest_table_stands_first_and_the_sentence_names_it(panel: Any) -> None:
    assert len(column(panel, "table")) == 65
    assert column(panel, "table")[0] in panel.sentence.words
    assert panel.accessibleDescription() == panel.sentence.words
    assert column(panel, "kept")[0] == "✗ not met"
    assert panel.table.accessibleName()
    assert panel.search.accessibleName()
    show(panel, json.loads((EXAMPLES / "durham.json").read_text("utf-8")))
    assert panel.isHidden()  # of one table there is no view
    show(panel, census())
    assert not panel.isHidden()


def test_a_table_is_found_by_its_name_and_only_needs_not_kept_are_seen_if_so(panel: Any, qtbot: QtBot) -> None:
    qtbot.keyClicks(panel.search, "county hhgq")
    assert column(panel, "table") == ["County: hhgq"]
    assert panel.seen.words == "Shown: 1 of 65."
    panel.search.clear()
    assert panel.seen.words == ""
    panel.only_broken.click()
    assert set(column(panel, "kept")) == {"✗ not met"}
    assert len(column(panel, "kept")) < 65
    show(panel, census(rho=500))  # all are kept: none is left
    assert column(panel, "table") == []


def test_what_is_seen_is_copied_as_csv_a_line_for_each_need_in_the_order_shown(panel: Any) -> None:
    panel.search.setText("State")
    panel.copy_button.click()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text())))
    assert tuple(rows[0]) == every_table.headings()
    assert [row[0] for row in rows[1:]] == column(panel, "table")


def test_a_tip_says_all_needs_of_a_table_in_full(panel: Any) -> None:
    raw = census()
    raw["requirements"] += [{"kind": "rmse", "part": "US: hhgq", "at_most": 3, "name": "For the press"}]
    show(panel, raw)
    model = panel.table.model()
    row = column(panel, "table").index("US: hhgq")
    assert "(and 1 more)" in column(panel, "need")[row]
    tip = model.data(model.index(row, 0), Qt.ItemDataRole.ToolTipRole)
    assert "US: hhgq\n" in tip
    assert "For the press: at most 3 root-mean-square error" in tip
    assert "margin of error" in tip


def test_many_tables_are_shown_and_only_those_in_sight_are_put_into_words(panel: Any) -> None:
    show(panel, many(400))
    assert panel.table.model().rowCount() == 400
    assert len(panel.model._cell_words) < 1_000  # of 3,600: those in sight, and those that say how wide a column is


def test_the_page_of_sixty_five_tables_says_each_thing_once(empty: Hands) -> None:
    empty.session.start(read_decision(census()))
    empty.go("decision").settle()
    page = empty.page
    assert not page.tables_card.isHidden()
    assert page.accuracy.words.count("\n") < 4
    assert page.violations.words.count("\n") < 8
    assert "more are not met" in page.violations.words
    assert len(page.implied.lines) < 5
    before = column(page.tables, "noise")
    written, show = texts._written_into, page.show_state
    with (
        patch.object(texts, "_written_into", wraps=written) as said,
        patch.object(page, "show_state", wraps=show) as shown,
    ):
        page.zoomed.chosen.emit(3.0, True)
        empty.settle()
    assert said.call_count < 150 * shown.call_count  # words of what is seen, not of each table
    assert page.axis.plot._picture is None  # nor is a plot drawn where the page is scrolled away
    assert column(page.tables, "noise") != before
    assert not page.tables.stale
