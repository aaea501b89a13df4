"""The first hour of two people who have never heard of epsilon: from an empty window through the plain questions to
a signed record that somebody else approves. Every click, choice and typed field counts as one action."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from dpwizard.decision import Chance, Question
from tests.end_to_end.newcomer import Newcomer, begin, sign_again, sign_with_first_key, signed
from tests.ui import signing_hands
from tests.ui.bets_hands import Officer
from tests.ui.hands import Hands

pytestmark = [pytest.mark.plain_pages, pytest.mark.slow]  # each has a window of its own, and two signatures

MOST_OF_ANOTHER = 9  # actions of who approves, whose name is known
MOST_OF_A_CHANGE = 8  # of who asks for less of a signed number, and takes the smaller epsilon; one fewer without
TOLERATED = 1.1  # the largest rise in log odds that both accept
SHY, NEEDED = 0.95, 0.88  # a rise whose safe end is below what a ward's total within 5 needs
SIX = 6  # lines are too few to find where a tolerance is smallest
ROOM = 1.05  # a rise so much larger, and they would say that all could be more


@dataclass(frozen=True, kw_only=True)
class Case:
    """What is published, about whom, which numbers are to be within how much, and who decides."""

    title: str
    kind: str
    divisions: tuple[tuple[str, str], ...]
    person: str
    reveals: str
    amounts: tuple[str, ...] = ()  # of a sum: its smallest and largest
    tolerated: float = TOLERATED
    depends: bool = False  # whether the results of people hang together
    row: int  # of step 5, that is ticked
    within: str
    lost: str
    reason: str
    who: tuple[str, str, str]  # who proposes, in which position, and who approves


HOSPITAL = Case(
    title="Rare infection by ward and age group, 2026",
    kind="people",
    divisions=(("ward", "9"), ("age group", "3")),
    person="patient",
    reveals="had the rare infection",
    depends=True,
    row=1,
    within="5",
    lost="the board cannot see which wards need help",
    reason="The board must see which wards need help. Nobody there can find out for sure who was ill.",
    who=("Miriam Adler", "Quality manager, St Anne's Hospital", "Jonas Wirth"),
)
CHARITY = Case(
    title="Donations by region, 2026",
    kind="sum",
    divisions=(("region", "8"),),
    person="donor",
    reveals="gave money",
    amounts=("0", "500"),
    row=0,
    within="2000",
    lost="the members cannot see where the money comes from",
    reason="The members look at tens of thousands, and no gift stands out.",
    who=("Nora Klein", "Treasurer", "Paul Otto"),
)


def rise(chance: Chance) -> float:
    """Return by how much a release raises the log odds."""
    before, after = chance.prior, chance.posterior
    return math.inf if after >= 1.0 else math.log(after / (1.0 - after)) - math.log(before / (1.0 - before))


def said_of(question: Question, tolerated: float) -> str:
    """Return what somebody who accepts a rise of TOLERATED answers, whatever the form of the question."""
    assert question.a is not None
    first = rise(question.a)
    if question.b is None:
        return "yes" if (first <= tolerated) != (question.form == "reversed") else "no"
    second = rise(question.b)
    return "neither" if min(first, second) > tolerated else "a" if first <= second else "b"


def answer(hands: Newcomer, options: Any, key: str) -> None:
    hands.click(options.options[key])
    assert options.key == key


def say_what_is_published(hands: Newcomer, case: Case) -> None:
    asked = hands.page.questions
    hands.type(asked.name, case.title)
    answer(hands, asked.kind, case.kind)
    for blank, amount in zip(asked.bounds_row.findChildren(type(asked.person)), case.amounts, strict=False):
        hands.type(blank, amount)
    if case.amounts:
        answer(hands, asked.amounts, "whole")
    for slot, (name, parts) in zip(asked.divisions.rows, case.divisions, strict=False):
        hands.type(slot.name, name)
        hands.type(slot.parts, parts)
    hands.type(asked.person, case.person)
    hands.type(asked.reveals, case.reveals)
    for options, key in ((asked.counts, "one"), (asked.often, "once"), (asked.known, "nothing")):
        answer(hands, options, key)


def answer_the_questions(hands: Newcomer, case: Case) -> None:
    """Say who answers and what is lost, answer truthfully, judge each look, and use what comes of it."""
    asked = hands.page.questions
    hands.type(asked.name, case.who[0])
    hands.type(asked.loss, case.lost)
    hands.click(asked.rows[0].begin_button)
    officer = Officer(hands, asked)
    officer.comes()
    officer.ready()
    window = officer.asked
    while officer.shows(window.ask) and window.interviewer.next_step.question is not None:
        hands.count()
        officer.press(said_of(window.ask.question, case.tolerated))
    while officer.shows(window.closing):
        judge(hands, window.closing, case.tolerated)
        officer.ready()
    hands.wait(lambda: officer.shows(window.outcome))
    hands.click(window.outcome.use_button)
    hands.window.activateWindow()
    hands.settle()


def judge(hands: Newcomer, closing: Any, tolerated: float) -> None:
    """Mark what is too much in a look, and say so; or that nothing is."""
    shown = zip(closing.lines, closing.look.lines, strict=False)
    marks = [made.mark for made, line in shown if rise(line) > tolerated]
    for mark in marks:
        hands.click(mark)
    roomy = not closing.more.isHidden() and all(rise(line) * ROOM < tolerated for line in closing.look.lines)
    hands.click(closing.too_much if marks else closing.more if roomy else closing.right)


def come_to_the_decision(hands: Newcomer, case: Case) -> None:
    """Answer steps 1 to 5."""
    say_what_is_published(hands, case)
    hands.next()
    hands.click(hands.page.gallery.people["neighbour"].button)
    assumption = hands.page.people.assumptions["independent_of_others"]
    answer(hands, assumption.options, "refused" if case.depends else "accepted")
    hands.next()
    answer_the_questions(hands, case)
    assert hands.page.key == "accuracy"  # the budget has nothing to ask
    row = hands.page.questions.sums.rows.rows[case.row]
    hands.click(row.box)
    hands.wait(lambda: QApplication.focusWidget() is row.sentence.editors["half_width"].line)
    hands.go_on(case.within)
    hands.settle()
    hands.next()
    hands.settle()


def sign_first(hands: Newcomer, case: Case, most: int, folder: Path) -> Path:
    """Decide and sign with MOST so many actions; return the record, which lies in FOLDER."""
    come_to_the_decision(hands, case)
    assert hands.page.settle.isHidden()  # both sides agree
    hands.click(hands.page.take_lower)
    hands.settle()
    assert "95" in hands.page.protection.needs.words
    hands.fill("$.justification", case.reason)
    hands.next()
    asked = hands.page.questions
    for blank, words in ((asked.position, case.who[1]), (asked.approver, case.who[2])):
        hands.type(blank, words)
    hands.settle()
    hands.next()
    before = hands.actions
    sign_with_first_key(hands)
    assert hands.actions == before + 3  # the passphrase, again, and the button
    assert hands.actions <= most, hands.taken
    assert not hands.page.technical_is_shown
    signing_hands.close(hands, hands.page.sign_form.dialog)
    return next(folder.rglob("*record.json"))


def test_first_hour_with_sums_ends_with_a_record_that_is_signed(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where keys and records lie if nobody names another place
    hands = begin(make_hands)
    record = sign_first(hands, CHARITY, 45, tmp_path)
    assert [signer.name for signer in signed(hands, record).signers] == [CHARITY.who[0]]


def test_first_hour_with_counts_ends_with_a_record_that_is_signed_changed_and_approved(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    hands = begin(make_hands)
    record = sign_first(hands, HOSPITAL, 44, tmp_path)
    change_her_mind(hands, HOSPITAL, record)
    monkeypatch.setenv("HOME", str(tmp_path / "another"))  # who approves has a computer of their own
    another = Newcomer(make_hands(own=True))
    another.window.settings.clear()
    approve(another, record)
    assert another.actions <= MOST_OF_ANOTHER, another.taken
    steps = another.page.sign_form.dialog.done_step.steps.words
    assert f"together, to {HOSPITAL.who[0]}, who proposed it, and to those who publish." in steps
    assert another.wizard.steps.buttons["review"].note.text() == "approved"
    assert another.wizard.footer.next_button.objectName() == ""  # nobody need sign any more
    signing_hands.close(another, another.page.sign_form.dialog)
    found = signed(another, record)
    assert [(signer.name, signer.role) for signer in found.signers] == [
        (HOSPITAL.who[0], "proposes"),
        (HOSPITAL.who[2], "approves"),
    ]


def change_her_mind(hands: Newcomer, case: Case, record: Path) -> None:
    """Ask for a little less of a number that was signed, choose what that allows, and sign again."""
    hands.taken.clear()
    old, was = record.read_bytes(), hands.session.decision
    hands.go("accuracy")
    line = hands.page.questions.sums.rows.rows[case.row].sentence.editors["half_width"].line
    hands.type(line, str(round(float(case.within) * 1.2)))
    hands.settle()
    hands.next()
    hands.settle()
    hands.click(hands.page.take_lower)
    hands.settle()
    hands.next()
    hands.next()
    before = hands.actions
    sign_again(hands)
    assert hands.actions == before + 2  # the passphrase, and the button
    assert hands.actions == MOST_OF_A_CHANGE, hands.taken
    decision, form = hands.session.decision, hands.page.sign_form
    assert decision.epsilon < was.epsilon
    assert (decision.details.supersedes, decision.justification) == (record.name, was.justification)
    assert form.signed.path == record.with_name(f"{record.stem}-2.json")
    assert record.read_bytes() == old
    assert form.signed.verification.outcome == "passed"
    signing_hands.close(hands, form.dialog)


def approve(another: Newcomer, record: Path) -> None:
    """Check a RECORD that came by mail, compare the number of its signer, and sign it."""
    another.choose_file(another.window.start.verify_button, record.with_suffix(".pdf"))
    verdict = another.window.verdict
    another.wait(lambda: verdict.same_buttons)
    another.click(verdict.same_buttons[0])
    another.wait(lambda: verdict.found is not None and verdict.found.signers[0].trusted)
    another.click(verdict.sign_button)
    another.wait(lambda: another.wizard is not None and another.page.key == "review")
    another.wait(lambda: "as it is now" in another.page.pages.says.words)  # and not called unsigned
    another.next()
    sign_with_first_key(another)


def look_above(hands: Newcomer, tolerated: float) -> None:
    """Judge the look above the safe end that step 6 offers."""
    page = hands.page
    hands.wait(lambda: page.repairs.buttons)
    hands.click(page.settle.ways[0])
    hands.wait(lambda: page.look is not None and page.look.closing.look is not None)
    assert rise(page.look.closing.look.lines[-1]) > NEEDED  # no less than the need lets happen
    judge(hands, page.look.closing, tolerated)
    hands.wait(lambda: page.guided is None)
    hands.settle()


def test_need_above_the_safe_end_is_looked_at_and_refused_or_chosen(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    hands = begin(make_hands)
    come_to_the_decision(hands, replace(HOSPITAL, tolerated=SHY))
    page, before = hands.page, hands.session.decision
    hands.wait(lambda: "keeps both" in page.settle.sentence.text())
    said = "Your answers allow 0.82 to 0.99. Your numbers need 0.88. 0.88 keeps both."
    assert page.settle.sentence.text() == said
    look_above(hands, SHY / 2.0)  # refused: repairs are left, with both prices
    assert hands.session.decision.epsilon is None
    hands.wait(lambda: page.repairs.buttons)
    assert page.settle.sentence.text().endswith("No epsilon meets both.")
    assert [way.text() for way in page.settle.ways] == ["Return to the questions", "Sign as an exception …"]
    assert [button.text() for button in page.repairs.buttons] == ["A ward’s total within 6", "Do not publish"]
    price = page.repairs.buttons[0].accessibleDescription()
    assert "instead of 5" in price
    assert "0.75 is enough" in price
    assert "of 100" in price
    hands.click(page.repairs.buttons[0])
    hands.settle()
    assert page.settle.isHidden()
    assert page.take_lower.text() == "Smallest needed: 0.75"
    while hands.session.decision != before:
        hands.session.undo()
    hands.settle()
    hands.wait(lambda: page.settle.sentence.text() == said)
    hands.taken.clear()
    look_above(hands, SHY)  # chosen
    assert (hands.session.decision.epsilon, page.number.text()) == (NEEDED, "0.88")
    hands.wait(lambda: page.verticalScrollBar().maximum() == 0)  # no longer than the window
    assert page.number_card.place.words == "✓ inside 0.88 to 0.89"
    assert page.settle.isHidden()
    assert "71 of 100" in page.protection.promise.words
    assert len(hands.session.decision.elicitation[0].looks[-1].lines) > SIX
    assert hands.actions <= 10, hands.taken
