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
from ui.widgets import Problem, Words, added, in_a_row, named, plain, theme, tr

Read = Callable[[Decision], str]  # the text that a blank shows of a decision
Put = Callable[[str], str]  # enters the typed text; returns why it is refused, or an empty text
Refusal = str  # why an answer is refused, in words; empty: it is used
FEWEST = 2  # parts of a division, numbers that "several" are, and times that "again" is


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

    def under(self, label: Problem) -> Problem:
        """Say under this blank, in LABEL, what is wrong with it, and return the label."""
        self.problem_changed = lambda: label.say(self.problem)
        return label

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


class NumberBlank(Blank):
    """A blank for a number; if one is refused, the problem names the number that is still used."""

    def __init__(
        self,
        session: DocumentSession,
        merge: str,
        name: str,
        width: int,
        read: Callable[[Decision], float | None],
        put: Callable[[float | None], Refusal],
        too_few: Callable[[], str] | None = None,
    ) -> None:
        """TOO_FEW: the message about a number below FEWEST; None: any number is allowed."""
        self._put_number, self._too_few = put, too_few
        super().__init__(session, merge, name, width, lambda decision: number_text(read(decision)), self._put_words)

    def _put_words(self, words: str) -> Refusal:
        number = parsed(words)
        if number is None and words.strip():
            return self._still_used(not_a_number(words))
        if number is not None and number < FEWEST and self._too_few is not None:
            return self._still_used(self._too_few())
        return self._put_number(number)

    def _still_used(self, problem: str) -> str:
        value, text = self._read(self.session.decision), problem if problem.endswith((".", "!")) else f"{problem}."
        return tr("{problem} The value is still {value}.", problem=text, value=value) if value else text


class NumberedQuestion(QWidget):
    """A numbered question with its answers, and a line for a problem or a note below them."""

    def __init__(self, session: DocumentSession, number: int, title: str, hint: str = "") -> None:
        super().__init__()
        self.setAccessibleName(title)
        self.session, self.number = session, number
        self.blanks: list[Blank] = []
        self._refused: tuple[Refusal, Decision] | None = None  # why an answer was refused, and of which decision
        self.column = plain(QVBoxLayout(self), theme.TIGHT)
        self.title, self.hint, self.by_hand = Words("", "title"), Words(hint, "caption"), Words("", "caption")
        head = added(self.column, in_a_row(self.title, self.hint))
        head.box.addWidget(self.by_hand)
        self.answers = plain(QVBoxLayout(), theme.TIGHT)
        self.column.addLayout(self.answers)
        self.problem = added(self.column, Problem())
        self.note = added(self.column, named(QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText), "caption"))
        self.note.hide()
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

    def choices(self, answers: Mapping[str, str], choose: Callable[[str], Refusal], question: str = "") -> Options:
        """Return the next row of answers: round buttons for ANSWERS; CHOOSE answers with the key of one."""
        options = added(self.answers, Options(question or self.accessibleName(), answers))
        options.chosen.connect(lambda key: self._choose(options, choose, key))
        return options

    def _choose(self, options: Options, choose: Callable[[str], Refusal], key: str) -> None:
        before, refusal = options.shown_key, choose(key)
        self._refused = (refusal, self.session.decision) if refusal else None
        if refusal:
            options.show_key(before)
        self._show_first_problem()

    def watch(self, *parts: QWidget) -> None:
        """Show problems of the blanks among PARTS under this question."""
        for part in parts:
            if isinstance(part, Blank):
                self.blanks.append(part)
                part.problem_changed = self._show_first_problem

    def _show_first_problem(self) -> None:
        """Show a problem, if there is one, in place of the note."""
        refusal = "" if self._refused is None else self._refused[0]
        words = next((blank.problem for blank in self.blanks if blank.problem), refusal)
        self.problem.say(f"!  {words}" if words else "")
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
        """Show the values in the decision; a refused answer is forgotten once the decision has changed."""
        if self._refused is not None and self._refused[1] is not self.session.decision:
            self._refused = None
            self._show_first_problem()
        for blank in self.blanks:
            blank.refresh()

    def forget_problems(self) -> None:
        """Show the values in the decision, and no problem."""
        self._refused = None
        for blank in self.blanks:
            blank.forget_problem()
        self._show_first_problem()

    def reach(self) -> None:
        """Give the keyboard to the first empty blank, or else to the first one."""
        visible = [blank for blank in self.blanks if blank.isVisible()]
        if visible:
            next((blank for blank in visible if not blank.text()), visible[0]).reach()


def detail_blank(session: DocumentSession, field: str, title: str, edit: str, most: int) -> Blank:
    """Return a blank for FIELD of the details, with a name for screen readers and one for EDITs; of several authors the
    first; MOST characters."""

    def read(decision: Decision) -> str:
        value = getattr(decision.details, field)
        first: str = (value[0] if value else "") if field == "authors" else value or ""
        return first[:most]

    def put(words: str) -> Refusal:
        typed = words.strip()
        raw: object = typed or None
        if field == "authors":
            raw = ((typed,) if typed else ()) + session.decision.details.authors[1:]
        problem = session.put(edit, f"$.details.{field}", raw, f"plain.{field}")
        return "" if problem is None else problem.text

    blank = Blank(session, f"plain.{field}", title, 0, read, put)
    blank.setMaxLength(most)
    return blank


def between(words: str) -> Words:
    """Return WORDS of a sentence, for the place between two blanks."""
    return Words(words, "quiet")


def number_text(value: float | None) -> str:
    """Return a number as a blank shows it."""
    return "" if value is None else written(value)
