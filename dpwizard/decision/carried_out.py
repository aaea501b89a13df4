"""What a decision that was carried out counts as in the decisions after it: what its release has spent, table by table.

Tables whose noise has a largest loss are each an entry of their own; of tables that share no unit, and of those of
several years, a unit's loss is no sum, and they are one entry together. Gaussian tables are made together, at one
delta, and are one entry as well. Each states what it lost under the declared neighbours, and by its two sensitivities
how many times that under the others.
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
from dpwizard.decision import edits, promises
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

MOST_TABLES = 200  # that are counted one by one; of more, all that have a largest loss are one entry
LONGEST = 200  # letters of the names of tables that are one entry
HALF = 0.5  # D_add_remove >= D_replace / 2
NOT_READ = ("statistic", "unit", "name")  # fields that a decision needs and its loss does not depend on


class Earlier(Value):
    """What a record comes to as an earlier release: its own losses, those it counted itself, and its exact figures."""

    spent: tuple[EarlierRelease, ...]
    before: tuple[EarlierRelease, ...] = ()
    exact: tuple[ExactFigure, ...] = ()


def to_earlier_releases(decision: Decision, *, record: str, sha256: str | None, date: str | None = None) -> Earlier:
    """Return what DECISION, carried out, counts as in a later one.

    Arguments: record, how it is called; sha256, of the JSON file of its record (None: it has none); date, when it was
    published. The
    entries together never say less than is true of a pair of worlds under either neighbour relation, as a largest loss
    or as rho; what no table uses of the budget counts as spent. Raises InvalidInput where it states no budget,
    lacks what its loss depends on, or contradicts itself in it.

    Source: docs/methods/accounting.md and programmes.md.
    """
    release, budget = decision.planned.release, decision.chosen
    exact = tuple(ExactFigure(name=name or record, reads=reads) for name, reads in _exact(release))
    earlier = Earlier(spent=(), before=release.spent, exact=exact)
    if release.noise.absent or budget == 0.0:
        return earlier
    lacking = [path for path in release.missing() if path.rpartition(".")[2] not in NOT_READ]
    lacking = [path for path in lacking if not path.startswith("spent[")]
    if budget is None or lacking:
        raise InvalidInput(
            "does not say what it has spent",
            f"$.decision.release.{lacking[0]}" if lacking else "$.decision.epsilon",
            "Enter that release by hand, as it was carried out.",
        )
    named = EarlierRelease(record=record, sha256=sha256, neighbours=release.neighbours, date=date)
    for flaw in promises.flaws(release):
        if flaw.key == "sensitivity_below_leaving":
            raise InvalidInput(
                "is less than what leaving the table changes it by",
                f"$.decision.{flaw.where.removeprefix('$.')}",
                "Enter that release by hand, with the larger sensitivity.",
            )
    spent = _Carried(release, budget, named).entries()
    return earlier.model_copy(update={"spent": tuple(one for one in spent if not one.nothing)})


def counted(decision: Decision, records: Mapping[str, Earlier]) -> Decision:
    """Return DECISION with the RECORDS chosen, by their hashes, among what is already spent, each once.

    A record that is chosen itself counts as it says, and not as another says of it. What two others say of a third
    counts once where they say the same of it by its hash or its name; without either, each time.
    """
    release = decision.release
    hashes = {one.sha256 for one in release.spent}
    found = Counter(one for one in release.spent if one.sha256 not in records)
    for sha256, record in records.items():
        before = Counter(one for one in record.before if one.sha256 not in records)
        for one, times in before.items():
            same = one.sha256 is not None or one.record is not None or sha256 in hashes
            found[one] = max(found[one], times) if same else found[one] + times
    for record in records.values():
        found.update(record.spent)
    stands = set(release.exact)
    exact = dict.fromkeys(each for record in records.values() for each in record.exact)
    more = tuple(each for each in exact if (each.name or "", each.reads) not in stands)
    decision = edits.put(decision, "$.release.exact_figures", (*release.exact_figures, *more))
    if found == Counter(release.spent):  # the same as before, and so in the same order
        return decision
    return edits.put(decision, "$.release.spent", tuple(found.elements()))


def _exact(release: Release) -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield name and reads of what RELEASE itself published without noise."""
    yield from ((table.name or "", table.reads) for table in release.tables if table.noise.absent)
    yield from ((figure.name or "", figure.reads) for figure in release.exact_figures)


@dataclass(frozen=True)
class _Carried:
    """A release that was carried out at a budget, and an entry that names it."""

    release: Release
    budget: float
    named: EarlierRelease

    def entries(self) -> Iterator[EarlierRelease]:
        normal = tuple(table for table in self.release.noisy if table.noise.needs_delta)
        pure = tuple(table for table in self.release.noisy if not table.noise.needs_delta)
        alone = [table for table in pure if id(table) not in self.release.histories.not_always_read]
        if len(alone) > MOST_TABLES:
            alone = []
        counted = {id(table) for table in alone}
        others = tuple(table for table in pure if id(table) not in counted)
        single, unused = [self._spending(table) for table in alone], self._unused_of(pure)
        if unused and len(single) == 1 and not others:  # what no table uses may have told as much as the only one
            single, unused = (
                [replace(single[0], portion=(single[0].portion or 0) + unused, times_released=1)],
                Fraction(0),
            )
        for table in single:
            yield self._single(table)
        if others:
            yield self._joint(others)
        if unused:
            yield self._unused(pure, unused)
        if normal:
            yield self._normal(normal)

    def _unused_of(self, pure: tuple[Table, ...]) -> Fraction:
        """Return how much of the budget no table uses, where tables that are PURE divide it."""
        if all(table.fixed is not None for table in pure):
            return Fraction(0)
        return max(1 - as_meant(self._used_share), Fraction(0)) * decimal(self.budget)

    @cached_property
    def _used_share(self) -> Fraction:
        """Return how much of the budget the tables use together."""
        return used(self.release.histories, dividing)

    # ------------------------------------------------------------------- noise with a largest loss

    @cached_property
    def _attributes(self) -> tuple[str, ...]:
        """Return every attribute that some table reads or moves with."""
        tables = self.release.noisy
        return tuple(dict.fromkeys(name for t in tables for name in (*(t.reads or ()), *dict(t.effects or ()))))

    def _spending(self, table: Table) -> Table:
        """Return TABLE, which has a largest loss, with the epsilon it spent as its portion.

        Shares that are meant to come to 1 do.
        """
        share = self._used_share
        once = decimal(self.budget) * (1 / share if share < 1 and as_meant(share) == 1 else 1)
        spent = (table.portion or 0) * once if table.fixed is None else table.fixed
        return replace(table, fixed=None, portion=spent)

    def _single(self, table: Table) -> EarlierRelease:
        """Return the entry of a table whose loss adds to that of all others."""
        effects = {name: 0.0 for name in self._attributes if not table.may_read(name)} | dict(table.effects or ())
        if table.statistic == "histogram":  # any little move may pass the edge of a bin: then the whole loss counts
            effects = {name: far for name, far in effects.items() if not far}
        return self._pure(
            table,
            table.portion,
            self._sensitivities(table),
            (table,),
            table.times_released,
            tuple(effects.items()) or None,
        )

    def _joint(self, tables: tuple[Table, ...]) -> EarlierRelease:
        """Return the one entry of TABLES of which a unit's loss is no sum."""
        counted = {id(table) for table in tables}
        spending = self.release.histories_of(
            self._spending(table) if id(table) in counted else replace(table, fixed=None, portion=None)
            for table in self.release.tables
        )
        declared = used(spending)
        other = self._loss_under_other_relation(spending, unused=False)
        far = None if other is None or not declared else up(other.pure_factor / float(declared), 4)
        return self._pure(tables[0], declared, _two_sensitivities(far), tables)

    def _unused(self, tables: tuple[Table, ...], epsilon: Fraction) -> EarlierRelease:
        """Return the entry of the EPSILON that no table uses: it may have told as much as the table that tells most."""
        far = [table.times(self._other) for table in tables]
        left = 1.0 if any(id(table) in self.release.histories.not_always_read for table in tables) else 0.0
        known = [max(left, each) for each in far if each is not None]
        sensitivities = _two_sensitivities(max(known) if len(known) == len(far) else None)
        return self._pure(tables[0], epsilon, sensitivities)

    def _pure(
        self,
        table: Table,
        epsilon: Fraction | None,
        moves: tuple[float | None, float | None],
        named: tuple[Table, ...] = (),
        made: int = 1,
        effects: tuple[tuple[str, float], ...] | None = None,
    ) -> EarlierRelease:
        repetitions = self.release.repetitions
        return self._named(
            table=_names(named),
            mechanism=table.mechanism,
            epsilon=written_up((epsilon or Fraction(0)) * repetitions),
            sensitivity=moves[0],
            sensitivity_other=moves[1],
            times=repetitions * made if repetitions * made > 1 else None,
            effects=effects,
        )

    # ------------------------------------------------------------------- noise without one

    def _normal(self, tables: tuple[Table, ...]) -> EarlierRelease:
        """Return the one entry of the TABLES with Gaussian noise."""
        release, one = self.release, tables[0]
        assert release.neighbours is not None
        loss, other = (
            release.loss(TableSubset(declared=release.neighbours)),
            self._loss_under_other_relation(release.histories),
        )
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
        moves = self._sensitivities(one)
        if len(tables) > 1 or id(one) in release.histories.not_always_read:
            moves = _two_sensitivities(None if other is None else up(other.mu(self.budget) / mu, 16))
        normal = noise_of(tables).normal
        return self._named(
            table=_names(tables),
            mechanism=one.mechanism if normal is not None else DISCRETE_GAUSSIAN.name,
            epsilon=epsilon or None,  # 0 would say that nothing was lost: rho says what was
            rho=rho,
            delta=release.delta,
            sensitivity=moves[0],
            sensitivity_other=moves[1],
        )

    # ------------------------------------------------------------------- the two neighbour relations

    @property
    def _other(self) -> NeighbouringRelation:
        return "add_remove" if self.release.neighbours == "replace" else "replace"

    def _loss_under_other_relation(self, tables: Histories, *, unused: bool = True) -> ComposedLoss | None:
        """Return what TABLES tell under the other relation; None where that is not known."""
        release = self.release
        found = loss_of(
            AddOrRemoveOne() if self._other == "add_remove" else ReplaceOne(),
            tables,
            repetitions=release.repetitions,
            delta=release.delta,
            calibration=release.calibration,
            unused=unused,
        )
        return None if found.missing is not None else found

    def _sensitivities(self, table: Table) -> tuple[float | None, float | None]:
        """Return both sensitivities of TABLE; the other is left out where it is no more than twice the declared."""
        derived = table.times(self._other) not in (None, DOUBLE)
        return table.sensitivity, table.under(self._other) if derived else table.sensitivity_other

    def _named(self, **figures: object) -> EarlierRelease:
        return EarlierRelease.model_validate({**dict(self.named), **figures})


def _names(tables: tuple[Table, ...]) -> str | None:
    names = "; ".join(table.name for table in tables if table.name)
    return names[:LONGEST] or None


def _two_sensitivities(times: float | None) -> tuple[float | None, float | None]:
    """Return two sensitivities of which the other is so many TIMES the declared; none where that is not known."""
    return (None, None) if times is None else (1.0, max(HALF, times))
