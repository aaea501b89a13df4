"""Needs of accuracy as sentences: every kind has one, with its own figures, and a blank for what is still open."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.base.values import read
from dpwizard.decision import About, AccuracyRequirement, Release
from dpwizard.decision.requirements import kinds
from dpwizard.decision.requirements.accuracy import RATE
from dpwizard.wording import need_in_words, word

NEEDS = {kind: made for kind, made in kinds().items() if issubclass(made, AccuracyRequirement)}
FORTY = {"statistic": "histogram", "sensitivity": 1, "dimension": 40}


def said(kind: str, release: Any = None, **figures: Any) -> str:
    return need_in_words(NEEDS[kind](**figures), read(Release, release or FORTY))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", NEEDS)
def test_every_need_of_accuracy_is_a_sentence_with_a_blank_for_what_is_open(kind: str, language: str) -> None:
    with speaking(language):
        begun = said(kind, **NEEDS[kind].begins)
        assert "…" in begun
        assert not set("{}") & set(begun)
        assert "…" not in said(kind, **{name: 0.5 for name in NEEDS[kind]().missing() if name not in RATE})
        assert word("need_about", NEEDS[kind].about)


def test_every_group_of_sentences_has_some() -> None:
    assert {made.about for made in NEEDS.values()} == set(get_args(About))


@pytest.mark.parametrize("kind", NEEDS)
def test_what_a_sentence_begins_with_is_taken_by_its_need(kind: str) -> None:
    made = NEEDS[kind]
    found = read(made, {"kind": kind, **made.begins})
    assert {name: getattr(found, name) for name in made.begins} == dict(made.begins)
    assert found.missing()  # something is always left to the officer


def test_the_sentences_newcomers_said() -> None:
    assert said("share_within", half_width=10.0, share=0.95, level=0.95) == (
        "In 95 of 100 figures (38 of the 40) within ± 10, in 95 of 100 cases"
    )
    assert said("all_within", half_width=10.0, level=0.95) == "All 40 figures at once within ± 10, in 95 of 100 cases"
    assert said("noise_interval", half_width=10.0, level=0.95) == "Each figure within ± 10 in 95 of 100 cases"
    assert said("relative_error", fraction=0.1, of=50.0, at_most=0.05) == (
        "Within 10 % of a count of 50, but for 5 of 100 cases"
    )
    assert said("rmse", at_most=150.0) == "Typical error at most 150"
    assert said("rmse", at_most=10_000.0) == "Typical error at most 10,000"
    assert said("rmse", at_most=1234.5678) == "Typical error at most 1234.5678"  # never rounded
    with speaking("de"):
        assert said("noise_interval", half_width=2.5, level=0.975) == "Jede Zahl auf ± 2,5 genau in 97,5 von 100 Fällen"


@pytest.mark.parametrize(("share", "some"), [(0.95, 38), (0.951, 39), (0.1, 4), (0.07, 3), (1.0, 40), (0.0, 0)])
def test_so_many_of_so_many_is_never_fewer_than_the_share(share: float, some: int) -> None:
    assert f"({some} of the 40)" in said("share_within", half_width=1.0, share=share, level=0.5)


def test_one_figure_is_not_counted_and_a_table_is_named() -> None:
    one = {"statistic": "count", "sensitivity": 1}
    assert "of the" not in said("share_within", one, half_width=1.0, share=0.5, level=0.5)
    assert said("all_within", one, half_width=1.0, level=0.5).startswith("All figures at once")
    tables = {"parts": [{"name": "North", "dimension": 7, "share": 0.5}, {"name": "South", "share": 0.5}]}
    assert said("all_within", tables, half_width=1.0, level=0.5, part="North") == (
        "“North”: All 7 figures at once within ± 1, in 50 of 100 cases"
    )
    assert said("all_within", tables, half_width=1.0, level=0.5, part="Gone") == (
        "All figures at once within ± 1, in 50 of 100 cases"
    )
