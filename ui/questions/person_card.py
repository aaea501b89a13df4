"""Someone who might look, as a sentence to complete: what they want to find out, and what they may think at first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from dpwizard.decision import BaseRequirement, Decision, Release, edits
from dpwizard.decision.requirements import MembershipAdvantage, RelativeRisk
from dpwizard.questions import privacy_words
from dpwizard.wording import chance, word
from ui.controls import Choice, Prose
from ui.questions.sentence import Sentence
from ui.session import DocumentSession
from ui.widgets import Card, Words, added, button_for, fill, in_a_row, plain, theme, tr

FIELD = 250  # pixels
WHERE = "$.requirements"
ANYTHING = (0.0, 1.0)
HIGHEST_CHANCES = (0.5, 0.1, 0.01)  # at first, offered as a choice


class PersonCard(Card):
    """Someone who might look: a name, and the sentence."""

    technical = Signal(str)  # the path of a field that the sentence does not have

    def __init__(self, session: DocumentSession, kind: type[BaseRequirement]) -> None:
        super().__init__(" ")
        self.session, self.kind, self.at = session, kind, 0
        self.column.removeWidget(self.title)
        head = plain(QHBoxLayout(), theme.NEAR)
        self.rename = button_for(tr("Rename"), self._rename, "small")
        self.rename.setCheckable(True)
        self.remove = button_for(tr("Remove"), self._remove, "small")
        head.addWidget(self.title, 1)
        fill(head, self.rename, self.remove)
        self.column.addLayout(head)
        self.naming = added(self.column, Sentence(session, f"{WHERE}[0]", kind, "{name}", {"name": FIELD}))
        self.naming.hide()
        self.wants = added(self.column, Prose())
        self.reveals = added(self.column, Sentence(session, "$.release", Release, self._whether(), {"reveals": FIELD}))
        self.beliefs = Choice(name=tr("What they may think at first"))
        self.beliefs.activated.connect(self.believe)
        self.range = Words("", "caption")
        self._believing = in_a_row(Words(tr("At first they may think")), self.beliefs, self.range)
        self.column.addWidget(self._believing)
        self._offered: tuple[Any, ...] = ()

    def _whether(self) -> str:
        person = privacy_words.words_of(self.session.decision)["a_person"]
        return tr("wants to find out whether {person}", person=person) + " {reveals}"

    # --------------------------------------------------------------------------------------- showing

    def show_requirement(self, decision: Decision, at: int) -> None:
        """Show the requirement AT of DECISION."""
        self.at = at
        requirement = decision.requirements[at]
        name = requirement.name or word("kind", requirement.kind)
        self.call(name)
        self.rename.setAccessibleName(tr("Rename {name}", name=name))
        self.remove.setAccessibleName(tr("Remove {name}", name=name))
        self.naming.move_to(f"{WHERE}[{at}]")
        self.naming.refresh()
        of_presence = isinstance(requirement, MembershipAdvantage) or (
            getattr(requirement, "adversary", None) == "inclusion"
        )
        self.reveals.setVisible(of_presence)
        self.reveals.say(self._whether())
        self.reveals.refresh()
        self.wants.setVisible(not of_presence)
        self.wants.say("" if of_presence else privacy_words.wants(decision, requirement))
        self._show_beliefs(requirement)

    def _show_beliefs(self, requirement: BaseRequirement) -> None:
        """Offer what they may think at first, with any other prior that was set by hand."""
        path = self._belief_field(requirement)
        self._believing.setVisible(path is not None)
        if path is None:
            return
        now = getattr(requirement, path)
        offered: list[Any] = [ANYTHING, *((0.0, highest) for highest in HIGHEST_CHANCES)]
        if now is not None and now not in offered:
            offered.append(now)
        if tuple(offered) != self._offered:
            self._offered = tuple(offered)
            words = [_belief_words(belief) for belief in offered]
            self.beliefs.offer((*enumerate(words), (None, tr("something else …"))))
        self.beliefs.setCurrentIndex(self._offered.index(now) if now in offered else -1)
        self.range.setText(tr("from “hardly” to “surely”") if now == ANYTHING else "")

    def _belief_field(self, requirement: BaseRequirement) -> str | None:
        if not isinstance(requirement, RelativeRisk) or requirement.adversary is None:
            return None
        return "q" if requirement.adversary == "attribute" else "p"

    # --------------------------------------------------------------------------------------- editing

    def believe(self, row: int) -> None:
        """Set what they may think to the choice in ROW; the first is anything at all."""
        where = f"{WHERE}[{self.at}].{self._belief_field(self.session.decision.requirements[self.at])}"
        if row >= len(self._offered):
            self.technical.emit(where)
        else:
            self.session.put(tr("Set what they may think at first"), where, self._offered[row])

    def reach(self) -> None:
        """Give the keyboard to what must not be found out, or else to the first other field."""
        if not self.reveals.isHidden():
            self.reveals.editors["reveals"].reach()
        else:
            (self.rename if self._believing.isHidden() else self.beliefs).setFocus(Qt.FocusReason.OtherFocusReason)

    def _rename(self, shown: bool) -> None:
        self.naming.setVisible(shown)
        if shown:
            self.naming.editors["name"].reach()

    def _remove(self) -> None:
        name = tr("Remove {name}", name=self.title.text())
        self.session.edit(name, edits.remove(self.session.decision, WHERE, self.at))


def _belief_words(belief: Any) -> str:
    if belief == ANYTHING:
        return tr("anything at all")
    if isinstance(belief, tuple):
        low, high = belief
        if low == 0.0:
            return tr("at most {high}", high=chance(high))
        return tr("{low} to {high}", low=chance(low), high=chance(high))
    return chance(belief)
