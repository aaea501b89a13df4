"""The plain part of the decision page: the signed sentences, their epsilon, and ways to resolve a conflict."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QVBoxLayout, QWidget

from dpwizard.base.stopping import Stop, stoppable
from dpwizard.decision import Assessment, Decision
from dpwizard.questions import repairs
from dpwizard.wording import (
    LEAST_PLACES,
    as_typed,
    assessments,
    format_text,
    general_guarantee,
    plain_sentences,
    range_of,
    texts,
    whole,
)
from ui.controls import PairedArrays, Prose
from ui.forms import Form, NumberEditor
from ui.panels import SolvedDecision
from ui.questions.adversary import BeforeAndAfter
from ui.session import DocumentSession
from ui.widgets import Card, added, drop, fill, named, plain, restyle, theme, tr, unmnemonic
from ui.workers import Background

LONG, SHORT = 240, 8  # letters of a sentence, and of a number, in the largest size
NUMBER_CARD = 250  # pixels, at least, beside the sentences
PATIENCE = 150  # milliseconds after which outdated work is stopped


class LargeSentence(Prose):
    """A sentence that is signed: the largest text of the page."""

    def __init__(self) -> None:
        super().__init__("", "promise", height=100, most=theme.LARGE_MEASURE)

    def say(self, words: str, strong: Iterable[str] = ()) -> None:
        """Show WORDS; if they are long, or several sentences, in smaller letters, to leave room for the rest."""
        restyle(self, "long", len(words) > LONG or "\n" in words)
        super().say(words, strong)


def _rule() -> QFrame:
    return named(QFrame(frameShape=QFrame.Shape.HLine), "rule")


class ChoiceMeaning(NamedTuple):
    """What a choice means: in the sentences that are signed, in those of the record, and for one person in counts."""

    signed: plain_sentences.PlainSentences | None
    meaning: tuple[str, ...]
    guess_odds: general_guarantee.GuessOdds | None


def _meaning_of(solved: SolvedDecision, stop: Stop | None = None) -> ChoiceMeaning:
    decision, until = solved.decision, time.monotonic() + PATIENCE / 1000
    with stoppable(None if stop is None else lambda: time.monotonic() > until and stop()):
        signed = plain_sentences.plain_sentences(decision, solved.assessment)
        return ChoiceMeaning(signed, general_guarantee.meaning(decision), general_guarantee.guess_odds(decision))


class MeaningReader(Background):
    """Computes what a choice means: at once, or in the background if a curve is read; also during a drag."""

    meaning_read = Signal(object, object)  # the answer, and what its choice means
    late = Signal(bool)  # whether the last meaning is of an older answer

    def __init__(self, parent: QObject) -> None:
        super().__init__(_meaning_of, parent=parent)
        self._newest: SolvedDecision | None = None
        self._in_background = False  # whether the newest meaning is computed in the background
        self.done.connect(self._show)
        self.failed.connect(lambda solved, words: self._show(solved, ChoiceMeaning(None, (words, ""), None)))

    def read(self, solved: SolvedDecision) -> None:
        """Compute what SOLVED means."""
        self._newest = solved
        if not general_guarantee.reads_curve(solved.decision, solved.assessment.accounting.trade_off):
            self.forget()
            self._show(solved, _meaning_of(solved))
            self._in_background = False  # the result of work still running is not shown
            return
        self._in_background = True
        self.late.emit(True)
        self.request(solved)

    def _show(self, solved: SolvedDecision, meaning: ChoiceMeaning) -> None:
        if solved is self._newest or self._in_background:
            self.meaning_read.emit(solved, meaning)
            self.late.emit(solved is not self._newest)


class ProtectionCard(Card):
    """What the choice means: right guesses, needs that are met, and what is not protected."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.promise = added(self.column, LargeSentence())
        self.guesses = added(self.column, BeforeAndAfter(colours))
        self.beliefs = Prose("", "caption")
        self.guesses.box.addWidget(self.beliefs)
        self.needs_rule, self.needs, self.rest_rule = _rule(), LargeSentence(), _rule()
        self.accuracy = Prose("", "caption", most=theme.LARGE_MEASURE)
        self.not_hidden = Prose(most=theme.LARGE_MEASURE)
        fill(self.column, self.needs_rule, self.needs, self.accuracy, self.rest_rule, self.not_hidden)
        self.column.addStretch(1)
        self.say(None, tr("Computing the total of everything together …"))

    def say(self, sentences: plain_sentences.PlainSentences | None, otherwise: str) -> None:
        """Show SENTENCES, or the text OTHERWISE if there are none."""
        if sentences is None:
            self.promise.say(otherwise)
        else:
            self._say(sentences)
        self.guesses.setVisible(sentences is not None and sentences.guesses is not None)
        for part in (self.needs_rule, self.needs):
            part.setVisible(sentences is not None and bool(sentences.needs))
        self.accuracy.setVisible(sentences is not None and bool(sentences.gets))
        for part in (self.rest_rule, self.not_hidden):
            part.setVisible(sentences is not None)

    def _say(self, sentences: plain_sentences.PlainSentences) -> None:
        self.promise.say(sentences.promise)
        if sentences.guesses is not None:
            self.guesses.show_right(sentences.guesses.seen, sentences.guesses.out_of)
        self.beliefs.say(sentences.beliefs)
        self.needs.say("\n".join(sentences.needs))
        self.accuracy.say(sentences.gets)
        label = tr("Not hidden:")
        self.not_hidden.say(f"{label} {sentences.not_hidden}", strong=(label,))


class PersonCard(Card):
    """What the choice means for one person, in the words of the record and in counts; then for everyone else."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(tr("What it means for a person"))
        self.text, self.dots = Prose(), PairedArrays(colours, tr("right"), tr("wrong"))
        self.everyone = Prose("", "caption")
        fill(self.column, self.text, self.dots, self.everyone)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)

    def say(self, meaning: ChoiceMeaning, exact: bool) -> None:
        """Show MEANING; EXACT: the figures have no noise."""
        text, odds = meaning.meaning[0] if meaning.meaning else "", meaning.guess_odds
        instead = texts.word("implied", "exact_person") if exact else texts.word("advice", "no_epsilon")
        self.text.say(text or instead, strong=[whole(count) for count in odds[1:]] if text and odds is not None else ())
        # both sentences may give the same reason
        self.everyone.say(" ".join(sentence for sentence in meaning.meaning[1:] if sentence != text))
        self.dots.setVisible(odds is not None)
        if odds is not None:
            most = texts.format_text("meaning", "at_most_of", {"count": odds.seen, "out_of": odds.out_of})
            least = texts.format_text("meaning", "at_least_of", {"count": odds.unseen, "out_of": odds.out_of})
            self.dots.show_chances(odds.seen / odds.out_of, odds.unseen / odds.out_of, (most, least))


class BudgetCard(Card):
    """The budget chosen, whether it is allowed, what it means, and a button for each end of the range."""

    end_chosen = Signal(float)  # an end of the range, as its button shows it

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.number = added(self.column, named(QLabel("–", wordWrap=True), "chosen"))
        theme.tabular(self.number)
        self.place = added(self.column, Prose("", "agreed"))
        self.about = added(self.column, Prose("", "caption"))
        self.form = Form(session, "$", Decision, ())
        self._places = LEAST_PLACES  # decimals of the range
        help = tr("The loss of the whole release, each time.")
        self.epsilon = NumberEditor(tr("Epsilon chosen"), help, as_written=self._written)
        help = tr("For Gaussian noise, instead of epsilon: a number, or an exact fraction such as 1/5.")
        self.rho = NumberEditor(tr("Rho chosen"), help, as_written=self._written)
        for name, editor in (("epsilon", self.epsilon), ("rho", self.rho)):
            self.form.add(name, editor)
        fill(self.column, self.form, self.epsilon, self.rho)
        self.take_upper, self.take_lower = self._end_button(), self._end_button()
        self.lowered = added(self.column, Prose("", "caption"))
        self._beside = False  # whether it is beside the sentences
        self.column.addStretch(1)

    def _written(self, budget: float) -> str:
        return as_typed(budget, self._places)

    def _end_button(self) -> QPushButton:
        button = named(QPushButton(), "end")
        button.clicked.connect(lambda: self.end_chosen.emit(button.property("epsilon")))
        button.hide()
        return added(self.column, button)

    def set_beside(self, beside: bool) -> None:
        """Be as narrow as the buttons allow BESIDE the sentences; below them take the whole width."""
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
        restyle(self.number, "long", len(self.number.text()) > SHORT)
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
        self.set_beside(self._beside)


def _place(assessment: Assessment) -> str:
    """Return that the choice is allowed, with the ends of the allowed range."""
    shown = range_of(assessment)
    if shown.lower is not None and shown.upper is not None and not shown.single:
        return tr("✓ inside {lower} to {upper}", lower=shown.lower.text, upper=shown.upper.text)
    return tr("✓ allowed")


class RepairsCard(Card):
    """Ways to resolve a conflict, each by one click."""

    chosen = Signal(str, object)  # the name of the edit, and the function that makes it

    def __init__(self) -> None:
        super().__init__(tr("Change what you ask for"))
        self.column.addWidget(Prose(tr("One click each; Undo takes it back."), "caption"))
        self.searching = added(self.column, Prose(tr("Looking for ways to meet both …"), "caption"))
        self._rows = plain(QVBoxLayout(), theme.NEAR)
        self.column.addLayout(self._rows)
        self.column.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._lines: list[QWidget] = []
        self.buttons: list[QPushButton] = []

    def offer(self, offered: Sequence[repairs.Repair], *, searching: bool = False) -> None:
        """Show the ways OFFERED; SEARCHING: others are still being computed."""
        self.searching.setVisible(searching)
        drop(self._rows, self._lines)
        self._lines, self.buttons = [], []
        for repair in offered:
            line = QWidget()
            column = plain(QVBoxLayout(line), theme.TIGHT)
            button = QPushButton(unmnemonic(repair.words))
            button.clicked.connect(lambda _=False, repair=repair: self.chosen.emit(repair.name, repair.make))
            button.setAccessibleDescription(repair.price)
            column.addWidget(button, alignment=Qt.AlignmentFlag.AlignLeft)
            column.addWidget(Prose(repair.price, "caption"))
            self.buttons.append(button)
            self._lines.append(line)
            self._rows.addWidget(line)


def conflict_words(decision: Decision, assessment: Assessment) -> str:
    """Return in one sentence which requirements conflict."""
    shown, at = range_of(assessment), assessment.window.binds_lower
    if shown.lower is None or shown.upper is None or at is None:
        return assessments.window(assessment)
    planned = decision.planned
    need = plain_sentences.need_in_short(planned.requirements[at], assessment.answers[at], planned.release)
    return format_text("protection", "conflict", {"upper": shown.upper.text, "name": need, "lower": shown.lower.text})


def outside_words(assessment: Assessment) -> str:
    """Return that the choice is outside the allowed range."""
    chosen = range_of(assessment).chosen
    return format_text("protection", "outside", {"chosen": chosen.text if chosen else ""})
