"""From a requirement to its questions and back: the same beliefs, the same factor, and a limit on the safe side."""

from __future__ import annotations

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import FORMAT, Decision, ElicitationSession, Release, assess
from dpwizard.decision.requirements import CategoricalAdvantage, NoiseInterval, RelativeRisk, Rmse
from dpwizard.elicitation import setup as setups
from tests.model.test_elicitation_questions import walk
from tests.oracles import simulated_officer as officers

RELEASE = Release(
    statistic="count",
    neighbours="add_remove",
    sensitivity=1.0,
    sensitivity_other=1.0,
    mechanism="geometric",
    unit="person",
)
RISK = RelativeRisk(adversary="attribute", q=(0.001, 0.5), name="insurer")


def test_a_risk_profile_found_by_questions_bounds_the_decision_below_the_officers_own_limit() -> None:
    setup = setups.setup_for(RISK, RELEASE, benefit="the regional plan")
    assert (setup.p, setup.q, setup.replace_factor, setup.about) == (1.0, (0.001, 0.5), 1.0, "insurer")
    session = walk(setup, officers.Officer(officers.constant(3.0), "chance"))
    filled = setups.answered_by(RISK, session)
    assert isinstance(filled, RelativeRisk)
    answer = assess(Decision(format=FORMAT, release=RELEASE, requirements=(filled,), elicitation=(session,))).answers[0]
    assert answer.status == "allowed"
    truth = 2.0 * officers.true_epsilon(
        officers.constant(3.0), (1.0, 1.0), (0.001, 0.5)
    )  # for c = 1 and p = 1: log theta
    assert 0.0 < answer.epsilon <= truth * (1 + 1e-9)


def test_accuracy_and_a_guess_are_taken_over_as_requirements() -> None:
    need = NoiseInterval(level=0.9)
    setup = setups.setup_for(need, RELEASE, figure="the count")
    assert (setup.one_in, setup.smallest, setup.largest) == (10, 0.5, 500.0)
    filled = setups.answered_by(need, walk(setup))
    assert filled.level == pytest.approx(0.9)
    assert 7.0 <= filled.half_width <= 12.0
    guess = CategoricalAdvantage(prior=(("a", 3.0), ("b", 7.0)), truth="a")
    session = walk(setups.setup_for(guess, RELEASE), officers.Officer(officers.increase(0.08), "rise"))
    taken = setups.answered_by(guess, session)
    assert 0.04 <= taken.advantage <= 0.08


def test_what_is_missing_or_not_asked_for_is_said() -> None:
    with pytest.raises(InvalidInput, match="missing"):
        setups.setup_for(RelativeRisk(adversary="both"), RELEASE)
    with pytest.raises(InvalidInput, match="cannot be found by questions"):
        setups.setup_for(Rmse(), RELEASE)
    with pytest.raises(InvalidInput, match="do not give a value yet"):
        setups.answered_by(RISK, ElicitationSession(setup=setups.setup_for(RISK, RELEASE)))
