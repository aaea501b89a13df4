"""Verifying in the window: a dropped record judged in a sentence, trust, replay, time-stamp, the archive, and
exports."""

from __future__ import annotations

import functools
import hashlib
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from dpwizard.decision import Decision, edits
from dpwizard.projects.project import open_project
from dpwizard.records.record import Stated
from dpwizard.signing import RecordFiles, record_files
from dpwizard.signing.certificates import read_trust
from dpwizard.signing.record_files import Signature
from tests.samples.signed_record import certificate, person
from tests.ui.choosers import choose_file
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import LEFT, PATIENCE, Hands
from ui.signing.trust_dialog import in_groups

pytestmark = pytest.mark.slow  # windows, signatures, archives

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
REGISTRY = {
    "curators": ("County",),
    "intended_use": "Planning",
    "product_type": "Summary statistics",
    "region": "Durham",
    "publication_date": "2026-12-01",
}
ann = functools.cache(lambda: person("Ann Officer"))


@pytest.fixture(autouse=True)
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own; nobody is trusted in it yet."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path


def make_record(folder: Path, name: str = "durham", **details: object) -> RecordFiles:
    """Return the Durham decision signed by one person, with more particulars."""
    decision: Decision = open_project(EXAMPLES / "durham.json")
    for field, value in details.items():
        decision = edits.put(decision, f"$.details.{field}", value)
    folder.mkdir(exist_ok=True)
    place = RecordFiles.beside(folder / name)
    stated = Stated(time=NOW, source="signer")
    record_files.sign_new(
        decision, place, Signature(identity=ann(), role="proposes", verdict="approve", comment="Seen.", stated=stated)
    )
    return place


def drop(widget: QWidget, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    hand = (Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    entering = QDragEnterEvent(QPoint(20, 20), *hand)
    QApplication.sendEvent(widget, entering)
    assert entering.isAccepted()
    QApplication.sendEvent(widget, QDropEvent(QPointF(20, 20), *hand))


def judged(hands: Hands) -> object:
    """Wait until the dialog has judged; return it."""
    dialog = hands.window.verdict
    hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
    return dialog


def test_a_dropped_record_is_judged_in_a_sentence_and_all_of_it_can_be_copied(durham: Hands, at_home: Path) -> None:
    hands = durham
    place = make_record(at_home)
    drop(hands.window, place.pdf)
    dialog = judged(hands)
    assert dialog.heading.text() == "As signed; identity not established"
    assert "Ann Officer (proposes" in dialog.sentence.text()
    hands.click(dialog.copy_button)
    copied = QGuiApplication.clipboard().text()
    for words in (
        "say the same",
        "Nothing was appended",
        "Covers the JSON file and the first",
        "Comment: Seen.",
        "the signer's own claim",
    ):
        assert words in copied
    assert dialog.found.signers[0].certificate.fingerprint in copied
    assert dialog.found.json_sha256 in copied


def test_a_changed_record_dropped_on_the_dialog_is_called_changed(durham: Hands, at_home: Path) -> None:
    hands = durham
    place, other = make_record(at_home), make_record(at_home / "more", "other")
    content = bytearray(other.json.read_bytes())
    content[200] ^= 1
    other.json.write_bytes(bytes(content))
    hands.window.verify_path(place.json)
    dialog = judged(hands)
    assert dialog.found.ok
    drop(dialog, other.json)
    judged(hands)
    assert dialog.heading.text() == "Not as signed"
    assert dialog.mark.text() == "✗"
    choose_file(hands, dialog.other_button, place.pdf)
    judged(hands)
    assert dialog.found.ok
    appended = place.pdf.read_bytes() + b"% one more line\n"
    place.pdf.write_bytes(appended)
    dialog.judge(place.pdf)
    judged(hands)
    hands.click(dialog.copy_button)
    assert "✗  Something was appended" in QGuiApplication.clipboard().text()


def test_a_file_that_is_no_record_is_said_to_be_none(durham: Hands, at_home: Path) -> None:
    durham.window.verify_path(at_home / "nothing.json")
    dialog = judged(durham)
    assert dialog.heading.text() == "This record cannot be judged"
    assert "no record lies here" in dialog.sentence.text()


def test_a_certificate_is_trusted_with_two_clicks_and_the_record_judged_again(durham: Hands, at_home: Path) -> None:
    hands = durham
    hands.window.verify_path(make_record(at_home).json)
    dialog = judged(hands)
    (button,) = dialog.trust_buttons
    hands.click(button)
    assert dialog.found.verdict == "unchanged"  # one click only asks
    assert "Ann Officer" in button.text()
    hands.click(button)
    judged(hands)
    assert dialog.found.verdict == "trusted"
    assert dialog.trust_buttons == []
    assert len(list(record_files.user_trust().iterdir())) == 1


def test_a_certificate_file_is_added_to_the_trusted_ones_and_a_key_is_not(durham: Hands, at_home: Path) -> None:
    hands = durham
    (at_home / "ann.pem").write_bytes(ann().certificate_pem())
    (at_home / "key.pem").write_text("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n")
    hands.window.verify_path(make_record(at_home).json)
    dialog = judged(hands)
    hands.click(dialog.trust_button)
    choose_file(hands, dialog.trust.add_button, at_home / "key.pem")
    hands.wait(lambda: "holds a private key" in dialog.trust.says.words)
    choose_file(hands, dialog.trust.add_button, at_home / "ann.pem")
    hands.click(dialog.trust.trust_button)
    hands.wait(lambda: "Added as" in dialog.trust.says.words)
    hands.click(dialog.trust.close_button)
    judged(hands)
    assert dialog.found.verdict == "trusted"


def test_every_certificate_of_a_bundle_is_shown_with_its_fingerprint_before_it_is_trusted(
    durham: Hands, at_home: Path
) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    above = certificate(key, "County Root", authority=True).public_bytes(Encoding.PEM)
    bundle = at_home / "bundle.pem"
    bundle.write_bytes(ann().certificate_pem() + above)
    durham.window.show_trust()
    dialog = durham.window.trust
    choose_file(durham, dialog.add_button, bundle)
    durham.wait(dialog.trust_button.isVisible)
    shown = "\n".join(label.text() for label in dialog.area.findChildren(QLabel) if label.isVisible())
    for der in read_trust(files=(bundle.read_bytes(),)).certificates:
        assert in_groups(hashlib.sha256(der).hexdigest()) in shown
    assert shown.count("an authority: everybody it vouches for is trusted with it") == 1
    assert "2 fingerprints" in dialog.trust_button.text()
    durham.click(dialog.cancel_button)
    assert record_files.trust_places() == ()  # nothing was written
    durham.wait(lambda: not dialog.trust_button.isVisible())
    choose_file(durham, dialog.add_button, bundle)
    durham.wait(dialog.trust_button.isVisible)
    bundle.write_bytes(above)  # what was shown is added, not what lies there later
    with durham.bot.waitSignal(dialog.changed):
        durham.click(dialog.trust_button)
    (folder,) = record_files.trust_places()
    (added,) = folder.iterdir()
    assert len(read_trust(files=(added.read_bytes(),)).certificates) == 2


def test_a_record_is_solved_again_from_its_verdict(durham: Hands, at_home: Path) -> None:
    hands = durham
    place = make_record(at_home, review_date="2026-02-01")
    hands.window.verify_path(place.json)
    dialog = judged(hands)
    dialog.now = dialog.replay.now = lambda: NOW
    with hands.bot.waitSignal(dialog.replay.worker.done, timeout=PATIENCE):
        hands.click(dialog.replay.button)
    assert "Every number is met again" in dialog.replay.says.text()
    assert "Due for review since 2026-02-01" in dialog.replay.says.text()
    assert "byte for byte" in dialog.replay.says.text()
    raw = json.loads(place.json.read_bytes())
    raw["assessment"]["answers"][0]["epsilon"] *= 1.01
    place.json.write_text(json.dumps(raw), "utf-8")
    with hands.bot.waitSignal(dialog.replay.worker.done, timeout=PATIENCE):
        hands.click(dialog.replay.button)
    assert "1 number or word differs" in dialog.replay.says.text()
    assert "Cause: the signatures do not hold" in dialog.replay.says.text()


def test_closing_the_verdict_waits_neither_for_the_verification_nor_for_the_replay(
    durham: Hands, at_home: Path
) -> None:
    place = make_record(at_home)
    for replayed in (False, True):
        durham.window.verify_path(place.json)
        dialog = judged(durham) if replayed else durham.window.verdict
        if replayed:
            durham.click(dialog.replay.button)
        worker = dialog.replay.worker if replayed else dialog.worker
        assert worker.busy
        told: list[object] = []
        gone: list[bool] = []
        worker.done.connect(told.append)
        worker.failed.connect(told.append)
        worker.destroyed.connect(lambda _, gone=gone: gone.append(True))
        durham.click(dialog.close_button)
        dialog.close()  # once more
        durham.bot.waitUntil(lambda gone=gone: bool(gone), timeout=PATIENCE)
        assert told == []


def test_an_archive_is_replayed_into_a_table_and_what_is_due_stands_first(durham: Hands, at_home: Path) -> None:
    hands = durham
    make_record(at_home / "archive", "a")
    make_record(at_home / "archive", "b", review_date="2026-02-01")
    (at_home / "archive" / "note.json").write_text("{}")
    hands.window.show_archive()
    archive = hands.window.archive
    archive.now = lambda: NOW
    hands.click(archive.start_button)
    assert "Choose the folder" in archive.says.words
    hands.type(archive.folder.line, "long" * 100)  # no drive has such a name: asking for it is an error of the system
    hands.click(archive.start_button)
    assert "Choose the folder" in archive.says.words
    hands.type(archive.folder.line, str(at_home / "archive"))
    with hands.bot.waitSignal(archive.worker.done, timeout=PATIENCE):
        hands.click(archive.start_button)
    rows = [[archive.table.item(row, column).text() for column in range(6)] for row in range(archive.table.rowCount())]
    assert rows[0] == ["b.json", "met again", "unchanged", "same", "2026-02-01, due", "0"]
    assert [row[0] for row in rows] == ["b.json", "a.json"]
    assert "2 records: 2 met again" in archive.says.words
    assert "1 is due for review" in archive.says.words
    hands.click(archive.copy_button)
    assert "2026-02-01, due" in QGuiApplication.clipboard().text()
    archive.worker.progressed.connect(lambda _: hands.click(archive.stages.stop_button))
    with hands.bot.waitSignal(archive.worker.failed, timeout=PATIENCE):
        hands.click(archive.start_button)
    assert "stopped" in archive.says.words
    archive.close()


def test_every_export_is_shown_before_it_is_written(make_hands: Callable[..., Hands], at_home: Path) -> None:
    hands = make_hands()
    place = make_record(at_home, **REGISTRY)
    hands.window.export()
    dialog = hands.window.exports
    assert "Sign the record first" in dialog.says.text()
    choose_file(hands, dialog.source.button, place.json)
    for key, ending, words in (
        ("registry", ".yaml", "data_product_region: Durham"),
        ("opendp", ".py", "import opendp.prelude as dp"),
        ("html", ".html", "<h2>"),
        ("web", ".html", "<section"),
        ("csv", ".csv", "name,kind,enabled"),
    ):
        hands.choose_in(dialog.kind, key)
        hands.wait(lambda: dialog.made)
        assert words in dialog.text.toPlainText(), key
        target = at_home / f"out-{key}{ending}"
        choose_file(hands, dialog.save_button, target)
        assert target.read_text("utf-8") == dialog.made
    assert yaml.safe_load((at_home / "out-registry.yaml").read_text("utf-8"))["tier"] == 3
    dialog.close()


def test_what_the_registry_lacks_leads_to_its_field(durham: Hands, at_home: Path) -> None:
    hands = durham
    place = make_record(at_home)
    hands.go("review")
    hands.type(hands.page.sign_form.target, str(place.json))
    hands.click(hands.page.export_button)
    dialog = hands.page.exports
    hands.wait(lambda: dialog.says.text().startswith("Data curators: is missing"))
    assert not dialog.save_button.isEnabled()
    hands.click(dialog.place_button)
    hands.window.activateWindow()
    hands.bot.waitUntil(lambda: hands.editor("$.details.curators").isVisible())


def test_the_window_answers_while_an_export_is_made_and_each_key_waits_for_none(
    durham: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, threads, free = make_record(at_home, **REGISTRY), [], threading.Event()

    def slow(task: object, *given: object) -> str:
        threads.append(threading.current_thread())
        free.wait(20)
        return f"export of {given[0]}"

    monkeypatch.setattr("ui.signing.export_dialog.done_apart", slow)
    durham.window.export()
    dialog = durham.window.exports
    durham.type(dialog.source.line, str(place.json))
    durham.wait(lambda: threads)
    beats: list[int] = []
    heart = QTimer(dialog, interval=1)
    heart.timeout.connect(lambda: beats.append(1))
    heart.start()
    durham.wait(lambda: len(beats) > 5)
    assert not dialog.made
    assert "Verifying the record" in dialog.says.text()
    assert threading.main_thread() not in threads
    durham.bot.keyClicks(dialog.source.line, "x")  # another record: what is under way is of no use any more
    free.set()
    durham.wait(lambda: dialog.made)
    assert dialog.made == f"export of {place.json}x"
    assert len(threads) == 2
    dialog.close()
