"""What others have chosen, beside the budget chosen here; nothing before one is chosen."""

from __future__ import annotations

from dpwizard.charts import Picture
from dpwizard.decision import Decision
from ui.controls import PrecedentsTable
from ui.panels.panel import Panel


class PrecedentsPanel(Panel):
    """One's own decision among the choices of others; not there before a budget is chosen."""

    titled = ("precedents", "title")

    def build(self) -> None:
        self.table = PrecedentsTable()
        self.column.addWidget(self.table)
        self.sentence.hide()
        self.hide()

    def draw(self, decision: Decision, picture: Picture) -> str:
        self.setVisible(decision.chosen is not None or self.table.opened)
        self.table.show_decision(decision, picture.assessment)
        return ""
