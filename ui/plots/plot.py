"""A plot: a chart or heat map painted as in print, of which a part can be enlarged about a place and moved."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QFontInfo, QPainter, QPaintEvent, QPen, QPicture, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from dpwizard.charts import Axis, Chart, Item, Surface, chart_scene, charts, plot_frame, scene, within
from ui.plots.painted import inside_axes, paint_items
from ui.widgets import theme

STEP = 1.25  # of the zoom, each time
CLOSEST = 400.0  # the largest zoom
ABOVE, BELOW, CROWDED = 13, 49, 14  # pixels for the names of groups; for the x axis; more if its names take two lines
BESIDE = 40  # pixels at the right, for half of a word at the end of the x axis
NUMBERS, SHARES = 66, 84  # pixels at the left of a plot, for numbers and for "100 in 100"
MOST_NAME_WIDTH, NAME_GAP = 250, 20  # pixels at the left for names, at most, and around them
LEAST_WIDTH = 60  # pixels of the plot itself
ROOM_STEP = 16  # pixels: the room for labels is a multiple of it, so that the axes rest while figures in labels change
SPARE = 0.045  # of the height: room for handles at the ends of the axes

Range = tuple[float, float]


class Plot(QWidget):
    """Paints one chart or heat map, once for each figure; what lies above it is painted each time."""

    reading = Signal(str)  # the values that are read in words; "" for none
    has_handles = False

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__()
        self.colours = colours
        self.shown: Chart | Surface | None = None
        self.level: tuple[Axis, ...] = ()  # y axes of the plots above and below, to align with
        self.point = QFontInfo(theme.font(theme.CAPTION)).pixelSize() / scene.SMALL  # pixels for each point of print
        self._style = inside_axes(colours, colours.card if on_card else colours.ground, self.point)
        self._picture: QPicture | None = None  # the figure, made when it is first painted
        self._zoomed: tuple[Range, Range] | None = None
        self.setFixedHeight(height)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(256, self.height())

    # ------------------------------------------------------------------------------ what is shown

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT, and keep the zoom if the axes have the same titles."""
        before = self.shown
        if before is not None and (before.x.title, before.y.title) != (plot.x.title, plot.y.title):
            self._zoomed = None
        self.shown = plot
        self._paint_anew()

    def _paint_anew(self) -> None:
        self.__dict__.pop("frame", None)
        self._picture = None
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._paint_anew()

    @property
    def zoomed(self) -> bool:
        """Return whether only a part of the axes is shown."""
        return self._zoomed is not None

    def full(self) -> tuple[Range, Range]:
        """Return the whole of both axes, as places."""
        assert self.shown is not None
        x, y = self.shown.x, self.shown.y
        return (x.place(x.low), x.place(x.high)), (y.place(y.low), y.place(y.high))

    def visible(self) -> tuple[Range, Range]:
        """Return the part of both axes that is shown, as places."""
        return self._zoomed or self.full()

    def zoom(self, factor: float, about: tuple[float, float] | None = None) -> None:
        """Show a part of the axes FACTOR times as small about a place; below 1, a larger part, at most the whole."""
        if self.shown is None:
            return
        now, full = self.visible(), self.full()
        ranges = []
        for axis in (0, 1):
            (low, high), (least, most) = now[axis], full[axis]
            if axis == 1 and not self.shown.y.title:  # rows of names
                ranges.append((least, most))
                continue
            centre = about[axis] if about is not None else (low + high) / 2
            share = (centre - low) / (high - low)
            span = min((high - low) / factor, most - least)
            span = max(span, (most - least) / CLOSEST)
            start = min(max(centre - share * span, least), most - span)
            ranges.append((start, start + span))
        whole = all(
            abs(a[0] - b[0]) + abs(a[1] - b[1]) < 1e-9 * (b[1] - b[0]) for a, b in zip(ranges, full, strict=True)
        )
        self._zoomed = None if whole else (ranges[0], ranges[1])
        self.show_plot(self.shown)

    def reset(self) -> None:
        """Show the whole of both axes again."""
        if self.shown is not None and self._zoomed is not None:
            self._zoomed = None
            self.show_plot(self.shown)

    def pan(self, across: float, up: float) -> None:
        """Move the visible part by fractions of its size; does nothing unless zoomed."""
        if self._zoomed is None or self.shown is None:
            return
        moved = []
        for (low, high), (least, most), by in zip(self._zoomed, self.full(), (across, up), strict=True):
            shift = min(max((high - low) * by, least - low), most - high)
            moved.append((low + shift, high + shift))
        self._zoomed = (moved[0], moved[1])
        self.show_plot(self.shown)

    # ------------------------------------------------------------------------------ places

    @cached_property
    def frame(self) -> plot_frame.Frame:
        """Return the place of the figure in the widget, in points, until another one is shown."""
        plot = self.shown
        assert plot is not None
        x, y = plot.x, plot.y
        if self._zoomed is not None:
            x, y = (
                charts.narrowed(axis, axis.value(low), axis.value(high))
                for axis, (low, high) in zip((x, y), self._zoomed, strict=True)
            )
        left, right = float(self._room_left(plot)), float(self.width() - BESIDE)
        right -= min(self._room_right(plot), right - left - LEAST_WIDTH)
        top, bottom = float(ABOVE), float(self.height() - BELOW)
        if isinstance(plot, Chart) and plot_frame.crowded(plot):
            bottom -= CROWDED
        if isinstance(plot, Chart) and plot.beside:
            left += (right - left) * SPARE / 3
        if self.has_handles and plot.y.title:
            spare = SPARE * (bottom - top)
            top, bottom = top + spare, bottom - spare
        return plot_frame.Frame(
            x=x,
            y=y,
            start=0.0,
            left=left / self.point,
            right=right / self.point,
            top=top / self.point,
            bottom=bottom / self.point,
            foot=bottom / self.point,
            page=self.width() / self.point,
        )

    def _room_left(self, plot: Chart | Surface) -> float:
        """Return the pixels left of PLOT for ticks."""
        if not plot.y.title:
            names = [words for axis in (plot.y, *self.level) for _, words in axis.ticks]
            return min(MOST_NAME_WIDTH, self.width() * 0.45, _stepped(scene.widest(names) * self.point + NAME_GAP))
        return SHARES if plot.y.way == "share" else NUMBERS

    def _room_right(self, plot: Chart | Surface) -> float:
        """Return the pixels right of PLOT for labels at the ends of lines or the bar of colours."""
        if isinstance(plot, Chart) and not plot.beside and not any(line.label for line in plot.lines):
            return 0.0
        return _stepped(plot_frame.room_right(plot) * self.point)

    def place_of(self, position: QPointF) -> tuple[float, float]:
        """Return the place on both axes under a position on the widget."""
        return self.frame.place(position.x() / self.point, position.y() / self.point)

    def position_of(self, x: float, y: float) -> QPointF:
        """Return the position on the widget of a place on both axes."""
        return QPointF(self.frame.across_place(x), self.frame.up_place(y)) * self.point

    # ------------------------------------------------------------------------------ painting

    @property
    def drawn(self) -> tuple[Item, ...]:
        """Return the items inside the axes and beside their ends, in points."""
        plot = self.shown
        assert plot is not None
        if isinstance(plot, Chart) and self.zoomed:
            plot = within(plot, self.frame.x, self.frame.y)
        return tuple(chart_scene.drawn(plot, self.frame, self._style))

    def above(self) -> Iterable[Item]:
        """Return the items above the figure, in points; a subclass has some."""
        return ()

    def _make_picture(self) -> QPicture:
        """Return the figure as a picture, which is painted again faster."""
        picture, plot, frame = QPicture(), self.shown, self.frame
        assert plot is not None
        visible = replace(plot, x=frame.x, y=frame.y)
        with QPainter(picture) as painter:
            paint_items(painter, chart_scene.axes(visible, frame, self._style.style), self.point)
            if self.zoomed:
                right = frame.right if isinstance(plot, Surface) else frame.page
                edges = QRectF(frame.left, frame.top, right - frame.left, frame.bottom - frame.top + 1.0)
                painter.setClipRect(QRectF(edges.topLeft() * self.point, edges.size() * self.point))
            paint_items(painter, self.drawn, self.point)
        return picture

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self._style.style.ground))
            if self.shown is not None:
                self._picture = self._picture or self._make_picture()
                painter.drawPicture(0, 0, self._picture)
                paint_items(painter, self.above(), self.point)
            if self.hasFocus():
                painter.setPen(QPen(QColor(self.colours.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()


def _stepped(pixels: float) -> float:
    return math.ceil(pixels / ROOM_STEP) * ROOM_STEP
