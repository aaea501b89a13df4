"""A justification drafted from an assessment: what was chosen, what bounds it from either side, and what it misses.

It says nothing that the assessment does not: where nothing bounds, it says that; where something is open, that. One
sentence a line, so that a line which no longer fits the decision can be told from one that an officer wrote.
"""

from __future__ import annotations

import math
import re
import string
from collections.abc import Iterator, Sequence
from typing import Any

from dpwizard.base.language import LANGUAGES, counting, speaking
from dpwizard.decision import Assessment, Decision, NumberRequirement
from dpwizard.wording.explain import say, title, word
from dpwizard.wording.needs import need as need_in_words
from dpwizard.wording.printed_range import range_of

NEAR = 1e-9  # relative: an end of the window that is taken may lie a few digits inside it
KEYS = (
    *("chosen", "repeated", "upper", "no_upper", "lower", "no_lower", "meet"),
    *("alone", "largest", "smallest", "between", "within", "outside", "empty", "incomplete", "unkept", "assumed"),
)


def draft(decision: Decision, assessment: Assessment, language: str | None = None) -> str:
    """Return a justification of the budget chosen, in LANGUAGE (None: that of the record); "" where none is chosen."""
    if assessment.epsilon is None:
        return ""
    with speaking(language or decision.language), counting(assessment.counted_in):
        return "\n".join(say("draft", key, figures) for key, figures in _sentences(decision, assessment))


def is_draft(decision: Decision, assessment: Assessment) -> bool:
    """Return whether the justification is word for word what is drafted now, in any language."""
    written = decision.justification
    return bool(written) and any(written == draft(decision, assessment, language) for language in LANGUAGES)


def outdated(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return the lines of the justification that were drafted, or read as if they were, and do not hold any more."""
    lines = [line.strip() for line in (decision.justification or "").splitlines()]
    fresh = {line for language in LANGUAGES for line in draft(decision, assessment, language).splitlines()}
    return tuple(line for line in lines if line and line not in fresh and _drafted(line))


def is_only_drafted(text: str) -> bool:
    """Return whether every line of TEXT reads as if it were drafted, for this decision or another."""
    return all(_drafted(line.strip()) for line in text.splitlines() if line.strip())


def _drafted(line: str) -> bool:
    for language in LANGUAGES:
        for budget in ("epsilon", "rho"):
            with speaking(language), counting(budget):
                if any(re.fullmatch(_shape(word("draft", key)), line) for key in KEYS):
                    return True
    return False


def _shape(template: str) -> str:
    """Return what matches every sentence that TEMPLATE can become."""
    return "".join(
        re.escape(said) + (".+" if field is not None else "")
        for said, field, _, _ in string.Formatter().parse(template)
    )


def _sentences(decision: Decision, assessment: Assessment) -> Iterator[tuple[str, dict[str, Any]]]:
    window, chosen, release = assessment.window, assessment.epsilon, decision.planned.release
    assert chosen is not None
    answers = assessment.answers
    shown = range_of(assessment)
    yield "chosen", {"chosen": shown.chosen and shown.chosen.text}
    if release.repetitions > 1:
        yield "repeated", {"repetitions": release.repetitions, "total": release.cost(chosen)}
    upper = window.upper if window.binds_upper is not None else None
    lower = window.lower if window.binds_lower is not None else None
    called = _called(decision, assessment)
    above = [] if window.binds_upper is None else [called[window.binds_upper]]
    below = [] if window.binds_lower is None else [called[window.binds_lower]]
    if above and below and shown.single:
        yield "meet", {"above": above, "below": below, "end": shown.single}
    elif not window.empty:
        most, least = shown.upper and shown.upper.text, shown.lower and shown.lower.text
        yield ("no_upper", {}) if most is None else ("upper", {"names": above, "limit": most})
        yield ("no_lower", {}) if least is None else ("lower", {"names": below, "need": least})
    yield from _place(assessment, called, lower, upper)
    if unkept := [called[index] for index in assessment.unkept]:
        yield "unkept", {"names": unkept}
    if not window.complete:
        yield "incomplete", {}
    if any(answer.enabled and answer.status == "allowed" and answer.assumptions for answer in answers):
        yield "assumed", {}


def _called(decision: Decision, assessment: Assessment) -> tuple[str, ...]:
    """Return what each requirement is called; a need of the only table without a name by the sentence it says."""
    pairs = zip(decision.requirements, assessment.answers, strict=True)
    return tuple(
        need_in_words(asked, decision.planned.release)
        if isinstance(asked, NumberRequirement) and not answer.name and answer.part is None
        else title(answer)
        for asked, answer in pairs
    )


def _place(
    assessment: Assessment, called: Sequence[str], lower: float | None, upper: float | None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Say where in the window the budget lies: only where it does, and nothing of a window that is open."""
    window, chosen = assessment.window, assessment.epsilon
    assert chosen is not None
    if window.empty:
        yield "empty", {"names": [called[index] for index in window.conflict]}
    if assessment.inside is False:
        judged = zip(called, assessment.answers, strict=True)
        missed = [name for name, answer in judged if answer.enabled and answer.met is False]
        if missed:
            yield "outside", {"names": missed}
    elif assessment.inside and not assessment.unkept and (upper is not None or lower is not None):
        if window.touching:
            yield "alone", {}
        elif upper is not None and math.isclose(chosen, upper, rel_tol=NEAR):
            yield "largest", {}
        elif lower is not None and math.isclose(chosen, lower, rel_tol=NEAR):
            yield "smallest", {}
        else:
            yield "between" if upper is not None and lower is not None else "within", {}
