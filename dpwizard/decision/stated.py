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
        "What it is broken down by or computed from; none where only who is in the data counts. Absent: not known.",
        editor="attributes",
    )
    level: ShortText | None = field(
        "Level of the figure", "At which it is published; finer figures are not.", editor="level"
    )


class AddsUpTo(Value):
    """Another table whose numbers are sums of a table's numbers, and how many of these are in each sum."""

    part: ShortText | None = field("Table", "Whose numbers are the sums.", editor="summed_table")
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
    dimension: Count = field("Numbers published", "How many numbers it holds.", default=1, unit="numbers")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "What it is broken down by.", editor="attributes"
    )
    adds_up_to: Sums = ADDS_UP_TO


class TableFields(Value):
    """The stated fields of a table: in the release for a single table, in a part for each of several."""

    needs: ClassVar[tuple[str, ...]]  # the required fields, in the order of the form

    statistic: Statistic | None = field("Statistic", "What the table holds.")
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The most that one unit changes the table by, in what counts as one change.",
        unit="in the statistic’s unit",
    )
    sensitivity_other: Positive | None = field(
        "Sensitivity under the other relation", "If known, it makes limits sharper.", unit="in the statistic’s unit"
    )
    effects: Effects | None = field(
        "Effects",
        "How much the table moves, all its numbers together, when an attribute moves by 1: by the attribute’s name. A "
        "histogram has none of an attribute it reads: any little move may pass the edge of a bin.",
        editor="effects",
    )
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read",
        "What the table is broken down by or computed from. Absent: not known, it may read any.",
        editor="attributes",
    )
    step: Positive | None = field(
        "Step of a sum",
        "Every value, and every bound it is clamped to, is a multiple of it: for instance 1. "
        "Noise in whole steps hides no fraction, and needs a whole number here.",
        unit="in the statistic’s unit",
    )
    dimension: Count = field("Numbers published", "How many numbers the table holds.", default=1, unit="numbers")
    mechanism: MechanismName | None = field(
        "Mechanism",
        "The noise: geometric or discrete Gaussian (whole numbers), Laplace, Gaussian; or exact, without any.",
    )


@in_own_words(unset={"mechanism": "that of the release"}, mechanism="Absent: that of the release.")
class Part(TableFields):
    """One table of several in a publication, with its share of epsilon."""

    needs: ClassVar[tuple[str, ...]] = ("name", "sensitivity", "share", "mechanism")

    name: ShortText | None = field("Name", "What the table is called.")
    share: Fractional | None = field(
        "Share of {budget}",
        "How much of {budget} this part uses, all its times together: a number or an exact fraction such as 53/513. "
        "Together at most all of it; a share of 0 publishes nothing.",
        editor="fraction_of_all",
    )
    epsilon: Positive | None = field(
        "Its own epsilon", "Instead of a share: what this part spends. For geometric and Laplace noise."
    )
    rho: Fractional | None = field(
        "Its own rho",
        "Instead of a share: what this part spends, a number or a fraction. For Gaussian noise.",
        editor="fraction",
    )
    weight: Positive | None = field(
        "Weight", "How much its error matters beside that of the others, where weights share out the budget. Absent: 1."
    )
    times: Count | None = field("Times", "How often it is made from the same people. Absent: once.", unit="times")
    level: ShortText | None = field(
        "Level of the table", "Of what the release’s levels name, for instance state or county.", editor="level"
    )
    year: ShortText | None = field("Year", "Tables of one year add up, and so do years that one person can be in.")
    period: Period | None = field("Period", "What it reads, for instance 2025, 2025-Q1, 2025-03 or 2025-01/2025-12.")
    disjoint_with: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] = field(
        "Disjoint with", "Names of the parts that no unit shares with this one.", default=(), editor="other_tables"
    )
    group: ShortText | None = field(
        "Group", "Parts of one group share no unit: short for naming all their pairs.", editor="group"
    )
    moves: bool | None = field(
        "Whether a unit can move",
        "To another part that shares no unit with this one, when its values change. Absent: it can.",
        editor="moves",
    )
    adds_up_to: Sums = ADDS_UP_TO
    contributions: Count | None = field(
        "Most rows for one person or thing", "The most rows of this part that one unit touches.", unit="rows"
    )


def check_names(parts: Sequence[Part]) -> None:
    """Raise InvalidInput if two of PARTS have one name, or a part is disjoint with a missing one."""
    names = Counter(part.name for part in parts if part.name is not None)
    for index, part in enumerate(parts):
        if part.name is not None and names[part.name] > 1:
            raise InvalidInput(
                message('the name "{name}" is given twice', name=part.name),
                f"parts[{index}].name",
                "Give every part a name of its own.",
            )
        for other in part.disjoint_with:
            if other not in names or other == part.name:
                near = nearest(other, (name for name in names if name != part.name))
                raise InvalidInput(
                    message('"{name}" is not another part', name=other)
                    if near is None
                    else message('"{name}" is not another part; did you mean "{near}"?', name=other, near=near),
                    f"parts[{index}].disjoint_with",
                    "Name the parts this one shares no unit with.",
                )


def check_periods(parts: Sequence[Part], in_periods: InPeriods | None) -> None:
    """Raise InvalidInput if a part states a year and a period, or its period cuts one of IN_PERIODS."""
    for index, part in enumerate(parts):
        if part.period is not None and part.year is not None:
            raise InvalidInput("does not go with year", f"parts[{index}].period", "State the year or the period.")
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
            "Lower the shares of some parts to 1 in all.",
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
                "replacing one unit changes the release by {replace:g}, "
                "more than twice the {add_remove:g} of adding or removing one",
                replace=replaced,
                add_remove=added,
            ),
            f"{where}sensitivity_other",
            "Check both: replacing is removing one unit and adding another.",
        )
