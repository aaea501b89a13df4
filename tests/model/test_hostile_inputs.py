"""A contract for every function by name: whatever it is given, a number or an error in words comes out, in bounded
time."""

from __future__ import annotations

import inspect
import json
import math
import random
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.values import plain
from dpwizard.privacy.compute import MODULES, answer, functions

ODD = (
    *(0, -0.0, 1, -1, 0.5, 1e-300, 5e-324, 1e300, 1e308, -1e308, 10**400, 2**63, True, None),
    *("", "inf", "-inf", "nan", "x", [], [1], {}, math.nan, math.inf, -math.inf, [0, 1], [1, 0], [math.nan, 1]),
    *(0.1 + 0.2, 1 - 1e-16, 1 + 1e-16, 1e-16, 3.0, 2.5, 1e6, 1e15),
)

WIDE = (1e-12, 1e-6, 0.999999, 30.0, 700.0, 1e4)

UNIFORM = {"family": "uniform", "low": 0, "high": 10}
ATTRIBUTES = [
    {"prior": UNIFORM, "truth": 5, "precision": 1, "effect": 1},
    {"prior": {"family": "normal", "mean": 0, "sd": 1}, "truth": 0, "precision": 1, "effect": 1},
]
LAPLACE = {"kind": "laplace", "scale": 1, "sensitivity": 1}
ORDINARY: dict[str, Any] = {
    "p": 0.1,
    "q": 0.5,
    "ratio": 3,
    "epsilon": 1.0,
    "replace_factor": 2,
    "profile": {"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3},
    "adversaries": [{"profile": {"shape": "constant", "ratio": 3}, "p": [0, 1], "q": 1}],
    "population": 4,
    "posterior": 0.5,
    "range": 1,
    "difference": 1,
    "posterior_without": 0.3,
    "posterior_with": 0.5,
    "mechanism": "laplace",
    "sensitivity": 1,
    "level": 0.9,
    "half_width": 2,
    "x": 0.5,
    "threshold_count": 24,
    "true_count": 25,
    "target": 6.0,
    "per": 1000,
    "records": 4012,
    "deviation": 0.25,
    "probability": 0.1,
    "steps": 1,
    "at_most": 0.3,
    "at_least": 0.3,
    "side": "worst",
    "delta": 1e-5,
    "epsilon0": 0.5,
    "dimension": 2,
    "confidence": 0.4,
    "confidence2": 0.9,
    "confidence3": 0.5,
    "eta": 1.0,
    "rho": 0.01,
    "samples": 15000,
    "tolerance": 0.9,
    "pairs": [[[1, 2], [2, 2]], [[0, 0], [1, 1]]],
    "cost": 1000,
    "rate": 1,
    "floor": 0,
    "budget": 500,
    "money": 500,
    "people": 3,
    "model": "plain",
    "levels": [0.1, 0.2],
    "rank": 5,
    "mu": 1.0,
    "releases": 10,
    "sigma": 2.0,
    "confidences": [0.5, 0.5],
    "prior": UNIFORM,
    "truth": 5,
    "precision": 1,
    "advantage": 0.1,
    "bound": "exact",
    "direction": "rise",
    "output": 4.0,
    "attributes": ATTRIBUTES,
    "combine": "and",
    "mechanism1": LAPLACE,
    "mechanism2": LAPLACE,
    "prior_mass": 0.1,
    "kappa": 0.5,
    "loss": 1.0,
    "values": [0, 1, 2],
    "mechanism_kind": "laplace",
    "mean": [0, 0],
    "covariance": [[1, 0.2], [0.2, 1]],
    "data": [0.3, -0.3],
    "matrix": [[1, 1]],
    "noise": [[0.1]],
    "index": 0,
    "a": 1.0,
    "z": 0.5,
    "correlation": 0.5,
    "noise_ratio": 0.2,
    "prior_sd": 1.0,
    "r1": 1.0,
    "r2": 2.0,
    "n": 10,
    "length": 1.0,
    "distance": 2.0,
    "margin": 0.5,
    "priors": [{"points": [0, 1]}, {"points": [0, 1]}],
    "score": "log",
    "epsilons": [0.1, 1.0],
    "fraction": 0.1,
    "of": 100,
    "numbers": 12,
    "share": 0.9,
    "true_value": 45,
    "threshold": 40,
    "slices": 12,
    "cells": 3,
}
TERMS = [{"mechanism": "geometric", "epsilon": 1, "cells": 2}]
NODES = [{"name": "r", "sd": 2}, {"name": "a", "parent": "r", "sd": 1}, {"name": "b", "parent": "r", "sd": 1.5}]
CURVE = {"kind": "gaussian", "mu": 1}
TABLES = [{"sensitivity": 1, "rmse": 5}]
BY_RHO = ("all_within", "drop_rate", "relative_error", "share_within", "spurious_rate")
SPECIAL: dict[str, dict[str, Any]] = {
    **{f"accuracy.rho_for_{name}": {"mechanism": "gaussian"} for name in BY_RHO},
    "gaussian_risk.false_alarm": {"mechanism": CURVE, "hit": 0.1},
    "gaussian_risk.risk": {"mechanism": CURVE, "tolerance": 0.01},
    "gaussian_risk.exceedance": {"mechanism": CURVE},
    "gaussian_risk.two_worlds": {"mechanism": CURVE, "chance_without": 0.1},
    "gaussian_risk.two_worlds_mu": {"chance_without": 0.1, "chance_with": 0.2},
    "gaussian_risk.success_bound": {"mechanism": CURVE, "baseline": 0.1},
    "gaussian_risk.accusation": {"prior": 0.1},
    "gaussian_risk.best_success": {"prior": 0.1},
    "gaussian_risk.informed_mu_at": {"tolerance": 0.01},
    "guessing_advantage.expected": {"noise": 1.0},
    "guessing_advantage.noise_for_expected": {"gain": 0.1},
    "programme.need": {"tables": TABLES, "mechanism": "gaussian"},
    "programme.fair_factor": {"need": 2, "cap": 1},
    "programme.fair_factor_geometric": {"tables": TABLES, "cap": 1},
    "programme.requirement_factor": {"mu_value": 2.0, "tolerance": 0.01},
    "programme.share": {"weights": [1, 2], "sensitivities": [1, 1], "total": 1, "mechanism": "gaussian"},
    "programme.total": {"parts": [{"sensitivity": 1, "sd": 2}], "at_most": 1},
    "programme.ledger": {"records": [], "population": "city", "unit": "person"},
    "accounting.read": {"releases": [{"noise": "laplace", "epsilon": 1.0}], "read": "advantage", "at": None},
    "accounting.largest": {"releases": [{"noise": "geometric"}], "read": "tpr", "at": 0.1, "limit": 0.2},
    "accuracy.sum_within": {"terms": TERMS},
    "accuracy.sum_beyond": {"terms": TERMS},
    "accuracy.rho_for_sum_within": {"mechanism": "discrete_gaussian"},
    "accuracy.epsilon_for_sum_within": {"mechanism": "geometric"},
    "programme.adding_up": {"nodes": NODES},
    "programme.within_after": {"nodes": NODES, "node": "a", "mechanism": "geometric", "sd": "true"},
    "programme.least_rho": {
        "nodes": [{"name": "r", "table": "t"}, {"name": "a", "parent": "r", "table": "t"}],
        "tables": [{"name": "t"}],
        "needs": [{"table": "t", "rmse": 2}],
    },
    "programme.adding_up_grid": {"chains": [[2]], "sd": [1, 2]},
    "programme.least_rho_grid": {"chains": [[2]], "rmse": [1, None]},
    "programme.adding_up_margins": {"sizes": {"a": 2}, "margins": [{"reads": ["a"], "sd": 1}, {"reads": [], "sd": 2}]},
    "programme.history": {
        "tables": [{"first": 0, "last": 1, "amount": 0.1}],
        "at_most": 1,
        "rule": "rolling",
        "within": 2,
    },
    "composition.tight": {"levels": [[0.1, 10]]},
    "composition.tight_delta": {"levels": [[0.1, 10]]},
    "composition.curve": {"releases": [1, 10]},
    "guessing_advantage.worst_class": {"prior": {"a": 1, "b": 2}},
    "persuasive_privacy.log_score_hold": {"mechanism": LAPLACE, "prior": [0.2, 0.3, 0.5], "truth": 1},
    "persuasive_privacy.hold_probability": {"mechanism": LAPLACE},
    "persuasive_privacy.probabilistic_delta": {"mechanism": LAPLACE},
    "persuasive_privacy.approximate_delta": {"mechanism": LAPLACE},
    "persuasive_privacy.interval_loss": {"noise": 1.0},
    "persuasive_privacy.discrete_sum_gain": {"data": [0, 1]},
}
NAMES = [
    f"{module}.{name}" for module in MODULES for name in functions(module) if name != "sampled_sensitivity_from_csv"
]
LEFT_OUT = {  # of two ways to say the same, give one
    **{name: ("delta",) for name in NAMES if name.startswith("accuracy.epsilon_for_")},
    "guessing_advantage.worst_class": ("advantage",),
    "guessing_advantage.worst_prior": ("advantage",),
    "privacy_at_risk.confidence": ("mu",),
    "privacy_at_risk.risk": ("mu",),
    "privacy_at_risk.delta": ("mu",),
    "privacy_at_risk.expected_compensation": ("mu",),
    "persuasive_privacy.exact_mean_promise": ("mean", "covariance"),
    "accounting.person_loss": ("rho",),
    "accuracy.relative_error": ("rho",),
    "accuracy.all_within": ("rho",),
    "accuracy.share_within": ("rho",),
    "accuracy.drop_rate": ("rho",),
    "accuracy.spurious_rate": ("rho",),
    "accuracy.noise": ("delta",),
    "accuracy.noise_cdf": ("delta",),
    "accuracy.noise_interval": ("delta",),
}
DEAR = {  # a tenth of a second and more for some calls
    "accuracy.rho_for_sum_within",
    *(f"guessing_advantage.{name}" for name in ("combined_epsilon", "epsilon_for", "worst_epsilon", "worst_truth")),
}
CHANCES = {
    "accuracy": "all_within drop_rate noise_cdf share_within spurious_rate sum_beyond sum_within switch_probability",
    "composition": "optimal_delta",
    "gaussian_risk": "advantage best_success false_alarm success_bound two_worlds",
    "guessing_advantage": "categorical_posterior combined_posterior combined_prior laplace_posterior posterior "
    "prior_probability simplified_posterior",
    "persuasive_privacy": "approximate_delta compose dawid_sebastiani_hold hold_probability interval_loss "
    "log_score_hold multiple_correlation probabilistic_delta",
    "privacy_at_risk": "confidence coverage_confidence delta published_confidence risk vector_confidence vector_delta",
}
CHANCES_BY_NAME = {f"{module}.{name}" for module, names in CHANCES.items() for name in names.split()}
MAY_BE_NEGATIVE = {  # gains, and what a paper prints
    "persuasive_privacy.linear_gain",
    "persuasive_privacy.log_score_gain",
    "privacy_at_risk.published_confidence_sampled",
    "privacy_at_risk.published_tolerance",
}


def ordinary(name: str) -> dict[str, Any]:
    module, function = name.split(".")
    parameters = inspect.signature(functions(module)[function]).parameters
    given = {**ORDINARY, **SPECIAL.get(name, {})}
    needed = {argument for argument, parameter in parameters.items() if parameter.default is inspect.Parameter.empty}
    return {a: given[a] for a in parameters if a not in LEFT_OUT.get(name, ()) and (a in given or a in needed)}


def call(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    found = answer(json.dumps({"id": 1, "fn": name, "args": arguments}))
    json_text.line(plain(found))  # it can be written, and holds no NaN
    if not found["ok"]:
        assert found["error"]["hint"], f"{name} gives no remedy for {arguments}"
        assert found["error"]["where"].startswith("$")
    elif isinstance(found["value"], float):
        assert found["value"] >= 0 or name in MAY_BE_NEGATIVE, arguments
        assert found["value"] <= 1 or name not in CHANCES_BY_NAME, arguments
    return found


@pytest.mark.parametrize("name", NAMES)
def test_every_argument_may_be_odd_and_only_words_come_out(name: str) -> None:
    usual = ordinary(name)
    assert call(name, usual)["ok"]
    for place, argument in enumerate(usual):
        for odd in ODD[place % 3 :: 6 if name in DEAR else 3]:
            call(name, {**usual, argument: odd})
        call(name, {other: value for other, value in usual.items() if other != argument})
    assert not call(name, {**usual, "surprise": 1})["ok"]


@pytest.mark.parametrize("name", NAMES)
def test_several_odd_arguments_at_once_bring_no_crash(name: str) -> None:
    chance = random.Random(name)
    usual = ordinary(name)
    for _ in range(6):
        mixed = {
            argument: chance.choice((value, chance.choice(ODD), chance.choice(WIDE)))
            for argument, value in usual.items()
        }
        call(name, mixed)
