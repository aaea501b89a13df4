"""The data behind the figures, as values: the curve of a risk profile along one belief, and the noise on one number.

The report and the window draw from these values; both show the same table beside the drawing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

BeliefAxis = Literal["p", "q"]
DRAWN = 0.95  # how much of the noise the interval marked in a figure holds


@dataclass(frozen=True, kw_only=True)
class RiskCurve:
    """One requirement along one prior: the ratio allowed, the epsilon that implies, and what the chosen epsilon gives.

    math.inf in `epsilons` means that no bound is needed there: the allowed ratio exceeds certainty.
    """

    axis: BeliefAxis
    other: float  # the other prior, held where it binds
    priors: tuple[float, ...]
    allowed: tuple[float, ...]
    epsilons: tuple[float, ...]
    given: tuple[float, ...]  # the ratio at the chosen epsilon; empty if none is chosen
    binding: float | None  # the prior that binds, where it lies on the curve
    attained: bool
    limit: float | None  # the requirement's epsilon


@dataclass(frozen=True, kw_only=True)
class Noise:
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
