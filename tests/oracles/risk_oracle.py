"""Independent values for privacy at risk of several numbers: a law in many digits, and simulation. Imports nothing of
dpwizard."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import mpmath
import numpy as np

# ---------------------------------------------------------------------- the loss of one release


def laplace_losses(level: float, outputs: np.ndarray) -> np.ndarray:
    """Loss of each output of Laplace noise of scale 1/level, truth 0 against neighbour 1."""
    return level * (np.abs(outputs - 1.0) - np.abs(outputs))


# ------------------------------------------------------------------------------- several numbers


def vector_by_expansion(levels: Sequence[float], epsilon: float, digits: int = 25) -> tuple[mpmath.mpf, mpmath.mpf]:
    """(delta, P(|loss| <= epsilon)) from every choice of atom or stretch for each coordinate: 3^n terms, for n up to 5.

    A coordinate is +a (1/2), -a (e^-a/2) or uniform after weighting by e^(-l/2); the stretches chosen are integrated
    one by one.
    """
    with mpmath.workdps(digits):
        law = _piecewise(Fraction(repr(levels[0])))
        for level in levels[1:]:
            law = _convolve(law, _piecewise(Fraction(repr(level))))
        limit = Fraction(repr(epsilon))
        e = _real(limit)
        delta, within = mpmath.mpf(0), mpmath.mpf(0)
        for (knot, power), weight in law.items():  # weight * (l - knot)_+^(power-1)/(power-1)!, or an atom at the knot
            if power == 0:
                if knot > limit:
                    delta += weight * (mpmath.exp(_real(knot) / 2) - mpmath.exp(e - _real(knot) / 2))
                if abs(knot) <= limit:
                    within += weight * mpmath.exp(_real(knot) / 2)
        knots = sorted({knot for knot, _ in law})

        def density(loss: mpmath.mpf) -> mpmath.mpf:
            return mpmath.fsum(
                w * (loss - _real(knot)) ** (power - 1) / mpmath.factorial(power - 1)
                for (knot, power), w in law.items()
                if power and loss > _real(knot)
            )

        top = max(knots)
        ends = sorted({k for k in knots if k > limit} | {limit, top})
        if len(ends) > 1:
            delta += mpmath.quad(
                lambda x: density(x) * (mpmath.exp(x / 2) - mpmath.exp(e - x / 2)), [_real(k) for k in ends]
            )
        ends = sorted({k for k in knots if abs(k) < limit} | {-min(limit, top), min(limit, top)})
        if len(ends) > 1:
            within += mpmath.quad(lambda x: density(x) * mpmath.exp(x / 2), [_real(k) for k in ends])
        return delta, within


Law = dict[tuple[Fraction, int], mpmath.mpf]


def _real(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def _piecewise(a: Fraction) -> Law:
    head = mpmath.exp(-_real(a) / 2)
    return {(a, 0): head / 2, (-a, 0): head / 2, (-a, 1): head / 4, (a, 1): -head / 4}


def _convolve(one: Law, other: Law) -> Law:
    law: Law = {}
    for (knot1, power1), w1 in one.items():
        for (knot2, power2), w2 in other.items():
            key = (knot1 + knot2, power1 + power2)
            law[key] = law.get(key, mpmath.mpf(0)) + w1 * w2
    return law


def simulated_losses(levels: Sequence[float], draws: int, seed: int) -> np.ndarray:
    """Losses of draws of the mechanism itself: independent Laplace noise on every coordinate, every one shifted by
    1."""
    random = np.random.default_rng(seed)
    total = np.zeros(draws)
    for level in levels:
        outputs = random.laplace(0.0, 1.0 / level, draws)
        total += laplace_losses(level, outputs)
    return total
