"""The tables of a release as rows, their fields as columns: what each cell shows, and what typing into it changes."""

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
MANY = 200  # tables from which what was typed is shown before the decision is edited: that takes as long as a frame
LETTERS = 14  # in a line of a heading, where a word is not longer
SOON = 15  # milliseconds behind what was typed, in which it is painted
RIGHT = int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def broken(heading: str) -> str:
    """Return a HEADING in short lines."""
    return "\n".join(textwrap.wrap(heading, LETTERS, break_long_words=False))


class PartsModel(QAbstractTableModel):
    """The parts of the release, in the order of the file or sorted for the eye; each cell can be typed over."""

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
        self._soon = QTimer(self, singleShot=True, interval=SOON)
        self._soon.timeout.connect(self.put_pending)

    # ------------------------------------------------------------------------------------- showing

    def show_values(self, values: tuple[Value, ...]) -> None:
        """Show VALUES; where there are as many as before, each stays in its place."""
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
            self._all_changed()

    def forget_problems(self) -> None:
        """Show what is in force in every cell."""
        if self.problems:
            self.problems = {}
            self._all_changed()
            self.refused.emit("")

    def _all_changed(self) -> None:
        if self.values:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.values) - 1, len(self.columns) - 1))

    def part_at(self, row: int) -> int:
        """Return the position in the file of the table in ROW."""
        return self.order[row]

    def row_of(self, part: int) -> int:
        """Return the row in which the table at position PART of the file stands."""
        return self.order.index(part)

    def used(self, column: int) -> bool:
        """Return whether some table answers the field of COLUMN."""
        each = self.columns[column]
        return any(getattr(value, each.name) != each.default for value in self.values)

    def rowCount(self, parent: Index = ROOT) -> int:
        return len(self.values)

    def columnCount(self, parent: Index = ROOT) -> int:
        return len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation == Qt.Orientation.Vertical:
            return str(self.order[section] + 1) if role == Qt.ItemDataRole.DisplayRole else None
        each = self.columns[section]
        if role == Qt.ItemDataRole.ToolTipRole:
            return each.help
        if role == Qt.ItemDataRole.TextAlignmentRole and each.numeric:
            return RIGHT
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        mark = "" if self.by is None or self.by[0] != section else " ↓" if self.by[1] else " ↑"
        return broken(each.label) + mark

    def flags(self, index: Index) -> Qt.ItemFlag:
        return Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        each, part = self.columns[index.column()], self.order[index.row()]
        typed = self.problems.get((part, each.name))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return RIGHT if each.numeric else None
        if role == Qt.ItemDataRole.FontRole:
            return self.figures if each.numeric else None  # of words the hyphens would grow as wide as figures
        if role == Qt.ItemDataRole.ForegroundRole:
            return None if typed is None else QColor(self.colours.problem)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.whole(each, part) if typed is None else typed[1]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole) and typed is not None:
            return typed[0]
        if role == Qt.ItemDataRole.EditRole:
            return self.whole(each, part)
        if role == Qt.ItemDataRole.DisplayRole:
            return each.short(self._value(each, part))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            text = typed[0] if typed is not None else self.whole(each, part)
            return f"{self.place(each, part)}: {text or tr('empty')}"
        return typed[1] if typed is not None and role == Qt.ItemDataRole.AccessibleDescriptionRole else None

    def words_in(self, at: int, rows: int) -> frozenset[str]:
        """Return what stands in the first ROWS cells of column AT, each text once."""
        each, parts = self.columns[at], self.order[:rows]
        typed = {self.problems[part, each.name][0] for part in parts if (part, each.name) in self.problems}
        return frozenset(typed | {each.short(value) for value in {self._value(each, part) for part in parts}})

    def whole(self, each: Column, part: int) -> str:
        """Return a cell to its last digit, as it can be typed."""
        return each.written(self._value(each, part))

    def _value(self, each: Column, part: int) -> Any:
        return self._pending.get((part, each.name), getattr(self.values[part], each.name))

    def place(self, each: Column, part: int) -> str:
        """Return what a cell is called in a sentence."""
        return tr("Row {number}, {column}", number=part + 1, column=each.label)

    # ------------------------------------------------------------------------------------- sorting

    def sort_by(self, by: tuple[int, bool] | None) -> None:
        """Sort the rows by a column, falling or not; in the order of the file where BY is None. The file keeps its."""
        self.by = by
        self._sort()
        self.sorted.emit()

    def _sort(self) -> None:
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        places = [(self.order[index.row()], index.column()) for index in before]
        order = list(range(len(self.values)))
        if self.by is not None:
            each, falls = self.columns[self.by[0]], self.by[1]
            given = [part for part in order if getattr(self.values[part], each.name) not in (None, ())]
            order = sorted(given, key=lambda part: self._key(each, part), reverse=falls)
            order += sorted(set(range(len(self.values))) - set(given))
        self.order = order
        rows = {part: row for row, part in enumerate(order)}
        self.changePersistentIndexList(before, [self.index(rows[part], column) for part, column in places])
        self.layoutChanged.emit()
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self.columns) - 1)

    def _key(self, each: Column, part: int) -> Any:
        value = getattr(self.values[part], each.name)
        return exactly(value) if each.numeric else each.written(value).casefold()

    # ------------------------------------------------------------------------------------- editing

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        each, part = self.columns[index.column()], self.order[index.row()]
        text = str(value).strip()
        if text == self.whole(each, part):
            self._take_back((part, each.name))
            return True
        try:
            raw = each.read(text)
        except DPWizardError as problem:
            self._refuse(each, part, text, problem)
            return False
        self._take_back((part, each.name))
        if len(self.values) < MANY:
            return self._put_one(each, part, raw, text)
        self._pending[part, each.name] = raw
        self._soon.start()
        self.dataChanged.emit(index, index)
        return True

    def put_pending(self) -> None:
        """Put what was typed into the decision."""
        waiting, self._pending = self._pending, {}
        for (part, name), raw in waiting.items():
            each = next(one for one in self.columns if one.name == name)
            self._put_one(each, part, raw, each.written(raw))

    def _put_one(self, each: Column, part: int, raw: Any, text: str) -> bool:
        try:
            decision = edits.put_cells(self.session.decision, {(part, each.name): raw})
        except DPWizardError as problem:
            self._refuse(each, part, text, problem)
            return False
        self.session.edit(tr("Set {field}", field=within(each.label)), decision)
        return True

    def put(self, name: str, cells: Mapping[tuple[int, str], Any]) -> bool:
        """Put CELLS, by position in the file and field, as one edit called NAME; say why where they are not allowed."""
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

    def _take_back(self, key: tuple[int, str]) -> None:
        if self.problems.pop(key, None) is not None:
            self._all_changed()
        if not self.problems:
            self.refused.emit("")

    def _refuse(self, each: Column, part: int, text: str, problem: DPWizardError) -> None:
        """Leave TEXT in its cell, marked, and say why it is not used, and what is."""
        force = self.whole(each, part)
        not_used = (
            tr("Not used; in force: {value}.", value=force) if force else tr("Not used: this is not answered yet.")
        )
        words = f"{self.place(each, part)}: {problem.text}. {problem.remedy} {not_used}"
        self.problems[part, each.name] = (text, words)
        self._all_changed()
        self.refused.emit(words)
