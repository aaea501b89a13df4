"""The live solver: newest wins. Panels always hear of the last edit, and no edit is cancelled halfway.

One solve runs and at most one waits; a newer edit replaces the waiting one. The running one finishes and is
shown: cancelling on every edit would starve the panels while somebody drags. Where an answer takes longer than
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
    """An edit: which one it was, and the decision it made."""

    number: int
    decision: Decision
    lengthy: frozenset[Hashable] = frozenset()  # what takes longer than a frame to answer


class LiveSolver(QObject):
    """Solves the newest decision on a thread of its own and tells the result on the window's."""

    solved = Signal(object, object)  # decision, picture
    drafted = Signal(object, object)  # the newest decision, and what can be shown of it before it is solved
    failed = Signal(object, str)  # decision, what went wrong

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._solver = Background(self._solve, frame=FRAME, words=str, parent=self)
        self._drafter = Background(self._sketch, frame=0, parent=self)  # of a defect the solve itself tells
        self.draft: tuple[Decision, Picture] | None = None  # of a newer decision than was solved last, if there is one
        self._latest: Picture | None = None
        self._last: Decision | None = None  # the decision asked about last, unless it was left or dropped
        self._wanted: frozenset[Hashable] = frozenset()  # what it asks that takes longer than a frame
        # how many edits were asked about, and which of them was answered, and drafted, last
        self._asked = self._answered = self._sketched = 0
        self._forgotten = 0  # so many of them are about a decision that was left: nobody is told of those
        self._solver.done.connect(self._solved)
        self._solver.failed.connect(self._failed)
        self._drafter.done.connect(self._drafted)

    @property
    def behind(self) -> bool:
        """Return whether a newer decision than the one last answered is being solved or waits."""
        return self._solver.busy

    def request(self, decision: Decision) -> None:
        """Ask for DECISION to be solved: at once when idle, else after the running one, at most once a frame."""
        if decision == self._last:
            return
        self._last = decision
        self._asked += 1
        self._wanted = slow_requirements(decision)
        asked = _Request(number=self._asked, decision=decision, lengthy=self._wanted)
        if self._wanted:
            self._drafter.request(asked)
        self._solver.request(asked)

    def forget(self) -> None:
        """Tell nobody any more of what was asked so far: another decision is about to be shown."""
        self._forgotten = self._asked
        self._last, self._wanted, self.draft = None, frozenset(), None
        self._drafter.forget()
        self._solver.forget()

    def close(self) -> None:
        """End; a running solve gives up, a waiting one is dropped."""
        self._drafter.close()
        self._solver.close()

    def leave(self) -> None:
        """End without waiting for a running solve; nobody is told anything any more."""
        self._drafter.leave()
        self._solver.leave()
        self.deleteLater()

    def _solve(self, asked: _Request, stop: Stop) -> Picture:
        with stoppable(lambda: not asked.lengthy <= self._wanted):
            return picture(asked.decision, self._latest)

    def _sketch(self, asked: _Request, stop: Stop) -> Picture:
        return draft(asked.decision, self._latest)

    def _solved(self, asked: _Request, found: Picture) -> None:
        if asked.number <= self._forgotten:
            return
        self._latest, self._answered = found, asked.number
        if asked.number >= self._sketched:
            self.draft = None
        self.solved.emit(asked.decision, found)

    def _failed(self, asked: _Request, words: str) -> None:
        if asked.number > self._forgotten:
            self.failed.emit(asked.decision, words)

    def _drafted(self, asked: _Request, found: Picture) -> None:
        if asked.number > max(self._answered, self._forgotten) and found.assessment.pending:
            self._sketched, self.draft = asked.number, (asked.decision, found)
            self.drafted.emit(asked.decision, found)
