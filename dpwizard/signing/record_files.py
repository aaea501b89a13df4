"""The three files of a record, side by side: made and signed, signed further, and judged together.

The window and the command line both go through here, so that the same decision at the same stated time
gives the same bytes.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dpwizard import files, json_text, office_folder
from dpwizard.decision import Decision, assess
from dpwizard.errors import DPWizardError, FileProblem, InvalidInput, SigningProblem
from dpwizard.messages import message
from dpwizard.one_line import on_one_line
from dpwizard.records import PolicyFile, editions, record
from dpwizard.records import policy as policies
from dpwizard.signing import held_files, office

if TYPE_CHECKING:
    from dpwizard.signing.certificates import Trust
    from dpwizard.signing.findings import Verification
    from dpwizard.signing.identity import Identity

ENDINGS = (".json.jws", ".json", ".pdf", ".tsr")
CERTIFICATES = office.CERTIFICATES
Progress = Callable[[str], None]  # told the key of what is being done


@dataclass(frozen=True, kw_only=True)
class RecordFiles:
    """Where the JSON, the PDF and the chain of signatures of one record lie."""

    json: Path
    pdf: Path
    jws: Path

    @staticmethod
    def beside(path: Path) -> RecordFiles:
        """Return the files of the record that PATH (one of its files, or its bare name) belongs to."""
        name = next((path.name.removesuffix(ending) for ending in ENDINGS if path.name.endswith(ending)), path.name)
        return RecordFiles(
            json=path.parent / f"{name}.json", pdf=path.parent / f"{name}.pdf", jws=path.parent / f"{name}.json.jws"
        )

    @property
    def stamp(self) -> Path:
        """Return where a time-stamp lies, if fetched: over a line of the signature file, no part of the record."""
        return self.json.with_suffix(".tsr")

    @property
    def all(self) -> tuple[Path, Path, Path]:
        """Return the three paths."""
        return self.json, self.pdf, self.jws


@dataclass(frozen=True, kw_only=True)
class Signature:
    """What one signer adds to a record."""

    identity: Identity
    role: str
    verdict: str
    comment: str
    stated: record.Stated
    conditions: tuple[str, ...] = ()
    log: Path | None = None  # where it is noted; where none is named, in the log of the office


def parse_time(text: str, where: str = "time") -> datetime:
    """Return the time TEXT states, with its offset from UTC; raises InvalidInput in words."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput(
            message('must be a time such as 2026-11-21T14:30:00+01:00; found "{text}"', text=text[:60]),
            where,
            "Give date, time and offset.",
        ) from None
    if time.tzinfo is None:
        raise InvalidInput(
            message('lacks its offset from UTC: "{text}"', text=text[:60]),
            where,
            "Add it, as in 2026-11-21T14:30:00+01:00, or Z for UTC.",
        )
    return time.replace(microsecond=0)


def make_identity(
    place: Path, *, name: str, organisation: str, ask: Callable[[], str], years: int, now: datetime
) -> Path:
    """Make an identity in the key file PLACE, and return where its certificate for others to trust lies.

    ASK gives the passphrase once both places are known to be free. Raises FileProblem where one is not or cannot be
    written, and what `signing.create_identity` raises.
    """
    from dpwizard.signing import signing

    certificate = place.with_suffix(".crt")
    for path in (place, certificate):
        if files.is_there(path):
            raise FileProblem("exists already", str(path), "Choose another name; a key is never overwritten.")
    passphrase = ask()
    made = signing.create_identity(
        name=name, organisation=organisation, passphrase=passphrase, valid_years=years, now=now
    )
    files.write_private(place, made)
    files.write_new(certificate, signing.open_identity(pkcs12=made, passphrase=passphrase).certificate_pem())
    return certificate


def sign_new(
    decision: Decision,
    target: RecordFiles,
    signature: Signature,
    progress: Progress = lambda _: None,
    policy: PolicyFile | None = None,
) -> None:
    """Make the record of DECISION, check it against POLICY, typeset it, sign it and write its three files.

    Where no policy is named, the one that the office has placed here is asked.

    Raises InvalidInput where an approval lacks something, FileProblem where a file exists already or cannot be
    written, SigningProblem where the identity cannot sign. Then no file was written.
    """
    from dpwizard.signing.required_signatures import require_role

    held_files.mend(target.all)
    _require_free(target)
    policy = policy if policy is not None else office.placed_policy(office_folder.OFFICE)
    progress("solve")
    assessment = assess(decision)
    record.check_outcome(decision, assessment)
    editions.check_withheld(decision)
    if policy is not None:
        policies.require_kept(policy, decision, assessment.inside)
        require_role(policy, signature.role, signature.identity.certificate)
    made = record.make_record(decision, assessment, signature.stated, policies.named(policy) if policy else None)
    made = record.salted(made, signature.identity.salt_for)
    _write_signed(made, target, signature, progress)


def _require_free(target: RecordFiles) -> None:
    if on_one_line(target.json.name) != target.json.name:
        raise FileProblem(
            "has a name with characters that are not seen", files.printable(target.json), "Choose another name."
        )
    for path, content in zip(target.all, held_files.read(target.all), strict=True):
        if content is not None:
            raise FileProblem("exists already", str(path), "Choose another name; no record is overwritten.")


def _write_signed(made: dict[str, Any], target: RecordFiles, signature: Signature, progress: Progress) -> None:
    from dpwizard.report import document as report
    from dpwizard.signing import signature_log

    json_bytes = record.record_bytes(made)
    progress("typeset")
    # from the file's own bytes, as everybody who verifies it does: a file lists names in order, a new record does not
    pdf = report.pdf_bytes(json_text.parse(json_bytes), json_bytes, target.json.name)
    progress("sign")
    pdf, chain = _signed(json_bytes, pdf, "", signature, made)
    progress("write")
    with signature_log.noted(_log(signature), name=target.json.name, json_bytes=json_bytes, chain=chain):
        _write_all(target, (json_bytes, pdf, chain.encode("ascii")))


def _log(signature: Signature) -> Path | None:
    return signature.log if signature.log is not None else office.log_in(office_folder.OFFICE)


def _write_all(target: RecordFiles, contents: tuple[bytes, ...]) -> None:
    """Write all three files of a record that has none yet, or none of them."""
    with files.said_of(target.json.parent):
        target.json.parent.mkdir(parents=True, exist_ok=True)
    with held_files.held(target.all) as place:
        _require_free(target)
        place.replace(dict(zip(target.all, contents, strict=True)))


def sign_public(
    internal: RecordFiles,
    target: RecordFiles,
    signature: Signature,
    progress: Progress = lambda _: None,
    withheld: Iterable[str] | None = None,
    seen: str | None = None,
) -> None:
    """Make and sign the public edition of the record INTERNAL without what is WITHHELD (None: what it marks).

    Raises SigningProblem where INTERNAL is not as it was signed, or its JSON file has another SHA-256 than the one
    SEEN, and what `sign_new` raises; then no file was written.
    """
    from dpwizard.signing.required_signatures import require_policy

    held_files.mend(target.all)
    _require_free(target)
    json_bytes = files.read_bytes(internal.json)
    _require_seen(json_bytes, seen, internal)
    found = verify(internal, (), signature.stated.time)
    if not found.ok:
        hint = "Sign the internal edition first, or restore it."
        raise SigningProblem(
            message("the internal edition is not as signed. {sentence}", sentence=found.sentence),
            str(internal.json),
            hint,
        )
    raw = json_text.parse(json_bytes)
    made = editions.public_record(raw, hashlib.sha256(json_bytes).hexdigest(), withheld)
    editions.require_not_told(made, raw, f"{signature.identity.certificate.subject}\n{signature.comment}")
    asked = office.policy_for(made, office_folder.OFFICE)
    if asked is not None:
        require_policy(made, asked, signature.role, signature.identity.certificate)
    made["made"] = {"time": signature.stated.text, "time_source": signature.stated.source}
    _write_signed(made, target, signature, progress)


def sign_further(
    target: RecordFiles,
    signature: Signature,
    progress: Progress = lambda _: None,
    policy: PolicyFile | None = None,
    seen: str | None = None,
) -> None:
    """Add a signature to the record in TARGET; its JSON stays as it is.

    Its decision is solved anew and checked against POLICY first; where none is named, against the office's.

    Raises what `sign_new` raises, and SigningProblem where the record was made under another policy, or where its JSON
    file has another SHA-256 than the one SEEN by who signs (None: whatever lies there is signed); then the files are as
    they were.
    """
    from dpwizard.signing import signature_log, solved_again
    from dpwizard.signing.required_signatures import require_policy

    progress("sign")
    with held_files.held(target.all) as place:
        json_bytes, pdf, before = place.whole()
        _require_seen(json_bytes, seen, target)
        raw = record.read_record(json_text.parse(json_bytes))
        solved_again.require_honest(raw)
        if policy is not None:
            _require_same_policy(raw, policy)
        asked = policy if policy is not None else office.policy_for(raw, office_folder.OFFICE)
        if asked is not None:
            require_policy(raw, asked, signature.role, signature.identity.certificate)
        signature_log.require_all_there(_log(signature), json_bytes, before)
        signed, chain = _signed(json_bytes, pdf, before.decode("ascii", "replace"), signature, raw)
        progress("write")
        with signature_log.noted(_log(signature), name=target.json.name, json_bytes=json_bytes, chain=chain):
            place.replace({target.pdf: signed, target.jws: chain.encode("ascii")})


def _require_seen(json_bytes: bytes, seen: str | None, target: RecordFiles) -> None:
    if seen is not None and hashlib.sha256(json_bytes).hexdigest() != seen:
        raise SigningProblem(
            "is not the record that was shown any more", str(target.json), "Look at what lies there now, then sign."
        )


def _require_same_policy(raw: dict[str, Any], policy: PolicyFile) -> None:
    stated = raw.get("policy")
    if not isinstance(stated, dict) or stated.get("sha256") != policy.sha256:
        name = stated.get("name") if isinstance(stated, dict) else None
        said = message('under the policy "{name}"', name=name) if name else message("without a policy")
        raise SigningProblem(
            message("the record was made {how}, not under this one", how=said),
            "policy",
            "Give the policy file it names.",
        )


def _signed(json_bytes: bytes, pdf: bytes, chain: str, signature: Signature, made: dict[str, Any]) -> tuple[bytes, str]:
    from dpwizard.signing import binding, signing
    from dpwizard.signing.required_signatures import require_order

    binding.require_signable(json_bytes, pdf)
    stated = made.get("policy")
    roles = stated.get("roles") if isinstance(stated, dict) else ()
    require_order(signature.role, chain, roles if isinstance(roles, list) else ())
    signed = signing.sign_record(
        json_bytes=json_bytes,
        pdf_bytes=pdf,
        jws_text=chain,
        identity=signature.identity,
        role=signature.role,
        verdict=signature.verdict,
        comment=signature.comment,
        conditions=signature.conditions,
        time=signature.stated.time,
        time_source=signature.stated.source,
    )
    return signed.pdf_bytes, signed.jws_text


def verify(
    target: RecordFiles,
    trusted: Iterable[Path],
    now: datetime,
    policy: PolicyFile | None = None,
    log: Path | None = None,
) -> Verification:
    """Judge the files of a record that are there, against the certificates TRUSTED (files or folders), at the time NOW.

    It also says what POLICY asks for (where none is named, the one of the office that the record names or that is
    placed here), which signatures are still missing, whether one that LOG (else the office's) notes is gone, and
    what all that comes to. Raises FileProblem if no file is
    there or one cannot be read, InvalidInput where a policy of the office cannot; what is wrong with a record is in
    the result.
    """
    from dpwizard.signing import (
        binding,
        outcomes,
        required_signatures,
        signature_log,
        signing,
        solved_again,
        time_stamp,
    )

    present = held_files.read(target.all)
    if not any(data is not None for data in present):
        raise FileProblem("no record lies here", str(target.json.with_suffix("")), "Name its .json or .pdf file.")
    trust = office.read_trust(trusted)
    found = held_files.with_ignored(signing.verify_record(*present, trust=trust, now=now), target.all)
    if files.is_there(target.stamp):
        found = time_stamp.with_time_stamp(found, files.read_bytes(target.stamp), present[2], trust)
    found = binding.with_binding(found, present[0], present[1])
    json_bytes = present[0] if present[0] is not None else _attached(present[1])
    found = solved_again.with_comparison(found, json_bytes)
    asked = policy
    if asked is None and json_bytes is not None:
        asked = office.policy_for(_parsed(json_bytes), office_folder.OFFICE)
    unasked = policy is None and asked is not None
    found = required_signatures.with_required(found, json_bytes, asked, unasked=unasked)
    return outcomes.concluded(
        signature_log.with_log(found, present[2], log if log is not None else office.log_in(office_folder.OFFICE))
    )


def _parsed(json_bytes: bytes) -> Any:
    try:
        return json_text.parse(json_bytes)
    except DPWizardError:  # said elsewhere
        return None


def copy_into(source: RecordFiles, folder: Path) -> tuple[str, ...]:
    """Copy the files of the record at SOURCE that are there into FOLDER; return their names.

    Raises FileProblem where one of them exists there already or cannot be written; then none was copied.
    """
    found = {path.name: files.read_bytes(path) for path in (*source.all, source.stamp) if files.is_there(path)}
    for name in found:
        if files.is_there(folder / name):
            raise FileProblem("exists already", str(folder / name), "Choose another folder; no record is overwritten.")
    written: list[Path] = []
    try:
        for name, data in found.items():
            files.write_new(folder / name, data)
            written.append(folder / name)
    except FileProblem:
        for path in written:
            files.remove(path)
        raise
    return tuple(found)


def is_typeset_from(json_bytes: bytes, pdf: bytes, name: str) -> bool | None:
    """Return whether PDF, signed or not, begins with what we typeset from JSON_BYTES, the record called NAME.

    None where it cannot be typeset or taken apart. Another version of this program may typeset otherwise.
    """
    from dpwizard.report import document as report
    from dpwizard.signing.pdf_revisions import open_pdf

    try:
        again = report.pdf_bytes(record.read_record(json_text.parse(json_bytes)), json_bytes, name)
        opened = open_pdf(pdf)
    except DPWizardError:
        return None
    return opened.document.typeset.removesuffix(b"\n") == again.removesuffix(b"\n")


def _attached(pdf: bytes | None) -> bytes | None:
    from dpwizard.signing.pdf_revisions import open_pdf

    try:
        return None if pdf is None else open_pdf(pdf).attached()
    except DPWizardError:
        return None


def trust_places(given: Iterable[Path] = (), policy: Path | None = None) -> tuple[Path, ...]:
    """Return where trusted certificates lie: GIVEN, `trust` beside the POLICY file, the office's, the user's own.

    Folders that are not there are left out; those given are not.
    """
    folders = [policy.parent / "trust"] if policy is not None else []
    folders += [office_folder.OFFICE / "trust"] if office_folder.OFFICE / "trust" not in folders else []
    own = user_trust()
    folders += [own] if own is not None else []
    return (*given, *(folder for folder in folders if files.is_folder(folder)))


def office_policy() -> Path | None:
    """Return the policy file that the office has placed on this computer for everybody; None where there is none."""
    return office.policy_in(office_folder.OFFICE)


def user_trust(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path | None:
    """Return the folder of certificates this user of SYSTEM trusts, there or not; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if system == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "dpwizard" / "trust"
    return home / ("Library/Application Support" if system == "darwin" else ".config") / "dpwizard" / "trust"


def add_trust(certificate: bytes) -> Path:
    """Write CERTIFICATE (PEM or DER, one or more) into the user's own trusted folder; return where it lies.

    Raises SigningProblem where it holds none, or a private key; FileProblem where it cannot be written.
    """
    read = require_certificates(certificate)
    folder = user_trust()
    if folder is None:
        raise FileProblem("has no place", "trust", "This user has no home folder.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FileProblem(
            message("cannot be made ({reason})", reason=problem.strerror), str(folder), "Check the permissions."
        ) from None
    digest = hashlib.sha256(read.certificates[0]).hexdigest()
    place = folder / f"{digest[:16]}{'.pem' if b'-----BEGIN' in certificate else '.der'}"
    files.write_atomically(place, certificate, overwrite=True)
    return place


def require_certificates(data: bytes) -> Trust:
    """Return the certificates in DATA (PEM or DER); raises SigningProblem without any, or with a private key."""
    from dpwizard.signing import signing

    if b"PRIVATE KEY" in data:
        raise SigningProblem(
            "holds a private key", "certificate", "Ask for the certificate alone; a key is never handed on."
        )
    read = signing.read_trust(files=(data,))
    if not read.certificates:
        raise SigningProblem(
            "holds no certificate", "certificate", "A list of revoked ones (.crl) is laid into the folder itself."
        )
    return read


def certificates_of(target: RecordFiles) -> dict[str, bytes]:
    """Return the certificates (DER) in TARGET's signature file by their SHA-256; none if it cannot be read."""
    from dpwizard.signing.json_signature import read_line, split_lines

    try:
        chains = [read_line(line).chain for line in split_lines(files.read_bytes(target.jws))]
    except DPWizardError:
        return {}
    return {hashlib.sha256(der).hexdigest(): der for chain in chains for der in chain}


def certificates_in(path: Path) -> list[Path]:
    """Return the files of certificates and of revocation lists in the folder PATH by name, or that file."""
    return office.certificates_in(path)


def read_any(data: bytes) -> Decision:
    """Return the decision in DATA: that of a decision file, or of a record. Raises InvalidInput in words."""
    from dpwizard.decision.decision import read_decision

    raw = json_text.parse(data)
    if record.is_record(raw):
        return read_decision(record.read_record(raw)["decision"], "$.decision")
    return read_decision(raw)
