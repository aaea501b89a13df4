"""What single answers change in the result."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from dpwizard.decision import Chance, ElicitationSession, Reply
from dpwizard.elicitation.proposals import counted
from dpwizard.elicitation.question_design import question_priors
from dpwizard.elicitation.result import (
    FEWEST,
    Result,
    evidence_of,
    posterior_of_curves,
    posterior_of_threshold,
    result,
)
from dpwizard.elicitation.tolerance_curves import MOST_EPSILON


@dataclass(frozen=True, kw_only=True)
class AnswerInfluence:
    """How epsilon moves when one answer is left out, or had been the other one."""

    number: int
    without: float | None
    otherwise: float | None


@dataclass(frozen=True, kw_only=True)
class AnswerEffect:
    """What a further answer changes: the chance accepted at each prior, and the result, before and after."""

    moved: tuple[tuple[Chance, int], ...]  # what was accepted, and the count accepted now
    before: Result
    after: Result


def influences(session: ElicitationSession, stop: Callable[[], bool] | None = None) -> tuple[AnswerInfluence, ...]:
    """Return how epsilon (or the value) moves with each answer, the most binding first. A second for a long session.

    STOP is looked at between answers; once it returns true, those seen so far are returned.
    """
    stands = session.standing()
    effects = []
    for number, reply in enumerate(session.replies, 1):
        if not stands[number - 1] or reply.answer in ("cannot_say", "right") or (stop is not None and stop()):
            continue
        effects.append(
            AnswerInfluence(
                number=number, without=_middle(session, number), otherwise=_middle_if_reversed(session, number, reply)
            )
        )
    here = _middle(session, None)

    def influence(effect: AnswerInfluence) -> float:
        return max(_differs(here, effect.without), 0.5 * _differs(here, effect.otherwise))

    return tuple(sorted(effects, key=influence, reverse=True))


def _middle(session: ElicitationSession, without: int | None) -> float | None:
    if session.setup.topic != "risk":
        return posterior_of_threshold(session, without).quantile(0.5)[0]
    (middle,) = posterior_of_curves(session, without).quantile(0.5)
    return None if middle >= 0.9 * MOST_EPSILON else middle


def _middle_if_reversed(session: ElicitationSession, number: int, reply: Reply) -> float | None:
    """Return the middle if the answer had been the other one; None where that has none, or no limit."""
    other = {"yes": "no", "no": "yes", "a": "b", "b": "a"}.get(reply.answer)
    if other is None:
        return None
    replies = (*session.replies[: number - 1], reply.model_copy(update={"answer": other}), *session.replies[number:])
    return _middle(session.model_copy(update={"replies": replies}), None)


def _differs(one: float | None, two: float | None) -> float:
    return abs(math.log((one or MOST_EPSILON) / (two or MOST_EPSILON)))


def implied(session: ElicitationSession, most: int = 3) -> tuple[Chance, ...]:
    """Return what the answers imply where nothing was asked: up to MOST chances in range, the least certain first."""
    if session.setup.topic != "risk" or len(evidence_of(session)) < FEWEST:
        return ()
    posterior = posterior_of_curves(session)
    asked = {
        side.prior for reply in session.replies for side in (reply.question.a, reply.question.b) if side is not None
    }
    free = [prior for prior in question_priors(posterior.span) if prior not in asked]
    halfway = [float(f"{math.sqrt(a * b):.1g}") for a, b in pairwise(sorted(asked)) if b > 2.2 * a]
    free += [prior for prior in halfway if prior not in asked]
    values = []
    for prior in dict.fromkeys(free):
        low, middle, high = posterior.accepted(prior, 0.05, 0.5, 0.95)
        move = counted(prior, middle)
        if move is not None:
            values.append((math.log(high / low), move))
    values.sort(key=lambda pair: (-pair[0], pair[1].prior))
    return tuple(move for _, move in values[:most])


def change(before: ElicitationSession, after: ElicitationSession) -> AnswerEffect:
    """Return what the answers in AFTER but not in BEFORE change: what is implied at priors played back, the result."""
    moved = []
    posterior = posterior_of_curves(after) if after.setup.topic == "risk" else None
    for value in implied(before):
        assert posterior is not None
        (now,) = posterior.accepted(value.prior, 0.5)
        moved.append((value, min(round(now * value.out_of), value.out_of)))
    return AnswerEffect(moved=tuple(moved), before=result(before), after=result(after))
