"""What the truths far out gain: the limit that no truth attains."""

from __future__ import annotations

import math
from typing import NamedTuple

from dpwizard.privacy.guessing_advantage.bounds import (
    Bound,
)
from dpwizard.privacy.priors import (
    Exponential,
    LogNormal,
    Prior,
    known,
)

TAILS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-3)


class Worst(NamedTuple):
    """The worst truth (None: a limit that no truth attains) with its prior probability and its advantage."""

    truth: float | None
    advantage: float
    p: float


def tail_limit(prior: Prior, precision: float, epsilon: float, bound: Bound = "exact") -> float:
    """Return the posterior (and advantage) in the limit of a truth far out, where the prior probability vanishes.

    A lognormal is flat there, so its limit is that of a flat prior on the whole line, 1 - e^-epsilon; an
    exponential looks the same from everywhere; the other families have no such limit but 0.
    """
    if not isinstance(prior, LogNormal | Exponential) or epsilon == 0.0:
        return 0.0
    if math.isinf(epsilon) or bound == "simplified":
        return 1.0
    if isinstance(prior, LogNormal):
        return math.tanh(epsilon) if bound == "main" else -math.expm1(-epsilon)
    if isinstance(prior, Exponential):
        rate = known(prior.rate) * precision
        if epsilon <= rate:
            return 0.0
        if bound == "main":  # odds 1/(e^(2(s - rate)) - 1) + 1/(e^(2(s + rate)) - 1)
            odds = math.exp(min(-_log_expm1(2.0 * (epsilon - rate)), 700.0)) + math.exp(
                -_log_expm1(2.0 * (epsilon + rate))
            )
            return 1.0 / (1.0 + odds)
        # odds = L/P(c) = U/Q(c) for density e^(-rate t) on the whole line: the sum of P and Q at their balance
        rising, falling = epsilon - rate, epsilon + rate
        low = -1.0
        top = 1.0
        for _ in range(200):
            c = (low + top) / 2.0
            p = _log_expm1(rising * (c + 1.0))  # log P/L = log(e^((s - rate)(c + 1)) - 1)
            q = _log_expm1(falling * (1.0 - c))
            low, top = (c, top) if p < q else (low, c)
            if top - low < 1e-16:
                break
        odds = min(_log_expm1(rising * (low + 1.0)), _log_expm1(falling * (1.0 - low)))
        return 1.0 / (1.0 + math.exp(-odds)) if odds > -700.0 else 0.0
    return 0.0


def _log_expm1(x: float) -> float:
    if x <= 0.0:
        return -math.inf
    return x + math.log(-math.expm1(-x))
