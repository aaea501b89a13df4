"""Plots that paint the figures of the model: curves and bars, and heat maps; with a crosshair, zoom and keyboard
reading."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent

from dpwizard.charts import Chart, Surface, charts
from ui.plots.crosshair import Crosshair
from ui.plots.curves import Curves, Strokes
from ui.plots.handles import Handles
from ui.plots.heat_map import HeatMap
from ui.plots.labels import LABEL_GAP, WIDEST_LABEL, LineLabels, Marks, Stretches
from ui.plots.plot import STILL
from ui.plots.zoom import STEP, ZoomPlot, in_words
from ui.widgets import theme

GRAIN = 16  # pixels: the room for labels is a multiple of it, so that the axes rest while figures in labels change
NAMES = 250  # pixels at the left where the ticks are words; of a narrow figure two fifths
BAR_ROOM = 124  # pixels for the bar of colours
SPARE = 0.045  # of the height: room for handles that stand at the ends of the axes
ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End)


class ChartPlot(ZoomPlot):
    """Paints one chart or heat map. The items stay; only their data change, so that a drag paints once a frame."""

    def __init__(self, colours: theme.Colours, *, height: int = 220, on_card: bool = False) -> None:
        super().__init__(colours, height=height, on_card=on_card)
        self.handles: Handles | None = None  # what a hand can take hold of, if the panel offers that
        self._axes: tuple[object, ...] = ()
        self._left = 0  # pixels of the left axis
        self._grid = Strokes(colours.line)
        self._grid.setZValue(-20)
        self._grid.setCacheMode(STILL)
        self.add(self._grid)
        self._heat_map = HeatMap(self)
        self._stretches = Stretches(self)
        self._curves = Curves(self)
        self._labels = LineLabels(self, self._curves)
        self._marks = Marks(self, colours.card if on_card else colours.ground)
        self.crosshair = Crosshair(self)
        self._drag: QPointF | None = None
        self._metrics = QFontMetrics(theme.font(theme.CAPTION))
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
        if isinstance(plot, Chart):
            self._heat_map.hide()
            self._curves.paint(plot)
        else:
            self._curves.hide()
            self._stretches.hide()
            self._labels.hide()
            self._heat_map.paint(plot)
        self._paint_words(plot)
        self.setAccessibleName(plot.title or plot.y.title or plot.x.title)
        if self.handles is None or self.handles.at < 0:
            self.setAccessibleDescription(plot.x.title)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.shown is not None:
            self._fit()
            self._paint_words(self.shown)

    def _paint_words(self, plot: Chart | Surface) -> None:
        """Paint what has its place by the size of the plot."""
        if isinstance(plot, Chart):
            self._stretches.paint(plot)
            self._labels.paint(plot)
        self._marks.paint(plot, self._left + 48)
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
        self._grid.draw(
            [value for _ in lines for value in (left, right)], [place for place, _ in lines for _ in range(2)]
        )

    def _room(self, plot: Chart | Surface) -> float:
        if isinstance(plot, Surface):
            return BAR_ROOM
        labels = (*(line.label for line in plot.lines if line.label), *plot.beside)
        wide = max((self._metrics.horizontalAdvance(label) for label in labels), default=0)
        return math.ceil((min(wide, WIDEST_LABEL) + LABEL_GAP + 6) / GRAIN) * GRAIN if wide else 4.0

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
