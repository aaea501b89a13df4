"""Parts of the dialogs: labelled controls, rows for the name of a file, text to be copied, tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QWidget

from ui.controls import Line, RowsTable, labelled, text_columns
from ui.widgets import SideBySide, added, button_for, plain, theme, tr

WIDEST = 260  # pixels of a column of records, except the last


def secret_line() -> Line:
    """Return a line for a passphrase, which shows no letter of it."""
    line = Line()
    line.setEchoMode(QLineEdit.EchoMode.Password)
    return line


def row_on(column: QBoxLayout) -> QBoxLayout:
    """Return a row at the end of COLUMN, whose controls stand below one another where there is little room."""
    row = added(column, SideBySide())
    return row.box


class FileRow(QWidget):
    """A label, a line that holds the file's name, and the button beside it that asks for the file."""

    chosen = Signal()  # by the button; what is typed is told by the line

    def __init__(self, label: str, ask: Callable[[str], str]) -> None:
        """ASK asks for a file, first at the place it is given, and returns its path, "" for none."""
        super().__init__()
        self._ask = ask
        self.line, self.button = Line(), button_for(tr("Choose …"), self.choose)
        self.button.setAccessibleName(tr("Choose: {what}", what=label))
        row = plain(QHBoxLayout(self), theme.NEAR)
        row.addWidget(labelled(label, self.line), 1)
        row.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignBottom)
        self.setFocusProxy(self.line)

    def choose(self) -> None:
        """Ask for the file, and write its name into the line."""
        path = self._ask(self.line.text())
        if path:
            self.line.setText(path)
            self.chosen.emit()


class RecordsTable(RowsTable):
    """The table; a row that is activated leads to its record."""

    picked = Signal(object)  # what the row that was activated stands for

    def __init__(self, name: str, heads: Sequence[str], sorted_by: int = -1) -> None:
        """SORTED_BY: the column by which rows are sorted at first; -1: they stay as they come until one is chosen."""
        *columns, last = (replace(column, most=WIDEST) for column in text_columns(heads))
        columns.append(replace(last, share=1.0, least=120))
        super().__init__(name, columns, sorts=(sorted_by, False), most=None)
        self.rows_model.same = lambda row: row.cells
        self.opened.connect(lambda at: self.picked.emit(self.rows_model.rows[at].of))

    def lines(self) -> list[str]:
        """Return what is shown, in its order, cells apart by tabs."""
        return ["\t".join(" ".join(cell.split()) for cell in line) for line in (self.columns(), *self.rows())]
