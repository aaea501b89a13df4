"""Processes beside the window for what would make it stutter: records verified and replayed, ledgers judged.

One that is free is used again; one that is stopped, or dies, costs nothing but its own work. Where none can be started
the work is done here.
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

APART = "--apart"  # main.py answers it
TIRED = 0  # the status with which one ends that nobody has asked for long
FREE = 1  # processes that are kept for the next task

log = logging.getLogger(__name__)


class Broken(Exception):
    """A defect of another process; it is logged, and told as one."""


class Processes(QObject):
    """The processes of one application; all end with it."""

    def __init__(self, application: QCoreApplication | None) -> None:
        super().__init__(application)
        self._lock = threading.Lock()
        self._free: list[subprocess.Popen[bytes]] = []
        if application is not None:
            application.aboutToQuit.connect(self.close)

    def take(self) -> subprocess.Popen[bytes] | None:
        """Return a process that waits for a task; None where none does."""
        with self._lock:
            while self._free:
                found = self._free.pop()
                if found.poll() is None:
                    return found
                end(found)
        return None

    def give_back(self, process: subprocess.Popen[bytes]) -> None:
        """Keep PROCESS, which is free again, for the next task."""
        with self._lock:
            if len(self._free) < FREE:
                self._free.append(process)
                return
        end(process)

    def close(self) -> None:
        """End those that are free."""
        with self._lock:
            free, self._free = self._free, []
        for process in free:
            end(process)


def processes() -> Processes:
    """Return those of this application; to be asked on the window's thread."""
    application = QCoreApplication.instance()
    found = None if application is None else application.findChild(Processes)
    return found if found is not None else Processes(application)


def begun() -> subprocess.Popen[bytes] | None:
    """Return a process that says in a moment that it is ready; None where none can be started."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        return subprocess.Popen(command(APART), stdin=pipe, stdout=pipe, stderr=nothing, creationflags=HIDDEN)
    except OSError as problem:  # an office may forbid it
        log.warning("no process beside the window: %s", problem)
        return None


def started() -> subprocess.Popen[bytes] | None:
    """Return a process that is ready; None where none can be started, or one is ended before it begins."""
    process = begun()
    if process is None:
        return None
    assert process.stdout is not None
    if worker.next_reply(process.stdout) is None:
        log.warning("a process for judging records ended before it began")
        end(process)
        return None
    return process


def end(process: subprocess.Popen[bytes]) -> None:
    """End PROCESS, whatever it does."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with_broken_pipe(pipe.close)


def with_broken_pipe(act: Any) -> bool:
    """Do ACT; return whether there was still somebody at the other end."""
    try:
        act()
    except OSError:
        return False
    return True


class WorkerProcess:
    """Does the tasks of one worker apart; stopped, it ends the process that is at work."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self._lock = threading.Lock()
        self._at_work: subprocess.Popen[bytes] | None = None
        self._stopped = False

    def do(self, task: worker.Task, given: tuple[Any, ...], tell: worker.Tell) -> Any:
        """Return what TASK makes of what it is GIVEN, done in another process; raises Stopped once it is stopped."""
        sent = worker.task_message(task, given)
        process = self._processes.take()
        answer = None if process is None else self._run(process, sent, tell)
        if answer is None and (process is None or process.returncode == TIRED) and not self._stopped:
            process = started()  # the one that was free has just ended by itself
            if process is None:
                return worker.done_here(task, given, tell)
            answer = self._run(process, sent, tell)
        if answer is not None:
            return reply_value(answer)
        if self._stopped or process is None:
            raise Stopped
        log.error("a process for judging records ended with %s", process.returncode)
        status = process.returncode
        text = message("the part of this program that judges records ended with status {status}", status=status)
        raise DPWizardError(text, "", "Try again; nothing was changed.")

    def stop(self) -> None:
        """End what is at work: nobody waits for it any more."""
        self._stopped = True
        with self._lock:
            if self._at_work is not None:
                self._at_work.kill()

    def _run(self, process: subprocess.Popen[bytes], sent: bytes, tell: worker.Tell) -> worker.WorkerReply | None:
        """Return how the work that is SENT to PROCESS ends; None where the process does not outlive it."""
        answer = None
        with self._lock:
            self._at_work = process
        if self._stopped:
            self.stop()
        try:
            answer = wait_for(process, sent, tell)
        finally:
            with self._lock:
                self._at_work = None
            if answer is not None:
                self._processes.give_back(process)
            else:
                end(process)
        return answer


def wait_for(process: subprocess.Popen[bytes], sent: bytes, tell: worker.Tell) -> worker.WorkerReply | None:
    """Return how the work SENT to PROCESS ends, None where it ends itself; TELL hears what is told meanwhile."""
    assert process.stdin is not None
    assert process.stdout is not None
    pipe = process.stdin
    if not with_broken_pipe(lambda: (pipe.write(sent), pipe.flush())):
        return None
    while True:
        answer = worker.next_reply(process.stdout)
        if answer is None or answer.status != "told":
            return answer
        tell(answer.what)


def reply_value(answer: worker.WorkerReply) -> Any:
    """Return what an ANSWER brings; raises what was raised there."""
    if answer.status == "failed":
        raise answer.what
    if answer.status == "broken":
        name, trace = answer.what
        log.error("work apart failed: %s", trace)
        raise type(name, (Broken,), {})()
    return answer.what
