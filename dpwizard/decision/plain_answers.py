"""The fields of a release that the plain questions ask for."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.base.values import Count, Number, ShortText, Value, field
from dpwizard.decision.stated import TableFields

MOST_DIVISIONS = 12

EachNumber = Literal["people", "sum", "average", "other"]
HowOften = Literal["once", "every_year", "more_often", "unknown"]


class Division(Value):
    """One way in which the numbers of a table are divided, for instance by ward into 9 groups."""

    name: ShortText | None = field("Divided by", "For instance ward, or age group.")
    parts: Count | None = field("Number of groups", "For instance 9 wards.")

    def missing(self) -> tuple[str, ...]:
        """Return the names of the fields that have no answer yet."""
        return tuple(name for name in type(self).model_fields if getattr(self, name) is None)


class PlainAnswers(TableFields):
    """The answers to the plain questions on a release besides its only table; all of them may be absent."""

    divisions: Annotated[tuple[Division, ...], Field(max_length=MOST_DIVISIONS)] = field(
        "Divisions",
        "How the numbers of the table are divided. Their groups multiply to the numbers published.",
        default=(),
    )
    person_word: ShortText | None = field(
        "Word for one person", "What one person is called in later sentences, for instance patient."
    )
    reveals: ShortText | None = field(
        "What is true of those counted", "Completes “a patient who …”, for instance had the rare infection."
    )
    totals_printed: bool | None = field(
        "Totals are printed", "Whether all totals are added up before counts below 0 become 0, and are also published."
    )
    each_number: EachNumber | None = field(
        "What each number is", "How many people, a sum of amounts, or an average. The statistic follows from it."
    )
    lowest: Number | None = field(
        "Smallest amount", "By the rules, not the data: a smaller amount is raised to it before it is added up."
    )
    highest: Number | None = field(
        "Largest amount", "By the rules, not the data: a larger amount is lowered to it before it is added up."
    )
    how_often: HowOften | None = field(
        "How often it is published", "Unknown: once. A second time needs a new decision."
    )

    @model_validator(mode="before")
    @classmethod
    def _with_dimension(cls, raw: Any) -> Any:
        if not isinstance(raw, Mapping) or "dimension" in raw:
            return raw
        numbers = numbers_of(raw.get("divisions"))
        return raw if numbers is None else {**raw, "dimension": numbers}

    @model_validator(mode="after")
    def _has_consistent_divisions(self) -> PlainAnswers:
        names = Counter(division.name for division in self.divisions if division.name is not None)
        for index, division in enumerate(self.divisions):
            if division.name is None:
                continue
            if not division.name.strip():
                raise InvalidInput(
                    "must not be empty", f"divisions[{index}].name", "Name what the numbers are divided by."
                )
            if names[division.name] > 1:
                raise InvalidInput(
                    message('the name "{name}" is given twice', name=division.name),
                    f"divisions[{index}].name",
                    "Give every division a name of its own.",
                )
        numbers = numbers_of(self.divisions)
        if numbers not in (None, self.dimension):
            problem = message(
                "must be {numbers}, the product of the groups of all divisions; found {found}",
                numbers=numbers,
                found=self.dimension,
            )
            raise InvalidInput(problem, "dimension", "Correct the divisions, or remove them.")
        return self


def numbers_of(divisions: Any) -> int | None:
    """Return the number of cells of DIVISIONS, parsed or raw; None if there are none, or one is not answered."""
    if not isinstance(divisions, list | tuple) or not divisions:
        return None
    parts = [each.get("parts") if isinstance(each, Mapping) else getattr(each, "parts", None) for each in divisions]
    known = [int(part) for part in parts if isinstance(part, int | float) and part >= 1 and part == int(part)]
    return math.prod(known) if len(known) == len(parts) else None
