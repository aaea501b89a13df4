"""Every sentence that an answer can produce, at the ends of its figures: it makes sense there, and its numbers err on
its own side."""

from __future__ import annotations

import itertools
import math
import re
import string
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.base.language import LANGUAGES, speaking
from dpwizard.charts import guessing_chart
from dpwizard.decision import assess, read_decision
from dpwizard.records import Sentences
from dpwizard.wording import assessments, chance, format_text, general_guarantee, share, written
from tests.samples import requirements
from tests.samples.decisions import COUNT, decided, example, said_of
from tests.samples.words import keyed
from ui.panels import implied

SECTIONS = ("why", "at_epsilon", "broken", "meaning", "window", "budget", "unit", "unprotected", "problem", "take")
NONSENSE = re.compile(
    r"\bNone\b|\bnan\b|\binf\b|[\[\]{}$_]|\be[+-]\d|no limit\b(?! on| can| holds|\.)|not known|"
    r"keine Grenze\b(?! dafür| angeben|\.)|nicht bekannt|without limit|ohne Grenze|\w\.\w+\.\w"
)
EPSILONS = (1e-9, 1e-4, 0.6, 2.1972245773362196, 17.14, 50.0, 700.0, 1e6)
CHANCES = (1e-300, 1e-15, 1e-10, 1e-4, 0.001, 0.0999999, 0.1, 0.25, 0.5, 0.99999, 1 - 1e-9, 1 - 1e-12, 1 - 2e-16)
NUMBER = re.compile(r"(\d[\d,]*(?:\.\d+)?)(?: × 10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?(?: (?:in|of) (1[\d,]+)\b)?")
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")

RELEASES: Mapping[str, Mapping[str, Any]] = {
    "geometric": {},
    "laplace": {"mechanism": "laplace", "sensitivity_other": 1},
    "replace": {"neighbours": "replace"},
    "gaussian": {"mechanism": "gaussian", "delta": 1e-6, "repetitions": 2},
    "gaussian, likely": {"mechanism": "gaussian", "delta": 0.999999, "neighbours": "replace"},
    "repeated": {"mechanism": "laplace", "repetitions": 40},
    "spent": {"priors_from": "before_all", "spent": [{"epsilon": 0.3, "neighbours": "add_remove"}]},
    "spent otherwise": {"priors_from": "before_all", "spent": [{"epsilon": 0.3, "neighbours": "replace"}]},
    "processed": {"post_processing": ["rounding"]},
    "several": {"statistic": "vector", "dimension": 5, "mechanism": "laplace"},
    "exact": {"mechanism": "exact", "statistic": "mean"},
    "nothing said": {"neighbours": None, "mechanism": None},
}


def relative(adversary: str, profile: Mapping[str, Any], **beliefs: Any) -> dict[str, Any]:
    return {"kind": "relative_risk", "adversary": adversary, "profile": profile, **beliefs}


def guess(advantage: float, direction: str) -> dict[str, Any]:
    attribute = {"prior": {"family": "uniform", "low": 0, "high": 10}, "truth": 5, "precision": 1, "effect": 1}
    return {"kind": "guessing_advantage", "attributes": [attribute], "advantage": advantage, "direction": direction}


def category(advantage: float) -> dict[str, Any]:
    return {"kind": "categorical_advantage", "prior": {"yes": 0.1, "no": 0.9}, "truth": "yes", "advantage": advantage}


PROFILES = (
    relative("inclusion", {"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1]),
    relative("attribute", {"shape": "power", "constant": 1, "exponent": 0.5}, q=[0, 1]),
    relative("both", {"shape": "power", "constant": 1, "exponent": 0.5}, p=[0, 1], q=[0, 1]),
    relative("both", {"shape": "constant", "ratio": 1.0000001}, p=[0, 0.5], q=[0, 1]),
    relative("attribute", {"shape": "constant", "ratio": 1e6}, q=[0, 1e-9]),
    relative("inclusion", {"shape": "cap", "posterior": 1 - 1e-12}, p=[0.5, 1 - 1e-9]),
    relative("inclusion", {"shape": "steps", "axis": "p", "edges": [0.1], "ratios": [5, 2]}, p=[0, 1]),
    relative("both", {"shape": "cap_or_ratio", "posterior": 1e-9, "ratio": 3}, p=1e-12, q=1e-12),
)
EXTREMES: tuple[Mapping[str, Any], ...] = (
    *PROFILES,
    *(
        {"kind": "lee_clifton", "population": n, "posterior": x}
        for n, x in ((2, 1 - 1e-12), (10**9, 1.1e-9), (10, 1.0), (10, 0.01))
    ),
    *(
        {"kind": "participation", "posterior_without": x, "posterior_with": y}
        for x, y in ((1e-12, 1e-6), (0.1, 1 - 1e-12), (0.5, 0.4))
    ),
    *({"kind": "budget", "total": total} for total in (1e-9, 1, 1e6)),
    *({"kind": "rmse", "at_most": x} for x in (1e-9, 3, 1e12)),
    *({"kind": "mean_absolute_error", "at_most": x} for x in (1e-9, 1e12)),
    *({"kind": "noise_interval", "half_width": w, "level": x} for w, x in ((0, 0.99999), (12, 1 - 1e-12), (3, 1e-12))),
    *({"kind": "exact_probability", "at_least": x} for x in (0, 1e-12, 1 - 1e-12)),
    *({"kind": "switch_probability", "steps": 3, "at_most": x} for x in (1e-12, 0.4999)),
    *(guess(x, way) for x, way in ((1e-9, "rise"), (0.1, "drop"), (0.1, "both"), (1, "rise"))),
    *(category(x) for x in (1e-12, 0.2, 0.9, 1)),
    *(
        {"kind": "privacy_at_risk", "level": level, "confidence": x}
        for level, x in ((1e-9, 0.1), (0.5, 0), (0.5, 1), (5, 1 - 1e-12))
    ),
    *(
        {"kind": "compensation", "people": 1000, "cost": c, "floor": f, "money": m}
        for c, f, m in ((1, 0, 1e-9), (5, 1, 999), (5, 0, 1e9))
    ),
    *(
        {"kind": "persuasive_privacy", "score": "log", "kappa": k, "prior_mass": m}
        for k, m in ((1e-9, 0), (900.0, 0), (2, 0.5), (2, 1))
    ),
    *({"kind": "exact_mean", "n": 10, "correlation": 0, "r1": 1, "kappa": k} for k in (1e-9, 1e9)),
)
OTHERS = [one for one in requirements.each() if one["kind"] not in {asked["kind"] for asked in EXTREMES}]
ASKED = (*EXTREMES, *OTHERS)


def every(said: Sentences) -> Iterator[str]:
    """Yield every sentence of a record."""
    for value in (value for name, value in vars(said).items() if name != "assumed"):
        yield from texts(value)


def texts(value: object) -> Iterator[str]:
    """Yield every text in VALUE: of tuples, and of values that hold others."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from texts(item)
    elif hasattr(value, "__dict__"):
        for item in vars(value).values():
            yield from texts(item)


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: str(asked["kind"]))
def test_no_sentence_of_a_record_says_what_makes_no_sense(asked: Mapping[str, Any]) -> None:
    first = ASKED.index(asked) % 25  # one in 25 of the pairs, another for the next that is asked
    for (name, release), epsilon in itertools.islice(itertools.product(RELEASES.items(), EPSILONS), first, None, 25):
        try:
            decision = decided(asked, epsilon=epsilon, **release)
        except InvalidInput:  # a release that is refused says nothing
            continue
        assessment = assess(decision)
        answer = assessment.answers[0]
        for language in LANGUAGES:
            spoken = decision.model_copy(update={"language": language})
            said = said_of(spoken, assessment)
            for sentence in every(said):
                assert not NONSENSE.search(sentence), (name, epsilon, sentence)
            with speaking(language):
                whole = implied._result_sentence(decision, answer, assessment)
                assert not NONSENSE.search(whole), (name, epsilon, whole)
                words, counts = assessments.at_limit(decision.requirements[0], answer)
                assert not NONSENSE.search(words), (name, epsilon, words)
                assert counts is None or 0 < counts[0] <= counts[1] <= 100
            if language == "en":
                given = said.answers[0]
                if asked["kind"] != "privacy_at_risk":  # whose level may be certain: noise leaves everything else open
                    assert not re.search(r"(?<![\d.])(?:100|0) in 100\b", given.at_epsilon), (name, epsilon, given)
                elif "100 in 100" in given.at_epsilon:
                    assert answer.at_epsilon["confidence"] == 1.0
                if certain_counts := re.findall(r"([\d,]+) of ([\d,]+) possible outcomes", " ".join(said.meaning)):
                    assert all(count != of for count, of in certain_counts)


@pytest.mark.parametrize("asked", ASKED[:40:4], ids=lambda asked: str(asked["kind"]))
def test_what_is_said_of_an_answer_is_said_of_the_end_it_has(asked: Mapping[str, Any]) -> None:
    for release, epsilon in itertools.product(("geometric", "laplace", "replace"), (0.6, 17.14)):
        answer = assess(decided(asked, epsilon=epsilon, **RELEASES[release])).answers[0]
        words = assessments.at_epsilon(answer)
        if answer.kind != "relative_risk" or not words:
            continue
        p, q = float(answer.binding["p"]), float(answer.binding["q"])
        assert ("thinks it very unlikely" in words) == (p * q == 0)
        assert ("almost certain" in words) == (p * q == 1)


# ------------------------------------------------------------------------------------------- every template


def templates(language: str) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield each sentence by section and key, with the ways in which its figures are written."""
    for section in SECTIONS:
        for key, text in keyed(language)[section].items():
            ways = {name: way or "" for _, name, way, _ in string.Formatter().parse(text) if name is not None}
            yield section, key, ways


SAFE = {"limit": -1, "share": -1, "number_down": -1}
SAFE |= dict.fromkeys(("need", "share_up", "ratio_up", "figure", "figure_up", "number_up"), 1)
SHARES = ("share", "share_up", "chance", "stated", "edge")
AMOUNTS = (
    1e-300,
    1e-12,
    3.3e-7,
    0.0999999,
    0.1,
    0.7,
    1.0049,
    2.1972245773362196,
    99.995,
    12345.678,
    9.99e14,
    1.005e15,
    1.7e308,
)


def read(text: str) -> float:
    """Return the first number of an English text: a count out of 100 or more as the chance it says."""
    found = NUMBER.search(text)
    assert found is not None, text
    value = float(f"{found[1].replace(',', '')}e{(found[2] or '0').translate(POWERS)}")
    return value / float(found[3].replace(",", "")) if found[3] else value


@pytest.mark.parametrize("way", sorted(SAFE))
def test_a_number_is_rounded_to_the_side_that_makes_its_sentence_true(way: str) -> None:
    for value in CHANCES if way in SHARES else AMOUNTS:
        shown = written(value, way)
        if shown in ("next to nothing", "next to certainty"):
            assert way in SHARES
            assert value < 1e-12 or 1 - value < 1e-6
            continue
        said = read(shown)
        if SAFE[way] < 0:
            assert said <= value * (1 + 2e-14), (value, shown)
        else:
            assert said >= value * (1 - 2e-14), (value, shown)
        if way in SHARES:
            assert 0 <= said < 1, (value, shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_speaks_of_certainty_or_of_nothing_where_there_is_none(language: str) -> None:
    with speaking(language):
        certain = (chance(1.0), share(1.0), share(0.0))
        for way, value in itertools.product(SHARES, CHANCES):
            shown = written(value, way)
            assert shown not in certain, (way, value)
            assert not NONSENSE.search(shown), (way, value, shown)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_template_makes_a_sentence_of_figures_at_their_ends(language: str) -> None:
    named = {
        "name": "A",
        "names": ["A", "B"],
        "category": "yes",
        "after": "1 in 100",
        "counted": "1 in 100",
        "left": 0.5,
        "step": 3,
    }
    written_before = {"lower": "1.00", "upper": "2.00"}  # the ends of a window come written
    with speaking(language):
        for section, key, ways in templates(language):
            for value in (*CHANCES[3:], 1.0):
                figures: dict[str, Any] = {}
                for name, way in ways.items():
                    if way in ("names", "tables", "fields"):
                        figures[name] = ("precision",) if way == "fields" else ["A", "B"]
                    elif way == "assumption":
                        figures[name] = "knows_all_but_one"
                    elif way in ("", "exactly"):
                        figures[name] = value if way else named.get(name, written_before.get(name, "A"))
                    else:
                        figures[name] = 3 if way in ("count", "repetitions") else value
                said = format_text(section, key, figures)
                assert not NONSENSE.search(said), (section, key, said)


@pytest.mark.parametrize("epsilon", [0.0, 1e-9, 2.19, 13.8, 50.0, 700.0, math.inf])
@pytest.mark.parametrize("delta", [0.0, 1e-12, 0.5, 1 - 1e-9, 1.0])
def test_two_worlds_are_counted_out_of_a_number_that_leaves_one_to_count(epsilon: float, delta: float) -> None:
    found = general_guarantee.two_worlds(epsilon, delta)
    if found is None:
        assert general_guarantee.least_error(epsilon, delta) < 1e-6
        return
    assert found.seen + found.unseen == found.out_of
    assert 1 <= found.unseen <= found.out_of * general_guarantee.least_error(epsilon, delta) * (1 + 1e-13)


@pytest.mark.parametrize(
    ("advantage", "direction", "language", "said"),
    [
        (0.05, "rise", "en", "A right guess may gain 5 in 100:"),
        (0.05, "drop", "en", "A right guess may lose 5 in 100:"),
        (0.05, "both", "en", "A right guess may gain or lose 5 in 100:"),
        (0.05, "drop", "de", "Richtiges Raten darf 5 von 100 verlieren:"),
        (0.0504, "rise", "en", "A right guess may gain 5.04 in 100:"),
    ],
)
def test_the_figure_of_a_guess_says_how_much_it_may_gain_or_lose(
    advantage: float, direction: str, language: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guessing_chart, "POINTS", 2)  # the words need no curve
    decision = read_decision(
        {"format": "dpwizard.decision/1", "release": COUNT, "requirements": [guess(advantage, direction)]}
    )
    with speaking(language):
        read = guessing_chart.drawing(decision.requirements[0], assess(decision).answers[0], decision.release, None)
        assert read.figure().sentence.startswith(said)


@pytest.mark.parametrize(
    ("language", "said"), [("en", "Rho must be at least 17.79061."), ("de", "Rho muss mindestens 17,79061 sein.")]
)
def test_a_choice_inside_the_window_is_not_said_to_be_below_its_end(language: str, said: str) -> None:
    """Two decimals would say "at least 17.80" of the choice 17.79061, which is the least that meets every need."""
    with speaking(language):
        assert assessments.window(assess(read_decision(example("household_tables")))) == said
