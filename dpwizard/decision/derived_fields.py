"""The technical fields of a release that follow from the plain answers, and which of them were set by hand.

A plain answer is a fact: how many counts one person can be in, how often the table is published. What follows from it
(statistic, sensitivity, noise) is derived here. Answering a plain question sets the fields that then follow anew, and
leaves alone what was set by hand and does not depend on that answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import edits
from dpwizard.decision.decision import Acknowledgement, Decision
from dpwizard.decision.plain_answers import EachNumber
from dpwizard.decision.release import Release
from dpwizard.decision.sensitivity import Derivation, Statistic, derive
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
# by question, the technical fields that follow from its answer
FOLLOWS: Mapping[str, tuple[str, ...]] = {
    "title": (),
    "each_number": ("statistic", "mechanism", "neighbours", "step", "post_processing"),
    "divisions": ("dimension",),
    "who": ("unit",),
    "counted": ("contributions", "cap", "sensitivity", "sensitivity_other"),
    "how_often": ("repetitions",),
    "public": (),
}


def answer_to(decision: Decision, assumption: str) -> Acknowledgement | None:
    """Return what DECISION answers to the assumption of that key; None where it is not answered."""
    return next((one for one in decision.acknowledged if one.assumption == assumption), None)


def with_answer(decision: Decision, answer: Acknowledgement | None, assumption: str) -> Decision:
    """Return DECISION with ANSWER to the assumption of that key, in the place of any before; None takes it away."""
    others = tuple(one for one in decision.acknowledged if one.assumption != assumption)
    return edits.put(decision, "$.acknowledged", others if answer is None else (*others, answer))


# ------------------------------------------------------------------------------------ what is answered


def counted(decision: Decision) -> Counted | None:
    """Return in how many of the numbers one person can be counted; None where nobody answered."""
    answer = answer_to(decision, COUNTS_ONCE)
    if answer is None:
        return None
    return "up_to" if answer.state == "refused" else "unknown" if answer.state == "open" else "one"


def each_number(decision: Decision) -> EachNumber | None:
    """Return what each number says, as answered or as the statistic of every table says; None where neither does."""
    release = decision.release
    kinds = {None if table.statistic is None else OF_STATISTIC[table.statistic] for table in release.tables}
    return release.each_number or (kinds.pop() if len(kinds) == 1 else None)


def is_published_before(decision: Decision) -> bool:
    """Return whether anything is named that was published about the same people."""
    return bool(decision.release.spent) or decision.release.unprotected is not None


def public(decision: Decision) -> Public | None:
    """Return what is public already about the same people; None where nobody answered."""
    if is_published_before(decision):
        return "something"
    answer = answer_to(decision, NOTHING_ELSE)
    if answer is None:
        return None
    return "something" if answer.state == "refused" else "unknown" if answer.state == "open" else "nothing"


def most_counts(decision: Decision) -> int | None:
    """Return the most numbers that one person is counted in, as answered; None where that is open."""
    counts = counted(decision)
    if counts == "up_to":
        return decision.release.contributions if decision.release.contributions > 1 else None
    return None if counts is None else 1


def asks_before(decision: Decision) -> bool:
    """Return whether the step of budgets asks: of all but one table that is described plainly, made once, with nothing
    public about the same people before."""
    release = decision.release
    plain = release.each_number is not None and len(release.tables) == 1
    once = release.repetitions == 1 and release.how_often not in REPEATED
    budgets = any(requirement.step == "budget" for requirement in decision.requirements)
    return not plain or budgets or not once or public(decision) == "something"


def open_questions(decision: Decision) -> tuple[Question, ...]:
    """Return the plain questions that neither an answer nor a technical field answers, in their order."""
    release = decision.release
    divided = all(not division.missing() for division in release.divisions)
    answered: Mapping[Question, bool] = {
        "title": decision.title is not None,
        "each_number": release.each_number is not None or _is_answered(release, "statistic"),
        "divisions": divided
        and (bool(release.divisions) or release.dimension > 1 or _is_answered(release, "statistic")),
        "who": None not in (release.person_word, release.reveals) or _by_hand_alone(release, release.unit is not None),
        "counted": most_counts(decision) is not None or _by_hand_alone(release, _is_answered(release, "sensitivity")),
        "how_often": _has_contribution_bound(release) or _by_hand_alone(release, _is_answered(release, "statistic")),
        "public": public(decision) is not None or _by_hand_alone(release, _is_answered(release, "statistic")),
    }
    return tuple(question for question in QUESTIONS if not answered[question])


def _is_answered(release: Release, field: str) -> bool:
    """Return whether a technical FIELD is answered of every table."""
    return all(getattr(table, field) is not None for table in release.tables)


def _by_hand_alone(release: Release, answered: bool) -> bool:
    """Return whether a technical field is ANSWERED of a release to which nobody answered a plain question."""
    return release.each_number is None and answered


def _has_contribution_bound(release: Release) -> bool:
    return release.how_often is not None and (release.how_often not in REPEATED or release.repetitions > 1)


# ------------------------------------------------------------------------------------ what follows


def derived(decision: Decision) -> dict[str, Any]:
    """Return the technical fields that follow from the plain answers of DECISION, by name; none of what is open."""
    release = decision.release
    found: dict[str, Any] = {}
    if release.each_number not in (None, "other"):
        found |= _noise(decision)
    if release.person_word is not None:
        found["unit"] = unit_of(release.person_word, decision.language)
    counts = counted(decision)
    if counts in ("one", "unknown"):
        found["contributions"] = 1
    if counts is not None:
        found["cap"] = 1 if counts == "unknown" else None
    if release.how_often is not None and release.how_often not in REPEATED:
        found["repetitions"] = 1
    worked_out = sensitivity(decision)
    if worked_out is not None:
        found |= {"sensitivity": worked_out.l1, "sensitivity_other": worked_out.l1_other}
    return found


def unit_of(word: str, language: str) -> str:
    """Return what is protected where one person is called WORD: "one patient", as LANGUAGE says it."""
    return f"eine Person ({word})" if language == "de" else f"one {word}"


def _noise(decision: Decision) -> dict[str, Any]:
    """Return statistic, noise and what is done after it, which follow from what each number says."""
    release = decision.release
    several = release.dimension > 1
    kept = tuple(step for step in release.post_processing if step != "clamping")
    if release.each_number == "people":
        return {
            "statistic": "histogram" if several else "count",
            "neighbours": "add_remove",
            "mechanism": GEOMETRIC.name,
            "step": None,
            "post_processing": (*kept, "clamping"),
        }
    if release.each_number == "average":
        return {"statistic": "mean", "neighbours": "replace", "mechanism": LAPLACE.name, "post_processing": kept}
    whole = WHOLE_AMOUNTS in decision.accepted
    clamped = release.lowest is not None and release.lowest >= 0
    return {
        "statistic": "vector" if several else "sum",
        "neighbours": "add_remove",
        "mechanism": GEOMETRIC.name if whole else LAPLACE.name,
        "step": 1.0 if whole and not several else None,
        "post_processing": (*kept, "clamping") if clamped else kept,
    }


def sensitivity(decision: Decision) -> Derivation | None:
    """Return the sensitivity that follows from the plain answers; None where one of them is open or does not fit."""
    release, most = decision.release, most_counts(decision)
    if most is None or release.each_number in (None, "other") or most > release.dimension > 1:
        return None
    try:
        return derive(**_bounds(release, most))
    except DPWizardError:
        return None


def _bounds(release: Release, most: int) -> dict[str, Any]:
    """Return the arguments of `derive` for numbers of which one person is counted in MOST at most, once in each."""
    if release.each_number == "people":
        several = release.dimension > 1
        return {
            "statistic": "histogram" if several else "count",
            "neighbours": "add_remove",
            "contributions": most,
            "dimension": release.dimension,
            **({"per_cell": 1} if several and most > 1 else {}),
        }
    bounds = {"low": release.lowest, "high": release.highest}
    if release.each_number == "average":
        return {"statistic": "mean", "neighbours": "replace", "records": release.population, **bounds}
    several = release.dimension > 1
    return {
        "statistic": "vector" if several else "sum",
        "neighbours": "add_remove",
        "contributions": most,
        "dimension": release.dimension,
        **({"touched": 1} if several else {}),
        **bounds,
    }


def by_hand(decision: Decision) -> frozenset[str]:
    """Return the technical fields of the only table that do not follow from the plain answers: set by hand."""
    release, follows = decision.release, derived(decision)
    names = [name for fields in FOLLOWS.values() for name in fields]
    return frozenset(
        name
        for name in names
        if (
            getattr(release, name) != follows[name]
            if name in follows
            else getattr(release, name) != Release.model_fields[name].get_default() and not _is_asked(decision, name)
        )
    )


def _is_asked(decision: Decision, name: str) -> bool:
    """Return whether a plain question asks for the technical field NAME itself."""
    release = decision.release
    asked = {
        "dimension": bool(release.divisions),
        "contributions": counted(decision) == "up_to",
        "repetitions": release.how_often in REPEATED,
    }
    return asked.get(name, False)


# ------------------------------------------------------------------------------------ answering


def answer_plainly(
    decision: Decision, answers: Mapping[str, Any], acknowledged: Mapping[str, Acknowledgement | None] | None = None
) -> Decision:
    """Return DECISION with plain ANSWERS, and the technical fields that now follow.

    Arguments: answers, fields of the release by name, such as person_word, how_often or divisions; acknowledged, by
    key, the answers to assumptions that belong to them, None taking one away. Raises InvalidInput where an answer is
    not allowed, or contradicts another.
    """
    made = decision
    for name, raw in answers.items():
        made = edits.put(made, f"$.release.{name}", raw)
    if decision.release.divisions and not made.release.divisions and "divisions" in answers:
        made = edits.put(made, "$.release.dimension", 1)
    for key, answer in (acknowledged or {}).items():
        made = with_answer(made, answer, key)
    _require_room(made)
    return _followed(decision, made, frozenset(answers))


def _followed(before: Decision, after: Decision, asked: frozenset[str]) -> Decision:
    """Return AFTER with the technical fields that follow from it and did not follow from BEFORE; those ASKED for
    themselves are as they were answered."""
    old = derived(before)
    made = after
    for _ in range(2):  # the statistic follows from the dimension, and so may the sensitivity from both
        new = derived(made)
        changed = {name: value for name, value in new.items() if name not in old or old[name] != value}
        gone = {name: Release.model_fields[name].get_default() for name in old if name not in new and name not in asked}
        made = _with(made, changed | gone)
    return made


def _with(decision: Decision, fields: Mapping[str, Any]) -> Decision:
    release = decision.release
    changed = {name: value for name, value in fields.items() if getattr(release, name) != value}
    if not changed:
        return decision
    if changed.keys() & {"sensitivity", "sensitivity_other", "statistic", "neighbours"}:
        changed["derivation"] = None  # it spoke of what was before
    return edits.put(decision, "$.release", release.model_copy(update=changed))


def _require_room(decision: Decision) -> None:
    """Raise InvalidInput where one person is said to be in more numbers than there are."""
    most, numbers = most_counts(decision), decision.release.dimension
    if most is not None and most > numbers > 1:
        raise InvalidInput(
            message(
                "must be at most {numbers}, for there are no more numbers; found {found}", numbers=numbers, found=most
            ),
            "$.release.contributions",
            "Enter how many of them one person can be counted in.",
        )
