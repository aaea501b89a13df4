"""What many releases lose together: Figure 5 of Dandekar, Basu & Bressan, with the rules that hold beside the one that fails."""

from __future__ import annotations

from typing import Any

from dpwizard.decision import Decision
from dpwizard.drawings import composition_chart
from dpwizard.drawings.charts import Figure, looked_at
from dpwizard.drawings.picture import Picture
from dpwizard.explain import word
from ui.figure_panel import FigurePanel


class CompositionPanel(FigurePanel):
    """Basic, advanced, optimal and exact composition over the number of releases; the published theorem struck through."""

    title = word("chart", "composition_title")

    def read(self, decision: Decision, picture: Picture) -> Any:
        return composition_chart.inputs(decision, looked_at(picture.assessment))

    def compute(self, read: Any, stop: Any) -> Figure:
        return composition_chart.figure(read)
