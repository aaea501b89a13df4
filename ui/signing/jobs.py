"""What is done behind the window: a new identity is made, something is signed, and what was written is verified."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from dpwizard.apart import done_apart
from dpwizard.decision import Decision
from dpwizard.errors import DPWizardError
from ui.signing.stages import Progress

if TYPE_CHECKING:
    from dpwizard.records import PolicyFile
    from dpwizard.records.record import Stated
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.identity import Identity

PROGRESS = ("identity", "copy", "solve", "typeset", "sign", "write", "verify")
VALID_YEARS = 3
Done = Literal["new", "further"]


@dataclass(frozen=True, kw_only=True)
class Signed:
    """What signing has ended with: what was done, where, and what verification found."""

    done: Done
    path: Path  # the record's .json file
    found: Verification | None  # None: it is signed, and could not be read again
    problem: DPWizardError | None = None  # why it could not


Job: TypeAlias = Callable[[Progress], Any]


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
    identity: Identity
    role: str
    verdict: str
    comment: str
    conditions: tuple[str, ...]
    stated: Stated
    now: datetime


def open_identity(place: Path, passphrase: str) -> Job:
    """Return the job that opens the identity at PLACE with PASSPHRASE."""

    def job(progress: Progress) -> Identity:
        from dpwizard import files
        from dpwizard.signing import signing

        progress("identity")
        return signing.open_identity(pkcs12=files.read_bytes(place), passphrase=passphrase)

    return job


def make_identity(place: Path, *, name: str, organisation: str, passphrase: str, now: datetime) -> Job:
    """Return the job that makes an identity at PLACE, with its certificate, for others to trust, beside it; and opens
    it."""

    def job(progress: Progress) -> Identity:
        from dpwizard.signing import record_files

        progress("identity")
        record_files.make_identity(
            place, name=name, organisation=organisation, ask=lambda: passphrase, years=VALID_YEARS, now=now
        )
        opened: Identity = open_identity(place, passphrase)(progress)
        return opened

    return job


def copy(path: Path, folder: Path) -> Job:
    """Return the job that copies the record at PATH into FOLDER, all files of it or none, and returns their names."""

    def job(progress: Progress) -> tuple[str, ...]:
        from dpwizard.signing import record_files

        progress("copy")
        return record_files.copy_into(record_files.RecordFiles.beside(path), folder)

    return job


def sign(order: Order) -> Job:
    """Return the job that signs as ORDER says and verifies what it wrote."""

    def job(progress: Progress) -> Signed:
        from dpwizard import office_folder
        from dpwizard.signing import office, record_files

        signature = record_files.Signature(
            identity=order.identity,
            role=order.role,
            verdict=order.verdict,
            comment=order.comment,
            stated=order.stated,
            conditions=order.conditions,
            log=office.log_for(order.policy_path, office_folder.OFFICE),
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
        signed: Signed = verify(done, place.json, order.policy, order.policy_path, order.now)(progress)
        return signed

    return job


def verify(done: Done, path: Path, policy: PolicyFile | None, policy_path: Path | None, now: datetime) -> Job:
    """Return the job that verifies the record at PATH, with which something was DONE."""

    def job(progress: Progress) -> Signed:
        from dpwizard import office_folder
        from dpwizard.signing import judging, office, record_files

        progress("verify")
        log = office.log_for(policy_path, office_folder.OFFICE)
        try:
            places = record_files.trust_places((), policy_path)
            found = done_apart(judging.verified, path, places, now, policy, log)
        except DPWizardError as problem:  # a stick pulled out: what was signed is signed
            return Signed(done=done, path=path, found=None, problem=problem)
        return Signed(done=done, path=path, found=found)

    return job
