"""Who must still sign a record: the roles its policy names, each by somebody else and in order, and an exception's second person.

A signature chain can show that a record is as it was signed; whether everyone has signed who must is asked here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from dpwizard import json_text
from dpwizard.decision import read_decision
from dpwizard.errors import DPWizardError
from dpwizard.policy import APPROVALS, PolicyFile, breaches
from dpwizard.signatures.verification import APPROVES, PROPOSES, Finding, Signer, Verification

__all__ = ["SIGNATURE_CHECKS", "with_required"]

SIGNATURE_CHECKS = {
    "roles": "Everyone who must sign has signed",
    "order": "Whoever approves or advises signed after the proposal",
    "second": "The exception is signed by two different people",
    "policy": "The record was made under this policy",
    "kept": "The decision keeps this policy",
    "form": "The JSON file can be read in one way only",
}
AFTER = (APPROVES, "data_protection_officer")  # the roles that speak of what was proposed
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
        yield _finding("roles", *_of_roles(tuple(dict.fromkeys(roles)), carrying))
    late = _before_the_proposal(carrying)
    if late is not None:
        names = _named(late)
        yield _finding("order", not late, f"a signature after the proposal is still missing in the role of: {names}; it was given before")
    if approving and _within(raw, "assessment", "inside") is False:
        people = {signer.certificate.fingerprint for signer in carrying}
        enough = len(people) > 1
        yield _finding("second", enough, "epsilon is an exception, and the second signature it needs is still missing")
    if policy is not None:
        yield from _of_policy(raw, policy)


def _of_roles(roles: tuple[str, ...], signers: tuple[Signer, ...]) -> tuple[bool, str]:
    """Return whether each of ROLES is filled by a certificate of its own, and what is missing."""
    able = {role: dict.fromkeys(signer.certificate.fingerprint for signer in signers if signer.role == role) for role in roles}
    filled: dict[str, str] = {}  # certificate: the one role it counts for

    def find(role: str, asked: set[str]) -> bool:
        """Fill ROLE, moving those who can fill another one as well (augmenting paths of a bipartite matching)."""
        for certificate in able[role]:
            if certificate not in asked:
                asked.add(certificate)
                if certificate not in filled or find(filled[certificate], asked):
                    filled[certificate] = role
                    return True
        return False

    open_roles = [role for role in roles if not find(role, set())]
    missing, shared = [role for role in open_roles if not able[role]], [role for role in open_roles if able[role]]
    said = []
    if missing:
        names = _named(missing)
        said.append(f"a signature is still missing in the role of: {names}")
    if shared:
        names = _named(shared)
        said.append(f"a signature with a certificate of its own is still missing in the role of: {names}")
    return not open_roles, "; ".join(said)


def _before_the_proposal(signers: tuple[Signer, ...]) -> list[str] | None:
    """Return the roles that only signed before anybody proposed; None where there is no order to speak of."""
    proposed = next((signer.position for signer in signers if signer.role == PROPOSES), None)
    last = {signer.role: signer.position for signer in signers if signer.role in AFTER}
    return None if proposed is None or not last else [role for role in AFTER if last.get(role, proposed) < proposed]


def _named(roles: list[str]) -> str:
    return ", ".join(role.replace("_", " ") for role in roles)


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
