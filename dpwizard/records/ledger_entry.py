"""What the office's ledger reads of one record: about whom it is, what it loses, what it names, how it is signed."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from typing import Any, Literal

from dpwizard.base import json_text
from dpwizard.base.messages import NO_MESSAGE, message
from dpwizard.base.values import NUMBER_LIMIT, Sentence, Value
from dpwizard.decision import Accounting, Decision, EarlierRelease, NeighbouringRelation, account, read_decision
from dpwizard.privacy.programme import Lost
from dpwizard.records import redaction
from dpwizard.records.policy import APPROVALS
from dpwizard.records.record import is_day, read_record

NOTHING_KNOWN = Lost()


class Signed(Value):
    """What verification said of the files of a record."""

    verdict: str  # of the Verification, or "unreadable"
    outcome: str  # "passed", "failed" or "undetermined"
    sentence: Sentence
    shown_by: str = ""  # the day by which a time-stamp or the log shows that it was decided
    approval: Literal["", "proposer", "other"] = ""  # by whom: nobody, whoever proposes it alone, or somebody else


class LedgerEntry(Value):
    """One record as it was read; a PROBLEM says why it could not be."""

    place: str  # its file, as seen from the folder; empty of a decision that is no record yet
    sha256: str = ""  # of its JSON
    internal_sha256: str = ""  # of the internal record, where this is a public version
    title: str = ""
    number: str = ""
    made: str = ""  # the day, year-month-day, that the record states
    published: str = ""  # the day of publication, if it states one
    population: str = ""  # the place its figures speak of; empty: not stated, it may be anybody
    unit: str = ""
    neighbours: NeighbouringRelation | None = None
    core: str = ""  # the hash of what each edition of it says
    lost: Lost = NOTHING_KNOWN
    sliced: bool = False  # whether the unit may be less than a person
    person: Lost = NOTHING_KNOWN  # what a person loses as all the units that they are
    unprotected: str = ""  # what is published without noise: no sum counts it
    outcome: str = ""
    review: str = ""
    supersedes: str = ""  # the name, and
    superseded_sha256: str = ""  # the hash of the record it replaces
    spent: tuple[EarlierRelease, ...] = ()
    signed: Signed | None = None  # None: not judged
    gone: bool = False  # nothing but its signatures is left
    releases: int = 0  # that were made of it, as public logs in the folder say
    problem: Sentence = NO_MESSAGE

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


def read_entry(data: bytes, place: str) -> LedgerEntry:
    """Return what the ledger reads of the record in DATA, the bytes of the JSON file PLACE, of whichever version.

    What it loses is computed from its decision. No other number in it is read: verification compares them all. Raises
    InvalidInput where it is no record.
    """
    raw = read_record(json_text.parse(data))
    if raw.get("left_out"):  # before version 1.0
        text = message("is a public version from before version 1.0: what it leaves out may have been lost, too")
        return LedgerEntry(place=place, problem=text)
    return _entry(
        read_decision(raw["decision"], "$.decision"),
        place=place,
        sha256=hashlib.sha256(data).hexdigest(),
        core=redaction.core(raw["decision"]),
        internal_sha256=_text_in(raw, "public", "internal_sha256"),
        made=_day(_text_in(raw, "made", "time")[:10]),
    )


def _text_in(raw: dict[str, Any], member: str, name: str) -> str:
    block = raw.get(member)
    text = block.get(name) if isinstance(block, dict) else None
    return text if isinstance(text, str) else ""


def planned(decision: Decision) -> LedgerEntry:
    """Return the entry of a DECISION that is no record yet: what the ledger would hold with it."""
    return _entry(decision, place="")


def budget_alone(
    entries: Iterable[LedgerEntry], *, epsilon: float | None = None, rho: float | None = None
) -> LedgerEntry:
    """Return the entry of a budget of which nothing else is known: of any person, in any unit.

    It compares the worlds that all ENTRIES compare. Where these differ, or none says so, a unit is added or removed:
    counted for a value that changes, that is twice as much.
    """
    worlds = {entry.neighbours for entry in entries if entry.neighbours is not None}
    neighbours = next(iter(worlds)) if len(worlds) == 1 else "add_remove"
    lost = Lost(**{name: value for name, value in (("epsilon", epsilon), ("rho", rho)) if value is not None})
    return LedgerEntry(place="", neighbours=neighbours, lost=lost, person=lost)


def _entry(decision: Decision, **known: Any) -> LedgerEntry:
    release, details = decision.planned.release, decision.details
    accounting = account(release, decision.chosen)
    return LedgerEntry(
        title=decision.title or details.product or "",
        number=details.record_number or "",
        published=_day(details.publication_date or ""),
        population=details.region or "",
        unit=release.unit or release.unit_kind or "",
        neighbours=release.neighbours,
        lost=_lost(accounting),
        sliced=release.units_of_a_person != 1 and (release.unit_kind, release.slice) != (None, None),
        person=_lost(accounting.per_person),
        unprotected="; ".join(name for name, _ in release.exact if name),
        outcome=decision.outcome or "",
        review=details.review_date or "",
        supersedes=details.supersedes or "",
        superseded_sha256=details.superseded_sha256 or "",
        spent=release.spent,
        **known,
    )


def _lost(accounting: Accounting | None) -> Lost:
    """Return what is ACCOUNTING; nothing of a figure beyond all numbers."""
    if accounting is None:
        return NOTHING_KNOWN
    figures = {name: getattr(accounting, name) for name in ("epsilon", "rho", "mu", "delta")}
    return Lost(**{name: figure for name, figure in figures.items() if figure is not None and figure <= NUMBER_LIMIT})


def _day(text: str) -> str:
    return text if is_day(text) else ""


# ------------------------------------------------------------------------------------------ how entries hang together


class Links:
    """Which of the ENTRIES are the same record, and which replace one another."""

    def __init__(self, entries: tuple[LedgerEntry, ...]) -> None:
        self.entries = entries
        self.first: dict[str, int] = {}  # the first record of each hash
        self.there: dict[str, list[int]] = {}  # by hash, never by a name: anybody can give that to another record
        self.successors: dict[str, list[int]] = {}  # of the hash of a record
        # what some record counts as spent was published
        self.spent = {name for entry in entries for earlier in entry.spent for name in names_of(earlier)}
        public: dict[str, int] = {}
        self._public: dict[int, int] = {}  # of a further public version, the first of the same internal record
        for at, entry in enumerate(entries):
            other = self.first.get(entry.sha256)
            if entry.sha256 and (other is None or _rank(entry) < _rank(entries[other])):
                self.first[entry.sha256] = at  # an unsigned copy counts with the signed one, whatever it is called
            # a public version that passes stands for the internal record that it names
            for sha256 in {entry.sha256, entry.internal_sha256 if entry.passes else ""} - {""}:
                self.there.setdefault(sha256, []).append(at)
            if entry.superseded_sha256 and entry.sha256:  # a decision that is no record yet replaces none
                self.successors.setdefault(entry.superseded_sha256, []).append(at)
            if entry.internal_sha256 and public.setdefault(entry.internal_sha256, at) != at:
                self._public[at] = public[entry.internal_sha256]
        self.together: dict[int, list[LedgerEntry]] = {}  # of each that counts, all that count as one with it
        for at, entry in enumerate(entries):
            while (counting := self.copied(at)) is not None:
                at = counting
            self.together.setdefault(at, []).append(entry)

    def copied(self, at: int) -> int | None:
        """Return the record that counts in place of the one AT: of the same bytes, or the internal one it names."""
        entry = self.entries[at]
        first = self.first.get(entry.sha256, at)
        if first != at:
            return first
        if not entry.passes or not entry.internal_sha256:
            return None
        other = self.first.get(entry.internal_sha256, self._public.get(at))
        return other if other is not None and _say_the_same(entry, self.entries[other]) else None

    def _was_published(self, at: int) -> bool:
        """Return whether a release was made of the record AT or of a copy of it, or some record counts it as spent."""
        return any(copy.releases or copy.names & self.spent for copy in self.together[at])

    def successor(self, at: int) -> int | None:
        """Return a record that says by its hash that it replaces the one AT: before others one that settles it, then
        one that is approved."""
        sha256 = self.entries[at].sha256
        claims = [claim for claim in self.successors.get(sha256, ()) if self.entries[claim].sha256 != sha256]
        approved = [claim for claim in claims if self.is_approved(claim)]
        return next((claim for claim in approved if self.settled(at, claim)), next(iter(approved + claims), None))

    def is_approved(self, at: int) -> bool:
        """Return whether the record AT passes and approves, by more than its proposal: only then it replaces one."""
        entry = self.entries[at]
        approved = entry.signed is not None and entry.signed.approval == "other"
        return entry.passes and approved and entry.outcome in APPROVALS

    def settled(self, at: int, by: int) -> bool:
        """Return whether what the record AT allowed was never published, as the one BY which it is replaced shows.

        Noise that is published cannot be taken back. So that must be approved, and have been signed before the day on
        which the other was to be published, as a time-stamp or the log shows: the time that a signature states is its
        signer's claim. And no release was made of it, and no record counts it as spent.
        """
        newer = self.entries[by]
        shown = newer.signed.shown_by if newer.signed is not None and self.is_approved(by) else ""
        return "" < shown < self.entries[at].published and not self._was_published(at)

    def rejected(self, at: int) -> bool:
        """Return whether the record AT passes and rejects, nobody approves it or a copy of it, in whatever role, no
        release was made of it, and no record counts it as spent."""
        entry = self.entries[at]
        approved = any(copy.signed is not None and copy.signed.approval for copy in self.together[at])
        return entry.passes and entry.outcome == "reject" and not approved and not self._was_published(at)


def names_of(earlier: EarlierRelease) -> set[str]:
    """Return by what EARLIER names its record: nothing where it does not."""
    return {earlier.sha256 or "", alike(earlier.record or "")} - {""}


def _rank(entry: LedgerEntry) -> int:
    """Return how far ENTRY is from passing: of those with the same bytes the nearest counts for all."""
    if entry.signed is None:
        return 2
    return {"passed": 0, "undetermined": 1, "failed": 3}[entry.signed.outcome] + (entry.signed.verdict == "unsigned")


def _say_the_same(edition: LedgerEntry, other: LedgerEntry) -> bool:
    """Return whether two editions are of one release, say the same of what is lost, and both pass."""
    seen = [(e.core, e.lost, e.person, e.population, e.unit, e.neighbours, e.passes) for e in (edition, other)]
    return seen[0] == seen[1] and edition.passes and len({edition.published, other.published} - {""}) < 2
