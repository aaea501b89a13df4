"""Answers that are names given elsewhere in the decision (a category, a part): chosen, never typed twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtWidgets import QWidget

from dpwizard.decision import Decision, edits
from ui.controls import Statement
from ui.forms.choice_editors import ChoiceEditor
from ui.forms.editor import Editor
from ui.forms.text_editors import OfferedEditor
from ui.widgets import drop, tr

MOST_BOXES = 24  # other parts that have a box each


class NameChoice(ChoiceEditor):
    """One of some names that may change while the window is open."""

    def build(self) -> None:
        self._offered: list[str] = []
        super().build()

    def offer(self, named: Sequence[str], now: Any) -> None:
        """Offer the names NAMED after the standing choices; the answer given NOW stays even if nothing bears it now."""
        standing = [key for key, _ in self.choices]
        kept = [] if now is None or now in standing or now in named else [now]
        names = [name for name in (*named, *kept) if name not in standing]
        first = self.box.count() - len(self._offered)
        if names == self._offered:
            return
        while self.box.count() > first:
            self.box.removeItem(self.box.count() - 1)
        for name in names:
            self.box.addItem(name, name)
        self._offered = names


class CategoryChoice(NameChoice):
    """One of the categories of another field, or the worst of them."""

    def __init__(self, label: str, help: str, source: str) -> None:
        self.source = source  # the field whose categories are offered
        super().__init__(label, help, (("worst", tr("The worst one: the category that gains most")),))

    def look_around(self, decision: Decision, where: str) -> None:
        masses = edits.get(decision, f"{where}.{self.source}") or ()
        self.offer([name for name, _ in masses], edits.get(decision, self.objectName()))


class PartChoice(NameChoice):
    """One of the parts of the publication, by its name."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help, ())

    def look_around(self, decision: Decision, where: str) -> None:
        names = [table.name for table in decision.release.tables if table.name]
        self.offer(names, edits.get(decision, self.objectName()))


def _is_disjoint(decision: Decision, where: str) -> bool:
    """Return whether the table at WHERE is stated to share no person with some other."""
    this = edits.get(decision, where)
    parts = decision.release.parts
    if this is None or this.disjoint_with or any(this.name in part.disjoint_with for part in parts if this.name):
        return this is not None
    return this.group is not None and sum(part.group == this.group for part in parts) > 1


class GroupEditor(OfferedEditor):
    """The name of a group of parts that share no unit; those of other parts are offered."""

    def look_around(self, decision: Decision, where: str) -> None:
        """Offer the groups there are; a part alone is not asked for one."""
        parts = decision.release.parts
        self.offered.offer(tuple(dict.fromkeys(part.group for part in parts if part.group)))
        self.setVisible(len(parts) > 1 or bool(self.line.text()))


class LevelEditor(OfferedEditor):
    """The name of a level; those that the release lists are offered."""

    def look_around(self, decision: Decision, where: str) -> None:
        """Offer the levels there are."""
        self.offered.offer(decision.release.levels)


class MovesEditor(ChoiceEditor):
    """Whether a unit can move from a part to another; asked only where some other part shares no unit with it."""

    def __init__(self, label: str, help: str) -> None:
        super().__init__(label, help, ((True, tr("Yes")), (False, tr("No"))), open_words=tr("Not stated: yes"))

    def look_around(self, decision: Decision, where: str) -> None:
        answered = edits.get(decision, self.objectName()) is not None
        self.setVisible(_is_disjoint(decision, where) or answered)


class OtherPartsEditor(Editor):
    """A box for each other part that has a name; what one part says of another holds for both.

    Of very many parts only those named have a box: such tables are told apart by groups.
    """

    def build(self) -> None:
        self.boxes: dict[str, Statement] = {}
        self._named_by: frozenset[str] = frozenset()  # the parts that name this one themselves

    def controls(self) -> tuple[QWidget, ...]:
        return tuple(self.boxes.values()) or (self.note,)

    def look_around(self, decision: Decision, where: str) -> None:
        """Offer the other parts as DECISION has them; WHERE is the path of this one."""
        parts = decision.release.parts
        this = edits.get(decision, where)
        others = [part for part in parts if part is not this and part.name]
        self._named_by = frozenset(
            part.name for part in others if part.name and this is not None and this.name in part.disjoint_with
        )
        names = [part.name for part in others if part.name]
        note = "" if names else tr("Give the other tables names first.")
        if len(names) > MOST_BOXES:
            note = tr("With many tables, give those that share no person or thing one group.")
            named = self._named_by.union(() if this is None else this.disjoint_with)
            names = [name for name in names if name in named]
        if names != list(self.boxes):
            self._make_boxes(names)
        self.setVisible(len(parts) > 1)
        self.show_note(note)

    def _make_boxes(self, names: list[str]) -> None:
        drop(self.column, self.boxes.values())
        self.boxes = {}
        for index, name in enumerate(names):
            box = Statement(name)
            box.setAccessibleName(tr("Shares no person or thing with {part}", part=name))
            box.clicked.connect(lambda _: self._choose())
            self.column.insertWidget(1 + index, box)
            self.boxes[name] = box

    def show_value(self, value: Any) -> None:
        for name, box in self.boxes.items():
            box.setChecked(name in (value or ()) or name in self._named_by)
            box.setEnabled(name not in self._named_by or name in (value or ()))
            box.setToolTip(tr("Applies to both. It is stated at {part}.", part=name) if not box.isEnabled() else "")

    def _choose(self) -> None:
        self.edited.emit(tuple(name for name, box in self.boxes.items() if box.isChecked() and box.isEnabled()), False)
