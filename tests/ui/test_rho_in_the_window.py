"""A decision counted in rho, in the window: no text says a number of epsilon, and the budget is typed as rho."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QWidget

from dpwizard.decision import STEPS, edits
from tests.ui.hands import Hands, seen_on

pytestmark = [pytest.mark.one_window, pytest.mark.slow]

EPSILON_OF_A_NUMBER = re.compile(r"epsilon[^.;\n]{0,12}?[0-9]", re.IGNORECASE)


def said(page: QWidget) -> Iterator[str]:
    """Yield every text that PAGE shows or tells."""
    yield from seen_on(page)
    for widget in (page, *page.findChildren(QWidget)):
        if widget.isVisible():
            yield from (widget.toolTip(), widget.accessibleName(), widget.accessibleDescription())


@pytest.fixture
def clinic(make_hands: Callable[..., Hands]) -> Hands:
    """Return the window with eight counts under Gaussian noise, without a delta."""
    hands = make_hands("gaussian_clinic")
    hands.session.edit("Choose", edits.put(hands.session.decision, "$.rho", "1/50"))
    hands.settle()
    return hands


@pytest.mark.soak
def test_no_page_says_a_number_of_epsilon(clinic: Hands) -> None:
    wrong, everything = [], []
    for step in STEPS:
        clinic.go(step.key)
        clinic.settle()
        texts = [*said(clinic.window)]
        everything += texts
        wrong += [f"{step.key}: {text}" for text in texts if EPSILON_OF_A_NUMBER.search(text)]
    assert wrong == []
    assert any("rho 0.02" in text.lower() for text in everything)


def test_the_head_of_a_page_follows_what_the_decision_is_counted_in(clinic: Hands) -> None:
    clinic.go("decision")
    assert "Privacy requirements set the highest rho" in clinic.page.why_we_ask.words
    with_delta = edits.put(edits.put(clinic.session.decision, "$.rho", None), "$.release.delta", 1e-6)
    clinic.session.edit("Choose", edits.put(with_delta, "$.epsilon", 0.5))
    clinic.settle()
    assert "Privacy requirements set the highest epsilon" in clinic.page.why_we_ask.words


def test_rho_is_typed_as_a_number_or_a_fraction(clinic: Hands) -> None:
    clinic.go("decision")
    clinic.settle()
    assert not clinic.page.number_card.epsilon.isVisible()
    clinic.fill("$.rho", "1/40")
    clinic.settle()
    assert clinic.session.decision.rho == "1/40"
    assert clinic.page.number.text() == "0.025"
    clinic.fill("$.rho", "0.03")
    clinic.settle()
    assert clinic.session.decision.rho == 0.03
    assert clinic.wizard.footer.caption.text() == "rho so far"


def test_with_a_delta_either_box_may_be_filled_and_the_other_is_emptied(clinic: Hands) -> None:
    clinic.session.edit("Delta", edits.put(clinic.session.decision, "$.release.delta", 1e-6))
    clinic.go("decision")
    clinic.settle()
    clinic.fill("$.epsilon", "1.5")
    clinic.settle()
    assert (clinic.session.decision.epsilon, clinic.session.decision.rho) == (1.5, None)
    assert clinic.editor("$.rho").controls()[0].text() == ""
    assert "(exact)" in clinic.page.costs.words
    clinic.fill("$.rho", "1/50")
    clinic.settle()
    assert (clinic.session.decision.epsilon, clinic.session.decision.rho) == (None, "1/50")


def test_the_axis_is_read_as_the_noise_and_stays_where_it_is(clinic: Hands) -> None:
    single = edits.put(clinic.session.decision, "$.release.parts", ())
    clinic.session.edit("One", edits.put(single, "$.release.sensitivity", 1.0))
    clinic.go("decision")
    clinic.settle()
    before = clinic.page.axis.figure.plots[0].x
    clinic.choose("$.axis", "sd")
    clinic.settle()
    after = clinic.page.axis.figure.plots[0].x
    assert [place for place, _ in after.ticks] == [place for place, _ in before.ticks]
    assert "standard deviation" in after.title
    assert after.ticks[0][1] == "∞"
    place, words = after.ticks[-1]
    assert float(words) == pytest.approx((2 * place) ** -0.5, rel=0.01)
