"""What adds up to what in the plan of a release script: each cell of a table is found in a cell of its sums.

The decision says how many numbers each sum has; which ones they are, the public lists of classes say.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import message
from dpwizard.decision import AddsUpTo, DataDescription, Group, Part, Release, Table, Total, breakdown, months, sums_of
from dpwizard.wording import texts

Refusal = Literal["no_data_description", "not_whole", "statistic", "sum_in_two"]
RELEASE = "$.release"


class NoScript(InvalidInput):
    """Why no script makes a release: in words, and by key."""

    def __init__(self, message: str, where: str, hint: str, key: Refusal = "no_data_description") -> None:
        super().__init__(message, where, hint)
        self.key = key


class PlannedSums(NamedTuple):
    """What adds up in a release, as its script reads it.

    above: the names of what each table adds up to; totals: what is shown as sums alone; exact: what others add up to
    and is published without noise.
    """

    above: dict[str, list[str]]
    totals: tuple[dict[str, Any], ...] = ()
    exact: tuple[dict[str, Any], ...] = ()


def planned_sums(release: Release, described: DataDescription, planned: Sequence[Mapping[str, Any]]) -> PlannedSums:
    """Return what adds up in RELEASE, as its script reads it.

    Arguments: described, its public lists; planned, its tables with noise as the script reads them. Raises NoScript
    where numbers are not made whole, or cannot be; InvalidInput where the public lists give other sums than the
    decision states.
    """
    if not release.adds_up:
        return PlannedSums({})
    known = sums_of(release)
    if known.flaws:
        flaw = known.flaws[0]
        raise InvalidInput(
            texts.format_text("problem", flaw.key, flaw.values), flaw.where, "Correct what adds up to what."
        )
    if "rounding" not in release.post_processing:
        raise NoScript(
            "tables that are made to add up are published in whole numbers",
            f"{RELEASE}.post_processing",
            "Add rounding to what is done to the figures.",
            "not_whole",
        )
    rows = {each["name"]: each for each in planned}
    below = {total.part: row.name for _, row in _summed(release) for total in row.adds_up_to}
    exact = []
    for table in release.tables:
        if table.noise.absent and (table.name in below or table.name in below.values()):
            exact.append(_of_exact(table, described))
    for at, figure in enumerate(release.exact_figures):
        if figure.name in below:
            only = Total(name=figure.name, reads=figure.reads)
            exact.append(_of_total(only, f"{RELEASE}.exact_figures[{at}]", rows, below, described))
    rows |= {each["name"]: each for each in exact}
    totals = []
    for at, total in enumerate(release.totals):
        totals.append(_of_total(total, f"{RELEASE}.totals[{at}]", rows, below, described))
    rows |= {each["name"]: each for each in totals}
    for group in known.groups:
        _check_crossing(release, group)
    above: dict[str, list[str]] = {}
    for child, parent in _links(release, rows, described):
        above.setdefault(child, []).append(parent)
    return PlannedSums(above, tuple(totals), tuple(exact))


def _of_exact(table: Table, described: DataDescription) -> dict[str, Any]:
    reads, sums, step = breakdown(table, described)
    period = months(table.period) if table.period else None
    return {"name": table.name or "", "reads": reads, "sums": sums, "step": str(step), "months": period}


def _links(
    release: Release, rows: Mapping[str, Mapping[str, Any]], described: DataDescription
) -> Iterator[tuple[str, str]]:
    for place, row in _summed(release):
        for number, total in enumerate(row.adds_up_to):
            where, name, other = f"{place}.adds_up_to[{number}]", row.name or "", total.part or ""
            _check_children(rows[name]["reads"], rows[other]["reads"], total, where, described)
            if rows[name]["months"] != rows[other]["months"]:
                raise InvalidInput(
                    message('"{name}" does not read the same period', name=other),
                    f"{where}.part",
                    "Let it add up to a table of its own period.",
                )
            yield name, other


def _check_crossing(release: Release, group: Group) -> None:
    """Raise NoScript where sums of GROUP cannot be made whole."""
    names = {table.name for table in group.tables if table is not None}
    if not group.structure.can_be_whole:
        summed = ((place, row) for place, row in _summed(release) if row.name in names)
        place, row = max(summed, key=lambda sum_of: len(sum_of[1].adds_up_to))
        raise NoScript(
            message('the numbers of "{name}" are part of sums of three kinds', name=row.name),
            f"{place}.adds_up_to",
            "Leave out the sums of one kind, or make the release without the script.",
            "sum_in_two",
        )


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
        why = "is missing" if total.reads is None else "names an attribute without a public list"
        raise InvalidInput(why, f"{place}.reads", "Name the attributes that it is broken down by, or none.")
    at = total.name
    while at is not None and at not in rows:
        at = below.get(at)
    held = rows.get(at or "", {"sums": None, "step": "1", "months": None})
    reads = tuple(name for name in total.reads if name != held["sums"])
    if (numbers := len(described.cells(reads))) != total.dimension:
        wrong = message("the public lists give {count} numbers; found {found}", count=numbers, found=total.dimension)
        raise InvalidInput(wrong, f"{place}.dimension", "Correct the lists, or the numbers published.")
    return {"name": total.name or "", "reads": reads} | {name: held[name] for name in ("sums", "step", "months")}


def _check_children(
    reads: Sequence[str], others: Sequence[str], stated: AddsUpTo, where: str, described: DataDescription
) -> None:
    """Raise InvalidInput where the cells of a table that READS so do not give sums of the numbers STATED."""
    above = described.above(reads, others)
    if above is None:
        unknown = [name for name in others if described.above(reads, (name,)) is None]
        why = message('"{name}" cannot be derived from what the table reads', name=unknown[0])
        raise InvalidInput(why, f"{where}.part", "Let the table read it, or map its classes in the data description.")
    counts = Counter(above)
    found_counts = tuple(counts[at] for at in range(len(described.cells(others))))
    wanted = stated.counts * len(found_counts) if len(stated.counts) == 1 else stated.counts
    if found_counts != wanted:
        pairs = zip(found_counts, wanted, strict=False)
        first = next((count for count, other in pairs if count != other), len(found_counts))
        wrong = message("the public lists give a sum of {count} numbers", count=first)
        raise InvalidInput(wrong, f"{where}.children", "Correct the lists, or how many numbers each sum has.")
