"""What an office has placed in a folder for everybody on a computer: policies, trusted people, a log of signatures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dpwizard import files
from dpwizard.errors import SigningProblem
from dpwizard.records import PolicyFile
from dpwizard.records import policy as policies
from dpwizard.signing import certificates, policy_signature
from dpwizard.signing.certificates import Trust

LOG = "signatures.log"
CERTIFICATES = (".pem", ".crt", ".cer", ".der")
REVOKED = (".crl",)


def policy_in(folder: Path) -> Path | None:
    """Return where the policy lies in FOLDER; None where there is none.

    One that cannot be reached counts as placed: whoever reads it is told why it cannot be, and nothing is signed.
    """
    placed = folder / "policy.toml"
    return placed if files.may_be_there(placed) and not files.is_folder(placed) else None


def log_in(folder: Path) -> Path | None:
    """Return the log in FOLDER in which every signature made here is noted; None where there is none."""
    return folder / LOG if files.is_file(folder / LOG) else None


def log_for(policy: Path | None, folder: Path) -> Path | None:
    """Return the log of signatures beside the POLICY file, else the one in FOLDER; None where there is none."""
    beside = None if policy is None else log_in(policy.parent)
    return beside if beside is not None else log_in(folder)


def read_policy(path: Path, trusted: Iterable[Path] = ()) -> PolicyFile:
    """Return the policy in the file PATH, with who signed it; its signature is judged by the certificates TRUSTED.

    Raises FileProblem and InvalidInput in words; SigningProblem where it counts only when signed and is not, or where
    a signature beside it does not hold.
    """
    found = policies.read_policy(files.read_bytes(path), str(path))
    beside = policy_signature.beside(path)
    line = files.read_bytes(beside) if files.is_there(beside) else None
    if line is None and not found.policy.signed:
        return found
    return policy_signature.checked(found, line, read_trust(trusted), str(path))


def read_trust(places: Iterable[Path]) -> Trust:
    """Return the certificates in PLACES, files or folders; raises FileProblem and SigningProblem in words."""
    found: list[bytes] = []
    revoked: list[bytes] = []
    for path in (path for place in places for path in certificates_in(place)):
        try:
            read = certificates.read_trust(files=(files.read_bytes(path),))
            found += read.certificates
            revoked += read.revoked
        except SigningProblem as problem:
            raise SigningProblem(problem.message, str(path), problem.hint) from None
    return certificates.Trust(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(revoked)))


def certificates_in(path: Path) -> list[Path]:
    """Return the files of certificates and of revocation lists in the folder PATH by name, or that file."""
    return (
        sorted(p for p in path.iterdir() if p.suffix in (*CERTIFICATES, *REVOKED)) if files.is_folder(path) else [path]
    )


def placed_policy(folder: Path) -> PolicyFile | None:
    """Return the policy placed in FOLDER; None where there is none, and raises as `read_policy`."""
    placed = policy_in(folder)
    return None if placed is None else read_policy(placed, _trust_in(folder))


def policy_for(raw: Any, folder: Path) -> PolicyFile | None:
    """Return the policy in FOLDER for the record RAW: the placed one, or the earlier one that it names.

    Earlier policies lie in the folder `policies` inside it; which of them still count is for the office to say by
    keeping them there.
    """
    placed = placed_policy(folder)
    stated = raw.get("policy") if isinstance(raw, dict) else None
    digest = stated.get("sha256") if isinstance(stated, dict) else None
    if (placed is not None and placed.sha256 == digest) or not files.is_folder(folder / "policies"):
        return placed
    earlier = (read_policy(path, _trust_in(folder)) for path in sorted((folder / "policies").glob("*.toml")))
    return next((found for found in earlier if found.sha256 == digest), placed)


def _trust_in(folder: Path) -> tuple[Path, ...]:
    return (folder / "trust",) if files.is_folder(folder / "trust") else ()
