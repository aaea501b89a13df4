"""The logarithmic score (Bon et al. 2025, section 4): how much an output raises the probability of the truth.

The adversary's prior has mass w on the truth and the rest on a neighbour. The gain of an output is log(posterior/prior)
of the truth, a function of the privacy loss of that output. As w -> 0 the gain is the loss itself, and the requirement
is probabilistic differential privacy (Proposition 6).
"""

from __future__ import annotations

import math
from decimal import Context, Decimal

import numpy as np

from dpwizard.base.numerics import UNIT, down, normal_cdf
from dpwizard.base.values import Epsilon, Loss, NonNegative, Probability, public
from dpwizard.privacy.mechanisms import (
    TIE,
    DiscretePld,
    GaussianLoss,
    JudgedName,
    LaplaceLoss,
    PairLoss,
    Stated,
    judged_noise_named,
)

MOST_SLACK = 1e-12
DIGITS = Context(prec=50)


@public
def probabilistic_delta(*, mechanism: Stated, epsilon: Loss) -> float:
    """Return P(privacy loss > EPSILON), the output drawn under the truth: the exact delta of probabilistic DP.

    Arguments: mechanism, a Laplace, geometric or Gaussian mechanism (at its full sensitivity) or a table; epsilon, any
    number, negative ones included, or "inf". A loss within 2e-15 relative of epsilon counts as equal to it, and equal
    is within. Returns a probability with an error below 1e-14. For geometric noise and a sensitivity that is not whole
    it is on the safe side, that is above the true value. Raises InvalidInput where a table's rows differ in length or
    do not sum to 1. Source: Bon et al. 2025, Definition 7; docs/methods/persuasive_privacy.md.
    """
    mechanism.check()
    return mechanism.split(epsilon)[0]


@public
def approximate_delta(*, mechanism: Stated, epsilon: Loss) -> float:
    """Return the hockey-stick divergence at EPSILON: the smallest delta of (epsilon, delta)-DP for this pair.

    Arguments: as for probabilistic_delta. The direction is from the truth to its neighbour: the sum of the positive
    parts of px - e^epsilon pxp. The noise mechanisms are symmetric, so either direction gives the same; for a table
    exchange the rows and take the larger. Returns a probability with an error below 1e-14 (safe as above for geometric
    noise). It never exceeds probabilistic_delta. Raises InvalidInput as probabilistic_delta does. Source:
    docs/methods/privacy_at_risk.md and 4.
    """
    mechanism.check()
    return mechanism.hockey_stick(epsilon)


@public
def effective_epsilon(*, prior_mass: Probability, kappa: Epsilon) -> float:
    """Return the privacy loss at which the gain of the log score is KAPPA: log((1-w)/(e^-kappa - w)).

    Arguments: prior_mass, the adversary's prior probability w of the truth, in [0, 1]; kappa, the largest gain allowed,
    at least 0, in nats. Returns a limit on the loss, never above the true value and at most 1e-12 relative below it;
    infinite where w >= e^-kappa (no output can gain that much), kappa exactly where w = 0. Raises InvalidInput. Source:
    Bon et al. 2025, proof of Proposition 6 (C.5); docs/methods/persuasive_privacy.md.
    """
    if kappa == 0.0 and prior_mass < 1.0:
        return 0.0
    return kappa if prior_mass == 0.0 else down(loss_limit(prior_mass, kappa)[0])


@public
def log_score_gain(*, prior_mass: Probability, loss: Loss) -> float:
    """Return the gain of the log score for an output of privacy loss LOSS: -log(w + (1-w) e^-loss).

    Arguments: prior_mass, the prior probability w of the truth, in [0, 1]; loss, any number or "inf". Returns the gain
    in nats to 1e-14 relative; infinite only for w = 0 and an infinite loss. Raises InvalidInput. Source: Bon et al.
    2025, Definition 9 with its minus sign restored, and (9).
    """
    w = prior_mass
    if w == 0.0 or loss == 0.0:
        return loss
    if w == 1.0:
        return 0.0
    if math.isinf(loss):
        return -math.log(w)
    if loss < -700.0:
        return loss - math.log1p(-w)
    change = (1.0 - w) * math.expm1(-loss)
    if change > -0.5:
        return -math.log1p(change)
    first, second = math.log(w), math.log1p(-w) - loss
    top = max(first, second)
    return -top - math.log1p(math.exp(min(first, second) - top))


@public
def hold_probability(*, mechanism: Stated, prior_mass: Probability, kappa: Loss) -> float:
    """Return P(gain of the log score <= KAPPA) for an adversary whose prior is on the truth and its neighbour.

    Arguments: mechanism, as for probabilistic_delta; prior_mass, the prior probability of the truth, in
    [0, 1], where 0 stands for the limit; kappa, the gain in nats (negative or "inf" are meaningful too).
    Returns a probability with an error below 1e-14; a gain within 2e-15 relative of kappa counts as within.
    It never falls as kappa or prior_mass grows. Raises InvalidInput as probabilistic_delta does.
    Source: Bon et al. 2025, Proposition 6; docs/methods/persuasive_privacy.md.
    """
    epsilon, slack = loss_limit(prior_mass, kappa)
    mechanism.check()
    return mechanism.split(epsilon, slack)[1]


@public
def smallest_noise(
    *,
    mechanism_kind: JudgedName,
    sensitivity: NonNegative,
    kappa: Epsilon,
    delta: Probability,
    prior_mass: Probability = 0.0,
) -> float:
    """Return the least noise with P(gain of the log score > KAPPA) <= DELTA.

    Arguments: mechanism_kind, "laplace", "geometric" or "gaussian"; sensitivity, the full shift, at least 0; kappa, the
    largest gain allowed, at least 0, in nats; delta, the chance of exceeding it, in [0, 1]; prior_mass, the least prior
    probability of the truth, in [0, 1]. Returns the Laplace scale or the Gaussian standard deviation, never below the
    true one and at most 1e-12 relative above it: 0 where no noise is needed, infinite (null) where no finite noise
    suffices. For "geometric" the largest rate, never above the true one: infinite (null) where no noise is needed, 0
    where no rate suffices. Raises InvalidInput. Source: docs/methods/persuasive_privacy.md; the geometric rate for
    delta >= 1/2 by search over the exact probability.
    """
    epsilon = down(loss_limit(prior_mass, kappa)[0]) if kappa > 0.0 or prior_mass == 1.0 else 0.0
    return judged_noise_named(mechanism_kind).least(sensitivity, epsilon, delta)


@public
def compose(*, mechanism1: Stated, mechanism2: Stated, prior_mass: Probability, kappa: Loss) -> float:
    """Return P(gain of the log score <= KAPPA) when both outputs are seen together, their noise independent.

    Arguments: mechanism1 and mechanism2, of any kinds, each at its full sensitivity for the same pair of neighbours;
    prior_mass and kappa as for hold_probability. Returns a probability with an error below 1e-13: the losses add, and
    each pair has a closed form or a finite sum. Proposition 3 would add the kappas and the deltas, which holds
    only under conjugacy. Raises InvalidInput as probabilistic_delta does; Infeasible where geometric noise is too fine
    to sum. Source: docs/methods/persuasive_privacy.md.
    """
    mechanism1.check("mechanism1")
    mechanism2.check("mechanism2")
    epsilon, slack = loss_limit(prior_mass, kappa)
    if math.isinf(epsilon):
        return 1.0 if epsilon > 0 else 0.0
    first, second = mechanism1.loss.summand("mechanism1"), mechanism2.loss.summand("mechanism2")
    distribution_error = max(mechanism1.blur, mechanism2.blur)
    tolerance = TIE * (abs(epsilon) + min(first.size, 1e150) + min(second.size, 1e150)) + distribution_error + slack
    return sum_within(first, second, epsilon + tolerance)


# ----------------------------------------------------------------------------------------- kernels


def loss_limit(prior_mass: float, kappa: float) -> tuple[float, float]:
    """Return the loss at which the gain is KAPPA, and the change of it by kappa's last bit, which counts as a tie."""
    w = prior_mass
    if w == 0.0 or math.isinf(kappa):
        return kappa, 0.0
    if w == 1.0:
        return (math.inf if kappa >= 0.0 else -math.inf), 0.0
    if kappa < -700.0:
        return kappa + math.log1p(-w), 0.0
    gap = -(kappa + math.log(w))  # log(e^-kappa / w)
    if gap < 0.01 * max(1.0, kappa):  # it cancels: compute the logarithm to fifty digits
        gap = float(-DIGITS.add(Decimal(kappa), Decimal(w).ln(DIGITS)))
    if gap <= 4 * UNIT * max(1.0, kappa):
        return math.inf, 0.0
    change = math.expm1(-kappa) / (1.0 - w)  # (e^-kappa - w)/(1-w) - 1
    rest = -math.expm1(-gap)  # 1 - w e^kappa
    epsilon = -math.log1p(change) if change > -0.5 else kappa + math.log1p(-w) - math.log(rest)
    return epsilon, min(TIE * abs(kappa) / rest, MOST_SLACK * max(abs(epsilon), 1e-3 * abs(kappa)))


# ----------------------------------------------------------------------------- the sum of two independent losses

# Three distributions of the loss cover every mechanism: that of Laplace noise (two atoms and a density between them),
# a normal one (Gaussian noise) and a list of atoms (two-sided geometric noise, tables).


def sum_within(first: PairLoss, second: PairLoss, epsilon: float) -> float:
    """Return P(loss1 + loss2 <= EPSILON) for independent losses, to 1e-14; EPSILON is finite and includes ties."""
    if isinstance(first, DiscretePld) and isinstance(second, DiscretePld):
        return _sum_of_atoms(first, second, epsilon)
    if isinstance(second, DiscretePld):
        first, second = second, first
    if isinstance(first, DiscretePld):
        pairs = zip(first.losses, first.masses, strict=True)
        return min(1.0, math.fsum(mass * second.split(epsilon - loss)[1] for loss, mass in pairs if loss < math.inf))
    if isinstance(first, GaussianLoss) and isinstance(second, GaussianLoss):
        return GaussianLoss(math.hypot(first.mu, second.mu)).split(epsilon)[1]
    if isinstance(first, LaplaceLoss) and isinstance(second, LaplaceLoss):
        return _sum_of_laplace(first.level, second.level, epsilon)
    if isinstance(first, GaussianLoss):
        first, second = second, first
    assert isinstance(first, LaplaceLoss)
    assert isinstance(second, GaussianLoss)
    return _sum_of_laplace_and_gaussian(first.level, second.mu, epsilon)


def _sum_of_atoms(first: DiscretePld, second: DiscretePld, epsilon: float) -> float:
    cumulative = np.concatenate(([0.0], np.cumsum(second.masses)))
    losses = np.array(first.losses)
    finite = losses < math.inf
    counts = np.searchsorted(np.array(second.losses), epsilon - losses[finite], side="right")
    return min(1.0, math.fsum(np.array(first.masses)[finite] * cumulative[counts]))


def _sum_of_laplace(p: float, q: float, epsilon: float) -> float:
    """Condition on the first loss; between its atoms the product of the two exponentials is constant."""
    if math.isinf(p) or math.isinf(q):
        return 0.0
    atom_mass = 0.5 * LaplaceLoss(q).split(epsilon - p)[1] + 0.5 * math.exp(-p) * LaplaceLoss(q).split(epsilon + p)[1]
    cut = min(max(epsilon - q, -p), p)  # below it the second loss is always small enough
    sure_mass = 0.5 * (math.exp(-(p - cut) / 2) - math.exp(-p))
    top = min(max(epsilon + q, -p), p)
    flat_mass = 0.125 * _exp_or_inf((epsilon - p - q) / 2) * (top - cut) if top > cut else 0.0
    return min(1.0, atom_mass + sure_mass + flat_mass)


def _sum_of_laplace_and_gaussian(p: float, mu: float, epsilon: float) -> float:
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
    return min(1.0, normal_cdf(v - mu / 2) + 0.5 * _exp_or_inf(mu * (v / 2 - mu / 8) + bracket))


def _exp_or_inf(x: float) -> float:
    return math.exp(x) if x < 709.0 else math.inf
