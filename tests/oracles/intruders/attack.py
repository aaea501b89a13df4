"""What an intruder makes of a release: the chance of every output, and the best few symbols found by search."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tests.oracles.intruders.games import Game
from tests.oracles.intruders.noise import Floats, Noise

MOST_CELLS = {1: 1200, 2: 70, 3: 24, 4: 12}  # of each number, by how many numbers there are


@dataclass(frozen=True, kw_only=True)
class Outputs:
    """Every output of a rounded and clamped release, and how likely it is in each world."""

    edges: list[Floats]
    absent: Floats
    true: Floats  # one row for each value
    untrue: Floats
    game: Game

    @property
    def hit(self) -> Floats:
        """Return how likely each output is where it is true."""
        return np.asarray(self.game.of_true @ self.true)

    @property
    def alarm(self) -> Floats:
        """Return how likely each output is otherwise, times how likely that is."""
        game = self.game
        return np.asarray((1 - game.p) * self.absent + game.p * (1 - game.q) * (game.of_untrue @ self.untrue))


def outputs(game: Game, rng: np.random.Generator, fine: bool = False) -> Outputs:
    """Round and clamp a release: at random, or as FINE as can be reckoned."""
    edges = [_edges(game, rng, i, fine) for i in range(len(game.noise))]
    added = np.concatenate((np.zeros((1, len(game.noise))), game.true, game.untrue))
    worlds = np.zeros((len(added), *(len(each) - 1 for each in edges)))
    for others, chance in zip(game.others, game.of_others, strict=True):
        tables = []
        for i, (law, edge) in enumerate(zip(game.noise, edges, strict=True)):
            wide = Noise(law.kind, law.scale * math.hypot(1, game.spread)) if law.kind == "normal" else law
            at = edge[None, :] - (others[i] + added[:, i])[:, None]
            tables.append(wide.between(at[:, :-1], at[:, 1:]))
        letters = "bcdefg"[: len(tables)]
        worlds += chance * np.einsum(",".join(f"a{x}" for x in letters) + "->a" + letters, *tables)
    flat = worlds.reshape(len(added), -1)
    split = 1 + len(game.true)
    return Outputs(edges=edges, absent=flat[0], true=flat[1:split], untrue=flat[split:], game=game)


def _edges(game: Game, rng: np.random.Generator, index: int, fine: bool) -> Floats:
    law, most = game.noise[index], MOST_CELLS[len(game.noise)]
    width = law.sd * (math.hypot(1, game.spread) if law.kind == "normal" else 1.0)
    added = np.concatenate(([0.0], game.true[:, index], game.untrue[:, index]))
    low, high = (f(game.others[:, index]) + g(added) for f, g in ((np.min, np.min), (np.max, np.max)))
    reach = 7.0 if fine else float(rng.uniform(0.2, 5))  # clamped beyond
    low, high = low - reach * width, high + reach * width
    step = (high - low) / most if fine else law.sd * float(rng.choice((0.1, 0.5, 1.0, 3.0)))
    step = max(step, (high - low) / most)
    start = low if fine else low + step * float(rng.uniform())
    if law.whole:
        step = math.ceil(step)
        start = math.floor(start) + 0.5
    inner = start + step * np.arange(max(1, math.ceil((high - start) / step)))
    return np.concatenate(([-np.inf], inner, [np.inf]))


def exposed(found: Outputs, odds: float, of: Floats | None = None) -> tuple[float, Floats]:
    """Return the largest share of people that is believed at ODDS to one, and the symbol that does it.

    The symbol is the outputs (each with the chance that it is published as this symbol) which together are believed so.
    of: how likely each output is for those who are counted; None: all of whom it is true.
    """
    hit = found.hit if of is None else of
    gain = found.game.prior * found.hit - odds * found.alarm
    inside = np.where(gain >= 0, 1.0, 0.0)
    room = float(gain[gain >= 0].sum())
    worth = np.where(gain < 0, hit / np.maximum(-gain, 1e-300), -1.0)
    order = np.argsort(-worth)
    order = order[gain[order] < 0]
    used = np.cumsum(-gain[order])
    inside[order[used <= room]] = 1.0
    rest = int((used <= room).sum())
    if rest < len(order):
        spent = used[rest - 1] if rest else 0.0
        inside[order[rest]] = (room - spent) / -gain[order[rest]]
    return float(hit @ inside), inside


def mean_ratio(found: Outputs) -> float:
    """Return how many times as likely as before it is held on average, where it is true, after what is published."""
    prior, hit = found.game.prior, found.hit
    with np.errstate(invalid="ignore"):
        return float(np.nansum(hit * hit / (prior * hit + found.alarm)))


def told_apart(one: Floats, other: Floats) -> tuple[Floats, Floats]:
    """Return the chances of the best events for telling two worlds apart, from the rarest: in ONE, in the OTHER."""
    with np.errstate(divide="ignore", invalid="ignore"):
        order = np.argsort(-np.nan_to_num(one / other, nan=0.0, posinf=1e300), kind="stable")
    return np.cumsum(one[order]), np.cumsum(other[order])


def counted(found: Outputs, symbol: Floats, rng: np.random.Generator, draws: int) -> tuple[float, float, float]:
    """Draw people and releases, publish the symbol or not: the shares that get it (true, absent, untrue)."""
    game = found.game
    nobody = np.zeros((1, len(game.noise))), np.ones(1)
    shares = []
    for added, weights in ((game.true, game.of_true), nobody, (game.untrue, game.of_untrue)):
        people = added[rng.choice(len(added), draws, p=weights)]
        others = game.others[rng.choice(len(game.others), draws, p=game.of_others)]
        cells = np.zeros(draws, dtype=np.int64)
        for i, (law, edge) in enumerate(zip(game.noise, found.edges, strict=True)):
            belief = rng.normal(0, game.spread * law.scale, draws) if game.spread else 0.0
            number = people[:, i] + others[:, i] + belief + law.draw(rng, draws)
            cells = cells * (len(edge) - 1) + np.searchsorted(edge[1:-1], number, side="left")
        shares.append(float((rng.uniform(size=draws) < symbol[cells]).mean()))
    return shares[0], shares[1], shares[2]
