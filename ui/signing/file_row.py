"""A field for the name of a file, with a button that lets one choose it."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.controls import Line
from ui.widgets import named, plain, theme, tr


class FileRow(QWidget):
    """A label, a line that holds the file's name, and the button beside it."""

    def __init__(self, label: str, choose: Callable[[], None]) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.TIGHT)
        caption = named(QLabel(label), "caption")
        self.line, self.button = Line(), QPushButton(tr("Choose …"))
        self.line.setAccessibleName(label)
        self.button.setAccessibleName(tr("Choose: {what}", what=label))
        self.button.clicked.connect(lambda: choose())
        caption.setBuddy(self.line)
        row = plain(QHBoxLayout(), theme.NEAR)
        row.addWidget(self.line, 1)
        row.addWidget(self.button)
        column.addWidget(caption)
        column.addLayout(row)
        self.setFocusProxy(self.line)
