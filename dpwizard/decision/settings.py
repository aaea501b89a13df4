"""What a requirement reads of a release: its tables and what holds for all of them, or the noise on one number.

A setting holds just what is computed from, so that an unchanged setting means an unchanged answer.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property

from dpwizard.decision.loss import Loss
from dpwizard.decision.tables import DOUBLE, Neighbours, Statistic, Table
from dpwizard.decision.trade_off import TradeOff, turns
from dpwizard.decision.worlds import Check, Missing, Pair
from dpwizard.fractional import rounded_down
from dpwizard.numerics import decimal, largest_within, quotient_up, up
from dpwizard.privacy.mechanisms import IN_RHO, MechanismName, Noise, Noises, Rule, mechanism_named, mechanisms_named
from dpwizard.stopping import may_stop

ONE = Fraction(1)
LEAST, LARGEST = 1e-9, 1e4  # the budgets among which the largest is looked for
NEARBY = 2.0  # how many times its other end a bracket is at most, before a line is laid through both
NARROW, COARSE = 1e-13, 1e-9  # relative: how closely that search closes in
MOST_TURNS = 100  # times that a search for the largest budget begins anew, below one that breaks the promise


@dataclass(frozen=True, kw_only=True)
class PrivacySetting:
    """What a privacy requirement reads of a release: the pair of worlds it compares, and what is told of it."""

    pair: Pair
    loss: Loss  # of the pair
    value_loss: Loss  # of any two values of one unit
    tables: tuple[Table, ...] = field(hash=False)  # with noise; without, where there are no others
    declared: Neighbours
    delta: float | None  # of all tables of one repetition together
    dimension: int
    repetitions: int
    contributions: int = 1
    post_processed: bool = False  # told only to those promises that processing ends
    grain: float | None = None  # what moves a table at all moves it by this at least; None: by any little

    # ------------------------------------------------------------------- what its tables say together

    @property
    def one(self) -> Table | None:
        """Return the one table; None where there are several, of which no one figure speaks."""
        return self.tables[0] if len(self.tables) == 1 and self.tables[0].made == 1 else None

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
        """Return in steps of what whole noise is added, at most."""
        return max(table.noise_step() for table in self.tables)

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
    def relation(self) -> Neighbours:
        """Return the neighbour relation the requirement speaks of."""
        return self.pair.relation

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return what is checked before anything is said of the pair of worlds, in this order."""
        apart = any(table.group or table.disjoint_with for table in self.tables)
        moves: tuple[Check, ...] = ("moves",) if apart and self.relation == "replace" else ()
        return (
            "whole_numbers",
            "tables",
            "exact_figures",
            "relation",
            *self.pair.checks,
            "spent",
            *moves,
            "repetitions",
            "post_processing",
        )

    @property
    def missing(self) -> Missing | None:
        """Return why nothing is known of the pair of worlds; None where something is."""
        return self.loss.missing

    @property
    def told_missing(self) -> Missing | None:
        """Return why no curve is known of the pair of worlds; None where one is."""
        return self.loss.told_missing

    @property
    def told_pure(self) -> bool:
        """Return whether all that tells of the pair, earlier releases included, has a largest loss."""
        return not self.loss.gaussian_share and not self.loss.before.rho

    @property
    def told_normal(self) -> bool:
        """Return whether all that tells of both pairs of worlds is Gaussian noise of this release alone, and two values
        lie no nearer each other than presence and absence, nor more than twice as far apart."""
        ends = (self.loss, self.value_loss)
        alone = all(loss.normal and not loss.rate and not loss.before for loss in ends)
        return alone and self.loss.spread > 0.0 and (self.relation == "replace" or self._apart() >= 1.0)

    @property
    def distance_factor(self) -> float:
        """Return how many times as far apart Gaussian noise puts two values of a unit as its presence; rounded up."""
        return 1.0 if self.relation == "replace" else min(self._apart(), DOUBLE)

    def _apart(self) -> float:
        same = self.value_loss.spread == self.loss.spread
        return 1.0 if same else up(self.value_loss.spread / self.loss.spread, 2)

    @property
    def replace_factor(self) -> float | None:
        """Return how many times as much is told of two values of a unit as of its presence, at most; None: not known.

        Over everything that is counted: this release, whatever its epsilon, and the earlier ones.
        """
        if self.loss.missing is not None or self.value_loss.missing is not None or not self.loss.rate:
            return None
        factor = _ratio(self.value_loss.rate, self.loss.rate)
        return max(factor, _ratio(self.value_loss.earlier, self.loss.earlier)) if self.value_loss.earlier else factor

    # ------------------------------------------------------------------- between a release's epsilon and a loss

    def limit(self, allowed: float) -> float:
        """Return the release's epsilon at which the pair of worlds loses no more than ALLOWED, in all; rounded down."""
        return self.loss.largest(allowed)

    def own(self, epsilon: float) -> float:
        """Return what the pair of worlds loses at the release's EPSILON: all repetitions, and what is spent."""
        return self.loss.at(epsilon)

    def told(self, epsilon: float) -> TradeOff:
        """Return what tells of the pair of worlds at the release's EPSILON: all repetitions, and what is spent."""
        return self.loss.told(epsilon)

    def value_told(self, epsilon: float) -> TradeOff:
        """Return the same of any two values of one unit."""
        return self.value_loss.told(epsilon)

    def largest_told(
        self, excess: Callable[[TradeOff], float], mu: Callable[[], float], hits: tuple[float, ...]
    ) -> float:
        """Return the largest budget of the release at which what is told keeps a promise; 0 where none does, inf where
        any does.

        EXCESS is 0 or less where it is kept. MU, the distance at which Gaussian noise alone keeps it, spares the
        search; HITS as in largest_budget.
        """
        if self.loss.normal and not self.loss.rate and not self.loss.before:
            return self.loss.largest_for_mu(mu())
        return self.largest_budget(lambda budget: excess(self.told(budget)), hits)

    def largest_budget(self, excess: Callable[[float], float], hits: tuple[float, ...]) -> float:
        """Return the largest budget of the release at which EXCESS is 0 or less: it was seen to be. 0 where it is at
        none, inf where it is at any.

        HITS are the chances of events that the promise reads. Of one figure with discrete noise a smaller budget may
        break what a larger one keeps: the budgets at which it may are looked at, too.
        """
        may_stop()
        if excess(LARGEST) <= 0.0:
            return math.inf
        found = self._kept(excess, LARGEST)
        for _ in range(MOST_TURNS):
            broken = next((budget for budget in self._turns(found, hits) if excess(budget) > 0.0), None)
            if broken is None:
                return found
            may_stop()
            found = self._kept(excess, broken)
        return 0.0

    def _kept(self, excess: Callable[[float], float], high: float) -> float:
        """Return the largest budget below HIGH, where EXCESS is above 0, at which it was seen not to be; 0 if none."""
        low = LEAST
        if excess(low) > 0.0:
            return 0.0
        while high > NEARBY * low:  # near enough for a line through both
            middle = math.sqrt(low) * math.sqrt(high)
            low, high = (middle, high) if excess(middle) <= 0.0 else (low, middle)
        while math.isinf(excess(high)):
            middle = 0.5 * (low + high)
            if not low < middle < high:
                return low
            low, high = (middle, high) if excess(middle) <= 0.0 else (low, middle)
        return largest_within(excess, 0.0, low, high, COARSE if self._by_rho(low) else NARROW, high)

    def _by_rho(self, budget: float) -> bool:
        """Return whether only the rho of some noise is known, whose curve is found to fewer digits."""
        told = self.told(budget)
        return bool(told.rho) and not told.steps

    def at_one_sigma(self, found: float) -> bool:
        """Return whether what was FOUND is checked at its sigma and those beside it, not proved for every larger one.

        So it is of one figure with discrete noise.
        """
        return bool(found) and self.told(found).steps > 0

    def error(self, found: float) -> float:
        """Return how far what largest_budget FOUND may lie below the true one."""
        return max(1.0, found) * (1e2 * COARSE if found and self._by_rho(found) else 10.0 * NARROW)

    def _turns(self, found: float, hits: tuple[float, ...]) -> Iterator[float]:
        """Yield the budgets below FOUND at which one figure with discrete noise may tell more, from the least on."""
        sigma = self.told(found).sigma if found else 0.0
        if sigma:
            steps = self.told(found).steps
            for coarser in reversed(turns(hits, sigma)):
                yield min(found, self.loss.largest_for_mu(steps / coarser))


def _ratio(value: float, presence: float) -> float:
    if value <= presence:
        return value / presence if value < presence else 1.0
    return min(quotient_up(value, presence), DOUBLE) if presence else DOUBLE


@dataclass(frozen=True, kw_only=True)
class NumberSetting:
    """What an accuracy requirement reads of a release: the noise on one number of one repetition."""

    mechanism: MechanismName
    delta: float | None  # of this table alone
    sensitivity: float
    share: Fraction | float
    rule: Rule | None = None  # by which its epsilon is told, where its noise takes a delta; or rho: its budget is that
    step: float = 1.0  # whole noise is added in steps of a sum
    numbers: int = 1  # that the table publishes, each with noise of its own
    stated: float | None = None  # the table's own sensitivity, where Gaussian tables divide what they may tell
    fixed: Fraction | None = None  # the epsilon it gets whatever the release's budget is

    @cached_property
    def noise(self) -> Noise | None:
        """Return the noise added, its epsilon told by the rule of the release; None where there is none."""
        noise = mechanism_named(self.mechanism).noise
        return noise if noise is None or self.rule is None else noise.by_rule(self.rule, self.sensitivity)

    @property
    def in_steps(self) -> bool:
        """Return whether noise is added in steps of more than 1: nothing counts those."""
        return mechanism_named(self.mechanism).on_lattice and self.step != 1.0

    def need(self, epsilon: float) -> float:
        """Return the release's budget for which this number gets EPSILON; rounded up, never below the true value."""
        return epsilon if self.share == 1 else up(epsilon / float(self.share), 4)

    def own(self, epsilon: float) -> float:
        """Return the epsilon this number gets from a release at EPSILON.

        Rounded down, so that the tables together never come to more than the whole.
        """
        if self.fixed is not None:
            return rounded_down(self.fixed)
        if self.share == 1 or math.isinf(epsilon):
            return epsilon
        exact = (self.share if isinstance(self.share, Fraction) else decimal(self.share)) * Fraction(epsilon)
        found = float(exact)
        return found if Fraction(found) <= exact else math.nextafter(found, 0.0)

    def scale(self, epsilon: float) -> float:
        """Return the scale of the noise on this number at the release's EPSILON; of Gaussian noise, its deviation.

        0 where there is none to add, inf where no finite noise is enough.
        """
        noise = self.noise
        return 0.0 if noise is None else noise.scale(self.own(epsilon), self.sensitivity, self.delta or 0.0)


def noise_of(tables: tuple[Table, ...]) -> Noises:
    """Return the mechanisms of TABLES, together."""
    return mechanisms_named(table.mechanism for table in tables)


def number_of(
    table: Table, shared: Fraction = ONE, rule: Rule = "exact", *, alone: bool = False
) -> NumberSetting | tuple[str, ...]:
    """Return the noise on one number of TABLE, or the paths of the fields it depends on that have no answer yet.

    SHARED is the share of epsilon that all Gaussian tables have together, at one delta. They divide its square: a table
    with a share s of it for each time it is made gets noise as large as one alone would whose sensitivity is
    sqrt(SHARED / s) times as large.
    RULE is that by which their epsilon is told, or rho, which needs no delta. ALONE: the whole budget is its own.
    """
    portion, fixed = (ONE, None) if alone else (table.portion, table.fixed)
    missing = table.missing(("mechanism", "sensitivity") if alone else ("mechanism", "sensitivity", "share"))
    missing += ("$.release.delta",) if table.noise.takes_delta and table.delta is None and rule != IN_RHO.rule else ()
    if portion == 0 and fixed is None:
        return (f"{table.place}.share",)  # a share of 0 publishes nothing
    if table.mechanism is None or table.sensitivity is None or portion is None or missing:
        return missing
    sensitivity, share = table.sensitivity, portion if table.made == 1 else portion / table.made
    if table.noise.takes_delta:
        part = ONE if shared is share else shared / share
        sensitivity, share = sensitivity if part == 1 else up(sensitivity * math.sqrt(part), 2), shared
    return NumberSetting(
        mechanism=table.mechanism,
        delta=table.delta,
        sensitivity=sensitivity,
        share=share,
        rule=rule if table.noise.takes_delta else None,
        step=table.noise_step(),
        numbers=table.dimension,
        stated=table.sensitivity if sensitivity != table.sensitivity else None,
        fixed=None if fixed is None else fixed / table.made,
    )
