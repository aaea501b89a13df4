"""What is promised where the result of one person says something about another: three ways, and what each changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from dpwizard.decision.decision import Acknowledgement, Decision
from dpwizard.decision.edits import put
from dpwizard.decision.promises import assumed as assumed_of_release
from dpwizard.decision.release import Release
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.decision.steps import assumptions

INDEPENDENCE = "independent_of_others"
Way = Literal[
    "known", "together", "reason"
]  # promise it to who knows all others, protect some as one, or why it is true
COUNTS = ("count", "histogram")  # statistics of which several people change as many times as much


def assumptions_about_people(decision: Decision) -> tuple[str, ...]:
    """Return the keys of the sentences about people and their beliefs that the promises of DECISION rest on.

    That of dependence is asked as well where the promise is made to those who know every other record: nothing else
    would say that it was refused.
    """
    elsewhere = {*assumed_of_release(decision.release), "earlier_releases_pure"}
    found = tuple(key for key in assumptions(decision, "profile") if key not in elsewhere)
    return (INDEPENDENCE, *found) if is_promised_to_all(decision) and INDEPENDENCE not in found else found


def answer_of(decision: Decision, key: str) -> Acknowledgement | None:
    """Return the answer to the assumption KEY; None where nobody answered."""
    return next((one for one in decision.acknowledged if one.assumption == key), None)


def with_answer(decision: Decision, answer: Acknowledgement) -> Decision:
    """Return DECISION with ANSWER to an assumption, in the place of the one before."""
    others = (one for one in decision.acknowledged if one.assumption != answer.assumption)
    return put(decision, "$.acknowledged", (*others, answer))


def is_promised_to_all(decision: Decision) -> bool:
    """Return whether a promise is made even to someone who knows every other record."""
    return any(isinstance(one, RelativeRisk) and one.enabled and one.others_known for one in decision.requirements)


def way_chosen(decision: Decision) -> Way | None:
    """Return what is done about dependence; None where nothing is, because it is true, or nobody has chosen."""
    if is_promised_to_all(decision):
        return "known"
    if protected_together(decision.release) > 1:
        return "together"
    answer = answer_of(decision, INDEPENDENCE)
    return "reason" if answer is not None and answer.reason is not None else None


def promised_to_all(decision: Decision, known: bool) -> Decision:
    """Return DECISION with each promise about one person made even to who knows every other record, or no longer."""
    for index, one in enumerate(decision.requirements):
        if isinstance(one, RelativeRisk) and bool(one.others_known) != known:
            decision = put(decision, f"$.requirements[{index}].others_known", known or None)
    return decision


def protected_together(release: Release) -> int:
    """Return how many people are protected as one: how many times what one of them changes the sensitivity is."""
    alone = _alone(release)
    times = release.sensitivity / alone if alone and release.sensitivity is not None else 1.0
    return int(times) if times.is_integer() and times > 1 else 1


def can_protect_together(release: Release) -> bool:
    """Return whether it is known what several people change: in one table of counts it is as many times as much."""
    return _alone(release) is not None and release.sensitivity is not None


def with_people_together(decision: Decision, people: int) -> Decision:
    """Return DECISION with up to so many PEOPLE protected as one: they change the table as many times as much."""
    release, before = decision.release, protected_together(decision.release)
    changed: Mapping[str, Any] = {
        name: figure / before * people
        for name in ("sensitivity", "sensitivity_other")
        if (figure := getattr(release, name)) is not None
    }
    if people == before or not can_protect_together(release):
        return decision
    return put(decision, "$.release", release.model_copy(update=changed))


def _alone(release: Release) -> float | None:
    """Return what one person changes the only table by; None where it holds no counts."""
    if release.tables[1:] or release.statistic not in COUNTS or release.noise.uses_l2 or release.cap is not None:
        return None
    return release.contributions * (
        2.0 if release.neighbours == "replace" and release.statistic == "histogram" else 1.0
    )
