"""Every figure that an answer says of the decision's budget, and what is true of it.

A figure of harm is never below the truth, one of what is left or kept never above it; what an answer repeats of the
question, and what the noise comes to, is the truth itself. A kind whose answers say a figure that has no claim here
fails tests/model/test_claims.py.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from tests.oracles.judge import guesses, needs, promises, rare
from tests.oracles.judge.world import World

Told = Mapping[str, Any]
True_ = Callable[[World, Told, float, Told], float | None]  # None: nothing is looked at in this world
COARSE = {  # what quadrature adds
    "guessing_advantage": 2e-4,
    "compensation": 1e-4,
    "persuasive_privacy": 2e-4,
}
LEAST = 1e-11
NEAR = 1e-9  # where a limit is at an open end, what holds near it holds of it


@dataclass(frozen=True)
class Claim:
    """What is true of a figure, and on which side of that it may lie."""

    true: True_
    side: Literal["never below", "never above", "equal"] = "never below"

    def broken(self, said: float, true: float, coarse: float) -> bool:
        """Return whether what is SAID is on the wrong side of what is TRUE."""
        slack = 1e-9 if self.side != "equal" else 1e-6
        below = said < true * (1 - slack) - max(coarse, LEAST)
        above = said > true * (1 + slack) + max(coarse, LEAST)
        return (below and self.side != "never above") or (above and self.side != "never below")


def broken(world: World, asked: Told, answer: Told, epsilon: float | None, binding: Told) -> dict[str, Any]:
    """Return every figure said of the decision's EPSILON that is not true, with what is: {name: (said, true)}.

    Raises KeyError for a figure without a claim.
    """
    said, found = answer.get("at_epsilon"), {}
    if not said or epsilon is None:
        return {}
    for name, figure in said.items():
        claim = {**OF_BUDGET, **CLAIMS[asked["kind"]]}[name]
        if figure is None:
            continue
        true = claim.true(world, asked, epsilon, {**binding, **said})
        if true is not None and claim.broken(figure, true, COARSE.get(asked["kind"], 0.0)):
            found[name] = (float(figure), true)
    return found


# ------------------------------------------------------------------------------------------- what is true


def _harm(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    judges = {**promises.KINDS, **needs.KINDS, "guessing_advantage": guesses.guessing_advantage}
    return judges[asked["kind"]](world, asked, epsilon, binding)[0]


def _kept(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return 1.0 - _harm(world, asked, epsilon, binding)


def _asked(name: str) -> Claim:
    """Return the claim on a figure that repeats the answer to field NAME."""
    return Claim(lambda world, asked, epsilon, binding: asked[name], "equal")


def _of_belief(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    p, q = binding.get("p"), binding.get("q")
    if p is None or q is None or p == q == 1.0:
        return None
    return promises.learned(world, asked, epsilon, p or NEAR, q or NEAR) * (1 - 1e-7 * (not (p and q)))


def _posterior(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    p, q = binding.get("p"), binding.get("q")
    return None if not p or not q else promises.learned(world, asked, epsilon, p, q) * p * q


def _odds(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """How many times the odds of somebody grow who is almost certain; less a little, for not being quite so."""
    p, q = (1.0 if asked.get(name) == 1 else 1 - 1e-5 for name in "pq")
    after = promises.learned(world, asked, epsilon, p, q) * p * q
    return (after / (1 - after)) / (p * q / (1 - p * q)) * 0.99


def _largest(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    """The most for anybody: also for those of whom the tolerance says nothing."""
    certain = {**asked, "statement": "certain"}
    return (_odds if "odds" in binding else _of_belief)(world, certain, epsilon, binding)


def _believed(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return float(binding["p"] * binding["q"])


def _lowest_posterior(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """The chance of a statement without the person is that of its opposite, with it."""
    opposite = {**asked, "posterior_without": 1 - asked["posterior_without"]}
    return 1.0 - promises.participation(world, opposite, epsilon, binding)[0]


def _right(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return (1.0 + _harm(world, asked, epsilon, binding)) / 2.0


def _guessed(at: int) -> True_:
    return lambda world, asked, epsilon, binding: guesses.expected(world, asked["attributes"][0], epsilon)[at] or None


def _people(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """The least power of ten, of 1,000 and more, of whom one is guessed rightly beforehand."""
    return float(next(10**power for power in range(3, 10) if power == 9 or 10**power * binding["before"] >= 1.0))


def _after_counted(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    share = guesses.expected(world, asked["attributes"][0], epsilon)[1]
    return share * binding["people"] * (1 - COARSE["guessing_advantage"]) if share else None


def _before_counted(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return float(round(binding["before"] * binding["people"]))


def _one_number(world: World) -> bool:
    simple = len(world.tables) == 1 and world.tables[0].dimension == 1 and world.rounding is None
    return simple and world.repetitions == 1 and not world.counts_earlier


def _risk(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    if not _one_number(world):
        return None
    return max(loss.above(asked["level"]) for loss in world.worst_losses(epsilon, "replace", 20))


def _confidence(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    return _kept(world, asked, epsilon, binding) if _one_number(world) else None


def _published_confidence(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    """Dandekar, Basu & Bressan 2021, (14) for one number: (1 - e^-eps) / (1 - e^-eps0)."""
    full = float(world.losses(epsilon, "replace").max())
    if not _one_number(world) or full == 0.0:
        return None
    return min(1.0, math.expm1(-asked["level"]) / math.expm1(-full))


def _factor(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return math.exp(asked["kappa"] / (2.0 if asked["score"] == "dawid_sebastiani" else 1.0))


def _lost(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    if asked.get("composition", "basic") != "basic" or world.open_ended:
        return None
    return float(world.losses(epsilon, world.neighbours, earlier=True).max())


def _rho(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return rare.rho(world, asked, epsilon, binding)[0]


def _left(spent: True_) -> True_:
    def left(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
        lost = spent(world, asked, epsilon, binding)
        return None if lost is None else max(0.0, asked["total"] - lost)

    return left


def _on_side(side: str) -> True_:
    return lambda world, asked, epsilon, binding: _harm(world, {**asked, "side": side}, epsilon, binding)


def _count(at: int) -> True_:
    return lambda world, asked, epsilon, binding: float(needs.counts(asked)[at])


def _rho_once(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    """The rho of one repetition of this release alone."""
    return rare.rho(replace(world, repetitions=1, earlier=(), exact=()), {"total": 0.0}, epsilon, binding)[0]


def _mu_once(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    return math.sqrt(2.0 * _rho_once(world, asked, epsilon, binding))


def _sd(world: World, asked: Told, epsilon: float, binding: Told) -> float | None:
    """The standard deviation of the only noise there is."""
    only = [table for table in world.tables if table.mechanism != "exact"]
    return needs.rmse(world, {"part": only[0].name, "at_most": 0.0}, epsilon, binding)[0] if len(only) == 1 else None


OF_BUDGET = {  # what every answer says of the noise of a budget that is counted in rho, too
    "rho": Claim(_rho_once),
    "mu": Claim(_mu_once),
    "sd": Claim(_sd, "equal"),
}
HARM, SAME_AS_HARM, KEPT = Claim(_harm), Claim(_harm, "equal"), Claim(_kept, "equal")
CLAIMS: dict[str, dict[str, Claim]] = {
    "relative_risk": {
        "ratio": Claim(_of_belief),
        "posterior": Claim(_posterior),
        "odds": Claim(_odds),
        "mean_ratio": Claim(_of_belief),
        "mean_posterior": Claim(_posterior),
        "tolerance": _asked("tolerance"),
        "few": Claim(lambda world, asked, epsilon, binding: asked["tolerance"] * binding["people"]),
        "people": Claim(lambda world, asked, epsilon, binding: binding["few"] / asked["tolerance"], "never above"),
        "prior": Claim(_believed, "equal"),
        "largest": Claim(_largest),
        "predictive": Claim(lambda world, asked, epsilon, binding: asked["tolerance"] / binding["ratio"], "equal"),
        "delta": Claim(lambda world, asked, epsilon, binding: world.delta, "equal"),
    },
    "lee_clifton": {"posterior": HARM},
    "participation": {"upper": HARM, "lower": Claim(_lowest_posterior, "never above")},
    "two_worlds": {"chance_without": _asked("chance_without"), "chance_with": HARM},
    "attack_advantage": {"advantage": HARM, "right": Claim(_right)},
    "attack_success": {"baseline": _asked("baseline"), "success": HARM},
    "guessing_advantage": {
        "advantage": HARM,
        "before": Claim(_guessed(0), "equal"),
        "after": Claim(_guessed(1)),
        "people": Claim(_people, "equal"),
        "guessed_before": Claim(_before_counted, "equal"),
        "guessed_after": Claim(_after_counted),
        "precision": Claim(lambda world, asked, epsilon, binding: asked["attributes"][0]["precision"], "equal"),
    },
    "categorical_advantage": {"advantage": HARM},
    "privacy_at_risk": {
        "risk": Claim(_risk),
        "confidence": Claim(_confidence, "never above"),
        "published_confidence": Claim(_published_confidence, "never above"),  # of a loss bounded from above
    },
    "persuasive_privacy": {"factor": Claim(_factor, "equal"), "chance_of_more": _asked("delta")},
    "exact_mean": {},
    "budget": {
        "spent_total": Claim(_lost),
        "left": Claim(_left(_lost), "never above"),
        "rho_total": Claim(_rho),
        "rho_left": Claim(_left(_rho), "never above"),
    },
    "compensation": {"cost": HARM},
    "rmse": {"rmse": SAME_AS_HARM},
    "mean_absolute_error": {"mean_absolute_error": SAME_AS_HARM},
    "noise_interval": {
        "half_width": Claim(needs.half_width, "equal"),
        "coverage": Claim(needs.coverage, "equal"),
    },
    "exact_probability": {"exact_probability": KEPT},
    "switch_probability": {
        "probability": SAME_AS_HARM,
        "above": Claim(_on_side("above"), "equal"),
        "below": Claim(_on_side("below"), "equal"),
        "threshold_count": Claim(_count(0), "equal"),
        "true_count_above": Claim(_count(1), "equal"),
        "true_count_below": Claim(_count(2), "equal"),
    },
    "relative_error": {"probability": SAME_AS_HARM},
    "all_within": {"chance": KEPT},
    "share_within": {"chance": KEPT},
    "drop_rate": {"probability": SAME_AS_HARM},
    "spurious_rate": {"probability": SAME_AS_HARM},
    "margin_of_error": {"half_width": SAME_AS_HARM, "z": _asked("z")},
}
