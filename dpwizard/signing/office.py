"""What an office has placed in a folder for everybody on a computer: which policy, who is trusted, which log.

Nothing is read here but certificates, so that importing this takes no solver; `policy_files` reads the policies.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from dpwizard.base import files, office_folder
from dpwizard.base.errors import FileProblem, SigningProblem
from dpwizard.signing import trust
from dpwizard.signing.certificates import load, marks_authority
from dpwizard.signing.signature import sha256_of
from dpwizard.signing.trust import Trust

LOG, TRUST = "signatures", "trust"
CERTIFICATES = (".pem", ".crt", ".cer", ".der")


def policy_in(folder: Path | None = None) -> Path | None:
    """Return where the policy lies in FOLDER, else in that of the office; None where there is none.

    One that cannot be reached counts as placed: whoever reads it is told why it cannot be, and nothing is signed.
    """
    placed = (folder or office_folder.OFFICE) / "policy.toml"
    return placed if files.may_be_there(placed) and not files.is_folder(placed) else None


def log_in(folder: Path) -> Path | None:
    """Return the folder in FOLDER in which every signature made here is noted; None where there is none.

    One that cannot be reached counts as placed, as does such a folder of certificates: whoever reads it is told why.
    """
    return folder / LOG if files.may_be_there(folder / LOG) else None


def log_for(policy: Path | None = None) -> Path | None:
    """Return the log of signatures beside the POLICY file, else the office's; None where there is none."""
    policy_log = None if policy is None else log_in(policy.parent)
    return policy_log if policy_log is not None else log_in(office_folder.OFFICE)


def trust_in(folder: Path) -> tuple[Path, ...]:
    """Return where the certificates that FOLDER trusts lie, if they do."""
    return (folder / TRUST,) if files.may_be_there(folder / TRUST) else ()


# ------------------------------------------------------------------------------------- who is trusted here


def read_trust(places: Iterable[Path]) -> Trust:
    """Return the certificates in PLACES, files or folders; raises FileProblem and SigningProblem in words."""
    certificates: list[bytes] = []
    revoked: list[bytes] = []
    for path in (path for place in places for path in certificates_in(place)):
        try:
            read = trust.read_trust(files.read_bytes(path))
        except SigningProblem as problem:
            raise SigningProblem(problem.message, str(path), problem.hint) from None
        certificates += read.certificates
        revoked += read.revoked
    return Trust(tuple(dict.fromkeys(certificates)), tuple(dict.fromkeys(revoked)))


def certificates_in(path: Path) -> list[Path]:
    """Return the files of certificates and of revocation lists in the folder PATH by name, or that file.

    Raises FileProblem where the folder cannot be read.
    """
    if not files.is_folder(path):
        return [path]
    named = (*CERTIFICATES, ".crl")  # in capitals as well, as Windows writes them
    with files.file_problem(path):
        return sorted(p for p in path.iterdir() if p.suffix.lower() in named)


def trust_places(given: Iterable[Path] = (), policy: Path | None = None) -> tuple[Path, ...]:
    """Return where trusted certificates lie: GIVEN, `trust` beside the POLICY file, the office's, the user's own.

    Folders that are not there are left out; those given are not.
    """
    folders = [policy.parent / TRUST] if policy is not None else []
    folders += [office_folder.OFFICE / TRUST] if office_folder.OFFICE / TRUST not in folders else []
    user_places = user_trust()
    folders += [user_places] if user_places is not None else []
    return (*given, *filter(files.may_be_there, folders))


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
        raise FileProblem("does not exist", "trust", "This user has no home folder.")
    digest = sha256_of(read.certificates[0])
    place = folder / f"{digest[:16]}{'.pem' if b'-----BEGIN' in certificate else '.der'}"
    files.write_atomically(place, certificate, overwrite=True)
    return place


def add_person(certificate: bytes) -> None:
    """Trust one person's own CERTIFICATE from now on, as `add_trust`.

    Raises SigningProblem where it marks an authority: whoever it issues certificates to would be trusted with it.
    """
    if any(marks_authority(load(der)) for der in require_certificates(certificate).certificates):
        hint = "Ask for a certificate that is for signing only. To trust an authority, use Trusted certificates."
        raise SigningProblem("may issue certificates to others, who would be trusted as well", "certificate", hint)
    add_trust(certificate)


def require_certificates(data: bytes) -> Trust:
    """Return the certificates in DATA (PEM or DER); raises SigningProblem without any, or with a private key."""
    if b"PRIVATE KEY" in data:
        raise SigningProblem("contains a private key", "certificate", "Ask for the certificate alone, never for a key.")
    read = trust.read_trust(data)
    if not read.certificates:
        raise SigningProblem(
            "contains no certificate",
            "certificate",
            "Put a list of revoked certificates (.crl) into the folder itself.",
        )
    return read
