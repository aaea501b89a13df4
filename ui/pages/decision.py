"""Step 6: every requirement on one axis, the chosen epsilon, and what it means in words and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout, QMenu, QPushButton, QVBoxLayout

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Assessment, Decision, Details
from dpwizard.projects import project
from dpwizard.questions import repairs
from dpwizard.wording import assessments, persons, plain_sentences, range_of, texts, word
from ui.controls import PAIR, Prose, ask_file
from ui.forms import ChoiceEditor, Form, in_words
from ui.pages.page import Page
from ui.panels import (
    Panel,
    SolvedDecision,
    State,
    Veil,
    beside,
    conflicts,
    epsilon_axis,
    every_table,
    figure_table,
    implied,
    usefulness,
    what_if,
)
from ui.questions import further_look, protection
from ui.widgets import Card, MenuButton, WarningBox, added, button_for, complain, fill, plain, theme, tr
from ui.workers import Background, reason

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions

REASONS = 76  # pixels of the reasons: three lines


def _accuracy_words(decision: Decision, assessment: Assessment) -> str:
    """Return what the chosen budget gives each need; of several tables, which needs are met."""
    if len(decision.release.tables) > 1:
        return "\n".join(plain_sentences.needs_kept(decision, assessment))
    lower = [answer for answer in assessment.answers if answer.enabled and answer.side == "lower"]
    return "\n".join(text for answer in lower if (text := assessments.at_epsilon(answer)))


class DecisionPage(Page):
    """Which epsilon do you choose?"""

    key = "decision"

    # --------------------------------------------------------------------------- the plain part

    def build_questions(self) -> Iterator[None]:
        self.plain_forms: list[Form] = []
        self._shown: SolvedDecision | None = None  # in the plain part
        self.settle = WarningBox()
        self.protection = protection.ProtectionCard(self.colours)
        self.meaning = protection.MeaningReader(self)
        self.meaning.meaning_read.connect(self._show_meaning)
        self._meaning: tuple[SolvedDecision, protection.ChoiceMeaning] | None = None  # the one read last
        self.meaning.late.connect(Veil(self.protection, self.colours).cover)
        self.number_card = protection.BudgetCard(self.session)
        self.number_card.end_chosen.connect(self._choose)
        self.number = self.number_card.number
        self.take_upper, self.take_lower = self.number_card.take_upper, self.number_card.take_lower
        self.technical.head.toggled.connect(self._show_signed)
        self.repairs = protection.RepairsCard()
        self.repairs.chosen.connect(self._change)
        self.repairer = Background(lambda asked, stop: repairs.repairs(asked[0], asked[1]), pause=60, parent=self)
        self.repairer.done.connect(self._offer_repairs)
        self.looker = Background(further_look.further_look, parent=self)
        self.looker.done.connect(self._offer_look)
        self.look: GuidedQuestions | None = None  # the look above the safe end, once it has been opened
        self._lay_out_plain()
        yield
        self.zoomed = epsilon_axis.EpsilonAxisPanel(self.colours, on_card=True, zoomed=True)
        self.zoomed.chosen.connect(self._drag)
        axis_card = Card()
        axis_card.column.addWidget(self.zoomed)
        self.questions_column.addWidget(axis_card)
        self.reasons = Card(tr("Why is this right? In your own words"))
        form = Form(self.session, "$", Decision, ("justification",))
        self.reason = form.editors["justification"]
        self.reason.label.hide()
        self.reason.ask.hide()
        self.reason.controls()[0].setFixedHeight(REASONS)
        about = tr("Printed whole on page 1. The program adds the numbers.")
        fill(self.reasons.column, form, Prose(about, "caption"))
        self.meaning_column.addWidget(self.reasons)
        self.meaning_column.addWidget(self.repairs)
        self.plain_forms += [self.number_card.form, form]

    def _lay_out_plain(self) -> None:
        """Put the head, the warning, and the sentences beside the number across the whole page."""
        top = plain(QVBoxLayout(), theme.NEAR)
        head = self.questions_column.takeAt(0)
        assert isinstance(head, QLayout)  # the question of the page
        self.why_we_ask.setMaximumWidth(theme.LARGE_MEASURE)
        top.addLayout(head)  # as an item it would not be laid out again when its words change
        top.addWidget(self.settle)
        self._signed = plain(QBoxLayout(QBoxLayout.Direction.LeftToRight), theme.EDGE)
        self._signed.addWidget(self.protection, 1)
        self._signed.addWidget(self.number_card)
        self._signed.addStretch(0)  # without the sentences, the number stands at the left
        top.addLayout(self._signed)
        self._whole.insertLayout(0, top)

    def show_questions(self, state: State) -> None:
        self.zoomed.show_state(state)
        for form in self.plain_forms:
            form.refresh()
        solved = state.solved
        if solved is None or solved is self._shown:
            return
        self._shown, decision, assessment = solved, solved.decision, solved.assessment
        self.meaning.read(solved)
        self.number_card.show_answers(decision, assessment)
        self._say_settle(decision, assessment)

    def _show_meaning(self, solved: SolvedDecision, meaning: protection.ChoiceMeaning) -> None:
        self._meaning = solved, meaning
        self.protection.say(meaning.signed, assessments.window(solved.assessment))
        if self.technical_built:
            self._say_of_a_person(solved, meaning)

    def _say_settle(self, decision: Decision, assessment: Assessment) -> None:
        """Warn of requirements that conflict, or of a choice outside the allowed range."""
        conflict, outside = assessment.window.empty, assessment.inside is False
        self.settle.setVisible(conflict or outside)
        self.repairs.setVisible(conflict)
        self._show_signed()
        if conflict:
            more = (word("protection", "conflict_more"), texts.word("advice", "exception"))
            self.settle.say(protection.conflict_words(decision, assessment), "\n".join(more))
            self.settle.lead(self._to_the_questions(), self._to_the_exception(decision))
            self.repairs.offer((), searching=True)
            for search in (self.repairer, self.looker):
                search.request((decision, assessment))
            return
        self.looker.forget()
        self.repairs.offer(())
        self.repairer.forget()
        if outside:
            violations = persons.violations(decision, assessment, most=persons.MOST_BROKEN)
            self.settle.say(protection.outside_words(assessment), "\n".join(violations))
            self.settle.lead(self._to_the_exception(decision))

    def _show_signed(self) -> None:
        """Hide the signed sentences during a conflict; the number stays with the technical details."""
        shown = None if self._shown is None else self._shown.assessment
        settled = shown is None or not shown.window.empty or shown.epsilon is not None
        self.protection.setVisible(settled)
        self.reasons.setVisible(settled)
        self.number_card.setVisible(settled or self.technical.is_open)

    def _to_the_questions(self) -> QPushButton:
        return button_for(tr("Return to the questions"), lambda: self.lead.emit("", "profile"))

    def _to_the_exception(self, decision: Decision) -> QPushButton:
        """Return the way to an exception: to its reason, or first to its budget, in the technical details."""
        where = f"$.{decision.release.counted_in}" if decision.chosen is None else "$.exception_reason"
        return button_for(tr("Sign as an exception …"), lambda: self._reach_exception(where))

    def _reach_exception(self, where: str) -> None:
        self.technical.open()
        self.reach(where)

    def _offer_look(self, request: tuple[Decision, Assessment], further: further_look.FurtherLook | None) -> None:
        if further is None or self._shown is None or request[1] is not self._shown.assessment:
            return
        self.settle.say(*further.words())
        look = button_for(tr("Look at {need} …", need=further.need.text), lambda: self._look_at(further))
        self.settle.lead(look, self._to_the_questions())

    def _look_at(self, further: further_look.FurtherLook) -> None:
        self.look = self.ask_about(self.session, further.index, self.colours)
        self.look.used.connect(lambda: self._choose(further.need.value))
        self.look.look_at(further.place, further.look)

    def _offer_repairs(self, request: tuple[Decision, Assessment], offered: tuple[repairs.Repair, ...]) -> None:
        if self._shown is not None and request[1] is self._shown.assessment:
            self.repairs.offer(offered)

    def _say_head(self, text: str = "") -> None:
        shown = None if self.state is None or self.state.solved is None else self.state.solved.assessment
        chosen = None if shown is None or not shown.inside else range_of(shown).chosen
        super()._say_head("" if chosen is None else texts.format_text("protection", "chosen", {"epsilon": chosen.text}))

    def technical_summary(self, state: State) -> str:
        if state.solved is None or (state.solved.assessment.epsilon is None):
            return ""
        return tr("noise, every requirement, what moves {budget}, other decisions")

    def reach_question(self, where: str) -> bool:
        return any(form.reach(where) for form in self.plain_forms)

    def reset_questions(self) -> None:
        for form in self.plain_forms:
            form.forget_problems()

    # ------------------------------------------------------------------------- the technical part

    def build(self) -> Iterator[None]:
        self._against_saved = False
        self._compared_path: Path | None = None  # the file being read for the comparison
        self.reader = Background(lambda path, stop: project.open_project(path), words=_refusal, parent=self)
        self.reader.done.connect(self._read)
        self.reader.failed.connect(self._not_read)
        # reading the curve of all releases takes longer than a frame
        self.curve_reader = Background(
            lambda assessment, stop: assessments.whole_curve(assessment), pause=300, parent=self
        )
        self.curve_reader.done.connect(self._say_curve)
        self._offer_comparing()
        self.axis = epsilon_axis.EpsilonAxisPanel(self.colours, on_card=True)
        self.axis.chosen.connect(self._drag)
        axis_card = Card()
        axis_card.column.addWidget(self.axis)
        self.fields.addWidget(axis_card)
        self.conflicts = conflicts.ConflictsPanel(self.colours)
        self.conflicts.chosen.connect(self._change)
        self._panel_cards: list[tuple[Card, Panel]] = []  # each is visible while its panel shows something
        self.conflict_card = self._add_card(self.conflicts)
        yield
        self._grid = QGridLayout()
        self._grid.setSpacing(theme.GROUP)
        self.exception = Card(tr("An exception"))
        self.violations = added(self.exception.column, Prose())
        self.add_form(self.exception, Form(self.session, "$", Decision, ("exception_reason",)))
        about = tr("An exception needs two signatures. Enter the second person’s name here. Both sign in step 7.")
        self.exception.column.addWidget(Prose(about, "caption"))
        self.add_form(self.exception, Form(self.session, "$.details", Details, ("approver",)))
        yield
        self.person = protection.PersonCard(self.colours)
        self.meaning.late.connect(Veil(self.person, self.colours).cover)
        self._cards = (self._choice(), self.person, self._figure())
        self.fields.addLayout(self._grid)
        # until the page is arranged: a card without a parent would outlive a page that is never shown
        for row, card in enumerate(self._cards):
            self._grid.addWidget(card, row, 0)
        yield
        self.tables = every_table.EveryTablePanel(self.colours)
        self.tables_card = self._add_card(self.tables)
        self.fields.addWidget(self.exception)
        yield
        self.implied = implied.ImpliedPanel(self.colours)
        self.what_if = what_if.WhatIfPanel(self.colours)
        self.tornado = figure_table.figure_panel("tornado", self.colours, on_card=True)
        self.two = beside.TwoDecisionsPanel(self.colours, on_card=True)
        self.two.background.done.connect(lambda *_: self._see_comparison())
        self._comparison_awaited = False  # asked for, and not drawn yet
        self.losses = figure_table.figure_panel("losses", self.colours, on_card=True)
        self.precedents = beside.PrecedentsPanel(self.colours)
        yield
        self.rare_panels = (self.what_if, self.tornado)
        for panel in (self.two, self.losses, self.implied):
            self._add_card(panel)
        self.meaning.late.connect(Veil(self._card_of(self.implied), self.colours).cover)

    def place_rare_panels(self) -> None:
        column = self.fold_rare_panels(self.fields)
        self.more_figures.head.setToolTip(tr("Other profiles, and which answer matters most"))
        for panel in self.rare_panels:
            self._add_card(panel, column)
        self._add_card(self.precedents)
        self._call_rare_panels(False)

    def _add_card(self, panel: Panel, column: QVBoxLayout | None = None) -> Card:
        card = Card()
        card.column.addWidget(panel)
        (column or self.fields).addWidget(card)
        self._panel_cards.append((card, panel))
        return card

    def offer_rare_panels(self) -> None:
        for card, panel in self._panel_cards:
            card.setVisible(panel.called and not panel.isHidden())

    # ------------------------------------------------------------------------------ side by side

    def _offer_comparing(self) -> None:
        """Add a button that compares with the decision as last saved, with another file, or with neither."""
        self.compare_button = MenuButton(tr("Compare"))
        self.compare_button.setObjectName("small")
        self.compare_button.setToolTip(tr("Show another decision beside this one."))
        menu = QMenu(self.compare_button)
        self.compare_actions: dict[str, QAction] = {}
        for key, words, act in (
            ("saved", tr("With this decision as last saved"), self.compare_with_saved),
            ("file", tr("With another file …"), self.compare_with_file),
            ("stop", tr("Stop comparing"), self.stop_comparing),
        ):
            self.compare_actions[key] = menu.addAction(words, act)
            self.compare_actions[key].setObjectName(key)
        menu.aboutToShow.connect(lambda: self.compare_actions["stop"].setEnabled(self.two.other is not None))
        self.compare_button.setMenu(menu)
        self.fields.addWidget(self.compare_button, alignment=Qt.AlignmentFlag.AlignRight)

    def compare_with_saved(self) -> None:
        """Compare the decision with what was opened or last saved."""
        self._against_saved = True
        self._compare(self.session.saved_decision, tr("As last saved"))

    def compare_with_file(self) -> None:
        """Ask for a file and compare with its decision."""
        endings = tr("Decisions and records (*.json)")
        if path := ask_file(self, tr("Compare with a decision"), endings):
            self.compare_path(Path(path))

    def compare_path(self, path: Path) -> None:
        """Compare with the decision in PATH, in the technical details; report if it cannot be read."""
        self.technical.open()
        self._compared_path = path
        self.reader.request(path)

    def _read(self, path: Path, other: Decision) -> None:
        if path == self._compared_path:
            self._against_saved = False
            self._compare(other, path.name)

    def _not_read(self, path: Path, text: str) -> None:
        if path != self._compared_path:
            return
        self.complaint = complain(self, tr("Compare"), tr("This file cannot be compared."), text)

    def stop_comparing(self) -> None:
        """Hide the other decision."""
        self._compared_path = None
        self._against_saved = False
        self._compare(None, "")

    def leave(self) -> None:
        if not self.technical_built:
            return
        self.stop_comparing()
        super().leave()

    def _compare(self, other: Decision | None, name: str) -> None:
        self.two.compare(other, (tr("This decision"), name))
        self.offer_rare_panels()
        self._comparison_awaited = other is not None

    def _see_comparison(self) -> None:
        """Scroll to the comparison when it is drawn for the first time, once its table has its height."""
        if self._comparison_awaited:
            self._comparison_awaited = False
            QTimer.singleShot(0, self, self._scroll_to_comparison)

    def _scroll_to_comparison(self) -> None:
        content = self.widget()
        assert content is not None
        self.lay_out()
        top = self._card_of(self.two).mapTo(content, QPoint()).y()
        self.verticalScrollBar().setValue(top - theme.GROUP)

    def _card_of(self, panel: Panel) -> Card:
        return next(card for card, shown in self._panel_cards if shown is panel)

    # ------------------------------------------------------------------------------------ cards

    def _choice(self) -> Card:
        card = Card(tr("Chosen"))
        self.total = added(card.column, Prose(hides=True))
        self.place = added(card.column, Prose("", "quiet"))
        self.limits, self.costs, self.curve = (Prose("", "caption", hides=True) for _ in range(3))
        fill(card.column, self.limits, self.costs, self.curve)
        form = self.add_form(card, Form(self.session, "$", Decision, ()))
        readings = (("epsilon", tr("Epsilon")), ("rho", tr("Rho")), ("sd", tr("Standard deviation of the noise")))
        self.reading = ChoiceEditor(tr("Show the axis as"), "", readings, open_words=tr("Unit of the budget"))
        form.add("axis", self.reading)
        card.column.addWidget(self.reading)
        self.reading.hide()
        card.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        return card

    def _figure(self) -> Card:
        card = Card(tr("What it means for the figure"))
        self.accuracy = added(card.column, Prose(hides=True))
        self.noise = added(card.column, usefulness.NoisePanel(self.colours, on_card=True))
        card.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        return card

    def arrange(self, wide: bool) -> None:
        super().arrange(wide)
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._signed.setDirection(across if wide else down)
        self.number_card.set_beside(wide)
        if not self.technical_built:
            return
        self.person.dots.setMinimumWidth(PAIR if wide else 0)
        for index, card in enumerate(self._cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, 0 if wide else index, index if wide else 0)
        for column, stretch in enumerate((8, 13, 14) if wide else (1, 0, 0)):
            self._grid.setColumnStretch(column, stretch)

    def show_parts(self, state: State) -> None:
        if self._against_saved:
            self.two.other = self.session.saved_decision
        for panel in (self.axis, self.noise, *(panel for _, panel in self._panel_cards)):
            panel.show_state(state)
        self.offer_rare_panels()

    def show_answers(self, solved: SolvedDecision) -> None:
        decision, assessment = solved.decision, solved.assessment
        self.total.say(assessments.in_total(decision, assessment.epsilon))
        self.place.say(assessments.position(assessment) or assessments.window(assessment))
        self.limits.say("\n".join(plain_sentences.limits_set_by(decision, assessment)))
        violations = persons.violations(decision, assessment, most=persons.MOST_BROKEN)
        self.violations.say("\n".join((*violations, texts.word("advice", "exception"))) if violations else "")
        self.exception.setVisible(bool(violations) or decision.exception_reason is not None)
        release, exact = decision.release, decision.release.noise.absent
        self.reading.setVisible(release.noise.only_deltas)
        costs = (assessments.conversions(assessment), persons.of_a_person(release, assessment))
        self.costs.say(" ".join(text for text in costs if text))
        known = assessment.accounting.trade_off is not None
        self.curve.say(tr("Computing the total of everything together …") if known else "")
        self.curve_reader.request(assessment)
        if self._meaning is not None and self._meaning[0] is solved:
            self._say_of_a_person(*self._meaning)
        self.accuracy.say(texts.word("implied", "exact_figure") if exact else _accuracy_words(decision, assessment))
        self.noise.setVisible(not exact)

    def _say_of_a_person(self, solved: SolvedDecision, meaning: protection.ChoiceMeaning) -> None:
        self.implied.say_everyone(meaning.meaning[1] if meaning.meaning else "")
        self.person.say(meaning, solved.decision.release.noise.absent)

    def _say_curve(self, assessment: Assessment, words: str) -> None:
        solved = None if self.state is None else self.state.solved
        if solved is not None and solved.assessment is assessment:
            self.curve.say(words)

    def reach_field(self, where: str) -> bool:
        if where == "$.exception_reason":
            self.exception.show()
        return super().reach_field(where)

    def _change(self, name: str, make: Callable[[Decision], Decision]) -> None:
        self.session.edit(name, make(self.session.decision))

    def _drag(self, epsilon: float, dragging: bool) -> None:
        self._choose(epsilon, merge="budget")
        if not dragging:
            self.session.settle()

    def _choose(self, budget: float, merge: str | None = None) -> None:
        where = f"$.{self.session.decision.release.counted_in}"
        self.session.put(tr("Choose {budget}"), where, budget, merge)


def _refusal(problem: BaseException) -> str:
    return in_words(problem) if isinstance(problem, DPWizardError) else reason(problem)
