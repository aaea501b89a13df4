"""Bon, Bailie, Rousseau & Robert 2025, Persuasive Privacy: all public functions, and the least noise.

There is one module for each score or prior: log_score and several_values (the log score and probabilistic DP),
dawid_sebastiani, interval_score, gaussian_beliefs (exact means and linear releases) and discrete_sum. A release meets a
requirement (score, class of priors, kappa, delta) if P(gain <= kappa) >= 1 - delta under every prior of the class and
every true value (Definition 3).
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
    """The least noise that meets a requirement, or why there is none.

    noise is the Laplace scale or the Gaussian standard deviation (the least, never below the true one), or the
    geometric rate (the largest, never above the true one). It is null unless status is "needed".
    """

    status: NeedStatus = field("What was found", default=...)
    noise: float | None = field("Laplace scale, Gaussian standard deviation or geometric rate")
    reason: str = field("The reason, as a key", default="")


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
    """Return the least noise with P(gain of SCORE > KAPPA) <= DELTA, for any score and mechanism.

    Arguments: score; mechanism_kind; kappa, at least 0; delta in [0, 1]; for "log" sensitivity and prior_mass; for
    "dawid_sebastiani" prior_sd and r1; for "interval" prior_sd, length and margin (its gain is 0 or 1, so a kappa of 1
    or more allows everything). The last two are for one released value plus noise. Returns NoiseNeed: "needed" with the
    noise on its safe side (all larger noise meets the requirement too); "none_needed"; "infeasible" where no finite
    noise suffices; "not_applicable" where no formula is proved (Dawid-Sebastiani: Gaussian noise only; interval:
    Gaussian and Laplace). Raises InvalidInput naming a missing parameter that the score needs. Source:
    docs/methods/persuasive_privacy.md.
    """
    mechanism = judged_noise_named(mechanism_kind)
    if score == "log":
        noise = smallest_noise(
            mechanism_kind=mechanism_kind, sensitivity=sensitivity, kappa=kappa, delta=delta, prior_mass=prior_mass
        )
        return _noise_need(noise, *mechanism.loss_ends)
    prior_deviation = _require(prior_sd, "prior_sd", score)
    if score == "dawid_sebastiani":
        largest_distance = _require(r1, "r1", score)
        if not mechanism.normal:
            return NoiseNeed(status="not_applicable", reason="gaussian_noise_only")
        return _noise_need(
            smallest_sd_dawid_sebastiani(prior_sd=prior_deviation, kappa=kappa, r1=largest_distance, delta=delta)
        )
    interval, outside = _require(length, "length", score), _require(margin, "margin", score)
    if mechanism.integer_valued:
        return NoiseNeed(status="not_applicable", reason="gaussian_or_laplace_noise_only")
    if kappa >= 1.0:
        return _noise_need(0.0)
    if mechanism.normal:
        return _noise_need(smallest_sd_interval(prior_sd=prior_deviation, length=interval, margin=outside, delta=delta))
    return _noise_need(least_scale(prior_deviation, interval, outside, delta))


def _noise_need(noise: float, none: float = 0.0, endless: float = math.inf) -> NoiseNeed:
    if noise == none:
        return NoiseNeed(status="none_needed", reason="no_noise_needed")
    if noise == endless:
        return NoiseNeed(status="infeasible", reason="no_finite_noise")
    return NoiseNeed(status="needed", noise=noise)


def _require(value: float | None, name: str, score: Score) -> float:
    if value is None:
        raise InvalidInput('is missing: the score "{score}" needs it', name, "Add this field.", score=score)
    return value
