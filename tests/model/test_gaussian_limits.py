"""The largest mu at a tolerance and on average: published cases, closed forms, quadrature, and the theorem put back in.

Of a box of intruders it is compared with the theorem on grids, for every shape of a profile.
"""

from __future__ import annotations

import math
import random

import mpmath as mp
import numpy as np
import pytest
from scipy.special import log_ndtr, ndtri

from dpwizard.base.errors import Infeasible
from dpwizard.privacy import gaussian_risk as gr
from dpwizard.privacy import relative_risk as rr
from tests.oracles import relative_risk_oracle as oracle
from tests.samples import profiles

WHOLE = [0, 1]


def quantile(chance):
    return mp.findroot(lambda x: mp.log(mp.ncdf(x)) - mp.log(chance), -mp.sqrt(-2 * mp.log(chance)) / 1.2)


def passes(p, q, mu, tolerance, factor):
    """1/(pq + w0 x1 + w1 x2) of Theorem 1, with all digits."""
    z = quantile(mp.mpf(tolerance))
    p, q, mu = mp.mpf(p), mp.mpf(q), mp.mpf(mu)
    x1, x2 = (mp.ncdf(z - c * mu) / mp.mpf(tolerance) for c in (1, mp.mpf(factor)))
    return 1 / (p * q + (1 - p) * x1 + p * (1 - q) * x2)


@pytest.mark.parametrize("seed", range(20))
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


def test_a_ratio_below_one_cannot_be_kept():
    for function in (gr.mu_at, gr.informed_mu_at):
        with pytest.raises(Infeasible):
            function(p=0.1, q=1, ratio=0.99, tolerance=0.01)
    for function in (gr.average_mu_at, lambda p, q, ratio: gr.average_rho(ratio=ratio)):
        with pytest.raises(Infeasible):
            function(p=0.1, q=1, ratio=0.99)


def mean_ratio(p, q, mu, factor):
    """R of Theorem 5 by tanh-sinh panels, with all digits."""
    p, q, mu, c = (mp.mpf(x) for x in (p, q, mu, factor))

    def term(x):
        doubt = (1 - p) * mp.exp(-mu * x - mu**2 / 2) + p * (1 - q) * mp.exp(-c * mu * x - (c * mu) ** 2 / 2)
        return mp.npdf(x) / (p * q + doubt)

    far = 12 + c * mu
    return mp.quad(term, mp.linspace(-far, far, 41))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
def test_the_average_is_the_integral_and_never_below_it(seed):
    rng = random.Random(seed)
    p, q, mu = (
        rng.choice([1.0, 10 ** rng.uniform(-6, 0)]),
        rng.choice([1.0, 10 ** rng.uniform(-6, 0)]),
        rng.random() * 5,
    )
    factor = rng.choice([1.0, 2**0.5, 2.0])
    with mp.workdps(20):
        exact = mean_ratio(p, q, mu, factor)
        found = gr.average_risk(p=p, q=q, mu=mu, replace_factor=factor)
        assert exact * (1 - mp.mpf(10) ** -15) <= found.ratio <= exact * (1 + 1e-9)
        assert found.posterior == pytest.approx(float(exact * p * q), rel=1e-9)


@pytest.mark.parametrize("factor", [1.0, 2**0.5, 2.0])
def test_no_intruder_gains_more_on_average_than_the_closed_form_allows(factor):
    rho = gr.average_rho(ratio=3, replace_factor=factor)
    assert rho == pytest.approx(math.log(3) / (2 * factor**2), rel=1e-14)
    assert rho <= math.log(3) / (2 * factor**2)
    rng = random.Random(7)
    for _ in range(60):
        p, q = 10 ** rng.uniform(-6, 0), 10 ** rng.uniform(-6, 0)
        found = gr.average_risk(p=p, q=q, mu=math.sqrt(2 * rho), replace_factor=factor)
        assert found.ratio <= 3 * (1 + 1e-10)
    limit = gr.average_risk(p=1.0, q=1e-9, mu=math.sqrt(2 * rho), replace_factor=factor)
    assert limit.ratio == pytest.approx(3, rel=1e-6)


def test_the_average_at_the_edges():
    assert gr.average_rho(ratio=1) == 0.0
    assert gr.average_rho(ratio=math.inf) == math.inf
    assert gr.average_mu_at(p=0.1, q=0.5, ratio=1) == 0.0
    assert gr.average_mu_at(p=0.1, q=0.1, ratio=100) == math.inf
    assert gr.average_mu_at(p=1, q=1, ratio=1) == math.inf
    assert gr.average_risk(p=1, q=1, mu=3).ratio == 1.0
    assert gr.average_risk(p=0.1, q=0.5, mu=1e6).posterior == pytest.approx(1)


BOXES = (((0, 1), (0, 1)), ((0, 1), (1, 1)), ((0.3, 0.3), (0.01, 1)), ((0.001, 0.4), (0.02, 0.7)), ((1, 1), (0, 1)))

DRAWN = [profiles.at_random(random.Random(f"{shape} {i}"), shape) for shape in profiles.SHAPES for i in range(1)]


def line(ends, *more):
    low, high = max(ends[0], 1e-9), ends[1]
    inside = [x for x in more if low <= x <= high]
    return np.unique([low, high, *np.geomspace(low, high, 70), *np.linspace(low, high, 50), *inside])


def slack(given, p, q, mu, tolerance, factor, at=()):
    """The least of pq + w0 x1 + w1 x2 - 1/r* on a grid: Theorem 1 holds the profile where it is not negative."""
    z = ndtri(tolerance)
    x1, x2 = (np.exp(log_ndtr(z - c * mu) - log_ndtr(z)) for c in (1.0, factor))
    a, b = np.meshgrid(line(p, *at[:1]), line(q, *at[1:]))
    a, b = a.ravel(), b.ravel()
    left = a * b + a * (1 - b) * x2 + (1 - a) * x1 - 1 / oracle.ratio_of(given, a, b)
    return np.where(a * b == 1.0, 1.0, left).min()


def told(ends):
    return list(ends) if ends[0] < ends[1] else ends[0]


@pytest.mark.slow
@pytest.mark.parametrize("given", [*profiles.every(), *DRAWN], ids=profiles.named)
def test_no_intruder_of_the_box_passes_the_profile_at_the_mu_found_and_one_does_just_above(given):
    rng = random.Random(str(given))
    for (p, q), factor in zip(BOXES, rng.choices((2.0, 2**0.5, 1.0), k=len(BOXES)), strict=True):
        tolerance = rng.choice([0.01, 0.001, 1e-6, 0.3, 0.7])
        found = gr.recommend(profile=given, p=told(p), q=told(q), tolerance=tolerance, replace_factor=factor)
        assert found.status == rr.recommend(profile=given, p=p, q=q, replace_factor=factor).status
        if found.status != "allowed":
            assert found.mu is None
            continue
        error = 2e-3 if given["shape"] == "knots2d" else 1e-9
        assert found.mu <= found.upper <= found.mu * (1 + error) + 1e-12
        assert slack(given, p, q, found.mu, tolerance, factor) >= -1e-12
        if found.attained and found.p * found.q < 1 and found.mu > 1e-3:
            # nearby: beside a jump or a ridge the grid's own rounding decides
            near = [(found.p * s, found.q * t) for s in (1 - 1e-9, 1, 1 + 1e-9) for t in (1 - 1e-9, 1, 1 + 1e-9)]
            beside = [(min(max(a, p[0]), p[1]), min(max(b, q[0]), q[1])) for a, b in near]
            above = found.upper * 1.0001
            assert min(slack(given, (a, a), (b, b), above, tolerance, factor) for a, b in beside) < 0


@pytest.mark.parametrize(("seed", "factor"), [(0, 2.0), (1, 1.0)])
def test_a_surface_of_knots_is_certified_to_2e_3_and_no_grid_goes_below(seed, factor):
    rng = random.Random(seed)
    p, q = (sorted({round(10 ** rng.uniform(-3, 0), 4) for _ in range(8)}) for _ in range(2))
    k, m, c = rng.uniform(0.1, 0.9), rng.uniform(0.1, 0.9), rng.uniform(1.05, 3)
    ratios = [[max(1.05, c * a**-k * b**-m * rng.uniform(0.9, 1.1)) for b in q] for a in p]
    given = {"shape": "knots2d", "p": p, "q": q, "ratios": ratios}
    found = gr.recommend(profile=given, p=[0, 1], q=[0, 1], tolerance=0.001, replace_factor=factor)
    if found.status == "unbounded":
        return
    assert found.upper - found.mu <= 2e-3 * found.upper
    assert slack(given, (0, 1), (0, 1), found.mu, 0.001, factor) >= -1e-12
    where = (found.p, found.p), (found.q, found.q)
    assert not found.attained or slack(given, *where, found.upper * (1 + 1e-7), 0.001, factor) < 0
