"""What a page offers to add: people who might try to learn something, and accuracy requirements as sentences."""

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
    """A card that lists what can be added: open while there is nothing yet, later behind a button."""

    chosen = Signal(str)  # the key of what is to be added

    def __init__(self, words: str, title: str) -> None:
        """WORDS of the button, and the TITLE of the card."""
        super().__init__(words, card=False)
        self.head.setObjectName("")  # as large as the other buttons that add something
        self.card = added(self.column, Card(title))
        self._decision: Decision | None = None
        self.head.toggled.connect(lambda _: self._show_card())

    def say_offers(self, decision: Decision) -> None:
        """Describe each offer for DECISION."""
        raise NotImplementedError  # abstract

    def show_decision(self, decision: Decision, *, some: bool) -> None:
        """Offer what can be added to DECISION; SOME: whether it has one already."""
        self._decision = decision
        self.head.setVisible(some)
        self._show_card()

    def _show_card(self) -> None:
        shown = self.is_open or self.head.isHidden()
        if shown and self._decision is not None:
            self.say_offers(self._decision)
        self.body.setVisible(shown)


class AdversaryCard(QWidget):
    """Someone who might try to learn something: a name to press, with an explanation below."""

    def __init__(self, who: str) -> None:
        super().__init__()
        column = plain(QVBoxLayout(self), 0)
        self.button = added(column, Link(word("feared", who)))
        below = QVBoxLayout()
        below.setContentsMargins(theme.NEAR, 0, theme.NEAR, 0)
        self.words = added(below, Prose("", "caption"))
        column.addLayout(below)

    def show_template(self, template: AdversaryTemplate) -> None:
        """Say why the template has its requirement and priors, or why it does not apply to this release."""
        text = word("feared_why", template.why)
        if template.why_not is not None:
            reason = why(template.why_not, kind=template.requirement.kind)
            text = tr("Does not apply to this release. {reason}", reason=reason)
        self.button.setEnabled(template.why_not is None)
        self.button.setAccessibleDescription(text)
        self.words.setToolTip(text)
        self.words.say(first_question(text))


def first_question(text: str) -> str:
    """Return TEXT up to its first question; all of it if it has none."""
    question, mark, _ = text.partition("?")
    return question + mark


class Gallery(Offers):
    """Everyone who might try to learn something."""

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
            person.show_template(feared(release, who))

    def reach(self) -> None:
        """Give the keyboard to the first person who can be chosen, or to the button that shows them."""
        shown = not self.body.isHidden()
        offered = (person.button for person in self.people.values() if shown and person.button.isEnabled())
        next(offered, self.head).setFocus(Qt.FocusReason.OtherFocusReason)


class Needs(Offers):
    """Every kind of need as a sentence, by subject; its initial values can be changed."""

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
