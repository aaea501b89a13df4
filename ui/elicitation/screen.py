"""What the screens of the questions are made of: a column that can be scrolled, and releases side by side as cards."""

from __future__ import annotations

import time

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from dpwizard.decision import AccuracyOption, Chance, Question, Setup
from dpwizard.wording import figures, texts, whole
from ui.controls import MOST, CountedDots, Prose
from ui.widgets import Card, SideBySide, added, named, plain, theme, tr

WIDTH = 800  # pixels of the column
ACROSS = 1_112  # of two releases beside one another, and of all that is seen at once
WIDE = 796  # from which lines stand in two columns


class Screen(QScrollArea):
    """One screen."""

    def __init__(self, colours: theme.Colours, heading: str = "") -> None:
        super().__init__()
        self.colours = colours
        self._since = 0.0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.verticalScrollBar().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        content = QWidget()
        row = QHBoxLayout(content)
        row.setContentsMargins(theme.EDGE, theme.GROUP, theme.EDGE, theme.GROUP)
        holder = self.holder = QWidget()
        holder.setMaximumWidth(WIDTH)
        holder.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        row.addWidget(holder, 100)
        row.addStretch(1)
        self.column = plain(QVBoxLayout(holder), theme.GROUP)
        self.setWidget(content)
        self.heading = named(QLabel(heading, wordWrap=True, textFormat=Qt.TextFormat.PlainText), "question")
        self.column.addWidget(self.heading)
        self.heading.setVisible(bool(heading))

    def enter(self) -> None:
        """Show the screen from its beginning, when it becomes the current one."""
        self.verticalScrollBar().setValue(0)

    def begin_timing(self) -> None:
        """Count the seconds that an answer takes from now on."""
        self._since = time.monotonic()

    @property
    def seconds(self) -> float:
        """Return the seconds that the answer has taken so far."""
        return round(time.monotonic() - self._since, 1)

    def arrange(self, width: int) -> None:
        """Fit what is shown into WIDTH pixels."""


class Side(Card):
    """One release, or none: paired dots before and after, with one denominator; and what is lost."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(" ")
        self.before, self.after = CountedDots(colours), CountedDots(colours)
        row = added(self.column, SideBySide(theme.EDGE))
        for dots in (self.before, self.after):
            row.box.addWidget(dots, 0, Qt.AlignmentFlag.AlignTop)
        self.lost = Prose()
        row.box.addWidget(self.lost, 1, Qt.AlignmentFlag.AlignTop)
        self.column.addStretch(1)
        self.lost.hide()

    def show_chance(self, title: str, chance: Chance, lost: str = "") -> None:
        """Show what a release does to CHANCE; where there is none, that it stays, and what is LOST."""
        self._entitle(title)
        counts = {"out_of": whole(chance.out_of)}
        stays = tr("it stays: {count} in {out_of}", count=whole(chance.before), **counts)
        before = tr("before: {count} in {out_of}", count=whole(chance.before), **counts)
        self.before.show_count(stays if lost else before, chance.before, chance.out_of)
        self.before.show()
        after = tr("after: {count} in {out_of}", count=whole(chance.after), **counts)
        self.after.show_count(after, chance.after, chance.out_of)
        self.after.setVisible(not lost)
        self._say_lost(lost)

    def show_blur(self, title: str, blur: AccuracyOption) -> None:
        """Show in how many releases a figure may be further off."""
        self._entitle(title)
        figure = {"off_by": figures.number(blur.off_by), "count": "1", "out_of": whole(blur.one_in)}
        text = tr("off by more than {off_by}: {count} in {out_of}", **figure)
        self.before.show_count(text, 1, blur.one_in)
        self.before.setVisible(blur.one_in <= MOST)
        self.after.hide()
        self._say_lost("")

    def _entitle(self, title: str) -> None:
        self.title.setText(title)
        self.title.setVisible(bool(title))

    def _say_lost(self, lost: str) -> None:
        self.lost.say(lost)
        self.lost.setVisible(bool(lost))


class Sides(SideBySide):
    """One or two sides, beside one another where there is room."""

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__(theme.NEAR)
        self.sides = (Side(colours), Side(colours))
        for side in self.sides:
            self.box.addWidget(side, 1)

    def show_question(self, question: Question, setup: Setup) -> None:
        """Show the releases QUESTION speaks of."""
        first, second = self.sides
        if question.blur is not None:
            first.show_blur(tr("The release"), question.blur)
            second.hide()
        elif question.a is not None and question.b is not None:
            first.show_chance(tr("Release A"), question.a)
            second.show_chance(tr("Release B"), question.b)
            second.show()
        elif question.a is not None:
            first.show_chance(tr("The release") if question.kind == "level" else "", question.a)
            nothing = question.a.model_copy(update={"after": question.a.before})
            lost = tr("Lost: {benefit}", benefit=setup.benefit or texts.word("ask", "benefit"))
            second.show_chance(tr("No release"), nothing, lost)
            second.setVisible(question.kind == "level")

    def words(self) -> str:
        """Return what the cards say, for screen readers."""
        shown = [side for side in self.sides if not side.isHidden()]
        return ". ".join(
            text
            for side in shown
            for text in (
                side.title.text(),
                side.before.caption.words,
                "" if side.after.isHidden() else side.after.caption.words,
                side.lost.words,
            )
            if text
        )
