"""The simplest profile that keeps what an officer said: every answer, every corrected value, every line marked."""

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
    found: Posterior, evidence: Sequence[Evidence], middles: Array, epsilon: float, *, at_least: bool
) -> Profile | None:
    """Return the first of the named shapes, those of one parameter before those of two, with a curve that keeps all.

    EVIDENCE holds answers and lines marked; corrections are FOUND's. Of the curves that keep all, it is the one nearest
    to EPSILON (and, AT_LEAST, not short of it), then to MIDDLES, priors and chances. None where no named shape does.
    """
    span = found.span
    moves = [move for one in evidence for move in (one.a, one.b) if move is not None]
    priors = tuple(sorted({move.prior for move in moves} | {one.prior for one in found.corrections}))
    for family in FAMILIES:
        if family == "free" or (span.single and family != "constant"):
            continue
        points = _filled(SHARE[family][1])
        held = posteriors(family, points, np.array(priors), span)
        near = np.ones(len(points), dtype=bool)
        for one in found.corrections:
            off = np.abs(np.exp(held[:, priors.index(one.prior)]) - one.posterior)
            near &= off <= NEAR * (one.posterior - one.prior)
        points, held = points[near], held[near]
        kept = keeps_all(evidence, held, priors)
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
    """Return points that fill a unit cube densely."""
    axes = [np.linspace(0.0, 1.0, FINE[dimensions])] * dimensions
    return np.column_stack([axis.ravel() for axis in np.meshgrid(*axes, indexing="ij")])


def nearest(family: Family, points: Array, own: Array, epsilon: float, middles: Array, span: Span) -> int:
    """Return which of POINTS, that allow OWN, is nearest to EPSILON and to MIDDLES, priors and chances in two rows."""
    held = posteriors(family, points, middles[0], span)
    off = np.abs(held - np.log(middles[1])).max(axis=1) + EPSILON_FIRST * np.abs(np.log(own / epsilon))
    return int(np.argmin(off))


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


def few_knots(found: Posterior, middles: Array, at_least: float | None) -> Knots:
    """Return as few knots as follow MIDDLES, priors and chances, through every corrected value.

    Where it is to allow AT_LEAST an epsilon, it accepts at every prior what that lets an intruder become.
    """
    priors, chances = middles
    if at_least is not None:
        chances = np.maximum(chances, [closing_look.after(found.span, float(prior), at_least) for prior in priors])
    places = {0, len(priors) - 1}
    places |= {int(np.argmin(np.abs(np.log(priors / one.prior)))) for one in found.corrections}
    places &= set(range(len(priors)))
    gains = _gain(priors, chances)
    while len(places) < len(priors):
        chosen = sorted(places)
        ratios = np.exp(np.interp(np.log(priors), np.log(priors[chosen]), np.log(chances[chosen] / priors[chosen])))
        off = np.abs(np.log(_gain(priors, ratios * priors) / gains))
        worst = int(np.argmax(off))
        if off[worst] <= OFF:
            break
        places.add(worst)
    ratio = np.maximum(chances / priors, 1.0)
    return Knots(axis="pq", points=tuple((float(priors[place]), float(ratio[place])) for place in sorted(places)))


def _gain(priors: Array, chances: Array) -> Array:
    """Return how far the log odds rise."""
    after = np.minimum(chances, 1.0 - 1e-9)
    found = np.log(after / (1.0 - after)) - np.log(priors / (1.0 - priors))
    return np.asarray(np.maximum(found, 1e-9))
