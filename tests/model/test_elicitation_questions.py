"""The questions: in words anybody reads, never naming epsilon, the same after the same answers, quick, and asked again
twice."""

from __future__ import annotations

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import ElicitationSession, Question, Setup
from dpwizard.elicitation import interview as elicitation
from dpwizard.elicitation.proposals import counted
from tests.oracles import simulated_officer as officers
from tests.oracles.reading_ease import flesch, words
from tests.samples.words import keyed

VALUE = Setup(q=(0.001, 0.5), benefit="the regional plan")
PRESENCE = Setup(p=(0.01, 0.5))
GUESS = Setup(topic="guess", q=0.3, benefit="the yearly report")
ACCURACY = Setup(topic="accuracy", smallest=1, largest=200, figure="the count of deaths")
SETUPS = pytest.mark.parametrize(
    "setup", [VALUE, PRESENCE, GUESS, ACCURACY], ids=["value", "presence", "guess", "accuracy"]
)


def answer(question: Question, officer: officers.Officer) -> str:
    """Return what an officer says; a threshold of 12 for errors, of the curve else."""
    if question.blur is not None:
        return "yes" if (question.blur.off_by <= 12.0) != (question.form == "reversed") else "no"
    if question.b is not None:
        return officer.pair((question.a.prior, question.a.posterior), (question.b.prior, question.b.posterior))
    return "yes" if officer.level(question.a.prior, question.a.posterior) != (question.form == "reversed") else "no"


def walk(setup: Setup, officer: officers.Officer | None = None, language: str = "en") -> ElicitationSession:
    """Return the whole session of an officer in LANGUAGE."""
    session = ElicitationSession(setup=setup, language=language, assessor="Ada")
    officer = officer or officers.Officer(officers.cap_or_ratio(0.1, 3.0), "chance")
    while (question := elicitation.next_question(session)) is not None:
        session = elicitation.answered(session, question, answer(question, officer), seconds=2.5)
    return session


@SETUPS
def test_every_question_is_short_easy_to_read_and_silent_on_epsilon(setup: Setup) -> None:
    session = walk(setup)
    texts = [reply.question.text for reply in session.replies] + [
        question.text for question in elicitation.playback(session)
    ]
    assert len(texts) >= 6
    for text in texts:
        assert len(text.split()) <= 45, text
        assert flesch(text) >= 50.0, (flesch(text), text)
        assert "epsilon" not in text.lower()
        assert "ε" not in text


@pytest.mark.parametrize("section", ["ask", "inconsistency", "elicitation", "stands"])
def test_every_sentence_of_the_questions_is_easy_to_read(section: str) -> None:
    for key, template in keyed("en")[section].items():
        plain = template.replace("{benefit}", "the plan").replace("{figure}", "the count")
        text = "".join(part.split("}", 1)[-1] if "}" in part else part for part in plain.split("{"))
        if len(words(text)) >= 12:
            assert flesch(text) >= 50.0, (key, flesch(text))


LONG = "the plan that keeps the old ward open"  # eight words: the longest that a question carries
EXTREMES = (
    Setup(q=(1e-9, 1e-8), benefit=LONG),
    Setup(q=(1e-300, 0.3), benefit=LONG),
    Setup(q=(0.9, 0.96), benefit=LONG),
    Setup(p=(0.0, 1.0), q=(0.0, 1.0), benefit=LONG + " and many more words than anybody can hear at once"),
    Setup(topic="guess", q=1e-4, benefit=LONG),
    Setup(topic="guess", q=0.98, benefit=LONG),
    Setup(topic="accuracy", smallest=1e-9, largest=1e12, one_in=10**6, figure=LONG),
    Setup(topic="accuracy", smallest=1e-300, largest=1e300, figure=LONG),
)


@pytest.mark.parametrize("setup", EXTREMES)
@pytest.mark.parametrize("habit", [("a", "yes"), ("neither", "no"), ("b", "yes", "no")], ids=" ".join)
def test_no_screen_is_long_or_hard_to_read_at_extreme_numbers_either(setup: Setup, habit: tuple[str, ...]) -> None:
    session = ElicitationSession(setup=setup)
    shown: list[Question] = []
    while (question := elicitation.next_question(session)) is not None and len(shown) < 12:
        shown.append(question)
        allowed = dict(elicitation.choices(question))
        said = next((one for one in (habit[len(shown) % len(habit)], *habit) if one in allowed), "cannot_say")
        session = elicitation.answered(session, question, said)
    shown += elicitation.playback(session)
    assert len(shown) >= 3
    for question in shown:
        screen = [question.text, *(text for _, text in elicitation.choices(question))]
        assert sum(len(part.split()) for part in screen) <= 45, screen
        assert flesch(question.text) >= 50.0, (flesch(question.text), question.text)
        assert "epsilon" not in question.text.lower()


@SETUPS
def test_the_figures_in_a_question_are_those_of_its_releases(setup: Setup) -> None:
    for reply in walk(setup).replies:
        question = reply.question
        for side in (question.a, question.b):
            if side is not None:
                for count in (side.before, side.after, side.out_of):
                    assert f"{count:,}" in question.text
                assert side.before < side.after < side.out_of
        if question.b is not None:
            assert question.a.out_of == question.b.out_of, "one denominator in a comparison"
        if question.blur is not None:
            assert f"{question.blur.off_by:g}" in question.text
            assert f"{question.blur.one_in}" in question.text


@SETUPS
def test_two_answers_are_asked_for_again_in_the_same_words(setup: Setup) -> None:
    session = walk(setup)
    again = [reply.question for reply in session.replies if reply.question.again is not None]
    assert len(again) == 2
    for question in again:
        first = session.replies[(question.again or 0) - 1].question
        assert question.model_copy(update={"again": None}) == first
    assert elicitation.inconsistencies(session) == ()


@SETUPS
def test_either_is_fine_is_kept_and_tells_nothing(setup: Setup) -> None:
    session = walk(setup)
    place = next(n for n, reply in enumerate(session.replies, 1) if reply.question.kind == "level")
    assert ("either", "Either is fine") in elicitation.choices(session.replies[place - 1].question)
    either, cannot = (elicitation.changed(session, place, answer) for answer in ("either", "cannot_say"))
    assert either.replies[-1].answer == "either"
    assert elicitation.inconsistencies(either) == elicitation.inconsistencies(cannot)
    assert elicitation.result(either) == elicitation.result(cannot)


def test_one_prior_leaves_nothing_to_compare() -> None:
    session = walk(Setup(q=0.1))
    assert {reply.question.kind for reply in session.replies} == {"level"}
    found = elicitation.result(session)
    truth = officers.true_epsilon(officers.cap_or_ratio(0.1, 3.0), (1.0, 1.0), (0.1, 0.1))
    assert 0.8 * truth <= found.epsilon <= truth


def test_an_officer_who_cannot_say_is_not_asked_for_ever() -> None:
    session = ElicitationSession(setup=VALUE)
    while (question := elicitation.next_question(session)) is not None:
        assert len(session.replies) < 30
        session = elicitation.answered(session, question, "cannot_say")
    assert elicitation.result(session).status == "too_few"


def test_an_officer_who_signs_anything_has_no_limit_and_one_who_signs_nothing_a_small_one() -> None:
    everything = elicitation.result(walk(VALUE, officers.Officer(lambda m: 1.0, "chance")))
    assert everything.high is None
    nothing = elicitation.result(walk(VALUE, officers.Officer(lambda m: 1.0001 * m, "chance")))
    assert nothing.epsilon < 0.05


def test_a_setup_that_leaves_nothing_to_learn_is_refused() -> None:
    with pytest.raises(InvalidInput, match="nothing to ask about"):
        elicitation.next_question(ElicitationSession(setup=Setup()))
    with pytest.raises(InvalidInput, match="missing"):
        elicitation.next_question(ElicitationSession(setup=Setup(topic="accuracy")))
    with pytest.raises(InvalidInput, match="one chance between"):
        elicitation.next_question(ElicitationSession(setup=Setup(topic="guess", q=1.0)))


@pytest.mark.parametrize(
    ("range_", "factor"),
    [
        ((0.0, 0.5), 2.0),
        ((0.9, 0.96), 0.5),
        ((1e-300, 0.3), 1e-6),
        ((0.3, 0.3000001), 1.4),
        ((0.001, 0.5), 1e-300),
    ],
)
def test_any_range_and_factor_can_be_asked_about(range_: tuple[float, float], factor: float) -> None:
    session = ElicitationSession(setup=Setup(q=range_, replace_factor=factor))
    for said in ("a", "no", "b", "yes"):
        question = elicitation.next_question(session)
        if question is None:
            break
        session = elicitation.answered(
            session, question, said if said in dict(elicitation.choices(question)) else "yes"
        )
    found = elicitation.result(session)
    assert found.status in ("supported", "unbounded", "too_few")
    assert found.epsilon is None or found.epsilon >= 0.0


def test_chances_are_counted_out_of_a_power_of_ten_that_shows_the_rise() -> None:
    for prior, posterior in ((0.001, 0.0013), (0.2, 0.33), (0.05, 0.9), (0.0001, 0.002)):
        move = counted(prior, posterior)
        assert move.prior == pytest.approx(prior)
        assert move.posterior == pytest.approx(posterior, rel=0.05)
    assert counted(0.2, 0.2) is None
