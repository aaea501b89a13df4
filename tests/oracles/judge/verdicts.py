"""A program's answers held against the data and the noise: what is unsafe, and how far below the truth a limit lies."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tests.oracles.judge import guesses, needs, promises
from tests.oracles.judge.drawing import Case
from tests.oracles.judge.world import World

Told = Mapping[str, Any]
Judge = Callable[[World, Told, float, Told], tuple[float, float]]

JUDGES: dict[str, Judge] = {**promises.KINDS, **needs.KINDS, "guessing_advantage": guesses.guessing_advantage}
FAR, LEAST = 1e3, 1e-7  # between which the true limit is looked for
SLACK = 2e-9  # of what is allowed, relative: what floating point adds
COARSE = {
    "guessing_advantage": 2e-4,  # what quadrature adds, here and below
    "compensation": 1e-4,
    "persuasive_privacy": 2e-4,
}
OPEN = {"not_acknowledged", "unanswered", "outside", "breaks"}  # problems that contradict nothing


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One number of an answer that is not true of the data, on the side that harms."""

    what: str  # limit, unbounded, at_epsilon, window, unnamed
    kind: str
    claimed: float | None
    true: float | None
    case: Case
    position: int


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What was found of one answer, and how far its limit lies on the careful side of the truth."""

    kind: str
    status: str
    side: str
    findings: tuple[Finding, ...] = ()
    factor: float | None = None  # true limit / limit (a need: need / true need)
    told: bool = True


def judged(case: Case, assessment: Told, *, measure: bool = True) -> list[Verdict]:
    """Return the verdict on every answer, and on the window."""
    if "answers" not in assessment:
        return [Verdict(kind=case.decision["requirements"][0]["kind"], status="refused", side="")]
    found = [
        _answer(case, position, answer, assessment, measure) for position, answer in enumerate(assessment["answers"])
    ]
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


def _answer(case: Case, position: int, answer: Told, assessment: Told, measure: bool) -> Verdict:
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
        careful = status == "infeasible" and harm <= most
        return Verdict(kind=kind, status=status, side=side, findings=told, factor=math.inf if careful else 1.0)
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
    claim = _claim(world, asked, answer, case.decision.get("rho" if world.in_rho else "epsilon"), binding)
    if claim is not None:
        findings.append(
            Finding(what="at_epsilon", kind=kind, claimed=claim[0], true=claim[1], case=case, position=position)
        )
    factor = None
    if measure and status == "allowed" and limit is not None:
        truth = true_limit(judge, world, asked, binding, side, limit)
        if side == "upper":
            factor = truth / limit if limit > 0 else (1.0 if truth <= 10 * LEAST else math.inf)
        else:
            factor = limit / truth if truth > 0 else math.inf
    return Verdict(kind=kind, status=status, side=side, findings=tuple(findings), factor=factor, told=case.told)


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


# --------------------------------------------------------------------------------------- at the decision's epsilon


def _claim(world: World, asked: Told, answer: Told, epsilon: float | None, binding: Told) -> tuple[float, float] | None:
    """Return (said, true) where a figure said of the decision's epsilon is less than what the release does there."""
    said = answer.get("at_epsilon")
    if not said or epsilon is None:
        return None
    for name, claim in _CLAIMS.get(asked["kind"], {}).items():
        if said.get(name) is None:
            continue
        true = claim(world, asked, epsilon, {**binding, **said})
        if true is not None and true > said[name] * (1 + 1e-9) + max(COARSE.get(asked["kind"], 0.0), 1e-11):
            return float(said[name]), true
    return None


def _of_belief(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    p, q = binding.get("p"), binding.get("q")
    if p is None or q is None:
        return None
    if p == q == 1.0:
        return None
    near = 1e-9  # where the limit is at an open end, what holds near it holds of it
    return promises.learned(world, asked, epsilon, p or near, q or near) * (1 - 1e-7 * (not (p and q)))


def _posterior(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    p, q = binding.get("p"), binding.get("q")
    return None if not p or not q else promises.learned(world, asked, epsilon, p, q) * p * q


def _harm(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return JUDGES[asked["kind"]](world, asked, epsilon, binding)[0]


def _guessed(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    return guesses.expected(world, asked["attributes"][0], epsilon)[1]


def _lost(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    if asked.get("composition", "basic") != "basic" or world.open_ended:
        return None
    return float(world.losses(epsilon, world.neighbours, earlier=True).max())


def _risk(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    simple = len(world.tables) == 1 and world.tables[0].dimension == 1 and world.rounding is None
    if not simple or world.repetitions > 1 or world.counts_earlier:
        return None
    return max(loss.above(asked["level"]) for loss in world.worst_losses(epsilon, "replace", 20))


_CLAIMS: dict[str, dict[str, Callable[[World, Told, float, Told], float | None]]] = {
    "relative_risk": {
        "ratio": _of_belief,
        "posterior": _posterior,
        "mean_ratio": _of_belief,
        "mean_posterior": _posterior,
    },
    "two_worlds": {"chance_with": _harm},
    "attack_advantage": {"advantage": _harm},
    "attack_success": {"success": _harm},
    "lee_clifton": {"posterior": _harm},
    "participation": {"upper": _harm},
    "guessing_advantage": {"advantage": _harm, "after": _guessed},
    "categorical_advantage": {"advantage": _harm},
    "privacy_at_risk": {"risk": _risk},
    "compensation": {"cost": _harm},
    "budget": {"spent_total": _lost},
    "rmse": {"rmse": _harm},
    "mean_absolute_error": {"mean_absolute_error": _harm},
    "switch_probability": {"probability": _harm},
}
