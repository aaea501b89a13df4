"""What outputs reveal about three datasets: a person present with a value, absent, or present with another value.

Every number of a release is a cell of outputs with its chance in each of the three worlds. Cells are multiplied out and
cells that tell alike are put together: that is a processing of the release, so whatever is found of them can be done.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from tests.oracles.judge.noise import WIDE, Floats, lattice
from tests.oracles.judge.world import GAUSSIAN, WHOLE, World

MOST = 5000  # cells that are kept of one number
FEW, OF_ONE = 800, 100  # and of several together, and of each of them
RARE = 1e-9  # what is rarer in every world is one cell
FINE = 3000  # cells of a line, and (its root, so many times) of a plane
REACH = 9.0  # standard deviations beyond which outputs are one cell
PAIRS = 3  # of people looked at


@dataclass(frozen=True)
class Cells:
    """Chances of cells of outputs: with the value, absent, with another value."""

    true: Floats
    absent: Floats
    other: Floats

    def times(self, more: Cells) -> Cells:
        """Return the cells of two independent outputs."""
        mine = (self.true, self.absent, self.other)
        theirs = (more.true, more.absent, more.other)
        return Cells(*(np.outer(a, b).ravel() for a, b in zip(mine, theirs, strict=True)))

    def merged(self, most: int) -> Cells:
        """Put cells that tell alike together until there are few enough."""
        if len(self.true) <= most:
            return self
        bins = most
        first, second = _losses(self.true, self.absent), _losses(self.true, self.other)
        while True:
            keys = _keys(*first, bins) * (2 * most + 8) + _keys(*second, bins)
            found, at = np.unique(keys, return_inverse=True)
            if len(found) <= most:
                return Cells(*(np.bincount(at, side, len(found)) for side in (self.true, self.absent, self.other)))
            bins = min(bins * 3 // 4, round(bins * math.sqrt(most / len(found))))

    def event(self, p: float, q: float, odds: float) -> float:
        """Return the largest share of those with the value whose odds, from beliefs P and Q, come to ODDS."""
        gain = p * q * self.true - odds * ((1 - p) * self.absent + p * (1 - q) * self.other)
        room = float(gain[gain >= 0].sum())
        share = float(self.true[gain >= 0].sum())
        order = np.argsort(gain / np.maximum(self.true, 1e-300))[::-1]
        order = order[gain[order] < 0]
        used = np.cumsum(-gain[order])
        some = int(np.searchsorted(used, room, side="right"))
        share += float(self.true[order[:some]].sum())
        if some < len(order):
            rest = order[some]
            share += float(self.true[rest] * (room - (used[some - 1] if some else 0.0)) / -gain[rest])
        return share

    def odds(self, p: float, q: float, share: float) -> float:
        """Return the largest odds, from beliefs P and Q, to which this SHARE of those with the value is lifted."""
        others = (1 - p) * self.absent + p * (1 - q) * self.other
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            order = np.argsort(np.where(others > 0, self.true / others, math.inf))[::-1]
        hits = np.concatenate(([0.0], np.cumsum(self.true[order])))
        alarm = float(np.interp(share, hits, np.concatenate(([0.0], np.cumsum(others[order])))))
        return p * q * share / alarm if alarm > 0 else math.inf

    def mean_ratio(self, p: Floats, q: Floats) -> Floats:
        """Return the mean of the chance after over that before, where it is true, for each belief."""
        p, q = p[:, None], q[:, None]
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            after = self.true**2 / (p * q * self.true + (1 - p) * self.absent + p * (1 - q) * self.other)
        return np.asarray(np.nansum(np.where(self.true > 0, after, 0.0), axis=1))

    def hit(self, alarm: float) -> float:
        """Return the chance with the person of the most telling event that has chance ALARM without."""
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            order = np.argsort(np.where(self.absent > 0, self.true / self.absent, math.inf))[::-1]
        alarms = np.concatenate(([0.0], np.cumsum(self.absent[order])))
        hits = np.concatenate(([0.0], np.cumsum(self.true[order])))
        return float(np.interp(alarm, alarms, hits))

    def apart(self) -> float:
        """Return how many more of those present than of those absent the best rule accuses."""
        return float(np.maximum(self.true - self.absent, 0.0).sum())


NOTHING = Cells(np.ones(1), np.ones(1), np.ones(1))


def _losses(one: Floats, other: Floats) -> tuple[Floats, float, float]:
    """Return the loss of each cell, and between which losses all cells lie but for the rarest."""
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        told = np.log(one) - np.log(other)
    often = np.isfinite(told) & (np.maximum(one, other) > RARE / len(one))
    return told, float(told[often].min(initial=0.0)), float(told[often].max(initial=0.0))


def _keys(told: Floats, low: float, high: float, bins: int) -> Floats:
    step = max((high - low) / bins, 1e-12)
    inside = np.floor((np.clip(np.nan_to_num(told, nan=low), low, high) - low) / step).astype(np.int64)
    return np.where(np.isfinite(told), inside + 1, np.where(told > 0, bins + 5, 0))


# ------------------------------------------------------------------------------------------- one number each


@dataclass(frozen=True)
class Number:
    """One number: its noise, the scale of it, and how far it lies from there if absent, or with another value."""

    law: str
    scale: float
    absent: float
    other: float

    def cells(self) -> Cells:
        """Return its outputs, centred where the person is present with the value."""
        if self.law == "exact":
            at = np.unique((0.0, self.absent, self.other))
            return Cells(*((np.abs(at - x) < 1e-12).astype(float) for x in (0.0, self.absent, self.other)))
        if self.law == "laplace":
            edges = np.unique(np.append(np.linspace(*self._ends(), 400), (0.0, self.absent, self.other)))
            return self._between(np.concatenate(([-math.inf], edges, [math.inf])))
        low, high = self._ends()
        if self.law == "geometric":
            return self._between(np.concatenate(([-math.inf], np.arange(low, high + 1) - 0.5, [math.inf])))
        step = max(1, math.ceil(2 * REACH * self.scale / FINE))
        far = math.ceil(REACH * self.scale)
        inner = np.arange(math.floor(low) - far, math.ceil(high) + far + 1, step) - 0.5
        return self._between(np.concatenate(([-math.inf], inner, [math.inf])))

    def _ends(self) -> tuple[float, float]:
        return min(0.0, self.absent, self.other), max(0.0, self.absent, self.other)

    def _between(self, edges: Floats) -> Cells:
        sides = []
        for centre in (0.0, self.absent, self.other):
            at = edges - centre
            right = _beyond(self.law, self.scale, at[:-1]) - _beyond(self.law, self.scale, at[1:])
            left = _beyond(self.law, self.scale, -at[1:]) - _beyond(self.law, self.scale, -at[:-1])
            sides.append(np.maximum(np.where(at[:-1] + at[1:] > 0, right, left), 0.0))
        return Cells(*sides)


def _beyond(law: str, scale: float, x: Floats) -> Floats:
    """P(noise > x); of whole noise x lies between two whole numbers."""
    if law == "laplace":
        tail = 0.5 * np.exp(-np.abs(x) / scale)
        return np.where(x >= 0, tail, 1 - tail)
    steps = np.floor(np.clip(x, -1e15, 1e15)) + 1
    if law == "geometric":
        alpha = math.exp(-1 / scale)
        with np.errstate(under="ignore"):
            up, down = alpha ** np.maximum(steps, 0), alpha ** np.maximum(1 - steps, 0)
        return np.where(steps > 0, up, 1 + alpha - down) / (1 + alpha)
    far, tails = lattice(scale)
    return tails[np.clip(steps, -far, far + 1).astype(int) + far]


def plane(absent: Floats, other: Floats) -> Cells:
    """Return the outputs of normal numbers, in standard deviations from where the person is present with the value."""
    near, far = float(np.linalg.norm(absent)), float(np.linalg.norm(other))
    if near == 0.0 or far == 0.0:
        along, up = (far, 0.0) if near == 0.0 else (0.0, 0.0)
    else:
        along = float(absent @ other) / near
        up = math.sqrt(max(far * far - along * along, 0.0))
    places = (0.0, -near, -along)
    if up <= 1e-7 * (near + far):
        return Cells(*_normal(places, FINE))
    count = math.isqrt(FINE) * 3
    rows, columns = _normal(places, count), _normal((0.0, 0.0, -up), count)
    return Cells(*(np.outer(a, b).ravel() for a, b in zip(rows, columns, strict=True)))


def _normal(places: Sequence[float], count: int) -> list[Floats]:
    """Cells reach so far beyond each place that they hold what a mean of ratios rests on, too."""
    low, high = min(places), max(places)
    inner = np.linspace(low - REACH - (high - low), high + REACH + (high - low), count)
    edges = np.concatenate(([-math.inf], inner, [math.inf]))
    found = []
    for place in places:
        at = edges - place
        found.append(np.where(at[:-1] > 0, ndtr(-at[:-1]) - ndtr(-at[1:]), ndtr(at[1:]) - ndtr(at[:-1])))
    return found


# ------------------------------------------------------------------------------------------- of a release


def told(world: World, budget: float, *, known: bool = False, alone: bool = False) -> list[Cells]:
    """Return what the release tells of the people of whom it tells most, at a BUDGET.

    known: the person is known to be present, so that it is no matter what being absent would change. alone: it is no
    matter what another value would change.
    """
    signatures: dict[tuple[object, ...], tuple[float, float, int, int]] = {}
    gone = np.zeros(len(world.people)) if known else _measure(world, budget, "add_remove")
    apart = np.zeros((len(gone),) * 2) if alone else _measure(world, budget, "replace") + world.allowed
    for one in range(len(world.people)):
        for other in np.flatnonzero(apart[one] >= apart[one].max() * (1 - 1e-9) - 1e-12)[:3]:
            key = (round(gone[one], 9), round(float(apart[one, other]), 9))
            signatures.setdefault(key, (float(gone[one]), float(apart[one, other]), one, int(other)))
    pairs = sorted(signatures.values(), reverse=True)
    kept = [x for x in pairs if not any(y is not x and y[0] >= x[0] and y[1] >= x[1] for y in pairs)] or pairs[:1]
    kept += [x for x in pairs if x not in kept]
    return [_cells(world, budget, one, None if alone else other, known) for *_, one, other in kept[:PAIRS]]


def _measure(world: World, budget: float, relation: str) -> Floats:
    """Return a rough measure of how much is told of each pair of worlds."""
    found: Floats = np.zeros(len(world.people) if relation == "add_remove" else (len(world.people),) * 2)
    for table in world.tables:
        if table.mechanism == "exact":
            continue
        unit = world.level(table, budget) / world.sensitivity(table, world.neighbours)
        moved = np.minimum(world.changes(table, relation), 1e6) * unit
        found = found + world.repetitions * (moved**2 / 2 if table.mechanism in GAUSSIAN else moved)
    for table in world.exact:
        found = found + 1e3 * (world.changes(table, relation) > 0)
    return found


def _cells(world: World, budget: float, one: int, other: int | None, known: bool) -> Cells:
    normal: tuple[list[float], list[float]] = ([], [])
    numbers: dict[Number, int] = {}

    def add(law: str, scale: float, gone: float, changed: float, times: int) -> None:
        gone = 0.0 if known else gone
        changed = gone if other is None else changed
        if law == "gaussian":
            normal[0].extend([gone / scale] * times)
            normal[1].extend([changed / scale] * times)
        elif gone or changed:
            number = Number(law, scale, gone, changed)
            numbers[number] = numbers.get(number, 0) + times

    person, another = world.people[one], world.people[one if other is None else other]
    for table in world.tables:
        at, there = table.adds(person), table.adds(another)
        missed = table.statistic == "mean" and not known  # a mean of so many: that nobody is left out shows
        if missed:
            add("exact", 1.0, 1.0, 0.0, 1)
        for gone, y in zip(np.zeros(len(at)) if missed else at, at - there, strict=True):
            if table.mechanism == "exact":
                add("exact", 1.0, gone, y, 1)
            if table.mechanism in WHOLE:  # the fraction is left as it is
                add("exact", 1.0, _fraction(gone), _fraction(y), 1)
                gone, y = round(gone), round(y)
            if table.mechanism != "exact":
                scale = world.sensitivity(table, world.neighbours) / world.level(table, budget)
                wide = table.mechanism == "discrete_gaussian" and scale > WIDE
                add("gaussian" if wide else table.mechanism, scale, -gone, -y, world.repetitions)
    for table in world.exact:
        at, there = table.adds(person), table.adds(another)
        for x, y in zip(at, at - there, strict=True):
            add("exact", 1.0, x, y, 1)
    if world.counts_earlier:
        for old in world.earlier:
            at, there = old.table.adds(person), old.table.adds(another)
            for x, y in zip(at, at - there, strict=True):
                add(old.law, world.earlier_scale(old), -x, -y, 1)
    several = bool(normal[0]) + sum(numbers.values()) > 1
    found = plane(np.array(normal[0]), np.array(normal[1])) if normal[0] else NOTHING
    found = found.merged(FEW if several else MOST)
    for number, times in numbers.items():
        one_more = number.cells().merged(OF_ONE if several else MOST)
        for _ in range(times):
            found = found.times(one_more).merged(FEW if several else MOST)
    return found


def _fraction(x: float) -> float:
    left = x - round(x)
    return left if abs(left) > 1e-9 else 0.0
