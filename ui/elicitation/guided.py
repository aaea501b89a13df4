"""The guided session: asked in the page, without epsilon in sight, from who answers to a profile used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import ElicitationSession as Log
from dpwizard.decision import Question
from dpwizard.elicitation import interview as elicitation
from dpwizard.questions import privacy_words
from dpwizard.wording import persons, word
from ui.elicitation.ask_screen import AskScreen
from ui.elicitation.assessors import AssessorsScreen
from ui.elicitation.begin_screen import BeginScreen
from ui.elicitation.interviewer import Interviewer, NextStep, QuestionsOutcome
from ui.elicitation.journal import JournalScreen
from ui.elicitation.look_screen import LookScreen
from ui.elicitation.outcome import OutcomeScreen
from ui.elicitation.playback import PlaybackScreen
from ui.elicitation.screen import Screen
from ui.elicitation.settle_screen import SettleScreen
from ui.forms import in_words
from ui.session import DocumentSession
from ui.widgets import button_for, fill, named, plain, theme, tr
from ui.workers import close_all

ABOUT = 10  # questions that most sessions need
LITTLE = 440  # pixels of the page below which the buttons stand alone at its head


class GuidedQuestions(QWidget):
    """Leads through the questions about one requirement. Every answer is an edit of the decision, undone like any."""

    used = Signal()  # what the answers support is taken over
    ended = Signal()  # the page is to be shown again; all that was answered is in the decision already

    def __init__(self, session: DocumentSession, index: int, colours: theme.Colours) -> None:
        super().__init__()
        self.session = session
        self._kind = session.decision.requirements[index].kind
        self._start = len(session.history.past)  # who takes back more than what was done here leaves the questions
        self._ended = False
        session.changed.connect(self._end_with_requirement)  # before anything else asks what is no longer there
        self.interviewer = Interviewer(session, index, self)
        self.revising: int | None = None  # the number of the answer that is asked for anew
        self._above: elicitation.InterviewState | None = None  # the one look that is shown alone
        self._queue: list[int] = []  # further answers to be asked for anew
        self._postponed: set[tuple[int, int]] = set()
        self._came_from: Screen | None = None
        self.begin = BeginScreen(colours, self.interviewer)
        self.ask = AskScreen(colours)
        self.settle = SettleScreen(colours)
        self.closing = LookScreen(colours)
        self.outcome = OutcomeScreen(colours)
        self.playback = PlaybackScreen(colours)
        self.assessors = AssessorsScreen(colours, self.interviewer)
        self.journal = JournalScreen(colours)
        self.stack = QStackedWidget()
        column = plain(QVBoxLayout(self), 0)
        column.addWidget(self._head())
        column.addWidget(self.stack, 1)
        results = (self.outcome, self.playback, self.assessors, self.journal)
        for screen in (self.begin, self.ask, self.settle, self.closing, *results):
            self.stack.addWidget(screen)
        self._connect()
        self.show_screen(self.begin)

    def _head(self) -> QWidget:
        head = QWidget()
        row = self._head_row = QHBoxLayout(head)
        row.setSpacing(theme.NEAR)
        self.title = named(QLabel(word("question", self.interviewer.requirement.step)), "question")
        self._name = self.interviewer.requirement.name or word("kind", self._kind)
        self.progress_words = named(QLabel(self._name, textFormat=Qt.TextFormat.PlainText), "quiet")
        # a long name is cut, not the buttons
        self.progress_words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.title)
        row.addWidget(self.progress_words, 1)
        self.go_on_button = button_for(tr("Continue"), self.go_on, "small")
        self.journal_button = button_for(tr("Answers so far"), self.show_journal, "small")
        self.stop_button = button_for(tr("Stop for now"), self.end, "small")
        fill(row, self.go_on_button, self.journal_button, self.stop_button)
        return head

    def _connect(self) -> None:
        self.interviewer.log_changed.connect(self._wait_for_next_step)
        self.interviewer.next_step_ready.connect(self._show_next_step)
        self.interviewer.outcome_ready.connect(self._show_result)
        self.interviewer.failed.connect(self._failed)
        self.begin.begin.connect(self._begin)
        self.begin.resume.connect(self._resume)
        self.begin.several.connect(lambda: self.show_screen(self.assessors))
        self.ask.answered.connect(self._answered)
        self.settle.settled.connect(self._settled)
        self.closing.judged.connect(lambda *judgement: self._try(lambda: self.interviewer.judge(*judgement)))
        self.settle.ask_again.connect(self._ask_again)
        self.settle.later.connect(self._later)
        self.outcome.use.connect(lambda: self._use(None))
        self.outcome.not_yet.connect(self.end)
        self.outcome.playback.connect(self._play_back)
        self.outcome.several.connect(lambda: self.show_screen(self.assessors))
        self.outcome.settle.connect(self._settle_rest)
        self.playback.answered.connect(lambda *answer: self._try(lambda: self.interviewer.answer(*answer)))
        self.assessors.use.connect(self._use)
        self.session.left.connect(self.end)  # a click may be waiting when the window leaves for another decision
        escape = QShortcut(QKeySequence.StandardKey.Cancel, self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self.end)

    # ------------------------------------------------------------------------------------- screens

    @property
    def current_screen(self) -> Screen:
        """Return the screen shown."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def show_screen(self, screen: Screen) -> None:
        """Show SCREEN from its beginning."""
        self.stack.setCurrentWidget(screen)
        screen.arrange(self.width())
        screen.enter()
        self.progress_words.setVisible(screen is not self.begin)
        if screen is not self.ask:
            self.progress_words.setText(self._name)
        self.go_on_button.setVisible(screen is self.ask and self.revising is not None)
        self.journal_button.setVisible(screen is not self.journal)
        self.stop_button.setText(tr("Stop for now") if screen in (self.ask, self.settle, self.closing) else tr("Close"))
        self.stop_button.setVisible(screen is not self.outcome)  # which has a button for it

    def begin_for(self, who: str, benefit: str) -> None:
        """Fill in WHO answers and the BENEFIT that is lost, and begin at once where nothing was answered yet."""
        self.outcome.goes_on = True
        self.begin.who.setText(who)
        self.begin.benefit.setText(benefit)
        if who and not self.interviewer.logs():
            self._begin()

    def look_at(self, place: int, look: elicitation.InterviewState) -> None:
        """Show LOOK alone, as one more of the log at PLACE; what is accepted is taken over, and the questions end."""
        self._above = look
        self.closing.more.hide()
        self._resume(place)

    def show_journal(self) -> None:
        """Show the log, and come back from it."""
        self._came_from = self.current_screen
        self.journal.show_log(self.session.decision)
        self.show_screen(self.journal)

    def _end_with_requirement(self) -> None:
        """End if the requirement was removed, or more was undone than was answered here."""
        decision, index = self.session.decision, self.interviewer.index
        there = index < len(decision.requirements) and decision.requirements[index].kind == self._kind
        if not there or len(self.session.history.past) < self._start:
            self.end()

    # ---------------------------------------------------------------------------------- the answers

    def _begin(self) -> None:
        if not self.begin.begin_button.isEnabled():
            return
        who = self.begin.who.text().strip()
        if not who:
            self.begin.problem.say(tr("Enter your name. The log records who answered."))
            self.begin.who.setFocus()
            return
        self._try(lambda: self.interviewer.begin(who, self.begin.benefit.text(), self.begin.figure.text()))

    def _resume(self, place: int) -> None:
        self._forget_revision()
        self.interviewer.resume(place)
        if self.interviewer.next_step is not None and self.interviewer.next_step.log == self.interviewer.log:
            self._show_next_step(self.interviewer.next_step)

    def _wait_for_next_step(self) -> None:
        if self.interviewer.log is None:
            self.show_screen(self.begin)
            return
        self.ask.wait(True)
        self.closing.wait(True)
        if self.current_screen is self.playback:
            self.interviewer.compute_outcome()
        elif self.current_screen is self.journal:
            self.journal.show_log(self.session.decision)

    def _show_next_step(self, step: NextStep) -> None:
        if self.current_screen in (self.playback, self.journal, self.assessors):
            return
        if self._queue:
            self._revise(self._queue.pop(0))
            return
        if self._above is not None:
            if step.log.looks and step.log.looks[-1].lines == self._above.lines:
                self.interviewer.compute_outcome()  # it is judged
                return
            step = replace(step, conflicts=(), question=None, closing=self._above)
        self.revising = None
        conflict = next((pair for pair in step.conflicts if (pair.first, pair.second) not in self._postponed), None)
        if conflict is not None:
            self.settle.show_conflict(step.log, conflict)
            self.show_screen(self.settle)
        elif step.question is not None:
            self._show_question(step, step.question)
        elif step.closing is not None:
            self._postponed.update((pair.first, pair.second) for pair in step.conflicts)
            self.closing.show_look(step.closing, self._chance_of())
            self.show_screen(self.closing)
        else:
            self._postponed.update((pair.first, pair.second) for pair in step.conflicts)
            self.ask.wait(True)
            self.interviewer.compute_outcome()

    def _show_question(self, step: NextStep, question: Question) -> None:
        number = len(step.log.replies) + 1  # as the log counts: contradictions name answers by it
        again = tr("This was asked before.") if question.again is not None else ""
        self.ask.show_question(question, step.log.setup, f"{again} {self._chance_of()}".strip())
        self._show_progress(number, max(ABOUT, number))
        self.show_screen(self.ask)

    def _chance_of(self) -> str:
        """Return what the chances are about, in the officer's words, and of which unit."""
        decision = self.session.decision
        text = persons.about_unit(decision.release)
        if getattr(self.interviewer.requirement, "adversary", None) == "inclusion" and decision.release.reveals:
            own_words = privacy_words.words_of(decision)
            sure = tr("The chance is how sure someone can be that {a_person} {reveals}.", **own_words)
            return f"{sure} {text}".strip()
        return text

    def _show_progress(self, number: int, about: int) -> None:
        text = tr("Question {number} of about {about}", number=number, about=about)
        self.progress_words.setText(f"{text} · {self._name}")

    def _revise(self, number: int) -> None:
        log = self.interviewer.log
        assert log is not None
        self.revising = number
        reply = log.replies[number - 1]
        self.ask.show_question(
            reply.question,
            log.setup,
            tr("You have answered this. Answer again, or continue. The log keeps both answers."),
            reply.answer,
        )
        self._show_progress(number, max(ABOUT, len(log.replies)))
        self.show_screen(self.ask)

    def _answered(self, answer: str, seconds: float) -> None:
        question, log = self.ask.question, self.interviewer.log
        assert question is not None
        assert log is not None
        number, self.revising = self.revising, None
        if number is None:
            self._try(lambda: self.interviewer.answer(question, answer, seconds))
        elif log.replies[number - 1].answer == answer:
            self.go_on()
        else:
            self._try(lambda: self.interviewer.revise(number, answer, seconds))

    def go_on(self) -> None:
        """Leave the answer as it is."""
        self.revising = None
        if self.interviewer.next_step is not None:
            self._show_next_step(self.interviewer.next_step)

    def back(self) -> None:
        """Go back: to the answer before, from the log to where one was, from the beginning to the page."""
        shown = self.current_screen
        if shown is self.begin:
            self.end()
        elif shown is self.journal and self._came_from is not None:
            back, self._came_from = self._came_from, None
            self._return_to(back)
        elif shown is self.settle:
            if self.settle.conflict is not None:
                self._later(self.settle.conflict.first, self.settle.conflict.second)
        elif shown is self.playback:
            self._return_to(self.ask)
        elif shown is self.assessors:
            self._return_to(self.ask if self.interviewer.log is not None else self.begin)
        else:
            self._back_to_answer()

    def _back_to_answer(self) -> None:
        numbers = self.interviewer.numbers() if self.interviewer.log is not None else ()
        before = [
            n
            for n in numbers
            if self.revising is None or (self.revising in numbers and numbers.index(n) < numbers.index(self.revising))
        ]
        if before:
            self._queue.clear()
            self._revise(before[-1])
        else:
            self._forget_revision()
            self.show_screen(self.begin)

    def _return_to(self, screen: Screen) -> None:
        """Show SCREEN; where the questions are, whatever is next: a contradiction, a question, or the result."""
        if self.interviewer.log is None:
            self.show_screen(screen if screen is self.assessors else self.begin)
        elif screen in (self.begin, self.assessors, self.playback):
            self.show_screen(screen)
            if screen is self.playback and (
                self.interviewer.outcome is None or self.interviewer.outcome.log != self.interviewer.log
            ):
                self.interviewer.compute_outcome()  # something was taken back meanwhile
        else:
            self.stack.setCurrentWidget(self.ask)
            self.go_on()

    def _forget_revision(self) -> None:
        self.revising = None
        self._queue.clear()

    # ---------------------------------------------------------------------------- contradictions

    def _settled(self, first: int, second: int, stands: str, reason: str) -> None:
        self.stack.setCurrentWidget(self.ask)
        self._try(lambda: self.interviewer.settle(first, second, stands, reason))

    def _ask_again(self, first: int, second: int) -> None:
        self._queue = [second]
        self._postponed.add((first, second))  # it stays if both are answered as before
        self._revise(first)

    def _later(self, first: int, second: int) -> None:
        self._postponed.add((first, second))
        self._return_to(self.ask)

    def _settle_rest(self) -> None:
        self._postponed.clear()
        self._return_to(self.ask)

    # ------------------------------------------------------------------------------- the result

    def _show_result(self, outcome: QuestionsOutcome) -> None:
        if self.current_screen is self.playback:
            self.playback.show_result(outcome)
            self.playback.enter()
            return
        if self.current_screen in (self.journal, self.assessors):
            return
        if self._above is not None:
            judged = outcome.log.looks[-1]
            self._use(None) if not judged.too_much else self.end()
            return
        unsettled = len(self.interviewer.next_step.conflicts) if self.interviewer.next_step is not None else 0
        self.outcome.show_result(outcome, unsettled)
        self.show_screen(self.outcome)

    def _play_back(self) -> None:
        if self.interviewer.outcome is not None:
            self.playback.show_result(self.interviewer.outcome, changes=False)
        self.show_screen(self.playback)

    def _use(self, agreed: Log | None) -> None:
        if self._try(lambda: self.interviewer.use(agreed)):
            self.end()
            self.used.emit()

    def _try(self, act: Callable[[], None]) -> bool:
        """Do what changes the decision; say in words what stands in the way, and return whether nothing did."""
        try:
            act()
        except DPWizardError as problem:
            self._failed(in_words(problem))
            return False
        return True

    def _failed(self, words: str) -> None:
        if self.current_screen is self.begin:
            self.begin.problem.say(words)
            return
        if self.current_screen is not self.ask:
            self.show_screen(self.ask)
        self.ask.note.say(words)
        self.ask.note.show()
        self.ask.wait(False)

    # ----------------------------------------------------------------------------------- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        edge = theme.NEAR if self.width() < LITTLE else theme.EDGE
        self._head_row.setContentsMargins(edge, theme.GROUP, edge, 0)
        self.title.setVisible(self.width() >= LITTLE)
        self.current_screen.arrange(self.width())

    def end(self) -> None:
        """Give the page back: all that was answered is in the decision already."""
        if not self._ended:
            self._ended = True
            self.session.changed.disconnect(self._end_with_requirement)
            self.session.changed.disconnect(self.interviewer.follow)
            close_all(self)
            self.ended.emit()
