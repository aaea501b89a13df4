"""What the figures share: sizes, lines, and how the ticks of axes are written. Sizes are points."""

from __future__ import annotations

from dpwizard.base.language import digits
from dpwizard.charts.scene import Path
from dpwizard.wording import figures

WIDTH = 453.5  # the text width of A4 with margins of 25 mm
SMALL = 8.0


def line(
    x0: float, y0: float, x1: float, y1: float, stroke: str, width: float = 1.0, dash: tuple[float, ...] = ()
) -> Path:
    return Path(points=((x0, y0), (x1, y1)), stroke=stroke, width=width, dash=dash)


def tick_text(value: float) -> str:
    """Return how a tick is written: 1,000; 10⁶; 2 × 10⁻⁶."""
    if value == 0 or 1e-4 <= abs(value) < 1e6:
        return figures.whole(value) if value >= 1000 and value == round(value) else figures.number(value)
    mantissa, power = f"{value:.1e}".split("e")
    raised = f"10{str(int(power)).translate(figures.SUPERSCRIPTS)}"
    return raised if mantissa == "1.0" else f"{digits(mantissa.removesuffix('.0'))} × {raised}"
