"""The only mutable cell of the window: which decision is shown, its history, its file, and whether it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import count_in
from dpwizard.decision import Decision, History, edits, new_decision


class DocumentSession(QObject):
    """Holds the history of one decision; every change goes through `edit`, and emits `changed`."""

    changed = Signal()  # the decision, its history, its file or its saved state
    left = Signal()  # another decision is about to be shown: what asks about this one goes
    moved = Signal()  # another step of the history is shown: what was typed and refused goes
    status_changed = Signal()  # whether it is proposed or approved
    trusted = Signal()  # a certificate was added to those trusted here: what was verified is verified again
    next_asked = Signal(str)  # the next release is to be begun from the record of this path

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.history = History.start(new_decision())
        self.saved_decision = self.history.decision  # as it was opened or last saved
        self.path: Path | None = None  # the project file, if there is one
        self.record: Path | None = None  # the signed record it was opened from: a further signature may be added there
        self.recorded: Decision | None = None  # as it was signed here: a record holds it
        self.status = (self.decision, "")  # a decision, and whether a record of it is proposed or approved
        self.digest: str | None = None  # the SHA-256 of the project file as it was opened or last saved
        self.started = False  # a decision was opened or begun

    @property
    def decision(self) -> Decision:
        """Return the decision as it stands."""
        return self.history.decision

    @property
    def saved_at(self) -> int | None:
        """Return after how many edits the decision was as it lies in its file; None if no step of the history is."""
        changes = (*self.history.past, self.history.present, *self.history.future)
        return next((at for at, change in enumerate(changes) if change.decision is self.saved_decision), None)

    @property
    def unsaved(self) -> bool:
        """Return whether the decision differs from what lies in its file."""
        return self.history.decision != self.saved_decision

    @property
    def kept(self) -> bool:
        """Return whether nothing is lost once the decision is left: its file holds it, or a record and no file does."""
        return not self.unsaved or (self.path is None and self.history.decision == self.recorded)

    def start(
        self, decision: Decision, path: Path | None = None, record: Path | None = None, digest: str | None = None
    ) -> None:
        """Show another decision, perhaps that of a signed RECORD: nothing to undo, nothing unsaved."""
        self.left.emit()
        self.history, self.saved_decision = History.start(decision), decision
        self._name_budget()
        self.path, self.record, self.digest = path, record, digest
        self.recorded = None
        self.started = True
        self.changed.emit()

    def set_status(self, status: str) -> None:
        """Keep whether a record of the decision is proposed or approved."""
        if self.status != (self.decision, status):
            self.status = (self.decision, status)
            self.status_changed.emit()

    def saved(self, path: Path, decision: Decision | None = None, digest: str | None = None) -> None:
        """Note that DECISION (the one shown, if it is not given) now lies in PATH, in a file of that DIGEST."""
        self.saved_decision, self.path, self.digest = decision or self.history.decision, path, digest
        self.settle()  # what is typed next is a step of its own: undo leads back to what was saved
        self.changed.emit()

    def edit(self, name: str, decision: Decision, merge: str | None = None) -> None:
        """Replace the decision by an edited one; NAME is what Undo calls it, edits with equal MERGE fold into one."""
        self._to(self.history.edit(name, decision, merge))

    def put(self, name: str, where: str, raw: Any, merge: str | None = None) -> DPWizardError | None:
        """Put RAW at the path WHERE; return the error, in words, if it is not allowed there. Then nothing changes."""
        try:
            decision = edits.put(self.decision, where, raw)
        except DPWizardError as problem:
            return problem
        self._to(self.history.edit(name, decision, merge))
        return None

    def take_back(self, merge: str) -> None:
        """Take the edit of MERGE back that is under way: what is being typed turned out to be no answer."""
        self._to(self.history.without_open(merge))

    def settle(self) -> None:
        """Note that a drag has ended: the next edit is a step of its own."""
        self.history = self.history.settle()

    def undo(self) -> None:
        """Take the last edit back."""
        self._to(self.history.undo())
        self.moved.emit()

    def redo(self) -> None:
        """Bring back the edit last taken back."""
        self._to(self.history.redo())
        self.moved.emit()

    def go_to(self, position: int) -> None:
        """Show the decision as it stood after the first POSITION edits; the later ones can be brought back."""
        self._to(self.history.at(position))
        self.moved.emit()

    def _to(self, history: History) -> None:
        if history is not self.history:
            self.history = history
            self._name_budget()
            self.changed.emit()

    def _name_budget(self) -> None:
        """Have every text call the budget what it is in the decision shown: epsilon, or rho."""
        count_in(self.decision.planned.release.counted_in)
