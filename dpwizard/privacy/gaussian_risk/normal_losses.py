"""What Gaussian noise leaves of an event's chance, and the mu at which it leaves a given share; never above the truth.

An event of chance delta under the truth (z = Phi^-1(delta)) keeps the share x(m) = Phi(z - m)/Phi(z) in a world at
distance m. Its loss D(m) = -log x(m) is the integral of Mills' ratio phi/Phi from z - m to z: it rises from 0, and so
does D(m)/m. The odds of a belief multiply by at most theta exactly where w x(c mu) + v x(mu) >= 1/theta (Theorem 3).
For the informed intruder and the unrounded release D(m) = -z m + m^2/2 takes its place (Theorem 2).
Derivations and error bounds: docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from dpwizard.base.numerics import normal_quantile
from dpwizard.privacy.quadrature import continuous_rule
from dpwizard.privacy.relative_risk import Inverse

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.float64]
    Solver: TypeAlias = Callable[[Array, Array, Array], Array]

Blend = TypeVar("Blend", float, "NDArray[np.float64]")
ROOT_TWO = math.sqrt(2.0)
DENSITY = math.sqrt(2.0 / math.pi)  # phi(x)/Phi(x) is this over erfcx(-x/sqrt 2)
NEAR = 0.02  # a distance up to which the loss is integrated: the difference of logarithms would lose digits
EXACT = 1e-13  # no loss, and no log theta, is further off than this, relative
LOWERED = 4e-13  # how far below the root a budget is, relative, before the sign there is looked at
STEPS = 80  # Newton's method needs about five; where it leaves the bracket, the bracket is halved
FARTHEST = 1e150  # squares of larger losses overflow


class NormalLosses(Inverse):
    """Gaussian noise at one tolerance: the budget is mu, the distance over the standard deviation of the noise."""

    tie = 16.0 * LOWERED

    def __init__(self, tolerance: float, factor: float) -> None:
        self.factor = factor
        self.z = normal_quantile(tolerance)

    @abstractmethod
    def loss(self, start: float, reach: float) -> float:
        """Return D(START + REACH) - D(START), to EXACT relative."""

    @abstractmethod
    def slope(self, at: float) -> float:
        """Return D'(AT), which rises."""

    @abstractmethod
    def bend(self) -> float:
        """Return D''(0)."""

    def both(self, at: float) -> tuple[float, float]:
        """Return D(AT) and D'(AT)."""
        return self.loss(0.0, at), self.slope(at)

    @abstractmethod
    def _losses(self, at: Array) -> Array:
        """Return D on an array."""

    @abstractmethod
    def _slopes(self, at: Array) -> Array:
        """Return D' on an array."""

    # ------------------------------------------------------------------------------------ one belief

    def losses(self, budget: float) -> tuple[float, float, float]:
        if math.isinf(budget):
            return math.inf, math.inf, math.inf
        first = self.loss(0.0, budget)
        apart = self.loss(budget, (self.factor - 1.0) * budget) if self.factor > 1.0 else 0.0
        return first, first + apart, apart

    def doubt(self, budget: float, moved: float) -> float:
        return moved / self.slope(budget)  # the slope of log theta is nowhere below D'(mu)

    def solve(self, multiplier: float, w: float, v: float) -> float:
        """Return mu: seen to allow a little less than theta, and at most 3 LOWERED below the root."""
        if multiplier == 0.0 or multiplier > FARTHEST:
            return multiplier if multiplier == 0.0 else math.inf
        if self.factor == 1.0:
            w, v = 0.0, 1.0
        found = self._root(multiplier, w, v)
        while True:
            found -= LOWERED * found
            if self._allowed(found, w, v)[0] * (1.0 + EXACT) <= multiplier:
                return found

    def _root(self, multiplier: float, w: float, v: float) -> float:
        low, high = 0.0, math.inf
        first, second = self._start(w, v)  # log theta = first mu + second mu^2/2 + ..
        at = 2.0 * multiplier / (first + math.sqrt(max(first * first + 2.0 * second * multiplier, 0.0)))
        for _ in range(STEPS):
            level, rate = self._allowed(at, w, v)
            low, high = (low, at) if level > multiplier else (at, high)
            step = (multiplier - level) / rate
            if abs(step) <= 1e-8 * at:  # the next step is its square
                return at + step
            after = at + step
            if not low < after < high:
                after = 2.0 * low if math.isinf(high) else low + 0.5 * (high - low)
            at = after
        return low

    def _start(self, w: Blend, v: Blend) -> tuple[Blend, Blend]:
        """Return the first two derivatives of log theta by mu at 0, of numbers or arrays."""
        c, slope = self.factor, self.slope(0.0)
        return slope * (v + c * w), self.bend() * (v + c * c * w) - slope * slope * w * v * (c - 1.0) ** 2

    def _allowed(self, mu: float, w: float, v: float) -> tuple[float, float]:
        """Return log theta at MU, -log(v x(mu) + w x(c mu)), and its slope."""
        if w == 0.0:
            return self.both(mu)
        second, far = self.both(self.factor * mu)
        far *= self.factor
        if v == 0.0:
            return second, far
        first, near = self.both(mu)
        if second < 1.0:
            level = -math.log1p(v * math.expm1(-first) + w * math.expm1(-second))
        else:
            one, other = math.log(v) - first, math.log(w) - second
            level = -max(one, other) - math.log1p(math.exp(-abs(one - other)))
        share = min(math.exp(math.log(v) + level - first), 1.0)
        return level, share * near + (1.0 - share) * far

    # ------------------------------------------------------------------------------------ many beliefs

    def solver(self) -> Solver:
        return self._roots

    def below(self, ceiling: float) -> Solver:
        if math.isinf(ceiling):
            return self._roots

        def solve(multiplier: Array, w: Array, v: Array) -> Array:
            """Return the roots where they can lie below the ceiling, inf elsewhere."""
            import numpy as np

            found = np.full(multiplier.shape, np.inf)
            counts = multiplier < self._levels(ceiling, w, v) * (1.0 + EXACT)
            found[counts] = self._roots(multiplier[counts], w[counts], v[counts])
            return found

        return solve

    def floors(self, ceiling: float) -> Solver:
        if math.isinf(ceiling):
            return self._roots

        def solve(multiplier: Array, w: Array, v: Array) -> Array:
            """Return the ceiling less what is missing there over the least slope, which is D' at a lower bound."""
            import numpy as np

            missing = np.maximum(self._levels(ceiling, w, v) * (1.0 + EXACT) - multiplier, 0.0)
            low = np.maximum(ceiling - missing / self.slope(0.0), 0.0)
            return np.asarray(np.maximum(ceiling - missing / self._slopes(low) * (1.0 + EXACT), low))

        return solve

    def _levels(self, mu: float, w: Array, v: Array) -> Array:
        """Return log theta at MU for every W and V."""
        import numpy as np

        first, second, _ = self.losses(mu)
        if second < 1.0:
            return -np.log1p(v * math.expm1(-first) + w * math.expm1(-second))
        return np.asarray(-np.logaddexp(np.log(v) - first, np.log(w) - second))

    def _roots(self, multiplier: Array, w: Array, v: Array) -> Array:
        """Return the roots by Newton's method in a bracket, each as near as `solve` is; inf for no bound."""
        import numpy as np

        if self.factor == 1.0:
            w, v = np.zeros_like(w), np.ones_like(v)
        goal = np.where(np.isfinite(multiplier) & (multiplier > 0.0), multiplier, 1.0)
        rise, bend = self._start(w, v)
        at = 2.0 * goal / (rise + np.sqrt(np.maximum(rise * rise + 2.0 * bend * goal, 0.0)))
        low, high = np.zeros_like(at), np.full_like(at, np.inf)
        with np.errstate(all="ignore"):
            for _ in range(STEPS):
                first, second = self._losses(at), self._losses(self.factor * at)
                mixed = -np.log1p(v * np.expm1(-first) + w * np.expm1(-second))
                level = np.where(second < 1.0, mixed, -np.logaddexp(np.log(v) - first, np.log(w) - second))
                share = np.minimum(np.where(v > 0.0, np.exp(np.log(v) + level - first), 0.0), 1.0)
                rate = share * self._slopes(at) + (1.0 - share) * self.factor * self._slopes(self.factor * at)
                low, high = np.where(level <= goal, at, low), np.where(level > goal, at, high)
                step = (goal - level) / rate
                after = at + step
                inside = (after > low) & (after < high)
                halved = np.where(np.isinf(high), 2.0 * low, low + 0.5 * (high - low))
                done = np.abs(step) <= 1e-8 * at
                at = np.where(done | inside, after, halved)
                if np.all(done):
                    break
        found = np.where(multiplier <= 0.0, 0.0, at - LOWERED * at)
        return np.where(np.isposinf(multiplier), np.inf, found)


class ToleratedLosses(NormalLosses):
    """Theorem 3: whatever is made of the release, at tolerance delta."""

    def __init__(self, tolerance: float, factor: float) -> None:
        from scipy.special import erfcx, log_ndtr  # 0.1 s to import: only when it is needed

        super().__init__(tolerance, factor)
        self._erfcx, self._log_ndtr = erfcx, log_ndtr
        self._origin = float(erfcx(-self.z / ROOT_TWO))

    def loss(self, start: float, reach: float) -> float:
        x = self.z - start
        if reach <= NEAR:
            nodes, weights = _rule()
            return float(reach * DENSITY * (weights / self._erfcx((reach * nodes - x) / ROOT_TWO)).sum())
        if x > 0.0:
            return float(self._log_ndtr(x) - self._log_ndtr(x - reach))
        a, step = -x / ROOT_TWO, reach / ROOT_TWO
        return math.log(self._erfcx(a) / self._erfcx(a + step)) + step * (2.0 * a + step)

    def slope(self, at: float) -> float:
        return DENSITY / float(self._erfcx((at - self.z) / ROOT_TWO))

    def bend(self) -> float:
        slope = DENSITY / self._origin
        return slope * max(slope + self.z, 0.0)

    def both(self, at: float) -> tuple[float, float]:
        if at <= NEAR or self.z > 0.0:
            return super().both(at)
        a, step = -self.z / ROOT_TWO, at / ROOT_TWO
        there = float(self._erfcx(a + step))
        return math.log(self._origin / there) + step * (2.0 * a + step), DENSITY / there

    def _losses(self, at: Array) -> Array:
        import numpy as np

        erfcx, log_ndtr = self._erfcx, self._log_ndtr
        if self.z > 0.0:
            found = log_ndtr(self.z) - log_ndtr(self.z - at)
        else:
            a, step = -self.z / ROOT_TWO, at / ROOT_TWO
            found = np.log(self._origin / erfcx(a + step)) + step * (2.0 * a + step)
        close = at <= NEAR
        if np.any(close):
            nodes, weights = _rule()
            some = at[close]
            found[close] = (
                some * DENSITY * (1.0 / erfcx((np.multiply.outer(some, nodes) - self.z) / ROOT_TWO) @ weights)
            )
        return np.asarray(found)

    def _slopes(self, at: Array) -> Array:
        slopes: Array = DENSITY / self._erfcx((at - self.z) / ROOT_TWO)
        return slopes


class InformedLosses(NormalLosses):
    """Theorem 2: the informed intruder and the unrounded release, at a tolerance below one half."""

    def loss(self, start: float, reach: float) -> float:
        return reach * (start - self.z + 0.5 * reach)

    def slope(self, at: float) -> float:
        return at - self.z

    def bend(self) -> float:
        return 1.0

    def _losses(self, at: Array) -> Array:
        return at * (0.5 * at - self.z)

    def _slopes(self, at: Array) -> Array:
        return at - self.z


@lru_cache(maxsize=1)
def _rule() -> tuple[Array, Array]:
    """Return nodes and weights of the Gauss-Legendre rule on [0, 1] as arrays."""
    import numpy as np

    nodes, weights = np.array(continuous_rule()).T
    return nodes, weights
