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
GRAIN = 16  # pixels: the room for labels is a multiple of it, so that the axes rest while figures in labels change
NAMES, BESIDE = 250, 28  # pixels at the left where the ticks are words, at most; and between them and the axis
SPARE = 0.045  # of the height: room for handles that stand at the ends of the axes
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class ChartPlot(ZoomPlot):
    """Paints one chart or heat map within pyqtgraph's axes, by the drawer of print."""

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, height=height, on_card=on_card)
        self.handles: Handles | None = None  # what a hand can take hold of, if the panel offers that
        self._axes: tuple[object, ...] = ()
        self._reach = (0.0, 1.0, 0.0, 1.0)  # the places at the edges of the view box: left, right, foot, top
        self._left = 0  # pixels of the left axis
        self.level: tuple[Axis, ...] = ()  # those of what stands above and below it: all begin at one edge
        self.crosshair = Crosshair(self)
        self._drag: QPointF | None = None
        caption = theme.font(theme.CAPTION)
        self._metrics = QFontMetrics(caption)
        self.point = QFontInfo(caption).pixelSize() / scene.SMALL  # pixels for each point of print
        self._look = inside_axes(colours, colours.card if on_card else colours.ground, self.point)
        self._picture: QPicture | None = None  # what is drawn, as it is painted again and again; made in sight
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    def offer_handles(self) -> Handles:
        """Return handles that a hand can take hold of in this plot from now on."""
        self.handles = Handles(self)
        return self.handles

    # ------------------------------------------------------------------------------ painting

    def show_plot(self, plot: Chart | Surface) -> None:
        """Paint PLOT; the zoom is kept as long as the axes show the same things."""
        before = self.shown
        if before is not None and (before.x.title, before.y.title) != (plot.x.title, plot.y.title):
            self._zoomed = None
        self.shown = plot
        self.crosshair.hide()
        self.set_label(plot.x.title)
        self._fit()
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
        """Return what is painted inside the axes and beside their ends, in points."""
        plot, frame = self.shown, self._frame()
        assert plot is not None
        if isinstance(plot, Chart) and self.zoomed:
            plot = within(plot, frame.x, frame.y)
        return tuple(chart_scene.drawn(plot, frame, self._look))

    def _drawn(self) -> QPicture:
        """Return the same as a picture: it is painted as often as the window asks."""
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
        self._picture = self._picture or self._drawn()
        painter.save()
        painter.resetTransform()
        painter.drawPicture(0, 0, self._picture)
        painter.restore()

    def _frame(self) -> plot_frame.Frame:
        """Return where the figure stands in the widget, in points."""
        plot = self.shown
        assert plot is not None
        (left, right), (low, high) = self.visible()
        box, (first, last, foot, top) = self.box.sceneBoundingRect(), self._reach
        x, y = self._seen(plot)

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

    def _fit(self) -> None:
        """Fix the ranges so that labels at the ends of lines have their room, and write the ticks of what is
        visible."""
        plot = self.shown
        assert plot is not None
        words_up = in_words(plot.y)
        names = self._room_for_names(plot)
        if names != self._left:
            self._left = names
            self.left.setWidth(names)  # this draws the axis anew, however wide it was
        (left, right), (low, high) = self.visible()
        inside = max(self.width() - (names if words_up else 66) - 48, 80)
        room = min(self._room(plot), inside - 60)
        beyond = (right - left) * room / (inside - room)
        x, y = self._seen(plot)
        across, up = _ticks(x, left, right), _ticks(y, low, high)
        if isinstance(plot, Chart) and plot.groups:
            wide = [self._metrics.horizontalAdvance(words) + LABEL_GAP for _, words in across]
            across = charts.spaced(across, [one * (right - left) / (inside - room) for one in wide])
        if words_up:
            up = [(at, self._metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, names - BESIDE)) for at, name in up]
        aside = (right - left) * SPARE / 3 if isinstance(plot, Chart) and plot.beside else 0.0
        spare = SPARE * (high - low) if self.handles is not None and not words_up else 0.0
        self._reach = (left - aside, right + beyond, low - spare, high + spare)
        axes = (self._reach, tuple(across), tuple(up))
        if axes == self._axes:
            return
        self._axes = axes
        first, last, foot, top = self._reach
        self.box.setRange(xRange=(first, last), yRange=(foot, top), padding=0.0, update=False)
        self.bottom.setTicks([across])
        self.left.setTicks([up])

    def _seen(self, plot: Chart | Surface) -> tuple[Axis, Axis]:
        """Return the axes of PLOT between the ends that are seen."""
        if self._zoomed is None:
            return plot.x, plot.y
        seen = zip((plot.x, plot.y), self.visible(), strict=True)
        x, y = (charts.narrowed(axis, axis.value(low), axis.value(high)) for axis, (low, high) in seen)
        return x, y

    def _room_for_names(self, plot: Chart | Surface) -> int:
        """Return how many pixels the ticks left of PLOT have."""
        if in_words(plot.y):
            names = [words for axis in (plot.y, *self.level) for _, words in axis.ticks]
            longest = max(map(self._metrics.horizontalAdvance, names), default=0)
            return min(NAMES, int(self.width()) * 9 // 20, math.ceil((longest + BESIDE) / GRAIN) * GRAIN)
        return 84 if plot.y.way == "share" else 66

    def _room(self, plot: Chart | Surface) -> float:
        """Return how many pixels stand free beside the axes, for labels at the ends of lines or the bar of colours."""
        if isinstance(plot, Chart) and not plot.beside and not any(line.label for line in plot.lines):
            return 4.0
        return math.ceil(plot_frame.room_right(plot) * self.point / GRAIN) * GRAIN

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
            self.crosshair.read_at(*self.place_of(event.position()))
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


def _ticks(axis: Axis, low: float, high: float) -> list[tuple[float, str]]:
    """Return the ticks of AXIS at places from LOW to HIGH, with their words."""
    places = [(axis.place(value), words) for value, words in axis.ticks]
    return [(place, words) for place, words in places if low - 1e-9 <= place <= high + 1e-9]
