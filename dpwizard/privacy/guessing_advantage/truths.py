"""The truths that an attribute may have, and what is proved of guessing each: all that a search over truths asks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.guessing_advantage.given_truth import LARGEST_LOSS, Direction, GivenTruth
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, Cells, Floats, TiltedSums
from dpwizard.privacy.priors import Atoms


class Bounds(NamedTuple):
    """What guesses can change by. In each column, the change of one row is at least that of any truth it stands for."""

    before: Floats  # chances, of shape (rows, columns)
    after: Floats
    more: Floats  # what moving edges may add to the change


class Shown(NamedTuple):
    """Truths that were looked at: the chance of each before a release, and after the Laplace mechanism's worst
    output."""

    truths: Floats  # places
    before: Floats
    after: Floats


class Truths(ABC):
    """The truths of one attribute, in precisions. BOUNDS and SHOWN speak of the loss that `begin` was given last."""

    bounds: Bounds
    shown: Shown
    sometimes_certain: bool  # whether some truth's guess covers the support
    always_certain: bool

    @abstractmethod
    def begin(self, s: float) -> None:
        """Bound all truths at the signed loss S."""

    def look(self, s: float) -> None:
        """Look at the first truths at the signed loss S, without a bound on the others."""
        self.begin(s)

    def split(self, chosen: NDArray[np.bool_]) -> bool:
        """Bound the truths of the CHOSEN columns more closely; tell whether that could be done."""
        return False

    @abstractmethod
    def largest_at_infinity(self, direction: Direction, stop_above: float = INF) -> float:
        """Return a bound on what a guess gains at infinite epsilon; INF once a truth gains more than STOP_ABOVE.

        A rise gains 1 - p, a drop p, and a guess that covers the support nothing.
        """


class ListedTruths(Truths):
    """Every value of a list, each looked at: exact to rounding, and never too small a change."""

    def __init__(self, atoms: Atoms) -> None:
        self._places, exact = atoms.places, atoms.exact_places
        self._first = np.array([bisect_left(exact, place - 1) for place in exact])
        self._after_last = np.array([bisect_right(exact, place + 1) for place in exact])
        self._covers = (self._first == 0) & (self._after_last == len(exact))
        self.sometimes_certain, self.always_certain = bool(self._covers.any()), bool(self._covers.all())
        total = np.concatenate([[0.0], np.cumsum(atoms.shares)])
        self._before = total[self._after_last] - total[self._first]
        flat = np.zeros(self._places.size)
        self._cells = Cells(self._places, self._places, np.log(atoms.shares), flat, flat)

    def begin(self, s: float) -> None:
        if abs(s) >= LARGEST_LOSS:
            after = np.full(self._places.size, 1.0 if s > 0.0 else 0.0)
        else:
            after = TiltedSums(self._cells, s).guesses(self._first, self._after_last).bound
        after = np.maximum(after, self._before) if s > 0.0 else np.minimum(after, self._before)
        after = np.where(self._covers, self._before, after)
        self.bounds = Bounds(self._before[None], after[None], np.zeros((1, after.size)))
        self.shown = Shown(self._places, self._before, after)

    def largest_at_infinity(self, direction: Direction, stop_above: float = INF) -> float:
        gains = 1.0 - self._before if direction == "rise" else self._before
        return float(np.max(np.where(self._covers, 0.0, gains)))


class OneTruth(Truths):
    """A truth that is given."""

    def __init__(self, guess: GivenTruth) -> None:
        self._guess = guess
        self.sometimes_certain = self.always_certain = guess.certain

    def begin(self, s: float) -> None:
        self._guess.refine(abs(s), "rise" if s > 0.0 else "drop")
        self.look(s)

    def look(self, s: float) -> None:
        bound, attained = self._guess.posterior(abs(s), "rise" if s > 0.0 else "drop")
        before = np.array([self._guess.inside])
        self.bounds = Bounds(before[None], np.array([[bound]]), np.zeros((1, 1)))
        self.shown = Shown(np.zeros(1), before, np.array([attained]))

    def largest_at_infinity(self, direction: Direction, stop_above: float = INF) -> float:
        if self.always_certain:
            return 0.0
        return self._guess.outside if direction == "rise" else self._guess.inside
