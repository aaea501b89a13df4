"""Privacy at risk: Figures 1 to 3, 6 and 7 of Dandekar, Basu & Bressan as published, beside the exact confidence."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, at_risk_chart, looked_at
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel
from ui.widgets import theme


class AtRiskPanel(FigurePanel):
    """Which level holds with which confidence; the published figures can be looked up beside one's own."""

    titled = ("chart", "at_risk_title")
    offered = at_risk_chart.VIEWS

    def __init__(self, colours: theme.Colours, *, followed: bool = False) -> None:
        self.followed = followed  # drawn only where the requirement followed is one of privacy at risk
        super().__init__(colours)

    def read(self, decision: Decision, picture: Picture) -> Any:
        if self.followed and not at_risk_chart.speaks_of(decision, self.index):
            return None
        return at_risk_chart.inputs(decision, looked_at(picture.assessment), self.viewed(at_risk_chart.VIEWS))

    def compute(self, read: Any, stop: Any) -> Figure:
        return at_risk_chart.figure(read)
