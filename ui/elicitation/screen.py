"""The base of all screens of the questions: a heading and a column of readable width that can be scrolled."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from ui.controls import Prose
from ui.widgets import fill, named, plain, theme, unmnemonic

WIDTH = 800  # pixels of the column
ACROSS = 1_112  # of two releases beside one another, and of all that is seen at once
WIDE = 796  # from which lines stand in two columns


class Screen(QScrollArea):
    """One screen."""

    def __init__(self, colours: theme.Colours, heading: str = "") -> None:
        super().__init__()
        self.colours = colours
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

    def arrange(self, width: int) -> None:
        """Fit what is shown into WIDTH pixels."""


def button(words: str, *, primary: bool = False, small: bool = False) -> QPushButton:
    """Return a button that says WORDS."""
    push_button = QPushButton(unmnemonic(words))
    if primary or small:
        push_button.setObjectName("primary" if primary else "small")
    push_button.setAutoDefault(False)
    return push_button


def labelled(words: str, control: QWidget, help: str = "") -> QWidget:
    """Return CONTROL under its label, with a line of HELP below."""
    caption = named(QLabel(words), "caption")
    caption.setBuddy(control)
    control.setAccessibleName(words)
    control.setAccessibleDescription(help)
    holder = QWidget()
    column = fill(plain(QVBoxLayout(holder), theme.TIGHT), caption, control)
    if help:
        column.addWidget(Prose(help, "caption"))
    return holder
