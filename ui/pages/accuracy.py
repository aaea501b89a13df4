"""Step 5: what must still be usable; with the noise at the chosen epsilon, and what other profiles would mean."""

from __future__ import annotations

from ui.pages.cards import own_fields
from ui.pages.requirements_page import RequirementsPage
from ui.panels import comparison, epsilon_axis, noise, usability
from ui.widgets import tr


class AccuracyPage(RequirementsPage):
    """What must still be usable?"""

    key = "accuracy"

    def build(self) -> None:
        self.add_cards(lambda kind: kind.end == "lower", own_fields, tr("Add an accuracy need"))
        kinds = (noise.NoisePanel, usability.UsabilityPanel, epsilon_axis.EpsilonAxisPanel, comparison.ComparisonPanel)
        self.panels.extend(kind(self.colours) for kind in kinds)
