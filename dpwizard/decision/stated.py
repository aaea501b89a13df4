"""The stated fields of tables, and their contradictions: names, periods, shares, and sensitivities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Annotated, ClassVar

from pydantic import Field

from dpwizard.base.errors import InvalidInput
from dpwizard.base.fractional import Fractional, exactly
from dpwizard.base.messages import Quantity, message
from dpwizard.base.nearest import nearest
from dpwizard.base.values import Count, Effects, Positive, ShortText, Value, field, in_own_words
from dpwizard.decision.earlier import EarlierRelease
from dpwizard.decision.in_periods import InPeriods, Period
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation, Statistic
from dpwizard.privacy.mechanisms import MechanismName

MOST_PARTS = 2_000
MOST_NAMES = 200
MOST_LINKS = 20
MOST_SUMS = 20_000
EXACT_NEEDS = ("name", "mechanism")  # the required fields of an exact table among others


class ExactFigure(Value):
    """A figure published without noise, such as a public total."""

    name: ShortText | None = field("Name", "What the figure is called.")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read",
        "What it is broken down by or computed from. None if only who is in the data counts. If empty: not known.",
        editor="attributes",
    )
    level: ShortText | None = field(
        "Level of the figure", "The level it is published at. Finer figures are not published.", editor="level"
    )


class AddsUpTo(Value):
    """Another table whose numbers are sums of a table's numbers, and how many of these are in each sum."""

    part: ShortText | None = field("Table", "The table whose numbers are the sums.", editor="summed_table")
    children: Count | Annotated[tuple[Count, ...], Field(min_length=1, max_length=MOST_SUMS)] | None = field(
        "Numbers of each sum",
        "How many numbers add up to each of its numbers: one count for all, or one for each.",
        editor="counts",
    )

    @property
    def counts(self) -> tuple[int, ...]:
        """Return how many numbers are in each sum; one count if it is the same for all."""
        return (self.children,) if isinstance(self.children, int) else self.children or ()


Sums = Annotated[tuple[AddsUpTo, ...], Field(max_length=MOST_LINKS)]
ADDS_UP_TO = field(
    "Adds up to", "The tables whose numbers are sums of its numbers, where tables are made to add up.", default=()
)


class Total(Value):
    """Numbers that are published only as sums: no noise is added to them."""

    name: ShortText | None = field("Name", "What the numbers are called.")
    dimension: Count = field("Numbers published", "How many numbers there are.", default=1, unit="numbers")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "What it is broken down by.", editor="attributes"
    )
    adds_up_to: Sums = ADDS_UP_TO


class TableFields(Value):
    """The stated fields of a table: in the release for a single table, in a part for each of several."""

    needs: ClassVar[tuple[str, ...]]  # the required fields, in the order of the form

    statistic: Statistic | None = field("Statistic", "What the table contains.")
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The most that one person or thing can change the table.",
        unit="in the statistic’s unit",
    )
    sensitivity_other: Positive | None = field(
        "Sensitivity for the other neighbouring datasets",
        "If known, limits are sharper.",
        unit="in the statistic’s unit",
    )
    effects: Effects | None = field(
        "Effects",
        "How much all numbers of the table together change when an attribute changes by 1, for each "
        "attribute by name. A histogram has no effect to enter: even a small change can cross the edge "
        "of a bin.",
        editor="effects",
    )
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read",
        "What the table is broken down by or computed from. If empty: not known, so it may read any.",
        editor="attributes",
    )
    step: Positive | None = field(
        "Step of a sum",
        "Every value, and every limit it is clamped to, is a multiple of this, for instance 1. Noise in "
        "whole steps hides no fractions, so a sum needs whole steps here.",
        unit="in the statistic’s unit",
    )
    dimension: Count = field("Numbers published", "How many numbers the table contains.", default=1, unit="numbers")
    mechanism: MechanismName | None = field(
        "Mechanism",
        "Geometric or discrete Gaussian (whole numbers), Laplace, Gaussian; or exact, without noise.",
    )


@in_own_words(unset={"mechanism": "that of the release"}, mechanism="If empty: that of the release.")
class Part(TableFields):
    """One table of several in a publication, with its share of epsilon."""

    needs: ClassVar[tuple[str, ...]] = ("name", "sensitivity", "share", "mechanism")

    name: ShortText | None = field("Name", "What the table is called.")
    share: Fractional | None = field(
        "Share of {budget}",
        "The share of {budget} that this table uses, all times together: a number or an exact fraction "
        "such as 53/513. All shares together are at most 1. A table with a share of 0 is not published.",
        editor="fraction_of_all",
    )
    epsilon: Positive | None = field(
        "Its own epsilon", "Instead of a share: the epsilon this table uses. For geometric and Laplace noise."
    )
    rho: Fractional | None = field(
        "Its own rho",
        "Instead of a share: the rho this table uses, a number or a fraction. For Gaussian noise.",
        editor="fraction",
    )
    weight: Positive | None = field(
        "Weight", "How much its error matters compared with the others, where weights split the budget. If empty: 1."
    )
    times: Count | None = field("Times", "How often it is made from the same people. If empty: once.", unit="times")
    level: ShortText | None = field(
        "Level of the table", "One of the levels of the release, for instance state or county.", editor="level"
    )
    year: ShortText | None = field("Year", "Tables of one year add up. So do the years that one person can be in.")
    period: Period | None = field("Period", "What it reads, for instance 2025, 2025-Q1, 2025-03 or 2025-01/2025-12.")
    disjoint_with: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] = field(
        "Shares nobody with",
        "Names of the tables that share no person or thing with this one.",
        default=(),
        editor="other_tables",
    )
    group: ShortText | None = field(
        "Group", "Tables of one group share no person or thing. This is shorter than naming every pair.", editor="group"
    )
    moves: bool | None = field(
        "Whether someone can move to another table",
        "To another table that shares no person or thing with this one, when values change. If empty: yes.",
        editor="moves",
    )
    adds_up_to: Sums = ADDS_UP_TO
    contributions: Count | None = field(
        "Most rows for one person or thing",
        "The most rows of this table that one person or thing can have.",
        unit="rows",
    )


def check_names(parts: Sequence[Part]) -> None:
    """Raise InvalidInput if two of PARTS have one name, or a part is disjoint with a missing one."""
    names = Counter(part.name for part in parts if part.name is not None)
    for index, part in enumerate(parts):
        if part.name is not None and names[part.name] > 1:
            raise InvalidInput(
                message('the name "{name}" is given twice', name=part.name),
                f"parts[{index}].name",
                "Give every table a name of its own.",
            )
        for other in part.disjoint_with:
            if other not in names or other == part.name:
                near = nearest(other, (name for name in names if name != part.name))
                raise InvalidInput(
                    message('"{name}" is not another table', name=other)
                    if near is None
                    else message('"{name}" is not another table; did you mean "{near}"?', name=other, near=near),
                    f"parts[{index}].disjoint_with",
                    "Name the tables that share no person or thing with this one.",
                )


def check_periods(parts: Sequence[Part], in_periods: InPeriods | None) -> None:
    """Raise InvalidInput if a part states a year and a period, or its period cuts one of IN_PERIODS."""
    for index, part in enumerate(parts):
        if part.period is not None and part.year is not None:
            raise InvalidInput("does not go with year", f"parts[{index}].period", "Enter the year or the period.")
        if part.period is not None and in_periods is not None and in_periods.cuts(part.period):
            cut = message("is no whole number of periods of {of}; found {found}", of=in_periods.of, found=part.period)
            raise InvalidInput(cut, f"parts[{index}].period", "Count shorter periods in in_periods.of.")


def check_shares(parts: Sequence[Part], share_total: Callable[[], Fraction]) -> None:
    """Raise InvalidInput if the shares of PARTS, in total SHARE_TOTAL, exceed the budget."""
    for index, part in enumerate(parts):
        if part.share is not None and exactly(part.share) > 1:
            most = message("must be at most {most}; found {found}", most=Quantity(1), found=part.share)
            raise InvalidInput(most, f"parts[{index}].share", "Write half of the budget as 0.5 or 1/2.")
    shares = share_total()
    if shares > 1:
        total = Quantity(float(shares))
        raise InvalidInput(
            message("the shares come to {total:g}, more than {most}", total=total, most=Quantity(1)),
            "parts",
            "Lower the shares of some tables to 1 in all.",
        )


def check_relations(stated: TableFields | EarlierRelease, neighbours: NeighbouringRelation | None, where: str) -> None:
    """Raise InvalidInput if STATED, at WHERE, changes more than twice as much when a unit is replaced."""
    if stated.sensitivity is None or stated.sensitivity_other is None:
        return
    both = (stated.sensitivity, stated.sensitivity_other)
    replaced, added = both if neighbours == "replace" else reversed(both)
    if replaced > DOUBLE * added * (1 + 1e-12):
        raise InvalidInput(
            message(
                "replacing one person or thing changes the release by {replace:g}, more than twice the "
                "{add_remove:g} of adding or removing one",
                replace=replaced,
                add_remove=added,
            ),
            f"{where}sensitivity_other",
            "Check both: replacing means removing one person or thing and adding another.",
        )
