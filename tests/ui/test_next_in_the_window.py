"""The next release in the window: begun from a signed record, earlier records chosen, the limits narrower, undone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from dpwizard.decision import assess
from dpwizard.signing import RecordFiles
from tests.ui import signing_hands
from tests.ui.choosers import choose_file
from tests.ui.hands import LEFT, PATIENCE, Hands
from tests.ui.test_verify_window import at_home, make_record
from ui.app.differences import NextReleaseDialog

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

TITLE = "Infant deaths in Durham County, 2020"
__all__ = ["at_home"]  # a fixture that is used here, too


def record_of_durham(folder: Path) -> RecordFiles:
    """Return the Durham decision, which counts beliefs from before all releases, approved by one person."""
    return make_record(folder, priors_from="before_all", role="approves")


def answer(hands: Hands, press: str) -> list[NextReleaseDialog]:
    """Press the button called PRESS of the sheet as soon as it is there; return what was seen of it."""
    seen: list[NextReleaseDialog] = []

    def look(sheet: NextReleaseDialog) -> None:
        seen.append(sheet)
        hands.bot.mouseClick(getattr(sheet, press), LEFT)

    hands.meet(NextReleaseDialog, look)
    return seen


def begin_from_verdict(hands: Hands, record: RecordFiles, press: str) -> list[NextReleaseDialog]:
    hands.window.verify_path(record.json)
    verdict = hands.window.verdict
    hands.bot.waitUntil(lambda: not verdict.worker.busy and verdict.found is not None, timeout=PATIENCE)
    seen = answer(hands, press)
    hands.click(verdict.next_button)
    hands.bot.waitUntil(lambda: bool(seen), timeout=PATIENCE)
    return seen


def chosen(hands: Hands, path: Path) -> str:
    """Choose the record of PATH on the budget page by real events; return what is said of it."""
    hands.go("budget")
    choice = hands.page.records
    choose_file(hands, choice.button, path)
    hands.bot.waitUntil(lambda: not choice.worker.busy and choice.button.isEnabled(), timeout=PATIENCE)
    return str(choice.says.words)


def test_a_sheet_that_is_left_changes_nothing(durham: Hands, at_home: Path) -> None:
    shown = durham.session.decision
    assert begin_from_verdict(durham, record_of_durham(at_home), "cancel_button")
    assert durham.session.decision == shown


def test_from_the_last_step_of_signing_the_next_is_begun_and_nobody_asks_whether_to_save(
    durham: Hands, at_home: Path
) -> None:
    durham.go("review")
    dialog = signing_hands.begin(durham, at_home / "first")
    signing_hands.order_identity(durham, dialog, None, "Ada")
    signing_hands.confirm(durham, dialog)
    assert durham.session.kept
    seen = answer(durham, "begin_button")
    durham.click(dialog.done_step.more.head)
    durham.click(dialog.done_step.next_button)
    durham.wait(lambda: bool(seen) and durham.page.key == "release")
    assert [one.record for one in durham.session.decision.release.spent] == [TITLE]


def test_a_record_chosen_is_an_entry_the_limit_is_narrower_and_undo_takes_it_back(durham: Hands, at_home: Path) -> None:
    durham.session.put("Count all", "$.release.priors_from", "before_all")
    shown = durham.session.decision
    assert f"{TITLE} counts with 1 entry." in chosen(durham, record_of_durham(at_home).pdf)
    assert len(durham.page.spent.forms) == 1
    before, after = assess(shown).window.upper, assess(durham.session.decision).window.upper
    assert after < before
    durham.bot.keyClick(durham.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    durham.bot.waitUntil(lambda: durham.session.decision == shown)
    assert not durham.page.spent.forms


def test_a_record_that_was_changed_is_said_and_not_counted(durham: Hands, at_home: Path) -> None:
    record = record_of_durham(at_home)
    record.json.write_bytes(record.json.read_bytes().replace(b"Durham County", b"durham County", 1))
    shown = durham.session.decision
    assert "was changed after signing" in chosen(durham, record.json)
    assert durham.session.decision == shown


def test_the_menu_asks_for_the_record_of_the_last_release(empty: Hands, at_home: Path) -> None:
    record, seen = record_of_durham(at_home), answer(empty, "begin_button")
    choose_file(empty, empty.window.menus.actions["next"].trigger, record.json)
    empty.bot.waitUntil(lambda: bool(seen), timeout=PATIENCE)
    assert [one.record for one in empty.session.decision.release.spent] == [TITLE]
