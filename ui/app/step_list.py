"""The list of steps: number, title, and whether each is done, open or empty; in a narrow window, number and sign."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from dpwizard.decision import STEPS, Assessment, Decision, derived_fields
from dpwizard.wording import as_typed, choice_of, word
from ui.widgets import WarningSign, added, named, restyle, theme, tr

WIDTH, NARROW = 208, 60  # pixels of the list at least, and where the window is narrow
NARROW_WINDOW = 640  # pixels of the window below which only numbers are shown
SHORT = 352  # pixels of height below which the steps are closer, without heading and title
DONE, OPEN, EMPTY, TO_SETTLE = "✓", "○", "–", ""  # TO_SETTLE has a triangle
LONGEST_TITLE = 120
LONGEST_CHOICE = 13  # letters of a number that leaves room for a word
NOTE_LEFT, NOTE_BELOW = 26, 3  # pixels before and below the second line of a step


def step_notes(decision: Decision, solved: Assessment | None, status: str) -> Mapping[str, str]:
    """Return the small line under each step, if any; SOLVED is the answer whose budget is shown, STATUS what a record
    of it is."""
    questions = len(derived_fields.QUESTIONS)
    plain = decision.release.each_number is not None and len(decision.release.tables) == 1
    answers = sum(len(session.replies) for session in decision.elicitation)
    needs = sum(requirement.enabled and requirement.end == "lower" for requirement in decision.requirements)
    chosen = "" if decision.chosen is None else as_typed(decision.chosen)
    if solved is not None and solved.epsilon == decision.chosen:
        chosen = choice_of(solved)
    text = chosen if len(chosen) > LONGEST_CHOICE or not chosen else tr("{epsilon} chosen", epsilon=chosen)
    conflict = solved is not None and solved.window.empty
    unanswered = len(derived_fields.open_questions(decision))
    return {
        "release": tr("{count} of {all} answered", count=questions - unanswered, all=questions) if plain else "",
        "profile": tr("{n} answer", "{n} answers", n=answers) if answers else "",
        "budget": "" if derived_fields.asks_before(decision) else tr("nothing to ask"),
        "accuracy": tr("{n} requirement", "{n} requirements", n=needs) if needs else "",
        "decision": tr("one conflict to settle") if conflict else text,
        "review": {"proposed": tr("proposed"), "approved": tr("approved")}.get(status, ""),
    }


class StepButton(QPushButton):
    """A step of the list: its number and title, and a sign at the right."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.setObjectName("step")
        self._number, self._words, self._brief = str(number), "", False
        self._sign = named(QLabel(self), "quiet")
        self._sign.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note = named(QLabel(self, textFormat=Qt.TextFormat.PlainText), "note")
        self.note.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.note.setContentsMargins(NOTE_LEFT, 0, 0, NOTE_BELOW)
        self.note.hide()
        both = QGridLayout(self)
        both.setContentsMargins(0, 0, theme.NEAR, 0)
        both.addWidget(self.note, 0, 0, alignment=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom)
        self._triangle = WarningSign()
        both.addWidget(self._triangle, 0, 1, alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        both.addWidget(self._sign, 0, 1, alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_step(self, words: str, sign: str, note: str) -> None:
        """Show the title, the sign (a triangle for TO_SETTLE), and a NOTE as a second line."""
        self._words = words
        self._sign.setText(sign)
        self._triangle.setVisible(sign == TO_SETTLE)
        self.note.setText(note)
        self._show_words()

    def sizeHint(self) -> QSize:
        """Return the size for the title with the sign beside it."""
        return super().sizeHint() + QSize(self._sign.sizeHint().width() + theme.NEAR, 0)

    def shorten(self, brief: bool) -> None:
        """Show the number alone if BRIEF; the tool tip and screen readers have the title."""
        self._brief = brief
        self._show_words()

    def _show_words(self) -> None:
        shows_note = bool(self.note.text()) and not self._brief and not self.property("close")
        self.note.setVisible(shows_note)
        if bool(self.property("noted")) != shows_note:
            restyle(self, "noted", shows_note)
            self.updateGeometry()
        self.setText(self._number if self._brief else f"{self._number}  {self._words}")  # this takes a shortcut away
        self.setShortcut(QKeySequence(f"Ctrl+{self._number}"))


class StepList(QWidget):
    """All steps and their state; any can be visited at any time."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("steps")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(WIDTH)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        around = QVBoxLayout(self)
        around.setContentsMargins(0, 0, 1, 0)  # the line at its right
        around.addWidget(self.area)
        content = QWidget()
        self._column = QVBoxLayout(content)
        self._heading = named(QLabel(tr("Privacy decision")), "title")
        self._heading.setContentsMargins(0, 0, 0, theme.GROUP)
        self._column.addWidget(self._heading)
        self.buttons: dict[str, StepButton] = {}
        # for each step: number of open fields, whether it has an answer, and its second line
        self._shown: tuple[tuple[int, bool, str], ...] = ()
        for number, step in enumerate(STEPS, 1):
            button = StepButton(number)
            button.setCheckable(True)
            button.setAutoExclusive(True)
            button.clicked.connect(lambda _, key=step.key: self.chosen.emit(key))
            self.buttons[step.key] = button
            self._column.addWidget(button)
        self._column.addStretch(1)
        self.about = added(self._column, named(QLabel(textFormat=Qt.TextFormat.PlainText, wordWrap=True), "caption"))
        self.area.setWidget(content)
        self._narrow: bool | None = None
        self._short: bool | None = None
        self._set_margins()

    def show_title(self, title: str | None, saved_at: str = "") -> None:
        """Show the title of the decision, shortened, and SAVED_AT, the words about its draft."""
        words = title or tr("A decision without a title")
        shown = words if len(words) <= LONGEST_TITLE else f"{words[:LONGEST_TITLE]}…"
        self.about.setText(f"{shown}\n{saved_at}" if saved_at else shown)
        self.about.setToolTip(words if len(words) > LONGEST_TITLE else "")

    def show_step(self, key: str) -> None:
        """Mark the step KEY as the one that is shown, in view."""
        button = self.buttons[key]
        button.setChecked(True)
        self.area.ensureWidgetVisible(button, 0, 0)

    def show_open(
        self, steps: Sequence[str], answered: Collection[str], notes: Mapping[str, str], triangle: str
    ) -> None:
        """Mark each step as open (as often as STEPS name it), else done if it is among those ANSWERED, else empty; by
        sign and in words. NOTES are second lines by the key of their step; TRIANGLE is the step to settle."""
        shown = tuple(
            (sum(name == step.key for name in steps), step.key in answered, notes.get(step.key, "")) for step in STEPS
        )
        before, self._shown = self._shown, shown
        if shown == before:
            return
        for number, (step, (count, is_answered, note)) in enumerate(zip(STEPS, shown, strict=True), 1):
            if before and before[number - 1] == shown[number - 1]:
                continue
            title, button = word("step", step.key), self.buttons[step.key]
            if count:
                sign, state = OPEN, tr("{count} open", count=count)
            elif is_answered:
                sign, state = DONE, tr("done")
            else:
                sign, state = EMPTY, tr("no limit set")
            button.show_step(title, TO_SETTLE if step.key == triangle else sign, note)
            button.setAccessibleName(tr("Step {number}: {title}, {state}", number=number, title=title, state=state))
            button.setAccessibleDescription(note)
            keys = button.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            button.setToolTip(tr("{title}: {state} ({keys})", title=title, state=state, keys=keys))
        self._fit_width()

    # ------------------------------------------------------------------------------------ room

    def arrange(self, width: int) -> None:
        """Be narrow in a window of little WIDTH."""
        narrow = width < NARROW_WINDOW
        if narrow != self._narrow:
            self._narrow = narrow
            for button in self.buttons.values():
                button.shorten(narrow)
            self._fit_width()
            self._set_margins()

    def _fit_width(self) -> None:
        """Set the width to that of the longest step, or of the numbers in a narrow window."""
        margins = self._column.contentsMargins()
        longest = max(button.sizeHint().width() for button in self.buttons.values())
        self.setFixedWidth(NARROW if self._narrow else max(WIDTH, margins.left() + longest + margins.right() + 1))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        short = self.height() < SHORT
        if short != self._short:
            self._short = short
            for button in self.buttons.values():
                restyle(button, "close", short)
                button.shorten(bool(self._narrow))
            self._set_margins()

    def _set_margins(self) -> None:
        sides, above = theme.TIGHT if self._narrow else theme.GROUP, theme.TIGHT if self._short else theme.EDGE
        self._column.setContentsMargins(sides, above, sides, above)
        self._column.setSpacing(0 if self._short else theme.TIGHT)
        for label in (self._heading, self.about):
            label.setHidden(bool(self._narrow or self._short))
