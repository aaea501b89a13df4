"""The sum of two independent privacy losses: what two outputs tell together, each judged as one output.

Three laws cover every mechanism: that of Laplace noise (two atoms and a stretch between them), a normal law (Gaussian
noise) and a list of atoms (two-sided geometric noise, tables).
"""

from __future__ import annotations

import math

from dpwizard.base.numerics import normal_cdf
from dpwizard.privacy.mechanisms.gaussian import GaussianLoss
from dpwizard.privacy.mechanisms.laplace import LaplaceLoss
from dpwizard.privacy.mechanisms.losses import DiscretePld, PairLoss


def sum_within(first: PairLoss, second: PairLoss, epsilon: float) -> float:
    """Return P(loss1 + loss2 <= EPSILON) for independent losses, to 1e-14; EPSILON is finite and allows for ties."""
    if isinstance(first, DiscretePld) and isinstance(second, DiscretePld):
        return _atoms_and_atoms(first, second, epsilon)
    if isinstance(second, DiscretePld):
        first, second = second, first
    if isinstance(first, DiscretePld):
        pairs = zip(first.losses, first.masses, strict=True)
        return min(1.0, math.fsum(mass * second.split(epsilon - loss)[1] for loss, mass in pairs if loss < math.inf))
    if isinstance(first, GaussianLoss) and isinstance(second, GaussianLoss):
        return GaussianLoss(math.hypot(first.mu, second.mu)).split(epsilon)[1]
    if isinstance(first, LaplaceLoss) and isinstance(second, LaplaceLoss):
        return _laplace_and_laplace(first.level, second.level, epsilon)
    if isinstance(first, GaussianLoss):
        first, second = second, first
    assert isinstance(first, LaplaceLoss)
    assert isinstance(second, GaussianLoss)
    return _laplace_and_gaussian(first.level, second.mu, epsilon)


def _atoms_and_atoms(first: DiscretePld, second: DiscretePld, epsilon: float) -> float:
    import numpy as np

    reached = np.concatenate(([0.0], np.cumsum(second.masses)))
    losses = np.array(first.losses)
    known = losses < math.inf
    counts = np.searchsorted(np.array(second.losses), epsilon - losses[known], side="right")
    return min(1.0, math.fsum(np.array(first.masses)[known] * reached[counts]))


def _laplace_and_laplace(p: float, q: float, epsilon: float) -> float:
    """Condition on the first loss; between its atoms the product of the two exponentials is constant."""
    if math.isinf(p) or math.isinf(q):
        return 0.0
    ends = 0.5 * LaplaceLoss(q).split(epsilon - p)[1] + 0.5 * math.exp(-p) * LaplaceLoss(q).split(epsilon + p)[1]
    cut = min(max(epsilon - q, -p), p)  # below it the second loss is certainly small enough
    sure = 0.5 * (math.exp(-(p - cut) / 2) - math.exp(-p))
    top = min(max(epsilon + q, -p), p)
    flat = 0.125 * _exp((epsilon - p - q) / 2) * (top - cut) if top > cut else 0.0
    return min(1.0, ends + sure + flat)


def _laplace_and_gaussian(p: float, mu: float, epsilon: float) -> float:
    """Integrate by parts: Phi((e-p)/mu - mu/2) + 1/2 e^((e-p)/2 - mu^2/8) [Phi((p-e)/mu) - Phi(-(p+e)/mu)]."""
    if math.isinf(p) or math.isinf(mu):
        return 0.0
    from scipy.special import log_ndtr

    if mu == 0.0:
        return LaplaceLoss(p).split(epsilon)[1]
    v = (epsilon - p) / mu
    upper, lower = float(log_ndtr(-v)), float(log_ndtr(-(epsilon + p) / mu))
    if lower >= upper:
        return normal_cdf(v - mu / 2)
    bracket = upper + math.log(-math.expm1(lower - upper))
    return min(1.0, normal_cdf(v - mu / 2) + 0.5 * _exp(mu * (v / 2 - mu / 8) + bracket))


def _exp(x: float) -> float:
    """Return e^x; infinite where it is too large for a float."""
    return math.exp(x) if x < 709.0 else math.inf
