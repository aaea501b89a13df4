"""Questions that find one threshold: the largest error, or the largest advantage, that is still accepted.

The same scheme as for curves, in one dimension: every point of an even grid of logarithms is a threshold, its weight
depends on how many answers it contradicts, and the next question halves the weight.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpwizard.elicitation.question_design import SLIPS, quantiles
from dpwizard.elicitation.tolerance_curves import Array

POINTS = 600
CHECKS = (4, 6)  # from which place an answer is asked for again
FEWEST, MOST, MOST_WITH_GAPS = 6, 10, 18
NARROW = 1.2
STOPS_AT = (0.05, 0.95)  # quantiles that must lie this near each other
STEADY, SLIPPED = 0.055, 0.0075  # cut off at either end of the nominal 90 % interval, calibrated (decision 0050)
# answers that are expected to be slips more often than this do not fit together: the second share holds
SLIPPING = 0.08


@dataclass(frozen=True, slots=True)
class Threshold:
    """The posterior over thresholds: values from small to large, and their weights."""

    values: Array
    weights: Array
    slip: float  # how often an answer is a slip, expected

    def quantile(self, *levels: float) -> tuple[float, ...]:
        """Return quantiles of the threshold."""
        return quantiles(self.values, self.weights, levels)

    def ends(self) -> tuple[float, float]:
        """Return the ends of the nominal 90 % interval, much wider where answers contradict each other."""
        cut = STEADY if self.slip < SLIPPING else SLIPPED
        low, high = self.quantile(cut, 1.0 - cut)
        return low, high

    def chance_accepted(self, value: float) -> float:
        """Return how probable it is that VALUE is accepted."""
        return float(self.weights[self.values >= value * (1.0 - 1e-12)].sum())


def threshold(least: float, most: float, evidence: Sequence[tuple[float, bool]]) -> Threshold:
    """Return the posterior after EVIDENCE, values with whether accepted; the threshold is between LEAST and MOST."""
    values = np.geomspace(least, most, POINTS)
    misses = np.zeros(POINTS)
    for value, accepted in evidence:
        misses += (values < value * (1.0 - 1e-12)) if accepted else (values >= value * (1.0 - 1e-12))
    answers = len(evidence)
    joint = np.array([chance * slip**misses * (1.0 - slip) ** (answers - misses) for slip, chance in SLIPS.items()])
    weights, slips = joint.sum(axis=0), joint.sum(axis=1)
    slip = float(slips @ np.array(list(SLIPS)) / slips.sum())
    return Threshold(values, weights / weights.sum(), slip)


def next_value(posterior: Threshold, asked: Sequence[float]) -> float | None:
    """Return the value whose answer is most in doubt, with two digits; None where all near it were asked."""
    candidates = sorted(
        {rounded(value) for value in posterior.quantile(0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8)} - set(asked)
    )
    if not candidates:
        return None
    return min(candidates, key=lambda value: abs(posterior.chance_accepted(value) - 0.5))


def rounded(value: float) -> float:
    """Return VALUE with two digits, and in whole numbers from 10 on."""
    if value >= 100.0:
        return float(f"{value:.3g}")
    return float(round(value)) if value >= 10.0 else float(f"{value:.2g}")


def narrow(posterior: Threshold) -> bool:
    """Return whether the interval is narrow enough to stop."""
    low, high = posterior.quantile(*STOPS_AT)
    return math.log(high / low) <= math.log(NARROW)
