"""Plots that paint the figures of the model: curves and bars, and heat maps; with a crosshair, zoom and keyboard reading."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QBrush, QColor, QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent

from dpwizard.drawings import chart_scene, charts
from dpwizard.drawings.charts import Axis, Bars, Chart, Line, Mark, Surface
from ui import theme
from ui.plot import Plot, pen

DASHES = {"solid": Qt.PenStyle.SolidLine, "dash": Qt.PenStyle.DashLine, "dot": Qt.PenStyle.DotLine}
LABEL_GAP, LABEL_HEIGHT, WIDEST_LABEL = 8, 15, 190  # pixels
NAMES = 250  # pixels at the left where the ticks are words
BAR_ROOM = 124  # pixels for the bar of colours
STEP = 1.25  # of the zoom, each time
CLOSEST = 400.0  # the largest zoom
STRIKE = 7  # pixels of the stroke across a refuted curve


def colour_of(colours: theme.Colours, role: str) -> str:
    """Return the colour of a role in this theme."""
    named = {
        "privacy": colours.privacy,
        "accuracy": colours.accuracy,
        "window": colours.window,
        "refuted": colours.refuted,
        "quiet": colours.quiet,
        "chosen": colours.chosen,
    }
    return named.get(role, colours.text)


class ChartPlot(Plot):
    """Paints one chart or heat map. The items stay; only their data change, so that a drag paints once a frame."""

    reading = Signal(str)  # what is under the crosshair, in words; empty when there is none

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, bottom=" ", height=height, on_card=on_card)
        self.shown: Chart | Surface | None = None
        self._item = self.getPlotItem()
        for name in ("bottom", "left"):
            self._item.getAxis(name).enableAutoSIPrefix(False)
        self._box = self._item.getViewBox()
        self._ground = colours.card if on_card else colours.ground
        self._curves: list[pg.PlotDataItem] = []
        self._bars: list[pg.BarGraphItem] = []
        self._labels: list[pg.TextItem] = []
        self._words: list[pg.TextItem] = []
        self._ticks: list[pg.TextItem] = []
        self._strikes = pg.PlotDataItem(pen=pen(colours.refuted, 2), connect="pairs")
        self._between = pg.PlotDataItem(pen=pen(colours.line), connect="pairs")  # between groups of bars
        self._between.setZValue(-19)
        self._groups: list[pg.TextItem] = []
        self._grid = pg.PlotDataItem(pen=pen(colours.line), connect="pairs")
        self._grid.setZValue(-20)
        self._marks = pg.ScatterPlotItem(pxMode=True)
        self._marks.setZValue(20)
        self._image = pg.ImageItem(axisOrder="col-major")
        self._scale = pg.ImageItem(axisOrder="col-major")
        table = np.array([chart_scene.colour_at(i / 255) for i in range(256)], dtype=np.ubyte)
        for image in (self._image, self._scale):
            image.setLookupTable(table)
            image.setZValue(-30)
            image.hide()
        self._cross = (pg.InfiniteLine(angle=90, pen=pen(colours.accent)), pg.InfiniteLine(angle=0, pen=pen(colours.accent)))
        for item in (self._image, self._scale, self._grid, self._between, self._strikes, self._marks, *self._cross):
            self.addItem(item, ignoreBounds=True)
        for line in self._cross:
            line.hide()
            line.setZValue(30)
        self._at: int | None = None  # the point read with the arrow keys
        self._zoomed: tuple[tuple[float, float], tuple[float, float]] | None = None
        self._drag: QPointF | None = None
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))
        self._font = theme.font(theme.CAPTION)
        self._struck_font = theme.font(theme.CAPTION)
        self._struck_font.setStrikeOut(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # ------------------------------------------------------------------------------ painting

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT; the zoom is kept as long as the axes show the same things."""
        before = self.shown
        if before is not None and self._zoomed is not None and (before.x.title, before.y.title) != (plot.x.title, plot.y.title):
            self._zoomed = None
        self.shown = plot
        self._hide_cross()
        self.set_label(plot.x.title)
        self._fit()
        if isinstance(plot, Chart):
            self._paint_chart(plot)
        else:
            self._paint_surface(plot)
        self._paint_marks(plot.marks)
        self.setAccessibleName(plot.title or plot.y.title or plot.x.title)
        self.setAccessibleDescription(plot.x.title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if getattr(self, "shown", None) is not None:
            self._fit()
            self._place_labels()

    @property
    def zoomed(self) -> bool:
        """Return whether only a part of the axes is shown."""
        return self._zoomed is not None

    def full(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the whole of both axes, as places."""
        assert self.shown is not None
        x, y = self.shown.x, self.shown.y
        return (x.place(x.low), x.place(x.high)), (y.place(y.low), y.place(y.high))

    def visible(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Return the part of both axes that is shown, as places."""
        return self._zoomed or self.full()

    def _fit(self) -> None:
        """Fix the ranges so that labels at the ends of lines have their room, and write the ticks of what is visible."""
        plot = self.shown
        assert plot is not None
        words_up = _in_words(plot.y)
        self._item.getAxis("left").setWidth(NAMES if words_up else 84 if plot.y.way == "share" else 66)
        (left, right), (low, high) = self.visible()
        inside = max(self.width() - (NAMES if words_up else 66) - 48, 80)
        room = min(self._room(plot), inside - 60)
        beyond = (right - left) * room / (inside - room)
        x, y = plot.x, plot.y
        if self._zoomed is not None:
            x, y = charts.narrowed(x, x.value(left), x.value(right)), charts.narrowed(y, y.value(low), y.value(high))
        across = [(x.place(value), words) for value, words in x.ticks if left - 1e-9 <= x.place(value) <= right + 1e-9]
        up = [(y.place(value), words) for value, words in y.ticks if low - 1e-9 <= y.place(value) <= high + 1e-9]
        if words_up:
            up = [(place, self._metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, NAMES - 28)) for place, words in up]
        axes = ((left, right + beyond), (low, high), tuple(across), tuple(up))
        if axes == self._axes:
            return
        self._axes = axes
        self._item.setRange(xRange=axes[0], yRange=axes[1], padding=0.0, update=False)
        self._item.getAxis("bottom").setTicks([across])
        self._item.getAxis("left").setTicks([up])
        lines = [] if words_up or isinstance(plot, Surface) else up
        self._grid.setData([value for _ in lines for value in (left, right)], [place for place, _ in lines for _ in range(2)])

    def _room(self, plot: Chart | Surface) -> float:
        if isinstance(plot, Surface):
            return BAR_ROOM
        wide = max((self._metrics.horizontalAdvance(line.label) for line in plot.lines if line.label), default=0)
        return min(wide, WIDEST_LABEL) + LABEL_GAP + 6 if wide else 4.0

    def _paint_chart(self, chart: Chart) -> None:
        self._image.hide()
        self._scale.hide()
        for tick in self._ticks:
            tick.hide()
        while len(self._curves) < len(chart.lines):
            item = pg.PlotDataItem(connect="finite")
            self.addItem(item, ignoreBounds=True)
            self._curves.append(item)
        strikes: list[tuple[float, float]] = []
        for index, item in enumerate(self._curves):
            item.setVisible(index < len(chart.lines))
            if index < len(chart.lines):
                self._paint_line(chart, chart.lines[index], item, strikes)
        self._strikes.setData([x for x, _ in strikes], [y for _, y in strikes])
        while len(self._bars) < len(chart.bars):
            bar = pg.BarGraphItem(x=[], height=[], width=0.5)
            self.addItem(bar, ignoreBounds=True)
            self._bars.append(bar)
        for index, bar in enumerate(self._bars):
            bar.setVisible(index < len(chart.bars))
            if index < len(chart.bars):
                self._paint_bars(chart, chart.bars[index], bar)
        self._paint_groups(chart)
        self._place_labels()

    def _paint_groups(self, chart: Chart) -> None:
        (left, right), (low, high) = self.visible()
        edges = [start for start, _, _ in chart.groups[1:] if left <= start <= right]
        self._between.setData([x for x in edges for _ in range(2)], [y for _ in edges for y in (low, high)])
        while len(self._groups) < len(chart.groups):
            self._groups.append(self.words(self.colours.quiet, anchor=(0.5, 0)))
        for index, item in enumerate(self._groups):
            item.setVisible(index < len(chart.groups))
            if index < len(chart.groups):
                start, end, words = chart.groups[index]
                if item.textItem.toPlainText() != words:
                    item.setText(words)
                item.setPos((max(start, left) + min(end, right)) / 2, high)

    def _paint_line(self, chart: Chart, line: Line, item: pg.PlotDataItem, strikes: list[tuple[float, float]]) -> None:
        colour = self.colours.refuted if line.struck else colour_of(self.colours, line.role)
        x = [chart.x.place(value) for value in line.x]
        y = [chart.y.place(value) if math.isfinite(value) else math.nan for value in line.y]
        y = [value if math.isfinite(value) else math.nan for value in y]
        item.setPen(pen(colour, line.width, DASHES[line.dash]))
        item.setData(x, y, connect="pairs" if line.pairs else "finite")
        if line.struck:
            strikes += self._strike(chart, x, y)

    def _strike(self, chart: Chart, x: Sequence[float], y: Sequence[float]) -> list[tuple[float, float]]:
        """Return the stroke across the middle of the visible part of a curve that does not hold."""
        (left, right), (low, high) = self.visible()
        inside = [i for i in range(len(x)) if left <= x[i] <= right and low <= y[i] <= high]
        if not inside:
            return []
        at = inside[len(inside) // 2]
        a = STRIKE * (right - left) / max(self.width() - 160, 100)
        b = STRIKE * (high - low) / max(self.height() - 60, 60)
        return [(x[at] - a, y[at] - b), (x[at] + a, y[at] + b)]

    def _paint_bars(self, chart: Chart, bars: Bars, item: pg.BarGraphItem) -> None:
        shown = [(x, y) for x, y in zip(bars.x, bars.y, strict=True) if math.isfinite(y)]
        colour = QColor(colour_of(self.colours, bars.role))
        colour.setAlphaF(bars.opacity)
        foot = chart.y.place(chart.y.low)
        item.setOpts(
            x=[chart.x.place(x) for x, _ in shown], y0=[foot] * len(shown), height=[chart.y.place(y) - foot for _, y in shown],
            width=bars.width, brush=QBrush(colour), pen=pen(colour.name()),
        )  # fmt: skip
        item.boundingRect()  # drawn now, not while painting: that would ask for a second painting

    def _place_labels(self) -> None:
        """Write each label beside the end of its line, moved apart where they would touch."""
        chart = self.shown
        if not isinstance(chart, Chart):
            for label in self._labels:
                label.hide()
            return
        (left, right), (low, high) = self.visible()
        wanted = []
        for line in chart.lines:
            end = self._end(chart, line) if line.label else None
            if end is not None:
                wanted.append((line, end))
        apart = LABEL_HEIGHT * (high - low) / max(self.height() - 60, 60)
        places = charts.spread_labels([end for _, end in wanted], apart, low + apart / 2, high - apart / 2)
        while len(self._labels) < len(wanted):
            self._labels.append(self.words(anchor=(0, 0.5)))
        gap = LABEL_GAP * (right - left) / max(self.width() - 160, 100)
        for index, label in enumerate(self._labels):
            label.setVisible(index < len(wanted))
            if index < len(wanted):
                line, _ = wanted[index]
                words = self._metrics.elidedText(line.label, Qt.TextElideMode.ElideRight, WIDEST_LABEL)
                colour = self.colours.quiet if line.struck else self.colours.text
                if label.textItem.toPlainText() != words or label.property("colour") != colour:
                    label.setFont(self._struck_font if line.struck else self._font)
                    label.setText(words, color=colour)
                    label.setProperty("colour", colour)
                label.setPos(right + gap, places[index])

    def _end(self, chart: Chart, line: Line) -> float | None:
        """Return the height at which a line leaves what is visible, or None where it is not seen at all."""
        (left, right), (low, high) = self.visible()
        last = None
        for x, y in zip(line.x, line.y, strict=True):
            place = chart.y.place(y) if math.isfinite(y) else math.nan
            if left - 1e-9 <= chart.x.place(x) <= right + 1e-9 and math.isfinite(place):
                if not low <= place <= high and last is not None:
                    return min(max(place, low), high)
                last = place if low <= place <= high else last
        return last

    def _paint_surface(self, surface: Surface) -> None:
        for item in (*self._curves, *self._bars, *self._labels, *self._groups):
            item.hide()
        self._strikes.setData([], [])
        self._between.setData([], [])
        (left, right), (low, high) = self.full()
        self._image.setImage(surface.shades(), autoLevels=False, levels=(0.0, 1.0))
        self._image.setRect(QRectF(left, low, right - left, high - low))
        self._image.show()
        gap = (right - left) / max(self.width() - 200, 100)
        self._scale.setImage(np.linspace(0.0, 1.0, 64)[None, :], autoLevels=False, levels=(0.0, 1.0))
        self._scale.setRect(QRectF(right + 14 * gap, low, 12 * gap, high - low))
        self._scale.setVisible(self._zoomed is None)
        axis = surface.values
        ends = axis.place(axis.low), axis.place(axis.high)
        while len(self._ticks) < len(axis.ticks):
            self._ticks.append(self.words(self.colours.quiet, anchor=(0, 0.5)))
        for index, tick in enumerate(self._ticks):
            tick.setVisible(index < len(axis.ticks) and self._zoomed is None)
            if index < len(axis.ticks):
                value, words = axis.ticks[index]
                share = (axis.place(value) - ends[0]) / (ends[1] - ends[0])
                tick.setText(words if share < 1 else f"{words} or more")
                tick.setPos(right + 29 * gap, low + (high - low) * min(max(share, 0.04), 0.96))

    def _paint_marks(self, marks: Sequence[Mark]) -> None:
        plot = self.shown
        assert plot is not None
        spots = []
        while len(self._words) < len(marks):
            item = self.words(bold=True)
            item.setZValue(25)
            self._words.append(item)
        (left, right), (low, high) = self.visible()
        over = isinstance(plot, Surface)
        for index, item in enumerate(self._words):
            item.setVisible(index < len(marks))
            if index >= len(marks):
                continue
            mark = marks[index]
            x = plot.x.place(min(max(mark.x, plot.x.low), plot.x.high))
            y = plot.y.place(min(max(mark.y, plot.y.low), plot.y.high))
            colour = colour_of(self.colours, mark.role)
            fill = "#FFFFFF" if over else self._ground if mark.hollow else colour
            spots.append({"pos": (x, y), "size": 10, "pen": pen("#D00000" if over else colour, 2), "brush": QBrush(QColor(fill))})
            to_the_left = mark.left or x > left + 0.7 * (right - left)
            deep, top = y < low + 0.14 * (high - low), y > high - 0.12 * (high - low)
            item.setText(mark.words, color="#FFFFFF" if over else self.colours.text)
            item.fill = pg.mkBrush("#1B1F24C8") if over else pg.mkBrush(None)
            item.setAnchor((1.05 if to_the_left else -0.05, -0.1 if (mark.below and not deep) or top else 1.1))
            item.setPos(x, y)
        self._marks.setData(spots)

    # ---------------------------------------------------------------------------------- zoom

    def zoom(self, factor: float, about: tuple[float, float] | None = None) -> None:
        """Show a part of the axes FACTOR times as small (below 1: larger), about a place; at the whole it rests."""
        if self.shown is None:
            return
        now, full = self.visible(), self.full()
        ranges = []
        for axis in (0, 1):
            (low, high), (least, most) = now[axis], full[axis]
            if axis == 1 and _in_words(self.shown.y):
                ranges.append((least, most))
                continue
            centre = about[axis] if about is not None else (low + high) / 2
            share = (centre - low) / (high - low)
            span = min((high - low) / factor, most - least)
            span = max(span, (most - least) / CLOSEST)
            start = min(max(centre - share * span, least), most - span)
            ranges.append((start, start + span))
        whole = all(abs(a[0] - b[0]) + abs(a[1] - b[1]) < 1e-9 * (b[1] - b[0]) for a, b in zip(ranges, full, strict=True))
        self._zoomed = None if whole else (ranges[0], ranges[1])
        self.show_plot(self.shown)

    def reset(self) -> None:
        """Show the whole of both axes again."""
        if self.shown is not None and self._zoomed is not None:
            self._zoomed = None
            self.show_plot(self.shown)

    def pan(self, across: float, up: float) -> None:
        """Move what is visible by parts of itself; only while zoomed."""
        if self._zoomed is None or self.shown is None:
            return
        moved = []
        for (low, high), (least, most), by in zip(self._zoomed, self.full(), (across, up), strict=True):
            shift = min(max((high - low) * by, least - low), most - high)
            moved.append((low + shift, high + shift))
        self._zoomed = (moved[0], moved[1])
        self.show_plot(self.shown)

    # -------------------------------------------------------------------------------- events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; without it the wheel scrolls the page."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP, self._place(event.position()))
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._drag = event.position() if event.button() == Qt.MouseButton.LeftButton and self.zoomed else None
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag is not None:
            moved = event.position() - self._drag
            self._drag = event.position()
            self.pan(-moved.x() / max(self.width(), 1), moved.y() / max(self.height(), 1))
        else:
            place = self._place(event.position())
            self.read_at(*place)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.reset()
        event.accept()

    def leaveEvent(self, event: object) -> None:
        self._hide_cross()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._hide_cross()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows read values, plus and minus zoom, 0 shows the whole, Escape puts the crosshair away."""
        key = event.key()
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.reset()
        elif key == Qt.Key.Key_Escape and self._cross[0].isVisible():
            self._hide_cross()
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End):
            if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                self._step(Qt.Key(key))
                event.accept()
                return
            event.ignore()
            return
        else:
            event.ignore()
            return
        event.accept()

    # ----------------------------------------------------------------------------- crosshair

    def read_at(self, x: float, y: float) -> str:
        """Put the crosshair at the point nearest to the place X, Y; return what is there, in words."""
        plot = self.shown
        if plot is None:
            return ""
        (left, right), _ = self.visible()
        if not left <= x <= right:
            self._hide_cross()
            return ""
        if isinstance(plot, Surface):
            i, j = plot.cell(plot.x.value(x), plot.y.value(y))
            at, up = float(plot.at_x[i]), float(plot.at_y[j])
            value = charts.shown(plot.values, float(plot.grid[i, j]))
            words = f"{charts.shown(plot.x, at)}, {charts.shown(plot.y, up)}: {plot.name} {value}"
            self._show_cross(plot.x.place(at), plot.y.place(up), words)
            return words
        at, words = charts.reading(plot, plot.x.value(x))
        if words:
            self._show_cross(plot.x.place(at), y, words)
        return words

    def _step(self, key: Qt.Key) -> None:
        plot = self.shown
        if plot is None:
            return
        if isinstance(plot, Surface):
            columns, rows = plot.grid.shape
            at = self._at if self._at is not None else (columns // 2) * rows + rows // 2
            i, j = divmod(at, rows)
            i += (key == Qt.Key.Key_Right) - (key == Qt.Key.Key_Left)
            j += (key == Qt.Key.Key_Up) - (key == Qt.Key.Key_Down)
            i, j = min(max(i, 0), columns - 1), min(max(j, 0), rows - 1)
            self._at = i * rows + j
            self.read_at(plot.x.place(float(plot.at_x[i])), plot.y.place(float(plot.at_y[j])))
            return
        places = charts.places_of(plot)
        if not places:
            return
        by = (key in (Qt.Key.Key_Right, Qt.Key.Key_Up)) - (key in (Qt.Key.Key_Left, Qt.Key.Key_Down))
        if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._at = 0 if key == Qt.Key.Key_Home else len(places) - 1
        else:
            self._at = 0 if self._at is None else min(max(self._at + by, 0), len(places) - 1)
        _, (low, high) = self.visible()
        self.read_at(plot.x.place(places[self._at]), (low + high) / 2)

    def _show_cross(self, x: float, y: float, words: str) -> None:
        for line, place in zip(self._cross, (x, y), strict=True):
            line.setPos(place)
        self._cross[0].show()
        self._cross[1].setVisible(isinstance(self.shown, Surface))
        self.setAccessibleDescription(words)
        self.reading.emit(words)

    def _hide_cross(self) -> None:
        if self._cross[0].isVisible():
            for line in self._cross:
                line.hide()
            self.reading.emit("")

    def _place(self, position: QPointF) -> tuple[float, float]:
        """Return the place on both axes under a position on the widget."""
        at = self._box.mapSceneToView(self.mapToScene(position.toPoint()))
        return at.x(), at.y()


def _in_words(axis: Axis) -> bool:
    """Return whether the ticks of an axis are names, not numbers."""
    return not axis.title
