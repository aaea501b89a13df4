"""Step 1: what will be published, about whom, with which noise; and what no noise protects."""

from __future__ import annotations

from dpwizard import explain
from dpwizard.decision import Decision
from dpwizard.release import Release
from ui.controls import Prose
from ui.forms import Form
from ui.pages.page import Card, Page

GROUPS = (
    ("What is published", ("description", "statistic", "dimension", "repetitions")),
    ("Who is protected", ("unit", "neighbours", "contributions", "population")),
    ("The noise", ("mechanism", "sensitivity", "sensitivity_other", "delta")),
    ("What else is known", ("published_elsewhere", "sampling_fraction", "sample_secret")),
)
LIMITS = ("population", "elsewhere", "implementation", "assumptions", "sensitivity")


class ReleasePage(Page):
    """What will you publish?"""

    key = "release"

    def build(self) -> None:
        card = Card("This decision")
        self.add_form(card, Form(self.session, "$", Decision, ("title",)))
        self.fields.addWidget(card)
        for title, names in GROUPS:
            card = Card(title)
            form = self.add_form(card, Form(self.session, "$.release", Release, names))
            if "delta" in names:
                self.noise = form
            self.fields.addWidget(card)
        promised = Card("What this release promises")
        self.promise = Prose()
        promised.column.addWidget(self.promise)
        self.beside.addWidget(promised)
        unprotected = Card("What is not protected")
        for key in LIMITS:
            unprotected.column.addWidget(Prose(explain.word("limit", key)))
        self.beside.addWidget(unprotected)

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        gaussian = "gaussian" in decision.release.mechanisms() or decision.release.delta is not None
        self.noise.editors["delta"].setVisible(gaussian or bool(self.noise.editors["delta"].problem.text()))
        self.promise.say(" ".join(explain.release_in_words(decision.release)))
