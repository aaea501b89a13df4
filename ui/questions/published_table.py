"""A table of small true counts against what is published of them, each cell shaded by its chance."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpwizard.base.language import digits
from ui.widgets import theme, tr

FIRST, LAST = 72, 104  # pixels of the column of truths, and of the one of all larger counts
FIRST_SHARE, LAST_SHARE = 0.14, 0.24  # of the width, which these columns take at most
LEAST = 316  # pixels of the width
ROW, GAP = 24, 1  # pixels of a row, and between cells
RARE = 10  # tenths of 1 in 100: below, a chance is written quietly
DEEPEST = 707  # tenths at which a cell has all of its colour
Row = tuple[int, tuple[int, ...]]


class PublishedTable(QWidget):
    """Rows of true counts, columns of published ones, chances in 100; watched cells of the first row are framed."""

    def __init__(self, colours: theme.Colours, *, watched: int) -> None:
        super().__init__()
        self.colours, self.watched = colours, watched
        self._rows: tuple[Row, ...] = ()
        self._first = "0"
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_rows(self, rows: tuple[Row, ...], *, clamped: bool) -> None:
        """Show ROWS of chances in tenths of 1 in 100; CLAMPED: counts below 0 become 0, else they are as they are."""
        self._rows, self._first = rows, "0" if clamped else tr("0 or less")
        said = (f"{truth}: {', '.join(map(_tenths, chances))}" for truth, chances in rows)
        self.setAccessibleName(tr("True counts, and in 100 cases what is published of them"))
        self.setAccessibleDescription("; ".join(said))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(FIRST + LAST + 6 * 48, ROW * (len(self._rows) + 2))

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._rows:
            return
        last = len(self._rows[0][1]) - 1
        first, largest = min(FIRST, self.width() * FIRST_SHARE), min(LAST, self.width() * LAST_SHARE)
        wide = (self.width() - first - largest) / last
        quiet, text = QColor(self.colours.quiet), QColor(self.colours.text)
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setFont(theme.font(theme.CAPTION))
            painter.setPen(quiet)
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(QRectF(first, 0, self.width() - first, ROW), left, tr("published as … in 100 cases"))
            painter.drawText(QRectF(0, ROW, first, ROW), left, tr("truth"))
            places = [QRectF(first + wide * at, 0, wide if at < last else largest, ROW) for at in range(last + 1)]
            least = self._first if painter.fontMetrics().horizontalAdvance(self._first) <= wide else "≤ 0"
            heads = (least, *map(str, range(1, last)), tr("{count} or more", count=last))
            for place, words in zip(places, heads, strict=True):
                painter.drawText(place.translated(0, ROW), Qt.AlignmentFlag.AlignCenter, words)
            for index, (truth, chances) in enumerate(self._rows):
                top = ROW * (index + 2.0)
                painter.setPen(text)
                painter.drawText(QRectF(0, top, first, ROW), left, str(truth))
                for at, (place, tenths) in enumerate(zip(places, chances, strict=True)):
                    framed = index == 0 and at >= self.watched
                    self._cell(painter, place.translated(0, top).adjusted(GAP, GAP, -GAP, -GAP), tenths, framed)

    def _cell(self, painter: QPainter, place: QRectF, tenths: int, framed: bool) -> None:
        """Paint one cell: its chance on a shade that says it too; FRAMED where somebody might act on it."""
        deep = min(1.0, tenths / DEEPEST) ** 0.6
        shade = QColor(self.colours.accuracy)
        shade.setAlphaF(0.04 + 0.8 * deep)
        painter.fillRect(place, shade)
        if framed:
            painter.setPen(QPen(QColor(self.colours.privacy), 1.5))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(place)
        words = self.colours.on_accent if deep > 0.8 else self.colours.quiet if tenths < RARE else self.colours.text
        painter.setPen(QColor(words))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, _tenths(tenths))


def _tenths(count: int) -> str:
    return digits(f"{count / 10:.1f}")
