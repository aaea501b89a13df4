"""Requirements as cards: the fields that a step asks for; added from a menu, duplicated, switched off, removed."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QMenu, QVBoxLayout, QWidget

from dpwizard.base.values import hints
from dpwizard.decision import (
    ADVERSARIES,
    STEPS,
    AccuracyRequirement,
    Assessment,
    BaseRequirement,
    Decision,
    RequirementResult,
    edits,
    feared,
    step_of,
)
from dpwizard.decision.requirements import Requirement, kinds
from dpwizard.wording import assessments, format_text, need_in_words, range_of, word
from ui.controls import Prose, Statement
from ui.elicitation import QuestionButtons
from ui.forms import Form
from ui.help import GuideLink, guide
from ui.host import Host
from ui.pages.page import Page
from ui.pages.requirement_list import RequirementList
from ui.panels import State
from ui.session import DocumentSession
from ui.widgets import Card, Fold, MenuButton, added, button_for, fill, plain, theme, tr, unmnemonic, within

OTHER_FIELDS = tuple(name for name in Decision.model_fields if name != "requirements")  # cards may show these, too
MOST_CARDS = 12  # of a step; of more requirements only one has a card, chosen in a table


def fields_of_kind(kind: type[BaseRequirement]) -> tuple[str, ...]:
    """Return the fields of KIND that not every requirement has; the table comes last, as most releases have one."""
    # `where` is read from a file, and the sentence of the need says it
    shared = frozenset(BaseRequirement.model_fields) | {"kind", "where"}
    names = (name for name in kind.model_fields if name not in shared)
    return tuple(sorted(names, key=lambda name: _names_table(kind, name)))


def _names_table(kind: type[BaseRequirement], name: str) -> bool:
    """Return whether field NAME of KIND names a table, which need not be asked for if the release has only one."""
    return hints(kind, name).editor == "table"


class RequirementCard(Card):
    """One requirement: its name, its fields, its answer, and a menu."""

    shift = Signal(int)  # by how many places among the cards it is to be moved
    spread = Signal(int)  # the position of a requirement wanted for every table
    grouped = Signal(int)  # the position of a requirement added for another group
    removed = Signal(str)  # the name of the removed requirement
    moved = Signal()  # requirements have changed places: refused input is no longer beside its own field

    def __init__(
        self,
        session: DocumentSession,
        host: Host,
        index: int,
        requirement: Requirement,
        names: tuple[str, ...],
        *,
        whole: bool,
    ) -> None:
        self.kind = requirement.kind
        super().__init__(word("kind", self.kind))
        self.session = session
        self.index = index
        self.whole = whole
        self._fields = names  # the fields on this card
        self.shown: Requirement | None = None  # what the fields show
        self._answer: RequirementResult | None = None  # the one shown
        self._bound = ""
        self.kind_of_requirement = type(requirement)
        where = f"$.requirements[{index}]"
        self.column.removeWidget(self.title)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        self.on = Statement(tr("On"))
        self.on.setAccessibleName(tr("On: requirement {number} is taken into account", number=index + 1))
        self.on.setToolTip(tr("While off, this requirement sets no limit. The record shows your reason."))
        self.on.clicked.connect(
            lambda on: session.put(
                tr("Switch on") if on else tr("Switch off"), f"$.requirements[{self.index}].enabled", on
            )
        )
        self.more = MenuButton(tr("More"))
        self.more.setObjectName("small")
        self.more.setAccessibleName(tr("More for requirement {number}", number=index + 1))
        menu = QMenu(self.more)
        menu.addAction(tr("Duplicate"), self._duplicate)
        if "group" in type(requirement).model_fields:
            menu.addAction(tr("The same requirement for another group"), self._for_group)
        if _names_table(type(requirement), "part"):
            menu.addAction(tr("The same for every other table"), lambda: self.spread.emit(self.index))
        menu.addAction(tr("Move up"), lambda: self.shift.emit(-1))
        menu.addAction(tr("Move down"), lambda: self.shift.emit(1))
        menu.addAction(tr("Remove"), self._remove)
        self.more.setMenu(menu)
        self.guide = GuideLink(host, guide.requirement(self.kind), word("kind", self.kind))
        head.addWidget(self.guide, alignment=Qt.AlignmentFlag.AlignTop)
        if whole:
            fill(head, self.on, self.more)
        else:
            for unused in (self.on, self.more):
                unused.setParent(self)  # so that they go with the card
                unused.hide()
        self.column.addLayout(head)
        self.about = added(self.column, Prose(_about(session.decision, requirement), "caption"))
        self.form = added(self.column, Form(session, where, type(requirement), (("name",) if whole else ()) + names))
        # questions are offered on the first card, wherever the field is that they answer
        fields = fields_of_kind(type(requirement)) if whole else names
        by_questions = any(hints(type(requirement), name).by_questions for name in fields)
        self.question_buttons = QuestionButtons(session, host, index) if by_questions else None
        if self.question_buttons is not None:
            self.column.addWidget(self.question_buttons)
        self.off_form = added(self.column, Form(session, where, type(requirement), ("off_reason",)))
        self.says = added(self.column, Prose("", "caption"))
        self.checked = added(self.column, Fold(tr("What was checked"), card=False))
        self.checked_words = added(self.checked.column, Prose("", "caption"))
        self.checked.hide()
        self.forms = (self.form, self.off_form)
        self._shows_checks = whole == (type(requirement).step != "profile")  # of its two cards, the one with the answer

    def refresh(self, decision: Decision) -> None:
        """Show the requirement as it is in DECISION."""
        requirement = decision.requirements[self.index]
        name = requirement.name or word("kind", self.kind)
        self.setAccessibleName(tr("Requirement {number}: {name}", number=self.index + 1, name=name))
        self.form.refresh()
        self.off_form.refresh()
        if self.question_buttons is not None:
            self.question_buttons.refresh()
        self.off_form.setVisible(not requirement.enabled)
        self.on.setChecked(requirement.enabled)
        self.title.setText(name)
        if not self.whole:
            self.about.say(word("kind" if requirement.name else "kind_help", self.kind))
        if isinstance(requirement, AccuracyRequirement):
            self.about.say(need_in_words(requirement, decision.release))
        inapplicable, tables = requirement.inapplicable_fields(decision.release), decision.release.tables
        can_choose_table = len(tables) > 1 or tables[0].name is not None
        for name, editor in self.form.editors.items():
            answered = getattr(requirement, name) != type(requirement).model_fields[name].default
            applies = name not in inapplicable and (can_choose_table or not _names_table(type(requirement), name))
            editor.setVisible(applies or answered or bool(editor.problem.text()))

    def show_state(self, state: State) -> None:
        """Show what the requirement allows; while that is computed, in grey, what it allowed before."""
        draft, solved = state.draft, state.solved
        pending = draft is not None and self.index in draft.assessment.pending
        self.says.setEnabled(not pending)
        open_yet = pending and draft is not None and draft.assessment.answers[self.index].status == "unanswered"
        shown = solved if draft is None or (open_yet and self._answer is not None) else draft
        if shown is not None:
            self._say(shown.assessment)

    def _say(self, assessment: Assessment) -> None:
        """Show the answer of ASSESSMENT, unless its answers are those of other requirements."""
        answer = assessment.answers[self.index] if self.index < len(assessment.answers) else None
        if answer is None or answer.kind != self.kind:
            return
        bound = assessments.bound(answer, range_of(assessment))
        if (answer, bound) != (self._answer, self._bound):
            self._answer, self._bound = answer, bound
            bound = f"{bound[0].upper()}{bound[1:]}"
            why = self._why(answer)
            unanswered = answer.status == "unanswered"  # then the reason says so, and which field
            text = why if unanswered else tr("{bound}. {why}", bound=bound, why=why)
            decision = self.session.decision
            if not unanswered and decision.requirements[self.index].counted_whole(decision.release):
                text = f"{text} {word('advice', 'counted_whole')}"
            self.says.say(text, strong=(bound,))
            self.checked_words.say(assessments.checked(answer) if self._shows_checks else "")
            self.checked.setVisible(bool(self.checked_words.words))

    def _why(self, answer: RequirementResult) -> str:
        """Return the reason for ANSWER; open fields on the card of another step are named with that step."""
        fields = tuple(answer.why.values["fields"]) if answer.why.key == "unanswered" else ()
        here = tuple(name for name in fields if re.split(r"[.\[]", name)[0] in self._fields)
        others = tuple(name for name in fields if name not in here)
        if not others:
            return assessments.why(answer.why, kind=self.kind)
        key = step_of(self.kind_of_requirement, others[0])
        step = [step.key for step in STEPS].index(key) + 1
        labels = functools.partial(assessments.field_labels, kind=self.kind)
        figures = {"fields": labels(here or others), "others": labels(others), "step": step}
        return format_text("why", "unanswered_both" if here else "unanswered_step", figures)

    def reach_open(self) -> None:
        """Give the keyboard to the first open field, else to the questions, else to the first one."""
        missing = self.session.decision.requirements[self.index].missing()
        here = (name for name in missing if re.split(r"[.\[]", name)[0] in self._fields)
        if any(self.form.reach(f"{self.form.where}.{name}") for name in here):
            return
        if self.question_buttons is not None and self.question_buttons.ask_button.isEnabled():
            self.question_buttons.ask_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            next(iter(self.form.editors.values())).reach()

    def _duplicate(self) -> None:
        original = self.session.decision.requirements[self.index]
        name = tr("{name} (copy)", name=original.name) if original.name else None
        copy = original.model_copy(update={"name": name})
        decision = edits.duplicate(self.session.decision, "$.requirements", self.index, copy)
        self.session.edit(tr("Duplicate requirement"), decision)
        self.moved.emit()

    def _for_group(self) -> None:
        """Add the same requirement for another group, which then has a profile of its own."""
        copy = self.session.decision.requirements[self.index].model_copy(update={"group": None})
        decision = edits.duplicate(self.session.decision, "$.requirements", self.index, copy)
        self.session.edit(tr("Add a group"), decision)
        self.moved.emit()
        self.grouped.emit(self.index + 1)

    def _remove(self) -> None:
        name = self.session.decision.requirements[self.index].name or word("kind", self.kind)
        self.session.edit(tr("Remove requirement"), edits.remove(self.session.decision, "$.requirements", self.index))
        self.moved.emit()
        self.removed.emit(name)


def _about(decision: Decision, requirement: Requirement) -> str:
    """Return why an adversary from the gallery has this requirement; of any other requirement, the help of its kind."""
    release = decision.planned.release
    adversaries = (who for who in ADVERSARIES if (requirement.name or "").startswith(word("feared", who)))
    template = next((feared(release, who) for who in adversaries), None)
    fields = ("kind", *requirement.basic_fields)
    if template is None or any(
        getattr(template.requirement, name, None) != getattr(requirement, name) for name in fields
    ):
        return word("kind_help", requirement.kind)
    return word("feared_why", template.why)


class RemovedNotice(QWidget):
    """A line that says what was removed, with a button that restores it; hidden by the next edit."""

    undone = Signal()

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self._after: Decision | None = None  # the decision after the removal
        row = plain(QHBoxLayout(self), theme.NEAR)
        self.says = Prose("", "caption")
        self.undo = button_for(tr("Restore"), self._undo, "small")
        row.addWidget(self.says, 1)
        row.addWidget(self.undo)
        self.hide()

    def show_removed(self, name: str) -> None:
        """Say that NAME was removed; the keyboard goes to the button that restores it."""
        self._after = self.session.decision
        self.says.say(tr("“{name}” was removed.", name=name))
        self.undo.setAccessibleName(tr("Bring back “{name}”", name=name))
        self.show()
        self.undo.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Hide the line once the decision has changed: Undo would undo something else."""
        if self._after is not None and self.session.decision is not self._after:
            self._after = None
            self.hide()

    def _undo(self) -> None:
        self.session.undo()
        self.undone.emit()


class RequirementCards(QWidget):
    """The cards of all requirements that belong to a step, and a menu that explains each kind it can add."""

    changed = Signal()  # a card was added or removed

    def __init__(
        self,
        session: DocumentSession,
        host: Host,
        *,
        belongs: Callable[[type[BaseRequirement]], bool],
        names: Callable[[type[BaseRequirement]], tuple[str, ...]],
        add_words: str = "",
        gallery: QWidget | None = None,
    ) -> None:
        super().__init__()
        self.session, self.host = session, host
        self._belongs, self._names = belongs, names
        self.cards: list[RequirementCard] = []
        self._shown: Decision | None = None
        self._state: State | None = None
        self._whole = bool(add_words)
        column = plain(QVBoxLayout(self), theme.GROUP)
        self.listed = added(column, RequirementList())  # where there are very many; then only one has a card
        self.listed.chosen.connect(self._open)
        self.listed.hide()
        self._positions: tuple[int, ...] = ()  # of the requirements of this step
        self._opened = -1  # the position of the one that has a card
        self._rows = plain(QVBoxLayout(), theme.GROUP)
        column.addLayout(self._rows)
        if gallery is not None:
            column.addWidget(gallery)
        self.add_button = MenuButton(add_words)
        self.menu = QMenu(self.add_button)
        for kind, requirement in kinds().items():
            if belongs(requirement):
                words = tr("{kind}: {help}", kind=word("kind", kind), help=word("kind_help", kind))
                action = self.menu.addAction(unmnemonic(words))
                action.setObjectName(kind)
                action.triggered.connect(lambda _=False, kind=kind: self.add(kind))
        self.add_button.setMenu(self.menu)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.add_button.setHidden(not self._whole)
        self.removed = added(column, RemovedNotice(session))
        self.removed.undone.connect(self.forget_problems)

    def make(self) -> Iterator[None]:
        """Build the cards one at a time; last, show the decision on them."""
        yield
        while (missing := self._missing()) is not None:
            card = self._new(*missing)
            self._rows.addWidget(card)
            self.cards.append(card)
            yield
        self.refresh()

    def _missing(self) -> tuple[int, Requirement] | None:
        """Return the first requirement without a card, with its position; None if there are too many for cards."""
        requirements = self._of_this_step(self.session.decision)
        cards = {(card.index, card.kind_of_requirement) for card in self.cards}
        missing = (each for each in requirements if (each[0], type(each[1])) not in cards)
        return next(missing, None) if len(requirements) <= MOST_CARDS else None

    def _of_this_step(self, decision: Decision) -> list[tuple[int, Requirement]]:
        return [(i, r) for i, r in enumerate(decision.requirements) if self._belongs(type(r))]

    def add(self, kind: str) -> None:
        """Add a requirement of KIND at the end, with all fields open; the keyboard goes to its name."""
        decision = edits.add(self.session.decision, "$.requirements", {"kind": kind})
        card = self.take(word("kind", kind), decision)
        if card is not None:
            card.form.editors["name"].reach()

    def take(self, name: str, decision: Decision) -> RequirementCard | None:
        """Show DECISION, to which a requirement called NAME was added at the end, and return its card."""
        self.session.edit(tr("Add {what}", what=within(name)), decision)
        self._opened = len(decision.requirements) - 1
        self.refresh()
        return self.cards[-1] if self.cards else None

    def _move(self, card: RequirementCard, by: int) -> None:
        place = self._positions.index(card.index) + by
        if 0 <= place < len(self._positions):
            to = self._opened = self._positions[place]
            decision = edits.move(self.session.decision, "$.requirements", card.index, to)
            self.session.edit(tr("Move requirement"), decision)
            self.forget_problems()

    def _open(self, row: int) -> None:
        if not 0 <= row < len(self._positions) or self._opened == self._positions[row]:
            return
        self._opened = self._positions[row]
        self.refresh()
        if self._state is not None:
            self.show_state(self._state)

    def for_every_table(self, index: int) -> None:
        """Add a copy of requirement INDEX for every other table that has none of its kind, as one edit."""
        self.session.edit(tr("The same accuracy for every table"), edits.for_every_table(self.session.decision, index))
        self.forget_problems()

    def _new(self, index: int, requirement: Requirement) -> RequirementCard:
        names = self._names(type(requirement))
        card = RequirementCard(self.session, self.host, index, requirement, names, whole=self._whole)
        card.shift.connect(lambda by: self._move(card, by))
        card.moved.connect(self.forget_problems)
        card.removed.connect(self.removed.show_removed)
        card.grouped.connect(lambda at: self.reach(f"$.requirements[{at}].group"))
        card.spread.connect(self.for_every_table)
        return card

    def refresh(self) -> None:
        """Show the decision's requirements; a card stays while its requirement keeps its place and kind."""
        decision = self.session.decision
        requirements = self._of_this_step(decision)
        self._positions = tuple(i for i, _ in requirements)
        many = len(requirements) > MOST_CARDS
        self.listed.setVisible(many)
        if many:
            self._opened = self._opened if self._opened in self._positions else self._positions[0]
            self.listed.show_requirements(tuple(r for _, r in requirements), self._positions.index(self._opened))
            requirements = [(i, r) for i, r in requirements if i == self._opened]
        old_cards = {(card.index, card.kind_of_requirement): card for card in self.cards}
        wanted = [(i, type(r)) for i, r in requirements]
        if wanted != list(old_cards):
            for key, card in old_cards.items():
                self._rows.removeWidget(card)
                if key not in wanted:
                    card.hide()
                    card.deleteLater()
            self.cards = []
            for i, r in requirements:
                card = old_cards.get((i, type(r))) or self._new(i, r)
                self._rows.addWidget(card)
                self.cards.append(card)
            self.changed.emit()
        previous, self._shown = self._shown, decision
        others_changed = previous is None or any(
            getattr(previous, name) is not getattr(decision, name) for name in OTHER_FIELDS
        )
        for card in self.cards:
            requirement = decision.requirements[card.index]
            if others_changed or card.shown is not requirement:  # a drag changes one card of many
                card.refresh(decision)
                card.shown = requirement
        self.removed.refresh()

    def show_state(self, state: State) -> None:
        """Show on each card what its requirement allows."""
        self._state = state
        if not self.listed.isHidden() and (solved := state.draft or state.solved) is not None:
            answers = solved.assessment.answers
            of_this_step = tuple(answers[i] if i < len(answers) else None for i in self._positions)
            self.listed.show_answers(of_this_step, range_of(solved.assessment))
        for card in self.cards:
            card.show_state(state)

    def forget_problems(self) -> None:
        """Show the decision as it is on every card."""
        self._shown = None
        self.refresh()
        for card in self.cards:
            for form in card.forms:
                form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, or to the requirement there, if a card has it."""
        wanted = re.match(r"\$\.requirements\[(\d+)\]", where)
        if not self.listed.isHidden() and wanted is not None and int(wanted[1]) in self._positions:
            self._open(self._positions.index(int(wanted[1])))
        whole = next((card for card in self.cards if self._whole and where == card.form.where), None)
        if whole is not None:  # the requirement itself: to be changed, or switched off
            whole.on.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return any(form.reach(where) for card in self.cards for form in card.forms)


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
        """Add a card for each requirement that BELONGS here, with its fields (NAMES), and a menu that adds more."""
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

    def reset_fields(self) -> None:
        super().reset_fields()
        self.cards.forget_problems()

    def reach_field(self, where: str) -> bool:
        return super().reach_field(where) or self.cards.reach(where)
