"""Whom one may fear: what each brings to a release is read, solved where it applies, and as strict as it says."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import (
    ADVERSARIES,
    FORMAT,
    Decision,
    Release,
    RequirementResult,
    add_feared,
    assess,
    feared,
    read_decision,
    to_json,
)
from dpwizard.decision.adversaries import with_sample_answers  # what a later step decides, answered somehow
from dpwizard.privacy.priors import Uniform
from dpwizard.privacy.profiles import Constant
from dpwizard.wording import known_word, why, word

EXAMPLES = sorted(Path("resources/examples").glob("*.json"))
SEARCHED = ("page_views", "redistricting_units")  # noise of which no closed form is known: a second each
ONLY_THE_OFFICER = {"profile", "tolerance", "kappa", "advantage"}  # decided, and never proposed
UNKNOWN = {"precision", "effect", "prior.low", "prior.high"}  # of an amount, where the release does not state them
COUNT = {"statistic": "count", "neighbours": "add_remove", "sensitivity": 1, "mechanism": "geometric"}


def release(**more: Any) -> Release:
    return Release(**{**COUNT, **more})


def answer(asked: Any, of: Release) -> RequirementResult:
    return assess(Decision(format=FORMAT, release=of, requirements=(asked,))).answers[0]


def brought(of: Release, who: str) -> Any:
    return feared(of, who).requirement


def limit(who: str, of: Release, **decided: Any) -> float:
    found = answer(brought(of, who).model_copy(update=decided), of).epsilon
    assert found is not None
    return found


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=pytest.mark.slow) if path.stem in SEARCHED else path for path in EXAMPLES[::3]],
    ids=lambda path: path.stem,
)
def test_everybody_feared_is_solved_or_said_not_to_apply_and_why(path: Path) -> None:
    of = read_decision(json.loads(path.read_text("utf-8"))).planned.release
    for who in ADVERSARIES:
        found = feared(of, who)
        asked = with_sample_answers(found.requirement)
        said = "" if found.why_not is None else why(found.why_not, kind=asked.kind)
        assert not asked.missing()
        status = answer(asked, of).status
        if (
            found.why_not is not None
        ):  # what the model would refuse, or what this program does not propose, with its sentence
            assert status == "not_applicable" or found.why_not.key in ("no_amount_read", "score_needs_largest_loss")
            assert said.endswith((".", "?"))
        else:
            assert status == ("unanswered" if of.neighbours is None else "allowed")


@pytest.mark.parametrize("path", EXAMPLES[::4], ids=lambda path: path.stem)
def test_what_is_brought_leaves_open_only_what_the_officer_alone_can_say(path: Path) -> None:
    decision = read_decision(json.loads(path.read_text("utf-8")))
    for who in ADVERSARIES:
        added = add_feared(decision, who, word("feared", who))
        brought = added.requirements[-1]
        missing = {name.removeprefix("attributes[0].") for name in brought.missing()}
        assert missing <= ONLY_THE_OFFICER | UNKNOWN
        assert missing & ONLY_THE_OFFICER, "how much may be learned is nobody's to propose"
        assert brought.contradiction() is None
        assert read_decision(to_json(added)) == added
        assert added.requirements[:-1] == decision.requirements


@pytest.mark.parametrize("language", ["en", "de"])
def test_everybody_has_a_name_and_every_reason_a_sentence(language: str) -> None:
    stated: tuple[dict[str, Any], ...] = (
        {},
        {"sampling_fraction": 0.1, "sample_secret": True},
        {"sampling_fraction": 0.1},
        {"sampling_fraction": 1},
        {"statistic": "sum", "mechanism": "laplace"},
        {"statistic": "sum", "mechanism": "gaussian"},
    )
    for more in stated:
        for who in ADVERSARIES:
            assert known_word("feared", who, language)
            assert known_word("feared_why", feared(release(**more), who).why, language)


def belief(of: Release, who: str) -> tuple[Any, Any, Any]:
    asked = brought(of, who)
    return (asked.adversary, *asked.beliefs())


def test_somebody_with_a_register_believes_the_sampling_fraction_while_the_sample_is_secret() -> None:
    stated = {"sampling_fraction": 0.05}
    assert belief(release(**stated, sample_secret=True), "register") == ("both", 0.05, (0.0, 1.0))
    assert belief(release(**stated, sample_secret=False), "register") == ("both", (0.05, 1.0), (0.0, 1.0))
    assert belief(release(**stated), "register") == ("both", (0.05, 1.0), (0.0, 1.0))  # not known to be secret
    assert belief(release(), "register") == ("both", (0.0, 1.0), (0.0, 1.0))


@pytest.mark.parametrize("who", ["neighbour", "register", "broker", "employer"])
def test_where_everybody_is_in_the_data_the_value_alone_is_asked_about(who: str) -> None:
    assert belief(release(sampling_fraction=1), who) == ("attribute", 1.0, (0.0, 1.0))


@pytest.mark.parametrize("ratio", [1.2, 3.0, 40.0])
def test_what_is_begun_with_has_the_limits_that_the_papers_print(ratio: float) -> None:
    """Kazan & Reiter 2024, (13) for r p < 1: presence e^eps, a value of somebody present e^(2 eps)."""
    decided = {"profile": Constant(ratio=ratio)}
    assert limit("neighbour", release(), **decided) == pytest.approx(math.log(ratio), rel=1e-9)
    assert limit("employer", release(), **decided) == pytest.approx(math.log(ratio) / 2, rel=1e-9)
    assert limit("employer", release(sensitivity_other=1), **decided) == pytest.approx(math.log(ratio), rel=1e-9)
    gain = (ratio - 1) / (ratio + 1)  # of two worlds at even odds: e^eps = (1 + a)/(1 - a)
    assert limit("insider", release(), advantage=gain) == pytest.approx(math.log(ratio), rel=1e-9)


def test_an_insurer_begins_between_nothing_and_the_most_that_one_person_adds() -> None:
    incomes = release(statistic="sum", mechanism="laplace", sensitivity=500_000)
    (guessed,) = brought(incomes, "insurer").attributes
    assert guessed.prior == Uniform(low=0.0, high=500_000.0)
    assert (guessed.truth, guessed.effect, guessed.precision) == ("worst", 1.0, None)
    mean = incomes.model_copy(update={"statistic": "mean", "sensitivity": 41.6})
    (guessed,) = brought(mean, "insurer").attributes
    assert (guessed.prior.missing(), guessed.effect) == (("low", "high"), None)  # 12,000 of them, which nobody has said
    stated = mean.model_copy(update={"effects": (("income", 0.0000832),)})
    (guessed,) = brought(stated, "insurer").attributes
    assert (guessed.name, guessed.prior.high) == ("income", pytest.approx(500_000.0))


def test_against_exact_figures_a_value_is_protected_that_none_of_them_reads() -> None:
    path = Path("resources/examples/redistricting_persons.json")
    of = read_decision(json.loads(path.read_text("utf-8"))).planned.release
    told = {name for _, reads in of.exact for name in reads or ()}
    named = brought(of, "employer").attribute
    assert named is not None
    assert named not in told
    assert brought(release(), "employer").attribute is None


@pytest.mark.parametrize("who", ["", "nobody", "Neighbour", "neighbour ", "\u202e", "x" * 10_000])
def test_anybody_else_is_refused_with_all_who_can_be_chosen(who: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        feared(release(), who)
    assert raised.value.where == "who"
    assert all(key in raised.value.text for key in ADVERSARIES)
