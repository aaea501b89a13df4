"""Priors, an adversary's probabilities before a release: one class for each family."""

from typing import Annotated

from pydantic import Field

from dpwizard.privacy.priors.bars import MOST_SHARE, Bars, as_bars, bars_from_csv, bars_from_file, reshaped
from dpwizard.privacy.priors.beta import Beta
from dpwizard.privacy.priors.density import FARTHEST, Density, PointMasses
from dpwizard.privacy.priors.discrete import Discrete
from dpwizard.privacy.priors.distribution import Distribution, PriorPicture, answered, known
from dpwizard.privacy.priors.exponential import Exponential
from dpwizard.privacy.priors.histogram import Histogram
from dpwizard.privacy.priors.lognormal import LogNormal
from dpwizard.privacy.priors.normal import Normal
from dpwizard.privacy.priors.quarters import Fitted, fitted, quarters_of
from dpwizard.privacy.priors.truncated_normal import TruncatedNormal
from dpwizard.privacy.priors.uniform import Uniform

# Every family, in the order in which forms offer them.
Prior = Annotated[
    Uniform | Normal | TruncatedNormal | LogNormal | Exponential | Beta | Discrete | Histogram,
    Field(discriminator="family"),
]
