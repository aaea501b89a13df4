"""Releases as functions of actual people and the noise that the record says is added: what they tell is then counted.

Nothing here reads a loss, a factor or a limit of the program: sensitivities are found by trying every person against
every other, and what an outcome tells of two people is the likelihood of the noise itself.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, Literal

import numpy as np

from dpwizard.decision import Decision
from dpwizard.records.making import implementation
from tests.samples.decisions import decided

Person = tuple[int, int, int]  # region, income, whether ill
Added = Callable[[Person], tuple[float, ...]]  # what one person adds to a table
Relation = Literal["add_remove", "replace"]
PEOPLE: tuple[Person, ...] = tuple(itertools.product((0, 1), (2, 3, 5), (0, 1)))
OTHER: dict[Relation, Relation] = {"add_remove": "replace", "replace": "add_remove"}


def _bins(person: Person) -> tuple[float, ...]:
    return tuple(float(person[1] == income) for income in (2, 3, 5))


ADDED: dict[str, Added] = {
    "ill": lambda person: (float(person[2]),),
    "incomes": _bins,
    "sum": lambda person: (float(person[1]),),
    "north": lambda person: _bins(person) if person[0] == 0 else (0.0, 0.0, 0.0),
    "south": lambda person: (float(person[1] if person[0] == 1 else 0),),
    "people": lambda _: (1.0,),
}
STATISTIC = {"ill": "count", "incomes": "histogram", "sum": "sum", "north": "histogram", "south": "sum"}


def apart(name: str, one: Person, other: Person | None) -> tuple[float, ...]:
    """Return how far each number of a table lies apart with ONE and with OTHER, or with nobody in their place."""
    added = ADDED[name](one)
    return added if other is None else tuple(a - b for a, b in zip(added, ADDED[name](other), strict=True))


def pairs(relation: Relation) -> Iterator[tuple[Person, Person | None]]:
    if relation == "add_remove":
        yield from ((person, None) for person in PEOPLE)
    else:
        yield from itertools.permutations(PEOPLE, 2)


@cache
def sensitivity(name: str, relation: Relation, order: int) -> float:
    return max(float(np.linalg.norm(apart(name, *pair), ord=order)) for pair in pairs(relation))


@dataclass(frozen=True, kw_only=True)
class Published:
    """A release of tables by name and share, with what was spent before: (table, its epsilon, relation, figures)."""

    shares: dict[str, float]
    relation: Relation = "add_remove"
    mechanism: str = "laplace"
    other: dict[str, str] = field(default_factory=dict)  # the mechanism of a table that has one of its own
    groups: dict[str, str] = field(default_factory=dict)
    repetitions: int = 1
    delta: float | None = None
    spent: tuple[tuple[str, float, Relation], ...] = ()
    more: dict[str, Any] = field(default_factory=dict)
    sharp: bool = True  # whether somebody moves every table in full, so that what is said can be the truth itself

    @cached_property
    def raw(self) -> dict[str, Any]:
        parts = []
        for name, share in self.shares.items():
            made = self.other.get(name, self.mechanism)
            order = 2 if made == "gaussian" else 1
            part = {"name": name, "statistic": STATISTIC[name], "share": share, "mechanism": made}
            part["sensitivity"] = sensitivity(name, self.relation, order)
            part["sensitivity_other"] = sensitivity(name, OTHER[self.relation], order)
            part["dimension"] = len(ADDED[name](PEOPLE[0]))
            part |= {"step": 1} if STATISTIC[name] == "sum" and made == "geometric" else {}
            part |= {"group": self.groups[name]} if name in self.groups else {}
            parts.append(part)
        earlier = [
            {
                "record": f"Earlier {name}",
                "epsilon": epsilon,
                "neighbours": relation,
                "sensitivity": sensitivity(name, relation, 1),
                "sensitivity_other": sensitivity(name, OTHER[relation], 1),
            }
            for name, epsilon, relation in self.spent
        ]
        told = {"priors_from": "before_all", "spent": earlier} if earlier else {}
        return {
            "statistic": "vector",
            "neighbours": self.relation,
            "sensitivity": None,
            "mechanism": self.mechanism,
            "parts": parts,
            "repetitions": self.repetitions,
            "delta": self.delta,
            **told,
            **self.more,
        }

    def decided(self, *requirements: dict[str, Any], epsilon: float | None = None) -> Decision:
        return decided(*requirements, epsilon=epsilon, **self.raw)

    def rows(self, epsilon: float) -> dict[str, dict[str, Any]]:
        if epsilon not in self._rows:
            rows = implementation(self.decided().release, epsilon)
            self._rows[epsilon] = {row["part"]: row for row in rows if "scale" in row}
        return self._rows[epsilon]

    @cached_property
    def _rows(self) -> dict[float, dict[str, dict[str, Any]]]:
        return {}

    def told(self, epsilon: float, one: Person, other: Person | None, *, before: bool = True) -> float:
        """Return the largest log likelihood ratio of two worlds, over all repetitions and what was published before."""
        found = 0.0
        for name, row in self.rows(epsilon).items():
            found += self.repetitions * sum(map(abs, apart(name, one, other))) / row["scale"]
        for name, cost, relation in self.spent if before else ():
            found += sum(map(abs, apart(name, one, other))) * cost / sensitivity(name, relation, 1)
        return found

    def loss(self, epsilon: float, relation: Relation, *, before: bool = True) -> float:
        """Return the most that is told of any pair of worlds under RELATION, by noise with a largest loss."""
        return max(self.told(epsilon, *pair, before=before) for pair in pairs(relation))

    def mu(self, epsilon: float, relation: Relation) -> float:
        """Return how far apart Gaussian tables put two worlds at most, in standard deviations, over all repetitions."""
        rows = self.rows(epsilon).items()
        squares = (
            sum(self.repetitions * sum(a * a for a in apart(name, *pair)) / row["scale"] ** 2 for name, row in rows)
            for pair in pairs(relation)
        )
        return math.sqrt(max(squares))

    def outcomes(self, epsilon: float, one: Person, other: Person | None) -> Iterator[tuple[float, ...]]:
        """Yield, for outcomes far out on either side of each number, its log likelihood with each of the people, and
        without any of them."""
        tables = [(name, self.repetitions / row["scale"]) for name, row in self.rows(epsilon).items()]
        tables += [(name, cost / sensitivity(name, relation, 1)) for name, cost, relation in self.spent]
        moves = [
            tuple(rate * number for name, rate in tables for number in ADDED[name](person)) if person else None
            for person in (one, other)
        ]
        for signs in itertools.product((-1.0, 1.0), repeat=len(moves[0] or ())):
            yield tuple(0.0 if move is None else sum(map(operator.mul, signs, move)) for move in (*moves, None))


UNEQUAL = {"ill": 0.1, "incomes": 0.9}
WORLDS: dict[str, Published] = {
    "tables with unequal figures": Published(shares=UNEQUAL),
    "tables with unequal figures, values replaced": Published(shares=UNEQUAL, relation="replace"),
    "four repetitions, whole numbers": Published(shares=UNEQUAL, mechanism="geometric", repetitions=4),
    "spent before, with figures of its own": Published(
        shares={"ill": 0.5, "incomes": 0.5}, spent=(("sum", 0.3, "add_remove"), ("ill", 0.1, "replace")), sharp=False
    ),
    "spent before, three repetitions": Published(shares={"ill": 1.0}, repetitions=3, spent=(("ill", 0.2, "replace"),)),
    "regions that nobody is in twice": Published(
        shares={"north": 0.8, "south": 0.8, "ill": 0.2}, groups={"north": "region", "south": "region"}, sharp=False
    ),
    "regions between which people move": Published(
        shares={"north": 0.4, "south": 0.4, "ill": 0.2},
        relation="replace",
        groups={"north": "region", "south": "region"},
        sharp=False,
    ),
    "a part of epsilon not used": Published(shares={"ill": 0.5}, sharp=False),
}
GAUSSIAN: dict[str, Published] = {
    "Gaussian tables": Published(shares={"ill": 0.3, "incomes": 0.7}, mechanism="gaussian", delta=1e-5),
    "Gaussian tables, twice": Published(
        shares={"ill": 0.3, "incomes": 0.7}, mechanism="gaussian", delta=1e-5, repetitions=2
    ),
    "Gaussian beside Laplace noise": Published(
        shares={"ill": 0.3, "incomes": 0.3, "sum": 0.4}, mechanism="gaussian", other={"sum": "laplace"}, delta=1e-5
    ),
}
