"""The guided session: a window over the wizard, without epsilon in sight, from who answers to a profile used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Chance, Question
from dpwizard.decision import Session as Log
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import persons, word
from ui.elicitation.ask import AskScreen
from ui.elicitation.assessors import AssessorsScreen
from ui.elicitation.begin import BeginScreen
from ui.elicitation.course import Conclusion, Course, Look
from ui.elicitation.journal import JournalScreen
from ui.elicitation.look import LookScreen
from ui.elicitation.outcome import OutcomeScreen
from ui.elicitation.playback import PlaybackScreen
from ui.elicitation.screen import Screen, button
from ui.elicitation.settle import SettleScreen
from ui.forms import in_words
from ui.session import Session
from ui.widgets import fill, named, plain, theme, tr

SIZE = (1080, 720)
ABOUT = 10  # questions that most sessions need


class BetsWindow(QDialog):
    """Leads through the questions about one requirement. Every answer is an edit of the decision, undone like any."""

    used = Signal()  # what the answers support is taken over

    def __init__(self, session: Session, index: int, colours: theme.Colours, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setWindowFlag(Qt.WindowType.WindowMaximizeButtonHint)
        self.session = session
        self.course = Course(session, index, self)
        self.revising: int | None = None  # the number of the answer that is asked for anew
        self._above: elicitation.Look | None = None  # the one look this window is opened for
        self._queue: list[int] = []  # further answers to be asked for anew
        self._postponed: set[tuple[int, int]] = set()
        self._came_from: Screen | None = None
        self._start = len(session.history.past)  # what was done before is not undone from here
        self._ended = False
        self._edited = False  # from the first edit made here on, what can be brought back was made here, too
        requirement = self.course.requirement
        name = requirement.name or word("kind", requirement.kind)
        self.setWindowTitle(tr("Questions about “{name}”", name=name))
        self.begin = BeginScreen(colours, self.course)
        self.ask = AskScreen(colours)
        self.settle = SettleScreen(colours)
        self.closing = LookScreen(colours)
        self.outcome = OutcomeScreen(colours)
        self.playback = PlaybackScreen(colours)
        self.assessors = AssessorsScreen(colours, self.course)
        self.journal = JournalScreen(colours)
        self.stack = QStackedWidget()
        questions = (self.begin, self.ask, self.settle, self.closing)
        for screen in (*questions, self.outcome, self.playback, self.assessors, self.journal):
            self.stack.addWidget(screen)
        column = plain(QVBoxLayout(self), 0)
        column.addWidget(self._head(name))
        column.addWidget(self.stack, 1)
        column.addWidget(self._make_footer())
        self._connect()
        width, height = SIZE
        if parent is not None:
            width, height = min(SIZE[0], max(parent.width() - 40, 640)), min(SIZE[1], max(parent.height() - 20, 480))
        self.resize(width, height)
        self.show_screen(self.begin)

    def _head(self, name: str) -> QWidget:
        head = QWidget()
        head.setObjectName("footer")
        head.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(head)
        row.setContentsMargins(theme.EDGE, theme.NEAR, theme.EDGE, theme.NEAR)
        row.setSpacing(theme.NEAR)
        self.title = named(QLabel(name, textFormat=Qt.TextFormat.PlainText), "quiet")
        # a long name is cut, not the buttons
        self.title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row.addWidget(self.title, 1)
        self.undo_button = button(tr("Undo"), small=True)
        self.journal_button = button(tr("Questions and answers so far"), small=True)
        self.stop_button = button(tr("Stop for now"), small=True)
        # it says “Close” elsewhere, and stays in its place
        self.stop_button.setMinimumWidth(self.stop_button.sizeHint().width())
        fill(row, self.undo_button, self.journal_button, self.stop_button)
        return head

    def _make_footer(self) -> QWidget:
        footer = self.footer = QWidget()
        footer.setObjectName("footer")
        footer.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        row = QHBoxLayout(footer)
        row.setContentsMargins(theme.EDGE, theme.NEAR + theme.TIGHT, theme.EDGE, theme.NEAR + theme.TIGHT)
        row.setSpacing(theme.GROUP)
        self.back_button = button(tr("Back"))
        self.progress_words = named(QLabel(), "quiet")
        self.progress = QProgressBar(textVisible=False)
        self.progress.setMaximumWidth(240)
        self.progress.setAccessibleName(tr("How many questions are answered"))
        self.go_on_button = button(tr("Continue"))
        row.addWidget(self.back_button)
        row.addStretch(1)
        row.addWidget(self.progress_words)
        row.addWidget(self.progress, 1)
        row.addStretch(1)
        row.addWidget(self.go_on_button)
        return footer

    def _connect(self) -> None:
        self.course.moved.connect(self._moved)
        self.course.looked.connect(self._looked)
        self.course.found.connect(self._found)
        self.course.failed.connect(self._failed)
        self.begin.begin.connect(self._begin)
        self.begin.resume.connect(self._resume)
        self.begin.several.connect(lambda: self.show_screen(self.assessors))
        self.ask.answered.connect(self._answered)
        self.settle.settled.connect(self._settled)
        self.closing.judged.connect(self._judged)
        self.settle.ask_again.connect(self._ask_again)
        self.settle.later.connect(self._later)
        self.outcome.use.connect(lambda: self._use(None))
        self.outcome.not_yet.connect(self.accept)
        self.outcome.playback.connect(self._play_back)
        self.outcome.several.connect(lambda: self.show_screen(self.assessors))
        self.outcome.settle.connect(self._settle_rest)
        self.playback.answered.connect(self._played_back)
        self.assessors.use.connect(self._use)
        self.back_button.clicked.connect(self.back)
        self.go_on_button.clicked.connect(self.go_on)
        self.journal_button.clicked.connect(self.show_journal)
        self.stop_button.clicked.connect(self.accept)
        self.undo_button.clicked.connect(self.undo)
        self.session.changed.connect(self._history)
        self.session.left.connect(self.reject)  # a click may be waiting when the window leaves for another decision
        for keys, act in ((QKeySequence.StandardKey.Undo, self.undo), (QKeySequence.StandardKey.Redo, self.redo)):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(act)
        back = QShortcut(QKeySequence("Alt+Left"), self)
        back.activated.connect(
            lambda: self.back() if self.back_button.isVisible() and self.back_button.isEnabled() else None
        )
        self._history()

    # ------------------------------------------------------------------------------------- screens

    @property
    def screen_shown(self) -> Screen:
        """Return the screen shown."""
        screen = self.stack.currentWidget()
        assert isinstance(screen, Screen)
        return screen

    def show_screen(self, screen: Screen) -> None:
        """Show SCREEN from its beginning."""
        self.stack.setCurrentWidget(screen)
        screen.arrange(self.width())
        screen.enter()
        asking = screen is self.ask
        self.progress.setVisible(asking)
        self.progress_words.setVisible(asking)
        self.go_on_button.setVisible(asking and self.revising is not None)
        self.footer.setVisible(screen is not self.begin)
        self.journal_button.setVisible(screen is not self.journal)
        self.stop_button.setText(tr("Stop for now") if screen in (self.ask, self.settle, self.closing) else tr("Close"))
        self._history()

    def begin_for(self, who: str, benefit: str) -> None:
        """Fill in WHO answers and the BENEFIT that is lost, and begin at once where nothing was answered yet."""
        self.outcome.goes_on = True
        self.begin.who.setText(who)
        self.begin.benefit.setText(benefit)
        if who and not self.course.logs():
            self._begin()

    def look_at(self, place: int, look: elicitation.Look) -> None:
        """Show LOOK alone, as one more of the log at PLACE; what is accepted is taken over, and the window closes."""
        self._above = look
        self.closing.more.hide()
        self._resume(place)

    def show_journal(self) -> None:
        """Show the log, and come back from it."""
        self._came_from = self.screen_shown
        self.journal.show_log(self.session.decision)
        self.show_screen(self.journal)

    def _history(self) -> None:
        history = self.session.history
        self._edited = self._edited or len(history.past) > self._start
        name = history.undo_name if len(history.past) > self._start else None
        self.undo_button.setVisible(name is not None)
        self.undo_button.setToolTip(tr("Undo: {step}", step=name) if name else "")
        self.undo_button.setAccessibleName(tr("Undo: {step}", step=name) if name else tr("Undo"))

    def undo(self) -> None:
        """Take back the last edit made in this window."""
        if len(self.session.history.past) > self._start:
            self._forget_revision()
            self.session.undo()

    def redo(self) -> None:
        """Bring back the edit last taken back in this window."""
        if self._edited:
            self._forget_revision()
            self.session.redo()

    # ---------------------------------------------------------------------------------- the course

    def _begin(self) -> None:
        if not self.begin.begin_button.isEnabled():
            return
        who = self.begin.who.text().strip()
        if not who:
            self.begin.complain(tr("Give your name: the log says who answered."))
            self.begin.who.setFocus()
            return
        self._try(lambda: self.course.begin(who, self.begin.benefit.text(), self.begin.figure.text()))

    def _resume(self, place: int) -> None:
        self._forget_revision()
        self.course.resume(place)
        if self.course.look is not None and self.course.look.log == self.course.log:
            self._looked(self.course.look)

    def _moved(self) -> None:
        """The log has changed: wait for what follows."""
        if self.course.log is None:
            self.show_screen(self.begin)
            return
        self.ask.wait(True)
        self.closing.wait(True)
        if self.screen_shown is self.playback:
            self.course.seek()
        elif self.screen_shown is self.journal:
            self.journal.show_log(self.session.decision)

    def _looked(self, look: Look) -> None:
        """What follows from the log is known: show it, unless somebody is elsewhere."""
        if self.screen_shown in (self.playback, self.journal, self.assessors):
            return
        if self._queue:
            self._revise(self._queue.pop(0))
            return
        if self._above is not None:
            if look.log.looks and look.log.looks[-1].lines == self._above.lines:
                self.course.seek()  # it is judged
                return
            look = replace(look, conflicts=(), question=None, closing=self._above)
        self.revising = None
        conflict = next((one for one in look.conflicts if (one.first, one.second) not in self._postponed), None)
        if conflict is not None:
            self.settle.show_conflict(look.log, conflict)
            self.show_screen(self.settle)
        elif look.question is not None:
            self._show_question(look, look.question)
        elif look.closing is not None:
            self._postponed.update((one.first, one.second) for one in look.conflicts)
            self.closing.show_look(look.closing)
            self.show_screen(self.closing)
        else:
            self._postponed.update((one.first, one.second) for one in look.conflicts)
            self.ask.wait(True)
            self.course.seek()

    def _show_question(self, look: Look, question: Question) -> None:
        number = len(look.log.replies) + 1  # as the log counts: contradictions name answers by it
        again = tr("This asks for an earlier answer in another way.") if question.again is not None else ""
        about = persons.about_unit(self.course.session.decision.release)
        self.ask.show_question(question, look.log.setup, f"{again} {about}".strip())
        self._show_progress(number, max(ABOUT, number))
        self.show_screen(self.ask)

    def _show_progress(self, number: int, about: int) -> None:
        self.progress_words.setText(tr("Question {number} of about {about}", number=number, about=about))
        self.progress.setRange(0, about)
        self.progress.setValue(number - 1)
        self.back_button.setEnabled(True)

    def _revise(self, number: int) -> None:
        """Ask for answer NUMBER anew."""
        log = self.course.log
        assert log is not None
        self.revising = number
        reply = log.replies[number - 1]
        self.ask.show_question(
            reply.question,
            log.setup,
            tr("You have answered this. Answer anew, or go on; the log keeps both."),
            reply.answer,
        )
        self._show_progress(number, max(ABOUT, len(log.replies)))
        self.show_screen(self.ask)

    def _answered(self, answer: str, seconds: float) -> None:
        question, log = self.ask.question, self.course.log
        assert question is not None
        assert log is not None
        number, self.revising = self.revising, None
        if number is None:
            self._try(lambda: self.course.answer(question, answer, seconds))
        elif log.replies[number - 1].answer == answer:
            self.go_on()
        else:
            self._try(lambda: self.course.revise(number, answer, seconds))

    def _judged(self, look: elicitation.Look, too_much: tuple[int, ...], more: bool, seconds: float) -> None:
        self._try(lambda: self.course.judge(look, too_much, more, seconds))

    def go_on(self) -> None:
        """Leave the answer as it is."""
        self.revising = None
        if self.course.look is not None:
            self._looked(self.course.look)

    def back(self) -> None:
        """Go back: to the answer before, from the log to where one was, from the first question to the beginning."""
        shown = self.screen_shown
        if shown is self.journal and self._came_from is not None:
            back, self._came_from = self._came_from, None
            self._return_to(back)
        elif shown is self.settle:
            if self.settle.conflict is not None:
                self._later(self.settle.conflict.first, self.settle.conflict.second)
        elif shown is self.playback:
            self._return_to(self.ask)
        elif shown is self.assessors:
            self._return_to(self.ask if self.course.log is not None else self.begin)
        else:
            self._back_to_answer()

    def _back_to_answer(self) -> None:
        numbers = self.course.numbers() if self.course.log is not None else ()
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
        if self.course.log is None:
            self.show_screen(screen if screen is self.assessors else self.begin)
        elif screen in (self.begin, self.assessors, self.playback):
            self.show_screen(screen)
            if screen is self.playback and (self.course.outcome is None or self.course.outcome.log != self.course.log):
                self.course.seek()  # something was taken back meanwhile
        else:
            self.stack.setCurrentWidget(self.ask)
            self.go_on()

    def _forget_revision(self) -> None:
        self.revising = None
        self._queue.clear()

    # ---------------------------------------------------------------------------- contradictions

    def _settled(self, first: int, second: int, stands: str, reason: str) -> None:
        self.stack.setCurrentWidget(self.ask)
        self._try(lambda: self.course.settle(first, second, stands, reason))

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

    def _found(self, found: Conclusion) -> None:
        if self.screen_shown is self.playback:
            self.playback.show_found(found)
            self.playback.enter()
            return
        if self.screen_shown in (self.journal, self.assessors):
            return
        if self._above is not None:
            judged = found.log.looks[-1]
            self._use(None) if not judged.too_much else self.accept()
            return
        unsettled = len(self.course.look.conflicts) if self.course.look is not None else 0
        self.outcome.show_found(found, unsettled)
        self.show_screen(self.outcome)

    def _play_back(self) -> None:
        if self.course.outcome is not None:
            self.playback.show_found(self.course.outcome, changes=False)
        self.show_screen(self.playback)

    def _played_back(self, question: Question, answer: str, seconds: float, corrected: Chance | None) -> None:
        self._try(lambda: self.course.answer(question, answer, seconds, corrected))

    def _use(self, agreed: Log | None) -> None:
        if self._try(lambda: self.course.use(agreed)):
            self.accept()
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
        """Say what went wrong, on the screen that is shown."""
        if self.screen_shown is self.begin:
            self.begin.complain(words)
            return
        if self.screen_shown is not self.ask:
            self.show_screen(self.ask)
        self.ask.note.say(words)
        self.ask.note.show()
        self.ask.wait(False)

    # ----------------------------------------------------------------------------------- events

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.screen_shown.arrange(self.width())

    def done(self, result: int) -> None:
        """Close: all that was answered is in the decision already."""
        self._end()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._end()
        super().closeEvent(event)

    def _end(self) -> None:
        if not self._ended:
            self._ended = True
            self.session.changed.disconnect(self._history)
            self.course.close()
            self.assessors.close_down()
