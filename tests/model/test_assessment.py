"""The window: what binds, touching ends, conflicts, completeness, conversions; and every kind of requirement alike."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.decision import Assessment, assess
from dpwizard.decision import assessment as module
from dpwizard.decision.requirements import kinds
from tests.samples.decisions import CROSSING, decided
from tests.samples.requirements import SAMPLES

LOG9 = math.log(9)
GUESS = {
    "prior": {"family": "beta", "a": 2.0, "b": 3.0, "low": 0.0, "high": 10.0},
    "truth": "worst",
    "precision": 1.0,
    "effect": 1.0,
}
SLOW = {"kind": "guessing_advantage", "attributes": [GUESS], "combine": "one", "advantage": 0.1}
PRESENCE = {"kind": "relative_risk", "adversary": "inclusion", "p": [0, 1]}
CONSTANT = {"shape": "constant", "ratio": 1.5}
VALUE = {"kind": "relative_risk", "adversary": "attribute", "q": 0.5, "profile": CONSTANT}


def cap_or_ratio(posterior: float, ratio: float, **more: Any) -> dict[str, Any]:
    return {**PRESENCE, "profile": {"shape": "cap_or_ratio", "posterior": posterior, "ratio": ratio}, **more}


def solve(*requirements: dict[str, Any], **more: Any) -> Assessment:
    return assess(decided(*requirements, **more))


TWO_SCALES = {
    "allocation": "stated",
    "parts": [
        {"name": name, "statistic": "count", "sensitivity": 1, "dimension": 1, "mechanism": "laplace", "share": share}
        for name, share in (("a", 0.7), ("b", 0.3))
    ],
}


def test_an_unknown_sum_is_explained_by_its_scales_but_where_the_variance_is_enough() -> None:
    summed = {"sum_of": [{"part": "a"}, {"part": "b"}]}
    width = {"kind": "noise_interval", "half_width": 10, "level": 0.95, **summed}
    found = solve(
        width, {"kind": "rmse", "at_most": 10, **summed}, sensitivity=None, mechanism=None, statistic=None, **TWO_SCALES
    )
    width_answer, rmse_answer = found.answers
    assert (width_answer.status, width_answer.why.key) == ("not_applicable", "sum_of_several_scales")
    assert rmse_answer.status == "allowed"


def test_a_figure_that_some_may_exceed_says_how_many_and_what_nobody_exceeds() -> None:
    """Of six Laplace noises with a largest loss together, half of all releases show much less than that."""
    told = {"kind": "relative_risk", "adversary": "attribute", "q": 0.5, "statement": "tolerance", "tolerance": 0.5}
    asked = {**told, "profile": {"shape": "constant", "ratio": 1.5}}
    release = {"statistic": "sum", "sensitivity": 1.0, "sensitivity_other": 1.0, "mechanism": "laplace"}
    found = solve(asked, repetitions=6, epsilon=0.1, **release).answers[0].at_epsilon
    largest = 1 / (0.5 + 0.5 * math.exp(-0.6))
    assert found["largest"] == pytest.approx(largest, rel=1e-9)
    assert found["ratio"] < 0.9 * largest
    assert (found["people"], found["few"]) == (100, 50)
    single = solve(asked, epsilon=0.1, **release).answers[0].at_epsilon
    assert set(single) == {"ratio", "posterior"}  # one noise shows all of it in half of the releases


def test_a_failed_requirement_says_the_same_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record states the reason, and whoever verifies it may speak another language."""

    def fail(*_: Any) -> None:
        raise InvalidInput("have Laplace noise of several scales", "terms", "Give all numbers the same scale.")

    monkeypatch.setattr(kinds()["rmse"], "limit", fail)
    reasons = []
    for language in LANGUAGES:
        with speaking(language):
            reasons.append(solve({"kind": "rmse", "at_most": 10}).answers[0].why.values["reason"])
    assert set(reasons) == {"terms: have Laplace noise of several scales. Give all numbers the same scale."}


def test_durham_has_one_epsilon_at_which_both_ends_touch() -> None:
    found = solve(cap_or_ratio(0.5, 5), CROSSING, {"kind": "rmse", "at_most": 0.6}, epsilon=2.197224577336219)
    window = found.window
    assert window.touching
    assert not window.empty
    assert window.lower == window.upper == pytest.approx(LOG9, rel=1e-12)
    assert window.upper <= LOG9
    assert (window.binds_upper, window.binds_lower) == (0, 1)
    assert found.answers[0].binding["p"] == pytest.approx(0.1)
    assert found.answers[0].at_epsilon["posterior"] == pytest.approx(0.5)
    assert found.answers[1].at_epsilon["probability"] == pytest.approx(0.1)
    assert found.answers[2].at_epsilon["rmse"] == pytest.approx(math.sqrt(2 / 9) / (8 / 9))
    assert found.inside is True


def test_an_infeasible_requirement_stands_in_conflict_alone() -> None:
    found = solve(cap_or_ratio(0.5, 5), {**PRESENCE, "profile": {"shape": "constant", "ratio": 0.5}}, CROSSING)
    assert found.answers[1].status == "infeasible"
    assert found.window.conflict == (1,)
    assert found.window.empty


def test_a_requirement_switched_off_bounds_nothing_but_is_still_answered() -> None:
    found = solve(cap_or_ratio(0.5, 5, enabled=False), CROSSING)
    assert found.window.upper is None
    assert found.answers[0].epsilon == pytest.approx(LOG9)
    assert any(problem.key == "off_without_reason" for problem in found.problems)


def test_what_is_only_published_never_bounds_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAY_BOUND", ())
    assert solve(cap_or_ratio(0.5, 5), CROSSING).window.upper is None


def test_knowing_both_sensitivities_sharpens_the_limit_and_shows_the_papers_figure_beside_it() -> None:
    paper = solve(VALUE).answers[0]
    sharp = solve(VALUE, sensitivity_other=1).answers[0]
    assert paper.epsilon == pytest.approx(math.log(3) / 2)
    assert paper.as_published is None
    assert sharp.epsilon == pytest.approx(math.log(3))
    assert sharp.as_published["epsilon"] == pytest.approx(math.log(3) / 2)


def test_equal_needs_of_equal_tables_are_solved_once_and_all_others_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    limit = module._solve
    monkeypatch.setattr(module, "_solve", lambda *given: asked.append(given) or limit(*given))
    plain_table = {"sensitivity": 1, "share": 0.1}
    other = ({}, {"sensitivity": 2}, {"share": 0.2}, {"mechanism": "laplace"}, {"times": 2}, {"dimension": 2}, {})
    parts = [{"name": str(at), **plain_table, **one} for at, one in enumerate(other)]
    needs = [{"kind": "rmse", "at_most": 2.0, "part": part["name"]} for part in parts]
    found = solve(*needs, needs[0] | {"at_most": 3.0}, parts=parts).answers
    assert len(asked) == len(found) - 1
    assert [answer.part for answer in found] == [*"0123456", "0"]
    one_by_one = [solve(need, parts=parts).answers[0].epsilon for need in needs]
    assert [answer.epsilon for answer in found[:-1]] == one_by_one


def test_a_stop_leaves_the_rest_unsolved_and_never_complete() -> None:
    found = assess(decided(cap_or_ratio(0.5, 5), CROSSING), stop=lambda: True)
    assert {answer.status for answer in found.answers} == {"failed"}
    assert not found.window.complete


@pytest.mark.slow
def test_a_stop_is_heeded_within_a_solver_and_what_was_known_stays_known() -> None:
    asked = []

    def after_twenty() -> bool:
        asked.append(None)
        return len(asked) > 20

    slow = decided(CROSSING, SLOW, epsilon=0.1)
    stopped = assess(slow, stop=after_twenty)
    assert [answer.status for answer in stopped.answers] == ["allowed", "failed"]
    assert stopped.answers[1].why.key == "stopped"
    assert len(asked) == 21  # nothing is asked, or solved, any more
    assert len(stopped.solved) == 1
    later = assess(slow, stopped)
    assert later.answers[1].status == "allowed"
    assert [answer.status for answer in assess(slow, later, stop=lambda: True).answers] == ["allowed", "allowed"]


# ------------------------------------------------------------------- a contract for every kind


ANSWERS = {kind: SAMPLES[kind][0] for kind, made in kinds().items() if made.end != "verdict"}


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_kind_is_kept_at_its_end_and_broken_a_little_beyond_it(kind: str) -> None:
    first = solve({"kind": kind, **ANSWERS[kind]})
    end = first.answers[0].epsilon
    beyond = end * (1 + 1e-6) if first.answers[0].side == "upper" else end * (1 - 1e-6)
    assert solve({"kind": kind, **ANSWERS[kind]}, epsilon=end).answers[0].met is True
    assert solve({"kind": kind, **ANSWERS[kind]}, epsilon=beyond).answers[0].met is False


@given(
    st.lists(st.sampled_from([{"kind": kind, **fields} for kind, fields in ANSWERS.items()]), max_size=5),
    st.none() | st.floats(0, 10),
    st.integers(1, 4),
)
def test_the_window_is_the_intersection_of_its_answers(
    requirements: list[dict[str, Any]], epsilon: float | None, repetitions: int
) -> None:
    found = solve(*requirements, epsilon=epsilon, repetitions=repetitions)
    uppers = [answer.epsilon for answer in found.answers if answer.side == "upper" and answer.epsilon is not None]
    lowers = [answer.epsilon for answer in found.answers if answer.side == "lower" and answer.epsilon is not None]
    window = found.window
    assert window.upper == min(uppers, default=None)
    if not window.touching:
        assert window.lower == max(lowers, default=0.0)
        assert window.empty == (window.upper is not None and window.lower > window.upper)
    if epsilon is not None and found.inside and window.upper is not None:
        assert window.lower * (1 - 1e-9) <= epsilon <= window.upper * (1 + 1e-9)
