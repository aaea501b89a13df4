"""The plain questions of step 2: who might look, what is assumed, what is required, and whom and what it covers."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.decision import Decision, RequirementResult, add_feared, dependence
from dpwizard.questions import privacy_words
from dpwizard.wording import persons, whole, word
from ui.controls import LOW, CountedDots, Prose
from ui.panels import State
from ui.questions.assumption_card import AssumptionCard, DependenceCard
from ui.questions.person_card import PersonCard
from ui.session import DocumentSession
from ui.widgets import Card, SideBySide, added, drop, named, plain, theme, tr, within

COVERS = 76  # pixels of the column that says whether someone is covered
WHERE = "$.requirements"


class PeopleCards(QWidget):
    """A card for each person named, and one for each assumption of the requirements against them."""

    add_person = Signal()
    technical = Signal(str)  # the path of a field among the technical details

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        column = plain(QVBoxLayout(self), theme.NEAR)
        self._people = plain(QVBoxLayout(), theme.NEAR)
        self._sentences = plain(QVBoxLayout(), theme.NEAR)
        column.addLayout(self._people)
        column.addLayout(self._sentences)
        self.people: list[PersonCard] = []
        self.assumptions: dict[str, AssumptionCard] = {}

    def show_decision(self, decision: Decision) -> None:
        """Show who is named in DECISION, and the assumptions."""
        positions = privacy_words.adversary_requirements(decision)
        kinds = [type(decision.requirements[at]) for at in positions]
        if [card.kind for card in self.people] != kinds:
            drop(self._people, self.people)
            self.people = []
            for kind in kinds:
                card = added(self._people, PersonCard(self.session, kind))
                card.technical.connect(self.technical)
                self.people.append(card)
        for card, at in zip(self.people, positions, strict=True):
            card.show_requirement(decision, at)
        keys = dependence.assumptions_about_people(decision)
        if tuple(self.assumptions) != keys:
            drop(self._sentences, self.assumptions.values())
            self.assumptions = {key: self._new_card(key) for key in keys}
        for sentence in self.assumptions.values():
            sentence.show_decision(decision)

    def _new_card(self, key: str) -> AssumptionCard:
        card = DependenceCard(self.session) if key == dependence.INDEPENDENCE else AssumptionCard(self.session, key)
        card.add_person.connect(self.add_person)
        card.any_belief.connect(self._believe_anything)
        card.technical.connect(self._show_field)
        return added(self._sentences, card)

    def _believe_anything(self) -> None:
        for card in self.people:
            card.believe(0)

    def _show_field(self, field: str) -> None:
        requirements = self.session.decision.requirements
        positions = privacy_words.adversary_requirements(self.session.decision)
        at = next((at for at in positions if field in type(requirements[at]).model_fields), None)
        if at is not None:
            self.technical.emit(f"{WHERE}[{at}].{field}")

    def add(self, who: str) -> None:
        """Add WHO, chosen in the gallery; the keyboard goes to what they must not learn."""
        name = word("feared", who)
        self.session.edit(tr("Add {what}", what=within(name)), add_feared(self.session.decision, who, name))
        if self.people:
            self.people[-1].reach()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the plain question of the path WHERE, if there is one."""
        if where.startswith("$.acknowledged"):
            unanswered = (card for card in self.assumptions.values() if card.options.key != "accepted")
            if (card := next(unanswered, None)) is not None:
                card.reach()
            return card is not None
        return where == "$.release.reveals" and any(
            card.reveals.reach(where) for card in self.people if not card.reveals.isHidden()
        )

    def forget_problems(self) -> None:
        """Show the decision in every field."""
        for card in self.people:
            card.reveals.forget_problems()
            card.naming.forget_problems()


class BeforeAndAfter(SideBySide):
    """How often a guess is right by a coin, and at most after the publication, as dots."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(theme.EDGE)
        self.before, self.after = (CountedDots(colours, colour, LOW) for colour in (colours.quiet, colours.privacy))
        for dots in (self.before, self.after):
            self.box.addWidget(dots, alignment=Qt.AlignmentFlag.AlignLeft)

    def show_right(self, right: int | None, out_of: int = 100) -> None:
        """Show that at most RIGHT of OUT_OF guesses are right; None while that is open."""
        coin, most = privacy_words.EVEN * out_of // 100, "?" if right is None else whole(right)
        self.before.show_count(tr("a coin: {n} of {out_of}", n=whole(coin), out_of=whole(out_of)), coin, out_of)
        text = tr("after publication: at most {n} of {out_of}", n=most, out_of=whole(out_of))
        self.after.show_count(text, right or 0, out_of)


class PromiseCard(Card):
    """The requirement as it is now, in large letters, and as dots before and after the publication."""

    def __init__(self, colours: theme.Colours, note: str) -> None:
        """NOTE says where the number comes from while it is open."""
        super().__init__(tr("Your limits so far"))
        self.promise = added(self.column, named(Prose(), "promised"))
        self.dots = added(self.column, BeforeAndAfter(colours))
        self.note = added(self.column, Prose(note, "caption"))

    def show_state(self, state: State) -> None:
        """Show the first requirement of the decision, with the number that its limit comes to."""
        decision = state.decision
        requirements = privacy_words.enabled_requirements(decision)
        self.setVisible(bool(requirements))
        if not requirements:
            return
        at, requirement = requirements[0]
        answer = self._answer(state, at)
        right = privacy_words.right_of_100(decision, requirement, answer)
        text, strong = privacy_words.promise(decision, requirement, right)
        if answer is not None and not strong:  # it is not a promise about guesses
            text = persons.at_limit(decision.release, requirement, answer)[0] or text
        self.promise.say(text, strong=strong)
        self.dots.setVisible(bool(strong))
        self.note.setVisible(bool(strong) and right is None)
        self.dots.show_right(right)

    @staticmethod
    def _answer(state: State, at: int) -> RequirementResult | None:
        """Return the answer to the requirement AT; None while it is being computed."""
        for solved in (state.solved, state.draft):
            if solved is not None and solved.decision is state.decision and at < len(solved.assessment.answers):
                return solved.assessment.answers[at]
        return None


class CoversCard(Card):
    """Whom and what the requirements cover fully, more weakly, or not at all."""

    def __init__(self) -> None:
        super().__init__(tr("Whom and what this covers"))
        self.grid = plain(QGridLayout(), theme.NEAR)
        self.grid.setHorizontalSpacing(theme.GROUP)
        self.grid.setColumnMinimumWidth(1, COVERS)
        for at in (0, 2):
            self.grid.setColumnStretch(at, 1)
        self.column.addLayout(self.grid)
        self._shown: tuple[privacy_words.Covered, ...] = ()
        self._labels: list[QLabel] = []

    def show_decision(self, decision: Decision) -> None:
        """Show whom and what the requirements of DECISION cover."""
        rows = privacy_words.covered(decision)
        self.setVisible(bool(rows and privacy_words.adversary_requirements(decision)))
        if rows == self._shown:
            return
        self._shown = rows
        drop(self.grid, self._labels)
        self._labels = []
        for row, covered in enumerate(rows):
            what, why = QLabel(covered.what, wordWrap=True), named(QLabel(covered.why, wordWrap=True), "caption")
            how = named(QLabel(word("covers", covered.covers), wordWrap=True), f"covers_{covered.covers}")
            how.setFixedWidth(COVERS)
            for at, label in enumerate((what, how, why)):
                label.setTextFormat(Qt.TextFormat.PlainText)
                self.grid.addWidget(label, row, at, alignment=Qt.AlignmentFlag.AlignTop)
                self._labels.append(label)
