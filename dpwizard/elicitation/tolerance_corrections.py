"""Values that an officer corrected: every curve of tolerance is bent through them, and none is weighed anew.

A corrected value concerns one prior and says nothing about the shape. Counted as an answer, a stricter value could
favour a family of curves that allows more elsewhere, and the supported epsilon would rise. Bent curves cannot do that:
when a corrected value is loosened, no curve allows less at any prior, so no quantile of epsilon falls.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.elicitation.tolerance_curves import SURE, Array

SAME = 1e-9  # relative: two priors that are one


@dataclass(frozen=True, slots=True)
class Correction:
    """The chance accepted at PRIOR as the officer set it; STRICTER where it is no more than what was played back."""

    prior: float
    posterior: float
    stricter: bool


def last_words(corrections: Sequence[Correction]) -> tuple[Correction, ...]:
    """Return the corrections by prior; where one prior was corrected twice the later value counts."""
    latest: list[Correction] = []
    for correction in corrections:
        latest = [
            *(other for other in latest if abs(other.prior - correction.prior) > SAME * correction.prior),
            correction,
        ]
    return tuple(sorted(latest, key=lambda correction: correction.prior))


def bent(
    log_after: Array, priors: Array, at_corrected: Array, corrections: Sequence[Correction], anchors: Sequence[float]
) -> Array:
    """Return log A of every curve (rows) at PRIORS (columns), bent through the corrected values.

    AT_CORRECTED holds log A of the curves at the corrected priors. The gain in log odds is multiplied by what it takes
    at the corrected prior, less and less towards the nearest ANCHORS (priors that were answered) and other corrected
    priors. A stricter value lowers curves and raises none; below a corrected prior no curve accepts more than at it.
    """
    before = _odds(np.asarray(priors))[None, :]
    gain = np.maximum(_odds(np.exp(log_after)) - before, SURE)
    ceiling = np.ones(len(priors))
    for column, correction in enumerate(corrections):
        start = _odds(np.array([correction.prior]))[0]
        curve_gain = np.maximum(_odds(np.exp(at_corrected[:, column])) - start, SURE)
        factor = max(_odds(np.array([correction.posterior]))[0] - start, SURE) / curve_gain
        if correction.stricter:
            factor = np.minimum(factor, 1.0)
        others = [*anchors, *(other.prior for other in corrections if other is not correction)]
        gain = gain * factor[:, None] ** _reach(np.asarray(priors), correction.prior, others)[None, :]
        below = np.asarray(priors) <= correction.prior * (1.0 + SAME)
        ceiling = np.where(below, np.minimum(ceiling, correction.posterior), ceiling)
    odds = before + gain
    after = -np.logaddexp(0.0, -odds)
    return np.asarray(np.maximum(np.minimum(after, np.log(ceiling)[None, :]), np.log(priors)[None, :]))


def _reach(priors: Array, corrected: float, others: Sequence[float]) -> Array:
    """Return the weight at PRIORS of a correction at CORRECTED: 1 there, falling to 0 at the nearest of OTHERS."""
    place, at = np.log(priors), math.log(corrected)
    weight = np.ones_like(place)
    left = max((math.log(x) for x in others if x < corrected * (1.0 - SAME)), default=-math.inf)
    right = min((math.log(x) for x in others if x > corrected * (1.0 + SAME)), default=math.inf)
    if left > -math.inf:
        weight = np.where(place < at, np.clip((place - left) / (at - left), 0.0, 1.0), weight)
    if right < math.inf:
        weight = np.where(place > at, np.clip((right - place) / (right - at), 0.0, 1.0), weight)
    return np.asarray(weight)


def _odds(chance: Array) -> Array:
    clipped = np.clip(chance, 1e-300, 1.0 - SURE)
    return np.asarray(np.log(clipped) - np.log1p(-clipped))
