"""What other profiles would allow: Table 1 of Kazan & Reiter for one's own numbers; sorts, and copies as CSV."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout

from dpwizard.base.csv_text import as_csv
from dpwizard.charts import Picture, comparison
from dpwizard.decision import Decision
from dpwizard.wording import format_text, word
from ui.controls import Prose, RowsTable
from ui.panels.figure_panel import AdversaryChoice
from ui.panels.panel import Panel
from ui.widgets import button_for, fill
from ui.workers import Background

IDLE = 120  # milliseconds without an edit
PATIENCE = 60
MOST_ROWS = 9  # seen at once; the rest by scrolling


class WhatIfPanel(Panel):
    """One row for each profile: the epsilon it allows, the noise that follows, and the window it leaves."""

    titled = ("chart", "what_if_title")

    def build(self) -> None:
        self.which = AdversaryChoice()
        self.which.edited.connect(lambda *_: self.redraw())
        self.table = RowsTable(self.title, sorts=(1, False), most=MOST_ROWS)
        self.table.headings.setAccessibleName(word("chart", "what_if_headings"))
        self.copy_button = button_for(word("chart", "copy_csv"), self.copy, "small")
        below = QHBoxLayout()
        self.keys = Prose(word("chart", "what_if_keys"), "caption")
        below.addWidget(self.keys, 1)
        below.addWidget(self.copy_button, alignment=Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignRight)
        fill(self.column, self.which, self.table)
        self.column.addLayout(below)
        self.rows: tuple[comparison.ProfileRow, ...] = ()
        self._asked: Any = None
        self._stale_page = False
        self.background = Background(lambda asked, stop: comparison.rows(asked), pause=IDLE, parent=self)
        self.background.done.connect(self._done)
        self.background.failed.connect(lambda _, reason: self.say(format_text("chart", "failed", {"reason": reason})))
        self._timer = QTimer(self, singleShot=True, interval=IDLE + PATIENCE)
        self._timer.timeout.connect(self._grey)

    def draw(self, decision: Decision, picture: Picture) -> str:
        asked = comparison.inputs(decision, self.which.offer(decision, picture.assessment))
        self.setVisible(asked is not None)
        if asked is None:
            self._asked = None
            self.background.forget()
            return word("chart", "what_if_open")
        if asked != self._asked:
            self._asked = asked
            self.background.request(asked)
            if not self._timer.isActive():
                self._timer.start()
            return self.sentence.words if self.rows else word("chart", "working")
        return self.sentence.words

    def _done(self, asked: Any, rows: tuple[comparison.ProfileRow, ...]) -> None:
        if self._asked is None:
            return
        self.show_rows(rows)
        if not self.background.busy:
            self._timer.stop()
            self._grey()

    def show_rows(self, rows: tuple[comparison.ProfileRow, ...]) -> None:
        """Fill the table; the order somebody chose is kept."""
        before, self.rows = self.current_name, rows
        columns, shown, keys = comparison.table(rows)
        self.table.fill(columns, shown, keys, bold=[i for i, row in enumerate(rows) if row.is_current])
        compared = any(row.epsilon is not None for row in rows)  # else every row would say the same
        self.table.setVisible(compared)
        self.copy_button.setVisible(compared)
        self.keys.setVisible(compared)
        if self.current_name != before:
            self._see_current()
        self.say(comparison.summary(rows))

    @property
    def current_name(self) -> str:
        """Return the name of the officer's own profile among the rows; "" while there are none."""
        return next((row.name for row in self.rows if row.is_current), "")

    def _see_current(self) -> None:
        """Scroll to the officer's own profile, among its neighbours."""
        model = self.table.rows_model
        position = next((at for at, row in enumerate(model.rows) if row.strong), None)
        if position is not None:
            self.table.scrollTo(model.index(position, 0), QAbstractItemView.ScrollHint.PositionAtCenter)

    def copy(self) -> None:
        """Copy the table as CSV, in the order in which it is shown."""
        QGuiApplication.clipboard().setText(as_csv((self.table.columns(), *self.table.rows())))

    def set_stale(self, stale: bool) -> None:
        self._stale_page = stale
        super().set_stale(stale)

    def _grey(self) -> None:
        super().set_stale(self._stale_page or self.background.busy)

    def close_down(self) -> None:
        """End the work behind the table; the window is closing."""
        self.background.close()
