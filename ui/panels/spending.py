"""Spent and left: what earlier releases took, what this one takes and what remains of the budget."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, looked_at, spending_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class SpendingPanel(FigurePanel):
    """One bar for all releases on the same people."""

    titled = ("spending", "title")
    height_of_plot = 108

    def read(self, decision: Decision, picture: Picture) -> Any:
        return spending_chart.inputs(decision, picture.assessment, looked_at(picture.assessment))

    def compute(self, read: Any, stop: Any) -> Figure:
        return spending_chart.figure(read)
