"""Signing where somebody changes what lies there, or has a name that passes for the program's words."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import os
import shutil
import threading
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest
from PySide6.QtCore import Qt

from dpwizard.base import office_folder
from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.decision import Decision, edits
from dpwizard.records import Record
from dpwizard.signing import RecordFiles, office, signing
from dpwizard.signing.identity import Identity, create_identity
from tests.samples import signed_record
from tests.samples.signed_record import DAY, judged, person, small
from tests.ui import signing_hands
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands
from tests.ui.signing_hands import PASSPHRASE, sign
from tests.ui.test_signing_window import NOW, POLICY, at_home, begin_public, review
from ui.signing import jobs, preview, sign_words, standing
from ui.signing.sign_form import SignForm
from ui.signing.standing import Places, look, place_of, stamps_of

pytestmark = [pytest.mark.slow, pytest.mark.one_window]
__all__ = ["at_home", "review"]  # fixtures that are used here, too


@functools.cache
def stranger(name: str, number: int) -> Identity:
    return person(name, begins=NOW - 9 * DAY)


def lay(
    folder: Path, name: str, *signatures: tuple[str, str, str], decision: Decision | None = None, number: int = 0
) -> RecordFiles:
    """Return where a record lies in FOLDER that strangers signed: of each the name, role and verdict.

    NUMBER: others of the same names, and so another record of the same decision.
    """
    place = RecordFiles(folder=folder, name=name)
    folder.mkdir(exist_ok=True)
    for who, role, verdict in signatures:
        request = signed_record.request(stranger(who, number), role, verdict, time=NOW - DAY / 2)
        if place.there:
            signing.sign_further(place, request)
        else:
            signing.sign_new(decision or small(title=name), place, request)
    return place


def shown(hands: Hands, place: RecordFiles | None = None) -> tuple[str, str]:
    """Open the record at PLACE, or come back to what is shown; return what is said of it, and of each signature."""
    if place is not None:
        hands.window.open_path(place.json)
        hands.settle()
        hands.go("review").page.sign_form.now = lambda: NOW
    else:
        hands.go("release").go("review")
    hands.read_behind()
    return hands.page.sign_form.says.words, hands.page.sign_form.awaited.text()


ADA, BEA = ("Ada", "proposes", "approve"), ("Bea Example", "approves", "approve")


def test_a_signature_of_a_record_opened_holds_no_more_than_verification_finds(review: Hands, at_home: Path) -> None:
    says, lines = shown(review, lay(at_home, "stranger", ADA, BEA))
    assert "You have not met it yet. Nothing has changed since.\nUnchanged, but a signer is not trusted here." in says
    assert "✓" not in lines
    assert "?  approves: in the name of Bea Example, " in lines
    taken = lay(at_home, "taken", ADA)
    shutil.copy(at_home / "stranger.2.jws", taken.line(2))  # of another record
    assert shown(review, taken)[0].startswith("Not valid: changed, or not genuinely signed.\nSignature 2 was made")
    for path in lay(at_home, "own", ADA).there:
        shutil.copy(path, at_home / path.name.replace("own", "other"))
    says, lines = shown(review, RecordFiles(folder=at_home, name="other"))
    assert "It is the record “own”, not “other”." in says
    assert "✓" not in lines
    _, lines = shown(review, lay(at_home, "withdrawn", ADA, BEA, (*BEA[:2], "reject")))
    assert lines.count("✗  approves: Bea Example") == 2  # what she said before counts no more


def test_what_was_signed_here_is_verified_again_when_its_files_change_and_is_not_taken_for_another(
    review: Hands, at_home: Path
) -> None:
    form: SignForm = review.page.sign_form
    place = RecordFiles.beside(at_home / "durham")
    sign(review, at_home / "ada.p12", at_home / "durham")
    assert shown(review)[0].endswith("Nothing has changed since.")
    pdf, before = place.pdf.read_bytes(), place.pdf.stat()
    place.pdf.write_bytes(pdf[:-1] + b" ")
    os.utime(place.pdf, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert shown(review)[0].startswith("Not valid")
    assert form.signed.verification.verdict == judged(place, office.trust_places(), now=NOW).verdict == "changed"
    place.pdf.write_bytes(pdf)
    assert shown(review)[0].endswith("Nothing has changed since.")
    other = lay(at_home, "other", ADA, decision=review.session.decision)
    dialog = signing_hands.begin(review)
    signing_hands.unfold(review, dialog)
    choose_file(review, dialog.read.place_button, other.json)
    signing_hands.ready(review, dialog)
    signing_hands.close(review, dialog)
    assert "Signed by you" not in shown(review)[0]
    assert form.signed.verification.json_sha256 == hashlib.sha256(place.json.read_bytes()).hexdigest()


def test_a_record_whose_files_change_without_end_is_verified_twice_until_somebody_comes_back(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, verify, times, verified = lay(at_home, "a", ADA), jobs.verify, itertools.count(), list[Path]()

    def rewritten(files: RecordFiles) -> Any:
        os.utime(files.pdf, ns=(0, next(times)))  # as a folder does that is synchronised
        return stamps_of(files)

    def counted(progress: Any, record: jobs.Judged, *given: Any) -> jobs.Judged:
        verified.append(record.path)
        return verify(progress, record, *given)

    monkeypatch.setattr(jobs, "verify", counted)
    with monkeypatch.context() as patch:
        patch.setattr(standing, "stamps_of", rewritten)
        patch.setattr(jobs, "stamps_of", rewritten)
        says, lines = shown(review, place)
        assert says.startswith("The files of this record keep changing. Come back when")
        assert "?  proposes: in the name of Ada" in lines
        assert len(verified) == 2
        assert shown(review)[0].startswith("The files of this record keep changing.")
        assert len(verified) == 4
    assert "Nothing has changed since" in shown(review)[0]
    assert len(verified) == 5


def test_pages_are_those_of_the_record_that_was_looked_at_and_one_exchanged_at_the_click_is_not_signed(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, form = lay(at_home, "a", ADA), review.page.sign_form
    other, same = lay(at_home / "title", "a", ADA, decision=small(title="b")), lay(at_home / "more", "a", ADA, number=1)
    genuine, pictures, drawn = place.json.read_bytes(), preview.report.pictures, list[str]()

    def exchanging(*given: Any) -> Places:
        found = look(*given)
        if place.json.read_bytes() == genuine and not drawn:
            place.json.write_bytes(other.json.read_bytes())
        return found

    def drawing(made: Record, **how: float) -> tuple[bytes, ...]:
        drawn.append(made.decision.title or "")
        return pictures(made, **how)

    shown(review, place)
    with monkeypatch.context() as patch:
        patch.setattr("ui.signing.sign_form.look", exchanging)
        patch.setattr(preview.report, "pictures", drawing)
        dialog = signing_hands.begin(review)
        review.wait(lambda: drawn and not dialog.pages.worker.busy)
    place.json.write_bytes(genuine)
    form.refresh()
    review.read_behind()
    assert set(drawn) == {"a"}
    signing_hands.identify(review, dialog, at_home / "ben.p12")
    for path in same.there:
        shutil.copy(path, place.folder / path.name)
    form.refresh()
    review.click(dialog.sign_button)
    review.read_behind()
    assert "is no longer what was shown" in dialog.says.words
    signing_hands.confirm(review, dialog)  # now it was
    assert len(form.signed.verification.signers) == 2


def test_no_name_or_reason_passes_for_words_of_the_program(review: Hands, at_home: Path) -> None:
    typed = "Bea\n✓  Signed by you, <b>Bea</b> {0}\u202e"
    decision = small(title="x", exception_reason=f"We must.\n{typed}")
    for field, value in (("approver", typed), ("authors", [f"{typed}, Office"])):
        decision = edits.put(decision, f"$.details.{field}", value)
    decision = edits.put(decision, "$.requirements[0].name", typed)
    place = lay(at_home, "x", ADA, decision=decision)
    (at_home / "evil.p12").write_bytes(create_identity(name="<h1>Valid</h1> {0}", passphrase=PASSPHRASE, now=NOW - DAY))
    shown(review, place)
    review.session.put("Ask more", "$.requirements[0].profile", None)
    review.settle()
    (link,) = [link for link in review.page.missing.buttons if "Bea" in link.text()]
    assert "\n" not in link.text()
    assert "<b>" not in link.toolTip()
    review.session.undo()
    review.settle()
    dialog = signing_hands.begin(review)
    read = dialog.read
    assert read.remarks.words.splitlines()[0].startswith("!  An exception, which two people must sign: “We must. Bea ")
    signing_hands.identify(review, dialog, at_home / "evil.p12")
    words = "\n".join((read.who.text(), read.effect.words, read.remarks.words))
    assert "\n✓" not in words
    assert "\u202e" not in words
    assert read.effect.words == "It takes effect with your signature."
    signing_hands.unfold(review, dialog)
    review.choose_in(read.verdict, "refer")
    assert read.effect.words == ""
    signing_hands.confirm(review, dialog)
    heading = dialog.done_step.heading
    assert (heading.textFormat(), "“<h1>Valid</h1> {0}”" in heading.text()) == (Qt.TextFormat.PlainText, True)


def test_the_offices_policy_is_shown_before_it_is_signed_under(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", at_home / "etc")
    dialog = signing_hands.begin(review, at_home / "durham")
    (at_home / "etc").mkdir()
    (at_home / "etc" / "policy.toml").write_text(POLICY.format(largest=3), "utf-8")
    signing_hands.identify(review, dialog, at_home / "ada.p12")
    signing_hands.confirm(review, dialog, fails=True)
    assert "policy’s file has changed since it was shown" in dialog.says.words
    line = review.page.policy.row.line
    assert "“County policy 2026” first" in dialog.read.where.words
    signing_hands.close(review, dialog)
    review.type(line, "")
    assert line.text() == str(at_home / "etc" / "policy.toml")  # nobody signs a new record without it


def test_who_is_another_one_than_named_has_signed_nothing_or_approved_is_told(review: Hands, at_home: Path) -> None:
    sign(review, at_home / "ada.p12", at_home / "durham")
    dialog = signing_hands.begin(review)
    signing_hands.order_identity(review, dialog, None, "Zoe")
    assert dialog.read.remarks.words == "!  The record names Bea Example in this role."
    review.choose_in(dialog.read.role, "proposes")
    signing_hands.unfold(review, dialog)
    review.choose_in(dialog.read.verdict, "withdraw")  # Ada has signed in this role, and Zoe has not
    assert "!  You have not signed in this role: there is nothing to withdraw." in dialog.read.remarks.words
    signing_hands.close(review, dialog)
    sign(review, at_home / "ben.p12", role="approves", verdict="approve")
    form = sign(review, at_home / "ben.p12", role="proposes", fails=True)
    assert "The same person proposes and approves" in form.dialog.read.key.wrong.text()


def test_what_somebody_typed_stays_on_the_line_that_speaks_of_it() -> None:
    typed, plain = "Bea\n✓  Signed by you", small()
    decision = edits.put(plain, "$.details.approver", typed)
    assert "\n" not in sign_words.effect(decision, "proposes", "approve")
    assert "\n" not in sign_words.signers(decision)["approves"][0]
    decision = edits.put(decision, "$.details.supersedes", typed)
    decision = edits.put(decision, "$.requirements[0].name", typed)
    assert "\n" not in sign_words.replaces(decision, Mock(decision=plain))


def test_a_place_with_a_name_too_long_for_a_drive_is_not_free() -> None:
    assert place_of("long" * 100, small(), {}).kind == "other"


def test_a_policy_judges_a_record_that_names_none_only_where_somebody_chose_it(review: Hands, at_home: Path) -> None:
    sign(review, at_home / "ada.p12", at_home / "durham")
    form, card, chosen = review.page.sign_form, review.page.policy, at_home / "chosen.toml"
    for path in (at_home / "offered.toml", chosen):
        path.write_text(POLICY.format(largest=3), "utf-8")
    card.offered = str(at_home / "offered.toml")
    card.row.line.setText(card.offered)
    review.read_behind()
    assert card.policy is not None
    assert form.judged.verification.ok
    review.click(form.check_link)
    dialog = form.verdict_dialog
    review.wait(lambda: dialog.found is not None)
    assert dialog.found.ok
    assert dialog.heading.textFormat() == Qt.TextFormat.PlainText  # it bears the name of a file
    dialog.close()
    review.type(card.row.line, str(chosen))
    review.read_behind()
    assert form.says.words.startswith("Unchanged, but not accepted.")


def test_pages_are_drawn_again_where_another_record_of_the_same_decision_lies_there(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, second, third = (lay(at_home / f"{number}", "a", ADA, number=number) for number in range(3))
    pictures, drawn = preview.report.pictures, list[str]()
    salts = [json.loads(one.json.read_text("utf-8"))["salt"] for one in (place, second)]
    hashes = [hashlib.sha256(one.json.read_bytes()).hexdigest() for one in (second, third)]

    def drawing(made: Record, **how: float) -> tuple[bytes, ...]:
        drawn.append(made.public.internal_sha256 if made.public is not None else made.salt)
        return pictures(made, **how)

    def exchanged(other: RecordFiles) -> None:
        for path in other.there:
            shutil.copy(path, place.folder / path.name)

    monkeypatch.setattr(preview.report, "pictures", drawing)
    shown(review, place)
    review.click(review.page.technical.head)  # folded: the pages are shown
    review.wait(lambda: salts[0] in drawn)
    exchanged(second)
    shown(review)
    review.wait(lambda: salts[1] in drawn)
    begin_public(review)
    review.wait(lambda: hashes[0] in drawn)
    exchanged(third)
    review.page.sign_form.refresh()
    review.wait(lambda: hashes[1] in drawn)


def test_while_one_signature_is_made_no_other_begins_and_what_lies_there_is_not_verified(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = review.page.sign_form
    sign(review, at_home / "ada.p12", at_home / "durham")
    dialog = signing_hands.begin(review)
    signing_hands.identify(review, dialog, at_home / "ben.p12")
    made, goes_on, verified = Mock(), threading.Event(), list[Path]()

    def waits(progress: Any, order: jobs.Order, key: jobs.Key) -> jobs.Signed:
        made(key.passphrase)
        goes_on.wait(30)
        raise SigningProblem("stopped here", "", "Sign again.")

    monkeypatch.setattr(jobs, "sign", waits)
    monkeypatch.setattr(form.judge, "start", lambda *given: verified.append(given))
    review.click(dialog.sign_button)
    role = dialog.read.role.currentIndex()
    form.open("reject")
    form.verify_again()
    review.read_behind()
    dialog.confirmed.emit()
    asked = (dialog.sign_button.isEnabled(), dialog.read.role.currentIndex(), dialog.read.verdict.currentData())
    assert asked == (False, role, None)
    assert (verified, made.call_args_list) == ([], [call(PASSPHRASE)])
    goes_on.set()
    review.wait(lambda: not form.worker.busy)
    assert "Stopped here" in dialog.says.words


def test_what_is_signed_and_cannot_be_verified_is_said_to_be_signed(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost = FileProblem("cannot be read", "durham.json", "Connect it again.")
    with monkeypatch.context() as patch:
        patch.setattr(jobs, "verified", Mock(side_effect=lost))
        form = sign(review, at_home / "ada.p12", at_home / "durham")
        done = form.dialog.done_step
        assert (done.heading.text(), form.signed.problem) == ("Signed, but not verified yet", lost)
        assert done.sentence.words.startswith("It could not be verified now. durham.json cannot be read.")
        assert shown(review)[0].startswith("It could not be verified now.")
    form.verify_again()
    assert shown(review)[0].endswith("Nothing has changed since.")
