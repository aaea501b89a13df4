"""The live solver: the newest edit wins. Panels always get the last edit, and no edit is cancelled halfway.

One solve runs and at most one waits; a newer edit replaces the waiting one. The running one finishes and is
shown: cancelling on every edit would starve the panels during a drag. Where an answer takes longer than
a frame, a draft without it comes first, from a thread of its own, and what is final comes after it; such an answer
is given up once a newer edit asks something else.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from dpwizard.base.stopping import Stop, stoppable
from dpwizard.charts import Picture, draft, picture
from dpwizard.decision import Decision, slow_requirements
from ui.workers.background import Background

FRAME = 16  # milliseconds: solving more often than the screen is painted helps nobody


@dataclass(frozen=True, kw_only=True)
class _Request:
    """An edit by its number, with the decision it made."""

    number: int
    decision: Decision
    lengthy: frozenset[Hashable] = frozenset()  # requirements that take longer than a frame


class LiveSolver(QObject):
    """Solves the newest decision on a thread of its own and signals the result on the window's."""

    solved = Signal(object, object)  # decision, picture
    drafted = Signal(object, object)  # the newest decision, its picture without the slow answers
    failed = Signal(object, str)  # decision, reason

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._solver = Background(self._solve, frame=FRAME, words=str, parent=self)
        self._drafter = Background(self._make_draft, frame=0, parent=self)  # the solver reports its errors, too
        self.draft: tuple[Decision, Picture] | None = None  # of a newer decision than the one solved last
        self._last_picture: Picture | None = None
        self._last_decision: Decision | None = None  # requested last, unless it was left or dropped
        self._slow: frozenset[Hashable] = frozenset()  # its requirements that take longer than a frame
        # numbers of the edits requested, answered and drafted last
        self._asked_number = self._answered_number = self._drafted_number = 0
        self._forgotten_number = 0  # edits up to this one are of a decision that was left, and are not reported
        self._solver.done.connect(self._take_solution)
        self._solver.failed.connect(self._take_failure)
        self._drafter.done.connect(self._take_draft)

    @property
    def behind(self) -> bool:
        """Return whether a newer decision than the one answered last is being solved or waits."""
        return self._solver.busy

    def request(self, decision: Decision) -> None:
        """Ask for DECISION to be solved: at once when idle, else after the running one, at most once a frame."""
        if decision == self._last_decision:
            return
        self._last_decision = decision
        self._asked_number += 1
        self._slow = slow_requirements(decision)
        edit = _Request(number=self._asked_number, decision=decision, lengthy=self._slow)
        if self._slow:
            self._drafter.request(edit)
        self._solver.request(edit)

    def forget(self) -> None:
        """Report none of the requests so far: another decision is about to be shown."""
        self._forgotten_number = self._asked_number
        self._last_decision, self._slow, self.draft = None, frozenset(), None
        self._drafter.forget()
        self._solver.forget()

    def close(self, *, wait: bool = True) -> None:
        """Stop reporting, drop the waiting solve and WAIT for the running one."""
        self._drafter.close(wait=wait)
        self._solver.close(wait=wait)

    def _solve(self, edit: _Request, stop: Stop) -> Picture:
        with stoppable(lambda: not edit.lengthy <= self._slow):
            return picture(edit.decision, self._last_picture)

    def _make_draft(self, edit: _Request, stop: Stop) -> Picture:
        return draft(edit.decision, self._last_picture)

    def _take_solution(self, edit: _Request, solution: Picture) -> None:
        if edit.number <= self._forgotten_number:
            return
        self._last_picture, self._answered_number = solution, edit.number
        if edit.number >= self._drafted_number:
            self.draft = None
        self.solved.emit(edit.decision, solution)

    def _take_failure(self, edit: _Request, words: str) -> None:
        if edit.number > self._forgotten_number:
            self.failed.emit(edit.decision, words)

    def _take_draft(self, edit: _Request, partial: Picture) -> None:
        if edit.number > max(self._answered_number, self._forgotten_number) and partial.assessment.pending:
            self._drafted_number, self.draft = edit.number, (edit.decision, partial)
            self.drafted.emit(edit.decision, partial)
