"""Tables that cross in any way, by least squares on their finest cells, up to two thousand of them.

With w the precision (1/s^2) of each table and A_t which cells each of its numbers holds, M = sum of w_t A_t'A_t is what
all tables tell of the cells. The published number a'x takes in the noise of table t with weights w_t A_t M^-1 a, and
its variance is a' M^-1 a. Exact tables leave fewer directions in which cells can err, and so does what no table tells.
Source: docs/methods/adding_up.md.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from dpwizard.privacy.adding_up.linked_tables import Blocks, CrossedTables, Weighted
from dpwizard.privacy.adding_up.tree import Variance

MOST_CELLS = 2_000
WIDEST = 1e13  # ratio of precisions from which the smaller ones count as larger: least squares then lose a little
NOTHING = 1e-9  # of a direction, of length 1: no exact table leaves it, or no table tells of it
REFINED = 2  # times that what rounding leaves of a number is fitted again
ALIKE = 12  # digits, of the largest, to which weights are compared
ALIKE_SUMS = 9  # digits to which what two numbers take in is compared
SMALLEST = 1e-300  # of a variance that is compared


@dataclass(frozen=True)
class DenseTables(CrossedTables):
    """Tables whose numbers are sums of cells: BLOCKS say, by table, in which of its numbers each cell lies."""

    blocks: tuple[Blocks, ...]

    def is_finer(self, one: int, other: int) -> bool:
        return len(set(zip(self.blocks[one], self.blocks[other], strict=True))) == self._sizes[one]

    def kinds(self, table: int) -> tuple[int, ...]:
        """Return all numbers of TABLE: two that look alike at some precisions may differ much at others."""
        first = sum(self._sizes[:table])
        return tuple(range(first, first + self._sizes[table]))

    def look(self, precisions: Any) -> Any:
        return self.look_at(range(sum(self._sizes)), precisions)

    def look_at(self, kinds: Sequence[int], precisions: Any) -> Any:
        """Return which part of the variance of each of KINDS comes from each table; inf where none tells of it."""
        rows, basis = self._rows(kinds), self.basis
        found = np.zeros((len(rows), len(self.blocks)))
        for table, taken in self._fitted(rows, precisions).items():
            found[:, table] = (taken**2).sum(axis=0) / precisions[table]
        if basis is not None:
            left, reached = (((rows @ one) ** 2).sum(axis=1) for one in (self._left, basis))
            least = NOTHING * rows.sum(axis=1)
            found[reached <= least] = 0.0
            found[left - reached > least] = math.inf
        return found

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        rows = self._rows([kind])
        return self._counted(rows[0], {at: one[:, 0] for at, one in self._weighed(rows, variances).items()})

    def sums(self, table: int, variances: Sequence[Variance | None], worst_alone: bool = False) -> tuple[Weighted, ...]:
        rows = self._rows(self.kinds(table))
        fitted = self._weighed(rows, variances)
        parts = np.array([float(variances[at] or 0) * (taken**2).sum(axis=0) for at, taken in fitted.items()])
        cubes = np.array([float(variances[at] or 0) ** 1.5 * (taken**3).sum(axis=0) for at, taken in fitted.items()])
        largest = parts.sum(axis=0)
        order = np.argsort(-largest, kind="stable")
        if not worst_alone:  # the largest stands for all that are alike
            largest = np.maximum(largest, SMALLEST)
            every = np.round(np.concatenate((parts / largest, cubes / largest**1.5, [np.log(largest)])), ALIKE_SUMS)
            order = order[np.sort(np.unique(every[:, order], axis=1, return_index=True)[1])]
        chosen = order[:1] if worst_alone else order
        return tuple(self._counted(rows[one], {at: taken[:, one] for at, taken in fitted.items()}) for one in chosen)

    def _weighed(self, rows: Any, variances: Sequence[Variance | None]) -> dict[int, Any]:
        """Return, by noisy table, the weights with which each of ROWS takes in the noise of its numbers."""
        sizes = [float(one) if one else 0.0 for one in variances]
        least = max(sizes) / WIDEST
        return self._fitted(rows, np.array([1.0 / max(one, least) if one else 0.0 for one in sizes]))

    def _counted(self, row: Any, fitted: dict[int, Any]) -> Weighted:
        """Return the weights FITTED to the number that holds the cells of ROW, those that are alike together."""
        if self._finest is not None:
            held = [taken[self._labels[table]] for table, taken in fitted.items()]
            for cell, owed in enumerate(zip(row, *(-one for one in held), strict=True)):
                fitted[self._finest][self.blocks[self._finest][cell]] += math.fsum(owed)
        found: Weighted = defaultdict(int)
        for table, taken in fitted.items():
            alike: dict[float, list[float]] = defaultdict(list)
            for weight in taken.tolist() if taken.any() else ():
                alike[round(weight / abs(taken).max(), ALIKE)].append(weight)
            for close, same in alike.items():  # the largest stands for all: their noise is no smaller
                if close:
                    found[max(same, key=abs), table] += len(same)
        return found

    # ------------------------------------------------------------------- their numbers

    @cached_property
    def _labels(self) -> tuple[Any, ...]:
        return tuple(np.array(blocks) for blocks in self.blocks)

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        """Return how many numbers each table holds."""
        return tuple(max(blocks) + 1 for blocks in self.blocks)

    def _of(self, noise: str) -> list[int]:
        return [table for table, one in enumerate(self.noises) if one == noise]

    def _rows(self, kinds: Sequence[int]) -> Any:
        """Return which cells each of the numbers KINDS holds."""
        every = [(table, block) for table, size in enumerate(self._sizes) for block in range(size)]
        return np.array([self._labels[table] == block for table, block in map(every.__getitem__, kinds)], dtype=float)

    # ------------------------------------------------------------------- least squares

    def told(self, precisions: Any) -> Any:
        """Return what all tables tell of the cells: M."""
        found = np.zeros((len(self.blocks[0]),) * 2)
        for table in self._of("noisy"):
            found += precisions[table] * (self._labels[table][:, None] == self._labels[table])
        return found

    @cached_property
    def _left(self) -> Any:
        """Return an orthonormal basis of the directions in which cells can err beside exact tables."""
        cells, exact = len(self.blocks[0]), self._of("exact")
        known = sum(((self._labels[one][:, None] == self._labels[one]) * 1.0 for one in exact), np.zeros((cells,) * 2))
        sizes, directions = np.linalg.eigh(known)
        return directions[:, sizes < NOTHING * cells]

    @cached_property
    def _finest(self) -> int | None:
        """Return a table with noise on every cell; None where there is none, or an exact table beside it.

        What rounding leaves of the sum of all weights on a cell is made up for there. Then the published number misses
        no true one, and as every such sum of noise it has no smaller variance than least squares.
        """
        whole = (table for table in self._of("noisy") if self._sizes[table] == len(self.blocks[0]))
        return None if self._of("exact") else next(whole, None)

    @cached_property
    def basis(self) -> Any | None:
        """Return an orthonormal basis of those directions of which some table tells; None where these are all."""
        if self._finest is not None:
            return None
        told = self._left.T @ self.told(np.ones(len(self.blocks))) @ self._left
        sizes, directions = np.linalg.eigh(told)
        return self._left @ directions[:, sizes > NOTHING * len(self.blocks[0])]

    def _fitted(self, rows: Any, precisions: Any) -> dict[int, Any]:
        """Return, by noisy table, the weights with which each of ROWS takes in the noise of its numbers."""
        basis, asked = self.basis, rows.T
        told, inverse = _inverted(self, tuple(precisions.tolist()))
        asked = asked if basis is None else basis.T @ asked
        cells = inverse @ asked
        for _ in range(REFINED):
            cells += inverse @ (asked - told @ cells)
        if basis is not None:
            cells = basis @ cells
        return {table: precisions[table] * _summed(cells, self._labels[table]) for table in self._of("noisy")}


@lru_cache(maxsize=1)  # all kinds of numbers are asked for at the same precisions
def _inverted(made: DenseTables, precisions: tuple[float, ...]) -> tuple[Any, Any]:
    """Return what all tables tell of the cells of MADE, along what exact tables leave, and its inverse."""
    told = made.told(np.array(precisions))
    told = told if made.basis is None else made.basis.T @ told @ made.basis
    return told, np.linalg.inv(told)


def _summed(cells: Any, labels: Any) -> Any:
    """Return the sums of the rows of CELLS with the same of the LABELS."""
    order = np.argsort(labels, kind="stable")
    return np.add.reduceat(cells[order], np.searchsorted(labels[order], np.arange(labels.max() + 1)), axis=0)
