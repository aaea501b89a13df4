"""Releases drawn at random, as data sets and noise, and the decision file that speaks truly of each."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from tests.oracles.judge.noise import GAUSSIAN, WHOLE
from tests.oracles.judge.people import Table, rows_of
from tests.oracles.judge.world import Earlier, World
from tests.samples.mechanisms import SAMPLES

Told = dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Case:
    """A decision file and the data it speaks of."""

    decision: Told
    world: World
    seed: int = 0
    told: bool = True  # the file states every figure that counts, so that the limit can be as large as is true
    lie: str | None = None  # what the file says that cannot be: to be named, not answered
    named: Mapping[str, Any] = field(default_factory=dict)

    @property
    def budget(self) -> float:
        """Return what the decision chooses: epsilon, or rho."""
        return float(self.decision["rho" if self.world.in_rho else "epsilon"])

    def limit(self, answer: Mapping[str, Any]) -> float | None:
        """Return the limit of an answer, in the same."""
        found: float | None = answer.get("rho" if self.world.in_rho else "epsilon")
        return found


def digits(rng: random.Random, low: float, high: float, places: int = 3) -> float:
    """Return a number with few digits, never 0 where LOW is above."""
    return max(round(rng.uniform(low, high), places), low)


# --------------------------------------------------------------------------------------------- tables


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """What a requirement needs of a release to be worth asking."""

    laws: Sequence[str] = ("geometric", "laplace")
    values: bool = False  # some table reads x1
    several: bool = True
    statistic: str | None = None
    relation: str | None = None
    plain: bool = False  # made once, nothing before it
    second: bool = False  # x2 is read too


def a_world(rng: random.Random, wanted: Wanted) -> World:
    """Draw data and noise."""
    relation = wanted.relation or rng.choice(("add_remove", "add_remove", "replace"))
    law = rng.choice(tuple(wanted.laws))
    count = rng.choice((1, 1, 1, 1, 2, 2, 3, 3, 4, 5, 6)) if wanted.several else 1
    whole = law in WHOLE or (count > 1 and rng.random() < 0.3)
    low, high = _bounds(rng, whole)
    most_rows = rng.choice((1, 1, 1, 2, 3)) if not wanted.values else 1
    between = {
        low,
        high,
        *rng.sample((min(low + 1.0, high), _middle(low, high, whole)), 2 if count == 1 else rng.randint(0, 2)),
    }
    attributes: dict[str, Sequence[Any]] = {"x1": tuple(sorted(between))}
    regions = rng.choice((0, 0, 2, 3)) if count > 1 and law != "mixed" else 0
    if wanted.second:
        attributes["x2"] = _bounds(rng, whole)
    cells = rng.randint(2, 3)
    attributes |= {
        "flag": (0, 1),
        "group": tuple(range(cells)),
        "rows": rows_of(2, most_rows),
        "region": tuple(range(regions)),
    }
    tables = []
    for index in range(count):
        mixed = law in ("geometric", "laplace") and count > 1 and whole
        own = rng.choice(("geometric", "laplace")) if mixed else law
        if law == "mixed":
            own = rng.choice((*GAUSSIAN, "geometric", "laplace") if whole else ("gaussian", "laplace"))
        elif law in GAUSSIAN and count > 1 and whole and rng.random() < 0.3:
            own = rng.choice(GAUSSIAN)
        table = _table(
            rng, own, relation, wanted if index == 0 else replace(wanted, statistic=None), attributes, most_rows, index
        )
        here = regions and table.statistic != "mean" and rng.random() < 0.8
        tables.append(replace(table, region=rng.randrange(regions) if here else None))
    if regions and all(table.region is None for table in tables):
        regions = 0
    moves = rng.random() < 0.5
    tables = _shares(rng, tables, relation, moves)
    read = {name for table in tables for name in table.attributes}
    gaussian = [table.mechanism in GAUSSIAN for table in tables]
    deltas: tuple[float | None, ...] = (1e-9, 1e-6, 1e-5, 1e-3, 0.01)
    if all(gaussian):
        deltas += (None, None)
    world = World(
        attributes={name: values for name, values in attributes.items() if name in read or name == "x1"},
        tables=tuple(tables),
        neighbours=relation,
        moves=moves,
        repetitions=1 if wanted.plain else rng.choice((1, 1, 1, 2, 3)),
        delta=rng.choice(deltas) if any(gaussian) else None,
    )
    if not wanted.plain and rng.random() < 0.3:
        world = _with_earlier(rng, world)
    return world


def _bounds(rng: random.Random, whole: bool) -> tuple[float, float]:
    low, width = rng.choice((0, 0, 0, -3, 9, -5)), rng.choice((1, 2, 4, 10))
    if not whole and rng.random() < 0.5:
        return float(low) * 0.5, float(low) * 0.5 + digits(rng, 0.4, 6, 1)
    return float(low), float(low + width)


def _middle(low: float, high: float, whole: bool) -> float:
    return float((low + high + 1) // 2) if whole else (low + high) / 2


def _table(
    rng: random.Random, law: str, relation: str, wanted: Wanted, attributes: Mapping[str, Any], rows: int, index: int
) -> Table:
    name, whole = f"table {index + 1}", law in WHOLE
    weights: tuple[tuple[str, float], ...] = (("x1", 1.0),)
    if wanted.second:
        weights = (("x1", 1.0), ("x2", float(rng.choice((1, 2)) if whole else rng.choice((1.0, 0.5, 2.0)))))
    same: dict[str, Any] = {"name": name, "mechanism": law, "rounded": whole}
    kinds = ["count", "sum", "histogram", "vector"] if not wanted.second else ["sum", "vector"]
    if index == 0 and wanted.values:
        kinds = ["sum", "sum", "vector"] if wanted.second else ["sum"]
    if relation == "replace" and not wanted.second and (not whole or rng.random() < 0.1):
        kinds.append("mean")
    kind = wanted.statistic or rng.choice(kinds)
    values = attributes["x1"]
    if kind == "count":
        if (
            rows == 1 and index > 0 and rng.random() < 0.2
        ):  # of those with a value in some range: it jumps with the value
            return Table(
                statistic="count", reads="near", attribute="x1", edges=(min(values), max(values) - 0.5), **same
            )
        return Table(statistic="count", reads="rows" if rows > 1 else "flag", **same)
    if kind == "histogram":
        if rows == 1 and rng.random() < 0.2:
            middle = (min(values) + max(values)) / 2
            return Table(statistic="histogram", reads="bins", attribute="x1", edges=(middle,), **same)
        if rows > 1:
            return Table(statistic="histogram", reads="row_cells", cells=2, **same)
        return Table(statistic="histogram", reads="cells", cells=len(attributes["group"]), **same)
    if kind == "mean":
        return Table(statistic="mean", reads="weights", weights=weights, records=rng.choice((4, 10, 50)), **same)
    if kind == "vector":
        pair = weights if len(weights) == 2 else (("x1", 1.0), ("x1", float(rng.choice((1, 2)))))
        return Table(statistic="vector", reads="values", weights=pair, **same)
    return Table(statistic="sum", reads="weights", weights=weights, **same)


def _shares(rng: random.Random, tables: list[Table], relation: str, moves: bool) -> list[Table]:
    """Give each a share: together at most 1, tables of different regions side by side where nobody moves."""
    if len(tables) == 1:
        return tables
    drawn = [rng.choice((1, 2, 5, 9)) for _ in tables]
    total = sum(drawn)
    regions = [table.region for table in tables]
    apart = relation == "add_remove" or not moves
    if apart and None not in regions and len(set(regions)) == len(regions):
        total = max(drawn)
    return [replace(t, share=int(1000 * d / total) / 1000) for t, d in zip(tables, drawn, strict=True)]


def _with_earlier(rng: random.Random, world: World) -> World:
    old = []
    for index in range(rng.randint(1, 2)):
        relation = rng.choice(("add_remove", "add_remove", "replace"))
        tables = [table for table in world.tables if table.statistic != "mean"]
        base = rng.choice(tables) if tables else world.tables[0]
        if base.statistic == "mean":
            relation = "replace"
        table = replace(base, name=f"earlier {index + 1}", mechanism="laplace", region=None, share=1.0)
        if rng.random() < 0.2 and "x1" in world.attributes:
            values = world.attributes["x1"]
            table = Table(
                name=table.name,
                statistic="count",
                reads="near",
                attribute="x1",
                edges=(min(values), max(values) - 1e-3),
            )
        old.append(Earlier(table=table, epsilon=digits(rng, 0.01, 0.3), neighbours=relation))
        if rng.random() < 0.15 and table.smooth:
            stated = {"delta": 1e-6} if rng.random() < 0.5 else {"rho": digits(rng, 0.001, 0.05)}
            old[-1] = replace(old[-1], table=replace(table, mechanism="gaussian"), **stated)
    return replace(world, earlier=tuple(old), counts_earlier=rng.random() < 0.8)


# --------------------------------------------------------------------------------------- the file's release


def a_release(rng: random.Random, world: World) -> tuple[Told, bool]:
    """Return the release as a file states it, and whether it states all that counts."""
    told = True
    other = "replace" if world.neighbours == "add_remove" else "add_remove"
    rows = max((len(r) for r in world.attributes.get("rows", ((0,),))), default=1)
    release: Told = {
        "unit": "one person",
        "neighbours": world.neighbours,
        "repetitions": world.repetitions,
        "contributions": rows,
    }
    if world.delta is not None:
        release["delta"] = world.delta
    if len(world.tables) == 1:
        stated, complete = _figures(rng, world, world.tables[0], other)
        release |= stated
        told &= complete
    else:
        release |= {"statistic": "vector", **called(rng, world.tables[0].mechanism), "parts": []}
        regions = [table.region for table in world.tables if table.region is not None]
        grouped = len(set(regions)) == len(regions) and rng.random() < 0.5
        for table in world.tables:
            part, complete = _figures(rng, world, table, other)
            told &= complete
            part |= {"name": table.name, "share": table.share}
            if rows > 1 and "rows" in table.attributes and rng.random() < 0.6:
                part["contributions"] = rows
            apart = [t.name for t in world.tables if None not in (t.region, table.region) and t.region != table.region]
            if apart and grouped:
                part["group"] = "areas"
            elif apart:
                part["disjoint_with"] = apart
            if apart and not (world.moves and rng.random() < 0.5):
                part["moves"] = world.moves
            release["parts"].append(part)
    if world.earlier:
        told &= not world.counts_earlier
        release["spent"] = [_spent(rng, world, old) for old in world.earlier]
        release["priors_from"] = "before_all" if world.counts_earlier else "this_release"
    return release, told


def _figures(rng: random.Random, world: World, table: Table, other: str) -> tuple[Told, bool]:
    """Return what the file states of one table."""
    stated: Told = {"statistic": table.statistic, "sensitivity": world.sensitivity(table, world.neighbours)}
    stated |= called(rng, table.mechanism)
    if table.dimension > 1:
        stated["dimension"] = table.dimension
    told = world.neighbours == "replace"
    size = world.sensitivity(table, other)
    if size < float("inf") and rng.random() < 0.7:
        stated["sensitivity_other"] = size
        told = True
    if table.statistic == "sum" and table.mechanism in WHOLE:
        stated["step"] = 1
    effects = effects_of(world, table)
    if effects and rng.random() < 0.85:
        stated["effects"] = effects
    else:
        told = False
    if rng.random() < 0.6:
        stated["reads"] = list(table.attributes)
    return stated, told


def called(rng: random.Random, law: str) -> Told:
    """Return what a file states of noise of this LAW: a mechanism that adds it, whatever it makes of the outputs."""
    adding = [(name, one.parameters) for name, one in SAMPLES.items() if (one.law or name) == law]
    name, parameters = adding[0] if len(adding) == 1 else rng.choice(adding)
    return {"mechanism": name, **parameters}


def effects_of(world: World, table: Table) -> Told:
    """Return how far a table moves with each value that is guessed; what it jumps with has no figure."""
    named = [name for name in ("x1", "x2") if name in world.attributes]
    return {name: table.effect(name) for name in named if table.smooth or name not in table.attributes}


def _spent(rng: random.Random, world: World, old: Earlier) -> Told:
    stated: Told = {"epsilon": old.epsilon, "neighbours": old.neighbours, "record": old.table.name}
    other = "replace" if old.neighbours == "add_remove" else "add_remove"
    size = world.sensitivity(old.table, other)
    if old.delta is not None:
        stated |= {"mechanism": "gaussian", "delta": old.delta}
    elif old.rho is not None:
        stated = {"mechanism": "gaussian", "rho": old.rho, "neighbours": old.neighbours, "record": old.table.name}
    if old.law == "gaussian" and rng.random() < 0.6:
        stated["sensitivity"] = world.sensitivity(old.table, old.neighbours)
        if size < float("inf"):
            stated["sensitivity_other"] = size
    if old.law == "gaussian":
        return stated
    if rng.random() < 0.6:
        stated |= {"mechanism": "laplace", "sensitivity": world.sensitivity(old.table, old.neighbours)}
        if size < float("inf"):
            stated["sensitivity_other"] = size
        effects = effects_of(world, old.table)
        if effects and rng.random() < 0.7:
            stated["effects"] = effects
    return stated
