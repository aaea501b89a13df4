"""The office's policy: one small TOML file with the conditions that a decision must meet and who must sign it.

It is read strictly, checked before a decision is signed, and named with its SHA-256 in the record.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from types import MappingProxyType
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from dpwizard.base.errors import DPWizardError, InvalidInput
from dpwizard.base.messages import Message, joined, message
from dpwizard.base.values import OpenProbability, Positive, ShortText, Value, field, refused
from dpwizard.decision import Decision, Details, NeighbouringRelation, Release, edits
from dpwizard.privacy.mechanisms import MECHANISMS, MechanismName
from dpwizard.records.record import Policy as NamedPolicy
from dpwizard.records.record import is_day
from dpwizard.records.toml_text import explained, read_toml, text_of, written

FORMAT = "dpwizard.policy/1"
APPROVALS = ("approve", "approve_with_conditions")
MOST = 100
BLOCKS: Mapping[str, type[Value]] = MappingProxyType({"details": Details, "release": Release})


def _check_path(where: str) -> str:
    try:
        steps = edits.steps(where)
    except InvalidInput:
        steps = ()
    names = [str(step) for step in steps]
    known = bool(names) and names[0] in Decision.model_fields
    if len(names) > 1 and names[0] in BLOCKS:
        known = names[1] in BLOCKS[names[0]].model_fields
    if not known:
        raise refused("range", message("must be the path of a field of a decision, for instance $.details.necessity"))
    return where


def _check_role(role: str) -> str:
    if not role.strip() or not role.isprintable():
        raise refused("range", message('must be a role on one line, for instance "approves"'))
    return role


def _check_fingerprint(text: str) -> str:
    bare = text.replace(":", "").replace(" ", "").lower()  # as openssl, browsers and this program show it
    if re.fullmatch("[0-9a-f]{64}", bare) is None:
        raise refused("range", message("must be the SHA-256 of a certificate: 64 hexadecimal digits"))
    return bare


def _check_day(text: str) -> str:
    if not is_day(text):
        raise refused("range", message("must be a day such as 2026-11-21"))
    return text


Day = Annotated[ShortText, AfterValidator(_check_day)]
Path = Annotated[ShortText, AfterValidator(_check_path)]
Role = Annotated[ShortText, AfterValidator(_check_role)]
Fingerprint = Annotated[ShortText, AfterValidator(_check_fingerprint)]


class PolicyPerson(Value):
    """Somebody the office knows by a certificate, and the roles in which that certificate may sign."""

    name: Role = field("Person", "Who holds the certificate, for those who read the policy.", default=...)
    certificate: Fingerprint = field("Certificate", "Its SHA-256, as this program and openssl show it.", default=...)
    roles: Annotated[tuple[Role, ...], Field(min_length=1, max_length=20)] = field(
        "May sign as", "The roles in which this certificate counts.", default=...
    )


class Policy(Value):
    """What an office asks of every decision; what is absent is not asked."""

    format: Literal["dpwizard.policy/1"] = field("Format", "The version of this format.", default=...)
    name: ShortText = field("Name", "What the policy is called, with its version or date.", default=...)
    largest_epsilon: Positive | None = field(
        "Largest epsilon", "For one release and one privacy unit, all times together."
    )
    largest_epsilon_in_all: Positive | None = field("Largest total epsilon", "Including earlier releases.")
    largest_delta: OpenProbability | None = field(
        "Largest delta", "For Gaussian noise: for one release, all times together.", editor="tiny_chance"
    )
    mechanisms: Annotated[tuple[MechanismName, ...], Field(min_length=1, max_length=10)] | None = field(
        "Types of noise allowed", "The types of noise that may be used."
    )
    neighbours: Annotated[tuple[NeighbouringRelation, ...], Field(min_length=1, max_length=2)] | None = field(
        "Neighbouring datasets may differ by", "Which neighbouring datasets an epsilon may refer to."
    )
    roles: Annotated[tuple[Role, ...], Field(max_length=20)] = field(
        "Roles that must sign", "Each with a signature of its own.", default=()
    )
    people: Annotated[tuple[PolicyPerson, ...], Field(max_length=MOST)] = field(
        "People", "If a role is named here, only these certificates count in it.", default=()
    )
    filled: Annotated[tuple[Path, ...], Field(max_length=MOST)] = field(
        "Fields that must be filled in", "Paths into the decision, for instance $.details.necessity.", default=()
    )
    exceptions: bool = field("Exceptions allowed", "Approving an epsilon outside the allowed range.", default=True)
    valid_from: Day | None = field("Applies from", "The first day, year-month-day. If empty: no first day.")
    valid_until: Day | None = field("Applies until", "The last day, year-month-day. If empty: no last day.")
    signed: bool = field("Counts only when signed", "Its signature is beside it, as NAME.toml.jws.", default=False)

    @property
    def is_dated(self) -> bool:
        """Return whether it says from which day to which it applied."""
        return self.valid_from is not None and self.valid_until is not None

    def applies(self, at: datetime) -> bool:
        """Return whether it applied AT that time, by its dates in UTC."""
        day = at.astimezone(UTC).date().isoformat()
        return (self.valid_from or day) <= day <= (self.valid_until or day)

    @property
    def last_moment(self) -> datetime | None:
        """Return the last second at which it applied; None where it says none."""
        return None if self.valid_until is None else datetime.fromisoformat(f"{self.valid_until}T23:59:59+00:00")


@dataclass(frozen=True, kw_only=True)
class PolicyFile:
    """A policy with the hash of its file."""

    policy: Policy
    sha256: str
    signed_by: str = ""  # whose signature lies beside it, trusted here; empty where none does

    def lets_sign(self, role: str, fingerprint: str) -> bool:
        """Return whether the certificate with this FINGERPRINT may sign as ROLE: any, where none is named for it."""
        named = {person.certificate for person in self.policy.people if role in person.roles}
        return not named or fingerprint in named


@dataclass(frozen=True, kw_only=True)
class PolicyViolation:
    """One thing a decision does that the policy does not allow, in words."""

    where: str
    message: Message
    hint: str


def read_policy(data: bytes, where: str = "policy") -> PolicyFile:
    """Return the policy in DATA, the bytes of a TOML file.

    Raises InvalidInput naming the field, what was found, what is allowed and a remedy; WHERE names the file.
    """
    policy = read_toml(Policy, FORMAT, data, where)
    return PolicyFile(policy=policy, sha256=hashlib.sha256(data).hexdigest())


def named(policy_file: PolicyFile) -> NamedPolicy:
    """Return what a record says of the policy it was checked against: its name, its hash, and who must sign."""
    return NamedPolicy(name=policy_file.policy.name, sha256=policy_file.sha256, roles=policy_file.policy.roles)


def breaches(
    policy: Policy, decision: Decision, inside: bool | None = None, *, public: bool = False
) -> tuple[PolicyViolation, ...]:
    """Return what DECISION does against POLICY, in the order of the policy's fields; INSIDE as its assessment says.

    Numbers and noise are asked of approvals only: a release that is refused may have been any; what must be filled
    is asked of every outcome. Of a PUBLIC edition it is not asked: what must be filled need not be public.
    """
    broken = _broken(policy, decision, inside) if decision.outcome in APPROVALS else ()
    hint = "Change the decision, or ask for another policy."
    violations = (PolicyViolation(where=where, message=what, hint=hint) for where, what in broken)
    return (*violations, *(() if public else _of_fields(policy, decision)))


def require_kept(policy_file: PolicyFile, decision: Decision, inside: bool | None, *, public: bool = False) -> None:
    """Raise InvalidInput with the first breach, and how many there are."""
    broken = breaches(policy_file.policy, decision, inside, public=public)
    if broken:
        first, many = broken[0], message("({count} points of the policy not met in all)", count=len(broken))
        raise InvalidInput(joined((first.message, many)) if len(broken) > 1 else first.message, first.where, first.hint)


def _broken(policy: Policy, decision: Decision, inside: bool | None) -> Iterator[tuple[str, Message]]:
    release, epsilon, delta = decision.release, decision.chosen, decision.release.delta_in_all()
    says = message('the policy "{name}" allows', name=policy.name)
    alone, in_all = policy.largest_epsilon, policy.largest_epsilon_in_all
    most = alone if alone is not None else in_all
    too_much = partial(message, "comes to {amount:g}; {says} at most {limit:g}", says=says)
    if release.counted_in == "rho" and most is not None:
        why = message(
            "is needed: without it this noise has no epsilon; {says} at most {limit:g}", says=says, limit=most
        )
        yield "$.release.delta", why
    elif epsilon is not None:
        this, together = release.cost(epsilon), release.cost_in_all(epsilon)
        if alone is not None and this > alone:
            yield "$.epsilon", too_much(amount=this, limit=alone)
        if in_all is not None and (together is None or together > in_all):
            unknown = message("an amount that cannot be stated for these neighbouring datasets")
            total = unknown if together is None else message("{amount:g}", amount=together)
            why = message(
                "comes to {amount} with earlier releases; {says} at most {limit:g}",
                amount=total,
                says=says,
                limit=in_all,
            )
            yield "$.release.spent", why
    if most is not None and release.noise.absent_somewhere:
        why = message('is "exact", which has no epsilon at all; {says} at most {limit:g}', says=says, limit=most)
        yield "$.release.mechanism", why
    if policy.largest_delta is not None and delta is not None and delta > policy.largest_delta:  # adds up as epsilon
        yield "$.release.delta", too_much(amount=delta, limit=policy.largest_delta)
    kinds = ((mechanism.name, policy.mechanisms, "mechanism") for mechanism in release.noise.each)
    for choice, allowed, name in (*kinds, (release.neighbours, policy.neighbours, "neighbours")):
        if choice is not None and allowed is not None and choice not in allowed:
            why = message('is "{choice}"; {says} {choices}', choice=choice, says=says, choices=", ".join(allowed))
            yield f"$.release.{name}", why
    if not policy.exceptions and inside is False:
        yield "$.epsilon", message("is outside the allowed range; {says} no exceptions", says=says)


def _of_fields(policy: Policy, decision: Decision) -> Iterator[PolicyViolation]:
    for where in policy.filled:
        try:
            value = edits.get(decision, where)
        except DPWizardError:
            value = None
        if value is None or (isinstance(value, str) and not value.strip()) or value == ():
            yield PolicyViolation(
                where=where,
                message=message('is empty, and the policy "{name}" asks for it', name=policy.name),
                hint="Fill it in.",
            )


# ------------------------------------------------------------------------------ as a text that people read and change


EXAMPLES: Mapping[str, Any] = MappingProxyType(  # what a field that asks for nothing could ask for
    {
        "largest_epsilon": 1.0,
        "largest_epsilon_in_all": 4.0,
        "largest_delta": 0.000001,
        "mechanisms": tuple(MECHANISMS)[:2],
        "neighbours": ("add_remove",),
        "roles": ("proposes", "approves"),
        "filled": ("$.details.necessity", "$.details.risks", "$.details.review_date"),
        "exceptions": False,
        "valid_from": "2026-01-01",
        "valid_until": "2026-12-31",
        "signed": True,
    }
)
PERSON = PolicyPerson(name="Ada Officer", certificate="0" * 64, roles=("proposes",))
HEAD = (
    message("What the office asks of every decision on a privacy budget, and whose signatures count."),
    message("A line that begins with # asks for nothing. To ask for it, remove the # and change the value."),
    message("It applies to everyone on this computer once it is in the office’s folder as policy.toml."),
)


def template() -> str:
    """Return a policy that asks for nothing yet, with every field explained."""
    return text(Policy(format=FORMAT, name=message("Policy of the office, first version").text()))


def text(policy: Policy) -> str:
    """Return POLICY as TOML that reads as the same policy, with every field explained and an example where it is
    silent."""
    lines = [*text_of(HEAD, policy, EXAMPLES), "", *explained(Policy, "people")]
    for name in PolicyPerson.model_fields:
        lines += explained(PolicyPerson, name, "  ")
    people = policy.people or (PERSON,)
    for person in people:
        rows = ["[[people]]", *(f"{field} = {written(getattr(person, field))}" for field in PolicyPerson.model_fields)]
        lines += ["", *(rows if policy.people else (f"# {row}" for row in rows))]
    return "\n".join(lines) + "\n"
