"""The base of all panels: a title, a sentence about what is shown, and a plot; grey while the answers are old."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.charts import Picture
from dpwizard.decision import Assessment, Decision
from dpwizard.wording import word
from ui.controls import Prose
from ui.widgets import Card, fill, named, plain, theme

FADED = 0.4  # share of its colours that a grey panel keeps

Freshness = Literal["fresh", "pending", "stale"]


@dataclass(frozen=True, kw_only=True, eq=False)
class SolvedDecision:
    """A decision with its answers."""

    decision: Decision
    picture: Picture

    @property
    def assessment(self) -> Assessment:
        """Return the answers of the decision."""
        return self.picture.assessment


@dataclass(frozen=True, kw_only=True, eq=False)
class State:
    """What is shown at one moment.

    `solved` is the decision answered last. It is fresh if it is `decision`, pending while that is being answered, and
    stale once this takes longer than a moment or fails. `draft` is what is known of a decision newer than `solved`
    before all of it is answered.
    """

    decision: Decision
    solved: SolvedDecision | None = None
    draft: SolvedDecision | None = None
    is_drafted: bool = False  # whether the draft is of `decision`, not of one before it
    freshness: Freshness = "pending"


def fresh(decision: Decision, picture: Picture) -> State:
    """Return the state in which DECISION is answered by PICTURE."""
    return State(decision=decision, solved=SolvedDecision(decision=decision, picture=picture), freshness="fresh")


class Veil(QWidget):
    """Covers a panel or a card so that it looks faint.

    (Qt's opacity effect leaves traces of a widget where it was before scrolling.)
    """

    def __init__(self, veiled: QWidget, colours: theme.Colours) -> None:
        super().__init__(veiled)
        self._colours = colours
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(theme.WIDEST, theme.WIDEST)  # large enough for any size of the widget below
        self.hide()

    def cover(self, stale: bool) -> None:
        """Cover the widget while it is STALE."""
        self.setVisible(stale)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = QColor(self._colours.card if _on_card(self) else self._colours.ground)
        colour.setAlphaF(1.0 - FADED)
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colour)


def _on_card(widget: QWidget) -> bool:
    """Return whether WIDGET is on a card, not directly on the page."""
    holder = widget.parentWidget()
    return holder is not None and (isinstance(holder, Card) or _on_card(holder))


class Panel(QWidget):
    """A live view of an assessment. It draws what the model has computed."""

    titled = ("", "")  # the group and the key of the title's words

    def __init__(self, colours: theme.Colours) -> None:
        super().__init__()
        self.colours = colours
        self.column = plain(QVBoxLayout(self), theme.TIGHT)
        self.heading = named(QLabel(self.title, wordWrap=True), "title")
        self.sentence = Prose("", "caption")
        self.sentence.setMaximumWidth(theme.WIDEST)
        fill(self.column, self.heading, self.sentence)
        self.setAccessibleName(self.title)
        self._stale = False
        self._veil = Veil(self, colours)
        self.shown: SolvedDecision | None = None  # what is drawn now
        self.called = True  # whether the page has the panel drawn at present
        self.build()

    @property
    def title(self) -> str:
        """Return the title in words."""
        return word(*self.titled)

    def build(self) -> None:
        """Make the plot and add it to the column."""
        raise NotImplementedError  # abstract

    def draw(self, decision: Decision, picture: Picture) -> str:
        """Draw PICTURE, the answers of DECISION; return the sentence about what is shown."""
        raise NotImplementedError  # abstract

    def show_state(self, state: State) -> None:
        """Draw the newest answers in STATE; grey the panel if they are stale."""
        if not self.called:
            return
        draft = state.draft if state.draft is not None and self.drafted(state.draft.picture) else None
        solved = draft or state.solved
        if solved is not None and solved is not self.shown:
            words = self.draw(solved.decision, solved.picture)
            self.shown = solved
            self.say(words)
        is_current_draft = draft is not None and state.is_drafted
        self.set_stale(state.freshness == "stale" and not is_current_draft)

    def redraw(self) -> None:
        """Draw the same decision again after the view has changed."""
        if self.shown is not None:
            self.say(self.draw(self.shown.decision, self.shown.picture))

    def say(self, words: str) -> None:
        """Show WORDS about what is shown, on the screen and to screen readers."""
        if words != self.sentence.words:
            self.sentence.say(words)
            self.setAccessibleDescription(words)

    def call(self, called: bool, state: State | None) -> None:
        """Show the panel with STATE if it is CALLED; else hide it and stop drawing it."""
        self.called = called
        self.setVisible(called)
        if called and state is not None:
            self.show_state(state)

    def speaks(self, state: State) -> bool:
        """Return whether the panel has anything to show of STATE; most have."""
        return True

    def drafted(self, picture: Picture) -> bool:
        """Return whether PICTURE, a draft, has all that the panel shows; most panels wait for all answers."""
        return False

    def say_less(self) -> None:
        """Leave out what the figure above says already; most panels have nothing to leave out."""

    @property
    def stale(self) -> bool:
        """Return whether the panel is greyed because it answers an older decision."""
        return self._stale

    def set_stale(self, stale: bool) -> None:
        """Grey the panel while what it shows answers an older decision."""
        if stale == self._stale:
            return
        self._stale = stale
        self._veil.cover(stale)
