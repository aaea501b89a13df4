"""How much a release made at some epsilon moves the chance of a right guess, by the definition."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from tests.oracles import guessing_oracle
from tests.oracles.promise_world import ratios, spent_replaced, world

SINGLE = {"rise": ("rise",), "drop": ("drop",), "both": ("rise", "drop")}


def guessing_advantage(release, requirement, epsilon, at):
    """How much the chance of a right guess moves, at the worst output of the mechanism itself, the attacker knowing all
    else.

    An earlier release may be a count of just those with a right guess: its loss is paid at any distance.
    """
    made = world(release, epsilon)
    loss, earlier = made.replaced * made.repetitions / made.scale, spent_replaced(made)
    each = requirement["attributes"]
    ways = SINGLE[requirement.get("direction", "rise")]
    if earlier:
        return max(_after_earlier(each, requirement, loss / made.replaced, earlier, way) for way in ways), requirement[
            "advantage"
        ]
    if requirement.get("combine", "one") != "one":
        return max(_joint(each, requirement["combine"], loss / made.replaced, way) for way in ways), requirement[
            "advantage"
        ]
    prior, precision = each[0]["prior"], each[0]["precision"]
    s = loss * each[0]["effect"] * precision / made.replaced
    truth = each[0]["truth"]
    gains = [
        _gain(prior, _victim(prior, precision, s, way) if truth == "worst" else truth, precision, s, way)
        for way in ways
    ]
    return max(gains), requirement["advantage"]


def _after_earlier(attributes, requirement, slope, earlier, way):
    """The same when an earlier answer has moved the odds of a right guess by e^earlier."""
    combine, one = requirement.get("combine", "one"), attributes[0]
    sign = 1 if way == "rise" else -1
    if combine != "one":
        before = _joint_prior(attributes, combine)
        after = before + sign * _joint(attributes, combine, slope, way)
        return abs(_moved(after, sign * earlier) - before)
    prior, precision, truth = one["prior"], one["precision"], one["truth"]
    s = slope * one["effect"] * precision
    if truth == "worst":
        truth = _victim(prior, precision, s, way)
    before = guessing_oracle.prior_probability(prior, truth, precision)
    if before <= 0:
        return 0.0
    return abs(_moved(guessing_oracle.exact(prior, truth, precision, s, way), sign * earlier) - before)


def _moved(chance, by):
    return chance if chance in (0.0, 1.0) else 1 / (1 + (1 - chance) / chance * math.exp(-by))


def _joint_prior(attributes, combine):
    right = []
    for a in attributes:
        masses = _masses(a["prior"])
        right.append(sum(m for x, m in zip(a["prior"]["points"], masses, strict=True) if _close(x, a)) / sum(masses))
    return math.prod(right) if combine == "and" else 1 - math.prod(1 - p for p in right)


def _gain(prior, truth, precision, s, way):
    before = guessing_oracle.prior_probability(prior, truth, precision)
    return abs(guessing_oracle.exact(prior, truth, precision, s, way) - before) if before > 0 else 0.0


def _victim(prior, precision, s, way):
    """The truth, of some tried all over the support, against which a few outputs gain most."""
    sign, truths = (1 if way == "rise" else -1), prior.get("points")
    low, high = (min(truths), max(truths)) if truths else guessing_oracle.reach(prior, 0.0, math.inf)

    def roughly(truth):
        before = guessing_oracle.prior_probability(prior, truth, precision)
        outputs = np.linspace(max(truth - precision, low), min(truth + precision, high), 7)
        return max(sign * (guessing_oracle.output(prior, truth, precision, sign * s, y) - before) for y in outputs)

    edges = [x for x in (low + precision, high - precision) if low <= x <= high]  # guesses just inside the support
    return max(truths or [*np.linspace(low, high, 19), *edges], key=roughly)


def _joint(attributes, combine, slope, way):
    """The same for all or any of several atoms right, the statistic being the sum of effect * value over all
    attributes."""
    grids = [
        [(x, m / sum(_masses(a["prior"]))) for x, m in zip(a["prior"]["points"], _masses(a["prior"]), strict=True)]
        for a in attributes
    ]
    atoms = [((), 1.0)]
    for grid in grids:
        atoms = [((*xs, x), mass * m) for xs, mass in atoms for x, m in grid]
    right = all if combine == "and" else any
    correct = np.array([right(_close(x, a) for x, a in zip(xs, attributes, strict=True)) for xs, _ in atoms])
    mass = np.array([m for _, m in atoms])
    sums = np.array([sum(a["effect"] * x for x, a in zip(xs, attributes, strict=True)) for xs, _ in atoms])
    before, after = mass[correct].sum(), []
    for y in np.unique(sums):
        weight = mass * np.exp(-slope * np.abs(sums - y))
        after.append(weight[correct].sum() / weight.sum())
    return float(max(after) - before if way == "rise" else before - min(after))


def _masses(prior):
    return prior.get("probabilities") or [1] * len(prior["points"])


def _close(value, attribute):
    return abs(Fraction(repr(float(value))) - Fraction(repr(float(attribute["truth"])))) <= Fraction(
        repr(float(attribute["precision"]))
    )


def categorical_advantage(release, requirement, epsilon, at):
    """The same for a category: the true one moves the statistic by the most that a replacement can, all others by
    nothing."""
    made, total = world(release, epsilon), sum(requirement["prior"].values())
    names = [requirement["truth"]] if requirement["truth"] != "worst" else list(requirement["prior"])
    (others,) = ratios(made.kind, made.scale, made.replaced, (0.0,), made.repetitions)
    ratio = float(others.min()) * math.exp(-spent_replaced(made))
    gains = []
    for name in names:
        p = requirement["prior"][name] / total
        gains.append(p / (p + (1 - p) * ratio) - p)
    return max(gains), requirement["advantage"]
