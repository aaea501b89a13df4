"""The steps of the wizard, and the open problems of a decision in each of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dpwizard.decision import derived_fields, release_flaws
from dpwizard.decision.adding_up import sums_of
from dpwizard.decision.decision import Decision
from dpwizard.decision.names import unknown_levels
from dpwizard.decision.reasons import Reason
from dpwizard.decision.requirement import BaseRequirement


@dataclass(frozen=True, kw_only=True)
class Step:
    """A page of the wizard; its key names its title and question in the wording resources."""

    key: str


STEPS = tuple(Step(key=key) for key in ("release", "adversary", "profile", "budget", "accuracy", "decision", "review"))


def assumptions(decision: Decision, step: str | None = None) -> tuple[str, ...]:
    requirements = (r for r in decision.requirements if r.enabled and step in (None, r.step))
    keys = tuple(dict.fromkeys(key for r in requirements for key in r.assumed(decision.release)))
    return keys if step is not None else (*keys, *admitted(decision))


def admitted(decision: Decision) -> tuple[str, ...]:
    """Return the keys of stated practices, such as tuning on confidential data, that no budget covers."""
    details = decision.details
    holds_for = {
        "tuned_on_confidential": details.tuned_on == "confidential",
        "domain_from_confidential": details.domain_source == "confidential",
        "ordinary_floating_point": details.floating_point in ("ordinary", "unknown"),
        "chance_foreseen": details.randomness in ("ordinary", "seeded", "unknown"),
    }
    return tuple(key for key, holds in holds_for.items() if holds)


def problems(decision: Decision) -> tuple[Reason, ...]:
    """Return all problems that must be solved before DECISION is approved, in the order of the steps."""
    decision = decision.planned
    reasons = _problems_of_release(decision) + _problems_of_requirements(decision)
    reasons += [] if decision.release.noise.absent else _problems_of_budget(decision)
    reasons += [] if decision.justification else [_unanswered("decision", "$.justification")]
    order = [step.key for step in STEPS]
    return tuple(sorted(reasons + _problems_of_review(decision), key=lambda problem: order.index(problem.step)))


def answered(decision: Decision) -> frozenset[str]:
    """Return the keys of the steps in which DECISION has an answer."""
    requirements = [requirement for requirement in decision.requirements if requirement.enabled]
    is_answered = {
        "release": decision.title is not None or decision.release != Decision.model_fields["release"].default,
        "adversary": any(requirement.step == "profile" for requirement in requirements),
        "budget": bool(decision.release.spent),
        "decision": decision.chosen is not None or decision.justification is not None,
        "review": decision.outcome is not None,
    }
    return frozenset(
        {requirement.step for requirement in requirements} | {step for step, known in is_answered.items() if known}
    )


def _unanswered(step: str, where: str) -> Reason:
    return Reason(step=step, where=where, key="unanswered")


def _problems_of_release(decision: Decision) -> list[Reason]:
    release, questions = decision.release, tuple(_open_plain_questions(decision))
    asked_plainly = {problem.where for problem in questions}  # not as technical fields
    missing = [
        name for name in release.missing() if name != "sensitivity" or "$.release.contributions" not in asked_plainly
    ]
    problems = [*(_unanswered("release", f"$.release.{name}") for name in missing), *questions]
    if decision.title is None:
        problems.insert(0, _unanswered("release", "$.title"))
    if "counts_units_once" in release_flaws.assumed(release) and "counts_units_once" not in decision.accepted:
        for where, sensitivity, contributions in release_flaws.counts_below_contributions(release):
            figures = {"sensitivity": sensitivity, "contributions": contributions}
            problems.append(Reason(step="release", where=where, key="sensitivity_below_contributions", values=figures))
    flaws = release_flaws.flaws(release)
    known = {flaw.where for flaw in flaws}
    flaws += tuple(flaw for flaw in release_flaws.below_steps(release) if flaw.where not in known)
    flaws += (*unknown_levels(release), *sums_of(release).flaws)
    return problems + [replace(flaw, step="release", check=None) for flaw in flaws]


def _open_plain_questions(decision: Decision) -> Iterator[Reason]:
    release = decision.release
    if release.each_number in (None, "other") or release.tables[1:]:
        return
    words = (name for name in ("person_word", "reveals") if getattr(release, name) is None)
    open_questions = set(derived_fields.open_questions(decision))
    fields = {"counted": "contributions", "how_often": "how_often", "public": "published_elsewhere"}
    for name in (*words, *(field for question, field in fields.items() if question in open_questions)):
        yield _unanswered("release", f"$.release.{name}")
    answer = decision.answer_to(derived_fields.NOTHING_ELSE)
    if derived_fields.public(decision) == "unknown" and answer is not None and not answer.vouched_by:
        yield Reason(step="release", where="$.release.published_elsewhere", key="nobody_vouches")


def _problems_of_requirements(decision: Decision) -> list[Reason]:
    problems = []
    several = len(decision.release.tables) > 1
    for index, requirement in enumerate(decision.requirements):
        where = f"$.requirements[{index}]"
        if not requirement.enabled:
            if not requirement.off_reason:
                problems.append(Reason(step=requirement.step, where=f"{where}.off_reason", key="off_without_reason"))
            continue
        problems += [_unanswered(step_of(requirement, name), f"{where}.{name}") for name in requirement.missing()]
        for unknown in requirement.unknown_names(decision.release):
            step = step_of(requirement, unknown.where)
            problems.append(replace(unknown, step=step, where=f"{where}.{unknown.where}"))
        unnamed = not any(getattr(requirement, name, None) for name in ("part", "where", "sum_of"))
        if requirement.end == "lower" and several and unnamed:
            problems.append(Reason(step="accuracy", where=f"{where}.part", key="names_no_part"))
        contradiction = requirement.contradiction()
        if contradiction is not None:
            name, key = contradiction
            problems.append(Reason(step=step_of(requirement, name), where=f"{where}.{name}", key=key))
    if not any(r.enabled and r.end != "lower" and r.kind != "budget" for r in decision.requirements):
        problems.append(Reason(step="adversary", where="$.requirements", key="no_privacy_requirement"))
    return problems


def step_of(requirement: BaseRequirement | type[BaseRequirement], name: str) -> str:
    field = re.split(r"[.\[]", name, maxsplit=1)[0]
    return "adversary" if requirement.step == "profile" and field in requirement.basic_fields else requirement.step


def _problems_of_budget(decision: Decision) -> list[Reason]:
    stated, chosen = decision.release.stated_budget, decision.chosen
    if chosen is not None:
        spent = decision.release.budget(epsilon=None, rho=None)
        if stated is None or spent is None or math.isclose(spent, chosen, rel_tol=1e-9):
            return []
        where, figures = "$.epsilon" if decision.rho is None else "$.rho", {"stated": spent, "chosen": chosen}
        return [Reason(step="decision", where=where, key="differs_from_tables", values=figures)]
    if decision.release.counted_in == "rho":
        if decision.epsilon is not None:
            return [_unanswered("release", "$.release.delta")]  # an epsilon of Gaussian noise needs a delta
        return [_unanswered("decision", "$.rho")]
    if decision.rho is None:
        return [_unanswered("decision", "$.epsilon")]
    key = "rho_below_delta" if decision.release.noise.only_deltas else "rho_of_other_noise"
    return [Reason(step="decision", where="$.rho", key=key)]


def _problems_of_review(decision: Decision) -> list[Reason]:
    problems = [] if decision.outcome is not None else [_unanswered("review", "$.outcome")]
    if decision.details.tuned_on == "confidential_paid" and not decision.release.spent:
        problems.append(Reason(step="release", where="$.release.spent", key="tuned_uncounted"))
    problems += [
        Reason(step="adversary", where="$.acknowledged", key="not_acknowledged", values={"assumption": key})
        for key in assumptions(decision)
        if key not in decision.accepted
    ]
    return problems
