"""Step 5: what must still be usable; with the noise at the chosen epsilon, and what other profiles would mean."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from dpwizard.decision import Decision, Release, edits, plan
from dpwizard.wording import explain, plans, range_of, word
from ui.controls import Prose
from ui.forms import Form
from ui.pages.cards import fields_of_kind
from ui.pages.offers import OFFERED, Needs
from ui.pages.requirements_page import RequirementsPage
from ui.panels import SolvedDecision, State, epsilon_axis, figure_table, usefulness
from ui.questions import accuracy
from ui.session import DocumentSession
from ui.widgets import Card, added, fill, tr


class SharedBudgetCard(Card):
    """How the budget is shared out, and the least budget that meets every need: hidden where there is one table."""

    def __init__(self, session: DocumentSession) -> None:
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

    def show_answers(self, solved: SolvedDecision) -> None:
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
            self.take.setText(explain.format_text("plan", "take", {"least": least.text}))

    def _take_least(self) -> None:
        if self._least is not None:
            where = f"$.{self.session.decision.planned.release.counted_in}"
            self.session.put(tr("Choose {budget}"), where, self._least)


class AccuracyPage(RequirementsPage):
    """What must still be usable?"""

    key = "accuracy"

    def ask(self) -> Iterator[None]:
        self.questions = accuracy.AccuracyQuestions(self.session, self.colours)
        for card in (self.questions.numbers, self.questions.several):
            card.other_needs.connect(self.show_other_needs)
        self.questions.several.lead.connect(lambda where: self.lead.emit(where, "release"))
        fill(self.asked, self.questions.several, self.questions.numbers, self.questions.totals)
        yield
        self.meant.addWidget(self.questions.meant)
        self.questions.show_decision(self.session.decision)  # made with the page, and so shown with it

    def show_plain(self, state: State) -> None:
        self.questions.show_state(state)

    def technical_summary(self, state: State) -> str:
        asked = sum(one.end == "lower" and one.enabled for one in state.decision.requirements)
        return tr("{n} need", "{n} needs", n=asked)

    def forget_plain(self) -> None:
        self.questions.forget_problems()

    def asks_for(self, where: str) -> bool:
        return self.questions.reach(where)

    def show_other_needs(self) -> None:
        """Open all kinds of needs among the technical details."""
        self.technical.open()
        self.needs.open()
        self.lay_out()
        self.ensureWidgetVisible(self.needs.card)

    def close_down(self) -> None:
        self.questions.close_down()
        super().close_down()

    def build(self) -> Iterator[None]:
        self.shared = added(self.fields, SharedBudgetCard(self.session))
        yield
        self.needs = Needs()
        self.needs.chosen.connect(self.add)
        yield from self.add_cards(
            lambda kind: kind.end == "lower", fields_of_kind, tr("All accuracy requirements"), self.needs
        )
        kinds = (usefulness.NoisePanel, usefulness.UsabilityPanel, epsilon_axis.EpsilonAxisPanel)
        for kind in kinds:
            self.panels.append(kind(self.colours))
            yield
        self.few = (figure_table.figure_panel("comparison", self.colours),)
        self.panels.extend(self.few)

    def enter(self) -> None:
        super().enter()
        if self.technical_made:
            self.needs.fold()

    def add(self, kind: str) -> None:
        """Add a need of KIND with what its sentence begins with; the keyboard goes to what is open in it."""
        made = {"kind": kind, **dict(OFFERED)[kind].begins}
        card = self.cards.take(word("kind", kind), edits.add(self.session.decision, "$.requirements", made))
        self.needs.fold()
        if card is not None:
            card.reach_open()

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.needs.show_decision(decision, some=bool(self.cards.cards))
        self.shared.show_decision(decision)

    def show_answers(self, solved: SolvedDecision) -> None:
        self.shared.show_answers(solved)

    def places(self, where: str) -> bool:
        return self.shared.form.reach(where) or super().places(where)

    def forget_technical(self) -> None:
        super().forget_technical()
        self.shared.form.forget_problems()
