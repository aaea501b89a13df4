"""A newcomer's first hour: the mean income of 12,000 self-employed, clamped at 500,000, with a typical error of 150; an
insurer may guess an income to within 10,000. One budget for two years, the second begun from the record of the
first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from dpwizard.decision import assess
from dpwizard.projects.project import open_project
from tests.end_to_end.newcomer import Newcomer, acknowledge, approve, begin, sign_again, signed, take
from tests.ui import signing_hands
from tests.ui.hands import Hands
from tests.ui.test_adversary_step import choose
from tests.ui.test_next_in_the_window import answer

MOST, MOST_NEXT = 45, 20  # actions of the first year, and of the second


def describe_the_release(hands: Newcomer) -> None:
    hands.fill("$.title", "Mean income of the self-employed, 2026")
    hands.fill("$.release.description", "The mean yearly income of 12,000 self-employed people.")
    hands.choose("$.release.statistic", "mean")
    hands.fill("$.release.unit", "one self-employed person")
    hands.choose("$.release.neighbours", "replace")
    for name, typed in (("amount", "income"), ("low", "0"), ("high", "500000"), ("records", "12000")):
        hands.fill(f"helper.{name}", typed)
    hands.click(hands.page.helper.use)
    hands.choose("$.release.mechanism", "laplace")


def share_one_budget_among_the_years(hands: Newcomer) -> None:
    hands.pick(hands.page.cards.add_button, "budget")
    hands.fill("$.requirements[1].total", "1")


def begin_the_next(hands: Newcomer, dialog: Any) -> None:
    """Begin the second year from the last step of signing the first: nobody asks whether to save what is signed."""
    assert hands.session.kept
    seen = answer(hands, "begin_button")
    hands.count()  # the button of the sheet
    hands.click(dialog.done_step.more.head)
    hands.click(dialog.done_step.next_button)
    hands.wait(lambda: bool(seen) and hands.page.key == "release")
    hands.window.activateWindow()


@pytest.mark.slow  # a window of its own, and two signatures
def test_a_mean_is_decided_and_signed_for_one_year_and_the_next_is_begun_from_its_record(
    make_hands: Callable[..., Hands], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))  # where the certificate of a new identity is trusted
    hands = begin(make_hands)
    describe_the_release(hands)
    hands.next()
    choose(hands, "insurer")
    hands.go_on("10000")
    acknowledge(hands)
    hands.next()
    hands.fill("$.requirements[0].advantage", "5 %")
    hands.next()
    share_one_budget_among_the_years(hands)
    hands.next()
    hands.click(hands.page.needs.sentences["rmse"])
    hands.go_on("150")
    hands.next()
    take(hands, "take_lower", "An error of 150 leaves every trend to be seen.")
    hands.next()
    approve(hands)
    dialog = signing_hands.begin(hands, tmp_path / "first.json")
    signing_hands.order_identity(hands, dialog, None, "A. Officer")
    signing_hands.confirm(hands, dialog)
    assert hands.actions <= MOST, hands.taken
    signed(hands, tmp_path / "first")
    first: Any = hands.session.decision
    insurer = first.requirements[0]
    assert (insurer.name, insurer.advantage) == ("An insurer or bank", 0.05)
    (guessed,) = insurer.attributes
    assert (guessed.name, guessed.prior.low, guessed.prior.high, guessed.precision) == ("income", 0.0, 5e5, 1e4)
    assert first.release.sensitivity == pytest.approx(5e5 / 12_000)
    assert first.release.effects == (("income", pytest.approx(1 / 12_000)),)
    assert first.epsilon == 0.4  # as the button says, not the 0.392837 below it

    hands.taken.clear()
    begin_the_next(hands, dialog)
    hands.fill("$.title", "Mean income of the self-employed, 2027")
    hands.go("budget")
    hands.choose("$.release.priors_from", "before_all")
    hands.go("adversary")
    acknowledge(hands)
    hands.go("decision")
    take(hands, "take_lower", "As last year.")
    hands.go("review")
    approve(hands)
    dialog = signing_hands.begin(hands, tmp_path / "second.json")
    sign_again(hands)
    signing_hands.close(hands, dialog)
    assert hands.actions <= MOST_NEXT, hands.taken
    signed(hands, tmp_path / "second")
    second: Any = open_project(tmp_path / "second.json")
    (earlier,) = second.release.spent
    assert (earlier.epsilon, earlier.record) == (0.4, first.title)
    assert second.epsilon == 0.4  # 0.8 of the budget of 1 in both years
    before, after = assess(first), assess(second)
    guessed_alone, budget_alone = (answer.epsilon for answer in before.answers[:2])
    guessed_left, budget_left = (answer.epsilon for answer in after.answers[:2])
    assert 2.0375 * (1 - 1e-3) <= guessed_alone < 2.03755  # a limit lies up to 1e-3 below the true one
    assert 1.6375 * (1 - 1e-3) <= guessed_left < 1.63755
    assert (budget_alone, budget_left) == pytest.approx((1.0, 0.6))
