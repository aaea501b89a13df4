"""The registry of mechanisms: everything else reads their names and kinds here.

A new mechanism is named in EVERY, once. The types of names are lists of what the registry holds: files, forms, schemas
and public functions offer just these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field

from dpwizard.privacy.mechanisms.base import ContinuousNoise, Exact, Mechanism, Noise, PointwiseLossNoise, PureNoise
from dpwizard.privacy.mechanisms.discrete_gaussian import DiscreteGaussianNoise
from dpwizard.privacy.mechanisms.gaussian import GaussianNoise
from dpwizard.privacy.mechanisms.geometric import GeometricNoise
from dpwizard.privacy.mechanisms.laplace import LaplaceNoise
from dpwizard.privacy.mechanisms.stated import OutputTable, StatedRelease
from dpwizard.privacy.mechanisms.together import MechanismSet

GEOMETRIC, LAPLACE, GAUSSIAN, EXACT = GeometricNoise(), LaplaceNoise(), GaussianNoise(), Exact()
DISCRETE_GAUSSIAN = DiscreteGaussianNoise()
EVERY: tuple[Mechanism, ...] = (GEOMETRIC, LAPLACE, GAUSSIAN, DISCRETE_GAUSSIAN, EXACT)

MECHANISMS: Mapping[str, Mechanism] = MappingProxyType({mechanism.name: mechanism for mechanism in EVERY})
NOISES = tuple(mechanism for mechanism in EVERY if isinstance(mechanism, Noise))
JUDGED = tuple(noise for noise in NOISES if isinstance(noise, PointwiseLossNoise))

if TYPE_CHECKING:
    MechanismName: TypeAlias = str
    NoiseName: TypeAlias = str
    JudgedName: TypeAlias = str
    PureName: TypeAlias = str
    RhoName: TypeAlias = str
    ContinuousName: TypeAlias = str
    Stated: TypeAlias = StatedRelease
else:
    MechanismName = Literal[tuple(MECHANISMS)]
    NoiseName = Literal[tuple(noise.name for noise in NOISES)]
    JudgedName = Literal[tuple(noise.name for noise in JUDGED)]
    PureName = Literal[tuple(noise.name for noise in JUDGED if noise.pure)]  # with a largest loss
    RhoName = Literal[tuple(noise.name for noise in NOISES if noise.needs_delta)]
    ContinuousName = Literal[tuple(noise.name for noise in NOISES if isinstance(noise, ContinuousNoise))]
    Stated = Annotated[reduce(or_, (*(noise.statement for noise in JUDGED), OutputTable)), Field(discriminator="kind")]


def mechanism_named(name: str) -> Mechanism:
    """Return the mechanism that decision files call NAME."""
    return MECHANISMS[name]


def noise_named(name: str) -> Noise:
    """Return the noise that decision files call NAME, one of NoiseName."""
    found = MECHANISMS[name]
    assert isinstance(found, Noise)
    return found


def judged_noise_named(name: str) -> PointwiseLossNoise:
    """Return the noise called NAME, one of JudgedName: of which one output can be judged alone."""
    found = MECHANISMS[name]
    assert isinstance(found, PointwiseLossNoise)
    return found


def pure_noise_named(name: str) -> PureNoise:
    """Return the noise called NAME, one of PureName: with a largest loss."""
    found = MECHANISMS[name]
    assert isinstance(found, PureNoise)
    return found


def mechanisms_named(names: Iterable[str | None]) -> MechanismSet:
    """Return the mechanisms that files call NAMES, together; without None, not chosen yet, and what is none of ours."""
    return MechanismSet(
        tuple(MECHANISMS[name] for name in dict.fromkeys(names) if name is not None and name in MECHANISMS)
    )
