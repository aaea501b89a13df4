"""The footer of the window, on every page: undo, redo, the allowed range as a small axis, back and next."""

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
from ui.widgets import Status, WarningSign, fill, named, plain, restyle, theme, tr, unmnemonic

LEAST = 4.0  # the least epsilon at the end of the axis, so that it does not move while one types
FIGURES_WIDTH = 120  # pixels for the allowed range in figures
BRIEF_BELOW = 1_100  # pixels of the footer; below, only tool tips name what the buttons do
NARROWEST, AXIS = 320, 60  # least pixels of the footer, and of the axis in it
ARROW_WIDTH = 36  # pixels of a button that shows an arrow alone
MOST_LETTERS = 22  # of the name of an edit; the rest is in the tool tip


class MiniAxis(QWidget):
    """The allowed range as a line with its two ends and the chosen epsilon; a click goes to the decision step."""

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
        """Draw the allowed range of ASSESSMENT; an empty line for None."""
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
        self._assessment: Assessment | None = None
        self._total_words = self._person_words = self._next_words = ""
        self._missing_words: tuple[str, ...] = ()  # what is missing before one can sign
        self._brief = self._arrows_only = self._budget_hidden = False  # hidden: while questions are answered
        self._words_width = 0  # pixels for the shortest words; 0: not measured yet
        self.setMinimumWidth(NARROWEST)  # else the longest names would set it
        self.undo_button = QPushButton(tr("Undo"))
        self.redo_button = QPushButton(tr("Redo"))
        self.caption = named(QLabel(tr("{budget} so far")), "quiet")
        self.axis = MiniAxis(colours)
        self.sign = WarningSign()
        self.words = named(Status(), "title")
        theme.tabular(self.words)
        self.words.setFixedSize(FIGURES_WIDTH, 28)  # with a fixed size, new words do not lay out the window again
        self.total = named(QLabel(), "caption")  # the allowed range in total, for several releases
        theme.tabular(self.total)
        self.total.hide()
        self.back_button = QPushButton(tr("Back"))
        self.back_button.setAccessibleName(tr("Back"))
        self.back_button.setToolTip(tr("Back"))
        self.next_button = named(QPushButton(tr("Next")), "primary")
        self.axis.setMaximumWidth(300)
        self._set_margins()
        left = fill(plain(QHBoxLayout(), theme.NEAR), self.undo_button, self.redo_button)
        right = fill(plain(QHBoxLayout(), theme.NEAR), self.back_button, self.next_button)
        left.addStretch(1)
        right.insertStretch(0, 1)
        row.addLayout(left, 1)  # the axis stays in the middle, whatever the buttons say
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
        """Name the edits that undo and redo would act on."""
        names = (history.undo_name, history.redo_name)
        if names == self._names:
            return
        self._names = names
        self._label_buttons()
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
        """Name the STEP after this one (None: this is the last); LEADS: whether Next is the main button."""
        self.next_button.setObjectName("primary" if leads else "")
        self.next_button.style().polish(self.next_button)
        self._next_words = tr("Sign …") if step is None else tr("Next: {step}", step=step)
        self._label_buttons()

    def show_missing(self, missing: Sequence[str]) -> None:
        """List what is MISSING in the tool tip of the button that signs."""
        if tuple(missing) != self._missing_words:
            self._missing_words = tuple(missing)
            self._label_buttons()

    def _label_buttons(self) -> None:
        """Label each button with the name of the step or edit, a short word, or an arrow, as there is room."""
        names = self._names or (None, None)
        undo, redo = (None, None) if self._brief else map(_shortened_name, names)
        brief = self._brief_words()
        only_next = not self._next_words or (self._brief and self._next_words != tr("Sign …"))
        words = (
            unmnemonic(tr("Undo “{step}”", step=undo)) if undo else brief[0],
            unmnemonic(tr("Redo “{step}”", step=redo)) if redo else brief[1],
            brief[2],
            brief[3] if only_next else self._next_words,
        )
        for button, text, arrow in zip(self._buttons(), words, "↩↪‹›", strict=True):
            button.setText(arrow if self._arrows_only else text)
        self.next_button.setAccessibleName(self._next_words)
        self.next_button.setToolTip("\n".join((self._next_words, *self._missing_words)))

    @staticmethod
    def _brief_words() -> tuple[str, ...]:
        return tr("Undo"), tr("Redo"), tr("Back"), tr("Next")

    def _buttons(self) -> tuple[QPushButton, ...]:
        return self.undo_button, self.redo_button, self.back_button, self.next_button

    def arrange(self, width: int) -> None:
        """Show as many words as WIDTH has room for."""
        brief, arrows_only = width < BRIEF_BELOW, width < BRIEF_BELOW and width < self._room_for_words()
        if (brief, arrows_only) == (self._brief, self._arrows_only):
            return
        self._brief, self._arrows_only = brief, arrows_only
        self._show_figures()
        self.caption.setHidden(brief)
        self._set_margins()
        for button in self._buttons():
            button.setMinimumWidth(ARROW_WIDTH if arrows_only else 0)
            button.setMaximumWidth(ARROW_WIDTH if arrows_only else theme.WIDEST)
            restyle(button, "arrow", arrows_only)
        self._label_buttons()

    def _room_for_words(self) -> int:
        """Return the width needed for the shortest words of the buttons, the axis and the figures."""
        if self._words_width == 0:
            before = [button.text() for button in self._buttons()]
            for button, text in zip(self._buttons(), self._brief_words(), strict=True):
                button.ensurePolished()
                button.setText(text)
            buttons = sum(button.sizeHint().width() for button in self._buttons())
            for button, text in zip(self._buttons(), before, strict=True):
                button.setText(text)
            self._words_width = buttons + 2 * AXIS + FIGURES_WIDTH + 2 * theme.EDGE + 3 * theme.GROUP + 2 * theme.NEAR
        return self._words_width

    def _set_margins(self) -> None:
        sides, above = (theme.NEAR, theme.TIGHT) if self._arrows_only else (theme.EDGE, theme.NEAR)
        self._row.setContentsMargins(sides, above, sides, above)
        self._row.setSpacing(theme.NEAR if self._arrows_only else theme.GROUP)

    def show_assessment(self, assessment: Assessment, of_a_person: str = "", in_total: str = "") -> None:
        """Show the allowed range as an axis and in figures; OF_A_PERSON is what the range of a smaller unit leaves open
        for a person, IN_TOTAL the range of several releases together."""
        self._total_words = in_total
        with counting(assessment.counted_in):  # the unit may still be that of the previous decision
            caption = tr("{budget} of one release") if in_total else tr("{budget} so far")
            self.caption.setText(tr("{budget} for one person or thing so far") if of_a_person else caption)
            self.caption.setToolTip(of_a_person)
            self.axis.setAccessibleName(tr("{Budget} so far"))
        self._assessment = assessment
        self._person_words = of_a_person
        self._show_figures()

    def hide_budget(self, hidden: bool) -> None:
        """Hide the budget while questions are answered, so that no answer is adapted to it."""
        self._budget_hidden = hidden
        self._show_figures()

    def _show_figures(self) -> None:
        """Write the allowed range in figures, with more room if they are long."""
        if self._assessment is None:
            return
        if self.total.text() != self._total_words:
            self.total.setText(self._total_words)
        self.total.setVisible(bool(self._total_words) and not self._brief and not self._budget_hidden)
        with counting(self._assessment.counted_in):
            self.axis.show_assessment(None if self._budget_hidden else self._assessment)
        self.sign.setVisible(self._assessment.window.empty and not self._budget_hidden)
        hidden = tr("hidden") if self._brief else tr("hidden while you answer")
        text = hidden if self._budget_hidden else short(self._assessment, brief=self._brief)
        sentences = () if self._budget_hidden else (self.axis.figure.sentence, self._total_words, self._person_words)
        self.words.setToolTip(" ".join(part for part in sentences if part))
        needed = self.words.fontMetrics().horizontalAdvance(text) + 2
        self.words.setAccessibleName(f"{self.caption.text()}: {text}")
        self.words.setText(text)
        if self.words.width() != (wide := max(FIGURES_WIDTH, needed)):
            self.words.setFixedWidth(wide)

    def show_failure(self, words: str) -> None:
        """Say that the last edit could not be solved, and why."""
        self._assessment = None
        self.sign.hide()
        self.words.setAccessibleName(words)
        self.words.setText(tr("not computed"))
        self.words.setToolTip(words)
        self.axis.setAccessibleDescription(words)
        self.axis.setToolTip(words)


def _shortened_name(name: str | None) -> str | None:
    return name if name is None or len(name) <= MOST_LETTERS else f"{name[: MOST_LETTERS - 1]}…"


def short(assessment: Assessment, *, brief: bool = False) -> str:
    """Return the allowed range in a few characters: "2.20 to 2.68", "at most 1.29", "to settle in step 6"."""
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
