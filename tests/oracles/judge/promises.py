"""What a release reveals and costs: for each privacy requirement, the worst case found in the data and the noise.

Every function takes the world (data, noise and neighbouring relation), the requirement as the file has it, epsilon, and
what sets the limit by the answer. It returns (harm, allowed): the requirement is violated if the harm is larger. Harm
is found, never assumed: a pair of data sets and an output of the release attain it, or more.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from scipy.special import ndtr

from tests.oracles.judge import rare
from tests.oracles.judge.noise import GAUSSIAN, Floats, Loss
from tests.oracles.judge.world import World
from tests.oracles.relative_risk_oracle import ratio_of

Told = Mapping[str, Any]
Harm = tuple[float, float]
NEAR = 1e-9  # how far inside an open end of a range of beliefs somebody is looked at


# --------------------------------------------------------------------------------- what is learned


def relative_risk(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The largest (posterior / prior) / allowed ratio over all beliefs of the class; 1 is allowed."""
    p, q = (_range(asked.get(name), fixed) for name, fixed in _fixed(asked).items())
    best = 0.0
    lines = [_line(box, binding.get(name)) for box, name in ((p, "p"), (q, "q"))]
    marks = _marks(asked["profile"])
    if asked.get("statement", "certain") != "certain":
        drawn = [
            np.unique(np.append(line[::6], (line[-1], *_binding(line, binding.get(x)))))
            for line, x in zip(lines, "pq", strict=True)
        ]
        a, b = (side.ravel() for side in np.meshgrid(*drawn))
        judge = rare.tolerance if asked["statement"] == "tolerance" else rare.average
        return judge(world, asked, epsilon, (a, b), _known(asked))
    absent, changed = _three_worlds(world, epsilon, asked)
    lines = [np.union1d(line, marks[(marks >= line[0]) & (marks <= line[-1])]) for line in lines]
    for zoom in range(4):
        a, b = (side.ravel() for side in np.meshgrid(*lines))
        harm = _ratio(absent, changed, a, b) / ratio_of(asked["profile"], a, b)
        at = int(np.argmax(harm))
        best = max(best, float(harm[at]))
        width = 4.0 * 0.12**zoom
        lines = [
            np.unique(np.clip(np.append(c * np.exp(np.linspace(-width, width, 15)), c), line[0], line[-1]))
            for c, line in ((a[at], lines[0]), (b[at], lines[1]))
        ]
    return best, 1.0


def _binding(line: Floats, bound: float | None) -> Floats:
    return np.clip([bound] if bound is not None else [], line[0], line[-1])


def learned(world: World, asked: Told, epsilon: float, p: float, q: float) -> float:
    """Return the largest ratio of the chance after the release to that before, for one belief, as it is promised."""
    if asked.get("statement", "certain") != "certain":
        return rare.learned(world, asked, epsilon, p, q, _known(asked))
    absent, changed = _three_worlds(world, epsilon, asked)
    return float(_ratio(absent, changed, np.array([p]), np.array([q]))[0])


def _fixed(asked: Told) -> dict[str, float | None]:
    adversary = asked["adversary"]
    return {"p": 1.0 if adversary == "attribute" else None, "q": 1.0 if adversary == "inclusion" else None}


def _range(belief: Any, fixed: float | None) -> tuple[float, float]:
    belief = fixed if belief is None else belief
    return (float(belief[0]), float(belief[1])) if isinstance(belief, list | tuple) else (float(belief),) * 2


def _line(box: tuple[float, float], bound: float | None) -> Floats:
    low, high = max(box[0], NEAR * box[1]), box[1]
    if low == high:
        return np.array([low])
    drawn = np.concatenate(
        (
            np.geomspace(low, high, 19),
            np.linspace(low, high, 9),
            np.maximum(high - high * np.geomspace(NEAR, 0.3, 7), low),
        )
    )
    if bound is not None:
        drawn = np.append(drawn, np.clip([bound, bound * (1 - 1e-7), bound * (1 + 1e-7)], low, high))
    return np.unique(drawn)


def _marks(profile: Told) -> Floats:
    points = [point[0] for point in profile.get("points", ())]
    marks = [*profile.get("edges", ()), *points, *profile.get("p", ()), *profile.get("q", ())]
    return np.array([x * s for x in marks for s in (1 - 1e-9, 1.0, 1 + 1e-9)])


def _three_worlds(world: World, epsilon: float, asked: Told) -> tuple[Floats, Floats]:
    """Return the losses against absence and against another value, of every person and change that is not dominated."""
    apart = world.losses(epsilon, "replace")
    gone = np.zeros(len(world.people)) if _known(asked) else world.losses(epsilon, "add_remove")
    pairs = {(float(g), float(row.max())) for g, row in zip(gone, apart, strict=True)}
    kept = [x for x in pairs if not any(y != x and y[0] >= x[0] and y[1] >= x[1] for y in pairs)]
    return np.array([x[0] for x in kept]), np.array([x[1] for x in kept])


def _known(asked: Told) -> bool:
    """Return whether the person is known to be in the data."""
    return _fixed(asked)["p"] == 1.0 or asked.get("p") in (1, 1.0, [1, 1], [1.0, 1.0])


def _ratio(absent: Floats, changed: Floats, p: Floats, q: Floats) -> Floats:
    with np.errstate(under="ignore"):
        others = p * (1 - q) * np.exp(-changed)[:, None] + (1 - p) * np.exp(-absent)[:, None]
        return np.asarray((1.0 / np.maximum(p * q + others, 1e-300)).max(axis=0))


def lee_clifton(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The chance of naming the right one of so many, whose values are at most `difference` apart."""
    return 1 / (1 + (asked["population"] - 1) * math.exp(-_named(world, asked, epsilon))), asked["posterior"]


def _named(world: World, asked: Told, epsilon: float) -> float:
    apart = world.losses(epsilon, "replace")
    if len(world.tables) == 1 and world.tables[0].reads == "weights":
        far = world.tables[0].apart(world.people)
        apart = np.where(far <= asked.get("difference", 1.0) * (1 + 1e-9), apart, 0.0)
    return float(apart.max())


def participation(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The chance of a statement about everybody, with the person; what the others add depends on it too.

    Where the statement is true the person adds s and the others D, else -s (or nothing less than its mirror image) and
    D + 2s: an output between the two speaks for it twice by the person's own loss, and without them says nothing.
    """
    loss = 2.0 * float(world.losses(epsilon, "add_remove").max())
    before = asked["posterior_without"]
    return before / (before + (1 - before) * math.exp(-loss)), asked["posterior_with"]


def categorical_advantage(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """How much likelier a category becomes whose people move the release most away from all others."""
    loss, total = float(world.losses(epsilon, "replace").max()), sum(asked["prior"].values())
    names = list(asked["prior"]) if asked["truth"] == "worst" else [asked["truth"]]
    chances = [asked["prior"][name] / total for name in names]
    if len([mass for mass in asked["prior"].values() if mass > 0]) < 2:
        return 0.0, asked["advantage"]
    return max(p / (p + (1 - p) * math.exp(-loss)) - p for p in chances), asked["advantage"]


# --------------------------------------------------------------------------------- losses, their chance and cost


def privacy_at_risk(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The chance that the loss leaves the level, for the worst pair found."""
    return _outside(world, asked["level"], epsilon), 1 - asked["confidence"]


def _outside(world: World, level: float, epsilon: float) -> float:
    before = float(world._before["replace"].max()) if world.counts_earlier else 0.0
    most = float(world.losses(epsilon, "replace").max())
    if math.isinf(most):
        return 1.0
    if most <= level * (1 + 1e-12):
        return 0.0
    if world.rounding is not None:  # what is published of it may be one of two numbers, and lose all or nothing
        return max(_rounded_outside(world, level, epsilon), _loss_outside(world, level - before, epsilon))
    return _loss_outside(world, level - before, epsilon)


def _loss_outside(world: World, level: float, epsilon: float) -> float:
    if level < 0:
        return 0.0  # what an earlier release adds has a distribution of its own, which is not looked at
    if len(world.tables) == 1 and world.tables[0].dimension == 1 and world.repetitions == 1:
        return max(_exactly_outside(parts, level) for parts in world.pairs(epsilon, "replace", 40))
    return max(Loss(parts).outside(level) for parts in world.pairs(epsilon, "replace", 3))


def _exactly_outside(parts: list[tuple[str, float, int, int]], level: float) -> float:
    """P(|loss| > LEVEL) for one number."""
    if not parts:
        return 0.0
    ((law, size, steps, _),) = parts
    if law == "geometric":
        full = size * steps
        if full <= level * (1 + 1e-12):
            return 0.0
        chance, alpha = 0.0, math.exp(-size)
        for k in range(-1, steps + 2):  # beyond these every output loses the same
            loss = size * (abs(steps - k) - abs(k))
            mass = (1 - alpha) / (1 + alpha) * alpha ** abs(k) / (1 - alpha if k in (-1, steps + 1) else 1.0)
            chance += mass if abs(loss) > level * (1 + 1e-11) else 0.0
        return chance
    if size <= level * (1 + 1e-12):
        return 0.0
    return 1 - math.exp(-size / 2) * math.sinh(level / 2)


def _rounded_outside(world: World, level: float, epsilon: float) -> float:
    """The same of one number that is rounded so coarsely that all it shows is whether it lies below some point."""
    if len(world.tables) > 1 or world.tables[0].dimension > 1 or world.repetitions > 1:
        return 0.0
    ((law, size, steps, _),) = world.pairs(epsilon, "replace", 1)[0]
    far = float(steps) if law == "geometric" else size
    chance = 0.0
    for point in np.arange(far + 1) if law == "geometric" else np.linspace(0.0, far, 33):
        here, there = (_below(law, size, x) for x in (point, point - far))
        sides = ((here, there), (1 - here, 1 - there))
        chance = max(chance, sum(one for one, other in sides if _apart(one, other) > level * (1 + 1e-9)))
    return chance


def _apart(one: float, other: float) -> float:
    return abs(math.log(one / other)) if one > 0 and other > 0 else math.inf


def _below(law: str, size: float, point: float) -> float:
    """P(noise <= POINT), in whole steps of geometric noise of this rate, or in scales of Laplace noise."""
    if law == "laplace":
        return 0.5 * math.exp(point) if point < 0 else 1 - 0.5 * math.exp(-point)
    alpha = math.exp(-size)
    return alpha**-point / (1 + alpha) if point < 0 else 1 - alpha ** (point + 1) / (1 + alpha)


def compensation(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """What all people together cost: by the largest loss there is, or by the loss that is met on average."""
    return asked["people"] * _cost_of_one(world, asked, epsilon, binding), asked["money"]


def _spent_before(world: World) -> float:
    return float(world._before[world.neighbours].max()) if world.counts_earlier else 0.0


def _cost_of_one(world: World, asked: Told, epsilon: float, binding: Told) -> float:
    floor, cost, rate = asked.get("floor", 0.0), asked["cost"], asked.get("rate", 1.0)

    def paid(loss: Floats) -> Floats:
        with np.errstate(divide="ignore", over="ignore"):
            return np.asarray(floor + cost * np.exp(-rate / np.maximum(loss, 1e-300)))

    if asked.get("model", "plain") == "plain":
        if binding.get("delta_left_out") and any(old.law == "gaussian" for old in world.earlier):
            return 0.0  # what an earlier delta leaves out is not looked at
        if binding.get("delta_left_out"):
            return float(paid(np.array(epsilon * world.repetitions + _spent_before(world))))
        return float(paid(world.losses(epsilon, world.neighbours).max()))
    if math.isinf(float(world.losses(epsilon, world.neighbours).max())):
        return float(floor + cost)
    return max(Loss(parts, 20_000).mean(paid) for parts in world.pairs(epsilon, world.neighbours, 4))


def budget(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """Basic: the largest loss of everything. By zCDP its rho. Otherwise the delta of everything at the total."""
    if asked.get("composition") == "zcdp":
        return rare.rho(world, asked, epsilon, binding)
    if any(old.law == "gaussian" for old in world.earlier):
        return 0.0, asked["total"]  # what both deltas come to together is not looked at
    gaussian = any(table.mechanism in GAUSSIAN for table in world.tables)
    if asked.get("composition", "basic") == "basic" and not gaussian:
        return float(world.losses(epsilon, world.neighbours, earlier=True).max()), asked["total"]
    allowed = asked.get("delta", (world.delta or 0.0) * world.repetitions)
    if world.shows(world.neighbours):
        return 1.0, allowed
    if not world.pairs(epsilon, world.neighbours, 1):
        return 0.0, allowed
    before = [("laplace", world.loss_before(old, world.neighbours), 0, 1) for old in world.earlier]
    if any(math.isinf(loss) for _, loss, _, _ in before):
        return 1.0, allowed
    pairs = world.pairs(epsilon, world.neighbours, 2)
    return max(Loss([*parts, *before]).delta(asked["total"]) for parts in pairs), allowed


# --------------------------------------------------------------------------------- predictions


def persuasive_privacy(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The chance that the score of a prediction gains more than kappa; where it may never, the gain itself."""
    return {"log": _log_score, "interval": _interval, "dawid_sebastiani": _dawid_sebastiani}[asked["score"]](
        world, asked, epsilon
    )


def _log_score(world: World, asked: Told, epsilon: float) -> Harm:
    kappa, delta, mass = asked["kappa"], asked.get("delta", 0.0), asked["prior_mass"]
    most = float(world.losses(epsilon, "replace").max())
    if delta == 0.0:
        left = mass + (1 - mass) * math.exp(-most)
        return -math.log(left) if left > 0 else math.inf, kappa
    left = math.exp(-kappa) - mass
    if left <= 0:
        return 0.0, delta
    level = math.log((1 - mass) / left)  # the loss from which the gain is above kappa
    if level >= most:
        return 0.0, delta
    if world.shows("replace"):
        return 1.0, delta
    before = float(world._before["replace"].max()) if world.counts_earlier else 0.0
    if before:
        return 0.0, delta
    exact = [_exactly_above(parts, level) for parts in world.pairs(epsilon, "replace", 1)]
    if None not in exact:
        return max(x for x in exact if x is not None), delta
    return max(loss.above(level) for loss in world.worst_losses(epsilon, "replace", 2)), delta


def _exactly_above(parts: list[tuple[str, float, int, int]], level: float) -> float | None:
    """P(loss > LEVEL) where it is one number or all is Gaussian; None where a grid must tell."""
    if parts and all(law == "gaussian" for law, *_ in parts):
        mu = math.sqrt(sum(size * size * times for _, size, _, times in parts))
        return 0.5 * math.erfc((level / mu - mu / 2) / math.sqrt(2))
    if len(parts) != 1 or parts[0][3] != 1:
        return None
    law, size, steps, _ = parts[0]
    if law == "laplace":
        return 0.0 if level >= size * (1 - 1e-12) else 1 - 0.5 * math.exp(-(size - max(level, -size)) / 2)
    alpha = math.exp(-size)
    return 1 / (1 + alpha) + sum(
        (1 - alpha) / (1 + alpha) * alpha**k for k in range(1, steps) if size * (steps - 2 * k) > level * (1 + 1e-12)
    )


def _per_value(world: World, epsilon: float) -> tuple[str, float]:
    """Return the noise on one value, in the value's own unit: several tables that read it tell as much as one finer."""
    table = max(world.tables, key=lambda t: t.effect("x1"))
    return table.mechanism, world.scale(table, epsilon) / table.effect("x1")


def _interval(world: World, asked: Told, epsilon: float) -> Harm:
    kind, scale = _per_value(world, epsilon)
    length, sd = asked["length"], asked["prior_sd"]
    loss = _gaussian_interval if kind == "gaussian" else _laplace_interval
    nearest = length / 2 + asked["margin"]
    reach = nearest + 6 * sd * (1 + scale / sd)
    places = np.concatenate((np.linspace(nearest, reach, 40), nearest + (reach - nearest) * np.geomspace(1e-6, 1, 25)))
    return max(float(loss(sd, scale, length, max(d, nearest))) for d in places), asked.get("delta", 0.0)


def _laplace_interval(prior_sd: float, scale: float, length: float, distance: float) -> float:
    """P(|centre - truth| <= length/2), the centre an increasing function of the output, clipped."""
    slope, most = 2 * prior_sd**2 / (length * scale + 2 * prior_sd**2), prior_sd**2 / scale
    low, high = distance - length / 2, distance + length / 2
    if distance <= length / 2 or low > most:
        return 0.0
    first, last = low / slope - distance, high / slope - distance if high < most else math.inf

    def below(x: float) -> float:
        return 0.5 * math.exp(x / scale) if x < 0 else 1 - 0.5 * math.exp(-x / scale)

    return below(last) - below(first)


def _gaussian_interval(prior_sd: float, sd: float, length: float, distance: float) -> float:
    if distance <= length / 2:
        return 0.0
    slope = prior_sd**2 / (prior_sd**2 + sd**2)
    ends = [(end / slope - distance) / sd for end in (distance - length / 2, distance + length / 2)]
    return float(ndtr(ends[1]) - ndtr(ends[0]))


def _dawid_sebastiani(world: World, asked: Told, epsilon: float) -> Harm:
    """One value `a` standard deviations off, published with noise psi times as spread as the belief in it."""
    _, scale = _per_value(world, epsilon)
    psi, most = (scale / asked["prior_sd"]) ** 2, math.sqrt(asked["r1"])
    left = psi / (1 + psi)  # of the variance 1 before; the prior mean is 0, the guess (a + sqrt(psi) g) / (1 + psi)
    if asked.get("delta", 0.0) == 0.0:  # the guess may fall on the truth
        return most * most - math.log(left), asked["kappa"]
    a = np.linspace(0, most, 40)
    near = np.sqrt(np.maximum(left * (a * a - math.log(left) - asked["kappa"]), 0.0))
    ends = [((a + side * near) * (1 + psi) - a) / math.sqrt(psi) for side in (-1, 1)]
    return float((ndtr(ends[1]) - ndtr(ends[0])).max()), asked["delta"]


def exact_mean(world: World, asked: Told, epsilon: float, binding: Told) -> Harm:
    """The largest gain about one value from the mean as it is, for data as surprising as assumed."""
    if asked.get("covariance") is not None:
        sigma = np.array(asked["covariance"], dtype=np.float64)
    else:
        n, rho = asked["n"], asked["correlation"]
        sigma = np.full((n, n), rho) + (1 - rho) * np.eye(n)
    n, variance, best = len(sigma), sigma.sum() / len(sigma) ** 2, -math.inf
    off = math.sqrt(asked["r1"] * variance)  # of the mean, from its prior mean
    for index in range(n):
        load = sigma[index].sum() / n
        left = sigma[index, index] - load * load / variance  # its variance once the mean is known
        value = off * sigma[index, index] / load if load else off
        for x in (off * load / variance, value):  # where the guess will fall, and near it
            gain = x * x / sigma[index, index] - (x - off * load / variance) ** 2 / left
            best = max(best, gain - math.log(left / sigma[index, index]))
    return best, asked["kappa"]


KINDS: dict[str, Callable[[World, Told, float, Told], Harm]] = {
    function.__name__: function
    for function in (
        relative_risk,
        lee_clifton,
        participation,
        rare.two_worlds,
        rare.attack_advantage,
        rare.attack_success,
        categorical_advantage,
        privacy_at_risk,
        compensation,
        budget,
        persuasive_privacy,
        exact_mean,
    )
}
