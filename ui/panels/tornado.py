"""Which answer moves epsilon most: computed when nothing else is to do, given up as soon as something is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from dpwizard.charts import Figure, Picture, influence_chart
from dpwizard.decision import Decision
from ui.panels.figure_panel import FigurePanel

IDLE = 300  # milliseconds without an edit


class TornadoPanel(FigurePanel):
    """Each answer a tenth down and a tenth up, and where the ends of the window go."""

    titled = ("chart", "tornado_title")
    pause = IDLE

    def read(self, decision: Decision, picture: Picture) -> Any:
        window = picture.assessment.window
        if window.binds_lower is None and window.binds_upper is None:
            return None
        bare = decision.model_copy(update={"epsilon": None, "rho": None, "justification": None, "title": None})
        return Asked(decision=bare, picture=picture)

    def compute(self, read: Any, stop: Any) -> Figure:
        return influence_chart.tornado(read.decision, read.picture.assessment, stop)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """A decision without what no solver reads, with its answers; equal where the decision is."""

    decision: Decision
    picture: Picture = field(compare=False)
