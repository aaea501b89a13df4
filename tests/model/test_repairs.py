"""Ways out of a conflict: each need in it can ask for less, no less than it has to, and then the range is open."""

from __future__ import annotations

from typing import Any

import pytest

from dpwizard.decision import assess, edits
from dpwizard.questions.repairs import repairs
from tests.samples.decisions import decided

NEEDS: dict[str, dict[str, Any]] = {
    "rmse": {"at_most": 1.0},
    "noise_interval": {"half_width": 3, "level": 0.95},
    "exact_probability": {"at_least": 0.6},
    "switch_probability": {"at_most": 0.1, "steps": 2},
    "relative_error": {"fraction": 0.1, "of": 20, "at_most": 0.05},
    "margin_of_error": {"half_width": 2, "z": 1.645},
    "all_within": {"half_width": 5, "level": 0.95, "numbers": 9},
}


@pytest.mark.parametrize("kind", NEEDS)
def test_a_need_in_a_conflict_can_ask_for_less(kind: str) -> None:
    decision = decided({"kind": "budget", "total": 0.5}, {"kind": kind, **NEEDS[kind]})
    wider, nothing = repairs(decision, assess(decision))
    changed = wider.make(decision)
    assert (assess(changed).window.empty, assess(changed).window.upper) == (False, 0.5)
    assert (repairs(changed, assess(changed)), wider.price[:11]) == ((), "instead of ")
    assert nothing.make(decision).outcome == "reject"
    bound = decision.requirements[1].width or decision.requirements[1].bound
    before, after = (getattr(one.requirements[1], bound) for one in (decision, changed))
    stricter = after - 1 if kind in ("noise_interval", "all_within") else after + 0.01 * (before - after)
    assert assess(edits.put(changed, f"$.requirements[1].{bound}", stricter)).window.empty
