"""Making a record, signing it, and signing it further.

A signature is one new file. Creating it is the moment of signing: it fails where somebody was first, and then all is
read again. Killed before, nothing is signed; killed after, the record is signed and its PDF can be made again. So there
is no lock, no plan, and nothing to undo.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from dpwizard import records
from dpwizard.base import files
from dpwizard.base.errors import DPWizardError, FileProblem, InvalidInput, SigningProblem
from dpwizard.base.messages import NO_MESSAGE, message
from dpwizard.base.values import read
from dpwizard.decision import Decision, assess
from dpwizard.records import AssertedTime, PolicyFile, Record, redaction
from dpwizard.records import policy as policies
from dpwizard.report import document
from dpwizard.signing import identity as identities
from dpwizard.signing import office, policy_files, remaking, required_signatures, signature_log, store, verification
from dpwizard.signing.bounded import Bounded
from dpwizard.signing.certificates import stamp, utc
from dpwizard.signing.findings import Findings
from dpwizard.signing.identity import Identity
from dpwizard.signing.increment import GrowingPdf
from dpwizard.signing.people import persons
from dpwizard.signing.reading import Contents, contents_of
from dpwizard.signing.remaking import Remade
from dpwizard.signing.required_signatures import approves
from dpwizard.signing.signature import (
    APPROVES,
    PROPOSES,
    WITH_CONDITIONS,
    Line,
    Signature,
    read_signature,
    sha256_of,
    sign_line,
)
from dpwizard.signing.store import RecordFiles
from dpwizard.signing.verify_tasks import verify_folder

Progress = Callable[[str], None]  # told the key of what is being done


@dataclass(frozen=True, kw_only=True)
class SigningRequest:
    """What one signer is about to state, and with which key."""

    identity: Identity
    role: str
    verdict: str
    comment: str
    stated: AssertedTime
    conditions: tuple[str, ...] = ()
    log: Path | None = None  # where it is noted; where none is named, in the log of the office
    process: Bounded | None = None  # reads what others made; where none is given, one is started

    @property
    def noted_in(self) -> Path | None:
        """Return the log in which the signature is noted, if there is one."""
        return self.log if self.log is not None else office.log_for()


def parse_time(text: str, where: str = "time") -> datetime:
    """Return the time TEXT states, with its offset from UTC; raises InvalidInput in words."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        time = None
    if time is None or time.tzinfo is None:
        why = message('must be a time with its offset from UTC; found "{text}"', text=text[:60])
        raise InvalidInput(why, where, "Write it as 2026-11-21T14:30:00+01:00, or Z for UTC.")
    return time.replace(microsecond=0)


def make_identity(
    place: Path, *, name: str, organisation: str, passphrase: str, years: int, now: datetime
) -> tuple[Identity, Callable[[], None]]:
    """Return a new identity, open, and what writes its key file to PLACE and its certificate beside it, both or none.

    Raises what `identity.create_identity` raises; both raise FileProblem where something is there already.
    """
    require_no_key(place)
    key_file = identities.create_identity(
        name=name, organisation=organisation, passphrase=passphrase, valid_years=years, now=now
    )
    identity = identities.open_identity(pkcs12=key_file, passphrase=passphrase)

    def write() -> None:
        files.write_private(place, key_file)
        try:
            files.write_new(place.with_suffix(".crt"), identity.certificate_pem())
        except FileProblem:
            files.remove(place)
            raise

    return identity, write


def require_no_key(place: Path) -> None:
    """Raise FileProblem where something lies at PLACE, where a key file is to go, or where its certificate goes."""
    for path in filter(files.is_there, (place, place.with_suffix(".crt"))):
        raise FileProblem("already exists", str(path), "Choose another name; a key is never overwritten.")


def sign_new(
    decision: Decision,
    place: RecordFiles,
    request: SigningRequest,
    progress: Progress = lambda _: None,
    policy: PolicyFile | None = None,
) -> None:
    """Make the record of DECISION, check it against POLICY, sign it and write its files at PLACE.

    Where no policy is named, the one that the office has placed here is asked.

    Raises InvalidInput where an approval lacks something, FileProblem where a file exists already or cannot be
    written, SigningProblem where the identity cannot sign.
    """
    store.require_free(place)
    policy = policy if policy is not None else policy_files.placed_policy()
    required_signatures.require_role(policy, request.role, request.identity.certificate)
    progress("solve")
    assessment = assess(decision)
    records.check_outcome(decision, assessment)
    redaction.check_withheld(decision)
    if policy is not None:
        policies.require_kept(policy, decision, assessment.inside)
    named = policies.named(policy) if policy is not None else None
    record = records.make(decision, request.stated, name=place.name, assessment=assessment, policy=named)
    _write_new(record.salted(request.identity.salt_for), place, request, progress, policy)


def sign_public(
    internal: RecordFiles,
    place: RecordFiles,
    request: SigningRequest,
    progress: Progress = lambda _: None,
    withheld: Iterable[str] | None = None,
    seen: str | None = None,
) -> None:
    """Make and sign the public version of the record INTERNAL without what is WITHHELD (None: what it marks).

    Raises SigningProblem where INTERNAL is not as it was signed, or its JSON file has another SHA-256 than the one
    SEEN, and what `sign_new` raises.
    """
    store.require_free(place)
    json_bytes = store.require(internal.json)
    _require_seen(json_bytes, seen, internal)
    progress("solve")
    judgement = verify_folder(internal, office.trust_places(), request.stated.time, process=request.process)
    if not judgement.ok or judgement.json_sha256 != sha256_of(json_bytes):
        why = message("the internal record was changed after signing. {sentence}", sentence=judgement.problem)
        raise SigningProblem(why, str(internal.json), "Sign the internal record first, or restore it.")
    original = records.read(json_bytes)
    record = public_edition(original, request.stated, place.name, json_bytes, withheld)
    if original.policy is not None:
        in_force = policy_files.placed_policy()
        required_signatures.require_policy(record, in_force, request.role, request.identity.certificate)
    _write_new(record, place, request, progress)


def public_edition(
    internal: Record, stated: AssertedTime, name: str, json_bytes: bytes, withheld: Iterable[str] | None = None
) -> Record:
    """Return the public version, called NAME, of the record INTERNAL in JSON_BYTES, without what is WITHHELD.

    Raises InvalidInput where INTERNAL is public itself, or where noise, losses or the standing of the budget would come
    out otherwise without what is left out: those the public is told as they are.
    """
    if internal.public is not None:
        raise InvalidInput("is already a public version", "$.edition", "Give the internal record.")
    paths = tuple(internal.decision.withheld if withheld is None else withheld)
    decision = redaction.public_decision(internal.decision, paths)
    kept = redaction.kept_requirements(internal.decision, paths)
    public = records.Public(
        internal_sha256=sha256_of(json_bytes), requirements=len(kept), of=len(internal.decision.requirements)
    )
    record = records.make(decision, stated, name=name, policy=internal.policy, public=public)
    for what, shown, whole in (
        (message("whether the budget is within its limits"), record.assessment.inside, internal.assessment.inside),
        (message("the noise"), record.implementation, internal.implementation),
        (message("the losses"), record.accounting, internal.accounting),
    ):
        if shown != whole:
            why = message("what is left out changes what the public version shows: {what}", what=what)
            raise InvalidInput(why, "$.withheld", "Do not leave out what it follows from.")
    return record


def _write_new(
    record: Record,
    place: RecordFiles,
    request: SigningRequest,
    progress: Progress,
    policy: PolicyFile | None = None,
) -> None:
    json_bytes = records.write(record)
    signature_log.require_writable(request.noted_in)
    required_signatures.require_order(request.role, (), () if record.policy is None else record.policy.roles)
    progress("typeset")
    typeset = document.typeset(records.read(json_bytes))  # from the file's own bytes, as everybody who verifies it does
    progress("sign")
    text = _signed(record, GrowingPdf(typeset, record.decision.language), (), request)
    progress("write")
    files.write_new(place.json, json_bytes)
    if not _commit(place, 1, text, request, typeset, record.decision.language):  # somebody signed the new file first
        sign_further(place, request, progress, policy, seen=sha256_of(json_bytes))


def sign_further(
    place: RecordFiles,
    request: SigningRequest,
    progress: Progress = lambda _: None,
    policy: PolicyFile | None = None,
    seen: str | None = None,
) -> bool:
    """Add a signature to the record at PLACE; its JSON stays as it is. Return whether one was added.

    Its pages and numbers are made again and compared first, and it is checked against POLICY; where none is named,
    against the office's. Where its last signature states the same by the same certificate, none is added: what failed
    after that signature is done again, its entry in the log and the PDF.

    Raises what `sign_new` raises, and SigningProblem where the record is not what its JSON and signatures give, was
    made under another policy, or where its JSON file has another SHA-256 than the one SEEN by who signs (None: whatever
    lies there is signed).
    """
    while True:
        progress("typeset")
        _require_seen(store.require(place.json), seen, place)
        contents, remade = _regenerated(place, request.process)
        record, signatures = contents.record, contents.signatures
        _require_seen(contents.json, seen, place)  # what was read since may be another file
        typeset = remade.pdf[: remade.pages]
        if signatures and _states_the_same(signatures[-1], record.decision, request):
            progress("write")
            _finish(place, signatures[-1], request, typeset, record.decision.language)
            return False
        _require_allowed(place, contents, request, policy)
        progress("sign")
        text = _signed(record, GrowingPdf(typeset, record.decision.language, signatures), signatures, request)
        progress("write")
        if _commit(place, len(signatures) + 1, text, request, typeset, record.decision.language):
            return True


def _states_the_same(last: Signature, decision: Decision, request: SigningRequest) -> bool:
    """Return whether the LAST signature of DECISION is by the certificate of REQUEST, and states what that states."""
    line, conditions = last.line, _conditions(decision, request)
    stated = (request.role, request.verdict, request.comment, conditions)
    same = (line.role, line.verdict, line.comment, line.conditions) == stated
    return same and last.certificate.fingerprint == request.identity.certificate.fingerprint


def _commit(place: RecordFiles, number: int, text: str, request: SigningRequest, typeset: bytes, language: str) -> bool:
    """Create the file of signature NUMBER, which signs the record; False if it is taken. Then finish the record."""
    if not store.create(place.line(number), f"{text}\n".encode("ascii")):
        return False
    _finish(place, read_signature(text), request, typeset, language)
    return True


def _finish(place: RecordFiles, last: Signature, request: SigningRequest, typeset: bytes, language: str) -> None:
    """Note the LAST signature of the record at PLACE in the log, and make its PDF of the pages as TYPESET."""
    try:
        signature_log.note(request.noted_in, last)
    except FileProblem as problem:
        hint = "The record is signed. Inform the office that its log lacks this signature."
        raise FileProblem(problem.message, problem.where, hint) from None
    try:
        write_pdf(place, typeset, language)
    except DPWizardError as problem:
        hint = "The record is signed. Make its PDF again once this is fixed."
        raise FileProblem(problem.message, problem.where or str(place.pdf), hint) from None


def write_pdf(place: RecordFiles, typeset: bytes, language: str) -> None:
    """Write the PDF that the pages as TYPESET and all signatures at PLACE give; once more where one came meanwhile."""
    while True:
        lines = store.read_lines(place)
        pdf = GrowingPdf(typeset, language, map(read_signature, lines))
        files.write_atomically(place.pdf, pdf.content, overwrite=True)  # it can be made again
        if store.read_lines(place) == lines:
            return


def make_pdf_again(place: RecordFiles) -> None:
    """Make the PDF of the record at PLACE again from its JSON and its signatures, and put it there.

    Raises SigningProblem where no pages follow from them, FileProblem where a file cannot be read or written.
    """
    store.require(place.json)
    contents, remade = _regenerated(place, None, apart_from=("numbers",))
    write_pdf(place, remade.pdf[: remade.pages], contents.record.decision.language)


# ------------------------------------------------------------------------------- what is asked before


def _require_seen(json_bytes: bytes, seen: str | None, place: RecordFiles) -> None:
    if seen is not None and sha256_of(json_bytes) != seen:
        raise SigningProblem("is no longer the record that was shown", str(place.json), "Look at it again, then sign.")


def _regenerated(
    place: RecordFiles, process: Bounded | None, apart_from: tuple[str, ...] = ()
) -> tuple[Contents, Remade]:
    """Return what the files at PLACE hold, and the record made again in PROCESS.

    Raises SigningProblem where a check of it, APART_FROM those named, does not hold; the PDF is not looked at.
    """
    results = Findings()
    contents = contents_of(place, results, partial(remaking.remake_in_process, process=process))
    wrong = next((result.why for result in results.all if not result.ok and result.check not in apart_from), NO_MESSAGE)
    if wrong or contents is None or contents.remade is None:
        why = message("the record cannot be signed as it is now: {reason}", reason=wrong)
        raise SigningProblem(why, files.printable(place.json), "Verify it, and sign an unchanged copy.")
    return contents, contents.remade


def _require_allowed(
    place: RecordFiles, contents: Contents, request: SigningRequest, policy: PolicyFile | None
) -> None:
    record, signatures = contents.record, contents.signatures
    if len(signatures) >= store.MOST:
        why = message("a record takes at most {most} signatures", most=store.MOST)
        raise SigningProblem(why, "signatures", "Make a new record that replaces it.")
    if policy is not None:
        _require_same_policy(record, policy)
    in_force = policy if policy is not None else policy_files.placed_policy()
    required_signatures.require_policy(record, in_force, request.role, request.identity.certificate)
    required_signatures.require_order(request.role, signatures, () if record.policy is None else record.policy.roles)
    certificate = request.identity.certificate
    people = persons((*(signature.certificate for signature in signatures), certificate))
    signer = people[certificate.fingerprint]
    signed = {signature.line.role for signature in signatures if people[signature.certificate.fingerprint] == signer}
    if {PROPOSES, APPROVES} <= {request.role, *signed}:
        raise SigningProblem("the same person proposes and approves", "identity", "Have someone else sign it.")
    if signatures and utc(request.stated.time) < signatures[-1].time:
        why = message("is before the last signature, of {time}", time=signatures[-1].line.time)
        raise SigningProblem(why, "time", "Check the clock.")
    signature_log.require_writable(request.noted_in)
    if signatures:
        trusting = office.read_trust(office.trust_places())
        signature_log.require_all_there(request.noted_in, signatures[0].line.json_sha256, signatures, trusting)
        results = Findings()
        signers = verification.judge_signers(place, signatures, trusting, request.stated.time, results)
        for refused in results.failed(("certificate",)):
            name = signers[refused.signer or 0].name
            why = message("the signature of {name} is not accepted: {why}", name=name, why=refused.why)
            raise SigningProblem(why, "signatures", refused.remedy)


def _require_same_policy(record: Record, policy: PolicyFile) -> None:
    if record.policy != policies.named(policy):
        name = record.policy.name if record.policy is not None else None
        text = message('under the policy "{name}"', name=name) if name else message("without a policy")
        why = message("the record was made {how}, not under this one", how=text)
        raise SigningProblem(why, "policy", "Give the policy file it names.")


def _conditions(decision: Decision, request: SigningRequest) -> tuple[str, ...]:
    """Return on which conditions it is signed: those stated, else those that DECISION states.

    Raises InvalidInput where an approval with conditions names none.
    """
    stated = request.conditions
    if not stated and request.verdict == WITH_CONDITIONS and decision.details.conditions:
        stated = (decision.details.conditions,)
    if request.verdict == WITH_CONDITIONS and not approves(request.verdict, stated):
        raise InvalidInput(
            "an approval with conditions names none", "conditions", "State each condition, or approve without any."
        )
    return stated


def _signed(record: Record, pdf: GrowingPdf, before: tuple[Signature, ...], request: SigningRequest) -> str:
    """Return the line that signs the record RECORD and its PDF, whose increment is added to it."""
    identity, time, conditions = request.identity, utc(request.stated.time), _conditions(record.decision, request)
    identity.require_usable(time)
    opened = pdf.open(
        name=identity.certificate.name,
        reason=f"{request.role}: {request.verdict}",
        time=time,
        chain=identity.chain,
    )
    value = identity.sign(opened.signed)
    pdf.close(opened, value)
    stated = {
        "role": request.role,
        "verdict": request.verdict,
        "comment": request.comment,
        "conditions": conditions,
        "time": stamp(time),
        "time_source": request.stated.source,
        "json_sha256": sha256_of(records.write(record)),
        "previous": before[-1].sha256 if before else None,
        "pdf_signature": base64.b64encode(value).decode("ascii"),
        "pdf_sha256": sha256_of(pdf.content),
        "pdf_bytes": len(pdf.content),
    }
    line: Line = read(Line, stated, "signature")
    return sign_line(identity, line)
