"""Who must still sign: the roles a policy names, each by somebody else, in order, and an exception's second person.

A signature chain can show that a record is as it was signed; whether everyone has signed who must is asked here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from dpwizard import json_text
from dpwizard.decision import read_decision
from dpwizard.errors import DPWizardError, SigningProblem
from dpwizard.messages import Message, joined, message, verbatim
from dpwizard.records import APPROVALS, PolicyFile, breaches
from dpwizard.signing.certificates import printable
from dpwizard.signing.findings import Finding, Signer, Verification
from dpwizard.signing.json_signature import read_line, split_lines
from dpwizard.signing.verification import APPROVES, PROPOSES

SIGNATURE_CHECKS = {
    "roles": "Everyone who must sign has signed",
    "order": "Whoever approves or advises signed after the proposal",
    "second": "The exception is signed by two different people",
    "policy": "The record was made under this policy",
    "kept": "The decision keeps this policy",
    "form": "The JSON file can be read in one way only",
}
ROLES = {
    PROPOSES: message("proposes"),
    APPROVES: message("approves"),
    "data_protection_officer": message("data protection officer"),
}
NO_VERDICT = "none"
AFTER = (APPROVES, "data_protection_officer")  # the roles that speak of what was proposed


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
    except (
        DPWizardError
    ) as problem:  # as signed, and yet two readers may read two things: a key that stands twice, for instance
        refusal = _finding("form", False, joined((message("the JSON file"), problem.message)))
        sentence = message("Unchanged since signing, but refused: {reason}.", reason=refusal.why)
        return found.model_copy(
            update={"verdict": "refused", "ok": False, "sentence": sentence, "findings": (*found.findings, refusal)}
        )
    if not isinstance(raw, dict):
        return found
    more = tuple(_findings(raw, found.signers, policy))
    awaited = tuple(item.why for item in more if item.ok is False)
    sentence = (
        joined((found.sentence, message("Not complete: {names}.", names=joined(awaited, "; "))))
        if awaited
        else found.sentence
    )
    return found.model_copy(update={"findings": (*found.findings, *more), "awaited": awaited, "sentence": sentence})


def require_order(role: str, before: str, roles: Iterable[str]) -> None:
    """Raise SigningProblem where a signature in ROLE would come out of order.

    Arguments: before, the signature file so far, and roles, those a policy asks for. Whoever approves, or advises as
    data protection officer, speaks of a proposal: where one is asked for it comes first, and none is added behind them.
    """
    signed = [read_line(line).manifest.role for line in split_lines(before)]
    if role in AFTER and PROPOSES in roles and PROPOSES not in signed:
        raise SigningProblem(
            "nobody has proposed this record yet",
            "role",
            "Have it proposed first; who approves or advises signs after.",
        )
    if role == PROPOSES and PROPOSES not in signed and any(earlier in AFTER for earlier in signed):
        hint = "Make a new record, and let the proposal be its first signature."
        raise SigningProblem("the record was approved or advised on before anybody proposed it", "role", hint)


def open_roles(roles: Sequence[str], signed: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return those of ROLES still to sign; SIGNED are the role and certificate fingerprint of each so far."""
    able: dict[str, list[str]] = {}
    for role, certificate in signed:
        able.setdefault(role, []).append(certificate)
    return _unfilled(tuple(dict.fromkeys(roles)), able)


def _findings(raw: dict[str, Any], signers: tuple[Signer, ...], policy: PolicyFile | None) -> Iterator[Finding]:
    approving = _within(raw, "decision", "outcome") in APPROVALS
    carrying = tuple(signer for signer in signers if not approving or carries(signer.role, signer.verdict))
    roles = (
        policy.policy.roles
        if policy
        else tuple(role for role in _within(raw, "policy", "roles") or () if isinstance(role, str))
    )
    if roles:
        yield _finding("roles", *_of_roles(tuple(dict.fromkeys(roles)), carrying))
    late = _before_the_proposal(carrying)
    if late is not None:
        names = _named(late)
        yield _finding(
            "order",
            not late,
            message(
                "a signature after the proposal is still missing in the role of: {names}; it was given before",
                names=names,
            ),
        )
    if approving and _within(raw, "assessment", "inside") is False:
        people = {signer.certificate.fingerprint for signer in carrying}
        enough = len(people) > 1
        yield _finding("second", enough, "epsilon is an exception, and the second signature it needs is still missing")
    if policy is not None:
        yield from _of_policy(raw, policy)


def carries(role: str, verdict: str) -> bool:
    """Return whether a signature carries an approval: by its verdict, or without one if its role asks for none."""
    return verdict in APPROVALS or (verdict == NO_VERDICT and role != APPROVES)


def _of_roles(roles: tuple[str, ...], signers: tuple[Signer, ...]) -> tuple[bool, str]:
    """Return whether each of ROLES is filled by a certificate of its own, and what is missing."""
    able = {role: [signer.certificate.fingerprint for signer in signers if signer.role == role] for role in roles}
    still = _unfilled(roles, able)
    missing, shared = [role for role in still if not able[role]], [role for role in still if able[role]]
    said = []
    if missing:
        names = _named(missing)
        said.append(message("a signature is still missing in the role of: {names}", names=names))
    if shared:
        names = _named(shared)
        said.append(
            message("a signature with a certificate of its own is still missing in the role of: {names}", names=names)
        )
    return not still, joined(said, "; ")


def _unfilled(roles: tuple[str, ...], able: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return those of ROLES that no certificate of its own fills; ABLE are the certificates that signed in each."""
    filled: dict[str, str] = {}  # certificate: the one role it counts for

    def find(role: str, asked: set[str]) -> bool:
        """Fill ROLE, moving those who can fill another one as well (augmenting paths of a bipartite matching)."""
        for certificate in able.get(role, ()):
            if certificate not in asked:
                asked.add(certificate)
                if certificate not in filled or find(filled[certificate], asked):
                    filled[certificate] = role
                    return True
        return False

    return tuple(role for role in roles if not find(role, set()))


def _before_the_proposal(signers: tuple[Signer, ...]) -> list[str] | None:
    """Return the roles that only signed before anybody proposed; None where there is no order to speak of."""
    proposed = next((signer.position for signer in signers if signer.role == PROPOSES), None)
    last = {signer.role: signer.position for signer in signers if signer.role in AFTER}
    return None if proposed is None or not last else [role for role in AFTER if last.get(role, proposed) < proposed]


def _named(roles: list[str]) -> Message:
    """Return ROLES as they are called; one that an office made up as it calls it."""
    return joined([ROLES.get(role) or verbatim(printable(role).replace("_", " ")) for role in roles], ", ")


def _of_policy(raw: dict[str, Any], policy: PolicyFile) -> Iterator[Finding]:
    name = policy.policy.name
    stated = _within(raw, "policy", "sha256")
    other = _within(raw, "policy", "name")
    why = (
        message('the record was made under another policy, "{name}"', name=other)
        if stated
        else message('the record names no policy, and was judged by "{name}"', name=name)
    )
    yield _finding("policy", stated == policy.sha256, why)
    try:
        decision = read_decision(raw.get("decision"), "$.decision")
    except DPWizardError as problem:
        yield _finding("kept", False, message("the decision cannot be read: {reason}", reason=problem.message))
        return
    if raw.get("edition") == "public":
        yield Finding(
            check="kept",
            title=SIGNATURE_CHECKS["kept"],
            ok=None,
            why="not checked: a public edition leaves out what a policy asks for",
        )
        return
    broken = breaches(policy.policy, decision, _within(raw, "assessment", "inside"))
    yield _finding("kept", not broken, joined([joined((breach.where, breach.message)) for breach in broken], "; "))


def _finding(check: str, ok: bool, why: str) -> Finding:
    return Finding(check=check, title=SIGNATURE_CHECKS[check], ok=ok, why="" if ok else why)


def _within(raw: dict[str, Any], block: str, name: str) -> Any:
    found = raw.get(block)
    return found.get(name) if isinstance(found, dict) else None
