"""Paints the scenes of print and SVG with Qt in the colours of the window."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QApplication

from dpwizard.charts import Circle, Item, Path, PlotStyle, Rectangle, Style, Text, plot_frame
from ui.widgets import theme

CELLS = 60  # of a heat map, along each side


def style(colours: theme.Colours, ground: str, shade: float) -> Style:
    """Return the colours of figures on a GROUND; SHADE is the opacity of shaded stretches."""
    return Style(
        privacy=colours.privacy,
        accuracy=colours.accuracy,
        window=colours.window,
        refuted=colours.refuted,
        ink=colours.text,
        quiet=colours.quiet,
        line=colours.line,
        unbounded=colours.shade,
        ground=ground,
        shade=shade,
    )


def small(colours: theme.Colours, width: int, height: int) -> PlotStyle:
    """Return the style of a figure without axes, WIDTH by HEIGHT pixels."""
    drawn = replace(style(colours, colours.ground, 0.25), line=colours.field_line)
    return PlotStyle(style=drawn, width=width, height=height - 2 * plot_frame.BARE, axes=False, margin=6.0)


def inside_axes(colours: theme.Colours, ground: str, point: float) -> PlotStyle:
    """Return the style for the inside of a window's axes, with POINT pixels for each point of print."""
    return PlotStyle(style=style(colours, ground, 0.15), axes=False, stroke=1.0 / point, cells=CELLS)


def paint_items(painter: QPainter, items: Iterable[Item], point: float = 1.0) -> None:
    """Paint ITEMS of a scene, with POINT pixels for each of its points."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    font = QFont(QApplication.font())
    for item in items:
        match item:
            case Path():
                painter.setPen(_stroke_pen(item.stroke, item.width * point, [part * point for part in item.dash]))
                painter.setBrush(_fill_colour(item.fill, item.opacity))
                points = QPolygonF([QPointF(x * point, y * point) for x, y in item.points])
                if item.fill is not None:
                    painter.drawPolygon(points)
                else:
                    painter.drawPolyline(points)
            case Rectangle():
                place = QRectF(item.x * point, item.y * point, item.width * point, item.height * point)
                painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # no seams between the cells of a map
                painter.fillRect(place, _fill_colour(item.fill, item.opacity))
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            case Circle():
                painter.setPen(_stroke_pen(item.stroke, item.width * point))
                painter.setBrush(_fill_colour(item.fill, 1.0))
                painter.drawEllipse(QPointF(item.x, item.y) * point, item.radius * point, item.radius * point)
            case Text():
                font.setWeight(QFont.Weight.DemiBold if item.bold else QFont.Weight.Normal)
                font.setPixelSize(round(item.size * point))
                painter.setFont(font)
                painter.setPen(QColor(item.fill))
                painter.drawText(QPointF(item.extent[0], item.y) * point, item.text)


def _stroke_pen(stroke: str | None, width: float, dash: Sequence[float] = ()) -> QPen:
    if stroke is None:
        return QPen(Qt.PenStyle.NoPen)
    pen = QPen(QColor(stroke), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    if dash:
        pen.setDashPattern([part / width for part in dash])
    return pen


def _fill_colour(fill: str | None, opacity: float) -> QColor:
    colour = QColor(Qt.GlobalColor.transparent) if fill is None else QColor(fill)
    if fill is not None:
        colour.setAlphaF(opacity)
    return colour
