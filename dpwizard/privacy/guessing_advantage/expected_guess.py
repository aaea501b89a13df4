"""How often the best guess is right under Gaussian noise, on average over what the intruder holds possible.

The intruder knows all other records and sees the value with normal noise. A guess is right within a precision r of it.
Proofs: docs/methods/programmes.md, Expected guess. It is an average over a population; of one victim, at an end of
what is held possible for instance, it says nothing. What a release gains over the chance before is reckoned as such:
as a difference of two chances a small gain would have no digits left.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, real, up
from dpwizard.base.values import NonNegative, OpenProbability, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import sheltered
from dpwizard.privacy.guessing_advantage.best_windows import GuessedAtoms
from dpwizard.privacy.priors import Normal, Prior, Uniform, answered, known
from dpwizard.privacy.quadrature import continuous_rule

ROOT_TWO = math.sqrt(2.0)
DOUBT = 1e-15  # how far off a chance formed here may be, relative


class ExpectedSuccess(Value):
    """The chance of a right guess before and after a release."""

    before: float = field("Before", default=...)
    after: float = field("After", default=...)


@public
@sheltered
def expected(*, prior: Prior, precision: NonNegative, noise: NonNegative) -> ExpectedSuccess:
    """Return how often the best guess is right before and after a release with Gaussian noise, on average.

    Arguments: prior, of the families uniform, normal and discrete; precision r >= 0, how far off a right guess may be;
    noise, the standard deviation of the noise in the value's own units. Returns chances, to 1e-13 relative; of a
    discrete prior the windows of length 2 r are closed and read as decimals. Processing what is released, or knowing
    less, only lowers `after`. Raises InvalidInput. Source: docs/methods/programmes.md, Expected guess.
    """
    guess = _guess(prior, precision)
    gained = guess.gain(noise) if noise else guess.rest
    return ExpectedSuccess(before=guess.before, after=min(1.0, guess.before + gained))


@public
@sheltered
def noise_for_expected(*, prior: Prior, precision: NonNegative, gain: OpenProbability) -> float:
    """Return the smallest noise with which the best guess is right at most GAIN oftener than before, on average.

    Arguments: prior and precision as for expected; gain in (0, 1). Returns the standard deviation in the value's own
    units, **never below the true need** and within 1e-12 relative of it (discrete: 1e-12 over the gain), but where the
    gain is within a thousandth of what an exact figure would give; 0 where no noise is needed. An exact value is never
    guessed from noise at all: at precision 0 a continuous prior needs the smallest there is. Raises InvalidInput.
    Source: docs/methods/programmes.md, Expected guess.
    """
    return _guess(prior, precision).noise_for(gain)


class _Guess(Protocol):
    """The best guess of somebody: how often it is right before a release, and what is left to gain."""

    @property
    def before(self) -> float: ...

    @property
    def rest(self) -> float: ...

    def gain(self, noise: float) -> float:
        """Return how much oftener it is right after a release with noise."""
        ...

    def noise_for(self, gain: float) -> float:
        """Return the least noise, rounded up, with which it gains no more."""
        ...


class _OfUniform:
    """A value anywhere between two ends: gain (1 - b)(2 Phi(r/s) - 1), b = 2 r/L; the two end effects come to b."""

    def __init__(self, prior: Uniform, precision: float) -> None:
        low, high = decimal(known(prior.low)), decimal(known(prior.high))
        self.precision = precision
        held = min(2 * decimal(precision), high - low)
        self._missed = 1 - held / (high - low)
        self.before, self.rest = float(1 - self._missed), real(self._missed)

    def gain(self, noise: float) -> float:
        return self.rest * math.erf(self.precision / noise / ROOT_TWO)

    def noise_for(self, gain: float) -> float:
        exact_gain = decimal(gain)
        if exact_gain >= self._missed:
            return 0.0
        return _least(self.precision, _within(float(exact_gain / self._missed), float(1 - exact_gain / self._missed)))


class _OfNormal:
    """A normal value of standard deviation tau: gain P(y < |G| <= y'), y = r/tau and y'^2 = y^2 + (r/s)^2."""

    def __init__(self, prior: Normal, precision: float) -> None:
        self.precision, self._start = precision, precision / known(prior.sd)
        self.before, self.rest = math.erf(self._start / ROOT_TWO), math.erfc(self._start / ROOT_TWO)

    def gain(self, noise: float) -> float:
        ratio = self.precision / noise
        far = math.hypot(self._start, ratio)
        return _between(self._start, ratio * (ratio / (far + self._start))) if ratio else 0.0

    def noise_for(self, gain: float) -> float:
        if gain >= self.rest * (1.0 + DOUBT):
            return 0.0
        if gain > 0.999 * self.rest:
            missed = min(self.rest - gain + DOUBT * self.rest, self.rest)
            far = _within(1.0 - missed, missed)
            return _least(self.precision, math.sqrt((far - self._start) * (far + self._start)))
        step = gain / (2.0 * _density(self._start))
        for _ in range(50):  # Newton's method from below: the mass of a longer stretch grows ever more slowly
            further = (gain - _between(self._start, step)) / (2.0 * _density(self._start + step))
            step += further
            if further <= 1e-15 * step:
                break
        return _least(self.precision, math.sqrt(step) * math.sqrt(2.0 * self._start + step))


KINDS: Mapping[str, Callable[[Any, float], _Guess]] = {
    "uniform": _OfUniform,
    "normal": _OfNormal,
    "discrete": GuessedAtoms,
}


def _guess(prior: Prior, precision: float) -> _Guess:
    """Return the best guess of a value of which PRIOR is held, within PRECISION."""
    answered(prior)
    if prior.family not in KINDS:
        raise InvalidInput(
            "must be uniform, normal or discrete; found {family}",
            "prior.family",
            "Describe the belief by one of these, for instance as a list of values with their probabilities.",
            family=prior.family,
        )
    return KINDS[prior.family](prior, precision)


def _least(precision: float, ratio: float) -> float:
    """Return the noise of which a precision is so many standard deviations: rounded up, and never none."""
    return max(up(precision / ratio * (1.0 + 1e-13), 4), sys.float_info.min)


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def _within(share: float, rest: float) -> float:
    """Return x with P(|G| <= x) = SHARE, REST being what is missing to 1."""
    from scipy.special import erfinv, ndtri  # 0.1 s to import: only when it is needed

    return ROOT_TWO * float(erfinv(share)) if share < 0.5 else -float(ndtri(0.5 * rest))


def _between(start: float, step: float) -> float:
    """Return P(START < |G| <= START + STEP), both at least 0, to DOUBT relative however small the step."""
    if step * (start + 0.5 * step) > 1.0:
        return math.erfc(start / ROOT_TWO) - math.erfc((start + step) / ROOT_TWO)
    rule = continuous_rule()
    shape = math.fsum(weight * math.exp(-step * node * (start + 0.5 * step * node)) for node, weight in rule)
    return 2.0 * _density(start) * step * shape
