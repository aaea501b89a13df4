"""Step 5: what must still be usable; with the noise at the chosen epsilon, and what other profiles would mean."""

from __future__ import annotations

from ui.pages.cards import RequirementCards, own_fields
from ui.pages.requirements_page import RequirementsPage
from ui.panels import ComparisonPanel, EpsilonAxisPanel, NoisePanel, UsabilityPanel
from ui.widgets import tr


class AccuracyPage(RequirementsPage):
    """What must still be usable?"""

    key = "accuracy"

    def build(self) -> None:
        self.cards = RequirementCards(
            self.session,
            self.host,
            belongs=lambda kind: kind.end == "lower",
            names=own_fields,
            add_words=tr("Add an accuracy need"),
        )
        self.fields.addWidget(self.cards)
        self.panels.extend(
            kind(self.colours) for kind in (NoisePanel, UsabilityPanel, EpsilonAxisPanel, ComparisonPanel)
        )
