"""Work that may take longer than a frame: one runs, one waits, the newest wins; the window never waits for it."""

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
    """Return what is said of PROBLEM to whoever cannot mend it."""
    return problem.text if isinstance(problem, DPWizardError) else type(problem).__name__


def refusal(problem: BaseException) -> str:
    """Return what is said of PROBLEM, with what to do, to whoever chose what cannot be read."""
    return f"{problem.text}. {problem.remedy}" if isinstance(problem, DPWizardError) else reason(problem)


class Background(Thread):
    """Runs JOB(asked, stop) on a thread of its own for the newest thing asked; tells the result on the window's thread.

    `stop` is true once something newer waits or the window closes: a long job looks at it and gives up. Whatever it
    calls ends once the window closes; of what ended with Stopped nobody is told. With a PAUSE
    the work starts only after so many milliseconds without a further request: when nothing else is to do. With a FRAME
    it starts at once, and so many milliseconds after the last start. WORDS says what went wrong.
    """

    done = Signal(object, object)  # what was asked, what came of it
    failed = Signal(object, str)  # what was asked, what went wrong

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
        self._timer.timeout.connect(lambda: self._go_on())

    @property
    def busy(self) -> bool:
        """Return whether something runs or waits."""
        return self._running is not None or self._waiting is not None

    def request(self, asked: Any) -> None:
        """Ask for ASKED; it replaces what waits, and tells what runs that it is out of date."""
        if not self.closed:
            self._waiting = (asked,)
            self._go_on(self._wait())

    def forget(self) -> None:
        """Drop what waits."""
        self._timer.stop()
        self._waiting = None

    def close(self) -> None:
        """End the thread; what runs is told to give up, and waited for."""
        self._waiting = None  # its timer may be gone by now, and starts nothing any more
        super().close()

    def leave(self) -> None:
        """End the thread; what runs is told to give up, and not waited for."""
        self._waiting = None
        super().leave()

    def _wait(self) -> int:
        """Return for how many milliseconds what waits has to wait; -1: no longer."""
        if self._frame is None:
            return self._pause
        left = math.ceil(self._frame - (time.monotonic() - self._started) * 1000)
        return left if left > 0 else -1

    def _go_on(self, wait: int = -1) -> None:
        """Start what waits, at once or after so many milliseconds to WAIT, unless something runs."""
        if self._running is not None or self._waiting is None:
            return
        if wait >= 0:
            self._timer.start(wait)
            return
        self._running, self._waiting = self._waiting, None
        self._started = time.monotonic()
        with stoppable(lambda: self.closed):
            self.do(self._job, *self._running, self._outdated)

    def _outdated(self) -> bool:
        """Return whether what runs is no longer wanted."""
        return self._waiting is not None or self.closed

    def _end(self, then: Any, future: Future[Any]) -> None:
        if not self._ended_in_time(future):
            return
        assert self._running is not None
        (asked,), self._running = self._running, None
        problem = future.exception()
        if problem is None:
            self.done.emit(asked, future.result())
        elif not isinstance(problem, Stopped):
            self.failed.emit(asked, self._words(problem))
        self._go_on(self._wait())  # a newer request may wait: what was found answers it no longer, but may be shown
