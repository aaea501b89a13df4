"""What is promised under noise without a largest loss, held against releases built as data and noise.

Every limit is attacked at the limit: each world's law is written down, its best event sought as Neyman and Pearson do.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from dpwizard.decision import PrivacyInputs, RequirementResult, assess, edits
from dpwizard.elicitation import release_epsilons
from dpwizard.wording import assessments, why
from tests.samples.decisions import decided

CAP = {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}
DURHAM = {"kind": "relative_risk", "adversary": "inclusion", "p": [0, 1], "profile": CAP}
THREEFOLD = {"shape": "constant", "ratio": 3}
BOTH = {"kind": "relative_risk", "adversary": "both", "p": [0, 1], "q": [0, 1], "profile": THREEFOLD}
GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}
WORLDS = {"kind": "two_worlds", "chance_without": 0.1, "chance_with": 0.2}
ATTACK = {"kind": "attack_advantage", "advantage": 0.4}
RARELY: dict[str, Any] = {"statement": "tolerance", "tolerance": 0.01}
AVERAGE = {"statement": "average"}
Floats = NDArray[np.float64]


def answer(requirement: dict[str, Any], epsilon: float | None = None, **release: Any) -> RequirementResult:
    return assess(decided(requirement, epsilon=epsilon, **release)).answers[0]


def solved(requirement: dict[str, Any], **release: Any) -> tuple[float, PrivacyInputs]:
    """Return the limit, and what the requirement reads of the release."""
    decision = decided(requirement, **release)
    setting, found = decision.requirements[0].setting(decision.release), assess(decision).answers[0].epsilon
    assert isinstance(setting, PrivacyInputs)
    assert found is not None
    return found, setting


# ------------------------------------------------------------------------------------------- figures, worked


@pytest.mark.parametrize(("tolerance", "mu"), [(0.01, 0.7325), (0.001, 0.6021), (1e-6, 0.4263)])
def test_the_durham_profile_allows_its_distance_at_each_tolerance(tolerance: float, mu: float) -> None:
    asked = {**DURHAM, "statement": "tolerance", "tolerance": tolerance}
    found, setting = solved(asked, **GAUSSIAN)
    assert setting.loss.mu(found) == pytest.approx(mu, abs=5e-5)
    in_rho, setting = solved(asked, mechanism="gaussian")  # counted in rho: mu^2 / 2
    assert in_rho == pytest.approx(mu * mu / 2, abs=5e-5)
    assert setting.loss.mu(in_rho) == pytest.approx(mu, abs=5e-5)


def test_one_ratio_for_all_allows_the_closed_form_and_half_of_it_where_a_value_moves_twice_as_far() -> None:
    far = float(ndtri(0.01) - ndtri(0.01 / 3))
    for other, factor in ((1, 1.0), (2, 2.0), (1.5, 1.5)):
        found, setting = solved({**BOTH, **RARELY}, statistic="sum", sensitivity_other=other, **GAUSSIAN)
        assert setting.loss.mu(found) == pytest.approx(far / factor, rel=1e-9)
    found, setting = solved({**BOTH, **RARELY}, statistic="sum", **GAUSSIAN)
    assert setting.loss.mu(found) == pytest.approx(far / 2.0, rel=1e-9)  # not known: the safe factor


@pytest.mark.parametrize("tables", [1, 3])
def test_a_histogram_moves_by_the_root_of_two_however_many_there_are(tables: int) -> None:
    parts = [
        {"name": str(n), "statistic": "histogram", "sensitivity": 1, "dimension": 4, "share": 1 / 2 ** min(n, 2)}
        for n in range(1, tables + 1)
    ]
    found, setting = solved({**BOTH, **RARELY}, parts=parts, **GAUSSIAN)
    assert setting.loss.mu(found) == pytest.approx(float(ndtri(0.01) - ndtri(0.01 / 3)) / math.sqrt(2), rel=1e-9)


def test_two_worlds_and_the_best_attack_have_their_closed_forms() -> None:
    found, setting = solved(WORLDS, **GAUSSIAN)
    assert setting.loss.mu(found) == pytest.approx(float(ndtri(0.2) - ndtri(0.1)), rel=1e-12)
    found, setting = solved(ATTACK, **GAUSSIAN)
    assert setting.loss.mu(found) == pytest.approx(2 * float(ndtri(0.7)), rel=1e-12)
    for noise in ("laplace", "geometric"):
        assert answer(WORLDS, mechanism=noise).epsilon == pytest.approx(math.log(2), rel=1e-4)
    # of geometric noise on a count tanh(eps/2), of Laplace noise 1 - e^(-eps/2)
    assert answer(ATTACK, mechanism="geometric").epsilon == pytest.approx(math.log(1.4 / 0.6), rel=1e-12)
    assert answer(ATTACK, mechanism="laplace").epsilon == pytest.approx(-2 * math.log(0.6), rel=1e-4)
    opposite = {"kind": "two_worlds", "chance_without": 0.8, "chance_with": 0.9}  # of what does not befall: half
    assert answer(opposite, mechanism="laplace").epsilon == pytest.approx(math.log(2), rel=1e-4)


@pytest.mark.parametrize("noise", ["gaussian", "discrete_gaussian"])
def test_a_mean_ratio_of_three_allows_the_rho_of_its_logarithm(noise: str) -> None:
    value, _ = solved({**BOTH, **AVERAGE}, mechanism=noise)  # a count: both pairs move by 1
    known, _ = solved({**BOTH, **AVERAGE}, mechanism=noise, sensitivity_other=1)
    inclusion = {**DURHAM, "profile": THREEFOLD, **AVERAGE}
    presence, _ = solved(inclusion, mechanism=noise)
    assert value == pytest.approx(math.log(3) / 8, rel=1e-8)  # not known: twice as far
    assert known == presence == pytest.approx(math.log(3) / 2, rel=1e-8)


# ------------------------------------------------------------------------------------------- each kind, each noise


def test_replaced_values_alone_say_nothing_of_presence_but_of_a_value() -> None:
    release = {**GAUSSIAN, "neighbours": "replace"}
    assert answer({**DURHAM, **RARELY}, **release).why.key == "replace_says_nothing_of_presence"
    assert answer(WORLDS, **release).status == answer(ATTACK, **release).status == "not_applicable"
    value = {"kind": "relative_risk", "adversary": "attribute", "q": [0, 1], "profile": THREEFOLD, **RARELY}
    found, setting = solved(value, **release)
    assert setting.loss.mu(found) == pytest.approx(float(ndtri(0.01) - ndtri(0.01 / 3)), rel=1e-9)


# ------------------------------------------------------------------------------------------- attacked


def precision(worlds: list[Floats], p: float, q: float, share: float) -> float:
    """Return the most that a rule is right which finds at least SHARE of those of whom it is true.

    WORLDS: the chances of each output when the person is absent, has another value, has the value.
    """
    absent, other, true = worlds
    against = (1 - p) * absent + p * (1 - q) * other
    order = np.argsort(against / np.maximum(true, 1e-300), kind="stable")
    found, wrong = np.cumsum(true[order]), np.cumsum(against[order])
    at = min(int(np.searchsorted(found, share)), len(found) - 1)
    return float(p * q * found[at] / (p * q * found[at] + wrong[at]))


PARTS = [
    {"name": "pure", "statistic": "count", "mechanism": "laplace", "sensitivity": 1, "share": 0.5},
    {"name": "normal", "statistic": "count", "mechanism": "gaussian", "sensitivity": 1, "share": 0.5},
]


# ------------------------------------------------------------------------------------------- discrete noise


def lattice_worlds(sigma: float, steps: int) -> tuple[Floats, Floats]:
    ks = np.arange(-80, 81 + steps)
    laws = [np.exp(-((ks - far) ** 2) / (2 * sigma * sigma)) for far in (0, steps)]
    absent, present = (law / law.sum() for law in laws)
    return absent, present


@pytest.mark.parametrize("tolerance", [0.1, 0.001])
@pytest.mark.parametrize("ratio", [2.0, 30.0])
def test_no_budget_up_to_the_limit_breaks_a_promise_about_one_figure_with_discrete_noise(
    tolerance: float, ratio: float
) -> None:
    """Slightly more noise may tell more of an event of one chance: the limit is the end of what all coarser noise
    keeps."""
    profile = {"shape": "constant", "ratio": ratio}
    asked = {**DURHAM, "profile": profile, "statement": "tolerance", "tolerance": tolerance}
    found, setting = solved(asked, mechanism="discrete_gaussian")
    assert answer(asked, mechanism="discrete_gaussian").source.endswith("checked at this sigma")
    for budget in found * np.geomspace(0.05, 1.0, 60):
        sigma = 1.0 / setting.loss.mu(float(budget))
        absent, present = lattice_worlds(sigma, 1)
        hits, alarms = np.cumsum(present[::-1]), np.cumsum(absent[::-1])
        assert tolerance / float(np.interp(tolerance, hits, alarms)) <= ratio * (1 + 1e-9), sigma


# ------------------------------------------------------------------------------------------- earlier releases


def test_earlier_gaussian_noise_adds_its_square_and_a_largest_loss_takes_its_own() -> None:
    spent = {"rho": 0.02, "mechanism": "gaussian", "neighbours": "add_remove"}
    fresh, setting = solved(WORLDS, mechanism="gaussian")
    left, _ = solved(WORLDS, mechanism="gaussian", spent=[spent], priors_from="before_all")
    assert left == pytest.approx(fresh - 0.02, rel=1e-9)
    assert solved(WORLDS, mechanism="gaussian", spent=[spent])[0] == fresh  # counted from just before this release
    pure = {"epsilon": 0.1, "neighbours": "add_remove"}
    less, setting = solved(WORLDS, mechanism="gaussian", spent=[pure], priors_from="before_all")
    without = 0.1 * math.exp(0.1)  # of every release what the earlier one may have told at most: no more than that
    assert float(ndtri(0.2) - ndtri(without)) < setting.loss.mu(less) < float(ndtri(0.2) - ndtri(0.1))


def test_a_budget_of_zcdp_adds_the_rho_of_everything() -> None:
    asked = {"kind": "budget", "total": 0.3, "composition": "zcdp"}
    assert answer(asked, mechanism="laplace").epsilon == pytest.approx(math.sqrt(0.6), rel=1e-12)
    assert answer(asked, mechanism="laplace", repetitions=3).epsilon == pytest.approx(math.sqrt(0.2), rel=1e-12)
    assert answer(asked, mechanism="gaussian").epsilon == pytest.approx(0.3, rel=1e-12)
    earlier = [{"rho": 0.1, "neighbours": "add_remove"}, {"epsilon": 0.2, "neighbours": "add_remove"}]
    assert answer(asked, mechanism="gaussian", spent=earlier).epsilon == pytest.approx(0.18, rel=1e-12)
    over = answer({**asked, "total": 0.05}, mechanism="gaussian", spent=earlier)
    assert (over.status, over.why.key) == ("infeasible", "budget_overspent_rho")
    found, setting = solved(asked, parts=PARTS, delta=1e-6)
    pure, mu = setting.loss.pure_factor * found, setting.loss.mu(found)
    assert pure**2 / 2 + mu**2 / 2 == pytest.approx(0.3, rel=1e-9)


# ------------------------------------------------------------------------------------------- in words


# ------------------------------------------------------------------------------------------- the expected guess

TEN = {"family": "uniform", "low": 0, "high": 10}
SALARY = {"statement": "expected", "kind": "guessing_advantage"}
SUM = {"statistic": "sum", "neighbours": "replace", "sensitivity": 10, "mechanism": "gaussian"}


def guess(advantage: float, prior: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    return {
        **SALARY,
        "attributes": [{"prior": prior or TEN, "precision": 1, "effect": 1}],
        "advantage": advantage,
        **more,
    }


def test_the_expected_guess_has_its_closed_form_and_is_said_in_people() -> None:
    gain = 0.8 * (2 * float(ndtr(0.5)) - 1)  # U[0, 10], precision 1, noise 2: 200 of 1,000 before, 506 after
    found, setting = solved(guess(gain), **SUM)
    assert 1.0 / setting.loss.mu(found) == pytest.approx(2.0, rel=1e-9)
    decision = edits.put(decided(guess(gain), **SUM), "$.rho", found)
    said = assessments.at_epsilon(assess(decision).answers[0])
    assert said == (
        "Of 1,000 such people, an adversary guesses 200 values to within 1 before the release and at most 507 after "
        "it, on average."
    )
    assert math.ceil(1000 * (0.2 + gain)) == 507  # 506.3


def test_the_expected_guess_says_where_it_does_not_reach() -> None:
    keys = {
        "expected_of_gaussian_noise": (guess(0.1), {**SUM, "mechanism": "laplace"}),
        "expected_of_these_beliefs": (guess(0.1, {"family": "exponential", "rate": 1}), SUM),
        "expected_needs_proportion": (guess(0.1), {**SUM, "statistic": "count", "sensitivity": 1}),
        "histogram_jumps": (guess(0.1), {**SUM, "statistic": "histogram", "sensitivity": 1}),
    }
    for key, (asked, release) in keys.items():
        found = answer(asked, **release)
        assert (found.status, found.why.key) == ("not_applicable", key)
    twice = {**guess(0.1), "combine": "and"}
    twice["attributes"] = [{**twice["attributes"][0], "name": name} for name in "ab"]
    effects = {"effects": {"a": 1, "b": 1}}
    assert answer(twice, **SUM, **effects).why.key == "expected_of_one_value"
    spent = {"spent": [{"rho": 0.1, "neighbours": "replace"}], "priors_from": "before_all"}
    assert answer(guess(0.1), **SUM, **spent).why.key == "expected_of_gaussian_noise"
    assert answer(guess(1.0), **SUM).status == "unbounded"
    assert answer(guess(0.0), **SUM).epsilon == 0.0
    assert "moves_in_proportion" in answer(guess(0.1), **SUM).assumptions
    assert answer({**guess(0.1), "statement": "certain"}, **SUM).status == "unanswered"  # the truth is asked for


# ------------------------------------------------------------------------------------------- what questions find


def test_a_loss_found_by_questions_allows_what_tells_no_more_but_rarely() -> None:
    decision = decided({**BOTH, **RARELY}, mechanism="gaussian", sensitivity_other=2)
    requirement = decision.requirements[0]
    spoken = release_epsilons(requirement, decision.release)
    assert spoken.why is None
    budget, setting = spoken.limit(1.5), requirement.setting(decision.release)
    assert budget is not None
    mu = setting.loss.mu(budget)
    presence = math.log(0.01) - math.log(ndtr(ndtri(0.01) - mu))
    value = math.log(0.01) - math.log(ndtr(ndtri(0.01) - 2 * mu))
    assert max(presence / 1.5, value / 3.0) == pytest.approx(1.0, rel=1e-4)  # where the larger of the two binds
    on_average = decided({**BOTH, **AVERAGE}, mechanism="gaussian")
    unsaid = release_epsilons(on_average.requirements[0], on_average.release).why
    assert unsaid is not None
    assert "limit on average has none" in why(unsaid)
