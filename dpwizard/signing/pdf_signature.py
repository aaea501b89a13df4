"""One signature in a PDF: PAdES B-B, added as one incremental revision that keeps PDF/A-3a and PDF/UA-1.

What keeps them: the document's metadata and version stay as they are, and the revision begins on a new line. The
time is the one stated; neither clock nor network is used.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from importlib import import_module
from typing import TYPE_CHECKING

from dpwizard.errors import FileProblem, SigningProblem
from dpwizard.signing.certificates import utc
from dpwizard.signing.pdf_container import signed_digest
from dpwizard.signing.pdf_revisions import open_pdf
from dpwizard.signing.pdf_writing import Stated, revision

if TYPE_CHECKING:
    from dpwizard.signing.identity import Identity

WRITES = ("pyhanko.sign.signers.pdf_cms", "pyhanko_certvalidator.registry")


def sign_pdf(*, pdf: bytes, identity: Identity, number: int, time: datetime, reason: str) -> bytes:
    """Return PDF with signature NUMBER (from 1) of IDENTITY added as one revision; the bytes before stay as they are.

    Arguments: time, the stated time of signing; reason, the signer's role and verdict, shown by PDF viewers.
    Raises FileProblem where the bytes are no PDF that can be signed.
    """
    before = pdf if pdf.endswith(b"\n") else pdf + b"\n"
    for name in WRITES:
        # here, not where any error is the file's: what the installation lacks is no damage to a file
        import_module(name)
    try:
        return _with_signature(before, identity, number, time, reason)
    except (SigningProblem, FileProblem):
        raise
    except Exception as problem:
        raise FileProblem(
            "cannot be signed: it is not a PDF as this program writes it", "pdf", "Typeset the record again."
        ) from problem


def _with_signature(before: bytes, identity: Identity, number: int, time: datetime, reason: str) -> bytes:
    opened = open_pdf(before)
    if number != len(opened.signatures) + 1:
        raise FileProblem("holds another number of signatures than its signature file", "pdf", "")
    stated = Stated(
        name=identity.certificate.name,
        reason=reason,
        time=utc(time),
        identifier=hashlib.sha256(before).digest()[:16],
        chain=identity.chain,
    )
    made = revision(opened.document, opened.state, len(before), number, stated)
    whole = before + made.content
    covered = hashlib.sha256(whole[: made.opened] + whole[made.closed :]).digest()
    der: bytes = signed_digest(identity, covered).dump()
    digits = der.hex().upper().encode("ascii").ljust(made.closed - made.opened - 2, b"0")
    if len(digits) != made.closed - made.opened - 2:
        raise FileProblem("has too little room for this signature", "pdf", "")
    return whole[: made.opened + 1] + digits + whole[made.closed - 1 :]
