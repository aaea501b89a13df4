"""Verifying in the window: a dropped record judged in a sentence, trust, the archive, and exports."""

from __future__ import annotations

import functools
import hashlib
import json
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton

from dpwizard import records
from dpwizard.base import json_text
from dpwizard.base.worker import run_in_worker
from dpwizard.decision import Decision, edits
from dpwizard.projects.project import open_project
from dpwizard.records import AssertedTime
from dpwizard.signing import RecordFiles, office, signing
from dpwizard.signing.signing import SigningRequest
from dpwizard.signing.trust import read_trust
from tests.samples.signed_record import certificate, person
from tests.ui.choosers import choose_file, drop
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from ui.signing.verdict_words import in_groups, signer_lines
from ui.widgets import moment

pytestmark = [pytest.mark.one_window, pytest.mark.slow]  # windows, signatures, archives

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


def make_record(
    folder: Path,
    name: str = "durham",
    data: object = None,
    priors_from: str = "",
    role: str = "proposes",
    **details: object,
) -> RecordFiles:
    """Return the Durham decision signed by one person, with more particulars; of DATA, all rows are counted."""
    decision: Decision = open_project(EXAMPLES / "durham.json")
    if priors_from:
        decision = edits.put(decision, "$.release.priors_from", priors_from)
    if data is not None:
        decision = edits.put(edits.put(decision, "$.release.reads", ()), "$.release.data", data)
    for field, value in details.items():
        decision = edits.put(decision, f"$.details.{field}", value)
    folder.mkdir(exist_ok=True)
    place = RecordFiles.beside(folder / name)
    stated = AssertedTime(time=NOW, source="signer")
    comment = "Seen.\nTrusted: as always.\u202e"
    signature = SigningRequest(identity=ann(), role=role, verdict="approve", comment=comment, stated=stated)
    signing.sign_new(decision, place, signature)
    return place


def judged(hands: Hands) -> object:
    """Wait until the dialog has judged; return it."""
    dialog = hands.window.verdict
    hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
    return dialog


def test_a_dropped_record_is_judged_in_a_sentence_and_all_of_it_can_be_copied(durham: Hands, at_home: Path) -> None:
    hands = durham
    drop(hands.window, make_record(at_home).pdf)
    dialog = judged(hands)
    assert dialog.heading.text() == "Unchanged, but a signer is not trusted here"
    number = in_groups(ann().certificate.fingerprint[:20])
    assert dialog.sentence.text() == (
        f"Signed with the signature {number} in the name of Ann Officer, {moment(NOW.isoformat())}. "
        "You have not met it yet. Nothing has changed since."
    )
    hands.click(dialog.copy_button)
    copied = QGuiApplication.clipboard().text()
    for words in (
        "Inconclusive: no problem found",
        "The PDF matches the JSON file and the signatures, byte for byte.",
        "Every number was recalculated from the decision, and matches.",
        "What to do: Trust the certificate of Ann Officer",
        "Comment: “Seen. Trusted: as always.‹U+202E›”",
        "the signer’s own claim",
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
    assert dialog.heading.text() == "Not valid: changed, or not genuinely signed"
    assert dialog.mark.text() == "✗"
    choose_file(hands, dialog.other_button, place.pdf)
    judged(hands)
    assert dialog.found.ok
    place.pdf.write_bytes(place.pdf.read_bytes()[:-1] + b"x")
    dialog.judge(place.pdf)
    judged(hands)
    hands.click(dialog.copy_button)
    assert "✗  The PDF does not match the JSON file and the signatures." in QGuiApplication.clipboard().text()
    assert "What to do: Remove it, then make the PDF again." in QGuiApplication.clipboard().text()


def test_a_file_that_is_no_record_is_said_to_be_none(durham: Hands, at_home: Path) -> None:
    durham.window.verify_path(at_home / "nothing.json")
    dialog = judged(durham)
    assert dialog.heading.text() == "This record cannot be verified"
    assert "there is no record here" in dialog.sentence.text()


def test_a_signature_whose_number_is_the_same_is_trusted_and_the_record_judged_again(
    durham: Hands, at_home: Path
) -> None:
    hands = durham
    hands.window.verify_path(make_record(at_home).json)
    dialog = judged(hands)
    number = in_groups(ann().certificate.fingerprint[:20])
    asked = [label.text() for label in dialog.findChildren(QLabel) if number in label.text() and "Ask" in label.text()]
    start = "You have not compared its number yet. Ask Ann Officer for it, by telephone or in person:"
    assert asked == [f"{start} {number}"]
    unknown = "–  Not checked: the certificate is self-signed: it does not show whose it is (Ann Officer)"
    assert unknown in [label.text() for label in dialog.findChildren(QLabel)]
    hands.click(dialog.other_buttons[0])  # it is not
    assert any(label.text().startswith("Do not use this record.") for label in dialog.findChildren(QLabel))
    assert dialog.found.verdict == "unchanged"
    hands.click(dialog.same_buttons[0])
    judged(hands)
    assert dialog.found.verdict == "trusted"
    assert (dialog.heading.text(), dialog.found.exit_status) == ("Unchanged; proposed, not approved yet", 0)
    stated = moment(NOW.isoformat())
    assert dialog.sentence.text() == f"Signed by Ann Officer, {stated}. Nothing has changed since."
    assert dialog.same_buttons == []
    assert len(list(office.user_trust().iterdir())) == 1


def test_each_signature_is_said_to_do_one_thing(durham: Hands, at_home: Path) -> None:
    hands = durham
    hands.window.verify_path(make_record(at_home).json)
    dialog = judged(hands)
    (signer,) = dialog.found.signers
    assert "Proposes." in [label.text() for label in dialog.findChildren(QLabel)]
    assert "Begin the next release …" not in [button.text() for button in dialog.findChildren(QPushButton)]
    for role, verdict, words in (
        ("proposes", "none", "Proposes."),
        ("approves", "approve", "Approves."),
        ("approves", "approve_with_conditions", "Approves with conditions."),
        ("approves", "refer", "Sends it back."),
        ("approves", "reject", "Rejects."),
        ("proposes", "withdraw", "Withdraws the signature."),
        ("data_protection_officer", "approve", "Approves. Role: data protection officer."),
    ):
        assert signer_lines(signer.model_copy(update={"role": role, "verdict": verdict}))[0] == words


def test_an_approval_is_valid_and_the_next_release_can_begin(durham: Hands, at_home: Path) -> None:
    hands = durham
    (office.user_trust()).mkdir(parents=True)
    (office.user_trust() / "ann.pem").write_bytes(ann().certificate_pem())
    hands.window.verify_path(make_record(at_home, role="approves").json)
    dialog = judged(hands)
    assert dialog.heading.text() == "Valid: unchanged, and every signer is trusted here"
    hands.wait(dialog.next_button.isVisible)


def test_a_missing_pdf_is_made_again_from_its_verdict(durham: Hands, at_home: Path) -> None:
    place = make_record(at_home)
    before = place.pdf.read_bytes()
    place.pdf.unlink()
    durham.window.verify_path(place.json)
    dialog = judged(durham)
    assert dialog.mark.text() == "–"
    durham.click(dialog.pdf_button)
    durham.bot.waitUntil(place.pdf.exists, timeout=PATIENCE)
    durham.bot.waitUntil(lambda: dialog.found is not None and not dialog.worker.busy, timeout=PATIENCE)
    assert place.pdf.read_bytes() == before
    assert "The PDF matches" in "\n".join(label.text() for label in dialog.findChildren(QLabel))


def test_a_certificate_file_is_added_to_the_trusted_ones_and_a_key_is_not(durham: Hands, at_home: Path) -> None:
    hands = durham
    (at_home / "ann.pem").write_bytes(ann().certificate_pem())
    (at_home / "key.pem").write_text("-----BEGIN PRIVATE KEY-----\nMC4=\n-----END PRIVATE KEY-----\n")
    hands.window.verify_path(make_record(at_home).json)
    dialog = judged(hands)
    hands.click(dialog.trust_button)
    choose_file(hands, dialog.trust.add_button, at_home / "key.pem")
    hands.wait(lambda: "contains a private key" in dialog.trust.says.words)
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
    durham.wait(lambda: any(label.isVisible() for label in dialog.area.findChildren(QLabel)))
    shown = "\n".join(label.text() for label in dialog.area.findChildren(QLabel) if label.isVisible())
    for der in read_trust(bundle.read_bytes()).certificates:
        assert in_groups(hashlib.sha256(der).hexdigest()) in shown
    assert shown.count("an authority: everyone with a certificate it issued is trusted, too") == 1
    assert "2 fingerprints" in dialog.trust_button.text()
    durham.click(dialog.cancel_button)
    assert office.trust_places() == ()  # nothing was written
    durham.wait(lambda: not dialog.trust_button.isVisible())
    choose_file(durham, dialog.add_button, bundle)
    durham.wait(dialog.trust_button.isVisible)
    bundle.write_bytes(above)  # what was shown is added, not what lies there later
    with durham.bot.waitSignal(dialog.changed):
        durham.click(dialog.trust_button)
    (folder,) = office.trust_places()
    (added,) = folder.iterdir()
    assert len(read_trust(added.read_bytes()).certificates) == 2


def test_a_number_that_its_decision_does_not_give_is_shown_beside_the_right_one(durham: Hands, at_home: Path) -> None:
    place = RecordFiles.beside(at_home / "forged")
    made = records.make(open_project(EXAMPLES / "durham.json"), AssertedTime(time=NOW, source="signer"), name="forged")
    raw = json.loads(records.write(made))
    raw["assessment"]["answers"][0]["epsilon"] *= 0.99
    place.json.write_bytes(json_text.document(raw))
    durham.window.verify_path(place.json)
    dialog = judged(durham)
    assert dialog.heading.text() == "Not valid: changed, or not genuinely signed"
    assert "gives another value" in dialog.sentence.text()
    said = [label.text() for label in dialog.findChildren(QLabel)]
    assert any("answers[0].epsilon: recorded " in line for line in said), said


def test_an_archive_is_replayed_into_a_table_and_what_is_due_stands_first(
    durham: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_record(at_home / "archive", "a")
    make_record(at_home / "archive", "b", review_date="2026-02-01")
    (at_home / "archive" / "note.json").write_text("{}")
    durham.window.show_archive()
    archive = durham.window.archive
    archive.now = lambda: NOW
    durham.click(archive.start_button)
    assert "Choose the folder" in archive.says.words
    durham.type(archive.folder.line, "long" * 100)  # no drive has such a name: asking for it is an error of the system
    durham.click(archive.start_button)
    assert "Choose the folder" in archive.says.words
    durham.type(archive.folder.line, str(at_home / "archive"))
    with durham.bot.waitSignal(archive.worker.done, timeout=PATIENCE):
        durham.click(archive.start_button)
    rows = [list(row.cells[:6]) for row in archive.table.rows_model.rows]
    assert rows[0] == ["b.json", "match", "unchanged, a signer not trusted here", "same", "2026-02-01, due", "0"]
    assert [row[0] for row in rows] == ["b.json", "a.json"]
    assert "2 records. The numbers match: 2." in archive.says.words
    assert "1 is due for review" in archive.says.words
    durham.click(archive.copy_button)
    assert "2026-02-01, due" in QGuiApplication.clipboard().text()
    clicked = threading.Event()

    def until_stopped(task: Any, *given: object, progress: Callable[[object], None]) -> object:
        return run_in_worker(task, *given, progress=lambda done: (progress(done), clicked.wait(PATIENCE / 1000)))

    monkeypatch.setattr("ui.signing.archive_dialog.run_in_worker", until_stopped)
    durham.click(archive.start_button)
    durham.bot.waitUntil(lambda: "1 of 2" in archive.stages.says.words, timeout=PATIENCE)
    with durham.bot.waitSignal(archive.worker.failed, timeout=PATIENCE):
        durham.click(archive.stages.stop_button)
        clicked.set()
    assert "stopped" in archive.says.words
    archive.close()


def test_every_export_is_shown_before_it_is_written(make_hands: Callable[..., Hands], at_home: Path) -> None:
    hands = make_hands()
    place = make_record(at_home, data={"unit_column": "infant", "columns": {"sex": {"classes": ["f"]}}}, **REGISTRY)
    hands.window.export()
    dialog = hands.window.exports
    assert "Sign the record first" in dialog.says.words
    choose_file(hands, dialog.source.button, place.json)
    hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
    assert dialog.standing.words.startswith("Signed with the signature ")
    assert "Unchanged, but a signer is not trusted here." in dialog.standing.words
    for key, ending, words in (
        ("registry", ".yaml", "data_product_region: Durham"),
        ("opendp", ".py", "import opendp.prelude as dp"),
        ("script", ".py", "Makes the protected tables of a signed plan from microdata."),
        ("script_opendp", ".py", "OpenDP believes the sensitivity it is given"),
        ("html", ".html", "<h2>"),
        ("web", ".html", "<section"),
        ("csv", ".csv", "name,kind,enabled"),
    ):
        hands.choose_in(dialog.kind, key)
        hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
        assert words in dialog.text.toPlainText(), key
        target = at_home / f"out-{key}{ending}"
        choose_file(hands, dialog.save_button, target)
        hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
        assert target.read_text("utf-8") == dialog.made
    assert '"unit_column": "infant"' in (at_home / "plan.json").read_text("utf-8")
    assert yaml.safe_load((at_home / "out-registry.yaml").read_text("utf-8"))["tier"] == 3
    dialog.close()


def test_a_changed_record_is_not_exported_and_its_outcome_is_said(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands = make_hands()
    place = make_record(at_home, **REGISTRY)
    place.pdf.write_bytes(place.pdf.read_bytes()[:-1] + b"x")
    hands.window.export()
    dialog = hands.window.exports
    choose_file(hands, dialog.source.button, place.json)
    hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
    assert dialog.says.words == "This record is not exported, because it did not pass the checks."
    assert dialog.standing.words.startswith("Not valid: changed, or not genuinely signed.\nThe PDF does not match")
    assert dialog.text.toPlainText() == dialog.made == ""
    assert not dialog.save_button.isEnabled()
    dialog.close()


def test_what_the_registry_lacks_leads_to_its_field(durham: Hands, at_home: Path) -> None:
    hands = durham
    place = make_record(at_home)
    hands.window.open_path(place.json)
    hands.settle()
    hands.read_behind()
    hands.click(hands.page.export_button)
    dialog = hands.page.exports
    hands.bot.waitUntil(lambda: not dialog.worker.busy, timeout=PATIENCE)
    assert dialog.says.words.startswith("Data curators: is missing")
    assert not dialog.save_button.isEnabled()
    hands.click(dialog.place_button)
    hands.window.activateWindow()
    hands.bot.waitUntil(lambda: hands.editor("$.details.curators").isVisible())
