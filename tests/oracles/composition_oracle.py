"""Composition by brute force: exact sums and convolutions in high precision, grids and simulation; independent of the
program."""

from __future__ import annotations

from collections.abc import Sequence

import mpmath as mp

mp.mp.dps = 60


def randomised_response_delta(level: float, releases: int, epsilon: float) -> mp.mpf:
    """sum over k of C(n,k) p^k q^(n-k) (1 - e^(epsilon - (2k-n) level))+."""
    level, epsilon = mp.mpf(level), mp.mpf(epsilon)
    p = 1 / (1 + mp.exp(-level))
    total = mp.mpf(0)
    for k in range(releases + 1):
        loss = (2 * k - releases) * level
        if loss > epsilon:
            total += mp.binomial(releases, k) * p**k * (1 - p) ** (releases - k) * (1 - mp.exp(epsilon - loss))
    return total


def geometric_delta(levels: Sequence[tuple[float, int]], shift: int, epsilon: float) -> mp.mpf:
    """Convolve the exact loss tables of all releases, one after the other, and sum (1 - e^(epsilon - loss))+."""
    table: dict[mp.mpf, mp.mpf] = {mp.mpf(0): mp.mpf(1)}
    for level, times in levels:
        rate = mp.mpf(level) / shift
        a = mp.exp(-rate)
        single = {shift * rate: 1 / (1 + a), -shift * rate: a**shift / (1 + a)}
        for k in range(1, shift):
            single[rate * (shift - 2 * k)] = (1 - a) / (1 + a) * a**k
        for _ in range(times):
            new: dict[mp.mpf, mp.mpf] = {}
            for loss, chance in table.items():
                for more, part in single.items():
                    key = mp.nint((loss + more) * mp.mpf(10) ** 40) / mp.mpf(10) ** 40
                    new[key] = new.get(key, mp.mpf(0)) + chance * part
            table = new
    epsilon = mp.mpf(epsilon)
    return mp.fsum(chance * (1 - mp.exp(epsilon - loss)) for loss, chance in table.items() if loss > epsilon)


def laplace_delta(level: float, releases: int, epsilon: float) -> mp.mpf:
    """Exact delta of equal Laplace releases.

    Weighted by e^(-loss/2) one loss is +-level with weight e^(-level/2)/2 each and has the constant density
    e^(-level/2)/4 between. delta = 2 e^(eps/2) int sinh((l - eps)/2)+ over the n-fold weight. A sum of m uniforms
    averages a function by 2^-m sum (-1)^i C(m,i) F_m(y + m - 2i), F_m its m-fold integral: that of sinh(kx)+ is its
    Taylor series from x^(m+1) on.
    """
    level, epsilon = mp.mpf(level), mp.mpf(epsilon)
    k = level / 2
    with mp.workdps(60 + 3 * releases):
        total = mp.mpf(0)
        for m in range(releases + 1):
            for plus in range(releases - m + 1):
                atoms = 2 * plus - (releases - m)
                weight = (
                    mp.binomial(releases, m)
                    * (level / 2) ** m
                    * mp.binomial(releases - m, plus)
                    * mp.mpf(2) ** -(releases - m)
                )
                average = mp.mpf(0)
                for i in range(m + 1):
                    x = atoms + m - 2 * i - epsilon / level
                    if x > 0:
                        average += (-1) ** i * mp.binomial(m, i) * _integrated_sinh(k, x, m)
                total += weight * average / mp.mpf(2) ** m
        return 2 * mp.exp(epsilon / 2 - releases * level / 2) * total


def _integrated_sinh(k: mp.mpf, x: mp.mpf, times: int) -> mp.mpf:
    """The TIMES-fold integral from 0 of sinh(k x): sum of k^p x^(p+times)/(p+times)! over odd p."""
    total, power = mp.mpf(0), 1
    while True:
        term = k**power * x ** (power + times) / mp.factorial(power + times)
        total += term
        if term < total * mp.mpf(10) ** -(mp.mp.dps - 3):
            return total
        power += 2
