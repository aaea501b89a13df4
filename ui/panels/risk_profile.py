"""Panels of the risk-profile step: how much the release may teach, and the epsilon that each belief allows."""

from __future__ import annotations

import math

import pyqtgraph as pg
from PySide6.QtCore import Qt
from PySide6.QtGui import QBrush, QColor

from dpwizard import explain
from dpwizard.assessment import Answer
from dpwizard.decision import Decision
from dpwizard.drawings import panel_scenes
from dpwizard.drawings.curves import RiskCurve
from dpwizard.drawings.picture import Picture
from dpwizard.drawings.scene import Scene
from ui.panels.panel import Panel
from ui.plot import Plot, even_ticks, finite, pen, prior_ticks, ratio_ticks
from ui.plot_tools import FigureTools

AXES = {
    "p": "chance that the person is in the data, as believed before the release",
    "q": "chance of the sensitive value, as believed before the release",
}
CURVE_HEIGHT = 236
TOPS = (1.0, 2.0, 4.0, 6.0, 8.0, 12.0)  # ends of the axis of epsilon, so that it rests while somebody drags; nobody chooses above


class CurvePanel(Panel):
    """What the two panels share: they follow one requirement, and draw along the prior that varies."""

    index = 0  # the requirement followed, by position

    def follow(self, index: int) -> None:
        """Draw requirement INDEX from now on."""
        self.index = index
        if self.shown is not None:
            self.show_picture(*self.shown)

    def draw(self, decision: Decision, picture: Picture) -> str:
        drawn = picture.drawn[self.index] if self.index < len(picture.drawn) else None
        if drawn is None or not drawn.curves:
            self.clear()
            if drawn is None:
                return explain.word("advice", "no_adversary")
            return explain.why(drawn.answer.why)
        return self.draw_curve(drawn.curves[0], drawn.answer)

    def drawn(self) -> Scene | None:
        """Return the figure as a scene, to be saved or copied; None if there is none."""
        every = self.shown[1].drawn if self.shown is not None else ()
        found = every[self.index] if 0 <= self.index < len(every) else None
        return panel_scenes.profile_scene(found.curves[0], found.chosen) if found is not None and found.curves else None

    def clear(self) -> None:
        """Show nothing."""
        raise NotImplementedError

    def draw_curve(self, curve: RiskCurve, answer: Answer) -> str:
        """Draw CURVE; return what it says."""
        raise NotImplementedError


class RiskProfilePanel(CurvePanel):
    """r*: how many times likelier a belief may become, for every belief beforehand."""

    title = "How much the release may teach them"

    def build(self) -> None:
        self.plot = Plot(self.colours, bottom=AXES["p"], height=CURVE_HEIGHT)
        self.allowed = pg.PlotDataItem(pen=pen(self.colours.privacy, 2))
        self.given = pg.PlotDataItem(pen=pen(self.colours.chosen, 1.5, Qt.PenStyle.DashLine))
        self.mark = pg.ScatterPlotItem(size=10, pen=pen(self.colours.privacy, 2), brush=QBrush(QColor(self.colours.ground)))
        for item in (self.given, self.allowed, self.mark):
            self.plot.addItem(item, ignoreBounds=True)
        self.allowed_words = self.plot.words(anchor=(1, 1))
        self.given_words = self.plot.words(self.colours.quiet, anchor=(1, 0))
        self.column.addWidget(self.plot)
        self.column.addWidget(FigureTools(self, self.title, self.drawn))

    def clear(self) -> None:
        for item in (self.allowed, self.given, self.mark):
            item.setData([], [])
        self.plot.say(self.allowed_words, "")
        self.plot.say(self.given_words, "")

    def draw_curve(self, curve: RiskCurve, answer: Answer) -> str:
        x = [math.log10(prior) for prior in curve.priors]
        capped = (min(ratio, 1 / prior) if ratio == math.inf else ratio for ratio, prior in zip(curve.allowed, curve.priors, strict=True))
        allowed = [math.log10(max(1.0, ratio)) for ratio in capped]
        top = max([*finite(allowed), 0.3])
        top = math.ceil(2 * top - 1e-9) / 2  # half a power of ten at a time, so that the axis rests while somebody drags
        self.plot.set_axes((x[0], x[-1]), (0.0, top * 1.04), prior_ticks(curve.priors[0], curve.priors[-1]), ratio_ticks(10**top))
        self.plot.set_label(AXES[curve.axis])
        self.allowed.setData(x, allowed)
        self.plot.say(self.allowed_words, "allowed")
        self.allowed_words.setPos(x[-1], allowed[-1])
        self.given.setData(x if curve.given else [], [math.log10(max(1.0, ratio)) for ratio in curve.given])
        self.plot.say(self.given_words, "at the epsilon chosen" if curve.given else "")
        if curve.given:
            self.given_words.setPos(x[len(x) // 3], math.log10(max(1.0, curve.given[len(x) // 3])))
        binds = curve.binding is not None and curve.attained
        at = min(range(len(x)), key=lambda i: abs(x[i] - math.log10(curve.binding or 1.0)))
        self.mark.setData([x[at]] if binds else [], [allowed[at]] if binds else [])
        ends = [(explain.times(curve.allowed[i]), explain.chance(curve.priors[i])) for i in (0, -1)]
        return f"From {ends[0][0]} for a belief of {ends[0][1]} to {ends[1][0]} for one of {ends[1][1]}."


class ImpliedEpsilonPanel(CurvePanel):
    """The epsilon that each belief allows; the strictest one binds."""

    title = "The epsilon that each belief allows"

    def build(self) -> None:
        self.plot = Plot(self.colours, bottom=AXES["p"], height=CURVE_HEIGHT)
        self.curve = pg.PlotDataItem(pen=pen(self.colours.text, 2), connect="finite")
        self.level = pg.PlotDataItem(pen=pen(self.colours.text, 1, Qt.PenStyle.DashLine))
        self.mark = pg.ScatterPlotItem(size=10, pen=pen(self.colours.text, 1), brush=QBrush(QColor(self.colours.text)))
        self.free = pg.LinearRegionItem(movable=False, brush=QBrush(QColor(self.colours.shade)), pen=pen(self.colours.shade))
        self.free.setZValue(-30)
        for item in (self.free, self.level, self.curve, self.mark):
            self.plot.addItem(item, ignoreBounds=True)
        self.binds_words = self.plot.words(anchor=(0.5, 0), bold=True)
        self.free_words = self.plot.words(self.colours.quiet, anchor=(0.5, 0))
        self.column.addWidget(self.plot)
        self.column.addWidget(FigureTools(self, self.title, self.drawn))
        self.clear()

    def clear(self) -> None:
        for item in (self.curve, self.level, self.mark):
            item.setData([], [])
        self.free.hide()
        self.plot.say(self.binds_words, "")
        self.plot.say(self.free_words, "")

    def draw_curve(self, curve: RiskCurve, answer: Answer) -> str:
        x = [math.log10(prior) for prior in curve.priors]
        limit = curve.limit or 0.0
        top = next((most for most in TOPS if most >= 2.0 * limit), TOPS[-1]) if limit else max([*finite(curve.epsilons), 1.0])
        shown = [epsilon if epsilon <= top * 1.5 else math.nan for epsilon in curve.epsilons]
        self.plot.set_axes((x[0], x[-1]), (0.0, top), prior_ticks(curve.priors[0], curve.priors[-1]), even_ticks(top))
        self.plot.set_label(AXES[curve.axis])
        self.curve.setData(x, shown)
        unbounded = [place for place, epsilon in zip(x, curve.epsilons, strict=True) if epsilon == math.inf]
        self.free.setVisible(bool(unbounded))
        self.plot.say(self.free_words, "no bound here" if unbounded else "")
        if unbounded:
            self.free.setRegion((unbounded[0], x[-1]))
            self.free_words.setPos((unbounded[0] + x[-1]) / 2, top * 0.98)
        if curve.binding is None or not limit:
            self.level.setData([], [])
            self.mark.setData([], [])
            self.plot.say(self.binds_words, "")
            return explain.why(answer.why)
        at = math.log10(curve.binding)
        self.level.setData([x[0], at], [limit, limit])
        self.mark.setData([at] if curve.attained else [], [limit] if curve.attained else [])
        words = f"binds here: prior {explain.chance(curve.binding)}"
        self.plot.say(self.binds_words, words)
        place = (at - x[0]) / (x[-1] - x[0])
        self.binds_words.setAnchor((0 if place < 0.25 else 1 if place > 0.75 else 0.5, 0))  # keep the words on the plot
        self.binds_words.setPos(at, limit - 0.02 * top)
        return f"The strictest is the one to keep: {explain.limit(limit)}, for a belief of {explain.chance(curve.binding)}."
