"""A programme of sixty tables by mouse and keys: pasted, planned and signed; the next year begun from its record and
signed; and the ledger that shows both, and a third that would break the ceiling."""

from __future__ import annotations

import hashlib
import math
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from dpwizard.decision import assess
from dpwizard.projects.project import open_project
from dpwizard.signing import RecordFiles
from dpwizard.signing.identity import open_identity
from tests.end_to_end.test_story_approval import PASSPHRASE, make_identity, sign
from tests.ui.hands import PATIENCE, Hands
from tests.ui.test_ledger_window import drawn, read
from tests.ui.test_next_in_the_window import begin_from_verdict
from tests.ui.test_sheet_of_tables import asked, clipboard
from ui.sheets import PasteDialog

pytestmark = pytest.mark.slow  # three signatures' worth of window

TABLES = 60
WIDTHS = (12.0, 25.0)  # the margins of error asked for, of the first table and of all others


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def describe(hands: Hands) -> None:
    """Say what is published, of whom, and paste sixty tables from a spreadsheet."""
    hands.fill("$.title", "Visits to hospitals by district")
    hands.fill("$.release.description", "How many patients each hospital district treated, by disease.")
    hands.fill("$.release.unit", "one patient")
    hands.choose("$.release.neighbours", "add_remove")
    hands.fill("$.release.population", "500000")
    hands.choose("$.release.mechanism", "gaussian")
    rows = [f"District {at}\thistogram\t1\t40" for at in range(1, TABLES + 1)]
    clipboard("\r\n".join(("Table\tStatistic\tSensitivity\tCells", *rows)))
    hands.pick(hands.page.parts.many_button, "paste")
    dialog = asked(hands, PasteDialog)
    hands.wait(lambda: dialog.reading is not None)
    hands.click(dialog.add_button)
    hands.wait(lambda: len(hands.session.decision.release.parts) == TABLES)


def promise(hands: Hands) -> None:
    hands.go("adversary")
    hands.pick(hands.page.cards.add_button, "two_worlds")
    hands.fill("$.requirements[0].name", "Whoever decides about a patient")
    hands.fill("$.requirements[0].chance_without", "10")
    hands.go("profile")
    hands.fill("$.requirements[0].chance_with", "40")


def plan(hands: Hands) -> None:
    """Ask for a margin of error of every table, share the budget by needs, and take the least."""
    hands.go("accuracy")
    hands.pick(hands.page.cards.add_button, "margin_of_error")
    hands.choose("$.requirements[1].part", "District 1")
    hands.fill("$.requirements[1].half_width", str(WIDTHS[1]))
    hands.fill("$.requirements[1].z", "1.96")
    hands.pick(hands.page.cards.cards[0].more, "The same for every other table")
    assert len(hands.session.decision.requirements) == 1 + TABLES
    assert hands.page.places("$.requirements[1].half_width")
    hands.fill("$.requirements[1].half_width", str(WIDTHS[0]))  # one district is looked at more closely
    hands.choose("$.release.allocation", "needs")
    hands.bot.waitUntil(hands.page.shared.take.isVisible, timeout=PATIENCE)
    hands.click(hands.page.shared.take)


def approve(hands: Hands, why: str, target: Path, identity: Path) -> None:
    hands.go("decision")
    hands.fill("$.justification", why)
    hands.go("adversary")
    for box in tuple(hands.page.assumed.boxes.values()):
        if not box.isChecked():
            hands.click(box)
    hands.go("review")
    hands.choose("$.outcome", "approve")
    hands.settle()
    assert hands.page.missing.title.text() == "Ready to sign."
    if not identity.exists():
        make_identity(hands, identity)
    sign(hands, identity, target)
    assert hands.page.sign_form.signed.verification.ok


def test_sixty_tables_are_planned_and_signed_for_two_years_and_a_third_would_break_the_ceiling(
    empty: Hands, at_home: Path
) -> None:
    hands, office, officer = empty, at_home / "office", at_home / "officer.p12"
    office.mkdir()
    describe(hands)
    promise(hands)
    plan(hands)
    least = 0.5 * (1.96 / WIDTHS[0]) ** 2 + (TABLES - 1) * 0.5 * (1.96 / WIDTHS[1]) ** 2
    taken = math.ceil(100 * least) / 100  # the button stores the two decimals that it shows
    assert hands.session.decision.rho == taken
    approve(hands, "The least budget that keeps the margin of error of every district.", office / "first", officer)
    first = open_project(office / "first.json")

    trusted = at_home / "home" / ".config" / "dpwizard" / "trust"
    trusted.mkdir(parents=True, exist_ok=True)
    identity = open_identity(pkcs12=officer.read_bytes(), passphrase=PASSPHRASE)
    (trusted / "officer.crt").write_bytes(identity.certificate_pem())

    hands.window.save_to(at_home / "first_decision.json")  # else it asks whether to leave what is not saved
    (sheet,) = begin_from_verdict(hands, RecordFiles.beside(office / "first"), "begin_button")
    assert any("Already spent" in field for field in sheet.fields)
    new = hands.session.decision
    assert new.rho is None
    assert len(new.release.parts) == TABLES
    (earlier,) = new.release.spent  # Gaussian tables of one record together, linked by its hash
    assert earlier.rho == pytest.approx(taken)
    assert earlier.sha256 == hashlib.sha256((office / "first.json").read_bytes()).hexdigest()
    hands.go("release")
    hands.fill("$.title", "Visits to hospitals by district, the year after")
    hands.go("accuracy")
    hands.bot.waitUntil(hands.page.shared.take.isVisible, timeout=PATIENCE)
    hands.click(hands.page.shared.take)
    assert hands.session.decision.rho == taken
    approve(hands, "As last year: the same margins of error.", office / "second", officer)
    assert assess(first).accounting.rho == pytest.approx(taken)

    hands.window.menus.actions["ledger"].trigger()
    ledger = hands.window.ledger
    ledger.now = lambda: datetime(2026, 11, 23, tzinfo=UTC)
    hands.bot.waitUntil(ledger.isVisible)
    read(hands, ledger, office)
    hands.choose_in(ledger.rule, "rho")
    titles = [cells[0] for cells in ledger.table.rows()]
    assert len(titles) >= 2
    hands.type(ledger.ceiling, str(round(2.5 * least, 3)))
    hands.bot.keyClick(ledger.ceiling, Qt.Key.Key_Return)
    drawn(hands, ledger)
    assert "Over the ceiling." in ledger.total.words  # with the decision that is open as a third
    hands.click(ledger.with_decision)
    drawn(hands, ledger)
    assert "Over the ceiling." not in ledger.total.words
    hands.type(ledger.ceiling, str(round(1.5 * least, 3)))
    hands.bot.keyClick(ledger.ceiling, Qt.Key.Key_Return)
    drawn(hands, ledger)
    assert "Over the ceiling." in ledger.total.words
