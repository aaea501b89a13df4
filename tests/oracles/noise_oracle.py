"""Noise by its definition, in high precision: nothing here is shared with the program."""

from __future__ import annotations

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


def gaussian_hockey_stick(mu: float, epsilon: float) -> mp.mpf:
    """The same for Gaussian noise, mu = distance/sd: P(G <= mu/2 - eps/mu) - e^eps P(G <= -mu/2 - eps/mu)."""
    mu, epsilon = mp.mpf(mu), mp.mpf(epsilon)
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)
