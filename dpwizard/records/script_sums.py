"""What adds up to what in the plan of a release script: each cell of a table is found in a cell of its sums.

The decision says how many numbers each sum has; which ones they are, the public lists of classes say.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import AddsUpTo, DataDescription, Part, Release, Total, sums_of
from dpwizard.wording import explain

Refusal = Literal["no_data_description", "not_whole", "statistic", "sum_in_two"]
RELEASE = "$.release"


class NoScript(InvalidInput):
    """Why no script makes a release: by key; the value found at its place, and what is allowed there."""

    def __init__(
        self,
        message: str,
        where: str = "",
        hint: str = "",
        *,
        key: Refusal = "no_data_description",
        value: Any = None,
        allowed: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message, where, hint)
        self.key, self.value, self.allowed = key, value, allowed


def planned_sums(
    release: Release, described: DataDescription, planned: Sequence[Mapping[str, Any]], files: Sequence[str]
) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """Return to which table each adds up, by name, and the totals of RELEASE, as its script reads them.

    Arguments: described, its public lists; planned, its tables with noise as the script reads them; files, of the
    totals. Raises NoScript where a number is part of two sums, or numbers are not made whole; InvalidInput where the
    public lists give other sums than the decision states.
    """
    if not release.adds_up:
        return {}, []
    known = sums_of(release)
    if known.flaws:
        flaw = known.flaws[0]
        raise InvalidInput(explain.say("problem", flaw.key, flaw.values), flaw.where, "Correct what adds up to what.")
    if "rounding" not in release.post_processing:
        raise NoScript(
            "tables that are made to add up are published in whole numbers",
            f"{RELEASE}.post_processing",
            "Add rounding to what is done to the figures.",
            key="not_whole",
            value=release.post_processing,
            allowed=("rounding",),
        )
    rows = {each["name"]: each for each in planned}
    below = {one.part: row.name for _, row in _summed(release) for one in row.adds_up_to}
    totals = []
    for at, (total, file) in enumerate(zip(release.totals, files, strict=True)):
        totals.append(_of_total(total, f"{RELEASE}.totals[{at}]", rows, below, described) | {"file": file})
    rows |= {each["name"]: each for each in totals}
    return dict(_links(release, rows, described)), totals


def _links(
    release: Release, rows: Mapping[str, Mapping[str, Any]], described: DataDescription
) -> Iterator[tuple[str, str]]:
    for place, row in _summed(release):
        for number, one in enumerate(row.adds_up_to):
            where, name, other = f"{place}.adds_up_to[{number}]", row.name or "", one.part or ""
            if number:
                raise NoScript(
                    message('a number of "{name}" is part of two sums', name=name),
                    where,
                    "Let it add up to one table only, or make the release without the script.",
                    key="sum_in_two",
                    value=other,
                    allowed=(row.adds_up_to[0].part or "",),
                )
            if other not in rows or name not in rows:
                exact = message('"{name}" has no noise, and the script does not make it', name=other)
                raise InvalidInput(exact, f"{where}.part", "Name a table with noise, or a total.")
            _check_children(rows[name]["reads"], rows[other]["reads"], one, where, described)
            yield name, other


def _summed(release: Release) -> Iterator[tuple[str, Part | Total]]:
    """Yield what may add up to others, each with its place."""
    for at, part in enumerate(release.parts):
        yield f"{RELEASE}.parts[{at}]", part
    for at, total in enumerate(release.totals):
        yield f"{RELEASE}.totals[{at}]", total


def _of_total(
    total: Total,
    place: str,
    rows: Mapping[str, Mapping[str, Any]],
    below: Mapping[str | None, str | None],
    described: DataDescription,
) -> dict[str, Any]:
    """Return TOTAL as the script reads it: it holds what the table holds that adds up to it."""
    if total.reads is None or any(described.column(name) is None for name in total.reads):
        found = "is missing" if total.reads is None else "names an attribute without a public list"
        raise InvalidInput(found, f"{place}.reads", "Name the attributes that it is broken down by, or none.")
    numbers = math.prod(len(_labels(described, name)) for name in total.reads)
    if numbers != total.dimension:
        wrong = message("the public lists give {count} numbers; found {found}", count=numbers, found=total.dimension)
        raise InvalidInput(wrong, f"{place}.dimension", "Correct the lists, or the numbers published.")
    at = total.name
    while at is not None and at not in rows:
        at = below.get(at)
    held = rows.get(at or "", {"sums": None, "step": "1"})
    return {"name": total.name or "", "reads": total.reads, "sums": held["sums"], "step": held["step"]}


def _labels(described: DataDescription, attribute: str) -> tuple[str, ...]:
    column = described.column(attribute)
    return () if column is None else column.labels or ()


def _check_children(
    reads: Sequence[str], above: Sequence[str], stated: AddsUpTo, where: str, described: DataDescription
) -> None:
    """Raise InvalidInput where the cells of a table that READS so do not give sums of the numbers STATED."""
    counts: Counter[tuple[str, ...]] = Counter()
    for cell in itertools.product(*(_labels(described, name) for name in reads)):
        known = dict(zip(reads, cell, strict=True))
        counts[tuple(_class_in(described, name, known, where) for name in above)] += 1
    found = tuple(counts[cell] for cell in itertools.product(*(_labels(described, name) for name in above)))
    wanted = stated.counts * len(found) if len(stated.counts) == 1 else stated.counts
    if found != wanted:
        first = next((one for one, other in zip(found, wanted, strict=False) if one != other), len(found))
        wrong = message("the public lists give a sum of {count} numbers", count=first)
        raise InvalidInput(wrong, f"{where}.children", "Correct the lists, or how many numbers each sum has.")


def _class_in(described: DataDescription, attribute: str, known: Mapping[str, str], where: str) -> str:
    """Return the class of ATTRIBUTE where those KNOWN are given; raises InvalidInput where they do not say it."""
    if attribute in known:
        return known[attribute]
    column, source = described.column(attribute), described.source(attribute)
    if column is None or column.map is None or source is None:
        found = message('"{name}" cannot be found from what the table reads', name=attribute)
        raise InvalidInput(found, f"{where}.part", "Let the table read it, or map its classes in the data description.")
    return dict(column.map)[_class_in(described, source, known, where)]
