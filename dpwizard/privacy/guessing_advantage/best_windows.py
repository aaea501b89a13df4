"""The best guess of a value out of a list, of which normal noise is seen: the heaviest window of length 2 r.

A window is a run of values that one guess is right of. Of two windows, the values in the left one alone lie left of
those in the right one alone, so the ratio of what speaks for the right one to what speaks for the left one rises with
the output, and they change places once. From left to right the best windows therefore follow one another, and a window
that its right neighbour overtakes before it has overtaken its left one is never the best.

The best guess is right with the sum, over the windows that are ever the best, of the masses of their values times the
chance that the output falls between their two changes. An error in a change counts by its square, as the two are level
there. Proof: docs/methods/programmes.md, Expected guess.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import decimal, largest_within, up
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.priors import Discrete

Array = NDArray[np.float64]
Spans = NDArray[np.intp]

APART = 90.0  # standard deviations between neighbours at which no two values are mistaken for each other
LONGEST = 1e100  # distances in standard deviations beyond it are as good as it
LEVEL = 1e-10  # how near a change is found, in standard deviations
ROUNDED = 1e-13  # how far off a gain may be


class GuessedAtoms:
    """Values with their masses, and what guesses within a precision are right of."""

    def __init__(self, prior: Discrete, precision: float) -> None:
        from scipy.special import ndtr  # 0.1 s to import: only when it is needed

        seen = prior.seen_from(Fraction(0), Fraction(1))
        points, masses = seen.exact_places, seen.exact_shares
        self._ndtr = ndtr
        self._at = np.array([float(point - points[0]) for point in points])
        self._mass = np.array([float(mass) for mass in masses])
        self._spans = _windows(points, precision)
        sums = [Fraction(0), *accumulate(masses)]
        best = max(sums[b] - sums[a] for a, b in self._spans.tolist())
        self._missed = 1 - best
        self._nearest = float(np.min(np.diff(self._at), initial=math.inf))
        self.before, self.rest = float(best), float(self._missed)

    def gain(self, noise: float) -> float:
        """Return how much oftener the best guess is right after a release with NOISE; to ROUNDED."""
        if len(self._spans) == 1:
            return 0.0
        if self._nearest > APART * noise:
            return self.rest
        kept, changes = self._envelope(noise)
        may_stop()
        ends = np.concatenate([[-math.inf], changes, [math.inf]])
        which, owner, _ = _runs(self._spans[kept])
        below, upto = ((ends[owner + end] - self._at[which]) / noise for end in (0, 1))
        after = float(self._mass[which] @ (self._ndtr(upto) - self._ndtr(below)))
        return min(max(after - self.before, 0.0), self.rest)

    def noise_for(self, gain: float) -> float:
        """Return the least noise with which the best guess gains no more than GAIN, rounded up."""
        if decimal(gain) >= self._missed:
            return 0.0
        # no two laws of the output differ by more than the farthest two, and no more is gained: 2 Phi(span/(2 s)) - 1
        span = float(self._at[-1])
        clear = 0.99 * math.sqrt(2.0 * math.pi) * gain / span
        target = math.log(gain)

        def told(clarity: float) -> float:
            return math.log(self.gain(1.0 / clarity) + ROUNDED)

        return up(1.0 / largest_within(told, target, clear, 4.0 * clear, 1e-12), 2)

    # ------------------------------------------------------------------------------------ which window, and where

    def _envelope(self, noise: float) -> tuple[Spans, Array]:
        """Return the windows that are the best somewhere, from left to right, and the outputs where they change."""
        kept = np.arange(len(self._spans))
        while True:
            changes = self._changes(kept, noise)
            never = np.zeros(kept.size, dtype=bool)
            never[1:-1] = changes[:-1] >= changes[1:]
            if not never.any():
                return kept, changes
            kept = kept[~never]

    def _changes(self, kept: Spans, noise: float) -> Array:
        """Return the outputs at which each of the KEPT windows is overtaken by the next."""
        middles, leaving, taking = self._sides(kept)
        left, right = _Side(self, leaving, middles, noise), _Side(self, taking, middles, noise)
        found = np.zeros(middles.size)
        first, slope = right.log(found)[0] - left.log(found)[0], right.nearest - left.nearest
        reach = np.abs(first) / slope  # the slope is nowhere less
        low, high = np.where(first > 0.0, -reach, 0.0), np.where(first > 0.0, 0.0, reach)
        for _ in range(200):
            (one, far), (other, near) = right.log(found), left.log(found)
            ahead, rate = one - other, far - near
            low, high = np.where(ahead <= 0.0, found, low), np.where(ahead >= 0.0, found, high)
            after = found - ahead / rate
            after = np.where((after > low) & (after < high), after, low + 0.5 * (high - low))
            moved = np.abs(after - found)
            found = after
            if np.all(moved <= LEVEL * np.maximum(1.0, np.abs(found) * 1e-3)):
                break
        return np.asarray(middles + noise * found)

    def _sides(self, kept: Spans) -> tuple[Array, Spans, Spans]:
        """Return the middles of the changes, and which values each change leaves and takes on."""
        spans = self._spans[kept]
        leaving = np.column_stack((spans[:-1, 0], np.minimum(spans[:-1, 1], spans[1:, 0])))
        taking = np.column_stack((np.maximum(spans[:-1, 1], spans[1:, 0]), spans[1:, 1]))
        last, first = self._at[leaving[:, 1] - 1], self._at[taking[:, 0]]
        return last + 0.5 * (first - last), leaving, taking


class _Side:
    """What each change leaves, or takes on: weights of an output, and how many deviations from the middle they lie."""

    def __init__(self, atoms: GuessedAtoms, runs: Spans, middles: Array, noise: float) -> None:
        which, self._owner, self._starts = _runs(runs)
        self._far = np.clip((atoms._at[which] - middles[self._owner]) / noise, -LONGEST, LONGEST)
        self._weight = np.log(atoms._mass[which]) - 0.5 * self._far * self._far
        ends = np.append(self._starts[1:], which.size) - 1
        inner = np.where(self._far[self._starts] > 0.0, self._starts, ends)
        self.nearest = self._far[inner]

    def log(self, output: Array) -> tuple[Array, Array]:
        """Return the logarithm of what speaks for each side at OUTPUT, but for a common factor, and its slope."""
        terms = self._weight + self._far * output[self._owner]
        top = np.maximum.reduceat(terms, self._starts)
        shares = np.exp(terms - top[self._owner])
        whole = np.add.reduceat(shares, self._starts)
        return top + np.log(whole), np.add.reduceat(shares * self._far, self._starts) / whole


def _runs(runs: Spans) -> tuple[Spans, Spans, Spans]:
    """Return the positions in all RUNS one after the other, the run of each, and where each run begins."""
    lengths = runs[:, 1] - runs[:, 0]
    starts = np.cumsum(lengths) - lengths
    owner = np.repeat(np.arange(lengths.size), lengths)
    return np.arange(owner.size) - starts[owner] + runs[owner, 0], owner, starts


def _windows(points: list[Fraction], precision: float) -> Spans:
    """Return the runs of atoms that a closed window of length 2 r can hold, none inside another."""
    wide, end, found = 2 * decimal(precision), 0, []
    for start, point in enumerate(points):
        reached = end
        while end < len(points) and points[end] - point <= wide:
            end += 1
        if end > reached:
            found.append((start, end))
    return np.array(found, dtype=np.intp)
