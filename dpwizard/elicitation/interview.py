"""Ask me questions: a tolerance found by bets instead of asked for as a bare number.

A session is a frozen log of answers. From it follow the next question (or that it is enough), the contradictions, what
the answers imply elsewhere, and the result: a profile, an interval of epsilon and the answer that sets
the limit. No question names epsilon. The course of questions is in `course`, the mathematics in `question_design` and
`tolerance_curves`, the result in `result`; docs/elicitation.md says how well it works.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import read
from dpwizard.decision import (
    ALLOWED,
    AccuracyOption,
    Agreed,
    Chance,
    ElicitationSession,
    Given,
    Looked,
    Question,
    Reply,
    Stands,
    merged,
    read_session,
)
from dpwizard.elicitation import closing_look, course
from dpwizard.elicitation import threshold_design as thresholds
from dpwizard.elicitation.consistency import Inconsistency, inconsistencies
from dpwizard.elicitation.influences import AnswerEffect, change, implied, influences
from dpwizard.elicitation.result import (
    Result,
    answered_values,
    bounds_of,
    judged_of,
    look_epsilon,
    posterior_of_curves,
    posterior_of_threshold,
    result,
    span_of,
    spread,
    standing_answers,
    value_of,
)
from dpwizard.privacy.profiles import Profile
from dpwizard.wording import texts, written

__all__ = [
    "AnswerEffect",
    "Inconsistency",
    "InterviewState",
    "LogRow",
    "Result",
    "agree",
    "answered",
    "change",
    "changed",
    "choices",
    "contradiction_words",
    "inconsistencies",
    "influences",
    "judged",
    "look_at",
    "merged",
    "next_look",
    "next_question",
    "playback",
    "questions_answered",
    "read_session",
    "result",
    "settled",
    "spread",
]

LONGEST_NAMED = 8  # words of a benefit or a figure that a question can carry; a longer one is shown beside it


# ------------------------------------------------------------------------------------ questions


def next_question(session: ElicitationSession) -> Question | None:
    """Return the question to be asked next, in words, or None where the answers suffice.

    It depends on the session alone: the same answers are followed by the same question. Takes some hundredths of a
    second. Raises InvalidInput where the setup leaves nothing to ask about.
    """
    if session.setup.topic != "risk":
        return _next_of_threshold(session)
    asking = course.next_asking(span_of(session.setup), standing_answers(session), posterior_of_curves(session))
    if asking is None:
        return None
    again = None if asking.again is None else _numbers(session)[asking.again]
    return _question(session, "level" if asking.b is None else "pair", again, a=asking.a, b=asking.b)


def _numbers(session: ElicitationSession) -> tuple[int, ...]:
    """Return the numbers in the log of the questions of the course, played-back values left out."""
    return tuple(i + 1 for i, reply in enumerate(session.replies) if reply.question.kind != "playback")


def _next_of_threshold(session: ElicitationSession) -> Question | None:
    threshold = posterior_of_threshold(session)
    replies = [reply for reply in session.replies if reply.question.kind != "playback"]
    gaps = any(one.kind == "repeat" for one in inconsistencies(session))
    if len(replies) >= (thresholds.MOST_WITH_GAPS if gaps else thresholds.MOST):
        return None
    check = _check(session, replies, threshold)
    if check is not None:
        return check
    if len(replies) >= thresholds.FEWEST and thresholds.narrow(threshold):
        return None
    seen = [value for reply in replies if (value := value_of(reply.question)) is not None]
    value = thresholds.next_value(threshold, seen)
    if value is None:
        return None
    if session.setup.topic == "accuracy":
        return _question(session, "level", None, blur=AccuracyOption(off_by=value, one_in=session.setup.one_in))
    prior, _, _ = bounds_of(session.setup)
    out_of, before, after = 10_000, round(10_000 * prior), round(10_000 * (prior + value))
    if not before < after <= out_of or after - before in [round(10_000 * one) for one in seen]:
        return None
    while out_of > 100 and before % 10 == 0 and after % 10 == 0:  # as few dots as show it
        out_of, before, after = out_of // 10, before // 10, after // 10
    return _question(session, "level", None, a=Chance(out_of=out_of, before=before, after=after))


def _check(session: ElicitationSession, replies: Sequence[Reply], threshold: thresholds.Threshold) -> Question | None:
    """Return the question that is least sure to have the same answer again; None if no check is due."""
    repeated = {reply.question.again for reply in replies if reply.question.again is not None}
    for place in thresholds.CHECKS[len(repeated) :]:
        candidates = [
            (value, number)
            for number, value, _ in answered_values(session)
            if number not in repeated and session.replies[number - 1].question.again is None
        ]
        if len(replies) >= place and candidates:
            _, number = min(candidates, key=lambda one: abs(threshold.chance_accepted(one[0]) - 0.5))
            original = session.replies[number - 1].question
            return _question(session, "level", number, a=original.a, blur=original.blur)
    return None


def _question(session: ElicitationSession, kind: Any, again: int | None, **sides: Any) -> Question:
    return Question(kind=kind, again=again, text=_text(session, kind, **sides), **sides)


def _text(
    session: ElicitationSession,
    kind: str,
    a: Chance | None = None,
    b: Chance | None = None,
    blur: AccuracyOption | None = None,
) -> str:
    """Return a question in words: the one place that says how each kind is put."""
    setup, language = session.setup, session.language
    figures: dict[str, Any] = {
        "benefit": _named(setup.benefit, "benefit", language),
        "figure": _named(setup.figure, "figure", language),
    }
    if a is not None:
        figures.update(a_before=a.before, a_after=a.after, out_of=a.out_of)
    if b is not None:
        figures.update(b_before=b.before, b_after=b.after)
    if blur is not None:
        figures.update(off_by=blur.off_by, one_in=blur.one_in)
    topic = {"risk": kind, "guess": "guess", "accuracy": "accuracy"}[setup.topic]
    return texts.format_text("ask", "playback" if kind == "playback" else topic, figures, language)


def _named(text: str | None, key: str, language: str) -> str:
    """Return the officer's words, or a general word if they are too long."""
    if not text:
        return texts.word("ask", key, language)
    return text if len(text.split()) <= LONGEST_NAMED else texts.word("ask", f"{key}_named", language)


def choices(question: Question, language: str | None = None) -> tuple[tuple[str, str], ...]:
    """Return the answers a question allows, as key and words; a correction's words come with its value."""
    return tuple((key, texts.word("given", key, language)) for key in ALLOWED[question.kind] if key != "corrected")


def questions_answered(session: ElicitationSession) -> int:
    """Return how many questions were asked and answered, played-back values left out."""
    return len(_numbers(session))


# -------------------------------------------------------------------------------------- answers


def answered(
    session: ElicitationSession,
    question: Question,
    answer: Given | str,
    *,
    corrected: Chance | None = None,
    **details: Any,
) -> ElicitationSession:
    """Return the session with one more answer at its end. Raises InvalidInput if the question does not allow it.

    DETAILS: the seconds it took, the time, who gave it, and a note.
    """
    value = None if corrected is None else corrected.model_dump()
    asked_as = question.model_dump(exclude_none=True)
    return _longer(session, "replies", {"question": asked_as, "answer": answer, "corrected": value, **details})


def changed(session: ElicitationSession, number: int, answer: Given | str, **details: Any) -> ElicitationSession:
    """Return the session with answer NUMBER changed: the old one stays in the log, the new one counts."""
    if not 1 <= number <= len(session.replies):
        raise InvalidInput(
            message(
                "must be the number of an answer, 1 to {most}; found {found}", most=len(session.replies), found=number
            ),
            "number",
            "Look it up in the log.",
        )
    longer = answered(session, session.replies[number - 1].question, answer, **details)
    last = longer.replies[-1].model_dump(exclude_none=True)
    return _longer(session, "replies", {**last, "replaces": number})


def _longer(session: ElicitationSession, name: str, row: Mapping[str, Any]) -> ElicitationSession:
    """Return the session with ROW, but for what is open in it, at the end of its list of that NAME."""
    raw = session.model_dump(exclude_none=True)
    return read_session({**raw, name: (*raw[name], _known(row))})


def _known(row: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def settled(
    session: ElicitationSession, first: int, second: int, stands: Stands | str, **details: Any
) -> ElicitationSession:
    """Return the session with the contradiction between two answers settled; both stay in the log.

    DETAILS: the reason, who settled it, and the time.
    """
    return _longer(session, "settlements", {"first": first, "second": second, "stands": stands, **details})


def playback(session: ElicitationSession) -> tuple[Question, ...]:
    """Return what the answers imply where nothing was asked, as questions to confirm or correct; empty before any."""
    return tuple(_question(session, "playback", None, a=value) for value in implied(session))


# --------------------------------------------------------------------------------- closing looks


@dataclass(frozen=True, kw_only=True)
class InterviewState:
    """A closing look: what an epsilon allows, to be judged line by line."""

    text: str
    epsilon: float
    lines: tuple[Chance, ...]


def next_look(session: ElicitationSession) -> InterviewState | None:
    """Return the look to be judged next, in words, or None if there is no limit, or no look is needed.

    To be called once no question is left. Its lines show no less than the epsilon allows, and its epsilon is not above
    a look with a mark. Lines accepted at a larger epsilon are not shown again.
    """
    epsilon = look_epsilon(session)
    return None if epsilon is None else look_at(session, epsilon, whole=False)


def look_at(session: ElicitationSession, epsilon: float, *, whole: bool = True) -> InterviewState | None:
    """Return a look at exactly EPSILON, with every line where WHOLE, or None where it has no line to show."""
    lines = closing_look.lines(posterior_of_curves(session), epsilon, judged_of(session), whole=whole)
    text = texts.word("ask", "look" if whole or not session.looks else "look_again", session.language)
    return InterviewState(text=text, epsilon=epsilon, lines=lines) if lines else None


def judged(
    session: ElicitationSession, look: InterviewState, too_much: Iterable[int], could_be_more: bool, **details: Any
) -> ElicitationSession:
    """Return the session with one more look, TOO_MUCH of whose lines (by position, from 0) were marked.

    COULD_BE_MORE says whether every line could be. Raises InvalidInput where a line is named that is not there.
    """
    row = {
        "text": look.text,
        "epsilon": look.epsilon,
        "lines": tuple(line.model_dump() for line in look.lines),
        "too_much": tuple(too_much),
        "could_be_more": could_be_more,
        "answers": session.given,
        **_known(details),
    }
    read(Looked, row, "look")
    return _longer(session, "looks", row)


def contradiction_words(session: ElicitationSession, pair: Inconsistency) -> str:
    """Return a contradiction in a sentence."""
    return texts.format_text("inconsistency", pair.kind, {"first": pair.first, "second": pair.second}, session.language)


# ---------------------------------------------------------------------------- several assessors


def agree(
    sessions: tuple[ElicitationSession, ...], *, profile: Profile | None = None, value: float | None = None, reason: str
) -> ElicitationSession:
    """Return the session with the agreement of several assessors, beside their own sessions.

    Raises InvalidInput where nothing is agreed, or where their questions were about different things.
    """
    if not sessions:
        raise InvalidInput("is empty", "sessions", "Let each assessor answer alone first.")
    if (profile is None) == (value is None):
        raise InvalidInput("must have a profile or a value, and only one of them", "profile", "Enter what was agreed.")
    if not reason.strip():
        raise InvalidInput("is empty", "reason", "Enter why this was agreed.")
    first = sessions[0]
    for index, session in enumerate(sessions[1:], 1):
        if (session.setup.topic, session.setup.p, session.setup.q) != (first.setup.topic, first.setup.p, first.setup.q):
            raise InvalidInput(
                "is not about the same as the first", f"sessions[{index}].setup", "Agree on one value at a time."
            )
    who = tuple(dict.fromkeys(session.assessor for session in sessions if session.assessor))
    shape = None if profile is None else profile.model_dump()
    agreed: Agreed = read(Agreed, {"value": value, "reason": reason, "who": who, "profile": shape}, "agreed")
    return ElicitationSession(setup=first.setup, language=first.language, agreed=agreed)


# ------------------------------------------------------------------------------------------ log


@dataclass(frozen=True, kw_only=True)
class LogRow:
    """One line of the log as it is printed: its number, the question verbatim, the answer, time, person and remarks."""

    session: str
    number: str = ""
    question: str
    answer: str = ""
    seconds: str = ""
    when: str = ""
    who: str
    remark: str = ""


def session_rows(session: ElicitationSession) -> tuple[LogRow, ...]:
    """Return the log of one session."""
    language = session.language
    who = session.assessor or texts.word("elicitation", "nobody", language)
    if session.agreed is not None:
        who = ", ".join(session.agreed.who) or who
    title = texts.format_text("elicitation", "agreed" if session.agreed else "session", {"who": who}, language)
    rows = [_row(session, title, i + 1, reply) for i, reply in enumerate(session.replies)]
    rows += [_look_row(session, title, look) for look in session.looks]
    for settlement in session.settlements:
        figures: dict[str, Any] = {"first": settlement.first, "second": settlement.second}
        stands = texts.format_text("stands", settlement.stands, figures, language)
        figures |= {"stands": stands, "reason": settlement.reason or ""}
        text = texts.format_text("elicitation", "settled", figures, language)
        by = settlement.who or session.assessor or ""
        rows.append(LogRow(session=title, question=text.strip(), when=settlement.time or "", who=by))
    if session.agreed is not None:
        agreed = session.agreed
        value = "" if agreed.value is None else written(agreed.value, "number")
        shape = "" if agreed.profile is None else texts.describe(agreed.profile.title, language=language)
        remark = agreed.reason or ""
        rows.append(LogRow(session=title, question=title, answer=value or shape, who=who, remark=remark))
    return tuple(rows)


def _look_row(session: ElicitationSession, title: str, look: Looked) -> LogRow:
    language = session.language
    counts = ({"before": line.before, "after": line.after, "out_of": line.out_of} for line in look.lines)
    shown = [texts.format_text("elicitation", "line", each, language) for each in counts]
    return LogRow(
        session=title,
        question="\n".join((look.text, *shown)),
        answer=texts.format_text("elicitation", judgement(look), {"marked": marked_lines(look, language)}, language),
        seconds="" if look.seconds is None else written(look.seconds, "number"),
        when=look.time or "",
        who=look.who or session.assessor or "",
        remark=look.note or "",
    )


def judgement(look: Looked) -> str:
    """Return how a look was judged, as the key of its sentence."""
    return "too_much" if look.too_much else "could_be_more" if look.could_be_more else "acceptable"


def marked_lines(look: Looked, language: str) -> str:
    """Return the lines of a look that are too much, by their priors."""
    marked = [look.lines[place] for place in sorted(look.too_much)]
    figures = [{"before": line.before, "out_of": line.out_of} for line in marked]
    return "; ".join(texts.format_text("elicitation", "belief", line, language) for line in figures)


def _row(session: ElicitationSession, title: str, number: int, reply: Reply) -> LogRow:
    language, question = session.language, reply.question
    remarks = []
    if question.again is not None:
        remarks.append(texts.format_text("elicitation", "again", {"number": question.again}, language))
    if reply.replaces is not None:
        remarks.append(texts.format_text("elicitation", "replaces", {"number": reply.replaces}, language))
    if reply.note:
        remarks.append(reply.note)
    figures = {} if reply.corrected is None else {"after": reply.corrected.after, "out_of": reply.corrected.out_of}
    return LogRow(
        session=title,
        number=str(number),
        question=question.text,
        answer=texts.format_text("given", reply.answer, figures, language),
        seconds="" if reply.seconds is None else written(reply.seconds, "number"),
        when=reply.time or "",
        who=reply.who or session.assessor or "",
        remark=" ".join(remarks),
    )
