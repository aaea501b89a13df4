"""The one pattern of work off the window's thread: a thread, one job at a time, and its end told on the window's."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stopped

log = logging.getLogger(__name__)


class Thread(QObject):
    """A thread for one job after the other."""

    _ended = Signal(object, object)  # from the thread, queued to the window's: whom to tell, and what came of the job

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._under_way = 0
        self.closed = self._left = False
        self._ended.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def do(self, job: Callable[..., Any], *given: Any, then: Callable[[Future[Any]], None] | None = None) -> None:
        """Run JOB with what is GIVEN, in the language spoken here, and tell THEN how it ended: a defect is logged,
        too."""
        self._under_way += 1
        self._pool.submit(copy_context().run, job, *given).add_done_callback(partial(self._tell, then))

    def close(self) -> None:
        """End; what runs is waited for unless it was left, what waits is dropped, and nobody is told any more."""
        self.closed = True
        self._pool.shutdown(wait=not self._left, cancel_futures=True)

    def leave(self) -> None:
        """End without waiting for what runs, which changes no file; nobody is told anything any more."""
        if self.closed:
            return
        self.closed = self._left = True
        self._pool.shutdown(wait=False, cancel_futures=True)
        if self._under_way:
            self.setParent(QCoreApplication.instance())  # outlives whoever asked, until the job has ended

    def _tell(self, then: Callable[[Future[Any]], None] | None, future: Future[Any]) -> None:
        with suppress(RuntimeError):  # the program ended meanwhile, and this object with it
            self._ended.emit(then, future)

    def _end(self, then: Callable[[Future[Any]], None] | None, future: Future[Any]) -> None:
        if self._ended_in_time(future) and then is not None:
            then(future)

    def _ended_in_time(self, future: Future[Any]) -> bool:
        """Note that a job has ended, and a defect in the log; return whether anybody is to be told."""
        self._under_way -= 1
        if self._left and not self._under_way:
            self.deleteLater()
        if self.closed:
            return False
        problem = future.exception()
        if problem is not None and not isinstance(problem, DPWizardError | Stopped):
            log.error("work behind the window failed", exc_info=problem)
        return True
