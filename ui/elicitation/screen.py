"""The base of all screens of the questions: a heading and a column of readable width that can be scrolled."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.widgets import named, plain, theme

WIDTH = 800  # pixels of the column
ACROSS = 1_112  # of two releases beside one another, and of all that is seen at once
WIDE = 796  # from which lines stand in two columns


class Screen(QScrollArea):
    """One screen."""

    def __init__(self, colours: theme.Colours, heading: str = "") -> None:
        super().__init__()
        self.colours = colours
        self._since = 0.0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(theme.EDGE, theme.GROUP, theme.EDGE, theme.GROUP)
        holder = self.holder = QWidget()
        holder.setMaximumWidth(WIDTH)
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row.addWidget(holder, 100)
        row.addStretch(1)
        self.column = plain(QVBoxLayout(holder), theme.GROUP)
        self.setWidget(content)
        self.heading = named(QLabel(heading, wordWrap=True, textFormat=Qt.TextFormat.PlainText), "question")
        self.column.addWidget(self.heading)
        self.heading.setVisible(bool(heading))

    def enter(self) -> None:
        """Show the screen from its beginning, when it becomes the current one."""
        self.verticalScrollBar().setValue(0)

    def begin_timing(self) -> None:
        """Count the seconds that an answer takes from now on."""
        self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        """Return the seconds that the answer has taken so far."""
        return round(time.monotonic() - self._since, 1)

    def arrange(self, width: int) -> None:
        """Fit what is shown into WIDTH pixels."""
