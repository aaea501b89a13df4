"""The gain of a guess over the truths of a prior: a list of values one by one, and any truth at infinite epsilon."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from fractions import Fraction

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import halves
from dpwizard.privacy.guessing_advantage.every_truth import EveryTruth
from dpwizard.privacy.guessing_advantage.given_truth import SLACK, Direction
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Cells, Floats, TiltedSums
from dpwizard.privacy.priors import Bins, Distribution, PointMasses

MOST_PROVED_AT_INFINITY = 5_000
ROUNDING_ERROR = 1e-13
EQUAL = 1e-12  # relative: chances nearer to each other are equal
TIE = 1e-9  # gains nearer to each other are equal


class SeenPrior:
    """A prior in precisions from its median."""

    def __init__(self, prior: Distribution, precision: float) -> None:
        self.prior, self.precision = prior, precision
        self.origin = decimal(prior.quantile(0.5))
        self.seen = prior.seen_from(self.origin, decimal(precision))

    def value(self, place: float) -> float:
        """Return the value at PLACE, kept within the support."""
        low, high = self.prior.support()
        return min(max(real(self.origin + Fraction(place) * decimal(self.precision)), low), high)

    def worst_of_uniform(self, epsilon: float, direction: Direction) -> float | None:
        """Return the worst truth for a rise of a uniform prior at least two precisions wide; else None.

        x0 = low + min(max(l, 1), 2) - 1, l = ln(u/(1 - e^-u))/epsilon, u = epsilon times the width.
        """
        seen = self.seen
        width = seen.high - seen.low
        if direction == "drop" or not isinstance(seen, Bins) or not seen.is_uniform or width < 2.0 or epsilon == 0.0:
            return None
        u = epsilon * width
        stretch = math.log(u / -math.expm1(-u)) / epsilon
        return self.value(seen.low + min(max(stretch, 1.0), 2.0) - 1.0)


def largest_at_infinity(every: EveryTruth, direction: Direction, advantage: float = INF) -> float:
    """Return a bound on the gain at any truth when epsilon is infinite; inf if a truth gains more than ADVANTAGE."""
    u, v = every.intervals()
    settled, open_bound = 0.0, 1.0
    for _ in range(40):
        may_stop()
        bound, shown = every.at_infinity(u, v, direction)
        # chances that differ only by rounding are equal
        goal = advantage * (1.0 + EQUAL) if math.isfinite(advantage) else shown * (1.0 + SLACK) + ROUNDING_ERROR
        if shown > goal:
            return INF
        unsettled = ~(bound <= goal)
        settled = max(settled, float(np.max(bound[~unsettled], initial=0.0)))
        u, v, open_bound = u[unsettled], v[unsettled], float(np.max(bound[unsettled], initial=0.0))
        if not u.size or u.size > MOST_PROVED_AT_INFINITY:
            break
        middle = halves(u, v)
        u, v = every.possible_intervals(np.concatenate([u, middle]), np.concatenate([middle, v]))
    return max(settled, open_bound if u.size else 0.0)


# ---------------------------------------------------------------------------------------------- lists of values


def atoms_chances(atoms: PointMasses, s: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return for a guess of each value the chances of success and failure before a release of signed loss S, and after.

    After: a bound for every mechanism, and what the Laplace mechanism attains; at s = 0 the chance before.
    """
    places, exact = atoms.places, atoms.exact_places
    i = np.array([bisect_left(exact, place - 1) for place in exact])
    j = np.array([bisect_right(exact, place + 1) for place in exact])
    covers = (i == 0) & (j == places.size)
    below = np.concatenate([[0.0], np.cumsum(atoms.shares)])
    above = np.concatenate([np.cumsum(atoms.shares[::-1])[::-1], [0.0]])
    before = np.where(covers, 1.0, below[j] - below[i])
    outside = np.where(covers, 0.0, below[i] + above[j])
    if s == 0.0:
        return np.where(covers, 0.0, before), outside, before, before
    flat = np.zeros(places.size)
    windows = TiltedSums(Cells(places, places, np.log(atoms.shares), flat, flat), s).guesses(i, j)
    after, attained = (np.where(covers, 1.0, chance) for chance in (windows.bound, windows.attained))
    return before, outside, after, attained
