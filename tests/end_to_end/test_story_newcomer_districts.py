"""A newcomer's first hour: cases of HIV in forty districts, within 10 in 95 of 100 districts; a neighbour and an
employer are feared. From the start screen to a signed record in at most sixty actions."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.newcomer import Newcomer, acknowledge, approve, begin, sign_anew, signed, take
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.test_adversary_step import choose

MOST = 45  # actions; sixty are promised


def describe_the_release(hands: Newcomer) -> None:
    hands.fill("$.title", "HIV cases by district, 2026")
    hands.fill("$.release.description", "How many people in each of forty districts live with HIV.")
    hands.choose("$.release.statistic", "histogram")
    hands.fill("$.release.dimension", "40")
    hands.fill("$.release.unit", "one person")
    hands.choose("$.release.neighbours", "add_remove")
    hands.choose("$.release.mechanism", "geometric")
    hands.click(hands.page.helper.use)


def say_how_much_they_may_learn(hands: Newcomer) -> None:
    for index in (0, 1):
        hands.choose(f"$.requirements[{index}].profile.shape", "cap_or_ratio")
        hands.fill(f"$.requirements[{index}].profile.posterior", "20 %")
        hands.fill(f"$.requirements[{index}].profile.ratio", "3")


@pytest.mark.slow  # a window of its own, and a signature
def test_counts_of_forty_districts_are_decided_and_signed_in_at_most_sixty_actions(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where a record lies if nobody says another place
    hands = begin(make_hands)
    describe_the_release(hands)
    hands.next()
    choose(hands, "neighbour")
    choose(hands, "employer")
    acknowledge(hands)
    hands.next()
    say_how_much_they_may_learn(hands)
    hands.next()
    hands.next()
    hands.click(hands.page.needs.sentences["share_within"])
    hands.go_on("10")
    hands.next()
    take(hands, "take_lower", "The health plan needs no finer figures.")
    assert hands.page.place.words == "Epsilon 0.37 is within the allowed range."
    hands.next()
    approve(hands)
    dialog = signing_hands.begin(hands)
    sign_anew(hands, dialog, tmp_path / "officer.p12", "A. Officer")
    signing_hands.close(hands, dialog)

    assert hands.actions <= MOST, hands.taken
    found = signed(hands, tmp_path / "hiv-cases-by-district-2026-record")
    assert [(signer.name, signer.role) for signer in found.signers] == [("A. Officer", "proposes")]
    decision: Any = hands.session.decision
    assert decision.epsilon == 0.37
    neighbour, employer, need = decision.requirements
    assert [one.name for one in (neighbour, employer)] == ["A neighbour or colleague", "An employer"]
    assert (neighbour.profile.posterior, neighbour.profile.ratio) == (0.2, 3.0)
    assert employer.profile == neighbour.profile
    assert (need.half_width, need.share, need.level) == (10.0, 0.95, 0.95)
    assert decision.justification == "The health plan needs no finer figures."
    assert hands.session.kept  # the record holds it: nobody is asked whether to save it
