"""From an empty decision to a signed and verified record, by mouse and keys alone; and the same bytes by command
line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from dpwizard import cli
from dpwizard.decision import to_json
from dpwizard.signing import RecordFiles, verification
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.signing_hands import PASSPHRASE

NOW = datetime(2026, 11, 21, 9, 0, tzinfo=UTC)
STATED = "2026-11-21T10:30:00+01:00"
LN_9 = 2.197224577336219


def describe_the_release(hands: Hands) -> None:
    hands.fill("$.title", "Infant deaths in Durham County, 2020")
    hands.fill("$.release.description", "The number of infants who died in 2020.")
    hands.choose("$.release.statistic", "count")
    hands.fill("$.release.unit", "one infant in the death file")
    hands.choose("$.release.neighbours", "add_remove")
    hands.fill("$.release.population", "4012")
    hands.choose("$.release.mechanism", "geometric")
    hands.fill("$.release.sensitivity", "1")


def name_the_adversary(hands: Hands) -> None:
    hands.pick(hands.page.cards.add_button, "relative_risk")
    hands.fill("$.requirements[0].name", "Neighbour who knows the family")
    hands.choose("$.requirements[0].adversary", "inclusion")
    hands.choose_in(hands.editor("$.requirements[0].p").kind, "any")
    for box in tuple(hands.page.assumed.boxes.values()):
        hands.click(box)


def draw_the_profile(hands: Hands) -> None:
    hands.choose("$.requirements[0].profile.shape", "cap_or_ratio")
    hands.fill("$.requirements[0].profile.posterior", "50")
    hands.fill("$.requirements[0].profile.ratio", "5")


def say_what_must_be_usable(hands: Hands) -> None:
    hands.pick(hands.page.cards.add_button, "switch_probability")
    for name, typed in (
        ("name", "Healthy People target"),
        ("target", "6"),
        ("per", "1000"),
        ("records", "4012"),
        ("deviation", "0.25"),
        ("at_most", "10"),
    ):
        hands.fill(f"$.requirements[1].{name}", typed)
    hands.pick(hands.page.cards.add_button, "rmse")
    hands.fill("$.requirements[2].name", "Typical error of the count")
    hands.fill("$.requirements[2].at_most", "0.6")


def decide(hands: Hands) -> None:
    """Answer steps 1 to 6, from an empty decision, each page reached by Next."""
    describe_the_release(hands)
    hands.next()
    name_the_adversary(hands)
    hands.next()
    draw_the_profile(hands)
    hands.next()
    assert hands.page.key == "budget"
    hands.next()
    say_what_must_be_usable(hands)
    hands.next()
    hands.settle()


def make_identity(hands: Hands, path: Path, name: str = "A. Officer") -> None:
    hands.page.sign_form.now = lambda: NOW
    signing_hands.make_identity(hands, path, name)


def sign(hands: Hands, identity: Path, target: Path, role: str = "") -> None:
    signing_hands.sign(hands, identity, target, role=role, time=STATED)


@pytest.mark.slow
def test_an_officer_takes_the_durham_decision_from_an_empty_page_to_a_signed_and_verified_record(
    empty: Hands, tmp_path: Path
) -> None:
    hands = empty
    decide(hands)
    hands.click(hands.page.take_upper)  # the two ends touch: one epsilon keeps everything
    hands.fill("$.justification", "The one epsilon that keeps the promise and the use.")
    hands.settle()
    assert hands.window.session.decision.epsilon == pytest.approx(LN_9, rel=1e-12)
    assert hands.page.place.words == "It is the one chosen."
    assert hands.page.number.text() == "about 2.19723"
    hands.next()
    hands.choose("$.outcome", "approve")
    hands.settle()
    assert hands.page.missing.title.text() == "Ready to sign."

    make_identity(hands, tmp_path / "officer.p12")
    sign(hands, tmp_path / "officer.p12", tmp_path / "durham")

    form = hands.page.sign_form
    assert form.signed.verification.ok
    assert form.signed.verification.outcome == "passed"
    assert "Signed by you, " in form.says.words
    assert [line.text() for line in form.dialog.who.secrets] == ["", "", ""]
    assert form.dialog.key is None
    place = RecordFiles.beside(tmp_path / "durham")
    judged = verification.verify(place, (), NOW)
    assert judged.ok
    assert [signer.name for signer in judged.signers] == ["A. Officer"]
    assert json.loads(place.json.read_text("utf-8"))["decision"] == to_json(hands.window.session.decision)

    # the same decision, saved and signed by command line at the same stated time, gives the same bytes
    hands.window.save_to(tmp_path / "decision.json")
    (tmp_path / "passphrase").write_text(PASSPHRASE, "utf-8")
    arguments = ["sign", str(tmp_path / "decision.json"), "--identity", str(tmp_path / "officer.p12")]
    by_hand = tmp_path / "by_hand"  # a record holds its own name
    by_hand.mkdir()
    arguments += ["--passphrase-file", str(tmp_path / "passphrase"), "--at", STATED, "--out", str(by_hand / "durham")]
    cli.main(arguments)
    assert (by_hand / "durham.json").read_bytes() == place.json.read_bytes()
