"""What a figure marks is what the answer says: every figure against every kind of release, read at the limit of its
requirement.

One path leads from a requirement to its epsilon: the pair of worlds it compares, its factor, the tables, the
repetitions and what is spent. A figure that takes another one marks another epsilon than the answer; here each is read
at the limit.
"""

from __future__ import annotations

import math
import operator
import random
from typing import Any

import numpy as np
import pytest

from dpwizard.base.language import speaking
from dpwizard.charts import Chart, guessing_chart, persuasion_chart, profile_handles, surfaces
from dpwizard.charts.curves import risk_curves
from dpwizard.decision.requirements.relative_risk import RelativeRisk
from dpwizard.privacy.profiles import View
from tests.samples import released
from tests.samples.limits import RELEASES, REQUIREMENTS, answered, decided, plotted, reached

EVERY = pytest.mark.parametrize("release", RELEASES)
GUESSES = ("guess", "guess, rise and drop", "guess by a threshold")  # each release meets one of them, and the category
GUESSED = [(release, asked) for at, release in enumerate(RELEASES) for asked in (GUESSES[at % 3], "category")]


# -------------------------------------------------------------------------------------- profiles, maps


@EVERY
@pytest.mark.parametrize("asked", ["value", "both"])
def test_the_lowest_point_of_every_curve_and_map_is_the_limit_of_the_answer(release: str, asked: str) -> None:
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    assert isinstance(requirement, RelativeRisk)
    told = {"status": answer.status, "binding": answer.binding, "attained": answer.attained, "epsilon": answer.epsilon}
    found = risk_curves(requirement, decision.release, told, answer.epsilon)
    mapped = surfaces.drawing(requirement, answer, decision.release)
    if answer.status != "allowed":
        assert not found
        assert mapped is None
        return
    limit = answer.epsilon
    assert found
    for curve in found:
        assert min(curve.epsilons) >= limit * (1 - 1e-9)
        if answer.attained:
            assert min(curve.epsilons) == pytest.approx(limit, rel=1e-6)
            assert max(map(operator.truediv, curve.given, curve.allowed)) == pytest.approx(1.0, rel=1e-6)
        for allowed, given, epsilon in zip(curve.allowed, curve.given, curve.epsilons, strict=True):
            assert math.isinf(epsilon) or given <= allowed * (
                1 + 1e-6
            )  # at the limit the release teaches no more than is allowed
    if mapped is not None:
        map_of_epsilon = mapped.figure().plots[1]
        least = float(np.min(map_of_epsilon.grid))
        assert limit * (1 - 1e-9) <= least <= limit * 1.1 + 1e-9  # cells are looked at in their middles


@pytest.mark.parametrize("seed", range(3))
def test_no_curve_of_a_profile_drawn_at_random_falls_below_its_limit(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(25):
        release, requirement = released.relative_risk(dice)
        decision = decided(release, {"kind": "relative_risk", **requirement})
        asked, answer = answered(decision)
        assert isinstance(asked, RelativeRisk)
        told = {
            "status": answer.status,
            "binding": answer.binding,
            "attained": answer.attained,
            "epsilon": answer.epsilon,
        }
        for curve in risk_curves(asked, decision.release, told, None):
            assert answer.epsilon is None or min(curve.epsilons) >= answer.epsilon * (1 - 1e-8) - 1e-12
            if answer.epsilon and answer.attained and curve.binding:
                assert min(curve.epsilons) <= answer.epsilon * (1 + 2e-3)  # of a surface, a limit is so close


# ---------------------------------------------------------------------------------------------- guesses


@pytest.mark.parametrize(("release", "asked"), GUESSED[::2])
def test_the_curve_of_a_guess_reaches_the_advantage_asked_for_at_the_limit(
    release: str, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing_chart, "POINTS", guessing_chart.FEW)  # they are enough to read the line between them
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    read = guessing_chart.drawing(requirement, answer, decision.release, None)
    if answer.status not in ("allowed", "unbounded"):
        assert read is None
        return
    assert answer.epsilon is not None
    figure = read.figure()
    line = next(line for line in plotted(figure).lines if line.role == "privacy")
    assert reached(line, REQUIREMENTS[asked]["advantage"]) == pytest.approx(answer.epsilon, rel=0.03, abs=1e-9)
    assert plotted(figure).marks[0].x == answer.epsilon


# ------------------------------------------------------------------------------------------- prediction


@EVERY
@pytest.mark.parametrize("asked", ["gain", "gain but for a chance"])
def test_the_noise_a_prediction_needs_is_that_of_the_limit_and_there_the_promise_holds(
    release: str, asked: str
) -> None:
    decision = decided(release, asked)
    requirement, answer = answered(decision)
    read = persuasion_chart.drawing(requirement, answer, decision.release, None)
    if answer.status == "not_applicable":
        figure = read.figure()
        assert not figure.plots
        assert figure.sentence
        return
    if answer.status != "allowed":
        return
    assert answer.epsilon is not None
    figure = read.figure()
    setting = read.reads["read"].setting
    added = setting.noise.each[0].noise
    if setting.one is None and setting.noise.normal is not None:  # together as much as one Gaussian figure
        (mark,) = plotted(figure).marks
        assert mark.y == pytest.approx(1 - REQUIREMENTS[asked]["delta"], abs=1e-9)
        return
    if setting.one is None:  # the noise of no one table keeps the promise
        assert not figure.plots
        assert ("for certain" if asked == "gain" else "in at least 99 in 100") in figure.sentence
        return
    assert setting.sensitivity is not None
    wanted = added.scale(answer.epsilon, setting.sensitivity, setting.delta or 0.0)
    delta = REQUIREMENTS[asked].get("delta", 0)
    every = [line for index, _ in enumerate(figure.plots) for line in plotted(figure, index).lines]
    noise = next(line for line in every if line.name.endswith(f": {delta:g}"))
    assert noise.y[noise.x.index(1.0)] == pytest.approx(wanted, rel=1e-6)
    for plot in figure.plots:
        for mark in plot.marks:
            assert mark.y >= 1 - delta - 1e-9  # at its limit the promise is kept


@pytest.mark.parametrize("release", ["four repetitions", "spent before", "spent before, four repetitions"])
def test_no_chance_of_100_in_100_is_shown_where_the_limit_is_broken(release: str) -> None:
    _, answer = answered(decided(release, "gain"))
    decision = decided(release, "gain", epsilon=1.05 * answer.epsilon)
    requirement, answer = answered(decision)
    assert answer.met is False
    read = persuasion_chart.drawing(requirement, answer, decision.release, decision.epsilon)
    figure = read.figure()
    assert "100 in 100" not in figure.sentence
    assert "not proved" in figure.sentence
    assert all(
        "100 in 100" not in mark.words for plot in figure.plots if isinstance(plot, Chart) for mark in plot.marks
    )


# --------------------------------------------------------------------------------------------- handles


@pytest.mark.parametrize(
    ("profile", "english", "german"),
    [
        ({"shape": "constant", "ratio": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "odds", "factor": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "power", "constant": 1.5, "exponent": 0.5}, "Drag the diamonds,", "die Rauten,"),
        ({"shape": "cap_or_ratio", "posterior": 0.25, "ratio": 3}, "Drag the round mark,", "die runde Marke,"),
        ({"shape": "cap_or_ratio", "posterior": 1, "ratio": 1.5}, "Drag the round mark,", "die runde Marke,"),
        ({"shape": "cap_or_ratio", "posterior": 0.001, "ratio": 3}, "Drag the diamond,", "die Raute,"),
        ({"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [6, 2]}, "Drag the diamonds,", "die Rauten,"),
        ({"shape": "steps", "axis": "q", "edges": [0.1], "ratios": [6, 2]}, "", ""),
        ({"shape": "knots", "axis": "p", "points": [[0.01, 5], [0.5, 1.5]]}, "Drag the knots,", "die Stützpunkte,"),
    ],
)
def test_the_hint_names_what_is_drawn(profile: dict[str, Any], english: str, german: str) -> None:
    requirement = decided("one count", REQUIREMENTS["presence"] | {"profile": profile}).requirements[0]
    shape = requirement.profile
    offered = profile_handles.handles(shape, View(axis="p", low=0.01, high=1.0, other=1.0))
    for language, words in (("en", english), ("de", german)):
        with speaking(language):
            said = profile_handles.hint(offered, shape)
        assert words in said
        assert bool(words) == bool(said)
    if "round" in english:
        assert all(one.way == "both" for one in offered)
    if "diamond" in english:
        assert all(one.way != "both" for one in offered)
        assert english.endswith("diamonds,") == (len(offered) > 1)
