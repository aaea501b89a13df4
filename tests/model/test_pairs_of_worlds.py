"""Each requirement compares one pair of worlds, and the loss of that pair is the sum over tables of each one's own
loss.

Every row builds the data and the noise that would break the answer given before, by itself: tables of counts with
Laplace noise, adversaries by Bayes' rule, earlier releases as randomised answers. Nothing but `solve` is taken from the
program.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from dpwizard.base.language import speaking
from dpwizard.decision import FORMAT, RequirementResult, assess, read_decision
from dpwizard.records import make, release_code
from dpwizard.records.making import accounting, implementation
from dpwizard.wording import assessments
from tests.oracles import guessing_oracle, noise_oracle
from tests.samples.decisions import STATED, decided

LOG3 = math.log(3)
COUNT = {"name": "cases", "statistic": "count", "sensitivity": 1, "share": 0.1}
BINS = {"name": "bins", "statistic": "histogram", "sensitivity": 1, "share": 0.9, "dimension": 2}
TABLES = {
    "mechanism": "laplace",
    "sensitivity": 2,
    "sensitivity_other": 3,
    "parts": [COUNT, BINS],
}  # 1 + 1, and 1 + 2: a ratio of 1.5
CLASSES = {
    "kind": "categorical_advantage",
    "prior": {"a": 1, "b": 1},
    "truth": "a",
    "advantage": 0.25,
}  # from odds of 1 to odds of 3
VALUE = {
    "kind": "relative_risk",
    "adversary": "attribute",
    "p": 1,
    "q": 0.5,
    "profile": {"shape": "constant", "ratio": 1.5},
}
NAMED = {"kind": "lee_clifton", "population": 4, "posterior": 0.5}  # log 3
SUM = {"statistic": "sum", "neighbours": "replace", "sensitivity": 10, "mechanism": "laplace"}
NARROW = {"family": "uniform", "low": 0, "high": 2.2}
COIN = {"prior": {"family": "discrete", "points": [0, 1]}, "truth": 0, "precision": 0.5, "effect": 1}
GAUSSIAN_TABLES = [
    {"name": name, "statistic": "count", "sensitivity": size, "share": 0.5} for name, size in (("a", 1), ("b", 3))
]


def solve(requirement: dict[str, Any], epsilon: float | None = None, **release: Any) -> RequirementResult:
    answer = assess(decided(requirement, epsilon=epsilon, **release)).answers[0]
    for language in ("en", "de"):
        with speaking(language):
            assert assessments.why(answer.why)
    return answer


def before_all(epsilon: float, neighbours: str = "replace") -> dict[str, Any]:
    return {"priors_from": "before_all", "spent": [{"record": "A", "epsilon": epsilon, "neighbours": neighbours}]}


def guess(prior: dict[str, Any], truth: float, advantage: float, **rest: Any) -> dict[str, Any]:
    attribute = {"prior": prior, "truth": truth, "precision": 1, "effect": 1}
    return {"kind": "guessing_advantage", "attributes": [attribute], "advantage": advantage, **rest}


def allowed(answer: RequirementResult) -> float:
    assert answer.status == "allowed", answer
    assert answer.epsilon is not None
    return answer.epsilon


# ------------------------------------------------------------------------------- tables and their factors


def loss_of_a_change(epsilon: float) -> float:
    """The largest log ratio of a count (who is a case) and a histogram (two bins) when one person turns from a case to
    no case."""
    count, bins = 1 / (0.1 * epsilon), 1 / (0.9 * epsilon)
    one, other = (np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))  # the count, the first bin, the second
    scales = np.array([count, bins, bins])
    far = 40.0  # outputs far beyond all truths tell most
    return max(
        float(np.sum((np.abs(np.array(z) - other) - np.abs(np.array(z) - one)) / scales))
        for z in itertools.product((-far, 0.0, 0.5, 1.0, far), repeat=3)
    )


def test_a_count_and_a_histogram_lose_1_9_epsilon_for_a_change_of_value() -> None:
    assert loss_of_a_change(1.0) == pytest.approx(1.9)
    for requirement in (CLASSES, NAMED, VALUE):
        epsilon = allowed(solve(requirement, **TABLES))
        assert epsilon == pytest.approx(LOG3 / 2)
        assert loss_of_a_change(epsilon) <= LOG3
    assert loss_of_a_change(LOG3 / 1.5) > LOG3  # by the figures of the release as a whole


# ------------------------------------------------------------------------------- naming one record, the log score


def test_what_is_spent_is_taken_off_before_a_small_difference_is_scaled_up() -> None:
    near = {**NAMED, "range": 10, "difference": 1}
    released = {
        "statistic": "sum",
        "neighbours": "replace",
        "sensitivity": 10,
        "mechanism": "laplace",
        **before_all(0.2),
    }
    epsilon = allowed(solve(near, **released))
    assert epsilon == pytest.approx(10 * (LOG3 - 0.2))
    posterior = 1 / (1 + 3 * math.exp(-epsilon / 10 - 0.2))
    assert posterior <= 0.5
    assert solve(near, epsilon=epsilon, **released).at_epsilon["posterior"] == pytest.approx(posterior)
    assert 1 / (1 + 3 * math.exp(-(10 * LOG3 - 0.2) / 10 - 0.2)) > 0.54  # taken off afterwards


# ------------------------------------------------------------------------------- guesses


def test_a_count_that_reads_a_value_by_a_threshold_keeps_the_advantage_too() -> None:
    released = {"mechanism": "laplace", "neighbours": "replace", "sensitivity": 1}
    epsilon = allowed(solve(guess(NARROW, 1.1, 0.03), **released))
    odds = 2.0 / 0.2  # of a value from 0.1 to 2.1, which is just what is counted

    def reached(loss: float) -> float:
        return odds * math.exp(loss) / (1 + odds * math.exp(loss)) - 2 / 2.2

    assert reached(epsilon) <= 0.03 + 1e-12
    before = guessing_oracle.exact(NARROW, 1.1, 1, 0.7456, "rise") - 2 / 2.2
    assert before == pytest.approx(0.03, abs=1e-4)  # what a sum would allow
    assert reached(0.7456) > 0.04


def after_both(prior: dict[str, float], truth: float, slope: float, earlier: float, way: str) -> float:
    """The chance of a right guess (within 1) after a Laplace sum of SLOPE per unit and an earlier answer to "is it
    within 1?"."""
    xs = np.linspace(prior["low"], prior["high"], 200_001)
    right = np.abs(xs - truth) <= 1 + 1e-9
    found = []
    for output in np.linspace(prior["low"], prior["high"], 45):
        weight = np.exp(-slope * np.abs(xs - output)) if way == "rise" else np.exp(slope * np.abs(xs - output))
        seen = np.where(right, math.exp(earlier), 1.0) if way == "rise" else np.where(right, 1.0, math.exp(earlier))
        found.append(float((weight * seen)[right].sum() / (weight * seen).sum()))
    return max(found) if way == "rise" else min(found)


@pytest.mark.parametrize(
    ("way", "advantage", "earlier"), [("rise", 0.03, 0.2), ("drop", 0.03, 0.02), ("drop", 0.1, 0.3)]
)
def test_an_earlier_count_at_the_edge_of_a_right_guess_is_counted_whole(
    way: str, advantage: float, earlier: float
) -> None:
    asked = guess(NARROW, 1.1, advantage, direction=way)
    epsilon = allowed(solve(asked, **SUM, **before_all(earlier)))
    before = 2 / 2.2
    assert abs(after_both(NARROW, 1.1, epsilon / 10, earlier, way) - before) <= advantage + 1e-4
    if way == "rise":  # taken off the epsilon per precision alone, a loss that is paid at any distance is not covered
        alone = allowed(solve(asked, **SUM))
        assert after_both(NARROW, 1.1, alone / 10 - earlier, earlier, way) - before > advantage + 1e-3


@pytest.mark.parametrize("combine", ["and", "or"])
def test_an_earlier_answer_about_several_values_at_once_is_counted_whole(combine: str) -> None:
    asked = {"kind": "guessing_advantage", "attributes": [COIN, COIN], "combine": combine, "advantage": 0.05}
    epsilon = allowed(solve(asked, **{**SUM, "sensitivity": 2}, **before_all(0.05)))
    worlds = np.array(list(itertools.product((0, 1), repeat=2)))
    right = (worlds == 0).all(axis=1) if combine == "and" else (worlds == 0).any(axis=1)
    after = []
    for output in np.linspace(-1, 3, 81):
        weight = np.exp(-epsilon / 2 * np.abs(worlds.sum(axis=1) - output)) * np.where(right, math.exp(0.05), 1.0)
        after.append(weight[right].sum() / weight.sum())
    assert max(after) - right.mean() <= 0.05 + 1e-12


def test_a_worst_victim_leaves_room_for_what_was_spent() -> None:
    points = {"family": "discrete", "points": [0, 1, 2, 4, 5, 7, 9]}
    asked = guess(points, 0, 0.1)
    asked["attributes"][0]["truth"] = "worst"
    alone, epsilon = (allowed(solve(asked, **SUM, **more)) for more in ({}, before_all(0.02)))
    assert 0 < epsilon <= alone - 0.2 + 1e-9
    xs = np.array(points["points"], dtype=float)
    for truth in xs:
        right = np.abs(xs - truth) <= 1
        for output in np.linspace(0, 9, 91):
            weight = np.exp(-epsilon / 10 * np.abs(xs - output)) * np.where(right, math.exp(0.02), 1.0)
            assert weight[right].sum() / weight.sum() - right.mean() <= 0.1 + 1e-12


# ------------------------------------------------------------------------------- earlier releases


def test_money_does_not_forget_an_earlier_release_that_nothing_converts() -> None:
    money = {"kind": "compensation", "people": 10, "cost": 100, "money": 1000 * math.exp(-2)}  # 1/2
    assert allowed(solve(money, **before_all(0.2, "add_remove"))) == pytest.approx(0.3)
    assert solve(money, **before_all(0.2)).status == "not_applicable"


# ------------------------------------------------------------------------------- Gaussian tables


@pytest.mark.parametrize("epsilon", [1e-3, 4e-3, 1.0])
def test_gaussian_tables_together_keep_the_release_s_epsilon_and_delta(epsilon: float) -> None:
    delta = 1e-3
    raw = {
        "statistic": "vector",
        "neighbours": "add_remove",
        "mechanism": "gaussian",
        "delta": delta,
        "parts": GAUSSIAN_TABLES,
    }
    decision = read_decision(
        {"format": FORMAT, "release": {**raw, "repetitions": 3}, "requirements": [], "epsilon": epsilon}
    )
    rows = implementation(decision.release, epsilon)
    together = math.sqrt(sum((row["sensitivity"] / row["scale"]) ** 2 for row in rows))
    assert float(noise_oracle.gaussian_hockey_stick(together, epsilon)) <= delta
    assert float(noise_oracle.gaussian_hockey_stick(together * (1 + 1e-9), epsilon)) > delta * (1 - 1e-9)
    assert [row["delta"] for row in rows] == [delta] * 2
    for row in rows:
        moved = row["sensitivity"] / row["scale"]
        assert float(noise_oracle.gaussian_hockey_stick(moved, row["epsilon"])) <= delta
        assert row["rho"] == pytest.approx(moved**2 / 2)
    assert accounting(decision)["delta_in_all"] == pytest.approx(3 * delta)  # of one repetition: all tables once
    code = release_code(make(decision, STATED, name="r"))
    assert all(f"> {row['rho']!r}:" in code for row in rows)


# ------------------------------------------------------------------------------- grounds


def test_someone_who_hardly_believes_it_gains_most_where_replacing_tells_less_than_adding() -> None:
    asked = {"kind": "relative_risk", "adversary": "both", "p": [0.346, 0.408], "q": [0, 0.611]}
    asked["profile"] = {"shape": "constant", "ratio": 4.207}
    released = {"statistic": "sum", "sensitivity": 7.1, "sensitivity_other": 2.6, "mechanism": "laplace"}
    at = solve(asked, epsilon=0.052, **released).at_epsilon["ratio"]
    x = math.exp(-0.052)
    assert at >= 1 / (0.346 * x ** (2.6 / 7.1) + 0.654 * x)  # the least belief in presence, q towards 0
