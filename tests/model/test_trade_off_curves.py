"""The trade-off curve of every mechanism: convex, on its safe side, that of the best event of actual noise.

And how often the best test is right at even odds where only rho is known.
"""

from __future__ import annotations

import itertools
import json
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy import integrate, stats

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import smallest, up
from dpwizard.decision import TradeOff
from dpwizard.privacy import compute

EACH: tuple[dict[str, Any], ...] = (
    {"kind": "gaussian", "mu": 0.7},
    {"kind": "gaussian", "mu": 1e-6},
    {"kind": "gaussian", "mu": 6.0},
    {"kind": "discrete_gaussian", "sigma": 1.5, "sensitivity": 1},
    {"kind": "discrete_gaussian", "sigma": 0.3, "sensitivity": 2},
    {"kind": "discrete_gaussian", "sigma": 1_000.0, "sensitivity": 225},
    {"kind": "zcdp", "rho": 0.5},
    {"kind": "zcdp", "rho": 1e-6},
    {"kind": "pure", "epsilon": 1.1},
    {"kind": "laplace", "epsilon": 1.1},
    {"kind": "approximate", "epsilon": 0.8, "delta": 1e-4},
    {"kind": "profile", "points": [[0.1, 0.2], [0.8, 0.01], [2.0, 1e-6]]},
    {"kind": "mixed", "epsilon": 0.5, "mu": 0.5},
    {"kind": "mixed", "epsilon": 4.0, "mu": 0.01},
)
HITS = (1e-12, 1e-6, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1 - 1e-6)
each = pytest.mark.parametrize("mechanism", EACH, ids=lambda one: json.dumps(one).replace('"', ""))


def asked(function: str, **arguments: Any) -> Any:
    answer = compute.answer(json.dumps({"id": 1, "fn": f"gaussian_risk.{function}", "args": arguments}))
    assert answer["ok"], answer
    return answer["value"]


def g(mechanism: dict[str, Any], hit: float, factor: float = 1.0) -> float:
    return float(asked("false_alarm", mechanism=mechanism, hit=hit, replace_factor=factor))


@each
def test_a_curve_is_below_its_hit_rate_and_the_share_never_falls(mechanism: dict[str, Any]) -> None:
    found = [g(mechanism, hit) for hit in HITS]
    assert all(0.0 <= alarm <= hit for alarm, hit in zip(found, HITS, strict=True))
    shares = [alarm / hit for alarm, hit in zip(found, HITS, strict=True)]
    assert all(one <= two * (1 + 1e-8) for one, two in itertools.pairwise(shares))


@each
@pytest.mark.parametrize("factor", [2.0])
def test_two_values_are_told_apart_no_less_than_presence(mechanism: dict[str, Any], factor: float) -> None:
    for hit in HITS:
        assert g(mechanism, hit, factor) <= g(mechanism, hit) * (1 + 1e-12)


@each
def test_the_most_with_the_record_is_the_curve_of_the_opposite_event(mechanism: dict[str, Any]) -> None:
    for chance in (0.001, 0.01, 0.2, 0.5, 0.8, 0.99):
        most = asked("two_worlds", chance_without=chance, mechanism=mechanism)
        assert most == pytest.approx(1 - g(mechanism, 1 - chance), rel=2e-7, abs=2e-9)
        assert most == asked("success_bound", baseline=chance, mechanism=mechanism)
        if 0.0 < most < 0.999:  # and back again: whoever hits that often accuses that often
            assert g(mechanism, most) == pytest.approx(chance, rel=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("mechanism", EACH[::2], ids=lambda one: str(one["kind"]))
def test_a_cap_is_passed_less_often_than_its_tolerance(mechanism: dict[str, Any]) -> None:
    for p, q, tolerance in ((0.1, 1.0, 0.01), (0.3, 0.2, 0.001))[mechanism.get("sigma") == 1_000.0 :]:
        found = asked("risk", p=p, q=q, mechanism=mechanism, tolerance=tolerance)
        if found["effective_epsilon_value"] is None or found["ratio"] * p * q >= 1:
            continue
        ratio = found["ratio"] * (1 + 1e-6)
        passed = asked("exceedance", p=p, q=q, ratio=ratio, mechanism=mechanism)["truth"]
        # where the curve is straight any lesser event is as telling: then none passes the cap
        assert passed <= tolerance * (1 + 1e-2) or mechanism["kind"] in ("discrete_gaussian",)
        below = asked("exceedance", p=p, q=q, ratio=found["ratio"] * (1 - 1e-6), mechanism=mechanism)["truth"]
        assert below >= tolerance * (1 - 1e-6) or math.isclose(found["ratio"], 1.0, rel_tol=1e-5)


@pytest.mark.parametrize(("sigma", "distance"), [(0.5, 1), (1.0, 1), (2.0, 3), (3.0, 1)])
def test_the_discrete_curve_is_that_of_the_best_events_listed(sigma: float, distance: int) -> None:
    k = np.arange(-400, 401)
    mass = np.exp(-0.5 * (k / sigma) ** 2)
    mass /= mass.sum()
    absent = np.concatenate((mass, np.zeros(distance)))
    present = np.concatenate((np.zeros(distance), mass))
    order = np.argsort(-np.divide(present, absent, out=np.full_like(present, np.inf), where=absent > 0), kind="stable")
    hits, alarms = np.cumsum(present[order]), np.cumsum(absent[order])
    mechanism = {"kind": "discrete_gaussian", "sigma": sigma, "sensitivity": distance}
    for hit in (0.001, 0.03, 0.2, 0.55, 0.9):
        assert g(mechanism, hit) == pytest.approx(np.interp(hit, hits, alarms), rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon", "mu"), [(0.5, 0.5)])
def test_the_mixed_curve_is_that_of_the_best_events_of_both_noises(epsilon: float, mu: float) -> None:
    def passing(threshold: float, shift: float) -> float:
        """P(loss > threshold): the Laplace output x at scale 1/epsilon, the Gaussian one normal."""

        def at(x: float) -> float:
            told = epsilon * (abs(x) - abs(x - 1))
            rest = (threshold - told) / mu + mu / 2  # of a normal output: its loss is mu y - mu^2/2
            return 0.5 * epsilon * math.exp(-epsilon * abs(x - shift)) * stats.norm.sf(rest - mu * shift)

        pieces = ((-60 / epsilon, 0.0), (0.0, 1.0), (1.0, 1 + 60 / epsilon))
        return math.fsum(integrate.quad(at, *piece, epsabs=0, epsrel=1e-11, limit=400)[0] for piece in pieces)

    for threshold in (-0.5, 0.3, 1.5, 3.0):
        hit, alarm = passing(threshold, 1.0), passing(threshold, 0.0)
        assert g({"kind": "mixed", "epsilon": epsilon, "mu": mu}, hit) == pytest.approx(alarm, rel=1e-6)


@pytest.mark.parametrize(("hit", "rho"), [(0.015861909702275405, 308.0852402144041), (1e-3, 200.0)])
def test_the_zcdp_curve_of_a_large_rho_is_that_of_its_first_term(hit: float, rho: float) -> None:
    """The second term of the divergence is lost in rounding here: the search once had no end."""
    found = g({"kind": "zcdp", "rho": rho}, hit)
    closed = hit * math.exp(-rho - 2 * math.sqrt(rho * math.log(1 / hit)))
    assert found <= closed * (1 + 1e-8)
    assert found == pytest.approx(closed, rel=3e-9)


@pytest.mark.parametrize("rho", [1e-4, 0.05, 0.5, 3.0])
def test_the_zcdp_curve_is_the_least_that_every_order_allows(rho: float) -> None:
    orders = np.concatenate((1 + np.geomspace(1e-7, 1, 4_000), np.geomspace(2, 1e7, 4_000)))

    def keeps(b: float, a: float) -> bool:
        def largest(x: float, y: float) -> float:
            with np.errstate(all="ignore"):
                one = orders * math.log(x) + (1 - orders) * math.log(y)
                two = orders * math.log1p(-x) + (1 - orders) * math.log1p(-y)
            return float(np.max(np.logaddexp(one, two) / (orders - 1) / orders))

        return max(largest(b, a), largest(a, b)) <= rho

    for hit in (1e-5, 0.01, 0.1, 0.6):
        found = g({"kind": "zcdp", "rho": rho}, hit)
        assert keeps(hit, found * (1 + 1e-4))
        assert not keeps(hit, found * (1 - 1e-4))
        closed = hit * math.exp(-rho - 2 * math.sqrt(rho * math.log(1 / hit)))
        assert closed <= found * (1 + 1e-8)
        gaussian = g({"kind": "gaussian", "mu": math.sqrt(2 * rho)}, hit)
        assert found <= gaussian  # Gaussian noise of that rho is one of its mechanisms


def test_the_shortcut_by_epsilon_and_delta_is_passed_far_more_often_than_delta() -> None:
    epsilon = asked("epsilon_from", mu=1, delta=0.01)
    assert epsilon == pytest.approx(2.318, abs=5e-4)
    # p -> 0, q = 1: the odds grow e^epsilon-fold or more in up to 7.57 of 100 releases, not in 1
    found = asked("exceedance", p=1e-9, q=1, ratio=math.exp(epsilon), mechanism={"kind": "gaussian", "mu": 1})
    assert found["truth"] == pytest.approx(0.0757, abs=5e-5)
    # whoever sees whether the release passes one number: it is released as that alone
    passes = stats.norm.isf(found["truth"]) + 1.0
    draws = np.random.default_rng(20_261_123).normal(size=2_000_000)
    hit, alarm = np.mean(draws + 1.0 > passes), np.mean(draws > passes)
    assert hit == pytest.approx(0.0757, abs=1e-3)
    assert hit / alarm == pytest.approx(math.exp(epsilon), rel=0.03)
    # and of the unrounded release, by somebody who knows all others: 3.45 of 100
    assert found["informed"] == pytest.approx(np.mean(draws + 0.5 > epsilon), abs=1e-3)


@pytest.mark.parametrize(("mu", "delta", "effective"), [(0.5, 0.01, 1.446), (1, 0.001, 3.838), (1, 1e-6, 5.432)])
def test_the_effective_epsilon_is_that_of_the_table(mu: float, delta: float, effective: float) -> None:
    found = asked("risk", p=0.1, q=1, mechanism={"kind": "gaussian", "mu": mu}, tolerance=delta)
    assert found["effective_epsilon"] == pytest.approx(effective, abs=5e-4)


def test_small_and_near_figures_keep_their_digits() -> None:
    tiny = asked("risk", p=0.1, q=1, mechanism={"kind": "gaussian", "mu": 1e-9}, tolerance=0.01)
    hazard = stats.norm.pdf(stats.norm.ppf(0.01)) / 0.01
    assert tiny["effective_epsilon"] == pytest.approx(1e-9 * hazard, rel=1e-7)
    near = asked("two_worlds_mu", chance_without=0.3, chance_with=0.3 + 1e-9)
    assert near == pytest.approx(1e-9 / stats.norm.pdf(stats.norm.ppf(0.3)), rel=1e-6)
    assert asked("mu_for_advantage", advantage=asked("advantage", mu=1e-8)) == pytest.approx(1e-8, rel=1e-12)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        ("false_alarm", {"mechanism": {"kind": "gaussian", "mu": 0}, "hit": 0.1}),
        ("false_alarm", {"mechanism": {"kind": "gaussian", "mu": 1}, "hit": 1}),
        ("false_alarm", {"mechanism": {"kind": "unknown"}, "hit": 0.1}),
        ("false_alarm", {"mechanism": {"kind": "discrete_gaussian", "sigma": 1, "sensitivity": 1.5}, "hit": 0.1}),
        ("false_alarm", {"mechanism": {"kind": "gaussian", "mu": 1}, "hit": 0.1, "replace_factor": 2.5}),
        ("exceedance", {"p": 0.1, "q": 1, "ratio": 0.5, "mechanism": {"kind": "pure", "epsilon": 1}}),
        ("two_worlds_mu", {"chance_without": 0.3, "chance_with": 0.3}),
    ],
)
def test_figures_out_of_range_are_refused_by_name(function: str, arguments: dict[str, Any]) -> None:
    answer = compute.answer(json.dumps({"id": 1, "fn": f"gaussian_risk.{function}", "args": arguments}))
    assert not answer["ok"]
    assert answer["kind"] == InvalidInput.__name__
    assert answer["error"]["where"].startswith("$.args.")


def test_an_accusation_is_answered_where_its_chances_are_too_small_to_write() -> None:
    for prior, posterior, mu in ((8e-194, 0.999999998, 11.64), (1e-250, 1e-90, 12.0), (1e-300, 0.5, 18.0)):
        found = asked("accusation", prior=prior, posterior=posterior, mu=mu)
        assert posterior <= found["precision"] < posterior * 2


def test_hits_near_one_and_chances_near_one_keep_their_digits() -> None:
    near = 1.0 - 2.0**-40  # exactly one less than a chance that can be written
    discrete = {"kind": "discrete_gaussian", "sigma": 2, "sensitivity": 5}
    missed = asked("two_worlds", chance_without=2.0**-40, mechanism=discrete)
    assert 1 - g(discrete, near) == pytest.approx(missed, rel=1e-9)
    mixed = {"kind": "mixed", "epsilon": 1e-4, "mu": 4.0}
    missed = asked("two_worlds", chance_without=2.0**-40, mechanism=mixed)
    assert 1 - g(mixed, near) == pytest.approx(missed, rel=1e-9)
    low = asked("two_worlds_mu", chance_without=2.0**-41, chance_with=2.0**-40)
    high = asked("two_worlds_mu", chance_without=1 - 2.0**-40, chance_with=1 - 2.0**-41)
    assert low == pytest.approx(high, rel=1e-12)


NEAREST = math.nextafter(1.0, 0.0)


@pytest.mark.parametrize("rho", [1e-9, 0.16, 40.0])
def test_it_is_where_the_curve_says_that_no_test_does_better(rho: float) -> None:
    told = TradeOff(rho=rho)
    found = told.even_odds_accuracy()
    by_curve = smallest(lambda right: up(1.0 - right, 1) <= told.fpr(right), 0.5, NEAREST)
    assert by_curve <= found <= min(NEAREST, by_curve * (1 + 3e-9))


@pytest.mark.parametrize("rho", [1e-6, 0.01, 0.5, 3.0])
def test_no_gaussian_release_of_that_rho_is_told_apart_better(rho: float) -> None:
    gaussian = 0.5 * math.erfc(-0.5 * math.sqrt(2.0 * rho) / math.sqrt(2.0))  # Phi(mu / 2)
    found = TradeOff(rho=rho).even_odds_accuracy()
    assert gaussian < found < 1.0
    assert found - 0.5 < 3.0 * (gaussian - 0.5)


@pytest.mark.parametrize("function", [("two_worlds", "chance_without"), ("success_bound", "baseline")])
@pytest.mark.parametrize("kind", ["pure", "approximate"])
def test_a_slight_loss_does_not_make_a_rare_event_impossible(kind: str, function: tuple[str, str]) -> None:
    slight: dict[str, Any] = {"kind": kind, "epsilon": 1e-300} | ({"delta": 0.0} if kind == "approximate" else {})
    name, chance = function
    assert asked(name, mechanism=slight, **{chance: 1e-200}) >= 1e-200


def test_false_alarms_are_not_rounded_up_where_delta_leaves_little() -> None:
    little = {"kind": "approximate", "epsilon": 2e-300, "delta": 0.4999999999995}
    most = Fraction(0.5) - Fraction(0.4999999999995)  # of the floats, exactly
    assert Fraction(asked("false_alarm", mechanism=little, hit=0.5)) <= most
