"""The plain part of the decision page: the sentences that are signed, the number they come from, and the ways out."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from dpwizard.base.stopping import Stop, stoppable
from dpwizard.decision import Assessment, Decision
from dpwizard.questions import repairs
from dpwizard.wording import (
    LEAST_PLACES,
    as_typed,
    explain,
    format_text,
    general_guarantee,
    plain_sentences,
    range_of,
    whole,
)
from ui.controls import Prose
from ui.forms import Form, FractionEditor, NumberEditor, PairedArrays
from ui.panels import SolvedDecision
from ui.questions.adversary import BeforeAndAfter
from ui.session import DocumentSession
from ui.widgets import Card, added, drop, fill, named, plain, theme, tr, unmnemonic
from ui.workers import Background

LONG, SHORT = 240, 8  # letters of what is said in the largest size, and of a number in the largest
NUMBER_CARD = 250  # pixels at least, beside the sentences
PATIENCE = 150  # milliseconds after which what is out of date is given up


class Large(QLabel):
    """A sentence that is signed: the largest text of the page."""

    def __init__(self) -> None:
        super().__init__(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.setObjectName("promise")
        self.setMaximumWidth(theme.LARGE_MEASURE)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def say(self, words: str) -> None:
        """Say WORDS; many of them, or several sentences, in smaller letters, so that what follows stays on the page."""
        self.setProperty("long", len(words) > LONG or "\n" in words)
        self.style().polish(self)
        self.setText(words)

    def heightForWidth(self, width: int) -> int:
        return super().heightForWidth(min(width, self.maximumWidth()))  # it never becomes wider


def _rule() -> QFrame:
    return named(QFrame(frameShape=QFrame.Shape.HLine), "rule")


class Meant(NamedTuple):
    """What a choice means: in the sentences that are signed, in those of the record, and for one person in counts."""

    signed: plain_sentences.PlainSentences | None
    meaning: tuple[str, ...]
    worlds: general_guarantee.GuessOdds | None


def _meant(solved: SolvedDecision, stop: Stop | None = None) -> Meant:
    decision, until = solved.decision, time.monotonic() + PATIENCE / 1000
    with stoppable(None if stop is None else lambda: time.monotonic() > until and stop()):
        signed = plain_sentences.plain_sentences(decision, solved.assessment)
        return Meant(signed, general_guarantee.meaning(decision), general_guarantee.guess_odds(decision))


class MeaningReader(Background):
    """Finds what a choice means: at once, or behind the window where a curve is read; it follows while one drags."""

    meant = Signal(object, object)  # the answer, and what its choice means
    late = Signal(bool)  # whether what was told last is of an older answer

    def __init__(self, parent: QObject) -> None:
        super().__init__(_meant, parent=parent)
        self._newest: SolvedDecision | None = None
        self._behind = False  # whether what is newest is found behind the window
        self.done.connect(self._show)
        self.failed.connect(lambda solved, words: self._show(solved, Meant(None, (words, ""), None)))

    def read(self, solved: SolvedDecision) -> None:
        """Find what SOLVED means."""
        self._newest = solved
        if not general_guarantee.reads_curve(solved.decision, solved.assessment.accounting.trade_off):
            self.forget()
            self._show(solved, _meant(solved))
            self._behind = False  # of what still runs nobody is told
            return
        self._behind = True
        self.late.emit(True)
        self.request(solved)

    def _show(self, solved: SolvedDecision, found: Meant) -> None:
        if solved is self._newest or self._behind:
            self.meant.emit(solved, found)
            self.late.emit(solved is not self._newest)


class ProtectionCard(Card):
    """What the choice means: right guesses, needs that are met, and what is not hidden."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.promise = added(self.column, Large())
        self.guesses = added(self.column, BeforeAndAfter(colours))
        self.beliefs = Prose("", "caption")
        self.guesses.box.addWidget(self.beliefs)
        self.needs_rule, self.needs, self.gets = _rule(), Large(), Prose("", "caption")
        self.rest_rule, self.not_hidden = _rule(), Prose()
        for part in (self.gets, self.not_hidden):
            part.setMaximumWidth(theme.LARGE_MEASURE)
        fill(self.column, self.needs_rule, self.needs, self.gets, self.rest_rule, self.not_hidden)
        self.column.addStretch(1)
        self.say(None, tr("Reading the curve of everything together …"))

    def say(self, found: plain_sentences.PlainSentences | None, otherwise: str) -> None:
        """Say what was FOUND that the choice means, or OTHERWISE where there is none."""
        if found is None:
            self.promise.say(otherwise)
        else:
            self._say(found)
        self.guesses.setVisible(found is not None and found.guesses is not None)
        for part in (self.needs_rule, self.needs):
            part.setVisible(found is not None and bool(found.needs))
        self.gets.setVisible(found is not None and bool(found.gets))
        for part in (self.rest_rule, self.not_hidden):
            part.setVisible(found is not None)

    def _say(self, found: plain_sentences.PlainSentences) -> None:
        self.promise.say(found.promise)
        if found.guesses is not None:
            self.guesses.show_right(found.guesses.seen, found.guesses.out_of)
        self.beliefs.say(found.beliefs)
        self.needs.say("\n".join(found.needs))
        self.gets.say(found.gets)
        label = tr("Not hidden:")
        self.not_hidden.say(f"{label} {found.not_hidden}", strong=(label,))


class PersonCard(Card):
    """What the choice means for one person: in the record's words and in counts; then for everyone else."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(tr("What it means for a person"))
        self.said, self.worlds = Prose(), PairedArrays(colours, tr("right"), tr("wrong"))
        self.everyone = Prose("", "caption")
        fill(self.column, self.said, self.worlds, self.everyone)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)

    def say(self, found: Meant, exact: bool) -> None:
        """Say what was FOUND; EXACT figures tell all there is."""
        one, seen = found.meaning[:1], found.worlds
        instead = explain.word("implied", "exact_person") if exact else explain.word("advice", "no_epsilon")
        counts = [whole(count) for count in seen[1:]] if seen is not None else []
        self.said.say(one[0] if one and one[0] else instead, strong=counts if one and one[0] else ())
        # one reason may bar both promises
        self.everyone.say(" ".join(text for text in found.meaning[1:] if text not in one))
        self.worlds.setVisible(seen is not None)
        if seen is not None:
            most = explain.format_text("meaning", "at_most_of", {"count": seen.seen, "out_of": seen.out_of})
            least = explain.format_text("meaning", "at_least_of", {"count": seen.unseen, "out_of": seen.out_of})
            self.worlds.show_chances(seen.seen / seen.out_of, seen.unseen / seen.out_of, (most, least))


class NumberCard(Card):
    """The number chosen, whether both sides agree to it, what it is, and both ends at one click."""

    taken = Signal(float)  # an end of the range, as its button shows it

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.number = added(self.column, named(QLabel("–", wordWrap=True), "chosen"))
        theme.tabular(self.number)
        self.place = added(self.column, Prose("", "agreed"))
        self.about = added(self.column, Prose("", "caption"))
        self.form = Form(session, "$", Decision, ())
        self._places = LEAST_PLACES  # decimals that the range has beside the field
        about = tr("The loss of one repetition of the whole release.")
        self.epsilon = NumberEditor(tr("Epsilon chosen"), about, as_written=self._written)
        help = tr("Of Gaussian noise, in place of epsilon: a number, or an exact fraction such as 1/5.")
        self.rho = FractionEditor(tr("Rho chosen"), help, as_written=self._written)
        for name, editor in (("epsilon", self.epsilon), ("rho", self.rho)):
            self.form.add(name, editor)
        fill(self.column, self.form, self.epsilon, self.rho)
        self.take_upper, self.take_lower = self._end(), self._end()
        self.lowered = added(self.column, Prose("", "caption"))
        self._beside = False  # whether it stands beside the sentences
        self.column.addStretch(1)

    def _written(self, budget: float) -> str:
        """Return the BUDGET as the field shows it: as it is printed; the decision keeps all its digits."""
        return as_typed(budget, self._places)

    def _end(self) -> QPushButton:
        button = named(QPushButton(), "end")
        button.clicked.connect(lambda: self.taken.emit(button.property("epsilon")))
        button.hide()
        return added(self.column, button)

    def stand_beside(self, beside: bool) -> None:
        """Keep narrow BESIDE the sentences, yet as wide as both buttons need; below them take the whole width."""
        self._beside = beside
        ends = [button for button in (self.take_upper, self.take_lower) if not button.isHidden()]
        margins = self.column.contentsMargins()
        needed = max((button.sizeHint().width() for button in ends), default=0) + margins.left() + margins.right()
        width = max(NUMBER_CARD, needed + 2 * self.frameWidth())
        self.setMinimumWidth(width if beside else 0)
        self.setMaximumWidth(width if beside else theme.WIDEST)

    def show_answers(self, decision: Decision, assessment: Assessment) -> None:
        """Show the choice and the range of ASSESSMENT."""
        shown, inside = range_of(assessment), assessment.inside
        self.number.setText(shown.chosen.text if shown.chosen else "–")
        self.number.setProperty("long", len(self.number.text()) > SHORT)
        self.number.style().polish(self.number)
        self._places = shown.places
        for editor, budget in ((self.epsilon, decision.epsilon), (self.rho, decision.rho)):
            if budget is not None and not editor.line.hasFocus() and not editor.problem.text():
                editor.rewrite(budget)
        self.place.say(_place(assessment))
        self.place.setVisible(bool(self.place.words) and inside is True)
        self.about.say(format_text("protection", "epsilon_is", {"person": plain_sentences.person(decision.release)}))
        noise, in_rho = decision.release.noise, decision.release.counted_in == "rho"
        self.epsilon.setVisible(not noise.absent and (not in_rho or decision.epsilon is not None))
        self.rho.setVisible(noise.only_deltas or decision.rho is not None)
        self.lowered.say(plain_sentences.what_lowers(decision, assessment))
        self.lowered.setVisible(bool(self.lowered.words))
        for button, key, end in ((self.take_upper, "upper", shown.upper), (self.take_lower, "lower", shown.lower)):
            button.setVisible(end is not None and not (key == "lower" and shown.single))
            if end is not None:
                button.setProperty("epsilon", end.value)
                button.setText(format_text("take", "only" if shown.single else key, {"epsilon": end.text}))
        self.stand_beside(self._beside)


def _place(assessment: Assessment) -> str:
    """Return that both sides agree to the choice, with the ends of what they agree to."""
    shown = range_of(assessment)
    if shown.lower is not None and shown.upper is not None and not shown.single:
        return tr("✓ inside {lower} to {upper}", lower=shown.lower.text, upper=shown.upper.text)
    return tr("✓ allowed")


class RepairsCard(Card):
    """What may be asked for instead where no budget meets every requirement: one click each."""

    chosen = Signal(str, object)  # what Undo will call it, and what makes of the decision another

    def __init__(self) -> None:
        super().__init__(tr("Change what you ask for"))
        self.column.addWidget(Prose(tr("One click each; Undo takes it back."), "caption"))
        self.searching = added(self.column, Prose(tr("Looking for ways to meet both …"), "caption"))
        self._rows = plain(QVBoxLayout(), theme.NEAR)
        self.column.addLayout(self._rows)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lines: list[QWidget] = []
        self.buttons: list[QPushButton] = []

    def offer(self, found: Sequence[repairs.Repair], *, searching: bool = False) -> None:
        """Offer what was FOUND in the place of what was offered before; say whether others are looked for."""
        self.searching.setVisible(searching)
        drop(self._rows, self._lines)
        self._lines, self.buttons = [], []
        for repair in found:
            line = QWidget()
            row = plain(QBoxLayout(QBoxLayout.Direction.TopToBottom, line), theme.TIGHT)
            button = QPushButton(unmnemonic(repair.words))
            button.clicked.connect(lambda _=False, one=repair: self.chosen.emit(one.name, one.make))
            button.setAccessibleDescription(repair.price)
            row.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
            row.addWidget(Prose(repair.price, "caption"))
            self.buttons.append(button)
            self._lines.append(line)
            self._rows.addWidget(line)


def conflict_words(decision: Decision, assessment: Assessment) -> str:
    """Return in one sentence who asks for what, where no budget meets every requirement."""
    shown, found = range_of(assessment), assessment.window
    if shown.lower is None or shown.upper is None or found.binds_lower is None:
        return explain.window(assessment)
    asked, answer = decision.planned.requirements[found.binds_lower], assessment.answers[found.binds_lower]
    need = plain_sentences.need_in_short(asked, answer, decision.planned.release)
    return format_text("protection", "conflict", {"upper": shown.upper.text, "name": need, "lower": shown.lower.text})


def outside_words(assessment: Assessment) -> str:
    """Return that the choice is outside the allowed range."""
    chosen = range_of(assessment).chosen
    return format_text("protection", "outside", {"chosen": chosen.text if chosen else ""})
