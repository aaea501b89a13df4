"""The inputs that requirements take from a release, and no others: equal inputs have equal limits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from dpwizard.base.fractional import rounded_down
from dpwizard.base.numerics import decimal, down, quotient_up, up
from dpwizard.decision.earlier import NO_CURVE
from dpwizard.decision.loss import ComposedLoss
from dpwizard.decision.neighbouring import NeighbouringPair
from dpwizard.decision.reasons import Check
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation, Statistic, Table
from dpwizard.decision.trade_off import TradeOff
from dpwizard.privacy.accuracy import NumberNoise, SumNoise
from dpwizard.privacy.adding_up import Added, AddedUp, Variance, Weighted, published_noise
from dpwizard.privacy.mechanisms import (
    GAUSSIAN,
    Calibration,
    MechanismName,
    MechanismSet,
    Noise,
    Parameters,
    RhoBudget,
    mechanism_named,
    mechanisms_named,
)

ONE = Fraction(1)
LEAST, LARGEST = 1e-9, 1e4  # the search range of the largest budget
CLOSE = 1e-4  # relative precision of that search
MONOTONE_SIGMA = 1.6  # in steps: above it, no case was found in which less noise reveals less (checked, not proved)
SLACK = 5e-4  # relative: the most by which a limit from the curve is below the true limit
FIRST = 0.02  # the same for a quick first limit, which needs one evaluation at a first guess
SMALLEST = 1e-300  # the smallest ratio of a variance to the largest one; 0 is that of an exact number


@dataclass(frozen=True, kw_only=True)
class PrivacyInputs:
    """The inputs that a privacy requirement takes from a release: its neighbouring pair and the privacy loss."""

    pair: NeighbouringPair
    loss: ComposedLoss  # of the pair
    value_loss: ComposedLoss  # of any two values of one unit
    tables: tuple[Table, ...] = field(hash=False)  # the tables with noise; all tables if none has noise
    declared: NeighbouringRelation
    delta: float | None  # of all tables of one repetition together
    dimension: int
    repetitions: int
    contributions: int = 1
    post_processed: bool = False  # set only for requirements that post-processing invalidates
    grain: float | None = None  # the smallest change of a table that changes at all; None: any small change

    # ------------------------------------------------------------------- its tables together

    @property
    def one(self) -> Table | None:
        """Return the only table; None if there are several, or one released several times."""
        return self.tables[0] if len(self.tables) == 1 and self.tables[0].times_released == 1 else None

    @property
    def noise(self) -> MechanismSet:
        return noise_of(self.tables)

    @property
    def step(self) -> float:
        """Return the largest step of integer-valued noise."""
        return max(table.noise_step() for table in self.tables)

    @property
    def statistic(self) -> Statistic | None:
        return self.one.statistic if self.one is not None else None

    @property
    def sensitivity(self) -> float | None:
        """Return the sensitivity of the only table under the declared relation."""
        return self.one.sensitivity if self.one is not None else None

    @property
    def own_sensitivity(self) -> float | None:
        """Return its sensitivity under the requirement's relation, or an upper bound on it."""
        return self.one.under(self.pair.relation) if self.one is not None else None

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return the checks that must pass before the loss of the neighbouring pair is known, in order."""
        disjoint = any(table.group or table.disjoint_with for table in self.tables)
        moves: tuple[Check, ...] = ("moves",) if disjoint and self.pair.relation == "replace" else ()
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
    def is_gaussian_alone(self) -> bool:
        """Return whether only this release's Gaussian noise counts, with values at least as far apart as presence."""
        ends = (self.loss, self.value_loss)
        is_alone = all(loss.gaussian_alone and not loss.earlier_curve for loss in ends)
        return (
            is_alone
            and self.loss.mu_factor > 0.0
            and (self.pair.relation == "replace" or self._distance_ratio() >= 1.0)
        )

    @property
    def distance_factor(self) -> float:
        """Return the Gaussian distance of two values of a unit over that of its presence, at most 2; rounded up."""
        return 1.0 if self.pair.relation == "replace" else min(self._distance_ratio(), DOUBLE)

    def _distance_ratio(self) -> float:
        same = self.value_loss.mu_factor == self.loss.mu_factor
        return 1.0 if same else up(self.value_loss.mu_factor / self.loss.mu_factor, 2)

    @property
    def replace_factor(self) -> float | None:
        """Return the largest loss between two values of a unit, divided by that of its presence; None if it is unknown.

        Over all releases counted: this one, whatever its epsilon, and the earlier ones.
        """
        if self.loss.missing is not None or self.value_loss.missing is not None or not self.loss.pure_factor:
            return None
        factor = _loss_ratio(self.value_loss.pure_factor, self.loss.pure_factor)
        if not self.value_loss.earlier_epsilon:
            return factor
        return max(factor, _loss_ratio(self.value_loss.earlier_epsilon, self.loss.earlier_epsilon))

    # ------------------------------------------------------------------- from a release's epsilon to a loss, and back

    def trade_off_alone(self, epsilon: float, repetitions: int) -> TradeOff:
        """Return the trade-off curve of REPETITIONS at the release's EPSILON, without earlier releases."""
        return replace(self.loss, repetitions=repetitions, earlier_curve=NO_CURVE).trade_off(epsilon)

    @property
    def monotone(self) -> bool:
        """Return whether a smaller budget never reveals more: true of all but discrete Gaussian noise."""
        return not any(table.noise.needs_delta and table.noise.integer_valued for table in self.tables)

    def uneven(self, budget: float) -> bool:
        """Return whether a budget below BUDGET may reveal more: under discrete Gaussian noise with a small sigma."""
        return not self.monotone and self.loss.smallest_sigma(budget) < MONOTONE_SIGMA

    def largest_budget_reading(
        self, reading: Callable[[TradeOff], float], limit: float, mu: Callable[[], float], loss: float
    ) -> float:
        """Return a budget at which READING of the trade-off curve is at most LIMIT; 0 if none was found, inf if any is.

        mu: the distance at which Gaussian noise alone meets the limit, which avoids the search; loss: a largest loss
        that meets it. The budget is on the safe side.
        """
        if self.loss.gaussian_alone:
            square = mu() ** 2 - 2.0 * self.loss.earlier_curve.rho  # squares add up
            return self.loss.largest_for_mu(down(math.sqrt(square), 8)) if square > 0.0 else 0.0
        pure_budget = self.loss.max_budget(loss) if self.loss.bounded else 0.0
        start = max(pure_budget, self.loss.approximate_budget(mu()))
        return max(pure_budget, self.largest_budget(lambda budget: reading(self.loss.trade_off(budget)), limit, start))

    def largest_budget(
        self, reading: Callable[[float], float], limit: float, start: float, relative: float = CLOSE
    ) -> float:
        """Return a budget at which READING is at most LIMIT; 0 if none was found, inf if any budget is allowed.

        start: a first guess. Under `monotone` noise every smaller budget meets the limit too, and a budget larger by
        RELATIVE does not; under other noise the limit holds at the returned budget alone.
        """
        from dpwizard.privacy.largest_budget import largest

        first = min(max(start, LEAST), 1.0) if not 0.0 < start < LARGEST else start
        if self.loss.coarse:
            first, relative = first * (1.0 - FIRST), FIRST
            if reading(first) <= limit:
                return first
        budget, failed = largest(reading, limit, first, lowest=LEAST, highest=LARGEST, relative=relative)
        return budget if failed else math.inf

    def error(self, budget: float) -> float:
        """Return the most by which a BUDGET from `largest_budget` may be below the true limit."""
        return 1e-12 * max(1.0, budget) if self.loss.gaussian_alone else SLACK * max(budget, LEAST)

    def at_first(self) -> PrivacyInputs:
        """Return the inputs for a quick first limit, which is on the safe side."""
        return replace(self, loss=replace(self.loss, coarse=True), value_loss=replace(self.value_loss, coarse=True))


def _loss_ratio(value: float, presence: float) -> float:
    if value <= presence:
        return value / presence if value < presence else 1.0
    return min(quotient_up(value, presence), DOUBLE) if presence else DOUBLE


@dataclass(frozen=True, kw_only=True)
class AccuracyInputs:
    """The inputs that an accuracy requirement takes from a release: the noise on one number of one repetition."""

    mechanism: MechanismName
    delta: float | None  # the delta of this table alone
    sensitivity: float
    share: Fraction | float
    calibration: Calibration | None = None  # of its budget, if its noise is unbounded
    step: float = 1.0  # the step of integer-valued noise on a sum
    numbers: int = 1  # how many numbers the table holds, each with independent noise
    stated: float | None = None  # the stated sensitivity, if Gaussian tables share a budget
    fixed: Fraction | None = None  # its epsilon, if that does not depend on the release's budget
    parameters: Parameters = ()  # of the mechanism
    cells: int = 1  # how many numbers of this table are in the sum
    beside: tuple[AccuracyInputs, ...] = ()  # the other tables in the sum
    added_up: AddedUpTables | None = None  # the tables it adds up with; a sum uses the noise before adding up

    @property
    def is_sum(self) -> bool:
        return self.cells > 1 or bool(self.beside)

    @cached_property
    def noise(self) -> Noise | None:
        """Return the mechanism, calibrated as in the release; None if no noise is added."""
        noise = mechanism_named(self.mechanism).having(self.parameters).noise
        return noise if noise is None or self.calibration is None else noise.calibrated(self.calibration)

    @property
    def in_steps(self) -> bool:
        """Return whether noise has a step other than 1, for which no accuracy requirement exists."""
        return mechanism_named(self.mechanism).integer_valued and self.step != 1.0

    @property
    def noise_step(self) -> float:
        """Return the step of its noise, or of a table it adds up with, if that is not 1; else 1."""
        tables = (self, *(() if self.added_up is None else self.added_up.each))
        return next((table.step for table in tables if table is not None and table.in_steps), 1.0)

    def need(self, epsilon: float) -> float:
        """Return the release's budget that gives this number EPSILON; rounded up."""
        return epsilon if self.share == 1 else up(epsilon / float(self.share), 4)

    def epsilon_of_number(self, epsilon: float) -> float:
        """Return the epsilon of this number in a release at EPSILON; rounded down, so all tables stay within it."""
        if self.fixed is not None:
            return rounded_down(self.fixed)
        if self.share == 1 or math.isinf(epsilon):
            return epsilon
        exact = (self.share if isinstance(self.share, Fraction) else decimal(self.share)) * Fraction(epsilon)
        nearest = float(exact)
        return nearest if Fraction(nearest) <= exact else math.nextafter(nearest, 0.0)

    def scale(self, epsilon: float) -> float:
        """Return the noise scale of this number at EPSILON: 0 without noise, inf if no scale is large enough."""
        noise = self.noise
        if noise is None:
            return 0.0
        return noise.scale(self.epsilon_of_number(epsilon), self.sensitivity, self.delta or 0.0)

    def noise_at(self, epsilon: float) -> NumberNoise | None:
        """Return the noise on this number at the release's EPSILON; None if no noise is added."""
        if self.noise is None:
            return None
        scale, epsilon_used = self.scale(epsilon), self.epsilon_of_number(epsilon)
        if not self.is_sum:
            number_noise = NumberNoise(noise=self.noise, scale=scale, budget=epsilon_used, sensitivity=self.sensitivity)
            return number_noise if self.added_up is None else self.added_up.published(number_noise, epsilon)
        tables = (replace(self, beside=()), *self.beside)
        if any(table.added_up is not None and not table.added_up.normal for table in tables):
            # least squares with the variances of continuous noise increase the variance of no sum; the true variances
            # of integer-valued noise are smaller, so that bound does not hold for them
            deviation = math.hypot(*(math.sqrt(table.cells) * table.deviation(epsilon) for table in tables))
            return NumberNoise(noise=GAUSSIAN, scale=up(deviation, 4))
        noises = ((replace(table, cells=1, added_up=None).noise_at(epsilon), table.cells) for table in self.beside)
        return SumNoise(
            noise=self.noise,
            scale=scale,
            budget=epsilon_used,
            sensitivity=self.sensitivity,
            cells=self.cells,
            others=tuple((noise, cells) for noise, cells in noises if noise is not None),
        )

    def deviation(self, epsilon: float) -> float:
        """Return the standard deviation of one number before adding up at the release's EPSILON; it is its weight."""
        return 0.0 if self.noise is None else Added(self.noise, self.scale(epsilon)).deviation


@dataclass(frozen=True, kw_only=True)
class AddedUpTables:
    """The tables that a table is adjusted to add up with.

    at: the position of the table; each: the noise on one number of each table, None if it has none; ratios: of their
    variances, None if these depend on the budget; rounded: whether numbers are rounded to integers afterwards.
    """

    structure: AddedUp
    at: int
    each: tuple[AccuracyInputs | None, ...]
    ratios: tuple[Variance | None, ...] | None
    rounded: bool

    @property
    def normal(self) -> bool:
        """Return whether the noise of published numbers is normal."""
        return all(inputs is None or (inputs.noise is not None and inputs.noise.normal) for inputs in self.each)

    def published(self, unadjusted: NumberNoise, epsilon: float) -> NumberNoise:
        """Return the noise on a published number at the release's EPSILON, given its UNADJUSTED noise."""
        noises = tuple(
            None if each is None or each.noise is None else Added(each.noise, each.scale(epsilon)) for each in self.each
        )
        if any(noise is not None and not 0.0 < noise.scale < math.inf for noise in noises):
            return unadjusted  # a budget of inf or 0: no noise, or infinite noise
        if self.ratios is not None:
            return published_noise(unadjusted, self._constant_sums, noises, self.rounded)
        largest = max(noise.deviation for noise in noises if noise is not None)
        ratios = [noise and max((noise.deviation / largest) ** 2, SMALLEST) for noise in noises]
        return published_noise(unadjusted, self._weighted_sums(ratios), noises, self.rounded)

    @cached_property
    def _constant_sums(self) -> tuple[Weighted, ...]:
        return self._weighted_sums(self.ratios or ())

    def _weighted_sums(self, variances: Sequence[Variance | None]) -> tuple[Weighted, ...]:
        weights = [0 if kind == "exact" else v for kind, v in zip(self.structure.noises, variances, strict=True)]
        return self.structure.sums(self.at, weights, worst_alone=self.normal)


@dataclass(frozen=True, kw_only=True)
class EachTable:
    """The inputs of an accuracy requirement on each of several tables: the noise on a number of each, by name."""

    each: tuple[tuple[str | None, AccuracyInputs], ...]

    def of(self, name: str | None) -> AccuracyInputs:
        """Return the noise on a number of the table called NAME; of the first table if none has that name."""
        return next((setting for known, setting in self.each if known == name), self.each[0][1])


def noise_of(tables: Iterable[Table]) -> MechanismSet:
    return mechanisms_named(table.mechanism for table in tables)


def number_of(
    table: Table, calibration: Calibration, shared: Fraction = ONE, *, alone: bool = False
) -> AccuracyInputs | tuple[str, ...]:
    """Return the noise on one number of TABLE, or the paths of the unanswered fields it depends on.

    shared: the share of epsilon of all Gaussian tables together, at one delta. They divide its square: a table with
    share s per release has the noise of a single table whose sensitivity is sqrt(shared / s) times as large.
    calibration: of their budget; rho needs no delta. alone: whether the table has the whole budget.
    """
    portion, fixed = (ONE, None) if alone else (table.portion, table.fixed)
    in_rho = isinstance(calibration, RhoBudget)
    missing = table.missing(("mechanism", "sensitivity") if alone else ("mechanism", "sensitivity", "share"))
    missing += ("$.release.delta",) if table.noise.needs_delta and table.delta is None and not in_rho else ()
    if portion == 0 and fixed is None:
        return (f"{table.place}.share",)  # a share of 0 publishes nothing
    if table.mechanism is None or table.sensitivity is None or portion is None or missing:
        return missing
    sensitivity, share = table.sensitivity, portion if table.times_released == 1 else portion / table.times_released
    if table.noise.needs_delta:
        ratio = ONE if shared is share else shared / share
        sensitivity, share = sensitivity if ratio == 1 else up(sensitivity * math.sqrt(ratio), 2), shared
    return AccuracyInputs(
        mechanism=table.mechanism,
        parameters=table.parameters,
        delta=table.delta,
        sensitivity=sensitivity,
        share=share,
        calibration=calibration if table.noise.needs_delta else None,
        step=table.noise_step(),
        numbers=table.dimension,
        stated=table.sensitivity if sensitivity != table.sensitivity else None,
        fixed=None if fixed is None else fixed / table.times_released,
    )
