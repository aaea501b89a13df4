"""What somebody believes of categories, as a small table: a name and a count or chance for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableWidget, QTableWidgetItem, QWidget

from dpwizard.decision import Decision, edits
from dpwizard.values import hints
from dpwizard.wording import share
from ui.forms.editor import Editor
from ui.forms.numbers import chance_said, parsed, written
from ui.widgets import button_for, theme, tr

NAME, MASS, SHARE = range(3)  # columns
ROW, MOST_SHOWN, NARROW = 28, 8, 104  # pixels of a row, rows seen at once, pixels of a column for a number
FRAME = 2  # pixels of the edge of the table, which is thicker while it has the keyboard
READ = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled


class CategoriesTable(QTableWidget):
    """The table itself: rows can be pasted from a spreadsheet or a text, and Delete empties a cell."""

    pasted = Signal(object)  # rows of a name and a number
    left = Signal()  # the keyboard has gone elsewhere

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.left.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        item = self.currentItem()
        if event.matches(QKeySequence.StandardKey.Paste):
            rows = tuple(_pasted(QGuiApplication.clipboard().text()))
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


def _mass(text: str) -> float | None:
    """Return the count or chance that TEXT says; None if it says none."""
    said = chance_said(text)
    return parsed(text) if said is None else said


def _pasted(text: str) -> Iterable[tuple[str, str]]:
    """Yield a name and a number for each line of TEXT: apart by a tab, a semicolon or the last space."""
    for line in text.splitlines():
        for mark in ("\t", ";", " "):
            name, found, mass = line.strip().rpartition(mark)
            if found and name.strip() and _mass(mass.strip()) is not None:
                yield name.strip(), mass.strip()
                break


class CategoriesEditor(Editor):
    """A row for each category: its name, how many or how likely, its share. The last row is empty, to be typed into."""

    def build(self) -> None:
        self.table = CategoriesTable(0, 3)
        titles = (tr("Category"), tr("Count or chance"), tr("Share"))
        self.table.setHorizontalHeaderLabels(titles)
        head = self.table.horizontalHeader()
        head.setSectionResizeMode(NAME, QHeaderView.ResizeMode.Stretch)
        for column in (MASS, SHARE):
            head.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            title = QFontMetrics(theme.font(theme.BODY)).horizontalAdvance(titles[column])
            self.table.setColumnWidth(column, max(NARROW, title + 2 * theme.GROUP))
        self._least = self.table.columnWidth(MASS)
        head.setHighlightSections(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setTabKeyNavigation(False)
        theme.tabular(self.table)
        self.table.cellChanged.connect(self._typed)
        self.table.pasted.connect(self._paste)
        self.table.left.connect(self._check_rows)
        self.column.addWidget(self.table)
        self.remove_button = button_for(tr("Remove the category"), self._remove, "small")
        row = QHBoxLayout()
        row.addWidget(self.remove_button)
        row.addStretch(1)
        self.column.addLayout(row)
        self._names: list[str] = []  # of each row, as the decision has it
        self._renamed: tuple[str, str] | None = None
        self._write(())

    def controls(self) -> tuple[QWidget, ...]:
        return (self.table,)

    # ------------------------------------------------------------------------------- what is shown

    def show_value(self, value: Any) -> None:
        if tuple(value or ()) != (self._raw() or ()):
            self.rewrite(value)
        else:
            self._shown()

    def rewrite(self, value: Any) -> None:
        self._write(tuple(value or ()))
        self._shown()

    def tidy(self, value: Any) -> None:
        """Leave the rows as they are: a row that is half filled in is said to be so."""

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(f"{name} {written(mass)}" for name, mass in value or ()) or None)

    def _shown(self) -> None:
        self._names = [self._text(row, NAME) for row in range(self.table.rowCount())]
        self._say_shares()

    def _write(self, pairs: tuple[tuple[str, float], ...]) -> None:
        with QSignalBlocker(self.table):
            self.table.setRowCount(0)
            for name, mass in pairs:
                self._add_row(name, written(mass))
            self._add_row("", "")

    def _add_row(self, name: str, mass: str) -> None:
        row = self.table.rowCount()
        self.table.insertRow(row)
        for column, words in ((NAME, name), (MASS, mass), (SHARE, "")):
            item = QTableWidgetItem(words)
            if column != NAME:
                item.setTextAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            if column == SHARE:
                item.setFlags(READ)
            self.table.setItem(row, column, item)
        self._fit()

    def _fit(self) -> None:
        """Be as high as the rows that are seen at once, with the bar below them where the table scrolls sideways."""
        bar, head = self.table.horizontalScrollBar(), self.table.horizontalHeader()
        shown = ROW * min(self.table.rowCount(), MOST_SHOWN)
        sideways = bar.sizeHint().height() if head.length() > self.table.viewport().width() else 0
        self.table.setFixedHeight(shown + head.sizeHint().height() + sideways + 2 * FRAME)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        QTimer.singleShot(0, self, self._fit)  # once the table has its width

    def _say_shares(self) -> None:
        """Say beside each mass which share of all it is, and below what is still to be typed."""
        raw = self._raw() or ()
        total = sum(mass for _, mass in raw if isinstance(mass, float))
        with QSignalBlocker(self.table):
            for row in range(self.table.rowCount()):
                mass = _mass(self._text(row, MASS))
                known = self._text(row, NAME) and mass is not None and mass >= 0 and 0 < total < 1e300
                self._put(row, SHARE, share(mass / total) if known and mass is not None else "")
        self.show_note(self._half_filled())
        self.remove_button.setVisible(self.table.rowCount() > 2)
        self._widen()

    def _half_filled(self) -> str:
        """Say which row has a name or a count alone; an empty text where none has."""
        rows = range(self.table.rowCount())
        open_rows = [row for row in rows if bool(self._text(row, NAME)) != bool(self._text(row, MASS))]
        if not open_rows:
            return ""
        said = self._text(open_rows[0], NAME)
        return tr("“{name}” has no count yet.", name=said) if said else tr("A count has no category yet.")

    def _check_rows(self) -> None:
        """Show in red a row that is half filled in, once the table is left: it is not used."""
        inside = self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget() or self)
        half = self._half_filled()
        if half and not inside and not self.problem.text():
            self.show_problem(tr("{what} This row is not used.", what=half))
            self.show_note("")

    def _widen(self) -> None:
        """Give the counts the room that the widest of them needs."""
        metrics = QFontMetrics(self.table.font())
        masses = (self._text(row, MASS) for row in range(self.table.rowCount()))
        widest = max(map(metrics.horizontalAdvance, masses), default=0)
        self.table.setColumnWidth(MASS, max(self._least, widest + 2 * theme.NEAR))
        self._fit()

    def _text(self, row: int, column: int) -> str:
        item = self.table.item(row, column)
        return "" if item is None else item.text().strip()

    def _put(self, row: int, column: int, words: str) -> None:
        item = self.table.item(row, column)
        if item is not None:
            item.setText(words)

    def _raw(self) -> Any:
        """Return a name and a mass for each row that has both; what is no number stays as it was typed."""
        rows = ((self._text(row, NAME), self._text(row, MASS)) for row in range(self.table.rowCount()))
        found = tuple(
            (name, mass if (number := _mass(mass)) is None else number) for name, mass in rows if name and mass
        )
        return found or None

    # --------------------------------------------------------------------------------- what is done

    def _typed(self, row: int, column: int) -> None:
        names = [self._text(at, NAME) for at in range(self.table.rowCount())]
        twice = next((name for name in (names[row], *names) if name and names.count(name) > 1), "")
        if twice:
            self.show_problem(
                tr(
                    "“{name}” stands twice, and nothing typed here is used. Give every category a name of its own.",
                    name=twice,
                )
            )
            return
        mass = _mass(self._text(row, MASS))
        if column == MASS and mass is not None:
            with QSignalBlocker(self.table):
                self._put(row, MASS, written(mass))  # as it is used: 5 % is 0.05
        old = self._names[row] if row < len(self._names) else ""
        self._renamed = (old, names[row]) if column == NAME and old and names[row] and old != names[row] else None
        self._grow()
        self.edited.emit(self._raw(), False)
        self.settled.emit()
        self._renamed = None
        self._say_shares()
        if self.table.hasFocus() or self.table.isAncestorOf(self.table.focusWidget()):
            self.table.setCurrentCell(row + (column == MASS), MASS if column == NAME else NAME)
        self._check_rows()

    def _grow(self) -> None:
        """Keep one empty row at the end."""
        last = self.table.rowCount() - 1
        if last < 0 or self._text(last, NAME) or self._text(last, MASS):
            with QSignalBlocker(self.table):
                self._add_row("", "")

    def _paste(self, rows: tuple[tuple[str, str], ...]) -> None:
        """Write ROWS over those from the one with the keyboard on."""
        with QSignalBlocker(self.table):
            at = max(self.table.currentRow(), 0)
            for offset, (name, mass) in enumerate(rows):
                if at + offset >= self.table.rowCount():
                    self._add_row("", "")
                self._put(at + offset, NAME, name)
                self._put(at + offset, MASS, mass)
        self._typed(at + len(rows) - 1, MASS)

    def _remove(self) -> None:
        """Remove the row that has the keyboard; the last one that is filled in, if none has."""
        last = self.table.rowCount() - 1
        row = self.table.currentRow() if 0 <= self.table.currentRow() < last else last - 1
        if row >= 0:
            self.table.removeRow(row)
            del self._names[row : row + 1]
            self.edited.emit(self._raw(), False)
            self.settled.emit()
            self._say_shares()

    def together(self, decision: Decision, where: str) -> Mapping[str, Any]:
        """Return what changes with a category that is renamed: who names it goes on doing so."""
        if self._renamed is None:
            return {}
        owner = edits.get(decision, where)
        old, new = self._renamed
        own = self.objectName().removeprefix(f"{where}.")
        naming = (name for name in type(owner).model_fields if hints(type(owner), name).categories_of == own)
        return {name: new for name in naming if getattr(owner, name) == old}
