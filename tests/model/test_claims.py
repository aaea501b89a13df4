"""The judge: it has a claim on every figure of an answer and finds one that is not true; it draws every mechanism and
shape of the registries.
"""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.decision import assess, read_decision
from dpwizard.decision.requirements import kinds
from dpwizard.privacy.mechanisms import MECHANISMS
from tests.model.test_adding_a_requirement import decisions
from tests.oracles.judge.asking import a_case
from tests.oracles.judge.claims import CLAIMS, OF_BUDGET
from tests.oracles.judge.drawing import Case
from tests.oracles.judge.verdicts import judged
from tests.samples.profiles import SHAPES

SEEDS = range(40)  # decisions drawn of each kind, until each of its figures was found untrue once
SHARP = {"relative_risk": (15, 7)}  # those looked at first, where many figures are said
WRONG = {"never below": 0.5, "never above": 2.0, "equal": 0.5}  # what a figure is multiplied with


def figures(kind: str) -> set[str]:
    """Return the names of all figures that answers to the samples of KIND say."""
    return {name for decision in decisions(kind) for name in assess(decision).answers[0].as_plain()["at_epsilon"]}


def cases(kind: str) -> Iterator[tuple[Case, dict[str, Any]]]:
    """Yield drawn decisions of KIND with their answers; beliefs are given one by one as well as in ranges."""
    for case in (a_case(seed, kind) for seed in (*SHARP.get(kind, ()), *SEEDS)):
        asked = case.decision["requirements"][0]
        one_belief = {**asked, "p": 0.5, "q": 0.2} if asked.get("adversary") == "both" else asked
        for requirement in (asked, one_belief) if asked != one_belief else (asked,):
            drawn = replace(case, decision={**case.decision, "requirements": [requirement]})
            if case.lie is None:
                yield drawn, json.loads(json_text.line(assess(read_decision(drawn.decision))))


@pytest.mark.parametrize("kind", kinds())
def test_every_figure_has_a_claim(kind: str) -> None:
    assert kind in CLAIMS, f'say in CLAIMS of tests/oracles/judge/claims.py what is true of the figures of "{kind}"'
    missing = figures(kind) - {*CLAIMS[kind], *OF_BUDGET}
    assert not missing, f'say in CLAIMS of tests/oracles/judge/claims.py what is true of {missing} of "{kind}"'


@pytest.mark.parametrize("kind", [kind for kind in kinds() if CLAIMS[kind]])
def test_a_figure_that_is_not_true_is_found(kind: str) -> None:
    """Each figure is halved, or doubled where only more than the truth is wrong."""
    left, claims = figures(kind) - (set() if kind == "budget" else set(OF_BUDGET)), {**OF_BUDGET, **CLAIMS[kind]}
    for case, told in cases(kind):
        at = told["answers"][0]["at_epsilon"]
        wrong = copy.deepcopy(told)
        wrong["answers"][0]["at_epsilon"] |= {
            name: at[name] * WRONG[claims[name].side] for name in left & {*at} if at[name]
        }
        found = {finding.what for one in judged(case, wrong) for finding in one.findings}
        left = {name for name in left if f"at_epsilon {name}" not in found}
        if not left:
            return
    pytest.fail(f'the judge believes a wrong "{kind}": {sorted(left)}')


DRAWN = range(300)


def stated(kind: str | None = None) -> Iterator[dict[str, Any]]:
    return (a_case(seed, kind).decision for seed in DRAWN)


def test_the_judge_draws_every_mechanism() -> None:
    drawn = Counter(
        table.get("mechanism")
        for decision in stated()
        for table in decision["release"].get("parts") or [decision["release"]]
    )
    missing = [name for name in MECHANISMS if drawn[name] < 3]
    assert missing == [], "say in `law` of its sample (tests/samples/mechanisms.py) which law of the judge's it adds"


def test_the_judge_draws_every_shape() -> None:
    drawn = Counter(decision["requirements"][0]["profile"]["shape"] for decision in stated("relative_risk"))
    assert [shape for shape in SHAPES if not drawn[shape]] == []
