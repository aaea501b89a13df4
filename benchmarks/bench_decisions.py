"""Whole decisions, and many calls in one process."""

from __future__ import annotations

import itertools
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from typing import Any

from benchmarks import samples
from benchmarks.timing import ROOT, Row, median, median_of_each
from dpwizard.decision import Assessment, Decision, assess, read_decision

TITLE = "Whole decisions"
INTRODUCTION = (
    "`assess(decision)` without an earlier assessment. Of ten adversaries, 3 have a constant profile, 3 cap_or_ratio, "
    "2 knots, 1 steps, each over ranges of p and q, and 1 is a guessing_advantage with the exact bound (seven prior "
    "families in turn). No two are the same."
)
TEN, THOUSAND, CLOSED = 50e-3, 2.0, 50e-3
ONE_VICTIM, FIVE_VICTIMS, HEEDED = 1.0, 2.0, 50e-3
LINES = 100_000


def run() -> Iterator[Row]:
    goals = {1: None, 10: TEN, 100: None, 1000: THOUSAND}
    for adversaries, goal in goals.items():
        decision = read_decision(samples.decision(adversaries))
        _all_answered(assess(decision))
        times = 15 if adversaries <= 10 else 3
        yield Row(
            what=f"assess, {adversaries:,} adversar{'y' if adversaries == 1 else 'ies'}",
            seconds=median(lambda d=decision: assess(d), times),
            goal=goal,
        )
    for groups in (0, 200):
        decision = read_decision(samples.tables(2000, groups))
        fresh = [decision.model_copy(update={"release": decision.release.model_copy()}) for _ in range(15)]
        _all_answered(assess(decision))
        apart = f" in {groups} groups that share no unit" if groups else ""
        yield Row(
            what=f"assess, 2,000 tables{apart}, eight kinds in closed form",
            seconds=median_of_each([lambda d=d: assess(d) for d in fresh], 1),
            goal=CLOSED,
        )
    yield from again(read_decision(samples.decision(1000)))
    for adversaries in (10, 100):
        worst = read_decision(samples.decision(adversaries, truth="worst"))
        note = "the slow case: a search for the worst truth of each guess"
        yield Row(
            what=f"assess, {adversaries} adversaries, guesses with the worst truth",
            seconds=median(lambda d=worst: assess(d), 3),
            note=note,
        )
    yield from victims()
    raw = samples.decision(1000)
    yield Row(what="reading a decision of 1,000 adversaries", seconds=median(lambda: read_decision(raw), 3))
    yield from many_lines()


def victims() -> Iterator[Row]:
    """The answers that hang longest, and how soon they end once nobody waits for them."""
    one, five = samples.worst_of_histograms(1, 2_000), samples.worst_of_histograms(5, 200)
    asked = {
        "one histogram of 2,000 bins, worst truth": (one, "one", ONE_VICTIM),
        "AND over five histograms of 200 bins, worst truths": (five, "and", FIVE_VICTIMS),
        "OR over five histograms of 200 bins, worst truths": (five, "or", FIVE_VICTIMS),
    }
    for what, (attributes, combine, goal) in asked.items():
        requirement = {
            "kind": "guessing_advantage",
            "attributes": attributes,
            "combine": combine,
            "advantage": 0.1,
        }
        decision = read_decision({**samples.decision(1), "requirements": [requirement]})
        yield Row(what=f"assess, {what}", seconds=median(lambda d=decision: assess(d), 3), goal=goal)
        yield Row(
            what=f"a stop, {what}: the longest time until it is noticed", seconds=longest_deaf(decision), goal=HEEDED
        )


def longest_deaf(decision: Decision) -> float:
    """Return the longest time between two looks at `stop`, the ends included."""
    looks = [time.perf_counter()]

    def stop() -> bool:
        looks.append(time.perf_counter())
        return False

    assess(decision, stop=stop)
    looks.append(time.perf_counter())
    return max(after - before for before, after in itertools.pairwise(looks))


def again(decision: Decision) -> Iterator[Row]:
    """What live editing costs: the earlier assessment is at hand."""
    before = assess(decision)
    moved = decision.model_copy(update={"epsilon": 0.6})
    yield Row(
        what="assess again, 1,000 adversaries, epsilon dragged",
        seconds=median(lambda: assess(moved, before), 5),
        note="no limit is recomputed",
    )
    changed = decision.requirements[0].model_copy(update={"q": (0.02, 0.9)})
    edited = decision.model_copy(update={"requirements": (changed, *decision.requirements[1:])})
    yield Row(what="assess again, 1,000 adversaries, one edited", seconds=median(lambda: assess(edited, before), 5))
    ten = read_decision(samples.decision(10))
    known = assess(ten)
    dragged = ten.model_copy(update={"epsilon": 0.6})
    yield Row(what="assess again, 10 adversaries, epsilon dragged", seconds=median(lambda: assess(dragged, known), 15))


def many_lines() -> Iterator[Row]:
    """`main.py compute -` in a process of its own, from the first byte read to the last one written."""
    text = "".join(json.dumps(line) + "\n" for line in samples.lines(LINES))
    begin = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "compute", "-"],
        input=text,
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    taken = time.perf_counter() - begin
    answers = done.stdout.splitlines()
    if len(answers) != LINES or not all('"ok":true' in answer.replace(" ", "") for answer in answers):
        raise RuntimeError("some lines were not answered")
    yield Row(
        what=f"compute, {LINES:,} lines of ten kinds in one process (one run)",
        seconds=taken,
        note=f"{LINES / taken:,.0f} lines a second",
    )


def _all_answered(assessment: Assessment) -> None:
    statuses: set[Any] = {answer.status for answer in assessment.answers}
    if not statuses <= {"allowed", "unbounded"}:
        raise RuntimeError(f"the benchmark's decision is not answered: {statuses}")
