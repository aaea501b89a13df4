"""Privacy requirements and whom they cover, in the officer's own words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dpwizard.base.numerics import up
from dpwizard.decision import (
    AttributeChange,
    BaseRequirement,
    Decision,
    PrivacyInputs,
    RequirementResult,
    dependence,
)
from dpwizard.decision.requirements import MembershipAdvantage, RelativeRisk, Requirement
from dpwizard.wording import format_text, known_word, persons, plain_sentences, plain_words, whole, word

Covers = Literal["kept", "open", "weaker", "not_hidden"]
EVEN = 50  # of 100 guesses are right by a coin


@dataclass(frozen=True, kw_only=True)
class Covered:
    """Someone or something, whether the requirements cover it, and why."""

    what: str
    covers: Covers
    why: str


def adversary_requirements(decision: Decision) -> tuple[int, ...]:
    """Return the positions of the requirements that protect against someone who might try to learn something."""
    requirements = enumerate(decision.requirements)
    return tuple(at for at, requirement in requirements if requirement.step == "profile" and requirement.end != "lower")


def enabled_requirements(decision: Decision) -> tuple[tuple[int, Requirement], ...]:
    """Return those of them that are switched on, with their positions."""
    requirements = ((at, decision.requirements[at]) for at in adversary_requirements(decision))
    return tuple((at, requirement) for at, requirement in requirements if requirement.enabled)


def words_of(decision: Decision) -> Mapping[str, Any]:
    """Return the officer's own words, by their places in sentences."""
    person = plain_sentences.person(decision.release)
    names = [division.name for division in decision.release.divisions if division.name]
    group, unit = names[0] if names else "", plain_sentences.unit_of(decision.release)
    return {
        "person": person,
        "people": plain_words.plural(person),
        "a_person": plain_words.with_article(person),
        "reveals": decision.release.reveals or format_text("promise", "is_counted", {}),
        "division": group,
        "a_division": plain_words.with_article(group),
        "other": names[-1] if len(names) > 1 else "",
        "unit": word("sum", unit),
        "units": word("sum", f"{unit}s"),
    }


def assumption(decision: Decision, key: str) -> str:
    """Return the sentence of the assumption KEY in the officer's own words, or in those for any release."""
    plain = f"{key}_plain"
    return format_text("assumption", plain if known_word("assumption", plain) else key, words_of(decision))


def right_of_100(decision: Decision, requirement: BaseRequirement, answer: RequirementResult | None) -> int | None:
    """Return how many of 100 guesses at even odds are right at most, at the limit, rounded up; None while open."""
    return None if answer is None or answer.epsilon is None else right_at(decision, requirement, answer.epsilon)


def right_at(decision: Decision, requirement: BaseRequirement, budget: float) -> int | None:
    """Return the same at a BUDGET of the release; None if the privacy loss is not known.

    Where values are guessed, those of one person may be as different as any two.
    """
    setting = requirement.setting(decision.planned.release)
    if not persons.is_whole(decision.release):
        return None
    if not isinstance(setting, PrivacyInputs) or setting.noise.needs_delta:
        return None
    guesses_values = isinstance(setting.pair, AttributeChange) or (
        isinstance(requirement, RelativeRisk) and requirement.adversary != "inclusion" and not setting.pair.leaves_out
    )
    losses = (setting.loss, setting.value_loss) if guesses_values else (setting.loss,)
    if any(loss.missing is not None for loss in losses):
        return None
    total = max(loss.total_epsilon(budget) for loss in losses)
    return math.ceil(100.0 / (1.0 + math.exp(-up(total, 1))) * (1.0 - 1e-14))


def promise(decision: Decision, requirement: BaseRequirement, right: int | None) -> tuple[str, tuple[str, ...]]:
    """Return REQUIREMENT as a sentence, with the words to emphasise; "how many?" where RIGHT is open.

    Nothing where the promise cannot be said as guesses that are right.
    """
    if not persons.is_whole(decision.release):
        return format_text("promise", "technical", {}), ()
    if isinstance(requirement, MembershipAdvantage):
        key = "known"
    elif isinstance(requirement, RelativeRisk) and requirement.statement == "certain" and requirement.adversary:
        key = "known" if requirement.others_known else requirement.adversary
    else:
        return format_text("promise", "technical", {}), ()
    count = format_text("promise", "how_many", {}) if right is None else whole(right)
    words = {**words_of(decision), "count": count}
    strong = format_text("promise", "known_strong", words) if key == "known" else ""
    return format_text("promise", key, words), tuple(filter(None, (strong, count)))


def wants(decision: Decision, requirement: BaseRequirement) -> str:
    """Return what the adversary wants to find out beyond presence, in a sentence without its subject."""
    adversary = getattr(requirement, "adversary", None) or getattr(requirement, "kind", "")
    key = f"wants_{adversary}"
    return format_text("promise", key if known_word("promise", key) else "wants_other", words_of(decision))


def covered(decision: Decision) -> tuple[Covered, ...]:
    """Return whom and what the requirements cover: fully, more weakly, not at all.

    Nothing if a unit is only a part of a person.
    """
    if not persons.is_whole(decision.release):
        return ()
    words, together = words_of(decision), dependence.protected_together(decision.release)
    independent = dependence.INDEPENDENCE in decision.accepted or dependence.is_promised_to_all(decision)
    is_asked = dependence.INDEPENDENCE in dependence.assumptions_about_people(decision)
    rows: list[tuple[str, Covers]] = [
        ("colleague", "kept" if independent or not is_asked else "open"),
        ("other_question" if words["other"] else "other_value", "weaker"),
        ("together", "kept") if together > 1 else ("group", "weaker"),
        ("division" if words["division"] else "all", "not_hidden"),
    ]
    figures = {**words, "count": whole(max(together, 3))}
    return tuple(
        Covered(
            what=_capital(format_text("covers", key, figures)),
            covers=covers,
            why=format_text("covers", f"{key}_{covers}", figures),
        )
        for key, covers in rows
    )


def _capital(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}"
