"""The log: every question verbatim in a decision file, nothing erased, several assessors side by side."""

from __future__ import annotations

import json
from typing import Any

import pytest

from dpwizard.base import json_text
from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.decision import FORMAT, Decision, ElicitationSession, Setup, merged, read_decision, read_session, to_json
from dpwizard.elicitation import interview as elicitation
from dpwizard.privacy.profiles import Constant
from tests.model.test_elicitation_questions import ACCURACY, GUESS, VALUE, walk
from tests.oracles import simulated_officer as officers


def decision(*sessions: ElicitationSession) -> Decision:
    return Decision(format=FORMAT, elicitation=sessions)


def test_a_decision_file_gives_the_log_back_word_for_word() -> None:
    session = walk(VALUE)
    text = json.dumps(to_json(decision(session)))
    again = read_decision(json_text.parse(text))
    assert again.elicitation == (session,)
    rows = elicitation.session_rows(session)
    assert [row.question for row in rows] == [reply.question.text for reply in session.replies]
    assert [row.number for row in rows] == [str(i + 1) for i in range(len(rows))]
    assert {row.seconds for row in rows} == {"2.5"}
    assert {row.who for row in rows} == {"Ada"}


def test_a_changed_answer_stays_in_the_log_and_the_new_one_counts() -> None:
    session = walk(VALUE)
    number = next(
        i + 1 for i, reply in enumerate(session.replies) if reply.answer == "no" and reply.question.again is None
    )
    changed = elicitation.changed(session, number, "yes", who="Ada", note="I misread it", seconds=4.0)
    assert changed.replies[: len(session.replies)] == session.replies
    assert changed.standing()[number - 1] is False
    assert changed.standing()[-1] is True
    row = elicitation.session_rows(changed)[-1]
    assert str(number) in row.remark
    assert "I misread it" in row.remark
    with pytest.raises(InvalidInput, match="number of an answer"):
        elicitation.changed(session, 99, "yes")


def test_an_answer_must_be_one_that_its_question_allows() -> None:
    session = ElicitationSession(setup=VALUE)
    question = elicitation.next_question(session)
    assert question is not None
    for wrong in ("yes", "maybe", "corrected", ""):
        with pytest.raises(InvalidInput):
            elicitation.answered(session, question, wrong)
    with pytest.raises(InvalidInput):
        elicitation.answered(session, question, "a", seconds=-1.0)


def test_files_of_several_assessors_are_joined_each_once_and_a_longer_log_replaces_its_beginning() -> None:
    ada = walk(VALUE)
    begun = ada.model_copy(update={"replies": ada.replies[:4]})
    bela = walk(VALUE, officers.Officer(officers.constant(2.0), "chance")).model_copy(update={"assessor": "Béla"})
    assert merged((begun,), (ada, bela, ada)) == (ada, bela)
    assert merged((ada,), (begun,)) == (ada,)
    spread = elicitation.spread((ada, bela))
    assert [one.assessor for one in spread] == ["Ada", "Béla"]
    assert all(one.result.curve for one in spread)


def test_an_agreed_profile_is_kept_with_its_reasons_beside_every_assessors_own() -> None:
    ada = walk(VALUE)
    bela = ada.model_copy(update={"assessor": "Béla"})
    agreed = elicitation.agree((ada, bela), profile=Constant(ratio=2.5), reason="the stricter of the two")
    assert agreed.agreed.who == ("Ada", "Béla")
    whole = read_decision(json_text.parse(json.dumps(to_json(decision(ada, bela, agreed)))))
    assert whole.elicitation == (ada, bela, agreed)
    assert elicitation.session_rows(agreed)[-1].remark == "the stricter of the two"
    assert len(elicitation.spread(whole.elicitation)) == 2
    for reason, value in ((" ", 2.0), ("x", None), ("x", -1.0)):
        with pytest.raises(InvalidInput):
            elicitation.agree((ada, bela), reason=reason, value=value)
    with pytest.raises(InvalidInput, match="not about the same"):
        elicitation.agree((ada, walk(GUESS)), value=0.1, reason="x")
    with pytest.raises(InvalidInput, match="alone first"):
        elicitation.agree((), value=0.1, reason="x")


def test_a_settlement_is_printed_with_its_reason() -> None:
    session = walk(VALUE)
    settled = elicitation.settled(
        session, 1, 2, "first", reason="answer 2 was a slip", time="2026-11-21T10:00:00+01:00"
    )
    row = elicitation.session_rows(settled)[-1]
    assert "answer 2 was a slip" in row.question
    assert row.when == "2026-11-21T10:00:00+01:00"


@pytest.mark.parametrize(("setup", "truth"), [(GUESS, 0.08), (ACCURACY, 12.0)], ids=["guess", "accuracy"])
def test_a_threshold_is_found_on_its_safe_side(setup: Setup, truth: float) -> None:
    session = walk(setup, officers.Officer(officers.increase(0.08), "rise"))
    found = elicitation.result(session)
    assert 0.6 * truth <= found.value <= truth * (1 + 1e-9)
    assert found.value_low <= truth * 1.02
    assert found.value_high >= truth * 0.98
    assert len(session.replies) <= 10


QUESTION: dict[str, Any] = {"kind": "level", "a": {"out_of": 100, "before": 5, "after": 9}, "text": "?"}


@pytest.mark.parametrize(
    "raw",
    [
        None,
        [],
        {"format": "dpwizard.elicitation/2"},
        {"setup": {"q": [0.5, 0.1]}},
        {"setup": {"q": float("nan")}},
        {"setup": {"smallest": 3, "largest": 2}},
        {"setup": {"replace_factor": 0}},
        {"replies": [{"question": QUESTION, "answer": "a"}]},
        {"replies": [{"question": {**QUESTION, "again": 1}, "answer": "yes"}]},
        {"replies": [{"question": QUESTION, "answer": "yes", "replaces": 1}]},
        {"replies": [{"question": {**QUESTION, "a": {"out_of": 0, "before": 1, "after": 1}}, "answer": "yes"}]},
        {"settlements": [{"first": 1, "second": 2, "stands": "first"}]},
        {"unknown": 1},
    ],
)
def test_a_log_that_is_none_is_refused_in_words(raw: Any) -> None:
    with pytest.raises(DPWizardError) as found:
        read_session(raw)
    assert found.value.hint


@pytest.mark.parametrize(
    "side",
    [
        {"out_of": 100, "before": 5, "after": 5},
        {"out_of": 100, "before": 9, "after": 5},
        {"out_of": 100, "before": 5, "after": 100},
        {"out_of": 10**15, "before": 1, "after": 2},
        {"out_of": 7, "before": 1, "after": 3},
        {"out_of": 1, "before": 1, "after": 1},
    ],
)
def test_a_log_from_elsewhere_with_any_chances_is_followed_by_a_question_and_a_result(side: dict[str, int]) -> None:
    replies = [{"question": {**QUESTION, "a": side}, "answer": answer} for answer in ("yes", "no", "yes", "no")]
    session = read_session({"setup": {"q": [0.001, 0.5]}, "replies": replies})
    assert elicitation.next_question(session) is not None
    assert elicitation.result(session).status in ("supported", "unbounded", "too_few")
    assert elicitation.inconsistencies(session) is not None
    assert elicitation.influences(session) is not None
