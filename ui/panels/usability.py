"""All five measures of usability at the epsilon chosen, beside what is asked for."""

from __future__ import annotations

from dpwizard.charts import Picture, usability
from dpwizard.decision import Decision
from dpwizard.wording import choice_of, format_text, word
from ui.controls import RowsTable
from ui.panels.panel import Panel
from ui.widgets import added

SHARES = (0.46, 0.18, 0.18, 0.18)  # of the width: measure, what it gives, what is asked, whether it is kept


class UsabilityPanel(Panel):
    """A row for each measure: what this epsilon gives, what a need asks for, and whether it is kept."""

    titled = ("implied", "usability_title")

    def build(self) -> None:
        self.table = added(self.column, RowsTable(self.title, wraps=True))

    def drafted(self, picture: Picture) -> bool:
        return True  # it reads no promise

    def draw(self, decision: Decision, picture: Picture) -> str:
        found = usability.measures(decision, picture.assessment)
        self.table.setVisible(bool(found))
        if not found or decision.chosen is None:
            exact = decision.release.noise.absent
            return word("implied", "exact_figure" if exact else "usability_open")
        columns, rows = usability.table(found)
        if (self.table.columns(), self.table.rows()) != (columns, rows):
            self.table.fill(columns, rows, shares=SHARES)
        return format_text("implied", "usability", {"epsilon": choice_of(picture.assessment)})
