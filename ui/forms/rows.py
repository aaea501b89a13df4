"""Lists of small values (earlier releases, attributes): one form for each row, added and removed with undo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.decision import Decision, edits
from dpwizard.values import Value
from ui.forms.origins import with_origins_moved
from ui.forms.plain_form import PlainForm
from ui.session import Session
from ui.widgets import Card, button_for, drop, named, plain, theme, tr, within


class Rows(QWidget):
    """The rows of the list at one path of the decision."""

    def __init__(
        self,
        session: Session,
        where: str,
        kind: type[Value],
        form: type[PlainForm],
        names: tuple[str, ...] = (),
        *,
        title: str,
        add_words: str,
        framed: bool = True,
    ) -> None:
        """Show each value as a FORM of its fields NAMES; of all of them, where none is named."""
        super().__init__()
        self.session, self.where, self.title, self.framed = session, where, title, framed
        self.kind, self.names, self._form = kind, names or tuple(kind.model_fields), form
        column = plain(QVBoxLayout(self), theme.NEAR)
        self._column = plain(QVBoxLayout(), theme.GROUP if not framed else theme.NEAR)
        column.addLayout(self._column)
        self.add_button = QPushButton(add_words)
        self.add_button.setAccessibleName(tr("{act}: {what}", act=add_words, what=within(title)))
        self.add_button.clicked.connect(self.add)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.forms: list[PlainForm] = []
        self.buttons: list[tuple[QPushButton, ...]] = []  # of each row: up, down, remove
        self._holders: list[QWidget] = []
        self.refresh()

    def add(self) -> None:
        """Add an open row at the end, and give it the keyboard."""
        self.session.edit(tr("Add {what}", what=within(self.title)), edits.add(self.session.decision, self.where, {}))
        self.refresh()
        if self.forms:
            self.forms[-1].reach(f"{self.forms[-1].where}.{self.names[0]}")

    def refresh(self) -> None:
        """Show the rows as they are; one is made or dropped only where their number has changed."""
        rows = edits.get(self.session.decision, self.where) or ()
        fewer = len(rows) < len(self.forms)
        while len(self.forms) > len(rows):
            holder = self._holders.pop()
            self.forms.pop()
            self.buttons.pop()
            drop(self._column, (holder,))
        while len(self.forms) < len(rows):
            self._make(len(self.forms))
        for index, (form, buttons) in enumerate(zip(self.forms, self.buttons, strict=True)):
            form.forget_problems() if fewer else form.refresh()
            for button, possible in zip(buttons, (index > 0, index + 1 < len(rows)), strict=False):
                button.setVisible(len(rows) > 1)
                button.setEnabled(possible)

    def _make(self, index: int) -> None:
        form = self._form(self.session, f"{self.where}[{index}]", self.kind, self.names)
        holder = Card() if self.framed else QWidget()
        column = holder.column if isinstance(holder, Card) else QVBoxLayout(holder)
        if not isinstance(holder, Card):
            column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        name = named(QLabel(tr("{what} {number}", what=self.title, number=index + 1)), "caption")
        head.addWidget(name, 1)
        buttons = []
        row = {"what": within(self.title), "number": index + 1}
        for words, said, act in (
            ("↑", tr("Move {what} {number} up", **row), lambda: self._move(index, index - 1)),
            ("↓", tr("Move {what} {number} down", **row), lambda: self._move(index, index + 1)),
            (tr("Remove"), tr("Remove {what} {number}", **row), lambda: self._remove(index)),
        ):
            button = button_for(words, lambda _=False, act=act: act(), "small")
            button.setAccessibleName(said)
            button.setToolTip(said)
            head.addWidget(button)
            buttons.append(button)
        self.buttons.append(tuple(buttons))
        column.addLayout(head)
        column.addWidget(form)
        self.forms.append(form)
        self._holders.append(holder)
        self._column.addWidget(holder)

    def forget_problems(self) -> None:
        """Show every row as it is."""
        self.refresh()
        for form in self.forms:
            form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE in one of the rows; for the list, to the adding button."""
        if where == self.where:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return any(form.reach(where) for form in self.forms)

    def _remove(self, index: int) -> None:
        rest = [i for i in range(len(self.forms)) if i != index]
        without = edits.remove(self.session.decision, self.where, index)
        self._reorder(tr("Remove {what}", what=within(self.title)), without, rest)

    def _move(self, index: int, to: int) -> None:
        order = [i for i in range(len(self.forms)) if i != index]
        order.insert(to, index)
        moved = edits.move(self.session.decision, self.where, index, to)
        self._reorder(tr("Move {what}", what=within(self.title)), moved, order)
        self.buttons[to][0 if to > 0 else 1].setFocus(Qt.FocusReason.OtherFocusReason)

    def _reorder(self, name: str, decision: Decision, order: list[int]) -> None:
        """Show DECISION, whose row i was row ORDER[i]; what is said of a row goes with it."""
        self.session.edit(name, with_origins_moved(decision, self.where, order))
        self.forget_problems()
