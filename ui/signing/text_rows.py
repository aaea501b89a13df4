"""Lines of text that can be selected and copied, one below the other, and taken away together."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout


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
