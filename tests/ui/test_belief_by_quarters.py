"""A belief is told by three numbers, in the unit of what is guessed; its parameters follow, behind a button."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from PySide6.QtCore import Qt

from dpwizard.decision import edits
from dpwizard.privacy.priors import quarters_of
from tests.ui.hands import Hands, unfold
from ui.forms.quarters_form import QuartersForm

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

WHERE = "$.requirements[0].attributes[0].prior"


@pytest.fixture
def guessed(make_hands: Callable[..., Hands]) -> Hands:
    """Return hands at an attribute to be guessed, of which nothing is believed yet."""
    hands = make_hands("durham")
    decision = edits.put(hands.session.decision, "$.requirements", [{"kind": "guessing_advantage", "attributes": [{}]}])
    hands.session.edit("Guess", decision)
    hands.go("adversary")
    return hands


def form_of(hands: Hands) -> QuartersForm:
    def found() -> list[QuartersForm]:
        return [form for form in hands.page.findChildren(QuartersForm) if form.isVisible()]

    hands.wait(lambda: len(found()) == 1)  # one just made is shown in the next turn of the event loop
    return found()[0]


def tell(hands: Hands, *words: str) -> QuartersForm:
    """Type the three numbers, one after the other, with Tab between them."""
    form = form_of(hands)
    for made, text in zip(form.quarters, words, strict=True):
        hands.type(made.line, text)
        hands.bot.keyClick(made.line, Qt.Key.Key_Tab)
    return form


def believed(hands: Hands) -> Any:
    return edits.get(hands.session.decision, WHERE)


def test_three_numbers_settle_a_belief_and_one_undo_takes_it_back(guessed: Hands) -> None:
    guessed.choose(f"{WHERE}.family", "lognormal")
    form = tell(guessed, "10000", "20,000", "40000")
    assert quarters_of(believed(guessed)) == pytest.approx((10_000, 20_000, 40_000), rel=1e-12)
    assert form.says.text() == "The distribution has exactly these quarters."
    assert [made.line.text() for made in form.quarters] == ["10000", "20000", "40000"]
    unfold(guessed, form)  # the parameters are there, for who asks
    assert guessed.editor(f"{WHERE}.log_sd").controls()[0].isVisible()
    guessed.window.undo()
    assert believed(guessed).missing() == ("log_mean", "log_sd")
    assert [made.line.text() for made in form_of(guessed).quarters] == ["", "", ""]


def test_where_the_kind_cannot_have_them_the_nearest_is_used_and_said_and_another_kind_keeps_the_numbers(
    guessed: Hands,
) -> None:
    guessed.choose(f"{WHERE}.family", "normal")
    form = tell(guessed, "10", "20", "40")
    assert quarters_of(believed(guessed)) == pytest.approx((70 / 3 - 15, 70 / 3, 70 / 3 + 15))
    assert form.says.text() == (
        "No distribution has exactly these quarters. The nearest is used: a quarter below 8.33333, "
        "half below 23.3333, three quarters below 38.3333."
    )
    variants: Any = guessed.page.cards.cards[0].form.nested["attributes"].forms[0].nested["prior"]
    variants.choice.edited.emit("lognormal", False)
    assert quarters_of(believed(guessed)) == pytest.approx((10, 20, 40))
    assert [made.line.text() for made in form_of(guessed).quarters] == ["10", "20", "40"]


def test_numbers_out_of_order_are_red_and_the_belief_in_force_is_said(guessed: Hands) -> None:
    guessed.choose(f"{WHERE}.family", "normal")
    form = tell(guessed, "10", "20", "30")
    before = believed(guessed)
    guessed.type(form.quarters[1].line, "35")
    guessed.bot.keyClick(form.quarters[1].line, Qt.Key.Key_Tab)
    assert believed(guessed) == before
    assert [made.line.property("wrong") for made in form.quarters] == [False, True, False]
    assert form.problem.text() == (
        "Must be larger than the number before it. Enter three numbers that increase. Not used. The "
        "value is still a quarter below 10, half below 20, three quarters below 30."
    )
    guessed.type(form.quarters[1].line, "many")
    assert "“many” is not a number" in form.problem.text()
    guessed.type(form.quarters[1].line, "20")
    assert not form.problem.isVisible()
    assert believed(guessed) == before


def test_the_ends_of_a_belief_are_asked_for_first_and_the_numbers_fitted_again_within_others(guessed: Hands) -> None:
    guessed.choose(f"{WHERE}.family", "beta")
    form = tell(guessed, "25", "50", "75")
    assert "within the smallest and the largest value" in form.problem.text()
    guessed.fill(f"{WHERE}.high", "100")
    assert not form.problem.isVisible()
    assert (believed(guessed).a, believed(guessed).b) == pytest.approx((1.0, 1.0), rel=1e-6)
    guessed.fill(f"{WHERE}.low", "-100")
    assert quarters_of(believed(guessed)) == pytest.approx((25, 50, 75), rel=0.05)


def test_a_belief_that_is_opened_shows_its_quarters_and_keeps_its_parameters(guessed: Hands) -> None:
    prior = {"family": "normal", "mean": 50, "sd": 14.826022185056}
    guessed.session.edit("Open", edits.put(guessed.session.decision, WHERE, prior))
    form = form_of(guessed)
    assert [made.line.text() for made in form.quarters] == ["40", "50", "60"]
    assert (believed(guessed).mean, believed(guessed).sd) == (50.0, 14.826022185056)
    unfold(guessed, form)
    guessed.fill(f"{WHERE}.mean", "51")
    assert [made.line.text() for made in form.quarters] == ["41", "51", "61"]
