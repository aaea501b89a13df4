"""The curves that are closed forms: Gaussian noise, noise with a largest loss, Laplace noise, (epsilon, delta)."""

from __future__ import annotations

import math
from abc import abstractmethod
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.numerics import largest, normal_cdf, normal_quantile
from dpwizard.base.values import Epsilon, NonNegative, Positive, Probability, field
from dpwizard.privacy.mechanisms.trade_off import FAR, TradeOffCurve, lowered, raised
from dpwizard.privacy.quadrature import continuous_rule

NEAR = 0.1  # a mu below it: the ratio of two near chances comes from the integral of its logarithm


class GaussianTradeOff(TradeOffCurve):
    """Gaussian noise: worlds mu standard deviations apart."""

    kind: Literal["gaussian"] = "gaussian"
    mu: Positive = field("Distance over the standard deviation of the noise", default=...)

    def false_alarm(self, hit: float) -> float:
        return _gaussian(hit, self.mu)

    def most(self, chance: float) -> float:
        z = normal_quantile(chance)
        return raised(normal_cdf(z + self.mu), _blur(z, self.mu))

    def _value_alarm(self, hit: float, factor: float) -> float:
        return _gaussian(hit, factor * self.mu)

    @property
    def informs(self) -> bool:
        return True

    def informed(self, absent: float, other: float, left: float, factor: float) -> float | None:
        mu, value = self.mu, factor * self.mu

        def known(z: float) -> float:  # Theorem 2: what the worst of releases at z leaves of the doubt
            return absent * math.exp(-mu * z - 0.5 * mu * mu) + other * math.exp(-value * z - 0.5 * value * value)

        if known(0.0) <= left:
            return None  # 1/2 or more
        far = 1.0
        while known(far) > left:
            far *= 2.0
            if far > 1e9:
                return 0.0
        z = largest(lambda z: known(z) > left, 0.0, far)
        return raised(normal_cdf(-z), 1e-12 * (1.0 + z * z))

    def effective(self, hit: float, factor: float = 1.0) -> float:
        mu = factor * self.mu
        if mu >= NEAR:
            from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

            z = normal_quantile(hit)
            told = math.log(hit) - float(log_ndtr(z - mu))
            return told * (1.0 + 1e-14) + 0.1 * _blur(z, mu) - 1e-15 * math.log(hit)
        # the logarithm of P(G <= z) falls by the integral of phi/Phi from z - mu to z
        z = normal_quantile(hit)
        total = math.fsum(w * _hazard(z - mu * x) for x, w in continuous_rule())
        return total * mu * (1.0 + 1e-13)


def _gaussian(hit: float, mu: float) -> float:
    """Return Phi(Phi^-1(hit) - mu): Dong, Roth & Su 2022, (6)."""
    z = normal_quantile(hit)
    return lowered(normal_cdf(z - mu), _blur(z, mu))


def _blur(z: float, mu: float) -> float:
    """Return how far Phi(z - mu) may be off, relative: its argument to four units in the last place."""
    far = abs(z) + mu
    return 1e-15 * (1.0 + far * far)


def _hazard(x: float) -> float:
    """Return phi(x)/Phi(x)."""
    from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

    return math.exp(-0.5 * x * x - float(log_ndtr(x))) / math.sqrt(2.0 * math.pi)


class PureTradeOff(TradeOffCurve):
    """Noise with a largest loss."""

    kind: Literal["pure"] = "pure"
    epsilon: Epsilon = field("Largest loss", default=...)

    def false_alarm(self, hit: float) -> float:
        return _pure(hit, self.epsilon)

    def most(self, chance: float) -> float:
        return raised(min(_exp(self.epsilon) * chance, 1.0 - math.exp(-self.epsilon) * (1.0 - chance)))

    def _value_alarm(self, hit: float, factor: float) -> float:
        return _pure(hit, factor * self.epsilon)

    def effective(self, hit: float, factor: float = 1.0) -> float:
        loss = factor * self.epsilon
        # up to e^eps/(1 + e^eps) the loss itself; no rounding of ours may raise it
        return min(loss, super().effective(hit, factor)) if hit > 0.5 else loss


def _pure(hit: float, epsilon: float) -> float:
    return lowered(max(math.exp(-epsilon) * hit, 1.0 - _exp(epsilon) * (1.0 - hit)), _product(epsilon))


def _product(epsilon: float) -> float:
    """Return how far e^-eps may be off, relative, where EPSILON is a product that was rounded."""
    return 4e-16 * min(epsilon, FAR)


class LaplaceTradeOff(TradeOffCurve):
    """Laplace noise on one number that moves by its full distance."""

    kind: Literal["laplace"] = "laplace"
    epsilon: Epsilon = field("Distance over the scale of the noise", default=...)

    def false_alarm(self, hit: float) -> float:
        return _laplace(hit, self.epsilon)

    def most(self, chance: float) -> float:
        epsilon = self.epsilon
        if chance >= 0.5:
            return raised(1.0 - math.exp(-epsilon) * (1.0 - chance))
        if _exp(epsilon) * chance <= 0.5:
            return raised(_exp(epsilon) * chance)
        return raised(1.0 - 0.25 * math.exp(-epsilon) / chance)

    def _value_alarm(self, hit: float, factor: float) -> float:
        return _laplace(hit, factor * self.epsilon)

    def effective(self, hit: float, factor: float = 1.0) -> float:
        loss = factor * self.epsilon
        return loss if hit <= 0.5 else min(loss, super().effective(hit, factor))


def _laplace(hit: float, epsilon: float) -> float:
    """Return the least false-alarm rate: three pieces that meet at 1/2 and 1 - e^-eps/2."""
    if hit <= 0.5:
        return lowered(math.exp(-epsilon) * hit, _product(epsilon))
    if 1.0 - hit >= 0.5 * math.exp(-epsilon):
        return lowered(0.25 * math.exp(-epsilon) / (1.0 - hit), _product(epsilon))
    return lowered(1.0 - _exp(epsilon) * (1.0 - hit), _product(epsilon))


class PairsTradeOff(TradeOffCurve):
    """What the mechanisms share of which pairs of epsilon and delta are known."""

    @property
    @abstractmethod
    def pairs(self) -> tuple[tuple[float, float], ...]:
        """Return the pairs of epsilon and delta that hold."""

    def false_alarm(self, hit: float) -> float:
        return max(_approximate(hit, epsilon, delta) for epsilon, delta in self.pairs)

    def most(self, chance: float) -> float:
        return min(
            raised(min(_exp(epsilon) * chance + delta, 1.0 - math.exp(-epsilon) * max(0.0, 1.0 - delta - chance)))
            for epsilon, delta in self.pairs
        )

    def _value_alarm(self, hit: float, factor: float) -> float:
        # nothing is known of two values but that either is near "absent"
        alarm = self.false_alarm(hit)
        return self.false_alarm(alarm) if alarm > 0.0 else 0.0


class ApproximateTradeOff(PairsTradeOff):
    """An (epsilon, delta)-differentially private mechanism."""

    kind: Literal["approximate"] = "approximate"
    epsilon: NonNegative = field("Epsilon", default=...)
    delta: Probability = field("Delta", default=...)

    @property
    def pairs(self) -> tuple[tuple[float, float], ...]:
        return ((self.epsilon, self.delta),)


class ProfileTradeOff(PairsTradeOff):
    """A mechanism of which several pairs of epsilon and delta are known."""

    kind: Literal["profile"] = "profile"
    points: Annotated[tuple[tuple[NonNegative, Probability], ...], Field(min_length=1, max_length=100_000)] = field(
        "Pairs of epsilon and delta", default=...
    )

    @property
    def pairs(self) -> tuple[tuple[float, float], ...]:
        return self.points


def _approximate(hit: float, epsilon: float, delta: float) -> float:
    """Return max(0, e^-eps (b - delta), 1 - delta - e^eps (1 - b))."""
    return lowered(max(0.0, math.exp(-epsilon) * (hit - delta), 1.0 - delta - _exp(epsilon) * (1.0 - hit)))


def _exp(exponent: float) -> float:
    return math.exp(exponent) if exponent < FAR else math.inf
