"""Losses of many releases: exact ones enclosed by brute force and simulation; the classical theorems; and delta."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import RequirementResult, assess, read_decision
from dpwizard.privacy.accounting import composition
from dpwizard.records import making
from tests.oracles import composition_oracle as oracle

DELTAS = st.one_of(
    st.floats(-200, -0.1).map(lambda x: 10**x),
    st.floats(-12, -0.1).map(lambda x: 10**x),
    st.floats(0.3, 0.9),
)
LEVELS = st.floats(-4, 1.6).map(lambda x: 10**x)


@pytest.mark.parametrize(("releases", "epsilon"), [(300, 63.98), (1000, 166.2)])
def test_the_true_losses_beside_figure_5(releases, epsilon):
    assert composition.tight(mechanism="laplace", levels=[[0.5, releases]], delta=1e-5).upper == pytest.approx(
        epsilon, abs=0.05
    )


@pytest.mark.slow
@given(level=LEVELS, releases=st.integers(1, 5), delta=DELTAS)
def test_laplace_bounds_hold_for_delta_in_many_digits(level, releases, delta):
    found = composition.tight(mechanism="laplace", levels=[[level, releases]], delta=delta)
    slack = mp.mpf(1e-12) + mp.mpf(2e-14) * found.upper
    assert oracle.laplace_delta(level, releases, found.upper + slack) <= delta
    assert found.lower <= slack or oracle.laplace_delta(level, releases, found.lower - slack) >= delta
    assert found.upper - found.lower <= 1e-4 * found.upper + 1e-9


@pytest.mark.slow
@given(
    first=st.tuples(LEVELS, st.integers(1, 3)),
    second=st.tuples(LEVELS, st.integers(1, 2)),
    shift=st.sampled_from([1, 2, 3, 5]),
    delta=DELTAS,
)
def test_mixed_geometric_bounds_hold_for_delta_in_many_digits(first, second, shift, delta):
    levels = [first, second]
    found = composition.tight(mechanism="geometric", levels=levels, delta=delta, sensitivity=shift)
    slack = mp.mpf(1e-12) + mp.mpf(2e-14) * found.upper
    assert oracle.geometric_delta(levels, shift, found.upper + slack) <= delta
    assert found.lower <= slack or oracle.geometric_delta(levels, shift, found.lower - slack) >= delta
    assert found.upper - found.lower <= 1e-4 * found.upper + 1e-9


@pytest.mark.parametrize(("level", "releases"), [(0.5, 7), (2.0, 30), (1e-3, 10**6)])
@pytest.mark.parametrize("delta", [1e-12, 0.3, 0.9])
def test_the_accountant_agrees_with_the_binomial_sum(level, releases, delta):
    # geometric noise on a count is randomised response: two independent ways to one number
    found = composition.tight(mechanism="geometric", levels=[[level, releases]], delta=delta)
    exact = composition.optimal(epsilon0=level, releases=releases, delta=delta)
    assert found.lower <= exact * (1 + 1e-9)
    assert found.upper >= exact * (1 - 1e-9)
    assert found.upper - found.lower <= 1e-5 * exact + 1e-9


def test_a_count_moves_by_whole_numbers():
    with pytest.raises(InvalidInput, match="sensitivity: must be a whole number"):
        composition.tight(mechanism="geometric", levels=[[1, 1]], delta=0.1, sensitivity=1.5)
    with pytest.raises(InvalidInput, match="levels: must be at most 1000000 releases"):
        composition.tight(mechanism="laplace", levels=[[1, 10**10]], delta=0.1)


def test_the_curve_has_every_rule_for_every_number():
    points = composition.curve(
        mechanism="laplace", epsilon0=0.1, releases=[1, 100], delta=1e-5, epsilon=0.08, confidence=0.8
    )
    assert [point.releases for point in points] == [1, 100]
    assert points[1].upper == pytest.approx(4.22034732508036, rel=1e-4)
    assert points[1].lower <= points[1].upper <= points[1].optimal <= points[1].advanced
    assert points[1].basic == 10.0
    assert points[1].published == composition.published_at_risk(
        epsilon0=0.1, epsilon=0.08, confidence=0.8, releases=100, delta=1e-5
    )
    assert composition.curve(mechanism="geometric", epsilon0=0.1, releases=[3], delta=1e-5)[0].published is None


def test_figure_5_of_dandekar_basu_and_bressan():
    assert composition.advanced(epsilon0=0.1, releases=300, delta=1e-5) == pytest.approx(11.46641822361498, rel=1e-13)
    figure = composition.published_at_risk(epsilon0=0.1, epsilon=0.08, confidence=0.8, releases=300, delta=1e-5)
    assert figure == pytest.approx(9.37929068134555, rel=1e-13)


def test_the_published_theorem_claims_less_than_the_true_loss():
    claimed = composition.published_at_risk(epsilon0=0.5, epsilon=0.27, confidence=0.61, releases=300, delta=1e-5)
    true = composition.tight(mechanism="laplace", levels=[[0.5, 300]], delta=1e-5)
    assert claimed == pytest.approx(62.85, abs=0.2)
    assert true.lower == pytest.approx(63.98, abs=0.005)
    assert claimed < true.lower


@given(level=st.floats(-4, 1.5).map(lambda x: 10**x), releases=st.integers(1, 60), share=st.floats(0, 1))
def test_the_optimal_delta_is_the_binomial_sum(level, releases, share):
    epsilon = share * share * releases * level
    exact = oracle.randomised_response_delta(level, releases, epsilon)
    found = composition.optimal_delta(epsilon0=level, releases=releases, epsilon=epsilon)
    assert abs(mp.mpf(found) - exact) <= exact * mp.mpf(1e-11) + mp.mpf(1e-16) * releases * level


@given(
    level=st.floats(-3, 1.5).map(lambda x: 10**x),
    releases=st.integers(1, 60),
    delta=st.one_of(st.floats(-200, -0.01).map(lambda x: 10**x), st.floats(-12, -0.3).map(lambda x: 1 - 10**x)),
)
def test_the_optimal_epsilon_is_the_smallest_on_its_safe_side(level, releases, delta):
    epsilon = mp.mpf(composition.optimal(epsilon0=level, releases=releases, delta=delta))
    assert oracle.randomised_response_delta(level, releases, epsilon + mp.mpf(1e-15) * releases * level) <= delta
    nearly = epsilon - mp.mpf(1e-9) * max(1, epsilon)
    assert nearly <= 0 or oracle.randomised_response_delta(level, releases, nearly) > delta


def test_the_corollary_wants_one_confidence_for_each_level():
    with pytest.raises(InvalidInput, match="confidences: must have 2 entries; found 1"):
        composition.published_at_risk_mixed(levels=[0.1, 0.2], epsilon=0.1, confidences=[0.5], delta=1e-5)


RELEASE = {
    "statistic": "vector",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "gaussian",
    "delta": 1e-6,
    "unit": "one person",
}

TABLES = [{"name": name, "sensitivity": 1, "share": 0.5} for name in "AB"]


def answered(
    budget: dict[str, Any], epsilon: float | None = None, **release: Any
) -> tuple[RequirementResult, dict[str, Any]]:
    raw = {
        "format": "dpwizard.decision/1",
        "release": {**RELEASE, **release},
        "requirements": [{"kind": "budget", **budget}],
    }
    decision = read_decision(raw | ({"epsilon": epsilon} if epsilon is not None else {}))
    assessment = assess(decision)
    return assessment.answers[0], making.accounting(decision)


@pytest.mark.parametrize("parts", [[], TABLES], ids=["one table", "two tables"])
def test_a_budget_counts_the_delta_of_all_repetitions_and_tables(parts: list[dict[str, Any]]) -> None:
    answer, accounts = answered({"total": 3.0, "delta": 2e-6}, 0.5, repetitions=3, parts=parts)
    assert answer.status == "infeasible"
    assert answer.why.values["spent"] == accounts["delta_in_all"] == 3e-6
    assert (
        answered({"total": 3.0, "delta": 3e-6}, repetitions=3, parts=parts)[0].status == "allowed"
    )  # 3 times 1e-6 is 3e-6
