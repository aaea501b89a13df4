"""The office's ledger in the window: read at once, judged behind it, sorted, counted in rho, set against a ceiling."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from shiboken6 import isValid

from dpwizard import records
from dpwizard.decision import read_decision
from dpwizard.records import write
from dpwizard.signing import RecordFiles, record_folder, signing
from tests.samples.decisions import STATED, example, recorded
from tests.samples.signed_record import people
from tests.ui.hands import PATIENCE, Hands
from ui.signing.ledger_dialog import LedgerDialog

pytestmark = [pytest.mark.one_window, pytest.mark.slow]  # windows, signatures

HOSTILE = "<img src=x> <b>Deaths</b>\nin Durham"


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own, in which Ann is trusted."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    trusted = tmp_path / "home" / ".config" / "dpwizard" / "trust"
    trusted.mkdir(parents=True)
    (trusted / "ann.crt").write_bytes(people()[0].certificate_pem())
    return tmp_path


@pytest.fixture(scope="module")
def signed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("signed")
    signature = signing.SigningRequest(
        identity=people()[0], role="proposes", verdict="approve", comment="", stated=STATED
    )
    signing.sign_new(read_decision(example("durham")), RecordFiles.beside(folder / "r"), signature)
    return folder


def draft(folder: Path, name: str, epsilon: float, title: str, day: str) -> None:
    """Put a record into FOLDER that nobody signed."""
    raw = example("durham", epsilon=epsilon, title=title)
    raw["details"]["publication_date"] = day
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_bytes(records.write(recorded(raw, name)))


@pytest.fixture
def office(at_home: Path, signed: Path) -> Path:
    """Return a folder with a signed record and two that nobody signed."""
    shutil.copytree(signed, at_home / "office")
    draft(at_home / "office", "b", 0.5, HOSTILE, "2025-03-01")
    draft(at_home / "office", "c", 1.5, "Births", "2027-03-01")
    return at_home / "office"


@pytest.fixture
def shown(durham: Hands) -> Iterator[LedgerDialog]:
    """Yield the ledger, opened from the menu."""
    durham.window.menus.actions["ledger"].trigger()
    dialog = durham.window.ledger
    dialog.now = lambda: datetime(2026, 11, 23, tzinfo=UTC)
    durham.bot.waitUntil(dialog.isVisible)
    yield dialog
    if isValid(dialog):
        dialog.close()


def read(hands: Hands, dialog: LedgerDialog, folder: Path) -> None:
    """Type FOLDER, press Enter, and wait until all is judged."""
    hands.type(dialog.folder.line, str(folder))
    with hands.bot.waitSignal(dialog.worker.done, timeout=PATIENCE):
        hands.bot.keyClick(dialog.folder.line, Qt.Key.Key_Return)
    drawn(hands, dialog)


def drawn(hands: Hands, dialog: LedgerDialog) -> None:
    """Wait until what was chosen is drawn."""
    hands.bot.waitUntil(lambda: not dialog.drawer.busy, timeout=PATIENCE)


def column(dialog: LedgerDialog, number: int) -> list[str]:
    return [cells[number] for cells in dialog.table.rows()]


def test_a_folder_is_a_table_its_totals_and_a_picture(durham: Hands, shown: LedgerDialog, office: Path) -> None:
    read(durham, shown, office)
    assert "Records: 3 (not signed 2, unchanged 1)." in shown.says.words
    assert column(shown, 1) == ["2025-03-01", "2026-11-21", "2027-03-01", ""]
    assert column(shown, 2) == ["not signed", "unchanged", "not signed", "planned"]
    assert column(shown, 3)[1] == "Valid: unchanged, and every signer is trusted here"
    assert shown.table.y() < shown.plot.y()  # many rows are seen without scrolling to them
    assert "Epsilon, added up: 6.40." in shown.total.words
    assert "Records without a trusted signature: 2." in shown.total.words
    (chart,) = shown.figure.plots if shown.figure is not None else ()
    assert [bars.y[-1] for bars in chart.bars[1:]] == pytest.approx([2.6972, 4.1972, 6.3944], abs=1e-3)
    assert shown.plot.isVisible()
    durham.click(shown.with_decision)
    drawn(durham, shown)
    assert "Epsilon, added up: 4.20." in shown.total.words
    assert column(shown, 2) == ["not signed", "unchanged", "not signed"]


def test_rho_and_a_ceiling_are_chosen_by_hand(durham: Hands, shown: LedgerDialog, office: Path) -> None:
    read(durham, shown, office)
    durham.type(shown.ceiling, "7")
    durham.bot.keyClick(shown.ceiling, Qt.Key.Key_Return)
    drawn(durham, shown)
    assert "Whether the total is within the ceiling is not known." in shown.total.words
    durham.type(shown.ceiling, "5")
    durham.bot.keyClick(shown.ceiling, Qt.Key.Key_Return)
    drawn(durham, shown)
    assert "Over the ceiling." in shown.total.words
    durham.choose_in(shown.rule, "rho")
    drawn(durham, shown)
    assert shown.figure.plots[0].y.title == "rho, added up"
    durham.type(shown.ceiling, "a few")
    durham.bot.keyClick(shown.ceiling, Qt.Key.Key_Return)
    drawn(durham, shown)
    assert shown.ceiling.property("wrong")
    assert "a few" in shown.ceiling.toolTip()
    assert "ceiling" not in shown.total.words


def test_what_somebody_typed_is_shown_as_it_is(durham: Hands, shown: LedgerDialog, office: Path) -> None:
    read(durham, shown, office)
    assert HOSTILE in column(shown, 0)
    model = shown.table.rows_model
    assert "&lt;img src=x&gt;" in model.data(model.index(0, 0), Qt.ItemDataRole.ToolTipRole)
    durham.click(shown.copy_button)
    lines = QGuiApplication.clipboard().text().splitlines()
    assert any(line.startswith("<img src=x> <b>Deaths</b> in Durham\t2025-03-01") for line in lines)


def test_a_row_leads_to_its_record(durham: Hands, shown: LedgerDialog, office: Path) -> None:
    read(durham, shown, office)
    asked: list[str] = []
    shown.verify.disconnect()
    shown.verify.connect(asked.append)
    for row, standing in enumerate(column(shown, 2)):
        shown.table.choose(row)
        durham.bot.keyClick(shown.table, Qt.Key.Key_Return)
        assert (len(asked) == row + 1) == (standing != "planned")
    assert asked[1] == str(office / "r.json")


def test_what_is_no_folder_and_an_empty_one_are_said(durham: Hands, shown: LedgerDialog, at_home: Path) -> None:
    assert not shown.table.isVisible()
    for typed in ("", str(at_home / "none"), "long" * 100):
        durham.type(shown.folder.line, typed)
        durham.click(shown.start_button)
        assert "Choose the folder" in shown.says.words
    (at_home / "empty").mkdir()
    read(durham, shown, at_home / "empty")
    assert shown.says.words == "There is no record in this folder or below it."
    assert column(shown, 2) == ["planned"]


def test_all_is_shown_before_all_is_judged_and_reading_can_be_stopped(
    durham: Hands, shown: LedgerDialog, office: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stopped, read_ledger = threading.Event(), record_folder.read_ledger

    def held(tell: Callable[[Any], None], *given: Any) -> Any:
        def told(what: Any) -> None:
            tell(what)
            if what[1] is not None:  # all is shown; it is judged once stop was clicked
                assert stopped.wait(PATIENCE / 1_000)

        return read_ledger(told, *given)

    monkeypatch.setattr(record_folder, "read_ledger", held)
    durham.type(shown.folder.line, str(office))
    durham.click(shown.start_button)
    durham.bot.waitUntil(lambda: len(shown.table.rows()) == 4, timeout=PATIENCE)
    assert "not checked yet" in shown.says.words
    with durham.bot.waitSignal(shown.worker.failed, timeout=PATIENCE):
        durham.click(shown.stages.stop_button)
        stopped.set()
    assert "stopped" in shown.says.words
    assert len(shown.table.rows()) == 4


def test_a_ledger_that_is_closed_while_it_reads_leaves_nothing_behind(
    durham: Hands, shown: LedgerDialog, office: Path
) -> None:
    durham.type(shown.folder.line, str(office))
    durham.click(shown.start_button)
    gone: list[bool] = []
    shown.worker.destroyed.connect(lambda: gone.append(True))
    durham.click(shown.close_button)
    durham.bot.waitUntil(lambda: bool(gone), timeout=PATIENCE)


def test_a_ledger_of_records_in_rho_begins_in_rho_and_no_window_outgrows_its_screen(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands = make_hands("gaussian_clinic", own=True)
    made = recorded(example("gaussian_clinic"))
    (at_home / "rho").mkdir()
    (at_home / "rho" / "a.json").write_bytes(write(made))
    hands.window.show_ledger()
    dialog = hands.window.ledger
    read(hands, dialog, at_home / "rho")
    assert dialog.rule.currentData() == "rho"
    assert dialog.height() <= dialog.screen().availableSize().height()
    hands.choose_in(dialog.rule, "epsilon")
    dialog.rule.activated.emit(dialog.rule.currentIndex())
    drawn(hands, dialog)
    assert dialog.rule.currentData() == "epsilon"  # what was chosen stays
    dialog.close()
