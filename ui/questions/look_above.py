"""The look above the safe end: a need that the answers do not rule out, shown line by line before it may be chosen.

The answers allow a range, and the promise takes its safe end. Where a need lies above that end and inside the range,
one more look is offered, at a budget a little above the need, so that what is chosen is within what was looked at.
docs/elicitation.md says how often such a look adds a result that is above the true tolerance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.base.language import speaking
from dpwizard.base.stopping import Stop
from dpwizard.decision import MOST_LOOKS, Assessment, Decision
from dpwizard.decision import ElicitationSession as Log
from dpwizard.elicitation import as_it_stands, closing_look, interview, spoken_of
from dpwizard.wording import End, printed_range
from ui.questions.how_much import logs_about
from ui.widgets import tr

NEAR = 1e-3  # relative: how well a budget of the release is turned into one of the questions


@dataclass(frozen=True, kw_only=True)
class Above:
    """A need inside the range of the answers, as printed, and the look to be judged, of the promise at INDEX."""

    index: int
    place: int
    low: str
    high: str
    need: End
    look: interview.InterviewState

    def words(self) -> tuple[str, str]:
        """Return what is to be settled, and how."""
        values = {"low": self.low, "high": self.high, "need": self.need.text}
        return (
            tr("Your answers allow {low} to {high}. Your numbers need {need}. {need} keeps both.", **values),
            tr(
                "{low} is the safe end of your answers; they do not rule out up to {high}. "
                "Look at what {need} means, line by line, and answer.",
                **values,
            ),
        )


def above(asked: tuple[Decision, Assessment], stop: Stop) -> Above | None:
    """Return what is to be looked at where one promise alone is below a need that its answers do not rule out."""
    decision, assessment = asked
    window = assessment.window
    index, needed = window.binds_upper, window.lower
    if not window.empty or index is None or window.binds_lower is None:
        return None
    logs = logs_about(decision, index)
    if not logs or len(logs[-1].looks) >= MOST_LOOKS or _others_below(assessment, index, needed):
        return None
    requirement, release = decision.requirements[index], decision.planned.release
    log = as_it_stands(logs[-1], requirement, release)
    spoken = spoken_of(requirement, release)
    with speaking(log.language):
        result = interview.result(log)
    safe, high = spoken.result(result).allowed
    allowed, most = spoken.limit(result.epsilon), math.inf if high is None else high
    if result.status != "supported" or not result.epsilon or not allowed or not safe or not safe < needed < most:
        return None
    shown = printed_range(needed, high)
    assert shown.lower is not None
    wanted = closing_look.budget_above(shown.lower.value, shown.places, most)
    budget = wanted * result.epsilon / allowed
    if not math.isclose(spoken.limit(budget) or 0.0, wanted, rel_tol=NEAR) or not _is_open(log, budget, wanted, most):
        return None
    with speaking(log.language):
        look = interview.look_at(log, budget)
    if look is None:
        return None
    return Above(
        index=index,
        place=decision.elicitation.index(logs[-1]),
        low=shown.at_most(safe),
        high=tr("any value") if shown.upper is None else shown.upper.text,
        need=shown.lower,
        look=look,
    )


def _is_open(log: Log, budget: float, wanted: float, most: float) -> bool:
    """Return whether what is WANTED, BUDGET in the terms of LOG, is not above the range, nor any look with a mark."""
    return wanted <= most and all(budget < look.epsilon for look in log.looks if look.too_much)


def _others_below(assessment: Assessment, index: int, needed: float) -> bool:
    """Return whether another promise than that at INDEX does not allow what is NEEDED, either."""
    others = (answer for at, answer in enumerate(assessment.answers) if at != index and answer.enabled)
    return any(each.side != "lower" and (each.met is False or (each.epsilon or math.inf) < needed) for each in others)
