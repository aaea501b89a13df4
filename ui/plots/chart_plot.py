"""Plots that paint the figures of the model: curves and bars, and heat maps; with a crosshair, zoom and keyboard
reading."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsRectItem

from dpwizard.charts import FAINT, Bars, Chart, Line, Mark, Surface, chart_scene, charts
from ui.plots.handles import Handles
from ui.plots.plot import STILL, Points, Spot, pen, placed, see
from ui.plots.zoom import STEP, ZoomPlot, in_words
from ui.widgets import theme, tr

DASHES = {"solid": Qt.PenStyle.SolidLine, "dash": Qt.PenStyle.DashLine, "dot": Qt.PenStyle.DotLine}
GRAIN = 16  # pixels: the room for labels is a multiple of it, so that the axes rest while figures in labels change
LABEL_GAP, LABEL_HEIGHT, WIDEST_LABEL = 8, 15, 190  # pixels
NAMES = 250  # pixels at the left where the ticks are words; of a narrow figure two fifths
BAR_ROOM = 124  # pixels for the bar of colours
STRONG = 2.0  # the width from which a curve lies over the others
NOWHERE = np.empty(0)
BEYOND = 32  # pixels right of the axes that words may use where no line has its name there
SPARE = 0.045  # of the height: room for handles that stand at the ends of the axes
STRIKE = 7  # pixels of the stroke across a refuted curve


@functools.cache
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


class ChartPlot(ZoomPlot):
    """Paints one chart or heat map. The items stay; only their data change, so that a drag paints once a frame."""

    reading = Signal(str)  # what is under the crosshair, in words; empty when there is none

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, height=height, on_card=on_card)
        self.handles: Handles | None = None  # what a hand can take hold of, if the panel offers that
        self._axes: tuple[object, ...] = ()
        self._left = 0  # pixels of the left axis
        self._ground = colours.card if on_card else colours.ground
        self._curves: list[pg.PlotCurveItem] = []
        self._drawn: list[
            tuple[Line, bool, bool] | None
        ] = []  # what each curve shows now, and whether its axes are logarithmic
        self._places: list[tuple[Points, Points]] = []  # and where
        self._styles: list[tuple[object, ...]] = []
        self._painted: dict[int, tuple[Points, Points]] = {}
        self._faint = pg.PlotCurveItem(pen=pen(colours.quiet, FAINT), connect="finite")
        self._faint_shown: list[tuple[Points, Points]] = []
        self._strokes: dict[int, tuple[list[float], list[float]]] = {}
        self._ends: dict[
            int, tuple[tuple[Points, Points], object, float | None]
        ] = {}  # where each line ends, and what that was read of
        self._bands: list[QGraphicsRectItem] = []
        self._band_words: list[pg.TextItem] = []
        self._bars: list[pg.BarGraphItem] = []
        self._labels: list[pg.TextItem] = []
        self._label_styles: dict[int, tuple[object, ...]] = {}
        self._words: list[pg.TextItem] = []
        self._ticks: list[pg.TextItem] = []
        self._strikes = pg.PlotCurveItem(pen=pen(colours.refuted, 2), connect="pairs")
        self._between = pg.PlotCurveItem(pen=pen(colours.line), connect="pairs")  # between groups of bars
        self._between.setZValue(-19)
        self._groups: list[pg.TextItem] = []
        self._grid = pg.PlotCurveItem(pen=pen(colours.line), connect="pairs")
        self._grid.setZValue(-20)
        self._spots: list[Spot] = []
        self._image = pg.ImageItem(axisOrder="col-major")
        self._scale = pg.ImageItem(axisOrder="col-major")
        table = np.array([chart_scene.colour_at(i / 255) for i in range(256)], dtype=np.ubyte)
        for image in (self._image, self._scale):
            image.setLookupTable(table)
            image.setZValue(-30)
            image.hide()
        self._cross = (
            pg.InfiniteLine(angle=90, pen=pen(colours.accent)),
            pg.InfiniteLine(angle=0, pen=pen(colours.accent)),
        )
        self._faint.setCacheMode(STILL)
        self._grid.setCacheMode(STILL)
        for item in (self._faint, self._image, self._scale, self._grid, self._between, self._strikes, *self._cross):
            self.add(item)
        for line in self._cross:
            line.hide()
            line.setZValue(30)
        self._at: int | None = None  # the point read with the arrow keys
        self._drag: QPointF | None = None
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))
        self._font = theme.font(theme.CAPTION)
        self._strong_font = theme.font(theme.CAPTION, QFont.Weight.DemiBold)
        self._struck_font = theme.font(theme.CAPTION)
        self._struck_font.setStrikeOut(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # ------------------------------------------------------------------------------ painting

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT; the zoom is kept as long as the axes show the same things."""
        before = self.shown
        if (
            before is not None
            and self._zoomed is not None
            and (before.x.title, before.y.title) != (plot.x.title, plot.y.title)
        ):
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
        if self.handles is not None:
            self.handles.place()
        self.setAccessibleName(plot.title or plot.y.title or plot.x.title)
        if self.handles is None or self.handles.at < 0:
            self.setAccessibleDescription(plot.x.title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        plot = getattr(self, "shown", None)
        if plot is not None:
            self._fit()
            self._place_labels()
            self._paint_marks(plot.marks)
            if isinstance(plot, Chart):
                self._paint_bands(plot)
            if self.handles is not None:
                self.handles.place()

    def _fit(self) -> None:
        """Fix the ranges so that labels at the ends of lines have their room, and write the ticks of what is
        visible."""
        plot = self.shown
        assert plot is not None
        words_up = in_words(plot.y)
        names = min(NAMES, self.width() * 2 // 5) if words_up else 84 if plot.y.way == "share" else 66
        if names != self._left:
            self._left = names
            self.left.setWidth(names)  # this draws the axis anew, however wide it was
        (left, right), (low, high) = self.visible()
        inside = max(self.width() - (names if words_up else 66) - 48, 80)
        room = min(self._room(plot), inside - 60)
        beyond = (right - left) * room / (inside - room)
        x, y = plot.x, plot.y
        if self._zoomed is not None:
            x, y = charts.narrowed(x, x.value(left), x.value(right)), charts.narrowed(y, y.value(low), y.value(high))
        across = [(x.place(value), words) for value, words in x.ticks if left - 1e-9 <= x.place(value) <= right + 1e-9]
        if isinstance(plot, Chart) and plot.groups:
            wide = [self._metrics.horizontalAdvance(words) + LABEL_GAP for _, words in across]
            across = charts.spaced(across, [one * (right - left) / (inside - room) for one in wide])
        up = [(y.place(value), words) for value, words in y.ticks if low - 1e-9 <= y.place(value) <= high + 1e-9]
        if words_up:
            up = [
                (place, self._metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, names - 28))
                for place, words in up
            ]
        aside = (right - left) * SPARE / 3 if isinstance(plot, Chart) and plot.beside else 0.0
        spare = SPARE * (high - low) if self.handles is not None and not words_up else 0.0
        axes = ((left, right + beyond), (low, high), tuple(across), tuple(up), aside, spare)
        if axes == self._axes:
            return
        self._axes = axes
        self.box.setRange(
            xRange=(left - aside, axes[0][1]), yRange=(low - spare, high + spare), padding=0.0, update=False
        )
        self.bottom.setTicks([across])
        self.left.setTicks([up])
        lines = [] if words_up or isinstance(plot, Surface) else up
        self._grid.setData(
            [value for _ in lines for value in (left, right)], [place for place, _ in lines for _ in range(2)]
        )

    def _room(self, plot: Chart | Surface) -> float:
        if isinstance(plot, Surface):
            return BAR_ROOM
        labels = (*(line.label for line in plot.lines if line.label), *plot.beside)
        wide = max((self._metrics.horizontalAdvance(label) for label in labels), default=0)
        return math.ceil((min(wide, WIDEST_LABEL) + LABEL_GAP + 6) / GRAIN) * GRAIN if wide else 4.0

    def _paint_chart(self, chart: Chart) -> None:
        self._image.hide()
        self._scale.hide()
        for tick in self._ticks:
            tick.hide()
        while len(self._curves) < len(chart.lines):
            item = pg.PlotCurveItem(connect="finite")
            self.add(item)
            self._curves.append(item)
            self._drawn.append(None)
            self._places.append((NOWHERE, NOWHERE))
            self._styles.append(())
        strikes: list[tuple[float, float]] = []
        for index, item in enumerate(self._curves):
            see(item, index < len(chart.lines) and not _faint(chart.lines[index]))
            if index < len(chart.lines):
                self._paint_line(chart, index, item, strikes)
        self._paint_faint(chart)
        self._draw(self._strikes, [x for x, _ in strikes], [y for _, y in strikes])
        while len(self._bars) < len(chart.bars):
            bar = pg.BarGraphItem(x=[], height=[], width=0.5)
            self.add(bar)
            self._bars.append(bar)
        for index, bar in enumerate(self._bars):
            see(bar, index < len(chart.bars))
            if index < len(chart.bars):
                self._paint_bars(chart, chart.bars[index], bar)
        self._paint_bands(chart)
        self._paint_groups(chart)
        self._place_labels()

    def _draw(self, item: pg.PlotCurveItem, x: list[float], y: list[float]) -> None:
        """Draw strokes between pairs of places; costs nothing where they are drawn already."""
        if self._strokes.get(id(item)) != (x, y):
            self._strokes[id(item)] = (x, y)
            item.setData(np.array(x, dtype=float), np.array(y, dtype=float))

    def _paint_groups(self, chart: Chart) -> None:
        (left, right), (low, high) = self.visible()
        edges = [start for start, _, _ in chart.groups[1:] if left <= start <= right]
        self._draw(self._between, [x for x in edges for _ in range(2)], [y for _ in edges for y in (low, high)])
        while len(self._groups) < len(chart.groups):
            self._groups.append(self.words(self.colours.quiet, anchor=(0.5, 0)))
        for index, item in enumerate(self._groups):
            see(item, index < len(chart.groups))
            if index < len(chart.groups):
                start, end, words = chart.groups[index]
                say(item, words)
                item.setPos((max(start, left) + min(end, right)) / 2, high)

    def _paint_faint(self, chart: Chart) -> None:
        """Paint all faint curves in one stroke: ten of them cost little more than one, and nothing while they stay the
        same."""
        faint = [self._places[index] for index, line in enumerate(chart.lines) if _faint(line)]
        if len(faint) == len(self._faint_shown) and all(a is b for a, b in zip(faint, self._faint_shown, strict=True)):
            return
        self._faint_shown = faint
        gap = np.array([np.nan])
        parts = [part for x, y in faint for part in ((x, y), (gap, gap))]
        x, y = (np.concatenate([part[axis] for part in parts]) if parts else NOWHERE for axis in (0, 1))
        self._faint.setData(x, y, connect="finite")

    def _paint_line(self, chart: Chart, index: int, item: pg.PlotCurveItem, strikes: list[tuple[float, float]]) -> None:
        line = chart.lines[index]
        shown = (line, chart.x.logarithmic, chart.y.logarithmic)
        before = self._drawn[index]
        same = before is not None and before[1:] == shown[1:] and before[0].x == line.x and before[0].y == line.y
        self._drawn[index] = shown
        style = (colour_of(self.colours, "refuted" if line.struck else line.role), line.width, line.dash, line.filled)
        if style != self._styles[index]:
            self._styles[index] = style
            item.setPen(pen(style[0], line.width, DASHES[line.dash]))
            soft = QColor(style[0])
            soft.setAlphaF(0.2)
            item.setFillLevel(chart.y.place(chart.y.low) if line.filled else None)
            item.setBrush(QBrush(soft) if line.filled else None)
            item.setZValue(5 if line.width >= STRONG else 0)
        if not same:
            self._places[index] = places = (placed(chart.x, line.x), placed(chart.y, line.y))
        if not _faint(line) and (not same or self._painted.get(index) is not self._places[index]):
            self._painted[index] = places = self._places[index]
            item.setData(*places, connect="pairs" if line.pairs else "finite")
        if line.struck:
            strikes += self._strike(*self._places[index])

    def _strike(self, x: Points, y: Points) -> list[tuple[float, float]]:
        """Return the stroke across the middle of the visible part of a curve that does not hold."""
        (left, right), (low, high) = self.visible()
        inside = np.flatnonzero((left <= x) & (x <= right) & (low <= y) & (y <= high))
        if not len(inside):
            return []
        at = inside[len(inside) // 2]
        a = STRIKE * (right - left) / max(self.width() - 160, 100)
        b = STRIKE * (high - low) / max(self.height() - 60, 60)
        return [(float(x[at]) - a, float(y[at]) - b), (float(x[at]) + a, float(y[at]) + b)]

    def _paint_bands(self, chart: Chart) -> None:
        """Shade stretches of the x axis, with words at their top."""
        (left, right), (low, high) = self.visible()
        while len(self._bands) < len(chart.bands):
            band = QGraphicsRectItem()
            band.setZValue(-25)
            band.setPen(QPen(Qt.PenStyle.NoPen))
            self.add(band)
            self._bands.append(band)
            self._band_words.append(self.words(self.colours.quiet, anchor=(0.5, 0)))
        for index, (band, words) in enumerate(zip(self._bands, self._band_words, strict=True)):
            see(band, index < len(chart.bands))
            see(words, index < len(chart.bands))
            if index < len(chart.bands):
                data = chart.bands[index]
                start, end = max(chart.x.place(data.low), left), min(chart.x.place(data.high), right)
                soft = QColor(self.colours.shade if data.role == "quiet" else colour_of(self.colours, data.role))
                if data.role != "quiet":
                    soft.setAlphaF(0.15)
                if band.brush().color() != soft:
                    band.setBrush(QBrush(soft))
                band.setRect(QRectF(start, low, max(end - start, 0.0), high - low))
                room = (end - start) / (right - left) * max(self.width() - 160, 100)
                say(words, data.words if self._metrics.horizontalAdvance(data.words) < room - 4 else "")
                words.setPos((start + end) / 2, high)

    def _paint_bars(self, chart: Chart, bars: Bars, item: pg.BarGraphItem) -> None:
        shown = [(x, y) for x, y in zip(bars.x, bars.y, strict=True) if math.isfinite(y)]
        colour = QColor(colour_of(self.colours, bars.role))
        colour.setAlphaF(bars.opacity)
        foot = chart.y.place(chart.y.low)
        item.setOpts(
            x=[chart.x.place(x) for x, _ in shown],
            y0=[foot] * len(shown),
            height=[chart.y.place(y) - foot for _, y in shown],
            width=bars.width,
            brush=QBrush(colour),
            pen=pen(colour.name()),
        )
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
        for index, line in enumerate(chart.lines):
            end = self._end(index) if line.label else None
            if end is not None:
                beside = chart.y.place(line.beside) if line.beside else end
                wanted.append((line, min(max(beside, low), high)))
        apart = LABEL_HEIGHT * (high - low) / max(self.height() - 60, 60)
        places = charts.spread_labels([end for _, end in wanted], apart, low + apart / 2, high - apart / 2)
        while len(self._labels) < len(wanted):
            self._labels.append(self.words(anchor=(0, 0.5)))
        gap = LABEL_GAP * (right - left) / max(self.width() - 160, 100)
        faint = any(line.role == "quiet" for line, _ in wanted)  # then one of them stands out
        for index, label in enumerate(self._labels):
            see(label, index < len(wanted))
            if index < len(wanted):
                line, _ = wanted[index]
                strong = line.width >= STRONG and faint
                colour = self.colours.quiet if line.struck or (faint and not strong) else self.colours.text
                style = (line.label, colour, strong)
                if self._label_styles.get(index) != style:
                    self._label_styles[index] = style
                    words = self._metrics.elidedText(line.label, Qt.TextElideMode.ElideRight, WIDEST_LABEL)
                    label.setFont(self._struck_font if line.struck else self._strong_font if strong else self._font)
                    label.setText(words, color=colour)
                if label.pos() != (here := QPointF(right + gap, places[index])):
                    label.setPos(here)

    def _end(self, index: int) -> float | None:
        """Return the height at which line INDEX leaves what is visible, or None where it is not seen at all."""
        places, seen_of = self._places[index], self.visible()
        known = self._ends.get(index)
        if known is None or known[0] is not places or known[1] != seen_of:
            known = self._ends[index] = (places, seen_of, self._found_end(*places))
        return known[2]

    def _found_end(self, x: Points, y: Points) -> float | None:
        (left, right), (low, high) = self.visible()
        inside = np.flatnonzero((left - 1e-9 <= x) & (x <= right + 1e-9) & np.isfinite(y))
        if not len(inside):
            return None
        seen = np.flatnonzero((low <= y[inside]) & (y[inside] <= high))
        if not len(seen):
            return None
        last = seen[-1]
        return float(min(max(y[inside[min(last + 1, len(inside) - 1)]], low), high))

    def _paint_surface(self, surface: Surface) -> None:
        for item in (*self._curves, *self._bars, *self._labels, *self._groups, *self._bands, *self._band_words):
            item.hide()
        self._draw(self._strikes, [], [])
        self._draw(self._between, [], [])
        self._faint.setData(NOWHERE, NOWHERE)
        self._faint_shown = []
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
                tick.setText(words if share < 1 else tr("{most} or more", most=words))
                tick.setPos(right + 29 * gap, low + (high - low) * min(max(share, 0.04), 0.96))

    def _paint_marks(self, marks: Sequence[Mark]) -> None:
        plot = self.shown
        assert plot is not None
        while len(self._words) < len(marks):
            item = self.words(bold=True)
            item.setZValue(25)
            self._words.append(item)
            self._spots.append(Spot(20))
            self.add(self._spots[-1])
        (left, right), (low, high) = self.visible()
        over = isinstance(plot, Surface)
        for index, item in enumerate(self._words):
            see(item, index < len(marks))
            if index >= len(marks):
                self._spots[index].hide()
                continue
            mark = marks[index]
            x = plot.x.place(min(max(mark.x, plot.x.low), plot.x.high))
            y = plot.y.place(min(max(mark.y, plot.y.low), plot.y.high))
            colour = colour_of(self.colours, mark.role)
            fill = "#FFFFFF" if over else self._ground if mark.hollow else colour
            if mark.dot:
                self._spots[index].show_at(x, y, 10, pen("#D00000" if over else colour, 2), fill)
            else:
                self._spots[index].hide()
            see(item, bool(mark.words))
            if not mark.words:
                continue
            to_the_left = self._to_the_left(mark, (x - left) / (right - left))
            deep, top = y < low + 0.12 * (high - low), y > high - 0.12 * (high - low)
            style = (mark.words, over)
            if item.property("style") != style:
                item.setProperty("style", style)
                item.fill = pg.mkBrush("#1B1F24C8") if over else pg.mkBrush(None)
                item.setText(mark.words, color="#FFFFFF" if over else self.colours.text)
            item.setAnchor((1.05 if to_the_left else -0.05, -0.1 if (mark.below and not deep) or top else 1.1))
            item.setPos(x, y)

    def _to_the_left(self, mark: Mark, share: float) -> bool:
        """Return whether the words of MARK, at SHARE of the way across, stand to its left: where they are to, unless
        they have no room."""
        inside = max(self.width() - max(160, self._left + 48), 100)
        wide = self._metrics.horizontalAdvance(mark.words) * 1.05 + 2
        if mark.left:
            return share * inside > wide or share > 0.6
        shown = self.shown
        free = 0 if not isinstance(shown, Chart) or any(line.label for line in shown.lines) else BEYOND
        return share * inside + wide > inside + free and share > 0.3

    # -------------------------------------------------------------------------------- events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; without it the wheel scrolls the page."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP, self.place_of(event.position()))
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if (
            self.handles is not None
            and event.button() == Qt.MouseButton.LeftButton
            and self.handles.seize(event.position())
        ):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            event.accept()
            return
        self._drag = event.position() if event.button() == Qt.MouseButton.LeftButton and self.zoomed else None
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None and self.handles.follow(event.position()):
            event.accept()
            return
        if self._drag is not None:
            moved = event.position() - self._drag
            self._drag = event.position()
            self.pan(-moved.x() / max(self.width(), 1), moved.y() / max(self.height(), 1))
        else:
            self.read_at(*self.place_of(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None:
            self.handles.release()
        self._drag = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.handles is None or not self.handles.double_click(event.position()):
            self.reset()
        event.accept()

    def leaveEvent(self, event: object) -> None:
        self._hide_cross()

    def focusNextPrevChild(self, onward: bool) -> bool:
        """Go with Tab from handle to handle, and only then to the next control."""
        return (self.handles is not None and self.handles.step(onward)) or bool(super().focusNextPrevChild(onward))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.handles is not None:
            self.handles.leave()
        self._hide_cross()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows read values, plus and minus zoom, 0 shows the whole, Escape puts the crosshair away."""
        key = event.key()
        if self.handles is not None and self.handles.key(event):
            event.accept()
            return
        if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom(STEP)
        elif key == Qt.Key.Key_Minus:
            self.zoom(1 / STEP)
        elif key == Qt.Key.Key_0:
            self.reset()
        elif key == Qt.Key.Key_Escape and self._cross[0].isVisible():
            self._hide_cross()
        elif key in (
            Qt.Key.Key_Left,
            Qt.Key.Key_Right,
            Qt.Key.Key_Up,
            Qt.Key.Key_Down,
            Qt.Key.Key_Home,
            Qt.Key.Key_End,
        ):
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


def _faint(line: Line) -> bool:
    """Return whether LINE is one of several that stand behind another and need no pen of their own."""
    return line.role == "quiet" and line.width == FAINT and line.dash == "solid" and not line.pairs


def say(item: pg.TextItem, words: str) -> None:
    """Let the text ITEM say WORDS; costs nothing where it says them already."""
    if item.textItem.toPlainText() != words:
        item.setText(words)
