"""A figure that takes longer than a frame: what its specification says, computed behind the window, grey meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QTimer

from dpwizard.base.stopping import Stop, stoppable
from dpwizard.charts import Picture, charts, comparison
from dpwizard.decision import Assessment, Decision
from dpwizard.wording import explain, format_text, word
from ui.forms import ChoiceEditor
from ui.panels.chart_panel import HEIGHT, ChartPanel
from ui.panels.panel import Panel, State
from ui.widgets import theme, tr
from ui.workers import Background

PATIENCE = 60  # milliseconds after which a figure that is being computed is greyed


@dataclass(frozen=True, kw_only=True)
class Subject:
    """What a figure may read: the decision with what was solved of it, the requirement followed, and the view."""

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
        """Return the budget that figures speak of."""
        return charts.looked_at(self.assessment)

    def followed(self, inputs: Callable[..., Any], *more: Any) -> Any:
        """Return what INPUTS reads of the requirement followed, its answer, the release and MORE; None without one."""
        requirements, answers = self.decision.requirements, self.assessment.answers
        if not 0 <= self.index < min(len(answers), len(requirements)):
            return None
        return inputs(requirements[self.index], answers[self.index], self.decision.release, *more)


@dataclass(frozen=True, kw_only=True)
class FigureSpec:
    """One figure: its title, what it reads (a frozen value; None: nothing to draw), and what makes it of that."""

    title: tuple[str, str]  # section and key of the wording
    read: Callable[[Subject], Any]
    figure: Callable[[Any], charts.Figure]  # runs behind the window
    views: tuple[str, ...] = ()  # that can be chosen
    view_words: str = "view_"  # what the keys of their words begin with
    height: int = HEIGHT  # pixels of a plot
    pause: int = 0  # milliseconds without an edit before the figure is computed; 0: at once
    compares: bool = False  # whether one chooses above it whose profile is compared
    gives_up: bool = False  # whether its work ends once something newer waits


class AdversaryChoice(ChoiceEditor):
    """A box with the requirements whose profiles can be compared, by their names."""

    def __init__(self) -> None:
        words = (explain.word("chart", "which_adversary"), explain.word("chart", "which_adversary_help"))
        super().__init__(*words, (), optional=False)
        self.hide()
        self._offered: tuple[tuple[int, str], ...] = ()

    def offer(self, decision: Decision, assessment: Assessment) -> int:
        """List what DECISION holds; return the position of the requirement chosen, -1 with none to compare."""
        found = tuple(
            (i, explain.title(assessment.answers[i]))
            for i in comparison.comparable(decision)
            if i < len(assessment.answers)
        )
        before = self.box.currentData()
        if found != self._offered:
            self._offered = found
            self.box.clear()
            for index, words in found:
                self.box.addItem(words, index)
        places = [index for index, _ in found]
        chosen = before if before in places else next(iter(places), -1)
        self.show_value(chosen)
        self.setVisible(len(found) > 1)
        return int(chosen)


class ComputedPanel(Panel):
    """Shows what is computed behind the window of what it reads, and is grey where that takes longer than a moment."""

    def begin_work(self, pause: int = 0, patience: int = PATIENCE) -> None:
        """Be ready to compute, PAUSE milliseconds after the last edit; grey after so many of PATIENCE."""
        self._read: Any = None
        self._asked: Any = None
        self._stale_page = self._pending = False
        self.background = Background(lambda read, stop: self.compute(read, stop), pause=pause, parent=self)
        self.background.done.connect(self._done)
        self.background.failed.connect(self._failed)
        self._timer = QTimer(self, singleShot=True, interval=patience)
        self._timer.timeout.connect(lambda: self._grey(True))

    # --------------------------------------------------------------------- what a subclass says

    def read(self, decision: Decision, picture: Picture) -> Any:
        """Return what is computed of DECISION; None if there is nothing to show."""
        raise NotImplementedError  # abstract

    def compute(self, read: Any, stop: Stop) -> Any:
        """Return what comes of what was READ; runs behind the window."""
        raise NotImplementedError  # abstract

    def take(self, found: Any) -> None:
        """Show what was FOUND."""
        raise NotImplementedError  # abstract

    def put_away(self) -> str:
        """Show nothing; return what is said where there is nothing to show."""
        raise NotImplementedError  # abstract

    # ---------------------------------------------------------------------------------- showing

    def draw(self, decision: Decision, picture: Picture) -> str:
        read = self.read(decision, picture)
        self.setVisible(read is not None)
        if read is None:
            self._read = self._asked = None
            self.background.forget()
            self._timer.stop()
            self._grey(False)
            return self.put_away()
        if read != self._asked:
            self._asked = read
            self.background.request(read)
            if not self._timer.isActive():
                self._timer.start()
        return word("chart", "working") if self._read is None else self.sentence.words

    def _done(self, read: Any, found: Any) -> None:
        if self._asked is None:
            return  # there is nothing to show any more
        self._read = read
        self.take(found)
        if not self.background.busy:
            self._timer.stop()
            self._grey(False)

    def _failed(self, read: Any, reason: str) -> None:
        if read != self._asked:
            return
        self._timer.stop()
        self._read = self._asked = None  # asked again with the next answers
        self.put_away()
        self.say(format_text("chart", "failed", {"reason": reason}))
        self._grey(False)

    # ------------------------------------------------------------------------------------ stale

    def set_stale(self, stale: bool) -> None:
        """Grey the panel while the page's answers, or its own, are of an older decision."""
        self._stale_page = stale
        super().set_stale(stale or self._pending)

    def _grey(self, pending: bool) -> None:
        self._pending = pending and self.background.busy
        super().set_stale(self._pending or self._stale_page)

    def close_down(self) -> None:
        """End the work behind the panel; the window is closing."""
        self._timer.stop()
        self.background.close()


class FigurePanel(ComputedPanel, ChartPanel):
    """Shows the figure of a specification, computed behind the window."""

    def __init__(self, colours: theme.Colours, spec: FigureSpec, *, on_card: bool = False) -> None:
        self.spec = spec
        self.titled = spec.title
        self.height_of_plot = spec.height
        super().__init__(colours, on_card=on_card)

    def build(self) -> None:
        self.view = self.views[0][0] if self.views else ""
        self.index = 0  # the requirement spoken of, by position
        self.chooser: ChoiceEditor | None = None
        self.which: AdversaryChoice | None = None
        super().build()
        self.begin_work(self.spec.pause)

    def before_plots(self) -> None:
        if self.views:
            self.chooser = ChoiceEditor(tr("View"), tr("Which figure is drawn."), self.views, optional=False)
            self.chooser.show_value(self.view)
            self.chooser.edited.connect(lambda view, _: self.choose(view))
            self.column.addWidget(self.chooser)
        if self.spec.compares:
            self.which = AdversaryChoice()
            self.which.edited.connect(lambda *_: self.redraw())
            self.column.addWidget(self.which)

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        """Return the keys and words of the views that can be chosen."""
        return tuple((view, word("chart", f"{self.spec.view_words}{view}")) for view in self.spec.views)

    def read(self, decision: Decision, picture: Picture) -> Any:
        index = self.index if self.which is None else self.which.offer(decision, picture.assessment)
        return self.spec.read(Subject(decision=decision, picture=picture, index=index, view=self.view))

    def compute(self, read: Any, stop: Stop) -> charts.Figure:
        with stoppable(stop if self.spec.gives_up else None):
            return self.spec.figure(read)

    def take(self, found: charts.Figure) -> None:
        self.show_figure(found)

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
        """Speak of requirement INDEX from now on."""
        self.index = index
        self.redraw()
