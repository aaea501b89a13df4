"""The properties of every mechanism; those that depend on the strength of its noise are functions of its scale.

The noise scale is the common unit of all requirements: 1/rate for geometric noise, b for Laplace, the standard
deviation for Gaussian noise. The public functions that call these check their arguments.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from dpwizard.base.numerics import down, up
from dpwizard.privacy.mechanisms.calibration import Calibration
from dpwizard.privacy.mechanisms.losses import NoiseLoss, StatedNoise
from dpwizard.privacy.mechanisms.source_code import OpenDP, Simulation

Parameters = tuple[tuple[str, int | float | None], ...]  # the parameters of a mechanism by name; None: not stated yet

TINIEST = 5e-324  # the smallest positive scale, if some noise is needed
ULPS = 8  # units in the last place by which a closed form is raised, above its rounding error


@dataclass(frozen=True)
class Mechanism(ABC):
    """One way to publish a number: its fields are its parameters, without the strength of its noise."""

    name: ClassVar[str]  # the key of its texts
    asks: ClassVar[tuple[str, ...]] = ()  # the parameters that a table states, in fields of the same name
    needs_delta: ClassVar[bool] = False  # whether its loss is unbounded, so that its epsilon has a delta
    integer_valued: ClassVar[bool] = False  # whether it is in whole steps: it hides no fraction, and may be exactly 0
    uses_l2: ClassVar[bool] = False  # whether its sensitivity is an L2 distance, else L1
    normal: ClassVar[bool] = False  # whether it is closed under sums, and conjugate to normal priors
    variant: ClassVar[str] = "Custom"  # the name of its guarantee in the public registry of deployments

    def having(self, parameters: Parameters) -> Self:
        """Return this mechanism with PARAMETERS, by name; one that is None, not stated yet, is unchanged."""
        stated = {name: value for name, value in parameters if value is not None}
        return replace(self, **stated) if stated else self

    @property
    def noise(self) -> Noise | None:
        """Return the noise it adds; None if a number is published as it is."""
        return self if isinstance(self, Noise) else None

    @property
    def pure(self) -> PureNoise | None:
        """Return its noise if that is bounded, with an epsilon without a delta."""
        return self if isinstance(self, PureNoise) else None

    @property
    def continuous(self) -> ContinuousNoise | None:
        return self if isinstance(self, ContinuousNoise) else None

    @property
    def whole(self) -> LatticeNoise | None:
        """Return its noise if that is integer-valued."""
        return self if isinstance(self, LatticeNoise) else None

    @property
    def judged(self) -> PointwiseLossNoise | None:
        """Return its noise if its pointwise loss is defined: how often the loss of one output exceeds an epsilon."""
        return self if isinstance(self, PointwiseLossNoise) else None


@dataclass(frozen=True)
class Exact(Mechanism):
    """A number published as it is: no epsilon and no delta."""

    name: ClassVar[str] = "exact"


class Noise(Mechanism):
    """A mechanism that adds noise."""

    rival: ClassVar[str]  # the noise of the other kind on the same numbers: bounded if it is unbounded, and conversely
    opendp: ClassVar[OpenDP]  # OpenDP's measurement
    simulation: ClassVar[Simulation]  # expressions that simulate it

    def calibrated(self, calibration: Calibration) -> Self:
        """Return this noise with its budget in the unit of CALIBRATION; bounded noise ignores it."""
        return self

    def scale(self, epsilon: float, sensitivity: float, delta: float = 0.0) -> float:
        """Return the smallest noise scale that gives EPSILON (and DELTA) at SENSITIVITY.

        Arguments: epsilon in [0, inf]; sensitivity >= 0; delta in [0, 1], used where the mechanism takes one. Returns 0
        for infinite epsilon, inf where no finite noise suffices; the Gaussian one is **never below the true value** and
        at most 1e-12 relative above it, the others are exact to 2 units in the last place.
        """
        if math.isinf(epsilon) or sensitivity == 0.0:
            return 0.0
        return self._scale(epsilon, sensitivity, delta)

    def epsilon(self, scale: float, sensitivity: float, delta: float = 0.0) -> float:
        """Return the smallest epsilon that noise of SCALE gives at SENSITIVITY (and DELTA); the inverse of `scale`.

        Arguments: as for scale; scale in [0, inf]. Returns epsilon in [0, inf]; the Gaussian one is **never below the
        true value** and at most 1e-12 (absolute or relative) above it.
        """
        if sensitivity == 0.0 or math.isinf(scale):
            return 0.0
        return math.inf if scale == 0.0 else self._epsilon(scale, sensitivity, delta)

    @abstractmethod
    def _scale(self, epsilon: float, sensitivity: float, delta: float) -> float: ...

    @abstractmethod
    def _epsilon(self, scale: float, sensitivity: float, delta: float) -> float: ...

    @abstractmethod
    def sd(self, scale: float) -> float:
        """Return the standard deviation of noise of SCALE (0 to inf), to 1e-15 relative."""

    @abstractmethod
    def mean_absolute(self, scale: float) -> float:
        """Return the mean absolute value of noise of SCALE (0 to inf), to 1e-15 relative."""

    def exact_mass(self, scale: float) -> float:
        """Return the probability that noise of SCALE is exactly 0."""
        return 1.0 if scale == 0.0 else 0.0

    @abstractmethod
    def height(self, scale: float, x: float) -> float:
        """Return the density of noise of SCALE in (0, inf) at X, or the mass of integer-valued noise."""

    @abstractmethod
    def log_tail(self, scale: float, x: float) -> float:
        """Return log P(noise <= x) for x < 0, else log P(noise > x), to 1e-15 relative; SCALE in (0, inf)."""

    def cdf(self, scale: float, x: float) -> float:
        """Return P(noise <= x) for SCALE in [0, inf]: 1/2 for unbounded noise, a step at 0 for none."""
        if math.isinf(scale):
            return 0.5
        if scale == 0.0:
            return 1.0 if x >= 0.0 else 0.0
        tail = math.exp(self.log_tail(scale, x))
        return tail if x < 0.0 else 1.0 - tail

    def within(self, scale: float, half_width: float) -> float:
        """Return P(|noise| <= HALF_WIDTH) for SCALE in (0, inf)."""
        return 1.0 - 2.0 * math.exp(self.log_tail(scale, half_width))

    @abstractmethod
    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        """Return the smallest half-width that holds LEVEL in (0, 1), of EPSILON at SENSITIVITY, and its coverage."""

    def parameters(self, scale: float) -> Mapping[str, float]:
        """Return further parameters that describe noise of SCALE."""
        return {}

    def epsilon_for_scale(self, scale: float, sensitivity: float, delta: float) -> float:
        """Return the smallest epsilon whose noise is no larger than SCALE in [0, inf]."""
        return up(self.epsilon(scale * (1.0 - 1e-15), sensitivity, delta), ULPS)


class LatticeNoise(Noise):
    """Integer-valued noise: it hides no fraction, and may be exactly 0."""

    integer_valued: ClassVar[bool] = True


class PointwiseLossNoise(Noise):
    """Noise with a pointwise loss: the loss of one output, whatever other outputs would reveal."""

    # no noise and infinite noise, in the mechanism's own parameter: a rate or a scale
    loss_ends: ClassVar[tuple[float, float]] = (0.0, math.inf)
    statement: ClassVar[type[StatedNoise]]  # its argument type in the public functions on one output

    @abstractmethod
    def stated(self, scale: float, sensitivity: float) -> StatedNoise:
        """Return the noise of SCALE in (0, inf) as an argument of the public functions on one output."""

    @abstractmethod
    def loss(self, shift: float, steps: float = 1) -> NoiseLoss:
        """Return the loss distribution of a full SHIFT.

        Arguments: shift, in [0, inf), as its largest loss if it is bounded, else in standard deviations; steps, the
        number of steps of the shift, for integer-valued noise.
        """

    @abstractmethod
    def least(self, sensitivity: float, epsilon: float, delta: float) -> float:
        """Return the least noise, in its own parameter, with P(loss > EPSILON) <= DELTA; never below the true one."""

    def as_scale(self, budget: float) -> float:
        """Return the scale of the noise whose own parameter is BUDGET."""
        return budget

    def largest_epsilon(self, scale: float, sensitivity: float, delta: float) -> float:
        """Return the largest epsilon whose noise at SENSITIVITY is at least SCALE, in its own parameter."""
        return down(sensitivity / scale, 2)


class ContinuousNoise(PointwiseLossNoise):
    """Noise with a density: that of scale 1, rescaled."""

    @abstractmethod
    def sum_tail(self, cells: Mapping[float, int], distance: float) -> float:
        """Return P(sum > DISTANCE >= 0) of CELLS, numbers by scale; raises InvalidInput without a closed form."""

    @abstractmethod
    def sum_mean_absolute(self, cells: Mapping[float, int]) -> float:
        """Return E |sum| of CELLS, numbers by scale; raises InvalidInput without a closed form."""

    @abstractmethod
    def standard_half_width(self, level: float) -> float:
        """Return h with P(|noise| <= h) = LEVEL in (0, 1) for noise of scale 1, to 1e-15 relative."""

    @abstractmethod
    def shift_within(self, epsilon: float, delta: float) -> float:
        """Return the largest shift, in scales of the noise, with P(loss > EPSILON) <= DELTA in [0, 1)."""

    def half_width(self, scale: float, epsilon: float, sensitivity: float, level: float) -> tuple[float, float]:
        return scale * self.standard_half_width(level), level

    def least(self, sensitivity: float, epsilon: float, delta: float) -> float:
        if sensitivity == 0.0 or math.isinf(epsilon) or delta == 1.0:
            return 0.0
        shift = self.shift_within(epsilon, delta)
        return math.inf if shift == 0.0 else max(TINIEST, up(sensitivity / shift))


class PureNoise(Noise):
    """Noise with a largest loss: its epsilon needs no delta, and its scale is sensitivity/epsilon."""

    variant: ClassVar[str] = "Pure DP"

    def _scale(self, epsilon: float, sensitivity: float, delta: float) -> float:
        return math.inf if epsilon == 0.0 else sensitivity / epsilon

    def _epsilon(self, scale: float, sensitivity: float, delta: float) -> float:
        return sensitivity / scale

    def steps(self, sensitivity: float) -> int:
        """Return the steps of the full shift, 1 if continuous; raises InvalidInput if SENSITIVITY must be whole."""
        return 1


@dataclass(frozen=True)
class CalibratedNoise(Noise):
    """Noise without a largest loss: its scale is sigma, and mu = sensitivity/sigma."""

    needs_delta: ClassVar[bool] = True
    uses_l2: ClassVar[bool] = True
    variant: ClassVar[str] = "Approximate DP"

    calibration: Calibration

    def calibrated(self, calibration: Calibration) -> Self:
        return replace(self, calibration=calibration)

    def _scale(self, epsilon: float, sensitivity: float, delta: float) -> float:
        mu = self.calibration.mu(epsilon, delta)
        return math.inf if mu == 0.0 else up(sensitivity / mu)

    def _epsilon(self, scale: float, sensitivity: float, delta: float) -> float:
        return self.calibration.epsilon(up(sensitivity / scale), delta)

    def largest_epsilon(self, scale: float, sensitivity: float, delta: float) -> float:
        largest = self.calibration.largest_epsilon(down(sensitivity / scale), delta)
        return largest or 0.0  # None: delta alone is enough
