"""What every panel is: a title, a sentence that says what it shows now, and a plot; grey while its state is behind."""

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

FADED = 0.4  # of a grey panel: how much of its colours is seen


Freshness = Literal["fresh", "pending", "stale"]


@dataclass(frozen=True, kw_only=True, eq=False)
class SolvedDecision:
    """A decision with what was found of it."""

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
    """Lies over a panel or a card and lets it be seen faintly.

    (An effect of Qt that fades a widget has it scrolled where it was painted before, with all that it left there.)
    """

    def __init__(self, veiled: QWidget, colours: theme.Colours) -> None:
        super().__init__(veiled)
        self._colours = colours
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.resize(theme.WIDEST, theme.WIDEST)  # however large what it lies over becomes
        self.hide()

    def cover(self, stale: bool) -> None:
        """Lie over it while it is STALE."""
        self.setVisible(stale)
        self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        colour = QColor(self._colours.card if _on_card(self) else self._colours.ground)
        colour.setAlphaF(1.0 - FADED)
        with QPainter(self) as painter:
            painter.fillRect(event.rect(), colour)


def _on_card(widget: QWidget) -> bool:
    """Return whether WIDGET stands on a card, not on the page."""
    holder = widget.parentWidget()
    return holder is not None and (isinstance(holder, Card) or _on_card(holder))


class Panel(QWidget):
    """A live view of an assessment. It computes nothing: it draws what the model says."""

    titled = ("", "")  # the group and the key of the word for what the panel is called

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
        """Return what the panel is called."""
        return word(*self.titled)

    def build(self) -> None:
        """Make the plot and add it to the column."""
        raise NotImplementedError  # abstract

    def draw(self, decision: Decision, picture: Picture) -> str:
        """Draw what PICTURE says of DECISION; return the sentence that says what is shown."""
        raise NotImplementedError  # abstract

    def show_state(self, state: State) -> None:
        """Draw what STATE knows, unless it is drawn already; grey what answers an older decision for too long."""
        if not self.called:
            return
        draft = state.draft if state.draft is not None and self.drafted(state.draft.picture) else None
        found = draft or state.solved
        if found is not None and found is not self.shown:
            words = self.draw(found.decision, found.picture)
            self.shown = found
            self.say(words)
        known = draft is not None and state.is_drafted
        self.set_stale(state.freshness == "stale" and not known)

    def redraw(self) -> None:
        """Draw again what was drawn last: what is looked at has changed, not the decision."""
        if self.shown is not None:
            self.say(self.draw(self.shown.decision, self.shown.picture))

    def say(self, words: str) -> None:
        """Say in a sentence, on the screen and to screen readers, what is shown."""
        if words != self.sentence.words:
            self.sentence.say(words)
            self.setAccessibleDescription(words)

    def call(self, called: bool, state: State | None) -> None:
        """Show the panel with what STATE knows if it is CALLED; else put it away, and draw it no more."""
        self.called = called
        self.setVisible(called)
        if called and state is not None:
            self.show_state(state)

    def speaks(self, state: State) -> bool:
        """Return whether the panel has anything to show of STATE; most have."""
        return True

    def drafted(self, picture: Picture) -> bool:
        """Return whether what is shown is known already of PICTURE, a draft; most panels wait for all answers."""
        return False

    def say_less(self) -> None:
        """Leave out what the figure above says already; most panels say it once."""

    def close_down(self) -> None:
        """End what runs behind the panel; the window is closing. Most panels have nothing of the kind."""

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
