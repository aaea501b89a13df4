"""Tables that cross in any way, fitted by least squares on their finest cells, up to two thousand of them.

With w the precision (1/s^2) of each table and A_t the incidence of its numbers and the cells, M = sum of w_t A_t'A_t is
the joint precision matrix of the cells. The published number a'x has the noise of table t with weights w_t A_t M^-1 a,
and its variance is a' M^-1 a. Exact tables remove directions in which cells can err, as do cells without information.
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
LARGEST_RATIO = 1e13  # the largest ratio of precisions: smaller precisions are raised, at a slight loss
NEGLIGIBLE = 1e-9  # the length of a direction that counts as 0: exactly known, or without information
REFINEMENTS = 2  # steps of iterative refinement of the least squares
DIGITS_OF_WEIGHTS = 12  # digits, relative to the largest weight, to which weights are compared
DIGITS_OF_SUMS = 9  # digits to which the noise of two numbers is compared
SMALLEST = 1e-300  # the smallest variance that is compared


@dataclass(frozen=True)
class DenseTables(CrossedTables):
    """Tables whose numbers are sums of cells; BLOCKS: by table, the number that each cell is part of."""

    blocks: tuple[Blocks, ...]

    def is_finer(self, table: int, other: int) -> bool:
        return len(set(zip(self.blocks[table], self.blocks[other], strict=True))) == self._sizes[table]

    def kinds(self, table: int) -> tuple[int, ...]:
        """Return all numbers of TABLE: two that are equal at some precisions may differ at others."""
        first = sum(self._sizes[:table])
        return tuple(range(first, first + self._sizes[table]))

    def variance_parts(self, precisions: Any) -> Any:
        return self.variance_parts_of(range(sum(self._sizes)), precisions)

    def variance_parts_of(self, kinds: Sequence[int], precisions: Any) -> Any:
        """Return the part of each table in the variance of each of KINDS; inf without information."""
        cells, basis = self._cells_of(kinds), self.basis
        parts = np.zeros((len(cells), len(self.blocks)))
        for table, weights in self._fit(cells, precisions).items():
            parts[:, table] = (weights**2).sum(axis=0) / precisions[table]
        if basis is not None:
            free, known = (((cells @ directions) ** 2).sum(axis=1) for directions in (self._free_directions, basis))
            least = NEGLIGIBLE * cells.sum(axis=1)
            parts[known <= least] = 0.0
            parts[free - known > least] = math.inf
        return parts

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        cells = self._cells_of([kind])
        fitted = self._weights_at(cells, variances)
        return self._group_equal_weights(cells[0], {table: weights[:, 0] for table, weights in fitted.items()})

    def sums(self, table: int, variances: Sequence[Variance | None], worst_alone: bool = False) -> tuple[Weighted, ...]:
        cells = self._cells_of(self.kinds(table))
        fitted = self._weights_at(cells, variances)
        squares = np.array([float(variances[at] or 0) * (weights**2).sum(axis=0) for at, weights in fitted.items()])
        cubes = np.array(
            [float(variances[at] or 0) ** 1.5 * (weights**3).sum(axis=0) for at, weights in fitted.items()]
        )
        total = squares.sum(axis=0)
        order = np.argsort(-total, kind="stable")
        if worst_alone:
            order = order[:1]
        else:  # the largest represents all equal ones
            total = np.maximum(total, SMALLEST)
            every = np.round(np.concatenate((squares / total, cubes / total**1.5, [np.log(total)])), DIGITS_OF_SUMS)
            order = order[np.sort(np.unique(every[:, order], axis=1, return_index=True)[1])]
        return tuple(
            self._group_equal_weights(cells[at], {table: weights[:, at] for table, weights in fitted.items()})
            for at in order
        )

    def _weights_at(self, cells: Any, variances: Sequence[Variance | None]) -> dict[int, Any]:
        """Return, by noisy table, the weights of its numbers in each row of CELLS, as `_fit`, from VARIANCES."""
        known = [float(variance) if variance else 0.0 for variance in variances]
        least = max(known) / LARGEST_RATIO
        return self._fit(cells, np.array([1.0 / max(variance, least) if variance else 0.0 for variance in known]))

    def _group_equal_weights(self, cells: Any, fitted: dict[int, Any]) -> Weighted:
        """Return how often each weight occurs among those FITTED to the number that consists of CELLS."""
        if self._table_of_cells is not None:
            per_cell = [-weights[self._labels[table]] for table, weights in fitted.items()]
            for cell, owed in enumerate(zip(cells, *per_cell, strict=True)):
                fitted[self._table_of_cells][self.blocks[self._table_of_cells][cell]] += math.fsum(owed)
        counts: Weighted = defaultdict(int)
        for table, weights in fitted.items():
            equal: dict[float, list[float]] = defaultdict(list)
            for weight in weights.tolist() if weights.any() else ():
                equal[round(weight / abs(weights).max(), DIGITS_OF_WEIGHTS)].append(weight)
            for rounded, group in equal.items():  # the largest represents all: the noise of the others is no larger
                if rounded:
                    counts[max(group, key=abs), table] += len(group)
        return counts

    @cached_property
    def _labels(self) -> tuple[Any, ...]:
        return tuple(np.array(blocks) for blocks in self.blocks)

    @cached_property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(max(blocks) + 1 for blocks in self.blocks)

    def _tables_with(self, noise: str) -> list[int]:
        return [table for table, kind in enumerate(self.noises) if kind == noise]

    def _cells_of(self, kinds: Sequence[int]) -> Any:
        """Return the cells of each of the numbers KINDS, one row each."""
        numbers = [(table, number) for table, size in enumerate(self._sizes) for number in range(size)]
        return np.array(
            [self._labels[table] == number for table, number in map(numbers.__getitem__, kinds)], dtype=float
        )

    def precision_matrix(self, precisions: Any) -> Any:
        """Return M, the joint precision matrix of the cells."""
        matrix = np.zeros((len(self.blocks[0]),) * 2)
        for table in self._tables_with("noisy"):
            matrix += precisions[table] * (self._labels[table][:, None] == self._labels[table])
        return matrix

    @cached_property
    def _free_directions(self) -> Any:
        """Return an orthonormal basis of the directions in which exact tables allow cells to err."""
        cells, exact = len(self.blocks[0]), self._tables_with("exact")
        known = sum(
            ((self._labels[table][:, None] == self._labels[table]) * 1.0 for table in exact), np.zeros((cells,) * 2)
        )
        sizes, directions = np.linalg.eigh(known)
        return directions[:, sizes < NEGLIGIBLE * cells]

    @cached_property
    def _table_of_cells(self) -> int | None:
        """Return a table with noise on every cell; None if there is none, or an exact table as well.

        Its weights absorb the rounding error in the sum of weights on a cell. Then the published number is unbiased,
        and like every such sum of noise it has no smaller variance than least squares.
        """
        whole = (table for table in self._tables_with("noisy") if self._sizes[table] == len(self.blocks[0]))
        return None if self._tables_with("exact") else next(whole, None)

    @cached_property
    def basis(self) -> Any | None:
        """Return an orthonormal basis of the free directions with information; None if all have some."""
        if self._table_of_cells is not None:
            return None
        matrix = self._free_directions.T @ self.precision_matrix(np.ones(len(self.blocks))) @ self._free_directions
        sizes, directions = np.linalg.eigh(matrix)
        return self._free_directions @ directions[:, sizes > NEGLIGIBLE * len(self.blocks[0])]

    def _fit(self, cells: Any, precisions: Any) -> dict[int, Any]:
        """Return, by noisy table, the weights of the noise of its numbers in each row of CELLS."""
        basis, right_side = self.basis, cells.T
        matrix, inverse = _precision_matrix_and_inverse(self, tuple(precisions.tolist()))
        if basis is not None:
            right_side = basis.T @ right_side
        solution = inverse @ right_side
        for _ in range(REFINEMENTS):
            solution += inverse @ (right_side - matrix @ solution)
        if basis is not None:
            solution = basis @ solution
        noisy = self._tables_with("noisy")
        return {table: precisions[table] * _sum_by_label(solution, self._labels[table]) for table in noisy}


@lru_cache(maxsize=1)  # the same precisions for all kinds of numbers
def _precision_matrix_and_inverse(tables: DenseTables, precisions: tuple[float, ...]) -> tuple[Any, Any]:
    """Return M along the basis of TABLES, and its inverse."""
    matrix = tables.precision_matrix(np.array(precisions))
    if tables.basis is not None:
        matrix = tables.basis.T @ matrix @ tables.basis
    return matrix, np.linalg.inv(matrix)


def _sum_by_label(rows: Any, labels: Any) -> Any:
    order = np.argsort(labels, kind="stable")
    return np.add.reduceat(rows[order], np.searchsorted(labels[order], np.arange(labels.max() + 1)), axis=0)
