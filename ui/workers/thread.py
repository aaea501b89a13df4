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
from shiboken6 import isValid

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stopped

log = logging.getLogger(__name__)


class Relay(QObject):
    """Calls on the window's thread what other threads ask for; it lives as long as the application.

    Whoever asked for a job may be deleted while it runs, and a signal that a thread emits of what is being deleted
    takes the program down. So threads emit no signal but this one.
    """

    asked = Signal(object)

    def __init__(self, application: QCoreApplication | None) -> None:
        super().__init__(application)
        self.asked.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def _call(self, act: Callable[[], object]) -> None:
        act()


def relay() -> Relay:
    """Return that of this application; to be asked on the window's thread."""
    application = QCoreApplication.instance()
    found = None if application is None else application.findChild(Relay)
    return found if found is not None else Relay(application)


class Thread(QObject):
    """A thread for one job after the other."""

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._relay = relay()
        self.closed = self._left = False

    def do(self, job: Callable[..., Any], *given: Any, then: Callable[[Future[Any]], None] | None = None) -> None:
        """Run JOB with what is GIVEN, in the language spoken here, and tell THEN how it ended: a defect is logged,
        too."""
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

    @property
    def gone(self) -> bool:
        """Return whether nobody is to be told any more: it was closed, or deleted with whoever asked."""
        return self.closed or not isValid(self)

    def tell(self, act: Callable[[], object]) -> None:
        """Have ACT called on the window's thread; any thread may ask."""
        with suppress(RuntimeError):  # the application has ended meanwhile
            self._relay.asked.emit(act)

    def _tell(self, then: Callable[[Future[Any]], None] | None, future: Future[Any]) -> None:
        self.tell(partial(self._end, then, future))

    def _end(self, then: Callable[[Future[Any]], None] | None, future: Future[Any]) -> None:
        if self._ended_in_time(future) and then is not None:
            then(future)

    def _ended_in_time(self, future: Future[Any]) -> bool:
        """Note a defect in the log; return whether anybody is to be told that a job has ended."""
        if self.gone:
            return False
        problem = future.exception()
        if problem is not None and not isinstance(problem, DPWizardError | Stopped):
            log.error("work behind the window failed", exc_info=problem)
        return True
