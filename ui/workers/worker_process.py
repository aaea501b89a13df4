"""Processes for work that would make the window stutter: records verified and recalculated, ledgers checked.

A free process is used again; if one is stopped or dies, only its own work is lost. If none can be started, the work is
done in this process.
"""

from __future__ import annotations

import logging
import subprocess
import threading
from typing import Any

from PySide6.QtCore import QCoreApplication, QObject

from dpwizard.base import worker
from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message
from dpwizard.base.starting import HIDDEN, command
from dpwizard.base.stopping import Stopped

APART = "--apart"  # the argument with which main.py starts such a process
TIRED = 0  # exit status of a process that had no task for long
MOST_FREE = 1  # processes that are kept for the next task

log = logging.getLogger(__name__)


class Broken(Exception):
    """An unexpected error in another process; its name is that of the error there."""


class Processes(QObject):
    """The free processes of one application; all end with it."""

    def __init__(self, application: QCoreApplication | None) -> None:
        super().__init__(application)
        self._lock = threading.Lock()
        self._free: list[subprocess.Popen[bytes]] = []
        if application is not None:
            application.aboutToQuit.connect(self.close)

    def take(self) -> subprocess.Popen[bytes] | None:
        """Return a free process, None if there is none."""
        with self._lock:
            while self._free:
                process = self._free.pop()
                if process.poll() is None:
                    return process
                end(process)
        return None

    def give_back(self, process: subprocess.Popen[bytes]) -> None:
        """Keep PROCESS for the next task, or end it if enough are free."""
        with self._lock:
            if len(self._free) < MOST_FREE:
                self._free.append(process)
                return
        end(process)

    def close(self) -> None:
        """End the free processes."""
        with self._lock:
            free, self._free = self._free, []
        for process in free:
            end(process)


def processes() -> Processes:
    """Return the processes of this application; call it on the window's thread."""
    application = QCoreApplication.instance()
    existing = None if application is None else application.findChild(Processes)
    return existing if existing is not None else Processes(application)


def start_process() -> subprocess.Popen[bytes] | None:
    """Return a process that will soon report that it is ready; None if it cannot be started."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command(APART), stdin=pipe, stdout=pipe, stderr=nothing, creationflags=HIDDEN)
    except OSError as problem:  # an office may forbid it
        log.warning("no process beside the window: %s", problem)
        return None


def start_ready_process() -> subprocess.Popen[bytes] | None:
    """Return a process that is ready; None if it cannot be started or ends at once."""
    process = start_process()
    if process is None:
        return None
    assert process.stdout is not None
    if worker.next_reply(process.stdout) is None:
        log.warning("a process for judging records ended before it began")
        end(process)
        return None
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """End PROCESS at once."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with_broken_pipe(pipe.close)


def with_broken_pipe(act: Any) -> bool:
    """Call ACT; return False if the pipe was broken."""
    try:
        act()
    except OSError:
        return False
    return True


class WorkerProcess:
    """Runs the tasks of one worker in another process."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._lock = threading.Lock()
        self._at_work: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def do(self, task: worker.Task, arguments: tuple[Any, ...], progress: worker.Progress) -> Any:
        """Return the result of TASK with ARGUMENTS from another process; raises Stopped if it is stopped meanwhile."""
        message_bytes = worker.task_message(task, arguments)
        process = self._processes.take()
        answer = None if process is None else self._run_task(process, message_bytes, progress)
        if answer is None and (process is None or process.returncode == TIRED) and not self._stopped:
            process = start_ready_process()  # the one that was free has just ended by itself
            if process is None:
                return worker.run_here(task, arguments, progress)
            answer = self._run_task(process, message_bytes, progress)
        if answer is not None:
            return reply_value(answer)
        if self._stopped or process is None:
            raise Stopped
        log.error("a process for judging records ended with %s", process.returncode)
        status = process.returncode
        text = message("the process that checks records ended with status {status}", status=status)
        raise DPWizardError(text, "", "Try again; nothing was changed.")

    def stop(self) -> None:
        """End the process that is working."""
        self._stopped = True
        with self._lock:
            if self._at_work is not None:
                self._at_work.kill()

    def _run_task(
        self, process: subprocess.Popen[bytes], sent: bytes, progress: worker.Progress
    ) -> worker.WorkerReply | None:
        """Return the reply of PROCESS to the message SENT; None if the process ends first."""
        answer = None
        with self._lock:
            self._at_work = process
        if self._stopped:
            self.stop()
        try:
            answer = wait_for(process, sent, progress)
        finally:
            with self._lock:
                self._at_work = None
            if answer is not None:
                self._processes.give_back(process)
            else:
                end(process)
        return answer


def wait_for(process: subprocess.Popen[bytes], sent: bytes, progress: worker.Progress) -> worker.WorkerReply | None:
    """Return the reply of PROCESS to the message SENT, None if it ends first; call PROGRESS meanwhile."""
    assert process.stdin is not None
    assert process.stdout is not None
    pipe = process.stdin
    if not with_broken_pipe(lambda: (pipe.write(sent), pipe.flush())):
        return None
    while True:
        answer = worker.next_reply(process.stdout)
        if answer is None or answer.status != "progress":
            return answer
        progress(answer.what)


def reply_value(answer: worker.WorkerReply) -> Any:
    """Return the value of ANSWER, or raise its error."""
    if answer.status == "failed":
        raise answer.what
    if answer.status == "broken":
        name, trace = answer.what
        log.error("work apart failed: %s", trace)
        raise type(name, (Broken,), {})()
    return answer.what
