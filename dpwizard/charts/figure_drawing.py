"""What the figures share: sizes, lines, round ends of axes and how their ticks are written. Sizes are points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dpwizard.charts.scene import Path, Scale
from dpwizard.wording import explain

WIDTH = 453.5  # the text width of A4 with margins of 25 mm
SMALL, BODY = 8.0, 9.0
SMALLEST, LARGEST = 1e-12, 1e12  # epsilons outside are drawn at the edge of the axis


def line(
    x0: float, y0: float, x1: float, y1: float, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()
) -> Path:
    return Path(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, dash=dash)


def reach(values: Sequence[float], beyond: float) -> float:
    """Return where an axis from 0 ends so that all VALUES lie well within: a round number."""
    largest = drawable(max((value for value in values if value > 0), default=1.0)) * beyond
    step = 10.0 ** math.floor(math.log10(largest))
    return next(
        step * factor for factor in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10) if step * factor >= largest * (1 - 1e-12)
    )


def drawable(value: float) -> float:
    """Return a positive VALUE kept within what an axis can show."""
    return min(max(value, SMALLEST), LARGEST)


def tick_text(value: float) -> str:
    """Return how a tick is written: 1,000; 10⁶; 2 × 10⁻⁶."""
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return explain.whole(value) if value >= 1000 and value == round(value) else explain.number(value)
    mantissa, power = f"{value:.1e}".split("e")
    raised = f"10{str(int(power)).translate(explain.SUPERSCRIPTS)}"
    return raised if mantissa == "1.0" else f"{explain.digits(mantissa.removesuffix('.0'))} × {raised}"


def clamped(x: Scale, value: float) -> float:
    return min(max(x(value), min(x.start, x.end)), max(x.start, x.end))
