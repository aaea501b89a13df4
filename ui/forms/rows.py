"""Lists of small values (earlier releases, attributes): one form for each row, added and removed with undo.

Of very many rows one form is shown, below a table of all of them.
"""

from __future__ import annotations

import re

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.base.values import Value
from dpwizard.decision import Decision, edits
from ui.forms.offered_numbers import begun
from ui.forms.origins import with_origins_moved
from ui.forms.overview import Overview
from ui.forms.plain_form import PlainForm
from ui.forms.problems import in_words
from ui.session import DocumentSession
from ui.widgets import Card, Problem, added, button_for, drop, named, plain, theme, tr, within

MOST_OPEN, IN_TABLE = 12, 4  # rows that have a form each; fields that the table of very many rows shows


class Rows(QWidget):
    """The rows of the list at one path of the decision."""

    most_open = MOST_OPEN
    opened = Signal()  # a row of very many was chosen: its form is a new one

    def __init__(
        self,
        session: DocumentSession,
        where: str,
        kind: type[Value],
        form: type[PlainForm],
        names: tuple[str, ...] = (),
        *,
        title: str,
        add_words: str,
        framed: bool = True,
        more: tuple[str, ...] = (),
        more_words: str = "",
    ) -> None:
        """Show each value as a FORM of its fields NAMES; of all of them, where none is named.

        MORE fields stand behind a button called MORE_WORDS.
        """
        super().__init__()
        self.session, self.where, self.title, self.framed = session, where, title, framed
        self.kind, self.names, self._form = kind, names or tuple(kind.model_fields), form
        self.more, self._more_words = more, more_words
        self.column = plain(QVBoxLayout(self), theme.NEAR)
        self._column = plain(QVBoxLayout(), theme.GROUP if not framed else theme.NEAR)
        self.column.addLayout(self._column)
        self.add_button = QPushButton(add_words)
        self.add_button.setAccessibleName(tr("{act}: {what}", act=add_words, what=within(title)))
        self.add_button.clicked.connect(self.add)
        self.below = plain(QHBoxLayout(), theme.NEAR)  # what adds rows
        self.below.addWidget(self.add_button)
        self.below.addStretch(1)
        self.column.addLayout(self.below)
        self.problem = added(self.column, Problem())
        self.forms: list[PlainForm] = []
        self.buttons: list[tuple[QPushButton, ...]] = []  # of each form: up, down, remove
        self.overview: Overview | None = None  # the table of all rows, where there are very many
        self._holders: list[QWidget] = []
        self.refresh()

    def add(self) -> None:
        """Add an open row at the end, and give it the keyboard; show why where that is refused."""
        decision = self.session.decision
        try:
            with_row = edits.add(decision, self.where, begun(self.kind, decision))
        except DPWizardError as problem:
            self.problem.say(in_words(problem))
            return
        self.session.edit(tr("Add {what}", what=within(self.title)), with_row)
        self.refresh()
        last = len(edits.get(self.session.decision, self.where)) - 1
        self.reach(f"{self.where}[{last}].{self.names[0]}")

    def refresh(self) -> None:
        """Show the rows as they are; one is made or dropped only where their number has changed."""
        rows = edits.get(self.session.decision, self.where) or ()
        self.problem.say("")
        if len(rows) > self.most_open:
            self._show_overview(rows)
            return
        fewer = len(rows) < len(self.forms)
        if self.overview is not None:
            self.overview.stop()
            self._forget_forms()
            drop(self._column, (self.overview,))
            self.overview = None
        while len(self.forms) > len(rows):
            holder = self._holders.pop()
            self.forms.pop()
            self.buttons.pop()
            drop(self._column, (holder,))
        while len(self.forms) < len(rows):
            holder = self._new_row(len(self.forms))
            self._holders.append(holder)
            self._column.addWidget(holder)
        for index, form in enumerate(self.forms):
            form.forget_problems() if fewer else form.refresh()
            self._enable(index, index, len(rows))

    def _show_overview(self, rows: tuple[Value, ...]) -> None:
        if self.overview is None:
            self._forget_forms()
            drop(self._column, self._holders)
            self._holders = []
            self.overview = self.make_overview()
            self.overview.chosen.connect(self.opened)
            self._column.addWidget(self.overview)
        self.overview.show_values(rows)
        self.forms[0].refresh()
        self._enable(0, self.overview.row, len(rows))

    def make_overview(self) -> Overview:
        """Return the table of very many rows."""
        return Overview(self.kind, self.names[:IN_TABLE], self.title, self.make_only_form)

    def make_only_form(self, index: int) -> QWidget:
        """Return the form of row INDEX, which from now on is the only one."""
        self._forget_forms()
        form = self._new_row(index)
        self._enable(0, index, len(edits.get(self.session.decision, self.where)))
        return form

    def _forget_forms(self) -> None:
        self.forms, self.buttons = [], []

    def _enable(self, at: int, index: int, count: int) -> None:
        """Let the buttons of form AT, which is that of row INDEX, do what they can."""
        for button, possible in zip(self.buttons[at], (index > 0, index + 1 < count), strict=False):
            button.setVisible(count > 1)
            button.setEnabled(possible)

    def _new_row(self, index: int) -> QWidget:
        """Return a new form for row INDEX with its buttons, and keep both."""
        form = self._form(self.session, f"{self.where}[{index}]", self.kind, self.names)
        if self.more:
            form.fold(self.more, self._more_words)
        holder = Card() if self.framed else QWidget()
        column = holder.column if isinstance(holder, Card) else QVBoxLayout(holder)
        if not isinstance(holder, Card):
            column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        name = named(QLabel(tr("{what} {number}", what=self.title, number=index + 1)), "caption")
        holder.setAccessibleName(name.text())  # what the fields of one row are told apart by
        head.addWidget(name, 1)
        buttons = []
        row = {"what": within(self.title), "number": index + 1}
        for words, text, act in (
            ("↑", tr("Move {what} {number} up", **row), lambda: self._move(index, index - 1)),
            ("↓", tr("Move {what} {number} down", **row), lambda: self._move(index, index + 1)),
            (tr("Remove"), tr("Remove {what} {number}", **row), lambda: self._remove(index)),
        ):
            button = button_for(words, lambda _=False, act=act: act(), "small")
            button.setAccessibleName(text)
            button.setToolTip(text)
            head.addWidget(button)
            buttons.append(button)
        self.buttons.append(tuple(buttons))
        column.addLayout(head)
        column.addWidget(form)
        self.forms.append(form)
        return holder

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
        row = re.match(rf"{re.escape(self.where)}\[(\d+)\]", where)
        if row and self.overview is not None and int(row[1]) < self.overview.table.model().rowCount():
            self.overview.choose(int(row[1]))
        return any(form.reach(where) for form in self.forms)

    def _remove(self, index: int) -> None:
        rest = [i for i in range(self._count()) if i != index]
        without = edits.remove(self.session.decision, self.where, index)
        self._reorder(tr("Remove {what}", what=within(self.title)), without, rest)

    def _move(self, index: int, to: int) -> None:
        order = [i for i in range(self._count()) if i != index]
        order.insert(to, index)
        moved = edits.move(self.session.decision, self.where, index, to)
        self._reorder(tr("Move {what}", what=within(self.title)), moved, order)
        if self.overview is not None:
            self.overview.choose(to)
        self.buttons[0 if self.overview is not None else to][0 if to > 0 else 1].setFocus(
            Qt.FocusReason.OtherFocusReason
        )

    def _count(self) -> int:
        return len(edits.get(self.session.decision, self.where) or ())

    def _reorder(self, name: str, decision: Decision, order: list[int]) -> None:
        """Show DECISION, whose row i was row ORDER[i]; what is said of a row goes with it."""
        self.session.edit(name, with_origins_moved(decision, self.where, order))
        self.forget_problems()
