"""The spreadsheet of tables: cells chosen, typed over, copied, pasted, filled and emptied, by mouse and keys."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemDelegate, QMenu, QWidget

from dpwizard.base.csv_text import as_text, rows_of
from dpwizard.base.errors import DPWizardError
from dpwizard.sheets import Mark, decimal_mark, guessed
from ui.controls import Headings
from ui.sheets.cell_editors import CellEditors
from ui.sheets.parts_model import PartsModel, broken
from ui.sheets.text_table import ROW, Spreadsheet
from ui.widgets import tr

SHOWN = 12  # rows seen at once
BASIC = ("name", "statistic", "dimension", "sensitivity", "mechanism", "share")  # columns that are always offered
LEAST, MOST = 64, 224  # pixels of a column
AROUND = 22  # pixels beside the words of a cell
SORTED = 26  # pixels beside a heading, with the mark of the sorted column
MEASURED = 60  # rows by which a column's width is found


class PartsTable(Spreadsheet):
    """Cells of all tables; what needs more than the cells there are is asked for in a dialog."""

    pasted = Signal(str)  # text that has more rows, or headings

    def __init__(self, model: PartsModel, title: str) -> None:
        super().__init__(model, title)
        self.cells = model
        self.shown: set[int] = set()  # columns shown although no table uses them
        self.menu = QMenu(self)
        self.keys: dict[str, Callable[[], None]] = {"Ctrl+X": self._cut}
        self._editors = CellEditors(self)
        self.setItemDelegate(self._editors)
        self._editors.closeEditor.connect(self._closed)
        self.headings = Headings(self)
        self.headings.setSectionsClickable(True)
        self.headings.setSortIndicatorShown(True)
        self.headings.setSortIndicatorClearable(True)
        self.headings.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.headings.sortIndicatorChanged.connect(self._sorted)
        self.headings.setStyleSheet("QHeaderView::section { padding: 4px 6px; }")
        self.setHorizontalHeader(self.headings)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    # ------------------------------------------------------------------------------------- columns

    def show_columns(self, *, anew: bool = False) -> None:
        """Show the columns that some table uses, those every release has, and those that were asked for.

        ANEW: each is given its width though none came or went.
        """
        changed = anew
        for at, each in enumerate(self.cells.columns):
            hidden = not (each.name in BASIC or at in self.shown or self.cells.used(at))
            if hidden != self.isColumnHidden(at):
                self.setColumnHidden(at, hidden)
                changed = True
        if changed:
            self.fit()

    def fit(self) -> None:
        """Give each column what its words need, the first one what is left; be as high as the rows seen at once."""
        metrics, rows = QFontMetrics(self.cells.figures), min(MEASURED, self.cells.rowCount())  # the wider ones
        wide = {}
        for at in self.visible_columns():
            head = max(map(metrics.horizontalAdvance, broken(self.cells.columns[at].label).split("\n")))
            cells = map(metrics.horizontalAdvance, self.cells.words_in(at, rows))
            wide[at] = min(MOST, max(LEAST, head + SORTED, max(cells, default=0) + AROUND))
        room = self.viewport().width() - sum(wide.values())
        for at, width in wide.items():
            self.setColumnWidth(at, width + max(0, room) if at == 0 else width)
        sideways = self.horizontalScrollBar().sizeHint().height() if room < 0 else 0
        seen = min(SHOWN, max(1, self.cells.rowCount()))
        self.setFixedHeight(seen * ROW + self.headings.sizeHint().height() + sideways + 4)

    def visible_columns(self) -> tuple[int, ...]:
        """Return the columns that are shown, from left to right."""
        return tuple(at for at in range(self.cells.columnCount()) if not self.isColumnHidden(at))

    def _sorted(self, column: int, order: Qt.SortOrder) -> None:
        self.cells.sort_by(None if column < 0 else (column, order == Qt.SortOrder.DescendingOrder))

    def unsort(self) -> None:
        """Show the tables in the order of the file."""
        self.headings.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)

    # ------------------------------------------------------------------------------------- choosing

    def chosen_rows(self) -> tuple[int, ...]:
        """Return the rows in which a cell is chosen, from above; the current one, if none is."""
        rows = sorted({index.row() for index in self.selectionModel().selectedIndexes()})
        now = self.currentIndex().row()
        return tuple(rows) or ((now,) if now >= 0 else ())

    def chosen_parts(self) -> tuple[int, ...]:
        """Return the positions in the file of the tables in the rows chosen."""
        return tuple(map(self.cells.part_at, self.chosen_rows()))

    def choose_parts(self, parts: tuple[int, ...]) -> None:
        """Choose the rows of the tables at these positions of the file, and see the first one."""
        model = self.selectionModel()
        model.clearSelection()
        at = self.cells.index(self.cells.row_of(parts[0]), max(0, self.currentIndex().column()))
        self.setCurrentIndex(at)
        flags = QItemSelectionModel.SelectionFlag
        for part in parts:
            model.select(self.cells.index(self.cells.row_of(part), 0), flags.Select | flags.Rows)
        self.scrollTo(at)

    def _block(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the rows and columns of what is chosen, as far as they are shown."""
        found = self.selectionModel().selectedIndexes() or [self.currentIndex()]
        columns = {index.column() for index in found}
        rows = tuple(sorted({index.row() for index in found if index.isValid()}))
        return rows, tuple(at for at in self.visible_columns() if at in columns)

    # ------------------------------------------------------------------------------------- cells at once

    def copy(self) -> None:
        """Copy the cells chosen, as a spreadsheet takes them."""
        rows, columns = self._block()
        cells = self.cells
        sentences = tuple(tuple(cells.whole(cells.columns[at], cells.part_at(row)) for at in columns) for row in rows)
        QGuiApplication.clipboard().setText(as_text(sentences))

    def empty(self) -> None:
        """Take the answers out of the cells chosen."""
        rows, columns = self._block()
        cells = {
            (self.cells.part_at(row), each.name): each.default
            for row in rows
            for each in map(self.cells.columns.__getitem__, columns)
        }
        if cells:
            self.cells.put(tr("Empty cells"), cells)

    def fill_down(self) -> None:
        """Put what stands in the uppermost cells chosen into those below."""
        rows, columns = self._block()
        first, values = rows[0], self.cells.values
        self.cells.put_pending()
        cells = {
            (self.cells.part_at(row), each.name): getattr(values[self.cells.part_at(first)], each.name)
            for row in rows[1:]
            for each in map(self.cells.columns.__getitem__, columns)
        }
        if cells:
            self.cells.put(tr("Fill cells"), cells)

    def paste(self) -> None:
        """Paste over the cells from the first one chosen on; what does not fit, or has headings, is asked about."""
        text = QGuiApplication.clipboard().text()
        try:
            given = rows_of(text, "\t", blanks=True)
        except DPWizardError:
            self.pasted.emit(text)  # the dialog says what is wrong with it
            return
        rows, columns = self._block()
        if not given or not rows:
            return
        if len(given) == len(given[0]) == 1:
            given = tuple((given[0] * len(columns)) for _ in rows)
        first = self.visible_columns().index(columns[0])
        across = self.visible_columns()[first : first + len(given[0])]
        if len(across) < len(given[0]) or rows[0] + len(given) > self.cells.rowCount() or guessed(given).headed:
            self.pasted.emit(text)
            return
        self._paste_over(given, rows[0], across)

    def _paste_over(self, given: tuple[tuple[str, ...], ...], top: int, across: tuple[int, ...]) -> None:
        cells = {}
        mark: Mark = decimal_mark(given, tuple(self.cells.columns[at].name for at in across))
        for down, texts in enumerate(given):
            part = self.cells.part_at(top + down)
            for at, text in zip(across, texts, strict=True):
                each = self.cells.columns[at]
                try:
                    cells[part, each.name] = each.read(text, mark)
                except DPWizardError as problem:
                    why = tr("Nothing was pasted: {message}. {hint}", message=problem.text, hint=problem.remedy)
                    self.cells.refused.emit(f"{self.cells.place(each, part)}: {why}")
                    return
        self.cells.put(tr("Paste cells"), cells)

    # ------------------------------------------------------------------------------------- keys

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._act(event):
            event.accept()  # they mean the cells here, whatever they mean in the window
            return True
        return super().event(event)

    def _act(self, event: QKeyEvent) -> Callable[[], None] | None:
        return self.keys.get(QKeySequence(event.keyCombination()).toString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act(event)
        if act is not None:
            act()
        elif event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.empty()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.open_cell()
        else:
            super().keyPressEvent(event)

    def _cut(self) -> None:
        self.copy()
        self.empty()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu.popup(event.globalPos())

    def _closed(self, editor: QWidget, hint: QAbstractItemDelegate.EndEditHint) -> None:
        """Go on to the cell below when what was typed ends with Enter."""
        if hint == QAbstractItemDelegate.EndEditHint.SubmitModelCache:
            below: QModelIndex = self.currentIndex().siblingAtRow(self.currentIndex().row() + 1)
            if below.isValid():
                self.setCurrentIndex(below)
