"""The figures of a decision as scenes: the epsilon axis, the requirements on it, a risk profile, the noise.

Drawn from data alone, without a frame, with direct labels and at most five ticks; the report, the HTML and
"save as SVG" in the window write the same scenes.
"""

from __future__ import annotations

from dpwizard.report.curve_figures import noise_distribution, risk_profile
from dpwizard.report.epsilon_figures import End, Row, closest, epsilon_axis, requirement_rows

__all__ = ["End", "Row", "closest", "epsilon_axis", "noise_distribution", "requirement_rows", "risk_profile"]
