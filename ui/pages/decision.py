"""Step 6: every requirement on one axis, the epsilon chosen, and what it means in words and counts."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QLabel

from dpwizard import explain
from dpwizard.decision import Decision
from dpwizard.picture import Picture
from ui import theme
from ui.editors import NumberEditor
from ui.forms import Form
from ui.icons import PairedArrays
from ui.pages.page import Card, Page
from ui.panels.epsilon_axis import EpsilonAxisPanel
from ui.panels.noise import NoisePanel
from ui.session import Session


class DecisionPage(Page):
    """Which epsilon do you choose?"""

    key = "decision"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        self.colours = colours
        super().__init__(session)

    def build(self) -> None:
        self.axis = EpsilonAxisPanel(self.colours)
        self.axis.chosen.connect(self._drag)
        axis_card = Card()
        axis_card.column.addWidget(self.axis)
        self.fields.addWidget(axis_card)
        self._grid = QGridLayout()
        self._grid.setSpacing(theme.GROUP)
        self._cards = (self._choice(), self._person(), self._figure())
        self.fields.addLayout(self._grid)
        self.reasons = Card("Why this epsilon")
        self.add_form(self.reasons, Form(self.session, "$", Decision, ("justification",)))
        self.fields.addWidget(self.reasons)
        self.exception = Card("An exception")
        self.broken = _text()
        self.exception.column.addWidget(self.broken)
        self.add_form(self.exception, Form(self.session, "$", Decision, ("exception_reason",)))
        self.fields.addWidget(self.exception)

    def _choice(self) -> Card:
        card = Card("Chosen")
        self.number = QLabel("–")
        self.number.setObjectName("number")
        card.column.addWidget(self.number)
        self.place = _text("quiet")
        card.column.addWidget(self.place)
        form = self.add_form(card, Form(self.session, "$", Decision, ("epsilon",)))
        editor = form.editors["epsilon"]
        assert isinstance(editor, NumberEditor)
        self.epsilon = editor
        card.column.addStretch(1)
        return card

    def _person(self) -> Card:
        card = Card("What it means for a person")
        self.person = _text()
        self.worlds = PairedArrays(self.colours, "if in the data", "if not")
        self.everyone = _text("caption")
        for widget in (self.person, self.worlds, self.everyone):
            card.column.addWidget(widget)
        card.column.addStretch(1)
        return card

    def _figure(self) -> Card:
        card = Card("What it means for the figure")
        self.accuracy = _text()
        card.column.addWidget(self.accuracy)
        self.noise = NoisePanel(self.colours, on_card=True)
        card.column.addWidget(self.noise)
        card.column.addStretch(1)
        return card

    def arrange(self, wide: bool) -> None:
        super().arrange(wide)
        for index, card in enumerate(self._cards):
            self._grid.removeWidget(card)
            if wide:
                self._grid.addWidget(card, 0, index)
            else:
                self._grid.addWidget(card, index, 0)
        for column, stretch in enumerate((2, 3, 4) if wide else (1, 0, 0)):
            self._grid.setColumnStretch(column, stretch)

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        self.axis.show_picture(decision, picture)
        self.noise.show_picture(decision, picture)
        assessment = picture.assessment
        chosen = assessment.epsilon
        self.number.setText("–" if chosen is None else explain.number(chosen))
        self.place.setText(" ".join(part for part in (explain.position(assessment), explain.window(assessment)) if part))
        broken = explain.broken(decision, assessment)
        self.broken.setText("\n".join(broken))
        self.exception.setVisible(bool(broken))
        said = explain.meaning(decision, chosen * decision.release.repetitions) if chosen is not None else ("", "", "")
        self.person.setText(said[0] or "Choose an epsilon to see what it means.")
        self.everyone.setText(" ".join(said[1:]))
        self.worlds.setVisible(chosen is not None)
        if chosen is not None:
            self.worlds.show_counts(*explain.two_worlds(chosen * decision.release.repetitions))
        lines = [explain.at_epsilon(a, chosen) for a in assessment.answers if a.enabled and a.side == "lower"]
        self.accuracy.setText("\n".join(line for line in lines if line))
        self.accuracy.setVisible(bool(self.accuracy.text()))

    def set_stale(self, stale: bool) -> None:
        self.axis.set_stale(stale)
        self.noise.set_stale(stale)

    def _drag(self, epsilon: float, dragging: bool) -> None:
        self.session.put("Choose epsilon", "$.epsilon", epsilon, merge="$.epsilon")
        if not dragging:
            self.session.settle()


def _text(kind: str = "") -> QLabel:
    label = QLabel()
    label.setWordWrap(True)
    if kind:
        label.setObjectName(kind)
    return label
