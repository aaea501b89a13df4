"""What repetitions of one figure with discrete Gaussian noise lose: the curve of one figure is not that of two."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpwizard.decision import AccuracyInputs, account
from tests.samples.decisions import decided


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


@pytest.mark.parametrize("times", [1, 2, 3])
@pytest.mark.parametrize("delta", [1e-6, 1e-3, 0.1])
@pytest.mark.parametrize("epsilon", [0.3, 1.0, 3.0])
def test_the_epsilon_of_all_repetitions_is_kept_at_its_delta(times: int, delta: float, epsilon: float) -> None:
    release = decided(mechanism="discrete_gaussian", delta=delta, repetitions=times).release
    setting = release.number_setting()
    assert isinstance(setting, AccuracyInputs)
    told = account(release, epsilon)
    for found in (told.epsilon, *(each.epsilon for each in told.conversions)):
        assert found is not None
        assert true_delta(setting.scale(epsilon), found, times) <= delta * (1.0 + 1e-9)
    assert ("tight" in {each.rule for each in told.conversions}) == (times == 1)
