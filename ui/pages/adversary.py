"""Step 2: whom to worry about, what they believe beforehand, and what is assumed of them."""

from __future__ import annotations

from PySide6.QtWidgets import QCheckBox, QLabel, QVBoxLayout, QWidget

from dpwizard import edits
from dpwizard.decision import Decision
from dpwizard.explain import word
from dpwizard.requirement import BaseRequirement
from dpwizard.steps import assumptions
from ui import theme
from ui.cards import RequirementCards, own_fields
from ui.pages.page import Card
from ui.pages.requirements import RequirementsPage
from ui.session import Session

LATER = frozenset({"relative_risk"})  # kinds whose remaining fields the risk-profile step asks for


class AdversaryPage(RequirementsPage):
    """Whom do you worry about?"""

    key = "adversary"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        super().__init__(session)

    def build(self) -> None:
        self.cards = RequirementCards(self.session, belongs=_belongs, names=_names, add_words="Add an adversary")
        self.fields.addWidget(self.cards)
        self.assumed = Assumptions(self.session)
        self.beside.addWidget(self.assumed)

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        self.assumed.refresh()

    def reach(self, where: str) -> bool:
        if where == "$.acknowledged":
            return self.assumed.reach()
        if where == "$.requirements":
            self.cards.add_button.setFocus()
            return True
        return super().reach(where)


def _belongs(kind: type[BaseRequirement]) -> bool:
    return kind.end != "lower" and kind.step == "profile"


def _names(kind: type[BaseRequirement]) -> tuple[str, ...]:
    return kind.asked_early if kind.model_fields["kind"].default in LATER else own_fields(kind)


class Assumptions(QWidget):
    """The sentences that the requirements rest on, each to be acknowledged; what is acknowledged is kept word for word."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.card = Card("What is assumed")
        self.boxes: dict[str, QCheckBox] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.card)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.NEAR)
        self.card.column.addLayout(self._rows)
        self._labels: list[QWidget] = []

    def refresh(self) -> None:
        """Show one box for each assumption of the enabled requirements."""
        decision = self.session.decision
        keys = assumptions(decision)
        if tuple(self.boxes) != keys:
            for widget in self._labels:
                self._rows.removeWidget(widget)
                widget.deleteLater()
            self.boxes, self._labels = {}, []
            for key in keys:
                box = QCheckBox("I acknowledge:")
                box.setAccessibleName(f"I acknowledge: {word('assumption', key)}")
                box.clicked.connect(lambda checked, key=key: self._acknowledge(key, checked))
                words = QLabel(word("assumption", key))
                words.setWordWrap(True)
                self._rows.addWidget(box)
                self._rows.addWidget(words)
                self.boxes[key] = box
                self._labels += [box, words]
        known = {acknowledgement.assumption for acknowledgement in decision.acknowledged}
        for key, box in self.boxes.items():
            box.setChecked(key in known)
        self.setVisible(bool(keys))

    def reach(self) -> bool:
        """Give the keyboard to the first box that is not checked."""
        for box in self.boxes.values():
            if not box.isChecked():
                box.setFocus()
                return True
        return False

    def _acknowledge(self, key: str, checked: bool) -> None:
        decision = self.session.decision
        kept = tuple(a for a in decision.acknowledged if a.assumption != key)
        if checked:
            kept += ({"assumption": key, "text": word("assumption", key), "language": decision.language},)  # type: ignore[assignment]
        self.session.edit("Acknowledge an assumption" if checked else "Withdraw an assumption", edits.put(decision, "$.acknowledged", kept))
