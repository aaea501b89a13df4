"""Accuracy requirements on a sum or a difference of published numbers, of one table or of several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import ShortText, Value, field
from dpwizard.decision.accuracy_requirement import AccuracyRequirement
from dpwizard.decision.names import unknown_table
from dpwizard.decision.reasons import Reason, missing
from dpwizard.decision.release import Release
from dpwizard.decision.requirement import Limit, beyond_reach, no_limit
from dpwizard.decision.settings import AccuracyInputs, EachTable
from dpwizard.decision.stated import MOST_PARTS
from dpwizard.decision.tables import Table
from dpwizard.privacy.accuracy import Cells
from dpwizard.privacy.mechanisms import LAPLACE, mechanism_named


class OfCells(AccuracyRequirement):
    """The base of requirements on a sum, or a difference, of several numbers of a table."""

    cells: Cells | None = field(
        "Numbers added up",
        "The requirement is about the sum, or a difference, of this many numbers of the table. If empty: "
        "about one number.",
        unit="numbers",
    )

    def cells_in_all(self) -> int:
        return self.cells or 1

    def summed(self, setting: AccuracyInputs) -> AccuracyInputs:
        return setting if self.cells is None else replace(setting, cells=self.cells)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        has_no_choice = self.cells is None and all(table.dimension == 1 for table in self.read_tables(release))
        return (*super().inapplicable_fields(release), *(("cells",) if has_no_choice else ()))

    def blocked_limit(self, release: Release) -> Limit | None:
        """Return why RELEASE allows none, also as sums of clamped or added-up numbers have another error."""
        blocked = super().blocked_limit(release)
        if blocked is not None or not self.is_sum():
            return blocked
        if "consistency" in release.post_processing:
            return beyond_reach(missing("post_processing", "sum_errors_depend"))
        if "clamping" in release.post_processing and not release.totals_printed:
            return beyond_reach(missing("post_processing", "clamped_sums"))
        return None

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if 1 < setting.numbers < setting.cells:
            return no_limit("not_applicable", "more_cells_than_numbers", cells=setting.cells, numbers=setting.numbers)
        return super().limit_on_table(setting)

    def at_table(self, setting: AccuracyInputs, epsilon: float) -> Mapping[str, Any]:
        figures = super().at_table(setting, epsilon)
        if not figures or not setting.is_sum:
            return figures
        return {**figures, "cells": setting.cells + sum(table.cells for table in setting.beside)}


class Summand(Value):
    """A table and how many of its numbers are in a sum over several tables."""

    part: ShortText | None = field("Table", "The table whose numbers are added up.", editor="table")
    cells: Cells = field("Numbers added up", "How many of its numbers.", default=1, unit="numbers")


class OfASum(OfCells):
    """The base of requirements that can also be on a sum over several tables."""

    sum_of: Annotated[tuple[Summand, ...], Field(max_length=MOST_PARTS)] | None = field(
        "Sum over tables", "Instead of one table: the tables whose numbers are added up, and how many of each."
    )

    @model_validator(mode="after")
    def _states_one_sum(self) -> OfASum:
        other = next((name for name in ("part", "where", "cells") if getattr(self, name) is not None), "")
        if self.sum_of and other:
            raise InvalidInput(
                message("does not go with {name}: the tables of a sum stand here alone", name=other),
                "sum_of",
                message("Remove {name}, or sum_of.", name=other),
            )
        return self

    def cells_in_all(self) -> int:
        return sum(summand.cells for summand in self.sum_of) if self.sum_of else super().cells_in_all()

    def missing(self) -> tuple[str, ...]:
        open_parts = (f"sum_of[{at}].part" for at, summand in enumerate(self.sum_of or ()) if summand.part is None)
        return (*super().missing(), *open_parts)

    def inapplicable_fields(self, release: Release) -> tuple[str, ...]:
        if self.sum_of:
            return (*super().inapplicable_fields(release), "part", "cells")
        has_no_choice = len(release.tables) < 2 or self.where is not None
        return (*super().inapplicable_fields(release), *(("sum_of",) if has_no_choice else ()))

    def unknown_names(self, release: Release) -> Iterator[Reason]:
        yield from super().unknown_names(release)
        for at, summand in enumerate(self.sum_of or ()):
            yield from unknown_table(release, summand.part, f"sum_of[{at}].part")

    def read_tables(self, release: Release) -> tuple[Table, ...]:
        if not self.sum_of:
            return super().read_tables(release)
        tables = (release.table(summand.part) for summand in self.sum_of)
        return tuple(table for table in tables if table is not None)

    def asks_each(self, release: Release) -> tuple[Table, ...]:
        return () if self.sum_of else super().asks_each(release)

    def setting(self, release: Release) -> AccuracyInputs | EachTable | tuple[str, ...]:
        if not self.sum_of:
            return super().setting(release)
        cells: Counter[str | None] = Counter()
        for summand in self.sum_of:
            cells[summand.part] += summand.cells  # a table named twice gives different numbers
        settings: list[AccuracyInputs] = []
        for part, count in cells.items():
            table = release.table(part)
            if table is not None and table.noise.absent:
                continue  # an exact number adds no error to the sum
            setting = release.number_setting(part) if table is None else self._table_setting(release, table)
            if isinstance(setting, tuple):
                return setting
            settings.append(replace(setting, cells=count))
        if not settings:
            return release.number_setting(self.sum_of[0].part)
        return replace(settings[0], beside=tuple(settings[1:]))

    def limit_on_table(self, setting: AccuracyInputs) -> Limit:
        if not setting.beside:
            return super().limit_on_table(setting)
        tables = (setting, *setting.beside)
        for table in tables:
            if 1 < table.numbers < table.cells:
                return no_limit("not_applicable", "more_cells_than_numbers", cells=table.cells, numbers=table.numbers)
            if table.noise_step != 1.0:
                return no_limit("not_applicable", "noise_in_steps", step=table.noise_step)
        if len({mechanism_named(table.mechanism).integer_valued for table in tables}) > 1:
            return no_limit("not_applicable", "sum_of_mixed_noise")
        scales = {table.scale(1.0) for table in tables if table.mechanism == LAPLACE.name}
        if len(scales) > 1 and not self.of_variance:
            return no_limit("not_applicable", "sum_of_several_scales")
        return self.limit_of_release(setting)
