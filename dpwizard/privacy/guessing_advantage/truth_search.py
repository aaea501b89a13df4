"""What the truths of a prior can gain: a list of values one by one, and any truth at infinite epsilon."""

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
ROUNDED = 1e-13
EQUAL = 1e-12
TIE = 1e-9  # gains nearer to each other are equal


class SeenPrior:
    """A prior seen from its median, in precisions."""

    def __init__(self, prior: Distribution, precision: float) -> None:
        self.prior, self.precision = prior, precision
        self.origin = decimal(prior.quantile(0.5))
        self.seen = prior.seen_from(self.origin, decimal(precision))

    def value(self, place: float | None) -> float | None:
        """Return the value at a PLACE, within the support; None for none."""
        if place is None:
            return None
        low, high = self.prior.support()
        return min(max(real(self.origin + Fraction(place) * decimal(self.precision)), low), high)

    def worst_of_uniform(self, epsilon: float, direction: Direction) -> float | None:
        """Return the truth at which a uniform prior at least two precisions wide rises most; None else.

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
    """Return a bound on what any truth gains when epsilon is infinite; inf once a truth gains more than ADVANTAGE."""
    u, v = every.intervals()
    settled, open_bound = 0.0, 1.0
    for _ in range(40):
        may_stop()
        bound, shown = every.at_infinity(u, v, direction)
        # chances that differ only by rounding are equal
        goal = advantage * (1.0 + EQUAL) if math.isfinite(advantage) else shown * (1.0 + SLACK) + ROUNDED
        if shown > goal:
            return INF
        unsettled = ~(bound <= goal)
        settled = max(settled, float(np.max(bound[~unsettled], initial=0.0)))
        u, v, open_bound = u[unsettled], v[unsettled], float(np.max(bound[unsettled], initial=0.0))
        if not u.size or u.size > MOST_PROVED_AT_INFINITY:
            break
        middle = halves(u, v)
        u, v = every.kept(np.concatenate([u, middle]), np.concatenate([middle, v]))
    return max(settled, open_bound if u.size else 0.0)


# ---------------------------------------------------------------------------------------------- lists of values


def atoms_chances(atoms: PointMasses, s: float) -> tuple[Floats, Floats, Floats, Floats]:
    """Return of a guess of each value the chances before, of failure before, and after a release of signed loss S.

    The chance after is a bound that no mechanism passes, and what the Laplace mechanism attains; at s = 0 as before.
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
    found = TiltedSums(Cells(places, places, np.log(atoms.shares), flat, flat), s).guesses(i, j)
    after, attained = (np.where(covers, 1.0, each) for each in (found.bound, found.attained))
    return before, outside, after, attained
