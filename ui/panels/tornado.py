"""Which answer moves epsilon most: computed when nothing else is to do, given up as soon as something is."""

from __future__ import annotations

from typing import Any

from dpwizard.decision import Decision
from dpwizard.drawings import influence_chart
from dpwizard.drawings.charts import Figure
from dpwizard.drawings.picture import Picture
from dpwizard.explain import word
from ui import theme
from ui.figure_panel import FigurePanel

IDLE = 300  # milliseconds without an edit


class TornadoPanel(FigurePanel):
    """Each answer a tenth down and a tenth up, and where the ends of the window go."""

    pause = IDLE

    def __init__(self, colours: theme.Colours, *, on_card: bool = False) -> None:
        self.title = word("chart", "tornado_title")
        super().__init__(colours, on_card=on_card)

    def read(self, decision: Decision, picture: Picture) -> Any:
        window = picture.assessment.window
        if window.binds_lower is None and window.binds_upper is None:
            return None
        bare = decision.model_copy(update={"epsilon": None, "justification": None, "title": None})
        return Asked(bare, picture)

    def compute(self, read: Any, stop: Any) -> Figure:
        return influence_chart.tornado(read.decision, read.picture.assessment, stop)


class Asked:
    """A decision without what no solver reads, with its assessment; equal where the decision is."""

    def __init__(self, decision: Decision, picture: Picture) -> None:
        self.decision, self.picture = decision, picture

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Asked) and other.decision == self.decision

    __hash__ = None  # type: ignore[assignment]
