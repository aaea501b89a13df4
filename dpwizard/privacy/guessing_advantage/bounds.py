"""The bounds on guessing one attribute, as plain functions of a view of the prior and a loss per precision.

Everything is a ratio to the prior odds: log_ratio is log of (odds against a correct guess after the release /
odds before), 0 for epsilon 0, falling for the rise (s = epsilon > 0), climbing for the drop (s = -epsilon).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np

from dpwizard.numerics import UNIT, decimal
from dpwizard.privacy.priors import View, log_sum
from dpwizard.stopping import may_stop

Bound = Literal["exact", "main", "farthest", "simplified", "published_annulus", "published_sum"]
Direction = Literal["rise", "drop"]

LARGEST_LOSS = 1e280  # a loss beyond it is infinite for every purpose
CLOSE = 1e-11  # a sum within this of 1 is compared exactly
PROBES = 400


def sign(direction: Direction) -> float:
    """Return 1 for the rise, -1 for the drop."""
    return 1.0 if direction == "rise" else -1.0


def mix(share_left: float, left: float, share_right: float, right: float) -> float:
    """Return log(e^(share_left + left) + e^(share_right + right)), precise near 0; the shares (logs) add up to 1."""
    if share_left == -math.inf:
        return right
    if share_right == -math.inf:
        return left
    if abs(left) < 0.5 and abs(right) < 0.5:
        return math.log1p(math.exp(share_left) * math.expm1(left) + math.exp(share_right) * math.expm1(right))
    return log_sum(share_left + left, share_right + right)


class Odds:
    """One bound of one view as a function of the signed loss; remembers where the last optimum lay."""

    def __init__(self, view: View, bound: Bound = "exact") -> None:
        """Arguments: the view (neither certain nor impossible) and the bound."""
        self.view, self.bound = view, bound
        self.centre: float | None = None
        self.ratio = {
            "exact": self._exact,
            "main": self._main,
            "farthest": self._farthest,
            "simplified": self._simplified,
            "published_annulus": self._annulus,
            "published_sum": self._sum,
        }[bound]

    def log_ratio(self, s: float) -> float:
        """Return log(odds after / odds before) against a correct guess at the signed loss S."""
        if s == 0.0:
            return 0.0
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            ratio = self.ratio(s)
        if math.isnan(ratio):  # both sides beyond floating point: as if the loss were infinite
            return -math.inf if s > 0 else math.inf
        return min(ratio, 0.0) if s > 0 else max(ratio, 0.0)

    def _exact(self, s: float) -> float:
        # T1: extreme over c of E[e^(-s |T-c|); outside] / E[e^(-s |T-c|); inside], over the same at s = 0
        self.centre = c = self.view.best(s, self.centre)
        outside = _outside(self.view, s, c, c)
        return outside if outside == math.inf else outside - self.view.around("inside", s, c)

    def _main(self, s: float) -> float:
        # M+: each side against the whole inside, weighed from the edge of g towards that side
        view = self.view
        left = right = 0.0
        if view.share_left > -math.inf:
            left = view.around("left", s, view.a)
            left -= view.around("inside", -s, view.a) if left < math.inf else 0.0
        if view.share_right > -math.inf:
            right = view.around("right", s, view.b)
            right -= view.around("inside", -s, view.b) if right < math.inf else 0.0
        return mix(view.share_left, left, view.share_right, right)

    def _farthest(self, s: float) -> float:
        return _outside(
            self.view, s, self.view.b, self.view.a
        )  # F+: every wrong value against the farthest correct one

    def _simplified(self, s: float) -> float:
        return -s * self.view.reach

    def _annulus(self, s: float) -> float:
        return _outside(
            self.view, s, self.view.low_edge, self.view.high_edge
        )  # as published: the nearest correct value

    def _sum(self, s: float) -> float:
        return self.view.shells(s)


def _outside(view: View, s: float, left: float, right: float) -> float:
    """Return log of E[e^(-s distance) | outside]: from LEFT to what lies left, and from RIGHT to what lies right."""
    to_left = view.around("left", s, left) if view.share_left > -math.inf else 0.0
    to_right = view.around("right", s, right) if view.share_right > -math.inf else 0.0
    return mix(view.share_left, to_left, view.share_right, to_right)


def posterior(view: View, epsilon: float, bound: Bound = "exact", direction: Direction = "rise") -> float:
    """Return the bound on the probability of a correct guess after the release, to 1e-13 relative."""
    if view.impossible or view.certain:
        return 0.0 if view.impossible else 1.0
    if epsilon == 0.0:
        return view.inside
    if epsilon > LARGEST_LOSS:
        return 1.0 if direction == "rise" else 0.0
    return after(view, Odds(view, bound).log_ratio(sign(direction) * epsilon))


def laplace(view: View, epsilon: float, t: float) -> float:
    """Return the posterior once the Laplace mechanism has released the output T precisions above the truth."""
    if view.impossible or view.certain or epsilon == 0.0:
        return view.inside if epsilon == 0.0 else 0.0 if view.impossible else 1.0
    if epsilon > LARGEST_LOSS:
        return 1.0 if abs(t) <= 1.0 else 0.0
    c = view.coordinate(t)
    with np.errstate(over="ignore", under="ignore", invalid="ignore"):
        inside, ratio = view.around("inside", epsilon, c), _outside(view, epsilon, c, c)
    if inside == -math.inf or ratio == -math.inf:
        return 1.0 if abs(t) <= 1.0 else 0.0
    return after(view, ratio - inside)


def after(view: View, log_ratio: float) -> float:
    """Return the probability whose odds are those of the prior times e^log_ratio."""
    if abs(log_ratio) < 0.1:  # p + p q (1 - r)/(p + q r): no digit of a small change is lost
        change = -math.expm1(log_ratio)
        return min(max(view.inside + view.inside * view.outside * change / (1.0 - view.outside * change), 0.0), 1.0)
    odds = view.log_odds + log_ratio
    return 1.0 / (1.0 + math.exp(odds)) if odds < 700.0 else math.exp(-odds) if odds < 745.0 else 0.0


def gain(view: View, log_ratio: float) -> float:
    """Return posterior - prior where the odds change by e^log_ratio, precise for its own size; negative for a drop."""
    if log_ratio == -math.inf:
        return view.outside
    if log_ratio == math.inf:
        return -view.inside
    if min(view.inside, view.outside) < 1e-290:
        return after(view, log_ratio) - view.inside
    if log_ratio > 0.0:  # divide through by the ratio
        change = math.expm1(-log_ratio)
        return view.inside * view.outside * change / (view.outside + view.inside * math.exp(-log_ratio))
    change = -math.expm1(log_ratio)
    return view.inside * view.outside * change / (view.inside + view.outside * math.exp(log_ratio))


def never_exceeded(view: View, advantage: float, direction: Direction) -> bool:
    """Tell whether no release can exceed ADVANTAGE: p + advantage >= 1 (rise), advantage >= p (drop)."""
    if view.impossible or view.certain:
        return True
    limit = view.outside if direction == "rise" else view.inside
    if abs(advantage - limit) > CLOSE * limit:
        return advantage > limit
    p = view.share_exactly()
    if p is None:
        return advantage >= limit  # irrational: equal to sixteen digits is equal
    return decimal(advantage) >= (1 - p if direction == "rise" else p)


def target(log_inside: float, log_outside: float, inside: float, outside: float, advantage: float) -> float:
    """Return the change of log odds that lifts the probability INSIDE by ADVANTAGE > 0 (swap the two for a drop)."""
    up = advantage / inside if inside > 1e-290 else math.inf
    lift = math.log1p(up) if up < 1e300 else math.log(advantage) - log_inside
    rest = advantage / outside
    if rest < 0.9:
        return lift - math.log1p(-rest)
    return lift + log_outside - math.log(max(outside - advantage, UNIT * outside / 4.0))


def loss_for(view: View, advantage: float, bound: Bound = "exact", direction: Direction = "rise") -> float:
    """Return the largest epsilon at which the bound keeps the advantage; never too large, within 1e-12 relative below.

    Infinite where no release exceeds the advantage, 0 where every release does.
    """
    if never_exceeded(view, advantage, direction):
        return math.inf
    if advantage == 0.0:
        return 0.0
    if direction == "rise":
        wanted = target(view.log_inside, view.log_outside, view.inside, view.outside, advantage)
    else:
        wanted = target(view.log_outside, view.log_inside, view.outside, view.inside, advantage)
    if bound == "simplified":
        return 0.0 if math.isinf(view.reach) else wanted / view.reach * (1.0 - 16.0 * UNIT)
    ceiling = view.limit if direction == "drop" and view.share_right > -math.inf else math.inf
    if ceiling == 0.0:
        return 0.0  # the mean of e^(epsilon X) diverges for every epsilon > 0
    odds, way = Odds(view, bound), sign(direction)
    return invert(lambda epsilon: abs(odds.log_ratio(way * epsilon)), wanted, view.grain, ceiling)


def invert(shift: Callable[[float], float], wanted: float, grain: float = 8.0, ceiling: float = math.inf) -> float:
    """Return the largest x with SHIFT(x) <= WANTED, on the safe side (below); shift increases from shift(0) = 0.

    The secant method on log shift against log x, inside a bracket [0, CEILING); then a step down that covers the
    rounding error of the shift (GRAIN units in the last place), translated by the slope there, and a last look.
    """
    if wanted <= 0.0:
        return 0.0
    low, high = 0.0, ceiling  # shift(low) <= wanted < shift(high)
    x = min(wanted, 1.0, ceiling / 2.0)
    before: tuple[float, float] | None = None  # logs of the point before: x, shift / wanted
    slope = 1.0
    for probe in range(PROBES):
        may_stop()
        value = shift(x)
        low, high = (x, high) if value <= wanted else (low, x)
        if low > LARGEST_LOSS:
            return math.inf
        if (high < math.inf and high - low <= 4.0 * UNIT * high) or high < 1e-290:
            break
        if not 0.0 < value < math.inf:
            before, following = None, (x / 64.0 if value > 0.0 else x * 64.0)
        else:
            here = math.log(x), math.log(value / wanted)
            # closer together they show rounding, not a slope
            if before is not None and abs(here[0] - before[0]) > 1e-8:
                slope = min(max((here[1] - before[1]) / (here[0] - before[0]), 1e-3), 1e3)
            if abs(here[1]) <= 1e-13:
                break
            before = here
            following = x * math.exp(min(max(-here[1] / slope, -40.0), 40.0))
        if probe % 8 == 7 or not low < following < high:
            if low > 0.0 and high < math.inf:
                following = math.sqrt(low) * math.sqrt(high) if high > 2.0 * low else low + (high - low) / 2.0
            else:
                following = high / 64.0 if low == 0.0 else low * 64.0
        if not low < following < high:
            break
        x = following
    error = grain * UNIT * min(max(0.3 / wanted, 1.0), 8.0)  # relative, of the shift
    for _ in range(60):
        # on the line through the last two points: where the shift is WANTED less its error
        over = math.log(value / wanted) if 0.0 < value < math.inf else 1e-13
        lower = min(x * math.exp(-max(over + error, 0.0) / slope), high) * (1.0 - 4.0 * UNIT)
        found = shift(lower)
        if found <= wanted * (1.0 - error / 2.0) or lower == 0.0:
            return lower
        x, value, error = lower, found, error * 2.0
    return 0.0
