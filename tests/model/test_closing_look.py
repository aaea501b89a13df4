"""The closing look: its lines are true, marks bind, the log keeps every look, officers are served."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import MOST_LOOKS, Chance, ElicitationSession
from dpwizard.elicitation import closing_look
from dpwizard.elicitation import interview as elicitation
from dpwizard.elicitation.lines import converse
from dpwizard.elicitation.result import posterior_of_curves, span_of
from tests.model.test_elicitation_questions import GUESS, PRESENCE, VALUE, walk
from tests.oracles import simulated_officer as officers
from tests.soak import closing_look as trials

RATIO = officers.Officer(officers.constant(3.0), "chance")
Judge = Callable[[elicitation.InterviewState], tuple[list[int], bool]]


def seen_by(officer: officers.Officer) -> Judge:
    return lambda look: officer.look([(line.prior, line.posterior) for line in look.lines])


def closed(session: ElicitationSession, judge: Judge) -> ElicitationSession:
    """Return the session with every look judged."""
    while (look := elicitation.next_look(session)) is not None:
        session = elicitation.judged(session, look, *judge(look))
    return session


@pytest.mark.parametrize("setup", [VALUE, PRESENCE], ids=["value", "presence"])
def test_a_line_shows_no_less_than_its_epsilon_lets_happen_and_little_more(setup: Any) -> None:
    span = span_of(setup)
    session = walk(setup, RATIO)
    look = elicitation.next_look(session)
    assert look.epsilon == pytest.approx(elicitation.result(session).epsilon, rel=1e-3)
    assert (look.lines[0].prior, look.lines[-1].prior) == pytest.approx((span.low, span.high))
    for line in look.lines:
        own = officers.epsilon_of(line.posterior, *span.adversary(line.prior))
        assert own >= look.epsilon
        less = (line.after - 1) / line.out_of  # one count fewer: below what the margin asks for
        assert officers.epsilon_of(less, *span.adversary(line.prior)) < look.epsilon * closing_look.MARGIN


@pytest.mark.parametrize("factor", [0.5, 1.0, 1.3, 2.0])
def test_what_a_prior_becomes_is_the_bound_at_the_worst_adversary_and_its_own_inverse(factor: float) -> None:
    span = closing_look.Span((0.02, 0.8), (0.05, 0.6), factor)
    for prior in (0.001, 0.01, 0.1, 0.4):
        p, q = span.adversary(prior)
        for epsilon in (0.05, 0.7, 3.0):
            x = math.exp(-epsilon)
            bound = p * q / (p * q + p * (1.0 - q) * x**factor + (1.0 - p) * x)
            after = closing_look.after(span, prior, epsilon)
            assert after == pytest.approx(bound)
            line = Chance(out_of=10**9, before=round(prior * 10**9), after=round(after * 10**9))
            assert closing_look.epsilon_of_line(span, line) == pytest.approx(epsilon, rel=1e-5)


@pytest.mark.slow
def test_a_look_falls_while_a_line_is_too_much_and_never_rises_to_a_mark_again() -> None:
    session, seen = walk(VALUE, RATIO), list[float]()
    while (look := elicitation.next_look(session)) is not None:
        seen.append(look.epsilon)
        session = elicitation.judged(session, look, [0], False)
        epsilon = elicitation.result(session).epsilon
        assert epsilon <= closing_look.STEP * look.epsilon
    assert len(seen) == MOST_LOOKS
    assert all(later <= closing_look.STEP * sooner for sooner, later in pairwise(seen))


def test_a_look_rises_no_further_than_what_an_answer_refused() -> None:
    session = closed(walk(VALUE, RATIO), lambda _: ([], True))
    assert len(session.looks) <= closing_look.ENOUGH
    span = span_of(session.setup)
    refused = [reply.question.a for reply in session.replies if reply.question.kind == "level" and reply.answer == "no"]
    plain = [chance for chance in refused if chance is not None and chance.posterior > 3.0 * chance.prior]
    assert plain
    least = min(officers.epsilon_of(chance.posterior, *span.adversary(chance.prior)) for chance in plain)
    assert session.looks[-1].epsilon <= least


def test_what_is_accepted_rests_on_the_lines_accepted_before_too() -> None:
    session = walk(VALUE, RATIO)
    first = elicitation.next_look(session)
    assert first is not None
    session = closed(elicitation.judged(session, first, [0], False), lambda _: ([], False))
    told = session.looks[0].lines[-1]
    low = told.model_copy(update={"after": told.before + 1})  # a log may come from anywhere
    looks = (session.looks[0].model_copy(update={"lines": (*session.looks[0].lines[:-1], low)}), *session.looks[1:])
    found = elicitation.result(session.model_copy(update={"looks": looks})).epsilon
    assert found <= officers.epsilon_of(low.posterior, *span_of(VALUE).adversary(low.prior)) * 1.01


def test_no_look_closes_questions_about_a_guess_or_answers_that_set_no_limit() -> None:
    assert elicitation.next_look(walk(GUESS)) is None
    assert elicitation.next_look(walk(VALUE, officers.Officer(lambda _: 1.0, "chance"))) is None
    assert elicitation.next_look(ElicitationSession(setup=VALUE)) is None


@pytest.mark.parametrize("wrong", [([99], False), ([0, 0], False), ([0], True), ([-1], False), (["0"], False)])
def test_a_look_is_refused_that_marks_what_is_not_there_or_contradicts_itself(wrong: tuple[list[Any], bool]) -> None:
    session = walk(VALUE, RATIO)
    look = elicitation.next_look(session)
    assert look is not None
    with pytest.raises(InvalidInput) as raised:
        elicitation.judged(session, look, *wrong)
    assert raised.value.hint


def conversation(officer: officers.Officer) -> Iterator[dict[str, Any]]:
    """Yield what the program says to an officer who answers by lines until it is closed."""
    lines = [json.dumps({"setup": {"q": [0.001, 0.5]}, "assessor": "Ada"})]
    for said in converse(iter(lambda: lines.pop(0), "")):
        yield dict(said)
        if "question" in said:
            sides = [one for one in (said["question"].get(name) for name in "ab") if one]
            chances = [(one["before"] / one["out_of"], one["after"] / one["out_of"]) for one in sides]
            accepted = officer.level(*chances[0]) != (said["question"]["form"] == "reversed")
            lines.append(json.dumps({"answer": officer.pair(*chances) if chances[1:] else "yes" if accepted else "no"}))
        elif "look" in said:
            shown = [(one["before"] / one["out_of"], one["after"] / one["out_of"]) for one in said["look"]["lines"]]
            too_much, more = officer.look(shown)
            lines.append(json.dumps({"look": {"too_much": too_much, "could_be_more": more}}))
        else:
            return


@pytest.mark.slow
def test_a_conversation_by_lines_ends_with_looks_and_is_closed() -> None:
    said = list(conversation(RATIO))
    looks = [line for line in said if "look" in line]
    assert 1 <= len(looks) <= MOST_LOOKS
    assert all(line["finished"] and line["result"]["epsilon"] for line in looks)
    assert said[-1]["closed"] is True
    assert "look" not in said[-1]
    truth = officers.true_epsilon(RATIO.curve, (1.0, 1.0), (0.001, 0.5))
    assert 0.85 * truth <= said[-1]["result"]["epsilon"] <= truth
    assert said[-1]["result"]["low"] <= truth <= said[-1]["result"]["high"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "odd", [[], {"too_much": 1}, {"could_be_more": "yes"}, {"marks": []}, {"too_much": [0.5]}, {"too_much": [999]}]
)
def test_an_odd_judgement_is_refused_and_the_look_stays_open(odd: Any) -> None:
    session = walk(VALUE, RATIO).model_dump(mode="json", exclude_none=True)
    script = [{"session": session}, {"look": odd}, {"look": {"too_much": [], "could_be_more": False}}]
    first, refused, last = converse(json.dumps(line) for line in script)
    assert "look" in first
    assert refused["ok"] is False
    assert refused["error"]["hint"]
    assert last["closed"] is True


def test_a_look_that_is_not_open_is_not_judged() -> None:
    lines = [{"setup": {"q": [0.001, 0.5]}}, {"look": {"too_much": [], "could_be_more": True}}]
    *_, refused = converse(json.dumps(line) for line in lines)
    assert refused["ok"] is False


# -------------------------------------------------------------------------------- the simplest shape


@pytest.mark.slow
def test_the_profile_taken_over_allows_what_the_last_look_without_a_mark_showed() -> None:
    luck = random.Random(3)
    for kind in trials.KINDS:
        session = walk(VALUE, officer := officers.draw(kind, luck, 0.001, 0.5))
        session = closed(session, seen_by(officer))
        found = elicitation.result(session)
        judged = elicitation.judged_of(session)
        wanted = closing_look.recommended(posterior_of_curves(session), judged)
        assert 0.97 * wanted <= found.epsilon <= wanted, kind


# -------------------------------------------------------------------------------------- simulations


@pytest.mark.soak
@pytest.mark.parametrize("erring", trials.ERRORS[:2], ids=["steady", "near"])
def test_officers_of_every_kind_are_served_safely_and_covered_nine_times_in_ten(erring: tuple[str, float]) -> None:
    every = [one for kind in trials.KINDS for one in trials.trials(kind, erring, 150, seed=78)]
    row = trials.summary(every)
    assert row.safe >= 0.95
    assert row.covered >= 0.86
    if not erring[1]:
        assert row.below <= 0.11
        assert row.looks <= 3.0
