"""Every kind of release and of requirement that bounds epsilon, and how the figures drawn of them are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpwizard.charts import Chart, Figure, Line
from dpwizard.decision import BaseRequirement, Decision, RequirementResult, assess
from tests.samples import decisions
from tests.samples.decisions import COUNT

EARLIER = {"priors_from": "before_all", "spent": [{"epsilon": 0.2, "neighbours": "add_remove"}]}
LITTLE = {"priors_from": "before_all", "spent": [{"epsilon": 0.01, "neighbours": "add_remove"}]}
TABLES = [
    {"name": "counts", "statistic": "count", "sensitivity": 1, "share": 0.1},
    {"name": "ages", "statistic": "histogram", "sensitivity": 1, "share": 0.9, "dimension": 5},
]
RELEASES: dict[str, dict[str, Any]] = {
    "one count": COUNT | {"sensitivity_other": 1},
    "a count, the other sensitivity not known": COUNT,
    "four repetitions": COUNT | {"sensitivity_other": 1, "repetitions": 4},
    "spent before": COUNT | {"sensitivity_other": 1} | EARLIER,
    "spent before, four repetitions": COUNT | {"sensitivity_other": 1, "repetitions": 4} | EARLIER,
    "replacing declared": COUNT
    | {"neighbours": "replace", "sensitivity": 2, "sensitivity_other": 1, "statistic": "histogram"},
    "replacing alone": COUNT | {"neighbours": "replace"},
    "a histogram": COUNT | {"statistic": "histogram", "sensitivity_other": 2, "dimension": 12},
    "Laplace noise": COUNT | {"mechanism": "laplace", "sensitivity": 2.5, "sensitivity_other": 2.5},
    "three steps of geometric noise": COUNT | {"statistic": "sum", "sensitivity": 3, "sensitivity_other": 3, "step": 1},
    "a sum whose step is not known": COUNT | {"statistic": "sum", "sensitivity": 3},
    "a sum in steps of 5": COUNT | {"statistic": "sum", "sensitivity": 10, "step": 5},
    "a sum, a little spent before": COUNT
    | {"statistic": "sum", "mechanism": "laplace", "sensitivity": 10, "sensitivity_other": 10}
    | LITTLE,
    "two tables": {**COUNT, "parts": TABLES},
    "two tables, spent before, twice": {**COUNT, "parts": TABLES, "repetitions": 2} | EARLIER,
    "Gaussian noise": COUNT | {"mechanism": "gaussian", "delta": 1e-6},
    "two tables with Gaussian noise": {**COUNT, "mechanism": "gaussian", "delta": 1e-6, "parts": TABLES},
    "no noise": COUNT | {"mechanism": "exact"},
}
NORMAL = {"family": "normal", "mean": 40, "sd": 10}
REQUIREMENTS: dict[str, dict[str, Any]] = {
    "value": {
        "kind": "relative_risk",
        "adversary": "attribute",
        "q": [0.001, 0.5],
        "profile": {"shape": "odds", "factor": 3},
    },
    "presence": {
        "kind": "relative_risk",
        "adversary": "inclusion",
        "p": [0.01, 0.9],
        "profile": {"shape": "cap", "posterior": 0.95},
    },
    "both": {
        "kind": "relative_risk",
        "adversary": "both",
        "p": [0.01, 1],
        "q": [0.01, 1],
        "profile": {"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3},
    },
    "guess": {
        "kind": "guessing_advantage",
        "advantage": 0.2,
        "attributes": [{"prior": NORMAL, "truth": 40, "precision": 1, "effect": 1}],
    },
    "guess, rise and drop": {
        "kind": "guessing_advantage",
        "advantage": 0.1,
        "direction": "both",
        "attributes": [{"prior": NORMAL, "truth": 35, "precision": 8, "effect": 0.1}],
    },
    "guess by a threshold": {
        "kind": "guessing_advantage",
        "advantage": 0.2,
        "attributes": [{"prior": NORMAL, "truth": 40, "precision": 1, "effect": 0.02}],
    },
    "category": {
        "kind": "categorical_advantage",
        "prior": [["ill", 0.3], ["well", 0.7]],
        "truth": "ill",
        "advantage": 0.1,
    },
    "risk": {"kind": "privacy_at_risk", "level": 1.5, "confidence": 0.2},
    "gain": {"kind": "persuasive_privacy", "score": "log", "kappa": 1, "prior_mass": 0.1},
    "gain but for a chance": {
        "kind": "persuasive_privacy",
        "score": "log",
        "kappa": 1,
        "prior_mass": 0.1,
        "delta": 0.01,
    },
    "money": {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000},
    "money, expected": {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000, "model": "expected_loss"},
    "budget": {"kind": "budget", "total": 3},
    "budget, optimal": {"kind": "budget", "total": 3, "composition": "optimal", "delta": 1e-5},
    "budget, tight": {"kind": "budget", "total": 3, "composition": "tight", "delta": 1e-5},
}


def decided(
    release: str | dict[str, Any], *requirements: str | dict[str, Any], epsilon: float | None = None
) -> Decision:
    raw = RELEASES[release] if isinstance(release, str) else release
    asked = [REQUIREMENTS[one] if isinstance(one, str) else one for one in requirements]
    return decisions.decided(*asked, epsilon=epsilon, **{**dict.fromkeys(COUNT), **raw})


def answered(decision: Decision, index: int = 0) -> tuple[BaseRequirement, RequirementResult]:
    return decision.requirements[index], assess(decision).answers[index]


def plotted(figure: Figure, index: int = 0) -> Chart:
    plot = figure.plots[index]
    assert isinstance(plot, Chart)
    return plot


def reached(line: Line, level: float) -> float:
    """Return where a rising line reaches LEVEL."""
    return float(np.interp(level, np.maximum.accumulate(line.y), line.x))
