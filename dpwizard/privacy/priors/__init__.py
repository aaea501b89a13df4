"""What is believed before a release: one class for each family of priors."""

from typing import Annotated

from pydantic import Field

from dpwizard.privacy.priors.bars import MOST_SHARE, Bars, as_bars, bars_from_csv, bars_from_file, reshaped
from dpwizard.privacy.priors.beta import Beta
from dpwizard.privacy.priors.discrete import Discrete
from dpwizard.privacy.priors.distribution import Distribution, PriorPicture, answered, known
from dpwizard.privacy.priors.exponential import Exponential
from dpwizard.privacy.priors.histogram import Histogram
from dpwizard.privacy.priors.lognormal import LogNormal
from dpwizard.privacy.priors.normal import Normal
from dpwizard.privacy.priors.piecewise_views import AtomsView
from dpwizard.privacy.priors.quarters import Fitted, fitted, quarters_of
from dpwizard.privacy.priors.regions import DensityView, View, apart, log_sum
from dpwizard.privacy.priors.smooth import NODES, WEIGHTS
from dpwizard.privacy.priors.tilted import SNAP, Tilted
from dpwizard.privacy.priors.truncated_normal import TruncatedNormal
from dpwizard.privacy.priors.uniform import Uniform

# Every family, in the order in which forms offer them.
Prior = Annotated[
    Uniform | Normal | TruncatedNormal | LogNormal | Exponential | Beta | Discrete | Histogram,
    Field(discriminator="family"),
]

__all__ = [
    "MOST_SHARE",
    "NODES",
    "SNAP",
    "WEIGHTS",
    "AtomsView",
    "Bars",
    "Beta",
    "DensityView",
    "Discrete",
    "Distribution",
    "Exponential",
    "Fitted",
    "Histogram",
    "LogNormal",
    "Normal",
    "Prior",
    "PriorPicture",
    "Tilted",
    "TruncatedNormal",
    "Uniform",
    "View",
    "answered",
    "apart",
    "as_bars",
    "bars_from_csv",
    "bars_from_file",
    "fitted",
    "known",
    "log_sum",
    "quarters_of",
    "reshaped",
]
