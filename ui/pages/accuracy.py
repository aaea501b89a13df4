"""Step 5: what must still be usable; with the noise that the chosen epsilon means."""

from __future__ import annotations

from ui import theme
from ui.cards import RequirementCards, own_fields
from ui.pages.requirements import RequirementsPage
from ui.panels.noise import NoisePanel
from ui.session import Session


class AccuracyPage(RequirementsPage):
    """What must still be usable?"""

    key = "accuracy"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        self.colours = colours
        super().__init__(session)

    def build(self) -> None:
        self.cards = RequirementCards(
            self.session, belongs=lambda kind: kind.end == "lower", names=own_fields, add_words="Add an accuracy need"
        )
        self.fields.addWidget(self.cards)
        self.panels.append(NoisePanel(self.colours))
