"""What many releases lose together: Figure 5 of Dandekar, Basu & Bressan, rules that hold and the one that fails."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, composition_chart, looked_at
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class CompositionPanel(FigurePanel):
    """Basic, advanced, optimal, exact composition over the number of releases; the published theorem struck through.

    The parts of the published figure, and its Table 1 as quoted, can be looked up beside one's own releases.
    """

    titled = ("chart", "composition_title")
    offered = composition_chart.VIEWS

    def read(self, decision: Decision, picture: Picture) -> Any:
        return composition_chart.inputs(decision, looked_at(picture.assessment), self.viewed(composition_chart.VIEWS))

    def compute(self, read: Any, stop: Any) -> Figure:
        return composition_chart.figure(read)
