"""A decision that was carried out, as earlier releases of later decisions.

Each table with bounded noise is one entry. Tables whose losses do not add up for one unit, because they are disjoint or
of different years, are one entry together; so are Gaussian tables, which are released together at one delta. Each entry
states its loss under the declared neighbours, and by its two sensitivities the ratio under the other relation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from dpwizard.base.errors import InvalidInput
from dpwizard.base.numerics import decimal, up, written_up
from dpwizard.base.values import Value
from dpwizard.decision import edits, release_flaws
from dpwizard.decision.decision import Decision
from dpwizard.decision.earlier import EarlierRelease
from dpwizard.decision.histories import Histories
from dpwizard.decision.loss import ComposedLoss, loss_of
from dpwizard.decision.neighbouring import AddOrRemoveOne, ReplaceOne, TableSubset
from dpwizard.decision.release import Release
from dpwizard.decision.settings import noise_of
from dpwizard.decision.shares import as_meant, dividing, gaussian_share, used
from dpwizard.decision.stated import ExactFigure
from dpwizard.decision.tables import DOUBLE, NeighbouringRelation, Table
from dpwizard.privacy.mechanisms import DISCRETE_GAUSSIAN, gaussian_epsilon, zcdp_epsilon

MOST_TABLES = 200  # the most tables with an entry each; of more, all with bounded noise are one entry
LONGEST = 200  # the most letters of the joined table names in one entry
HALF = 0.5  # D_add_remove >= D_replace / 2
NOT_READ = ("statistic", "unit", "name")  # required fields that do not affect the loss


class Earlier(Value):
    """The earlier releases that a record counts as: its own losses, those it counted, and its exact figures."""

    spent: tuple[EarlierRelease, ...]
    before: tuple[EarlierRelease, ...] = ()
    exact: tuple[ExactFigure, ...] = ()


def to_earlier_releases(decision: Decision, *, record: str, sha256: str | None, date: str | None = None) -> Earlier:
    """Return the earlier releases that DECISION, carried out, counts as in a later decision.

    Arguments: record, its name; sha256, of the JSON file of its record (None: it has none); date, of publication. The
    entries together are never below the true loss, as a largest loss or as rho, for neighbouring datasets under either
    relation; the unused part of the budget counts as spent. Raises InvalidInput if the decision states no budget, or
    lacks or contradicts a figure that its loss depends on. Source: docs/methods/accounting.md and programmes.md.
    """
    release, budget = decision.planned.release, decision.chosen
    exact = [(table.name, table.reads) for table in release.tables if table.noise.absent]
    exact += [(figure.name, figure.reads) for figure in release.exact_figures]
    figures = tuple(ExactFigure(name=name or record, reads=reads) for name, reads in exact)
    earlier = Earlier(spent=(), before=release.spent, exact=figures)
    if release.noise.absent or budget == 0.0:
        return earlier
    missing = [path for path in release.missing() if path.rpartition(".")[2] not in NOT_READ]
    missing = [path for path in missing if not path.startswith("spent[")]
    if budget is None or missing:
        raise InvalidInput(
            "does not state what it has spent",
            f"$.decision.release.{missing[0]}" if missing else "$.decision.epsilon",
            "Enter that release by hand, as it was actually made.",
        )
    named = EarlierRelease(record=record, sha256=sha256, neighbours=release.neighbours, date=date)
    for flaw in release_flaws.flaws(release):
        if flaw.key == "sensitivity_below_leaving":
            raise InvalidInput(
                "is less than the change when someone leaves the table",
                f"$.decision.{flaw.where.removeprefix('$.')}",
                "Enter that release by hand, with the larger sensitivity.",
            )
    spent = _CarriedOut(release, budget, named).entries()
    return earlier.model_copy(update={"spent": tuple(entry for entry in spent if not entry.nothing)})


def counted(decision: Decision, records: Mapping[str, Earlier]) -> Decision:
    """Return DECISION with the chosen RECORDS, by their hashes, counted once each among its earlier releases.

    A chosen record counts as it states itself, not as others state it. A third release that two records count is
    counted once if its hash or name is the same in both; without either, each time.
    """
    release = decision.release
    hashes = {entry.sha256 for entry in release.spent}
    entries = Counter(entry for entry in release.spent if entry.sha256 not in records)
    for sha256, record in records.items():
        before = Counter(entry for entry in record.before if entry.sha256 not in records)
        for entry, times in before.items():
            is_identified = entry.sha256 is not None or entry.record is not None or sha256 in hashes
            entries[entry] = max(entries[entry], times) if is_identified else entries[entry] + times
    for record in records.values():
        entries.update(record.spent)
    known = set(release.exact)
    exact = dict.fromkeys(each for record in records.values() for each in record.exact)
    added = tuple(each for each in exact if (each.name or "", each.reads) not in known)
    decision = edits.put(decision, "$.release.exact_figures", (*release.exact_figures, *added))
    if entries == Counter(release.spent):  # unchanged, so the order stays
        return decision
    return edits.put(decision, "$.release.spent", tuple(entries.elements()))


@dataclass(frozen=True)
class _CarriedOut:
    """A release that was carried out at a budget, and an empty entry with its name."""

    release: Release
    budget: float
    named: EarlierRelease

    def entries(self) -> Iterator[EarlierRelease]:
        gaussian = tuple(table for table in self.release.noisy if table.noise.needs_delta)
        bounded = tuple(table for table in self.release.noisy if not table.noise.needs_delta)
        separate = [table for table in bounded if id(table) not in self.release.histories.not_always_read]
        if len(separate) > MOST_TABLES:
            separate = []
        separate_ids = {id(table) for table in separate}
        others = tuple(table for table in bounded if id(table) not in separate_ids)
        entries, unused = [self._with_epsilon_as_portion(table) for table in separate], self._unused_epsilon(bounded)
        if unused and len(entries) == 1 and not others:  # the unused share counts as part of the only table
            entries = [replace(entries[0], portion=(entries[0].portion or 0) + unused, times_released=1)]
            unused = Fraction(0)
        for table in entries:
            yield self._entry_of_table(table)
        if others:
            yield self._entry_of_disjoint(others)
        if unused:
            yield self._entry_of_unused(bounded, unused)
        if gaussian:
            yield self._gaussian_entry(gaussian)

    def _unused_epsilon(self, bounded: tuple[Table, ...]) -> Fraction:
        """Return the part of the budget that no table uses, if the BOUNDED tables share it."""
        if all(table.fixed is not None for table in bounded):
            return Fraction(0)
        return max(1 - as_meant(self._used_share), Fraction(0)) * decimal(self.budget)

    @cached_property
    def _used_share(self) -> Fraction:
        return used(self.release.histories, dividing)

    # ------------------------------------------------------------------- bounded noise

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        tables = self.release.noisy
        return tuple(dict.fromkeys(name for t in tables for name in (*(t.reads or ()), *dict(t.effects or ()))))

    def _with_epsilon_as_portion(self, table: Table) -> Table:
        """Return TABLE, which has bounded noise, with its epsilon as its portion."""
        share = self._used_share  # shares that add up to almost 1 are meant to be 1
        budget = decimal(self.budget) * (1 / share if share < 1 and as_meant(share) == 1 else 1)
        spent = (table.portion or 0) * budget if table.fixed is None else table.fixed
        return replace(table, fixed=None, portion=spent)

    def _entry_of_table(self, table: Table) -> EarlierRelease:
        effects = {name: 0.0 for name in self._attributes if not table.may_read(name)} | dict(table.effects or ())
        if table.statistic == "histogram":  # a small change may cross the edge of a bin, with the full loss
            effects = {name: effect for name, effect in effects.items() if not effect}
        return self._bounded_entry(
            table,
            table.portion,
            self._both_sensitivities(table),
            (table,),
            table.times_released,
            tuple(effects.items()) or None,
        )

    def _entry_of_disjoint(self, tables: tuple[Table, ...]) -> EarlierRelease:
        counted = {id(table) for table in tables}
        spending = self.release.histories_of(
            self._with_epsilon_as_portion(table) if id(table) in counted else replace(table, fixed=None, portion=None)
            for table in self.release.tables
        )
        declared = used(spending)
        other = self._loss_under_other_relation(spending, unused=False)
        ratio = None if other is None or not declared else up(other.pure_factor / float(declared), 4)
        return self._bounded_entry(tables[0], declared, _two_sensitivities(ratio), tables)

    def _entry_of_unused(self, tables: tuple[Table, ...], epsilon: Fraction) -> EarlierRelease:
        """Return the entry of the EPSILON that no table uses: it counts like the table with the largest ratio."""
        ratios = [table.times(self._other_relation) for table in tables]
        least = 1.0 if any(id(table) in self.release.histories.not_always_read for table in tables) else 0.0
        bounds = [max(least, ratio) for ratio in ratios if ratio is not None]
        sensitivities = _two_sensitivities(max(bounds) if len(bounds) == len(ratios) else None)
        return self._bounded_entry(tables[0], epsilon, sensitivities)

    def _bounded_entry(
        self,
        table: Table,
        epsilon: Fraction | None,
        sensitivities: tuple[float | None, float | None],
        named: tuple[Table, ...] = (),
        times: int = 1,
        effects: tuple[tuple[str, float], ...] | None = None,
    ) -> EarlierRelease:
        repetitions = self.release.repetitions
        return self._named(
            table=_names(named),
            mechanism=table.mechanism,
            epsilon=written_up((epsilon or Fraction(0)) * repetitions),
            sensitivity=sensitivities[0],
            sensitivity_other=sensitivities[1],
            times=repetitions * times if repetitions * times > 1 else None,
            effects=effects,
        )

    # ------------------------------------------------------------------- Gaussian noise

    def _gaussian_entry(self, tables: tuple[Table, ...]) -> EarlierRelease:
        release, first = self.release, tables[0]
        assert release.neighbours is not None
        loss = release.loss(TableSubset(declared=release.neighbours))
        other = self._loss_under_other_relation(release.histories)
        mu = loss.mu(self.budget)
        plain = loss.mu_factor == loss.repetitions == 1
        rho = up(0.5 * mu * mu, 4)
        epsilon = None
        if release.counted_in == "rho":
            rho = written_up(decimal(self.budget) * loss.repetitions) if loss.mu_factor == 1.0 else rho
        if release.delta is not None:
            epsilon = zcdp_epsilon(rho, release.delta)
            if release.counted_in == "epsilon" and plain:
                share = gaussian_share(release.histories)
                epsilon = written_up(decimal(self.budget) * share)
            elif release.calibration.normal:
                epsilon = min(epsilon, gaussian_epsilon(mu, release.delta))
        sensitivities = self._both_sensitivities(first)
        if len(tables) > 1 or id(first) in release.histories.not_always_read:
            sensitivities = _two_sensitivities(None if other is None else up(other.mu(self.budget) / mu, 16))
        normal = noise_of(tables).normal
        return self._named(
            table=_names(tables),
            mechanism=first.mechanism if normal is not None else DISCRETE_GAUSSIAN.name,
            epsilon=epsilon or None,  # 0 would state that there was no loss
            rho=rho,
            delta=release.delta,
            sensitivity=sensitivities[0],
            sensitivity_other=sensitivities[1],
        )

    # ------------------------------------------------------------------- the two neighbour relations

    @property
    def _other_relation(self) -> NeighbouringRelation:
        return "add_remove" if self.release.neighbours == "replace" else "replace"

    def _loss_under_other_relation(self, tables: Histories, *, unused: bool = True) -> ComposedLoss | None:
        release = self.release
        loss = loss_of(
            AddOrRemoveOne() if self._other_relation == "add_remove" else ReplaceOne(),
            tables,
            repetitions=release.repetitions,
            delta=release.delta,
            calibration=release.calibration,
            unused=unused,
        )
        return None if loss.missing is not None else loss

    def _both_sensitivities(self, table: Table) -> tuple[float | None, float | None]:
        """Return both sensitivities of TABLE; without the other one if that is at most twice the declared one."""
        derived = table.times(self._other_relation) not in (None, DOUBLE)
        return table.sensitivity, table.under(self._other_relation) if derived else table.sensitivity_other

    def _named(self, **figures: object) -> EarlierRelease:
        return EarlierRelease.model_validate({**dict(self.named), **figures})


def _names(tables: tuple[Table, ...]) -> str | None:
    names = "; ".join(table.name for table in tables if table.name)
    return names[:LONGEST] or None


def _two_sensitivities(ratio: float | None) -> tuple[float | None, float | None]:
    return (None, None) if ratio is None else (1.0, max(HALF, ratio))
