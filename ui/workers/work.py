"""Work that takes longer than a frame: signing, typesetting, writing. On a thread of its own, with progress.

What is typeset there is typeset in a process of its own: ui/workers/typesetting_process.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject, Qt, Signal

from dpwizard.errors import DPWizardError
from dpwizard.report import typesetter
from ui.workers import typesetting_process

log = logging.getLogger(__name__)


class Worker(QObject):
    """Runs one job at a time and tells on the window's thread how it goes and how it ends."""

    progressed = Signal(str)
    done = Signal(object)
    failed = Signal(object)  # a DPWizardError: what went wrong, in words
    _ended = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="work")
        self.busy = self._closed = self._left = False
        self._ended.connect(self._finish, Qt.ConnectionType.QueuedConnection)

    def start(self, job: Callable[[Callable[[str], None]], Any]) -> None:
        """Run JOB, which is given a function to tell its progress with; ignored while another runs."""
        if self.busy or self._closed:
            return
        self.busy = True
        self._threads.submit(copy_context().run, self._run, job).add_done_callback(self._end)

    def close(self) -> None:
        """Wait for the running job, and end; nobody is told of it any more."""
        self._closed = True
        self._threads.shutdown(wait=True)

    def leave(self) -> None:
        """Let the running job, which changes no file, end by itself; nobody waits for it or is told of it any more."""
        if self._closed:
            return
        self._closed = self._left = True
        self._threads.shutdown(wait=False)
        if self.busy:
            self.setParent(QCoreApplication.instance())  # outlives the dialog that asked, until the job has ended

    def _run(self, job: Callable[[Callable[[str], None]], Any]) -> Any:
        with typesetter.using(typesetting_process.typeset_apart):
            return job(self._progress)

    def _progress(self, key: str) -> None:
        if not self._closed:
            self.progressed.emit(key)

    def _end(self, future: Future[Any]) -> None:
        with suppress(RuntimeError):  # the program ended meanwhile, and this object with it
            self._ended.emit(future)

    def _finish(self, future: Future[Any]) -> None:
        self.busy = False
        if self._left:
            self.deleteLater()
        if self._closed:
            return
        problem = future.exception()
        if problem is None:
            self.done.emit(future.result())
        elif isinstance(problem, DPWizardError):
            self.failed.emit(problem)
        else:
            log.error("a job failed", exc_info=problem)
            if isinstance(problem, ImportError):
                self.failed.emit(
                    DPWizardError(
                        f"a part of this program is missing: {problem.name}", "", "Install the program again."
                    )
                )
                return
            self.failed.emit(
                DPWizardError(
                    f"something went wrong: {type(problem).__name__}", "", "Nothing was lost; please report it."
                )
            )
