"""The mean success probability of the best guess under Gaussian noise, over the adversary's prior.

The adversary knows all other records and observes the value with normal noise. A guess is right within a precision r of
it. Proofs: docs/methods/programmes.md, Expected guess. It is an average over a population, and no bound for one person,
such as one with an extreme value. The gain over the probability before is computed directly: as a difference of two
probabilities a small gain would lose its digits.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, real, smallest
from dpwizard.base.values import NonNegative, OpenProbability, Value, field, public
from dpwizard.privacy.guessing_advantage.arguments import sheltered
from dpwizard.privacy.guessing_advantage.best_windows import GAIN_ERROR, GuessedAtoms
from dpwizard.privacy.priors import Discrete, Normal, Prior, Uniform, answered, known
from dpwizard.privacy.quadrature import continuous_rule

ROOT_TWO = math.sqrt(2.0)
CHANCE_ERROR = 1e-15  # relative error of a probability
SEARCH_ERROR = 1e-13  # relative error of the least noise
FARTHEST = 1e150  # standard deviations; larger distances count as this


class ExpectedSuccess(Value):
    """The chance of a correct guess before and after a release."""

    before: float = field("Before", default=...)
    after: float = field("After", default=...)


@public
@sheltered
def expected(*, prior: Prior, precision: NonNegative, noise: NonNegative) -> ExpectedSuccess:
    """Return the mean success probability of the best guess before and after a release with Gaussian noise.

    Arguments: prior, of the families uniform, normal and discrete; precision r >= 0, the largest error of a right one;
    noise, the standard deviation of the noise in the value's own units. Returns chances, to 1e-13 relative; for a
    discrete prior the windows of length 2 r are closed and read as decimals. Processing the release, or knowing less,
    only lowers `after`. Raises InvalidInput. Source: docs/methods/programmes.md, Expected guess.
    """
    guess = _best_guess(prior, precision)
    gained = guess.gain(noise) if noise else guess.rest
    return ExpectedSuccess(before=guess.before, after=min(1.0, guess.before + gained))


@public
@sheltered
def noise_for_expected(*, prior: Prior, precision: NonNegative, gain: OpenProbability) -> float:
    """Return the smallest noise with which the chance of the best guess rises by at most GAIN, on average.

    Arguments: prior and precision as for expected; gain in (0, 1). Returns the standard deviation in the value's own
    units, **never below the true one** and within 1e-12 relative of it (discrete: 1e-12 over the gain), unless the
    gain is within a thousandth of that of an exact figure; 0 if no noise is needed. At precision 0 a continuous
    prior needs the smallest possible noise alone. Raises InvalidInput.
    Source: docs/methods/programmes.md, Expected guess.
    """
    guess = _best_guess(prior, precision)
    if decimal(gain) >= guess.exact_rest:
        return 0.0
    error = GAIN_ERROR if isinstance(guess, GuessedAtoms) else 2.0 * CHANCE_ERROR * gain

    def keeps_gain(noise: float) -> bool:
        return guess.gain(noise) + error <= gain

    # the gain is at most that of two outputs at a distance of 2 r, or of the widest two values: 2 Phi(reach/s) - 1
    enough = max(1.01 * math.sqrt(2.0 / math.pi) * guess.reach / gain, sys.float_info.min)
    return smallest(keeps_gain, sys.float_info.min, min(enough, sys.float_info.max), SEARCH_ERROR)


class _UniformGuess:
    """A uniform prior: gain (1 - b)(2 Phi(r/s) - 1), b = 2 r/L; the effects of the two ends add up to b."""

    def __init__(self, prior: Uniform, precision: float) -> None:
        low, high = decimal(known(prior.low)), decimal(known(prior.high))
        self.reach = precision
        covered = min(2 * decimal(precision), high - low)
        self.exact_rest = 1 - covered / (high - low)
        self.before, self.rest = float(1 - self.exact_rest), real(self.exact_rest)

    def gain(self, noise: float) -> float:
        return self.rest * math.erf(self.reach / noise / ROOT_TWO)


class _NormalGuess:
    """A normal prior with standard deviation tau: gain P(y < |G| <= y'), y = r/tau and y'^2 = y^2 + (r/s)^2."""

    def __init__(self, prior: Normal, precision: float) -> None:
        self.reach, self._start = precision, precision / known(prior.sd)
        self.before, self.rest = math.erf(self._start / ROOT_TWO), math.erfc(self._start / ROOT_TWO)
        self.exact_rest = Fraction(self.rest * (1.0 + CHANCE_ERROR))

    def gain(self, noise: float) -> float:
        ratio = min(self.reach / noise, FARTHEST)
        far = math.hypot(self._start, ratio)
        return _mass_between(self._start, ratio * (ratio / (far + self._start))) if ratio else 0.0


def _best_guess(prior: Prior, precision: float) -> _UniformGuess | _NormalGuess | GuessedAtoms:
    answered(prior)
    if isinstance(prior, Uniform):
        return _UniformGuess(prior, precision)
    if isinstance(prior, Normal):
        return _NormalGuess(prior, precision)
    if isinstance(prior, Discrete):
        return GuessedAtoms(prior, precision)
    raise InvalidInput(
        "must be uniform, normal or discrete; found {family}",
        "prior.family",
        "Use one of these, for instance a list of values with their probabilities.",
        family=prior.family,
    )


def _normal_density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


def _mass_between(start: float, step: float) -> float:
    """Return P(START < |G| <= START + STEP), both at least 0, to CHANCE_ERROR relative however small the step."""
    if step * (start + 0.5 * step) > 1.0:
        return math.erfc(start / ROOT_TWO) - math.erfc((start + step) / ROOT_TWO)
    rule = continuous_rule()
    shape = math.fsum(weight * math.exp(-step * node * (start + 0.5 * step * node)) for node, weight in rule)
    return 2.0 * _normal_density(start) * step * shape
