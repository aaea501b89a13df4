"""How much a release may teach, for every belief."""

from dpwizard.privacy.profiles.shapes import (
    MOST_GRID,
    MOST_POINTS,
    Axis,
    Cap,
    CapOrRatio,
    Constant,
    Increase,
    Knots,
    Knots2d,
    Odds,
    Power,
    Profile,
    Shape,
    Steps,
)

__all__ = [
    "MOST_GRID",
    "MOST_POINTS",
    "Axis",
    "Cap",
    "CapOrRatio",
    "Constant",
    "Increase",
    "Knots",
    "Knots2d",
    "Odds",
    "Power",
    "Profile",
    "Shape",
    "Steps",
]
