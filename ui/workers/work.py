"""Work that is waited for: signing, typesetting, writing. On a thread of its own, with progress.

What is typeset there is typeset in a process of its own (ui/workers/typesetting_process.py), and records are verified
in others (ui/workers/worker_process.py): a thread that computes makes the window stutter.
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
    """Runs one job at a time and signals its progress and its end on the window's thread."""

    waited_for = True
    progressed = Signal(object)  # the stage that the job reports
    done = Signal(object)
    failed = Signal(object)  # a DPWizardError

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__("work", parent)
        self.busy = False
        self._then: Then | None = None
        self._failed: Failed | None = None
        self._process = WorkerProcess(processes())

    def start(self, job: Job, then: Then | None = None, failed: Failed | None = None) -> None:
        """Run JOB with a function to report its progress; ignored while another runs.

        The signals are emitted first; then THEN gets the result, or FAILED the error.
        """
        if not self.busy and not self.closed:
            self.busy, self._then, self._failed = True, then, failed
            self.do(self._run_job, job, then=self._report_result)

    def _run_job(self, job: Job) -> Any:
        with typesetter.using(typesetting_process.typeset_in_process), worker.using(self._process.do):
            return job(self._report_progress)

    def close(self, *, wait: bool = True) -> None:
        """Stop its work in another process, and WAIT for what runs here."""
        self._process.stop()
        super().close(wait=wait)

    def _report_progress(self, stage: Any) -> None:
        self.tell(lambda: None if self.gone else self.progressed.emit(stage))

    def _report_result(self, future: Future[Any]) -> None:
        self.busy = False
        then, failed, self._then, self._failed = self._then, self._failed, None, None
        problem = future.exception()
        if problem is None:
            self.done.emit(future.result())
            if then is not None:
                then(future.result())
            return
        why = _as_known_error(problem)
        self.failed.emit(why)
        if failed is not None:
            failed(why)


def _as_known_error(problem: BaseException) -> DPWizardError:
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
