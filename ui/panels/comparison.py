"""What other profiles would mean for the figure: Figure 2 of Kazan & Reiter for one's own numbers, any shape."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, comparison
from dpwizard.decision import Decision
from ui.panels.adversary_choice import AdversaryChoice
from ui.panels.figure_panel import FigurePanel


class ComparisonPanel(FigurePanel):
    """Chance of crossing a threshold, error and implied epsilon, side by side for the profiles compared."""

    titled = ("chart", "comparison_title")
    height_of_plot = 180

    def before_plots(self) -> None:
        super().before_plots()
        self.which = AdversaryChoice()
        self.which.edited.connect(lambda *_: self.redraw())
        self.column.addWidget(self.which)

    def read(self, decision: Decision, picture: Picture) -> Any:
        return comparison.inputs(decision, self.which.offer(decision, picture.assessment))

    def compute(self, read: Any, stop: Any) -> Figure:
        return comparison.figure(comparison.rows(read))
