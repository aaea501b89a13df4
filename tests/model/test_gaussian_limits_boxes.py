"""The largest mu for every intruder of a box, against the theorem on grids, for every shape of a profile."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy.special import log_ndtr, ndtri

from dpwizard.privacy import gaussian_risk as gr
from dpwizard.privacy import relative_risk as rr
from tests.oracles import relative_risk_oracle as oracle
from tests.samples import profiles

BOXES = (((0, 1), (0, 1)), ((0, 1), (1, 1)), ((0.3, 0.3), (0.01, 1)), ((0.001, 0.4), (0.02, 0.7)), ((1, 1), (0, 1)))
DRAWN = [profiles.at_random(random.Random(f"{shape} {i}"), shape) for shape in profiles.SHAPES for i in range(2)]


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


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("factor", [2.0, 2**0.5, 1.0])
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


@pytest.mark.parametrize("tolerance", [0.4, 0.01, 1e-6])
def test_at_nearly_no_privacy_asked_for_the_answer_is_still_finite(tolerance):
    found = gr.recommend(
        profile={"shape": "cap", "posterior": 1 - 1e-12}, p=[0.1, 0.5], q=[0.1, 0.5], tolerance=tolerance
    )
    assert found.status == "allowed"
    assert 0 < found.mu < math.inf
