"""What a release tells of a pair of worlds, held against every pair of small data sets and the noise itself.

The release is drawn as functions of actual people: counts, sums, histograms, and counts by a region that nobody is in
twice. Their sensitivities and effects are found by trying every change; the loss of a change under Laplace noise is
then the sum, over the tables, of how far each moves by its own scale.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import FORMAT, RequirementResult, assess, read_decision
from tests.oracles import noise_oracle

Person = tuple[int, int, int]  # region, income, sex
Table = Callable[[Person], tuple[float, ...]]  # what one person adds to a table
PEOPLE: tuple[Person, ...] = tuple(itertools.product((0, 1, 2), (2, 3, 5), (0, 1)))
LOG3 = math.log(3)
NOBODY: tuple[float, ...] = ()

TABLES: dict[str, Table] = {
    "women": lambda person: (float(person[2]),),
    "income": lambda person: (float(person[1]),),
    "by sex": lambda person: (float(person[2] == 0), float(person[2] == 1)),
    "north": lambda person: (float(person[0] == 0),),
    "income, south": lambda person: (float(person[1]) if person[0] == 1 else 0.0,),
    "by sex, west": lambda person: tuple(float(person[0] == 2 and person[2] == sex) for sex in (0, 1)),
}
STATISTICS = {"women": "count", "income": "sum", "by sex": "histogram", "north": "count", "income, south": "sum"}
READS = {"women": (2,), "income": (1,), "by sex": (2,), "north": (0,), "income, south": (0, 1), "by sex, west": (0, 2)}
NAMES = ("region", "income", "sex")
REGIONAL = ("north", "income, south", "by sex, west")  # nobody is in two of them


def far(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    size = max(len(one), len(other))
    return sum(abs(a - b) for a, b in zip(one or (0.0,) * size, other or (0.0,) * size, strict=True))


def added() -> Iterator[tuple[Person | None, Person | None]]:
    yield from ((person, None) for person in PEOPLE)


def replaced(attribute: int | None = None) -> Iterator[tuple[Person, Person]]:
    for one, other in itertools.product(PEOPLE, repeat=2):
        if attribute is None or all(one[i] == other[i] for i in range(3) if i != attribute):
            yield one, other


def moved_by(name: str, pair: tuple[Any, Any]) -> float:
    one, other = (NOBODY if person is None else TABLES[name](person) for person in pair)
    return far(one, other)


def most(name: str, pairs: Iterator[tuple[Any, Any]]) -> float:
    return max(moved_by(name, pair) for pair in pairs)


def release(names: list[str], shares: list[float], neighbours: str, stated: bool) -> dict[str, Any]:
    parts = []
    for name, share in zip(names, shares, strict=True):
        under = {"add_remove": most(name, added()), "replace": most(name, replaced())}
        part = {
            "name": name,
            "statistic": STATISTICS.get(name, "histogram"),
            "sensitivity": under.pop(neighbours),
            "share": share,
            "dimension": len(TABLES[name](PEOPLE[0])),
            "reads": [NAMES[i] for i in READS[name]],
        }
        if stated:
            part["sensitivity_other"] = under.popitem()[1]
        if name in REGIONAL:
            part["group"] = "region"
        if name.startswith("income"):
            part["effects"] = {"income": 1}
        parts.append(part)
    return {"neighbours": neighbours, "mechanism": "laplace", "unit": "one person", "parts": parts}


def true_rate(made: dict[str, Any], pairs: Iterator[tuple[Any, Any]]) -> float:
    """Return the largest loss of PAIRS at an epsilon of 1, of the noise that the release adds."""
    return max(
        sum(part["share"] * moved_by(part["name"], pair) / part["sensitivity"] for part in made["parts"])
        for pair in pairs
    )


def solved(made: dict[str, Any], *asked: dict[str, Any]) -> tuple[RequirementResult, ...]:
    return assess(read_decision({"format": FORMAT, "release": made, "requirements": list(asked)})).answers


CLASSES = {"kind": "categorical_advantage", "prior": {"a": 1, "b": 1}, "truth": "a", "advantage": 0.25}  # log 3
PARTICIPATION = {"kind": "participation", "posterior_without": 0.25, "posterior_with": 0.5}  # half of log 3


def drawn(seed: int) -> tuple[list[str], list[float]]:
    rng = np.random.default_rng(seed)
    names = [str(name) for name in rng.permutation(list(TABLES))[: rng.integers(1, 7)]]
    cuts = sorted(rng.integers(1, 20, size=len(names)))
    return names, [round(float(cut / sum(cuts)), 2) or 0.01 for cut in cuts]


@pytest.mark.parametrize("neighbours", ["add_remove", "replace"])
@pytest.mark.parametrize("seed", range(8))
def test_no_change_of_one_person_tells_more_than_the_limit_counts(seed: int, neighbours: str) -> None:
    names, shares = drawn(seed)
    for stated in (True, False):
        made = release(names, shares, neighbours, stated)
        if sum(shares) > 1:
            continue
        value, presence, income = solved(made, CLASSES, PARTICIPATION, {**CLASSES, "attribute": "income"})
        rows = ((value, replaced(), LOG3), (presence, added(), LOG3 / 2), (income, replaced(1), LOG3))
        for answer, pairs, most_told in rows:
            if answer.epsilon is None:
                told = answer.status == "not_applicable" and neighbours == "replace" and not stated
                unread = answer.status == "unanswered" and answer.why.key.startswith("unknown_attribute")
                assert told or ((unread or answer.status == "unbounded") and true_rate(made, pairs) == 0.0)
            else:
                assert answer.epsilon * true_rate(made, pairs) <= most_told * (1 + 1e-12), (made, answer)
                assert "tables" in answer.validity


def test_a_guess_counts_how_far_every_table_moves_with_the_value() -> None:
    made = release(["income", "income, south", "by sex"], [0.5, 0.25, 0.25], "replace", stated=True)
    made["parts"][0]["moves"] = made["parts"][1]["moves"] = False
    guess = {
        "kind": "guessing_advantage",
        "attributes": [
            {"name": "income", "prior": {"family": "uniform", "low": 0, "high": 10}, "truth": 5, "precision": 1}
        ],
        "advantage": 0.1,
    }
    (answer,) = solved(made, guess)
    by_one = 0.5 * 1 / made["parts"][0]["sensitivity"] + 0.25 * 1 / made["parts"][1]["sensitivity"]
    assert answer.status == "allowed"
    assert "effects" in answer.validity
    assert answer.epsilon == pytest.approx(0.2286 / by_one, rel=1e-3)  # docs/methods/guessing_advantage.md
    del made["parts"][1]["effects"]
    (answer,) = solved(made, guess)
    assert (answer.status, answer.why.values["tables"]) == ("not_applicable", ("income, south",))
    assert "effects" not in answer.validity


def test_an_exact_figure_ends_the_promises_whose_worlds_it_tells_apart() -> None:
    made = release(["income", "by sex"], [0.5, 0.5], "add_remove", stated=True)
    total, women = {"name": "people", "reads": []}, {"name": "women", "reads": ["sex"]}
    unknown = {"name": "other"}
    asked = (PARTICIPATION, CLASSES, {**CLASSES, "attribute": "income"}, {**CLASSES, "attribute": "sex"})
    for exact, kept in (((total,), (False, True, True, True)), ((women,), (False, False, True, False))):
        answers = solved({**made, "exact_figures": list(exact)}, *asked)
        assert tuple(answer.status == "allowed" for answer in answers) == kept
        assert all(("exact_figures" in answer.validity) is held for answer, held in zip(answers, kept, strict=True))
    assert {answer.status for answer in solved({**made, "exact_figures": [unknown]}, *asked)} == {"not_applicable"}
    (answer,) = solved({**made, "exact_figures": [women]}, {**CLASSES, "attribute": "income"})
    assert "other_attributes_known" in answer.assumptions


EARLIER = {"epsilon": 0.2, "neighbours": "add_remove", "mechanism": "laplace", "sensitivity": 10}


@pytest.mark.parametrize(
    ("figures", "lost"),
    [
        ({}, 0.4),
        ({"sensitivity_other": 10}, 0.2),
        ({"sensitivity_other": 1}, 0.02),  # values from 9 to 10
        ({"neighbours": "replace", "sensitivity_other": 20}, 0.2),
    ],
)
def test_an_earlier_release_counts_what_it_told_of_the_same_two_worlds(figures: dict[str, Any], lost: float) -> None:
    made = {"neighbours": "replace", "mechanism": "laplace", "unit": "one person", "statistic": "sum"}
    made |= {"sensitivity": 10, "priors_from": "before_all", "spent": [{**EARLIER, **figures}]}
    (answer,) = solved(made, CLASSES)
    assert answer.epsilon == pytest.approx(LOG3 - lost, rel=1e-12)


def test_an_earlier_gaussian_release_is_never_counted_as_pure() -> None:
    made = {"neighbours": "add_remove", "mechanism": "laplace", "unit": "one person", "statistic": "count"}
    made |= {"sensitivity": 1, "priors_from": "before_all"}
    for gaussian in ({"mechanism": "gaussian", "delta": 1e-6}, {"delta": 1e-6}, {"epsilon": None, "rho": 0.02}):
        value, budget = solved({**made, "spent": [{**EARLIER, **gaussian}]}, CLASSES, {"kind": "budget", "total": 1})
        assert (value.status, value.why.key[:5]) == ("not_applicable", "spent")
        assert "spent" not in value.validity
        assert budget.status == ("allowed" if "delta" in gaussian else "not_applicable")
    known = {**EARLIER, "mechanism": "gaussian", "delta": 1e-6, "sensitivity_other": 20}
    (budget,) = solved({**made, "neighbours": "replace", "spent": [known]}, {"kind": "budget", "total": 2})
    mu = noise_oracle_mu(0.2, 1e-6)
    assert float(noise_oracle.gaussian_hockey_stick(2 * mu, 2 - budget.epsilon)) <= 1e-6 * (1 + 1e-12)
    assert budget.epsilon == pytest.approx(2 - 0.4, abs=0.05)


def noise_oracle_mu(epsilon: float, delta: float) -> float:
    low, high = 0.0, 10.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if noise_oracle.gaussian_hockey_stick(middle, epsilon) <= delta else (low, middle)
    return low


def test_what_no_table_uses_yet_counts_as_the_table_that_tells_most() -> None:
    half = release(["women", "by sex"], [0.25, 0.25], "add_remove", stated=True)
    (answer,) = solved(half, CLASSES)
    assert answer.epsilon == pytest.approx(LOG3 / (0.25 + 0.5 + 0.5 * 2), rel=1e-12)
    thirds = release(["women", "income", "north"], [0.333333333] * 3, "add_remove", stated=True)
    assert solved(thirds, PARTICIPATION)[0].epsilon == pytest.approx(LOG3 / 2, rel=1e-15)


def test_what_no_table_reads_is_kept_at_any_epsilon_unless_it_is_broken_without_a_release() -> None:
    earlier = {"record": "2019", "epsilon": 0.1, "neighbours": "replace", "effects": {"income": 1}}
    made = release(["women"], [1.0], "replace", stated=True) | {"spent": [earlier]}
    kept = {"kind": "relative_risk", "adversary": "attribute", "attribute": "income", "q": [0.2, 0.5]}
    kept["profile"] = {"shape": "cap", "posterior": 0.6}
    answers = solved(made, kept, {**kept, "q": [0.2, 0.9]}, {**CLASSES, "attribute": "income"})
    assert [answer.status for answer in answers] == ["unbounded", "infeasible", "unbounded"]


def test_an_earlier_release_without_noise_ends_every_promise_whatever_epsilon_is_entered_for_it() -> None:
    made = release(["women"], [1.0], "replace", stated=True)
    for beliefs in ("this_release", "before_all"):
        earlier = {"record": "2019", "mechanism": "exact", "epsilon": 0, "neighbours": "replace"}
        (answer,) = solved({**made, "priors_from": beliefs, "spent": [earlier]}, CLASSES)
        assert (answer.status, answer.why.values["tables"]) == ("not_applicable", ("2019",))


def test_a_noiseless_mean_beside_another_exact_figure_keeps_nothing() -> None:
    made = {"statistic": "mean", "mechanism": "exact", "neighbours": "replace", "unit": "one person", "sensitivity": 1}
    asked = {"kind": "exact_mean", "n": 10, "correlation": 0, "r1": 1, "kappa": 3}
    (alone,) = solved(made, asked)
    (beside,) = solved({**made, "exact_figures": [{"name": "mean of the first two", "reads": ["income"]}]}, asked)
    (known,) = solved({**made, "exact_figures": [{"name": "people", "reads": []}]}, asked)
    assert (alone.status, beside.status, known.status) == ("allowed", "not_applicable", "allowed")


def test_a_score_of_a_value_counts_how_far_the_figure_moves_with_it() -> None:
    made = {"statistic": "sum", "neighbours": "replace", "mechanism": "laplace", "unit": "one person"}
    asked = {"kind": "persuasive_privacy", "score": "interval", "kappa": 0.5, "delta": 0.1}
    asked |= {"length": 1, "prior_sd": 1, "margin": 0.2}
    itself, doubled = {**made, "sensitivity": 5}, {**made, "sensitivity": 10, "effects": {"income": 2}}
    (one,), (two,) = solved(itself, asked), solved(doubled, asked)
    assert one.epsilon is not None
    assert two.epsilon == pytest.approx(one.epsilon, rel=1e-12)  # the same noise on the value, the same epsilon
    mean = {**made, "statistic": "mean", "sensitivity": 0.05, "effects": {"income": 0.01}}
    assert solved(mean, asked)[0].epsilon == pytest.approx(one.epsilon, rel=1e-12)
    (other,) = solved({**doubled, "effects": {"income": 2, "age": 1}}, asked)
    assert other.why.key == "effect_of_value_not_stated"
    (named,) = solved({**doubled, "effects": {"income": 2, "age": 1}}, {**asked, "attribute": "income"})
    assert named.epsilon == two.epsilon


def test_a_guess_without_a_name_is_of_the_one_attribute_with_effects_and_says_so() -> None:
    made = release(["income", "by sex"], [0.5, 0.5], "replace", stated=True)
    prior = {"family": "uniform", "low": 0, "high": 10}
    unnamed = {"kind": "guessing_advantage", "advantage": 0.1, "bound": "exact"}
    unnamed["attributes"] = [{"prior": prior, "truth": 5, "precision": 1, "effect": 1}]
    named = {**unnamed, "attribute": "income"}
    one, two = solved(made, unnamed, named)
    assert one.epsilon == two.epsilon is not None
    assert "effects_of_what_is_guessed" in one.assumptions
    assert "effects_of_what_is_guessed" not in two.assumptions


def test_an_earlier_release_whose_two_sensitivities_contradict_each_other_is_refused() -> None:
    made = release(["women"], [1.0], "add_remove", stated=True) | {"priors_from": "before_all"}
    for neighbours, declared, other in (("replace", 9, 1), ("add_remove", 1, 9)):
        earlier = {"epsilon": 0.2, "neighbours": neighbours, "sensitivity": declared, "sensitivity_other": other}
        with pytest.raises(InvalidInput, match="more than twice") as caught:
            read_decision({"format": FORMAT, "release": {**made, "spent": [earlier]}, "requirements": []})
        assert "spent[0].sensitivity_other" in caught.value.where


@pytest.mark.parametrize(
    ("stated", "where", "why"),
    [
        (3, "$.release.effects", "must be an object; found 3"),
        ({"income": "much"}, "$.release.effects.income", 'must be a number; found "much"'),
        ({"age": 1, "income": -1}, "$.release.effects.income", "must be at least 0; found -1"),
    ],
)
def test_an_effect_that_is_none_is_named_with_its_attribute(stated: object, where: str, why: str) -> None:
    made = release(["women"], [1.0], "add_remove", stated=True) | {"effects": stated}
    with pytest.raises(InvalidInput) as caught:
        read_decision({"format": FORMAT, "release": made, "requirements": []})
    assert (caught.value.where, caught.value.message) == (where, why)
