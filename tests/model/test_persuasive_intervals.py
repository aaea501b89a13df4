"""Scores of intervals and spread (Dawid-Sebastiani): the promise at the least noise, and its closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy import persuasive_privacy as pp
from dpwizard.privacy.persuasive_privacy import worst_chance
from dpwizard.privacy.persuasive_privacy.interval_score import least_scale

# --------------------------------------------------------------- Dawid-Sebastiani, one value


def chance(a, psi, kappa):
    """P(gain > kappa) for one value at a prior standard deviations, by the general formula."""
    return 1 - pp.dawid_sebastiani_hold(a=a, z=a, correlation=1, noise_ratio=psi, kappa=kappa)


def worst_on_a_grid(x, kappa, r1):
    return max(chance(float(a), x * x, kappa) for a in np.linspace(0, math.sqrt(r1), 400))


@pytest.mark.slow
@pytest.mark.parametrize(("kappa", "r1", "delta"), [(0.02, 4.0, 0.45), (0.0, 1.0, 0.7), (0.5, 9.0, 1e-3)])
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
