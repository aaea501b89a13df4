"""Guessing several attributes, classes, the worst truth and the units of a release."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpwizard.base.errors import InvalidInput
from dpwizard.privacy import guessing_advantage as ga
from tests.samples.priors import FAMILIES, wide

SLACK = 1e-3  # relative: what a bound may give away, on the safe side
seeds = st.integers(0, 2**32)
TEN = {"family": "uniform", "low": 0, "high": 10}
PRIORS = {family: wide(family) for family in FAMILIES}


def attribute(prior, truth, precision):
    return {"prior": prior, "truth": truth, "precision": precision}


def both(attributes, epsilon, combine="and", direction="rise"):
    return ga.combined_posterior(attributes=attributes, combine=combine, epsilon=epsilon, direction=direction)


def some_atoms(rng, count):
    made = []
    for _ in range(count):
        points = [round(rng.uniform(0, 6), 1) for _ in range(rng.randint(2, 5))]
        made.append(attribute({"family": "discrete", "points": points}, rng.choice(points), rng.choice((0.5, 1, 1.5))))
    return made


def states(attributes):
    """Every joint value with its mass, whether each guess is right, and its place in precisions."""
    lists = []
    for each in attributes:
        points = each["prior"]["points"]
        lists.append(
            [
                (x / each["precision"], abs(round(x - each["truth"], 6)) <= each["precision"] + 1e-9, 1 / len(points))
                for x in points
            ]
        )
    for combination in itertools.product(*lists):
        yield [c[0] for c in combination], [c[1] for c in combination], math.prod(c[2] for c in combination)


# ------------------------------------------------------------------------------------ and, or


@pytest.mark.slow
@given(seed=seeds)
def test_no_mechanism_in_the_maximum_metric_beats_the_joint_bounds(seed: int) -> None:
    rng = random.Random(seed)
    attributes, epsilon = some_atoms(rng, rng.choice((2, 3))), rng.uniform(0.1, 2)
    everything = list(states(attributes))
    places = np.array([place for place, _, _ in everything])
    masses = np.array([mass for _, _, mass in everything])
    rights = np.array([right for _, right, _ in everything])
    for combine, correct in (("and", rights.all(axis=1)), ("or", rights.any(axis=1))):
        p = ga.combined_prior(attributes=attributes, combine=combine)
        assert p == pytest.approx(masses[correct].sum(), rel=1e-12)
        high, low = both(attributes, epsilon, combine), both(attributes, epsilon, combine, "drop")
        for _ in range(120):
            tents = []
            for _ in range(3):
                centre = [rng.uniform(-1, 7) / each["precision"] for each in attributes]
                tents.append(np.exp(-epsilon * np.abs(places - centre).max(axis=1)) * rng.uniform(0.2, 1))
            for likelihood in (tents[0], np.max(tents, axis=0), 1 / tents[0], 1 / np.max(tents, axis=0)):
                weight = masses * likelihood
                reached = weight[correct].sum() / weight.sum()
                assert reached <= high * (1 + 1e-11)
                assert reached >= low * (1 - 1e-11)


def test_one_attribute_alone_is_exact_whatever_the_connective() -> None:
    for prior in PRIORS.values():
        single = ga.posterior(prior=prior, truth=3.5, precision=0.8, epsilon=0.6)
        for combine in ("one", "and", "or"):
            assert both([attribute(prior, 3.5, 0.8)], 0.6, combine) == pytest.approx(single, rel=1e-12)
        limit = ga.epsilon_for(prior=prior, truth=3.5, precision=0.8, advantage=0.1)
        assert ga.combined_epsilon(attributes=[attribute(prior, 3.5, 0.8)], combine="one", advantage=0.1) == limit


@pytest.mark.parametrize("combine", ["and", "or"])
@pytest.mark.parametrize("direction", ["rise", "drop"])
@pytest.mark.parametrize("one", ["discrete"])
def test_combined_epsilon_inverts_the_combined_posterior_from_below(combine: str, direction: str, one: str) -> None:
    attributes = [attribute(PRIORS[one], 3.5, 0.8), attribute(TEN, 4, 1), attribute(PRIORS["normal"], 2.5, 0.5)]
    p = ga.combined_prior(attributes=attributes, combine=combine)
    advantage = p * (0.3 if combine == "and" else 0.01)
    epsilon = ga.combined_epsilon(attributes=attributes, combine=combine, advantage=advantage, direction=direction)
    assert 0 <= epsilon < math.inf
    assert abs(both(attributes, epsilon, combine, direction) - p) <= advantage * (1 + SLACK)
    beyond = abs(both(attributes, max(epsilon, 1e-12) * (1 + 2 * SLACK), combine, direction) - p)
    assert beyond > advantage or epsilon == 0


def test_an_attribute_already_known_or_ruled_out_decides_the_combination() -> None:
    known, wrong, open_ = attribute(TEN, 5, 9), attribute(TEN, 90, 1), attribute(TEN, 4, 1)
    alone = ga.posterior(**open_, epsilon=0.5)
    assert both([known, open_], 0.5) == pytest.approx(alone, rel=SLACK)
    assert both([known, open_], 0.5, "or") == 1.0
    assert both([wrong, open_], 0.5) == 0.0
    assert both([wrong, open_], 0.5, "or") == pytest.approx(alone, rel=1e-12)
    assert ga.combined_epsilon(attributes=[wrong, open_], combine="and", advantage=0) == math.inf
    always = [attribute(TEN, "worst", 10), open_]
    assert ga.combined_epsilon(attributes=always, combine="or", advantage=0.01, direction="drop") == math.inf


def test_an_unanswered_attribute_is_named() -> None:
    with pytest.raises(InvalidInput, match=r"attributes\[1\]\.precision: is not answered"):
        ga.combined_prior(attributes=[attribute(TEN, 4, 1), {"prior": TEN, "truth": 3}], combine="and")
    with pytest.raises(InvalidInput, match=r"attributes\[0\]\.prior\.high: is not answered"):
        ga.combined_prior(attributes=[attribute({"family": "uniform", "low": 0}, 4, 1)], combine="one")
    with pytest.raises(InvalidInput, match=r"attributes\[0\]\.truth"):
        ga.combined_posterior(attributes=[attribute(TEN, "worst", 1)], combine="one", epsilon=1)
    with pytest.raises(InvalidInput, match="exactly one"):
        ga.combined_prior(attributes=[attribute(TEN, 4, 1)] * 2, combine="one")


# --------------------------------------------------------------------------------- worst truth


def test_the_worst_truths_of_two_attributes_bind_as_much_as_the_worst_of_any_two_given_ones() -> None:
    hidden = [attribute(PRIORS["discrete"], "worst", 0.9), attribute(TEN, "worst", 4)]
    for combine, direction, farthest_below in (("and", "rise", 1.1), ("or", "drop", 1.002)):
        asked = {"combine": combine, "advantage": 0.15, "direction": direction}
        epsilon = ga.combined_epsilon(attributes=hidden, **asked)
        least = min(
            ga.combined_epsilon(attributes=[hidden[0] | {"truth": x}, hidden[1] | {"truth": y}], **asked)
            for x, y in itertools.product((1, 2, 3.5, 5), (0, 1, 5))
        )
        assert epsilon * (1 - 1e-9) <= least <= epsilon * farthest_below


# ---------------------------------------------------------------------------- classes and units


def test_the_worst_class_is_the_one_nearest_the_worst_prior() -> None:
    prior = {"A": 0.5, "B": 0.3, "AB": 0.05, "0": 0.15, "none": 0}
    found = ga.worst_class(prior=prior, advantage=0.1)
    assert found.epsilon == min(ga.categorical_epsilon(p=p, advantage=0.1) for p in (0.5, 0.3, 0.05, 0.15))
    assert found.label == "A"
    found = ga.worst_class(prior=prior, epsilon=3)
    assert found.label == "0"
    assert found.advantage == max(ga.categorical_posterior(p=p, epsilon=3) - p for p in (0.5, 0.3, 0.05, 0.15))
    with pytest.raises(InvalidInput):
        ga.worst_class(prior={"A": 0}, advantage=0.1)
    with pytest.raises(InvalidInput):
        ga.worst_class(prior=prior)


def test_the_loss_of_the_release_gives_the_loss_per_precision() -> None:
    mean = {"prior": TEN, "truth": 5, "precision": 2, "effect": 1 / 400}
    # a mean of 400 values in [0, 10]: sensitivity 10/400 when one value changes
    epsilon = ga.release_epsilon(attributes=[mean], epsilon=0.3, sensitivity=10 / 400)
    assert epsilon == pytest.approx(0.3 * 10 / 2, rel=1e-14)
    back = ga.precision_epsilon(attributes=[mean], epsilon=epsilon, sensitivity=10 / 400)
    assert back == pytest.approx(0.3, rel=1e-14)
    scale = (10 / 400) / epsilon
    assert 2 / (400 * scale) == pytest.approx(0.3, rel=1e-14)
    two = [mean, {"precision": 5, "effect": 1 / 400}]
    assert ga.release_epsilon(attributes=two, epsilon=0.3, sensitivity=10 / 400) == pytest.approx(
        0.3 * 10 / 7, rel=1e-14
    )
    with pytest.raises(InvalidInput, match=r"attributes\[0\]\.effect"):
        ga.release_epsilon(attributes=[attribute(TEN, 5, 1)], epsilon=1, sensitivity=1)


def test_rounding_near_certainty_hides_no_gain_of_several_guesses() -> None:
    eight = [attribute({"family": "discrete", "points": [-1.5, 0], "probabilities": [0.017, 0.437]}, 0, 0.5)] * 8
    missed = (0.017 / 0.454) ** 8  # 4e-12: the chance before is 1 less it
    assert both(eight, 1e-9, "or") >= 1 - missed * (1 - 1e-9)
    assert ga.combined_epsilon(attributes=eight, combine="or", advantage=1e-21) <= 2e-21 / missed
