"""Records made before version 1.0: they open as decisions, and only the hashes in their signatures are compared."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from dpwizard.base.errors import DPWizardError
from dpwizard.base.messages import message
from dpwizard.base.values import LongText, ShortText, Value, Whole
from dpwizard.signing import findings, store
from dpwizard.signing.findings import Findings, Verification
from dpwizard.signing.signature import Digest, Moment, read_signed, sha256_of
from dpwizard.signing.store import RecordFiles

KINDS = ("dpwizard-signature/2", "dpwizard-signature/1")


class EarlierLine(Value):
    """What one line of NAME.json.jws states."""

    role: ShortText
    verdict: ShortText
    comment: LongText
    conditions: Annotated[tuple[LongText, ...], Field(max_length=100)]
    time: Moment
    time_source: ShortText
    json_sha256: Digest
    pdf_sha256: Digest
    pdf_bytes: Whole
    previous: Digest | None


def verified(place: RecordFiles) -> Verification | None:
    """Return what the hashes say of a record made before version 1.0 at PLACE; None where none is there."""
    signatures = store.read(place.before_1_0)
    if signatures is None:
        return None
    found = Findings()
    json_bytes, pdf = store.read(place.json), store.read(place.pdf)
    try:
        lines = [_read(text) for text in signatures.decode("ascii", "replace").splitlines()]
    except DPWizardError as problem:
        found.add("line", False, message("a signature {what}", what=problem.message))
        return findings.concluded(found, signed=True)
    for position, line in enumerate(lines):
        if json_bytes is not None:
            changed = message("the JSON file was changed after signature {number}", number=position + 1)
            found.add("same_json", line.json_sha256 == sha256_of(json_bytes), changed, signer=position)
        if pdf is not None:
            same = line.pdf_sha256 == sha256_of(pdf[: line.pdf_bytes])
            found.add("pdf", same, message("the PDF is not the one that was signed"), signer=position)
    why = message("it was made before version 1.0: only hashes were compared")
    found.add("pages", None, why, remedy=message("Make and sign it again from its decision."))
    found.json_sha256 = None if json_bytes is None else sha256_of(json_bytes)
    return findings.concluded(found, signed=bool(lines))


def _read(text: str) -> EarlierLine:
    try:
        return read_signed(text, EarlierLine, KINDS[0])[0]
    except DPWizardError:
        return read_signed(text, EarlierLine, KINDS[1])[0]
