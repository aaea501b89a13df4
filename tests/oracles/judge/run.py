"""Judge many decisions: draw them, have the program answer, and count what is found, by kind."""

from __future__ import annotations

import argparse
import json
import multiprocessing
import shlex
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.oracles.judge.asking import a_case
from tests.oracles.judge.drawing import Case, Fields
from tests.oracles.judge.program import solve
from tests.oracles.judge.verdicts import Finding, Verdict, judged


def judge_many(
    command: Sequence[str], seeds: Iterable[int], fields: Fields, *, folder: Path | None = None, measured: int = 1
) -> list[Verdict]:
    """Return the verdicts on the decisions of SEEDS; every MEASURED-th is also measured against the truth."""
    cases = [a_case(seed, fields) for seed in seeds]
    answers = solve(command, [case.decision for case in cases], folder)
    return [
        verdict
        for case, answer in zip(cases, answers, strict=True)
        for verdict in judged(case, answer, measure=case.seed % measured == 0)
    ]


def findings(verdicts: Iterable[Verdict]) -> list[Finding]:
    """Return everything found unsafe."""
    return [finding for verdict in verdicts for finding in verdict.findings]


def table(verdicts: Sequence[Verdict]) -> str:
    """Return the counts by kind as a table: answers, silent ones, unsafe ones, and how far below the truth limits lie."""
    lines = ["| kind | answers | with a limit | silent | unsafe limits | unsafe figures | measured | median factor | above 1.5 |"]
    lines.append("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    by_kind: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_kind[verdict.kind].append(verdict)
    for kind in sorted(by_kind):
        mine = by_kind[kind]
        states = Counter(verdict.status for verdict in mine)
        found = Counter("figure" if f.what == "at_epsilon" else "limit" for f in findings(mine))
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


def _chunk(work: tuple[list[str], range, Fields, Path | None, int]) -> list[Verdict]:
    command, seeds, fields, folder, measured = work
    return judge_many(command, seeds, fields, folder=folder, measured=measured)


def main() -> None:
    """Judge as many decisions as asked, and print what was found."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=".venv/bin/python main.py")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--fields", choices=("before", "stopgap", "new"), default="stopgap")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--measured", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--findings", type=Path)
    asked = parser.parse_args()
    size = max(50, min(1000, asked.count // asked.workers))
    starts = range(asked.seed, asked.seed + asked.count, size)
    ends = [min(start + size, asked.seed + asked.count) for start in starts]
    work = [
        (shlex.split(asked.program), range(start, end), asked.fields, asked.folder, asked.measured)
        for start, end in zip(starts, ends, strict=True)
    ]
    with multiprocessing.Pool(asked.workers) as pool:
        verdicts = [verdict for chunk in pool.imap(_chunk, work) for verdict in chunk]
    print(table(verdicts))
    found = findings(verdicts)
    print(f"{len(found)} findings: {dict(Counter((f.kind, f.what) for f in found))}")
    if asked.findings is not None:
        asked.findings.write_text("\n\n".join(told(finding) for finding in found))


if __name__ == "__main__":
    main()
