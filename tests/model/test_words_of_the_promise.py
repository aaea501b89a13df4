"""What is said of one person, of everyone else and of the binding adversary, judged by data and noise, not by our
formulas."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import pytest

from dpwizard.decision import Decision, read_decision
from dpwizard.records import Sentences
from dpwizard.wording import figures, general_guarantee
from tests.samples.decisions import said_of

FORMAT = "dpwizard.decision/1"
COUNT = {
    "statistic": "count",
    "neighbours": "add_remove",
    "sensitivity": 1,
    "mechanism": "laplace",
    "unit": "one person",
}
NUMBER = r"(\d[\d,]*(?:\.\d+)?)"


def decided(epsilon: float, release: Mapping[str, Any] | None = None, *requirements: Mapping[str, Any]) -> Decision:
    return read_decision(
        {"format": FORMAT, "release": {**COUNT, **(release or {})}, "requirements": [*requirements], "epsilon": epsilon}
    )


def said(decision: Decision) -> Sentences:
    return said_of(decision)


def at_epsilon(decision: Decision) -> str:
    return said(decision).answers[0].at_epsilon


def numbers(text: str) -> list[float]:
    return [float(found.replace(",", "")) for found in re.findall(NUMBER, text)]


def outcomes(person: str) -> list[float]:
    """Return the numbers of the sentence on one person: right, of how many, wrong, and the same of this noise."""
    return numbers(person[person.index("right in at most") :])


# ----------------------------------------------------------------------------- a limit that nobody attains


def profile(adversary: str, shape: Mapping[str, Any], **beliefs: Any) -> dict[str, Any]:
    return {"kind": "relative_risk", "adversary": adversary, "profile": shape, **beliefs}


@pytest.mark.parametrize("epsilon", [1e-9, 2.197, 340.0])
def test_the_figure_of_a_limit_is_the_limit_s_own(epsilon: float) -> None:
    decision = decided(epsilon, None, profile("attribute", {"shape": "constant", "ratio": 3.0}, q=[0, 1]))
    words = at_epsilon(decision)
    assert "thinks it very unlikely" in words
    shown = words[words.index("at most") + 8 :].split(" times")[0].replace(",", "")
    mantissa, _, power = shown.partition(" × 10")
    digits = power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    value = float(f"{mantissa}e{digits or 0}")
    assert math.exp(2 * epsilon) <= value * (1 + 1e-12)
    assert value <= math.exp(2 * epsilon) * 1.02


# ------------------------------------------------------------------------------------------- one person


@pytest.mark.parametrize("epsilon", [1e-9, 1.0, 7.0, 13.8])
@pytest.mark.parametrize(
    "release", [{}, {"mechanism": "gaussian", "delta": 1e-3}, {"neighbours": "replace"}, {"repetitions": 3}]
)
def test_no_analyst_does_better_than_is_said(epsilon: float, release: Mapping[str, Any]) -> None:
    person = said(decided(epsilon, release)).meaning[0]
    if "This hides almost nothing" in person:
        assert epsilon * release.get("repetitions", 1) > 13.7
        return
    most, out_of, least = outcomes(person)[:3]
    assert 0 < least <= most < out_of
    assert most + least == out_of
    times = release.get("repetitions", 1)
    delta = release.get("delta", 0.0)
    # the most telling mechanism of all at (epsilon, delta): it says "certain" with chance delta, else one of two
    # answers
    truth = delta + (1 - delta) * math.exp(epsilon * times) / (1 + math.exp(epsilon * times))
    assert truth <= most / out_of + 1e-12


# -------------------------------------------------------------------------------------------- everyone else


def test_delta_counts_all_tables_and_every_repetition() -> None:
    parts = [{"name": name, "sensitivity": 1, "share": 0.25} for name in ("A", "B", "C")]
    release = {
        "mechanism": "gaussian",
        "delta": 0.01,
        "repetitions": 2,
        "statistic": "vector",
        "parts": parts,
        "sensitivity": None,
    }
    everyone = said(decided(0.001, release)).meaning[1]
    assert numbers(everyone)[2] >= 1000 * (0.01 + 2 * 0.01)


@pytest.mark.parametrize(
    ("release", "loss"),
    [
        ({}, 1.0),
        ({"sensitivity_other": 1}, 0.5),
        ({"neighbours": "replace"}, 0.5),
        ({"repetitions": 4}, 4.0),
        ({"spent": [{"epsilon": 0.7, "neighbours": "add_remove"}]}, 1.0),
        ({"spent": [{"epsilon": 0.7, "neighbours": "add_remove"}], "priors_from": "before_all"}, 2.4),
        (
            {
                "neighbours": "replace",
                "spent": [{"epsilon": 0.7, "neighbours": "replace"}],
                "priors_from": "before_all",
            },
            1.2,
        ),
    ],
)
def test_what_an_intruder_nobody_named_may_learn_counts_what_is_spent_and_the_pair_of_worlds(
    release: Mapping[str, Any], loss: float
) -> None:
    everyone = said(decided(0.5, release)).meaning[1]
    factor = numbers(everyone)[0]
    assert math.exp(loss) <= factor <= math.exp(loss) + 0.1


def test_nothing_is_said_where_an_earlier_release_cannot_be_converted() -> None:
    spent = [{"epsilon": 0.7, "neighbours": "replace"}]
    everyone = said(decided(0.5, {"spent": spent, "priors_from": "before_all"})).meaning[1]
    assert "no limit can be given" in everyone


def test_the_gaussian_sentence_counts_what_was_spent_before_all_releases() -> None:
    earlier = {"priors_from": "before_all", "spent": [{"epsilon": 1.0, "delta": 1e-3, "neighbours": "add_remove"}]}
    gaussian = {"mechanism": "gaussian", "delta": 1e-5}
    alone, after = (numbers(said(decided(0.3, gaussian | more)).meaning[1])[2] for more in ({}, earlier))
    assert after >= math.exp(1.0) * 10
    assert after > alone


@pytest.mark.parametrize(
    ("cost", "why"), [({"rho": 0.1}, "states rho alone"), ({"epsilon": 1.0, "delta": 1e-3}, "unbounded loss")]
)
def test_what_cannot_be_said_of_everyone_has_its_reason(cost: Mapping[str, float], why: str) -> None:
    spent = [{**cost, "neighbours": "add_remove"}]
    everyone = said(decided(1.0, {"spent": spent, "priors_from": "before_all"})).meaning[1]
    assert why in everyone
    assert "other neighbouring relation" not in everyone


@pytest.mark.parametrize(
    ("relation", "reads", "promised"),
    [("replace", [], True), ("replace", ["illness"], False), ("replace", None, False), ("add_remove", [], False)],
)
def test_a_promise_stands_beside_an_exact_figure_only_where_both_worlds_agree_on_it(
    relation: str, reads: list[str] | None, promised: bool
) -> None:
    figure = {"name": "everybody counted"} | ({} if reads is None else {"reads": reads})
    decision = decided(1.0, {"neighbours": relation, "exact_figures": [figure]})
    assert (general_guarantee.guess_odds(decision) is not None) == promised
    assert all(("no limit holds" in sentence) != promised for sentence in said(decision).meaning[:2])


# ------------------------------------------------------------------------------------ numbers near 0 and 1


@pytest.mark.parametrize(
    ("value", "down", "up"),
    [
        (0.99999, "99.999 in 100", "99.999 in 100"),
        (0.9999912, "99.9991 in 100", "99.9992 in 100"),
        (1 - 1e-9, "99.9999 in 100", "next to certainty"),
        (1 - 3e-16, "99.9999 in 100", "next to certainty"),
        (1.7e-7, "1.7 in 10,000,000", "1.7 in 10,000,000"),
        (1.0, "100 in 100", "100 in 100"),
        (0.0, "0 in 100", "0 in 100"),
        (1e-15, "next to nothing", "next to nothing"),
        (0.7, "70 in 100", "70 in 100"),
        (3 * 0.1, "30 in 100", "30 in 100"),
    ],
)
def test_a_chance_near_nothing_or_certainty_keeps_its_digits(value: float, down: str, up: str) -> None:
    assert (figures.share(value), figures.share_up(value)) == (down, up)
    assert figures.chance(value) != "certainty" or value == 1.0


def test_what_is_left_is_rounded_down_and_what_is_spent_up() -> None:
    spent = [{"epsilon": 1 / 3, "neighbours": "add_remove"}]
    decision = decided(0.1, {"spent": spent}, {"kind": "budget", "total": 1})
    assert said(decision).answers[0].why == "Of 1 in all, 0.333334 is spent; 0.666666 is left for 1 repetition."
    tenth = [{"epsilon": 0.3, "neighbours": "add_remove"}]
    plain = decided(0.1, {"spent": tenth}, {"kind": "budget", "total": 1})
    assert said(plain).answers[0].why == "Of 1 in all, 0.3 is spent; 0.7 is left for 1 repetition."


# --------------------------------------------------------------------------------------- nothing to be said
