"""The data of figures that records keep: a risk profile along one prior, and the noise on one number."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dpwizard.decision import AccuracyInputs, PrivacyInputs, Release
from dpwizard.decision.requirements import RelativeRisk, factor_of
from dpwizard.privacy import relative_risk
from dpwizard.privacy.accuracy import NumberNoise

BeliefAxis = Literal["p", "q"]
DRAWN = 0.95  # coverage of the noise interval marked in a figure
DIRECTIONS: tuple[tuple[BeliefAxis, BeliefAxis], ...] = (
    ("p", "q"),
    ("q", "p"),
)  # varied, fixed
POINTS = 241  # along a curve; equal distances on a logarithmic axis
PER_DECADE, FEWEST, MOST = 80, 60, 3_000  # points of a shared grid: per power of ten, and in total
CERTAIN = 1.0 - 1e-6  # a prior close to certainty
SMALLEST = 1e-3  # the smallest prior drawn for a range open at 0, unless a smaller one sets the limit
NARROW = 1.05  # ranges with a smaller ratio of their ends have no curve
BUDGETS, DECADES = (1e-6, 1e3), 9  # range of epsilons of a release, for limits that may fail
ROUGHLY, FINELY = 2, 67  # epsilons computed in each decade: everywhere, and near the limits
BARS = 41  # more whole numbers than this are drawn as an area


@dataclass(frozen=True, kw_only=True)
class RiskCurve:
    """One requirement along one prior: the allowed ratio, the implied epsilon, and the ratio at the chosen epsilon.

    math.inf in `epsilons` means that any epsilon is allowed: the allowed ratio exceeds certainty.
    """

    axis: BeliefAxis
    other: float  # the other prior, fixed where it sets the limit
    priors: tuple[float, ...]
    allowed: tuple[float, ...]
    epsilons: tuple[float, ...]
    given: tuple[float, ...]  # the ratio at the chosen epsilon; empty if none is chosen
    binding: float | None  # the prior that sets the limit, if it is on the curve
    attained: bool
    limit: float | None  # the requirement's epsilon


@dataclass(frozen=True, kw_only=True)
class DrawnNoise:
    """The noise on one number: masses of whole numbers or a density, and the noise interval at 95 in 100."""

    mechanism: str
    whole: bool
    values: tuple[float, ...]
    heights: tuple[float, ...]
    exact: float
    half_width: float
    coverage: float
    sd: float
    mean_absolute: float


def risk_curves(
    requirement: RelativeRisk, release: Release, answer: Mapping[str, Any], chosen: float | None, shared: bool = False
) -> tuple[RiskCurve, ...]:
    """Return the curves of REQUIREMENT along each prior that is a range, through the prior that sets the limit.

    Arguments: answer, the requirement's answer of an assessment (its binding, attained and epsilon are used);
    chosen, the epsilon chosen, or None; shared, whether to use a grid common to all curves, so that several can be read
    at one prior, instead of even steps between the ends of each. Empty if the release or the requirement is incomplete,
    no prior is a range, or the requirement does not apply to the release.
    """
    setting = requirement.setting(release)
    answered = not requirement.missing() and answer.get("status") in ("allowed", "unbounded")
    if not answered or isinstance(setting, tuple) or requirement.statement == "average":
        return ()  # an average has no value at one prior
    ranges = {name: _prior_range(prior) for name, prior in zip(("p", "q"), requirement.beliefs(), strict=True)}
    binding = answer.get("binding") or {}
    curves = []
    for axis, other in DIRECTIONS:
        low, high = ranges[axis]
        bound = binding.get(axis)
        start = low if low > 0 else min(SMALLEST, high / 10, bound / 10 if bound else SMALLEST)
        if start == 0.0 or high < start * NARROW:  # 0: priors too small for a float
            continue
        other_prior = max(
            binding.get(other, ranges[other][1]),
            ranges[other][0],
            min(SMALLEST, ranges[other][1]) if ranges[other][0] == 0 else 0.0,
        )
        curves.append(_risk_curve(requirement, setting, axis, (start, high), other_prior, answer, chosen, shared))
    return tuple(curve for curve in curves if curve is not None)


def _prior_range(prior: Any) -> tuple[float, float]:
    return prior if isinstance(prior, tuple) else (prior, prior)


def _risk_curve(
    requirement: RelativeRisk,
    setting: PrivacyInputs,
    axis: BeliefAxis,
    ends: tuple[float, float],
    other_prior: float,
    answer: Mapping[str, Any],
    chosen: float | None,
    shared: bool,
) -> RiskCurve | None:
    binding = (answer.get("binding") or {}).get(axis)
    import numpy as np  # this runs during a drag, so it must be fast

    places = _curve_places(requirement, axis, ends, other_prior, binding, shared)
    losses = None if chosen is None else requirement.effective_losses(setting, chosen)
    profile = requirement.profile
    assert profile is not None
    priors = np.array([prior for prior, _ in places])
    p, q = (priors, other_prior) if axis == "p" else (other_prior, priors)
    allowed = np.asarray(profile.ratio_at(p, q))
    for index, (_, side) in enumerate(places):
        if side != "least":  # one side of a jump
            at = (priors[index], other_prior) if axis == "p" else (other_prior, priors[index])
            allowed[index] = profile.ratio_at(at[0], at[1], side)
    if bool(np.any(allowed < 1.0)):
        return None  # no release meets a ratio below 1, which the answer explains
    epsilons = epsilons_at(requirement, setting, p, q, allowed)
    if priors[-1] * other_prior == 1.0 and len(priors) > 1 and math.isinf(epsilons[-1]) and math.isfinite(epsilons[-2]):
        # someone certain learns nothing, but someone almost certain may: the curve ends at that limit
        p_near, q_near = (CERTAIN, other_prior) if axis == "p" else (other_prior, CERTAIN)
        ratio = np.array([profile.ratio_at(p_near, q_near)])
        epsilons[-1] = epsilons_at(requirement, setting, np.array([p_near]), np.array([q_near]), ratio)[0]
    return RiskCurve(
        axis=axis,
        other=other_prior,
        priors=tuple(priors.tolist()),
        allowed=tuple(allowed.tolist()),
        epsilons=tuple(epsilons.tolist()),
        given=() if losses is None else tuple(_ratio_given(p, q, *losses).tolist()),
        binding=binding if binding else None,
        attained=answer.get("attained") is not False,
        limit=answer.get("epsilon"),
    )


def epsilons_at(requirement: RelativeRisk, setting: PrivacyInputs, p: Any, q: Any, ratios: Any) -> Any:
    """Return the release's epsilon that each ratio allows at priors p and q (0: the limit), as an array; inf: any.

    Relative error: 1e-9; 1e-3 for requirements that may fail, whose epsilons are interpolated.
    """
    import numpy as np

    if requirement.statement == "certain" or setting.loss.bounded:
        epsilons = relative_risk.epsilons(p, q, ratios, factor_of(setting))
        flat = epsilons.ravel().tolist()
        budgets = [epsilon if math.isinf(epsilon) else setting.loss.max_budget(epsilon) for epsilon in flat]
        return np.array(budgets).reshape(epsilons.shape)
    p, q, ratios = np.broadcast_arrays(p, q, ratios)
    with np.errstate(all="ignore"):
        bounds = np.where(ratios * p * q >= 1.0, -1.0, 1.0 / ratios - p * q)  # of p(1-q) x2 + (1-p) x1, at least

    def allowed(budgets: Any) -> Any:
        losses = np.array([requirement.effective_losses(setting, budget) for budget in budgets.tolist()])
        absent, other = np.exp(-np.minimum(losses, 700.0)).T
        beliefs = zip(p.ravel(), q.ravel(), bounds.ravel(), strict=True)
        epsilons = [
            np.interp(-r, -(a * (1 - b) * other + (1 - a) * absent), np.log(budgets), right=math.inf)
            for a, b, r in beliefs
        ]
        return np.exp(np.array(epsilons)).reshape(bounds.shape)

    roughly = allowed(np.geomspace(*BUDGETS, ROUGHLY * DECADES + 1))
    limited = roughly[np.isfinite(roughly)]
    if not limited.size:
        return roughly
    step = 10.0 ** (1.0 / ROUGHLY)  # a limit is between two adjacent rough budgets
    low, high = max(limited.min() / step, BUDGETS[0]), min(limited.max() * step, BUDGETS[1])
    return np.where(
        np.isfinite(roughly), allowed(np.geomspace(low, high, math.ceil(FINELY * math.log10(high / low)) + 1)), math.inf
    )


def _ratio_given(p: Any, q: Any, presence: float, value: float) -> Any:
    """Return the largest ratio for losses of PRESENCE and of a VALUE at priors p and q, as arrays.

    Source: Kazan & Reiter 2024, Theorem 1.
    """
    with_other_value, absent = math.exp(-value), math.exp(-presence)
    return 1.0 / (p * q + with_other_value * p * (1.0 - q) + absent * (1.0 - p))


def _curve_places(
    requirement: RelativeRisk,
    axis: str,
    ends: tuple[float, float],
    other_prior: float,
    binding: float | None,
    shared: bool,
) -> list[tuple[float, Literal["least", "below", "above"]]]:
    """Return the places of a curve: even steps of the logarithm, the prior that sets the limit, sides of jumps."""
    low, high = ends
    if shared:
        inside = _shared_beliefs(low, high)
    else:
        step = (math.log(high) - math.log(low)) / (POINTS - 1)
        inside = [low * math.exp(step * i) for i in range(1, POINTS - 1)]
    places: list[tuple[float, Literal["least", "below", "above"]]] = [(x, "least") for x in inside]
    places += [(low, "least"), (high, "least")]
    if binding is not None and low < binding < high:
        places.append((binding, "least"))
    profile = requirement.profile
    measured = getattr(profile, "axis", None)
    for edge in profile.jumps() if profile is not None else ():
        at = edge / other_prior if measured == "pq" else edge
        if (measured in (axis, "pq")) and low < at < high:
            places += [(at, "below"), (at, "above")]
    order = {"below": 0, "least": 1, "above": 2}
    return sorted(set(places), key=lambda place: (place[0], order[place[1]]))


def _shared_beliefs(low: float, high: float) -> list[float]:
    """Return the priors between LOW and HIGH of a grid common to all ranges: even steps within each power of ten."""
    steps = PER_DECADE
    while steps * (math.log10(high) - math.log10(low)) < FEWEST and steps < 1e6:
        steps *= 2
    while steps * (math.log10(high) - math.log10(low)) > MOST and steps % 2 == 0:  # priors with hundreds of digits
        steps //= 2
    first, last = math.floor(steps * math.log10(low)) + 1, math.ceil(steps * math.log10(high)) - 1
    return [
        x for k in range(first, last + 1) if low < (x := 10.0 ** (k // steps) * 10.0 ** ((k % steps) / steps)) < high
    ]


def noise(setting: AccuracyInputs, epsilon: float) -> DrawnNoise | None:
    """Return the distribution of the noise on one number at the release's EPSILON; None if it has no finite scale."""
    mechanism = setting.noise
    if mechanism is None or setting.in_steps:
        return None
    scale = setting.scale(epsilon)
    published = None if setting.added_up is None else setting.noise_at(epsilon)
    number_noise = NumberNoise(noise=mechanism, scale=scale) if published is None else published
    if not 0.0 < number_noise.sd <= 1e12 or math.isinf(scale):
        return None
    interval = number_noise.interval(DRAWN)
    half = interval.half_width
    reach = max(3.0, 2.0 * half) if number_noise.whole else 2.0 * half
    whole = number_noise.whole and 2 * reach + 1 <= BARS
    if whole:
        values = tuple(float(k) for k in range(-int(reach), int(reach) + 1))
    else:
        values = tuple(reach * i / (POINTS // 2) for i in range(-(POINTS // 2), POINTS // 2 + 1))
    return DrawnNoise(
        mechanism=mechanism.name,
        whole=whole,
        values=values,
        heights=tuple(map(number_noise.height, values)),
        exact=number_noise.exact_mass,
        half_width=half,
        coverage=interval.coverage,
        sd=number_noise.sd,
        mean_absolute=number_noise.mean_absolute,
    )
