"""Whether the JSON file of a record says what its decision gives, solved again here."""

from __future__ import annotations

from typing import Any

from dpwizard import json_text
from dpwizard.errors import DPWizardError, SigningProblem
from dpwizard.messages import Message, message
from dpwizard.records import comparison, is_record, record
from dpwizard.signing.findings import Finding, Verification

TITLE = "Every number and sentence follows from the decision"
HINT = "Ask for a record as the program makes it; or make a new record."


def with_comparison(found: Verification, json_bytes: bytes | None) -> Verification:
    """Return FOUND with what is said of whether every member of the record in JSON_BYTES follows from its decision.

    A record that differs is refused. One made by another version of this program, or on another platform, may differ
    for that reason: then nothing is determined.
    """
    if not found.ok or json_bytes is None:
        return found
    try:
        raw = json_text.parse(json_bytes)
        if not is_record(raw):
            return found
        differences = comparison.replay(raw)
    except DPWizardError:
        return found  # what cannot be read is said by the other checks
    if not differences:
        return _with(found, True)
    if _made_elsewhere(raw):
        why = message(
            "another version or platform made the record, and here its decision gives something else at {where}",
            where=differences[0].where,
        )
        return _with(found, None, why).model_copy(update={"open": (*found.open, why)})
    why = _why(differences)
    refused = message("Unchanged since signing, but refused: {reason}.", reason=why)
    return _with(found, False, why).model_copy(update={"verdict": "refused", "ok": False, "sentence": refused})


def require_honest(raw: dict[str, Any]) -> None:
    """Raise SigningProblem where the record RAW says something else than its decision gives: nobody signs that."""
    differences = comparison.false_claims(raw)
    if differences:
        raise SigningProblem(_why(differences), differences[0].where, HINT)


def _why(differences: tuple[comparison.Difference, ...]) -> Message:
    return message("the record says something else than its decision gives, at {where}", where=differences[0].where)


def _made_elsewhere(raw: dict[str, Any]) -> bool:
    """Return whether the record RAW says that another version, other libraries or another platform made it."""
    return (raw.get("program"), raw.get("platform")) != (record.program(), record.platform_here())


def _with(found: Verification, ok: bool | None, why: str = "") -> Verification:
    finding = Finding(check="follows", title=TITLE, ok=ok, why=why)
    return found.model_copy(update={"findings": (*found.findings, finding)})
