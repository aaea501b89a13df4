"""Somebody who might look, as a sentence to fill in: what they want to find out, and what they may think at first."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from dpwizard.decision import BaseRequirement, Decision, Release, edits
from dpwizard.decision.requirements import MembershipAdvantage, RelativeRisk
from dpwizard.questions import promises
from dpwizard.wording import chance, word
from ui.controls import Choice, Prose
from ui.questions.sentence import Sentence
from ui.session import DocumentSession
from ui.widgets import Card, Words, added, button_for, fill, in_a_row, plain, theme, tr

REVEALS, NAME = 250, 250  # pixels of what must not be found out, and of a name
WHERE = "$.requirements"
ANYTHING = (0.0, 1.0)
MOST = (0.5, 0.1, 0.01)  # chances that somebody may think at most, to be chosen


class PersonCard(Card):
    """One who might look: a name, and the sentence."""

    technical = Signal(str)  # the path of what the plain sentence does not hold

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
        self.naming = added(self.column, Sentence(session, f"{WHERE}[0]", kind, "{name}", {"name": NAME}))
        self.naming.hide()
        self.wants = added(self.column, Prose())
        self.reveals = added(self.column, Sentence(session, "$.release", Release, self._asks(), {"reveals": REVEALS}))
        self.beliefs = Choice()
        self.beliefs.setAccessibleName(tr("What they may think at first"))
        self.beliefs.activated.connect(self.believe)
        self.range = Words("", "caption")
        self._believing = in_a_row(Words(tr("At first they may think")), self.beliefs, self.range)
        self.column.addWidget(self._believing)
        self._offered: tuple[Any, ...] = ()

    def _asks(self) -> str:
        person = promises.words_of(self.session.decision)["a_person"]
        return tr("wants to find out whether {person}", person=person) + " {reveals}"

    # --------------------------------------------------------------------------------------- showing

    def show_requirement(self, decision: Decision, at: int) -> None:
        """Show the requirement AT of DECISION."""
        self.at = at
        asked = decision.requirements[at]
        name = asked.name or word("kind", asked.kind)
        self.call(name)
        for button, words in (
            (self.rename, tr("Rename {name}", name=name)),
            (self.remove, tr("Remove {name}", name=name)),
        ):
            button.setAccessibleName(words)
        self.naming.move_to(f"{WHERE}[{at}]")
        self.naming.refresh()
        of_presence = isinstance(asked, MembershipAdvantage) or getattr(asked, "adversary", None) == "inclusion"
        self.reveals.setVisible(of_presence)
        self.reveals.say(self._asks())
        self.reveals.refresh()
        self.wants.setVisible(not of_presence)
        self.wants.say("" if of_presence else promises.wants(decision, asked))
        self._show_beliefs(asked)

    def _show_beliefs(self, asked: BaseRequirement) -> None:
        """Offer what they may think at first; what is set by hand is shown as it is."""
        path = self._path(asked)
        self._believing.setVisible(path is not None)
        if path is None:
            return
        now = getattr(asked, path)
        offered: list[Any] = [ANYTHING, *((0.0, most) for most in MOST)]
        if now is not None and now not in offered:
            offered.append(now)
        if tuple(offered) != self._offered:
            self._offered = tuple(offered)
            self.beliefs.clear()
            for index, belief in enumerate(offered):
                self.beliefs.addItem(_person_words(belief), index)
            self.beliefs.addItem(tr("something else …"), None)
        self.beliefs.setCurrentIndex(self._offered.index(now) if now in offered else -1)
        self.range.setText(tr("from “hardly” to “surely”") if now == ANYTHING else "")

    def _path(self, asked: BaseRequirement) -> str | None:
        if not isinstance(asked, RelativeRisk) or asked.adversary is None:
            return None
        return "q" if asked.adversary == "attribute" else "p"

    # --------------------------------------------------------------------------------------- editing

    def believe(self, row: int) -> None:
        """Let them think what stands at ROW of the choices; the first is anything at all."""
        where = f"{WHERE}[{self.at}].{self._path(self.session.decision.requirements[self.at])}"
        if row >= len(self._offered):
            self.technical.emit(where)
        else:
            self.session.put(tr("Set what they may think at first"), where, self._offered[row])

    def reach(self) -> None:
        """Give the keyboard to what must not be found out, or to the first thing else to answer."""
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


def _person_words(belief: Any) -> str:
    if belief == ANYTHING:
        return tr("anything at all")
    if isinstance(belief, tuple):
        low, high = belief
        return (
            tr("at most {high}", high=chance(high))
            if low == 0.0
            else tr("{low} to {high}", low=chance(low), high=chance(high))
        )
    return chance(belief)
