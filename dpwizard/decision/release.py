"""The release: what is published, about whom, with which noise, and how its epsilon converts.

Epsilon is the loss of one repetition of the whole release, all its numbers together, under the declared
neighbour relation. The values here have the shape of the file: figures of the only table stand in the release, those of
several in its parts. Everything else reads `Release.tables`.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from dpwizard.decision.settings import NumberSetting, PrivacySetting, noise_of, number_of
from dpwizard.decision.tables import DOUBLE, WHOLE, Neighbours, Statistic, Table
from dpwizard.errors import InvalidInput
from dpwizard.messages import Quantity, message
from dpwizard.numerics import decimal, down, up
from dpwizard.privacy.mechanisms import MechanismName, Noises, mechanisms_named
from dpwizard.values import (
    Belief,
    Count,
    LongText,
    NonNegative,
    OpenProbability,
    Positive,
    Probability,
    ShortText,
    Value,
    field,
    in_own_words,
)

PriorsFrom = Literal["this_release", "before_all"]
PostProcessing = Literal["rounding", "clamping", "consistency", "other"]

MOST_PARTS = 100
MOST_ENTRIES = 1_000


class Spent(Value):
    """An earlier release on the same people, and the epsilon it cost."""

    record: ShortText | None = field("Record", "The number or title of the earlier decision record.")
    epsilon: NonNegative | None = field("Epsilon spent", "As that record states it.", unit="epsilon")
    neighbours: Neighbours | None = field("Neighbours", "The relation that record speaks of.")
    date: ShortText | None = field("Date", "When it was published.")


class TableFields(Value):
    """What is stated of a table: in the release of the only one, in a part of each of several."""

    needs: ClassVar[tuple[str, ...]]  # without which there is no decision, in the order in which they are asked for

    statistic: Statistic | None = field("Statistic", "What the table holds.")
    sensitivity: Positive | None = field(
        "Sensitivity",
        "The most that one unit changes the table by, under the declared neighbours.",
        unit="in the statistic's unit",
    )
    step: Positive | None = field(
        "Step of a sum",
        "Every value, and every bound it is clamped to, is a multiple of it: for instance 1. "
        "Geometric noise hides no fraction, and needs a whole number here.",
        unit="in the statistic's unit",
    )
    dimension: Count = field("Numbers published", "How many numbers the table holds.", default=1, unit="numbers")
    mechanism: MechanismName | None = field(
        "Mechanism", "The noise: geometric (whole numbers), Laplace, Gaussian; or exact, without any."
    )


@in_own_words(mechanism="Absent: that of the release.")
class Part(TableFields):
    """One table of a publication of several, with its share of epsilon."""

    needs: ClassVar[tuple[str, ...]] = ("name", "sensitivity", "share", "mechanism")

    name: ShortText | None = field("Name", "What the table is called.")
    share: Belief | None = field("Share of epsilon", "How much of epsilon this part uses; together at most all of it.")
    disjoint_with: Annotated[tuple[ShortText, ...], Field(max_length=MOST_PARTS)] = field(
        "Disjoint with", "Names of the parts that no unit shares with this one.", default=(), editor="other_tables"
    )


@in_own_words(
    statistic="A count, a sum, a mean, a histogram or a vector of numbers.",
    sensitivity="The most that one unit changes the release by, under the declared neighbours.",
    dimension="How many numbers one repetition publishes.",
)
class Release(TableFields):
    """What will be published, about whom, and with which noise."""

    needs: ClassVar[tuple[str, ...]] = ("mechanism", "sensitivity")

    description: LongText | None = field("Description", "What will be published, in a sentence.")
    neighbours: Neighbours | None = field(
        "Neighbours",
        "Whether one unit is added or removed, or its values are replaced while the number of units stays.",
    )
    sensitivity_other: Positive | None = field(
        "Sensitivity under the other relation", "If known, it makes limits sharper.", unit="in the statistic's unit"
    )
    derivation: LongText | None = field(
        "How the sensitivity was found", "In a sentence, with the bounds it rests on; the helper writes one."
    )
    delta: OpenProbability | None = field(
        "Delta",
        "Gaussian noise only: how far the chance of anything may go beyond what epsilon allows.",
        editor="tiny_chance",
    )
    repetitions: Count = field(
        "Repetitions", "How often the release is made on the same people.", default=1, unit="times"
    )
    unit: ShortText | None = field("Unit of privacy", "Who or what is protected as one: a person, a household.")
    contributions: Count = field(
        "Contributions of one unit", "The most rows, cells or tables one unit touches.", default=1, unit="rows"
    )
    population: Count | None = field("Population", "How many units the data are drawn from.", unit="units")
    sampling_fraction: Probability | None = field("Sampling fraction", "The fraction of the population in the data.")
    sample_secret: bool | None = field("Sample kept secret", "Whether nobody can learn who was sampled.")
    published_elsewhere: LongText | None = field(
        "Published elsewhere", "Exact figures and older releases on the same people."
    )
    post_processing: tuple[PostProcessing, ...] = field(
        "Post-processing", "What is done to the noisy figures.", default=()
    )
    spent: Annotated[tuple[Spent, ...], Field(max_length=MOST_ENTRIES)] = field(
        "Already spent", "Earlier releases.", default=()
    )
    priors_from: PriorsFrom = field(
        "What beliefs are counted from", "Just before this release, or before all releases.", default="this_release"
    )
    parts: Annotated[tuple[Part, ...], Field(max_length=MOST_PARTS)] = field(
        "Parts", "The tables of a publication of several.", default=()
    )

    @model_validator(mode="after")
    def _is_consistent(self) -> Release:
        names = [part.name for part in self.parts if part.name is not None]
        for index, part in enumerate(self.parts):
            if part.name is not None and names.count(part.name) > 1:
                raise InvalidInput(
                    message('the name "{name}" is given twice', name=part.name),
                    f"parts[{index}].name",
                    "Give every part a name of its own.",
                )
            for other in part.disjoint_with:
                if other not in names or other == part.name:
                    raise InvalidInput(
                        message('"{name}" is not another part', name=other),
                        f"parts[{index}].disjoint_with",
                        "Name the parts this one shares no unit with.",
                    )
        if self.share_total() > 1:
            total = Quantity(float(self.share_total()))
            raise InvalidInput(
                message("the shares come to {total:g}, more than {most}", total=total, most=Quantity(1)),
                "parts",
                "Lower the shares of some parts to 1 in all.",
            )
        if self.sensitivity is not None and self.sensitivity_other is not None:
            pair = (self.sensitivity, self.sensitivity_other)
            replaced, added = pair if self.neighbours == "replace" else reversed(pair)
            if replaced > DOUBLE * added * (1 + 1e-12):
                raise InvalidInput(
                    message(
                        "replacing one unit changes the release by {replace:g}, "
                        "more than twice the {add_remove:g} of adding or removing one",
                        replace=replaced,
                        add_remove=added,
                    ),
                    "sensitivity_other",
                    "Check both: replacing is removing one unit and adding another.",
                )
        return self

    # ------------------------------------------------------------------------------------- its tables

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """Return the tables that are published, at least one: the parts, or the release as the only one, of share 1.

        Each Gaussian table is made at an equal part of the release's delta, rounded down. Epsilon and delta are stated
        for all tables of one repetition together: by basic composition (Dwork & Roth 2014, Theorem 3.16) the tables
        come to the sum of their epsilons and the sum of their deltas.
        """
        only = Part.model_construct(**{name: getattr(self, name) for name in TableFields.model_fields}, share=1.0)
        rows = {f"{WHOLE}.parts[{index}]": part for index, part in enumerate(self.parts)} or {WHOLE: only}
        spending = sum(mechanisms_named((part.mechanism or self.mechanism,)).takes_delta for part in rows.values())
        delta = self.delta if self.delta is None or spending < 2 else down(self.delta / spending, 1)
        return tuple(self._table(place, part, delta) for place, part in rows.items())

    def _table(self, place: str, part: Part, delta: float | None) -> Table:
        mechanism = part.mechanism or self.mechanism
        noise = mechanisms_named((mechanism,))
        return Table(
            place=place,
            name=part.name,
            needs=self.needs if place == WHOLE else part.needs,
            disjoint_with=part.disjoint_with,
            neighbours=self.neighbours,
            statistic=part.statistic or self.statistic,
            mechanism=mechanism,
            noise=noise,
            sensitivity=part.sensitivity,
            sensitivity_other=self.sensitivity_other if place == WHOLE else None,
            step=part.step,
            dimension=part.dimension,
            share=part.share,
            delta=delta if noise.takes_delta else None,
        )

    def table(self, name: str | None) -> Table | None:
        """Return the table called NAME (None: the only one); None where there is no such table."""
        tables = self.tables
        if name is None:
            return tables[0] if len(tables) == 1 else None
        return next((table for table in tables if table.name == name), None)

    def share_total(self) -> Fraction:
        """Return how much of epsilon the tables use together, as an exact fraction.

        Under add_remove, tables that no unit shares compose in parallel: a greedy colouring gives a sum of
        largest shares that is never below the true total. Under replace a unit may move between disjoint
        tables, so the shares are added.
        """
        shares = [(decimal(table.share), table) for table in self.tables if table.share is not None]
        if self.neighbours == "replace":
            return sum((share for share, _ in shares), start=Fraction(0))
        groups: list[list[Table]] = []
        total = Fraction(0)
        for share, table in sorted(shares, key=lambda pair: -pair[0]):
            for group in groups:
                if all(table.disjoint(other) for other in group):
                    group.append(table)  # its share is no larger than the group's first
                    break
            else:
                groups.append([table])
                total += share
        return total

    @cached_property
    def noise(self) -> Noises:
        """Return the mechanisms of all tables, together."""
        return noise_of(self.tables)

    def deltas(self) -> int:
        """Return how many times delta is spent in all: once by all tables of one repetition together."""
        return self.repetitions if self.noise.takes_delta else 0

    def missing(self) -> tuple[str, ...]:
        """Return the fields that no decision can do without and that have no answer yet, as paths into the release."""
        tables = self.tables
        wanted = ["statistic"] if any(table.statistic is None for table in tables) else []
        missing = [name for name in (*wanted, "neighbours", "unit") if getattr(self, name) is None]
        missing += [path.removeprefix(f"{WHOLE}.") for table in tables for path in table.missing(table.needs)]
        missing += ["delta"] if self.noise.takes_delta and self.delta is None else []
        missing.sort(key=lambda path: "[" in path)  # what is asked of the whole comes before what is of its rows
        for index, earlier in enumerate(self.spent):
            missing += [
                f"spent[{index}].{name}" for name in ("epsilon", "neighbours") if getattr(earlier, name) is None
            ]
        return tuple(missing)

    def counts_spent(self) -> bool:
        """Return whether beliefs start before earlier releases that cost something, or whose cost is not answered."""
        return self.priors_from == "before_all" and any(earlier.epsilon != 0.0 for earlier in self.spent)

    def spent_under(self, relation: Neighbours) -> float | None:
        """Return the epsilon spent by earlier releases under RELATION, rounded up; None if that cannot be said."""
        losses = []
        for earlier in self.spent:
            if earlier.epsilon is None or earlier.neighbours is None:
                return None
            if earlier.neighbours != relation and relation == "add_remove" and earlier.epsilon > 0:
                return None  # nothing bounds D_add_remove by D_replace
            losses.append(earlier.epsilon * (1.0 if earlier.neighbours == relation else DOUBLE))
        return up(math.fsum(losses), 1)

    # ------------------------------------------------------------------------------ what requirements read

    def privacy_setting(
        self, relation: Neighbours | None = None, *, of_noise: bool = False
    ) -> PrivacySetting | tuple[str, ...]:
        """Return what a privacy requirement that speaks of RELATION reads (None: the declared one).

        OF_NOISE: its promise speaks of the noisy figure itself, and so ends where that is processed. Returns the paths
        of the unanswered fields instead where some are needed.
        """
        tables, noise = self.tables, self.noise
        answered = {
            "neighbours": self.neighbours is not None,
            "mechanism": bool(noise.each),
            "delta": not noise.takes_delta or self.delta is not None,
        }
        if self.neighbours is None or not all(answered.values()):
            return tuple(f"$.release.{name}" for name, known in answered.items() if not known)
        if len(tables) == 1 and tables[0].sensitivity is not None and tables[0].sensitivity == self.sensitivity:
            # what the release says of the other relation holds for its only table, if both agree on the declared one
            tables = (replace(tables[0], sensitivity_other=self.sensitivity_other),)
        asked = relation or self.neighbours
        return PrivacySetting(
            tables=tables,
            relation=asked,
            declared=self.neighbours,
            delta=self.delta,
            dimension=max(self.dimension, sum(table.dimension for table in tables)),
            repetitions=self.repetitions,
            spent=self.spent_under(asked) if self.priors_from == "before_all" else 0.0,
            contributions=self.contributions,
            post_processed=of_noise and bool(self.post_processing),
            grain=max(table.grain() or 0.0 for table in tables) or None,
        )

    def number_setting(self, part: str | None = None) -> NumberSetting | tuple[str, ...]:
        """Return what an accuracy requirement on PART reads (None: the only table).

        Returns the paths of the unanswered fields instead where some are needed.
        """
        table = self.table(part)
        return ("part",) if table is None else number_of(table)
