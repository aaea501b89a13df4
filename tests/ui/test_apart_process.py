"""What would make the window stutter is done in another process: the same answers, stopped at once, none left over."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base import worker
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.language import speaking
from dpwizard.base.stopping import Stopped
from tests.ui.apart_tasks import break_down, count, die, never_end, refuse
from ui.workers import worker_process
from ui.workers.worker_process import Broken, Processes, WorkerProcess

pytestmark = pytest.mark.own_process

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def processes() -> Any:
    """Return processes of a test alone."""
    found = Processes(None)
    yield found
    found.close()


def test_an_answer_of_another_process_is_that_of_this_one_and_it_is_used_again(processes: Processes) -> None:
    told: list[int] = []
    doer = WorkerProcess(processes)
    with speaking("de"):
        most, language, first = doer.do(count, (3,), told.append)
    assert (most, language, told) == (3, "de", [0, 1, 2])
    assert first != os.getpid()
    assert WorkerProcess(processes).do(count, (0,), told.append) == (0, "en", first)


def test_what_is_refused_and_what_breaks_is_told_as_it_would_be_here(processes: Processes) -> None:
    doer = WorkerProcess(processes)
    with pytest.raises(InvalidInput) as found:
        doer.do(refuse, (), print)
    assert (found.value.where, found.value.hint) == ("time", "Give one.")
    assert found.value.message.figures == {"text": "now"}
    with pytest.raises(Broken) as broken:
        doer.do(break_down, (), print)
    assert type(broken.value).__name__ == "ZeroDivisionError"
    assert doer.do(count, (1,), lambda _: None)[0] == 1


def test_a_process_that_dies_takes_nothing_with_it(processes: Processes) -> None:
    with pytest.raises(DPWizardError, match="ended with status 11") as found:
        WorkerProcess(processes).do(die, (), print)
    with speaking("de"):
        assert "Status 11" in found.value.text
    assert WorkerProcess(processes).do(count, (1,), lambda _: None)[0] == 1


def test_work_that_is_stopped_ends_its_process_at_once(processes: Processes) -> None:
    doer = WorkerProcess(processes)
    begun = threading.Event()
    ended: list[BaseException] = []

    def work() -> None:
        try:
            doer.do(never_end, (), lambda _: begun.set())
        except Stopped as stopped:
            ended.append(stopped)

    thread = threading.Thread(target=work)
    thread.start()
    assert begun.wait(20)
    process = doer._at_work
    doer.stop()
    thread.join(20)
    assert len(ended) == 1
    assert process.poll() is not None
    with pytest.raises(Stopped):
        doer.do(count, (1,), print)  # it stays stopped


@pytest.mark.parametrize("command", [("/not/there",), (sys.executable, "-c", "print('blocked')")])
def test_where_no_process_may_be_started_the_work_is_done_here(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, processes: Processes
) -> None:
    monkeypatch.setattr(worker_process, "command", lambda _: list(command))
    told: list[int] = []
    assert WorkerProcess(processes).do(count, (2,), told.append) == (2, "en", os.getpid())
    assert told == [0, 1]


@pytest.mark.slow
def test_no_process_outlives_whoever_asked_it() -> None:
    code = """
import sys
from tests.ui.apart_tasks import never_end
from ui.workers.worker_process import WorkerProcess, Processes
doer = WorkerProcess(Processes(None))
import threading
progress = lambda _: print(doer._at_work.pid, flush=True)
threading.Thread(target=lambda: doer.do(never_end, (), progress), daemon=True).start()
sys.stdin.read()
import os
os._exit(0)
"""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asks:
        ends = os.pidfd_open(int(asks.stdout.readline()))
        asks.kill()
    assert select.select([ends], [], [], 20)[0]  # it has ended
    os.close(ends)


def test_a_process_that_nobody_asks_ends_by_itself() -> None:
    code = "import sys; from dpwizard.base import worker; worker.serve(sys.stdin.buffer, sys.stdout.buffer, idle=0.05)"
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert worker.next_reply(process.stdout) == worker.WorkerReply(status="ready")
        assert process.wait(20) == 0
