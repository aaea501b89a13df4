"""Panels of the risk-profile step: how much the release may teach, and the epsilon that each belief allows."""

from __future__ import annotations

from PySide6.QtCore import Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.charts import BeliefAxis, Figure, Picture, Strand, profile_chart, profile_handles
from dpwizard.decision import Decision
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.privacy.profiles import Shape, View
from dpwizard.wording import chance, explain, format_text, times, word
from ui.forms import ChoiceEditor
from ui.panels.chart_panel import ChartPanel
from ui.plots import ChartPlot, Handles
from ui.widgets import tr

CURVE_HEIGHT = 216


class CurvePanel(ChartPanel):
    """What the two panels share: they follow one requirement, draw along the prior that varies, others behind it."""

    height_of_plot = CURVE_HEIGHT
    index = 0  # the requirement followed, by position
    axis: BeliefAxis | None = None  # the belief looked along, where there is a choice

    def follow(self, index: int) -> None:
        """Draw requirement INDEX from now on."""
        self.index = index
        self.redraw()

    def look_along(self, axis: BeliefAxis) -> None:
        """Draw along the belief AXIS from now on, where the profile varies in both."""
        self.axis = axis
        self.redraw()

    def drafted(self, picture: Picture) -> bool:
        return self.index not in picture.assessment.pending

    def nothing(self, decision: Decision, picture: Picture) -> str:
        drawn = picture.drawn[self.index] if 0 <= self.index < len(picture.drawn) else None
        if drawn is None:
            return word("advice", "no_adversary")
        return explain.why(drawn.answer.why, kind=drawn.answer.kind)

    def figure_of(self, decision: Decision, picture: Picture) -> Figure | None:
        every = [strand for drawn in picture.drawn for strand in drawn.strands]
        axes = profile_chart.axes_of(every, self.index)
        if not axes:
            return None
        axis = self.axis if self.axis in axes else axes[0]
        return self.figure_along(every, axis, picture)

    def figure_along(self, every: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        """Return the figure of EVERY strand along AXIS."""
        raise NotImplementedError  # abstract

    def whole(self, figure: Figure) -> Figure:
        return profile_chart.tabled(figure)


class RiskProfilePanel(CurvePanel):
    """r*: how many times likelier each belief may become. The followed profile can be taken hold of."""

    titled = ("chart", "profile_title")
    looked_along = Signal(str)  # the belief chosen to look along
    # the new profile, what Undo calls the edit, and the handle that made it; "" where it stands alone
    reshaped = Signal(object, str, str)
    settled = Signal()  # the hand has let go

    def before_plots(self) -> None:
        choices = tuple((axis, word("chart", f"along_{axis}")) for axis in ("p", "q"))
        self.along = ChoiceEditor(tr("View"), tr("Along which belief the curves are drawn."), choices, optional=False)
        self.along.edited.connect(lambda axis, _: self.looked_along.emit(axis))
        self.along.hide()
        self.column.addWidget(self.along)
        self.handles: Handles | None = None
        self._profile: Shape | None = None
        self._view: View | None = None
        self._held = ""

    def plot_added(self, plot: ChartPlot) -> None:
        self.handles = plot.offer_handles()
        self.handles.moved.connect(self._move)
        self.handles.added.connect(self._add)
        self.handles.removed.connect(self._remove)
        self.handles.settled.connect(self._let_go)
        self.handles.taken.connect(lambda _: self._tell())

    def figure_along(self, every: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        followed = next(strand for strand in every if strand.index == self.index and strand.curve.axis == axis)
        axes = profile_chart.axes_of(every, self.index)
        self.along.setVisible(len(axes) > 1)
        self.along.show_value(axis)
        figure = profile_chart.ratios(every, self.index, axis)
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
        """Offer the profile as DECISION has it now to the hand: at once, before anything is solved."""
        requirement = decision.requirements[self.index] if 0 <= self.index < len(decision.requirements) else None
        self._profile = requirement.profile if isinstance(requirement, RelativeRisk) else None
        if self.handles is None:
            return
        offered = profile_handles.handles(self._profile, self._view) if self._view is not None else ()
        self.handles.show(offered, self._profile is not None and self._profile.grows and bool(offered))
        self.tools.hint(profile_handles.hint(offered, self._profile))
        if self.in_hand:
            self._tell()

    def _tell(self) -> None:
        """Say where the handle in hand is, and what holds it."""
        handles = self.handles
        if handles is None or not 0 <= handles.at < len(handles.shown) or self._view is None:
            return
        handle = handles.shown[handles.at]
        figures = {"name": handle.name, "x": chance(float(f"{handle.x:.3g}")), "y": times(handle.y)}
        words = " ".join(part for part in (format_text("handle", "at", figures), self._held) if part)
        handles.plot.setAccessibleDescription(words)
        handles.plot.reading.emit(words)

    def _move(self, index: int, x: float, y: float) -> None:
        if self._profile is None or self._view is None or self.handles is None or index >= len(self.handles.shown):
            return
        name = self.handles.shown[index].name
        try:
            found = self._profile.moved(index, self._view, x, y)
        except DPWizardError as problem:
            self._refuse(problem)
            return
        self._held = profile_handles.held(found.held)
        if found.profile != self._profile:
            self.reshaped.emit(found.profile, tr("Move {handle}", handle=name), f"{index}")
        self._tell()

    def _add(self, x: float) -> None:
        if self._profile is None or self._view is None or self.handles is None:
            return
        try:
            profile, at = self._profile.added(self._view, x)
        except DPWizardError as problem:
            self._refuse(problem)
            return
        self._held = ""
        self.reshaped.emit(profile, tr("Add a knot"), "")
        self.handles.reach(at)

    def _remove(self, index: int) -> None:
        if self._profile is None or self._view is None or self.handles is None:
            return
        name = self.handles.shown[index].name
        try:
            profile = self._profile.removed(index, self._view)
        except DPWizardError as problem:
            self._refuse(problem)
            return
        self._held = ""
        self.reshaped.emit(profile, tr("Remove {handle}", handle=name), "")
        self.handles.reach(min(index, len(self.handles.shown) - 1))

    def _refuse(self, problem: DPWizardError) -> None:
        """Say in words why nothing was moved, added or removed."""
        if self.handles is not None:
            words = tr("Not done: {reason}. {hint}", reason=problem.text, hint=problem.remedy)
            self.handles.plot.setAccessibleDescription(words)
            self.handles.plot.reading.emit(words)

    def _let_go(self) -> None:
        self._held = ""
        self.settled.emit()


class ImpliedEpsilonPanel(CurvePanel):
    """The epsilon that each belief allows; the strictest one binds."""

    titled = ("chart", "implied_title")

    def figure_along(self, every: list[Strand], axis: BeliefAxis, picture: Picture) -> Figure:
        return profile_chart.implied(every, self.index, axis, picture.assessment.window.binds_upper)
