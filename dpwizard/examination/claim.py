"""A claim: what was published about the privacy loss of a release, and its parts.

A claim may have parts, which are claims themselves: a table, a level of geography, a product of a programme. Every
figure is optional; what is not stated is not checked, and what is stated is kept as it was printed.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from dpwizard.base.values import Count, LongText, ShortText, Value, field
from dpwizard.decision import Slice
from dpwizard.examination.printed import Printed
from dpwizard.privacy.mechanisms import NoiseName

Rule = Literal["exact", "cks", "loose"]
Variant = Literal["pure", "approximate", "zcdp", "gdp", "other"]
Composition = Literal["sequential", "parallel"]
QUANTITIES = ("epsilon", "delta", "rho", "mu")


def _whole(raw: Any) -> Any:
    """Return a whole number that stands as text, as one; the reader refuses any other text."""
    return int(raw) if isinstance(raw, str) and raw.strip().isdecimal() and len(raw) < 20 else raw


Number = Annotated[Count, BeforeValidator(_whole)]


class Amount(Value):
    """How much is lost, in one or more of the variants of differential privacy."""

    epsilon: Printed | None = field("Epsilon")
    delta: Printed | None = field("Delta")
    rho: Printed | None = field("Rho")
    mu: Printed | None = field("Mu")

    def stated(self) -> dict[str, str]:
        """Return the figures that are stated, by name."""
        return {name: text for name in QUANTITIES if (text := getattr(self, name)) is not None}


class GroupClaim(Amount):
    """The stated protection of a group of units, such as a household."""

    size: Number = field("Size of the group", default=...)


class NoiseClaim(Value):
    """The stated noise, and the sensitivity: how far one unit changes the figure."""

    kind: NoiseName = field("Type of noise", default=...)
    sensitivity: Printed | None = field("Sensitivity", "L1 for Laplace noise, L2 for Gaussian noise.")
    sensitivity_squared: Printed | None = field("Square of the sensitivity", "For Gaussian noise, if L2 is a root.")
    scale: Printed | None = field("Scale of the noise", "For Gaussian noise: its standard deviation.")


class MarginClaim(Value):
    """The accuracy that was required of Gaussian noise, as stated."""

    half_width: Printed = field("Margin of error", default=...)
    z: Printed = field("Deviations within the margin", "1.96 for 95 in 100.", default=...)
    sensitivity_squared: Printed = field("Square of the sensitivity", default=...)


class Repeated(Value):
    """A figure that is stated in several places."""

    name: ShortText = field("Name", default=...)
    values: Annotated[tuple[Printed, ...], Field(min_length=2, max_length=50)] = field("As stated", default=...)


class Claim(Amount):
    """What was published of the loss of one release, or of one part of it."""

    name: ShortText | None = field("Name")
    source: LongText | None = field("Source", "Where it was published.")
    variant: Variant | None = field("Variant", "As named where it was published.")
    rule: Rule | None = field("Rule", "The rule by which epsilon is said to follow from rho. None: any rule.")
    unit: ShortText | None = field("Protected", "What is protected, such as one person on one day.")
    slice: Slice | None = field("Period protected as one")
    slices: Number | None = field("Periods of one person", "How many of these one person can be in.")
    person: Amount | None = field("One person", "The stated loss of one person over all periods.")
    group: GroupClaim | None = field("A group")
    composition: Composition | None = field("Composition", "One after another, or about different people.")
    factor: Printed | None = field(
        "Factor between neighbouring datasets",
        "Epsilon of a changed record divided by that of an added one, as stated.",
    )
    times: Number = field("Times", "How often this part is counted in the total.", default=1)
    sampling: Printed | None = field("Fraction that is sampled", "Whether these figures are stated after sampling.")
    noise: NoiseClaim | None = field("Noise")
    margin: MarginClaim | None = field("Margin of error")
    repeated: Annotated[tuple[Repeated, ...], Field(max_length=100)] = field("Stated more than once", default=())
    apart: Annotated[tuple[Claim, ...], Field(max_length=100)] = field(
        "Published separately", "What does not belong here but may have been included.", default=()
    )
    parts: Annotated[tuple[Claim, ...], Field(max_length=2_000)] = field("Tables", default=())

    def each(self, where: str = "$") -> Iterator[tuple[str, Claim]]:
        """Yield this claim and all its parts, each with its place."""
        yield where, self
        for at, part in enumerate(self.parts):
            yield from part.each(f"{where}.parts[{at}]")
