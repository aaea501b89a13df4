"""Work behind the window: signing, verifying and exporting.

The first argument of each job reports its stages.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, InvalidInput, SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.worker import run_in_worker
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile
from dpwizard.signing import (
    RecordFiles,
    certificates,
    exports,
    findings,
    identity,
    office,
    policy_files,
    signature,
    signing,
    store,
    verify_tasks,
)
from ui.signing.standing import stamps_of
from ui.task_dialog import Progress

PROGRESS = ("identity", "copy", "solve", "typeset", "sign", "write", "verify")
VALID_YEARS = 3


@dataclass(frozen=True, kw_only=True)
class Judged:
    """What verification found of a record."""

    path: Path  # its .json file
    verification: findings.Verification | None = None  # None: it could not be read
    problem: DPWizardError | None = None  # why it could not
    stamps: tuple[Any, ...] = ()  # of the files that were verified


@dataclass(frozen=True, kw_only=True)
class Signed(Judged):
    """What signing has ended with: by whom, as what, and what verification found."""

    signer: certificates.Certificate
    role: str
    verdict: str
    added: bool = True  # False: it was signed so before, and only what was missing was made


OfRecord = TypeVar("OfRecord", bound=Judged)


@dataclass(frozen=True, kw_only=True)
class Key:
    """The signature file of one signature, and what opens it; with a name, it is made for this signature."""

    place: Path
    passphrase: str = field(repr=False)
    fingerprint: str = ""  # of the certificate that was shown; nothing where none was
    name: str = ""
    organisation: str = ""


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be signed, and what the signer states."""

    decision: Decision
    record: Path
    public: Path | None  # where the public version goes, if that is what is signed
    lying: str | None  # the SHA-256 of what lies there: when the job runs it may be another record
    further: bool  # a signature is added to what lies there
    policy: PolicyFile | None
    policy_path: Path | None
    policy_digest: str | None  # the SHA-256 of the policy that was shown, whether it is signed under or not
    request: Callable[..., signing.SigningRequest]  # what is stated, given with which identity and noted where
    now: datetime


def copy(progress: Progress, path: Path, folder: Path) -> tuple[str, ...]:
    """Copy the record at PATH into FOLDER, all files of it or none; return their names."""
    progress("copy")
    return store.copy_into(store.RecordFiles.beside(path), folder)


def sign(progress: Progress, order: Order, key: Key) -> Signed:
    """Sign as ORDER says with KEY, and verify what was written; a new signature file is written just before that."""
    _require_same_policy(order)
    progress("identity")
    signer, *writing = _opened(key, order.now)

    def reached(stage: str) -> None:
        progress(stage)  # raises where somebody has stopped it
        if stage == "write" and writing:  # the first time
            writing.pop()()

    request = order.request(identity=signer, log=office.log_for(order.policy_path))
    record = RecordFiles.beside(order.record)
    place = record if order.public is None else RecordFiles.beside(order.public)
    added = True
    if order.further:
        policy = order.policy if order.public is None else None
        added = signing.sign_further(place, request, reached, policy, order.lying)
    elif order.public is not None:
        signing.sign_public(record, place, request, reached, order.decision.withheld, order.lying)
    else:
        signing.sign_new(order.decision, place, request, reached, order.policy)
    _trust_signer(signer)
    signed = Signed(path=place.json, signer=signer.certificate, role=request.role, verdict=request.verdict, added=added)
    return verify(progress, signed, order.policy, order.policy_path, order.now)


def _opened(key: Key, now: datetime) -> tuple[identity.Identity, Callable[[], None]]:
    """Return the identity of KEY, opened or made, and what writes its files if it is new: both or none."""
    if key.name:
        named = {"name": key.name, "organisation": key.organisation, "passphrase": key.passphrase}
        return signing.make_identity(key.place, **named, years=VALID_YEARS, now=now)
    signer = identity.open_identity(pkcs12=files.read_bytes(key.place), passphrase=key.passphrase)
    if key.fingerprint not in ("", signer.certificate.fingerprint):
        text = message("this is now the signature file of {name}", name=certificates.printable(signer.certificate.name))
        raise SigningProblem(text, "identity", "Choose the file yourself if you want to sign with it.")
    return signer, lambda: None


def _require_same_policy(order: Order) -> None:
    """Raise InvalidInput where the policy's file, or the office's, holds another policy than the one that was shown."""
    place = order.policy_path or office.policy_in()
    if place is None or (order.further and order.policy_digest is None):
        return
    held = ""
    with suppress(DPWizardError):  # gone, or no policy any more: another one as well
        held = policy_files.read_policy(place, office.trust_places((), place)).sha256
    if held != order.policy_digest:
        hint = "Read what it asks for now, then sign."
        raise InvalidInput("the policy’s file has changed since it was shown", "", hint)


def verified(path: Path, policy: PolicyFile | None, policy_path: Path | None, now: datetime) -> findings.Verification:
    """Return what a process of its own finds of the record at PATH, by everything that counts on this computer."""
    places = office.trust_places((), policy_path)
    log = office.log_for(policy_path)
    judged_by = policy_path if policy is not None else None
    verification: findings.Verification = run_in_worker(
        verify_tasks.verify_folder_quietly, RecordFiles.beside(path), places, now, judged_by, log
    )
    return verification


def _trust_signer(signer: identity.Identity) -> None:
    """Trust the signer's own certificate from now on: whoever knows the passphrase of its key need not be asked.

    One that an authority issued is trusted with that authority alone.
    """
    if not signer.certificate.self_signed:
        return
    with suppress(DPWizardError):  # a folder that cannot be written to: what was signed is signed
        office.add_person(signer.certificate_pem())


def trust_signer(progress: Progress, path: Path, fingerprint: str) -> None:
    """Trust, from now on, the certificate with FINGERPRINT that signed the record at PATH."""
    chains = [signature.read_signature(text).chain for text in store.read_lines(RecordFiles.beside(path))]
    held = {signature.sha256_of(der): der for chain in chains for der in chain}.get(fingerprint)
    if held is None:
        hint = "Ask its owner for it, and add it to the trusted ones."
        raise DPWizardError("the certificate is not in the signature file", "", hint)
    office.add_person(held)


def verify(
    progress: Progress, record: OfRecord, policy: PolicyFile | None, policy_path: Path | None, now: datetime
) -> OfRecord:
    """Return RECORD with what its verification finds."""
    progress("verify")
    with suppress(OSError):  # else it is verified again
        record = replace(record, stamps=stamps_of(RecordFiles.beside(record.path)))
    try:
        return replace(record, verification=verified(record.path, policy, policy_path, now), problem=None)
    except DPWizardError as problem:  # a stick pulled out: what was signed is signed
        return replace(record, verification=None, problem=problem)


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A record for another place: what was found of it, and the text that it gives there."""

    verification: findings.Verification
    text: str = ""
    problem: DPWizardError | None = None  # why it gives none


def export(
    progress: Progress, path: Path, to: str, tier: int, now: datetime, verification: findings.Verification | None
) -> Exported:
    """Export the record at PATH; VERIFICATION, where given, is what its verification found."""
    place = RecordFiles.beside(path)
    judged = verified(path, None, None, now) if verification is None else verification
    if not judged.ok:
        return Exported(verification=judged)
    try:
        data = store.read(place.json) or b""
        if signature.sha256_of(data) != judged.json_sha256:
            raise SigningProblem("changed while it was read", str(place.json), "Export it again.")
        return Exported(verification=judged, text=exports.export(data, to, tier=tier))
    except DPWizardError as problem:
        return Exported(verification=judged, problem=problem)


def write_export(progress: Progress, target: Path, text: str, to: str, source: Path, now: datetime) -> Path:
    """Write TEXT, the record SOURCE exported TO another place, to TARGET, and return that.

    A notice is written as a PDF if TARGET is called so, and a script with its plan beside it.
    """
    place, content = RecordFiles.beside(source), text.encode()
    if to in exports.SCRIPTS:
        script, plan = exports.script_files(place, to, now)
        exports.write_plan(target, plan)
        content = script.encode()
    elif to == "notice" and target.suffix.lower() == ".pdf":
        content = exports.notice_pdf(place, now)
    files.write_atomically(target, content, overwrite=True)  # the chooser has asked
    return target
