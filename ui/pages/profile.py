"""Step 3: how much the release may teach each adversary, with the profile and what it implies drawn live."""

from __future__ import annotations

from typing import get_args

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from dpwizard import edits, explain
from dpwizard.decision import Decision
from dpwizard.explain import word
from dpwizard.picture import Picture
from dpwizard.profiles import Profile
from dpwizard.requirement import BaseRequirement
from dpwizard.requirements.relative_risk import RelativeRisk
from ui import theme
from ui.cards import RequirementCards
from ui.editors import ChoiceEditor
from ui.forms import Form
from ui.icons import PairedArrays
from ui.pages.page import Card
from ui.pages.requirements import RequirementsPage
from ui.panels.risk_profile import CurvePanel, ImpliedEpsilonPanel, RiskProfilePanel
from ui.session import Session

SHAPES = {kind.model_fields["shape"].default: kind for kind in get_args(get_args(Profile)[0])}
DRAWN_BY_HAND = frozenset({"knots", "steps", "knots2d"})  # shapes made of points, not of one or two numbers


class ProfileEditor(QWidget):
    """The shape of one requirement's profile and the numbers of that shape."""

    def __init__(self, session: Session, index: int, requirement: BaseRequirement) -> None:
        super().__init__()
        self.session = session
        self.where = f"$.requirements[{index}].profile"
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.NEAR)
        offered = tuple((key, word("shape", key)) for key in SHAPES if key not in DRAWN_BY_HAND)
        self.shape = ChoiceEditor("Shape", "How the allowed ratio depends on what was believed before.", offered)
        self.shape.setObjectName(f"{self.where}.shape")
        self.shape.edited.connect(lambda key, _: self._choose(key))
        column.addWidget(self.shape)
        profile = getattr(requirement, "profile", None)
        self.forms: tuple[Form, ...] = ()
        if profile is not None and profile.shape not in DRAWN_BY_HAND:
            names = tuple(name for name in type(profile).model_fields if name != "shape")
            self.forms = (Form(session, self.where, type(profile), names),)
            column.addWidget(self.forms[0])
        elif profile is not None:
            points = QLabel(f"{word('shape', profile.shape)}: its points are read from the decision file.")
            points.setWordWrap(True)
            column.addWidget(points)

    def _choose(self, key: str | None) -> None:
        old = edits.get(self.session.decision, self.where)
        kept = {}
        if key is not None and old is not None:
            kept = {n: getattr(old, n) for n in SHAPES[key].model_fields if n != "shape" and getattr(old, n, None) is not None}
        self.session.put("Choose shape", self.where, None if key is None else {"shape": key, **kept})

    def refresh(self) -> None:
        """Show the profile as it is."""
        profile = edits.get(self.session.decision, self.where)
        self.shape.show_value(getattr(profile, "shape", None))
        for form in self.forms:
            form.refresh()


class ProfilePage(RequirementsPage):
    """How much may the release teach them?"""

    key = "profile"

    def __init__(self, session: Session, colours: theme.Colours) -> None:
        self.colours = colours
        super().__init__(session)

    def build(self) -> None:
        self.follow = ChoiceEditor("Shown beside", "Which adversary the panels and the words below follow.", (), optional=False)
        self.follow.edited.connect(lambda index, _: self._follow(index))
        self.fields.addWidget(self.follow)
        self.cards = RequirementCards(self.session, belongs=lambda k: k is RelativeRisk, names=lambda _: (), extra=ProfileEditor)
        self.fields.addWidget(self.cards)
        self.none_yet = QLabel("Add an adversary in step 2; then say here how much the release may teach them.")
        self.none_yet.setWordWrap(True)
        self.fields.addWidget(self.none_yet)
        self.words_card = Card("In words")
        self.words = QLabel()
        self.words.setWordWrap(True)
        self.arrays = PairedArrays(self.colours, "before", "after, at most")
        self.words_card.column.addWidget(self.words)
        self.words_card.column.addWidget(self.arrays)
        self.fields.addWidget(self.words_card)
        self.curve_panels: tuple[CurvePanel, ...] = (RiskProfilePanel(self.colours), ImpliedEpsilonPanel(self.colours))
        self.panels.extend(self.curve_panels)
        self._followed = -1

    def show_decision(self, decision: Decision) -> None:
        super().show_decision(decision)
        mine = [(i, r) for i, r in enumerate(decision.requirements) if isinstance(r, RelativeRisk)]
        names = [(i, r.name or f"{word('kind', r.kind)} {i + 1}") for i, r in mine]
        box = self.follow.box
        if [(box.itemData(i), box.itemText(i)) for i in range(box.count())] != names:
            box.clear()
            for index, name in names:
                box.addItem(name, index)
        if self._followed not in dict(names):
            self._follow(names[0][0] if names else -1)
        self.follow.show_value(self._followed)
        self.follow.setVisible(len(names) > 1)
        self.none_yet.setVisible(not names)
        self.words_card.setVisible(bool(names))

    def show_picture(self, decision: Decision, picture: Picture) -> None:
        super().show_picture(decision, picture)
        answers = picture.assessment.answers
        answer = answers[self._followed] if 0 <= self._followed < len(answers) else None
        sentence, counts = explain.at_limit(decision.requirements[self._followed], answer) if answer is not None else ("", None)
        self.words.setText(sentence)
        self.words_card.setVisible(bool(sentence))
        self.arrays.setVisible(counts is not None)
        if counts is not None:
            self.arrays.show_counts(*counts)

    def _follow(self, index: int) -> None:
        self._followed = index
        for panel in self.curve_panels:
            panel.follow(index)
