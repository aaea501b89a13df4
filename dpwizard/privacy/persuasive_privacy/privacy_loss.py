"""The privacy loss of one mechanism, log m(T|truth) / m(T|neighbour) with T drawn under the truth.

Three laws cover every mechanism: Laplace noise (two atoms and a stretch between them), a normal law
(Gaussian noise) and a list of atoms (two-sided geometric noise, tables). Arguments that may cancel are
formed in rationals, so that huge and tiny scales cost no digits.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from dpwizard.errors import Infeasible, InvalidInput
from dpwizard.numerics import UNIT, normal_cdf, real
from dpwizard.privacy.mechanisms import Gaussian, Geometric, Laplace, Stated, Table, last_step

TIE = 8 * UNIT  # a loss this close to epsilon, relative, counts as equal to it: decimals such as 0.3/0.1 are not exact
ROW_SUM = 1e-9  # how far a table's row may be from summing to 1
MOST_STEPS = 2_000_000  # atoms of one geometric loss that a sum may run over
NEGLIGIBLE = 45.0  # e^-45 is less than 3e-20: noise beyond it is left out of sums


def checked(mechanism: Stated, where: str = "mechanism") -> Stated:
    """Return MECHANISM; raise InvalidInput where a table's rows differ in length or do not sum to 1 within 1e-9."""
    if isinstance(mechanism, Table):
        if len(mechanism.px) != len(mechanism.pxp):
            raise InvalidInput(
                f"must have as many entries as px; found {len(mechanism.pxp)} and {len(mechanism.px)}",
                f"{where}.pxp",
                "Give one probability for each output in both rows.",
            )
        for name, row in (("px", mechanism.px), ("pxp", mechanism.pxp)):
            total = math.fsum(row)
            if not abs(total - 1.0) <= ROW_SUM:
                raise InvalidInput(
                    f"must sum to 1; found {total:.12g}", f"{where}.{name}", "Give the probability of every output."
                )
    return mechanism


def exp(x: float) -> float:
    """Return e^x; infinite where it is too large for a float."""
    return math.exp(x) if x < 709.0 else math.inf


def log_ratio(p: float, q: float) -> float:
    """Return log(p/q) for p > 0 and q >= 0, accurate where p and q are close."""
    if q == 0.0:
        return math.inf
    return math.log1p((p - q) / q) if 0.5 <= p / q <= 2.0 else math.log(p) - math.log(q)


def split(mechanism: Stated, epsilon: float, slack: float = 0.0) -> tuple[float, float]:
    """Return P(loss > EPSILON) and P(loss <= EPSILON), each to 1e-15; SLACK widens what counts as a tie."""
    if math.isinf(epsilon):
        return (0.0, 1.0) if epsilon > 0 else (1.0, 0.0)
    limit = epsilon + TIE * abs(epsilon) + slack
    if isinstance(mechanism, Table):
        limit += TIE
        above = math.fsum(
            p for p, q in zip(mechanism.px, mechanism.pxp, strict=True) if p > 0 and log_ratio(p, q) > limit
        )
        return min(above, 1.0), max(0.0, 1.0 - above)
    if mechanism.sensitivity == 0.0:
        return (0.0, 1.0) if limit >= 0.0 else (1.0, 0.0)
    if isinstance(mechanism, Laplace):
        full = mechanism.sensitivity / mechanism.scale
        if limit >= full:
            return 0.0, 1.0
        if limit < -full:
            return 1.0, 0.0
        within = 0.5 * math.exp(
            -max(0.0, _laplace_gap(mechanism, epsilon)) / 2
        )  # docs/methods/persuasive_privacy.md: 1 - 1/2 e^(-(eps0 - eps)/2)
        return 1.0 - within, within
    if isinstance(mechanism, Geometric):
        full = mechanism.rate * mechanism.sensitivity
        if limit >= full:
            return 0.0, 1.0
        if limit < -full:
            return 1.0, 0.0
        within = geometric_above(mechanism.rate, last_step(mechanism.rate, mechanism.sensitivity, limit))
        return 1.0 - within, within
    z = _gaussian_argument(mechanism, epsilon)  # docs/methods/persuasive_privacy.md: Phi(rho/2 - eps/rho)
    return normal_cdf(z), normal_cdf(-z)


def _laplace_gap(mechanism: Laplace, epsilon: float) -> float:
    """Return eps0 - eps, formed exactly: both may be large and close."""
    scale = Fraction(mechanism.scale)
    return real((Fraction(mechanism.sensitivity) - Fraction(epsilon) * scale) / scale)


def _gaussian_argument(mechanism: Gaussian, epsilon: float) -> float:
    """Return rho/2 - eps/rho with rho = sensitivity/sd, formed exactly."""
    s, sd = Fraction(mechanism.sensitivity), Fraction(mechanism.sd)
    return real((s * s - 2 * Fraction(epsilon) * sd * sd) / (2 * s * sd))


def geometric_above(rate: float, k: int) -> float:
    """Return P(noise > k) for k >= -1: alpha^(k+1) / (1 + alpha) with alpha = e^-rate."""
    return math.exp(-real(Fraction(rate) * (k + 1))) / (1.0 + math.exp(-rate))


def hockey_stick(mechanism: Stated, epsilon: float) -> float:
    """Return sup over events E of P(E | truth) - e^EPSILON P(E | neighbour), to 1e-15."""
    if isinstance(mechanism, Table):
        return _table_hockey_stick(mechanism, epsilon)
    if math.isinf(epsilon):
        return 0.0
    if epsilon < 0.0:  # symmetric noise: the two directions of the pair agree
        return min(1.0, -math.expm1(epsilon) + math.exp(epsilon) * hockey_stick(mechanism, -epsilon))
    if mechanism.sensitivity == 0.0:
        return 0.0
    if isinstance(mechanism, Laplace):
        return max(
            0.0, -math.expm1(-max(0.0, _laplace_gap(mechanism, epsilon)) / 2)
        )  # docs/methods/privacy_at_risk.md: 1 - e^(-(eps0-eps)/2)
    if isinstance(mechanism, Geometric):
        return _geometric_hockey_stick(mechanism, epsilon)
    return _gaussian_hockey_stick(mechanism, epsilon)


def _table_hockey_stick(mechanism: Table, epsilon: float) -> float:
    terms = []
    for p, q in zip(mechanism.px, mechanism.pxp, strict=True):
        if q == 0.0:
            terms.append(p)
        elif p > 0.0 and epsilon < log_ratio(p, q):
            terms.append(p * -math.expm1(epsilon - log_ratio(p, q)))  # p - e^eps q
    return min(1.0, math.fsum(terms))


def _geometric_hockey_stick(mechanism: Geometric, epsilon: float) -> float:
    """docs/methods/privacy_at_risk.md: 1 - a^(z+1)/(1+a) - e^eps a^(D-z)/(1+a), written as a sum of terms that are not
    negative."""
    rate, s = mechanism.rate, mechanism.sensitivity
    z = last_step(rate, s, epsilon)
    if z < 0:
        return 0.0
    a = math.exp(-rate)
    far = real(Fraction(epsilon) - Fraction(rate) * (Fraction(s) - z))  # log of e^eps a^(D-z), below that of a^z
    if z == 0:
        return max(0.0, -math.expm1(far) / (1.0 + a))
    first = -math.expm1(-real(Fraction(rate) * (z + 1)))  # 1 - a^(z+1)
    return max(0.0, (first + a * -math.expm1(min(0.0, far + rate))) / (1.0 + a))


def _gaussian_hockey_stick(mechanism: Gaussian, epsilon: float) -> float:
    from scipy.special import erfcx

    rho = mechanism.sensitivity / mechanism.sd
    z = -_gaussian_argument(mechanism, epsilon)  # eps/rho - rho/2
    if rho == 0.0 or z > 40.0:
        return 0.0
    if z < -40.0:
        return 1.0
    if rho < 0.5:
        return _small_shift(rho, z)
    near = float(erfcx((z + rho) / math.sqrt(2.0)))  # e^eps Phi(-eps/rho - rho/2) = 1/2 e^(-z^2/2) erfcx(..)
    return max(0.0, normal_cdf(-z) - 0.5 * math.exp(-z * z / 2) * near)


def _small_shift(rho: float, z: float) -> float:
    """The same as an integral without cancellation: int_0^inf phi(z + y) (1 - e^(-rho y)) dy."""
    import numpy as np

    width = min(9.0, 40.0 / z) if z > 0 else 9.0
    nodes, weights = np.polynomial.legendre.leggauss(64)
    y = 0.5 * width * (nodes + 1.0)
    inside = np.exp(-z * y - 0.5 * y * y) * -np.expm1(-rho * y)
    return float(np.dot(weights, inside)) * 0.5 * width * math.exp(-z * z / 2) / math.sqrt(2 * math.pi)


# ------------------------------------------------------------------------------- two outputs at once


@dataclass(frozen=True, kw_only=True)
class Atoms:
    """A loss that takes finitely many values, ascending (the last may be infinite), with their probabilities."""

    losses: tuple[float, ...]
    masses: tuple[float, ...]


@dataclass(frozen=True, kw_only=True)
class Clipped:
    """The loss of Laplace noise: atoms at -full and full, density 1/4 e^(-(full - l)/2) between them."""

    full: float


@dataclass(frozen=True, kw_only=True)
class Normal:
    """The loss of Gaussian noise: normal with mean rho^2/2 and variance rho^2."""

    rho: float


Law = Atoms | Clipped | Normal
NOTHING = Atoms(losses=(0.0,), masses=(1.0,))


def law(mechanism: Stated, where: str = "mechanism") -> Law:
    """Return the law of the loss of MECHANISM; raises Infeasible where geometric noise has more than two million
    steps."""
    if isinstance(mechanism, Table):
        pairs = sorted((log_ratio(p, q), p) for p, q in zip(mechanism.px, mechanism.pxp, strict=True) if p > 0)
        return Atoms(losses=tuple(loss for loss, _ in pairs), masses=tuple(p for _, p in pairs))
    if mechanism.sensitivity == 0.0:
        return NOTHING
    if isinstance(mechanism, Laplace):
        return Clipped(full=mechanism.sensitivity / mechanism.scale)
    if isinstance(mechanism, Gaussian):
        rho = mechanism.sensitivity / mechanism.sd
        return Normal(rho=rho) if rho > 0.0 else NOTHING
    return _geometric_law(mechanism, where)


def _geometric_law(mechanism: Geometric, where: str) -> Atoms:
    rate, s = mechanism.rate, mechanism.sensitivity
    last = min(float(math.ceil(s)), NEGLIGIBLE / rate + 1.0)  # noise of at least s is one atom
    if last > MOST_STEPS:
        raise Infeasible(
            f"the loss takes more than {MOST_STEPS:,} values, too many to add up exactly",
            where,
            "Describe noise this fine as Laplace noise of scale 1/rate.",
        )
    alpha, steps = math.exp(-rate), math.ceil(last)
    losses = [rate * (s - 2 * k) if k < s else -rate * s for k in range(steps, -1, -1)]
    masses = [alpha**k * -math.expm1(-rate) / (1.0 + alpha) for k in range(steps - 1, 0, -1)]
    if math.isinf(losses[-1]):
        losses = [math.inf if loss > 0 else -math.inf for loss in losses]
    return Atoms(losses=tuple(losses), masses=(alpha**steps / (1.0 + alpha), *masses, 1.0 / (1.0 + alpha)))


def size(one: Law) -> float:
    """Return how large a loss of this law is: what a tie is measured against."""
    if isinstance(one, Clipped):
        return one.full
    if isinstance(one, Atoms):
        finite = [abs(loss) for loss in one.losses if not math.isinf(loss)]
        return max(finite, default=0.0)
    return 0.0


def sum_within(first: Law, second: Law, epsilon: float) -> float:
    """Return P(loss1 + loss2 <= EPSILON) for independent losses, to 1e-14; EPSILON is finite and already allows for
    ties."""
    if isinstance(first, Atoms) and isinstance(second, Atoms):
        return _atoms_and_atoms(first, second, epsilon)
    if isinstance(second, Atoms):
        first, second = second, first
    if isinstance(first, Atoms):
        pairs = zip(first.losses, first.masses, strict=True)
        return min(1.0, math.fsum(mass * _within(second, epsilon - loss) for loss, mass in pairs if loss < math.inf))
    if isinstance(first, Normal) and isinstance(second, Normal):
        return _within(Normal(rho=math.hypot(first.rho, second.rho)), epsilon)
    if isinstance(first, Clipped) and isinstance(second, Clipped):
        return _clipped_and_clipped(first.full, second.full, epsilon)
    if isinstance(first, Normal):
        first, second = second, first
    assert isinstance(first, Clipped)
    assert isinstance(second, Normal)
    return _clipped_and_normal(first.full, second.rho, epsilon)


def _within(one: Clipped | Normal | Atoms, epsilon: float) -> float:
    if isinstance(one, Clipped):
        if epsilon >= one.full:
            return 1.0
        return 0.5 * math.exp(-(one.full - epsilon) / 2) if epsilon >= -one.full else 0.0
    if isinstance(one, Normal):
        return normal_cdf(epsilon / one.rho - one.rho / 2)
    return math.fsum(mass for loss, mass in zip(one.losses, one.masses, strict=True) if loss <= epsilon)


def _atoms_and_atoms(first: Atoms, second: Atoms, epsilon: float) -> float:
    import numpy as np

    reached = np.concatenate(([0.0], np.cumsum(second.masses)))
    losses = np.array(first.losses)
    known = losses < math.inf
    counts = np.searchsorted(np.array(second.losses), epsilon - losses[known], side="right")
    return min(1.0, math.fsum(np.array(first.masses)[known] * reached[counts]))


def _clipped_and_clipped(p: float, q: float, epsilon: float) -> float:
    """Condition on the first loss; between its atoms the product of the two exponentials is constant."""
    if math.isinf(p) or math.isinf(q):
        return 0.0
    ends = 0.5 * _within(Clipped(full=q), epsilon - p) + 0.5 * math.exp(-p) * _within(Clipped(full=q), epsilon + p)
    cut = min(max(epsilon - q, -p), p)  # below it the second loss is certainly small enough
    sure = 0.5 * (math.exp(-(p - cut) / 2) - math.exp(-p))
    top = min(max(epsilon + q, -p), p)
    flat = 0.125 * exp((epsilon - p - q) / 2) * (top - cut) if top > cut else 0.0
    return min(1.0, ends + sure + flat)


def _clipped_and_normal(p: float, rho: float, epsilon: float) -> float:
    """Integrate by parts: Phi((e-p)/rho - rho/2) + 1/2 e^((e-p)/2 - rho^2/8) [Phi((p-e)/rho) - Phi(-(p+e)/rho)]."""
    if math.isinf(p) or math.isinf(rho):
        return 0.0
    from scipy.special import log_ndtr

    v = (epsilon - p) / rho
    upper, lower = float(log_ndtr(-v)), float(log_ndtr(-(epsilon + p) / rho))
    if lower >= upper:
        return normal_cdf(v - rho / 2)
    bracket = upper + math.log(-math.expm1(lower - upper))
    return min(1.0, normal_cdf(v - rho / 2) + 0.5 * exp(rho * (v / 2 - rho / 8) + bracket))
