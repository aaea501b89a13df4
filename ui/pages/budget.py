"""Step 4: what is spent, what may be spent in all, and how losses of several releases add up."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from dpwizard import explain
from dpwizard.decision import Decision
from dpwizard.picture import Picture
from dpwizard.release import Release, Spent
from ui import theme
from ui.cards import RequirementCards, own_fields
from ui.forms import Form
from ui.pages.page import Card
from ui.pages.requirements import RequirementsPage
from ui.rows import Rows
from ui.session import Session


class BudgetPage(RequirementsPage):
    """What is spent, and what may be spent?"""

    key = "budget"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        super().__init__(session)

    def build(self) -> None:
        card = Card("Already spent on these people")
        self.spent = Rows(
            self.session,
            "$.release.spent",
            Spent,
            ("record", "epsilon", "neighbours", "date"),
            title="Earlier release",
            add_words="Add an earlier release",
        )
        card.column.addWidget(self.spent)
        self.add_form(card, Form(self.session, "$.release", Release, ("priors_from",)))
        self.fields.addWidget(card)
        self.cards = RequirementCards(self.session, belongs=lambda kind: kind.step == "budget", names=own_fields, add_words="Add a budget")
        self.fields.addWidget(self.cards)
        self.sum_card = Card("What it comes to")
        self.sum = QLabel()
        self.sum.setWordWrap(True)
        self.sum_card.column.addWidget(self.sum)
        self.fields.addWidget(self.sum_card)

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        self.spent.refresh()

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        self.sum.setText(explain.accounting(decision))

    def forget_problems(self) -> None:
        super().forget_problems()
        self.spent.forget_problems()

    def reach(self, where: str) -> bool:
        return self.spent.reach(where) or super().reach(where)
