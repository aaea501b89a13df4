"""How much likelier a right guess becomes, against epsilon: exact against simplified, and for several beliefs."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, guessing_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class GuessingPanel(FigurePanel):
    """The advantage of a guess over the epsilon of the release."""

    titled = ("chart", "guessing_title")
    offered = guessing_chart.VIEWS
    _known: guessing_chart.Curves | None = None

    def read(self, decision: Decision, picture: Picture) -> Any:
        followed, view = self.spoken_of(decision, picture), self.viewed(guessing_chart.VIEWS)
        return None if followed is None else guessing_chart.inputs(*followed, decision.release, decision.chosen, view)

    def compute(self, read: Any, stop: Any) -> Figure:
        # by one thread only; they rest while the advantage is dragged
        self._known = guessing_chart.curves(read, self._known)
        return guessing_chart.figure(read, self._known)
