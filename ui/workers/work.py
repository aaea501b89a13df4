"""Work that is waited for: signing, typesetting, writing. On a thread of its own, with progress.

What is typeset there is typeset in a process of its own (ui/workers/typesetting_process.py), and so is what is judged
there (ui/workers/worker_process.py): a thread that computes makes the window stutter.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, Signal

from dpwizard.base import worker
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message
from dpwizard.report import typesetter
from ui.workers import typesetting_process
from ui.workers.thread import Thread
from ui.workers.worker_process import WorkerProcess, processes

Job = Callable[[Callable[[Any], None]], Any]
Then = Callable[[Any], object]
Failed = Callable[[DPWizardError], object]


class Worker(Thread):
    """Runs one job at a time and tells on the window's thread how it goes and how it ends."""

    progressed = Signal(object)  # what the job tells of how far it is
    done = Signal(object)
    failed = Signal(object)  # a DPWizardError: what went wrong, in words

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("work", parent)
        self.busy = False
        self._then: Then | None = None
        self._failed: Failed | None = None
        self._apart = WorkerProcess(processes())

    def start(self, job: Job, then: Then | None = None, failed: Failed | None = None) -> None:
        """Run JOB, which is given a function to tell its progress with; ignored while another runs.

        THEN is told what came of it, FAILED why nothing did; the signals tell everybody else, before them.
        """
        if not self.busy and not self.closed:
            self.busy, self._then, self._failed = True, then, failed
            self.do(self._run, job, then=self._finish)

    def _run(self, job: Job) -> Any:
        with typesetter.using(typesetting_process.typeset_in_process), worker.using(self._apart.do):
            return job(self._progress)

    def close(self) -> None:
        """End; what is judged for it in another process is given up, and what else runs is waited for."""
        self._apart.stop()
        super().close()

    def leave(self) -> None:
        """End without waiting; what is judged for it in another process is given up."""
        self._apart.stop()
        super().leave()

    def _progress(self, stage: Any) -> None:
        self.tell(lambda: None if self.gone else self.progressed.emit(stage))

    def _finish(self, future: Future[Any]) -> None:
        self.busy = False
        then, failed, self._then, self._failed = self._then, self._failed, None, None
        problem = future.exception()
        if problem is None:
            self.done.emit(future.result())
            if then is not None:
                then(future.result())
            return
        why = _in_words(problem)
        self.failed.emit(why)
        if failed is not None:
            failed(why)


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
