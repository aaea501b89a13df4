"""Gaps in a sentence, filled in by typing; what is wrong there is said under the question, and the answer stays."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.base.errors import DPWizardError
from dpwizard.decision import Decision
from ui.controls import Line, mark_wrong
from ui.forms import not_a_number, parsed, written
from ui.session import DocumentSession
from ui.widgets import Status, Words, added, in_a_row, named, plain, theme, tr

Read = Callable[[Decision], str]  # what a gap shows of a decision
Put = Callable[[str], str]  # enters what was typed; returns why it is not used, or an empty text


class Blank(Line):
    """A gap in a sentence: shows what the decision holds, and enters what is typed at once."""

    def __init__(self, session: DocumentSession, merge: str, name: str, width: int, read: Read, put: Put) -> None:
        """NAME is what screen readers call the gap; it is WIDTH pixels wide, or as wide as there is room where 0.

        Edits that PUT makes fold into one by the key MERGE.
        """
        super().__init__()
        self.session, self._merge, self._read, self._put = session, merge, read, put
        self.problem = ""
        self._when_refused = ""  # what the decision held when what was typed was refused
        self.setAccessibleName(name)
        if width:
            self.setFixedWidth(width)
        self.textEdited.connect(self._typed)
        self.editingFinished.connect(session.settle)
        self.judged: Callable[[], object] = lambda: None  # called when the problem has changed

    def _typed(self, words: str) -> None:
        if problem := self._put(words):
            self.session.take_back(self._merge)  # "2x", where that is no number: its 2 is not the answer
        self._refuse(problem)

    def _refuse(self, problem: str) -> None:
        self._when_refused = self._read(self.session.decision)
        if problem != self.problem:
            self.problem = problem
            mark_wrong(self, bool(problem))
            self.setAccessibleDescription(problem)
            self.judged()

    def refresh(self) -> None:
        """Show what the decision holds; what was refused stays until it is answered otherwise."""
        now = self._read(self.session.decision)
        if self.problem and now == self._when_refused:
            return
        self._refuse("")
        if self.text() != now and not (self.hasFocus() and self.text().strip() == now):
            self.setText(now)
            self.setCursorPosition(0)

    def forget_problem(self) -> None:
        """Show what the decision holds, and no problem."""
        self._refuse("")
        self.setText(self._read(self.session.decision))

    def reach(self) -> None:
        """Take the keyboard, with all that stands here selected."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()


class Question(QWidget):
    """A numbered question with its answers below it, and below them what is wrong or what follows."""

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
        """Ask it in other words."""
        words = f"{self.number}  {title}"
        if words != self.title.text():
            self.title.setText(words)
            self.setAccessibleName(title)

    def row(self, *parts: QWidget) -> QWidget:
        """Return the next row of answers, with PARTS beside one another."""
        self.take(*parts)
        return added(self.answers, in_a_row(*parts))

    def take(self, *parts: QWidget) -> None:
        """Say under this question what is wrong in the gaps among PARTS."""
        for part in parts:
            if isinstance(part, Blank):
                self.blanks.append(part)
                part.judged = self._judge

    def _judge(self) -> None:
        self.show_problem(next((blank.problem for blank in self.blanks if blank.problem), ""))

    def show_problem(self, words: str) -> None:
        """Say what is wrong, in place of what follows; an empty text takes it away."""
        self.problem.setText(f"!  {words}" if words else "")
        self.problem.setVisible(bool(words))
        self.note.setVisible(bool(self.note.text()) and not words)

    def show_note(self, words: str) -> None:
        """Say what follows from the answer."""
        self.note.setText(words)
        self.note.setVisible(bool(words) and self.problem.isHidden())

    def show_by_hand(self, words: str) -> None:
        """Say what was set by hand in the technical details, and does not follow from the answer."""
        self.by_hand.setText(words)
        self.by_hand.setVisible(bool(words))

    def refresh(self) -> None:
        """Show what the decision holds in every gap."""
        for blank in self.blanks:
            blank.refresh()

    def forget_problems(self) -> None:
        """Show what the decision holds in every gap, and no problem."""
        for blank in self.blanks:
            blank.forget_problem()

    def reach(self) -> None:
        """Give the keyboard to the first gap that is empty, or to the first one."""
        empty = next((blank for blank in self.blanks if blank.isVisible() and not blank.text()), None)
        first = empty or next((blank for blank in self.blanks if blank.isVisible()), None)
        if first is not None:
            first.reach()


def between(words: str) -> Words:
    """Return WORDS of a sentence, as they stand between its gaps."""
    return Words(words, "quiet")


def still_used(problem: str, value: str) -> str:
    """Return a PROBLEM with the answer that is still used in place of what was typed."""
    text = problem if problem.endswith((".", "!")) else f"{problem}."
    return tr("{problem} Still used: {value}.", problem=text, value=value) if value else text


def number_of(words: str) -> tuple[float | None, str]:
    """Return the number that WORDS say, None where they are empty, and why they are none."""
    if not words.strip():
        return None, ""
    found = parsed(words)
    return found, "" if found is not None else not_a_number(words)


def number_text(value: float | None) -> str:
    """Return a number as a gap shows it; empty where there is none."""
    return "" if value is None else written(value)


def in_a_sentence(problem: DPWizardError) -> str:
    """Return what is wrong as it is said under a question."""
    text = problem.text
    return f"{text[:1].upper()}{text[1:]}. {problem.remedy}".strip()
