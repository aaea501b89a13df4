"""Whole programmes: many tables assessed, planned and dragged, without the window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from benchmarks.timing import Row, median
from dpwizard.charts import picture
from dpwizard.decision import Decision, assess, edits, plan, read_decision

TITLE = "Whole programmes"
INTRODUCTION = (
    "Counts with Gaussian noise, two privacy requirements, and in some rows an accuracy requirement for each table. "
    "Reading the file is not counted. Nothing is cached, except what a drag keeps."
)
FRAME, WHOLE = 16e-3, 50e-3


def run() -> Iterator[Row]:
    yield Row(what="assess, 2,000 tables, two privacy requirements", seconds=median(_fresh(2_000, 0), 5), goal=WHOLE)
    yield Row(what="assess, 2,000 tables, their attributes and levels", seconds=median(_fresh(2_000, 0, True), 5))
    yield Row(
        what="assess, 990 tables with an accuracy requirement each", seconds=median(_fresh(990, 990), 5), goal=WHOLE
    )
    decision = read_decision(programme(990, 990))
    told = assess(decision)
    yield Row(
        what="plan, 990 tables with an accuracy requirement each",
        seconds=median(lambda: plan(decision, told), 5),
        goal=WHOLE,
    )
    few = read_decision(programme(65, 65))
    drawn = picture(few)
    moved = iter(edits.put(few, "$.rho", 0.1 + 1e-3 * step) for step in range(1, 60))
    yield Row(
        what="picture, 65 tables, the budget dragged",
        seconds=median(lambda: picture(next(moved), drawn), 15),
        goal=FRAME,
    )


def _fresh(tables: int, needs: int, parts: bool = False) -> Any:
    """Return what assesses a decision that was just read, once for each call."""
    waiting: list[Decision] = [read_decision(programme(tables, needs, parts)) for _ in range(8)]
    return lambda: assess(waiting.pop())


def programme(tables: int, needs: int, described: bool = False) -> dict[str, Any]:
    """Return a decision file of so many TABLES, of which NEEDS have one each."""
    parts: list[dict[str, Any]] = []
    for at in range(tables):
        part: dict[str, Any] = {"name": f"t{at}", "statistic": "count", "sensitivity": 1.0 + at % 3}
        part |= {"share": f"1/{tables}"}
        part |= {"reads": ["a" if at % 2 else "b"], "level": "x" if at % 3 else "y"} if described else {}
        parts.append(part)
    asked: list[dict[str, Any]] = [
        {"kind": "two_worlds", "chance_without": 0.05, "chance_with": 0.2},
        {"kind": "attack_advantage", "advantage": 0.3},
    ]
    asked += [{"kind": "rmse", "part": f"t{at}", "at_most": 5.0 + at % 7} for at in range(needs)]
    release = {"mechanism": "gaussian", "neighbours": "add_remove", "unit": "person", "parts": parts}
    release |= {"levels": ["x", "y"]} if described else {}
    return {"format": "dpwizard.decision/1", "release": release, "requirements": asked, "rho": 0.1}
