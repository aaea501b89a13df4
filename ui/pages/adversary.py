"""Step 2: whom to worry about, what they believe beforehand, and what is assumed of them."""

from __future__ import annotations

from PySide6.QtCore import Qt

from dpwizard.decision import BaseRequirement, Decision
from dpwizard.wording import word
from ui.controls import Prose
from ui.forms import Assumptions
from ui.pages.requirements_page import RequirementsPage
from ui.widgets import Card, added, tr


class AdversaryPage(RequirementsPage):
    """Whom do you worry about?"""

    key = "adversary"

    def build(self) -> None:
        self.add_cards(_belongs, lambda kind: kind.asked_early, tr("Add an adversary"))
        self.assumed = added(self.beside, Assumptions(self.session))
        self.groups = Card(tr("Groups with promises of their own"))
        self.groups.column.addWidget(Prose(word("advice", "groups")))
        self.beside.addWidget(self.groups)
        hint = Card(tr("Whom to name"))
        for key in ("whom", "beliefs", "others"):
            hint.column.addWidget(Prose(word("advice", key)))
        self.beside.addWidget(hint)

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        self.assumed.refresh()
        self.groups.setVisible(any(getattr(r, "group", None) for r in decision.requirements))

    def places(self, where: str) -> bool:
        if where.startswith("$.acknowledged"):
            return self.assumed.reach()
        if where == "$.requirements":
            self.cards.add_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return super().places(where)


def _belongs(kind: type[BaseRequirement]) -> bool:
    return kind.end != "lower" and kind.step == "profile"
