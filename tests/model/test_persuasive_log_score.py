"""The log score: probabilistic DP, the least noise of one value and of several, and the edges of both."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import Infeasible
from dpwizard.privacy import persuasive_privacy as pp

TABLE = {"kind": "table", "px": [0.05, 0.4, 0.55], "pxp": [0.001, 0.2, 0.799]}


def mechanism_of(kind, scale, sensitivity):
    if kind == "geometric":
        return {"kind": kind, "rate": scale, "sensitivity": sensitivity}
    return {"kind": kind, "scale" if kind == "laplace" else "sd": scale, "sensitivity": sensitivity}


mechanisms = st.one_of(
    st.builds(mechanism_of, st.just("laplace"), st.floats(0.05, 20), st.floats(0, 10)),
    st.builds(mechanism_of, st.just("gaussian"), st.floats(0.05, 20), st.floats(0, 10)),
    st.builds(mechanism_of, st.just("geometric"), st.floats(0.01, 5), st.integers(0, 8)),
)


# -------------------------------------------------------------------- published numbers


def test_the_papers_numbers_come_out():
    assert pp.hold_probability(
        mechanism={"kind": "gaussian", "sd": 1, "sensitivity": 1}, prior_mass=0, kappa=1
    ) == pytest.approx(0.6914624612740131, rel=1e-14)
    table = {"kind": "table", "px": [0.01, 0.49, 0.5], "pxp": [0.0, 0.5, 0.5]}
    assert pp.hold_probability(mechanism=table, prior_mass=0, kappa=0.05) == pytest.approx(0.99, rel=1e-14)
    assert pp.probabilistic_delta(mechanism=TABLE, epsilon=0.7) == pytest.approx(0.05, rel=1e-14)
    assert pp.log_score_gain(prior_mass=0.5, loss=2.0) == pytest.approx(0.5662191695169728, rel=1e-15)


def test_merging_outputs_can_break_probabilistic_privacy_though_not_the_hockey_stick():
    merged = {"kind": "table", "px": [0.45, 0.55], "pxp": [0.201, 0.799]}
    assert pp.probabilistic_delta(mechanism=merged, epsilon=0.7) > pp.probabilistic_delta(mechanism=TABLE, epsilon=0.7)
    assert pp.approximate_delta(mechanism=merged, epsilon=0.7) <= pp.approximate_delta(mechanism=TABLE, epsilon=0.7)


# ------------------------------------------------------------------------ deltas and gains


@given(mechanism=mechanisms, epsilon=st.floats(-5, 30))
def test_approximate_delta_never_exceeds_probabilistic_delta(mechanism, epsilon):
    assert (
        pp.approximate_delta(mechanism=mechanism, epsilon=epsilon)
        <= pp.probabilistic_delta(mechanism=mechanism, epsilon=epsilon) + 1e-14
    )


def test_a_loss_equal_to_epsilon_is_within_whatever_binary_rounding_says():
    assert pp.probabilistic_delta(mechanism={"kind": "laplace", "scale": 0.1, "sensitivity": 0.3}, epsilon=3.0) == 0.0
    assert pp.probabilistic_delta(mechanism={"kind": "geometric", "rate": 0.1, "sensitivity": 3}, epsilon=0.3) == 0.0
    a = math.exp(-0.1)  # sensitivity 5, epsilon .3: the loss .1 (5 - 2k) exceeds it for k < 1 only
    inner = pp.probabilistic_delta(mechanism={"kind": "geometric", "rate": 0.1, "sensitivity": 5}, epsilon=0.3)
    assert inner == pytest.approx(1 / (1 + a), rel=1e-14)
    table = {"kind": "table", "px": [0.3, 0.7], "pxp": [0.1, 0.9]}
    assert pp.probabilistic_delta(mechanism=table, epsilon=math.log(3)) == 0.0


# ------------------------------------------------------------------------------ least noise


@given(
    kind=st.sampled_from(["laplace", "gaussian"]),
    s=st.floats(0.01, 100),
    kappa=st.floats(0.001, 5),
    delta=st.floats(1e-9, 0.999),
    w=st.floats(0, 0.9),
)
def test_the_promise_holds_at_the_least_noise_and_fails_a_little_below_it(kind, s, kappa, delta, w):
    name = "scale" if kind == "laplace" else "sd"
    noise = pp.smallest_noise(mechanism_kind=kind, sensitivity=s, kappa=kappa, delta=delta, prior_mass=w)
    if noise == 0.0:
        assert w >= math.exp(-kappa) * (1 - 1e-12)
        return
    for factor, holds in ((1.0, True), (1.5, True), (20.0, True), (0.9999, False)):
        chance = pp.hold_probability(
            mechanism={"kind": kind, name: noise * factor, "sensitivity": s}, prior_mass=w, kappa=kappa
        )
        assert (chance >= 1 - delta - 1e-12) == holds or (not holds and abs(chance - 1 + delta) < 1e-9)


@given(s=st.integers(1, 40), kappa=st.floats(0, 5), delta=st.floats(0, 0.9999), w=st.floats(0, 0.9))
def test_the_largest_geometric_rate_keeps_the_promise_and_a_larger_one_does_not(s, kappa, delta, w):
    rate = pp.smallest_noise(mechanism_kind="geometric", sensitivity=s, kappa=kappa, delta=delta, prior_mass=w)
    if math.isinf(rate):
        assert w >= math.exp(-kappa) * (1 - 1e-12)
        return
    for factor, holds in ((1.0, True), (0.5, True), (1.0001, False)):
        if rate * factor > 0.0:
            mechanism = {"kind": "geometric", "rate": rate * factor, "sensitivity": s}
            chance = pp.hold_probability(mechanism=mechanism, prior_mass=w, kappa=kappa)
            assert (chance >= 1 - delta - 1e-13) == holds or (not holds and abs(chance - 1 + delta) < 1e-6)


# ------------------------------------------------------------------------------------ hostile


def test_geometric_noise_too_fine_to_sum_is_refused_with_a_remedy():
    with pytest.raises(Infeasible) as refusal:
        pp.compose(
            mechanism1=TABLE, mechanism2={"kind": "geometric", "rate": 1e-9, "sensitivity": 1e12}, prior_mass=0, kappa=1
        )
    assert refusal.value.where == "mechanism2"
    assert refusal.value.hint
