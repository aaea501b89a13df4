"""The live solver: one worker, newest wins. Panels always hear of the last edit, and no edit is cancelled halfway.

One solve runs and at most one waits; a newer edit replaces the waiting one. The running one finishes and is
shown: cancelling on every edit would starve the panels while somebody drags.
"""

from __future__ import annotations

import logging
import math
import time
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from dpwizard.decision import Decision
from dpwizard.drawings.picture import Picture, picture

FRAME = 16  # milliseconds: solving more often than the screen is painted helps nobody

log = logging.getLogger(__name__)


class LiveSolver(QObject):
    """Solves the newest decision on a worker thread and tells the result on the thread of the window."""

    solved = Signal(object, object)  # decision, picture
    failed = Signal(object, str)  # decision, what went wrong
    _done = Signal(object, object)  # from the worker, queued to the window's thread

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="solver")
        self._running: Decision | None = None
        self._waiting: Decision | None = None
        self._latest: Picture | None = None
        self._answered: Decision | None = None
        self._started = 0.0
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._start)
        self._done.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    @property
    def behind(self) -> bool:
        """Return whether a newer decision than the one last answered is being solved or waits."""
        return self._running is not None or self._waiting is not None

    def request(self, decision: Decision) -> None:
        """Ask for DECISION to be solved: at once when idle, else after the running one, at most once a frame."""
        if decision in (self._running, self._answered) and self._waiting is None and (self._running is None or decision == self._running):
            return
        if not self._closed:
            self._waiting = decision
            self._schedule()

    def close(self) -> None:
        """End the worker; a running solve is waited for, a waiting one is dropped."""
        self._closed = True
        self._waiting = None
        self._timer.stop()
        self._worker.shutdown(wait=True, cancel_futures=True)

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
        future = self._worker.submit(copy_context().run, picture, self._running, self._latest)  # in the language spoken here
        future.add_done_callback(lambda ended, asked=self._running: self._done.emit(asked, ended))

    def _finish(self, asked: Decision, future: Future[Picture]) -> None:
        self._running = None
        if self._closed or future.cancelled():
            return
        self._answered = asked
        problem = future.exception()
        if problem is None:
            self._latest = future.result()
            self.solved.emit(asked, self._latest)
        else:
            log.error("a solve failed: %s: %s", type(problem).__name__, problem)
            self.failed.emit(asked, str(problem))
        self._schedule()
