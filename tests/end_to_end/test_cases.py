"""Every function by name against values worked out by other means: tests/oracles/cases/cases.jsonl, one case a line."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from dpwizard.privacy.compute import MODULES, answer, functions

FILE = Path(__file__).parents[1] / "oracles" / "cases" / "cases.jsonl"
NAMES = json.loads((FILE.parents[1] / "function_names.json").read_text("utf-8"))
CASES = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
ABSENT = object()
PLACE = 1e-5  # how near a minimiser must be: a flat valley says no more
SEARCHED = {  # relative: functions found by a search, on their safe side (docs/methods/guessing_advantage.md)
    "guessing_advantage.posterior": 1e-3,
    "guessing_advantage.laplace_posterior": 1e-6,
    "guessing_advantage.epsilon_for": 1e-3,
    "guessing_advantage.worst_truth": 1e-3,
    "guessing_advantage.worst_epsilon": 1e-3,
    "guessing_advantage.combined_posterior": 1e-3,
    "guessing_advantage.combined_epsilon": 4e-3,
    "guessing_advantage.noise_for_expected": 1e-6,
}
ON_A_LATTICE = {"privacy_at_risk.vector_delta": 1e-4, "privacy_at_risk.vector_confidence": 1e-4}  # absolute
SURFACE = 2e-3  # relative: a free surface (docs/methods/relative_risk.md)
WIDTH = 1e-4  # how far apart two bounds on a value may be, relative above 1
BEYOND = (1e-12, 2e-14)  # how far, absolute and relative, a limit may stand on its unsafe side: the last bits


def found_at(value: Any, field: str) -> Any:
    """Return one field of an answer, "" for the answer itself (of an object: its epsilon)."""
    if field == "":
        return value.get("epsilon", ABSENT) if isinstance(value, Mapping) else value
    return value.get(field, ABSENT) if isinstance(value, Mapping) else ABSENT


def refusal(reply: Mapping[str, Any]) -> str | None:
    """Return what is wrong with an answer that had to be a refusal: an error with a remedy, or "infeasible"."""
    if reply["ok"]:
        value = reply["value"]
        return None if isinstance(value, Mapping) and value.get("status") == "infeasible" else f"is answered by {value}"
    error = reply["error"]
    return None if error["hint"] and error["where"] and error["message"] else f"is refused without a remedy: {error}"


def enclosure(case: Mapping[str, Any], value: Any) -> str | None:
    """Return what is wrong with two bounds that had to enclose a value, closely."""
    low_field, high_field, wanted = case["bracket"]
    low, high = found_at(value, low_field), found_at(value, high_field)
    if not (isinstance(low, float) and isinstance(high, float)):
        return f"has no bounds: {value}"
    slack = 1e-9 * max(1.0, abs(wanted))
    if low > wanted + slack or high < wanted - slack:
        return f"[{low}, {high}] does not enclose {wanted}"
    width = WIDTH * max(1.0, abs(wanted))
    return None if high - low <= width else f"[{low}, {high}] is wider than {width}"


def number(case: Mapping[str, Any], field: str, got: Any, wanted: float) -> str | None:
    """Return what is wrong with one number."""
    if isinstance(got, bool) or not isinstance(got, int | float) or not math.isfinite(got):
        return f"{field}: {got!r} is no number; wanted {wanted}"
    off = got - wanted
    on_surface = case.get("args", {}).get("profile", {}).get("shape") == "knots2d"
    relative = max(case.get("rel", 1e-9), SEARCHED.get(case["fn"], 0.0), SURFACE if on_surface else 0.0)
    absolute = max(case.get("abs", 1e-12), ON_A_LATTICE.get(case["fn"], 0.0))
    allowed = PLACE if field.endswith("~") else absolute + relative * abs(wanted)
    if (case.get("atmost") and off <= allowed) or (case.get("atleast") and off >= -allowed):
        return None
    if abs(off) > allowed:
        return f"{field}: {got} is {off:.3g} off {wanted}"
    past = BEYOND[0] + BEYOND[1] * abs(wanted)
    unsafe = {"low": off > past, "high": off < -past}.get(case.get("safe", ""), False) and field in ("", "epsilon")
    return f"{field}: {got} is on the unsafe side of {wanted}" if unsafe else None


def fault(case: Mapping[str, Any]) -> str | None:
    """Return why a case does not hold, None if it does."""
    reply = answer(json.dumps({"id": case["id"], "fn": case["fn"], "args": case["args"]}))
    if None in case["expect"].values():
        return refusal(reply)
    if not reply["ok"]:
        return f"is not accepted: {reply['error']}"
    if "bracket" in case:
        return enclosure(case, reply["value"])
    for field, wanted in case["expect"].items():
        got = found_at(reply["value"], field.rstrip("~"))
        if wanted == "inf":
            problem = None if got is None else f"{field}: {got} should be unbounded"
        elif isinstance(wanted, bool | str):
            problem = None if got == wanted else f"{field}: {got!r} should be {wanted!r}"
        else:
            problem = number(case, field, got, wanted)
        if problem:
            return problem
    return None


@pytest.mark.parametrize("name", sorted({case["fn"] for case in CASES}))
def test_a_function_gives_what_other_means_give(name: str) -> None:
    faults = {case["id"]: fault(case) for case in CASES if case["fn"] == name}
    wrong = [f"{key} {next(c for c in CASES if c['id'] == key)['args']}: {why}" for key, why in faults.items() if why]
    assert not wrong, f"{len(wrong)} of {len(faults)} fail; the first: {wrong[:5]}"


def test_every_fixed_name_has_cases() -> None:
    fixed = {f"{module}.{name}" for module, names in NAMES.items() for name in names}
    assert fixed == {case["fn"] for case in CASES}
    assert set(NAMES) == set(MODULES)
    assert all(set(names) <= set(functions(module)) for module, names in NAMES.items())


def test_the_judge_rejects_what_is_wrong() -> None:
    case = {"id": 1, "fn": "relative_risk.epsilon_at", "args": {"p": 0.5, "q": 1, "ratio": 1.5}, "safe": "low"}
    right = 1.0986122886681098
    assert fault({**case, "expect": {"": right}}) is None
    assert "off" in (fault({**case, "expect": {"": right * (1 + 1e-8)}}) or "")
    assert "unsafe" in (fault({**case, "expect": {"": right * (1 - 1e-11)}}) or "")
    assert "unbounded" in (fault({**case, "expect": {"": "inf"}}) or "")
    assert "answered" in (fault({**case, "expect": {"": None}}) or "")
