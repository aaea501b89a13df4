"""What each attribute and a move within each level loses: the tables that read it, and those of finer levels."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, losses_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class LossesPanel(FigurePanel):
    """A bar for the whole release, for each attribute and for each level; hidden where none is named."""

    titled = ("losses", "title")
    height_of_plot = 260

    def read(self, decision: Decision, picture: Picture) -> Any:
        return losses_chart.inputs(decision, picture.assessment)

    def compute(self, read: Any, stop: Any) -> Figure:
        return losses_chart.figure(read)
