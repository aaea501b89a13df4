"""Games drawn at random: who adds what, what the intruder holds possible for all others, and the noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.oracles.intruders.noise import Floats, Noise


@dataclass(frozen=True, kw_only=True)
class Game:
    """One release of some numbers, and one intruder's belief about a person and about all others."""

    noise: tuple[Noise, ...]  # of each number
    true: Floats  # what a person adds of whom it is true, one row for each value
    untrue: Floats  # the same of whom it is not true
    of_true: Floats  # how likely the intruder holds each of those values
    of_untrue: Floats
    others: Floats  # what all others may add, one row for each possibility
    of_others: Floats
    spread: float = 0.0  # of a normal belief around each of those, in standard deviations of the noise
    p: float = 0.5
    q: float = 0.5
    geometry: str = "line"

    @property
    def prior(self) -> float:
        """Return how likely the intruder holds it before the release."""
        return self.p * self.q

    @property
    def widths(self) -> Floats:
        """Return the scale of each number's noise."""
        return np.array([law.scale for law in self.noise])

    def distances(self, kinds: tuple[str, ...] = ("normal", "discrete_normal")) -> tuple[float, float]:
        """Return how far a person moves the numbers with noise of KINDS in its scales: by presence, by a value."""
        return self._moved([i for i, law in enumerate(self.noise) if law.kind in kinds], 2)

    def losses(self) -> tuple[float, float]:
        """Return the largest loss under Laplace or geometric noise: of presence, of a value."""
        return self._moved([i for i, law in enumerate(self.noise) if law.kind in ("laplace", "geometric")], 1)

    def steps(self) -> tuple[int, int] | None:
        """Return by how many whole steps a person moves the one number there is, with whole normal noise."""
        if len(self.noise) > 1 or self.noise[0].kind != "discrete_normal":
            return None
        present, apart = self.distances()
        return round(present * self.noise[0].scale), round(apart * self.noise[0].scale)

    def _moved(self, chosen: list[int], norm: int) -> tuple[float, float]:
        if not chosen:
            return 0.0, 0.0
        true, untrue = (side[:, chosen] / self.widths[chosen] for side in (self.true, self.untrue))
        everybody = np.concatenate((true, untrue))
        present = np.linalg.norm(everybody, norm, axis=1).max()
        apart = np.linalg.norm(everybody[:, None] - everybody[None], norm, axis=2).max()
        return float(present), float(max(apart, present))


def a_game(rng: np.random.Generator, mu: float, family: str = "normal", geometry: str | None = None) -> Game:
    """Draw a game in which a person moves the numbers by MU standard deviations at most.

    family: the noise, normal or discrete_normal (whole values), or mixed (a Laplace or geometric number beside them).
    """
    geometry = geometry or str(rng.choice(("line", "histogram", "sums", "span")))
    numbers = {"line": 1, "span": 1, "histogram": int(rng.integers(2, 4)), "sums": int(rng.integers(2, 4))}[geometry]
    whole = family == "discrete_normal"
    true, untrue = _values(rng, geometry, numbers, whole)
    size = max(np.linalg.norm(np.concatenate((true, untrue)), axis=1).max(), 1e-9)
    laws = [Noise("discrete_normal" if whole else "normal", size / mu)] * numbers
    if family == "mixed":
        true, untrue = (np.column_stack((side, rng.choice((-1.0, 0.0, 1.0), len(side)))) for side in (true, untrue))
        laws.append(Noise(str(rng.choice(("laplace", "geometric"))), 1.0 / float(rng.uniform(0.1, 1.5))))
    others, of_others = _others(rng, len(laws), size, whole or family == "mixed")
    p, q = _belief(rng)
    return Game(
        noise=tuple(laws),
        true=true,
        untrue=untrue,
        of_true=rng.dirichlet(np.ones(len(true))),
        of_untrue=rng.dirichlet(np.ones(len(untrue))),
        others=others,
        of_others=of_others,
        spread=0.0 if whole or family == "mixed" else float(rng.choice((0.0, 0.0, 0.3, 1.0, 3.0))),
        p=p,
        q=q,
        geometry=geometry,
    )


def _values(rng: np.random.Generator, geometry: str, numbers: int, whole: bool) -> tuple[Floats, Floats]:
    if geometry == "histogram":  # one cell for each value; the thing is true of those in the first
        cells = np.eye(numbers)
        return cells[:1], cells[1:]
    if geometry == "line":  # a count, or a sum of values of one sign
        steps = float(rng.integers(1, 5)) if whole else 1.0
        inner = rng.integers(0, int(steps) + 1, 2) if whole else rng.uniform(0, 1, 2)
        return np.array([[steps], [inner[0]]])[: rng.integers(1, 3)], np.array([[0.0], [inner[1]]])[
            : rng.integers(1, 3)
        ]
    if geometry == "span":  # a sum of values of both signs
        steps = float(rng.integers(1, 4)) if whole else 1.0
        return np.array([[steps]]), np.array([[-steps], [0.0]])[: rng.integers(1, 3)]
    drawn = rng.normal(0, 1, (int(rng.integers(2, 6)), numbers))
    drawn *= rng.choice((1.0, 1.0, 0.6), (len(drawn), 1)) / np.linalg.norm(drawn, axis=1, keepdims=True)
    if whole:
        drawn = np.round(drawn * 3)
        drawn[(drawn == 0).all(axis=1)] = 1.0
    split = int(rng.integers(1, len(drawn)))
    return drawn[:split], drawn[split:]


def _others(rng: np.random.Generator, numbers: int, size: float, whole: bool) -> tuple[Floats, Floats]:
    """Return what all others may add: it is known, or one of a few possibilities."""
    count = int(rng.choice((1, 1, 2, 5, 12)))
    found = rng.normal(0, 2 * size, (count, numbers)) if count > 1 else np.zeros((1, numbers))
    return (np.round(found) if whole else found), rng.dirichlet(np.ones(count))


def _belief(rng: np.random.Generator) -> tuple[float, float]:
    p, q = np.exp(rng.uniform(math.log(1e-3), math.log(0.95), 2))
    way = rng.integers(4)
    return (float(p), 1.0) if way == 0 else (1.0, float(q)) if way == 1 else (float(p), float(q))
