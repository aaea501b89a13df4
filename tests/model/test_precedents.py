"""What others have chosen: each with its unit, its time and its source, and what it means for one person."""

from __future__ import annotations

import datetime
import math
import re
from pathlib import Path
from statistics import NormalDist

import pytest

from dpwizard.api import assess, read_decision
from dpwizard.precedents import (
    Precedent,
    PrecedentRow,
    PublishedLoss,
    compared,
    current_decision,
    over_units,
    person_risk,
    read_precedents,
)

TABLE = read_precedents()
EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"


def named(who: str, what: str) -> Precedent:
    return next(one for one in TABLE.rows if who in one.who and what in one.what)


def power(mu: float) -> float:
    """Return how often the best test with 1 false alarm in 100 finds a Gaussian shift of MU deviations."""
    normal = NormalDist()
    return normal.cdf(normal.inv_cdf(0.01) + mu)


def test_every_choice_has_its_unit_its_time_and_its_source_and_the_table_its_day() -> None:
    assert datetime.date.fromisoformat(TABLE.as_of).year >= 2026
    assert len(TABLE.rows) >= 24
    for one in TABLE.rows:
        assert 2006 <= one.year <= int(TABLE.as_of[:4])
        assert all((one.who, one.what, one.unit, one.window, one.source, one.printed))
        assert one.epsilon is None or one.rho is None


@pytest.mark.parametrize("one", TABLE.rows, ids=lambda one: f"{one.who}: {one.what}")
def test_the_budget_as_a_number_is_the_budget_as_printed(one: Precedent) -> None:
    for name in ("epsilon", "rho"):
        exact = getattr(one, name)
        if exact is None:
            continue
        digits = re.search(rf"{name} ([\d.]+)", one.printed)
        places = len(digits[1].partition(".")[2])
        assert f"{getattr(one.loss, name):.{places}f}" == digits[1]
    if one.epsilon is None and one.rho is None:
        assert one.printed == "not published"


@pytest.mark.parametrize(
    ("epsilon", "percent"), [(0.2, 1.2), (1.0, 2.7), (1.68, 5.1), (2.64, 12.0), (4.0, 36.0), (9.98, 99.5)]
)
def test_a_largest_loss_leads_from_1_in_100_to_the_chance_worked_out_by_hand(epsilon: float, percent: float) -> None:
    found = person_risk(PublishedLoss(epsilon=epsilon))
    odds = math.exp(epsilon) / 99.0
    assert found.chance_after == pytest.approx(odds / (1.0 + odds), rel=1e-12)
    assert 100.0 * found.chance_after == pytest.approx(percent, abs=0.5 if percent >= 10.0 else 0.06)


@pytest.mark.parametrize(("rho", "percent"), [(0.015, 1.6), (0.0728, 2.6), (2.5562, 47.0), (4.96, 79.0), (7.7, 94.0)])
def test_gaussian_noise_shows_a_sign_of_1_in_100_as_often_as_the_best_test(rho: float, percent: float) -> None:
    gaussian, any_noise = person_risk(PublishedLoss(rho=rho, gaussian=True)), person_risk(PublishedLoss(rho=rho))
    truth = power(math.sqrt(2.0 * rho))
    assert truth <= gaussian.event_chance <= truth + 1e-9
    assert 100.0 * gaussian.event_chance == pytest.approx(percent, abs=0.5)
    assert gaussian.event_chance <= any_noise.event_chance  # of other noise only its rho is known
    assert gaussian.chance_after <= any_noise.chance_after


def test_what_is_said_of_a_loss_with_a_delta_holds_for_the_noise_that_meets_it_exactly() -> None:
    # with delta all is told; else the two worlds are told apart by randomised response at epsilon
    for epsilon, delta in ((0.5, 1e-3), (2.19, 1e-5), (4.8, 4e-10), (0.0, 1e-4)):
        found = person_risk(PublishedLoss(epsilon=epsilon, delta=delta))
        right = (1.0 - delta) * math.exp(epsilon) / (1.0 + math.exp(epsilon))
        wrong = (1.0 - delta) / (1.0 + math.exp(epsilon))
        # a sign of 1 in 100 without the record: all that is told, and as much of the answer for it as fits
        shown = delta + right * min(1.0, 0.01 / wrong)
        assert shown <= found.event_chance + 1e-12
        # of what shows in 1 of 100 cases with it: all that is told, filled up with the answer for it
        without = (0.01 - delta) * wrong / right
        odds = 0.01 / without / 99.0
        assert odds / (1.0 + odds) <= found.chance_after + 1e-12
        assert found.chance_after == pytest.approx(odds / (1.0 + odds), rel=1e-9)


def test_more_is_never_said_to_show_less() -> None:
    for name, values in (("epsilon", (0.0, 0.1, 1.0, 5.0, 50.0, 2000.0)), ("rho", (0.0, 1e-6, 0.1, 3.0, 40.0, 900.0))):
        found = [person_risk(PublishedLoss(**{name: value})) for value in values]
        assert [one.event_chance for one in found if one] == sorted(one.event_chance for one in found if one)
        assert [one.chance_after for one in found if one] == sorted(one.chance_after for one in found if one)
        assert all(one and 0.01 <= one.event_chance <= 1.0 and 0.01 <= one.chance_after < 1.0 for one in found)


def test_a_budget_never_published_says_nothing_and_comes_last() -> None:
    rows = compared(None)
    assert rows[-1].unit is None
    assert rows[-1].precedent == named("Census", "graduates")
    shown = [row.unit.event_chance for row in rows if row.unit is not None]
    assert shown == sorted(shown)


def row_of(name: str) -> PrecedentRow | None:
    decision = read_decision(EXAMPLES / f"{name}.json")
    return current_decision(decision, assess(decision))


def test_ones_own_decision_stands_among_the_others_by_the_same_measure() -> None:
    page_views, published = row_of("page_views"), named("Wikimedia", "since 2023")
    assert page_views.loss.rho == pytest.approx(0.015)
    one, other = page_views.unit, person_risk(published.loss)
    assert (one.event_chance, one.chance_after) == pytest.approx((other.event_chance, other.chance_after), rel=1e-12)
    assert page_views.person is None  # days of a person: nobody knows how many
    durham = row_of("durham")
    assert durham.unit == person_risk(PublishedLoss(epsilon=durham.loss.epsilon))
    rows = compared(durham)
    assert [row.precedent for row in rows].count(None) == 1
    assert rows.index(durham) not in (0, len(rows) - 1)


def test_one_person_of_a_mobility_report_of_ones_own_is_all_days_too() -> None:
    mine = row_of("mobility_reports")
    assert mine.person.chance_after > 1.0 - 1e-9


def test_before_a_budget_is_chosen_there_is_no_row_of_ones_own() -> None:
    decision = read_decision({"format": "dpwizard.decision/1"})
    assert current_decision(decision, assess(decision)) is None
    assert row_of("employment_outcomes") is None


def test_one_user_of_the_mobility_reports_is_all_their_days() -> None:
    mobility = named("Google", "mobility")
    assert mobility.units_of_a_person == 1019
    assert over_units(mobility.loss, 1019).epsilon == pytest.approx(2690.16)
    assert named("Wikimedia", "since 2023").units_of_a_person is None  # nobody says on how many days one reads
