"""Work on what anybody may have made, done in another process of this program, within bounds of time and memory.

with Bounded() as process:
    process.do(function, *given)   # raises OutOfBounds where that takes more than it may
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn

from dpwizard.base import apart
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import Message, message
from dpwizard.base.starting import HIDDEN, command

BOUNDED = "--bounded"  # main.py answers it
SECONDS = 30  # of the processor, where the system can bound them: how busy the computer is says nothing of the work
LONGEST_WAIT = 300  # seconds by the clock, on every system
MEMORY = 1_500_000_000  # bytes of the process, where the system can bound them
LOADED = "dpwizard.signing.remaking"  # what records are judged with
IDLE = 10**6  # seconds for which it waits to be asked: it ends with whoever asks
OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # what ends a process whose seconds are over; Windows has none
OUT_OF_MEMORY = ("MemoryError", "RecursionError")
# one thread: each of many would reserve memory of its own
ENVIRONMENT: Mapping[str, str] = MappingProxyType({"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"})


class OutOfBounds(DPWizardError):
    """Work that took more than it may, or could not be done in another process."""


class Bounded:
    """A process that does one piece of work after the other, each within bounds; one that they end is replaced."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._late = False

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def start(self) -> None:
        """Start the process now, so that it loads what it needs meanwhile; where it cannot be, `do` says why."""
        with contextlib.suppress(OutOfBounds):
            self._started()

    def do(self, function: Callable[..., Any], *given: Any) -> Any:
        """Return what FUNCTION, one of a module, makes of what it is GIVEN.

        Raises what it raises of this program's errors, and OutOfBounds.
        """
        process = self._started()
        watch = threading.Timer(LONGEST_WAIT, self._stop)
        watch.start()
        try:
            answer = _answer(process, function, given)
        finally:
            watch.cancel()
        if answer is None:
            raise OutOfBounds(self._why(self._end()), "", "")
        if answer.said == "failed":
            raise answer.what
        if answer.said == "broken":
            self._end()  # what it holds in memory is no burden of the next piece of work
            name = answer.what[0]
            raise OutOfBounds(
                message("it takes more memory than it may")
                if name in OUT_OF_MEMORY
                else message("the process that does it failed ({name})", name=name),
                "",
                "",
            )
        return answer.what

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipe = subprocess.PIPE
            try:
                self._process = subprocess.Popen(
                    command(BOUNDED),
                    stdin=pipe,
                    stdout=pipe,
                    stderr=subprocess.DEVNULL,
                    env={**os.environ, **ENVIRONMENT},
                    creationflags=HIDDEN,
                )
            except OSError as problem:
                why = message("no process can be started here: {reason}", reason=str(problem))
                raise OutOfBounds(why, "", "") from None
            self._late = False
        return self._process

    def _stop(self) -> None:
        self._late = True
        if self._process is not None:
            self._process.kill()

    def _end(self) -> int:
        """End the process, if there is one; return the status with which it ended."""
        process, self._process = self._process, None
        if process is None:
            return 0
        for pipe in (process.stdin, process.stdout):
            try:
                if pipe is not None:
                    pipe.close()  # whom nobody asks any more ends itself
            except OSError:
                continue
        return process.wait()

    def _why(self, status: int) -> Message:
        if self._late:
            return message("it takes more than {seconds} seconds", seconds=LONGEST_WAIT)
        if OUT_OF_TIME is not None and status == -OUT_OF_TIME:
            return message("it takes more than {seconds} seconds of the processor", seconds=SECONDS)
        return message("the process that does it ended with status {status}", status=status)


def _answer(
    process: subprocess.Popen[bytes], function: Callable[..., Any], given: tuple[Any, ...]
) -> apart.Answer | None:
    """Return what PROCESS answers; None where it ends without an answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(apart.asked(_within_bounds, (function, *given)))
        process.stdin.flush()
    except OSError:
        return None
    answer = apart.heard(process.stdout)
    while answer is not None and answer.said == "ready":
        answer = apart.heard(process.stdout)
    return answer


def _within_bounds(_: apart.Tell, function: Callable[..., Any], *given: Any) -> Any:
    allow_time()
    return function(*given)


# ------------------------------------------------------------------------------------------ in that process


def serve(source: BinaryIO, target: BinaryIO) -> NoReturn:
    """Do what another process asks for by SOURCE, each piece of work within bounds, and answer by TARGET."""
    if sys.platform == "linux":  # macOS refuses it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    importlib.import_module(LOADED)  # while whoever started this process still loads, too
    apart.serve(source, target, idle=IDLE)


def allow_time() -> None:
    """Let this process compute for SECONDS more, where the system can bound that; then it is ended."""
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the end of its time is no crash to look into
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    until = int(spent.ru_utime + spent.ru_stime) + 1 + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (until if most < 0 else min(until, most), most))
