"""Work that is waited for: signing, typesetting, writing. On a thread of its own, with progress.

What is typeset there is typeset in a process of its own (ui/workers/typesetting_process.py), and so is what is judged
there (ui/workers/apart_process.py): a thread that computes makes the window stutter.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpwizard.base import apart
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message
from dpwizard.report import typesetter
from ui.workers import typesetting_process
from ui.workers.apart_process import Apart, processes
from ui.workers.thread import Thread

Job = Callable[[Callable[[str], None]], Any]


class Worker(Thread):
    """Runs one job at a time and tells on the window's thread how it goes and how it ends."""

    progressed = Signal(str)
    done = Signal(object)
    failed = Signal(object)  # a DPWizardError: what went wrong, in words

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("work", parent)
        self.busy = False
        self._apart = Apart(processes())

    def start(self, job: Job) -> None:
        """Run JOB, which is given a function to tell its progress with; ignored while another runs."""
        if not self.busy and not self.closed:
            self.busy = True
            self.do(self._run, job, then=self._finish)

    def _run(self, job: Job) -> Any:
        with typesetter.using(typesetting_process.typeset_apart), apart.using(self._apart.do):
            return job(self._progress)

    def close(self) -> None:
        """End; what is judged for it in another process is given up, and what else runs is waited for."""
        self._apart.stop()
        super().close()

    def leave(self) -> None:
        """End without waiting; what is judged for it in another process is given up."""
        self._apart.stop()
        super().leave()

    def _progress(self, key: str) -> None:
        if not self.closed:
            self.progressed.emit(key)

    def _finish(self, future: Future[Any]) -> None:
        self.busy = False
        problem = future.exception()
        if problem is None:
            self.done.emit(future.result())
        else:
            self.failed.emit(_in_words(problem))


def _in_words(problem: BaseException) -> DPWizardError:
    if isinstance(problem, DPWizardError):
        return problem
    if isinstance(problem, ImportError):
        return DPWizardError(
            message("a part of this program is missing: {part}", part=problem.name), "", "Install the program again."
        )
    return DPWizardError(
        message("something went wrong: {reason}", reason=type(problem).__name__),
        "",
        "Nothing was lost; please report it.",
    )
