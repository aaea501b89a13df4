"""Records made before version 1.0: they open as decisions, and only the hashes in their signatures are compared."""

from __future__ import annotations

import base64
import json
from typing import Any

from dpwizard.base.messages import message
from dpwizard.signing import findings, store
from dpwizard.signing.findings import Findings, Verification
from dpwizard.signing.signature import sha256_of
from dpwizard.signing.store import RecordFiles


def verified(place: RecordFiles) -> Verification | None:
    """Return what the hashes say of a record made before version 1.0 at PLACE; None where none is there."""
    signatures = store.read(place.before_1_0)
    if signatures is None:
        return None
    found = Findings()
    json_bytes, pdf = store.read(place.json), store.read(place.pdf)
    lines = [_stated(text) for text in signatures.splitlines()]
    for position, line in enumerate(lines):
        if json_bytes is not None:
            changed = message("the JSON file was changed after signature {number}", number=position + 1)
            same = line.get("json_sha256") == sha256_of(json_bytes)
            found.add("same_json", same, changed, signer=position)
        if pdf is not None:
            length = line.get("pdf_bytes")
            same = isinstance(length, int) and line.get("pdf_sha256") == sha256_of(pdf[:length])
            found.add("pdf", same, message("the PDF is not the one that was signed"), signer=position)
    why = message("it was made before version 1.0: only hashes were compared")
    found.add("pages", None, why, remedy=message("Make and sign it again from its decision."))
    found.json_sha256 = None if json_bytes is None else sha256_of(json_bytes)
    return findings.concluded(found, signed=bool(lines))


def _stated(line: bytes) -> dict[str, Any]:
    """Return what a LINE states, whoever made it; nothing where it cannot be read."""
    try:
        payload = json.loads(base64.urlsafe_b64decode(line.split(b".")[1] + b"=="))
    except (ValueError, IndexError, RecursionError):
        return {}
    return payload if isinstance(payload, dict) else {}
