"""The profile for both beliefs: Figure 5 of Kazan & Reiter, two heat maps with the belief that binds."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, surfaces
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel


class SurfacePanel(FigurePanel):
    """The ratio allowed and the epsilon it implies, over the chance of presence and that of the sensitive value."""

    titled = ("chart", "map_title")
    offered = ("log", "linear")
    height_of_plot = 260

    def read(self, decision: Decision, picture: Picture) -> Any:
        followed = self.spoken_of(decision, picture)
        return None if followed is None else surfaces.inputs(*followed, decision.release, self.view == "log")

    def compute(self, read: Any, stop: Any) -> Figure:
        return surfaces.figure(read)
