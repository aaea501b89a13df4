"""Step 4: earlier releases, the total budget, and how the losses of several releases add up."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.decision import EarlierRelease, Release, derived_fields
from dpwizard.wording import assessments, persons, texts
from ui.controls import Prose
from ui.forms import Assumptions, Form, Rows
from ui.pages.cards import RequirementsPage, fields_of_kind
from ui.panels import State, epsilon_axis, figure_table
from ui.signing import EarlierChoice
from ui.widgets import Card, added, tr

EARLIER_FIELDS = ("record", "epsilon", "neighbours", "date")
MORE_EARLIER_FIELDS = (
    "mechanism",
    "rho",
    "delta",
    "sensitivity",
    "sensitivity_other",
    "effects",
    "times",
    "table",
    "sha256",
)


class BudgetPage(RequirementsPage):
    """How much of the privacy budget is used?"""

    key = "budget"

    def build_questions(self) -> Iterator[None]:
        self.nothing = added(self.questions_column, Prose(tr("Nothing to ask: one release, and nothing before.")))
        card = Card(tr("Already spent"))
        self.spent = Rows(
            *(self.session, "$.release.spent", EarlierRelease, Form, EARLIER_FIELDS),
            title=tr("Earlier release"),
            add_words=tr("Add an earlier release"),
            more=MORE_EARLIER_FIELDS,
            more_words=tr("More about this release"),
        )
        card.column.addWidget(self.spent)
        self.records = added(card.column, EarlierChoice(self.session))
        self.counted = added(card.column, Form(self.session, "$.release", Release, ("priors_from",)))
        self.questions_column.addWidget(card)
        self.assumed = added(self.questions_column, Assumptions(self.session, self.key))
        self.sum_card = Card(tr("Total privacy loss"))
        self.sum = added(self.sum_card.column, Prose())
        self.person = added(self.sum_card.column, Prose(hides=True))
        self.meaning_column.addWidget(self.sum_card)
        yield

    def show_questions(self, state: State) -> None:
        decision = state.decision
        self.nothing.setVisible(not derived_fields.asks_before(decision))
        self.spent.refresh()
        self.counted.refresh()
        self.counted.setVisible(bool(decision.release.spent) or decision.release.priors_from == "before_all")
        self.assumed.refresh()
        exact = decision.release.noise.absent
        self.sum.say(texts.word("implied", "exact_budget") if exact else assessments.accounting(decision))
        if state.solved is not None:
            self.person.say(persons.of_a_person(state.solved.decision.release, state.solved.assessment))

    def reset_questions(self) -> None:
        self.spent.forget_problems()
        self.counted.forget_problems()

    def reach_question(self, where: str) -> bool:
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
