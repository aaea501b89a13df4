"""The people a release may speak of, and what each of them adds to every table."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tests.oracles.judge.noise import GAUSSIAN, Floats

Person = Mapping[str, Any]  # the value of every attribute


@dataclass(frozen=True, kw_only=True)
class Table:
    """What is counted or added up over all people, and the noise that each of its numbers gets."""

    name: str
    statistic: str  # as the decision file calls it
    reads: str  # how a person is read: flag, rows, weights, cells, row_cells, values, bins, near, present
    weights: tuple[tuple[str, float], ...] = ()  # of the attributes a sum adds up
    cells: int = 1
    attribute: str = "group"
    edges: tuple[float, ...] = ()
    region: int | None = None  # only people of this region are in it
    records: int = 1  # a mean is divided by them
    mechanism: str = "laplace"
    share: float = 1.0
    rounded: bool = False  # values are rounded to whole numbers before they are added

    def adds(self, person: Person) -> Floats:
        """Return what PERSON adds to each number."""
        found = np.zeros(self.dimension)
        if self.region is not None and person["region"] != self.region:
            return found
        if self.reads == "present":
            found[0] = 1.0
        elif self.reads == "flag":
            found[0] = person["flag"]
        elif self.reads == "rows":
            found[0] = len(person["rows"])
        elif self.reads == "weights":
            found[0] = sum(weight * self._value(person[name]) for name, weight in self.weights) / self.records
        elif self.reads == "values":
            found[:] = [weight * self._value(person[name]) for name, weight in self.weights]
        elif self.reads == "cells":
            found[person[self.attribute]] = 1.0
        elif self.reads == "row_cells":
            for cell in person["rows"]:
                found[cell] += 1.0
        elif self.reads == "bins":
            found[int(np.searchsorted(self.edges, person[self.attribute], side="right"))] = 1.0
        elif self.reads == "near":
            found[0] = self.edges[0] <= person[self.attribute] <= self.edges[1]
        else:
            raise ValueError(self.reads)
        return found

    def _value(self, value: float) -> float:
        return float(np.floor(value + 0.5)) if self.rounded else value

    @property
    def dimension(self) -> int:
        """Return how many numbers it holds."""
        return {
            "values": len(self.weights),
            "cells": self.cells,
            "row_cells": self.cells,
            "bins": len(self.edges) + 1,
        }.get(self.reads, 1)

    @property
    def smooth(self) -> bool:
        """Return whether it moves with a value by an effect, or not at all."""
        return self.reads not in ("bins", "near")

    @property
    def attributes(self) -> tuple[str, ...]:
        """Return the attributes it reads."""
        if self.weights:
            own: tuple[str, ...] = tuple(name for name, _ in self.weights)
        else:
            plain = {"flag": "flag", "rows": "rows", "row_cells": "rows", "present": ""}
            own = (plain.get(self.reads, self.attribute),)
        return tuple(name for name in (*own, "region" if self.region is not None else "") if name)

    def effect(self, attribute: str) -> float:
        """Return how far it moves (L1, or L2 under Gaussian noise) when the attribute moves by 1."""
        moves = [abs(w) / self.records for name, w in self.weights if name == attribute]
        return float(np.linalg.norm(moves, 2 if self.mechanism in GAUSSIAN else 1)) if moves else 0.0

    def apart(self, people: Sequence[Person], *, squared: bool = False) -> Floats:
        """Return how far it moves when each person is replaced by each: L1, or the square of L2."""
        added = np.array([self.adds(person) for person in people])
        moved = added[:, None, :] - added[None, :, :]
        return np.asarray((moved**2 if squared else np.abs(moved)).sum(axis=2))


def everybody(attributes: Mapping[str, Sequence[Any]]) -> list[Person]:
    """Return every person whose attributes have one of the values given."""
    names = list(attributes)
    return [dict(zip(names, values, strict=True)) for values in itertools.product(*attributes.values())]


def rows_of(cells: int, most: int) -> list[tuple[int, ...]]:
    """Return every collection of up to MOST rows, each in one of the CELLS."""
    return [rows for count in range(most + 1) for rows in itertools.combinations_with_replacement(range(cells), count)]
