"""Many games from their seeds: the largest share of people beyond the cap, reckoned and counted."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tests.oracles.intruders.attack import counted, exposed, outputs
from tests.oracles.intruders.games import Game, a_game

Limit = Callable[[Game, float], float]
FAMILIES = ("normal", "discrete_normal", "mixed")


@dataclass(frozen=True, kw_only=True)
class Attack:
    """What the best few symbols of one release do, held against the tolerance whose odds were promised."""

    seed: int
    family: str
    game: Game
    tolerance: float
    odds: float  # to one: the cap
    share: float  # of people of whom it is true, the largest found: together, or of one value
    counted: float | None = None  # the same in draws, together
    apart: float = 0.0  # how far counts lie from what was reckoned, in standard deviations

    @property
    def broken(self) -> bool:
        """Return whether more people than the tolerance are believed at more than those odds."""
        return self.share > self.tolerance * (1 + 1e-8)


def attacked(seed: int, limit: Limit, draws: int = 0) -> Attack:
    """Play the game of SEED against the odds that LIMIT promises, with so many DRAWS of people and releases."""
    rng = np.random.default_rng(seed)
    family = FAMILIES[int(rng.integers(len(FAMILIES)))]
    tolerance = float(10 ** rng.uniform(-4, -0.2))
    game = a_game(rng, float(np.exp(rng.uniform(math.log(0.05), math.log(4)))), family)
    odds, best, drawn, apart = limit(game, tolerance), 0.0, None, 0.0
    for fine in (False, True):
        found = outputs(game, rng, fine)
        share, symbol = exposed(found, odds)
        best = max(best, share, *(exposed(found, odds, each)[0] for each in found.true))
        if draws and fine:
            shares = counted(found, symbol, rng, draws)
            expected = (share, float(found.absent @ symbol), float(game.of_untrue @ found.untrue @ symbol))
            apart = max(
                abs(a - b) / math.sqrt(b * (1 - b) / draws + 1e-14) for a, b in zip(shares, expected, strict=True)
            )
            drawn = shares[0]
    return Attack(
        seed=seed, family=family, game=game, tolerance=tolerance, odds=odds, share=best, counted=drawn, apart=apart
    )


def table(attacks: Iterable[Attack]) -> str:
    """Return by noise and geometry how many were played, and how much of the tolerance the best used."""
    by: dict[tuple[str, str], list[Attack]] = defaultdict(list)
    for attack in attacks:
        by[attack.family, attack.game.geometry].append(attack)
    lines = [
        "| noise | geometry | games | beyond the tolerance | largest share / tolerance | median |",
        "|---" * 2 + "|---:" * 4 + "|",
    ]
    for key, mine in sorted(by.items()):
        used = [attack.share / attack.tolerance for attack in mine]
        broken = sum(attack.broken for attack in mine)
        lines.append(f"| {key[0]} | {key[1]} | {len(mine):,} | {broken} | {max(used):.6f} | {np.median(used):.3f} |")
    return "\n".join(lines)
