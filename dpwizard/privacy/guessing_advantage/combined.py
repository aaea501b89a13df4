"""Guessing several independent attributes at once: all of them (and) or at least one (or), in the maximum metric.

The bounds taken are the repaired annulus bound on the joint attribute and the smallest single bound (and), and the
sum of the single bounds and the simplified bound on the union (or). Two sharper ones hold by the chain rule, for
given a right guess of the first attribute the mechanism is still epsilon-private in the second and its prior is
the same: P(all) <= T1_1 T1_2 ... and P(none) >= (1 - T1_1)(1 - T1_2) ...; for the drop with both signs turned.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dpwizard.privacy.guessing_advantage.bounds import LARGEST_LOSS, Direction, Odds, gain, invert, sign
from dpwizard.privacy.priors import NODES, WEIGHTS, AtomsView, DensityView, Prior, View
from dpwizard.stopping import may_stop

Floats = NDArray[np.float64]
Combine = Literal["one", "and", "or"]

BLOCK = 50  # panels of an integral that are added up at once
MODEST_TILT = 16.0  # beyond e^16 of growth the joint bound for a drop is left out; the product bound stands


class Guess(NamedTuple):
    """One attribute to guess; truth None stands for the worst."""

    prior: Prior
    truth: float | None
    precision: float


# ---------------------------------------------------------------------------- known truths


def joint_prior(views: Sequence[View], combine: Combine) -> float:
    """Return the prior probability that all (and) or at least one (or) of the guesses are right."""
    if combine == "or":
        if any(each.certain for each in views):
            return 1.0
        return min(-math.expm1(sum(each.log_outside for each in views)), 1.0)
    if any(each.impossible for each in views):
        return 0.0
    return math.exp(min(sum(each.log_inside for each in views), 0.0))


def joint_gain(views: Sequence[View], combine: Combine, epsilon: float, direction: Direction) -> float:
    """Return the bound on |posterior - prior|, precise relative to itself; never below the true supremum."""
    if epsilon > LARGEST_LOSS:
        return joint_limit(views, combine, direction)
    if epsilon == 0.0 or joint_limit(views, combine, direction) == 0.0:
        return 0.0
    way = sign(direction)
    gains = [
        0.0 if each.certain or each.impossible else gain(each, Odds(each).log_ratio(way * epsilon)) for each in views
    ]
    if combine == "or":
        # prod q - prod (1 - T) with 1 - T = q - gain
        shares = sum(_log_share(-change, each.log_outside) for each, change in zip(views, gains, strict=True))
        bound = -math.expm1(min(shares, 700.0)) * math.exp(sum(each.log_outside for each in views))
        reach = max(each.reach for each in views)
        union = joint_prior(views, "or")
        return max(min(abs(bound), _simplified_gain(union, 1.0 - union, epsilon * reach, direction)), 0.0)
    shares = sum(_log_share(change, each.log_inside) for each, change in zip(views, gains, strict=True))
    bound = abs(math.expm1(min(shares, 700.0))) * joint_prior(views, "and")
    return min(bound, _farthest_gain(views, epsilon, direction))


def joint_limit(views: Sequence[View], combine: Combine, direction: Direction) -> float:
    """Return the advantage no release can exceed: 1 - p for the rise, p for the drop, 0 if certain or impossible."""
    p = joint_prior(views, combine)
    none = math.exp(sum(each.log_outside for each in views)) if combine == "or" else 1.0 - p
    sure = any(each.certain for each in views) if combine == "or" else all(each.certain for each in views)
    if sure or p == 0.0:
        return 0.0
    return none if direction == "rise" else p


def _log_share(change: float, log_mass: float) -> float:
    """Return log(1 + CHANGE/e^LOG_MASS), the mass perhaps too small for floating point."""
    if change == 0.0 or log_mass == -math.inf:
        return 0.0
    share = math.log(abs(change)) - log_mass
    if change > 0.0:
        return math.log1p(math.exp(share)) if share < 700.0 else share
    return math.log1p(-math.exp(share)) if share < 0.0 else -math.inf


def _simplified_gain(p: float, q: float, shift: float, direction: Direction) -> float:
    """Return the change of p when its odds move by e^shift."""
    if direction == "drop":
        p, q = q, p
    if shift > 700.0:
        return q
    # p E/(p E + q) - p with E = e^shift
    return p * q * -math.expm1(-shift) / (p + q * math.exp(-shift))


def _farthest_gain(views: Sequence[View], epsilon: float, direction: Direction) -> float:
    """Return the gain by the repaired annulus bound on the joint attribute: wrong values against the farthest right."""
    p = joint_prior(views, "and")
    if p == 0.0 or any(each.impossible for each in views):
        return 0.0
    s = sign(direction) * epsilon
    q = 1.0 - p if p < 0.5 else -math.expm1(sum(each.log_inside for each in views))
    log_ratio = _farthest_ratio(views, s, p, q)
    if log_ratio is None:
        return math.inf
    return abs(_simplified_gain(p, q, abs(log_ratio), direction))


def _farthest_ratio(views: Sequence[View], s: float, p: float, q: float) -> float | None:
    """Return log E[e^(-s D) | wrong], D the distance to the farthest right value; None where it is not worth computing.

    E[e^(-s D); wrong] = q - s * integral over t of e^(-s t) P(D > t, wrong), P(D > t) by the product of the
    distribution functions ((eps/p) int e^(-eps t)(F - G) dt).
    """
    sides = []
    for each in views:
        may_stop()
        sides.append(_Reach(each))
    end = max(side.end for side in sides)
    grows = -s * end > MODEST_TILT and not all(side.bounded for side in sides)
    if s < 0.0 and (grows or any(-s >= each.limit for each in views)):
        return None
    marks = np.unique(np.concatenate([np.zeros(1), np.array([end]), *(side.marks for side in sides)]))
    marks = marks[(marks >= 0.0) & (marks <= end)]
    if s > 0.0:
        marks = np.append(marks[marks < 50.0 / s], min(end, 50.0 / s))
    marks = _finer(marks, abs(s))
    widths = np.diff(marks)
    lost = kept = grown = 0.0
    with np.errstate(divide="ignore", over="ignore", under="ignore"):
        for first in range(0, widths.size, BLOCK):
            may_stop()
            start, width = marks[first : first + BLOCK][: widths.size - first], widths[first : first + BLOCK]
            t = (start[:, None] + width[:, None] * NODES).ravel()
            weights = (width[:, None] * WEIGHTS).ravel()
            beyond = np.zeros_like(t)  # sum of log P(D_i <= t)
            right = np.zeros_like(t)
            for side in sides:
                may_stop()
                tail, inside = side(t)
                beyond += np.log1p(-np.minimum(tail, 1.0))
                right += np.log(np.minimum(inside, 1.0))
            wrong = -np.expm1(beyond) - (p - np.exp(right))  # P(D > t) - P(D > t, right)
            wrong = np.clip(wrong, 0.0, q)
            if s < 0.0:
                grown += -s * float(np.dot(weights, wrong * np.exp(-s * (t - end))))
            else:
                lost += s * float(np.dot(weights, wrong * np.exp(-s * t)))
                kept += s * float(np.dot(weights, (q - wrong) * np.exp(-s * t)))
    if s < 0.0:
        return float(np.logaddexp(0.0, math.log(grown / q) - s * end)) if grown > 0.0 else 0.0
    if lost < 0.5 * q:
        return math.log1p(-lost / q)
    kept += q * math.exp(-s * float(marks[-1]))
    return math.log(min(kept / q, 1.0)) if kept > 0.0 else -math.inf


def _finer(marks: Floats, s: float) -> Floats:
    """Return MARKS with long stretches cut, so that e^(-s t) varies by at most e^12 within one."""
    pieces = [marks[:1]]
    for low, high in zip(marks[:-1].tolist(), marks[1:].tolist(), strict=True):
        may_stop()
        count = max(1, min(math.ceil((high - low) * s / 12.0), 400))
        pieces.append(np.linspace(low, high, count + 1)[1:])
    return np.concatenate(pieces)


class _Reach:
    """Of one attribute: the distance D from a value to the farthest right guess, P(D > t), and P(D <= t, right)."""

    def __init__(self, seen: View) -> None:
        self.seen = seen
        if isinstance(seen, AtomsView):
            self.low, self.high = seen.a, seen.b
            everything = [np.maximum(np.abs(t - seen.a), np.abs(t - seen.b)) for t in seen.t.values()]
            logs = (seen.log_left, seen.log_inside, seen.log_right)
            masses = [seen.mass[region] * math.exp(log) for region, log in zip(seen.t, logs, strict=True)]
            order = np.argsort(np.concatenate(everything), kind="stable")
            self.distances, self.masses = np.concatenate(everything)[order], np.concatenate(masses)[order]
            inner = np.argsort(everything[1], kind="stable")
            self.inner, self.inner_masses = everything[1][inner], masses[1][inner]
            self.marks = self.distances
            self.end, self.bounded = float(self.distances[-1]), True
        elif isinstance(seen, DensityView):
            self.low, self.high = seen.t_of(seen.a), seen.t_of(seen.b)
            self._note(np.array(seen.landmarks()))
            self.bounded = math.isfinite(seen.reach)

    def _note(self, edges: Floats) -> None:
        far = np.maximum(np.abs(edges - self.low), np.abs(edges - self.high))
        middle = (self.high - self.low) / 2.0
        self.marks = np.unique(np.concatenate([far, np.array([middle, self.high - self.low])]))
        self.end = float(far.max())

    def __call__(self, t: Floats) -> tuple[Floats, Floats]:
        """Return P(D > t) and P(D <= t, right) for each of T."""
        if not isinstance(self.seen, DensityView):
            return _above(self.distances, self.masses, t), _upto(self.inner, self.inner_masses, t)
        low, high = self.low, self.high
        narrow = t < (high - low) / 2.0  # then nothing is that close to both ends
        tail = self.seen.above(low + t) + self.seen.below(high - t)
        within = self.seen.below(np.minimum(low + t, high)) - self.seen.below(np.maximum(high - t, low))
        right = np.where(narrow, 0.0, np.maximum(within, 0.0))
        return np.where(narrow, 1.0, tail), np.where(t >= high - low, self.seen.inside, right)


def _above(distances: Floats, masses: Floats, t: Floats) -> Floats:
    after = np.append(np.cumsum(masses[::-1])[::-1], 0.0)
    return np.asarray(after[np.searchsorted(distances, t, side="right")], dtype=np.float64)


def _upto(distances: Floats, masses: Floats, t: Floats) -> Floats:
    before = np.append(0.0, np.cumsum(masses))
    return np.asarray(before[np.searchsorted(distances, t, side="right")], dtype=np.float64)


def joint_loss(views: Sequence[View], combine: Combine, advantage: float, direction: Direction) -> float:
    """Return the largest epsilon at which the joint bound keeps ADVANTAGE; never above the true one."""
    if advantage >= joint_limit(views, combine, direction) * (1.0 - 1e-15):
        return math.inf
    heavy = direction == "drop" and any(each.limit == 0.0 and each.share_right > -math.inf for each in views)
    if heavy and joint_gain(views, combine, 1e-280, direction) > advantage:
        return 0.0
    return invert(lambda epsilon: joint_gain(views, combine, epsilon, direction), advantage, 32.0)


def seen_all(guesses: Sequence[Guess]) -> list[View]:
    """Return the views of guesses whose truths are all given."""
    found = []
    for guess in guesses:
        may_stop()
        if guess.truth is not None:
            found.append(guess.prior.view(guess.truth, guess.precision))
    return found
