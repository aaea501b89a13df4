"""An epsilon outside the window: refused without a reason, signed with one as a recorded exception."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dpwizard import records
from dpwizard.signing import RecordFiles, verification
from tests.end_to_end.test_story_approval import NOW, decide, make_identity, sign
from tests.ui import signing_hands
from tests.ui.hands import Hands


@pytest.mark.slow
def test_an_officer_signs_2_19_as_a_recorded_exception(empty: Hands, tmp_path: Path) -> None:
    hands = empty
    decide(hands)
    hands.fill("$.epsilon", "2.19")
    hands.fill("$.justification", "A round number below the limit of the promise.")
    hands.settle()
    assert "outside the window" in hands.page.place.words
    assert "Healthy People target" in hands.page.broken.words
    assert hands.page.exception.isVisible()

    hands.next()
    hands.choose("$.outcome", "approve")
    make_identity(hands, tmp_path / "officer.p12")
    form = signing_hands.sign(hands, tmp_path / "officer.p12", tmp_path / "durham", fails=True)
    dialog = form.dialog  # without a reason: refused in words, nothing written
    assert "misses" in dialog.says.words
    assert "reason for an exception" in dialog.says.words
    assert not (tmp_path / "durham.json").exists()

    hands.click(dialog.place_button)  # leads to the choice
    assert hands.page.key == "decision"
    hands.fill("$.exception_reason", "The county asked for two decimals; the board accepts the miss.")
    hands.go("review")
    sign(hands, tmp_path / "officer.p12", tmp_path / "durham")

    assert form.signed.found.ok
    recorded = json.loads((tmp_path / "durham.json").read_text("utf-8"))
    assert recorded["decision"]["epsilon"] == 2.19
    assert recorded["decision"]["exception_reason"].startswith("The county asked")
    assert recorded["assessment"]["inside"] is False
    record = records.read((tmp_path / "durham.json").read_bytes())
    assert any("Healthy People target" in sentence for sentence in records.sentences(record).broken)
    assert verification.verify(RecordFiles.beside(tmp_path / "durham"), (), NOW).ok
