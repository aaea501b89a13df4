"""Who must still sign: the roles a policy names, each by somebody else, in order, and an exception's second person.

A signature chain can show that a record is as it was signed; whether everyone has signed who must is asked here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, TypeAlias

from dpwizard import json_text
from dpwizard.decision import Decision, assess, read_decision
from dpwizard.errors import DPWizardError, SigningProblem
from dpwizard.messages import NO_MESSAGE, Message, joined, listed, message, verbatim
from dpwizard.records import APPROVALS, PolicyFile, breaches, comparison, corrections, record
from dpwizard.records import policy as policies
from dpwizard.signing.certificates import Certificate, printable
from dpwizard.signing.findings import Finding, Signer, Verification
from dpwizard.signing.json_signature import read_line, split_lines
from dpwizard.signing.people import BORROWED, persons
from dpwizard.signing.verification import AGAINST, APPROVES, PROPOSES

SIGNATURE_CHECKS = {
    "roles": "Everyone who must sign has signed",
    "order": "Whoever approves or advises signed after the proposal",
    "claimed": "Everyone has signed whom the record itself names",
    "solved": "The decision solved anew says what the record says",
    "against": "Nobody trusted here speaks against it",
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
LONGEST = 200  # characters of a policy's name that a record claims
Signers: TypeAlias = Sequence[Signer]
AFTER = (APPROVES, "data_protection_officer")  # the roles that speak of what was proposed


def with_required(
    found: Verification, json_bytes: bytes | None, policy: PolicyFile | None = None, *, unasked: bool = False
) -> Verification:
    """Return FOUND with what is said about required signatures and about POLICY, where there is one.

    Arguments: found, the judgement of the files; json_bytes, those of the JSON file or of the one attached in the
    PDF (None: nothing can be said); unasked, whether nobody named POLICY and the office has placed it here. `awaited`
    names what is missing or broken and `open` what cannot be determined here; the verdict, which speaks of changes and
    of trust, stays, but for JSON that can be read in more than one way: that is refused.
    """
    if not found.ok:
        return found
    if json_bytes is None:
        return found.model_copy(update={"open": (*found.open, message("the JSON file cannot be read"))})
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
        return found.model_copy(update={"open": (*found.open, message("the JSON file holds no record"))})
    more = tuple(_findings(raw, found.signers, policy, unasked))
    return found.model_copy(
        update={
            "findings": (*found.findings, *more),
            "awaited": tuple(item.why for item in more if item.ok is False),
            "open": (*found.open, *(item.why for item in more if item.ok is None)),
        }
    )


def require_policy(raw: dict[str, Any], policy: PolicyFile, role: str, certificate: Certificate) -> None:
    """Raise where the decision in the record RAW, solved anew, breaks POLICY, or CERTIFICATE may not sign as ROLE.

    Raises InvalidInput with the first breach, SigningProblem where the policy binds the role to other certificates.
    """
    require_role(policy, role, certificate)
    decision = read_decision(raw.get("decision"), "$.decision")
    policies.require_kept(policy, decision, _inside(raw, decision)[0], _left_out(raw))


def require_role(policy: PolicyFile, role: str, certificate: Certificate) -> None:
    """Raise SigningProblem where POLICY binds ROLE to other certificates than CERTIFICATE."""
    if not _named_for(policy, role, certificate):
        raise SigningProblem(
            message(
                'the policy "{name}" names other certificates for the role of: {role}',
                name=policy.policy.name,
                role=_named([role]),
            ),
            "role",
            "Sign in another role, or have the office add your certificate to its policy.",
        )


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
    """Return those of ROLES still to sign; SIGNED are the role and the person of each signature so far."""
    able: dict[str, list[str]] = {}
    for role, person in signed:
        able.setdefault(role, []).append(person)
    return _unfilled(tuple(dict.fromkeys(roles)), able)


def _findings(
    raw: dict[str, Any], signers: tuple[Signer, ...], policy: PolicyFile | None, unasked: bool
) -> Iterator[Finding]:
    approving = _within(raw, "decision", "outcome") in APPROVALS
    people = persons(signer.certificate for signer in signers)
    carrying = [signer for signer in signers if not approving or carries(signer.role, signer.verdict)]
    able = [signer for signer in carrying if signer.standing != BORROWED]
    if policy is not None:  # under a policy only people trusted here count; whether others would is not known here
        able = [signer for signer in able if _named_for(policy, signer.role, signer.certificate)]
    sure = able if policy is None else [signer for signer in able if signer.trusted]
    if policy is not None and policy.policy.roles:
        yield _of_trust("roles", sure, able, partial(_of_roles, policy, people))
    stated = _within(raw, "policy", "roles") or ()
    claimed = tuple(role for role in stated if isinstance(role, str)) if isinstance(stated, list) else ()
    if policy is None and claimed:
        yield _finding("claimed", *_filled(claimed, able, people))
    against = _against(signers, people) if approving else ()
    if against:
        names = listed([message("{name} ({role})", name=s.name, role=_named([s.role])) for s in against])
        yield _finding("against", False, message("the approval is spoken against by {names}", names=names))
    late = _before_the_proposal(able)
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
    try:
        decision = read_decision(raw.get("decision"), "$.decision")
    except DPWizardError as problem:
        why = message("the decision cannot be read: {reason}", reason=problem.message)
        yield _finding("solved", None, why) if policy is None else _finding("kept", False, why)
        return
    inside, unsolved = _inside(raw, decision) if approving else (None, NO_MESSAGE)
    if approving and unsolved:
        yield _finding("solved", None, unsolved)
    if inside is False:
        yield _of_trust("second", sure, able, partial(_of_second, people))
    if policy is not None:
        yield from _of_policy(raw, policy, decision, inside, unasked)
    elif _within(raw, "policy", "sha256"):
        name = printable(str(_within(raw, "policy", "name")), LONGEST)
        why = message("not checked against a policy: the one the record names, {name}, is not at hand", name=name)
        yield _finding("policy", None, why)


def _of_trust(check: str, sure: Signers, able: Signers, asked: Callable[[Signers], tuple[bool, str]]) -> Finding:
    """Return what is found of SURE, those trusted here; nothing is determined where it takes others who are ABLE."""
    if asked(sure)[0]:
        return _finding(check, True, "")
    met, why = asked(able)
    if not met:
        return _finding(check, False, why)
    names = listed(list(dict.fromkeys(signer.name for signer in able if not signer.trusted)))
    return _finding(
        check, None, message("signatures that are needed are not trusted here: those of {names}", names=names)
    )


def _of_second(people: Mapping[str, str], signers: Signers) -> tuple[bool, str]:
    enough = len({people[signer.certificate.fingerprint] for signer in signers}) > 1
    return enough, "epsilon is an exception, and the second signature it needs is still missing"


def _named_for(policy: PolicyFile, role: str, certificate: Certificate) -> bool:
    named = policy.policy.bound(role)
    return named is None or certificate.fingerprint in named


def _inside(raw: dict[str, Any], decision: Decision) -> tuple[bool | None, Message]:
    """Return whether epsilon lies inside, solved anew: what the record says of it is a claim.

    None where there is no window, and with a reason where it cannot be said. A record that calls its own epsilon an
    exception is believed; so is a public edition that leaves out what it would take to solve it.
    """
    stated = _within(raw, "assessment", "inside")
    try:
        solved = assess(decision).inside
        if solved is not False:
            return (stated, NO_MESSAGE) if stated is False else (solved, NO_MESSAGE)
        rests = stated is not False and corrections.judged(raw, comparison.replay(raw)).whole
    except DPWizardError as problem:
        return None, message("the decision cannot be solved again: {reason}", reason=problem.message)
    if rests:
        return None, message(
            "the record rests on a limit that this program has corrected since: epsilon lies outside today's window"
        )
    return False, NO_MESSAGE


def _against(signers: Signers, people: Mapping[str, str]) -> tuple[Signer, ...]:
    """Return the people trusted here whose last signature in a role speaks against the approval: it still stands."""
    last = {(people[signer.certificate.fingerprint], signer.role): signer for signer in signers if signer.trusted}
    return tuple(signer for signer in last.values() if signer.verdict in AGAINST)


def carries(role: str, verdict: str) -> bool:
    """Return whether a signature carries an approval: by its verdict, or without one if its role asks for none."""
    return verdict in APPROVALS or (verdict == NO_VERDICT and role != APPROVES)


def _of_roles(policy: PolicyFile, people: Mapping[str, str], signers: Signers) -> tuple[bool, str]:
    """Return whether each role of POLICY is filled by a person of its own, and what is missing."""
    roles = policy.policy.roles
    bound = tuple(role for role in roles if policy.policy.bound(role) is not None)
    signed = {signer.role for signer in signers}
    strangers = [role for role in dict.fromkeys(bound) if role not in signed]
    met, why = _filled(tuple(role for role in roles if role not in strangers), signers, people)
    if not strangers:
        return met, why
    names = _named(strangers)
    unnamed = message("a signature of a person the policy names is still missing in the role of: {names}", names=names)
    return False, unnamed if met else joined((why, unnamed), "; ")


def _filled(roles: tuple[str, ...], signers: Signers, people: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether each of ROLES is filled by a person of its own, and what is missing; PEOPLE says who is one."""
    able = {role: [people[s.certificate.fingerprint] for s in signers if s.role == role] for role in roles}
    still = _unfilled(tuple(dict.fromkeys(roles)), able)
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
    """Return those of ROLES that no person of its own fills; ABLE are the people who signed in each."""
    filled: dict[str, str] = {}  # a person: the one role that counts

    def find(role: str, asked: set[str]) -> bool:
        """Fill ROLE, moving those who can fill another one as well (augmenting paths of a bipartite matching)."""
        for person in able.get(role, ()):
            if person not in asked:
                asked.add(person)
                if person not in filled or find(filled[person], asked):
                    filled[person] = role
                    return True
        return False

    return tuple(role for role in roles if not find(role, set()))


def _before_the_proposal(signers: Signers) -> list[str] | None:
    """Return the roles that only signed before anybody proposed; None where there is no order to speak of."""
    proposed = next((signer.position for signer in signers if signer.role == PROPOSES), None)
    last = {signer.role: signer.position for signer in signers if signer.role in AFTER}
    return None if proposed is None or not last else [role for role in AFTER if last.get(role, proposed) < proposed]


def _named(roles: list[str]) -> Message:
    """Return ROLES as they are called; one that an office made up as it calls it."""
    return joined([ROLES.get(role) or verbatim(printable(role).replace("_", " ")) for role in roles], ", ")


def _of_policy(
    raw: dict[str, Any], policy: PolicyFile, decision: Decision, inside: bool | None, unasked: bool
) -> Iterator[Finding]:
    name = policy.policy.name
    stated = _within(raw, "policy", "sha256")
    other = printable(str(_within(raw, "policy", "name")), LONGEST)
    if stated == policy.sha256:
        yield _finding("policy", True, "")
    elif not unasked:
        why = (
            message('the record was made under another policy, "{name}"', name=other)
            if stated
            else message('the record names no policy, and was judged by "{name}"', name=name)
        )
        yield _finding("policy", False, why)
    elif stated:  # nobody asked for the office's policy; the one the record names is asked for, and not here
        why = message(
            'judged by the policy of the office, "{name}": the one it names, {other}, is not at hand',
            name=name,
            other=other,
        )
        yield _finding("policy", None, why)
    broken, untold = (
        breaches(policy.policy, decision, inside, _left_out(raw)),
        policies.asked_of(policy.policy, _left_out(raw)),
    )
    if broken or not untold:
        yield _finding("kept", not broken, joined([joined((breach.where, breach.message)) for breach in broken], "; "))
        return
    yield _finding("kept", None, "a public edition leaves out what the policy asks for")


def _left_out(raw: dict[str, Any]) -> tuple[str, ...]:
    """Return the paths that a public edition says it leaves out."""
    told = raw.get("left_out")
    items = told if isinstance(told, list) and raw.get("edition") == record.PUBLIC else ()
    return tuple(str(item.get("where")) for item in items if isinstance(item, dict))


def _finding(check: str, ok: bool | None, why: str) -> Finding:
    return Finding(check=check, title=SIGNATURE_CHECKS[check], ok=ok, why="" if ok else why)


def _within(raw: dict[str, Any], block: str, name: str) -> Any:
    found = raw.get(block)
    return found.get(name) if isinstance(found, dict) else None
