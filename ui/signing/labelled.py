"""Controls of the form for signing, each below its label, some of them side by side."""

from __future__ import annotations

from PySide6.QtWidgets import QBoxLayout, QLabel, QLineEdit, QVBoxLayout, QWidget

from ui.controls import Choice, Line
from ui.widgets import SideBySide, added, fill, named, plain, theme

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
