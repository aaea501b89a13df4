"""The average over releases: by adaptive quadrature with all digits, by its bounds, and backwards."""

from __future__ import annotations

import math
import random

import mpmath as mp
import pytest

from dpwizard.privacy import gaussian_risk as gr


def mean_ratio(p, q, mu, factor):
    """R of Theorem 5 by tanh-sinh panels, with all digits."""
    p, q, mu, c = (mp.mpf(x) for x in (p, q, mu, factor))

    def term(x):
        doubt = (1 - p) * mp.exp(-mu * x - mu**2 / 2) + p * (1 - q) * mp.exp(-c * mu * x - (c * mu) ** 2 / 2)
        return mp.npdf(x) / (p * q + doubt)

    far = 12 + c * mu
    return mp.quad(term, mp.linspace(-far, far, 41))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
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


@pytest.mark.parametrize("seed", range(20))
def test_the_average_is_below_what_each_distance_alone_would_allow(seed):
    rng = random.Random(seed)
    p, q, mu = rng.random(), rng.random(), 10 ** rng.uniform(-2, 0.3)
    bound = p * q + (1 - p) * math.exp(mu**2) + p * (1 - q) * math.exp(4 * mu**2)
    assert gr.average_risk(p=p, q=q, mu=mu).ratio <= bound * (1 + 1e-10)
