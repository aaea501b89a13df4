"""The model of the spreadsheet of tables: a row for each table, a column for each field."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QColor

from dpwizard.base.errors import DPWizardError
from dpwizard.base.fractional import exactly
from dpwizard.base.values import Value
from dpwizard.decision import edits
from dpwizard.sheets import Column, columns
from ui.session import DocumentSession
from ui.widgets import theme, tr, within

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()
MANY_TABLES = 200  # from here on an edit takes as long as a frame: the cell shows its new text first
HEADING_LETTERS = 14  # in a line of a heading; a longer word is not broken
PUT_DELAY = 15  # milliseconds after typing in which the cell is painted
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def wrapped_heading(heading: str) -> str:
    """Return a HEADING in short lines."""
    return "\n".join(textwrap.wrap(heading, HEADING_LETTERS, break_long_words=False))


class PartsModel(QAbstractTableModel):
    """The tables of the release, in the order of the file or sorted; each cell can be edited."""

    refused = Signal(str)  # why something was not taken, in words; an empty text when nothing is wrong
    sorted = Signal()

    def __init__(self, session: DocumentSession, colours: theme.Colours) -> None:
        self.columns = columns()
        super().__init__()
        self.values: tuple[Value, ...] = ()
        self.session = session
        self.colours = colours
        self.figures = theme.font()
        self.order: list[int] = []  # the position in the file of each row
        self.by: tuple[int, bool] | None = None  # the column that rows are sorted by, and whether it falls
        self.problems: dict[tuple[int, str], tuple[str, str]] = {}  # what was typed into a cell and refused, and why
        self._pending: dict[tuple[int, str], Any] = {}  # typed, shown, and put in a moment
        self._put_timer = QTimer(self, singleShot=True, interval=PUT_DELAY)
        self._put_timer.timeout.connect(self.put_pending)

    # ------------------------------------------------------------------------------------- showing

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; the order of the rows is kept if there are as many as before."""
        if len(values) != len(self.values):
            self.problems = {}
            self._pending = {}
            self.beginResetModel()
            self.values = values
            self.order = list(range(len(values)))
            self.endResetModel()
            self._sort()
        elif values is not self.values:
            self.values = values
            self._emit_all_changed()

    def forget_problems(self) -> None:
        """Show the decision in every cell, instead of texts that were refused."""
        if self.problems:
            self.problems = {}
            self._emit_all_changed()
            self.refused.emit("")

    def _emit_all_changed(self) -> None:
        if self.values:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.values) - 1, len(self.columns) - 1))

    def part_at(self, row: int) -> int:
        """Return the position in the file of the table in ROW."""
        return self.order[row]

    def row_of(self, part: int) -> int:
        """Return the row of the table at position PART of the file."""
        return self.order.index(part)

    def used(self, column: int) -> bool:
        """Return whether some table answers the field of COLUMN."""
        field = self.columns[column]
        return any(getattr(value, field.name) != field.default for value in self.values)

    def rowCount(self, parent: Index = ROOT) -> int:
        return len(self.values)

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(self.order[section] + 1) if role == Qt.ItemDataRole.DisplayRole else None
        field = self.columns[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return field.help
        if role == Qt.ItemDataRole.TextAlignmentRole and field.numeric:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        mark = ""
        if self.by is not None and self.by[0] == section:
            mark = " ↓" if self.by[1] else " ↑"
        return wrapped_heading(field.label) + mark

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        field, part = self.columns[index.column()], self.order[index.row()]
        typed = self.problems.get((part, field.name))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if field.numeric else None
        if role == Qt.ItemDataRole.FontRole:
            return self.figures if field.numeric else None  # of words the hyphens would grow as wide as figures
        if role == Qt.ItemDataRole.ForegroundRole:
            return None if typed is None else QColor(self.colours.problem)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.whole(field, part) if typed is None else typed[1]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole) and typed is not None:
            return typed[0]
        if role == Qt.ItemDataRole.EditRole:
            return self.whole(field, part)
        if role == Qt.ItemDataRole.DisplayRole:
            return field.short(self._value(field, part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = typed[0] if typed is not None else self.whole(field, part)
            return f"{self.place(field, part)}: {text or tr('empty')}"
        return typed[1] if typed is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole else None

    def words_in(self, column: int, rows: int) -> frozenset[str]:
        """Return the different texts in the first ROWS cells of COLUMN."""
        field, parts = self.columns[column], self.order[:rows]
        typed = {self.problems[part, field.name][0] for part in parts if (part, field.name) in self.problems}
        return frozenset(typed | {field.short(value) for value in {self._value(field, part) for part in parts}})

    def whole(self, field: Column, part: int) -> str:
        """Return a cell with all its digits, as it can be typed."""
        return field.written(self._value(field, part))

    def _value(self, field: Column, part: int) -> Any:
        return self._pending.get((part, field.name), getattr(self.values[part], field.name))

    def place(self, field: Column, part: int) -> str:
        """Return the name of a cell for use in a sentence."""
        return tr("Row {number}, {column}", number=part + 1, column=field.label)

    # ------------------------------------------------------------------------------------- sorting

    def sort_by(self, by: tuple[int, bool] | None) -> None:
        """Sort the rows by a column, falling or not; None: in the order of the file, which never changes."""
        self.by = by
        self._sort()
        self.sorted.emit()

    def _sort(self) -> None:
        self.layoutAboutToBeChanged.emit()
        indexes = self.persistentIndexList()
        places = [(self.order[index.row()], index.column()) for index in indexes]
        order = list(range(len(self.values)))
        if self.by is not None:
            field, falling = self.columns[self.by[0]], self.by[1]
            answered = [part for part in order if getattr(self.values[part], field.name) not in (None, ())]
            order = sorted(answered, key=lambda part: self._sort_key(field, part), reverse=falling)
            order += sorted(set(range(len(self.values))) - set(answered))
        self.order = order
        rows = {part: row for row, part in enumerate(order)}
        self.changePersistentIndexList(indexes, [self.index(rows[part], column) for part, column in places])
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _sort_key(self, field: Column, part: int) -> Any:
        value = getattr(self.values[part], field.name)
        return exactly(value) if field.numeric else field.written(value).casefold()

    # ------------------------------------------------------------------------------------- editing

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        field, part = self.columns[index.column()], self.order[index.row()]
        text = str(value).strip()
        if text == self.whole(field, part):
            self._clear_problem((part, field.name))
            return True
        try:
            raw = field.read(text)
        except DPWizardError as problem:
            self._mark_refused(field, part, text, problem)
            return False
        self._clear_problem((part, field.name))
        if len(self.values) < MANY_TABLES:
            return self._put_cell(field, part, raw, text)
        self._pending[part, field.name] = raw
        self._put_timer.start()
        self.dataChanged.emit(index, index)
        return True

    def put_pending(self) -> None:
        """Put what was typed into the decision."""
        waiting, self._pending = self._pending, {}
        for (part, name), raw in waiting.items():
            field = next(column for column in self.columns if column.name == name)
            self._put_cell(field, part, raw, field.written(raw))

    def _put_cell(self, field: Column, part: int, raw: Any, text: str) -> bool:
        try:
            decision = edits.put_cells(self.session.decision, {(part, field.name): raw})
        except DPWizardError as problem:
            self._mark_refused(field, part, text, problem)
            return False
        self.session.edit(tr("Set {field}", field=within(field.label)), decision)
        return True

    def put(self, name: str, cells: Mapping[tuple[int, str], Any]) -> bool:
        """Put CELLS, by position in the file and field, as one edit called NAME; emit the reason if it is refused."""
        self.put_pending()
        try:
            decision = edits.put_cells(self.session.decision, cells)
        except DPWizardError as problem:
            self.refused.emit(tr("Nothing was changed: {message}. {hint}", message=problem.text, hint=problem.remedy))
            return False
        self.problems = {key: typed for key, typed in self.problems.items() if key not in cells}
        self.refused.emit("")
        self.session.edit(name, decision)
        return True

    def _clear_problem(self, key: tuple[int, str]) -> None:
        if self.problems.pop(key, None) is not None:
            self._emit_all_changed()
        if not self.problems:
            self.refused.emit("")

    def _mark_refused(self, field: Column, part: int, text: str, problem: DPWizardError) -> None:
        """Leave TEXT in its cell, marked, and say why it is not used and which value is."""
        value = self.whole(field, part)
        not_used = (
            tr("Not used; in force: {value}.", value=value) if value else tr("Not used: this is not answered yet.")
        )
        words = f"{self.place(field, part)}: {problem.text}. {problem.remedy} {not_used}"
        self.problems[part, field.name] = (text, words)
        self._emit_all_changed()
        self.refused.emit(words)
