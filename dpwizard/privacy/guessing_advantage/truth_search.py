"""The prior of one attribute as a search sees it, and bounds on the gain at each true value of a list."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, TriedTruths, TruthBounds
from dpwizard.privacy.guessing_advantage.given_truth import Direction, GivenTruth, signed
from dpwizard.privacy.guessing_advantage.tilted_sums import Cells, Floats, Indices, TiltedSums
from dpwizard.privacy.priors import Distribution, PointMasses, Uniform

Chances = tuple[Floats, Floats, Floats]

EQUAL = 1e-12  # relative: probabilities with a smaller difference are equal
TIE = 1e-9  # gains with a smaller difference are equal


class SeenPrior:
    """A prior in precisions from its median."""

    def __init__(self, prior: Distribution, precision: float) -> None:
        self.prior, self.precision = prior, precision
        self.origin = decimal(prior.quantile(0.5))
        self.seen = prior.seen_from(self.origin, decimal(precision))

    def value(self, place: float) -> float:
        low, high = self.prior.support()
        return min(max(real(self.origin + Fraction(place) * decimal(self.precision)), low), high)

    def worst_of_uniform(self, epsilon: float, direction: Direction) -> float | None:
        """Return the worst true value for a rise with a uniform prior at least two precisions wide; else None.

        x0 = low + min(max(l, 1), 2) - 1, l = ln(u/(1 - e^-u))/epsilon, u = epsilon times the width.
        """
        width = self.seen.high - self.seen.low
        if direction == "drop" or not isinstance(self.prior, Uniform) or width < 2.0 or epsilon == 0.0:
            return None
        u = epsilon * width
        stretch = math.log(u / -math.expm1(-u)) / epsilon
        return self.value(self.seen.low + min(max(stretch, 1.0), 2.0) - 1.0)


# ---------------------------------------------------------------------------------------------- lists of values


def atoms_chances(atoms: PointMasses, s: float) -> Chances:
    """Return for a guess of each value the chance of success before a release of signed loss S, and after.

    After: a bound for every mechanism, and what the Laplace mechanism attains.
    """
    places, exact = atoms.places, atoms.exact_places
    i = np.array([bisect_left(exact, place - 1) for place in exact])
    j = np.array([bisect_right(exact, place + 1) for place in exact])
    covers = (i == 0) & (j == places.size)
    below = np.concatenate([[0.0], np.cumsum(atoms.shares)])
    before = np.where(covers, 1.0, below[j] - below[i])
    if math.isinf(s):
        revealed = np.where(covers | (s > 0.0), 1.0, 0.0)
        return before, revealed, revealed
    flat = np.zeros(places.size)
    windows = TiltedSums(Cells(places, places, np.log(atoms.shares), flat, flat), s).guesses(i, j)
    after, attained = (np.where(covers, 1.0, chance) for chance in (windows.bound, windows.attained))
    return before, after, attained


def given_chances(guess: GivenTruth, s: float) -> Chances:
    """Return the result of `atoms_chances` for one guess with a given true value."""
    posterior = guess.posterior(abs(s), "rise" if s > 0.0 else "drop")
    before, after, attained = (np.array([chance]) for chance in (guess.inside, *posterior))
    return before, after, attained


class ListedTruths:
    """An attribute whose true values are tried one by one: the given one, or every value of a list.

    Arguments: places of the true values; chances, which returns for a signed loss the result of `atoms_chances`.
    """

    def __init__(self, places: Floats, chances: Callable[[float], Chances]) -> None:
        self._places, self._chances = places, chances

    def bounds(self, epsilon: float, direction: Direction) -> TruthBounds:
        """Return bounds for every mechanism, and the values that the Laplace mechanism attains."""
        before, after, attained = self._chances(signed(epsilon, direction))
        zeros = np.zeros(before.size)
        tried = TriedTruths(self._places, before, attained)
        return TruthBounds(Candidate(before, after, zeros), np.zeros(before.size, dtype=np.intp), tried, zeros)

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        return False

    def forget_fine_cuts(self) -> None:
        pass
