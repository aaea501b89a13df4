"""The registry of mechanisms: a new one is added to EVERY, once; files, forms and functions use these names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated, Literal, TypeAlias

from pydantic import Field

from dpwizard.privacy.mechanisms.base import ContinuousNoise, Exact, Mechanism, Noise, PointwiseLossNoise, PureNoise
from dpwizard.privacy.mechanisms.discrete_gaussian import DiscreteGaussianNoise
from dpwizard.privacy.mechanisms.gaussian import GaussianNoise
from dpwizard.privacy.mechanisms.geometric import GeometricNoise
from dpwizard.privacy.mechanisms.laplace import LaplaceNoise
from dpwizard.privacy.mechanisms.losses import OutputTable, StatedRelease

GEOMETRIC, LAPLACE, GAUSSIAN, EXACT = GeometricNoise(), LaplaceNoise(), GaussianNoise(), Exact()
DISCRETE_GAUSSIAN = DiscreteGaussianNoise()
EVERY: tuple[Mechanism, ...] = (GEOMETRIC, LAPLACE, GAUSSIAN, DISCRETE_GAUSSIAN, EXACT)

MECHANISMS: Mapping[str, Mechanism] = MappingProxyType({mechanism.name: mechanism for mechanism in EVERY})
NOISES = tuple(mechanism for mechanism in EVERY if isinstance(mechanism, Noise))
JUDGED = tuple(noise for noise in NOISES if isinstance(noise, PointwiseLossNoise))


@dataclass(frozen=True)
class MechanismSet:
    """The mechanisms of a release's tables, each once; empty if none is chosen yet."""

    each: tuple[Mechanism, ...]

    @property
    def one(self) -> Mechanism | None:
        """Return the mechanism that all tables share; None if they differ, or have none yet."""
        return self.each[0] if len(self.each) == 1 else None

    @property
    def one_pure(self) -> PureNoise | None:
        """Return the noise that all tables share, if it is bounded with a pointwise loss."""
        return self.one.pure if self.one is not None and self.one.judged is not None else None

    @cached_property
    def absent(self) -> bool:
        """Return whether every table is published without noise: there is no epsilon to choose."""
        return bool(self.each) and all(mechanism.noise is None for mechanism in self.each)

    @property
    def absent_somewhere(self) -> bool:
        """Return whether some table is published without noise: no epsilon is a guarantee."""
        return any(mechanism.noise is None for mechanism in self.each)

    @cached_property
    def needs_delta(self) -> bool:
        """Return whether some noise is unbounded, so that epsilon has a delta."""
        return any(mechanism.needs_delta for mechanism in self.each)

    @property
    def only_deltas(self) -> bool:
        """Return whether all noise is unbounded: the budget is rho, or epsilon with a delta."""
        return self.needs_delta and all(mechanism.needs_delta for mechanism in self.each if mechanism.noise is not None)

    @cached_property
    def uses_l2(self) -> bool:
        """Return whether some sensitivity is an L2 distance."""
        return any(mechanism.uses_l2 for mechanism in self.each)

    @property
    def normal(self) -> Noise | None:
        """Return the noise under which all tables and repetitions together equal one figure; None if none."""
        return self.one.noise if self.one is not None and self.one.normal else None

    @property
    def judged(self) -> bool:
        return all(mechanism.noise is None or mechanism.judged is not None for mechanism in self.each)

    @property
    def pure(self) -> bool:
        """Return whether every table has bounded noise."""
        return bool(self.each) and all(mechanism.pure is not None for mechanism in self.each)

    @cached_property
    def integer_valued(self) -> bool:
        return any(mechanism.integer_valued for mechanism in self.each)


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
    PureName = Literal[tuple(noise.name for noise in JUDGED if noise.pure)]  # the bounded ones
    RhoName = Literal[tuple(noise.name for noise in NOISES if noise.needs_delta)]
    ContinuousName = Literal[tuple(noise.name for noise in NOISES if isinstance(noise, ContinuousNoise))]
    Stated = Annotated[reduce(or_, (*(noise.statement for noise in JUDGED), OutputTable)), Field(discriminator="kind")]


def mechanism_named(name: str) -> Mechanism:
    return MECHANISMS[name]


def noise_named(name: str) -> Noise:
    noise = MECHANISMS[name]
    assert isinstance(noise, Noise)
    return noise


def judged_noise_named(name: str) -> PointwiseLossNoise:
    noise = MECHANISMS[name]
    assert isinstance(noise, PointwiseLossNoise)
    return noise


def pure_noise_named(name: str) -> PureNoise:
    noise = MECHANISMS[name]
    assert isinstance(noise, PureNoise)
    return noise


def mechanisms_named(names: Iterable[str | None]) -> MechanismSet:
    """Return the mechanisms called NAMES, together; without None, not chosen yet, and unknown names."""
    return MechanismSet(
        tuple(MECHANISMS[name] for name in dict.fromkeys(names) if name is not None and name in MECHANISMS)
    )
