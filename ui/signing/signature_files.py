"""The key files (.p12) in the folder of the person at this computer."""

from __future__ import annotations

import re
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dpwizard.base import files
from dpwizard.base.errors import DPWizardError
from dpwizard.signing import certificates, office


@dataclass(frozen=True)
class SignatureFile:
    """A signature file, and what the certificate beside it says of its holder."""

    place: str
    name: str = ""
    fingerprint: str = ""


def own_folder() -> Path | None:
    """Return the folder in which the signature files of this user lie, there or not; None for one without a home."""
    trusted = office.user_trust()
    return None if trusted is None else trusted.with_name("keys")


def own_files() -> tuple[SignatureFile, ...]:
    """Return every signature file in the own folder, the newest first."""
    folder, there = own_folder(), list[tuple[float, Path]]()
    for path in () if folder is None else folder.glob("*.p12"):
        with suppress(OSError):  # it went meanwhile
            there.append((path.stat().st_mtime, path))
    return tuple(_described(path) for _, path in sorted(there, reverse=True))


def _described(path: Path) -> SignatureFile:
    try:
        der, *_ = office.require_certificates(files.read_bytes(path.with_suffix(".crt"))).certificates
        holder = certificates.describe(der)
    except DPWizardError:
        return SignatureFile(str(path))
    return SignatureFile(str(path), certificates.printable(holder.name), holder.fingerprint)


def offered(there: tuple[SignatureFile, ...], signed: Collection[str], name: str) -> SignatureFile | None:
    """Return which of those THERE is offered: none that SIGNED in another role, that of NAME before others."""
    free = [file for file in there if file.fingerprint not in signed]
    return next((file for file in free if name and file.name == name), next(iter(free), None))


def free_place(name: str) -> Path | None:
    """Return where a new signature file of NAME goes in the own folder; None for a user without one."""
    folder = own_folder()
    called = re.sub(r"[^\w-]+", "-", name).strip("-").lower() or "signature"
    number = 1
    while folder is not None:
        place = folder / (f"{called}-{number}.p12" if number > 1 else f"{called}.p12")
        if not files.is_there(place) and not files.is_there(place.with_suffix(".crt")):
            return place
        number += 1
    return None
