"""The typesetter in a process of its own."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from dpwizard.base.errors import DPWizardError, FileProblem
from dpwizard.base.language import speaking
from dpwizard.base.worker import WorkerReply
from dpwizard.records import read
from dpwizard.report import document as report
from dpwizard.report import typesetter
from ui.workers import typesetting_process, worker_process
from ui.workers.typesetting_process import typeset_in_process

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "records" / "durham.json"
REFUSED = typesetter.Job(
    form="pdf",
    inputs={"report": "no JSON"},
    seconds=0,
    dots_per_inch=96.0,
)


def printed() -> tuple[bytes, ...]:
    """Return a record as PDF and as pictures, typeset by whoever does so here."""
    made = read(GOLDEN.read_bytes())
    return report.typeset(made), *report.pictures(made)


@pytest.fixture(scope="module")
def made_here() -> tuple[bytes, ...]:
    """Return what is typeset in this process."""
    return printed()


def run_instead(*command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have COMMAND run in place of the program."""
    monkeypatch.setattr(worker_process, "command", lambda _: list(command))


@pytest.mark.slow
def test_both_processes_make_the_same_bytes(made_here: tuple[bytes, ...]) -> None:
    with typesetter.using(typeset_in_process):
        apart = printed()
    assert apart == made_here
    assert apart[0].startswith(b"%PDF-")
    assert all(page.startswith(b"\x89PNG") for page in apart[1:])
    assert len(apart) > 2


@pytest.mark.slow
def test_work_behind_the_window_never_loads_the_typesetter_into_it() -> None:
    code = """
import sys
from PySide6.QtWidgets import QApplication
from tests.ui.test_typesetting_process import printed
from ui.workers.work import Worker
app = QApplication([])
worker = Worker()
worker.done.connect(lambda made: (print(len(made[0]), "typst" in sys.modules), app.quit()))
worker.failed.connect(lambda problem: (print(problem), app.quit()))
worker.start(lambda progress: printed())
app.exec()
worker.close()
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=120
    )
    size, loaded = done.stdout.splitlines()[0].split()
    assert int(size) > 10_000
    assert loaded == "False"


def test_what_is_refused_is_refused_in_the_same_words() -> None:
    with pytest.raises(FileProblem) as here:
        typesetter.typeset_here(REFUSED)
    with pytest.raises(FileProblem) as apart:
        typeset_in_process(REFUSED)
    assert str(here.value) == str(apart.value)
    assert "cannot be typeset" in str(here.value)


def test_a_typesetter_that_dies_is_an_error_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    ready = f"import os; os.write(1, {pickle.dumps(WorkerReply(status='ready'))!r}); os.read(0, 1); os._exit(11)"
    run_instead(sys.executable, "-c", ready, monkeypatch=monkeypatch)
    with pytest.raises(DPWizardError, match="the typesetter ended with status 11") as died:
        typeset_in_process(REFUSED)
    assert not isinstance(died.value, FileProblem)  # which would be tried once more, with plainer characters
    with speaking("de"):
        assert "lässt sich nicht setzen: das Satzprogramm endete mit Status 11." in str(died.value)


@pytest.mark.slow
def test_a_typesetter_that_never_answers_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(typesetting_process, "TIME_LIMIT", 0.2)
    run_instead(sys.executable, "-c", "import threading; threading.Event().wait()", monkeypatch=monkeypatch)
    with pytest.raises(DPWizardError, match=r"no answer within 0\.2 seconds") as ended:
        typeset_in_process(REFUSED)
    with speaking("de"):
        assert "lässt sich nicht setzen: das Satzprogramm hat 0,2 Sekunden lang nicht geantwortet." in str(ended.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "command",
    [("/not/there",), (sys.executable, "-c", "print('blocked')")],
)
def test_where_no_process_may_be_started_or_live_the_window_typesets_itself(
    command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, made_here: tuple[bytes, ...]
) -> None:
    run_instead(*command, monkeypatch=monkeypatch)
    with typesetter.using(typeset_in_process):
        apart = printed()
    assert apart == made_here


def test_the_packed_window_starts_the_console_program_beside_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "dpwizard.exe"))
    assert worker_process.command("--apart")[0] == str(tmp_path / "dpwizard.exe")
    (tmp_path / "dpwizard-cli.exe").touch()
    assert worker_process.command("--apart") == [str(tmp_path / "dpwizard-cli.exe"), "--apart"]
