"""Every statistic of noise, under every noise: its least budget is enough, and a little less is not."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from dpwizard.base.errors import Infeasible
from dpwizard.privacy import accuracy
from dpwizard.privacy.accuracy import NumberNoise, Statistic, SumNoise, largest_scale, least_budget, sum_noise
from dpwizard.privacy.mechanisms import GEOMETRIC, IN_RHO, LAPLACE, MECHANISMS, Noise

DELTA = 1e-6
NOISES = [one.noise for one in MECHANISMS.values() if one.noise is not None]
NOISES += [noise.calibrated(IN_RHO) for noise in NOISES if noise.needs_delta]
SAMPLES: tuple[Statistic, ...] = (
    accuracy.Rmse(at_most=3.2),
    accuracy.MeanAbsoluteError(at_most=0.7),
    accuracy.MarginOfError(at_most=11.0, z=1.96),
    accuracy.NoiseInterval(half_width=7.0, level=0.95),
    accuracy.NoiseInterval(half_width=2.0, level=0.3),
    accuracy.ExactProbability(level=0.3),
    accuracy.ExactProbability(level=0.99),
    accuracy.Switch(at_most=0.1, steps=3),
    accuracy.Switch(at_most=0.4, steps=20),
    accuracy.RelativeError(at_most=0.05, fraction=0.1, of=52.0),
    accuracy.DropRate(at_most=0.05, true_value=30.0, threshold=11.5),
    accuracy.SpuriousRate(at_most=0.01, threshold=4.5),
    accuracy.AllWithin(level=0.9, half_width=12.0, numbers=100),
    accuracy.ShareWithin(level=0.9, half_width=12.0, share=0.9, numbers=100),
    accuracy.SumWithin(level=0.9, half_width=25.0),
)


def below(kind: type[Statistic]) -> Iterator[type[Statistic]]:
    for one in kind.__subclasses__():
        yield from (one, *below(one))


def test_every_statistic_has_a_sample() -> None:
    sampled = {type(one) for one in SAMPLES}
    assert {one for one in below(Statistic) if not one.__abstractmethods__} == sampled


@pytest.mark.parametrize("noise", NOISES, ids=lambda noise: f"{noise.name}, {getattr(noise, 'curve', '')}")
@pytest.mark.parametrize("asked", SAMPLES, ids=repr)
def test_the_least_budget_is_enough_and_a_little_less_is_not(asked: Statistic, noise: Noise) -> None:
    budget = least_budget(asked, noise, 2.0, DELTA)
    if isinstance(asked, accuracy.ExactProbability) and not noise.integer_valued:
        assert budget == math.inf  # continuous noise is never exactly 0
        return
    at_budget, less = (
        NumberNoise(noise=noise, scale=noise.scale(b, 2.0, DELTA)) for b in (budget * (1 + 1e-11), budget * 0.999)
    )
    assert asked.met(at_budget)
    assert not asked.met(less)


@pytest.mark.parametrize("most", [0.7, 3.2, 11.0, 1e4])
def test_an_error_is_counted_as_larger_than_it_was_computed(most: float) -> None:
    for part in range(1, 40):
        scale = most * part / 40
        found = Fraction(accuracy.Rmse(at_most=most).excess(NumberNoise(noise=LAPLACE, scale=scale)))
        assert found**2 >= 2 * (Fraction(scale) / Fraction(most)) ** 2


OF_SUMS = [one for one in SAMPLES if type(one).__name__ not in ("NoiseInterval", "ExactProbability", "Switch")]


@pytest.mark.parametrize("noise", NOISES[:4], ids=lambda noise: noise.name)
@pytest.mark.parametrize("asked", OF_SUMS, ids=repr)
def test_the_largest_scale_of_a_sum_is_the_edge_of_what_is_met(
    asked: Statistic, noise: Noise, monkeypatch: pytest.MonkeyPatch
) -> None:
    added, add = [], sum_noise.beyond
    monkeypatch.setattr(sum_noise, "beyond", lambda *law: added.append(law) or add(*law))
    edge = largest_scale(asked, noise, cells=4)
    assert len(added) <= 24, "to add up a law takes long"
    assert 0.0 < edge < math.inf
    for scale, met in ((edge * 0.5, True), (edge, True), (edge * (1 + 1e-7), False), (math.inf, False)):
        assert asked.met(SumNoise(noise=noise, scale=scale, cells=4)) is met


@pytest.mark.parametrize("noise", NOISES[:4], ids=lambda noise: noise.name)
def test_what_asks_for_nothing_needs_no_budget_and_what_asks_for_no_noise_at_all_needs_infinitely_much(
    noise: Noise,
) -> None:
    for one in SAMPLES:
        if isinstance(one, accuracy.RelativeError | accuracy.Switch | accuracy.SpuriousRate):
            assert least_budget(replace(one, at_most=1.0), noise, 2.0, DELTA) == 0.0
            assert least_budget(replace(one, at_most=0.0), noise, 2.0, DELTA) == math.inf
        if isinstance(one, accuracy.AllWithin | accuracy.ExactProbability | accuracy.NoiseInterval):
            assert least_budget(replace(one, level=0.0), noise, 2.0, DELTA) == 0.0
            assert least_budget(replace(one, level=1.0), noise, 2.0, DELTA) == math.inf
    assert least_budget(accuracy.Rmse(at_most=0.0), noise, 2.0, DELTA) == math.inf


def test_sum_of_many_numbers_is_not_taken_for_more_accurate_than_it_is() -> None:
    count, scale, half_width = 50_000, 0.2277754574807312, 71
    near, turns = math.exp(-1.0 / scale), 2.0 * np.pi * np.arange(4096) / 4096.0
    transform = np.exp(-count * np.log1p(4.0 * near * np.sin(turns / 2.0) ** 2 / (1.0 - near) ** 2))
    within = 1.0 + 2.0 * sum(np.cos(turns * step) for step in range(1, half_width + 1))
    beyond = 1.0 - float(np.mean(transform * within))
    found = SumNoise(noise=GEOMETRIC, scale=scale, cells=count).beyond(Fraction(half_width))
    assert beyond <= found <= beyond + 1e-9


def test_a_true_number_below_its_threshold_is_kept_back_by_accuracy() -> None:
    with pytest.raises(Infeasible) as refused:
        least_budget(accuracy.DropRate(at_most=0.1, true_value=5.0, threshold=10.0), NOISES[0], 1.0)
    assert refused.value.where == "true_value"
