#!/usr/bin/env python3
"""Makes the protected tables of a signed plan from microdata. Python 3.10 or later, no other package.

    python release.py plan.json microdata.csv out       the release; it can be made once
    python release.py plan.json --rehearse out          the same from made-up rows, as often as wanted

What it writes to the new folder out:
    NAME.csv                each table, to be published
    public_log.json         to be published: what was spent, and how the numbers were made
    confidential_log.json   NOT to be published: what was found in the data
Exit status: 0, done; 1, the data do not keep what the plan promises, or the release was made before, and nothing was
written; 2, the plan or the command is wrong.

Noise is drawn exactly, in whole numbers and fractions, from the operating system's randomness (Canonne, Kamath &
Steinke 2020, Algorithms 1 to 3). Before anything is drawn, each unit's contribution to each table is checked.
- A refusal is an output too: what the plan promises holds among files that pass the checks.
- Messages on the screen name lines and values of the microdata: they are confidential.
- Drawing takes longer for larger noise: run this where nobody can measure how long it takes.
"""

import math
import platform
from collections.abc import Callable
from fractions import Fraction
from secrets import randbelow

LIBRARY = f"exact sampler of this script, Python {platform.python_version()}"


def bernoulli(chance: Fraction) -> bool:
    """Return True with this chance, which lies in [0, 1]."""
    return randbelow(chance.denominator) < chance.numerator


def bernoulli_exp(gamma: Fraction) -> bool:
    """Return True with chance exp(-gamma), gamma >= 0 (Algorithm 1)."""
    while gamma > 1:
        if not bernoulli_exp(Fraction(1)):
            return False
        gamma -= 1
    k = 1
    while bernoulli(gamma / k):
        k += 1
    return k % 2 == 1


def discrete_laplace(scale: Fraction) -> int:
    """Return x with chance proportional to exp(-|x| / scale), scale > 0 (Algorithm 2)."""
    t, s = scale.numerator, scale.denominator
    while True:
        u = randbelow(t)
        if not bernoulli_exp(Fraction(u, t)):
            continue
        v = 0
        while bernoulli_exp(Fraction(1)):
            v += 1
        x = (u + t * v) // s
        negative = randbelow(2) == 1
        if not (negative and x == 0):
            return -x if negative else x


def discrete_gaussian(variance: Fraction) -> int:
    """Return x with chance proportional to exp(-x^2 / (2 variance)), variance > 0 (Algorithm 3)."""
    t = math.isqrt(variance.numerator // variance.denominator) + 1
    while True:
        y = discrete_laplace(Fraction(t))
        if bernoulli_exp((abs(y) - variance / t) ** 2 / (2 * variance)):
            return y


def drawer(noise: str, budget: Fraction, distance: Fraction) -> Callable[[list[int]], list[int]]:
    """Return what adds to each of the true numbers of a table a noise of its own.

    BUDGET is the table's rho for discrete Gaussian noise and its epsilon for geometric noise. DISTANCE is the square
    of how far one unit moves the table in L2, or how far it moves it in L1.
    """
    if noise == "discrete_gaussian":
        return lambda true: [value + discrete_gaussian(distance / (2 * budget)) for value in true]
    return lambda true: [value + discrete_laplace(distance / budget) for value in true]
