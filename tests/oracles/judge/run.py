"""Judge many decisions: draw them, have the program answer, and say what is found."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from tests.oracles.judge.asking import a_case
from tests.oracles.judge.verdicts import Finding, Verdict, judged
from tests.oracles.judge.words import said, untrue


def judge_many(command: Sequence[str], seeds: Iterable[int]) -> list[Verdict]:
    """Return the verdicts on the decisions of SEEDS: on their limits and figures, and on what is said of them."""
    cases = [a_case(seed) for seed in seeds]
    verdicts = []
    for case, (answer, lines) in zip(cases, said(command, [case.decision for case in cases]), strict=True):
        verdicts += judged(case, answer)
        if lines:
            wrong = untrue(case, answer, lines)
            verdicts += [Verdict(kind=one.kind, status="words", side="", findings=(one,)) for one in wrong]
    return verdicts


def findings(verdicts: Iterable[Verdict]) -> list[Finding]:
    """Return everything found unsafe."""
    return [finding for verdict in verdicts for finding in verdict.findings]


def told(finding: Finding) -> str:
    """Return a finding in words and JSON: the decision, the program's number, the true one and the data."""
    case = finding.case
    return "\n".join(
        (
            f"## {finding.what} of {finding.kind}, requirement {finding.position}, seed {case.seed}",
            f"said {finding.claimed}, true {finding.true}",
            f"attributes {dict(case.world.attributes)}; moves {case.world.moves}; exact {case.world.exact}",
            *(f"- {each}" for each in case.world.tables),
            *(f"- before: {each}" for each in case.world.earlier),
            json.dumps(case.decision),
        )
    )
