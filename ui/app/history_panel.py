"""The history as a panel: every step by its name, the one shown, the one saved; a click goes there and back."""

from __future__ import annotations

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDockWidget, QLabel, QListView, QVBoxLayout, QWidget

from ui.session import DocumentSession
from ui.widgets import named, theme, tr

Index = QModelIndex | QPersistentModelIndex
NOWHERE = QModelIndex()

WIDTH, HEIGHT = 320, 400  # pixels, where it is a window of its own


class Steps(QAbstractListModel):
    """The steps of a session's history, the opened decision first."""

    def __init__(self, session: DocumentSession, parent: QObject) -> None:
        super().__init__(parent)
        self.session = session
        self.names: tuple[str, ...] = ()
        self.present = 0
        self.saved: int | None = None

    def refresh(self) -> bool:
        """Take over the session's history; return whether anything changed."""
        history = self.session.history
        found = (history.names, len(history.past), self.session.saved_at)
        if found == (self.names, self.present, self.saved):
            return False
        self.beginResetModel()
        self.names, self.present, self.saved = found
        self.endResetModel()
        return True

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.names) + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = index.row()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._words(row)
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(row == self.present)
            font.setItalic(row > self.present)
            return font
        return None

    def _words(self, row: int) -> str:
        name = tr("Opened") if row == 0 else self.names[row - 1]
        if row == self.present:
            name = tr("{step} (shown now)", step=name)
        elif row > self.present:
            name = tr("{step} (undone)", step=name)
        return tr("{step} – saved", step=name) if row == self.saved else name


class HistoryPanel(QDockWidget):
    """Beside the wizard, where one wants it. Arrow keys move, Enter or a click goes to a step."""

    def __init__(self, session: DocumentSession, parent: QWidget) -> None:
        super().__init__(tr("History"), parent)
        self.setObjectName("history")
        self.steps = Steps(session, self)
        self.list = QListView()
        self.list.setModel(self.steps)
        self.list.setUniformItemSizes(True)
        self.list.setAccessibleName(tr("Steps, the first at the top"))
        self.list.clicked.connect(self._go)
        self.list.activated.connect(self._go)
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
        """Show the panel BESIDE the pages, or in a window of its own where there is no room beside them."""
        self.setFloating(not beside)
        self.show()
        if not beside:
            room = self.screen().availableGeometry()
            self.resize(min(WIDTH, room.width()), min(HEIGHT, room.height()))
            self.move(room.topLeft())
            self.activateWindow()
        self.refresh()

    def refresh(self) -> None:
        """Show the history as it stands; nothing is done while the panel is hidden."""
        if not self.isHidden() and self.steps.refresh():
            here = self.steps.index(self.steps.present)
            self.list.setCurrentIndex(here)
            self.list.scrollTo(here)

    def _go(self, index: QModelIndex) -> None:
        self.steps.session.go_to(index.row())
