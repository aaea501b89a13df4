"""From a requirement's own terms to the release's epsilon: every row is worked out by hand from what epsilon means in
the format.

An epsilon is the loss of one repetition of the whole release under the declared neighbours. Limits are divided by the
repetitions, converted by the scale of the noise, lowered by what is spent; needs speak of one number of one repetition.
"""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from scipy.optimize import brentq
from scipy.stats import norm

from dpwizard.base import json_text
from dpwizard.decision import Assessment, assess, read_decision
from dpwizard.wording import assessments
from tests.samples.decisions import decided, example

LOG2, LOG3, LOG9 = math.log(2), math.log(3), math.log(9)
HALF = {"shape": "constant", "ratio": 1.5}
PRESENCE = {
    "kind": "relative_risk",
    "adversary": "inclusion",
    "p": [0, 1],
    "q": 1,
    "profile": {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5},
}
VALUE = {
    "kind": "relative_risk",
    "adversary": "attribute",
    "p": 1,
    "q": 0.5,
    "profile": HALF,
}  # odds 1 may become odds 3
BOTH = {"kind": "relative_risk", "adversary": "both", "p": 0.5, "q": 0.5, "profile": HALF}
WOOD = {"kind": "participation", "posterior_without": 0.1, "posterior_with": 0.5}  # 2 epsilon = log 9
NAMED = {"kind": "lee_clifton", "population": 4, "posterior": 0.5}  # log 3
LEVEL = {"kind": "privacy_at_risk", "level": 0.6, "confidence": 0.9}
CLASSES = {
    "kind": "categorical_advantage",
    "prior": {"a": 1, "b": 1},
    "truth": "a",
    "advantage": 0.25,
}  # 1/2 to 3/4: log 3
GUESS = {  # uniform on two precisions' width, guess at the end: closed form below
    "kind": "guessing_advantage",
    "attributes": [
        {
            "prior": {"family": "discrete", "points": [0, 1], "probabilities": [1, 1]},
            "truth": 0,
            "precision": 0.5,
            "effect": 1,
        }
    ],
    "combine": "one",
    "advantage": 0.25,
    "direction": "rise",
    "bound": "exact",
}
LOG_SCORE = {"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "delta": 0.0, "prior_mass": 0.1}
INSIDE = math.log(0.9 / (math.exp(-0.5) - 0.1))  # the loss at which the gain is 1/2
MONEY = {
    "kind": "compensation",
    "people": 10,
    "cost": 100,
    "floor": 0,
    "rate": 1,
    "money": 1000 * math.exp(-2),
    "model": "plain",
}  # 1/2
BUDGET = {"kind": "budget", "total": 2.0, "composition": "basic"}
EARLIER = [{"record": "A", "epsilon": 0.25, "neighbours": "add_remove"}]
EARLIER_REPLACE = [{"record": "A", "epsilon": 0.25, "neighbours": "replace"}]
ALL = {"priors_from": "before_all"}


def solve(requirement: dict[str, Any], **release: Any) -> Assessment:
    found = assess(decided(requirement, **release))
    json.loads(json_text.line(found))
    return found


LIMITS = [
    ("presence, as declared", PRESENCE, {}, LOG9),
    ("presence, three repetitions", PRESENCE, {"repetitions": 3}, LOG9 / 3),
    ("presence, spent does not count", PRESENCE, {"spent": EARLIER}, LOG9),
    ("presence, spent counts before all", PRESENCE, {"spent": EARLIER, **ALL}, LOG9 - 0.25),
    (
        "presence under replace, both known",
        PRESENCE,
        {"neighbours": "replace", "sensitivity": 2, "sensitivity_other": 1},
        2 * LOG9,
    ),
    (
        "presence under replace, a narrow sum",
        PRESENCE,
        {"neighbours": "replace", "sensitivity": 1, "sensitivity_other": 10},
        LOG9 / 10,
    ),
    ("a value, the paper's c = 2", VALUE, {}, LOG3 / 2),
    ("a value, c = 1 known", VALUE, {"sensitivity_other": 1}, LOG3),
    ("a value under replace", VALUE, {"neighbours": "replace"}, LOG3),
    (
        "a value under replace, before all",
        VALUE,
        {"neighbours": "replace", "spent": EARLIER_REPLACE, **ALL},
        LOG3 - 0.25,
    ),
    ("participation", WOOD, {}, LOG9 / 2),
    ("participation, repeated and spent", WOOD, {"repetitions": 2, "spent": EARLIER, **ALL}, (LOG9 / 2 - 0.25) / 2),
    ("naming, replace counts twice", NAMED, {}, LOG3 / 2),
    ("naming, both known", NAMED, {"sensitivity_other": 1}, LOG3),
    ("naming under replace", NAMED, {"neighbours": "replace"}, LOG3),
    ("naming, a range wider than the noise covers", {**NAMED, "range": 3, "difference": 2}, {}, LOG3 / 2),
    ("a level, replace counts twice", LEVEL, {}, 0.3),
    ("a level, both known", LEVEL, {"sensitivity_other": 1}, 0.6),
    ("a level, under replace", LEVEL, {"neighbours": "replace"}, 0.6),
    ("a class, replace counts twice", CLASSES, {}, LOG3 / 2),
    ("a class, both known", CLASSES, {"sensitivity_other": 1, "repetitions": 2}, LOG3 / 2),
    (
        "a class, spent under add-or-remove counts twice",
        CLASSES,
        {"neighbours": "replace", "spent": EARLIER, **ALL},
        LOG3 - 0.5,
    ),
    # two atoms, two precisions apart: odds e^(2 eps) = 3 per precision; release = eps * D_replace/(effect precision),
    # then to the declared
    ("a guess, replace counts twice", GUESS, {"mechanism": "laplace"}, LOG3 / 2 * 2 / 0.5 / 2),
    ("a guess, both known", GUESS, {"mechanism": "laplace", "sensitivity_other": 1}, LOG3 / 2 / 0.5),
    (
        "a guess, a wide sum under replace",
        GUESS,
        {"mechanism": "laplace", "neighbours": "replace", "sensitivity": 8},
        LOG3 / 2 * 8 / 0.5,
    ),
    ("the log score, replace counts twice", LOG_SCORE, {"mechanism": "laplace"}, INSIDE / 2),
    ("the log score, both known", LOG_SCORE, {"mechanism": "laplace", "sensitivity_other": 1}, INSIDE),
    ("a budget", BUDGET, {"repetitions": 4}, 0.5),
    ("a budget always counts what is spent", BUDGET, {"repetitions": 4, "spent": EARLIER}, 1.75 / 4),
    ("a budget under replace counts add-or-remove twice", BUDGET, {"neighbours": "replace", "spent": EARLIER}, 1.5),
    ("money", MONEY, {"neighbours": "replace"}, 0.5),
]


@pytest.mark.parametrize(
    ("requirement", "release", "epsilon"), [row[1:] for row in LIMITS], ids=[row[0] for row in LIMITS]
)
def test_a_limit_becomes_the_release_s_epsilon_on_the_safe_side(
    requirement: dict[str, Any], release: dict[str, Any], epsilon: float
) -> None:
    found = solve(requirement, **release)
    answer = found.answers[0]
    assert answer.status == "allowed", answer
    close = 1e-4 if answer.kind == "guessing_advantage" else 1e-9  # a search on the safe side; a closed form
    assert answer.epsilon == pytest.approx(epsilon, rel=close)
    assert answer.epsilon <= epsilon * (1 + 4e-15)
    assert found.window.upper == answer.epsilon
    assert assessments.window(found)
    assert found.window.lower in (None, 0.0)
    assert found.window.complete


PARTS = [
    {"name": "a", "statistic": "count", "sensitivity": 1, "share": 0.2},
    {"name": "b", "statistic": "sum", "sensitivity": 4, "share": 0.8, "mechanism": "laplace"},
]


def gaussian_need(sd: float, sensitivity: float, delta: float) -> float:
    """The epsilon at which the exact calibration asks for just this sd."""
    mu = sensitivity / sd
    return float(
        brentq(
            lambda e: norm.cdf(mu / 2 - e / mu) - math.exp(e) * norm.cdf(-mu / 2 - e / mu) - delta, 1e-6, 60, xtol=1e-13
        )
    )


GAUSSIAN = {"mechanism": "gaussian", "delta": 1e-6}
SWITCH = {
    "kind": "switch_probability",
    "target": 6.0,
    "per": 1000,
    "records": 4012,
    "deviation": 0.25,
    "side": "above",
    "at_most": 0.1,
}
# below the target: a^2/(1+a) = .1, a = (.1 + sqrt(.01 + .4))/2
BELOW = -math.log((0.1 + math.sqrt(0.41)) / 2)
NEEDS = [
    ("rmse, laplace", {"kind": "rmse", "at_most": 2}, {"mechanism": "laplace", "sensitivity": 3}, math.sqrt(2) * 3 / 2),
    (
        "rmse does not see repetitions",
        {"kind": "rmse", "at_most": 2},
        {"mechanism": "laplace", "repetitions": 9},
        math.sqrt(2) / 2,
    ),
    ("rmse, geometric", {"kind": "rmse", "at_most": 2}, {}, 2 * math.asinh(1 / (2 * math.sqrt(2)))),
    ("absolute error, geometric", {"kind": "mean_absolute_error", "at_most": 0.5}, {}, math.asinh(2)),
    (
        "interval, gaussian",
        {"kind": "noise_interval", "half_width": 5, "level": 0.9},
        GAUSSIAN,
        gaussian_need(5 / norm.ppf(0.95), 1, 1e-6),
    ),
    ("exact with a third", {"kind": "exact_probability", "at_least": 1 / 3}, {}, LOG2),
    ("the first part", {"kind": "exact_probability", "at_least": 1 / 3, "part": "a"}, {"parts": PARTS}, LOG2 / 0.2),
    ("the second part", {"kind": "mean_absolute_error", "at_most": 8, "part": "b"}, {"parts": PARTS}, 4 / 8 / 0.8),
    ("a switch above", SWITCH, {}, LOG9),
    ("a switch below", {**SWITCH, "side": "below"}, {}, BELOW),
    ("a switch, the worse side", {**SWITCH, "side": "worst"}, {}, LOG9),
    ("a switch by steps", {"kind": "switch_probability", "steps": 2, "at_most": 0.1}, {}, BELOW),
]


@pytest.mark.parametrize(
    ("requirement", "release", "epsilon"), [row[1:] for row in NEEDS], ids=[row[0] for row in NEEDS]
)
def test_a_need_speaks_of_one_number_of_one_repetition(
    requirement: dict[str, Any], release: dict[str, Any], epsilon: float
) -> None:
    found = solve(requirement, **release)
    answer = found.answers[0]
    assert answer.status == "allowed", answer
    assert answer.epsilon == pytest.approx(epsilon, rel=1e-9)
    assert answer.epsilon >= epsilon * (1 - 1e-11)
    assert found.window.lower == answer.epsilon
    assert found.window.upper is None


OTHERS = [
    ("presence under replace alone", PRESENCE, {"neighbours": "replace"}, "not_applicable"),
    ("presence and value under replace alone", BOTH, {"neighbours": "replace"}, "not_applicable"),
    ("participation under replace alone", WOOD, {"neighbours": "replace"}, "not_applicable"),
    *(
        (f"{row['kind']} under gaussian noise", row, GAUSSIAN, "not_applicable")
        for row in (PRESENCE, VALUE, WOOD, NAMED, LEVEL, GUESS)
    ),
    ("presence, spent under replace", PRESENCE, {"spent": EARLIER_REPLACE, **ALL}, "not_applicable"),
    ("a budget that is gone", {**BUDGET, "total": 0.2}, {"spent": EARLIER}, "infeasible"),
    ("a profile below 1", {**VALUE, "profile": {"shape": "constant", "ratio": 0.5}}, {}, "infeasible"),
    ("no bound at all", {**VALUE, "profile": {"shape": "constant", "ratio": 9}}, {}, "unbounded"),
    ("money for everything", {**MONEY, "money": 5000}, {}, "unbounded"),
    ("an advantage out of reach", {**CLASSES, "advantage": 0.5}, {}, "unbounded"),
    ("a part that is not named", {"kind": "rmse", "at_most": 1}, {"parts": PARTS}, "unanswered"),
    ("no sensitivity", {"kind": "rmse", "at_most": 1}, {"sensitivity": None}, "unanswered"),
]


@pytest.mark.parametrize(
    ("requirement", "release", "status"), [row[1:] for row in OTHERS], ids=[row[0] for row in OTHERS]
)
def test_what_has_no_epsilon_says_why(requirement: dict[str, Any], release: dict[str, Any], status: str) -> None:
    found = solve(requirement, **release)
    answer = found.answers[0]
    assert answer.status == status
    assert answer.epsilon is None
    assert assessments.why(answer.why)
    assert assessments.window(found)
    assert found.window.complete is (status not in ("not_applicable", "unanswered"))
    assert (list(found.window.conflict) == [0]) is (status == "infeasible")


@pytest.mark.parametrize("processing", [(), ("rounding",)])
def test_processing_after_the_noise_ends_what_a_confidence_above_the_level_adds(processing: tuple[str, ...]) -> None:
    release = {"neighbours": "replace", "mechanism": "laplace", "post_processing": processing}
    at_risk = {"kind": "privacy_at_risk", "level": 0.5, "confidence": 0.1}
    scored = {"kind": "persuasive_privacy", "score": "log", "kappa": 0.7, "delta": 0.1, "prior_mass": 0.01}
    strict = {**scored, "delta": 0}
    first, second, third = assess(decided(at_risk, scored, strict, **release)).answers
    assert first.epsilon is not None
    assert (first.epsilon == pytest.approx(0.5)) == bool(processing)  # a loss below the level stays below it
    assert second.status == ("not_applicable" if processing else "allowed")
    assert third.status == "allowed"


def test_the_promise_of_an_exact_mean_does_not_speak_of_one_that_is_processed() -> None:
    raw = example("bon_exact_mean")
    assert assess(read_decision(raw)).answers[0].status == "allowed"
    raw["release"]["post_processing"] = ["rounding"]
    assert assess(read_decision(raw)).answers[0].status == "not_applicable"
