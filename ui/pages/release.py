"""Step 1: what will be published, about whom, with which noise."""

from __future__ import annotations

from dpwizard.decision import Decision
from dpwizard.release import Release
from ui import theme
from ui.forms import Form
from ui.pages.page import Card, Page
from ui.session import Session

GROUPS = (
    ("What is published", ("description", "statistic", "dimension", "repetitions")),
    ("Who is protected", ("unit", "contributions", "neighbours", "population")),
    ("The noise", ("mechanism", "sensitivity", "sensitivity_other", "delta")),
    ("What else is known", ("published_elsewhere", "sampling_fraction", "sample_secret")),
)


class ReleasePage(Page):
    """What will you publish?"""

    key = "release"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        super().__init__(session)

    def build(self) -> None:
        card = Card("This decision")
        self.add_form(card, Form(self.session, "$", Decision, ("title",)))
        self.fields.addWidget(card)
        for title, names in GROUPS:
            card = Card(title)
            self.add_form(card, Form(self.session, "$.release", Release, names))
            self.fields.addWidget(card)
