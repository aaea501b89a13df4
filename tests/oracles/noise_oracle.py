"""Noise by its definition, in high precision: nothing here is shared with the program."""

from __future__ import annotations

import random

import mpmath as mp

mp.mp.dps = 50


def geometric_mass(k: int, rate: float) -> mp.mpf:
    """P(K = k) of the two-sided geometric distribution with P(k) proportional to e^(-rate |k|)."""
    a = mp.exp(-mp.mpf(rate))
    return (1 - a) / (1 + a) * a ** abs(k)


def _reach(rate: float) -> int:
    return int(130 / rate) + 2


def geometric_at_most(x: int, rate: float) -> mp.mpf:
    """P(K <= x), summed term by term."""
    return mp.fsum(geometric_mass(k, rate) for k in range(-_reach(rate) - abs(x), x + 1))


def geometric_within(half_width: int, rate: float) -> mp.mpf:
    """P(|K| <= half_width)."""
    return mp.fsum(geometric_mass(k, rate) for k in range(-half_width, half_width + 1))


def geometric_hockey_stick(level: float, shift: int, epsilon: float) -> mp.mpf:
    """sup over sets of P(set) - e^epsilon Q(set) for geometric noise with rate level/shift and a pair that far
    apart."""
    rate = mp.mpf(level) / shift
    grow = mp.exp(mp.mpf(epsilon))
    reach = _reach(float(rate))
    gains = (geometric_mass(k, rate) - grow * geometric_mass(k - shift, rate) for k in range(-reach, shift + reach))
    return mp.fsum(g for g in gains if g > 0)


def geometric_loss_above(level: float, shift: int, epsilon: float) -> mp.mpf:
    """P(loss > epsilon), the loss |k - D| u - |k| u compared in rationals scaled by u."""
    rate = mp.mpf(level) / shift
    bound = mp.mpf(repr(epsilon)) * shift / mp.mpf(repr(level))
    bound += mp.mpf(10) ** -40
    return mp.fsum(
        geometric_mass(k, rate) for k in range(-_reach(float(rate)), shift + 1) if abs(k - shift) - abs(k) > bound
    )


def laplace_hockey_stick(level: float, epsilon: float) -> mp.mpf:
    """The same for Laplace noise of scale 1/level and a pair 1 apart, by quadrature."""
    level, epsilon = mp.mpf(level), mp.mpf(epsilon)

    def gain(x: mp.mpf) -> mp.mpf:
        p, q = level / 2 * mp.exp(-level * abs(x)), level / 2 * mp.exp(-level * abs(x - 1))
        return max(p - mp.exp(epsilon) * q, mp.mpf(0))

    zero = (1 - epsilon / level) / 2
    return mp.quad(gain, [-mp.inf, 0, zero])


def gaussian_hockey_stick(mu: float, epsilon: float) -> mp.mpf:
    """The same for Gaussian noise, mu = distance/sd: P(G <= mu/2 - eps/mu) - e^eps P(G <= -mu/2 - eps/mu)."""
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def simulated_switch(epsilon: float, threshold: int, true: int, draws: int, seed: int) -> float:
    """Share of draws in which a count plus two-sided geometric noise lands on the other side of its threshold."""
    generator = random.Random(seed)
    stay = 1 - float(mp.exp(-epsilon))

    def one_sided() -> int:
        steps = 0
        while generator.random() > stay:
            steps += 1
        return steps

    switched = sum((true + one_sided() - one_sided() <= threshold) != (true <= threshold) for _ in range(draws))
    return switched / draws
