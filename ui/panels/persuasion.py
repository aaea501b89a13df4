"""How far a prediction may be moved: how surely the promise holds, and the smallest noise, against the gain allowed."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, persuasion_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class PersuasionPanel(FigurePanel):
    """Two plots over kappa: the chance that the gain stays within it, and the least noise that makes it so."""

    titled = ("chart", "persuasion_title")
    height_of_plot = 200

    def read(self, decision: Decision, picture: Picture) -> Any:
        followed = self.spoken_of(decision, picture)
        return None if followed is None else persuasion_chart.inputs(*followed, decision.release, decision.chosen)

    def compute(self, read: Any, stop: Any) -> Figure:
        return persuasion_chart.figure(read)
