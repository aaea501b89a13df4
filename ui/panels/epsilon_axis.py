"""The epsilon axis: every promise from the left, every need from the right, the stretch that keeps them all, and the choice."""

from __future__ import annotations

import pyqtgraph as pg
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QBrush, QColor, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel

from dpwizard import explain
from dpwizard.assessment import Answer, Assessment
from dpwizard.decision import Decision
from dpwizard.drawings import panel_scenes
from dpwizard.drawings.picture import Picture
from dpwizard.drawings.scene import Scene
from ui import theme
from ui.panels.panel import Panel
from ui.plot import Plot, even_ticks, pen
from ui.plot_tools import FigureTools

ROW = 34  # pixels for each requirement
CAP = 0.28  # half the height of the bar at a limit, in rows
MOST_ROWS = 24
NAMES = 236  # pixels for the names of the requirements, at the right of the axis
LETTERS = 34  # of a name; the rest is in the list of requirements


class EpsilonAxisPanel(Panel):
    """All requirements on one axis; the epsilon chosen can be dragged."""

    title = "Every requirement on one axis"
    chosen = Signal(float, bool)  # the epsilon dragged to, and whether the drag goes on

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.on_card = on_card
        self._top = 1.0
        self._rows: tuple[Answer, ...] = ()
        super().__init__(colours)
        self.heading.setVisible(not on_card)

    def build(self) -> None:
        self.plot = Plot(self.colours, bottom="", height=100, on_card=self.on_card)
        self.plot.getPlotItem().getAxis("left").setWidth(8)
        self.plot.getPlotItem().layout.setContentsMargins(0, 0, 0, 0)
        shade = QColor(self.colours.window)
        shade.setAlphaF(0.15)
        self.window_shade = pg.LinearRegionItem(movable=False, brush=QBrush(shade), pen=pen(self.colours.window, 0.5))
        self.window_shade.setZValue(-30)
        self.privacy = pg.PlotDataItem(pen=pen(self.colours.privacy, 3), connect="pairs")
        self.accuracy = pg.PlotDataItem(pen=pen(self.colours.accuracy, 3, Qt.PenStyle.DashLine), connect="pairs")
        self.privacy_caps = pg.PlotDataItem(pen=pen(self.colours.privacy, 4), connect="pairs")
        self.accuracy_caps = pg.PlotDataItem(pen=pen(self.colours.accuracy, 4), connect="pairs")
        movable = self.on_card
        self.choice = pg.InfiniteLine(angle=90, movable=movable, pen=pen(self.colours.chosen, 2), hoverPen=pen(self.colours.accent, 3))
        self.choice.addMarker("v", position=1.0, size=10.0)
        for item in (self.window_shade, self.privacy, self.accuracy, self.privacy_caps, self.accuracy_caps, self.choice):
            self.plot.addItem(item, ignoreBounds=True)
        self.choice.sigDragged.connect(lambda line: self.chosen.emit(self._round(line.value()), True))
        self.choice.sigPositionChangeFinished.connect(lambda line: self.chosen.emit(self._round(line.value()), False))
        self.names: list[pg.TextItem] = []
        self.column.addWidget(self.plot)
        ends = QHBoxLayout()
        ends.setContentsMargins(8, 0, NAMES, 0)
        for words, side in (
            ("more private, noisier", Qt.AlignmentFlag.AlignLeft),
            ("epsilon", Qt.AlignmentFlag.AlignHCenter),
            ("less private, sharper", Qt.AlignmentFlag.AlignRight),
        ):
            end = QLabel(words)
            end.setObjectName("caption")
            ends.addWidget(end, 1, alignment=side)
        self.column.addLayout(ends)
        self.column.addWidget(FigureTools(self, self.title, self.drawn))

    def drawn(self) -> Scene | None:
        """Return the figure as a scene, to be saved or copied; None if there is none."""
        return panel_scenes.axis_scene(self.shown[1].assessment) if self.shown is not None else None

    def draw(self, decision: Decision, picture: Picture) -> str:
        assessment = picture.assessment
        rows = tuple(a for a in assessment.answers if a.enabled and a.status == "allowed" and a.epsilon is not None)[:MOST_ROWS]
        top = self._top = _span(assessment, rows)
        self._rows = rows
        self._fit()
        ends: dict[str, tuple[list[float], list[float]]] = {"upper": ([], []), "lower": ([], [])}
        caps: dict[str, tuple[list[float], list[float]]] = {"upper": ([], []), "lower": ([], [])}
        for index, answer in enumerate(rows):
            y, at = -index - 0.5, min(answer.epsilon or 0.0, top)
            ends[answer.side][0].extend((0.0, at) if answer.side == "upper" else (at, top))
            ends[answer.side][1].extend((y, y))
            caps[answer.side][0].extend((at, at))
            caps[answer.side][1].extend((y - CAP, y + CAP))
        self.privacy.setData(*ends["upper"])
        self.accuracy.setData(*ends["lower"])
        self.privacy_caps.setData(*caps["upper"])
        self.accuracy_caps.setData(*caps["lower"])
        self._name()
        window = assessment.window
        self.window_shade.setVisible(not window.empty and bool(rows))
        self.window_shade.setRegion((window.lower, window.upper if window.upper is not None else top))
        self.choice.setVisible(assessment.epsilon is not None)
        if assessment.epsilon is not None and not self.choice.moving:
            self.choice.blockSignals(True)
            self.choice.setValue(min(assessment.epsilon, top))
            self.choice.blockSignals(False)
        said = (explain.window(assessment), "" if self.on_card else explain.position(assessment))  # the card beside it says where
        return " ".join(part for part in said if part)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Fix the axes so that the names have their room at the right, however wide the panel is."""
        count = max(len(self._rows), 1)
        height = ROW * count + 34
        if self.plot.height() != height:
            self.plot.setFixedHeight(height)
        inside = max(self.width() - 8, NAMES + 80)
        across = self._top * inside / (inside - NAMES)
        self.plot.set_axes((0.0, across), (-count - 0.05, 0.25), even_ticks(self._top), [])
        for index, item in enumerate(self.names[: len(self._rows)]):
            item.setPos(self._top * 1.02, -index - 0.5)

    def _name(self) -> None:
        while len(self.names) < len(self._rows):
            self.names.append(self.plot.words(anchor=(0, 0.5)))
        for index, item in enumerate(self.names):
            item.setVisible(index < len(self._rows))
            if index < len(self._rows):
                answer = self._rows[index]
                name = explain.title(answer)
                short = name if len(name) <= LETTERS else f"{name[: LETTERS - 1]}…"
                side = "accuracy" if answer.side == "lower" else "budget" if answer.kind == "budget" else "privacy"
                self.plot.say(item, f"{short}\n{side}: {explain.bound(answer)}")
                item.setPos(self._top * 1.02, -index - 0.5)

    @staticmethod
    def _round(value: float) -> float:
        return round(max(value, 0.0), 3 if value < 1 else 2)


def _span(assessment: Assessment, rows: tuple[Answer, ...]) -> float:
    """Return the end of the axis: a little beyond everything shown, at a round number, so that it rests while somebody drags."""
    shown = [a.epsilon for a in rows if a.epsilon is not None] + ([assessment.epsilon] if assessment.epsilon is not None else [])
    most = 1.15 * max((value for value in shown if value < 50), default=1.0)
    step = 10.0 ** len(str(int(most))) / 20  # 0.5 to 10, 5 to 100
    return max(1.0, step * -(-most // step))
