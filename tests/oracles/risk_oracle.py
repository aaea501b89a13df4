"""Independent values for privacy at risk: quadrature in many digits, sums over outputs, simulation. Imports nothing of
dpwizard."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction

import mpmath
import numpy as np

# ------------------------------------------------------------------------------- the published law


def bessel_probability(k: int, x: float, digits: int = 30) -> mpmath.mpf:
    """P(T <= x) by integrating the density as printed, t^(k-1/2) K_(k-1/2)(t), normalised over the half line."""
    with mpmath.workdps(digits):
        constant = mpmath.mpf(2) ** (mpmath.mpf(3) / 2 - k) / (mpmath.sqrt(mpmath.pi) * mpmath.gamma(k))

        def density(t: mpmath.mpf) -> mpmath.mpf:
            return (
                constant * t ** (k - mpmath.mpf(1) / 2) * mpmath.besselk(k - mpmath.mpf(1) / 2, t)
                if t
                else mpmath.mpf(0)
            )

        points = [0] + [mpmath.mpf(x) * i / 8 for i in range(1, 9)]
        return mpmath.quad(density, points)


def gamma_difference_tail(k: int, x: float, digits: int = 60) -> mpmath.mpf:
    """P(T > x) from the moments of two gamma variables: conditioning on the smaller one, exactly, in many digits."""
    with mpmath.workdps(digits):
        x = mpmath.mpf(x)
        # P(X - Y > x) = sum over i < k of e^-x x^i/i! P(NegBin(k, 1/2) <= k - 1 - i), doubled by symmetry
        total, term, weights = mpmath.mpf(0), mpmath.exp(-x), []
        run = mpmath.mpf(0)
        for j in range(k):
            run += mpmath.binomial(k - 1 + j, j) / mpmath.mpf(2) ** (k + j)
            weights.append(run)
        for i in range(k):
            total += term * weights[k - 1 - i]
            term *= x / (i + 1)
        return 2 * total


# ---------------------------------------------------------------------- the loss of one release


def laplace_losses(level: float, outputs: np.ndarray) -> np.ndarray:
    """Loss of each output of Laplace noise of scale 1/level, truth 0 against neighbour 1."""
    return level * (np.abs(outputs - 1.0) - np.abs(outputs))


def laplace_mean(
    level: float, function: Callable[[mpmath.mpf], mpmath.mpf], cuts: Sequence[float] = (), digits: int = 30
) -> mpmath.mpf:
    """E[function(loss)] by integrating over the output itself, truth 0, neighbour 1, in many digits."""
    with mpmath.workdps(digits):
        a = mpmath.mpf(level)

        def weighted(z: mpmath.mpf) -> mpmath.mpf:
            loss = a * (abs(z - 1) - abs(z))
            return function(loss) * a / 2 * mpmath.exp(-a * abs(z))

        ends = [sign * mpmath.mpf(0.5) ** i + (sign < 0) for i in range(2, 16) for sign in (1, -1)]
        middle = sorted({mpmath.mpf(0), mpmath.mpf(1), *ends, *(mpmath.mpf(c) for c in cuts)})
        inside = mpmath.quad(weighted, middle)
        return inside + function(a) / 2 + function(-a) * mpmath.exp(-a) / 2


def geometric_masses(level: float, steps: int) -> list[tuple[float, float, int]]:
    """(mass under truth 0, mass under neighbour `steps`, loss in steps) of every output that is not negligible."""
    rate = level / steps
    head, reach = math.tanh(rate / 2), math.ceil(45 / rate)
    return [
        (head * math.exp(-rate * abs(k)), head * math.exp(-rate * abs(k - steps)), abs(k - steps) - abs(k))
        for k in range(-reach, steps + reach + 1)
    ]


def geometric_within(level: float, steps: int, epsilon: float) -> float:
    """The smallest P(|loss| <= epsilon) over all shifts 1..steps, by adding up outputs; ties decided in rationals."""
    unit, limit = Fraction(repr(float(level))) / steps, Fraction(repr(float(epsilon)))
    rate, worst = level / steps, 1.0
    for shift in range(1, steps + 1):
        if unit * shift > limit:
            masses = geometric_masses(rate * shift, shift)
            worst = min(worst, math.fsum(p for p, _, loss in masses if unit * abs(loss) <= limit))
    return worst


def geometric_hockey_stick(level: float, steps: int, epsilon: float) -> float:
    """The divergence of the full shift, by adding up outputs."""
    return math.fsum(max(0.0, p - math.exp(epsilon) * q) for p, q, _ in geometric_masses(level, steps))


def geometric_exceeds(level: float, steps: int, epsilon: float) -> float:
    """P(loss > epsilon) of the full shift, by adding up outputs; ties decided in rationals."""
    unit, limit = Fraction(repr(float(level))) / steps, Fraction(repr(float(epsilon)))
    return math.fsum(p for p, _, loss in geometric_masses(level, steps) if unit * loss > limit)


def geometric_mean(level: float, steps: int, function: Callable[[mpmath.mpf], mpmath.mpf]) -> mpmath.mpf:
    """E[function(loss)] of the full shift: outputs up to 0 and from `steps` on lose +-level, the others are added
    up."""
    with mpmath.workdps(30):
        unit = mpmath.mpf(level) / steps
        a = mpmath.exp(-unit)
        ends = function(mpmath.mpf(level)) / (1 + a) + function(-mpmath.mpf(level)) * a**steps / (1 + a)
        return ends + mpmath.fsum((1 - a) / (1 + a) * a**k * function(unit * (steps - 2 * k)) for k in range(1, steps))


def gaussian_within(mu: float, epsilon: float) -> mpmath.mpf:
    with mpmath.workdps(40):
        m, e = mpmath.mpf(mu), mpmath.mpf(epsilon)
        return mpmath.ncdf(e / m - m / 2) - mpmath.ncdf(-e / m - m / 2)


def gaussian_mean(mu: float, rate: float) -> mpmath.mpf:
    """E[e^(-rate/|loss|)] of a Gaussian release, in standard deviations of the loss, cut finely near 0 and in the
    middle."""
    with mpmath.workdps(30):
        m, r = mpmath.mpf(mu), mpmath.mpf(rate)
        cuts = (
            {m / 2 + mpmath.mpf(i) for i in range(-45, 46)}
            | {sign * r / m * mpmath.mpf(2) ** i for i in range(-8, 8) for sign in (1, -1)}
            | {mpmath.mpf(0)}
        )
        cuts |= {mpmath.mpf(i) / 3 for i in range(1, 40)} if m < 0.01 else set()
        points = sorted(c for c in cuts if abs(c - m / 2) <= 45)
        return mpmath.quad(
            lambda z: mpmath.exp(-r / (m * abs(z))) * mpmath.npdf(z, m / 2, 1) if z else mpmath.mpf(0), points
        )


# ------------------------------------------------------------------------------- several numbers


def vector_by_expansion(levels: Sequence[float], epsilon: float, digits: int = 50) -> tuple[mpmath.mpf, mpmath.mpf]:
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


def cost(rate: float) -> Callable[[mpmath.mpf], mpmath.mpf]:
    """e^(-rate/|loss|), 0 at 0."""
    return lambda loss: mpmath.exp(-mpmath.mpf(rate) / abs(loss)) if loss else mpmath.mpf(0)


def halving(level: float, rate: float) -> list[float]:
    """Cuts of the output between 0 and 1 towards the middle, where the loss is 0 and the cost changes fast."""
    deep = max(4, math.ceil(math.log2(max(2.0, 200.0 * level / rate))))
    return [0.5 + sign * 0.5**i for i in range(2, deep + 2) for sign in (1, -1)]
