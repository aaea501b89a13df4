"""The mechanisms: a class for each, one registry, and sets of the mechanisms of several tables."""

from dpwizard.privacy.mechanisms.base import (
    TINIEST,
    LatticeNoise,
    Mechanism,
    Noise,
    Parameters,
    PointwiseLossNoise,
    PureNoise,
)
from dpwizard.privacy.mechanisms.calibration import (
    IN_RHO,
    WHOLE_IN_RHO,
    ZCDP,
    Calibration,
    RhoBudget,
    loose_epsilon,
    loose_rho,
    zcdp_epsilon,
    zcdp_rho,
)
from dpwizard.privacy.mechanisms.discrete_gaussian import DiscreteGaussianCurve, discrete_gaussian_epsilon
from dpwizard.privacy.mechanisms.gaussian import (
    ANALYTIC,
    Gaussian,
    GaussianLoss,
    GaussianNoise,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
)
from dpwizard.privacy.mechanisms.geometric import Geometric, mass_between
from dpwizard.privacy.mechanisms.laplace import MOST_SUMMED, Laplace, LaplaceLoss, laplace_level_for
from dpwizard.privacy.mechanisms.losses import TIE, DiscretePld, NoiseLoss, OutputTable, PairLoss
from dpwizard.privacy.mechanisms.normal import discrete_gaussian_tail
from dpwizard.privacy.mechanisms.registry import (
    DISCRETE_GAUSSIAN,
    EVERY,
    EXACT,
    GAUSSIAN,
    GEOMETRIC,
    LAPLACE,
    MECHANISMS,
    ContinuousName,
    JudgedName,
    MechanismName,
    MechanismSet,
    NoiseName,
    PureName,
    RhoName,
    Stated,
    judged_noise_named,
    mechanism_named,
    mechanisms_named,
    noise_named,
    pure_noise_named,
)
from dpwizard.privacy.mechanisms.source_code import BY_OWN_RHO
