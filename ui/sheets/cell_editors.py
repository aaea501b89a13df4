"""Editors for the cells of the tables: a line with suggestions, or a box of choices."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QTimer
from PySide6.QtWidgets import QComboBox, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpwizard.sheets import Column
from ui.controls import Choice, Line, RowsTable
from ui.forms import Offered
from ui.sheets.tables_cells import TablesCells

Index = QModelIndex | QPersistentModelIndex
SUGGESTED_FIELDS = ("level", "group", "year")  # fields whose answers in other rows are offered


class CellEditors(QStyledItemDelegate):
    """Makes the editor of a cell when it is opened."""

    def __init__(self, cells: TablesCells, table: RowsTable) -> None:
        super().__init__(table)
        self._cells, self._model = cells, table.rows_model

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        column: Column = self._model.columns[index.column()].field
        editor = self._make_box(column, parent) if column.keys else self._make_line(column, parent)
        editor.setAccessibleName(self._cells.place(column, self._model.rows[index.row()]))
        editor.setAccessibleDescription(column.help)
        return editor

    def _make_box(self, column: Column, parent: QWidget) -> QWidget:
        box = Choice()
        box.setParent(parent)
        box.addItems(["", *map(column.words, column.keys)])
        box.activated.connect(lambda _: self._commit_choice(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def _commit_choice(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def _make_line(self, column: Column, parent: QWidget) -> QWidget:
        line = Line()
        line.setParent(parent)
        line.setObjectName("cell")
        if column.name in SUGGESTED_FIELDS:
            completer = Offered(line)
            completer.offer(tuple(_existing_answers(self._cells, column.name)))
            line.setCompleter(completer)
        return line

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect)


def _existing_answers(cells: TablesCells, name: str) -> Iterable[str]:
    """Return each answer in the field NAME once; for levels, those named by the release come first."""
    levels = cells.session.decision.release.levels if name == "level" else ()
    return dict.fromkeys((*levels, *(text for part in cells.values if (text := getattr(part, name)))))
