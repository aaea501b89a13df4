"""The dialog that adds a grid of tables: one for each level, query and period."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.fractional import exactly
from dpwizard.sheets import Query, as_written, attributes_of, column, grid, with_grid
from ui.controls import Line, Prose, Statement
from ui.session import DocumentSession
from ui.sheets.add_tables_dialog import AddTablesDialog
from ui.sheets.text_table import TextTable
from ui.widgets import button_for, fill, named, plain, theme, tr

SIZE = (860, 600)
QUERIES, LEVELS = 8, 4  # rows and columns at first; a paste or a button adds more
NAMES, SHARES, WIDTHS, FIRST_QUERY = 0, 1, 2, 3  # rows: names of levels, their shares, their needs, and the first query


class GridDialog(AddTablesDialog):
    """Adds a table for each level, query and period; its share is the exact product of theirs, or follows the needs."""

    def __init__(self, session: DocumentSession, colours: theme.Colours, parent: QWidget | None = None) -> None:
        table = TextTable(tuple(("",) * (1 + LEVELS) for _ in range(FIRST_QUERY + QUERIES)), colours)
        heading = tr("What is published at each level, and how exact must it be?")
        super().__init__(session, table, parent, tr("A grid of levels and queries"), SIZE, heading)
        how = tr(
            "Each column is a level, the finest first. Each row is a query. Shares are numbers or fractions "
            "such as 53/513. A table’s share is exactly the product of both. A table with a share of 0, or "
            "none, is not published. Leave all shares empty if the budget is split by accuracy: then each "
            "query is published at each level."
        )
        self.column.addWidget(Prose(how, "quiet"))
        self.table.edited.connect(self._read_tables)
        self.reads = Statement(tr("Each query names the attributes it reads, as in age * sex"))
        self.reads.clicked.connect(lambda _: self._read_tables())
        level = button_for(tr("Add a level"), lambda: self._extend(0, self.table.width_of_texts))
        query = button_for(tr("Add a query"), lambda: self._extend(len(self.table.texts), 0))
        self.periods = Line()
        self.periods.setPlaceholderText(column("period").help)
        self.periods.textEdited.connect(lambda _: self._read_tables())
        self.periods.setAccessibleName(tr("Periods, separated by semicolons. Each has all these tables"))
        timed = QWidget()
        fill(plain(QVBoxLayout(timed), 0), named(QLabel(self.periods.accessibleName()), "caption"), self.periods)
        before = (timed, self.reads, self.instead, self.says, self.problem)
        self.end(tr("Levels and queries with their shares"), before, level, query)
        self.levels: tuple[str, ...] = ()
        self.tables: tuple[dict[str, Any], ...] = ()
        self.widths: dict[str, float] = {}  # of the levels that have a need
        self._read_tables()
        self.table.choose(NAMES, 1)

    def _set_headings(self) -> None:
        levels = (tr("Level {number}", number=at) for at in range(1, self.table.width_of_texts))
        self.table.titles = (tr("Query"), *levels)
        queries = (tr("Query {number}", number=at + 1) for at in range(len(self.table.texts) - FIRST_QUERY))
        needs = tr("Within ±, in 95 of 100")
        self.table.labels = (tr("Name of the level"), tr("Share of the level"), needs, *queries)

    def _extend(self, row: int, column: int) -> None:
        self.table.put(row, column, (("",),))
        self.table.choose(row if row else NAMES, column)
        self.table.setFocus()

    def _read_tables(self) -> None:
        """Build the tables from the cells; show their total share, or the first problem."""
        self._set_headings()
        rows = self.table.as_rows()
        levels = [at for at in range(1, self.table.width_of_texts) if any(row[at] for row in rows)]
        queries = [at for at in range(FIRST_QUERY, len(rows)) if any(rows[at])]
        marks: dict[tuple[int, int], str] = {}
        self._read_needs(levels, marks)
        share_cells = [(row, at) for row in (SHARES, *queries) for at in levels]
        shares = {(row, at): self._read_number("share", row, at, marks) for row, at in share_cells}
        shared = any(rows[row][at] for row, at in share_cells)
        self.tables, self.levels = (), tuple(rows[NAMES][at] for at in levels)
        text, wrong = "", next(iter(marks.values()), "")
        if levels and queries and not marks:
            try:
                self.tables = self._build_tables(levels, queries, shares, shared)
                text = self._summary(len(levels), shared)
            except DPWizardError as problem:
                wrong = self._problem_words(problem, levels, queries)
        self.table.marks = marks
        self.table.show_texts()
        self.says.say(text)
        self.problem.say(wrong)
        self.add_button.setText(tr("Add {n} table", "Add {n} tables", n=len(self.tables)))
        self.add_button.setEnabled(bool(self.tables))

    def _read_needs(self, levels: Sequence[int], marks: dict[tuple[int, int], str]) -> None:
        """Read the needs of the LEVELS, and put a mark on each cell that cannot be read."""
        names, widths = self.table.texts[NAMES], self.table.texts[WIDTHS]
        if widths[0]:  # a block without this row was pasted
            row = self.table.labels[WIDTHS]
            marks[WIDTHS, 0] = tr("Row “{row}” starts with a name. Queries begin in the row below.", row=row)
        needs = {names[at]: self._read_number("sensitivity", WIDTHS, at, marks) for at in levels if widths[at]}
        self.widths = {level: width for level, width in needs.items() if isinstance(width, float)}

    def _build_tables(
        self,
        levels: Sequence[int],
        queries: Sequence[int],
        shares: Mapping[tuple[int, int], float | str],
        shared: bool,
    ) -> tuple[dict[str, Any], ...]:
        """Return the tables of LEVELS and QUERIES; raises InvalidInput if they are not valid."""
        rows = self.table.texts
        names = [rows[row][0] for row in queries]
        reads = attributes_of(names) if self.reads.isChecked() else (None,) * len(queries)
        periods = filter(None, map(str.strip, self.periods.text().split(";")))
        return grid(
            tuple((rows[NAMES][at], shares[SHARES, at]) for at in levels),
            tuple(
                Query(name=rows[row][0], shares=tuple(shares[row, at] for at in levels), reads=read)
                for row, read in zip(queries, reads, strict=True)
            ),
            periods=tuple(column("period").read(period) for period in periods),
            shared=shared,
        )

    def _summary(self, levels: int, shared: bool) -> str:
        """Return the number of tables and levels, and the sum of the shares, in words."""
        count = tr("{n} table", "{n} tables", n=len(self.tables))
        if not shared:
            return tr("{tables} on {levels} levels; the budget is split by accuracy.", tables=count, levels=levels)
        total = as_written(sum((exactly(fields["share"]) for fields in self.tables), Fraction()))
        share = column("share").written(total)
        return tr(
            "{tables} on {levels} levels; their shares come to {total}.", tables=count, levels=levels, total=share
        )

    def _read_number(self, name: str, row: int, at: int, marks: dict[tuple[int, int], str]) -> float | str:
        """Return the number in a cell, read like the field NAME; 0 if it is empty or, with a mark, cannot be read."""
        text = self.table.texts[row][at]
        try:
            share: float | str | None = column(name).read(text)
        except DPWizardError as problem:
            place = tr("{row}, {column}", row=self.table.labels[row], column=self.table.titles[at])
            marks[row, at] = f"{place}: {problem.text}. {problem.remedy}"
            return 0.0
        return 0.0 if share is None else share

    def _problem_words(self, problem: DPWizardError, levels: Sequence[int], queries: Sequence[int]) -> str:
        """Return PROBLEM in words, with the level or query it is about."""
        match = re.match(r"(levels|queries)\[(\d+)\]", problem.where)
        if match is None:
            return f"{problem.text[:1].upper()}{problem.text[1:]}. {problem.remedy}"
        at = int(match[2])
        place = self.table.titles[levels[at]] if match[1] == "levels" else self.table.labels[queries[at]]
        return f"{place}: {problem.text}. {problem.remedy}"

    def add(self) -> None:
        decision, levels, tables, widths = self.session.decision, self.levels, self.tables, self.widths
        instead = self.instead.isChecked()
        self.add_tables(
            tr("Fill a grid of tables"),
            lambda: with_grid(decision, levels, tables, instead=instead, widths=widths),
            len(tables),
        )
