"""What one types into a cell: a line that offers the names there are, or a box of the few things the field can be."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, Qt, QTimer
from PySide6.QtWidgets import QComboBox, QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from dpwizard.sheets import Column
from ui.controls import Choice, Line
from ui.forms import Offered
from ui.sheets.parts_model import PartsModel

Index = QModelIndex | QPersistentModelIndex
OFFERED = ("level", "group", "year")  # fields whose answers in other rows are offered


class CellEditors(QStyledItemDelegate):
    """Makes the editor of a cell when it is needed; Enter goes on below, Tab to the right."""

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        model = index.model()
        assert isinstance(model, PartsModel)
        each = model.columns[index.column()]
        made = self._box(each, parent) if each.keys else self._line(model, each, parent)
        made.setAccessibleName(model.place(each, model.part_at(index.row())))
        made.setAccessibleDescription(each.help)
        return made

    def _box(self, each: Column, parent: QWidget) -> QWidget:
        box = Choice()
        box.setParent(parent)
        for words in ("", *map(each.words, each.keys)):
            box.addItem(words)
        box.activated.connect(lambda _: self._chosen(box))
        QTimer.singleShot(0, box, box.showPopup)
        return box

    def _chosen(self, box: QComboBox) -> None:
        self.commitData.emit(box)
        self.closeEditor.emit(box)

    def _line(self, model: PartsModel, each: Column, parent: QWidget) -> QWidget:
        line = Line()
        line.setParent(parent)
        line.setObjectName("cell")
        if each.name in OFFERED:
            offered = Offered(line)
            offered.offer(tuple(_named(model, each.name)))
            line.setCompleter(offered)
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


def _named(model: PartsModel, name: str) -> Iterable[str]:
    """Return what the tables answer in the field NAME, each once; levels as the release names them, first."""
    levels = model.session.decision.release.levels if name == "level" else ()
    return dict.fromkeys((*levels, *(text for part in model.values if (text := getattr(part, name)))))
