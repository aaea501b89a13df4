"""What the pages that show requirements as cards share."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QWidget

from dpwizard.charts import Picture
from dpwizard.decision import BaseRequirement, Decision
from ui.pages.cards import RequirementCards
from ui.pages.page import Page


class RequirementsPage(Page):
    """A page with cards of requirements among its fields."""

    cards: RequirementCards

    def add_cards(
        self,
        belongs: Callable[[type[BaseRequirement]], bool],
        names: Callable[[type[BaseRequirement]], tuple[str, ...]],
        words: str = "",
        gallery: QWidget | None = None,
    ) -> None:
        """Add a card for each requirement that BELONGS here, with the fields it NAMES; WORDS of the menu that adds, and
        a GALLERY above it.
        """
        self.cards = RequirementCards(
            self.session, self.host, belongs=belongs, names=names, add_words=words, gallery=gallery
        )
        self.fields.addWidget(self.cards)

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        self.cards.refresh()

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        self.cards.show_assessment(picture.assessment)

    def show_draft(self, decision: Decision, picture: Picture) -> None:
        super().show_draft(decision, picture)
        self.cards.show_assessment(picture.assessment)

    def show_superseded(self, decision: Decision, picture: Picture) -> None:
        super().show_superseded(decision, picture)
        if self._drafted is not None:
            self.cards.show_assessment(picture.assessment, self._drafted.assessment.pending)

    def forget_problems(self) -> None:
        super().forget_problems()
        self.cards.forget_problems()

    def places(self, where: str) -> bool:
        return super().places(where) or self.cards.reach(where)
