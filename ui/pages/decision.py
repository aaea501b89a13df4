"""Step 6: every requirement on one axis, the epsilon chosen, and what it means in words and counts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QBoxLayout, QGridLayout, QLayout, QMenu, QMessageBox, QPushButton, QVBoxLayout

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Assessment, Decision, Details
from dpwizard.projects import project
from dpwizard.questions import repairs
from dpwizard.wording import explain, persons, plain_sentences, range_of, word
from ui.controls import Prose, ask_file
from ui.forms import PAIR, ChoiceEditor, Form, in_words
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
from ui.questions import look_above, protection
from ui.widgets import Card, MenuButton, WarningBox, added, button_for, fill, open_once, plain, theme, tr
from ui.workers import Background, reason

if TYPE_CHECKING:
    from ui.elicitation.guided import GuidedQuestions

REASONS = 76  # pixels of the reasons: three lines


def _needs(decision: Decision, assessment: Assessment) -> str:
    """Return what the chosen budget gives each need; of several tables, which of them are kept."""
    if len(decision.release.tables) > 1:
        return "\n".join(plain_sentences.needs_kept(decision, assessment))
    lower = [answer for answer in assessment.answers if answer.enabled and answer.side == "lower"]
    return "\n".join(text for answer in lower if (text := explain.at_epsilon(answer)))


class DecisionPage(Page):
    """Which epsilon do you choose?"""

    key = "decision"

    # --------------------------------------------------------------------------- the plain part

    def ask(self) -> Iterator[None]:
        self.plain_forms: list[Form] = []
        self._said: SolvedDecision | None = None  # what the plain part says
        self.settle = WarningBox()
        self.protection = protection.ProtectionCard(self.colours)
        self.meaning = protection.MeaningReader(self)
        self.meaning.meant.connect(self._say_meant)
        self._meant: tuple[SolvedDecision, protection.Meant] | None = None  # what was found last
        self.meaning.late.connect(Veil(self.protection, self.colours).cover)
        self.number_card = protection.NumberCard(self.session)
        self.number_card.taken.connect(self._choose)
        self.number = self.number_card.number
        self.take_upper, self.take_lower = self.number_card.take_upper, self.number_card.take_lower
        self.technical.head.toggled.connect(lambda: self._show_signed())
        self.repairs = protection.RepairsCard()
        self.repairs.chosen.connect(self._change)
        self.repairer = Background(lambda asked, stop: repairs.repairs(asked[0], asked[1]), pause=60, parent=self)
        self.repairer.done.connect(self._offer_repairs)
        self.looker = Background(look_above.above, parent=self)
        self.looker.done.connect(self._offer_look)
        self.look: GuidedQuestions | None = None  # the look above the safe end, once it was opened
        self._lay_out_plain()
        yield
        self.zoomed = epsilon_axis.EpsilonAxisPanel(self.colours, on_card=True, zoomed=True)
        self.zoomed.chosen.connect(self._drag)
        axis_card = Card()
        axis_card.column.addWidget(self.zoomed)
        self.asked.addWidget(axis_card)
        self.reasons = Card(tr("Why is this right? In your own words"))
        form = Form(self.session, "$", Decision, ("justification",))
        self.reason = form.editors["justification"]
        self.reason.label.hide()
        self.reason.ask.hide()
        self.reason.controls()[0].setFixedHeight(REASONS)
        about = tr("Printed whole on page 1. The program adds the numbers.")
        fill(self.reasons.column, form, Prose(about, "caption"))
        self.meant.addWidget(self.reasons)
        self.meant.addWidget(self.repairs)
        self.plain_forms += [self.number_card.form, form]

    def _lay_out_plain(self) -> None:
        """Put the head, what is to be settled, and the sentences beside the number across the whole page."""
        top = plain(QVBoxLayout(), theme.NEAR)
        head = self.asked.takeAt(0)
        assert isinstance(head, QLayout)  # the question of the page
        self.why_we_ask.setMaximumWidth(theme.LARGE_MEASURE)
        top.addLayout(head)  # as a mere item it would have no layout to tell that it needs other room
        top.addWidget(self.settle)
        self._signed = plain(QBoxLayout(QBoxLayout.Direction.LeftToRight), theme.EDGE)
        self._signed.addWidget(self.protection, 1)
        self._signed.addWidget(self.number_card)
        top.addLayout(self._signed)
        self._whole.insertLayout(0, top)

    def show_plain(self, state: State) -> None:
        self.zoomed.show_state(state)
        for form in self.plain_forms:
            form.refresh()
        solved = state.solved
        if solved is None or solved is self._said:
            return
        self._said, decision, assessment = solved, solved.decision, solved.assessment
        self.meaning.read(solved)
        self.number_card.show_answers(decision, assessment)
        self._say_settle(decision, assessment)

    def _say_meant(self, solved: SolvedDecision, found: protection.Meant) -> None:
        self._meant = solved, found
        self.protection.say(found.signed, explain.window(solved.assessment))
        if self.technical_made:
            self._say_of_a_person(solved, found)

    def _say_settle(self, decision: Decision, assessment: Assessment) -> None:
        """Say what is to be settled first: sides that contradict each other, or a choice outside."""
        conflict, outside = assessment.window.empty, assessment.inside is False
        self.settle.setVisible(conflict or outside)
        self.repairs.setVisible(conflict)
        self._show_signed()
        if conflict:
            self.settle.say(protection.conflict_words(decision, assessment), word("protection", "conflict_more"))
            self.settle.lead(self._to_the_questions())
            self.repairs.offer((), searching=True)
            for sought in (self.repairer, self.looker):
                sought.request((decision, assessment))
            return
        self.looker.forget()
        self.repairs.offer(())
        self.repairer.forget()
        if outside:
            broken = persons.violations(decision, assessment, most=persons.MOST_BROKEN)
            exception = button_for(tr("Sign as an exception …"), lambda: self.reach("$.exception_reason"))
            self.settle.say(protection.outside_words(assessment), "\n".join(broken))
            self.settle.lead(exception)

    def _show_signed(self) -> None:
        """Put away what is signed while a conflict is to be settled; the number stays with the technical details."""
        found = None if self._said is None else self._said.assessment
        settled = found is None or not found.window.empty or found.epsilon is not None
        self.protection.setVisible(settled)
        self.reasons.setVisible(settled)
        self.number_card.setVisible(settled or self.technical.is_open)

    def _to_the_questions(self) -> QPushButton:
        return button_for(tr("Return to the questions"), lambda: self.lead.emit("", "profile"))

    def _offer_look(self, asked: tuple[Decision, Assessment], found: look_above.Above | None) -> None:
        if found is None or self._said is None or asked[1] is not self._said.assessment:
            return
        self.settle.say(*found.words())
        look = button_for(tr("Look at {need} …", need=found.need.text), lambda: self._look_at(found))
        self.settle.lead(look, self._to_the_questions())

    def _look_at(self, found: look_above.Above) -> None:
        from ui.elicitation.guided import GuidedQuestions  # twenty modules that most decisions never need

        self.look = GuidedQuestions(self.session, found.index, self.colours)
        self.look.used.connect(lambda: self._choose(found.need.value))
        self.ask_here(self.look)
        self.look.look_at(found.place, found.look)

    def _offer_repairs(self, asked: tuple[Decision, Assessment], found: tuple[repairs.Repair, ...]) -> None:
        if self._said is not None and asked[1] is self._said.assessment:
            self.repairs.offer(found)

    def _say_head(self, text: str = "") -> None:
        shown = None if self.state is None or self.state.solved is None else self.state.solved.assessment
        chosen = None if shown is None or not shown.inside else range_of(shown).chosen
        super()._say_head(
            "" if chosen is None else explain.format_text("protection", "chosen", {"epsilon": chosen.text})
        )

    def technical_summary(self, state: State) -> str:
        if state.solved is None or (state.solved.assessment.epsilon is None):
            return ""
        return tr("noise, every requirement, what moves {budget}, other decisions")

    def asks_for(self, where: str) -> bool:
        return any(form.reach(where) for form in self.plain_forms)

    def forget_plain(self) -> None:
        for form in self.plain_forms:
            form.forget_problems()

    # ------------------------------------------------------------------------- the technical part

    def build(self) -> Iterator[None]:
        self._against_saved = False
        self._asked_for_file: Path | None = None  # whose decision is being read, to stand beside this one
        self.reader = Background(lambda path, stop: project.open_project(path), words=_refusal, parent=self)
        self.reader.done.connect(self._read)
        self.reader.failed.connect(self._not_read)
        # what everything tells together takes longer to read than a frame
        self.curve_reader = Background(lambda found, stop: explain.whole_curve(found), pause=300, parent=self)
        self.curve_reader.done.connect(self._say_curve)
        self._offer_comparing()
        self.axis = epsilon_axis.EpsilonAxisPanel(self.colours, on_card=True)
        self.axis.chosen.connect(self._drag)
        axis_card = Card()
        axis_card.column.addWidget(self.axis)
        self.fields.addWidget(axis_card)
        self.conflicts = conflicts.ConflictsPanel(self.colours)
        self.conflicts.chosen.connect(self._change)
        self._more: list[tuple[Card, Panel]] = []  # cards that are there while their panel shows something
        self.conflict_card = self._add_card(self.conflicts)
        yield
        self._grid = QGridLayout()
        self._grid.setSpacing(theme.GROUP)
        self.exception = Card(tr("An exception"))
        self.broken = added(self.exception.column, Prose())
        self.exception_form = self.add_form(self.exception, Form(self.session, "$", Decision, ("exception_reason",)))
        about = tr(
            "An exception carries two signatures, of different people. Name here who signs as the second; "
            "both sign in step 7."
        )
        self.exception.column.addWidget(Prose(about, "caption"))
        self.second_form = self.add_form(self.exception, Form(self.session, "$.details", Details, ("approver",)))
        yield
        self._cards = (self._choice(), self._person(), self._figure())
        self.fields.addLayout(self._grid)
        # until the page is arranged; a card without a parent would outlive a page never shown
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
        self.losses = figure_table.figure_panel("losses", self.colours, on_card=True)
        self.precedents = beside.PrecedentsPanel(self.colours)
        yield
        always: tuple[Panel, ...] = (self.two, self.losses, self.implied)
        self.few = (self.what_if, self.tornado)
        for panel in always:
            self._add_card(panel)
        self.meaning.late.connect(Veil(self._card_of(self.implied), self.colours).cover)

    def place_few(self) -> None:
        column = self.fold_few(self.fields)
        self.more_figures.head.setToolTip(tr("Other profiles, and which answer moves most"))
        for panel in self.few:
            self._add_card(panel, column)
        self._add_card(self.precedents)
        self._call_few(False)

    def _add_card(self, panel: Panel, column: QVBoxLayout | None = None) -> Card:
        card = Card()
        card.column.addWidget(panel)
        (column or self.fields).addWidget(card)
        self._more.append((card, panel))
        return card

    def offer_few(self) -> None:
        for card, panel in self._more:
            card.setVisible(panel.called and not panel.isHidden())

    # ------------------------------------------------------------------------------ side by side

    def _offer_comparing(self) -> None:
        """Put a button above the details: the decision as last saved, another file, or neither."""
        self.compare_button = MenuButton(tr("Compare"))
        self.compare_button.setObjectName("small")
        self.compare_button.setToolTip(tr("Stand another decision beside this one."))
        menu = QMenu(self.compare_button)
        self.compare_actions: dict[str, QAction] = {}
        for key, words, act in (
            ("saved", tr("With this decision as last saved"), self.compare_with_saved),
            ("file", tr("With another file …"), self.compare_with_file),
            ("stop", tr("Stop comparing"), self.stop_comparing),
        ):
            action = QAction(words, menu)
            action.setObjectName(key)
            action.triggered.connect(lambda _=False, act=act: act())
            menu.addAction(action)
            self.compare_actions[key] = action
        menu.aboutToShow.connect(lambda: self.compare_actions["stop"].setEnabled(self.two.other is not None))
        self.compare_button.setMenu(menu)
        self.fields.addWidget(self.compare_button, alignment=Qt.AlignmentFlag.AlignRight)

    def compare_with_saved(self) -> None:
        """Stand the decision as it was opened or last saved beside what it is now."""
        self._against_saved = True
        self._compare(self.session.saved_decision, tr("As last saved"))

    def compare_with_file(self) -> None:
        """Ask for a file and stand its decision beside this one."""
        endings = tr("Decisions and records (*.json)")
        if path := ask_file(self, tr("Compare with a decision"), endings):
            self.compare_path(Path(path))

    def compare_path(self, path: Path) -> None:
        """Stand the decision in PATH beside this one; say in words if it cannot be read."""
        self._asked_for_file = path
        self.reader.request(path)

    def _read(self, path: Path, other: Decision) -> None:
        if path != self._asked_for_file:
            return
        self._against_saved = False
        self._compare(other, path.name)

    def _not_read(self, path: Path, text: str) -> None:
        if path != self._asked_for_file:
            return
        self.complaint = QMessageBox(
            QMessageBox.Icon.Warning, tr("Compare"), tr("This file cannot be compared."), parent=self
        )
        self.complaint.setInformativeText(text)
        open_once(self.complaint)

    def stop_comparing(self) -> None:
        """Put the other decision away."""
        self._asked_for_file = None
        self._against_saved = False
        self._compare(None, "")

    def leave(self) -> None:
        if not self.technical_made:
            return
        self.stop_comparing()
        super().leave()

    def _compare(self, other: Decision | None, name: str) -> None:
        self.two.compare(other, (tr("This decision"), name))
        self.offer_few()
        if other is not None:
            self.lay_out()
            self.ensureWidgetVisible(self._card_of(self.two), theme.EDGE, theme.EDGE)

    def _card_of(self, panel: Panel) -> Card:
        return next(card for card, one in self._more if one is panel)

    # ------------------------------------------------------------------------------------ cards

    def _choice(self) -> Card:
        card = Card(tr("Chosen"))
        self.total = added(card.column, Prose(hides=True))
        self.place = added(card.column, Prose("", "quiet"))
        self.binds, self.costs, self.curve = (Prose("", "caption", hides=True) for _ in range(3))
        fill(card.column, self.binds, self.costs, self.curve)
        form = self.add_form(card, Form(self.session, "$", Decision, ()))
        readings = (("epsilon", tr("Epsilon")), ("rho", tr("Rho")), ("sd", tr("Standard deviation of the noise")))
        self.reading = ChoiceEditor(
            tr("Read the axis as"), "", readings, open_words=tr("What the budget is counted in")
        )
        form.add("axis", self.reading)
        card.column.addWidget(self.reading)
        self.reading.hide()
        card.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        return card

    def _person(self) -> Card:
        self.person = protection.PersonCard(self.colours)
        self.meaning.late.connect(Veil(self.person, self.colours).cover)
        return self.person

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
        self.number_card.stand_beside(wide)
        if not self.technical_made:
            return
        self.person.worlds.setMinimumWidth(PAIR if wide else 0)
        for index, card in enumerate(self._cards):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, 0 if wide else index, index if wide else 0)
        for column, stretch in enumerate((8, 13, 14) if wide else (1, 0, 0)):
            self._grid.setColumnStretch(column, stretch)

    def show_parts(self, state: State) -> None:
        if self._against_saved:
            self.two.other = self.session.saved_decision
        for panel in (self.axis, self.noise, *(panel for _, panel in self._more)):
            panel.show_state(state)
        self.offer_few()

    def show_answers(self, solved: SolvedDecision) -> None:
        decision, assessment = solved.decision, solved.assessment
        self.total.say(explain.in_total(decision, assessment.epsilon))
        self.place.say(explain.position(assessment) or explain.window(assessment))
        self.binds.say("\n".join(plain_sentences.limits_set_by(decision, assessment)))
        broken = persons.violations(decision, assessment, most=persons.MOST_BROKEN)
        self.broken.say("\n".join((*broken, explain.word("advice", "exception"))) if broken else "")
        self.exception.setVisible(bool(broken) or decision.exception_reason is not None)
        release, exact = decision.release, decision.release.noise.absent
        self.reading.setVisible(release.noise.only_deltas)
        costs = (explain.conversions(assessment), persons.of_a_person(release, assessment))
        self.costs.say(" ".join(text for text in costs if text))
        known = assessment.accounting.trade_off is not None
        self.curve.say(tr("Reading the curve of everything together …") if known else "")
        self.curve_reader.request(assessment)
        if self._meant is not None and self._meant[0] is solved:
            self._say_of_a_person(*self._meant)
        self.accuracy.say(explain.word("implied", "exact_figure") if exact else _needs(decision, assessment))
        self.noise.setVisible(not exact)

    def _say_of_a_person(self, solved: SolvedDecision, found: protection.Meant) -> None:
        """Say FOUND, in the record's words and in counts."""
        self.implied.say_everyone(found.meaning[1] if found.meaning else "")
        self.person.say(found, solved.decision.release.noise.absent)

    def _say_curve(self, found: Assessment, words: str) -> None:
        solved = None if self.state is None else self.state.solved
        if solved is not None and solved.assessment is found:
            self.curve.say(words)

    def close_down(self) -> None:
        self.repairer.close()
        self.looker.close()
        self.meaning.leave()
        if not self.technical_made:
            return
        self.reader.leave()
        self.curve_reader.leave()
        for panel in (self.conflicts, self.two, self.losses, self.what_if, self.tornado):
            panel.close_down()

    def places(self, where: str) -> bool:
        if where == "$.exception_reason":
            self.exception.show()
        return super().places(where)

    def _change(self, name: str, make: Callable[[Decision], Decision]) -> None:
        """Make one of the changes that open the window; Undo takes it back."""
        self.session.edit(name, make(self.session.decision))

    def _drag(self, epsilon: float, dragging: bool) -> None:
        self._choose(epsilon, merge="budget")
        if not dragging:
            self.session.settle()

    def _choose(self, budget: float, merge: str | None = None) -> None:
        where = f"$.{self.session.decision.release.counted_in}"
        self.session.put(tr("Choose {budget}"), where, budget, merge)


def _refusal(problem: BaseException) -> str:
    """Return why a file cannot be compared."""
    return in_words(problem) if isinstance(problem, DPWizardError) else reason(problem)
