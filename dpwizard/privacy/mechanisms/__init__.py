"""The mechanisms: one class for each, one registry, and those of several tables together."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, overload

from pydantic import Field

from dpwizard.privacy.mechanisms.base import (
    TINIEST,
    ContinuousName,
    EpsilonRule,
    JudgedName,
    JudgedNoise,
    LatticeNoise,
    Mechanism,
    MechanismName,
    Noise,
    NoiseName,
    PureName,
    PureNoise,
    RhoName,
    Rule,
)
from dpwizard.privacy.mechanisms.curves import IN_RHO, WHOLE_IN_RHO, ZCDP, Curve, CurvedNoise, WholeInRho
from dpwizard.privacy.mechanisms.discrete_gaussian import (
    DiscreteGaussianNoise,
    OfOneNumber,
    discrete_gaussian_epsilon,
)
from dpwizard.privacy.mechanisms.exact import Exact
from dpwizard.privacy.mechanisms.gaussian import (
    ANALYTIC,
    Gaussian,
    GaussianNoise,
    gaussian_delta,
    gaussian_epsilon,
    gaussian_mu,
)
from dpwizard.privacy.mechanisms.geometric import (
    Geometric,
    GeometricNoise,
    mass_between,
)
from dpwizard.privacy.mechanisms.laplace import Laplace, LaplaceNoise, laplace_level_for
from dpwizard.privacy.mechanisms.lattice_normal import discrete_gaussian_tail
from dpwizard.privacy.mechanisms.losses import NoiseLoss
from dpwizard.privacy.mechanisms.opendp import BY_OWN_RHO
from dpwizard.privacy.mechanisms.stated import TIE, StatedRelease, Table
from dpwizard.privacy.mechanisms.summands import NARROW, WholeSummand
from dpwizard.privacy.mechanisms.together import Noises
from dpwizard.privacy.mechanisms.two_losses import sum_within
from dpwizard.privacy.mechanisms.zcdp import loose_epsilon, loose_rho, zcdp_epsilon, zcdp_rho

if TYPE_CHECKING:
    Stated = StatedRelease
else:
    Stated = Annotated[Laplace | Geometric | Gaussian | Table, Field(discriminator="kind")]
GEOMETRIC, LAPLACE, GAUSSIAN, EXACT = GeometricNoise(), LaplaceNoise(), GaussianNoise(), Exact()
DISCRETE_GAUSSIAN = DiscreteGaussianNoise()
EVERY: tuple[Mechanism, ...] = (GEOMETRIC, LAPLACE, GAUSSIAN, DISCRETE_GAUSSIAN, EXACT)
MECHANISMS: Mapping[str, Mechanism] = MappingProxyType({mechanism.name: mechanism for mechanism in EVERY})


@overload
def mechanism_named(name: PureName) -> PureNoise: ...
@overload
def mechanism_named(name: JudgedName) -> JudgedNoise: ...
@overload
def mechanism_named(name: NoiseName) -> Noise: ...
@overload
def mechanism_named(name: MechanismName) -> Mechanism: ...
def mechanism_named(name: MechanismName) -> Mechanism:
    """Return the mechanism that decision files call NAME."""
    return MECHANISMS[name]


def mechanisms_named(names: Iterable[str | None]) -> Noises:
    """Return the mechanisms that files call NAMES, together; without None, not chosen yet, and what is none of ours."""
    return Noises(tuple(MECHANISMS[name] for name in dict.fromkeys(names) if name is not None and name in MECHANISMS))


__all__ = [
    "ANALYTIC",
    "BY_OWN_RHO",
    "DISCRETE_GAUSSIAN",
    "EXACT",
    "GAUSSIAN",
    "GEOMETRIC",
    "IN_RHO",
    "LAPLACE",
    "MECHANISMS",
    "NARROW",
    "TIE",
    "TINIEST",
    "WHOLE_IN_RHO",
    "ZCDP",
    "ContinuousName",
    "Curve",
    "CurvedNoise",
    "DiscreteGaussianNoise",
    "EpsilonRule",
    "Exact",
    "Gaussian",
    "GaussianNoise",
    "Geometric",
    "JudgedName",
    "JudgedNoise",
    "Laplace",
    "LatticeNoise",
    "Mechanism",
    "MechanismName",
    "Noise",
    "NoiseLoss",
    "NoiseName",
    "Noises",
    "OfOneNumber",
    "PureName",
    "PureNoise",
    "RhoName",
    "Rule",
    "Stated",
    "Table",
    "WholeInRho",
    "WholeSummand",
    "discrete_gaussian_epsilon",
    "discrete_gaussian_tail",
    "gaussian_delta",
    "gaussian_epsilon",
    "gaussian_mu",
    "laplace_level_for",
    "loose_epsilon",
    "loose_rho",
    "mass_between",
    "mechanism_named",
    "mechanisms_named",
    "sum_within",
    "zcdp_epsilon",
    "zcdp_rho",
]
