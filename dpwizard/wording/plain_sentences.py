"""What a chosen epsilon means, in the sentences that are signed: the same in step 6 and on the record's first page.

A sentence about guesses compares the two datasets in which all records but one are the same. It needs no assumption on
other people, because their records are given. A guess at even odds is right with a chance of at most e^L / (1 + e^L),
where L bounds the privacy loss (Dwork & Roth 2014, Definition 2.4). The sentence is used only if that loss is known for
all units of a person. Otherwise the requirement's own sentence takes its place.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpwizard.base.language import counting, word
from dpwizard.base.numerics import up
from dpwizard.decision import (
    AccuracyInputs,
    AccuracyRequirement,
    AddOrRemoveOne,
    Assessment,
    BaseRequirement,
    Decision,
    PrivacyInputs,
    Release,
    ReplaceOne,
    RequirementResult,
    TableSum,
    admitted,
    published_setting,
    table_sums,
)
from dpwizard.decision.requirements import NoiseInterval
from dpwizard.wording import general_guarantee, persons
from dpwizard.wording.assessments import title
from dpwizard.wording.figures import NEARLY_ALL, cases_up, effect_up, listed, number, quoted, whole
from dpwizard.wording.general_guarantee import GuessOdds
from dpwizard.wording.needs import need, tables_asked
from dpwizard.wording.plain_words import plural, with_article
from dpwizard.wording.texts import format_text
from dpwizard.wording.typed_chances import percent

GROUP = 3  # people who are all alike
LEVEL, WATCHED = 0.95, 3  # how often each count is so far off; the small count that a true 0 may look like
BELIEFS = (0.01, 0.1)
MOST_SAID, MOST_NAMED = 4, 2  # needs of several tables that are said, and tables of one that are named
COUNTED = frozenset({"count", "histogram"})


@dataclass(frozen=True, kw_only=True)
class PlainSentences:
    """The sentences on one choice; a text is empty, and guesses None, where nothing true of that kind can be said."""

    promise: str
    guesses: GuessOdds | None  # at even odds
    beliefs: str
    needs: tuple[str, ...]
    gets: str  # what each count gets beside
    not_hidden: str


def plain_sentences(decision: Decision, assessment: Assessment) -> PlainSentences | None:
    """Return the sentences on the choice of DECISION; None where none is chosen."""
    if assessment.epsilon is None:
        return None
    with counting(assessment.counted_in):
        meaning, loss = general_guarantee.meaning(decision), loss_given_others(decision.planned)
        gets = _gets(decision.planned.release, assessment.epsilon, needs_kept(decision, assessment))
        return of_loss(decision, assessment, loss, meaning, gets)


def of_loss(
    decision: Decision, assessment: Assessment, loss: float | None, meaning: tuple[str, ...], gets: str = ""
) -> PlainSentences:
    """Return the same from the LOSS given all other records and the MEANING of the budget, which are known already."""
    release, guesses = decision.release, None if loss is None else general_guarantee.two_worlds(loss)
    return PlainSentences(
        promise=_guess(release, guesses) if guesses else _limiting_requirement(release, assessment, meaning),
        guesses=guesses,
        beliefs="" if loss is None or guesses is None else _beliefs(loss),
        needs=needs_kept(decision, assessment),
        gets=gets,
        not_hidden=_not_hidden(release, loss),
    )


def loss_given_others(decision: Decision) -> float | None:
    """Return the largest privacy loss of one person's record, all other records given; None where none is known.

    All repetitions count, and earlier releases where beliefs are from before all of them. None where the noise has no
    largest loss, a unit is not all of one person, there are several tables, exact figures stand beside the noise, or
    the particulars admit what no budget counts.
    """
    release = decision.release
    if decision.chosen is None or release.counted_in != "epsilon" or release.noise.needs_delta:
        return None
    if release.tables[1:] or general_guarantee.no_guarantee_reason(release) or admitted(decision):
        return None
    if release.neighbours is None or persons.units_of_a_person(release) != 1:
        return None
    setting = release.privacy_setting(ReplaceOne() if release.neighbours == "replace" else AddOrRemoveOne())
    if not isinstance(setting, PrivacyInputs) or setting.loss.missing is not None or not setting.loss.spent_pure:
        return None
    return up(setting.loss.total_epsilon(decision.chosen), 1)


def chance_after(before: float, loss: float) -> float:
    """Return the highest chance after the release of what had the chance BEFORE, all other records given."""
    return before / (before + math.exp(-loss) * (1.0 - before))


def _guess(release: Release, guesses: GuessOdds) -> str:
    if release.neighbours == "replace":
        key = "guess_value"
    else:
        key = "guess_result" if release.reveals and release.statistic in COUNTED else "guess_presence"
    return format_text("protection", key, {**guesses._asdict(), "person": person(release)})


def _limiting_requirement(release: Release, assessment: Assessment, meaning: tuple[str, ...]) -> str:
    """Return what the requirement that sets the limit says of the choice; without one, what holds for one person."""
    answers = [answer for answer in assessment.answers if answer.enabled and answer.side == "upper"]
    index = assessment.window.binds_upper
    first = [] if index is None else [assessment.answers[index]]
    for answer in (*first, *answers):
        if text := persons.at_epsilon(release, answer):
            return text
    return meaning[0] if meaning else ""


def _beliefs(loss: float) -> str:
    one, ten = (chance_after(before, loss) for before in BELIEFS)
    key = "beliefs" if ten < NEARLY_ALL else "beliefs_nearly_certain"
    return format_text("protection", key, {"one": effect_up(one), "ten": effect_up(ten)})


def needs_kept(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return what the choice keeps of each need: as it was asked where it was asked as an interval."""
    if len(decision.release.tables) > 1:
        return _needs_of_tables(decision, assessment)
    sentences = []
    for requirement, answer in zip(decision.requirements, assessment.answers, strict=True):
        if not answer.enabled or answer.side != "lower" or not answer.met:
            continue
        name = answer.name or _name(requirement, decision.planned.release)
        interval = _required_interval(requirement)
        if name and interval:
            sentences.append(format_text("protection", "within", {"name": name, **interval}))
        else:
            sentences.append(persons.at_epsilon(decision.release, answer))
    return tuple(text for text in sentences if text)


def _needs_of_tables(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return the same of several tables: tables with equal figures share a sentence; of many sentences the first."""
    tables_by_sentence: dict[str, list[str]] = {}
    sentences: dict[str, str] = {}  # by what they say of: equal tables have one
    for requirement, answer in zip(decision.requirements, assessment.answers, strict=True):
        if isinstance(requirement, AccuracyRequirement) and answer.enabled and answer.met:
            interval = {} if requirement.is_sum() else _required_interval(requirement)
            figures_key = str(interval or (answer.kind, answer.at_epsilon))
            if figures_key not in sentences:
                within = format_text("protection", "tables_within", interval) if interval else ""
                sentences[figures_key] = within or persons.at_epsilon(decision.release, answer)
            tables_by_sentence.setdefault(sentences[figures_key], []).append(tables_asked(requirement))
    texts = [
        format_text("protection", "of_tables", {"tables": in_short(names), "said": text})
        for text, names in tables_by_sentence.items()
    ]
    if len(texts) <= MOST_SAID:
        return tuple(texts)
    first, rest = texts[: MOST_SAID - 1], list(tables_by_sentence.values())[MOST_SAID - 1 :]
    return (*first, format_text("protection", "more_needs", {"count": whole(sum(map(len, rest)))}))


def in_short(names: list[str]) -> str:
    """Return NAMES, of many the first ones and how many more there are; in quotation marks where marks are in them."""
    names = [quoted(name) for name in names] if any(set(name) & set(",;:") for name in names) else names
    if len(names) <= MOST_NAMED + 2:
        return listed(names)
    more = whole(len(names) - MOST_NAMED)
    return format_text("protection", "more_tables", {"names": listed(names[:MOST_NAMED]), "count": more})


def need_in_short(requirement: BaseRequirement, answer: RequirementResult, release: Release) -> str:
    """Return an accuracy requirement's name beside a privacy requirement: a ward's total within 5."""
    return _name_within(requirement, release) or title(answer)


def limits_set_by(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return which requirement sets each end of the allowed range, a line for each end that one sets."""
    return tuple(
        format_text(
            "window", key, {"name": need_in_short(decision.requirements[at], assessment.answers[at], decision.release)}
        )
        for key in ("binds_upper", "binds_lower")
        if (at := getattr(assessment.window, key)) is not None
    )


def what_lowers(decision: Decision, assessment: Assessment) -> str:
    """Return why less is allowed than for one release alone, in a sentence; empty where no other release counts."""
    at = assessment.window.binds_upper
    setting = None if at is None else decision.requirements[at].setting(decision.release)
    if not isinstance(setting, PrivacyInputs):
        return ""
    earlier = decision.release.spent and (setting.loss.earlier_epsilon or setting.loss.earlier_curve)
    counted = {"again": setting.repetitions > 1, "before": earlier}
    key = "_and_".join(name for name, counts in counted.items() if counts)
    return format_text("lowered", key, {"count": setting.repetitions}) if key else ""


def need_in_words(requirement: AccuracyRequirement, release: Release) -> str:
    """Return what a need asks, as shortly as it can be said: a ward's total within 5, typical error at most 0.6."""
    return _name_within(requirement, release) or need(requirement, release)


def _name_within(requirement: BaseRequirement, release: Release) -> str:
    name, interval = requirement.name or _name(requirement, release), _required_interval(requirement)
    return format_text("protection", "name_within", {"name": name, **interval}) if name and interval else ""


def _required_interval(requirement: BaseRequirement) -> dict[str, str]:
    """Return the interval that a need asks for, as it was typed; nothing for other needs."""
    if not isinstance(requirement, NoiseInterval) or requirement.half_width is None or requirement.level is None:
        return {}
    return _interval(requirement.half_width, requirement.level)


def _name(requirement: BaseRequirement, release: Release) -> str:
    """Return what the numbers are called that a need speaks of: a ward's total; nothing for others."""
    if len(release.tables) > 1:
        if not isinstance(requirement, AccuracyRequirement) or requirement.is_sum():
            return ""
        return tables_asked(requirement)
    table_sum = next((table_sum for table_sum in table_sums(release) if table_sum.is_asked_by(requirement)), None)
    return "" if table_sum is None else sum_name(table_sum, unit_of(release))


def unit_of(release: Release) -> str:
    """Return the key of what one number of the only table is called: a count, a sum, or any number."""
    if release.tables[0].statistic in (*COUNTED, None):
        return "count"
    return "sum" if release.each_number == "sum" else "number"


def sum_name(table_sum: TableSum, unit: str, note: str = "") -> str:
    """Return what the numbers of TABLE_SUM are called, such as "A ward’s total"; or a NOTE on them, in a few words."""
    key = "alone" if table_sum.which == "each" and table_sum.sums == 1 else table_sum.which
    words = {
        "units": word("sum", f"{unit}s"),
        "unit": word("sum", unit),
        "a_division": with_article(table_sum.division),
    }
    counts = {"cells": whole(table_sum.cells), "sums": whole(table_sum.sums), "division": table_sum.division}
    text = format_text("sum", f"{key}{note}", {**words, **counts})
    return text if note else f"{text[:1].upper()}{text[1:]}"


def _gets(release: Release, epsilon: float, needs: tuple[str, ...]) -> str:
    """Return how far off each count is unless NEEDS say it, and how often a true 0 looks like a case.

    Nothing for other statistics.
    """
    setting = published_setting(release, release.tables[0].name) if len(release.tables) == 1 else None
    alone = isinstance(setting, AccuracyInputs) and setting.added_up is None
    noise = setting.noise_at(epsilon) if isinstance(setting, AccuracyInputs) and alone else None
    if noise is None or release.statistic not in COUNTED or not noise.noise.integer_valued:
        return ""
    name = sum_name(table_sums(release)[0], "count")
    within = format_text("protection", "within", {"name": name, **_interval(noise.interval(LEVEL).half_width, LEVEL)})
    often = cases_up(noise.reaching(Fraction(WATCHED)))
    small = format_text("sum", "small", {"watched": whole(WATCHED), "often": often})
    return small if within in needs else f"{within} {small}"


def _interval(half_width: float, level: float) -> dict[str, str]:
    return {"half": number(half_width), "count": percent(level).removesuffix(" %")}


def _not_hidden(release: Release, loss: float | None) -> str:
    if release.divisions:
        key = "not_hidden_average" if release.each_number == "average" else "not_hidden_total"
        sentences = [format_text("protection", key, {"group": with_article(release.divisions[0].name)})]
    else:
        sentences = [word("protection", "not_hidden_people")]
    group = None if loss is None else general_guarantee.two_worlds(GROUP * loss)
    if group is not None and release.neighbours == "add_remove" and release.reveals:
        figures = {**group._asdict(), "people": plural(person(release)), "reveals": release.reveals}
        sentences.append(format_text("protection", "group_alike", figures))
    return " ".join(sentences)


def person(release: Release) -> str:
    """Return what one person is called in sentences: the officer's word, or "person"."""
    return release.person_word or word("protection", "person")
