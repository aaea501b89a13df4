"""The records of a folder as a ledger that is shown while it is read: what was read so far, every now and then."""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path
from types import MappingProxyType

from dpwizard.base.apart import Tell
from dpwizard.records import Entry, Ledger, ledger_of
from dpwizard.signing.record_folder import Survey, survey

# seconds between one look at what was read so far and the next
PAUSES = MappingProxyType({"read": 0.3, "judge": 1.0})
BLINK = 0.05  # seconds between one word of progress and the next
DELTA = 1e-6  # at which rho is said in epsilon


@dataclass(frozen=True, kw_only=True)
class Look:
    """What was read so far: the ledger, and the same with one entry more, where one is planned."""

    found: Ledger
    after: Ledger | None = None
    read: bool = False  # whether all was read, and is being judged


@dataclass(frozen=True, kw_only=True)
class Told:
    """How far a folder is read, and a look at it if there is a new one."""

    doing: str
    done: int
    of: int
    name: str
    look: Look | None = None


def read_ledger(tell: Tell, folder: Path, now: datetime, places: tuple[Path, ...], more: Entry | None) -> Look:
    """Return the ledger of FOLDER, read and judged at NOW against the certificates in PLACES, alone and with one MORE.

    TELL is told how far it is. Raises what `record_folder.survey` raises.
    """
    looked = told = time.monotonic()
    newest = look((), now.date(), more)
    for step in survey(folder, now, places):
        moment, ended = time.monotonic(), step.done == step.of
        fresh = ended or (bool(step.entries) and moment - looked > PAUSES[step.doing])
        if fresh:
            newest = look(step.entries, now.date(), more, read=ended or step.doing == "judge")
            looked = time.monotonic()
        if fresh or moment - told > BLINK:
            tell(_told(step, newest if fresh else None))
            told = moment
    return newest


def _told(step: Survey, newest: Look | None) -> Told:
    return Told(doing=step.doing, done=step.done, of=step.of, name=step.name, look=newest)


def look(entries: tuple[Entry, ...], today: date, more: Entry | None, *, read: bool = False) -> Look:
    """Return what ENTRIES come to, alone and with one MORE; of what was READ, rho is said in epsilon here already, as
    what that needs takes long to load."""
    found = ledger_of(entries, today=today, delta=DELTA)
    after = None if more is None else ledger_of(entries, today=today, delta=DELTA, more=more)
    for total in (*found.totals, *(after.totals if after is not None else ())) if read else ():
        _ = total.conversions  # kept there
    return Look(found=found, after=after, read=read)
