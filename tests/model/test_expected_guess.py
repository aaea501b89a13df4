"""The expected success of the best guess under Gaussian noise, against simulated intruders and quadrature."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
from scipy import integrate, stats

from dpwizard.privacy import compute

UNIFORM = {"family": "uniform", "low": 0, "high": 10}
NORMAL = {"family": "normal", "mean": 50, "sd": 10}
ATOMS = {"family": "discrete", "points": [0, 1, 1.5, 4, 4.2, 9], "probabilities": [0.1, 0.3, 0.1, 0.2, 0.2, 0.1]}


def answer(function: str, **arguments: Any) -> dict[str, Any]:
    return compute.answer(json.dumps({"id": 1, "fn": f"guessing_advantage.{function}", "args": arguments}))


def asked(function: str, **arguments: Any) -> Any:
    found = answer(function, **arguments)
    assert found["ok"], found
    return found["value"]


@pytest.mark.parametrize("noise", [0.05, 3.0])
@pytest.mark.parametrize("precision", [0.0, 2.5])
def test_atoms_agree_with_the_best_window_at_each_output_by_quadrature(precision: float, noise: float) -> None:
    points, masses = np.array(ATOMS["points"]), np.array(ATOMS["probabilities"])
    spans = [(points >= x - 1e-9) & (points <= x + 2 * precision + 1e-9) for x in points]
    ys = np.linspace(points[0] - 12 * noise, points[-1] + 12 * noise, 400_001)
    weights = masses * stats.norm.pdf((ys[:, None] - points) / noise) / noise
    best = np.max([weights[:, span].sum(axis=1) for span in spans], axis=0)
    found = asked("expected", prior=ATOMS, precision=precision, noise=noise)
    assert found["after"] == pytest.approx(integrate.trapezoid(best, ys), rel=1e-6)
    assert found["before"] == pytest.approx(max(masses[span].sum() for span in spans), rel=1e-12)


@pytest.mark.parametrize("prior", [UNIFORM, NORMAL, ATOMS])
def test_the_least_noise_gives_just_the_gain(prior: dict[str, Any]) -> None:
    for gain in (1e-3, 0.05, 0.3):
        noise = asked("noise_for_expected", prior=prior, precision=0.5, gain=gain)
        found, less = (asked("expected", prior=prior, precision=0.5, noise=noise * k) for k in (1.0, 1 - 1e-6))
        assert found["after"] - found["before"] <= gain * (1 + 1e-9)
        assert less["after"] - less["before"] > gain


@pytest.mark.parametrize("precision", [1e-6, 120.0])
@pytest.mark.parametrize("share", [1e-30, 0.49])
def test_noise_for_a_normal_value_is_never_too_small_by_many_digits(precision: float, share: float) -> None:
    with mpmath.workdps(60):
        start = mpmath.mpf(precision) / 10
        rest = mpmath.erfc(start / mpmath.sqrt(2))
        gain = float(rest * share)
        low, high = start, start + 60
        for _ in range(240):  # where P(|G| > far) = rest - gain
            far = (low + high) / 2
            low, high = (far, high) if mpmath.erfc(far / mpmath.sqrt(2)) > rest - gain else (low, far)
        least = precision / mpmath.sqrt((low - start) * (low + start))
        noise = asked("noise_for_expected", prior=NORMAL, precision=precision, gain=gain)
        assert 0 <= noise / least - 1 < 1e-12


@pytest.mark.parametrize("gain", [0.3, 1e-3, 1e-9, 1e-15, 1e-100])
def test_two_equal_values_need_the_noise_of_their_closed_form_however_small_the_gain(gain: float) -> None:
    pair = {"family": "discrete", "points": [3, 4]}
    noise = asked("noise_for_expected", prior=pair, precision=0.4, gain=gain)  # gain is Phi(1/(2 s)) - 1/2
    with mpmath.workdps(130):
        least = 1 / (2 * mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(gain)))
        assert 0 <= noise / least - 1 < (1e-12 / gain if gain > 1e-12 else math.inf)


@pytest.mark.parametrize("gain", [0.2, 1e-4, 1e-12, 1e-60])
def test_two_unequal_values_need_no_less_noise_by_many_digits(gain: float) -> None:
    with mpmath.workdps(130):

        def gained(noise: Any) -> Any:  # the rarer value is guessed beyond the output at which the two are level
            noise, level = mpmath.mpf(noise), mpmath.mpf("0.5") + mpmath.mpf(noise) ** 2 * mpmath.log(mpmath.mpf(7) / 3)
            return (3 * mpmath.ncdf((1 - level) / noise) - 7 * mpmath.ncdf(-level / noise)) / 10

        prior = {"family": "discrete", "points": [0, 1], "probabilities": [0.7, 0.3]}
        noise = asked("noise_for_expected", prior=prior, precision=0, gain=gain)
        assert gained(noise) <= gain < max(gained(noise * (1 - 1e-11 / gain)), 1e-9)


def test_noise_far_below_the_distances_hides_nothing() -> None:
    pair = {"family": "discrete", "points": [0, 1], "probabilities": [0.7, 0.3]}
    for noise in (1e-3, 1e-100, 1e-160, 1e-300):
        assert asked("expected", prior=pair, precision=0, noise=noise)["after"] == 1.0
    assert asked("expected", prior=UNIFORM, precision=0, noise=0)["after"] == 1.0, "the value itself is published"


def test_which_values_a_window_holds_is_decided_in_decimals() -> None:
    for points, together in (([0.1, 0.3], True), ([0.1, 0.30000000000000004], False), ([0.2, 0.4, 0.6], False)):
        prior = {"family": "discrete", "points": points}
        found = asked("expected", prior=prior, precision=0.1, noise=0)
        assert (found["before"] == 1.0) is together
    assert asked("expected", prior={"family": "discrete", "points": [0.2, 0.4, 0.6]}, precision=0.1, noise=1)[
        "before"
    ] == pytest.approx(float(Fraction(2, 3)))


def test_more_noise_never_helps_the_intruder() -> None:
    for prior in (UNIFORM, NORMAL, ATOMS):
        found = [asked("expected", prior=prior, precision=0.6, noise=s)["after"] for s in (0.01, 0.1, 1, 5, 50, 1e6)]
        assert found == sorted(found, reverse=True)
        before = asked("expected", prior=prior, precision=0.6, noise=1e9)
        assert before["after"] == pytest.approx(before["before"], rel=1e-6)


def test_a_family_without_a_closed_form_is_refused_by_name() -> None:
    found = answer("expected", prior={"family": "exponential", "rate": 1}, precision=1, noise=1)
    assert not found["ok"]
    assert "family" in found["error"]["where"] or "prior" in found["error"]["where"]
