"""How much likelier a right guess becomes: beliefs about one value or several, and outputs of the actual release."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import ndtr

from tests.oracles import guessing_oracle
from tests.oracles.judge.noise import GAUSSIAN, Floats
from tests.oracles.judge.people import Table
from tests.oracles.judge.world import World

Told = Mapping[str, Any]
OUTPUTS = 11  # tried in the interval of right guesses
STEPS = 14  # different outputs tried of tables that jump


def guessing_advantage(world: World, asked: Told, epsilon: float, binding: Told) -> tuple[float, float]:
    """The most that the chance of a right guess moves, in the direction asked, for the truth stated or the worst."""
    each = asked["attributes"]
    if asked.get("statement", "certain") == "expected":
        before, after = expected(world, each[0], epsilon)
        return after - before, asked["advantage"]
    ways = {"rise": (1,), "drop": (-1,), "both": (1, -1)}[asked.get("direction", "rise")]
    best = 0.0
    for pull in _pulls(world, epsilon):
        if asked.get("combine", "one") != "one":
            together = bool(binding.get("dependent"))
            best = max(best, *(_joint(pull, each, asked["combine"], way, together) for way in ways))
            continue
        truths = [each[0]["truth"]]
        if truths == ["worst"]:
            truths = [binding["victim"]] if "victim" in binding else _victims(pull, each[0], ways)
        best = max(best, *(_moved(pull, each[0], truth, way) for truth in truths for way in ways))
    return best, asked["advantage"]


def expected(world: World, one: Told, epsilon: float) -> tuple[float, float]:
    """Return how often the best guess is right on average over values and noise, before and after the release.

    Every table moves in proportion to the value, as the answer assumes; where one jumps, nothing is looked at.
    """
    prior, precision = one["prior"], one["precision"]
    told = 0.0
    sources = [(table, world.scale(table, epsilon), world.repetitions) for table in world.tables]
    if world.counts_earlier:
        sources += [(old.table, world.earlier_scale(old), 1) for old in world.earlier]
    for table, scale, times in sources:
        moves = [weight / table.records for name, weight in table.weights if name == "x1"]
        told += times * sum((each / scale) ** 2 for each in moves)
        if table.mechanism != "gaussian" or not table.smooth:
            return 0.0, 0.0
    noise = 1 / math.sqrt(told) if told else math.inf
    return _best_guess(prior, precision, math.inf), _best_guess(prior, precision, noise)


def _best_guess(prior: Told, precision: float, noise: float) -> float:
    """Return how often the best guess is within PRECISION once the value is seen with normal NOISE (infinite: not)."""
    if prior["family"] == "normal":  # and so is what is believed after
        spread = 1 / math.hypot(1 / prior["sd"], 1 / noise)
        return float(2 * ndtr(precision / spread) - 1)
    if prior["family"] == "uniform":
        low, high = prior["low"], prior["high"]
        if high - low <= 2 * precision:
            return 1.0
        if math.isinf(noise):
            return 2 * precision / (high - low)
        outputs = np.linspace(low - 9 * noise, high + 9 * noise, 20_001)
        guess = np.clip(outputs, low + precision, high - precision)
        hits = ndtr((guess + precision - outputs) / noise) - ndtr((guess - precision - outputs) / noise)
        return float(np.trapezoid(hits, outputs) / (high - low))
    values, masses = _atoms(prior)
    exact = [Fraction(repr(float(value))) for value in values]
    length = 2 * Fraction(repr(float(precision)))
    windows = np.array([[0 <= value - first <= length for value in exact] for first in exact], dtype=np.float64)
    masses = masses / masses.sum()
    if math.isinf(noise):
        return float((windows @ masses).max())
    outputs = np.linspace(values.min() - 9 * noise, values.max() + 9 * noise, 20_001)
    seen = np.exp(-(((outputs[:, None] - values[None, :]) / noise) ** 2) / 2) * masses
    best = (seen @ windows.T).max(axis=1) / noise / math.sqrt(2 * math.pi)
    return float(np.trapezoid(best, outputs))


def victim(world: World, asked: Told, epsilon: float) -> float:
    """Return the truth, of those tried, whose right guess moves most."""
    ways = {"rise": (1,), "drop": (-1,), "both": (1, -1)}[asked.get("direction", "rise")]
    one = asked["attributes"][0]
    found = [(pull, truth) for pull in _pulls(world, epsilon) for truth in _victims(pull, one, ways)]
    return max(found, key=lambda each: max(_moved(each[0], one, each[1], way) for way in ways))[1]


def _pulls(world: World, epsilon: float) -> list[_Pull]:
    """Return what the tables tell of somebody in each of the regions."""
    regions = sorted({table.region for table in world.tables if table.region is not None})
    return [_Pull(world, epsilon, region) for region in regions or (None,)]


class _Pull:
    """How much each output speaks against each value: the loss per unit that every table moves."""

    def __init__(self, world: World, epsilon: float, region: int | None) -> None:
        self.world, self.open = world, False
        self.tables: list[tuple[Table, float]] = []
        for table in world.tables:
            if table.region not in (None, region):
                continue
            if table.mechanism in (*GAUSSIAN, "exact"):
                self.open = self.open or self._reads(table)
                continue
            unit = world.repetitions * world.level(table, epsilon) / world.sensitivity(table, world.neighbours)
            self.tables.append((table, unit))
        self.open = self.open or any(self._reads(table) for table in world.exact)
        if world.counts_earlier:
            for old in world.earlier:
                if old.law == "gaussian":
                    self.open = self.open or self._reads(old.table)
                    continue
                self.tables.append((old.table, old.epsilon / world.sensitivity(old.table, old.neighbours)))

    @staticmethod
    def _reads(table: Table) -> bool:
        return not table.smooth or bool(table.weights)

    def numbers(self, name: str, values: Floats) -> tuple[Floats, Floats]:
        """Return, weighted by loss, what moves smoothly with attribute NAME and what jumps: rows for VALUES."""
        known = self.world.attributes.get(name)
        clipped = np.clip(values, min(known), max(known)) if known else values
        smooth, jumps = [], []
        for table, unit in self.tables:
            if table.reads in ("weights", "values"):
                rounded = np.floor(clipped + 0.5) if table.rounded else clipped
                for one, weight in table.weights:
                    if one == name:
                        (jumps if table.rounded else smooth).append(unit * weight / table.records * rounded)
            elif table.reads == "bins" and table.attribute == name:
                cell = np.searchsorted(table.edges, clipped, side="right")
                jumps += [unit * (cell == k) for k in range(table.dimension)]
            elif table.reads == "near" and table.attribute == name:
                jumps.append(unit * ((clipped >= table.edges[0]) & (clipped <= table.edges[1])))
        none = np.zeros((len(values), 0))
        return (np.array(smooth).T if smooth else none), (np.array(jumps, dtype=np.float64).T if jumps else none)


# ------------------------------------------------------------------------------------------ one value


def right_guesses(values: Sequence[float], truth: float, precision: float) -> Any:
    """Return which values lie within PRECISION of TRUTH, as the decimals are written."""
    middle, half = Fraction(repr(float(truth))), Fraction(repr(float(precision)))
    return np.array([abs(Fraction(repr(float(v))) - middle) <= half for v in values])


def _moved(pull: _Pull, one: Told, truth: float, way: int) -> float:
    prior, precision = one["prior"], one["precision"]
    if prior["family"] == "discrete":
        values, masses = _atoms(prior)
        right = right_guesses(prior["points"], truth, precision)
        outputs = np.unique(values)
    else:
        low, high = guessing_oracle.reach(prior, truth, precision)
        if low >= high:
            return 0.0
        ends = np.linspace(low, high, OUTPUTS)
        values, masses = (side.astype(np.float64) for side in guessing_oracle.pieces(prior, tuple(ends), 0.0))
        right = (values >= low) & (values <= high)
        outputs = ends if way > 0 else np.concatenate((ends, np.linspace(values.min(), values.max(), 9)))
    before = float(masses[right].sum() / masses.sum())
    if before <= 0 or before >= 1:
        return 0.0
    if pull.open:
        return 1 - before if way > 0 else before
    smooth, jumps = pull.numbers("x1", values)
    seen, _ = pull.numbers("x1", outputs)
    smooth_losses = np.abs(smooth[None, :, :] - seen[:, None, :]).sum(axis=2)
    shown = np.unique(jumps[:: max(1, len(jumps) // 400)], axis=0)[:STEPS]
    best = 0.0
    for output in shown:
        logs = -smooth_losses - np.abs(jumps - output).sum(axis=1)
        weight = masses * np.exp(logs - logs.max(axis=1, keepdims=True))
        after = weight[:, right].sum(axis=1) / weight.sum(axis=1)
        best = max(best, float((way * (after - before)).max()))
    return best


def _atoms(prior: Told) -> tuple[Floats, Floats]:
    values = np.array(prior["points"], dtype=np.float64)
    return values, np.array(prior.get("probabilities") or [1.0] * len(values), dtype=np.float64)


def _victims(pull: _Pull, one: Told, ways: Sequence[int]) -> list[float]:
    """Return the truths that gain most, of many."""
    prior, precision = one["prior"], one["precision"]
    if prior["family"] == "discrete":
        return sorted(set(prior["points"]))
    low, high = guessing_oracle.reach(prior, 0.0, math.inf)
    values, masses = (side.astype(np.float64) for side in guessing_oracle.pieces(prior, (), 0.0))
    order = np.argsort(values)
    values, masses = values[order], masses[order]
    spread = np.interp(np.linspace(1e-4, 1 - 1e-4, 17), np.cumsum(masses) / masses.sum(), values)
    far = [values[-1], values[0], *np.linspace(spread[0] - 3 * precision, spread[-1] + 3 * precision, 17)]
    far += [*(spread - precision), *(spread + precision)]  # the edge of their right guesses lies within the belief
    edges = [low + precision, high - precision, low, high] + [
        e + s * precision for e in prior.get("edges", ()) for s in (-1, 0, 1)
    ]
    tried = [float(x) for x in (*spread, *far, *edges) if math.isfinite(x)]
    return sorted(tried, key=lambda truth: -max(_moved(pull, one, truth, way) for way in ways))[:2]


# ------------------------------------------------------------------------------------------ several values


def _joint(pull: _Pull, each: Sequence[Told], combine: str, way: int, together: bool) -> float:
    """The same for all of several values, or any, with beliefs that are independent (or move TOGETHER)."""
    grids = [_atoms(one["prior"]) for one in each]
    names = [f"x{i + 1}" for i in range(len(each))]
    if together:
        levels = np.unique(np.concatenate([np.cumsum(m) / m.sum() for _, m in grids]).round(12))
        middle = (np.concatenate(([0.0], levels[:-1])) + levels) / 2
        columns = [v[np.minimum(np.searchsorted(np.cumsum(m) / m.sum(), middle), len(v) - 1)] for v, m in grids]
        points, masses = np.array(columns).T, np.diff(np.concatenate(([0.0], levels)))
    else:
        points = np.array(np.meshgrid(*(v for v, _ in grids), indexing="ij")).reshape(len(grids), -1).T
        masses = np.prod(
            np.array(np.meshgrid(*(m / m.sum() for _, m in grids), indexing="ij")).reshape(len(grids), -1), axis=0
        )
    hits = np.array([right_guesses(points[:, i], one["truth"], one["precision"]) for i, one in enumerate(each)])
    right = hits.all(axis=0) if combine == "and" else hits.any(axis=0)
    before = float(masses[right].sum())
    if before <= 0 or before >= 1:
        return 0.0
    if pull.open:
        return 1 - before if way > 0 else before
    columns_of = []
    for table, unit in pull.tables:
        if table.reads == "values":
            columns_of += [unit * w * points[:, names.index(n)] for n, w in table.weights if n in names]
        elif table.reads == "weights":
            parts = [w / table.records * points[:, names.index(n)] for n, w in table.weights if n in names]
            columns_of.append(unit * np.sum(parts, axis=0) if parts else np.zeros(len(points)))
        elif table.reads == "near":
            at = points[:, names.index(table.attribute)]
            columns_of.append(unit * ((at >= table.edges[0]) & (at <= table.edges[1])))
        elif table.reads == "bins":
            cell = np.searchsorted(table.edges, points[:, names.index(table.attribute)], side="right")
            columns_of += [unit * (cell == k) for k in range(table.dimension)]
    shown = np.array(columns_of, dtype=np.float64).T if columns_of else np.zeros((len(points), 1))
    outputs = np.unique(shown, axis=0)
    logs = -np.abs(outputs[:, None, :] - shown[None, :, :]).sum(axis=2)
    weight = masses * np.exp(logs - logs.max(axis=1, keepdims=True))
    after = weight[:, right].sum(axis=1) / weight.sum(axis=1)
    return max(0.0, float((way * (after - before)).max()))
