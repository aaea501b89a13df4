"""What the office's ledger reads of one record: about whom it is, what it loses, what it names, how it is signed."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from dpwizard.base.messages import NO_MESSAGE, Message
from dpwizard.base.values import NUMBER_LIMIT
from dpwizard.decision import Accounting, Decision, Neighbours, Spent, account
from dpwizard.privacy.programme import Lost
from dpwizard.records.record import Record

NOTHING_KNOWN = Lost()


@dataclass(frozen=True, kw_only=True)
class Signed:
    """What verification said of the files of a record."""

    verdict: str  # of the Verification, or "unreadable"
    outcome: str  # "passed", "failed" or "undetermined"
    sentence: Message
    last: str = ""  # the day of the last signature, year-month-day
    approved: bool = False  # whether somebody who signed it approves


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One record as it was read; a PROBLEM says why it could not be."""

    place: str  # its file, as seen from the folder; empty of a decision that is no record yet
    sha256: str = ""  # of its JSON
    internal_sha256: str = ""  # of the internal record, where this is a public edition
    title: str = ""
    number: str = ""
    made: str = ""  # the day, year-month-day, that the record states
    published: str = ""  # the day of publication, if it states one
    population: str = ""  # the place its figures speak of; empty: not stated, it may be anybody
    unit: str = ""
    neighbours: Neighbours | None = None
    lost: Lost = NOTHING_KNOWN
    sliced: bool = False  # whether the unit may be less than a person
    person: Lost = NOTHING_KNOWN  # what a person loses as all the units that they are
    unprotected: str = ""  # what is published without noise: no sum counts it
    outcome: str = ""
    review: str = ""
    supersedes: str = ""  # the name, and
    superseded_sha256: str = ""  # the hash of the record it replaces
    spent: tuple[Spent, ...] = ()
    signed: Signed | None = None  # None: not judged
    gone: bool = False  # nothing but its signatures is left
    problem: Message = NO_MESSAGE

    @property
    def date(self) -> str:
        """Return the day of publication, else the day it was made."""
        return self.published or self.made

    @property
    def name(self) -> str:
        """Return its title, else its number, else its file."""
        return self.title or self.number or self.place

    @property
    def called(self) -> str:
        """Return how others speak of it: its file, else its name."""
        return self.place or self.name

    @property
    def passes(self) -> bool:
        """Return whether it is as signed, everybody who signed it is trusted here, and the policy is met."""
        return self.signed is not None and self.signed.outcome == "passed"

    @property
    def names(self) -> frozenset[str]:
        """Return every name by which another record may call it, as names are compared."""
        file = self.place.replace("\\", "/").rpartition("/")[2]
        called = (self.title, self.number, self.place, file, file.removesuffix(".json"), self.sha256)
        return frozenset(map(alike, called)) - {""}


def alike(name: str) -> str:
    """Return NAME as names are compared: forms of a letter as one, without case, blanks as one."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_day(text: str) -> bool:
    """Return whether TEXT is a day as year-month-day."""
    try:
        return len(text) == 10 and date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def entry_of(record: Record, place: str, sha256: str) -> Entry:
    """Return what is read of RECORD in the file PLACE, whose JSON has the hash SHA256.

    What it loses is computed from its decision, not taken from what it says of itself.
    """
    internal = record.public.internal_sha256 if record.public is not None else ""
    made = _day(record.made.time[:10])
    return _entry(record.decision, place=place, sha256=sha256, internal_sha256=internal, made=made)


def earlier_entry_of(decision: Decision, place: str, sha256: str) -> Entry:
    """Return what is read of the DECISION of a record in the file PLACE that was made before version 1.0."""
    return _entry(decision, place=place, sha256=sha256)


def planned(decision: Decision) -> Entry:
    """Return the entry of a DECISION that is no record yet: what the ledger would hold with it."""
    return _entry(decision, place="")


def budget_alone(entries: Iterable[Entry], *, epsilon: float | None = None, rho: float | None = None) -> Entry:
    """Return the entry of a budget of which nothing else is known: of anybody, in any unit.

    It compares the worlds that all ENTRIES compare. Where these differ, or none says so, a unit is added or removed:
    counted for a value that changes, that is twice as much.
    """
    worlds = {entry.neighbours for entry in entries if entry.neighbours is not None}
    neighbours = next(iter(worlds)) if len(worlds) == 1 else "add_remove"
    lost = Lost(**{name: value for name, value in (("epsilon", epsilon), ("rho", rho)) if value is not None})
    return Entry(place="", neighbours=neighbours, lost=lost, person=lost)


def _entry(decision: Decision, **known: Any) -> Entry:
    release, details = decision.planned.release, decision.details
    told = account(release, decision.chosen)
    return Entry(
        title=decision.title or details.product or "",
        number=details.record_number or "",
        published=_day(details.publication_date or ""),
        population=details.region or "",
        unit=release.unit or release.unit_kind or "",
        neighbours=release.neighbours,
        lost=_lost(told),
        sliced=release.units_of_a_person != 1 and (release.unit_kind, release.slice) != (None, None),
        person=_lost(told.per_person),
        unprotected="; ".join(name for name, _ in release.exact if name),
        outcome=decision.outcome or "",
        review=details.review_date or "",
        supersedes=details.supersedes or "",
        superseded_sha256=details.superseded_sha256 or "",
        spent=release.spent,
        **known,
    )


def _lost(told: Accounting | None) -> Lost:
    """Return what is TOLD; nothing of a figure beyond all numbers."""
    if told is None:
        return NOTHING_KNOWN
    figures = {name: getattr(told, name) for name in ("epsilon", "rho", "mu", "delta")}
    return Lost(**{name: figure for name, figure in figures.items() if figure is not None and figure <= NUMBER_LIMIT})


def _day(text: str) -> str:
    return text if is_day(text) else ""
