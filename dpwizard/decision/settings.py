"""What a requirement reads of a release, and nothing else: an unchanged setting means an unchanged answer."""

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
LEAST, LARGEST = 1e-9, 1e4  # the range in which the largest budget is searched for
CLOSE = 1e-4  # relative precision of that search
EVEN = 1.6  # sigma, in whole steps: above it, less noise was never seen to reveal less
SLACK = 5e-4  # relative: the most that a limit read from the curve is below the true one
FIRST = 0.02  # the same for a first answer, where one reading at a first guess is enough
SMALLEST = 1e-300  # of a variance divided by the largest one; an exact number has 0


@dataclass(frozen=True, kw_only=True)
class PrivacyInputs:
    """What a privacy requirement reads of a release: the pair of worlds it compares, and the privacy loss for it."""

    pair: NeighbouringPair
    loss: ComposedLoss  # of the pair
    value_loss: ComposedLoss  # of any two values of one unit
    tables: tuple[Table, ...] = field(hash=False)  # with noise; without, where there are no others
    declared: NeighbouringRelation
    delta: float | None  # of all tables of one repetition together
    dimension: int
    repetitions: int
    contributions: int = 1
    post_processed: bool = False  # only for requirements that processing ends
    grain: float | None = None  # the least change of a table that changes; None: any small change

    # ------------------------------------------------------------------- what its tables say together

    @property
    def one(self) -> Table | None:
        """Return the only table; None where there are several, or one released several times."""
        return self.tables[0] if len(self.tables) == 1 and self.tables[0].times_released == 1 else None

    @property
    def noise(self) -> MechanismSet:
        """Return the mechanisms of all tables together."""
        return noise_of(self.tables)

    @property
    def step(self) -> float:
        """Return the largest step of whole noise."""
        return max(table.noise_step() for table in self.tables)

    @property
    def statistic(self) -> Statistic | None:
        """Return what the only table holds."""
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
        """Return what is checked before anything is said of the pair of worlds, in this order."""
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
        """Return whether this release's Gaussian noise alone distinguishes both pairs, two values no less than
        presence."""
        ends = (self.loss, self.value_loss)
        alone = all(loss.gaussian_alone and not loss.earlier_curve for loss in ends)
        return (
            alone and self.loss.mu_factor > 0.0 and (self.pair.relation == "replace" or self._distance_ratio() >= 1.0)
        )

    @property
    def distance_factor(self) -> float:
        """Return the distance of two values of a unit under Gaussian noise in those of its presence, at most 2; rounded
        up."""
        return 1.0 if self.pair.relation == "replace" else min(self._distance_ratio(), DOUBLE)

    def _distance_ratio(self) -> float:
        same = self.value_loss.mu_factor == self.loss.mu_factor
        return 1.0 if same else up(self.value_loss.mu_factor / self.loss.mu_factor, 2)

    @property
    def replace_factor(self) -> float | None:
        """Return the most that two values of a unit lose compared with its presence, as a ratio; None where it is
        unknown.

        Over everything that is counted: this release, whatever its epsilon, and the earlier ones.
        """
        if self.loss.missing is not None or self.value_loss.missing is not None or not self.loss.pure_factor:
            return None
        factor = _loss_ratio(self.value_loss.pure_factor, self.loss.pure_factor)
        if not self.value_loss.earlier_epsilon:
            return factor
        return max(factor, _loss_ratio(self.value_loss.earlier_epsilon, self.loss.earlier_epsilon))

    # ------------------------------------------------------------------- between a release's epsilon and a loss

    def trade_off_alone(self, epsilon: float, repetitions: int) -> TradeOff:
        """Return the trade-off curve of so many REPETITIONS at the release's EPSILON, without earlier releases."""
        return replace(self.loss, repetitions=repetitions, earlier_curve=NO_CURVE).trade_off(epsilon)

    @property
    def monotone(self) -> bool:
        """Return whether a smaller budget never reveals more: true of all but discrete Gaussian noise."""
        return not any(table.noise.needs_delta and table.noise.integer_valued for table in self.tables)

    def uneven(self, budget: float) -> bool:
        """Return whether a budget below BUDGET may reveal more: discrete Gaussian noise of so small a sigma."""
        return not self.monotone and self.loss.smallest_sigma(budget) < EVEN

    def largest_budget_reading(
        self, reading: Callable[[TradeOff], float], limit: float, mu: Callable[[], float], loss: float
    ) -> float:
        """Return a budget at which READING of the trade-off curve was at most LIMIT; 0 where none was found, inf for
        any.

        MU is the distance at which Gaussian noise alone meets the limit, and spares the search; a largest LOSS meets it
        too.
        """
        if self.loss.gaussian_alone:
            square = mu() ** 2 - 2.0 * self.loss.earlier_curve.rho  # squares add up
            return self.loss.largest_for_mu(down(math.sqrt(square), 8)) if square > 0.0 else 0.0
        certain = self.loss.max_budget(loss) if self.loss.bounded else 0.0
        start = max(certain, self.loss.approximate_budget(mu()))
        return max(certain, self.largest_budget(lambda budget: reading(self.loss.trade_off(budget)), limit, start))

    def largest_budget(
        self, reading: Callable[[float], float], limit: float, start: float, relative: float = CLOSE
    ) -> float:
        """Return a budget of the release at which READING was at most LIMIT; 0 where none was found, inf where any is.

        START is a first guess. With noise that is `monotone` every smaller budget meets the limit too, and one larger
        by RELATIVE did not; with other noise a budget is judged by its own reading.
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
        """Return how far the BUDGET that `largest_budget` found may be below the true one."""
        return 1e-12 * max(1.0, budget) if self.loss.gaussian_alone else SLACK * max(budget, LEAST)

    def at_first(self) -> PrivacyInputs:
        """Return the inputs for a first answer, which is safe and quick to find."""
        return replace(self, loss=replace(self.loss, coarse=True), value_loss=replace(self.value_loss, coarse=True))


def _loss_ratio(value: float, presence: float) -> float:
    if value <= presence:
        return value / presence if value < presence else 1.0
    return min(quotient_up(value, presence), DOUBLE) if presence else DOUBLE


@dataclass(frozen=True, kw_only=True)
class AccuracyInputs:
    """What an accuracy requirement reads of a release: the noise on one number of one repetition."""

    mechanism: MechanismName
    delta: float | None  # of this table alone
    sensitivity: float
    share: Fraction | float
    calibration: Calibration | None = None  # of its budget, where its noise has no largest loss
    step: float = 1.0  # whole noise is added in steps of a sum
    numbers: int = 1  # in the table, each with noise of its own
    stated: float | None = None  # the table's own sensitivity, where Gaussian tables share a budget
    fixed: Fraction | None = None  # its epsilon whatever the release's budget is
    parameters: Parameters = ()  # of the mechanism
    cells: int = 1  # numbers of this table in the sum that is asked about
    beside: tuple[AccuracyInputs, ...] = ()  # the other tables in that sum
    added_up: AddedUpTables | None = None  # with which it adds up; a sum is judged before that

    @property
    def is_sum(self) -> bool:
        """Return whether it is a sum or a difference of several numbers."""
        return self.cells > 1 or bool(self.beside)

    @cached_property
    def noise(self) -> Noise | None:
        """Return the noise, calibrated as the release is; None where none is added."""
        noise = mechanism_named(self.mechanism).having(self.parameters).noise
        return noise if noise is None or self.calibration is None else noise.calibrated(self.calibration)

    @property
    def in_steps(self) -> bool:
        """Return whether noise is added in steps of more than 1, of which no requirement speaks."""
        return mechanism_named(self.mechanism).integer_valued and self.step != 1.0

    @property
    def noise_step(self) -> float:
        """Return the step of its noise, or of a table with which it adds up, where that is not 1; else 1."""
        tables = (self, *(() if self.added_up is None else self.added_up.each))
        return next((table.step for table in tables if table is not None and table.in_steps), 1.0)

    def need(self, epsilon: float) -> float:
        """Return the release's budget for which this number gets EPSILON; rounded up."""
        return epsilon if self.share == 1 else up(epsilon / float(self.share), 4)

    def epsilon_of_number(self, epsilon: float) -> float:
        """Return the epsilon of this number in a release at EPSILON; rounded down, so that tables never exceed the
        whole."""
        if self.fixed is not None:
            return rounded_down(self.fixed)
        if self.share == 1 or math.isinf(epsilon):
            return epsilon
        exact = (self.share if isinstance(self.share, Fraction) else decimal(self.share)) * Fraction(epsilon)
        rounded = float(exact)
        return rounded if Fraction(rounded) <= exact else math.nextafter(rounded, 0.0)

    def scale(self, epsilon: float) -> float:
        """Return the scale of the noise on this number at EPSILON: 0 without noise, inf where none is enough."""
        noise = self.noise
        if noise is None:
            return 0.0
        return noise.scale(self.epsilon_of_number(epsilon), self.sensitivity, self.delta or 0.0)

    def noise_at(self, epsilon: float) -> NumberNoise | None:
        """Return the noise on this number at the release's EPSILON; None where none is added."""
        if self.noise is None:
            return None
        scale, epsilon_used = self.scale(epsilon), self.epsilon_of_number(epsilon)
        if not self.is_sum:
            one = NumberNoise(noise=self.noise, scale=scale, budget=epsilon_used, sensitivity=self.sensitivity)
            return one if self.added_up is None else self.added_up.published(one, epsilon)
        tables = (replace(self, beside=()), *self.beside)
        if any(table.added_up is not None and not table.added_up.normal for table in tables):
            # by the variances of continuous noise, least squares make no sum vary more than before adding up;
            # the true variances of whole noise are smaller, and keep no such bound
            spread = math.hypot(*(math.sqrt(table.cells) * table.deviation(epsilon) for table in tables))
            return NumberNoise(noise=GAUSSIAN, scale=up(spread, 4))
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
        """Return the standard deviation of one number before adding up, its weight, at the release's EPSILON."""
        return 0.0 if self.noise is None else Added(self.noise, self.scale(epsilon)).deviation


@dataclass(frozen=True, kw_only=True)
class AddedUpTables:
    """The tables with which a table is made to add up.

    at: which of them it is; each: the noise on one number of each, None where it has none; ratios: of their variances,
    None where these depend on the budget; rounded: whether numbers are made whole afterwards.
    """

    made: AddedUp
    at: int
    each: tuple[AccuracyInputs | None, ...]
    ratios: tuple[Variance | None, ...] | None
    rounded: bool

    @property
    def normal(self) -> bool:
        """Return whether the noise of published numbers is normal."""
        return all(one is None or (one.noise is not None and one.noise.normal) for one in self.each)

    def published(self, own: NumberNoise, epsilon: float) -> NumberNoise:
        """Return the noise on a published number at the release's EPSILON, given its OWN noise before adding up."""
        added = tuple(
            None if one is None or one.noise is None else Added(one.noise, one.scale(epsilon)) for one in self.each
        )
        if any(one is not None and not 0.0 < one.scale < math.inf for one in added):
            return own  # at both ends of the budget: no noise, or infinite noise
        if self.ratios is not None:
            return published_noise(own, self._constant_sums, added, self.rounded)
        largest = max(one.deviation for one in added if one is not None)
        ratios = [one and max((one.deviation / largest) ** 2, SMALLEST) for one in added]
        return published_noise(own, self._weighted_sums(ratios), added, self.rounded)

    @cached_property
    def _constant_sums(self) -> tuple[Weighted, ...]:
        return self._weighted_sums(self.ratios or ())

    def _weighted_sums(self, variances: Sequence[Variance | None]) -> tuple[Weighted, ...]:
        known = [0 if noise == "exact" else one for noise, one in zip(self.made.noises, variances, strict=True)]
        return self.made.sums(self.at, known, worst_alone=self.normal)


@dataclass(frozen=True, kw_only=True)
class EachTable:
    """What an accuracy requirement on each of several tables reads: the noise on a number of each, by name."""

    each: tuple[tuple[str | None, AccuracyInputs], ...]

    def of(self, name: str | None) -> AccuracyInputs:
        """Return the noise on a number of the table called NAME; of the first table where none has that name."""
        return next((setting for known, setting in self.each if known == name), self.each[0][1])


def noise_of(tables: Iterable[Table]) -> MechanismSet:
    """Return the mechanisms of TABLES together."""
    return mechanisms_named(table.mechanism for table in tables)


def number_of(
    table: Table, calibration: Calibration, shared: Fraction = ONE, *, alone: bool = False
) -> AccuracyInputs | tuple[str, ...]:
    """Return the noise on one number of TABLE, or the paths of the unanswered fields it depends on.

    SHARED is the share of epsilon of all Gaussian tables together, at one delta. They divide its square: a table with a
    share s for each time it is made gets the noise of a table alone whose sensitivity is sqrt(SHARED / s) times as
    large. CALIBRATION is that of their budget; rho needs no delta. ALONE: the whole budget is its own.
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
