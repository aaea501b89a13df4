"""Needs of accuracy in people's words: each is met at its limit, not below it, and by simulated noise, too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpwizard.decision import Assessment, assess, read_decision

NEEDS: dict[str, dict[str, Any]] = {
    "relative_error": {"fraction": 0.1, "of": 50, "at_most": 0.1},
    "all_within": {"half_width": 8, "level": 0.9},
    "share_within": {"half_width": 5, "share": 0.9, "level": 0.95},
    "drop_rate": {"true_value": 20, "threshold": 10, "at_most": 0.05},
    "spurious_rate": {"threshold": 10, "at_most": 0.01},
    "margin_of_error": {"half_width": 11, "z": 1.96},
}
COUNTS: dict[str, Any] = {
    "statistic": "histogram",
    "dimension": 40,
    "sensitivity": 1,
    "neighbours": "add_remove",
    "unit": "person",
    "delta": 1e-6,
}


def answered(kind: str, mechanism: str, epsilon: float | None = None) -> Assessment:
    release = {**COUNTS, "mechanism": mechanism}
    if mechanism in ("geometric", "laplace"):
        del release["delta"]
    asked = {"format": "dpwizard.decision/1", "release": release, "requirements": [{"kind": kind, **NEEDS[kind]}]}
    return assess(read_decision(asked if epsilon is None else {**asked, "epsilon": epsilon}))


@pytest.mark.parametrize("kind", NEEDS)
def test_simulated_laplace_noise_keeps_what_is_said(kind: str) -> None:
    limit = answered(kind, "laplace").answers[0].epsilon
    assert limit is not None
    tables = np.random.default_rng(20_261_123).laplace(0.0, 1.0 / limit, (20_000, 40))
    need = NEEDS[kind]
    if kind == "all_within":
        assert (np.abs(tables) <= 8).all(axis=1).mean() == pytest.approx(need["level"], abs=0.01)
    elif kind == "share_within":
        assert ((np.abs(tables) <= 5).sum(axis=1) >= 36).mean() == pytest.approx(need["level"], abs=0.01)
    elif kind == "margin_of_error":
        assert tables.std() == pytest.approx(11 / 1.96, rel=0.01)
    else:
        wrong = {
            "relative_error": np.abs(tables) > 5,
            "drop_rate": 20 + tables < 10,
            "spurious_rate": tables >= 10,
        }[kind]
        assert wrong.mean() == pytest.approx(need["at_most"], rel=0.05)


def test_a_table_of_more_numbers_needs_more_for_all_of_them_at_once() -> None:
    forty = answered("all_within", "laplace").answers[0].epsilon
    one = -math.log(1 - 0.9) / 8  # of a single number: e^(-8 epsilon) <= 1 - 0.9
    every = -math.log(1 - 0.9 ** (1 / 40)) / 8
    assert forty is not None
    assert one < forty == pytest.approx(every, rel=1e-11)


def test_a_true_number_below_its_threshold_is_kept_back_by_accuracy() -> None:
    release = {**COUNTS, "mechanism": "geometric"}
    del release["delta"]
    asked = {"kind": "drop_rate", "true_value": 5, "threshold": 10, "at_most": 0.1}
    made = {"format": "dpwizard.decision/1", "release": release, "requirements": [asked]}
    answer = assess(read_decision(made)).answers[0]
    assert answer.status == "infeasible"
    assert "threshold" in str(answer.why.values["reason"])
