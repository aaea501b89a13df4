"""Requirements as cards: one for each, with the fields that a step asks for; added from a menu, duplicated, switched off, removed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from dpwizard import edits, explain
from dpwizard.assessment import Assessment
from dpwizard.decision import Decision
from dpwizard.explain import word
from dpwizard.requirement import BaseRequirement
from dpwizard.requirements import kinds
from ui import theme
from ui.forms import Form
from ui.pages.page import Card
from ui.session import Session

Extra = Callable[[Session, int, BaseRequirement], QWidget | None]


def own_fields(kind: type[BaseRequirement]) -> tuple[str, ...]:
    """Return the fields of KIND that not every requirement has; the part comes last, as most releases have none."""
    shared = frozenset(BaseRequirement.model_fields) | {"kind"}
    return tuple(sorted((name for name in kind.model_fields if name not in shared), key=lambda name: name == "part"))


class RequirementCard(Card):
    """One requirement: its name, its fields, what it says at present, and what can be done with it."""

    def __init__(
        self, session: Session, index: int, requirement: BaseRequirement, names: tuple[str, ...], *, whole: bool, extra: Extra
    ) -> None:
        super().__init__()
        self.session = session
        self.index = index
        self.kind: str = getattr(requirement, "kind", "")
        where = f"$.requirements[{index}]"
        head = QHBoxLayout()
        self.heading = QLabel(word("kind", self.kind))
        self.heading.setObjectName("caption")
        self.heading.setToolTip(word("kind_help", self.kind))
        head.addWidget(self.heading, 1)
        self.title.hide()
        self.on = QCheckBox("On")
        self.on.setAccessibleName("Taken into account")
        self.on.clicked.connect(self._switch)
        head.addWidget(self.on)
        self.more = QPushButton("More")
        self.more.setAccessibleName(f"More for requirement {index + 1}")
        menu = QMenu(self.more)
        for words, act in (("Duplicate", self._duplicate), ("Move up", self._up), ("Move down", self._down), ("Remove", self._remove)):
            action = QAction(words, menu)
            action.triggered.connect(act)
            menu.addAction(action)
        self.more.setMenu(menu)
        head.addWidget(self.more)
        self.column.addLayout(head)
        self.more.setVisible(whole)
        self.on.setVisible(whole)
        self.form = Form(session, where, type(requirement), (("name",) if whole else ()) + names)
        self.column.addWidget(self.form)
        self.off_form = Form(session, where, type(requirement), ("off_reason",))
        self.column.addWidget(self.off_form)
        self.extra = extra(session, index, requirement)
        if self.extra is not None:
            self.column.addWidget(self.extra)
        self.says = QLabel()
        self.says.setObjectName("caption")
        self.says.setWordWrap(True)
        self.says.setTextFormat(Qt.TextFormat.PlainText)
        self.column.addWidget(self.says)
        if not whole:
            self.title.show()

    def refresh(self, decision: Decision) -> None:
        """Show what the decision holds of this requirement."""
        requirement = decision.requirements[self.index]
        self.form.refresh()
        self.off_form.refresh()
        self.off_form.setVisible(not requirement.enabled)
        self.on.setChecked(requirement.enabled)
        self.title.setText(requirement.name or word("kind", self.kind))
        refresh = getattr(self.extra, "refresh", None)
        if refresh is not None:
            refresh()

    def show_answer(self, assessment: Assessment) -> None:
        """Say what the requirement allows at present, in words."""
        if self.index < len(assessment.answers):
            answer = assessment.answers[self.index]
            bound = explain.bound(answer)
            self.says.setText(f"{bound[0].upper()}{bound[1:]}. {explain.why(answer.why)}")

    def forms(self) -> tuple[Form, ...]:
        """Return every form on the card."""
        inner = getattr(self.extra, "forms", ())
        return (self.form, self.off_form, *inner)

    def _switch(self, on: bool) -> None:
        self.session.put("Switch on" if on else "Switch off", f"$.requirements[{self.index}].enabled", on)

    def _duplicate(self) -> None:
        copied = self.session.decision.requirements[self.index]
        named = copied.model_copy(update={"name": f"{copied.name} (copy)" if copied.name else None})
        self.session.edit("Duplicate requirement", edits.add(self.session.decision, "$.requirements", named, self.index + 1))

    def _remove(self) -> None:
        self.session.edit("Remove requirement", edits.remove(self.session.decision, "$.requirements", self.index))

    def _up(self) -> None:
        self._move(-1)

    def _down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        to = self.index + by
        if 0 <= to < len(self.session.decision.requirements):
            self.session.edit("Move requirement", edits.move(self.session.decision, "$.requirements", self.index, to))


class RequirementCards(QWidget):
    """The cards of all requirements that belong to a step, and a menu that explains each kind it can add."""

    changed = Signal()  # the cards were made anew

    def __init__(
        self,
        session: Session,
        *,
        belongs: Callable[[type[BaseRequirement]], bool],
        names: Callable[[type[BaseRequirement]], tuple[str, ...]],
        add_words: str = "",
        extra: Extra = lambda _session, _index, _requirement: None,
    ) -> None:
        super().__init__()
        self.session = session
        self._belongs, self._names, self._extra = belongs, names, extra
        self.cards: list[RequirementCard] = []
        self._signature: tuple[object, ...] = ()
        self._assessment: Assessment | None = None
        self._whole = bool(add_words)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.GROUP)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(theme.GROUP)
        column.addLayout(self._rows)
        self.add_button = QPushButton(add_words)
        self.add_button.setVisible(self._whole)
        menu = QMenu(self.add_button)
        menu.setToolTipsVisible(True)
        for kind, made in kinds().items():
            if belongs(made):
                action = QAction(f"{word('kind', kind)}: {word('kind_help', kind)}", menu)
                action.setObjectName(kind)
                action.triggered.connect(lambda _=False, kind=kind: self.add(kind))
                menu.addAction(action)
        self.add_button.setMenu(menu)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.refresh()

    def add(self, kind: str) -> None:
        """Add a requirement of KIND at the end; every field is open."""
        name = word("kind", kind).lower()
        self.session.edit(f"Add {name}", edits.add(self.session.decision, "$.requirements", {"kind": kind}))

    def refresh(self) -> None:
        """Show the decision's requirements; make the cards anew only where their number, kind or shape has changed."""
        decision = self.session.decision
        mine = [(i, r) for i, r in enumerate(decision.requirements) if self._belongs(type(r))]
        signature = tuple((i, type(r), getattr(getattr(r, "profile", None), "shape", None)) for i, r in mine)
        if signature != self._signature:
            self._signature = signature
            for card in self.cards:
                self._rows.removeWidget(card)
                card.hide()
                card.deleteLater()
            self.cards = [RequirementCard(self.session, i, r, self._names(type(r)), whole=self._whole, extra=self._extra) for i, r in mine]
            for card in self.cards:
                self._rows.addWidget(card)
            self.changed.emit()
        for card in self.cards:
            card.refresh(decision)

    def show_assessment(self, assessment: Assessment) -> None:
        """Say on each card what its requirement allows."""
        for card in self.cards:
            card.show_answer(assessment)

    def forget_problems(self) -> None:
        """Show the decision as it is on every card."""
        self.refresh()
        for card in self.cards:
            for form in card.forms():
                form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, if it is on one of the cards."""
        return any(form.reach(where) for card in self.cards for form in card.forms())
