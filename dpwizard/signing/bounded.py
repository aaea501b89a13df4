"""Work on what anybody may have made, done in another process of this program, within bounds of time and memory.

with Bounded() as process:
    process.do(Kind, "module:function", *given)   # raises OutOfBounds where that takes more than it may

What is given and what comes back is JSON, a line each. Whatever that process was made to say, here it is read strictly
as a value of the KIND asked for.
"""

from __future__ import annotations

import base64
import contextlib
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any, BinaryIO, NoReturn, TypeVar

from dpwizard.base import errors
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import Message, Quantity, message
from dpwizard.base.starting import HIDDEN, command
from dpwizard.base.values import Value, freeze, read

BOUNDED = "--bounded"  # main.py answers it
SECONDS = 30  # of the processor, where the system can bound them: how busy the computer is says nothing of the work
LONGEST_WAIT = 300  # seconds by the clock, on every system
MEMORY = 1_500_000_000  # bytes of the process, where the system can bound them
MOST_BESIDE = 4  # processes at once
LONGEST_ANSWER = 100_000_000  # bytes
LOADED = "dpwizard.signing.verification"  # what records are judged with
OUT_OF_TIME = getattr(signal, "SIGXCPU", None)  # what ends a process whose seconds are over; Windows has none
OUT_OF_MEMORY = ("MemoryError", "RecursionError")
ELSEWHERE = message("Try again; if that does not help, verify it on another computer.")
ALLOW = message(
    "Close other programs and try again. If that does not help, ask whoever runs this computer to let dpwizard start "
    "itself a second time, or verify it on another computer."
)
KNOWN = MappingProxyType(
    {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, DPWizardError)}
)
Kind = TypeVar("Kind")
Item = TypeVar("Item")
Made = TypeVar("Made")


class OutOfBounds(DPWizardError):
    """Work that took more than it may, or could not be done in another process."""

    def __init__(self, message: str, hint: str = ELSEWHERE) -> None:
        super().__init__(message, "", hint)


class Bounded:
    """A process that does one piece of work after the other, each within bounds; one that they end is replaced."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._late = False

    def __enter__(self) -> Bounded:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()

    def start(self) -> Bounded:
        """Start the process now, so that it loads what it needs meanwhile; where it cannot be, `do` says why."""
        with contextlib.suppress(OutOfBounds):
            self._started()
        return self

    def do(self, kind: type[Kind], task: str, *given: Any) -> Kind:
        """Return the value of KIND that TASK, "module:function", makes of what it is GIVEN.

        Raises what it raises of this program's errors, and OutOfBounds.
        """
        process = self._started()
        watch = threading.Timer(LONGEST_WAIT, self.stop)
        watch.start()
        try:
            answer = _request(process, [task, *given])
        finally:
            watch.cancel()
        if answer is None:
            raise OutOfBounds(self._why(self._end()))
        try:
            return reply_value(kind, answer)
        except OutOfBounds:
            self._end()  # what it holds in memory is no burden of the next piece of work
            raise

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            try:
                self._process = subprocess.Popen(
                    command(BOUNDED),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    # one thread: each of many would reserve memory of its own
                    env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"},
                    creationflags=HIDDEN,
                )
            except OSError as problem:
                why = message("no process can be started here: {reason}", reason=str(problem))
                raise OutOfBounds(why, ALLOW) from None
            self._late = False
        return self._process

    def stop(self) -> None:
        """End what the process does, from another thread: no answer comes any more."""
        self._late = True
        if self._process is not None:
            self._process.kill()

    def _end(self) -> int:
        """End the process, if there is one; return the status with which it ended."""
        process, self._process = self._process, None
        if process is None:
            return 0
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()  # whom nobody asks any more ends itself
        return process.wait()

    def _why(self, status: int) -> Message:
        if self._late:
            return message("it takes more than {seconds} seconds", seconds=LONGEST_WAIT)
        if OUT_OF_TIME is not None and status == -OUT_OF_TIME:
            return message("it takes more than {seconds} seconds of the processor", seconds=SECONDS)
        return message("the process that does it ended with status {status}", status=status)


@contextlib.contextmanager
def crew() -> Iterator[Callable[[Callable[[Bounded, Item], Made], Iterable[Item]], Iterator[Made]]]:
    """Give a function that has work done beside one another, and yields what comes of each item in their order.

    One bounded process is started for each processor, MOST_BESIDE at most; the work is given one of them and an item.
    """
    own, processes = threading.local(), list[Bounded]()

    def begin() -> None:
        own.process = Bounded().start()
        processes.append(own.process)

    def each(work: Callable[[Bounded, Item], Made], items: Iterable[Item]) -> Iterator[Made]:
        yield from threads.map(lambda item: work(own.process, item), items)

    threads = ThreadPoolExecutor(min(MOST_BESIDE, os.cpu_count() or 1), initializer=begin)
    try:
        yield each
    finally:
        threads.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.stop()  # what is under way is for nobody
        threads.shutdown()
        for process in processes:
            process.__exit__()


def within(process: Bounded | None) -> contextlib.AbstractContextManager[Bounded]:
    """Return PROCESS to work with; one of its own, which ends with the work, where none is given."""
    return Bounded() if process is None else contextlib.nullcontext(process)


def _request(process: subprocess.Popen[bytes], request: list[Any]) -> bytes | None:
    """Return the line that PROCESS answers to a REQUEST; None where it ends without an answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(spelled(request) + b"\n")
        process.stdin.flush()
    except OSError:
        return None
    answer = process.stdout.readline(LONGEST_ANSWER)
    return answer if answer.endswith(b"\n") else None


# ------------------------------------------------------------------------------------------ in that process


def serve(source: BinaryIO, target: BinaryIO) -> NoReturn:
    """Do what another process asks for by SOURCE, each piece of work within bounds, and answer by TARGET."""
    if sys.platform == "linux":  # macOS refuses it
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    requests: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        for request in source:
            requests.put(request)
        os._exit(0)  # whoever asked is gone: what is under way is for nobody

    threading.Thread(target=listen, daemon=True).start()
    importlib.import_module(LOADED)  # while whoever started this process still loads, too
    while True:
        request = requests.get()
        allow_time()
        target.write(answer(request) + b"\n")
        target.flush()


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
    """Let this process compute for SECONDS more, where the system can bound that; then it is ended."""
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
                failed = OutOfBounds(message("it takes more memory than it may"))
            case {"broken": str(name)}:
                failed = OutOfBounds(message("the process that does it failed ({name})", name=name))
            case _:
                raise ValueError
    except (InvalidInput, ValueError, RecursionError):
        failed = OutOfBounds(message("the process that does it gave an answer that cannot be read"))
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
        case bytes():
            return {"$bytes": base64.b64encode(value).decode("ascii")}
        case Value():
            return {one.alias or name: _spelled(getattr(value, name)) for name, one in type(value).model_fields.items()}
        case dict():
            return {name: _spelled(one) for name, one in value.items()}
        case tuple() | list():
            return [_spelled(one) for one in value]
    return value


def _restored(raw: dict[str, Any]) -> Any:
    match raw:
        case {"$message": [str(text), str(template), str(plural), dict(figures)]}:
            return Message(text, template, plural, figures)
        case {"$quantity": int(value) | float(value)}:
            return Quantity(value)
        case {"$error": [str(name), str(what), str(where), str(hint)]} if name in KNOWN:
            return KNOWN[name](what, where, hint)
        case {"$bytes": str(text)}:
            return base64.b64decode(text, validate=True)
    return raw
