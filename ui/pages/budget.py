"""Step 4: what is spent, what may be spent in all, and how losses of several releases add up."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.decision import Decision, Release, Spent
from dpwizard.wording import explain, persons
from ui.controls import Prose
from ui.forms import Assumptions, Form, Rows
from ui.pages.cards import own_fields
from ui.pages.requirements_page import RequirementsPage
from ui.panels import Answered, epsilon_axis, figure_table
from ui.signing import EarlierChoice
from ui.widgets import Card, added, tr

SPENT = ("record", "epsilon", "neighbours", "date")
MORE_OF_SPENT = ("mechanism", "rho", "delta", "sensitivity", "sensitivity_other", "effects", "times", "table", "sha256")


class BudgetPage(RequirementsPage):
    """What is spent, and what may be spent?"""

    key = "budget"

    def build(self) -> Iterator[None]:
        card = Card(tr("Already spent"))
        title, add = tr("Earlier release"), tr("Add an earlier release")
        self.spent = Rows(
            *(self.session, "$.release.spent", Spent, Form, SPENT),
            title=title,
            add_words=add,
            more=MORE_OF_SPENT,
            more_words=tr("More about this release"),
        )
        card.column.addWidget(self.spent)
        self.records = added(card.column, EarlierChoice(self.session))
        self.add_form(card, Form(self.session, "$.release", Release, ("priors_from",)))
        self.fields.addWidget(card)
        yield
        yield from self.add_cards(lambda kind: kind.step == "budget", own_fields, tr("Add a budget"))
        self.assumed = added(self.fields, Assumptions(self.session, self.key))
        self.sum_card = Card(tr("What it comes to"))
        self.sum = added(self.sum_card.column, Prose())
        self.person = added(self.sum_card.column, Prose())
        self.beside.addWidget(self.sum_card)
        self.panels.append(figure_table.figure_panel("spending", self.colours))
        self.panels.append(epsilon_axis.EpsilonAxisPanel(self.colours))
        for name in ("composition", "compensation", "at_risk"):
            yield
            self.panels.append(figure_table.figure_panel(name, self.colours))

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.spent.refresh()
        self.assumed.refresh()
        exact = decision.release.noise.absent
        self.sum.say(explain.word("implied", "exact_budget") if exact else explain.accounting(decision))

    def show_answers(self, solved: Answered) -> None:
        self.person.say(persons.of_a_person(solved.decision.release, solved.assessment))
        self.person.setVisible(bool(self.person.words))

    def forget_technical(self) -> None:
        super().forget_technical()
        self.spent.forget_problems()

    def places(self, where: str) -> bool:
        return self.spent.reach(where) or super().places(where)
