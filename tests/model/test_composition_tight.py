"""Exact losses of many releases: enclosed, against brute force in many digits, grids, simulation and the binomial."""

from __future__ import annotations

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy.accounting import composition
from tests.oracles import composition_oracle as oracle

DELTAS = st.one_of(
    st.floats(-200, -0.1).map(lambda x: 10**x),
    st.floats(-12, -0.1).map(lambda x: 10**x),
    st.floats(0.3, 0.9),
)
LEVELS = st.floats(-4, 1.6).map(lambda x: 10**x)


def encloses(found, true, relative=1e-4):
    assert found.lower <= true * (1 + 1e-13) + 1e-15
    assert found.upper >= true * (1 - 1e-13) - 1e-15
    assert found.upper - found.lower <= relative * max(abs(true), 1e-3)


@pytest.mark.parametrize(("releases", "epsilon"), [(100, 4.22034732508036), (1000, 17.4236519875374)])
def test_the_checks_of_the_method_notes(releases, epsilon):
    found = composition.tight(mechanism="laplace", levels=[[0.1, releases]], delta=1e-5)
    assert found.lower <= epsilon <= found.upper
    assert found.upper - found.lower < 1e-4 * epsilon


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


@pytest.mark.parametrize(
    ("levels", "shift", "epsilon"),
    [
        ([(0.1, 2), (0.37, 3)], 1, 0.5),
        ([(0.1, 2), (0.37, 3)], 3, 0.5),
        ([(1 / 3, 2), (0.5, 2), (0.9, 1)], 2, 1.0),
        ([(3.0, 4)], 2, 1.0),
    ],
)
def test_the_geometric_delta_is_enclosed(levels, shift, epsilon):
    found = composition.tight_delta(mechanism="geometric", levels=levels, epsilon=epsilon, sensitivity=shift)
    encloses(found, float(oracle.geometric_delta(levels, shift, epsilon)), 1e-4)


@pytest.mark.parametrize(("level", "releases"), [(0.5, 7), (0.1, 200), (2.0, 30), (1e-3, 10**5), (1e-3, 10**6)])
@pytest.mark.parametrize("delta", [1e-12, 1e-5, 0.3, 0.9])
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
