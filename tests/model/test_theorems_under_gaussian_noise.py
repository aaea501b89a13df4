"""The theorems of docs/methods/gaussian_risk.md and programmes.md, tried on laws and histories that are written out.

Nothing here asks the program for the answer that is tried: releases are finite laws, geometries are integrated,
histories are enumerated. What the notes state as figures is computed again.
"""

from __future__ import annotations

import itertools
import json
import math

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr, ndtri

from dpwizard.privacy import compute, gaussian_risk

Array = NDArray[np.float64]


def told(kind: str, hit: float, factor: float = 1.0, **figures: float) -> float:
    """Return what the program says of a mechanism's curve."""
    arguments = {"mechanism": {"kind": kind, **figures}, "hit": hit, "replace_factor": factor}
    answer = compute.answer(json.dumps({"id": 1, "fn": "gaussian_risk.false_alarm", "args": arguments}))
    return float(answer["value"])


def gaussian(mu: float, hit: float | Array) -> Array:
    """Return the trade-off curve of Gaussian noise."""
    return np.asarray(ndtr(ndtri(hit) - mu), dtype=float)


# ----------------------------------------------------------------------------------------- Theorem 1


@pytest.mark.parametrize("seed", range(40))
def test_theorem_1_no_event_of_a_release_that_others_blur_is_more_precise_than_the_cap(seed: int) -> None:
    draw = np.random.default_rng(seed)
    p, q = draw.uniform(0.01, 1.0, 2)
    mu, c = draw.uniform(0.1, 2.5), draw.uniform(1.0, 2.0)
    others, likely = draw.normal(0.0, 3.0, 3), draw.dirichlet(np.ones(3))
    low = draw.uniform(-1.0, 1.0 - c)  # all values of the person lie in [low, low + c], within 1 of absence
    sensitive, other = (low + c * draw.uniform(0.0, 1.0, 2) for _ in range(2))
    cuts = np.append(np.sort(draw.normal(0.0, 4.0, 60)), math.inf)  # the release is rounded to few classes

    def law(values: Array) -> Array:
        below = sum(
            w * ndtr((cuts - at - value) * mu) for at, w in zip(others, likely, strict=True) for value in values
        )
        return np.diff(np.asarray(below) / len(values), prepend=0.0)

    absent, without, with_ = law(np.zeros(1)), law(other), law(sensitive)
    untrue = (1.0 - p) * absent + p * (1.0 - q) * without
    order = np.argsort(untrue / np.maximum(with_, 1e-300))  # the most telling classes first: the best events
    hit, alarm = np.cumsum(with_[order]), np.cumsum(untrue[order])
    kept = (hit > 1e-9) & (hit < 1.0 - 1e-9)
    hit, alarm = hit[kept], alarm[kept]
    cap = p * q / (p * q + ((1.0 - p) * gaussian(mu, hit) + p * (1.0 - q) * gaussian(c * mu, hit)) / hit)
    assert np.all(p * q * hit / (p * q * hit + alarm) <= cap * (1.0 + 1e-9))


@pytest.mark.parametrize(
    ("mu", "delta", "shortcut", "effective", "share"),
    [
        (0.5, 0.01, 0.919, 1.446, 0.129),
        (0.5, 0.001, 1.352, 1.801, 0.0170),
        (1.0, 0.01, 2.318, 3.124, 0.0757),
        (1.0, 0.001, 3.139, 3.838, 0.00957),
        (1.0, 1e-6, 4.887, 5.432, 1.4e-5),
    ],
)
def test_the_epsilon_at_a_delta_is_passed_many_times_as_often_as_delta(
    mu: float, delta: float, shortcut: float, effective: float, share: float
) -> None:
    assert gaussian_risk.epsilon_from(mu=mu, delta=delta) == pytest.approx(shortcut, abs=6e-4)
    assert math.log(delta) - float(log_ndtr(ndtri(delta) - mu)) == pytest.approx(effective, abs=6e-4)
    # an event of that hit rate is one whose chances are e^shortcut apart
    apart = math.log(share) - float(log_ndtr(ndtri(share) - mu))
    assert apart == pytest.approx(shortcut, abs=0.02)


# ---------------------------------------------------------------------------------- Theorems 4 and 5


@pytest.mark.parametrize("rho", [0.01, 0.5, 3.0])
@pytest.mark.parametrize("hit", [1e-6, 0.01, 0.5, 0.95])
def test_theorem_4_the_pair_of_coins_on_the_curve_is_zcdp_and_none_below_it_is(rho: float, hit: float) -> None:
    alarm = told("zcdp", hit, rho=rho)
    orders = 1.0 + np.geomspace(1e-6, 1e3, 3001)

    def excess(a: float, b: float) -> float:
        both = np.logaddexp(
            orders * math.log(a) + (1.0 - orders) * math.log(b),
            orders * math.log1p(-a) + (1.0 - orders) * math.log1p(-b),
        )
        return float(np.max(both / (orders - 1.0) / (orders * rho)))

    assert max(excess(alarm * (1.0 + 1e-6), hit), excess(hit, alarm * (1.0 + 1e-6))) <= 1.0 + 1e-6
    assert max(excess(alarm * (1.0 - 1e-3), hit), excess(hit, alarm * (1.0 - 1e-3))) > 1.0
    assert alarm >= hit * math.exp(-rho - 2.0 * math.sqrt(rho * -math.log(hit))) * (1.0 - 1e-9)


def test_theorem_5_no_geometry_has_a_larger_mean_ratio_than_the_line() -> None:
    draw = np.random.default_rng(5)
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    weights = weights / weights.sum()
    across, along = np.meshgrid(nodes, nodes)
    both = np.outer(weights, weights)

    def mean(p: float, q: float, absent: Array, other: Array) -> float:
        blend = sum(
            w * np.exp(-u[0] * across - u[1] * along - 0.5 * (u @ u))
            for w, u in ((1.0 - p, absent), (p * (1.0 - q), other))
        )
        return float((both / (p * q + blend)).sum())

    for _ in range(300):
        p, q = draw.uniform(0.02, 1.0, 2)
        mu, c = draw.uniform(0.05, 1.5), draw.uniform(1.0, 2.0)
        near, far, angle = *np.sqrt(draw.uniform(0.0, 1.0, 2)), draw.uniform(0.0, 2.0 * math.pi)
        absent = np.array([near * mu, 0.0])
        other = far * c * mu * np.array([math.cos(angle), math.sin(angle)])
        line = mean(p, q, np.array([mu, 0.0]), np.array([c * mu, 0.0]))
        assert mean(p, q, absent, other) <= line * (1.0 + 1e-7)
        bound = p * q + (1.0 - p) * math.exp(mu**2) + p * (1.0 - q) * math.exp((c * mu) ** 2)
        assert line <= min(bound, math.exp((c * mu) ** 2)) * (1.0 + 1e-7)


# ----------------------------------------------------------------------------------------- Theorem 6


@pytest.mark.parametrize("seed", range(30))
def test_theorem_6_geometric_noise_beside_gaussian_noise_stays_above_the_product(seed: int) -> None:
    draw = np.random.default_rng(seed)
    epsilon, mu = draw.uniform(0.05, 3.0, 2)
    ratio = math.exp(-epsilon)
    worlds = ((epsilon, 1.0 / (1.0 + ratio)), (-epsilon, ratio / (1.0 + ratio)))  # of one whole step
    levels = np.linspace(-12.0, 12.0, 2001)
    hit = sum(chance * ndtr(mu / 2.0 - (levels - loss) / mu) for loss, chance in worlds)
    alarm = sum(chance * math.exp(-loss) * ndtr(-mu / 2.0 - (levels - loss) / mu) for loss, chance in worlds)
    kept = (hit > 1e-12) & (hit < 1.0 - 1e-12)
    assert np.all(alarm[kept] >= math.exp(-epsilon) * gaussian(mu, hit[kept]) * (1.0 - 1e-9))


# ------------------------------------------------------------------------- discrete Gaussian, (eps, d)


def test_a_discrete_gaussian_has_not_the_curve_of_the_gaussian() -> None:
    for sigma, more in ((0.5, 0.24), (1.0, 0.046), (2.0, 0.011), (3.0, 0.005)):
        k = np.arange(-60, 61)
        mass = np.exp(-(k**2) / (2.0 * sigma**2))
        tail = np.cumsum(mass[::-1])[::-1] / mass.sum()
        needed = [
            float(ndtri(b) - ndtri(a)) for a, b in itertools.pairwise(tail[::-1]) if a > 1e-250 and b < 1.0 - 1e-12
        ]
        assert max(needed) * sigma - 1.0 == pytest.approx(more, abs=6e-3 if more > 0.1 else 6e-4)


def test_more_discrete_noise_can_tell_more_of_an_event() -> None:
    less, more = (told("discrete_gaussian", 0.01, sigma=sigma, sensitivity=1) for sigma in (0.30, 0.34))
    assert less == pytest.approx(2.4e-5, rel=0.01)
    assert more == pytest.approx(2.3e-8, rel=0.01)


def test_two_values_under_an_epsilon_and_delta_pass_through_absence() -> None:
    absent = told("approximate", 0.3, epsilon=1.0, delta=1e-3)
    assert told("approximate", 0.3, 1.5, epsilon=1.0, delta=1e-3) == pytest.approx(
        told("approximate", absent, epsilon=1.0, delta=1e-3), rel=1e-12
    )
    assert told("gaussian", 0.3, 2.0, mu=0.5) == pytest.approx(float(gaussian(1.0, 0.3)), rel=1e-12)


# ---------------------------------------------------------------------------------------- programmes


def costliest(present: Array, moved: Array, most: int) -> float:
    """Return the largest sum of squares between two histories of a unit, each of at most MOST years."""
    years = range(len(present))
    histories = [set(chosen) for size in range(1, most + 1) for chosen in itertools.combinations(years, size)]
    return max(
        sum(moved[i] if i in one and i in two else present[i] if i in one or i in two else 0.0 for i in years)
        for one in histories
        for two in histories
    )


def rule(present: Array, moved: Array, most: int) -> float:
    """Return the sum that docs/methods/programmes.md states: the largest increments, of two histories together."""
    increments: list[float] = []
    for a, v in zip(present, moved, strict=True):
        increments += [v / 2.0, v / 2.0] if v > 2.0 * a else [a, max(v - a, 0.0)]
    return sum(sorted(increments, reverse=True)[: 2 * most])


@pytest.mark.parametrize("seed", range(60))
def test_two_histories_cost_the_largest_increments_and_no_more(seed: int) -> None:
    draw = np.random.default_rng(seed)
    years = int(draw.integers(2, 6))
    most = int(draw.integers(1, years + 1))
    present = draw.uniform(0.1, 1.0, years)
    anyhow = present * draw.uniform(0.05, 4.0, years)
    assert rule(present, anyhow, most) >= costliest(present, anyhow, most) * (1.0 - 1e-12)
    concave = present * draw.uniform(0.05, 2.0, years)
    assert rule(present, concave, most) == pytest.approx(costliest(present, concave, most), rel=1e-12)


def test_a_year_that_moves_values_less_than_presence_may_be_in_one_history_alone() -> None:
    present, moved = np.array([0.9, 0.8]), np.array([0.1, 0.1])
    assert costliest(present, moved, 2) == pytest.approx(1.7)


def test_gaussian_noise_serves_better_from_seven_tables_on_at_one_in_a_thousand() -> None:
    allowed = float(ndtri(0.001) - ndtri(0.001 / 9.0))  # Theorem 3 for max(.5/(pq), 5), q = 1
    certain, rarely = math.sqrt(2.0) / math.log(9.0), 1.0 / allowed
    assert certain == pytest.approx(0.6436, abs=1e-4)
    assert rarely == pytest.approx(1.6609, abs=1e-4)
    assert [k for k in range(1, 12) if rarely * math.sqrt(k) < certain * k] == list(range(7, 12))
