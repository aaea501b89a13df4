"""A line at the top of the window that stays: why the file cannot be saved, and what can be done."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton

from ui import theme


class Notice(QFrame):
    """One message with buttons; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        row = QHBoxLayout(self)
        row.setContentsMargins(theme.EDGE, theme.NEAR, theme.EDGE, theme.NEAR)
        row.setSpacing(theme.NEAR)
        self.says = QLabel()
        self.says.setWordWrap(True)
        self.says.setTextFormat(Qt.TextFormat.PlainText)
        row.addWidget(self.says, 1)
        self.buttons: tuple[QPushButton, ...] = ()
        self.hide()

    def tell(self, words: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Show WORDS with a button for each of ACTIONS; nothing at all where WORDS is empty."""
        row = self.layout()
        for button in self.buttons:
            row.removeWidget(button)
            button.hide()
            button.deleteLater()
        made = []
        for said, act in actions:
            button = QPushButton(said)
            button.setObjectName("small")
            button.clicked.connect(lambda _=False, act=act: act())
            row.addWidget(button)
            made.append(button)
        self.buttons = tuple(made)
        self.says.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
