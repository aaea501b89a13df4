"""Background work for which only the newest request counts: one runs, one waits."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from dpwizard.base.errors import DPWizardError
from dpwizard.base.stopping import Stop, Stopped, stoppable
from ui.workers.thread import Thread


def reason(problem: BaseException) -> str:
    """Return PROBLEM in words for those who cannot solve it."""
    return problem.text if isinstance(problem, DPWizardError) else type(problem).__name__


def refusal(problem: BaseException) -> str:
    """Return PROBLEM and its remedy in words for those who chose what cannot be read."""
    return f"{problem.text}. {problem.remedy}" if isinstance(problem, DPWizardError) else reason(problem)


class Background(Thread):
    """Runs JOB(request, stop) on a thread of its own for the newest request; signals the result on the window's thread.

    `stop` returns true once a newer request waits or the window closes: a long job then gives up. Stoppable calls end
    when the window closes, or what asked is deleted; Stopped is not reported. With a PAUSE, work starts so many
    milliseconds after the last request; with a FRAME at once, but so many milliseconds after the last start. WORDS
    turns an error into words.
    """

    done = Signal(object, object)  # the request, the result
    failed = Signal(object, str)  # the request, the reason

    def __init__(
        self,
        job: Callable[[Any, Stop], Any],
        *,
        pause: int = 0,
        frame: int | None = None,
        words: Callable[[BaseException], str] = reason,
        parent: QObject | None = None,
    ) -> None:
        super().__init__("background", parent)
        self._job, self._pause, self._frame, self._words = job, pause, frame, words
        self._waiting: tuple[Any] | None = None
        self._running: tuple[Any] | None = None
        self._started = 0.0
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(lambda: self._start_next())

    @property
    def busy(self) -> bool:
        """Return whether something runs or waits."""
        return self._running is not None or self._waiting is not None

    def request(self, work: Any) -> None:
        """Request WORK in place of what waits, and ask what runs to stop."""
        if not self.closed:
            self._waiting = (work,)
            self._start_next(self._delay())

    def forget(self) -> None:
        """Drop what waits."""
        self._timer.stop()
        self._waiting = None

    def close(self, *, wait: bool = True) -> None:
        """End the thread; ask what runs to stop, and WAIT for it."""
        self._waiting = None  # so the timer, which may be gone by now, starts nothing
        super().close(wait=wait)

    def _delay(self) -> int:
        """Return the milliseconds until the next start; -1: at once."""
        if self._frame is None:
            return self._pause
        left = math.ceil(self._frame - (time.monotonic() - self._started) * 1000)
        return left if left > 0 else -1

    def _start_next(self, wait: int = -1) -> None:
        """Start what waits, at once or after WAIT milliseconds, unless something runs."""
        if self._running is not None or self._waiting is None:
            return
        if wait >= 0:
            self._timer.start(wait)
            return
        self._running, self._waiting = self._waiting, None
        self._started = time.monotonic()
        with stoppable(lambda: self.gone):
            self.do(self._job, *self._running, lambda: self._waiting is not None or self.gone)

    def _finish_job(self, then: Any, future: Future[Any]) -> None:
        if not self._must_report(future):
            return
        assert self._running is not None
        (request,), self._running = self._running, None
        problem = future.exception()
        if problem is None:
            self.done.emit(request, future.result())
        elif not isinstance(problem, Stopped):
            self.failed.emit(request, self._words(problem))
        self._start_next(self._delay())  # a newer request may wait
