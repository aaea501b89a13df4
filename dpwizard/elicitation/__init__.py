"""Questions that lead to a risk profile."""

from dpwizard.elicitation.influences import Influence
from dpwizard.elicitation.result import CurvePoint, Result, Spread
from dpwizard.elicitation.setup import answered_by, as_it_stands, setup_for, spoken_of

__all__ = [
    "CurvePoint",
    "Influence",
    "Result",
    "Spread",
    "answered_by",
    "as_it_stands",
    "course",
    "interview",
    "setup",
    "setup_for",
    "spoken_of",
]
