"""What a page offers to add: people one may worry about, and sentences in which one says what must still be usable."""

from __future__ import annotations

from typing import get_args

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard.decision import ADVERSARIES, About, AccuracyRequirement, AdversaryTemplate, Decision, feared
from dpwizard.decision.requirements import kinds
from dpwizard.wording import need_in_words, why, word
from ui.controls import Prose
from ui.widgets import Card, Fold, Link, added, named, plain, theme, tr

OFFERED = tuple((kind, made) for kind, made in kinds().items() if issubclass(made, AccuracyRequirement))


class Offers(Fold):
    """A card of what can be added: open while there is nothing yet, then behind a button below what there is."""

    chosen = Signal(str)  # the key of what is to be added

    def __init__(self, words: str, title: str) -> None:
        """WORDS of the button, and the TITLE of the card."""
        super().__init__(words, card=False)
        self.head.setObjectName("")  # as large as the other buttons that add something
        self.card = added(self.column, Card(title))
        self._decision: Decision | None = None
        self.head.toggled.connect(lambda _: self._show_card())

    def say_offers(self, decision: Decision) -> None:
        """Say of each thing what it would be in DECISION."""
        raise NotImplementedError  # abstract

    def show_decision(self, decision: Decision, *, some: bool) -> None:
        """Offer what can be added to DECISION; SOME, whether there is one already."""
        self._decision = decision
        self.head.setVisible(some)
        self._show_card()

    def _show_card(self) -> None:
        shown = self.is_open or self.head.isHidden()
        if shown and self._decision is not None:
            self.say_offers(self._decision)
        self.body.setVisible(shown)


class AdversaryCard(QWidget):
    """Somebody to worry about: a name to press, and a sentence or two below it."""

    def __init__(self, who: str) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), 0)
        self.button = added(column, Link(word("feared", who)))
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


class Gallery(Offers):
    """Everybody one may worry about."""

    opened = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Add someone else …"), tr("Who could it be?"))
        self.head.clicked.connect(lambda opened: self.opened.emit() if opened else None)
        self.card.column.setSpacing(0)
        self.people: dict[str, AdversaryCard] = {}
        for who in ADVERSARIES:
            person = self.people[who] = added(self.card.column, AdversaryCard(who))
            person.button.clicked.connect(lambda _=False, who=who: self.chosen.emit(who))

    def say_offers(self, decision: Decision) -> None:
        release = decision.planned.release
        for who, person in self.people.items():
            person.show_feared(feared(release, who))

    def reach(self) -> None:
        """Give the keyboard to the first person who can be chosen, or to the button that shows them."""
        shown = not self.body.isHidden()
        offered = (person.button for person in self.people.values() if shown and person.button.isEnabled())
        next(offered, self.head).setFocus(Qt.FocusReason.OtherFocusReason)


class Needs(Offers):
    """Every need as a sentence, by what it speaks of; what it begins with can be changed."""

    def __init__(self) -> None:
        super().__init__(tr("Add an accuracy requirement"), tr("Choose a sentence to begin with"))
        self.sentences: dict[str, Link] = {}
        for about in get_args(About):
            self.card.column.addWidget(named(QLabel(word("need_about", about)), "caption"))
            for kind, made in OFFERED:
                if made.about == about:
                    link = self.sentences[kind] = added(self.card.column, Link(word("kind", kind)))
                    link.clicked.connect(lambda _=False, kind=kind: self.chosen.emit(kind))

    def say_offers(self, decision: Decision) -> None:
        for kind, made in OFFERED:
            self.sentences[kind].say(need_in_words(made(**made.begins), decision.release))
