"""Names with a number each, as a small table: typed cell by cell, or pasted from a spreadsheet or a text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QWidget

from ui.controls import Column, Spreadsheet
from ui.forms.editor import Editor
from ui.forms.numbers import written
from ui.widgets import button_for, tr

NAME, NUMBER = range(2)  # columns; what stands behind them is for reading
MOST_SHOWN, NARROW = 8, 104  # rows seen at once, pixels of a column for a number
Parsed = Callable[[str], float | None]


class PairsTable(Spreadsheet):
    """The table itself: rows can be pasted from a spreadsheet or a text, and Delete empties a cell."""

    pasted = Signal(object)  # rows of a name and a number
    left = Signal()  # the keyboard has gone elsewhere

    def __init__(self, titles: tuple[str, ...], parsed: Parsed) -> None:
        columns = [_column(title, at) for at, title in enumerate(titles)]
        super().__init__("", columns, most=MOST_SHOWN, chooses_many=False)
        self._parsed = parsed

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def paste(self) -> None:
        rows = tuple(_pasted(QGuiApplication.clipboard().text(), self._parsed))
        if rows:
            self.pasted.emit(rows)

    def empty(self) -> None:
        now = self.currentIndex()
        if now.flags() & Qt.ItemFlag.ItemIsEditable:
            self.rows_model.setData(now, "")


def _column(title: str, at: int) -> Column:
    def text(row: list[str]) -> str:
        return row[at]

    narrowest = 0 if at == NAME else NARROW
    share = 1.0 if at == NAME else 0.2
    return Column(
        title=title,
        words=text,
        numeric=at != NAME,
        share=share,
        narrowest=narrowest,
        text=text if at <= NUMBER else None,
    )


def _pasted(text: str, parsed: Parsed) -> Iterable[tuple[str, str]]:
    """Yield a name and a number for each line of TEXT: apart by a tab, a semicolon or the last space."""
    for line in text.splitlines():
        for mark in ("\t", ";", " "):
            name, found, number = line.strip().rpartition(mark)
            if found and name.strip() and parsed(number.strip()) is not None:
                yield name.strip(), number.strip()
                break


class PairsEditor(Editor):
    """A row for each name with its number. The last row is empty, to be typed into."""

    @abstractmethod
    def titles(self) -> tuple[str, ...]:
        """Return what stands above the columns."""

    @abstractmethod
    def removing(self) -> str:
        """Return what the button says that removes a row."""

    @abstractmethod
    def half(self, name: str) -> str:
        """Return the message about a NAME without its number; if NAME is empty, about a number without a name."""

    @abstractmethod
    def twice(self, name: str) -> str:
        """Return the message about a NAME that is in two rows."""

    @abstractmethod
    def parsed(self, text: str) -> float | None:
        """Return the number that TEXT says; None if it says none."""

    def build(self) -> None:
        self.table = PairsTable(self.titles(), self.parsed)
        self.rows: list[list[str]] = []  # the texts of each row
        self.table.rows_model.typed.connect(self._typed)
        self.table.pasted.connect(self._paste)
        self.table.left.connect(self._check_rows)
        self.column.addWidget(self.table)
        self.remove_button = button_for(self.removing(), self._remove, "small")
        row = QHBoxLayout()
        row.addWidget(self.remove_button)
        row.addStretch(1)
        self.column.addLayout(row)
        self.names: list[str] = []  # of each row, as the decision has it
        self._write(())

    def controls(self) -> tuple[QWidget, ...]:
        return (self.table,)

    # ------------------------------------------------------------------------------- what is shown

    def show_value(self, value: Any) -> None:
        if tuple(value or ()) != (self.raw() or ()):
            self.rewrite(value)
        else:
            self._visible_pairs()

    def rewrite(self, value: Any) -> None:
        self._write(tuple(value or ()))
        self._visible_pairs()

    def tidy(self, value: Any) -> None:
        """Leave the rows as they are: a row that is half filled in shows a message."""

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(f"{name} {written(number)}" for name, number in value or ()) or None)

    def _visible_pairs(self) -> None:
        self.names = [row[NAME] for row in self.rows]
        self._say_rows()

    def _write(self, pairs: tuple[tuple[str, float], ...]) -> None:
        self.rows = [self._row(name, written(number)) for name, number in pairs] + [self._row()]
        self.table.show_rows(self.rows)

    def _row(self, name: str = "", number: str = "") -> list[str]:
        return [name, number] + [""] * (len(self.table.columns()) - 2)

    def _add_row(self) -> None:
        self.rows.append(self._row())
        self.table.rows_model.add_row(self.rows[-1])

    def say_beside(self) -> None:
        """Say what is to be read beside the numbers; most tables say nothing."""

    def _say_rows(self) -> None:
        """Say what is to be read beside each number, and below what is still to be typed."""
        self.say_beside()
        self.table.rows_model.redraw()
        self.table.fit()
        self.show_note(self._half_filled())
        self.remove_button.setVisible(len(self.rows) > 2)

    def _half_filled(self) -> str:
        """Say which row has a name or a number alone; an empty text where none has."""
        half_filled = next((row for row in self.rows if bool(row[NAME]) != bool(row[NUMBER])), None)
        return "" if half_filled is None else self.half(half_filled[NAME])

    def _check_rows(self) -> None:
        """Show in red a row that is half filled in, once the table is left: it is not used."""
        inside = self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget() or self)
        half = self._half_filled()
        if half and not inside and not self.problem.text():
            self.show_problem(tr("{what} This row is not used.", what=half))
            self.show_note("")

    def raw(self) -> Any:
        """Return a name and a number for each row that has both; what is no number stays as it was typed."""
        filled = [(row[NAME], row[NUMBER]) for row in self.rows if row[NAME] and row[NUMBER]]
        pairs = tuple((name, text if (number := self.parsed(text)) is None else number) for name, text in filled)
        return pairs or None

    # --------------------------------------------------------------------------------- what is done

    def _typed(self, row: int, column: int, typed: str) -> None:
        text = typed.strip()
        if text != self.rows[row][column]:
            self.rows[row][column] = text
            self._use_rows(row, column)

    def _use_rows(self, row: int, column: int) -> None:
        """Tell what stands in the rows once a cell has changed, unless a name stands twice."""
        names = [each[NAME] for each in self.rows]
        twice = next((name for name in (names[row], *names) if name and names.count(name) > 1), "")
        number = self.parsed(self.rows[row][NUMBER])
        if column == NUMBER and number is not None and not twice:
            self.rows[row][NUMBER] = written(number)  # as it is used: 5 % is 0.05
        self.table.rows_model.redraw()
        if twice:
            self.show_problem(self.twice(twice))
            return
        old = self.names[row] if row < len(self.names) else ""
        if any(self.rows[-1][: NUMBER + 1]):
            self._add_row()  # one stays empty
        self.tell(old, names[row] if column == NAME else old)
        self._say_rows()
        if self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget()):
            below = min(row + (column == NUMBER), len(self.rows) - 1)
            self.table.choose(below, NUMBER if column == NAME else NAME)
        self._check_rows()

    def tell(self, old: str, new: str) -> None:
        """Tell what stands in the rows, in one of which a name OLD has perhaps become a NEW one."""
        self.edited.emit(self.raw(), False)
        self.settled.emit()

    def _paste(self, pasted: tuple[tuple[str, str], ...]) -> None:
        """Write PASTED rows over those from the one with the keyboard on."""
        at = max(self.table.currentIndex().row(), 0)
        while len(self.rows) < at + len(pasted):
            self._add_row()
        for row, pair in zip(self.rows[at:], pasted, strict=False):
            row[NAME], row[NUMBER] = pair
        self._use_rows(at + len(pasted) - 1, NUMBER)

    def _remove(self) -> None:
        """Remove the row that has the keyboard; the last one that is filled in, if none has."""
        last, now = len(self.rows) - 1, self.table.currentIndex().row()
        row = now if 0 <= now < last else last - 1
        if row >= 0:
            self.table.rows_model.remove_row(row)
            del self.rows[row], self.names[row : row + 1]
            self.edited.emit(self.raw(), False)
            self.settled.emit()
            self._say_rows()
