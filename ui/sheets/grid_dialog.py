"""A grid of levels and queries, typed or pasted as its shares, on its way into the release."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.fractional import exactly
from dpwizard.decision import Decision
from dpwizard.sheets import Query, as_written, attributes_of, column, grid, with_grid
from ui.controls import Prose, Statement
from ui.session import Session
from ui.sheets.text_table import TextModel, TextTable
from ui.widgets import added, button_for, column_of, plain, theme, tr
from ui.workers import Worker

WIDTH, HEIGHT = 860, 600
QUERIES, LEVELS = 8, 4  # rows and columns to begin with; more come with what is pasted, or by a button
NAMES, SHARES, FIRST = 0, 1, 2  # rows: names of levels, their shares, and the first query


class GridDialog(QDialog):
    """One table for each level and query; its share is the exact product of theirs."""

    def __init__(self, session: Session, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self.setWindowTitle(tr("A grid of levels and queries"))
        self.resize(WIDTH, HEIGHT)
        shown = column_of(self, tr("What share has each level, and each query of it?"))
        shown.setSpacing(theme.NEAR)
        how = tr(
            "One column for each level, the finest first; one row for each query. Shares are numbers or fractions such "
            "as 53/513. The share of a table is the product of both, exactly; one of 0, or empty, is not published."
        )
        shown.addWidget(Prose(how, "quiet"))
        self.cells = TextModel(tuple(("",) * (1 + LEVELS) for _ in range(FIRST + QUERIES)), colours)
        self.cells.first_column = (tr("Level"), tr("Share of the level"))
        self.cells.edited.connect(self._read)
        self.cells.modelReset.connect(self._head)
        self.table = TextTable(self.cells, tr("Levels and queries with their shares"))
        shown.addWidget(self.table, 1)
        self.reads = added(shown, Statement(tr("The queries name the attributes they read, as in age * sex")))
        self.reads.clicked.connect(lambda _: self._read())
        self.instead = added(shown, Statement(tr("In place of the tables there are")))
        self.instead.setVisible(not session.decision.release.tables[0].whole)
        self.says = added(shown, Prose("", ""))
        self.problem = added(shown, Prose("", "problem"))
        row = plain(QHBoxLayout(), theme.NEAR)
        row.addWidget(button_for(tr("One more level"), lambda: self._grow(0, self.cells.columnCount())))
        row.addWidget(button_for(tr("One more query"), lambda: self._grow(self.cells.rowCount(), 0)))
        row.addStretch(1)
        row.addWidget(button_for(tr("Cancel"), self.reject))
        self.add_button = added(row, button_for("", self._add, "primary"))
        shown.addLayout(row)
        self.adder = Worker(self)
        self.adder.done.connect(self._added)
        self.adder.failed.connect(self._not_added)
        self.levels: tuple[str, ...] = ()
        self.tables: tuple[dict[str, Any], ...] = ()
        self._head()
        self._read()
        self.table.choose(NAMES, 1)

    def _head(self) -> None:
        levels = (tr("Level {number}", number=at) for at in range(1, self.cells.columnCount()))
        self.cells.headings = (tr("Query"), *levels)
        queries = (tr("Query {number}", number=at + 1) for at in range(self.cells.rowCount() - FIRST))
        self.cells.first_column = (tr("Name of the level"), tr("Share of the level"), *queries)

    def _grow(self, row: int, column: int) -> None:
        self.cells.put(row, column, (("",),))
        self.table.choose(row if row else NAMES, column)
        self.table.setFocus()

    def _read(self) -> None:
        """Work out the tables that are described now, and say what they come to, or what stands in the way."""
        rows = self.cells.as_rows()
        levels = [at for at in range(1, self.cells.columnCount()) if any(row[at] for row in rows)]
        queries = [at for at in range(FIRST, len(rows)) if any(rows[at])]
        marks: dict[tuple[int, int], str] = {}
        shares = {(row, at): self._share(row, at, marks) for row in (SHARES, *queries) for at in levels}
        self.tables, self.levels = (), tuple(rows[NAMES][at] for at in levels)
        said, wrong = "", next(iter(marks.values()), "")
        if levels and queries and not marks:
            try:
                named = [rows[row][0] for row in queries]
                reads = attributes_of(named) if self.reads.isChecked() else (None,) * len(queries)
                self.tables = grid(
                    tuple((rows[NAMES][at], shares[SHARES, at]) for at in levels),
                    tuple(
                        Query(name=rows[row][0], shares=tuple(shares[row, at] for at in levels), reads=read)
                        for row, read in zip(queries, reads, strict=True)
                    ),
                )
                total = as_written(sum((exactly(fields["share"]) for fields in self.tables), Fraction()))
                count = tr("{n} table", "{n} tables", n=len(self.tables))
                said = tr(
                    "{tables} on {levels} levels; their shares come to {total}.",
                    tables=count,
                    levels=len(levels),
                    total=column("share").written(total),
                )
            except DPWizardError as problem:
                wrong = self._where(problem, levels, queries)
        self.cells.marks = marks
        self.cells.redraw()
        self.table.resizeColumnsToContents()
        self.says.say(said)
        self.problem.say(wrong)
        self.problem.setVisible(bool(wrong))
        self.add_button.setText(tr("Add {n} table", "Add {n} tables", n=len(self.tables)))
        self.add_button.setEnabled(bool(self.tables))

    def _share(self, row: int, at: int, marks: dict[tuple[int, int], str]) -> float | str:
        """Return the share in a cell, 0 where it is empty; what is none is marked."""
        text = self.cells.rows[row][at]
        try:
            share: float | str | None = column("share").read(text)
        except DPWizardError as problem:
            place = tr("{row}, {column}", row=self._name(row), column=self.cells.headings[at])
            marks[row, at] = f"{place}: {problem.said}. {problem.remedy}"
            return 0.0
        return 0.0 if share is None else share

    def _name(self, row: int) -> str:
        return self.cells.first_column[row]

    def _where(self, problem: DPWizardError, levels: Sequence[int], queries: Sequence[int]) -> str:
        """Return what stands in the way of the grid, with the level or query that it is about."""
        found = re.match(r"(levels|queries)\[(\d+)\]", problem.where)
        if found is None:
            return f"{problem.said[:1].upper()}{problem.said[1:]}. {problem.remedy}"
        at = int(found[2])
        place = self.cells.headings[levels[at]] if found[1] == "levels" else self._name(queries[at])
        return f"{place}: {problem.said}. {problem.remedy}"

    def _add(self) -> None:
        decision, levels, tables, instead = self.session.decision, self.levels, self.tables, self.instead.isChecked()
        self.setEnabled(False)  # what is being added stays as it is
        self.adder.start(lambda progress: with_grid(decision, levels, tables, instead=instead))

    def _added(self, decision: Decision) -> None:
        self.session.edit(tr("Fill a grid of tables"), decision)
        self.accept()

    def _not_added(self, problem: DPWizardError) -> None:
        self.setEnabled(True)
        self.add_button.setFocus()
        self.problem.say(tr("Not added: {message}. {hint}", message=problem.said, hint=problem.remedy))
        self.problem.show()

    def done(self, result: int) -> None:
        self.adder.leave()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        super().closeEvent(event)
