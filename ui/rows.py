"""Lists of small values (earlier releases, attributes): one form for each row, added and removed with undo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard import edits
from dpwizard.fields import Value
from ui import theme
from ui.forms import Form
from ui.pages.page import Card
from ui.session import Session


class Rows(QWidget):
    """The rows of the list at one path of the decision."""

    def __init__(
        self,
        session: Session,
        where: str,
        kind: type[Value],
        names: tuple[str, ...],
        *,
        title: str,
        add_words: str,
        framed: bool = True,
    ) -> None:
        super().__init__()
        self.session, self.where, self.kind, self.names, self.title, self.framed = session, where, kind, names, title, framed
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.NEAR)
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.GROUP if not framed else theme.NEAR)
        column.addLayout(self._column)
        self.add_button = QPushButton(add_words)
        self.add_button.setAccessibleName(f"{add_words}: {title.lower()}")
        self.add_button.clicked.connect(self.add)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.forms: list[Form] = []
        self._holders: list[QWidget] = []
        self.refresh()

    def add(self) -> None:
        """Add an open row at the end, and give it the keyboard."""
        self.session.edit(f"Add {self.title.lower()}", edits.add(self.session.decision, self.where, {}))
        self.refresh()
        if self.forms:
            next(iter(self.forms[-1].editors.values())).reach()

    def refresh(self) -> None:
        """Show the rows as they are; one is made or dropped only where their number has changed."""
        rows = edits.get(self.session.decision, self.where) or ()
        fewer = len(rows) < len(self.forms)
        while len(self.forms) > len(rows):
            holder = self._holders.pop()
            self.forms.pop()
            self._column.removeWidget(holder)
            holder.hide()
            holder.deleteLater()
        while len(self.forms) < len(rows):
            self._make(len(self.forms))
        for form in self.forms:
            form.forget_problems() if fewer else form.refresh()

    def _make(self, index: int) -> None:
        form = Form(self.session, f"{self.where}[{index}]", self.kind, self.names)
        holder = Card() if self.framed else QWidget()
        column = holder.column if isinstance(holder, Card) else QVBoxLayout(holder)
        if not isinstance(holder, Card):
            column.setContentsMargins(0, 0, 0, 0)
        head = QHBoxLayout()
        name = QLabel(f"{self.title} {index + 1}")
        name.setObjectName("caption")
        remove = QPushButton("Remove")
        remove.setObjectName("small")
        remove.setAccessibleName(f"Remove {self.title.lower()} {index + 1}")
        remove.clicked.connect(lambda: self._remove(index))
        head.addWidget(name, 1)
        head.addWidget(remove)
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
        """Give the keyboard to the field of the path WHERE, if it is in one of the rows; to the button that adds one, for the list."""
        if where == self.where:
            self.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return any(form.reach(where) for form in self.forms)

    def _remove(self, index: int) -> None:
        self.session.edit(f"Remove {self.title.lower()}", edits.remove(self.session.decision, self.where, index))
