"""A table of a programme, and the total loss of one person in all of its tables, groups and years."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Annotated

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.numerics import up
from dpwizard.base.values import Count, NonNegative, OpenProbability, Positive, ShortText, Value, field, public
from dpwizard.privacy.accuracy import MeanAbsoluteError, NoiseInterval, Rmse, Statistic, largest_scale, least_budget
from dpwizard.privacy.mechanisms import GAUSSIAN, LAPLACE

ROUND = 8
MOST_TABLES = 2_000  # the most tables of a programme
LARGEST = 1e140  # squares of numbers above this overflow, and below its inverse underflow

Squares = tuple[float, float]  # mu^2 of presence and of two values


class Distance(Value):
    """The sensitivity of a table, and the number of its releases."""

    sensitivity: Positive = field("Sensitivity when one person or thing is added or removed, in L2", default=...)
    sensitivity_value: NonNegative | None = field("Sensitivity when values are replaced, in L2. If empty: twice that")
    times: Count = field("How often the table is made", default=1)

    @property
    def of_value(self) -> float:
        """Return the sensitivity to another value of one unit: unless stated, twice that of adding one."""
        return 2.0 * self.sensitivity if self.sensitivity_value is None else self.sensitivity_value

    def squares(self, sd: float) -> Squares:
        """Return mu^2 of presence and of two values, for noise of this standard deviation."""
        mu, mu_value = self.sensitivity / sd, self.of_value / sd
        return self.times * mu * mu, self.times * mu_value * mu_value


class Need(Distance):
    """A table and its accuracy requirement."""

    rmse: Positive | None = field("Largest root-mean-square error")
    mean_absolute_error: Positive | None = field("Largest mean absolute error")
    half_width: Positive | None = field("Half-width that contains the noise with this chance")
    level: OpenProbability | None = field("Level of the half-width")

    @model_validator(mode="after")
    def _check_one_is_stated(self) -> Need:
        stated = [name for name in ("rmse", "mean_absolute_error", "half_width") if getattr(self, name) is not None]
        if len(stated) != 1:
            raise InvalidInput(
                message("must state one of rmse, mean_absolute_error, half_width; found {count}", count=len(stated)),
                "rmse",
                "State how accurate the table must be, in one of the three ways.",
            )
        if (self.half_width is None) is not (self.level is None):
            raise InvalidInput(
                "is missing" if self.level is None else "goes with a half_width alone",
                "level",
                "Enter the chance with which the half-width contains the noise.",
            )
        return self

    @property
    def _statistic(self) -> Statistic:
        if self.rmse is not None:
            return Rmse(at_most=self.rmse)
        if self.mean_absolute_error is not None:
            return MeanAbsoluteError(at_most=self.mean_absolute_error)
        return NoiseInterval(half_width=self.half_width or 0.0, level=self.level or 0.0)

    def sd(self) -> float:
        """Return the largest standard deviation of Gaussian noise that meets the requirement; rounded down."""
        return largest_scale(self._statistic, GAUSSIAN)

    def epsilon(self) -> float:
        """Return the least epsilon of Laplace noise that meets the requirement, for one release; rounded up."""
        return least_budget(self._statistic, LAPLACE, self.sensitivity)


class Part(Distance):
    """A table with its noise, its group and its year."""

    sd: Positive = field("Standard deviation of its noise", default=...)
    group: ShortText | None = field("Group: tables of one year that share nobody")
    year: ShortText | None = field("Year")


class Total(Value):
    """The loss of one person in all tables together."""

    mu: float = field("Who is in the data", default=...)
    mu_value: float = field("Between two values", default=...)


@public
def total(
    *,
    parts: Annotated[tuple[Part, ...], Field(min_length=1, max_length=MOST_TABLES)],
    at_most: Count | None = None,
) -> Total:
    """Return the total loss of one person in Gaussian tables of several years.

    Arguments: parts, each with the sensitivities (L2), the standard deviation of its noise, times, and, where they
    apply, group and year; at_most, in how many of the years one person can be (null: in all). Tables without a group
    add up; of a group the largest counts, and two values may be in two of its tables; years add up, of two values twice
    as many as one person can be in. A table without a year counts in any case. Returns mu and mu_value, **never below
    the true values**. Raises InvalidInput. Source: Dong, Roth & Su 2022, Corollary 2; docs/methods/programmes.md.
    """
    largest = max(part.sensitivity / part.sd for part in parts)
    check_magnitudes([largest], "parts", "State sensitivity and sd in the same unit.")
    years: dict[str | None, list[Part]] = defaultdict(list)
    for part in parts:
        years[part.year].append(part)
    sums = {year: _squares_of_year(tables) for year, tables in years.items()}
    if len(sums) > 1:  # one of two histories may include the year and the other not
        sums = {year: (present, max(present, changed)) for year, (present, changed) in sums.items()}
    always = sums.pop(None, (0.0, 0.0))
    most = len(sums) if at_most is None else at_most
    presence = _sum_of_largest((present for present, _ in sums.values()), most) + always[0]
    value = _sum_of_largest(_squares_by_history(sums.values()), 2 * most) + always[1]
    return Total(mu=up(math.sqrt(presence), ROUND), mu_value=up(math.sqrt(value), ROUND))


def check_magnitudes(figures: Iterable[float], argument: str, remedy: str) -> None:
    """Raise InvalidInput if the square of one of FIGURES overflows or underflows."""
    for figure in figures:
        if not 1.0 / LARGEST <= figure <= LARGEST:
            raise InvalidInput(message("comes to {found:g}, which is far too large", found=figure), argument, remedy)


def _squares_by_history(years: Iterable[Squares]) -> list[float]:
    """Return the contribution of each year to two values: once for each history that may include it."""
    squares = []
    for present, changed in years:
        squares += [present, changed - present] if present <= changed <= 2.0 * present else [changed / 2.0] * 2
    return squares


def _sum_of_largest(values: Iterable[float], count: int) -> float:
    return math.fsum(sorted(values, reverse=True)[:count])


def _squares_of_year(parts: list[Part]) -> Squares:
    """Return the squares of one year: a group of tables, of which a person is in one alone, counts once."""
    groups: dict[str, list[Squares]] = defaultdict(list)
    sums = []
    for part in parts:
        squares = part.squares(part.sd)
        if part.group is None:
            sums.append(squares)
        else:
            groups[part.group].append(squares)
    for members in groups.values():
        largest_two = sorted((present for present, _ in members), reverse=True)[:2]  # a move from one table to another
        move = math.fsum(largest_two) if len(largest_two) == 2 else 0.0
        sums.append((largest_two[0], max(*(changed for _, changed in members), move)))
    return math.fsum(present for present, _ in sums), math.fsum(changed for _, changed in sums)
