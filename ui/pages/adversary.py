"""Step 2: whom to worry about, what they believe beforehand, and what is assumed of them."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, QTimer

from dpwizard.decision import BaseRequirement, Decision, add_feared
from dpwizard.wording import word
from ui.controls import Prose
from ui.forms import Assumptions
from ui.pages.gallery import Gallery
from ui.pages.requirements_page import RequirementsPage
from ui.widgets import Card, added, theme, tr

GROWN = 100  # milliseconds after which whom one may choose have their place, and the keyboard was followed


class AdversaryPage(RequirementsPage):
    """Whom do you worry about?"""

    key = "adversary"

    def build(self) -> Iterator[None]:
        self.gallery = Gallery()
        self.gallery.chosen.connect(self.add)
        self.gallery.opened.connect(self._show_gallery)
        yield
        yield from self.add_cards(_belongs, lambda kind: kind.asked_early, tr("All privacy requirements"), self.gallery)
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
        name = word("feared", who)
        card = self.cards.take(name, add_feared(self.session.decision, who, name))
        self.gallery.fold()
        if card is not None:
            card.reach_open()

    def _show_gallery(self) -> None:
        """Bring whom one may choose into sight, below the button that shows them."""
        self.gallery.reach()
        top = self.verticalScrollBar().value() + self.gallery.mapTo(self.viewport(), QPoint(0, -theme.NEAR)).y()
        QTimer.singleShot(GROWN, self, lambda: self.verticalScrollBar().setValue(top))

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.gallery.show_decision(decision, named=bool(self.cards.cards))
        self.assumed.refresh()
        self.groups.setVisible(any(getattr(r, "group", None) for r in decision.requirements))

    def places(self, where: str) -> bool:
        if where.startswith("$.acknowledged"):
            return self.assumed.reach()
        if where == "$.requirements":
            self.gallery.reach()
            return True
        return super().places(where)


def _belongs(kind: type[BaseRequirement]) -> bool:
    return kind.end != "lower" and kind.step == "profile"
