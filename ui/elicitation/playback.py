"""The screen that plays back what the answers imply where nothing was asked: to be confirmed, or corrected."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from dpwizard.decision import Chance, Question, Setup
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import texts, whole
from ui.controls import Line, Prose, mark_wrong
from ui.elicitation.interviewer import QuestionsOutcome
from ui.elicitation.outcome import interval
from ui.elicitation.screen import WIDTH, Screen, Sides
from ui.widgets import Card, Problem, SideBySide, added, button_for, fill, in_a_row, plain, theme, tr


class PlaybackScreen(Screen):
    """Plays back one implied value after another."""

    # the question, the answer, the seconds it took, the corrected chance or None
    answered = Signal(object, str, float, object)

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours, tr("What your answers imply where nothing was asked"))
        self.question: Question | None = None
        self._setup = Setup()
        self._found: QuestionsOutcome | None = None
        self.changed_card = Card(tr("What your correction changed"))
        self.changed = added(self.changed_card.column, Prose(most=WIDTH))
        self.next = button_for(tr("Continue"), self._go_on, "primary")
        self.changed_card.column.addWidget(in_a_row(self.next))
        self.column.addWidget(self.changed_card)
        self.changed_card.hide()
        self.words = added(self.column, Prose(most=WIDTH))
        self.words.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.line = Line()
        self.line.setFixedWidth(96)
        self.out_of = QLabel()
        self.correct = button_for(tr("Correct it"), self._correct)
        self.problem = Problem()
        self.sides = Sides(colours)
        self.right = button_for(tr("That is right"), lambda: self._answer("right"))
        self.cannot = button_for(tr("I cannot say"), lambda: self._answer("cannot_say"))
        row = added(self.column, SideBySide())
        row.box.addWidget(self.sides, 1)
        holder = QWidget()
        row.box.addWidget(holder, 1)
        answers = plain(QVBoxLayout(holder), theme.GROUP)
        answers.addWidget(in_a_row(self.right, self.cannot))
        answers.addWidget(self._correction())
        answers.addStretch(1)
        self.column.addStretch(1)
        self.line.returnPressed.connect(self._correct)

    def _correction(self) -> Card:
        card = self.correct_card = Card(tr("Or correct it"))
        before = QLabel(tr("I accept a rise to at most"))
        before.setBuddy(self.line)
        card.column.addWidget(before)
        line = plain(QHBoxLayout(), theme.NEAR)
        fill(line, self.line, self.out_of, self.correct)
        line.addStretch(1)
        card.column.addLayout(line)
        card.column.addWidget(self.problem)
        return card

    def show_result(self, outcome: QuestionsOutcome, *, changes: bool = True) -> None:
        """Play back the next value implied by what was OUTCOME; first say what a correction of the last one changed.

        What changed names epsilon, so no question stands beside it.
        """
        self._found, self._setup = outcome, outcome.log.setup
        played_back = {
            reply.question.a.prior
            for reply in outcome.log.replies
            if reply.question.kind == "playback" and reply.question.a is not None
        }
        open_questions = [
            question for question in outcome.playback if question.a is not None and question.a.prior not in played_back
        ]
        self.question = open_questions[0] if open_questions else None
        corrected = changes and outcome.change is not None and outcome.log.replies[-1].answer == "corrected"
        if corrected and outcome.change is not None:
            self._say_change(outcome.change)
        self.changed_card.setVisible(corrected)
        asks = self.question is not None and not corrected
        for widget in (self.sides, self.right, self.cannot, self.correct_card):
            widget.setVisible(asks)
        self.words.setVisible(not corrected)
        if self.question is None or self.question.a is None:
            self.words.say(tr("There is nothing left to confirm. Go back to the result."))
            return
        self.words.say(self.question.text)
        self.sides.show_question(self.question, self._setup)
        self.words.setAccessibleName(f"{self.question.text} {self.sides.words()}")
        out_of = tr("in {out_of}", out_of=whole(self.question.a.out_of))
        self.out_of.setText(out_of)
        self.line.setText(str(self.question.a.after))
        self.line.setAccessibleName(tr("I accept a rise to at most this many {out_of}", out_of=out_of))
        self._complain("")
        self.wait(False)
        self.begin_timing()

    def wait(self, waiting: bool) -> None:
        """Take no answers while something is being found."""
        for widget in (self.right, self.cannot, self.correct):
            widget.setEnabled(not waiting)

    def enter(self) -> None:
        super().enter()
        first = self.words if self.changed_card.isHidden() else self.next
        first.setFocus(Qt.FocusReason.OtherFocusReason)

    def _say_change(self, change: elicitation.AnswerEffect) -> None:
        sentences = []
        if change.after.low is not None:  # there is an epsilon to speak of
            sentences.append(
                tr(
                    "{Budget} supported: {before} before, {after} now.",
                    before=interval(change.before),
                    after=interval(change.after),
                )
            )
        for value, now in change.moved:
            if now != value.after:
                figures = {"before": value.before, "out_of": value.out_of, "was": value.after, "now": now}
                sentences.append(texts.format_text("elicitation", "changed", figures))
        self.changed.say("\n".join(sentences) or texts.word("elicitation", "unchanged"))

    def _go_on(self) -> None:
        if self._found is not None:
            self.show_result(self._found, changes=False)
            self.enter()

    def _answer(self, answer: str) -> None:
        if self.question is not None:
            self.wait(True)
            self.answered.emit(self.question, answer, self.seconds, None)

    def _correct(self) -> None:
        if self.question is None or self.question.a is None or not self.correct.isEnabled():
            return
        value = self.question.a
        typed = self.line.text().replace(",", "").replace("\u202f", "").strip()
        if not typed.isdecimal() or int(typed) > value.out_of:
            self._complain(tr("Must be a whole number from 0 to {out_of}.", out_of=whole(value.out_of)))
            return
        if int(typed) == value.after:
            self._complain(tr("That is the value already shown. Choose “That is right”, or enter another."))
            return
        self.wait(True)
        corrected = Chance(out_of=value.out_of, before=value.before, after=int(typed))
        self.answered.emit(self.question, "corrected", self.seconds, corrected)

    def _complain(self, words: str) -> None:
        self.problem.say(words)
        mark_wrong(self.line, bool(words))
        self.line.setAccessibleDescription(words)
