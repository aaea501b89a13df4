"""A series of questions by JSON lines: a question goes out, an answer comes in, so that no window is needed.

The first line is {"setup": {...}, "assessor": "..."} or {"session": {...}}, an earlier log to go on with. Then each
line is one of {"answer": "a"}, {"look": {"too_much": [0, 2], "could_be_more": false}} to a closing look (lines counted
from 0), {"correct": {"out_of", "before", "after"}} to one of the values played back, {"change": 3, "answer": "no"},
{"settle": [1, 6], "stands": "first"}, or {"show": "result" | "playback" | "influences" | "session" | "question"}.
{"merge": [session, ...]} answers with the spread of several assessors. One line comes back for each: what is asked
next, or what was asked for; an error says what is allowed and leaves the session as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import plain, read
from dpwizard.decision import Chance, ElicitationSession, Question
from dpwizard.elicitation import interview as engine
from dpwizard.privacy.compute import as_plain
from dpwizard.wording import texts

COMMANDS = ("setup", "session", "answer", "look", "correct", "change", "settle", "show", "merge")
DETAILS = ("seconds", "time", "who", "note")


@dataclass(frozen=True)
class _State:
    """A session under way, and the question that is open."""

    session: ElicitationSession | None = None
    question: Question | None = None
    look: engine.InterviewState | None = None


def converse(lines: Iterable[str]) -> Iterator[Mapping[str, Any]]:
    """Yield one answer for each of LINES."""
    state = _State()
    for line in lines:
        if not line.strip():
            continue
        try:
            state, answer = _step(state, json_text.parse(line))
        except DPWizardError as problem:
            yield {"ok": False, "error": as_plain(problem)}
        else:
            yield {"ok": True, **answer}


def _step(state: _State, raw: Any) -> tuple[_State, Mapping[str, Any]]:
    if not isinstance(raw, dict) or not set(raw) & set(COMMANDS):
        raise InvalidInput(
            message("must be an object with one of {choices}", choices=", ".join(COMMANDS)),
            "$",
            'Begin with {"setup": {"q": [0.001, 0.5]}}.',
        )
    if "merge" in raw:
        sessions = raw["merge"]
        if not isinstance(sessions, list):
            raise InvalidInput("must be a list of sessions", "$.merge", "Give the logs of all assessors.")
        logs = engine.merged((), tuple(engine.read_session(one, f"$.merge[{i}]") for i, one in enumerate(sessions)))
        text = texts.word("elicitation", "not_cryptographic")
        return state, {"spread": plain(engine.spread(logs)), "note": text}
    if "session" in raw or "setup" in raw:
        known = {name: raw[name] for name in ("setup", "assessor", "language") if name in raw}
        session = engine.read_session(raw["session"], "$.session") if "session" in raw else engine.read_session(known)
        return _with_open_question(replace(state, session=session))
    if state.session is None:
        raise InvalidInput("has not begun", "$", 'Begin with {"setup": {...}} or {"session": {...}}.')
    return _answer(state, state.session, raw)


def _answer(state: _State, session: ElicitationSession, raw: Mapping[str, Any]) -> tuple[_State, Mapping[str, Any]]:
    details = {name: raw[name] for name in DETAILS if name in raw}
    if "show" in raw:
        return state, _shown(state, session, raw["show"])
    if "settle" in raw:
        pair = raw["settle"]
        if not (isinstance(pair, list) and len(pair) == 2):
            raise InvalidInput("must be the numbers of two answers", "$.settle", "For instance [1, 6].")
        settlement = {"first": pair[0], "second": pair[1], "stands": raw.get("stands"), "reason": raw.get("reason")}
        return _with_open_question(_State(engine.settled(session, **settlement)))
    if "change" in raw:
        number: int = read(int, raw["change"], "$.change")
        return _with_open_question(_State(engine.changed(session, number, str(raw.get("answer")), **details)))
    if "correct" in raw:
        chance: Chance = read(Chance, raw["correct"], "$.correct")
        played = next((q for q in engine.playback(session) if q.a and abs(q.a.prior - chance.prior) < 1e-9), None)
        if played is None:
            raise InvalidInput(
                "is not at a chance that was shown for confirmation", "$.correct", 'Ask {"show": "playback"} for those.'
            )
        longer = engine.answered(session, played, "corrected", corrected=chance, **details)
        state, answer = _with_open_question(_State(longer))
        return state, {**answer, "changes": plain(engine.change(session, longer))}
    if "look" in raw:
        return _judge_look(state, session, raw["look"], details)
    if state.question is None:
        raise InvalidInput("answers no open question", "$.answer", 'Everything is asked: {"show": "result"}.')
    return _with_open_question(_State(engine.answered(session, state.question, raw["answer"], **details)))


def _judge_look(
    state: _State, session: ElicitationSession, raw: Any, details: Mapping[str, Any]
) -> tuple[_State, Mapping[str, Any]]:
    if state.look is None:
        raise InvalidInput("answers no open final check", "$.look", "One opens once every question is answered.")
    fields = raw if isinstance(raw, dict) else {"look": raw}
    too_much, more = fields.get("too_much", []), fields.get("could_be_more", False)
    known = set(fields) <= {"too_much", "could_be_more"}
    if not (known and fields and isinstance(too_much, list) and isinstance(more, bool)):
        raise InvalidInput(
            "must contain a list too_much, and could_be_more",
            "$.look",
            'For instance {"too_much": [0, 2], "could_be_more": false}; lines are counted from 0.',
        )
    return _with_open_question(_State(engine.judged(session, state.look, too_much, more, **details)))


def _with_open_question(state: _State) -> tuple[_State, Mapping[str, Any]]:
    assert state.session is not None
    question = engine.next_question(state.session)
    look = engine.next_look(state.session) if question is None else None
    return replace(state, question=question, look=look), _line(state.session, question, look)


def _line(
    session: ElicitationSession, question: Question | None, look: engine.InterviewState | None
) -> Mapping[str, Any]:
    conflicts = [
        {**plain(one), "text": engine.contradiction_words(session, one)} for one in engine.inconsistencies(session)
    ]
    common = {"asked": engine.questions_answered(session), "inconsistencies": conflicts}
    if question is None:
        binding = next((one.number for one in engine.influences(session)), None)
        ends = {"look": plain(look)} if look is not None else {"closed": True}
        return {"finished": True, **common, **ends, "result": plain(engine.result(session)), "binding": binding}
    choices = dict(engine.choices(question, session.language))
    return {"question": question.model_dump(exclude_none=True), "choices": choices, **common}


def _shown(state: _State, session: ElicitationSession, what: Any) -> Mapping[str, Any]:
    shows: dict[str, Callable[[], Mapping[str, Any]]] = {
        "result": lambda: {"result": plain(engine.result(session))},
        "influences": lambda: {"influences": plain(engine.influences(session))},
        "playback": lambda: {
            "playback": [question.model_dump(exclude_none=True) for question in engine.playback(session)]
        },
        "session": lambda: {"session": session.model_dump(mode="json", exclude_none=True)},
        "question": lambda: _line(session, state.question, state.look),
    }
    if not isinstance(what, str) or what not in shows:
        raise InvalidInput(
            message("must be one of {choices}", choices=", ".join(shows)), "$.show", "Choose one of these."
        )
    return shows[what]()
