"""Limits on random guesses, against forty digits: never above the truth, at most a thousandth below, and in time.

Nasty priors too: needles, values next to each other, tails, precisions far above and below the spread. A sample is in
every run of the suite, 500 guesses and 100 worst truths are a soak test; its figures stand in docs/soak.md.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import mpmath as mp
import numpy as np
import pytest

from dpwizard.privacy import guessing_advantage as ga
from tests.oracles import guessing_victims as victims
from tests.oracles.guessing_exact import Prior as Exact

SEED = 24112026
CLOSED = ("uniform", "normal", "truncated_normal", "exponential", "discrete", "histogram")
ERROR = mp.mpf("1e-3")  # how far a limit may lie below the truth, relative
ROUNDING = 1e-12  # of that
TYPICAL, WORST_TRUTH = 0.05, 0.5  # seconds of processor: the median of a given truth, the 95th percentile of the worst
Property = Callable[[str, object], None]
UNBOUNDED = 1e5  # an epsilon that stands for infinity


class Case(NamedTuple):
    """One guess, and the advantage that it may gain."""

    prior: dict[str, Any]
    truth: float
    precision: float
    direction: str
    advantage: float


def cases(seed: int) -> Iterator[Case]:
    """Yield guesses whose chance before a release can change in a way that doubles tell from 0."""
    rng = random.Random(seed)
    while True:
        prior, precision, direction = victims.a_case(rng, rng.choice(CLOSED))
        truth = rng.choice(victims.truths(rng, prior, precision, 1.0))
        p = Exact(prior, truth, precision).p()
        largest = float(1 - p if direction == "rise" else p)
        if 1e-9 < largest < 1 - 1e-12:
            yield Case(prior, truth, precision, direction, rng.choice((0.02, 0.2, 0.6, 0.95)) * largest)


def timed(work: Callable[[], float]) -> tuple[float, float]:
    """Return what WORK returns, and the seconds of processor it took."""
    start = time.process_time()
    found = work()
    return found, time.process_time() - start


def shortfall(case: Case, epsilon: float, halvings: int) -> float:
    """Return how far EPSILON lies below the true limit at most, relative, after checking that it does not lie above.

    Twice ERROR is cut in half so many times.
    """
    exact, advantage = Exact(case.prior, case.truth, case.precision), mp.mpf(case.advantage)
    if math.isinf(epsilon):
        assert exact.gain(mp.mpf(UNBOUNDED), case.direction) <= advantage * (1 + mp.mpf("1e-12")), case
        return 0.0
    assert exact.gain(mp.mpf(epsilon), case.direction) <= advantage, case
    low, high = mp.mpf(epsilon), mp.mpf(epsilon) * (1 + 2 * ERROR)
    if exact.gain(high, case.direction) <= advantage:
        return math.inf
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (middle, high) if exact.gain(middle, case.direction) <= advantage else (low, middle)
    return float(high / epsilon - 1)


def judge_given(count: int, seed: int, halvings: int) -> tuple[list[float], list[float]]:
    """Return the shortfalls and times of COUNT limits on guesses with a given truth."""
    shortfalls, times = [], []
    for case, _ in zip(cases(seed), range(count), strict=False):
        told = case._asdict()
        epsilon, took = timed(lambda told=told: ga.epsilon_for(**told))
        times.append(took)
        if epsilon == 0.0:  # hardly any release keeps so small a chance of a waiting time from falling
            assert case.prior["family"] == "exponential", case
            continue
        shortfalls.append(shortfall(case, epsilon, halvings))
    return shortfalls, times


def judge_worst(count: int, seed: int) -> tuple[list[float], list[float]]:
    """Return the gaps, relative, and the times of COUNT limits against the worst truth; no truth may gain more."""
    rng, gaps, times = random.Random(seed), [], []
    while len(times) < count:
        prior, precision, direction = victims.a_case(rng, rng.choice(victims.FAMILIES))
        advantage = rng.choice((0.02, 0.05, 0.2, 0.5))
        told = {"prior": prior, "precision": precision, "direction": direction, "advantage": advantage}
        start = time.process_time()
        found = ga.worst_epsilon(**told)
        times.append(time.process_time() - start)
        epsilon = UNBOUNDED if found.epsilon is None else found.epsilon
        if epsilon == 0.0:
            continue
        better = victims.better_victim(rng, prior, precision, epsilon, direction, advantage)
        assert better is None, (told, found, better)
        if found.epsilon is not None:
            gaps.append(found.gap / found.epsilon)
    return gaps, times


def figures(far: list[float], times: list[float]) -> str:
    """Return what docs/soak.md says of a run."""
    return (
        f"{len(times)} limits, largest shortfall {max(far):.1e}, median {np.median(far):.1e}; processor time median "
        f"{1e3 * np.median(times):.0f} ms, 95 % within {1e3 * np.quantile(times, 0.95):.0f} ms, "
        f"at most {1e3 * max(times):.0f} ms"
    )


def test_limits_on_a_few_random_guesses_are_safe_and_close() -> None:
    shortfalls, _ = judge_given(10, SEED + 1, 1)
    assert max(shortfalls) <= ERROR * (1 + ROUNDING)


@pytest.mark.soak
def test_limits_on_500_random_guesses_are_safe_and_close_and_in_time(record_property: Property) -> None:
    shortfalls, times = judge_given(500, SEED, 24)
    record_property("given truth", figures(shortfalls, times))
    assert max(shortfalls) <= ERROR * (1 + ROUNDING)
    assert np.median(times) < TYPICAL


@pytest.mark.soak
def test_limits_against_100_worst_truths_are_safe_and_in_time(record_property: Property) -> None:
    gaps, times = judge_worst(100, SEED)
    record_property("worst truth", figures(gaps, times))
    assert np.quantile(times, 0.95) < WORST_TRUTH
