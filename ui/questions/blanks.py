"""Blanks in a sentence, filled in by typing; problems are shown under the question, and the old answer stays."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.decision import Decision
from ui.controls import Line, mark_wrong
from ui.forms import not_a_number, parsed, written
from ui.questions.options import Options
from ui.session import DocumentSession
from ui.widgets import Status, Words, added, in_a_row, named, plain, theme, tr

Read = Callable[[Decision], str]  # the text that a blank shows of a decision
Put = Callable[[str], str]  # enters the typed text; returns why it is refused, or an empty text


class Blank(Line):
    """A blank in a sentence: shows a value of the decision, and enters what is typed at once."""

    def __init__(self, session: DocumentSession, merge: str, name: str, width: int, read: Read, put: Put) -> None:
        """NAME: for screen readers; WIDTH: in pixels, 0: as wide as possible; MERGE: edits with this key become one."""
        super().__init__()
        self.session, self._merge, self._read, self._put = session, merge, read, put
        self.problem = ""
        self._value_when_refused = ""  # the text for the decision when the typed text was refused
        self.setAccessibleName(name)
        if width:
            self.setFixedWidth(width)
        self.textEdited.connect(self._typed)
        self.editingFinished.connect(session.settle)
        self.problem_changed: Callable[[], object] = lambda: None

    def _typed(self, words: str) -> None:
        if problem := self._put(words):
            self.session.take_back(self._merge)  # the "2" of "2x" is not the answer
        self._refuse(problem)

    def _refuse(self, problem: str) -> None:
        self._value_when_refused = self._read(self.session.decision)
        if problem != self.problem:
            self.problem = problem
            mark_wrong(self, bool(problem))
            self.setAccessibleDescription(problem)
            self.problem_changed()

    def refresh(self) -> None:
        """Show the value in the decision; refused text stays until the value changes."""
        now = self._read(self.session.decision)
        if self.problem and now == self._value_when_refused:
            return
        self._refuse("")
        if self.text() != now and not (self.hasFocus() and self.text().strip() == now):
            self.setText(now)
            self.setCursorPosition(0)

    def forget_problem(self) -> None:
        """Show the value in the decision, and no problem."""
        self._refuse("")
        self.setText(self._read(self.session.decision))

    def reach(self) -> None:
        """Take the keyboard and select the text."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()


class NumberedQuestion(QWidget):
    """A numbered question with its answers, and a line for a problem or a note below them."""

    def __init__(self, number: int, title: str, hint: str = "") -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.number = number
        self.blanks: list[Blank] = []
        self.column = plain(QVBoxLayout(self), theme.TIGHT)
        self.title, self.hint, self.by_hand = Words("", "title"), Words(hint, "caption"), Words("", "caption")
        head = added(self.column, in_a_row(self.title, self.hint))
        head.box.addWidget(self.by_hand)
        self.answers = plain(QVBoxLayout(), theme.TIGHT)
        self.column.addLayout(self.answers)
        self.problem = named(Status(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "problem")
        self.note = named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "caption")
        for label in (self.problem, self.note):
            label.hide()
            self.column.addWidget(label)
        self.by_hand.hide()
        self.call(title)

    def call(self, title: str) -> None:
        """Change the title."""
        words = f"{self.number}  {title}"
        if words != self.title.text():
            self.title.setText(words)
            self.setAccessibleName(title)

    def row(self, *parts: QWidget) -> QWidget:
        """Return the next row of answers, with PARTS side by side."""
        self.watch(*parts)
        return added(self.answers, in_a_row(*parts))

    def choices(self, answers: Mapping[str, str], chosen: Callable[[str], None], question: str = "") -> Options:
        """Return the next row of answers: round buttons for ANSWERS; CHOSEN is called with the key of one chosen."""
        options = added(self.answers, Options(question or self.accessibleName(), answers))
        options.chosen.connect(chosen)
        return options

    def watch(self, *parts: QWidget) -> None:
        """Show problems of the blanks among PARTS under this question."""
        for part in parts:
            if isinstance(part, Blank):
                self.blanks.append(part)
                part.problem_changed = self._show_first_problem

    def _show_first_problem(self) -> None:
        self.show_problem(next((blank.problem for blank in self.blanks if blank.problem), ""))

    def show_problem(self, words: str) -> None:
        """Show a problem in place of the note; an empty text removes it."""
        self.problem.setText(f"!  {words}" if words else "")
        self.problem.setVisible(bool(words))
        self.note.setVisible(bool(self.note.text()) and not words)

    def show_note(self, words: str) -> None:
        """Show what follows from the answer."""
        self.note.setText(words)
        self.note.setVisible(bool(words) and self.problem.isHidden())

    def show_by_hand(self, words: str) -> None:
        """Show that something was set by hand in the technical details."""
        self.by_hand.setText(words)
        self.by_hand.setVisible(bool(words))

    def refresh(self) -> None:
        """Show the values in the decision."""
        for blank in self.blanks:
            blank.refresh()

    def forget_problems(self) -> None:
        """Show the values in the decision, and no problem."""
        for blank in self.blanks:
            blank.forget_problem()

    def reach(self) -> None:
        """Give the keyboard to the first empty blank, or else to the first one."""
        visible = [blank for blank in self.blanks if blank.isVisible()]
        if visible:
            next((blank for blank in visible if not blank.text()), visible[0]).reach()


def between(words: str) -> Words:
    """Return WORDS of a sentence, for the place between two blanks."""
    return Words(words, "quiet")


def still_used(problem: str, value: str) -> str:
    """Return a PROBLEM with the VALUE that is still used."""
    text = problem if problem.endswith((".", "!")) else f"{problem}."
    return tr("{problem} Still used: {value}.", problem=text, value=value) if value else text


def number_of(words: str) -> tuple[float | None, str]:
    """Return the number in WORDS (None if they are empty or refused), and why they are refused."""
    if not words.strip():
        return None, ""
    number = parsed(words)
    return number, "" if number is not None else not_a_number(words)


def number_text(value: float | None) -> str:
    """Return a number as a blank shows it."""
    return "" if value is None else written(value)
