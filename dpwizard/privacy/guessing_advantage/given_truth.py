"""How much a release may change the probability that a guess is right, for a given true value.

The supremum over all mechanisms is between a proved bound and the value that the Laplace mechanism attains; cells are
halved until the two agree. Proofs: docs/methods/guessing_advantage.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

import numpy as np

from dpwizard.base.numerics import decimal, real
from dpwizard.base.stopping import may_stop
from dpwizard.privacy.guessing_advantage.cut_prior import CutPrior, mean_diverges
from dpwizard.privacy.guessing_advantage.tilted_sums import INF, LOWER, UPPER, Cells, TiltedSums
from dpwizard.privacy.largest_budget import largest
from dpwizard.privacy.priors import Density, Distribution, PointMasses

Bound = Literal["exact", "main", "farthest", "simplified", "published_annulus", "published_sum"]
Direction = Literal["rise", "drop"]

SLACK = 2e-5  # relative: the most by which a search stays on the safe side of an advantage or epsilon
LARGEST_LOSS = 1e280  # larger losses count as infinite
NEARLY_EQUAL = 1e-11  # probabilities with a smaller difference are compared as fractions
OUTPUT_COST = 1e-5  # relative gap of the two bounds whose mean is returned
SHELLS = 4_000  # the terms of the published sum
LIMIT_ERROR = 1e-3  # relative: the most by which a searched limit is below the true one
CLOSE = 0.05 * SLACK  # relative width of the final bracket
FALLS_SHORT = 1.0 - 1e-6  # the factor on every limit, for the rounding error of probabilities

# edges within the guess and, increasingly far apart, outside it
WITHIN = np.linspace(-1.0, 1.0, 65)
BESIDE = np.geomspace(1e-3, 1e3, 60)


class GivenTruth:
    """A guess of a given true value; positions are in precisions from it, and the guess is right within [-1, 1]."""

    def __init__(self, prior: Distribution, truth: float, precision: float) -> None:
        seen = prior.seen_from(decimal(truth), decimal(precision))
        self.density: Density | None
        if isinstance(seen, PointMasses):
            self.density = None
            self._read_atoms(seen)
        else:
            self.density = seen
            self._read_density(seen)

    def _read_atoms(self, atoms: PointMasses) -> None:
        right = [abs(place) <= 1 for place in atoms.exact_places]
        first_right = sum(place < -1 for place in atoms.exact_places)
        self.atom_window = (first_right, first_right + sum(right))  # the first right value and the one after the last
        self.atom_places, self.atom_shares = atoms.places, atoms.shares
        self._exact_inside = sum(
            (share for share, is_right in zip(atoms.exact_shares, right, strict=True) if is_right), Fraction(0)
        )
        self.inside, self.outside = real(self._exact_inside), real(1 - self._exact_inside)
        self.impossible, self.certain = not any(right), all(right)
        self.reach = real(atoms.exact_places[-1] - atoms.exact_places[0])
        flat = np.zeros(atoms.places.size)
        self._cells = Cells(atoms.places, atoms.places, np.log(atoms.shares), flat, flat)

    def _read_density(self, density: Density) -> None:
        self._cut = CutPrior(density, np.concatenate([WITHIN, -1.0 - BESIDE, 1.0 + BESIDE]))
        self._cut.halve_coarse()
        self.inside = self._mass(density, -1.0, 1.0)
        self.outside = self._mass(density, density.low, -1.0) + self._mass(density, 1.0, density.high)
        # compared by edges, as probabilities may round to 0 or 1
        has_truths = bool(density.holds_truths(np.array(-1.0), np.array(1.0)))
        self.impossible = density.low >= 1.0 or density.high <= -1.0 or not has_truths
        self.certain = density.low >= -1.0 and density.high <= 1.0
        self.reach = density.high - density.low

    @staticmethod
    def _mass(density: Density, lo: float, hi: float) -> float:
        return min(float(density.mass(np.array(lo), np.array(hi))), 1.0) if lo < hi else 0.0

    def exact_chance(self) -> Fraction | None:
        """Return the probability before as a fraction; None if it is irrational."""
        if self.density is None:
            return self._exact_inside
        return self.density.exact_mass(Fraction(-1), Fraction(1))

    def never_exceeds(self, advantage: float, direction: Direction) -> bool:
        """Return whether no release can exceed ADVANTAGE: advantage >= 1 - p (rise), advantage >= p (drop)."""
        if self.impossible or self.certain:
            return True
        largest = self.outside if direction == "rise" else self.inside
        if abs(advantage - largest) > NEARLY_EQUAL * largest:
            return advantage > largest
        p = self.exact_chance()
        if p is None:
            return False  # irrational: the safe side
        return decimal(advantage) >= (1 - p if direction == "rise" else p)

    def right_values(self) -> tuple[float, float]:
        """Return the outermost right values with mass; the ends of the guess if all masses underflow."""
        sums, i, j = self.sums(0.0)
        filled = i + np.flatnonzero(sums.log_mass[i:j] > -INF)
        if not filled.size:
            return -1.0, 1.0
        return float(sums.lo[filled[0]]), float(sums.hi[filled[-1]])

    def sums(self, s: float) -> tuple[TiltedSums, int, int]:
        """Return the tilted sums at the signed loss S, the first cell of the guess and the cell after its last."""
        if self.density is None:
            return TiltedSums(self._cells, s, self.atom_window), *self.atom_window
        i, j = (int(edge) for edge in self._cut.edge_at(np.array([-1.0, 1.0])))
        return self._cut.sums(s, (i, j)), i, j

    def posterior(self, epsilon: float, direction: Direction = "rise") -> tuple[float, float]:
        """Return the probability after a release: a proved bound, and the value of the Laplace mechanism."""
        if self.impossible or self.certain:
            sure = 1.0 if self.certain else 0.0
            return sure, sure
        if epsilon == 0.0:
            return self.inside, self.inside
        if epsilon > LARGEST_LOSS:
            sure = 1.0 if direction == "rise" else 0.0
            return sure, sure
        if self.density is not None and mean_diverges(self.density, signed(epsilon, direction)):
            return 0.0, 0.0
        sums, i, j = self.sums(signed(epsilon, direction))
        windows = sums.guesses(np.array([i]), np.array([j]))
        bound, attained = float(windows.bound[0]), float(windows.attained[0])
        if direction == "rise":
            return max(bound, self.inside), max(attained, self.inside)
        return min(bound, self.inside), min(attained, self.inside)

    def refine(self, epsilon: float, direction: Direction, slack: float = SLACK) -> None:
        """Halve cells until the bound and the attained value at EPSILON agree to SLACK of the change."""
        if self.density is None or self.impossible or self.certain or not 0.0 < epsilon < LARGEST_LOSS:
            return
        for _ in range(24):
            may_stop()
            sums, i, j = self.sums(signed(epsilon, direction))
            windows = sums.guesses(np.array([i]), np.array([j]))
            bound, attained, output = float(windows.bound[0]), float(windows.attained[0]), float(windows.output[0])
            change = abs(attained - self.inside)
            if abs(bound - attained) <= slack * change + 1e-13 or self._cut.full:
                return
            inside = np.zeros(sums.lo.size, dtype=bool)
            inside[i:j] = True
            least = 0.3 * slack * change / max(bound * (1.0 - bound), 1e-300)
            chosen = self._cut.costly_cells(sums, output, inside, least)[:2_000]
            if not chosen.size:
                return
            self._cut.halve(chosen)
            self._cut.add(np.array([output]))

    def after_output(self, epsilon: float, place: float) -> float:
        """Return the probability after the Laplace mechanism released PLACE, to 1e-6 relative."""
        if self.impossible or self.certain or epsilon == 0.0:
            return self.posterior(epsilon)[0]
        if epsilon > LARGEST_LOSS:
            return 1.0 if abs(place) <= 1.0 else 0.0
        if self.density is not None:
            self._cut.add(place + np.concatenate([-BESIDE, [0.0], BESIDE]) / max(epsilon, 1.0))
            for _ in range(6):
                sums, i, j = self.sums(epsilon)
                inside = np.zeros(sums.lo.size, dtype=bool)
                inside[i:j] = True
                chosen = self._cut.costly_cells(sums, place, inside, OUTPUT_COST)
                if not chosen.size or self._cut.full:
                    break
                self._cut.halve(chosen)
        sums, i, j = self.sums(epsilon)
        return sums.at_output(i, j, place)

    def by_formula(self, epsilon: float, bound: Bound, direction: Direction) -> float:
        """Return the chance after a release by one of the published formulas, on its safe side.

        "main" weighs each side against the whole guess from the edge on that side; "farthest" every wrong value against
        the farthest right one; "published_annulus" (refuted) the nearest; "published_sum" (refuted) sums shells of
        one precision.
        """
        if self.impossible or self.certain or epsilon == 0.0 or epsilon > LARGEST_LOSS:
            return self.posterior(epsilon, direction)[0]
        s = signed(epsilon, direction)
        sums, i, j = self.sums(s)
        outside, inside = (LOWER, UPPER) if direction == "rise" else (UPPER, LOWER)
        log_l, log_u = float(sums.left[outside][i]), float(sums.right[outside][j])
        first_value, last_value = self.right_values()
        log_p = float(np.logaddexp.reduce(sums.log_mass[i:j], initial=-INF))
        if log_p == -INF:  # the chance underflows: the safe side
            return 1.0 if direction == "rise" else 0.0
        if bound == "main":
            log_left = float(np.logaddexp.reduce(sums.left_cells[inside][i:j]))
            log_right = float(np.logaddexp.reduce(sums.right_cells[inside][i:j]))
            odds = _clipped_exp(log_l - log_left) + _clipped_exp(log_u - log_right)
        elif bound == "farthest":
            odds = _clipped_exp(log_l - s * last_value - log_p) + _clipped_exp(log_u + s * first_value - log_p)
        elif bound == "published_annulus":
            odds = _clipped_exp(log_l + s - log_p) + _clipped_exp(log_u + s - log_p)
        elif bound == "published_sum":
            shells = self._published_shell_sum(s)
            odds = _clipped_exp(math.log(shells) - log_p) if shells > 0.0 else 0.0
        else:
            odds = _clipped_exp(math.log(self.outside) - log_p - s * self.reach) if self.outside > 0.0 else 0.0
        error = float(sums.rounding_error(np.array([i]), np.array([j]))[0])
        if direction == "rise":
            return min(max(1.0 / (1.0 + odds) + error, self.inside), 1.0)
        return max(min(1.0 / (1.0 + odds) - error, self.inside), 0.0)

    def _published_shell_sum(self, s: float) -> float:
        """Return the sum over n >= 1 of e^(-s n) P(n < |T| <= n + 1)."""
        if self.density is None:
            shell = np.ceil(np.abs(self._cells.lo)) - 1.0
            wrong = np.abs(self._cells.lo) > 1.0
            weights = np.exp(self._cells.log_mass - s * np.minimum(shell, LARGEST_LOSS))
            return float(np.sum(np.where(wrong, weights, 0.0)))
        n = np.arange(1.0, SHELLS)
        masses = self.density.mass(n, n + 1.0) + self.density.mass(-n - 1.0, -n)
        with np.errstate(over="ignore"):
            return float(np.sum(np.exp(-s * n) * masses))


def signed(epsilon: float, direction: Direction) -> float:
    """Return the signed loss: epsilon for a rise, -epsilon for a drop."""
    return epsilon if direction == "rise" else -epsilon


def _clipped_exp(x: float) -> float:
    if x > 709.0:
        return INF
    return math.exp(x) if x >= -745.0 else 0.0


def exact_limit(guess: GivenTruth, advantage: float, direction: Direction) -> float:
    """Return the largest epsilon proved to meet ADVANTAGE, never above the true one."""
    if guess.never_exceeds(advantage, direction):
        return INF
    if advantage == 0.0:
        return 0.0
    start = min(advantage / max(guess.inside * guess.outside, 1e-3), 1.0)
    epsilon = 0.0
    for step in range(5):
        epsilon = largest_epsilon(
            lambda e: change_of_chance(guess.posterior(e, direction)[0], guess.inside), advantage, start
        )
        start = epsilon or start
        attained = guess.posterior(start * (1.0 + 2.0 * SLACK), direction)[1]
        if guess.density is None or abs(attained - guess.inside) > advantage:  # a slightly larger epsilon fails
            break
        guess.refine(start, direction, SLACK / 4.0**step)
    return epsilon * FALLS_SHORT


def formula_limit(guess: GivenTruth, advantage: float, bound: Bound, direction: Direction) -> float:
    """Return the largest epsilon at which one of the published formulas meets ADVANTAGE."""
    if guess.never_exceeds(advantage, direction):
        return INF
    if advantage == 0.0:
        return 0.0
    return FALLS_SHORT * largest_epsilon(
        lambda e: change_of_chance(guess.by_formula(e, bound, direction), guess.inside), advantage, 1.0
    )


def change_of_chance(after: float, before: float) -> float:
    """Return by how much a chance changes from BEFORE; inf for certainty, as BEFORE may have rounded to 1."""
    return math.inf if after == 1.0 else abs(after - before)


def largest_epsilon(change: Callable[[float], float], advantage: float, start: float) -> float:
    """Return the largest epsilon with CHANGE(epsilon) <= ADVANTAGE, never above it and within CLOSE relative.

    Arguments: change, which rises with epsilon from 0; start, a first guess above 0. Infinite beyond LARGEST_LOSS.
    """
    lowest, highest = 1.0 / LARGEST_LOSS, LARGEST_LOSS
    epsilon, failed = largest(change, advantage, start, lowest=lowest, highest=highest, relative=CLOSE)
    return epsilon if failed else INF
