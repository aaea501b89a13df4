"""Panels of the risk-profile step: how much the release may reveal, and the epsilon that each prior allows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.charts import BeliefAxis, Figure, Picture, Strand, profile_chart, profile_handles
from dpwizard.decision import Decision
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.privacy.profiles import Shape, View
from dpwizard.wording import assessments, chance, format_text, times, word
from ui.forms import ChoiceEditor
from ui.panels.chart_panel import ChartPanel
from ui.plots import ChartPlot, Handles
from ui.widgets import tr

CURVE_HEIGHT = 216


class CurvePanel(ChartPanel):
    """The base of both panels: one requirement drawn along the prior that varies, others behind it."""

    height_of_plot = CURVE_HEIGHT
    index = 0  # the requirement followed, by position
    axis: BeliefAxis | None = None  # the prior to draw along, if both vary

    def follow(self, index: int) -> None:
        """Draw requirement INDEX from now on."""
        self.index = index
        self.redraw()

    def look_along(self, axis: BeliefAxis) -> None:
        """Draw along the prior AXIS from now on, if the profile varies in both."""
        self.axis = axis
        self.redraw()

    def drafted(self, picture: Picture) -> bool:
        return self.index not in picture.assessment.pending

    def nothing(self, decision: Decision, picture: Picture) -> str:
        drawn = picture.drawn[self.index] if 0 <= self.index < len(picture.drawn) else None
        if drawn is None:
            return word("advice", "no_adversary")
        return assessments.why(drawn.answer.why, kind=drawn.answer.kind)

    def figure_of(self, decision: Decision, picture: Picture) -> Figure | None:
        strands = [strand for drawn in picture.drawn for strand in drawn.strands]
        axes = profile_chart.axes_of(strands, self.index)
        if not axes:
            return None
        axis = self.axis if self.axis in axes else axes[0]
        return self.figure_along(strands, axis, picture)

    def figure_along(self, strands: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        """Return the figure of STRANDS along AXIS."""
        raise NotImplementedError  # abstract

    def whole(self, figure: Figure) -> Figure:
        return profile_chart.tabled(figure)


class RiskProfilePanel(CurvePanel):
    """r*: how many times as likely each prior may become. The profile followed is edited by handles."""

    titled = ("chart", "profile_title")
    looked_along = Signal(str)  # the prior chosen to draw along
    # the new profile, the name of the edit, and the handle that was moved; "" for another edit
    reshaped = Signal(object, str, str)
    settled = Signal()  # a drag has ended

    def before_plots(self) -> None:
        choices = tuple((axis, word("chart", f"along_{axis}")) for axis in ("p", "q"))
        self.along = ChoiceEditor(tr("View"), tr("Which chance before the curves follow."), choices, optional=False)
        self.along.edited.connect(lambda axis, _: self.looked_along.emit(axis))
        self.along.hide()
        self.column.addWidget(self.along)
        self.handles: Handles | None = None
        self._profile: Shape | None = None
        self._view: View | None = None
        self._limit_words = ""

    def plot_added(self, plot: ChartPlot) -> None:
        self.handles = plot.offer_handles()
        self.handles.moved.connect(self._move_handle)
        self.handles.added.connect(self._add_knot)
        self.handles.removed.connect(self._remove_knot)
        self.handles.settled.connect(self._end_drag)
        self.handles.taken.connect(lambda _: self._say_handle())

    def figure_along(self, strands: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        followed = next(strand for strand in strands if strand.index == self.index and strand.curve.axis == axis)
        axes = profile_chart.axes_of(strands, self.index)
        self.along.setVisible(len(axes) > 1)
        self.along.show_value(axis)
        figure = profile_chart.ratios(strands, self.index, axis)
        requirement = picture.drawn[self.index].requirement
        most: float | None = 1.0
        if isinstance(requirement, RelativeRisk):
            other = requirement.beliefs()[1 if axis == "p" else 0]
            most = other[1] if isinstance(other, tuple) else other
        low, high, fixed = followed.curve.priors[0], followed.curve.priors[-1], followed.curve.other
        self._view = View(axis=axis, low=low, high=high, other=fixed, most=max(most or 0.0, fixed))
        return figure

    def painted(self, decision: Decision, picture: Picture) -> None:
        if self.figure is None:
            self._view = None
            self.along.hide()  # there is nothing to look along
        if not self.in_hand:
            self.take(decision)

    @property
    def in_hand(self) -> bool:
        """Return whether a handle is being dragged, or has the keyboard."""
        return self.handles is not None and (self.handles.busy or self.handles.at >= 0)

    def take(self, decision: Decision) -> None:
        """Offer handles for the profile in DECISION at once, before anything is solved."""
        requirement = decision.requirements[self.index] if 0 <= self.index < len(decision.requirements) else None
        self._profile = requirement.profile if isinstance(requirement, RelativeRisk) else None
        if self.handles is None:
            return
        offered = profile_handles.handles(self._profile, self._view) if self._view is not None else ()
        self.handles.show(offered, self._profile is not None and self._profile.grows and bool(offered))
        self.tools.hint(profile_handles.hint(offered, self._profile))
        if self.in_hand:
            self._say_handle()

    def _say_handle(self) -> None:
        """Say where the current handle is, and what limits it."""
        handles = self.handles
        if handles is None or not 0 <= handles.at < len(handles.shown) or self._view is None:
            return
        handle = handles.shown[handles.at]
        figures = {"name": handle.name, "x": chance(float(f"{handle.x:.3g}")), "y": times(handle.y)}
        words = " ".join(part for part in (format_text("handle", "at", figures), self._limit_words) if part)
        handles.plot.setAccessibleDescription(words)
        handles.plot.reading.emit(words)

    def _move_handle(self, index: int, x: float, y: float) -> None:
        if self._profile is None or self._view is None or self.handles is None or index >= len(self.handles.shown):
            return
        name = self.handles.shown[index].name
        with self._says_refusal():
            move = self._profile.moved(index, self._view, x, y)
            self._limit_words = profile_handles.held(move.held)
            if move.profile != self._profile:
                self.reshaped.emit(move.profile, tr("Move {handle}", handle=name), f"{index}")
            self._say_handle()

    def _add_knot(self, x: float) -> None:
        if self._profile is None or self._view is None or self.handles is None:
            return
        with self._says_refusal():
            profile, at = self._profile.added(self._view, x)
            self._limit_words = ""
            self.reshaped.emit(profile, tr("Add a knot"), "")
            self.handles.reach(at)

    def _remove_knot(self, index: int) -> None:
        if self._profile is None or self._view is None or self.handles is None:
            return
        name = self.handles.shown[index].name
        with self._says_refusal():
            profile = self._profile.removed(index, self._view)
            self._limit_words = ""
            self.reshaped.emit(profile, tr("Remove {handle}", handle=name), "")
            self.handles.reach(min(index, len(self.handles.shown) - 1))

    @contextmanager
    def _says_refusal(self) -> Iterator[None]:
        """Say why nothing was moved, added or removed, if the profile refuses it."""
        try:
            yield
        except DPWizardError as problem:
            if self.handles is not None:
                words = tr("Not done: {reason}. {hint}", reason=problem.text, hint=problem.remedy)
                self.handles.plot.setAccessibleDescription(words)
                self.handles.plot.reading.emit(words)

    def _end_drag(self) -> None:
        self._limit_words = ""
        self.settled.emit()


class ImpliedEpsilonPanel(CurvePanel):
    """The epsilon that each prior allows; the strictest one sets the limit."""

    titled = ("chart", "implied_title")

    def figure_along(self, strands: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        return profile_chart.implied(strands, self.index, axis, picture.assessment.window.binds_upper)
