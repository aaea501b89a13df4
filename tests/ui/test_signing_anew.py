"""Signing begins anew with each decision, trust just given counts at once, and a new identity is saved, not opened."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from dpwizard.charts import pictures
from dpwizard.decision import Decision, new_decision
from dpwizard.signing import office
from dpwizard.signing.identity import create_identity
from tests.samples.signed_record import DAY
from tests.ui import signing_hands
from tests.ui.fixtures import EXAMPLES
from tests.ui.hands import PATIENCE, Hands
from tests.ui.signing_hands import PASSPHRASE
from ui.signing.sign_dialog import READ
from ui.signing.sign_form import SignForm
from ui.widgets import moment

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
LEFT_EMPTY = ("target", "public_target")


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own in which Ada keeps her identity; nobody is trusted in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "ada.p12").write_bytes(create_identity(name="Ada", passphrase=PASSPHRASE, now=NOW - DAY))
    return tmp_path


def about_to_sign(make_hands: Callable[..., Hands], at_home: Path) -> tuple[Hands, SignForm]:
    """Return hands at the last step of the Durham example, with all typed in that Ada needs to sign; and the form."""
    hands = make_hands("durham")
    hands.go("review")
    form = hands.page.sign_form
    form.now = lambda: NOW
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
    assert {name: getattr(form, name).text() for name in LEFT_EMPTY} == dict.fromkeys(LEFT_EMPTY, "")
    if form.dialog is not None:
        who, read, done = form.dialog.who, form.dialog.read, form.dialog.done_step
        assert [line.text() for line in (*who.secrets, who.name, who.place, read.time)] == [""] * 6
        assert read.comment.toPlainText() == read.conditions.toPlainText() == ""
        assert done.files.text() == done.sentence.words == read.who.words == read.remarks.words == ""
        assert read.links == []
        assert read.pages.pages == ()
        assert form.dialog.key is None
        assert not form.dialog.isVisible()
        assert who.role.currentData() == "proposes"
    assert form.says.words == form.awaited.text() == ""
    assert form.signed is None
    assert not form.check_button.isVisible()
    assert form.sign_button.text() == "Sign …"


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
    assert form.target.text() == ""


def test_no_answer_of_a_decision_that_was_left_is_shown_for_the_next_one(
    make_hands: Callable[..., Hands], monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = make_hands("durham")
    hands.go("decision")
    hands.settle()
    assert hands.page.number.text() != "–"
    go_on = threading.Event()

    def slow(decision: Decision, previous: Any = None) -> Any:
        go_on.wait(PATIENCE / 1_000)
        return pictures.picture(decision, previous)

    monkeypatch.setattr("ui.workers.live.picture", slow)
    hands.session.put("Choose", "$.epsilon", 2.5)  # is being solved when the decision is left
    hands.answer(QMessageBox.StandardButton.Discard)
    hands.bot.keyClick(hands.window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    hands.go("decision")
    assert hands.page.number.text() == "–"
    assert hands.page.two.other is None
    go_on.set()
    hands.go("review")
    hands.wait(lambda: not hands.wizard.solver.behind)
    assert hands.page.summary_epsilon.text() == "–"


def test_the_same_decision_opened_again_is_answered_again(durham: Hands) -> None:
    durham.window.open_path(EXAMPLES / "durham.json", example=True)
    durham.go("decision")
    durham.settle()
    assert durham.page.number.text() != "–"


def test_an_own_signature_is_trusted_where_it_was_made_and_said_to_be_ones_own(signed: Hands) -> None:
    form = signed.page.sign_form
    assert form.signed.verification.verdict == "trusted"
    stated = moment(NOW.isoformat())
    assert f"Signed by you, {stated}. Nothing has changed since." in form.says.words
    signed.window.verify_path(form.signed.path)  # at any time later
    dialog = signed.window.verdict
    signed.wait(lambda: dialog.found is not None)
    assert dialog.sentence.text() == f"Signed by you, {stated}. Nothing has changed since."
    assert dialog.heading.text() == "Valid: unchanged, and every signer is trusted here"
    dialog.close()


def test_trust_just_given_counts_at_once_for_what_was_signed(signed: Hands, at_home: Path) -> None:
    hands, form = signed, signed.page.sign_form
    (mine,) = office.user_trust().iterdir()
    certificate = mine.read_bytes()
    mine.unlink()  # as on another computer
    with hands.bot.waitSignal(form.worker.done, timeout=PATIENCE):
        form.verify_again()
    assert form.signed.verification.verdict == "unchanged"
    assert "Unchanged, but a signer is not trusted here." in form.says.words
    (at_home / "ada.crt").write_bytes(certificate)
    hands.window.menus.actions["trust"].trigger()
    trust = hands.window.trust
    trust.add(at_home / "ada.crt")
    hands.wait(trust.trust_button.isVisible)
    with hands.bot.waitSignal(form.worker.done, timeout=PATIENCE):
        hands.click(trust.trust_button)
    assert form.signed.verification.verdict == "trusted"
    assert "not trusted" not in form.says.words
    trust.close()


@pytest.mark.own_window
def test_a_first_key_lies_in_ones_own_folder_and_is_used_the_next_time(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands = make_hands("durham")
    hands.go("review")
    form = hands.page.sign_form
    form.now = lambda: NOW
    dialog = signing_hands.begin(hands)
    who = dialog.who
    assert who.makes  # there is none yet
    for line, words in ((who.name, "Eva Ö."), (who.first, PASSPHRASE), (who.again, PASSPHRASE)):
        hands.type(line, words)
    with hands.bot.waitSignal(form.worker.done, timeout=PATIENCE):
        hands.click(dialog.next_button)
    folder = office.user_trust().with_name("keys")
    assert {path.name for path in folder.iterdir()} == {"eva-ö.p12", "eva-ö.crt"}
    hands.wait(lambda: dialog.step == READ)
    signing_hands.cancel(hands, dialog)
    who.identity.clear()  # as in a program that was begun anew
    dialog = signing_hands.begin(hands)
    assert (who.makes, who.identity.text()) == (False, str(folder / "eva-ö.p12"))
    assert who.first_empty() is who.passphrase


def test_an_identity_that_is_there_is_never_offered_for_a_new_one(
    make_hands: Callable[..., Hands], at_home: Path
) -> None:
    hands = make_hands("durham")
    hands.go("review")
    form = hands.page.sign_form
    before = (at_home / "ada.p12").read_bytes()
    dialog = signing_hands.begin(hands)
    who = dialog.who
    hands.choose_in(who.kind, "new")
    lines = ((who.name, "Eva"), (who.first, PASSPHRASE), (who.again, PASSPHRASE))
    for line, words in (*lines, (who.place, str(at_home / "ada.p12"))):
        hands.type(line, words)
    with hands.bot.waitSignal(form.worker.failed, timeout=PATIENCE):
        hands.click(dialog.next_button)
    assert "never overwritten" in dialog.says.words
    assert (at_home / "ada.p12").read_bytes() == before
    assert (who.name.text(), who.place.text()) == ("Eva", str(at_home / "ada.p12"))
