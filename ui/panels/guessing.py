"""How much likelier a right guess becomes, against epsilon: exact against simplified, and for several beliefs."""

from __future__ import annotations

from typing import Any

from dpwizard.charts import Figure, Picture, guessing_chart
from dpwizard.decision import Decision
from dpwizard.wording import word
from ui.panels.figure_panel import FigurePanel


class GuessingPanel(FigurePanel):
    """The advantage of a guess over the epsilon of the release."""

    titled = ("chart", "guessing_title")
    _known: guessing_chart.Curves | None = None

    @property
    def views(self) -> tuple[tuple[str, str], ...]:
        return tuple((view, word("chart", f"view_{view}")) for view in guessing_chart.VIEWS)

    def read(self, decision: Decision, picture: Picture) -> Any:
        answers = picture.assessment.answers
        if not 0 <= self.index < min(len(answers), len(decision.requirements)):
            return None
        requirement, answer = decision.requirements[self.index], answers[self.index]
        return guessing_chart.inputs(
            requirement, answer, decision.release, decision.epsilon, self.viewed(guessing_chart.VIEWS)
        )

    def compute(self, read: Any, stop: Any) -> Figure:
        # by one thread only; they rest while the advantage is dragged
        self._known = guessing_chart.curves(read, self._known)
        return guessing_chart.figure(read, self._known)
