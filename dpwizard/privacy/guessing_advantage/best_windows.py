"""The best guess of a value from a list, after a release with normal noise: the window of length 2 r with most weight.

A window is a run of values for which one guess is right. Of two windows, the values only in the left one are left of
those only in the right one, so the ratio of the right weight to the left one increases with the output, and passes 1 at
one output, the change. From left to right the best windows follow one another, and a window whose change to its right
neighbour comes before that from its left one is never the best.

The success probability of the best guess is the sum, over the windows that are ever the best, of the masses of their
values times the probability that the output is between their two changes. An error in a change has a second-order
effect, as the two weights are equal there. Proof: docs/methods/programmes.md, Expected guess.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from dpwizard.base.numerics import decimal
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.priors import Discrete

Array = NDArray[np.float64]
Spans = NDArray[np.intp]

DISTINCT_GAP = 90.0  # standard deviations: values this far apart are never confused
LARGEST_DISTANCE = 1e100  # standard deviations; larger distances count as this
CHANGE_ERROR = 1e-10  # absolute error of a change, in standard deviations
GAIN_ERROR = 1e-13  # absolute error of a gain


class GuessedAtoms:
    """A list of values with their masses, and the windows of values for which one guess is right."""

    def __init__(self, prior: Discrete, precision: float) -> None:
        from scipy.special import ndtr  # 0.1 s to import

        atoms = prior.seen_from(Fraction(0), Fraction(1))
        points, masses = atoms.exact_places, atoms.exact_shares
        self._normal_cdf = ndtr
        self._places = np.array([float(point - points[0]) for point in points])
        self._masses = np.array([float(mass) for mass in masses])
        self._spans = _all_windows(points, precision)
        sums = [Fraction(0), *accumulate(masses)]
        largest_mass = max(sums[b] - sums[a] for a, b in self._spans.tolist())
        self.exact_rest = 1 - largest_mass
        self._nearest = float(np.min(np.diff(self._places), initial=math.inf))
        self.reach = float(self._places[-1]) / 2.0
        self.before, self.rest = float(largest_mass), float(self.exact_rest)

    def gain(self, noise: float) -> float:
        """Return the increase of the best guess's success probability by a release with NOISE; to GAIN_ERROR."""
        if len(self._spans) == 1:
            return 0.0
        if self._nearest > DISTINCT_GAP * noise:
            return self.rest
        windows, changes = self._best_windows(noise)
        may_stop()
        ends = np.concatenate([[-math.inf], changes, [math.inf]])
        positions, owner, _ = _positions_in_runs(self._spans[windows])
        below, upto = ((ends[owner + end] - self._places[positions]) / noise for end in (0, 1))
        after = float(self._masses[positions] @ (self._normal_cdf(upto) - self._normal_cdf(below)))
        return min(max(after - self.before, 0.0), self.rest)

    # ------------------------------------------------------------------------------------ the best windows

    def _best_windows(self, noise: float) -> tuple[Spans, Array]:
        """Return the windows that are best at some output, from left to right, and the changes between them."""
        windows = np.arange(len(self._spans))
        while True:
            changes = self._change_outputs(windows, noise)
            never = np.zeros(windows.size, dtype=bool)
            never[1:-1] = changes[:-1] >= changes[1:]
            if not never.any():
                return windows, changes
            windows = windows[~never]

    def _change_outputs(self, windows: Spans, noise: float) -> Array:
        """Return the output at which the next window overtakes each of WINDOWS, by Newton's method in a bracket."""
        middles, leaving, taking = self._windows_sides(windows)
        left, right = _Side(self, leaving, middles, noise), _Side(self, taking, middles, noise)
        outputs = np.zeros(middles.size)
        lead_at_0, slope = right.log(outputs)[0] - left.log(outputs)[0], right.nearest - left.nearest
        reach = np.abs(lead_at_0) / slope  # the slope is at least this everywhere
        low, high = np.where(lead_at_0 > 0.0, -reach, 0.0), np.where(lead_at_0 > 0.0, 0.0, reach)
        for _ in range(200):
            (log_right, slope_right), (log_left, slope_left) = right.log(outputs), left.log(outputs)
            lead, rate = log_right - log_left, slope_right - slope_left
            low, high = np.where(lead <= 0.0, outputs, low), np.where(lead >= 0.0, outputs, high)
            after = outputs - lead / rate
            after = np.where((after > low) & (after < high), after, low + 0.5 * (high - low))
            step = np.abs(after - outputs)
            outputs = after
            if np.all(step <= CHANGE_ERROR * np.maximum(1.0, np.abs(outputs) * 1e-3)):
                break
        return np.asarray(middles + noise * outputs)

    def _windows_sides(self, windows: Spans) -> tuple[Array, Spans, Spans]:
        """Return where the search for each change starts, and the values in its left or right window alone."""
        spans = self._spans[windows]
        leaving = np.column_stack((spans[:-1, 0], np.minimum(spans[:-1, 1], spans[1:, 0])))
        taking = np.column_stack((np.maximum(spans[:-1, 1], spans[1:, 0]), spans[1:, 1]))
        last, first = self._places[leaving[:, 1] - 1], self._places[taking[:, 0]]
        return last + 0.5 * (first - last), leaving, taking


class _Side:
    """The values on one side of each change: their log weights and distances from the middle in deviations."""

    def __init__(self, atoms: GuessedAtoms, runs: Spans, middles: Array, noise: float) -> None:
        positions, self._owner, self._starts = _positions_in_runs(runs)
        self._distances = np.clip(
            (atoms._places[positions] - middles[self._owner]) / noise, -LARGEST_DISTANCE, LARGEST_DISTANCE
        )
        self._log_weights = np.log(atoms._masses[positions]) - 0.5 * self._distances * self._distances
        ends = np.append(self._starts[1:], positions.size) - 1
        inner = np.where(self._distances[self._starts] > 0.0, self._starts, ends)
        self.nearest = self._distances[inner]

    def log(self, output: Array) -> tuple[Array, Array]:
        """Return the log weight of each side at OUTPUT, up to a common term, and its slope."""
        terms = self._log_weights + self._distances * output[self._owner]
        top = np.maximum.reduceat(terms, self._starts)
        shares = np.exp(terms - top[self._owner])
        whole = np.add.reduceat(shares, self._starts)
        return top + np.log(whole), np.add.reduceat(shares * self._distances, self._starts) / whole


def _positions_in_runs(runs: Spans) -> tuple[Spans, Spans, Spans]:
    """Return the positions in all RUNS one after the other, the run of each, and the start of each run."""
    lengths = runs[:, 1] - runs[:, 0]
    starts = np.cumsum(lengths) - lengths
    owner = np.repeat(np.arange(lengths.size), lengths)
    return np.arange(owner.size) - starts[owner] + runs[owner, 0], owner, starts


def _all_windows(points: list[Fraction], precision: float) -> Spans:
    """Return the runs of atoms within a closed window of length 2 r, none inside another."""
    length = 2 * decimal(precision)
    end = 0
    windows = []
    for start, point in enumerate(points):
        previous_end = end
        while end < len(points) and points[end] - point <= length:
            end += 1
        if end > previous_end:
            windows.append((start, end))
    return np.array(windows, dtype=np.intp)
