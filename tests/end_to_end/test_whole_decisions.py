"""Nothing is promised that the data break: whole decisions, held against concrete data sets and actual noise.

The judge (tests/oracles/judge) draws a release as data and noise, writes the decision file that speaks truly of it, has
the program answer as any user would, and works out what each requirement forbids without any formula of the program.
"""

from __future__ import annotations

import copy
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.end_to_end.whole_way import run
from tests.oracles.judge.asking import KINDS, a_case
from tests.oracles.judge.program import solve
from tests.oracles.judge.rows import judged_row, rows
from tests.oracles.judge.run import findings, judge_many, told
from tests.oracles.judge.verdicts import JUDGES, conditions, judged
from tests.oracles.judge.words import OUTSIDE, untrue_of_anybody

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, str(ROOT / "main.py"))
TOGETHER = 50


def found(start: int, count: int = TOGETHER) -> list[str]:
    """Return in words whatever is unsafe in the answers to COUNT decisions."""
    verdicts = judge_many(PROGRAM, range(start, start + count))
    assert len(verdicts) > count
    return [told(finding) for finding in findings(verdicts)]


def test_no_limit_no_figure_and_no_sentence_is_on_the_unsafe_side() -> None:
    unsafe = found(0, 30)  # the soak takes the rest
    assert not unsafe, "\n\n".join(unsafe)


@pytest.mark.soak
@pytest.mark.parametrize("start", range(10**6, 10**6 + 200_000, 10_000))
def test_none_is_in_two_hundred_thousand(start: int) -> None:
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        unsafe = [one for some in pool.map(found, range(start, start + 10_000, TOGETHER)) for one in some]
    assert not unsafe, "\n\n".join(unsafe)


def test_the_report_promises_nobody_more_than_the_noise_keeps() -> None:
    said = 0
    for case in (a_case(seed, "lee_clifton") for seed in (0, 2, 3, 5, 8, 9)):
        given = json.dumps(case.decision).encode()
        text = " ".join(run("--language", "en", "report", "-", given=given).out.split())
        assert untrue_of_anybody(case, text) == []
        match = OUTSIDE.search(text)
        if match is not None and case.world.delta is None and not case.world.earlier and not case.world.exact:
            less = text.replace(match[1], f"{1 + (float(match[1].replace(',', '')) - 1) / 2:.3f}", 1)
            if less != text and OUTSIDE.search(less) != match and case.told:
                said += bool(untrue_of_anybody(case, less))
    assert said > 0, "the judge must find a sentence that promises too much"


# --------------------------------------------------------------------------------------- the judge itself


def raised(assessment: Any, by: float) -> Any:
    """Return the assessment with every limit BY so much on the unsafe side."""
    changed = copy.deepcopy(assessment)
    for answer in changed["answers"]:
        answer["at_epsilon"] = {}
        for name in ("epsilon", "rho"):
            if answer.get(name):
                answer[name] *= by if answer["side"] == "upper" else 1 / by
    changed["window"] |= {"touching": True}  # its ends are not what is planted
    return changed


@pytest.mark.soak
def test_no_row_of_the_seams_is_answered_above_the_truth() -> None:
    now = rows()
    answers = solve(PROGRAM, [row.case.decision for row in now])
    unsafe = [told(f) for row, answer in zip(now, answers, strict=True) for f in judged_row(row, answer).findings]
    assert not unsafe, "\n\n".join(unsafe)
    allowed = [pair for pair in zip(now, answers, strict=True) if pair[1]["answers"][0]["status"] == "allowed"]
    missed = [row.what for row, answer in allowed if not judged_row(row, raised(answer, 2)).findings]
    assert missed == ["a guess after an earlier release"], "only there is the answer that far below the truth"


SHARP = {  # the seed of a decision whose limit is as large as it may be, where it is not the first
    "relative_risk": 1,
    "lee_clifton": 1,
    "guessing_advantage": 2,
    "categorical_advantage": 3,
    "privacy_at_risk": 7,
    "compensation": 1,
    "persuasive_privacy": 8,
    "budget": 2,
}


def test_the_judge_finds_limits_that_are_one_in_a_hundred_too_large() -> None:
    kinds = [kind for kind in KINDS if kind != "exact_mean"]  # a verdict has no limit
    cases = [a_case(SHARP.get(kind, 0), kind) for kind in kinds]
    for case, answer in zip(cases, solve(PROGRAM, [case.decision for case in cases]), strict=True):
        (true,) = judged(case, answer)
        assert (true.status, true.findings) == ("allowed", ()), true.kind
        (planted,) = judged(case, raised(answer, 1.01))
        assert planted.findings, f"{true.kind}: found neither this nor a limit that is too large"


def test_the_judge_finds_figures_that_say_too_little() -> None:
    cases, planted = [a_case(seed, "lee_clifton") for seed in range(6)], 0
    for case, answer in zip(cases, solve(PROGRAM, [case.decision for case in cases]), strict=True):
        (one,) = answer["answers"]
        if one["status"] != "allowed" or not one["at_epsilon"] or case.lie is not None:
            continue
        world, binding = conditions(case.world, case.decision["requirements"][0], one)
        true, _ = JUDGES["lee_clifton"](world, case.decision["requirements"][0], answer["epsilon"], binding)
        one["at_epsilon"]["posterior"] = 0.99 * true
        planted += 1
        assert any(f.what == "at_epsilon posterior" for v in judged(case, answer) for f in v.findings)
    assert planted > 2
