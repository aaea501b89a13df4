"""The people one may worry about, to be chosen from: each with what they ask, and why these beliefs to begin with."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from dpwizard.decision import ADVERSARIES, AdversaryTemplate, Decision, feared
from dpwizard.wording import why, word
from ui.controls import MenuButton, Prose
from ui.widgets import Card, Link, added, plain, theme, tr


class AdversaryCard(QWidget):
    """Somebody to worry about: a name to press, and a sentence or two below it."""

    chosen = Signal()

    def __init__(self, who: str) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), 0)
        self.button = added(column, Link(word("feared", who)))
        self.button.clicked.connect(self.chosen)
        below = QVBoxLayout()
        below.setContentsMargins(theme.NEAR, 0, theme.NEAR, 0)
        self.words = added(below, Prose("", "caption"))
        column.addLayout(below)

    def show_feared(self, found: AdversaryTemplate) -> None:
        """Say why this promise and these beliefs, or why nothing can be promised against this person."""
        text = word("feared_why", found.why)
        if found.why_not is not None:
            reason = why(found.why_not, kind=found.requirement.kind)
            text = tr("Does not apply to this release. {reason}", reason=reason)
        self.button.setEnabled(found.why_not is None)
        self.button.setAccessibleDescription(text)
        self.words.setToolTip(text)
        self.words.say(first_question(text))


def first_question(text: str) -> str:
    """Return what is TEXT of a person up to the first question, which is theirs; all of it where there is none."""
    asked, mark, _ = text.partition("?")
    return asked + mark


class Gallery(QWidget):
    """Everybody one may worry about. Open while nobody is named yet; then behind a button, below those who are."""

    chosen = Signal(str)  # who
    opened = Signal()

    def __init__(self) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.open_button = MenuButton(tr("Add someone else …"))
        self.open_button.setCheckable(True)
        self.open_button.toggled.connect(self._open)
        self.open_button.clicked.connect(lambda opened: self.opened.emit() if opened else None)
        column.addWidget(self.open_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.card = added(column, Card(tr("Who could it be?")))
        self.card.column.setSpacing(0)
        self.people: dict[str, AdversaryCard] = {}
        for who in ADVERSARIES:
            person = self.people[who] = added(self.card.column, AdversaryCard(who))
            person.chosen.connect(partial(self.chosen.emit, who))
        self._decision: Decision | None = None

    def show_decision(self, decision: Decision, *, named: bool) -> None:
        """Offer whoever can be promised anything about the release of DECISION; NAMED: somebody is named already."""
        self._decision = decision
        self.open_button.setVisible(named)
        self._open(self.open_button.isChecked())

    def fold(self) -> None:
        """Go back behind the button."""
        self.open_button.setChecked(False)

    def reach(self) -> None:
        """Give the keyboard to the first person who can be chosen, or to the button that shows them."""
        shown = not self.card.isHidden()
        offered = (person.button for person in self.people.values() if shown and person.button.isEnabled())
        next(offered, self.open_button).setFocus(Qt.FocusReason.OtherFocusReason)

    def _open(self, opened: bool) -> None:
        shown = opened or self.open_button.isHidden()
        if shown and self._decision is not None:
            release = self._decision.planned.release
            for who, person in self.people.items():
                person.show_feared(feared(release, who))
        self.card.setVisible(shown)
