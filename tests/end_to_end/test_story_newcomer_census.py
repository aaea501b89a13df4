"""A newcomer's first hour: three tables of a census, a neighbour and somebody with a register, needs that contradict
the promises until one click resolves it, and two people who sign under a policy written there and then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import assess
from tests.end_to_end.newcomer import Newcomer, acknowledge, approve, begin, sign_anew, signed, take
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.test_adversary_step import choose

TABLES = (("Age by sex", 36), ("Household size", 8), ("Country of birth", 20))
MOST = 75  # actions


def describe_the_release(hands: Newcomer) -> None:
    hands.fill("$.title", "Census 2026, three tables of a municipality")
    hands.fill("$.release.description", "Age by sex, household size and country of birth.")
    hands.fill("$.release.unit", "one person")
    hands.choose("$.release.neighbours", "add_remove")
    hands.choose("$.release.mechanism", "geometric")
    for index, (name, cells) in enumerate(TABLES):
        hands.click(hands.page.parts.add_button)
        where = f"$.release.parts[{index}]"
        hands.fill(f"{where}.name", name)
        hands.choose(f"{where}.statistic", "histogram")
        hands.fill(f"{where}.sensitivity", "1")
        hands.fill(f"{where}.dimension", str(cells))
    hands.click(hands.page.even)


def say_what_must_be_usable(hands: Newcomer) -> None:
    """Say it of one table, then of all."""
    hands.click(hands.page.needs.sentences["share_within"])
    hands.go_on("10")
    hands.choose("$.requirements[2].part", TABLES[0][0])
    hands.pick(hands.page.cards.cards[0].more, "The same for every other table")


def resolve(hands: Newcomer) -> None:
    """Take the first of the changes that open the window."""
    hands.settle()
    assert hands.page.place.words.startswith("No epsilon meets every requirement")
    hands.wait(lambda: hands.page.conflicts.buttons)
    hands.click(hands.page.conflicts.buttons[0])
    hands.settle()
    assert not hands.page.conflicts.isVisible()


def write_a_policy(hands: Newcomer, place: Path) -> None:
    """Have two people sign: whoever proposes, and whoever approves."""
    card = hands.page.policy
    hands.click(card.new_button)
    hands.wait(lambda: card.editor.isVisible())
    for role in ("proposes", "approves"):
        hands.click(card.editor.people.boxes[role])
    hands.choose_file(card.editor.save_button, place)
    hands.wait(lambda: card.row.line.text() == str(place))  # it is written behind the window
    hands.read_behind()
    hands.settle()
    assert "Must sign, each with a signature of their own: proposes, approves." in card.says.words


@pytest.mark.slow  # a window of its own, a search for the smallest changes, and two signatures
def test_three_tables_that_contradict_each_other_are_resolved_by_a_click_and_signed_by_two(
    make_hands: Callable[..., Hands], tmp_path: Path
) -> None:
    hands = begin(make_hands)
    describe_the_release(hands)
    hands.next()
    choose(hands, "neighbour")
    choose(hands, "register")
    acknowledge(hands)
    hands.next()
    for index in (0, 1):
        hands.choose(f"$.requirements[{index}].profile.shape", "constant")
        hands.fill(f"$.requirements[{index}].profile.ratio", "3")
    hands.next()
    hands.next()
    say_what_must_be_usable(hands)
    asked: Any = hands.session.decision
    hands.next()
    resolve(hands)
    take(hands, "take_upper", "What people may be told of each other goes before the last digit of a small cell.")
    hands.next()
    approve(hands)
    write_a_policy(hands, tmp_path / "policy.toml")
    dialog = signing_hands.begin(hands, tmp_path / "census.json")
    sign_anew(hands, dialog, tmp_path / "ada.p12", "Ada Officer")
    assert "signatures or conditions are missing" in dialog.done_step.sentence.words
    hands.click(dialog.done_step.further_button)
    hands.read_behind()  # who is awaited is read there
    assert dialog.who.role.currentData() == "approves"
    sign_anew(hands, dialog, tmp_path / "ben.p12", "Ben Board")
    signing_hands.close(hands, dialog)

    assert hands.actions <= MOST, hands.taken
    found = signed(hands, tmp_path / "census")
    signers = [(signer.name, signer.role) for signer in found.signers]
    assert signers == [("Ada Officer", "proposes"), ("Ben Board", "approves")]
    decision: Any = hands.session.decision
    assert [one.half_width for one in asked.requirements[2:]] == [10.0] * 3
    widened = [one.half_width for one in decision.requirements[2:]]
    assert widened == pytest.approx([25.1] * 3)
    assert (decision.release.allocation, decision.epsilon) == ("needs", 0.549)
    found_anew = assess(decision)
    assert found_anew.inside
    assert all(answer.met for answer in found_anew.answers)
