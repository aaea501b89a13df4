"""Periods of tables, and the sets of tables of several periods that one privacy unit can be in together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import Count, Value, field, refused
from dpwizard.privacy.programme import largest_sets

SIZES = {"month": 1, "quarter": 3, "year": 12}  # in months
_PERIOD = re.compile(r"(\d{4})(?:-(?:Q([1-4])|(0[1-9]|1[0-2])))?")


def months(period: str) -> tuple[int, int] | None:
    """Return the first and last month, counted from year 0, of a PERIOD such as 2025-Q1; None if it is none."""
    ends = []
    for each in period.split("/"):
        match = _PERIOD.fullmatch(each)
        if match is None:
            return None
        year, quarter, month = (int(group or 0) for group in match.groups())
        first = 12 * year + (3 * (quarter - 1) if quarter else max(month - 1, 0))
        ends.append((first, first + (2 if quarter else 0 if month else 11)))
    return (ends[0][0], ends[-1][1]) if len(ends) <= 2 and ends[0][0] <= ends[-1][1] else None


def _check_period(period: str) -> str:
    if months(period) is None:
        raise refused("range", message("must be a period such as 2025, 2025-Q1, 2025-03 or 2025-01/2025-12"))
    return period


Period = Annotated[str, Field(strict=True, max_length=20), AfterValidator(_check_period)]


class InPeriods(Value):
    """The number of periods in which one unit can be."""

    at_most: Count = field("At most", "In how many periods one person or thing can be.", default=...)
    of: Literal["month", "quarter", "year"] = field("Periods", "What is counted as one period.", default=...)
    rule: Literal["any", "run", "rolling"] = field(
        "Which periods", "Any periods, this many in a row, or this many in every stretch of time.", default="any"
    )
    within: Count | None = field("Stretch of time", "For rolling periods: the length of each stretch of time.")

    @model_validator(mode="after")
    def _has_stretch_if_rolling(self) -> InPeriods:
        if (self.rule == "rolling") is (self.within is None):
            wrong = "is missing" if self.within is None else "goes with the rule rolling alone"
            raise InvalidInput(wrong, "within", "Enter how many periods in a row, or choose another rule.")
        return self

    def cuts(self, period: str) -> bool:
        """Return whether PERIOD begins or ends within one of these periods."""
        first, last = months(period) or (0, 0)
        return bool(first % SIZES[self.of] or (last + 1) % SIZES[self.of])

    def together(self, periods: Sequence[str]) -> tuple[tuple[tuple[int, ...], ...], int | None]:
        """Return sets of tables, by their position in PERIODS, and in how many of them one unit can be; None: in one.

        A unit is in a table that reads any of its periods. If the largest sets are too many, those of the single
        periods are returned if a unit may be in any of them, else none.
        """
        ends = (months(period) or (0, 0) for period in periods)
        spans = [(first // SIZES[self.of], last // SIZES[self.of]) for first, last in ends]
        listed = largest_sets(spans, self.at_most, self.rule, self.within)
        if listed is not None or self.rule != "any" or any(first != last for first, last in spans):
            return listed or (), None
        single = (tuple(at for at, span in enumerate(spans) if span == period) for period in dict.fromkeys(spans))
        return tuple(single), self.at_most


def longest_uncut(periods: Iterable[str]) -> str | None:
    """Return the longest kind of period that divides each of PERIODS exactly; None if there are none."""
    ends = [months(period) or (0, 0) for period in set(periods)]
    whole = (kind for kind, size in SIZES.items() if not any(first % size or (last + 1) % size for first, last in ends))
    return max(whole, key=SIZES.__getitem__) if ends else None
