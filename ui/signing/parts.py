"""What the dialogs are put together from: labelled controls, rows for the name of a file, text to be copied."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ui.controls import Choice, Line
from ui.widgets import SideBySide, added, fill, named, plain, theme, tr

LETTERS = 14  # of a choice that are seen at least


def labelled(label: str, control: QWidget) -> QVBoxLayout:
    """Return CONTROL below its LABEL."""
    caption = named(QLabel(label, wordWrap=True), "caption")
    if isinstance(control, Choice):
        control.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        control.setMinimumContentsLength(LETTERS)
    caption.setBuddy(control)
    control.setAccessibleName(label)
    column = plain(QVBoxLayout(), theme.TIGHT)
    fill(column, caption, control)
    return column


def secret_line() -> Line:
    """Return a line for a passphrase, which shows no letter of it."""
    line = Line()
    line.setEchoMode(QLineEdit.EchoMode.Password)
    return line


def row_on(column: QBoxLayout) -> QBoxLayout:
    """Return a row at the end of COLUMN, whose controls stand below one another where there is little room."""
    row = added(column, SideBySide())
    return row.box


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


def copyable(words: str, name: str = "") -> QLabel:
    """Return WORDS as a label to read, select and copy; what somebody typed is shown as it is, never as markup."""
    label = QLabel(
        words,
        textFormat=Qt.TextFormat.PlainText,
        wordWrap=True,
        textInteractionFlags=Qt.TextInteractionFlag.TextSelectableByMouse,
    )
    if name:
        label.setObjectName(name)
    return label


def clear(rows: QVBoxLayout) -> None:
    """Take everything out of ROWS."""
    while rows.count():
        item = rows.takeAt(0)
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.hide()  # gone at once; deleted when the event that asked for it is over
            widget.deleteLater()
