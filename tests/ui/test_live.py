"""The live solver: newest wins, the last shown is the last edited, nobody starves, and a failure is said."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from dpwizard.base import files
from dpwizard.base.stopping import Stopped, may_stop
from dpwizard.base.values import read
from dpwizard.charts import Picture, picture
from dpwizard.decision import Decision, edits, new_decision
from tests.samples.decisions import decided
from tests.ui.hands import PATIENCE, Hands
from ui.workers import LiveSolver, Worker, live

pytestmark = pytest.mark.one_window

SOON = 20  # milliseconds in which what a thread tells arrives

GUESS = {"prior": {"family": "normal", "mean": 0.0, "sd": 1.0}, "truth": "worst", "precision": 1.0, "effect": 1.0}
LENGTHY = {"kind": "guessing_advantage", "attributes": [GUESS], "combine": "one", "advantage": 0.1}


@pytest.fixture
def solver(qtbot: QtBot) -> Iterator[LiveSolver]:
    made = LiveSolver()
    yield made
    made.close()


def decisions(count: int) -> list[Decision]:
    return [edits.put(new_decision(), "$.epsilon", float(number + 1)) for number in range(count)]


class Gate:
    """Stands in for the solving: each solve waits until it is let through, and is written down."""

    def __init__(self) -> None:
        self.solved: list[float | None] = []
        self.entered = threading.Semaphore(0)
        self.let = threading.Semaphore(0)

    def __call__(self, decision: Decision, previous: Picture | None = None) -> Picture:
        self.entered.release()
        assert self.let.acquire(timeout=PATIENCE / 1000)
        self.solved.append(decision.epsilon)
        return picture(decision, previous)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    made = Gate()
    monkeypatch.setattr(live, "picture", made)
    return made


def test_while_one_is_solved_only_the_newest_waits(qtbot: QtBot, gate: Gate, solver: LiveSolver) -> None:
    shown: list[float | None] = []
    solver.solved.connect(lambda decision, _: shown.append(decision.epsilon))
    first, *others = decisions(6)
    solver.request(first)
    assert gate.entered.acquire(timeout=PATIENCE / 1000)
    for decision in others:
        solver.request(decision)
    assert solver.behind
    gate.let.release()
    gate.let.release()
    qtbot.waitUntil(lambda: not solver.behind, timeout=PATIENCE)
    assert gate.solved == [1.0, 6.0]
    assert shown == [1.0, 6.0]  # the running one was finished and shown: nobody starves


def test_an_edit_and_its_undo_are_answered_by_the_decision_as_it_stands(
    qtbot: QtBot, gate: Gate, solver: LiveSolver
) -> None:
    shown: list[float | None] = []
    solver.solved.connect(lambda decision, _: shown.append(decision.epsilon))
    one, two = decisions(2)
    solver.request(one)
    assert gate.entered.acquire(timeout=PATIENCE / 1000)
    solver.request(two)
    solver.request(one)  # back again while it is still being solved
    for _ in range(3):
        gate.let.release()
    qtbot.waitUntil(lambda: not solver.behind, timeout=PATIENCE)
    assert shown[-1] == 1.0


@pytest.mark.slow
def test_a_long_answer_is_given_up_once_another_is_asked_and_not_for_an_edit_beside_it(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, solver: LiveSolver
) -> None:
    entered, given_up = threading.Semaphore(0), []

    def endless(decision: Decision, previous: Picture | None = None) -> Picture:
        if decision.epsilon == 3.0:
            return picture(decision, previous)
        entered.release()
        try:
            for _ in range(PATIENCE):
                may_stop()
                time.sleep(0.001)
        except Stopped:
            given_up.append(decision.title)
            raise
        pytest.fail("was not given up")

    monkeypatch.setattr(live, "picture", endless)
    slow = decided(LENGTHY, epsilon=1.0)
    solver.request(slow)
    assert entered.acquire(timeout=PATIENCE / 1000)
    solver.request(edits.put(slow, "$.title", "renamed"))
    qtbot.wait(50)
    assert not given_up  # its answer serves the renamed one, too
    other = edits.put(edits.put(slow, "$.requirements[0].advantage", 0.2), "$.epsilon", 3.0)
    with qtbot.waitSignal(solver.solved, timeout=PATIENCE) as said:
        solver.request(other)
    assert given_up == ["A test"]
    assert said.args[0] == other


def test_a_failure_is_said_and_the_next_edit_is_solved(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, solver: LiveSolver
) -> None:
    one, two = decisions(2)

    def failing(decision: Decision, previous: Picture | None = None) -> Picture:
        if decision is one:
            raise ArithmeticError("a defect")
        return picture(decision, previous)

    monkeypatch.setattr(live, "picture", failing)
    with qtbot.waitSignal(solver.failed, timeout=PATIENCE) as said:
        solver.request(one)
    assert said.args == [one, "a defect"]
    with qtbot.waitSignal(solver.solved, timeout=PATIENCE):
        solver.request(two)


@pytest.mark.slow
def test_panels_are_grey_and_the_foot_says_so_while_what_they_show_is_old(
    durham: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = durham.go("profile")
    panel = hands.page.curve_panels[0]

    def failing(decision: Decision, previous: Picture | None = None) -> Picture:
        raise ArithmeticError("a defect")

    monkeypatch.setattr(live, "picture", failing)
    with hands.bot.waitSignal(hands.wizard.solver.failed, timeout=PATIENCE):
        hands.fill("$.requirements[0].profile.ratio", "7")
    assert panel.stale
    assert hands.wizard.footer.words.text() == "not computed"
    assert "a defect" in hands.wizard.footer.words.toolTip()
    monkeypatch.setattr(live, "picture", picture)
    hands.fill("$.requirements[0].profile.ratio", "8")
    hands.settle()
    assert not panel.stale
    assert panel.shown.decision == hands.session.decision


def searched(advantage: float) -> Decision:
    """Return a decision with a quick requirement and one whose worst victim is searched for."""
    quick = {"kind": "relative_risk", "name": "Quick", "adversary": "inclusion", "p": [0.01, 1], "q": 1}
    quick["profile"] = {"shape": "constant", "ratio": 3}
    belief = {"prior": {"family": "normal", "mean": 3, "sd": 2}, "truth": "worst", "precision": 1, "effect": 1}
    slow = {"kind": "guessing_advantage", "name": "Slow", "attributes": [belief], "advantage": advantage}
    release = {
        "statistic": "sum",
        "neighbours": "add_remove",
        "sensitivity": 1,
        "mechanism": "laplace",
        "unit": "one person",
    }
    raw = {"format": "dpwizard.decision/1", "release": release, "requirements": [quick, slow], "epsilon": 0.5}
    return read(Decision, raw, "$")


@pytest.mark.slow
def test_a_draft_without_the_slow_answers_comes_while_they_are_solved(
    qtbot: QtBot, gate: Gate, solver: LiveSolver
) -> None:
    decision = searched(0.1)
    with qtbot.waitSignal(solver.drafted, timeout=PATIENCE) as sketched:
        solver.request(decision)
    asked, found = sketched.args
    quick, slow = found.assessment.answers
    assert asked is decision
    assert found.assessment.pending == (1,)
    assert (quick.status, slow.status, slow.why.key) == ("allowed", "unanswered", "computing")
    assert found.assessment.window.binds_upper is None  # the slow one may bind instead
    assert solver.behind
    with qtbot.waitSignal(solver.solved, timeout=PATIENCE) as final:
        gate.let.release()
    assert [answer.status for answer in final.args[1].assessment.answers] == ["allowed", "allowed"]
    assert final.args[1].assessment.answers[0] == quick


@pytest.mark.slow
def test_what_is_solved_after_the_draft_of_a_newer_edit_is_told_apart(
    qtbot: QtBot, gate: Gate, solver: LiveSolver
) -> None:
    shown: list[float | None] = []
    drafts: list[float | None] = []  # what of a newer edit is known as each one is solved

    def note(decision: Decision, _: Picture) -> None:
        shown.append(decision.epsilon)
        drafts.append(solver.draft[0].epsilon if solver.draft is not None else None)

    solver.solved.connect(note)
    first = searched(0.1)
    with qtbot.waitSignal(solver.drafted, timeout=PATIENCE):
        solver.request(first)
    with qtbot.waitSignal(solver.drafted, timeout=PATIENCE):
        solver.request(edits.put(first, "$.epsilon", 0.25))  # what takes long is the same, and goes on
    for _ in range(2):
        gate.let.release()
    qtbot.waitUntil(lambda: not solver.behind, timeout=PATIENCE)
    assert shown == [0.5, 0.25]
    assert drafts == [0.25, None]  # newer figures stand on the screen already: the first takes none of them back


@pytest.mark.slow
def test_a_card_whose_answer_is_being_computed_is_grey_and_the_quick_ones_are_not(
    durham: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = durham
    hands.session.start(searched(0.1))
    hands.go("profile").settle()
    quick, slow = hands.page.cards.cards
    before = slow.says.words
    made = Gate()
    monkeypatch.setattr(live, "picture", made)
    with hands.bot.waitSignal(hands.wizard.solver.drafted, timeout=PATIENCE):
        hands.fill("$.requirements[1].advantage", "20 %")
    assert not slow.says.isEnabled()
    assert slow.says.words == before
    assert quick.says.isEnabled()
    with hands.bot.waitSignal(hands.wizard.solver.solved, timeout=PATIENCE):
        for _ in range(8):
            made.let.release()
    hands.bot.waitUntil(lambda: slow.says.isEnabled() and slow.says.words != before, timeout=PATIENCE)


def test_a_solver_that_is_left_keeps_nobody_waiting_tells_nobody_and_goes(qtbot: QtBot, gate: Gate) -> None:
    solver, told = LiveSolver(), []
    solver.solved.connect(lambda *given: told.append(given))
    solver.request(decisions(1)[0])
    assert gate.entered.acquire(timeout=PATIENCE / 1000)
    with qtbot.waitSignal(solver.destroyed, timeout=PATIENCE):
        solver.close(wait=False)
        solver.close()  # would wait for ever for the running one
        solver.deleteLater()
        gate.let.release()
    qtbot.waitUntil(lambda: gate.solved == [1.0], timeout=PATIENCE)
    assert told == []


def test_what_makes_the_window_wait_is_found_in_every_test() -> None:
    window = {"__name__": "ui.pages", "files": files, "place": __file__}
    with pytest.raises(AssertionError, match="read_bytes makes the window wait"):
        exec("files.read_bytes(place)", window)


def test_whoever_is_deleted_while_a_job_of_theirs_runs_is_told_nothing_and_the_job_ends(qtbot: QtBot) -> None:
    asker = QWidget()
    worker = Worker(asker)
    told: list[object] = []
    entered, let, ended = threading.Event(), threading.Event(), threading.Event()

    def job(tell: Callable[[object], None]) -> None:
        entered.set()
        assert let.wait(PATIENCE / 1000)
        tell("a stage")
        ended.set()

    for signal in (worker.progressed, worker.done, worker.failed):
        signal.connect(told.append)
    worker.start(job, told.append, told.append)
    assert entered.wait(PATIENCE / 1000)
    with qtbot.waitSignal(worker.destroyed):
        asker.deleteLater()
    let.set()
    qtbot.waitUntil(ended.is_set, timeout=PATIENCE)
    qtbot.wait(SOON)
    assert told == []


def test_what_was_asked_of_a_decision_that_is_left_is_told_to_nobody(
    qtbot: QtBot, gate: Gate, solver: LiveSolver
) -> None:
    told: list[float | None] = []
    solver.solved.connect(lambda decision, _: told.append(decision.epsilon))
    left, following = decisions(2)
    solver.request(left)
    assert gate.entered.acquire(timeout=PATIENCE / 1000)
    solver.forget()
    solver.request(following)
    gate.let.release()
    gate.let.release()
    qtbot.waitUntil(lambda: told[-1:] == [2.0], timeout=PATIENCE)
    assert told == [2.0]
