"""The base of the panels whose figure takes longer than a frame: computed behind the window, grey meanwhile."""

from __future__ import annotations

from typing import Any, TypeVar

from PySide6.QtCore import QTimer

from dpwizard.charts import Picture, charts
from dpwizard.decision import Answer, Decision
from dpwizard.decision.requirements import Requirement
from dpwizard.wording import say, word
from ui.forms import ChoiceEditor
from ui.panels.chart_panel import ChartPanel
from ui.widgets import tr
from ui.workers import Background

View = TypeVar("View", bound=str)

PATIENCE = 60  # milliseconds after which a figure that is being computed is greyed


class FigurePanel(ChartPanel):
    """Shows a figure. A subclass adds what is read of a decision, and which function of the model makes the figure."""

    offered: tuple[str, ...] = ()  # the views that can be chosen
    view_words = "view_"  # what the keys of their words begin with
    pause = 0  # milliseconds without an edit before the figure is computed; 0: at once

    def build(self) -> None:
        self.view = self.views[0][0] if self.views else ""
        self.index = 0  # the requirement spoken of, by position
        self._read: Any = None
        self._asked: Any = None
        self._stale_page = self._pending = False
        self.chooser: ChoiceEditor | None = None
        super().build()
        self.background = Background(lambda read, stop: self.compute(read, stop), pause=self.pause, parent=self)
        self.background.done.connect(self._done)
        self.background.failed.connect(self._failed)
        self._timer = QTimer(self, singleShot=True, interval=PATIENCE)
        self._timer.timeout.connect(lambda: self._grey(True))

    def before_plots(self) -> None:
        if self.views:
            self.chooser = ChoiceEditor(tr("View"), tr("Which figure is drawn."), self.views, optional=False)
            self.chooser.show_value(self.view)
            self.chooser.edited.connect(lambda view, _: self.choose(view))
            self.column.addWidget(self.chooser)

    # --------------------------------------------------------------------- what a subclass says

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        """Return the keys and words of the views that can be chosen."""
        return tuple((view, word("chart", f"{self.view_words}{view}")) for view in self.offered)

    def spoken_of(self, decision: Decision, picture: Picture) -> tuple[Requirement, Answer] | None:
        """Return the requirement followed, with its answer; None where there is none."""
        answers = picture.assessment.answers
        if not 0 <= self.index < min(len(answers), len(decision.requirements)):
            return None
        return decision.requirements[self.index], answers[self.index]

    def read(self, decision: Decision, picture: Picture) -> Any:
        """Return what the figure reads of DECISION: a frozen value; None if there is nothing to draw."""
        raise NotImplementedError  # abstract

    def compute(self, read: Any, stop: Any) -> charts.Figure:
        """Return the figure of what was READ; runs behind the window."""
        raise NotImplementedError  # abstract

    # ---------------------------------------------------------------------------------- showing

    def figure_of(self, decision: Decision, picture: Picture) -> charts.Figure | None:
        """Return the figure computed last; drawing asks for another one where that is of an older decision."""
        return self.figure

    def viewed(self, views: tuple[View, ...]) -> View:
        """Return which of VIEWS is chosen."""
        return next(view for view in views if view == self.view)

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

    def draw(self, decision: Decision, picture: Picture) -> str:
        read = self.read(decision, picture)
        self.setVisible(read is not None)
        if read is None:
            self._read = self._asked = None
            self.background.forget()
            self._timer.stop()
            self._grey(False)
            self.clear()
            return word("chart", "nothing")
        if read == self._read and not self.background.busy:
            return self.sentence.words
        if read != self._asked:
            self._asked = read
            self.background.request(read)
            if not self._timer.isActive():
                self._timer.start()
        return self.sentence.words if self.figure is not None else word("chart", "working")

    def _done(self, read: Any, figure: charts.Figure) -> None:
        if self._asked is None:
            return  # there is nothing to draw any more
        self._read = read
        self.show_figure(figure)
        if not self.background.busy:
            self._timer.stop()
            self._grey(False)

    def _failed(self, read: Any, reason: str) -> None:
        if read != self._asked:
            return
        self._timer.stop()
        self._read = self._asked = None  # asked again with the next answers
        self.clear()
        self.sentence.say(say("chart", "failed", {"reason": reason}))
        self._grey(False)

    # ------------------------------------------------------------------------------------ stale

    def set_stale(self, stale: bool) -> None:
        """Grey the panel while the page's answers, or its own figure, are of an older decision."""
        self._stale_page = stale
        super().set_stale(stale or self._pending)

    def _grey(self, pending: bool) -> None:
        self._pending = pending and self.background.busy
        super().set_stale(self._pending or self._stale_page)

    def close_down(self) -> None:
        """End the work behind the panel; the window is closing."""
        self._timer.stop()
        self.background.close()
