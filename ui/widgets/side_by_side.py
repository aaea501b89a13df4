"""Layouts that are rows if there is room, and columns if not."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLabel, QWidget, QWidgetItem

from ui.widgets import theme
from ui.widgets.parts import laid_out, plain

LINE = 200  # pixels: longer words in a row may take several lines


def later(widget: QWidget) -> None:
    """Let WIDGET ask for new room after the current layout, which must not be changed while it runs."""
    QTimer.singleShot(0, widget, widget.updateGeometry)


class SideBySide(QWidget):
    """A row that becomes a column if its parts do not fit side by side; it needs the width of the widest part."""

    def __init__(self, spacing: int = theme.GROUP, below: int = theme.NEAR) -> None:
        """Keep SPACING pixels between the parts of a row, and BELOW pixels between those of a column."""
        super().__init__()
        self._spacing, self._below = spacing, below
        self.box = plain(QBoxLayout(QBoxLayout.Direction.LeftToRight, self), spacing)

    def _widths(self) -> list[int]:
        items = [QWidgetItem(part) if isinstance(part, QWidget) else part for part in laid_out(self.box)]
        return [item.minimumSize().width() for item in items if not item.isEmpty()] or [0]

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Check the direction again after a part was added, removed or changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._set_direction(self.width())
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._set_direction(event.size().width())
        super().resizeEvent(event)

    def _set_direction(self, width: int) -> None:
        """Arrange the parts in a row if they fit into WIDTH, else in a column."""
        widths = self._widths()
        fits = sum(widths) + self._spacing * (len(widths) - 1) <= width
        direction = QBoxLayout.Direction.LeftToRight if fits else QBoxLayout.Direction.TopToBottom
        if direction != self.box.direction():
            self.box.setDirection(direction)
            self.box.setSpacing(self._spacing if fits else self._below)
            later(self)


def in_a_row(*parts: QWidget, spacing: int = theme.NEAR) -> SideBySide:
    """Return PARTS in a row from the left, each in its own width, with SPACING pixels between."""
    row = SideBySide(spacing, theme.TIGHT)
    for part in parts:
        row.box.addWidget(part, alignment=Qt.AlignmentFlag.AlignLeft)
    row.box.addStretch(1)
    return row


class Words(QLabel):
    """Words in a row, in one line if there is room, else in several."""

    def __init__(self, words: str = "", kind: str = "", least: int = LINE) -> None:
        """WORDS that are wider than LEAST pixels may take several lines."""
        super().__init__(words, wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self._least = least
        self.setObjectName(kind)

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()  # first, for it sees to the font
        return QSize(self.fontMetrics().size(0, self.text()).width(), hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(self._least, self.sizeHint().width()), super().minimumSizeHint().height())


class FieldGrid(QWidget):
    """Fields ACROSS in a row, of equal width or of these SHARES, or one in a row if they do not fit side by side."""

    def __init__(self, across: int = 2, shares: tuple[int, ...] = ()) -> None:
        super().__init__()
        self._shares = shares or (1,) * across
        self._across = len(self._shares)
        self._grid = plain(QGridLayout(self), theme.GROUP)
        self._grid.setVerticalSpacing(theme.NEAR + theme.TIGHT)
        self._fields: list[QWidget] = []

    def add(self, field: QWidget) -> None:
        """Add FIELD at the end."""
        self._fields.append(field)
        self._lay_out()

    def _lay_out(self) -> None:
        for index, field in enumerate(self._fields):
            self._grid.removeWidget(field)
            self._grid.addWidget(field, index // self._across, index % self._across, Qt.AlignmentFlag.AlignTop)
        for column, share in enumerate(self._shares):
            self._grid.setColumnStretch(column, share if column < self._across else 0)

    def _widths(self) -> list[int]:
        return [
            0 if field.isHidden() else max(field.minimumSizeHint().width(), field.minimumWidth())
            for field in self._fields
        ]

    def minimumSizeHint(self) -> QSize:
        return QSize(max(self._widths(), default=0), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        widths = self._widths()
        most = len(self._shares)
        needed = sum(max(widths[column::most], default=0) for column in range(most))
        across = most if needed + theme.GROUP * (most - 1) <= event.size().width() else 1
        if across != self._across:
            self._across = across
            self._lay_out()
            later(self)
        super().resizeEvent(event)
