"""What a file states of a table: the fields of the only table, of one part of several, and of an exact figure."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from dpwizard.base.fractional import Fractional
from dpwizard.base.values import Count, Effects, Positive, ShortText, Value, field, in_own_words
from dpwizard.decision.in_periods import Period
from dpwizard.decision.tables import Statistic
from dpwizard.privacy.mechanisms import MechanismName

MOST_PARTS = 2_000
MOST_NAMES = 200
MOST_LINKS = 20
MOST_SUMS = 20_000
EXACT_NEEDS = ("name", "mechanism")  # of a table among others that is published as it is


class ExactFigure(Value):
    """A figure that is published without noise: a total that everybody may know."""

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
    """To which other table the numbers of a table add up, and how many of them to each of its numbers."""

    part: ShortText | None = field("Table", "Whose numbers are the sums.", editor="summed_table")
    children: Count | Annotated[tuple[Count, ...], Field(min_length=1, max_length=MOST_SUMS)] | None = field(
        "Numbers of each sum",
        "How many numbers add up to each of its numbers: one count for all, or one for each.",
        editor="counts",
    )

    @property
    def counts(self) -> tuple[int, ...]:
        """Return how many numbers add up to each; one count where it is the same for all."""
        return (self.children,) if isinstance(self.children, int) else self.children or ()


Sums = Annotated[tuple[AddsUpTo, ...], Field(max_length=MOST_LINKS)]
ADDS_UP_TO = field(
    "Adds up to", "The tables whose numbers are sums of its numbers, where tables are made to add up.", default=()
)


class Total(Value):
    """Numbers that are published as sums alone: no noise is added to them."""

    name: ShortText | None = field("Name", "What the numbers are called.")
    dimension: Count = field("Numbers published", "How many numbers it holds.", default=1, unit="numbers")
    reads: Annotated[tuple[ShortText, ...], Field(max_length=MOST_NAMES)] | None = field(
        "Attributes read", "What it is broken down by.", editor="attributes"
    )
    adds_up_to: Sums = ADDS_UP_TO


class TableFields(Value):
    """What is stated of a table: in the release of the only one, in a part of each of several."""

    needs: ClassVar[tuple[str, ...]]  # without which there is no decision, in the order in which they are asked for

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
    """One table of a publication of several, with its share of epsilon."""

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
