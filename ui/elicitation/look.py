"""The screen of the closing look: every line with its dots, marked by mouse or keys, and what all of them may be."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpwizard.decision import Chance
from dpwizard.elicitation import interview as elicitation
from ui.controls import Prose
from ui.elicitation.dots import Dots, whole
from ui.elicitation.screen import ACROSS, BESIDE, WIDE, Screen, button
from ui.widgets import Card, fill, plain, theme, tr

MOST_ACROSS = 3  # lines beside one another


class LookLine(Card):
    """One line: what a chance becomes, in dots and numbers, and a box to mark it as too much."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        tight = theme.NEAR
        self.column.setContentsMargins(tight, tight, tight, tight)
        self.words = Prose("")
        self.mark = QCheckBox(tr("Too much"))
        self.before, self.after = (Dots(colours, colours.privacy, low=True) for _ in range(2))
        row = plain(QHBoxLayout(), theme.TIGHT)
        for dots in (self.before, self.after):
            row.addWidget(dots, 0, Qt.AlignmentFlag.AlignTop)
        said = plain(QVBoxLayout(), theme.TIGHT)
        fill(said, self.words, self.mark)
        said.addStretch(1)
        row.addLayout(said, 1)
        self.column.addLayout(row)

    def show_line(self, line: Chance) -> None:
        """Show what a release does to a chance, unmarked."""
        self.before.show_count(line.before, line.out_of)
        self.after.show_count(line.after, line.out_of)
        counts = {"before": whole(line.before), "after": whole(line.after), "out_of": whole(line.out_of)}
        said = tr("from {before} to {after} in {out_of}", **counts)
        self.words.say(said)
        self.mark.setChecked(False)
        self.mark.setAccessibleName(tr("Too much: {line}", line=said))


class LookScreen(Screen):
    """Shows a look and takes its judgement. It knows nothing of how its epsilon is chosen, and does not show it."""

    # the look, the positions of the lines that are too much, whether all could be more, the seconds it took
    judged = Signal(object, tuple, bool, float)

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours)
        self.holder.setMaximumWidth(ACROSS)
        self.look: elicitation.Look | None = None
        self.lines: list[LookLine] = []
        self.waiting = False
        self._since = 0.0
        self._across = 2
        self.words = Prose("", "question")
        self.words.setMaximumWidth(theme.MEASURE + 240)
        self.words.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.note = Prose(tr("Up and Down go from line to line, the space bar marks one."), "quiet")
        head = plain(QVBoxLayout(), theme.TIGHT)
        fill(head, self.words, self.note)
        self.column.addLayout(head)
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setSpacing(theme.NEAR)
        self.column.addWidget(holder)
        self.too_much = button(tr("The marked lines are too much"))
        self.right = button(tr("None is too much"))
        self.more = button(tr("None is too much, and all could be more"))
        self._judgements = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._judgements.setSpacing(theme.NEAR)
        fill(self._judgements, self.too_much, self.right, self.more)
        self._judgements.addStretch(1)
        self.column.addLayout(self._judgements)
        self.column.addStretch(1)
        self.too_much.clicked.connect(lambda: self._judge(False))
        self.right.clicked.connect(lambda: self._judge(False))
        self.more.clicked.connect(lambda: self._judge(True))
        for key, step in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, -1)):
            shortcut = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._go(step))

    def show_look(self, look: elicitation.Look) -> None:
        """Show LOOK, no line marked."""
        self.look = look
        self.words.say(look.text)
        while len(self.lines) < len(look.lines):
            made = LookLine(self.colours)
            made.mark.toggled.connect(self._offer)
            self.lines.append(made)
        self._place()  # before any is shown: one without a place would flash as a window of its own
        for place, made in enumerate(self.lines):
            made.setVisible(place < len(look.lines))
            if place < len(look.lines):
                made.show_line(look.lines[place])
        self.wait(False)
        self._since = time.monotonic()

    @property
    def marked(self) -> tuple[int, ...]:
        """Return the positions of the lines that are marked."""
        return tuple(place for place, made in enumerate(self._shown()) if made.mark.isChecked())

    def wait(self, waiting: bool) -> None:
        """Take no judgement while what follows is being found."""
        self.waiting = waiting
        self._offer()

    def enter(self) -> None:
        super().enter()
        # Tab, or Down, goes to the first line; Return alone judges nothing
        self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self, width: int) -> None:
        wide = width >= WIDE
        self._across = MOST_ACROSS if width >= BESIDE else 2 if wide else 1
        self._judgements.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._place()

    def _shown(self) -> list[LookLine]:
        return self.lines[: 0 if self.look is None else len(self.look.lines)]

    def _place(self) -> None:
        """Set the lines in columns, read from the top down."""
        shown = self._shown()
        down = -(-len(shown) // self._across) or 1
        for place, made in enumerate(shown):
            self._grid.addWidget(made, place % down, place // down)
        for column in range(MOST_ACROSS):
            self._grid.setColumnStretch(column, 1 if column < self._across else 0)

    def _offer(self) -> None:
        """Offer what fits what is marked; every button keeps its place."""
        marked = bool(self.marked)
        self.too_much.setEnabled(marked and not self.waiting)
        for made in (self.right, self.more):
            made.setEnabled(not marked and not self.waiting)

    def _go(self, step: int) -> None:
        """Give the keyboard to the next line, or the one before."""
        boxes = [made.mark for made in self._shown()]
        at = next((place for place, box in enumerate(boxes) if box.hasFocus()), -1 if step > 0 else len(boxes))
        if boxes:
            box = boxes[min(max(at + step, 0), len(boxes) - 1)]
            box.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(box, 0, theme.EDGE)

    def _judge(self, could_be_more: bool) -> None:
        if self.look is not None and not self.waiting:
            marked = self.marked
            self.wait(True)
            self.judged.emit(self.look, marked, could_be_more, round(time.monotonic() - self._since, 1))
