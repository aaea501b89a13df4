"""A program's answers compared with the data and the noise: what is unsafe."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.oracles.judge import guesses, needs, promises
from tests.oracles.judge.claims import COARSE, broken
from tests.oracles.judge.drawing import Case
from tests.oracles.judge.world import World

Told = Mapping[str, Any]
Judge = Callable[[World, Told, float, Told], tuple[float, float]]

JUDGES: dict[str, Judge] = {**promises.KINDS, **needs.KINDS, "guessing_advantage": guesses.guessing_advantage}
FAR, LEAST = 1e3, 1e-7  # between which the true limit is looked for
SLACK = 2e-9  # of what is allowed, relative: what floating point adds
OPEN = {"not_acknowledged", "unanswered", "outside", "breaks"}  # problems that contradict nothing


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One number of an answer that is not true of the data, on the side that harms."""

    what: str  # limit, unbounded, at_epsilon and the name of a figure, window, unnamed
    kind: str
    claimed: float | None
    true: float | None
    case: Case
    position: int


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was found of one answer."""

    kind: str
    status: str
    side: str
    findings: tuple[Finding, ...] = ()


def judged(case: Case, assessment: Told) -> list[Verdict]:
    """Return the verdict on every answer, and on the window."""
    if "answers" not in assessment:
        return [Verdict(kind=case.decision["requirements"][0]["kind"], status="refused", side="")]
    found = [_answer(case, position, answer, assessment) for position, answer in enumerate(assessment["answers"])]
    window = assessment["window"]
    for answer in assessment["answers"]:
        end, limit = ("upper" if answer["side"] == "upper" else "lower"), case.limit(answer)
        told = (window["rho"] if case.world.in_rho else window)[end]
        allowed = answer["status"] == "allowed" and answer["grounds"] in ("proved", "proved_under")
        if not allowed or limit is None or answer["side"] == "verdict" or window["touching"]:
            continue
        if told is None or (told > limit * (1 + SLACK) if end == "upper" else told < limit * (1 - SLACK)):
            wrong = Finding(what="window", kind=answer["kind"], claimed=told, true=limit, case=case, position=0)
            found.append(Verdict(kind=answer["kind"], status="window", side=answer["side"], findings=(wrong,)))
    return found


def _answer(case: Case, position: int, answer: Told, assessment: Told) -> Verdict:
    asked = case.decision["requirements"][position]
    kind, status, side = asked["kind"], answer["status"], answer["side"]
    world, binding = conditions(case.world, asked, answer)
    if case.lie is not None and kind in needs.KINDS:
        return Verdict(kind=kind, status=status, side=side)  # what the noise does is true all the same
    if case.lie is not None:
        named = status != "allowed" or any(problem["key"] not in OPEN for problem in assessment["problems"])
        unnamed = () if named else (Finding(
            what="unnamed", kind=kind, claimed=case.limit(answer), true=None, case=case, position=position
        ),)  # fmt: skip
        return Verdict(kind=kind, status=status, side=side, findings=unnamed)
    if side == "verdict" and status in ("allowed", "infeasible"):
        harm, most = JUDGES[kind](world, asked, 0.0, binding)
        wrong = status == "allowed" and _above(kind, harm, most)
        told = (
            (Finding(what="verdict", kind=kind, claimed=most, true=harm, case=case, position=position),)
            if wrong
            else ()
        )
        return Verdict(kind=kind, status=status, side=side, findings=told)
    if status not in ("allowed", "unbounded"):
        return Verdict(kind=kind, status=status, side=side)
    judge, findings = JUDGES[kind], []
    limit = case.limit(answer)
    if limit and asked["kind"] == "guessing_advantage" and asked["attributes"][0].get("truth") == "worst":
        binding = {**binding, "victim": guesses.victim(world, asked, limit)}
    for epsilon in _tried(side, status, limit):
        harm, most = judge(world, asked, epsilon, binding)
        if _above(kind, harm, most):
            truth = true_limit(judge, world, asked, binding, side, limit)
            findings.append(
                Finding(
                    what="limit" if status == "allowed" else status,
                    kind=kind,
                    claimed=limit,
                    true=truth,
                    case=case,
                    position=position,
                )
            )
            break
    claims = broken(world, asked, answer, case.decision.get("rho" if world.in_rho else "epsilon"), binding)
    findings += [
        Finding(what=f"at_epsilon {name}", kind=kind, claimed=said, true=true, case=case, position=position)
        for name, (said, true) in claims.items()
    ]
    return Verdict(kind=kind, status=status, side=side, findings=tuple(findings))


def conditions(world: World, asked: Told, answer: Told) -> tuple[World, dict[str, Any]]:
    """Return the world and what binds, as far as the answer's assumptions go: what it assumes need not be attacked."""
    assumed = set(answer.get("assumptions") or ())
    binding = dict(answer.get("binding") or {})
    if "exact_figures_elsewhere" in assumed:
        world = replace(world, exact=())
    if "independent_attributes" not in assumed:
        binding["dependent"] = True
    binding["delta_left_out"] = "cost_leaves_delta_out" in assumed
    if asked.get("attribute") is not None:
        world = replace(world, varies=asked["attribute"])
    return world, binding


def _tried(side: str, status: str, limit: float | None) -> list[float]:
    if status == "unbounded" or limit is None:
        return [60.0, 15.0, 3.0]
    if limit <= LEAST:
        return []
    return [limit, 0.6 * limit] if side == "upper" else [limit, 1.6 * limit]


def _above(kind: str, harm: float, most: float) -> bool:
    """Return whether HARM is more than is allowed, by more than what the judge's own arithmetic may add."""
    if math.isnan(harm):
        raise ValueError(kind)
    return harm > most + max(SLACK, COARSE.get(kind, 0.0)) * abs(most) + 1e-11


def true_limit(judge: Judge, world: World, asked: Told, binding: Told, side: str, limit: float | None = None) -> float:
    """Return the largest budget (a need: the smallest) at which nobody found breaks the promise.

    Of promises for every noise it is sought near the LIMIT given, and told to one in a thousand.
    """

    def kept(epsilon: float) -> bool:
        harm, most = judge(world, asked, epsilon, binding)
        return harm <= most * (1 + 1e-12) + 1e-15

    low, high, near = LEAST, FAR, 1e-7
    if limit and (asked["kind"] in ("two_worlds", "attack_advantage", "attack_success") or "statement" in asked):
        low, high, near = limit / 4, limit * 16, 1e-3
    if kept(low if side == "lower" else high):
        return 0.0 if side == "lower" else math.inf
    if not kept(high if side == "lower" else low):
        return math.inf if side == "lower" else 0.0
    for _ in range(34):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if kept(middle) == (side == "upper") else (low, middle)
        if high < low * (1 + near):
            break
    return low if side == "upper" else high
