"""The only mutable cell of the window: which decision is shown, its history, its file, and whether it is saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpwizard.decision import Decision, History, edits, new_decision
from dpwizard.errors import DPWizardError


class Session(QObject):
    """Holds the history of one decision; every change goes through `edit`, and is told by `changed`."""

    changed = Signal()  # the decision, its history, its file or its saved state
    left = Signal()  # another decision is about to be shown: what asks about this one goes
    moved = Signal()  # another step of the history is shown: what was typed and refused goes
    trusted = Signal()  # a certificate was added to those trusted here: what was verified is verified again

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history = History.start(new_decision())
        self._saved = self._history.decision
        self._path: Path | None = None
        self._record: Path | None = None
        self._digest: str | None = None
        self.started = False  # a decision was opened or begun

    @property
    def decision(self) -> Decision:
        """Return the decision as it stands."""
        return self._history.decision

    @property
    def history(self) -> History:
        """Return the history, for its names."""
        return self._history

    @property
    def path(self) -> Path | None:
        """Return the project file, if there is one."""
        return self._path

    @property
    def record(self) -> Path | None:
        """Return the signed record this decision was opened from, if it was: a further signature may be added there."""
        return self._record

    @property
    def digest(self) -> str | None:
        """Return the SHA-256 of the project file as it was opened or last saved."""
        return self._digest

    @property
    def saved_at(self) -> int | None:
        """Return after how many edits the decision was as it lies in its file; None if no step of the history is."""
        changes = (*self._history.past, self._history.present, *self._history.future)
        return next((at for at, change in enumerate(changes) if change.decision is self._saved), None)

    @property
    def saved_decision(self) -> Decision:
        """Return the decision as it was opened or last saved."""
        return self._saved

    @property
    def unsaved(self) -> bool:
        """Return whether the decision differs from what lies in its file."""
        return self._history.decision != self._saved

    def start(
        self, decision: Decision, path: Path | None = None, record: Path | None = None, digest: str | None = None
    ) -> None:
        """Show another decision, perhaps that of a signed RECORD: nothing to undo, nothing unsaved."""
        self.left.emit()
        self._history, self._saved = History.start(decision), decision
        self._path, self._record, self._digest = path, record, digest
        self.started = True
        self.changed.emit()

    def saved(self, path: Path, decision: Decision | None = None, digest: str | None = None) -> None:
        """Note that DECISION (the one shown, if it is not given) now lies in PATH, in a file of that DIGEST."""
        self._saved, self._path, self._digest = decision or self._history.decision, path, digest
        self.settle()  # what is typed next is a step of its own: undo leads back to what was saved
        self.changed.emit()

    def edit(self, name: str, decision: Decision, merge: str | None = None) -> None:
        """Replace the decision by an edited one; NAME is what Undo calls it, edits with equal MERGE fold into one."""
        self._to(self._history.edit(name, decision, merge))

    def put(self, name: str, where: str, raw: Any, merge: str | None = None) -> DPWizardError | None:
        """Put RAW at the path WHERE; return the error, in words, if it is not allowed there. Then nothing changes."""
        try:
            decision = edits.put(self.decision, where, raw)
        except DPWizardError as problem:
            return problem
        self.edit(name, decision, merge)
        return None

    def settle(self) -> None:
        """Note that a drag has ended: the next edit is a step of its own."""
        self._history = self._history.settle()

    def undo(self) -> None:
        """Take the last edit back."""
        self._to(self._history.undo())
        self.moved.emit()

    def redo(self) -> None:
        """Bring back the edit last taken back."""
        self._to(self._history.redo())
        self.moved.emit()

    def go_to(self, position: int) -> None:
        """Show the decision as it stood after the first POSITION edits; the later ones can be brought back."""
        self._to(self._history.at(position))
        self.moved.emit()

    def _to(self, history: History) -> None:
        if history is not self._history:
            self._history = history
            self.changed.emit()
