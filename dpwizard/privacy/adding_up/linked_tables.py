"""Tables that are adjusted to add up: the weight of each table's noise in a published number.

One number represents all equal ones. Formulas: docs/methods/adding_up.md.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from dpwizard.privacy.adding_up.grids import variance_matrices
from dpwizard.privacy.adding_up.least_budget import variances_by_table
from dpwizard.privacy.adding_up.tree import Information, Tree, Variance, information

Weighted = dict[tuple[Variance, int], int]  # by weight and table: how many numbers have that weight
Blocks = tuple[int, ...]  # the number of a table that each of the finest cells is part of


@dataclass(frozen=True)
class AddedUp(ABC):
    """Linked tables, by position; NOISES: noisy, exact or none."""

    noises: tuple[str, ...]

    @property
    @abstractmethod
    def can_be_whole(self) -> bool:
        """Return whether each estimate can be rounded up or down so that all numbers add up."""

    @abstractmethod
    def has_children(self, table: int) -> bool:
        """Return whether other numbers add up to those of TABLE."""

    @abstractmethod
    def kinds(self, table: int) -> tuple[int, ...]:
        """Return one number of each kind of TABLE; numbers of a kind are equal."""

    @abstractmethod
    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        """Return the weights of the tables' noise in a published number of this KIND.

        They follow from VARIANCES, by table, of one number before adding up, or in proportion to it (None: not
        published, 0: exact). Weights of fractions are fractions.
        """

    def sums(self, table: int, variances: Sequence[Variance | None], worst_alone: bool = False) -> tuple[Weighted, ...]:
        """Return the weights of a number of each kind of TABLE; WORST_ALONE: only the largest variance is needed."""
        return tuple(self.weights(kind, variances) for kind in self.kinds(table))

    @abstractmethod
    def variance_parts(self, precisions: Any) -> Any:
        """Return the part of each table in the variance of each kind of number."""

    def variance_parts_of(self, kinds: Sequence[int], precisions: Any) -> Any:
        """Return the part of each table in the variance of each of KINDS."""
        return self.variance_parts(precisions)[list(kinds)]

    def variance(self, kind: int, variances: Sequence[Variance | None]) -> float:
        """Return the variance of a published number; an upper bound for noise of smaller VARIANCES."""
        weights = self.weights(kind, variances)
        return math.fsum(
            float(weight**2 * count * (variances[table] or 0)) for (weight, table), count in weights.items()
        )


@dataclass(frozen=True)
class TreeOfTables(AddedUp):
    """Tables of which each adds up to at most one other."""

    tree: Tree
    table_of: tuple[int, ...]

    @property
    def can_be_whole(self) -> bool:
        return True

    def has_children(self, table: int) -> bool:
        return any(self.tree.partitions[at] for at in self.kinds(table))

    def kinds(self, table: int) -> tuple[int, ...]:
        return tuple(at for at, owner in enumerate(self.table_of) if owner == table)

    def variance_parts(self, precisions: Any) -> Any:
        exact = [self.noises[table] == "exact" for table in self.table_of]
        noisy = [table if self.noises[table] == "noisy" else None for table in self.table_of]
        return variances_by_table(self.tree, noisy, precisions, exact)

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        return self.tree.groups

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        tree, groups = self.tree, self._groups
        table_variances = [variances[table] for table in self.table_of]
        gathered = information(tree, table_variances)
        path: list[int] = [kind]
        factors: list[Variance] = [Fraction(1)]
        while (parent := tree.parents[path[-1]]) is not None:
            factors.append(factors[-1] * gathered.share(path[-1], parent, groups[path[-1]]))
            path.append(parent)
        factors.append(Fraction(0))  # there is nothing above the root
        weights: Weighted = defaultdict(int)
        from_parent: Variance = Fraction(0)
        for step in range(len(path) - 1, -1, -1):
            at, parent = path[step], tree.parents[path[step]]
            if parent is not None:
                for child in tree.partitions[parent][groups[at]]:
                    count = tree.counts[child] - (child == at)
                    self._add_weights(child, from_parent - factors[step + 1], count, gathered, table_variances, weights)
            coefficient = factors[step] - factors[step + 1] + from_parent
            below = groups[path[step - 1]] if step else None
            from_parent = self._add_weights(at, coefficient, 1, gathered, table_variances, weights, below)
        return weights

    def _add_weights(
        self,
        at: int,
        factor: Variance,
        count: int,
        gathered: Information,
        table_variances: Sequence[Variance | None],
        weights: Weighted,
        left_out: int | None = None,
    ) -> Variance:
        """Add to WEIGHTS those of COUNT numbers like AT and all numbers below, each with FACTOR.

        Group LEFT_OUT is not added: its factor is returned.
        """
        factor_left_out: Variance = Fraction(0)
        pending = [(at, factor, count)]
        while pending:
            place, factor, count = pending.pop()
            total, noise = gathered.variances[place], table_variances[place]
            if not factor or not count or not total or math.isinf(total):
                continue
            if noise:
                weights[factor * total / noise, self.table_of[place]] += count
            for number, group in enumerate(self.tree.partitions[place]):
                sum_of_group = gathered.sums[place][number]
                if not sum_of_group or math.isinf(sum_of_group):
                    continue
                below = factor * total / sum_of_group
                if place == at and number == left_out:
                    factor_left_out = below
                else:
                    pending += [(child, below, count * self.tree.counts[child]) for child in group]
        return factor_left_out


class CrossedTables(AddedUp):
    """Tables whose numbers are part of several sums."""

    @abstractmethod
    def is_finer(self, table: int, other: int) -> bool:
        """Return whether the numbers of TABLE add up to those of OTHER."""

    @cached_property
    def can_be_whole(self) -> bool:  # a network flow, if there are at most two chains of tables
        tables = range(len(self.noises))
        crossing = [
            {other for other in tables if not (self.is_finer(table, other) or self.is_finer(other, table))}
            for table in tables
        ]
        return not any(crossing[table] & crossing[other] for table in tables for other in crossing[table])

    def has_children(self, table: int) -> bool:
        return any(at != table and self.is_finer(at, table) for at in range(len(self.noises)))


@dataclass(frozen=True)
class GridOfTables(CrossedTables):
    """Tables of levels by queries; `places`: the table at each position, the last chain fastest."""

    chains: tuple[tuple[int, ...], ...]
    places: tuple[int | None, ...]

    def crossed_numbers(self, table: int, other: int) -> int:
        """Return the size of the coarsest table that is at least as fine as TABLE and as OTHER."""
        levels = zip(self._levels[self.places.index(table)], self._levels[self.places.index(other)], strict=True)
        return math.prod(math.prod(fans[: max(both)]) for fans, both in zip(self.chains, levels, strict=True))

    def is_finer(self, table: int, other: int) -> bool:
        return all(map(int.__ge__, self._levels[self.places.index(table)], self._levels[self.places.index(other)]))

    def kinds(self, table: int) -> tuple[int, ...]:
        return (self.places.index(table),)

    def variance_parts(self, precisions: Any) -> Any:
        spread, gathered = variance_matrices(self.chains)
        noisy = np.zeros((len(self.places), len(precisions)))
        for place, table in enumerate(self.places):
            if table is not None and self.noises[table] == "noisy":
                noisy[place, table] = 1.0
        by_table = gathered @ noisy  # the precision that each table adds to the differences within each level
        lam = by_table @ precisions
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.where(by_table > 0.0, by_table * precisions / lam[:, None] ** 2, 0.0)
        parts[self._is_known] = 0.0
        unknown = (lam <= 0.0) & ~np.array(self._is_known)
        return np.where((spread @ unknown > 0.0)[:, None], math.inf, spread @ parts)

    @cached_property
    def _is_known(self) -> list[bool]:
        """Return for each level whether an exact table determines the differences of its numbers."""
        pairs = zip(self._levels, self.places, strict=True)
        exact = [level for level, table in pairs if table is not None and self.noises[table] == "exact"]
        return [any(all(map(int.__le__, level, finer)) for finer in exact) for level in self._levels]

    @cached_property
    def _levels(self) -> list[tuple[int, ...]]:
        return list(itertools.product(*(range(len(fans) + 1) for fans in self.chains)))

    @cached_property
    def _finest(self) -> list[list[int]]:
        """Return, for each level of each chain, the number of finest numbers below one."""
        return [[math.prod(fans[level:]) for level in range(len(fans) + 1)] for fans in self.chains]

    def weights(self, kind: int, variances: Sequence[Variance | None]) -> Weighted:
        finest, levels = self._finest, self._levels
        at = levels[kind]
        of_places = [None if table is None else variances[table] for table in self.places]
        precisions = [1 / variance if variance else Fraction(0) for variance in of_places]
        lam = {
            level: sum(
                precision * math.prod(sizes[j] for sizes, j in zip(finest, place, strict=True))
                for place, precision in zip(levels, precisions, strict=True)
                if all(j >= m for j, m in zip(place, level, strict=True))
            )
            for level in levels
        }
        known = zip(lam.items(), self._is_known, strict=True)
        spread = {level: 0 if is_known or not total else 1 / total for (level, total), is_known in known}
        weights: Weighted = defaultdict(int)
        for place, table in enumerate(self.places):
            if table is None or not precisions[place]:
                continue
            nearest = [range(min(level, other) + 1) for level, other in zip(at, levels[place], strict=True)]
            for common in itertools.product(*nearest):
                chains = list(zip(finest, at, levels[place], common, strict=True))
                terms = [_common_terms(*chain) for chain in chains]
                weight = precisions[place] * sum(
                    math.prod(part[m] for part, m in zip(terms, level, strict=True)) * spread[level]
                    for level in itertools.product(*(range(len(part)) for part in terms))
                )
                count = math.prod(_count_numbers(*chain) for chain in chains)
                if weight and count:
                    weights[weight, table] += count
        return weights


def _common_terms(finest: list[int], level: int, other: int, common: int) -> list[Fraction]:
    """Return 1_B' Q_m 1_u for m = 0, 1, ..: B a number of LEVEL, u one of the level OTHER.

    Their closest common number is of level COMMON.
    """
    both = Fraction(finest[level] * finest[other])
    terms = [both / finest[0]] + [both / finest[m] - both / finest[m - 1] for m in range(1, common + 1)]
    return terms if common == min(level, other) else [*terms, -both / finest[common]]


def _count_numbers(finest: list[int], level: int, other: int, common: int) -> int:
    """Return how many numbers of OTHER have a closest common number of level COMMON with one of LEVEL."""
    inside = finest[common] // finest[other]
    return inside if common == min(level, other) else inside - finest[common + 1] // finest[other]
