"""The mechanisms of several tables together: what is asked of a whole release."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from dpwizard.privacy.mechanisms.base import Mechanism, Noise, PureNoise


@dataclass(frozen=True)
class MechanismSet:
    """The mechanisms of a release's tables, each once; none where none is chosen yet."""

    each: tuple[Mechanism, ...]

    @property
    def one(self) -> Mechanism | None:
        """Return the mechanism that all tables share; None where they differ, or have none yet."""
        return self.each[0] if len(self.each) == 1 else None

    @property
    def one_pure(self) -> PureNoise | None:
        """Return the noise that all tables share, where it has a largest loss and one output can be judged alone."""
        return self.one.pure if self.one is not None and self.one.judged is not None else None

    @cached_property
    def absent(self) -> bool:
        """Return whether every table is published as it is: there is no epsilon to choose."""
        return bool(self.each) and all(mechanism.noise is None for mechanism in self.each)

    @property
    def absent_somewhere(self) -> bool:
        """Return whether some table is published as it is: no epsilon promises anything."""
        return any(mechanism.noise is None for mechanism in self.each)

    @cached_property
    def needs_delta(self) -> bool:
        """Return whether some noise has no largest loss, so that epsilon is said together with a delta."""
        return any(mechanism.needs_delta for mechanism in self.each)

    @property
    def only_deltas(self) -> bool:
        """Return whether no noise has a largest loss: all that is lost is said as rho, or as epsilon with a delta."""
        return self.needs_delta and all(mechanism.needs_delta for mechanism in self.each if mechanism.noise is not None)

    @cached_property
    def uses_l2(self) -> bool:
        """Return whether some sensitivity is an L2 distance."""
        return any(mechanism.uses_l2 for mechanism in self.each)

    @property
    def normal(self) -> Noise | None:
        """Return the noise whose tables and repetitions together tell as much as one figure; None if there is none."""
        return self.one.noise if self.one is not None and self.one.normal else None

    @property
    def judged(self) -> bool:
        """Return whether of every noise one output can be judged alone."""
        return all(mechanism.noise is None or mechanism.judged is not None for mechanism in self.each)

    @property
    def pure(self) -> bool:
        """Return whether every table has noise with a largest loss."""
        return bool(self.each) and all(mechanism.pure is not None for mechanism in self.each)

    @cached_property
    def integer_valued(self) -> bool:
        """Return whether some noise moves by whole steps."""
        return any(mechanism.integer_valued for mechanism in self.each)
