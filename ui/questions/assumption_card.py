"""One assumption of a promise as a question: true here, not true here, not known; each answer leads somewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QDateTime, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.base.language import spoken
from dpwizard.decision import Acknowledgement, Decision, assumptions, dependence, derived_fields
from dpwizard.questions import promises
from dpwizard.wording import quoted
from ui.controls import Line, LongText, NumberLine, Prose
from ui.forms import parsed
from ui.questions.options import Option, Options
from ui.session import DocumentSession
from ui.widgets import Card, Link, Words, added, fill, in_a_row, named, plain, theme, tr

PRINTED = "totals_printed"  # the assumption that needs of totals rest on
FIELD, NAME, REASON = 42, 220, 48  # pixels of a number and of a name, and of the height of a reason
FEWEST = 3  # people that are protected as one, to begin with
ACKNOWLEDGED = "$.acknowledged"
# of an assumption that a field of the technical details does without: what leads there in words, and the field
FIELDS: Mapping[str, tuple[Callable[[], str], str]] = {
    "knows_all_but_one": (lambda: tr("Ask with another belief: see the technical details"), "name"),
    "other_attributes_known": (lambda: tr("Protect all their values: clear the attribute"), "attribute"),
    "independent_attributes": (lambda: tr("Ask about one value at a time"), "attributes"),
    "effects_of_what_is_guessed": (lambda: tr("Name the value that is guessed"), "attributes"),
    "moves_in_proportion": (lambda: tr("Say how far the figures move"), "attributes"),
    "priors_in_class": (lambda: tr("Widen the beliefs"), "prior_mass"),
    "scores_as_stated": (lambda: tr("Choose another score"), "score"),
    "gaussian_beliefs": (lambda: tr("State the beliefs in another way"), "name"),
}


class AssumptionCard(Card):
    """A sentence that a promise needs, with three answers and where they lead."""

    add_person = Signal()
    any_belief = Signal()
    technical = Signal(str)  # the field of a requirement that does without the assumption

    def __init__(self, session: DocumentSession, key: str) -> None:
        super().__init__(tr("The promise needs this to be true. Is it?"))
        self.session, self.key = session, key
        self.sentence = added(self.column, Prose())
        answers = {"accepted": tr("True here"), "refused": tr("Not true here"), "open": tr("I do not know")}
        self.options = added(self.column, Options(tr("Is this true here?"), answers))
        self.options.chosen.connect(self._answer)
        self.way = named(QFrame(), "way")
        self.ways = QVBoxLayout(self.way)
        self.ways.setContentsMargins(theme.GROUP, theme.NEAR, theme.GROUP, theme.NEAR)
        self.ways.setSpacing(theme.TIGHT)
        self.refused = plain(QVBoxLayout(), theme.TIGHT)
        self.says = Prose()
        self.refused.addWidget(self.says)
        self._add_ways(self.refused)
        self._refused = _holder(self.refused)
        self._open = _holder(self._vouching())
        fill(self.ways, self._refused, self._open)
        self.column.addWidget(self.way)

    # --------------------------------------------------------------------------- what leads somewhere

    def _add_ways(self, column: QVBoxLayout) -> None:
        """Add to COLUMN where "Not true here" leads: a field or another person, and always a reason."""
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
        self.because = Reason(tr("It is true enough here, because …"))
        self.because.typed.connect(self._give_reason)
        column.addWidget(self.because)

    def _vouching(self) -> QVBoxLayout:
        """Return the field in which a fact is handed on to a person who can vouch for it."""
        column = plain(QVBoxLayout(), theme.TIGHT)
        self.vouches = Line()
        self.vouches.setFixedWidth(NAME)
        self.vouches.setAccessibleName(tr("Who vouches that this is true"))
        self.vouches.textEdited.connect(self._hand_on)
        self.vouches.editingFinished.connect(self.session.settle)
        column.addWidget(in_a_row(Words(tr("Someone else vouches:")), self.vouches))
        column.addWidget(Prose(tr("The record names them. Nobody can approve it until they have answered."), "caption"))
        return column

    # ------------------------------------------------------------------------------------- answering

    def _put(self, decision: Decision, name: str, merge: str | None = None, **answer: Any) -> None:
        """Make DECISION, with ANSWER to this assumption, the one shown, as one edit called NAME."""
        self.session.edit(name, answered(decision, self.key, **answer), merge)

    def _answer(self, state: str) -> None:
        names = {"accepted": tr("True here"), "refused": tr("Not true here"), "open": tr("I do not know")}
        self._put(self.session.decision, names[state], state=None if state == "accepted" else state)

    def _give_reason(self, words: str) -> None:
        reason = words.strip() or None
        state = "refused" if reason is None else None
        self._put(self.session.decision, tr("True enough here"), f"{ACKNOWLEDGED}.reason", state=state, reason=reason)

    def _hand_on(self, words: str) -> None:
        name = tr("Someone else vouches")
        self._put(
            self.session.decision, name, f"{ACKNOWLEDGED}.vouched_by", state="open", vouched_by=words.strip() or None
        )

    # --------------------------------------------------------------------------------------- showing

    def show_decision(self, decision: Decision) -> None:
        """Show how the assumption is answered in DECISION."""
        asked = promises.assumption(decision, self.key)
        self.sentence.say(quoted(asked))
        self.options.ask(f"{tr('Is this true here?')} {asked}")
        answer = decision.answer_to(self.key)
        state = self.state_in(decision, answer)
        self.options.show_key(state)
        self.way.setVisible(state in ("refused", "open"))
        self._refused.setVisible(state == "refused")
        self._open.setVisible(state == "open")
        self.says.say(self.leads_to(decision))
        self.because.show_reason(None if answer is None else answer.reason)
        _show(self.vouches, "" if answer is None else answer.vouched_by or "")

    def state_in(self, decision: Decision, answer: Acknowledgement | None) -> str | None:
        """Return which of the three answers ANSWER is; one with a reason is "not true, but true enough"."""
        if answer is None:
            return None
        return "refused" if answer.reason is not None else answer.state or "accepted"

    def leads_to(self, decision: Decision) -> str:
        """Return what comes of "Not true here"."""
        return tr("Then choose what you promise instead.")

    def reach(self) -> None:
        """Give the keyboard to the answers."""
        self.options.reach()


class DependenceCard(AssumptionCard):
    """Whether the result of one person says something about another; three ways where it does."""

    def __init__(self, session: DocumentSession) -> None:
        super().__init__(session, dependence.INDEPENDENCE)

    def _add_ways(self, column: QVBoxLayout) -> None:
        self.known = Option(tr("Promise it even to someone who knows every other result"))
        self.known.clicked.connect(lambda: self._choose("known"))
        self.known_note = Prose("", "caption")
        self.together = Option(tr("Protect up to"))
        self.together.clicked.connect(lambda: self._choose("together"))
        self.people = NumberLine()
        self.people.setFixedWidth(FIELD)
        self.people.setAccessibleName(tr("How many are protected as one"))
        self.people.textEdited.connect(self._protect)
        self.people.editingFinished.connect(self.session.settle)
        self.as_one = Words()
        self.together_note = Prose("", "caption")
        self.reason = Option(tr("It is true enough here, because …"))
        self.reason.clicked.connect(lambda: self._choose("reason"))
        column.addWidget(self.known)
        column.addLayout(_indented(self.known_note))
        column.addWidget(in_a_row(self.together, self.people, self.as_one))
        column.addLayout(_indented(self.together_note))
        column.addWidget(self.reason)
        self.because = Reason("")
        self.because.typed.connect(self._give_reason)
        column.addLayout(_indented(self.because))
        column.addLayout(_indented(Prose(tr("Your reason is printed on page 2, beside your name."), "caption")))
        self._asks_reason = False  # it was chosen, and no word of it is typed yet

    def _answer(self, state: str) -> None:
        if state == "refused":
            self._choose("known")  # stricter, and nothing is assumed any more
            return
        self._asks_reason = False
        names = {"accepted": tr("True here"), "open": tr("I do not know")}
        plain_promise = dependence.promised_to_all(dependence.with_people_together(self.session.decision, 1), False)
        self._put(plain_promise, names[state], state=None if state == "accepted" else state)

    def _choose(self, way: dependence.Way) -> None:
        """Do about dependence what WAY says."""
        self._asks_reason = way == "reason"
        people = FEWEST if way == "together" else 1
        decision = dependence.with_people_together(self.session.decision, people)
        decision = dependence.promised_to_all(decision, way == "known")
        names = {"known": tr("Not true here"), "together": tr("Protect some as one"), "reason": tr("True enough here")}
        if way == "together":
            self._put(decision, names[way], reason=self._reason_of(people))
            self.people.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self._put(decision, names[way], state="refused")
        if way == "reason":
            self.because.reach()

    def _reason_of(self, people: int) -> str:
        return tr("Up to {count} who depend on each other are protected as one.", count=people)

    def _protect(self, words: str) -> None:
        """Protect so many as one as WORDS say, where that is a whole number above 1."""
        people = parsed(words)
        if people is None or not people.is_integer() or not 1 < people <= 1_000_000:
            return
        decision = dependence.with_people_together(self.session.decision, int(people))
        reason = self._reason_of(int(people))
        self._put(decision, tr("Protect some as one"), f"{ACKNOWLEDGED}.together", reason=reason)

    def state_in(self, decision: Decision, answer: Acknowledgement | None) -> str | None:
        if dependence.is_promised_to_all(decision):
            return "refused"
        return super().state_in(decision, answer)

    def leads_to(self, decision: Decision) -> str:
        return tr("The result of one says something about another. So choose what you promise instead.")

    def show_decision(self, decision: Decision) -> None:
        way = dependence.way_chosen(decision)
        super().show_decision(decision)
        words = promises.words_of(decision)
        people = dependence.protected_together(decision.release)
        reason = way == "reason" or (way is None and self._asks_reason)
        for option, chosen in ((self.known, way == "known"), (self.together, way == "together"), (self.reason, reason)):
            option.setAutoExclusive(False)
            option.setChecked(chosen)
        text = tr(
            "Then nothing is assumed about other {people}. Your answers count the same.", **_only(words, "people")
        )
        self.known_note.say(text)
        self.as_one.setText(tr("{people} who depend on each other as one", **_only(words, "people")))
        count = people if people > 1 else FEWEST
        self.together_note.say(tr("Stricter: about {count} times the noise.", count=count))
        if parsed(self.people.text()) != count:
            _show(self.people, str(count))
        self.people.setEnabled(way == "together")
        self.together.setEnabled(dependence.can_protect_together(decision.release))
        self.because.setVisible(reason)
        if way == "together":
            self.because.show_reason(None)


class Reason(QWidget):
    """Why an assumption is true enough here, in the officer's own words; printed on page 2."""

    typed = Signal(str)

    def __init__(self, label: str) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.TIGHT)
        if label:
            column.addWidget(QLabel(label, wordWrap=True))
        self.text = LongText(REASON)
        self.text.setAccessibleName(tr("Why it is true enough here"))
        self._showing = False
        self.text.textChanged.connect(self._changed)
        column.addWidget(self.text)

    def _changed(self) -> None:
        if not self._showing:
            self.typed.emit(self.text.toPlainText())

    def show_reason(self, reason: str | None) -> None:
        """Show REASON, unless it is being typed; nobody is told."""
        if self.text.toPlainText().strip() != (reason or ""):
            self._showing = True
            self.text.setPlainText(reason or "")
            self._showing = False

    def reach(self) -> None:
        """Give the keyboard to the reason."""
        self.text.setFocus(Qt.FocusReason.OtherFocusReason)


def _holder(layout: QVBoxLayout) -> QWidget:
    holder = QWidget()
    layout.setContentsMargins(0, 0, 0, 0)
    holder.setLayout(layout)
    return holder


def _indented(part: QWidget) -> QHBoxLayout:
    """Return PART below the words of an answer, not below its round button."""
    row = QHBoxLayout()
    row.setContentsMargins(theme.EDGE, 0, 0, 0)
    row.addWidget(part)
    return row


def _show(line: Line, words: str) -> None:
    if line.text().strip() != words:
        line.setText(words)


def _only(words: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: words[name] for name in names}


def answered(decision: Decision, key: str, **answer: Any) -> Decision:
    """Return DECISION with ANSWER to the assumption KEY, given now."""
    now = QDateTime.currentDateTimeUtc().toString(Qt.DateFormat.ISODate)
    text = promises.assumption(decision, key)
    given = Acknowledgement(assumption=key, text=text, language=spoken(), time=now, **answer)
    return derived_fields.with_answer(decision, given, key)


def with_totals_printed(decision: Decision) -> Decision:
    """Return DECISION with its totals said to be printed, where a need rests on that and nobody has answered."""
    if PRINTED not in assumptions(decision, "accuracy") or decision.answer_to(PRINTED) is not None:
        return decision
    return answered(decision, PRINTED)
