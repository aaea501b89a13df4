"""Very many rows as a table for reading, with one form: that of the row that is chosen in it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QTableView, QVBoxLayout, QWidget

from dpwizard.base.language import phrase
from dpwizard.base.values import Value
from dpwizard.wording import known_word
from ui.controls import Column, RowsTable
from ui.forms.numbers import written
from ui.widgets import added, plain, theme

SHOWN = 10  # rows seen at once
Numbered = tuple[int, Value]  # the position of a value, and the value


def columns_of(kind: type[Value], names: tuple[str, ...]) -> tuple[Column, ...]:
    """Return a column for the position of a value of KIND, and one for each of its fields NAMES."""
    return (
        Column(title="", words=lambda row: str(row[0] + 1), numeric=True),
        *(_column(kind, name, first=name == names[0]) for name in names),
    )


def _column(kind: type[Value], name: str, *, first: bool) -> Column:
    def words(row: Numbered) -> str:
        value = getattr(row[1], name)
        if value is None:
            return ""
        return written(value) if isinstance(value, int | float) else str(known_word(name, value) or value)

    title = phrase("label", kind.model_fields[name].title or name)
    numeric = kind.model_fields[name].annotation in (int, float, int | None, float | None)
    return Column(title=title, words=words, numeric=numeric, share=float(first), least=140 if first else None)


class Overview(QWidget):
    """The table, and below it what it makes for the row chosen."""

    chosen = Signal(int)

    def __init__(self, kind: type[Value], names: tuple[str, ...], title: str, make: Callable[[int], QWidget]) -> None:
        """Show the fields NAMES of values of KIND; MAKE gives what stands below for a position."""
        super().__init__()
        self._make = make
        self.column = plain(QVBoxLayout(self), theme.NEAR)
        self.row = -1  # the one whose form is shown
        self.below: QWidget | None = None
        self.table = self.build(kind, names, title)
        self._body = plain(QVBoxLayout(), theme.NEAR)
        self.column.addLayout(self._body)

    def build(self, kind: type[Value], names: tuple[str, ...], title: str) -> QTableView:
        """Return the table that shows the values, which is now in the column."""
        table = added(self.column, RowsTable(title, columns_of(kind, names), most=SHOWN))
        table.chosen.connect(self.show_row)
        return table

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; the row chosen stays chosen, or the last one is."""
        kept = max(0, min(self.row, len(values) - 1))
        assert isinstance(self.table, RowsTable)
        self.table.show_rows(tuple(enumerate(values)))
        if self.table.currentIndex().row() != kept:
            self.choose(kept)

    def choose(self, row: int) -> None:
        """Choose ROW, and see it."""
        at = self.table.model().index(row, 1)
        self.table.setCurrentIndex(at)
        self.table.scrollTo(at)
        self.show_row(row)

    def stop(self) -> None:
        """Show no other row in a moment: the table is being dropped. Most have none to come."""

    def show_row(self, row: int) -> None:
        """Show below what is made for ROW."""
        if row == self.row or row < 0:
            return
        self.row = row
        if self.below is not None:
            self._body.removeWidget(self.below)
            self.below.hide()
            self.below.deleteLater()
        self.below = added(self._body, self._make(row))
        self.chosen.emit(row)
