"""The live solver: one worker, newest wins. Panels always hear of the last edit, and no edit is cancelled halfway.

One solve runs and at most one waits; a newer edit replaces the waiting one. The running one finishes and is
shown: cancelling on every edit would starve the panels while somebody drags. Where an answer takes longer than
a frame, a draft without it comes first, from a worker of its own, and what is final comes after it.
"""

from __future__ import annotations

import logging
import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from functools import partial

from PySide6.QtCore import QCoreApplication, QObject, Qt, QTimer, Signal

from dpwizard.charts import Picture, draft, picture
from dpwizard.decision import Decision

FRAME = 16  # milliseconds: solving more often than the screen is painted helps nobody

log = logging.getLogger(__name__)


class LiveSolver(QObject):
    """Solves the newest decision on a worker thread and tells the result on the thread of the window."""

    solved = Signal(object, object)  # decision, picture
    drafted = Signal(object, object)  # the newest decision, and what can be shown of it before it is solved
    superseded = Signal(object, object)  # an older decision, now solved: a draft of a newer one is shown already
    failed = Signal(object, str)  # decision, what went wrong
    _done = Signal(int, object, object)  # from the worker, queued to the window's thread
    _sketched = Signal(int, object, object)
    _left = Signal()  # from a worker that has ended

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="solver")
        self._drafter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="draft")
        self._running: Decision | None = None
        self._waiting: Decision | None = None
        self._latest: Picture | None = None
        self._answered: Decision | None = None
        self._asked = self._shown = 0  # how many edits were asked about, and which of them is on the screen
        self._forgotten = 0  # so many of them are about a decision that was left: nobody is told of those
        self._drafting = False
        self._at_work = 2  # workers that have not ended
        self._started = 0.0
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)
        self._done.connect(self._finish, Qt.ConnectionType.QueuedConnection)
        self._sketched.connect(self._show_draft, Qt.ConnectionType.QueuedConnection)
        self._left.connect(self._one_has_left, Qt.ConnectionType.QueuedConnection)

    @property
    def behind(self) -> bool:
        """Return whether a newer decision than the one last answered is being solved or waits."""
        return self._running is not None or self._waiting is not None

    def request(self, decision: Decision) -> None:
        """Ask for DECISION to be solved: at once when idle, else after the running one, at most once a frame."""
        running = (
            self._running if self._asked > self._forgotten else None
        )  # what runs for a decision that was left tells nobody
        if decision in (running, self._answered) and self._waiting is None and (running is None or decision == running):
            return
        if not self._closed:
            self._asked += 1
            self._waiting = decision
            self._draft()
            self._schedule()

    def forget(self) -> None:
        """Tell nobody any more of what was asked so far: another decision is about to be shown."""
        self._forgotten = self._asked
        self._waiting = self._answered = None
        self._timer.stop()

    def close(self) -> None:
        """End the workers; a running solve is waited for, a waiting one is dropped."""
        if self._closed:
            return
        self._stop()
        for worker in (self._drafter, self._worker):
            worker.shutdown(wait=True, cancel_futures=True)

    def leave(self) -> None:
        """End the workers without waiting for a running solve, and go with the last of them; nobody is told anything
        any more."""
        self._stop()
        self.setParent(QCoreApplication.instance())  # outlives whoever asked, until both have ended
        for worker in (self._drafter, self._worker):
            worker.submit(_nothing).add_done_callback(lambda _: self._left.emit())
            worker.shutdown(wait=False)

    def _stop(self) -> None:
        self._closed = True
        self._waiting = None
        self._timer.stop()

    def _one_has_left(self) -> None:
        self._at_work -= 1
        if not self._at_work:
            self.deleteLater()

    def _schedule(self) -> None:
        if self._running is None and self._waiting is not None and not self._timer.isActive():
            wait = FRAME - (time.monotonic() - self._started) * 1000
            if wait <= 0:
                self._start()
            else:
                self._timer.start(math.ceil(wait))

    def _start(self) -> None:
        if self._running is not None or self._waiting is None:
            return
        self._running, self._waiting = self._waiting, None
        self._started = time.monotonic()
        future = self._worker.submit(
            copy_context().run, picture, self._running, self._latest
        )  # in the language spoken here
        future.add_done_callback(partial(self._done.emit, self._asked, self._running))

    def _finish(self, number: int, asked: Decision, future: Future[Picture]) -> None:
        self._running = None
        if self._closed or future.cancelled():
            return
        if number <= self._forgotten:
            self._schedule()
            return
        self._answered = asked
        problem = future.exception()
        if problem is not None:
            log.error("a solve failed: %s: %s", type(problem).__name__, problem)
            self.failed.emit(asked, str(problem))
        else:
            self._latest = future.result()
            if number >= self._shown:
                self._shown = number
                self.solved.emit(asked, self._latest)
            else:
                self.superseded.emit(asked, self._latest)
        self._schedule()

    # -------------------------------------------------------------------------------- drafts

    def _draft(self) -> None:
        """Have a draft made of what waits, if some of it takes long; while one is made, the newest waits for it."""
        decision = self._waiting
        if (
            self._drafting
            or self._closed
            or decision is None
            or not any(one.takes_long() for one in decision.requirements)
        ):
            return
        self._drafting = True
        future = self._drafter.submit(copy_context().run, draft, decision, self._latest)
        future.add_done_callback(partial(self._sketched.emit, self._asked, decision))

    def _show_draft(self, number: int, asked: Decision, future: Future[Picture]) -> None:
        self._drafting = False
        if self._closed or future.cancelled():
            return
        if number < self._asked:
            self._draft()  # of something newer
        if future.exception() is not None or number <= max(self._shown, self._forgotten):
            return  # a defect is told of by the solve itself; what is final may have come already
        found = future.result()
        if found.assessment.pending:
            self._shown = number
            self.drafted.emit(asked, found)


def _nothing() -> None:
    """Come after what a worker runs last."""
