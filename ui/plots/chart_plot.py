"""A plot that paints a figure of the model inside pyqtgraph's axes: with a crosshair, zoom and keyboard reading."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import (
    QFocusEvent,
    QFontInfo,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPicture,
    QResizeEvent,
    QWheelEvent,
)

from dpwizard.charts import Axis, Chart, Item, Surface, chart_scene, charts, plot_frame, scene, within
from ui.plots.crosshair import Crosshair
from ui.plots.handles import Handles
from ui.plots.painted import inside_axes, paint_items
from ui.plots.zoom import STEP, ZoomPlot, in_words
from ui.widgets import theme

LABEL_GAP = 8  # pixels between two numbers of an axis
ROOM_STEP = 16  # pixels: the room for labels is a multiple of it, so that the axes rest while figures in labels change
MOST_NAME_WIDTH, NAME_GAP = 250, 28  # pixels of ticks in words, at most, and between them and the axis
SPARE = 0.045  # of the height: room for handles at the ends of the axes
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class ChartPlot(ZoomPlot):
    """Paints one chart or heat map within pyqtgraph's axes, drawn as in print."""

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, height=height, on_card=on_card)
        self.handles: Handles | None = None
        self._axes: tuple[object, ...] = ()
        self._edges = (0.0, 1.0, 0.0, 1.0)  # places at the edges of the view box: left, right, foot, top
        self._left_width = 0  # pixels of the left axis
        self.level: tuple[Axis, ...] = ()  # y axes of the plots above and below, to align with
        self.crosshair = Crosshair(self)
        self._dragged_from: QPointF | None = None
        caption = theme.font(theme.CAPTION)
        self._metrics = QFontMetrics(caption)
        self.point = QFontInfo(caption).pixelSize() / scene.SMALL  # pixels for each point of print
        self._plot_style = inside_axes(colours, colours.card if on_card else colours.ground, self.point)
        self._picture: QPicture | None = None  # the figure, made when it is first painted
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def offer_handles(self) -> Handles:
        """Add handles to this plot and return them."""
        self.handles = Handles(self)
        return self.handles

    # ------------------------------------------------------------------------------ painting

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT, and keep the zoom if the axes have the same titles."""
        before = self.shown
        if before is not None and (before.x.title, before.y.title) != (plot.x.title, plot.y.title):
            self._zoomed = None
        self.shown = plot
        self.crosshair.hide()
        self.set_label(plot.x.title)
        self._fit_axes()
        self.layout_of_axes.activate()  # the axes may just have been given other room
        self._picture = None
        if self.handles is not None:
            self.handles.place()
        self.viewport().update()
        self.setAccessibleName(plot.title or plot.y.title or plot.x.title)
        if self.handles is None or self.handles.at < 0:
            self.setAccessibleDescription(plot.x.title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self.show_plot(self.shown)

    @property
    def drawn(self) -> tuple[Item, ...]:
        """Return the items inside the axes and beside their ends, in points."""
        plot, frame = self.shown, self._frame()
        assert plot is not None
        if isinstance(plot, Chart) and self.zoomed:
            plot = within(plot, frame.x, frame.y)
        return tuple(chart_scene.drawn(plot, frame, self._plot_style))

    def _make_picture(self) -> QPicture:
        """Return the items as a picture, which is painted again faster."""
        picture = QPicture()
        with QPainter(picture) as painter:
            if self.zoomed:
                frame = self._frame()
                right = frame.right if isinstance(self.shown, Surface) else frame.page
                edges = QRectF(frame.left, frame.top, right - frame.left, frame.bottom - frame.top + 1.0)
                painter.setClipRect(QRectF(edges.topLeft() * self.point, edges.size() * self.point))
            paint_items(painter, self.drawn, self.point)
        return picture

    def drawBackground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        """Paint the figure below the axes, the crosshair and the handles."""
        super().drawBackground(painter, rect)
        if self.shown is None:
            return
        self._picture = self._picture or self._make_picture()
        painter.save()
        painter.resetTransform()
        painter.drawPicture(0, 0, self._picture)
        painter.restore()

    def _frame(self) -> plot_frame.Frame:
        """Return the place of the figure in the widget, in points."""
        plot = self.shown
        assert plot is not None
        (left, right), (low, high) = self.visible()
        box, (first, last, foot, top) = self.box.sceneBoundingRect(), self._edges
        x, y = self._visible_axes(plot)

        def across(place: float) -> float:
            return float(box.left() + box.width() * (place - first) / (last - first)) / self.point

        def up(place: float) -> float:
            return float(box.bottom() - box.height() * (place - foot) / (top - foot)) / self.point

        return plot_frame.Frame(
            x=x,
            y=y,
            start=0.0,
            left=across(left),
            right=across(right),
            top=up(high),
            bottom=up(low),
            foot=up(low),
            page=self.width() / self.point,
        )

    def _fit_axes(self) -> None:
        """Set the ranges with room for labels at the ends of lines, and the visible ticks."""
        plot = self.shown
        assert plot is not None
        words_up = in_words(plot.y)
        names = self._room_left(plot)
        if names != self._left_width:
            self._left_width = names
            self.left.setWidth(names)  # draws the axis again, even for the same width
        (left, right), (low, high) = self.visible()
        inside = max(self.width() - (names if words_up else 66) - 48, 80)
        room = min(self._room_right(plot), inside - 60)
        beyond = (right - left) * room / (inside - room)
        x, y = self._visible_axes(plot)
        across, up = _visible_ticks(x, left, right), _visible_ticks(y, low, high)
        if isinstance(plot, Chart) and plot.groups:
            widths = [self._metrics.horizontalAdvance(words) + LABEL_GAP for _, words in across]
            across = charts.spaced(across, [width * (right - left) / (inside - room) for width in widths])
        if words_up:
            middle, width = Qt.TextElideMode.ElideMiddle, names - NAME_GAP
            up = [(at, self._metrics.elidedText(name, middle, width)) for at, name in up]
        side_room = (right - left) * SPARE / 3 if isinstance(plot, Chart) and plot.beside else 0.0
        spare = SPARE * (high - low) if self.handles is not None and not words_up else 0.0
        self._edges = (left - side_room, right + beyond, low - spare, high + spare)
        axes = (self._edges, tuple(across), tuple(up))
        if axes == self._axes:
            return
        self._axes = axes
        first, last, foot, top = self._edges
        self.box.setRange(xRange=(first, last), yRange=(foot, top), padding=0.0, update=False)
        self.bottom.setTicks([across])
        self.left.setTicks([up])

    def _visible_axes(self, plot: Chart | Surface) -> tuple[Axis, Axis]:
        """Return the visible part of the axes of PLOT."""
        if self._zoomed is None:
            return plot.x, plot.y
        axes_and_ends = zip((plot.x, plot.y), self.visible(), strict=True)
        x, y = (charts.narrowed(axis, axis.value(low), axis.value(high)) for axis, (low, high) in axes_and_ends)
        return x, y

    def _room_left(self, plot: Chart | Surface) -> int:
        """Return the pixels left of PLOT for ticks."""
        if in_words(plot.y):
            names = [words for axis in (plot.y, *self.level) for _, words in axis.ticks]
            longest = max(map(self._metrics.horizontalAdvance, names), default=0)
            needed = math.ceil((longest + NAME_GAP) / ROOM_STEP) * ROOM_STEP
            return min(MOST_NAME_WIDTH, int(self.width()) * 9 // 20, needed)
        return 84 if plot.y.way == "share" else 66

    def _room_right(self, plot: Chart | Surface) -> float:
        """Return the pixels right of PLOT for labels at the ends of lines or the bar of colours."""
        if isinstance(plot, Chart) and not plot.beside and not any(line.label for line in plot.lines):
            return 4.0
        return math.ceil(plot_frame.room_right(plot) * self.point / ROOM_STEP) * ROOM_STEP

    # -------------------------------------------------------------------------------- events

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl; without it the wheel scrolls the page."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom(STEP if event.angleDelta().y() > 0 else 1 / STEP, self.place_of(event.position()))
            event.accept()
        else:
            event.ignore()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        handles = self.handles if event.button() == Qt.MouseButton.LeftButton else None
        if handles is not None and handles.seize(event.position()):
            self.setFocus(Qt.FocusReason.MouseFocusReason)
            event.accept()
            return
        self._dragged_from = event.position() if event.button() == Qt.MouseButton.LeftButton and self.zoomed else None
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None and self.handles.follow(event.position()):
            event.accept()
            return
        if self._dragged_from is not None:
            moved = event.position() - self._dragged_from
            self._dragged_from = event.position()
            self.pan(-moved.x() / max(self.width(), 1), moved.y() / max(self.height(), 1))
        else:
            self.crosshair.read_at(*self.place_of(event.position()))
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self.handles is not None:
            self.handles.release()
        self._dragged_from = None
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if self.handles is None or not self.handles.double_click(event.position()):
            self.reset()
        event.accept()

    def leaveEvent(self, event: object) -> None:
        self.crosshair.hide()

    def focusNextPrevChild(self, onward: bool) -> bool:
        """Go with Tab from handle to handle, and only then to the next control."""
        return (self.handles is not None and self.handles.step(onward)) or bool(super().focusNextPrevChild(onward))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.handles is not None:
            self.handles.leave()
        self.crosshair.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Read values with arrows, zoom with plus and minus, show the whole with 0, hide the crosshair with Escape."""
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
        elif key == Qt.Key.Key_Escape and self.crosshair.visible:
            self.crosshair.hide()
        elif key in ARROWS:
            if not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                self.crosshair.step(Qt.Key(key))
                event.accept()
                return
            event.ignore()
            return
        else:
            event.ignore()
            return
        event.accept()


def _visible_ticks(axis: Axis, low: float, high: float) -> list[tuple[float, str]]:
    """Return the ticks of AXIS at places from LOW to HIGH, with their words."""
    places = [(axis.place(value), words) for value, words in axis.ticks]
    return [(place, words) for place, words in places if low - 1e-9 <= place <= high + 1e-9]
