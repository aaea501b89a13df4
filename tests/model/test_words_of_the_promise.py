"""What is said of one person, of everyone else and of the binding adversary, judged by data and noise, not by our
formulas."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from dpwizard.charts import curves
from dpwizard.decision import Decision, assess, read_decision
from dpwizard.decision.requirements.relative_risk import RelativeRisk
from dpwizard.privacy.mechanisms import GAUSSIAN
from dpwizard.records import Sentences
from dpwizard.report import phrases
from dpwizard.report.figures import risk_profile
from dpwizard.wording import explain, figures, general_guarantee
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


def test_a_limit_at_certainty_is_said_of_someone_who_is_almost_certain() -> None:
    decision = decided(0.6, None, profile("inclusion", {"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1]))
    words = at_epsilon(decision)
    assert "almost certain" in words
    assert "thinks it very unlikely" not in words
    grown = numbers(words)[0]
    assert math.exp(0.6) <= grown < math.exp(0.6) + 0.01
    for p in (0.999, 1 - 1e-6):  # whoever doubts so little, told that the noisy count is high: the odds, by Bayes' rule
        with_person, without = math.exp(-abs(5.0 - 1) * 0.6), math.exp(-abs(5.0) * 0.6)
        posterior = p * with_person / (p * with_person + (1 - p) * without)
        assert posterior / (1 - posterior) / (p / (1 - p)) == pytest.approx(math.exp(0.6), rel=1e-6)


@pytest.mark.parametrize("epsilon", [1e-9, 0.3, 2.197, 17.14, 50.0, 340.0])
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


def test_a_limit_beyond_all_numbers_is_said_in_words() -> None:
    decision = decided(700.0, None, profile("attribute", {"shape": "constant", "ratio": 3.0}, q=[0, 1]))
    assert "any number of times as likely" in at_epsilon(decision)
    assert "any number of times as likely" in said(decision).broken[0]


def test_what_the_binding_adversary_may_learn_at_certainty_is_not_said_of_certainty() -> None:
    decision = decided(0.6, None, profile("inclusion", {"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1]))
    words, counts = explain.at_limit(decision.requirements[0], assess(decision).answers[0])
    assert words == "A chance of 99.9 in 100 before the release can rise to at most 99.95 in 100 after it."
    assert counts == pytest.approx((99.9, 100 * math.sqrt(0.999)))


def test_a_limit_is_looked_at_among_the_beliefs_considered() -> None:
    decision = decided(0.6, None, profile("inclusion", {"shape": "constant", "ratio": 3.0}, p=[0, 0.0002]))
    words, _ = explain.at_limit(decision.requirements[0], assess(decision).answers[0])
    assert "2 in 10,000" in words or "1 in 5,000" in words


# ------------------------------------------------------------------------------------------- one person


def test_how_many_outcomes_tell_is_said_as_a_bound_and_beside_it_what_this_noise_does() -> None:
    person = said(decided(2.19)).meaning[0]
    assert "right in at most 90 of 100 cases" in person
    assert "wrong in at least 10." in person
    assert "right in about 83, wrong in about 17" in person
    draws = np.random.default_rng(7).laplace(scale=1 / 2.19, size=400_000)
    right, wrong = 100 * np.mean(1 + draws > 0.5), 100 * np.mean(draws > 0.5)  # errs as often one way as the other
    assert right == pytest.approx(83, abs=0.5)
    assert wrong == pytest.approx(17, abs=0.5)
    geometric = said(decided(2.19, {"mechanism": "geometric"})).meaning[0]
    assert (
        "right in about 90, wrong in about 10" in geometric
    )  # a count under geometric noise is as telling as any mechanism


@pytest.mark.parametrize("sensitivity", [1, 2, 3, 4, 7])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 2.5])
def test_the_chance_of_geometric_noise_is_that_of_its_masses(sensitivity: int, epsilon: float) -> None:
    person = said(decided(epsilon, {"mechanism": "geometric", "sensitivity": sensitivity})).meaning[0]
    k = np.arange(-4000, 4001)
    ratio = math.exp(-epsilon / sensitivity)
    mass = ratio ** np.abs(k) * (1 - ratio) / (1 + ratio)
    error = (
        1
        - 0.5 * np.abs(mass[sensitivity:] - mass[:-sensitivity]).sum()
        - 0.5 * mass[:sensitivity].sum()
        - 0.5 * mass[-sensitivity:].sum()
    ) / 2
    least, seen, unseen = (int(n) for n in outcomes(person)[2:])
    assert abs(unseen - 100 * error) <= 0.5 + 1e-9
    assert seen == 100 - unseen
    assert least <= 100 * error + 1e-9


@pytest.mark.parametrize(
    "more", [{"repetitions": 3}, {"dimension": 2, "statistic": "vector"}, {"post_processing": ["rounding"]}]
)
def test_where_the_noise_itself_is_not_worked_out_only_the_bound_is_said(more: Mapping[str, Any]) -> None:
    person = said(decided(0.5, more)).meaning[0]
    assert "at most" in person
    assert "With this noise" not in person


@pytest.mark.parametrize("epsilon", [1e-9, 0.01, 1.0, 4.0, 7.0, 12.0, 13.8])
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


@pytest.mark.parametrize(("epsilon", "delta"), [(0.1, 1e-6), (1.0, 1e-3), (2.0, 0.05), (5.0, 1e-5)])
def test_gaussian_noise_itself_is_never_more_telling_than_the_bound_beside_it(epsilon: float, delta: float) -> None:
    person = said(decided(epsilon, {"mechanism": "gaussian", "delta": delta})).meaning[0]
    most, out_of, least, seen, unseen = outcomes(person)
    draws = np.random.default_rng(3).normal(scale=GAUSSIAN.scale(epsilon, 1.0, delta), size=400_000)
    assert np.mean(1 + draws > 0.5) == pytest.approx(seen / out_of, abs=0.5 / out_of + 3e-3)
    assert seen <= most + 0.5
    assert unseen >= least - 0.5


# -------------------------------------------------------------------------------------------- everyone else


def test_what_gaussian_noise_promises_is_said_of_every_event_and_not_as_epsilon_but_for_delta() -> None:
    decision = decided(1.0, {"mechanism": "gaussian", "delta": 1e-3})
    everyone = said(decision).meaning[1]
    assert "limits nothing" not in everyone
    assert "at most 2" in everyone
    before, out_of, after = numbers(everyone)[:3]
    sd = GAUSSIAN.scale(1.0, 1.0, 1e-3)
    rng = np.random.default_rng(11)
    without, with_record = rng.normal(scale=sd, size=1_000_000), 1 + rng.normal(scale=sd, size=1_000_000)
    edge = np.quantile(
        without, 1 - before / out_of
    )  # the event most raised among all that befall as many without the record
    assert np.mean(with_record > edge) * out_of <= after + 0.3
    ratio = np.exp((with_record**2 - (with_record - 1) ** 2) / (2 * sd**2))
    assert np.mean(ratio > math.e) > 5 * 1e-3  # why "epsilon but for delta" was wrong: passed far more often


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
    ("cost", "why"), [({"rho": 0.1}, "states rho alone"), ({"epsilon": 1.0, "delta": 1e-3}, "no largest loss")]
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


def test_a_chance_just_kept_is_not_shown_as_less_than_what_was_asked() -> None:
    need = {"kind": "noise_interval", "half_width": 12, "level": 0.99999}
    decision = decided(1.0, {"mechanism": "geometric"}, need)
    answer = assess(decision).answers[0]
    assert answer.met
    assert "99.999" in at_epsilon(decision)


def test_what_is_left_is_rounded_down_and_what_is_spent_up() -> None:
    spent = [{"epsilon": 1 / 3, "neighbours": "add_remove"}]
    decision = decided(0.1, {"spent": spent}, {"kind": "budget", "total": 1})
    assert said(decision).answers[0].why == "Of 1 in all, 0.333334 is spent; 0.666666 is left for 1 repetition."
    tenth = [{"epsilon": 0.3, "neighbours": "add_remove"}]
    plain = decided(0.1, {"spent": tenth}, {"kind": "budget", "total": 1})
    assert said(plain).answers[0].why == "Of 1 in all, 0.3 is spent; 0.7 is left for 1 repetition."


@pytest.mark.parametrize(
    "value", [1.2345e-10, 3.0004e-7, 0.00099999999999, 0.0101, 0.70000000001, 2.0000000001, 123.456, 9.9999e14, 3.3e17]
)
def test_a_limit_is_never_shown_above_nor_a_need_below_what_it_is(value: float) -> None:
    def read(text: str) -> float:
        mantissa, _, power = text.replace(",", "").partition(" × 10")
        return float(f"{mantissa}e{power.translate(str.maketrans('⁻⁰¹²³⁴⁵⁶⁷⁸⁹', '-0123456789')) or 0}")

    for shown in (figures.format_max, lambda x: figures.written(x, "number_down")):
        assert value * (1 - 0.1) <= read(shown(value)) <= value * (1 + 1e-13)
    for shown in (
        figures.format_min,
        lambda x: figures.written(x, "number_up"),
        lambda x: figures.written(x, "ratio_up"),
    ):
        assert value * (1 - 1e-13) <= read(shown(value))


# --------------------------------------------------------------------------------------- nothing to be said


@pytest.mark.parametrize("more", [{"repetitions": 2}, {"dimension": 3, "statistic": "vector"}])
def test_a_confidence_that_is_not_proved_is_said_not_to_be(more: Mapping[str, Any]) -> None:
    decision = decided(1.0, more, {"kind": "privacy_at_risk", "level": 0.5, "confidence": 0.2})
    words = at_epsilon(decision)
    assert "no limit" not in words
    assert "No confidence is proved" in words
    assert "exact distribution" not in str(said(decision).answers[0].why)


def test_a_gain_at_a_limit_is_not_spoken_of_where_there_is_none() -> None:
    asked = {"kind": "persuasive_privacy", "score": "log", "kappa": 900.0, "prior_mass": 0.1}
    assert at_epsilon(decided(1.0, None, asked)) == ""


def test_a_table_without_noise_or_figures_that_contradict_leave_nothing_to_be_promised() -> None:
    parts = [
        {"name": "A", "sensitivity": 1, "share": 0.5},
        {"name": "B", "sensitivity": 1, "share": 0.5, "mechanism": "exact"},
    ]
    beside = decided(0.5, {"statistic": "vector", "parts": parts, "sensitivity": None})
    fractions = decided(0.5, {"statistic": "mean", "mechanism": "geometric"})
    for decision, words in ((beside, "no limit holds"), (fractions, "contradict each other")):
        for sentence in general_guarantee.meaning(decision)[:2]:
            assert words in sentence


def test_a_printed_curve_does_not_say_that_certainty_exceeds_certainty() -> None:
    decision = decided(0.6, None, profile("inclusion", {"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1]))
    answer = assess(decision).answers[0]
    told = {"status": answer.status, "binding": answer.binding, "attained": answer.attained, "epsilon": answer.epsilon}
    asked = decision.requirements[0]
    assert isinstance(asked, RelativeRisk)
    drawn = curves.risk_curves(asked, decision.release, told, 0.6)
    assert drawn
    for curve in drawn:
        said = risk_profile(curve=curve, chosen=None, words=phrases.words("en")).alternative
        assert "certainty is allowed" not in said
