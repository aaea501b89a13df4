"""Lists of small values (earlier releases, parts): one card for each row, added and removed with undo."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from dpwizard import edits
from dpwizard.fields import Value
from ui import theme
from ui.forms import Form
from ui.pages.page import Card
from ui.session import Session


class Rows(QWidget):
    """The rows of the list at one path of the decision."""

    def __init__(self, session: Session, where: str, kind: type[Value], names: tuple[str, ...], *, title: str, add_words: str) -> None:
        super().__init__()
        self.session, self.where, self.kind, self.names, self.title = session, where, kind, names, title
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.NEAR)
        self._column = QVBoxLayout()
        self._column.setSpacing(theme.NEAR)
        column.addLayout(self._column)
        self.add_button = QPushButton(add_words)
        self.add_button.clicked.connect(self.add)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.forms: list[Form] = []
        self._cards: list[Card] = []
        self.refresh()

    def add(self) -> None:
        """Add an open row at the end."""
        self.session.edit(f"Add {self.title.lower()}", edits.add(self.session.decision, self.where, {}))

    def refresh(self) -> None:
        """Show the rows as they are; made anew only where their number has changed."""
        rows = edits.get(self.session.decision, self.where) or ()
        if len(rows) != len(self.forms):
            for card in self._cards:
                self._column.removeWidget(card)
                card.deleteLater()
            self.forms, self._cards = [], []
            for index in range(len(rows)):
                card = Card(f"{self.title} {index + 1}")
                form = Form(self.session, f"{self.where}[{index}]", self.kind, self.names)
                card.column.addWidget(form)
                remove = QPushButton("Remove")
                remove.setAccessibleName(f"Remove {self.title.lower()} {index + 1}")
                remove.clicked.connect(lambda _, index=index: self._remove(index))
                card.column.addWidget(remove, alignment=Qt.AlignmentFlag.AlignLeft)
                self.forms.append(form)
                self._cards.append(card)
                self._column.addWidget(card)
        for form in self.forms:
            form.refresh()

    def forget_problems(self) -> None:
        """Show every row as it is."""
        self.refresh()
        for form in self.forms:
            form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is in one of the rows."""
        return any(form.reach(where) for form in self.forms)

    def _remove(self, index: int) -> None:
        self.session.edit(f"Remove {self.title.lower()}", edits.remove(self.session.decision, self.where, index))
