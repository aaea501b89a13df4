"""The noise on one number at the epsilon chosen, with the interval that holds 95 in 100 and a policy threshold if there is one."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from dpwizard import explain
from dpwizard.decision import Decision
from dpwizard.drawings import panel_scenes
from dpwizard.drawings.picture import Picture
from dpwizard.drawings.scene import Scene
from ui import theme
from ui.panels.panel import Panel
from ui.plot import Plot, even_ticks, pen, signed
from ui.plot_tools import FigureTools


class NoisePanel(Panel):
    """How far off the published figure may be."""

    title = "The noise on the published figure"

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.on_card = on_card
        super().__init__(colours)
        self.heading.setVisible(not on_card)

    def build(self) -> None:
        words = "error of the figure" if self.on_card else "error of the published figure, in the unit of the statistic"
        self.plot = Plot(self.colours, bottom=words, height=150 if self.on_card else 220, on_card=self.on_card)
        self.plot.getPlotItem().getAxis("left").setWidth(8 if self.on_card else 72)
        colour = QColor(self.colours.accuracy)
        soft = QColor(colour)
        soft.setAlphaF(0.35)
        self.bars = pg.BarGraphItem(x=[], height=[], width=0.7, brush=QBrush(colour), pen=pen(self.colours.accuracy))
        self.area = pg.PlotDataItem(pen=pen(self.colours.accuracy, 2), fillLevel=0, brush=QBrush(soft))
        self.threshold = pg.InfiniteLine(angle=90, pen=pen(self.colours.text, 1.5, Qt.PenStyle.DashLine))
        for item in (self.area, self.bars, self.threshold):
            self.plot.addItem(item, ignoreBounds=True)
        self.threshold_words = self.plot.words(anchor=(1, 0))
        self.column.addWidget(self.plot)
        self.column.addWidget(FigureTools(self, self.title, self.drawn))

    def drawn(self) -> Scene | None:
        """Return the figure as a scene, to be saved or copied; None if there is none."""
        noise = self.shown[1].noise if self.shown is not None else None
        return panel_scenes.noise_scene(noise) if noise is not None else None

    def draw(self, decision: Decision, picture: Picture) -> str:
        noise = picture.noise
        self.threshold.hide()
        self.plot.say(self.threshold_words, "")
        if noise is None:
            self.bars.setOpts(x=[], height=[])
            self.area.setData([], [])
            return "Choose an epsilon in step 6 to see the noise it means."
        top = max(noise.heights) * 1.1
        low, high = noise.values[0], noise.values[-1]
        self.plot.set_axes(
            (low - 0.6, high + 0.6) if noise.whole else (low, high),
            (0.0, top),
            _centred(high),
            _share_ticks(top, noise.whole and not self.on_card),
        )
        self.bars.setOpts(x=list(noise.values) if noise.whole else [], height=list(noise.heights) if noise.whole else [])
        self.area.setData([] if noise.whole else list(noise.values), [] if noise.whole else list(noise.heights))
        crossing = next(
            (a for a in picture.assessment.answers if a.kind == "switch_probability" and a.enabled and "probability" in a.at_epsilon), None
        )
        words = f"Within ±{explain.number(noise.half_width)} in {explain.share(noise.coverage)}"
        words += f"; exact in {explain.share(noise.exact)}." if noise.exact > 0 else "."
        if crossing is not None:
            steps = _steps(crossing.at_epsilon)
            if steps is not None and low <= steps <= high:
                self.threshold.setPos(steps)
                self.threshold.show()
                self.plot.say(self.threshold_words, "crosses the threshold")
                self.threshold_words.setPos(steps, top)
            if not self.on_card:  # the card says it already
                words += f" Noise crosses the threshold in {explain.share_up(crossing.at_epsilon['probability'])}."
        return words


def _steps(at: object) -> float | None:
    """Return where noise begins to cross a threshold from above, half a step short; None if the rate is not known."""
    found = at if isinstance(at, dict) else dict(at)
    if "true_count_above" not in found:
        return None
    return -(float(found["true_count_above"]) - float(found["threshold_count"])) + 0.5


def _centred(high: float) -> list[tuple[float, str]]:
    step = max(1.0, 10.0 ** math.floor(math.log10(high))) if high >= 1 else 10.0 ** math.floor(math.log10(high))
    while 2 * high / step > 5:
        step *= 2
    count = math.floor(high / step)
    return [(k * step, signed(k * step, "+") if k else "0") for k in range(-count, count + 1)]


def _share_ticks(top: float, whole: bool) -> list[tuple[float, str]]:
    return [(at, f"{at * 100:.3g} in 100" if whole else "") for at, _ in even_ticks(top)] if whole else [(0.0, "")]
