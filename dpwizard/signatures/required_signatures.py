"""Who must still sign a record: the roles its policy names, and the second person that an exception needs.

A signature chain can show that a record is as it was signed; whether everyone has signed who must is asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpwizard import json_text
from dpwizard.decision import read_decision
from dpwizard.errors import DPWizardError
from dpwizard.policy import APPROVALS, PolicyFile, breaches
from dpwizard.signatures.verification import Finding, Signer, Verification

__all__ = ["SIGNATURE_CHECKS", "with_required"]

SIGNATURE_CHECKS = {
    "roles": "Everyone who must sign has signed",
    "second": "The exception is signed by two different people",
    "policy": "The record was made under this policy",
    "kept": "The decision keeps this policy",
    "form": "The JSON file can be read in one way only",
}
AGAINST = ("reject", "refer")  # a signature with this verdict does not carry an approval


def with_required(found: Verification, json_bytes: bytes | None, policy: PolicyFile | None = None) -> Verification:
    """Return FOUND with what is said about required signatures and about POLICY, where one is given.

    Arguments: found, the judgement of the files; json_bytes, those of the JSON file or of the one attached in the
    PDF (None: nothing can be said). `awaited` names what is missing, and the sentence says so; the verdict, which
    speaks of changes and of trust, stays, but for JSON that can be read in more than one way: that is refused.
    """
    if not found.ok or json_bytes is None:
        return found
    try:
        raw = json_text.parse(json_bytes)
    except DPWizardError as problem:  # as signed, and yet two readers may read two things: a key that stands twice, for instance
        refusal = _finding("form", False, f"the JSON file {problem.message}")
        sentence = f"Unchanged since signing, but refused: {refusal.why}."
        return found.model_copy(update={"verdict": "refused", "ok": False, "sentence": sentence, "findings": (*found.findings, refusal)})
    if not isinstance(raw, dict):
        return found
    more = tuple(_findings(raw, found.signers, policy))
    awaited = tuple(item.why for item in more if item.ok is False)
    sentence = f"{found.sentence} Not complete: {'; '.join(awaited)}." if awaited else found.sentence
    return found.model_copy(update={"findings": (*found.findings, *more), "awaited": awaited, "sentence": sentence})


def _findings(raw: dict[str, Any], signers: tuple[Signer, ...], policy: PolicyFile | None) -> Iterator[Finding]:
    approving = _within(raw, "decision", "outcome") in APPROVALS
    carrying = tuple(signer for signer in signers if not (approving and signer.verdict in AGAINST))
    roles = policy.policy.roles if policy else tuple(role for role in _within(raw, "policy", "roles") or () if isinstance(role, str))
    if roles:
        missing = [role for role in dict.fromkeys(roles) if role not in {signer.role for signer in carrying}]
        names = ", ".join(role.replace("_", " ") for role in missing)
        yield _finding("roles", not missing, f"a signature is still missing in the role of: {names}")
    if approving and _within(raw, "assessment", "inside") is False:
        people = {signer.certificate.fingerprint for signer in carrying}
        enough = len(people) > 1
        yield _finding("second", enough, "epsilon is an exception, and the second signature it needs is still missing")
    if policy is not None:
        yield from _of_policy(raw, policy)


def _of_policy(raw: dict[str, Any], policy: PolicyFile) -> Iterator[Finding]:
    name = policy.policy.name
    stated = _within(raw, "policy", "sha256")
    other = _within(raw, "policy", "name")
    why = f'the record was made under another policy, "{other}"' if stated else f'the record names no policy, and was judged by "{name}"'
    yield _finding("policy", stated == policy.sha256, why)
    try:
        decision = read_decision(raw.get("decision"), "$.decision")
    except DPWizardError as problem:
        yield _finding("kept", False, f"the decision cannot be read: {problem.message}")
        return
    if raw.get("edition") == "public":
        yield Finding(
            check="kept", title=SIGNATURE_CHECKS["kept"], ok=None, why="not checked: a public edition leaves out what a policy asks for"
        )
        return
    broken = breaches(policy.policy, decision, _within(raw, "assessment", "inside"))
    yield _finding("kept", not broken, "; ".join(f"{breach.where} {breach.message}" for breach in broken))


def _finding(check: str, ok: bool, why: str) -> Finding:
    return Finding(check=check, title=SIGNATURE_CHECKS[check], ok=ok, why="" if ok else why)


def _within(raw: dict[str, Any], block: str, name: str) -> Any:
    found = raw.get(block)
    return found.get(name) if isinstance(found, dict) else None
