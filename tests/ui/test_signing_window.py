"""Signing by mouse and keys: under a policy, by several people in order, the public version, stopped halfway, with an
agency's own keys."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard.base import office_folder
from dpwizard.decision import derived_fields
from dpwizard.decision.decision import Acknowledgement
from dpwizard.signing import RecordFiles, verification
from dpwizard.signing.identity import create_identity
from tests.samples.signed_record import DAY
from tests.ui import signing_hands
from tests.ui.choosers import choose_file
from tests.ui.hands import Hands
from tests.ui.signing_hands import PASSPHRASE, sign
from ui.signing import PolicyCard, sign_words
from ui.signing.sign_dialog import SignDialog

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
pytestmark = [pytest.mark.slow, pytest.mark.one_window]

ROLES = ("proposes", "approves", "data_protection_officer")
POLICY = """
format = "dpwizard.policy/1"
name = "County policy 2026"
largest_epsilon = {largest}
roles = ["data_protection_officer", "approves", "proposes"]
"""


@functools.cache
def identity(name: str) -> bytes:
    """Return a key file, the same in each test: what a key signs is typeset once."""
    return create_identity(name=name, passphrase=PASSPHRASE, now=NOW - DAY)


@pytest.fixture
def at_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of one's own in which three people keep their identities; nobody is trusted in it."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("ada", "ben", "cleo"):
        (tmp_path / f"{name}.p12").write_bytes(identity(name.capitalize()))
    return tmp_path


@pytest.fixture
def review(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at the last step of the Durham example, at a time of their own and under no policy."""
    hands = make_hands("durham").go("review")
    if hands.page.policy.row.line.text():  # the one chosen stays for the next decision
        hands.type(hands.page.policy.row.line, "")
    hands.page.sign_form.now = lambda: NOW
    return hands


def begin_public(hands: Hands) -> SignDialog:
    """Open the dialog, the public version to be signed."""
    dialog = signing_hands.begin(hands)
    signing_hands.unfold(hands, dialog)
    hands.choose_in(dialog.read.what, True)
    signing_hands.ready(hands, dialog)
    return dialog


def test_three_people_sign_in_order_under_the_offices_policy_which_the_record_names(
    review: Hands, at_home: Path
) -> None:
    hands, form, target = review, review.page.sign_form, at_home / "durham"
    policy = POLICY.format(largest=3)
    (at_home / "office.toml").write_text(policy, "utf-8")
    choose_file(hands, hands.page.policy.row.button, at_home / "office.toml")
    assert form.awaited.text().count("Missing") == 3
    for name, role, waiting in (("ada", ROLES[0], 2), ("ben", ROLES[1], 1), ("cleo", ROLES[2], 0)):
        dialog = signing_hands.begin(hands, target if role == ROLES[0] else None)
        assert ("“County policy 2026”" in dialog.read.where.words) == (role == ROLES[0])
        assert dialog.read.role.currentData() == role  # the next one in order is proposed
        signing_hands.identify(hands, dialog, at_home / f"{name}.p12")
        signing_hands.confirm(hands, dialog)
        signing_hands.close(hands, dialog)
        assert form.signed.verification.ok
        assert len(form.signed.verification.awaited) == (waiting > 0)
        assert form.awaited.text().count("Missing") == waiting
        assert f"✓  {role.replace('_', ' ')}: {name.capitalize()}" in form.awaited.text()
    named = json.loads((at_home / "durham.json").read_text("utf-8"))["policy"]
    assert (named["name"], named["sha256"]) == ("County policy 2026", hashlib.sha256(policy.encode()).hexdigest())
    judged = verification.verify(RecordFiles.beside(target), (), NOW)
    assert [signer.role for signer in judged.signers] == list(ROLES)
    assert judged.awaited == ()


def test_somebody_vouches_for_the_noise_and_for_what_bears_their_name_and_that_stands_until_withdrawn(
    review: Hands, at_home: Path
) -> None:
    hands, form = review, review.page.sign_form
    handed_on = Acknowledgement(
        assumption=derived_fields.NOTHING_ELSE,
        text="Nothing else is public.",
        state="open",
        vouched_by="Ben, statistics",
    )
    sign(hands, at_home / "ada.p12", at_home / "durham")
    dialog = signing_hands.begin(hands)
    signing_hands.identify(hands, dialog, at_home / "ben.p12", role="vouches")
    assert "who vouches for what must be true" in dialog.read.who.text()
    assert dialog.read.statement.words == "I vouch that the noise is added as the annex says."
    decision = hands.session.decision.model_copy(update={"acknowledged": (handed_on,)})
    said = sign_words.statement(decision, "0.88", "vouches", "vouch", "Ben")
    assert said == "I vouch for the statement of page 2 that bears my name."
    assert sign_words.signers(decision)["vouches"] == ("Ben", "")
    signing_hands.confirm(hands, dialog)
    signing_hands.close(hands, dialog)
    assert "✓  vouches: Ben" in form.awaited.text()
    judged = verification.verify(RecordFiles.beside(at_home / "durham"), (), NOW)
    assert (judged.ok, judged.signers[-1].role, judged.signers[-1].verdict) == (True, "vouches", "vouch")
    dialog = signing_hands.begin(hands)
    signing_hands.identify(hands, dialog, at_home / "ben.p12", role="vouches")
    signing_hands.confirm(hands, dialog, verdict="withdraw")
    signing_hands.close(hands, dialog)
    assert form.awaited.text().count("✗  vouches: Ben") == 2


def test_next_person_is_shown_no_role_before_it_is_known_which_is_awaited_and_keeps_the_one_chosen(
    review: Hands, at_home: Path
) -> None:
    form, target = review.page.sign_form, at_home / "durham"
    dialog = signing_hands.begin(review, target)
    signing_hands.identify(review, dialog, at_home / "ada.p12")
    signing_hands.confirm(review, dialog)
    role = dialog.read.role
    dialog.done_step.further_button.click()
    assert (form.looker.busy, role.currentIndex(), dialog.sign_button.isEnabled()) == (True, -1, False)
    review.read_behind()
    assert (role.currentData(), dialog.sign_button.text()) == ("approves", "Approve")
    verdicts = dialog.read.verdict
    assert verdicts.view().isRowHidden(verdicts.findData("withdraw"))  # nobody has signed in this role
    role.setCurrentIndex(role.findData("proposes"))
    assert not verdicts.view().isRowHidden(verdicts.findData("withdraw"))
    assert dialog.read.key.makes  # whose signature it has is somebody else
    dialog.done_step.further_button.click()
    role.setCurrentIndex(role.findData("data_protection_officer"))
    assert form.looker.busy
    review.read_behind()
    assert role.currentData() == "data_protection_officer"


def test_a_role_signed_with_a_certificate_that_counts_elsewhere_is_awaited_from_somebody_else(
    review: Hands, at_home: Path
) -> None:
    form, target = review.page.sign_form, at_home / "durham"
    (at_home / "office.toml").write_text(POLICY.format(largest=3), "utf-8")
    review.type(review.page.policy.row.line, str(at_home / "office.toml"))
    sign(review, at_home / "ada.p12", target)
    sign(review, at_home / "ada.p12", role="data_protection_officer")
    assert "Missing: data protection officer, by someone else" in form.awaited.text()
    assert form.awaited.text().count("Ada") == 2
    assert form.signed.verification.awaited  # as verification counts
    sign(review, at_home / "ben.p12", role="approves", verdict="reject")
    assert "✗  approves: Ben" in form.awaited.text()  # a rejection is no approval
    assert "Missing: approves\n" in form.awaited.text()


@pytest.mark.own_window
def test_the_policy_chosen_is_there_again_with_a_word_where_it_was_changed(
    make_hands: Callable[..., Hands], at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(office_folder, "OFFICE", at_home / "etc")
    office = at_home / "office.toml"
    office.write_text(POLICY.format(largest=3), "utf-8")
    first = make_hands("durham").go("review")
    card, settings = first.page.policy, first.window.settings
    assert card.row.line.text() == ""
    first.type(card.row.line, str(office))
    assert settings.value("policy/sha256") == hashlib.sha256(office.read_bytes()).hexdigest()

    def anew() -> PolicyCard:
        card = PolicyCard(settings)
        card.setParent(first.window)
        card.show_decision(first.session.decision, True)
        card.show()
        card.offer()
        first.wait(lambda: not card.reader.busy)
        return card

    assert anew().says.words.startswith("The policy chosen last here.\n“County policy 2026”, SHA-256 ")
    office.write_text(POLICY.format(largest=4), "utf-8")
    assert "Its file has changed since" in anew().says.words
    assert "Its file has changed since" not in anew().says.words  # said once, where it was read
    (at_home / "etc").mkdir()
    placed = at_home / "etc" / "policy.toml"
    placed.write_text(POLICY.format(largest=5), "utf-8")
    card = anew()
    assert card.path == placed
    assert card.says.words.startswith("Your office has placed this policy on this computer.")
    assert settings.value("policy/path") == str(office)
    placed.unlink()
    card = anew()
    first.type(card.row.line, "")
    first.wait(lambda: not card.reader.busy)
    assert settings.value("policy/path") is None
    assert anew().row.line.text() == ""


def test_a_policy_that_was_only_offered_does_not_stop_a_further_signature(
    review: Hands, at_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign(review, at_home / "ada.p12", at_home / "durham")
    (at_home / "office.toml").write_text(POLICY.format(largest=3), "utf-8")
    card = review.page.policy
    card.offered = str(at_home / "office.toml")
    card.row.line.setText(card.offered)
    sign(review, at_home / "ben.p12", role="approves")
    assert len(review.page.sign_form.signed.verification.signers) == 2


def test_a_policy_that_forbids_changed_or_cannot_be_read_stops_every_signature(review: Hands, at_home: Path) -> None:
    office, line = at_home / "office.toml", review.page.policy.row.line
    office.write_text(POLICY.format(largest=2), "utf-8")
    review.type(line, str(office))
    dialog = signing_hands.begin(review, at_home / "durham")
    signing_hands.identify(review, dialog, at_home / "ada.p12")
    signing_hands.confirm(review, dialog, fails=True)
    assert "allows at most 2" in dialog.says.words
    assert "allows at most 2" in dialog.read.remarks.words  # said before, too
    for change in (lambda: office.write_text(POLICY.format(largest=3), "utf-8"), office.unlink):
        change()
        review.type(dialog.read.key.passphrase, PASSPHRASE)
        signing_hands.confirm(review, dialog, fails=True)
        assert "policy’s file has changed since it was shown" in dialog.says.words
    review.type(dialog.read.key.passphrase, PASSPHRASE)
    review.click(dialog.sign_button)
    assert "policy cannot be read" in dialog.says.words  # and is not taken for none
    assert list(at_home.glob("durham*")) == []
    office.write_text(POLICY.format(largest=2), "utf-8")
    review.page.policy.read()
    review.read_behind()
    signing_hands.confirm(review, dialog, fails=True)
    review.click(dialog.place_button)
    assert review.page.key == "decision"


def test_a_passphrase_is_kept_while_an_answer_is_missing(review: Hands, at_home: Path) -> None:
    review.session.put("No choice", "$.epsilon", None)
    review.settle()
    dialog = signing_hands.begin(review, at_home / "durham")
    signing_hands.identify(review, dialog, at_home / "ada.p12")
    review.click(dialog.sign_button)
    assert "needs a complete decision" in dialog.says.words
    assert dialog.read.key.passphrase.text() == PASSPHRASE
    review.click(dialog.place_button)
    assert review.page.key == "decision"


def test_the_public_edition_is_made_without_what_is_marked_and_signed(review: Hands, at_home: Path) -> None:
    hands, form = review, review.page.sign_form
    secret = hands.session.decision.details.necessity
    sign(hands, at_home / "ada.p12", at_home / "durham")
    hands.click(hands.page.blocks["withheld"].head)
    hands.bot.waitUntil(lambda: hands.page.withheld is not None and hands.page.withheld.isVisible())
    hands.click(hands.page.withheld.boxes["$.details.necessity"])
    dialog = begin_public(hands)
    assert "without 1 marked item" in dialog.read.where.words
    assert dialog.sign_button.text() == "Sign the public version"
    signing_hands.identify(hands, dialog, at_home / "ada.p12")
    signing_hands.confirm(hands, dialog)
    public = at_home / "durham-public.json"
    made = json.loads(public.read_text("utf-8"))
    assert secret in (at_home / "durham.json").read_text("utf-8")
    assert secret not in public.read_text("utf-8")
    internal = hashlib.sha256((at_home / "durham.json").read_bytes()).hexdigest()
    assert made["public"] == {"internal_sha256": internal, "requirements": 3, "of": 3}
    assert form.signed.verification.ok
    signing_hands.close(hands, dialog)
    begin_public(hands)
    assert form.places.shown.kind == "further"  # a second signature would be added


def test_a_public_edition_is_made_only_of_the_record_of_the_decision_that_is_shown(
    review: Hands, at_home: Path
) -> None:
    hands, form = review, review.page.sign_form
    sign(hands, at_home / "ada.p12", at_home / "durham")
    hands.session.put("Reword", "$.requirements[0].name", "Somebody else")
    dialog = begin_public(hands)
    signing_hands.identify(hands, dialog, at_home / "ada.p12")
    hands.click(dialog.sign_button)
    assert "not one of this decision" in dialog.says.words
    signing_hands.close(hands, dialog)
    assert not (at_home / "durham-public.json").exists()
    while hands.session.decision != form.session.recorded:
        hands.session.undo()
    (at_home / "durham-public.json").write_bytes((at_home / "durham.json").read_bytes())
    for ending in ("pdf", "1.jws"):
        (at_home / f"durham-public.{ending}").write_bytes((at_home / f"durham.{ending}").read_bytes())
    begin_public(hands)
    assert "There is another record here" in dialog.read.remarks.words  # that of another one gets no signature


def test_verdict_comment_and_conditions_of_a_signer_are_in_the_signature(review: Hands, at_home: Path) -> None:
    hands, form = review, review.page.sign_form
    said = {"verdict": "approve_with_conditions", "comment": "As discussed.", "conditions": "One table only"}
    sign(hands, at_home / "ada.p12", at_home / "durham", **said)
    (signer,) = form.signed.verification.signers
    conditions = ("One table only",)
    assert (signer.verdict, signer.comment, signer.conditions) == (said["verdict"], said["comment"], conditions)
    hands.click(form.check_link)
    assert form.verdict_dialog.isVisible()
    form.verdict_dialog.close()
