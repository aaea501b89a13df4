"""One sample of each kind of requirement or more, all its questions answered, as a decision file states it."""

from __future__ import annotations

from typing import Any

CAP = {"shape": "cap_or_ratio", "posterior": 0.5, "ratio": 5}
RATIO = {"shape": "constant", "ratio": 3}
ODDS = {"shape": "odds", "factor": 4}
GUESS = {"prior": {"family": "uniform", "low": 0, "high": 10}, "truth": 5, "precision": 1, "effect": 1}

SAMPLES: dict[str, tuple[dict[str, Any], ...]] = {
    "relative_risk": (
        {"adversary": "inclusion", "p": [0, 1], "profile": CAP},
        {"adversary": "attribute", "q": [0, 1], "profile": CAP},
        {"adversary": "both", "p": 0.1, "q": [0.1, 0.6], "profile": CAP},
        {"adversary": "both", "p": [0, 1], "q": [0, 1], "profile": CAP, "statement": "tolerance", "tolerance": 0.001},
        {"adversary": "inclusion", "p": [0, 1], "profile": RATIO, "statement": "tolerance", "tolerance": 0.02},
        {"adversary": "attribute", "q": [0.1, 1], "profile": ODDS, "statement": "tolerance", "tolerance": 0.02},
        {"adversary": "both", "p": [0, 1], "q": [0, 1], "profile": RATIO, "statement": "average"},
        {"adversary": "both", "p": 0.1, "q": 0.2, "profile": CAP, "statement": "average"},
    ),
    "lee_clifton": ({"population": 40, "posterior": 0.5, "range": 2, "difference": 1},),
    "two_worlds": ({"chance_without": 0.1, "chance_with": 0.2},),
    "attack_advantage": ({"advantage": 0.4},),
    "attack_success": ({"baseline": 0.1, "at_most": 0.2},),
    "participation": ({"posterior_without": 0.1, "posterior_with": 0.3},),
    "guessing_advantage": (
        {"attributes": [GUESS], "advantage": 0.1},
        {"attributes": [GUESS], "advantage": 0.1, "statement": "expected"},
    ),
    "categorical_advantage": ({"prior": {"a": 0.2, "b": 0.8}, "truth": "worst", "advantage": 0.1},),
    "privacy_at_risk": ({"level": 0.4, "confidence": 0.9},),
    "persuasive_privacy": (
        {"score": "log", "kappa": 0.5, "delta": 0, "prior_mass": 0.1},
        {"score": "log", "kappa": 0.5, "delta": 0.1, "prior_mass": 0.1},
        {"score": "interval", "kappa": 0.5, "delta": 0.1, "length": 1, "prior_sd": 2, "margin": 0.5},
        {"score": "dawid_sebastiani", "kappa": 0.5, "delta": 0.1, "prior_sd": 2, "r1": 1},
    ),
    "exact_mean": ({"n": 10, "correlation": 0.1, "r1": 1, "kappa": 1},),
    "budget": (
        {"total": 2},
        {"total": 2, "composition": "tight", "delta": 1e-5},
        {"total": 0.3, "composition": "zcdp"},
    ),
    "compensation": ({"people": 3, "cost": 550_000, "money": 1_000_000},),
    "rmse": ({"at_most": 5},),
    "mean_absolute_error": ({"at_most": 5},),
    "noise_interval": ({"half_width": 5, "level": 0.9},),
    "exact_probability": ({"at_least": 0.3},),
    "switch_probability": ({"steps": 3, "at_most": 0.1},),
    "relative_error": ({"fraction": 0.1, "of": 50, "at_most": 0.1},),
    "all_within": ({"half_width": 8, "level": 0.9},),
    "share_within": ({"half_width": 5, "share": 0.9, "level": 0.95},),
    "drop_rate": ({"true_value": 20, "threshold": 10, "at_most": 0.05},),
    "spurious_rate": ({"threshold": 10, "at_most": 0.01},),
    "margin_of_error": ({"half_width": 11, "z": 1.96},),
}


def each() -> list[dict[str, Any]]:
    """Return every sample with its kind."""
    return [{"kind": kind, **sample} for kind, samples in SAMPLES.items() for sample in samples]
