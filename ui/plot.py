"""A plot in the look of the program: no frame, light horizontal lines, few ticks, words instead of a legend."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QPen

from dpwizard.explain import chance
from ui import theme

pg.setConfigOptions(antialias=True)

Tick = tuple[float, str]
MOST_TICKS = 5
OVERHANG = 40  # pixels by which the words at the ends of an axis may stand out: half of "1/1,000,000"


def pen(colour: str, width: float = 1.0, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """Return a cosmetic pen: its width is in logical pixels, whatever the scale of the axes and of the screen."""
    made = QPen(QColor(colour))
    app = QGuiApplication.instance()
    made.setWidthF(width * (app.devicePixelRatio() if isinstance(app, QGuiApplication) else 1.0))  # Qt counts the screen's own pixels
    made.setStyle(style)
    made.setCosmetic(True)
    return made


class Plot(pg.PlotWidget):
    """A plot with fixed ranges: setting data never makes it measure itself again, so it paints once."""

    def __init__(self, colours: theme.Colours, *, bottom: str, left: str = "", height: int = 220, on_card: bool = False) -> None:
        super().__init__(background=colours.card if on_card else colours.ground)
        self.colours = colours
        self.setFixedHeight(height)
        self.setFrameShape(pg.QtWidgets.QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        item = self.getPlotItem()
        item.hideButtons()
        item.setMenuEnabled(False)
        item.disableAutoRange()
        item.setMouseEnabled(x=False, y=False)
        item.layout.setContentsMargins(0, theme.NEAR, OVERHANG, 5 if bottom else 0)  # the label hangs over by 5
        font = theme.font(theme.CAPTION)
        for name in ("bottom", "left"):
            axis = item.getAxis(name)
            axis.setPen(pen(colours.line))
            axis.setTickPen(pen(colours.field_line))
            axis.setTextPen(pen(colours.quiet))
            axis.setStyle(tickFont=font, tickLength=4, autoExpandTextSpace=False, tickTextOffset=6, hideOverlappingLabels=OVERHANG)
            axis.label.setFont(font)
        item.getAxis("left").setPen(pen(colours.card if on_card else colours.ground))
        item.getAxis("left").setWidth(56)
        item.getAxis("bottom").setHeight(44 if bottom else 24)
        if bottom:
            item.setLabel("bottom", bottom, color=colours.quiet)
        if left:
            item.setLabel("left", left, color=colours.quiet)
            item.getAxis("left").setWidth(72)
        self._lines: list[pg.InfiniteLine] = []
        self._axes: tuple[object, ...] = ()
        self._label = bottom

    def set_axes(self, x: tuple[float, float], y: tuple[float, float], across: Sequence[Tick], up: Sequence[Tick]) -> None:
        """Fix both ranges and the ticks, each with its words; a light line goes across at each tick of the left axis."""
        axes = (x, y, tuple(across), tuple(up))
        if axes == self._axes:
            return  # nothing to measure anew while somebody drags
        self._axes = axes
        item = self.getPlotItem()
        item.setRange(xRange=x, yRange=y, padding=0.0, update=False)
        item.getAxis("bottom").setTicks([list(across)])
        item.getAxis("left").setTicks([list(up)])
        while len(self._lines) < len(up):
            line = pg.InfiniteLine(angle=0, pen=pen(self.colours.line))
            line.setZValue(-20)
            self.addItem(line, ignoreBounds=True)
            self._lines.append(line)
        for index, line in enumerate(self._lines):
            line.setVisible(index < len(up))
            if index < len(up):
                line.setPos(up[index][0])

    def set_label(self, words: str) -> None:
        """Say what the bottom axis shows."""
        if words != self._label:
            self._label = words
            self.setLabel("bottom", words, color=self.colours.quiet)

    @staticmethod
    def say(item: pg.TextItem, words: str) -> None:
        """Let the text ITEM say WORDS; costs nothing where it says them already."""
        if item.textItem.toPlainText() != words:
            item.setText(words)

    def words(self, colour: str = "", *, anchor: tuple[float, float] = (0, 0.5), bold: bool = False) -> pg.TextItem:
        """Return a text that can be placed at a point of the plot."""
        item = pg.TextItem(color=colour or self.colours.text, anchor=anchor)
        item.setFont(theme.font(theme.CAPTION, theme.QFont.Weight.DemiBold if bold else theme.QFont.Weight.Normal))
        self.addItem(item, ignoreBounds=True)
        return item


def prior_ticks(low: float, high: float) -> list[Tick]:
    """Return ticks of a log axis of beliefs: 1/1,000, 1/100, 1/10 and certain; positions are log10."""
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    step = max(1, math.ceil((last - first + 1) / MOST_TICKS))
    found = [(float(k), "certain" if k == 0 else f"1/{10**-k:,}") for k in range(last, first - 1, -step)]
    return found if found else [(math.log10(low), chance(low)), (math.log10(high), chance(high))]


def even_ticks(high: float, low: float = 0.0) -> list[Tick]:
    """Return at most five ticks at round numbers from LOW to HIGH."""
    span = max(high - low, 1e-12)
    rough = span / (MOST_TICKS - 1)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * k for k in (1, 2, 5, 10) if power * k >= rough * 0.999)
    count = math.floor((high - low) / step + 1e-9)
    return [(low + step * k, signed(low + step * k)) for k in range(count + 1)]


def signed(number: float, plus: str = "") -> str:
    """Return NUMBER with a true minus sign."""
    return f"{number:{plus}.6g}".replace("-", "−")


def ratio_ticks(highest: float) -> list[Tick]:
    """Return ticks of a log axis of ratios, 1 time upwards; positions are log10."""
    last = max(1, math.floor(math.log10(max(highest, 10.0)) + 1e-9))
    step = max(1, math.ceil(last / (MOST_TICKS - 1)))
    if highest <= 10:
        return [(math.log10(k), f"{k}×") for k in (1, 2, 5, 10) if k <= highest * 1.0001]
    return [(float(k), f"{10**k:,}×") for k in range(0, last + 1, step)]


def finite(values: Iterable[float]) -> list[float]:
    """Return the finite ones of VALUES."""
    return [value for value in values if math.isfinite(value)]
