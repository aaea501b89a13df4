"""One assumption of a privacy requirement as a question: true here, not true here, not known."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.decision import Acknowledgement, Decision, assumptions, dependence, derived_fields
from dpwizard.questions import privacy_words
from dpwizard.wording import quoted, whole
from ui.controls import LongText, Prose
from ui.forms import acknowledgement
from ui.questions.blanks import Blank, NumberBlank, Refusal
from ui.questions.options import Option, Options
from ui.session import DocumentSession
from ui.widgets import Card, Link, Problem, Words, added, in_a_row, named, plain, theme, tr

PRINTED = "totals_printed"  # the assumption of needs of totals
FIELD, NAME, REASON = 42, 220, 48  # pixels: the width of a number and of a name, the height of a reason
GROUP_SIZE, MOST_PEOPLE = 3, 1_000_000  # people that are protected as one, initially and at most
ACKNOWLEDGED = "$.acknowledged"
# for an assumption that another answer in the technical details makes unnecessary: the words of a link, and the field
FIELDS: Mapping[str, tuple[Callable[[], str], str]] = {
    "knows_all_but_one": (lambda: tr("Choose other chances before: see the technical details"), "name"),
    "other_attributes_known": (lambda: tr("Protect all their values: clear the attribute"), "attribute"),
    "independent_attributes": (lambda: tr("Ask about one value at a time"), "attributes"),
    "effects_of_what_is_guessed": (lambda: tr("Name the value that is guessed"), "attributes"),
    "moves_in_proportion": (lambda: tr("Enter how much the figures change"), "attributes"),
    "priors_in_class": (lambda: tr("Widen the range of chances before"), "prior_mass"),
    "scores_as_stated": (lambda: tr("Choose another score"), "score"),
    "gaussian_beliefs": (lambda: tr("Enter the chances before in another way"), "name"),
}


class AssumptionCard(Card):
    """A sentence that a requirement assumes, with three answers and what follows from each."""

    add_person = Signal()
    any_belief = Signal()
    technical = Signal(str)  # the field of a requirement that makes the assumption unnecessary

    def __init__(self, session: DocumentSession, key: str) -> None:
        super().__init__(tr("The limit holds only if this is true. Is it?"))
        self.session, self.key = session, key
        self.sentence = added(self.column, Prose())
        answers = {"accepted": tr("True here"), "refused": tr("Not true here"), "open": tr("I do not know")}
        self.options = added(self.column, Options(tr("Is this true here?"), answers))
        self.options.chosen.connect(self._answer)
        self.consequence = added(self.column, named(QFrame(), "way"))
        column = QVBoxLayout(self.consequence)
        column.setContentsMargins(theme.GROUP, theme.NEAR, theme.GROUP, theme.NEAR)
        column.setSpacing(theme.TIGHT)
        self._refused, self._open = added(column, QWidget()), added(column, QWidget())
        refused = plain(QVBoxLayout(self._refused), theme.TIGHT)
        refused.addWidget(Prose(self.advice()))
        self._add_ways_out(refused)
        self._add_voucher(plain(QVBoxLayout(self._open), theme.TIGHT))

    # ------------------------------------------------------------------------------ what follows

    def advice(self) -> str:
        """Return what to do if the assumption is not true."""
        return tr("Then choose another way to protect.")

    def _add_ways_out(self, column: QVBoxLayout) -> None:
        """Add what can be done if the assumption is not true: links to a field or another person, and a reason."""
        links: list[tuple[str, Callable[[], object]]] = []
        if self.key == "class_is_complete":
            links = [
                (tr("Add someone else …"), self.add_person.emit),
                (tr("Let them think anything at all"), self.any_belief.emit),
            ]
        elif self.key in FIELDS:
            words, field = FIELDS[self.key]
            links = [(words(), lambda: self.technical.emit(field))]
        for text, act in links:
            link = Link(text)
            link.clicked.connect(lambda _=False, act=act: act())
            column.addWidget(link, alignment=Qt.AlignmentFlag.AlignLeft)
        self.reason = added(column, ReasonField(tr("It is true enough here, because …")))
        self.reason.typed.connect(self._give_reason)

    def _add_voucher(self, column: QVBoxLayout) -> None:
        title, merge = tr("Who vouches that this is true"), f"{ACKNOWLEDGED}.vouched_by"
        self.voucher = Blank(self.session, merge, title, NAME, self._voucher_in, self._name_voucher)
        column.addWidget(in_a_row(Words(tr("Someone else vouches:")), self.voucher))
        column.addWidget(Prose(tr("The record names them. Nobody can approve it until they have answered."), "caption"))

    # ------------------------------------------------------------------------------------- answering

    def _put(self, decision: Decision, name: str, merge: str | None = None, **answer: Any) -> None:
        """Edit: DECISION with ANSWER to this assumption; the edit is called NAME."""
        self.session.edit(name, answered(decision, self.key, **answer), merge)

    def _answer(self, state: str) -> None:
        names = {"accepted": tr("True here"), "refused": tr("Not true here"), "open": tr("I do not know")}
        self._put(self.session.decision, names[state], state=None if state == "accepted" else state)

    def _give_reason(self, words: str) -> None:
        reason = words.strip() or None
        state = "refused" if reason is None else None
        self._put(self.session.decision, tr("True enough here"), f"{ACKNOWLEDGED}.reason", state=state, reason=reason)

    def _voucher_in(self, decision: Decision) -> str:
        answer = decision.answer_to(self.key)
        return "" if answer is None else answer.vouched_by or ""

    def _name_voucher(self, words: str) -> Refusal:
        name, merge = tr("Someone else vouches"), f"{ACKNOWLEDGED}.vouched_by"
        self._put(self.session.decision, name, merge, state="open", vouched_by=words.strip() or None)
        return ""

    # --------------------------------------------------------------------------------------- showing

    def show_decision(self, decision: Decision) -> None:
        """Show how the assumption is answered in DECISION."""
        sentence = privacy_words.assumption(decision, self.key)
        self.sentence.say(quoted(sentence))
        self.options.ask(f"{tr('Is this true here?')} {sentence}")
        answer = decision.answer_to(self.key)
        state = self.state_in(decision, answer)
        self.options.show_key(state)
        self.consequence.setVisible(state in ("refused", "open"))
        self._refused.setVisible(state == "refused")
        self._open.setVisible(state == "open")
        self.reason.show_reason(None if answer is None else answer.reason)
        self.voucher.refresh()

    def state_in(self, decision: Decision, answer: Acknowledgement | None) -> str | None:
        """Return which of the three answers is shown for ANSWER; one with a reason is "not true, but true enough"."""
        if answer is None:
            return None
        return "refused" if answer.reason is not None else answer.state or "accepted"

    def reach(self) -> None:
        """Give the keyboard to the answers."""
        self.options.reach()


class DependenceCard(AssumptionCard):
    """Whether one person's result says something about another's; three ways to proceed if it does."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session, dependence.INDEPENDENCE)

    def advice(self) -> str:
        return tr("The result of one says something about another. So choose another way to protect.")

    def _add_ways_out(self, column: QVBoxLayout) -> None:
        self.known = Option(tr("Promise it even to someone who knows every other result"))
        self.known.clicked.connect(lambda: self._choose("known"))
        self.known_note = Prose("", "caption")
        self.together = Option(tr("Protect up to"))
        self.together.clicked.connect(lambda: self._choose("together"))
        title, merge = tr("How many are protected as one"), f"{ACKNOWLEDGED}.together"
        self.people = NumberBlank(self.session, merge, title, FIELD, _protected_in, self._protect_group)
        self.as_one = Words()
        self.together_note = Prose("", "caption")
        self.true_enough = Option(tr("It is true enough here, because …"))
        self.true_enough.clicked.connect(lambda: self._choose("reason"))
        column.addWidget(self.known)
        column.addLayout(_indented(self.known_note))
        column.addWidget(in_a_row(self.together, self.people, self.as_one))
        column.addLayout(_indented(self.people.under(Problem())))
        column.addLayout(_indented(self.together_note))
        column.addWidget(self.true_enough)
        self.reason = ReasonField("")
        self.reason.typed.connect(self._give_reason)
        column.addLayout(_indented(self.reason))
        column.addLayout(_indented(Prose(tr("Your reason is printed on page 2, beside your name."), "caption")))
        self._asks_reason = False  # "true enough" was chosen, and no reason is typed yet

    def _answer(self, state: str) -> None:
        if state == "refused":
            self._choose("known")  # stricter, and without any assumption
            return
        self._asks_reason = False
        names = {"accepted": tr("True here"), "open": tr("I do not know")}
        plain_promise = dependence.promised_to_all(dependence.with_people_together(self.session.decision, 1), False)
        self._put(plain_promise, names[state], state=None if state == "accepted" else state)

    def _choose(self, way: dependence.Way) -> None:
        self._asks_reason = way == "reason"
        people = GROUP_SIZE if way == "together" else 1
        decision = dependence.with_people_together(self.session.decision, people)
        decision = dependence.promised_to_all(decision, way == "known")
        names = {"known": tr("Not true here"), "together": tr("Protect some as one"), "reason": tr("True enough here")}
        if way == "together":
            self._put(decision, names[way], reason=self._group_reason(people))
            self.people.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._put(decision, names[way], state="refused")
        if way == "reason":
            self.reason.reach()

    def _group_reason(self, people: int) -> str:
        return tr("Up to {count} who depend on each other are protected as one.", count=people)

    def _protect_group(self, people: float | None) -> Refusal:
        if people is None or not people.is_integer() or not 1 < people <= MOST_PEOPLE:
            return tr("Enter a whole number from 2 to {most}.", most=whole(MOST_PEOPLE))
        decision = dependence.with_people_together(self.session.decision, int(people))
        reason = self._group_reason(int(people))
        self._put(decision, tr("Protect some as one"), f"{ACKNOWLEDGED}.together", reason=reason)
        return ""

    def state_in(self, decision: Decision, answer: Acknowledgement | None) -> str | None:
        if dependence.is_promised_to_all(decision):
            return "refused"
        return super().state_in(decision, answer)

    def show_decision(self, decision: Decision) -> None:
        way = dependence.way_chosen(decision)
        super().show_decision(decision)
        others = {"people": privacy_words.words_of(decision)["people"]}
        gives_reason = way == "reason" or (way is None and self._asks_reason)
        options = (self.known, way == "known"), (self.together, way == "together"), (self.true_enough, gives_reason)
        for option, chosen in options:
            option.setAutoExclusive(False)
            option.setChecked(chosen)
        self.known_note.say(tr("Then nothing is assumed about other {people}. Your answers count the same.", **others))
        self.as_one.setText(tr("{people} who depend on each other as one", **others))
        count = _protected_in(decision)
        self.together_note.say(tr("Stricter: about {count} times the noise.", count=count))
        self.people.refresh()
        self.people.setEnabled(way == "together")
        self.together.setEnabled(dependence.can_protect_together(decision.release))
        self.reason.setVisible(gives_reason)
        if way == "together":
            self.reason.show_reason(None)


class ReasonField(QWidget):
    """Why an assumption is true enough here, in the officer's own words; printed on page 2."""

    typed = Signal(str)

    def __init__(self, label: str) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.TIGHT)
        if label:
            column.addWidget(QLabel(label, wordWrap=True))
        self.text = LongText(REASON)
        self.text.setAccessibleName(tr("Why it is true enough here"))
        self.text.textChanged.connect(lambda: self.typed.emit(self.text.toPlainText()))
        column.addWidget(self.text)

    def show_reason(self, reason: str | None) -> None:
        """Show REASON, unless it is being typed; no signal is sent."""
        if self.text.toPlainText().strip() != (reason or ""):
            with QSignalBlocker(self.text):
                self.text.setPlainText(reason or "")

    def reach(self) -> None:
        """Give the keyboard to the reason."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)


def _indented(part: QWidget) -> QHBoxLayout:
    """Return PART below the words of an answer, not below its round button."""
    row = QHBoxLayout()
    row.setContentsMargins(theme.EDGE, 0, 0, 0)
    row.addWidget(part)
    return row


def _protected_in(decision: Decision) -> int:
    """Return how many are protected as one in DECISION, or would be at first."""
    people = dependence.protected_together(decision.release)
    return people if people > 1 else GROUP_SIZE


def answered(decision: Decision, key: str, **answer: Any) -> Decision:
    """Return DECISION with ANSWER to the assumption KEY, given now."""
    given = acknowledgement(key, privacy_words.assumption(decision, key), **answer)
    return derived_fields.with_answer(decision, given, key)


def with_totals_printed(decision: Decision) -> Decision:
    """Return DECISION with the assumption accepted that totals are printed, if a need makes it and it is unanswered."""
    if PRINTED not in assumptions(decision, "accuracy") or decision.answer_to(PRINTED) is not None:
        return decision
    return answered(decision, PRINTED)
