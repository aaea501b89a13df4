"""The profile for both beliefs: Figure 5 of Kazan & Reiter, two heat maps with the belief that binds."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, surfaces
from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.panels.figure_panel import FigurePanel


class SurfacePanel(FigurePanel):
    """The ratio allowed and the epsilon it implies, over the chance of presence and that of the sensitive value."""

    titled = ("chart", "map_title")
    height_of_plot = 260

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        return (("log", word("chart", "view_log")), ("linear", word("chart", "view_linear")))

    def read(self, decision: Decision, picture: Picture) -> Any:
        answers = picture.assessment.answers
        if not 0 <= self.index < min(len(answers), len(decision.requirements)):
            return None
        return surfaces.inputs(
            decision.requirements[self.index], answers[self.index], decision.release, self.view == "log"
        )

    def compute(self, read: Any, stop: Any) -> Figure:
        return surfaces.figure(read)
