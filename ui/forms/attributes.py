"""The attributes of a person that tables read: typed once, offered wherever one is named; any other may be typed."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from dpwizard.decision import Decision, attribute_names, edits
from ui.controls import Choice, Line, Statement
from ui.forms.editor import Editor
from ui.forms.numbers import parsed
from ui.forms.pairs import NAME, PairsEditor
from ui.forms.text_editors import Offered, OfferedEditor
from ui.widgets import drop, plain, theme, tr

MOST_BOXES = 12  # names offered as boxes; further ones as they are typed
NOT_STATED, NONE, THESE = "not_stated", "none", "these"


class AttributeEditor(OfferedEditor):
    """The name of one attribute; those that the tables name are offered, and any other can be typed."""

    def look_around(self, decision: Decision, where: str) -> None:
        """Offer the names there are; a name is asked for where some table, or a figure without noise, tells them."""
        names = attribute_names(decision.release)
        self.offered.offer(names)
        answered = edits.get(decision, self.objectName()) is not None
        self.setVisible(bool(names) or answered or bool(self.problem.text()))
        self.show_note("" if answered or not names else tr("Named by the tables: {names}.", names=", ".join(names)))


class _NameDelegate(QStyledItemDelegate):
    """Offers the attributes there are while a name is typed into a cell."""

    names: tuple[str, ...] = ()

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Any) -> QWidget:
        editor = super().createEditor(parent, option, index)
        if isinstance(editor, QLineEdit):
            offered = Offered(editor)
            offered.offer(self.names)
            editor.setCompleter(offered)
        return editor


class EffectsEditor(PairsEditor):
    """A row for each attribute: its name, and how far the figures move when it moves by 1."""

    def build(self) -> None:
        super().build()
        self._offers = _NameDelegate(self.table)
        self.table.setItemDelegateForColumn(NAME, self._offers)

    def titles(self) -> tuple[str, ...]:
        return (tr("Attribute"), tr("Changes the figures by"))

    def removing(self) -> str:
        return tr("Remove the attribute")

    def half(self, name: str) -> str:
        if name:
            return tr("Enter how much “{name}” changes the figures.", name=name)
        return tr("Enter which attribute changes the figures by this much.")

    def twice(self, name: str) -> str:
        return tr("“{name}” is given twice, so nothing entered here is used. Name every attribute once.", name=name)

    def parsed(self, text: str) -> float | None:
        return parsed(text)

    def look_around(self, decision: Decision, where: str) -> None:
        self._offers.names = attribute_names(decision.release)


class ReadsEditor(Editor):
    """Which attributes something is computed from: not stated, none of them, or these."""

    def build(self) -> None:
        not_stated = tr("Not stated: it may read any")
        self.box = Choice(((NOT_STATED, not_stated), (NONE, tr("None of them")), (THESE, tr("These:"))))
        self.box.activated.connect(self._choose)
        self.named = QWidget()
        column = plain(QVBoxLayout(self.named), theme.TIGHT)
        self._boxes = plain(QVBoxLayout(), theme.TIGHT)
        column.addLayout(self._boxes)
        self.line = Line()
        self.line.setPlaceholderText(tr("Name of an attribute. Press Enter to add it"))
        self.offered = Offered(self.line)
        self.line.setCompleter(self.offered)
        self.line.editingFinished.connect(self._add_name)
        self.offered.activated.connect(self._add_name, Qt.ConnectionType.QueuedConnection)  # once it stands in the line
        column.addWidget(self.line)
        self.boxes: dict[str, Statement] = {}
        self._names: tuple[str, ...] = ()  # that the release names
        self._value: tuple[str, ...] | None = None
        self._asking = False  # for names, of which none is given yet
        self.column.addWidget(self.box)
        self.column.addWidget(self.named)
        self.named.hide()

    def controls(self) -> tuple[QWidget, ...]:
        return (self.box, self.line)

    def look_around(self, decision: Decision, where: str) -> None:
        self._names = attribute_names(decision.release)
        self.offered.offer(self._names)

    def show_value(self, value: Any) -> None:
        self._value = value
        self._asking = self._asking and value is None
        key = THESE if value or self._asking else NOT_STATED if value is None else NONE
        self.box.show_key(key)
        self.show_note(tr("Not stated until you name one.") if self._asking else "")
        self._show()

    def rewrite(self, value: Any) -> None:
        self._asking = False
        self.line.clear()
        self.show_value(value)

    def tidy(self, value: Any) -> None:
        self.show_value(value)

    def in_words(self, value: Any) -> str:
        return super().in_words(", ".join(value or ()) or None)

    def _show(self) -> None:
        given = self._value or ()
        more = [name for name in self._names if name not in given][: max(0, MOST_BOXES - len(given))]
        wanted = [name for name in self._names if name in given or name in more]
        wanted += [name for name in given if name not in wanted]
        if wanted != list(self.boxes):
            drop(self._boxes, self.boxes.values())
            self.boxes = {name: self._make_box(name) for name in wanted}
        for name, box in self.boxes.items():
            box.setChecked(name in given)
        self.named.setVisible(self.box.currentData() == THESE)

    def _make_box(self, name: str) -> Statement:
        box = Statement(name)
        box.setAccessibleName(tr("Reads {attribute}", attribute=name))
        box.clicked.connect(self._tell_checked)
        self._boxes.addWidget(box)
        return box

    def _choose(self) -> None:
        """Tell what was chosen; where names are to follow, nothing is stated until one does."""
        key = self.box.currentData()
        self._asking = key == THESE and not self._value
        if key != THESE or self._asking:
            self.edited.emit(() if key == NONE else None, False)
            self.settled.emit()
        if key == THESE:
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)

    def _tell_checked(self) -> None:
        """Tell which are checked; that none is would be a claim, which nobody makes by taking the last one back."""
        checked = tuple(name for name, box in self.boxes.items() if box.isChecked())
        self._asking = not checked
        self.edited.emit(checked or None, False)
        self.settled.emit()

    def _add_name(self) -> None:
        """Add the name that was typed to those that are read."""
        name = self.line.text().strip()
        if not name:
            return
        self.edited.emit(tuple(dict.fromkeys((*(self._value or ()), name))), False)
        if not self.problem.text():
            self.line.clear()  # it stands among the boxes now
        self.settled.emit()
