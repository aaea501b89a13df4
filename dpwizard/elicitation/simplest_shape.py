"""The simplest profile that agrees with every answer, corrected value and marked line of an officer."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from dpwizard.elicitation import closing_look
from dpwizard.elicitation.question_design import Evidence, Posterior, keeps_all
from dpwizard.elicitation.tolerance_curves import (
    FAMILIES,
    SHARE,
    Array,
    Family,
    Span,
    epsilons,
    increases,
    log_ratios,
    posteriors,
    ridges,
)
from dpwizard.privacy.profiles import CapOrRatio, Constant, Increase, Knots, Odds, Power, Profile

EPSILON_FIRST = 8.0  # how much more a distance in epsilon counts than one in chances accepted, when a shape is fitted
NEAR = 0.02  # of a corrected rise: a named shape that is no further from it keeps it
FINE = {1: 4_000, 2: 300}  # points along each dimension, when a shape that keeps all is looked for
ROOM = 1.01  # what a shape is to allow more than is recommended: curves know their epsilon within a percent
OFF = 0.05  # of a gain in log odds, in logarithms: how far off the curve few knots may be


def simplest(
    posterior: Posterior, evidence: Sequence[Evidence], middles: Array, epsilon: float, *, at_least: bool
) -> Profile | None:
    """Return the first of the named shapes, those of one parameter before those of two, with a curve that keeps all.

    EVIDENCE: answers and marked lines; corrections are those of POSTERIOR. Of the curves that keep all, it is the one
    nearest to EPSILON (not below it if AT_LEAST), then to MIDDLES, priors and chances. None if no shape keeps all.
    """
    span = posterior.span
    moves = [move for item in evidence for move in (item.a, item.b) if move is not None]
    priors = tuple(sorted({move.prior for move in moves} | {item.prior for item in posterior.corrections}))
    for family in FAMILIES:
        if family == "free" or (span.single and family != "constant"):
            continue
        points = _filled(SHARE[family][1])
        curves = posteriors(family, points, np.array(priors), span)
        near = np.ones(len(points), dtype=bool)
        for item in posterior.corrections:
            off = np.abs(np.exp(curves[:, priors.index(item.prior)]) - item.posterior)
            near &= off <= NEAR * (item.posterior - item.prior)
        points, curves = points[near], curves[near]
        kept = keeps_all(evidence, curves, priors)
        points = points[kept]
        epsilons_of_points, rising = epsilons(family, points, span)
        fits = np.asarray(rising, dtype=bool)
        if at_least:
            fits = fits & (epsilons_of_points >= epsilon)
        if fits.any():
            points = points[fits]
            return profile_of(
                family, points[nearest(family, points, epsilons_of_points[fits], epsilon, middles, span)], span
            )
    return None


def _filled(dimensions: int) -> Array:
    """Return a dense grid of points in a unit cube."""
    axes = [np.linspace(0.0, 1.0, FINE[dimensions])] * dimensions
    return np.column_stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])


def nearest(family: Family, points: Array, allowed_epsilons: Array, epsilon: float, middles: Array, span: Span) -> int:
    """Return which of POINTS is nearest to EPSILON and to MIDDLES, priors and chances in two rows."""
    curves = posteriors(family, points, middles[0], span)
    distance = np.abs(curves - np.log(middles[1])).max(axis=1) + EPSILON_FIRST * np.abs(
        np.log(allowed_epsilons / epsilon)
    )
    return int(np.argmin(distance))


def profile_of(family: Family, point: Array, span: Span) -> Profile:
    """Return the profile that a point of a named FAMILY stands for."""
    ratio = math.exp(float(log_ratios(point[:1], span)[0]))
    if family == "constant":
        return Constant(ratio=ratio)
    if family == "increase":
        return Increase(amount=float(increases(point[:1], span)[0]))
    if family == "odds":
        return Odds(factor=ratio)
    if family == "cap_or_ratio":
        return CapOrRatio(posterior=min(ratio * float(ridges(point[1:2], span)[0]), 1.0), ratio=ratio)
    last = math.exp(float(log_ratios(point[1:2], span)[0]))
    if min(span.p[0], span.q[0]) == 0.0:  # a power would go on beyond the priors asked about
        return Knots(axis="pq", points=((span.low, ratio), (span.high, last)))
    exponent = math.log(ratio / last) / math.log(span.high / span.low)
    return Power(constant=ratio * span.low**exponent, exponent=exponent)


def few_knots(posterior: Posterior, middles: Array, at_least: float | None) -> Knots:
    """Return as few knots as follow MIDDLES, priors and chances, through every corrected value.

    If it must allow AT_LEAST an epsilon, it accepts at every prior the posterior that this allows.
    """
    priors, chances = middles
    if at_least is not None:
        chances = np.maximum(chances, [closing_look.after(posterior.span, float(prior), at_least) for prior in priors])
    places = {0, len(priors) - 1}
    places |= {int(np.argmin(np.abs(np.log(priors / correction.prior)))) for correction in posterior.corrections}
    places &= set(range(len(priors)))
    gains = _gain(priors, chances)
    while len(places) < len(priors):
        chosen = sorted(places)
        ratios = np.exp(np.interp(np.log(priors), np.log(priors[chosen]), np.log(chances[chosen] / priors[chosen])))
        deviation = np.abs(np.log(_gain(priors, ratios * priors) / gains))
        worst = int(np.argmax(deviation))
        if deviation[worst] <= OFF:
            break
        places.add(worst)
    ratio = np.maximum(chances / priors, 1.0)
    return Knots(axis="pq", points=tuple((float(priors[place]), float(ratio[place])) for place in sorted(places)))


def _gain(priors: Array, chances: Array) -> Array:
    after = np.minimum(chances, 1.0 - 1e-9)
    gain = np.log(after / (1.0 - after)) - np.log(priors / (1.0 - priors))
    return np.asarray(np.maximum(gain, 1e-9))
