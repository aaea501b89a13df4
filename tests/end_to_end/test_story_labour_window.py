"""The labour-force programme in the window, by mouse and keys: from an empty page to a signed record and its script.

Tables, needs and the microdata's description come from files. Every click, choice and typed field is one action.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.end_to_end.newcomer import Newcomer, begin, signed
from tests.end_to_end.test_release_script import loaded
from tests.end_to_end.test_story_labour_force import check_sums, microdata
from tests.samples.labour_force import LABOUR, NEEDS, labour_csv
from tests.ui import signing_hands
from tests.ui.hands import PATIENCE, Hands
from tests.ui.test_sheet_of_tables import asked
from ui.sheets import PasteDialog
from ui.signing import ExportDialog
from ui.signing.sign_dialog import READ

pytestmark = [pytest.mark.plain_pages, pytest.mark.slow]  # a window of its own, 72 tables planned, and a signature

MOST = 40
TABLES = 72


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with the three files."""
    monkeypatch.setenv("HOME", str(tmp_path))  # where keys and records lie if nobody names another place
    for name, text in (("tables.csv", labour_csv()), ("needs.csv", NEEDS), ("data.json", json.dumps(LABOUR))):
        (tmp_path / name).write_text(text, "utf-8")
    return tmp_path


def describe(hands: Newcomer, desk: Path) -> None:
    """Say what is published, of whom, and that the tables add up."""
    page = hands.page
    hands.type(page.questions.name, "Labour force by quarter")
    hands.type(page.questions.person, "person")
    hands.click(page.technical.head)
    hands.choose("$.release.neighbours", "add_remove")
    hands.choose("$.release.mechanism", "discrete_gaussian")
    hands.choose_file(partial(hands.pick, page.parts.many_button, "open"), desk / "tables.csv")
    dialog = asked(hands, PasteDialog)
    hands.wait(lambda: dialog.reading is not None)
    hands.click(dialog.add_button)
    hands.wait(lambda: len(hands.session.decision.release.parts) == TABLES)
    hands.click(page.processing.boxes["rounding"])
    hands.choose("$.release.adding_up", "least_squares")
    periods = hands.editor("$.release.in_periods")
    assert periods.of.currentData() == "quarter"  # as the tables' periods are
    hands.type(periods.count, "2")
    hands.choose_file(hands.editor("$.release.data").load_button, desk / "data.json")
    hands.wait(lambda: hands.session.decision.release.data is not None)


def decide(hands: Newcomer, desk: Path) -> None:
    """Say what nobody may learn and how exact the numbers must be, as the steps follow, and take the least."""
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "two_worlds")
    hands.fill("$.requirements[0].chance_without", "10")
    hands.next()
    hands.fill("$.requirements[0].chance_with", "90")
    hands.go("accuracy")
    hands.choose_file(hands.page.questions.several.file_button, desk / "needs.csv")
    hands.wait(lambda: len(hands.session.decision.requirements) == 10)
    assert hands.session.decision.release.allocation == "needs"  # no table states a share
    hands.go("adversary")  # what it assumes is known once tables have shares
    hands.wait(lambda: "rounded_to_whole" in hands.page.assumed.boxes)
    hands.click(hands.page.assumed.boxes["rounded_to_whole"])
    hands.go("decision")
    hands.settle()
    hands.click(hands.page.take_lower)
    hands.settle()
    hands.fill("$.justification", "The least budget that keeps every need.")


def sign(hands: Newcomer) -> None:
    dialog = hands.page.sign_form.dialog
    hands.wait(lambda: dialog.who.role.currentIndex() >= 0)
    hands.type(dialog.who.name, "Ann Officer")
    for line in (dialog.who.first, dialog.who.again):
        hands.type(line, signing_hands.PASSPHRASE)
    with hands.bot.waitSignal(dialog.worker.done, timeout=PATIENCE):
        hands.click(dialog.next_button)
    hands.wait(lambda: dialog.step == READ)
    signing_hands.confirm(hands, dialog)


def test_a_labour_force_programme_is_signed_in_the_window_and_released_by_its_script(
    make_hands: Callable[..., Hands], desk: Path
) -> None:
    hands = begin(make_hands)
    describe(hands, desk)
    decide(hands, desk)
    hands.next()
    hands.next()
    sign(hands)
    record = next(desk.rglob("*record.json"))
    signed(hands, record)
    assert hands.actions <= MOST, hands.taken

    hands.click(hands.page.sign_form.dialog.done_step.script_button)
    dialog = asked(hands, ExportDialog)
    hands.wait(dialog.save_button.isEnabled)
    hands.choose_file(dialog.save_button, desk / "release.py")
    hands.wait((desk / "release.py").exists)  # its plan is written before it
    (desk / "data.csv").write_text(microdata(), "utf-8")
    places = [str(desk / name) for name in ("plan.json", "data.csv", "out")]
    assert loaded(desk).main([*places, "--register", str(desk / "register")]) == 0
    check_sums(desk / "out")
