"""What other profiles would mean for the figure: Figure 2 of Kazan & Reiter for the officer's own numbers."""

from __future__ import annotations

from typing import Any

from dpwizard.decision import Decision
from dpwizard.drawings import comparison
from dpwizard.drawings.charts import Figure
from dpwizard.drawings.picture import Picture
from dpwizard.explain import word
from ui.figure_panel import FigurePanel


class ComparisonPanel(FigurePanel):
    """Chance of crossing a threshold, error and implied epsilon, side by side for the profiles compared."""

    title = word("chart", "comparison_title")
    height_of_plot = 180

    def read(self, decision: Decision, picture: Picture) -> Any:
        return comparison.inputs(decision, comparison.first(decision))

    def compute(self, read: Any, stop: Any) -> Figure:
        return comparison.figure(comparison.rows(read))
