"""The screen that asks: a question in words, its releases side by side, the answers as buttons with keys."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QGridLayout, QPushButton, QVBoxLayout, QWidget

from dpwizard.decision import Question, Setup
from dpwizard.elicitation import interview as elicitation
from ui.controls import Prose
from ui.elicitation.screen import ACROSS, WIDTH, Screen, Sides
from ui.widgets import added, fill, plain, theme, tr, unmnemonic

MOST_ANSWERS = 4
TALL = 52  # pixels of an answer
PATIENCE = 150  # milliseconds after which answers are greyed while the next question is being chosen


class AskScreen(Screen):
    """Asks one question at a time. It knows nothing of how questions are chosen."""

    answered = Signal(str, float)  # the answer, and the seconds it took

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours)
        self.holder.setMaximumWidth(ACROSS)
        self.question: Question | None = None
        self.waiting = False
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE)
        self._patience.timeout.connect(lambda: self._show_waiting(True))
        self.words = Prose("", "asked", most=WIDTH)
        self.words.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.note = Prose("", "quiet")
        head = plain(QVBoxLayout(), theme.TIGHT)
        fill(head, self.words, self.note)
        self.column.addLayout(head)
        self.sides = added(self.column, Sides(colours))
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.NEAR)
        self.column.addStretch(1)  # the answers keep their place at the foot of the page
        self.column.addWidget(holder)
        note = Prose(tr("The answers are here for every question. Keys 1 to 4."), "caption")
        self.column.addWidget(note)
        self.buttons: list[QPushButton] = []
        self.keys: list[str] = []
        for index in range(MOST_ANSWERS):
            button = QPushButton(autoDefault=False)
            button.setMinimumHeight(TALL)
            button.clicked.connect(lambda _=False, index=index: self._answer(index))
            self.buttons.append(button)
            shortcut = QShortcut(
                QKeySequence(str(index + 1)),
                self,
                context=Qt.ShortcutContext.WidgetWithChildrenShortcut,
                autoRepeat=False,
            )
            shortcut.activated.connect(lambda index=index: self._answer(index))
        self._room = ACROSS
        self._place()

    def show_question(self, question: Question, setup: Setup, note: str = "", given: str = "") -> None:
        """Ask QUESTION; NOTE says what else is to be known, GIVEN is the answer it was given before."""
        self.question = question
        self.words.say(question.text, strong=question.text.rsplit(". ", 1)[-1:])  # what is asked, after what is so
        self.note.say(note)
        self.note.setVisible(bool(note))
        self.sides.show_question(question, setup)
        choices = elicitation.choices(question)
        self.keys = [key for key, _ in choices]
        for index, button in enumerate(self.buttons):
            button.setVisible(index < len(choices))
            if index < len(choices):
                key, words = choices[index]
                text = tr("{number}   {answer}", number=index + 1, answer=words)
                button.setText(unmnemonic(text))
                button.setAccessibleName(words)
                button.setToolTip(tr("Press {number}", number=index + 1))
                button.setProperty("chosen", key == given)
                button.setAccessibleDescription(tr("your answer so far") if key == given else "")
        self.words.setAccessibleName(f"{question.text} {self.sides.words()}")
        self._place()
        self.wait(False)
        self.begin_timing()

    def wait(self, waiting: bool) -> None:
        """Take no answers while the next question is being chosen; that is only seen where it takes long."""
        self.waiting = waiting
        if waiting:
            self._patience.start()
        else:
            self._patience.stop()
            self._show_waiting(False)

    def _show_waiting(self, waiting: bool) -> None:
        for button in self.buttons:
            button.setEnabled(not waiting)

    def enter(self) -> None:
        super().enter()
        # Tab goes to the first answer; Return alone answers nothing
        self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self, width: int) -> None:
        self._room = min(width - 2 * theme.EDGE, ACROSS)
        self._place()

    def _place(self) -> None:
        count = max(1, len(self.keys))
        widest = max(button.sizeHint().width() for button in self.buttons[:count])
        # side by side where every answer can be read
        across = next((n for n in (count, 2) if n * (widest + theme.NEAR) <= self._room), 1)
        for index, button in enumerate(self.buttons):
            self._grid.addWidget(button, index // across, index % across)
        for column in range(MOST_ANSWERS):
            self._grid.setColumnStretch(column, 1 if column < across else 0)

    def _answer(self, index: int) -> None:
        if index < len(self.keys) and not self.waiting and self.question is not None:
            self.wait(True)
            self.answered.emit(self.keys[index], self.seconds)
