"""Step 5: what must still be usable; with the noise at the chosen epsilon, and what other profiles would mean."""

from __future__ import annotations

from ui.pages.cards import RequirementCards, own_fields
from ui.pages.requirements_page import RequirementsPage
from ui.panels import comparison, epsilon_axis, noise, usability
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
            kind(self.colours)
            for kind in (
                noise.NoisePanel,
                usability.UsabilityPanel,
                epsilon_axis.EpsilonAxisPanel,
                comparison.ComparisonPanel,
            )
        )
