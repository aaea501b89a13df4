"""A story for each kind of requirement: what an officer answers at every step of the wizard, and what the mathematics
says of it.

Every answer is a pair: the label as the window shows it, and what is typed, or the words of the choice; True presses
what bears the label. A label that stands several times on a page is named with what stands above it: "Earlier release 1
> Epsilon spent".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

Answers = tuple[tuple[str, str | Literal[True]], ...]
EPSILON = "the epsilon of the record"  # stands for it among the arguments of a function


@dataclass(frozen=True, kw_only=True)
class Sum:
    """What a function of the model gives for the numbers typed: its figure (or itself, where it is a number)."""

    function: str
    arguments: Mapping[str, Any]
    figure: str = ""
    gives: float | None = None  # what it must come to where EPSILON is among the arguments; else it is the epsilon
    over: float | None = None  # the figure is the noise of so large a sensitivity: epsilon is this over it


@dataclass(frozen=True, kw_only=True)
class Story:
    """One decision from an empty page to the signature."""

    by: Literal["mouse", "keys"]
    release: Answers
    adversary: Answers = ()
    profile: Answers = ()
    budget: Answers = ()
    accuracy: Answers = ()
    decision: Answers
    review: Answers = (("Outcome", "Approved"),)
    expects: Sum
    reads: tuple[str, ...] = ("epsilon",)  # where the answer in the record holds it
    published: Sum | None = None  # what is shown beside the answer, and never bounds
    fast: bool = False
    others: tuple[str, ...] = ()  # the kinds it is decided together with


def a_release(
    title: str, statistic: str, unit: str, neighbours: str, sensitivity: str, mechanism: str, population: str = ""
) -> Answers:
    """Return the answers of the first step that every story gives, in the order of the page."""
    asked = (
        ("Title", title),
        ("Statistic", statistic),
        ("Who or what is protected", unit),
        ("Neighbouring datasets differ by", neighbours),
        ("Sensitivity", sensitivity),
        ("Mechanism", mechanism),
    )
    return (*asked, ("Population", population)) if population else asked


COME_OR_GO, OTHER_VALUES = "One record added or removed", "One record's values replaced"
GEOMETRIC, LAPLACE, NONE = "Geometric mechanism", "Laplace mechanism", "No noise"
A_COUNT = a_release(
    "Tuberculosis in the shelters, 2025", "A count", "one guest of a shelter", COME_OR_GO, "1", GEOMETRIC, "2300"
)
TAKES_PART: Answers = (
    ("All privacy requirements", "Effect of taking part"),
    ("Name", "Employer who reads the report"),
    ("Chance if they stay out", "2"),
)
TAKES_PART_AT_MOST: Answers = (("Highest chance if they take part", "20"),)
LARGEST: Answers = (
    ("Largest allowed", True),
    ("Justification", "The largest epsilon that keeps every promise."),
)
SMALLEST: Answers = (
    ("Smallest needed", True),
    ("Justification", "The figure is usable, and no more is spent than that."),
)


def accuracy_story(kind: str, asked: Answers, expects: Sum, by: Literal["mouse", "keys"]) -> Story:
    """Return the story of an accuracy need called KIND: one promise beside it, and the smallest epsilon that it
    needs."""
    return Story(
        by=by,
        release=A_COUNT,
        adversary=TAKES_PART,
        profile=TAKES_PART_AT_MOST,
        accuracy=(("All accuracy requirements", kind), ("Name", "So that the shelters can plan"), *asked),
        decision=SMALLEST,
        expects=expects,
        others=("participation",),
    )


STORIES: Mapping[str, Story] = {
    "relative_risk": Story(
        by="keys",
        fast=True,
        release=A_COUNT,
        adversary=(
            ("All privacy requirements", "Relative risk"),
            ("Name", "Neighbour of a guest"),
            ("What they want to learn", "Is someone in the data, and with which value?"),
            ("Chance that the record is in the data", "A range"),
            ("Chance that the record is in the data > From", "0.01"),
            ("Chance that the record is in the data > To", "0.25"),
            ("Chance of the sensitive value", "One chance"),
            ("Chance of the sensitive value > Chance", "0.1"),
            ("Sensitive values", "a positive test"),
        ),
        profile=(
            ("Risk profile", "A highest chance, or a ratio: whichever allows more"),
            ("Highest chance after the release", "10"),
            ("Most times as likely", "3"),
        ),
        decision=LARGEST,
        review=(
            ("Outcome", "Approved"),
            ("Necessity and alternatives", True),
            ("Necessity", "The city plans beds by this count."),
        ),
        expects=Sum(
            function="relative_risk.recommend",
            arguments={
                "profile": {"shape": "cap_or_ratio", "posterior": 0.1, "ratio": 3.0},
                "p": [0.01, 0.25],
                "q": 0.1,
            },
            figure="epsilon",
        ),
    ),
    "lee_clifton": Story(
        by="mouse",
        release=a_release("Guests of the shelter with a pass", "A count", "one guest", OTHER_VALUES, "1", GEOMETRIC),
        adversary=(
            ("All privacy requirements", "Naming one person among many"),
            ("Name", "Somebody who knows all guests but one"),
            ("Population", "100"),
            ("Source of this number", "Public"),
        ),
        profile=(("Highest chance after the release", "25"),),
        decision=(("Epsilon chosen", "1.5"), ("Justification", "Below the limit, rounded to one digit.")),
        expects=Sum(function="relative_risk.lee_clifton_epsilon", arguments={"population": 100, "posterior": 0.25}),
    ),
    "participation": Story(
        by="keys",
        release=A_COUNT,
        adversary=TAKES_PART,
        profile=(("Highest chance if they take part", "5.5"),),
        decision=LARGEST,
        review=(
            ("Outcome", "Approved with conditions"),
            ("Conditions, review and authority", True),
            ("Conditions", "Once a year"),
        ),
        expects=Sum(
            function="relative_risk.participation_epsilon",
            arguments={"posterior_without": 0.02, "posterior_with": 0.055},
        ),
    ),
    "two_worlds": Story(
        by="mouse",
        release=A_COUNT,
        adversary=(
            ("All privacy requirements", "With and without one record"),
            ("Name", "Whoever decides about a guest"),
            ("Chance without the record", "10"),
        ),
        profile=(("Highest chance with the record", "20"),),
        decision=LARGEST,
        expects=Sum(
            function="relative_risk.recommend",  # twice as likely at most, for what hardly happens otherwise
            arguments={"profile": {"shape": "constant", "ratio": 2.0}, "p": [0, 1], "q": 1},
            figure="epsilon",
        ),
    ),
    "attack_success": Story(
        by="mouse",
        release=A_COUNT,
        adversary=(
            ("All privacy requirements", "Success of an attack"),
            ("Name", "Whoever rebuilds records"),
            ("Success without the record", "10"),
        ),
        profile=(("Highest success with the record", "20"),),
        decision=LARGEST,
        expects=Sum(
            function="relative_risk.recommend",  # twice as often at most, for what hardly succeeds otherwise
            arguments={"profile": {"shape": "constant", "ratio": 2.0}, "p": [0, 1], "q": 1},
            figure="epsilon",
        ),
    ),
    "attack_advantage": Story(
        by="keys",
        release=A_COUNT,
        adversary=(("All privacy requirements", "Membership inference"), ("Name", "Whoever bets on a guest")),
        profile=(("Largest advantage", "40"),),
        decision=LARGEST,
        expects=Sum(
            function="guessing_advantage.worst_prior",  # tanh(epsilon / 2)
            arguments={"advantage": 0.4, "range": 2.0},
            figure="epsilon",
        ),
    ),
    "guessing_advantage": Story(
        by="mouse",
        release=a_release("How long students eat", "A mean", "one student", OTHER_VALUES, "0.16", LAPLACE, "100"),
        adversary=(
            ("All privacy requirements", "Guessing advantage"),
            ("Name", "Somebody who saw the others eat"),
            ("Add one", True),
            ("What the attacker believes beforehand", "Uniform: every value between two ends alike"),
            ("Smallest value", "12"),
            ("Largest value", "28"),
            ("The true value", "20"),
            ("Precision", "2"),
            ("Effect", "0.01"),
        ),
        profile=(("Largest advantage", "5"),),
        accuracy=(
            ("All accuracy requirements", "Typical error"),
            ("Name", "Half a minute"),
            ("Largest root-mean-square error", "0.9"),
        ),
        decision=LARGEST,
        expects=Sum(
            function="guessing_advantage.release_epsilon",
            arguments={
                "attributes": [
                    {"prior": {"family": "uniform", "low": 12, "high": 28}, "truth": 20, "precision": 2, "effect": 0.01}
                ],
                "epsilon": Sum(
                    function="guessing_advantage.epsilon_for",
                    arguments={
                        "prior": {"family": "uniform", "low": 12, "high": 28},
                        "truth": 20,
                        "precision": 2,
                        "advantage": 0.05,
                    },
                ),
                "sensitivity": 0.16,
            },
        ),
        others=("rmse",),
    ),
    "categorical_advantage": Story(
        by="keys",
        release=a_release("Diagnoses of one ward", "A histogram", "one patient", OTHER_VALUES, "2", GEOMETRIC),
        adversary=(
            ("All privacy requirements", "Guessing a category"),
            ("Name", "Visitor of the ward"),
            ("What the attacker believes", "asthma 0.2\nnone of these 0.8"),
            ("The true category", "asthma"),
        ),
        profile=(("Largest advantage", "10"),),
        decision=LARGEST,
        expects=Sum(function="guessing_advantage.categorical_epsilon", arguments={"p": 0.2, "advantage": 0.1}),
    ),
    "privacy_at_risk": Story(
        by="mouse",
        fast=True,
        release=a_release("Visits to the health centre", "A sum", "one student", OTHER_VALUES, "1", LAPLACE, "1600"),
        adversary=(("All privacy requirements", "Privacy at risk"), ("Name", "A level that holds nine times in ten")),
        profile=(("Level", "0.5"), ("Confidence", "90")),
        budget=(("Add a budget", "Privacy budget"), ("Name", "The centre's budget"), ("Privacy budget in all", "1")),
        decision=LARGEST,
        expects=Sum(
            function="privacy_at_risk.noise_level",
            arguments={"mechanism": "laplace", "epsilon": 0.5, "confidence": 0.9, "sensitivity": 1.0},
        ),
        published=Sum(function="privacy_at_risk.published_noise_level", arguments={"epsilon": 0.5, "confidence": 0.9}),
        others=("budget",),
    ),
    "persuasive_privacy": Story(
        by="keys",
        release=a_release("Income of the members", "A sum", "one member", OTHER_VALUES, "50", LAPLACE),
        adversary=(
            ("All privacy requirements", "Persuasive privacy"),
            ("Name", "Forecaster of incomes"),
            ("Score", "Logarithmic: how well the truth was foreseen"),
            ("Least belief in the truth", "5"),
        ),
        profile=(("Largest gain", "0.7"),),
        decision=LARGEST,
        expects=Sum(
            function="persuasive_privacy.noise_needed",
            arguments={
                "score": "log",
                "mechanism_kind": "laplace",
                "kappa": 0.7,
                "delta": 0.0,
                "sensitivity": 50.0,
                "prior_mass": 0.05,
            },
            figure="noise",
            over=50.0,
        ),
    ),
    "exact_mean": Story(
        by="mouse",
        release=a_release("Mean weight of the newborn", "A mean", "one child", OTHER_VALUES, "1", NONE),
        adversary=(
            ("All privacy requirements", "Exact mean"),
            ("Name", "Somebody with normal beliefs"),
            ("Number of people", "100"),
            ("Correlation", "0"),
            ("Largest surprise", "4"),
            ("Source of this number", "Assumed"),
        ),
        profile=(("Largest gain", "4.2"),),
        budget=(
            ("Add a budget", "Privacy budget"),
            ("Name", "The clinic's budget"),
            ("Privacy budget in all", "1"),
            ("On: requirement 2 is taken into account", True),
            ("Why it is switched off", "It speaks of noisy figures alone."),
        ),
        decision=(("Justification", "The promise is kept without noise."),),
        expects=Sum(
            function="persuasive_privacy.exact_mean_promise",
            arguments={"r1": 4.0, "n": 100, "correlation": 0.0},
            figure="kappa",
        ),
        reads=("as_published", "kappa"),
        others=("budget",),
    ),
    "budget": Story(
        by="keys",
        release=(*A_COUNT[:2], ("Times released", "3"), *A_COUNT[2:]),
        adversary=TAKES_PART,
        profile=TAKES_PART_AT_MOST,
        budget=(
            ("Add an earlier release", True),
            ("Record", "2024-17"),
            ("Epsilon spent", "0.6"),
            ("Earlier release 1 > Neighbouring datasets differ by", COME_OR_GO),
            ("Add a budget", "Privacy budget"),
            ("Name", "The city's budget"),
            ("Privacy budget in all", "1.5"),
        ),
        decision=LARGEST,
        expects=Sum(function="composition.basic", arguments={"levels": [0.6, EPSILON, EPSILON, EPSILON]}, gives=1.5),
        others=("participation",),
    ),
    "compensation": Story(
        by="mouse",
        release=A_COUNT,
        adversary=TAKES_PART,
        profile=TAKES_PART_AT_MOST,
        budget=(
            ("Add a budget", "Cost of a breach"),
            ("Name", "What the insurer pays"),
            ("People", "2300"),
            ("Source of this number", "Public"),
            ("Cost for one person", "5000"),
            ("Least cost for one person", "10"),
            ("Money set aside", "900000"),
        ),
        decision=LARGEST,
        expects=Sum(
            function="privacy_at_risk.noise_level_for_money",
            arguments={"money": 900000.0, "people": 2300, "cost": 5000.0, "floor": 10.0},
        ),
        others=("participation",),
    ),
    "rmse": accuracy_story(
        "Typical error",
        (("Largest root-mean-square error", "1.5"),),
        Sum(function="accuracy.epsilon_for_rmse", arguments={"mechanism": "geometric", "at_most": 1.5}),
        "mouse",
    ),
    "mean_absolute_error": accuracy_story(
        "Mean absolute error",
        (("Largest mean absolute error", "1.2"),),
        Sum(function="accuracy.epsilon_for_mean_absolute_error", arguments={"mechanism": "geometric", "at_most": 1.2}),
        "keys",
    ),
    "noise_interval": accuracy_story(
        "Error within a limit",
        (("Half-width", "3"), ("Level", "95")),
        Sum(
            function="accuracy.epsilon_for_interval",
            arguments={"mechanism": "geometric", "half_width": 3.0, "level": 0.95},
        ),
        "mouse",
    ),
    "exact_probability": accuracy_story(
        "Chance of no error",
        (("Smallest chance of the exact value", "40"),),
        Sum(function="accuracy.epsilon_for_exact_probability", arguments={"mechanism": "geometric", "level": 0.4}),
        "keys",
    ),
    "relative_error": accuracy_story(
        "Relative error of small numbers",
        (
            ("Share of the number", "10"),
            ("Smallest number that matters", "50"),
            ("Smallest number that matters > Source of this number", "Public"),
            ("Largest chance of more", "10"),
        ),
        Sum(
            function="accuracy.epsilon_for_relative_error",
            arguments={"mechanism": "geometric", "fraction": 0.1, "of": 50.0, "at_most": 0.1},
        ),
        "keys",
    ),
    "all_within": accuracy_story(
        "All figures within a limit",
        (("Half-width", "3"), ("Level", "95")),
        Sum(
            function="accuracy.epsilon_for_all_within",
            arguments={"mechanism": "geometric", "half_width": 3.0, "level": 0.95, "numbers": 1},
        ),
        "mouse",
    ),
    "share_within": accuracy_story(
        "Most figures within a limit",
        (("Half-width", "3"), ("Share of the numbers", "90"), ("Level", "95")),
        Sum(
            function="accuracy.epsilon_for_share_within",
            arguments={"mechanism": "geometric", "half_width": 3.0, "share": 0.9, "level": 0.95, "numbers": 1},
        ),
        "keys",
    ),
    "drop_rate": accuracy_story(
        "Figures wrongly suppressed",
        (
            ("True value", "20"),
            ("True value > Source of this number", "Public"),
            ("Threshold", "15"),
            ("Largest chance of being dropped", "5"),
        ),
        Sum(
            function="accuracy.epsilon_for_drop_rate",
            arguments={"mechanism": "geometric", "true_value": 20.0, "threshold": 15.0, "at_most": 0.05},
        ),
        "mouse",
    ),
    "spurious_rate": accuracy_story(
        "Zeros wrongly published",
        (("Threshold", "4"), ("Largest chance that a 0 is published", "1")),
        Sum(
            function="accuracy.epsilon_for_spurious_rate",
            arguments={"mechanism": "geometric", "threshold": 4.0, "at_most": 0.01},
        ),
        "keys",
    ),
    "margin_of_error": accuracy_story(
        "Margin of error",
        (("Margin of error", "3"), ("Standard deviations", "2")),
        Sum(function="accuracy.epsilon_for_rmse", arguments={"mechanism": "geometric", "at_most": 1.5}),
        "mouse",
    ),
    "switch_probability": accuracy_story(
        "Wrong side of a threshold",
        (
            ("Target rate", "6"),
            ("Per", "1000"),
            ("Number of records", "2300"),
            ("Number of records > Source of this number", "Public"),
            ("Deviation from the target", "0.9"),
            ("Largest chance of crossing", "12"),
        ),
        Sum(function="accuracy.epsilon_for_switch", arguments={"probability": 0.12, "steps": 2}),  # from below
        "keys",
    ),
}
