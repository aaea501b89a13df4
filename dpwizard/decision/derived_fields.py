"""The technical fields of a release that follow from plain answers, and those that were set by hand."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Literal

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import edits
from dpwizard.decision.decision import Acknowledgement, Decision
from dpwizard.decision.plain_answers import EachNumber
from dpwizard.decision.release import Release
from dpwizard.decision.sensitivity import Derivation, derive
from dpwizard.decision.tables import Statistic
from dpwizard.privacy.mechanisms import GEOMETRIC, LAPLACE

Question = Literal["title", "each_number", "divisions", "who", "counted", "how_often", "public"]
Counted = Literal["one", "up_to", "unknown"]
Public = Literal["nothing", "something", "unknown"]

QUESTIONS: tuple[Question, ...] = ("title", "each_number", "divisions", "who", "counted", "how_often", "public")
COUNTS_ONCE = "counts_units_once"  # the assumption that "in one at most" accepts
NOTHING_ELSE = "exact_figures_elsewhere"  # the assumption that "nothing" accepts
WHOLE_AMOUNTS = "whole_numbers"  # the assumption that "whole amounts" accepts
REPEATED = ("every_year", "more_often")
OF_STATISTIC: Mapping[Statistic, EachNumber] = {
    "count": "people",
    "histogram": "people",
    "sum": "sum",
    "mean": "average",
    "vector": "other",
}
STATISTICS: Mapping[EachNumber, tuple[Statistic, Statistic]] = {  # of one number, and of several
    "people": ("count", "histogram"),
    "sum": ("sum", "vector"),
    "average": ("mean", "mean"),
    "other": ("vector", "vector"),
}
# the technical fields that follow from the answer to each question
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "title": (),
    "each_number": ("statistic", "mechanism", "neighbours", "step", "post_processing"),
    "divisions": ("dimension",),
    "who": ("unit",),
    "counted": ("contributions", "cap", "sensitivity", "sensitivity_other"),
    "how_often": ("repetitions",),
    "public": (),
}


def with_answer(decision: Decision, answer: Acknowledgement | None, assumption: str) -> Decision:
    """Return DECISION with ANSWER to the assumption of that key, replacing an earlier one; None removes it."""
    others = tuple(answer for answer in decision.acknowledged if answer.assumption != assumption)
    return edits.put(decision, "$.acknowledged", others if answer is None else (*others, answer))


# ------------------------------------------------------------------------------------ answers


def counted(decision: Decision) -> Counted | None:
    """Return in how many of the numbers one person can be counted; None if that is not answered."""
    answer = decision.answer_to(COUNTS_ONCE)
    if answer is None:
        return None
    if answer.state == "refused":
        return "up_to"
    return "unknown" if answer.state == "open" else "one"


def each_number(decision: Decision) -> EachNumber | None:
    """Return the kind of each number, by the answer or by the statistic of all tables; None if neither is known."""
    release = decision.release
    kinds = {None if table.statistic is None else OF_STATISTIC[table.statistic] for table in release.tables}
    return release.each_number or (kinds.pop() if len(kinds) == 1 else None)


def is_published_before(decision: Decision) -> bool:
    """Return whether anything published about the same people is named."""
    return bool(decision.release.spent) or decision.release.unprotected is not None


def public(decision: Decision) -> Public | None:
    """Return the answer on what is already public about the same people; None if that is not answered."""
    if is_published_before(decision):
        return "something"
    answer = decision.answer_to(NOTHING_ELSE)
    if answer is None:
        return None
    if answer.state == "refused":
        return "something"
    return "unknown" if answer.state == "open" else "nothing"


def most_counts(decision: Decision) -> int | None:
    """Return the most numbers that one person is counted in, as answered; None if that is open."""
    counts = counted(decision)
    if counts == "up_to":
        return decision.release.contributions if decision.release.contributions > 1 else None
    return None if counts is None else 1


def asks_before(decision: Decision) -> bool:
    """Return whether to ask about earlier releases: not for a plain table, released once, with nothing public."""
    release = decision.release
    plain = release.each_number is not None and len(release.tables) == 1
    once = release.repetitions == 1 and release.how_often not in REPEATED
    budgets = any(requirement.step == "budget" for requirement in decision.requirements)
    return not plain or budgets or not once or public(decision) == "something"


def open_questions(decision: Decision) -> tuple[Question, ...]:
    """Return the plain questions that neither an answer nor a technical field answers, in their order."""
    release = decision.release
    has_statistic = all(table.statistic is not None for table in release.tables)
    has_sensitivity = all(table.sensitivity is not None for table in release.tables)
    by_hand = release.each_number is None  # no plain question was answered: technical fields count instead
    divided = bool(release.divisions) or release.dimension > 1 or has_statistic
    counts_repetitions = release.how_often is not None and (
        release.how_often not in REPEATED or release.repetitions > 1
    )
    answered: Mapping[Question, bool] = {
        "title": decision.title is not None,
        "each_number": release.each_number is not None or has_statistic,
        "divisions": divided and all(not division.missing() for division in release.divisions),
        "who": None not in (release.person_word, release.reveals) or (by_hand and release.unit is not None),
        "counted": most_counts(decision) is not None or (by_hand and has_sensitivity),
        "how_often": counts_repetitions or (by_hand and has_statistic),
        "public": public(decision) is not None or (by_hand and has_statistic),
    }
    return tuple(question for question in QUESTIONS if not answered[question])


# ------------------------------------------------------------------------------------ derived fields


def derived(decision: Decision) -> dict[str, Any]:
    """Return the technical fields that follow from the plain answers of DECISION, by name."""
    release = decision.release
    fields: dict[str, Any] = {}
    if release.each_number not in (None, "other"):
        fields |= _derived_noise(decision)
    if release.person_word is not None:
        fields["unit"] = unit_of(release.person_word, decision.language)
    counts = counted(decision)
    if counts in ("one", "unknown"):
        fields["contributions"] = 1
    if counts is not None:
        fields["cap"] = 1 if counts == "unknown" else None
    if release.how_often is not None and release.how_often not in REPEATED:
        fields["repetitions"] = 1
    bounds = sensitivity(decision)
    if bounds is not None:
        fields |= {"sensitivity": bounds.l1, "sensitivity_other": bounds.l1_other}
    return fields


def unit_of(word: str, language: str) -> str:
    """Return the unit where one person is called WORD, in LANGUAGE: for instance one patient."""
    return f"eine Person ({word})" if language == "de" else f"one {word}"


def _statistic_and_neighbours(release: Release) -> dict[str, Any]:
    of_one, of_several = STATISTICS[release.each_number or "other"]
    neighbours = "replace" if release.each_number == "average" else "add_remove"
    return {"statistic": of_several if release.dimension > 1 else of_one, "neighbours": neighbours}


def _derived_noise(decision: Decision) -> dict[str, Any]:
    release = decision.release
    people, amounts = release.each_number == "people", release.each_number == "sum"
    whole = people or (amounts and WHOLE_AMOUNTS in decision.accepted)
    clamped = people or (amounts and release.lowest is not None and release.lowest >= 0)
    steps = tuple(step for step in release.post_processing if step != "clamping")
    fields = {
        **_statistic_and_neighbours(release),
        "mechanism": GEOMETRIC.name if whole else LAPLACE.name,
        "post_processing": (*steps, "clamping") if clamped else steps,
    }
    if people or amounts:
        fields["step"] = 1.0 if amounts and whole and release.dimension == 1 else None
    return fields


def sensitivity(decision: Decision) -> Derivation | None:
    """Return the sensitivity that follows from the plain answers; None if one is open or does not fit."""
    release, most = decision.release, most_counts(decision)
    if most is None or release.each_number in (None, "other") or most > release.dimension > 1:
        return None
    try:
        return derive(**_derive_arguments(release, most))
    except DPWizardError:
        return None


def _derive_arguments(release: Release, most: int) -> dict[str, Any]:
    """Return the arguments of `derive` for a person counted in at most MOST numbers, once in each."""
    arguments = _statistic_and_neighbours(release)
    if release.each_number != "people":
        arguments |= {"low": release.lowest, "high": release.highest}
    if release.each_number == "average":
        return {**arguments, "records": release.population}
    arguments |= {"contributions": most, "dimension": release.dimension}
    if release.dimension > 1 and release.each_number == "sum":
        return {**arguments, "touched": 1}
    if release.dimension > 1 and most > 1:
        return {**arguments, "per_cell": 1}
    return arguments


def by_hand(decision: Decision) -> frozenset[str]:
    """Return the technical fields of the only table that no plain answer implies: they were set by hand."""
    release, follows = decision.release, derived(decision)
    asked_directly = {
        "dimension": bool(release.divisions),
        "contributions": counted(decision) == "up_to",
        "repetitions": release.how_often in REPEATED,
    }
    names = set()
    for name in itertools.chain.from_iterable(FOLLOWS.values()):
        value, default = getattr(release, name), Release.model_fields[name].get_default()
        if name in follows:
            by_hand = value != follows[name]
        else:
            by_hand = value != default and not asked_directly.get(name, False)
        if by_hand:
            names.add(name)
    return frozenset(names)


# ------------------------------------------------------------------------------------ edits


def answer_plainly(
    decision: Decision, answers: Mapping[str, Any], acknowledged: Mapping[str, Acknowledgement | None] | None = None
) -> Decision:
    """Return DECISION with plain ANSWERS, and the technical fields that then follow.

    Arguments: answers, fields of the release by name, such as person_word or divisions; acknowledged, the answers to
    assumptions that belong to them by key, None removing one. Raises InvalidInput where an answer is not allowed or
    contradicts another.
    """
    answered = decision
    for name, raw in answers.items():
        answered = edits.put(answered, f"$.release.{name}", raw)
    if decision.release.divisions and not answered.release.divisions and "divisions" in answers:
        answered = edits.put(answered, "$.release.dimension", 1)
    for key, answer in (acknowledged or {}).items():
        answered = with_answer(answered, answer, key)
    _check_counts(answered)
    return _with_following_fields(decision, answered, frozenset(answers))


def _with_following_fields(before: Decision, after: Decision, answered: frozenset[str]) -> Decision:
    """Return AFTER with the technical fields that follow from it but not from BEFORE; those ANSWERED stay."""
    old = derived(before)
    decision = after
    for _ in range(2):  # the statistic follows from the dimension, and so may the sensitivity from both
        new = derived(decision)
        changed = {name: value for name, value in new.items() if name not in old or old[name] != value}
        removed = {
            name: Release.model_fields[name].get_default() for name in old if name not in new and name not in answered
        }
        decision = _with_fields(decision, changed | removed)
    return decision


def _with_fields(decision: Decision, fields: Mapping[str, Any]) -> Decision:
    release = decision.release
    changed = {name: value for name, value in fields.items() if getattr(release, name) != value}
    if not changed:
        return decision
    if changed.keys() & {"sensitivity", "sensitivity_other", "statistic", "neighbours"}:
        changed["derivation"] = None  # it described the old fields
    return edits.put(decision, "$.release", release.model_copy(update=changed))


def _check_counts(decision: Decision) -> None:
    most, numbers = most_counts(decision), decision.release.dimension
    if most is not None and most > numbers > 1:
        raise InvalidInput(
            message(
                "must be at most {numbers}, because there are no more numbers; found {found}",
                numbers=numbers,
                found=most,
            ),
            "$.release.contributions",
            "Enter how many of them one person can be counted in.",
        )
