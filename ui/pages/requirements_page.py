"""What the pages that show requirements as cards share."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtWidgets import QWidget

from dpwizard.decision import BaseRequirement, Decision
from ui.pages.cards import RequirementCards
from ui.pages.page import Page
from ui.panels import State


class RequirementsPage(Page):
    """A page with cards of requirements among its fields."""

    cards: RequirementCards

    def add_cards(
        self,
        belongs: Callable[[type[BaseRequirement]], bool],
        names: Callable[[type[BaseRequirement]], tuple[str, ...]],
        words: str = "",
        gallery: QWidget | None = None,
    ) -> Iterator[None]:
        """Add a card for each requirement that BELONGS here, with the fields it NAMES; WORDS of the menu that adds, and
        a GALLERY above it.
        """
        self.cards = RequirementCards(
            self.session, self.host, belongs=belongs, names=names, add_words=words, gallery=gallery
        )
        self.fields.addWidget(self.cards)
        yield from self.cards.make()

    def show_parts(self, state: State) -> None:
        self.cards.show_state(state)

    def show_fields(self, decision: Decision) -> None:
        super().show_fields(decision)
        self.cards.refresh()

    def forget_technical(self) -> None:
        super().forget_technical()
        self.cards.forget_problems()

    def places(self, where: str) -> bool:
        return super().places(where) or self.cards.reach(where)
