"""Step 2: whom to worry about, what they believe to begin with, and what is assumed of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QTimer

from dpwizard.decision import BaseRequirement, Decision
from dpwizard.wording import word
from ui.controls import Prose
from ui.forms import Assumptions
from ui.pages.offers import Gallery
from ui.pages.requirements_page import RequirementsPage
from ui.panels import State
from ui.questions import adversary
from ui.widgets import Card, added, fill, theme, tr

GROWN = 100  # milliseconds after which whom one may choose have their place, and the keyboard was followed


class AdversaryPage(RequirementsPage):
    """Who might look, and what must they not find out?"""

    key = "adversary"

    def ask(self) -> Iterator[None]:
        self.questions = adversary.AdversaryQuestions(self.session, self.colours)
        self.questions.cards.add_person.connect(self._open_gallery)
        self.questions.cards.technical.connect(self._reach_details)
        self.gallery = Gallery()
        self.gallery.chosen.connect(self.add)
        self.gallery.opened.connect(self._show_gallery)
        fill(self.asked, self.questions.cards, self.gallery)
        yield
        fill(self.meant, self.questions.promise, self.questions.covers)
        self.questions.show_decision(self.session.decision)  # made with the page, and so shown with it

    def show_plain(self, state: State) -> None:
        self.questions.show_state(state)
        self.gallery.show_decision(state.decision, some=bool(adversary.people(state.decision)))

    def technical_summary(self, state: State) -> str:
        kinds = (word("kind", state.decision.requirements[at].kind) for at in adversary.people(state.decision))
        return ", ".join(dict.fromkeys(kinds))

    def forget_plain(self) -> None:
        self.questions.cards.forget_problems()

    def asks_for(self, where: str) -> bool:
        if where == "$.requirements":
            self.gallery.reach()
            return True
        return self.questions.cards.reach(where)

    def build(self) -> Iterator[None]:
        yield from self.add_cards(_belongs, lambda kind: kind.basic_fields, tr("All privacy requirements"))
        self.assumed = added(self.beside, Assumptions(self.session))
        self.groups = Card(tr("Groups with promises of their own"))
        self.groups.column.addWidget(Prose(word("advice", "groups")))
        self.beside.addWidget(self.groups)
        hint = Card(tr("Whom to name"))
        for key in ("beliefs", "others"):
            hint.column.addWidget(Prose(word("advice", key)))
        self.beside.addWidget(hint)

    def enter(self) -> None:
        super().enter()
        self.gallery.fold()

    def add(self, who: str) -> None:
        """Add what WHO, somebody of the gallery, brings; the keyboard goes to what comes next."""
        self.gallery.fold()
        self.questions.cards.add(who)
        brought = self.session.decision.requirements[-1]
        asked = {re.split(r"[.\[]", name)[0] for name in brought.missing()}
        if asked.intersection(type(brought).basic_fields):  # no sentence asks for it: its field does
            self.technical.open()
            self.cards.cards[-1].reach_open()

    def _open_gallery(self) -> None:
        self.gallery.open()
        self._show_gallery()

    def _reach_details(self, where: str) -> None:
        self.technical.open()
        self.places(where)

    def _show_gallery(self) -> None:
        """Bring whom one may choose into sight, below the button that shows them."""
        self.gallery.reach()
        top = self.verticalScrollBar().value() + self.gallery.mapTo(self.viewport(), QPoint(0, -theme.NEAR)).y()
        QTimer.singleShot(GROWN, self, lambda: self.verticalScrollBar().setValue(top))

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.assumed.refresh()
        self.groups.setVisible(any(getattr(r, "group", None) for r in decision.requirements))

    def places(self, where: str) -> bool:
        if where.startswith("$.acknowledged"):
            return self.assumed.reach()
        return super().places(where)


def _belongs(kind: type[BaseRequirement]) -> bool:
    return kind.end != "lower" and kind.step == "profile"
