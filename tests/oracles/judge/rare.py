"""Requirements that may fail rarely, on average, or on two datasets: the worst event of the actual outputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from tests.oracles.judge.noise import Floats
from tests.oracles.judge.people import Table
from tests.oracles.judge.telling import told
from tests.oracles.judge.world import GAUSSIAN, World
from tests.oracles.relative_risk_oracle import ratio_of

Told = Mapping[str, Any]
Harm = tuple[float, float]
ORDERS = (1.001, 1.2, 1.5, 2.0, 4.0, 16.0, 100.0)
CERTAIN = 1e-6  # nearer to certainty nobody is looked at: odds would be noise


def tolerance(world: World, asked: Told, epsilon: float, beliefs: tuple[Floats, Floats], known: bool) -> Harm:
    """The largest share, over all beliefs of the class, of people of whom it is true who are lifted beyond it."""
    cells = told(world, epsilon, known=known)
    best = 0.0
    for p, q, odds in _odds(asked, beliefs):
        best = max(best, *(one.event(p, q, odds) for one in cells))
    return best, asked["tolerance"]


def average(world: World, asked: Told, epsilon: float, beliefs: tuple[Floats, Floats], known: bool) -> Harm:
    """The largest (mean ratio / allowed ratio) over all beliefs of the class; 1 is allowed."""
    p, q = beliefs
    allowed = ratio_of(asked["profile"], p, q)
    binding = allowed * p * q < 1.0
    means = np.max([one.mean_ratio(p, q) for one in told(world, epsilon, known=known)], axis=0)
    return float(np.max(np.where(binding, means / allowed, 0.0))), 1.0


def learned(world: World, asked: Told, epsilon: float, p: float, q: float, known: bool) -> float:
    """Return the ratio that is passed for the share of the tolerance, or the mean ratio."""
    cells = told(world, epsilon, known=known)
    if asked["statement"] == "average":
        return max(float(one.mean_ratio(np.array([p]), np.array([q]))[0]) for one in cells)
    odds = max(one.odds(p, q, asked["tolerance"]) for one in cells)
    return odds / (1 + odds) / (p * q) if math.isfinite(odds) else 1 / (p * q)


def _odds(asked: Told, beliefs: tuple[Floats, Floats]) -> list[tuple[float, float, float]]:
    """Return every belief with the odds it may come to; those that may be certain are left out."""
    p, q = beliefs
    after = ratio_of(asked["profile"], p, q) * p * q
    kept = (after < 1 - CERTAIN) & (p * q < 1 - CERTAIN)
    return [(float(a), float(b), float(x / (1 - x))) for a, b, x in zip(p[kept], q[kept], after[kept], strict=True)]


def two_worlds(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The chance of the most telling event that has this chance without the person, once the person is in."""
    cells = told(world, epsilon, alone=True)
    return max(one.hit(asked["chance_without"]) for one in cells), asked["chance_with"]


def attack_success(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The most often that an attack succeeds which succeeds so often without the person, once the person is in."""
    return max(one.hit(asked["baseline"]) for one in told(world, epsilon, alone=True)), asked["at_most"]


def attack_advantage(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """How many more of those who are in than of those who are not the best rule accuses."""
    return max(one.apart() for one in told(world, epsilon, alone=True)), asked["advantage"]


def rho(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The rho of everything: the largest Renyi divergence over its order, of the laws themselves."""
    if any(world.changes(table, world.neighbours).any() for table in world.exact):
        return math.inf, asked["total"]
    parts = [
        (table, table.mechanism, world.scale(table, epsilon), world.repetitions)
        for table in world.tables
        if table.mechanism != "exact"
    ]
    parts += [(old.table, old.law, world.earlier_scale(old), 1) for old in world.earlier]
    allowed = world.allowed if world.neighbours == "replace" else np.zeros(len(world.people))
    orders: list[Floats] = [sum(_renyi(world, *part, order) for part in parts) + allowed for order in ORDERS]
    return max(float(each.max()) for each in orders), asked["total"]


def _renyi(world: World, table: Table, law: str, scale: float, times: int, order: float) -> Floats:
    """Return the Renyi divergence over its order, of every pair of worlds; of several pure numbers only 0 is known."""
    moved = np.minimum(world.changes(table, world.neighbours), 1e9) / scale
    if law in GAUSSIAN:
        return np.asarray(times * moved**2 / 2)
    if table.dimension > 1 or law == "geometric":
        return np.zeros_like(moved)
    logs = np.logaddexp(
        math.log(order / (2 * order - 1)) + (order - 1) * moved,
        math.log((order - 1) / (2 * order - 1)) - order * moved,
    )
    return np.asarray(times * logs / (order - 1) / order)
