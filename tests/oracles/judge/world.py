"""A release as it is made at some epsilon: data, noise, earlier releases, and the loss of each neighbouring pair."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from tests.oracles.judge.noise import GAUSSIAN, WHOLE, Floats, Loss, cks_mu, gaussian_mu, whole_sigma
from tests.oracles.judge.people import Person, Table, everybody


@dataclass(frozen=True, kw_only=True)
class Earlier:
    """An earlier release: one table, at an epsilon under a relation of its own."""

    table: Table
    epsilon: float
    neighbours: str
    delta: float | None = None  # Gaussian noise: its loss has no bound
    rho: float | None = None  # Gaussian noise whose record states rho instead

    @property
    def law(self) -> str:
        """Return its noise."""
        return "laplace" if self.delta is None and self.rho is None else "gaussian"


@dataclass(frozen=True, kw_only=True)
class World:
    """The data a release is made from, the noise it gets, and what was published before or beside it."""

    attributes: Mapping[str, Sequence[Any]]
    tables: tuple[Table, ...]
    neighbours: str
    moves: bool = True  # whether a change of value can take a person from one region to another
    repetitions: int = 1
    delta: float | None = None
    earlier: tuple[Earlier, ...] = ()
    counts_earlier: bool = False  # beliefs are counted from before all releases
    exact: tuple[Table, ...] = ()  # figures published without noise beside it
    rounding: float | None = None  # what the noisy numbers are rounded to before they are published
    varies: str | None = None  # the one attribute that a change of value changes; None: any of them

    @property
    def open_ended(self) -> bool:
        """Return whether some noise, of this release or an earlier one, has no largest loss."""
        laws = [*(table.mechanism for table in self.tables), *(old.law for old in self.earlier)]
        return any(law in GAUSSIAN for law in laws)

    @property
    def in_rho(self) -> bool:
        """Return whether its budget is rho: all its noise is Gaussian and no delta is stated."""
        return self.delta is None and any(table.mechanism in GAUSSIAN for table in self.tables)

    @cached_property
    def people(self) -> list[Person]:
        """Return everybody who could be in the data."""
        return everybody(self.attributes)

    @cached_property
    def allowed(self) -> Floats:
        """Return for each pair of people whether one can become the other by a change of value (infinite: no)."""
        fixed = [name for name in self.attributes if self.varies is not None and name != self.varies]
        if not self.moves and "region" in self.attributes:
            fixed.append("region")
        kept = np.ones((len(self.people), len(self.people)), dtype=bool)
        for name in fixed:
            codes = np.unique([repr(person[name]) for person in self.people], return_inverse=True)[1]
            kept &= codes[:, None] == codes[None, :]
        return np.where(kept, 0.0, -math.inf)

    # ------------------------------------------------------------------------- what a person can change

    def changes(self, table: Table, relation: str) -> Floats:
        """Return how far a table moves, in the norm of its noise: for each pair of people, or each person alone."""
        squared = table.mechanism in GAUSSIAN
        if relation == "replace":
            moved = table.apart(self.people, squared=squared)
        else:
            added = np.array([table.adds(person) for person in self.people])
            moved = (added**2 if squared else np.abs(added)).sum(axis=1)
            if table.statistic == "mean":
                moved = np.full(len(moved), math.inf)  # it is a mean of so many: nobody can be left out
        return np.asarray(np.sqrt(moved) if squared else moved)

    def sensitivity(self, table: Table, relation: str) -> float:
        """Return the most that one person changes a table by, whatever the change."""
        key = (table, relation)
        if key not in self._sizes:
            moved = self.changes(table, relation)
            anybody = self if self.varies is None else replace(self, varies=None)
            self._sizes[key] = float((moved + anybody.allowed if relation == "replace" else moved).max())
        return self._sizes[key]

    @cached_property
    def _sizes(self) -> dict[tuple[Table, str], float]:
        return {}

    # ------------------------------------------------------------------------- the noise

    def level(self, table: Table, epsilon: float) -> float:
        """Return the loss a table makes per unit of its sensitivity: epsilon's share, or mu under Gaussian noise."""
        if table.mechanism not in GAUSSIAN:
            return table.share * epsilon
        if self.delta is None:
            return math.sqrt(2 * table.share * epsilon)  # what is shared out is rho
        tables = [other for other in self.tables if other.mechanism in GAUSSIAN]
        together = sum(other.share for other in tables)
        whole = epsilon if len(tables) == len(self.tables) else together * epsilon
        part = table.share if len(tables) == len(self.tables) else table.share / together
        return self._together(tables, whole) * math.sqrt(part)

    def _together(self, tables: list[Table], epsilon: float) -> float:
        """Return what Gaussian tables lose together: by the curve of their noise, or, of whole noise, by zCDP."""
        assert self.delta is not None
        if all(table.mechanism == "gaussian" for table in tables):
            return gaussian_mu(epsilon, self.delta)
        if len(tables) > 1 or tables[0].dimension > 1:
            return cks_mu(epsilon, self.delta)
        steps = self.sensitivity(tables[0], self.neighbours)
        return steps / whole_sigma(round(steps), epsilon, self.delta)

    def earlier_scale(self, old: Earlier) -> float:
        """Return the scale of the noise of an earlier release."""
        size = self.sensitivity(old.table, old.neighbours)
        if old.rho is not None:
            return size / math.sqrt(2 * old.rho)
        return size / (old.epsilon if old.delta is None else gaussian_mu(old.epsilon, old.delta))

    def scale(self, table: Table, epsilon: float) -> float:
        """Return the scale of a table's noise: of Laplace or geometric noise, or the standard deviation."""
        return self.sensitivity(table, self.neighbours) / self.level(table, epsilon)

    # ------------------------------------------------------------------------- the loss of pairs of worlds

    def losses(self, epsilon: float, relation: str, *, earlier: bool | None = None) -> Floats:
        """Return the largest loss of each pair of worlds, all repetitions and what counts of earlier releases.

        relation: "replace" gives a matrix over pairs of people, "add_remove" one figure for each of them.
        """
        return epsilon * self._slopes[relation] + (
            self._before[relation] if (self.counts_earlier if earlier is None else earlier) else 0.0
        )

    @cached_property
    def _slopes(self) -> dict[str, Floats]:
        found = {}
        for relation in ("add_remove", "replace"):
            total: Floats = np.zeros(len(self.people) if relation == "add_remove" else (len(self.people),) * 2)
            for table in self.tables:
                moved = self.changes(table, relation)
                if table.mechanism in (*GAUSSIAN, "exact"):  # no bound: beyond any loss in some outputs, or in all
                    total = total + np.where(moved > 0, math.inf, 0.0)
                    continue
                total = total + self.repetitions * table.share * moved / self.sensitivity(table, self.neighbours)
                if table.mechanism in WHOLE:
                    total = total + np.where(self._fractions(table, relation), math.inf, 0.0)
            for table in self.exact:
                total = total + np.where(self.changes(table, relation) > 0, math.inf, 0.0)
            found[relation] = np.where(self.allowed < 0, -math.inf, total) if relation == "replace" else total
        return found

    def _fractions(self, table: Table, relation: str) -> Any:
        """Return where a table moves by what is no whole number: whole noise leaves the fraction as it is."""
        added = np.array([table.adds(person) for person in self.people])
        moved = added[:, None, :] - added[None, :, :] if relation == "replace" else added
        return (np.abs(moved - np.round(moved)) > 1e-9).any(axis=-1)

    @cached_property
    def _before(self) -> dict[str, Floats]:
        found = {}
        for relation in ("add_remove", "replace"):
            total: Floats = np.zeros(len(self.people) if relation == "add_remove" else (len(self.people),) * 2)
            for old in self.earlier:
                if old.law == "gaussian":
                    total = total + np.where(self.changes(old.table, relation) > 0, math.inf, 0.0)
                    continue
                total = total + old.epsilon * self.changes(old.table, relation) / self.sensitivity(
                    old.table, old.neighbours
                )
            found[relation] = total
        return found

    def loss_before(self, old: Earlier, relation: str) -> float:
        """Return the largest loss of the earlier release OLD, of Laplace noise, over all pairs of worlds."""
        return (
            old.epsilon * float(self.changes(old.table, relation).max()) / self.sensitivity(old.table, old.neighbours)
        )

    def shows(self, relation: str) -> bool:
        """Return whether a pair of worlds differs in what is published without noise, or in a fraction left open."""
        tables = [*(t for t in self.tables if t.mechanism in ("exact", *WHOLE)), *self.exact]
        for table in tables:
            told = (
                self.changes(table, relation) > 0 if table.mechanism not in WHOLE else self._fractions(table, relation)
            )
            if table in self.exact:
                told = self.changes(table, relation) > 0
            if bool((told & (self.allowed == 0) if relation == "replace" else told).any()):
                return True
        return False

    def pairs(self, epsilon: float, relation: str, most: int = 3) -> list[list[tuple[str, float, int, int]]]:
        """Return, for the pairs of worlds that move most (and each other way of moving), what `Loss` is made of."""
        ways = self._ways[relation]
        found = []
        for moved in ways[:most]:
            parts = []
            for table, each in zip(self.tables, moved, strict=True):
                unit = self.level(table, epsilon) / self.sensitivity(table, self.neighbours)
                for size, times in _counted(each):
                    steps = round(size) if table.mechanism in WHOLE else 0
                    rate = unit if table.mechanism in WHOLE else unit * size
                    parts.append((table.mechanism, rate, steps, times * self.repetitions))
            found.append(parts)
        return found

    @cached_property
    def _ways(self) -> dict[str, list[list[Floats]]]:
        """Return every different way a person moves all tables (sizes sorted within each), the widest first."""
        found = {}
        for relation in ("add_remove", "replace"):
            rows = []
            for table in self.tables:
                added = np.array([table.adds(person) for person in self.people])
                moved = added if relation == "add_remove" else added[:, None, :] - added[None, :, :]
                rows.append(np.sort(np.abs(moved), axis=-1).reshape(-1, table.dimension))
            together = np.concatenate(rows, axis=1).round(9)
            if relation == "replace":
                together = together[self.allowed.ravel() == 0.0]
            together = np.unique(together, axis=0)
            ends = np.cumsum([table.dimension for table in self.tables])[:-1]
            split = [np.split(row, ends) for row in together]
            sizes = [self.sensitivity(table, self.neighbours) for table in self.tables]
            weights = [
                sum(t.share * m.sum() / d for t, m, d in zip(self.tables, row, sizes, strict=True)) for row in split
            ]
            found[relation] = [split[i] for i in np.argsort(weights, kind="stable")[::-1]]
        return found

    def worst_losses(self, epsilon: float, relation: str, most: int = 3) -> list[Loss]:
        """Return the distributions of the loss of this release alone for the pairs that lose most."""
        return [Loss(parts) for parts in self.pairs(epsilon, relation, most)]


def _counted(moved: Floats) -> list[tuple[float, int]]:
    sizes, times = np.unique(np.round(moved, 12), return_counts=True)
    return [(float(size), int(count)) for size, count in zip(sizes, times, strict=True) if size > 0]
