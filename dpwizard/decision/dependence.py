"""Ways to handle data of one person that reveal something about another, and the changes they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from dpwizard.decision.decision import Decision
from dpwizard.decision.edits import put
from dpwizard.decision.release import Release
from dpwizard.decision.release_flaws import assumed as assumed_of_release
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.decision.steps import assumptions

INDEPENDENCE = "independent_of_others"
# require it against an adversary who knows all others, protect several people as one, or state independence
Way = Literal["known", "together", "reason"]
COUNTS = ("count", "histogram")  # statistics whose sensitivity grows in proportion to the number of people


def assumptions_about_people(decision: Decision) -> tuple[str, ...]:
    """Return the keys of the assumptions about people and priors that DECISION's requirements need.

    Independence is included if a requirement holds against an adversary who knows every other record.
    """
    other_steps = {*assumed_of_release(decision.release), "earlier_releases_pure"}
    keys = tuple(key for key in assumptions(decision, "profile") if key not in other_steps)
    return (INDEPENDENCE, *keys) if is_promised_to_all(decision) and INDEPENDENCE not in keys else keys


def is_promised_to_all(decision: Decision) -> bool:
    """Return whether a requirement holds even against an adversary who knows every other record."""
    return any(isinstance(risk, RelativeRisk) and risk.enabled and risk.others_known for risk in decision.requirements)


def way_chosen(decision: Decision) -> Way | None:
    """Return how dependence is handled; None if it is not."""
    if is_promised_to_all(decision):
        return "known"
    if protected_together(decision.release) > 1:
        return "together"
    answer = decision.answer_to(INDEPENDENCE)
    return "reason" if answer is not None and answer.reason is not None else None


def promised_to_all(decision: Decision, known: bool) -> Decision:
    """Return DECISION with every requirement set to hold, or not, against one who KNOWS every other record."""
    for index, requirement in enumerate(decision.requirements):
        if isinstance(requirement, RelativeRisk) and bool(requirement.others_known) != known:
            decision = put(decision, f"$.requirements[{index}].others_known", known or None)
    return decision


def protected_together(release: Release) -> int:
    """Return how many people are protected as one: the sensitivity divided by that of one person."""
    of_one = _change_of_one(release)
    times = release.sensitivity / of_one if of_one and release.sensitivity is not None else 1.0
    return int(times) if times.is_integer() and times > 1 else 1


def can_protect_together(release: Release) -> bool:
    """Return whether the sensitivity to several people is known: in one table of counts."""
    return _change_of_one(release) is not None and release.sensitivity is not None


def with_people_together(decision: Decision, people: int) -> Decision:
    """Return DECISION with up to PEOPLE people protected as one, with the sensitivity multiplied by PEOPLE."""
    release, before = decision.release, protected_together(decision.release)
    changed: Mapping[str, Any] = {
        name: figure / before * people
        for name in ("sensitivity", "sensitivity_other")
        if (figure := getattr(release, name)) is not None
    }
    if people == before or not can_protect_together(release):
        return decision
    return put(decision, "$.release", release.model_copy(update=changed))


def _change_of_one(release: Release) -> float | None:
    if release.tables[1:] or release.statistic not in COUNTS or release.noise.uses_l2 or release.cap is not None:
        return None
    twice = release.neighbours == "replace" and release.statistic == "histogram"
    return release.contributions * (2.0 if twice else 1.0)
