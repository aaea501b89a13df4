"""Fields that serve few, behind a button that says how many of them are answered."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.base.values import Value
from dpwizard.decision import edits
from ui.controls import MenuButton
from ui.forms.editor import Editor
from ui.session import DocumentSession
from ui.widgets import plain, theme, tr


class Inner(Protocol):
    """What stands in a form for a field that holds values."""

    def refresh(self) -> None:
        """Show what the decision holds."""

    def forget_problems(self) -> None:
        """Show what the decision holds, and no problem."""

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is here."""


class Fields(Inner, Protocol):
    """A form that can be hidden."""

    editors: dict[str, Editor]

    def setVisible(self, visible: bool, /) -> None:
        """Show or hide it."""


class Folded(QWidget):
    """Some fields of the value at one path; their form is made when it is first opened."""

    def __init__(
        self,
        session: DocumentSession,
        where: str,
        kind: type[Value],
        names: tuple[str, ...],
        title: str,
        fill: Callable[[QVBoxLayout], Fields],
    ) -> None:
        """FILL adds the form of the fields NAMES to a column, and returns it."""
        super().__init__()
        self._session, self.where, self._title = session, where, title
        self._defaults = {name: kind.model_fields[name].default for name in names}
        self._fill = fill
        self.form: Fields | None = None
        column = plain(QVBoxLayout(self), theme.NEAR)
        self.button = MenuButton(title)
        self.button.setObjectName("small")
        self.button.setCheckable(True)
        self.button.toggled.connect(self._turn)
        column.addWidget(self.button, alignment=Qt.AlignmentFlag.AlignLeft)
        self._body = plain(QVBoxLayout(), theme.NEAR)
        column.addLayout(self._body)
        self.refresh()

    def answered(self) -> int:
        """Return how many of the fields are answered."""
        value = edits.get(self._session.decision, self.where)
        return sum(getattr(value, name, default) != default for name, default in self._defaults.items())

    def refresh(self) -> None:
        """Say how many fields are answered, and show them where they are open."""
        title, count = self._title, self.answered()
        self.button.say(tr("{title} ({count} answered)", title=title, count=count) if count else title)
        if self.form is not None:
            self.form.refresh()

    def forget_problems(self) -> None:
        """Show the fields as they are."""
        self.refresh()
        if self.form is not None:
            self.form.forget_problems()

    def reach(self, where: str) -> bool:
        """Open, and give the keyboard to the field of the path WHERE, if it is here."""
        field = re.split(r"[.\[]", where.removeprefix(f"{self.where}."), maxsplit=1)[0]
        if not where.startswith(f"{self.where}.") or field not in self._defaults:
            return False
        self.button.setChecked(True)
        return self.form is not None and self.form.reach(where)

    def _turn(self, opened: bool) -> None:
        if opened and self.form is None:
            self.form = self._fill(self._body)
        if self.form is not None:
            self.form.setVisible(opened)
