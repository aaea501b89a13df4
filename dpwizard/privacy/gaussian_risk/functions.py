"""Limits on an adversary's conclusions except for rare events, by the trade-off curve of the release.

The theorems are proved in docs/methods/gaussian_risk.md.
"""

from __future__ import annotations

import math

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, largest, normal_cdf, normal_quantile, up
from dpwizard.base.values import Belief, NonNegative, OpenProbability, Positive, Value, field, public
from dpwizard.privacy.gaussian_risk.limits import ReplaceFactor
from dpwizard.privacy.gaussian_risk.trade_offs import GaussianTradeOff, StatedTradeOff, TradeOffCurve, raised
from dpwizard.privacy.mechanisms import gaussian_epsilon, gaussian_mu
from dpwizard.privacy.quadrature import continuous_rule

LARGEST_EXPONENT = 700.0  # e^x is a finite float up to here
LEAST_CHANCE = 1e-300  # smaller probabilities count as 0


class ChanceOverPriors(Value):
    """The largest conclusions of the adversary who sets the limit."""

    ratio: float = field("Chance after divided by chance before, at most", default=...)
    posterior: float = field("Chance after, at most", default=...)
    effective_epsilon: float | None = field("Loss that reveals as much about presence; null: no limit", default=...)
    effective_epsilon_value: float | None = field("The same for two values", default=...)


class Exceedance(Value):
    """Bounds on how often the ratio of posterior to prior exceeds a given one."""

    truth: float = field("If it is true", default=...)
    predictive: float | None = field("In the adversary’s own expectation", default=...)
    informed: float | None = field("For an adversary who knows all others, before rounding", default=...)


class Accusation(Value):
    """The rates of the best rule that accuses from a given posterior on."""

    hit: float = field("Chance of accusing someone for whom it is true", default=...)
    false_alarm: float = field("Chance of accusing someone for whom it is not true", default=...)
    precision: float = field("Chance that an accusation is right", default=...)


@public
def false_alarm(*, mechanism: StatedTradeOff, hit: OpenProbability, replace_factor: ReplaceFactor = 1.0) -> float:
    """Return the least false-positive rate of any event with a given true-positive rate, after any post-processing.

    Arguments: mechanism; hit in (0, 1); replace_factor in [1, 2], 1 for presence, else how many times as far apart two
    values of one person are (approximate and profile: any above 1 counts as 2; discrete_gaussian: a distance that is no
    whole number counts as twice; zcdp: rho times its square). Returns a probability, **never above the true one** and
    within 1e-12 relative of it (zcdp, discrete_gaussian: 1e-8, above a sigma of 2,000 1e-4). Raises InvalidInput.
    Source: docs/methods/gaussian_risk.md.
    """
    return _curve_of_values(mechanism, replace_factor).fpr(hit)


@public
def risk(
    *, p: Belief, q: Belief, mechanism: StatedTradeOff, tolerance: OpenProbability, replace_factor: ReplaceFactor = 2.0
) -> ChanceOverPriors:
    """Return a bound on an adversary's posterior, except for a share TOLERANCE of those of whom it is true.

    Arguments: p, q in (0, 1], the chances of presence and, given that, of the value; mechanism; tolerance in (0, 1);
    replace_factor in [1, 2]. Returns the cap on the chance after the release, its ratio to p q, and the privacy losses
    that would reveal as much; **never below the true ones**, null where there is no bound. Raises InvalidInput. Source:
    Theorem 1.
    """
    value_curve = _curve_of_values(mechanism, replace_factor)
    x1 = mechanism.fpr(tolerance) / tolerance
    x2 = value_curve.fpr(tolerance) / tolerance
    epsilon, epsilon_value = mechanism.effective(tolerance), value_curve.effective(tolerance)
    prior = p * q
    inverse_ratio = math.fsum((prior, (1.0 - p) * min(x1, 1.0), p * (1.0 - q) * min(x2, 1.0)))
    return ChanceOverPriors(
        ratio=up(1.0 / inverse_ratio, 4),
        posterior=min(1.0, up(prior / inverse_ratio, 4)),
        effective_epsilon=None if math.isinf(epsilon) else epsilon,
        effective_epsilon_value=None if math.isinf(epsilon_value) else epsilon_value,
    )


@public
def exceedance(
    *, p: Belief, q: Belief, ratio: Positive, mechanism: StatedTradeOff, replace_factor: ReplaceFactor = 2.0
) -> Exceedance:
    """Return bounds on how often the chance after the release exceeds RATIO times p q.

    Arguments: p, q in (0, 1]; ratio >= 1; mechanism; replace_factor in [1, 2]. Returns chances, **never below the true
    ones** and within 1e-9 relative of them: given that it is true (the one that counts), in the adversary's own
    expectation, and for an adversary who knows everyone else and sees the unrounded release (gaussian, below 1/2; else
    null). Raises InvalidInput. Source: Theorem 1 (truth, predictive), Theorem 2 (informed).
    """
    if ratio < 1.0:
        raise InvalidInput(
            "must be at least 1; found {found:g}",
            "ratio",
            "Enter a larger number: a chance above this has risen.",
            found=ratio,
        )
    if ratio == 1.0:
        return Exceedance(truth=1.0, predictive=1.0, informed=None)
    cap = decimal(ratio) * decimal(p) * decimal(q)
    if cap >= 1:
        gaussian = isinstance(mechanism, GaussianTradeOff)
        return Exceedance(truth=0.0, predictive=0.0, informed=0.0 if gaussian else None)
    # 1/r - p q from the decimals: near p q = 1/r a difference of floats has no correct digits
    limit = float((1 - cap) / decimal(ratio))
    w0, w1 = 1.0 - p, p * (1.0 - q)
    value_curve = _curve_of_values(mechanism, replace_factor)

    def exceeds(hit: float) -> bool:
        alarm = w0 * mechanism.fpr(hit) + (w1 * value_curve.fpr(hit) if w1 else 0.0)
        return alarm <= limit * hit

    truth = 0.0
    if exceeds(LEAST_CHANCE):
        truth = raised(largest(exceeds, LEAST_CHANCE, math.nextafter(1.0, 0.0)), 1e-11)
    return Exceedance(
        truth=truth,
        predictive=up(truth / ratio, 2),
        informed=_informed_exceedance(mechanism, w0, w1, limit, replace_factor),
    )


def _curve_of_values(mechanism: TradeOffCurve, factor: float) -> TradeOffCurve:
    return mechanism if factor == 1.0 else mechanism.of_values(factor)


def _informed_exceedance(mechanism: TradeOffCurve, w0: float, w1: float, limit: float, factor: float) -> float | None:
    """Return the probability, below 1/2, that an informed adversary's ratio exceeds r; None if it is unknown.

    w0 and w1 are the priors of absence and of another value, LIMIT is 1/r - p q: Theorem 2.
    """
    if not isinstance(mechanism, GaussianTradeOff):
        return None
    mu, mu_value = mechanism.mu, factor * mechanism.mu

    def share_left(z: float) -> float:
        """Return the share of the priors of absence and another value that a release at z leaves."""
        return w0 * math.exp(-mu * z - 0.5 * mu * mu) + w1 * math.exp(-mu_value * z - 0.5 * mu_value * mu_value)

    if share_left(0.0) <= limit:
        return None  # 1/2 or more
    high = 1.0
    while share_left(high) > limit:
        high *= 2.0
        if high > 1e9:
            return 0.0
    z = largest(lambda z: share_left(z) > limit, 0.0, high)
    return raised(normal_cdf(-z), 1e-12 * (1.0 + z * z))


@public
def two_worlds(*, chance_without: OpenProbability, mechanism: StatedTradeOff) -> float:
    """Return the largest chance, with the record in the data, of an event that has CHANCE_WITHOUT it.

    Arguments: chance_without in (0, 1); mechanism. Returns a probability for every adversary and dataset, **never below
    the true one** and within 1e-11 relative of it (zcdp, discrete_gaussian: 1e-8, above a sigma of 2,000 1e-4). Raises
    InvalidInput. Source: Dong, Roth & Su 2022, Definition 2.3.
    """
    return mechanism.max_probability(chance_without)


@public
def two_worlds_mu(*, chance_without: OpenProbability, chance_with: OpenProbability) -> float:
    """Return the largest mu at which an event of CHANCE_WITHOUT has at most CHANCE_WITH the record in the data.

    Arguments: chances with 0 < chance_without < chance_with < 1. Returns mu > 0, **never above the true value**, to
    1e-12 relative where the two chances are not near. Raises InvalidInput. Source: Dong, Roth & Su 2022, (6).
    """
    if chance_with <= chance_without:
        raise InvalidInput(
            "must be above chance_without, {without:g}; found {found:g}",
            "chance_with",
            "Adding a record can only raise the chance. Enter a higher chance.",
            without=chance_without,
            found=chance_with,
        )
    if chance_without > 0.5:  # the opposite events, whose probabilities are more precise
        chance_without, chance_with = 1.0 - chance_with, 1.0 - chance_without
    gap = chance_with - chance_without
    if gap < 0.5 * chance_without:  # the difference of close quantiles has no correct digits
        far = normal_quantile(chance_without)
        return _round_down(_quantile_gap(chance_without, gap)) * (1.0 - 1e-15 * (1.0 + far * far))
    return _round_down(normal_quantile(chance_with) - normal_quantile(chance_without))


@public
def advantage(*, mu: Positive) -> float:
    """Return the largest advantage, true-positive minus false-positive rate, of an attack on Gaussian noise.

    Arguments: mu > 0. Returns 2 Phi(mu/2) - 1, **never below the true value**, to 1e-15 relative. Raises InvalidInput.
    Source: Dong, Roth & Su 2022.
    """
    return raised(math.erf(mu / (2.0 * math.sqrt(2.0))))


@public
def mu_for_advantage(*, advantage: OpenProbability) -> float:
    """Return the largest mu whose attacks have at most this ADVANTAGE.

    Arguments: advantage in (0, 1). Returns 2 Phi^-1((1 + a)/2), **never above the true value**, to 1e-14 relative.
    Raises InvalidInput. Source: Dong, Roth & Su 2022.
    """
    from scipy.special import erfinv, ndtri  # 0.1 s to import

    half = math.sqrt(2.0) * float(erfinv(advantage)) if advantage < 0.5 else -float(ndtri(0.5 * (1.0 - advantage)))
    return _round_down(2.0 * half)


@public
def accusation(*, prior: OpenProbability, posterior: OpenProbability, mu: Positive) -> Accusation:
    """Return the rates of the rule that accuses once the chance after the release reaches POSTERIOR: Gaussian noise.

    Arguments: prior, posterior in (0, 1); mu > 0. Returns hit rate, false-alarm rate and the chance that an accusation
    is right, to 1e-13 relative. Raises InvalidInput. Source: the likelihood ratio of two normal distributions.
    """
    from scipy.special import log_ndtr  # 0.1 s to import

    log_odds_gain = _logit(posterior) - _logit(prior)
    hit, alarm = normal_cdf(0.5 * mu - log_odds_gain / mu), normal_cdf(-0.5 * mu - log_odds_gain / mu)
    if hit == 0.0:  # underflow; in the limit every accusation has exactly the posterior
        return Accusation(hit=0.0, false_alarm=0.0, precision=posterior)
    # in logarithms: a prior times a hit rate may underflow, and so may the false-alarm rate
    log_odds = (
        _logit(prior) + float(log_ndtr(0.5 * mu - log_odds_gain / mu)) - float(log_ndtr(-0.5 * mu - log_odds_gain / mu))
    )
    precision = 1.0 / (1.0 + math.exp(-log_odds)) if log_odds > -LARGEST_EXPONENT else math.exp(log_odds)
    return Accusation(hit=hit, false_alarm=alarm, precision=precision)


@public
def best_success(*, prior: OpenProbability, mu: Positive) -> float:
    """Return the success probability of the best test between neighbouring datasets under Gaussian noise.

    Arguments: prior in (0, 1), of one of the two; mu > 0. Returns a probability, **never below the true one**, to 1e-15
    relative. Raises InvalidInput. Source: the likelihood ratio of two normal distributions.
    """
    threshold = _logit(prior) / mu
    return raised(prior * normal_cdf(0.5 * mu + threshold) + (1.0 - prior) * normal_cdf(0.5 * mu - threshold))


@public
def success_bound(*, baseline: OpenProbability, mechanism: StatedTradeOff) -> float:
    """Return the largest success rate of a guess with the record in the data, given its rate BASELINE without it.

    Arguments: baseline in (0, 1); mechanism. Returns a probability, averaged over the adversary's prior, **never below
    the true one** and within 1e-11 relative of it (zcdp, discrete_gaussian: 1e-8, above a sigma of 2,000 1e-4). Raises
    InvalidInput. Source: docs/methods/gaussian_risk.md.
    """
    return mechanism.max_probability(baseline)


@public
def epsilon_from(*, mu: Positive, delta: OpenProbability) -> float:
    """Return the smallest epsilon for which Gaussian noise of MU is (epsilon, DELTA)-differentially private.

    Arguments: mu > 0; delta in (0, 1). Returns epsilon >= 0, **never below the true value** and at most 1e-12 (absolute
    or relative) above it. Raises InvalidInput. Source: Balle & Wang 2018.
    """
    return gaussian_epsilon(mu, delta)


@public
def mu_from(*, epsilon: NonNegative, delta: OpenProbability) -> float:
    """Return the largest mu for which Gaussian noise is (EPSILON, DELTA)-differentially private.

    Arguments: epsilon >= 0; delta in (0, 1). Returns mu > 0, **never above the true value** and at most 1e-12 relative
    below it. Raises InvalidInput. Source: Balle & Wang 2018.
    """
    return gaussian_mu(epsilon, delta)


def _logit(chance: float) -> float:
    return math.log(chance) - math.log1p(-chance)


def _round_down(value: float) -> float:
    return value * (1.0 - 1e-14)


def _quantile_gap(chance: float, gap: float) -> float:
    """Return Phi^-1(chance + gap) - Phi^-1(chance) as the integral of the slope of Phi^-1, without cancellation."""
    slopes = (w / _normal_density(normal_quantile(chance + gap * x)) for x, w in continuous_rule())
    return gap * math.fsum(slopes)


def _normal_density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
