"""What a breach would cost: Figure 4 of Dandekar, Basu & Bressan, as published and audited, with cheapest points."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, cost_chart, looked_at
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class CompensationPanel(FigurePanel):
    """Money for all people against the level of privacy, at this release's noise or the figure's three levels."""

    titled = ("chart", "cost_title")
    offered = cost_chart.VIEWS
    view_words = "view_cost_"

    def read(self, decision: Decision, picture: Picture) -> Any:
        return cost_chart.inputs(decision, looked_at(picture.assessment), self.viewed(cost_chart.VIEWS))

    def compute(self, read: Any, stop: Any) -> Figure:
        return cost_chart.figure(read)
