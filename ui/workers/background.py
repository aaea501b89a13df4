"""Work behind a panel that may take longer than a frame: one runs, one waits, the newest wins; the window never waits
for it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from dpwizard.errors import DPWizardError

log = logging.getLogger(__name__)
Stop = Callable[[], bool]


class Background(QObject):
    """Runs JOB(asked, stop) on a thread of its own for the newest thing asked; tells the result on the window's thread.

    `stop` is true once something newer waits or the window closes: a long job looks at it and gives up. With a PAUSE
    the work starts only after so many milliseconds without a further request: when nothing else is to do.
    """

    done = Signal(object, object)  # what was asked, what came of it
    failed = Signal(object, str)  # what was asked, what went wrong
    _ended = Signal(object, object)  # from the thread, queued to the window's

    def __init__(self, job: Callable[[Any, Stop], Any], *, pause: int = 0, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job = job
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="panel")
        self._waiting: tuple[Any] | None = None
        self._running: tuple[Any] | None = None
        self._closed = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(pause)
        self._timer.timeout.connect(self._start)
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    @property
    def busy(self) -> bool:
        """Return whether something runs or waits."""
        return self._running is not None or self._waiting is not None

    def request(self, asked: Any) -> None:
        """Ask for ASKED; it replaces what waits, and tells what runs that it is out of date."""
        if self._closed:
            return
        self._waiting = (asked,)
        if self._running is None:
            self._timer.start()

    def forget(self) -> None:
        """Drop what waits; what runs is told to give up."""
        self._timer.stop()
        self._waiting = None

    def close(self) -> None:
        """End the thread; what runs is told to give up, and waited for."""
        self._closed, self._waiting = True, None  # its timer may be gone by now, and starts nothing any more
        self._threads.shutdown(wait=True, cancel_futures=True)

    def _start(self) -> None:
        if self._running is not None or self._waiting is None or self._closed:
            return
        self._running, self._waiting = self._waiting, None
        asked = self._running[0]
        future = self._threads.submit(copy_context().run, self._job, asked, self._outdated)
        future.add_done_callback(lambda ended: None if self._closed else self._ended.emit(asked, ended))

    def _outdated(self) -> bool:
        """Return whether what runs is no longer wanted."""
        return self._waiting is not None or self._closed

    def _finish(self, asked: Any, future: Future[Any]) -> None:
        self._running = None
        if self._waiting is not None:
            self._timer.start()  # a newer request waits: what was found answers it no longer, but may be shown
        if self._closed or future.cancelled():
            return
        problem = future.exception()
        if problem is None:
            self.done.emit(asked, future.result())
            return
        log.error("a panel's work failed: %s: %s", type(problem).__name__, problem)
        said = problem.said if isinstance(problem, DPWizardError) else type(problem).__name__
        self.failed.emit(asked, said)
