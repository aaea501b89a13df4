"""How rarely a promise may fail: what an intruder may become against how rarely, and hits against false alarms."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, looked_at, tolerated_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class ToleratedPanel(FigurePanel):
    """What the chosen budget lets the binding intruder become, for every tolerance."""

    titled = ("tolerated", "title")
    offered = tolerated_chart.VIEWS

    def read(self, decision: Decision, picture: Picture) -> Any:
        followed, view = self.spoken_of(decision, picture), self.viewed(tolerated_chart.VIEWS)
        if followed is None:
            return None
        return tolerated_chart.inputs(*followed, decision.release, looked_at(picture.assessment), view)

    def compute(self, read: Any, stop: Any) -> Figure:
        return tolerated_chart.figure(read)
