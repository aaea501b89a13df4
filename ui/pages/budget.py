"""Step 4: what is spent, what may be spent in all, and how losses of several releases add up."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.decision import EarlierRelease, Release, derived_fields
from dpwizard.wording import explain, persons
from ui.controls import Prose
from ui.forms import Assumptions, Form, Rows
from ui.pages.cards import fields_of_kind
from ui.pages.requirements_page import RequirementsPage
from ui.panels import State, epsilon_axis, figure_table
from ui.signing import EarlierChoice
from ui.widgets import Card, added, tr

SPENT = ("record", "epsilon", "neighbours", "date")
MORE_OF_SPENT = ("mechanism", "rho", "delta", "sensitivity", "sensitivity_other", "effects", "times", "table", "sha256")


class BudgetPage(RequirementsPage):
    """What is spent, and what may be spent?"""

    key = "budget"

    def ask(self) -> Iterator[None]:
        self.nothing = added(self.asked, Prose(tr("Nothing to ask: this is published once, and nothing was before.")))
        card = Card(tr("Already spent"))
        title, add = tr("Earlier release"), tr("Add an earlier release")
        self.spent = Rows(
            *(self.session, "$.release.spent", EarlierRelease, Form, SPENT),
            title=title,
            add_words=add,
            more=MORE_OF_SPENT,
            more_words=tr("More about this release"),
        )
        card.column.addWidget(self.spent)
        self.records = added(card.column, EarlierChoice(self.session))
        self.counted = added(card.column, Form(self.session, "$.release", Release, ("priors_from",)))
        self.asked.addWidget(card)
        self.assumed = added(self.asked, Assumptions(self.session, self.key))
        self.sum_card = Card(tr("What it comes to"))
        self.sum = added(self.sum_card.column, Prose())
        self.person = added(self.sum_card.column, Prose(hides=True))
        self.meant.addWidget(self.sum_card)
        yield

    def show_plain(self, state: State) -> None:
        decision = state.decision
        self.nothing.setVisible(not derived_fields.asks_before(decision))
        self.spent.refresh()
        self.counted.refresh()
        self.counted.setVisible(bool(decision.release.spent) or decision.release.priors_from == "before_all")
        self.assumed.refresh()
        exact = decision.release.noise.absent
        self.sum.say(explain.word("implied", "exact_budget") if exact else explain.accounting(decision))
        if state.solved is not None:
            self.person.say(persons.of_a_person(state.solved.decision.release, state.solved.assessment))

    def forget_plain(self) -> None:
        self.spent.forget_problems()
        self.counted.forget_problems()

    def asks_for(self, where: str) -> bool:
        return self.spent.reach(where) or self.counted.reach(where)

    def technical_summary(self, state: State) -> str:
        return tr("budgets for several releases, how losses add up")

    def build(self) -> Iterator[None]:
        yield from self.add_cards(lambda kind: kind.step == "budget", fields_of_kind, tr("Add a budget"))
        self.panels.append(figure_table.figure_panel("spending", self.colours))
        self.panels.append(epsilon_axis.EpsilonAxisPanel(self.colours))
        for name in ("composition", "compensation", "at_risk"):
            yield
            self.panels.append(figure_table.figure_panel(name, self.colours))
