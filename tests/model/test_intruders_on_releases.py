"""What intruders make of actual releases, however these are rounded, clamped and merged into few symbols.

The intruders (tests/oracles/intruders) draw who adds what, what is held possible for all others, and the noise; they
search for the few symbols that lift most people of whom a thing is true beyond the promised cap.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpwizard.privacy import gaussian_risk
from tests.oracles.intruders import curves
from tests.oracles.intruders.attack import exposed, mean_ratio, outputs, told_apart
from tests.oracles.intruders.games import Game, a_game
from tests.oracles.intruders.noise import Noise
from tests.oracles.intruders.run import Attack, attacked

DRAWS = 1_000_000


def stated(game: Game) -> tuple[dict[str, Any], float]:
    """Return the noise of a game as the functions by name take it, and how many times as far apart two values are."""
    mu, mu_value = game.distances()
    loss, loss_value = game.losses()
    steps = game.steps()
    if steps is not None:
        noise = {"kind": "discrete_gaussian", "sigma": game.noise[0].scale, "sensitivity": steps[0]}
        return noise, steps[1] / steps[0]
    factor = min(2.0, max(mu_value / mu, loss_value / loss if loss else 1.0) * (1 + 1e-12))
    if any(law.kind == "discrete_normal" for law in game.noise):
        return {"kind": "zcdp", "rho": mu * mu / 2}, factor
    return {"kind": "mixed", "epsilon": loss, "mu": mu} if loss else {"kind": "gaussian", "mu": mu}, factor


def promised(game: Game, tolerance: float) -> float:
    """Return the odds that the functions by name say nobody but a share of TOLERANCE is lifted beyond."""
    noise, factor = stated(game)
    if noise["kind"] == "mixed" and game.noise[-1].kind == "geometric":  # the pure part is taken out first
        loss, loss_value = game.losses()
        mu, mu_value = game.distances()
        alone = {"kind": "gaussian", "mu": mu}
        wide = min(2.0, mu_value / mu * (1 + 1e-12))
        said = gaussian_risk.risk(p=game.p, q=game.q, mechanism=alone, tolerance=tolerance, replace_factor=wide)
    else:
        loss = loss_value = 0.0
        said = gaussian_risk.risk(p=game.p, q=game.q, mechanism=noise, tolerance=tolerance, replace_factor=factor)
    presence, value = said.effective_epsilon + loss, said.effective_epsilon_value + loss_value
    odds = curves.odds(game.p, game.q, math.exp(-presence), math.exp(-value))
    assert loss or said.posterior >= odds / (1 + odds) * (1 - 1e-12)
    return odds


def played(seeds: Iterable[int]) -> list[Attack]:
    """Return the games of SEEDS, every fiftieth with a million people and releases drawn."""
    return [attacked(seed, promised, DRAWS * (seed % 50 == 0)) for seed in seeds]


def judge(attacks: Iterable[Attack]) -> None:
    """Assert that nobody is beyond the promise, neither reckoned nor counted, and that a promise is used up."""
    attacks = list(attacks)
    assert not [attack for attack in attacks if attack.broken]
    for attack in attacks:
        assert attack.apart < 6, "what is drawn is not what was reckoned"
        if attack.counted is not None:
            slack = 6 * math.sqrt(attack.tolerance * (1 - attack.tolerance) / DRAWS)
            assert attack.counted <= attack.tolerance + slack
    assert max(attack.share / attack.tolerance for attack in attacks) > 0.98


@pytest.mark.slow
def test_no_release_lifts_more_people_beyond_the_cap_than_promised() -> None:
    judge(played(range(60)))


@pytest.mark.soak
@pytest.mark.parametrize("start", range(10**6, 10**6 + 100_000, 20_000))
def test_nor_does_any_of_a_hundred_thousand(start: int) -> None:
    stretches = [range(first, first + 250) for first in range(start, start + 20_000, 250)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        judge(attack for some in pool.map(played, stretches) for attack in some)


# ---------------------------------------------------------------------------------- limits, and what else is said


def games(count: int, seed: int, family: str = "normal") -> Iterable[tuple[np.random.Generator, Game]]:
    for number in range(count):
        rng = np.random.default_rng((seed, number))
        yield rng, a_game(rng, float(np.exp(rng.uniform(math.log(0.1), math.log(3)))), family)


@pytest.mark.parametrize("measure", ["truth", "predictive"])
def test_at_the_largest_mu_a_ratio_is_passed_as_rarely_as_asked(measure: str) -> None:
    used = []
    for rng, drawn in games(80, 1):
        tolerance, ratio = float(10 ** rng.uniform(-4, -0.5)), float(rng.uniform(1.1, 12))
        if ratio * drawn.prior >= 1:
            continue
        mu, mu_value = drawn.distances()
        asked = {"p": drawn.p, "q": drawn.q, "ratio": ratio, "tolerance": tolerance}
        limit = gaussian_risk.mu_at(**asked, replace_factor=min(2.0, mu_value / mu * (1 + 1e-12)), measure=measure)
        if math.isinf(limit) or limit > 20:
            continue
        game = replace(drawn, noise=tuple(Noise(law.kind, law.scale * mu / limit) for law in drawn.noise))
        found = outputs(game, rng, fine=True)
        of = None if measure == "truth" else game.prior * found.hit + found.alarm
        share, _ = exposed(found, ratio * game.prior / (1 - ratio * game.prior), of)
        assert share <= tolerance * (1 + 1e-8)
        used.append(share / tolerance)
    assert len(used) > 40
    assert max(used) > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("family", ["normal", "discrete_normal", "mixed"])
def test_no_release_passes_a_ratio_more_often_than_said(family: str) -> None:
    for rng, game in games(6 if family == "discrete_normal" else 30, 2, family):
        ratio = float(rng.uniform(1.05, 8))
        noise, factor = stated(game)
        if ratio * game.prior >= 1 or game.noise[-1].kind == "geometric":
            continue
        said = gaussian_risk.exceedance(p=game.p, q=game.q, ratio=ratio, mechanism=noise, replace_factor=factor)
        found, odds = outputs(game, rng, fine=True), ratio * game.prior / (1 - ratio * game.prior)
        assert exposed(found, odds)[0] <= said.truth * (1 + 1e-8)
        if said.predictive is not None:
            assert exposed(found, odds, game.prior * found.hit + found.alarm)[0] <= said.predictive * (1 + 1e-8)
        if said.informed is not None and len(game.others) == len(game.true) == 1 and not game.spread:
            whole = float(found.hit[game.prior * found.hit > odds * found.alarm * (1 + 1e-9)].sum())
            assert whole <= said.informed + 0.02, "cells are narrow, so that they tell about as much as the release"


def test_on_average_no_release_raises_a_belief_more_than_said() -> None:
    used = []
    for rng, game in games(80, 3):
        mu, mu_value = game.distances()
        factor = min(2.0, mu_value / mu * (1 + 1e-12))
        said = gaussian_risk.average_risk(p=game.p, q=game.q, mu=mu, replace_factor=factor).ratio
        found = mean_ratio(outputs(game, rng, fine=True))
        assert found <= said * (1 + 1e-8)
        used.append((found - 1) / (said - 1))
    assert max(used) > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("family", ["normal", "discrete_normal", "mixed"])
def test_nothing_is_likelier_with_a_record_than_said(family: str) -> None:
    used = []
    for rng, game in games(15 if family == "discrete_normal" else 40, 4, family):
        noise, _ = stated(game)
        if game.noise[-1].kind == "geometric":
            continue
        found = outputs(game, rng, fine=True)
        for value in (*found.true, *found.untrue):
            for one, other in ((value, found.absent), (found.absent, value)):
                hits, alarms = told_apart(one, other)
                for at in np.searchsorted(alarms, (0.001, 0.05, 0.3)):
                    without = float(alarms[min(at, len(alarms) - 1)])
                    if not 1e-6 < without < 1 - 1e-6:
                        continue
                    most = gaussian_risk.two_worlds(chance_without=without, mechanism=noise)
                    assert hits[min(at, len(hits) - 1)] <= most * (1 + 1e-8)
                    used.append(hits[min(at, len(hits) - 1)] / most)
    assert max(used) > 0.98
