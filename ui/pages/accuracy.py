"""Step 5: how accurate the figures must be; the noise at the chosen epsilon, and what other profiles would mean."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from dpwizard.decision import Decision, Release, edits, plan
from dpwizard.wording import plans, range_of, texts, word
from ui.controls import Prose
from ui.forms import Form
from ui.pages.cards import RequirementsPage, fields_of_kind
from ui.pages.offers import OFFERED, Needs
from ui.panels import SolvedDecision, State, epsilon_axis, figure_table, usefulness
from ui.questions import accuracy
from ui.session import DocumentSession
from ui.widgets import Card, added, fill, tr


class SharedBudgetCard(Card):
    """How tables share the budget, and the smallest budget that meets every need; hidden for a single table."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(tr("One budget for all tables"))
        self.session = session
        self.form = Form(session, "$.release", Release, ("allocation", "at_most_years"))
        self.column.addWidget(self.form)
        self.summary = added(self.column, Prose())
        self.take = QPushButton()
        self.take.clicked.connect(self._take_least)
        self.column.addWidget(self.take, alignment=Qt.AlignmentFlag.AlignLeft)
        self._least: float | None = None  # the smallest budget that meets every need

    def show_decision(self, decision: Decision) -> None:
        """Show the card if there are several tables, or an answer that would otherwise be hidden."""
        release = decision.release
        self.form.refresh()
        self.setVisible(len(release.parts) > 1 or release.allocation is not None)
        years = any(part.year is not None for part in release.parts) or release.at_most_years is not None
        self.form.editors["at_most_years"].setVisible(years)

    def show_answers(self, solved: SolvedDecision) -> None:
        """Say what the needs ask for together, and offer the smallest budget that meets them."""
        if self.isHidden():
            return
        decision, assessment = solved.decision, solved.assessment
        self.summary.say(plans.in_words(decision, assessment, plan(decision, assessment)))
        window = assessment.window
        open_below = window.binds_lower is not None and not window.empty
        least = range_of(assessment).lower if open_below else None
        self.take.setVisible(least is not None)
        if least is not None:
            self._least = least.value
            self.take.setText(texts.format_text("plan", "take", {"least": least.text}))

    def _take_least(self) -> None:
        if self._least is not None:
            where = f"$.{self.session.decision.planned.release.counted_in}"
            self.session.put(tr("Choose {budget}"), where, self._least)


class AccuracyPage(RequirementsPage):
    """How accurate must the figures be?"""

    key = "accuracy"

    def build_questions(self) -> Iterator[None]:
        self.questions = accuracy.AccuracyQuestions(self.session, self.colours)
        for card in (self.questions.sums, self.questions.tables):
            card.other_needs.connect(self.show_other_needs)
        self.questions.tables.lead.connect(lambda where: self.lead.emit(where, "release"))
        fill(self.questions_column, self.questions.tables, self.questions.sums, self.questions.totals)
        yield
        self.meaning_column.addWidget(self.questions.columns)
        self.questions.show_decision(self.session.decision)  # so that its cards are built together with the page

    def show_questions(self, state: State) -> None:
        self.questions.show_state(state)

    def technical_summary(self, state: State) -> str:
        count = sum(requirement.end == "lower" and requirement.enabled for requirement in state.decision.requirements)
        return tr("{n} requirement", "{n} requirements", n=count)

    def reset_questions(self) -> None:
        self.questions.forget_problems()

    def reach_question(self, where: str) -> bool:
        return self.questions.reach(where)

    def show_other_needs(self) -> None:
        """Open the list of all kinds of needs among the technical details."""
        self.technical.open()
        self.needs.open()
        self.lay_out()
        self.ensureWidgetVisible(self.needs.card)

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
        self.rare_panels = (figure_table.figure_panel("comparison", self.colours),)
        self.panels.extend(self.rare_panels)

    def enter(self) -> None:
        super().enter()
        if self.technical_built:
            self.needs.fold()

    def add(self, kind: str) -> None:
        """Add a need of KIND with the values its sentence begins with; the keyboard goes to its first open field."""
        need = {"kind": kind, **dict(OFFERED)[kind].begins}
        card = self.cards.take(word("kind", kind), edits.add(self.session.decision, "$.requirements", need))
        self.needs.fold()
        if card is not None:
            card.reach_open()

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.needs.show_decision(decision, some=bool(self.cards.cards))
        self.shared.show_decision(decision)

    def show_answers(self, solved: SolvedDecision) -> None:
        self.shared.show_answers(solved)

    def reach_field(self, where: str) -> bool:
        return self.shared.form.reach(where) or super().reach_field(where)

    def reset_fields(self) -> None:
        super().reset_fields()
        self.shared.form.forget_problems()
