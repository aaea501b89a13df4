"""Running long tasks in another process of this program.

    with using(runner):              # set by the window
        run_in_worker(task, *given)  # without a runner, runs in this process

A task is a function of a module. Its first argument is a function to report progress with. Arguments, progress and
results are pickled, and sent through pipes that no other process holds.
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

Progress = Callable[[Any], None]
Task = Callable[..., Any]
Runner = Callable[[Task, tuple[Any, ...], Progress], Any]
LENGTH = 8  # bytes of the length of a task
IDLE = 60.0  # seconds without a task after which a worker ends


@dataclass(frozen=True, kw_only=True)
class WorkerReply:
    """A message of a worker process: that it is ready, its progress, or the result of its task."""

    status: str  # "ready", "progress", "done", "failed" or "broken"
    what: Any = None


def run_here(task: Task, given: tuple[Any, ...], progress: Progress) -> Any:
    """Run TASK on the arguments GIVEN in this process, and return its result."""
    return task(progress, *given)


_CURRENT: ContextVar[Runner] = ContextVar("runner", default=run_here)


def run_in_worker(task: Task, *given: Any, progress: Progress = lambda _: None) -> Any:
    """Run TASK on the arguments GIVEN with the current runner, and return its result."""
    return _CURRENT.get()(task, given, progress)


@contextlib.contextmanager
def using(runner: Runner) -> Iterator[None]:
    """Use RUNNER for all tasks inside the block."""
    token = _CURRENT.set(runner)
    try:
        yield
    finally:
        _CURRENT.reset(token)


# ------------------------------------------------------------------------------ between two processes


def task_message(task: Task, given: tuple[Any, ...]) -> bytes:
    """Return TASK, the arguments GIVEN and the current language as bytes to send to a worker."""
    sent = pickle.dumps((task, given, spoken()))
    return len(sent).to_bytes(LENGTH, "big") + sent


def next_reply(source: IO[bytes]) -> WorkerReply | None:
    """Return the next reply of a worker; None if it has ended."""
    try:
        reply = pickle.load(source)
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        return None
    return reply if type(reply) is WorkerReply else None


def serve(source: BinaryIO, target: BinaryIO, idle: float = IDLE) -> NoReturn:
    """Run the tasks read from SOURCE, one by one; end when it is closed, or after IDLE seconds without a task."""
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(OSError):
            while size := source.read(LENGTH):
                tasks.put(source.read(int.from_bytes(size, "big")))
        os._exit(0)  # the other process has ended

    threading.Thread(target=listen, daemon=True).start()
    _send(target, WorkerReply(status="ready"))
    while True:
        try:
            sent = tasks.get(timeout=idle)
        except queue.Empty:
            os._exit(0)
        _send(target, _reply(sent, lambda what: _send(target, WorkerReply(status="progress", what=what))))


def _reply(sent: bytes, progress: Progress) -> WorkerReply:
    def work() -> Any:
        task, given, language = pickle.loads(sent)
        with speaking(language):
            return task(progress, *given)

    with ThreadPoolExecutor(1) as pool:
        ended = pool.submit(work)
    problem = ended.exception()
    if problem is None:
        return WorkerReply(status="done", what=ended.result())
    if isinstance(problem, DPWizardError):
        return WorkerReply(status="failed", what=problem)
    trace = "".join(traceback.format_exception(problem))  # a defect, for the other process to log
    return WorkerReply(status="broken", what=(type(problem).__name__, trace))


def _send(target: BinaryIO, reply: WorkerReply) -> None:
    target.write(pickle.dumps(reply))
    target.flush()
