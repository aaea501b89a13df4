"""The tables of a release that add up: the noise of their published numbers, and flaws (docs/methods/adding_up.md)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType

from dpwizard.base.numerics import decimal
from dpwizard.decision.data_description import DataDescription
from dpwizard.decision.names import unknown_name
from dpwizard.decision.reasons import Reason
from dpwizard.decision.release import Release
from dpwizard.decision.release_flaws import is_central_model
from dpwizard.decision.settings import SMALLEST, AccuracyInputs, AddedUpTables, number_of
from dpwizard.decision.shares import NONE
from dpwizard.decision.stated import AddsUpTo
from dpwizard.decision.tables import WHOLE, Table
from dpwizard.privacy.adding_up import AddedUp, Flawed, Link, Linked, Variance, linked
from dpwizard.privacy.mechanisms import IN_RHO

MOST_LISTED = 100_000  # the most numbers of a table that are looked up in the public lists
LONGEST = 10**6  # the largest denominator of a variance ratio that stays an exact fraction


@dataclass(frozen=True, kw_only=True)
class SumMember:
    """A table, a total or an exact figure that can be part of a sum."""

    place: str
    name: str | None
    numbers: int
    sums: tuple[AddsUpTo, ...] = ()
    reads: tuple[str, ...] | None = None
    table: Table | None = None
    exact: bool = False

    @property
    def linked(self) -> Linked:
        exact = self.exact or (self.table is not None and self.table.noise.absent)
        return Linked(numbers=self.numbers, noise="exact" if exact else "none" if self.table is None else "noisy")


@dataclass(frozen=True, kw_only=True)
class Group:
    """Tables that are linked by sums; None for a total or an exact figure."""

    structure: AddedUp
    tables: tuple[Table | None, ...]

    @property
    def noisy(self) -> tuple[tuple[int, Table], ...]:
        return tuple((at, each) for at, each in enumerate(self.tables) if each is not None and not each.noise.absent)

    @property
    def whole(self) -> bool:
        return all(table.noise.integer_valued for _, table in self.noisy)


@dataclass(frozen=True, kw_only=True)
class Sums:
    """The groups of tables that add up in a release, and the flaws of its sums."""

    groups: tuple[Group, ...] = ()
    flaws: tuple[Reason, ...] = ()
    of: Mapping[str | None, tuple[Group, int]] = field(default_factory=lambda: MappingProxyType({}))


def sums_of(release: Release) -> Sums:
    """Return the groups that add up in RELEASE; none if its tables are not adjusted to add up."""
    return release.cached("sums", lambda: _find_sums(release) if release.adds_up else Sums())


def _find_sums(release: Release) -> Sums:
    members = [*_sum_members(release)]
    positions = {row.name: at for at, row in enumerate(members) if row.name is not None}
    flaws = [*_misnamed_sums(release, members, positions)]
    if not flaws and not any(row.sums for row in members):
        flaws.append(Reason(key="nothing_adds_up", where=f"{WHOLE}.adding_up"))
    if flaws:
        return Sums(flaws=tuple(flaws))
    described = release.data if any(len(row.sums) > 1 for row in members) else None  # for tables in several sums
    if described is not None and (differing := tuple(_lists_that_differ(described, members, positions))):
        return Sums(flaws=differing)
    linked_groups, flaws_of_links = linked(_with_links(members, positions, described))
    if flaws_of_links:
        return Sums(flaws=tuple(_reason_of(members, flaw) for flaw in flaws_of_links))
    groups = tuple(
        Group(structure=added_up, tables=tuple(members[at].table for at in places))
        for added_up, places in linked_groups
    )
    of = {table.name: (group, at) for group in groups for at, table in group.noisy}
    return Sums(groups=groups, of=of, flaws=tuple(_unknown_budgets(release, groups)))


def _with_links(
    rows: Sequence[SumMember], positions: Mapping[str, int], described: DataDescription | None
) -> tuple[Linked, ...]:
    """Return ROWS with their links, and if they are DESCRIBED, which numbers are in which sum."""

    def link(row: SumMember, to: AddsUpTo) -> Link:
        parent = positions[to.part or ""]
        above = None if described is None else _sums_by_lists(described, row, rows[parent])
        return Link(parent, to.counts, above)

    return tuple(replace(row.linked, links=tuple(link(row, to) for to in row.sums)) for row in rows)


def _lists_that_differ(
    described: DataDescription, rows: Sequence[SumMember], positions: Mapping[str, int]
) -> Iterator[Reason]:
    """Yield each sum for which the public lists give another count of numbers than the file states."""
    for row in rows:
        for number, link in enumerate(row.sums):
            other = rows[positions[link.part or ""]]
            above = _sums_by_lists(described, row, other)
            counted = Counter(above)
            stated = link.counts * other.numbers if len(link.counts) == 1 else link.counts
            if above is not None and tuple(counted[at] for at in range(other.numbers)) != stated:
                names = {"name": row.name, "other": other.name}
                yield Reason(key="lists_differ", values=names, where=f"{row.place}.adds_up_to[{number}].children")


def _sums_by_lists(described: DataDescription, row: SumMember, other: SumMember) -> tuple[int, ...] | None:
    """Return in which number of OTHER each number of ROW is; None if the public lists are incomplete."""
    if row.reads is None or other.reads is None or row.numbers > MOST_LISTED:
        return None
    above = _cells_above(described, row.reads, other.reads)
    complete = above is not None and len(above) == row.numbers and max(above, default=0) < other.numbers
    return above if complete else None


@lru_cache(maxsize=512)  # a decision changes often, its public lists rarely
def _cells_above(described: DataDescription, reads: tuple[str, ...], others: tuple[str, ...]) -> tuple[int, ...] | None:
    columns = {name: described.column(name) for name in (*reads, *others)}
    if None in columns.values():
        return None
    classed = [[name for name in names if (column := columns[name]) and column.labels] for names in (reads, others)]
    return described.above(*classed)


def _sum_members(release: Release) -> Iterator[SumMember]:
    for table, part in zip(release.tables, release.parts, strict=False):
        yield SumMember(
            place=table.place,
            name=table.name,
            numbers=table.dimension,
            sums=part.adds_up_to,
            reads=table.reads,
            table=table,
        )
    for at, total in enumerate(release.totals):
        place = f"{WHOLE}.totals[{at}]"
        yield SumMember(place=place, name=total.name, numbers=total.dimension, sums=total.adds_up_to, reads=total.reads)
    for at, figure in enumerate(release.exact_figures):
        place = f"{WHOLE}.exact_figures[{at}]"
        yield SumMember(place=place, name=figure.name, numbers=1, reads=figure.reads, exact=True)


def _misnamed_sums(release: Release, rows: Sequence[SumMember], positions: Mapping[str, int]) -> Iterator[Reason]:
    for at, row in enumerate(rows):
        if row.name is not None and positions[row.name] != at and not row.exact:
            yield Reason(key="name_given_twice", values={"name": row.name}, where=f"{row.place}.name")
        for number, link in enumerate(row.sums):
            where = f"{row.place}.adds_up_to[{number}]"
            for name in ("part", "children"):
                if getattr(link, name) is None:
                    yield Reason(key="unanswered", values={"fields": (f"{where}.{name}",)}, where=f"{where}.{name}")
            if link.part not in positions or link.part == row.name:
                others = [name for name in positions if name != row.name]
                yield from unknown_name("table", link.part, others, f"{where}.part")


def _reason_of(rows: Sequence[SumMember], flaw: Flawed) -> Reason:
    row = rows[flaw.table]
    if flaw.problem == "children_do_not_fit":
        figures = {"children": flaw.children, "numbers": row.numbers, "name": row.name}
        return Reason(key=flaw.problem, values=figures, where=f"{row.place}.adds_up_to[{flaw.link}].children")
    where = row.place if flaw.problem == "nothing_tells" else f"{row.place}.adds_up_to"
    return Reason(key=flaw.problem, values={"name": row.name}, where=where)


def _unknown_budgets(release: Release, groups: Sequence[Group]) -> Iterator[Reason]:
    """Yield a flaw for noise whose variance is inverse to the square of the budget: no least budget is known."""
    if release.allocation != "needs":
        return
    for table in (table for group in groups for _, table in group.noisy):
        if table.mechanism is not None and not table.noise.uses_l2:
            values = {"name": table.name, "mechanism": table.mechanism}
            yield Reason(key="not_convex", values=values, where=f"{WHOLE}.allocation")
            return


def added_up(release: Release, name: str | None) -> AddedUpTables | tuple[str, ...] | None:
    """Return the tables of RELEASE that the table called NAME is adjusted to add up with; None if there are none.

    Returns the paths of unanswered fields of those tables instead if some are needed.
    """
    group, at = sums_of(release).of.get(name, (None, 0))
    if group is None:
        return None
    tables = release.cached(("added up", id(group)), lambda: _tables_of_group(release, group))
    if not isinstance(tables[0], AddedUpTables):
        return tuple(str(path) for path in tables)
    return replace(tables[0], at=at) if tables[0].at != at else tables[0]


def published_setting(release: Release, name: str | None) -> AccuracyInputs | tuple[str, ...]:
    """Return the noise on a published number of the table called NAME, after adding up if that is done.

    Returns the paths of unanswered fields if some are needed; () if the noise is unknown for another reason.
    """
    group, at = sums_of(release).of.get(name, (None, 0))
    if sums_of(release).flaws or not is_central_model(release):
        return ()
    if group is not None and unknown_noise_reason(release, group, at):
        return ()
    setting = setting_after_adding_up(release, name)
    return () if group is not None and isinstance(setting, AccuracyInputs) and setting.noise_step != 1.0 else setting


def unknown_noise_reason(release: Release, group: Group, at: int) -> str:
    """Return why the noise on numbers of table AT of GROUP is unknown; an empty text if it is known."""
    if "clamping" in release.post_processing and group.structure.has_children(at):
        return "clamped_sums"
    rounded = "rounding" in release.post_processing and group.whole
    return "grid_is_not_rounded" if rounded and not group.structure.can_be_whole else ""


def setting_after_adding_up(release: Release, name: str | None) -> AccuracyInputs | tuple[str, ...]:
    """Return the noise on a number of the table called NAME, even if no requirement can use it."""
    setting, tables = release.number_setting(name), added_up(release, name)
    if isinstance(setting, tuple) or tables is None:
        return setting
    return tables if isinstance(tables, tuple) else replace(setting, added_up=tables)


def is_rounded(release: Release, group: Group) -> bool:
    """Return whether the numbers of GROUP are rounded after adding up: each up or down, so that all add up."""
    return "rounding" in release.post_processing and group.whole and group.structure.can_be_whole


def _tables_of_group(release: Release, group: Group) -> tuple[AddedUpTables] | tuple[str, ...]:
    each: list[AccuracyInputs | None] = [None] * len(group.tables)
    ratios: list[Variance | None] = [None] * len(group.tables)
    for at, table in group.noisy:
        setting = release.number_setting(table.name)
        if isinstance(setting, tuple):
            return setting
        each[at] = setting
        share, sensitivity = (table.portion or NONE) / table.times_released, decimal(table.sensitivity or 1.0)
        if share:  # 0 for a table with a fixed epsilon
            ratios[at] = sensitivity**2 / share if table.noise.uses_l2 else 2 * (sensitivity / share) ** 2
    same_norm = len({table.noise.uses_l2 for _, table in group.noisy}) == 1
    are_constant = same_norm and all(table.fixed is None for _, table in group.noisy)
    return (
        AddedUpTables(
            structure=group.structure,
            at=0,
            each=tuple(each),
            ratios=_short_ratios(ratios) if are_constant else None,
            rounded=is_rounded(release, group),
        ),
    )


def bare(release: Release, group: Group) -> AddedUpTables:
    """Return the tables of GROUP with mechanisms and without budgets, to compute the least budgets from."""
    settings = [number_of(table, IN_RHO, alone=True) for _, table in group.noisy]
    each = tuple(inputs for inputs in settings if isinstance(inputs, AccuracyInputs))
    return AddedUpTables(structure=group.structure, at=0, each=each, ratios=None, rounded=is_rounded(release, group))


def _short_ratios(ratios: Sequence[Variance | None]) -> tuple[Variance | None, ...]:
    # relative to the largest, as fractions if these are short or too small for a float
    largest = Fraction(max(ratio for ratio in ratios if ratio))
    scaled = [None if ratio is None else Fraction(ratio) / largest for ratio in ratios]
    known = [ratio for ratio in scaled if ratio is not None]
    keep_fractions = all(ratio.denominator <= LONGEST for ratio in known) or min(known) < SMALLEST
    return tuple(scaled if keep_fractions else [None if ratio is None else float(ratio) for ratio in scaled])
