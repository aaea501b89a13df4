"""What is done behind the window: an identity is made, something is signed, verified, and exported.

Each job is given first what tells its stages.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, InvalidInput, SigningProblem
from dpwizard.base.worker import run_in_worker
from dpwizard.decision import Decision
from dpwizard.records import PolicyFile
from dpwizard.signing import (
    RecordFiles,
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
from ui.task_dialog import Progress

PROGRESS = ("identity", "copy", "solve", "typeset", "sign", "write", "verify")
VALID_YEARS = 3
Done = Literal["new", "further"]


@dataclass(frozen=True, kw_only=True)
class Signed:
    """What signing has ended with: what was done, where, and what verification found."""

    done: Done
    path: Path  # the record's .json file
    verification: findings.Verification | None  # None: it is signed, and could not be read again
    problem: DPWizardError | None = None  # why it could not


@dataclass(frozen=True, kw_only=True)
class Order:
    """What is to be signed, and what the signer states."""

    decision: Decision
    record: Path
    public: Path | None  # where the public edition goes, if that is what is signed
    lying: str | None  # the SHA-256 of what lies there: when the job runs it may be another record
    further: bool  # a signature is added to what lies there
    policy: PolicyFile | None
    policy_path: Path | None
    policy_digest: str | None  # the SHA-256 of the policy that was shown, whether it is signed under or not
    request: signing.SigningRequest
    now: datetime


def open_identity(progress: Progress, place: Path, passphrase: str) -> identity.Identity:
    """Return the identity at PLACE, opened with PASSPHRASE."""
    progress("identity")
    return identity.open_identity(pkcs12=files.read_bytes(place), passphrase=passphrase)


def make_identity(
    progress: Progress, place: Path, *, name: str, organisation: str, passphrase: str, now: datetime
) -> identity.Identity:
    """Make an identity at PLACE, with its certificate, for others to trust, beside it; return it, opened."""
    progress("identity")
    signing.make_identity(
        place, name=name, organisation=organisation, ask=lambda: passphrase, years=VALID_YEARS, now=now
    )
    return open_identity(progress, place, passphrase)


def copy(progress: Progress, path: Path, folder: Path) -> tuple[str, ...]:
    """Copy the record at PATH into FOLDER, all files of it or none; return their names."""
    progress("copy")
    return store.copy_into(store.RecordFiles.beside(path), folder)


def sign(progress: Progress, order: Order) -> Signed:
    """Sign as ORDER says, and verify what was written."""
    request = replace(order.request, log=office.log_for(order.policy_path))
    record = RecordFiles.beside(order.record)
    place = record if order.public is None else RecordFiles.beside(order.public)
    _require_same_policy(order)
    if order.further:
        policy = order.policy if order.public is None else None
        signing.sign_further(place, request, progress, policy, order.lying)
    elif order.public is not None:
        signing.sign_public(record, place, request, progress, order.decision.withheld, order.lying)
    else:
        signing.sign_new(order.decision, place, request, progress, order.policy)
    _trust_signer(order.request.identity)
    done: Done = "further" if order.further else "new"
    return verify(progress, done, place.json, order.policy, order.policy_path, order.now)


def _require_same_policy(order: Order) -> None:
    """Raise InvalidInput where the policy's file holds another policy than the one that was shown."""
    if order.policy_path is None or order.policy_digest is None:
        return
    held = ""
    with suppress(DPWizardError):  # gone, or no policy any more: another one as well
        held = policy_files.read_policy(order.policy_path, office.trust_places((), order.policy_path)).sha256
    if held != order.policy_digest:
        hint = "Read what it asks for now, then sign."
        raise InvalidInput("the policy’s file has changed since it was shown", "", hint)


def verified(path: Path, policy: PolicyFile | None, policy_path: Path | None, now: datetime) -> findings.Verification:
    """Return what a process of its own finds of the record at PATH, by everything that counts on this computer."""
    places = office.trust_places((), policy_path)
    log = office.log_for(policy_path)
    judged_by = policy_path if policy is not None else None
    found: findings.Verification = run_in_worker(
        verify_tasks.verify_folder_quietly, RecordFiles.beside(path), places, now, judged_by, log
    )
    return found


def _trust_signer(own: identity.Identity) -> None:
    """Trust the signer's own certificate from now on: whoever knows the passphrase of its key need not be asked.

    One that an authority issued is trusted with that authority alone.
    """
    if not own.certificate.self_signed:
        return
    with suppress(DPWizardError):  # a folder that cannot be written to: what was signed is signed
        office.add_person(own.certificate_pem())


def trust_signer(progress: Progress, path: Path, fingerprint: str) -> None:
    """Trust, from now on, the certificate with FINGERPRINT that signed the record at PATH."""
    held = signing.certificates_of(RecordFiles.beside(path)).get(fingerprint)
    if held is None:
        hint = "Ask its owner for it, and add it to the trusted ones."
        raise DPWizardError("the certificate is not in the signature file", "", hint)
    office.add_person(held)


def verify(
    progress: Progress, done: Done, path: Path, policy: PolicyFile | None, policy_path: Path | None, now: datetime
) -> Signed:
    """Verify the record at PATH, with which something was DONE."""
    progress("verify")
    try:
        found = verified(path, policy, policy_path, now)
    except DPWizardError as problem:  # a stick pulled out: what was signed is signed
        return Signed(done=done, path=path, verification=None, problem=problem)
    return Signed(done=done, path=path, verification=found)


@dataclass(frozen=True, kw_only=True)
class Exported:
    """A record for another place: what was found of it, and the text that it gives there."""

    verification: findings.Verification
    text: str = ""
    problem: DPWizardError | None = None  # why it gives none


def export(
    progress: Progress, path: Path, to: str, tier: int, now: datetime, found: findings.Verification | None
) -> Exported:
    """Export the record at PATH; FOUND, where given, is what its verification found."""
    place = RecordFiles.beside(path)
    judged = verified(path, None, None, now) if found is None else found
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
