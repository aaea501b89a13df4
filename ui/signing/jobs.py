"""What is done behind the window: a new identity is made, something is signed, and what was written is verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from dpwizard.decision import Decision
from ui.signing.stages import Progress

if TYPE_CHECKING:
    from dpwizard.records import PolicyFile
    from dpwizard.records.record import Stated
    from dpwizard.signing.findings import Verification

PROGRESS = ("identity", "solve", "typeset", "sign", "write", "verify")
VALID_YEARS = 3
Done = Literal["made", "new", "further"]


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a job has ended with: what was done, and for a signature what verification found."""

    done: Done
    path: Path  # the identity, or the record's .json file
    found: Verification | None = None
    name: str = ""  # whose the new identity is


Job: TypeAlias = Callable[[Progress], Outcome]


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be signed, by whom, as what."""

    decision: Decision
    record: Path
    public: Path | None  # where the public edition goes, if that is what is signed
    lying: str | None  # the SHA-256 of what lies there: when the job runs it may be another record
    further: bool  # a signature is added to what lies there
    policy: PolicyFile | None
    policy_path: Path | None
    identity: Path
    passphrase: str
    role: str
    verdict: str
    comment: str
    conditions: tuple[str, ...]
    stated: Stated
    now: datetime


def make_identity(place: Path, *, name: str, organisation: str, passphrase: str, now: datetime) -> Job:
    """Return the job that makes an identity at PLACE, and its certificate, for others to trust, beside it."""

    def job(progress: Progress) -> Outcome:
        from dpwizard.signing import record_files

        progress("identity")
        record_files.make_identity(
            place, name=name, organisation=organisation, ask=lambda: passphrase, years=VALID_YEARS, now=now
        )
        return Outcome(done="made", path=place, name=name)

    return job


def sign(order: Order) -> Job:
    """Return the job that signs as ORDER says and verifies what it wrote."""

    def job(progress: Progress) -> Outcome:
        from dpwizard import files
        from dpwizard.signing import office, record_files, signing

        progress("identity")
        opened = signing.open_identity(pkcs12=files.read_bytes(order.identity), passphrase=order.passphrase)
        signature = record_files.Signature(
            identity=opened,
            role=order.role,
            verdict=order.verdict,
            comment=order.comment,
            stated=order.stated,
            conditions=order.conditions,
            log=office.log_for(order.policy_path, record_files.OFFICE),
        )
        record = record_files.RecordFiles.beside(order.record)
        place = record if order.public is None else record_files.RecordFiles.beside(order.public)
        if order.further:
            policy = order.policy if order.public is None else None
            record_files.sign_further(place, signature, progress, policy, order.lying)
        elif order.public is not None:
            record_files.sign_public(record, place, signature, progress, order.decision.withheld, order.lying)
        else:
            record_files.sign_new(order.decision, place, signature, progress, order.policy)
        done: Done = "further" if order.further else "new"
        return verify(done, place.json, order.policy, order.policy_path, order.now)(progress)

    return job


def verify(done: Done, path: Path, policy: PolicyFile | None, policy_path: Path | None, now: datetime) -> Job:
    """Return the job that verifies the record at PATH, with which something was DONE."""

    def job(progress: Progress) -> Outcome:
        from dpwizard.signing import office, record_files

        progress("verify")
        place = record_files.RecordFiles.beside(path)
        log = office.log_for(policy_path, record_files.OFFICE)
        found = record_files.verify(place, record_files.trust_places((), policy_path), now, policy, log)
        return Outcome(done=done, path=path, found=found)

    return job
