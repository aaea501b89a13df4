"""What a requirement reads of a release: its tables and what holds for all of them, or the noise on one number.

A setting holds just what is computed from, so that an unchanged setting means an unchanged answer.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from dpwizard.decision.tables import Neighbours, Statistic, Table
from dpwizard.numerics import down, up
from dpwizard.privacy.mechanisms import MechanismName, Noise, Noises, mechanism_named, mechanisms_named


@dataclass(frozen=True, kw_only=True)
class PrivacySetting:
    """What a privacy requirement reads of a release: its tables, the two relations, repetitions and what is spent."""

    tables: tuple[Table, ...]
    relation: Neighbours  # the one the requirement speaks of
    declared: Neighbours
    delta: float | None  # of all tables of one repetition together
    dimension: int
    repetitions: int
    spent: float | None  # under the requirement's relation, to be subtracted; None: it cannot be converted
    contributions: int = 1
    post_processed: bool = False  # told only to those promises that processing ends
    grain: float | None = None  # what moves a table at all moves it by this at least; None: by any little

    # ------------------------------------------------------------------- what its tables say together

    @property
    def one(self) -> Table | None:
        """Return the one table; None where there are several, of which no one figure speaks."""
        return self.tables[0] if len(self.tables) == 1 else None

    @property
    def noise(self) -> Noises:
        """Return the mechanisms of all tables, together."""
        return noise_of(self.tables)

    @property
    def shares(self) -> tuple[float, ...]:
        """Return the tables' shares of epsilon; one that is not answered yet is at most all of it."""
        return tuple(1.0 if table.share is None else table.share for table in self.tables)

    @property
    def step(self) -> float:
        """Return in steps of what geometric noise is added, at most."""
        return max(table.noise_step() for table in self.tables)

    @property
    def table_delta(self) -> float | None:
        """Return the delta at which each Gaussian table is made."""
        return next((table.delta for table in self.tables if table.delta is not None), None)

    @property
    def statistic(self) -> Statistic | None:
        """Return what the one table holds."""
        return self.one.statistic if self.one is not None else None

    @property
    def sensitivity(self) -> float | None:
        """Return the sensitivity of the one table under the declared relation."""
        return self.one.sensitivity if self.one is not None else None

    @property
    def sensitivity_own(self) -> float | None:
        """Return that under the requirement's relation; an upper bound where only that is known."""
        return self.one.under(self.relation) if self.one is not None else None

    @property
    def replace_factor(self) -> float | None:
        """Return D_replace / D_add_remove, where it is known and holds for all that is counted.

        What is known of this release is not known of earlier ones: where their loss counts, only the factor 2 holds
        for the sum.
        """
        factors = [table.replace_factor() for table in self.tables]
        known = [factor for factor in factors if factor is not None]
        return max(known) if self.spent == 0.0 and len(known) == len(factors) else None

    # ------------------------------------------------------------------- between a release's epsilon and a loss

    def _scale(self) -> float:
        """Return how much of the release's epsilon one unit of loss under the requirement's relation costs at least."""
        return min(table.worth(self.relation) for table in self.tables)

    def limit(self, epsilon: float) -> float:
        """Return the release's epsilon that EPSILON, a limit in the requirement's own terms, allows.

        Rounded down: never above the true value. Basic composition over repetitions; conversion by noise scale.
        """
        left, scale = max(0.0, epsilon - (self.spent or 0.0)), self._scale()
        exact = scale == 1.0 and self.repetitions == 1 and not self.spent
        return epsilon if exact else down(left * scale / self.repetitions, 4)

    def own(self, epsilon: float) -> float:
        """Return what a release at EPSILON costs in the requirement's own terms: all repetitions, and what is spent."""
        scale = self._scale()
        if scale == 0.0:
            return math.inf if epsilon > 0.0 else self.spent or 0.0
        exact = scale == 1.0 and self.repetitions == 1 and not self.spent
        return epsilon if exact else up(epsilon / scale * self.repetitions + (self.spent or 0.0), 4)

    def besides_spent(self, own: float) -> float:
        """Return OWN, a loss in the requirement's own terms, less what is spent: of this release alone, rounded up."""
        return max(0.0, up(own - self.spent, 2)) if self.spent else own

    def with_spent(self, left: float) -> float:
        """Return the limit on everything if LEFT limits this release alone; rounded down: `limit` gives no more."""
        return down(left + self.spent, 2) if self.spent else left


@dataclass(frozen=True, kw_only=True)
class NumberSetting:
    """What an accuracy requirement reads of a release: the noise on one number of one repetition."""

    mechanism: MechanismName
    delta: float | None  # of this table alone
    sensitivity: float
    share: float
    step: float = 1.0  # geometric noise is added in steps of a sum

    @property
    def noise(self) -> Noise | None:
        """Return the noise added; None where the number is published as it is."""
        return mechanism_named(self.mechanism).noise

    @property
    def in_steps(self) -> bool:
        """Return whether noise is added in steps of more than 1: nothing counts those."""
        return mechanism_named(self.mechanism).on_lattice and self.step != 1.0

    def need(self, epsilon: float) -> float:
        """Return the release's epsilon for which this number gets EPSILON; rounded up, never below the true value."""
        return epsilon if self.share == 1.0 else up(epsilon / self.share, 4)

    def own(self, epsilon: float) -> float:
        """Return the epsilon this number gets from a release at EPSILON."""
        return epsilon * self.share


def noise_of(tables: tuple[Table, ...]) -> Noises:
    """Return the mechanisms of TABLES, together."""
    return mechanisms_named(table.mechanism for table in tables)


def number_of(table: Table) -> NumberSetting | tuple[str, ...]:
    """Return the noise on one number of TABLE, or the paths of the fields it depends on that have no answer yet."""
    missing = table.missing(("mechanism", "sensitivity", "share"))
    missing += ("$.release.delta",) if table.noise.takes_delta and table.delta is None else ()
    if table.mechanism is None or table.sensitivity is None or table.share is None or missing:
        return missing
    return NumberSetting(
        mechanism=table.mechanism,
        delta=table.delta,
        sensitivity=table.sensitivity,
        share=table.share,
        step=table.noise_step(),
    )
