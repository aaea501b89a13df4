"""The card that shares out one budget among several tables: how, what the needs ask for together, and the least."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from dpwizard.decision import Decision, Release, plan
from dpwizard.wording import explain, plans, range_of
from ui.controls import Prose
from ui.forms import Form
from ui.panels import Answered
from ui.session import Session
from ui.widgets import Card, added, tr


class SharedBudgetCard(Card):
    """How the budget is shared out, and the least budget that meets every need: hidden where there is one table."""

    def __init__(self, session: Session) -> None:
        super().__init__(tr("One budget for all tables"))
        self.session = session
        self.form = Form(session, "$.release", Release, ("allocation", "at_most_years"))
        self.column.addWidget(self.form)
        self.said = added(self.column, Prose())
        self.take = QPushButton()
        self.take.clicked.connect(self._take_least)
        self.column.addWidget(self.take, alignment=Qt.AlignmentFlag.AlignLeft)
        self._least: float | None = None

    def show_decision(self, decision: Decision) -> None:
        """Show the card where there are several tables, or an answer that would be out of sight."""
        release = decision.release
        self.form.refresh()
        self.setVisible(len(release.parts) > 1 or release.allocation is not None)
        years = any(part.year is not None for part in release.parts) or release.at_most_years is not None
        self.form.editors["at_most_years"].setVisible(years)

    def show_answers(self, solved: Answered) -> None:
        """Say what the needs ask for together, and offer the least budget that meets them."""
        if self.isHidden():
            return
        decision, assessment = solved.decision, solved.assessment
        self.said.say(plans.in_words(decision, assessment, plan(decision, assessment)))
        window = assessment.window
        open_below = window.binds_lower is not None and not window.empty
        least = range_of(assessment).lower if open_below else None
        self.take.setVisible(least is not None)
        if least is not None:
            self._least = least.value
            self.take.setText(explain.say("plan", "take", {"least": least.text}))

    def _take_least(self) -> None:
        if self._least is not None:
            where = f"$.{self.session.decision.planned.release.counted_in}"
            self.session.put(tr("Choose {budget}"), where, self._least)
