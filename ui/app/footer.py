"""The footer of the window, on every page: undo, redo, the window of epsilon as a small axis, back and next."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from dpwizard.base.language import counting
from dpwizard.charts import axis_chart, chart_scene
from dpwizard.decision import Assessment, History
from dpwizard.wording import range_of
from ui.plots import paint_items, small
from ui.widgets import Status, WarningSign, fill, named, plain, theme, tr, unmnemonic

LEAST = 4.0  # the epsilon that the axis reaches at least, so that it rests while one types
WORDS = 120  # pixels for the window in figures
BRIEF = 1_100  # pixels below which buttons stand without the names of what they do; tool tips have them
NARROWEST, AXIS = 320, 60  # pixels of the footer, and of the axis in it
ARROW = 36  # pixels of a button that shows an arrow alone
LETTERS = 22  # of the name of an edit; the rest is in the tool tip


class MiniAxis(QWidget):
    """The window of epsilon as a line with its two ends and the epsilon chosen; a click tells why."""

    asked = Signal()

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.figure = axis_chart.window_of(None, LEAST)
        self.setMinimumWidth(AXIS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(tr("{Budget} so far"))

    def sizeHint(self) -> QSize:
        return QSize(300, 28)

    def show_assessment(self, assessment: Assessment | None) -> None:
        """Draw the window of ASSESSMENT; a line alone where there is none to show."""
        self.figure = axis_chart.window_of(assessment, LEAST)
        self.setAccessibleDescription(self.figure.sentence)
        self.setToolTip(self.figure.sentence)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.asked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.asked.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            look = small(self.colours, self.width(), self.height())
            paint_items(painter, chart_scene.scene(self.figure, look).items)
            if self.hasFocus():
                painter.setPen(QPen(QColor(self.colours.accent), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(1, 1, self.width() - 2, self.height() - 2), 4, 4)


class Footer(QWidget):
    """Undo and redo with names, the small axis, back and next."""

    undo = Signal()
    redo = Signal()
    back = Signal()
    next = Signal()
    asked = Signal()

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.setObjectName("footer")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._row = row = QHBoxLayout(self)
        self._names: tuple[str | None, ...] | None = None
        self._shown: Assessment | None = None
        self._total = self._of_a_person = self._next = ""
        self._missing: tuple[str, ...] = ()  # before what the last step does can be done
        self._brief = self._least = self._hidden = False  # hidden: while questions are answered
        self._needed = 0  # pixels for the shortest words; 0: not known yet
        self.setMinimumWidth(NARROWEST)  # not what the longest names would need
        self.undo_button = QPushButton(tr("Undo"))
        self.redo_button = QPushButton(tr("Redo"))
        self.caption = named(QLabel(tr("{budget} so far")), "quiet")
        self.axis = MiniAxis(colours)
        self.sign = WarningSign()
        self.words = named(Status(), "title")
        theme.tabular(self.words)
        self.words.setFixedSize(WORDS, 28)  # a label of a fixed size does not have the window laid out anew
        self.total = named(QLabel(), "caption")  # what the window comes to where there are several releases
        theme.tabular(self.total)
        self.total.hide()
        self.back_button = QPushButton(tr("Back"))
        self.back_button.setAccessibleName(tr("Back"))
        self.back_button.setToolTip(tr("Back"))
        self.next_button = named(QPushButton(tr("Next")), "primary")
        self.axis.setMaximumWidth(300)
        self._space()
        left = fill(plain(QHBoxLayout(), theme.NEAR), self.undo_button, self.redo_button)
        right = fill(plain(QHBoxLayout(), theme.NEAR), self.back_button, self.next_button)
        left.addStretch(1)
        right.insertStretch(0, 1)
        row.addLayout(left, 1)  # the axis stands still in the middle, whatever the buttons say
        row.addWidget(self.caption)
        row.addWidget(self.axis, 1)
        fill(row, self.sign, self.words, self.total)
        row.addLayout(right, 1)
        self.undo_button.clicked.connect(self.undo)
        self.redo_button.clicked.connect(self.redo)
        self.back_button.clicked.connect(self.back)
        self.next_button.clicked.connect(self.next)
        self.axis.asked.connect(self.asked)

    def show_history(self, history: History) -> None:
        """Name what undo and redo would do."""
        names = (history.undo_name, history.redo_name)
        if names == self._names:
            return
        self._names = names
        self._name()
        undo, redo = names
        whole = (
            tr("Undo: {step}", step=undo) if undo else tr("Nothing to undo"),
            tr("Redo: {step}", step=redo) if redo else tr("Nothing to redo"),
        )
        shortest = self._brief_words()[:2]
        for button, name, words, brief in zip(self._buttons()[:2], names, whole, shortest, strict=True):
            button.setEnabled(name is not None)
            button.setAccessibleName(words if name else brief)
            button.setToolTip(words)

    def show_next(self, step: str | None, leads: bool) -> None:
        """Name the STEP that Next leads to, None: this is the last one; LEADS: whether Next is the way forward."""
        self.next_button.setObjectName("primary" if leads else "")
        self.next_button.style().polish(self.next_button)
        self._next = tr("Sign …") if step is None else tr("Next: {step}", step=step)
        self._name()

    def show_missing(self, missing: Sequence[str]) -> None:
        """List what is MISSING, where the pointer rests on the button that signs."""
        if tuple(missing) != self._missing:
            self._missing = tuple(missing)
            self._name()

    def _name(self) -> None:
        """Label every button with what it does: the name of the step if there is room, else an arrow."""
        names = self._names or (None, None)
        undo, redo = (name if name is None or len(name) <= LETTERS else f"{name[: LETTERS - 1]}…" for name in names)
        undo, redo = (None, None) if self._brief else (undo, redo)
        brief = self._brief_words()
        words = (
            unmnemonic(tr("Undo “{step}”", step=undo)) if undo else brief[0],
            unmnemonic(tr("Redo “{step}”", step=redo)) if redo else brief[1],
            brief[2],
            brief[3] if not self._next or (self._brief and self._next != tr("Sign …")) else self._next,
        )
        for button, text, arrow in zip(self._buttons(), words, "↩↪‹›", strict=True):
            button.setText(arrow if self._least else text)
        self.next_button.setAccessibleName(self._next)
        self.next_button.setToolTip("\n".join((self._next, *self._missing)))

    @staticmethod
    def _brief_words() -> tuple[str, ...]:
        return tr("Undo"), tr("Redo"), tr("Back"), tr("Next")

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.undo_button, self.redo_button, self.back_button, self.next_button

    def arrange(self, width: int) -> None:
        """Say as much as a footer of so much WIDTH has room for."""
        brief, least = width < BRIEF, width < BRIEF and width < self._room_for_words()
        if (brief, least) == (self._brief, self._least):
            return
        self._brief, self._least = brief, least
        self._figures()
        self.caption.setHidden(brief)
        self._space()
        for button in self._buttons():
            button.setMinimumWidth(ARROW if least else 0)
            button.setMaximumWidth(ARROW if least else theme.WIDEST)
            button.setProperty("arrow", least)
            button.style().unpolish(button)
            button.style().polish(button)
        self._name()

    def _room_for_words(self) -> int:
        """Return the width that the buttons with their shortest words, the axis and the figures need."""
        if self._needed == 0:
            before = [button.text() for button in self._buttons()]
            for button, text in zip(self._buttons(), self._brief_words(), strict=True):
                button.ensurePolished()
                button.setText(text)
            buttons = sum(button.sizeHint().width() for button in self._buttons())
            for button, text in zip(self._buttons(), before, strict=True):
                button.setText(text)
            self._needed = buttons + 2 * AXIS + WORDS + 2 * theme.EDGE + 3 * theme.GROUP + 2 * theme.NEAR
        return self._needed

    def _space(self) -> None:
        beside, above = (theme.NEAR, theme.TIGHT) if self._least else (theme.EDGE, theme.NEAR)
        self._row.setContentsMargins(beside, above, beside, above)
        self._row.setSpacing(theme.NEAR if self._least else theme.GROUP)

    def show_assessment(self, assessment: Assessment, of_a_person: str = "", in_total: str = "") -> None:
        """Show the window of epsilon as an axis and in figures; OF_A_PERSON says what a unit less than a person leaves
        open, IN_TOTAL what the window comes to where there are several releases."""
        self._total = in_total
        with counting(assessment.counted_in):  # which may still be that of the decision before
            each = tr("{budget} of one release") if in_total else tr("{budget} so far")
            self.caption.setText(tr("{budget} of a unit so far") if of_a_person else each)
            self.caption.setToolTip(of_a_person)
            self.axis.setAccessibleName(tr("{Budget} so far"))
        self._shown = assessment
        self._of_a_person = of_a_person
        self._figures()

    def hide_budget(self, hidden: bool) -> None:
        """Show no budget while questions are answered, so that no answer is made to fit it; then show it again."""
        self._hidden = hidden
        self._figures()

    def _figures(self) -> None:
        """Write the window in figures, with more room where they are many."""
        if self._shown is None:
            return
        if self.total.text() != self._total:
            self.total.setText(self._total)
        self.total.setVisible(bool(self._total) and not self._brief and not self._hidden)
        with counting(self._shown.counted_in):
            self.axis.show_assessment(None if self._hidden else self._shown)
        self.sign.setVisible(self._shown.window.empty and not self._hidden)
        hidden = tr("hidden") if self._brief else tr("hidden while you answer")
        text = hidden if self._hidden else short(self._shown, brief=self._brief)
        sentences = () if self._hidden else (self.axis.figure.sentence, self._total, self._of_a_person)
        self.words.setToolTip(" ".join(part for part in sentences if part))
        needed = self.words.fontMetrics().horizontalAdvance(text) + 2
        self.words.setAccessibleName(f"{self.caption.text()}: {text}")
        self.words.setText(text)
        if self.words.width() != (wide := max(WORDS, needed)):
            self.words.setFixedWidth(wide)

    def show_failure(self, words: str) -> None:
        """Say that the last edit could not be solved, and why; what is shown answers an older one."""
        self._shown = None
        self.sign.hide()
        self.words.setAccessibleName(words)
        self.words.setText(tr("not computed"))
        self.words.setToolTip(words)
        self.axis.setAccessibleDescription(words)
        self.axis.setToolTip(words)


def short(assessment: Assessment, *, brief: bool = False) -> str:
    """Return the window in a few characters: "2.20 to 2.68", "at most 1.29", "to settle in step 6"."""
    window, shown = assessment.window, range_of(assessment)
    if window.empty:
        return tr("no {budget}") if brief else tr("to settle in step 6")
    if shown.single:
        return tr("only {epsilon}", epsilon=shown.single)
    lower, upper = shown.lower, shown.upper
    if lower is not None and upper is not None:
        return tr("{lower} to {upper}", lower=lower.text, upper=upper.text)
    if lower is not None:
        return tr("at least {lower}", lower=lower.text)
    if upper is not None:
        return tr("at most {upper}", upper=upper.text)
    if any(a.side == "verdict" and a.enabled and a.met for a in assessment.answers):
        return tr("without noise")
    return tr("any") if window.complete and assessment.answers else tr("no limit yet")
