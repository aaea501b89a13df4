"""The base of accuracy requirements: each is on a number of a table, and sets the least budget."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, model_validator

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.stopping import may_stop
from dpwizard.base.values import ShortText, Value, field
from dpwizard.decision.adding_up import Group, is_rounded, setting_after_adding_up, sums_of, unknown_noise_reason
from dpwizard.decision.names import unknown_name, unknown_table
from dpwizard.decision.reasons import Check, Reason, missing
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import (
    BaseRequirement,
    Limit,
    Setting,
    Side,
    beyond_reach,
    converted_limit,
    epsilon_limit,
    no_limit,
)
from dpwizard.decision.settings import AccuracyInputs, EachTable
from dpwizard.decision.stated import MOST_NAMES, MOST_PARTS
from dpwizard.decision.tables import Statistic as TableStatistic
from dpwizard.decision.tables import Table
from dpwizard.privacy.accuracy import CLOSE_OF_SUMS, NumberNoise, Statistic, farthest, least_budget
from dpwizard.privacy.mechanisms import MechanismName

WORDS = ("level", "group", "year", "period", "statistic", "mechanism")  # the properties of which a table has one each


class Where(Value):
    """The properties that the tables of a requirement have in common."""

    level: ShortText | None = field("Level", "Tables of this level.", editor="level")
    group: ShortText | None = field("Group", "Tables of this group.", editor="group")
    year: ShortText | None = field("Year", "Tables of this year.")
    period: ShortText | None = field("Period", "Tables of this period.")
    statistic: TableStatistic | None = field("Statistic", "Tables with this statistic.")
    mechanism: MechanismName | None = field("Mechanism", "Tables with this noise.")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "Tables that are broken down by exactly these, in any order.", editor="attributes"
    )
    parts: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] | None = field(
        "Tables", "Tables of these names.", editor="other_tables"
    )

    @model_validator(mode="after")
    def _states_year_or_period(self) -> Where:
        if self.year is not None and self.period is not None:
            raise InvalidInput("does not go with year", "period", "Name the year or the period of the tables.")
        return self

    @property
    def given(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the stated properties, each with its field."""
        for name in type(self).model_fields:
            words = getattr(self, name)
            if words is not None:
                yield name, words if isinstance(words, tuple) else (words,)

    def matches(self, table: Table) -> bool:
        """Return whether TABLE has all stated properties."""
        if self.reads is not None and (table.reads is None or set(table.reads) != set(self.reads)):
            return False
        if self.parts is not None and table.name not in self.parts:
            return False
        return all(getattr(self, name) in (None, getattr(table, name)) for name in WORDS)

    def tables(self, release: Release) -> tuple[Table, ...]:
        return release.cached((self, "tables"), lambda: tuple(table for table in release.tables if self.matches(table)))

    def unknown_words(self, release: Release) -> Iterator[Reason]:
        """Yield the properties that no table of RELEASE has, or that no table has together."""
        unknown = release.cached((self, "unknown"), lambda: tuple(self._unknown_words_of(release.tables)))
        yield from unknown
        if not unknown and not self.tables(release):
            yield Reason(key="no_table_matches", where="where")

    def _unknown_words_of(self, tables: Iterable[Table]) -> Iterator[Reason]:
        has = {name: [str(getattr(table, name) or "") for table in tables] for name in WORDS}
        has |= {"reads": [name for table in tables for name in table.reads or ()]}
        has |= {"parts": [table.name or "" for table in tables]}
        for name, words in self.given:
            for word in words:
                yield from unknown_name("word", word, (each for each in has[name] if each), f"where.{name}")


Answer = TypeVar("Answer")
LEAST, LARGEST = 1e-9, 1e6  # the search range of the joint budget of several tables
NEAR = 4e-4  # relative precision of that search if each step is slow
About = Literal["all", "each", "typical", "threshold"]


class AccuracyRequirement(BaseRequirement):
    """The base of requirements on one published number: its table, and the fields that all of them share."""

    end: ClassVar[Side] = "lower"
    step: ClassVar[str] = "accuracy"
    source: ClassVar[str] = "the distribution of the noise (docs/methods/accuracy.md)"
    about: ClassVar[About]  # the group in which the window offers it
    asks: ClassVar[type[Statistic]]  # the statistic, with fields of the same names
    gives: ClassVar[str] = "probability"  # the name of its figure at a budget
    bound: ClassVar[str] = "at_most"  # the field with the required value
    measured: ClassVar[Mapping[str, float] | None] = None  # sample answers for a figure without it
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({})  # the first answers of its sentence
    after_adding_up: ClassVar[str] = ""  # why it does not apply to numbers that add up; empty: it does
    of_variance: ClassVar[bool] = False  # whether it depends on the variance alone
    width: ClassVar[str] = ""  # the field that grows when it is relaxed

    part: ShortText | None = field("Table", "Which of several tables this requirement is about.", editor="table")

    where: Where | None = field("Tables", "Instead of one table: every table that has all these words.")

    @model_validator(mode="after")
    def _states_tables_once(self) -> AccuracyRequirement:
        if self.where is not None and self.part is not None:
            raise InvalidInput("does not go with part", "where", "Name one table as part, or several by where.")
        return self

    @property
    def key(self) -> str:
        return str(type(self).model_fields["kind"].default)

    def setting(self, release: Release) -> AccuracyInputs | EachTable | tuple[str, ...]:
        if self.where is None:
            table = release.table(self.part)
            return release.number_setting(self.part) if table is None else self._table_setting(release, table)
        tables = self.read_tables(release)
        noisy = tuple(table for table in tables if not table.noise.absent) or tables  # exact ones meet it
        each: list[tuple[str | None, AccuracyInputs]] = []
        for table in noisy:
            inputs = self._table_setting(release, table)
            if isinstance(inputs, tuple):
                return inputs
            each.append((table.name, inputs))
        return EachTable(each=tuple(each)) if each else ("where",)

    def _table_setting(self, release: Release, table: Table) -> AccuracyInputs | tuple[str, ...]:
        inputs = setting_after_adding_up(release, table.name)
        return inputs if isinstance(inputs, tuple) else self.summed(inputs)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        return (*super().inapplicable_fields(release), *(("part",) if self.where is not None else ()))

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        yield from unknown_table(release, self.part, "part")
        if self.where is not None:
            yield from self.where.unknown_words(release)

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why it cannot apply to RELEASE, also because of numbers that add up; None if it can."""
        blocked, sums = super().blocked_limit(release), sums_of(release)
        if blocked is not None:
            return blocked
        if sums.flaws:
            return Limit(status="unanswered", why=sums.flaws[0], grounds=None)
        for group, at in (sums.of[table.name] for table in self.read_tables(release) if table.name in sums.of):
            key = self._unknown_noise_reason(release, group, at)
            if key:
                return beyond_reach(missing("post_processing", key))
        return None

    def _unknown_noise_reason(self, release: Release, group: Group, at: int) -> str:
        normal = not self.is_sum() or all(table.noise.normal for _, table in group.noisy)
        rounded = "rounding" in release.post_processing and group.whole
        reasons = {
            self.after_adding_up: True,
            unknown_noise_reason(release, group, at): True,
            "sum_errors_depend": not normal and (rounded or not self.of_variance),
        }
        return next((key for key, holds in reasons.items() if key and holds), "")

    def slow(self, setting: Setting | tuple[str, ...]) -> bool:
        inputs = [table for _, table in setting.each] if isinstance(setting, EachTable) else [setting]
        added_up = (table.added_up for table in inputs if isinstance(table, AccuracyInputs))
        return super().slow(setting) or any(table is not None and not table.normal for table in added_up)

    def summed(self, setting: AccuracyInputs) -> AccuracyInputs:
        """Return SETTING of its table with the number of cells in its sum."""
        return setting

    def cells_in_all(self) -> int:
        return 1

    def is_sum(self) -> bool:
        """Return whether it is on a sum of several numbers."""
        return self.cells_in_all() > 1

    def read_tables(self, release: Release) -> tuple[Table, ...]:
        if self.where is not None:
            return self.where.tables(release)
        table = release.table(self.part)
        return () if table is None else (table,)

    def asks_each(self, release: Release) -> tuple[Table, ...]:
        """Return the tables of RELEASE that must each meet it."""
        return self.read_tables(release)

    def assumed(self, release: Release) -> tuple[str, ...]:
        # the limit considers noise alone, and rounding may add a larger error. Clamping adds none to counts and sums of
        # amounts of 0 or more: |max(x, 0) - t| <= |x - t| for t >= 0
        tables, sums = self.read_tables(release), sums_of(release)
        counts = all(table.statistic in ("count", "histogram") for table in tables)
        lowest = release.lowest if release.each_number == "sum" and len(release.tables) == 1 else None
        amounts = lowest is not None and lowest >= 0.0
        processing = set(release.post_processing) - ({"clamping"} if counts or amounts or self.is_sum() else set())
        clamped = self.is_sum() and "clamping" in release.post_processing
        groups = [sums.of[table.name][0] for table in tables if table.name in sums.of]
        rounded = bool(groups) and all(is_rounded(release, group) for group in groups)
        processing -= {"consistency"} if groups else set()  # adding up is included in the noise
        processing -= {"rounding"} if rounded else set()
        holds_for = {
            "totals_printed": clamped,
            "rounded_to_whole": rounded,
            "processing_adds_no_error": bool(processing),
        }
        return (*self.assumptions, *(key for key, holds in holds_for.items() if holds))

    def checks(self, release: Release, setting: Setting | tuple[str, ...]) -> tuple[Check, ...]:
        known: tuple[Check, ...] = ("tables", "repetitions", "whole_numbers", "post_processing")
        return () if isinstance(setting, tuple) else known

    def limit(self, setting: AccuracyInputs | EachTable) -> Limit:
        """Return the limit under SETTING; of several tables the largest, named in `binding`.

        A table for which no budget suffices, or whose limit is unknown, decides for all.
        """
        if not isinstance(setting, EachTable):
            return self.limit_on_table(setting)
        limits = {inputs: self.limit_on_table(inputs) for inputs in dict.fromkeys(inputs for _, inputs in setting.each)}
        named = (
            replace(limits[inputs], binding={**limits[inputs].binding, "part": name}) for name, inputs in setting.each
        )
        return max(named, key=_strictness)

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is None:
            return no_limit("not_applicable", "exact_has_no_noise")
        if setting.noise_step != 1.0:
            return no_limit("not_applicable", "noise_in_steps", step=setting.noise_step)
        if setting.added_up is not None and not (setting.is_sum and setting.added_up.normal):
            return self.limit_of_release(setting)
        try:  # the smallest budget of one number, never below the true minimum
            delta = setting.delta or 0.0
            budget = least_budget(self.statistic(setting), setting.noise, setting.sensitivity, delta, setting.cells)
        except Infeasible as problem:
            return no_limit("infeasible", "no_noise_is_small_enough", reason=problem.message)
        if math.isinf(budget):
            return no_limit("infeasible", "no_noise_is_small_enough", reason="")
        if setting.fixed is not None:  # the noise does not depend on the budget
            return self._limit_of_fixed(setting, budget)
        return converted_limit(budget, setting.need, f"{self.key}_needs", attained=True, unique=True)

    def limit_of_release(self, setting: AccuracyInputs) -> Limit:
        """Return the least budget of the release at which the joint noise of several tables is small enough."""
        statistic, key = self.statistic(setting), f"{self.key}_needs"
        if not _is_met(statistic, setting, LARGEST):
            return no_limit("infeasible", "no_noise_is_small_enough", reason="")
        takes_long = setting.added_up is not None and not setting.added_up.normal and not setting.is_sum
        close = NEAR if takes_long else CLOSE_OF_SUMS
        budget = 0.0 if _is_met(statistic, setting, 0.0) else _least_budget(statistic, setting, close)
        error = NEAR * budget if takes_long else None
        return epsilon_limit(budget, key, error=error, attained=True, unique=True)

    def met_at(self, setting: Any, epsilon: float) -> bool | None:
        """Return whether EPSILON meets it, checked directly: a larger budget is not proved to be more accurate."""
        each = {inputs for _, inputs in setting.each} if isinstance(setting, EachTable) else {setting}
        if all(inputs.added_up is None or inputs.added_up.normal for inputs in each):
            return None
        noises = ((inputs, inputs.noise_at(epsilon)) for inputs in each)
        return all(noise is None or self.statistic(inputs).met(noise) for inputs, noise in noises)

    def _limit_of_fixed(self, setting: AccuracyInputs, budget: float) -> Limit:
        stated = setting.epsilon_of_number(budget)
        if budget > stated:
            return no_limit("infeasible", "states_too_little", needed=budget, stated=stated)
        return no_limit("unbounded", "states_enough", needed=budget, stated=stated)

    def statistic(self, setting: AccuracyInputs) -> Statistic:
        """Return the statistic of the noise that it limits."""
        return self.asks(**self.asked())

    def at(self, setting: AccuracyInputs | EachTable, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return the figures of the noise at the release's EPSILON; of several tables, those of the limiting one."""
        inputs = setting.of(limit.binding.get("part")) if isinstance(setting, EachTable) else setting
        return self.at_table(inputs, epsilon)

    def at_table(self, setting: AccuracyInputs, epsilon: float) -> Mapping[str, Any]:
        noise = setting.noise_at(epsilon)
        return {} if noise is None else self.figures(noise, setting)

    def figures(self, noise: NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        """Return the figures of NOISE, by name."""
        return {self.gives: self.statistic(setting).value(noise)}


def _strictness(limit: Limit) -> tuple[int, float]:
    rank = {"unbounded": 0, "allowed": 1, "infeasible": 2}.get(limit.status, 3)
    return rank, (limit.epsilon or 0.0) if limit.status == "allowed" else 0.0


def given(answer: Answer | None) -> Answer:
    """Return ANSWER, which is not None: a requirement with open fields is never solved."""
    assert answer is not None
    return answer


def _is_met(statistic: Statistic, setting: AccuracyInputs, budget: float) -> bool:
    may_stop()
    noise = setting.noise_at(budget)
    return noise is not None and statistic.met(noise)


@lru_cache(maxsize=512)  # a record is solved again when it is signed, checked and exported
def _least_budget(statistic: Statistic, setting: AccuracyInputs, close: float) -> float:
    """Return the least budget that meets STATISTIC, above 0; one smaller by CLOSE, relative, does not."""

    def noise_at(inverse: float) -> NumberNoise:
        may_stop()
        return given(setting.noise_at(1.0 / inverse))

    return 1.0 / farthest(statistic, noise_at, 1.0 / LARGEST, 1.0 / LEAST, close)
