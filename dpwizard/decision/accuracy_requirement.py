"""What requirements of accuracy share: each speaks of one number of one table, and gives the least budget it needs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic import Field, model_validator

from dpwizard.base.errors import Infeasible, InvalidInput
from dpwizard.base.numerics import smallest
from dpwizard.base.stopping import may_stop
from dpwizard.base.values import ShortText, Value, field
from dpwizard.decision.adding_up import Group, is_rounded, setting_after_adding_up, sums_of, unknown_noise_reason
from dpwizard.decision.names import unknown_table, unknown_word
from dpwizard.decision.reasons import Reason, missing
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import BaseRequirement, Limit, Setting, Side, beyond_reach, epsilon_limit, no_limit
from dpwizard.decision.settings import AccuracyInputs, EachTable
from dpwizard.decision.stated import MOST_NAMES, MOST_PARTS
from dpwizard.decision.tables import Statistic as TableStatistic
from dpwizard.decision.tables import Table
from dpwizard.privacy.accuracy import NumberNoise, Statistic, farthest, least_budget
from dpwizard.privacy.mechanisms import MechanismName, Noise

WORDS = ("level", "group", "year", "period", "statistic", "mechanism")  # what a table has one of


class Where(Value):
    """What the tables of a need have in common: each word that is given, all of them."""

    level: ShortText | None = field("Level", "Tables of this level.", editor="level")
    group: ShortText | None = field("Group", "Tables of this group.", editor="group")
    year: ShortText | None = field("Year", "Tables of this year.")
    period: ShortText | None = field("Period", "Tables of this period.")
    statistic: TableStatistic | None = field("Statistic", "Tables that hold this.")
    mechanism: MechanismName | None = field("Mechanism", "Tables with this noise.")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "Tables that are broken down by just these, in any order.", editor="attributes"
    )
    parts: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] | None = field(
        "Tables", "Tables of these names.", editor="other_tables"
    )

    @model_validator(mode="after")
    def _names_one_time(self) -> Where:
        if self.year is not None and self.period is not None:
            raise InvalidInput("does not go with year", "period", "Name the year or the period of the tables.")
        return self

    @property
    def given(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield the words that are given, each with its field."""
        for name in type(self).model_fields:
            words = getattr(self, name)
            if words is not None:
                yield name, words if isinstance(words, tuple) else (words,)

    def matches(self, table: Table) -> bool:
        """Return whether TABLE has all the words given."""
        if self.reads is not None and (table.reads is None or set(table.reads) != set(self.reads)):
            return False
        if self.parts is not None and table.name not in self.parts:
            return False
        return all(getattr(self, name) in (None, getattr(table, name)) for name in WORDS)

    def tables(self, release: Release) -> tuple[Table, ...]:
        """Return the tables of RELEASE that match, in their order."""
        return release.cached((self, "tables"), lambda: tuple(table for table in release.tables if self.matches(table)))

    def unknown_words(self, release: Release) -> Iterator[Reason]:
        """Yield the words that no table of RELEASE has, each with the nearest; or that no table has all of them."""
        found = release.cached((self, "unknown"), lambda: tuple(self._unknown(release.tables)))
        yield from found
        if not found and not self.tables(release):
            yield Reason(key="no_table_matches", where="where")

    def _unknown(self, tables: Iterable[Table]) -> Iterator[Reason]:
        has = {name: [str(getattr(table, name) or "") for table in tables] for name in WORDS}
        has |= {"reads": [name for table in tables for name in table.reads or ()]}
        has |= {"parts": [table.name or "" for table in tables]}
        for name, words in self.given:
            for word in words:
                unknown = unknown_word(word, (each for each in has[name] if each), f"where.{name}")
                if unknown is not None:
                    yield unknown


Answer = TypeVar("Answer")
LEAST, LARGEST = 1e-9, 1e6  # the budgets among which that of several tables together is looked for
NEAR = 4e-4  # relative: how closely that search closes in where each reading takes long
About = Literal["all", "each", "typical", "threshold"]


class AccuracyRequirement(BaseRequirement):
    """What requirements on one published number share: its part, and the answers that hold for all of them."""

    end: ClassVar[Side] = "lower"
    step: ClassVar[str] = "accuracy"
    source: ClassVar[str] = "the distribution of the noise (docs/methods/accuracy.md)"
    about: ClassVar[About]  # what it speaks of, by which needs are offered
    asks: ClassVar[type[Statistic]]  # of the noise, by fields of the same names
    gives: ClassVar[str] = "probability"  # what its statistic is called among the figures of a budget
    bound: ClassVar[str] = "at_most"  # the field that says what is asked for
    measured: ClassVar[Mapping[str, float] | None] = None  # the answers with which it is shown where nobody asks for it
    begins: ClassVar[Mapping[str, float]] = MappingProxyType({})  # what its sentence begins with, to be changed
    after_adding_up: ClassVar[str] = ""  # why it says nothing of numbers that were made to add up; empty: it does
    of_variance: ClassVar[bool] = False  # whether it asks for the variance alone
    width: ClassVar[str] = ""  # the field that grows where the need is widened; none where it is a chance

    part: ShortText | None = field("Part", "Which table of a publication of several this speaks of.", editor="table")

    where: Where | None = field("Tables", "Instead of a part: each table that has all these words.")

    @model_validator(mode="after")
    def _names_its_tables_once(self) -> AccuracyRequirement:
        if self.where is not None and self.part is not None:
            raise InvalidInput("does not go with part", "where", "Name one table as part, or several by where.")
        return self

    @property
    def key(self) -> str:
        """Return its kind, with which the keys of its sentences begin."""
        return str(type(self).model_fields["kind"].default)

    def setting(self, release: Release) -> Setting | tuple[str, ...]:
        if self.where is None:
            table = release.table(self.part)
            return release.number_setting(self.part) if table is None else self._of_table(release, table)
        tables = self.read_tables(release)
        noisy = tuple(table for table in tables if not table.noise.absent) or tables  # what is exact meets every need
        each: list[tuple[str | None, AccuracyInputs]] = []
        for table in noisy:
            found = self._of_table(release, table)
            if isinstance(found, tuple):
                return found
            each.append((table.name, found))
        return EachTable(each=tuple(each)) if each else ("where",)

    def _of_table(self, release: Release, table: Table) -> AccuracyInputs | tuple[str, ...]:
        """Return the noise on a published number of TABLE, or the fields it depends on that have no answer yet."""
        found = setting_after_adding_up(release, table.name)
        return found if isinstance(found, tuple) else self.summed(found)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        return (*super().inapplicable_fields(release), *(("part",) if self.where is not None else ()))

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        found = unknown_table(release, self.part, "part")
        if found is not None:
            yield found
        if self.where is not None:
            yield from self.where.unknown_words(release)

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return the same, or why nothing is said of numbers that are made to add up."""
        found, sums = super().blocked_limit(release), sums_of(release)
        if found is not None:
            return found
        if sums.flaws:
            return Limit(status="unanswered", why=sums.flaws[0], grounds=None)
        for group, at in (sums.of[table.name] for table in self.read_tables(release) if table.name in sums.of):
            key = self._unknown_noise_reason(release, group, at)
            if key:
                return beyond_reach(missing("post_processing", key))
        return None

    def _unknown_noise_reason(self, release: Release, group: Group, at: int) -> str:
        """Return why nothing is said of the table at position AT of GROUP; nothing where something is."""
        normal = not self.is_sum() or all(table.noise.normal for _, table in group.noisy)
        rounded = "rounding" in release.post_processing and group.whole
        found = {
            self.after_adding_up: True,
            unknown_noise_reason(release, group, at): True,
            "sum_errors_depend": not normal and (rounded or not self.of_variance),
        }
        return next((key for key, holds in found.items() if key and holds), "")

    def slow(self, setting: Setting | tuple[str, ...]) -> bool:
        each = [one for _, one in setting.each] if isinstance(setting, EachTable) else [setting]
        found = (one.added_up for one in each if isinstance(one, AccuracyInputs))
        return super().slow(setting) or any(one is not None and not one.normal for one in found)

    def summed(self, setting: AccuracyInputs) -> AccuracyInputs:
        """Return SETTING of its table with how many of the numbers it speaks of: one, or their sum."""
        return setting

    def cells_in_all(self) -> int:
        """Return of how many numbers it asks the sum."""
        return 1

    def is_sum(self) -> bool:
        """Return whether it speaks of a sum of several numbers."""
        return self.cells_in_all() > 1

    def read_tables(self, release: Release) -> tuple[Table, ...]:
        """Return the tables of RELEASE that it speaks of."""
        if self.where is not None:
            return self.where.tables(release)
        table = release.table(self.part)
        return () if table is None else (table,)

    def asks_each(self, release: Release) -> tuple[Table, ...]:
        """Return the tables of RELEASE each of which has to meet it by itself."""
        return self.read_tables(release)

    def assumed(self, release: Release) -> tuple[str, ...]:
        # a need is computed from the noise alone: rounding to tens may bring a larger error than all of it. A count, or
        # a sum of amounts of 0 or more, is never further off when shown as 0: |max(x, 0) - t| <= |x - t| for t >= 0
        tables, sums = self.read_tables(release), sums_of(release)
        counts = all(table.statistic in ("count", "histogram") for table in tables)
        lowest = release.lowest if release.each_number == "sum" and len(release.tables) == 1 else None
        amounts = lowest is not None and lowest >= 0.0
        done = set(release.post_processing) - ({"clamping"} if counts or amounts or self.is_sum() else set())
        clamped = self.is_sum() and "clamping" in release.post_processing
        groups = [sums.of[table.name][0] for table in tables if table.name in sums.of]
        rounded = bool(groups) and all(is_rounded(release, group) for group in groups)
        done -= {"consistency"} if groups else set()  # what adding up does is computed
        done -= {"rounding"} if rounded else set()
        found = {"totals_printed": clamped, "rounded_to_whole": rounded, "processing_adds_no_error": bool(done)}
        return (*self.assumptions, *(key for key, holds in found.items() if holds))

    def limit(self, setting: AccuracyInputs) -> Limit:
        if setting.noise is None:
            return no_limit("not_applicable", "exact_has_no_noise")
        if setting.noise_step != 1.0:
            return no_limit("not_applicable", "noise_in_steps", step=setting.noise_step)
        if setting.added_up is not None and not (setting.is_sum and setting.added_up.normal):
            return self.limit_of_release(setting)
        try:
            budget = self.need(setting.noise, setting)
        except Infeasible as problem:
            return no_limit("infeasible", "no_noise_is_small_enough", reason=problem.message)
        if math.isinf(budget):
            return no_limit("infeasible", "no_noise_is_small_enough", reason="")
        if setting.fixed is not None:  # whatever the budget is, it gets what it states
            return self._of_fixed(setting, budget)
        return epsilon_limit(budget, f"{self.key}_needs", attained=True, unique=True)

    def limit_of_release(self, setting: AccuracyInputs) -> Limit:
        """Return the least budget of the release at which the noise of several tables together is small enough."""
        asked = self.statistic(setting)
        if not _met(asked, setting, LARGEST):
            return no_limit("infeasible", "no_noise_is_small_enough", reason="")
        key, certain = f"{self.key}_needs", {"of_release": True, "attained": True, "unique": True}
        if setting.added_up is not None and not setting.added_up.normal and not setting.is_sum:
            budget = _near_normal(asked, setting)
            return epsilon_limit(budget, key, error=NEAR * budget, **certain)
        if _met(asked, setting, 0.0):
            return epsilon_limit(0.0, key, **certain)

        def at(inverse: float) -> NumberNoise:
            may_stop()
            return given(setting.noise_at(1.0 / inverse))

        return epsilon_limit(1.0 / farthest(asked, at, 1.0 / LARGEST, 1.0 / LEAST), key, **certain)

    def met_at(self, setting: Any, epsilon: float) -> bool | None:
        """Return the same, by its own reading: no proof says that a budget above the least keeps such a need too."""
        each = {one for _, one in setting.each} if isinstance(setting, EachTable) else {setting}
        if all(one.added_up is None or one.added_up.normal for one in each):
            return None
        noises = ((one, one.noise_at(epsilon)) for one in each)
        return all(noise is None or self.statistic(one).met(noise) for one, noise in noises)

    def _of_fixed(self, setting: AccuracyInputs, budget: float) -> Limit:
        known = setting.epsilon_of_number(budget)
        if budget > known:
            return no_limit("infeasible", "states_too_little", needed=budget, stated=known)
        return no_limit("unbounded", "states_enough", needed=budget, stated=known)

    def statistic(self, setting: AccuracyInputs) -> Statistic:
        """Return what is asked of the noise."""
        return self.asks(**self.asked())

    def need(self, noise: Noise, setting: AccuracyInputs) -> float:
        """Return the smallest budget of one number to which NOISE is added; never below the true need.

        Raises Infeasible where no noise, however small, is accurate enough.
        """
        return least_budget(self.statistic(setting), noise, setting.sensitivity, setting.delta or 0.0, setting.cells)

    def at(self, setting: AccuracyInputs, limit: Limit, epsilon: float) -> Mapping[str, Any]:
        """Return what the noise comes to at the release's EPSILON."""
        noise = setting.noise_at(epsilon)
        return {} if noise is None else self.figures(noise, setting)

    def figures(self, noise: NumberNoise, setting: AccuracyInputs) -> Mapping[str, Any]:
        """Return what NOISE comes to, by name."""
        return {self.gives: self.statistic(setting).value(noise)}


def given(answer: Answer | None) -> Answer:
    """Return an ANSWER that there is: a requirement with open fields is never solved."""
    assert answer is not None
    return answer


def _met(asked: Statistic, setting: AccuracyInputs, budget: float) -> bool:
    """Return whether the noise on a number of SETTING, at the release's BUDGET, is as small as ASKED."""
    may_stop()
    noise = setting.noise_at(budget)
    return noise is not None and asked.met(noise)


@lru_cache(maxsize=512)  # a record is solved again where it is signed, checked and exported
def _near_normal(asked: Statistic, setting: AccuracyInputs) -> float:
    """Return the least budget by few readings, for each takes long: around what normal noise of that size needs."""

    def met_by_normal(budget: float) -> bool:
        noise = setting.noise_at(budget)
        return noise is not None and asked.met(noise.as_normal())

    high = smallest(met_by_normal, LEAST, LARGEST, NEAR)
    low, step = high / (1.0 + NEAR), 5.0 * NEAR
    while not _met(asked, setting, high) and high < LARGEST:
        low, high, step = high, min(LARGEST, high * (1.0 + step)), 4.0 * step
    while low > LEAST and _met(asked, setting, low):
        low, high, step = low / (1.0 + step), low, 4.0 * step
    return smallest(lambda budget: _met(asked, setting, budget), max(low, LEAST), high, NEAR)
