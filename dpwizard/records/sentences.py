"""The sentences of a record: they follow from its numbers, in its decision's language, and are stored nowhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from dpwizard.base.language import counting, speaking
from dpwizard.base.values import freeze
from dpwizard.decision import Assessment, Decision, Reason, admitted
from dpwizard.records import drawn
from dpwizard.records.record import Record
from dpwizard.wording import (
    assessments,
    field_label,
    general_guarantee,
    persons,
    plain_sentences,
    range_of,
    texts,
    word,
)

REQUIREMENT = re.compile(r"\$\.requirements\[(\d+)\]")
LIMITS = ("population", "assumptions", "implementation", "sensitivity", "elsewhere")


@dataclass(frozen=True, kw_only=True)
class OfAnswer:
    """The sentences about one requirement."""

    title: str
    bound: str
    why: str
    at_epsilon: str


@dataclass(frozen=True, kw_only=True)
class Sentences:
    """What a record says in words, each sentence as the window shows it."""

    language: str
    window: str
    position: str
    broken: tuple[str, ...]
    answers: tuple[OfAnswer, ...]
    assumed: tuple[str, ...]  # the keys of the assumptions
    assumptions: tuple[str, ...]
    limits: tuple[str, ...]
    meaning: tuple[str, ...]
    plain: plain_sentences.PlainSentences | None  # those of step 6 and page one; None where no budget is chosen
    person: str  # what one person may lose over all the units that they are; empty where that is nothing more


def sentences(record: Record) -> Sentences:
    """Return every sentence that RECORD comes to."""
    meaning = (tuple(map(_clause, sentence)) for sentence in record.drawn.meaning)
    return sentences_of(record.planned, record.assessment, meaning, record.accounting.of_one_person)


def sentences_of(
    decision: Decision,
    assessment: Assessment,
    meaning: Iterable[Iterable[general_guarantee.Clause]],
    loss: float | None,
) -> Sentences:
    """Return the sentences on DECISION, its shares allotted, with its ASSESSMENT, the MEANING of its budget, and the
    LOSS of one person given all others."""
    language = decision.language
    assumed = (key for answer in assessment.answers if answer.enabled for key in answer.assumptions)
    keys = tuple(dict.fromkeys((*assumed, *admitted(decision))))
    with speaking(language), counting(decision.release.counted_in):
        shown = range_of(assessment)
        guarantee = general_guarantee.in_words(meaning, decision.release)
        return Sentences(
            language=language,
            window=assessments.window(assessment),
            position=assessments.position(assessment),
            broken=persons.violations(decision, assessment),
            answers=tuple(
                OfAnswer(
                    title=assessments.title(answer),
                    bound=assessments.bound(answer, shown),
                    why=assessments.why(answer.why, kind=answer.kind),
                    at_epsilon=persons.at_epsilon(decision.release, answer),
                )
                for answer in assessment.answers
            ),
            assumed=keys,
            assumptions=tuple(texts.word("assumption", key) for key in keys),
            limits=tuple(texts.word("limit", key) for key in LIMITS),
            meaning=guarantee,
            plain=plain_sentences.of_loss(decision, assessment, loss, guarantee)
            if assessment.epsilon is not None
            else None,
            person=persons.of_a_person(decision.release, assessment),
        )


def _clause(clause: drawn.RecordedClause) -> general_guarantee.Clause:
    stated, figures = clause.reason, freeze(clause.figures)
    reason = None if stated is None else Reason(key=stated.key, values=freeze(stated.figures))
    return general_guarantee.Clause(section=clause.section, key=clause.key, figures=figures, reason=reason)


def label(decision: Decision, path: str, *, named: bool = False) -> str:
    """Return what stands at PATH of DECISION is called: without any text that somebody typed, unless it is NAMED."""
    match = REQUIREMENT.match(path)
    if match is None:
        return field_label((Decision,), path, decision if named else None)
    requirement = decision.requirements[int(match[1])]
    number = word("edition", "requirement").format(number=int(match[1]) + 1)
    field = field_label((type(requirement),), path[match.end() :], requirement if named else None)
    return f"{number}: {field}" if field else number
