"""The section of the report with the log of questions: verbatim, in order, with names and corrections."""

from __future__ import annotations

from collections.abc import Iterator

from dpwizard.decision import Agreed, ElicitationSession, Looked, Reply
from dpwizard.report.blocks import Block, Heading, Pairs, Paragraph, Table
from dpwizard.report.content import Content
from dpwizard.report.many_rows import MOST_ROWS, and_more
from dpwizard.report.phrases import Words
from dpwizard.report.values import profile_promise
from dpwizard.wording import figures


def elicitation(report: Content) -> Iterator[Block]:
    """Yield the elicitation of profiles: the answers by session, settled contradictions, and the agreement."""
    words, sessions = report.words, report.decision.elicitation
    if not sessions:
        return
    yield Heading(text=words("section", "elicitation"))
    yield Paragraph(text=words("elicitation", "intro"), style="quiet")
    for session in sessions:
        yield from _session(session, report)


def _session(session: ElicitationSession, report: Content) -> Iterator[Block]:
    words, about = report.words, session.setup.about
    who = session.assessor or words("elicitation", "nobody")
    if session.agreed is not None:
        yield Heading(text=words("elicitation", "agreed_by", who=", ".join(session.agreed.who) or who), level=2)
    else:
        key = "session_about" if about else "session"
        yield Heading(text=words("elicitation", key, who=who, about=about), level=2)
    if session.replies:
        counts = session.standing()
        rows = tuple(
            _row(number, reply, counts[number - 1], words)
            for number, reply in enumerate(session.replies[:MOST_ROWS], 1)
        )
        columns = words.each("elicitation", "number", "question", "answer", "remark")
        yield Table(columns=columns, rows=rows, widths=(0.4, 4.2, 1.2, 1.4), numbers=(0,))
        yield from and_more(len(session.replies), report)
    if session.looks:
        columns = words.each("elicitation", "look", "becomes", "judgement", "remark")
        rows = tuple(row for look in session.looks for row in _look(look, words))
        yield Table(columns=columns, rows=rows, widths=(2, 2, 1, 1), caption=words("elicitation", "looks"))
    if session.settlements:
        columns = words.each("elicitation", "between", "stands", "reason", "remark")
        settled = tuple(
            (
                words("elicitation", "answers", first=item.first, second=item.second),
                words("elicitation", f"stands_{item.stands}", first=item.first, second=item.second),
                item.reason or words("summary", "not_assessed"),
                words("elicitation", "by", who=item.who) if item.who else "–",
            )
            for item in session.settlements
        )
        yield Table(columns=columns, rows=settled, widths=(1, 1, 2, 1), caption=words("elicitation", "settled"))
    if session.agreed is not None:
        yield Pairs(rows=tuple(_agreed(session.agreed, words)))


def _look(look: Looked, words: Words) -> Iterator[tuple[str, ...]]:
    """Yield a row for each line of a closing look; the first has its text, judgement and name."""
    key = "look_marked" if look.too_much else "look_more" if look.could_be_more else "look_right"
    remarks = [words("elicitation", "by", who=look.who) if look.who else None, look.note]
    cells = (look.text, words("elicitation", key), "\n".join(part for part in remarks if part) or "–")
    for place, line in enumerate(look.lines):
        counts = {name: figures.whole(getattr(line, name)) for name in ("before", "after", "out_of")}
        text, judged, given = cells if place == 0 else ("", "", "")
        mark = words("elicitation", "line_too_much") if place in look.too_much else ""
        yield text, words("elicitation", "line", **counts), "\n".join(part for part in (judged, mark) if part), given


def _agreed(agreed: Agreed, words: Words) -> Iterator[tuple[str, str]]:
    if agreed.profile is not None:
        yield words("elicitation", "agreed"), profile_promise(agreed.profile, words)
    if agreed.value is not None:
        yield words("elicitation", "agreed"), figures.number(agreed.value)
    yield words("elicitation", "reason"), agreed.reason or words("summary", "not_assessed")


def _row(number: int, reply: Reply, counts: bool, words: Words) -> tuple[str, ...]:
    question, corrected = reply.question, reply.corrected
    if corrected is not None:
        answer = words(
            "elicitation", "corrected", after=figures.whole(corrected.after), out_of=figures.whole(corrected.out_of)
        )
    else:
        answer = words("elicitation", reply.answer)
    remarks = [
        words("elicitation", "again", number=question.again) if question.again is not None else None,
        words("elicitation", question.form) if question.form != "plain" else None,
        words("elicitation", "replaces", number=reply.replaces) if reply.replaces is not None else None,
        words("elicitation", "no_longer") if not counts else None,
        words("elicitation", "by", who=reply.who) if reply.who else None,
        reply.note,
    ]
    cells = (question.text, answer, "\n".join(remark for remark in remarks if remark))
    return (str(number), *(text or "–" for text in cells))
