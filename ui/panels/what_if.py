"""What other profiles would allow: Table 1 of Kazan & Reiter for the officer's numbers; sorted, copied as CSV."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout

from dpwizard.base.csv_text import as_csv
from dpwizard.base.stopping import Stop
from dpwizard.charts import Picture, comparison
from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.controls import Prose, RowsTable
from ui.panels.figure_panel import PATIENCE, AdversaryChoice, ComputedPanel
from ui.widgets import button_for, fill

IDLE = 120  # milliseconds without an edit
MOST_ROWS = 9  # seen at once; the rest by scrolling


class WhatIfPanel(ComputedPanel):
    """One row for each profile: the epsilon it allows, the noise that follows, and the allowed range it leaves."""

    titled = ("chart", "what_if_title")

    def build(self) -> None:
        self.which = AdversaryChoice()
        self.which.edited.connect(lambda *_: self.redraw())
        self.table = RowsTable(self.title, sorts=(1, False), most=MOST_ROWS)
        self.copy_button = button_for(word("chart", "copy_csv"), self.copy, "small")
        below = QHBoxLayout()
        self.keys = Prose(word("chart", "what_if_keys"), "caption")
        below.addWidget(self.keys, 1)
        below.addWidget(self.copy_button, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        fill(self.column, self.which, self.table)
        self.column.addLayout(below)
        self.rows: tuple[comparison.ProfileRow, ...] = ()
        self.begin_work(IDLE, IDLE + PATIENCE)

    def read(self, decision: Decision, picture: Picture) -> comparison.ComparisonInputs | None:
        return comparison.inputs(decision, self.which.offer(decision, picture.assessment))

    def compute(self, inputs: Any, stop: Stop) -> tuple[comparison.ProfileRow, ...]:
        return comparison.rows(inputs)

    def put_away(self) -> str:
        return word("chart", "what_if_open")

    def take(self, content: tuple[comparison.ProfileRow, ...]) -> None:
        """Fill the table with CONTENT; keep the order the officer chose."""
        before, self.rows = self.current_name, content
        columns, shown, keys = comparison.table(content)
        self.table.fill(columns, shown, keys, bold=[i for i, row in enumerate(content) if row.is_current])
        compared = any(row.epsilon is not None for row in content)  # else every row would say the same
        self.table.setVisible(compared)
        self.copy_button.setVisible(compared)
        self.keys.setVisible(compared)
        if self.current_name != before:
            self._scroll_to_current()
        self.say(comparison.summary(content))

    @property
    def current_name(self) -> str:
        """Return the name of the officer's profile among the rows; "" while there are none."""
        return next((row.name for row in self.rows if row.is_current), "")

    def _scroll_to_current(self) -> None:
        """Scroll to the officer's profile, in the middle of the view."""
        model = self.table.rows_model
        position = next((at for at, row in enumerate(model.rows) if row.strong), None)
        if position is not None:
            self.table.scrollTo(model.index(position, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def copy(self) -> None:
        """Copy the table as CSV, in the order shown."""
        QGuiApplication.clipboard().setText(as_csv((self.table.columns(), *self.table.rows())))
