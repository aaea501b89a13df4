"""The release: its tables, the people in them, and the noise. Calculations read `Release.tables`."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable
from fractions import Fraction
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, TypeVar, cast

from pydantic import Field, model_validator

from dpwizard.base.fractional import exactly, rounded_down
from dpwizard.base.numerics import decimal, product_up, up, written_up
from dpwizard.base.values import Count, LongText, OpenProbability, Probability, ShortText, field, in_own_words
from dpwizard.decision.data_description import DataDescription
from dpwizard.decision.earlier import EarlierRelease, PriorsFrom
from dpwizard.decision.histories import Histories, histories
from dpwizard.decision.in_periods import InPeriods
from dpwizard.decision.loss import ComposedLoss, loss_of
from dpwizard.decision.neighbouring import AddOrRemoveOne, NeighbouringPair, ReplaceOne
from dpwizard.decision.plain_answers import PlainAnswers
from dpwizard.decision.settings import AccuracyInputs, PrivacyInputs, noise_of, number_of
from dpwizard.decision.shares import StatedAmount, calibration_of, gaussian_share, in_portions, share_total
from dpwizard.decision.stated import (
    EXACT_NEEDS,
    MOST_NAMES,
    MOST_PARTS,
    ExactFigure,
    Part,
    TableFields,
    Total,
    check_names,
    check_periods,
    check_relations,
    check_shares,
)
from dpwizard.decision.tables import WHOLE, NeighbouringRelation, Table, capped
from dpwizard.privacy.mechanisms import IN_RHO, Calibration, MechanismSet, mechanisms_named

Answer = TypeVar("Answer")
Counting = Literal["epsilon", "rho"]
PostProcessing = Literal["rounding", "clamping", "consistency", "other"]
AddingUp = Literal["none", "least_squares"]
Allocation = Literal["stated", "needs", "weights"]
TrustModel = Literal["central", "several", "shuffle", "local"]
UnitKind = Literal["person", "household", "establishment", "device", "event", "other"]
Slice = Literal["none", "day", "week", "month", "quarter", "year", "event"]
OVER_TIME = ("day", "week", "month", "quarter", "year")  # slices, each of which is a release
PARTS_OF_PERSON = ("device", "event")  # kinds of unit of which one person may be several

MOST_ENTRIES = 1_000


@in_own_words(
    statistic="A count, a sum, a mean, a histogram or a vector of numbers.",
    sensitivity="The most that one person or thing can change the release.",
    dimension="How many numbers are published each time.",
)
class Release(PlainAnswers):
    """What will be published, about which people, and with which noise."""

    needs: ClassVar[tuple[str, ...]] = ("mechanism", "sensitivity")

    description: LongText | None = field("Description", "What will be published, in a sentence.")
    neighbours: NeighbouringRelation | None = field(
        "Neighbouring datasets differ by",
        "One person or thing is added or removed, or its values are replaced and the number of people or "
        "things stays the same.",
    )
    derivation: LongText | None = field(
        "How the sensitivity was found",
        "In a sentence, with the limits it rests on. The calculator can write it for you.",
    )
    delta: OpenProbability | None = field(
        "Delta",
        "Gaussian noise only: how far any chance may exceed what epsilon alone allows.",
        editor="tiny_chance",
    )
    allocation: Allocation | None = field(
        "How the budget is split",
        "As the tables state it; by accuracy: each table gets what its requirements need, and what is "
        "left makes all more accurate alike; or by weights: the weighted sum of squared errors is "
        "smallest. If empty: as stated.",
        unset="as stated",
    )
    levels: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] = field(
        "Levels", "Their names, the finest first, for instance block, county, state.", default=()
    )
    at_most_years: Count | None = field(
        "Years of one person", "In how many of the years one person can be. If empty: in all.", unit="years"
    )
    in_periods: InPeriods | None = field(
        "Periods of one person or thing",
        "In how many periods of the tables one person or thing can be. If empty: in all.",
    )
    repetitions: Count = field("Times released", "How often the same people are in a release.", default=1, unit="times")
    unit: ShortText | None = field("Who or what is protected", "For example one person, or one household.")
    unit_kind: UnitKind | None = field("What is protected as one", "For example a person, a household or an event.")
    slice: Slice | None = field(
        "Period protected as one",
        "What one person or household does in this much time is protected as one. None: all of their data.",
    )
    slices_per_person: Count | None = field(
        "How many of these one person can be",
        "For example the number of days, or of devices, of one person. If empty: not known.",
    )
    cap: Count | None = field(
        "Rows kept of one person or thing",
        "More rows are dropped before anything is counted, in each period.",
        unit="rows",
    )
    distinct_cells: bool | None = field(
        "Rows in different cells",
        "Whether all rows kept of one person or thing are in different cells. If empty: perhaps not.",
    )
    contributions: Count = field(
        "Most rows for one person or thing",
        "If one person or thing can have several rows, cells or tables, enter the limit you enforce.",
        default=1,
        unit="rows",
    )
    population: Count | None = field("Population", "How many the data are drawn from.", unit="people or things")
    sampling_fraction: Probability | None = field(
        "Sampling fraction", "The fraction of the population in the data.", editor="chance"
    )
    sample_secret: bool | None = field("Sample kept secret", "Yes only if nobody can find out who was sampled.")
    published_elsewhere: LongText | None = field(
        "Published elsewhere", "Exact figures and older releases on these people."
    )
    exact_figures: Annotated[tuple[ExactFigure, ...], Field(max_length=MOST_NAMES)] = field(
        "Exact figures", "What is published without noise in addition to the noisy tables.", default=()
    )
    trust_model: TrustModel | None = field("Who adds the noise", "One office, or each device.", unset="one office")
    post_processing: tuple[PostProcessing, ...] = field(
        "Post-processing", "What is done to the noisy figures.", default=()
    )
    spent: Annotated[tuple[EarlierRelease, ...], Field(max_length=MOST_ENTRIES)] = field(
        "Already spent", "Earlier releases.", default=()
    )
    priors_from: PriorsFrom = field(
        "Chances before are counted from", "Just before this release, or before all releases.", default="this_release"
    )
    data: DataDescription | None = field(
        "Data description", "The public lists from which a script makes the tables: for the release script alone."
    )
    adding_up: AddingUp | None = field(
        "Adding up",
        "Whether published tables are made to add up, by weighted least squares. Accuracy requirements "
        "then apply to the numbers after that.",
        unset="not made to add up",
    )
    totals: Annotated[tuple[Total, ...], Field(max_length=MOST_PARTS)] = field(
        "Totals", "What is published only as a sum, where tables are made to add up.", default=()
    )
    parts: Annotated[tuple[Part, ...], Field(max_length=MOST_PARTS)] = field(
        "Tables", "The tables of a release with several tables.", default=()
    )

    @model_validator(mode="after")
    def _is_consistent(self) -> Release:
        check_names(self.parts)
        check_periods(self.parts, self.in_periods)
        check_shares(self.parts, self.share_total)
        check_relations(self, self.neighbours, "")
        for index, part in enumerate(self.parts):
            check_relations(part, self.neighbours, f"parts[{index}].")
        for index, earlier in enumerate(self.spent):
            check_relations(earlier, earlier.neighbours, f"spent[{index}].")
        return self

    # ------------------------------------------------------------------------------------- its tables

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Return the published tables: the parts, or the release itself as the only table, with share 1.

        Epsilon and delta are stated for all tables of one repetition together: the epsilons of tables with a largest
        loss add up, Gaussian tables are released together at delta, and the two add up (Dwork & Roth 2014, Theorem
        3.16).
        """
        return self._tables_and_budget[0]

    @property
    def stated_budget(self) -> Fraction | None:
        """Return the budget of all tables in one repetition; None if they state shares instead of amounts."""
        return self._tables_and_budget[1]

    @cached_property
    def _tables_and_budget(self) -> tuple[tuple[Table, ...], Fraction | None]:
        parts = {f"{WHOLE}.parts[{index}]": part for index, part in enumerate(self.parts)}
        if not parts:
            fields = {name: getattr(self, name) for name in TableFields.model_fields}
            parts = {WHOLE: Part.model_construct(**fields, share=1.0)}
        tables = [self._table(place, part, len(parts) == 1) for place, part in parts.items()]
        amounts = [StatedAmount(part.epsilon, part.rho) for part in parts.values()]
        return in_portions(tables, amounts, self.at_most_years, self.in_periods)

    def _table(self, place: str, part: Part, only: bool) -> Table:
        mechanism = part.mechanism or self.mechanism
        named = mechanisms_named((mechanism,))
        parameters = tuple((name, getattr(part, name)) for each in named.each for name in each.asks)
        noise = MechanismSet(tuple(each.having(parameters) for each in named.each))
        needs = part.needs
        if place == WHOLE:
            needs = self.needs
        elif noise.absent and not only:
            needs = EXACT_NEEDS
        sensitivity, other = self._sensitivities(part, only, noise)
        return Table(
            place=place,
            name=part.name,
            needs=needs,
            disjoint_with=part.disjoint_with,
            only=only,
            neighbours=self.neighbours,
            statistic=part.statistic or self.statistic,
            mechanism=mechanism,
            noise=noise,
            parameters=parameters,
            sensitivity=sensitivity,
            sensitivity_other=other,
            effects=self.effects if part.effects is None and only else part.effects,
            reads=self.reads if part.reads is None and only else part.reads,
            moves=part.moves,
            group=part.group,
            contributions=part.contributions or self.rows,
            has_own_contributions=part.contributions is not None,
            step=part.step,
            dimension=part.dimension,
            portion=None if part.share is None else exactly(part.share),
            delta=self.delta if noise.needs_delta else None,
            times_released=part.times or 1,
            year=part.year,
            period=part.period,
            level=part.level,
        )

    def _sensitivities(self, part: Part, only: bool, noise: MechanismSet) -> tuple[float | None, float | None]:
        if part.sensitivity is None and (part.statistic or self.statistic) == "histogram":
            return self.of_cap(noise.uses_l2)
        other = part.sensitivity_other
        if only and other is None and part.sensitivity == self.sensitivity:
            other = self.sensitivity_other
        return part.sensitivity, other

    def of_cap(self, euclidean: bool) -> tuple[float | None, float | None]:
        """Return both sensitivities of a histogram that keeps `cap` rows per unit, the declared one first."""
        if self.cap is None or self.neighbours is None:
            return None, None
        return capped(self.cap, self.neighbours, euclidean, bool(self.distinct_cells))

    @property
    def exact(self) -> tuple[tuple[str, tuple[str, ...] | None], ...]:
        """Return name and attributes of every exact figure: neighbouring datasets must agree on these."""
        tables = tuple((table.name or "", table.reads) for table in self.tables if table.noise.absent)
        figures = tuple((figure.name or "", figure.reads) for figure in self.exact_figures)
        figures += tuple((earlier.record or "", None) for earlier in self.spent if earlier.exact)
        return figures if len(tables) == len(self.tables) else (*tables, *figures)

    @property
    def unprotected(self) -> str | None:
        """Return the names of everything published without noise, here or elsewhere; None if there is nothing."""
        sentences = ((self.published_elsewhere or "").strip(), *(name for name, _ in self.exact))
        return "; ".join(text for text in sentences if text) or None

    @cached_property
    def noisy(self) -> tuple[Table, ...]:
        """Return the tables with noise; all tables if none has noise."""
        return tuple(table for table in self.tables if not table.noise.absent) or self.tables

    @cached_property
    def histories(self) -> Histories:
        """Return all sets of tables that one person can be in, tables without noise included."""
        return self.histories_of(self.tables)

    def histories_of(self, tables: Iterable[Table]) -> Histories:
        return histories(tables, self.at_most_years, self.in_periods)

    def table(self, name: str | None) -> Table | None:
        """Return the table called NAME, None for the only one; None if there is no such table."""
        if name is None:
            return self.tables[0] if len(self.tables) == 1 else None
        return self._tables_by_name.get(name)

    @cached_property
    def _tables_by_name(self) -> dict[str | None, Table]:
        return {table.name: table for table in self.tables}

    def share_total(self) -> Fraction:
        """Return the exact share of epsilon that the tables use together; never below the true share."""
        return self.cached("used", lambda: share_total(self.histories))

    @cached_property
    def counted_in(self) -> Counting:
        """Return the unit of the budget: rho, or epsilon, which under Gaussian noise has a delta."""
        fixed = any(table.fixed is not None for table in self.tables)
        return "rho" if fixed or (self.noise.only_deltas and self.delta is None) else "epsilon"

    def budget(self, *, epsilon: float | None, rho: float | str | Fraction | None) -> float | None:
        """Return the budget that EPSILON or RHO gives in the release's unit; None if the choice does not fit.

        Under Gaussian noise an epsilon needs a delta; a rho needs Gaussian noise in all tables. In a release counted in
        epsilon, a rho is converted to the largest epsilon with at least as much noise.
        """
        sum_of_tables = self.stated_budget
        if self.noise.absent:
            return None
        if epsilon is None and rho is None and sum_of_tables is not None:  # the sum of the tables' budgets
            in_rho = self.noise.only_deltas or self.counted_in == "rho"
            epsilon, rho = (None, sum_of_tables) if in_rho else (rounded_down(sum_of_tables), None)
        if rho is None:
            return None if self.counted_in == "rho" else epsilon
        if self.counted_in == "rho":
            return rounded_down(rho)
        if not self.noise.only_deltas:
            return None
        mu = IN_RHO.mu(rounded_down(rho), 0.0)
        return self.cached(("rho", rho), lambda: self.calibration.largest_epsilon(mu, self.delta or 0.0))

    @cached_property
    def noise(self) -> MechanismSet:
        return noise_of(self.tables)

    def missing(self) -> tuple[str, ...]:
        """Return the paths, within the release, of the unanswered fields that every decision needs."""
        tables = self.tables
        statistic = ["statistic"] if any(table.statistic is None for table in tables) else []
        missing = [name for name in (*statistic, "neighbours", "unit") if getattr(self, name) is None]
        missing += [path.removeprefix(f"{WHOLE}.") for table in tables for path in table.missing(table.needs)]
        missing += ["delta"] if self.noise.needs_delta and self.delta is None and self.counted_in == "epsilon" else []
        missing.sort(key=lambda path: "[" in path)  # fields of the release come before those of its rows
        for index, division in enumerate(self.divisions):
            missing += [f"divisions[{index}].{name}" for name in division.missing()]
        for index, earlier in enumerate(self.spent):
            missing += [f"spent[{index}].{name}" for name in earlier.missing()]
        return tuple(missing)

    @property
    def adds_up(self) -> bool:
        return self.adding_up == "least_squares"

    @property
    def processing(self) -> tuple[PostProcessing, ...]:
        """Return the post-processing of the noisy figures, adding up included."""
        adds_consistency = self.adds_up and "consistency" not in self.post_processing
        return (*self.post_processing, *(("consistency",) if adds_consistency else ()))

    def counts_spent(self) -> bool:
        """Return whether priors are those before earlier releases with a privacy cost, or with an unknown one."""
        return self.priors_from == "before_all" and not all(earlier.nothing for earlier in self.spent)

    @property
    def rows(self) -> int:
        """Return the most rows of one unit: `contributions`, or `cap` if that is larger."""
        return max(self.contributions, self.cap or 1)

    @property
    def units_of_a_person(self) -> int | None:
        """Return how many privacy units one person may have in the data; None if that is not stated."""
        if self.slices_per_person is not None:
            return self.slices_per_person
        # a unit that holds all data of a person is the only one
        one_unit = self.slice == "none" or (self.slice is None and self.unit_kind is not None)
        return 1 if one_unit and self.unit_kind in (None, "person", "household") else None

    @property
    def has_separate_units(self) -> bool:
        """Return whether the units of a person are in different figures: slices of time, each of which is a release."""
        return self.slice in OVER_TIME and self.unit_kind not in PARTS_OF_PERSON

    # ------------------------------------------------------------------------------ total cost

    def cost(self, epsilon: float) -> float:
        """Return the privacy loss of all repetitions at EPSILON under the declared relation, rounded up."""
        return product_up(epsilon, self.repetitions)

    def spent_before(self) -> float | None:
        """Return the loss of earlier releases under the declared relation, rounded up; None if it is unknown."""
        losses = self._earlier_losses()
        return None if losses is None else up(math.fsum(losses), 1)

    def cost_in_all(self, epsilon: float) -> float | None:
        """Return the loss of this release at EPSILON and all earlier ones, rounded up; None if it is unknown."""
        losses = self._earlier_losses()
        if losses is None:
            return None
        return written_up(sum(map(decimal, losses), decimal(epsilon) * self.repetitions))

    def _earlier_losses(self) -> list[float] | None:
        """Return the loss of each earlier release in this release's unit; None if one is unknown."""
        if self.neighbours is None:
            return None
        losses = []
        for earlier in self.spent:
            curve = earlier.curve(self.neighbours) if self.counted_in == "rho" else None
            rho = None if curve is None else curve.zcdp
            loss = rho if self.counted_in == "rho" else earlier.loss(self.neighbours)
            if loss is None:
                return None
            losses.append(loss)
        return losses

    def delta_in_all(self) -> float | None:
        """Return the delta of all repetitions, rounded up: 0 without Gaussian noise, None if it is not stated."""
        if not self.noise.needs_delta:
            return 0.0
        return None if self.delta is None else min(1.0, product_up(self.delta, self.repetitions))

    def delta_before(self) -> float:
        """Return the sum of the deltas of earlier releases, rounded up."""
        return written_up(sum((decimal(entry.delta) for entry in self.spent if entry.delta), start=Fraction(0)))

    # ------------------------------------------------------------------------------ inputs of requirements

    def privacy_setting(
        self,
        pair: NeighbouringPair | None = None,
        *,
        of_noise: bool = False,
        before_all: bool = False,
        in_epsilon: bool = True,
    ) -> PrivacyInputs | tuple[str, ...]:
        """Return the inputs of a privacy requirement for the neighbouring PAIR (None: the declared relation).

        of_noise: whether the requirement is about the noisy figure itself, which post-processing changes; before_all:
        whether earlier releases count whatever the priors refer to; in_epsilon: whether it uses the loss as an epsilon,
        for which Gaussian noise needs a delta. Returns the paths of unanswered fields instead if some are needed.
        """
        noise = noise_of(move.table for move in self.histories.moves)
        answered = {
            "neighbours": self.neighbours is not None,
            "mechanism": bool(noise.each),
            "delta": self.delta is not None or not noise.needs_delta or (self.counted_in == "rho" and not in_epsilon),
        }
        if self.neighbours is None or not all(answered.values()):
            return tuple(f"$.release.{name}" for name, known in answered.items() if not known)
        compared = pair or (AddOrRemoveOne() if self.neighbours == "add_remove" else ReplaceOne())
        counts_earlier = before_all or self.priors_from == "before_all"
        return PrivacyInputs(
            pair=compared,
            loss=self.loss(compared, counts_earlier),
            value_loss=self.loss(compared.whole, counts_earlier),
            tables=self.noisy,
            declared=self.neighbours,
            delta=self.delta,
            dimension=self._released_numbers,
            repetitions=self.repetitions,
            contributions=self.rows,
            post_processed=of_noise and bool(self.processing),
            grain=self._largest_grain(compared),
        )

    def _largest_grain(self, pair: NeighbouringPair) -> float | None:
        """Return the largest `grain` of the tables that PAIR affects; None if one changes by any small amount."""
        tables = (move.table for move in self.histories.moves)
        grains = (table.grain() or 0.0 for table in tables if pair.sensitivity_ratio(table) != 0.0)
        return self.cached(("grain", pair), lambda: max(grains, default=0.0) or None)

    @cached_property
    def _released_numbers(self) -> int:
        released = sum(table.dimension * table.times_released * alike for table, _, alike in self.histories.moves)
        return max(self.dimension, released)

    def loss(self, pair: NeighbouringPair, before_all: bool = False) -> ComposedLoss:
        """Return the privacy loss of the tables for PAIR; with BEFORE_ALL, earlier releases included."""
        return self.cached(
            (pair, before_all and bool(self.spent)),
            lambda: loss_of(
                pair,
                self.histories,
                earlier=self.spent if before_all else (),
                exact=self.exact,
                repetitions=self.repetitions,
                delta=self.delta,
                calibration=self.calibration,
            ),
        )

    @cached_property
    def calibration(self) -> Calibration:
        """Return how the budget converts to mu, the distance of Gaussian noise in standard deviations."""
        return calibration_of(self.histories, self._released_numbers, self.counted_in == "rho")

    def cached(self, key: Hashable, compute: Callable[[], Answer]) -> Answer:
        """Return the result of COMPUTE, which is called once per KEY."""
        if key not in self._cache:
            self._cache[key] = compute()
        return cast(Answer, self._cache[key])

    @cached_property
    def _cache(self) -> dict[Hashable, Any]:
        return {}

    def number_setting(self, part: str | None = None) -> AccuracyInputs | tuple[str, ...]:
        """Return the inputs of an accuracy requirement on PART (None: the only table), or the unanswered fields."""
        table = self.table(part)
        share = self.cached("gaussian share", lambda: gaussian_share(self.histories))
        return ("part",) if table is None else number_of(table, self.calibration, share)
