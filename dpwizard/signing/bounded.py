"""Work on untrusted files, done in another process of this program, with limits on time and memory.

with Bounded() as process:
    process.do(Kind, "module:function", *given)   # raises OutOfBounds where that takes more than it may

Arguments and result are JSON, a line each. The process may have been taken over, so its result is read strictly, as a
value of the KIND asked for.
"""

from __future__ import annotations

import base64
import contextlib
import faulthandler
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn, TypeVar

from dpwizard.base import errors
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import NO_MESSAGE, Message, Quantity, message
from dpwizard.base.starting import HIDDEN, command
from dpwizard.base.values import Value, freeze, read

BOUNDED = "--bounded"  # main.py answers it
SECONDS = 30  # of the processor, where the system can bound them: how busy the computer is says nothing of the work
LONGEST_WAIT = 300  # seconds by the clock, on every system
MEMORY = 1_500_000_000  # bytes of the process, where the system can bound them
MOST_BESIDE = 4  # processes at once
LONGEST_ANSWER = 100_000_000  # bytes
JUDGING, READING = "dpwizard.signing.verification", "dpwizard.signing.record_folder"  # modules that records take
OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # what ends a process whose seconds are over; Windows has none
LATE = 1  # the status of a process that ended itself by the clock
OUT_OF_MEMORY = ("MemoryError", "RecursionError")
ELSEWHERE = message("Try again; if that does not help, verify it on another computer.")
ALLOW = message(
    "Close other programs and try again. If that does not help, ask your administrator to let "
    "dpwizard start a second process, or verify the record on another computer."
)
KNOWN = MappingProxyType(
    {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, DPWizardError)}
)
Kind = TypeVar("Kind")


class OutOfBounds(DPWizardError):
    """Work that took more than it may, or could not be done in another process."""

    def __init__(self, message: str, hint: str = ELSEWHERE) -> None:
        super().__init__(message, "", hint)


class Bounded:
    """A process that does one piece of work after the other, each within bounds; one that they end is replaced.

    As long as nobody asks it LOADS what it needs, a module.
    """

    def __init__(self, loads: str = JUDGING) -> None:
        self._loads = loads
        self._process: subprocess.Popen[bytes] | None = None
        self._refused = NO_MESSAGE  # why none could be started
        self._asked = 0.0  # when it was asked last

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def start(self) -> Bounded:
        """Start the process now, so that it loads what it needs meanwhile; where it cannot be, `answer` says why."""
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    [*command(BOUNDED), self._loads],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    # one thread: each of many would reserve memory of its own
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                    creationflags=HIDDEN,
                )
            except OSError as problem:
                self._refused = message("no process can be started here: {reason}", reason=str(problem))
        return self

    def do(self, kind: type[Kind], task: str, *given: Any) -> Kind:
        """Return the value of KIND that TASK, "module:function", makes of what it is GIVEN.

        Raises what it raises of this program's errors, and OutOfBounds.
        """
        self.ask(task, *given)
        return self.answer(kind)

    def ask(self, task: str, *given: Any) -> None:
        """Have TASK done; `answer` then says what it makes of what it is GIVEN, or why it makes nothing."""
        self.start()
        self._asked = time.monotonic()
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(OSError):  # it has ended, and so no answer comes
                self._process.stdin.write(spelled([task, *given]) + b"\n")
                self._process.stdin.flush()

    def answer(self, kind: type[Kind]) -> Kind:
        """Return the value of KIND that the task asked for makes; raises what `do` raises."""
        if self._process is None or self._process.stdout is None:
            raise OutOfBounds(self._refused, ALLOW)
        line = self._process.stdout.readline(LONGEST_ANSWER)
        if not line.endswith(b"\n"):
            raise OutOfBounds(self._why(self._end()))
        try:
            return reply_value(kind, line)
        except OutOfBounds:
            self._end()  # what it holds in memory is no burden of the next piece of work
            raise

    def _end(self) -> int:
        """End the process, if there is one; return the status with which it ended."""
        process, self._process = self._process, None
        if process is None:
            return 0
        process.kill()  # what is under way is for nobody
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return process.wait()

    def _why(self, status: int) -> Message:
        if status == LATE and time.monotonic() - self._asked >= LONGEST_WAIT:
            return message("it takes more than {seconds} seconds", seconds=LONGEST_WAIT)
        if OUT_OF_TIME is not None and status == -OUT_OF_TIME:
            return message("it takes more than {seconds} seconds of the processor", seconds=SECONDS)
        return message("the process for this ended with status {status}", status=status)


@contextlib.contextmanager
def crew(loads: str = JUDGING) -> Iterator[list[Bounded]]:
    """Give bounded processes that work beside one another: one for each processor, MOST_BESIDE at most."""
    with contextlib.ExitStack() as all_end:
        yield [all_end.enter_context(Bounded(loads)).start() for _ in range(min(MOST_BESIDE, os.cpu_count() or 1))]


def each(
    processes: list[Bounded], kind: type[Kind], task: str, given: Iterable[tuple[Any, ...]]
) -> Iterator[Kind | DPWizardError]:
    """Yield in order the values of KIND that PROCESSES, by TASK, make of each that is GIVEN; or the error why not."""
    rest, busy = iter(given), deque[Bounded]()
    for process, first in zip(processes, rest, strict=False):
        process.ask(task, *first)
        busy.append(process)
    while busy:
        process = busy.popleft()
        try:
            value: Kind | DPWizardError = process.answer(kind)
        except DPWizardError as problem:
            value = problem
        for following in islice(rest, 1):  # so that it works while what was found is looked at
            process.ask(task, *following)
            busy.append(process)
        yield value


def within(process: Bounded | None) -> contextlib.AbstractContextManager[Bounded]:
    """Return PROCESS to work with; one of its own, which ends with the work, where none is given."""
    return Bounded() if process is None else contextlib.nullcontext(process)


# ------------------------------------------------------------------------------------------ in that process


def serve(source: BinaryIO, target: BinaryIO, loads: str = "") -> NoReturn:
    """Do what another process asks for by SOURCE, each piece of work within bounds, and answer by TARGET.

    The module LOADS, if one is named, is imported as long as nobody asks yet.
    """
    if sys.platform == "linux":  # macOS refuses it
        import resource

        most = resource.getrlimit(resource.RLIMIT_AS)[1]  # negative: nothing is set here already
        limit = MEMORY if most < 0 else min(MEMORY, most)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for request in _requests(source, loads):
        allow_time()
        reply = answer(request)
        faulthandler.cancel_dump_traceback_later()  # waiting for the next request takes as long as it takes
        target.write(reply + b"\n")
        target.flush()
    sys.exit()


def _requests(source: BinaryIO, loads: str) -> Iterable[bytes]:
    """Return what is asked for by SOURCE, having imported what LOADS names as long as nobody asks yet."""
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for request in source:
            requests.put(request)
        os._exit(0)  # whoever asked is gone: what is under way is for nobody

    try:
        threading.Thread(target=listen, daemon=True).start()
    except RuntimeError:  # no thread can be had here
        return source
    if loads and requests.empty():
        importlib.import_module(loads)
    return iter(requests.get, b"")


def answer(request: bytes) -> bytes:
    """Return as JSON what the task that REQUEST names makes of what it is given, or why it makes nothing."""
    task, *given = freeze(json.loads(request, object_hook=_restored))
    module, _, name = task.partition(":")
    try:
        reply = {"done": getattr(importlib.import_module(module), name)(*given)}
    except DPWizardError as problem:
        reply = {"failed": problem}
    except Exception as problem:
        reply = {"broken": type(problem).__name__}
    return spelled(reply)


def allow_time() -> None:
    """Let this process work for LONGEST_WAIT more by the clock, and compute for SECONDS; then it is ended.

    The processor's seconds are bounded where the system can do that.
    """
    with contextlib.suppress(RuntimeError):  # no thread can be had here
        faulthandler.dump_traceback_later(LONGEST_WAIT, exit=True, file=2)  # ends code in C, too, with status LATE
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # the end of its time is no crash to look into
    _, most = resource.getrlimit(resource.RLIMIT_CPU)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    until = int(spent.ru_utime + spent.ru_stime) + 1 + SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (until if most < 0 else min(until, most), most))


# ------------------------------------------------------------------------------------------ what comes back, as JSON


def reply_value(kind: type[Kind], answer: bytes) -> Kind:
    """Return the value of KIND that an ANSWER brings; raises the error that it brings, or OutOfBounds."""
    try:
        match json.loads(answer, object_hook=_restored):
            case {"done": found}:
                value: Kind = read(kind, found)
                return value
            case {"failed": DPWizardError() as problem}:
                failed = problem
            case {"broken": str(name)} if name in OUT_OF_MEMORY:
                failed = OutOfBounds(message("it needs more memory than it is allowed"))
            case {"broken": str(name)}:
                failed = OutOfBounds(message("the process for this failed ({name})", name=name))
            case _:
                raise ValueError
    except (InvalidInput, ValueError, RecursionError):
        failed = OutOfBounds(message("the process for this gave an answer that cannot be read"))
    raise failed


def spelled(value: Any) -> bytes:
    """Return VALUE as one line of JSON, which both processes write so."""
    return json.dumps(_spelled(value), default=str).encode("ascii")


def _spelled(value: Any) -> Any:
    """Return VALUE as JSON can say it: sentences with their figures, errors by their kind."""
    match value:
        case Message():
            return {"$message": [str(value), value.template, value.plural, _spelled(dict(value.figures))]}
        case Quantity():
            return {"$quantity": value.value}
        case DPWizardError():
            kind = next(kind.__name__ for kind in type(value).__mro__ if kind in KNOWN.values())
            return {"$error": [kind, *map(_spelled, (value.message, value.where, value.hint))]}
        case Path():
            return {"$path": str(value)}
        case datetime():
            return {"$time": value.isoformat()}
        case bytes():
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        case Value():
            fields = type(value).model_fields.items()
            return {declared.alias or name: _spelled(getattr(value, name)) for name, declared in fields}
        case dict():
            return {name: _spelled(member) for name, member in value.items()}
        case tuple() | list():
            return [_spelled(member) for member in value]
    return value


def _restored(raw: dict[str, Any]) -> Any:
    match raw:
        case {"$message": [str(text), str(template), str(plural), dict(figures)]}:
            return Message(text, template, plural, figures)
        case {"$quantity": int(value) | float(value)}:
            return Quantity(value)
        case {"$error": [str(name), str(what), str(where), str(hint)]} if name in KNOWN:
            return KNOWN[name](what, where, hint)
        case {"$path": str(text)}:
            return Path(text)
        case {"$time": str(text)}:
            return datetime.fromisoformat(text)
        case {"$bytes": str(text)}:
            return base64.b64decode(text, validate=True)
    return raw
