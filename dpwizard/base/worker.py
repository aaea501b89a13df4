"""Work that would hold up whoever asks for it, done in another process of this program.

    with using(doer):              # the window says by whom
        run_in_worker(task, *given)  # else it is done here

A task is a function of a module: it is given what to tell its progress with, then what it works on; both, what it tells
and what it returns go from process to process as pickles, by pipes that nobody else holds.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import threading
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from typing import IO, Any, BinaryIO, NoReturn

from dpwizard.base.errors import DPWizardError
from dpwizard.base.language import speaking, spoken

Tell = Callable[[Any], None]
Task = Callable[..., Any]
Doer = Callable[[Task, tuple[Any, ...], Tell], Any]
LENGTH = 8  # bytes that say how long a task is
IDLE = 60.0  # seconds after which a process that nobody asks anything ends itself


@dataclass(frozen=True, kw_only=True)
class WorkerReply:
    """What another process says: that it is ready, how far it is, or how its work ended."""

    status: str  # "ready", "told", "done", "failed" or "broken"
    what: Any = None


def done_here(task: Task, given: tuple[Any, ...], tell: Tell) -> Any:
    """Return what TASK makes of what it is GIVEN, in this process; it tells its progress by TELL."""
    return task(tell, *given)


_CURRENT: ContextVar[Doer] = ContextVar("doer", default=done_here)


def run_in_worker(task: Task, *given: Any, tell: Tell = lambda _: None) -> Any:
    """Return what TASK makes of what it is GIVEN, done by whoever does such work here."""
    return _CURRENT.get()(task, given, tell)


@contextlib.contextmanager
def using(doer: Doer) -> Iterator[None]:
    """Have DOER do all such work inside the block."""
    token = _CURRENT.set(doer)
    try:
        yield
    finally:
        _CURRENT.reset(token)


# ------------------------------------------------------------------------------ between two processes


def task_message(task: Task, given: tuple[Any, ...]) -> bytes:
    """Return TASK and what it is GIVEN as they are sent to another process, with the language spoken here."""
    sent = pickle.dumps((task, given, spoken()))
    return len(sent).to_bytes(LENGTH, "big") + sent


def next_reply(source: IO[bytes]) -> WorkerReply | None:
    """Return the next answer of another process; None where it has ended."""
    try:
        reply = pickle.load(source)
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        return None
    return reply if type(reply) is WorkerReply else None


def serve(source: BinaryIO, target: BinaryIO, idle: float = IDLE) -> NoReturn:
    """Do one task after the other that another process sends by SOURCE; end with it, or when nobody asks for long."""
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(OSError):
            while size := source.read(LENGTH):
                tasks.put(source.read(int.from_bytes(size, "big")))
        os._exit(0)  # whoever asked is gone: what is under way is for nobody

    threading.Thread(target=listen, daemon=True).start()
    _say(target, WorkerReply(status="ready"))
    while True:
        try:
            sent = tasks.get(timeout=idle)
        except queue.Empty:
            os._exit(0)
        _say(target, _answer(sent, lambda what: _say(target, WorkerReply(status="told", what=what))))


def _answer(sent: bytes, tell: Tell) -> WorkerReply:
    def work() -> Any:
        task, given, language = pickle.loads(sent)
        with speaking(language):
            return task(tell, *given)

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(work)
    problem = ended.exception()
    if problem is None:
        return WorkerReply(status="done", what=ended.result())
    if isinstance(problem, DPWizardError):
        return WorkerReply(status="failed", what=problem)
    trace = "".join(traceback.format_exception(problem))  # a defect: told to whoever asked, who logs it
    return WorkerReply(status="broken", what=(type(problem).__name__, trace))


def _say(target: BinaryIO, answer: WorkerReply) -> None:
    target.write(pickle.dumps(answer))
    target.flush()
