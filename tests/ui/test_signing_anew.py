"""Signing by one person, clumsy or not: it begins anew with each decision, trust just given counts at once, and a first
key is written with the signature."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from dpwizard.base.errors import FileProblem
from dpwizard.decision import new_decision
from dpwizard.signing import office, store
from tests.ui import signing_hands
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from tests.ui.signing_hands import PASSPHRASE
from tests.ui.test_signing_window import NOW, at_home
from ui.signing.sign_dialog import READ
from ui.signing.sign_form import SignForm
from ui.widgets import moment

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

__all__ = ["at_home"]  # a fixture that is used here, too


def last_step(make_hands: Callable[..., Hands]) -> tuple[Hands, SignForm]:
    """Return hands at the last step of the Durham example, and what signs there."""
    hands = make_hands("durham").go("review")
    hands.page.sign_form.now = lambda: NOW
    return hands, hands.page.sign_form


def about_to_sign(make_hands: Callable[..., Hands], at_home: Path) -> tuple[Hands, SignForm]:
    """Return the same, with all typed in that Ada needs to sign."""
    hands, form = last_step(make_hands)
    dialog = signing_hands.begin(hands, at_home / "durham")
    signing_hands.identify(hands, dialog, at_home / "ada.p12")
    return hands, form


@pytest.fixture
def signed(make_hands: Callable[..., Hands], at_home: Path) -> Hands:
    """Return hands at the last step of the Durham example, which Ada has just signed."""
    hands, form = about_to_sign(make_hands, at_home)
    signing_hands.confirm(hands, form.dialog, comment="As discussed.")
    signing_hands.close(hands, form.dialog)
    assert "Signed by you, " in form.says.words
    return hands


def nothing_is_left(hands: Hands) -> None:
    form = hands.page.sign_form
    if form.dialog is not None:
        read, done = form.dialog.read, form.dialog.done_step
        lines = (read.key.passphrase, read.key.again, read.name, read.organisation, read.key_row.line, read.time)
        assert [line.text() for line in lines] == [""] * 6
        assert read.comment.toPlainText() == read.conditions.toPlainText() == ""
        assert done.files.text() == done.sentence.words == read.who.text() == read.remarks.words == ""
        assert form.dialog.pages.pages == ()
        assert not form.dialog.isVisible()
        assert read.role.currentIndex() == -1
    assert form.says.words == form.awaited.text() == ""
    assert form.signed is None
    assert not form.isVisible()
    assert not form.places.record or "durham" not in form.places.record


def test_nothing_of_a_signed_decision_is_left_on_the_last_page_of_a_new_one(signed: Hands) -> None:
    hands = signed
    hands.bot.keyClick(hands.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    hands.wait(lambda: hands.session.decision == new_decision())
    hands.go("review")
    nothing_is_left(hands)
    hands.settle()
    nothing_is_left(hands)
    assert hands.page.summary_epsilon.text() == "–"
    assert hands.page.summary_title.words == "No title yet"


def test_what_was_being_signed_when_another_decision_was_opened_is_not_said_to_be_that_one(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands, form = about_to_sign(make_hands, at_home)
    with hands.bot.waitSignal(form.worker.done, timeout=PATIENCE):
        hands.click(form.dialog.sign_button)
        hands.window.open_path(EXAMPLES / "kazan_reiter_figure_1.json", example=True)
        hands.go("review")
    assert form.says.words == f"The decision that was open before is signed: {at_home / 'durham.json'}."
    assert form.signed is None
    assert Path(form.places.record).name == "kazan-reiter-2024-figure-1-two-agencies-record.json"


def test_the_same_decision_opened_again_is_answered_again(durham: Hands) -> None:
    durham.window.open_path(EXAMPLES / "durham.json", example=True)
    durham.go("decision")
    durham.settle()
    assert durham.page.number.text() != "–"


def test_an_own_signature_is_trusted_where_it_was_made_and_said_to_be_ones_own(signed: Hands) -> None:
    form = signed.page.sign_form
    assert form.signed.verification.verdict == "trusted"
    stated = moment(NOW.isoformat())
    signed.window.verify_path(form.signed.path)  # at any time later
    dialog = signed.window.verdict
    signed.wait(lambda: dialog.found is not None)
    assert dialog.sentence.text() == f"Signed by you, {stated}. Nothing has changed since."
    assert dialog.heading.text() == "Unchanged; proposed, not approved yet"
    assert signed.wizard.steps.buttons["review"].note.text() == "proposed"
    assert signed.wizard.footer.next_button.objectName() == "primary"  # somebody may approve it here
    dialog.close()


def test_trust_just_given_counts_at_once_for_what_was_signed(signed: Hands, at_home: Path) -> None:
    hands, form = signed, signed.page.sign_form
    (mine,) = office.user_trust().iterdir()
    certificate = mine.read_bytes()
    mine.unlink()  # as on another computer
    with hands.bot.waitSignal(form.judge.done, timeout=PATIENCE):
        form.verify_again()
    assert form.signed.verification.verdict == "unchanged"
    assert "Unchanged, but a signer is not trusted here." in form.says.words
    (at_home / "ada.crt").write_bytes(certificate)
    hands.window.menus.actions["trust"].trigger()
    trust = hands.window.trust
    trust.add(at_home / "ada.crt")
    hands.wait(trust.trust_button.isVisible)
    with hands.bot.waitSignal(form.judge.done, timeout=PATIENCE):
        hands.click(trust.trust_button)
    assert form.signed.verification.verdict == "trusted"
    assert "not trusted" not in form.says.words
    trust.close()


@pytest.mark.own_window
def test_a_first_key_is_written_with_the_signature_and_used_the_next_time(
    make_hands: Callable[..., Hands], at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands, form = last_step(make_hands)
    dialog, folder = signing_hands.begin(hands), office.user_trust().with_name("keys")
    key, read = dialog.read.key, dialog.read
    assert (key.makes, key.title.text()) == (True, "Your first signature here")
    signing_hands.order_identity(hands, dialog, at_home / "ada.p12", "Eva Ö.")
    assert read.who.text() == "You sign as Eva Ö., who proposes."
    before = (at_home / "ada.p12").read_bytes()
    signing_hands.confirm(hands, dialog, fails=True)
    assert "never overwritten" in dialog.says.words
    assert ((at_home / "ada.p12").read_bytes(), read.name.text()) == (before, "Eva Ö.")
    hands.type(read.key_row.line, "")

    signing_hands.order_identity(hands, dialog, None)
    stop = form.worker.progressed.connect(lambda at: hands.click(dialog.stages.stop_button) if at == "sign" else None)
    signing_hands.confirm(hands, dialog, fails=True)
    form.worker.progressed.disconnect(stop)
    assert "stopped. Nothing was written." in dialog.says.words
    assert not folder.exists()

    signing_hands.order_identity(hands, dialog, None)
    with monkeypatch.context() as patch:
        patch.setattr(store, "create", Mock(side_effect=FileProblem("is full", "record", "Make room.")))
        signing_hands.confirm(hands, dialog, fails=True)
    assert {path.name for path in folder.iterdir()} == {"eva-ö.p12", "eva-ö.crt"}  # whole, as it may have signed
    assert (key.makes, key.own.place) == (False, str(folder / "eva-ö.p12"))
    hands.type(key.passphrase, PASSPHRASE)
    signing_hands.confirm(hands, dialog)
    assert form.signed.verification.ok
    signing_hands.close(hands, dialog)
    hands.session.put("Reword", "$.requirements[0].name", "Somebody else")
    signing_hands.begin(hands)
    assert (key.makes, dialog.focusWidget()) == (False, key.passphrase)
    assert read.who.text() == "You sign as Eva Ö., who proposes."
    (folder / "eva-ö.p12").write_bytes(before)  # somebody put Ada's key in its place
    hands.type(key.passphrase, PASSPHRASE)
    signing_hands.confirm(hands, dialog, fails=True)
    assert "the signature file of Ada" in key.wrong.text()
    signing_hands.order_identity(hands, dialog, None, "Eva Ö.")  # forgotten: a new one
    signing_hands.confirm(hands, dialog)
    assert (folder / "eva-ö-2.p12").is_file()


def test_a_decision_changed_since_it_was_signed_replaces_it_unless_somebody_says_otherwise(
    signed: Hands, at_home: Path
) -> None:
    hands, form = signed, signed.page.sign_form
    hands.session.put("Reword", "$.requirements[0].name", "Somebody else")
    hands.read_behind()
    assert form.says.words.startswith("Changed since it was signed.")
    assert hands.wizard.steps.buttons["review"].note.text() == ""
    dialog = signing_hands.begin(hands)
    details = hands.session.decision.details
    digest = hashlib.sha256((at_home / "durham.json").read_bytes()).hexdigest()
    assert (details.supersedes, details.superseded_sha256) == ("durham.json", digest)
    assert dialog.read.replaced.words == (
        "It replaces the record “durham.json”, which stays as it is. Changed: Requirements › 1: Somebody else › Name."
    )
    hands.click(dialog.read.apart_link)
    signing_hands.ready(hands, dialog)
    assert hands.session.decision.details.supersedes is None
    signing_hands.close(hands, dialog)
    while hands.session.decision != form.session.recorded:
        hands.session.undo()
    hands.read_behind()
    assert form.places.record == str(at_home / "durham.json")  # as it was signed


def test_a_signature_is_withdrawn_by_who_gave_it(make_hands: Callable[..., Hands], at_home: Path) -> None:
    hands, form = last_step(make_hands)
    dialog = signing_hands.begin(hands)
    signing_hands.order_identity(hands, dialog, None, "Eva")
    signing_hands.confirm(hands, dialog)
    hands.click(dialog.done_step.withdraw_link)
    signing_hands.ready(hands, dialog)
    assert dialog.read.who.text() == "You sign as Eva, who proposes."
    assert "You already signed this record (role: proposes" in dialog.read.remarks.words
    assert dialog.read.statement.words == "I withdraw my signature: do not publish this count."
    assert dialog.sign_button.text() == "Withdraw"
    hands.type(dialog.read.key.passphrase, PASSPHRASE)
    signing_hands.confirm(hands, dialog)
    done = dialog.done_step
    assert (done.heading.text(), done.mind.isVisible()) == ("✓  Withdrawn by you, Eva", False)
    assert "Nothing has changed since. Eva (proposer) withdraws it" in done.sentence.words
    assert [one.verdict for one in form.signed.verification.signers] == ["approve", "withdraw"]


def test_a_dialog_closed_in_the_middle_writes_nothing_and_forgets_the_key_but_not_what_was_typed(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands, _ = last_step(make_hands)
    dialog = signing_hands.begin(hands)
    signing_hands.identify(hands, dialog, at_home / "ada.p12")
    hands.click(dialog.read.more.head)
    hands.type(dialog.read.comment, "As discussed.")
    signing_hands.close(hands, dialog)
    assert sorted(path.name for path in at_home.rglob("*.json*")) == []
    again = signing_hands.begin(hands)
    assert again.read.key.file.text() == str(at_home / "ada.p12")
    assert again.read.key.passphrase.text() == ""
    assert again.read.comment.toPlainText() == "As discussed."
    hands.click(again.sign_button)
    assert "passphrase is missing" in again.read.key.wrong.text()
    signing_hands.close(hands, again)


def test_two_passphrases_are_compared_while_they_are_typed_and_enter_signs_nothing(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands, form = last_step(make_hands)
    dialog = signing_hands.begin(hands)
    key = dialog.read.key

    def typed(first: str, again: str) -> tuple[str, str]:
        hands.type(key.passphrase, first)
        hands.bot.keyClick(key.passphrase, Qt.Key.Key_Return)
        assert dialog.focusWidget() is key.again
        hands.type(key.again, again)
        return key.wrong.text(), key.good.text() if key.good.isVisible() else ""

    assert typed("four words or more", "four wo") == ("", "")  # so far
    assert typed("four words or more", "four wx") == ("The two are different.", "")
    assert typed("short", "short") == ("Too short: at least 8 characters.", "")
    assert typed("eight or", "eight or") == ("", "✓ equal. Four words are harder to guess.")
    assert typed("a" * 30, "a" * 30) == ("", "✓ equal. Four words are harder to guess.")
    assert typed("four words or more", "four words or more") == ("", "✓ equal, strong enough.")
    for _ in range(3):
        hands.bot.keyClick(dialog.focusWidget(), Qt.Key.Key_Return)
        hands.bot.keyClick(dialog.focusWidget(), Qt.Key.Key_Enter)
    assert key.note.words == "Enter does not sign. Press “Sign the proposal”."
    hands.bot.keyClick(dialog.pages.area, Qt.Key.Key_Return)
    assert not form.worker.busy
    assert list(at_home.rglob("*.jws")) == []
    hands.type(key.again, "four words or mort")
    hands.click(dialog.sign_button)
    assert "The two passphrases differ" in key.wrong.text()
    assert key.again.property("wrong")
    hands.type(key.again, "four words or more")
    hands.click(dialog.read.change)
    hands.type(dialog.read.name, "")
    assert dialog.read.who.text() == "Enter who signs."
    hands.click(dialog.sign_button)
    assert "your name is missing" in dialog.says.words


def test_what_is_wrong_with_key_or_passphrase_is_said_at_its_field_and_nothing_else_is_lost(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands, _ = last_step(make_hands)
    stick, dialog = at_home / "ada.p12", signing_hands.begin(hands, at_home / "record")
    data, key = stick.read_bytes(), dialog.read.key
    hands.click(key.file_link)
    hands.type(key.file, "")  # another decision may have named one
    for missing in ("No signature file is chosen", "The passphrase is missing"):
        hands.click(dialog.sign_button)
        assert missing in key.wrong.text()
        hands.type(key.file, str(stick))
    hands.type(key.passphrase, PASSPHRASE)
    stick.unlink()  # pulled out
    signing_hands.confirm(hands, dialog, fails=True, comment="As discussed.")
    assert f"{stick} does not exist" in key.wrong.text()
    assert (key.file.property("wrong"), dialog.focusWidget()) == (True, key.file)
    stick.write_bytes(data)
    hands.type(key.passphrase, "wrong passphrase")
    signing_hands.confirm(hands, dialog, fails=True)
    assert "cannot be opened with this passphrase" in key.wrong.text()
    assert (key.passphrase.property("wrong"), dialog.focusWidget()) == (True, key.passphrase)
    assert (key.passphrase.text(), dialog.says.words) == ("", "")
    hands.type(key.passphrase, PASSPHRASE)
    signing_hands.confirm(hands, dialog)
    assert hands.page.sign_form.signed.verification.signers[0].comment == "As discussed."


def test_signing_again_after_a_full_disk_adds_no_signature_and_makes_the_pdf(
    make_hands: Callable[..., Hands], at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands, form = last_step(make_hands)
    dialog = signing_hands.begin(hands, at_home / "record")
    signing_hands.order_identity(hands, dialog, None, "Eva")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", Mock(side_effect=OSError(errno.ENOSPC, "")))
        signing_hands.confirm(hands, dialog, fails=True, comment="As discussed.")
    assert "the disk is full. The record is signed." in dialog.says.words
    assert not (at_home / "record.pdf").exists()
    assert not dialog.read.key.makes  # whoever signed is asked for the same signature again
    hands.type(dialog.read.key.passphrase, PASSPHRASE)
    signing_hands.confirm(hands, dialog)
    assert {path.name for path in at_home.glob("record*")} == {"record.json", "record.1.jws", "record.pdf"}
    done = dialog.done_step
    assert done.sentence.words.startswith("You had already signed it: no signature was added, and its PDF was made")
    assert (form.signed.verification.outcome, form.says.words[:13]) == ("passed", "Signed by you")


def test_what_was_signed_is_opened_shown_copied_and_sent_on(
    make_hands: Callable[..., Hands], at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands, _ = last_step(make_hands)
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    dialog = signing_hands.begin(hands, at_home / "record")
    signing_hands.identify(hands, dialog, at_home / "ada.p12")
    signing_hands.confirm(hands, dialog)
    done = dialog.done_step
    assert done.heading.text() == "✓  Signed by you, Ada"
    stated = moment(NOW.isoformat())
    assert done.sentence.words == (
        f"{stated}. Checked at once: nothing has changed since, and the pages match the data file."
    )
    assert hands.page.sign_form.says.words == f"Signed by you, {stated}. Nothing has changed since."
    assert (done.next_card.title.text(), done.steps.words.splitlines()[0]) == (
        "Next: Bea Example",
        "1  Send all 3 files of the record, together.",
    )
    number = done.number.text()
    fingerprint = hands.page.sign_form.signed.verification.signers[0].certificate.fingerprint
    assert number.replace(" ", "").lower() == fingerprint[:20]
    hands.click(done.open_button)
    hands.click(dialog.folder_button)
    assert [url.toLocalFile() for url in opened] == [str(at_home / "record.pdf"), str(at_home)]
    hands.click(done.more.head)
    hands.click(done.path_button)
    assert QGuiApplication.clipboard().text() == str(at_home / "record.pdf")
    (at_home / "outbox").mkdir()
    monkeypatch.setattr("ui.signing.done_step.ask_folder", lambda *_: str(at_home / "outbox"))
    for said in (dialog.worker.done, dialog.worker.failed):  # a second time it is there already
        with hands.bot.waitSignal(said, timeout=PATIENCE):
            hands.click(done.copy_button)
    assert "already exists" in dialog.says.words
    copies = {path.name: path.read_bytes() for path in (at_home / "outbox").iterdir()}
    assert copies == {name: (at_home / name).read_bytes() for name in ("record.json", "record.pdf", "record.1.jws")}
    hands.click(done.notice_button)
    assert hands.page.sign_form.exports.kind.currentData() == "notice"
    hands.page.sign_form.exports.close()
    dialog.activateWindow()
    hands.click(done.further_button)
    signing_hands.ready(hands, dialog)
    assert dialog.step == READ
    assert dialog.read.key.makes
    assert dialog.read.role.currentData() == "approves"
