"""Work that takes too long or too much memory ends with an error, and the next piece of work is done all the same."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import pytest

from dpwizard import records
from dpwizard.base.errors import FileChanged, InvalidInput
from dpwizard.base.messages import Quantity, message
from dpwizard.decision import DataDescription, Decision
from dpwizard.signing import bounded
from dpwizard.signing.bounded import Bounded, OutOfBounds, crew, each
from dpwizard.signing.findings import Verification
from dpwizard.signing.record_folder import READ, survey
from tests.samples.decisions import example, recorded
from tests.samples.signed_record import NOW

pytestmark = pytest.mark.own_process

QUICK = (  # it loads no more than what it is asked for
    "import sys, threading; from dpwizard.signing import bounded; bounded.SECONDS = 1; {} "
    "bounded.serve(sys.stdin.buffer, sys.stdout.buffer)"
)
NO_TIME = "bounded.SECONDS = 0;"  # the rest of a second
NO_THREAD = 'threading.Thread.start = lambda _: (_ for _ in ()).throw(RuntimeError("can\'t start new thread"));'


def started(also: str = "") -> Callable[[str], list[str]]:
    return lambda _: [sys.executable, "-c", QUICK.format(also)]


@pytest.fixture
def of_one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "command", started())


def test_processor_time_is_bounded_for_each_piece_of_work_and_waiting_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounded, "command", started(NO_TIME))
    with Bounded() as process:
        process.do(type(None), "time:sleep", 1.5)
        with pytest.raises(OutOfBounds, match="more than 30 seconds of the processor"):
            process.do(int, "builtins:pow", 7, 10**9)
        assert process.do(int, "builtins:len", "next") == 4


def test_time_by_the_clock_is_bounded_also_where_code_in_c_lets_nothing_else_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bounded, "LONGEST_WAIT", 1)
    monkeypatch.setattr(bounded, "command", started("bounded.SECONDS, bounded.LONGEST_WAIT = 60, 1;"))
    with Bounded() as process:
        for task, *given in (("time:sleep", 60), ("re:match", "(a|a)*b", "a" * 40)):
            with pytest.raises(OutOfBounds, match="it takes more than 1 seconds"):
                process.do(type(None), task, *given)
        assert process.do(int, "builtins:len", "next") == 4
        time.sleep(1.1)  # what it waits for is not counted
        assert process.do(int, "builtins:len", "after") == 5


def test_work_is_done_where_no_thread_can_start(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(bounded, "command", started(NO_THREAD))
    monkeypatch.setattr(threading.Thread, "start", refused)
    tasks = ("1", "1 + 1", "__import__('os')._exit(7)", "1 / 0", "'text'", "6")
    with crew() as processes:
        found = [str(one) for one in each(processes, int, "builtins:eval", ((task,) for task in tasks))]
    assert (found[:2], found[-1]) == (["1", "2"], "6")  # each in its place, whatever ended before it
    for one, why in zip(found[2:5], ("status 7", "ZeroDivisionError", "cannot be read"), strict=True):
        assert why in one


@pytest.mark.parametrize("less", ["", "import resource; resource.setrlimit(resource.RLIMIT_AS, (10**9, 10**9));"])
def test_memory_is_bounded_also_where_a_lower_limit_is_set_already(monkeypatch: pytest.MonkeyPatch, less: str) -> None:
    monkeypatch.setattr(bounded, "command", started(less))
    with Bounded() as process:
        with pytest.raises(OutOfBounds, match="more memory than it is allowed"):
            process.do(bytes, "builtins:bytearray", 10**9 if less else 2 * bounded.MEMORY)
        assert process.do(int, "builtins:len", "next") == 4


def test_what_a_library_prints_is_neither_this_answer_nor_the_next() -> None:
    with Bounded() as process:
        assert process.do(int, "os:write", 1, b'{"done": 7}\n') == 12
        assert process.do(int, "builtins:len", "next") == 4


def test_errors_come_back_and_an_end_without_an_answer_is_said(of_one_second: None) -> None:
    with Bounded() as process:
        with pytest.raises(InvalidInput):
            process.do(Decision, "dpwizard.decision:read_decision", {})
        with pytest.raises(OutOfBounds, match=r"failed \(ZeroDivisionError\)"):
            process.do(int, "builtins:divmod", 1, 0)
        with pytest.raises(OutOfBounds, match="ended with status 7"):
            process.do(int, "os:_exit", 7)
        assert process.do(int, "builtins:len", "next") == 4


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"{", b"[]", b"{}", b"NaN", b"[" * 100_000, b'{"broken": 1}', b'{"done": [7]}'),
        *(b'{"failed": "why"}', b'{"failed": {"$error": ["SystemExit", "why", "", ""]}}'),
        *(b'{"done": {"$bytes": "%"}}', b'{"done": {"$time": "now"}}', b'{"done": {"$message": ["why", "", "", []]}}'),
    ],
)
def test_answer_of_another_form_than_was_asked_for_counts_for_nothing(answer: bytes) -> None:
    with pytest.raises(OutOfBounds, match="gave an answer that cannot be read"):
        bounded.reply_value(int, answer)


@pytest.mark.parametrize("changed", [{"verdict": "fine"}, {"outcome": None}, {"exit_status": "0"}, {"more": 1}])
def test_verification_of_another_form_counts_for_nothing(changed: dict[str, Any]) -> None:
    found = {"verdict": "trusted", "outcome": "passed", "exit_status": 0, "sentence": message("Unchanged.")}
    assert bounded.reply_value(Verification, bounded.spelled({"done": found})).ok
    with pytest.raises(OutOfBounds, match="gave an answer that cannot be read"):
        bounded.reply_value(Verification, bounded.spelled({"done": found | changed}))


def test_errors_sentences_and_described_data_come_back_as_they_were() -> None:
    described = DataDescription.model_validate({"columns": (("age", {"of": "years", "from": (0, 18)}),)})
    assert bounded.reply_value(DataDescription, bounded.spelled({"done": described})) == described
    said = message("must be {what}", what=message("at most {limit:g}", limit=Quantity(0.5)))
    for problem in (FileChanged(said, "$.a", "Try again."), InvalidInput(said)):
        with pytest.raises(type(problem)) as caught:
            bounded.reply_value(int, bounded.spelled({"failed": problem}))
        assert caught.value.args == problem.args
        assert caught.value.scaled(100).text == problem.scaled(100).text == "must be at most 50"


def test_no_process_to_be_had_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bounded, "command", lambda _: ["/nowhere/at all"])
    with Bounded() as process, pytest.raises(OutOfBounds, match=r"no process can be started here.*second process"):
        process.do(int, "builtins:len", "")


def test_record_that_takes_for_ever_is_a_row_of_the_ledger_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_bytes(records.write(recorded(example("durham"), name)))
    whole = Bounded.ask

    def for_ever(process: Bounded, task: str, *given: Any) -> None:
        slow = task == READ and given[1].name == "a.json"
        whole(process, *(("builtins:pow", 7, 10**9) if slow else (task, *given)))

    usual, quick = bounded.command, iter([started(NO_TIME)("")])  # the first has little time
    monkeypatch.setattr(bounded, "command", lambda option: next(quick, usual(option)))
    monkeypatch.setattr(Bounded, "ask", for_ever)
    *_, last = survey(tmp_path, NOW, judge=False)
    endless, other = last.entries
    assert endless.problem.startswith("its loss cannot be computed: it takes more than 30 seconds")
    assert not other.problem
    assert other.lost.epsilon == pytest.approx(2.197224577336219)
