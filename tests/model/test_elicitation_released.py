"""What answers to questions allow is said of the release as it stands: its factor, repetitions, relation and what is
spent."""

from __future__ import annotations

import math
from typing import Any

import pytest

from dpwizard.charts import tolerance_chart
from dpwizard.decision import Decision, ElicitationSession, assess, read_decision
from dpwizard.elicitation import (
    Result,
    Spread,
    release_epsilons,
    sessions_about,
    setup_for,
)
from dpwizard.privacy.profiles import Odds
from tests.samples.decisions import COUNT

BOTH = COUNT | {"sensitivity_other": 1}
EARLIER = {"priors_from": "before_all", "spent": [{"epsilon": 0.2, "neighbours": "add_remove"}]}
VALUE = {"kind": "relative_risk", "adversary": "attribute", "q": [0.001, 0.5]}


def decided(release: dict[str, Any], requirement: dict[str, Any] | None = None) -> Decision:
    raw = {
        "format": "dpwizard.decision/1",
        "title": "Questions",
        "release": release,
        "requirements": [requirement or VALUE],
    }
    return read_decision(raw)


def allowed(decision: Decision, taken: Any) -> float | None:
    return assess(decision.model_copy(update={"requirements": (taken,)})).answers[0].epsilon


@pytest.mark.parametrize(
    ("release", "own", "said"),
    [
        (BOTH | EARLIER, 0.5595, 0.3595),  # shown 1.119: the factor of a count alone, and nothing taken off
        (COUNT | {"repetitions": 4}, 0.5595, 0.1399),  # shown 0.5595: that of all four
        (BOTH, 1.119, 1.119),
        (BOTH | {"repetitions": 2}, 1.119, 0.5595),
        (COUNT | {"neighbours": "replace"}, 1.119, 1.119),
    ],
)
def test_the_epsilon_of_answers_is_the_limit_their_profile_sets_on_this_release(
    release: dict[str, Any], own: float, said: float
) -> None:
    decision = decided(release)
    requirement = decision.requirements[0]
    profile = Odds(factor=math.exp(1.119))
    found = Result(status="supported", answers=9, epsilon=own, low=own, middle=own, high=2 * own, profile=profile)
    told = release_epsilons(requirement, decision.release).result(found)
    assert told.epsilon == allowed(decision, requirement.model_copy(update={"profile": profile}))
    assert told.epsilon == pytest.approx(said, abs=5.1e-5)
    assert told.low == pytest.approx(said, abs=5.1e-5)
    assert told.high > told.low


def test_sessions_about_a_requirement_are_found_after_the_release_has_changed() -> None:
    decision = decided(BOTH)
    requirement = decision.requirements[0]
    session = ElicitationSession(setup=setup_for(requirement, decision.release))
    later = decided(BOTH | EARLIER).model_copy(update={"elicitation": (session,)})
    assert setup_for(requirement, later.release) != session.setup
    assert sessions_about(later, 0) == ((0, session),)
    other = decided(BOTH, {**VALUE, "q": [0.001, 0.2]}).model_copy(update={"elicitation": (session,)})
    assert sessions_about(other, 0) == ()


def test_no_epsilon_is_said_of_a_release_of_which_a_profile_says_nothing() -> None:
    gaussian = decided(COUNT | {"mechanism": "gaussian", "delta": 1e-6})
    requirement = gaussian.requirements[0]
    spoken = release_epsilons(requirement, gaussian.release)
    assert spoken.why.key == "no_largest_loss"
    found = Result(status="supported", answers=9, epsilon=1.0, low=1.0, middle=1.1, high=2.0, profile=Odds(factor=3.0))
    told = spoken.result(found)
    assert (told.epsilon, told.low, told.middle, told.high) == (None, None, None, None)
    assert told.profile == found.profile
    setup = setup_for(requirement, gaussian.release).model_copy(update={"q": 0.2})
    assert not tolerance_chart.spread_figure((Spread(assessor="Ada", about=None, result=told),), setup).plots
