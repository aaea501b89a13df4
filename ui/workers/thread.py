"""The base of all work off the window's thread: one thread, one job at a time, its end reported on the window's."""

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
    """Calls functions for other threads on the window's thread; it lives as long as the application.

    An object may be deleted while its job runs, and the program crashes if a thread emits a signal of an object that
    is being deleted. So threads emit no signal but this one.
    """

    asked = Signal(object)

    def __init__(self, application: QCoreApplication | None) -> None:
        super().__init__(application)
        self.asked.connect(self._call, Qt.ConnectionType.QueuedConnection)

    def _call(self, act: Callable[[], object]) -> None:
        act()


def relay() -> Relay:
    """Return the relay of this application; call it on the window's thread."""
    application = QCoreApplication.instance()
    existing = None if application is None else application.findChild(Relay)
    return existing if existing is not None else Relay(application)


class Thread(QObject):
    """A thread that runs one job at a time."""

    waited_for = False  # whether what runs is waited for when the window closes: it may be writing a file

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._relay = relay()
        self.closed = self._given_up = False

    def do(self, job: Callable[..., Any], *arguments: Any, then: Callable[[Future[Any]], None] | None = None) -> None:
        """Run JOB with ARGUMENTS in the current language, log unexpected errors, and call THEN with its future."""
        self._pool.submit(copy_context().run, job, *arguments).add_done_callback(
            lambda future: self.tell(partial(self._finish_job, then, future))
        )

    def close(self, *, wait: bool = True) -> None:
        """Stop reporting and drop waiting jobs; WAIT for the running one, unless it was given up before.

        A job that changes no file need not be waited for.
        """
        self.closed = True
        self._given_up = self._given_up or not wait
        self._pool.shutdown(wait=not self._given_up, cancel_futures=True)

    @property
    def gone(self) -> bool:
        """Return whether it was closed or deleted, so that nothing is reported any more."""
        return self.closed or not isValid(self)

    def tell(self, act: Callable[[], object]) -> None:
        """Call ACT on the window's thread; any thread may use this."""
        with suppress(RuntimeError):  # the application has ended meanwhile
            self._relay.asked.emit(act)

    def _finish_job(self, then: Callable[[Future[Any]], None] | None, future: Future[Any]) -> None:
        if self._must_report(future) and then is not None:
            then(future)

    def _must_report(self, future: Future[Any]) -> bool:
        """Return whether the end of a job must be reported; log an unexpected error."""
        if self.gone:
            return False
        problem = future.exception()
        if problem is not None and not isinstance(problem, DPWizardError | Stopped):
            log.error("work behind the window failed", exc_info=problem)
        return True


def close_all(owner: QObject, *, wait: bool = True) -> None:
    """End the work of all parts of OWNER, and WAIT for what may be writing a file."""
    for thread in owner.findChildren(Thread):
        thread.close(wait=wait and thread.waited_for)
