"""Judge many decisions: draw them, have the program answer, and count what is found, by kind."""

from __future__ import annotations

import json
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.oracles.judge.asking import a_case
from tests.oracles.judge.verdicts import Finding, Verdict, judged
from tests.oracles.judge.words import said, untrue


def judge_many(
    command: Sequence[str],
    seeds: Iterable[int],
    *,
    folder: Path | None = None,
    measured: int = 1,
    words: bool = True,
) -> list[Verdict]:
    """Return the verdicts on the decisions of SEEDS; every MEASURED-th is also measured against the truth.

    words: whether the sentences are held against the data, too.
    """
    cases = [a_case(seed) for seed in seeds]
    verdicts = []
    for case, (answer, lines) in zip(cases, said(command, [case.decision for case in cases], folder), strict=True):
        verdicts += judged(case, answer, measure=measured > 0 and case.seed % measured == 0)
        if words and lines:
            wrong = untrue(case, answer, lines)
            verdicts += [Verdict(kind=one.kind, status="words", side="", findings=(one,)) for one in wrong]
    return verdicts


def findings(verdicts: Iterable[Verdict]) -> list[Finding]:
    """Return everything found unsafe."""
    return [finding for verdict in verdicts for finding in verdict.findings]


COLUMNS = (
    "answers",
    "with a limit",
    "silent",
    "unsafe limits",
    "unsafe figures",
    "measured",
    "median factor",
    "above 1.5",
)


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the counts by kind as a table: answers, silent and unsafe ones, and how far below the truth limits lie."""
    lines = [f"| kind | {' | '.join(COLUMNS)} |", "|---" + "|---:" * len(COLUMNS) + "|"]
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_kind[verdict.kind].append(verdict)
    for kind in sorted(by_kind):
        mine = by_kind[kind]
        states = Counter(verdict.status for verdict in mine)
        found = Counter("figure" if f.what[:5] in ("at_ep", "words") else "limit" for f in findings(mine))
        mine = [verdict for verdict in mine if verdict.status not in ("window", "words")]
        factors = [v.factor for v in mine if v.factor is not None and v.told and not v.findings]
        middle = f"{statistics.median(factors):.3f}" if factors else ""
        wide = sum(factor > 1.5 for factor in factors)
        silent = states["not_applicable"] + states["unanswered"] + states["failed"] + states["refused"]
        lines.append(
            f"| {kind} | {len(mine)} | {states['allowed']} | {silent} | {found['limit']} | {found['figure']} "
            f"| {len(factors)} | {middle} | {wide} |"
        )
    return "\n".join(lines)


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
