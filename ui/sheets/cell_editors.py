"""Editors for the cells of the tables: a line with suggestions, or a box of choices."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpwizard.sheets import Column
from ui.controls import Choice, Line
from ui.forms import Offered
from ui.sheets.parts_model import PartsModel

Index = QModelIndex | QPersistentModelIndex
SUGGESTED_FIELDS = ("level", "group", "year")  # fields whose answers in other rows are offered


class CellEditors(QStyledItemDelegate):
    """Makes the editor of a cell when it is opened."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model = index.model()
        assert isinstance(model, PartsModel)
        column = model.columns[index.column()]
        editor = self._make_box(column, parent) if column.keys else self._make_line(model, column, parent)
        editor.setAccessibleName(model.place(column, model.part_at(index.row())))
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

    def _make_line(self, model: PartsModel, column: Column, parent: QWidget) -> QWidget:
        line = Line()
        line.setParent(parent)
        line.setObjectName("cell")
        if column.name in SUGGESTED_FIELDS:
            completer = Offered(line)
            completer.offer(tuple(_existing_answers(model, column.name)))
            line.setCompleter(completer)
        return line

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        words = str(index.data(Qt.ItemDataRole.EditRole) or "")
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(max(0, editor.findText(words)))
        elif isinstance(editor, QLineEdit):
            editor.setText(words)
            editor.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        text = editor.currentText() if isinstance(editor, QComboBox) else ""
        model.setData(index, editor.text() if isinstance(editor, QLineEdit) else text)

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        editor.setGeometry(option.rect)


def _existing_answers(model: PartsModel, name: str) -> Iterable[str]:
    """Return each answer in the field NAME once; for levels, those named by the release come first."""
    levels = model.session.decision.release.levels if name == "level" else ()
    return dict.fromkeys((*levels, *(text for part in model.values if (text := getattr(part, name)))))
