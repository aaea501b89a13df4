"""Bon, Bailie, Rousseau & Robert 2025, Persuasive Privacy: everything by name, and the noise a requirement needs.

The mathematics stands in one module for each score or belief: log_score and several_values (the log score and
probabilistic DP), dawid_sebastiani, interval_score, gaussian_beliefs (exact means and linear releases) and
discrete_sum. A release keeps a promise (score, class of priors, kappa, delta) if P(gain <= kappa) >= 1 - delta
under every prior of the class and every truth (Definition 3).
"""

from __future__ import annotations

import math
from typing import Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.values import Epsilon, NonNegative, Positive, Probability, Value, field, public
from dpwizard.privacy.mechanisms import JudgedName, judged_noise_named
from dpwizard.privacy.persuasive_privacy.dawid_sebastiani import smallest_sd_dawid_sebastiani
from dpwizard.privacy.persuasive_privacy.interval_score import least_scale, smallest_sd_interval
from dpwizard.privacy.persuasive_privacy.log_score import smallest_noise

Score = Literal["log", "interval", "dawid_sebastiani"]
NeedStatus = Literal["needed", "none_needed", "infeasible", "not_applicable"]


class NoiseNeed(Value):
    """The least noise that keeps a promise, or why there is none.

    noise is in the mechanism's own terms: the Laplace scale or the Gaussian standard deviation (the least,
    never below the true need), or the geometric rate (the largest, never above the true one). It is null
    unless status is "needed".
    """

    status: NeedStatus = field("What was found", default=...)
    noise: float | None = field("Laplace scale, Gaussian standard deviation or geometric rate")
    reason: str = field("Why, as a key", default="")


@public
def noise_needed(
    *,
    score: Score,
    mechanism_kind: JudgedName,
    kappa: Epsilon,
    delta: Probability,
    sensitivity: NonNegative = 1.0,
    prior_mass: Probability = 0.0,
    prior_sd: Positive | None = None,
    r1: NonNegative | None = None,
    length: Positive | None = None,
    margin: NonNegative | None = None,
) -> NoiseNeed:
    """Return the least noise that keeps the promise P(gain of SCORE > KAPPA) <= DELTA, for any score and mechanism.

    Arguments: score; mechanism_kind; kappa, at least 0; delta in [0, 1]; for "log" sensitivity and prior_mass; for
    "dawid_sebastiani" prior_sd and r1; for "interval" prior_sd, length and margin (its gain is 0 or 1, so a kappa of 1
    or more allows everything). The last two speak of one released value plus noise. Returns NoiseNeed: "needed" with
    the noise on its safe side (and, for every score, all larger noise keeps the promise too); "none_needed";
    "infeasible" where no finite noise suffices; "not_applicable" where no formula is proved (Dawid-Sebastiani: Gaussian
    noise only; interval: Gaussian and Laplace), never an exception for that. Raises InvalidInput naming a parameter the
    score needs and that is missing. Source: docs/methods/persuasive_privacy.md.
    """
    added = judged_noise_named(mechanism_kind)
    if score == "log":
        found = smallest_noise(
            mechanism_kind=mechanism_kind, sensitivity=sensitivity, kappa=kappa, delta=delta, prior_mass=prior_mass
        )
        return _need(found, *added.loss_ends)
    sd = _given(prior_sd, "prior_sd", score)
    if score == "dawid_sebastiani":
        limit = _given(r1, "r1", score)
        if not added.normal:
            return NoiseNeed(status="not_applicable", reason="gaussian_noise_only")
        return _need(smallest_sd_dawid_sebastiani(prior_sd=sd, kappa=kappa, r1=limit, delta=delta))
    interval, outside = _given(length, "length", score), _given(margin, "margin", score)
    if added.integer_valued:
        return NoiseNeed(status="not_applicable", reason="gaussian_or_laplace_noise_only")
    if kappa >= 1.0:
        return _need(0.0)
    if added.normal:
        return _need(smallest_sd_interval(prior_sd=sd, length=interval, margin=outside, delta=delta))
    return _need(least_scale(sd, interval, outside, delta))


def _need(noise: float, none: float = 0.0, endless: float = math.inf) -> NoiseNeed:
    if noise == none:
        return NoiseNeed(status="none_needed", reason="no_noise_needed")
    if noise == endless:
        return NoiseNeed(status="infeasible", reason="no_finite_noise")
    return NoiseNeed(status="needed", noise=noise)


def _given(value: float | None, name: str, score: Score) -> float:
    if value is None:
        raise InvalidInput('is missing: the score "{score}" needs it', name, "Add this field.", score=score)
    return value
