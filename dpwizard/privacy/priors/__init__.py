"""What is believed before a release."""

from dpwizard.privacy.priors.families import (
    Beta,
    Discrete,
    Exponential,
    Histogram,
    LogNormal,
    Normal,
    Prior,
    TruncatedNormal,
    Uniform,
    answered,
    known,
)
from dpwizard.privacy.priors.piecewise_views import AtomsView, BinsView
from dpwizard.privacy.priors.regions import DensityView, View, apart, log_sum
from dpwizard.privacy.priors.shapes import (
    MOST_SHARE,
    QUICK,
    Bars,
    PriorPicture,
    as_bars,
    bars_from_file,
    picture,
    reshaped,
)
from dpwizard.privacy.priors.smooth import NODES, WEIGHTS
from dpwizard.privacy.priors.smooth_views import SmoothView
from dpwizard.privacy.priors.view_kinds import view, views

__all__ = [
    "MOST_SHARE",
    "NODES",
    "QUICK",
    "WEIGHTS",
    "AtomsView",
    "Bars",
    "Beta",
    "BinsView",
    "DensityView",
    "Discrete",
    "Exponential",
    "Histogram",
    "LogNormal",
    "Normal",
    "Prior",
    "PriorPicture",
    "SmoothView",
    "TruncatedNormal",
    "Uniform",
    "View",
    "answered",
    "apart",
    "as_bars",
    "bars_from_file",
    "known",
    "log_sum",
    "picture",
    "reshaped",
    "view",
    "views",
]
