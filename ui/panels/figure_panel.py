"""Panels whose content takes longer than a frame: computed in the background, and grey meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QTimer

from dpwizard.base.stopping import Stop, stoppable
from dpwizard.charts import Picture, charts, comparison
from dpwizard.decision import Assessment, Decision
from dpwizard.wording import assessments, format_text, texts, word
from ui.forms import ChoiceEditor
from ui.panels.chart_panel import HEIGHT, ChartPanel
from ui.panels.panel import Panel, State
from ui.widgets import theme, tr
from ui.workers import Background

PATIENCE = 60  # milliseconds after which a figure that is being computed is greyed


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a figure may read: the decision with its answers, the requirement followed, and the view."""

    decision: Decision
    picture: Picture
    index: int  # the requirement followed, by position; -1 for none
    view: Any  # one of the views of the figure's specification

    @property
    def assessment(self) -> Assessment:
        """Return the answers of the decision."""
        return self.picture.assessment

    @property
    def budget(self) -> float | None:
        """Return the budget at which figures are drawn."""
        return charts.looked_at(self.assessment)

    def followed(self, drawing: Callable[..., charts.Drawing | None], *more: Any) -> charts.Drawing | None:
        """Return the DRAWING of the requirement followed, its answer, the release and MORE; None without one."""
        requirements, answers = self.decision.requirements, self.assessment.answers
        if not 0 <= self.index < min(len(answers), len(requirements)):
            return None
        return drawing(requirements[self.index], answers[self.index], self.decision.release, *more)


@dataclass(frozen=True, kw_only=True)
class FigureSpec:
    """One figure: its title, and what is drawn of a subject (None: no figure)."""

    title: tuple[str, str]  # section and key of the wording
    drawing: Callable[[Subject], charts.Drawing | None]  # draws the figure behind the window
    views: tuple[str, ...] = ()  # to choose from
    view_words: str = "view_"  # prefix of the keys of their words
    height: int = HEIGHT  # pixels of a plot
    pause: int = 0  # milliseconds without an edit before the figure is computed; 0: at once
    compares: bool = False  # whether a box above it chooses the profile to compare
    gives_up: bool = False  # whether its work stops when a newer request waits


class AdversaryChoice(ChoiceEditor):
    """A box of the requirements whose profiles can be compared."""

    def __init__(self) -> None:
        words = (texts.word("chart", "which_adversary"), texts.word("chart", "which_adversary_help"))
        super().__init__(*words, (), optional=False)
        self.hide()
        self._offered: tuple[tuple[int, str], ...] = ()

    def offer(self, decision: Decision, assessment: Assessment) -> int:
        """List the requirements of DECISION; return the position of the chosen one, -1 if none can be compared."""
        choices = tuple(
            (i, assessments.title(assessment.answers[i]))
            for i in comparison.comparable(decision)
            if i < len(assessment.answers)
        )
        before = self.box.currentData()
        if choices != self._offered:
            self._offered = choices
            self.box.clear()
            for index, words in choices:
                self.box.addItem(words, index)
        places = [index for index, _ in choices]
        chosen = before if before in places else next(iter(places), -1)
        self.show_value(chosen)
        self.setVisible(len(choices) > 1)
        return int(chosen)


class ComputedPanel(Panel):
    """A panel that computes its content in the background, and is grey if that takes longer than a moment."""

    def begin_work(self, pause: int = 0, patience: int = PATIENCE) -> None:
        """Prepare to compute PAUSE milliseconds after the last edit, and to grey the panel PATIENCE later."""
        self._shown_inputs: Any = None
        self._requested_inputs: Any = None
        self._page_is_stale = self._pending = False
        self.background = Background(lambda inputs, stop: self.compute(inputs, stop), pause=pause, parent=self)
        self.background.done.connect(self._show_result)
        self.background.failed.connect(self._show_failure)
        self._grey_timer = QTimer(self, singleShot=True, interval=patience)
        self._grey_timer.timeout.connect(lambda: self._set_pending(True))

    # --------------------------------------------------------------------- what a subclass says

    def read(self, decision: Decision, picture: Picture) -> Any:
        """Return the inputs from DECISION; None if there is nothing to show."""
        raise NotImplementedError  # abstract

    def compute(self, inputs: Any, stop: Stop) -> Any:
        """Return the content computed from INPUTS; runs in the background."""
        raise NotImplementedError  # abstract

    def take(self, content: Any) -> None:
        """Show CONTENT."""
        raise NotImplementedError  # abstract

    def put_away(self) -> str:
        """Hide the content; return the sentence to show instead."""
        raise NotImplementedError  # abstract

    # ---------------------------------------------------------------------------------- showing

    def draw(self, decision: Decision, picture: Picture) -> str:
        inputs = self.read(decision, picture)
        self.setVisible(inputs is not None)
        if inputs is None:
            self._shown_inputs = self._requested_inputs = None
            self.background.forget()
            self._grey_timer.stop()
            self._set_pending(False)
            return self.put_away()
        if inputs != self._requested_inputs:
            self._requested_inputs = inputs
            self.background.request(inputs)
            if not self._grey_timer.isActive():
                self._grey_timer.start()
        return word("chart", "working") if self._shown_inputs is None else self.sentence.words

    def _show_result(self, inputs: Any, content: Any) -> None:
        if self._requested_inputs is None:
            return  # there is nothing to show any more
        self._shown_inputs = inputs
        self.take(content)
        if not self.background.busy:
            self._grey_timer.stop()
            self._set_pending(False)

    def _show_failure(self, inputs: Any, reason: str) -> None:
        if inputs != self._requested_inputs:
            return
        self._grey_timer.stop()
        self._shown_inputs = self._requested_inputs = None  # asked again with the next answers
        self.put_away()
        self.say(format_text("chart", "failed", {"reason": reason}))
        self._set_pending(False)

    # ------------------------------------------------------------------------------------ stale

    def set_stale(self, stale: bool) -> None:
        """Grey the panel while the page, or the panel itself, answers an older decision."""
        self._page_is_stale = stale
        super().set_stale(stale or self._pending)

    def _set_pending(self, pending: bool) -> None:
        self._pending = pending and self.background.busy
        super().set_stale(self._pending or self._page_is_stale)


class FigurePanel(ComputedPanel, ChartPanel):
    """Shows the figure of a specification, computed in the background."""

    def __init__(self, colours: theme.Colours, spec: FigureSpec, *, on_card: bool = False) -> None:
        self.spec = spec
        self.titled = spec.title
        self.height_of_plot = spec.height
        super().__init__(colours, on_card=on_card)

    def build(self) -> None:
        self.view = self.views[0][0] if self.views else ""
        self.index = 0  # the requirement followed, by position
        self.chooser: ChoiceEditor | None = None
        self.which: AdversaryChoice | None = None
        super().build()
        self.begin_work(self.spec.pause)

    def before_plots(self) -> None:
        if self.views:
            self.chooser = ChoiceEditor(tr("View"), tr("Which chart is shown."), self.views, optional=False)
            self.chooser.show_value(self.view)
            self.chooser.edited.connect(lambda view, _: self.choose(view))
            self.column.addWidget(self.chooser)
        if self.spec.compares:
            self.which = AdversaryChoice()
            self.which.edited.connect(lambda *_: self.redraw())
            self.column.addWidget(self.which)

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        """Return the keys and words of the views to choose from."""
        return tuple((view, word("chart", f"{self.spec.view_words}{view}")) for view in self.spec.views)

    def read(self, decision: Decision, picture: Picture) -> charts.Drawing | None:
        index = self.index if self.which is None else self.which.offer(decision, picture.assessment)
        return self.spec.drawing(Subject(decision=decision, picture=picture, index=index, view=self.view))

    def compute(self, inputs: Any, stop: Stop) -> charts.Figure:
        with stoppable(stop if self.spec.gives_up else None):
            drawn: charts.Figure = inputs.figure()
            return drawn

    def take(self, content: charts.Figure) -> None:
        self.show_figure(content)

    def put_away(self) -> str:
        self.clear()
        return word("chart", "nothing")

    def speaks(self, state: State) -> bool:
        return state.solved is not None and self.read(state.solved.decision, state.solved.picture) is not None

    def choose(self, view: str) -> None:
        """Draw another view."""
        self.view = view
        if self.chooser is not None:
            self.chooser.show_value(view)
        self.redraw()

    def follow(self, index: int) -> None:
        """Draw requirement INDEX from now on."""
        self.index = index
        self.redraw()
