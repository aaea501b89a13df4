"""The posterior over an officer's tolerance curves, by which the next question is chosen.

Each family of curves is a box of points with weights; the posterior weight of a point depends on how many answers it
contradicts. Where few points keep weight the boxes shrink around them and are filled anew, so that a handful of
numbers stands for the posterior however narrow it is. The next question is the one whose answer is expected to tell
most about the epsilon the curve allows (mutual information); docs/decisions/0050-elicitation.md says why.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dpwizard.decision import Chance
from dpwizard.elicitation.tolerance_corrections import Correction, bent, last_words
from dpwizard.elicitation.tolerance_curves import (
    FAMILIES,
    SHARE,
    Array,
    Family,
    Span,
    allowed,
    cube,
    epsilons,
    posteriors,
    thirds,
)

Mask: TypeAlias = NDArray[np.bool_]
Severity = Literal["posterior", "increase", "odds"]  # what an officer who could sign both prefers the smaller of
SEVERITIES: tuple[Severity, ...] = ("posterior", "increase", "odds")
# how often an answer is a slip, and how probable that is
SLIPS: Mapping[float, float] = {0.01: 0.25, 0.05: 0.35, 0.15: 0.40}
MASS = 0.995  # of the posterior of a family, that its box must hold
ROUNDS = 4  # how often boxes shrink
# how much the share of the variance of log epsilon that an answer explains counts beside information, in nats
TAILS = 3.0
WHOLE = 0.1  # the weight of information on the whole curve, relative to that on epsilon
BINS = 24  # of epsilon, of equal mass, that a question is to tell apart
LEVELS = (0.06, 0.12, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.88, 0.94)  # quantiles of A(m) at which a level is asked
PAIR_QUANTILES = (0.2, 0.35, 0.5, 0.65)  # of A(m), at which two releases are set against each other
PAIR_LEVELS = ((2, 2), (1, 3), (3, 1), (0, 2), (2, 0), (1, 1))  # which of these, on either side
MOST_PRIORS = 9
ROUND_PRIORS = tuple(float(f"{digit}e{power}") for power in range(-9, 0) for digit in (1, 2, 5))
# relative: whole counts, and the walk along the adversaries, show epsilon no sharper
BLUR = (-0.01, -0.005, 0.0, 0.005, 0.01)
FINE = 10  # counts that a rise is shown by, at least: coarser shows no tolerance, finer asks about a hundred thousand
SIMPLE_POINTS = 1_000  # curves of a family of one parameter, when one that explains all answers is looked for
SIDE = 1.5  # how far a box reaches beyond its points, in spacings


@dataclass(frozen=True, slots=True)
class Evidence:
    """One answer as the design sees it: A alone (accepted or refused), or A against B (the one preferred)."""

    a: Chance
    b: Chance | None
    answer: Literal["yes", "no", "a", "b", "neither"]


@dataclass(frozen=True, slots=True)
class FamilyPoints:
    """The points that stand for one family, with what they say at the priors in play."""

    family: Family
    points: Array
    box: Array  # dimensions x 2
    density: float  # prior mass of one point
    log_after: Array  # points x priors
    epsilon: Array
    rising: Array

    @property
    def severities(self) -> Array:
        """Return which sense of severity each point has, as an index."""
        return thirds(len(self.points))


@dataclass(frozen=True, slots=True)
class Posterior:
    """The posterior over curves after some answers."""

    span: Span
    priors: tuple[float, ...]
    blocks: tuple[FamilyPoints, ...]
    weights: Array  # of all points, block after block; they add up to 1
    slip: float  # how often an answer is a slip, expected
    misses: Array  # how many answers each point contradicts
    epsilon: Array  # what each point allows
    log_after: Array  # log A of all points (rows) at the priors in play (columns)
    severities: Array  # each point's sense of severity, as an index
    corrections: tuple[Correction, ...] = ()  # what the curves are bent through
    anchors: tuple[float, ...] = ()  # the priors that were answered, beyond which a correction does not reach

    def family_mass(self) -> dict[Family, float]:
        """Return how probable each family is."""
        return {
            block.family: float(part.sum()) for block, part in zip(self.blocks, self.split(self.weights), strict=True)
        }

    def split(self, figures: Array) -> list[Array]:
        """Return FIGURES of all points block by block."""
        return np.split(figures, np.cumsum([len(block.points) for block in self.blocks])[:-1])

    def quantile(self, *levels: float) -> tuple[float, ...]:
        """Return quantiles of the epsilon that the officer's curve allows, no sharper than counts can show."""
        order = np.argsort(self.epsilon)  # once: what follows is five sorted runs, which a stable sort merges
        blurred = np.concatenate([self.epsilon[order] * (1.0 + shift) for shift in BLUR])
        return quantiles(blurred, np.tile(self.weights[order], len(BLUR)), levels, "stable")

    def thinned(self) -> Posterior:
        """Return the points that carry nearly all the weight, by epsilon: enough to weigh questions by, and quicker."""
        heavy = np.flatnonzero(_heaviest(self.weights))
        order = heavy[np.argsort(self.epsilon[heavy], kind="stable")]
        weights = self.weights[order]
        return replace(
            self,
            weights=weights / weights.sum(),
            misses=self.misses[order],
            epsilon=self.epsilon[order],
            log_after=self.log_after[order],
            severities=self.severities[order],
        )

    def accepted(self, prior: float, *levels: float) -> tuple[float, ...]:
        """Return quantiles of the largest chance accepted at PRIOR."""
        column = self.curves(np.array([prior]))[:, 0]
        return tuple(math.exp(x) for x in quantiles(column, self.weights, levels))

    def curves(self, priors: Array) -> Array:
        """Return log A of all points at any PRIORS, corrections included."""
        straight = _straight(self.blocks, priors, self.span)
        if not self.corrections:
            return straight
        at = _straight(self.blocks, np.array([correction.prior for correction in self.corrections]), self.span)
        return bent(straight, priors, at, self.corrections, self.anchors)


def _straight(blocks: Sequence[FamilyPoints], priors: Array, span: Span) -> Array:
    """Return log A of all points at PRIORS, corrections left out."""
    return np.concatenate([posteriors(block.family, block.points, priors, span) for block in blocks])


def quantiles(
    values: Array, weights: Array, levels: Sequence[float], sort: Literal["quicksort", "stable"] = "quicksort"
) -> tuple[float, ...]:
    """Return weighted quantiles of VALUES; the "stable" sort is quick where they are made of sorted runs."""
    order = np.argsort(values, kind=sort)
    cumulated = np.cumsum(weights[order])
    places = np.searchsorted(cumulated, np.asarray(levels) * cumulated[-1])
    return tuple(float(values[order[min(int(place), len(values) - 1)]]) for place in places)


# ------------------------------------------------------------------------------- from answers to a belief


@functools.lru_cache(maxsize=64)
def question_priors(span: Span) -> tuple[float, ...]:
    """Return the priors a question may speak of: round ones, spread over the range, its two ends among them."""
    low, high = span.low, span.high
    if span.single:
        return (two_digits(high),)
    first, last = two_digits(low), two_digits(high)
    inside = [m for m in ROUND_PRIORS if first * 1.2 < m < last / 1.2]
    most = MOST_PRIORS - 2
    if len(inside) > most:
        inside = [inside[round(i * (len(inside) - 1) / (most - 1))] for i in range(most)]
    return tuple(sorted({first, *inside, last}))


def two_digits(prior: float) -> float:
    """Return PRIOR to two digits: questions count out of a power of ten."""
    return float(f"{prior:.2g}")


@functools.lru_cache(maxsize=8)
def _start(span: Span, priors: tuple[float, ...]) -> tuple[FamilyPoints, ...]:
    families = FAMILIES if not span.single else ("constant",)
    return tuple(_block(f, cube(f), np.tile([0.0, 1.0], (SHARE[f][1], 1)), priors, span) for f in families)


def _block(family: Family, unit: Array, box: Array, priors: tuple[float, ...], span: Span) -> FamilyPoints:
    sides = box[:, 1] - box[:, 0]
    points = box[:, 0] + unit * sides
    epsilon, rising = epsilons(family, points, span)
    density = SHARE[family][0] * float(np.prod(sides)) / len(points)
    return FamilyPoints(
        family, points, box, density, posteriors(family, points, np.array(priors), span), epsilon, rising
    )


def belief(span: Span, evidence: Sequence[Evidence], corrections: Sequence[Correction] = ()) -> Posterior:
    """Return the posterior over tolerance curves after all answers, in any order, bent through CORRECTIONS."""
    posterior = _weighed(span, evidence)
    if not corrections:
        return posterior
    answered = sorted({move.prior for item in evidence for move in (item.a, item.b) if move is not None})
    return _corrected(replace(posterior, corrections=last_words(corrections), anchors=tuple(answered)))


def _corrected(posterior: Posterior) -> Posterior:
    """Return POSTERIOR with what its curves accept and allow bent through its corrections.

    What a bent curve allows is compared with what it allowed on one walk along the adversaries, the corrected ones
    among them.
    """
    span = posterior.span
    walk = np.union1d(span.walk(), [*posterior.anchors, *(correction.prior for correction in posterior.corrections)])
    others = span.others(walk)[None, :]
    straight_epsilon = allowed(_straight(posterior.blocks, walk, span), walk, others, span).min(axis=1)
    bent_epsilon = allowed(posterior.curves(walk), walk, others, span).min(axis=1)
    epsilon = posterior.epsilon * (bent_epsilon / straight_epsilon)
    return replace(posterior, epsilon=epsilon, log_after=posterior.curves(np.array(posterior.priors)))


def _weighed(span: Span, evidence: Sequence[Evidence]) -> Posterior:
    extra = {move.prior for item in evidence for move in (item.a, item.b) if move is not None}
    priors = question_priors(span)
    priors = (*priors, *sorted(extra - set(priors)))
    blocks = _start(span, priors)
    for _ in range(ROUNDS):
        posterior = _weigh(span, priors, blocks, evidence)
        # a box must hold nearly all of its own weight
        heaviest = map(_heaviest, posterior.split(posterior.weights))
        shrunk = tuple(_shrunk(block, part, priors, span) for block, part in zip(blocks, heaviest, strict=True))
        if all(new is old for new, old in zip(shrunk, blocks, strict=True)):
            return posterior
        blocks = shrunk
    return _weigh(span, priors, blocks, evidence)


def _heaviest(weights: Array) -> Array:
    order = np.argsort(-weights, kind="stable")
    cumulated = np.cumsum(weights[order])
    heaviest = np.zeros(len(order), dtype=bool)
    heaviest[order[: int(np.searchsorted(cumulated, MASS * cumulated[-1])) + 1]] = True
    return heaviest


def _shrunk(block: FamilyPoints, kept: Array, priors: tuple[float, ...], span: Span) -> FamilyPoints:
    """Return BLOCK with its box drawn tight around the points kept, if that makes it much smaller."""
    count = int(kept.sum())
    if count == 0 or count > 0.4 * len(block.points):
        return block
    inside, sides = block.points[kept], block.box[:, 1] - block.box[:, 0]
    spacing = SIDE * sides * len(block.points) ** (-1.0 / len(sides))
    low, high = inside.min(axis=0) - spacing, inside.max(axis=0) + spacing
    box = np.column_stack((np.maximum(low, block.box[:, 0]), np.minimum(high, block.box[:, 1])))
    if np.prod(box[:, 1] - box[:, 0]) > 0.7 * np.prod(sides):
        return block
    return _block(block.family, cube(block.family), box, priors, span)


def _weigh(
    span: Span, priors: tuple[float, ...], blocks: tuple[FamilyPoints, ...], evidence: Sequence[Evidence]
) -> Posterior:
    log_after = np.concatenate([block.log_after for block in blocks])
    severities = np.concatenate([block.severities for block in blocks])
    misses, answers = np.zeros(len(log_after)), len(evidence)
    for item in evidence:
        misses += contradicted(item, log_after, severities, priors)
    start = np.concatenate([np.where(block.rising, block.density, 0.0) for block in blocks])
    counts, place = np.arange(answers + 1), misses.astype(int)
    likely = [chance * slip**counts * (1.0 - slip) ** (answers - counts) for slip, chance in SLIPS.items()]
    joint = np.array([of_count[place] * start for of_count in likely])
    total = joint.sum()
    if not total > 0.0:  # only where no curve rises: it cannot be, the named shapes all do
        joint, total = np.tile(start, (len(SLIPS), 1)), len(SLIPS) * start.sum()
    slip = float((joint.sum(axis=1) / total) @ np.array(list(SLIPS)))
    epsilon = np.concatenate([block.epsilon for block in blocks])
    return Posterior(span, priors, blocks, joint.sum(axis=0) / total, slip, misses, epsilon, log_after, severities)


def contradicted(item: Evidence, log_after: Array, severities: Array, priors: tuple[float, ...]) -> Array:
    """Return whether each point contradicts ITEM: 1 or 0."""
    limit_a = log_after[:, priors.index(item.a.prior)]
    fits_a = limit_a >= math.log(item.a.posterior) - 1e-12
    if item.b is None:
        return (~fits_a if item.answer == "yes" else fits_a).astype(np.float64)
    limit_b = log_after[:, priors.index(item.b.prior)]
    fits_b = limit_b >= math.log(item.b.posterior) - 1e-12
    if item.answer == "neither":  # two answers on the level, given in one breath
        return (fits_a | fits_b).astype(np.float64)
    says_a = severity(item.a, limit_a, severities) < severity(item.b, limit_b, severities)
    return ((~says_a if item.answer == "a" else says_a) | ~(fits_a | fits_b)).astype(np.float64)


@functools.lru_cache(maxsize=16)
def _of_one_parameter(span: Span, priors: tuple[float, ...]) -> Array:
    """Return log A of many curves of one parameter at PRIORS, evenly spread."""
    points = np.linspace(0.0, 1.0, SIMPLE_POINTS)[:, None]
    curves = np.concatenate([posteriors(f, points, np.array(priors), span) for f in FAMILIES if SHARE[f][1] == 1])
    curves.flags.writeable = False
    return curves


def explained_simply(span: Span, evidence: Sequence[Evidence]) -> bool:
    """Return whether some curve of one parameter contradicts none of the answers."""
    priors = tuple(sorted({move.prior for item in evidence for move in (item.a, item.b) if move is not None}))
    return bool(keeps_all(evidence, _of_one_parameter(span, priors), priors).any())


def keeps_all(evidence: Sequence[Evidence], curves: Array, priors: tuple[float, ...]) -> Mask:
    """Return which CURVES (log A at PRIORS) contradict none of EVIDENCE in at least one sense of severity."""
    alone = np.ones(len(curves), dtype=bool)
    for item in evidence:
        if item.b is None:
            alone &= contradicted(item, curves, np.zeros(len(curves)), priors) == 0.0
    kept = np.zeros(len(curves), dtype=bool)
    left = np.flatnonzero(alone)
    for sense in range(len(SEVERITIES)):
        fits = np.ones(len(left), dtype=bool)
        for item in evidence:
            if item.b is not None:
                fits &= contradicted(item, curves[left], np.full(len(left), float(sense)), priors) == 0.0
        kept[left] |= fits
    return kept


def severity(move: Chance, log_after: Array, senses: Array) -> Array:
    """Return how grave a move is for each point: 0 at its limit of tolerance, below 0 what it accepts."""
    m, a = move.prior, min(move.posterior, 1.0 - 1e-9)
    limit = np.minimum(np.exp(log_after), 1.0 - 1e-9)
    grave = np.empty_like(limit)
    for sense in range(len(SEVERITIES)):
        same_sense = np.flatnonzero(senses == sense)
        top = limit[same_sense]
        if SEVERITIES[sense] == "posterior":
            grave[same_sense] = math.log(a) - np.log(top)
        elif SEVERITIES[sense] == "increase":
            grave[same_sense] = np.log((a - m) / np.maximum(top - m, 1e-12))
        else:
            gain = math.log(a / (1.0 - a)) - math.log(m / (1.0 - m))
            most = np.log(top / (1.0 - top)) - math.log(m / (1.0 - m))
            grave[same_sense] = np.log(gain / np.maximum(most, 1e-12))
    return grave
