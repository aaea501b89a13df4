"""A line that says what has just happened, and says it to screen readers too, wherever the keyboard is."""

from __future__ import annotations

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QLabel

CALM = 700  # milliseconds in which nothing new may be said: a slider that moves is not read out step by step


class Status(QLabel):
    """A label whose words are announced when they change and stay: what is wrong, what was saved, what is left."""

    def setText(self, words: str) -> None:
        changed = words != self.text()
        super().setText(words)
        if changed and words and QAccessible.isActive():
            QTimer.singleShot(CALM, self, lambda: self._announce(words))

    def _announce(self, words: str) -> None:
        if words == self.text() and self.isVisible():
            heard = QAccessibleAnnouncementEvent(self, self.accessibleName() or words)
            QAccessible.updateAccessibility(heard)
