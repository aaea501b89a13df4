"""Relative disclosure risk: how much a release may raise a prior, and the largest epsilon of a risk profile.

p is the prior probability that the person is in the data, q that the sensitive value is theirs given that they are. The
adversary knows the mechanism (Assumption 1), and the person is independent of everyone else (Assumption 2). Source:
Kazan & Reiter, "Prior-itizing Privacy", NeurIPS 2024, with Lee & Clifton 2011 and Wood et al. 2018 as described there.
Derivations and errors: docs/methods/relative_risk.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from typing import Annotated, Literal

from pydantic import Field

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.numerics import UNIT, decimal, down, up
from dpwizard.base.values import (
    Belief,
    Count,
    Epsilon,
    OpenProbability,
    Positive,
    PriorRange,
    Probability,
    Ratio,
    Value,
    Within,
    field,
    public,
)
from dpwizard.privacy.profiles import Axis, Mesh, Profile, Shape
from dpwizard.privacy.relative_risk.prior_odds import HUGE, Inverse, PureLoss
from dpwizard.privacy.relative_risk.profile_edges import (
    Candidate,
    Edge,
    box_sides,
    candidates,
    edge_between,
    place_with_ratio,
    places_on_edge,
)

ReplaceFactor = Annotated[float, Field(strict=True, allow_inf_nan=True), Within(low=0, high=2, low_open=True)]
Unlimited = Annotated[float, Field(strict=True, allow_inf_nan=True)]  # a result; inf if it overflows
PUBLISHED = 2.0  # the paper's replace_factor: a changed record is one removed and one added
SAME = 1e-9  # relative: a budget inside a surface this little below that on its sides counts as equal
ULPS = 32  # units in the last place by which a closed form is lowered, above its rounding error

Status = Literal["allowed", "unbounded", "infeasible"]
PriorPair = tuple[float, float]


class PosteriorBound(Value):
    """Bounds for an adversary: the ratio of posterior to prior probability, and the posterior."""

    ratio: Unlimited = field(
        "Ratio", "Posterior probability over prior probability of the disclosure, at most.", default=...
    )
    posterior: float = field("Posterior probability", "Of the disclosure, at most.", default=...)


class Recommendation(Value):
    """The largest epsilon that meets a profile for every adversary considered, and the limiting adversary."""

    status: Status = field("Status", default=...)
    epsilon: float | None = field("Epsilon", "Meets the limit for everyone considered; never above the true limit.")
    upper: float | None = field("Upper bound", "The true limit is not above this.")
    p: float | None = field("p of the adversary that sets the limit", "0 stands for the limit as p or q approaches 0.")
    q: float | None = field("q of the adversary that sets the limit", "0 stands for the limit as p or q approaches 0.")
    attained: bool | None = field("Attained", "False if no adversary considered reaches the limit.")
    unique: bool | None = field("Unique", "False: other adversaries set the same limit.")


class RecommendationForAll(Recommendation):
    """The smallest recommendation over several adversaries, and the position of the limiting one."""

    index: int | None = field("Position of the adversary that sets the limit", "Counted from 0.")


class Adversary(Value):
    """A class of adversaries: their priors and risk profile."""

    profile: Profile = field("Risk profile", default=...)
    p: PriorRange = field("Chance that the record is in the data", default=...)
    q: PriorRange = field("Chance of the sensitive value, if in the data", default=...)


class Participation(Value):
    """Bounds on the posterior about a person who takes part."""

    upper: float = field("At most", default=...)
    lower: float = field("At least", default=...)


@public
def risk(*, p: Belief, q: Belief, epsilon: Epsilon, replace_factor: ReplaceFactor = PUBLISHED) -> PosteriorBound:
    """Return bounds on the posterior of an adversary with priors p and q after an epsilon-DP release.

    Arguments: p, in (0, 1], prior probability that the person is in the data; q, in (0, 1], that the sensitive value
    is theirs, given that; epsilon >= 0 or inf, for add-or-remove-one neighbours; replace_factor c in (0, 2],
    D_replace / D_add_remove of the statistic (2: the paper). Returns {ratio, posterior}: the largest ratio of posterior
    to prior probability of the disclosure, 1 / (pq + e^-c eps p(1-q) + e^-eps (1-p)), and that ratio times pq.
    **Safe side: neither is below the true bound**, and neither is more than 4e-15 relative above it.
    Raises InvalidInput. Source: Kazan & Reiter 2024, Theorem 1.
    """
    return posterior_bound(p, q, epsilon, replace_factor * epsilon)


def posterior_bound(p: float, q: float, presence: float, value: float) -> PosteriorBound:
    """Return the bound of `risk` for losses of PRESENCE and between two values of one person, in [0, inf]."""
    log_prior = math.log(p) + math.log(q)
    if presence == value == 0.0 or (p == 1.0 and q == 1.0):
        return PosteriorBound(ratio=1.0, posterior=p * q)
    inside, outside = p * (1.0 - q) * math.exp(-value), (1.0 - p) * math.exp(-presence)
    rest = inside + outside
    prior = p * q
    most = math.exp(-log_prior) if log_prior > -709.0 else math.inf
    if rest == 0.0:
        return PosteriorBound(ratio=most, posterior=1.0)
    total = prior + rest  # the denominator of (11)
    ratio = 1.0 / total if total > 1e-308 else math.inf
    posterior = math.exp(log_prior - math.log(total)) if prior < 1e-290 else prior / total
    return PosteriorBound(ratio=min(up(ratio), most), posterior=min(up(posterior), 1.0))


@public
def epsilon_at(*, p: Belief, q: Belief, ratio: Ratio, replace_factor: ReplaceFactor = PUBLISHED) -> float:
    """Return the largest epsilon at which the ratio of an adversary with priors p and q is at most a given one.

    Arguments: p, q in (0, 1], as in risk; ratio >= 1 or inf, the largest ratio of posterior to prior probability;
    replace_factor in (0, 2] (2: the paper). Returns epsilon, inf where the ratio is no bound: ratio >= 1/(pq), since
    no posterior exceeds 1. **Safe side: never above the true value**, at most 1e-14 relative below it.
    Raises InvalidInput; Infeasible below a ratio of 1, which not even an empty release can meet.
    Source: Kazan & Reiter 2024, Theorem 2, in a form that covers q = 1, p = 1 and p -> 0 without cancellation.
    """
    return max_budget_at(p, q, ratio, PureLoss(replace_factor))


def at_least_one(ratio: float) -> None:
    if ratio < 1.0:
        raise Infeasible(
            "no release can limit a ratio below 1; found {found}",
            "ratio",
            "Allow a ratio of at least 1: learning nothing leaves it at 1.",
            found=ratio,
        )


def max_budget_at(p: float, q: float, ratio: float, inverse: Inverse) -> float:
    """Return the largest budget of a noise at which an adversary's ratio is at most RATIO, as epsilon_at does."""
    at_least_one(ratio)
    if math.isinf(ratio):
        return ratio
    limit = candidates([place_with_ratio(decimal(ratio), decimal(p), decimal(q))], inverse)[0]
    return limit.value if math.isinf(limit.value) else max(down(limit.value, ULPS) - limit.rounding_error, 0.0)


@public
def recommend(
    *, profile: Profile, p: PriorRange, q: PriorRange, replace_factor: ReplaceFactor = PUBLISHED
) -> Recommendation:
    """Return the largest epsilon that meets a risk profile for every adversary with priors in the given ranges.

    Arguments: profile, any shape of dpwizard.privacy.profiles, with no field missing; p and q, a number in (0, 1] or a
    range [low, high] in [0, 1], open at 0; replace_factor in (0, 2] (2: the paper). Returns {status, epsilon, upper, p,
    q, attained, unique}. Status "allowed": the infimum (13) lies in [epsilon, upper], and p, q is the minimiser, or the
    limit point where no adversary attains it (attained false; 0 is an open end; p = q = 1 is a limit too). unique is
    false if other adversaries, or other limit points, have the same limit. "unbounded": the profile sets no limit.
    "infeasible": the profile falls below 1 at p, q. The other fields are then null. **Safe side: epsilon is never above
    the true infimum**; it is below it by at most 1e-12 relative or 1e-14, whichever is more (which matters for a tiny
    increase), and for knots2d by at most 2e-3 relative (upper says how far). Raises InvalidInput. Source: Kazan &
    Reiter 2024, (13), Lemmas 2 and 3, Theorems 3-5, Table 4; docs/methods/relative_risk.md for the reductions and the
    repaired cases.
    """
    return recommendation(profile, range_of(p), range_of(q), replace_factor)


@public
def recommend_all(
    *,
    adversaries: Annotated[tuple[Adversary, ...], Field(min_length=1, max_length=1_000)],
    replace_factor: ReplaceFactor = PUBLISHED,
) -> RecommendationForAll:
    """Return the largest epsilon that meets several risk profiles, each for its own adversaries.

    Arguments: adversaries, 1 to 1,000 of {profile, p, q} as in recommend; replace_factor in (0, 2].
    Returns the result of recommend for the limiting adversary, with index, their position from 0 (the first of equals).
    One infeasible adversary makes all infeasible (index says which); unbounded ones are left out unless all are.
    **Safe side: epsilon is never above the true value.** Raises InvalidInput. Source: Kazan & Reiter 2024, Section 7:
    several requirements hold together, so their smallest epsilon counts (the "max" inside a profile means either is
    enough).
    """
    best: RecommendationForAll | None = None
    for index, adversary in enumerate(adversaries):
        try:
            recommended = recommendation(
                adversary.profile, range_of(adversary.p), range_of(adversary.q), replace_factor
            )
        except InvalidInput as problem:
            raise problem.inside(f"adversaries[{index}]") from None
        if recommended.status == "unbounded":
            continue
        with_index = RecommendationForAll(**recommended.model_dump(), index=index)
        if recommended.status == "infeasible":
            return with_index
        if (
            best is None
            or best.epsilon is None
            or (recommended.epsilon is not None and recommended.epsilon < best.epsilon)
        ):
            best = with_index
    return best if best is not None else RecommendationForAll(status="unbounded")


def recommendation(profile: Shape, p: PriorPair, q: PriorPair, factor: float = PUBLISHED) -> Recommendation:
    """Return the result of recommend for validated values: ranges (low, high) with low = 0 open."""
    return least(profile, p, q, PureLoss(factor))


def least(profile: Shape, p: PriorPair, q: PriorPair, inverse: Inverse) -> Recommendation:
    """Return the largest budget of a noise that meets a risk profile for every adversary, in the field epsilon.

    Arguments: as in recommendation; inverse, the noise, which defines the budget and its precision. Returns the same as
    recommend.
    """
    try:
        profile.answered()
    except InvalidInput as problem:
        raise problem.inside("profile") from None
    mesh = profile.mesh()
    if mesh is not None:
        return _recommendation_for_mesh(profile, mesh, p, q, inverse)
    axis, pieces = profile.pieces()
    worst = [at for edge in worst_edges(axis, p, q, inverse) for at in places_on_edge(axis, pieces, edge, inverse)]
    return smallest_recommendation(axis, candidates(worst, inverse), p, q, inverse)


def _recommendation_for_mesh(
    profile: Shape, mesh: Mesh, p: PriorPair, q: PriorPair, inverse: Inverse
) -> Recommendation:
    """Return the recommendation for a surface of knots: exact on the sides of the box, a search inside."""
    on_sides = [
        at for axis, pieces, edge in box_sides(mesh, p, q) for at in places_on_edge(axis, pieces, edge, inverse)
    ]
    on_sides += [
        place_with_ratio(decimal(mesh.ratios[i][j]), decimal(a), decimal(b))
        for i, a in enumerate(mesh.p)
        for j, b in enumerate(mesh.q)
        if mesh.ratios[i][j] < 1.0 and p[0] < a < p[1] and q[0] < b < q[1]
    ]
    sides = smallest_recommendation(None, candidates(on_sides, inverse), p, q, inverse)
    low, high = (max(p[0], mesh.p[0]), max(q[0], mesh.q[0])), (min(p[1], mesh.p[-1]), min(q[1], mesh.q[-1]))
    if sides.status == "infeasible" or sides.epsilon == 0.0 or not (low[0] < high[0] and low[1] < high[1]):
        return sides
    from dpwizard.privacy.relative_risk.profile_search import Infimum, grid_cells, search

    known = Infimum(math.inf, math.inf)
    if sides.epsilon is not None and sides.upper is not None:
        known = Infimum(sides.epsilon, sides.upper)
    inside = search(profile, grid_cells((low[0], high[0]), (low[1], high[1]), (mesh.p, mesh.q)), inverse, known)
    if math.isinf(inside.upper):
        return Recommendation(status="unbounded")
    if inside.upper >= known.upper * (1.0 - SAME):  # no budget inside is below those on the sides
        return sides.model_copy(update={"epsilon": inside.lower})
    return Recommendation(
        status="allowed",
        epsilon=inside.lower,
        upper=up(inside.upper, ULPS),
        p=inside.p,
        q=inside.q,
        attained=True,
        unique=True,
    )


def worst_edges(axis: Axis, p: PriorPair, q: PriorPair, inverse: Inverse) -> tuple[Edge, ...]:
    """Return the edges of the box on which a profile along AXIS has its worst adversaries.

    r*(p): epsilon rises with q (Lemma 3, 4), so the smallest q is worst. r*(q): epsilon is monotone in p (Lemma 3,
    1-3), so an end is. r*(pq): at a fixed product epsilon falls with w = p(1-q)/(1-pq) where c > 1, so the largest p is
    worst (c < 1: the smallest): the adversaries run along one edge and then along its neighbour.
    """
    (p0, p1), (q0, q1) = p, q
    if axis == "p":
        return (edge_between("p", q0, p0, p1),)
    if axis == "q":
        return (
            (edge_between("q", p1, q0, q1), edge_between("q", p0, q0, q1))
            if p0 < p1
            else (edge_between("q", p1, q0, q1),)
        )
    if inverse.factor >= 1.0:
        turn = (edge_between("p", q0, p0, p1),) if q0 > 0.0 and p0 < p1 else ()
        return (edge_between("q", p1, q0, q1), *turn)
    turn = (edge_between("q", p0, q0, q1),) if p0 > 0.0 and q0 < q1 else ()
    return (edge_between("p", q1, p0, p1), *turn)


def smallest_recommendation(
    axis: Axis | None, limits: Iterable[Candidate], p: PriorPair, q: PriorPair, inverse: Inverse
) -> Recommendation:
    """Return the smallest of the candidates as a recommendation; AXIS as in worst_edges, or None for knots2d."""
    ordered = sorted(limits, key=lambda c: c.value)
    below = sorted((c for c in ordered if c.multiplier < 0.0), key=lambda c: (c.limit, c.multiplier))
    if below:
        return Recommendation(status="infeasible", p=below[0].p, q=below[0].q)
    best = ordered[0]
    if math.isinf(best.value):
        return Recommendation(status="unbounded")
    ties = [c for c in ordered if c.value <= best.value * (1.0 + inverse.tie)]
    place = next((c for c in ties if not c.limit), best)
    epsilon = min(max(down(c.value, ULPS) - c.rounding_error, 0.0) for c in ordered)
    return Recommendation(
        status="allowed",
        epsilon=min(epsilon, HUGE),
        upper=min(max(up(best.value, ULPS) + best.rounding_error, epsilon), HUGE),
        p=place.p,
        q=place.q,
        attained=not place.limit,
        unique=all(math.isclose(place.p, c.p, rel_tol=1e-9) and math.isclose(place.q, c.q, rel_tol=1e-9) for c in ties)
        and not _has_equals_off_edges(axis, place, p, q, inverse),
    )


def _has_equals_off_edges(axis: Axis | None, at: Candidate, p: PriorPair, q: PriorPair, inverse: Inverse) -> bool:
    """Return whether others off the edges have the same limit as AT: if w does not matter, or if p -> 0 hides q."""
    (p0, p1), (q0, q1) = p, q
    wide, tall = p0 < p1, q0 < q1
    if at.p == 0.0 and tall and axis in ("p", "pq"):
        return True  # epsilon -> log r* for any q
    is_zero = at.value == 0.0
    if axis == "p":
        return is_zero and tall
    if axis == "q":
        return is_zero and wide
    if axis == "pq" and (is_zero or inverse.factor == 1.0):  # all (p, q) with the same product
        if at.q == 0.0:
            return wide or p0 == 0.0
        return wide and tall and p0 * q0 * (1.0 + inverse.tie) < at.p * at.q < p1 * q1 * (1.0 - inverse.tie)
    return False


def range_of(prior: float | PriorPair) -> PriorPair:
    return prior if isinstance(prior, tuple) else (prior, prior)


@public
def lee_clifton_epsilon(
    *, population: Count, posterior: Probability, range: Positive = 1.0, difference: Positive = 1.0
) -> float:
    """Return the largest epsilon at which an adversary names an unknown record's person with at most a given chance.

    Arguments: population n >= 1, the people considered equally likely; posterior in [0, 1], the largest chance of being
    named; range, Delta T > 0, the sensitivity of the statistic; difference, Delta v > 0, the largest distance
    between the values compared. Returns (Delta T / Delta v) log((n-1) a / (1-a)): 0 at a = 1/n, inf at a = 1. **Safe
    side: never above the true value**, at most 1e-14 relative below. Raises InvalidInput; Infeasible where the
    posterior is below 1/n, the chance without any release. Source: Lee & Clifton 2011 in Kazan & Reiter 2024, (39);
    (38) at 1, 1.
    """
    if posterior == 1.0:
        return math.inf
    share = Fraction(posterior)
    excess = population * share - 1  # n a - 1
    if posterior == 1.0 / population or abs(excess) <= 2 * Fraction(UNIT):
        return 0.0
    if excess < 0:
        raise Infeasible(
            "no release can limit this chance below 1/{population}; found {found}",
            "posterior",
            "Allow at least {least}, the chance of naming the right record if nothing is released.",
            population=population,
            found=posterior,
            least=1.0 / population,
        )
    gain = math.log1p(float(excess / (1 - share)))  # (n-1) a / (1-a) = 1 + (n a - 1) / (1 - a)
    gain -= min(UNIT / (1.0 - posterior), 3e-10 * gain)  # a posterior near 1 is rounded
    log_value = math.log(gain) + math.log(range) - math.log(difference)
    if not -700.0 < log_value < 700.0:
        return HUGE if log_value > 700.0 else 0.0
    return down(gain * (range / difference) if 1e-300 < range / difference < 1e300 else math.exp(log_value), ULPS)


@public
def participation(*, posterior_without: Probability, epsilon: Epsilon) -> Participation:
    """Return bounds on the posterior about a person who takes part, from the posterior if they did not.

    Arguments: posterior_without, in [0, 1], the posterior after a release without this person; epsilon >= 0 or inf.
    Returns {upper, lower}: a0 / (a0 + e^-2eps (1 - a0)), and the same with e^2eps. **Safe side: upper is never below,
    lower never above the true bound**, within 4e-15 relative. Raises InvalidInput. Source: Wood et al. 2018 in Kazan &
    Reiter 2024, (42), and its mirror image.
    """
    before, rest = posterior_without, 1.0 - posterior_without
    if epsilon == 0.0 or before in (0.0, 1.0):
        return Participation(upper=before, lower=before)
    fall = math.exp(-2.0 * epsilon)
    return Participation(
        upper=min(up(before / (before + fall * rest)), 1.0),
        lower=max(down(before * fall / (before * fall + rest)), 0.0),
    )


@public
def participation_epsilon(*, posterior_without: OpenProbability, posterior_with: Belief) -> float:
    """Return the largest epsilon at which taking part raises a posterior at most from one given value to another.

    Arguments: posterior_without, in (0, 1), after a release without this person; posterior_with, in (0, 1], the largest
    one allowed if they take part. Returns 1/2 (logit(posterior_with) - logit(posterior_without)); inf at 1. **Safe
    side: never above the true value**, at most 1e-14 relative below. Raises InvalidInput; Infeasible where
    posterior_with is below posterior_without. Source: Kazan & Reiter 2024, (42) solved for epsilon.
    """
    if posterior_with == 1.0:
        return math.inf
    if posterior_with < posterior_without:
        raise Infeasible(
            "taking part cannot lower a chance of {belief}; found {found}",
            "posterior_with",
            "Allow at least what others would think anyway.",
            belief=posterior_without,
            found=posterior_with,
        )
    high, low = Fraction(posterior_with), Fraction(posterior_without)
    excess = (high - low) / (low * (1 - high))  # the ratio of the two odds, less 1
    logit_difference = (
        math.log1p(float(excess)) if excess < 10**15 else math.log(excess.numerator) - math.log(excess.denominator)
    )
    # a posterior near 1 is rounded
    logit_difference -= min(UNIT / (1.0 - posterior_with), 3e-10 * logit_difference)
    return down(0.5 * logit_difference, ULPS)
