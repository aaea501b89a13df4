"""What a breach would cost: Figure 4 of Dandekar, Basu & Bressan, as published and audited, with cheapest points."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, cost_chart, looked_at
from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.panels.figure_panel import FigurePanel


class CompensationPanel(FigurePanel):
    """Money for all people against the level of privacy, at this release's noise or the figure's three levels."""

    titled = ("chart", "cost_title")

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        return tuple((view, word("chart", f"view_cost_{view}")) for view in cost_chart.VIEWS)

    def read(self, decision: Decision, picture: Picture) -> Any:
        return cost_chart.inputs(decision, looked_at(picture.assessment), self.viewed(cost_chart.VIEWS))

    def compute(self, read: Any, stop: Any) -> Figure:
        return cost_chart.figure(read)
