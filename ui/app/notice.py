"""A message that stays at the top of the window, such as why the file cannot be saved."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QPushButton

from ui.widgets import Status, button_for, drop, theme

WIDE = 640  # pixels from which the buttons are beside the message


class Notice(QFrame):
    """One message with buttons; hidden while there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("notice")
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._row.setContentsMargins(theme.EDGE, theme.NEAR, theme.EDGE, theme.NEAR)
        self._row.setSpacing(theme.NEAR)
        self.says = Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._row.addWidget(self.says, 1)
        self.buttons: tuple[QPushButton, ...] = ()
        self.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        in_one_row = event.size().width() >= WIDE
        self._row.setDirection(QBoxLayout.Direction.LeftToRight if in_one_row else QBoxLayout.Direction.TopToBottom)
        super().resizeEvent(event)

    def tell(self, words: str, *actions: tuple[str, Callable[[], object]]) -> None:
        """Show WORDS with a button for each of ACTIONS; hide the notice if WORDS is empty."""
        drop(self._row, self.buttons)
        buttons = []
        for text, act in actions:
            button = button_for(text, lambda _=False, act=act: act(), "small")
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            buttons.append(button)
        self.buttons = tuple(buttons)
        self.says.setText(words)
        self.setAccessibleName(words)
        self.setVisible(bool(words))
