"""What is shown of a release (sentences, rows, curves, panels, exports) is true of the data and the noise themselves.

Every release here is built of people and noise (`tests/samples/published_worlds.py`); what the program says of it is
read where a person reads it, and held against what the noise tells.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from dpwizard.charts import (
    Surface,
    at_risk_chart,
    composition_chart,
    cost_chart,
    curves,
    guessing_chart,
    persuasion_chart,
    spending_chart,
    surfaces,
    usability,
)
from dpwizard.decision import AccuracyInputs, Decision, RequirementResult, assess
from dpwizard.decision.requirements import RelativeRisk
from dpwizard.elicitation import setup
from dpwizard.records import making
from dpwizard.wording import explain, general_guarantee
from tests.oracles import noise_oracle
from tests.samples.decisions import said_of
from tests.samples.limits import plotted
from tests.samples.published_worlds import GAUSSIAN, OTHER, PEOPLE, WORLDS, Published, apart, pairs, sensitivity

PURE = pytest.mark.parametrize("world", WORLDS.values(), ids=WORLDS)
NORMAL = pytest.mark.parametrize("world", GAUSSIAN.values(), ids=GAUSSIAN)
EVERY = pytest.mark.parametrize("world", [*WORLDS.values(), *GAUSSIAN.values()], ids=[*WORLDS, *GAUSSIAN])
EPSILONS = pytest.mark.parametrize("epsilon", [0.3, 1.7])
HAIR = 1e-9
NORMAL_LAW = NormalDist()
VALUE = {"kind": "relative_risk", "adversary": "attribute", "p": 1, "profile": {"shape": "constant", "ratio": 2}}
PRESENCE = {"kind": "relative_risk", "adversary": "inclusion", "q": 1, "profile": {"shape": "constant", "ratio": 2}}
BOTH = {
    "kind": "relative_risk",
    "adversary": "both",
    "p": [0.01, 0.9],
    "q": [0.01, 0.9],
    "profile": {"shape": "constant", "ratio": 2},
}
CATEGORY = {"kind": "categorical_advantage", "prior": {"ill": 0.3, "well": 0.7}, "truth": "ill", "advantage": 0.1}
GAIN = {"kind": "persuasive_privacy", "score": "log", "kappa": 0.5, "delta": 0.01, "prior_mass": 0.2}


def answer_of(decision: Decision) -> RequirementResult:
    return assess(decision).answers[0]


def number(text: str, after: str) -> float:
    found = re.search(r"\d[\d,]*\.?\d*", text[text.index(after) + len(after) :])
    assert found is not None
    return float(found[0].replace(",", ""))


def worst(world: Published, epsilon: float) -> float:
    """The most that is told of any pair of worlds that a question about one person compares."""
    asked = ("replace",) if world.relation == "replace" else ("add_remove", "replace")
    return max(world.loss(epsilon, "replace" if one == "replace" else "add_remove") for one in asked)


def posterior(chance: float, loss: float) -> float:
    return 1.0 / (1.0 + (1.0 - chance) / chance * math.exp(-loss))


# ------------------------------------------------------------------------------------------ sentences


@PURE
@EPSILONS
def test_nobody_learns_more_than_the_sentence_on_everyone_else_says(world: Published, epsilon: float) -> None:
    words = general_guarantee.meaning(world.decided(epsilon=epsilon))[1]
    shown, true = number(words, "at most "), math.exp(worst(world, epsilon))
    assert true <= shown * (1 + HAIR)
    assert not world.sharp or shown <= true * 1.02
    assert ("before all releases" in words) == bool(world.spent)


@PURE
@EPSILONS
def test_no_analyst_is_right_in_more_outcomes_than_the_sentence_on_one_person_says(
    world: Published, epsilon: float
) -> None:
    decision = world.decided(epsilon=epsilon)
    said = general_guarantee.guess_odds(decision)
    assert said is not None
    assert general_guarantee.one_person(decision).count(f"at least {said.unseen:,}.") == 1
    most = max(pairs(world.relation), key=lambda pair: world.told(epsilon, *pair, before=False))
    dice, told = np.random.default_rng(17), np.zeros(200_000)
    for name, row in world.rows(epsilon).items():
        for moved in apart(name, *most) * world.repetitions:
            if row["mechanism"] == "geometric":
                one = dice.geometric(1 - row["alpha"], told.size) - dice.geometric(1 - row["alpha"], told.size)
            else:
                one = dice.laplace(scale=row["scale"], size=told.size)
            told += (np.abs(one + moved) - np.abs(one)) / row["scale"]
    error = float(np.mean(told < -HAIR) + np.mean(np.abs(told) <= HAIR) / 2)  # the likelier world: alike in both
    assert said.unseen / said.out_of <= error + 0.004


@NORMAL
@EPSILONS
def test_under_gaussian_noise_no_event_becomes_likelier_than_the_sentence_says(
    world: Published, epsilon: float
) -> None:
    decision = world.decided(epsilon=epsilon)
    words = general_guarantee.meaning(decision)[1]
    rare = 0.01
    if "next to certain" not in words:
        after = number(words, "it has at most ") / 1000
        mu = world.mu(epsilon, "add_remove")
        if "laplace" not in world.other.values():
            assert NORMAL_LAW.cdf(NORMAL_LAW.inv_cdf(rare) + mu) <= after
        else:  # the likeliest outcomes of both noises together, by simulation
            assert beside_laplace(world, epsilon, rare) <= after + 0.003
    found = general_guarantee.guess_odds(decision)
    assert found is not None
    assert found.unseen / found.out_of <= NORMAL_LAW.cdf(-world.mu(epsilon, "add_remove") / 2)


def beside_laplace(world: Published, epsilon: float, rare: float) -> float:
    """The chance with the record of the best event whose chance without it is RARE."""
    dice, size = np.random.default_rng(18), 400_000
    told = {True: np.zeros(size), False: np.zeros(size)}
    person = max(PEOPLE, key=lambda one: one[1])
    for name, row in world.rows(epsilon).items():
        for moved in apart(name, person, None):
            for there, total in told.items():
                if row["mechanism"] == "laplace":
                    seen = dice.laplace(scale=row["scale"], size=size) + moved * there
                    total += (np.abs(seen) - np.abs(seen - moved)) / row["scale"]
                else:
                    seen = dice.normal(scale=row["scale"], size=size) + moved * there
                    total += (seen**2 - (seen - moved) ** 2) / (2 * row["scale"] ** 2)
    return float(np.mean(told[True] >= np.quantile(told[False], 1 - rare)))


@EPSILONS
def test_the_gaussian_sentence_counts_what_was_spent_before_all_releases(epsilon: float) -> None:
    spent = {"priors_from": "before_all", "spent": [{"epsilon": 1.0, "delta": 1e-3, "neighbours": "add_remove"}]}
    alone, after = (Published(shares={"ill": 1.0}, mechanism="gaussian", delta=1e-5, more=more) for more in ({}, spent))
    said = (general_guarantee.meaning(one.decided(epsilon=epsilon))[1] for one in (alone, after))
    shown = [number(words, "it has at most ") for words in said]
    assert shown[1] >= math.exp(1.0) * 10
    assert shown[1] > shown[0]


def test_what_cannot_be_said_of_everyone_has_its_reason() -> None:
    spent: dict[str, Any] = {"priors_from": "before_all", "spent": [{"rho": 0.1, "neighbours": "add_remove"}]}
    words = general_guarantee.meaning(Published(shares={"ill": 1.0}, more=spent).decided(epsilon=1.0))[1]
    assert "states rho alone" in words
    assert "other neighbouring relation" not in words
    spent["spent"] = [{"epsilon": 1.0, "delta": 1e-3, "neighbours": "add_remove"}]
    words = general_guarantee.meaning(Published(shares={"ill": 1.0}, more=spent).decided(epsilon=1.0))[1]
    assert "no largest loss" in words


# ---------------------------------------------------------------------------------- exact figures


@pytest.mark.parametrize(
    ("relation", "reads", "promised"),
    [("replace", [], True), ("replace", ["illness"], False), ("replace", None, False), ("add_remove", [], False)],
)
def test_a_promise_to_everybody_stands_beside_an_exact_figure_only_where_both_worlds_agree_on_it(
    relation: Any, reads: list[str] | None, promised: bool
) -> None:
    figure = {"name": "everybody counted"} | ({} if reads is None else {"reads": reads})
    world = Published(shares={"ill": 1.0}, relation=relation, more={"exact_figures": [figure]})
    name = "people" if reads == [] else "ill"
    tells = any(any(apart(name, *pair)) for pair in pairs(relation))  # the exact figure itself tells the worlds apart
    assert tells == (not promised)
    decision = world.decided(epsilon=1.0)
    said = said_of(decision).meaning
    assert (general_guarantee.guess_odds(decision) is not None) == promised
    assert all(("no limit holds" in sentence) != promised for sentence in said[:2])


def test_a_table_without_noise_that_counts_everybody_leaves_promises_on_values_standing() -> None:
    world = Published(shares={"ill": 1.0}, relation="replace")
    total = {"name": "people", "statistic": "count", "mechanism": "exact", "reads": []}
    decision = Published(shares={"ill": 1.0}, relation="replace", more={"parts": [*world.raw["parts"], total]}).decided(
        CATEGORY, epsilon=1.0
    )
    assert answer_of(decision).status == "allowed"
    said = said_of(decision).meaning
    assert len(said) == 3
    assert math.exp(world.loss(1.0, "replace")) <= number(said[1], "at most ") <= 2.72


# ---------------------------------------------------------------------------------------------- rows


@PURE
@EPSILONS
def test_what_each_row_says_of_the_epsilon_chosen_is_what_the_noise_does(world: Published, epsilon: float) -> None:
    presence, value = (world.loss(epsilon, relation) for relation in OTHER)
    whole = world.loss(epsilon, world.relation)
    asked: list[tuple[dict[str, Any], str, float]] = [
        (CATEGORY, "advantage", posterior(0.3, value) - 0.3),
        (VALUE | {"q": 0.3}, "posterior", posterior(0.3, value)),
        ({"kind": "lee_clifton", "population": 4, "posterior": 0.5}, "posterior", posterior(0.25, value)),
        ({"kind": "compensation", "people": 1000, "cost": 100, "money": 30000}, "cost", 100_000 * math.exp(-1 / whole)),
        ({"kind": "budget", "total": 50}, "spent_total", whole),
    ]
    if world.relation == "add_remove":
        asked += [
            (PRESENCE | {"p": 0.1}, "posterior", posterior(0.1, presence)),
            (
                {"kind": "participation", "posterior_without": 0.2, "posterior_with": 0.9},
                "upper",
                posterior(0.2, value),  # what they were compared with may stay as it is; if it changes too, more
            ),
        ]
    for requirement, figure, true in asked:
        shown = answer_of(world.decided(requirement, epsilon=epsilon)).at_epsilon[figure]
        assert true <= shown * (1 + HAIR), (requirement["kind"], true, shown)
        if world.sharp and requirement["kind"] != "participation":
            assert shown == pytest.approx(true, rel=1e-9), requirement["kind"]


@PURE
@EPSILONS
def test_a_guess_of_one_attribute_gains_what_the_tables_that_read_it_tell(world: Published, epsilon: float) -> None:
    reads = {"ill": ["ill"], "incomes": ["income"], "north": ["region", "income"], "south": ["region", "income"]}
    parts = [{**part, "reads": reads[part["name"]]} for part in world.raw["parts"]]
    parts = [part | ({"effects": {"ill": 1}} if part["name"] == "ill" else {}) for part in parts]
    named = replace(world, more={"parts": parts})
    value = {"prior": {"family": "discrete", "points": [0, 0, 0, 0, 0, 0, 0, 1, 1, 1]}, "truth": 1, "precision": 0.5}
    guess = {
        "kind": "guessing_advantage",
        "attributes": [{**value, "name": "ill", "effect": 1}],
        "advantage": 0.2,
        "attribute": "ill",
    }
    true = max(world.told(epsilon, *pair) for pair in pairs("replace") if pair[1] and pair[0][:2] == pair[1][:2])
    for requirement in (guess, CATEGORY | {"attribute": "ill"}):
        decision = named.decided(requirement, epsilon=epsilon)
        answer = answer_of(decision)
        assert answer.status == "allowed", answer.why
        shown = answer.at_epsilon["advantage"]
        assert posterior(0.3, true) - 0.3 <= shown * (1 + HAIR)
        careful = world.spent and requirement is guess  # no effects are stated of what was spent: however near, whole
        assert careful or not world.sharp or shown == pytest.approx(posterior(0.3, true) - 0.3, rel=1e-6)
        read = guessing_chart.inputs(decision.requirements[0], answer, decision.release, epsilon)
        assert read is not None
        lines = plotted(guessing_chart.figure(read)).lines
        line = next(line for line in lines if line.role == "privacy" and line.name != "well")
        assert np.interp(epsilon, line.x, line.y) == pytest.approx(shown, abs=2e-3)


@EVERY
@EPSILONS
def test_the_error_of_each_table_is_that_of_the_noise_the_record_tells_to_add(world: Published, epsilon: float) -> None:
    for name, row in world.rows(epsilon).items():
        decision = world.decided({"kind": "rmse", "at_most": 9, "part": name}, epsilon=epsilon)
        alpha = row["alpha"] or 0.5
        sd = {
            "laplace": math.sqrt(2) * row["scale"],
            "gaussian": row["scale"],
            "geometric": math.sqrt(2 * alpha) / (1 - alpha),
        }[row["mechanism"]]
        assert answer_of(decision).at_epsilon["rmse"] == pytest.approx(sd, rel=1e-9)
        setting = decision.release.number_setting(name)
        assert isinstance(setting, AccuracyInputs)
        drawn = curves.noise(setting, epsilon)
        assert drawn is not None
        assert drawn.sd == pytest.approx(sd, rel=1e-9)
        measures = usability.measures(decision, assess(decision))
        assert float(measures[0].value) == pytest.approx(sd, rel=6e-3)


# --------------------------------------------------------------------------------------------- curves


@PURE
@pytest.mark.parametrize("requirement", [VALUE | {"q": [0.01, 0.9]}, PRESENCE | {"p": [0.01, 0.9]}, BOTH])
def test_the_curve_of_what_the_epsilon_chosen_gives_is_never_below_what_bayes_gives(
    world: Published, requirement: dict[str, Any]
) -> None:
    epsilon = 0.4
    decision = world.decided(requirement, epsilon=epsilon)
    asked, answer = decision.requirements[0], answer_of(decision)
    assert isinstance(asked, RelativeRisk)
    told = {"status": answer.status, "binding": answer.binding, "attained": answer.attained, "epsilon": answer.epsilon}
    drawn = curves.risk_curves(asked, decision.release, told, epsilon)
    assert drawn
    for curve in drawn:
        for at in range(0, len(curve.priors), 60):
            prior, other = curve.priors[at], curve.other
            p, q = (prior, other) if curve.axis == "p" else (other, prior)
            true = max(
                ratio(p, q, one, two, nobody)
                for pair in pairs("replace")
                for one, two, nobody in world.outcomes(epsilon, *pair)
            )
            assert true <= curve.given[at] * (1 + HAIR)
            if world.sharp and requirement["adversary"] != "both":
                assert true == pytest.approx(curve.given[at], rel=1e-6)
        allowed = min(curve.epsilons)
        assert allowed >= (answer.epsilon or 0.0) * (1 - HAIR)
    mapped = surfaces.inputs(asked, answer, decision.release)
    if mapped is not None:
        grid = surfaces.figure(mapped).plots[1]
        assert isinstance(grid, Surface)
        assert float(np.min(grid.grid)) >= (answer.epsilon or 0.0) * (1 - HAIR)


def ratio(p: float, q: float, one: float, two: float, nobody: float) -> float:
    """The chance of being there with the value after an outcome over that before it, by Bayes' rule."""
    return 1 / (p * q + p * (1 - q) * math.exp(two - one) + (1 - p) * math.exp(nobody - one))


@PURE
def test_the_curve_of_a_category_is_its_row_and_what_bayes_gives(world: Published) -> None:
    decision = world.decided(CATEGORY)
    read = guessing_chart.inputs(decision.requirements[0], answer_of(decision), decision.release, None)
    assert read is not None
    line = next(line for line in plotted(guessing_chart.figure(read)).lines if line.name == "ill")
    for epsilon, gain in list(zip(line.x, line.y, strict=True))[20::30]:
        assert posterior(0.3, world.loss(epsilon, "replace")) - 0.3 <= gain * (1 + HAIR)
        assert answer_of(world.decided(CATEGORY, epsilon=epsilon)).at_epsilon["advantage"] == pytest.approx(gain)


@NORMAL
@EPSILONS
def test_the_chance_that_a_gain_is_kept_is_that_of_the_noise_on_all_tables(world: Published, epsilon: float) -> None:
    decision = world.decided(GAIN, epsilon=epsilon)
    answer = answer_of(decision)
    read = persuasion_chart.inputs(decision.requirements[0], answer, decision.release, epsilon)
    assert read is not None
    figure = persuasion_chart.figure(read)
    if answer.status == "not_applicable":
        assert not figure.plots
        return
    shown = plotted(figure).marks[0].y
    mu = world.mu(epsilon, "replace")
    told = np.random.default_rng(19).normal(mu * mu / 2, mu, 400_000)
    kept = float(np.mean(-np.log(0.2 + 0.8 * np.exp(-told)) <= 0.5))
    assert shown == pytest.approx(kept, abs=0.004)
    assert (shown >= 0.99) == (answer.epsilon is not None and epsilon <= answer.epsilon)


@PURE
@EPSILONS
def test_figures_of_money_levels_and_composition_count_all_that_is_told(world: Published, epsilon: float) -> None:
    money = {"kind": "compensation", "people": 1000, "cost": 100, "money": 30000}
    decision = world.decided(money, {"kind": "privacy_at_risk", "level": 0.2, "confidence": 0.5}, epsilon=epsilon)
    costs, levels = cost_chart.inputs(decision, epsilon), at_risk_chart.inputs(decision, epsilon)
    assert costs is not None
    assert levels is not None
    assert costs.epsilon0 >= world.loss(epsilon, world.relation) * (1 - HAIR)
    assert levels.epsilon0 >= world.loss(epsilon, "replace") * (1 - HAIR)
    assert levels.mechanism is None or (len(world.shares) == world.repetitions == 1 and not world.spent)
    if levels.mechanism is None:
        assert "is not proved" in at_risk_chart.figure(levels).sentence
    budget = {"kind": "budget", "total": 50, "composition": "tight", "delta": 0.02}
    asked = world.decided(budget, epsilon=epsilon)
    read = composition_chart.inputs(asked, epsilon)
    assert read is not None
    spent = max((world.loss(1e-12, world.relation), 0.0)) - world.loss(1e-12, world.relation, before=False)
    assert read.spent >= spent * (1 - 1e-6)
    lines = {line.role: line for line in plotted(composition_chart.figure(read)).lines if line.dash != "dot"}
    line = lines.get("privacy", lines["accuracy"])  # the noise's own loss, or the best bound on any
    shown = line.y[line.x.index(float(world.repetitions))]
    assert beyond(world, epsilon, shown) <= 0.02 + 1e-3
    assert answer_of(asked).at_epsilon["spent_total"] <= (shown + read.spent) * (1 + 1e-6)  # read from one curve


def beyond(world: Published, epsilon: float, bound: float) -> float:
    """E(1 - e^(bound - loss))+ of the worst pair of worlds, by simulation of the noise added."""
    dice, told = np.random.default_rng(20), np.zeros(200_000)
    most = max(pairs(world.relation), key=lambda pair: world.told(epsilon, *pair, before=False))
    for name, row in world.rows(epsilon).items():
        for moved in apart(name, *most) * world.repetitions:
            one = dice.laplace(scale=row["scale"], size=told.size)
            if row["mechanism"] == "geometric":
                one = dice.geometric(1 - row["alpha"], told.size) - dice.geometric(1 - row["alpha"], told.size)
            told += (np.abs(one + moved) - np.abs(one)) / row["scale"]
    return float(np.mean(np.maximum(0.0, -np.expm1(bound - told))))


# ------------------------------------------------------------------------------- accounts, elicitation


@PURE
@EPSILONS
def test_what_is_accounted_for_is_what_is_told_and_its_rows_add_up(world: Published, epsilon: float) -> None:
    decision = world.decided({"kind": "budget", "total": 50}, epsilon=epsilon)
    assessment = assess(decision)
    made = making.accounting(decision)
    alone = world.loss(epsilon, world.relation, before=False)
    before = sum(
        cost * sensitivity(name, world.relation, 1) / sensitivity(name, relation, 1)
        for name, cost, relation in world.spent
    )
    assert made["all_repetitions"] >= alone * (1 - HAIR)
    assert not world.sharp or made["all_repetitions"] == pytest.approx(alone)
    assert made["spent_before"] == pytest.approx(before)
    assert made["in_all"] == pytest.approx(made["all_repetitions"] + before)
    assert assessment.answers[0].at_epsilon["spent_total"] == pytest.approx(made["in_all"])
    said = explain.accounting(decision)
    assert number(said[said.rindex("spent before" if before else ":") :], " ") >= made["in_all"] - 1e-9
    drawn = spending_chart.inputs(decision, assessment, epsilon)
    assert drawn is not None
    assert sum(cost for _, cost in drawn.earlier) == pytest.approx(before)
    assert drawn.this == pytest.approx(made["all_repetitions"])


def test_an_earlier_release_said_by_rho_alone_has_its_row_and_its_delta() -> None:
    spent = {"spent": [{"rho": 0.02, "delta": 1e-6, "neighbours": "add_remove", "mechanism": "gaussian"}]}
    decision = Published(shares={"ill": 1.0}, more=spent).decided(epsilon=0.5)
    made = making.accounting(decision)
    assert made["delta_spent_before"] == 1e-6
    assert float(noise_oracle.gaussian_hockey_stick(math.sqrt(2 * 0.02), made["spent_before"])) <= 1e-6
    drawn = spending_chart.inputs(decision, assess(decision), 0.5)
    assert drawn is not None
    assert drawn.earlier[0][1] == pytest.approx(made["spent_before"])


@PURE
@pytest.mark.parametrize("requirement", [VALUE | {"q": [0.01, 0.9]}, PRESENCE | {"p": [0.01, 0.9]}])
def test_an_epsilon_found_by_questions_is_said_as_one_at_which_no_more_is_told(
    world: Published, requirement: dict[str, Any]
) -> None:
    decision = world.decided(requirement)
    asked = decision.requirements[0]
    spoken = setup.spoken_of(asked, decision.release)
    factor = setup.setup_for(asked, decision.release).replace_factor
    for own in (0.6, 1.5, 4.0):
        epsilon = spoken.limit(own)
        assert epsilon is not None
        if not epsilon:
            assert world.spent
            continue
        known = world.loss(
            epsilon, "replace" if spoken.setting and spoken.setting.pair.relation == "replace" else "add_remove"
        )
        assert known <= own * (1 + HAIR)
        assert world.loss(epsilon, "replace") <= factor * own * (1 + HAIR)
        assert not world.sharp or known == pytest.approx(own)
