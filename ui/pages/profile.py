"""Step 3: how much the release may reveal to each adversary; the profile and its implications are drawn live."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.charts import BeliefAxis
from dpwizard.decision import Decision, derived_fields
from dpwizard.decision.requirements import Requirement
from dpwizard.privacy.profiles import Profile
from dpwizard.questions import privacy_words
from dpwizard.wording import figures, persons, word
from ui.controls import PairedArrays, Prose
from ui.forms import ChoiceEditor
from ui.pages.cards import RequirementsPage, fields_of_kind
from ui.panels import FigurePanel, SolvedDecision, State, epsilon_axis, figure_table, risk_profile
from ui.questions import AnswersRangeCard, AnswersRangeWorker, ToleranceQuestions, adversary, answered_logs
from ui.widgets import Card, fill, tr


class ProfilePage(RequirementsPage):
    """How much may they learn?"""

    key = "profile"

    def build_questions(self) -> Iterator[None]:
        self.questions = ToleranceQuestions(self.session, self.host, self._set_by_hand)
        self.questions.answered_all.connect(self._go_on)
        self.questions_column.addWidget(self.questions)
        yield
        self.promise_now = adversary.PromiseCard(self.colours, word("how_much", "open"))
        self.allowed = AnswersRangeCard()
        fill(self.meaning_column, self.promise_now, self.allowed)
        self.allowed.hide()
        self.range_worker = AnswersRangeWorker(self)
        self.range_worker.found.connect(self._show_range)

    def show_questions(self, state: State) -> None:
        self.questions.show_decision(state.decision)
        self.leads = self.questions.leads
        self.promise_now.show_state(state)
        requirements = privacy_words.enabled_requirements(state.decision)
        if not requirements:
            self.allowed.hide()
            return
        index, requirement = requirements[0]
        self.range_worker.compute(answered_logs(state.decision, index), requirement, state.decision.planned.release)

    def _show_range(self, ends: tuple[float | None, float | None]) -> None:
        self.allowed.show_interval(*ends, self.session.decision)

    def technical_summary(self, state: State) -> str:
        requirements = privacy_words.enabled_requirements(state.decision)
        return ", ".join(dict.fromkeys(word("kind", requirement.kind) for _, requirement in requirements))

    def reset_questions(self) -> None:
        self.questions.forget()

    def _go_on(self) -> None:
        self.lead.emit("", "budget" if derived_fields.asks_before(self.session.decision) else "accuracy")

    def _set_by_hand(self, index: int) -> None:
        self.technical.open()
        for card in self.cards.cards:
            if card.index == index:
                card.reach_open()
                self._see_focused()

    def build(self) -> Iterator[None]:
        yield from self.add_cards(
            lambda kind: kind.step == "profile",
            lambda kind: tuple(name for name in fields_of_kind(kind) if name not in kind.basic_fields),
        )
        self.none_yet = Card()
        self.none_yet.column.addWidget(Prose(word("advice", "no_adversary")))
        self.fields.addWidget(self.none_yet)
        self.words_card = Card(tr("In words"))
        self.words = Prose()
        self.arrays = PairedArrays(self.colours, tr("before"), tr("after, at most"))
        fill(self.words_card.column, self.words, self.arrays)
        self.fields.addWidget(self.words_card)
        yield
        which = tr("The adversary shown in the charts and sentences.")
        self.follow = ChoiceEditor(tr("Shown below"), which, (), optional=False)
        self.follow.edited.connect(lambda index, _: self.show_followed(index))
        self.beside.addWidget(self.follow)
        self.profile_panel = risk_profile.RiskProfilePanel(self.colours)
        self.curve_panels: tuple[risk_profile.CurvePanel, ...] = (
            self.profile_panel,
            risk_profile.ImpliedEpsilonPanel(self.colours),
        )
        yield
        self.axis = epsilon_axis.EpsilonAxisPanel(self.colours)  # of requirements without a figure of their own
        self.profile_panel.looked_along.connect(self._look_along)
        self.profile_panel.reshaped.connect(self._reshape)
        self.profile_panel.settled.connect(self.session.settle)
        self.figure_panels: list[FigurePanel] = []
        for name in ("surface", "tolerated", "which_noise", "guessing", "persuasion", "at_risk_followed"):
            yield
            self.figure_panels.append(figure_table.figure_panel(name, self.colours))
        self.panels.extend((*self.curve_panels, self.axis, *self.figure_panels))
        self.followed = -1
        self._previous: tuple[Requirement, ...] = ()

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        drawn = [(i, r) for i, r in enumerate(decision.requirements) if r.drawn]
        names = [(i, r.name or f"{word('kind', r.kind)} {i + 1}") for i, r in drawn]
        if self.follow.box.entries != names:
            self.follow.box.offer(names)
        changed = self._changed(decision)
        if changed in dict(names):
            self._follow(changed)  # the requirement being edited is drawn
        elif self.followed not in dict(names):
            self._follow(names[0][0] if names else -1)
        self._previous = decision.requirements
        self.follow.show_value(self.followed)
        self.follow.setVisible(len(names) > 1)
        self.none_yet.setVisible(not self.cards.cards)
        undrawn = not names and bool(self.cards.cards)  # all requirements are of kinds without a figure
        profiled = not undrawn and (not names or decision.requirements[self.followed].drawn == "curves")
        for panel in self.curve_panels:
            panel.call(profiled, self.state)
        self.axis.call(undrawn, self.state)
        if not names:
            self.words_card.hide()
        if self.followed >= 0 and self.profile_panel.in_hand:
            self.profile_panel.take(decision)  # at once: the handle follows the mouse

    def _changed(self, decision: Decision) -> int:
        """Return the position of the only requirement that has changed; -1 if none or several have."""
        if len(decision.requirements) != len(self._previous):
            return -1
        pairs = enumerate(zip(decision.requirements, self._previous, strict=True))
        changed = [index for index, (now, before) in pairs if now is not before and now != before]
        return changed[0] if len(changed) == 1 else -1

    def show_answers(self, solved: SolvedDecision) -> None:
        decision, answers = solved.decision, solved.assessment.answers
        answer = answers[self.followed] if 0 <= self.followed < len(answers) else None
        sentence, counts = "", None
        if answer is not None:
            sentence, counts = persons.at_limit(decision.release, decision.requirements[self.followed], answer)
        after = () if counts is None else (figures.one_denominator(counts[0] / 100, counts[1] / 100)[1],)
        self.words.say(sentence, strong=after)
        self.words_card.setVisible(bool(sentence))
        self.arrays.setVisible(counts is not None)
        if counts is not None:
            self.arrays.show_chances(counts[0] / 100, counts[1] / 100)

    def show_followed(self, index: int) -> None:
        """Show requirement INDEX in the panels and in words from now on."""
        self._follow(index)
        self.show_fields(self.session.decision)
        if self.state is not None and self.state.solved is not None:
            self.show_answers(self.state.solved)

    def _look_along(self, axis: BeliefAxis) -> None:
        for panel in self.curve_panels:
            panel.look_along(axis)

    def _reshape(self, profile: Profile, name: str, handle: str) -> None:
        """Replace the profile by one shaped with the mouse; a drag is one step of Undo."""
        where = f"$.requirements[{self.followed}].profile"
        if not handle:
            self.session.settle()
        self.session.put(name, where, profile, merge=f"{where}#{handle}" if handle else None)

    def _follow(self, index: int) -> None:
        if index == self.followed:
            return
        self.followed = index
        following: tuple[risk_profile.CurvePanel | FigurePanel, ...] = (*self.curve_panels, *self.figure_panels)
        for panel in following:
            panel.follow(index)
