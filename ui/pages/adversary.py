"""Step 2: who might try to learn something, which chances they start from, and what is assumed about them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QPoint, QTimer

from dpwizard.decision import Decision
from dpwizard.questions import privacy_words
from dpwizard.wording import word
from ui.controls import Prose
from ui.forms import Assumptions
from ui.pages.cards import RequirementsPage
from ui.pages.offers import Gallery
from ui.panels import State
from ui.questions import adversary
from ui.widgets import Card, added, fill, theme, tr

LAID_OUT = 100  # milliseconds after which the gallery has its place


class AdversaryPage(RequirementsPage):
    """Who might try to learn about someone, and what must they not learn?"""

    key = "adversary"

    def build_questions(self) -> Iterator[None]:
        self.people = adversary.PeopleCards(self.session)
        self.people.add_person.connect(self._open_gallery)
        self.people.technical.connect(self._reach_details)
        self.gallery = Gallery()
        self.gallery.chosen.connect(self.add)
        self.gallery.opened.connect(self._show_gallery)
        fill(self.questions_column, self.people, self.gallery)
        yield
        note = tr("The number comes from step 3, where you answer questions.")
        self.promise, self.covers = adversary.PromiseCard(self.colours, note), adversary.CoversCard()
        fill(self.meaning_column, self.promise, self.covers)
        self._shown: Decision | None = None
        self._show_people(self.session.decision)  # so that its cards are built together with the page

    def _show_people(self, decision: Decision) -> None:
        if decision is not self._shown:
            self._shown = decision
            self.people.show_decision(decision)
            self.covers.show_decision(decision)

    def show_questions(self, state: State) -> None:
        self._show_people(state.decision)
        self.promise.show_state(state)
        self.gallery.show_decision(state.decision, some=bool(privacy_words.adversary_requirements(state.decision)))

    def technical_summary(self, state: State) -> str:
        requirements = (state.decision.requirements[at] for at in privacy_words.adversary_requirements(state.decision))
        return ", ".join(dict.fromkeys(word("kind", requirement.kind) for requirement in requirements))

    def reset_questions(self) -> None:
        self.people.forget_problems()

    def reach_question(self, where: str) -> bool:
        if where == "$.requirements":
            self.gallery.reach()
            return True
        return self.people.reach(where)

    def build(self) -> Iterator[None]:
        yield from self.add_cards(
            lambda kind: kind.end != "lower" and kind.step == "profile",
            lambda kind: kind.basic_fields,
            tr("All privacy requirements"),
        )
        self.assumed = added(self.beside, Assumptions(self.session))
        self.groups = Card(tr("Groups with requirements of their own"))
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
        """Add the requirement for WHO, chosen in the gallery; the keyboard goes to its first open field."""
        self.gallery.fold()
        self.people.add(who)
        requirement = self.session.decision.requirements[-1]
        missing = {re.split(r"[.\[]", name)[0] for name in requirement.missing()}
        if missing.intersection(type(requirement).basic_fields):  # no plain question asks for them
            self.technical.open()
            self.cards.cards[-1].reach_open()

    def _open_gallery(self) -> None:
        self.gallery.open()
        self._show_gallery()

    def _reach_details(self, where: str) -> None:
        self.technical.open()
        self.reach_field(where)

    def _show_gallery(self) -> None:
        self.gallery.reach()
        top = self.verticalScrollBar().value() + self.gallery.mapTo(self.viewport(), QPoint(0, -theme.NEAR)).y()
        QTimer.singleShot(LAID_OUT, self, lambda: self.verticalScrollBar().setValue(top))

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.assumed.refresh()
        self.groups.setVisible(any(getattr(r, "group", None) for r in decision.requirements))

    def reach_field(self, where: str) -> bool:
        if where.startswith("$.acknowledged"):
            return self.assumed.reach()
        return super().reach_field(where)
