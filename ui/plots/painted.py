"""A scene of the model on the screen: the drawer of print and SVG, painted by Qt in the colours of the window."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPen, QPolygonF

from dpwizard.charts import Circle, Look, Path, Rectangle, Scene, Style, Text, plot_frame
from ui.widgets import theme


def small(colours: theme.Colours, width: int, height: int) -> Look:
    """Return the look of a figure without words, so many pixels wide and high."""
    style = Style(
        privacy=colours.privacy,
        accuracy=colours.accuracy,
        window=colours.window,
        refuted=colours.refuted,
        ink=colours.chosen,
        quiet=colours.quiet,
        line=colours.field_line,
        unbounded=colours.shade,
        ground=colours.ground,
        shade=0.25,
    )
    return Look(style=style, width=width, height=height - 2 * plot_frame.BARE, words=False, margin=6.0)


def paint_scene(painter: QPainter, scene: Scene) -> None:
    """Paint SCENE, a point for each pixel."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for item in scene.items:
        match item:
            case Path():
                painter.setPen(_pen(item.stroke, item.width, item.dash))
                painter.setBrush(_colour(item.fill, item.opacity))
                points = QPolygonF([QPointF(x, y) for x, y in item.points])
                if item.fill is not None:
                    painter.drawPolygon(points)
                else:
                    painter.drawPolyline(points)
            case Rectangle():
                painter.fillRect(QRectF(item.x, item.y, item.width, item.height), _colour(item.fill, item.opacity))
            case Circle():
                painter.setPen(_pen(item.stroke, item.width))
                painter.setBrush(_colour(item.fill, 1.0))
                painter.drawEllipse(QPointF(item.x, item.y), item.radius, item.radius)
            case Text():
                font = theme.font(weight=QFont.Weight.DemiBold if item.bold else QFont.Weight.Normal)
                font.setPixelSize(round(item.size))
                painter.setFont(font)
                painter.setPen(QColor(item.fill))
                painter.drawText(QPointF(item.extent[0], item.y), item.text)


def _pen(stroke: str | None, width: float, dash: tuple[float, ...] = ()) -> QPen:
    if stroke is None:
        return QPen(Qt.PenStyle.NoPen)
    pen = QPen(QColor(stroke), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    if dash:
        pen.setDashPattern([part / width for part in dash])
    return pen


def _colour(fill: str | None, opacity: float) -> QColor:
    colour = QColor(Qt.GlobalColor.transparent) if fill is None else QColor(fill)
    if fill is not None:
        colour.setAlphaF(opacity)
    return colour
