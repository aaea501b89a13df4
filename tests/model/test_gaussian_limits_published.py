"""The largest mu at a tolerance: published cases, closed forms, and the formula of the theorem put back in."""

from __future__ import annotations

import math
import random

import mpmath as mp
import pytest

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.privacy import gaussian_risk as gr

WHOLE = [0, 1]
DURHAM = {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}


def quantile(chance):
    return mp.findroot(lambda x: mp.log(mp.ncdf(x)) - mp.log(chance), -mp.sqrt(-2 * mp.log(chance)) / 1.2)


def passes(p, q, mu, tolerance, factor):
    """1/(pq + w0 x1 + w1 x2) of Theorem 1, with all digits."""
    z = quantile(mp.mpf(tolerance))
    p, q, mu = mp.mpf(p), mp.mpf(q), mp.mpf(mu)
    x1, x2 = (mp.ncdf(z - c * mu) / mp.mpf(tolerance) for c in (1, mp.mpf(factor)))
    return 1 / (p * q + (1 - p) * x1 + p * (1 - q) * x2)


@pytest.mark.parametrize(("tolerance", "mu"), [(0.01, 0.7325), (0.001, 0.6021), (1e-6, 0.4263)])
def test_the_durham_profile_at_three_tolerances(tolerance, mu):
    found = gr.recommend(profile=DURHAM, p=WHOLE, q=1, tolerance=tolerance)
    assert found.mu == pytest.approx(mu, abs=5e-5)
    assert found.p == pytest.approx(0.1)
    assert found.attained
    assert found.unique
    assert found.rho == pytest.approx(found.mu**2 / 2, rel=1e-15)


@pytest.mark.parametrize("seed", range(60))
def test_the_largest_mu_put_back_into_the_theorem_just_keeps_the_ratio(seed):
    rng = random.Random(seed)
    with mp.workdps(40):
        p, q, factor = 10 ** rng.uniform(-4, 0), 10 ** rng.uniform(-4, 0), rng.choice([1.0, 2**0.5, 2.0])
        ratio, tolerance = 1 + 10 ** rng.uniform(-4, 1.5), 10 ** rng.uniform(-9, -0.2)
        mu = gr.mu_at(p=p, q=q, ratio=ratio, tolerance=tolerance, replace_factor=factor)
        if ratio * p * q >= 1:
            assert mu == math.inf
            return
        assert passes(p, q, mu, tolerance, factor) <= ratio
        assert passes(p, q, mu * (1 + 1.2e-12), tolerance, factor) > ratio or ratio * p * q > 0.9
        back = gr.risk(
            p=p, q=q, mechanism={"kind": "gaussian", "mu": mu}, tolerance=tolerance, replace_factor=factor
        ).ratio
        assert back == pytest.approx(ratio, rel=1e-10)


@pytest.mark.parametrize("factor", [1.0, 2**0.5, 2.0])
def test_the_table_of_closed_forms(factor):
    tolerance = 0.001
    z = quantile(mp.mpf(tolerance))

    def b(theta):
        return float(z - quantile(mp.mpf(tolerance) / theta))

    cases = (
        ({"shape": "constant", "ratio": 3}, b(3), False),
        ({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3}, b(2.75 / 0.75), True),
        ({"shape": "increase", "amount": 0.1}, b((1.1 / 0.9) ** 2), True),
        ({"shape": "odds", "factor": 4}, b(4), True),
    )
    for profile, mu, attained in cases:
        square = gr.recommend(profile=profile, p=WHOLE, q=WHOLE, tolerance=tolerance, replace_factor=factor)
        assert square.mu == pytest.approx(mu / factor, rel=1e-11)
        assert square.attained == attained or profile["shape"] == "constant"
        line = gr.recommend(profile=profile, p=WHOLE, q=1, tolerance=tolerance, replace_factor=factor)
        assert line.mu == pytest.approx(mu, rel=1e-11)


def test_odds_on_the_square_are_attained_by_everyone_known_to_be_in_the_data():
    found = gr.recommend(profile={"shape": "odds", "factor": 4}, p=WHOLE, q=WHOLE, tolerance=0.01)
    assert (found.p, found.attained, found.unique) == (1, True, False)
    assert 0 < found.q < 1


def test_only_the_product_counts_where_two_values_are_no_farther_apart_than_absence():
    found = gr.recommend(profile=DURHAM, p=WHOLE, q=WHOLE, tolerance=0.01, replace_factor=1)
    assert found.attained
    assert not found.unique


def test_a_cap_on_a_box_is_infeasible_at_the_prior_nothing_and_unbounded_at_one():
    box = {"p": [0.1, 0.5], "q": [0.2, 0.4], "tolerance": 0.01}
    for cap, status, mu in ((0.1, "infeasible", None), (0.2, "allowed", 0.0), (1, "unbounded", None)):
        found = gr.recommend(profile={"shape": "cap", "posterior": cap}, **box)
        assert (found.status, found.mu) == (status, mu)


def test_a_promise_in_the_intruders_own_expectation_is_the_same_at_the_ratio_times_the_tolerance():
    told = {"p": 0.1, "q": 0.5, "ratio": 3}
    own = gr.mu_at(**told, tolerance=0.01, measure="predictive")
    assert own == pytest.approx(gr.mu_at(**told, tolerance=0.03), rel=1e-12)
    assert gr.mu_at(p=0.1, q=0.5, ratio=10, tolerance=0.1, measure="predictive") == math.inf


def test_a_pure_answer_is_carried_over_exactly_where_certain_presence_binds():
    pure = 0.5 * math.log(3)
    there = gr.recommend(profile={"shape": "constant", "ratio": 3}, p=WHOLE, q=WHOLE, tolerance=0.01)
    assert gr.transfer(epsilon=pure, tolerance=0.01) == pytest.approx(there.mu, rel=1e-11)
    assert gr.transfer(epsilon=0.0, tolerance=0.01) == 0.0
    assert gr.transfer(epsilon=math.inf, tolerance=0.01) == math.inf


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"tolerance": 0}, "tolerance"),
        ({"tolerance": 1}, "tolerance"),
        ({"tolerance": math.nan}, "tolerance"),
        ({"replace_factor": 0.5}, "replace_factor"),
        ({"replace_factor": 2.5}, "replace_factor"),
        ({"p": 0}, "p"),
        ({"q": -1}, "q"),
        ({"ratio": "three"}, "ratio"),
        ({"measure": "mine"}, "measure"),
    ],
)
def test_what_is_out_of_range_is_named(changed, field):
    with pytest.raises(InvalidInput) as problem:
        gr.mu_at(**{"p": 0.1, "q": 1, "ratio": 3, "tolerance": 0.01} | changed)
    assert problem.value.where.startswith(field)


def test_a_ratio_below_one_cannot_be_kept():
    for function in (gr.mu_at, gr.informed_mu_at):
        with pytest.raises(Infeasible):
            function(p=0.1, q=1, ratio=0.99, tolerance=0.01)
    for function in (gr.average_mu_at, lambda p, q, ratio: gr.average_rho(ratio=ratio)):
        with pytest.raises(Infeasible):
            function(p=0.1, q=1, ratio=0.99)


def test_an_informed_tolerance_of_one_half_is_refused():
    with pytest.raises(InvalidInput):
        gr.informed_mu_at(p=0.1, q=1, ratio=3, tolerance=0.5)
