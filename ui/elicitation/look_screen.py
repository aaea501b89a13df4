"""The screen of the closing look: every line in numbers, one in dots, each to be marked, and what all may be."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeySequence, QMouseEvent, QShortcut
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from dpwizard.decision import Chance
from dpwizard.elicitation import interview as elicitation
from dpwizard.wording import whole
from ui.controls import CountedDots, Prose, Statement
from ui.elicitation.screen import ACROSS, WIDE, WIDTH, Screen
from ui.widgets import Card, SideBySide, added, button_for, fill, in_a_row, plain, theme, tr

ROW = 34  # pixels of a line


class LineMark(Statement):
    """The box that marks a line as too much; what has the keyboard is shown in dots."""

    reached = Signal()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.reached.emit()


class LookLine(QWidget):
    """One line: what a chance becomes, in numbers, and a box to mark it as too much."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(ROW)
        self.words, self.mark = Prose(height=100), LineMark(tr("Too much"))  # on one line with the box
        row = plain(QHBoxLayout(self), theme.NEAR)
        row.addWidget(self.words, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.mark)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.mark.setFocus(Qt.FocusReason.MouseFocusReason)

    def show_line(self, line: Chance) -> None:
        """Show what a release does to a chance, unmarked."""
        counts = {"before": whole(line.before), "after": whole(line.after), "out_of": whole(line.out_of)}
        text = tr("from {before} to {after} in {out_of}", **counts)
        self.words.say(text, strong=(counts["after"],))
        self.mark.setChecked(False)
        self.mark.setAccessibleName(tr("Too much: {line}", line=text))


class LookScreen(Screen):
    """Shows a look and signals its judgement. It does not show the epsilon."""

    # the look, the positions of the lines that are too much, whether all could be more, the seconds it took
    judged = Signal(object, tuple, bool, float)

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(colours)
        self.holder.setMaximumWidth(ACROSS)
        self.look: elicitation.InterviewState | None = None
        self.lines: list[LookLine] = []
        self.waiting = False
        self._across = 2
        self.words = Prose("", "question", most=WIDTH)
        self.words.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.note = Prose("", "quiet")
        head = plain(QVBoxLayout(), theme.TIGHT)
        fill(head, self.words, self.note)
        self.column.addLayout(head)
        holder = QWidget()
        self._grid = QGridLayout(holder)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(theme.EDGE)
        self._grid.setVerticalSpacing(0)
        self._grid.setAlignment(Qt.AlignmentFlag.AlignTop)
        card = Card(tr("One line as dots"))
        self.before, self.after = CountedDots(colours, colours.quiet), CountedDots(colours)
        card.column.addWidget(in_a_row(self.before, self.after))
        card.column.addStretch(1)
        body = added(self.column, SideBySide(theme.EDGE))
        body.box.addWidget(holder, 1)
        body.box.addWidget(card)
        self.too_much = button_for(tr("The marked lines are too much"), lambda: self._judge(False))
        self.right = button_for(tr("None is too much"), lambda: self._judge(False))
        self.more = button_for(tr("None is too much, and all could be more"), lambda: self._judge(True))
        self.column.addWidget(in_a_row(self.too_much, self.right, self.more))
        self.column.addStretch(1)
        for key, step in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, -1)):
            shortcut = QShortcut(QKeySequence(key), self, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(lambda step=step: self._go(step))

    def show_look(self, look: elicitation.InterviewState, about: str) -> None:
        """Show LOOK without marks, and what it is ABOUT."""
        self.look = look
        self.note.say(f"{about} {tr('Up and Down move between the lines, Space marks one.')}".strip())
        self.words.say(look.text)
        while len(self.lines) < len(look.lines):
            line = LookLine()
            line.mark.toggled.connect(self._offer)
            line.mark.reached.connect(partial(self._show_dots, len(self.lines)))
            self.lines.append(line)
        self._place()  # before any is shown: one without a place would flash as a window of its own
        for place, line in enumerate(self.lines):
            line.setVisible(place < len(look.lines))
            if place < len(look.lines):
                line.show_line(look.lines[place])
        self._show_dots(len(look.lines) // 2)
        self.wait(False)
        self.begin_timing()

    @property
    def marked(self) -> tuple[int, ...]:
        """Return the positions of the lines that are marked."""
        return tuple(place for place, line in enumerate(self._show_lines()) if line.mark.isChecked())

    def wait(self, waiting: bool) -> None:
        """Accept no judgement while the next step is computed."""
        self.waiting = waiting
        self._offer()

    def enter(self) -> None:
        super().enter()
        # Tab, or Down, goes to the first line; Return alone judges nothing
        self.words.setFocus(Qt.FocusReason.OtherFocusReason)

    def arrange(self, width: int) -> None:
        self._across = 2 if width >= WIDE else 1
        self._place()

    def _show_lines(self) -> list[LookLine]:
        return self.lines[: 0 if self.look is None else len(self.look.lines)]

    def _place(self) -> None:
        lines = self._show_lines()
        down = -(-len(lines) // self._across) or 1
        for place, line in enumerate(lines):
            self._grid.addWidget(line, place % down, place // down)
        for column in range(2):
            self._grid.setColumnStretch(column, 1 if column < self._across else 0)

    def _show_dots(self, place: int) -> None:
        if self.look is None or not self.look.lines:
            return
        line = self.look.lines[place]
        out_of = whole(line.out_of)
        before = tr("before: {count} in {out_of}", count=whole(line.before), out_of=out_of)
        after = tr("after, at most: {count} in {out_of}", count=whole(line.after), out_of=out_of)
        self.before.show_count(before, line.before, line.out_of)
        self.after.show_count(after, line.after, line.out_of)

    def _offer(self) -> None:
        marked = bool(self.marked)
        self.too_much.setEnabled(marked and not self.waiting)
        for choice in (self.right, self.more):
            choice.setEnabled(not marked and not self.waiting)

    def _go(self, step: int) -> None:
        boxes = [line.mark for line in self._show_lines()]
        at = next((place for place, box in enumerate(boxes) if box.hasFocus()), -1 if step > 0 else len(boxes))
        if boxes:
            box = boxes[min(max(at + step, 0), len(boxes) - 1)]
            box.setFocus(Qt.FocusReason.TabFocusReason)
            self.ensureWidgetVisible(box, 0, theme.EDGE)

    def _judge(self, could_be_more: bool) -> None:
        if self.look is not None and not self.waiting:
            marked = self.marked
            self.wait(True)
            self.judged.emit(self.look, marked, could_be_more, self.seconds)
