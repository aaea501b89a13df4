"""Signing by somebody clumsy: closed in the middle, the key pulled out, a folder that is shut, signed twice."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication

from dpwizard.base import files
from dpwizard.base.errors import FileProblem
from dpwizard.signing.identity import create_identity
from tests.samples.signed_record import DAY
from tests.ui import signing_hands
from tests.ui.hands import PATIENCE, Hands
from ui.signing.sign_dialog import READ, WHO
from ui.widgets import moment

pytestmark = [pytest.mark.one_window, pytest.mark.slow]  # signatures
NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def key() -> bytes:
    """Return Ada's key file."""
    return create_identity(name="Ada", passphrase=signing_hands.PASSPHRASE, now=NOW - DAY)


@pytest.fixture
def review(make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: bytes) -> Hands:
    """Return hands at the last step of the Durham example; Ada's key lies on a stick."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "stick").mkdir()
    (tmp_path / "stick" / "ada.p12").write_bytes(key)
    hands = make_hands("durham")
    hands.go("review")
    hands.page.sign_form.now = lambda: NOW
    return hands


def test_a_dialog_closed_in_the_middle_writes_nothing_and_forgets_the_key_but_not_what_was_typed(
    review: Hands, tmp_path: Path
) -> None:
    dialog = signing_hands.begin(review)
    signing_hands.identify(review, dialog, tmp_path / "stick" / "ada.p12")
    review.click(dialog.read.more.head)
    review.type(dialog.read.comment, "As discussed.")
    review.bot.keyClick(dialog.read.pages.area, Qt.Key.Key_Return)  # Enter signs nothing
    assert dialog.step == READ
    signing_hands.cancel(review, dialog)
    assert dialog.key is None
    assert sorted(path.name for path in tmp_path.rglob("*.json*")) == []
    again = signing_hands.begin(review)
    assert again.step == WHO
    assert again.who.identity.text() == str(tmp_path / "stick" / "ada.p12")
    assert again.who.passphrase.text() == ""
    assert again.read.comment.toPlainText() == "As discussed."
    review.click(again.next_button)
    assert "passphrase" in again.says.words
    signing_hands.cancel(review, again)


def test_a_stick_pulled_before_the_key_is_read_is_said_and_after_it_nothing_is_lost(
    review: Hands, tmp_path: Path
) -> None:
    stick = tmp_path / "stick" / "ada.p12"
    key = stick.read_bytes()
    dialog = signing_hands.begin(review, tmp_path / "record")
    stick.unlink()
    signing_hands.identify(review, dialog, stick, fails=True)
    assert "does not exist" in dialog.says.words
    assert dialog.who.identity.text() == str(stick)
    stick.write_bytes(key)
    signing_hands.identify(review, dialog, stick)
    stick.unlink()
    review.click(dialog.back_button)
    assert "Opened: Ada" in dialog.who.opened.words
    review.click(dialog.next_button)  # the key is open until the dialog is closed
    signing_hands.confirm(review, dialog)
    assert review.page.sign_form.signed.verification.ok


def test_a_folder_that_may_only_be_read_is_said_and_another_name_signs(
    review: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = files.write_new

    def refused(path: Path, data: bytes) -> None:
        if path.parent.name == "shut":
            raise FileProblem("cannot be written", str(path), "Check the permissions.")
        write(path, data)

    monkeypatch.setattr(files, "write_new", refused)
    form = signing_hands.sign(review, tmp_path / "stick" / "ada.p12", tmp_path / "shut" / "record", fails=True)
    assert "cannot be written" in form.dialog.says.words
    assert form.dialog.sign_button.isEnabled()
    signing_hands.cancel(review, form.dialog)
    signing_hands.sign(review, tmp_path / "stick" / "ada.p12", tmp_path / "record")
    assert form.signed.verification.ok
    assert list(tmp_path.glob("shut/*")) == []


def test_whoever_signs_twice_is_told_and_a_name_nobody_chose_is_free(review: Hands, tmp_path: Path) -> None:
    form = signing_hands.sign(review, tmp_path / "stick" / "ada.p12")
    place = tmp_path / "infant-deaths-in-durham-county-2020-record.json"
    assert form.signed.path == place
    assert form.sign_button.text() == "Add your signature …"
    dialog = signing_hands.begin(review)
    signing_hands.identify(review, dialog, tmp_path / "stick" / "ada.p12")
    assert "You already signed this record (role: proposes" in dialog.read.remarks.words
    signing_hands.cancel(review, dialog)
    review.type(form.target, "")
    review.session.put("Reword", "$.requirements[0].name", "Somebody else")
    review.read_behind()
    assert form.place() == str(place.with_name("infant-deaths-in-durham-county-2020-record-2.json"))


def test_what_was_signed_is_opened_shown_copied_and_sent_on(
    review: Hands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url) or True)
    dialog = signing_hands.begin(review, tmp_path / "record")
    signing_hands.identify(review, dialog, tmp_path / "stick" / "ada.p12")
    signing_hands.confirm(review, dialog)
    done = dialog.done_step
    assert done.heading.text() == "✓  Signed by you, Ada"
    stated = moment(NOW.isoformat())
    assert done.sentence.words == f"Signed by you, {stated}. Nothing has changed since."
    number = done.number.words.splitlines()[-1]
    fingerprint = review.page.sign_form.signed.verification.signers[0].certificate.fingerprint
    assert number.replace(" ", "").lower() == fingerprint[:20]
    review.click(done.open_button)
    review.click(done.folder_button)
    assert [url.toLocalFile() for url in opened] == [str(tmp_path / "record.pdf"), str(tmp_path)]
    review.click(done.path_button)
    assert QGuiApplication.clipboard().text() == str(tmp_path / "record.pdf")
    (tmp_path / "outbox").mkdir()
    monkeypatch.setattr("ui.signing.done_step.ask_folder", lambda *_: str(tmp_path / "outbox"))
    for said in (dialog.worker.done, dialog.worker.failed):  # a second time it is there already
        with review.bot.waitSignal(said, timeout=PATIENCE):
            review.click(done.copy_button)
    assert "exists already" in dialog.says.words
    copies = {path.name: path.read_bytes() for path in (tmp_path / "outbox").iterdir()}
    assert copies == {name: (tmp_path / name).read_bytes() for name in ("record.json", "record.pdf", "record.1.jws")}
    review.click(done.further_button)
    review.read_behind()
    assert dialog.step == WHO
    assert dialog.who.identity.text() == ""
    assert dialog.who.role.currentData() == "approves"
