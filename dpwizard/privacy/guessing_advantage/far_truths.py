"""What the truths far out gain: the limit that no truth attains."""

from __future__ import annotations

import math
from typing import NamedTuple

from dpwizard.privacy.guessing_advantage.bounds import Bound
from dpwizard.privacy.priors import Distribution

TAILS = (1e-12, 1e-9, 1e-6, 1e-4, 1e-3)


class Worst(NamedTuple):
    """The worst truth (None: a limit that no truth attains) with its prior probability and its advantage."""

    truth: float | None
    advantage: float
    p: float


def tail_limit(prior: Distribution, precision: float, epsilon: float, bound: Bound = "exact") -> float:
    """Return the posterior (and advantage) in the limit of a truth far out, where the prior probability vanishes.

    A lognormal is flat there, so its limit is that of a flat prior on the whole line, 1 - e^-epsilon; an
    exponential looks the same from everywhere; the other families have no such limit but 0.
    """
    if not prior.far_truths or epsilon == 0.0:
        return 0.0
    if math.isinf(epsilon) or bound == "simplified":
        return 1.0
    return prior.far_gain(precision, epsilon, bound == "main")
