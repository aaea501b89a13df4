"""Names with a number each, as a small table: typed cell by cell, or pasted from a spreadsheet or a text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from ui.forms.editor import Editor
from ui.forms.numbers import written
from ui.widgets import button_for, theme, tr

NAME, NUMBER = range(2)  # columns; what stands behind them is for reading
ROW, MOST_SHOWN, NARROW = 28, 8, 104  # pixels of a row, rows seen at once, pixels of a column for a number
FRAME = 2  # pixels of the edge of the table, which is thicker while it has the keyboard
READ = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled
Parsed = Callable[[str], float | None]


class FittedTable(QTableWidget):
    """Cells to type into, one chosen at a time: as high as the rows seen at once, and as the bar that scrolls
    sideways."""

    def __init__(self, columns: int = 0, most: int = MOST_SHOWN) -> None:
        """Show MOST rows at once."""
        super().__init__(0, columns)
        self._most = most
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().setDefaultSectionSize(ROW)

    def fit(self) -> None:
        """Take the height that is needed."""
        bar, head = self.horizontalScrollBar(), self.horizontalHeader()
        shown = ROW * min(max(self.rowCount(), 1), self._most)
        above = 0 if head.isHidden() else head.sizeHint().height()
        sideways = bar.sizeHint().height() if head.length() > self.viewport().width() else 0
        self.setFixedHeight(shown + above + sideways + 2 * FRAME)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self.fit)  # once the table has its width


class PairsTable(FittedTable):
    """The table itself: rows can be pasted from a spreadsheet or a text, and Delete empties a cell."""

    pasted = Signal(object)  # rows of a name and a number
    left = Signal()  # the keyboard has gone elsewhere

    def __init__(self, columns: int, parsed: Parsed) -> None:
        super().__init__(columns)
        self._parsed = parsed

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.matches(QKeySequence.StandardKey.Paste):
            rows = tuple(_pasted(QGuiApplication.clipboard().text(), self._parsed))
            if rows:
                self.pasted.emit(rows)
        elif (
            event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace)
            and item is not None
            and item.flags() & Qt.ItemFlag.ItemIsEditable
        ):
            item.setText("")
        else:
            super().keyPressEvent(event)


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
        """Return what is said of a NAME without its number; of a number without one, where NAME is empty."""

    @abstractmethod
    def twice(self, name: str) -> str:
        """Return what is said of a NAME that stands in two rows."""

    @abstractmethod
    def parsed(self, text: str) -> float | None:
        """Return the number that TEXT says; None if it says none."""

    def build(self) -> None:
        titles = self.titles()
        self.table = PairsTable(len(titles), self.parsed)
        self.table.setHorizontalHeaderLabels(titles)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column in range(NUMBER, len(titles)):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            title = QFontMetrics(theme.font(theme.BODY)).horizontalAdvance(titles[column])
            self.table.setColumnWidth(column, max(NARROW, title + 2 * theme.GROUP))
        self._least = self.table.columnWidth(NUMBER)
        head.setHighlightSections(False)
        self.table.verticalHeader().hide()
        theme.tabular(self.table)
        self.table.cellChanged.connect(self._typed)
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
        """Leave the rows as they are: a row that is half filled in is said to be so."""

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(f"{name} {written(number)}" for name, number in value or ()) or None)

    def _visible_pairs(self) -> None:
        self.names = [self.text(row, NAME) for row in range(self.table.rowCount())]
        self._say_rows()

    def _write(self, pairs: tuple[tuple[str, float], ...]) -> None:
        with QSignalBlocker(self.table):
            self.table.setRowCount(0)
            for name, number in pairs:
                self._add_row(name, written(number))
            self._add_row("", "")

    def _add_row(self, name: str, number: str) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column in range(self.table.columnCount()):
            item = QTableWidgetItem({NAME: name, NUMBER: number}.get(column, ""))
            if column != NAME:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column > NUMBER:
                item.setFlags(READ)
            self.table.setItem(row, column, item)
        self.table.fit()

    def say_beside(self) -> None:
        """Say what is to be read beside the numbers; most tables say nothing."""

    def _say_rows(self) -> None:
        """Say what is to be read beside each number, and below what is still to be typed."""
        with QSignalBlocker(self.table):
            self.say_beside()
        self.show_note(self._half_filled())
        self.remove_button.setVisible(self.table.rowCount() > 2)
        self._widen()

    def _half_filled(self) -> str:
        """Say which row has a name or a number alone; an empty text where none has."""
        rows = range(self.table.rowCount())
        open_rows = [row for row in rows if bool(self.text(row, NAME)) != bool(self.text(row, NUMBER))]
        if not open_rows:
            return ""
        text = self.text(open_rows[0], NAME)
        return self.half(text)

    def _check_rows(self) -> None:
        """Show in red a row that is half filled in, once the table is left: it is not used."""
        inside = self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget() or self)
        half = self._half_filled()
        if half and not inside and not self.problem.text():
            self.show_problem(tr("{what} This row is not used.", what=half))
            self.show_note("")

    def _widen(self) -> None:
        """Give the numbers the room that the widest of them needs."""
        metrics = QFontMetrics(self.table.font())
        numbers = (self.text(row, NUMBER) for row in range(self.table.rowCount()))
        widest = max(map(metrics.horizontalAdvance, numbers), default=0)
        self.table.setColumnWidth(NUMBER, max(self._least, widest + 2 * theme.NEAR))
        self.table.fit()

    def text(self, row: int, column: int) -> str:
        """Return what stands in a cell."""
        item = self.table.item(row, column)
        return "" if item is None else item.text().strip()

    def put(self, row: int, column: int, words: str) -> None:
        """Write WORDS into a cell."""
        item = self.table.item(row, column)
        if item is not None:
            item.setText(words)

    def raw(self) -> Any:
        """Return a name and a number for each row that has both; what is no number stays as it was typed."""
        rows = ((self.text(row, NAME), self.text(row, NUMBER)) for row in range(self.table.rowCount()))
        found = tuple(
            (name, text if (number := self.parsed(text)) is None else number) for name, text in rows if name and text
        )
        return found or None

    # --------------------------------------------------------------------------------- what is done

    def _typed(self, row: int, column: int) -> None:
        names = [self.text(at, NAME) for at in range(self.table.rowCount())]
        twice = next((name for name in (names[row], *names) if name and names.count(name) > 1), "")
        if twice:
            self.show_problem(self.twice(twice))
            return
        number = self.parsed(self.text(row, NUMBER))
        if column == NUMBER and number is not None:
            with QSignalBlocker(self.table):
                self.put(row, NUMBER, written(number))  # as it is used: 5 % is 0.05
        old = self.names[row] if row < len(self.names) else ""
        self.grow()
        self.tell(old, names[row] if column == NAME else old)
        self._say_rows()
        if self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget()):
            self.table.setCurrentCell(row + (column == NUMBER), NUMBER if column == NAME else NAME)
        self._check_rows()

    def tell(self, old: str, new: str) -> None:
        """Tell what stands in the rows, in one of which a name OLD has perhaps become a NEW one."""
        self.edited.emit(self.raw(), False)
        self.settled.emit()

    def grow(self) -> None:
        """Keep one empty row at the end."""
        last = self.table.rowCount() - 1
        if last < 0 or self.text(last, NAME) or self.text(last, NUMBER):
            with QSignalBlocker(self.table):
                self._add_row("", "")

    def _paste(self, rows: tuple[tuple[str, str], ...]) -> None:
        """Write ROWS over those from the one with the keyboard on."""
        with QSignalBlocker(self.table):
            at = max(self.table.currentRow(), 0)
            for offset, (name, number) in enumerate(rows):
                if at + offset >= self.table.rowCount():
                    self._add_row("", "")
                self.put(at + offset, NAME, name)
                self.put(at + offset, NUMBER, number)
        self._typed(at + len(rows) - 1, NUMBER)

    def _remove(self) -> None:
        """Remove the row that has the keyboard; the last one that is filled in, if none has."""
        last = self.table.rowCount() - 1
        row = self.table.currentRow() if 0 <= self.table.currentRow() < last else last - 1
        if row >= 0:
            self.table.removeRow(row)
            del self.names[row : row + 1]
            self.edited.emit(self.raw(), False)
            self.settled.emit()
            self._say_rows()
