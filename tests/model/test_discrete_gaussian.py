"""Discrete Gaussian noise: the sum over all outputs says what each figure is, and no curve but its own is ever used."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

from dpwizard.base.errors import InvalidInput
from dpwizard.decision import ReplaceOne, account, read_decision
from dpwizard.privacy import accuracy
from dpwizard.privacy.accounting.functions import read
from dpwizard.privacy.mechanisms import (
    DISCRETE_GAUSSIAN,
    GAUSSIAN,
    ZCDP,
    DiscreteGaussianCurve,
    discrete_gaussian_epsilon,
    gaussian_epsilon,
    zcdp_epsilon,
    zcdp_rho,
)
from tests.samples.decisions import decided

SEED = 20_261_123
ONE = {
    "statistic": "count",
    "neighbours": "add_remove",
    "unit": "one person",
    "sensitivity": 1,
    "mechanism": "discrete_gaussian",
    "delta": 0.01,
}


def masses(sigma: float, reach: int) -> np.ndarray:
    """Return the chance of each output from -REACH to REACH: written down, and added up."""
    k = np.arange(-reach, reach + 1, dtype=float)
    heights = np.exp(-(k**2) / (2 * sigma**2))
    return np.asarray(heights / math.fsum(heights))


def delta_of(sigma: float, steps: int, epsilon: float) -> float:
    """Return the hockey-stick divergence of a move by STEPS: the sum over all outputs of the positive parts."""
    reach = math.ceil(45 * sigma) + steps
    here = masses(sigma, reach + steps)
    moved = np.concatenate((np.zeros(steps), here[: len(here) - steps]))
    return math.fsum(np.maximum(here - math.exp(epsilon) * moved, 0.0))


def release(**rest: Any) -> Any:
    return read_decision({"format": "dpwizard.decision/1", "release": {**ONE, **rest}}).release


# ------------------------------------------------------------------------------------------------ half-widths


@pytest.mark.parametrize("level", [0.3, 0.95, 0.99999])
@pytest.mark.parametrize("half", [2, 3, 7, 30, 400, 20_000])
def test_a_little_below_and_above_the_sigma_of_a_half_width_it_is_found_exactly(level: float, half: int) -> None:
    low, high = 1e-3, 1e9
    for _ in range(200):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if DISCRETE_GAUSSIAN.within(middle, half) >= level else (low, middle)
    assert DISCRETE_GAUSSIAN.half_width(low * (1 - 1e-12), 1.0, 1.0, level)[0] == half
    assert DISCRETE_GAUSSIAN.half_width(high * (1 + 1e-12), 1.0, 1.0, level)[0] == half + 1


# ----------------------------------------------------------------------------------------- one number's curve


def test_one_count_at_sigma_one_keeps_2_3639_and_not_the_continuous_2_3178() -> None:
    assert discrete_gaussian_epsilon(1.0, 1, 0.01) == pytest.approx(2.363867726825, abs=1e-11)
    assert gaussian_epsilon(1.0, 0.01) == pytest.approx(2.317789, abs=1e-6)
    assert delta_of(1.0, 1, 2.3178) > 0.0103  # what the continuous curve promises is not kept
    assert delta_of(1.0, 1, discrete_gaussian_epsilon(1.0, 1, 0.01)) <= 0.01


@pytest.mark.slow
def test_the_epsilon_of_one_number_is_kept_by_the_sum_over_all_outputs_and_no_smaller_one_is() -> None:
    dice = random.Random(SEED)
    for _ in range(100):
        steps = dice.choice([1, 1, 2, 3, 10])
        sigma, delta = steps * 10 ** dice.uniform(-0.9, 1.0), 10 ** dice.uniform(-9, -0.05)
        epsilon = discrete_gaussian_epsilon(sigma, steps, delta)
        assert delta_of(sigma, steps, epsilon) <= delta * (1 + 1e-11)
        if epsilon > 0.0:
            assert delta_of(sigma, steps, epsilon * (1 - 1e-9) - 1e-10) > delta
        assert epsilon <= zcdp_epsilon(steps**2 / (2 * sigma**2), delta) * (1 + 1e-9)


@pytest.mark.slow
def test_the_sigma_found_keeps_epsilon_and_so_does_all_larger_noise_that_is_tried() -> None:
    dice = random.Random(SEED + 1)
    for _ in range(12):
        steps, epsilon, delta = dice.choice([1, 2, 10]), 10 ** dice.uniform(-1, 1.6), 10 ** dice.uniform(-9, -0.5)
        curve = DiscreteGaussianCurve(steps)
        sigma, enough = steps / curve.mu(epsilon, delta), steps / ZCDP.mu(epsilon, delta)
        assert sigma <= enough
        assert delta_of(sigma * (1 - 1e-7), steps, epsilon) > delta * (1 - 1e-6)
        for larger in np.linspace(sigma * (1 + 1e-12), 1.2 * enough, 60):
            assert delta_of(float(larger), steps, epsilon) <= delta * (1 + 1e-10)


def test_finer_noise_may_keep_what_coarser_noise_breaks_so_the_answer_is_checked_at_its_sigma() -> None:
    """At epsilon 23.46 a sigma of 0.15 keeps a delta of 1.5e-9 and one of 0.2 does not: nothing falls with sigma."""
    assert delta_of(0.15, 1, 23.46) <= 1.5e-9 < delta_of(0.2, 1, 23.46)
    assert 1 / DiscreteGaussianCurve(1).mu(23.46, 1.5e-9) > 0.2  # the stretch that all larger noise belongs to


@pytest.mark.parametrize("sigma", [0.05, 0.9, 30.0])
def test_its_figures_are_the_sums_over_all_outputs(sigma: float) -> None:
    reach = math.ceil(40 * sigma) + 3
    weights, k = masses(sigma, reach), np.arange(-reach, reach + 1)
    noise = DISCRETE_GAUSSIAN
    assert noise.sd(sigma) ** 2 == pytest.approx(math.fsum(weights * k**2), rel=1e-12)
    assert noise.mean_absolute(sigma) == pytest.approx(math.fsum(weights * abs(k)), rel=1e-12)
    assert noise.exact_mass(sigma) == pytest.approx(weights[reach], rel=1e-13)
    for x in {0, 1, 2, math.ceil(sigma), math.ceil(5 * sigma)}:
        assert math.exp(noise.log_tail(sigma, x)) == pytest.approx(math.fsum(weights[reach + x + 1 :]), rel=1e-11)
        assert noise.cdf(sigma, -x - 0.5) == pytest.approx(math.fsum(weights[: reach - x]), rel=1e-11)
        assert noise.within(sigma, x + 0.7) == pytest.approx(math.fsum(weights[reach - x : reach + x + 1]), rel=1e-11)
    assert noise.sd(sigma) <= sigma  # Canonne, Kamath & Steinke 2020, Corollary 9


# ----------------------------------------------------------------------------------------- rho


def test_the_rule_for_several_numbers_covers_their_exact_loss() -> None:
    """Fifty counts that one person moves by one each."""
    numbers, delta = 50, 1e-5
    setting = release(statistic="histogram", dimension=numbers, sensitivity=math.sqrt(numbers), delta=delta)
    sigma = setting.number_setting().scale(2.0)
    assert sigma == pytest.approx(math.sqrt(numbers / (2 * zcdp_rho(2.0, delta))), rel=1e-9)
    together = [{"noise": "discrete_gaussian", "sigma": sigma, "times": numbers}]
    assert delta / 30 < read(releases=together, read="delta", at=2.0) <= delta  # a bound, and not a wild one
    # a sigma that only the continuous curve calls enough is below it
    assert GAUSSIAN.scale(2.0, math.sqrt(numbers), delta) < sigma


# ----------------------------------------------------------------------------------------- whole decisions


def test_only_one_number_alone_has_the_sharper_curve() -> None:
    one = release().number_setting()
    assert one.calibration == DiscreteGaussianCurve(1)
    assert one.scale(2.3638677268254) == pytest.approx(1.0, rel=1e-9)
    parts = [{"name": name, "statistic": "count", "sensitivity": 1, "share": 0.5} for name in "ab"]
    for several in (
        {"dimension": 2},
        {"sensitivity": 1.5},
        {"statistic": "sum", "step": 5, "sensitivity": 5},
        {"parts": parts},
        {"parts": [{**parts[0], "share": 0.5}]},
        {"parts": [parts[0], {**parts[1], "mechanism": "gaussian"}]},
    ):
        made = release(**several)
        assert made.number_setting("a" if "parts" in several else None).calibration is ZCDP, several
    beside = release(parts=[parts[0], {**parts[1], "mechanism": "laplace"}])
    assert beside.number_setting("a").calibration == DiscreteGaussianCurve(1)


@pytest.mark.slow
def test_what_one_number_tells_of_a_value_is_its_curve_at_twice_the_move() -> None:
    setting = release(sensitivity_other=2).privacy_setting(ReplaceOne())
    told = setting.loss.total_epsilon(2.3638677268254)
    assert told == pytest.approx(discrete_gaussian_epsilon(1.0, 2, 0.01), rel=1e-9)
    assert delta_of(1.0, 2, told) <= 0.01 * (1 + 1e-9)
    assert setting.loss.max_budget(told) == pytest.approx(2.3638677268254, rel=1e-9)


def test_an_earlier_discrete_release_goes_by_its_rho_and_never_by_the_continuous_curve() -> None:
    stated = {"mechanism": "discrete_gaussian", "neighbours": "add_remove", "delta": 1e-6}
    by_epsilon, by_rho = (release(spent=[{**stated, **cost}]).spent[0] for cost in ({"epsilon": 1.0}, {"rho": 0.1}))
    assert by_epsilon.loss("add_remove") == 1.0
    assert by_epsilon.loss("replace") is None  # its epsilon and delta bound nothing of worlds farther apart
    farther = by_rho.loss("replace")
    assert farther >= zcdp_epsilon(0.4, 1e-6)
    assert not by_rho.pure


@pytest.mark.parametrize("epsilon", [0.0, 1e-300, 1e-9, 700.0, 1e8, math.inf])
@pytest.mark.parametrize("delta", [1e-300, 1e-16, 0.5, 1 - 1e-12])
@pytest.mark.parametrize("sensitivity", [1.0, 1e-9, 1e15, 1e300, 7.0])
def test_extreme_budgets_give_numbers_on_the_safe_side_or_none(
    epsilon: float, delta: float, sensitivity: float
) -> None:
    for calibration in (DiscreteGaussianCurve.moving(sensitivity) or ZCDP, ZCDP):
        noise = DISCRETE_GAUSSIAN.calibrated(calibration)
        scale = noise.scale(epsilon, sensitivity, delta)
        assert scale >= 0.0
        assert not math.isnan(scale)
        if 0.0 < scale < math.inf:
            assert noise.epsilon(scale, sensitivity, delta) <= epsilon * (1 + 1e-9) + 1e-12
            assert 0.0 <= noise.sd(scale) <= scale
            assert noise.half_width(scale, epsilon, sensitivity, 0.95)[1] >= 0.95


def test_an_epsilon_of_discrete_noise_needs_a_delta_and_holds_for_any_number_of_figures() -> None:
    with pytest.raises(InvalidInput, match="delta"):
        accuracy.noise(mechanism="discrete_gaussian", epsilon=1.0)
    of_any = accuracy.noise(mechanism="discrete_gaussian", epsilon=1.0, delta=1e-6).sd
    assert DISCRETE_GAUSSIAN.calibrated(DiscreteGaussianCurve(1)).scale(1.0, 1.0, 1e-6) < of_any


def true_delta(sigma: float, epsilon: float, times: int) -> float:
    """Return delta at EPSILON of so many draws of a count with noise of SIGMA, moved by 1: by adding up every outcome.

    The loss reads the sum of the draws alone.
    """
    reach = int(12 * sigma) + 8
    each = np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * sigma * sigma))
    each /= each.sum()
    sums, law = np.arange(-reach * times, reach * times + 1), np.ones(1)
    for _ in range(times):
        law = np.convolve(law, each)
    loss = times / (2 * sigma * sigma) - sums / (sigma * sigma)
    return math.fsum(law * np.maximum(0.0, 1.0 - np.exp(np.minimum(0.0, epsilon - loss))))


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("delta", [1e-6, 0.1])
@pytest.mark.parametrize("epsilon", [0.3, 3.0])
def test_the_epsilon_of_all_repetitions_is_kept_at_its_delta(times: int, delta: float, epsilon: float) -> None:
    release = decided(mechanism="discrete_gaussian", delta=delta, repetitions=times).release
    setting = release.number_setting()
    told = account(release, epsilon)
    for found in (told.epsilon, *(each.epsilon for each in told.conversions)):
        assert found is not None
        assert true_delta(setting.scale(epsilon), found, times) <= delta * (1.0 + 1e-9)
    assert ("tight" in {each.rule for each in told.conversions}) == (times == 1)
