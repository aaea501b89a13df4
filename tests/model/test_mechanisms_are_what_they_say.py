"""A mechanism's law, what the accountant reads of it, and its code for OpenDP are those of one and the same noise."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
import pytest

from dpwizard.decision import AddOrRemoveOne, read_decision
from dpwizard.decision.decision import Decision
from dpwizard.privacy.mechanisms import EVERY, Noise
from dpwizard.records import release_code
from tests.oracles.judge.noise import cks_epsilon, gaussian_delta
from tests.samples.decisions import recorded
from tests.samples.mechanisms import SAMPLES

NOISES = tuple(mechanism for mechanism in EVERY if isinstance(mechanism, Noise))
every_noise = pytest.mark.parametrize("noise", NOISES, ids=lambda noise: noise.name)
REACH = 60.0  # scales from the middle, beyond which nothing is left
TRUE = 50  # a value that is released
DRAWS = 20_000
MOST_MADE = 1_000  # measurements


def stated(noise: Noise) -> dict[str, Any]:
    one = SAMPLES[noise.name]
    return {"format": "dpwizard.decision/1", "epsilon": one.epsilon, "release": one.release(noise.name)}


def number(decision: Decision) -> tuple[Noise, float]:
    """Return the noise on the one number of DECISION, and its scale."""
    setting = decision.release.number_setting()
    assert setting.noise is not None
    assert decision.chosen is not None
    return setting.noise, setting.scale(decision.chosen)


def places(noise: Noise, scale: float) -> np.ndarray:
    reach = math.ceil(REACH * scale)
    return np.arange(-reach, reach + 1.0) if noise.integer_valued else np.linspace(-reach, reach, 40_001)


def reached(noise: Noise, scale: float, at: np.ndarray) -> np.ndarray:
    """Return P(noise >= x), by the heights of all outputs."""
    heights = np.array([noise.height(scale, float(x)) for x in at])
    if noise.integer_valued:
        return np.cumsum(heights[::-1])[::-1]
    cells = 0.5 * (heights[1:] + heights[:-1]) * np.diff(at)
    return np.append(np.cumsum(cells[::-1])[::-1], 0.0)


@every_noise
def test_the_accountant_reads_the_loss_of_the_noise_that_is_added(noise: Noise) -> None:
    decision = read_decision(stated(noise))
    added, scale = number(decision)
    setting = decision.release.privacy_setting(AddOrRemoveOne(), in_epsilon=False)
    told = setting.loss.trade_off(decision.chosen or 0.0)
    # one number moves by 1; the likeliest events are half-lines, as the noise is log-concave
    at = places(added, scale)
    without, with_record = reached(added, scale, at), reached(added, scale, at - 1.0)
    for chance in (0.001, 0.05, 0.3, 0.8):
        true = float(np.interp(chance, without[::-1], with_record[::-1]))
        assert true * (1.0 - 1e-5) <= told.max_probability(chance) <= true * (1.0 + 2e-3)


# ------------------------------------------------------------------------------- code, run on a stand-in for OpenDP


class Measurement:
    """Noise as OpenDP adds and certifies it: then_laplace and then_gaussian, whole on whole numbers."""

    made: ClassVar[int] = 0

    def __init__(self, kind: str, scale: float) -> None:
        self.kind, self.scale, self.whole = kind, scale, False
        Measurement.made += 1
        assert Measurement.made < MOST_MADE, "the code never finds a scale that is enough: its maker is another noise's"
        self.dice = np.random.default_rng(20_261_124)

    def __rrshift__(self, space: tuple[str, str]) -> Measurement:
        self.whole = space[0] == "i64"
        return self

    def map(self, distance: float) -> float:
        return distance / self.scale if self.kind == "laplace" else distance**2 / (2.0 * self.scale**2)

    def __call__(self, value: float) -> float:
        if self.kind == "gaussian" and not self.whole:
            return value + float(self.dice.normal(0.0, self.scale))
        if self.kind == "laplace" and not self.whole:
            return value + float(self.dice.laplace(0.0, self.scale))
        if self.kind == "laplace":
            p = -math.expm1(-1.0 / self.scale)
            return value + int(self.dice.geometric(p) - self.dice.geometric(p))
        k = np.arange(-math.ceil(12 * self.scale), math.ceil(12 * self.scale) + 1)
        weights = np.exp(-0.5 * (k / self.scale) ** 2)
        return value + int(self.dice.choice(k, p=weights / weights.sum()))


class FixedDelta:
    """A Gaussian measurement whose loss is said as epsilon at a delta."""

    def __init__(self, measurement: Measurement, delta: float) -> None:
        self.measurement, self.delta = measurement, delta

    def map(self, distance: float) -> tuple[float, float]:
        return cks_epsilon(self.measurement.map(distance), self.delta), self.delta

    def __call__(self, value: float) -> float:
        return self.measurement(value)


class Measurements:
    """The constructors of measurements."""

    def then_laplace(self, scale: float) -> Measurement:
        return Measurement("laplace", scale)

    def then_gaussian(self, scale: float) -> Measurement:
        return Measurement("gaussian", scale)


class Combinators:
    """The constructors of measurements from others."""

    def make_zCDP_to_approxDP(self, measurement: Measurement) -> Measurement:
        return measurement

    def make_fix_delta(self, measurement: Measurement, delta: float) -> FixedDelta:
        return FixedDelta(measurement, delta)


class OpenDP:
    """What the code uses of OpenDP."""

    m, c = Measurements(), Combinators()

    def enable_features(self, *names: str) -> None:
        assert names == ("contrib",)

    def atom_domain(self, T: object, nan: bool = True) -> str:
        return "i64" if T == "i64" else "float"

    def absolute_distance(self, T: object) -> str:
        return "absolute"


@every_noise
def test_the_code_adds_the_noise_that_the_record_states(noise: Noise) -> None:
    record = recorded(stated(noise))
    added, scale = number(record.decision.planned)
    names: dict[str, Any] = {"dp": OpenDP(), "math": math}
    exec(release_code(record).replace("import opendp.prelude as dp\n", ""), names)
    measurement = names["release_measurement"]()
    drawn = np.array([measurement(TRUE) - TRUE for _ in range(DRAWS)], dtype=float)
    # OpenDP's way to an epsilon asks for up to a fifth more of Gaussian noise than its own curve
    wider = float(drawn.std()) / added.sd(scale)
    assert 0.96 <= wider <= (1.25 if noise.needs_delta else 1.04), f"let its sample's parameters pass noise near {TRUE}"
    assert float(np.abs(drawn).mean()) / float(drawn.std()) == pytest.approx(
        added.mean_absolute(scale) / added.sd(scale), rel=0.03
    )
    assert float((drawn == 0.0).mean()) == pytest.approx(added.exact_mass(scale * wider), abs=0.02)


def test_the_stand_in_certifies_what_gaussian_noise_keeps() -> None:
    epsilon, _ = FixedDelta(Measurement("gaussian", 4.0), 1e-6).map(1.0)
    assert gaussian_delta(0.25, epsilon) <= 1e-6
