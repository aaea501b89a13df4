"""After a crash: offered only when there is something to recover, said in words, and nothing deleted too early."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox, QPushButton

from dpwizard.decision import Decision, new_decision
from dpwizard.decision.edits import put
from dpwizard.projects import journal
from dpwizard.projects.project import open_project, save_project
from tests.soak import crashes
from tests.ui.hands import LEFT, PATIENCE, Hands
from ui.app.differences import RecoveryDialog

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

SEED = 20_261_122


def titled(title: str) -> Decision:
    return put(new_decision(), "$.title", title)


def crash(place: Path, title: str, file: Path | None) -> None:
    """Leave a journal at PLACE as a program would that was killed: whole, with nobody who holds it."""
    base = hashlib.sha256(file.read_bytes()).hexdigest() if file is not None else None
    place.parent.mkdir(parents=True, exist_ok=True)
    left = journal.Journal(place, file, base)
    left.write(titled(title), ("Set title",), "2026-11-21T12:00:00+01:00")
    left.leave()


def choose(hands: Hands, name: str, seen: list[list[str]]) -> None:
    """Click the button NAME of the recovery dialog that is about to be shown, and note its rows."""

    def act(dialog: RecoveryDialog) -> None:
        seen.extend(list(cells) for cells in dialog.table.rows())
        button: QPushButton = getattr(dialog, name)
        hands.bot.mouseClick(button, LEFT)

    hands.meet(RecoveryDialog, act)


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """Return a project whose last change a crash left in its journal."""
    path = tmp_path / "x.json"
    save_project(path, titled("Saved"))
    crash(journal.beside(path), "Not saved", path)
    return path


def test_what_differs_is_said_and_recovered_as_one_step(make_hands: Callable[..., Hands], left: Path) -> None:
    hands, seen = make_hands(), []
    choose(hands, "recover_button", seen)
    hands.window.open_path(left)
    assert seen == [["Title", "Saved", "Not saved"]]
    session = hands.session
    assert session.decision == titled("Not saved")
    assert session.unsaved
    assert journal.read(journal.beside(left)).decision == titled("Not saved")
    hands.window.undo()
    assert session.decision == titled("Saved")
    hands.window.documents.keeper.flush()
    assert journal.beside(left).exists()  # until it is saved, also when it was undone
    hands.window.redo()
    assert hands.window.documents.save()
    hands.window.documents.keeper.flush()
    assert open_project(left) == titled("Not saved")
    assert not journal.beside(left).exists()


def test_nothing_is_offered_where_the_journal_holds_what_the_file_holds(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    path = tmp_path / "x.json"
    save_project(path, titled("Saved"))
    crash(journal.beside(path), "Saved", path)
    hands = make_hands()
    hands.window.open_path(path)  # a dialog would wait for ever
    assert not journal.beside(path).exists()
    assert hands.window.start.left_buttons == []


def test_a_journal_cut_off_or_damaged_is_no_hindrance(make_hands: Callable[..., Hands], left: Path) -> None:
    whole = journal.beside(left).read_bytes()
    hands = make_hands()
    for content in (b"", whole[:100], whole[:-30], b"\xff" * 500):
        journal.beside(left).write_bytes(content)
        hands.window.open_path(left)
        assert hands.session.decision == titled("Saved")


@pytest.mark.own_window
def test_a_decision_that_had_no_file_is_offered_on_the_start_screen(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    place = tmp_path / "state" / "journals" / "unsaved-1-abc.journal"
    crash(place, "Never saved", None)
    hands, seen = make_hands(), []
    hands.bot.waitUntil(lambda: len(hands.window.start.left_buttons) == 1)
    choose(hands, "recover_button", seen)
    hands.click(hands.window.start.left_buttons[0])
    assert hands.session.decision == titled("Never saved")
    assert seen == [["Title", "not answered", "Never saved"]]
    assert place.exists()
    assert hands.window.save_to(tmp_path / "now.json")
    hands.window.documents.keeper.flush()
    assert not place.exists()
    assert open_project(tmp_path / "now.json") == titled("Never saved")


def test_the_journal_is_at_most_a_second_behind_while_one_drags(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    assert hands.window.save_to(tmp_path / "x.json")
    hands.go("profile")
    slider = hands.editor("$.requirements[0].profile.ratio").slider
    slider.setValue(slider.value() + 50)
    wanted = hands.session.decision
    place = journal.beside(tmp_path / "x.json")

    def written() -> bool:
        found = journal.read(place)
        return found is not None and found.decision == wanted

    hands.bot.waitUntil(written, timeout=PATIENCE)
    hands.window.undo()
    hands.bot.waitUntil(lambda: not place.exists(), timeout=PATIENCE)  # nothing to recover


@pytest.mark.own_window
def test_closing_without_saving_leaves_nothing_to_recover(durham: Hands, tmp_path: Path) -> None:
    hands = durham
    hands.fill("$.title", "Thrown away")
    hands.window.documents.keeper.flush()
    assert list((tmp_path / "state" / "journals").iterdir())
    hands.answer(QMessageBox.StandardButton.Discard)
    assert hands.window.close()
    assert not list((tmp_path / "state" / "journals").iterdir())


@pytest.mark.soak
def test_killed_at_random_moments_at_most_a_second_is_lost_and_nothing_corrupt() -> None:
    assert os.name == "posix"
    rows = list(crashes.crashes(5, SEED))
    found = crashes.total(rows)
    assert found["recovered_a_state_the_officer_had_reached"] == 5, rows
    assert found["corrupt_files"] == 0, rows
    assert found["lost_more_than_a_second"] == 0, rows
