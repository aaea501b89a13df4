"""Requirements as cards: the fields that a step asks for; added from a menu, duplicated, switched off, removed."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
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
from dpwizard.wording import explain, format_text, need_in_words, range_of, word
from ui.controls import Prose, Statement
from ui.elicitation import BetsEntry
from ui.forms import Form
from ui.help import GuideLink, guide
from ui.host import Host
from ui.pages.requirement_list import RequirementList
from ui.panels import State
from ui.session import DocumentSession
from ui.widgets import Card, Fold, MenuButton, added, button_for, fill, plain, theme, tr, unmnemonic, within

BESIDE = tuple(name for name in Decision.model_fields if name != "requirements")  # what the cards may speak of too

MOST_CARDS = 12  # of a step; of more of them one has a card, chosen in a table of all


def fields_of_kind(kind: type[BaseRequirement]) -> tuple[str, ...]:
    """Return the fields of KIND that not every requirement has; the table comes last, as most releases have one."""
    shared = frozenset(BaseRequirement.model_fields) | {
        "kind",
        "where",
    }  # where comes from a file, and its sentence says it
    names = (name for name in kind.model_fields if name not in shared)
    return tuple(sorted(names, key=lambda name: _names_table(kind, name)))


def _names_table(kind: type[BaseRequirement], name: str) -> bool:
    """Return whether field NAME of KIND names a table of the release: nothing to ask where there is one alone."""
    return hints(kind, name).editor == "table"


class RequirementCard(Card):
    """One requirement: its name, its fields, what it says at present, and what can be done with it."""

    shift = Signal(int)  # by how many places among the cards it is to be moved
    spread = Signal(int)  # the position of a requirement wanted for every table
    grouped = Signal(int)  # the position of a requirement added for another group
    removed = Signal(str)  # the name of what is gone
    moved = Signal()  # requirements have changed places: what was typed and refused is no longer beside its own

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
        self._asked = names  # the fields that stand on this card
        self.shown: Requirement | None = None  # what the fields show
        self._answer: RequirementResult | None = None  # what was said last
        self._bound = ""
        self.kind_of_requirement = type(requirement)
        where = f"$.requirements[{index}]"
        self.column.removeWidget(self.title)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        self.on = Statement(tr("On"))
        self.on.setAccessibleName(tr("On: requirement {number} is taken into account", number=index + 1))
        self.on.setToolTip(tr("While off, this requirement sets no limit. The record shows your reason."))
        self.on.clicked.connect(self._switch)
        self.more = MenuButton(tr("More"))
        self.more.setObjectName("small")
        self.more.setAccessibleName(tr("More for requirement {number}", number=index + 1))
        menu = QMenu(self.more)
        speaks = _names_table(type(requirement), "part")
        tables = ((tr("The same for every other table"), lambda: self.spread.emit(self.index)),) if speaks else ()
        grouped = (
            ((tr("The same for another group"), self._for_group),) if "group" in type(requirement).model_fields else ()
        )
        for words, act in (
            (tr("Duplicate"), self._duplicate),
            *grouped,
            *tables,
            (tr("Move up"), lambda: self.shift.emit(-1)),
            (tr("Move down"), lambda: self.shift.emit(1)),
            (tr("Remove"), self._remove),
        ):
            action = QAction(words, menu)
            action.triggered.connect(lambda _=False, act=act: act())
            menu.addAction(action)
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
        asked = (
            fields_of_kind(type(requirement)) if whole else names
        )  # questions are offered at once, wherever they end
        by_questions = any(hints(type(requirement), name).by_questions for name in asked)
        self.bets = BetsEntry(session, host, index) if by_questions else None
        if self.bets is not None:
            self.column.addWidget(self.bets)
        self.off_form = added(self.column, Form(session, where, type(requirement), ("off_reason",)))
        self.says = added(self.column, Prose("", "caption"))
        self.checked = added(self.column, Fold(tr("What was checked"), card=False))  # most people do not ask
        self.checked_words = added(self.checked.column, Prose("", "caption"))
        self.checked.hide()
        self._tells_checks = whole == (type(requirement).step != "profile")  # of its two cards, that with the answer

    def refresh(self, decision: Decision) -> None:
        """Show what the decision holds of this requirement."""
        requirement = decision.requirements[self.index]
        name = requirement.name or word("kind", self.kind)
        self.setAccessibleName(tr("Requirement {number}: {name}", number=self.index + 1, name=name))
        self.form.refresh()
        self.off_form.refresh()
        if self.bets is not None:
            self.bets.refresh()
        self.off_form.setVisible(not requirement.enabled)
        self.on.setChecked(requirement.enabled)
        self.title.setText(name)
        if not self.whole:
            self.about.say(word("kind" if requirement.name else "kind_help", self.kind))
        if isinstance(requirement, AccuracyRequirement):
            self.about.say(need_in_words(requirement, decision.release))
        unasked, tables = requirement.inapplicable_fields(decision.release), decision.release.tables
        named = len(tables) > 1 or tables[0].name is not None  # most releases are one table: none to name
        for name, made in self.form.editors.items():
            answered = getattr(requirement, name) != type(requirement).model_fields[name].default
            asked = name not in unasked and (named or not _names_table(type(requirement), name))
            made.setVisible(asked or answered or bool(made.problem.text()))

    def show_state(self, state: State) -> None:
        """Say what the requirement allows; in grey what an older decision allowed, while the answer is computed."""
        draft, solved = state.draft, state.solved
        pending = draft is not None and self.index in draft.assessment.pending
        self.says.setEnabled(not pending)
        open_yet = pending and draft is not None and draft.assessment.answers[self.index].status == "unanswered"
        shown = solved if draft is None or (open_yet and self._answer is not None) else draft
        if shown is not None:
            self._say(shown.assessment)

    def _say(self, assessment: Assessment) -> None:
        """Say the answer of ASSESSMENT; nothing while its answers are those of other requirements."""
        answer = assessment.answers[self.index] if self.index < len(assessment.answers) else None
        if answer is None or answer.kind != self.kind:
            return
        bound = explain.bound(answer, range_of(assessment))
        if (answer, bound) != (self._answer, self._bound):
            self._answer, self._bound = answer, bound
            bound = f"{bound[0].upper()}{bound[1:]}"
            why = self._why(answer)
            whole = answer.status == "unanswered"  # the reason says itself that something is not answered yet, and what
            text = why if whole else tr("{bound}. {why}", bound=bound, why=why)
            decision = self.session.decision
            if not whole and decision.requirements[self.index].counted_whole(decision.release):
                text = f"{text} {word('advice', 'counted_whole')}"
            self.says.say(text, strong=(bound,))
            self.checked_words.say(explain.checked(answer) if self._tells_checks else "")
            self.checked.setVisible(bool(self.checked_words.words))

    def _why(self, answer: RequirementResult) -> str:
        """Return the reason for ANSWER; what is open and stands on another step's card is named with that step."""
        fields = tuple(answer.why.values["fields"]) if answer.why.key == "unanswered" else ()
        here = tuple(name for name in fields if re.split(r"[.\[]", name)[0] in self._asked)
        others = tuple(name for name in fields if name not in here)
        if not others:
            return explain.why(answer.why, kind=self.kind)
        key = step_of(self.kind_of_requirement, others[0])
        step = [step.key for step in STEPS].index(key) + 1
        named = functools.partial(explain.field_labels, kind=self.kind)
        figures = {"fields": named(here or others), "others": named(others), "step": step}
        return format_text("why", "unanswered_both" if here else "unanswered_step", figures)

    def reach_open(self) -> None:
        """Give the keyboard to what comes next: the first field not answered yet, else the questions, else the name."""
        missing = self.session.decision.requirements[self.index].missing()
        here = (name for name in missing if re.split(r"[.\[]", name)[0] in self._asked)
        if any(self.form.reach(f"{self.form.where}.{name}") for name in here):
            return
        if self.bets is not None and self.bets.ask_button.isEnabled():
            self.bets.ask_button.setFocus(Qt.FocusReason.OtherFocusReason)
        else:
            self.form.editors["name"].reach()

    def forms(self) -> tuple[Form, ...]:
        """Return every form on the card."""
        return (self.form, self.off_form)

    def _switch(self, on: bool) -> None:
        self.session.put(tr("Switch on") if on else tr("Switch off"), f"$.requirements[{self.index}].enabled", on)

    def _duplicate(self) -> None:
        copied = self.session.decision.requirements[self.index]
        named = copied.model_copy(update={"name": tr("{name} (copy)", name=copied.name) if copied.name else None})
        decision = edits.duplicate(self.session.decision, "$.requirements", self.index, named)
        self.session.edit(tr("Duplicate requirement"), decision)
        self.moved.emit()

    def _for_group(self) -> None:
        """Add the same requirement for another group, which then has a profile of its own."""
        copied = self.session.decision.requirements[self.index].model_copy(update={"group": None})
        decision = edits.duplicate(self.session.decision, "$.requirements", self.index, copied)
        self.session.edit(tr("Add a group"), decision)
        self.moved.emit()
        self.grouped.emit(self.index + 1)

    def _remove(self) -> None:
        named = self.session.decision.requirements[self.index].name or word("kind", self.kind)
        self.session.edit(tr("Remove requirement"), edits.remove(self.session.decision, "$.requirements", self.index))
        self.moved.emit()
        self.removed.emit(named)


def _about(decision: Decision, requirement: Requirement) -> str:
    """Return why somebody chosen by name has this promise; of any other requirement what its kind is."""
    release = decision.planned.release
    chosen = (who for who in ADVERSARIES if (requirement.name or "").startswith(word("feared", who)))
    found = next((feared(release, who) for who in chosen), None)
    asked = ("kind", *requirement.basic_fields)
    if found is None or any(getattr(found.requirement, name, None) != getattr(requirement, name) for name in asked):
        return word("kind_help", requirement.kind)
    return word("feared_why", found.why)


class Removed(QWidget):
    """A line that says what was removed, with a button that brings it back; gone with the next edit."""

    undone = Signal()

    def __init__(self, session: DocumentSession) -> None:
        super().__init__()
        self.session = session
        self._after: Decision | None = None  # the decision without what was removed
        row = plain(QHBoxLayout(self), theme.NEAR)
        self.says = Prose("", "caption")
        self.undo = button_for(tr("Restore"), self._undo, "small")
        row.addWidget(self.says, 1)
        row.addWidget(self.undo)
        self.hide()

    def tell(self, name: str) -> None:
        """Say that what is called NAME is gone; the keyboard goes to the button that brings it back."""
        self._after = self.session.decision
        self.says.say(tr("“{name}” was removed.", name=name))
        self.undo.setAccessibleName(tr("Bring back “{name}”", name=name))
        self.show()
        self.undo.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self) -> None:
        """Hide the line once the decision is another one: Undo would take something else back."""
        if self._after is not None and self.session.decision is not self._after:
            self._after = None
            self.hide()

    def _undo(self) -> None:
        self.session.undo()
        self.undone.emit()


class RequirementCards(QWidget):
    """The cards of all requirements that belong to a step, and a menu that explains each kind it can add."""

    changed = Signal()  # a card was made or dropped

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
        self.listed = RequirementList()  # of all, where there are very many; then one has a card
        self.listed.chosen.connect(self._open)
        self.listed.hide()
        column.addWidget(self.listed)
        self._mine: tuple[int, ...] = ()  # the positions of the requirements of this step
        self._opened = -1  # the position of the one that has a card
        self._rows = plain(QVBoxLayout(), theme.GROUP)
        column.addLayout(self._rows)
        if gallery is not None:
            column.addWidget(gallery)
        self.add_button = MenuButton(add_words)
        self.menu = QMenu(self.add_button)
        for kind, made in kinds().items():
            if belongs(made):
                words = tr("{kind}: {help}", kind=word("kind", kind), help=word("kind_help", kind))
                action = QAction(unmnemonic(words), self.menu)
                action.setObjectName(kind)
                action.triggered.connect(lambda _=False, kind=kind: self.add(kind))
                self.menu.addAction(action)
        self.add_button.setMenu(self.menu)
        column.addWidget(self.add_button, alignment=Qt.AlignmentFlag.AlignLeft)
        self.add_button.setHidden(not self._whole)
        self.gone = Removed(session)
        self.gone.undone.connect(self.forget_problems)
        column.addWidget(self.gone)

    def make(self) -> Iterator[None]:
        """Make the cards one at a time; last, show the decision on them."""
        yield
        while (missing := self._missing()) is not None:
            card = self._new(*missing)
            self._rows.addWidget(card)
            self.cards.append(card)
            yield
        self.refresh()

    def _missing(self) -> tuple[int, Requirement] | None:
        """Return the first requirement that wants a card and has none, with its position; none of very many."""
        mine = self._of_this_step(self.session.decision)
        made = {(card.index, card.kind_of_requirement) for card in self.cards}
        missing = (one for one in mine if (one[0], type(one[1])) not in made)
        return next(missing, None) if len(mine) <= MOST_CARDS else None

    def _of_this_step(self, decision: Decision) -> list[tuple[int, Requirement]]:
        return [(i, r) for i, r in enumerate(decision.requirements) if self._belongs(type(r))]

    def add(self, kind: str) -> None:
        """Add a requirement of KIND at the end; every field is open, and its name gets the keyboard."""
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
        place = self._mine.index(card.index) + by
        if 0 <= place < len(self._mine):
            to = self._opened = self._mine[place]
            decision = edits.move(self.session.decision, "$.requirements", card.index, to)
            self.session.edit(tr("Move requirement"), decision)
            self.forget_problems()

    def _open(self, row: int) -> None:
        """Show the card of ROW of the list in place of the one shown."""
        if not 0 <= row < len(self._mine) or self._opened == self._mine[row]:
            return
        self._opened = self._mine[row]
        self.refresh()
        if self._state is not None:
            self.show_state(self._state)

    def for_every_table(self, index: int) -> None:
        """Add a copy of requirement INDEX for every other table that has none of its kind, as one edit."""
        self.session.edit(tr("A need for every table"), edits.for_every_table(self.session.decision, index))
        self.forget_problems()

    def _reach_group(self, index: int) -> None:
        self.reach(f"$.requirements[{index}].group")

    def _new(self, index: int, requirement: Requirement) -> RequirementCard:
        names = self._names(type(requirement))
        card = RequirementCard(self.session, self.host, index, requirement, names, whole=self._whole)
        card.shift.connect(lambda by: self._move(card, by))
        card.moved.connect(self.forget_problems)
        card.removed.connect(self.gone.tell)
        card.grouped.connect(self._reach_group)
        card.spread.connect(self.for_every_table)
        return card

    def refresh(self) -> None:
        """Show the decision's requirements; a card stays while its requirement keeps its place and kind."""
        decision = self.session.decision
        mine = self._of_this_step(decision)
        self._mine = tuple(i for i, _ in mine)
        many = len(mine) > MOST_CARDS
        self.listed.setVisible(many)
        if many:
            self._opened = self._opened if self._opened in self._mine else self._mine[0]
            self.listed.show_requirements(tuple(r for _, r in mine), self._mine.index(self._opened))
            mine = [(i, r) for i, r in mine if i == self._opened]
        kept = {(card.index, card.kind_of_requirement): card for card in self.cards}
        wanted = [(i, type(r)) for i, r in mine]
        if wanted != list(kept):
            for key, card in kept.items():
                self._rows.removeWidget(card)
                if key not in wanted:
                    card.hide()
                    card.deleteLater()
            self.cards = []
            for i, r in mine:
                card = kept.get((i, type(r))) or self._new(i, r)
                self._rows.addWidget(card)
                self.cards.append(card)
            self.changed.emit()
        before, self._shown = self._shown, decision
        elsewhere = before is None or any(getattr(before, name) is not getattr(decision, name) for name in BESIDE)
        for card in self.cards:
            requirement = decision.requirements[card.index]
            if elsewhere or card.shown is not requirement:  # nine of ten cards rest while the tenth is dragged
                card.refresh(decision)
                card.shown = requirement
        self.gone.refresh()

    def show_state(self, state: State) -> None:
        """Say on each card what its requirement allows."""
        self._state = state
        if not self.listed.isHidden() and (found := state.draft or state.solved) is not None:
            answers = found.assessment.answers
            mine = tuple(answers[i] if i < len(answers) else None for i in self._mine)
            self.listed.show_answers(mine, range_of(found.assessment))
        for card in self.cards:
            card.show_state(state)

    def forget_problems(self) -> None:
        """Show the decision as it is on every card."""
        self._shown = None
        self.refresh()
        for card in self.cards:
            for form in card.forms():
                form.forget_problems()

    def reach(self, where: str) -> bool:
        """Give the keyboard to the field of the path WHERE, or to the requirement there, if a card has it."""
        wanted = re.match(r"\$\.requirements\[(\d+)\]", where)
        if not self.listed.isHidden() and wanted is not None and int(wanted[1]) in self._mine:
            self._open(self._mine.index(int(wanted[1])))
        whole = next((card for card in self.cards if self._whole and where == card.form.where), None)
        if whole is not None:  # the requirement itself: to be changed, or switched off
            whole.on.setFocus(Qt.FocusReason.OtherFocusReason)
            return True
        return any(form.reach(where) for card in self.cards for form in card.forms())
