"""The words on a plot: labels at the ends of lines, marks with what they say, stretches and groups of the x axis."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QFontMetrics, QPen
from PySide6.QtWidgets import QGraphicsRectItem

from dpwizard.charts import Chart, Line, Mark, Surface, charts
from ui.plots.curves import STRONG, Curves, Strokes, colour_of
from ui.plots.plot import Spot, pen, see
from ui.plots.zoom import ZoomPlot
from ui.widgets import theme

LABEL_GAP, LABEL_HEIGHT, WIDEST_LABEL = 8, 15, 190  # pixels
BEYOND = 32  # pixels right of the axes that words may use where no line has its name there


class LineLabels:
    """Each label beside the end of its line, moved apart where they would touch."""

    def __init__(self, plot: ZoomPlot, curves: Curves) -> None:
        self.plot, self.curves = plot, curves
        self._labels: list[pg.TextItem] = []
        self._styles: dict[int, tuple[object, ...]] = {}
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))
        self._font = theme.font(theme.CAPTION)
        self._strong_font = theme.font(theme.CAPTION, QFont.Weight.DemiBold)
        self._struck_font = theme.font(theme.CAPTION)
        self._struck_font.setStrikeOut(True)

    def paint(self, chart: Chart) -> None:
        """Write the labels of the lines of CHART that are seen."""
        (_, right), (low, high) = self.plot.visible()
        wanted: list[tuple[Line, float]] = []
        for curve, line in zip(self.curves.curves, chart.lines, strict=False):
            end = curve.end() if line.label else None
            if end is not None:
                beside = chart.y.place(line.beside) if line.beside else end
                wanted.append((line, min(max(beside, low), high)))
        apart = LABEL_HEIGHT * (high - low) / max(self.plot.height() - 60, 60)
        places = charts.spread_labels([end for _, end in wanted], [apart] * len(wanted), low, high)
        while len(self._labels) < len(wanted):
            self._labels.append(self.plot.words(anchor=(0, 0.5)))
        faint = any(line.role == "quiet" for line, _ in wanted)  # then one of them stands out
        for index, label in enumerate(self._labels):
            see(label, index < len(wanted))
            if index < len(wanted):
                self._write(index, wanted[index][0], faint)
                if label.pos() != (here := QPointF(right + self.plot.pixels(LABEL_GAP), places[index])):
                    label.setPos(here)

    def _write(self, index: int, line: Line, faint: bool) -> None:
        strong = line.width >= STRONG and faint
        quiet = bool(line.struck) or (faint and not strong)
        style = (line.label, quiet, strong)
        if self._styles.get(index) != style:
            self._styles[index] = style
            words = self._metrics.elidedText(line.label, Qt.TextElideMode.ElideRight, WIDEST_LABEL)
            label = self._labels[index]
            label.setFont(self._struck_font if line.struck else self._strong_font if strong else self._font)
            label.setText(words, color=self.plot.colours.quiet if quiet else self.plot.colours.text)

    def hide(self) -> None:
        """Show nothing."""
        for label in self._labels:
            label.hide()


class Marks:
    """Round marks at points that matter, with words beside them."""

    def __init__(self, plot: ZoomPlot, ground: str) -> None:
        self.plot, self.ground = plot, ground
        self._words: list[pg.TextItem] = []
        self._spots: list[Spot] = []
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))

    def paint(self, shown: Chart | Surface, taken: int) -> None:
        """Show the marks of what is SHOWN, on a plot of which so many pixels at the left and right are TAKEN by
        words."""
        marks = shown.marks
        while len(self._words) < len(marks):
            item = self.plot.words(bold=True)
            item.setZValue(25)
            self._words.append(item)
            self._spots.append(Spot(20))
            self.plot.add(self._spots[-1])
        for index, (item, spot) in enumerate(zip(self._words, self._spots, strict=True)):
            see(item, index < len(marks) and bool(marks[index].words))
            if index < len(marks):
                self._paint(shown, marks[index], item, spot, taken)
            else:
                spot.hide()

    def _paint(self, shown: Chart | Surface, mark: Mark, item: pg.TextItem, spot: Spot, taken: int) -> None:
        colours, over = self.plot.colours, isinstance(shown, Surface)
        (left, right), (low, high) = self.plot.visible()
        x = shown.x.place(min(max(mark.x, shown.x.low), shown.x.high))
        y = shown.y.place(min(max(mark.y, shown.y.low), shown.y.high))
        colour = colour_of(colours, mark.role)
        if mark.dot:
            fill = "#FFFFFF" if over else self.ground if mark.hollow else colour
            spot.show_at(x, y, 10, pen("#D00000" if over else colour, 2), fill)
        else:
            spot.hide()
        if not mark.words:
            return
        to_the_left = self._to_the_left(shown, mark, (x - left) / (right - left), taken)
        deep, top = y < low + 0.12 * (high - low), y > high - 0.12 * (high - low)
        style = (mark.words, over)
        if item.property("style") != style:
            item.setProperty("style", style)
            item.fill = pg.mkBrush(_see_through(self.ground)) if over else pg.mkBrush(None)
            item.setText(mark.words, color=colours.text)
        item.setAnchor((1.05 if to_the_left else -0.05, -0.1 if (mark.below and not deep) or top else 1.1))
        item.setPos(x, y)

    def _to_the_left(self, shown: Chart | Surface, mark: Mark, share: float, taken: int) -> bool:
        """Return whether the words of MARK, at SHARE of the way across, stand to its left: where they are to, unless
        they have no room."""
        inside = max(self.plot.width() - max(160, taken), 100)
        wide = self._metrics.horizontalAdvance(mark.words) * 1.05 + 2
        if mark.left:
            return share * inside > wide or share > 0.6
        free = 0 if not isinstance(shown, Chart) or any(line.label for line in shown.lines) else BEYOND
        return share * inside + wide > inside + free and share > 0.3


def _see_through(ground: str) -> QColor:
    colour = QColor(ground)
    colour.setAlpha(205)
    return colour


class Stretches:
    """Shaded stretches of the x axis with words at their top, and groups of places with their names."""

    def __init__(self, plot: ZoomPlot) -> None:
        self.plot = plot
        self._bands: list[QGraphicsRectItem] = []
        self._band_words: list[pg.TextItem] = []
        self._groups: list[pg.TextItem] = []
        self._between = Strokes(plot.colours.line)  # between groups of bars
        self._between.setZValue(-19)
        plot.add(self._between)
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))

    def paint(self, chart: Chart) -> None:
        """Show the bands and the groups of CHART."""
        self._paint_bands(chart)
        self._paint_groups(chart.groups)

    def hide(self) -> None:
        """Show nothing."""
        for item in (*self._groups, *self._bands, *self._band_words):
            item.hide()
        self._between.draw([], [])

    def _paint_bands(self, chart: Chart) -> None:
        (left, right), (low, high) = self.plot.visible()
        while len(self._bands) < len(chart.bands):
            band = QGraphicsRectItem()
            band.setZValue(-25)
            band.setPen(QPen(Qt.PenStyle.NoPen))
            self.plot.add(band)
            self._bands.append(band)
            self._band_words.append(self.plot.words(self.plot.colours.quiet, anchor=(0.5, 0)))
        for index, (band, words) in enumerate(zip(self._bands, self._band_words, strict=True)):
            see(band, index < len(chart.bands))
            see(words, index < len(chart.bands))
            if index < len(chart.bands):
                data = chart.bands[index]
                start, end = max(chart.x.place(data.low), left), min(chart.x.place(data.high), right)
                colours = self.plot.colours
                soft = QColor(colours.shade if data.role == "quiet" else colour_of(colours, data.role))
                if data.role != "quiet":
                    soft.setAlphaF(0.15)
                if band.brush().color() != soft:
                    band.setBrush(QBrush(soft))
                band.setRect(QRectF(start, low, max(end - start, 0.0), high - low))
                room = (end - start) / self.plot.pixels(1)
                say(words, data.words if self._metrics.horizontalAdvance(data.words) < room - 4 else "")
                words.setPos((start + end) / 2, high)

    def _paint_groups(self, groups: Sequence[tuple[float, float, str]]) -> None:
        (left, right), (low, high) = self.plot.visible()
        edges = [start for start, _, _ in groups[1:] if left <= start <= right]
        self._between.draw([x for x in edges for _ in range(2)], [y for _ in edges for y in (low, high)])
        while len(self._groups) < len(groups):
            self._groups.append(self.plot.words(self.plot.colours.quiet, anchor=(0.5, 0)))
        for index, item in enumerate(self._groups):
            see(item, index < len(groups))
            if index < len(groups):
                start, end, words = groups[index]
                say(item, words)
                item.setPos((max(start, left) + min(end, right)) / 2, high)


def say(item: pg.TextItem, words: str) -> None:
    """Let the text ITEM say WORDS; costs nothing where it says them already."""
    if item.textItem.toPlainText() != words:
        item.setText(words)
