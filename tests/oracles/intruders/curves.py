"""The least chance of a false alarm at a chance of a hit, for each noise, by its definition; and the odds it caps."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import ndtr, ndtri

from tests.oracles.intruders.games import Game
from tests.oracles.intruders.noise import lattice


def normal(hit: float, mu: float) -> float:
    """Return that of two normal laws MU standard deviations apart (Dong, Roth & Su 2022)."""
    return float(ndtr(ndtri(hit) - mu))


def discrete_normal(hit: float, sigma: float, steps: int) -> float:
    """Return that of whole normal noise and the same moved by STEPS: Neyman & Pearson on the whole numbers."""
    _, chances = lattice(sigma)
    none = np.zeros(steps)
    here, there = np.concatenate((none, chances)), np.concatenate((chances, none))
    hits = np.concatenate(([0.0], np.cumsum(here[::-1])))  # the likelihood ratio rises with the number
    alarms = np.concatenate(([0.0], np.cumsum(there[::-1])))
    return float(np.interp(hit, hits, alarms))


def concentrated(hit: float, rho: float) -> float:
    """Return that of the whole class of RHO: the least alarm whose two coins are within RHO in every Renyi order."""
    orders = 1.0 + np.concatenate((np.geomspace(1e-6, 1e-2, 60), np.geomspace(1e-2, 1e3, 900)))

    def near(alarm: float) -> bool:
        pairs = ((hit, alarm), (alarm, hit))
        logs = [
            np.logaddexp(
                orders * math.log(a) + (1 - orders) * math.log(b),
                orders * math.log1p(-a) + (1 - orders) * math.log1p(-b),
            )
            for a, b in pairs
        ]
        return all(bool((each <= orders * (orders - 1) * rho).all()) for each in logs)

    low, high = math.log(hit) - rho - 2 * math.sqrt(rho * math.log(1 / hit)) - 1e-3, math.log(hit)
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (low, middle) if near(math.exp(middle)) else (middle, high)
    return math.exp(low)


def limit(game: Game, hit: float) -> float:
    """Return the largest odds to one to which HIT of those of whom it is true can be lifted."""
    if hit >= 1.0:
        return game.prior / (1 - game.prior)
    steps, (mu, mu_value), (loss, loss_value) = game.steps(), game.distances(), game.losses()
    if steps is not None:
        presence, value = (discrete_normal(hit, game.noise[0].scale, each) for each in steps)
    elif any(law.kind == "discrete_normal" for law in game.noise):
        presence, value = (concentrated(hit, each * each / 2) for each in (mu, mu_value))
    else:
        presence, value = normal(hit, mu), normal(hit, mu_value)
    return odds(game.p, game.q, math.exp(-loss) * presence / hit, math.exp(-loss_value) * value / hit)


def odds(p: float, q: float, presence: float, value: float) -> float:
    """Return the largest odds from a belief P * Q, with false alarms over hits of PRESENCE and VALUE at the least."""
    return p * q / ((1 - p) * presence + p * (1 - q) * value)
