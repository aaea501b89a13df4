"""The true values of one attribute: bounds on the gain at each of a list, or over intervals that can be halved."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import halves
from dpwizard.privacy.guessing_advantage.every_truth import Candidate, EveryTruth, TriedTruths
from dpwizard.privacy.guessing_advantage.given_truth import Direction, GivenTruth, signed
from dpwizard.privacy.guessing_advantage.tilted_sums import Cells, Floats, Indices, TiltedSums
from dpwizard.privacy.priors import Distribution, PointMasses, Uniform

Chances = tuple[Floats, Floats, Floats]

MOST_EDGES = 8_000
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


class ShownChances(NamedTuple):
    """Positions of true values tried (NaN: a limit), the probability before, and that of a mechanism after."""

    truths: Floats
    before: Floats
    after: Floats


class TruthBounds(NamedTuple):
    """Candidates, one of which bounds each true value, the interval of each, and the attained values."""

    candidate: Candidate
    owner: Indices
    shown: ShownChances
    outputs: Floats  # the outputs of the mechanism that attains it


class ListedTruths:
    """An attribute whose true values are tried one by one: the given one, or every value of a list.

    Arguments: places of the true values; chances, which returns for a signed loss the result of `atoms_chances`.
    """

    def __init__(self, places: Floats, chances: Callable[[float], Chances]) -> None:
        self._places, self._chances = places, chances

    def shown(self, epsilon: float, direction: Direction) -> ShownChances:
        return self.bounds(epsilon, direction).shown

    def bounds(self, epsilon: float, direction: Direction) -> TruthBounds:
        """Return bounds for every mechanism, and the values that the Laplace mechanism attains."""
        before, after, attained = self._chances(signed(epsilon, direction))
        zeros = np.zeros(before.size)
        shown = ShownChances(self._places, before, attained)
        return TruthBounds(Candidate(before, after, zeros), np.zeros(before.size, dtype=np.intp), shown, zeros)

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        return False

    def forget_fine_cuts(self) -> None:
        pass


# ---------------------------------------------------------------------------------------------- intervals of truths


class TruthIntervals:
    """An attribute whose true values are bounded by intervals, which can be halved."""

    def __init__(self, every: EveryTruth) -> None:
        self._every = every
        self._intervals = every.intervals()

    def shown(self, epsilon: float, direction: Direction) -> ShownChances:
        return self.bounds(epsilon, direction).shown

    def _chances_at(self, tried: TriedTruths, s: float) -> ShownChances:
        """Return the attained values at the true values tried, and their limit far out on a tail."""
        if math.isfinite(self._every.density.high - self._every.density.low):
            truths, before, gains = tried.truths, tried.before, tried.gains
        else:
            truths, before = np.append(tried.truths, np.nan), np.append(tried.before, 0.0)
            gains = np.append(tried.gains, self._every.far_gain(s))
        return ShownChances(truths, before, before + gains if s > 0.0 else before - gains)

    def bounds(self, epsilon: float, direction: Direction) -> TruthBounds:
        """Return bounds on all true values, by intervals, and the attained values at their ends."""
        may_stop()
        s, (u, v) = signed(epsilon, direction), self._intervals
        if math.isinf(s):
            candidates, tried = self._every.candidates_at_infinity(u, v, s)
        else:
            candidates, tried = self._every.candidates(self._every.cut.sums(s), u, v)
        candidate = Candidate(*(np.concatenate(parts) for parts in zip(*candidates, strict=True)))
        at_ends = np.searchsorted(tried.truths, np.where(np.isfinite(u), u, v))
        outputs = tried.outputs[np.clip(at_ends, 0, tried.outputs.size - 1)]
        return TruthBounds(candidate, np.tile(np.arange(u.size), len(candidates)), self._chances_at(tried, s), outputs)

    def forget_fine_cuts(self) -> None:
        """Start again if other epsilons have divided the prior into too many cells."""
        if self._every.cut.edges.size > MOST_EDGES:
            self._every = EveryTruth(self._every.density)
            self._intervals = self._every.intervals()

    def halve(self, chosen: Indices, outputs: Floats) -> bool:
        """Halve the CHOSEN intervals and the prior there and at OUTPUTS; return whether any could be halved."""
        u, v = self._intervals
        middle = halves(u[chosen], v[chosen])
        fine = (middle > u[chosen]) & (middle < v[chosen])
        chosen, middle = chosen[fine], middle[fine]
        if not chosen.size or self._every.cut.full:
            return False
        self._every.cut.add(np.concatenate([middle - 1.0, middle, middle + 1.0, outputs[chosen]]))
        rest = np.ones(u.size, dtype=bool)
        rest[chosen] = False
        self._intervals = self._every.possible_intervals(
            np.concatenate([u[rest], u[chosen], middle]), np.concatenate([v[rest], middle, v[chosen]])
        )
        return True
