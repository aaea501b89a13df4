"""What an office has placed in a folder for everybody on a computer: policies, trusted people, a log of signatures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from dpwizard.base import files, office_folder
from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.base.messages import message
from dpwizard.base.values import ShortText, Value
from dpwizard.records import PolicyFile, Record
from dpwizard.records import policy as policies
from dpwizard.signing import store, trust
from dpwizard.signing.certificates import describe, printable, stamp
from dpwizard.signing.findings import Findings, Signer
from dpwizard.signing.identity import Identity
from dpwizard.signing.signature import Digest, Moment, Signature, moment_of, read_signed, sha256_of, sign_value
from dpwizard.signing.trust import Trust, check_certificate

LOG, KEPT, TRUST = "signatures", "policies", "trust"
CERTIFICATES = (".pem", ".crt", ".cer", ".der")
REVOKED = (".crl",)


def policy_in(folder: Path) -> Path | None:
    """Return where the policy lies in FOLDER; None where there is none.

    One that cannot be reached counts as placed: whoever reads it is told why it cannot be, and nothing is signed.
    """
    placed = folder / "policy.toml"
    return placed if files.may_be_there(placed) and not files.is_folder(placed) else None


def office_policy() -> Path | None:
    """Return the policy file that the office has placed on this computer for everybody; None where there is none."""
    return policy_in(office_folder.OFFICE)


def log_in(folder: Path) -> Path | None:
    """Return the folder in FOLDER in which every signature made here is noted; None where there is none."""
    return folder / LOG if files.is_folder(folder / LOG) else None


def log_for(policy: Path | None, folder: Path) -> Path | None:
    """Return the log of signatures beside the POLICY file, else the one in FOLDER; None where there is none."""
    own = None if policy is None else log_in(policy.parent)
    return own if own is not None else log_in(folder)


def read_policy(path: Path, trusted: Iterable[Path] = ()) -> PolicyFile:
    """Return the policy in the file PATH, with who signed it; its signature is judged by the certificates TRUSTED.

    Raises FileProblem and InvalidInput in words; SigningProblem where it counts only when signed and is not, or where
    a signature beside it does not hold.
    """
    found = policies.read_policy(files.read_bytes(path), str(path))
    place = signature_beside(path)
    line = files.read_bytes(place) if files.is_there(place) else None
    if line is None and not found.policy.signed:
        return found
    return checked(found, line, read_trust(trusted), str(path))


def placed_policy(folder: Path) -> PolicyFile | None:
    """Return the policy placed in FOLDER; None where there is none, and raises as `read_policy`."""
    placed = policy_in(folder)
    return None if placed is None else read_policy(placed, _trust_in(folder))


def policy_at(folder: Path, record: Record, signature: Signature, found: Findings) -> PolicyFile | None:
    """Return the policy in FOLDER that applied when SIGNATURE states it was made; None where there is none.

    That is the placed one if it says from when it applies, or a kept one: those lie in the folder `policies`, with
    dates and the office's signature. As the time is the signer's claim, one that no longer applies needs proof: a
    time-stamp or the log, as FOUND says. It is told what is undetermined.
    """
    placed, kept = placed_policy(folder), _kept_policies(folder)
    earlier = _applied(placed, kept, signature.time)
    if earlier is None or earlier is placed:
        _say_undated(record, placed, kept, found)
        if earlier is None and placed is not None:
            why = message("no policy of the office applied on {date}", date=signature.line.time[:10])
            found.add("policy_time", None, why, remedy=message("Give the policy that applied then."))
        return earlier
    ends = earlier.policy.last_moment
    shown = found.shown_by is not None and ends is not None and found.shown_by <= ends
    why = message(
        'the policy "{name}" applied until {date}, and that it was signed by then is the signer\'s own claim',
        name=earlier.policy.name,
        date=earlier.policy.valid_until or "",
    )
    found.add("policy_time", shown or None, why, remedy=message("Fetch a time-stamp that shows it."))
    return earlier


def policy_of(folder: Path, signer: Signer) -> PolicyFile | None:
    """Return the policy in FOLDER that applied when SIGNER states to have signed; None where none did."""
    return _applied(placed_policy(folder), _kept_policies(folder), moment_of(signer.time))


def _applied(placed: PolicyFile | None, kept: tuple[PolicyFile, ...], at: datetime) -> PolicyFile | None:
    """Return which policy of the office applied AT a time; None where none did."""
    applied = [one for one in kept if one.policy.is_dated and one.signed_by and one.policy.applies(at)]
    if placed is not None and placed.policy.applies(at) and (placed.policy.valid_from is not None or not applied):
        return placed
    return max(applied, key=lambda one: one.policy.valid_from or "", default=None)  # that came last


def _say_undated(record: Record, placed: PolicyFile | None, kept: tuple[PolicyFile, ...], found: Findings) -> None:
    """Note in FOUND that the record names a policy which is kept without dates or without the office's signature."""
    named = record.policy
    if named is None or (placed is not None and named.sha256 == placed.sha256):
        return
    lying = next((one for one in kept if one.sha256 == named.sha256), None)
    if lying is not None and not (lying.policy.is_dated and lying.signed_by):
        why = message(
            "the policy {name} is kept without dates or the office's signature, so when it applied is not known",
            name=printable(lying.policy.name, 200),
        )
        found.add("policy_time", None, why, remedy=message("Have the office date it and sign it."))


def _kept_policies(folder: Path) -> tuple[PolicyFile, ...]:
    if not files.is_folder(folder / KEPT):
        return ()
    return tuple(read_policy(path, _trust_in(folder)) for path in sorted((folder / KEPT).glob("*.toml")))


def _trust_in(folder: Path) -> tuple[Path, ...]:
    return (folder / TRUST,) if files.is_folder(folder / TRUST) else ()


# ------------------------------------------------------------------------------------- who is trusted here


def read_trust(places: Iterable[Path]) -> Trust:
    """Return the certificates in PLACES, files or folders; raises FileProblem and SigningProblem in words."""
    certificates: list[bytes] = []
    revoked: list[bytes] = []
    for path in (path for place in places for path in certificates_in(place)):
        try:
            read = trust.read_trust((files.read_bytes(path),))
        except SigningProblem as problem:
            raise SigningProblem(problem.message, str(path), problem.hint) from None
        certificates += read.certificates
        revoked += read.revoked
    return Trust(tuple(dict.fromkeys(certificates)), tuple(dict.fromkeys(revoked)))


def certificates_in(path: Path) -> list[Path]:
    """Return the files of certificates and of revocation lists in the folder PATH by name, or that file."""
    return (
        sorted(p for p in path.iterdir() if p.suffix in (*CERTIFICATES, *REVOKED)) if files.is_folder(path) else [path]
    )


def trust_places(given: Iterable[Path] = (), policy: Path | None = None) -> tuple[Path, ...]:
    """Return where trusted certificates lie: GIVEN, `trust` beside the POLICY file, the office's, the user's own.

    Folders that are not there are left out; those given are not.
    """
    folders = [policy.parent / TRUST] if policy is not None else []
    folders += [office_folder.OFFICE / TRUST] if office_folder.OFFICE / TRUST not in folders else []
    own = user_trust()
    folders += [own] if own is not None else []
    return (*given, *(folder for folder in folders if files.is_folder(folder)))


def user_trust(environment: Mapping[str, str] = os.environ, system: str = sys.platform) -> Path | None:
    """Return the folder of certificates this user of SYSTEM trusts, there or not; None for a user without a home."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if system == "win32":
        return Path(environment.get("APPDATA") or home / "AppData" / "Roaming") / "dpwizard" / TRUST
    return home / ("Library/Application Support" if system == "darwin" else ".config") / "dpwizard" / TRUST


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
    digest = sha256_of(read.certificates[0])
    place = folder / f"{digest[:16]}{'.pem' if b'-----BEGIN' in certificate else '.der'}"
    files.write_atomically(place, certificate, overwrite=True)
    return place


def add_person(certificate: bytes) -> None:
    """Trust one person's own CERTIFICATE from now on, as `add_trust`.

    Raises SigningProblem where it marks an authority: whoever it issues certificates to would be trusted with it.
    """
    if any(map(trust.is_authority, require_certificates(certificate).certificates)):
        hint = "Ask for a certificate that is for signing alone. An authority is trusted under Trusted certificates."
        raise SigningProblem("may issue certificates to others, who would be trusted as well", "certificate", hint)
    add_trust(certificate)


def require_certificates(data: bytes) -> Trust:
    """Return the certificates in DATA (PEM or DER); raises SigningProblem without any, or with a private key."""
    if b"PRIVATE KEY" in data:
        raise SigningProblem(
            "holds a private key", "certificate", "Ask for the certificate alone; a key is never handed on."
        )
    read = trust.read_trust((data,))
    if not read.certificates:
        raise SigningProblem(
            "holds no certificate", "certificate", "A list of revoked ones (.crl) is laid into the folder itself."
        )
    return read


# ------------------------------------ a policy signed by the office: one line beside it, NAME.toml.jws, over its hash


KIND = "dpwizard-policy/1"
HINT = "Ask the office for the policy with its signature."


class Statement(Value):
    """What whoever signs a policy states: which bytes, and when."""

    policy_sha256: Digest
    name: ShortText
    time: Moment


def signature_beside(place: Path) -> Path:
    """Return where the signature of the policy at PLACE lies."""
    return place.with_name(f"{place.name}.jws")


def signed_policy(data: bytes, where: str, identity: Identity, time: datetime) -> bytes:
    """Return the signature of IDENTITY over the policy in DATA, as a file; raises InvalidInput where it is none.

    Raises SigningProblem where the certificate is not valid at that TIME.
    """
    found = policies.read_policy(data, where)
    identity.require_usable(time)
    said = Statement(policy_sha256=found.sha256, name=found.policy.name, time=stamp(time))
    return f"{sign_value(identity=identity, value=said, kind=KIND)}\n".encode("ascii")


def checked(found: PolicyFile, line: bytes | None, trust: Trust, where: str) -> PolicyFile:
    """Return the policy FOUND with who signed it, by the LINE beside it (None: there is none).

    Raises SigningProblem where it counts only when signed and is not, or where a signature that lies beside it is not
    of these bytes, or not by somebody in TRUST.
    """
    if line is None:
        if found.policy.signed:
            raise SigningProblem("counts only with the signature of the office, and none lies beside it", where, HINT)
        return found
    said, chain = read_signed(store.one_line(line, signature_beside(Path(where))), Statement, KIND)
    standing = check_certificate(chain, trust=trust, at=moment_of(said.time))
    name = printable(describe(chain[0]).name)
    if said.policy_sha256 != found.sha256:
        raise SigningProblem(message("was changed after {name} signed it", name=name), where, HINT)
    if not standing.trusted:
        why = message("is signed by {name}, who is not trusted here: {why}", name=name, why=standing.why)
        raise SigningProblem(why, where, HINT)
    return replace(found, signed_by=name)
