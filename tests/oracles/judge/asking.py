"""Requirements drawn at random for a release that is there: every kind, with figures that bind somewhere."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from tests.oracles.judge.drawing import Case, Told, Wanted, a_release, a_world, digits
from tests.oracles.judge.needs import KINDS as NEEDS
from tests.oracles.judge.noise import GAUSSIAN, WHOLE
from tests.oracles.judge.people import Table
from tests.oracles.judge.world import World
from tests.samples import profiles

PURE = ("geometric", "laplace", "laplace")
NORMAL = ("gaussian", "gaussian", "discrete_gaussian", "mixed")
ANY = ("geometric", "laplace", "laplace", "gaussian", "discrete_gaussian", "mixed")
Draw = Callable[[random.Random, World], Told]


# ------------------------------------------------------------------------------------------- beliefs


def a_profile(rng: random.Random) -> Told:
    """Draw a profile of any shape, with numbers of few digits."""

    def short(stated: Any) -> Any:
        if isinstance(stated, dict):
            return {name: short(value) for name, value in stated.items()}
        if isinstance(stated, list):
            return [short(value) for value in stated]
        return float(f"{stated:.4g}") if isinstance(stated, float) else stated

    drawn: Told = short(profiles.at_random(rng, rng.choice(profiles.SHAPES)))
    return drawn


def _belief(rng: random.Random) -> Any:
    way = rng.random()
    if way < 0.35:
        return digits(rng, 0.01, 0.99)
    low, high = sorted((digits(rng, 0, 0.98), digits(rng, 0.02, 1)))
    if way < 0.7:
        return [low, max(high, low + 0.01)]
    return rng.choice(([0, 1], [0, high], [low, 1]))


def a_prior(rng: random.Random, low: float, high: float, family: str | None = None) -> Told:
    """Draw a belief about a value that the data bound by LOW and HIGH."""
    width = high - low
    family = family or rng.choice(
        (
            "uniform",
            "normal",
            "truncated_normal",
            "lognormal",
            "exponential",
            "beta",
            "discrete",
            "discrete",
            "histogram",
        )
    )
    if family == "uniform":
        return {"family": family, "low": low, "high": high}
    if family in ("normal", "truncated_normal"):
        bell = {
            "family": family,
            "mean": round(rng.uniform(low, high), 2),
            "sd": digits(rng, 0.1 * width, 0.5 * width, 3),
        }
        return bell | ({"low": low, "high": high} if family == "truncated_normal" else {})
    if family == "lognormal":
        return {"family": family, "log_mean": digits(rng, -1, 1, 2), "log_sd": digits(rng, 0.3, 0.9, 2)}
    if family == "exponential":
        return {"family": family, "rate": digits(rng, 0.5 / width, 3 / width, 3)}
    if family == "beta":
        return {"family": family, "a": digits(rng, 0.7, 3, 1), "b": digits(rng, 0.7, 3, 1), "low": low, "high": high}
    if family == "discrete":
        points = sorted(
            {round(low + width * rng.random(), 0 if width > 3 else 2) for _ in range(rng.randint(2, 5))} | {low, high}
        )
        masses = [digits(rng, 0.05, 1, 2) for _ in points]
        return {"family": family, "points": points, "probabilities": masses}
    edges = [low, low + width * 0.3, low + width * 0.5, high]
    return {
        "family": family,
        "edges": [round(e, 6) for e in edges],
        "weights": [digits(rng, 0.1, 1, 2) for _ in range(3)],
    }


# ------------------------------------------------------------------------------------------- each kind


def relative_risk(rng: random.Random, world: World) -> Told:
    adversary = rng.choice(("inclusion", "attribute", "attribute", "both"))
    if any(table.statistic == "mean" for table in world.tables):
        adversary = "attribute"
    asked: Told = {"adversary": adversary, "profile": a_profile(rng)}
    if adversary != "attribute":
        asked["p"] = _belief(rng)
    if adversary != "inclusion":
        asked["q"] = _belief(rng)
    if not any(table.mechanism in GAUSSIAN for table in world.tables) and rng.random() < 0.85:
        return asked
    asked["statement"] = rng.choice(("tolerance", "tolerance", "average"))
    if asked["statement"] == "tolerance":
        asked["tolerance"] = float(f"{10 ** rng.uniform(-5, -0.2):.3g}")
    elif rng.random() < 0.7:
        asked["profile"] = rng.choice(({"shape": "constant", "ratio": digits(rng, 1.2, 8)}, asked["profile"]))
    return asked


def lee_clifton(rng: random.Random, world: World) -> Told:
    population = rng.randint(2, 400)
    asked = {"population": population, "posterior": digits(rng, min(1.05 / population, 0.98), 0.99)}
    table = world.tables[0]
    if len(world.tables) == 1 and table.reads == "weights" and rng.random() < 0.8:
        far = max(world.attributes["x1"]) - min(world.attributes["x1"])
        whole = world.sensitivity(table, "replace")
        asked |= {"range": whole, "difference": whole * rng.choice((1.0, 0.5)) if far else whole}
    return asked


def participation(rng: random.Random, world: World) -> Told:
    before = digits(rng, 0.01, 0.8)
    return {"posterior_without": before, "posterior_with": digits(rng, before + 0.01, 0.99)}


def two_worlds(rng: random.Random, world: World) -> Told:
    without = digits(rng, 0.01, 0.8)
    return {"chance_without": without, "chance_with": digits(rng, without + 0.01, 0.99)}


def attack_advantage(rng: random.Random, world: World) -> Told:
    return {"advantage": digits(rng, 0.02, 0.9)}


def attack_success(rng: random.Random, world: World) -> Told:
    without = digits(rng, 0.01, 0.8)
    return {"baseline": without, "at_most": digits(rng, without + 0.01, 0.99)}


def guessing_advantage(rng: random.Random, world: World) -> Told:
    if any(table.mechanism in GAUSSIAN for table in world.tables) and rng.random() < 0.9:
        return _expected_guess(rng, world)
    second = "x2" in world.attributes
    combine = rng.choice(("and", "or")) if second else "one"
    attributes = []
    for name in ("x1", "x2") if second else ("x1",):
        low, high = min(world.attributes[name]), max(world.attributes[name])
        whole = any(table.mechanism in WHOLE for table in world.tables)
        prior = a_prior(rng, low, high, "discrete" if second or (whole and rng.random() < 0.7) else None)
        if prior["family"] == "discrete" and whole:
            points = sorted({float(math.floor(x)) for x in prior["points"]} | {low, high})
            prior = prior | {"points": points, "probabilities": [digits(rng, 0.05, 1, 2) for _ in points]}
        precision = digits(rng, 0.08 * (high - low), 0.3 * (high - low), 3)
        truth: Any = rng.choice(prior["points"]) if "points" in prior else round(rng.uniform(low, high), 2)
        if not second and rng.random() < 0.3:
            truth = "worst"
        effect = sum(table.effect(name) for table in world.tables) or 1.0
        attributes.append({"prior": prior, "truth": truth, "precision": precision, "effect": effect})
    asked: Told = {"attributes": attributes, "combine": combine, "advantage": digits(rng, 0.02, 0.4)}
    asked["direction"] = rng.choice(("rise", "rise", "drop", "both"))
    if not second and rng.random() < 0.25:
        asked["bound"] = rng.choice(("main", "simplified"))
    return asked


def _expected_guess(rng: random.Random, world: World) -> Told:
    low, high = min(world.attributes["x1"]), max(world.attributes["x1"])
    prior = a_prior(rng, low, high, rng.choice(("uniform", "normal", "discrete")))
    effect = math.hypot(*(table.effect("x1") for table in world.tables)) or 1.0
    one = {"prior": prior, "precision": digits(rng, 0.08 * (high - low), 0.3 * (high - low), 3), "effect": effect}
    return {"attributes": [one], "combine": "one", "advantage": digits(rng, 0.02, 0.4), "statement": "expected"}


def categorical_advantage(rng: random.Random, world: World) -> Told:
    prior = {name: digits(rng, 0.05, 1) for name in "abcd"[: rng.randint(2, 4)]}
    return {"prior": prior, "truth": rng.choice((*prior, "worst")), "advantage": digits(rng, 0.02, 0.4)}


def privacy_at_risk(rng: random.Random, world: World) -> Told:
    return {"level": digits(rng, 0.1, 2), "confidence": digits(rng, 0.02, 0.95)}


def compensation(rng: random.Random, world: World) -> Told:
    people, cost, rate = rng.randint(1, 5000), digits(rng, 50, 5000, 2), digits(rng, 0.1, 2, 2)
    floor = rng.choice((0.0, 0.0, digits(rng, 1, 10, 2)))
    money = round(people * (floor + cost * rng.uniform(0.005, 0.7)), 2)
    model = rng.choice(("plain", "expected_loss"))
    return {"people": people, "cost": cost, "floor": floor, "rate": rate, "money": money, "model": model}


def persuasive_privacy(rng: random.Random, world: World) -> Told:
    plain = len(world.tables) == 1 and world.tables[0].reads == "weights" and world.repetitions == 1
    score = rng.choice(("log", "interval", "dawid_sebastiani")) if plain and not world.earlier else "log"
    delta = rng.choice((0.0, digits(rng, 0.01, 0.3), digits(rng, 0.01, 0.3)))
    if score == "log":
        return {"score": score, "kappa": digits(rng, 0.2, 2), "delta": delta, "prior_mass": digits(rng, 0, 0.2)}
    if score == "interval":
        return {
            "score": score, "kappa": 0.5, "delta": max(delta, 0.01), "length": digits(rng, 0.3, 1.5),
            "prior_sd": digits(rng, 0.5, 2), "margin": digits(rng, 0.05, 0.6),
        }  # fmt: skip
    r1 = digits(rng, 0.5, 3)
    return {
        "score": score,
        "kappa": r1 + digits(rng, 0.05, 1),
        "delta": delta,
        "prior_sd": digits(rng, 0.5, 2),
        "r1": r1,
    }


def exact_mean(rng: random.Random, world: World) -> Told:
    n = rng.randint(2, 5)
    rho, r1 = digits(rng, -0.9 / (n - 1), 0.9), digits(rng, 0.1, 5)
    gain = r1 - math.log(1 - (1 + (n - 1) * rho) / n)  # all values alike: the share that the mean tells of each
    return {"r1": r1, "n": n, "correlation": rho, "kappa": round(gain * rng.choice((0.97, 0.999, 1.001, 1.03)), 4)}


def budget(rng: random.Random, world: World) -> Told:
    rules = ("basic", "basic", "advanced", "optimal", "tight", "tight", "zcdp")
    rule = "zcdp" if world.in_rho else rng.choice(rules)
    if rule == "zcdp":
        return {"total": digits(rng, 0.01, 4), "composition": rule}
    gaussian = world.delta is not None
    asked: Told = {"total": digits(rng, 0.3, 4), "composition": rule}
    if rule != "basic" or (gaussian and rng.random() < 0.5):
        asked["delta"] = (world.delta or 1e-6) * world.repetitions if gaussian else 10.0 ** rng.randint(-6, -2)
    return asked


def _part(rng: random.Random, world: World, geometric: bool = False) -> Told:
    tables = [t for t in world.tables if t.mechanism in WHOLE] if geometric else list(world.tables)
    return {"part": rng.choice(tables).name} if len(world.tables) > 1 and tables else {}


def rmse(rng: random.Random, world: World) -> Told:
    return {"at_most": digits(rng, 0.3, 20), **_part(rng, world)}


def noise_interval(rng: random.Random, world: World) -> Told:
    return {"half_width": digits(rng, 0.5, 20), "level": digits(rng, 0.3, 0.99), **_part(rng, world)}


def exact_probability(rng: random.Random, world: World) -> Told:
    return {"at_least": digits(rng, 0.05, 0.95), **_part(rng, world, True)}


def switch_probability(rng: random.Random, world: World) -> Told:
    asked: Told = {"at_most": digits(rng, 0.01, 0.45), **_part(rng, world, True)}
    if rng.random() < 0.3:
        return asked | {"steps": rng.randint(1, 6)}
    target = digits(rng, 0, 12, 1)
    deviation = digits(rng, 0.1, 2, 2) if rng.random() < 0.6 else digits(rng, 0.1, 900, 1)
    asked |= {
        "target": target,
        "per": rng.choice((100, 1000)),
        "records": rng.randint(20, 3000),
        "deviation": deviation,
    }
    return asked | {"side": rng.choice(("above", "below", "worst"))}


def relative_error(rng: random.Random, world: World) -> Told:
    return {"fraction": digits(rng, 0.02, 0.5), "of": digits(rng, 10, 200), **_chance(rng, world)}


def all_within(rng: random.Random, world: World) -> Told:
    return {"half_width": digits(rng, 0.5, 30), "level": digits(rng, 0.3, 0.99), **_part(rng, world)}


def share_within(rng: random.Random, world: World) -> Told:
    return all_within(rng, world) | {"share": digits(rng, 0.3, 0.99)}


def drop_rate(rng: random.Random, world: World) -> Told:
    threshold = digits(rng, 1, 50)
    return {"threshold": threshold, "true_value": threshold + digits(rng, 0.5, 20), **_chance(rng, world)}


def spurious_rate(rng: random.Random, world: World) -> Told:
    return {"threshold": digits(rng, 1, 30), **_chance(rng, world)}


def margin_of_error(rng: random.Random, world: World) -> Told:
    return {"half_width": digits(rng, 0.5, 30), "z": rng.choice((1, 1.645, 1.96, 3)), **_part(rng, world)}


def _chance(rng: random.Random, world: World) -> Told:
    return {"at_most": digits(rng, 0.01, 0.4), **_part(rng, world)}


KINDS: dict[str, tuple[Draw, Wanted]] = {
    "relative_risk": (relative_risk, Wanted(laws=(*PURE, *NORMAL))),
    "lee_clifton": (lee_clifton, Wanted(laws=PURE)),
    "participation": (participation, Wanted(laws=PURE)),
    "two_worlds": (two_worlds, Wanted(laws=ANY)),
    "attack_advantage": (attack_advantage, Wanted(laws=ANY)),
    "attack_success": (attack_success, Wanted(laws=ANY)),
    "guessing_advantage": (guessing_advantage, Wanted(laws=(*PURE, "gaussian"), values=True)),
    "categorical_advantage": (categorical_advantage, Wanted(laws=PURE)),
    "privacy_at_risk": (privacy_at_risk, Wanted(laws=PURE)),
    "compensation": (compensation, Wanted(laws=PURE)),
    "persuasive_privacy": (persuasive_privacy, Wanted(laws=ANY)),
    "exact_mean": (
        exact_mean,
        Wanted(laws=("exact",), statistic="mean", relation="replace", several=False, plain=True),
    ),
    "budget": (budget, Wanted(laws=ANY)),
    "rmse": (rmse, Wanted(laws=ANY)),
    "mean_absolute_error": (rmse, Wanted(laws=ANY)),
    "noise_interval": (noise_interval, Wanted(laws=ANY)),
    "exact_probability": (exact_probability, Wanted(laws=WHOLE)),
    "switch_probability": (switch_probability, Wanted(laws=WHOLE, statistic="count")),
    "relative_error": (relative_error, Wanted(laws=ANY)),
    "all_within": (all_within, Wanted(laws=ANY)),
    "share_within": (share_within, Wanted(laws=ANY)),
    "drop_rate": (drop_rate, Wanted(laws=ANY)),
    "spurious_rate": (spurious_rate, Wanted(laws=ANY)),
    "margin_of_error": (margin_of_error, Wanted(laws=ANY)),
}


def a_case(seed: int, kind: str | None = None) -> Case:
    """Draw a whole decision: a release, one requirement that it is drawn for, and perhaps others beside it."""
    rng = random.Random(seed)
    first = kind or rng.choice(tuple(KINDS))
    draw, wanted = KINDS[first]
    if first == "guessing_advantage":
        wanted = replace(wanted, second=rng.random() < 0.3)
    if first in ("compensation", "privacy_at_risk", "persuasive_privacy") and rng.random() < 0.6:
        wanted = replace(wanted, several=False, plain=True, values=first == "persuasive_privacy")
    if (
        rng.random() < 0.05 and first not in NEEDS and first != "exact_mean"
    ):  # noise that the promise may not be able to speak of
        wanted = replace(wanted, laws=("gaussian", "discrete_gaussian", "mixed"))
    world = a_world(rng, wanted)
    if any(world.sensitivity(table, world.neighbours) in (0.0, math.inf) for table in world.tables):
        return a_case(seed + 10**9, kind)
    release, told = a_release(rng, world)
    requirements = [{"kind": first, "name": f"{first} 0", **draw(rng, world)}]
    for place in range(1, rng.choice((1, 1, 2, 3)) if kind is None else 1):
        other = rng.choice([name for name in KINDS if name != first and _fits(name, world)])
        requirements.append({"kind": other, "name": f"{other} {place}", **KINDS[other][0](rng, world)})
    if not world.earlier and rng.random() < 0.08:
        release["post_processing"] = ["rounding"]
        world = replace(world, rounding=1.0)
    if rng.random() < 0.08:
        release, world = _with_exact(rng, release, world)
    lie = _contradiction(rng, release, world) if rng.random() < 0.06 else None
    for asked in requirements:
        _named(rng, asked, world)
        if "attribute" in asked:
            told &= all("reads" in stated for stated in release.get("parts") or [release])
    told &= not any(old.law == "gaussian" for old in world.earlier)
    beliefs = [one["prior"]["family"] for asked in requirements for one in asked.get("attributes", ())]
    told &= not {"normal", "lognormal", "exponential"} & set(beliefs)  # they reach beyond what the data are clamped to
    decision = {
        "format": "dpwizard.decision/1",
        "title": f"case {seed}",
        "release": release,
        "requirements": requirements,
    }
    decision["rho" if world.in_rho else "epsilon"] = round(math.exp(rng.uniform(math.log(0.05), math.log(4))), 3)
    return Case(decision=decision, world=world, seed=seed, told=told, lie=lie)


def _named(rng: random.Random, asked: Told, world: World) -> None:
    """Say which attribute a promise speaks of, as tables and earlier releases name it."""
    for index, one in enumerate(asked.get("attributes", ())):
        if rng.random() < 0.9:
            one["name"] = f"x{index + 1}"
    about_a_value = asked["kind"] in ("lee_clifton", "categorical_advantage") or asked.get("adversary") == "attribute"
    if (about_a_value or asked.get("score") == "log") and rng.random() < 0.35:
        asked["attribute"] = rng.choice([name for name in world.attributes if name != "region"])


def _fits(kind: str, world: World) -> bool:
    if kind == "guessing_advantage":
        return "x1" in world.attributes and any(table.weights for table in world.tables)
    if kind == "exact_mean" or world.tables[0].mechanism == "exact":
        return kind != "exact_mean" or world.tables[0].mechanism == "exact"
    if kind in ("exact_probability", "switch_probability"):
        return any(table.mechanism in WHOLE and table.statistic == "count" for table in world.tables)
    return True


def _contradiction(rng: random.Random, release: Told, world: World) -> str | None:
    """Make the release say what cannot be; return what that is, None where nothing was at hand."""
    stated = (release.get("parts") or [release])[: len(world.tables)]  # an exact table may stand behind them
    pairs = zip(stated, world.tables, strict=True)
    counted = [s for s, t in pairs if t.reads == "row_cells" and s.get("contributions", 1) > 1]
    if counted:
        chosen = rng.choice(counted)
        chosen.update({name: 1 for name in ("sensitivity", "sensitivity_other") if name in chosen})
        return "rows of one unit move a histogram by less than their number"
    if release.get("parts") and world.sensitivity(world.tables[0], world.neighbours) > 0:
        mixed = len({table.mechanism in GAUSSIAN for table in world.tables}) > 1  # then some L2 distance is meant
        least = [
            s["sensitivity"] / (math.sqrt(t.dimension) if mixed and t.mechanism not in GAUSSIAN else 1.0)
            for s, t in zip(stated, world.tables, strict=True)
        ]
        release["sensitivity"] = 0.5 * max(least)
        release.pop("sensitivity_other", None)
        return "a table moves further than the whole release"
    return None


def _with_exact(rng: random.Random, release: Told, world: World) -> tuple[Told, World]:
    """Something is published without noise beside it: how many there are, or a table of its own."""
    name, reads = "total", ()
    table = Table(name=name, statistic="count", reads="present")
    if "flag" in world.attributes and rng.random() < 0.5:
        table, reads = Table(name=name, statistic="count", reads="flag"), ("flag",)
    elif "group" in world.attributes and rng.random() < 0.5:
        cells = len(world.attributes["group"])
        table, reads = Table(name=name, statistic="histogram", reads="cells", cells=cells), ("group",)
    elif rng.random() < 0.2:
        table, reads = Table(name=name, statistic="sum", reads="weights", weights=(("x1", 1.0),)), ("x1",)
    if release.get("parts") and rng.random() < 0.4:  # it is one of the tables
        part = {"name": name, "mechanism": "exact", "statistic": table.statistic, "reads": list(reads)}
        return release | {"parts": [*release["parts"], part]}, replace(world, exact=(table,))
    return release | {"exact_figures": [{"name": name, "reads": list(reads)}]}, replace(world, exact=(table,))
