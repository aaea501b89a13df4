"""A further look above the safe end of the answers, at an accuracy requirement that they do not rule out.

The answers allow a range, and the requirement takes its safe end. If an accuracy requirement needs more, but within
the range, a further look is offered at a budget slightly above the one needed, so that the choice has been looked at.
docs/elicitation.md says how often such a look accepts more than the true tolerance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.base.language import speaking
from dpwizard.base.stopping import Stop
from dpwizard.decision import MOST_LOOKS, Assessment, Decision
from dpwizard.elicitation import closing_look, interview, release_epsilons, with_current_factor
from dpwizard.wording import End, printed_range
from ui.questions.tolerance import answered_logs
from ui.widgets import tr

NEAR = 1e-3  # relative error of a release's budget converted to an epsilon of the questions


@dataclass(frozen=True, kw_only=True)
class FurtherLook:
    """A need within the range of the answers, as printed, and the look to be judged, of the requirement at INDEX."""

    index: int
    place: int
    low: str
    high: str
    need: End
    look: interview.InterviewState

    def words(self) -> tuple[str, str]:
        """Return the heading and the text of the offer."""
        values = {"low": self.low, "high": self.high, "need": self.need.text}
        return (
            tr("Your answers allow {low} to {high}. Your numbers need {need}. {need} keeps both.", **values),
            tr(
                "{low} is the safe end of your answers; they do not rule out up to {high}. "
                "Look at what {need} means, line by line, and answer.",
                **values,
            ),
        )


def further_look(request: tuple[Decision, Assessment], stop: Stop) -> FurtherLook | None:
    """Return the look to offer if a single requirement is below a need that its answers do not rule out."""
    decision, assessment = request
    window = assessment.window
    index, needed = window.binds_upper, window.lower
    if not window.empty or index is None or window.binds_lower is None:
        return None
    logs = answered_logs(decision, index)
    others = [answer for at, answer in enumerate(assessment.answers) if at != index and answer.enabled]
    if any(each.side != "lower" and (each.met is False or (each.epsilon or math.inf) < needed) for each in others):
        return None  # another requirement does not allow it, either
    if not logs or len(logs[-1].looks) >= MOST_LOOKS:
        return None
    requirement, release = decision.requirements[index], decision.planned.release
    log = with_current_factor(logs[-1], requirement, release)
    spoken = release_epsilons(requirement, release)
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
    if wanted > most or not math.isclose(spoken.limit(budget) or 0.0, wanted, rel_tol=NEAR):
        return None
    if any(budget >= look.epsilon for look in log.looks if look.too_much):
        return None
    with speaking(log.language):
        look = interview.look_at(log, budget)
    if look is None:
        return None
    return FurtherLook(
        index=index,
        place=decision.elicitation.index(logs[-1]),
        low=shown.at_most(safe),
        high=tr("any value") if shown.upper is None else shown.upper.text,
        need=shown.lower,
        look=look,
    )
