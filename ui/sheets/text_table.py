"""A table of editable texts: the rows that a dialog is about to add to the release."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from dpwizard.base.csv_text import Rows, rows_of
from dpwizard.base.errors import DPWizardError
from ui.controls import Column, Spreadsheet
from ui.widgets import theme

WIDEST = 240  # pixels of the words of a column


class TextTable(Spreadsheet):
    """Rows of texts, all equally long, with a heading for each column and marks on some cells."""

    edited = Signal()

    def __init__(self, texts: Rows, colours: theme.Colours) -> None:
        super().__init__("", most=None)
        self.texts = [list(row) for row in texts]
        self.titles: tuple[str, ...] = ()
        self.labels: tuple[str, ...] = ()  # headings of rows, instead of their numbers
        self.read_as: Mapping[tuple[int, int], str] = {}  # how a cell was read, if not as its text
        self.marks: Mapping[tuple[int, int], str] = {}  # what is wrong with a cell
        self.unused: frozenset[int] = frozenset()  # columns
        self.row_of_titles = -1
        model = self.rows_model
        model.problem = lambda row, column: self.marks.get((row, column.field), "")
        model.ground = lambda row, column: colours.selected if (row, column.field) in self.marks else None
        model.colour = lambda row, column: (
            colours.problem
            if (row, column.field) in self.marks
            else colours.quiet
            if column.field in self.unused or row == self.row_of_titles
            else colours.text
        )
        model.typed.connect(self._type)
        self.show_labels(lambda row: self.labels[row] if row < len(self.labels) else str(row + 1))
        self.show_texts()

    def as_rows(self) -> Rows:
        """Return every text."""
        return tuple(map(tuple, self.texts))

    @property
    def width_of_texts(self) -> int:
        """Return how many columns there are."""
        return len(self.texts[0]) if self.texts else 0

    def show_texts(self) -> None:
        """Show the texts with their headings and marks; what is chosen stays so if there are as many as before."""
        columns, model = tuple(map(self._column, range(self.width_of_texts))), self.rows_model
        if len(columns) != len(model.columns):
            model.show_columns(columns)
        model.columns = columns
        self.show_rows(range(len(self.texts)))

    def _column(self, at: int) -> Column:
        def text(row: int) -> str:
            return self.texts[row][at]

        return Column(
            title=self.titles[at] if at < len(self.titles) else "",
            words=lambda row: text(row) if (row, at) in self.marks else self.read_as.get((row, at), text(row)),
            tip=text,
            text=text,
            most=WIDEST,
            field=at,
        )

    def _type(self, row: int, column: int, typed: str) -> None:
        text = " ".join(typed.split())
        if text != self.texts[row][column]:
            self.put(row, column, ((text,),))

    def put(self, row: int, column: int, texts: Rows) -> None:
        """Put TEXTS into the cells from (ROW, COLUMN) on; add missing rows and columns."""
        width = max(self.width_of_texts, column + max(map(len, texts)))
        self.texts += [[] for _ in range(row + len(texts) - len(self.texts))]
        self.texts = [present + [""] * (width - len(present)) for present in self.texts]
        for down, cells in enumerate(texts):
            self.texts[row + down][column : column + len(cells)] = cells
        self.show_texts()
        self.edited.emit()

    def empty(self) -> None:
        rows, columns = self.chosen_cells()
        if rows:
            self.put(rows[0], columns[0], tuple(("",) * len(columns) for _ in rows))

    def paste(self) -> None:
        try:
            texts = rows_of(QGuiApplication.clipboard().text(), blanks=True)
        except DPWizardError:
            return  # more than any table holds
        row, column = max(0, self.currentIndex().row()), max(0, self.currentIndex().column())
        if texts:
            self.put(row, column, texts)
            self.choose(row, column)
