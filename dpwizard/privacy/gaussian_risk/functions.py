"""What an intruder may conclude of any event but the rarest, from the trade-off curve of the release.

The theorems named are proved in docs/methods/gaussian_risk.md.
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

FAR = 700.0  # exponents beyond it cannot be written
LEAST = 1e-300  # chances below are 0


class ChanceOverPriors(Value):
    """What the binding intruder may conclude."""

    ratio: float = field("Chance afterwards over the chance before, at most", default=...)
    posterior: float = field("Chance afterwards, at most", default=...)
    effective_epsilon: float | None = field("Loss that tells as much of presence; null: no bound", default=...)
    effective_epsilon_value: float | None = field("The same of two values", default=...)


class Exceedance(Value):
    """How often the ratio of chances passes a given one, at most."""

    truth: float = field("Given that it is true", default=...)
    predictive: float | None = field("In the intruder’s own expectation", default=...)
    informed: float | None = field("For an intruder who knows all others, of the unrounded release", default=...)


class Accusation(Value):
    """The best rule that accuses from a chance on."""

    hit: float = field("Chance of accusing whom it is true of", default=...)
    false_alarm: float = field("Chance of accusing whom it is not true of", default=...)
    precision: float = field("Chance that an accusation is right", default=...)


@public
def false_alarm(*, mechanism: StatedTradeOff, hit: OpenProbability, replace_factor: ReplaceFactor = 1.0) -> float:
    """Return the least false-alarm rate of any event of that hit rate, whatever is made of the release.

    Arguments: mechanism; hit in (0, 1); replace_factor in [1, 2], 1 for presence, else how many times as far apart two
    values of one person are (approximate and profile: any above 1 counts as 2; discrete_gaussian: a distance that is no
    whole number counts as twice; zcdp: rho times its square). Returns a probability, **never above the true one** and
    within 1e-12 relative of it (zcdp, discrete_gaussian: 1e-8, of a sigma above 2,000 1e-4). Raises InvalidInput.
    Source: docs/methods/gaussian_risk.md.
    """
    return _of_values(mechanism, replace_factor).fpr(hit)


@public
def risk(
    *, p: Belief, q: Belief, mechanism: StatedTradeOff, tolerance: OpenProbability, replace_factor: ReplaceFactor = 2.0
) -> ChanceOverPriors:
    """Return what an intruder may conclude of the person but for TOLERANCE of those of whom it is true.

    Arguments: p, q in (0, 1], the chances of presence and, given that, of the value; mechanism; tolerance in (0, 1);
    replace_factor in [1, 2]. Returns the cap on the chance afterwards, its ratio to p q, and the losses that would tell
    as much; **never below the true ones**, null where nothing can be said. Raises InvalidInput. Source: Theorem 1.
    """
    values = _of_values(mechanism, replace_factor)
    x1 = mechanism.fpr(tolerance) / tolerance
    x2 = values.fpr(tolerance) / tolerance
    presence, value = mechanism.effective(tolerance), values.effective(tolerance)
    prior = p * q
    known = math.fsum((prior, (1.0 - p) * min(x1, 1.0), p * (1.0 - q) * min(x2, 1.0)))
    ratio = up(1.0 / known, 4)
    return ChanceOverPriors(
        ratio=ratio,
        posterior=min(1.0, up(prior / known, 4)),
        effective_epsilon=None if math.isinf(presence) else presence,
        effective_epsilon_value=None if math.isinf(value) else value,
    )


@public
def exceedance(
    *, p: Belief, q: Belief, ratio: Positive, mechanism: StatedTradeOff, replace_factor: ReplaceFactor = 2.0
) -> Exceedance:
    """Return how often the chance afterwards passes RATIO times p q, at most.

    Arguments: p, q in (0, 1]; ratio >= 1; mechanism; replace_factor in [1, 2]. Returns chances, **never below the true
    ones** and within 1e-9 relative of them: given that it is true (which binds), in the intruder's own expectation, and
    for an intruder who knows everybody else and sees the unrounded release (gaussian, below 1/2; else null). Raises
    InvalidInput. Source: Theorem 1 (truth, predictive), Theorem 2 (informed).
    """
    if ratio < 1.0:
        raise InvalidInput(
            "must be at least 1; found {found:g}", "ratio", "A chance that is passed has risen.", found=ratio
        )
    if ratio == 1.0:
        return Exceedance(truth=1.0, predictive=1.0, informed=None)
    room = decimal(ratio) * decimal(p) * decimal(q)
    if room >= 1:
        known = isinstance(mechanism, GaussianTradeOff)
        return Exceedance(truth=0.0, predictive=0.0, informed=0.0 if known else None)
    # (1/r - pq) from the decimals: near pq = 1/r it would lose its digits
    left = float((1 - room) / decimal(ratio))
    w0, w1 = 1.0 - p, p * (1.0 - q)
    values = _of_values(mechanism, replace_factor)

    def passed(hit: float) -> bool:
        alarm = w0 * mechanism.fpr(hit) + (w1 * values.fpr(hit) if w1 else 0.0)
        return alarm <= left * hit

    if not passed(LEAST):
        truth = 0.0
    else:
        truth = raised(largest(passed, LEAST, math.nextafter(1.0, 0.0)), 1e-11)
    return Exceedance(
        truth=truth,
        predictive=up(truth / ratio, 2),
        informed=_informed(mechanism, w0, w1, left, replace_factor),
    )


def _of_values(mechanism: TradeOffCurve, factor: float) -> TradeOffCurve:
    return mechanism if factor == 1.0 else mechanism.of_values(factor)


def _informed(mechanism: TradeOffCurve, absent: float, other: float, left: float, factor: float) -> float | None:
    """Return the chance that an informed intruder's ratio is passed, below 1/2; None where it is not known.

    ABSENT and OTHER are the beliefs in absence and in another value, LEFT is 1/r - p q: Theorem 2.
    """
    if not isinstance(mechanism, GaussianTradeOff):
        return None
    mu, value = mechanism.mu, factor * mechanism.mu

    def doubt(z: float) -> float:  # what the worst of releases at z leaves of it
        return absent * math.exp(-mu * z - 0.5 * mu * mu) + other * math.exp(-value * z - 0.5 * value * value)

    if doubt(0.0) <= left:
        return None  # 1/2 or more
    far = 1.0
    while doubt(far) > left:
        far *= 2.0
        if far > 1e9:
            return 0.0
    z = largest(lambda z: doubt(z) > left, 0.0, far)
    return raised(normal_cdf(-z), 1e-12 * (1.0 + z * z))


@public
def two_worlds(*, chance_without: OpenProbability, mechanism: StatedTradeOff) -> float:
    """Return the most that anything of CHANCE_WITHOUT can have with the record in, for every intruder and data set.

    Arguments: chance_without in (0, 1); mechanism. Returns a probability, **never below the true one** and within 1e-11
    relative of it (zcdp, discrete_gaussian: 1e-8, of a sigma above 2,000 1e-4). Raises InvalidInput. Source: Dong, Roth
    & Su 2022, Definition 2.3.
    """
    return mechanism.max_probability(chance_without)


@public
def two_worlds_mu(*, chance_without: OpenProbability, chance_with: OpenProbability) -> float:
    """Return the largest mu at which what befalls CHANCE_WITHOUT befalls at most CHANCE_WITH with the record in.

    Arguments: chances with 0 < chance_without < chance_with < 1. Returns mu > 0, **never above the true value**, to
    1e-12 relative where the two chances are not near. Raises InvalidInput. Source: Dong, Roth & Su 2022, (6).
    """
    if chance_with <= chance_without:
        raise InvalidInput(
            "must be above chance_without, {without:g}; found {found:g}",
            "chance_with",
            "A record can only be asked to raise a chance by something.",
            without=chance_without,
            found=chance_with,
        )
    if chance_without > 0.5:  # the same of the opposite events, which keep their digits
        chance_without, chance_with = 1.0 - chance_with, 1.0 - chance_without
    gap = chance_with - chance_without
    if gap < 0.5 * chance_without:  # the difference of two near numbers would lose their digits
        far = normal_quantile(chance_without)
        return _lowered(_quantile_gap(chance_without, gap)) * (1.0 - 1e-15 * (1.0 + far * far))
    return _lowered(normal_quantile(chance_with) - normal_quantile(chance_without))


@public
def advantage(*, mu: Positive) -> float:
    """Return the largest advantage of an attack on Gaussian noise: hit rate less false-alarm rate.

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
    from scipy.special import erfinv, ndtri  # 0.1 s to import: only when it is needed

    half = math.sqrt(2.0) * float(erfinv(advantage)) if advantage < 0.5 else -float(ndtri(0.5 * (1.0 - advantage)))
    return _lowered(2.0 * half)


@public
def accusation(*, prior: OpenProbability, posterior: OpenProbability, mu: Positive) -> Accusation:
    """Return what the rule comes to that accuses where the chance afterwards reaches POSTERIOR, under Gaussian noise.

    Arguments: prior, posterior in (0, 1); mu > 0. Returns hit rate, false-alarm rate and the chance that an accusation
    is right, to 1e-13 relative. Raises InvalidInput. Source: the likelihood ratio of two normal laws.
    """
    from scipy.special import log_ndtr  # 0.1 s to import: only when it is needed

    needed = _logit(posterior) - _logit(prior)
    hit, alarm = normal_cdf(0.5 * mu - needed / mu), normal_cdf(-0.5 * mu - needed / mu)
    if hit == 0.0:  # too rare to be written: the ratio of the two chances still tells how often it is right
        return Accusation(hit=0.0, false_alarm=0.0, precision=posterior)  # in the limit just those that reach it
    # in logarithms: neither a prior times a hit nor a false alarm beside it need be a number above 0
    right = _logit(prior) + float(log_ndtr(0.5 * mu - needed / mu)) - float(log_ndtr(-0.5 * mu - needed / mu))
    precision = 1.0 / (1.0 + math.exp(-right)) if right > -FAR else math.exp(right)
    return Accusation(hit=hit, false_alarm=alarm, precision=precision)


@public
def best_success(*, prior: OpenProbability, mu: Positive) -> float:
    """Return how often the best rule that tells two worlds apart is right under Gaussian noise.

    Arguments: prior in (0, 1), of the one world; mu > 0. Returns a probability, **never below the true one**, to 1e-15
    relative. Raises InvalidInput. Source: the likelihood ratio of two normal laws.
    """
    odds = _logit(prior) / mu
    return raised(prior * normal_cdf(0.5 * mu + odds) + (1.0 - prior) * normal_cdf(0.5 * mu - odds))


@public
def success_bound(*, baseline: OpenProbability, mechanism: StatedTradeOff) -> float:
    """Return how often any guess that is right with chance BASELINE without the record can be right with it in.

    Arguments: baseline in (0, 1); mechanism. Returns a probability, averaged over what the intruder holds possible,
    **never below the true one** and within 1e-11 relative of it (zcdp, discrete_gaussian: 1e-8, of a sigma above 2,000
    1e-4). Raises InvalidInput. Source: docs/methods/gaussian_risk.md.
    """
    return mechanism.max_probability(baseline)


@public
def epsilon_from(*, mu: Positive, delta: OpenProbability) -> float:
    """Return the smallest epsilon that Gaussian noise of MU keeps at DELTA.

    Arguments: mu > 0; delta in (0, 1). Returns epsilon >= 0, **never below the true value** and at most 1e-12 (absolute
    or relative) above it. Raises InvalidInput. Source: Balle & Wang 2018.
    """
    return gaussian_epsilon(mu, delta)


@public
def mu_from(*, epsilon: NonNegative, delta: OpenProbability) -> float:
    """Return the largest mu whose Gaussian noise keeps (EPSILON, DELTA).

    Arguments: epsilon >= 0; delta in (0, 1). Returns mu > 0, **never above the true value** and at most 1e-12 relative
    below it. Raises InvalidInput. Source: Balle & Wang 2018.
    """
    return gaussian_mu(epsilon, delta)


def _logit(chance: float) -> float:
    return math.log(chance) - math.log1p(-chance)


def _lowered(value: float) -> float:
    return value * (1.0 - 1e-14)


def _quantile_gap(chance: float, gap: float) -> float:
    """Return Phi^-1(chance + gap) - Phi^-1(chance) as the integral of the inverse's slope, without cancellation."""

    slopes = (w / _density(normal_quantile(chance + gap * x)) for x, w in continuous_rule())
    return gap * math.fsum(slopes)


def _density(x: float) -> float:
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)
