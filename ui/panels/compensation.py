"""What a breach would cost: Figure 4 of Dandekar, Basu & Bressan, as published and audited, with the cheapest points."""

from __future__ import annotations

from typing import Any

from dpwizard.decision import Decision
from dpwizard.drawings import cost_chart
from dpwizard.drawings.charts import Figure, looked_at
from dpwizard.drawings.picture import Picture
from dpwizard.explain import word
from ui.figure_panel import FigurePanel


class CompensationPanel(FigurePanel):
    """Money for all people against the level of privacy."""

    title = word("chart", "cost_title")

    def read(self, decision: Decision, picture: Picture) -> Any:
        return cost_chart.inputs(decision, looked_at(picture.assessment))

    def compute(self, read: Any, stop: Any) -> Figure:
        return cost_chart.figure(read)
