"""The office's ledger: the privacy loss of each record by population, its status, and the loss with one record more.

Three rules keep every sum on the safe side. What a record leaves open counts for every population it may concern. Only
a record that passes verification makes a sum smaller. What cannot be added is named, never left out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Literal, TypeAlias

from dpwizard.base.errors import InvalidInput
from dpwizard.base.messages import NO_MESSAGE, Message, message, quoted
from dpwizard.base.numerics import up
from dpwizard.base.stopping import may_stop
from dpwizard.decision import Conversion, EarlierRelease, curve_of_stated
from dpwizard.privacy import programme
from dpwizard.privacy.programme import LedgerRecord, LedgerTotal, Lost, Relation
from dpwizard.records.ledger_entry import LedgerEntry, Links, alike, names_of
from dpwizard.records.record import is_day

Standing = Literal[
    "planned",
    "unreadable",
    "tampered",
    "refused",
    "missing",
    "unsigned",
    "copy",
    "rejected",
    "superseded",
    "due",
    "unjudged",
    "valid",
]
TAMPERED = ("changed", "unreadable")  # verdicts of a verification
UNSIGNED = ("unsigned", "incomplete")
# standings in which nobody vouches for what a record says it loses
DOUBTFUL: tuple[Standing, ...] = ("unreadable", "tampered", "unsigned", "unjudged")
WRONG: tuple[Standing, ...] = ("unreadable", "tampered", "refused", "unsigned")
IN = ("epsilon", "rho")
Added: TypeAlias = tuple[LedgerRecord, LedgerRecord]  # what a record adds of a unit, and of a person
NEAR = 1e-9  # relative: what two ways to compute one loss may be apart
ANYBODY = "-"  # stands for the one population and unit of records that are chosen already


@dataclass(frozen=True, kw_only=True)
class LedgerRow:
    """One line of the ledger: a record, how it stands, and whether it counts."""

    entry: LedgerEntry
    standing: Standing
    counts: bool = True
    known: bool = True  # whether anything is known of what it lost
    due: bool = False
    why: Message = NO_MESSAGE
    other: int | None = None  # the position of the record that replaces it, that it is a copy of, or that names it

    @property
    def doubtful(self) -> bool:
        """Return whether it may have lost more than is counted."""
        return self.counts and (self.standing in DOUBTFUL or not self.known)

    def as_plain(self) -> dict[str, Any]:
        entry = self.entry
        return {
            "record": entry.place,
            "title": entry.title,
            "number": entry.number,
            "date": entry.date,
            "population": entry.population,
            "unit": entry.unit,
            "neighbours": entry.neighbours,
            "epsilon": entry.lost.epsilon,
            "rho": entry.lost.rho,
            "delta": entry.lost.delta,
            "per_person": {"epsilon": entry.person.epsilon, "rho": entry.person.rho} if entry.sliced else None,
            "without_noise": entry.unprotected,
            "outcome": entry.outcome,
            "standing": self.standing,
            "counts": self.counts,
            "signatures": None if entry.signed is None else entry.signed.verdict,
            "review": entry.review,
            "due": self.due,
            "other": self.other,
            "sha256": entry.sha256,
            "why": self.why,
        }


@dataclass(frozen=True, kw_only=True)
class Sum:
    """What records lose together under one rule: never below the truth, None where some do not say it."""

    total: float | None
    known: float  # of those that say it
    not_counted: tuple[int, ...]  # the positions of those that do not


@dataclass(frozen=True, kw_only=True)
class Ceiling:
    """What an office lets be lost at most; None: it sets no limit."""

    epsilon: float | None = None
    rho: float | None = None


@dataclass(frozen=True, kw_only=True)
class Total:
    """The loss of one population and unit; if the population is empty, that of a person who is in all of them."""

    population: str
    unit: str
    neighbours: Relation
    epsilon: Sum
    delta: float  # the deltas with which epsilon is said, together
    rho: Sum
    at_delta: float
    person: tuple[Sum, Sum] | None  # epsilon and rho of a person, where a unit may be less; None where it is none
    rows: tuple[int, ...]  # the positions of those that count, and
    each: tuple[tuple[float | None, float | None, float | None], ...]  # what each adds in epsilon and rho, and a delta
    doubtful: tuple[int, ...]  # of those that may have lost more than is counted: nobody vouches for what they say

    @cached_property
    def conversions(self) -> tuple[Conversion, ...]:
        """Return the epsilon of all of them at `at_delta`, read from one curve; nothing where one says too little.

        A largest loss, or an epsilon with a delta, enters as that, and what is known by its rho is added up first.
        """
        stated: Counter[tuple[float, float]] = Counter()
        rhos = []
        for epsilon, rho, delta in self.each:
            if epsilon is not None and (rho is None or delta is None):
                stated[epsilon, delta or 0.0] += 1
            elif rho is not None:
                rhos.append(rho)
            else:
                return ()
        together = curve_of_stated(stated, up(math.fsum(rhos), 1) if rhos else 0.0)
        try:
            epsilon = together.epsilon(self.at_delta)
        except InvalidInput:  # they range too widely for memory
            return ()
        return (Conversion(rule="tight", epsilon=epsilon),) if math.isfinite(epsilon) else ()

    def within(self, ceiling: Ceiling) -> bool | None:
        """Return whether the CEILING is met; None if that is not known, or none is set."""
        asked = ((self.epsilon, ceiling.epsilon), (self.rho, ceiling.rho))
        kept = [self._keeps(added, most) for added, most in asked if most is not None]
        return False if False in kept else True if kept and None not in kept else None

    def _keeps(self, added: Sum, most: float) -> bool | None:
        if added.known > most:
            return False
        return None if self.doubtful or added.total is None else True

    def as_plain(self) -> dict[str, Any]:
        return {
            "population": self.population,
            "unit": self.unit,
            "neighbours": self.neighbours,
            "epsilon": self.epsilon.total,
            "delta": self.delta,
            "rho": self.rho.total,
            "at_delta": self.at_delta,
            "conversions": self.conversions,
            "epsilon_known": self.epsilon.known,
            "rho_known": self.rho.known,
            "epsilon_unsaid": self.epsilon.not_counted,
            "rho_unsaid": self.rho.not_counted,
            "per_person": None if self.person is None else dict(zip(IN, (s.total for s in self.person), strict=True)),
            "records": self.rows,
            "doubtful": self.doubtful,
        }


@dataclass(frozen=True, kw_only=True)
class Ledger:
    """The records of a folder with their standing, and what is lost of each population and unit."""

    rows: tuple[LedgerRow, ...]
    totals: tuple[Total, ...]

    @cached_property
    def standings(self) -> Counter[Standing]:
        """Return how many records stand in each way."""
        return Counter(row.standing for row in self.rows)


def ledger_of(entries: Sequence[LedgerEntry], *, today: date, delta: float, more: LedgerEntry | None = None) -> Ledger:
    """Return the ledger of ENTRIES on the day TODAY, with one MORE that is planned, its rho said in epsilon at DELTA.

    Populations and units go by their names. A record that does not state one counts in all of them.
    """
    everything = (*entries, *([more] if more is not None else []))
    links = Links(everything)
    rows = [_row(entry, at, links, today, entry is more) for at, entry in enumerate(everything)]
    rows += tuple(_missing(links, rows))
    return Ledger(rows=tuple(rows), totals=tuple(_totals(rows, delta)))


# ------------------------------------------------------------------------------------------- how a record stands


def _row(entry: LedgerEntry, at: int, links: Links, today: date, planned: bool) -> LedgerRow:
    copied, wrong = links.copied(at), _wrong(entry)
    if copied is not None:
        words = message("counts once, with {record}", record=quoted(links.entries[copied].called))
        standing: Standing = "tampered" if wrong == "tampered" else "copy"
        return LedgerRow(entry=entry, standing=standing, counts=False, why=words, other=copied)
    if planned:
        return LedgerRow(entry=entry, standing="planned")
    claiming = links.successor(at)
    successor = claiming if claiming is not None and links.is_approved(claiming) else None
    due = successor is None and is_day(entry.review) and entry.review <= today.isoformat()
    if wrong is not None:
        why, known = _doubt(entry), not entry.problem
        return LedgerRow(entry=entry, standing=wrong, known=known, due=due, why=why, other=successor)
    if links.rejected(at):
        why = message("rejected: nothing is published under it")
        return LedgerRow(entry=entry, standing="rejected", counts=False, why=why)
    if successor is not None:
        settled, by = links.settled(at, successor), quoted(links.entries[successor].called)
        why = (
            message("replaced by {record} before its day of publication", record=by)
            if settled
            else message("replaced by {record}, but counts: it may have been published before", record=by)
        )
        return LedgerRow(entry=entry, standing="superseded", counts=not settled, why=why, other=successor)
    why = message("due for review since {date}", date=entry.review) if due else NO_MESSAGE
    if claiming is not None and not due:
        by = quoted(links.entries[claiming].called)
        why = message(
            "{record} states that it replaces this one: that counts once it passes and is approved", record=by
        )
    standing = "due" if due else "unjudged" if entry.signed is None else "valid"
    return LedgerRow(entry=entry, standing=standing, due=due, why=why)


def _wrong(entry: LedgerEntry) -> Standing | None:
    """Return in which way a record is not what it should be, if its files show it."""
    if entry.problem:
        return "missing" if entry.gone else "unreadable"
    if entry.signed is None:
        return None
    if entry.signed.verdict in TAMPERED:
        return "tampered"
    if entry.signed.verdict in UNSIGNED:
        return "unsigned"
    return "refused" if entry.signed.outcome == "failed" else None


def _doubt(entry: LedgerEntry) -> Message:
    if entry.problem or entry.signed is None:
        return entry.problem
    if _wrong(entry) == "refused":
        return entry.signed.sentence
    return message("counts as it is now, and may have lost more. {sentence}", sentence=entry.signed.sentence)


# --------------------------------------------------------------------------------------------- what is missing


def _missing(links: Links, rows: Sequence[LedgerRow]) -> Iterator[LedgerRow]:
    """Yield a row for each earlier record that one of ROWS names and that is not there.

    One that is named as spent stands once for all records that state the same of it; one without a name each time. Of
    one that was replaced, and of what a public version leaves out, nothing is known.
    """
    counting = [row.counts and row.known for row in rows]
    seen: set[object] = set()
    for at, entry in enumerate(links.entries):
        may_stop()
        if links.copied(at) is not None:
            continue
        by = quoted(entry.called)
        for earlier in entry.spent:
            key = (earlier, alike(entry.population), alike(entry.unit))
            named = bool(names_of(earlier))
            if not (earlier.nothing or (named and key in seen) or _is_there(earlier, at, links, counting)):
                seen.add(key)
                why = message("an earlier release without a name: counts as {record} states it", record=by)
                why = message("not in the folder: counts as {record} states it", record=by) if named else why
                yield LedgerRow(entry=_stated(earlier, entry), standing="missing", why=why, other=at)
        replaced = entry.superseded_sha256 or alike(entry.supersedes)
        if replaced and replaced not in seen and all(other == at for other in links.there.get(replaced, ())):
            seen.add(replaced)
            why = message("replaced by {record}, and not in the folder: its loss is not known", record=by)
            if not entry.superseded_sha256:
                why = message(
                    "replaced by {record}, without its hash: it may not be in the folder",
                    record=by,
                )
            gone = _about(entry, title=entry.supersedes, sha256=entry.superseded_sha256)
            yield LedgerRow(entry=gone, standing="missing", known=False, why=why, other=at)


def _is_there(earlier: EarlierRelease, at: int, links: Links, counting: Sequence[bool]) -> bool:
    """Return whether the record of that hash, which the one AT names as EARLIER, counts wherever that one does, and
    loses at least what is stated of it."""
    naming = links.entries[at]
    for candidate in links.there.get(earlier.sha256 or "", ()):
        copied = links.copied(candidate)
        counted = candidate if copied is None else copied
        entry = links.entries[counted]
        pairs = ((entry.population, naming.population), (entry.unit, naming.unit))
        covers = all(not theirs or alike(theirs) == alike(ours) for theirs, ours in pairs)
        same = earlier.neighbours in (None, entry.neighbours)
        if counted != at and counting[counted] and covers and same and _loses_as_much(entry, earlier):
            return True
    return False


def _loses_as_much(entry: LedgerEntry, earlier: EarlierRelease) -> bool:
    """Return whether the record ENTRY loses at least what is stated of EARLIER, also where that is no number."""
    stated, lost = _lost_of(earlier), entry.lost
    unknown = lost.epsilon is None and lost.rho is None
    if earlier.exact:
        return unknown or bool(entry.unprotected)
    if stated.epsilon is None and stated.rho is None:
        return unknown or earlier.epsilon is None  # an epsilon of Gaussian noise without its delta bounds nothing
    return all(
        named is None or (found is not None and found >= named * (1 - NEAR))
        for named, found in ((stated.epsilon, lost.epsilon), (stated.rho, lost.rho))
    )


def _stated(earlier: EarlierRelease, naming: LedgerEntry) -> LedgerEntry:
    return _about(
        naming,
        title=", ".join(name for name in (earlier.record or earlier.sha256, earlier.table) if name),
        published=earlier.date if is_day(earlier.date or "") else "",
        neighbours=earlier.neighbours,
        lost=_lost_of(earlier),
    )


def _lost_of(earlier: EarlierRelease) -> Lost:
    # no loss is said of what has no noise, and no epsilon without a delta of noise that has no largest loss
    has_epsilon = not earlier.exact and (earlier.pure or earlier.delta is not None)
    rho = None if earlier.exact else earlier.rho
    return Lost(epsilon=earlier.epsilon if has_epsilon else None, rho=rho, delta=earlier.delta)


def _about(naming: LedgerEntry, **known: Any) -> LedgerEntry:
    """Return an entry of which nothing is KNOWN besides but whom it is about: those of the record NAMING it."""
    return LedgerEntry(place="", population=naming.population, unit=naming.unit, **known)


# ------------------------------------------------------------------------------------------------ what adds up


def _totals(rows: list[LedgerRow], delta: float) -> Iterator[Total]:
    """Yield what is lost of everybody in all populations of a unit, then of each population."""
    read = [row.entry for row in rows if row.known]
    units = {alike(entry.unit): entry.unit for entry in reversed(read) if entry.unit} or ({"": ""} if read else {})
    added = [(_record(row.entry, row.entry.lost), _record(row.entry, row.entry.person)) for row in rows]
    keys = [(alike(row.entry.unit), alike(row.entry.population)) for row in rows]
    for unit_key, unit in sorted(units.items()):
        of_unit = [at for at, (key, _) in enumerate(keys) if key in (unit_key, "")]
        names = {keys[at][1]: rows[at].entry.population for at in reversed(of_unit) if keys[at][1]}
        if len(names) != 1:
            yield _total(rows, added, of_unit, "", unit, delta)
        for name_key, name in sorted(names.items()):
            may_stop()
            yield _total(rows, added, [at for at in of_unit if keys[at][1] in (name_key, "")], name, unit, delta)


def _total(
    rows: list[LedgerRow], added: list[Added], chosen: list[int], population: str, unit: str, delta: float
) -> Total:
    counted = [at for at in chosen if rows[at].counts and rows[at].known]
    together = _added(added[at][0] for at in counted)
    epsilon, rho = _sums(together, counted)
    sliced = any(rows[at].entry.sliced for at in counted)
    return Total(
        population=population,
        unit=unit,
        neighbours=together.neighbours,
        epsilon=epsilon,
        delta=together.delta,
        rho=rho,
        at_delta=delta,
        person=_sums(_added(added[at][1] for at in counted), counted) if sliced else None,
        rows=tuple(counted),
        each=tuple((entry.epsilon, entry.rho, entry.delta) for entry in together.entries),
        doubtful=tuple(at for at in chosen if rows[at].doubtful),
    )


def _record(entry: LedgerEntry, lost: Lost) -> LedgerRecord:
    """Return what ENTRY adds; of one that does not say which worlds its loss compares, nothing is known."""
    loss = Lost() if entry.neighbours is None else lost
    return LedgerRecord(accounting=loss, population=ANYBODY, unit=ANYBODY, neighbours=entry.neighbours or "add_remove")


def _added(records: Iterable[LedgerRecord]) -> LedgerTotal:
    return programme.ledger(records=tuple(records), population=ANYBODY, unit=ANYBODY)


def _sums(together: LedgerTotal, counted: list[int]) -> tuple[Sum, Sum]:
    return (
        _sum(together.epsilon, [entry.epsilon for entry in together.entries], counted),
        _sum(together.rho, [entry.rho for entry in together.entries], counted),
    )


def _sum(total: float | None, each: list[float | None], counted: list[int]) -> Sum:
    not_counted = tuple(at for at, value in zip(counted, each, strict=True) if value is None)
    known = total if total is not None else up(math.fsum(value for value in each if value is not None), 1)
    return Sum(total=total, known=known if len(not_counted) < len(each) else 0.0, not_counted=not_counted)
