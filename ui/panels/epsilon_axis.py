"""The epsilon axis: every promise from the left, every need from the right, the stretch that keeps them all, and the choice."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor

from dpwizard import explain
from dpwizard.assessment import Answer, Assessment
from dpwizard.decision import Decision
from dpwizard.picture import Picture
from ui.panels.panel import Panel
from ui.panels.plot import Plot, even_ticks, pen

ROW = 34  # pixels for each requirement
CAP = 0.28  # half the height of the bar at a limit, in rows
MOST_ROWS = 24


class EpsilonAxisPanel(Panel):
    """All requirements on one axis; the epsilon chosen can be dragged."""

    title = "Every requirement on one axis"
    chosen = Signal(float, bool)  # the epsilon dragged to, and whether the drag goes on

    def build(self) -> None:
        words = "epsilon   (left: more private, noisier; right: less private, sharper)"
        self.plot = Plot(self.colours, bottom=words, height=140, on_card=True)
        self.plot.getPlotItem().getAxis("left").setWidth(8)
        shade = QColor(self.colours.window)
        shade.setAlphaF(0.15)
        self.window_shade = pg.LinearRegionItem(movable=False, brush=QBrush(shade), pen=pen(self.colours.window, 0.5))
        self.window_shade.setZValue(-30)
        self.privacy = pg.PlotDataItem(pen=pen(self.colours.privacy, 3), connect="pairs")
        self.accuracy = pg.PlotDataItem(pen=pen(self.colours.accuracy, 3, Qt.PenStyle.DashLine), connect="pairs")
        self.caps = pg.PlotDataItem(pen=pen(self.colours.text, 3), connect="pairs")
        self.choice = pg.InfiniteLine(angle=90, movable=True, pen=pen(self.colours.chosen, 2), hoverPen=pen(self.colours.accent, 3))
        self.choice.addMarker("v", position=1.0, size=10.0)
        for item in (self.window_shade, self.privacy, self.accuracy, self.caps, self.choice):
            self.plot.addItem(item, ignoreBounds=True)
        self.choice.sigDragged.connect(lambda line: self.chosen.emit(self._round(line.value()), True))
        self.choice.sigPositionChangeFinished.connect(lambda line: self.chosen.emit(self._round(line.value()), False))
        self.names: list[pg.TextItem] = []
        self.column.addWidget(self.plot)

    def draw(self, decision: Decision, picture: Picture) -> str:
        assessment = picture.assessment
        rows = [a for a in assessment.answers if a.enabled and a.status == "allowed" and a.epsilon is not None][:MOST_ROWS]
        top = _span(assessment, rows)
        self.plot.setFixedHeight(max(140, ROW * len(rows) + 72))
        self.plot.set_axes((0.0, top * 1.42), (-len(rows) - 0.2, 0.6), even_ticks(top), [])
        ends: dict[str, tuple[list[float], list[float]]] = {"upper": ([], []), "lower": ([], [])}
        caps: tuple[list[float], list[float]] = ([], [])
        for index, answer in enumerate(rows):
            y, at = -index - 0.5, min(answer.epsilon or 0.0, top)
            ends[answer.side][0].extend((0.0, at) if answer.side == "upper" else (at, top))
            ends[answer.side][1].extend((y, y))
            caps[0].extend((at, at))
            caps[1].extend((y - CAP, y + CAP))
        self.privacy.setData(*ends["upper"])
        self.accuracy.setData(*ends["lower"])
        self.caps.setData(*caps)
        self._name(rows, top)
        window = assessment.window
        self.window_shade.setVisible(not window.empty and bool(rows))
        self.window_shade.setRegion((window.lower, window.upper if window.upper is not None else top))
        self.choice.setVisible(assessment.epsilon is not None)
        if assessment.epsilon is not None and not self.choice.moving:
            self.choice.blockSignals(True)
            self.choice.setValue(min(assessment.epsilon, top))
            self.choice.blockSignals(False)
        return " ".join(part for part in (explain.window(assessment), explain.position(assessment)) if part)

    def _name(self, rows: list[Answer], top: float) -> None:
        while len(self.names) < len(rows):
            self.names.append(self.plot.words(anchor=(0, 0.5)))
        for index, item in enumerate(self.names):
            item.setVisible(index < len(rows))
            if index < len(rows):
                answer = rows[index]
                name = explain.title(answer)
                short = name if len(name) <= 38 else f"{name[:37]}…"
                side = "privacy" if answer.side == "upper" else "accuracy"
                item.setText(f"{short}\n{side}: {explain.bound(answer)}")
                item.setPos(top * 1.03, -index - 0.5)

    @staticmethod
    def _round(value: float) -> float:
        return round(max(value, 0.0), 3 if value < 1 else 2)


def _span(assessment: Assessment, rows: list[Answer]) -> float:
    shown = [a.epsilon for a in rows if a.epsilon is not None] + ([assessment.epsilon] if assessment.epsilon is not None else [])
    finite = [value for value in shown if value < 50]
    return max(1.0, 1.25 * max(finite, default=1.0))
