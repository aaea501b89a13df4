"""A group of fields in a frame of its own."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QVBoxLayout

from ui.widgets import theme


class Card(QFrame):
    """A bordered group of fields with a title."""

    def __init__(self, title: str = "") -> None:
        super().__init__()
        self.setObjectName("card")
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(theme.GROUP, theme.NEAR + theme.TIGHT, theme.GROUP, theme.NEAR + theme.TIGHT)
        self.column.setSpacing(theme.NEAR)
        self.title = QLabel(title)
        self.title.setObjectName("title")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setWordWrap(True)
        self.column.addWidget(self.title)
        self.setAccessibleName(title)  # what screen readers say when they come to its first field
        self.title.setHidden(not title)  # after it has its place: shown before, it would flash as a window of its own

    def call(self, title: str) -> None:
        """Give the group another TITLE."""
        self.title.setText(title)
        self.setAccessibleName(title)
