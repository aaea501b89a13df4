"""The panel of the history: every edit by name, with the current and the saved one marked."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QLabel, QListWidget, QVBoxLayout, QWidget

from ui.session import DocumentSession
from ui.widgets import named, theme, tr

WIDTH, HEIGHT = 320, 400  # pixels, where it is a window of its own


class HistoryPanel(QDockWidget):
    """A dock with the history. Arrow keys move; Enter or a click goes to an edit."""

    def __init__(self, session: DocumentSession, parent: QWidget) -> None:
        super().__init__(tr("History"), parent)
        self.setObjectName("history")
        self.session = session
        self._shown: tuple[object, ...] = ()
        self.list = QListWidget()
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("Steps, the first at the top"))
        for chosen in (self.list.clicked, self.list.activated):
            chosen.connect(lambda step: session.go_to(step.row()))
        how = tr("Click a step, or press Enter on it, to go there. Nothing is lost: later steps stay until you edit.")
        hint = named(QLabel(how, wordWrap=True), "caption")
        content = QWidget()
        column = QVBoxLayout(content)
        column.setContentsMargins(theme.NEAR, theme.NEAR, theme.NEAR, theme.NEAR)
        column.addWidget(self.list, 1)
        column.addWidget(hint)
        self.setWidget(content)
        self.setMinimumWidth(220)
        session.changed.connect(self.refresh)
        self.visibilityChanged.connect(lambda shown: self.refresh() if shown else None)
        self.refresh()

    def appear(self, *, beside: bool) -> None:
        """Show the panel BESIDE the pages, or in its own window."""
        self.setFloating(not beside)
        self.show()
        if not beside:
            room = self.screen().availableGeometry()
            self.resize(min(WIDTH, room.width()), min(HEIGHT, room.height()))
            self.move(room.topLeft())
            self.activateWindow()
        self.refresh()

    def refresh(self) -> None:
        """Show the current history; does nothing while the panel is hidden."""
        history, saved = self.session.history, self.session.saved_at
        present = len(history.past)
        history_state = (history.names, present, saved)
        if self.isHidden() or history_state == self._shown:
            return
        self._shown = history_state
        self.list.clear()
        names = enumerate((tr("Opened"), *history.names), start=-present)
        self.list.addItems([_step_words(name, after, saved=after + present == saved) for after, name in names])
        for row in range(present, self.list.count()):  # earlier ones are plain, and may be many
            item = self.list.item(row)
            font = item.font()
            font.setBold(row == present)
            font.setItalic(row > present)
            item.setFont(font)
        self.list.setCurrentRow(present)


def _step_words(name: str, after: int, *, saved: bool) -> str:
    """Return NAME with its state; AFTER is the number of edits from the current one."""
    words = tr("{step} (shown now)", step=name) if after == 0 else name
    words = tr("{step} (undone)", step=name) if after > 0 else words
    return tr("{step} – saved", step=words) if saved else words
