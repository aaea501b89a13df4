"""Persuasive privacy: the log score, scores of intervals and spread, exact and noisy linear releases, exact sums."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.privacy import persuasive_privacy as pp
from dpwizard.privacy.persuasive_privacy import worst_chance
from dpwizard.privacy.persuasive_privacy.interval_score import least_scale

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


# --------------------------------------------------------------- Dawid-Sebastiani, one value


def chance(a, psi, kappa):
    """P(gain > kappa) for one value at a prior standard deviations, by the general formula."""
    return 1 - pp.dawid_sebastiani_hold(a=a, z=a, correlation=1, noise_ratio=psi, kappa=kappa)


def worst_on_a_grid(x, kappa, r1):
    return max(chance(float(a), x * x, kappa) for a in np.linspace(0, math.sqrt(r1), 400))


@pytest.mark.slow
@pytest.mark.parametrize(("kappa", "r1", "delta"), [(0.02, 4.0, 0.45), (0.5, 9.0, 1e-3)])
def test_at_the_least_noise_the_promise_holds_for_all_larger_noise_and_fails_below(kappa, r1, delta):
    sd = pp.smallest_sd_dawid_sebastiani(prior_sd=2.0, kappa=kappa, r1=r1, delta=delta) / 2.0
    for factor in (1.0, 1.01, 1.3, 3.0, 30.0):
        assert worst_on_a_grid(sd * factor, kappa, r1) <= delta + 1e-11
    assert worst_chance(sd * 0.9999, kappa, r1) > delta
    peak = max((chance(float(a), (0.999 * sd) ** 2, kappa) for a in np.linspace(0, math.sqrt(r1), 3000)), default=0)
    assert peak > delta - 1e-4


# --------------------------------------------------------------------------------- interval


def worst_interval_loss(kind, tau, noise, length, margin):
    extra = [tau**2 / noise - length / 2] if kind == "laplace" else []  # where the clip begins to help the receiver
    distances = [length / 2 + margin + x for x in (0, *np.geomspace(1e-6, 20 * tau, 20))]
    distances += [d for d in extra if d >= length / 2 + margin]
    return max(
        pp.interval_loss(mechanism_kind=kind, prior_sd=tau, noise=noise, length=length, distance=float(d))
        for d in distances
    )


@pytest.mark.parametrize("margin", [0.02, 0.6])
@pytest.mark.parametrize("length", [0.1, 3.0])
@pytest.mark.parametrize("delta", [0.01, 0.6])
@pytest.mark.parametrize("kind", ["gaussian", "laplace"])
def test_from_the_least_interval_noise_on_every_larger_one_passes(margin, length, delta, kind):
    least = pp.smallest_sd_interval if kind == "gaussian" else least_scale
    noise = least(prior_sd=1.5, length=length, margin=margin, delta=delta)
    for factor in np.geomspace(1.0, 300, 24):
        assert worst_interval_loss(kind, 1.5, noise * float(factor), length, margin) <= delta + 1e-12
    assert worst_interval_loss(kind, 1.5, noise * 0.9999, length, margin) > delta


def test_a_dip_below_delta_before_the_rise_is_not_taken_for_the_answer():
    at = {"prior_sd": 1.0, "length": 0.2}
    losses = [
        pp.interval_loss(mechanism_kind="gaussian", noise=float(x), distance=0.101, **at)
        for x in np.geomspace(0.05, 5000, 2000)
    ]
    falls = np.sign(np.diff(losses))
    assert (falls > 0).any()  # the loss does rise again
    dip = min(losses[: int(np.argmax(falls > 0)) + 1])
    noise = pp.smallest_sd_interval(prior_sd=1.0, length=0.2, margin=0.001, delta=dip + 0.01)
    first_pass = next(x for x, loss in zip(np.geomspace(0.05, 5000, 2000), losses, strict=True) if loss <= dip + 0.01)
    assert noise > 3 * first_pass


# ------------------------------------------------------------------------- for a requirement


def test_every_score_and_mechanism_gets_a_need_or_a_reason():
    log = {"score": "log", "kappa": 1.0, "delta": 0.1, "sensitivity": 2.0}
    assert pp.noise_needed(mechanism_kind="laplace", **log).noise == pytest.approx(2.0, rel=1e-12)
    assert pp.noise_needed(mechanism_kind="geometric", **log).noise == pytest.approx(0.5, rel=1e-12)
    assert pp.noise_needed(mechanism_kind="geometric", **log | {"prior_mass": 0.5}).status == "none_needed"
    assert pp.noise_needed(mechanism_kind="geometric", **log | {"kappa": 0}).status == "infeasible"
    assert pp.noise_needed(mechanism_kind="gaussian", **log | {"delta": 0}).status == "infeasible"
    score = {"score": "dawid_sebastiani", "kappa": 2.0, "delta": 0.0, "prior_sd": 3.0, "r1": 1.5}
    assert pp.noise_needed(mechanism_kind="gaussian", **score).noise == pytest.approx(
        3 / math.sqrt(math.expm1(0.5)), rel=1e-12
    )
    assert pp.noise_needed(mechanism_kind="laplace", **score).status == "not_applicable"
    interval = {"score": "interval", "kappa": 0.5, "delta": 0.2, "prior_sd": 3.0, "length": 1.0, "margin": 2.0}
    assert pp.noise_needed(mechanism_kind="laplace", **interval).noise == pytest.approx(4.5, rel=1e-12)
    assert pp.noise_needed(mechanism_kind="gaussian", **interval).status == "needed"
    assert pp.noise_needed(mechanism_kind="geometric", **interval).status == "not_applicable"
    assert pp.noise_needed(mechanism_kind="laplace", **interval | {"kappa": 1}).status == "none_needed"


@pytest.mark.parametrize(
    ("score", "fields", "where"),
    [
        ("interval", {"prior_sd": 1.0, "length": 1.0}, "margin"),
        ("interval", {"length": 1.0, "margin": 1.0}, "prior_sd"),
        ("dawid_sebastiani", {"prior_sd": 1.0}, "r1"),
        ("quadratic", {}, "score"),
    ],
)
def test_a_missing_parameter_is_named(score, fields, where):
    with pytest.raises(InvalidInput) as refusal:
        pp.noise_needed(score=score, mechanism_kind="gaussian", kappa=1, delta=0.1, **fields)
    assert refusal.value.where == where


def identity(n, variance=1.0):
    return [[variance if i == j else 0.0 for j in range(n)] for i in range(n)]


# -------------------------------------------------------------------------- linear releases


def test_two_means_that_differ_by_one_person_disclose_that_person():
    at = {"mean": [0.5, -0.2, 0.1], "covariance": identity(3), "data": [0.4, 0.3, 2.0]}
    third, half = 1 / 3, 0.5
    together = [[third, third, third], [half, half, 0.0]]
    for matrix in (together, [[1, 1, 1], [1, 1, 0]], [[0.1, 0.1, 0.1], [0.3, 0.3, 0.0]]):
        assert math.isinf(pp.linear_gain(matrix=matrix, index=2, **at))
        assert math.isinf(pp.linear_bound(matrix=matrix, **at))
        assert pp.linear_gain(matrix=matrix, index=0, **at) < 5
        assert pp.multiple_correlation(covariance=identity(3), matrix=matrix, index=2) == 1.0
    for alone in together:
        assert pp.linear_gain(matrix=[alone], index=2, **at) < 5


def test_a_prior_that_ties_two_values_discloses_both_with_one():
    for covariance in (
        [[0.01, 0.03], [0.03, 0.09]],
        [[1.0, 1.0], [1.0, 1.0]],
        [[2.0, math.sqrt(6)], [math.sqrt(6), 3.0]],
    ):
        assert pp.multiple_correlation(covariance=covariance, matrix=[[1, 0]], index=1) == 1.0
    assert pp.multiple_correlation(covariance=[[0.01, 0.0299], [0.0299, 0.09]], matrix=[[1, 0]], index=1) < 1.0


def test_the_tiniest_noise_is_not_mistaken_for_none():
    for variance in (1e-6, 1e-12, 1e-20, 1e-40, 1e-300):
        gain = pp.linear_gain(mean=[0], covariance=[[1]], data=[0], matrix=[[1]], noise=[[variance]], index=0)
        assert gain == pytest.approx(-math.log(variance), rel=1e-6 if variance > 1e-7 else 1e-11)
        noisy = pp.linear_gain(
            mean=[0, 0, 0],
            covariance=identity(3),
            data=[1, 2, 3],
            matrix=[[1, 1, 1], [1, 1, 0]],
            noise=identity(2, variance),
            index=2,
        )
        assert 0 < noisy < math.inf


def test_an_output_that_cannot_occur_is_refused():
    at = {"mean": [0, 0], "covariance": identity(2), "data": [1, 2], "matrix": [[1, 1], [2, 2]], "index": 0}
    assert pp.linear_gain(output=[3, 6], **at) < 10
    assert pp.linear_gain(output=[3, 6.0000000001], **at) < 10
    single = {**at, "matrix": [[1, 1]]}
    assert pp.linear_gain(output=2.5, **single) == pp.linear_gain(output=[2.5], **single)
    with pytest.raises(InvalidInput) as refusal:
        pp.linear_gain(output=[3, 7], **at)
    assert refusal.value.where == "output"
    with pytest.raises(InvalidInput) as refusal:  # data the prior rules out
        pp.linear_gain(mean=[0, 0], covariance=[[1, 1], [1, 1]], data=[1, 2], matrix=identity(2), index=0)
    assert refusal.value.where == "data"


# ------------------------------------------------------------------------------ exact means


# --------------------------------------------------------------------------- discrete sums


def test_decimals_add_up_as_they_are_written():
    priors = [{"points": [0.1, 0.3]}, {"points": [0.2, 0.0]}]
    assert pp.discrete_sum_gain(priors=priors, data=[0.1, 0.2], index=0) == pytest.approx(
        0.0, abs=1e-15
    )  # .1 + .2 or .3 + 0


# ----------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize(
    ("arguments", "where"),
    [
        ({"r1": 1}, "covariance"),
        ({"r1": 1, "n": 3, "correlation": 0, "covariance": identity(3)}, "covariance"),
        ({"r1": 1, "n": 1, "correlation": 0}, "n"),
        ({"r1": 1, "n": 3, "correlation": -0.5}, "correlation"),
        ({"r1": -1, "n": 3, "correlation": 0}, "r1"),
        ({"r1": 1, "covariance": [[1]]}, "covariance"),
        ({"r1": 1, "covariance": identity(2), "mean": [0]}, "mean"),
        ({"r1": 1, "covariance": [[1, -1], [-1, 1]]}, "covariance"),
    ],
)
def test_an_exact_mean_needs_one_sound_description(arguments, where):
    with pytest.raises(InvalidInput) as refusal:
        pp.exact_mean_promise(**arguments)
    assert refusal.value.where == where


def test_sums_too_many_to_add_up_are_refused_with_a_remedy():
    source = random.Random(1)
    priors = [{"points": [round(source.random(), 12) for _ in range(50)]} for _ in range(30)]
    with pytest.raises(Infeasible) as refusal:
        pp.discrete_sum_gain(priors=priors, data=[prior["points"][0] for prior in priors], index=0)
    assert refusal.value.hint
