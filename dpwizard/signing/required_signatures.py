"""Who must sign, as what, and under which policy: the last checks of a record that is unchanged.

Every number of the record was found to follow from its decision before, so its assessment is used as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from functools import partial

from dpwizard.base.errors import InvalidInput, SigningProblem
from dpwizard.base.messages import Message, joined, listed, message, verbatim
from dpwizard.records import APPROVALS, PolicyFile, Record, breaches, check_outcome
from dpwizard.records import policy as policies
from dpwizard.signing.certificates import Certificate, printable
from dpwizard.signing.findings import AGAINST, Findings, Signer, Verification, role_name
from dpwizard.signing.people import BORROWED, persons
from dpwizard.signing.signature import APPROVES, OFFICER, PROPOSES, ROLES, VOUCHES, WITH_CONDITIONS, Signature

AFTER = (APPROVES, OFFICER)  # the roles that speak of what was proposed
WITHOUT_VERDICT = ("propose", "none")
LONGEST = 200  # characters of a policy's name that a record claims
ONE_PERSON = message("the same person proposes and approves")
SIGN = message("Have it signed in that role.")
GIVE_POLICY = message("Give the policy that the record names.")


def check(
    record: Record, signers: tuple[Signer, ...], policy: PolicyFile | None, *, named: bool, results: Findings
) -> None:
    """Note in RESULTS who must still sign RECORD and whether it keeps POLICY, which was NAMED or is the office's.

    A signer who bears the name of somebody trusted neither helps nor hinders.
    """
    signers = tuple(signer for signer in signers if signer.standing != BORROWED)
    people = persons(signer.certificate for signer in signers)
    _check_roles(record, signers, policy, results)
    proposers, approvers = (
        {people[s.certificate.fingerprint] for s in signers if s.role == role} for role in ROLES[:2]
    )
    results.add("people", not proposers & approvers, ONE_PERSON, remedy=message("Have someone else approve it."))
    approving = record.decision.outcome in APPROVALS
    able = _carrying(signers, people, approving)
    if policy is not None:
        able = [signer for signer in able if _lets_sign(policy, signer)]
    sure = able if policy is None else [signer for signer in able if signer.trusted]
    claimed = () if record.policy is None else record.policy.roles  # that its policy asks for, as the record says
    roles = claimed if policy is None else policy.policy.roles
    if roles:
        _of_trust("roles", sure, able, partial(_filled, roles, people), results)
    _check_against(signers, people, AGAINST if approving else ("withdraw",), results)
    if approving:
        _check_conditions(able, people, results)
    _check_order(able, results)
    if approving and record.assessment.inside is False:
        _of_trust("second", sure, able, partial(_by_two, people), results)
    _check_policy(record, policy, named=named, results=results)
    _check_complete(record, results)


def require_policy(record: Record, policy: PolicyFile | None, role: str, certificate: Certificate) -> None:
    """Raise InvalidInput with the first breach where RECORD breaks POLICY, and what `require_role` raises."""
    require_role(policy, role, certificate)
    if policy is not None:
        public = record.public is not None
        policies.require_kept(policy, record.decision, record.assessment.inside, public=public)


def require_role(policy: PolicyFile | None, role: str, certificate: Certificate) -> None:
    """Raise SigningProblem where nobody knows ROLE, or POLICY binds it to other certificates than CERTIFICATE."""
    if role not in _known_roles(policy):
        raise SigningProblem(
            message("is not a role of the program or the policy: {role}", role=printable(role)),
            "role",
            message("Choose one of: {roles}.", roles=", ".join(sorted(_known_roles(policy)))),
        )
    if policy is not None and not policy.lets_sign(role, certificate.fingerprint):
        named = {"name": policy.policy.name, "role": role_name(role)}
        why = message('the policy "{name}" names other certificates for the role of: {role}', **named)
        hint = "Sign in another role, or have the office add your certificate to its policy."
        raise SigningProblem(why, "role", hint)


def require_order(role: str, before: Sequence[Signature], roles: Iterable[str]) -> None:
    """Raise SigningProblem where a signature in ROLE would come out of order.

    Arguments: before, the signatures so far, and roles, those a policy asks for. Whoever approves, or advises as data
    protection officer, speaks of a proposal: where one is asked for it comes first, and none is added behind them.
    """
    signed = [signature.line.role for signature in before]
    if role in AFTER and PROPOSES in roles and PROPOSES not in signed:
        raise SigningProblem(
            "nobody has proposed this record yet",
            "role",
            "Have it proposed first. Those who approve or advise sign after that.",
        )
    if role == PROPOSES and PROPOSES not in signed and any(earlier in AFTER for earlier in signed):
        hint = "Make a new record, and let the proposal be its first signature."
        raise SigningProblem("the record was approved or advised on before anyone proposed it", "role", hint)


def open_roles(roles: Sequence[str], signed: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """Return those of ROLES still to sign; SIGNED are the role and the person of each signature so far."""
    able: dict[str, list[str]] = {}
    for role, person in signed:
        able.setdefault(role, []).append(person)
    return _unfilled(roles, able)


def approves(verdict: str, conditions: Sequence[str]) -> bool:
    """Return whether a VERDICT approves; one "with conditions" that names none is read as not given."""
    return verdict == "approve" or (verdict == WITH_CONDITIONS and any(condition.strip() for condition in conditions))


def carries(role: str, verdict: str, conditions: Sequence[str]) -> bool:
    """Return whether a signature carries an approval: by its verdict, or without one if its role asks for none."""
    if role == VOUCHES:
        return verdict == "vouch" or approves(verdict, conditions)
    return approves(verdict, conditions) or (verdict in WITHOUT_VERDICT and role != APPROVES)


def deciding(signers: Sequence[Signer], policy_of: Callable[[Signer], PolicyFile | None]) -> int:
    """Return the position of the signature with which a record was decided: the last of who approves, else the last.

    Whoever advises or vouches later does not move the time at which it was approved; nor who is not trusted here beside
    somebody who is, nor whom the POLICY_OF that time does not name for it.
    """
    approvals = [signer for signer in signers if signer.role != VOUCHES and approves(signer.verdict, signer.conditions)]
    of_the_role = [signer for signer in approvals if signer.role == APPROVES]
    allowed = [signer for signer in of_the_role if _lets_sign(policy_of(signer), signer)] or of_the_role or approvals
    trusted = [signer for signer in allowed if signer.trusted] or allowed
    return trusted[-1].position if trusted else len(signers) - 1


def _lets_sign(policy: PolicyFile | None, signer: Signer) -> bool:
    return policy is None or policy.lets_sign(signer.role, signer.certificate.fingerprint)


def approved_at(verification: Verification) -> str:
    """Return when the record was approved by its VERIFICATION; nothing where nobody approves it, or does so any more.

    Where somebody who signed is trusted here, an approval by others is none.
    """
    counting = [signer for signer in verification.signers if signer.standing != BORROWED]
    people = persons(signer.certificate for signer in counting)
    last = {people[signer.certificate.fingerprint]: signer for signer in counting if signer.role == APPROVES}
    known = any(signer.trusted for signer in counting)
    approvers = [signer for signer in last.values() if approves(signer.verdict, signer.conditions)]
    standing = [signer for signer in approvers if signer.trusted >= known]
    return standing[-1].time if standing and verification.ok and verification.outcome != "failed" else ""


# ------------------------------------------------------------------------------------- roles and people


def _known_roles(policy: PolicyFile | None) -> frozenset[str]:
    if policy is None:
        return frozenset(ROLES)
    named = (role for person in policy.policy.people for role in person.roles)
    return frozenset((*ROLES, *policy.policy.roles, *named))


def _check_roles(record: Record, signers: tuple[Signer, ...], policy: PolicyFile | None, results: Findings) -> None:
    """Note each role that nobody knows; one that only the record's own policy may name is undetermined."""
    claimed = () if policy is not None or record.policy is None else record.policy.roles
    for signer in signers:
        if signer.role in _known_roles(policy):
            continue
        why = message("the role {role} is not known", role=printable(signer.role))
        ok = None if signer.role in claimed else False
        results.add("role", ok, why, remedy=GIVE_POLICY if ok is None else SIGN, signer=signer.position)


def _carrying(signers: tuple[Signer, ...], people: Mapping[str, str], approving: bool) -> list[Signer]:
    """Return the signers who count for their role: by their last signature in it.

    Whoever vouches in another role than that, or withdraws, agrees with nothing: not with a rejection either.
    """
    last = {(people[signer.certificate.fingerprint], signer.role): signer.verdict for signer in signers}
    against = AGAINST if approving else ("withdraw",)
    standing = [s for s in signers if last[people[s.certificate.fingerprint], s.role] not in against]
    if approving:
        return [signer for signer in standing if carries(signer.role, signer.verdict, signer.conditions)]
    return [signer for signer in standing if signer.verdict != "vouch" or signer.role == VOUCHES]


def _of_trust(
    check_name: str,
    sure: Sequence[Signer],
    able: Sequence[Signer],
    requirement: Callable[[Sequence[Signer]], tuple[bool, Message]],
    results: Findings,
) -> None:
    """Note what is found of SURE, those trusted here; nothing is determined where it takes others who are ABLE."""
    if requirement(sure)[0]:
        results.add(check_name, True)
        return
    met, why = requirement(able)
    if not met:
        results.add(check_name, False, why, remedy=SIGN)
        return
    names = listed(list(dict.fromkeys(signer.name for signer in able if not signer.trusted)))
    text = message("required signatures are not trusted here: those of {names}", names=names)
    results.add(check_name, None, text, remedy=message("Trust the certificates of {names}.", names=names))


def _by_two(people: Mapping[str, str], signers: Sequence[Signer]) -> tuple[bool, Message]:
    enough = len({people[signer.certificate.fingerprint] for signer in signers if signer.role != VOUCHES}) > 1
    return enough, message("epsilon is an exception, and the required second signature is still missing")


def _filled(roles: tuple[str, ...], people: Mapping[str, str], signers: Sequence[Signer]) -> tuple[bool, Message]:
    """Return whether each of ROLES is filled by a person of its own, and what is missing; PEOPLE says who is one."""
    able = {role: [people[s.certificate.fingerprint] for s in signers if s.role == role] for role in roles}
    still = _unfilled(roles, able)
    missing, shared = [role for role in still if not able[role]], [role for role in still if able[role]]
    sentences = []
    if missing:
        sentences.append(message("a signature is still missing in the role of: {names}", names=_named(missing)))
    if shared:
        sentences.append(
            message(
                "a signature with a certificate of its own is still missing in the role of: {names}",
                names=_named(shared),
            )
        )
    return not still, joined(sentences, "; ")


def _unfilled(roles: Iterable[str], able: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
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

    return tuple(role for role in dict.fromkeys(roles) if not find(role, set()))


def _check_order(able: Sequence[Signer], results: Findings) -> None:
    """Note whether each approval or advice came after the first proposal; nothing if nobody proposes."""
    proposed = next((signer.position for signer in able if signer.role == PROPOSES), None)
    last = {signer.role: signer.position for signer in able if signer.role in AFTER}
    if proposed is None or not last:
        return
    early = [role for role in AFTER if last.get(role, proposed) < proposed]
    why = message(
        "a signature after the proposal is still missing in the role of: {names}; it was given before",
        names=_named(early),
    )
    results.add("order", not early, why, remedy=SIGN)


def _check_against(
    signers: tuple[Signer, ...], people: Mapping[str, str], verdicts: Container[str], results: Findings
) -> None:
    """Note whether the last signature of somebody trusted here speaks against the outcome, by one of VERDICTS."""
    last = {(people[s.certificate.fingerprint], s.role): s for s in signers if s.trusted}
    against = [signer for signer in last.values() if signer.verdict in verdicts]
    if against:
        why = listed([_objection(signer) for signer in against])
        withdrawn = all(signer.verdict == "withdraw" for signer in against)
        ask = (
            message("Make the record again.")
            if withdrawn
            else message("Make a new record that meets these conditions.")
        )
        results.add("against", False, why, remedy=ask)


def _objection(signer: Signer) -> Message:
    """Return who speaks against the approval, and how."""
    nouns = {PROPOSES: message("proposer"), APPROVES: message("approver")}
    who = {"name": signer.name, "role": nouns.get(signer.role) or role_name(signer.role)}
    if signer.verdict == "reject":
        return message("{name} ({role}) rejects it", **who)
    if signer.verdict == "refer":
        return message("{name} ({role}) sends it back", **who)
    return message("{name} ({role}) withdraws it", **who)


def _check_conditions(able: Sequence[Signer], people: Mapping[str, str], results: Findings) -> None:
    """Note whether the conditions of each approval are met: the person who set them approves once more."""
    last = {(people[s.certificate.fingerprint], s.role): s for s in able}
    open_ones = [s for s in last.values() if s.verdict == WITH_CONDITIONS]
    if not open_ones:
        return
    names = listed(list(dict.fromkeys(signer.name for signer in open_ones)))
    why = message("nobody has stated whether the conditions of {names} are met", names=names)
    ask = message("Once they are met, ask {names} to sign with the verdict approve.", names=names)
    results.add("conditions", None, why, remedy=ask)


def _named(roles: Sequence[str]) -> Message:
    return joined([role_name(role) for role in roles], ", ")


# ------------------------------------------------------------------------------------- the policy


def _check_complete(record: Record, results: Findings) -> None:
    """Note whether what RECORD approves may be approved: no signature makes up for what its decision lacks."""
    try:
        check_outcome(record.decision, record.assessment, public=record.public is not None)
    except InvalidInput as problem:
        why = joined((problem.where, verbatim(problem.message.removesuffix("."))), ": ")
        results.add("complete", False, why, remedy=message("Make the record again."))


def _check_policy(record: Record, policy: PolicyFile | None, *, named: bool, results: Findings) -> None:
    stated = record.policy
    other = "" if stated is None else printable(stated.name, LONGEST)
    if policy is None:
        if stated is not None:
            why = message("not checked against a policy: the one the record names, {name}, is not here", name=other)
            results.add("policy", None, why, remedy=GIVE_POLICY)
        return
    name = policy.policy.name
    if stated is not None and stated.sha256 == policy.sha256:
        why = message('the record does not state its policy correctly: the policy’s name is "{name}"', name=name)
        results.add("policy", stated == policies.named(policy), why, remedy=message("Make the record again."))
    elif named:
        why = (
            message('the record names no policy, and was checked against "{name}"', name=name)
            if stated is None
            else message('the record was made under another policy, "{name}"', name=other)
        )
        results.add("policy", False, why, remedy=GIVE_POLICY)
    elif stated is not None:
        why = message(
            'checked against the policy of the office, "{name}", that applied at the stated time; it names '
            "another, {other}",
            name=name,
            other=other,
        )
        results.add("policy", None, why, remedy=message("Make the record again under the policy that applies."))
    broken = breaches(policy.policy, record.decision, record.assessment.inside, public=record.public is not None)
    why = joined([joined((breach.where, breach.message)) for breach in broken], "; ")
    results.add("kept", not broken, why, remedy=message("Make a new record that meets the policy."))
